//! Loop-free commands (Ivy, PLDI 2016, Figures 10 and 12) with names and sorts resolved.
//!
//! All formulas and terms are over step 0: the state in which the command that they stand in begins.

use crate::base::span::Span;
use crate::logic::{SymId, TermId, VarId};

/// A command with its place in the source.
#[derive(Clone, Debug)]
pub struct Command {
    /// What it does.
    pub kind: CommandKind,
    /// Where it stands.
    pub span: Span,
}

/// What a command does.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// Nothing.
    Skip,
    /// Goes on only where the formula holds. Its free variables are parameters and locals.
    Assume(TermId),
    /// Aborts where the formula does not hold; `abort` is the assertion of `false`.
    Assert(TermId),
    /// `symbol(vars) := value`, for all values of `vars` at once. `insert`, `remove` and point updates are of this form.
    Assign(Assignment),
    /// The mutable constant (or relation without arguments; see `choice`) takes any value.
    Havoc(Havoc),
    /// One after the other.
    Seq(Vec<Command>),
    /// The first where the formula holds, the second where it does not.
    If(TermId, Box<Command>, Box<Command>),
    /// One of these.
    Choice(Choice),
}

/// A simultaneous update of one symbol.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// A mutable symbol.
    pub sym: SymId,
    /// One per argument.
    pub vars: Vec<VarId>,
    /// A formula for relations, a term otherwise; free in `vars`, parameters and locals.
    pub value: TermId,
}

/// An arbitrary value for a constant.
#[derive(Clone, Debug)]
pub struct Havoc {
    /// A mutable constant, not of sort `bool`.
    pub sym: SymId,
    /// The value it takes: a variable of its own, one of the parameters of the action.
    pub value: VarId,
}

/// How a choice is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceForm {
    /// `{ .. } | { .. }`
    Branches,
    /// `if * { .. }`: the second branch does nothing.
    If,
    /// `if * { .. } else { .. }`
    IfElse,
}

/// A non-deterministic choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How it is written, for readers.
    pub form: ChoiceForm,
    /// At least one.
    pub branches: Vec<Branch>,
    /// One less than there are branches, each a symbol of kind [`crate::logic::SymbolKind::Choice`] of its own: branch `i` is taken
    /// where `bits[i]` is true and all before it are false, the last one where all are false.
    pub bits: Vec<SymId>,
}

/// One side of a choice.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its name, if the source gives one (`action NAME`).
    pub name: Option<String>,
    /// What it does.
    pub command: Command,
}
