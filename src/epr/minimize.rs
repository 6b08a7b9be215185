//! Small models: fewest elements in all, then fewest tuples relation by relation.
//!
//! In the manner of Algorithm 1 of the Ivy paper (PLDI 2016), each measure by solving with a cardinality
//! constraint; the universe as a whole is the first measure, so that no sort grows because
//! another one was looked at first.

use super::atoms::AtomKind;
use super::finite::{Clauses, Finite, Sizes};
use super::solver::{Label, Solver};
use super::symbols::Rel;
use crate::base::budget::{Budget, Exhausted};
use crate::base::ids::IdVec;
use crate::logic::{SortId, Structure, SymId};

/// What to minimize besides the number of elements, in this order.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Numbers of positive tuples of these relations, each read at a step.
    pub relations: Vec<(SymId, u16)>,
}

/// Work units after which minimization is content with what it has: a counterexample that is not the smallest is worth more
/// than a long wait.
const PATIENCE: u64 = 20_000_000;

impl Solver {
    /// After the answer `Sat` under `labels`: a structure with `states` states that is minimal by `measures`. If
    /// the budget runs out on the way, or patience does, the best one found so far.
    pub fn minimize(
        &mut self,
        labels: &[Label],
        measures: &Measures,
        states: u16,
        budget: &mut Budget,
    ) -> Structure {
        let mut part = budget.part(PATIENCE);
        // Running out only means that the best structure is not the smallest.
        let _ = self.minimize_in(labels, measures, &mut part);
        let _ = budget.absorb(&part);
        self.structure(states)
    }

    fn minimize_in(
        &mut self,
        labels: &[Label],
        measures: &Measures,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let Some(clauses) = self.finite_clauses(labels) else { return Ok(()) };
        let relations: Vec<(Rel, &[SortId])> = measures
            .relations
            .iter()
            .filter_map(|&(sym, step)| {
                Some((self.symbols.known_rel(sym, step)?, self.sig.symbols[sym].args.as_slice()))
            })
            .collect();
        let total = self.sig.uninterpreted_sorts().map(|sort| self.candidate.size(sort) as u32).sum();
        let smaller = Sizes::new(&self.sig).search(&self.symbols, &self.bank, &clauses, total, budget)?;
        let mut finite = match smaller {
            Some(finite) => {
                self.candidate = finite.candidate.clone();
                finite
            }
            None => {
                let mut sizes: IdVec<SortId, u32> = IdVec::filled(self.sig.sorts.len(), 2);
                for sort in self.sig.uninterpreted_sorts() {
                    sizes[sort] = self.candidate.size(sort) as u32;
                }
                let mut finite = Finite::new(&self.symbols, &self.bank, &clauses, sizes);
                if !finite.solve(&[], budget)? {
                    return Ok(());
                }
                finite
            }
        };
        let best = &mut self.candidate;
        *best = finite.candidate.clone();
        finite.minimize(&relations, |candidate| *best = candidate.clone(), budget)
    }

    /// What has to be true in the query under `labels`, for the search for finite models.
    pub(super) fn finite_clauses(&self, labels: &[Label]) -> Option<Clauses> {
        let assumptions = self.assumptions(labels);
        debug_assert!(assumptions.iter().all(|lit| self.atoms.kind(lit.var()) != AtomKind::Eq));
        Clauses::new(&self.bank, &self.atoms, self.active_drafts(), self.active_ground(), &assumptions)
    }

    /// Looks for a model with sizes from where `sizes` stopped. Whether there is one; it is the candidate then.
    pub(super) fn find_small_model(
        &mut self,
        clauses: &Clauses,
        sizes: &mut Sizes,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let found = sizes.search(&self.symbols, &self.bank, clauses, u32::MAX, budget)?;
        let candidate = found.map(|finite| finite.candidate);
        Ok(match candidate {
            Some(candidate) => {
                self.candidate = candidate;
                true
            }
            None => false,
        })
    }
}
