//! The search for an invariant of the relational form, as a method of the system.

use std::sync::Arc;

use super::Relational;
use super::cut::read;
use crate::infer::canonical::Retold;
use crate::infer::directed::Directed;
use crate::infer::engine::Engine;
use crate::infer::outcome::{Counts, Event, Language, Observer, Reason};
use crate::infer::search::{Search, Verdict};
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::Syntax;
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;

/// The search.
#[derive(Debug)]
pub(in crate::infer) struct Encoded {
    engine: Box<dyn Engine>,
    relational: Arc<Relational>,
    /// The relational form, with the formulas of events as they are about the system among its terms.
    told: System,
}

impl Encoded {
    /// Starts a search for formulas with witnesses.
    pub(in crate::infer) fn begin(relational: &Arc<Relational>) -> Box<dyn Engine> {
        let engine = Directed::with_functions(&relational.goal(), relational.functions());
        let (relational, told) = (Arc::clone(relational), relational.canonical.extension());
        Box::new(Encoded { engine, relational, told })
    }
}

impl Engine for Encoded {
    fn search(&mut self) -> &mut Search {
        self.engine.search()
    }

    fn syntax(&mut self) -> Syntax<'_> {
        self.told.syntax()
    }

    fn languages(&self) -> Vec<Language> {
        self.relational.canonical.languages(self.engine.languages())
    }

    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure> {
        let Encoded { engine, relational, told } = self;
        let mut teller = Teller { relational, told, observer };
        let mut retold = Retold { canonical: &relational.canonical, observer: &mut teller };
        Ok(match engine.advance(&mut retold, budget)? {
            // It may be no execution of the system.
            Verdict::Violated(..) => Verdict::Stuck(Reason::NoInvariant),
            verdict @ (Verdict::Inductive(_) | Verdict::Stuck(_)) => verdict,
        })
    }
}

/// Tells the events of the search in terms of the system.
struct Teller<'a> {
    relational: &'a Relational,
    told: &'a mut System,
    observer: &'a mut dyn Observer,
}

impl Observer for Teller<'_> {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts) {
        let mut event = event.clone();
        if let Event::Proposed { formula, .. } = &mut event {
            let Relational { canonical, tables, excesses, .. } = self.relational;
            let encoded = canonical.formula(syntax.terms, *formula, self.told);
            *formula = read((tables, excesses), self.told.syntax_mut(), encoded);
        }
        self.observer.event(self.told.syntax(), &event, counts);
    }
}
