//! Reduction of a SAT model to an implicant of the live ground clauses: few literals that satisfy all of them, chosen
//! greedily. Only these literals define the candidate structure, so that arbitrary decisions about irrelevant atoms
//! create neither elements nor facts.

use super::atoms::{AtomKind, Atoms, GroundClauses, GroundId};
use crate::sat::{Lit, Silent, Solver as Sat};
use ramsey_core::base::ids::Id as _;

/// Scratch memory of the reduction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implicant {
    /// By variable, whether its literal is chosen.
    chosen: Vec<bool>,
    /// The chosen literals, all true in the model.
    pub(crate) lits: Vec<Lit>,
    /// Clauses with several true literals.
    ambiguous: Vec<GroundId>,
}

impl Implicant {
    /// Chooses literals. The literals in `first` (the assumptions) are always chosen.
    pub(crate) fn compute(
        &mut self,
        sat: &Sat<Silent>,
        atoms: &Atoms,
        ground: &GroundClauses,
        live: &[GroundId],
        first: &[Lit],
    ) {
        for lit in self.lits.drain(..) {
            self.chosen[lit.var().index()] = false;
        }
        self.chosen.resize(atoms.len(), false);
        self.ambiguous.clear();
        for &lit in first {
            self.choose(lit);
        }
        for &clause in live {
            let mut only = None;
            let mut several = false;
            for &lit in ground.lits(clause) {
                if !sat.value(lit) {
                    continue;
                }
                if self.is_chosen(lit) {
                    only = None;
                    break;
                }
                several = only.is_some();
                only = only.or(Some(lit));
            }
            match only {
                Some(_) if several => self.ambiguous.push(clause),
                Some(lit) => self.choose(lit),
                None => {}
            }
        }
        // Of several true literals the one with the oldest atom is chosen, which adds the fewest new terms.
        for index in 0..self.ambiguous.len() {
            let lits = ground.lits(self.ambiguous[index]);
            if lits.iter().any(|&lit| self.is_chosen(lit) && sat.value(lit)) {
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
        self.chosen[lit.var().index()]
    }

    fn choose(&mut self, lit: Lit) {
        if !std::mem::replace(&mut self.chosen[lit.var().index()], true) {
            self.lits.push(lit);
        }
    }
}
