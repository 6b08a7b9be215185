//! Formulas that define the value of a symbol.

use super::execute::Value;
use super::exprs::{
    Name, and, binary, choose, constant, free, outermost, plain, quantified, reference, substitute, truth,
};
use super::table::Table;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, SortedVar};
use ramsey_core::base::hash::{Map, Set};

/// Returns whether a name has primes in an expression.
pub(super) fn has_primes(expr: &Expr) -> bool {
    expr.nodes().any(|expr| matches!(expr.kind, ExprKind::Ref { primes: 1.., .. } | ExprKind::New(_)))
}

/// Reads a formula of the form `forall X. symbol(X) <-> value`, with so many primes after the symbol and none in the
/// value.
pub(super) fn definition(table: &Table, formula: &Expr, primes: u32) -> Option<(Name, Value)> {
    let (vars, body) = outermost(formula);
    let span = body.span();
    let (name, heads, value) = match &body.kind {
        ExprKind::Binary { op: BinaryOp::Iff | BinaryOp::Equal, sides, .. } => {
            let [a, b] = &**sides;
            let sides = [(a, b), (b, a)].into_iter();
            let mut found = sides.filter_map(|(head, value)| {
                let (name, heads) = head_of(table, head, vars, primes)?;
                is_value(&name, value, primes).then(|| (name, heads, value.clone()))
            });
            found.next()?
        }
        ExprKind::Ref { .. } => {
            let (name, heads) = head_of(table, body, vars, primes)?;
            (name, heads, truth(true, span))
        }
        ExprKind::Not(inner) => {
            let (name, heads) = head_of(table, inner, vars, primes)?;
            (name, heads, truth(false, span))
        }
        ExprKind::Ite(parts) if vars.is_empty() && !has_primes(&parts[0]) => {
            let (name, then) = definition(table, &parts[1], primes)?;
            let (other, otherwise) = definition(table, &parts[2], primes)?;
            if name != other || primes == 0 {
                return None;
            }
            let otherwise = otherwise.at(then.args());
            let body = choose(parts[0].clone(), then.body, otherwise, table.is_formula(&name));
            return Some((name, Value { heads: then.heads, body }));
        }
        _ => return None,
    };
    Some((name, Value { heads, body: value }))
}

/// Reads `symbol(x1, .., xn)` with distinct variables that are all of `vars`.
fn head_of(table: &Table, expr: &Expr, vars: &[SortedVar], primes: u32) -> Option<(Name, Vec<Name>)> {
    let (name, found, args) = reference(expr)?;
    if found != primes || !table.symbols.contains_key(&name.name) || args.len() != vars.len() {
        return None;
    }
    let mut heads: Vec<Name> = Vec::new();
    for arg in args {
        let var = plain(arg)?;
        if heads.contains(var) || vars.iter().all(|known| known.name.name != *var) {
            return None;
        }
        heads.push(var.clone());
    }
    Some((name.name.clone(), heads))
}

fn is_value(name: &Name, value: &Expr, primes: u32) -> bool {
    if primes > 0 { !has_primes(value) } else { !free(value).contains(name) }
}

/// Sorts assumptions about initial states into assignments and the rest, which are assumed after these.
pub(super) fn initial_values(table: &Table, formulas: Vec<Expr>) -> (Vec<(Name, Value)>, Vec<Expr>) {
    let mut assigned: Set<Name> = Set::default();
    let mut assignments = Vec::new();
    let mut rest = Vec::new();
    for formula in formulas {
        if let Some((name, value)) = definition(table, &formula, 0)
            && table.changed.contains(&name)
            && !assigned.contains(&name)
            && table
                .reads(&value.body)
                .iter()
                .all(|read| assigned.contains(read) || !table.changed.contains(read))
        {
            assigned.insert(name.clone());
            assignments.push((name, value));
        } else {
            rest.push(formula);
        }
    }
    (assignments, rest)
}

