//! Definitions that are relations, because formulas with what they mean in their places would be too large (`spec/core.md`).

use super::names::{Globals, SymbolSorts, UnitKind};
use super::sorts::Ty;
use super::typed::{Body, Expr, Kind, LocalId, UnitId};
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{SortId, Symbol, SymbolKind};

/// Maximum number of formulas in places of their names in a definition, if it is not to be a relation.
const MAX_USES: u32 = 12;

/// What takes the places of names in a formula.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// The number of formulas, and of those in their places in turn.
    count: u32,
    /// Whether a symbol that changes is read.
    is_mutable: bool,
    /// Whether there is a quantifier, also an implicit one.
    is_quantified: bool,
}

impl Uses {
    fn add(&mut self, other: Uses) {
        self.count = self.count.saturating_add(other.count);
        self.is_mutable |= other.is_mutable;
        self.is_quantified |= other.is_quantified;
    }
}

/// Declares a relation for each definition of one state without quantifiers in which more than [`MAX_USES`] formulas would take
/// the places of their names, unless a parameter is a formula. With quantifiers, what it means might leave the decidable fragment.
/// `order` lists all units, callees first.
pub(crate) fn declare_relations(globals: &mut Globals<'_>, bodies: &IdVec<UnitId, Body>, order: &[UnitId]) {
    let mut known = IdVec::<UnitId, Uses>::filled(globals.units.len(), Uses::default());
    let mut relations = Set::default();
    for &id in order {
        let (unit, body) = (&globals.units[id], &bodies[id]);
        let mut uses = Uses { is_quantified: !body.closure.is_empty(), ..Uses::default() };
        if let Some(expr) = &body.expr {
            uses.add(of_expr(globals, &known, &relations, expr));
        }
        let is_formula = |param: &LocalId| !matches!(body.locals[*param].ty, Ty::Sort(_));
        let is_plain =
            unit.kind == UnitKind::Definition && unit.states < 2 && !body.params.iter().any(is_formula);
        if uses.count > MAX_USES && is_plain && !uses.is_quantified {
            uses.count = 0;
            relations.insert(id);
        }
        known[id] = uses;
    }
    for id in globals.units.ids().filter(|id| relations.contains(id)) {
        let Some(name) = globals.units[id].name else { continue };
        let tys: Vec<Ty> = bodies[id].params.iter().map(|&param| bodies[id].locals[param].ty).collect();
        let args = tys.iter().filter_map(|&ty| if let Ty::Sort(sort) = ty { Some(sort) } else { None });
        let kind = if known[id].is_mutable { SymbolKind::Derived } else { SymbolKind::Immutable };
        let symbol = Symbol::new(&*name.name, args.collect(), SortId::BOOL, kind);
        let sym = globals.sig.symbols.push(Symbol { span: Some(name.span()), ..symbol });
        globals.symbols.push(SymbolSorts { args: tys, result: Ty::Bool });
        globals.relations.insert(id, sym);
    }
}

/// Returns what takes the places of names in an expression. The definitions in `relations` do not.
fn of_expr(globals: &Globals<'_>, known: &IdVec<UnitId, Uses>, relations: &Set<UnitId>, expr: &Expr) -> Uses {
    let mut uses = Uses::default();
    let mut call = |unit: UnitId| {
        uses.add(Uses { count: u32::from(!relations.contains(&unit)), ..Uses::default() });
        uses.add(known[unit]);
    };
    match &expr.kind {
        Kind::Call { unit, .. } => call(*unit),
        Kind::Safety { .. } => globals.safeties.iter().copied().for_each(call),
        Kind::App { sym, .. } => uses.is_mutable = globals.sig.symbols[*sym].kind.is_mutable(),
        Kind::Quantifier { .. } => uses.is_quantified = true,
        _ => {}
    }
    expr.for_each_child(|child| uses.add(of_expr(globals, known, relations, child)));
    uses
}
