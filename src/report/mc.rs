//! Answers of eager abstraction as text.

use super::Palette;
use super::finding::Claim;
use super::json::mc::McSuggestion;
use ramsey_circuit::eager::{Abstraction, Known, Step};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::mc::{Answer, Execution, Outcome, Replay};
use ramsey_engine::query::suggest::Suggestion;
use ramsey_solver::forms::Pretty;

/// Returns the line of an answer. `is_joint` tells that all claims that were assumed are proved.
pub fn answer_text(system: &System, answer: &Answer, is_joint: bool, palette: Palette) -> String {
    let claim = Claim::of_target(system, Target::Model(answer.property), None);
    let name = claim.name.unwrap_or(&claim.label);
    let size = answer.abstraction.as_ref().map(|it| {
        let circuit = &it.circuit;
        let (latches, inputs, gates) = (circuit.latches().len(), circuit.num_inputs(), circuit.num_gates());
        format!("  {latches} latches, {inputs} inputs, {gates} gates")
    });
    let what = match &answer.outcome {
        Outcome::Safe { clauses, .. } if is_joint => {
            format!("{} ({})", palette.good("proved"), invariant_text(*clauses))
        }
        Outcome::Safe { clauses, .. } => {
            let holds = palette.caution("holds as long as the other claims have held");
            format!("{holds} ({})", invariant_text(*clauses))
        }
        Outcome::Violated(execution) => {
            let place = match execution.steps.len().saturating_sub(1) {
                _ if answer.property.is_before_init(system) => "before the initial states".to_owned(),
                1 => "after 1 step".to_owned(),
                steps => format!("after {steps} steps"),
            };
            match &execution.replay {
                Replay::Real(_) => format!("{} {place}", palette.bad("VIOLATED")),
                _ => format!("{} {place}", palette.caution("not proved: the abstraction violates it")),
            }
        }
        Outcome::Unknown(exhausted) => palette.caution(&format!("unknown ({exhausted})")),
        Outcome::Refused(refusal) => palette.caution(&format!("no answer: {refusal}")),
        Outcome::InternalError(_) => palette.bad("INTERNAL ERROR"),
    };
    format!("  {} {name}{}  {what}\n", claim.subject.noun(), size.unwrap_or_default())
}

/// Returns the prophecy variables with which a claim is proved, or those that would help.
pub fn suggestions_text(answer: &Answer, suggestions: &[Suggestion]) -> String {
    let is_proved = matches!(answer.outcome, Outcome::Safe { .. });
    let lines = suggestions.iter().map(|it| match &it.proved {
        _ if is_proved => format!("  with `proof {}` after the claim\n", it.proof),
        Some(_) => format!("  suggestion: `proof {}` proves it as long as the other claims hold\n", it.proof),
        None => format!("  suggestion: `proof {}` excludes this execution\n", it.proof),
    });
    lines.collect()
}

/// Converts suggestions to JSON data.
pub fn suggestion_dtos(answer: &Answer, suggestions: &[Suggestion]) -> Vec<McSuggestion> {
    let is_proved = matches!(answer.outcome, Outcome::Safe { .. });
    let one = |it: &Suggestion| McSuggestion {
        proof: format!("proof {}", it.proof),
        proves: is_proved || it.proved.is_some(),
    };
    suggestions.iter().map(one).collect()
}

fn invariant_text(clauses: usize) -> String {
    format!("an invariant of {clauses} {}", if clauses == 1 { "clause" } else { "clauses" })
}

/// Returns what is said of an execution of the abstraction that is not known to be one of the model.
pub fn replay_text(system: &System, execution: &Execution) -> Option<String> {
    let names: Vec<&str> = execution
        .steps
        .iter()
        .filter_map(|step| step.transition.map(|index| system.transitions[index].name.as_str()))
        .collect();
    Some(match &execution.replay {
        Replay::Real(_) | Replay::InternalError(_) => return None,
        Replay::Blocked(1) => {
            format!("spurious: `{}` cannot be taken in an initial state of the model", names.first()?)
        }
        Replay::Blocked(count) => format!(
            "spurious from step {count} on: no execution of the model goes on with `{}` there",
            names.get(count - 1)?
        ),
        Replay::Harmless => {
            "spurious: the model takes these transitions, but never violates the claim after them".to_owned()
        }
        Replay::Open(exhausted) => {
            format!("not decided whether the model has an execution with these transitions: {exhausted}")
        }
    })
}

/// Returns a fact as text: `f(c) = d`, `r(c)` or `~r(c)`, and `f(c) = ?` for a value that is not tracked.
pub fn fact_text(abstraction: &Abstraction, term: TermId, known: Known) -> String {
    let show = |term: TermId| Pretty::new(abstraction.terms.over(&abstraction.sig), term).to_string();
    match known {
        Known::Truth(true) => show(term),
        Known::Truth(false) => format!("~{}", show(term)),
        Known::Is(constant) => format!("{} = {}", show(term), show(constant)),
        Known::Other => format!("{} = ?", show(term)),
    }
}

/// Returns a step as text: `transition(x = c, y = ?)`.
pub fn step_text(system: &System, abstraction: &Abstraction, step: &Step) -> Option<String> {
    let transition = &system.transitions[step.transition?];
    let params = transition.params.iter().zip(&step.args).filter_map(|(&param, known)| {
        let name = &system.terms.var_info(param).name;
        let value = match known {
            Known::Truth(value) => value.to_string(),
            Known::Is(constant) => {
                Pretty::new(abstraction.terms.over(&abstraction.sig), *constant).to_string()
            }
            Known::Other => "?".to_owned(),
        };
        (!name.contains('@')).then(|| format!("{name} = {value}"))
    });
    let params: Vec<String> = params.collect();
    Some(match params.is_empty() {
        true => transition.name.clone(),
        false => format!("{}({})", transition.name, params.join(", ")),
    })
}

/// Returns for each state what is true in the first one, and what changes in the others.
pub fn changes(steps: &[Step]) -> Vec<Vec<(TermId, Known)>> {
    let mut before: Map<TermId, Known> = Map::default();
    let mut all = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let mut changed = Vec::new();
        for &(term, known) in &step.state {
            let is_new = before.insert(term, known) != Some(known);
            let is_told = index > 0 || !matches!(known, Known::Truth(false) | Known::Other);
            if is_new && is_told {
                changed.push((term, known));
            }
        }
        all.push(changed);
    }
    all
}
