//! Inference of inductive invariants: lemmas that, together with the safety properties, are preserved by every
//! transition.
//!
//! All methods use the same store of states and the same questions. They propose lemmas; [`certify`] alone decides that
//! a set of lemmas is inductive. Nothing here is trusted: the caller verifies the result by the plain obligations.

mod executions;
mod hitting;
mod houdini;
mod minimize;
mod oracle;
mod outcome;
mod plan;
mod pool;
mod prefix;
mod sample;
mod search;
mod separate;
mod state;
mod table;
mod updr;

use std::sync::Arc;

pub use outcome::{
    Answer, Candidate, Counts, Event, Inference, Lemma, Method, Observer, Open, Options, Reason,
    RelaxedExecution, Template,
};

use crate::base::budget::Budget;
use crate::system::System;

/// Searches for an inductive invariant that implies the safety properties and assertions of `system`.
pub fn infer(
    system: &Arc<System>,
    options: &Options,
    budget: &mut Budget,
    observer: &mut dyn Observer,
) -> Inference {
    plan::run(system, options, budget, observer)
}
