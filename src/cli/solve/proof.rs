//! Output of propositional proofs.

use std::io::{self, Write};

use super::answer::Answer;
use super::dimacs::{Problem, Solved};
use crate::args::{ProofFormat, SolveArgs};
use crate::files::{Partial, Target};
use ramsey_core::diag::Diagnostic;
use ramsey_solver::sat::Solver;
use ramsey_solver::sat::drat::Drat;
use ramsey_solver::sat::proof::{Encoding, Recorder, Renaming};

/// Solves and writes a proof to `target` if the problem is unsatisfiable. A failure to write does not change the
/// answer.
pub(super) fn solve_with_proof(
    problem: &Problem<'_>,
    args: &SolveArgs,
    target: &Target,
) -> Result<Solved, Diagnostic> {
    let encoding = if args.binary_proof { Encoding::Binary } else { Encoding::Text };
    let renaming = Renaming::new(problem.numbers());
    let written = |proof: io::Result<Partial<'_>>| {
        proof.map_err(|error| target.unwritable(&error)).and_then(Partial::finish)
    };
    match args.proof_format {
        ProofFormat::Lrat => {
            target.probe()?;
            let (mut solved, solver) = problem.solve(Recorder::new().renamed(renaming));
            if let Answer::Unsatisfiable(_) = solved.answer {
                solved.proof = target.open().and_then(|file| written(write_lrat(solver, encoding, file)));
            }
            Ok(solved)
        }
        ProofFormat::Drat => {
            let (mut solved, solver) = problem.solve(Drat::new(target.open()?, encoding).renamed(renaming));
            if let Answer::Unsatisfiable(_) = solved.answer {
                solved.proof = written(solver.into_observer().finish());
            }
            Ok(solved)
        }
    }
}

/// Writes the refutation found by `solver`.
fn write_lrat<W: Write>(solver: Solver<Recorder>, encoding: Encoding, mut out: W) -> io::Result<W> {
    let Some(goal) = solver.core_clause() else {
        return Err(io::Error::other("internal error: the refutation was not recorded"));
    };
    solver.into_observer().write_trimmed_lrat(goal, encoding, &mut out)?;
    Ok(out)
}
