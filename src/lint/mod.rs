//! Lints: what a model says, and what its author hardly means. They are warnings, and read the text and its syntax tree
//! alone: what a model means, and what is claimed of it, does not depend on anything here.
//!
//! `spec/diagnostics.md` has an example for each (R040 to R049). What needs search is in [`crate::query`]: guards that
//! nothing satisfies (R042), and invariants that follow from others (R043).

mod calls;
mod formulas;
mod precedence;
mod quantifiers;
mod unused;
mod updates;
mod variables;

use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Set;
use crate::base::span::{FileId, Sources};
use crate::diag::Diagnostic;
use crate::lang::Trees;
pub use quantifiers::quantifiers;

use formulas::{Formula, of_program, of_pyv};

/// So many warnings of one file are given.
const MOST: usize = 100;

/// The lints of a model that has no errors: of its file, and of the files that it includes. In the order of their places. A
/// formula takes a unit of the budget.
///
/// # Errors
/// The budget that ran out.
pub fn lint(trees: &Trees, sources: &Sources, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
    let mut found = Vec::new();
    match trees {
        Trees::Pyv(program) => {
            let declared = unused::of_pyv(program, &mut found);
            for formula in of_pyv(program, &sources[program.file].text) {
                budget.spend(1)?;
                check(&formula, &declared, &mut found);
            }
            updates::pointwise(program, &mut found);
            calls::by_name(program, &mut found);
        }
        Trees::Program(programs) => {
            let declared = unused::of_programs(programs, |file| is_prelude(sources, file), &mut found);
            for program in programs.iter().filter(|program| !is_prelude(sources, program.file)) {
                for formula in of_program(program, &sources[program.file].text, &mut found) {
                    budget.spend(1)?;
                    check(&formula, &declared, &mut found);
                }
                updates::logical(program, &declared, &mut found);
            }
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    found.truncate(MOST);
    Ok(found)
}

/// Whether the file is one of those that are built in.
fn is_prelude(sources: &Sources, file: FileId) -> bool {
    sources[file].name.starts_with('<') && sources[file].name != "<stdin>"
}

/// What is looked at in each formula by itself.
fn check(formula: &Formula<'_>, declared: &Set<&str>, found: &mut Vec<Diagnostic>) {
    precedence::check(formula, found);
    variables::check(formula, declared, found);
}
