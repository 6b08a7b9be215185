//! Executions of an abstraction in terms of the system.

use super::build::Abstraction;
use super::fact::{Fact, Input};
use crate::hwmc::Witness;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{SortId, TermId};

/// What is known of a formula or a term in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// The formula has this value.
    Truth(bool),
    /// The term is equal to this tracked constant.
    Is(TermId),
    /// The term is equal to none of the tracked constants.
    Other,
}

/// A state and the step that leads on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What is known of the state, in the order of the latches.
    pub state: Vec<(TermId, Known)>,
    /// The transition, by its index; `None` if the state stays as it is.
    pub transition: Option<usize>,
    /// What is known of its parameters.
    pub args: Vec<Known>,
}

impl Abstraction {
    /// Returns the states of an execution of the circuit, each with the step that leads on. In the last one the claim
    /// is violated: an invariant by the state, an assertion by the step.
    pub fn path(&self, witness: &Witness) -> Vec<Step> {
        let steps = self.circuit.run(witness).zip(&witness.inputs);
        steps.map(|(values, inputs)| self.step(self.circuit.state(&values), inputs)).collect()
    }

    fn step(&self, state: &[bool], inputs: &[bool]) -> Step {
        let mut known: Vec<(TermId, Known)> = Vec::new();
        for (fact, &value) in self.latches.iter().zip(state) {
            match *fact {
                Fact::Truth(formula) => known.push((formula, Known::Truth(value))),
                Fact::Is(term, constant) => {
                    if known.last().is_none_or(|(last, _)| *last != term) {
                        known.push((term, Known::Other));
                    }
                    if let (Some((_, known)), true) = (known.last_mut(), value) {
                        *known = Known::Is(constant);
                    }
                }
                Fact::Below(..) | Fact::First => {}
            }
        }
        // A tracked constant that equals no earlier one is itself.
        known.retain(|(term, value)| *value != Known::Other || !self.is_tracked(*term));
        let mut number = 0;
        let mut indices: Map<TermId, usize> = Map::default();
        let mut truths: Map<TermId, bool> = Map::default();
        for (input, &value) in self.inputs.iter().zip(inputs) {
            match *input {
                Input::Transition(bit) => number |= usize::from(value) << bit,
                Input::Index(term, bit) => *indices.entry(term).or_default() |= usize::from(value) << bit,
                Input::Fact(Fact::Truth(formula)) => {
                    truths.insert(formula, value);
                }
                Input::Fact(_) | Input::Above(..) => {}
            }
        }
        let transition = number.checked_sub(1).filter(|&index| index < self.arguments.len());
        let args =
            transition.and_then(|index| self.arguments.get(index)).map(Vec::as_slice).unwrap_or_default();
        let args = args.iter().map(|&arg| {
            let sort = self.terms.sort(arg);
            if sort == SortId::BOOL {
                return truths.get(&arg).map_or(Known::Other, |&value| Known::Truth(value));
            }
            self.tracked_at(arg, indices.get(&arg).copied())
        });
        Step { state: known, transition, args: args.collect() }
    }

    /// Returns the tracked constant with this number that a term is equal to. Without a number there is one choice.
    pub(super) fn tracked_at(&self, term: TermId, number: Option<usize>) -> Known {
        let sort = self.terms.sort(term);
        let constants = self.constants.get(&sort).map(Vec::as_slice).unwrap_or_default();
        let index = number.unwrap_or(if self.is_finite(sort) { 0 } else { usize::MAX });
        let last = if self.is_finite(sort) { constants.last().copied() } else { None };
        constants.get(index).copied().or(last).map_or(Known::Other, Known::Is)
    }

    fn is_tracked(&self, term: TermId) -> bool {
        self.constants.values().any(|constants| constants.contains(&term))
    }

    fn is_finite(&self, sort: SortId) -> bool {
        self.finite.contains(&sort)
    }
}
