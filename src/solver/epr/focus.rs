//! The atoms that a query decides, where most atoms are those of earlier queries.

use super::atoms::{GroundClauses, GroundId};
use crate::sat::{Lit, Silent, Solver as Sat, Var};

/// Minimum number of atoms for each live clause of the query before.
const MIN_ATOMS_PER_CLAUSE: usize = 12;

/// Minimum number of atoms. Few are decided faster than they are told apart.
const MIN_ATOMS: usize = 1_000;

/// Minimum number of atoms with which a query decides only what its live clauses need. Few atoms are decided faster than the live
/// clauses are told, and many queries are refuted without a candidate.
const MIN_COVERED: usize = 2_000;

/// Limits what the SAT solver decides to what satisfies the live clauses. Values of other atoms would only satisfy dormant
/// clauses, and a candidate that violates one is found by the join like any other. Where most atoms do not occur in live clauses, only
/// these and those of lemmas about them are propagated either.
#[derive(Clone, Debug)]
pub(super) struct Focus {
    /// Whether all queries are limited, and not only those where that saves time.
    pub(super) always: bool,
    /// Minimum number of atoms with which a query decides only what its live clauses need.
    pub(super) min_covered: usize,
    /// Whether the current query is limited to the atoms of live clauses.
    pub(super) is_on: bool,
    /// Whether the SAT solver is limited to atoms, by this or an earlier query.
    is_set: bool,
    /// Whether the current query decides what its live clauses need, and no more.
    covers: bool,
    /// Number of live clauses that the SAT solver knows of or whose atoms are in the focus.
    seen: usize,
    /// The live clauses of the last query that had any, if there was one. All of them are in its focus.
    live: Option<Vec<GroundId>>,
    /// Atoms that come into the focus in the next round.
    fresh: Vec<Var>,
}

impl Default for Focus {
    fn default() -> Self {
        Focus {
            always: false,
            min_covered: MIN_COVERED,
            is_on: false,
            is_set: false,
            covers: false,
            seen: 0,
            live: None,
            fresh: Vec::new(),
        }
    }
}

impl Focus {
    /// Begins a query with so many atoms. Limits it if that pays. Returns whether its live clauses are needed from the beginning. A query
    /// that only covers its live clauses has none to begin with: clauses of earlier queries may refute it without them.
    pub(super) fn begin(&mut self, sat: &mut Sat<Silent>, atoms: usize) -> bool {
        let pays = |live: &Vec<GroundId>| atoms > MIN_ATOMS.max(MIN_ATOMS_PER_CLAUSE * live.len());
        self.is_on = self.always || self.live.as_ref().is_some_and(pays);
        self.fresh.clear();
        if self.is_on || self.is_set {
            sat.set_scope(self.is_on.then_some(&[]));
        }
        self.is_set = self.is_on;
        self.seen = 0;
        self.covers = !self.is_on && atoms >= self.min_covered;
        sat.set_cover(self.covers);
        self.is_on
    }

    /// Checks whether the current query decides what its live clauses need, and no more.
    pub(super) fn covers(&self) -> bool {
        self.covers
    }

    /// Adds the atoms of a lemma.
    pub(super) fn add(&mut self, lemma: &[Lit]) {
        if self.is_on {
            self.fresh.extend(lemma.iter().map(|lit| lit.var()));
        }
    }

    /// Adds the live clauses that were not seen.
    pub(super) fn extend(&mut self, sat: &mut Sat<Silent>, ground: &GroundClauses, live: &[GroundId]) {
        let fresh =
            live[std::mem::replace(&mut self.seen, live.len())..].iter().map(|&clause| ground.lits(clause));
        if self.covers {
            fresh.for_each(|clause| sat.cover(clause));
        } else if self.is_on {
            self.fresh.extend(fresh.flatten().map(|lit| lit.var()));
            sat.extend_scope(&self.fresh);
            self.fresh.clear();
        }
    }

    /// Ends a query with these live clauses, if it has any.
    pub(super) fn end(&mut self, live: Option<Vec<GroundId>>) {
        self.live = live.or_else(|| self.live.take());
    }

    /// Returns the live clauses of the last query if it was limited to them.
    pub(super) fn clauses(&self) -> Option<&[GroundId]> {
        self.live.as_deref().filter(|_| self.is_on)
    }
}

#[cfg(test)]
mod tests {
    use crate::epr::{Answer, Solver};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::logic::{Signature, Sort, SortId, Symbol, SymbolKind, Terms};

    /// The live clauses of a query may be as many as all instances that there are, and telling them takes that long.
    #[test]
    fn what_earlier_clauses_refute_needs_no_live_clauses() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let kind = SymbolKind::Immutable;
        let [p, q] =
            ["p", "q"].map(|name| sig.symbols.push(Symbol::new(name, vec![sort], SortId::BOOL, kind)));
        let c = sig.symbols.push(Symbol::new("c", vec![], sort, kind));
        let mut terms = Terms::new();
        let var = terms.new_var("X", sort);
        let of_var = terms.var(var);
        let at_c = terms.app(&sig, c, 0, &[]);
        let [of_p, of_q] = [p, q].map(|it| terms.app(&sig, it, 0, &[of_var]));
        let follows = terms.implies(of_p, of_q);
        let follows = terms.forall(&[var], follows);
        let [p_of_c, q_of_c] = [p, q].map(|it| terms.app(&sig, it, 0, &[at_c]));
        let fails = terms.not(q_of_c);
        let mut solver = Solver::new(sig, terms, 0);
        solver.focus.min_covered = 0;
        solver.assert(follows);
        for is_first in [true, false] {
            solver.focus.live = None;
            solver.push();
            solver.assert(p_of_c);
            solver.assert(fails);
            assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
            assert_eq!(solver.focus.live.is_some(), is_first);
            solver.pop();
        }
    }
}
