//! What is open inside of a term that is being read.

use super::lexer::Place;
use super::names::{Local, Name, Names};
use super::theories::Builtin;
use super::variables::Variables;
use crate::logic::{SymId, TermId, VarId};

/// A part of a term that is open.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// An application whose arguments are being read.
    Application {
        head: Head,
        start: Place,
        /// Where its arguments start on the stack of values.
        first: usize,
        /// For definitions: see [`super::variables`].
        mark: usize,
    },
    /// A `let` whose value for this name is being read.
    Let { start: Place, name: Name, at: Place, first: usize, mark: usize },
    /// The body of a `let`.
    Body { start: Place, locals: usize, mark: usize },
    /// The body of a quantifier.
    Quantifier { start: Place, universal: bool, bound: usize, locals: usize },
    /// A term that gets annotations.
    Annotation { start: Place },
    /// What a `match` looks at.
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
    /// Where its cases start on the stack of values: pairs of a constructor and a result.
    pub(super) first: usize,
}

/// What is applied to arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Head {
    Builtin(Builtin, Name),
    Symbol(SymId),
    /// A definition, by its number.
    Macro(usize, Name),
    /// Whether a term is this constructor.
    Tester(SymId),
}

/// A term with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) term: TermId,
    pub(super) place: Place,
}

/// What is open inside of a term.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pub(super) frames: Vec<Frame>,
    /// Arguments of the open applications, and their places.
    pub(super) values: Vec<TermId>,
    pub(super) places: Vec<Place>,
    /// Values of the open `let`s that are not in scope yet.
    pub(super) bindings: Vec<(Name, TermId, Place)>,
    /// Cases of the open `match`es.
    pub(super) cases: Vec<(Option<SymId>, TermId)>,
    /// Variables of the open quantifiers.
    pub(super) bound: Vec<VarId>,
    /// Names that are bound, each with what it was before.
    pub(super) locals: Vec<(Name, Option<Local>)>,
}

impl Stack {
    /// Ends all bindings of names, and all binders.
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

    /// Ends the bindings of names behind the first `count`.
    pub(super) fn unbind(&mut self, names: &mut Names, count: usize) {
        while self.locals.len() > count
            && let Some((name, before)) = self.locals.pop()
        {
            names.entries[name].local = before;
        }
    }
}
