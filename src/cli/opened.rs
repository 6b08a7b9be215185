//! The cache of a run, once it is open.

use std::sync::Arc;

use ramsey_core::diag::Diagnostic;
use ramsey_engine::cache::{Cache, Store, Tally};

/// A place for entries that says at the end of a run what was wrong with it.
pub(crate) trait Place: Store {
    /// Ends the run: makes room, and returns what is to be told.
    fn close(&self) -> Option<Diagnostic>;
}

/// The cache of a run.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// The answers.
    pub(super) cache: Arc<Cache>,
    /// Where they lie.
    pub(super) place: Arc<dyn Place>,
}

impl Opened {
    /// Ends the run. Returns what is to be told.
    pub(super) fn close(&self) -> Option<Diagnostic> {
        self.place.close()
    }

    /// Returns what it was good for.
    pub(super) fn tally(&self) -> Tally {
        self.cache.tally()
    }
}
