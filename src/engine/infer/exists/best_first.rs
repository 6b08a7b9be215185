//! The search for a formula of a shape that excludes a state.
//!
//! Formulas with few literals are first. The shape learns only from states that refute one of those, so its formulas are
//! true in all states seen as far as anybody asked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::shape::{Formula, Shape, Type};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;

/// A formula that is false in the state, with its number of literals. Those with the number of a type are as strong as
/// their shape has them, and have at least so many literals once their cube is as weak as that type allows.
type Candidate = (usize, Formula, Option<usize>);

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

    fn enqueue(&mut self, formulas: &[Formula]) {
        for formula in formulas {
            for (at, found) in self.types.iter().enumerate() {
                if !self.shape.is_refuted(formula, found) {
                    continue;
                }
                if !self.shape.has_cubes() {
                    self.queue.push(Reverse((self.shape.size(formula), *formula, None)));
                    break;
                }
                self.queue.push(Reverse((self.shape.least_size(formula), *formula, Some(at))));
            }
        }
    }

    /// Returns the next formula with fewer than `most` literals.
    pub(super) fn next(&mut self, most: usize) -> Option<Formula> {
        while !self.shape.is_full()
            && let Some(Reverse((size, formula, found))) = self.queue.pop()
        {
            if size >= most {
                self.queue.push(Reverse((size, formula, found)));
                return None;
            }
            if self.learned.iter().any(|it| self.shape.is_refuted(&formula, it)) {
                continue;
            }
            match found {
                Some(at) => {
                    let weakest = self.shape.weakest(formula, &self.types[at]);
                    self.queue.push(Reverse((self.shape.size(&weakest), weakest, None)));
                }
                None if self.returned.insert(formula) => return Some(formula),
                None => {}
            }
        }
        None
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
