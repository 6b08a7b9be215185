//! Constraints that hold after every step.
//!
//! A constraint about latches alone that follows, after a step, from the constraints before it, holds in all states but
//! initial ones. So a set of states that are reached by a step may leave it out.

use crate::hwmc::graph::{Edge, Graph};
use crate::hwmc::questions::Questions;
use crate::hwmc::system::System;
use ramsey_core::base::budget::Budget;
use ramsey_solver::sat::{Answer, Lit};

/// Work units for all questions. Constraints that remain open count as not preserved.
pub(super) const WORK: u64 = 2_000_000;

/// Returns for each constraint of a system whether it holds after every step, as far as so much work tells.
pub(super) fn preserved(system: &System, work: u64) -> Vec<bool> {
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
    let mut budget = Budget::new(Some(work), None);
    let mut open: Vec<(usize, Lit)> = open.into_iter().map(|(at, edge)| (at, step.lit(edge))).collect();
    open.reverse();
    while let Some((at, lit)) = open.pop() {
        match step.solver.solve(&[!lit], &mut budget) {
            Ok(Answer::Unsat) => known[at] = true,
            // One step may break many constraints.
            Ok(Answer::Sat) => open.retain(|&(_, lit)| step.solver.value(lit)),
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
        assert_eq!(preserved(&system, WORK), [true, false, true, false, true]);
    }

    /// One step breaks all constraints but the last one, so that one more question is about that.
    #[test]
    fn constraints_that_one_step_breaks_take_one_question() {
        const COUNT: usize = 200;
        let mut graph = Graph::new();
        let mut latches = Vec::new();
        let mut inputs = Vec::new();
        for origin in 0..COUNT {
            let (leaf, input) = (graph.leaf(), graph.leaf());
            latches.push(Latch { leaf, next: input, reset: None, origin });
            inputs.push(Input { leaf: input, origin });
        }
        let last = graph.leaf();
        latches.push(Latch { leaf: last, next: latches[0].leaf, reset: None, origin: COUNT });
        let constraints: Vec<Edge> = latches.iter().map(|latch| latch.leaf).collect();
        let bad = !last;
        let (constants, decided) = (Vec::new(), Vec::new());
        let system = System { graph, latches, inputs, bad, constraints, constants, decided };
        // A question about all inputs takes more work than there are inputs.
        let found = preserved(&system, 10 * COUNT as u64);
        assert_eq!(found.iter().filter(|&&is_preserved| is_preserved).count(), 1);
        assert_eq!(found.last(), Some(&true));
    }
}
