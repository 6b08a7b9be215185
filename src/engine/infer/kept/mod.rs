//! Answers of searches that a cache keeps: an invariant as lemmas, a violation as an execution, both in canonical form.
//!
//! What is read is in the form of an answer and nothing more: executions are evaluated here, and lemmas are verified by the caller,
//! as any others. `spec/cache.md` describes names and entries.

mod admission;
mod answer;
mod nodes;
mod profile;
mod question;

use std::sync::Arc;

use super::canonical::Canonical;
use super::outcome::{Inference, Observer, Options};
use super::plan::{Posed, pose, search};
use super::schedule::Executor;
use crate::cache::{Cache, Read, Rejected, entry};
use ramsey_core::base::budget::Budget;
use ramsey_core::system::System;

/// What entries are about.
const SUBJECT: &str = "search";

/// A search whose answer a cache may have.
#[derive(Debug)]
pub struct Kept<'a> {
    cache: &'a Cache,
    canonical: Box<Canonical>,
    name: String,
    /// The entry that tells the answer of the search.
    entry: Option<Vec<u8>>,
}

impl<'a> Kept<'a> {
    /// Prepares a search. Returns `None` if none is needed, so that nothing is kept.
    pub fn new(cache: &'a Cache, system: &Arc<System>, options: &Options) -> Option<Kept<'a>> {
        let Posed::Open(canonical) = pose(system, options) else { return None };
        let name = question::digest(&canonical.system, &canonical.options);
        Some(Kept { cache, canonical, name, entry: None })
    }

    /// Returns the name of its entry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Looks up the answer. Executions are evaluated; nothing is known of lemmas.
    ///
    /// # Errors
    /// Returns the entry, if it is not valid.
    pub fn answer(&self) -> Result<Option<Inference>, Rejected> {
        match self.cache.answer(&self.name, |bytes| self.read(bytes)) {
            Read::Absent => Ok(None),
            Read::Valid(found) => Ok(Some(found)),
            Read::Rejected(rejected) => Err(rejected),
        }
    }

    fn read(&self, bytes: &[u8]) -> Result<Inference, String> {
        let text = entry::text(bytes)?;
        let (kind, lines) = entry::unwrapped(&text, (SUBJECT, &self.name))?;
        answer::read(&self.canonical, kind, lines)
    }

    /// Takes note that the lemmas of the entry are wrong, for this reason.
    pub fn reject(&self, reason: String) -> Rejected {
        self.cache.reject(&self.name, reason)
    }

    /// Searches, as [`infer_on`](super::infer_on) does. An answer that can be kept is told as a later run will read it.
    pub fn search(
        &mut self,
        executor: &dyn Executor,
        budget: &mut Budget,
        observer: &mut dyn Observer,
    ) -> Inference {
        let found = search(&self.canonical, executor, budget, observer);
        self.entry = answer::written(&self.canonical, &found)
            .and_then(|(kind, lines)| entry::wrapped((SUBJECT, &self.name), kind, &lines));
        let again = self.entry.as_ref().and_then(|bytes| self.read(bytes).ok());
        let (counts, statistics) = (found.counts, found.statistics);
        match again {
            Some(again) => Inference { counts, statistics, ..again },
            None => {
                self.entry = None;
                self.canonical.inference(found)
            }
        }
    }

    /// Keeps the answer of the search, whose lemmas are verified.
    pub fn keep(&self) {
        if let Some(entry) = &self.entry {
            self.cache.put(&self.name, entry);
        }
    }
}
