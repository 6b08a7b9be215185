//! JSON output of `ramsey explain`, as specified in `spec/explain.schema.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{JsonStyle, claim_dto, dto, obligations};
use crate::explain::{Found, place};
use crate::finding::{Claim, Hypothesis, Status, Subject};
use crate::outcome;
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::query::Needs;
use ramsey_engine::query::explain::{Answer, Entry, Excluded, Explanation, Proof, Standing};
use ramsey_kernel::obligations::HypothesisOrigin;
use ramsey_solver::formulas::Pretty;

/// Content of the output of `ramsey explain --format json`.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Default)]
pub struct ExplainContent {
    /// The path as given.
    pub model: String,
    /// Whether all obligations are proved; `None` if there were errors.
    pub inductive: Option<bool>,
    /// The claims: invariants, then assertions, in the order of the source.
    pub claims: Vec<ClaimDto>,
}

/// A claim, what its proof needs, and what it is there for.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[schemars(rename = "ExplainedClaim")]
pub struct ClaimDto {
    /// What is declared.
    pub kind: Subject,
    /// The declaration.
    pub claim: dto::Claim,
    /// The formula in the syntax of `.pyv`.
    pub formula: String,
    /// What it is there for.
    pub standing: outcome::Standing,
    /// For `unknown`: budget that ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For `replaceable`: labels of the invariants that the other proof needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced_by: Vec<String>,
    /// The obligations.
    pub obligations: Vec<ObligationDto>,
    /// A state that the invariant excludes.
    pub excludes: Option<ExcludedDto>,
}

/// An obligation with what its proof needs.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[schemars(rename = "Obligation")]
pub struct ObligationDto {
    /// `init`, `final`, or the name of the transition.
    pub place: String,
    /// The answer.
    pub outcome: Status,
    /// Budget that ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the transition changes no symbol of the claim.
    pub unchanged: bool,
    /// Labels of the invariants that the proof needs.
    pub invariants: Vec<String>,
    /// Axioms that the proof needs.
    pub axioms: Vec<dto::Hypothesis>,
    /// Whether it is known that none of these can be left out.
    pub minimal: bool,
}

/// A state that an invariant excludes.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[schemars(rename = "Excluded")]
pub struct ExcludedDto {
    /// Label of the claim that fails without the invariant.
    pub claim: String,
    /// Where it fails: `init`, `final`, or the name of the transition.
    pub place: String,
    /// The counterexample, whose state 0 the invariant excludes; `None` if a budget ran out.
    pub counterexample: Option<dto::Counterexample>,
}

/// Returns the content for the model at `path`; `found` is the explanation, if the model could be read.
pub(crate) fn content(path: &str, found: Option<&Found<'_>>, negative: bool) -> ExplainContent {
    let mut content = ExplainContent { model: path.to_owned(), ..ExplainContent::default() };
    let Some(Found { system, sources, explanation, .. }) = found else { return content };
    content.inductive = Some(explanation.is_inductive());
    let claims = explanation.claims.iter();
    content.claims =
        claims.filter_map(|entry| claim(system, sources, explanation, entry, negative)).collect();
    content
}

fn claim(
    system: &System,
    sources: &Sources,
    explanation: &Explanation,
    entry: &Entry,
    negative: bool,
) -> Option<ClaimDto> {
    let claim = Claim::of_property(system, entry.property);
    let (replaced_by, reason) = match &entry.standing {
        Standing::Replaceable { by } => (&by[..], None),
        Standing::Unknown(exhausted) => (&[][..], Some(exhausted.to_string())),
        _ => (&[][..], None),
    };
    let proofs = explanation.proofs.iter().filter(|proof| proof.property == entry.property);
    Some(ClaimDto {
        kind: claim.subject,
        claim: claim_dto(&claim, sources)?,
        formula: Pretty::new(system.syntax(), entry.property.formula(system)).to_string(),
        standing: (&entry.standing).into(),
        reason,
        replaced_by: labels(system, replaced_by),
        obligations: proofs.map(|proof| obligation(system, sources, proof)).collect(),
        excludes: entry.excluded.as_ref().map(|it| excluded(system, sources, it, negative)),
    })
}

fn labels(system: &System, invariants: &[usize]) -> Vec<String> {
    invariants.iter().map(|&it| system.invariants[it].label.clone()).collect()
}

fn obligation(system: &System, sources: &Sources, proof: &Proof) -> ObligationDto {
    let reason = match &proof.answer {
        Answer::Unknown(exhausted) => Some(exhausted.to_string()),
        Answer::Proved(_) | Answer::Refuted => None,
    };
    let none = Needs::default();
    let needs = proof.needs().unwrap_or(&none);
    let axiom = |&axiom: &usize| {
        let hypothesis = Hypothesis::of_origin(system, HypothesisOrigin::Axiom(axiom));
        let (label, line) = (hypothesis.label(sources), hypothesis.line(sources));
        dto::Hypothesis { kind: hypothesis.kind, label, step: hypothesis.step, line }
    };
    ObligationDto {
        place: place(system, proof.origin).to_owned(),
        outcome: (&proof.answer).into(),
        reason,
        unchanged: proof.is_unchanged,
        invariants: labels(system, &needs.invariants),
        axioms: needs.axioms.iter().map(axiom).collect(),
        minimal: needs.is_minimal,
    }
}

fn excluded(system: &System, sources: &Sources, found: &Excluded, negative: bool) -> ExcludedDto {
    let Excluded { origin, system: rest, answer } = found;
    let style = JsonStyle { negative, stats: false, cores: false };
    let obligation = obligations(rest, &answer.verification, sources, style).into_iter().next();
    ExcludedDto {
        claim: Claim::of_origin(system, *origin).label.into_owned(),
        place: place(system, *origin).to_owned(),
        counterexample: obligation.and_then(|it| it.counterexample),
    }
}
