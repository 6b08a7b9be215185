//! Protocols with functions, with relations in their place.
//!
//! Where the values of a function are of a sort on which a witness of its argument depends, as in "for every ballot some
//! acceptor whose greatest ballot is larger", formulas are outside of stratified EPR, and there are no lemmas with such
//! witnesses. With relations in place of the function they are inside of it. A function into a sort with a total order
//! becomes its *cut*: the values that it reaches, and those that it exceeds (compare `left_rnd` of Padon et al., Paxos Made
//! EPR, OOPSLA 2017). Any other function becomes its graph. That every argument has a value stays unsaid.
//!
//! Where a relation is compared with a bound as a whole, its *excess* becomes a relation for the same reason (`excess`).
//!
//! A structure of the system becomes one of the *relational form* in which the same formulas are true, and so does each
//! execution. What is inductive in the relational form is so in the system, where atoms of cuts and graphs are read as what
//! they stand for. The converse does not hold: an execution of the relational form says nothing.

mod build;
mod cut;
mod engine;
mod excess;
mod formulas;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use self::build::{Form, build};
use self::cut::{Order, Table};
pub(super) use self::engine::Encoded;
use self::excess::{Base, Excess, Orders};
pub(super) use self::values::Function;
use super::canonical::Canonical;
use super::claim::LemmaId;
use super::engine::{Goal, Question};
use super::exists::{Grammar, alternating, is_reached};
use super::outcome::{Answer, Inference, Lemma, Options};
use super::prover::Prover;
use super::search::Search;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Signature, SortId, SymId, Symbol, SymbolKind, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Property;
use ramsey_solver::ask::Context;

/// Work units for the question whether the axioms imply a lemma.
const IMPLIED: u64 = 1_000_000;

/// The relational form of a system.
#[derive(Debug)]
pub(super) struct Relational {
    /// Its canonical form, without the functions.
    canonical: Canonical,
    question: Question,
    /// The functions that have relations in their place.
    tables: Map<SymId, Table>,
    excesses: Vec<Excess>,
    /// The system. The relational form has its symbols and terms as well.
    original: Arc<System>,
}

impl Relational {
    /// Returns the relational form of a system with these edges between sorts; `None` if neither a function nor what is greater
    /// than a bound is in the way of witnesses.
    pub(super) fn new(goal: &Goal<'_>, edges: &Set<(SortId, SortId)>) -> Option<Arc<Relational>> {
        let functions = in_the_way(&goal.system.sig, edges);
        let exceeding = exceeding(goal, edges);
        if functions.is_empty() && exceeding.is_empty() {
            return None;
        }
        let Form { system, tables, excesses, candidates } = build(goal, &functions, exceeding)?;
        let options = Options { candidates, ..goal.options.clone() };
        let system = Arc::new(system);
        let properties = Property::safety(&system);
        let claims: Vec<TermId> = properties.iter().map(|property| property.formula(&system)).collect();
        let canonical = Canonical::new(&system, &properties, &claims, &options);
        let question = Question::new(&canonical.system);
        let original = Arc::clone(goal.system);
        Some(Arc::new(Relational { canonical, question, tables, excesses, original }))
    }

