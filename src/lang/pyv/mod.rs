//! The language of mypyvy, `.pyv`: parser, static checks, and translation to a transition system.

pub mod ast;
mod dialect;
mod hints;
pub(crate) mod lexer;
mod names;
mod parser;
mod proofs;
mod statics;
mod uses;

use std::borrow::Cow;

use super::fol::annotations;
use super::fol::ast::{Ident, Place, Role, SortName, SortRef};
use super::fol::large::declare_relations;
use super::fol::lower;
use super::fol::parser::parse_formula;
use super::shared::FormulaKind;
use super::shared::report::{Report, unless_errors};
use lexer::Lexer;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Sources, Span, line_starts};
use ramsey_core::diag::Diagnostic;
use ramsey_core::system::System;

/// Parses a file. Declarations with syntax errors are represented by [`ast::DeclKind::Broken`].
pub fn parse(file: FileId, text: &str) -> (ast::Program, Vec<Diagnostic>) {
    // An unlimited budget is never exhausted.
    let parsed = parse_within(file, text, &mut Budget::unlimited());
    let nothing = || ast::Program { decls: Vec::new(), file, dialect: ast::Dialect::Newer };
    parsed.unwrap_or_else(|_| (nothing(), Vec::new()))
}

/// Like [`parse`], within a budget: each token costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(ast::Program, Vec<Diagnostic>), Exhausted> {
    parser::parse(file, text, budget)
}

/// Returns the program in the newer dialect. All positions are those of the program.
pub fn in_newer_dialect(program: &ast::Program) -> Cow<'_, ast::Program> {
    dialect::translated(program, &mut Report::default())
}

/// Checks names, sorts and states of a program and expands its definitions. `text` is the source of the program;
/// formulas without a name are labelled by their line. Returns a system if and only if there is no error.
pub fn lower(program: &ast::Program, text: &str) -> (Option<System>, Vec<Diagnostic>) {
    // An unlimited budget is never exhausted.
    lower_within(program, text, &mut Budget::unlimited()).unwrap_or_default()
}

/// Like [`lower()`], within a budget: each node costs one unit when it is checked, and one for each expansion.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_within(
    program: &ast::Program,
    text: &str,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let mut report = Report::within(budget.clone());
    let program = dialect::translated(program, &mut report);
    lower_translated(&program, text, report, budget)
}

/// Like [`lower_within`], for a program without `old(..)`. The dialect is the one that messages speak.
fn lower_translated(
    program: &ast::Program,
    text: &str,
    mut report: Report,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let mut globals = names::collect(program, &mut report);
    let (checked, proofs) = statics::check(program, &mut globals, &mut report);
    for decl in &program.decls {
        match &decl.kind {
            ast::DeclKind::Sort { name, annotations } => {
                annotations::of_sort(name, annotations, &globals, &mut report);
            }
            ast::DeclKind::Symbol(symbol) => annotations::of_symbol(&symbol.annotations, &mut report),
            ast::DeclKind::Formula { proof: Some(proof), .. } => report.ignore_proof(proof.place.0),
            _ => {}
        }
    }
    report.refuse_arithmetic(&globals.arithmetic);
    let order = uses::check(&globals, &checked, program.dialect, &mut report);
    let is_whole = !program.decls.iter().any(|decl| matches!(decl.kind, ast::DeclKind::Broken(_)));
    let mut system = None;
    if is_whole && !report.has_errors() {
        let lines: Vec<usize> = line_starts(text.as_bytes()).collect();
        let line_of = |span: Span| lines.partition_point(|&start| start <= span.start as usize) + 1;
        if proofs.is_empty() {
            declare_relations(&mut globals, &checked.bodies, &order);
        }
        system = lower::lower(&globals, &checked, &order, line_of, &mut report)
            .and_then(|(system, lowerer)| proofs.lower(system, lowerer, line_of, &mut report));
    }
    Ok((system, report.finish_within(budget)?))
}

/// Parses and lowers a file. Returns a system if and only if there is no error.
pub fn load(file: FileId, text: &str) -> (Option<System>, Vec<Diagnostic>) {
    let (program, diagnostics) = parse(file, text);
    unless_errors(diagnostics, lower(&program, text))
}

/// Lowers a program together with separate formulas; see [`crate::lower_with_formulas`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_with_formulas(
    program: &ast::Program,
    formulas: &[FileId],
    kind: FormulaKind<'_>,
    sources: &Sources,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let mut diagnostics = Vec::new();
    let mut report = Report::within(budget.clone());
    let mut program = dialect::translated(program, &mut report).into_owned();
    let names = dialect::Names::of(&program.decls);
    for &file in formulas {
        let text = &sources[file].text;
        let (formula, more) = parse_formula(file, text, Lexer::new(text, ()));
        diagnostics.extend(more);
        let Some(formula) = formula else { continue };
        // The formula is checked like an invariant or a theorem. It has a dialect of its own.
        let place = Place(formula.span());
        let mut add = |kind| {
            let decl = dialect::translated_formula(ast::Decl { kind, place }, &names, &mut report);
            program.decls.push(decl);
        };
        match kind {
            FormulaKind::Claim => {
                add(ast::DeclKind::Formula { role: Role::Invariant, name: None, formula, proof: None });
            }
            FormulaKind::Question { states, constants } => {
                for (name, sort) in constants {
                    add(ast::DeclKind::Symbol(ast::SymbolDecl {
                        mutability: ast::Mutability::Immutable,
                        form: ast::SymbolForm::Constant,
                        name: Ident { name: name.as_str().into(), place },
                        args: Vec::new(),
                        result: Some(SortRef { name: SortName::Named(sort.as_str().into()), place }),
                        annotations: Vec::new(),
                        axiom: None,
                    }));
                }
                let states = if states > 1 { ast::States::Two } else { ast::States::One };
                add(ast::DeclKind::Theorem { states: Some(states), name: None, formula });
            }
        }
    }
    let (system, more) = lower_translated(&program, &sources[program.file].text, report, budget)?;
    diagnostics.extend(more);
    Ok((system, diagnostics))
}
