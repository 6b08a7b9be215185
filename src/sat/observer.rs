//! Who is told about every clause that comes and goes.

use super::lit::{ClauseId, Lit};

/// Receives the derivation of a solver, step by step.
///
/// Every derived clause follows from its antecedents by unit propagation in their order: under the
/// negation of the clause each antecedent but the last has exactly one literal that is not false, which
/// becomes true, and the last has none (what the LRAT format calls hints).
pub trait Observer {
    /// Whether the solver collects antecedents at all. Where it is false nothing is called and nothing is spent.
    const ACTIVE: bool;

    /// The user gave this clause (literals exactly as given).
    fn original(&mut self, id: ClauseId, lits: &[Lit]);

    /// This clause was derived from `antecedents`. The empty clause ends the derivation.
    fn learned(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]);

    /// This clause will not be an antecedent any more.
    fn deleted(&mut self, id: ClauseId, lits: &[Lit]);
}

/// Observes nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const ACTIVE: bool = false;
    fn original(&mut self, _: ClauseId, _: &[Lit]) {}
    fn learned(&mut self, _: ClauseId, _: &[Lit], _: &[ClauseId]) {}
    fn deleted(&mut self, _: ClauseId, _: &[Lit]) {}
}
