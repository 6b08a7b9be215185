//! Answers about finite instances: verdict, text and data of the document, and the graph of their states.

use std::fmt::Write as _;

use super::bmc::{Scene, heading_text, internal_error_text, property_dto, violation_dto, violation_text};
use super::finding::{Claim, Numbers, Status, of_target, of_violation};
use super::json::instance::{
    CircuitSize, FactValue, Fixed, FixedBy, InstanceContent, InvariantSize, Size, States,
};
use super::outcome::{InstanceOutcome, Vacuous};
use super::picture::escape;
use super::render::{Render, Shown};
use super::results::{Context, Entry};
use super::trace::TraceStyle;
use super::{Palette, Verdict};
use ramsey_circuit::finite::{Atom, Break, Instance, Refusal, Sizes};
use ramsey_circuit::hwmc;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::logic::{SortId, Structure, SymId, SymbolKind, element_name};
use ramsey_core::system::System;
use ramsey_engine::query::Call;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::instance::{Check, Graph, Outcome};

/// The answer about an instance of a model.
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// What was found; `None` if nothing was asked.
    pub found: Option<Found<'a>>,
}

impl Render for Report<'_> {
    type Content = InstanceContent;

    fn verdict(&self) -> Option<Verdict> {
        self.found.as_ref().map(Found::verdict)
    }

    fn text(&self, shown: Shown) -> String {
        self.found.as_ref().map_or(String::new(), |found| found.text(self.path, shown))
    }

    fn entries(&self, shown: Shown) -> Vec<Entry> {
        self.found.as_ref().map_or(Vec::new(), |found| found.entries(self.path, shown))
    }

    fn content(&self, shown: Shown) -> InstanceContent {
        let content = self.found.as_ref().map(|found| found.content(shown));
        InstanceContent { path: self.path.to_owned(), ..content.unwrap_or_default() }
    }
}

/// What was found about an instance.
pub struct Found<'a> {
    /// What is told of it.
    pub told: Told,
    /// The model.
    pub system: &'a System,
    /// Its source texts.
    pub sources: &'a Sources,
    /// Place of a formula of the command line.
    pub formula: Option<Span>,
    /// Properties that are checked in every state.
    pub targets: &'a [Target],
    /// The number of elements of each sort.
    pub sizes: &'a Sizes,
    /// The instance, or why there is none.
    pub instance: Result<&'a Instance, Refusal>,
    /// The answer; `None` without an instance, and if no structure of these sizes satisfies the axioms.
    pub check: Option<Check>,
    /// Whether the properties hold because no state is initial.
    pub is_unreachable: bool,
    /// The file with the circuit and its size in bytes, if it was written.
    pub circuit: Option<(String, usize)>,
    /// What became of the certificate, if one was asked for.
    pub certificate: Option<Certified>,
    /// The reachable states and whether they are all, if they were asked for.
    pub states: Option<Result<(Graph, bool), Exhausted>>,
}

/// What became of a certificate.
#[derive(Debug)]
pub struct Certified {
    /// The line about it.
    pub line: String,
    /// Its part of the verdict.
    pub verdict: Verdict,
}

/// What is told of an instance beside the answer.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// The variables of states.
    pub variables: bool,
    /// The clauses of the invariant.
    pub invariant: bool,
    /// Whether states that differ in the names of elements alone count once.
    pub up_to_isomorphism: bool,
}

