//! Inference of an inductive invariant, and the inductive part of given formulas.

use std::sync::Arc;

use super::context::{Context, Failed, Progress};
use super::counterexamples::counterexample;
use super::verify;
use crate::command::Command;
use crate::reply::{Answer as Part, Inference, UnsafeExecution};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::Syntax;
use ramsey_core::system::System;
use ramsey_engine::infer::{
    Answer, Candidate, Counts, Event, Lemma, Method, Observer, Options, Reason, infer,
};
use ramsey_engine::query::{self, Outcome, Plan};
use ramsey_solver::formulas::Pretty;

/// Work units of a search that finds nothing.
const WORK: u64 = 4_000_000_000;
/// Number of events between two reports of progress.
const EVERY: usize = 50;

/// Tells how far the search is.
struct Watch<'a> {
    progress: &'a mut (dyn FnMut(Part) + Send),
    events: usize,
}

impl Observer for Watch<'_> {
    fn event(&mut self, _: Syntax<'_>, _: &Event, counts: &Counts) {
        self.events += 1;
        if self.events.is_multiple_of(EVERY) {
            (self.progress)(Part::Searched { lemmas: counts.lemmas, refuted: counts.refuted });
        }
    }
}

pub(super) fn answer(
    context: &Context<'_>,
    formulas: &[String],
    progress: Progress<'_>,
) -> Result<Inference, Failed> {
    let Context { limits, .. } = *context;
    let mut system = Arc::clone(context.system);
    let mut candidates = Vec::new();
    if !formulas.is_empty() {
        // Formulas are read one after the other, each in a text that has those before as claims.
        let mut state = context.state.clone();
        for formula in formulas {
            let add = Command::Add { formula: formula.clone(), name: None, from: None };
            if let Ok(next) = state.after(&add, context.models) {
                state = next;
            }
        }
        if let Some(with_formulas) = &state.model.system {
            let known = system.invariants.len();
            let mut reduced = (**with_formulas).clone();
            let added = reduced.invariants.split_off(known);
            candidates = added.iter().map(|it| Candidate { name: None, formula: it.formula }).collect();
            system = Arc::new(reduced);
        }
    }
    let method = if formulas.is_empty() { Method::AUTO } else { Method::HOUDINI };
    let options = Options { method, candidates, ..Options::default() };
    let mut budget = limits.budget().part(WORK);
    let mut watch = Watch { progress, events: 0 };
    let found = infer(&system, &options, &mut budget, &mut watch);
    let syntax = found.system.syntax();
    let told = |lemmas: &[Lemma]| with_claims(context, &found.system, lemmas);
    Ok(match &found.answer {
        Answer::Invariant(lemmas) => told(lemmas)?,
        Answer::Unknown { lemmas, reason, .. } => {
            if *reason == Reason::Exhausted(Exhausted::Cancelled) {
                return Err(Exhausted::Cancelled.into());
            }
            told(lemmas)?
        }
        Answer::Unsafe(property, execution) => {
            let shown = counterexample(context, syntax, execution, "u")?;
            let steps = execution.calls.len();
            let violated = property.label(&system).to_owned();
            let violation = UnsafeExecution { violated, steps, execution: shown };
            Inference { violation: Some(violation), ..Inference::default() }
        }
        Answer::NoUniversal(_) => Inference { universal: Some(false), ..Inference::default() },
        Answer::InternalError(what) => return Err(Failed::Internal(what.clone())),
    })
}

/// Returns the lemmas that are none of the claims yet, as the session would have them, and which claims of the model that
/// has them are not inductive together. Claims that are no safety properties may be wrong, and inference does without
/// these.
fn with_claims(context: &Context<'_>, found: &System, lemmas: &[Lemma]) -> Result<Inference, Failed> {
    let mut state = context.state.clone();
    let mut added: Vec<String> = Vec::new();
    for lemma in lemmas {
        // The conjecture of a state names variables better than the clause that search works on.
        let mut terms = found.terms.clone();
        let formula = match &lemma.excluded {
            Some(partial) => partial.conjecture(terms.over_mut(&found.sig)),
            None => lemma.formula,
        };
        let formula = Pretty::new(terms.over(&found.sig), formula).to_string();
        if state.says(&formula).map_err(Failed::Internal)? {
            continue;
        }
        let add = Command::Add { formula: formula.clone(), name: None, from: None };
        state = state.after(&add, context.models).map_err(Failed::Internal)?;
        added.push(formula);
    }
    let system = state.model.system.as_ref().ok_or_else(|| unread("the model with the lemmas"))?;
    let options = query::verify::Options { all: true, minimize: false, ..query::verify::Options::default() };
    let verification = Plan::new(Arc::new(system.without_proofs()), options).run(context.limits);
    let (mut failing, mut unknown): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for result in &verification.results {
        let Some((claim, _)) = verify::place(system, result.origin) else { continue };
        let list = match &result.outcome {
            Outcome::Holds { .. } => continue,
            Outcome::Unknown(Exhausted::Cancelled) => return Err(Exhausted::Cancelled.into()),
            Outcome::InternalError(what) => return Err(Failed::Internal(what.clone())),
            Outcome::Fails(_) => &mut failing,
            Outcome::Unknown(_) | Outcome::Skipped => &mut unknown,
        };
        if !list.iter().any(|known| known == claim) {
            list.push(claim.to_owned());
        }
    }
    let inductive = failing.is_empty() && unknown.is_empty();
    let (failing, unknown) = (Some(failing), Some(unknown));
    Ok(Inference { lemmas: added, inductive, failing, unknown, ..Inference::default() })
}

fn unread(what: &str) -> Failed {
    Failed::Internal(format!("{what} was not read"))
}
