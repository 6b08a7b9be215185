//! `simulate`: walks through a system state by state, at random or as told.
//!
//! States are over universes of fixed sizes. What the updates of an action define is computed; what they leave open
//! is searched at these sizes. Every state and every step is evaluated against the plain formulas before it counts.

use std::sync::Arc;

use super::outcome::{Breach, Call};
use super::verify::{Limits, breach};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Set;
use crate::base::ids::IdVec;
use crate::base::rng::Rng;
use crate::epr::{Fixed, Solver};
use crate::logic::{
    Elem, Evaluator, Node, Signature, SortId, Structure, SymId, SymbolKind, TermId, Terms, Tuples,
};
use crate::system::{Action, Site, System, Update};
use crate::vc::{Obligations, plain};

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
    /// The first state in which it is false.
    pub state: usize,
    /// The claim.
    pub claim: Claim,
    /// What is to blame.
    pub breach: Breach,
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

/// Why a walk does not begin, or breaks off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// There is no initial state of the sizes that are given, as far as was looked.
    NoInitialState,
    /// A budget ran out.
    Exhausted(Exhausted),
    /// The tool contradicted itself.
    Internal(String),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Self {
        Failure::Exhausted(exhausted)
    }
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
        }
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
        let (first, rest) = self.states.split_first()?;
        let mut structure = first.clone();
        rest.iter().for_each(|state| structure.push_state(&self.sig, state, 0));
        Some(structure)
    }

    /// Begins anew in an initial state, with sorts of these sizes and others of 3, or else 2, or else as few elements as an
    /// initial state needs.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start(&mut self, sizes: &[(SortId, u32)]) -> Result<(), Failure> {
        let mut budget = self.limits.budget();
        budget.check()?;
        let mut solver = Solver::new(self.sig.clone(), self.terms.clone(), 0);
        let conditions = self.init_conditions.iter();
        solver.within(&mut budget, |solver| conditions.for_each(|&formula| solver.assert(formula)));
        let seed = self.rng.next_u64();
        let mut found = None;
        let is_given = |sort: SortId| sizes.iter().any(|&(given, _)| given == sort);
        let has_open = self.sig.uninterpreted_sorts().any(|sort| !is_given(sort));
        for usual in USUAL_SIZES.into_iter().take(if has_open { USUAL_SIZES.len() } else { 1 }) {
            let mut all: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), usual);
            all[SortId::BOOL] = 2;
            for &(sort, size) in sizes {
                all[sort] = size;
            }
            found = solver.sample(&all, None, 1, seed, &mut budget)?;
            if found.is_some() {
                break;
            }
        }
        if found.is_none() && has_open {
            let sorts = self.sig.sorts.len() as u32;
            if let Some(least) = solver.smallest_sizes(sizes, sorts + MOST_ELEMENTS, &mut budget)? {
                let mut all: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), 1);
                for sort in least.ids() {
                    all[sort] = least[sort];
                }
                found = solver.sample(&all, None, 1, seed, &mut budget)?;
            }
        }
        let state = found.ok_or(Failure::NoInitialState)?;
        if let Some(&broken) = self.first_false(&state, &self.init_conditions, &mut budget)? {
            let what = crate::logic::Pretty::new(&self.sig, &self.terms, broken);
            return Err(Failure::Internal(format!("an initial state does not satisfy {what}")));
        }
        self.states = vec![state];
        self.calls.clear();
        self.violations.clear();
        self.broken.clear();
        self.judge(&mut budget)?;
        Ok(())
    }

    /// Walks on from the last state: takes the transitions that are told, then others at random until there are `steps`
    /// steps in all. Stops early once the transition `until` was taken, and then also at a violation.
    ///
    /// # Errors
    /// Why the walk broke off; what was walked until then stays.
    pub fn walk(&mut self, told: &[Told], steps: usize, until: Option<usize>) -> Result<End, Failure> {
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
    /// A budget that ran out, or an internal error.
    pub fn step(&mut self, told: &Told) -> Result<Option<Blocked>, Failure> {
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

    /// Takes a transition at random, all ways to take one being equally likely as long as they are few enough to be
    /// counted, and tells which; `None` if none can be taken.
    ///
    /// # Errors
    /// A budget that ran out, or an internal error.
    pub fn random_step(&mut self) -> Result<Option<usize>, Failure> {
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

    /// A step by one of these ways, each with the same chance.
    fn take_one_of(
        &mut self,
        mut ways: Vec<Way>,
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        while !ways.is_empty() {
            let way = ways.swap_remove(self.rng.below(ways.len()));
            if let Some(next) = self.take(&way, budget)? {
                return Ok(Some((way, next)));
            }
        }
        Ok(None)
    }

    /// The ways to take a transition at which its guard is true, `args` given; `None` if there are too many to try.
    fn ways(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Way>>, Exhausted> {
        let guard = &self.prepared[transition].action.guard;
        let mut ways = Vec::new();
        let is_few = self.for_each_way(transition, args, |way, state| {
            budget.spend(1)?;
            if self.first_false(state, guard, budget)?.is_none() {
                ways.push(way);
            }
            Ok(())
        })?;
        Ok(is_few.then_some(ways))
    }

    /// Calls `visit` with every way to take a transition and the state with its parameters and choices set. False,
    /// without a call, if there are too many.
    fn for_each_way(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        mut visit: impl FnMut(Way, &Structure) -> Result<(), Exhausted>,
    ) -> Result<bool, Exhausted> {
        let Some(now) = self.states.last() else { return Ok(true) };
        let (params, bits) = (&self.params[transition], &self.prepared[transition].bits);
        let size = |(&param, given): (&SymId, &Option<Elem>)| match given {
            Some(_) => 1,
            None => now.sizes[self.sig.symbols[param].result],
        };
        let mut sizes: Vec<u32> = params.iter().zip(args).map(size).collect();
        sizes.extend(bits.iter().map(|_| 2));
        if Tuples::count_all(&sizes) > MOST_WAYS {
            return Ok(false);
        }
        let mut state = now.clone();
        for tuple in Tuples::new(sizes) {
            let (values, choices) = tuple.split_at(params.len());
            let args: Vec<Elem> =
                values.iter().zip(args).map(|(&value, given)| given.unwrap_or(value)).collect();
            let way = Way { transition, args, bits: choices.to_vec() };
            self.set_way(&mut state, &way);
            visit(way, &state)?;
        }
        Ok(true)
    }

    /// Sets parameters and choices in state 0.
    fn set_way(&self, state: &mut Structure, way: &Way) {
        let params = self.params[way.transition].iter().zip(&way.args);
        let bits = self.prepared[way.transition].bits.iter().zip(&way.bits);
        for (&sym, &value) in params.chain(bits) {
            state.interpretation_mut(&self.sig, sym, 0).set(&[], value);
        }
    }

    /// The last state and the next one by this way, as states 0 and 1; `None` if there is no next one.
    fn take(&mut self, way: &Way, budget: &mut Budget) -> Result<Option<Structure>, Failure> {
        let Some(now) = self.states.last() else { return Ok(None) };
        let mut both = now.clone();
        both.push_state(&self.sig, now, 0);
        self.set_way(&mut both, way);
        if self.prepared[way.transition].is_open {
            let given = |sym: SymId, step: u16| step == 0 && self.is_given(sym, way.transition, true);
            match self.solve(way.transition, &both, &given, budget)? {
                Some(found) => both = found,
                None => return Ok(None),
            }
        }
        self.complete(way.transition, both, budget).map(Some)
    }

    /// A way to take a transition, found by search, with the next state.
    fn search(
        &mut self,
        transition: usize,
        args: &[Option<Elem>],
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        let Some(now) = self.states.last() else { return Ok(None) };
        let mut both = now.clone();
        both.push_state(&self.sig, now, 0);
        let mut known: Vec<SymId> = Vec::new();
        for (&param, given) in self.params[transition].iter().zip(args) {
            if let Some(value) = given {
                both.interpretation_mut(&self.sig, param, 0).set(&[], *value);
                known.push(param);
            }
        }
        let given = |sym: SymId, step: u16| {
            step == 0 && (known.contains(&sym) || self.is_given(sym, transition, false))
        };
        let Some(found) = self.solve(transition, &both, &given, budget)? else { return Ok(None) };
        let value = |&sym: &SymId| found.interpretation(&self.sig, sym, 0).get(&[]);
        let way = Way {
            transition,
            args: self.params[transition].iter().map(value).collect(),
            bits: self.prepared[transition].bits.iter().map(value).collect(),
        };
        Ok(Some((way, self.complete(transition, found, budget)?)))
    }

    /// Whether the state before a step says what a symbol is; parameters and choices only where `with_way`.
    fn is_given(&self, sym: SymId, transition: usize, with_way: bool) -> bool {
        match self.sig.symbols[sym].kind {
            SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived => true,
            SymbolKind::Parameter => with_way && self.params[transition].contains(&sym),
            SymbolKind::Choice => with_way,
        }
    }

    /// Searches for what is not given of a step, at the sizes of the walk.
    fn solve(
        &self,
        transition: usize,
        both: &Structure,
        is_given: &dyn Fn(SymId, u16) -> bool,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, Failure> {
        let action = &self.prepared[transition].action;
        let mut solver = Solver::new(self.sig.clone(), self.terms.clone(), 0);
        solver.within(budget, |solver| {
            action.guard.iter().chain(&action.residual).for_each(|&formula| solver.assert(formula));
        });
        // The generator stays as it is: it moves on with the walk, by one number for each step.
        let seed = self.rng.clone().next_u64();
        let fixed = Fixed { structure: both, is_given };
        Ok(solver.sample(&both.sizes, Some(fixed), 2, seed, budget)?)
    }

    /// Computes what the updates say of the next state, and judges the step.
    fn complete(
        &self,
        transition: usize,
        mut both: Structure,
        budget: &mut Budget,
    ) -> Result<Structure, Failure> {
        let prepared = &self.prepared[transition];
        prepared.action.apply(&self.sig, &self.terms, &mut both, budget)?;
        let mut eval = Evaluator::new(&self.sig, &self.terms, &both);
        std::mem::swap(&mut eval.budget, budget);
        for (&var, &param) in self.system.transitions[transition].params.iter().zip(&self.params[transition])
        {
            eval.env.insert(var, both.interpretation(&self.sig, param, 0).get(&[]));
        }
        let is_step = eval.holds(prepared.plain);
        let exhausted = eval.exhausted;
        std::mem::swap(&mut eval.budget, budget);
        let next = both.state(&self.sig, 1);
        let is_state = self.first_false(&next, &self.state_conditions, budget)?.is_none();
        match exhausted {
            Some(exhausted) => Err(exhausted.into()),
            None if is_step && is_state => Ok(both),
            None => {
                let name = &self.system.transitions[transition].name;
                Err(Failure::Internal(format!("a step is no step of transition `{name}`")))
            }
        }
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

    /// Notes the claims that are false in the last state and were not before.
    fn judge(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        let Some(state) = self.states.last() else { return Ok(()) };
        let step = self.states.len() - 1;
        let mut broken = Vec::new();
        let mut found = Vec::new();
        let invariants = self.system.invariants.iter().enumerate();
        let mut claims: Vec<(Claim, TermId)> =
            invariants.map(|(index, it)| (Claim::Invariant(index), it.formula)).collect();
        for (index, assertion) in self.system.assertions.iter().enumerate() {
            // The part that leads to the initial states is over by then.
            if assertion.site != Site::Init || step == 0 {
                claims.push((Claim::Assertion(index), assertion.formula));
            }
        }
        for (claim, formula) in claims {
            let Some(breach) = self.breach_of(state, formula, budget)? else { continue };
            if !self.broken.contains(&claim) {
                found.push(Violation { state: step, claim, breach });
            }
            broken.push(claim);
        }
        self.broken = broken;
        self.violations.extend(found);
        Ok(())
    }

    /// What makes a formula false in a state, whatever the choices are.
    fn breach_of(
        &self,
        state: &Structure,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<Option<Breach>, Exhausted> {
        let bits = choices(&self.sig, &self.terms, formula);
        let sizes = vec![2; bits.len()];
        let mut state = state.clone();
        for values in Tuples::new(sizes).take(MOST_WAYS as usize) {
            for (&bit, value) in bits.iter().zip(values) {
                state.interpretation_mut(&self.sig, bit, 0).set(&[], value);
            }
            if self.first_false(&state, &[formula], budget)?.is_some() {
                return self.blame(&state, formula, budget).map(Some);
            }
        }
        Ok(None)
    }

    fn blame(&self, state: &Structure, formula: TermId, budget: &mut Budget) -> Result<Breach, Exhausted> {
        let mut eval = Evaluator::new(&self.sig, &self.terms, state);
        std::mem::swap(&mut eval.budget, budget);
        let breach = breach(&mut eval, formula);
        std::mem::swap(&mut eval.budget, budget);
        eval.exhausted.map_or(Ok(breach), Err)
    }

    /// The first of these formulas that is false in a state.
    fn first_false<'f>(
        &self,
        state: &Structure,
        formulas: &'f [TermId],
        budget: &mut Budget,
    ) -> Result<Option<&'f TermId>, Exhausted> {
        let mut eval = Evaluator::new(&self.sig, &self.terms, state);
        std::mem::swap(&mut eval.budget, budget);
        let found = formulas.iter().find(|&&formula| !eval.holds(formula));
        std::mem::swap(&mut eval.budget, budget);
        eval.exhausted.map_or(Ok(found), Err)
    }

    fn all_blocked(&self) -> Result<Vec<Blocked>, Failure> {
        let mut budget = self.limits.budget();
        let mut blocked = Vec::new();
        for transition in 0..self.prepared.len() {
            let free = vec![None; self.params[transition].len()];
            blocked.push(self.blocked(transition, &free, &mut budget)?);
        }
        Ok(blocked)
    }

    /// Why a transition cannot be taken: of the values with most conditions true, the smallest condition that is false.
    fn blocked(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        budget: &mut Budget,
    ) -> Result<Blocked, Exhausted> {
        let guard = &self.prepared[transition].action.guard;
        let mut best: Option<(usize, Structure, Vec<Elem>)> = None;
        // How often each condition is false, and how many ways there are.
        let mut failures = vec![0_usize; guard.len()];
        let mut ways = 0;
        self.for_each_way(transition, args, |way, state| {
            ways += 1;
            let mut count = 0;
            for (at, formula) in guard.iter().enumerate() {
                let fails = self.first_false(state, std::slice::from_ref(formula), budget)?.is_some();
                failures[at] += usize::from(fails);
                count += usize::from(fails);
            }
            if best.as_ref().is_none_or(|&(fewest, ..)| count < fewest) {
                best = Some((count, state.clone(), way.args));
            }
            Ok(())
        })?;
        let Some((_, state, args)) = best else {
            return Ok(Blocked { transition, args: None, breach: None });
        };
        let mut smallest: Option<(bool, u32, Breach)> = None;
        for (at, &formula) in guard.iter().enumerate() {
            if self.first_false(&state, &[formula], budget)?.is_some() {
                let breach = self.blame(&state, formula, budget)?;
                let key = (failures[at] < ways, self.terms.tree_size(breach.formula));
                if smallest.as_ref().is_none_or(|known| key < (known.0, known.1)) {
                    smallest = Some((key.0, key.1, breach));
                }
            }
        }
        let is_general = smallest.as_ref().is_some_and(|&(depends, _, ref breach)| {
            !depends && !mentions_any(&self.terms, breach.formula, &self.params[transition])
        });
        let args = (!is_general).then_some(args);
        Ok(Blocked { transition, args, breach: smallest.map(|(.., breach)| breach) })
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

/// The symbols of kind `Choice` in a term, in order.
fn choices(sig: &Signature, terms: &Terms, term: TermId) -> Vec<SymId> {
    let mut found = symbols(terms, term);
    found.retain(|&sym| sig.symbols[sym].kind == SymbolKind::Choice);
    found.sort_unstable();
    found
}

fn mentions_any(terms: &Terms, term: TermId, syms: &[SymId]) -> bool {
    symbols(terms, term).iter().any(|sym| syms.contains(sym))
}

/// All symbols in a term.
fn symbols(terms: &Terms, term: TermId) -> Vec<SymId> {
    let (mut stack, mut seen, mut found) = (vec![term], Set::default(), Vec::new());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::App { sym, .. } = terms.node(term)
            && !found.contains(&sym)
        {
            found.push(sym);
        }
        stack.extend(terms.children(term));
    }
    found
}
