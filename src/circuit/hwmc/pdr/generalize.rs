//! Generalization: literals of an excluded cube are dropped while the rest is still excluded.

use super::Pdr;
use super::frames::Level;
use super::net::{Cube, is_subset};
use super::question::rank;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::Lit;

/// Maximum number of predecessors excluded for one literal.
const MAX_CTGS: u32 = 3;

/// Maximum depth of generalizations within generalizations.
const MAX_DEPTH: u32 = 1;

/// Number of times that an obligation is treated before predecessors are excluded for the sake of its generalization,
/// which costs more than it gains on obligations that do not come back.
const PATIENCE: u32 = 10;

/// Number of literals in a row that cannot be dropped after which the rest is kept.
const MAX_FAILURES: u32 = 3;

/// Factor by which new bumps of activities outweigh those of the lemma before.
const GROWTH: f64 = 1.0 / 0.99;

impl Pdr {
    /// Generalizes a cube that no state of the frame below `level` steps into, and excludes it at the highest level
    /// that can be shown at once. Returns that level. `tries` says how often the obligation was treated.
    pub(super) fn learn(
        &mut self,
        level: usize,
        cube: Cube,
        tries: u32,
        budget: &mut Budget,
    ) -> Result<Level, Exhausted> {
        self.learn_at_depth(level, cube, if tries > PATIENCE { 0 } else { MAX_DEPTH }, budget)
    }

    fn learn_at_depth(
        &mut self,
        level: usize,
        cube: Cube,
        depth: u32,
        budget: &mut Budget,
    ) -> Result<Level, Exhausted> {
        let mut cube = self.generalize(level, cube, depth, budget)?;
        let mut level = level;
        while level < self.frames.top() {
            let Some(core) = self.consecution(Level::At(level), &cube, budget)? else { break };
            cube = core;
            level += 1;
        }
        self.stats.lemmas += 1;
        for lit in &cube {
            if let Some(activity) = self.activity.get_mut(lit.var().index().wrapping_sub(1)) {
                *activity += self.bump;
            }
        }
        self.bump *= GROWTH;
        if self.bump > 1e100 {
            self.bump *= 1e-100;
            self.activity.iter_mut().for_each(|it| *it *= 1e-100);
        }
        self.frames.exclude(cube, 0, Level::At(level));
        Ok(Level::At(level))
    }

    /// Drops literals, the least active first.
    fn generalize(
        &mut self,
        level: usize,
        cube: Cube,
        depth: u32,
        budget: &mut Budget,
    ) -> Result<Cube, Exhausted> {
        let mut cube = cube;
        let mut order = cube.clone();
        order.sort_by(|a, b| rank(&self.activity, *a).total_cmp(&rank(&self.activity, *b)));
        let mut needed: Vec<Lit> = Vec::new();
        let mut failures = 0;
        for lit in order {
            if cube.len() < 2 || !cube.contains(&lit) {
                continue;
            }
            let candidate: Cube = cube.iter().copied().filter(|&it| it != lit).collect();
            match self.descend(level, candidate, &needed, depth, budget)? {
                Some(smaller) => {
                    cube = smaller;
                    failures = 0;
                }
                None => {
                    needed.push(lit);
                    failures += 1;
                }
            }
            if failures > MAX_FAILURES {
                break;
            }
        }
        Ok(cube)
    }

    /// Looks for a part of the cube that has all `needed` literals and that no state of the frame below steps into.
    /// Predecessors are excluded, or what they do not share with the cube is dropped.
    fn descend(
        &mut self,
        level: usize,
        cube: Cube,
        needed: &[Lit],
        depth: u32,
        budget: &mut Budget,
    ) -> Result<Option<Cube>, Exhausted> {
        let mut cube = cube;
        let mut ctgs = 0;
        loop {
            if self.net.meets_init(&cube) {
                return Ok(None);
            }
            if depth >= MAX_DEPTH || level < 2 {
                return self.consecution(Level::At(level - 1), &cube, budget);
            }
            let reached = match self.predecessor(Level::At(level - 1), &cube, budget)? {
                Ok(core) => return Ok(Some(core)),
                Err(reached) => reached,
            };
            if ctgs < MAX_CTGS
                && !self.net.meets_init(&reached.cube)
                && let Some(core) = self.consecution(Level::At(level - 2), &reached.cube, budget)?
            {
                ctgs += 1;
                self.stats.ctgs += 1;
                self.learn_at_depth(level - 1, core, depth + 1, budget)?;
                continue;
            }
            ctgs = 0;
            // The state is a full one, so the join drops all literals that it does not have.
            let holds = |lit: &Lit| {
                let value = reached.latches.get(lit.var().index().wrapping_sub(1)).copied();
                value == Some(!lit.is_negative())
            };
            let joined: Cube = cube.iter().copied().filter(holds).collect();
            if joined.len() == cube.len() || !is_subset_of_unsorted(needed, &joined) {
                return Ok(None);
            }
            cube = joined;
        }
    }
}

/// Checks whether all literals of the first list are in the second, which is in ascending order.
fn is_subset_of_unsorted(needed: &[Lit], cube: &[Lit]) -> bool {
    let mut needed = needed.to_vec();
    needed.sort_unstable();
    is_subset(&needed, cube)
}
