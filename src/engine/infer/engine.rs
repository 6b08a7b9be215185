//! What a method is: it starts a search for an inductive invariant, and continues it in turns.

use std::fmt::Debug;
use std::sync::Arc;

use super::claim::Claim;
use super::outcome::{self, Method, Observer, Options};
use super::provenance::{Suggested, provenance};
use super::prover::Prover;
use super::search::{Search, Verdict};
use super::store::{Role, StateId};
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::{Syntax, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Property;
use ramsey_solver::ask::Failure;

/// A method in progress.
pub(super) trait Engine: Send + Debug {
    /// Returns what is known so far.
    fn search(&mut self) -> &mut Search;

    /// Continues until the answer is known.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; progress is kept.
    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure>;

    /// Returns the signature and the terms that its events refer to.
    fn syntax(&mut self) -> Syntax<'_> {
        self.search().prover.syntax()
    }

    /// Returns the last language that was searched to the end, and the one after it.
    fn languages(&self) -> Vec<outcome::Language> {
        Vec::new()
    }

    /// Gives the origin of a state as steps, for methods that know states by other origins.
    fn settle_origin(&mut self, state: StateId) {
        let _ = state;
    }
}

/// The safety properties of a system without choices in claims.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) system: Arc<System>,
    pub(super) properties: Vec<Property>,
    /// The formulas of the properties.
    pub(super) claims: Vec<TermId>,
    /// What transitions suggest, see [`provenance`].
    pub(super) suggested: Suggested,
    /// The conjunction of the initial conditions.
    init: TermId,
    /// The conjunction of the properties.
    safety: TermId,
}

impl Question {
    /// Prepares an inference about a system.
    pub(super) fn new(system: &System) -> Question {
        let mut system = system.clone();
        let properties = Property::safety(&system);
        let claims: Vec<TermId> = properties.iter().map(|property| property.formula(&system)).collect();
        let mut terms = system.terms.clone();
        let suggested = provenance(&system, &claims, &mut terms);
        system.terms = terms;
        let inits: Vec<TermId> = system.inits.iter().map(|init| init.formula).collect();
        let (init, safety) = (system.terms.and(&inits), system.terms.and(&claims));
        Question { system: Arc::new(system), properties, claims, suggested, init, safety }
    }

    /// Returns what methods are given.
    pub(super) fn goal<'a>(&'a self, options: &'a Options) -> Goal<'a> {
        let Question { system, properties, claims, suggested, init, safety } = self;
        let (init, safety) = (*init, *safety);
        Goal { system, properties, claims, suggested, init, safety, options, known: &[] }
    }
}

/// What an inference is about.
pub(super) struct Goal<'a> {
    pub(super) system: &'a Arc<System>,
    pub(super) properties: &'a [Property],
    /// The formulas of the properties, for all values of their choices.
    pub(super) claims: &'a [TermId],
    /// Formulas that may hold in all reachable states.
    pub(super) suggested: &'a Suggested,
    /// The conjunction of the initial conditions.
    pub(super) init: TermId,
    /// The conjunction of the properties.
    pub(super) safety: TermId,
    pub(super) options: &'a Options,
    /// Claims that another search has proved, together with the properties as far as these are inductive.
    pub(super) known: &'a [Claim],
}

impl Goal<'_> {
    /// Creates a search that has the properties, and the given candidates as lemmas.
    pub(super) fn search(&self) -> Search {
        let Goal { system, properties, claims, options, known, .. } = *self;
        let mut search = Search::new(Prover::new(system, options.seed, options.clock), options.seed);
        for (property, &formula) in properties.iter().zip(claims) {
            let name = Some(property.label(system).to_owned());
            search.lemmas.add(Claim::Formula(formula), name, Role::Property);
        }
        for candidate in &options.candidates {
            search.lemmas.add(Claim::Formula(candidate.formula), candidate.name.clone(), Role::Lemma);
        }
        for claim in known {
            search.lemmas.add(claim.clone(), None, Role::Lemma);
        }
        search
    }
}

/// A row of the table of methods.
pub(super) struct Row {
    pub(super) method: Method,
    /// What it does, in a few words.
    pub(super) help: &'static str,
    pub(super) kind: Kind,
    pub(super) input: Input,
    pub(super) refutes: Refutes,
}

/// What a method goes on to where there is no invariant of its language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Refutes {
    /// Nothing: it meets a violation by chance.
    Nothing,
    /// Executions.
    Executions,
    /// Executions, and such in which elements disappear.
    RelaxedExecutions,
}

/// What a method is given besides candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Nothing,
    /// [`Options::template`].
    Template,
    /// [`Options::prefixes`].
    Prefixes,
}

/// How a method searches.
pub(super) enum Kind {
    /// By an engine.
    Engine {
        /// Starts it.
        begin: fn(&Goal<'_>) -> Box<dyn Engine>,
        /// Divisor of its turns, where it takes turns with others.
        share: u64,
    },
    /// By turns of other methods, in the order in which their answers count.
    Turns {
        /// The methods, each of which has an engine.
        parts: &'static [Method],
        /// What joins them after the first round where the system has quantifier alternations, and
        /// goes on once there is no universal invariant, when those that search for executions have had one more turn.
        instead: Method,
    },
}
