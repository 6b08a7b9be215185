//! The syntax tree of a program, before name resolution. Formulas, names and traces are those of
//! [`crate::fol::ast`].

use std::sync::Arc;

pub use crate::fol::ast::{
    Annotation, BinaryOp, Expr, ExprKind, Ident, Place, Proof, ProofStep, SortName, SortRef, SortedVar,
    TraceCall, TraceStep,
};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::Unchecked;
use ramsey_core::system::InstanceParts;

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Declarations and commands in source order.
    pub items: Vec<Item>,
    /// The file.
    pub file: FileId,
}

/// A declaration, a command outside the loop, or the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The kind of item, with its parts.
    pub kind: ItemKind,
    /// The position, from the first token to the last.
    pub place: Place,
}

impl Item {
    /// Returns the position, from the first token to the last.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

/// The kinds of items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// `include "path"`.
    Include {
        /// The text between the quotes.
        path: Arc<str>,
        /// The position of the string.
        place: Place,
    },
    /// `module name(params) { .. }`.
    Module(Module),
    /// `use module(args)`, optionally followed by `as prefix`.
    Use {
        /// The module.
        module: Ident,
        /// The arguments: sorts and symbols.
        args: Vec<Ident>,
        /// The prefix of the names that it declares.
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
    /// An assumption or a claim.
    Formula {
        /// The kind of formula.
        role: Role,
        /// The name in brackets.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// The proof after it; only of claims.
        proof: Option<Proof>,
    },
    /// `macro name(params) = body`.
    Macro {
        /// The name.
        name: Ident,
        /// The parameters. A macro without parameters is used without parentheses.
        params: Vec<SortedVar>,
        /// The body, a formula.
        body: Expr,
    },
    /// `sat trace { .. }` or `unsat trace { .. }`.
    Trace {
        /// Whether the keyword is `sat`.
        expect_sat: bool,
        /// The components.
        steps: Vec<TraceStep>,
    },
    /// What is known of the elements of a sort and of their order.
    Interpreted(Interpreted),
    /// A command that is checked and never executed.
    Unused(Command),
    /// A command before or after the loop.
    Command(Command),
    /// `while * do { .. }`.
    While(Vec<Command>),
    /// Text with a syntax error, with all names in it.
    Broken(Vec<Arc<str>>),
}

/// A module: declarations over sorts and symbols supplied by `use`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The name.
    pub name: Ident,
    /// The parameters: sorts and symbols.
    pub params: Vec<Ident>,
    /// The declarations.
    pub items: Vec<Item>,
}

/// Role of a formula: a claim or an assumption.
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
    /// What is to be shown in the place of the claim before it. No text has it.
    Goal,
    /// An instance of a schema. No text has it.
    Instance(InstanceParts),
}

impl Role {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Role::Axiom => "axiom",
            Role::Conjecture | Role::Goal => "conjecture",
            Role::Safety => "safety",
            Role::Theorem | Role::Instance(_) => "theorem",
        }
    }
}

/// The declaration of symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDecl {
    /// The keyword.
    pub form: SymbolForm,
    /// The names; several only for variables.
    pub names: Vec<Ident>,
    /// The argument sorts.
    pub args: Vec<SortRef>,
    /// The result sort; `None` for relations.
    pub result: Option<SortRef>,
    /// The annotations.
    pub annotations: Vec<Annotation>,
    /// The name in the source of what the symbols stand for, if the source does not declare them.
    pub source: Option<Arc<str>>,
    /// Whether each state has a value of its own that nothing constrains. Commands read it and do not assign it.
    pub is_chosen: bool,
    /// Whether it is defined by recursion over numbers, which proofs alone know.
    pub is_recursive: bool,
    /// Why the claims that the symbols stand for are not checked, if they are such.
    pub unchecked: Option<Unchecked>,
}

/// A sort whose elements are numbers, or texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpreted {
    /// The sort.
    pub sort: SortRef,
    /// What its elements are.
    pub elements: Elements,
    /// The least number, if there is one.
    pub least: Option<End>,
    /// The greatest number, if there is one.
    pub greatest: Option<End>,
}

/// What the elements of an interpreted sort are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elements {
    /// Texts, in their order by the first difference.
    Texts,
    /// Numbers. At an end, operations stay there.
    Numbers,
    /// Numbers of so many bits. Behind the greatest one, operations begin anew.
    Bits,
}

