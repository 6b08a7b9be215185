//! Dependencies of formulas on symbols and definitions.

use super::names::Globals;
use super::typed::{Body, Expr, Kind, UnitId};
use crate::shared::report::Report;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SymId;

/// Direct dependencies of a formula.
#[derive(Default)]
pub(crate) struct DirectUses {
    /// Mutable symbols with their states.
    pub(crate) symbols: Vec<(SymId, u16, Span)>,
    /// Other units with the states in which they are called.
    pub(crate) calls: Vec<(UnitId, u16, Span)>,
    /// Whether a part could not be checked.
    pub(crate) has_errors: bool,
}

/// Returns all units, callees first. Cycles are reported and result in `None`.
pub(crate) fn callees_first(
    globals: &Globals<'_>,
    bodies: &IdVec<UnitId, Body>,
    report: &mut Report,
) -> Option<Vec<UnitId>> {
    order(globals, &direct_uses(globals, bodies), report)
}

/// Returns the direct dependencies of each unit.
pub(crate) fn direct_uses(globals: &Globals<'_>, bodies: &IdVec<UnitId, Body>) -> IdVec<UnitId, DirectUses> {
    bodies
        .iter()
        .map(|body| {
            let mut direct = DirectUses::default();
            if let Some(expr) = &body.expr {
                collect(globals, expr, &mut direct);
            }
            direct
        })
        .collect()
}

fn collect(globals: &Globals<'_>, expr: &Expr, direct: &mut DirectUses) {
    match &expr.kind {
        Kind::App { sym, state, .. } if globals.sig.symbols[*sym].kind.is_mutable() => {
            direct.symbols.push((*sym, *state, expr.span));
        }
        Kind::Call { unit, state, .. } => direct.calls.push((*unit, *state, expr.span)),
        Kind::Safety { state } => {
            direct.calls.extend(globals.safeties.iter().map(|&unit| (unit, *state, expr.span)));
        }
        Kind::Error => direct.has_errors = true,
        _ => {}
    }
    expr.for_each_child(|child| collect(globals, child, direct));
}

/// Like [`callees_first`], from the direct dependencies.
pub(crate) fn order(
    globals: &Globals<'_>,
    direct: &IdVec<UnitId, DirectUses>,
    report: &mut Report,
) -> Option<Vec<UnitId>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = IdVec::filled(direct.len(), Mark::New);
    let mut order = Vec::with_capacity(direct.len());
    let mut recursive = false;
    for root in direct.ids() {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        // Units being visited, with the number of calls already followed.
        let mut stack: Vec<(UnitId, usize)> = vec![(root, 0)];
        while let Some((unit, next)) = stack.last_mut() {
            let Some(&(callee, _, _)) = direct[*unit].calls.get(*next) else {
                marks[*unit] = Mark::Done;
                order.push(*unit);
                stack.pop();
                continue;
            };
            *next += 1;
            match marks[callee] {
                Mark::New => {
                    marks[callee] = Mark::Open;
                    stack.push((callee, 0));
                }
                Mark::Open => {
                    recursive = true;
                    let start = stack.iter().position(|&(unit, _)| unit == callee).unwrap_or(0);
                    report_cycle(globals, direct, &stack[start..], report);
                }
                Mark::Done => {}
            }
        }
    }
    (!recursive).then_some(order)
}

/// Reports a cycle of calls, which is closed by the last call on the stack.
fn report_cycle(
    globals: &Globals<'_>,
    direct: &IdVec<UnitId, DirectUses>,
    cycle: &[(UnitId, usize)],
    report: &mut Report,
) {
    let first = &globals.units[cycle[0].0];
    let message = format!("{} depends on itself", first.shown());
    let mut error = Diagnostic::error(Code::Recursive, first.name_span(), message)
        .label("definitions are expanded, so they cannot be recursive");
    for (index, &(unit, next)) in cycle.iter().enumerate().take(8) {
        let (callee, _, span) = direct[unit].calls[next - 1];
        let to = globals.units[callee].shown();
        let from = globals.units[unit].shown();
        error = error.also(span, format!("{}{from} uses {to} here", if index == 0 { "" } else { "and " }));
    }
    if cycle.len() > 8 {
        error = error.note(format!("the cycle has {} declarations, the first 8 are shown", cycle.len()));
    }
    report.push(error);
}
