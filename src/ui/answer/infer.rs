//! Inference of an inductive invariant, and the inductive part of given formulas.

use std::sync::Arc;

use serde_json::{Value, json};

use super::context::{Context, Failed, Progress};
use super::counterexamples::counterexample;
use crate::forms::Pretty;
use crate::infer::{Answer, Candidate, Counts, Event, Lemma, Method, Observer, Options, Reason, infer};
use crate::logic::Syntax;

/// Work units of a search that finds nothing.
const WORK: u64 = 4_000_000_000;
/// Number of events between two reports of progress.
const EVERY: usize = 50;

/// Tells how far the search is.
struct Watch<'a> {
    progress: &'a mut (dyn FnMut(Value) + Send),
    events: usize,
}

impl Observer for Watch<'_> {
    fn event(&mut self, _: Syntax<'_>, _: &Event, counts: &Counts) {
        self.events += 1;
        if self.events.is_multiple_of(EVERY) {
            (self.progress)(json!({ "lemmas": counts.lemmas, "refuted": counts.refuted }));
        }
    }
}

pub(super) fn answer(
    context: &Context<'_>,
    formulas: &[String],
    progress: Progress<'_>,
) -> Result<Value, Failed> {
    let Context { limits, .. } = *context;
    let mut system = Arc::clone(context.system);
    let mut candidates = Vec::new();
    if !formulas.is_empty() {
        // Formulas are read one after the other, each in a text that has those before as claims.
        let mut state = context.state.clone();
        for formula in formulas {
            let add = crate::ui::command::Command::Add { formula: formula.clone(), name: None, from: None };
            if let Ok(next) = state.after(&add, context.loader) {
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
    let method = if formulas.is_empty() { Method::Auto } else { Method::Houdini };
    let options = Options { method, candidates, ..Options::default() };
    let mut budget = limits.budget().part(WORK);
    let mut watch = Watch { progress, events: 0 };
    let found = infer(&system, &options, &mut budget, &mut watch);
    let syntax = found.system.syntax();
    let told = |lemmas: &[Lemma]| -> Vec<String> {
        lemmas.iter().map(|it| Pretty::new(syntax, it.formula).to_string()).collect()
    };
    Ok(match &found.answer {
        Answer::Invariant(lemmas) => json!({ "lemmas": told(lemmas), "inductive": true }),
        Answer::Unknown { lemmas, reason, .. } => {
            if *reason == Reason::Exhausted(crate::base::budget::Exhausted::Cancelled) {
                return Err(crate::base::budget::Exhausted::Cancelled.into());
            }
            json!({ "lemmas": told(lemmas), "inductive": false })
        }
        Answer::Unsafe(property, execution) => {
            let shown = counterexample(context, syntax, execution, "u")?;
            json!({ "lemmas": [], "inductive": false, "violated": property.label(&system), "execution": shown })
        }
        Answer::NoUniversal(_) => json!({ "lemmas": [], "inductive": false, "universal": false }),
        Answer::InternalError(what) => return Err(Failed::Internal(what.clone())),
    })
}
