//! Detours around the links of chains (`equality`).
//!
//! The SAT solver answers a chain by breaking it where another way leads around, and a candidate shows one such way at a time. Links of
//! the ways around are therefore lemmas together with those of the chain, as far as they are not many more.

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;

use super::atoms::{AtomKind, Atoms, GroundClauses, GroundId};
use super::bank::Pattern;
use super::congruence::Link;
use crate::sat::Var;
use ramsey_core::base::hash::{Map, Set};

/// Maximum number of links of detours for each link of a chain.
const DETOURS_PER_LINK: usize = 3;

/// Maximum number of terms, the first one included, from which the ways around go on that leave a chain at one term.
const MAX_TERMS: usize = 8;

/// The equations of the live clauses of a query, as a graph on terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Equations {
    neighbors: Map<Pattern, Vec<Pattern>>,
    atoms: Set<Var>,
    /// Number of live clauses whose equations are in the graph.
    seen: usize,
}

impl Equations {
    /// Adds the equations of the live clauses that were not seen. Live clauses are only ever added, or begin again.
    pub(super) fn extend(&mut self, atoms: &Atoms, ground: &GroundClauses, live: &[GroundId]) {
        let fresh = live.get(self.seen..).unwrap_or(live);
        self.seen = live.len();
        for lit in fresh.iter().flat_map(|&clause| ground.lits(clause)) {
            if let (AtomKind::Eq, &[a, b]) = (atoms.kind(lit.var()), atoms.args(lit.var()))
                && a != b
                && self.atoms.insert(lit.var())
            {
                self.neighbors.entry(a).or_default().push(b);
                self.neighbors.entry(b).or_default().push(a);
            }
        }
    }

    /// Appends links of ways around those in `links`.
    pub(super) fn detours(&self, links: &mut BumpVec<'_, Link>, round: &Bump) {
        let mut ways: Map<Pattern, BumpVec<'_, Pattern>> = Map::default();
        let mut starts = BumpVec::new_in(round);
        for &link in links.iter() {
            let Link::Transitive([start, from, to]) = link else { continue };
            let way = ways.entry(start).or_insert_with(|| {
                starts.push(start);
                BumpVec::new_in(round)
            });
            way.extend_from_slice_copy(&[from, to]);
        }
        for start in starts {
            let Some(way) = ways.remove(&start) else { continue };
            self.around(start, &way, links, round);
        }
    }

    /// Appends links of ways around a chain, which begins at `start` and consists of the links of which `way` has the ends. A way
    /// around leaves the chain at one term, and comes back at a later one.
    fn around(&self, start: Pattern, way: &[Pattern], links: &mut BumpVec<'_, Link>, round: &Bump) {
        let mut left = DETOURS_PER_LINK * way.len() / 2;
        let mut terms = BumpVec::new_in(round);
        let mut places: Map<Pattern, usize> = Map::default();
        for &term in [start].iter().chain(way) {
            places.entry(term).or_insert_with(|| {
                terms.push(term);
                terms.len() - 1
            });
        }
        let mut met: Set<Pattern> = Set::default();
        let mut queue = BumpVec::new_in(round);
        for (place, &leaving) in terms.iter().enumerate() {
            queue.clear();
            queue.push(leaving);
            let mut at = 0;
            while let Some(&term) = queue.get(at).filter(|_| at < MAX_TERMS) {
                at += 1;
                for &next in self.neighbors.get(&term).into_iter().flatten() {
                    match places.get(&next) {
                        Some(&later) if later > place => {}
                        None if met.insert(next) => queue.push(next),
                        _ => continue,
                    }
                    // The equation with the start is one of the live clauses.
                    if term == start {
                        continue;
                    }
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    links.push(Link::Transitive([start, term, next]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::epr::{Answer, Solver};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::logic::{Signature, Sort, Symbol, SymbolKind, TermId, Terms};

    /// From each of many places to the next there are two ways, of which one at least can be taken. The ends differ.
    #[test]
    fn ways_around_are_found_together() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let mut terms = Terms::new();
        let mut place = |terms: &mut Terms, name: String| {
            let sym = sig.symbols.push(Symbol::new(name, vec![], sort, SymbolKind::Immutable));
            terms.app(&sig, sym, 0, &[])
        };
        let ends: Vec<TermId> = (0..=150).map(|at| place(&mut terms, format!("x{at}"))).collect();
        let mut facts = Vec::new();
        for (at, pair) in ends.windows(2).enumerate() {
            let ways = [["a", "b"], ["c", "d"]].map(|names| {
                let [first, second] = names.map(|name| place(&mut terms, format!("{name}{at}")));
                let steps = [(pair[0], first), (first, second), (second, pair[1])];
                let steps = steps.map(|(from, to)| terms.eq(from, to));
                terms.and(&steps)
            });
            facts.push(terms.or(&ways));
        }
        let same = terms.eq(ends[0], ends[150]);
        facts.push(terms.not(same));
        let mut solver = Solver::new(sig, terms, 0);
        solver.chains.patience = 0;
        facts.iter().for_each(|&fact| solver.assert(fact));
        assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
        assert!(solver.stats.rounds <= 8, "{} rounds", solver.stats.rounds);
    }
}
