//! Executions that are given: followed as far as they are executions of the system.

use super::{Claim, Departure, End, Simulator, Violation, Way};
use crate::query::choices::chosen;
use crate::query::unroll::Call;
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::{Elem, Structure, SymId, TermId};
use ramsey_core::system::Site;
use ramsey_solver::ask::{Context, Failure};
use ramsey_solver::epr::Fixed;

impl Simulator {
    /// Follows an execution: its first state has to be initial, all of them have to satisfy the axioms, and each has to be reached
    /// by a transition from the one before: by that of `calls`, if there are any. What a call of a command says of variables
    /// that no statement has chosen does not matter. Claims are judged in each state that is reached.
    ///
    /// # Errors
    /// Returns an error if a budget runs out, or for an internal error.
    pub fn retrace(&mut self, execution: &Structure, calls: &[Call]) -> Result<End, Failure> {
        self.states.clear();
        self.calls.clear();
        self.violations.clear();
        self.broken.clear();
        for step in 0..execution.states() {
            let mut budget = self.limits.budget();
            budget.check()?;
            let mut next = execution.state(&self.system.sig, step);
            next.grow_to(&self.sig);
            let falsified = match step {
                0 => self.falsified_initially(&mut next, &mut budget)?,
                _ => self.first_false(&next, &self.state_conditions, &mut budget)?.copied(),
            };
            // A violation before the initial states has a state as well, which may or may not be one of these.
            let is_wrong = execution.states() == 1 && self.goes_wrong_before(&next, &mut budget)?;
            if is_wrong && falsified.is_some() {
                return Ok(End::Steps);
            }
            if let Some(formula) = falsified {
                let falsification = self.blame(&next, formula, &mut budget)?;
                let falsified = Some((next, falsification));
                return Ok(End::Departed(Departure { state: step, transition: None, falsified }));
            }
            if step == 0 {
                self.states.push(next);
                self.judge(&mut budget)?;
                continue;
            }
            let call = calls.get(step - 1);
            match self.way_to(&next, call, &mut budget)? {
                Some((way, both)) => self.push(way, &both, &mut budget)?,
                None => {
                    let transition = call.map(|call| call.transition);
                    return Ok(End::Departed(Departure { state: step, transition, falsified: None }));
                }
            }
        }
        Ok(End::Steps)
    }

    /// Notes the assertions of the part that leads to the initial states that an execution of it with these values violates. Returns
    /// whether there are any.
    fn goes_wrong_before(&mut self, state: &Structure, budget: &mut Budget) -> Result<bool, Failure> {
        let mut found = Vec::new();
        for (index, assertion) in self.system.assertions.iter().enumerate() {
            if assertion.site != Site::Init {
                continue;
            }
            let mut wanted: Vec<(TermId, bool)> =
                self.system.axioms.iter().map(|axiom| (axiom.formula, true)).collect();
            wanted.push((assertion.formula, false));
            let Some(state) = chosen(self.syntax(), state, &wanted, budget)? else { continue };
            if let Some(counterexample) = self.falsification_of(&state, assertion.formula, budget)? {
                found.push(Violation { state: 0, claim: Claim::Assertion(index), counterexample });
            }
        }
        self.violations.extend(found);
        Ok(!self.violations.is_empty())
    }

    /// Returns a condition on initial states that is false, whatever the choices of the initial part, which no document tells; with
    /// those that make all conditions true, if there are some, in the state.
    fn falsified_initially(
        &self,
        state: &mut Structure,
        budget: &mut Budget,
    ) -> Result<Option<TermId>, Failure> {
        let wanted: Vec<(TermId, bool)> = self.init_conditions.iter().map(|&it| (it, true)).collect();
        match chosen(self.syntax(), state, &wanted, budget)? {
            Some(found) => {
                *state = found;
                Ok(None)
            }
            None => Ok(self.first_false(state, &self.init_conditions, budget)?.copied()),
        }
    }

    /// Returns a way from the last state to this one, with both states.
    fn way_to(
        &self,
        next: &Structure,
        call: Option<&Call>,
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        let Some(call) = call else {
            for transition in 0..self.prepared.len() {
                let free = vec![None; self.params[transition].len()];
                if let Some(found) = self.way_by(transition, &free, next, budget)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        };
        let given: Vec<Option<Elem>> = call.args.iter().copied().map(Some).collect();
        let found = self.way_by(call.transition, &given, next, budget)?;
        // Values that no statement chose are not told, and have been filled in.
        if found.is_some() || self.system.transitions[call.transition].command.is_none() {
            return Ok(found);
        }
        self.way_by(call.transition, &vec![None; given.len()], next, budget)
    }

    /// Returns a way of a transition to a state, with these values of its parameters.
    fn way_by(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        next: &Structure,
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        let mut ways = Vec::new();
        let is_whole = self.for_each_way(transition, args, |way, _| {
            ways.push(way);
            Ok(())
        })?;
        let Some(now) = self.states.last() else { return Ok(None) };
        let mut both = now.clone();
        both.push_state(&self.sig, next, 0);
        for way in ways {
            self.set_way(&mut both, &way);
            if self.is_step(transition, &both, budget)? {
                return Ok(Some((way, both)));
            }
        }
        if is_whole { Ok(None) } else { self.search_to(transition, args, both, budget) }
    }

    /// Searches for a way of a transition from state 0 to state 1, with these values of its parameters.
    fn search_to(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        mut both: Structure,
        budget: &mut Budget,
    ) -> Result<Option<(Way, Structure)>, Failure> {
        let params = &self.params[transition];
        let known = self.set_given(&mut both, transition, args);
        let mut context = Context::of((&self.sig, &self.terms), [], budget);
        let terms = context.terms_mut();
        let constants =
            params.iter().map(|&param| terms.app(&self.sig, param, 0, &[])).collect::<Vec<TermId>>();
        let vars = self.system.transitions[transition].params.iter().copied();
        let step = terms.substitute(self.prepared[transition].plain, &vars.zip(constants).collect());
        context.assume(step, budget);
        let given = |sym: SymId, step: u16| {
            step == 1 || known.contains(&sym) || self.is_given(sym, transition, false)
        };
        let fixed = Fixed { structure: &both, is_given: &given };
        let Some(found) = context.sample(&both.sizes, Some(fixed), 2, 0, budget)? else { return Ok(None) };
        if self.is_step(transition, &found, budget)? {
            return Ok(Some((self.way_of(transition, &found), found)));
        }
        let name = &self.system.transitions[transition].name;
        Err(Failure::Internal(format!("a way that was found is none of transition `{name}`")))
    }
}
