//! The decision procedure as a library: what a program that embeds it works with.
//!
//! A [`Solver`] has declarations and formulas, assertions in scopes, and answers. Formulas are built by its methods,
//! which refuse what has no meaning ([`Misuse`]) instead of panicking or guessing. Each model has been evaluated against
//! the assertions before it is handed out.
//!
//! ```
//! use ramsey::base::budget::Budget;
//! use ramsey::epr::Measure;
//! use ramsey::solver::{Answer, Cause, Misuse, Solver};
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

mod ask;
mod build;
mod cores;
mod misuse;
mod model;

pub use build::{Sort, Symbol, Term, Variable};
pub use cores::MinimalCore;
pub use misuse::Misuse;
pub use model::Model;

use crate::base::budget::Exhausted;
use crate::base::hash::{Map, Set};
use crate::epr;
use crate::logic::{Signature, Structure, TermId, Terms};

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a structure; [`Solver::model`] has it.
    Sat,
    /// There is none; [`Solver::core`] tells what suffices for that.
    Unsat,
    /// A budget ran out.
    Unknown(Exhausted),
    /// The structure that was found does not satisfy the assertions: a defect of the solver, which is not hidden.
    Defect,
}

/// Names an assertion in cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Label(u32);

/// What an answer `Unsat` rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cause {
    /// The assertion with this label.
    Label(Label),
    /// The assumption at this place of the list given to the check.
    Assumption(usize),
}

/// A formula that is asserted.
#[derive(Clone, Copy, Debug)]
struct Assertion {
    formula: TermId,
    /// Where it has a label: that, and what stands for it in the procedure below.
    label: Option<(Label, epr::Label)>,
}

/// A formula that a check takes into account under a condition.
#[derive(Clone, Copy, Debug)]
struct Asked {
    cause: Cause,
    formula: TermId,
    inner: epr::Label,
}

/// What the last check left behind, until something else is asserted or declared.
#[derive(Clone, Debug, Default)]
enum Last {
    /// No check since, or one without an answer.
    #[default]
    Nothing,
    /// A model.
    Model(Box<Structure>),
    /// A core.
    Core(Vec<Cause>),
}

/// An incremental solver for many-sorted first-order logic with equality and uninterpreted sorts, which decides the
/// fragment EPR with stratified functions and goes on beyond it as far as budgets allow.
///
/// Handles ([`Sort`], [`Symbol`], [`Variable`], [`Term`], [`Label`]) belong to the solver that made them and to its
/// clones. A clone is independent: a portfolio gives each of its threads one.
#[derive(Clone, Debug)]
pub struct Solver {
    engine: epr::Solver,
    /// Names of declared symbols.
    names: Set<String>,
    /// Those that count, the scopes one after the other.
    assertions: Vec<Assertion>,
    /// Per open scope, how many assertions there were before it.
    scopes: Vec<usize>,
    /// How many labels have been given out.
    labels: u32,
    /// Assumptions that the engine knows, and within how many scopes.
    assumptions: Map<TermId, (epr::Label, usize)>,
    last: Last,
    /// What the last check was about.
    asked: Vec<Asked>,
    seed: u64,
    clock: Option<epr::Clock>,
    /// What the engines before the present one did.
    earlier: epr::Stats,
    /// The size of the engine beyond which it is made anew, see `tidy`.
    most: usize,
}