impl Found<'_> {
    /// Returns the outcome, if there is an answer about the model.
    fn outcome(&self) -> Option<InstanceOutcome> {
        match &self.instance {
            Ok(_) => self.check.as_ref().map(|check| (&check.outcome).into()),
            Err(Refusal::NoElement(_)) => None,
            Err(Refusal::TooLarge(_) | Refusal::Exhausted(..)) => Some(InstanceOutcome::Unknown),
            Err(Refusal::Unexpected(_)) => Some(InstanceOutcome::InternalError),
        }
    }

    fn verdict(&self) -> Verdict {
        let answer = self.outcome().map_or(Verdict::BadInput, Verdict::from);
        let certificate = self.certificate.as_ref().map_or(Verdict::Ok, |it| it.verdict);
        let states = match self.states {
            None | Some(Ok((_, true))) => Verdict::Ok,
            Some(Ok((_, false)) | Err(_)) => Verdict::Unknown,
        };
        answer.max(certificate).max(states)
    }

    /// Returns the proof that was found.
    fn proof(&self) -> Option<&hwmc::Proof> {
        match self.check.as_ref()?.circuit.as_ref()? {
            hwmc::Outcome::Safe(proof) => Some(proof),
            _ => None,
        }
    }

    /// Returns the clauses of the invariant that was found, as facts of the model.
    fn clauses(&self) -> Vec<Vec<FactValue>> {
        let (Some(proof), Ok(instance)) = (self.proof(), &self.instance) else { return Vec::new() };
        let sig = &self.system.sig;
        let fact = |(atom, value): (Atom, bool)| FactValue { fact: atom.display(sig).to_string(), value };
        let clauses = proof.invariant.iter().filter_map(|clause| instance.clause(clause));
        let mut clauses: Vec<Vec<FactValue>> =
            clauses.map(|clause| clause.into_iter().map(fact).collect()).collect();
        clauses.sort_by_key(|clause| clause.iter().map(|it| (it.fact.clone(), it.value)).collect::<Vec<_>>());
        clauses
    }

    fn scene(&self, shown: Shown) -> Scene<'_> {
        let style = TraceStyle { sources: Some(self.sources), ..shown.into() };
        Scene { system: self.system, sources: self.sources, formula: self.formula, style }
    }

    fn entries(&self, path: &str, shown: Shown) -> Vec<Entry> {
        let (system, sources) = (self.system, self.sources);
        let (numbers, negative) = (&Numbers::new(system), shown.negative);
        let context = Context { path, isolate: None, system, numbers, sources, negative };
        let sizes: Vec<String> =
            self.size_dtos().iter().map(|it| format!("{}={}", it.sort, it.size)).collect();
        let execution = format!("execution with {}", sizes.join(", "));
        let outcome = self.check.as_ref().map(|check| &check.outcome);
        let reason = match outcome {
            Some(Outcome::Unknown { exhausted, .. }) => Some(exhausted.to_string()),
            Some(Outcome::InternalError(what)) => Some(what.clone()),
            _ => self.instance.as_ref().err().map(ToString::to_string),
        };
        let entry = |target: &Target| {
            let status = match outcome {
                Some(Outcome::Violated(violation, is_before)) if violation.target == *target => {
                    let steps = steps(&violation.counterexample.calls, *is_before);
                    return Entry::of_claim(&of_violation(system, self.formula, steps, violation), context);
                }
                Some(Outcome::Violated(..)) => Status::Skipped,
                _ => self.outcome().map_or(Status::Skipped, InstanceOutcome::status),
            };
            let claim = Claim::of_target(system, *target, self.formula);
            Entry::of_claim(&of_target(claim, status, (&execution, None), reason.clone()), context)
        };
        self.targets.iter().map(entry).collect()
    }

    fn text(&self, path: &str, shown: Shown) -> String {
        // What is wrong is told in any case.
        let parts = [
            (false, heading_text(path, self.system, self.targets, shown.palette)),
            (true, self.refusal_text()),
            (false, self.instance.as_ref().map_or(String::new(), |it| self.instance_text(it))),
            (false, self.outcome_text(shown.palette)),
            (true, self.unreachable_text()),
            (false, self.proof_text(shown)),
            (true, self.violation_text(shown)),
            (false, self.files_text()),
            (true, self.states_text(shown)),
        ];
        parts.into_iter().filter(|(is_wrong, _)| *is_wrong || !shown.quiet).map(|(_, text)| text).collect()
    }

    fn refusal_text(&self) -> String {
        self.instance.as_ref().err().map_or(String::new(), |refusal| format!("  no answer: {refusal}\n"))
    }

    fn instance_text(&self, instance: &Instance) -> String {
        let CircuitSize { latches, inputs, gates, .. } = instance.circuit().into();
        let sizes: Vec<String> =
            self.size_dtos().iter().map(|it| format!("{}={}", it.sort, it.size)).collect();
        let mut text = format!("  {}: {latches} latches, {inputs} inputs, {gates} gates\n", sizes.join(" "));
        if !self.told.variables {
            return text;
        }
        for Fixed { sort, kind, symbols } in fixed(instance) {
            let what = if kind == FixedBy::Order { "ordered by" } else { "numbered by" };
            let _ = writeln!(text, "  {sort} {what} {}", symbols.join(", "));
        }
        for FactValue { fact, value } in facts_of(instance) {
            let _ = writeln!(text, "  {fact} is {value}");
        }
        for name in variables(instance) {
            let _ = writeln!(text, "  variable {name}");
        }
        text
    }

    fn outcome_text(&self, palette: Palette) -> String {
        let proof = self.proof().map(|it| (it.invariant.len(), it.induction));
        self.check.as_ref().map_or(String::new(), |it| outcome_text(&it.outcome, proof, palette))
    }

    fn unreachable_text(&self) -> String {
        let text = "  nothing is reachable: no state of these sizes is initial\n";
        if self.is_unreachable { text.to_owned() } else { String::new() }
    }

    /// Returns the cost and the clauses of the invariant.
    fn proof_text(&self, shown: Shown) -> String {
        let mut text = String::new();
        let Some(check) = &self.check else { return text };
        if shown.stats {
            for (label, value) in check.stats.printed() {
                let _ = writeln!(text, "  {label:<12} {value}");
            }
        }
        if self.told.invariant && matches!(check.outcome, Outcome::Safe) {
            for clause in self.clauses() {
                let clause = clause_text(clause.iter().map(|it| (it.fact.as_str(), it.value)));
                let _ = writeln!(text, "    {clause}");
            }
        }
        text
    }

    fn violation_text(&self, shown: Shown) -> String {
        match self.check.as_ref().map(|check| &check.outcome) {
            Some(Outcome::Violated(violation, is_before)) => {
                let steps = steps(&violation.counterexample.calls, *is_before);
                format!("\n{}", violation_text(self.scene(shown), steps, violation))
            }
            Some(Outcome::InternalError(what)) => internal_error_text(what, self.sources, shown.palette),
            _ => String::new(),
        }
    }

    fn files_text(&self) -> String {
        let mut text = String::new();
        if let Some((path, bytes)) = &self.circuit {
            let _ = writeln!(text, "  circuit {path}: {bytes} bytes");
        }
        if let Some(Certified { line, .. }) = &self.certificate {
            let _ = writeln!(text, "  {line}");
        }
        text
    }

    fn states_text(&self, shown: Shown) -> String {
        match &self.states {
            Some(Ok((graph, is_complete))) if !shown.quiet => {
                states_text(graph, *is_complete, self.told.up_to_isomorphism)
            }
            None | Some(Ok(_)) => String::new(),
            Some(Err(exhausted)) => format!("  states not counted: {exhausted}\n"),
        }
    }

    fn size_dtos(&self) -> Vec<Size> {
        let sig = &self.system.sig;
        let of = |sort: SortId| Size { sort: sig.sorts[sort].name.clone(), size: self.sizes[sort] };
        sig.uninterpreted_sorts().map(of).collect()
    }

    fn content(&self, shown: Shown) -> InstanceContent {
        let claims = (self.system, &Numbers::new(self.system));
        let property = |&target| property_dto(claims, target, self.sources, self.formula);
        let instance = self.instance.as_ref().ok();
        let variables = instance.filter(|_| self.told.variables).map(|it| (variables(it), facts_of(it)));
        let (variables, facts) = variables.unzip();
        let mut content = InstanceContent {
            sizes: self.size_dtos(),
            properties: self.targets.iter().map(property).collect(),
            circuit: instance.map(|it| it.circuit().into()),
            symmetry: instance.map_or(Vec::new(), |it| fixed(it)),
            vacuous: match (&self.instance, &self.check) {
                (Ok(_), None) => Some(Vacuous::Axioms),
                _ => self.is_unreachable.then_some(Vacuous::InitialStates),
            },
            outcome: self.outcome(),
            reason: self.instance.as_ref().err().map(ToString::to_string),
            states: self.states.as_ref().and_then(|it| it.as_ref().ok()).map(|it| states_dto(it, self.told)),
            variables,
            facts,
            certificate: self.certificate.as_ref().map(|it| it.line.clone()),
            ..InstanceContent::default()
        };
        if let Some(check) = &self.check {
            let stats = || check.stats.printed().map(|(label, value)| (label.to_owned(), value)).collect();
            content.stats = shown.stats.then(stats);
            match &check.outcome {
                Outcome::Safe => {
                    content.invariant = self.proof().map(|proof| InvariantSize {
                        clauses: proof.invariant.len(),
                        induction: proof.induction,
                        list: self.told.invariant.then(|| self.clauses()),
                    });
                }
                Outcome::Violated(violation, is_before) => {
                    let steps = steps(&violation.counterexample.calls, *is_before);
                    content.violation = violation_dto(self.scene(shown), steps, violation);
                }
                Outcome::Unknown { exhausted, bound } => {
                    (content.reason, content.bound) = (Some(exhausted.to_string()), *bound);
                }
                Outcome::InternalError(what) => content.reason = Some(what.clone()),
            }
        }
        content
    }
}

