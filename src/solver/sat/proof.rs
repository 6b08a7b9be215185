//! Recording of derivations, and output as LRAT proofs.

use std::io::{self, Write};

use super::lit::{ClauseId, Lit};
use super::observer::Observer;
use ramsey_core::base::ids::Id;

/// A step of a derivation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// A clause given by the user.
    Original {
        /// Its id.
        id: ClauseId,
        /// Its literals as given.
        lits: &'a [Lit],
    },
    /// A derived clause.
    Learned {
        /// Its id.
        id: ClauseId,
        /// Its literals.
        lits: &'a [Lit],
        /// The clauses from which it follows, in propagation order.
        antecedents: &'a [ClauseId],
    },
    /// A clause that is not used any more.
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

/// A recorded step, with the ends of its literals and antecedents in the flat vectors.
#[derive(Clone, Copy, Debug)]
struct Record {
    kind: Kind,
    id: ClauseId,
    lits_end: usize,
    antecedents_end: usize,
}

/// Observer that keeps a whole derivation in memory.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    records: Vec<Record>,
    lits: Vec<Lit>,
    antecedents: Vec<ClauseId>,
    renaming: Renaming,
}

impl Recorder {
    /// Creates an empty derivation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Renames the variables in proofs written from this derivation.
    #[must_use]
    pub fn renamed(self, renaming: Renaming) -> Self {
        Recorder { renaming, ..self }
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Checks whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Iterates over the steps in order.
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

    /// Returns the steps on which the clause `goal` depends, in order: original and derived clauses, no deletions.
    pub fn needed_for(&self, goal: ClauseId) -> Vec<Step<'_>> {
        let last_use = self.last_uses(goal);
        let needed =
            |step: &Step<'_>| !matches!(step, Step::Deleted { .. }) && last_use[step.id().index()] != UNUSED;
        self.steps().filter(needed).collect()
    }

    /// Returns, by clause, the index of the last step in the derivation of `goal` that has the clause as an antecedent,
    /// or [`UNUSED`]. The goal itself counts as used at the end.
    fn last_uses(&self, goal: ClauseId) -> Vec<usize> {
        let ids = self.records.iter().map(|record| record.id.index());
        let mut last_use = vec![UNUSED; ids.max().unwrap_or(0).max(goal.index()) + 1];
        last_use[goal.index()] = self.records.len();
        for (at, record) in self.records.iter().enumerate().rev() {
            if matches!(record.kind, Kind::Learned) && last_use[record.id.index()] != UNUSED {
                let start = at.checked_sub(1).map_or(0, |before| self.records[before].antecedents_end);
                for antecedent in &self.antecedents[start..record.antecedents_end] {
                    let last = &mut last_use[antecedent.index()];
                    if *last == UNUSED {
                        *last = at;
                    }
                }
            }
        }
        last_use
    }

    /// Writes the derivation as LRAT text. The original clauses are numbered 1, 2, … in the order in which they were
    /// given, and the derived clauses after all of them, even if the two kinds alternate.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write_lrat(&self, out: &mut impl Write) -> io::Result<()> {
        let mut writer = self.writer(Encoding::Text, out);
        for step in self.steps() {
            match step {
                Step::Original { id, .. } => writer.numbers.original(id),
                Step::Learned { id, lits, antecedents } => {
                    writer.add(id, lits, antecedents)?;
                    if lits.is_empty() {
                        return Ok(());
                    }
                }
                Step::Deleted { id } => writer.delete(&[id])?,
            }
        }
        Ok(())
    }

    /// Writes the part of the derivation on which the clause `goal`, usually the empty one, depends as an LRAT proof.
    /// Clauses are numbered as in [`Recorder::write_lrat`], but omitted clauses get no number. A clause is deleted
    /// after its last use, independently of when the solver deleted it. If the goal is an original clause, it is
    /// derived from itself, because a proof must end with it.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    ///
    /// # Examples
    /// ```
    /// use ramsey_core::base::budget::Budget;
    /// use ramsey_solver::sat::proof::{Encoding, Recorder};
    /// use ramsey_solver::sat::{Answer, Config, Solver};
    ///
    /// let mut solver = Solver::with_config(Config::default(), Recorder::new());
    /// let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
    /// for clause in [&[a, b][..], &[a], &[!a]] {
    ///     solver.add_clause(clause);
    /// }
    /// assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
    /// let goal = solver.core_clause().expect("the empty clause");
    /// let mut proof = Vec::new();
    /// solver.into_observer().write_trimmed_lrat(goal, Encoding::Text, &mut proof)?;
    /// assert_eq!(proof, b"4 0 2 3 0\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_trimmed_lrat(
        &self,
        goal: ClauseId,
        encoding: Encoding,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut last_use = self.last_uses(goal);
        let mut done: Vec<ClauseId> = Vec::new();
        let mut writer = self.writer(encoding, out);
        for (at, step) in self.steps().enumerate() {
            match step {
                Step::Original { id, lits } => {
                    writer.numbers.original(id);
                    if id == goal {
                        return writer.add(id, lits, &[id]);
                    }
                }
                Step::Learned { id, lits, antecedents } if last_use[id.index()] != UNUSED => {
                    writer.add(id, lits, antecedents)?;
                    if id == goal {
                        return Ok(());
                    }
                    done.clear();
                    for &antecedent in antecedents {
                        let last = &mut last_use[antecedent.index()];
                        if *last == at {
                            *last = UNUSED;
                            done.push(antecedent);
                        }
                    }
                    if !done.is_empty() {
                        writer.delete(&done)?;
                    }
                }
                Step::Learned { .. } | Step::Deleted { .. } => {}
            }
        }
        Ok(())
    }
}

