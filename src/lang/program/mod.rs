//! Programs: modules, declarations and commands, independent of the concrete syntax (Ivy, PLDI 2016, section 3). Each
//! language has its own lexer and parser, which produce the syntax tree in [`ast`]. All later stages are in this
//! module.
//!
//! Formulas are those of [`crate::fol`].

pub(crate) mod actions;
pub mod ast;
mod commands;
mod declare;
pub(crate) mod errors;
pub(crate) mod interpreted;
mod lower;
mod modules;
mod rigid;
mod statements;
mod stratification;
mod typed;

use super::fol::annotations;
use super::fol::lexer::{Lexer, Syntax};
use super::fol::names::Terminology;
use super::fol::statics::Checker;
use super::fol::token::Token;
use super::fol::uses::callees_first;
use super::shared::report::Report;
use super::shared::{FormulaKind, Includes};
use ast::{Item, ItemKind};
use interpreted::Interpretations;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::Diagnostic;
use ramsey_core::system::System;

/// Properties of a language required by the static checks.
#[derive(Clone, Copy)]
pub(crate) struct Dialect {
    /// The words for what is declared, in messages.
    pub(crate) terminology: Terminology,
    /// The files that every program can include, by name without extension.
    pub(crate) prelude: &'static [&'static str],
    /// Whether orders and numerals are symbols of every sort that they are used with.
    pub(crate) overloads: bool,
    /// Whether a name left of `:=` that is not declared stands for all elements.
    pub(crate) is_variable: fn(&str) -> bool,
    /// Whether the language restricts quantifiers by their places, and functions to stratified ones.
    pub(crate) is_restricted: bool,
    /// Where axioms hold.
    pub(crate) axioms: Axioms,
}

/// Where axioms of a language hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axioms {
    /// Everywhere: they are about symbols that no command assigns.
    Rigid,
    /// Before and after each action, and before and after the initial part.
    OfStates,
    /// In states, and after each command that changes one of their symbols.
    OfChanges,
}

/// Returns the paths of the files that a text includes. `path` makes a path of a token of the kind `name` that follows
/// the word `include`.
pub(crate) fn included<'t, L: Syntax<'t>>(
    text: &'t str,
    mut lexer: Lexer<'t, L>,
    name: Token,
    path: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut after_include = false;
    while let Some(token) = lexer.next() {
        let token = token.ok();
        if after_include && token == Some(name) {
            found.push(path(&text[lexer.span()]));
        }
        after_include = token == Some(Token::Include);
    }
    found
}

impl ast::Program {
    /// Adds a formula supplied separately: a claim as a conjecture, a question as a theorem. Names, sorts and quantifiers
    /// are checked like theirs.
    pub(crate) fn add_formula(&mut self, formula: ast::Expr, kind: FormulaKind<'_>) {
        let (role, constants) = match kind {
            FormulaKind::Claim => (ast::Role::Conjecture, &[][..]),
            FormulaKind::Question { constants, .. } => (ast::Role::Theorem, constants),
        };
        let place = ast::Place(formula.span());
        for (name, sort) in constants {
            let declared = ast::SymbolDecl {
                form: ast::SymbolForm::Variable,
                names: vec![ast::Ident { name: name.as_str().into(), place }],
                args: Vec::new(),
                result: Some(ast::SortRef { name: ast::SortName::Named(sort.as_str().into()), place }),
                annotations: Vec::new(),
                source: None,
                is_chosen: false,
                is_recursive: false,
                unchecked: None,
            };
            self.items.push(Item { kind: ItemKind::Symbol(declared), place });
        }
        self.items.push(Item { kind: ItemKind::Formula { role, name: None, formula, proof: None }, place });
    }
}

/// Checks and lowers parsed files, the first of which is the program. Returns a system if and only if there is no
/// error. Each node of a formula costs one unit of the budget, including nodes of expanded definitions.
///
/// # Errors
/// Returns the budget that was exhausted.
pub(crate) fn lower_within(
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

/// Returns the declarations and commands of parsed files without errors, in the place of includes and modules.
pub(crate) fn expanded(
    programs: &[ast::Program],
    sources: &Sources,
    includes: &Includes,
    dialect: Dialect,
) -> Vec<Item> {
    modules::expand(programs, sources, includes, dialect, &mut Report::default())
}

/// Checks a program without modules, and lowers it if there is no error.
fn lower_items(items: &[Item], sources: &Sources, dialect: Dialect, report: &mut Report) -> Option<System> {
    lower_interpreted(items, &interpreted::sorts(items), sources, dialect, report)
}

/// Checks and lowers a program whose sorts have these elements.
fn lower_interpreted(
    items: &[Item],
    interpretations: &Interpretations,
    sources: &Sources,
    dialect: Dialect,
    report: &mut Report,
) -> Option<System> {
    if interpreted::has_interpreted(items) {
        // Which numerals there are is known once all sorts are.
        let mut unused = Report::within(report.budget());
        let parts = actions::parts(items, &mut unused);
        let declared = declare::Declarations::new(items, &parts);
        let mut globals = declared.collect(dialect.terminology, &mut unused);
        globals.overloads = dialect.overloads;
        commands::check(&mut Checker::new(&mut globals, &mut unused), items, &parts, dialect.is_variable);
        let items = interpreted::with_axioms(items, |sort| interpreted::used(&globals, sort));
        return lower_interpreted(&items, interpretations, sources, dialect, report);
    }
    let parts = actions::parts(items, report);
    let declared = declare::Declarations::new(items, &parts);
    let mut globals = declared.collect(dialect.terminology, report);
    globals.overloads = dialect.overloads;
    let Interpretations { numbers, computed, universes } = interpretations;
    globals.interpret(numbers, computed, universes);
    if dialect.is_restricted {
        stratification::check(&globals, report);
    }
    let checked = {
        let mut checker = Checker::new(&mut globals, report);
        commands::check(&mut checker, items, &parts, dialect.is_variable)
    };
    for item in items {
        match &item.kind {
            ItemKind::Sort { name, annotations } => {
                annotations::of_sort(name, annotations, &globals, report);
            }
            ItemKind::Symbol(symbol) => annotations::of_symbol(&symbol.annotations, report),
            ItemKind::Formula { proof: Some(proof), .. } => report.ignore_proof(proof.place.0),
            _ => {}
        }
    }
    report.refuse_arithmetic(&globals.arithmetic);
    let order = callees_first(&globals, &checked.bodies, report)?;
    if report.has_errors() || items.iter().any(|item| matches!(item.kind, ItemKind::Broken(_))) {
        return None;
    }
    if dialect.axioms == Axioms::Rigid && !rigid::check(&globals, &checked.bodies, items, report) {
        return None;
    }
    let line_of = |span: Span| sources[span.file].line_column(span.start).0;
    let after_changes = dialect.axioms == Axioms::OfChanges;
    let mut system = lower::lower(&globals, &parts, &checked, &order, &line_of, after_changes, report)?;
    if !dialect.is_restricted {
        system.placed.clear();
    }
    Some(system)
}
