//! From the canonical form back to the system as it was given: answers, executions, events.

use std::sync::Arc;

use super::Canonical;
use super::translate::{Order, Translator};
use crate::infer::executions::confirmed;
use crate::infer::outcome::{
    Answer, Counts, Event, Inference, Language, Lemma, Observer, Open, QuantifierPrefix, Reason,
    RelaxedExecution,
};
use crate::query::canonical::Renaming;
use crate::query::{Call, Counterexample};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Signature, SortId, SymId, Syntax, TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Property, Relaxed};
use ramsey_solver::ask::{Failure, blame};
use ramsey_solver::formulas::{Fact, Partial};

impl Canonical {
    /// Returns what was found of the canonical form as what is found of the original.
    pub(in crate::infer) fn inference(&self, found: Inference) -> Inference {
        let mut system = self.extension();
        let canonical = found.system;
        let answer = match found.answer {
            Answer::Invariant(lemmas) => Answer::Invariant(self.lemmas(&canonical, lemmas, &mut system)),
            Answer::Unsafe(property, it) => self.violation(&canonical, property, &it),
            Answer::NoUniversal(it) => match self.relaxed(&it) {
                Ok(it) => Answer::NoUniversal(it),
                Err(failure) => internal(failure),
            },
            Answer::Unknown { reason, lemmas, open } => {
                let lemmas = self.lemmas(&canonical, lemmas, &mut system);
                let open = open.into_iter().map(|it| self.open(&canonical, it, &mut system)).collect();
                Answer::Unknown { reason, lemmas, open }
            }
            answer @ Answer::InternalError(_) => answer,
        };
        let no_universal = found.no_universal.and_then(|it| self.relaxed(&it).ok());
        let languages = self.languages(found.languages);
        Inference { answer, no_universal, languages, system: Arc::new(system), ..found }
    }

    /// Returns languages in terms of the original.
    pub(in crate::infer) fn languages(&self, languages: Vec<Language>) -> Vec<Language> {
        let sorts = |sorts: Vec<SortId>| -> Vec<SortId> {
            let mut sorts: Vec<SortId> = sorts.into_iter().map(|sort| self.sort(sort)).collect();
            sorts.sort_unstable();
            sorts
        };
        let prefix = |QuantifierPrefix { outer, witnesses, inner }| QuantifierPrefix {
            outer: sorts(outer),
            witnesses: sorts(witnesses),
            inner: sorts(inner),
        };
        let language = |it: Language| Language {
            variables: it.variables.map(|variables| self.by_sort(variables.iter().copied(), 0)),
            prefixes: it.prefixes.into_iter().map(prefix).collect(),
            ..it
        };
        languages.into_iter().map(language).collect()
    }

    /// Returns the original, to which terms may be added.
    pub(in crate::infer) fn extension(&self) -> System {
        (*self.original).clone()
    }

    fn lemmas(&self, canonical: &System, lemmas: Vec<Lemma>, system: &mut System) -> Vec<Lemma> {
        let lemma = |Lemma { name, formula, excluded }| {
            let formula = self.formula(&canonical.terms, formula, system);
            let excluded = excluded.and_then(|it: Partial| self.partial(it));
            Lemma { name, formula, excluded }
        };
        lemmas.into_iter().map(lemma).collect()
    }

    /// Returns a closed formula of the canonical form, in these terms, in those of an extension of the original.
    pub(in crate::infer) fn formula(
        &self,
        canonical: &Terms,
        formula: TermId,
        system: &mut System,
    ) -> TermId {
        // A candidate comes back as it was given.
        if let Some(&candidate) = self.candidates.get(&formula) {
            return candidate;
        }
        let System { sig, terms, .. } = system;
        let mut translator = Translator::new(canonical, &self.names, sig, Order::Declared);
        let symbols = canonical.symbols(formula);
        let witnesses = self.witnesses.iter().filter(|it| it.are_among(&symbols));
        let told: Vec<_> = witnesses.map(|it| it.told(terms, &mut translator.values)).collect();
        let formula = translator.term(terms, formula);
        told.into_iter().rev().fold(formula, |formula, (vars, known)| {
            let implied = terms.implies(known, formula);
            terms.forall(&vars, implied)
        })
    }

    /// Returns the number of a transition in the original.
    pub(in crate::infer) fn transition(&self, canonical: usize) -> usize {
        self.transitions[canonical].0
    }

