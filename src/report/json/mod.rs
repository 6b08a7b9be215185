//! JSON documents of results.

pub mod check;
pub mod cti;
pub mod diagnostics;
pub mod document;
pub mod dto;
pub mod partial;
pub mod read;
pub mod simulate;
pub mod solve;

pub use document::{Content, Document, Head};
pub use partial::read_partial;
pub use read::{States, Violated, is_relaxed, read_counterexample, read_nth_counterexample};

use super::names::Names;
use super::needs::needs;
use super::replay;
use super::tally::Tally;
use super::trace::{Fact, Known, Part, breach_text, call_values, facts};
use crate::ask::Statistics;
use crate::base::span::{Sources, Span};
use crate::logic::{Signature, Structure, Terms};
use crate::query::{Call, Counterexample, ObligationResult, Outcome, Verification};
use crate::step::interpret::{Event, EventKind, Execution};
use crate::system::{Site, System};
use crate::vc::{HypothesisOrigin, Obligations, Origin, Property};

impl Content for dto::VerifyContent {
    const SCHEMA: &'static str = "ramsey/verify/2";
}

impl Content for dto::BoundedContent {
    const SCHEMA: &'static str = "ramsey/bmc/1";
}

impl Content for dto::TraceContent {
    const SCHEMA: &'static str = "ramsey/trace/1";
}

/// Optional content of a document.
#[derive(Clone, Copy, Debug)]
pub struct JsonStyle {
    /// Whether tuples at which a relation is false are listed.
    pub negative: bool,
    /// Whether the cost is included.
    pub stats: bool,
    /// Whether sufficient hypotheses are included.
    pub cores: bool,
}

/// Converts counts to JSON data.
pub fn summary(tally: Tally) -> dto::Summary {
    dto::Summary {
        obligations: tally.total(),
        ok: tally.ok,
        failed: tally.failed,
        unknown: tally.unknown,
        skipped: tally.skipped,
        internal_errors: tally.internal,
    }
}

/// Converts the cost to JSON data.
pub fn stats(statistics: &Statistics) -> dto::Stats {
    let seconds = |ns: u64| ns as f64 / 1e9;
    dto::Stats {
        queries: statistics.queries,
        rounds: statistics.rounds,
        instances: statistics.instances,
        conflicts: statistics.conflicts,
        lemmas: statistics.lemmas,
        terms: statistics.terms,
        work: statistics.work,
        sat_seconds: seconds(statistics.sat_ns),
        candidate_seconds: seconds(statistics.candidate_ns),
        join_seconds: seconds(statistics.join_ns),
        total_seconds: seconds(statistics.total_ns),
    }
}

/// Returns the obligations of a file with their answers.
pub fn obligations(
    system: &System,
    verification: &Verification,
    sources: &Sources,
    style: JsonStyle,
) -> Vec<dto::Obligation> {
    let writer = Writer { system, verification, sources, style };
    verification.results.iter().map(|result| writer.obligation(result)).collect()
}

/// Returns kind, name, state and place of a hypothesis.
pub(super) fn hypothesis_parts(
    system: &System,
    origin: HypothesisOrigin,
) -> (&'static str, Option<String>, Option<u16>, Option<Span>) {
    match origin {
        HypothesisOrigin::Axiom(at) => {
            ("axiom", system.axioms[at].name.clone(), None, Some(system.axioms[at].span))
        }
        HypothesisOrigin::Derived(at, step) => {
            let derived = &system.derived[at];
            ("derived", Some(derived.label.clone()), Some(step), Some(derived.span))
        }
        HypothesisOrigin::Init(at) => {
            ("init", system.inits[at].name.clone(), None, Some(system.inits[at].span))
        }
        HypothesisOrigin::Invariant(at) => {
            let invariant = &system.invariants[at];
            ("invariant", Some(invariant.label.clone()), None, Some(invariant.span))
        }
        HypothesisOrigin::Transition(at) => {
            let transition = &system.transitions[at];
            ("transition", Some(transition.name.clone()), None, Some(transition.span))
        }
        HypothesisOrigin::Step(step) => ("step", None, Some(step), None),
        HypothesisOrigin::Assertion(_) => ("assertion", None, None, None),
    }
}

struct Writer<'a> {
    system: &'a System,
    verification: &'a Verification,
    sources: &'a Sources,
    style: JsonStyle,
}

