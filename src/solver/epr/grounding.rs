//! All instances of clauses at the elements of a candidate.
//!
//! A long search may have few elements and many clauses, each of which is violated only once others are satisfied. All instances are
//! then less work than the search has been so far, and the SAT solver finds at once what would take a candidate for each link of a
//! chain of clauses.

use super::bank::Pattern;
use super::clause::PatternLit;
use super::search::Query;
use super::solver::Solver;
use super::universal::{UniversalClause, UniversalId};
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::{SortId, Tuples};

/// Maximum number of instances for each clause, on average. Most of many elements do not concern most clauses.
const INSTANCES_PER_CLAUSE: u64 = 4;

impl Solver {
    /// Adds all instances at the elements of the candidate if these are few for the work since they were last added. Returns
    /// whether there were any new ones.
    ///
    /// Clauses with functions of variables are left out, because their instances may have new terms, and those that need a
    /// proposition that is false.
    pub(super) fn ground_all(&mut self, query: &mut Query, budget: &Budget) -> bool {
        let clauses = self.active.len() as u64;
        let work = budget.spent() - query.grounded_at;
        let affordable = work.checked_div(self.work_per_instance).unwrap_or(u64::MAX);
        let limit = affordable.min(INSTANCES_PER_CLAUSE * clauses);
        if affordable < clauses || self.count_instances(limit) > limit {
            return false;
        }
        query.grounded_at = budget.spent();
        let before = self.stats.instances;
        let grounded: Vec<UniversalId> =
            self.awake().filter(|&id| self.is_grounded(&self.universals[id])).collect();
        grounded.into_iter().for_each(|id| self.ground_clause(query, id));
        self.stats.instances > before
    }

    /// Adds the instances of a clause at the elements of the candidate.
    fn ground_clause(&mut self, query: &mut Query, id: UniversalId) {
        let slots = std::mem::take(&mut self.universals[id].slots);
        let pattern = std::mem::take(&mut self.universals[id].pattern);
        let sizes: Vec<u32> = slots.iter().map(|&sort| self.candidate.size(sort) as u32).collect();
        let mut terms: Vec<Pattern> = Vec::new();
        for tuple in Tuples::new(sizes) {
            terms.clear();
            let elements = tuple.iter().zip(&slots);
            terms.extend(elements.filter_map(|(&elem, &sort)| self.candidate.term(sort, elem)));
            if terms.len() == slots.len() && self.instances.get(id, &terms).is_none() {
                self.add_instance(query, id, &pattern, &terms);
            }
        }
        self.universals[id].slots = slots;
        self.universals[id].pattern = pattern;
    }

    fn is_grounded(&self, clause: &UniversalClause) -> bool {
        let mut propositions = clause.pattern.iter().filter_map(PatternLit::proposition);
        clause.compounds.is_empty() && propositions.all(|relation| self.candidate.has_tuples[relation])
    }

    /// Returns the number of all instances at the elements of the candidate, or more than `limit` if there are more.
    fn count_instances(&self, limit: u64) -> u64 {
        let size = |count: u64, &sort: &SortId| count.saturating_mul(self.candidate.size(sort) as u64);
        let mut count = 0u64;
        for id in self.awake() {
            let clause = &self.universals[id];
            if self.is_grounded(clause) {
                count = count.saturating_add(clause.slots.iter().fold(1, size));
            }
            if count > limit {
                break;
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use crate::epr::{Answer, Solver};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::logic::{Signature, Sort, SortId, Symbol, SymbolKind, Terms};

    /// A chain of relations, each of which implies that one of the next two holds.
    #[test]
    fn a_chain_of_clauses_takes_few_candidates() {
        const LENGTH: usize = 400;
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let mut declare = |name: String, args: Vec<SortId>, result| {
            sig.symbols.push(Symbol::new(name, args, result, SymbolKind::Immutable))
        };
        let relations: Vec<_> =
            (0..LENGTH + 2).map(|at| declare(format!("p{at}"), vec![sort], SortId::BOOL)).collect();
        let c = declare("c".into(), vec![], sort);
        let mut terms = Terms::new();
        let var = terms.new_var("X", sort);
        let (of_var, c) = (terms.var(var), terms.app(&sig, c, 0, &[]));
        let mut facts = vec![terms.app(&sig, relations[0], 0, &[c])];
        for at in 0..LENGTH {
            let [first, second, third] =
                [0, 1, 2].map(|next| terms.app(&sig, relations[at + next], 0, &[of_var]));
            let either = terms.or(&[second, third]);
            let follows = terms.implies(first, either);
            facts.push(terms.forall(&[var], follows));
        }
        for at in [LENGTH, LENGTH + 1] {
            let last = terms.app(&sig, relations[at], 0, &[c]);
            facts.push(terms.not(last));
        }
        let mut solver = Solver::new(sig, terms, 0);
        facts.iter().for_each(|&fact| solver.assert(fact));
        solver.first_slice = 1;
        assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
        let stats = solver.stats();
        assert!(stats.rounds < 200 && stats.instances == LENGTH as u64, "{stats:?}");
    }
}
