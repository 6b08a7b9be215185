//! Input languages, one module each.

pub mod dimacs;
mod error;
mod files;
mod loaded;
pub mod pyv;
pub mod rml;
pub mod smtlib;
pub mod tptp;

use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{FileId, Sources};
use crate::diag::{Diagnostic, Severity};
use crate::logic::TermId;
use crate::system::System;

pub use error::Error;
pub use files::Includes;
pub use loaded::{Kind, Loaded};

/// A language that models are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// mypyvy's `.pyv`.
    Pyv,
    /// Programs in the relational modeling language, `.rml`.
    Rml,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::Pyv, Language::Rml];

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Pyv => "pyv",
            Language::Rml => "rml",
        }
    }

    /// The language of a file of this name, by its extension; `.pyv` where that tells nothing, as for standard input.
    pub fn of_name(name: &str) -> Language {
        if name.ends_with(".rml") { Language::Rml } else { Language::Pyv }
    }
}

/// The syntax trees of a model. They hold what could be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trees {
    /// The tree of the file.
    Pyv(pyv::ast::Program),
    /// Those of the file and of the files that it includes, each once; that of the file itself is the first.
    Rml(Vec<rml::ast::Program>),
}

/// Parses a file, and the files that it includes, within a budget, of which a token takes a unit.
///
/// # Errors
/// The budget that ran out.
pub fn parse_within(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Trees, Vec<Diagnostic>), Exhausted> {
    Ok(match language {
        Language::Pyv => {
            let (program, diagnostics) = pyv::parse_within(file, &sources[file].text, budget)?;
            (Trees::Pyv(program), diagnostics)
        }
        Language::Rml => {
            let (programs, diagnostics) = rml::parse_files_within(file, sources, includes, budget)?;
            (Trees::Rml(programs), diagnostics)
        }
    })
}

/// Checks parsed files, and lowers them, within a budget, of which a node of a formula takes a unit, and one of an expanded
/// definition. `diagnostics` are those of parsing. There is a system if and only if there is no error.
///
/// # Errors
/// The budget that ran out.
pub fn lower_within(
    trees: &Trees,
    mut diagnostics: Vec<Diagnostic>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let (system, more) = match trees {
        Trees::Pyv(program) => pyv::lower_within(program, &sources[program.file].text, budget)?,
        Trees::Rml(programs) => rml::lower_within(programs, sources, includes, budget)?,
    };
    diagnostics.extend(more);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Ok((system.filter(|_| !has_errors), diagnostics))
}

/// Parses and lowers a file, with the files that it includes. There is a system if and only if there is no error.
pub fn load(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
) -> (Option<System>, Vec<Diagnostic>) {
    // There is no limit to run out of.
    load_within(language, file, sources, includes, &mut Budget::unlimited()).unwrap_or_default()
}

/// The same within a budget, which parsing and lowering share.
///
/// # Errors
/// The budget that ran out.
pub fn load_within(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let (trees, diagnostics) = parse_within(language, file, sources, includes, budget)?;
    lower_within(&trees, diagnostics, sources, includes, budget)
}

/// What a formula beside a model is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaKind<'a> {
    /// A claim about every state, with the rules for an invariant.
    Claim,
    /// To be evaluated on states: with any quantifiers, and with names for elements.
    Question {
        /// How many states it may speak of: 1, or 2 where the language has formulas about the next state.
        states: u16,
        /// The names, each with its sort; they become constants of the system.
        constants: &'a [(String, String)],
    },
}

/// A model with a formula beside it, if there is no error, and diagnostics of both.
pub type WithFormula = (Option<(System, TermId)>, Vec<Diagnostic>);

/// Loads a file together with a formula in its language: closed (capital letters as in an invariant).
/// The system's claims are those of the file. Errors in the formula point into its own text, `formula`. The budget is that of
/// [`load_within`].
///
/// # Errors
/// The budget that ran out.
pub fn load_with_formula(
    language: Language,
    file: FileId,
    formula: FileId,
    kind: FormulaKind<'_>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<WithFormula, Exhausted> {
    match language {
        Language::Pyv => {
            pyv::load_with_formula(file, &sources[file].text, formula, &sources[formula].text, kind, budget)
        }
        Language::Rml => rml::load_with_formula(file, formula, kind, sources, includes, budget),
    }
}

/// Parses a file and prints it in canonical format.
pub fn format(language: Language, file: FileId, text: &str) -> (String, Vec<Diagnostic>) {
    match language {
        Language::Pyv => {
            let (program, diagnostics) = pyv::parse(file, text);
            (pyv::print(&program), diagnostics)
        }
        Language::Rml => {
            let (program, diagnostics) = rml::parse(file, text);
            (rml::print(&program), diagnostics)
        }
    }
}
