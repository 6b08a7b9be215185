//! Expressions made and simplified, with subexpressions at their positions in the source.

use std::sync::Arc;

use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Place, SortedVar};
use crate::fol::is_capital;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;

/// A name as it occurs in a syntax tree.
pub(super) type Name = Arc<str>;

pub(super) fn ident(name: &str, span: Span) -> Ident {
    Ident { name: name.into(), place: Place(span) }
}

/// Returns a variable without a sort.
pub(super) fn unsorted(name: &str, span: Span) -> SortedVar {
    SortedVar { name: ident(name, span), sort: None }
}

pub(super) fn truth(value: bool, span: Span) -> Expr {
    Expr::new(ExprKind::Bool(value), span)
}

fn truth_value(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Bool(value) => Some(value),
        _ => None,
    }
}

/// Returns a name with arguments, or without parentheses if there are none.
pub(super) fn apply(name: &str, primes: u32, args: Vec<Expr>, span: Span) -> Expr {
    let args = if args.is_empty() { None } else { Some(args) };
    Expr::new(ExprKind::Ref { name: ident(name, span), primes, args }, span)
}

pub(super) fn constant(name: &str, span: Span) -> Expr {
    apply(name, 0, Vec::new(), span)
}

pub(super) fn constants(names: &[Name], span: Span) -> Vec<Expr> {
    names.iter().map(|name| constant(name, span)).collect()
}

/// Returns the outermost universally quantified variables, and what is below.
pub(super) fn outermost(formula: &Expr) -> (&[SortedVar], &Expr) {
    match &formula.kind {
        ExprKind::Quantifier { universal: true, vars, body } => (vars, body),
        _ => (&[], formula),
    }
}

/// Returns the name, the number of primes and the arguments of a reference.
pub(super) fn reference(expr: &Expr) -> Option<(&Ident, u32, &[Expr])> {
    match &expr.kind {
        ExprKind::Ref { name, primes, args } => Some((name, *primes, args.as_deref().unwrap_or_default())),
        _ => None,
    }
}

/// Returns the name of a reference without arguments and primes.
pub(super) fn plain(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Ref { name, primes: 0, args: None } => Some(&name.name),
        _ => None,
    }
}

/// Returns the operands of nested conjunctions.
pub(super) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::And(items) => items.iter().flat_map(conjuncts).collect(),
        _ => vec![expr],
    }
}

/// Splits a formula into conjuncts, also those under an outermost quantifier.
pub(super) fn distributed(formula: &Expr) -> Vec<Expr> {
    let mut parts = Vec::new();
    for conjunct in conjuncts(formula) {
        match outermost(conjunct) {
            ([], _) => parts.push(conjunct.clone()),
            (vars, body) => {
                parts.extend(distributed(body).into_iter().map(|part| quantified(true, vars.to_vec(), part)));
            }
        }
    }
    parts
}

fn disjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Or(items) => items.iter().flat_map(disjuncts).collect(),
        _ => vec![expr],
    }
}

pub(super) fn and(items: Vec<Expr>, span: Span) -> Expr {
    joined(items.iter().flat_map(conjuncts), true, ExprKind::And, span)
}

pub(super) fn or(items: Vec<Expr>, span: Span) -> Expr {
    joined(items.iter().flat_map(disjuncts), false, ExprKind::Or, span)
}

