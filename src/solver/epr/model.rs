//! Conversion of the last candidate into a structure over the signature.

use super::candidate::Candidate;
use super::solver::Solver;
use super::table::Table;
use ramsey_core::logic::{Interpretation, Structure};

impl Solver {
    /// Returns the structure found by the last answer `Sat`, with `states` states.
    pub fn structure(&self, states: u16) -> Structure {
        let candidate: &Candidate = &self.candidate;
        let mut structure = Structure::new(&self.sig, usize::from(states.max(1)));
        for sort in self.sig.uninterpreted_sorts() {
            structure.sizes[sort] = candidate.size(sort).max(1) as u32;
        }
        for (sym, symbol) in self.sig.symbols.iter_enumerated() {
            let steps = if symbol.kind.is_mutable() { states.max(1) } else { 1 };
            for step in 0..steps {
                let table = if symbol.is_relation() {
                    self.symbols.known_rel(sym, step).and_then(|rel| candidate.rels.get(rel))
                } else {
                    self.symbols.known_fun(sym, step).and_then(|fun| candidate.funs.get(fun))
                };
                if let Some(table) = table {
                    *structure.interpretation_mut(&self.sig, sym, step.into()) = interpretation(table);
                }
            }
        }
        structure
    }
}

fn interpretation(table: &Table) -> Interpretation {
    let mut interpretation = Interpretation::default();
    for index in 0..table.len() {
        interpretation.set(table.tuple(index), table.value(index));
    }
    interpretation
}
