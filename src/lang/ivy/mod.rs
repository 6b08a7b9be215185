//! The language of Ivy: parser, and translation to programs. `spec/ivy.md` defines the language.

pub mod ast;
mod expand;
mod hints;
pub(crate) mod lexer;
mod library;
mod parser;
pub mod proof;
pub mod stmt;

use std::sync::Arc;

use super::fol::names::Terminology;
use super::fol::parser::parse_formula;
use super::fol::token::Token;
use super::program::ast::{Command, CommandKind, Item, ItemKind, Program, Role};
use super::program::{self, Axioms, Dialect};
use super::shared::report::Report;
use super::shared::{FormulaKind, Includes, Inclusion};
use ast::{DeclKind, File, Version};
pub use expand::is_variable;
pub(crate) use expand::unknown_isolate;
use lexer::Lexer;
use library::{built_in, include_path, is_built_in};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Sources, Span};
use ramsey_core::diag::Diagnostic;
use ramsey_core::logic::Notation;
use ramsey_core::system::{Method, System};

/// The type of what versions up to 1.2 declare without a type.
const DEFAULT_SORT: &str = "S";

/// Rules for including files.
pub(crate) const INCLUSION: Inclusion =
    Inclusion { included, prelude: built_in, is_own_first: true, library: None };

/// The properties of the language for the static checks.
const DIALECT: Dialect = Dialect {
    terminology: Terminology {
        sort: "type",
        constant: "an individual",
        transition: "action",
        local: "`var name : type`",
        foreign: hints::name,
    },
    prelude: &[],
    overloads: true,
    is_variable: expand::is_variable,
    is_restricted: false,
    axioms: Axioms::Rigid,
};

/// The names of isolates; `None` for a program that has none.
pub type Isolates = Option<Vec<Arc<str>>>;

/// A parsed model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The trees of the file and of the files that it includes, each once. The first one is that of the file itself.
    pub files: Vec<File>,
    /// What they mean together, without objects, modules and calls.
    pub program: Program,
    /// The isolate to which the program has been cut down, if it is not the whole one.
    pub isolate: Option<Arc<str>>,
    /// The places of the claims in it that proofs admit.
    pub admitted: Vec<Span>,
    /// The places of the properties that proofs show by more than the axioms. They are assumed of all states.
    pub lemmas: Vec<Span>,
    /// A place where what the isolate does not see may call it in the middle of an action.
    pub called_back: Option<Span>,
    /// How the isolate, or a program without isolates, wants its claims to be decided, if it tells, with the place where it does.
    pub method: Option<(Method, Span)>,
}

impl Model {
    /// Returns the names of the isolates that are verified one by one, in alphabetical order; `None` if the program has none.
    /// Claims that none of them shows are errors.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn isolates(
        &self,
        includes: &Includes,
        budget: &mut Budget,
    ) -> Result<(Isolates, Vec<Diagnostic>), Exhausted> {
        let mut report = Report::within(budget.clone());
        let names = expand::isolates(&self.files, includes, &mut report);
        Ok((names, report.finish_within(budget)?))
    }

    /// Returns what is left of the program in the isolate of this name.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn in_isolate(
        &self,
        name: &str,
        includes: &Includes,
        budget: &mut Budget,
    ) -> Result<(Model, Vec<Diagnostic>), Exhausted> {
        expand_within(self.files.clone(), Some(name.into()), includes, budget)
    }
}

/// Parses a file within a budget: each token costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(File, Vec<Diagnostic>), Exhausted> {
    parser::parse(file, text, budget)
}

/// Parses a file, and each file that it includes, and expands them, within a budget: each token costs one unit, and so
/// does each node of an expanded formula.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_files_within(
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Model, Vec<Diagnostic>), Exhausted> {
    let included = |file: &File| {
        let paths = file.decls.iter().filter_map(|decl| match &decl.kind {
            DeclKind::Include(name) => Some(include_path(&name.name)),
            _ => None,
        });
        paths.collect()
    };
    let (mut files, mut diagnostics) =
        includes.parse_files(file, sources, |file, text| parse_within(file, text, budget), included)?;
    for file in &mut files {
        file.is_built_in = is_built_in(&sources[file.file].name);
    }
    let (model, more) = expand_within(files, None, includes, budget)?;
    diagnostics.extend(more);
    Ok((model, diagnostics))
}

