//! Constraints that hold after every step.
//!
//! A constraint about latches alone that follows, after a step, from the constraints before it, holds in all states but
//! initial ones. So a set of states that are reached by a step may leave it out.

use crate::hwmc::graph::{Edge, Graph};
use crate::hwmc::questions::Questions;
use crate::hwmc::system::System;
use ramsey_core::base::budget::Budget;
use ramsey_solver::sat::Answer;

/// Work units for all questions. Constraints that remain open count as not preserved.
const WORK: u64 = 2_000_000;

/// Returns for each constraint of a system whether it holds after every step.
pub(super) fn preserved(system: &System) -> Vec<bool> {
    let mut graph = system.graph.clone();
    let mut nexts: Vec<Option<Edge>> = vec![None; graph.len()];
    for latch in &system.latches {
        nexts[latch.leaf.node()] = Some(latch.next);
    }
    let mut after: Vec<Option<Edge>> = vec![None; graph.len()];
    let primed: Vec<Option<Edge>> =
        system.constraints.iter().map(|&edge| primed(&mut graph, &nexts, &mut after, edge)).collect();
    // What no step changes needs no question.
    let mut known: Vec<bool> =
        system.constraints.iter().zip(&primed).map(|(&before, &after)| after == Some(before)).collect();
    let open = primed.iter().enumerate().filter_map(|(at, edge)| Some((at, (*edge)?)));
    let open: Vec<(usize, Edge)> = open.filter(|&(at, _)| !known[at]).collect();
    if open.is_empty() {
        return known;
    }
    let mut step = Questions::of_step(&graph, &system.constraints, open.iter().map(|&(_, edge)| edge));
    let mut budget = Budget::new(Some(WORK), None);
    for (at, edge) in open {
        let lit = step.lit(edge);
        match step.solver.solve(&[!lit], &mut budget) {
            Ok(answer) => known[at] = answer == Answer::Unsat,
            Err(_) => break,
        }
    }
    known
}

/// Returns an edge with latches replaced by their next values; `None` if it depends on inputs. `after` has the edges that
/// are known, by node.
fn primed(graph: &mut Graph, nexts: &[Option<Edge>], after: &mut [Option<Edge>], edge: Edge) -> Option<Edge> {
    let mut stack = vec![edge.node()];
    while let Some(&node) = stack.last() {
        if after[node].is_some() {
            stack.pop();
            continue;
        }
        let found = match graph.operands(node) {
            None if node == 0 => Some(Edge::FALSE),
            None => Some(nexts[node]?),
            Some([left, right]) => match (after[left.node()], after[right.node()]) {
                (Some(a), Some(b)) => {
                    Some(graph.and(a.negated_if(left.is_negated()), b.negated_if(right.is_negated())))
                }
                (a, _) => {
                    stack.push(if a.is_none() { left.node() } else { right.node() });
                    None
                }
            },
        };
        after[node] = found;
    }
    after[edge.node()].map(|it| it.negated_if(edge.is_negated()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwmc::system::{Input, Latch};

    /// `a` follows `b`, which follows an input; `c` never changes.
    #[test]
    fn constraints_that_steps_may_break_are_not_preserved() {
        let mut graph = Graph::new();
        let [a, b, c, input] = std::array::from_fn(|_| graph.leaf());
        let latch = |leaf, next, origin| Latch { leaf, next, reset: None, origin };
        let of_input = graph.or(c, input);
        let mixed = graph.or(a, c);
        let system = System {
            latches: vec![latch(a, b, 0), latch(b, input, 1), latch(c, c, 2)],
            inputs: vec![Input { leaf: input, origin: 0 }],
            bad: a,
            constraints: vec![c, b, a, of_input, mixed],
            constants: Vec::new(),
            decided: Vec::new(),
            graph,
        };
        assert_eq!(preserved(&system), [true, false, true, false, true]);
    }
}
