//! JSON documents of results.

pub mod check;
#[cfg(feature = "cli")]
pub mod cti;
mod described;
pub mod diagnostics;
pub mod document;
pub mod dto;
pub mod eval;
#[cfg(feature = "cli")]
pub mod explain;
#[cfg(feature = "cli")]
mod file;
pub mod generalize;
pub mod infer;
pub mod instance;
pub mod itf;
#[cfg(feature = "cli")]
pub mod job;
pub mod mc;
pub mod partial;
pub mod read;
pub mod scene;
#[cfg(feature = "schemas")]
mod schema;
pub mod simulate;
pub mod solve;
#[cfg(feature = "cli")]
mod structure;
#[cfg(feature = "cli")]
pub mod task;

#[cfg(feature = "schemas")]
pub use document::schemas;
pub use document::{Content, Document, Head};
pub use partial::read_partial;
pub use read::{
    States, Violated, is_relaxed, read_counterexample, read_counterexamples, read_nth_counterexample,
};

use dto::StatementKind;

use super::enabling::needs;
use super::finding::{
    self, Answer, Claim, Evidence, Finding, Hypothesis, Numbers, ProofClaim, Question, Refutation,
};
use super::names::Names;
use super::replay;
use super::tally::Tally;
use super::trace::{Fact, Part, call_values, facts, facts_of, falsification_text, is_of_system};
use ramsey_circuit::transition::interpret::{Event, EventKind, Execution};
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::logic::{Signature, Structure, SymId};
use ramsey_core::system::System;
use ramsey_engine::query::{Call, ObligationResult, Verification};
use ramsey_kernel::obligations::HypothesisOrigin;
use ramsey_solver::ask::Statistics;

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
    let results = verification.results.iter();
    let numbers = Numbers::new(system);
    let obligation = |result: &ObligationResult| {
        let finding = finding::of_result(system, &verification.obligations, sources, result);
        let found = obligation((system, &numbers), &finding, sources, style)?;
        Some(dto::Obligation { stats: style.stats.then(|| stats(&result.statistics)), ..found })
    };
    results.filter_map(obligation).collect()
}

/// Converts the finding of an obligation, without its cost.
fn obligation(
    (system, numbers): (&System, &Numbers),
    finding: &Finding<'_>,
    sources: &Sources,
    style: JsonStyle,
) -> Option<dto::Obligation> {
    let Answer { claim, status, reason, evidence } = finding.answer.as_ref()?;
    let hypothesis = |&origin: &HypothesisOrigin| {
        let hypothesis = Hypothesis::of_origin(system, origin);
        let (label, line) = (hypothesis.label(sources), hypothesis.line(sources));
        dto::Hypothesis { kind: hypothesis.kind, label, step: hypothesis.step, line }
    };
    let declared = claim_dto(claim, sources);
    let (theorem, invariant) = match claim.question {
        Question::Theorem => (declared, None),
        _ => (None, declared),
    };
    Some(dto::Obligation {
        kind: claim.question,
        transition: claim.transition.map(str::to_owned),
        proof: claim.proof.map(|it| proof_dto(&it, sources)),
        invariant,
        theorem,
        fingerprint: claim.fingerprint(system, numbers).to_string(),
        outcome: *status,
        reason: reason.clone(),
        core: match evidence {
            Evidence::Core(core) if style.cores => Some(core.iter().map(hypothesis).collect()),
            _ => None,
        },
        counterexample: finding.refutation().map(|it| counterexample(it, sources, style.negative)),
        stats: None,
    })
}

fn proof_dto(proof: &ProofClaim<'_>, sources: &Sources) -> dto::ProofPart {
    let place = |span: Span| sources.get(span.file).map_or((0, 0), |source| source.line_column(span.start));
    let (line, column) = place(proof.span);
    let step = proof.step.map(|step| {
        let (line, column) = place(step.span);
        dto::Claim { name: step.name.clone(), label: step.label.clone(), line, column }
    });
    let direction =
        proof.step.map(|it| if it.forward { dto::Direction::Forward } else { dto::Direction::Backward });
    dto::ProofPart { line, column, step, direction, part: proof.kind() }
}

