//! `simulate`: runs through a system state by state, with random or requested steps.
//!
//! States have universes of fixed sizes. Symbols that the updates of an action define are computed; the others are
//! searched at these sizes. Every state and every step is confirmed by evaluating the plain formulas.

mod judge;
mod retrace;
mod steps;

use std::sync::Arc;

use super::canonical::renamed;
use super::choices::choices;
use super::outcome::Counterexample;
use super::unroll::Call;
use super::verify::Limits;
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{
    Elem, Interpretation, Signature, SortId, Structure, SymId, Syntax, SyntaxMut, TermId, Terms,
};
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Obligations, plain};
use ramsey_solver::ask::Falsification;
use ramsey_solver::ask::{Context, Failure};
use ramsey_solver::formulas::Pretty;
pub use steps::Possibilities;

/// Default sizes of sorts, if an initial state has them; the preferred one first.
const DEFAULT_SIZES: [u32; 2] = [3, 2];
/// Bound of the search for the smallest initial state: maximum number of elements of all sorts without a given size,
/// in addition to one for each sort.
const MAX_ELEMENTS: u32 = 8;

/// A requested step: a transition with constraints on its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRequest {
    /// Index into [`System::transitions`].
    pub transition: usize,
    /// A value per parameter, `None` for any; `None` if no parameter is constrained.
    pub args: Option<Vec<Option<Elem>>>,
}

/// A claim of the system, evaluated in the states of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Index into [`System::invariants`].
    Invariant(usize),
    /// Index into [`System::assertions`]; it fails if a part of the program that starts in the state violates it.
    Assertion(usize),
}

/// A claim that is false in a state and was not false in the state before.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Index of the first state in which the claim is false; 0 for an assertion of the part that leads to the initial
    /// states.
    pub state: usize,
    /// The claim.
    pub claim: Claim,
    /// The single state, with choices that violate the assertion, and the part that is false. For an assertion before
    /// the initial states ([`ramsey_core::system::Site::Init`]) it is a separate structure, not a state of the run.
    pub counterexample: Counterexample,
}

/// Reason why a transition cannot be taken in a state.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// The transition.
    pub transition: usize,
    /// Values of the parameters that satisfy most conditions; `None` if the same condition excludes all values, or if
    /// there are too many values to try.
    pub args: Option<Vec<Elem>>,
    /// The smallest condition that is false, with the parameters as constants. `None` if the guard is true but no next
    /// state exists, or if there are too many values to try.
    pub falsification: Option<Falsification>,
}

/// Reason why a run ended.
#[derive(Clone, Debug)]
pub enum End {
    /// The run did not start: no initial state of the given sizes was found within the bounds of the search.
    NoInitialState,
    /// The run has the requested number of steps.
    Steps,
    /// The transition to stop after was taken.
    Reached,
    /// A claim was violated, and the run was to stop at a violation.
    Violated,
    /// No transition can be taken, for the reason given for each.
    Deadlock(Vec<Blocked>),
    /// The requested transition cannot be taken.
    Disabled(Blocked),
    /// The given execution is none of the system.
    Departed(Departure),
}

/// Where a given execution ceases to be one of the system.
#[derive(Clone, Debug)]
pub struct Departure {
    /// The first state that does not belong there.
    pub state: usize,
    /// The transition that is said to lead there.
    pub transition: Option<usize>,
    /// The state, with what is false in it, if it is no initial state, or no state of the system at all.
    pub falsified: Option<(Structure, Falsification)>,
}

/// A transition in the form from which steps are computed.
#[derive(Debug)]
struct Prepared {
    action: Action,
    /// Body and frame conditions, free in the parameters: the condition that a step must satisfy.
    plain: TermId,
    /// Choices of the transition, those without arguments first.
    choices: Vec<SymId>,
    /// Whether the updates leave some symbol of the next state undetermined.
    is_open: bool,
}

/// Values for all parameters and choices of a transition.
#[derive(Clone, Debug)]
struct Way {
    transition: usize,
    args: Vec<Elem>,
    /// What each of [`Prepared::choices`] is.
    choices: Vec<Interpretation>,
}

