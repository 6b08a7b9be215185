//! The syntax tree of a program. Variables have numbers already; other names are resolved later.

use std::rc::Rc;

use super::term::Term;

/// Where axioms of a language hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axioms {
    /// Everywhere: they are about symbols that no command changes.
    Rigid,
    /// Before and after each action, and before and after the initial part.
    OfStates,
    /// In states, and after each command that changes one of their symbols.
    OfChanges,
}

/// A word or sign with its place in the texts. Signs have one form each.
#[derive(Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: Rc<str>,
    pub(crate) at: usize,
}

/// Where a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A binder of a formula, or capital letters.
    Bound,
    /// A binder whose name is nobody else's, as in a module.
    Hidden,
    /// A parameter of an action, or a local variable: the one with this number.
    Slot(usize),
    /// Capital letters on the left of a change. If something declared has the name, they are that.
    Logical,
    /// A variable of something that is not part of the program.
    Unread,
}

/// A variable, and its sort if that is told.
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) sort: Option<Name>,
    pub(crate) role: Role,
}

/// A component of a trace: `assert`, with a formula unless it is `assert init`; `any`; or an action with its arguments, if
/// there are any. An argument `*` is none.
pub(crate) struct Component {
    pub(crate) name: Name,
    pub(crate) args: Option<Vec<Option<Term>>>,
    /// Whether it is a further one of several actions of which one is to happen.
    pub(crate) is_other: bool,
}

/// A declaration or a command of the program.
pub(crate) enum Item {
    Sort(Name),
    /// Relations, functions or variables, the sorts of their arguments, and that of their values.
    Symbol(Vec<Name>, Vec<Name>, Name),
    /// The same for symbols that have any value in each state.
    Chosen(Vec<Name>, Vec<Name>, Name),
    Formula(Formula),
    /// A sort whose elements are numbers, from the first end to the second one, as far as there are ends.
    Numbers(Name, [Option<End>; 2]),
    Trace(Vec<Component>),
    Module(Module),
    Use(Use),
    Command(Command),
    While(Vec<Command>, usize),
    /// Commands that nothing executes.
    Unused(Vec<Command>),
}

/// An end of a range: a number, or a constant.
#[derive(Clone)]
pub(crate) enum End {
    Number(u64),
    Constant(Name),
}

/// An `axiom`, `theorem`, `conjecture`, `safety` or `macro`.
pub(crate) struct Formula {
    pub(crate) word: Name,
    pub(crate) name: Option<Name>,
    pub(crate) params: Vec<usize>,
    pub(crate) body: Term,
}

/// A module, with the names that it declares, and its text.
#[derive(Clone)]
pub(crate) struct Module {
    pub(crate) name: Name,
    pub(crate) params: Vec<Name>,
    pub(crate) sorts: Vec<Name>,
    /// All that it declares but sorts.
    pub(crate) symbols: Vec<Name>,
    pub(crate) tokens: Vec<Name>,
}

pub(crate) struct Use {
    pub(crate) module: Name,
    pub(crate) args: Vec<Name>,
    pub(crate) prefix: Option<Name>,
}

/// What a command changes: a parameter or local variable, or what else has the name.
pub(crate) struct Target {
    pub(crate) name: Name,
    pub(crate) slot: Option<usize>,
}

/// How a command changes a symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Assign,
    Insert,
    Remove,
}

/// A command. `abort` is an assertion.
pub(crate) enum Command {
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
pub(crate) struct Branch {
    pub(crate) name: Option<Name>,
    pub(crate) params: Vec<usize>,
    pub(crate) body: Vec<Command>,
}
