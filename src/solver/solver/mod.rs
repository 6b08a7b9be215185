//! The decision procedure as a library for embedding programs.
//!
//! A [`Solver`] holds declarations, formulas, and assertions in scopes. Formulas are built by its methods, which reject
//! invalid calls with a [`Misuse`]. Each model is evaluated against the assertions before it is returned.
//!
//! ```
//! use ramsey_core::base::budget::Budget;
//! use ramsey_solver::epr::Measure;
//! use ramsey_solver::solver::{Answer, Cause, Misuse, Solver};
//!
//! # fn main() -> Result<(), Misuse> {
//! let mut solver = Solver::new();
//! let node = solver.sort("node")?;
//! let edge = solver.relation("edge", &[node, node])?;
//! let (x, y) = (solver.variable("X", node)?, solver.variable("Y", node)?);
//!
//! // Every node has an edge to some node, and no edge has one back.
//! let (from, to) = (solver.var(x)?, solver.var(y)?);
//! let there = solver.apply(edge, &[from, to])?;
//! let back = solver.apply(edge, &[to, from])?;
//! let some = solver.exists(&[y], there)?;
//! let total = solver.forall(&[x], some)?;
//! let both = solver.and(&[there, back])?;
//! let none = solver.not(both)?;
//! let one_way = solver.forall(&[x, y], none)?;
//! solver.assert(total)?;
//! let label = solver.assert_labelled(one_way)?;
//!
//! assert_eq!(solver.check(&mut Budget::unlimited()), Answer::Sat);
//! let minimum = solver.minimal_model(&[Measure::Size(node.id())], &mut Budget::unlimited())?;
//! assert_eq!(minimum.structure.sizes[node.id()], 3, "the least cycle without a way back");
//!
//! solver.push();
//! let a = solver.constant("a", node)?;
//! let a = solver.apply(a, &[])?;
//! let edge = solver.apply(edge, &[a, to])?;
//! let itself = solver.eq(a, to)?;
//! let only = solver.implies(edge, itself)?;
//! let lonely = solver.forall(&[y], only)?;
//! solver.assert(lonely)?;
//! assert_eq!(solver.check(&mut Budget::unlimited()), Answer::Unsat);
//! assert_eq!(solver.core()?, [Cause::Label(label)]);
//! solver.pop()?;
//! # Ok(())
//! # }
//! ```

mod build;
mod check;
mod cores;
mod kept;
mod misuse;
mod model;

pub use build::{Sort, Symbol, Term, Variable};
pub use cores::MinimalCore;
pub use misuse::Misuse;
pub use model::Model;

use crate::epr;
use kept::Kept;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Signature, TermId, Terms};

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The assertions have a model; see [`Solver::model`].
    Sat,
    /// They have no model; [`Solver::core`] returns a sufficient subset.
    Unsat,
    /// A budget was exhausted.
    Unknown(Exhausted),
    /// The structure found does not satisfy the assertions, which is a defect of the solver.
    Defect,
}

/// Identifies an assertion in cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Label(epr::AssertionId);

/// An element of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cause {
    /// The assertion with this label.
    Label(Label),
    /// The assumption with this index in the list given to the check.
    Assumption(usize),
}

/// A labelled assertion or assumption that takes part in a check.
#[derive(Clone, Copy, Debug)]
struct CheckedFormula {
    cause: Cause,
    formula: TermId,
    inner: epr::Label,
}

/// Result of the last check; reset by assertions and declarations.
#[derive(Clone, Debug, Default)]
enum LastResult {
    /// There was no check, or it was not answered.
    #[default]
    Nothing,
    /// A model, which is kept.
    Model,
    /// A core.
    Core(Vec<Cause>),
}

/// An incremental solver for many-sorted first-order logic with equality and uninterpreted sorts. It decides the EPR
/// fragment with stratified functions. Outside of this fragment it searches as far as budgets allow.
///
/// Handles ([`Sort`], [`Symbol`], [`Variable`], [`Term`], [`Label`]) belong to the solver that created them and to its
/// clones. A clone is independent, so that a portfolio can use one per thread.
#[derive(Clone, Debug)]
pub struct Solver {
    engine: epr::Assertions,
    /// Names of declared symbols.
    names: Set<String>,
    /// Assumptions for which the engine has a label, with that label and the number of scopes in which it was created.
    assumptions: Map<TermId, (epr::Label, usize)>,
    last: LastResult,
    kept: Kept,
    /// The labelled assertions and assumptions of the last check.
    checked: Vec<CheckedFormula>,
    /// Statistics of previous engines, and of checks without a search.
    earlier_stats: epr::Stats,
}