/// A simulation in progress.
pub struct Simulator {
    system: Arc<System>,
    sig: Signature,
    terms: Terms,
    params: Vec<Vec<SymId>>,
    prepared: Vec<Prepared>,
    /// Axioms and axioms of derived relations.
    state_conditions: Vec<TermId>,
    init_conditions: Vec<TermId>,
    rng: Rng,
    limits: Limits,
    states: Vec<Structure>,
    calls: Vec<Call>,
    violations: Vec<Violation>,
    /// Claims that are false in the last state.
    broken: Vec<Claim>,
    /// Sizes at which an initial state was searched.
    tried: Vec<IdVec<SortId, u32>>,
    /// Whether a step was chosen at random.
    is_random: bool,
}

impl Simulator {
    /// Prepares runs of `system`. `seed` determines the random choices; each query has separate `limits`.
    pub fn new(system: Arc<System>, seed: u64, limits: Limits) -> Simulator {
        let system = System::sharing_without_proofs(&system);
        let Obligations { sig, mut terms, params, .. } = Obligations::none(&system);
        let prepared = (0..system.transitions.len())
            .map(|index| Prepared::new(&system, terms.over_mut(&sig), index, &params[index]))
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

    /// Prepares a run from `state`, a state over the system's signature with unknown history.
    pub fn at(system: Arc<System>, mut state: Structure, limits: Limits) -> Simulator {
        let mut simulator = Simulator::new(system, 0, limits);
        state.grow_to(&simulator.sig);
        simulator.states.push(state);
        simulator
    }

    /// Returns whether a step was chosen at random, so that the user did not choose which transitions were never
    /// taken.
    pub fn is_random(&self) -> bool {
        self.is_random
    }

    /// Returns the sizes at which an initial state was searched, in order. The smallest possible sizes, if they were
    /// searched, come last.
    pub fn tried(&self) -> &[IdVec<SortId, u32>] {
        &self.tried
    }

    /// Returns the signature of states and terms: the system's, extended by the parameters as constants.
    pub fn sig(&self) -> &Signature {
        &self.sig
    }

    /// Returns the signature and the formulas in the answers.
    pub fn syntax(&self) -> Syntax<'_> {
        self.terms.over(&self.sig)
    }

    /// Returns the transitions taken.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Returns the violated claims, in the order of the states.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns the claims that are false in the last state.
    pub fn broken(&self) -> &[Claim] {
        &self.broken
    }

    /// Returns the last state.
    pub fn state(&self) -> Option<&Structure> {
        self.states.last()
    }

    /// Returns all states of the run in one structure; `None` before [`Self::start`].
    pub fn structure(&self) -> Option<Structure> {
        self.structure_from(0)
    }

    /// Returns the states of the run from index `first` on in one structure; `None` if there are none.
    pub fn structure_from(&self, first: usize) -> Option<Structure> {
        let (first, rest) = self.states.get(first..)?.split_first()?;
        let mut structure = first.clone();
        rest.iter().for_each(|state| structure.push_state(&self.sig, state, 0));
        Some(structure)
    }

