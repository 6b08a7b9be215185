//! Axioms of languages in which they are about symbols that never change.

use std::sync::Arc;

use super::ast::{Command, CommandKind, Item, ItemKind};
use crate::fol::ast::Role;
use crate::fol::names::{Globals, UnitKind};
use crate::fol::typed::{Body, Expr, Kind, UnitId};
use crate::shared::report::Report;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Reports axioms about symbols that a command assigns, also through definitions, and also where nothing executes the
/// command. Returns whether there is none. The calls of units have no cycle.
pub(super) fn check(
    globals: &Globals<'_>,
    bodies: &IdVec<UnitId, Body>,
    items: &[Item],
    report: &mut Report,
) -> bool {
    let assigned = assignments(items);
    let mut holds = true;
    for (id, unit) in globals.units.iter_enumerated() {
        if unit.kind != UnitKind::Formula(Role::Axiom) {
            continue;
        }
        let mut seen: Set<UnitId> = Set::default();
        let mut units = vec![id];
        let mut found = None;
        while let Some(unit) = units.pop() {
            let mut open: Vec<&Expr> = bodies[unit].expr.iter().collect();
            while let Some(expr) = open.pop() {
                match &expr.kind {
                    Kind::App { sym, .. } => {
                        let name = globals.sig.symbols[*sym].name.as_str();
                        found = found.or_else(|| assigned.get(name).map(|&place| (name, place)));
                    }
                    Kind::Call { unit, .. } if seen.insert(*unit) => units.push(*unit),
                    _ => {}
                }
                expr.for_each_child(|child| open.push(child));
            }
        }
        if let Some((name, place)) = found {
            holds = false;
            report.push(
                Diagnostic::error(
                    Code::Assignment,
                    unit.span,
                    format!("this axiom is about `{name}`, which actions assign"),
                )
                .label("axioms are about what never changes")
                .also(place, "assigned here")
                .help("make it an `invariant`; what holds initially is assigned or assumed in `after init`"),
            );
        }
    }
    holds
}

/// Returns the names that commands assign, each with the first place.
fn assignments(items: &[Item]) -> Map<Arc<str>, Span> {
    let mut found = Map::default();
    let mut open: Vec<&Command> = Vec::new();
    for item in items.iter().rev() {
        match &item.kind {
            ItemKind::Command(command) | ItemKind::Unused(command) => open.push(command),
            ItemKind::While(body) => open.extend(body),
            _ => {}
        }
    }
    while let Some(command) = open.pop() {
        match &command.kind {
            CommandKind::Havoc(target)
            | CommandKind::Assign { target, .. }
            | CommandKind::Update { target, .. } => {
                found.entry(target.name.clone()).or_insert(command.span());
            }
            CommandKind::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
            CommandKind::Choice(branches) => branches.iter().for_each(|branch| open.extend(&branch.body)),
            _ => {}
        }
    }
    found
}
