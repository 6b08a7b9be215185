//! Circuits in memory.

use std::ops::Not;

/// A literal of a circuit: twice its variable, plus one if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(pub(super) u32);

impl Lit {
    /// The constant false.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// Returns the positive literal of a variable, which must be at most 2^31 - 1.
    pub fn positive(var: usize) -> Lit {
        Lit((var as u32) << 1)
    }

    /// Returns the variable.
    pub fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Checks whether the literal is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the number of the literal in the format.
    pub fn code(self) -> u32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// Its value in the next state.
    pub next: Lit,
    /// Its value in initial states; `None` if it is arbitrary.
    pub reset: Option<bool>,
}

/// The kind of thing that a symbol names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// An input.
    Input,
    /// A latch.
    Latch,
    /// An output.
    Output,
    /// A bad state property.
    Bad,
    /// An invariant constraint.
    Constraint,
}

impl SymbolKind {
    /// All kinds with the letters of the format.
    pub(super) const LETTERS: [(u8, SymbolKind); 5] = [
        (b'i', SymbolKind::Input),
        (b'l', SymbolKind::Latch),
        (b'o', SymbolKind::Output),
        (b'b', SymbolKind::Bad),
        (b'c', SymbolKind::Constraint),
    ];

    /// Returns the letter of the format.
    pub fn letter(self) -> char {
        Self::LETTERS.iter().find(|row| row.1 == self).map_or('?', |row| char::from(row.0))
    }
}

/// An entry of the symbol table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What is named.
    pub kind: SymbolKind,
    /// Its position among those of its kind.
    pub index: usize,
    /// The name.
    pub name: String,
}

/// A sequential circuit. Circuits come from [`super::parse()`] and [`Circuit::new`] alone, so every literal is one of the
/// circuit, and operands of a gate come before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Circuit {
    pub(super) num_inputs: usize,
    pub(super) latches: Vec<Latch>,
    pub(super) gates: Vec<[Lit; 2]>,
    pub(super) outputs: Vec<Lit>,
    pub(super) bad: Vec<Lit>,
    pub(super) constraints: Vec<Lit>,
    pub(super) symbols: Vec<Symbol>,
    pub(super) comments: Vec<u8>,
}

impl Circuit {
    /// Creates a circuit without outputs and comments. Returns `None` if a literal is not one of the circuit, or an
    /// operand of a gate does not come before it.
    pub fn new(
        num_inputs: usize,
        latches: Vec<Latch>,
        gates: Vec<[Lit; 2]>,
        bad: Vec<Lit>,
        constraints: Vec<Lit>,
        symbols: Vec<Symbol>,
    ) -> Option<Circuit> {
        let circuit = Circuit { num_inputs, latches, gates, bad, constraints, symbols, ..Circuit::default() };
        let count = circuit.num_vars();
        let nexts = circuit.latches.iter().map(|latch| latch.next);
        let lits = nexts.chain(circuit.bad.iter().chain(&circuit.constraints).copied());
        let first = circuit.first_gate();
        let is_ordered = |(at, gate): (usize, &[Lit; 2])| gate.iter().all(|lit| lit.var() < first + at);
        let is_right = count <= 1 << 29
            && lits.into_iter().all(|lit| lit.var() < count)
            && circuit.gates.iter().enumerate().all(is_ordered);
        is_right.then_some(circuit)
    }

    /// Returns the circuit with its bad states as outputs, which is what AIGER 1.0 has for them.
    pub fn with_bad_as_outputs(self) -> Circuit {
        Circuit { outputs: self.bad, bad: Vec::new(), ..self }
    }

    /// Returns the number of variables, the constant included.
    pub fn num_vars(&self) -> usize {
        1 + self.num_inputs + self.latches.len() + self.gates.len()
    }

    /// Returns the number of inputs. Their variables follow the constant.
    pub fn num_inputs(&self) -> usize {
        self.num_inputs
    }

    /// Returns the variable of the first latch. Others follow in order.
    pub fn first_latch(&self) -> usize {
        1 + self.num_inputs
    }

    /// Returns the variable of the first gate. Others follow in order.
    pub fn first_gate(&self) -> usize {
        self.first_latch() + self.latches.len()
    }

    /// Returns the latches.
    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }

    /// Returns the operands of the gates.
    pub fn gates(&self) -> &[[Lit; 2]] {
        &self.gates
    }

    /// Returns the outputs.
    pub fn outputs(&self) -> &[Lit] {
        &self.outputs
    }

    /// Returns the bad state properties as written; see [`Self::properties`].
    pub fn bad(&self) -> &[Lit] {
        &self.bad
    }

    /// Returns the invariant constraints.
    pub fn constraints(&self) -> &[Lit] {
        &self.constraints
    }

    /// Returns the properties: the bad states, or the outputs if there are no bad states, as in files from before
    /// AIGER 1.9.
    pub fn properties(&self) -> &[Lit] {
        if self.bad.is_empty() { &self.outputs } else { &self.bad }
    }

    /// Returns the symbol table.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the name of a thing, if the symbol table has one.
    pub fn name(&self, kind: SymbolKind, index: usize) -> Option<&str> {
        self.symbols.iter().find(|it| it.kind == kind && it.index == index).map(|it| it.name.as_str())
    }

    /// Returns the name of a property, if the symbol table has one.
    pub fn property_name(&self, index: usize) -> Option<&str> {
        let kind = if self.bad.is_empty() { SymbolKind::Output } else { SymbolKind::Bad };
        self.name(kind, index)
    }

    /// Returns the comments at the end of the file, without the line that introduces them.
    pub fn comments(&self) -> &[u8] {
        &self.comments
    }
}
