//! The symbols of an abstraction: those of the system, constants for parameters of transitions, and tracked constants.

use crate::base::hash::{Map, Set};
use crate::base::span::Span;
use crate::logic::{Annotation, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms, VarId};
use crate::step::Action;
use crate::system::System;

/// The signature and terms of the system with further constants, and the transitions over them.
pub(super) struct Vocabulary {
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    /// The transitions, with constants in the place of parameters.
    pub(super) actions: Vec<Action>,
    /// The constants for parameters by sort. Transitions share them, since only one is taken.
    pub(super) params: Map<SortId, Vec<TermId>>,
    /// The constants for the parameters of each transition.
    pub(super) arguments: Vec<Map<VarId, TermId>>,
}

impl Vocabulary {
    pub(super) fn new(system: &System) -> Vocabulary {
        let (mut sig, mut terms) = (system.sig.clone(), system.terms.clone());
        let changed: Set<SymId> =
            system.transitions.iter().flat_map(|it| it.modifies.iter().copied()).collect();
        for (sym, symbol) in system.sig.symbols.iter_enumerated() {
            // What no transition changes has one value in an execution.
            if symbol.kind == SymbolKind::Mutable && !changed.contains(&sym) {
                sig.symbols[sym].kind = SymbolKind::Immutable;
            }
        }
        let mut params: Map<SortId, Vec<TermId>> = Map::default();
        let mut arguments = Vec::new();
        for transition in &system.transitions {
            let mut places: Map<SortId, usize> = Map::default();
            let mut map = Map::default();
            for &param in &transition.params {
                let sort = terms.var_info(param).sort;
                let place = places.entry(sort).or_default();
                let known = params.entry(sort).or_default();
                if *place == known.len() {
                    let name = format!("@{}.{place}", sig.sorts[sort].name);
                    let sym = constant(&mut sig, name, sort, SymbolKind::Parameter);
                    known.push(terms.app(&sig, sym, 0, &[]));
                }
                map.insert(param, known[*place]);
                *place += 1;
            }
            arguments.push(map);
        }
        let mut actions = Vec::new();
        for (transition, map) in system.transitions.iter().zip(&arguments) {
            let constants: Vec<TermId> =
                transition.params.iter().filter_map(|param| map.get(param).copied()).collect();
            actions.push(Action::without_derived(system, terms.over_mut(&sig), transition, &constants));
        }
        Vocabulary { sig, terms, actions, params, arguments }
    }

    /// Adds a constant that no step changes, for a variable.
    pub(super) fn track(&mut self, var: VarId) -> TermId {
        let info = self.terms.var_info(var).clone();
        let sym = constant(&mut self.sig, info.name, info.sort, SymbolKind::Immutable);
        self.terms.app(&self.sig, sym, 0, &[])
    }

    /// Returns the symbol of a term that is a constant.
    pub(super) fn is_immutable(&self, term: TermId) -> bool {
        let symbols = self.terms.symbols(term);
        symbols.iter().all(|&sym| self.sig.symbols[sym].kind == SymbolKind::Immutable)
    }
}

/// Adds a constant with this name, made unique.
fn constant(sig: &mut Signature, plain: String, result: SortId, kind: SymbolKind) -> SymId {
    let mut name = plain.clone();
    let mut count = 1;
    while sig.symbols.iter().any(|symbol| symbol.name == name) {
        count += 1;
        name = format!("{plain}.{count}");
    }
    let annotations: Vec<Annotation> = Vec::new();
    let span: Option<Span> = None;
    sig.symbols.push(Symbol { name, args: Vec::new(), result, kind, annotations, span })
}
