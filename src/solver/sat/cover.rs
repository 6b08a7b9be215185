//! Partial models: assignments that satisfy given clauses, where most variables need no value.

use super::lit::{Lit, Var};
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

/// Number of clauses of the cover that are looked at for one unit of work.
const CLAUSES_PER_TICK: u32 = 4;

/// Number of literals of a clause beyond which it is satisfied at once. Each decision looks at all of them, and following the phases may
/// make all but one false before.
const WIDE: usize = 64;

/// Clauses that a model has to satisfy. With a cover a model need not have values for all variables: first those
/// that conflicts were about are decided, then what the clauses need.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    is_on: bool,
    /// The literals of all clauses. The first one of a clause is that which satisfied it last; it often does so again.
    lits: Vec<Lit>,
    /// By clause: the end of its literals.
    ends: Vec<u32>,
    /// All clauses before this one are satisfied.
    next: u32,
    /// By variable: whether it was ever bumped. Variables beyond the end were not.
    bumped: Vec<bool>,
}

impl Cover {
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Returns the number of clauses in front that are satisfied.
    #[inline]
    pub(super) fn satisfied(&self) -> u32 {
        self.next
    }

    /// Notes that only so many clauses in front are known to be satisfied.
    #[inline]
    pub(super) fn rewind(&mut self, satisfied: u32) {
        self.next = satisfied;
    }

    /// Notes that a variable was bumped.
    pub(super) fn bump(&mut self, var: Var) {
        if self.bumped.len() <= var.index() {
            self.bumped.resize(var.index() + 1, false);
        }
        self.bumped[var.index()] = true;
    }

    /// Checks whether a variable is decided before the clauses are looked at.
    #[inline]
    pub(super) fn is_first(&self, var: Var) -> bool {
        !self.is_on || self.bumped.get(var.index()) == Some(&true)
    }
}

impl<O: Observer> Solver<O> {
    /// Lets models have values for only as many variables as satisfy the clauses of the cover, which has none to begin with
    /// ([`Solver::cover`]). `false` lets them have values for all variables again. Keeps the current assignment.
    ///
    /// Then [`Answer::Sat`](super::Answer::Sat) means that the clauses of the cover are satisfied, and no other is false. The
    /// caller has to know that this extends to a model, or judges it by other means.
    pub fn set_cover(&mut self, is_on: bool) {
        let cover = &mut self.cover;
        if !std::mem::replace(&mut cover.is_on, is_on) && !is_on {
            return;
        }
        cover.lits.clear();
        cover.ends.clear();
        cover.next = 0;
        self.levels.iter_mut().for_each(|level| level.covered = 0);
        // Decisions may have skipped variables that now count.
        self.queue.rewind();
        self.first.rewind();
    }

    /// Adds a clause to the cover.
    pub fn cover(&mut self, clause: &[Lit]) {
        if self.cover.is_on && !clause.is_empty() {
            self.cover.lits.extend_from_slice(clause);
            self.cover.ends.push(self.cover.lits.len() as u32);
        }
    }

    /// Returns a literal to decide for the first clause of the cover that is not satisfied, or `None` if all are.
    pub(super) fn next_uncovered(&mut self) -> Option<Lit> {
        let Solver { cover, values, phases, mode, stats, .. } = self;
        let before = cover.next;
        let Cover { lits, ends, next, .. } = cover;
        let mut start = next.checked_sub(1).map_or(0, |before| ends[before as usize] as usize);
        let mut chosen = None;
        while let Some(&end) = ends.get(*next as usize) {
            let clause = &mut lits[start..end as usize];
            let is_true = |lit: &Lit| values[lit.index()] > 0;
            if !is_true(&clause[0]) {
                let Some(at) = clause.iter().position(is_true) else {
                    // The oldest atom adds the fewest new terms.
                    let open = clause.iter().copied().filter(|lit| values[lit.index()] == 0);
                    let by_phase = |lit: Lit| lit.var().literal(phases.choose(lit.var(), mode.stable));
                    let oldest = |lit: &Lit| lit.var();
                    let satisfying = open.clone().filter(|&lit| by_phase(lit) == lit).min_by_key(oldest);
                    chosen = satisfying.or_else(|| match clause.len() {
                        0..=WIDE => open.clone().next().map(by_phase),
                        _ => open.clone().min_by_key(oldest),
                    });
                    debug_assert!(chosen.is_some(), "propagation finds clauses that are false");
                    break;
                };
                clause.swap(0, at);
            }
            start = end as usize;
            *next += 1;
        }
        stats.ticks += u64::from((*next - before) / CLAUSES_PER_TICK);
        chosen
    }
}
