//! State and public interface of the solver.

use super::arena::{Arena, ClauseRef};
use super::config::{Config, Stats};
use super::cover::Cover;
use super::decide::{First, Scope};
use super::heap::Heap;
use super::lit::{ClauseId, Lit, Var};
use super::observer::{Observer, Silent};
use super::queue::Queue;
use super::state::{Analysis, Mode, Phases, Restart, Schedule};
use super::watch::{Watch, Watches};
use ramsey_core::base::ids::Id;
use ramsey_core::base::rng::Rng;

/// Result of [`Solver::solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Answer {
    /// The clauses have a model in which the assumptions hold; see [`Solver::value`].
    Sat,
    /// They have no such model; see [`Solver::core`].
    Unsat,
}

/// Assignment data of a variable. Valid only while the variable is assigned.
#[derive(Clone, Copy, Debug)]
pub(super) struct VarInfo {
    pub(super) level: u32,
    /// The clause that implied the value, or `NONE` for decisions and at the root level.
    pub(super) reason: ClauseRef,
    /// Position on the trail.
    pub(super) trail: u32,
}

/// A decision level above the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// The decision literal. An assumption that is already true opens an empty level.
    pub(super) decision: Lit,
    /// Position on the trail of the first literal of this level.
    pub(super) start: u32,
    /// During conflict analysis: number of seen literals of this level, and the trail position of the first one.
    pub(super) seen: u32,
    pub(super) first_seen: u32,
    /// Number of clauses of the cover in front that are satisfied without this level.
    pub(super) covered: u32,
}

/// An incremental SAT solver.
///
/// Clauses and variables may be added between calls of [`Solver::solve`]. The last assignment is kept and undone only
/// as far as new clauses and changed assumptions require, so that a small change costs little work in a large solver.
///
/// Equal sequences of calls with equal [`Config`] yield equal answers, models and cores on every machine.
///
/// # Examples
/// ```
/// use ramsey_core::base::budget::Budget;
/// use ramsey_solver::sat::{Answer, Solver};
///
/// let mut solver = Solver::new();
/// let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
/// solver.add_clause(&[a, b]);
/// solver.add_clause(&[!a, b]);
/// assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Sat));
/// assert!(solver.value(b));
/// assert_eq!(solver.solve(&[!b, a], &mut Budget::unlimited()), Ok(Answer::Unsat));
/// assert_eq!(solver.core(), [!b]);
/// ```
#[derive(Clone, Debug)]
pub struct Solver<O: Observer = Silent> {
    pub(super) config: Config,
    pub(super) observer: O,
    pub(super) stats: Stats,
    /// By literal: 1 if true, -1 if false, 0 if unassigned.
    pub(super) values: Vec<i8>,
    /// By variable.
    pub(super) vars: Vec<VarInfo>,
    /// All true literals in the order of assignment.
    pub(super) trail: Vec<Lit>,
    /// The decision levels above the root.
    pub(super) levels: Vec<Level>,
    /// Next position of the trail to propagate. Literals at or after it belong to the last level, because clauses are
    /// added only at levels where they are not unit below.
    pub(super) head: usize,
    /// Root literals before this trail position have no reason and, with an active observer, a unit clause id.
    pub(super) settled: usize,
    /// By variable, with an active observer: the unit clause of its root value.
    pub(super) unit_ids: Vec<ClauseId>,
    pub(super) arena: Arena,
    /// Each clause is watched by its first two literals. If one of them is false, then the clause has a true literal of
    /// at most the same level, or the false literal is on the trail at or after `head`.
    pub(super) watches: Watches,
    /// Watches being moved to another list; empty outside of propagation.
    pub(super) moved: Vec<(Lit, Watch)>,
    pub(super) queue: Queue,
    /// In stable mode it contains every unassigned variable, or every one of the scope.
    pub(super) heap: Heap,
    pub(super) scope: Scope,
    pub(super) first: First,
    pub(super) cover: Cover,
    pub(super) phases: Phases,
    pub(super) mode: Mode,
    pub(super) restart: Restart,
    pub(super) schedule: Schedule,
    pub(super) analysis: Analysis,
    pub(super) rng: Rng,
    /// Whether the clauses are unsatisfiable without assumptions.
    pub(super) refuted: bool,
    pub(super) assumptions: Vec<Lit>,
    pub(super) core: Vec<Lit>,
    pub(super) core_clause: Option<ClauseId>,
    pub(super) next_id: ClauseId,
    /// Scratch buffer for a clause under construction.
    pub(super) clause: Vec<Lit>,
}

impl Solver {
    /// Creates a solver without variables and clauses, with default settings and no observer.
    pub fn new() -> Solver {
        Solver::with_config(Config::default(), Silent)
    }
}

impl<O: Observer + Default> Default for Solver<O> {
    fn default() -> Self {
        Solver::with_config(Config::default(), O::default())
    }
}

impl<O: Observer> Solver<O> {
    /// Creates a solver without variables and clauses.
    pub fn with_config(config: Config, observer: O) -> Self {
        Solver {
            observer,
            stats: Stats::default(),
            values: Vec::new(),
            vars: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            settled: 0,
            unit_ids: Vec::new(),
            arena: Arena::default(),
            watches: Watches::default(),
            moved: Vec::new(),
            queue: Queue::default(),
            heap: Heap::default(),
            scope: Scope::default(),
            first: First::default(),
            cover: Cover::default(),
            phases: Phases::default(),
            mode: Mode::new(&config),
            restart: Restart::new(&config),
            schedule: Schedule::new(&config),
            analysis: Analysis::default(),
            rng: Rng::new(config.seed),
            refuted: false,
            assumptions: Vec::new(),
            core: Vec::new(),
            core_clause: None,
            // LRAT ids start at 1.
            next_id: ClauseId::new(1),
            clause: Vec::new(),
            config,
        }
    }

