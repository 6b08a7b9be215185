//! What instances are made of, and how.

use ramsey_core::logic::{Interpretation, SortId, SymId, TermId};

/// How values of functions are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// A bit per value, of which exactly one is true.
    #[default]
    OneHot,
    /// The bits of the number of the value.
    Binary,
}

/// The part of a system that an instance is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// Initial states and what transitions reach from them.
    #[default]
    Loop,
    /// The part of a program that leads to the initial states: structures that satisfy the axioms, without transitions.
    /// It is what assertions of [`ramsey_core::system::Site::Init`] are about.
    BeforeInit,
}

/// Maximum number of nodes of a graph unless options say otherwise.
pub const MAX_NODES: usize = 4_000_000;

/// Options of an instance.
#[derive(Clone, Debug)]
pub struct Options {
    /// How values of functions are stored.
    pub encoding: Encoding,
    /// Look at some structures of each isomorphism class of the immutable symbols alone.
    pub break_symmetry: bool,
    /// Immutable symbols with a given interpretation.
    pub fixed: Vec<(SymId, Interpretation)>,
    /// The properties: closed formulas over step 0, with their names. The circuit has a bad state property for each.
    pub targets: Vec<(String, TermId)>,
    /// The part of the system.
    pub part: Part,
    /// Whether the circuit has a bad state property for each tuple of each defined relation as well, after the targets.
    pub definitions: bool,
    /// Whether constraints of states are formulas of the system: axioms, and initial conditions about immutable symbols alone. What else
    /// follows for immutable symbols is required of the first state, not of all.
    pub inductive: bool,
    /// Maximum number of nodes of the graph, and of remembered subformulas.
    pub max_nodes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            encoding: Encoding::OneHot,
            break_symmetry: true,
            fixed: Vec::new(),
            targets: Vec::new(),
            part: Part::Loop,
            definitions: false,
            inductive: false,
            max_nodes: MAX_NODES,
        }
    }
}

/// A restriction to some structures of each isomorphism class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Break {
    /// The relation is the order of the numbers of the elements.
    Order {
        /// The sort.
        sort: SortId,
        /// The relation.
        sym: SymId,
        /// Whether it is irreflexive.
        is_strict: bool,
    },
    /// Elements are numbered in the order in which they occur among these constants.
    Constants {
        /// The sort.
        sort: SortId,
        /// The constants.
        symbols: Vec<SymId>,
    },
}

impl Break {
    /// Returns the sort whose elements are no longer interchangeable.
    pub fn sort(&self) -> SortId {
        match self {
            Break::Order { sort, .. } | Break::Constants { sort, .. } => *sort,
        }
    }
}
