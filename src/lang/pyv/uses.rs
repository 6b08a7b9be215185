//! Which formula uses which symbols and definitions: recursion, `modifies`, formulas without state.

use super::ast::Role;
use super::check::Checked;
use super::globals::{Global, Globals, UnitKind};
use super::report::Report;
use super::sorts::Ty;
use super::typed::{Body, Expr, Kind, UnitId};
use crate::base::hash::{Map, Set};
use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::logic::{SymId, SymbolKind};

/// What one formula uses directly.
#[derive(Default)]
struct Direct {
    /// Mutable symbols with their state.
    symbols: Vec<(SymId, u16, Span)>,
    /// Other units with the state that they are called in.
    calls: Vec<(UnitId, u16, Span)>,
    /// Whether some part could not be checked.
    has_errors: bool,
}

/// Checks how formulas depend on each other. The result lists all units, callees first.
pub(in crate::lang) fn check(globals: &Globals<'_>, checked: &Checked, report: &mut Report) -> Vec<UnitId> {
    if report.is_full() {
        return Vec::new();
    }
    let direct = direct_uses(globals, &checked.bodies);
    let Some(order) = order(globals, &direct, report) else { return Vec::new() };
    stateless(globals, &direct, &order, report);
    for (unit, info) in globals.units.iter_enumerated() {
        if info.kind == UnitKind::Transition {
            modifies(globals, &direct, unit, report);
        }
    }
    order
}

/// All units, callees first; `None` if some depend on themselves, which is reported.
pub(in crate::lang) fn callees_first(
    globals: &Globals<'_>,
    bodies: &IdVec<UnitId, Body>,
    report: &mut Report,
) -> Option<Vec<UnitId>> {
    order(globals, &direct_uses(globals, bodies), report)
}

