//! Answers of eager abstraction: verdict, text and data of the document.

use std::fmt::Write as _;

use super::bmc::{Scene, internal_error_text, property_dto, violation_dto, violation_text};
use super::finding::{Claim, Numbers, of_abstraction, steps};
use super::json::dto::Certificate;
use super::json::mc::{McAnswer, McContent, McInvariant, McStep, McSuggestion};
use super::outcome::McOutcome;
use super::render::{Render, Shown};
use super::results::{Context, Entry};
use super::summary;
use super::trace::TraceStyle;
use super::trace_queries::line;
use super::{Palette, Verdict};
use ramsey_circuit::eager::{Abstraction, Known, Step};
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Label;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::mc::{Answer, Execution, Outcome, Replay};
use ramsey_engine::query::suggest::Suggestion;
use ramsey_solver::formulas::Pretty;

/// A claim with its answer.
#[derive(Debug)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// Prophecy variables that help.
    pub suggestions: Vec<Suggestion>,
    /// The file with the circuit and its size in bytes, if it was written.
    pub circuit: Option<(String, usize)>,
}

/// What became of the model with the lemmas of the proofs, if one was asked for.
#[derive(Debug)]
pub enum Lifting {
    /// It was written.
    Written {
        /// The file, with its lemmas.
        invariant: McInvariant,
        /// Number of its obligations, which all hold.
        obligations: usize,
    },
    /// It was not written, for this reason.
    Refused(String),
    /// The lemmas are wrong.
    InternalError(String),
}

/// The answers about the claims of a model.
#[derive(Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// The isolate of it that is meant, if it is not the whole program.
    pub isolate: Option<&'a str>,
    /// Its source texts.
    pub sources: &'a Sources,
    /// Whether executions are shown in full.
    pub is_full: bool,
    /// What was found; `None` if nothing was asked.
    pub found: Option<Found<'a>>,
}

/// What was found about the claims of a model.
#[derive(Debug)]
pub struct Found<'a> {
    /// The model.
    pub system: &'a System,
    /// The claims that were asked about, in the order of the model.
    pub answers: Vec<Answered>,
    /// Whether all claims of the model are proved. Each proof assumes all of them of the past.
    pub is_joint: bool,
    /// What became of the model with the lemmas.
    pub lifting: Option<Lifting>,
}

impl Render for Report<'_> {
    type Content = McContent;

    fn verdict(&self) -> Option<Verdict> {
        let found = self.found.as_ref()?;
        let lifting = match &found.lifting {
            None | Some(Lifting::Written { .. }) => Verdict::Ok,
            Some(Lifting::Refused(_)) => Verdict::Unknown,
            Some(Lifting::InternalError(_)) => Verdict::InternalError,
        };
        Some(found.answers.iter().map(|it| found.outcome(it).into()).fold(lifting, Verdict::max))
    }

    fn text(&self, shown: Shown) -> String {
        let Some(found) = &self.found else { return String::new() };
        let mut text = String::new();
        if !shown.quiet {
            let _ = writeln!(text, "{}", shown.palette.bold(self.path));
        }
        text + &self.claims_text(found, shown) + &self.lifting_text(found, shown)
    }

    fn entries(&self, shown: Shown) -> Vec<Entry> {
        let Some(found) = &self.found else { return Vec::new() };
        let (path, isolate, system, sources) = (self.path, self.isolate, found.system, self.sources);
        let (numbers, negative) = (&Numbers::new(system), shown.negative);
        let context = Context { path, isolate, system, numbers, sources, negative };
        let entry = |it: &Answered| {
            let mut finding = of_abstraction(system, &it.answer, found.is_joint);
            if finding.primary.is_none() {
                let span = finding.answer.as_ref().and_then(|answer| answer.claim.span);
                finding.primary = span.map(|span| Label { span, text: String::new() });
            }
            Entry::of_claim(&finding, context)
        };
        found.answers.iter().map(entry).collect()
    }

    fn content(&self, shown: Shown) -> McContent {
        let mut content = McContent { path: self.path.to_owned(), ..McContent::default() };
        if let Some(found) = &self.found {
            content.answers = self.answer_dtos(found, shown.stats);
            content.invariant = match &found.lifting {
                Some(Lifting::Written { invariant, .. }) => Some(invariant.clone()),
                _ => None,
            };
        }
        content
    }
}

