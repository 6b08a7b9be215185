//! Expansion of files to a program of [`crate::lang::program`]: objects and modules become dotted names, monitors and
//! calls are inlined, and exported actions are the actions of the loop.

mod actions;
mod declarations;
mod flat;
mod formulas;
mod scopes;
mod statements;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ast::{Action, Expr, File, Ident, SortRef, SortedVar, Stmt, Version};
use crate::base::hash::{Map, Set};
use crate::base::span::Span;
use crate::lang::program::ast::{Item, ItemKind, Program};
use crate::lang::shared::Includes;
use crate::lang::shared::report::Report;
use flat::{Flat, Flattener};
use scopes::{ScopeId, Scopes};

/// Maximum height of an expanded formula.
const MAX_HEIGHT: u32 = 500;

/// Maximum number of nodes of all expanded formulas.
const MAX_NODES: usize = 4_000_000;

/// Maximum number of commands of a program, with those of inlined calls.
const MAX_COMMANDS: usize = 200_000;

/// Maximum depth of calls in each other.
const MAX_CALLS: usize = 100;

/// The name that stands for what has an error. It counts as declared where an error has been reported.
const UNKNOWN: &str = "@";

/// The sorts of a declared symbol.
#[derive(Clone)]
struct Symbol {
    args: Vec<SortRef>,
    /// The sort of the value; `None` for relations.
    result: Option<SortRef>,
}

/// A function with a definition.
#[derive(Clone)]
struct Function<'a> {
    scope: ScopeId,
    params: &'a [SortedVar],
    body: &'a Expr,
    place: Span,
}

/// Statements that are inserted where a macro is instantiated.
#[derive(Clone, Copy)]
struct Macro<'a> {
    scope: ScopeId,
    params: &'a [Ident],
    body: &'a [Stmt],
    place: Span,
}

/// A part of an action in its scope.
#[derive(Clone, Copy)]
struct Part<'a> {
    scope: ScopeId,
    action: &'a Action,
}

/// An action with its monitors.
#[derive(Clone)]
struct ActionInfo<'a> {
    declared: Part<'a>,
    implemented: Option<Part<'a>>,
    before: Vec<(Part<'a>, &'a [Stmt])>,
    after: Vec<(Part<'a>, &'a [Stmt])>,
    is_imported: bool,
}

/// A parameter or local variable of the transition that is being made.
struct Local {
    name: Arc<str>,
    sort: Option<SortRef>,
    is_assigned: bool,
}

/// The claims that are to be shown. The others help.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those that are marked.
    Marked,
    /// Those without a name.
    Unnamed,
    /// All.
    All,
}

/// The state of the expansion.
struct Expander<'a, 'r> {
    version: Version,
    scopes: Scopes<'a>,
    report: &'r mut Report,
    /// The names of the flat program that variables of commands must not have.
    globals: Set<Arc<str>>,
    symbols: Map<Arc<str>, Symbol>,
    functions: Map<Arc<str>, Function<'a>>,
    /// The relations that have a definition apart from their declaration.
    defined: Set<Arc<str>>,
    macros: Map<Arc<str>, Macro<'a>>,
    actions: Map<Arc<str>, ActionInfo<'a>>,
    /// The actions in the order of their declarations.
    order: Vec<Arc<str>>,
    exported: Vec<(Arc<str>, Span)>,
    /// Names in text that could not be parsed, and which may be declared there.
    broken: Set<Arc<str>>,
    /// The actions that statements call.
    called: Set<Arc<str>>,
    /// By action, the symbols of which it reads the state before.
    old: Map<Arc<str>, BTreeSet<Arc<str>>>,
    /// The definitions that are being expanded.
    expanding: Vec<Arc<str>>,
    /// The actions that are being inlined.
    calling: Vec<Arc<str>>,
    /// The variables in scope.
    locals: Vec<Local>,
    /// The claims that are to be shown.
    wanted: Wanted,
    /// The number of fresh names.
    fresh: usize,
    /// The number of commands.
    count: usize,
    /// The number of nodes of formulas.
    nodes: usize,
}

/// Expands a file, the first one, with those that it includes.
pub(super) fn expand(files: &[File], includes: &Includes, report: &mut Report) -> Program {
    let Some(main) = files.first() else {
        return Program { items: Vec::new(), file: crate::base::ids::Id::new(0) };
    };
    let flattened = Flattener::expand(files, includes, report);
    let (scopes, flat) = (flattened.scopes, flattened.flat);
    let mut expander = Expander::new(main.version, scopes, report);
    Program { items: expander.program(&flat, main), file: main.file }
}

impl<'a, 'r> Expander<'a, 'r> {
    fn new(version: Version, scopes: Scopes<'a>, report: &'r mut Report) -> Self {
        Expander {
            version,
            scopes,
            report,
            globals: Set::default(),
            symbols: Map::default(),
            functions: Map::default(),
            defined: Set::default(),
            macros: Map::default(),
            actions: Map::default(),
            order: Vec::new(),
            exported: Vec::new(),
            broken: Set::default(),
            called: Set::default(),
            old: Map::default(),
            expanding: Vec::new(),
            calling: Vec::new(),
            locals: Vec::new(),
            wanted: Wanted::All,
            fresh: 0,
            count: 0,
            nodes: 0,
        }
    }

    fn program(&mut self, flat: &[Flat<'a>], main: &File) -> Vec<Item> {
        for &flat in flat {
            self.register(flat);
        }
        for &flat in flat {
            self.declare_action(flat);
        }
        for &flat in flat {
            self.attach(flat);
        }
        self.wanted = declarations::wanted(flat);
        let mut items = Vec::new();
        for &flat in flat {
            self.items(flat, &mut items);
        }
        self.init(flat, &mut items);
        self.transitions(main, &mut items);
        let copies = self.copies();
        items.splice(0..0, copies);
        if let Some(place) = items.first().map(|item| item.place)
            && self.report.has_errors()
        {
            let kind = ItemKind::Broken(vec![UNKNOWN.into()]);
            items.push(Item { kind, place });
        }
        items
    }
}

/// Translates a formula in the scope of the program.
pub(super) fn formula(files: &[File], includes: &Includes, formula: &Expr, report: &mut Report) -> Expr {
    // What the files themselves are told about has been told.
    let mut unused = Report::within(report.budget());
    let Some(main) = files.first() else { return formula.clone() };
    let flattened = Flattener::expand(files, includes, &mut unused);
    let (scopes, flat) = (flattened.scopes, flattened.flat);
    let mut expander = Expander::new(main.version, scopes, report);
    for &flat in &flat {
        expander.register(flat);
    }
    let root = expander.scopes.root();
    expander.closed(formula, &formulas::Context::of(root)).0
}
