//! Entries of an index.

use crate::base::span::{FileId, Span};

/// The kind of a declared name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A sort.
    Sort,
    /// A relation.
    Relation,
    /// A function.
    Function,
    /// A constant of a model.
    Constant,
    /// A variable of a program.
    Variable,
    /// A definition.
    Definition,
    /// A macro.
    Macro,
    /// A transition.
    Transition,
    /// An action of a program.
    Action,
    /// A named axiom.
    Axiom,
    /// A named formula about the initial states.
    Init,
    /// A named invariant.
    Invariant,
    /// A named conjecture.
    Conjecture,
    /// A named safety property.
    Safety,
    /// A named theorem.
    Theorem,
    /// A named step of an `fbii` proof.
    Step,
    /// A module.
    Module,
    /// The prefix of the names that a use of a module declares.
    Prefix,
    /// A parameter of a transition, definition, macro, action or module.
    Parameter,
    /// A local variable of commands.
    Local,
    /// A variable bound by `forall`, `exists` or `let`, or after `prophecy`.
    Bound,
    /// A name in capital letters that is quantified implicitly.
    Implicit,
    /// A logical variable of an update.
    Logical,
}

impl Kind {
    /// Returns the kind as a noun, without an article.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Sort => "sort",
            Kind::Relation => "relation",
            Kind::Function => "function",
            Kind::Constant => "constant",
            Kind::Variable => "variable",
            Kind::Definition => "definition",
            Kind::Macro => "macro",
            Kind::Transition => "transition",
            Kind::Action => "action",
            Kind::Axiom => "axiom",
            Kind::Init => "init",
            Kind::Invariant => "invariant",
            Kind::Conjecture => "conjecture",
            Kind::Safety => "safety property",
            Kind::Theorem => "theorem",
            Kind::Step => "proof step",
            Kind::Module => "module",
            Kind::Prefix => "prefix",
            Kind::Parameter => "parameter",
            Kind::Local => "local variable",
            Kind::Bound => "bound variable",
            Kind::Implicit => "implicitly quantified variable",
            Kind::Logical => "logical variable",
        }
    }

    /// Returns whether the name is known only in a part of one declaration or command.
    pub fn is_local(self) -> bool {
        matches!(self, Kind::Parameter | Kind::Local | Kind::Bound | Kind::Implicit | Kind::Logical)
    }
}

/// A declared name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The kind of name.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// The position of the name in its declaration; for a name that is quantified implicitly, its first occurrence.
    pub span: Span,
    /// The position of the whole declaration; for a variable, its name and the sort given with it.
    pub declaration: Span,
    /// The declaration on one line, without annotations, shortened if it is long.
    pub text: String,
    /// The positions of all other occurrences, in the order of their places.
    pub uses: Vec<Span>,
}

impl Entry {
    /// Returns the position of the occurrence (the declared name or a use) that covers a byte of a file, or ends just
    /// before it.
    pub fn occurrence(&self, file: FileId, offset: u32) -> Option<Span> {
        let all = || std::iter::once(self.span).chain(self.uses.iter().copied()).filter(|it| it.file == file);
        let covers = |span: &Span| span.start <= offset && offset < span.end;
        all().find(covers).or_else(|| all().find(|span| span.end == offset))
    }
}