/// Expands files, the first of which is the program, within a budget: the whole program, or an isolate.
///
/// # Errors
/// Returns the budget that was exhausted.
pub(crate) fn expand_within(
    files: Vec<File>,
    isolate: Option<Arc<str>>,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Model, Vec<Diagnostic>), Exhausted> {
    let mut report = Report::within(budget.clone());
    let file = files.first().map_or_else(|| FileId::new(0), |main| main.file);
    let expand::Expanded { items, admitted, lemmas, called_back, method } =
        expand::expand(&files, isolate.as_deref(), includes, &mut report);
    let program = Program { items, file };
    let diagnostics = report.finish_within(budget)?;
    Ok((Model { files, program, isolate, admitted, lemmas, called_back, method }, diagnostics))
}

/// Returns the paths of the files that a text includes.
pub fn included(text: &str) -> Vec<String> {
    program::included(text, Lexer::of_text(text), Token::Ident, include_path)
}

/// Lowers a model together with separate formulas; see [`crate::lower_with_formulas`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_with_formulas(
    mut model: Model,
    formulas: &[FileId],
    kind: FormulaKind<'_>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let version = model.files.first().map_or(Version::DEFAULT, |file| file.version);
    let mut diagnostics = Vec::new();
    for &file in formulas {
        let text = &sources[file].text;
        let (formula, more) = parse_formula(file, text, Lexer::new(text, version));
        diagnostics.extend(more);
        let Some(formula) = formula else { continue };
        let mut report = Report::within(budget.clone());
        let formula = expand::formula(&model.files, includes, &formula, &mut report);
        diagnostics.extend(report.finish_within(budget)?);
        model.program.add_formula(formula, kind);
    }
    let (system, more) = lower_within(&model, sources, includes, budget)?;
    diagnostics.extend(more);
    Ok((system, diagnostics))
}

/// Checks and lowers a parsed model. Returns a system if and only if there is no error. Each node of a formula costs one
/// unit of the budget, including nodes of expanded definitions.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_within(
    model: &Model,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let with_loop;
    let program = if !needs_loop(&model.program) {
        &model.program
    } else {
        with_loop = with_idle_loop(&model.program);
        &with_loop
    };
    let version = model.files.first().map_or(Version::DEFAULT, |file| file.version);
    // In an isolate, what others have shown is an axiom, which may be about states. The program's own are those of the whole.
    let is_rigid = version.minor >= 7 && model.isolate.is_none();
    let axioms = if is_rigid { Axioms::Rigid } else { Axioms::OfStates };
    let dialect = Dialect { axioms, ..DIALECT };
    let (mut system, diagnostics) =
        program::lower_within(std::slice::from_ref(program), sources, includes, dialect, budget)?;
    if let Some(system) = &mut system {
        system.sig.notation = Notation::Ivy;
        system.admitted.clone_from(&model.admitted);
        system.lemmas.clone_from(&model.lemmas);
        system.called_back = model.called_back;
        system.method = model.method;
    }
    Ok((system, diagnostics))
}

/// Returns whether a program has initial states or claims about all states, but no loop.
fn needs_loop(program: &Program) -> bool {
    let mut needs_loop = false;
    for item in &program.items {
        match &item.kind {
            ItemKind::While(_) => return false,
            ItemKind::Command(_) => needs_loop = true,
            ItemKind::Formula { role, .. } => needs_loop |= matches!(role, Role::Conjecture | Role::Safety),
            _ => {}
        }
    }
    needs_loop
}

/// Returns a program without actions with a loop that does nothing.
fn with_idle_loop(program: &Program) -> Program {
    let mut program = program.clone();
    let is_command = |item: &Item| matches!(item.kind, ItemKind::Command(_));
    let at = program.items.iter().rposition(is_command).map_or(0, |at| at + 1);
    if let Some(place) = program.items.first().map(|item| item.place) {
        let skip = Command { kind: CommandKind::Skip, place };
        program.items.insert(at, Item { kind: ItemKind::While(vec![skip]), place });
    }
    program
}

/// Returns the keyword of a claim in the version of the language that a text is in.
pub fn claim_keyword(text: &str) -> &'static str {
    if Version::of_text(text).minor < 7 { "conjecture" } else { "invariant" }
}
