//! Gates over variables, in one list.

use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::{Lit, Var};

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate<'g> {
    /// An input, a latch, or the constant.
    Leaf,
    /// The conjunction of these literals.
    And(&'g [Lit]),
    /// Whether the condition, and then the second literal, or else the third one is true.
    Choice([Lit; 3]),
}

/// The gates of variables, each after its operands.
#[derive(Clone, Debug)]
pub struct Gates {
    /// The operands of all gates, one after the other.
    lits: Vec<Lit>,
    /// By variable: the start of its operands in `lits`. The end of the last one's follows.
    starts: Vec<u32>,
    is_choice: Vec<bool>,
}

impl Default for Gates {
    fn default() -> Self {
        Gates { lits: Vec::new(), starts: vec![0], is_choice: Vec::new() }
    }
}

impl Gates {
    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.is_choice.len()
    }

    /// Checks whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.is_choice.is_empty()
    }

    /// Appends the gate of the next variable.
    pub fn push(&mut self, gate: Gate<'_>) {
        match gate {
            Gate::Leaf => {}
            Gate::And(lits) => self.lits.extend_from_slice(lits),
            Gate::Choice(lits) => self.lits.extend(lits),
        }
        self.is_choice.push(matches!(gate, Gate::Choice(_)));
        self.starts.push(self.lits.len() as u32);
    }

    /// Returns the operands of a variable.
    pub fn operands(&self, var: Var) -> &[Lit] {
        &self.lits[self.starts[var.index()] as usize..self.starts[var.index() + 1] as usize]
    }

    /// Returns the gate of a variable.
    pub fn get(&self, var: Var) -> Gate<'_> {
        match *self.operands(var) {
            [] => Gate::Leaf,
            [condition, yes, no] if self.is_choice[var.index()] => Gate::Choice([condition, yes, no]),
            ref lits => Gate::And(lits),
        }
    }

    /// Iterates over all variables and their gates, operands first.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Gate<'_>)> {
        (0..self.len()).map(Var::new).map(|var| (var, self.get(var)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_what_was_pushed() {
        let lits = [0, 1, 2].map(|var| Var::new(var).positive());
        let pushed =
            [Gate::Leaf, Gate::Leaf, Gate::Leaf, Gate::And(&lits), Gate::Choice(lits), Gate::And(&lits[..2])];
        let mut gates = Gates::default();
        assert!(gates.is_empty());
        pushed.iter().for_each(|&gate| gates.push(gate));
        assert_eq!(gates.len(), pushed.len());
        assert!(gates.iter().map(|(_, gate)| gate).eq(pushed));
        assert_eq!(gates.operands(Var::new(5)), [lits[0], lits[1]]);
    }
}
