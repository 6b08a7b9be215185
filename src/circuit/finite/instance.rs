//! Instances, and what there is to know of their circuits.

use std::sync::Arc;

use super::build::{Built, build};
use super::layout::{Atom, Sizes};
use super::options::{Break, Options};
use super::refusal::Refusal;
use super::wires::{Input, LatchKind};
use crate::hwmc::{Circuit, Clause};
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::SymId;
use ramsey_core::system::System;

/// Where an atom is in a circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is a latch, by position.
    Latch(usize),
    /// It has this value in all states.
    Known(bool),
}

/// A finite instance of a system.
pub struct Instance {
    pub(super) system: Arc<System>,
    pub(super) built: Built,
}

impl Instance {
    /// Expands a system over `sizes` elements of each sort.
    ///
    /// # Errors
    /// Returns why there is no circuit.
    pub fn new(
        system: Arc<System>,
        sizes: &Sizes,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Instance, Refusal> {
        let built = build(&system, sizes, options, budget)?;
        Ok(Instance { system, built })
    }

    /// Returns the circuit. Its properties are the targets, in order.
    pub fn circuit(&self) -> &Circuit {
        &self.built.circuit
    }

    /// Returns the system.
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// Returns the number of elements of each sort.
    pub fn sizes(&self) -> &Sizes {
        &self.built.layout.sizes
    }

    /// Returns what a latch stands for. `None` for the latch that tells that the first state was reached, and if there is
    /// no such latch.
    pub fn atom(&self, latch: usize) -> Option<&Atom> {
        match self.built.latches.get(latch)? {
            LatchKind::Bit(at) => self.built.layout.atoms.get(*at),
            LatchKind::Started => None,
        }
    }

    /// Returns where an atom is; `None` if no bit stands for it.
    pub fn place(&self, atom: &Atom) -> Option<Place> {
        let at = self.built.layout.place(&self.system.sig, atom)?;
        match self.built.fixed.known.get(at).copied().flatten() {
            Some(value) => Some(Place::Known(value)),
            None => self.built.latches.iter().position(|&kind| kind == LatchKind::Bit(at)).map(Place::Latch),
        }
    }

    /// Returns the defined relations, in the order of their properties if the circuit has them.
    pub fn defined(&self) -> impl Iterator<Item = SymId> + '_ {
        self.built.definitions.iter().map(|definition| definition.sym)
    }

    /// Returns the latch that is false before the first state, if there is one.
    pub fn started(&self) -> Option<usize> {
        self.built.latches.iter().position(|&kind| kind == LatchKind::Started)
    }

    /// Returns what the inputs stand for.
    pub fn inputs(&self) -> &[Input] {
        &self.built.inputs
    }

    /// Returns the latches of immutable symbols.
    pub fn immutable(&self) -> &[usize] {
        &self.built.immutable
    }

    /// Returns the atoms with a value that is the same in all structures that the instance looks at.
    pub fn facts(&self) -> impl Iterator<Item = (&Atom, bool)> {
        let known = self.built.layout.atoms.iter().zip(&self.built.fixed.known);
        known.filter_map(|(atom, known)| Some((atom, (*known)?)))
    }

    /// Returns how symmetries are broken.
    pub fn breaks(&self) -> &[Break] {
        &self.built.fixed.breaks
    }

    /// Returns whether no structure of these sizes satisfies the axioms and what initial conditions say of immutable symbols.
    pub fn is_empty(&self) -> bool {
        self.built.fixed.is_empty
    }

    /// Returns whether no structure of these sizes satisfies the axioms about immutable symbols.
    pub fn contradicts_axioms(&self) -> bool {
        self.built.fixed.contradicts_axioms
    }

    /// Returns a clause over latches as a clause over atoms: one of them has this value. It is true in a state of the
    /// system if and only if the clause is in the corresponding state of the circuit. `None` if it is about the step
    /// before the first state alone.
    pub fn clause(&self, clause: &Clause) -> Option<Vec<(Atom, bool)>> {
        let started = self.started();
        if clause.iter().any(|&(latch, value)| Some(latch) == started && value) {
            return None;
        }
        let atoms = clause.iter().filter_map(|&(latch, value)| Some((self.atom(latch)?.clone(), value)));
        Some(atoms.collect())
    }
}
