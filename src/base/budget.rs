//! How much a computation may spend, in deterministic work units and by an outside probe.
//!
//! Work units are counted by the engines (a propagated watch, a tried join tuple, …), so the same
//! input with the same limit stops at the same place on every machine. Wall clock and memory are the
//! caller's business: they come in as a *probe* that is asked every few thousand units.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which budget ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Exhausted {
    /// The deterministic work limit of the query.
    Work,
    /// The deterministic work limit that queries outside stratified EPR have where nobody set one.
    DefaultWork,
    /// The wall-clock limit of one query.
    QueryTime,
    /// The wall-clock limit of the whole run.
    RunTime,
    /// The memory limit.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
    /// A clause has more variables or function applications (64 each) than the engine can search.
    ClauseSize,
    /// A formula is too large to be brought into the normal form that search or a certificate needs.
    FormulaSize,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Work => "work budget",
            Exhausted::DefaultWork => "default limit outside the decidable fragment",
            Exhausted::QueryTime => "time limit of the query",
            Exhausted::RunTime => "time limit of the run",
            Exhausted::Memory => "memory limit",
            Exhausted::Cancelled => "cancelled",
            Exhausted::ClauseSize => "size of a clause",
            Exhausted::FormulaSize => "size of a formula",
        })
    }
}

/// Answers from outside whether to go on: clocks, memory, a cancel token.
pub type Probe = Arc<dyn Fn() -> Option<Exhausted> + Send + Sync>;

/// Stops searches from outside, from another thread for example. Clones are the same token.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that stops nothing yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Has every search stop soon whose budget asks this token.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets searches run again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// For [`Budget::new`]: reports [`Exhausted::Cancelled`] once the token says so.
    pub fn probe(&self) -> Probe {
        let flag = Arc::clone(&self.0);
        Arc::new(move || flag.load(Ordering::Relaxed).then_some(Exhausted::Cancelled))
    }
}

/// Work units between two questions to the probe.
const PROBE_EVERY: u64 = 1 << 14;

/// Work units that may follow up on an answer, for each unit of the search's limit.
pub const GRACE: u64 = 1000;

