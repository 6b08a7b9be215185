//! Programs in RML, the relational modeling language (Ivy, PLDI 2016, section 3): text to syntax tree to transition
//! system, and back to text. What is said of a program is in `spec/rml.md`.
//!
//! Formulas are those of `.pyv`: parser, inference of sorts and expansion of definitions are shared with
//! [`crate::lang::pyv`].

mod actions;
pub mod ast;
mod commands;
mod declare;
pub(in crate::lang) mod lexer;
mod lower;
mod modules;
mod parser;
mod printer;
mod quantifiers;
mod statements;
mod stratification;
#[cfg(test)]
mod tests;
mod typed;

use super::pyv;
use super::pyv::check::Checker;
use super::pyv::report::Report;
use super::{FormulaKind, Includes, Language, Trees, WithFormula};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Set;
use crate::base::span::{FileId, Sources, Span};
use crate::diag::Diagnostic;
use crate::system::System;
use ast::{Item, ItemKind};

/// Files that every program can include, by the name without extension.
const PRELUDE: &[(&str, &str)] =
    &[("order", include_str!("prelude/order.rml")), ("ring", include_str!("prelude/ring.rml"))];

/// The text of the prelude's file `name`.
pub fn prelude(name: &str) -> Option<&'static str> {
    PRELUDE.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}

/// The names of the prelude's files.
fn prelude_names() -> impl Iterator<Item = &'static str> {
    PRELUDE.iter().map(|&(name, _)| name)
}

/// Parses a file. The tree holds what could be understood; items with errors are [`ItemKind::Broken`], commands
/// with errors are [`ast::CommandKind::Broken`].
pub fn parse(file: FileId, text: &str) -> (ast::Program, Vec<Diagnostic>) {
    // There is no limit to run out of.
    let parsed = parse_within(file, text, &mut Budget::unlimited());
    parsed.unwrap_or_else(|_| (ast::Program { items: Vec::new(), file }, Vec::new()))
}

/// The same within a budget, of which a token takes a unit.
///
/// # Errors
/// The budget that ran out.
pub fn parse_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(ast::Program, Vec<Diagnostic>), Exhausted> {
    parser::parse(file, text, budget)
}

/// Parses a file, which is the first of the result, and each file that it includes, within a budget, of which a token takes a
/// unit.
///
/// # Errors
/// The budget that ran out.
pub fn parse_files_within(
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Vec<ast::Program>, Vec<Diagnostic>), Exhausted> {
    let (program, mut diagnostics) = parse_within(file, &sources[file].text, budget)?;
    let mut seen = Set::from_iter([file]);
    let mut programs = vec![program];
    let mut at = 0;
    while let Some(program) = programs.get(at) {
        let included = program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Include { path, .. } => includes.get(program.file, path).ok(),
            _ => None,
        });
        let new: Vec<FileId> = included.filter(|&file| seen.insert(file)).collect();
        for file in new {
            let (program, found) = parse_within(file, &sources[file].text, budget)?;
            programs.push(program);
            diagnostics.extend(found);
        }
        at += 1;
    }
    Ok((programs, diagnostics))
}

/// The files that a text says it includes, as it writes them.
pub fn included(text: &str) -> Vec<String> {
    let mut lexer = lexer::Lexer::new(text);
    let mut found = Vec::new();
    let mut after_include = false;
    while let Some(token) = lexer.next() {
        let token = token.ok();
        if after_include && token == Some(pyv::lexer::Token::Text) {
            let span = lexer.span();
            found.push(text[span.start + 1..span.end - 1].to_owned());
        }
        after_include = token == Some(pyv::lexer::Token::Include);
    }
    found
}

/// Parses and lowers a file, with the files that it includes. There is a system if and only if there is no error.
pub fn load(file: FileId, sources: &Sources, includes: &Includes) -> (Option<System>, Vec<Diagnostic>) {
    super::load(Language::Rml, file, sources, includes)
}

