//! Latches that no step changes and that a bad state decides.

use super::questions::Questions;
use super::system::{Latch, System};
use ramsey_core::base::budget::Budget;
use ramsey_solver::sat::{Answer, Lit};

/// Work units for all questions. Latches that remain open count as not decided.
const WORK: u64 = 2_000_000;

/// Returns latches that no step changes, by their positions in the circuit, with the value that they have in each bad
/// state in which the constraints hold. So they have it in each execution to a bad state, from the beginning on.
pub(super) fn decided(system: &System) -> Vec<(usize, bool)> {
    let mut step = Questions::of_step(&system.graph, &system.constraints, [system.bad]);
    let is_candidate = |latch: &&Latch| latch.next == latch.leaf && latch.reset.is_none();
    let candidates = system.latches.iter().filter(is_candidate);
    let open: Vec<(usize, Lit)> =
        candidates.filter_map(|latch| Some((latch.origin, step.known(latch.leaf)?))).collect();
    if open.is_empty() {
        return Vec::new();
    }
    step.require(system.bad);
    let solver = &mut step.solver;
    let mut budget = Budget::new(Some(WORK), None);
    if !matches!(solver.solve(&[], &mut budget), Ok(Answer::Sat)) {
        return Vec::new();
    }
    // The values in a first state are candidates. Each further state refutes some.
    let mut candidates: Vec<(usize, Lit)> =
        open.into_iter().map(|(origin, lit)| (origin, if solver.value(lit) { lit } else { !lit })).collect();
    let mut found = Vec::new();
    while let Some((origin, lit)) = candidates.pop() {
        match solver.solve(&[!lit], &mut budget) {
            Ok(Answer::Unsat) => found.push((origin, !lit.is_negative())),
            Ok(Answer::Sat) => candidates.retain(|&(_, lit)| solver.value(lit)),
            Err(_) => break,
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_lang::aiger::parse;

    /// Of three latches without a reset value, the first two never change; the first one is true where the third is bad.
    #[test]
    fn only_latches_that_never_change_are_decided() {
        let text = "aag 5 1 3 0 1 1 1\n2\n4 4 4\n6 6 6\n8 2 8\n10\n5\n10 9 7\n";
        let circuit = parse(text.as_bytes()).expect("a circuit");
        let system = System::new(&(&circuit).into(), 0).expect("a property");
        // The constraint fixes the first, the bad states the second.
        assert_eq!(system.decided, [(0, false), (1, false)]);
        assert_eq!(system.latches.iter().map(|latch| latch.origin).collect::<Vec<_>>(), [2]);
    }
}