/// Converts a claim with a label; `None` for other claims.
pub(super) fn claim_dto(claim: &Claim<'_>, sources: &Sources) -> Option<dto::Claim> {
    let (line, column) = claim.line_column(sources).unwrap_or_default();
    let name = claim.name.map(str::to_owned);
    (!claim.label.is_empty()).then(|| dto::Claim { name, label: claim.label.to_string(), line, column })
}

/// Converts a counterexample.
pub fn counterexample(refutation: Refutation<'_>, sources: &Sources, negative: bool) -> dto::Counterexample {
    let Refutation { system, syntax, found, known } = refutation;
    let sig = syntax.sig;
    let prophecy = &known.symbols(system)[..];
    let view = View { system, sig, sources, prophecy, negative, is_initial: known.is_initial };
    let names = Names::plain(sig, &found.structure);
    let (formula, bindings) = falsification_text(syntax, &names, found);
    let violating = known.assertion.and_then(|assertion| replay::of_assertion(system, sig, found, assertion));
    dto::Counterexample {
        execution: view.execution(&found.structure, &found.calls),
        violated: dto::Violated {
            formula,
            state: known.violated_state(system, found.calls.len()),
            bindings: bindings_dto(bindings),
            statements: view.statements(&names, violating),
        },
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
    /// Symbols of proofs whose values are listed.
    pub prophecy: &'a [SymId],
    /// Whether tuples at which relations are false are listed.
    pub negative: bool,
    /// Whether state 0 is reached by the initial part.
    pub is_initial: bool,
}

impl View<'_> {
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
        let facts = |part| {
            let mut found = facts(sig, structure, &names, part, negative);
            found.retain(|(sym, _)| is_of_system(system, *sym));
            facts_dto(sig, &names, found, negative)
        };
        let of_proof = |part| {
            let found = facts_of(self.prophecy, sig, structure, &names, part, negative);
            facts_dto(sig, &names, found, negative)
        };
        let initial = if self.is_initial { replay::of_init(system, sig, structure) } else { None };
        dto::Execution {
            universes,
            immutable: facts(Part::Immutable),
            prophecy: of_proof(Part::Immutable),
            states: (0..structure.states())
                .map(|step| {
                    let part = Part::State(step);
                    dto::State { facts: facts(part), prophecy: of_proof(part) }
                })
                .collect(),
            initial: self.statements(&names, initial),
            transitions: calls
                .iter()
                .enumerate()
                .map(|(step, call)| {
                    let omitted = replay::unchosen(system, sig, structure, step, call);
                    let (name, params) = call_values(system, &names, call, &omitted);
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
        let plain = |kind: StatementKind, value| dto::Statement {
            line,
            column,
            kind,
            value,
            branch: None,
            name: None,
            changes: None,
        };
        match event.kind {
            EventKind::Condition(value) => plain(StatementKind::If, Some(value)),
            EventKind::Assumed(value) => plain(StatementKind::Assume, Some(value)),
            EventKind::Asserted(value) => plain(StatementKind::Assert, Some(value)),
            EventKind::Chosen { branch, name, .. } => {
                dto::Statement { branch: Some(branch), name, ..plain(StatementKind::Choice, None) }
            }
            EventKind::Assigned { changes, .. } => {
                let fact = |change| fact_dto(self.sig, names, &replay::fact(change));
                dto::Statement {
                    changes: Some(changes.iter().map(fact).collect()),
                    ..plain(StatementKind::Assign, None)
                }
            }
            EventKind::AxiomViolated(_) => plain(StatementKind::Assume, Some(false)),
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
    names: &Names,
    found: Vec<(SymId, Vec<Fact>)>,
    negative: bool,
) -> Vec<dto::Fact> {
    found
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

pub(super) fn bindings_dto(bindings: Vec<(String, String)>) -> Vec<dto::Binding> {
    bindings.into_iter().map(|(name, value)| dto::Binding { name, value }).collect()
}
