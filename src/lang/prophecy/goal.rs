//! What the proof of a claim says of the values of its prophecy variables.

use std::sync::Arc;

use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Place, Proof, ProofStep, SortedVar};
use crate::fol::proof::outermost;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Returns the goal of a claim with a proof, in which its outermost quantifiers come first and those of the prophecy
/// variables next. `None` if the proof has an error.
pub(super) fn goal(claim: &Expr, proof: &Proof, diagnostics: &mut Vec<Diagnostic>) -> Option<Expr> {
    let span = proof.place.0;
    let condition = condition(&proof.steps, claim, span, diagnostics)?;
    let mut vars = Vec::new();
    variables(&proof.steps, &mut vars, diagnostics);
    let (outer, body) = outermost(claim);
    let mut goal = implies(condition, body.clone());
    let outer = outer.into_iter().map(<[SortedVar]>::to_vec);
    for vars in outer.chain([vars]).rev().filter(|vars| !vars.is_empty()) {
        goal = Expr::new(ExprKind::Quantifier { universal: true, vars, body: Box::new(goal) }, claim.span());
    }
    Some(goal)
}

/// Adds the prophecy variables of steps. One of several alternatives is one variable, whose sort may be given in any.
fn variables(steps: &[ProofStep], vars: &mut Vec<SortedVar>, diagnostics: &mut Vec<Diagnostic>) {
    for step in steps {
        match step {
            ProofStep::Let { var, .. } => {
                let Some(known) = vars.iter_mut().find(|it| it.name.name == var.name.name) else {
                    vars.push(var.clone());
                    continue;
                };
                match (&known.sort, &var.sort) {
                    (None, given) => known.sort.clone_from(given),
                    (Some(sort), Some(other)) if sort != other => {
                        let what = format!("the prophecy variable `{}` has two sorts", var.name.name);
                        let error = Diagnostic::error(Code::Program, other.place.0, what);
                        diagnostics.push(error.label("another sort").also(sort.place.0, "one sort"));
                    }
                    _ => {}
                }
            }
            ProofStep::If { then, otherwise, .. } => {
                variables(then, vars, diagnostics);
                variables(otherwise, vars, diagnostics);
            }
        }
    }
}

/// Returns what the steps of a proof of a claim say. `None` if they have an error.
pub(super) fn condition(
    steps: &[ProofStep],
    claim: &Expr,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let mut names = Set::default();
    mentioned(claim, &mut names);
    let known = diagnostics.len();
    let condition = said(steps, &mut names, span, diagnostics);
    (diagnostics.len() == known).then_some(condition)
}

/// Returns what steps say. `names` are those that were mentioned before.
fn said(
    steps: &[ProofStep],
    names: &mut Set<Arc<str>>,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Expr {
    let mut parts = Vec::new();
    for step in steps {
        match step {
            ProofStep::Let { var, term } => {
                diagnostics.extend(problem(&var.name, term, names));
                parts.push(equation(&var.name, term));
            }
            ProofStep::If { condition, then, otherwise } => {
                mentioned(condition, names);
                let (mut yes, mut no) = (names.clone(), names.clone());
                let then = said(then, &mut yes, span, diagnostics);
                let otherwise = said(otherwise, &mut no, span, diagnostics);
                let negated = Expr::new(ExprKind::Not(Box::new(condition.clone())), condition.span());
                let then = and(vec![condition.clone(), then], span);
                let otherwise = and(vec![negated, otherwise], span);
                parts.push(Expr::new(ExprKind::Or(vec![then, otherwise]), span));
                names.extend(yes);
                names.extend(no);
            }
        }
    }
    and(parts, span)
}

/// Checks that a new name is given to a term. Adds the names to those that were mentioned.
fn problem(var: &Ident, term: &Expr, names: &mut Set<Arc<str>>) -> Option<Diagnostic> {
    let is_formula = match &term.kind {
        ExprKind::Binary { op, .. } => !op.is_operation(),
        ExprKind::Bool(_)
        | ExprKind::Safety { .. }
        | ExprKind::Not(_)
        | ExprKind::Distinct(_)
        | ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Quantifier { .. } => true,
        _ => false,
    };
    if is_formula {
        return Some(no_term(term.span(), "this is a formula"));
    }
    // The sort may stand after the name.
    let plain = plain(var);
    mentioned(term, names);
    if names.insert(Arc::clone(&plain)) {
        return None;
    }
    let what = format!("the prophecy variable `{plain}` occurs before it has a value");
    let error = Diagnostic::error(Code::Program, var.span(), what)
        .label("in the claim, in this term, or in an earlier part of the proof");
    Some(error.help("a prophecy variable is a new name, and its term says nothing of itself"))
}

/// Returns the error that a prophecy variable has no term as its value.
pub(super) fn no_term(span: Span, label: &str) -> Diagnostic {
    let error = Diagnostic::error(Code::Program, span, "a prophecy variable stands for a term").label(label);
    error.help("write `let V = term`; a formula is no term")
}

fn equation(var: &Ident, term: &Expr) -> Expr {
    let name = Expr::new(ExprKind::Ref { name: var.clone(), primes: 0, args: None }, var.span());
    let sides = Box::new([name, term.clone()]);
    let kind = ExprKind::Binary { op: BinaryOp::Equal, op_place: Place(var.span()), sides };
    Expr::new(kind, var.span().to(term.span()))
}

/// Returns a name without the sort that may stand after it.
fn plain(name: &Ident) -> Arc<str> {
    name.name.split(':').next().unwrap_or_default().into()
}

/// Adds the names in a formula.
fn mentioned(formula: &Expr, names: &mut Set<Arc<str>>) {
    match &formula.kind {
        ExprKind::Ref { name, .. } => {
            names.insert(plain(name));
        }
        ExprKind::Quantifier { vars, .. } => names.extend(vars.iter().map(|var| plain(&var.name))),
        ExprKind::Let { var, .. } => {
            names.insert(plain(&var.name));
        }
        _ => {}
    }
    formula.for_each_child(|child| mentioned(child, names));
}

/// Returns the conjunction of formulas; `true` for none.
fn and(mut formulas: Vec<Expr>, span: Span) -> Expr {
    match formulas.len() {
        0 => Expr::new(ExprKind::Bool(true), span),
        1 => formulas.remove(0),
        _ => Expr::new(ExprKind::And(formulas), span),
    }
}

/// Returns the implication of two formulas.
pub(super) fn implies(condition: Expr, body: Expr) -> Expr {
    let span = body.span();
    let op_place = Place(span);
    Expr::new(ExprKind::Binary { op: BinaryOp::Implies, op_place, sides: Box::new([condition, body]) }, span)
}
