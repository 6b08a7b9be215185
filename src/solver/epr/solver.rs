//! State of the solver. Its operations are in separate files: `scopes`, `assert`, `search`, `minimize`, ...

use super::active::Active;
use super::atoms::{Atoms, GroundClauses, LiveTerms};
use super::bank::Bank;
use super::candidate::Candidate;
use super::congruence::{Batch, Chains, Congruence};
use super::dormant::Dormant;
use super::focus::Focus;
use super::implicant::Implicant;
use super::instances::Instances;
use super::join::Join;
use super::refutation::Record;
use super::resting::{Found, Resting};
use super::scopes::Scope;
use super::settled::Settled;
use super::symbols::Symbols;
use super::universal::{UniversalClause, UniversalId};
use crate::formulas::Normalizer;
use crate::sat::{self, Lit, Silent};
use crate::telemetry::counters;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Signature, SymId, Syntax, Terms};

/// Function that reads a clock in nanoseconds, from any origin. The engine itself has no clock.
pub type Clock = fn() -> u64;

/// A handle of an assertion that can be switched on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Label(pub(super) Lit);

/// Answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model; see [`Solver::structure`].
    Sat,
    /// There is no model; [`Solver::core`] returns labels that suffice for this answer.
    Unsat,
}

/// Work units of the first slice of a search.
const FIRST_SLICE: u64 = 100_000;

/// Number of units of work for which a long search may make one of all instances.
const WORK_PER_INSTANCE: u64 = 32;

counters! {
    /// Statistics of a solver since its creation.
    pub struct Stats {
        /// Queries.
        checks => "checks",
        /// Candidate structures.
        rounds => "rounds",
        /// Instances of universal clauses.
        instances => "instances",
        /// Lemmas of the congruence closure.
        lemmas => "lemmas",
        /// Nanoseconds in the SAT solver; 0 without a clock.
        sat_ns,
        /// Nanoseconds in implicants, congruence and candidates; 0 without a clock.
        candidate_ns,
        /// Nanoseconds in the search for violated instances; 0 without a clock.
        join_ns,
    }
}

/// An incremental decision procedure.
///
/// Assertions belong to the innermost open *scope* ([`Solver::push`]). They and their Skolem constants retire when the
/// scope is closed ([`Solver::pop`]). Learned clauses and instances of assertions outside of it survive.
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    pub(super) normalizer: Normalizer,
    pub(super) symbols: Symbols,
    pub(super) bank: Bank,
    pub(super) atoms: Atoms,
    pub(super) sat: sat::Solver<Silent>,
    pub(super) ground: GroundClauses,
    /// Instances of universal clauses asserted outside of all scopes.
    pub(super) dormant: Dormant,
    pub(super) universals: IdVec<UniversalId, UniversalClause>,
    /// Active universal clauses: those outside of all scopes, then those of each scope.
    pub(super) active: Active,
    /// The clauses that were not violated when they were last searched, for all of `universals`.
    pub(super) settled: Settled,
    /// Scratch memory: the active clauses that a candidate may violate.
    pub(super) supported: Vec<UniversalId>,
    pub(super) instances: Instances,
    pub(super) live: LiveTerms,
    pub(super) focus: Focus,
    /// Whether all queries are generous from the first candidate on, and not only those where that saves instances.
    pub(super) is_generous: bool,
    /// Whether every sort has an element in every candidate. In a long search, what clauses ask for comes before elements that nothing
    /// asks for, and what follows from these: sorts are filled only once no instance at the elements that there are is violated.
    pub(super) fills_sorts: bool,
    /// Work units after which an undecided search is first interrupted to search for a small model.
    pub(super) first_slice: u64,
    /// Number of units of work for which a long search may make one of all instances.
    pub(super) work_per_instance: u64,
    /// Whether the search had no answer after its first slice.
    pub(super) is_long: bool,
    /// The assertions that take no part in the current search so far.
    pub(super) resting: Resting,
    /// What the last query needed of those in which assertions rest, if it was satisfiable.
    pub(super) found: Option<Found>,
    /// Number of assertions so far, at most `u32::MAX`.
    pub(super) assertions: u32,
    /// The open scopes, the innermost last.
    pub(super) scopes: Vec<Scope>,
    pub(super) core: Vec<Label>,
    pub(super) implicant: Implicant,
    pub(super) congruence: Congruence,
    pub(super) chains: Chains,
    pub(super) batch: Batch,
    pub(super) candidate: Candidate,
    pub(super) join: Join,
    /// Budget of assertions.
    pub(super) budget: Budget,
    /// The budget exhausted by the conversion of an active assertion into clauses, and the number of scopes in which it
    /// was asserted. Of several such assertions, an outermost one.
    pub(super) unfinished: Option<(Exhausted, usize)>,
    clock: Option<Clock>,
    /// Origins of clauses, if refutations are to be explained.
    pub(super) record: Option<Record>,
    pub(super) stats: Stats,
}

