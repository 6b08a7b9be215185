//! Observer of clause additions and deletions.

use super::lit::{ClauseId, Lit};

/// Receives the derivation of a solver, step by step.
///
/// Every derived clause follows from its antecedents by unit propagation in their order: under the negation of the
/// clause, each antecedent but the last has exactly one literal that is not false, which becomes true, and the last
/// antecedent has none. The LRAT format calls such antecedents hints.
pub trait Observer {
    /// Whether the solver collects antecedents. If `false`, no method is called and there is no cost.
    const ACTIVE: bool;

    /// Reports an original clause, with its literals exactly as given.
    fn original(&mut self, id: ClauseId, lits: &[Lit]);

    /// Reports a clause derived from `antecedents`. The empty clause ends the derivation.
    fn learned(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]);

    /// Reports a clause that will not be an antecedent any more.
    fn deleted(&mut self, id: ClauseId, lits: &[Lit]);
}

/// Observer that ignores everything, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const ACTIVE: bool = false;
    fn original(&mut self, _: ClauseId, _: &[Lit]) {}
    fn learned(&mut self, _: ClauseId, _: &[Lit], _: &[ClauseId]) {}
    fn deleted(&mut self, _: ClauseId, _: &[Lit]) {}
}
