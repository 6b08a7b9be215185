//! The syntax tree of a model.

/// A word or sign with its place in the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// A variable where it is bound: its number, and its sort if that is told.
#[derive(Clone, Copy)]
pub(super) struct Binder<'t> {
    pub(super) name: Name<'t>,
    pub(super) sort: Option<Name<'t>>,
    pub(super) number: usize,
}

/// A term or formula.
#[derive(Default)]
pub(super) struct Expr<'t> {
    /// An operator, the word that it begins with, or a name. `!` and `!=` stand for `~` and `~=` as well.
    pub(super) root: Name<'t>,
    /// The number of primes after a name.
    pub(super) primes: usize,
    /// The variables of a quantifier or `let`.
    pub(super) vars: Vec<Binder<'t>>,
    /// Operands, arguments and the like, from left to right.
    pub(super) parts: Vec<Expr<'t>>,
}

/// A component of a trace: `assert` with its formula, or a transition with its arguments, if there are any.
pub(super) type Component<'t> = (Name<'t>, Option<Vec<Expr<'t>>>);

/// A declaration. What it does not have is empty.
#[derive(Default)]
pub(super) struct Decl<'t> {
    /// `sort`; `immutable`, `mutable` or `derived` for a symbol; `axiom`, `init`, `invariant`, `safety`, `theorem`,
    /// `transition` or `definition` for a formula; `sat` or `unsat` for a trace.
    pub(super) word: &'t str,
    pub(super) at: usize,
    pub(super) name: Option<Name<'t>>,
    /// The sorts of the arguments of a symbol, and after them that of its values.
    pub(super) sorts: Vec<Name<'t>>,
    /// How many states the formulas speak of.
    pub(super) states: usize,
    pub(super) params: Vec<Binder<'t>>,
    pub(super) modifies: Vec<Name<'t>>,
    pub(super) formula: Option<Expr<'t>>,
    pub(super) components: Vec<Component<'t>>,
}