    /// Restarts in an initial state. Sorts have the given sizes; the others have 3 elements, or else 2, or else as few
    /// as an initial state needs, each again 3 or 2 if that is possible. States in which a transition can be taken are preferred. Returns `false` if there is
    /// no initial state. At the same sizes, a violating execution of the part that leads to the initial states is
    /// searched.
    ///
    /// # Errors
    /// Returns an error if a budget runs out, for an internal error, or if a sort cannot have the given size.
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
        let conditions = self.init_conditions.iter().copied();
        let mut context = Context::of((&self.sig, &self.terms), conditions, &mut budget);
        let seed = self.rng.next_u64();
        self.tried.clear();
        self.is_random = false;
        let found = self.initial_state(&mut context, sizes, seed, &mut budget)?;
        let universes = match &found {
            Some(state) => state.sizes.clone(),
            None => self.universes(sizes, DEFAULT_SIZES[0]),
        };
        self.judge_initial_part(&universes, seed, &mut budget)?;
        let Some(state) = found.map(|state| renamed(&self.system, &self.sig, &state)) else {
            return Ok(false);
        };
        if let Some(&broken) = self.first_false(&state, &self.init_conditions, &mut budget)? {
            let what = Pretty::new(self.syntax(), broken);
            return Err(Failure::Internal(format!("an initial state does not satisfy {what}")));
        }
        self.states.push(state);
        self.judge(&mut budget)?;
        Ok(true)
    }

    /// Returns an initial state of these sizes, preferably one in which a transition can be taken.
    fn initial_state(
        &mut self,
        context: &mut Context,
        sizes: &[(SortId, u32)],
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, Failure> {
        let is_given = |sort: SortId| sizes.iter().any(|&(given, _)| given == sort);
        let has_open = self.sig.uninterpreted_sorts().any(|sort| !is_given(sort));
        let mut stuck = None;
        for usual in DEFAULT_SIZES.into_iter().take(if has_open { DEFAULT_SIZES.len() } else { 1 }) {
            let universes = self.universes(sizes, usual);
            match self.initial_state_of(context, universes, seed, budget)? {
                Some((state, true)) => return Ok(Some(state)),
                Some((state, false)) => stuck = stuck.or(Some(state)),
                None => {}
            }
        }
        if !has_open || stuck.is_some() {
            return Ok(stuck);
        }
        let sorts = self.sig.sorts.len() as u32;
        let Some(least) = context.smallest_sizes(sizes, sorts + MAX_ELEMENTS, budget)? else {
            return Ok(None);
        };
        let mut all: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), 1);
        for sort in least.ids() {
            all[sort] = least[sort];
        }
        let mut best = self.initial_state_of(context, all.clone(), seed, budget)?;
        // A sort with a size of its own, an enumeration for instance, is no reason for the others to be small.
        let open: Vec<SortId> = self.sig.uninterpreted_sorts().filter(|&sort| !is_given(sort)).collect();
        for sort in open {
            for usual in DEFAULT_SIZES.into_iter().filter(|&usual| usual > all[sort]) {
                let mut larger = all.clone();
                larger[sort] = usual;
                let found = self.initial_state_of(context, larger.clone(), seed, budget)?;
                let was_moving = best.as_ref().is_some_and(|&(_, moves)| moves);
                if found.as_ref().is_some_and(|&(_, moves)| moves || !was_moving) {
                    (best, all) = (found, larger);
                    break;
                }
            }
        }
        Ok(best.map(|(state, _)| state))
    }

    /// Returns an initial state of exactly these sizes, and whether a transition can be taken in it. Such a state is
    /// returned if there is one.
    fn initial_state_of(
        &mut self,
        context: &mut Context,
        sizes: IdVec<SortId, u32>,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Option<(Structure, bool)>, Failure> {
        let found = context.sample(&sizes, None, 1, seed, budget)?;
        self.tried.push(sizes.clone());
        let Some(state) = found else { return Ok(None) };
        if self.can_move(&state, budget)? {
            return Ok(Some((state, true)));
        }
        // The state is searched together with a step, which shows that a transition can be taken.
        let conditions = self.init_conditions.iter().copied();
        let mut moving = Context::of((&self.sig, &self.terms), conditions, budget);
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
        moving.assume(step, budget);
        let found = moving.sample(&sizes, None, 2, seed, budget)?;
        Ok(Some(match found {
            Some(both) => (both.state(&self.sig, 0), true),
            None => (state, false),
        }))
    }

    /// Checks whether a transition can be taken in a state. The run is unchanged.
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

    /// Returns the sizes of all sorts: the given ones, otherwise `usual`.
    fn universes(&self, sizes: &[(SortId, u32)], usual: u32) -> IdVec<SortId, u32> {
        let mut all: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), usual);
        all[SortId::BOOL] = 2;
        for &(sort, size) in sizes {
            all[sort] = size;
        }
        all
    }

    /// Continues from the last state: takes the requested steps, then random ones until there are `steps` steps in
    /// total. With `until`, stops once that transition was taken, and also at a violation.
    ///
    /// # Errors
    /// Returns the error that ended the run; the steps up to it are kept.
    pub fn walk(
        &mut self,
        requests: &[StepRequest],
        steps: usize,
        until: Option<usize>,
    ) -> Result<End, Failure> {
        if self.states.is_empty() {
            return Ok(End::NoInitialState);
        }
        if until.is_some() && !self.violations.is_empty() {
            return Ok(End::Violated);
        }
        let mut requests = requests.iter();
        loop {
            let before = self.violations.len();
            let taken = match requests.next() {
                Some(request) => {
                    if let Some(blocked) = self.step(request)? {
                        return Ok(End::Disabled(blocked));
                    }
                    request.transition
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

    /// Takes a transition in one of the ways that the request allows, at random; if it cannot be taken, returns the
    /// reason.
    ///
    /// # Errors
    /// Returns an error if a budget runs out, for an internal error, or if the transition or an element does not
    /// exist.
    pub fn step(&mut self, request: &StepRequest) -> Result<Option<Blocked>, Failure> {
        self.step_by(request, Simulator::take_one_of)
    }

    /// Takes a transition like [`Self::step`], in the first of the ways: the one among [`Self::possibilities`].
    ///
    /// # Errors
    /// As for [`Self::step`].
    pub fn step_first(&mut self, request: &StepRequest) -> Result<Option<Blocked>, Failure> {
        self.step_by(request, Simulator::take_first_of)
    }

    fn step_by(
        &mut self,
        request: &StepRequest,
        take: impl FnOnce(&mut Self, Vec<Way>, &mut Budget) -> Result<Option<(Way, Structure)>, Failure>,
    ) -> Result<Option<Blocked>, Failure> {
        self.check(request)?;
        let mut budget = self.limits.budget();
        budget.check()?;
        let free = vec![None; self.params[request.transition].len()];
        let args = request.args.clone().unwrap_or(free);
        let next = match self.ways(request.transition, &args, &mut budget)? {
            Some(ways) => take(self, ways, &mut budget)?,
            None => self.search(request.transition, &args, &mut budget)?,
        };
        match next {
            Some((way, next)) => self.push(way, &next, &mut budget).map(|()| None),
            None => Ok(Some(self.blocked(request.transition, &args, &mut budget)?)),
        }
    }

    /// Checks that the transition and the elements of `request` exist.
    fn check(&self, request: &StepRequest) -> Result<(), Failure> {
        let misuse = |what: String| Err(Failure::Misuse(what));
        let Some(params) = self.params.get(request.transition) else {
            return misuse(format!("there is no transition {}", request.transition));
        };
        let Some(state) = self.states.last() else { return misuse("the walk has no state".to_owned()) };
        let Some(args) = &request.args else { return Ok(()) };
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

    /// Takes a transition at random and returns it; `None` if none can be taken. All ways to take a transition are
    /// equally likely, as long as they are few enough to be enumerated; those that differ in chosen functions alone count as one.
    ///
    /// # Errors
    /// Returns an error if a budget runs out, or for an internal error.
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
        // If the ways cannot be enumerated, transitions are equally likely.
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

    /// Appends a step to the run.
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
    fn new(system: &System, syntax: SyntaxMut<'_>, index: usize, params: &[SymId]) -> Prepared {
        let SyntaxMut { sig, terms } = syntax;
        let transition = &system.transitions[index];
        let constants: Vec<TermId> = params.iter().map(|&param| terms.app(sig, param, 0, &[])).collect();
        let action = Action::of_transition(system, terms.over_mut(sig), transition, &constants);
        let plain = plain::step_formula(terms.over_mut(sig), transition);
        let choices = choices(terms.over(sig), [transition.body]);
        let is_free =
            |sym: SymId| sig.symbols[sym].kind.is_mutable() && matches!(action.update(sym), Update::Free);
        let is_open = !action.residual.is_empty() || sig.symbols.ids().any(is_free);
        Prepared { action, plain, choices, is_open }
    }
}