/// A formula `forall X. X != t -> symbol'(X) = value`.
pub(super) struct Elsewhere {
    pub(super) name: Name,
    /// The value at other points.
    pub(super) value: Value,
    /// The arguments that are not told: terms, and variables where the formula excludes all of them.
    point: Vec<Expr>,
}

impl Elsewhere {
    pub(super) fn of(table: &Table, formula: &Expr) -> Option<Elsewhere> {
        let ExprKind::Quantifier { universal: true, vars, body } = &formula.kind else { return None };
        let ExprKind::Binary { op: BinaryOp::Implies, sides, .. } = &body.kind else { return None };
        let [condition, rest] = &**sides;
        if has_primes(condition) {
            return None;
        }
        let (name, value) = definition(table, &quantified(true, vars.clone(), rest.clone()), 1)?;
        let point = super::points::point(&value.heads, condition, true)?;
        Some(Elsewhere { name, value, point })
    }

    /// Returns whether the point is a single one.
    pub(super) fn is_single(&self) -> bool {
        self.point.iter().zip(&self.value.heads).all(|(arg, head)| plain(arg) != Some(head))
    }

    /// Returns the whole value, with `here` at the point.
    pub(super) fn with(&self, table: &Table, here: Expr) -> Value {
        let span = self.value.body.span();
        let told = self.value.heads.iter().zip(&self.point).filter(|(head, arg)| plain(arg) != Some(*head));
        let equations =
            told.map(|(head, term)| binary(BinaryOp::Equal, [constant(head, span), term.clone()], span));
        let condition = and(equations.collect(), span);
        let body = choose(condition, here, self.value.body.clone(), table.is_formula(&self.name));
        Value { heads: self.value.heads.clone(), body }
    }

    /// Reads `symbol'(point) = value`, where the arguments that are not told are variables. Returns the value, over the
    /// variables of this formula.
    pub(super) fn here(&self, formula: &Expr) -> Option<Expr> {
        let (vars, body) = outermost(formula);
        let span = body.span();
        let (head, value) = match &body.kind {
            ExprKind::Binary { op: BinaryOp::Iff | BinaryOp::Equal, sides, .. } => {
                let [a, b] = &**sides;
                if self.variables(a, vars).is_some() { (a, b.clone()) } else { (b, a.clone()) }
            }
            ExprKind::Not(inner) => (&**inner, truth(false, span)),
            _ => (body, truth(true, span)),
        };
        let map = self.variables(head, vars)?;
        let clashes =
            free(&value).iter().any(|name| self.value.heads.contains(name) && !map.contains_key(name));
        (!has_primes(&value) && !clashes).then(|| substitute(&value, &map))
    }

    /// Returns the variables of this formula by those of another one, in which this is the symbol at the point.
    fn variables(&self, head: &Expr, vars: &[SortedVar]) -> Option<Map<Name, Expr>> {
        let (name, 1, args) = reference(head)? else { return None };
        if name.name != self.name || args.len() != self.point.len() {
            return None;
        }
        let mut map = Map::default();
        for ((arg, expected), own) in args.iter().zip(&self.point).zip(&self.value.heads) {
            if plain(expected) == Some(own) {
                let var = plain(arg).filter(|var| vars.iter().any(|it| it.name.name == **var))?;
                if map.insert(var.clone(), expected.clone()).is_some() {
                    return None;
                }
            } else if arg != expected {
                return None;
            }
        }
        (map.len() == vars.len()).then_some(map)
    }
}

/// Reads `forall X. X != t -> symbol'(X) = value` together with `symbol'(t) = other`. Returns the symbol, its value and
/// the two formulas.
pub(super) fn point_definition(table: &Table, formulas: &[Expr]) -> Option<(Name, Value, Vec<Expr>)> {
    formulas.iter().find_map(|formula| {
        let elsewhere = Elsewhere::of(table, formula)?;
        let mut rest = formulas.iter().filter_map(|other| Some((other, elsewhere.here(other)?)));
        let (other, here) = rest.next()?;
        let value = elsewhere.with(table, here);
        Some((elsewhere.name, value, vec![formula.clone(), other.clone()]))
    })
}
