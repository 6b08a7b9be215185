//! Claims about states: assertions of programs, and what is to be shown.

use super::exprs::{Name, and, apply};
use super::items::change_formulas;
use super::table::Table;
use crate::fol::ast::{Expr, ExprKind};
use crate::program::ast::{CommandKind, Item, ItemKind, Role, commands_of, for_each_command};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;

/// The claims that were assertions, and their names.
#[derive(Default)]
pub(super) struct AssertionNames {
    known: Vec<(Expr, Span)>,
}

impl AssertionNames {
    /// Returns whether this is not the same assertion in another action.
    pub(super) fn is_new(&mut self, formula: &Expr, span: Span) -> bool {
        if self.known.iter().any(|(known, place)| *place == span && known == formula) {
            return false;
        }
        self.known.push((formula.clone(), span));
        true
    }

    /// Returns another name.
    pub(super) fn next(&mut self, taken: &mut Set<Name>) -> Name {
        fresh("assertion", taken)
    }
}

/// Returns the first of `plain`, `plain_2`, .. that is not taken, and takes it.
pub(super) fn fresh(plain: &str, taken: &mut Set<Name>) -> Name {
    let name = super::names::numbered(plain, &|name| taken.contains(name));
    taken.insert(name.clone());
    name
}

/// Replaces `safety` in formulas by the safety properties. Ivy has no such formula, and in `.pyv` it would stand for what was an
/// assertion as well.
pub(super) fn without_safety(items: &mut [Item]) {
    let table = Table::of(items);
    let properties = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Formula { role: Role::Safety, name, formula, .. } => Some(match name {
            Some(name) => apply(&name.name, 0, Vec::new(), formula.span()),
            None => table.closed(formula, &[]),
        }),
        _ => None,
    });
    let properties: Vec<Expr> = properties.collect();
    change_formulas(items, |formula, _| expanded(formula, &properties));
}

fn expanded(formula: &Expr, properties: &[Expr]) -> Expr {
    match formula.map_children(|child| expanded(child, properties)) {
        ExprKind::Safety { .. } => and(properties.to_vec(), formula.span()),
        kind => Expr::new(kind, formula.span()),
    }
}

/// Returns whether a program asserts anything.
pub(super) fn has_assertions(items: &[Item]) -> bool {
    let mut found = false;
    for_each_command(commands_of(items), |command| {
        found |= matches!(command.kind, CommandKind::Abort | CommandKind::Assert { .. });
    });
    found
}
