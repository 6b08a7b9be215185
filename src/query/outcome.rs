//! Answers, as plain data.

use super::fragment::Cycle;
use super::vacuity::Vacuity;
use crate::base::budget::Exhausted;
use crate::logic::{Elem, Structure, TermId, VarId};
use crate::prove::{Export, Proof};
use crate::vc::{HypothesisOrigin, Obligations, Origin};

/// The part of a claim that a counterexample makes false (or, of a formula that is evaluated, that makes it true).
#[derive(Clone, Debug)]
pub struct Breach {
    /// The smallest subformula that is to blame, without the quantifiers that `bindings` instantiate.
    pub formula: TermId,
    /// Whether it stands under an odd number of negations: then its negation is what was claimed.
    pub is_negated: bool,
    /// Values of variables, outermost first, that make it false: of those bound by `forall`, and of those bound by `exists`
    /// under a negation.
    pub bindings: Vec<(VarId, Elem)>,
    /// The quantified formulas inside `formula` whose variables have values in `bindings`.
    pub opened: Vec<TermId>,
}

/// A transition that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Index into [`crate::system::System::transitions`].
    pub transition: usize,
    /// The values of its parameters, in order.
    pub args: Vec<Elem>,
}

/// A structure in which all hypotheses of an obligation hold and its goal does not. Evaluated, not believed.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// One state for initiation, two for consecution, as many as it speaks of for a theorem (at least one).
    /// Over [`Obligations::sig`].
    pub structure: Structure,
    /// The transitions that lead from each state to the next, where they do: as many as there are states, less one,
    /// or none.
    pub calls: Vec<Call>,
    /// What is false in it.
    pub breach: Breach,
}

/// The answer to one obligation.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is valid.
    Holds {
        /// Hypotheses that suffice, in order; none where cores were not asked for.
        core: Vec<HypothesisOrigin>,
    },
    /// It is not.
    Fails(Box<Counterexample>),
    /// A budget ran out first.
    Unknown(Exhausted),
    /// Not asked, because an earlier obligation of its group failed.
    Skipped,
    /// The tool contradicted itself; neither valid nor not.
    InternalError(String),
}

/// What proves an answer to whoever does not believe it.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// That the obligation holds; with exports for other checkers where they were asked for.
    Proof(Proof, Option<Export>),
    /// That it does not: the structure, as `spec/certificate.md` describes it.
    Structure(String),
}

/// What an answer cost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Satisfiability queries, minimization of counterexamples included.
    pub queries: u64,
    /// Rounds of candidate structures.
    pub rounds: u64,
    /// Ground instances of universal clauses that were added.
    pub instances: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Lemmas of the congruence closure.
    pub lemmas: u64,
    /// Ground terms that were made.
    pub terms: u64,
    /// Deterministic work units.
    pub work: u64,
    /// Nanoseconds in the SAT solver; 0 where no clock was given.
    pub sat_ns: u64,
    /// Nanoseconds in building candidate structures (implicant, congruence); 0 where no clock was given.
    pub candidate_ns: u64,
    /// Nanoseconds in the search for violated instances; 0 where no clock was given.
    pub join_ns: u64,
    /// Nanoseconds in all; 0 where no clock was given.
    pub total_ns: u64,
}

impl Statistics {
    /// Adds the cost of something else.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.rounds += other.rounds;
        self.instances += other.instances;
        self.conflicts += other.conflicts;
        self.lemmas += other.lemmas;
        self.terms += other.terms;
        self.work += other.work;
        self.sat_ns += other.sat_ns;
        self.candidate_ns += other.candidate_ns;
        self.join_ns += other.join_ns;
        self.total_ns += other.total_ns;
    }
}

/// An obligation with its answer.
#[derive(Clone, Debug)]
pub struct ObligationResult {
    /// The obligation.
    pub origin: Origin,
    /// Its answer.
    pub outcome: Outcome,
    /// The certificate of the answer, where it was asked for and the answer has one.
    pub certificate: Option<Certificate>,
    /// Why it lies outside stratified EPR; `None` if it does not, or if that took too long to find out.
    pub cycle: Option<Cycle>,
    /// What the answer cost.
    pub statistics: Statistics,
}

/// The answers to the obligations of a group.
#[derive(Clone, Default, Debug)]
pub struct GroupResult {
    /// In the order of the source.
    pub results: Vec<ObligationResult>,
    /// Set where they follow from nothing but a contradiction among the group's hypotheses.
    pub vacuity: Option<Vacuity>,
    /// What it cost to find that out.
    pub statistics: Statistics,
}

/// The answers to all obligations that were asked, in the order of the source.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The obligations; signature and terms of every counterexample.
    pub obligations: Obligations,
    /// The answers.
    pub results: Vec<ObligationResult>,
    /// What nothing satisfies, so that what is claimed of it holds for that reason alone.
    pub vacuities: Vec<Vacuity>,
    /// Sum over all groups, preparation included.
    pub statistics: Statistics,
}
