//! R040: operators whose precedence differs from the layout of the text.

use super::formulas::Formula;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::fol::ast::{BinaryOp, Expr, ExprKind};

/// Maximum length of a formula repeated in a suggestion.
const MAX_SUGGESTION: usize = 60;

pub(super) fn check(formula: &Formula<'_>, found: &mut Vec<Diagnostic>) {
    for expr in formula.expr.nodes() {
        equivalence(expr, formula.text, found);
        swallowed(expr, formula.text, found);
    }
}

/// Checks for `a & b <-> c`, where the equivalence is the outermost operator.
fn equivalence(expr: &Expr, text: &str, found: &mut Vec<Diagnostic>) {
    let ExprKind::Binary { op: BinaryOp::Iff, op_place, sides } = &expr.kind else { return };
    let left = &sides[0];
    let sign = match &left.kind {
        ExprKind::And(_) => "&",
        ExprKind::Binary { op: BinaryOp::Implies, .. } => "->",
        _ => return,
    };
    if without_comments(text, left.span().end, op_place.0.start).contains(')') {
        return;
    }
    let (last, before) = match &left.kind {
        ExprKind::And(items) => (&items[items.len() - 1], &items[..items.len() - 1]),
        ExprKind::Binary { sides, .. } => (&sides[1], &sides[..1]),
        _ => return,
    };
    let excerpt = |from: u32, to: u32| -> Option<&str> {
        let excerpt = &text[from as usize..to as usize];
        (excerpt.len() <= MAX_SUGGESTION && !excerpt.contains(['\n', '#'])).then_some(excerpt)
    };
    let whole = expr.span();
    let first = before[0].span();
    let readings = (
        excerpt(left.span().start, left.span().end),
        excerpt(op_place.0.end, whole.end),
        excerpt(first.start, last.span().start),
        excerpt(last.span().start, whole.end),
    );
    let help = match readings {
        (Some(left), Some(right), Some(before), Some(after)) => {
            format!("write `({left}) <->{right}` if that is meant, or else `{before}({after})`")
        }
        _ => format!("add parentheses: `(a {sign} b) <-> c` or `a {sign} (b <-> c)`"),
    };
    found.push(
        Diagnostic::warning(
            Code::Precedence,
            op_place.0,
            format!("`<->` binds less than the `{sign}` before it, so its left side is all of that"),
        )
        .label("one equivalence of everything")
        .also(left.span(), "this is the left side")
        .help(help),
    );
}

/// Checks for a bullet of a list that is parsed as part of a quantifier, implication or `else` of the bullet before it.
fn swallowed(expr: &Expr, text: &str, found: &mut Vec<Diagnostic>) {
    let (items, sign) = match &expr.kind {
        ExprKind::And(items) => (items, '&'),
        ExprKind::Or(items) => (items, '|'),
        _ => return,
    };
    let start = expr.span().start;
    let line = text[..start as usize].rfind('\n').map_or(0, |at| at + 1);
    let head = &text[line..start as usize];
    let column = head.len() - head.trim_start().len();
    let Some(inside) = head.trim_start().strip_prefix(sign) else { return };
    // The list starts at this bullet, or is in parentheses, which is intended.
    if inside.trim().is_empty() || inside.contains('#') || depth(inside) > 0 {
        return;
    }
    for pair in items.windows(2) {
        let (from, to) = (pair[0].span().end, pair[1].span().start);
        let Some(at) = bullet(text, from, to, sign) else { continue };
        let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
        if !text[line..at].trim().is_empty() || at - line != column {
            continue;
        }
        let span = Span { start: at as u32, end: at as u32 + 1, ..expr.span() };
        let before = Span { start: line_of(text, start) + column as u32, end: start, ..expr.span() };
        found.push(
            Diagnostic::warning(
                Code::Precedence,
                span,
                format!("this `{sign}` looks like the next of a list, and belongs to the one before it"),
            )
            .label("inside of what begins above")
            .also(before, "this reaches as far to the right as it can")
            .help(format!("put what follows the `{sign}` above in parentheses: `{sign} (..)`")),
        );
        return;
    }
}

fn line_of(text: &str, at: u32) -> u32 {
    text[..at as usize].rfind('\n').map_or(0, |at| at as u32 + 1)
}

/// Returns the number of parentheses open at the end of `text`.
fn depth(text: &str) -> i32 {
    text.chars().map(|c| if c == '(' { 1 } else { -i32::from(c == ')') }).sum()
}

/// Returns the position of `sign` between two positions, ignoring comments.
fn bullet(text: &str, from: u32, to: u32, sign: char) -> Option<usize> {
    let mut at = from as usize;
    for line in text[from as usize..to as usize].split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        if let Some(here) = code.find(sign) {
            return Some(at + here);
        }
        at += line.len();
    }
    None
}

/// Returns the text between two positions without comments.
fn without_comments(text: &str, from: u32, to: u32) -> String {
    let lines = text[from as usize..to as usize].lines();
    lines.map(|line| line.split('#').next().unwrap_or_default()).collect()
}
