//! What is known of `x + 1` and `x - 1` on numbers, for terms without variables: the next number and the one before. And what
//! operations on numerals give.

use std::sync::Arc;

use super::commands::command;
use super::declarations::renamed;
use super::exprs::{binary, equal, not, reference};
use super::state::Expander;
use crate::ivy::ast::{Expr, ExprKind, Interpretation, SortName, SortRef, SortedVar};
use crate::program::ast::{BinaryOp, Command, CommandKind};
use ramsey_core::base::span::Span;

impl Expander<'_, '_> {
    /// Returns what is assumed of a sum or difference: with 1 it is the next number or the one before, or what it is at the ends of
    /// its type; `None` where nothing is known, and where the type is not known to have numbers.
    pub(super) fn next_number(&self, op: BinaryOp, sides: &[Expr; 2], span: Span) -> Option<Command> {
        let [of, by] = sides;
        let sort = self.sort_of(of).or_else(|| self.sort_of(by))?;
        let SortName::Named(named) = &sort.name else { return None };
        if !self.is_ground(of) || !self.is_ground(by) {
            return None;
        }
        if numeral(by).map(|(size, _)| size) != Some(1) {
            let fact = self.other_number(op, sides, &sort, span)?;
            return Some(command(CommandKind::Assume(fact), span));
        }
        let (least, greatest) = match &self.interpreted.get(named)?.0 {
            Interpretation::Integers => (None, None),
            Interpretation::Naturals => (Some("0".into()), None),
            Interpretation::Bits(bits @ 0..=63) => {
                (Some("0".into()), Some(((1_u64 << bits) - 1).to_string().into()))
            }
            Interpretation::Range(..) => {
                let [low, high] = self.range_ends.get(named)?.clone();
                // Where 1 is below the least number, it stands for that, and the sum is another one.
                if !matches!(&*low, "0" | "1") {
                    return None;
                }
                (Some(low), Some(high))
            }
            _ => return None,
        };
        let wraps = matches!(self.interpreted.get(named)?.0, Interpretation::Bits(_));
        let value = binary(op, of, by, span);
        let is_next = op == BinaryOp::Plus;
        let less = |left: &Expr, right: &Expr| {
            let (left, right) = if is_next { (left, right) } else { (right, left) };
            binary(BinaryOp::Less, left, right, span)
        };
        let other: Arc<str> = "Z@number".into();
        let var = reference(other.clone(), Vec::new(), span);
        let reaches = Expr::new(ExprKind::Or(vec![less(&value, &var), equal(&value, &var, span)]), span);
        let body = Box::new(binary(BinaryOp::Implies, &less(of, &var), &reaches, span));
        let vars = vec![SortedVar { name: renamed(other, span), sort: Some(sort.clone()) }];
        let nearest = Expr::new(ExprKind::Quantifier { universal: true, vars, body }, span);
        let step = Expr::new(ExprKind::And(vec![less(of, &value), nearest]), span);
        // At the end of the type, values begin anew, or stay.
        let (end, beyond) = if is_next { (&greatest, &least) } else { (&least, &greatest) };
        let fact = match (end, beyond) {
            (None, _) => step,
            (Some(end), beyond) => {
                let end = number(end, &sort, span);
                let after = match beyond {
                    Some(first) if wraps => number(first, &sort, span),
                    _ => end.clone(),
                };
                let at_end =
                    Expr::new(ExprKind::And(vec![equal(of, &end, span), equal(&value, &after, span)]), span);
                Expr::new(ExprKind::Or(vec![at_end, step]), span)
            }
        };
        Some(command(CommandKind::Assume(fact), span))
    }

    /// Returns what is known of another sum or difference of integers or natural numbers: it is greater, or less, than what a numeral
    /// is added to, or subtracted from, and a sum of natural numbers is not less than these.
    fn other_number(&self, op: BinaryOp, sides: &[Expr; 2], sort: &SortRef, span: Span) -> Option<Expr> {
        let SortName::Named(named) = &sort.name else { return None };
        let is_natural = match self.interpreted.get(named)?.0 {
            Interpretation::Integers => false,
            Interpretation::Naturals => true,
            _ => return None,
        };
        let [of, by] = sides;
        let value = binary(op, of, by, span);
        let less = |left: &Expr, right: &Expr| binary(BinaryOp::Less, left, right, span);
        let is_size = numeral(by).is_some_and(|(size, _)| size > 1);
        Some(match op {
            BinaryOp::Plus if is_size => less(of, &value),
            BinaryOp::Minus if is_size && !is_natural => less(&value, of),
            BinaryOp::Minus if is_size => {
                let zero = number(&"0".into(), sort, span);
                let at_end =
                    Expr::new(ExprKind::And(vec![equal(of, &zero, span), equal(&value, &zero, span)]), span);
                Expr::new(ExprKind::Or(vec![at_end, less(&value, of)]), span)
            }
            BinaryOp::Plus if is_natural => {
                let parts = [of, by].map(|part| not(less(&value, part), span));
                Expr::new(ExprKind::And(parts.to_vec()), span)
            }
            BinaryOp::Minus if is_natural => not(less(of, &value), span),
            _ => return None,
        })
    }

