//! Evaluation of circuits: values of a step, and executions of a system as executions of its circuit.

use super::outcome::{Trace, Witness};
use super::system::System;
use crate::lang::aiger::{Circuit, Lit};

/// The values of all variables of a circuit in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values(Vec<bool>);

impl Values {
    /// Evaluates a circuit in a state with inputs. Values that are missing are false.
    pub fn new(circuit: &Circuit, state: &[bool], inputs: &[bool]) -> Values {
        let mut values = vec![false];
        values.extend(inputs);
        values.resize(circuit.first_latch(), false);
        values.extend(state);
        values.resize(circuit.first_gate(), false);
        let mut values = Values(values);
        for &[left, right] in circuit.gates() {
            let gate = values.of(left) && values.of(right);
            values.0.push(gate);
        }
        values
    }

    /// Returns the value of a literal; of one that the circuit does not have, that of the constant false.
    pub fn of(&self, lit: Lit) -> bool {
        self.0.get(lit.var()).copied().unwrap_or(false) != lit.is_negated()
    }

    /// Returns the values of the latches in the next state.
    pub fn next(&self, circuit: &Circuit) -> Vec<bool> {
        circuit.latches().iter().map(|latch| self.of(latch.next)).collect()
    }
}

/// Returns the execution of the circuit for an execution of the system of its property `property`; `None` if it does
/// not reach a bad state of the property, or violates a constraint.
pub(super) fn witness(circuit: &Circuit, property: usize, system: &System, trace: &Trace) -> Option<Witness> {
    let mut state: Vec<bool> = circuit.latches().iter().map(|latch| latch.reset.unwrap_or(false)).collect();
    for &(latch, value) in &system.decided {
        state[latch] = value;
    }
    for (latch, &value) in system.latches.iter().zip(&trace.state) {
        state[latch.origin] = value;
    }
    let inputs = trace.inputs.iter().map(|step| {
        let mut values = vec![false; circuit.num_inputs()];
        for (input, &value) in system.inputs.iter().zip(step) {
            values[input.origin] = value;
        }
        values
    });
    let witness = Witness { state, inputs: inputs.collect() };
    is_right(circuit, property, &witness).then_some(witness)
}

/// Checks that the execution ends in a bad state of the property.
fn is_right(circuit: &Circuit, property: usize, witness: &Witness) -> bool {
    let mut state = witness.state.clone();
    let resets = circuit.latches().iter().zip(&state);
    if resets.into_iter().any(|(latch, &value)| latch.reset.is_some_and(|reset| reset != value)) {
        return false;
    }
    let mut is_bad = false;
    for inputs in &witness.inputs {
        let values = Values::new(circuit, &state, inputs);
        if !circuit.constraints().iter().all(|&lit| values.of(lit)) {
            return false;
        }
        is_bad = circuit.properties().get(property).is_some_and(|&lit| values.of(lit));
        state = values.next(circuit);
    }
    is_bad
}
