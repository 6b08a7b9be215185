//! Syntax tree nodes shared by the languages of models: names, sorts, variables, formulas, traces.

use std::sync::Arc;

use ramsey_core::base::span::Span;

pub use super::expr::{BinaryOp, Expr, ExprKind, Level};
pub use super::proof::{Proof, ProofStep};

/// A position in the source. All places compare equal, so that comparison of trees ignores positions.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub Span);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

/// An occurrence of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// The position.
    pub place: Place,
}

impl Ident {
    /// Returns the position.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

/// Role of a formula: a claim or an assumption.
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
    /// What is to be shown in the place of the claim before it. No text has it.
    Goal,
}

impl Role {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Role::Axiom => "axiom",
            Role::Init => "init",
            Role::Invariant | Role::Goal => "invariant",
            Role::Safety => "safety",
        }
    }

    /// Returns the number of states that the formula speaks of.
    pub fn states(self) -> u16 {
        u16::from(self != Role::Axiom)
    }

    /// Returns the role as a noun with an article, for messages.
    pub fn what(self) -> &'static str {
        match self {
            Role::Axiom => "an axiom",
            Role::Init => "an init",
            Role::Invariant | Role::Goal => "an invariant",
            Role::Safety => "a safety property",
        }
    }
}

/// An annotation `@name(args)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The name without `@`.
    pub name: Arc<str>,
    /// The arguments; empty if there are no parentheses, because `@a()` is a syntax error.
    pub args: Vec<Ident>,
    /// The position.
    pub place: Place,
}

/// An occurrence of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortRef {
    /// The sort.
    pub name: SortName,
    /// The position.
    pub place: Place,
}

impl SortRef {
    /// Returns whether the name of the sort has several parts, with dots between them outside of subscripts.
    pub(crate) fn is_dotted(&self) -> bool {
        let SortName::Named(name) = &self.name else { return false };
        let mut open = 0_usize;
        name.bytes().any(|byte| {
            match byte {
                b'[' => open += 1,
                b']' => open = open.saturating_sub(1),
                _ => {}
            }
            byte == b'.' && open == 0
        })
    }
}

/// The name of a sort, built-in or declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortName {
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// A declared sort.
    Named(Arc<str>),
}

/// A variable at its binder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortedVar {
    /// The name.
    pub name: Ident,
    /// The sort, if given.
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
    /// The arguments, `None` for `*`. Without a list, all are arbitrary.
    pub args: Option<Vec<Option<Expr>>>,
    /// From the name to the closing parenthesis.
    pub place: Place,
}
