//! A cache of answers that nobody has to trust: entries are proofs and structures, and are checked whenever they are read.
//!
//! An entry is found by a digest of what the obligation says, in canonical form ([`GroupCache`]). That it was found says nothing: a
//! proof has to be accepted by the checker for the obligation of this run, and a structure is evaluated. `spec/cache.md` has
//! the form of digests and entries. Where entries lie is up to a [`Store`].

mod canonical;
pub(crate) mod entry;
mod group;
pub(crate) mod structures;

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

pub use entry::MAX_BYTES;
pub use group::{GroupCache, Known, Prepared};
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

/// An entry that is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// Where it is.
    pub place: String,
    /// Why, as a sentence without capital letter and full stop.
    pub reason: String,
}

/// What was read.
pub(crate) enum Read<T> {
    /// There is no entry.
    Absent,
    /// What the entry says, once accepted.
    Valid(T),
    /// An entry that is not valid.
    Rejected(Rejected),
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

/// What a cache was good for. A search for an invariant counts as one obligation.
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

    /// Looks up the entry with this name, which `judge` accepts or not, with the reason.
    pub(crate) fn answer<T>(&self, name: &str, judge: impl FnOnce(&[u8]) -> Result<T, String>) -> Read<T> {
        let started = self.now();
        let fetched = self.store.get(name);
        let fetch_time = self.now().saturating_sub(started);
        let bytes = match fetched {
            Fetched::Absent => {
                self.count(|tally| tally.misses += 1);
                return Read::Absent;
            }
            Fetched::Entry(bytes) => Ok(bytes),
            Fetched::Unusable(reason) => Err(reason),
        };
        let started = self.now();
        let size = bytes.as_ref().map_or(0, Vec::len) as u64;
        let read = bytes.and_then(|bytes| judge(&bytes));
        let check_time = self.now().saturating_sub(started);
        self.count(|tally| {
            tally.bytes_read += size;
            tally.fetch_time += fetch_time;
            tally.check_time += check_time;
            if read.is_ok() { tally.hits += 1 } else { tally.rejected += 1 }
        });
        match read {
            Ok(valid) => Read::Valid(valid),
            Err(reason) => Read::Rejected(Rejected { place: self.store.place(name), reason }),
        }
    }

    /// Writes the entry with this name.
    pub(crate) fn put(&self, name: &str, entry: &[u8]) {
        if self.store.put(name, entry) {
            self.count(|tally| {
                tally.kept += 1;
                tally.bytes_written += entry.len() as u64;
            });
        }
    }

    /// Counts an entry as not valid that [`Self::answer`] has accepted.
    pub(crate) fn reject(&self, name: &str, reason: String) -> Rejected {
        self.count(|tally| {
            tally.hits = tally.hits.saturating_sub(1);
            tally.rejected += 1;
        });
        Rejected { place: self.store.place(name), reason }
    }

    fn count(&self, count: impl FnOnce(&mut Tally)) {
        count(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn now(&self) -> u64 {
        self.clock.map_or(0, |clock| clock())
    }
}
