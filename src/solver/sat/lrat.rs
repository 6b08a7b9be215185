//! Strict checker of derivations, for tests. It shares no code with the solver.

use super::lit::{ClauseId, Lit};
use super::observer::Observer;
use super::proof::Step;
use ramsey_core::base::hash::{Map, Set};

/// Error in a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The id was used before.
    Reused(ClauseId),
    /// The first clause refers to the second, which does not exist or was deleted.
    Missing(ClauseId, ClauseId),
    /// The second clause, an antecedent of the first, is neither unit nor false at its position.
    Useless(ClauseId, ClauseId),
    /// The clause does not follow: no antecedent becomes false.
    NoConflict(ClauseId),
}

/// Checks a derivation step by step by unit propagation along its hints.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    live: Map<ClauseId, Vec<Lit>>,
    used: Set<ClauseId>,
    flaw: Option<Flaw>,
}

impl Checker {
    /// Creates a checker without clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the first flaw, if any.
    pub fn flaw(&self) -> Option<&Flaw> {
        self.flaw.as_ref()
    }

    /// Returns the literals of a clause that is original or correctly derived, and not deleted.
    pub fn clause(&self, id: ClauseId) -> Option<&[Lit]> {
        self.live.get(&id).map(Vec::as_slice)
    }

    /// Returns the number of clauses that are not deleted.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Checks all `steps`.
    ///
    /// # Errors
    /// Returns the first flaw.
    pub fn check<'a>(&mut self, steps: impl IntoIterator<Item = Step<'a>>) -> Result<(), Flaw> {
        for step in steps {
            self.step(step)?;
        }
        Ok(())
    }

    /// Checks one step.
    ///
    /// # Errors
    /// Returns the flaw of this step.
    pub fn step(&mut self, step: Step<'_>) -> Result<(), Flaw> {
        match step {
            Step::Original { id, lits } => self.add(id, lits),
            Step::Learned { id, lits, antecedents } => {
                self.follows(id, lits, antecedents)?;
                self.add(id, lits)
            }
            Step::Deleted { id } => self.live.remove(&id).map(drop).ok_or(Flaw::Missing(id, id)),
        }
    }

    fn add(&mut self, id: ClauseId, lits: &[Lit]) -> Result<(), Flaw> {
        if !self.used.insert(id) {
            return Err(Flaw::Reused(id));
        }
        self.live.insert(id, lits.to_vec());
        Ok(())
    }

    fn follows(&self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) -> Result<(), Flaw> {
        let mut falsified: Set<Lit> = lits.iter().copied().collect();
        for (at, &antecedent) in antecedents.iter().enumerate() {
            let clause = self.live.get(&antecedent).ok_or(Flaw::Missing(id, antecedent))?;
            let mut open = clause.iter().copied().filter(|lit| !falsified.contains(lit));
            let unit = open.next();
            if open.any(|lit| Some(lit) != unit) {
                return Err(Flaw::Useless(id, antecedent));
            }
            match unit {
                // No antecedent may follow the conflict.
                None if at + 1 == antecedents.len() => return Ok(()),
                None => return Err(Flaw::Useless(id, antecedents[at + 1])),
                Some(lit) if falsified.contains(&!lit) => return Err(Flaw::Useless(id, antecedent)),
                Some(lit) => falsified.insert(!lit),
            };
        }
        Err(Flaw::NoConflict(id))
    }

    fn note(&mut self, result: Result<(), Flaw>) {
        if let Err(flaw) = result {
            self.flaw.get_or_insert(flaw);
        }
    }
}

/// Checks the derivation while the solver runs; [`Checker::flaw`] returns the result.
impl Observer for Checker {
    const ACTIVE: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit]) {
        let result = self.step(Step::Original { id, lits });
        self.note(result);
    }

    fn learned(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        let result = self.step(Step::Learned { id, lits, antecedents });
        self.note(result);
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        let same = self.clause(id).is_some_and(|clause| {
            let sorted = |lits: &[Lit]| {
                let mut lits = lits.to_vec();
                lits.sort_unstable();
                lits
            };
            sorted(clause) == sorted(lits)
        });
        let result = if same { self.step(Step::Deleted { id }) } else { Err(Flaw::Missing(id, id)) };
        self.note(result);
    }
}
