//! The explicit stack of the term parser.

use super::lexer::Place;
use super::names::{Local, Name, Names};
use super::theories::Builtin;
use super::variables::Variables;
use ramsey_core::logic::{SymId, TermId, VarId};

/// An incomplete part of a term.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// An application whose arguments are being read.
    Application {
        head: Head,
        start: Place,
        /// The start of its arguments on the stack of values.
        first: usize,
        /// For definitions; see [`super::variables`].
        mark: usize,
    },
    /// A `let` whose value for this name is being read.
    Let { start: Place, name: Name, at: Place, first: usize, mark: usize },
    /// The body of a `let`.
    Body { start: Place, locals: usize, mark: usize },
    /// The body of a quantifier.
    Quantifier { start: Place, universal: bool, bound: usize, locals: usize },
    /// A term followed by annotations.
    Annotation { start: Place },
    /// The scrutinee of a `match`.
    Scrutinee { start: Place, mark: usize },
    /// The result of a case of a `match`.
    Case { of: Match, constructor: Option<SymId>, locals: usize },
}

/// A `match` whose cases are being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) start: Place,
    pub(super) scrutinee: TermId,
    pub(super) mark: usize,
    /// The start of its cases in [`Stack::cases`]: pairs of a constructor and a result.
    pub(super) first: usize,
}

/// The head of an application.
#[derive(Clone, Copy, Debug)]
pub(super) enum Head {
    Builtin(Builtin, Name),
    Symbol(SymId),
    /// A definition, by number.
    Macro(usize, Name),
    /// The test whether a term is this constructor.
    Tester(SymId),
}

/// A term with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) term: TermId,
    pub(super) place: Place,
}

/// The stacks of incomplete parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pub(super) frames: Vec<Frame>,
    /// Arguments of incomplete applications, with their positions in `places`.
    pub(super) values: Vec<TermId>,
    pub(super) places: Vec<Place>,
    /// Values of incomplete `let`s, not yet in scope.
    pub(super) bindings: Vec<(Name, TermId, Place)>,
    /// Cases of incomplete `match`es.
    pub(super) cases: Vec<(Option<SymId>, TermId)>,
    /// Variables of incomplete quantifiers.
    pub(super) bound: Vec<VarId>,
    /// Bound names, each with its previous binding.
    pub(super) locals: Vec<(Name, Option<Local>)>,
}

impl Stack {
    /// Removes all bindings of names and all binders.
    pub(super) fn unwind(&mut self, names: &mut Names, variables: &mut Variables) {
        self.unbind(names, 0);
        for var in self.bound.drain(..) {
            variables.release(var);
        }
        self.frames.clear();
        self.values.clear();
        self.places.clear();
        self.bindings.clear();
        self.cases.clear();
    }

    /// Removes all bindings of names but the first `count`.
    pub(super) fn unbind(&mut self, names: &mut Names, count: usize) {
        while self.locals.len() > count
            && let Some((name, before)) = self.locals.pop()
        {
            names.entries[name].local = before;
        }
    }
}