/// An end of a range of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// This number.
    Number(u64),
    /// The value of a constant.
    Constant(Ident),
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
    /// Returns the keyword.
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
    /// The kind of command, with its parts.
    pub kind: CommandKind,
    /// The position, from the first token to the last.
    pub place: Place,
}

impl Command {
    /// Returns the position, from the first token to the last.
    pub fn span(&self) -> Span {
        self.place.0
    }

    /// Returns the symbol or variable that the command itself assigns to.
    pub fn target(&self) -> Option<&Ident> {
        match &self.kind {
            CommandKind::Havoc(target)
            | CommandKind::Assign { target, .. }
            | CommandKind::Update { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Calls `visit` with the expressions of the command itself in source order, proofs excepted.
    pub fn for_each_expr<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match &self.kind {
            CommandKind::Assume(formula) | CommandKind::Assert { formula, .. } => visit(formula),
            CommandKind::Assign { args, value, .. } => args.iter().flatten().chain([value]).for_each(visit),
            CommandKind::Update { args, condition, .. } => args.iter().chain(condition).for_each(visit),
            CommandKind::If { condition, .. } => condition.iter().for_each(visit),
            _ => {}
        }
    }
}

/// Returns the commands that executions consist of, those inside of others excepted.
pub fn commands_of(items: &[Item]) -> impl Iterator<Item = &Command> {
    items.iter().flat_map(|item| match &item.kind {
        ItemKind::Command(command) => std::slice::from_ref(command),
        ItemKind::While(body) => body,
        _ => &[],
    })
}

/// Returns the names that the commands of these items assign to.
pub fn assigned(items: &[Item]) -> Set<Arc<str>> {
    let mut found = Set::default();
    for_each_command(commands_of(items), |command| {
        found.extend(command.target().map(|target| target.name.clone()));
    });
    found
}

/// Calls `visit` with these commands and all commands inside of them in source order.
pub fn for_each_command<'a>(
    commands: impl IntoIterator<Item = &'a Command>,
    mut visit: impl FnMut(&'a Command),
) {
    let mut open: Vec<&Command> = commands.into_iter().collect();
    open.reverse();
    while let Some(command) = open.pop() {
        visit(command);
        let outside = open.len();
        match &command.kind {
            CommandKind::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
            CommandKind::Choice(branches) => open.extend(branches.iter().flat_map(|it| &it.body)),
            _ => {}
        }
        open[outside..].reverse();
    }
}

/// The kinds of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandKind {
    /// `skip`.
    Skip,
    /// `abort`.
    Abort,
    /// `assume formula`.
    Assume(Expr),
    /// `assert formula`.
    Assert {
        /// The formula.
        formula: Expr,
        /// The proof after it.
        proof: Option<Proof>,
    },
    /// `local x: s, ..`: variables with arbitrary initial values, in scope until the end of the block.
    Local(Vec<SortedVar>),
    /// `v := *`.
    Havoc(Ident),
    /// `target(args) := value`.
    Assign {
        /// The symbol or variable assigned to.
        target: Ident,
        /// Logical variables and terms, if there are parentheses.
        args: Option<Vec<Expr>>,
        /// The new value.
        value: Expr,
    },
    /// `target.insert(args)`, `target.remove(args)`, or with a condition `target.insert(args | condition)`.
    Update {
        /// The relation.
        target: Ident,
        /// Whether tuples are inserted.
        insert: bool,
        /// Terms, and logical variables if there is a condition.
        args: Vec<Expr>,
        /// The condition on the tuples, over the logical variables among the arguments.
        condition: Option<Expr>,
    },
    /// `if condition then { .. } else { .. }`.
    If {
        /// The condition; `None` for `*`.
        condition: Option<Expr>,
        /// Commands executed if the condition holds.
        then: Vec<Command>,
        /// Commands executed otherwise; empty if there is no `else`.
        otherwise: Vec<Command>,
    },
    /// `{ .. } | { .. }`, or a single block.
    Choice(Vec<Branch>),
    /// Text with a syntax error.
    Broken,
}

/// A branch of a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The name after `action`.
    pub name: Option<Ident>,
    /// The parameters of the action.
    pub params: Vec<SortedVar>,
    /// The commands of the branch.
    pub body: Vec<Command>,
    /// The position, from the first token to the last.
    pub place: Place,
}
