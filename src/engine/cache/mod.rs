//! A cache of answers that nobody has to trust: entries are proofs and structures, and are checked whenever they are read.
//!
//! An entry is found by a digest of what the obligation says, in canonical form ([`GroupCache`]). That it was found says nothing: a
//! proof has to be accepted by the checker for the obligation of this run, and a structure is evaluated. `spec/cache.md` has
//! the form of digests and entries. Where entries lie is up to a [`Store`].

mod canonical;
mod entry;
mod group;

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

pub use entry::MAX_BYTES;
pub use group::{GroupCache, Known, Prepared, Rejected};
use ramsey_solver::epr::Clock;

/// What a store has for an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fetched {
    /// Nothing, or the store cannot be reached.
    Absent,
    /// An entry, which nobody has checked. It has at most [`MAX_BYTES`] bytes.
    Entry(Vec<u8>),
    /// Something that is no entry, with the reason as a sentence without capital letter and full stop.
    Unusable(String),
}

/// A place for entries. Its failures are its own: they cost time, and no answer.
pub trait Store: Debug + Send + Sync {
    /// Returns the entry with this name, which has 64 hexadecimal digits.
    fn get(&self, name: &str) -> Fetched;

    /// Writes the entry with this name, or replaces it. Others see either the old one or all of the new one. Returns whether it is
    /// written.
    fn put(&self, name: &str, entry: &[u8]) -> bool;

    /// Returns where the entry with this name is, for people.
    fn place(&self, name: &str) -> String;
}

/// What a cache was good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Obligations answered by entries that were checked.
    pub hits: u64,
    /// Obligations without an entry.
    pub misses: u64,
    /// Obligations with an entry that is not valid.
    pub rejected: u64,
    /// Entries that were written.
    pub kept: u64,
    /// Bytes of entries that were read.
    pub bytes_read: u64,
    /// Bytes of entries that were written.
    pub bytes_written: u64,
    /// Nanoseconds until entries had been read, of all threads together; 0 without a clock.
    pub fetch_time: u64,
    /// Nanoseconds in which entries were checked; 0 without a clock.
    pub check_time: u64,
}

/// A cache of answers.
#[derive(Debug)]
pub struct Cache {
    store: Arc<dyn Store>,
    clock: Option<Clock>,
    tally: Mutex<Tally>,
}

impl Cache {
    /// Returns the cache with the entries of a store.
    pub fn new(store: Arc<dyn Store>, clock: Option<Clock>) -> Cache {
        Cache { store, clock, tally: Mutex::default() }
    }

    /// Returns what it was good for so far.
    pub fn tally(&self) -> Tally {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, count: impl FnOnce(&mut Tally)) {
        count(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn now(&self) -> u64 {
        self.clock.map_or(0, |clock| clock())
    }
}
