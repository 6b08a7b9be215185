//! JSON output of `ramsey check`, `ramsey typecheck` and `ramsey fragment`.

use serde::Serialize;

use super::dto;
use crate::Verdict;
use crate::finding::{Claim, Question};
use crate::words::words;
use ramsey_core::system::System;
use ramsey_engine::query::Cycle;
use ramsey_kernel::check::{Rejection, Summary, circuit};
use ramsey_kernel::obligations::Origin;

/// Content of the output of `ramsey check --format json`.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct CheckContent {
    /// Path of the model or problem.
    pub model: String,
    /// Path of the certificate.
    pub certificate: String,
    /// What the second front does not cover of the model, if it was read by one front alone for this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<String>,
    /// Result for an accepted certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
    /// Result for a rejected certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Rejected>,
}

words! {
    /// The result of checking a certificate.
    pub enum CheckVerdict {
        /// The certificate is right.
        Accepted = "accepted",
        /// The certificate is wrong.
        Rejected = "rejected",
        /// A limit was reached.
        Unknown = "unknown",
        /// The input or the arguments are wrong.
        BadInput = "bad-input",
        /// An internal contradiction was detected.
        InternalError = "internal-error",
    }
}

impl From<Verdict> for CheckVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Ok => CheckVerdict::Accepted,
            Verdict::Counterexample => CheckVerdict::Rejected,
            Verdict::Unknown => CheckVerdict::Unknown,
            Verdict::BadInput => CheckVerdict::BadInput,
            Verdict::InternalError => CheckVerdict::InternalError,
        }
    }
}

/// Content of an accepted certificate.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Accepted {
    /// The claim as in the certificate, without the word `claim`.
    pub claim: String,
    /// Number of obligations in the claim.
    pub obligations: usize,
    /// Number of obligations that are proved.
    pub proved: usize,
    /// Number of obligations that are refuted.
    pub refuted: usize,
    /// Number of steps of all proofs.
    pub steps: usize,
    /// Whether the certificate was made for exactly this source text.
    pub same_source: bool,
    /// For a problem: the queries in the claim.
    pub queries: Vec<Query>,
    /// For a circuit: the properties in the certificate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
}

/// Answer to a query of a problem.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Query {
    /// Number of the query, from 1.
    pub query: usize,
    /// Line of the query.
    pub line: usize,
    /// Whether the query has hypotheses only and no goal.
    pub is_bare: bool,
    /// Whether the hypotheses imply the goal, or are contradictory if there is none.
    pub proved: bool,
}

/// Answer about a property of a circuit.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Property {
    /// Position of the property, from 0.
    pub property: usize,
    /// Whether no reachable state violates the property.
    pub proved: bool,
}

/// Reason for rejecting a certificate.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Rejected {
    /// The line of the certificate, from 1.
    pub line: usize,
    /// Obligation that contains the line.
    pub obligation: Option<String>,
    /// The reason, one sentence.
    pub reason: String,
    /// Whether the certificate was made for exactly this source text; `None` if it has no digest.
    pub same_source: Option<bool>,
}

impl From<Summary> for Accepted {
    fn from(summary: Summary) -> Self {
        let claim = summary.claim.to_string();
        Accepted {
            claim: claim.strip_prefix("claim ").unwrap_or(&claim).to_owned(),
            obligations: summary.obligations,
            proved: summary.proofs,
            refuted: summary.counterexamples,
            steps: summary.steps,
            same_source: summary.same_source,
            queries: summary
                .answers
                .iter()
                .map(|(&query, answer)| Query {
                    query: query + 1,
                    line: answer.line,
                    is_bare: answer.is_bare,
                    proved: answer.proved,
                })
                .collect(),
            properties: Vec::new(),
        }
    }
}

