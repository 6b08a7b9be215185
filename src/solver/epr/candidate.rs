//! Candidate structure: its elements are the congruence classes of the relevant terms, its relations contain the
//! relevant true atoms, and everything else has default values. Those of some relations may be true.

use super::atoms::{AtomKind, Atoms};
use super::bank::{Bank, Head, Pattern};
use super::congruence::Congruence;
use super::settled::Print;
use super::symbols::{Fun, Rel, Symbols};
use super::table::Table;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Elem, SortId};

use crate::sat::Lit;

/// A finite structure. Relations default to false unless told otherwise, functions to the first element of their sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidate {
    /// By sort, the simplest term of each element; empty if the elements are not classes of terms.
    pub(crate) elements: IdVec<SortId, Vec<Pattern>>,
    /// By sort, its number of elements.
    sizes: IdVec<SortId, u32>,
    /// By term, its element; meaningful for relevant terms only.
    element_of: Vec<Elem>,
    pub(crate) rels: IdVec<Rel, Table>,
    pub(crate) funs: IdVec<Fun, Table>,
    /// By relation, whether its table has tuples.
    pub(crate) has_tuples: IdVec<Rel, bool>,
    /// By relation, whether it is true by default. The tuples in its table are those where it is not the default.
    is_full: IdVec<Rel, bool>,
    /// The relations that are true by default.
    full: Vec<Rel>,
    /// Prints of the contents of relations, functions and universes, over the terms of elements.
    prints: Prints,
    rels_used: Vec<Rel>,
    funs_used: Vec<Fun>,
}

#[derive(Clone, Debug, Default)]
struct Prints {
    rels: IdVec<Rel, Print>,
    funs: IdVec<Fun, Print>,
    sorts: IdVec<SortId, Print>,
}

/// Value of the tuples in the table of a relation.
const LISTED: Elem = 1;

impl Candidate {
    /// Begins a structure in which the relations in `full` are true by default.
    pub(crate) fn begin(&mut self, symbols: &Symbols, sorts: usize, full: impl Iterator<Item = Rel>) {
        self.clear(symbols, sorts);
        self.full.extend(full);
        for &rel in &self.full {
            self.is_full[rel] = true;
        }
    }

    /// Builds the structure of the relevant literals, which must have begun. `congruence` must be closed and free of conflicts.
    pub(crate) fn build(&mut self, bank: &Bank, atoms: &Atoms, congruence: &Congruence, relevant: &[Lit]) {
        if self.element_of.len() < bank.len() {
            self.element_of.resize(bank.len(), 0);
        }
        for &term in congruence.relevant() {
            if congruence.find(term) == term {
                let sort = bank.sort(term);
                self.prints.sorts[sort].add(Print::default().then(term.index()));
                let elements = &mut self.elements[sort];
                self.element_of[term.index()] = elements.len() as Elem;
                elements.push(term);
            }
        }
        for (size, elements) in self.sizes.iter_mut().zip(self.elements.iter()) {
            *size = elements.len() as u32;
        }
        let mut tuple: Vec<Elem> = Vec::new();
        for &term in congruence.relevant() {
            let root = congruence.find(term);
            self.element_of[term.index()] = self.element_of[root.index()];
        }
        // Applications to roots go first. If functions are arbitrary choices, the values of these applications take
        // precedence, because instances are made of roots.
        for to_roots in [true, false] {
            if !to_roots && !congruence.skolems_are_choices {
                break;
            }
            for &term in congruence.relevant() {
                let Head::Fun(fun) = bank.head(term) else { continue };
                let args = bank.args(term);
                let is_to_roots =
                    !congruence.skolems_are_choices || args.iter().all(|&arg| congruence.find(arg) == arg);
                if is_to_roots != to_roots {
                    continue;
                }
                tuple.clear();
                tuple.extend(args.iter().map(|&arg| self.element_of[arg.index()]));
                if self.set_value(fun, &tuple, self.element_of[term.index()]) {
                    let print = print_of(congruence, args).then(congruence.find(term).index());
                    self.prints.funs[fun].add(print);
                }
            }
        }
        for &lit in relevant {
            let AtomKind::Rel(rel) = atoms.kind(lit.var()) else { continue };
            if self.is_full[rel] != lit.is_negative() {
                continue;
            }
            tuple.clear();
            let args = atoms.args(lit.var());
            tuple.extend(args.iter().map(|&arg| self.element_of[arg.index()]));
            if self.list(rel, &tuple) {
                self.prints.rels[rel].add(print_of(congruence, args));
            }
        }
        self.finish();
    }

