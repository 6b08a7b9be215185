//! A small checker of derivations, for tests: it shares no code with the solver and is strict.

use super::lit::{ClauseId, Lit};
use super::observer::Observer;
use super::proof::Step;
use crate::base::hash::{Map, Set};

/// Why a derivation is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// This id was used before.
    Reused(ClauseId),
    /// The clause (first) refers to one that does not exist or was deleted.
    Missing(ClauseId, ClauseId),
    /// An antecedent (second) of the clause (first) is neither unit nor false at its place.
    Useless(ClauseId, ClauseId),
    /// The clause does not follow: no antecedent became false.
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
    /// A checker that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The first flaw, if any.
    pub fn flaw(&self) -> Option<&Flaw> {
        self.flaw.as_ref()
    }

    /// The literals of a clause that was given or soundly derived and not deleted.
    pub fn clause(&self, id: ClauseId) -> Option<&[Lit]> {
        self.live.get(&id).map(Vec::as_slice)
    }

    /// How many clauses are neither deleted nor replaced.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Checks all `steps`.
    ///
    /// # Errors
    /// The first flaw.
    pub fn check<'a>(&mut self, steps: impl IntoIterator<Item = Step<'a>>) -> Result<(), Flaw> {
        for step in steps {
            self.step(step)?;
        }
        Ok(())
    }

    /// Checks one step.
    ///
    /// # Errors
    /// What is wrong with it.
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
                // Nothing may come after the conflict.
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

/// Checks while the solver runs: [`Checker::flaw`] tells the result.
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
