//! The reachable states of an instance, one by one.
//!
//! The successors of a state are all models of the circuit's clauses under the state's latches, transition by transition;
//! each one found is excluded until there is no other.
//!
//! Symbols that the model does not declare do not tell states apart. They are what programs keep beside their state: what
//! symbols were before the initial part, which nothing reads later, and local variables, which are assigned before they are
//! read. So whatever their values are, the same transitions lead to the same states.

use ramsey_circuit::finite::{Input, Instance};
use ramsey_circuit::hwmc::graph::Edge;
use ramsey_circuit::hwmc::questions::Questions;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Structure, SymId, SymbolKind};
use ramsey_solver::formulas::Canonical;
use ramsey_solver::sat::{Answer, Lit};

/// Maximum number of models that clauses exclude in one enumeration. Each model takes a question, but the more clauses
/// there are the longer it takes.
const MAX_EXCLUDED: usize = 64;

/// A reachable state.
#[derive(Clone, Debug)]
pub struct State {
    /// The values of the latches of declared symbols, in order.
    pub latches: Vec<bool>,
    /// The state as a structure. Symbols that are not declared have arbitrary values.
    pub structure: Structure,
    /// The least number of steps that lead to it.
    pub depth: usize,
    /// Whether it violates a property of the instance.
    pub is_bad: bool,
}

/// The reachable states of an instance, and the steps between them.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The states, in the order in which they were reached: by least number of steps.
    pub states: Vec<State>,
    /// Steps, without repetitions: the state before, the transition, the state after.
    pub steps: Vec<(usize, usize, usize)>,
}

/// How far states are enumerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Maximum number of states.
    pub states: usize,
    /// Keep one state of each isomorphism class.
    pub up_to_isomorphism: bool,
}

impl Graph {
    /// Returns the number of initial states.
    pub fn initial(&self) -> usize {
        self.states.iter().filter(|state| state.depth == 0).count()
    }

    /// Returns the number of states that violate the property.
    pub fn bad(&self) -> usize {
        self.states.iter().filter(|state| state.is_bad).count()
    }

    /// Returns the number of states from which no transition can be taken.
    pub fn stuck(&self) -> usize {
        let mut has_step = vec![false; self.states.len()];
        self.steps.iter().for_each(|&(from, ..)| has_step[from] = true);
        has_step.iter().filter(|has_step| !**has_step).count()
    }

    /// Returns the largest number of steps that some state needs.
    pub fn diameter(&self) -> usize {
        self.states.iter().map(|state| state.depth).max().unwrap_or(0)
    }
}

/// Enumerates the reachable states. Returns whether these are all of them.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn states(instance: &Instance, limit: Limit, budget: &mut Budget) -> Result<(Graph, bool), Exhausted> {
    budget.spend(instance.circuit().num_gates() as u64)?;
    let mut search = Search {
        circuit: Circuit::new(instance),
        instance,
        limit,
        graph: Graph::default(),
        known: Map::default(),
        forms: Map::default(),
        symbols: symbols(instance),
    };
    let is_complete = search.run(budget)?;
    Ok((search.graph, is_complete))
}

/// Returns whether the instance has an initial state.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn has_initial_state(instance: &Instance, budget: &mut Budget) -> Result<bool, Exhausted> {
    budget.spend(instance.circuit().num_gates() as u64)?;
    Ok(!Circuit::new(instance).initial(0, budget)?.is_empty())
}

/// Returns the symbols that tell states apart.
fn symbols(instance: &Instance) -> Vec<SymId> {
    // A derived relation is part of the state where its axiom leaves it open.
    let symbols = instance.system().sig.symbols.iter_enumerated();
    let symbols = symbols.filter(|(_, it)| it.kind != SymbolKind::Choice && it.is_declared());
    symbols.map(|(sym, _)| sym).collect()
}

struct Search<'a> {
    circuit: Circuit<'a>,
    instance: &'a Instance,
    limit: Limit,
    graph: Graph,
    known: Map<Vec<bool>, usize>,
    forms: Map<Canonical, usize>,
    symbols: Vec<SymId>,
}

