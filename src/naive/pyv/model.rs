//! A model in which every name has a meaning, every variable a sort, and every symbol a state.

use super::syntax::{Role, SymbolKind};

/// A sort: that of formulas, a declared one, or one to be inferred, which is that of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Declared(usize),
    Of(usize),
}

/// A relation, function or constant.
pub(super) struct Symbol<'t> {
    pub(super) name: &'t str,
    pub(super) kind: SymbolKind,
    /// The sorts of its arguments.
    pub(super) args: Vec<usize>,
    pub(super) result: Sort,
    /// Its number among the relations, or among the other symbols.
    pub(super) number: usize,
}

/// A declaration with a formula.
pub(super) struct Unit<'t> {
    pub(super) role: Role,
    pub(super) name: Option<&'t str>,
    /// Where it begins in the text.
    pub(super) at: usize,
    /// The variables that are its parameters.
    pub(super) params: Vec<usize>,
    /// The variables in capital letters that are bound implicitly.
    pub(super) closure: Vec<usize>,
    /// The symbols in its `modifies`.
    pub(super) modifies: Vec<usize>,
    pub(super) formula: Term,
    pub(super) uses: Uses,
}

/// What a formula uses directly, with the states in which it is read.
#[derive(Default)]
pub(super) struct Uses {
    /// Symbols that are not immutable.
    pub(super) symbols: Vec<(usize, usize)>,
    /// Units.
    pub(super) units: Vec<(usize, usize)>,
}

/// A term or formula. Symbols, units and variables are given by their numbers, and states from that of the unit on.
pub(super) enum Term {
    Truth(bool),
    Variable(usize),
    Symbol {
        symbol: usize,
        state: usize,
        args: Vec<Term>,
    },
    Unit {
        unit: usize,
        state: usize,
        args: Vec<Term>,
    },
    /// The conjunction of all safety properties.
    Safety {
        state: usize,
    },
    Not(Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    Distinct(Vec<Term>),
    Implies(Box<[Term; 2]>),
    /// Equality of terms, or equivalence of formulas.
    Equal(Box<[Term; 2]>),
    Quantifier {
        is_universal: bool,
        vars: Vec<usize>,
        body: Box<Term>,
    },
    If(Box<[Term; 3]>),
    /// The variable is what the first part is.
    Let(usize, Box<[Term; 2]>),
}

/// A model.
#[derive(Default)]
pub(super) struct Model<'t> {
    /// The names of the sorts.
    pub(super) sorts: Vec<&'t str>,
    pub(super) symbols: Vec<Symbol<'t>>,
    pub(super) units: Vec<Unit<'t>>,
    /// By variable, its sort.
    pub(super) variables: Vec<Sort>,
}

impl Role {
    /// How many states a formula speaks of.
    pub(super) fn states(self) -> usize {
        match self {
            Role::Axiom => 0,
            Role::Init | Role::Invariant | Role::Safety | Role::Derived(_) => 1,
            Role::Transition => 2,
            Role::Theorem(states) | Role::Definition(states) => states,
        }
    }
}
