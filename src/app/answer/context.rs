//! Questions, and what they are about.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::models::{Database, Model};
use crate::reply::Answer;
use crate::state::{State, Walk};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::diag::Diagnostic;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::query::Limits;
use ramsey_lang::FormulaKind;

/// A counterexample with what is said of its facts.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The claim.
    pub claim: String,
    /// The transition, or `init`.
    pub action: String,
    /// The number of the counterexample, from 1.
    pub number: usize,
    /// What is left out of the generalization.
    #[serde(default)]
    pub dropped: Vec<String>,
    /// What stays in the generalization.
    #[serde(default)]
    pub kept: Vec<String>,
    /// The number of steps within which the generalization holds.
    pub bound: u16,
}

/// A question.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(tag = "q", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// Which claims are preserved by which transitions?
    Check,
    /// What are the smallest counterexamples to an obligation, up to the names of elements?
    Counterexamples {
        /// The claim.
        claim: String,
        /// The transition, or `init`.
        action: String,
    },
    /// Which facts of a state suffice to exclude it?
    Generalize(Asked),
    /// Which conjectures exclude a state?
    Suggest(Asked),
    /// Is a formula true in all states within a number of steps?
    Bounded {
        /// The formula; without it, claims.
        #[serde(default)]
        formula: Option<String>,
        /// The claims; all if there are none.
        #[serde(default)]
        claims: Vec<String>,
        /// The number of steps that are known already.
        #[serde(default)]
        from: u16,
        /// The number of steps.
        depth: u16,
    },
    /// Is a claim false after few steps? Less is asked than by [`Question::Bounded`]: only as many steps as take little
    /// work.
    Early,
    /// Does a state with some facts of a counterexample occur in random executions of small instances?
    Reach {
        /// The claim.
        claim: String,
        /// The transition.
        action: String,
        /// The number of the counterexample, from 1.
        number: usize,
        /// The facts.
        facts: Vec<String>,
    },
    /// Is a formula inductive together with the claims, and what would it do for them?
    Induction {
        /// The formula.
        formula: String,
    },
    /// Does a formula exclude all counterexamples to an obligation?
    Sufficient {
        /// The formula.
        formula: String,
        /// The claim.
        claim: String,
        /// The transition, or `init`.
        action: String,
    },
    /// Which claims does each proof use?
    Proof,
    /// Which states does a walk lead to, and what can be done next?
    Simulate {
        /// The walk.
        walk: Walk,
        /// Formulas whose values are shown.
        #[serde(default)]
        watches: Vec<String>,
    },
    /// What is the value of a formula in the states of a counterexample?
    Evaluate {
        /// The formula.
        formula: String,
        /// The claim.
        claim: String,
        /// The transition, or `init`.
        action: String,
        /// The number of the counterexample, from 1.
        number: usize,
    },
    /// What does the model look like?
    Source,
    /// What are the names of the model, for completion?
    Names,
    /// Is there an inductive invariant?
    Infer,
    /// Which of these formulas are inductive together with the claims?
    Houdini {
        /// The formulas.
        formulas: Vec<String>,
    },
}

/// Reason why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failed {
    /// It does not fit the state.
    Unfit(String),
    /// A budget ran out, or the question was cancelled.
    Exhausted(Exhausted),
    /// Internal inconsistency of the tool.
    Internal(String),
}

impl Failed {
    /// Returns the reason in words.
    pub(crate) fn why(self) -> String {
        match self {
            Failed::Unfit(why) | Failed::Internal(why) => why,
            Failed::Exhausted(exhausted) => exhausted.to_string(),
        }
    }

    /// Returns the first of some errors as the reason.
    pub(super) fn unfit(errors: &[Diagnostic]) -> Failed {
        Failed::Unfit(errors.first().map_or_else(String::new, |error| error.message.clone()))
    }
}

impl From<Exhausted> for Failed {
    fn from(exhausted: Exhausted) -> Failed {
        Failed::Exhausted(exhausted)
    }
}

impl From<ramsey_solver::ask::Failure> for Failed {
    fn from(failure: ramsey_solver::ask::Failure) -> Failed {
        use ramsey_solver::ask::Failure;
        match failure {
            Failure::Exhausted(exhausted) => Failed::Exhausted(exhausted),
            Failure::Internal(what) | Failure::Misuse(what) => Failed::Internal(what),
        }
    }
}

/// Receives what is known of an answer before it is complete.
pub type Progress<'a> = &'a mut (dyn FnMut(Answer) + Send);

/// What a question is about.
pub(super) struct Context<'a> {
    pub(super) models: &'a Database,
    pub(super) state: &'a State,
    pub(super) model: &'a Arc<Model>,
    pub(super) system: &'a Arc<System>,
    pub(super) limits: &'a Limits,
}

impl Context<'_> {
    /// Returns the model's system with a formula that is a claim about every state.
    pub(super) fn with_claim(&self, formula: &str) -> Result<(System, TermId), Failed> {
        let loaded = self.model.with_formula(formula, FormulaKind::Claim);
        loaded.map_err(|error| Failed::Unfit(error.text()))
    }
}
