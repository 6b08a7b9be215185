//! The search for a formula of a shape that excludes a state.
//!
//! Formulas with few literals are first. The shape learns only from states that refute one of those, so its formulas are
//! true in all states seen as far as anybody asked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::shape::{Formula, Shape, Type};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;

/// A formula that is false in the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The number of its literals. One that is to be weakened has at least so many afterwards.
    size: usize,
    formula: Formula,
    /// Whether its cube is as weak as a type of the state allows, so it is as it is to be returned.
    is_weakest: bool,
    /// It is true under so many of the learned types, the first ones.
    checked: usize,
}

/// The formulas of a shape that are false in a state.
pub(super) struct BestFirst<'a> {
    pub(super) shape: &'a mut Shape,
    /// The types of the state that are not known.
    types: Vec<Type>,
    /// The formulas that are left.
    queue: BinaryHeap<Reverse<Candidate>>,
    /// Types learned meanwhile.
    learned: Vec<Type>,
    /// Formulas returned.
    returned: Set<Formula>,
}

impl BestFirst<'_> {
    /// Starts with all formulas that are false under one of the types.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn new<'a>(
        shape: &'a mut Shape,
        types: Vec<Type>,
        budget: &mut Budget,
    ) -> Result<BestFirst<'a>, Exhausted> {
        let types: Vec<Type> = types.into_iter().filter(|found| !shape.is_known(found)).collect();
        budget.spend((types.len() * shape.formulas().len()) as u64 / 4)?;
        let formulas = shape.formulas().to_vec();
        let queue = BinaryHeap::new();
        let mut search = BestFirst { shape, types, queue, learned: Vec::new(), returned: Set::default() };
        search.enqueue(&formulas);
        Ok(search)
    }

    /// Adds formulas that are true under all types learned.
    fn enqueue(&mut self, formulas: &[Formula]) {
        let checked = self.learned.len();
        for &formula in formulas {
            if self.types.iter().any(|found| self.shape.is_refuted(&formula, found)) {
                let is_weakest = !self.shape.has_cubes();
                let size =
                    if is_weakest { self.shape.size(&formula) } else { self.shape.least_size(&formula) };
                self.queue.push(Reverse(Candidate { size, formula, is_weakest, checked }));
            }
        }
    }

    /// Returns the next formula with fewer than `most` literals. What is done for each type of the state was paid for when the
    /// formula was added.
    pub(super) fn next(&mut self, most: usize) -> Option<Formula> {
        while !self.shape.is_full()
            && let Some(Reverse(candidate)) = self.queue.pop()
        {
            if candidate.size >= most {
                self.queue.push(Reverse(candidate));
                return None;
            }
            let Candidate { formula, is_weakest, checked, .. } = candidate;
            let unchecked = &self.learned[checked..];
            if unchecked.iter().any(|it| self.shape.is_refuted(&formula, it)) {
                continue;
            }
            if !is_weakest {
                self.weaken(formula);
            } else if self.returned.insert(formula) {
                return Some(formula);
            }
        }
        None
    }

    /// Adds the formula with its cube as weak as each of the types allows that refute it.
    fn weaken(&mut self, formula: Formula) {
        let refuting = self.types.iter().filter(|found| self.shape.is_refuted(&formula, found));
        let mut weakest: Vec<Formula> = refuting.map(|found| self.shape.weakest(formula, found)).collect();
        weakest.sort_unstable();
        weakest.dedup();
        // What is weaker is true under the same types.
        let checked = self.learned.len();
        for formula in weakest {
            let size = self.shape.size(&formula);
            self.queue.push(Reverse(Candidate { size, formula, is_weakest: true, checked }));
        }
    }

    /// Makes the formulas true under a type.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn learn(&mut self, found: &Type, budget: &mut Budget) -> Result<(), Exhausted> {
        let (orbit, new) = self.shape.learn(found, budget)?;
        budget.spend((self.types.len() * new.len()) as u64 / 4)?;
        self.learned.extend(orbit);
        self.enqueue(&new);
        Ok(())
    }
}
