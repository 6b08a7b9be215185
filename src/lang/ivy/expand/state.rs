//! The state of the expansion: tables of what the flat program declares, and limits.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::isolates::{Cut, Presence};
use super::proofs::table::{Choice, Fact, Holding};
use super::scopes::{ScopeId, Scopes};
use super::turns::Turns;
use crate::ivy::ast::{
    Action, Expr, File, Ident, Interpretation, Place, Proof, SortRef, SortedVar, Stmt, UpdateDecl, Version,
};
use crate::program::ast::Item;
use crate::shared::report::Report;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::system::Method;

/// Maximum height of an expanded formula.
pub(super) const MAX_HEIGHT: u32 = 500;

/// Maximum number of nodes of all expanded formulas.
pub(super) const MAX_NODES: usize = 1_000_000;

/// Maximum number of commands of a program, with those of inlined calls.
pub(super) const MAX_COMMANDS: usize = 200_000;

/// Maximum depth of calls in each other.
pub(super) const MAX_CALLS: usize = 100;

/// The name that stands for what has an error. It counts as declared where an error has been reported.
pub(super) const UNKNOWN: &str = "@";

/// The sorts of a symbol.
#[derive(Clone)]
pub(super) struct Symbol {
    pub(super) args: Vec<SortRef>,
    /// The sort of the value; `None` for relations.
    pub(super) result: Option<SortRef>,
    /// The name in the source of what it stands for, if the source does not declare it.
    pub(super) source: Option<Arc<str>>,
}

impl Symbol {
    /// Returns the sorts of a symbol that the source declares.
    pub(super) fn new(args: Vec<SortRef>, result: Option<SortRef>) -> Symbol {
        Symbol { args, result, source: None }
    }
}

/// A function with a definition.
#[derive(Clone)]
pub(super) struct Function<'a> {
    pub(super) scope: ScopeId,
    pub(super) params: &'a [SortedVar],
    pub(super) body: &'a Expr,
    pub(super) place: Span,
}

/// A field of a structure.
#[derive(Clone)]
pub(super) struct Field {
    pub(super) name: Arc<str>,
    /// The function of the flat program that it is.
    pub(super) function: Arc<str>,
    pub(super) span: Span,
}

/// Statements that are inserted where a macro is instantiated.
#[derive(Clone, Copy)]
pub(super) struct Macro<'a> {
    pub(super) scope: ScopeId,
    pub(super) params: &'a [Ident],
    pub(super) body: &'a [Stmt],
    pub(super) place: Span,
}

/// What is found in statements and formulas while they are translated.
#[derive(Default)]
pub(super) struct Probe {
    /// The actions that are called.
    pub(super) calls: BTreeSet<Arc<str>>,
    /// The functions whose definitions are expanded.
    pub(super) expanded: BTreeSet<Arc<str>>,
    /// A claim that whoever calls the action owes.
    pub(super) required: Option<Span>,
    /// A claim that the action owes.
    pub(super) ensured: Option<Span>,
}

/// How statements make values of a type.
#[derive(Clone, Copy)]
pub(super) struct Made {
    /// The first statement that does.
    pub(super) place: Span,
    /// Whether all are the neighbours, in an order that may have an end, of others that are not at it. However many elements there
    /// are, these have neighbours.
    pub(super) is_within: bool,
}

/// A part of an action in its scope.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) scope: ScopeId,
    pub(super) action: &'a Action,
    /// Its position among the declarations.
    pub(super) at: usize,
    /// What it is in what is being verified.
    pub(super) presence: Presence,
    /// Whether it stands in a trusted isolate.
    pub(super) is_trusted: bool,
}

/// An action with its monitors.
#[derive(Clone)]
pub(super) struct ActionInfo<'a> {
    pub(super) declared: Part<'a>,
    pub(super) implemented: Option<Part<'a>>,
    pub(super) before: Vec<(Part<'a>, &'a [Stmt])>,
    pub(super) after: Vec<(Part<'a>, &'a [Stmt])>,
}

