//! What lemmas claim, states as they are found, and steps that refute a claim.

use std::sync::Arc;

use super::exists::Alternation;
use super::state::{Pattern, State};
use crate::query::Call;
use ramsey_core::logic::{Structure, TermId};

/// Number of a lemma or property.
pub(super) type LemmaId = usize;

/// What a lemma or property claims.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// No part of the state matches the pattern.
    Excludes(Pattern),
    /// The formula, which has a quantifier alternation.
    Alternates(Alternation),
    /// The formula: closed, over step 0, in the terms of the system.
    Formula(TermId),
}

/// A state with the structure it was read from.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) state: Arc<State>,
    /// One state, over the system's signature.
    pub(super) structure: Arc<Structure>,
}

/// A step that refutes consecution.
#[derive(Clone, Debug)]
pub(super) struct Cti {
    pub(super) pre: Found,
    pub(super) post: Found,
    pub(super) call: Call,
}
