//! The symbols of an abstraction: those of the system, constants for parameters of transitions, and tracked constants.

use crate::transition::{Action, Update};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::{Init, System};

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
    /// What initial conditions say of symbols: their values at variables.
    pub(super) definitions: Map<SymId, (Vec<VarId>, TermId)>,
    /// Initial conditions that are no definitions.
    pub(super) conditions: Vec<TermId>,
    /// Symbols that keep their initial value, which depends on immutable symbols alone. No definition leads back to
    /// its own symbol.
    pub(super) fixed: Set<SymId>,
    /// Symbols that the transitions, the initial conditions and the claims speak of.
    pub(super) relevant: Set<SymId>,
}

impl Vocabulary {
    pub(super) fn new(system: &System, inits: &[Init]) -> Vocabulary {
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
        let mut vocabulary = Vocabulary {
            sig,
            terms,
            actions,
            params,
            arguments,
            definitions: Map::default(),
            conditions: Vec::new(),
            fixed: Set::default(),
            relevant: Set::default(),
        };
        vocabulary.read_initial_conditions(system, inits);
        vocabulary
    }

    /// Finds the definitions among the initial conditions.
    fn read_initial_conditions(&mut self, system: &System, inits: &[Init]) {
        for init in inits {
            for part in self.terms.conjuncts(init.formula) {
                match self.definition(system, part) {
                    Some((sym, vars, value)) if !self.definitions.contains_key(&sym) => {
                        self.definitions.insert(sym, (vars, value));
                    }
                    _ => self.conditions.push(part),
                }
            }
        }
        // Each one that is found may allow others, and depends on those before it alone.
        loop {
            let next = self.definitions.iter().find_map(|(&sym, &(_, value))| {
                let is_known = |it: &SymId| {
                    self.sig.symbols[*it].kind == SymbolKind::Immutable
                        && (self.fixed.contains(it) || !self.definitions.contains_key(it))
                };
                let is_new =
                    self.sig.symbols[sym].kind == SymbolKind::Immutable && !self.fixed.contains(&sym);
                (is_new && self.terms.symbols(value).iter().all(is_known)).then_some(sym)
            });
            let Some(sym) = next else { break };
            self.fixed.insert(sym);
        }
        // Of other symbols that keep their value, the initial conditions say what they say of immutable ones.
        let is_open =
            |sym: &SymId| self.sig.symbols[*sym].kind == SymbolKind::Immutable && !self.fixed.contains(sym);
        let mut open: Vec<SymId> = self.definitions.keys().copied().filter(is_open).collect();
        open.sort_unstable();
        for sym in open {
            let condition = self.defined(sym);
            self.conditions.extend(condition);
            self.definitions.remove(&sym);
        }
    }

    /// Returns the formula of a definition.
    fn defined(&mut self, sym: SymId) -> Option<TermId> {
        let (vars, value) = self.definitions.get(&sym)?;
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        let head = self.terms.app(&self.sig, sym, 0, &args);
        let body = match self.sig.symbols[sym].result {
            SortId::BOOL => self.terms.iff(head, *value),
            _ => self.terms.eq(head, *value),
        };
        Some(self.terms.forall(vars, body))
    }

    /// Returns the conjunction of all initial conditions, and what they say of symbols that keep their value.
    pub(super) fn initial(&mut self) -> (TermId, Vec<TermId>) {
        let mut all = self.conditions.clone();
        let mut fixed = Vec::new();
        let mut symbols: Vec<SymId> = self.definitions.keys().copied().collect();
        symbols.sort_unstable();
        for sym in symbols {
            let Some(formula) = self.defined(sym) else { continue };
            all.push(formula);
            if self.fixed.contains(&sym) && self.relevant.contains(&sym) {
                fixed.push(formula);
            }
        }
        (self.terms.and(&all), fixed)
    }

    /// Reads an initial condition as the definition of a mutable symbol of the system, if it is one.
    fn definition(&mut self, system: &System, formula: TermId) -> Option<(SymId, Vec<VarId>, TermId)> {
        let truth = [self.terms.fals(), self.terms.tru()];
        let terms = &self.terms;
        let (vars, body) = match terms.node(formula) {
            Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<VarId>>(), body),
            _ => (Vec::new(), formula),
        };
        let sides = match terms.node(body) {
            Node::Eq(a, b) | Node::Iff(a, b) => vec![(a, b), (b, a)],
            Node::App { .. } => vec![(body, truth[1])],
            Node::Not(atom) => vec![(atom, truth[0])],
            _ => Vec::new(),
        };
        sides.into_iter().find_map(|(head, value)| {
            let (sym, heads) = self.head(system, head)?;
            let is_closed = terms.free_vars(value).iter().all(|var| heads.contains(var));
            (is_closed && heads.len() == vars.len() && !terms.symbols(value).contains(&sym))
                .then_some((sym, heads, value))
        })
    }

    /// Returns symbol and variables of an application of a mutable symbol to different variables.
    fn head(&self, system: &System, term: TermId) -> Option<(SymId, Vec<VarId>)> {
        let Node::App { sym, step: 0, args } = self.terms.node(term) else { return None };
        if system.sig.symbols.get(sym)?.kind != SymbolKind::Mutable {
            return None;
        }
        let vars: Vec<VarId> =
            self.terms.args(args).iter().map(|&arg| self.terms.as_var(arg)).collect::<Option<_>>()?;
        let different: Set<VarId> = vars.iter().copied().collect();
        (different.len() == vars.len()).then_some((sym, vars))
    }

    /// Finds the symbols that the transitions, the initial conditions and these formulas speak of.
    pub(super) fn find_relevant(&mut self, system: &System, formulas: impl IntoIterator<Item = TermId>) {
        let mut all: Vec<TermId> = formulas.into_iter().chain(self.conditions.iter().copied()).collect();
        for (action, transition) in self.actions.iter().zip(&system.transitions) {
            all.extend(action.guard.iter().chain(&action.residual));
            all.extend(transition.modifies.iter().filter_map(|&sym| match *action.update(sym) {
                Update::Definition { value, .. } => Some(value),
                Update::Unchanged | Update::Free => None,
            }));
        }
        let defined = self.definitions.iter().filter(|(sym, _)| !self.fixed.contains(sym));
        all.extend(defined.map(|(_, &(_, value))| value));
        let mut left: Vec<SymId> = all.into_iter().flat_map(|it| self.terms.symbols(it)).collect();
        while let Some(sym) = left.pop() {
            if self.relevant.insert(sym)
                && let Some(&(_, value)) = self.definitions.get(&sym)
            {
                left.extend(self.terms.symbols(value));
            }
        }
    }

    /// Adds a constant that no step changes, for a variable.
    pub(super) fn track(&mut self, var: VarId) -> TermId {
        let info = self.terms.var_info(var).clone();
        let sym = constant(&mut self.sig, info.name.to_string(), info.sort, SymbolKind::Immutable);
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
    sig.symbols.push(Symbol::new(name, Vec::new(), result, kind))
}
