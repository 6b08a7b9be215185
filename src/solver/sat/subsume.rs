//! Subsumption: removal of clauses that contain another clause, and strengthening by self-subsuming resolution.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};
use ramsey_core::base::ids::Id;

/// Maximum length of a candidate. Longer clauses are too rarely subsumed.
const MAX_LEN: usize = 100;
/// Maximum number of clauses connected to one literal.
const MAX_OCCURRENCES: u32 = 1000;

const NONE: u32 = u32::MAX;

/// Occurrence lists: linked lists of clauses by one of their literals.
struct Occurrences {
    /// By literal: its first node, and the number of nodes.
    lists: Vec<(u32, u32)>,
    nodes: Vec<(ClauseRef, u32)>,
}

impl Occurrences {
    fn connect(&mut self, lit: Lit, clause: ClauseRef) {
        let (first, count) = &mut self.lists[lit.index()];
        if *count < MAX_OCCURRENCES {
            self.nodes.push((clause, *first));
            *first = self.nodes.len() as u32 - 1;
            *count += 1;
        }
    }

    fn iter(&self, lit: Lit) -> impl Iterator<Item = ClauseRef> + '_ {
        let node = |at: u32| (at != NONE).then(|| self.nodes[at as usize]);
        std::iter::successors(node(self.lists[lit.index()].0), move |&(_, next)| node(next))
            .map(|(clause, _)| clause)
    }
}

/// Relation of a clause to a longer one.
enum Relation {
    Subsumes,
    /// The clause would subsume the longer one if this literal of the longer one were negated.
    Strengthens(Lit),
}

impl<O: Observer> Solver<O> {
    /// Checks whether subsumption is due.
    pub(super) fn is_subsume_due(&self) -> bool {
        self.stats.conflicts >= self.schedule.subsume
    }

    /// Removes or strengthens subsumed original clauses and learned clauses of low glue. The work is limited to a share
    /// of the work of the search.
    pub(super) fn subsume(&mut self) {
        self.stats.subsumptions += 1;
        let before = self.stats;
        self.backtrack(0);
        let limit = self.stats.ticks
            + (self.stats.ticks - self.schedule.subsumed) * self.config.subsume_percent / 100;
        self.collect();
        let candidates = self.subsume_candidates();
        // A clause can be subsumed by a new clause only if at least two of its variables occur in new clauses.
        let mut fresh = vec![false; self.vars.len()];
        for &clause in candidates.iter().filter(|&&clause| !self.arena.is_subsumption_tried(clause)) {
            self.arena.lits(clause).iter().for_each(|lit| fresh[lit.var().index()] = true);
        }
        let mut occurrences = Occurrences { lists: vec![(NONE, 0); self.values.len()], nodes: Vec::new() };
        let mut marks = vec![false; self.values.len()];
        let units = self.trail.len();
        for clause in candidates {
            if self.stats.ticks > limit {
                break;
            }
            let count = self.arena.lits(clause).iter().filter(|lit| fresh[lit.var().index()]).count();
            let kept =
                if count < 2 { Some(clause) } else { self.subsume_clause(clause, &occurrences, &mut marks) };
            if self.refuted || self.trail.len() > units {
                // The new unit changed the clauses that contain it.
                break;
            }
            let Some(kept) = kept else { continue };
            self.arena.set_subsumption_tried(kept);
            let rarest = self.arena.lits(kept).iter().min_by_key(|lit| occurrences.lists[lit.index()].1);
            if let Some(&rarest) = rarest {
                occurrences.connect(rarest, kept);
            }
        }
        self.schedule.subsumed = self.stats.ticks;
        event!(
            Debug,
            SAT,
            "subsumption {} at {} conflicts: {} clauses removed, {} strengthened",
            before.subsumptions,
            before.conflicts,
            self.stats.subsumed - before.subsumed,
            self.stats.strengthened - before.strengthened
        );
        self.schedule.subsume =
            self.stats.conflicts + self.config.subsume_interval * (self.stats.subsumptions + 1);
    }

    /// Returns the clauses to consider, short ones first.
    fn subsume_candidates(&self) -> Vec<ClauseRef> {
        let mut candidates: Vec<ClauseRef> = self
            .arena
            .iter()
            .filter(|&clause| {
                self.arena.len(clause) <= MAX_LEN
                    && (!self.arena.is_learned(clause) || self.arena.glue(clause) <= self.config.tier2_glue)
            })
            .collect();
        candidates.sort_by_key(|&clause| self.arena.len(clause));
        candidates
    }

    /// Tries to subsume or strengthen `clause` by the clauses in `occurrences`. Returns the remaining clause, if any.
    fn subsume_clause(
        &mut self,
        clause: ClauseRef,
        occurrences: &Occurrences,
        marks: &mut [bool],
    ) -> Option<ClauseRef> {
        self.arena.lits(clause).iter().for_each(|lit| marks[lit.index()] = true);
        let found = self.find_subsuming(clause, occurrences, marks);
        self.arena.lits(clause).iter().for_each(|lit| marks[lit.index()] = false);
        match found {
            None => Some(clause),
            Some((by, Relation::Subsumes)) => {
                self.stats.subsumed += 1;
                if !self.arena.is_learned(clause) && self.arena.is_learned(by) {
                    self.arena.mark_irredundant(by);
                }
                self.detach(clause);
                None
            }
            Some((by, Relation::Strengthens(lit))) => {
                self.stats.strengthened += 1;
                let mut kept = std::mem::take(&mut self.clause);
                kept.clear();
                kept.extend(self.arena.lits(clause).iter().filter(|&&other| other != lit));
                self.analysis.hints.clear();
                self.analysis.hints.extend([self.arena.id(by), self.arena.id(clause)]);
                let new = self.replace(clause, &kept);
                self.clause = kept;
                new
            }
        }
    }

    /// Returns a clause that subsumes or strengthens `clause`, whose literals are marked.
    fn find_subsuming(
        &mut self,
        clause: ClauseRef,
        occurrences: &Occurrences,
        marks: &[bool],
    ) -> Option<(ClauseRef, Relation)> {
        let mut found = None;
        for &lit in self.arena.lits(clause) {
            for side in [lit, !lit] {
                for by in occurrences.iter(side) {
                    self.stats.ticks += 1;
                    if by == clause || self.arena.is_garbage(by) {
                        continue;
                    }
                    match relation(self.arena.lits(by), marks) {
                        Some(Relation::Subsumes) => return Some((by, Relation::Subsumes)),
                        Some(strengthens) => found = Some((by, strengthens)),
                        None => {}
                    }
                }
            }
        }
        found
    }
}

/// Returns the relation of the clause `lits` to the marked clause.
fn relation(lits: &[Lit], marks: &[bool]) -> Option<Relation> {
    let mut flipped = None;
    for &lit in lits {
        if marks[lit.index()] {
            continue;
        }
        if flipped.is_some() || !marks[(!lit).index()] {
            return None;
        }
        flipped = Some(!lit);
    }
    Some(flipped.map_or(Relation::Subsumes, Relation::Strengthens))
}
