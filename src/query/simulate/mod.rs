//! `simulate`: walks through a system state by state, at random or as told.
//!
//! States are over universes of fixed sizes. What the updates of an action define is computed; what they leave open
//! is searched at these sizes. Every state and every step is evaluated against the plain formulas before it counts.

mod judge;
mod steps;

use std::sync::Arc;

use super::outcome::Counterexample;
use super::unroll::Call;
use super::verify::Limits;
use crate::ask::Breach;
use crate::ask::Failure;
use crate::base::budget::Budget;
use crate::base::ids::{Id as _, IdVec};
use crate::base::rng::Rng;
use crate::epr::Solver;
use crate::forms::Pretty;
use crate::logic::{Elem, Signature, SortId, Structure, SymId, TermId, Terms};
use crate::step::{Action, Update};
use crate::system::System;
use crate::vc::{Obligations, plain};
use judge::choices;

/// Ways to take a transition that are tried one by one; where there are more, one is searched.
const MOST_WAYS: u64 = 20_000;

/// Sizes that sorts get if an initial state has them, the preferred one first.
const USUAL_SIZES: [u32; 2] = [3, 2];
/// Elements in all, of sorts whose size is not given, below which an initial state is looked for: this and so many more
/// for each sort.
const MOST_ELEMENTS: u32 = 8;

/// A transition to take, with what is known of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Index into [`System::transitions`].
    pub transition: usize,
    /// A value per parameter, `None` for any; `None` where nothing is said of them.
    pub args: Option<Vec<Option<Elem>>>,
}

/// A claim that is false in a state of the walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Index into [`System::invariants`].
    Invariant(usize),
    /// Index into [`System::assertions`]: a part of the program that begins in the state goes wrong there.
    Assertion(usize),
}

/// A claim that is false, and was not so in the state before.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The first state in which it is false; 0 for an assertion of the part that leads to the initial states.
    pub state: usize,
    /// The claim.
    pub claim: Claim,
    /// The state alone, choices that violate the assertion included, and what is to blame. Before the initial states
    /// (an assertion of [`crate::system::Site::Init`]) it is a structure of its own, and no state of the walk.
    pub counterexample: Counterexample,
}

/// Why a transition cannot be taken in a state.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// The transition.
    pub transition: usize,
    /// Values of the parameters that come closest; `None` where all are excluded by the same condition, or too many to try.
    pub args: Option<Vec<Elem>>,
    /// The smallest condition that is false; parameters are constants in it. `None` where its guard is true and no next
    /// state exists, or where there are too many values to try.
    pub breach: Option<Breach>,
}

/// How a walk ended.
#[derive(Clone, Debug)]
pub enum End {
    /// It did not begin: there is no initial state of the sizes that are given, as far as was looked.
    NoInitialState,
    /// It has as many steps as were asked for.
    Steps,
    /// The transition to stop after was taken.
    Reached,
    /// A claim was violated, and the walk was to stop there.
    Violated,
    /// No transition can be taken: why, for each of them.
    Deadlock(Vec<Blocked>),
    /// The transition that was told cannot be taken.
    Disabled(Blocked),
}

/// A transition in the form that steps are computed in.
#[derive(Debug)]
struct Prepared {
    action: Action,
    /// Body and frame conditions, free in the parameters: what a step is judged by.
    plain: TermId,
    /// Choices that the transition makes.
    bits: Vec<SymId>,
    /// Whether the updates leave something of the next state open.
    is_open: bool,
}

/// Values for all parameters and choices of a transition.
#[derive(Clone, Debug)]
struct Way {
    transition: usize,
    args: Vec<Elem>,
    bits: Vec<Elem>,
}

/// A walk under way.
pub struct Simulator {
    system: Arc<System>,
    sig: Signature,
    terms: Terms,
    params: Vec<Vec<SymId>>,
    prepared: Vec<Prepared>,
    /// Axioms, derived relations, and these with the conditions on initial states.
    state_conditions: Vec<TermId>,
    init_conditions: Vec<TermId>,
    rng: Rng,
    limits: Limits,
    states: Vec<Structure>,
    calls: Vec<Call>,
    violations: Vec<Violation>,
    /// Claims that are false in the last state.
    broken: Vec<Claim>,
    /// Sizes at which an initial state was looked for.
    tried: Vec<IdVec<SortId, u32>>,
    /// Whether a step was left to chance.
    is_random: bool,
}

