//! Reduction of a SAT model to an implicant of the live ground clauses: few literals that satisfy all of them, chosen
//! greedily. Only these literals define the candidate structure, so that arbitrary decisions about irrelevant atoms
//! create neither elements nor facts.

use super::atoms::{AtomKind, Atoms, GroundClauses, GroundId};
use crate::sat::{Lit, Silent, Solver as Sat, Var};
use ramsey_core::base::ids::Id as _;

/// Scratch memory of the reduction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implicant {
    /// By literal, whether it is chosen.
    chosen: Vec<bool>,
    /// By live clause, the literal that satisfied it last. It often does so again.
    satisfied_by: Vec<Lit>,
    /// The chosen literals, all true in the model.
    pub(crate) lits: Vec<Lit>,
    /// Clauses with several true literals.
    ambiguous: Vec<GroundId>,
}

impl Implicant {
    /// Starts a query, whose live clauses are other ones.
    pub(crate) fn start(&mut self) {
        self.satisfied_by.clear();
    }

    /// Chooses literals. The live clauses are those of the last call in this query, and more. The literals in `first` (the assumptions) are always chosen.
    pub(crate) fn compute(
        &mut self,
        sat: &Sat<Silent>,
        atoms: &Atoms,
        ground: &GroundClauses,
        live: &[GroundId],
        first: &[Lit],
    ) {
        for lit in self.lits.drain(..) {
            self.chosen[lit.index()] = false;
        }
        self.chosen.resize(2 * atoms.len().max(1), false);
        // A clause without literals is true.
        let first_of =
            |&clause: &GroundId| ground.lits(clause).first().copied().unwrap_or(Var::ZERO.positive());
        self.satisfied_by.extend(live[self.satisfied_by.len()..].iter().map(first_of));
        self.ambiguous.clear();
        for &lit in first {
            self.choose(lit);
        }
        for (at, &clause) in live.iter().enumerate() {
            if self.is_chosen(self.satisfied_by[at]) {
                continue;
            }
            let mut only = None;
            let mut several = false;
            for &lit in ground.lits(clause) {
                if !sat.value(lit) {
                    continue;
                }
                if self.is_chosen(lit) {
                    self.satisfied_by[at] = lit;
                    only = None;
                    break;
                }
                several = only.is_some();
                only = only.or(Some(lit));
            }
            match only {
                Some(_) if several => self.ambiguous.push(clause),
                Some(lit) => {
                    self.satisfied_by[at] = lit;
                    self.choose(lit);
                }
                None => {}
            }
        }
        // Of several true literals the one with the oldest atom is chosen, which adds the fewest new terms.
        for index in 0..self.ambiguous.len() {
            let lits = ground.lits(self.ambiguous[index]);
            if lits.iter().any(|&lit| self.is_chosen(lit)) {
                continue;
            }
            let best = lits.iter().copied().filter(|&lit| sat.value(lit)).min_by_key(|&lit| {
                let equality = matches!(atoms.kind(lit.var()), AtomKind::Eq) && !lit.is_negative();
                (equality, lit.var())
            });
            if let Some(best) = best {
                self.choose(best);
            }
        }
    }

    fn is_chosen(&self, lit: Lit) -> bool {
        self.chosen[lit.index()]
    }

    fn choose(&mut self, lit: Lit) {
        if !std::mem::replace(&mut self.chosen[lit.index()], true) {
            self.lits.push(lit);
        }
    }
}
