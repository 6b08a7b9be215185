//! The clauses of an inductive invariant that a proof needs.

use super::outcome::Clause;
use super::questions::Questions as Step;
use super::system::System;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::{Answer, Lit};

/// Returns clauses among those of an inductive invariant that exclude bad states and are inductive by themselves. The
/// clauses are about latches of the system, by position.
///
/// # Errors
/// Returns the budget that was exhausted.
pub(super) fn needed(
    system: &System,
    clauses: &[Clause],
    budget: &mut Budget,
) -> Result<Vec<Clause>, Exhausted> {
    let mut questions = Questions::new(system, clauses);
    let mut is_needed = vec![false; clauses.len()];
    let mut open = Vec::new();
    let mut goals = vec![questions.bad];
    // What excludes bad states is needed, and what is needed for the consecution of what is.
    loop {
        for clause in questions.ask(&goals, &is_needed, budget)? {
            is_needed[clause] = true;
            open.push(clause);
        }
        let Some(next) = open.pop() else { break };
        goals = questions.violations[next].clone();
    }
    let kept = clauses.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
    Ok(kept.map(|(clause, _)| clause.clone()).collect())
}

/// Questions about a step from a state in which some of the clauses hold.
struct Questions {
    step: Step,
    bad: Lit,
    /// By clause: the literal that it holds before the step if it is assumed.
    guards: Vec<Lit>,
    /// By clause: that it is false after the step.
    violations: Vec<Vec<Lit>>,
}

impl Questions {
    fn new(system: &System, clauses: &[Clause]) -> Questions {
        let latches = &system.latches;
        let edges = latches.iter().flat_map(|latch| [latch.leaf, latch.next]).chain([system.bad]);
        let mut step = Step::of_step(&system.graph, &system.constraints, edges);
        let mut guards = Vec::new();
        let mut violations = Vec::new();
        for clause in clauses {
            let known = || clause.iter().filter_map(|&(at, value)| Some((latches.get(at)?, value)));
            let guard = step.solver.new_var().positive();
            let literal = |edge, value| if value { step.lit(edge) } else { !step.lit(edge) };
            let before = known().map(|(latch, value)| literal(latch.leaf, value));
            let before: Vec<Lit> = before.chain([!guard]).collect();
            violations.push(known().map(|(latch, value)| !literal(latch.next, value)).collect());
            step.solver.add_clause(&before);
            guards.push(guard);
        }
        Questions { bad: step.lit(system.bad), step, guards, violations }
    }

    /// Returns the further clauses that make the goals impossible; none if those that are `known` suffice.
    fn ask(&mut self, goals: &[Lit], known: &[bool], budget: &mut Budget) -> Result<Vec<usize>, Exhausted> {
        let guards = |wanted: bool| {
            let guards = self.guards.iter().zip(known).filter(move |(_, known)| **known == wanted);
            guards.map(|(&guard, _)| guard)
        };
        let mut assumptions: Vec<Lit> = goals.iter().copied().chain(guards(true)).collect();
        if self.step.solver.solve(&assumptions, budget)? == Answer::Unsat {
            return Ok(Vec::new());
        }
        assumptions.extend(guards(false));
        if self.step.solver.solve(&assumptions, budget)? == Answer::Sat {
            // The clauses are no invariant, which whoever checks the proof will find.
            return Ok((0..known.len()).filter(|&at| !known[at]).collect());
        }
        let first = self.guards.first().map_or(0, |guard| guard.var().index());
        let core = self.step.solver.core().iter().filter_map(|lit| lit.var().index().checked_sub(first));
        Ok(core.filter(|&at| known.get(at) == Some(&false)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwmc::graph::Graph;
    use crate::hwmc::system::Latch;

    /// Each latch follows the one before it, and the third is bad. The fourth has nothing to do with that.
    #[test]
    fn clauses_that_nothing_depends_on_are_dropped() {
        let mut graph = Graph::new();
        let leaves: [_; 4] = std::array::from_fn(|_| graph.leaf());
        let nexts = [leaves[0], leaves[0], leaves[1], leaves[2]];
        let latches = leaves.into_iter().zip(nexts).enumerate();
        let latch = |(origin, (leaf, next))| Latch { leaf, next, reset: Some(false), origin };
        let system = System {
            graph,
            latches: latches.map(latch).collect(),
            inputs: Vec::new(),
            bad: leaves[2],
            constraints: Vec::new(),
            constants: Vec::new(),
            decided: Vec::new(),
        };
        let clauses: Vec<Clause> = (0..4).rev().map(|at| vec![(at, false)]).collect();
        let found = needed(&system, &clauses, &mut Budget::unlimited()).expect("no limit");
        assert_eq!(found, [vec![(2, false)], vec![(1, false)], vec![(0, false)]]);
    }
}
