//! Inference of inductive invariants: lemmas that, together with the safety properties, are preserved by every
//! transition.
//!
//! `prover` asks the questions, one context per transition; `state` has states as tables and partial structures compiled
//! for matching; `store` has lemmas with their proofs, and states; `search` is what all methods share. `separate` finds
//! clauses that tell states apart, as minimum hitting sets (`hitting`) over the atoms of a `prefix`.
//!
//! `methods` is the table of methods, each of which is an `engine`: `directed` proposes lemmas where a counterexample to
//! induction asks for one, clauses or formulas with witnesses (`exists`); `updr` by frames, `houdini` by enumeration
//! (`table`), `primal_dual` by dual edges (`edge`), `finite` by instances of small sizes. `relational` has relations in the
//! place of functions that are in the way of witnesses. `schedule` gives them turns of work, and `plan` has what they find
//! minimized. `kept` has answers that a cache may keep. Nothing here is trusted: the caller verifies the result by the plain obligations.

mod canonical;
mod choices;
mod claim;
mod directed;
mod edge;
mod engine;
mod executions;
mod exists;
mod explore;
mod finite;
mod hitting;
mod houdini;
mod kept;
mod language;
mod lemmas;
mod methods;
mod minimize;
mod outcome;
mod plan;
mod prefix;
mod primal_dual;
mod provenance;
mod prover;
mod regression;
mod relational;
mod sample;
mod schedule;
mod search;
mod seen;
mod separate;
mod state;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod updr;

use std::sync::Arc;

pub use explore::reach::Exploration;
pub use kept::Kept;
pub use lemmas::lemmas;
pub use outcome::{
    Answer, Candidate, Counts, Event, Inference, InstanceAnswer, Language, Lemma, Method, Observer, Open,
    Options, QuantifierPrefix, Reason, RelaxedExecution, Template,
};
pub use schedule::{Executor, InOrder, Job};

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