impl Found<'_> {
    /// Returns the outcome about a claim.
    pub fn outcome(&self, answered: &Answered) -> McOutcome {
        McOutcome::new(&answered.answer.outcome, self.is_joint)
    }
}

impl Report<'_> {
    /// Returns the lines of the claims.
    pub(crate) fn claims_text(&self, found: &Found<'_>, shown: Shown) -> String {
        found.answers.iter().map(|it| self.answered_text(found, it, shown)).collect()
    }

    /// Returns the answers as data of a document.
    pub(crate) fn answer_dtos(&self, found: &Found<'_>, with_stats: bool) -> Vec<McAnswer> {
        let numbers = Numbers::new(found.system);
        found.answers.iter().map(|it| self.answer_dto((found, &numbers), it, with_stats)).collect()
    }

    fn answered_text(&self, found: &Found<'_>, answered: &Answered, shown: Shown) -> String {
        let Answered { answer, suggestions, circuit } = answered;
        let is_told = !shown.quiet || found.outcome(answered) != McOutcome::Proved;
        let mut text = String::new();
        if is_told {
            text.push_str(&answer_text(found.system, answer, found.is_joint, shown.palette));
        }
        if shown.stats {
            for (label, value) in answer.stats.printed() {
                let _ = writeln!(text, "    {label:<12} {value}");
            }
        }
        match &answer.outcome {
            Outcome::InternalError(what) => {
                text.push_str(&internal_error_text(what, self.sources, shown.palette));
            }
            Outcome::Violated(execution) => {
                text.push_str(&self.execution_text(found.system, answer, execution, shown));
            }
            Outcome::Safe { schemata, .. } => {
                for &schema in schemata {
                    let (name, line) = (&self.sources[schema.file].name, line(self.sources, schema));
                    let _ =
                        writeln!(text, "    {name}:{line}: the axioms do not imply what this schema says");
                }
            }
            Outcome::Unknown(_) | Outcome::Refused(_) => {}
        }
        if is_told {
            text.push_str(&suggestions_text(answer, suggestions));
        }
        if let Some((path, bytes)) = circuit.as_ref().filter(|_| !shown.quiet) {
            let _ = writeln!(text, "  circuit {path}: {bytes} bytes");
        }
        text
    }

    /// Returns the execution of the model that violates a claim, or else that of the abstraction.
    fn execution_text(
        &self,
        system: &System,
        answer: &Answer,
        execution: &Execution,
        shown: Shown,
    ) -> String {
        let (full, palette) = (self.is_full, shown.palette);
        let Some(violation) = answer.violation() else {
            let execution = (answer.property, execution);
            let text = |it: &Abstraction| summary::execution_text(system, it, execution, full, palette);
            return answer.abstraction.as_deref().map(text).unwrap_or_default();
        };
        // What comes before the first state is told as it was executed.
        let is_whole = full || answer.property.is_before_init(system);
        let text = if is_whole { violation_text } else { summary::violation_text };
        text(self.scene(system, palette), steps(system, violation), violation)
    }

    fn lifting_text(&self, found: &Found<'_>, shown: Shown) -> String {
        match &found.lifting {
            Some(Lifting::Written { invariant, obligations }) if !shown.quiet => {
                let McInvariant { path, lemmas, certificate } = invariant;
                let certificate = certificate.as_ref().map_or(String::new(), Certificate::text);
                let count = lemmas.len();
                let noun = if count == 1 { "lemma" } else { "lemmas" };
                format!(
                    "  invariant {path}: {count} {noun}, verified in {obligations} obligations\n{certificate}"
                )
            }
            None | Some(Lifting::Written { .. }) => String::new(),
            Some(Lifting::Refused(why)) => format!("  {why}\n"),
            Some(Lifting::InternalError(what)) => internal_error_text(what, self.sources, shown.palette),
        }
    }

    fn scene<'s>(&'s self, system: &'s System, palette: Palette) -> Scene<'s> {
        let style = TraceStyle { palette, negative: false, sources: Some(self.sources) };
        Scene { system, sources: self.sources, formula: None, style }
    }

    fn answer_dto(
        &self,
        (found, numbers): (&Found<'_>, &Numbers),
        answered: &Answered,
        with_stats: bool,
    ) -> McAnswer {
        let Answered { answer, suggestions, .. } = answered;
        let system = found.system;
        let finding = of_abstraction(system, answer, found.is_joint);
        let abstraction = answer.abstraction.as_deref();
        let (clauses, execution) = match &answer.outcome {
            Outcome::Safe { clauses, .. } => (Some(*clauses), None),
            Outcome::Violated(execution) => (None, abstraction.map(|it| step_dtos(system, it, execution))),
            _ => (None, None),
        };
        let stats = || answer.stats.printed().map(|(label, value)| (label.to_owned(), value)).collect();
        McAnswer {
            property: property_dto((system, numbers), Target::Model(answer.property), self.sources, None),
            circuit: abstraction.map(|it| (&it.circuit).into()),
            outcome: found.outcome(answered),
            reason: finding.answer.and_then(|it| it.reason),
            clauses,
            execution,
            violation: answer.violation().and_then(|violation| {
                violation_dto(self.scene(system, Palette::PLAIN), steps(system, violation), violation)
            }),
            suggestions: suggestion_dtos(answer, suggestions),
            stats: with_stats.then(stats),
        }
    }
}

