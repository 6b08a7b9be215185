//! From a claim to a circuit.

use super::claim::{Claim, Place};
use super::fact::{Fact, Input};
use super::order::Comparison;
use super::refusal::Refusal;
use super::row::Value;
use super::state::{Builder, Key, Latch};
use super::theory::{Order, Theory};
use super::vocabulary::Vocabulary;
use crate::hwmc::graph::Edge;
use crate::hwmc::{self, Circuit};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Signature, SortId, SymId, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::System;

/// Maximum number of nodes of a graph unless options say otherwise.
pub const MAX_NODES: usize = 4_000_000;

/// The constants at which an abstraction knows the values of symbols. Of others it knows where they stand among these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Those of the claim: its variables, and the immutable constants in it.
    Claim,
    /// All immutable constants as well.
    Model,
}

/// How often axioms are instantiated for the terms that there are, unless options say otherwise.
pub const GENERATIONS: usize = 1;

/// Options of an abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Maximum number of nodes of the graph.
    pub max_nodes: usize,
    /// Where values are known.
    pub scope: Scope,
    /// How often axioms and schemata are instantiated for the terms that there are.
    pub generations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_nodes: MAX_NODES, scope: Scope::Model, generations: GENERATIONS }
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
    /// The orders of sorts.
    pub(super) orders: Map<SortId, Order>,
    /// The conjunction of the initial conditions.
    pub(super) initial: TermId,
    /// The values of symbols that keep their initial ones, as closed formulas.
    pub(super) fixed: Vec<TermId>,
    /// Whether values of symbols are known at all tracked constants.
    pub is_full: bool,
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
        // Of what is claimed before the first state, initial conditions say nothing.
        let inits = if target.place == Place::Before { &[] } else { system.inits.as_slice() };
        let mut vocabulary = Vocabulary::new(system, inits);
        let none = Map::default();
        let arguments = match target.place {
            Place::Before | Place::State => &none,
            Place::Step(transition) => &vocabulary.arguments[transition].clone(),
        };
        let (goal, tracked) = vocabulary.instance_of_goal(target.goal, arguments);
        let assumed = claims.iter().filter(|claim| claim.place == Place::State).map(|claim| claim.formula);
        let derived = system.derived.iter().map(|derived| derived.axiom);
        vocabulary.find_relevant(system, assumed.chain(derived).chain([goal]));
        let mut builder = Builder::new(&mut vocabulary, options.max_nodes);
        let of_goal = builder.vocabulary.terms.symbols(goal);
        let is_known = |sym: SymId| options.scope == Scope::Model || of_goal.contains(&sym);
        builder.domains(system, theory, &tracked, is_known);
        builder.transitions();
        let bad = !builder.formula(goal)?;
        // What is claimed before the first state is of no execution that goes on.
        let (history, guards) = match target.place {
            Place::Before => (Vec::new(), Vec::new()),
            _ => (builder.history(system, claims)?, builder.guards()?),
        };
        builder.axioms(system, theory)?;
        builder.states(theory, options.generations)?;
        // What led to the violation comes before it in time. An invariant is violated in a state, before the step that
        // the inputs choose there. An assertion is violated within the step, up to which the invariants were true.
        let mut constraints = std::mem::take(&mut builder.constraints);
        let (always, before) = match target.place {
            Place::Step(_) => (history, guards),
            _ => (Vec::new(), [history, guards].concat()),
        };
        constraints.extend(always);
        for edge in before {
            constraints.push(builder.graph.or(bad, edge));
        }
        constraints.sort_unstable();
        constraints.dedup();
        constraints.retain(|&edge| edge != Edge::TRUE);
        builder.finish(bad, constraints, system, theory, tracked)
    }
}

