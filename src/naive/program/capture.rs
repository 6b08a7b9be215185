//! Steps that give names to the values that they read.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::meaning::System;
use super::steps::{Section, Step};
use super::term::{Term, What, applied, is_same, node, operator};

/// How many names a part may get.
const MAX_NAMES: usize = 1_000;

impl System<'_> {
    /// Returns a part of a program with a name for each term that a change reads and that mentions what changes in the part, if
    /// the term has neither quantifiers nor variables of the changed symbol. It is assumed that the name has its value.
    pub(super) fn captured(&mut self, section: &Section) -> Section {
        let mut changed = BTreeSet::new();
        collect_changed(&section.steps, &mut changed);
        let mut named =
            Section { params: section.params.clone(), names: section.names.clone(), ..Section::default() };
        named.steps = self.with_names(&section.steps, &changed, &mut named);
        named
    }

    fn with_names(&mut self, steps: &[Step], changed: &BTreeSet<usize>, section: &mut Section) -> Vec<Step> {
        let mut named = Vec::new();
        for step in steps {
            let step = match step {
                Step::Set(symbol, value) => {
                    let mut known = Vec::new();
                    let value = self.with_named_parts(value, *symbol, changed, section, &mut known);
                    let equation = |(term, name): (Term, Term)| Step::Assume(operator("=", vec![name, term]));
                    named.extend(known.into_iter().map(equation));
                    Step::Set(*symbol, value)
                }
                Step::If(condition, a, b) => {
                    let [a, b] = [a, b].map(|side| self.with_names(side, changed, section));
                    Step::If(Rc::clone(condition), a, b)
                }
                Step::Choice(bits, branches) => {
                    let branches = branches.iter().map(|it| self.with_names(it, changed, section));
                    Step::Choice(bits.clone(), branches.collect())
                }
                Step::Assume(formula) => Step::Assume(Rc::clone(formula)),
                Step::Assert(formula, at) => Step::Assert(Rc::clone(formula), *at),
            };
            named.push(step);
        }
        named
    }

    /// Returns a value of a symbol with names for what it reads. `known` has the terms with names.
    fn with_named_parts(
        &mut self,
        term: &Term,
        symbol: usize,
        changed: &BTreeSet<usize>,
        section: &mut Section,
        known: &mut Vec<(Term, Term)>,
    ) -> Term {
        let is_read = |what: &What| matches!(what, What::Symbol(symbol) if changed.contains(symbol));
        if section.named == MAX_NAMES || matches!(term.what, What::Block(..)) || !term.has(&is_read) {
            return Rc::clone(term);
        }
        let heads = &self.heads[symbol];
        let is_loose = |what: &What| match what {
            What::Block(..) => true,
            What::Variable(var) => heads.contains(var),
            _ => false,
        };
        if term.has(&is_loose) {
            let parts = term.parts.iter();
            let parts = parts.map(|it| self.with_named_parts(it, symbol, changed, section, known)).collect();
            return node(term.what.clone(), parts);
        }
        if let Some((_, name)) = known.iter().find(|(other, _)| is_same(other, term, &mut Vec::new())) {
            return Rc::clone(name);
        }
        section.named += 1;
        let name = match self.sort_of(term) {
            None => applied(self.bit("value"), Vec::new()),
            sort => self.param("value", sort, section),
        };
        known.push((Rc::clone(term), Rc::clone(&name)));
        name
    }

    /// Returns the sort of a term, or none of a formula.
    fn sort_of(&self, term: &Term) -> Option<usize> {
        match &term.what {
            What::Variable(var) => self.sorts[*var],
            What::Symbol(symbol) => self.model.symbols[*symbol].result,
            What::Operator("if") => self.sort_of(&term.parts[1]),
            _ => None,
        }
    }
}

fn collect_changed(steps: &[Step], changed: &mut BTreeSet<usize>) {
    for step in steps {
        match step {
            Step::Set(symbol, _) => _ = changed.insert(*symbol),
            Step::If(_, a, b) => [a, b].into_iter().for_each(|it| collect_changed(it, changed)),
            Step::Choice(_, branches) => branches.iter().for_each(|it| collect_changed(it, changed)),
            Step::Assume(_) | Step::Assert(..) => {}
        }
    }
}
