//! Formulas with terms in the place of others, and properties for all values of their choices.

use ramsey_core::base::hash::Map;
use ramsey_core::logic::{SymId, SymbolKind, TermId, Terms};
use ramsey_core::system::System;

/// Maximum number of instances of a property for the values of its choices.
const MAX_INSTANCES: usize = 256;

/// Returns the formula of a property for all values of the choices without arguments in it, or `None` if these are too many. Choices
/// with arguments stay in it: where it is assumed, it is so for one of their values, which is less than it could be.
pub(super) fn for_all_choices(system: &System, terms: &mut Terms, formula: TermId) -> Option<TermId> {
    let mut choices: Vec<SymId> = terms.symbols(formula).into_iter().collect();
    choices.retain(|&sym| {
        let symbol = &system.sig.symbols[sym];
        symbol.kind == SymbolKind::Choice && symbol.args.is_empty()
    });
    choices.sort_unstable();
    let mut formulas = vec![formula];
    for sym in choices {
        let choice = terms.app(&system.sig, sym, 0, &[]);
        let values = [terms.tru(), terms.fals()];
        let both = formulas.iter().flat_map(|&formula| values.map(|value| (formula, value)));
        let both: Vec<(TermId, TermId)> = both.collect();
        formulas = Vec::new();
        for (formula, value) in both {
            let instance = replace(terms, formula, choice, value, &mut Map::default());
            if !formulas.contains(&instance) {
                formulas.push(instance);
            }
        }
        if formulas.len() > MAX_INSTANCES {
            return None;
        }
    }
    Some(terms.and(&formulas))
}

/// Replaces a subterm.
pub(super) fn replace(
    terms: &mut Terms,
    term: TermId,
    from: TermId,
    to: TermId,
    memo: &mut Map<TermId, TermId>,
) -> TermId {
    if term == from {
        return to;
    }
    if let Some(&done) = memo.get(&term) {
        return done;
    }
    let children: Vec<TermId> = terms.children(term).collect();
    let children: Vec<TermId> =
        children.into_iter().map(|child| replace(terms, child, from, to, memo)).collect();
    let result = terms.rebuild(term, &children);
    memo.insert(term, result);
    result
}