impl Builder<'_> {
    /// Chooses the tracked constants, and the terms that quantifiers are instantiated by. `is_known` tells at which
    /// immutable constants values of symbols are known.
    fn domains(
        &mut self,
        system: &System,
        theory: &Theory,
        tracked: &[TermId],
        is_known: impl Fn(SymId) -> bool,
    ) {
        let mut others: Vec<(SortId, TermId)> = Vec::new();
        let (sig, terms) = (&self.vocabulary.sig, &mut self.vocabulary.terms);
        self.named[SortId::BOOL] = vec![terms.tru(), terms.fals()];
        for (sym, symbol) in sig.symbols.iter_enumerated().take(system.sig.symbols.len()) {
            let is_constant = symbol.args.is_empty() && symbol.is_declared();
            if !is_constant || symbol.result == SortId::BOOL {
                continue;
            }
            let term = terms.app(sig, sym, 0, &[]);
            match symbol.kind {
                // A constant that nothing speaks of is of no use, nor is a second name of a term.
                SymbolKind::Immutable
                    if !self.vocabulary.relevant.contains(&sym) || self.vocabulary.fixed.contains(&sym) => {}
                SymbolKind::Immutable if !theory.enumerations.contains_key(&symbol.result) => {
                    if is_known(sym) {
                        self.domains[symbol.result].constants.push(term);
                    } else {
                        others.push((symbol.result, term));
                    }
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
        for sort in sig.sorts.ids() {
            self.domains[sort].cells = self.domains[sort].constants.len();
        }
        for (sort, constant) in others {
            self.domains[sort].constants.push(constant);
        }
        for sort in sig.uninterpreted_sorts() {
            let domain = &mut self.domains[sort];
            if let Some(elements) = theory.enumerations.get(&sort) {
                domain.is_finite = true;
                domain.constants = elements.iter().map(|&sym| terms.app(sig, sym, 0, &[])).collect();
                domain.cells = domain.constants.len();
                self.named[sort].clone_from(&domain.constants);
            } else {
                domain.order = theory.orders.get(&sort).map(|order| Comparison {
                    sym: order.sym,
                    is_strict: order.is_strict,
                    least: order
                        .least
                        .filter(|least| self.vocabulary.relevant.contains(least))
                        .map(|least| terms.app(sig, least, 0, &[])),
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

    /// Adds instances of the axioms. Those that make an order are known already. An axiom about symbols that nothing else
    /// speaks of is left out.
    fn axioms(&mut self, system: &System, theory: &Theory) -> Result<(), Refusal> {
        let of_theory = |sym: &SymId| {
            theory.orders.values().any(|order| order.sym == *sym)
                || theory.enumerations.values().any(|elements| elements.contains(sym))
        };
        let mut left: Vec<(TermId, Vec<SymId>)> = Vec::new();
        for axiom in system.axioms.iter().filter(|it| !theory.is_known(&system.terms, it.formula)) {
            let symbols = system.terms.symbols(axiom.formula);
            left.push((axiom.formula, symbols.into_iter().filter(|sym| !of_theory(sym)).collect()));
        }
        // An axiom that is kept makes its symbols matter.
        loop {
            let relevant = &mut self.vocabulary.relevant;
            let (kept, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|(_, spoken)| {
                spoken.is_empty() || spoken.iter().any(|sym| relevant.contains(sym))
            });
            left = others;
            relevant.extend(kept.iter().flat_map(|(_, spoken)| spoken));
            if kept.is_empty() {
                return Ok(());
            }
            for (axiom, _) in kept {
                let mut edges = Vec::new();
                self.consequences(axiom, &mut edges)?;
                self.constraints.extend(edges);
            }
        }
    }

    /// Finds the next and the initial values of the state, whose latches are made as they are needed.
    fn states(&mut self, theory: &Theory, generations: usize) -> Result<(), Refusal> {
        let mut conditions = Vec::new();
        for part in self.vocabulary.conditions.clone() {
            self.consequences(part, &mut conditions)?;
        }
        self.settle(&mut conditions)?;
        let mut known = Set::default();
        for _ in 0..generations {
            self.generation(&theory.patterns, &mut known)?;
            self.settle(&mut conditions)?;
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

    /// Finds the next and the initial values of all cells that have none yet.
    fn settle(&mut self, conditions: &mut Vec<Edge>) -> Result<(), Refusal> {
        while let Some(key) = self.pending.get(self.settled).cloned() {
            self.settled += 1;
            self.check_size()?;
            let cell = self.cell(&key);
            let next = self.next(&key)?;
            let sort = self.vocabulary.sig.symbols[key.0].result;
            let domain = self.domains.get(sort);
            let nexts = Builder::edges(&next, domain);
            for (&latch, next) in cell.latches.iter().zip(nexts) {
                self.latches[latch].next = Some(next);
            }
            if let Some((vars, value)) = self.vocabulary.definitions.get(&key.0).cloned() {
                self.reset(&key, &vars, value, conditions)?;
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

    fn finish(
        self,
        bad: Edge,
        constraints: Vec<Edge>,
        system: &System,
        theory: &Theory,
        tracked: Vec<TermId>,
    ) -> Result<Abstraction, Refusal> {
        let latch = |it: &Latch| (it.leaf, hwmc::Latch { next: it.next.unwrap_or(it.leaf), reset: it.reset });
        let latches: Vec<(Edge, hwmc::Latch)> = self.latches.iter().map(latch).collect();
        let inputs = self.inputs.iter().map(|&(leaf, _)| leaf);
        let circuit = Circuit::new(&self.graph, inputs, &latches, &[bad], &constraints);
        let circuit = circuit.ok_or(Refusal::TooLarge)?;
        let (initial, fixed) = self.vocabulary.initial();
        let constants =
            self.domains.iter_enumerated().map(|(sort, domain)| (sort, domain.constants.clone())).collect();
        let is_full = self.domains.iter_enumerated().all(|(_, it)| it.cells == it.constants.len());
        let finite = self.domains.iter_enumerated().filter(|(_, domain)| domain.is_finite);
        let finite = finite.map(|(sort, _)| sort).collect();
        let arguments = system.transitions.iter().zip(&self.vocabulary.arguments);
        let arguments = arguments.map(|(transition, map)| {
            transition.params.iter().filter_map(|param| map.get(param).copied()).collect()
        });
        Ok(Abstraction {
            orders: theory.orders.clone(),
            initial,
            fixed,
            sig: self.vocabulary.sig.clone(),
            terms: self.vocabulary.terms.clone(),
            circuit,
            latches: self.latches.iter().map(|latch| latch.fact).collect(),
            inputs: self.inputs.iter().map(|&(_, input)| input).collect(),
            tracked,
            constants,
            finite,
            is_full,
            arguments: arguments.collect(),
        })
    }
}
