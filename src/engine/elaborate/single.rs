//! Proofs of the obligations of one group, each as evidence that stands alone.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::TermId;
use ramsey_kernel::check::Closed;
use ramsey_kernel::core::NodeId;

use super::Elaborated;
use super::emitter::Emitter;
use super::failure::Failure;
use super::proof::{Shown, proof};
use super::replay::Replay;
use super::write::lines;
use crate::prove::Proof;

/// Elaboration of proofs of one group, one after another. Steps that they have in common are made once, and written for each.
#[derive(Debug)]
pub struct Elaboration {
    /// `None` after a failure, when it may lack its closed system.
    emitter: Option<Emitter>,
    hypotheses: Vec<TermId>,
    goals: Vec<TermId>,
    /// The hypotheses without the negations in front of them, with their places.
    inputs: Map<NodeId, (u32, u32)>,
    /// The hypotheses.
    assumed: Set<NodeId>,
}

impl Elaboration {
    /// Begins with the group with this index of a closed form.
    ///
    /// # Errors
    /// There is no such group.
    pub fn new(closed: &Closed, group: usize) -> Result<Elaboration, Failure> {
        let Closed { lowering, obligations, .. } = closed;
        let group = obligations.groups.get(group).ok_or(Failure::Shape)?;
        let mut hypotheses: Vec<TermId> = group.hypotheses.iter().map(|each| each.formula).collect();
        let goals = group.goals.iter().map(|each| each.formula).collect();
        let mut emitter = Emitter::new(obligations.sig.clone(), obligations.terms.clone(), lowering.clone())?;
        let (mut inputs, mut assumed) = (Map::default(), Set::default());
        for (formula, place) in hypotheses.iter_mut().zip(0..) {
            *formula = emitter.without_choices(*formula)?;
            let node = emitter.node(*formula)?;
            inputs.entry(emitter.unsigned(node)).or_insert((0, place));
            assumed.insert(node);
        }
        Ok(Elaboration { emitter: Some(emitter), hypotheses, goals, inputs, assumed })
    }

    /// Returns the lines of a proof of the goal with this index, whose obligation is number 0 in them. Nobody has checked them.
    ///
    /// # Errors
    /// The proof is none, or an earlier one was none.
    pub fn evidence(&mut self, goal: usize, of: &Proof) -> Result<String, Failure> {
        let mut emitter = self.emitter.take().ok_or(Failure::Shape)?;
        let goal = emitter.without_choices(*self.goals.get(goal).ok_or(Failure::Shape)?)?;
        let node = emitter.node(goal)?;
        let mut inputs = self.inputs.clone();
        inputs.entry(emitter.unsigned(node)).or_insert((0, self.hypotheses.len() as u32));
        let mut shown = Shown::Nothing;
        if self.assumed.contains(&node) {
            shown = Shown::Assumed;
        } else {
            let mut replay = Replay::new(&mut emitter, &self.hypotheses, goal);
            for step in of.steps() {
                if let Some(clause) = replay.step(step)? {
                    shown = Shown::By(clause);
                }
            }
        }
        let (proof, formulas) = proof(&mut emitter, &[shown])?;
        let elaborated = Elaborated { proof, inputs, formulas };
        let text = lines(&elaborated)?;
        emitter.lowering.core = elaborated.proof.core;
        self.emitter = Some(emitter);
        Ok(text)
    }
}
