//! Which claims a question is about at once, and which are assumed of the states before.
//!
//! Inside stratified EPR one question is about all claims, which are assumed of all states where they are known to hold. Outside it
//! that makes terms without end: each claim whose negation takes the questions out of the fragment has questions of its own, and those
//! that do so where they hold are assumed of no state.

use crate::query::fragment::Cycle;
use crate::query::unroll::Unrolling;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;

/// How the claims are asked about and assumed.
#[derive(Debug)]
pub(super) struct Claims {
    /// The claims that one question after another is about together. Each claim is in one of these lists.
    pub(super) asked: Vec<Vec<TermId>>,
    /// The claims that are assumed where they are known to hold. That is no additional assumption; it helps to refute longer
    /// executions.
    pub(super) assumed: Vec<TermId>,
    /// Cycles that take questions out of stratified EPR: before the initial states, at the initial states, and after them.
    pub(super) cycles: [Option<Cycle>; 3],
}

impl Claims {
    /// Decides about claims `before` the initial states and those after them (formulas over step 0), in executions of at most `depth`
    /// steps.
    pub(super) fn new(
        (system, unrolling): (&System, &Unrolling),
        before: &[TermId],
        claims: &[TermId],
        depth: u16,
    ) -> Claims {
        let at_one_state = |claims: &[TermId]| unrolling.cycle(&[], &signed(claims, false));
        let mut decided = Claims {
            asked: vec![claims.to_vec()],
            assumed: claims.to_vec(),
            cycles: [if before.is_empty() { None } else { at_one_state(before) }, at_one_state(claims), None],
        };
        if depth == 0 {
            return decided;
        }
        let transitions: Vec<usize> = (0..system.transitions.len()).collect();
        let cycle = |asked: &[TermId], assumed: &[TermId]| {
            unrolling.cycle(&transitions, &[signed(asked, false), signed(assumed, true)].concat())
        };
        decided.cycles[2] = cycle(claims, claims);
        if decided.cycles[2].is_none() {
            return decided;
        }
        let mut dependencies = unrolling.dependencies(&transitions);
        // Where the steps alone leave the fragment, each claim that makes further terms leaves it further.
        decided.assumed = if dependencies.are_cyclic() {
            dependencies.admit_without_terms(claims)
        } else {
            dependencies.admit(claims, true).0
        };
        let (inside, outside) = dependencies.clone().admit(claims, false);
        // By themselves, most of those outside have a cycle.
        let first = outside.iter().find(|&&claim| !dependencies.clone().admit(&[claim], false).1.is_empty());
        decided.cycles[2] = first.and_then(|&claim| cycle(&[claim], &decided.assumed));
        let inside = Some(inside).filter(|it| !it.is_empty());
        decided.asked = inside.into_iter().chain(outside.into_iter().map(|claim| vec![claim])).collect();
        decided
    }
}

fn signed(claims: &[TermId], holds: bool) -> Vec<(TermId, bool)> {
    claims.iter().map(|&claim| (claim, holds)).collect()
}
