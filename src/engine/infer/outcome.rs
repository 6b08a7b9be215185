//! Options, answers and progress of an inference.

use std::sync::Arc;

use super::state::Vocabulary;
use crate::query::Counterexample;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{SortId, SymId, Syntax, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Property;
use ramsey_kernel::obligations::Relaxed;
use ramsey_solver::ask::Statistics;
use ramsey_solver::epr::Clock;
use ramsey_solver::formulas::Partial;
use ramsey_solver::telemetry::counters;

/// The clauses with a number of variables per sort and at most a number of literals, over some or all symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// Number of variables per sort; other sorts have none.
    pub variables: Vec<(SortId, u32)>,
    /// Maximum number of literals.
    pub literals: usize,
    /// The symbols besides equality, as [`Template::usable`] has them; all of them if `None`.
    pub symbols: Option<Vec<SymId>>,
}

impl Template {
    /// Returns the symbols that clauses may have.
    pub fn usable(system: &System) -> Vec<SymId> {
        Vocabulary::new(system).symbols.iter().map(|symbol| symbol.sym).collect()
    }
}

/// A method of inference, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method(pub(super) &'static str);

impl Method {
    /// Returns its name on the command line and in documents.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// A formula that is tried as a lemma before any other.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The formula: closed, over step 0, in the terms of the system.
    pub formula: TermId,
}

/// A quantifier prefix of lemmas: for all outer variables there are witnesses such that for all inner variables ..
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct QuantifierPrefix {
    /// The sort of each outer variable.
    pub outer: Vec<SortId>,
    /// The sort of each witness.
    pub witnesses: Vec<SortId>,
    /// The sort of each inner variable.
    pub inner: Vec<SortId>,
}

/// Options of an inference.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Formulas to try first: given invariants, hints, lemmas of an earlier version of the model.
    pub candidates: Vec<Candidate>,
    /// The clauses that Houdini tries; chosen from the signature if `None`.
    pub template: Option<Template>,
    /// The prefixes of lemmas with witnesses ([`Method::EXISTS`]), and, of prefixes without witnesses, the numbers of
    /// variables of universal lemmas beside them; chosen from the signature if empty.
    pub prefixes: Vec<QuantifierPrefix>,
    /// Whether the search ends with the budget only. Otherwise that for an invariant with quantifiers of both kinds ends by
    /// itself some time after it is known that there is no universal one.
    pub until_stopped: bool,
    /// Seed of all choices.
    pub seed: u64,
    /// Clock for time measurements.
    pub clock: Option<Clock>,
}

/// A lemma.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The name of the candidate or property that it is, if it is one and has a name.
    pub name: Option<String>,
    /// The formula: closed, over step 0, in the terms of [`Inference::system`].
    pub formula: TermId,
    /// For a universal clause, the partial structure that it excludes.
    pub excluded: Option<Partial>,
}

/// An obligation without proof: a lemma or property that a transition may not preserve.
#[derive(Clone, Debug)]
pub struct Open {
    /// The formula of the lemma or property, in the terms of [`Inference::system`].
    pub formula: TermId,
    /// The name of the lemma or property, if it has one.
    pub name: Option<String>,
    /// Index into [`System::transitions`]; `None` if the formula is not shown to hold initially.
    pub transition: Option<usize>,
    /// A counterexample to induction: two states with the call between them.
    pub counterexample: Option<Box<Counterexample>>,
}

/// Reason why neither an invariant nor a counterexample was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A budget ran out.
    Exhausted(Exhausted),
    /// The candidates have no inductive subset that implies safety.
    NoSubset,
    /// No invariant in the languages that were tried implies safety.
    NoInvariant,
    /// With the lemmas that were found the model leaves the decidable fragment, which its language does not allow. Said by
    /// whoever reads the model with the lemmas.
    Undecidable,
}

/// An execution of the relaxed system, in which elements may disappear between states, to a violation of a property.
/// No conjunction of the safety properties with universal formulas is inductive.
#[derive(Clone, Debug)]
pub struct RelaxedExecution {
    /// The relaxed system.
    pub relaxed: Box<Relaxed>,
    /// The violated property.
    pub property: Property,
    /// The execution, over the signature of the relaxed system, confirmed by evaluation.
    pub counterexample: Counterexample,
}

/// Result of an inference.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The safety properties are inductive together with these lemmas, none of which is redundant.
    Invariant(Vec<Lemma>),
    /// An execution, confirmed by evaluation, that violates a property. It starts in an initial state.
    Unsafe(Property, Box<Counterexample>),
    /// No universal invariant implies safety.
    NoUniversal(Box<RelaxedExecution>),
    /// No answer.
    Unknown {
        /// The reason.
        reason: Reason,
        /// Lemmas that hold initially and are inductive as a set, without the safety properties.
        lemmas: Vec<Lemma>,
        /// Obligations that are still to be proved.
        open: Vec<Open>,
    },
    /// Internal inconsistency of the tool.
    InternalError(String),
}