/// Size of an engine that is not built anew. Obsolete parts also cost time in each check, because SAT decides all atoms
/// and symbols of closed scopes have tables.
const MIN_REBUILD_SIZE: usize = 50_000;

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// Creates a solver without declarations and assertions.
    pub fn new() -> Solver {
        Solver::with_seed(0)
    }

    /// Creates a solver without declarations and assertions whose searches depend on this seed.
    pub fn with_seed(seed: u64) -> Solver {
        Solver::over(Signature::new(), Terms::new(), seed)
    }

    /// Creates a solver over existing declarations and formulas.
    #[doc(hidden)]
    pub fn over(sig: Signature, terms: Terms, seed: u64) -> Solver {
        Solver {
            engine: epr::Assertions::new(sig, terms, seed, MIN_REBUILD_SIZE),
            names: Set::default(),
            assumptions: Map::default(),
            last: LastResult::Nothing,
            kept: Kept::default(),
            checked: Vec::new(),
            earlier_stats: epr::Stats::default(),
        }
    }

    /// Sets the clock that measures the time of phases, for [`Self::stats`].
    pub fn set_clock(&mut self, clock: Option<epr::Clock>) {
        self.engine.set_clock(clock);
    }

    /// Returns the statistics of this solver.
    pub fn stats(&self) -> epr::Stats {
        let mut stats = self.earlier_stats;
        stats.add(&self.engine.stats());
        stats
    }

    /// Returns the number of open scopes.
    pub fn depth(&self) -> usize {
        self.engine.depth()
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.last = LastResult::Nothing;
        self.engine.push();
    }

    /// Closes the innermost scope and retracts its assertions. Declarations stay.
    ///
    /// # Errors
    /// Returns [`Misuse::NoScope`] if none is open.
    pub fn pop(&mut self) -> Result<(), Misuse> {
        if !self.engine.pop() {
            return Err(Misuse::NoScope);
        }
        self.last = LastResult::Nothing;
        self.kept.retract(self.engine.since(0).len());
        let depth = self.depth();
        self.assumptions.retain(|_, &mut (_, within)| within <= depth);
        Ok(())
    }

    /// Closes scopes until at most `depth` are open.
    #[doc(hidden)]
    pub fn pop_to(&mut self, depth: usize) {
        while self.depth() > depth && self.pop().is_ok() {}
    }

    /// Returns the declarations and formulas, for front ends that create them directly.
    #[doc(hidden)]
    pub fn language_mut(&mut self) -> (&mut Signature, &mut Terms) {
        self.engine.language_mut()
    }

    /// Returns the arena of formulas.
    #[doc(hidden)]
    pub fn terms(&self) -> &Terms {
        self.engine.terms()
    }

    /// Asserts a closed formula in the innermost scope.
    ///
    /// # Errors
    /// Returns an error if it is not a closed formula of this solver.
    pub fn assert(&mut self, formula: Term) -> Result<(), Misuse> {
        let formula = self.closed(formula)?;
        self.assert_closed(formula, false);
        Ok(())
    }

    /// Asserts a closed formula with a label, by which cores refer to it and which [`Self::check_selected`] can omit.
    ///
    /// # Errors
    /// Returns an error if it is not a closed formula of this solver.
    pub fn assert_labelled(&mut self, formula: Term) -> Result<Label, Misuse> {
        let formula = self.closed(formula)?;
        let label = self.assert_closed(formula, true);
        label.ok_or(Misuse::Foreign)
    }

    /// Asserts a formula known to be closed, with or without a label.
    #[doc(hidden)]
    pub fn assert_closed(&mut self, formula: TermId, labelled: bool) -> Option<Label> {
        self.last = LastResult::Nothing;
        if labelled {
            return Some(Label(self.engine.assert_labelled(formula)));
        }
        self.engine.assert(formula);
        None
    }

    /// Returns the labels of the active assertions, in order.
    pub fn labels(&self) -> Vec<Label> {
        self.engine.iter().filter_map(|(_, id)| id.map(Label)).collect()
    }

    /// Builds the engine anew if most of it is left over from closed scopes.
    fn tidy(&mut self) {
        if let Some(old) = self.engine.renew() {
            self.earlier_stats.add(&old.stats());
            self.assumptions.clear();
            self.kept = Kept::default();
        }
    }
}
