//! Recording a derivation, and writing it as an LRAT proof.

use std::io::{self, Write};

use super::lit::{ClauseId, Lit};
use super::observer::Observer;
use crate::base::ids::Id;

/// What happened to a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// The user gave it.
    Original {
        /// Its id.
        id: ClauseId,
        /// Its literals as given.
        lits: &'a [Lit],
    },
    /// It was derived.
    Learned {
        /// Its id.
        id: ClauseId,
        /// Its literals.
        lits: &'a [Lit],
        /// The clauses it follows from, in the order of propagation.
        antecedents: &'a [ClauseId],
    },
    /// It is not used any more.
    Deleted {
        /// Its id.
        id: ClauseId,
    },
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Original,
    Learned,
    Deleted,
}

/// One step: where its literals and antecedents end in the flat vectors.
#[derive(Clone, Copy, Debug)]
struct Record {
    kind: Kind,
    id: ClauseId,
    lits_end: usize,
    antecedents_end: usize,
}

/// Keeps a whole derivation in memory.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    records: Vec<Record>,
    lits: Vec<Lit>,
    antecedents: Vec<ClauseId>,
}

impl Recorder {
    /// An empty derivation.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The steps in order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let mut start = (0, 0);
        self.records.iter().map(move |record| {
            let lits = &self.lits[start.0..record.lits_end];
            let antecedents = &self.antecedents[start.1..record.antecedents_end];
            start = (record.lits_end, record.antecedents_end);
            match record.kind {
                Kind::Original => Step::Original { id: record.id, lits },
                Kind::Learned => Step::Learned { id: record.id, lits, antecedents },
                Kind::Deleted => Step::Deleted { id: record.id },
            }
        })
    }

    /// The steps that the clause `goal` depends on, in order: originals and derived clauses, no deletions.
    pub fn needed_for(&self, goal: ClauseId) -> Vec<Step<'_>> {
        let steps: Vec<Step<'_>> = self.steps().collect();
        let size = steps.iter().map(|step| step.id().index() + 1).max().unwrap_or(0).max(goal.index() + 1);
        let mut needed = vec![false; size];
        needed[goal.index()] = true;
        let mut kept: Vec<Step<'_>> = Vec::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Deleted { .. } => continue,
                Step::Original { id, .. } if !needed[id.index()] => continue,
                Step::Learned { id, .. } if !needed[id.index()] => continue,
                Step::Original { .. } => {}
                Step::Learned { antecedents, .. } => {
                    antecedents.iter().for_each(|antecedent| needed[antecedent.index()] = true);
                }
            }
            kept.push(step);
        }
        kept.reverse();
        kept
    }

    /// Writes the derivation as LRAT text. The original clauses get the numbers 1, 2, … in the order in which they
    /// were given, and the derived ones the numbers after those, however the two kinds were mixed.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_lrat(&self, out: &mut impl Write) -> io::Result<()> {
        let originals =
            self.records.iter().filter(|record| matches!(record.kind, Kind::Original)).count() as u64;
        let mut numbers: Vec<u64> = Vec::new();
        let (mut next_original, mut last) = (1, originals);
        for step in self.steps() {
            let at = step.id().index();
            if numbers.len() <= at {
                numbers.resize(at + 1, 0);
            }
            match step {
                Step::Original { .. } => {
                    numbers[at] = next_original;
                    next_original += 1;
                }
                Step::Learned { lits, antecedents, .. } => {
                    last += 1;
                    numbers[at] = last;
                    write!(out, "{last}")?;
                    for lit in lits {
                        write!(out, " {lit}")?;
                    }
                    write!(out, " 0")?;
                    for antecedent in antecedents {
                        write!(out, " {}", numbers[antecedent.index()])?;
                    }
                    writeln!(out, " 0")?;
                    if lits.is_empty() {
                        return Ok(());
                    }
                }
                Step::Deleted { .. } => writeln!(out, "{last} d {} 0", numbers[at])?,
            }
        }
        Ok(())
    }
}

impl Step<'_> {
    /// The id of the clause.
    pub fn id(&self) -> ClauseId {
        match *self {
            Step::Original { id, .. } | Step::Learned { id, .. } | Step::Deleted { id } => id,
        }
    }
}

impl Recorder {
    fn push(&mut self, kind: Kind, id: ClauseId) {
        let (lits_end, antecedents_end) = (self.lits.len(), self.antecedents.len());
        self.records.push(Record { kind, id, lits_end, antecedents_end });
    }
}

impl Observer for Recorder {
    const ACTIVE: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.push(Kind::Original, id);
    }

    fn learned(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.lits.extend_from_slice(lits);
        self.antecedents.extend_from_slice(antecedents);
        self.push(Kind::Learned, id);
    }

    fn deleted(&mut self, id: ClauseId, _: &[Lit]) {
        self.push(Kind::Deleted, id);
    }
}