/// An action that is being inlined.
pub(super) struct Call {
    pub(super) action: Arc<str>,
    /// Its parameters and results in the flat program.
    pub(super) params: Vec<Arc<str>>,
    /// The parameters of which it reads the values before, with the variables that keep these.
    pub(super) old: Vec<(Arc<str>, Arc<str>)>,
}

/// A symbol whose value is one of those that have a property.
pub(super) struct Selection {
    /// Its name in the flat program.
    pub(super) name: Arc<str>,
    /// What is known of its value.
    pub(super) formula: Expr,
    /// How often the formula has the symbol, if the value does not depend on itself.
    pub(super) uses: usize,
    pub(super) span: Span,
}

/// A symbol that stands for a part of a statement.
pub(super) struct Helper {
    pub(super) name: Ident,
    pub(super) symbol: Symbol,
    /// Whether it has any value in each state; otherwise commands assign it.
    pub(super) is_chosen: bool,
}

/// A parameter or local variable of the transition that is being made.
pub(super) struct Local {
    pub(super) name: Arc<str>,
    /// Its name in the program.
    pub(super) source: Arc<str>,
    pub(super) sort: Option<SortRef>,
    pub(super) is_assigned: bool,
}

/// An action that is called in the place of another one.
pub(super) struct Override {
    /// The variant that the value has to be one of.
    pub(super) sort: SortRef,
    /// The action of the variant.
    pub(super) action: Arc<str>,
}

/// The claims that are to be shown. The others help.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those that are marked.
    Marked,
    /// Those without a name.
    Unnamed,
    /// All.
    All,
}

/// An invariant that is claimed where executions end, and that nothing assumes.
#[derive(Clone, Copy)]
pub(super) struct Explicit<'a> {
    pub(super) scope: ScopeId,
    pub(super) formula: &'a Expr,
    /// Its proof, if what that leaves to be shown is another claim.
    pub(super) proof: Option<&'a Proof>,
    pub(super) place: Place,
}