/// Loads a file together with a formula, whose text is the source `formula`: closed, but for capitals as in a conjecture.
/// The system's claims are those of the file. The budget is that of [`lang::load_within`](super::load_within).
///
/// # Errors
/// The budget that ran out.
pub fn load_with_formula(
    file: FileId,
    formula: FileId,
    kind: FormulaKind<'_>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<WithFormula, Exhausted> {
    let (mut programs, mut diagnostics) = parse_files_within(file, sources, includes, budget)?;
    let text = &sources[formula].text;
    let lexer = pyv::parser::Lexer::Rml(lexer::Lexer::new(text));
    let (parsed, more) = pyv::parser::parse_formula(formula, text, lexer);
    diagnostics.extend(more);
    // Names, sorts and quantifiers of a conjecture are what is wanted of a claim.
    let (role, constants) = match kind {
        FormulaKind::Claim => (ast::Role::Conjecture, &[][..]),
        FormulaKind::Question { constants, .. } => (ast::Role::Theorem, constants),
    };
    if let Some((program, formula)) = programs.first_mut().zip(parsed) {
        let place = ast::Place(formula.span());
        for (name, sort) in constants {
            let declared = ast::SymbolDecl {
                form: ast::SymbolForm::Variable,
                names: vec![ast::Ident { name: name.as_str().into(), place }],
                args: Vec::new(),
                result: Some(ast::SortRef { name: ast::SortName::Named(sort.as_str().into()), place }),
                annotations: Vec::new(),
            };
            program.items.push(Item { kind: ItemKind::Symbol(declared), place });
        }
        program.items.push(Item { kind: ItemKind::Formula { role, name: None, formula }, place });
    }
    let trees = Trees::Rml(programs);
    let (system, diagnostics) = super::lower_within(&trees, diagnostics, sources, includes, budget)?;
    let loaded = system.and_then(|mut system| {
        let formula = match kind {
            FormulaKind::Claim => system.invariants.pop()?.formula,
            FormulaKind::Question { .. } => system.theorems.pop()?.formula,
        };
        Some((system, formula))
    });
    Ok((loaded, diagnostics))
}

/// Checks parsed files, the first of which is the program, and lowers them. There is a system if and only if there is no
/// error. A node of a formula takes a unit of the budget, and one of an expanded definition.
///
/// # Errors
/// The budget that ran out.
pub fn lower_within(
    programs: &[ast::Program],
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let mut report = Report::within(budget.clone());
    let items = modules::expand(programs, sources, includes, &mut report);
    let system = lower_items(&items, sources, &mut report);
    Ok((system, report.finish_within(budget)?))
}

/// Checks a program without modules, and lowers it where there is no error.
fn lower_items(items: &[Item], sources: &Sources, report: &mut Report) -> Option<System> {
    let parts = actions::parts(items, report);
    let declared = declare::Declared::new(items, &parts);
    let mut globals = declared.collect(report);
    stratification::check(&globals, report);
    let checked = {
        let mut checker = Checker::new(&mut globals, report);
        commands::check(&mut checker, items, &parts)
    };
    for item in items {
        match &item.kind {
            ItemKind::Sort { name, annotations } => {
                pyv::annotations::of_sort(name, annotations, &globals, report);
            }
            ItemKind::Symbol(symbol) => pyv::annotations::of_symbol(&symbol.annotations, report),
            _ => {}
        }
    }
    pyv::report_arithmetic(&globals.arithmetic, report);
    let order = pyv::uses::callees_first(&globals, &checked.bodies, report)?;
    if report.has_errors() || items.iter().any(|item| matches!(item.kind, ItemKind::Broken(_))) {
        return None;
    }
    let line_of = |span: Span| sources[span.file].line_column(span.start).0;
    lower::lower(&globals, &parts, &checked, &order, &line_of, report)
}

/// Prints a program in canonical format. It parses back to the same tree, up to what is broken, which is left out,
/// and comments.
pub fn print(program: &ast::Program) -> String {
    printer::print(program)
}
