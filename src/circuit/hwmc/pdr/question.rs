//! The questions of a search: predecessors of cubes, and bad states.

use super::Pdr;
use super::frames::Level;
use super::net::{Cube, Net};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::{Lit, Var};

/// A state from which a cube is reached in one step, or that is bad.
pub(super) struct Reached {
    /// States that reach the same with the same inputs.
    pub(super) cube: Cube,
    /// The state: values by latch.
    pub(super) latches: Vec<bool>,
    /// The inputs of the step.
    pub(super) inputs: Vec<bool>,
}

/// Buffers that are used again and again.
#[derive(Default)]
pub(super) struct Scratch {
    scope: Vec<Var>,
    assumptions: Vec<Lit>,
    clause: Vec<Lit>,
}

impl Pdr {
    /// Returns a bad state of the highest level.
    pub(super) fn reach_bad(&mut self, budget: &mut Budget) -> Result<Option<Reached>, Exhausted> {
        let level = Level::At(self.frames.top());
        let bad = self.net.bad;
        self.stats.questions += 1;
        self.net.scope(&[bad], &mut self.scratch.scope);
        let context = self.frames.context(&self.net, level);
        context.set_scope(&self.scratch.scope);
        if !context.is_satisfiable(&[bad], budget)? {
            return Ok(None);
        }
        Ok(Some(self.lifted(level, &[bad])))
    }

    /// Asks whether a state of the frame outside of the cube steps into it. If not, returns a part of the cube of which
    /// the same holds, and which excludes the initial states.
    pub(super) fn predecessor(
        &mut self,
        level: Level,
        cube: &[Lit],
        budget: &mut Budget,
    ) -> Result<Result<Cube, Reached>, Exhausted> {
        let (answer, guard) = self.ask(level, cube, budget)?;
        let result = match answer {
            Some(core) => Ok(core),
            None => {
                let roots: Vec<Lit> = cube.iter().map(|&lit| self.net.primed(lit)).collect();
                Err(self.lifted(level, &roots))
            }
        };
        self.frames.current(level).retire(guard);
        Ok(result)
    }

    /// Like [`Self::predecessor`], without the state.
    pub(super) fn consecution(
        &mut self,
        level: Level,
        cube: &[Lit],
        budget: &mut Budget,
    ) -> Result<Option<Cube>, Exhausted> {
        let (answer, guard) = self.ask(level, cube, budget)?;
        self.frames.current(level).retire(guard);
        Ok(answer)
    }

    /// Asks, and leaves the model and the guard of the question in the solver.
    fn ask(
        &mut self,
        level: Level,
        cube: &[Lit],
        budget: &mut Budget,
    ) -> Result<(Option<Cube>, Lit), Exhausted> {
        self.stats.questions += 1;
        let Pdr { net, frames, scratch, activity, .. } = self;
        let Scratch { scope, assumptions, clause } = scratch;
        let mut ordered = cube.to_vec();
        ordered.sort_by(|a, b| rank(activity, *a).total_cmp(&rank(activity, *b)));
        assumptions.clear();
        assumptions.extend(ordered.iter().map(|&lit| net.primed(lit)));
        net.scope(assumptions, scope);
        clause.clear();
        clause.extend(cube.iter().map(|&lit| !lit));
        let context = frames.context(net, level);
        let guard = context.temporarily(clause);
        assumptions.insert(0, guard);
        scope.push(guard.var());
        context.set_scope(scope);
        match context.is_satisfiable(assumptions, budget) {
            Ok(true) => return Ok((None, guard)),
            Ok(false) => {}
            Err(exhausted) => {
                context.retire(guard);
                return Err(exhausted);
            }
        }
        let core = context.core();
        let mut kept: Cube = cube.iter().copied().filter(|&lit| core.contains(&net.primed(lit))).collect();
        if net.meets_init(&kept) {
            // The cube excludes the initial states, so one of its literals does.
            let outside = ordered.iter().rev().copied().find(|&lit| net.initial(lit) == Some(false));
            kept.extend(outside);
            kept.sort_unstable();
        }
        Ok((Some(kept), guard))
    }

    /// Returns the model in the solver of a frame, in which the roots are true, with a cube of states that make the
    /// roots and constraints true with the same inputs.
    fn lifted(&mut self, level: Level, roots: &[Lit]) -> Reached {
        let Pdr { net, frames, .. } = self;
        let context = frames.current(level);
        let latches = (0..net.num_latches).map(|at| context.value(Net::latch(at).positive())).collect();
        let inputs = (0..net.num_inputs).map(|at| context.value(net.input(at).positive())).collect();
        // A step leads to states in which other constraints hold anyway. Only in an initial state these count.
        let mut cube = net.justify(&[roots, &net.fragile].concat(), |lit| context.value(lit));
        if net.meets_init(&cube) {
            cube = net.justify(&[roots, &net.constraints].concat(), |lit| context.value(lit));
        }
        Reached { cube, latches, inputs }
    }
}

/// Returns the activity of a latch's literal.
pub(super) fn rank(activity: &[f64], lit: Lit) -> f64 {
    activity.get(lit.var().index().wrapping_sub(1)).copied().unwrap_or(0.0)
}