/// The state of the expansion.
pub(super) struct Expander<'a, 'r> {
    pub(super) version: Version,
    pub(super) scopes: Scopes<'a>,
    pub(super) report: &'r mut Report,
    /// The names of the flat program that variables of commands must not have.
    pub(super) globals: Set<Arc<str>>,
    /// The names of claims. Up to version 1.6, symbols may have them as well.
    pub(super) labels: Set<Arc<str>>,
    pub(super) symbols: Map<Arc<str>, Symbol>,
    pub(super) functions: Map<Arc<str>, Function<'a>>,
    /// The functions whose definitions have errors, which have been reported.
    pub(super) faulty: Set<Arc<str>>,
    /// The relations that have a definition apart from their declaration.
    pub(super) defined: Set<Arc<str>>,
    /// The relations that are declared with their definition.
    pub(super) derived: Set<Arc<str>>,
    /// The values of enumerations.
    pub(super) values: Set<Arc<str>>,
    /// The variants of types, in the order of their declarations.
    pub(super) variants: Map<Arc<str>, Vec<Arc<str>>>,
    /// The orders that definitions give types, by their names in the flat program.
    pub(super) operators: Map<Arc<str>, Span>,
    /// What defines symbols whose values are among several.
    pub(super) selections: Vec<Selection>,
    /// The relations and functions that read the state in which a transition began.
    pub(super) wires: Set<Arc<str>>,
    /// The actions whose callers owe what their statements assert.
    pub(super) delegated: Set<Arc<str>>,
    /// The fields of structures by their sorts.
    pub(super) fields: Map<Arc<str>, Vec<Field>>,
    /// The fields that statements give any value.
    pub(super) varied: Set<Arc<str>>,
    pub(super) macros: Map<Arc<str>, Macro<'a>>,
    pub(super) actions: Map<Arc<str>, ActionInfo<'a>>,
    /// The actions in the order of their declarations.
    pub(super) order: Vec<Arc<str>>,
    pub(super) exported: Vec<(Arc<str>, Span)>,
    /// Names in text that could not be parsed, and which may be declared there.
    pub(super) broken: Set<Arc<str>>,
    /// Names that nothing declares. They are reported when the flat program is checked, and nothing else may have them.
    pub(super) undeclared: Set<Arc<str>>,
    /// The types.
    pub(super) sorts: Set<Arc<str>>,
    /// The types whose declarations tell their elements.
    pub(super) structured: Set<Arc<str>>,
    /// The built-in files.
    pub(super) library: Set<FileId>,
    /// The types that the library declares.
    pub(super) of_library: Set<Arc<str>>,
    /// The symbols that the library declares.
    pub(super) kept: Set<Arc<str>>,
    /// The types with a least and a greatest element, by their declarations or interpretations.
    pub(super) limited: Set<Arc<str>>,
    /// The axioms of the program itself and what its proofs assume, by the symbols in it.
    pub(super) assumed: Vec<(Span, Set<Arc<str>>)>,
    /// The symbols with definitions that proofs alone know, each with its place there, and those that the definition mentions.
    pub(super) explicit_definitions: Map<Arc<str>, (Span, Set<Arc<str>>)>,
    /// The positions of the invariants whose proofs may be by such definitions. What these leave is claimed where executions end, and
    /// the invariants themselves are assumed where they begin.
    pub(super) unfolded: Vec<usize>,
    /// The types of which statements make values with fields, or from values of variants, and those of the library that its actions
    /// make values of.
    pub(super) made: Map<Arc<str>, Made>,
    /// The ends of ranges that have been declared.
    pub(super) bounds: Set<Arc<str>>,
    /// The ends of the ranges that types are interpreted as: numerals, and constants of the flat program.
    pub(super) range_ends: Map<Arc<str>, [Arc<str>; 2]>,
    /// The interpretations of types.
    pub(super) interpreted: Map<Arc<str>, (Interpretation, Span)>,
    /// The types whose elements are numbers somewhere in the program, whether this is seen or not: schemata of numbers are true of them.
    pub(super) numbers: Map<Arc<str>, Interpretation>,
    /// The actions that statements call.
    pub(super) called: Set<Arc<str>>,
    /// By declaration, its place in the order in which properties are shown.
    pub(super) turns: Turns,
    /// The symbols that are defined by recursion.
    pub(super) recursive: Set<Arc<str>>,
    /// By symbol, how many declarations tell what it is, if there are definitions by recursion.
    pub(super) plain: Map<Arc<str>, usize>,
    /// What proofs use by its name.
    pub(super) facts: Map<Arc<str>, Fact<'a>>,
    /// What is known of the functions of properties with names for values, by the positions of these.
    pub(super) choices: Map<usize, Choice>,
    /// What proofs of claims about states assume, and which holds in all states.
    pub(super) holding: Vec<Holding>,
    /// The proofs that stand by themselves, by the names of their claims.
    pub(super) proofs: Map<Arc<str>, &'a Proof>,
    /// The symbols of what proofs assume, of which no action must change any, with the places where it is declared.
    pub(super) rigid: Vec<(Span, Set<Arc<str>>)>,
    /// The steps of proofs that admit goals.
    pub(super) admitted: Vec<Span>,
    /// The positions and places of the properties that may not follow from the axioms: their proofs admit goals, or use rules.
    pub(super) lemmas: Vec<(usize, Span)>,
    /// The claims of assertions whose proofs are by tactics that are not read.
    pub(super) unread: Vec<Item>,
    /// The assertions whose proofs have errors, which are told once, however often the statements are executed.
    pub(super) wrong_proofs: Set<Span>,
    /// The invariants of trusted isolates, which are assumed where a transition of the whole program begins.
    pub(super) trusted: Vec<(ScopeId, &'a Expr)>,
    /// A place where what an isolate does not see may call it in the middle of an action.
    pub(super) called_back: Option<Span>,
    /// How claims are decided, with the place where it is told.
    pub(super) method: Option<(Method, Span)>,
    /// The names of isolates.
    pub(super) isolates: Set<Arc<str>>,
    /// The places where that is told of isolates.
    pub(super) methods: Vec<Span>,
    /// The invariants that are claimed and that nothing assumes.
    pub(super) explicit: Vec<Explicit<'a>>,
    /// The claims about states, by their positions among the declarations.
    pub(super) claims: Map<usize, (ScopeId, &'a Expr)>,
    /// What is left of the program in an isolate, if one is being verified.
    pub(super) cut: Option<Cut>,
    /// Whether an action is being translated that nothing executes.
    pub(super) is_unused: bool,
    /// The exported action that is being translated.
    pub(super) transition: Option<Arc<str>>,
    /// What is found in statements and formulas, where calls are not inlined.
    pub(super) probe: Option<Probe>,
    /// How symbols follow others that statements change.
    pub(super) updates: Vec<(ScopeId, &'a UpdateDecl)>,
    /// Symbols that stand for parts of statements.
    pub(super) helpers: Vec<Helper>,
    /// By action, the symbols of which it reads the state before.
    pub(super) old: Map<Arc<str>, BTreeSet<Arc<str>>>,
    /// The definitions that are being expanded.
    pub(super) expanding: Vec<Arc<str>>,
    /// The parameters of the functions whose definitions are being expanded in statements, if their values have no variables: they
    /// are variables of `let`.
    pub(super) given: Vec<SortedVar>,
    /// The symbols whose arguments' types are being inferred.
    pub(super) inferring: Vec<Arc<str>>,
    /// The actions that are being inlined.
    pub(super) calling: Vec<Call>,
    /// The variables in scope.
    pub(super) locals: Vec<Local>,
    /// The claims that are to be shown.
    pub(super) wanted: Wanted,
    /// The number of fresh names.
    pub(super) fresh: usize,
    /// The number of commands.
    pub(super) count: usize,
    /// The number of nodes of formulas.
    pub(super) nodes: usize,
}

impl<'a, 'r> Expander<'a, 'r> {
    /// Creates the state without declarations.
    pub(super) fn new(files: &[File], version: Version, scopes: Scopes<'a>, report: &'r mut Report) -> Self {
        Expander {
            version,
            scopes,
            report,
            globals: Set::default(),
            labels: Set::default(),
            symbols: Map::default(),
            functions: Map::default(),
            faulty: Set::default(),
            defined: Set::default(),
            derived: Set::default(),
            values: Set::default(),
            variants: Map::default(),
            operators: Map::default(),
            selections: Vec::new(),
            wires: Set::default(),
            delegated: Set::default(),
            fields: Map::default(),
            varied: Set::default(),
            macros: Map::default(),
            actions: Map::default(),
            order: Vec::new(),
            exported: Vec::new(),
            broken: Set::default(),
            undeclared: Set::default(),
            sorts: Set::default(),
            structured: Set::default(),
            library: files.iter().filter(|file| file.is_built_in).map(|file| file.file).collect(),
            of_library: Set::default(),
            kept: Set::default(),
            limited: Set::default(),
            assumed: Vec::new(),
            explicit_definitions: Map::default(),
            unfolded: Vec::new(),
            made: Map::default(),
            bounds: Set::default(),
            range_ends: Map::default(),
            interpreted: Map::default(),
            numbers: Map::default(),
            called: Set::default(),
            turns: Turns::default(),
            recursive: Set::default(),
            plain: Map::default(),
            facts: Map::default(),
            choices: Map::default(),
            holding: Vec::new(),
            proofs: Map::default(),
            rigid: Vec::new(),
            admitted: Vec::new(),
            lemmas: Vec::new(),
            unread: Vec::new(),
            wrong_proofs: Set::default(),
            called_back: None,
            method: None,
            isolates: Set::default(),
            methods: Vec::new(),
            explicit: Vec::new(),
            trusted: Vec::new(),
            claims: Map::default(),
            cut: None,
            is_unused: false,
            transition: None,
            probe: None,
            updates: Vec::new(),
            helpers: Vec::new(),
            old: Map::default(),
            expanding: Vec::new(),
            given: Vec::new(),
            inferring: Vec::new(),
            calling: Vec::new(),
            locals: Vec::new(),
            wanted: Wanted::All,
            fresh: 0,
            count: 0,
            nodes: 0,
        }
    }
}