/// Returns the number of steps of an execution; `None` before the initial states.
fn steps(calls: &[Call], is_before: bool) -> Option<u16> {
    (!is_before).then_some(u16::try_from(calls.len()).unwrap_or(u16::MAX))
}

/// Returns what is fixed up to isomorphism.
fn fixed(instance: &Instance) -> Vec<Fixed> {
    let sig = &instance.system().sig;
    let names = |symbols: &[SymId]| symbols.iter().map(|&sym| sig.symbols[sym].name.clone()).collect();
    let fixed = instance.breaks().iter().map(|it| match it {
        Break::Order { sort, sym, .. } => (*sort, FixedBy::Order, names(&[*sym])),
        Break::Constants { sort, symbols } => (*sort, FixedBy::Constants, names(symbols)),
    });
    fixed.map(|(sort, kind, symbols)| Fixed { sort: sig.sorts[sort].name.clone(), kind, symbols }).collect()
}

/// Returns the variables of a state.
fn variables(instance: &Instance) -> Vec<String> {
    let atoms = (0..instance.circuit().latches().len()).filter_map(|latch| instance.atom(latch));
    atoms.map(|atom| atom.display(&instance.system().sig).to_string()).collect()
}

/// Returns the facts with the same value in all structures.
fn facts_of(instance: &Instance) -> Vec<FactValue> {
    let sig = &instance.system().sig;
    instance.facts().map(|(atom, value)| FactValue { fact: atom.display(sig).to_string(), value }).collect()
}