impl Simulator {
    /// Prepares walks through `system`; `seed` decides what is left to chance, each query has `limits` of its own.
    pub fn new(system: Arc<System>, seed: u64, limits: Limits) -> Simulator {
        let Obligations { sig, mut terms, params, .. } = Obligations::new(&system);
        let prepared = (0..system.transitions.len())
            .map(|index| Prepared::new(&system, &sig, &mut terms, index, &params[index]))
            .collect();
        let axioms = system.axioms.iter().map(|axiom| axiom.formula);
        let state_conditions: Vec<TermId> =
            axioms.chain(system.derived.iter().map(|derived| derived.axiom)).collect();
        let mut init_conditions = state_conditions.clone();
        init_conditions.extend(system.inits.iter().map(|init| init.formula));
        Simulator {
            system,
            sig,
            terms,
            params,
            prepared,
            state_conditions,
            init_conditions,
            rng: Rng::new(seed),
            limits,
            states: Vec::new(),
            calls: Vec::new(),
            violations: Vec::new(),
            broken: Vec::new(),
            tried: Vec::new(),
            is_random: false,
        }
    }

    /// A walk that has come to this state, which is over the system's signature, and nobody knows how.
    pub fn at(system: Arc<System>, mut state: Structure, limits: Limits) -> Simulator {
        let mut simulator = Simulator::new(system, 0, limits);
        state.grow_to(&simulator.sig);
        simulator.states.push(state);
        simulator
    }

    /// Whether a step was left to chance, so that what was never taken is no choice of the user's.
    pub fn is_random(&self) -> bool {
        self.is_random
    }

    /// The sizes at which an initial state was looked for, in order. Where the least sizes of all were, these are the last.
    pub fn tried(&self) -> &[IdVec<SortId, u32>] {
        &self.tried
    }

    /// Signature of states and terms: the system's, and the parameters as constants.
    pub fn sig(&self) -> &Signature {
        &self.sig
    }

    /// The arena of the formulas in the answers.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The transitions that were taken.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The claims that were violated, by state.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The last state.
    pub fn state(&self) -> Option<&Structure> {
        self.states.last()
    }

    /// All states of the walk in one structure; `None` before [`Self::start`].
    pub fn structure(&self) -> Option<Structure> {
        self.structure_from(0)
    }

    /// The states of the walk from this one on in one structure; `None` if there are none.
    pub fn structure_from(&self, first: usize) -> Option<Structure> {
        let (first, rest) = self.states.get(first..)?.split_first()?;
        let mut structure = first.clone();
        rest.iter().for_each(|state| structure.push_state(&self.sig, state, 0));
        Some(structure)
    }

    /// Begins anew in an initial state, with sorts of these sizes and others of 3, or else 2, or else as few elements as an
    /// initial state needs; in one in which a transition can be taken, if there is one of these sizes. False if there is no
    /// initial state. At the same sizes an execution of the part that leads to the initial
    /// states is looked for that goes wrong there.
    ///
    /// # Errors
    /// A budget that ran out, an internal error, or a size that no sort can have.
    pub fn start(&mut self, sizes: &[(SortId, u32)]) -> Result<bool, Failure> {
        let is_sort = |sort: SortId| self.sig.uninterpreted_sorts().any(|known| known == sort);
        if let Some(&(sort, size)) = sizes.iter().find(|&&(sort, size)| size == 0 || !is_sort(sort)) {
            return Err(Failure::Misuse(format!("sort {} cannot have {size} elements", sort.index())));
        }
        self.states.clear();
        self.calls.clear();
        self.violations.clear();
        self.broken.clear();
        let mut budget = self.limits.budget();
        budget.check()?;
        let mut solver = Solver::new(self.sig.clone(), self.terms.clone(), 0);
        let conditions = self.init_conditions.iter();
        solver.within(&mut budget, |solver| conditions.for_each(|&formula| solver.assert(formula)));
        let seed = self.rng.next_u64();
        self.tried.clear();
        self.is_random = false;
        let found = self.initial_state(&mut solver, sizes, seed, &mut budget)?;
        let universes = match &found {
            Some(state) => state.sizes.clone(),
            None => self.universes(sizes, USUAL_SIZES[0]),
        };
        self.judge_initial_part(&universes, seed, &mut budget)?;
        let Some(state) = found else { return Ok(false) };
        if let Some(&broken) = self.first_false(&state, &self.init_conditions, &mut budget)? {
            let what = Pretty::new(&self.sig, &self.terms, broken);
            return Err(Failure::Internal(format!("an initial state does not satisfy {what}")));
        }
        self.states.push(state);
        self.judge(&mut budget)?;
        Ok(true)
    }

