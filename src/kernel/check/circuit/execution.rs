//! Executions of a circuit by evaluation. The search has another evaluator (`hwmc`), and shares nothing with this one.

use ramsey_lang::aiger::{Circuit, Lit};

/// An execution, step by step.
pub(super) struct Execution<'c> {
    circuit: &'c Circuit,
    /// The values of latches after the steps so far.
    state: Vec<bool>,
    /// The values of all variables in the last step.
    values: Vec<bool>,
    steps: usize,
}

impl<'c> Execution<'c> {
    /// Starts in an initial state, given as digits.
    pub(super) fn new(circuit: &'c Circuit, state: &str) -> Result<Execution<'c>, String> {
        let state = bits(state, circuit.latches().len(), "latches")?;
        let wrong =
            circuit.latches().iter().zip(&state).position(|(latch, &value)| latch.reset == Some(!value));
        if let Some(latch) = wrong {
            return Err(format!("latch {} does not have its initial value", latch + 1));
        }
        Ok(Execution { circuit, state, values: Vec::new(), steps: 0 })
    }

    /// Makes a step with these inputs, given as digits.
    pub(super) fn step(&mut self, inputs: &str) -> Result<(), String> {
        let circuit = self.circuit;
        self.values.clear();
        self.values.push(false);
        self.values.extend(bits(inputs, circuit.num_inputs(), "inputs")?);
        self.values.extend_from_slice(&self.state);
        for &[left, right] in circuit.gates() {
            let value = self.value(left) && self.value(right);
            self.values.push(value);
        }
        if let Some(constraint) = circuit.constraints().iter().position(|&lit| !self.value(lit)) {
            return Err(format!("constraint {constraint} is violated"));
        }
        self.state = circuit.latches().iter().map(|latch| self.value(latch.next)).collect();
        self.steps += 1;
        Ok(())
    }

    /// Checks that the last step is in a bad state. Returns the number of steps before it.
    pub(super) fn ends_in(&self, bad: Lit) -> Result<usize, String> {
        if self.steps == 0 || !self.value(bad) {
            return Err("the execution does not end in a bad state".into());
        }
        Ok(self.steps - 1)
    }

    fn value(&self, lit: Lit) -> bool {
        self.values.get(lit.var()).is_some_and(|&value| value != lit.is_negated())
    }
}

/// Reads so many digits 0 and 1.
fn bits(text: &str, count: usize, what: &str) -> Result<Vec<bool>, String> {
    if text.len() != count {
        return Err(format!("{} digits for {count} {what}", text.len()));
    }
    text.bytes()
        .map(|byte| match byte {
            b'0' => Ok(false),
            b'1' => Ok(true),
            _ => Err("a value is neither 0 nor 1".to_owned()),
        })
        .collect()
}