    /// Returns the numeral that an operation on two numerals gives, where the type is known to have numbers and one that is written
    /// so is the value.
    pub(super) fn computed(&self, kind: &ExprKind, span: Span) -> Option<Expr> {
        let ExprKind::Binary { op, sides, .. } = kind else { return None };
        let [(left, of_left), (right, of_right)] = [numeral(&sides[0])?, numeral(&sides[1])?];
        let sort = match (of_left, of_right) {
            (Some(sort), None) | (None, Some(sort)) => sort,
            (Some(sort), Some(other)) if sort == other => sort,
            _ => return None,
        };
        let (difference, sum, product) =
            (left.checked_sub(right), left.checked_add(right), left.checked_mul(right));
        let value = match (&self.interpreted.get(sort)?.0, op) {
            (Interpretation::Integers | Interpretation::Naturals, BinaryOp::Plus) => sum?,
            (Interpretation::Integers | Interpretation::Naturals, BinaryOp::Times) => product?,
            (Interpretation::Integers | Interpretation::Naturals, BinaryOp::Divide) => {
                left.checked_div(right)?
            }
            // No numeral is less than 0.
            (Interpretation::Integers, BinaryOp::Minus) => difference?,
            (Interpretation::Naturals, BinaryOp::Minus) => left.saturating_sub(right),
            (Interpretation::Bits(bits @ 1..=63), _) => {
                let size = 1_u64 << bits;
                if left.max(right) >= size {
                    return None;
                }
                let value = match op {
                    BinaryOp::Plus => left.wrapping_add(right),
                    BinaryOp::Minus => left.wrapping_sub(right),
                    BinaryOp::Times => left.wrapping_mul(right),
                    // That of Ivy has signs.
                    _ => return None,
                };
                value % size
            }
            (Interpretation::Range(..), BinaryOp::Plus | BinaryOp::Minus) => {
                let [low, high] = self.range_ends.get(sort)?;
                let high: u64 = high.parse().ok()?;
                if **low != *"0" || left.max(right) > high {
                    return None;
                }
                if *op == BinaryOp::Plus { sum?.min(high) } else { left.saturating_sub(right) }
            }
            _ => return None,
        };
        Some(reference(format!("{value}:{sort}").into(), Vec::new(), span))
    }

    /// Returns whether an expression has no variables other than those of commands, and those that have values without any.
    pub(super) fn is_ground(&self, expr: &Expr) -> bool {
        expr.nodes().all(|expr| match &expr.kind {
            ExprKind::Ref { name, args, .. } => {
                args.is_some()
                    || self.symbols.contains_key(&name.name)
                    || name.name.contains(':')
                    || self.locals.iter().any(|local| local.name == name.name)
                    || self.given.iter().any(|given| given.name.name == name.name)
            }
            ExprKind::Quantifier { .. } | ExprKind::Let { .. } => false,
            _ => true,
        })
    }
}

/// Returns the number that an expression is written as, and its type, if that is given.
fn numeral(expr: &Expr) -> Option<(u64, Option<&str>)> {
    let (text, sort) = match &expr.kind {
        ExprKind::Int(text) => (&**text, None),
        ExprKind::Ref { name, args: None, .. } => {
            let (text, sort) = name.name.split_once(':')?;
            (text, Some(sort))
        }
        _ => return None,
    };
    let is_written =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    Some((text.parse().ok().filter(|_| is_written)?, sort))
}

/// Returns a numeral of a type, or a constant.
fn number(text: &Arc<str>, sort: &SortRef, span: Span) -> Expr {
    match &sort.name {
        SortName::Named(sort) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            reference(format!("{text}:{sort}").into(), Vec::new(), span)
        }
        _ => reference(text.clone(), Vec::new(), span),
    }
}
