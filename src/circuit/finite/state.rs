//! States and executions of a circuit as structures.

use super::build::decoded;
use super::instance::Instance;
use super::layout::Meaning;
use super::layout::tuples;
use super::wires::{Input, LatchKind};
use crate::hwmc::Witness;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Elem, Evaluator, SortId, Structure, SymId, SymbolKind};
use ramsey_core::system::System;

/// A transition with the values of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Index into [`ramsey_core::system::System::transitions`].
    pub transition: usize,
    /// The values of its parameters, in order.
    pub args: Vec<Elem>,
}

/// An execution in terms of the system. It is not checked.
#[derive(Clone, Debug)]
pub struct Path {
    /// The states, over the system's signature.
    pub structure: Structure,
    /// The steps between them, one less than the states.
    pub steps: Vec<Step>,
}

impl Instance {
    /// Returns the structure of a state of the circuit, by its latches. Latches that are missing are false. The value of a
    /// function with no or several values is the first of them, or the first element.
    pub fn state(&self, latches: &[bool]) -> Structure {
        self.state_with(latches, &Map::default())
    }

    fn state_with(&self, latches: &[bool], choices: &Map<(SymId, Box<[Elem]>), Elem>) -> Structure {
        let sig = &self.system.sig;
        let mut bits: Vec<bool> = self.built.fixed.known.iter().map(|known| known.unwrap_or(false)).collect();
        for (kind, &value) in self.built.latches.iter().zip(latches) {
            if let LatchKind::Bit(at) = *kind {
                bits[at] = value;
            }
        }
        let mut structure = Structure::new(sig, 1);
        for sort in sig.uninterpreted_sorts() {
            structure.sizes[sort] = self.built.layout.sizes[sort];
        }
        let mut values: Map<(SymId, &[Elem]), Elem> = Map::default();
        for (atom, _) in self.built.layout.atoms.iter().zip(&bits).filter(|(_, bit)| **bit) {
            let value = values.entry((atom.sym, &atom.args)).or_insert(0);
            match atom.meaning {
                Meaning::Holds => *value = 1,
                Meaning::Is(elem) if *value == 0 => *value = elem,
                Meaning::Is(_) => {}
                Meaning::Bit(bit) => *value |= 1 << bit,
            }
        }
        for atom in &self.built.layout.atoms {
            if let Some(value) = values.remove(&(atom.sym, &*atom.args))
                && value != 0
            {
                let symbol = &sig.symbols[atom.sym];
                let value = decoded(value, self.built.layout.sizes[symbol.result]);
                structure.interpretation_mut(sig, atom.sym, 0).set(&atom.args, value);
            }
        }
        for (sym, symbol) in sig.symbols.iter_enumerated().filter(|(_, it)| it.kind == SymbolKind::Choice) {
            for args in tuples(&self.built.layout.sizes, &symbol.args) {
                if let Some(&value) = choices.get(&(sym, args.as_slice().into()))
                    && value != 0
                {
                    let value = decoded(value, self.built.layout.sizes[symbol.result]);
                    structure.interpretation_mut(sig, sym, 0).set(&args, value);
                }
            }
        }
        for definition in self.built.definitions.iter() {
            let mut interpretation = structure.interpretation(sig, definition.sym, 0).clone();
            let mut eval = Evaluator::new(self.system.syntax(), &structure);
            for args in tuples(&self.built.layout.sizes, &sig.symbols[definition.sym].args) {
                eval.env.extend(definition.vars.iter().copied().zip(args.iter().copied()));
                let value = eval.eval(definition.value);
                if value != 0 {
                    interpretation.set(&args, value);
                }
            }
            *structure.interpretation_mut(sig, definition.sym, 0) = interpretation;
        }
        structure
    }

    /// Returns the execution of the system that an execution of the circuit stands for, without steps in which no
    /// transition is taken.
    pub fn path(&self, witness: &Witness) -> Path {
        let sig = &self.system.sig;
        let in_init = self.choices_of_init();
        let mut first_choices: Map<(SymId, Box<[Elem]>), Elem> = Map::default();
        let mut path: Option<Structure> = None;
        let mut steps = Vec::new();
        for (at, (inputs, values)) in witness.inputs.iter().zip(self.circuit().run(witness)).enumerate() {
            let state = self.circuit().state(&values);
            let mut choices: Map<(SymId, Box<[Elem]>), Elem> = Map::default();
            for (input, &value) in self.built.inputs.iter().zip(inputs) {
                if let Input::Choice(sym, args, bit) = input {
                    *choices.entry((*sym, args.clone())).or_default() |= Elem::from(value) << bit;
                }
            }
            let is_started = self.started().is_none_or(|latch| state[latch]);
            let step = self.step(inputs);
            if !is_started {
                first_choices = choices;
            } else if step.is_some() || at + 1 == witness.inputs.len() {
                if path.is_none() {
                    choices.extend(first_choices.drain().filter(|((sym, _), _)| in_init.contains(sym)));
                }
                let structure = self.state_with(state, &choices);
                match &mut path {
                    Some(path) => path.push_state(sig, &structure, 0),
                    None => path = Some(structure),
                }
                if at + 1 < witness.inputs.len() {
                    steps.extend(step);
                }
            }
        }
        Path { structure: path.unwrap_or_else(|| self.state(&witness.state)), steps }
    }

    /// Returns the choices that initial conditions mention.
    fn choices_of_init(&self) -> Vec<SymId> {
        let System { sig, terms, inits, .. } = &*self.system;
        let mut found: Vec<SymId> = inits.iter().flat_map(|init| terms.symbols(init.formula)).collect();
        found.retain(|&sym| sig.symbols[sym].kind == SymbolKind::Choice);
        found
    }

    /// Returns the transition that inputs choose; `None` if there is none.
    pub fn step(&self, inputs: &[bool]) -> Option<Step> {
        let mut number = 0_usize;
        let mut params: Map<(SortId, usize), u32> = Map::default();
        for (input, _) in self.built.inputs.iter().zip(inputs).filter(|(_, value)| **value) {
            match *input {
                Input::Selector(bit) => number |= 1 << bit,
                Input::Parameter(sort, place, bit) => *params.entry((sort, place)).or_default() |= 1 << bit,
                Input::Choice(..) | Input::Next(..) => {}
            }
        }
        let transition = number.checked_sub(1)?;
        let declared = self.system.transitions.get(transition)?;
        let mut places: Map<SortId, usize> = Map::default();
        let arg = |&param| {
            let sort = self.system.terms.var_info(param).sort;
            let place = places.entry(sort).or_default();
            let bits = params.get(&(sort, *place)).copied().unwrap_or(0);
            *place += 1;
            decoded(bits, self.built.layout.sizes[sort])
        };
        Some(Step { transition, args: declared.params.iter().map(arg).collect() })
    }
}
