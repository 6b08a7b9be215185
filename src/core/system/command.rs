//! Loop-free commands (Ivy, PLDI 2016, Figures 10 and 12) with resolved names and sorts.
//!
//! All formulas and terms are over step 0, the state in which the enclosing command begins.

use crate::base::span::Span;
use crate::logic::{SymId, TermId, VarId};

/// A command with its position in the source.
#[derive(Clone, Debug)]
pub struct Command {
    /// The kind of command, with its parts.
    pub kind: CommandKind,
    /// The position.
    pub span: Span,
}

/// The kinds of commands.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// Does nothing.
    Skip,
    /// Blocks unless the formula holds. Its free variables are parameters and locals.
    Assume(TermId),
    /// Aborts unless the formula holds; `abort` is the assertion of `false`.
    Assert(TermId),
    /// Assigns `symbol(vars) := value` for all values of `vars` simultaneously. `insert`, `remove` and point updates
    /// have this form.
    Assign(Assignment),
    /// Assigns an arbitrary value to a mutable constant (for nullary relations see `Choice`).
    Havoc(Havoc),
    /// Sequential composition.
    Seq(Vec<Command>),
    /// Conditional: the first command if the formula holds, the second otherwise.
    If(TermId, Box<Command>, Box<Command>),
    /// Nondeterministic choice.
    Choice(Choice),
}

/// A simultaneous update of one symbol.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// A mutable symbol.
    pub sym: SymId,
    /// One variable per argument.
    pub vars: Vec<VarId>,
    /// A formula for relations, a term otherwise. Its free variables are `vars`, parameters and locals.
    pub value: TermId,
}

/// Assignment of an arbitrary value to a constant.
#[derive(Clone, Debug)]
pub struct Havoc {
    /// A mutable constant, not of sort `bool`.
    pub sym: SymId,
    /// The value: a variable of its own among the parameters of the action.
    pub value: VarId,
}

/// Concrete syntax of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceForm {
    /// `{ .. } | { .. }`
    Branches,
    /// `if * { .. }`: the second branch is empty.
    If,
    /// `if * { .. } else { .. }`
    IfElse,
}

/// A nondeterministic choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The concrete syntax, for printing.
    pub form: ChoiceForm,
    /// The branches; at least one.
    pub branches: Vec<Branch>,
    /// One bit per branch but the last, each a symbol of kind [`crate::logic::SymbolKind::Choice`] of its own. Branch
    /// `i` is taken if `bits[i]` is true and all earlier bits are false, the last branch if all are false.
    pub bits: Vec<SymId>,
}

/// A branch of a choice.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The name, if the source gives one (`action NAME`).
    pub name: Option<String>,
    /// The command of the branch.
    pub command: Command,
}
