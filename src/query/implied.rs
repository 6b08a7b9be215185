//! Invariants that follow from the others, which is worth knowing and no mistake.

use super::verify::Limits;
use crate::base::budget::Budget;
use crate::epr::{Answer, Label, Solver};
use crate::logic::TermId;
use crate::system::System;

/// An invariant that axioms, derived relations and other invariants imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The invariant, by its index.
    pub invariant: usize,
    /// Invariants that suffice, by their indices in ascending order.
    pub by: Vec<usize>,
}

/// Work units for one of the questions.
const WORK: u64 = 200_000;

/// Invariants that follow from the others; all of them could be left out together. Safety properties are to be shown and
/// are left alone. Later ones are left out first, so that of two that say the same the first stays. Each question has a small
/// budget, and where that runs out nothing is said.
pub fn implied(system: &System, limits: &Limits) -> Vec<Implied> {
    let mut terms = system.terms.clone();
    let negated: Vec<TermId> = system.invariants.iter().map(|it| terms.not(it.formula)).collect();
    let mut solver = Solver::new(system.sig.clone(), terms, 0);
    let mut budget = Budget::new(Some(WORK), limits.probe.as_ref().map(|make| make()));
    let labels: Vec<Label> = solver.within(&mut budget, |solver| {
        system.axioms.iter().for_each(|axiom| solver.assert(axiom.formula));
        system.derived.iter().for_each(|derived| solver.assert(derived.axiom));
        system.invariants.iter().map(|it| solver.assert_labelled(it.formula)).collect()
    });
    let mut kept: Vec<bool> = vec![true; labels.len()];
    let mut found = Vec::new();
    for (index, invariant) in system.invariants.iter().enumerate().rev() {
        if invariant.is_safety {
            continue;
        }
        let others: Vec<Label> = labels
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != index && kept[other])
            .map(|(_, &label)| label)
            .collect();
        let mut budget = Budget::new(Some(WORK), limits.probe.as_ref().map(|make| make()));
        solver.push();
        solver.within(&mut budget, |solver| solver.assert(negated[index]));
        let answer = solver.check(&others, &mut budget);
        let core = if answer == Ok(Answer::Unsat) { Some(solver.core().to_vec()) } else { None };
        solver.pop_to(0);
        if let Some(core) = core {
            kept[index] = false;
            let by = (0..labels.len()).filter(|&other| core.contains(&labels[other])).collect();
            found.push(Implied { invariant: index, by });
        }
    }
    found.reverse();
    found
}
