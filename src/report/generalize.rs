//! Diagrams and generalizations: verdict, text and data of the documents.

use std::fmt::Write as _;

use super::finding::origin_text;
use super::finding::{Claim, Known, Question, Refutation, Status};
use super::json;
use super::json::generalize::{
    ConjectureContent, ConjectureDto, DiagramContent, InductionDto, ObligationDto, RefutedDto, SuggestionDto,
    TakenBack,
};
use super::render::{Render, Shown};
use super::trace::{TraceStyle, counterexample_text};
use super::{Palette, Verdict, unknown};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::logic::{Elem, Node, Signature, SortId, element_name};
use ramsey_core::system::System;
use ramsey_engine::conjectures::Candidate;
use ramsey_engine::query::Outcome;
use ramsey_engine::query::generalize::{Conjecture, Generalization, InductionCheck};
use ramsey_kernel::obligations::Origin;
use ramsey_solver::ask::Failure;
use ramsey_solver::formulas::{ElementNames, fact_text};
use ramsey_solver::formulas::{Fact, Partial, Pretty};

/// Returns the diagram of a partial structure, one literal per line. Variables are named after the elements.
fn diagram_text(system: &System, names: &ElementNames, partial: &Partial) -> String {
    let mut terms = system.terms.clone();
    // Distinctness literals come first, as in the definition.
    let mut partial = partial.clone();
    partial.facts.sort_by_key(|fact| fact.symbol().is_some());
    let diagram = partial.diagram(terms.over_mut(&system.sig), variable_names(&system.sig, names));
    let Node::Exists(vars, body) = terms.node(diagram) else {
        return format!("{}\n", Pretty::new(terms.over(&system.sig), diagram));
    };
    let vars: Vec<String> = terms
        .bound_vars(vars)
        .map(|var| {
            let info = terms.var_info(var);
            format!("{}:{}", info.name, system.sig.sorts[info.sort].name)
        })
        .collect();
    let literals: Vec<String> = terms
        .conjuncts(body)
        .into_iter()
        .map(|literal| format!("  {}", Pretty::new(terms.over(&system.sig), literal)))
        .collect();
    format!("exists {}.\n{}\n", vars.join(", "), literals.join(" &\n"))
}

/// Returns the naming of variables: the element's name if it is an identifier and not the name of a symbol or sort.
fn variable_names<'a>(sig: &'a Signature, names: &'a ElementNames) -> impl Fn(SortId, Elem) -> String + 'a {
    move |sort, elem| {
        let name = names.get(sort).and_then(|of_sort| of_sort.get(elem as usize));
        let is_identifier = |name: &&String| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !sig.symbols.iter().any(|symbol| symbol.name == **name)
                && !sig.sorts.iter().any(|sort| sort.name == **name)
        };
        let name = name.filter(is_identifier);
        name.cloned().unwrap_or_else(|| element_name(sig, sort, elem).to_uppercase())
    }
}

/// The answer of `ramsey diagram`.
#[derive(Clone, Copy, Debug)]
pub struct DiagramReport<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Number of the state.
    pub state: usize,
    /// The model, the names of the elements and the selected facts; `None` if there were errors.
    pub found: Option<(&'a System, &'a ElementNames, &'a Partial)>,
}

impl Render for DiagramReport<'_> {
    type Content = DiagramContent;

    fn verdict(&self) -> Option<Verdict> {
        Some(Verdict::Ok)
    }

    fn text(&self, _: Shown) -> String {
        self.found.map_or(String::new(), |(system, names, partial)| diagram_text(system, names, partial))
    }

    fn content(&self, _: Shown) -> DiagramContent {
        let (model, state) = (self.path.to_owned(), self.state);
        let mut content = DiagramContent { model, state, ..DiagramContent::default() };
        let Some((system, names, partial)) = self.found else { return content };
        let mut terms = system.terms.clone();
        let diagram = partial.diagram(terms.over_mut(&system.sig), variable_names(&system.sig, names));
        let conjecture = partial.conjecture(terms.over_mut(&system.sig));
        let text = |formula| Some(Pretty::new(terms.over(&system.sig), formula).to_string());
        content.facts = partial.facts.iter().map(|fact| fact_text(&system.sig, names, fact)).collect();
        content.diagram = text(diagram);
        content.conjecture = text(conjecture);
        content
    }
}

