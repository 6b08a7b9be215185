//! The syntax tree of a program: what was written, before any name is looked up. Formulas, names and traces are those of
//! [`crate::lang::fol::ast`].

use std::sync::Arc;

use crate::base::span::{FileId, Span};
pub use crate::lang::fol::ast::{
    Annotation, BinaryOp, Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar, TraceCall, TraceStep,
};

/// A whole file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Declarations and commands in source order.
    pub items: Vec<Item>,
    /// The file.
    pub file: FileId,
}

/// A declaration, a command outside of the loop, or the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// From its first token to its last.
    pub place: Place,
}

impl Item {
    /// From its first token to its last.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

/// What an item is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// `include "path"`.
    Include {
        /// What is between the quotes.
        path: Arc<str>,
        /// Where the string stands.
        place: Place,
    },
    /// `module name(params) { .. }`.
    Module(Module),
    /// `use module(args)`, perhaps followed by `as prefix`.
    Use {
        /// The module.
        module: Ident,
        /// What its parameters stand for: sorts and symbols.
        args: Vec<Ident>,
        /// What the names that it declares are prefixed with.
        prefix: Option<Ident>,
    },
    /// `sort name`.
    Sort {
        /// The name.
        name: Ident,
        /// The annotations.
        annotations: Vec<Annotation>,
    },
    /// A relation, function or variable.
    Symbol(SymbolDecl),
    /// A formula that is assumed or claimed.
    Formula {
        /// Which of them.
        role: Role,
        /// The name in brackets.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
    },
    /// `macro name(params) = body`.
    Macro {
        /// The name.
        name: Ident,
        /// The parameters; a macro without any is used without parentheses.
        params: Vec<SortedVar>,
        /// The body: a formula.
        body: Expr,
    },
    /// `sat trace { .. }` or `unsat trace { .. }`.
    Trace {
        /// Whether it says `sat`.
        expect_sat: bool,
        /// The components.
        steps: Vec<TraceStep>,
    },
    /// A command before or after the loop.
    Command(Command),
    /// `while * do { .. }`.
    While(Vec<Command>),
    /// Text that could not be parsed, with all names in it.
    Broken(Vec<Arc<str>>),
}

/// A module: declarations over sorts and symbols that `use` gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The name.
    pub name: Ident,
    /// The parameters, sorts and symbols alike.
    pub params: Vec<Ident>,
    /// The declarations.
    pub items: Vec<Item>,
}

/// The claim or assumption that a formula is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// `axiom`.
    Axiom,
    /// `conjecture` or `invariant`.
    Conjecture,
    /// `safety`.
    Safety,
    /// `theorem`.
    Theorem,
}

impl Role {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Role::Axiom => "axiom",
            Role::Conjecture => "conjecture",
            Role::Safety => "safety",
            Role::Theorem => "theorem",
        }
    }
}

/// The declaration of symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDecl {
    /// The keyword.
    pub form: SymbolForm,
    /// The names: several for variables alone.
    pub names: Vec<Ident>,
    /// The argument sorts.
    pub args: Vec<SortRef>,
    /// The result sort; `None` for relations.
    pub result: Option<SortRef>,
    /// The annotations.
    pub annotations: Vec<Annotation>,
}

/// The keyword of a symbol's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolForm {
    /// `relation`.
    Relation,
    /// `function`.
    Function,
    /// `variable`.
    Variable,
}

impl SymbolForm {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            SymbolForm::Relation => "relation",
            SymbolForm::Function => "function",
            SymbolForm::Variable => "variable",
        }
    }
}

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// What it does.
    pub kind: CommandKind,
    /// From its first token to its last.
    pub place: Place,
}

impl Command {
    /// From its first token to its last.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

/// What a command does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandKind {
    /// `skip`.
    Skip,
    /// `abort`.
    Abort,
    /// `assume formula`.
    Assume(Expr),
    /// `assert formula`.
    Assert(Expr),
    /// `local x: s, ..`: variables up to the end of the block, with arbitrary values at first.
    Local(Vec<SortedVar>),
    /// `v := *`.
    Havoc(Ident),
    /// `target(args) := value`.
    Assign {
        /// What changes.
        target: Ident,
        /// Logical variables and terms, where parentheses are written.
        args: Option<Vec<Expr>>,
        /// The new value.
        value: Expr,
    },
    /// `target.insert(args)`, `target.remove(args)`, or with a condition `target.insert(args | condition)`.
    Update {
        /// A relation.
        target: Ident,
        /// Whether tuples are inserted.
        insert: bool,
        /// Terms; with a condition also logical variables.
        args: Vec<Expr>,
        /// Which tuples, by logical variables among the arguments.
        condition: Option<Expr>,
    },
    /// `if condition then { .. } else { .. }`.
    If {
        /// The condition; `None` for `*`.
        condition: Option<Expr>,
        /// What is done where it holds.
        then: Vec<Command>,
        /// What is done where it does not; nothing where there is no `else`.
        otherwise: Vec<Command>,
    },
    /// `{ .. } | { .. }`, or one block alone.
    Choice(Vec<Branch>),
    /// Text that could not be parsed.
    Broken,
}

/// One of the alternatives of a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The name after `action`.
    pub name: Option<Ident>,
    /// The parameters of the action.
    pub params: Vec<SortedVar>,
    /// What it does.
    pub body: Vec<Command>,
    /// From its first token to its last.
    pub place: Place,
}
