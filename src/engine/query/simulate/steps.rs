//! Enumeration and search of the ways to take a transition, and computation of next states.

use super::{Blocked, Simulator, Way};
use crate::query::choices::{MAX_WAYS, Points, bounded};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Elem, Evaluator, Structure, SymId, SymbolKind, Tuples};
use ramsey_solver::ask::{Context, Failure};
use ramsey_solver::epr::Fixed;

/// Ways to take a transition in a state.
#[derive(Clone, Debug)]
pub struct Possibilities {
    /// Values of the parameters, each with the state and the next one in one structure.
    pub steps: Vec<(Vec<Elem>, Structure)>,
    /// Whether there are others.
    pub has_more: bool,
}

impl Simulator {
    /// Returns ways to take a transition in the last state, at most `most` of them, in the order of the values of its
    /// parameters. Of ways that differ in choices alone there is one.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or for an internal error.
    pub fn possibilities(&mut self, transition: usize, most: usize) -> Result<Possibilities, Failure> {
        let mut budget = self.limits.budget();
        let free = vec![None; self.params[transition].len()];
        let mut steps: Vec<(Vec<Elem>, Structure)> = Vec::new();
        let Some(ways) = self.ways(transition, &free, &mut budget)? else {
            // Too many to enumerate: a single one is searched.
            let found = self.search(transition, &free, &mut budget)?;
            steps.extend(found.map(|(way, both)| (way.args, both)));
            return Ok(Possibilities { has_more: !steps.is_empty(), steps });
        };
        for way in &ways {
            if steps.iter().any(|(args, _)| *args == way.args) {
                continue;
            }
            if steps.len() == most {
                return Ok(Possibilities { steps, has_more: true });
            }
            if let Some(both) = self.take(way, &mut budget)? {
                steps.push((way.args.clone(), both));
            }
        }
        Ok(Possibilities { steps, has_more: false })
    }

