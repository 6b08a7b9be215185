//! RML, the relational modeling language (Ivy, PLDI 2016, section 3): parser, and translation of programs to transition
//! systems. `spec/rml.md` defines the language.

mod hints;
pub(crate) mod lexer;
mod parser;

use super::fol::names::Terminology;
use super::fol::parser::parse_formula;
use super::fol::token::Token;
use super::program::ast::{Item, ItemKind, Program};
use super::program::{self, Axioms, Dialect};
use super::shared::{BuiltIn, FormulaKind, Includes, Inclusion};
use lexer::Lexer;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Sources};
use ramsey_core::diag::Diagnostic;
use ramsey_core::system::System;

/// Files that every program can include, by their paths there.
const PRELUDE: &[(&str, BuiltIn)] = &[
    ("order", ("<order.rml>", include_str!("prelude/order.rml"))),
    ("ring", ("<ring.rml>", include_str!("prelude/ring.rml"))),
];

/// Returns the file that is built in for a path.
fn built_in(path: &str, _: &str) -> Option<BuiltIn> {
    PRELUDE.iter().find(|(known, _)| *known == path).map(|(_, file)| *file)
}

/// Rules for including files.
pub(crate) const INCLUSION: Inclusion =
    Inclusion { included, prelude: built_in, is_own_first: false, library: None };

/// The properties of the language for the static checks.
const DIALECT: Dialect = Dialect {
    terminology: Terminology {
        sort: "sort",
        constant: "a variable",
        transition: "action",
        local: "`local name: sort`",
        foreign: hints::name,
    },
    prelude: &["order", "ring"],
    overloads: false,
    is_variable: super::fol::is_capital,
    is_restricted: true,
    axioms: Axioms::OfChanges,
};

/// Parses a file. Items with syntax errors are represented by [`program::ast::ItemKind::Broken`], commands with syntax
/// errors by [`program::ast::CommandKind::Broken`].
pub fn parse(file: FileId, text: &str) -> (Program, Vec<Diagnostic>) {
    // An unlimited budget is never exhausted.
    let parsed = parse_within(file, text, &mut Budget::unlimited());
    parsed.unwrap_or_else(|_| (Program { items: Vec::new(), file }, Vec::new()))
}

/// Like [`parse`], within a budget: each token costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(Program, Vec<Diagnostic>), Exhausted> {
    parser::parse(file, text, budget)
}

/// Parses a file, which is the first of the result, and each file that it includes, within a budget: each token costs
/// one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_files_within(
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Vec<Program>, Vec<Diagnostic>), Exhausted> {
    let included = |program: &Program| {
        let paths = program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Include { path, .. } => Some(path.to_string()),
            _ => None,
        });
        paths.collect()
    };
    includes.parse_files(file, sources, |file, text| parse_within(file, text, budget), included)
}

/// Returns the paths of the files that a text includes, as written.
pub fn included(text: &str) -> Vec<String> {
    // A string with its quotes.
    program::included(text, Lexer::new(text, ()), Token::Text, |path| path[1..path.len() - 1].to_owned())
}

/// Lowers programs together with separate formulas; see [`crate::lower_with_formulas`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_with_formulas(
    mut programs: Vec<Program>,
    formulas: &[FileId],
    kind: FormulaKind<'_>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let mut diagnostics = Vec::new();
    for &file in formulas {
        let text = &sources[file].text;
        let (formula, more) = parse_formula(file, text, Lexer::new(text, ()));
        diagnostics.extend(more);
        if let Some((program, formula)) = programs.first_mut().zip(formula) {
            program.add_formula(formula, kind);
        }
    }
    let (system, more) = lower_within(&programs, sources, includes, budget)?;
    diagnostics.extend(more);
    Ok((system, diagnostics))
}

/// Returns the declarations and commands of parsed files without errors, in the place of includes and modules.
pub(crate) fn expanded(programs: &[Program], sources: &Sources, includes: &Includes) -> Vec<Item> {
    program::expanded(programs, sources, includes, DIALECT)
}

/// Checks and lowers parsed files, the first of which is the program. Returns a system if and only if there is no
/// error. Each node of a formula costs one unit of the budget, including nodes of expanded definitions.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_within(
    programs: &[Program],
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    program::lower_within(programs, sources, includes, DIALECT, budget)
}