/// Returns the formula of a conjecture in the syntax of its model.
pub fn conjecture_formula(conjecture: &Conjecture) -> String {
    Pretty::new(conjecture.system.syntax(), conjecture.formula).to_string()
}

/// The answer of `ramsey generalize`.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Its source texts.
    pub sources: &'a Sources,
    /// Number of steps that were to be checked.
    pub bound: u16,
    /// What was found; `None` if nothing was asked.
    pub found: Option<Found<'a>>,
}

impl Render for Report<'_> {
    type Content = ConjectureContent;

    fn verdict(&self) -> Option<Verdict> {
        let Some(found) = self.found else { return Some(Verdict::Ok) };
        let suggested = match found.suggested {
            None | Some(Ok(_)) => Verdict::Ok,
            Some(Err(Failure::Exhausted(_))) => Verdict::Unknown,
            Some(Err(Failure::Internal(_) | Failure::Misuse(_))) => Verdict::InternalError,
        };
        Some(verdict(found.answer, found.induction).max(suggested))
    }

    fn exhausted(&self) -> Vec<Exhausted> {
        let Some(Found { answer, induction, suggested, .. }) = self.found else { return Vec::new() };
        let suggested = match suggested {
            Some(Err(Failure::Exhausted(exhausted))) => Some(*exhausted),
            _ => None,
        };
        let generalized = match answer {
            Generalization::Unknown(exhausted) => Some(*exhausted),
            Generalization::Conjecture(found) => found.exhausted,
            _ => None,
        };
        let outcomes = induction.into_iter().flat_map(|it| &it.obligations).map(|(_, outcome)| outcome);
        generalized.into_iter().chain(unknown::reasons(outcomes)).chain(suggested).collect()
    }

    fn text(&self, shown: Shown) -> String {
        let style = TraceStyle { sources: Some(self.sources), ..shown.into() };
        self.found.map_or(String::new(), |found| found_text(&found, self.path, style))
    }

    fn content(&self, shown: Shown) -> ConjectureContent {
        conjecture_content(self, shown.negative)
    }
}

/// Input and result of a generalization.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The model.
    pub system: &'a System,
    /// Names of the elements in the document of the state.
    pub names: &'a ElementNames,
    /// Upper bound of the generalization.
    pub upper: &'a Partial,
    /// Result of the generalization.
    pub answer: &'a Generalization,
    /// Result of the induction check, if requested.
    pub induction: Option<&'a InductionCheck>,
    /// Other conjectures that exclude the state, the best first, if requested.
    pub suggested: Option<&'a Result<Vec<Candidate>, Failure>>,
    /// Name under which the conjecture was added to the model.
    pub added: Option<&'a str>,
    /// Name of the claim of the model that the conjecture would only repeat, so that it was not added.
    pub present: Option<&'a str>,
    /// Path of the document with the known state of [`Generalization::Known`].
    pub known: Option<&'a str>,
    /// Invariants that are false one step after the state, which is reached.
    pub refuted: &'a [usize],
    /// Those that were taken out of the model.
    pub removed: &'a [usize],
    /// The line about the certificate, if one was written.
    pub certificate: Option<&'a str>,
}

