//! States that were shown before, and the formulas that exclude them from a search.

use super::dead_variables::dead_variables;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{SortId, Structure, SymId, SymbolKind, SyntaxMut, TermId};
use ramsey_core::system::System;
use ramsey_solver::formulas::{Canonical, Partial};

/// Which states count as the same as a known one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sameness {
    /// All states that contain it: what is true or false of its elements is so of some elements there.
    #[default]
    Containing,
    /// Those that differ from it by the names of elements only.
    Isomorphic,
}

/// A state that is not to be shown again.
#[derive(Clone, Debug)]
pub struct KnownState {
    facts: Partial,
    /// The sizes of its universes and, where it could be computed, its form; `None` if all states that contain the
    /// facts are excluded.
    whole: Option<(IdVec<SortId, u32>, Option<Canonical>)>,
}

impl KnownState {
    /// Describes the first state of a structure over the system's signature. Values of variables that nothing reads
    /// do not count.
    ///
    /// # Errors
    /// Returns the number of facts if it exceeds [`ramsey_solver::formulas::partial::MAX_FACTS`].
    pub fn new(
        system: &System,
        structure: &Structure,
        sameness: Sameness,
        budget: &mut Budget,
    ) -> Result<KnownState, u64> {
        let symbols = read_symbols(system);
        let mut facts = Partial::of_state(&system.sig, structure, 0)?;
        facts.facts.retain(|fact| fact.symbol().is_none_or(|sym| symbols.contains(&sym)));
        let whole = (sameness == Sameness::Isomorphic).then(|| {
            let form = Canonical::of_state(&system.sig, structure, 0, &symbols, budget);
            (structure.sizes.clone(), form.ok())
        });
        Ok(KnownState { facts: facts.without_implied(), whole })
    }

    /// Checks whether both are known to exclude the same states.
    pub(super) fn is_same(&self, other: &KnownState) -> bool {
        match (&self.whole, &other.whole) {
            (Some((_, Some(form))), Some((_, Some(other)))) => form == other,
            _ => false,
        }
    }

    /// Returns the formula over step 0 of the states that are not excluded. Where the state is one before the initial
    /// part, `before` has the symbols of that state.
    pub(super) fn others(&self, syntax: SyntaxMut<'_>, before: Option<&[(SymId, SymId)]>) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        let mut facts = self.facts.clone();
        if let Some(before) = before {
            facts.facts.retain_mut(|fact| fact.rewind(sig, before));
        }
        match &self.whole {
            Some((sizes, _)) => facts.other_states(sizes, terms.over_mut(sig)),
            None => facts.conjecture(terms.over_mut(sig)),
        }
    }
}

/// Returns the symbols whose values distinguish states.
fn read_symbols(system: &System) -> Vec<SymId> {
    let dead = dead_variables(system);
    let is_read = |sym: &SymId| {
        let symbol = &system.sig.symbols[*sym];
        symbol.is_declared() && symbol.kind != SymbolKind::Parameter && !dead.contains(sym)
    };
    system.sig.symbols.ids().filter(is_read).collect()
}
