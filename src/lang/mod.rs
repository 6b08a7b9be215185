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
use crate::diag::Diagnostic;
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

/// The same within a budget, of which a token takes a unit, and a node of a formula, and one of an expanded definition.
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
    match language {
        Language::Pyv => pyv::load_within(file, &sources[file].text, budget),
        Language::Rml => rml::load_within(file, sources, includes, budget),
    }
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
