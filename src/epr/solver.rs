//! The solver's state. What it does is in files of their own: `scopes`, `assert`, `search`, `minimize`, ..

use super::atoms::{Atoms, GroundClauses, LiveTerms};
use super::bank::Bank;
use super::candidate::Candidate;
use super::congruence::Congruence;
use super::dormant::Dormant;
use super::implicant::Implicant;
use super::instances::Instances;
use super::join::Join;
use super::refutation::Record;
use super::scopes::Scope;
use super::symbols::Symbols;
use super::universal::Universal;
use crate::base::budget::{Budget, Exhausted};
use crate::forms::Normalizer;
use crate::logic::{Signature, Terms};
use crate::sat::{self, Lit, Silent};

/// Reads a clock in nanoseconds, from any origin. The engine itself has none.
pub type Clock = fn() -> u64;

/// Stands for an assertion that can be switched on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Label(pub(super) Lit);

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a structure; [`Solver::structure`] reads it.
    Sat,
    /// There is none; [`Solver::core`] tells which labels suffice for that.
    Unsat,
}

/// What a solver has done so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Queries.
    pub checks: u64,
    /// Candidate structures.
    pub rounds: u64,
    /// Instances of universal clauses.
    pub instances: u64,
    /// Lemmas of the congruence closure.
    pub lemmas: u64,
    /// Nanoseconds in the SAT solver, where there is a clock.
    pub sat_ns: u64,
    /// Nanoseconds in implicants, congruence and candidates, where there is a clock.
    pub candidate_ns: u64,
    /// Nanoseconds in the search for violated instances, where there is a clock.
    pub join_ns: u64,
}

impl Stats {
    /// Adds what another solver has done.
    pub fn add(&mut self, other: &Stats) {
        self.checks += other.checks;
        self.rounds += other.rounds;
        self.instances += other.instances;
        self.lemmas += other.lemmas;
        self.sat_ns += other.sat_ns;
        self.candidate_ns += other.candidate_ns;
        self.join_ns += other.join_ns;
    }
}

/// An incremental decision procedure.
///
/// Assertions belong to the innermost *scope* that is open ([`Solver::push`]). What is asserted in it, and the
/// Skolem constants made for that, retire when it is closed ([`Solver::pop`]); instances of what was asserted outside,
/// and learned clauses, survive.
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
    /// Instances of universal clauses outside of all scopes.
    pub(super) dormant: Dormant,
    pub(super) universals: Vec<Universal>,
    /// Universal clauses that count now: those outside of all scopes, then scope by scope.
    pub(super) active: Vec<u32>,
    pub(super) instances: Instances,
    pub(super) live: LiveTerms,
    /// Those that are open, the innermost last.
    pub(super) scopes: Vec<Scope>,
    pub(super) core: Vec<Label>,
    pub(super) implicant: Implicant,
    pub(super) congruence: Congruence,
    pub(super) candidate: Candidate,
    pub(super) join: Join,
    /// Within how many scopes a clause was asserted that has more variables or function applications than the join can
    /// take, if one was that counts now: then a candidate is no model.
    pub(super) incomplete: Option<usize>,
    /// What assertions may spend.
    pub(super) budget: Budget,
    /// The budget in which an assertion could not be brought into clauses, and within how many scopes it was made; of
    /// several, an outermost one.
    pub(super) unfinished: Option<(Exhausted, usize)>,
    clock: Option<Clock>,
    /// Where clauses come from, if refutations are to be explained.
    pub(super) record: Option<Record>,
    pub(super) stats: Stats,
}

impl Solver {
    /// A solver over this signature. It keeps a copy of `terms`; formulas are made in [`Self::terms_mut`].
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
            universals: Vec::new(),
            active: Vec::new(),
            instances: Instances::default(),
            live: LiveTerms::default(),
            scopes: Vec::new(),
            core: Vec::new(),
            implicant: Implicant::default(),
            congruence: Congruence::default(),
            candidate: Candidate::default(),
            join: Join::default(),
            incomplete: None,
            budget: Budget::unlimited(),
            unfinished: None,
            clock: None,
            record: None,
            stats: Stats::default(),
        }
    }

    /// Measures the time of phases by this clock.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
    }

    /// Keeps track of where clauses come from, so that [`Self::refutation`] can tell. To be called first: what was
    /// asserted before stays unexplained. Assertions are numbered from 0 in their order, those for goals
    /// included.
    ///
    /// A refutation speaks of witnesses where search has Skolem functions, and nothing is known of the witnesses of
    /// two formulas; so search must not use that Skolem functions are functions either.
    pub fn keep_record(&mut self) {
        self.record = Some(Record::default());
        self.congruence.skolems_are_choices = true;
    }

    /// The arena of formulas.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The arena of formulas, to make some.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// The signature and the arena of formulas, to declare and to make some. What is in the signature stays as it is.
    pub fn language_mut(&mut self) -> (&mut Signature, &mut Terms) {
        (&mut self.sig, &mut self.terms)
    }

    /// The signature.
    pub fn signature(&self) -> &Signature {
        &self.sig
    }

    /// What the solver has done so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// What the SAT solver below has done so far.
    pub fn sat_stats(&self) -> &sat::Stats {
        self.sat.stats()
    }

    /// How much it has made, in clauses, literals and terms: what its memory is in proportion to.
    pub fn size(&self) -> usize {
        self.bank.len() + self.atoms.len() + self.ground.size() + self.universals.len()
    }

    /// How many ground terms there are.
    pub fn term_count(&self) -> usize {
        self.bank.len()
    }

    /// Runs something within a budget: assertions take from it too, which are not limited otherwise.
    pub fn within<T>(&mut self, budget: &mut Budget, run: impl FnOnce(&mut Solver) -> T) -> T {
        self.swap_budget(budget);
        let result = run(self);
        self.swap_budget(budget);
        result
    }

    /// Exchanges the budget that assertions take from.
    pub fn swap_budget(&mut self, budget: &mut Budget) {
        std::mem::swap(&mut self.budget, budget);
    }

    /// The budget that ran out while something was asserted that counts now, if one did. Until the scope of the
    /// assertion is closed queries answer with it.
    pub fn unfinished(&self) -> Option<Exhausted> {
        self.unfinished.map(|(exhausted, _)| exhausted)
    }

    /// Labels that suffice for the last answer `Unsat`.
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
