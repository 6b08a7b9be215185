//! Default measures for the minimization of structures.

use crate::epr::Measures;
use ramsey_core::logic::{Signature, SymId, Symbol};

/// Returns the tuples of relations, state by state, as measures; relations annotated `no_minimize` are left out.
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