impl Writer<'_> {
    fn obligation(&self, result: &ObligationResult) -> dto::Obligation {
        let system = self.system;
        let invariant = |index: usize| {
            let it = &system.invariants[index];
            Some(self.claim(it.name.as_ref(), &it.label, it.span))
        };
        let (kind, transition, invariant, theorem) = match result.origin {
            Origin::Initiation { invariant: index } => ("initiation", None, invariant(index), None),
            Origin::Consecution { transition, invariant: index } => {
                ("consecution", Some(system.transitions[transition].name.clone()), invariant(index), None)
            }
            Origin::Assertion { assertion } => {
                let it = &system.assertions[assertion];
                let transition = match it.site {
                    Site::Transition(at) => Some(system.transitions[at].name.clone()),
                    Site::Init | Site::Final => None,
                };
                ("assertion", transition, Some(self.claim(None, &it.label, it.span)), None)
            }
            Origin::Theorem { theorem } => {
                let it = &system.theorems[theorem];
                ("theorem", None, None, Some(self.claim(it.name.as_ref(), &it.label, it.span)))
            }
            Origin::Bounded { property: Property::Invariant(index), .. } => {
                ("bounded", None, invariant(index), None)
            }
            Origin::Bounded { property: Property::Assertion(index), .. } => {
                let it = &system.assertions[index];
                ("bounded", None, Some(self.claim(None, &it.label, it.span)), None)
            }
            Origin::Trace { .. } => ("trace", None, None, None),
            Origin::Query { .. } => ("query", None, None, None),
        };
        let (mut reason, mut core, mut counterexample) = (None, None, None);
        let outcome = match &result.outcome {
            Outcome::Holds { core: hypotheses } => {
                let core_dto = || hypotheses.iter().map(|&origin| self.hypothesis(origin)).collect();
                core = self.style.cores.then(core_dto);
                "ok"
            }
            Outcome::Fails(found) => {
                counterexample = Some(self.counterexample(found, Known::of(result.origin)));
                "failed"
            }
            Outcome::Unknown(exhausted) => {
                reason = Some(exhausted.to_string());
                "unknown"
            }
            Outcome::Skipped => "skipped",
            Outcome::InternalError(what) => {
                reason = Some(what.clone());
                "internal-error"
            }
        };
        dto::Obligation {
            kind: kind.into(),
            transition,
            invariant,
            theorem,
            outcome: outcome.into(),
            reason,
            core,
            counterexample,
            stats: self.style.stats.then(|| stats(&result.statistics)),
        }
    }

    fn line_column(&self, span: Span) -> (usize, usize) {
        self.sources.get(span.file).map_or((0, 0), |source| source.line_column(span.start))
    }

    fn claim(&self, name: Option<&String>, label: &str, span: Span) -> dto::Claim {
        let (line, column) = self.line_column(span);
        dto::Claim { name: name.cloned(), label: label.to_owned(), line, column }
    }

    fn hypothesis(&self, origin: HypothesisOrigin) -> dto::Hypothesis {
        let (kind, name, step, span) = hypothesis_parts(self.system, origin);
        let line = span.map_or(0, |span| self.line_column(span).0);
        dto::Hypothesis { kind: kind.into(), label: name.unwrap_or_else(|| format!("L{line}")), step, line }
    }

    fn counterexample(&self, found: &Counterexample, known: Known) -> dto::Counterexample {
        let Obligations { sig, terms, .. } = &self.verification.obligations;
        let Writer { system, sources, style, .. } = *self;
        let view = View { system, sig, sources, negative: style.negative, known };
        view.counterexample(terms, found)
    }
}

/// Context in which executions are converted to JSON data.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// System of the executions.
    pub system: &'a System,
    /// Signature of the executions.
    pub sig: &'a Signature,
    /// Source texts of the system.
    pub sources: &'a Sources,
    /// Whether tuples at which relations are false are listed.
    pub negative: bool,
    /// Additional facts about the executions.
    pub known: Known,
}

