//! Checked commands, with resolved names and inferred sorts.

use std::sync::Arc;

use crate::fol::sorts::Ty;
use crate::fol::typed::Body;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::logic::SymId;
use ramsey_core::typed_id;

typed_id! {
    /// A formula or term in a command.
    pub(super) struct PartId;
    /// A parameter of an action, or a variable declared by `local`.
    pub(super) struct SlotId;
}

/// A formula or term in a command. The parameters of its body are the logical variables of the enclosing update,
/// followed by `slots`.
pub(super) struct Part {
    pub(super) body: Body,
    /// The parameters and local variables that occur in it.
    pub(super) slots: Vec<SlotId>,
    pub(super) role: PartRole,
    pub(super) span: Span,
}

/// Role of a formula or term in a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PartRole {
    Assumption,
    Assertion,
    Condition,
    Update,
}

/// A parameter of an action or a local variable.
pub(super) struct Slot {
    pub(super) name: Arc<str>,
    pub(super) ty: Ty,
    pub(super) span: Span,
    /// Whether a command assigns to it.
    pub(super) assigned: bool,
}

/// A checked command.
pub(super) struct Cmd {
    pub(super) kind: CmdKind,
    pub(super) span: Span,
}

/// The target of a change.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Symbol(SymId),
    Slot(SlotId),
}

/// An argument of an update.
pub(super) enum Arg {
    /// A logical variable, by name: the next one of the update.
    Logical(Arc<str>),
    /// A term.
    Term(PartId),
}

pub(super) enum CmdKind {
    Skip,
    Abort,
    Assume(PartId),
    Assert(PartId),
    /// Declaration of local variables.
    Local(Vec<SlotId>),
    Havoc(Target),
    /// Assignment, with one argument per argument sort.
    Assign {
        target: Target,
        args: Vec<Arg>,
        value: PartId,
    },
    Update {
        target: SymId,
        insert: bool,
        args: Vec<Arg>,
        condition: Option<PartId>,
    },
    If {
        condition: Option<PartId>,
        then: Vec<Cmd>,
        otherwise: Vec<Cmd>,
    },
    Choice(Vec<Vec<Cmd>>),
}

/// A checked action, without the commands common to all actions.
pub(super) struct Section {
    /// The declared parameters.
    pub(super) params: Vec<SlotId>,
    pub(super) commands: Vec<Cmd>,
}

/// All commands of a program.
#[derive(Default)]
pub(super) struct Commands {
    pub(super) parts: IdVec<PartId, Part>,
    pub(super) slots: IdVec<SlotId, Slot>,
}