counters! {
    /// What an inference did.
    pub struct Counts {
        /// Questions asked of the decision procedure.
        questions => "questions",
        /// Lemmas proposed.
        lemmas => "lemmas",
        /// Lemmas that were refuted.
        refuted => "refuted",
        /// Reachable states in the store.
        reachable => "reachable",
        /// States in the store that only relaxed executions reach.
        relaxed => "relaxed",
        /// Counterexamples to induction.
        ctis => "ctis",
        /// Languages that did not suffice, after each of which a larger one is in use.
        widened => "widened",
        /// States of finite instances in which lemmas are evaluated before they are proposed.
        explored => "explored",
        /// Restarts, after which lemmas without proof are dropped.
        restarts => "restarts",
        /// Frames, for methods that have them.
        frames => "frames",
        /// Finite instances, for methods that have them.
        instances => "instances",
        /// Obligations that are known to be open.
        obligations => "open",
    }
}

/// What was found of a finite instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstanceAnswer {
    /// It is safe.
    Safe {
        /// Number of clauses of its invariant.
        clauses: usize,
        /// Number of clauses of the system that these became.
        candidates: usize,
    },
    /// A property is false in a reachable state.
    Unsafe,
    /// No structure of these sizes satisfies the axioms.
    Empty,
    /// Its share of the work did not suffice.
    Open,
}

/// Progress of an inference.
#[derive(Clone, Debug)]
pub enum Event {
    /// A lemma was proposed, because it excludes this counterexample to induction of a lemma or property.
    Proposed {
        /// Number of the lemma.
        lemma: usize,
        /// Its formula.
        formula: TermId,
        /// Number of the lemma or property whose proof asked for it; `None` for candidates.
        goal: Option<usize>,
        /// The transition of that proof; `None` for candidates.
        transition: Option<usize>,
    },
    /// A lemma was refuted by a state.
    Refuted {
        /// Number of the lemma.
        lemma: usize,
        /// Whether the state is reachable.
        is_reachable: bool,
    },
    /// A lemma or property is preserved by a transition.
    Preserved {
        /// Number of the lemma.
        lemma: usize,
        /// Index into [`System::transitions`].
        transition: usize,
        /// The lemmas that the proof uses.
        core: Vec<usize>,
    },
    /// The search ended without an answer. What is refuted after this is no part of the inductive subset of the lemmas.
    Stopped,
    /// No invariant of clauses within the limits so far proves the properties; larger ones are tried.
    Widened {
        /// Maximum number of variables, by the index of the sort; `None` for no limit.
        variables: Option<Vec<u32>>,
        /// Maximum number of literals; `None` for no limit.
        literals: Option<usize>,
    },
    /// A finite instance was looked at.
    Instance {
        /// The number of elements of each sort.
        sizes: IdVec<SortId, u32>,
        /// The number of the interpretation of immutable symbols, if they are fixed.
        class: Option<usize>,
        /// What was found.
        answer: InstanceAnswer,
    },
    /// The clauses of the instances so far do not suffice for a property.
    Outgrown {
        /// Number of lemmas that are not refuted.
        kept: usize,
        /// Number of the property.
        goal: usize,
        /// The transition that does not preserve it.
        transition: usize,
    },
    /// A method starts.
    Started(Method),
}

/// Observer of the progress of an inference. Calls come from the thread of the method that they are about, one at a time
/// and in an order that does not depend on threads.
pub trait Observer: Send {
    /// Called after each event, with the terms that it refers to.
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts);
}

/// A language: formulas among which a method has looked for lemmas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Language {
    /// The method.
    pub method: Method,
    /// Maximum number of variables of clauses; `None` for no limit.
    pub variables: Option<IdVec<SortId, u32>>,
    /// The prefixes of formulas with witnesses. None of them is part of another one.
    pub prefixes: Vec<QuantifierPrefix>,
    /// Maximum number of literals; `None` for no limit.
    pub literals: Option<usize>,
    /// Whether the search in this language came to its end. The next one was tried then.
    pub is_exhausted: bool,
}

/// An answer with its context.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The answer.
    pub answer: Answer,
    /// Where the answer is unknown: what shows that no universal invariant implies safety, if that was found. A limit then
    /// ended the search for an invariant with quantifiers of both kinds.
    pub no_universal: Option<Box<RelaxedExecution>>,
    /// Where no invariant was found: per method, the last language that was searched to the end, and the one after it.
    pub languages: Vec<Language>,
    /// The system, with the formulas of the answer among its terms.
    pub system: Arc<System>,
    /// The method that found the answer.
    pub method: Method,
    /// What was done.
    pub counts: Counts,
    /// Cost of all questions.
    pub statistics: Statistics,
}