fn direct_uses(globals: &Globals<'_>, bodies: &IdVec<UnitId, Body>) -> IdVec<UnitId, Direct> {
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

/// All units, callees first; `None` if some depend on themselves, which is reported.
fn order(globals: &Globals<'_>, direct: &IdVec<UnitId, Direct>, report: &mut Report) -> Option<Vec<UnitId>> {
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

/// Reports invariants and inits that say nothing of the state.
fn stateless(globals: &Globals<'_>, direct: &IdVec<UnitId, Direct>, order: &[UnitId], report: &mut Report) {
    let mut reads_state = IdVec::filled(direct.len(), false);
    for &unit in order {
        let uses = &direct[unit];
        reads_state[unit] = uses.has_errors
            || !uses.symbols.is_empty()
            || uses.calls.iter().any(|&(callee, _, _)| reads_state[callee]);
    }
    for (id, unit) in globals.units.iter_enumerated() {
        if reads_state[id] {
            continue;
        }
        match unit.kind {
            UnitKind::Formula(Role::Init) => report.push(
                Diagnostic::warning(Code::State, unit.span, "the initial condition uses no mutable symbol")
                    .label("the same in all states")
                    .help("declare it as an `axiom`"),
            ),
            UnitKind::Formula(role @ (Role::Invariant | Role::Safety)) => report.push(
                Diagnostic::error(
                    Code::State,
                    unit.span,
                    format!(
                        "the {} uses no mutable symbol",
                        if role == Role::Safety { "safety property" } else { "invariant" }
                    ),
                )
                .label("the same in all states")
                .help("declare it as a `zerostate theorem`, or as an `axiom` if it is an assumption"),
            ),
            _ => {}
        }
    }
}

/// Compares a transition's `modifies` with what it reads in the new state, through calls too.
fn modifies(globals: &Globals<'_>, direct: &IdVec<UnitId, Direct>, unit: UnitId, report: &mut Report) {
    let declared = globals.units[unit].modifies.unwrap_or_default();
    let mut listed: Map<SymId, Span> = Map::default();
    for name in declared {
        if let Some((Global::Symbol(sym), _)) = globals.get(&name.name) {
            if let Some(&first) = listed.get(&sym) {
                report.push(
                    Diagnostic::warning(
                        Code::Modifies,
                        name.span(),
                        format!("`{}` is listed twice", name.name),
                    )
                    .label("listed again here")
                    .also(first, "first listed here"),
                );
            }
            listed.entry(sym).or_insert(name.span());
        }
    }
    let uses = new_state_uses(globals, direct, unit);
    if uses.has_errors {
        return;
    }
    for (sym, chain) in &uses.symbols {
        if report.is_full() {
            return;
        }
        if !listed.contains_key(sym) {
            report.push(missing(globals, unit, *sym, chain));
        }
    }
    for name in declared {
        let Some((Global::Symbol(sym), _)) = globals.get(&name.name) else { continue };
        let is_used = uses.symbols.iter().any(|(used, _)| *used == sym);
        if !is_used && globals.sig.symbols[sym].kind == SymbolKind::Mutable {
            report.push(
                Diagnostic::error(
                    Code::Modifies,
                    name.span(),
                    format!("`{}` is in `modifies`, but the new state's `{0}` is not used", name.name),
                )
                .label("it would become arbitrary")
                .help(format!(
                    "remove it if it does not change; if it may become anything, mention it: `{}`",
                    mention(globals, sym)
                )),
            );
        }
    }
}

/// A formula that reads a symbol in the new state and says nothing of it.
fn mention(globals: &Globals<'_>, sym: SymId) -> String {
    let symbol = &globals.sig.symbols[sym];
    let vars: Vec<String> = ["X", "Y", "Z"]
        .iter()
        .map(|&name| name.to_owned())
        .chain((1..).map(|number| format!("X{number}")))
        .filter(|name| globals.get(name).is_none())
        .take(symbol.args.len())
        .collect();
    let equal = if globals.symbols[sym].result == Ty::Bool { "<->" } else { "=" };
    if vars.is_empty() {
        return format!("({0}' {equal} {0}')", symbol.name);
    }
    let list = vars.join(", ");
    format!("(forall {list}. {0}'({list}) {equal} {0}'({list}))", symbol.name)
}

/// A symbol read in the new state, and the places that lead there: calls, then the symbol.
type NewStateUse = (SymId, Vec<Span>);

struct NewStateUses {
    /// Each symbol once, in the order of first use.
    symbols: Vec<NewStateUse>,
    has_errors: bool,
}

fn new_state_uses(globals: &Globals<'_>, direct: &IdVec<UnitId, Direct>, root: UnitId) -> NewStateUses {
    let mut uses = NewStateUses { symbols: Vec::new(), has_errors: false };
    let mut seen_units: Set<(UnitId, u16)> = Set::default();
    let mut seen_symbols: Set<SymId> = Set::default();
    // What is still to be visited, with its state and the index of the call in `calls` that leads there.
    let mut queue = std::collections::VecDeque::from([(root, 0, usize::MAX)]);
    let mut calls: Vec<(Span, usize)> = Vec::new();
    while let Some((unit, shift, via)) = queue.pop_front() {
        let used = &direct[unit];
        uses.has_errors |= used.has_errors;
        for &(sym, state, span) in &used.symbols {
            let is_new = state.saturating_add(shift) > 0;
            if is_new && globals.sig.symbols[sym].kind == SymbolKind::Mutable && seen_symbols.insert(sym) {
                let mut chain = vec![span];
                let mut call = via;
                while let Some(&(span, before)) = calls.get(call) {
                    chain.push(span);
                    call = before;
                }
                chain.reverse();
                uses.symbols.push((sym, chain));
            }
        }
        for &(callee, state, span) in &used.calls {
            let state = state.saturating_add(shift);
            if seen_units.insert((callee, state)) {
                calls.push((span, via));
                queue.push_back((callee, state, calls.len() - 1));
            }
        }
    }
    uses
}

/// The error that a symbol of the new state is not in `modifies`.
fn missing(globals: &Globals<'_>, unit: UnitId, sym: SymId, chain: &[Span]) -> Diagnostic {
    let info = &globals.units[unit];
    let name = &globals.sig.symbols[sym].name;
    let primary = chain.first().copied().unwrap_or(info.span);
    let message = format!("{} uses the new state's `{name}`, which is not in `modifies`", info.shown());
    let mut error = Diagnostic::error(Code::Modifies, primary, message);
    if let [_, rest @ ..] = chain
        && let Some((&last, calls)) = rest.split_last()
    {
        error = error.label("this call leads there");
        for &call in calls.iter().take(6) {
            error = error.also(call, "through this call");
        }
        error = error.also(last, format!("`{name}` is read in the new state here"));
    } else {
        error = error.label("read in the new state");
    }
    match info.modifies {
        Some([.., last]) => error.also(last.span(), "the list ends here"),
        _ => error.also(info.name_span(), "this transition has no `modifies`"),
    }
    .help(format!("add `{name}` to `modifies` if it changes, or read it in the old state"))
}