impl View<'_> {
    /// Converts a counterexample.
    pub fn counterexample(&self, terms: &Terms, found: &Counterexample) -> dto::Counterexample {
        let names = Names::plain(self.sig, &found.structure);
        let (formula, bindings) = breach_text(self.sig, terms, &names, found);
        let assertion = self.known.assertion;
        let violating =
            assertion.and_then(|assertion| replay::of_assertion(self.system, self.sig, found, assertion));
        dto::Counterexample {
            execution: self.execution(&found.structure, &found.calls),
            violated: dto::Violated {
                formula,
                state: found.calls.len(),
                bindings: bindings_dto(bindings),
                statements: self.statements(&names, violating),
            },
        }
    }

    /// Converts states and the transitions between them.
    pub fn execution(&self, structure: &Structure, calls: &[Call]) -> dto::Execution {
        let View { system, sig, negative, .. } = *self;
        let names = Names::plain(sig, structure);
        let shown = Names::new(system, sig, structure, 0);
        let universes = sig
            .uninterpreted_sorts()
            .map(|sort| {
                let list = |names: &Names| -> Vec<String> {
                    (0..structure.sizes[sort]).map(|elem| names.name(sort, elem).to_owned()).collect()
                };
                let (elements, shown) = (list(&names), list(&shown));
                let shown = (shown != elements).then_some(shown);
                dto::Universe { sort: sig.sorts[sort].name.clone(), elements, shown }
            })
            .collect();
        let facts = |part| facts_dto(sig, structure, &names, part, negative);
        let initial = if self.known.is_initial { replay::of_init(system, sig, structure) } else { None };
        dto::Execution {
            universes,
            immutable: facts(Part::Immutable),
            states: (0..structure.states())
                .map(|step| dto::State { facts: facts(Part::State(step)) })
                .collect(),
            initial: self.statements(&names, initial),
            transitions: calls
                .iter()
                .enumerate()
                .map(|(step, call)| {
                    let (name, params) = call_values(system, &names, call);
                    let execution = replay::of_call(system, sig, structure, step, call);
                    let statements = self.statements(&names, execution);
                    let needs = needs(system, sig, structure, step, call, &names);
                    dto::Step { name, params: bindings_dto(params), needs, statements }
                })
                .collect(),
        }
    }

    fn statements(&self, names: &Names, execution: Option<Execution>) -> Vec<dto::Statement> {
        let events = execution.into_iter().flat_map(|execution| execution.events);
        events.map(|event| self.statement(names, event)).collect()
    }

    fn statement(&self, names: &Names, event: Event) -> dto::Statement {
        let source = self.sources.get(event.span.file);
        let (line, column) = source.map_or((0, 0), |source| source.line_column(event.span.start));
        let plain = |kind: &'static str, value| dto::Statement {
            line,
            column,
            kind: kind.into(),
            value,
            branch: None,
            name: None,
            changes: None,
        };
        match event.kind {
            EventKind::Condition(value) => plain("if", Some(value)),
            EventKind::Assumed(value) => plain("assume", Some(value)),
            EventKind::Asserted(value) => plain("assert", Some(value)),
            EventKind::Chosen { branch, name, .. } => {
                dto::Statement { branch: Some(branch), name, ..plain("choice", None) }
            }
            EventKind::Assigned { changes, .. } => {
                let fact = |change| fact_dto(self.sig, names, &replay::fact(change));
                dto::Statement { changes: Some(changes.iter().map(fact).collect()), ..plain("assign", None) }
            }
            EventKind::AxiomViolated(_) => plain("assume", Some(false)),
        }
    }
}

fn fact_dto(sig: &Signature, names: &Names, fact: &Fact) -> dto::Fact {
    let symbol = &sig.symbols[fact.sym];
    let args = fact.args.iter().zip(&symbol.args);
    dto::Fact {
        symbol: symbol.name.clone(),
        args: args.map(|(&arg, &sort)| names.name(sort, arg).to_owned()).collect(),
        value: if symbol.is_relation() {
            dto::Value::Bool(fact.value != 0)
        } else {
            dto::Value::Element(names.name(symbol.result, fact.value).to_owned())
        },
    }
}

fn facts_dto(
    sig: &Signature,
    structure: &Structure,
    names: &Names,
    part: Part,
    negative: bool,
) -> Vec<dto::Fact> {
    facts(sig, structure, names, part, negative)
        .into_iter()
        .flat_map(|(sym, facts)| facts.into_iter().map(move |fact| (sym, fact)))
        // Facts that became false are for text output only; here a state lists the facts that hold in it.
        .filter(|(sym, fact)| {
            let symbol = &sig.symbols[*sym];
            negative || !symbol.is_relation() || symbol.args.is_empty() || fact.value != 0
        })
        .map(|(_, fact)| fact_dto(sig, names, &fact))
        .collect()
}

fn bindings_dto(bindings: Vec<(String, String)>) -> Vec<dto::Binding> {
    bindings.into_iter().map(|(name, value)| dto::Binding { name, value }).collect()
}
