//! Translation of checked declarations to a transition system.

use super::check::Checked;
use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::lang::fol::ast::{Ident, Role};
use crate::lang::fol::expand::{Lowerer, Template};
use crate::lang::fol::names::{Global, Globals, Unit, UnitKind};
use crate::lang::fol::typed::UnitId;
use crate::lang::shared::report::Report;
use crate::logic::{TermId, VarId};
use crate::system::{Axiom, Definition, Derived, Init, Invariant, System, Theorem, Transition};

/// Builds the system. `order` lists all units, callees first. `line_of` returns the line of a position.
pub(super) fn lower(
    globals: &Globals<'_>,
    checked: &Checked,
    order: &[UnitId],
    line_of: impl Fn(Span) -> usize,
    report: &mut Report,
) -> Option<System> {
    let mut lowerer = Lowerer::new(globals, report.budget());
    lowerer.units(globals, &checked.bodies, order, report)?;
    let mut transitions = IdVec::<UnitId, usize>::filled(globals.units.len(), 0);
    let mut system = System { sig: globals.sig.clone(), ..System::new() };
    for (id, unit) in globals.units.iter_enumerated() {
        transitions[id] = system.transitions.len();
        let Some(Template { params, term }) = &lowerer.templates[id] else { continue };
        add(&mut system, globals, unit, params, *term, &line_of);
    }
    system.traces = lowerer.traces(&checked.traces, &transitions, report)?;
    report.absorb(&lowerer.budget);
    system.terms = lowerer.terms;
    Some(system)
}

fn add(
    system: &mut System,
    globals: &Globals<'_>,
    unit: &Unit<'_>,
    params: &[VarId],
    formula: TermId,
    line_of: &impl Fn(Span) -> usize,
) {
    let span = unit.span;
    let name = unit.name.map(|name| name.name.to_string());
    let label = || name.clone().unwrap_or_else(|| format!("L{}", line_of(span)));
    match unit.kind {
        UnitKind::Formula(Role::Axiom) => system.axioms.push(Axiom { name, formula, span }),
        UnitKind::Formula(Role::Init) => system.inits.push(Init { name, formula, span }),
        UnitKind::Formula(role) => {
            let label = label();
            let is_safety = role == Role::Safety;
            system.invariants.push(Invariant { name, label, formula, is_safety, span });
        }
        UnitKind::Theorem => {
            let label = label();
            system.theorems.push(Theorem { name, label, states: unit.states, formula, span });
        }
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
