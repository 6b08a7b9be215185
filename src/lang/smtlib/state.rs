//! Tables of the declarations, definitions and assertions of a script.

use super::command::{Assertion, BoolElements};
use super::families::Sorts;
use super::names::{Name, Names};
use super::stack::Stack;
use super::variables::Variables;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{SortId, SymId, TermId, VarId};

/// State of a script: declarations, definitions and the assertion stack.
///
/// All calls must be given the same signature and arena. Callers may add terms to the arena but must not change it
/// otherwise.
#[derive(Clone, Debug)]
pub struct Frontend {
    pub(super) names: Names,
    pub(super) variables: Variables,
    pub(super) sorts: Sorts,
    pub(super) macros: Vec<Macro>,
    /// Symbols created before the last one of their name.
    pub(super) former_symbols: Map<(Name, Vec<SortId>, SortId), SymId>,
    /// The constructors of each live datatype.
    pub(super) datatypes: Map<SortId, Vec<SymId>>,
    /// Declarations in scope, in order.
    pub(super) declared: Vec<Declared>,
    pub(super) levels: Vec<Level>,
    pub(super) assertions: Vec<Assertion>,
    pub(super) bools: Option<BoolElements>,
    pub(super) parts: Parts,
    /// Numbers of levels below which assertions were rejected, ascending. Those of level 0 are permanent.
    pub(super) rejected: Vec<usize>,
    pub(super) has_global_declarations: bool,
    pub(super) has_logic: bool,
    /// Working memory.
    pub(super) stack: Stack,
}

/// A function that is expanded to its definition.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) params: Vec<VarId>,
    pub(super) body: TermId,
    /// Attributes of the body, computed on first use.
    pub(super) body_info: Option<BodyInfo>,
}

/// Attributes of a definition needed to expand it.
#[derive(Clone, Debug)]
pub(super) struct BodyInfo {
    /// The variables bound in the body.
    pub(super) bound: Vec<VarId>,
    /// The number of distinct terms in the body.
    pub(super) size: usize,
}

/// A name brought into scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    Sort(Name),
    Function(Name),
    /// The name of a term.
    Label(Name),
}

/// Sizes of the tables when a level was pushed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) declared: usize,
    pub(super) assertions: usize,
}

impl Default for Frontend {
    fn default() -> Self {
        Self::new()
    }
}

impl Frontend {
    /// Creates the state at the start of a script.
    pub fn new() -> Frontend {
        Frontend {
            names: Names::new(),
            variables: Variables::default(),
            sorts: Sorts::default(),
            macros: Vec::new(),
            former_symbols: Map::default(),
            datatypes: Map::default(),
            declared: Vec::new(),
            levels: Vec::new(),
            assertions: Vec::new(),
            bools: None,
            parts: Parts::default(),
            rejected: Vec::new(),
            has_global_declarations: false,
            has_logic: false,
            stack: Stack::default(),
        }
    }
}

/// Named parts of terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    /// The number of the part of each named term.
    pub(super) known: Map<TermId, usize>,
}

/// A named part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) sym: SymId,
    pub(super) term: TermId,
    /// The replacement: the symbol applied to the free variables.
    pub(super) name: TermId,
    /// The universally quantified equation of term and replacement.
    pub(super) definition: TermId,
}

impl Parts {
    /// Removes all but the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        for part in self.list.drain(count.min(self.list.len())..) {
            self.known.remove(&part.term);
        }
    }

    /// Adds a part.
    pub(super) fn add(&mut self, part: Part) {
        self.known.insert(part.term, self.list.len());
        self.list.push(part);
    }
}