    fn clear(&mut self, symbols: &Symbols, sorts: usize) {
        self.elements.grow_to(sorts, Vec::new);
        for elements in self.elements.iter_mut() {
            elements.clear();
        }
        self.sizes.grow_to(sorts, || 0);
        for rel in self.rels_used.drain(..) {
            self.rels[rel].reset(0);
            self.has_tuples[rel] = false;
            self.prints.rels[rel] = Print::default();
        }
        for rel in self.full.drain(..) {
            self.is_full[rel] = false;
        }
        for fun in self.funs_used.drain(..) {
            self.funs[fun].reset(0);
            self.prints.funs[fun] = Print::default();
        }
        for print in self.prints.sorts.iter_mut() {
            *print = Print::default();
        }
        self.prints.sorts.grow_to(sorts, Print::default);
        self.prints.rels.grow_to(symbols.rels, Print::default);
        self.prints.funs.grow_to(symbols.funs.len(), Print::default);
        self.rels.grow_to(symbols.rels, Table::default);
        self.has_tuples.grow_to(symbols.rels, || false);
        self.is_full.grow_to(symbols.rels, || false);
        self.funs.grow_to(symbols.funs.len(), Table::default);
    }

    /// Starts a structure with universes of these sizes and empty relations.
    pub(crate) fn start(&mut self, symbols: &Symbols, sizes: &IdVec<SortId, u32>) {
        self.clear(symbols, sizes.len());
        for sort in sizes.ids() {
            self.sizes[sort] = sizes[sort];
        }
    }

    /// Adds a tuple at which a relation does not have its default. Returns whether it is new.
    fn list(&mut self, rel: Rel, tuple: &[Elem]) -> bool {
        if self.rels[rel].len() == 0 {
            self.rels_used.push(rel);
            self.has_tuples[rel] = true;
            self.rels[rel].reset(tuple.len());
        }
        self.rels[rel].insert(tuple, LISTED)
    }

    /// Sets the value of a function at a tuple, unless it has one. Returns whether it had none.
    fn set_value(&mut self, fun: Fun, tuple: &[Elem], value: Elem) -> bool {
        if self.funs[fun].len() == 0 {
            self.funs_used.push(fun);
            self.funs[fun].reset(tuple.len());
        }
        self.funs[fun].insert(tuple, value)
    }

    /// Adds a tuple of elements that are not classes of terms to a relation. Its print is over the elements themselves.
    pub(crate) fn list_elements(&mut self, rel: Rel, tuple: &[Elem]) {
        if self.list(rel, tuple) {
            self.prints.rels[rel].add(print_of_elements(tuple));
        }
    }

    /// Sets the value of a function at a tuple of elements that are not classes of terms, where it has none.
    pub(crate) fn set_element(&mut self, fun: Fun, tuple: &[Elem], value: Elem) {
        if self.set_value(fun, tuple, value) {
            self.prints.funs[fun].add(print_of_elements(tuple).then(value as usize));
        }
    }

    /// Completes the structure; its relations can be searched afterwards.
    pub(crate) fn finish(&mut self) {
        for &rel in &self.rels_used {
            self.rels[rel].build_columns();
        }
    }

    /// Returns the element denoted by a relevant term.
    pub(crate) fn element(&self, term: Pattern) -> Elem {
        self.element_of[term.index()]
    }

    /// Returns the value of any ground term. If `default` is true, undefined applications have the default value.
    pub(crate) fn value(
        &self,
        bank: &Bank,
        congruence: &Congruence,
        term: Pattern,
        default: bool,
    ) -> Option<Elem> {
        if congruence.contains(term) {
            return Some(self.element(term));
        }
        let Head::Fun(fun) = bank.head(term) else { return None };
        let mut args: smallvec::SmallVec<[Elem; 4]> = smallvec::SmallVec::new();
        for &arg in bank.args(term) {
            args.push(self.value(bank, congruence, arg, default)?);
        }
        self.funs[fun].get(&args).or(default.then_some(0))
    }

    /// Returns the number of true tuples of all relations.
    pub(crate) fn count_tuples(&self) -> usize {
        self.rels_used.iter().map(|&rel| self.rels[rel].len()).sum()
    }

    /// Returns the simplest term of an element. There is none for the default value of functions in a sort without elements.
    pub(crate) fn term(&self, sort: SortId, element: Elem) -> Option<Pattern> {
        self.elements[sort].get(element as usize).copied()
    }

    pub(crate) fn relation_print(&self, rel: Rel) -> Print {
        let print = self.prints.rels[rel];
        if self.is_full[rel] { print.then(0) } else { print }
    }

    /// Checks whether a relation is true by default.
    pub(crate) fn is_full(&self, rel: Rel) -> bool {
        self.is_full[rel]
    }

    pub(crate) fn function_print(&self, fun: Fun) -> Print {
        self.prints.funs[fun]
    }

    pub(crate) fn universe_print(&self, sort: SortId) -> Print {
        self.prints.sorts[sort]
    }

    pub(crate) fn size(&self, sort: SortId) -> usize {
        self.sizes.get(sort).map_or(0, |&size| size as usize)
    }
}

/// Returns the print of the elements of some terms.
fn print_of(congruence: &Congruence, terms: &[Pattern]) -> Print {
    terms
        .iter()
        .fold(Print::default().then(terms.len()), |print, &term| print.then(congruence.find(term).index()))
}

fn print_of_elements(tuple: &[Elem]) -> Print {
    tuple.iter().fold(Print::default().then(tuple.len()), |print, &elem| print.then(elem as usize))
}
