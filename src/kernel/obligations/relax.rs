//! Relaxed form of a system, in which elements may disappear between states.
//!
//! As in section 3.1 of the mypyvy paper (CAV 2024), after Karbyshev et al. (CAV 2015): each sort has a mutable
//! relation that is true of the active elements, every quantifier ranges over active elements, and an additional
//! transition deactivates some of them and changes nothing else that a model declares. Assumptions about immutable symbols
//! are made for the active elements of each state. These are closed under functions and contain the constants: each state is in a
//! substructure of the previous one. Universal formulas are preserved in substructures, so a universally quantified
//! inductive invariant holds in all states of a relaxed execution.

use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{
    Node, Signature, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, Terms, VarId,
};
use ramsey_core::system::model::{Derived, Init, System, Transition};

/// A relaxed system.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// The system. Symbols, variables and all orders are those of the original; new ones come last. Theorems and traces
    /// are omitted.
    pub system: System,
    /// Per sort, the relation that is true of the active elements; `None` for `bool`.
    pub active: IdVec<SortId, Option<SymId>>,
    /// The index of the transition that deactivates elements: the last one.
    pub relaxation: usize,
}

impl Relaxed {
    /// Computes the relaxed form of `original`.
    pub fn new(original: &System) -> Relaxed {
        let mut system = original.without_proofs();
        system.theorems.clear();
        system.traces.clear();
        let mut active: IdVec<SortId, Option<SymId>> = IdVec::filled(system.sig.sorts.len(), None);
        for sort in original.sig.uninterpreted_sorts() {
            let name = fresh_name(&system.sig, &original.sig.sorts[sort].name);
            let symbol = Symbol::new(name, vec![sort], SortId::BOOL, SymbolKind::Mutable);
            active[sort] = Some(system.sig.symbols.push(Symbol { origin: SymbolOrigin::Activity, ..symbol }));
        }
        let mut relaxed = Relaxed { system, active, relaxation: original.transitions.len() };
        relaxed.relativize_claims(original);
        relaxed.relativize_assumptions(original);
        relaxed.relativize_transitions(original);
        relaxed
    }

    /// Checks whether elements disappear in one of these steps of a relaxed system; false for another system.
    pub fn is_lossy(system: &System, mut transitions: impl Iterator<Item = usize>) -> bool {
        let is_relaxation = |transition: usize| transition + 1 == system.transitions.len();
        !Relaxed::activity(system).is_empty() && transitions.any(is_relaxation)
    }

    /// Returns, per sort, the relation that is true of the active elements of a relaxed system; none for another system.
    pub fn activity(system: &System) -> Vec<(SortId, SymId)> {
        let symbols = system.sig.symbols.iter_enumerated();
        let symbols = symbols.filter(|(_, symbol)| symbol.origin == SymbolOrigin::Activity);
        symbols.filter_map(|(sym, symbol)| Some((*symbol.args.first()?, sym))).collect()
    }

    /// Restricts all quantifiers of a formula to the active elements of step 0. The formula is over step 0, or over
    /// steps 0 and 1 if every element active in step 1 is active in step 0.
    pub fn relativize(&mut self, formula: TermId) -> TermId {
        self.relativize_in(formula, &mut Map::default())
    }

    fn relativize_in(&mut self, term: TermId, memo: &mut Map<TermId, TermId>) -> TermId {
        if let Some(&done) = memo.get(&term) {
            return done;
        }
        let children: Vec<TermId> = self.system.terms.children(term).collect();
        let result = match self.system.terms.node(term) {
            Node::Forall(vars, body) => {
                let vars: Vec<VarId> = self.system.terms.bound_vars(vars).collect();
                let body = self.relativize_in(body, memo);
                self.forall(&vars, body, 0)
            }
            Node::Exists(vars, body) => {
                let vars: Vec<VarId> = self.system.terms.bound_vars(vars).collect();
                let body = self.relativize_in(body, memo);
                let mut conjuncts = self.are_active(&vars, 0);
                conjuncts.push(body);
                let body = self.system.terms.and(&conjuncts);
                self.system.terms.exists(&vars, body)
            }
            _ => {
                let children: Vec<TermId> =
                    children.into_iter().map(|child| self.relativize_in(child, memo)).collect();
                self.system.terms.rebuild(term, &children)
            }
        };
        memo.insert(term, result);
        result
    }

    /// Builds `body` for all values that are active at `step`.
    fn forall(&mut self, vars: &[VarId], body: TermId, step: u16) -> TermId {
        let guards = self.are_active(vars, step);
        let terms = &mut self.system.terms;
        if guards.is_empty() {
            return terms.forall(vars, body);
        }
        let guard = terms.and(&guards);
        let body = terms.implies(guard, body);
        terms.forall(vars, body)
    }

    /// Returns, for each variable that is not of sort `bool`, the formula that its value is active at `step`.
    fn are_active(&mut self, vars: &[VarId], step: u16) -> Vec<TermId> {
        let System { sig, terms, .. } = &mut self.system;
        let mut guards = Vec::new();
        for &var in vars {
            if let Some(active) = self.active[terms.var_info(var).sort] {
                let value = terms.var(var);
                guards.push(terms.app(sig, active, step, &[value]));
            }
        }
        guards
    }

