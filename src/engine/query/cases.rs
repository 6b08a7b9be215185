//! Bounded model checking in parts: each part is about executions of one length that begin in one way, and is a trace query.
//!
//! The queries of all ways to begin, for all lengths up to a depth, have no execution if and only if no execution of at most so
//! many steps violates the claim: a shortest one that does has some length, takes some transitions first, and the claim is true
//! in all of its states but the last.

use super::bmc::Target;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::TermId;
use ramsey_core::system::{System, Trace, TraceCall, TraceStep};

/// Executions of one length that begin in one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Number of steps.
    pub steps: u16,
    /// The first transitions that are taken, as indices into [`System::transitions`]; at most `steps` of them count.
    pub first: Vec<usize>,
}

/// Returns all ways to take the first `count` transitions, in lexicographic order; `None` if they are more than `limit`.
pub fn beginnings(system: &System, count: u16, limit: usize) -> Option<Vec<Vec<usize>>> {
    let all = system.transitions.len();
    let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        if ways.len().checked_mul(all).is_none_or(|more| more > limit) {
            return None;
        }
        let longer = |way: &Vec<usize>| {
            let way = way.clone();
            (0..all).map(move |next| way.iter().copied().chain([next]).collect::<Vec<usize>>())
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    Some(ways)
}

/// Returns the system with a trace per case, and no others, each of which is expected to have no execution: it begins in an
/// initial state, and a target is false in its last state and in no other one.
#[must_use]
pub fn with_cases(system: &System, targets: &[Target], cases: &[Case]) -> System {
    let claims: Vec<TermId> = targets.iter().map(|target| target.formula(system)).collect();
    let mut system = system.without_proofs();
    let claim = system.terms.and(&claims);
    let violated = system.terms.not(claim);
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    let traces = cases.iter().map(|case| {
        let mut steps = vec![TraceStep::AssertInit];
        for at in 0..case.steps {
            steps.push(TraceStep::Assert(claim));
            steps.push(match case.first.get(usize::from(at)) {
                Some(&transition) => {
                    let args = vec![None; system.transitions[transition].params.len()];
                    TraceStep::Transitions(vec![TraceCall { transition, args }])
                }
                None => TraceStep::AnyTransition,
            });
        }
        steps.push(TraceStep::Assert(violated));
        Trace { expect_sat: false, steps, span }
    });
    system.traces = traces.collect();
    system
}
