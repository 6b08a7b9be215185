//! Violations at the simplest terms, in searches where assertions rest.
//!
//! Outside of stratified EPR a candidate has violations at terms of terms, which make further ones. A refutation seldom needs terms that
//! are deep; with all violations at once a search is soon among them.

use bumpalo::Bump;

use super::search::Query;
use super::solver::Solver;
use super::universal::UniversalId;
use ramsey_core::logic::Elem;

impl Solver {
    /// Adds the instances at which clauses are violated, each with elements for all its variables, one violation after the other. Of
    /// these only the simplest: those at terms of least depth, of clauses with the fewest functions. Returns whether there were any.
    pub(super) fn add_simplest(
        &mut self,
        query: &mut Query,
        violations: &[(UniversalId, Vec<Elem>)],
        round: &Bump,
    ) -> bool {
        let mut all: Vec<((u32, usize), UniversalId, &[Elem])> = Vec::new();
        for (id, found) in violations {
            let clause = &self.universals[*id];
            for elements in found.chunks_exact(clause.slots.len()) {
                let terms = elements.iter().zip(&clause.slots);
                let terms = terms.filter_map(|(&element, &sort)| self.candidate.term(sort, element));
                let depth = terms.map(|term| u32::from(self.bank.depth(term))).sum();
                all.push(((depth, clause.compounds.len()), *id, elements));
            }
        }
        all.sort_by_key(|&(rank, ..)| rank);
        let mut added: Option<(u32, usize)> = None;
        let mut count = 0;
        for (rank, id, elements) in all {
            if added.is_some_and(|added| added < rank) || count == self.resting.instances {
                break;
            }
            self.join.found.clear();
            self.join.found.extend_from_slice(elements);
            if self.add_violated(query, id, round) {
                added = Some(rank);
                count += 1;
            }
        }
        added.is_some()
    }
}