    /// Adds a variable. Its initial phase is false.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.vars.len());
        self.values.extend([0, 0]);
        self.vars.push(VarInfo { level: 0, reason: ClauseRef::NONE, trail: 0 });
        self.watches.grow();
        self.queue.grow();
        self.heap.grow();
        if self.mode.stable {
            self.heap.insert(var);
        }
        self.phases.grow();
        self.analysis.grow();
        if O::ACTIVE {
            self.unit_ids.push(ClauseId::new(0));
        }
        var
    }

    /// Adds `count` variables.
    pub fn new_vars(&mut self, count: usize) {
        self.values.reserve(2 * count);
        self.vars.reserve(count);
        self.trail.reserve(count);
        self.watches.reserve(count);
        self.queue.reserve(count);
        self.heap.reserve(count);
        self.phases.reserve(count);
        self.analysis.reserve(count);
        for _ in 0..count {
            self.new_var();
        }
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        self.vars.len()
    }

    /// Checks whether `lit` is true in the last model. Every variable (of the scope, if there is one) has a value after
    /// [`Answer::Sat`], until the next added clause or variable or the next call of `solve`. With a cover
    /// ([`Solver::set_cover`]) some have none: neither they nor their negations are true.
    #[inline]
    pub fn value(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    /// Returns the value of `lit` at the root level, which it has in every model of the clauses, or `None` if it is
    /// unassigned there.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        let value = self.values[lit.index()];
        (value != 0 && self.vars[lit.var().index()].level == 0).then_some(value > 0)
    }

    /// Returns, after [`Answer::Unsat`], a subset of the assumptions that cannot hold together. It is empty if the
    /// clauses are unsatisfiable by themselves, and not necessarily minimal.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Returns, after [`Answer::Unsat`] and with an active observer, the id of the clause of all negated literals of
    /// the core. Returns `None` if the core consists of two contradictory assumptions, because that clause is a
    /// tautology.
    pub fn core_clause(&self) -> Option<ClauseId> {
        self.core_clause
    }

    /// Sets the value tried first at the next decision of `var` and after each reset of the phases. The current value
    /// of an assigned variable does not change.
    pub fn set_phase(&mut self, var: Var, phase: bool) {
        self.phases.set_initial(var, phase);
    }

    /// Checks whether the clauses are known to be unsatisfiable without assumptions.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// Returns the observer of this solver.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Consumes the solver and returns its observer.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// Returns the statistics of this solver.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Returns the current decision level; 0 is the root.
    #[inline]
    pub(super) fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    #[inline]
    pub(super) fn val(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    #[inline]
    pub(super) fn var_info(&self, lit: Lit) -> VarInfo {
        self.vars[lit.var().index()]
    }

    /// Assigns `lit` true at the current level.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.val(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.vars[lit.var().index()] =
            VarInfo { level: self.levels.len() as u32, reason, trail: self.trail.len() as u32 };
        self.trail.push(lit);
    }

    /// Opens a decision level and assigns `lit` true there.
    pub(super) fn decide_literal(&mut self, lit: Lit) {
        self.open_level(lit);
        self.assign(lit, ClauseRef::NONE);
    }

    /// Opens an empty decision level for `lit`.
    pub(super) fn open_level(&mut self, lit: Lit) {
        let start = self.trail.len() as u32;
        let covered = self.cover.satisfied();
        self.levels.push(Level { decision: lit, start, seen: 0, first_seen: u32::MAX, covered });
    }

    /// Returns a fresh clause id.
    pub(super) fn fresh_id(&mut self) -> ClauseId {
        let id = self.next_id;
        self.next_id = ClauseId::from_word(id.word().wrapping_add(1));
        id
    }

    /// Stores a clause and watches its first two literals, which must satisfy the watch invariant.
    pub(super) fn attach(&mut self, lits: &[Lit], id: ClauseId, learned: bool, glue: u32) -> ClauseRef {
        let clause = self.arena.alloc(lits, id, learned, glue);
        let binary = lits.len() == 2;
        self.watches.push(lits[0], Watch::new(lits[1], clause, binary));
        self.watches.push(lits[1], Watch::new(lits[0], clause, binary));
        clause
    }

    /// Removes a clause from the watch lists and marks it as garbage. It must not be a reason.
    pub(super) fn detach(&mut self, clause: ClauseRef) {
        let (first, second) = (self.arena.lits(clause)[0], self.arena.lits(clause)[1]);
        self.watches.remove(first, clause);
        self.watches.remove(second, clause);
        self.forget(clause);
    }

    /// Marks a clause as garbage. It stays in the watch lists until the next collection, so the caller must not
    /// propagate before that.
    pub(super) fn forget(&mut self, clause: ClauseRef) {
        if O::ACTIVE {
            self.observer.deleted(self.arena.id(clause), self.arena.lits(clause));
        }
        self.arena.mark_garbage(clause);
    }

    /// Assigns `lit` true at the root level; `id` is its unit clause.
    pub(super) fn assign_unit(&mut self, lit: Lit, id: ClauseId) {
        debug_assert_eq!(self.level(), 0);
        if O::ACTIVE {
            self.unit_ids[lit.var().index()] = id;
        }
        self.assign(lit, ClauseRef::NONE);
    }
}
