//! Programs: modules, declarations and commands, whatever language they are written in (Ivy, PLDI 2016, section 3). A
//! language has a lexer and a parser of its own, which make the syntax tree in [`ast`]; all that follows is here.
//!
//! Formulas are those of [`crate::lang::fol`].

mod actions;
pub mod ast;
mod commands;
mod declare;
mod lower;
mod modules;
mod statements;
mod stratification;
mod typed;

use super::fol::annotations;
use super::fol::check::Checker;
use super::fol::uses::callees_first;
use super::shared::Includes;
use super::shared::report::Report;
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{Sources, Span};
use crate::diag::Diagnostic;
use crate::system::System;
use ast::{Item, ItemKind};

/// What the static checks have to know of a language.
#[derive(Clone, Copy)]
pub(in crate::lang) struct Dialect {
    /// What is written here for a name that is declared nowhere and means something in other languages.
    pub(in crate::lang) foreign: fn(&str) -> Option<&'static str>,
    /// The files that every program can include, by their names without extension.
    pub(in crate::lang) prelude: &'static [(&'static str, &'static str)],
}

/// Checks parsed files, the first of which is the program, and lowers them. There is a system if and only if there is no
/// error. A node of a formula takes a unit of the budget, and one of an expanded definition.
///
/// # Errors
/// The budget that ran out.
pub(in crate::lang) fn lower_within(
    programs: &[ast::Program],
    sources: &Sources,
    includes: &Includes,
    dialect: Dialect,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let mut report = Report::within(budget.clone());
    let items = modules::expand(programs, sources, includes, dialect, &mut report);
    let system = lower_items(&items, sources, dialect, &mut report);
    Ok((system, report.finish_within(budget)?))
}

/// Checks a program without modules, and lowers it where there is no error.
fn lower_items(items: &[Item], sources: &Sources, dialect: Dialect, report: &mut Report) -> Option<System> {
    let parts = actions::parts(items, report);
    let declared = declare::Declared::new(items, &parts);
    let mut globals = declared.collect(dialect.foreign, report);
    stratification::check(&globals, report);
    let checked = {
        let mut checker = Checker::new(&mut globals, report);
        commands::check(&mut checker, items, &parts)
    };
    for item in items {
        match &item.kind {
            ItemKind::Sort { name, annotations } => {
                annotations::of_sort(name, annotations, &globals, report);
            }
            ItemKind::Symbol(symbol) => annotations::of_symbol(&symbol.annotations, report),
            _ => {}
        }
    }
    report.refuse_arithmetic(&globals.arithmetic);
    let order = callees_first(&globals, &checked.bodies, report)?;
    if report.has_errors() || items.iter().any(|item| matches!(item.kind, ItemKind::Broken(_))) {
        return None;
    }
    let line_of = |span: Span| sources[span.file].line_column(span.start).0;
    lower::lower(&globals, &parts, &checked, &order, &line_of, report)
}
