//! Values of functions in structures of the relational form.

use super::cut::Table;
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId};

/// A function that relations stand for, in terms of the canonical form.
#[derive(Debug)]
pub(in crate::infer) struct Function {
    /// The sort of its values.
    pub(in crate::infer) value: SortId,
    table: Table,
}

impl Function {
    /// Returns the function that relations of the canonical form stand for.
    pub(super) fn new(sig: &Signature, table: Table) -> Option<Function> {
        let value = *sig.symbols[table.is()].args.last()?;
        Some(Function { value, table })
    }

    /// Returns the relation between its arguments and its value.
    pub(super) fn relation(&self) -> SymId {
        self.table.is()
    }

    /// Returns the arguments for which the first state has no value.
    pub(in crate::infer) fn without_value(&self, sig: &Signature, structure: &Structure) -> Vec<Vec<Elem>> {
        let is = self.table.is();
        let values = structure.interpretation(sig, is, 0);
        let Some((&value, args)) = sig.symbols[is].args.split_last() else { return Vec::new() };
        let has_value = |args: &Vec<Elem>| {
            (0..structure.sizes[value]).any(|value| {
                let places: Vec<Elem> = args.iter().copied().chain([value]).collect();
                values.get(&places) != 0
            })
        };
        structure.tuples(args).map(|args| args.to_vec()).filter(|args| !has_value(args)).collect()
    }

    /// Gives the function a value in the first state.
    pub(in crate::infer) fn give(
        &self,
        sig: &Signature,
        structure: &mut Structure,
        args: &[Elem],
        value: Elem,
    ) {
        for other in 0..structure.sizes[self.value] {
            let places: Vec<Elem> = args.iter().copied().chain([other]).collect();
            let mut facts = vec![(self.table.is(), other == value)];
            match self.table {
                Table::Cut { order, reaches, exceeds, .. } => {
                    let before =
                        |a: Elem, b: Elem| structure.interpretation(sig, order.sym, 0).get(&[a, b]) != 0;
                    let at_most = if order.is_strict { !before(value, other) } else { before(other, value) };
                    let less = if order.is_strict { before(other, value) } else { !before(value, other) };
                    facts.extend([(reaches, at_most), (exceeds, less)]);
                }
                Table::Graph(_) => {}
            }
            for (relation, is_true) in facts {
                structure.interpretation_mut(sig, relation, 0).set(&places, Elem::from(is_true));
            }
        }
    }
}
