//! Formulas that are not enumerated, but given beforehand.

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
const FEW_LITERALS: usize = 2;

/// A formula that may be a lemma.
#[derive(Debug)]
pub(super) struct Guess {
    claim: Claim,
    /// Finds what refutes a clause.
    matcher: Option<Matcher>,
    /// Number of states in which the formula is known to be true.
    seen: usize,
    is_refuted: bool,
}

impl Guess {
    /// Returns those of some formulas that a search could find, which `is_found` tells of those with witnesses.
    pub(super) fn of(
        prover: &Prover,
        formulas: &[TermId],
        is_found: &dyn Fn(&Alternation) -> bool,
    ) -> Vec<Guess> {
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
        guesses
    }

    /// Forgets the states seen.
    pub(super) fn reset(&mut self) {
        (self.seen, self.is_refuted) = (0, false);
    }

    fn is_false(&self, state: &State, work: &mut u64) -> bool {
        match (&self.matcher, &self.claim) {
            (Some(matcher), _) => matcher.find(state, work).is_some(),
            (None, Claim::Alternates(it)) => it.refutation(state, work).is_some(),
            (None, Claim::Formula(_) | Claim::Excludes(_)) => false,
        }
    }

    /// Returns the claim if it is false in `state`, true in `others`, to which states are only ever added at the end, and true after
    /// each step before which it is true.
    pub(super) fn excluding(
        &mut self,
        state: &State,
        others: &[Arc<State>],
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Claim>, Exhausted> {
        let mut work = 1;
        if self.is_refuted || !self.is_false(state, &mut work) {
            budget.spend(work)?;
            return Ok(None);
        }
        let unseen = others.get(self.seen..).unwrap_or_default();
        self.is_refuted = unseen.iter().any(|it| self.is_false(it, &mut work));
        self.seen = others.len();
        let is_kept = |(before, after): &Edge, work: &mut u64| {
            !self.is_false(after, work) || self.is_false(before, work)
        };
        let is_lemma = !self.is_refuted && steps.iter().all(|step| is_kept(step, &mut work));
        budget.spend(work)?;
        Ok(is_lemma.then(|| self.claim.clone()))
    }
}

fn is_same(a: &Claim, b: &Claim) -> bool {
    match (a, b) {
        (Claim::Excludes(a), Claim::Excludes(b)) => a == b,
        (Claim::Alternates(a), Claim::Alternates(b)) => a == b,
        _ => false,
    }
}