/// Returns the input and result as text.
fn found_text(report: &Found<'_>, model: &str, style: TraceStyle) -> String {
    let palette = style.palette;
    let mut text = String::new();
    match report.answer {
        Generalization::Conjecture(conjecture) => {
            let within = steps_text(conjecture.bound);
            let heading = format!("conjecture, true in all states that are reached in at most {within}:");
            let _ = writeln!(
                text,
                "{}\n  {}",
                palette.bold(&heading),
                palette.good(&conjecture_formula(conjecture))
            );
            let facts = facts_text(report, &conjecture.partial);
            let heading = "it excludes every state that contains:";
            let _ = writeln!(text, "{}\n{facts}", palette.bold(heading));
            for (steps, fact) in &conjecture.taken_back {
                let fact = fact_text(&report.system.sig, report.names, fact);
                let within = steps_text(*steps);
                let _ = writeln!(
                    text,
                    "taken back, since without it such a state is reached in {within}: {fact}"
                );
            }
            if !conjecture.is_minimal {
                let _ = writeln!(
                    text,
                    "{}",
                    palette.caution("a limit was reached: there may be fewer facts that suffice")
                );
            }
        }
        Generalization::Reachable(found, system) => {
            let steps = steps_text(found.calls.len() as u16);
            let heading = format!("a state with these facts is reached in {steps}:");
            let _ = writeln!(text, "{}", palette.bad(&heading));
            text.push_str(&counterexample_text(system, found, style));
        }
        Generalization::Known(_) => {
            let path = report.known.unwrap_or_default();
            let heading = format!("a state with these facts is reached: it is in `{path}`");
            let _ = writeln!(text, "{}", palette.bad(&heading));
        }
        Generalization::Unknown(exhausted) => {
            let _ = writeln!(text, "{}", palette.caution(&format!("unknown ({exhausted})")));
        }
        Generalization::InternalError(what) => {
            let _ = writeln!(text, "{}: {what}", palette.bad("INTERNAL ERROR"));
        }
    }
    text.push_str(report.certificate.unwrap_or_default());
    text.push_str(&refuted_text(report, model, palette));
    if let Some(induction) = report.induction {
        text.push_str(&induction_text(report.system, induction, palette));
    }
    text.push_str(&suggested_text(report, palette));
    if let Some(name) = report.added {
        let _ = writeln!(text, "added to {model} as `{name}`");
    }
    if let Some(name) = report.present {
        let _ = writeln!(text, "not added: it is in {model} already, as `{name}`");
    }
    text
}

/// Returns other conjectures, each with what is known of it.
fn suggested_text(report: &Found<'_>, palette: Palette) -> String {
    let all = match report.suggested {
        None => return String::new(),
        Some(Ok(all)) => all,
        Some(Err(failure)) => {
            let reason = failure_text(failure);
            return format!("{}\n", palette.caution(&format!("no suggestions: unknown ({reason})")));
        }
    };
    let mut text = format!("{}\n", palette.bold("suggestions, the best first:"));
    for Candidate { formula, bound, inductive, .. } in all {
        let inductive = if *inductive { ", inductive together with the invariants" } else { "" };
        let _ = writeln!(text, "  {formula}\n    true in at most {}{inductive}", steps_text(*bound));
    }
    text
}

fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Exhausted(exhausted) => exhausted.to_string(),
        Failure::Internal(what) | Failure::Misuse(what) => what.clone(),
    }
}

/// Returns what follows for invariants if the state before the transition of a counterexample to induction is reached.
fn refuted_text(report: &Found<'_>, model: &str, palette: Palette) -> String {
    let mut text = String::new();
    for &index in report.refuted {
        let invariant = &report.system.invariants[index];
        let (label, is_safety) = (&invariant.label, invariant.is_safety);
        // The reached state may have more elements.
        let what = format!(
            "one step after the given state `{label}` is false: no inductive invariant that is universally \
             quantified contains it"
        );
        let _ = writeln!(text, "{}", palette.bold(&what));
        let _ = match (report.removed.contains(&index), is_safety) {
            (true, _) => writeln!(text, "`{label}` is a comment in {model} from now on"),
            (false, true) => {
                writeln!(text, "change the model or `{label}`, or find an invariant with `exists`")
            }
            (false, false) => writeln!(text, "remove it or weaken it"),
        };
    }
    text
}

fn steps_text(steps: u16) -> String {
    if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") }
}

fn facts_text(report: &Found<'_>, partial: &Partial) -> String {
    let line = |fact: &Fact| format!("  {}", fact_text(&report.system.sig, report.names, fact));
    let lines: Vec<String> = partial.facts.iter().map(line).collect();
    lines.join("\n")
}