/// Value for a clause that is not needed.
const UNUSED: usize = usize::MAX;

/// Encoding of a proof. The descriptions are for LRAT, with clause numbers and antecedents. DRAT has the literals of
/// each clause instead, for deletions too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// One line per step: the number of the clause, its literals, 0, its antecedents, 0. For deletions: the number of
    /// the last clause, `d`, the deleted clauses, 0.
    #[default]
    Text,
    /// The same fields without line ends: `a` precedes a clause, a single `d` precedes deletions. A number n is encoded
    /// as 2|n|, plus one if it is negative, in groups of seven bits, the lowest first. All bytes but the last have the
    /// highest bit set.
    Binary,
}

/// Renaming of the variables of a solver in a proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renaming {
    /// By variable, its number from 1. Variables beyond the end keep their own numbers.
    numbers: Vec<u32>,
}

impl Renaming {
    /// Creates a renaming of the first variables to these numbers, which must be positive, distinct and below 2^31.
    pub fn new(numbers: Vec<u32>) -> Renaming {
        Renaming { numbers }
    }

    /// Returns the DIMACS number of a literal after renaming.
    #[inline]
    pub fn number(&self, lit: Lit) -> i32 {
        match self.numbers.get(lit.var().index()) {
            Some(&number) if lit.is_negative() => -(number as i32),
            Some(&number) => number as i32,
            None => lit.to_dimacs(),
        }
    }
}

/// Clause numbers in a proof.
struct ClauseNumbers {
    /// By clause; 0 if it has no number yet.
    of: Vec<u64>,
    originals: u64,
    last: u64,
}

impl ClauseNumbers {
    fn new(recorder: &Recorder) -> Self {
        let originals = recorder.records.iter().filter(|record| matches!(record.kind, Kind::Original));
        ClauseNumbers { of: Vec::new(), originals: 0, last: originals.count() as u64 }
    }

    fn set(&mut self, id: ClauseId, number: u64) {
        if self.of.len() <= id.index() {
            self.of.resize(id.index() + 1, 0);
        }
        self.of[id.index()] = number;
    }

    fn original(&mut self, id: ClauseId) {
        self.originals += 1;
        self.set(id, self.originals);
    }
}

/// Writer of numbered proof steps.
struct Writer<'a, W> {
    out: &'a mut W,
    encoding: Encoding,
    numbers: ClauseNumbers,
    renaming: &'a Renaming,
}

impl<W: Write> Writer<'_, W> {
    /// Writes a clause with the next number. Its antecedents may have the same id under an earlier number.
    fn add(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) -> io::Result<()> {
        self.numbers.last += 1;
        let number = self.numbers.last;
        match self.encoding {
            Encoding::Text => write!(self.out, "{number}")?,
            Encoding::Binary => {
                self.out.write_all(b"a")?;
                self.pack(number, false)?;
            }
        }
        for &lit in lits {
            let number = self.renaming.number(lit);
            match self.encoding {
                Encoding::Text => write!(self.out, " {number}")?,
                Encoding::Binary => self.pack(number.unsigned_abs().into(), lit.is_negative())?,
            }
        }
        match self.encoding {
            Encoding::Text => write!(self.out, " 0")?,
            Encoding::Binary => self.pack(0, false)?,
        }
        self.clauses(antecedents)?;
        self.numbers.set(id, number);
        Ok(())
    }

    fn delete(&mut self, ids: &[ClauseId]) -> io::Result<()> {
        match self.encoding {
            Encoding::Text => write!(self.out, "{} d", self.numbers.last)?,
            Encoding::Binary => self.out.write_all(b"d")?,
        }
        self.clauses(ids)
    }

    /// Writes the numbers of these clauses, and the end of a step.
    fn clauses(&mut self, ids: &[ClauseId]) -> io::Result<()> {
        for id in ids {
            let number = self.numbers.of[id.index()];
            match self.encoding {
                Encoding::Text => write!(self.out, " {number}")?,
                Encoding::Binary => self.pack(number, false)?,
            }
        }
        match self.encoding {
            Encoding::Text => writeln!(self.out, " 0"),
            Encoding::Binary => self.pack(0, false),
        }
    }

    fn pack(&mut self, number: u64, negative: bool) -> io::Result<()> {
        pack(self.out, number, negative)
    }
}

/// Writes a number in the binary encoding.
pub(super) fn pack(out: &mut impl Write, number: u64, negative: bool) -> io::Result<()> {
    let mut rest = number << 1 | u64::from(negative);
    while rest > 0x7F {
        out.write_all(&[(rest & 0x7F) as u8 | 0x80])?;
        rest >>= 7;
    }
    out.write_all(&[rest as u8])
}

impl Step<'_> {
    /// Returns the id of the clause.
    pub fn id(&self) -> ClauseId {
        match *self {
            Step::Original { id, .. } | Step::Learned { id, .. } | Step::Deleted { id } => id,
        }
    }
}

impl Recorder {
    fn writer<'a, W: Write>(&'a self, encoding: Encoding, out: &'a mut W) -> Writer<'a, W> {
        Writer { out, encoding, numbers: ClauseNumbers::new(self), renaming: &self.renaming }
    }

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
