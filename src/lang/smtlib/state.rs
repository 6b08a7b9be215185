//! What a script has declared, defined and asserted so far, as tables.

use super::command::{Assertion, BoolElements};
use super::families::Sorts;
use super::names::{Name, Names};
use super::open::Stack;
use super::variables::Variables;
use crate::base::hash::Map;
use crate::logic::{SortId, SymId, TermId, VarId};

/// Declarations, definitions and the assertion stack of a script, command by command.
///
/// All calls are to be given the same signature and arena. Others may add to the arena, and change nothing else.
#[derive(Clone, Debug)]
pub struct Frontend {
    pub(super) names: Names,
    pub(super) variables: Variables,
    pub(super) sorts: Sorts,
    pub(super) macros: Vec<Macro>,
    /// Symbols that were made before the last one of their name.
    pub(super) former_symbols: Map<(Name, Vec<SortId>, SortId), SymId>,
    /// The constructors of each live datatype.
    pub(super) datatypes: Map<SortId, Vec<SymId>>,
    /// What is in scope, in the order of declaration.
    pub(super) declared: Vec<Declared>,
    pub(super) levels: Vec<Level>,
    pub(super) assertions: Vec<Assertion>,
    pub(super) bools: Option<BoolElements>,
    pub(super) parts: Parts,
    /// Below how many levels assertions were refused, ascending; those of level 0 for good.
    pub(super) refused: Vec<usize>,
    pub(super) has_global_declarations: bool,
    pub(super) has_logic: bool,
    /// Memory to work in.
    pub(super) stack: Stack,
}

/// A function that stands for its definition.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) params: Vec<VarId>,
    pub(super) body: TermId,
    /// What is known of the body once it has been used.
    pub(super) facts: Option<Facts>,
}

/// What has to be known of a definition to use it.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The variables that the body binds.
    pub(super) bound: Vec<VarId>,
    /// How many different terms there are in the body.
    pub(super) size: usize,
}

/// A name that came into scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    Sort(Name),
    Function(Name),
    /// A function without arguments that names a term.
    Label(Name),
}

/// How much there was when a level was pushed.
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
    /// At the start of a script.
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
            refused: Vec::new(),
            has_global_declarations: false,
            has_logic: false,
            stack: Stack::default(),
        }
    }
}

/// Parts with names.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    /// By term, the number of its name.
    pub(super) known: Map<TermId, usize>,
}

/// A part with a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) sym: SymId,
    pub(super) term: TermId,
    /// What stands for it: its symbol, applied to its free variables.
    pub(super) name: TermId,
    /// That they are equal, whatever the variables are.
    pub(super) definition: TermId,
}

impl Parts {
    /// Forgets all but the first `count`.
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