/// Returns the states of an execution of an abstraction, each as what changes in it.
fn step_dtos(system: &System, abstraction: &Abstraction, execution: &Execution) -> Vec<McStep> {
    let last = execution.steps.len().saturating_sub(1);
    let steps = execution.steps.iter().zip(changes(&execution.steps)).enumerate();
    let steps = steps.map(|(index, (step, facts))| McStep {
        facts: facts.into_iter().map(|(term, known)| fact_text(abstraction, term, known)).collect(),
        transition: step_text(system, abstraction, step).filter(|_| index < last),
    });
    steps.collect()
}

/// Returns the line of an answer. `is_joint` tells that all claims that were assumed are proved.
fn answer_text(system: &System, answer: &Answer, is_joint: bool, palette: Palette) -> String {
    let claim = Claim::of_target(system, Target::Model(answer.property), None);
    let name = claim.name.unwrap_or(&claim.label);
    let size = answer.abstraction.as_ref().map(|it| {
        let circuit = &it.circuit;
        let (latches, inputs, gates) = (circuit.latches().len(), circuit.num_inputs(), circuit.num_gates());
        format!("  {latches} latches, {inputs} inputs, {gates} gates")
    });
    let what = match &answer.outcome {
        Outcome::Safe { clauses, schemata, .. } if !schemata.is_empty() => {
            let holds = palette.caution("holds where schemata are true that `verify` does not assume");
            format!("{holds} ({})", invariant_text(*clauses))
        }
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
fn suggestions_text(answer: &Answer, suggestions: &[Suggestion]) -> String {
    let is_proved = matches!(answer.outcome, Outcome::Safe { .. });
    let lines = suggestions.iter().map(|it| match &it.proved {
        _ if is_proved => format!("  with `proof {}` after the claim\n", it.proof),
        Some((_, outcome)) if outcome.is_safe() => {
            format!("  suggestion: `proof {}` proves it as long as the other claims hold\n", it.proof)
        }
        _ => format!("  suggestion: `proof {}` excludes this execution\n", it.proof),
    });
    lines.collect()
}

/// Converts suggestions to JSON data.
fn suggestion_dtos(answer: &Answer, suggestions: &[Suggestion]) -> Vec<McSuggestion> {
    let is_proved = answer.outcome.is_safe();
    let one = |it: &Suggestion| McSuggestion {
        proof: format!("proof {}", it.proof),
        proves: is_proved || it.proved.as_ref().is_some_and(|(_, outcome)| outcome.is_safe()),
    };
    suggestions.iter().map(one).collect()
}

fn invariant_text(clauses: usize) -> String {
    format!("an invariant of {clauses} {}", if clauses == 1 { "clause" } else { "clauses" })
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
    let params = transition.params.iter().zip(&step.args).map(|(&param, known)| {
        let name = &system.terms.var_info(param).name;
        let value = match known {
            Known::Truth(value) => value.to_string(),
            Known::Is(constant) => {
                Pretty::new(abstraction.terms.over(&abstraction.sig), *constant).to_string()
            }
            Known::Other => "?".to_owned(),
        };
        format!("{name} = {value}")
    });
    let params: Vec<String> = params.collect();
    Some(match params.is_empty() {
        true => transition.name.clone(),
        false => format!("{}({})", transition.name, params.join(", ")),
    })
}

/// Returns for each state what is true in the first one, and what changes in the others.
fn changes(steps: &[Step]) -> Vec<Vec<(TermId, Known)>> {
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
