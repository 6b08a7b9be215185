//! Lints: what a model says, and what its author hardly means. They are warnings, and read the text and its syntax tree
//! alone: what a model means, and what is claimed of it, does not depend on anything here.
//!
//! `spec/diagnostics.md` has an example for each (R040 to R049). What needs search is in [`crate::query`]: guards that
//! nothing satisfies (R042), and invariants that follow from others (R043).

mod calls;
mod formulas;
mod precedence;
mod unused;
mod updates;
mod variables;

use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Set;
use crate::base::span::{FileId, Sources};
use crate::diag::Diagnostic;
use crate::lang::{Includes, Language, pyv, rml};
use formulas::{Formula, of_program, of_pyv};

/// So many warnings of one file are given.
const MOST: usize = 100;

/// The lints of a model that has no errors: of its file, and of the files that it includes. In the order of their places.
pub fn lint(language: Language, file: FileId, sources: &Sources, includes: &Includes) -> Vec<Diagnostic> {
    // There is no limit to run out of.
    lint_within(language, file, sources, includes, &mut Budget::unlimited()).unwrap_or_default()
}

/// The same within a budget, of which a token takes a unit, and a formula.
///
/// # Errors
/// The budget that ran out.
pub fn lint_within(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<Vec<Diagnostic>, Exhausted> {
    let mut found = Vec::new();
    match language {
        Language::Pyv => {
            let text = &sources[file].text;
            let (program, _) = pyv::parse_within(file, text, budget)?;
            let declared = unused::of_pyv(&program, &mut found);
            for formula in of_pyv(&program, text) {
                budget.spend(1)?;
                check(&formula, &declared, &mut found);
            }
            updates::pointwise(&program, &mut found);
            calls::by_name(&program, &mut found);
        }
        Language::Rml => {
            let mut files: Vec<FileId> = includes.files().chain([file]).collect();
            files.sort_unstable();
            files.dedup();
            let mut programs: Vec<rml::ast::Program> = Vec::new();
            for &file in &files {
                programs.push(rml::parse_within(file, &sources[file].text, budget)?.0);
            }
            let declared = unused::of_programs(&programs, |file| is_prelude(sources, file), &mut found);
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
