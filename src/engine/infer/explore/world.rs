//! A small instance with fixed immutable symbols, and the states that random executions of it reach.
//!
//! The instance is a circuit, which is evaluated for 64 executions at a time, a bit of a word each. In each step every
//! execution tries a transition at random; where the guard is false, it stays where it is.

use super::columns::Columns;
use crate::infer::claim::Claim;
use crate::infer::state::Vocabulary;
use ramsey_circuit::finite::{Input, Instance, Meaning};
use ramsey_circuit::hwmc::graph::{Edge, Words};
use ramsey_circuit::hwmc::{self, Circuit};
use ramsey_core::base::hash::Map;
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Structure, SymId};

/// Number of executions at a time.
const LANES: usize = 64;
/// Number of steps without a change after which an execution ends.
const MAX_IDLE: u32 = 200;
/// Maximum number of changes in an execution.
const MAX_MOVES: usize = 40;
/// Maximum number of states.
const MAX_STATES: usize = 16_384;

/// An execution in progress.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// The number of its state.
    state: usize,
    idle: u32,
    moves: u32,
    /// Relative frequencies of the transitions, summed up.
    weights: Vec<u32>,
}

/// Where a state comes from.
#[derive(Clone, Debug)]
enum Parent {
    /// It is this initial state.
    Root(usize),
    /// It comes from another state with these inputs.
    Step(usize, Box<[u64]>),
}

/// An instance and its states.
pub(super) struct World {
    pub(super) instance: Instance,
    /// The gates that a step needs, and all gates.
    step: Words,
    all: Words,
    /// The constraints that are about a state alone, and the gates that they need.
    of_state: Vec<Edge>,
    judged: Words,
    /// The values of the nodes of the circuit, a bit per execution.
    values: Vec<u64>,
    lanes: Vec<Lane>,
    /// The inputs that choose the transition.
    selectors: Vec<usize>,
    /// The inputs that choose parameters, each with the executions for which it is fixed, and their values.
    parameters: Vec<(usize, u64, u64)>,
    /// The inputs that choose anything else.
    others: Vec<usize>,
    /// Initial states.
    roots: Vec<Structure>,
    /// The values of the latches by state.
    states: Vec<Box<[u64]>>,
    parents: Vec<Parent>,
    known: Map<Box<[u64]>, usize>,
    /// Per state symbol, its latches.
    symbols: Vec<Vec<usize>>,
    /// The states by how much is true in them (see [`Self::profile`]).
    profiles: Vec<Vec<usize>>,
    numbers: Map<Box<[u8]>, usize>,
    columns: Columns,
    /// Per transition, how often it led to a new state.
    taken: Vec<u64>,
    /// Number of targets among the properties of the circuit.
    targets: usize,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "World({} states)", self.states.len())
    }
}

/// Returns the constraints that no input occurs in.
fn of_state(circuit: &Circuit) -> Vec<Edge> {
    let graph = circuit.graph();
    let mut depends: Vec<bool> =
        (0..graph.len()).map(|node| (1..circuit.first_latch()).contains(&node)).collect();
    for (node, [left, right]) in graph.gates() {
        depends[node] = depends[left.node()] || depends[right.node()];
    }
    circuit.constraints().iter().copied().filter(|edge| !depends[edge.node()]).collect()
}

