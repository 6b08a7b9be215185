//! Makers of expressions.

use std::sync::Arc;

use super::state::UNKNOWN;
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortRef, SortedVar};
use crate::program::ast::{BinaryOp, ItemKind, Role};
use ramsey_core::base::span::Span;

/// Creates a reference to a name.
pub(super) fn reference(name: Arc<str>, args: Vec<Expr>, span: Span) -> Expr {
    let args = if args.is_empty() { None } else { Some(args) };
    let name = Ident { name, place: Place(span) };
    Expr::new(ExprKind::Ref { name, primes: 0, args }, span)
}

/// Creates a formula or term with an operator.
pub(super) fn binary(op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Expr {
    let sides = Box::new([left.clone(), right.clone()]);
    Expr::new(ExprKind::Binary { op, op_place: Place(span), sides }, span)
}

/// Returns a formula for all values of variables, of which there may be none.
pub(super) fn for_all(vars: impl IntoIterator<Item = (Arc<str>, SortRef)>, body: Expr, span: Span) -> Expr {
    let bind = |(name, sort)| SortedVar { name: Ident { name, place: Place(span) }, sort: Some(sort) };
    let vars: Vec<SortedVar> = vars.into_iter().map(bind).collect();
    if vars.is_empty() {
        return body;
    }
    Expr::new(ExprKind::Quantifier { universal: true, vars, body: Box::new(body) }, span)
}

/// Returns so many different variables.
pub(super) fn variables(count: usize, span: Span) -> Vec<Expr> {
    (1..=count).map(|at| reference(format!("X{at}").into(), Vec::new(), span)).collect()
}

/// Returns what stands for an expression with an error.
pub(super) fn unknown(span: Span) -> Expr {
    reference(UNKNOWN.into(), Vec::new(), span)
}

/// Returns the equation of two terms.
pub(super) fn equal(left: &Expr, right: &Expr, span: Span) -> Expr {
    binary(BinaryOp::Equal, left, right, span)
}

/// Returns the negation of a formula.
pub(super) fn not(formula: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Not(Box::new(formula)), span)
}

/// Creates an axiom without a name.
pub(super) fn axiom(formula: Expr) -> ItemKind {
    ItemKind::Formula { role: Role::Axiom, name: None, formula, proof: None }
}

/// Returns whether a name occurs in an expression, without arguments or at a quantifier.
pub(super) fn mentions(expr: &Expr, name: &str) -> bool {
    expr.nodes().any(|expr| match &expr.kind {
        ExprKind::Ref { name: known, .. } => {
            known.name.split_once(':').map_or(&*known.name, |(plain, _)| plain) == name
        }
        ExprKind::Quantifier { vars, .. } => vars.iter().any(|var| &*var.name.name == name),
        ExprKind::Let { var, .. } => &*var.name.name == name,
        _ => false,
    })
}
