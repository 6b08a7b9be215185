//! Lints: warnings about valid models that are probably not what was intended. They read only the text and its syntax
//! tree. Neither the meaning of a model nor its claims depend on this module.
//!
//! `spec/diagnostics.md` has an example of each lint (R040 to R049). Lints that require search are in [`crate::query`]:
//! unsatisfiable guards (R042), and invariants implied by others (R043).

mod calls;
mod formulas;
mod frames;
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
use crate::lang::pyv::ast::Dialect;
use crate::lang::pyv::in_newer_dialect;
pub use quantifiers::quantifiers;

use formulas::{Formula, of_program, of_pyv};

/// Maximum number of warnings per file.
const MAX_WARNINGS: usize = 100;

/// Returns the warnings about a model without errors, for its file and the files that it includes, ordered by position.
/// Each formula costs one unit of the budget.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lint(trees: &Trees, sources: &Sources, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
    let mut found = Vec::new();
    match trees {
        Trees::Pyv(program) => {
            let declared = unused::of_pyv(program, &mut found);
            for formula in of_pyv(program, &sources[program.file].text) {
                budget.spend(1)?;
                check(&formula, &declared, &mut found);
            }
            frames::missing(program, &mut found);
            updates::pointwise(&in_newer_dialect(program), &mut found);
            // In the older dialect, mypyvy too reads arguments where they are given.
            if program.dialect == Dialect::Newer {
                calls::by_name(program, &mut found);
            }
        }
        // What a program means is not what was written, and its formulas are in other places.
        Trees::Ivy(_) => {}
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
    found.truncate(MAX_WARNINGS);
    Ok(found)
}

/// Returns whether the file is built in.
fn is_prelude(sources: &Sources, file: FileId) -> bool {
    sources[file].name.starts_with('<') && sources[file].name != "<stdin>"
}

/// Runs the lints that consider a single formula.
fn check(formula: &Formula<'_>, declared: &Set<&str>, found: &mut Vec<Diagnostic>) {
    precedence::check(formula, found);
    variables::check(formula, declared, found);
}