fn induction_text(system: &System, induction: &InductionCheck, palette: Palette) -> String {
    let heading = match induction.is_inductive() {
        Some(true) => "it is inductive together with the invariants:",
        Some(false) => "it is not inductive together with the invariants:",
        None => "it is not known whether it is inductive together with the invariants:",
    };
    let mut text = format!("{}\n", palette.bold(heading));
    for (origin, outcome) in &induction.obligations {
        let word = Status::of(outcome).word();
        let word =
            if matches!(outcome, Outcome::Holds { .. }) { palette.good(word) } else { palette.bad(word) };
        let _ = writeln!(text, "  {}  {word}", part_text(system, *origin));
    }
    text
}

/// Returns the verdict of a generalization. A conjecture that is not inductive counts as an answer like any other.
fn verdict(answer: &Generalization, induction: Option<&InductionCheck>) -> Verdict {
    let answer = match answer {
        Generalization::Conjecture(_) => Verdict::Ok,
        Generalization::Reachable(..) | Generalization::Known(_) => Verdict::Counterexample,
        Generalization::Unknown(_) => Verdict::Unknown,
        Generalization::InternalError(_) => Verdict::InternalError,
    };
    let statuses = induction.into_iter().flat_map(|it| &it.obligations).map(|(_, it)| Status::of(it));
    statuses.filter(|it| *it != Status::Violated).map(Verdict::from).fold(answer, Verdict::max)
}

/// Returns the part of the model that leads to the states of an obligation's claim.
fn part_text(system: &System, origin: Origin) -> String {
    match Claim::of_origin(system, origin) {
        Claim { question: Question::Initiation, .. } => "init".to_owned(),
        Claim { transition: Some(transition), .. } => format!("transition {transition}"),
        _ => origin_text(system, origin),
    }
}

/// Returns the data of the document of a generalization.
fn conjecture_content(report: &Report<'_>, negative: bool) -> ConjectureContent {
    let sources = report.sources;
    let mut content = ConjectureContent {
        model: report.path.to_owned(),
        bound: report.bound,
        ..ConjectureContent::default()
    };
    let Some(report) = &report.found else { return content };
    let facts = |partial: &Partial| -> Vec<String> {
        partial.facts.iter().map(|fact| fact_text(&report.system.sig, report.names, fact)).collect()
    };
    content.upper_bound = facts(report.upper);
    match report.answer {
        Generalization::Conjecture(found) => {
            content.conjecture = Some(ConjectureDto {
                formula: conjecture_formula(found),
                facts: facts(&found.partial),
                minimal: found.is_minimal,
                taken_back: found
                    .taken_back
                    .iter()
                    .map(|(steps, fact)| TakenBack {
                        steps: *steps,
                        fact: fact_text(&report.system.sig, report.names, fact),
                    })
                    .collect(),
            });
            content.bound = found.bound;
        }
        Generalization::Reachable(found, system) => {
            let known = Known { is_initial: true, ..Known::default() };
            let refutation = Refutation { system, syntax: system.syntax(), found, known };
            content.counterexample = Some(json::counterexample(refutation, sources, negative));
        }
        Generalization::Known(_) => {
            content.reason = report.known.map(|path| format!("a state with these facts is in `{path}`"));
        }
        Generalization::Unknown(exhausted) => content.reason = Some(exhausted.to_string()),
        Generalization::InternalError(what) => content.reason = Some(what.clone()),
    }
    content.induction = report.induction.map(|induction| InductionDto {
        inductive: induction.is_inductive(),
        obligations: induction
            .obligations
            .iter()
            .map(|(origin, outcome)| {
                let claim = Claim::of_origin(report.system, *origin);
                ObligationDto {
                    kind: claim.question,
                    transition: claim.transition.map(str::to_owned),
                    outcome: Status::of(outcome),
                }
            })
            .collect(),
    });
    if let Some(Ok(all)) = report.suggested {
        let suggestion = |it: &Candidate| SuggestionDto {
            formula: it.formula.clone(),
            facts: facts(&it.partial),
            bound: it.bound,
            inductive: it.inductive,
        };
        content.suggestions = all.iter().map(suggestion).collect();
    }
    let refuted = |&index: &usize| RefutedDto {
        invariant: report.system.invariants[index].label.clone(),
        removed: report.removed.contains(&index),
    };
    content.refuted = report.refuted.iter().map(refuted).collect();
    content.added = report.added.map(str::to_owned);
    content.present = report.present.map(str::to_owned);
    content
}
