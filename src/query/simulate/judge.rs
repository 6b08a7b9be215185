//! What is false: claims in a state, conditions of a transition that cannot be taken.

use super::{Blocked, Claim, Failure, MOST_WAYS, Simulator, Violation};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Set;
use crate::logic::{Elem, Evaluator, Node, Signature, Structure, SymId, SymbolKind, TermId, Terms, Tuples};
use crate::query::outcome::Breach;
use crate::query::verify::breach;
use crate::system::Site;

impl Simulator {
    /// Notes the claims that are false in the last state and were not before.
    pub(super) fn judge(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
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
    pub(super) fn breach_of(
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

    pub(super) fn blame(
        &self,
        state: &Structure,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<Breach, Exhausted> {
        let mut eval = Evaluator::new(&self.sig, &self.terms, state);
        std::mem::swap(&mut eval.budget, budget);
        let breach = breach(&mut eval, formula);
        std::mem::swap(&mut eval.budget, budget);
        eval.exhausted.map_or(Ok(breach), Err)
    }

    /// The first of these formulas that is false in a state.
    pub(super) fn first_false<'f>(
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

    pub(super) fn all_blocked(&self) -> Result<Vec<Blocked>, Failure> {
        let mut budget = self.limits.budget();
        let mut blocked = Vec::new();
        for transition in 0..self.prepared.len() {
            let free = vec![None; self.params[transition].len()];
            blocked.push(self.blocked(transition, &free, &mut budget)?);
        }
        Ok(blocked)
    }

    /// Why a transition cannot be taken: of the values with most conditions true, the smallest condition that is false.
    pub(super) fn blocked(
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

/// The symbols of kind `Choice` in a term, in order.
pub(super) fn choices(sig: &Signature, terms: &Terms, term: TermId) -> Vec<SymId> {
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
