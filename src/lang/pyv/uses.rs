//! Checks of the states that formulas refer to: `modifies` against symbols read in the new state, formulas without
//! mutable symbols.

use crate::fol::ast::Role;
use crate::fol::lower::Checked;
use crate::fol::names::{Global, Globals, UnitKind};
use crate::fol::sorts::Ty;
use crate::fol::typed::UnitId;
use crate::fol::uses::{DirectUses, direct_uses, order};
use crate::pyv::ast::Dialect;
use crate::shared::report::Report;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SymId, SymbolKind};

/// Checks the dependencies between formulas. Returns all units, callees first.
pub(super) fn check(
    globals: &Globals<'_>,
    checked: &Checked,
    dialect: Dialect,
    report: &mut Report,
) -> Vec<UnitId> {
    if report.is_full() {
        return Vec::new();
    }
    let direct = direct_uses(globals, &checked.bodies);
    let Some(order) = order(globals, &direct, report) else { return Vec::new() };
    stateless(globals, &direct, &order, report);
    for (unit, info) in globals.units.iter_enumerated() {
        if info.kind == UnitKind::Transition {
            modifies(globals, &direct, unit, dialect, report);
        }
    }
    order
}

/// Reports invariants and inits that do not depend on the state.
fn stateless(
    globals: &Globals<'_>,
    direct: &IdVec<UnitId, DirectUses>,
    order: &[UnitId],
    report: &mut Report,
) {
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

/// Compares a transition's `modifies` with the symbols that it reads in the new state, including through calls.
fn modifies(
    globals: &Globals<'_>,
    direct: &IdVec<UnitId, DirectUses>,
    unit: UnitId,
    dialect: Dialect,
    report: &mut Report,
) {
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
            report.push(missing(globals, unit, *sym, chain, dialect));
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
                    mention(globals, sym, dialect)
                )),
            );
        }
    }
}

/// Returns a tautology that reads a symbol in the new state.
fn mention(globals: &Globals<'_>, sym: SymId, dialect: Dialect) -> String {
    let symbol = &globals.sig.symbols[sym];
    let vars: Vec<String> = ["X", "Y", "Z"]
        .iter()
        .map(|&name| name.to_owned())
        .chain((1..).map(|number| format!("X{number}")))
        .filter(|name| globals.get(name).is_none())
        .take(symbol.args.len())
        .collect();
    let equal = if globals.symbols[sym].result == Ty::Bool { "<->" } else { "=" };
    let new = match dialect {
        Dialect::Newer => format!("{}'", symbol.name),
        Dialect::Older(_) => symbol.name.clone(),
    };
    if vars.is_empty() {
        return format!("({new} {equal} {new})");
    }
    let list = vars.join(", ");
    format!("(forall {list}. {new}({list}) {equal} {new}({list}))")
}

/// A symbol read in the new state, and the positions that lead there: calls, then the symbol.
type NewStateUse = (SymId, Vec<Span>);

struct NewStateUses {
    /// The symbols without repetitions, in the order of their first use.
    symbols: Vec<NewStateUse>,
    has_errors: bool,
}

fn new_state_uses(globals: &Globals<'_>, direct: &IdVec<UnitId, DirectUses>, root: UnitId) -> NewStateUses {
    let mut uses = NewStateUses { symbols: Vec::new(), has_errors: false };
    let mut seen_units: Set<(UnitId, u16)> = Set::default();
    let mut seen_symbols: Set<SymId> = Set::default();
    // Units to be visited, each with its state and the index of the call in `calls` that leads there.
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

/// Returns the error that a symbol of the new state is not in `modifies`.
fn missing(globals: &Globals<'_>, unit: UnitId, sym: SymId, chain: &[Span], dialect: Dialect) -> Diagnostic {
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
    .help(match dialect {
        Dialect::Newer => format!("add `{name}` to `modifies` if it changes, or read it in the old state"),
        Dialect::Older(_) => {
            format!("add `{name}` to `modifies` if it changes, or read it inside of `old(..)`")
        }
    })
}