/// Joins each operand once, without those whose value is `neutral`.
fn joined<'a>(
    items: impl Iterator<Item = &'a Expr>,
    neutral: bool,
    join: fn(Vec<Expr>) -> ExprKind,
    span: Span,
) -> Expr {
    let mut flat: Vec<Expr> = Vec::new();
    for item in items {
        match truth_value(item) {
            Some(value) if value == neutral => {}
            Some(value) => return truth(value, span),
            None if flat.contains(item) => {}
            None => flat.push(item.clone()),
        }
    }
    match flat.len() {
        0 => truth(neutral, span),
        1 => flat.remove(0),
        _ => Expr::new(join(flat), span),
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    let span = expr.span();
    match expr.kind {
        ExprKind::Bool(value) => truth(!value, span),
        ExprKind::Not(inner) => *inner,
        ExprKind::Binary { op: BinaryOp::Equal, sides, .. } => binary(BinaryOp::NotEqual, *sides, span),
        ExprKind::Binary { op: BinaryOp::NotEqual, sides, .. } => binary(BinaryOp::Equal, *sides, span),
        kind => Expr::new(ExprKind::Not(Box::new(Expr::new(kind, span))), span),
    }
}

pub(super) fn binary(op: BinaryOp, sides: [Expr; 2], span: Span) -> Expr {
    Expr::new(ExprKind::Binary { op, op_place: Place(span), sides: Box::new(sides) }, span)
}

pub(super) fn implies(a: Expr, b: Expr) -> Expr {
    let span = b.span();
    match (truth_value(&a), truth_value(&b)) {
        (Some(true), _) => b,
        (Some(false), _) | (_, Some(true)) => truth(true, span),
        (_, Some(false)) => not(a),
        _ => match b.kind {
            // One implication reads better than two.
            ExprKind::Binary { op: BinaryOp::Implies, sides, .. } => {
                let [inner, conclusion] = *sides;
                binary(BinaryOp::Implies, [and(vec![a, inner], span), conclusion], span)
            }
            kind => binary(BinaryOp::Implies, [a, Expr::new(kind, span)], span),
        },
    }
}

/// Returns `left <-> right` for formulas, `left = right` for terms.
pub(super) fn same(left: Expr, right: Expr, is_formula: bool) -> Expr {
    let span = right.span();
    match truth_value(&right) {
        Some(true) => left,
        Some(false) => not(left),
        None if is_formula => binary(BinaryOp::Iff, [left, right], span),
        None => binary(BinaryOp::Equal, [left, right], span),
    }
}

/// Returns `if c then a else b`, for formulas by other operators where that is shorter.
pub(super) fn choose(c: Expr, a: Expr, b: Expr, is_formula: bool) -> Expr {
    let span = c.span();
    if a == b {
        return a;
    }
    match truth_value(&c) {
        Some(true) => return a,
        Some(false) => return b,
        None => {}
    }
    if is_formula {
        match (truth_value(&a), truth_value(&b)) {
            (Some(true), _) => return or(vec![b, c], span),
            (Some(false), _) => return and(vec![b, not(c)], span),
            (_, Some(false)) => return and(vec![c, a], span),
            (_, Some(true)) => return implies(c, a),
            _ => {}
        }
        if let Some(extra) = without(&disjuncts(&a), &disjuncts(&b)) {
            return or(vec![b, and(vec![c, or(extra, span)], span)], span);
        }
        if let Some(extra) = without(&disjuncts(&b), &disjuncts(&a)) {
            return or(vec![a, and(vec![not(c), or(extra, span)], span)], span);
        }
        if let Some(extra) = without(&conjuncts(&a), &conjuncts(&b)) {
            return and(vec![b, or(vec![not(c), and(extra, span)], span)], span);
        }
        if let Some(extra) = without(&conjuncts(&b), &conjuncts(&a)) {
            return and(vec![a, or(vec![c, and(extra, span)], span)], span);
        }
    }
    // Branches that agree need one condition.
    if let ExprKind::Ite(parts) = &b.kind {
        let [inner, then, otherwise] = &**parts;
        if *otherwise == a {
            return choose(and(vec![not(c), inner.clone()], span), then.clone(), a, is_formula);
        }
    }
    if let ExprKind::Ite(parts) = &a.kind {
        let [inner, then, otherwise] = &**parts;
        if *otherwise == b {
            return choose(and(vec![c, inner.clone()], span), then.clone(), b, is_formula);
        }
    }
    match c.kind {
        ExprKind::Not(inner) => Expr::new(ExprKind::Ite(Box::new([*inner, b, a])), span),
        kind => Expr::new(ExprKind::Ite(Box::new([Expr::new(kind, span), a, b])), span),
    }
}

/// Returns the items of `all` after those of `first`, if `all` begins with them.
fn without(all: &[&Expr], first: &[&Expr]) -> Option<Vec<Expr>> {
    let rest = all.strip_prefix(first)?;
    Some(rest.iter().map(|&item| item.clone()).collect())
}

/// Returns the formula with a quantifier over those variables that occur in it.
pub(super) fn quantified(universal: bool, vars: Vec<SortedVar>, body: Expr) -> Expr {
    let free = free(&body);
    let vars: Vec<SortedVar> = vars.into_iter().filter(|var| free.contains(&var.name.name)).collect();
    let span = body.span();
    match body.kind {
        kind if vars.is_empty() => Expr::new(kind, span),
        ExprKind::Quantifier { universal: same, vars: inner, body }
            if same == universal && inner.iter().all(|it| vars.iter().all(|var| var.name != it.name)) =>
        {
            let vars = vars.into_iter().chain(inner).collect();
            Expr::new(ExprKind::Quantifier { universal, vars, body }, span)
        }
        kind => {
            let body = Box::new(Expr::new(kind, span));
            Expr::new(ExprKind::Quantifier { universal, vars, body }, span)
        }
    }
}

/// Returns a quantifier without the variables that nothing gives a sort: they do not occur, and every sort has elements.
fn used(universal: bool, mut vars: Vec<SortedVar>, body: Box<Expr>) -> Expr {
    let free = free(&body);
    vars.retain(|var| var.sort.is_some() || free.contains(&var.name.name));
    let span = body.span();
    if vars.is_empty() { *body } else { Expr::new(ExprKind::Quantifier { universal, vars, body }, span) }
}

/// Returns the formula without what is true of everything: `x = x`, `a & b -> a`, and so on.
pub(super) fn simplified(expr: &Expr) -> Expr {
    let span = expr.span();
    match expr.map_children(simplified) {
        ExprKind::And(items) => and(items, span),
        ExprKind::Or(items) => or(items, span),
        ExprKind::Not(inner) if truth_value(&inner).is_some() => not(*inner),
        ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::Iff, sides, .. } if sides[0] == sides[1] => {
            truth(true, span)
        }
        ExprKind::Binary { op: BinaryOp::NotEqual, sides, .. } if sides[0] == sides[1] => truth(false, span),
        ExprKind::Binary { op: BinaryOp::Implies, sides, .. } => {
            let [a, b] = *sides;
            let premises = conjuncts(&a);
            if conjuncts(&b).iter().all(|item| premises.contains(item)) {
                return truth(true, span);
            }
            if truth_value(&a).is_some() || truth_value(&b).is_some() {
                return implies(a, b);
            }
            binary(BinaryOp::Implies, [a, b], span)
        }
        ExprKind::Quantifier { body, .. } if truth_value(&body).is_some() => *body,
        ExprKind::Quantifier { universal, vars, body } => used(universal, vars, body),
        kind => Expr::new(kind, span),
    }
}

