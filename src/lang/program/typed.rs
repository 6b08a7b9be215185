//! Checked commands: names are resolved, sorts inferred.

use std::sync::Arc;

use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::lang::fol::sorts::Ty;
use crate::lang::fol::typed::Body;
use crate::logic::SymId;
use crate::typed_id;

typed_id! {
    /// A formula or term in a command.
    pub(super) struct PartId;
    /// A parameter of an action, or a variable declared by `local`.
    pub(super) struct SlotId;
}

/// A formula or term in a command. The parameters of its body are first the logical variables of the update that it
/// belongs to, then `slots`.
pub(super) struct Part {
    pub(super) body: Body,
    /// Parameters and local variables that occur.
    pub(super) slots: Vec<SlotId>,
    pub(super) role: PartRole,
    pub(super) span: Span,
}

/// What a formula or term is for.
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

/// What changes.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Symbol(SymId),
    Slot(SlotId),
}

/// An argument of an update.
pub(super) enum Arg {
    /// A logical variable, by its name; the next among those of the update.
    Logical(Arc<str>),
    /// A term.
    Term(PartId),
}

pub(super) enum CmdKind {
    Skip,
    Abort,
    Assume(PartId),
    Assert(PartId),
    /// The variables come into being.
    Local(Vec<SlotId>),
    Havoc(Target),
    /// One argument per argument sort.
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

/// A checked action, without what all actions begin and end with.
pub(super) struct Section {
    /// The parameters that the source gives it.
    pub(super) params: Vec<SlotId>,
    pub(super) commands: Vec<Cmd>,
}

/// All commands of a program.
#[derive(Default)]
pub(super) struct Commands {
    pub(super) parts: IdVec<PartId, Part>,
    pub(super) slots: IdVec<SlotId, Slot>,
}