    fn relativize_claims(&mut self, original: &System) {
        for (index, invariant) in original.invariants.iter().enumerate() {
            self.system.invariants[index].formula = self.relativize(invariant.formula);
        }
        for (index, assertion) in original.assertions.iter().enumerate() {
            // Assertions before the first state concern all elements.
            if assertion.site != ramsey_core::system::model::Site::Init {
                self.system.assertions[index].formula = self.relativize(assertion.formula);
            }
        }
    }

    fn relativize_assumptions(&mut self, original: &System) {
        for (index, init) in original.inits.iter().enumerate() {
            self.system.inits[index].formula = self.relativize(init.formula);
        }
        for (index, definition) in original.definitions.iter().enumerate() {
            self.system.definitions[index].body = self.relativize(definition.body);
        }
        for (index, derived) in original.derived.iter().enumerate() {
            self.system.derived[index].axiom = self.relativize(derived.axiom);
        }
        self.system.axioms.clear();
        for axiom in &original.axioms {
            let formula = self.relativize(axiom.formula);
            self.assume(axiom.name.as_deref().unwrap_or("axiom"), formula, axiom.span);
        }
        for sort in original.sig.uninterpreted_sorts() {
            let Some(active) = self.active[sort] else { continue };
            let System { sig, terms, .. } = &mut self.system;
            let var = terms.new_var("X", sort);
            let value = terms.var(var);
            let is_active = terms.app(sig, active, 0, &[value]);
            let some = terms.exists(&[var], is_active);
            let all = terms.forall(&[var], is_active);
            let span = original.sig.sorts[sort].span.unwrap_or_else(synthetic_span);
            self.assume("not empty", some, span);
            self.system.inits.push(Init { name: None, formula: all, span });
        }
        for (sym, symbol) in original.sig.symbols.iter_enumerated() {
            // What stands for values before the first state, where all elements are active, is read there alone.
            let is_of_init = symbol.kind == SymbolKind::Immutable && !symbol.is_declared();
            let Some(active) = self.active[symbol.result].filter(|_| !is_of_init) else { continue };
            let (vars, args) = variables(&mut self.system.terms, &symbol.args);
            let System { sig, terms, .. } = &mut self.system;
            let value = terms.app(sig, sym, 0, &args);
            let is_active = terms.app(sig, active, 0, &[value]);
            let closed = self.forall(&vars, is_active, 0);
            self.assume("closed", closed, symbol.span.unwrap_or_else(synthetic_span));
        }
    }

    /// Assumes a formula in every state.
    fn assume(&mut self, label: &str, axiom: TermId, span: Span) {
        self.system.derived.push(Derived { sym: None, label: label.to_owned(), axiom, span });
    }

    fn relativize_transitions(&mut self, original: &System) {
        for (index, transition) in original.transitions.iter().enumerate() {
            let body = self.relativize(transition.body);
            let mut conjuncts = self.are_active(&transition.params, 0);
            conjuncts.push(body);
            self.system.transitions[index].body = self.system.terms.and(&conjuncts);
            self.system.transitions[index].effect = None;
        }
        let mut conjuncts = Vec::new();
        let mut modifies = Vec::new();
        for active in self.active.iter().flatten().copied() {
            let System { sig, terms, .. } = &mut self.system;
            let (vars, args) = variables(terms, &sig.symbols[active].args);
            let (now, next) = (terms.app(sig, active, 0, &args), terms.app(sig, active, 1, &args));
            let body = terms.implies(next, now);
            conjuncts.push(terms.forall(&vars, body));
            modifies.push(active);
        }
        // What a variable of a command is left with keeps no element there.
        modifies.extend(original.auxiliary());
        for sym in original.derived.iter().filter_map(|derived| derived.sym) {
            let System { sig, terms, .. } = &mut self.system;
            let (vars, args) = variables(terms, &sig.symbols[sym].args);
            let (now, next) = (terms.app(sig, sym, 0, &args), terms.app(sig, sym, 1, &args));
            let same = terms.eq(next, now);
            conjuncts.push(self.forall(&vars, same, 1));
        }
        let mut name = "relax".to_owned();
        while original.transitions.iter().any(|transition| transition.name == name) {
            name.push('_');
        }
        let body = self.system.terms.and(&conjuncts);
        self.system.transitions.push(Transition {
            name,
            params: Vec::new(),
            modifies,
            body,
            command: None,
            effect: None,
            span: synthetic_span(),
        });
    }
}

/// Returns the span of declarations that are not in a source.
fn synthetic_span() -> Span {
    Span { file: FileId::new(0), start: 0, end: 0 }
}

/// Creates a variable per sort, and returns the variables and their terms.
fn variables(terms: &mut Terms, sorts: &[SortId]) -> (Vec<VarId>, Vec<TermId>) {
    let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
    let args = vars.iter().map(|&var| terms.var(var)).collect();
    (vars, args)
}

/// Returns `active_SORT`, with more underscores if that name is declared.
fn fresh_name(sig: &Signature, sort: &str) -> String {
    let mut name = format!("active_{sort}");
    while sig.symbols.iter().any(|symbol| symbol.name == name) {
        name.push('_');
    }
    name
}
