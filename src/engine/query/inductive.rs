//! Proof by induction that claims hold in every reachable state: search for an inductive invariant that contains them.
//!
//! Computes the greatest inductive subset of a list of candidates, as in Houdini (Flanagan and Leino, FME 2001), but
//! only as far as the targets need it: a proof of consecution reports the candidates that it uses, and only these have
//! to be proved as well. A candidate that fails is dropped, and the proofs that used it are invalidated. The search
//! can be suspended and resumed at any point, so its caller controls the cost.

use std::mem::replace;
use std::sync::Arc;

use super::unroll::{Start, Unrolling, state_hypotheses};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_solver::ask::{Context, HypothesisId};
use ramsey_solver::epr::Clock;

/// Fixed cost of a query in work units, for its formulas and clauses.
const QUERY_COST: u64 = 1_000;
/// Number of candidates from which each is tried without the others first, since many hypotheses take longer than one more
/// question.
const MANY: usize = 64;

/// Search for a proof by induction that can be suspended and resumed.
#[derive(Clone, Debug)]
pub struct Induction {
    /// Asserts the conditions on initial states.
    initial: Context,
    /// Asserts the conditions on states, and holds the candidates as hypotheses.
    step: Unrolling,
    /// The targets, followed by the other candidates.
    candidates: Vec<Candidate>,
    targets: usize,
    needed: Needed,
}

/// The candidates that the targets need by the proofs known.
#[derive(Clone, Debug)]
struct Needed {
    order: Vec<usize>,
    /// Whether a candidate is in `order`.
    is_in: Vec<bool>,
    /// Number of candidates in `order` that are proved, the first ones, with all that they use in `order`.
    proved: usize,
}

impl Needed {
    fn new(targets: usize, candidates: usize) -> Needed {
        Needed {
            order: (0..targets).collect(),
            is_in: (0..candidates).map(|at| at < targets).collect(),
            proved: 0,
        }
    }
}

#[derive(Clone, Debug)]
struct Candidate {
    formula: TermId,
    hypothesis: HypothesisId,
    /// Whether all initial states are known to satisfy it.
    is_initial: bool,
    is_dropped: bool,
    /// Per transition, the candidates that imply it after the transition, once proved.
    proofs: Vec<Option<Vec<usize>>>,
    /// Per transition, candidates that may imply it.
    hints: Vec<Option<Vec<usize>>>,
}

/// Unproved obligation of a candidate.
enum Unproved {
    Initiation,
    Consecution(usize),
}

impl Induction {
    /// Prepares a search for claims about the states of `system` (formulas over step 0). The system's invariants are
    /// the other candidates.
    pub fn new(system: &Arc<System>, targets: &[TermId], seed: u64, clock: Option<Clock>) -> Induction {
        let invariants: Vec<TermId> = system.invariants.iter().map(|it| it.formula).collect();
        Induction::among(system, targets, &invariants, seed, clock)
    }

    /// The same with these formulas as the other candidates.
    pub fn among(
        system: &Arc<System>,
        targets: &[TermId],
        others: &[TermId],
        seed: u64,
        clock: Option<Clock>,
    ) -> Induction {
        let budget = &mut Budget::unlimited();
        let mut initial = Context::new(system.sig.clone(), system.terms.clone(), seed, None);
        for (formula, _) in state_hypotheses(system, true) {
            initial.assume(formula, budget);
        }
        let mut step = Unrolling::new(Arc::clone(system), Start::Any, seed, clock);
        let mut formulas = targets.to_vec();
        for &other in others {
            if !formulas.contains(&other) {
                formulas.push(other);
            }
        }
        let transitions = system.transitions.len();
        let candidates: Vec<Candidate> = formulas
            .into_iter()
            .map(|formula| Candidate {
                formula,
                hypothesis: step.context_mut().add(formula, budget),
                is_initial: false,
                is_dropped: false,
                proofs: vec![None; transitions],
                hints: vec![None; transitions],
            })
            .collect();
        let needed = Needed::new(targets.len(), candidates.len());
        Induction { initial, step, candidates, targets: targets.len(), needed }
    }