impl Search<'_> {
    /// Returns whether all states were reached.
    fn run(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        for state in self.circuit.initial(self.limit.states, budget)? {
            if self.add(state, 0, budget)?.is_none() {
                return Ok(false);
            }
        }
        let mut from = 0;
        while from < self.graph.states.len() {
            for transition in 0..self.instance.system().transitions.len() {
                let latches = self.graph.states[from].latches.clone();
                budget.spend(1 + latches.len() as u64)?;
                let depth = self.graph.states[from].depth + 1;
                let mut reached = Vec::new();
                for next in self.circuit.successors(&latches, transition, self.limit.states, budget)? {
                    if !self.known.contains_key(&next) && !self.circuit.is_state(&next, budget)? {
                        continue;
                    }
                    let Some(to) = self.add(next, depth, budget)? else { return Ok(false) };
                    reached.push(to);
                }
                budget.spend(reached.len() as u64)?;
                reached.sort_unstable();
                reached.dedup();
                self.graph.steps.extend(reached.into_iter().map(|to| (from, transition, to)));
            }
            from += 1;
        }
        Ok(true)
    }

    /// Returns the position of a state, after adding it if it is new. `None` if there are too many.
    fn add(
        &mut self,
        latches: Vec<bool>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Exhausted> {
        if let Some(&at) = self.known.get(&latches) {
            return Ok(Some(at));
        }
        budget.spend(latches.len() as u64)?;
        let structure = self.instance.state(&self.circuit.widened(&latches));
        if self.limit.up_to_isomorphism {
            let sig = &self.instance.system().sig;
            let form = Canonical::of_state(sig, &structure, 0, &self.symbols, budget)?;
            if let Some(&at) = self.forms.get(&form) {
                self.known.insert(latches, at);
                return Ok(Some(at));
            }
            self.forms.insert(form, self.graph.states.len());
        }
        if self.graph.states.len() >= self.limit.states {
            return Ok(None);
        }
        let is_bad = self.circuit.is_bad(&latches, budget)?;
        let at = self.graph.states.len();
        self.known.insert(latches.clone(), at);
        self.graph.states.push(State { latches, structure, depth, is_bad });
        Ok(Some(at))
    }
}

/// Questions about a circuit's step.
struct Circuit<'a> {
    instance: &'a Instance,
    questions: Questions,
    /// The literals of the number of the transition, lowest bit first.
    selector: Vec<Lit>,
    /// The latches of declared symbols, which tell states apart.
    latches: Vec<usize>,
}

