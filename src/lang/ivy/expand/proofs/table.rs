//! What the tables of a program keep for proofs: facts with names, and what proofs assume of the program as a whole.

use std::sync::Arc;

use super::terms::Term;
use crate::ivy::ast::{Decl, Expr, Ident, Role, Schema, SortedVar, Theorem};
use crate::ivy::expand::isolates::Presence;
use crate::ivy::expand::scopes::ScopeId;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;

/// What a fact is.
#[derive(Clone, Copy)]
pub(in crate::ivy::expand) enum FactKind<'a> {
    /// An axiom or property.
    Formula(Role, &'a Expr),
    /// A theorem, in the scope around it.
    Theorem(&'a Theorem),
    /// A schema with premises.
    Rule(&'a Theorem),
    /// A schema with one formula.
    Schema(&'a Schema),
    /// A definition.
    Definition(&'a Ident, &'a [SortedVar], &'a Expr),
    /// A claim about states, which is no fact.
    Claim,
    /// A claim that is not checked.
    Unchecked,
}

/// Something that has a name.
#[derive(Clone, Copy)]
pub(in crate::ivy::expand) struct Fact<'a> {
    pub(in crate::ivy::expand) kind: FactKind<'a>,
    pub(in crate::ivy::expand) scope: ScopeId,
    /// Its position among the declarations.
    pub(in crate::ivy::expand) at: usize,
    pub(in crate::ivy::expand) presence: Presence,
    pub(in crate::ivy::expand) decl: &'a Decl,
}

/// What is known of the function of a property with a name for values.
#[derive(Clone)]
pub(in crate::ivy::expand) struct Choice {
    /// Its values are such ones wherever there are some.
    pub(in crate::ivy::expand) axiom: ChoiceAxiom,
    /// The symbols of the property.
    pub(in crate::ivy::expand) mentioned: Set<Arc<str>>,
    /// The name of the function in the flat program.
    pub(in crate::ivy::expand) name: Arc<str>,
    pub(in crate::ivy::expand) span: Span,
}

/// A closed formula about such a function.
#[derive(Clone)]
pub(in crate::ivy::expand) struct ChoiceAxiom(pub(super) Term);

/// A closed formula that holds in all states.
#[derive(Clone)]
pub(in crate::ivy::expand) struct Holding(pub(super) Term);
