//! Formulas that are not enumerated, but given beforehand.

use std::mem::take;
use std::sync::Arc;

use super::formula::Alternation;
use crate::infer::claim::Claim;
use crate::infer::provenance::claims;
use crate::infer::prover::Prover;
use crate::infer::separate::Edge;
use crate::infer::state::{Matcher, State};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::TermId;

/// Clauses with so few literals are found without guessing, and in a better order: the smallest first.
const FEW_LITERALS: usize = 3;
/// Work units of the search for other formulas per work unit for guesses.
const SHARE: u64 = 4;
/// Work units for guesses beside these.
const ALLOWANCE: u64 = 1_000_000;

/// A formula that may be a lemma.
#[derive(Debug)]
struct Guess {
    claim: Claim,
    /// Finds what refutes a clause.
    matcher: Option<Matcher>,
    /// Number of states in which the formula is known to be true.
    seen: usize,
    is_refuted: bool,
}

/// Such formulas, which share their work.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    list: Vec<Guess>,
    /// Work units that evaluating them has taken.
    work: u64,
    /// Work units that the search for other formulas has taken meanwhile.
    other_work: u64,
}

impl Guesses {
    /// Returns those of some formulas that a search could find, which `is_found` tells of those with witnesses.
    pub(super) fn of(
        prover: &Prover,
        formulas: &[TermId],
        is_found: &dyn Fn(&Alternation) -> bool,
    ) -> Guesses {
        let mut terms = prover.system().terms.clone();
        let mut guesses: Vec<Guess> = Vec::new();
        for claim in formulas.iter().flat_map(|&it| claims(prover.vocabulary(), it, &mut terms)) {
            let is_known = guesses.iter().any(|it| is_same(&it.claim, &claim));
            let is_small =
                matches!(&claim, Claim::Excludes(pattern) if pattern.literals.len() <= FEW_LITERALS);
            let is_meant = !matches!(&claim, Claim::Alternates(it) if !is_found(it));
            if !is_known && !is_small && is_meant {
                let matcher = match &claim {
                    Claim::Excludes(pattern) => Some(Matcher::new(pattern)),
                    Claim::Alternates(_) | Claim::Formula(_) => None,
                };
                guesses.push(Guess { claim, matcher, seen: 0, is_refuted: false });
            }
        }
        Guesses { list: guesses, work: 0, other_work: 0 }
    }

    /// Forgets the states seen.
    pub(super) fn reset(&mut self) {
        self.list.iter_mut().for_each(|it| (it.seen, it.is_refuted) = (0, false));
    }

    /// Returns the work units that evaluating them has taken.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Counts work units of the search for other formulas.
    pub(super) fn searched(&mut self, work: u64) {
        self.other_work = self.other_work.saturating_add(work);
    }

    /// Returns one that is false in `state`, as [`Guess::excluding`] does; none if they have had their share of the work.
    pub(super) fn excluding(
        &mut self,
        state: &State,
        others: &[Arc<State>],
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Claim>, Exhausted> {
        for guess in &mut self.list {
            if self.work > ALLOWANCE + self.other_work / SHARE {
                break;
            }
            let begun = budget.spent();
            let found = guess.excluding(state, others, steps, budget);
            self.work += budget.spent() - begun;
            if let Some(claim) = found? {
                return Ok(Some(claim));
            }
        }
        Ok(None)
    }
}

impl Guess {
    fn is_false(&self, state: &State, work: &mut u64) -> bool {
        match (&self.matcher, &self.claim) {
            (Some(matcher), _) => matcher.find(state, work).is_some(),
            (None, Claim::Alternates(it)) => it.refutation(state, work).is_some(),
            (None, Claim::Formula(_) | Claim::Excludes(_)) => false,
        }
    }

    /// Returns the claim if it is false in `state`, true in `others`, to which states are only ever added at the end, and true after
    /// each step before which it is true.
    fn excluding(
        &mut self,
        state: &State,
        others: &[Arc<State>],
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Claim>, Exhausted> {
        let mut work = 1;
        let is_meant = !self.is_refuted && self.is_false(state, &mut work);
        budget.spend(take(&mut work))?;
        if !is_meant {
            return Ok(None);
        }
        for other in others.get(self.seen..).unwrap_or_default() {
            self.is_refuted = self.is_false(other, &mut work);
            self.seen += 1;
            budget.spend(take(&mut work))?;
            if self.is_refuted {
                return Ok(None);
            }
        }
        for (before, after) in steps {
            let is_kept = !self.is_false(after, &mut work) || self.is_false(before, &mut work);
            budget.spend(take(&mut work))?;
            if !is_kept {
                return Ok(None);
            }
        }
        Ok(Some(self.claim.clone()))
    }
}

fn is_same(a: &Claim, b: &Claim) -> bool {
    match (a, b) {
        (Claim::Excludes(a), Claim::Excludes(b)) => a == b,
        (Claim::Alternates(a), Claim::Alternates(b)) => a == b,
        _ => false,
    }
}