fn states_dto((graph, is_complete): &(Graph, bool), told: Told) -> States {
    States {
        complete: *is_complete,
        up_to_isomorphism: told.up_to_isomorphism,
        states: graph.states.len(),
        initial: graph.initial(),
        violating: graph.bad(),
        stuck: graph.stuck(),
        steps: graph.steps.len(),
        depth: graph.diameter(),
    }
}

/// Returns the line of the answer.
fn outcome_text(outcome: &Outcome, invariant: Option<(usize, usize)>, palette: Palette) -> String {
    match outcome {
        Outcome::Safe => {
            let why = match invariant {
                Some((clauses, 0)) => format!(" (an invariant of {clauses} clauses)"),
                Some((_, steps)) => format!(" (by induction over {steps} steps)"),
                None => String::new(),
            };
            format!("  {}{why}\n", palette.good("safe"))
        }
        Outcome::Violated(violation, true) => {
            debug_assert!(violation.counterexample.calls.is_empty(), "no step leads there");
            format!("  {} before the initial states\n", palette.bad("VIOLATED"))
        }
        Outcome::Violated(violation, false) => {
            let steps = violation.counterexample.calls.len();
            let noun = if steps == 1 { "step" } else { "steps" };
            format!("  {} after {steps} {noun}\n", palette.bad("VIOLATED"))
        }
        Outcome::Unknown { exhausted, bound } => {
            let known = match bound {
                Some(bound) => format!("; no execution of at most {bound} steps violates the property"),
                None => String::new(),
            };
            format!("  {}{known}\n", palette.caution(&format!("unknown ({exhausted})")))
        }
        Outcome::InternalError(_) => format!("  {}\n", palette.bad("INTERNAL ERROR")),
    }
}

