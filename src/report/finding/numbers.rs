//! Numbers that tell claims without a name apart that are equal.

use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Span;
use ramsey_core::logic::{SymId, TermId, Terms};
use ramsey_core::system::System;

/// For each invariant and theorem without a name, the number of equal ones before it. Many obligations are about one claim, so this
/// is counted once for all of them. By default there are none, which suffices for other claims.
#[derive(Default, Debug)]
pub struct Numbers {
    invariants: Map<(Span, TermId), usize>,
    theorems: Map<(Span, TermId), usize>,
}

impl Numbers {
    /// Counts the equal claims of a system.
    pub fn new(system: &System) -> Numbers {
        let invariants = system.invariants.iter().filter(|it| it.name.is_none());
        let invariants = invariants.map(|it| (it.is_safety, it.span, it.formula));
        let theorems = system.theorems.iter().filter(|it| it.name.is_none());
        let theorems = theorems.map(|it| (false, it.span, it.formula));
        Numbers { invariants: counted(&system.terms, invariants), theorems: counted(&system.terms, theorems) }
    }

    /// Returns the number of equal invariants of the same kind before this one.
    pub(super) fn of_invariant(&self, span: Span, formula: TermId) -> usize {
        self.invariants.get(&(span, formula)).copied().unwrap_or_default()
    }

    /// Returns the number of equal theorems before this one.
    pub(super) fn of_theorem(&self, span: Span, formula: TermId) -> usize {
        self.theorems.get(&(span, formula)).copied().unwrap_or_default()
    }
}

/// What equal formulas of a kind have in common. Few others have it, too.
type Look = (bool, u32, Vec<SymId>);

/// Numbers formulas that are equal up to the names of bound variables, for each kind.
fn counted(terms: &Terms, claims: impl Iterator<Item = (bool, Span, TermId)>) -> Map<(Span, TermId), usize> {
    let mut groups: Map<Look, Vec<(TermId, usize)>> = Map::default();
    let mut numbers = Map::default();
    for (kind, span, formula) in claims {
        let mut symbols: Vec<SymId> = terms.symbols(formula).into_iter().collect();
        symbols.sort_unstable();
        let group = groups.entry((kind, terms.tree_size(formula), symbols)).or_default();
        let known = group.iter_mut().find(|(known, _)| terms.alpha_equal(*known, formula));
        let number = match known {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                group.push((formula, 0));
                0
            }
        };
        numbers.entry((span, formula)).or_insert(number);
    }
    numbers
}
