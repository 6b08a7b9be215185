//! Names of latches, inputs and properties, and circuits with names as files.

use super::instance::Instance;
use super::wires::LatchKind;
use ramsey_lang::aiger::{self, Symbol, SymbolKind};

impl Instance {
    /// Returns the names of inputs.
    pub(super) fn input_names(&self) -> impl Iterator<Item = String> {
        self.built.inputs.iter().map(|input| input.display(&self.system.sig).to_string())
    }

    /// Returns the names of latches: the facts that they stand for.
    pub(super) fn latch_names(&self) -> impl Iterator<Item = String> {
        self.built.latches.iter().map(|kind| match *kind {
            LatchKind::Bit(at) => self.built.layout.atoms[at].display(&self.system.sig).to_string(),
            LatchKind::Started => "@started".to_owned(),
        })
    }

    /// Returns the names of properties.
    fn property_names(&self) -> impl Iterator<Item = String> {
        self.built.targets.iter().map(|name| name.replace(['\n', '\r'], " "))
    }

    /// Returns the circuit as a file; `None` if it has too many variables.
    pub fn file(&self) -> Option<aiger::Circuit> {
        let inputs = symbols(SymbolKind::Input, self.input_names());
        let latches = symbols(SymbolKind::Latch, self.latch_names());
        let properties = symbols(SymbolKind::Bad, self.property_names());
        self.built.circuit.to_aiger(inputs.chain(latches).chain(properties).collect())
    }
}

/// Returns the entries of a symbol table for the names of all things of a kind.
fn symbols(kind: SymbolKind, names: impl Iterator<Item = String>) -> impl Iterator<Item = Symbol> {
    names.enumerate().map(move |(index, name)| Symbol { kind, index, name })
}
