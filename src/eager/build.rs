//! From a claim to a circuit.

use super::claim::{Claim, Place};
use super::fact::{Fact, Input};
use super::order::Comparison;
use super::refusal::Refusal;
use super::row::Value;
use super::state::{Builder, Key, Latch};
use super::theory::Theory;
use super::vocabulary::Vocabulary;
use crate::base::hash::{Map, Set};
use crate::finite::{GraphLatch, Parts};
use crate::lang::aiger::Circuit;
use crate::logic::{Node, Signature, SortId, SymId, SymbolKind, TermId, Terms, VarId};
use crate::mc::graph::Edge;
use crate::system::System;

/// Maximum number of nodes of a graph unless options say otherwise.
pub const MAX_NODES: usize = 4_000_000;

/// Options of an abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Maximum number of nodes of the graph.
    pub max_nodes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_nodes: MAX_NODES }
    }
}

/// The circuit of a claim, with what its parts stand for.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The symbols of the system with constants for parameters, and with tracked constants.
    pub sig: Signature,
    /// The arena of the formulas that latches and inputs stand for.
    pub terms: Terms,
    /// The circuit. Its property is that the claim is violated.
    pub circuit: Circuit,
    /// What its latches stand for.
    pub latches: Vec<Fact>,
    /// What its inputs stand for.
    pub inputs: Vec<Input>,
    /// The tracked constants that stand for variables of the claim.
    pub tracked: Vec<TermId>,
    /// All tracked constants by sort, in the order of their numbers.
    pub constants: Map<SortId, Vec<TermId>>,
    /// The sorts all of whose elements are tracked.
    pub finite: Set<SortId>,
    /// For each transition, the constants that stand for its parameters, in order.
    pub arguments: Vec<Vec<TermId>>,
}

impl Abstraction {
    /// Makes the circuit of the claim `target`, under the assumption that all of `claims` were true in the past.
    ///
    /// # Errors
    /// Returns why there is none.
    pub fn new(
        system: &System,
        theory: &Theory,
        claims: &[Claim],
        target: &Claim,
        options: &Options,
    ) -> Result<Abstraction, Refusal> {
        let mut vocabulary = Vocabulary::new(system);
        let none = Map::default();
        let arguments = match target.place {
            Place::State => &none,
            Place::Step(transition) => &vocabulary.arguments[transition].clone(),
        };
        let (goal, tracked) = vocabulary.instance_of_goal(target.goal, arguments);
        let mut builder = Builder::new(&mut vocabulary, options.max_nodes);
        builder.domains(system, theory, &tracked);
        builder.transitions();
        let bad = !builder.formula(goal)?;
        let history = builder.history(system, claims)?;
        let guards = builder.guards()?;
        builder.axioms(system, theory)?;
        builder.states(system)?;
        // What led to the violation comes before it in time. An invariant is violated in a state, before the step that
        // the inputs choose there. An assertion is violated within the step, up to which the invariants were true.
        let mut constraints = std::mem::take(&mut builder.constraints);
        let (always, before) = match target.place {
            Place::State => (Vec::new(), [history, guards].concat()),
            Place::Step(_) => (history, guards),
        };
        constraints.extend(always);
        for edge in before {
            constraints.push(builder.graph.or(bad, edge));
        }
        constraints.sort_unstable();
        constraints.dedup();
        constraints.retain(|&edge| edge != Edge::TRUE);
        builder.finish(bad, constraints, system, tracked)
    }
}

