//! Which formula uses which symbols and definitions.

use super::names::Globals;
use super::typed::{Body, Expr, Kind, UnitId};
use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::lang::shared::report::Report;
use crate::logic::SymId;

/// What one formula uses directly.
#[derive(Default)]
pub(in crate::lang) struct Direct {
    /// Mutable symbols with their state.
    pub(in crate::lang) symbols: Vec<(SymId, u16, Span)>,
    /// Other units with the state that they are called in.
    pub(in crate::lang) calls: Vec<(UnitId, u16, Span)>,
    /// Whether some part could not be checked.
    pub(in crate::lang) has_errors: bool,
}

/// All units, callees first; `None` if some depend on themselves, which is reported.
pub(in crate::lang) fn callees_first(
    globals: &Globals<'_>,
    bodies: &IdVec<UnitId, Body>,
    report: &mut Report,
) -> Option<Vec<UnitId>> {
    order(globals, &direct_uses(globals, bodies), report)
}

/// What each unit uses.
pub(in crate::lang) fn direct_uses(
    globals: &Globals<'_>,
    bodies: &IdVec<UnitId, Body>,
) -> IdVec<UnitId, Direct> {
    bodies
        .iter()
        .map(|body| {
            let mut direct = Direct::default();
            if let Some(expr) = &body.expr {
                collect(globals, expr, &mut direct);
            }
            direct
        })
        .collect()
}

fn collect(globals: &Globals<'_>, expr: &Expr, direct: &mut Direct) {
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

/// [`callees_first`] from what each unit uses.
pub(in crate::lang) fn order(
    globals: &Globals<'_>,
    direct: &IdVec<UnitId, Direct>,
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
        // Units that are being visited, with the number of calls that have been followed.
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

/// Reports a cycle of calls; the last call on the stack closes it.
fn report_cycle(
    globals: &Globals<'_>,
    direct: &IdVec<UnitId, Direct>,
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