    /// Returns what is asked of the relational form.
    pub(super) fn goal(&self) -> Goal<'_> {
        self.question.goal(&self.canonical.options)
    }

    /// Checks whether relations stand for this function of the system.
    pub(super) fn replaces(&self, sym: SymId) -> bool {
        self.tables.contains_key(&sym)
    }

    /// Returns the formulas that the search has, with the sorts of the system.
    pub(super) fn grammar(&self) -> Grammar {
        let Goal { system, claims, options, .. } = self.goal();
        let grammar = Grammar::new(&Prover::new(system, options.seed, None), claims, &options.prefixes);
        grammar.renamed(self.original.sig.sorts.len(), &|sort| self.canonical.sort(sort))
    }

    /// Returns the functions that relations stand for, in terms of the canonical form.
    fn functions(&self) -> Vec<Function> {
        let sig = &self.canonical.system.sig;
        let functions = self.tables.values().filter_map(|table| {
            let sym = |sym: SymId| self.canonical.symbol_of(sym);
            let table = match *table {
                Table::Cut { order, reaches, exceeds, is } => {
                    let order = Order { sym: sym(order.sym)?, ..order };
                    Table::Cut { order, reaches: sym(reaches)?, exceeds: sym(exceeds)?, is: sym(is)? }
                }
                Table::Graph(is) => Table::Graph(sym(is)?),
            };
            Function::new(sig, table)
        });
        let mut functions: Vec<Function> = functions.collect();
        functions.sort_unstable_by_key(Function::relation);
        functions
    }

    /// Returns lemmas of a search in the relational form as formulas of the system, which has these among its terms.
    pub(super) fn formulas(&self, search: &Search, lemmas: &[LemmaId]) -> (System, Vec<TermId>) {
        let (form, formulas) = search.formulas(&self.question.system, lemmas);
        self.read(&form, &formulas)
    }

    /// Returns what transitions of the relational form suggest, likewise.
    pub(super) fn suggested(&self) -> (System, Vec<TermId>) {
        self.read(&self.question.system, &self.question.suggested.formulas.concat().concat())
    }

    /// Returns formulas of an extension of the relational form as formulas of the system, which has these among its terms.
    fn read(&self, form: &System, formulas: &[TermId]) -> (System, Vec<TermId>) {
        let mut encoded = self.canonical.extension();
        let read = |&formula| {
            let encoded_formula = self.canonical.formula(&form.terms, formula, &mut encoded);
            cut::read((&self.tables, &self.excesses), encoded.syntax_mut(), encoded_formula)
        };
        let formulas = formulas.iter().map(read).collect();
        (System { terms: encoded.terms, ..(*self.original).clone() }, formulas)
    }

    /// Returns an invariant of the relational form as one of the system. Lemmas that follow from the axioms are left out.
    pub(super) fn inference(&self, found: Inference) -> Inference {
        let found = self.canonical.inference(found);
        let Answer::Invariant(lemmas) = found.answer else { return found };
        let mut system = (*self.original).clone();
        system.terms = found.system.terms.clone();
        let read = |Lemma { name, formula, .. }: Lemma| {
            let formula = cut::read((&self.tables, &self.excesses), system.syntax_mut(), formula);
            Lemma { name, formula, excluded: None }
        };
        let mut lemmas: Vec<Lemma> = lemmas.into_iter().map(read).collect();
        lemmas.retain(|lemma| !self.is_implied(&system, lemma));
        Inference { answer: Answer::Invariant(lemmas), system: Arc::new(system), ..found }
    }

    /// Checks whether the axioms are known to imply a lemma.
    fn is_implied(&self, system: &System, lemma: &Lemma) -> bool {
        let mut budget = Budget::new(Some(IMPLIED), None);
        let mut context =
            Context::new(system.sig.clone(), system.terms.clone(), self.canonical.options.seed, None);
        system.axioms.iter().for_each(|axiom| context.assume(axiom.formula, &mut budget));
        let negated = context.terms_mut().not(lemma.formula);
        context.pose(&[negated], &mut budget);
        context.search(&[], &mut budget) == Ok(false)
    }
}

/// Returns the functions whose values are of a sort on which witnesses of their arguments depend, or may depend once lemmas
/// have witnesses.
fn in_the_way(sig: &Signature, edges: &Set<(SortId, SortId)>) -> Vec<SymId> {
    let alternating = alternating(sig, edges);
    let is_function = |symbol: &Symbol| {
        !symbol.args.is_empty()
            && !symbol.is_relation()
            && matches!(symbol.kind, SymbolKind::Mutable | SymbolKind::Immutable)
    };
    let is_in_the_way = |symbol: &Symbol| {
        let is_changed = symbol.kind == SymbolKind::Mutable;
        symbol
            .args
            .iter()
            .any(|&arg| is_reached(edges, symbol.result, arg) || is_changed && alternating.contains(&arg))
    };
    let symbols = sig.symbols.iter_enumerated();
    symbols.filter(|(_, it)| is_function(it) && is_in_the_way(it)).map(|(sym, _)| sym).collect()
}

/// Returns the relations whose excess the system speaks of, where what is greater than the bound is in the way as a value of a
/// function would be.
fn exceeding(goal: &Goal<'_>, edges: &Set<(SortId, SortId)>) -> Vec<Base> {
    let sig = &goal.system.sig;
    let alternating = alternating(sig, edges);
    let mut exceeding = Orders::new(goal.system, goal.options.seed).exceeding();
    exceeding.retain(|base| {
        let bound = base.bound(sig);
        base.others(sig).iter().any(|&arg| is_reached(edges, bound, arg) || alternating.contains(&arg))
    });
    exceeding
}