/// Returns a clause: one of the facts has its value.
fn clause_text<'a>(clause: impl IntoIterator<Item = (&'a str, bool)>) -> String {
    let literal = |(fact, value): (&str, bool)| match (value, fact.split_once('=')) {
        (true, _) => fact.to_owned(),
        (false, Some((term, value))) => format!("{term}!={value}"),
        (false, None) => format!("!{fact}"),
    };
    let literals: Vec<String> = clause.into_iter().map(literal).collect();
    // A circuit without states has the empty clause.
    if literals.is_empty() { "false".to_owned() } else { literals.join(" | ") }
}

/// Returns the lines about reachable states.
fn states_text(graph: &Graph, is_complete: bool, up_to_isomorphism: bool) -> String {
    let mut text = String::new();
    let count = graph.states.len();
    let how = if up_to_isomorphism { " up to isomorphism" } else { "" };
    if !is_complete {
        let _ = writeln!(text, "  more than {count} reachable states{how}");
        return text;
    }
    let _ = writeln!(
        text,
        "  {count} reachable states{how}: {} initial, {} without a successor, {} that violate the property",
        graph.initial(),
        graph.stuck(),
        graph.bad()
    );
    let _ = writeln!(text, "  {} steps, at most {} to a state", graph.steps.len(), graph.diameter());
    text
}

/// Writes the reachable states and the steps between them as a graph in DOT.
pub fn graph_dot(title: &str, system: &System, graph: &Graph) -> String {
    let mut out = format!(
        "digraph states {{\n  graph [fontname=\"sans-serif\", labelloc=t, label=\"{}\"];\n  node \
         [fontname=\"sans-serif\", shape=box];\n  edge [fontname=\"sans-serif\"];\n",
        escape(title)
    );
    for (at, state) in graph.states.iter().enumerate() {
        let style = match (state.depth, state.is_bad) {
            (_, true) => ", color=\"#c00000\", penwidth=2",
            (0, false) => ", style=filled, fillcolor=\"#f0f0f0\"",
            _ => "",
        };
        let facts: Vec<String> = facts(system, &state.structure).iter().map(|it| escape(it)).collect();
        let label = facts.join("\\n");
        let _ = writeln!(out, "  s{at} [label=\"{label}\"{style}];");
    }
    for &(from, transition, to) in &graph.steps {
        let name = system.transitions.get(transition).map_or("", |it| it.name.as_str());
        let _ = writeln!(out, "  s{from} -> s{to} [label=\"{}\"];", escape(name));
    }
    out.push_str("}\n");
    out
}

/// Returns what is true in a state of the symbols that change.
fn facts(system: &System, structure: &Structure) -> Vec<String> {
    let sig = &system.sig;
    let mut facts = Vec::new();
    let changing = sig.symbols.iter_enumerated();
    let changing = changing.filter(|(_, it)| it.kind == SymbolKind::Mutable && it.is_declared());
    for (sym, symbol) in changing {
        for args in structure.tuples(&symbol.args) {
            let value = structure.interpretation(sig, sym, 0).get(&args);
            if symbol.is_relation() && value == 0 {
                continue;
            }
            let names: Vec<String> =
                symbol.args.iter().zip(&args).map(|(&sort, &arg)| element_name(sig, sort, arg)).collect();
            let args = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            let value = match symbol.is_relation() {
                true => String::new(),
                false => format!(" = {}", element_name(sig, symbol.result, value)),
            };
            facts.push(format!("{}{args}{value}", symbol.name));
        }
    }
    facts
}