    /// An initial state of these sizes, if possible one in which a transition can be taken.
    fn initial_state(
        &mut self,
        solver: &mut Solver,
        sizes: &[(SortId, u32)],
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, Failure> {
        let is_given = |sort: SortId| sizes.iter().any(|&(given, _)| given == sort);
        let has_open = self.sig.uninterpreted_sorts().any(|sort| !is_given(sort));
        let mut stuck = None;
        for usual in USUAL_SIZES.into_iter().take(if has_open { USUAL_SIZES.len() } else { 1 }) {
            let universes = self.universes(sizes, usual);
            match self.initial_state_of(solver, universes, seed, budget)? {
                Some((state, true)) => return Ok(Some(state)),
                Some((state, false)) => stuck = stuck.or(Some(state)),
                None => {}
            }
        }
        if !has_open || stuck.is_some() {
            return Ok(stuck);
        }
        let sorts = self.sig.sorts.len() as u32;
        let Some(least) = solver.smallest_sizes(sizes, sorts + MOST_ELEMENTS, budget)? else {
            return Ok(None);
        };
        let mut all: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), 1);
        for sort in least.ids() {
            all[sort] = least[sort];
        }
        Ok(self.initial_state_of(solver, all, seed, budget)?.map(|(state, _)| state))
    }

    /// An initial state of exactly these sizes, and whether a transition can be taken in it: it is one of these if there is
    /// one.
    fn initial_state_of(
        &mut self,
        solver: &mut Solver,
        sizes: IdVec<SortId, u32>,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Option<(Structure, bool)>, Failure> {
        let found = solver.sample(&sizes, None, 1, seed, budget)?;
        self.tried.push(sizes.clone());
        let Some(state) = found else { return Ok(None) };
        if self.can_move(&state, budget)? {
            return Ok(Some((state, true)));
        }
        // Together with a step: any step shows that the state before it has one.
        let mut moving = Solver::new(self.sig.clone(), self.terms.clone(), 0);
        let steps: Vec<TermId> = self
            .prepared
            .iter()
            .map(|it| {
                let conjuncts: Vec<TermId> =
                    it.action.guard.iter().chain(&it.action.residual).copied().collect();
                moving.terms_mut().and(&conjuncts)
            })
            .collect();
        let step = moving.terms_mut().or(&steps);
        let conditions = self.init_conditions.iter().copied().chain([step]);
        moving.within(budget, |solver| conditions.for_each(|formula| solver.assert(formula)));
        let found = moving.sample(&sizes, None, 2, seed, budget)?;
        Ok(Some(match found {
            Some(both) => (both.state(&self.sig, 0), true),
            None => (state, false),
        }))
    }

    /// Whether a transition can be taken in a state. The walk stays as it is.
    fn can_move(&mut self, state: &Structure, budget: &mut Budget) -> Result<bool, Failure> {
        let rng = self.rng.clone();
        self.states.push(state.clone());
        let mut moves = Ok(false);
        for transition in 0..self.prepared.len() {
            moves = self.can_take(transition, budget);
            if !matches!(moves, Ok(false)) {
                break;
            }
        }
        self.states.pop();
        self.rng = rng;
        moves
    }

    fn can_take(&mut self, transition: usize, budget: &mut Budget) -> Result<bool, Failure> {
        let free = vec![None; self.params[transition].len()];
        let found = match self.ways(transition, &free, budget)? {
            Some(ways) => self.take_one_of(ways, budget)?,
            None => self.search(transition, &free, budget)?,
        };
        Ok(found.is_some())
    }

    /// Sizes of all sorts: what is given, and `usual`.
    fn universes(&self, sizes: &[(SortId, u32)], usual: u32) -> IdVec<SortId, u32> {
        let mut all: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), usual);
        all[SortId::BOOL] = 2;
        for &(sort, size) in sizes {
            all[sort] = size;
        }
        all
    }

    /// Walks on from the last state: takes the transitions that are told, then others at random until there are `steps`
    /// steps in all. Stops early once the transition `until` was taken, and then also at a violation.
    ///
    /// # Errors
    /// Why the walk broke off; what was walked until then stays.
    pub fn walk(&mut self, told: &[Told], steps: usize, until: Option<usize>) -> Result<End, Failure> {
        if self.states.is_empty() {
            return Ok(End::NoInitialState);
        }
        if until.is_some() && !self.violations.is_empty() {
            return Ok(End::Violated);
        }
        let mut told = told.iter();
        loop {
            let before = self.violations.len();
            let taken = match told.next() {
                Some(told) => {
                    if let Some(blocked) = self.step(told)? {
                        return Ok(End::Disabled(blocked));
                    }
                    told.transition
                }
                None if self.calls.len() >= steps => return Ok(End::Steps),
                None => match self.random_step()? {
                    Some(taken) => taken,
                    None => return Ok(End::Deadlock(self.all_blocked()?)),
                },
            };
            if until == Some(taken) {
                return Ok(End::Reached);
            }
            if until.is_some() && self.violations.len() > before {
                return Ok(End::Violated);
            }
        }
    }

    /// Takes a transition, if it can be taken; otherwise tells why not.
    ///
    /// # Errors
    /// A budget that ran out, an internal error, or a transition or an element that the walk does not have.
    pub fn step(&mut self, told: &Told) -> Result<Option<Blocked>, Failure> {
        self.check(told)?;
        let mut budget = self.limits.budget();
        budget.check()?;
        let free = vec![None; self.params[told.transition].len()];
        let args = told.args.clone().unwrap_or(free);
        let next = match self.ways(told.transition, &args, &mut budget)? {
            Some(ways) => self.take_one_of(ways, &mut budget)?,
            None => self.search(told.transition, &args, &mut budget)?,
        };
        match next {
            Some((way, next)) => self.push(way, &next, &mut budget).map(|()| None),
            None => Ok(Some(self.blocked(told.transition, &args, &mut budget)?)),
        }
    }

    /// Whether there is what is told.
    fn check(&self, told: &Told) -> Result<(), Failure> {
        let misuse = |what: String| Err(Failure::Misuse(what));
        let Some(params) = self.params.get(told.transition) else {
            return misuse(format!("there is no transition {}", told.transition));
        };
        let Some(state) = self.states.last() else { return misuse("the walk has no state".to_owned()) };
        let Some(args) = &told.args else { return Ok(()) };
        if args.len() != params.len() {
            return misuse(format!("{} values are given for {} parameters", args.len(), params.len()));
        }
        let size = |param: &SymId| state.sizes[self.sig.symbols[*param].result];
        match args.iter().zip(params).find(|(arg, param)| arg.is_some_and(|arg| arg >= size(param))) {
            Some((arg, param)) => {
                let name = &self.sig.symbols[*param].name;
                misuse(format!("parameter `{name}` has {} values: {arg:?} is none", size(param)))
            }
            None => Ok(()),
        }
    }

    /// Takes a transition at random, all ways to take one being equally likely as long as they are few enough to be
    /// counted, and tells which; `None` if none can be taken.
    ///
    /// # Errors
    /// A budget that ran out, or an internal error.
    pub fn random_step(&mut self) -> Result<Option<usize>, Failure> {
        self.is_random = true;
        let mut budget = self.limits.budget();
        budget.check()?;
        let mut all: Vec<Vec<Way>> = Vec::new();
        let mut many: Vec<usize> = Vec::new();
        for transition in 0..self.prepared.len() {
            let free = vec![None; self.params[transition].len()];
            match self.ways(transition, &free, &mut budget)? {
                Some(ways) => all.push(ways),
                None => many.push(transition),
            }
        }
        if many.is_empty() {
            let ways = all.into_iter().flatten().collect();
            let Some((way, next)) = self.take_one_of(ways, &mut budget)? else { return Ok(None) };
            let taken = way.transition;
            self.push(way, &next, &mut budget)?;
            return Ok(Some(taken));
        }
        // Where the ways cannot be counted, transitions are equally likely.
        let mut open: Vec<Result<Vec<Way>, usize>> =
            all.into_iter().map(Ok).chain(many.into_iter().map(Err)).collect();
        while !open.is_empty() {
            let next = match open.swap_remove(self.rng.below(open.len())) {
                Ok(ways) => self.take_one_of(ways, &mut budget)?,
                Err(transition) => {
                    let free = vec![None; self.params[transition].len()];
                    self.search(transition, &free, &mut budget)?
                }
            };
            if let Some((way, next)) = next {
                let taken = way.transition;
                self.push(way, &next, &mut budget)?;
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }

    /// Takes up a step.
    fn push(&mut self, way: Way, both: &Structure, budget: &mut Budget) -> Result<(), Failure> {
        self.rng.next_u64();
        if let Some(now) = self.states.last_mut() {
            *now = both.state(&self.sig, 0);
        }
        self.states.push(both.state(&self.sig, 1));
        self.calls.push(Call { transition: way.transition, args: way.args });
        self.judge(budget)?;
        Ok(())
    }
}

impl Prepared {
    fn new(system: &System, sig: &Signature, terms: &mut Terms, index: usize, params: &[SymId]) -> Prepared {
        let transition = &system.transitions[index];
        let constants: Vec<TermId> = params.iter().map(|&param| terms.app(sig, param, 0, &[])).collect();
        let action = Action::of_transition(system, sig, terms, transition, &constants);
        let mut conjuncts = vec![transition.body];
        conjuncts.extend(plain::frame(sig, terms, transition));
        let plain = terms.and(&conjuncts);
        let bits = choices(sig, terms, transition.body);
        let is_free =
            |sym: SymId| sig.symbols[sym].kind.is_mutable() && matches!(action.update(sym), Update::Free);
        let is_open = !action.residual.is_empty() || sig.symbols.ids().any(is_free);
        Prepared { action, plain, bits, is_open }
    }
}
