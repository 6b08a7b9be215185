//! Output of a derivation as a DRAT proof during the search.

use std::io::{self, Write};

use super::lit::{ClauseId, Lit};
use super::observer::Observer;
use super::proof::{Encoding, Renaming, pack};

/// Observer that writes every derived clause and every deletion to `W` as a step of a DRAT proof, and keeps nothing.
/// The proof ends with the empty clause. All its steps need only unit propagation.
///
/// # Examples
/// ```
/// use ramsey_core::base::budget::Budget;
/// use ramsey_solver::sat::drat::Drat;
/// use ramsey_solver::sat::proof::Encoding;
/// use ramsey_solver::sat::{Answer, Config, Solver};
///
/// let mut solver = Solver::with_config(Config::default(), Drat::new(Vec::new(), Encoding::Text));
/// let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
/// for clause in [&[a, b][..], &[a, !b], &[!a, b], &[!a, !b]] {
///     solver.add_clause(clause);
/// }
/// assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
/// let proof = solver.into_observer().finish()?;
/// assert!(proof.ends_with(b"\n0\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Drat<W> {
    out: W,
    encoding: Encoding,
    renaming: Renaming,
    /// The first error, or success once the empty clause is written. Nothing is written afterwards.
    ended: Option<io::Result<()>>,
}

impl<W: Write> Drat<W> {
    /// Creates a proof that is written to `out`.
    pub fn new(out: W, encoding: Encoding) -> Self {
        Drat { out, encoding, renaming: Renaming::default(), ended: None }
    }

    /// Renames the variables in the proof.
    #[must_use]
    pub fn renamed(self, renaming: Renaming) -> Self {
        Drat { renaming, ..self }
    }

    /// Ends the proof and returns the writer.
    ///
    /// # Errors
    /// Returns the first error of `out`.
    pub fn finish(self) -> io::Result<W> {
        self.ended.unwrap_or(Ok(()))?;
        Ok(self.out)
    }

    fn step(&mut self, deletes: bool, lits: &[Lit]) {
        if self.ended.is_some() {
            return;
        }
        let written = match self.encoding {
            Encoding::Text => self.text(deletes, lits),
            Encoding::Binary => self.binary(deletes, lits),
        };
        if written.is_err() || lits.is_empty() && !deletes {
            self.ended = Some(written);
        }
    }

    fn text(&mut self, deletes: bool, lits: &[Lit]) -> io::Result<()> {
        if deletes {
            self.out.write_all(b"d ")?;
        }
        for &lit in lits {
            write!(self.out, "{} ", self.renaming.number(lit))?;
        }
        self.out.write_all(b"0\n")
    }

    fn binary(&mut self, deletes: bool, lits: &[Lit]) -> io::Result<()> {
        self.out.write_all(if deletes { b"d" } else { b"a" })?;
        for &lit in lits {
            pack(&mut self.out, self.renaming.number(lit).unsigned_abs().into(), lit.is_negative())?;
        }
        pack(&mut self.out, 0, false)
    }
}

impl<W: Write> Observer for Drat<W> {
    const ACTIVE: bool = true;

    fn original(&mut self, _: ClauseId, lits: &[Lit]) {
        // A proof ends with the empty clause even if that is an original clause.
        if lits.is_empty() {
            self.step(false, lits);
        }
    }

    fn learned(&mut self, _: ClauseId, lits: &[Lit], _: &[ClauseId]) {
        self.step(false, lits);
    }

    fn deleted(&mut self, _: ClauseId, lits: &[Lit]) {
        self.step(true, lits);
    }
}