impl From<circuit::Summary> for Accepted {
    fn from(summary: circuit::Summary) -> Self {
        let (proved, refuted) = (summary.safe.len(), summary.violated.len());
        let safe = summary.safe.iter().map(|&property| Property { property, proved: true });
        let violated = summary.violated.iter().map(|&(property, _)| Property { property, proved: false });
        let mut properties: Vec<Property> = safe.chain(violated).collect();
        properties.sort_by_key(|it| it.property);
        Accepted {
            claim: "circuit".to_owned(),
            obligations: proved + refuted,
            proved,
            refuted,
            steps: summary.steps,
            same_source: summary.same_source,
            queries: Vec::new(),
            properties,
        }
    }
}

impl From<Rejection> for Rejected {
    fn from(rejection: Rejection) -> Self {
        Rejected {
            line: rejection.line,
            obligation: rejection.obligation,
            reason: rejection.reason,
            same_source: rejection.same_source,
        }
    }
}

impl From<circuit::Rejection> for Rejected {
    fn from(rejection: circuit::Rejection) -> Self {
        let circuit::Rejection { line, reason, .. } = rejection;
        Rejected { line, obligation: None, reason, same_source: None }
    }
}

/// Content of the output of `ramsey typecheck --format json`.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct TypecheckContent {
    /// Results in the order of the command line.
    pub files: Vec<TypecheckFile>,
}

/// Result for one model.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct TypecheckFile {
    /// The path as given or found.
    pub path: String,
    /// Files of a directory that this one includes and that are not models of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// The result.
    pub verdict: Verdict,
    /// Errors and warnings.
    pub diagnostics: Vec<dto::Diagnostic>,
}

/// Content of the output of `ramsey fragment --format json`.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct FragmentContent {
    /// Results in the order of the command line.
    pub files: Vec<FragmentFile>,
}

words! {
    /// Whether obligations lie in stratified EPR.
    pub enum FragmentVerdict {
        /// All do.
        Inside = "inside",
        /// One does not.
        Outside = "outside",
        /// A limit was reached.
        Unknown = "unknown",
        /// The input or the arguments are wrong.
        BadInput = "bad-input",
        /// An internal contradiction was detected.
        InternalError = "internal-error",
    }
}

impl From<Verdict> for FragmentVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Ok => FragmentVerdict::Inside,
            Verdict::Counterexample => FragmentVerdict::Outside,
            Verdict::Unknown => FragmentVerdict::Unknown,
            Verdict::BadInput => FragmentVerdict::BadInput,
            Verdict::InternalError => FragmentVerdict::InternalError,
        }
    }
}

/// Model with its obligations.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct FragmentFile {
    /// The path as given or found.
    pub path: String,
    /// Files of a directory that this one includes and that are not models of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// The result.
    pub verdict: FragmentVerdict,
    /// Errors and warnings, among them one for each cycle (R015).
    pub diagnostics: Vec<dto::Diagnostic>,
    /// Obligations in the order of the source.
    pub obligations: Vec<FragmentObligation>,
}

/// Obligation, with its membership in stratified EPR.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct FragmentObligation {
    /// The question.
    pub kind: Question,
    /// Name of the transition (`consecution`, and `assertion` inside one).
    pub transition: Option<String>,
    /// Name of the invariant, assertion or theorem, or `L` and its line.
    pub label: String,
    /// Sorts of a cycle, the first one repeated at the end; `None` for an obligation in the fragment.
    pub cycle: Option<Vec<String>>,
}

/// Returns the obligations of a system, each with a cycle of sorts if it lies outside the fragment.
pub fn fragment_obligations(
    system: &System,
    memberships: &[(Origin, Option<Cycle>)],
) -> Vec<FragmentObligation> {
    let sort_name = |sort| system.sig.sorts[sort].name.clone();
    let obligation = |(origin, cycle): &(Origin, Option<Cycle>)| {
        let claim = Claim::of_origin(system, *origin);
        let cycle = cycle.as_ref().map(|cycle| {
            let sorts = cycle.iter().map(|edge| edge.from);
            sorts.chain(cycle.first().map(|edge| edge.from)).map(sort_name).collect()
        });
        FragmentObligation {
            kind: claim.question,
            transition: claim.transition.map(str::to_owned),
            label: claim.label.into_owned(),
            cycle,
        }
    };
    memberships.iter().map(obligation).collect()
}
