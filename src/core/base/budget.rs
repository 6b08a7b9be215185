//! Budgets of computations, in deterministic work units and by an external probe.
//!
//! The engines count work units (a propagated watch, a tried join tuple, …), so the same input with the same limit
//! stops at the same place on every machine. Wall-clock time and memory are left to the caller, who supplies a *probe*
//! that is called every few thousand units.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The budget that was exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Exhausted {
    /// The deterministic work limit of the query.
    Work,
    /// The deterministic work limit that applies to queries outside stratified EPR if none was set.
    DefaultWork,
    /// The wall-clock limit of one query.
    QueryTime,
    /// The wall-clock limit of the whole run.
    RunTime,
    /// The memory limit.
    Memory,
    /// The computation was cancelled.
    Cancelled,
    /// A formula is too large to be brought into the normal form that search or a certificate needs.
    FormulaSize,
    /// No budget: a structure was found in which an operation on numbers may not be what it is.
    Arithmetic,
    /// No budget: a structure was found of which it is not known whether it is part of one with all numbers.
    Numbers,
    /// No budget: the claim is about executions without end.
    Temporal,
    /// No budget: the proof of the claim is by a tactic that is not read.
    Tactic,
    /// No budget: the model admits the claim without showing it.
    Admitted,
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
            Exhausted::FormulaSize => "size of a formula",
            Exhausted::Arithmetic => "what is known of arithmetic",
            Exhausted::Numbers => "what is known of all numbers",
            Exhausted::Temporal => "temporal, not checked",
            Exhausted::Tactic => "proof by another tactic, not checked",
            Exhausted::Admitted => "admitted, not shown",
        })
    }
}

/// Callback that decides whether to go on, from clocks, memory use or a cancellation token. Returns the exhausted
/// budget to stop.
pub type Probe = Arc<dyn Fn() -> Option<Exhausted> + Send + Sync>;

/// Cancellation token: stops searches from outside, for example from another thread. Clones share their state.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Creates a token that is not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Cancels: every search whose budget uses this token stops soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Resets the token, so that searches can run again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns a probe for [`Budget::new`] that reports [`Exhausted::Cancelled`] once the token is cancelled.
    pub fn probe(&self) -> Probe {
        let flag = Arc::clone(&self.0);
        Arc::new(move || flag.load(Ordering::Relaxed).then_some(Exhausted::Cancelled))
    }
}

/// Number of work units between two calls of the probe.
const PROBE_EVERY: u64 = 1 << 14;

/// Bound on the work spent after an answer, per unit of the search's limit; see [`Budget::grace`].
pub const GRACE: u64 = 1000;

/// The budget of one query.
#[derive(Clone)]
pub struct Budget {
    spent: u64,
    limit: u64,
    /// Reported when `limit` is reached.
    limit_kind: Exhausted,
    /// The value of `spent` at which the probe is called next; at most `limit`.
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
    /// Returns a budget without limits.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// Returns a budget of at most `work` units (unlimited if `None`) that also ends when `probe` reports a budget.
    pub fn new(work: Option<u64>, probe: Option<Probe>) -> Self {
        let limit = work.unwrap_or(u64::MAX);
        let next_stop = if probe.is_some() { limit.min(PROBE_EVERY) } else { limit };
        Budget { spent: 0, limit, limit_kind: Exhausted::Work, next_stop, probe }
    }

    /// Sets the kind of budget reported when the work units run out. Parts of the budget do not inherit it.
    #[must_use]
    pub fn reported_as(self, exhausted: Exhausted) -> Self {
        Budget { limit_kind: exhausted, ..self }
    }

    /// Spends `units` of work.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    #[inline]
    pub fn spend(&mut self, units: u64) -> Result<(), Exhausted> {
        self.spent = self.spent.saturating_add(units);
        if self.spent < self.next_stop { Ok(()) } else { self.stop() }
    }

    /// Calls the probe immediately.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn check(&self) -> Result<(), Exhausted> {
        self.probe.as_ref().and_then(|probe| probe()).map_or(Ok(()), Err)
    }

    #[cold]
    fn stop(&mut self) -> Result<(), Exhausted> {
        if self.spent >= self.limit && self.limit != u64::MAX {
            return Err(self.limit_kind);
        }
        self.check()?;
        let step = if self.probe.is_some() { PROBE_EVERY } else { u64::MAX };
        self.next_stop = self.spent.saturating_add(step).min(self.limit);
        Ok(())
    }

    /// Returns a budget of at most `units` out of the rest of this one, with the same probe. Work spent on it counts
    /// here once it is passed to [`Self::absorb`].
    #[must_use]
    pub fn part(&self, units: u64) -> Budget {
        Budget::new(Some(units.min(self.left())), self.probe.clone())
    }

    /// Runs `run` on a part of this budget of at most `units`.
    ///
    /// # Errors
    /// Returns the budget that was exhausted, and [`Exhausted::FormulaSize`] if that was the `units` of the part: the
    /// formula is too large.
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

    /// Returns a separate budget with the same probe, of `units` but at most [`GRACE`] per unit of this limit. It
    /// serves work that follows up on an answer, which would be lost if the rest of this budget did not suffice.
    #[must_use]
    pub fn grace(&self, units: u64) -> Budget {
        Budget::new(Some(units.min(self.limit.saturating_mul(GRACE))), self.probe.clone())
    }

    /// Counts the work spent on a [`Self::part`].
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn absorb(&mut self, part: &Budget) -> Result<(), Exhausted> {
        self.spend(part.spent)
    }

    /// Returns the work units that are left. Without a limit these are more than any computation spends.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// Returns the work units spent so far.
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
        assert_eq!(whole.left(), 6);
        let mut rest = whole.part(100);
        assert_eq!(rest.spend(5), Ok(()));
        assert_eq!(rest.spend(1), Err(Exhausted::Work), "no more than what is left");
        assert_eq!(whole.absorb(&rest), Err(Exhausted::Work));
    }

    #[test]
    fn grace_is_proportional_to_the_limit() {
        let mut grace = Budget::new(Some(10), None).grace(u64::MAX);
        assert_eq!(grace.spend(10 * GRACE - 1), Ok(()));
        assert_eq!(grace.spend(1), Err(Exhausted::Work));
        assert_eq!(Budget::unlimited().grace(5).spend(5), Err(Exhausted::Work));
    }

    #[test]
    fn parts_do_not_inherit_the_reported_kind() {
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
