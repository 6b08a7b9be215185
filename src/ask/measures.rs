//! What makes a structure small.

use crate::epr::Measures;
use crate::logic::{Signature, SymId, Symbol};

/// Tuples of relations, state by state, without what the model says not to minimize.
pub fn measures(sig: &Signature, states: u16) -> Measures {
    let relations = |mutable: bool| {
        let wanted = move |&(_, symbol): &(SymId, &Symbol)| {
            symbol.is_relation()
                && !symbol.args.is_empty()
                && !symbol.has_annotation("no_minimize")
                && symbol.kind.is_mutable() == mutable
        };
        sig.symbols.iter_enumerated().filter(wanted).map(|(sym, _)| sym)
    };
    let mut measures = Measures::default();
    measures.relations.extend(relations(false).map(|sym| (sym, 0)));
    for step in 0..states {
        measures.relations.extend(relations(true).map(|sym| (sym, step)));
    }
    measures
}