/// Returns the names that occur in an expression and are not bound in it, symbols among them.
pub(super) fn free(expr: &Expr) -> Set<Name> {
    let mut found = Set::default();
    collect_free(expr, &mut Vec::new(), &mut found);
    found
}

fn collect_free<'a>(expr: &'a Expr, bound: &mut Vec<&'a Name>, found: &mut Set<Name>) {
    let outside = bound.len();
    match &expr.kind {
        ExprKind::Ref { name, .. } => {
            if !bound.contains(&&name.name) {
                found.insert(name.name.clone());
            }
            expr.for_each_child(|child| collect_free(child, bound, found));
        }
        ExprKind::Quantifier { vars, body, .. } => {
            bound.extend(vars.iter().map(|var| &var.name.name));
            collect_free(body, bound, found);
        }
        ExprKind::Let { var, parts } => {
            collect_free(&parts[0], bound, found);
            bound.push(&var.name.name);
            collect_free(&parts[1], bound, found);
        }
        _ => expr.for_each_child(|child| collect_free(child, bound, found)),
    }
    bound.truncate(outside);
}

/// Returns the free names of a formula that are quantified implicitly, in the order of their first occurrence.
pub(super) fn implicit(formula: &Expr, is_declared: &dyn Fn(&str) -> bool) -> Vec<SortedVar> {
    let mut names: Vec<(Name, Span)> = Vec::new();
    let mut open: Vec<(&Expr, Vec<&Name>)> = vec![(formula, Vec::new())];
    while let Some((expr, bound)) = open.pop() {
        let mut inner = bound.clone();
        match &expr.kind {
            ExprKind::Ref { name, args: None, .. }
                if is_capital(&name.name)
                    && !bound.contains(&&name.name)
                    && !is_declared(&name.name)
                    && names.iter().all(|(known, _)| *known != name.name) =>
            {
                names.push((name.name.clone(), name.span()));
            }
            ExprKind::Quantifier { vars, .. } => inner.extend(vars.iter().map(|var| &var.name.name)),
            ExprKind::Let { var, .. } => inner.push(&var.name.name),
            _ => {}
        }
        let from = open.len();
        expr.for_each_child(|child| open.push((child, inner.clone())));
        open[from..].reverse();
    }
    names.iter().map(|(name, span)| unsorted(name, *span)).collect()
}

/// Leaves out the outermost universal quantifier of a formula if it is implicit: its variables are names in capital
/// letters without sorts.
pub(super) fn opened(formula: Expr, is_declared: &dyn Fn(&str) -> bool) -> Expr {
    let span = formula.span();
    match formula.kind {
        ExprKind::Quantifier { universal: true, vars, body }
            if vars.iter().all(|var| {
                var.sort.is_none() && is_capital(&var.name.name) && !is_declared(&var.name.name)
            }) =>
        {
            *body
        }
        kind => Expr::new(kind, span),
    }
}

/// An occurrence of a name that is not bound, with its rewritten arguments.
pub(super) struct Leaf<'a> {
    pub(super) name: &'a Ident,
    pub(super) primes: u32,
    pub(super) args: Option<Vec<Expr>>,
    pub(super) span: Span,
}

