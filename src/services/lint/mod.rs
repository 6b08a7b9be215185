//! Lints: warnings about valid models that are probably not what was intended. They read only the text and its syntax
//! tree. Neither the meaning of a model nor its claims depend on this module.
//!
//! `spec/diagnostics.md` has an example of each lint (R040 to R048). Lints that require search are in [`ramsey_engine::query`]:
//! unsatisfiable guards (R042), and invariants implied by others (R043).

mod calls;
mod formulas;
mod frames;
mod ivy;
mod precedence;
mod quantifiers;
mod unused;
mod updates;
mod variables;

pub use quantifiers::quantifiers;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Sources};
use ramsey_core::diag::Diagnostic;
use ramsey_lang::Trees;
use ramsey_lang::program::ast::Program;
use ramsey_lang::pyv::ast::Dialect;
use ramsey_lang::pyv::in_newer_dialect;

use formulas::{Formula, Update, of_program, of_pyv};
use ivy::Ivy;

/// Maximum number of warnings per file.
const MAX_WARNINGS: usize = 100;

/// Returns the warnings about a model without errors, for its file and the files that it includes, ordered by position.
/// Each formula costs one unit of the budget.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lint(trees: &Trees, sources: &Sources, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
    let subject: Box<dyn Subject<'_> + '_> = match trees {
        Trees::Pyv(program) => Box::new(Pyv { program, text: &sources[program.file].text }),
        Trees::Program(programs) => Box::new(Programs { programs, sources }),
        Trees::Ivy(model) => Box::new(Ivy { model, sources }),
        // Nobody has written it by hand.
        Trees::Core(_) => return Ok(Vec::new()),
    };
    let mut found = Vec::new();
    let declared = subject.unused(&mut found);
    let (formulas, updates) = subject.formulas(&mut found);
    for formula in formulas {
        budget.spend(1)?;
        precedence::check(&formula, &mut found);
        variables::check(&formula, &declared, &mut found);
    }
    for update in updates {
        budget.spend(1)?;
        updates::logical(&update, &declared, &mut found);
    }
    subject.pointwise(&mut found);
    subject.by_name(&mut found);
    subject.frameless(&mut found);
    found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    found.truncate(MAX_WARNINGS);
    Ok(found)
}

/// Returns whether the file is built in.
fn is_prelude(sources: &Sources, file: FileId) -> bool {
    sources[file].name.starts_with('<') && sources[file].name != "<stdin>"
}

/// What lints read of a model. Each language has to say what each of them means for it, so nothing has a default.
trait Subject<'a> {
    /// Reports unused declarations (R044). Returns all names except sorts.
    fn unused(&self, found: &mut Vec<Diagnostic>) -> Set<&'a str>;

    /// Returns the formulas (R040, R045), and the updates of commands (R046). Reports unused variables of commands.
    fn formulas(&self, found: &mut Vec<Diagnostic>) -> (Vec<Formula<'a>>, Vec<Update<'a>>);

    /// Reports transitions that leave a symbol arbitrary for all but some tuples (R041).
    fn pointwise(&self, found: &mut Vec<Diagnostic>);

    /// Reports arguments that are evaluated in another state elsewhere (R047).
    fn by_name(&self, found: &mut Vec<Diagnostic>);

    /// Reports transitions that are used as formulas (R048).
    fn frameless(&self, found: &mut Vec<Diagnostic>);
}

/// A model in `.pyv`, with its text.
struct Pyv<'a> {
    program: &'a ramsey_lang::pyv::ast::Program,
    text: &'a str,
}

impl<'a> Subject<'a> for Pyv<'a> {
    fn unused(&self, found: &mut Vec<Diagnostic>) -> Set<&'a str> {
        unused::of_pyv(self.program, found)
    }

    fn formulas(&self, _: &mut Vec<Diagnostic>) -> (Vec<Formula<'a>>, Vec<Update<'a>>) {
        (of_pyv(self.program, self.text), Vec::new())
    }

    fn pointwise(&self, found: &mut Vec<Diagnostic>) {
        updates::pointwise(&in_newer_dialect(self.program), found);
    }

    fn by_name(&self, found: &mut Vec<Diagnostic>) {
        // In the older dialect, mypyvy too reads arguments where they are given.
        if self.program.dialect == Dialect::Newer {
            calls::by_name(self.program, found);
        }
    }

    fn frameless(&self, found: &mut Vec<Diagnostic>) {
        frames::missing(self.program, found);
    }
}

/// A program in `.rml`, with the files that it includes.
struct Programs<'a> {
    programs: &'a [Program],
    sources: &'a Sources,
}

impl<'a> Subject<'a> for Programs<'a> {
    fn unused(&self, found: &mut Vec<Diagnostic>) -> Set<&'a str> {
        unused::of_programs(self.programs, |file| is_prelude(self.sources, file), found)
    }

    fn formulas(&self, found: &mut Vec<Diagnostic>) -> (Vec<Formula<'a>>, Vec<Update<'a>>) {
        let (mut formulas, mut updates) = (Vec::new(), Vec::new());
        for program in self.programs.iter().filter(|it| !is_prelude(self.sources, it.file)) {
            let (more, others) = of_program(program, &self.sources[program.file].text, found);
            formulas.extend(more);
            updates.extend(others);
        }
        (formulas, updates)
    }

    fn pointwise(&self, _: &mut Vec<Diagnostic>) {
        // Commands keep what they do not mention.
    }

    fn by_name(&self, _: &mut Vec<Diagnostic>) {
        // No macro reads another state than that of its use.
    }

    fn frameless(&self, _: &mut Vec<Diagnostic>) {
        // An action is no formula.
    }
}
