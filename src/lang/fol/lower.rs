//! Translation of checked units to the parts of a transition system.

use super::ast::{Ident, Role};
use super::expand::{Lowerer, Template};
use super::names::{Global, Globals, Unit, UnitKind};
use super::statics::trace;
use super::typed::{Body, UnitId};
use crate::shared::FormulaKind;
use crate::shared::report::Report;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::logic::{SymId, Symbol, TermId};
use ramsey_core::system::{
    Axiom, Definition, Derived, Init, Instance, Invariant, System, Theorem, Transition,
};

/// The checked formulas of a model.
pub(crate) struct Checked {
    pub(crate) bodies: IdVec<UnitId, Body>,
    /// Traces in source order.
    pub(crate) traces: Vec<trace::Trace>,
}

/// Builds the system of a model whose transitions are formulas. `order` lists all units, callees first. `line_of`
/// returns the line of a position. The terms of the system are those of the returned lowerer.
pub(crate) fn lower<'g>(
    globals: &'g Globals<'_>,
    checked: &Checked,
    order: &[UnitId],
    line_of: impl Fn(Span) -> usize,
    report: &mut Report,
) -> Option<(System, Lowerer<'g>)> {
    let mut lowerer = Lowerer::new(globals, report.budget());
    lowerer.units(globals, &checked.bodies, order, report)?;
    let mut transitions = IdVec::<UnitId, usize>::filled(globals.units.len(), 0);
    let mut system = System { sig: globals.sig.clone(), ..System::new() };
    let label = |span: Span| format!("L{}", line_of(span));
    for (id, unit) in globals.units.iter_enumerated() {
        transitions[id] = system.transitions.len();
        let Some(template) = &lowerer.templates[id] else { continue };
        match (globals.relations.get(&id), lowerer.axioms.get(&id)) {
            (Some(&sym), Some(&axiom)) => add_relation(&mut system, sym, axiom, unit.span),
            _ => add_unit(&mut system, globals, unit, template, &label),
        }
    }
    system.traces = lowerer.traces(&checked.traces, &transitions, report)?;
    Some((system, lowerer))
}

/// Adds what a relation means that stands for a definition.
fn add_relation(system: &mut System, sym: SymId, axiom: TermId, span: Span) {
    let Symbol { name, kind, .. } = &system.sig.symbols[sym];
    let name = name.clone();
    if kind.is_mutable() {
        system.derived.push(Derived { sym: Some(sym), label: name, axiom, span });
    } else {
        system.axioms.push(Axiom { name: Some(name), formula: axiom, span });
    }
}

/// Adds the formula of a unit to the system. `label` names a formula without a name.
pub(crate) fn add_unit(
    system: &mut System,
    globals: &Globals<'_>,
    unit: &Unit<'_>,
    template: &Template,
    label: &impl Fn(Span) -> String,
) {
    let Template { params, term } = template;
    let (formula, span) = (*term, unit.span);
    let name = unit.name.map(|name| name.name.to_string());
    let label = || name.clone().unwrap_or_else(|| label(span));
    match unit.kind {
        UnitKind::Formula(Role::Axiom) => system.axioms.push(Axiom { name, formula, span }),
        UnitKind::Formula(Role::Init) => system.inits.push(Init { name, formula, span }),
        UnitKind::Formula(Role::Goal) => {
            system.goals.push((system.invariants.len().saturating_sub(1), formula));
        }
        UnitKind::Formula(role) => {
            let label = label();
            let is_safety = role == Role::Safety;
            system.invariants.push(Invariant { name, label, formula, is_safety, span });
        }
        UnitKind::Theorem => {
            let label = label();
            system.theorems.push(Theorem { name, label, states: unit.states, formula, span });
        }
        UnitKind::Instance(parts) => system.instances.push(Instance { formula, parts, span }),
        UnitKind::Transition => {
            let symbol = |name: &Ident| match globals.get(&name.name) {
                Some((Global::Symbol(sym), _)) => Some(sym),
                _ => None,
            };
            let modifies = unit.modifies.unwrap_or_default().iter().filter_map(symbol).collect();
            system.transitions.push(Transition {
                name: name.unwrap_or_default(),
                params: params.to_vec(),
                modifies,
                body: formula,
                command: None,
                effect: None,
                span,
            });
        }
        UnitKind::Definition if unit.states < 2 => {
            let (name, params) = (name.unwrap_or_default(), params.to_vec());
            system.definitions.push(Definition { name, params, body: formula });
        }
        UnitKind::Definition => {}
        UnitKind::Derived(sym) => system.derived.push(Derived {
            label: system.sig.symbols[sym].name.clone(),
            sym: Some(sym),
            axiom: formula,
            span,
        }),
    }
}

/// Takes formulas that were supplied separately out of a system, in which they are the last claims or theorems.
pub(crate) fn take_formulas(
    mut system: System,
    kind: FormulaKind<'_>,
    count: usize,
) -> Option<(System, Vec<TermId>)> {
    let mut formulas = Vec::new();
    for _ in 0..count {
        formulas.push(match kind {
            FormulaKind::Claim => system.invariants.pop()?.formula,
            FormulaKind::Question { .. } => system.theorems.pop()?.formula,
        });
    }
    formulas.reverse();
    Some((system, formulas))
}