/// Engines smaller than this are not worth being made anew. Each check takes time for what is left over as well: SAT decides
/// about all atoms, and symbols of closed scopes have tables.
const LEAST: usize = 50_000;

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// A solver without declarations and assertions.
    pub fn new() -> Solver {
        Solver::with_seed(0)
    }

    /// The same; seeds make searches begin elsewhere.
    pub fn with_seed(seed: u64) -> Solver {
        Solver::over(Signature::new(), Terms::new(), seed)
    }

    /// A solver over what has been declared and made elsewhere.
    pub(crate) fn over(sig: Signature, terms: Terms, seed: u64) -> Solver {
        Solver {
            engine: epr::Solver::new(sig, terms, seed),
            names: Set::default(),
            assertions: Vec::new(),
            scopes: Vec::new(),
            labels: 0,
            assumptions: Map::default(),
            last: Last::Nothing,
            asked: Vec::new(),
            seed,
            clock: None,
            earlier: epr::Stats::default(),
            most: LEAST,
        }
    }

    /// Measures the time of phases by this clock, for [`Self::stats`].
    pub fn set_clock(&mut self, clock: Option<epr::Clock>) {
        self.clock = clock;
        self.engine.set_clock(clock);
    }

    /// What the solver has done so far.
    pub fn stats(&self) -> epr::Stats {
        let mut stats = self.earlier;
        stats.add(&self.engine.stats());
        stats
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.last = Last::Nothing;
        self.engine.push();
        self.scopes.push(self.assertions.len());
    }

    /// Closes the innermost scope: what was asserted in it counts no more. Declarations stay.
    ///
    /// # Errors
    /// [`Misuse::NoScope`] where none is open.
    pub fn pop(&mut self) -> Result<(), Misuse> {
        let assertions = self.scopes.pop().ok_or(Misuse::NoScope)?;
        self.last = Last::Nothing;
        self.assertions.truncate(assertions);
        self.engine.pop();
        let depth = self.scopes.len();
        self.assumptions.retain(|_, &mut (_, within)| within <= depth);
        Ok(())
    }

    /// Closes scopes until so many are open, if there are more.
    pub(crate) fn pop_to(&mut self, depth: usize) {
        while self.scopes.len() > depth && self.pop().is_ok() {}
    }

    /// Declarations and formulas, for front ends that make them on their own.
    pub(crate) fn language_mut(&mut self) -> (&mut Signature, &mut Terms) {
        self.engine.language_mut()
    }

    /// The arena of formulas.
    pub(crate) fn terms(&self) -> &Terms {
        self.engine.terms()
    }

    /// Asserts a closed formula in the innermost scope.
    ///
    /// # Errors
    /// Where it is no closed formula of this solver.
    pub fn assert(&mut self, formula: Term) -> Result<(), Misuse> {
        let formula = self.closed(formula)?;
        self.assert_closed(formula, false);
        Ok(())
    }

    /// The same, with a label that cores name and that [`Self::check_selected`] can leave out.
    ///
    /// # Errors
    /// Where it is no closed formula of this solver.
    pub fn assert_labelled(&mut self, formula: Term) -> Result<Label, Misuse> {
        let formula = self.closed(formula)?;
        let label = self.assert_closed(formula, true);
        label.ok_or(Misuse::Foreign)
    }

    /// Asserts a formula that is known to be closed, with a label or without.
    pub(crate) fn assert_closed(&mut self, formula: TermId, labelled: bool) -> Option<Label> {
        self.last = Last::Nothing;
        let label = labelled.then(|| {
            self.labels += 1;
            (Label(self.labels - 1), self.engine.assert_labelled(formula))
        });
        if label.is_none() {
            self.engine.assert(formula);
        }
        self.assertions.push(Assertion { formula, label });
        label.map(|(label, _)| label)
    }

    /// The labels of the assertions that count, in their order.
    pub fn labels(&self) -> Vec<Label> {
        self.assertions.iter().filter_map(|assertion| assertion.label).map(|(label, _)| label).collect()
    }

    /// The engine keeps all instances and terms that it ever made. Where most of them can only be left over from closed
    /// scopes, it starts anew with what is asserted: so memory is in proportion to what is asserted, and in the long run
    /// the time for it is a part of the time that went into making them.
    fn tidy(&mut self) {
        if self.engine.size() <= self.most {
            return;
        }
        self.earlier.add(&self.engine.stats());
        let (sig, terms) = self.engine.language_mut();
        let (sig, terms) = (std::mem::take(sig), std::mem::take(terms));
        self.engine = epr::Solver::new(sig, terms, self.seed);
        self.engine.set_clock(self.clock);
        self.assumptions.clear();
        let mut scopes = self.scopes.iter().peekable();
        for (index, assertion) in self.assertions.iter_mut().enumerate() {
            while scopes.next_if(|&&begin| begin == index).is_some() {
                self.engine.push();
            }
            match &mut assertion.label {
                Some((_, inner)) => *inner = self.engine.assert_labelled(assertion.formula),
                None => self.engine.assert(assertion.formula),
            }
        }
        scopes.for_each(|_| self.engine.push());
        self.most = LEAST.max(4 * self.engine.size());
    }
}
