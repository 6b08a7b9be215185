//! Inference of inductive invariants: lemmas that, together with the safety properties, are preserved by every
//! transition.
//!
//! `oracle` asks the questions, one context per transition; `state` has states as tables and partial structures compiled
//! for matching; `pool` is the store of states and lemmas; `separate` finds clauses that tell states apart, as minimum
//! hitting sets (`hitting`) over the atoms of a `prefix`. Methods propose lemmas: `search` where a counterexample to
//! induction asks for one, `updr` by frames, `houdini` by enumeration (`table`), `primal_dual` by dual edges
//! (`edge`), `finite` by instances of small sizes, `exists` by formulas with witnesses (`propose` has what excludes a
//! counterexample). `plan` says what is tried, `turns` gives methods turns of work, and `plan`
//! has what they find minimized. Nothing here is trusted: the caller verifies the result by the plain obligations.

mod edge;
mod executions;
mod exists;
mod explore;
mod finite;
mod hitting;
mod houdini;
mod language;
mod minimize;
mod oracle;
mod outcome;
mod plan;
mod pool;
mod prefix;
mod primal_dual;
mod propose;
mod sample;
mod search;
mod seen;
mod separate;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod turns;
mod updr;

use std::sync::Arc;

pub use explore::reach::Exploration;
pub use outcome::{
    Answer, Candidate, Counts, Event, Inference, InstanceAnswer, Lemma, Method, Observer, Open, Options,
    QuantifierPrefix, Reason, RelaxedExecution, Template,
};
pub use turns::{Executor, InOrder, Job};

use ramsey_core::base::budget::Budget;
use ramsey_core::system::System;

/// Searches for an inductive invariant that implies the safety properties and assertions of `system`.
pub fn infer(
    system: &Arc<System>,
    options: &Options,
    budget: &mut Budget,
    observer: &mut dyn Observer,
) -> Inference {
    infer_on(&InOrder, system, options, budget, observer)
}

/// Searches like [`infer()`] with the same result, but has an executor run the independent parts.
pub fn infer_on(
    executor: &dyn Executor,
    system: &Arc<System>,
    options: &Options,
    budget: &mut Budget,
    observer: &mut dyn Observer,
) -> Inference {
    plan::run(system, options, executor, budget, observer)
}
