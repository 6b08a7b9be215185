//! Certificates in the calculus whose checker is proved right in `spec/rocq`.
//!
//! The proofs that search has found become one proof about the closed form, in which each step stands once, and lemmas of equality
//! are chains of its laws. Nothing here is trusted.

mod assemble;
mod emitter;
mod equality;
mod failure;
mod merge;
mod proof;
mod replay;
mod single;
mod write;

pub use assemble::{Accepted, Certificate, Rejected, assemble, proof_of, text};
pub use failure::Failure;
pub use single::Elaboration;

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::TermId;
use ramsey_kernel::check::Closed;
use ramsey_kernel::core::{NodeId, Proof};
use ramsey_kernel::obligations::{Obligations, Origin};

use crate::prove::lines::Step;
use emitter::Emitter;
use proof::{Shown, proof};
use replay::Replay;

/// Makes a proof about a closed system from proofs of obligations, each with what it is about. Nobody has checked it.
///
/// # Errors
/// They are no such proofs.
fn elaborate(closed: Closed, proofs: &[(Origin, &[Step])]) -> Result<Elaborated, Failure> {
    let Closed { lowering, obligations, origins, .. } = closed;
    let numbers: Map<Origin, u32> =
        origins.iter().zip(0..).map(|(&origin, number)| (origin, number)).collect();
    let proofs: Map<Origin, &[Step]> = proofs.iter().copied().collect();
    let Obligations { sig, terms, groups, .. } = obligations;
    let mut emitter = Emitter::new(sig, terms, lowering)?;
    let mut inputs = Map::default();
    let mut shown = vec![Shown::Nothing; origins.len()];
    for group in &groups {
        let hypotheses = group.hypotheses.iter().map(|each| emitter.without_choices(each.formula));
        let hypotheses: Vec<TermId> = hypotheses.collect::<Result<_, _>>()?;
        let mut assumed = Set::default();
        for (at, goal) in group.goals.iter().enumerate() {
            let number = *numbers.get(&goal.origin).ok_or(Failure::Shape)?;
            let mut input = |formula: TermId, place: u32| -> Result<NodeId, Failure> {
                let node = emitter.node(formula)?;
                inputs.entry(emitter.unsigned(node)).or_insert((number, place));
                Ok(node)
            };
            if at == 0 {
                for (&formula, place) in hypotheses.iter().zip(0..) {
                    assumed.insert(input(formula, place)?);
                }
            }
            let node = input(goal.formula, hypotheses.len() as u32)?;
            let Some(&steps) = proofs.get(&goal.origin) else { continue };
            if assumed.contains(&node) {
                shown[number as usize] = Shown::Assumed;
                continue;
            }
            let goal = emitter.without_choices(goal.formula)?;
            let mut replay = Replay::new(&mut emitter, &hypotheses, goal);
            for step in steps {
                if let Some(clause) = replay.step(step)? {
                    shown[number as usize] = Shown::By(clause);
                }
            }
        }
    }
    let (proof, formulas) = proof(&mut emitter, &shown)?;
    Ok(Elaborated { proof, inputs, formulas })
}

/// A proof, with where it finds the formulas of its obligations.
#[derive(Clone, Debug)]
struct Elaborated {
    /// The proof.
    proof: Proof,
    /// Formulas without the negations in front of them: the number of an obligation, and the place of the formula among its
    /// hypotheses and, behind them, its goal.
    inputs: Map<NodeId, (u32, u32)>,
    /// The formulas by their numbers. The first has number 1.
    formulas: Vec<NodeId>,
}
