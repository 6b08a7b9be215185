//! The clauses that are tried, from few to many.
//!
//! A clause that is true in all states seen may be true by chance, and the more so the larger it is. In a language with
//! few variables and literals there are few such clauses, each of which is refuted at most once. A state that no clause
//! of the language excludes is allowed by every invariant in it, and so is the state after a step from there: it
//! refutes the lemmas that are false in it. If it violates a property, no invariant in the language proves the property,
//! and the next language is tried.

use std::collections::VecDeque;

use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Node, TermId};
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

/// Returns the number of variables of each sort, by its index, that one of the properties has in prenex form; at least one,
/// and two where elements of the sort are compared. A formula that occurs twice has its variables twice, whatever they are
/// called.
pub(super) fn variables(system: &System, properties: &[TermId]) -> Vec<u32> {
    let mut counter = Counter { system, memo: Map::default() };
    let mut least = vec![1; system.sig.sorts.len()];
    for symbol in system.sig.symbols.iter().filter(|symbol| symbol.is_relation() && !symbol.kind.is_mutable())
    {
        if let [sort, other] = symbol.args[..]
            && sort == other
        {
            least[sort.index()] = 2;
        }
    }
    for &property in properties {
        let Prenex { universal, existential } = counter.prenex(property);
        let both = universal.iter().zip(&existential).map(|(a, b)| a.saturating_add(*b));
        least.iter_mut().zip(both).for_each(|(least, own)| *least = own.max(*least));
    }
    least
}

/// The numbers of variables of a formula in prenex form, by the index of the sort.
#[derive(Clone)]
struct Prenex {
    universal: Vec<u32>,
    existential: Vec<u32>,
}

/// Counts variables of formulas. The canonical form of a system has its properties in negation normal form.
struct Counter<'a> {
    system: &'a System,
    memo: Map<TermId, Prenex>,
}

impl Counter<'_> {
    /// Universal quantifiers of conjuncts can share their variables, as can existential ones of disjuncts.
    fn prenex(&mut self, formula: TermId) -> Prenex {
        let terms = &self.system.terms;
        let none = || vec![0; self.system.sig.sorts.len()];
        if !terms.has_vars(formula) {
            return Prenex { universal: none(), existential: none() };
        }
        if let Some(known) = self.memo.get(&formula) {
            return known.clone();
        }
        let mut result = Prenex { universal: none(), existential: none() };
        let add = |to: &mut Vec<u32>, from: &[u32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = to.saturating_add(*from));
        };
        let share = |to: &mut Vec<u32>, from: &[u32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).max(*from));
        };
        match terms.node(formula) {
            Node::And(args) | Node::Or(args) => {
                let is_conjunction = matches!(terms.node(formula), Node::And(_));
                for &part in terms.args(args) {
                    let part = self.prenex(part);
                    if is_conjunction {
                        share(&mut result.universal, &part.universal);
                        add(&mut result.existential, &part.existential);
                    } else {
                        add(&mut result.universal, &part.universal);
                        share(&mut result.existential, &part.existential);
                    }
                }
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                result = self.prenex(body);
                let is_universal = matches!(terms.node(formula), Node::Forall(..));
                let own = if is_universal { &mut result.universal } else { &mut result.existential };
                terms.bound_vars(vars).for_each(|var| own[terms.var_info(var).sort.index()] += 1);
            }
            // Formulas that are too large for the normal form.
            _ => {
                for part in terms.children(formula) {
                    let part = self.prenex(part);
                    add(&mut result.universal, &part.universal);
                    add(&mut result.existential, &part.existential);
                }
            }
        }
        self.memo.insert(formula, result.clone());
        result
    }
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