impl Leaf<'_> {
    /// Returns the occurrence as it is.
    pub(super) fn unchanged(self) -> Expr {
        let kind = ExprKind::Ref { name: self.name.clone(), primes: self.primes, args: self.args };
        Expr::new(kind, self.span)
    }
}

/// Replaces names that are not bound. Bound variables with a name in `avoid` get another one, so `avoid` has to contain
/// the free names of everything that `replace` returns.
pub(super) fn rewrite(expr: &Expr, avoid: &Set<Name>, replace: &mut dyn FnMut(Leaf<'_>) -> Expr) -> Expr {
    Rewriter { avoid, replace, bound: Vec::new() }.expr(expr)
}

struct Rewriter<'a> {
    avoid: &'a Set<Name>,
    replace: &'a mut dyn FnMut(Leaf<'_>) -> Expr,
    /// Bound variables with their new names, innermost last.
    bound: Vec<(Name, Name)>,
}

impl Rewriter<'_> {
    fn list(&mut self, items: &[Expr]) -> Vec<Expr> {
        items.iter().map(|item| self.expr(item)).collect()
    }

    #[inline(never)]
    fn expr(&mut self, expr: &Expr) -> Expr {
        let span = expr.span();
        let kind = match &expr.kind {
            ExprKind::Ref { name, primes, args } => {
                if args.is_none()
                    && let Some((_, new)) = self.bound.iter().rev().find(|(old, _)| *old == name.name)
                {
                    return Expr::new(
                        ExprKind::Ref { name: ident(new, name.span()), primes: *primes, args: None },
                        span,
                    );
                }
                let args = args.as_ref().map(|args| self.list(args));
                return (self.replace)(Leaf { name, primes: *primes, args, span });
            }
            ExprKind::Quantifier { universal, vars, body } => {
                let outside = self.bound.len();
                let vars = vars.iter().map(|var| self.bind(var, body)).collect();
                let body = Box::new(self.expr(body));
                self.bound.truncate(outside);
                ExprKind::Quantifier { universal: *universal, vars, body }
            }
            ExprKind::Let { var, parts } => {
                let value = self.expr(&parts[0]);
                let outside = self.bound.len();
                let var = self.bind(var, &parts[1]);
                let body = self.expr(&parts[1]);
                self.bound.truncate(outside);
                ExprKind::Let { var: Box::new(var), parts: Box::new([value, body]) }
            }
            _ => expr.map_children(|child| self.expr(child)),
        };
        Expr::new(kind, span)
    }

    fn bind(&mut self, var: &SortedVar, body: &Expr) -> SortedVar {
        let mut name = var.name.name.clone();
        if self.avoid.contains(&name) {
            let taken = free(body);
            let is_free = |name: &Name| {
                !self.avoid.contains(name)
                    && !taken.contains(name)
                    && self.bound.iter().all(|(old, new)| old != name && new != name)
                    && !binds(body, name)
            };
            name = (1..).map(|at| format!("{}_{at}", var.name.name).into()).find(is_free).unwrap_or(name);
        }
        self.bound.push((var.name.name.clone(), name.clone()));
        SortedVar { name: ident(&name, var.name.span()), sort: var.sort.clone() }
    }
}

/// Returns whether a quantifier or `let` in `expr` binds `name`.
pub(super) fn binds(expr: &Expr, name: &Name) -> bool {
    expr.nodes().any(|expr| match &expr.kind {
        ExprKind::Quantifier { vars, .. } => vars.iter().any(|var| var.name.name == *name),
        ExprKind::Let { var, .. } => var.name.name == *name,
        _ => false,
    })
}

/// Replaces names without arguments by expressions.
pub(super) fn substitute(expr: &Expr, map: &Map<Name, Expr>) -> Expr {
    if map.is_empty() {
        return expr.clone();
    }
    let avoid = map.values().flat_map(free).collect();
    rewrite(expr, &avoid, &mut |leaf| match map.get(&leaf.name.name) {
        Some(value) if leaf.args.is_none() => value.clone(),
        _ => leaf.unchanged(),
    })
}

/// Returns the expression with the values of `let` in the places of their variables.
pub(super) fn without_lets(expr: &Expr) -> Expr {
    match expr.map_children(without_lets) {
        ExprKind::Quantifier { universal, vars, body } => used(universal, vars, body),
        ExprKind::Let { var, parts } => {
            let [value, body] = *parts;
            substitute(&body, &Map::from_iter([(var.name.name.clone(), value)]))
        }
        kind => Expr::new(kind, expr.span()),
    }
}
