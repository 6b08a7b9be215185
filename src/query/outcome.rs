//! Answers, as plain data.

use super::fragment::Cycle;
use super::unroll::Call;
use super::vacuity::Vacuity;
use crate::ask::Breach;
use crate::ask::Statistics;
use crate::base::budget::Exhausted;
use crate::logic::Structure;
use crate::prove::Certificate;
use crate::vc::{HypothesisOrigin, Obligations, Origin};

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