/// The budget of one query.
#[derive(Clone)]
pub struct Budget {
    spent: u64,
    limit: u64,
    /// What is reported once `limit` is reached.
    limit_is: Exhausted,
    /// The value of `spent` at which the probe is asked next; at most `limit`.
    next_stop: u64,
    probe: Option<Probe>,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} of {})", self.spent, self.limit)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// At most `work` units (where given), and stop when `probe` says so.
    pub fn new(work: Option<u64>, probe: Option<Probe>) -> Self {
        let limit = work.unwrap_or(u64::MAX);
        let next_stop = if probe.is_some() { limit.min(PROBE_EVERY) } else { limit };
        Budget { spent: 0, limit, limit_is: Exhausted::Work, next_stop, probe }
    }

    /// The same, but once the work units run out this is reported, here and not of parts.
    #[must_use]
    pub fn reported_as(self, exhausted: Exhausted) -> Self {
        Budget { limit_is: exhausted, ..self }
    }

    /// Counts `units` of work.
    ///
    /// # Errors
    /// The budget that ran out.
    #[inline]
    pub fn spend(&mut self, units: u64) -> Result<(), Exhausted> {
        self.spent = self.spent.saturating_add(units);
        if self.spent < self.next_stop { Ok(()) } else { self.stop() }
    }

    /// Asks the probe at once.
    ///
    /// # Errors
    /// The budget that ran out.
    pub fn check(&self) -> Result<(), Exhausted> {
        match self.probe.as_ref().and_then(|probe| probe()) {
            Some(exhausted) => Err(exhausted),
            None => Ok(()),
        }
    }

    #[cold]
    fn stop(&mut self) -> Result<(), Exhausted> {
        if self.spent >= self.limit && self.limit != u64::MAX {
            return Err(self.limit_is);
        }
        if let Some(exhausted) = self.probe.as_ref().and_then(|probe| probe()) {
            return Err(exhausted);
        }
        let step = if self.probe.is_some() { PROBE_EVERY } else { u64::MAX };
        self.next_stop = self.spent.saturating_add(step).min(self.limit);
        Ok(())
    }

    /// A budget of at most `units` out of what is left of this one, with the same probe. What is spent of it
    /// counts here once it is given back by [`Self::absorb`].
    #[must_use]
    pub fn part(&self, units: u64) -> Budget {
        Budget::new(Some(units.min(self.limit.saturating_sub(self.spent))), self.probe.clone())
    }

    /// Runs something that takes its budget out of this one, and at most `units`: beyond, the formula at hand is too
    /// large.
    ///
    /// # Errors
    /// The budget that ran out, [`Exhausted::FormulaSize`] where that was `units`.
    pub fn at_most<T>(
        &mut self,
        units: u64,
        run: impl FnOnce(&mut Budget) -> Result<T, Exhausted>,
    ) -> Result<T, Exhausted> {
        let mut part = self.part(units);
        let result = run(&mut part);
        self.absorb(&part)?;
        result.map_err(|exhausted| match exhausted {
            Exhausted::Work => Exhausted::FormulaSize,
            other => other,
        })
    }

    /// A budget of its own with the same probe, of `units`, but no more than [`GRACE`] for each unit of this one: for work
    /// that only follows up on an answer, which would be lost if what is left of this budget did not suffice.
    #[must_use]
    pub fn grace(&self, units: u64) -> Budget {
        Budget::new(Some(units.min(self.limit.saturating_mul(GRACE))), self.probe.clone())
    }

    /// Counts what was spent of a [`Self::part`].
    ///
    /// # Errors
    /// The budget that ran out.
    pub fn absorb(&mut self, part: &Budget) -> Result<(), Exhausted> {
        self.spend(part.spent)
    }

    /// Work units spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_out_at_the_limit() {
        let mut budget = Budget::new(Some(10), None);
        assert_eq!(budget.spend(9), Ok(()));
        assert_eq!(budget.spend(1), Err(Exhausted::Work));
        assert_eq!(budget.spent(), 10);
    }

    #[test]
    fn parts_count_against_the_whole() {
        let mut whole = Budget::new(Some(10), None);
        let mut part = whole.part(4);
        assert_eq!(part.spend(4), Err(Exhausted::Work));
        assert_eq!(whole.absorb(&part), Ok(()));
        let mut rest = whole.part(100);
        assert_eq!(rest.spend(5), Ok(()));
        assert_eq!(rest.spend(1), Err(Exhausted::Work), "no more than what is left");
        assert_eq!(whole.absorb(&rest), Err(Exhausted::Work));
    }

    #[test]
    fn what_follows_an_answer_is_in_proportion() {
        let mut grace = Budget::new(Some(10), None).grace(u64::MAX);
        assert_eq!(grace.spend(10 * GRACE - 1), Ok(()));
        assert_eq!(grace.spend(1), Err(Exhausted::Work));
        assert_eq!(Budget::unlimited().grace(5).spend(5), Err(Exhausted::Work));
    }

    #[test]
    fn a_limit_has_its_own_name_and_parts_have_not() {
        let mut whole = Budget::new(Some(10), None).reported_as(Exhausted::DefaultWork);
        let mut part = whole.part(100);
        assert_eq!(part.spend(10), Err(Exhausted::Work), "whoever took the part looks at the whole");
        assert_eq!(whole.absorb(&part), Err(Exhausted::DefaultWork));
        assert_eq!(whole.at_most(5, |part| part.spend(1)), Err(Exhausted::DefaultWork));
    }

    #[test]
    fn the_probe_stops_unlimited_work() {
        let mut budget = Budget::new(None, Some(Arc::new(|| Some(Exhausted::QueryTime))));
        assert_eq!(budget.spend(1), Ok(()), "the probe is not asked for every unit");
        assert_eq!(budget.spend(PROBE_EVERY), Err(Exhausted::QueryTime));
        assert_eq!(Budget::unlimited().spend(u64::MAX - 1), Ok(()));
    }

    #[test]
    fn a_cancelled_search_stops() {
        let cancel = Cancel::new();
        let mut budget = Budget::new(None, Some(cancel.clone().probe()));
        assert_eq!(budget.spend(PROBE_EVERY), Ok(()));
        cancel.cancel();
        assert_eq!(budget.spend(PROBE_EVERY), Err(Exhausted::Cancelled));
        cancel.reset();
        assert_eq!(budget.check(), Ok(()));
    }
}