impl Builder<'_> {
    /// Chooses the tracked constants, and the terms that quantifiers are instantiated by.
    fn domains(&mut self, system: &System, theory: &Theory, tracked: &[TermId]) {
        let (sig, terms) = (&self.vocabulary.sig, &mut self.vocabulary.terms);
        self.named[SortId::BOOL] = vec![terms.tru(), terms.fals()];
        for (sym, symbol) in sig.symbols.iter_enumerated().take(system.sig.symbols.len()) {
            let is_constant = symbol.args.is_empty() && symbol.is_declared();
            if !is_constant || symbol.result == SortId::BOOL {
                continue;
            }
            let term = terms.app(sig, sym, 0, &[]);
            match symbol.kind {
                SymbolKind::Immutable if !theory.enumerations.contains_key(&symbol.result) => {
                    self.domains[symbol.result].constants.push(term);
                }
                SymbolKind::Mutable => self.named[symbol.result].push(term),
                _ => {}
            }
        }
        for &constant in tracked {
            let sort = terms.sort(constant);
            if sort != SortId::BOOL && !theory.enumerations.contains_key(&sort) {
                self.domains[sort].constants.push(constant);
            }
        }
        for sort in sig.uninterpreted_sorts() {
            let domain = &mut self.domains[sort];
            if let Some(elements) = theory.enumerations.get(&sort) {
                domain.is_finite = true;
                domain.constants = elements.iter().map(|&sym| terms.app(sig, sym, 0, &[])).collect();
                self.named[sort].clone_from(&domain.constants);
            } else {
                domain.order = theory.orders.get(&sort).map(|order| Comparison {
                    sym: order.sym,
                    is_strict: order.is_strict,
                    least: order.least.map(|least| terms.app(sig, least, 0, &[])),
                });
                let params = self.vocabulary.params.get(&sort).into_iter().flatten();
                let constants = domain.constants.iter();
                let known = std::mem::take(&mut self.named[sort]);
                self.named[sort] = constants.chain(params).copied().chain(known).collect();
            }
            domain.places = domain.constants.iter().enumerate().map(|(at, &term)| (term, at)).collect();
        }
        for sort in self.vocabulary.sig.uninterpreted_sorts() {
            self.constant_rows(sort);
        }
    }

    /// Makes inputs that choose the transition.
    fn transitions(&mut self) {
        let count = self.vocabulary.actions.len();
        let width = usize::BITS - count.leading_zeros();
        let bits: Vec<Edge> = (0..width).map(|bit| self.input(Input::Transition(bit))).collect();
        self.taken = (1..=count).map(|number| self.number_is(&bits, number)).collect();
    }

    /// Returns what holds in states in which no claim was violated.
    fn history(&mut self, system: &System, claims: &[Claim]) -> Result<Vec<Edge>, Refusal> {
        let mut edges = Vec::new();
        for claim in claims.iter().filter(|claim| claim.place == Place::State) {
            self.consequences(claim.formula, &mut edges)?;
        }
        for derived in &system.derived {
            let mut always = Vec::new();
            self.consequences(derived.axiom, &mut always)?;
            self.constraints.extend(always);
        }
        Ok(edges)
    }

    /// Returns what holds where a step is taken: the guard of its transition.
    fn guards(&mut self) -> Result<Vec<Edge>, Refusal> {
        let mut edges = Vec::new();
        for index in 0..self.taken.len() {
            let action = &self.vocabulary.actions[index];
            let parts: Vec<TermId> = action.guard.iter().chain(&action.residual).copied().collect();
            let mut conditions = Vec::new();
            for part in parts {
                self.consequences(part, &mut conditions)?;
            }
            let guard = self.graph.all(conditions);
            edges.push(self.graph.or(!self.taken[index], guard));
        }
        Ok(edges)
    }

    /// Adds instances of the axioms. Those that make an order are known already.
    fn axioms(&mut self, system: &System, theory: &Theory) -> Result<(), Refusal> {
        let orders: Set<SymId> = theory.orders.values().map(|order| order.sym).collect();
        for axiom in &system.axioms {
            let symbols = system.terms.symbols(axiom.formula);
            let is_of_order = symbols.iter().all(|sym| orders.contains(sym));
            let is_of_enumeration =
                symbols.iter().all(|sym| theory.enumerations.values().any(|elements| elements.contains(sym)));
            if !symbols.is_empty() && (is_of_order || is_of_enumeration) {
                continue;
            }
            let mut edges = Vec::new();
            self.consequences(axiom.formula, &mut edges)?;
            self.constraints.extend(edges);
        }
        Ok(())
    }

    /// Finds the next and the initial values of the state, whose latches are made as they are needed.
    fn states(&mut self, system: &System) -> Result<(), Refusal> {
        let mut definitions: Map<SymId, (Vec<VarId>, TermId)> = Map::default();
        let mut others = Vec::new();
        for init in &system.inits {
            for part in self.vocabulary.terms.conjuncts(init.formula) {
                match self.definition(part) {
                    Some((sym, vars, value)) if !definitions.contains_key(&sym) => {
                        definitions.insert(sym, (vars, value));
                    }
                    _ => others.push(part),
                }
            }
        }
        let mut conditions = Vec::new();
        for part in others {
            self.consequences(part, &mut conditions)?;
        }
        let mut done = 0;
        while let Some(key) = self.pending.get(done).cloned() {
            done += 1;
            self.check_size()?;
            let cell = self.cell(&key);
            let next = self.next(&key)?;
            let sort = self.vocabulary.sig.symbols[key.0].result;
            let domain = self.domains.get(sort);
            let nexts = Builder::edges(&next, domain);
            for (&latch, next) in cell.latches.iter().zip(nexts) {
                self.latches[latch].next = Some(next);
            }
            if let Some((vars, value)) = definitions.get(&key.0).cloned() {
                self.reset(&key, &vars, value, &mut conditions)?;
            }
        }
        conditions.retain(|&edge| edge != Edge::TRUE);
        if !conditions.is_empty() {
            let leaf = self.graph.leaf();
            let first = Latch { leaf, fact: Fact::First, next: Some(Edge::FALSE), reset: Some(true) };
            self.latches.push(first);
            for edge in conditions {
                let edge = self.graph.or(!leaf, edge);
                self.constraints.push(edge);
            }
        }
        Ok(())
    }

    /// Finds the initial value of a symbol at a tuple. What depends on other facts becomes a condition.
    fn reset(
        &mut self,
        key: &Key,
        vars: &[VarId],
        value: TermId,
        conditions: &mut Vec<Edge>,
    ) -> Result<(), Refusal> {
        let cell = self.cell(key);
        let sorts = self.vocabulary.sig.symbols[key.0].args.clone();
        let constants = sorts.iter().zip(&key.1).map(|(&sort, &place)| self.domains[sort].constants[place]);
        let map = vars.iter().copied().zip(constants).collect();
        let value = self.vocabulary.terms.substitute(value, &map);
        let value = self.value(value)?;
        let sort = self.vocabulary.sig.symbols[key.0].result;
        let domain = self.domains.get(sort);
        let edges = Builder::edges(&value, domain);
        for (&latch, edge) in cell.latches.iter().zip(edges) {
            match edge {
                Edge::TRUE => self.latches[latch].reset = Some(true),
                Edge::FALSE => self.latches[latch].reset = Some(false),
                edge => {
                    let leaf = self.latches[latch].leaf;
                    conditions.push(self.graph.iff(leaf, edge));
                }
            }
        }
        if matches!(value, Value::Term(_)) != (sort != SortId::BOOL) {
            return Err(Refusal::Unexpected);
        }
        Ok(())
    }

    /// Reads an initial condition as the definition of a mutable symbol, if it is one.
    fn definition(&self, formula: TermId) -> Option<(SymId, Vec<VarId>, TermId)> {
        let terms = &self.vocabulary.terms;
        let (vars, body) = match terms.node(formula) {
            Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<VarId>>(), body),
            _ => (Vec::new(), formula),
        };
        let sides = match terms.node(body) {
            Node::Eq(a, b) | Node::Iff(a, b) => vec![(a, b), (b, a)],
            Node::App { .. } => vec![(body, self.truth[1])],
            Node::Not(atom) => vec![(atom, self.truth[0])],
            _ => Vec::new(),
        };
        sides.into_iter().find_map(|(head, value)| {
            let (sym, heads) = self.head(head)?;
            let is_closed = terms.free_vars(value).iter().all(|var| heads.contains(var));
            (is_closed && heads.len() == vars.len() && !terms.symbols(value).contains(&sym))
                .then_some((sym, heads, value))
        })
    }

    /// Returns symbol and variables of an application of a mutable symbol to different variables.
    fn head(&self, term: TermId) -> Option<(SymId, Vec<VarId>)> {
        let terms = &self.vocabulary.terms;
        let Node::App { sym, step: 0, args } = terms.node(term) else { return None };
        if self.vocabulary.sig.symbols[sym].kind != SymbolKind::Mutable {
            return None;
        }
        let vars: Vec<VarId> =
            terms.args(args).iter().map(|&arg| terms.as_var(arg)).collect::<Option<_>>()?;
        let different: Set<VarId> = vars.iter().copied().collect();
        (different.len() == vars.len()).then_some((sym, vars))
    }

    fn finish(
        self,
        bad: Edge,
        constraints: Vec<Edge>,
        system: &System,
        tracked: Vec<TermId>,
    ) -> Result<Abstraction, Refusal> {
        let latches = self.latches.iter().map(|latch| GraphLatch {
            leaf: latch.leaf,
            next: latch.next.unwrap_or(latch.leaf),
            reset: latch.reset,
        });
        let parts = Parts {
            graph: &self.graph,
            inputs: self.inputs.iter().map(|&(leaf, _)| leaf).collect(),
            latches: latches.collect(),
            bad: vec![bad],
            constraints,
            symbols: Vec::new(),
        };
        let circuit = parts.circuit().ok_or(Refusal::TooLarge)?;
        let constants =
            self.domains.iter_enumerated().map(|(sort, domain)| (sort, domain.constants.clone())).collect();
        let finite = self.domains.iter_enumerated().filter(|(_, domain)| domain.is_finite);
        let finite = finite.map(|(sort, _)| sort).collect();
        let arguments = system.transitions.iter().zip(&self.vocabulary.arguments);
        let arguments = arguments.map(|(transition, map)| {
            transition.params.iter().filter_map(|param| map.get(param).copied()).collect()
        });
        Ok(Abstraction {
            sig: self.vocabulary.sig.clone(),
            terms: self.vocabulary.terms.clone(),
            circuit,
            latches: self.latches.iter().map(|latch| latch.fact).collect(),
            inputs: self.inputs.iter().map(|&(_, input)| input).collect(),
            tracked,
            constants,
            finite,
            arguments: arguments.collect(),
        })
    }
}
