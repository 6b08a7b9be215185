//! What the syntax trees of all languages of models share: names, sorts, variables, formulas, traces.

use std::sync::Arc;

use crate::base::span::Span;

pub use super::expr::{BinaryOp, Expr, ExprKind, Level};

/// A place in the source. All places are equal, so that trees compare by what they say.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub Span);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

/// A name where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub place: Place,
}

impl Ident {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

/// The claim or assumption that a formula is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// `axiom`.
    Axiom,
    /// `init`.
    Init,
    /// `invariant`.
    Invariant,
    /// `safety`.
    Safety,
}

impl Role {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Role::Axiom => "axiom",
            Role::Init => "init",
            Role::Invariant => "invariant",
            Role::Safety => "safety",
        }
    }

    /// What a declaration with this keyword is, with its article, for messages.
    pub fn what(self) -> &'static str {
        match self {
            Role::Axiom => "an axiom",
            Role::Init => "an init",
            Role::Invariant => "an invariant",
            Role::Safety => "a safety property",
        }
    }
}

/// `@name(args)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The name without `@`.
    pub name: Arc<str>,
    /// The arguments; `@a` and `@a()` cannot both be written, so no list is an empty one.
    pub args: Vec<Ident>,
    /// Where it stands.
    pub place: Place,
}

/// A sort where it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortRef {
    /// Which sort.
    pub name: SortName,
    /// Where it stands.
    pub place: Place,
}

/// A built-in sort or the name of a declared one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortName {
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// A declared sort.
    Named(Arc<str>),
}

/// A variable where it is bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortedVar {
    /// The name.
    pub name: Ident,
    /// The sort, where it is written.
    pub sort: Option<SortRef>,
}

/// A component of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceStep {
    /// `assert init`.
    AssertInit,
    /// `assert formula`.
    Assert(Expr),
    /// `any transition`.
    AnyTransition(Place),
    /// Transitions separated by `|`.
    Calls(Vec<TraceCall>),
}

/// A transition in a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceCall {
    /// The transition.
    pub name: Ident,
    /// The arguments, `None` for `*`; no list leaves all of them open.
    pub args: Option<Vec<Option<Expr>>>,
    /// From the name to the closing parenthesis.
    pub place: Place,
}
