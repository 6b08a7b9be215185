//! The syntax tree of a program. Variables have numbers already; other names are resolved later.

use std::rc::Rc;

use super::term::Term;

/// A word or sign with its place in the texts. Signs have one form each.
#[derive(Clone, PartialEq)]
pub(super) struct Name {
    pub(super) text: Rc<str>,
    pub(super) at: usize,
}

/// Where a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A binder of a formula, or capital letters.
    Bound,
    /// A binder in a module, whose name is nobody else's.
    Hidden,
    /// A parameter of an action, or a local variable: the one with this number.
    Slot(usize),
    /// Capital letters on the left of a change. If something declared has the name, they are that.
    Logical,
}

/// A variable, and its sort if that is told.
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) sort: Option<Name>,
    pub(super) role: Role,
}

/// A component of a trace: `assert`, with a formula unless it is `assert init`; `any`; or an action with its arguments, if
/// there are any. An argument `*` is none.
pub(super) struct Component {
    pub(super) name: Name,
    pub(super) args: Option<Vec<Option<Term>>>,
    /// Whether it is a further one of several actions of which one is to happen.
    pub(super) is_other: bool,
}

/// A declaration or a command of the program.
pub(super) enum Item {
    Sort(Name),
    /// Relations, functions or variables, the sorts of their arguments, and that of their values.
    Symbol(Vec<Name>, Vec<Name>, Name),
    Formula(Formula),
    Trace(Vec<Component>),
    Module(Module),
    Use(Use),
    Command(Command),
    While(Vec<Command>, usize),
}

/// An `axiom`, `theorem`, `conjecture`, `safety` or `macro`.
pub(super) struct Formula {
    pub(super) word: Name,
    pub(super) name: Option<Name>,
    pub(super) params: Vec<usize>,
    pub(super) body: Term,
}

/// A module, with the names that it declares, and its text.
#[derive(Clone)]
pub(super) struct Module {
    pub(super) name: Name,
    pub(super) params: Vec<Name>,
    pub(super) declared: Vec<Name>,
    pub(super) tokens: Vec<Name>,
}

pub(super) struct Use {
    pub(super) module: Name,
    pub(super) args: Vec<Name>,
    pub(super) prefix: Option<Name>,
}

/// What a command changes: a parameter or local variable, or what else has the name.
pub(super) struct Target {
    pub(super) name: Name,
    pub(super) slot: Option<usize>,
}

/// How a command changes a symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Assign,
    Insert,
    Remove,
}

/// A command. `abort` is an assertion.
pub(super) enum Command {
    Skip,
    Assume(Term),
    /// A formula, and where the command begins.
    Assert(Term, usize),
    Local(Vec<usize>),
    /// `v := *`
    Any(Target),
    /// The arguments, the value or condition, and whether the name of what changes is in it.
    Change(Change, Target, Vec<Term>, Option<Term>, bool),
    /// Without a condition, `if *`.
    If(Option<Term>, Vec<Command>, Vec<Command>),
    Choice(Vec<Branch>),
}

/// A branch of a choice, with the name and parameters of an action.
pub(super) struct Branch {
    pub(super) name: Option<Name>,
    pub(super) params: Vec<usize>,
    pub(super) body: Vec<Command>,
}