    /// Returns the number of a property or lemma in the original order.
    pub(in crate::infer) fn number(&self, canonical: usize) -> usize {
        self.numbers.get(canonical).copied().unwrap_or(canonical)
    }

    fn property(&self, property: Property) -> Property {
        let all = Property::safety(&self.system);
        let number = all.iter().position(|&it| it == property);
        number.map_or(property, |number| self.properties[self.numbers[number]])
    }

    /// Returns the sort of the original that a sort is.
    pub(in crate::infer) fn sort(&self, sort: SortId) -> SortId {
        self.names.sorts[sort].unwrap_or(sort)
    }

    /// Returns the canonical symbol that stands for one of the original, if it is used.
    pub(in crate::infer) fn symbol_of(&self, original: SymId) -> Option<SymId> {
        self.names.symbols.iter_enumerated().find(|(_, it)| **it == Some(original)).map(|(sym, _)| sym)
    }

    /// Returns facts in terms of the original; `None` if one of them is about a constant that the original does not have.
    fn partial(&self, it: Partial) -> Option<Partial> {
        let symbol = |sym: SymId| self.names.symbols[sym];
        let fact = |fact: Fact| match fact {
            Fact::Relation { sym, args, positive } => {
                Some(Fact::Relation { sym: symbol(sym)?, args, positive })
            }
            Fact::Value { sym, args, value, positive } => {
                Some(Fact::Value { sym: symbol(sym)?, args, value, positive })
            }
            Fact::Distinct { sort, pair } => Some(Fact::Distinct { sort: self.sort(sort), pair }),
        };
        let facts: Option<Vec<Fact>> = it.facts.into_iter().map(fact).collect();
        Some(Partial { facts: facts? })
    }

    /// Returns a call in terms of the original, or of its relaxed form.
    fn call(&self, call: &Call) -> Call {
        // The last transition of the relaxed form is that of elements disappearing.
        let Some((transition, places)) = self.transitions.get(call.transition) else { return call.clone() };
        let mut args = call.args.clone();
        places.iter().zip(&call.args).for_each(|(&place, &arg)| args[place] = arg);
        Call { transition: *transition, args }
    }

    fn calls(&self, calls: &[Call]) -> Vec<Call> {
        calls.iter().map(|call| self.call(call)).collect()
    }

    fn violation(&self, canonical: &System, property: Property, it: &Counterexample) -> Answer {
        match self.execution(&canonical.sig, property, it) {
            Ok(found) => Answer::Unsafe(self.property(property), Box::new(found)),
            Err(Failure::Exhausted(exhausted)) => {
                let reason = Reason::Exhausted(exhausted);
                Answer::Unknown { reason, lemmas: Vec::new(), open: Vec::new() }
            }
            Err(failure) => internal(failure),
        }
    }

    /// Returns an execution that violates a property as one of the original, confirmed by evaluation.
    ///
    /// # Errors
    /// Returns an error if evaluation contradicts the search.
    pub(in crate::infer) fn execution(
        &self,
        sig: &Signature,
        property: Property,
        it: &Counterexample,
    ) -> Result<Counterexample, Failure> {
        let original = &self.original;
        let structure = self.names.structure((sig, &original.sig), &it.structure.reduct(&self.system.sig));
        let formula = self.property(property).formula(original);
        confirmed(original, structure, self.calls(&it.calls), formula, &Budget::unlimited())
    }

    /// Returns an execution of the relaxed form as one of the relaxed form of the original.
    fn relaxed(&self, it: &RelaxedExecution) -> Result<Box<RelaxedExecution>, Failure> {
        let relaxed = Box::new(Relaxed::new(&self.original));
        let mut names = self.names.clone();
        for (sort, active) in it.relaxed.active.iter_enumerated() {
            let Some(active) = *active else { continue };
            names.symbols.grow_to(active.index() + 1, || None);
            names.symbols[active] = relaxed.active[self.sort(sort)];
        }
        let sig = &relaxed.system.sig;
        let mut structure = names.structure((&it.relaxed.system.sig, sig), &it.counterexample.structure);
        // What the canonical form leaves out never disappears.
        let known: Vec<SymId> = names.symbols.iter().copied().flatten().collect();
        for active in relaxed.active.iter().copied().flatten().filter(|active| !known.contains(active)) {
            for step in 0..structure.states() {
                structure.interpretation_mut(sig, active, step).set(&[0], 1);
            }
        }
        let property = self.property(it.property);
        let formula = property.formula(&relaxed.system);
        let calls = self.calls(&it.counterexample.calls);
        let calls = calls.into_iter().map(|call| {
            let is_relaxation = call.transition == it.relaxed.relaxation;
            Call { transition: if is_relaxation { relaxed.relaxation } else { call.transition }, ..call }
        });
        let counterexample =
            confirmed(&relaxed.system, structure, calls.collect(), formula, &Budget::unlimited())?;
        Ok(Box::new(RelaxedExecution { relaxed, property, counterexample }))
    }

