//! Evaluation of claims in a state, and of the guards of disabled transitions.

use super::{Blocked, Claim, Simulator, Violation};
use crate::query::choices::{bounded, choices, chosen};
use crate::query::outcome::Counterexample;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Evaluator, SortId, Structure, SymId, TermId, Terms};
use ramsey_core::system::Site;
use ramsey_solver::ask::Falsification;
use ramsey_solver::ask::find_falsification;
use ramsey_solver::ask::{Context, Failure};

impl Simulator {
    /// Records the claims that are false in the last state and were not false before.
    pub(super) fn judge(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        let Some(state) = self.states.last() else { return Ok(()) };
        let step = self.states.len() - 1;
        let mut broken = Vec::new();
        let mut found = Vec::new();
        let invariants = self.system.invariants.iter().enumerate();
        let mut claims: Vec<(Claim, TermId)> =
            invariants.map(|(index, it)| (Claim::Invariant(index), it.formula)).collect();
        for (index, assertion) in self.system.assertions.iter().enumerate() {
            // The part that leads to the initial states has ended by then.
            if assertion.site != Site::Init {
                claims.push((Claim::Assertion(index), assertion.formula));
            }
        }
        for (claim, formula) in claims {
            let Some(counterexample) = self.counterexample(state, formula, budget)? else { continue };
            if !self.broken.contains(&claim) {
                found.push(Violation { state: step, claim, counterexample });
            }
            broken.push(claim);
        }
        self.broken = broken;
        self.violations.extend(found);
        Ok(())
    }

    /// Searches, at these sizes, for violating executions of the part that leads to the initial states.
    pub(super) fn judge_initial_part(
        &mut self,
        sizes: &IdVec<SortId, u32>,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        let axioms: Vec<TermId> = self.system.axioms.iter().map(|axiom| axiom.formula).collect();
        let assertions = self.system.assertions.iter().enumerate();
        let claims: Vec<(usize, TermId)> = assertions
            .filter(|(_, assertion)| assertion.site == Site::Init)
            .map(|(index, assertion)| (index, assertion.formula))
            .collect();
        for (index, formula) in claims {
            let mut context = Context::of((&self.sig, &self.terms), axioms.iter().copied(), budget);
            let negated = context.terms_mut().not(formula);
            context.assume(negated, budget);
            let Some(structure) = context.sample(sizes, None, 1, seed, budget)? else { continue };
            if self.first_false(&structure, &axioms, budget)?.is_some() {
                return Err(Failure::Internal("a structure does not satisfy an axiom".to_owned()));
            }
            let Some(counterexample) = self.counterexample(&structure, formula, budget)? else {
                let message = "an execution does not violate the assertion that it is to violate";
                return Err(Failure::Internal(message.to_owned()));
            };
            self.violations.push(Violation { state: 0, claim: Claim::Assertion(index), counterexample });
        }
        Ok(())
    }

    /// Returns values of the choices for which a formula is false in a state, with the part that is false.
    pub(super) fn counterexample(
        &self,
        state: &Structure,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<Option<Counterexample>, Failure> {
        // Most formulas have no choices. A state of thousands of symbols is not copied for each of thousands of claims.
        if choices(self.syntax(), [formula]).is_empty() {
            return Ok(self.falsification_of(state, formula, budget)?);
        }
        match chosen(self.syntax(), state, &[(formula, false)], budget)? {
            Some(found) => Ok(self.falsification_of(&found, formula, budget)?),
            None => Ok(None),
        }
    }

    /// Returns the part of a formula that is false in a state, if the formula is false.
    pub(super) fn falsification_of(
        &self,
        structure: &Structure,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<Option<Counterexample>, Exhausted> {
        if self.first_false(structure, &[formula], budget)?.is_none() {
            return Ok(None);
        }
        let falsification = self.blame(structure, formula, budget)?;
        Ok(Some(Counterexample { structure: structure.clone(), calls: Vec::new(), falsification }))
    }

    pub(super) fn blame(
        &self,
        state: &Structure,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<Falsification, Exhausted> {
        let mut eval = Evaluator::new(self.syntax(), state);
        std::mem::swap(&mut eval.budget, budget);
        let falsification = find_falsification(&mut eval, formula, false);
        std::mem::swap(&mut eval.budget, budget);
        eval.exhausted.map_or(Ok(falsification), Err)
    }

    /// Returns the first of these formulas that is false in a state.
    pub(super) fn first_false<'f>(
        &self,
        state: &Structure,
        formulas: &'f [TermId],
        budget: &mut Budget,
    ) -> Result<Option<&'f TermId>, Exhausted> {
        let mut eval = Evaluator::new(self.syntax(), state);
        std::mem::swap(&mut eval.budget, budget);
        let found = formulas.iter().find(|&&formula| !eval.holds(formula));
        std::mem::swap(&mut eval.budget, budget);
        eval.exhausted.map_or(Ok(found), Err)
    }

    /// Returns, for each transition in order, why it cannot be taken in the last state. Requires that none can.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn all_blocked(&self) -> Result<Vec<Blocked>, Failure> {
        let mut budget = self.limits.budget();
        let mut blocked = Vec::new();
        for transition in 0..self.prepared.len() {
            let free = vec![None; self.params[transition].len()];
            blocked.push(self.blocked(transition, &free, &mut budget)?);
        }
        Ok(blocked)
    }

    /// Explains why a transition cannot be taken: returns the smallest false condition for the values with most
    /// conditions true.
    pub(super) fn blocked(
        &self,
        transition: usize,
        args: &[Option<Elem>],
        budget: &mut Budget,
    ) -> Result<Blocked, Exhausted> {
        let guard = &self.prepared[transition].action.guard;
        let mut best: Option<(usize, Structure, Vec<Elem>)> = None;
        // The number of ways in which each condition is false, and the number of all ways.
        let mut failures = vec![0_usize; guard.len()];
        let mut ways = 0;
        bounded(budget, |budget| {
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
            })
        })?;
        let Some((_, state, args)) = best else {
            return Ok(Blocked { transition, args: None, falsification: None });
        };
        let mut smallest: Option<(bool, u32, Falsification)> = None;
        for (at, &formula) in guard.iter().enumerate() {
            if self.first_false(&state, &[formula], budget)?.is_some() {
                let falsification = self.blame(&state, formula, budget)?;
                let key = (failures[at] < ways, self.terms.tree_size(falsification.formula));
                if smallest.as_ref().is_none_or(|known| key < (known.0, known.1)) {
                    smallest = Some((key.0, key.1, falsification));
                }
            }
        }
        let is_general = smallest.as_ref().is_some_and(|&(depends, _, ref falsification)| {
            !depends && !mentions_any(&self.terms, falsification.formula, &self.params[transition])
        });
        let args = (!is_general).then_some(args);
        Ok(Blocked { transition, args, falsification: smallest.map(|(.., falsification)| falsification) })
    }
}

fn mentions_any(terms: &Terms, term: TermId, syms: &[SymId]) -> bool {
    terms.symbols(term).iter().any(|sym| syms.contains(sym))
}
