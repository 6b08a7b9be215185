//! The answers of `ramsey check` and `ramsey fragment` for machines.

use serde::Serialize;

use super::dto;
use crate::check::{Rejection, Summary};
use crate::query::Cycle;
use crate::system::{Site, System};
use crate::vc::{Origin, Property};

/// The name of the form that [`CheckDocument`] has.
pub const CHECK_SCHEMA: &str = "ramsey/check/1";
/// The name of the form that [`FragmentDocument`] has.
pub const FRAGMENT_SCHEMA: &str = "ramsey/fragment/1";
/// The name of the form that [`TypecheckDocument`] has.
pub const TYPECHECK_SCHEMA: &str = "ramsey/typecheck/1";

/// What `ramsey check` says.
#[derive(Serialize, Debug)]
pub struct CheckDocument {
    /// [`CHECK_SCHEMA`]
    pub schema: &'static str,
    /// Of the program.
    pub version: &'static str,
    /// `accepted`, `rejected` or `bad-input`.
    pub verdict: &'static str,
    /// 0, 1 or 2.
    pub exit_code: u8,
    /// The path of the model or problem.
    pub model: String,
    /// The path of the certificate.
    pub certificate: String,
    /// What cannot be read.
    pub diagnostics: Vec<dto::Diagnostic>,
    /// Of a certificate that is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
    /// Of a certificate that is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Rejected>,
}

/// What an accepted certificate shows.
#[derive(Serialize, Debug)]
pub struct Accepted {
    /// The claim as the certificate has it, without the word `claim`.
    pub claim: String,
    /// How many obligations the claim is about.
    pub obligations: usize,
    /// How many of them are proved.
    pub proved: usize,
    /// How many of them are refuted.
    pub refuted: usize,
    /// Steps of all proofs.
    pub steps: usize,
    /// Whether the certificate was made for this very text.
    pub same_source: bool,
    /// Of a problem: the queries that the claim is about.
    pub queries: Vec<Query>,
}

/// The answer to a query of a problem.
#[derive(Serialize, Debug)]
pub struct Query {
    /// Its number, from 1.
    pub query: usize,
    /// The line that asks.
    pub line: usize,
    /// Whether hypotheses were asked about, and not a goal.
    pub is_bare: bool,
    /// Whether the hypotheses imply the goal (or contradict each other).
    pub proved: bool,
}

/// Why a certificate is not accepted.
#[derive(Serialize, Debug)]
pub struct Rejected {
    /// The line of the certificate, from 1.
    pub line: usize,
    /// The obligation that the line belongs to.
    pub obligation: Option<String>,
    /// A sentence.
    pub reason: String,
    /// Whether the certificate was made for this very text; `None` if it has no digest to compare.
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

/// What `ramsey typecheck` says.
#[derive(Serialize, Debug)]
pub struct TypecheckDocument {
    /// [`TYPECHECK_SCHEMA`]
    pub schema: &'static str,
    /// Of the program.
    pub version: &'static str,
    /// `ok` or `bad-input`.
    pub verdict: &'static str,
    /// 0 or 2.
    pub exit_code: u8,
    /// In the order of the command line.
    pub files: Vec<TypecheckFile>,
}

/// A model that was read.
#[derive(Serialize, Debug)]
pub struct TypecheckFile {
    /// The path as it was given, or found.
    pub path: String,
    /// Files of a directory that this one includes, and that are no models of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// `ok` or `bad-input`.
    pub verdict: &'static str,
    /// Errors and warnings.
    pub diagnostics: Vec<dto::Diagnostic>,
}

/// What `ramsey fragment` says.
#[derive(Serialize, Debug)]
pub struct FragmentDocument {
    /// [`FRAGMENT_SCHEMA`]
    pub schema: &'static str,
    /// Of the program.
    pub version: &'static str,
    /// `inside`, `outside` or `bad-input`, whichever of the files is worst.
    pub verdict: &'static str,
    /// 0, 1 or 2.
    pub exit_code: u8,
    /// In the order of the command line.
    pub files: Vec<FragmentFile>,
}

/// A model and its obligations.
#[derive(Serialize, Debug)]
pub struct FragmentFile {
    /// The path as it was given, or found.
    pub path: String,
    /// Files of a directory that this one includes, and that are no models of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// `inside`, `outside` or `bad-input`.
    pub verdict: &'static str,
    /// Errors and warnings, one for each cycle (R015) among them.
    pub diagnostics: Vec<dto::Diagnostic>,
    /// In the order of the source.
    pub obligations: Vec<FragmentObligation>,
}

/// Whether an obligation lies in stratified EPR.
#[derive(Serialize, Debug)]
pub struct FragmentObligation {
    /// `initiation`, `consecution`, `assertion` or `theorem`.
    pub kind: &'static str,
    /// The transition's name (`consecution`, and `assertion` inside one).
    pub transition: Option<String>,
    /// The name of the invariant, assertion or theorem, or `L` and its line.
    pub label: String,
    /// The sorts of a cycle, the first one again at the end; none where the obligation lies inside.
    pub cycle: Option<Vec<String>>,
}

/// The obligations of a system, each with a cycle of sorts if it lies outside.
pub fn fragment_obligations(
    system: &System,
    memberships: &[(Origin, Option<Cycle>)],
) -> Vec<FragmentObligation> {
    let sort_name = |sort| system.sig.sorts[sort].name.clone();
    let transition_name = |at: usize| Some(system.transitions[at].name.clone());
    let obligation = |(origin, cycle): &(Origin, Option<Cycle>)| {
        let (kind, transition, label) = match *origin {
            Origin::Initiation { invariant } => ("initiation", None, &system.invariants[invariant].label),
            Origin::Consecution { transition, invariant } => {
                ("consecution", transition_name(transition), &system.invariants[invariant].label)
            }
            Origin::Assertion { assertion } => {
                let it = &system.assertions[assertion];
                let transition = match it.site {
                    Site::Transition(at) => transition_name(at),
                    Site::Init | Site::Final => None,
                };
                ("assertion", transition, &it.label)
            }
            Origin::Theorem { theorem } => ("theorem", None, &system.theorems[theorem].label),
            // Not asked about a model.
            Origin::Bounded { property: Property::Invariant(_) | Property::Assertion(_), .. }
            | Origin::Trace { .. }
            | Origin::Query { .. } => return None,
        };
        let cycle = cycle.as_ref().map(|cycle| {
            let sorts = cycle.iter().map(|edge| edge.from);
            sorts.chain(cycle.first().map(|edge| edge.from)).map(sort_name).collect()
        });
        Some(FragmentObligation { kind, transition, label: label.clone(), cycle })
    };
    memberships.iter().filter_map(obligation).collect()
}