    fn open(&self, canonical: &System, it: Open, system: &mut System) -> Open {
        let properties = Property::safety(&self.system);
        let claim = properties.iter().find(|claim| claim.formula(&self.system) == it.formula);
        let formula = match claim {
            Some(&claim) => self.property(claim).formula(&self.original),
            None => self.formula(&canonical.terms, it.formula, system),
        };
        let transition = it.transition.map(|at| self.transition(at));
        let counterexample = it
            .counterexample
            .map(|found| Box::new(self.counterexample(&canonical.sig, &found, formula, system)));
        Open { formula, name: it.name, transition, counterexample }
    }

    /// Returns a counterexample to induction in terms of the original.
    fn counterexample(
        &self,
        sig: &Signature,
        it: &Counterexample,
        formula: TermId,
        system: &System,
    ) -> Counterexample {
        let syntax = system.syntax();
        let structure = self.names.structure((sig, syntax.sig), &it.structure);
        let renaming = Renaming::new(system, syntax.sig, &structure);
        let structure = renaming.structure(syntax.sig, &structure);
        let calls = self.calls(&it.calls).iter().map(|call| renaming.call(system, call)).collect();
        let last = structure.state(syntax.sig, structure.states().saturating_sub(1));
        let falsification = blame(syntax, &last, formula, &Budget::unlimited());
        Counterexample { structure, calls, falsification }
    }
}

/// Returns the answer for a translation that evaluation contradicts.
fn internal(failure: Failure) -> Answer {
    Answer::InternalError(match failure {
        Failure::Internal(what) | Failure::Misuse(what) => what,
        Failure::Exhausted(_) => "an execution could not be confirmed".to_owned(),
    })
}

/// Tells an observer the events of a search on the canonical form in terms of the original.
pub(in crate::infer) struct Retold<'a> {
    pub(in crate::infer) canonical: &'a Canonical,
    pub(in crate::infer) observer: &'a mut dyn Observer,
}

impl Observer for Retold<'_> {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts) {
        let canonical = self.canonical;
        let number = |&id: &usize| canonical.number(id);
        let mut event = event.clone();
        match &mut event {
            Event::Proposed { goal, transition, .. } => {
                *goal = goal.as_ref().map(number);
                *transition = transition.map(|at| canonical.transition(at));
            }
            Event::Preserved { lemma, transition, core } => {
                *lemma = number(lemma);
                *transition = canonical.transition(*transition);
                core.iter_mut().for_each(|id| *id = number(id));
            }
            Event::Widened { variables: Some(variables), .. } => {
                *variables = canonical.by_sort(variables.iter().copied(), 0).iter().copied().collect();
            }
            Event::Instance { sizes, .. } => *sizes = canonical.by_sort(sizes.iter().copied(), 1),
            Event::Outgrown { goal, transition, .. } => {
                *goal = number(goal);
                *transition = canonical.transition(*transition);
            }
            Event::Widened { variables: None, .. }
            | Event::Refuted { .. }
            | Event::Stopped
            | Event::Started(_) => {}
        }
        self.observer.event(syntax, &event, counts);
    }
}

impl Canonical {
    /// Returns numbers by canonical sort by the sorts of the original, where those that are not used have this one.
    fn by_sort(&self, numbers: impl Iterator<Item = u32>, unused: u32) -> IdVec<SortId, u32> {
        let mut result = IdVec::filled(self.original.sig.sorts.len(), unused);
        for (at, number) in numbers.enumerate() {
            result[self.sort(SortId::new(at))] = number;
        }
        result
    }
}