impl World {
    /// Creates a world without states.
    pub(super) fn new(instance: Instance, vocabulary: &Vocabulary, targets: usize) -> World {
        let circuit = instance.circuit();
        let values = vec![0; circuit.graph().len()];
        let roots = circuit.latches().iter().map(|latch| latch.next);
        let roots = roots.chain(circuit.constraints().iter().copied());
        let is_needed = circuit.graph().cone(roots.chain(circuit.bad()[..targets].iter().copied()), |_| None);
        let (step, all) = (circuit.graph().words(|node| is_needed[node]), circuit.graph().words(|_| true));
        let of_state = of_state(circuit);
        let is_needed = circuit.graph().cone(of_state.iter().copied(), |_| None);
        let judged = circuit.graph().words(|node| is_needed[node]);
        let (mut selectors, mut parameters, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (at, input) in instance.inputs().iter().enumerate() {
            match input {
                Input::Selector(_) => selectors.push(1 + at),
                Input::Parameter(..) => parameters.push((1 + at, 0, 0)),
                Input::Choice(..) | Input::Next(..) => others.push(1 + at),
            }
        }
        let transitions = instance.system().transitions.len();
        let columns = Columns::new(&instance, vocabulary, targets);
        let mut symbols: Map<SymId, Vec<usize>> = Map::default();
        for latch in 0..instance.circuit().latches().len() {
            if let Some(atom) = instance.atom(latch) {
                symbols.entry(atom.sym).or_default().push(latch);
            }
        }
        let mut symbols: Vec<Vec<usize>> = symbols.into_values().collect();
        symbols.sort_unstable();
        World {
            instance,
            step,
            all,
            of_state,
            judged,
            values,
            lanes: Vec::new(),
            selectors,
            parameters,
            others,
            roots: Vec::new(),
            states: Vec::new(),
            parents: Vec::new(),
            known: Map::default(),
            symbols,
            profiles: Vec::new(),
            numbers: Map::default(),
            columns,
            taken: vec![0; transitions],
            targets,
        }
    }

    /// Returns the number of states that the columns have.
    pub(super) fn tabulated(&self) -> usize {
        self.columns.states()
    }

    /// Returns the first initial state.
    pub(super) fn root(&self) -> &Structure {
        &self.roots[0]
    }

    /// Returns how much happens: the number of transitions that were taken, and that of states.
    pub(super) fn score(&self) -> (usize, usize) {
        (self.taken.iter().filter(|&&taken| taken > 0).count(), self.states.len())
    }

    /// Returns the work of one step of all executions.
    pub(super) fn step_work(&self) -> u64 {
        1 + self.instance.circuit().num_gates() as u64 / 16
    }

    /// Returns the values of the latches in a state of the system.
    pub(super) fn latches(&self, structure: &Structure) -> Vec<bool> {
        let sig = &self.instance.system().sig;
        let value = |latch: usize| match self.instance.atom(latch) {
            None => true,
            Some(atom) => {
                let value = structure.interpretation(sig, atom.sym, 0).get(&atom.args);
                match atom.meaning {
                    Meaning::Holds => value != 0,
                    Meaning::Is(other) => value == other,
                    Meaning::Bit(bit) => value >> bit & 1 == 1,
                }
            }
        };
        (0..self.instance.circuit().latches().len()).map(value).collect()
    }

    /// Adds an initial state.
    pub(super) fn add_root(&mut self, structure: Structure) {
        let packed = pack(&self.latches(&structure));
        if !self.known.contains_key(&packed) {
            let root = self.roots.len();
            self.roots.push(structure);
            self.insert(packed, Parent::Root(root));
        }
    }

    fn insert(&mut self, packed: Box<[u64]>, parent: Parent) -> usize {
        let at = self.states.len();
        self.known.insert(packed.clone(), at);
        let next = self.numbers.len();
        let profile = *self.numbers.entry(self.profile(&packed)).or_insert(next);
        if profile == next {
            self.profiles.push(Vec::new());
        }
        self.profiles[profile].push(at);
        self.states.push(packed);
        self.parents.push(parent);
        at
    }

    /// Returns for each state symbol the magnitude of the number of its bits that are true.
    fn profile(&self, packed: &[u64]) -> Box<[u8]> {
        let count = |latches: &Vec<usize>| {
            let is_true = |&&latch: &&usize| packed[latch / 64] >> (latch % 64) & 1 == 1;
            match latches.iter().filter(is_true).count() {
                count @ 0..3 => count as u8,
                3..6 => 3,
                _ => 4,
            }
        };
        self.symbols.iter().map(count).collect()
    }

    /// Puts an execution into a state, with other preferences.
    fn restart(&mut self, lane: usize, rng: &mut Rng) {
        // What is reached early is reached again from everywhere.
        let count = self.states.len();
        let state = match rng.below(4) {
            0 => rng.below(self.roots.len()),
            1 => count - 1 - rng.below(count.div_ceil(4)),
            // Where much happened there are more states than where little did, and few where something rare did.
            _ => {
                let profile = &self.profiles[rng.below(self.profiles.len())];
                profile[rng.below(profile.len())]
            }
        };
        let mut sum = 0;
        let transitions = self.instance.system().transitions.len();
        let weights = (0..transitions).map(|_| {
            sum += [0, 1, 4, 16][rng.below(4)];
            sum
        });
        self.lanes[lane] = Lane { state, idle: 0, moves: 0, weights: weights.collect() };
        let bit = 1 << lane;
        for (_, fixed, value) in &mut self.parameters {
            *fixed &= !bit;
            *value &= !bit;
            if rng.one_in(4) {
                *fixed |= bit;
                *value |= if rng.one_in(2) { bit } else { 0 };
            }
        }
        self.place(lane);
    }

    /// Gives the latches the values of the state of an execution.
    fn place(&mut self, lane: usize) {
        let first = self.instance.circuit().first_latch();
        let state = &self.states[self.lanes[lane].state];
        for latch in 0..self.instance.circuit().latches().len() {
            let bit = state[latch / 64] >> (latch % 64) & 1;
            let word = &mut self.values[first + latch];
            *word = *word & !(1 << lane) | bit << lane;
        }
    }

    fn choose(&mut self, rng: &mut Rng) {
        for &at in &self.others {
            self.values[at] = rng.next_u64();
        }
        for &(at, fixed, value) in &self.parameters {
            self.values[at] = rng.next_u64() & !fixed | value;
        }
        for &at in &self.selectors {
            self.values[at] = 0;
        }
        for (lane, it) in self.lanes.iter().enumerate() {
            let sum = it.weights.last().copied().unwrap_or(0);
            let wanted = rng.below(sum as usize) as u32;
            let number = 1 + it.weights.partition_point(|&upto| upto <= wanted);
            for (bit, &at) in self.selectors.iter().enumerate() {
                self.values[at] |= ((number >> bit & 1) as u64) << lane;
            }
        }
    }

    /// Makes steps. Returns a state in which a target is violated, if one is reached.
    pub(super) fn run(&mut self, steps: u64, rng: &mut Rng) -> Option<usize> {
        if self.states.is_empty() || self.states.len() >= MAX_STATES {
            return None;
        }
        if self.lanes.is_empty() {
            self.lanes = vec![Lane::default(); LANES];
            (0..LANES).for_each(|lane| self.restart(lane, rng));
        }
        for _ in 0..steps {
            if self.states.len() >= MAX_STATES {
                return None;
            }
            self.choose(rng);
            self.step.evaluate(&mut self.values);
            let circuit = self.instance.circuit();
            for bad in &circuit.bad()[..self.targets] {
                let violated = bad.of(&self.values);
                if violated != 0 {
                    return Some(self.lanes[violated.trailing_zeros() as usize].state);
                }
            }
            let is_allowed = circuit.constraints().iter().fold(u64::MAX, |all, it| all & it.of(&self.values));
            let first = circuit.first_latch();
            let nexts: Vec<u64> = circuit.next(&self.values);
            let changed = nexts.iter().enumerate();
            let mut changed =
                changed.fold(0, |all, (at, next)| all | (next ^ self.values[first + at])) & is_allowed;
            let before =
                (!self.of_state.is_empty()).then(|| self.values[first..first + nexts.len()].to_vec());
            for (at, next) in nexts.iter().enumerate() {
                let now = &mut self.values[first + at];
                *now = *now & !changed | next & changed;
            }
            // What is assumed of every state is not always implied by the step to it.
            if let Some(before) = before {
                self.judged.evaluate(&mut self.values);
                let is_state = self.of_state.iter().fold(u64::MAX, |all, it| all & it.of(&self.values));
                let rejected = changed & !is_state;
                for (at, before) in before.iter().enumerate() {
                    let now = &mut self.values[first + at];
                    *now = *now & !rejected | before & rejected;
                }
                changed &= is_state;
            }
            for lane in 0..LANES {
                if changed >> lane & 1 == 1 {
                    let packed = column(&self.values[first..first + nexts.len()], lane);
                    let state = match self.known.get(&packed) {
                        Some(&state) => state,
                        None => {
                            let inputs = column(&self.values[1..first], lane);
                            let selected = self.selectors.iter().enumerate();
                            let number = selected
                                .fold(0, |number, (bit, &at)| number | (self.values[at] >> lane & 1) << bit);
                            if let Some(taken) = self.taken.get_mut((number as usize).wrapping_sub(1)) {
                                *taken += 1;
                            }
                            self.insert(packed, Parent::Step(self.lanes[lane].state, inputs))
                        }
                    };
                    let it = &mut self.lanes[lane];
                    *it = Lane {
                        state,
                        idle: 0,
                        moves: it.moves + 1,
                        weights: std::mem::take(&mut it.weights),
                    };
                } else {
                    self.lanes[lane].idle += 1;
                }
                if self.lanes[lane].idle > MAX_IDLE || self.lanes[lane].moves as usize > MAX_MOVES {
                    self.restart(lane, rng);
                }
            }
        }
        None
    }

    /// Makes columns of the new states. Returns the work.
    pub(super) fn tabulate(&mut self) -> u64 {
        let first = self.instance.circuit().first_latch();
        let latches = self.instance.circuit().latches().len();
        let mut work = 0;
        let from = self.columns.complete_words();
        for block in from..self.states.len().div_ceil(64) {
            let states = &self.states[block * 64..self.states.len().min(block * 64 + 64)];
            for latch in 0..latches {
                let mut word = 0;
                for (at, state) in states.iter().enumerate() {
                    word |= (state[latch / 64] >> (latch % 64) & 1) << at;
                }
                self.values[first + latch] = word;
            }
            let count = states.len();
            self.all.evaluate(&mut self.values);
            work += self.step_work() + 4 * latches as u64;
            self.columns.set(block, count, &self.values, &self.instance);
        }
        (0..self.lanes.len()).for_each(|lane| self.place(lane));
        work
    }

    /// Returns a state in which a claim is false, from this one on, of those that have columns. Formulas that the search does
    /// not make are not evaluated.
    pub(super) fn refuting(&self, claim: &Claim, from: usize, work: &mut u64) -> Option<usize> {
        match claim {
            Claim::Excludes(pattern) => self.columns.find(pattern, from, work),
            Claim::Alternates(formula) => self.columns.refuting(formula, from, work),
            Claim::Formula(_) => None,
        }
    }

    /// Returns a state.
    pub(super) fn state(&self, at: usize) -> Structure {
        self.instance.state(&unpack(&self.states[at], self.instance.circuit().latches().len()))
    }

    /// Returns the execution to a state, with the initial state that it begins in.
    pub(super) fn execution(&self, state: usize) -> (hwmc::Witness, Option<&Structure>) {
        let count = self.instance.circuit().num_inputs();
        let mut inputs = vec![vec![false; count]];
        let mut at = state;
        loop {
            match &self.parents[at] {
                Parent::Root(root) => {
                    inputs.reverse();
                    let latches = self.instance.circuit().latches().len();
                    let state = unpack(&self.states[at], latches);
                    return (hwmc::Witness { state, inputs }, self.roots.get(*root));
                }
                Parent::Step(parent, step) => {
                    inputs.push(unpack(step, count));
                    at = *parent;
                }
            }
        }
    }
}

fn pack(bits: &[bool]) -> Box<[u64]> {
    let mut packed = vec![0; bits.len().div_ceil(64)];
    for (at, &bit) in bits.iter().enumerate() {
        packed[at / 64] |= u64::from(bit) << (at % 64);
    }
    packed.into()
}

fn unpack(packed: &[u64], count: usize) -> Vec<bool> {
    (0..count).map(|at| packed[at / 64] >> (at % 64) & 1 == 1).collect()
}

/// Returns the bits of one execution.
fn column(words: &[u64], lane: usize) -> Box<[u64]> {
    let mut packed = vec![0; words.len().div_ceil(64)];
    for (at, word) in words.iter().enumerate() {
        packed[at / 64] |= (word >> lane & 1) << (at % 64);
    }
    packed.into()
}