impl Solver {
    /// Creates a solver over this signature. It keeps a copy of `terms`; create formulas in [`Self::terms_mut`].
    pub fn new(sig: Signature, terms: Terms, seed: u64) -> Solver {
        let config = sat::Config { seed, ..sat::Config::default() };
        Solver {
            sig,
            terms,
            normalizer: Normalizer::default(),
            symbols: Symbols::default(),
            bank: Bank::default(),
            atoms: Atoms::default(),
            sat: sat::Solver::with_config(config, Silent),
            ground: GroundClauses::default(),
            dormant: Dormant::default(),
            universals: IdVec::new(),
            active: Active::default(),
            settled: Settled::default(),
            supported: Vec::new(),
            instances: Instances::default(),
            live: LiveTerms::default(),
            focus: Focus::default(),
            is_generous: false,
            fills_sorts: false,
            first_slice: FIRST_SLICE,
            work_per_instance: WORK_PER_INSTANCE,
            is_long: false,
            resting: Resting::default(),
            found: None,
            assertions: 0,
            scopes: Vec::new(),
            core: Vec::new(),
            implicant: Implicant::default(),
            congruence: Congruence::default(),
            chains: Chains::default(),
            batch: Batch::default(),
            candidate: Candidate::default(),
            join: Join::default(),
            budget: Budget::unlimited(),
            unfinished: None,
            clock: None,
            record: None,
            stats: Stats::default(),
        }
    }

    /// Sets the clock that measures the time of phases.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
    }

    /// Has every query decide only the atoms that concern it, which by default happens only where it saves time. No answer
    /// depends on it.
    pub fn focus_always(&mut self) {
        self.focus.always = true;
    }

    /// Has queries decide these relations before all others, at each step. They have no arguments and occur in no assertion so far. No
    /// verdict depends on it.
    pub fn decide_first(&mut self, relations: &[SymId]) {
        self.symbols.first.extend(relations);
    }

    /// Records the origins of clauses, for [`Self::refutation`]. Must be called first: earlier assertions stay
    /// unexplained. Assertions are numbered from 0 in order, goals included.
    ///
    /// A refutation has witnesses in place of Skolem functions, and the witnesses of two formulas are unrelated. The
    /// search therefore does not use functional congruence of Skolem functions either.
    pub fn keep_record(&mut self) {
        self.record = Some(Record::default());
        self.congruence.skolems_are_choices = true;
    }

    /// Returns the arena of formulas.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the arena of formulas, for the creation of formulas.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// Returns the signature and the arena of formulas, for declarations and formulas. Existing declarations must not
    /// be changed.
    pub fn language_mut(&mut self) -> (&mut Signature, &mut Terms) {
        (&mut self.sig, &mut self.terms)
    }

    /// Returns the signature and the formulas over it.
    pub fn syntax(&self) -> Syntax<'_> {
        self.terms.over(&self.sig)
    }

    /// Returns the signature.
    pub fn signature(&self) -> &Signature {
        &self.sig
    }

    /// Returns the statistics of this solver.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Returns the statistics of the underlying SAT solver.
    pub fn sat_stats(&self) -> &sat::Stats {
        self.sat.stats()
    }

    /// Returns the total number of clauses, literals and terms, to which its memory is proportional.
    pub fn size(&self) -> usize {
        self.bank.len() + self.atoms.len() + self.ground.size() + self.universals.len()
    }

    /// Returns the number of terms in the bank.
    pub fn term_count(&self) -> usize {
        self.bank.len()
    }

    /// Runs a function within a budget. Assertions, which are otherwise unlimited, spend from it too.
    pub fn within<T>(&mut self, budget: &mut Budget, run: impl FnOnce(&mut Solver) -> T) -> T {
        self.swap_budget(budget);
        let result = run(self);
        self.swap_budget(budget);
        result
    }

    /// Swaps the budget from which assertions spend.
    pub fn swap_budget(&mut self, budget: &mut Budget) {
        std::mem::swap(&mut self.budget, budget);
    }

    /// Returns the budget that was exhausted during an active assertion, if any. Queries fail with it until the scope
    /// of the assertion is closed.
    pub fn unfinished(&self) -> Option<Exhausted> {
        self.unfinished.map(|(exhausted, _)| exhausted)
    }

    /// Returns labels that suffice for the last answer `Unsat`.
    pub fn core(&self) -> &[Label] {
        &self.core
    }

    pub(super) fn now(&self) -> u64 {
        self.clock.map_or(0, |clock| clock())
    }

    pub(super) fn since(&self, started: u64) -> u64 {
        self.now().saturating_sub(started)
    }
}
