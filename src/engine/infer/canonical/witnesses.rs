//! Constants for what axioms say exists.
//!
//! Of an axiom such as "some node is greatest", `exists X. A(X)`, lemmas could only speak with quantifiers of two more
//! kinds. The canonical form has a constant in the place of `X`, and what is found of the constant, `L`, is told as
//! `forall X. A(X) -> L(X)`. The axiom is about nothing that changes, so whatever could have been the constant can be it
//! for ever, and lemmas that are inductive together about the constant are so about all of them. One of these exists: what follows
//! from lemmas about the constant follows from what is told.

use std::sync::Arc;

use super::translate::Names;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, Terms, VarId};
use ramsey_core::system::System;

/// What an axiom says exists.
#[derive(Clone, Debug)]
pub(super) struct Witnesses {
    vars: Vec<VarId>,
    /// What it says of the variables.
    body: TermId,
    /// The constants in the places of variables: by symbols of the canonical form, once [`Witnesses::settle`] was called.
    constants: Vec<(VarId, SymId)>,
}

/// Returns the system with constants for what its axioms say exists, after its own symbols.
pub(super) fn named(original: &Arc<System>) -> (Arc<System>, Vec<Witnesses>) {
    let mut witnesses = Vec::new();
    let mut system = (**original).clone();
    for at in 0..system.axioms.len() {
        let mut conjuncts = system.terms.conjuncts(system.axioms[at].formula);
        let mut is_changed = false;
        for conjunct in &mut conjuncts {
            let Node::Exists(vars, body) = system.terms.node(*conjunct) else { continue };
            if !is_special(&system, body) || is_about_states(&system, body) {
                continue;
            }
            let vars: Vec<VarId> = system.terms.bound_vars(vars).collect();
            let constants: Vec<_> = vars.iter().map(|&var| (var, constant(&mut system, var))).collect();
            let System { sig, terms, .. } = &mut system;
            let values = constants.iter().map(|&(var, sym)| (var, terms.app(sig, sym, 0, &[]))).collect();
            *conjunct = terms.substitute(body, &values);
            witnesses.push(Witnesses { vars, body, constants });
            is_changed = true;
        }
        if is_changed {
            system.axioms[at].formula = system.terms.and(&conjuncts);
        }
    }
    let system = if witnesses.is_empty() { Arc::clone(original) } else { Arc::new(system) };
    (system, witnesses)
}

/// Checks whether quantifiers or other constants say what is special about what exists. Without them, lemmas speak of it as well
/// as of any other element.
fn is_special(system: &System, body: TermId) -> bool {
    let System { sig, terms, .. } = system;
    let is_constant = |&sym: &SymId| sig.symbols[sym].origin == SymbolOrigin::Witness;
    !terms.bound_below(body).is_empty() || terms.symbols(body).iter().any(is_constant)
}

/// Checks whether a formula mentions what may differ between states.
fn is_about_states(system: &System, formula: TermId) -> bool {
    system.terms.symbols(formula).into_iter().any(|sym| system.sig.symbols[sym].kind.is_mutable())
}

fn constant(system: &mut System, var: VarId) -> SymId {
    let info = system.terms.var_info(var);
    let symbol = Symbol::new(info.name.to_string(), Vec::new(), info.sort, SymbolKind::Immutable);
    system.sig.symbols.push(Symbol { origin: SymbolOrigin::Witness, ..symbol })
}

impl Witnesses {
    /// Has the constants by their ids in the canonical form, which leaves out those that occur nowhere.
    pub(super) fn settle(&mut self, forth: &Names) {
        let known = self.constants.iter().filter_map(|&(var, sym)| Some((var, forth.symbols[sym]?)));
        self.constants = known.collect();
    }

    /// Checks whether one of these symbols is a constant that stands for something here.
    pub(super) fn are_among(&self, symbols: &Set<SymId>) -> bool {
        self.constants.iter().any(|(_, sym)| symbols.contains(sym))
    }

    /// Returns variables of their own with what the axiom says of them, in terms of the original. Adds, by constant, the variable
    /// that stands for it.
    pub(super) fn told(&self, terms: &mut Terms, values: &mut Map<SymId, TermId>) -> (Vec<VarId>, TermId) {
        let copies: Vec<VarId> = self.vars.iter().map(|&var| terms.copy_var(var)).collect();
        let map: Map<VarId, TermId> =
            self.vars.iter().zip(&copies).map(|(&var, &copy)| (var, terms.var(copy))).collect();
        values.extend(self.constants.iter().map(|(var, sym)| (*sym, map[var])));
        (copies, terms.substitute(self.body, &map))
    }
}