impl<'a> Circuit<'a> {
    fn new(instance: &'a Instance) -> Circuit<'a> {
        let circuit = instance.circuit();
        let leaves = (1..circuit.first_gate()).map(Edge::positive);
        let nexts = circuit.latches().iter().map(|latch| latch.next);
        let others = leaves.chain(nexts).chain(circuit.bad().iter().copied());
        let questions = Questions::of_step(circuit.graph(), circuit.constraints(), others);
        let inputs = instance.inputs().iter().enumerate();
        let selector = inputs.filter(|(_, input)| matches!(input, Input::Selector(_)));
        let selector = selector.map(|(at, _)| questions.lit(circuit.input(at))).collect();
        let sig = &instance.system().sig;
        let is_declared =
            |&latch: &usize| instance.atom(latch).is_some_and(|it| sig.symbols[it.sym].is_declared());
        let latches = (0..circuit.latches().len()).filter(is_declared).collect();
        Circuit { instance, questions, selector, latches }
    }

    fn latch(&self, at: usize) -> Lit {
        self.questions.lit(self.instance.circuit().latch(at))
    }

    /// Returns the assumptions that the transition with this number is taken, from 1; 0 for none.
    fn taken(&self, number: usize) -> Vec<Lit> {
        let selector = self.selector.iter().enumerate();
        selector.map(|(bit, &lit)| if number >> bit & 1 == 1 { lit } else { !lit }).collect()
    }

    /// Returns the assumptions that the transition with this number is taken from a state.
    fn taken_from(&self, number: usize, state: &[bool]) -> Vec<Lit> {
        let mut assumptions = self.taken(number);
        assumptions.extend(self.instance.started().map(|latch| self.latch(latch)));
        let values = self.latches.iter().zip(state);
        assumptions.extend(values.map(|(&at, &value)| signed(self.latch(at), value)));
        assumptions
    }

    /// Returns values for all latches.
    fn widened(&self, state: &[bool]) -> Vec<bool> {
        let mut values = vec![false; self.instance.circuit().latches().len()];
        self.latches.iter().zip(state).for_each(|(&at, &value)| values[at] = value);
        values
    }

    /// Checks whether the constraints of states hold.
    fn is_state(&mut self, state: &[bool], budget: &mut Budget) -> Result<bool, Exhausted> {
        let assumptions = self.taken_from(0, state);
        Ok(self.questions.solver.solve(&assumptions, budget)? == Answer::Sat)
    }

    /// Checks whether a property is violated for some choices.
    fn is_bad(&mut self, state: &[bool], budget: &mut Budget) -> Result<bool, Exhausted> {
        let mut assumptions = self.taken_from(0, state);
        for &bad in self.instance.circuit().bad() {
            assumptions.push(self.questions.lit(bad));
            if self.questions.solver.solve(&assumptions, budget)? == Answer::Sat {
                return Ok(true);
            }
            assumptions.pop();
        }
        Ok(false)
    }

    /// Returns the next values of the latches of declared symbols.
    fn next(&self) -> Vec<Lit> {
        let latches = self.instance.circuit().latches();
        self.latches.iter().map(|&at| self.questions.lit(latches[at].next)).collect()
    }

    /// Returns the initial states, at most one more than `most`.
    fn initial(&mut self, most: usize, budget: &mut Budget) -> Result<Vec<Vec<bool>>, Exhausted> {
        let mut assumptions = self.taken(0);
        let circuit = self.instance.circuit();
        for (at, latch) in circuit.latches().iter().enumerate() {
            if let Some(reset) = latch.reset {
                assumptions.push(signed(self.latch(at), reset));
            }
        }
        if self.instance.started().is_none() {
            let latches: Vec<Lit> = self.latches.iter().map(|&at| self.latch(at)).collect();
            return self.all(&assumptions, &latches, most, false, budget);
        }
        self.all(&assumptions, &self.next(), most, true, budget)
    }

    /// Returns the states to which the transition leads, at most one more than `most`.
    fn successors(
        &mut self,
        state: &[bool],
        transition: usize,
        most: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<bool>>, Exhausted> {
        let assumptions = self.taken_from(transition + 1, state);
        self.all(&assumptions, &self.next(), most, false, budget)
    }

    /// Returns all values of these literals in models with the assumptions, at most one more than `most`. If `are_states`
    /// is set, those that violate a constraint of states are left out.
    fn all(
        &mut self,
        assumptions: &[Lit],
        lits: &[Lit],
        most: usize,
        are_states: bool,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<bool>>, Exhausted> {
        // The clauses that exclude what was found count while this literal is true.
        let guard = self.questions.solver.new_var().positive();
        let mut guarded = assumptions.to_vec();
        guarded.push(guard);
        let mut found = Vec::new();
        let mut excluded = 0;
        while found.len() <= most && self.questions.solver.solve(&guarded, budget)? == Answer::Sat {
            budget.spend((guarded.len() + lits.len()) as u64)?;
            if excluded == MAX_EXCLUDED {
                found = self.one_by_one(assumptions, lits, most, are_states, budget)?;
                break;
            }
            let values: Vec<bool> = lits.iter().map(|&lit| self.questions.solver.value(lit)).collect();
            let mut clause = vec![!guard];
            clause.extend(lits.iter().zip(&values).map(|(&lit, &value)| signed(lit, !value)));
            self.questions.solver.add_clause(&clause);
            excluded += 1;
            if !are_states || self.is_state(&values, budget)? {
                found.push(values);
            }
        }
        self.questions.solver.add_clause(&[!guard]);
        Ok(found)
    }

    /// Does what [`Circuit::all`] does, without clauses: after each model the last of these literals is negated for which
    /// there is another one with the same values before it.
    fn one_by_one(
        &mut self,
        assumptions: &[Lit],
        lits: &[Lit],
        most: usize,
        are_states: bool,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<bool>>, Exhausted> {
        let mut found = Vec::new();
        let mut assumed = assumptions.to_vec();
        // For each assumed literal, whether the other value was tried before.
        let mut is_negated: Vec<bool> = Vec::new();
        while self.questions.solver.solve(&assumed, budget)? == Answer::Sat {
            budget.spend((assumed.len() + lits.len()) as u64)?;
            let values: Vec<bool> = lits.iter().map(|&lit| self.questions.solver.value(lit)).collect();
            is_negated.resize(lits.len(), false);
            assumed.truncate(assumptions.len());
            assumed.extend(lits.iter().zip(&values).map(|(&lit, &value)| signed(lit, value)));
            if !are_states || self.is_state(&values, budget)? {
                found.push(values);
                if found.len() > most {
                    break;
                }
            }
            loop {
                let (Some(was_negated), Some(last)) = (is_negated.pop(), assumed.pop()) else {
                    return Ok(found);
                };
                budget.spend(assumed.len() as u64)?;
                assumed.push(!last);
                if !was_negated && self.questions.solver.solve(&assumed, budget)? == Answer::Sat {
                    is_negated.push(true);
                    break;
                }
                assumed.pop();
            }
        }
        Ok(found)
    }
}

fn signed(lit: Lit, value: bool) -> Lit {
    if value { lit } else { !lit }
}
