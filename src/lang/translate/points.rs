//! Assignments of values, at single points where that is what they are.

use super::execute::Value;
use super::exprs::{Name, apply, conjuncts, constants, free, ident, plain, truth};
use super::table::Table;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Place};
use crate::program::ast::{Command, CommandKind};
use ramsey_core::base::hash::Set;

/// Returns the command `symbol(heads) := value`, if it changes anything.
pub(super) fn assignment(table: &Table, name: &Name, value: &Value) -> Option<Command> {
    let span = value.body.span();
    let heads = value.args();
    let current = apply(name, 0, heads.clone(), span);
    if value.body == current {
        return None;
    }
    let place = Place(span);
    let target = ident(name, span);
    if !heads.is_empty()
        && let Some((args, new)) = points(&current, &value.heads, &value.body, table.is_formula(name))
    {
        let all_are_terms = args.iter().zip(&heads).all(|(arg, head)| arg != head);
        let kind = match new.kind {
            ExprKind::Bool(insert) if all_are_terms => {
                CommandKind::Update { target, insert, args, condition: None }
            }
            kind => CommandKind::Assign { target, args: Some(args), value: Expr::new(kind, span) },
        };
        return Some(Command { kind, place });
    }
    let args = if heads.is_empty() { None } else { Some(heads) };
    let kind = CommandKind::Assign { target, args, value: value.body.clone() };
    Some(Command { kind, place })
}

/// Reads `current | point`, `current & !point` and `if point then value else current`, where the point says what some
/// of the variables are.
fn points(current: &Expr, heads: &[Name], body: &Expr, is_formula: bool) -> Option<(Vec<Expr>, Expr)> {
    let span = body.span();
    let at = |condition: &Expr, negated: bool| point(heads, condition, negated);
    match &body.kind {
        ExprKind::Or(items) if is_formula => {
            let [a, b] = items.as_slice() else { return None };
            let condition = if a == current { b } else { Some(a).filter(|_| b == current)? };
            Some((at(condition, false)?, truth(true, span)))
        }
        ExprKind::And(items) if is_formula => {
            if items.first() == Some(current) || items.last() == Some(current) {
                let rest: Vec<&Expr> = items.iter().filter(|item| *item != current).collect();
                let [only] = rest.as_slice() else { return None };
                return Some((at(only, true)?, truth(false, span)));
            }
            None
        }
        ExprKind::Ite(parts) => {
            let [condition, then, otherwise] = &**parts;
            let (args, value) = if otherwise == current {
                (at(condition, false)?, then)
            } else if then == current {
                (at(condition, true)?, otherwise)
            } else {
                return None;
            };
            // A variable that is a term now stands for no other one.
            let gone: Set<Name> = heads
                .iter()
                .zip(&args)
                .filter(|(head, arg)| plain(arg) != Some(*head))
                .map(|(head, _)| head.clone())
                .collect();
            if free(value).iter().any(|name| gone.contains(name)) {
                return None;
            }
            Some((args, value.clone()))
        }
        _ => None,
    }
}

/// Reads `x1 = t1 & .. & xn = tn`, or its negation, as the arguments at which that holds. Terms do not mention the
/// variables.
pub(super) fn point(heads: &[Name], condition: &Expr, negated: bool) -> Option<Vec<Expr>> {
    let equations: Vec<&Expr> = match (&condition.kind, negated) {
        (ExprKind::Not(inner), true) => return point(heads, inner, false),
        (ExprKind::Or(items), true) => items.iter().collect(),
        (_, true) => vec![condition],
        (_, false) => conjuncts(condition),
    };
    let wanted = if negated && !matches!(condition.kind, ExprKind::Not(_)) {
        BinaryOp::NotEqual
    } else {
        BinaryOp::Equal
    };
    let mut args = constants(heads, condition.span());
    let mut known: Set<Name> = Set::default();
    for equation in equations {
        let ExprKind::Binary { op, sides, .. } = &equation.kind else { return None };
        if *op != wanted {
            return None;
        }
        let is_head = |side: &Expr| plain(side).is_some_and(|name| heads.contains(name));
        let (head, term) = if is_head(&sides[0]) {
            (&sides[0], &sides[1])
        } else if is_head(&sides[1]) {
            (&sides[1], &sides[0])
        } else {
            return None;
        };
        let head = plain(head)?;
        if free(term).iter().any(|name| heads.contains(name)) || !known.insert(head.clone()) {
            return None;
        }
        let at = heads.iter().position(|name| name == head)?;
        *args.get_mut(at)? = term.clone();
    }
    Some(args)
}
