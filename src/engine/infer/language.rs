//! The clauses that are tried, from few to many.
//!
//! A clause that is true in all states seen may be true by chance, and the more so the larger it is. In a language with
//! few variables and literals there are few such clauses, each of which is refuted at most once. A state that no clause
//! of the language excludes is allowed by every invariant in it, and so is the state after a step from there: it
//! refutes the lemmas that are false in it. If it violates a property, no invariant in the language proves the property,
//! and the next language is tried.

use std::collections::VecDeque;

use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;

/// Per language, the number of variables of each sort beyond those that a property or a value of a function
/// has, and the number of literals.
const LANGUAGES: [(u32, usize); 9] = [(0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5), (1, 6), (2, 6), (2, 8)];

/// A set of clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Language {
    /// Maximum number of variables, by the index of the sort.
    pub(super) variables: Vec<u32>,
    /// Maximum number of literals.
    pub(super) literals: usize,
}

/// Returns the number of variables of each sort, by its index, that one of the properties has; at least one.
pub(super) fn variables(system: &System, properties: &[TermId]) -> Vec<u32> {
    let mut least = vec![1; system.sig.sorts.len()];
    for &property in properties {
        let mut own = vec![0; least.len()];
        for var in system.terms.bound_below(property) {
            own[system.terms.var_info(var).sort.index()] += 1;
        }
        least.iter_mut().zip(own).for_each(|(least, own)| *least = own.max(*least));
    }
    least
}

/// Returns the languages to be tried for properties. The last one is followed by all clauses.
pub(super) fn languages(system: &System, properties: &[TermId]) -> VecDeque<Language> {
    let mut least = variables(system, properties);
    // The values of functions are variables of a clause as well.
    let mut values = vec![0; least.len()];
    for symbol in system.sig.symbols.iter().filter(|symbol| symbol.is_declared() && !symbol.args.is_empty()) {
        if !symbol.is_relation() {
            values[symbol.result.index()] = 1;
        }
    }
    least.iter_mut().zip(values).for_each(|(least, value)| *least += value);
    let language = |&(more, literals): &(u32, usize)| Language {
        variables: least.iter().map(|least| least + more).collect(),
        literals,
    };
    LANGUAGES.iter().map(language).collect()
}
