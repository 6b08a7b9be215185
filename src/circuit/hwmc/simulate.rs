//! Executions of a system as executions of its circuit, judged by evaluation.

use super::circuit::Circuit;
use super::outcome::{Trace, Witness};
use super::system::System;

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
    let resets = circuit.latches().iter().zip(&witness.state);
    if resets.into_iter().any(|(latch, &value)| latch.reset.is_some_and(|reset| reset != value)) {
        return false;
    }
    let mut is_bad = false;
    for values in circuit.run(witness) {
        if !circuit.constraints().iter().all(|edge| edge.of(&values)) {
            return false;
        }
        is_bad = circuit.bad().get(property).is_some_and(|edge| edge.of(&values));
    }
    is_bad
}