    /// Returns why a transition cannot be taken in the last state. Requires that it cannot.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn why_blocked(&self, transition: usize) -> Result<Blocked, Failure> {
        let free = vec![None; self.params[transition].len()];
        Ok(self.blocked(transition, &free, &mut self.limits.budget())?)
    }

    /// Takes a step in one of these ways, chosen uniformly at random. Ways that differ in choices with arguments alone count as
    /// one: there are so many that the others would hardly be seen.
    pub(super) fn take_one_of(
        &mut self,
        ways: Vec<Way>,
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        let mut groups: Vec<Vec<Way>> = Vec::new();
        for way in ways {
            match groups.last_mut() {
                Some(group) if group.first().is_some_and(|it| self.is_like(it, &way)) => group.push(way),
                _ => groups.push(vec![way]),
            }
        }
        while !groups.is_empty() {
            let mut group = groups.swap_remove(self.rng.below(groups.len()));
            while !group.is_empty() {
                let at = if group.len() == 1 { 0 } else { self.rng.below(group.len()) };
                let way = group.swap_remove(at);
                if let Some(next) = self.take(&way, budget)? {
                    return Ok(Some((way, next)));
                }
            }
        }
        Ok(None)
    }

    /// Checks whether two ways differ in choices with arguments alone.
    fn is_like(&self, a: &Way, b: &Way) -> bool {
        let is_bare = |sym: &&SymId| self.sig.symbols[**sym].args.is_empty();
        a.transition == b.transition && a.args == b.args && {
            let bare = self.prepared[a.transition].choices.iter().take_while(is_bare).count();
            a.choices[..bare] == b.choices[..bare]
        }
    }

    /// Takes a step in the first of these ways that leads to a state.
    pub(super) fn take_first_of(
        &mut self,
        ways: Vec<Way>,
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        for way in ways {
            if let Some(next) = self.take(&way, budget)? {
                return Ok(Some((way, next)));
            }
        }
        Ok(None)
    }

    /// Returns the ways to take a transition with its guard true and the given `args`; `None` if there are too many to
    /// enumerate.
    pub(super) fn ways(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Way>>, Exhausted> {
        let guard = &self.prepared[transition].action.guard;
        let found = bounded(budget, |budget| {
            let mut ways = Vec::new();
            let is_few = self.for_each_way(transition, args, |way, state| {
                budget.spend(1)?;
                if self.first_false(state, guard, budget)?.is_none() {
                    ways.push(way);
                }
                Ok(())
            })?;
            Ok(is_few.then_some(ways))
        })?;
        Ok(found.flatten())
    }

    /// Calls `visit` with every way to take a transition, and with the state in which its parameters and choices are
    /// set. Returns `false`, without any call, if there are too many.
    pub(super) fn for_each_way(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        mut visit: impl FnMut(Way, &Structure) -> Result<(), Exhausted>,
    ) -> Result<bool, Exhausted> {
        let Some(now) = self.states.last() else { return Ok(true) };
        let (params, choices) = (&self.params[transition], &self.prepared[transition].choices);
        let size = |(&param, given): (&SymId, &Option<Elem>)| match given {
            Some(_) => 1,
            None => now.sizes[self.sig.symbols[param].result],
        };
        let Some(points) = Points::new(&self.sig, now, choices) else { return Ok(false) };
        let mut sizes: Vec<u32> = params.iter().zip(args).map(size).collect();
        sizes.extend(&points.sizes);
        if Tuples::count_all(&sizes) > MAX_WAYS {
            return Ok(false);
        }
        let mut state = now.clone();
        for tuple in Tuples::new(sizes) {
            let (values, chosen) = tuple.split_at(params.len());
            let args: Vec<Elem> =
                values.iter().zip(args).map(|(&value, given)| given.unwrap_or(value)).collect();
            for (&param, &value) in params.iter().zip(&args) {
                state.interpretation_mut(&self.sig, param, 0).set(&[], value);
            }
            points.set(&self.sig, &mut state, chosen);
            visit(self.way(transition, args, &state), &state)?;
        }
        Ok(true)
    }

    /// Returns the way with these values of the parameters, and the choices of state 0.
    fn way(&self, transition: usize, args: Vec<Elem>, state: &Structure) -> Way {
        let choice = |&sym: &SymId| state.interpretation(&self.sig, sym, 0).clone();
        Way { transition, args, choices: self.prepared[transition].choices.iter().map(choice).collect() }
    }

    /// Returns the way that parameters and choices have in state 0.
    pub(super) fn way_of(&self, transition: usize, state: &Structure) -> Way {
        let value = |&sym: &SymId| state.interpretation(&self.sig, sym, 0).get(&[]);
        self.way(transition, self.params[transition].iter().map(value).collect(), state)
    }

    /// Sets parameters and choices in state 0.
    pub(super) fn set_way(&self, state: &mut Structure, way: &Way) {
        for (&sym, &value) in self.params[way.transition].iter().zip(&way.args) {
            state.interpretation_mut(&self.sig, sym, 0).set(&[], value);
        }
        for (&sym, choice) in self.prepared[way.transition].choices.iter().zip(&way.choices) {
            state.interpretation_mut(&self.sig, sym, 0).clone_from(choice);
        }
    }

    /// Returns the last state and its successor by this way, as states 0 and 1; `None` if there is no successor.
    pub(super) fn take(&mut self, way: &Way, budget: &mut Budget) -> Result<Option<Structure>, Failure> {
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

    /// Sets the parameters with a given value in state 0, and returns them.
    pub(super) fn set_given(
        &self,
        state: &mut Structure,
        transition: usize,
        args: &[Option<Elem>],
    ) -> Vec<SymId> {
        let given =
            self.params[transition].iter().zip(args).filter_map(|(&param, arg)| Some((param, (*arg)?)));
        given
            .map(|(param, value)| {
                state.interpretation_mut(&self.sig, param, 0).set(&[], value);
                param
            })
            .collect()
    }

    /// Searches for a way to take a transition; also returns the next state.
    pub(super) fn search(
        &mut self,
        transition: usize,
        args: &[Option<Elem>],
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        let Some(now) = self.states.last() else { return Ok(None) };
        let mut both = now.clone();
        both.push_state(&self.sig, now, 0);
        let known = self.set_given(&mut both, transition, args);
        let given = |sym: SymId, step: u16| {
            step == 0 && (known.contains(&sym) || self.is_given(sym, transition, false))
        };
        let Some(found) = self.solve(transition, &both, &given, budget)? else { return Ok(None) };
        Ok(Some((self.way_of(transition, &found), self.complete(transition, found, budget)?)))
    }

    /// Checks whether the state before a step determines a symbol. Parameters and choices are determined only if
    /// `with_way` is set.
    pub(super) fn is_given(&self, sym: SymId, transition: usize, with_way: bool) -> bool {
        match self.sig.symbols[sym].kind {
            SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived => true,
            SymbolKind::Parameter => with_way && self.params[transition].contains(&sym),
            // The first state keeps the choices that led to it.
            SymbolKind::Choice => with_way || !self.prepared[transition].choices.contains(&sym),
        }
    }

    /// Searches for the symbols of a step that are not given, at the sizes of the run.
    pub(super) fn solve(
        &self,
        transition: usize,
        both: &Structure,
        is_given: &dyn Fn(SymId, u16) -> bool,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, Failure> {
        let action = &self.prepared[transition].action;
        let formulas = action.guard.iter().chain(&action.residual).copied();
        let mut context = Context::of((&self.sig, &self.terms), formulas, budget);
        // The generator is not advanced here: it advances by one number for each step of the run.
        let seed = self.rng.clone().next_u64();
        let fixed = Fixed { structure: both, is_given };
        Ok(context.sample(&both.sizes, Some(fixed), 2, seed, budget)?)
    }

    /// Computes the defined symbols of the next state, and checks the step by evaluation.
    pub(super) fn complete(
        &self,
        transition: usize,
        mut both: Structure,
        budget: &mut Budget,
    ) -> Result<Structure, Failure> {
        let prepared = &self.prepared[transition];
        prepared.action.apply(self.syntax(), &mut both, budget)?;
        let is_step = self.is_step(transition, &both, budget)?;
        let next = both.state(&self.sig, 1);
        if is_step && self.first_false(&next, &self.state_conditions, budget)?.is_none() {
            return Ok(both);
        }
        let name = &self.system.transitions[transition].name;
        Err(Failure::Internal(format!("a step is no step of transition `{name}`")))
    }

    /// Evaluates whether a transition, with the parameters and choices of state 0, leads from state 0 to state 1.
    pub(super) fn is_step(
        &self,
        transition: usize,
        both: &Structure,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let prepared = &self.prepared[transition];
        let mut eval = Evaluator::new(self.syntax(), both);
        std::mem::swap(&mut eval.budget, budget);
        for (&var, &param) in self.system.transitions[transition].params.iter().zip(&self.params[transition])
        {
            eval.env.insert(var, both.interpretation(&self.sig, param, 0).get(&[]));
        }
        let is_step = eval.holds(prepared.plain);
        let exhausted = eval.exhausted;
        std::mem::swap(&mut eval.budget, budget);
        exhausted.map_or(Ok(is_step), Err)
    }
}
