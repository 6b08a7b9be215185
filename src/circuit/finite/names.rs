//! Names of latches, inputs and properties, and circuits with names as files.

use super::instance::Instance;
use super::plain::plain;
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
        self.circuit().to_aiger(self.symbols())
    }

    /// Returns a circuit with the same answers as a file for tools that read AIGER 1.0: without constraints and reset
    /// values, and with outputs for bad states. `None` if it has too many variables.
    pub fn plain_file(&self) -> Option<aiger::Circuit> {
        plain(self.circuit(), &self.symbols())
    }

    fn symbols(&self) -> Vec<Symbol> {
        let inputs = symbols(SymbolKind::Input, self.input_names());
        let latches = symbols(SymbolKind::Latch, self.latch_names());
        let properties = symbols(SymbolKind::Bad, self.property_names());
        inputs.chain(latches).chain(properties).collect()
    }
}

/// Returns the entries of a symbol table for the names of all things of a kind.
fn symbols(kind: SymbolKind, names: impl Iterator<Item = String>) -> impl Iterator<Item = Symbol> {
    names.enumerate().map(move |(index, name)| Symbol { kind, index, name })
}