    /// Tells for each target and then each other candidate, per transition, which of them may imply it afterwards. A question
    /// with few hypotheses is answered sooner. It makes no difference to the answer.
    pub fn set_hints(&mut self, hints: Vec<Vec<Option<Vec<usize>>>>) {
        let known = self.candidates.len();
        for (candidate, hints) in self.candidates.iter_mut().zip(hints) {
            for (slot, hint) in candidate.hints.iter_mut().zip(hints) {
                *slot = hint.filter(|hint| hint.iter().all(|&at| at < known));
            }
        }
    }

    /// Continues until it is known whether an inductive subset of the candidates contains all targets.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; progress is kept.
    pub fn advance(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        while let Some((index, unproved)) = self.next_unproved() {
            let holds = match unproved {
                Unproved::Initiation => self.initiation(index, budget)?,
                Unproved::Consecution(transition) => self.consecution(index, transition, budget)?,
            };
            if !holds {
                if index < self.targets {
                    return Ok(false);
                }
                self.drop(index);
            }
        }
        Ok(true)
    }

    /// Returns an unproved obligation of a candidate that the targets need; `None` if all are proved.
    fn next_unproved(&mut self) -> Option<(usize, Unproved)> {
        let Needed { order, is_in, proved } = &mut self.needed;
        while let Some(&index) = order.get(*proved) {
            let candidate = &self.candidates[index];
            if !candidate.is_initial {
                return Some((index, Unproved::Initiation));
            }
            for (transition, proof) in candidate.proofs.iter().enumerate() {
                let Some(used) = proof else { return Some((index, Unproved::Consecution(transition))) };
                for &other in used {
                    if !replace(&mut is_in[other], true) {
                        order.push(other);
                    }
                }
            }
            *proved += 1;
        }
        None
    }

    fn initiation(&mut self, index: usize, budget: &mut Budget) -> Result<bool, Exhausted> {
        budget.spend(QUERY_COST)?;
        let negated = self.initial.terms_mut().not(self.candidates[index].formula);
        self.initial.pose(&[negated], budget);
        let holds = !self.initial.search(&[], budget)?;
        self.candidates[index].is_initial = holds;
        Ok(holds)
    }

    fn consecution(
        &mut self,
        index: usize,
        transition: usize,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let formula = self.candidates[index].formula;
        let conjuncts = self.step.violation_conditions(transition, formula);
        let context = self.step.context_mut();
        if conjuncts.last() == Some(&context.terms_mut().not(formula)) {
            // The transition changes no symbol of the formula.
            self.candidates[index].proofs[transition] = Some(vec![index]);
            return Ok(true);
        }
        budget.spend(QUERY_COST)?;
        context.pose(&conjuncts, budget);
        let all: Vec<usize> = (0..self.candidates.len()).collect();
        let alone = || (self.candidates.len() > MANY).then(|| vec![index]);
        let hint = self.candidates[index].hints[transition].clone().or_else(alone);
        for tried in hint.iter().chain([&all]) {
            let kept = tried.iter().map(|&at| &self.candidates[at]).filter(|it| !it.is_dropped);
            let hypotheses: Vec<HypothesisId> = kept.map(|it| it.hypothesis).collect();
            if context.search(&hypotheses, budget)? {
                continue;
            }
            let needed = context.needed(&hypotheses);
            let used = |&at: &usize| needed.contains(&self.candidates[at].hypothesis);
            let used = (0..self.candidates.len()).filter(used).collect();
            self.candidates[index].proofs[transition] = Some(used);
            return Ok(true);
        }
        Ok(false)
    }

    /// Drops a candidate, and all proofs that use it.
    fn drop(&mut self, index: usize) {
        self.needed = Needed::new(self.targets, self.candidates.len());
        self.candidates[index].is_dropped = true;
        self.step.context_mut().retire(self.candidates[index].hypothesis);
        for proof in self.candidates.iter_mut().flat_map(|it| &mut it.proofs) {
            if proof.as_ref().is_some_and(|used| used.contains(&index)) {
                *proof = None;
            }
        }
    }
}
