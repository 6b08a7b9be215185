//! Detection of program variables that no formula reads.

use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Node, SymId, SymbolKind, TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Obligations;

/// Returns mutable symbols without arguments that no invariant, assertion or axiom reads, and that transitions read
/// only to define their own next value. The value of such a symbol is irrelevant to every property, so conjectures
/// omit it.
pub fn dead_variables(system: &System) -> Vec<SymId> {
    let Obligations { sig, mut terms, params, .. } = Obligations::none(system);
    let mut reads = Reads::default();
    for formula in system
        .derived
        .iter()
        .map(|it| it.axiom)
        .chain(system.invariants.iter().map(|it| it.formula))
        .chain(system.assertions.iter().map(|it| it.formula))
    {
        reads.add(&terms, formula, None);
    }
    for (transition, params) in system.transitions.iter().zip(&params) {
        let params: Vec<TermId> = params.iter().map(|&param| terms.app(&sig, param, 0, &[])).collect();
        let action = Action::of_transition(system, terms.over_mut(&sig), transition, &params);
        for &formula in action.guard.iter().chain(&action.residual) {
            reads.add(&terms, formula, None);
        }
        for sym in system.sig.symbols.ids() {
            if let Update::Definition { value, .. } = action.update(sym) {
                reads.add(&terms, *value, Some(sym));
            }
        }
    }
    let is_variable = |&sym: &SymId| {
        let symbol = &system.sig.symbols[sym];
        symbol.kind == SymbolKind::Mutable && symbol.args.is_empty()
    };
    system.sig.symbols.ids().filter(is_variable).filter(|sym| !reads.symbols.contains(sym)).collect()
}

/// Symbols read in the current state.
#[derive(Default)]
struct Reads {
    symbols: Set<SymId>,
}

impl Reads {
    /// Adds the symbols that a term reads, except `own`.
    fn add(&mut self, terms: &Terms, term: TermId, own: Option<SymId>) {
        let mut seen: Set<TermId> = Set::default();
        let mut stack = vec![term];
        while let Some(next) = stack.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let Node::App { sym, step: 0, .. } = terms.node(next)
                && Some(sym) != own
            {
                self.symbols.insert(sym);
            }
            stack.extend(terms.children(next));
        }
    }
}
