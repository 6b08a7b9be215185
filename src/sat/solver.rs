//! The state of a solver and what may be asked of it.

use super::arena::{Arena, ClauseRef};
use super::config::{Config, Stats};
use super::heap::Heap;
use super::lit::{ClauseId, Lit, Var};
use super::observer::{Observer, Silent};
use super::queue::Queue;
use super::state::{Analysis, Mode, Phases, Restart, Schedule};
use super::watch::{Watch, Watches};
use crate::base::ids::Id;
use crate::base::rng::Rng;

/// Whether the clauses have a model in which the assumptions hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Answer {
    /// They have: see [`Solver::value`].
    Sat,
    /// They have not: see [`Solver::core`].
    Unsat,
}

/// How a variable got its value. Valid only while the variable has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct VarInfo {
    pub(super) level: u32,
    /// The clause that implied the value; `NONE` for decisions and at the root level.
    pub(super) reason: ClauseRef,
    /// The place on the trail.
    pub(super) trail: u32,
}

/// One decision level above the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// The decision; an assumption that was true already makes a level with nothing in it.
    pub(super) decision: Lit,
    /// Where the literals of this level start on the trail.
    pub(super) start: u32,
    /// During analysis: how many literals of this level are seen, and the first one's place on the trail.
    pub(super) seen: u32,
    pub(super) first_seen: u32,
}

/// An incremental SAT solver.
///
/// Clauses and variables may be added between calls of [`Solver::solve`]. The assignment found last is kept and
/// only undone as far as new clauses and other assumptions need, so that a small change costs a small amount of
/// work however large the solver is.
///
/// The same calls with the same [`Config`] give the same answers, models and cores on every machine.
///
/// # Examples
/// ```
/// use ramsey::base::budget::Budget;
/// use ramsey::sat::{Answer, Solver};
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
    /// By literal: 1 true, -1 false, 0 without value.
    pub(super) values: Vec<i8>,
    /// By variable.
    pub(super) vars: Vec<VarInfo>,
    /// All true literals in the order in which they became true.
    pub(super) trail: Vec<Lit>,
    /// The decision levels above the root.
    pub(super) levels: Vec<Level>,
    /// The consequences of all literals on the trail before this place are on the trail. Literals behind it
    /// belong to the last level: clauses are only added where they are not unit below it.
    pub(super) head: usize,
    /// Root literals before this place have no reason any more and, where observed, a unit clause id.
    pub(super) settled: usize,
    /// By variable, where observed: the unit clause of its root value.
    pub(super) unit_ids: Vec<ClauseId>,
    pub(super) arena: Arena,
    /// Each clause is watched by its first two literals: if one of them is false, then the clause has a true
    /// literal of at most the same level, or the false literal is on the trail at or behind `head`.
    pub(super) watches: Watches,
    /// Watches on their way to another list; empty outside of propagation.
    pub(super) moved: Vec<(Lit, Watch)>,
    pub(super) queue: Queue,
    /// In stable mode every variable without value is in it.
    pub(super) heap: Heap,
    pub(super) phases: Phases,
    pub(super) mode: Mode,
    pub(super) restart: Restart,
    pub(super) schedule: Schedule,
    pub(super) analysis: Analysis,
    pub(super) rng: Rng,
    /// The clauses have no model at all.
    pub(super) refuted: bool,
    pub(super) assumptions: Vec<Lit>,
    pub(super) core: Vec<Lit>,
    pub(super) core_clause: Option<ClauseId>,
    pub(super) next_id: ClauseId,
    /// The literals of a clause under construction.
    pub(super) clause: Vec<Lit>,
}

impl Solver {
    /// A solver without variables and clauses, with default settings and no observer.
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
    /// A solver without variables and clauses.
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
            // LRAT counts from 1.
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

    /// How many variables there are.
    pub fn num_vars(&self) -> usize {
        self.vars.len()
    }

    /// Whether `lit` is true in the last model. After [`Answer::Sat`], until the next clause, variable or call of
    /// `solve`, every variable has a value.
    #[inline]
    pub fn value(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    /// The value that `lit` has in every model of the clauses, if that is known at the root of the search.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        let value = self.values[lit.index()];
        (value != 0 && self.vars[lit.var().index()].level == 0).then_some(value > 0)
    }

    /// After [`Answer::Unsat`]: assumptions (as given) that cannot hold together. Empty if the clauses have no
    /// model at all. Not necessarily minimal.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// After [`Answer::Unsat`], where observed: the id of the clause of all negated literals of the core.
    /// `None` if the core is two contradictory assumptions: then that clause is a tautology.
    pub fn core_clause(&self) -> Option<ClauseId> {
        self.core_clause
    }

    /// The value that `var` is tried with first at its next decision, and whenever phases are
    /// reset. A value it has on the trail stays until that is undone.
    pub fn set_phase(&mut self, var: Var, phase: bool) {
        self.phases.set_initial(var, phase);
    }

    /// Whether the clauses are known to have no model, whatever is assumed.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// The observer of this solver.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer of this solver, which ends here.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// What this solver has done so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The number of the current decision level; 0 is the root.
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

    /// Makes `lit` true on the current level.
    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.val(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.vars[lit.var().index()] =
            VarInfo { level: self.levels.len() as u32, reason, trail: self.trail.len() as u32 };
        self.trail.push(lit);
    }

    /// Opens a decision level and makes `lit` true there.
    pub(super) fn decide_literal(&mut self, lit: Lit) {
        self.open_level(lit);
        self.assign(lit, ClauseRef::NONE);
    }

    /// Opens a decision level for `lit` with nothing in it.
    pub(super) fn open_level(&mut self, lit: Lit) {
        let start = self.trail.len() as u32;
        self.levels.push(Level { decision: lit, start, seen: 0, first_seen: u32::MAX });
    }

    /// A fresh clause id.
    pub(super) fn fresh_id(&mut self) -> ClauseId {
        let id = self.next_id;
        self.next_id = ClauseId::from_word(id.word().wrapping_add(1));
        id
    }

    /// Stores a clause whose first two literals are fit to be watched.
    pub(super) fn attach(&mut self, lits: &[Lit], id: ClauseId, learned: bool, glue: u32) -> ClauseRef {
        let clause = self.arena.alloc(lits, id, learned, glue);
        let binary = lits.len() == 2;
        self.watches.push(lits[0], Watch::new(lits[1], clause, binary));
        self.watches.push(lits[1], Watch::new(lits[0], clause, binary));
        clause
    }

    /// Takes a clause, which is no reason, out of the watch lists and marks it garbage.
    pub(super) fn detach(&mut self, clause: ClauseRef) {
        let (first, second) = (self.arena.lits(clause)[0], self.arena.lits(clause)[1]);
        self.watches.remove(first, clause);
        self.watches.remove(second, clause);
        self.forget(clause);
    }

    /// Marks a clause garbage, which stays in the watch lists until the next collection. The caller sees to it
    /// that nothing is propagated before that.
    pub(super) fn forget(&mut self, clause: ClauseRef) {
        if O::ACTIVE {
            self.observer.deleted(self.arena.id(clause), self.arena.lits(clause));
        }
        self.arena.mark_garbage(clause);
    }

    /// Makes the clause of one literal `lit`, known as `id`, true at the root level.
    pub(super) fn assign_unit(&mut self, lit: Lit, id: ClauseId) {
        debug_assert_eq!(self.level(), 0);
        if O::ACTIVE {
            self.unit_ids[lit.var().index()] = id;
        }
        self.assign(lit, ClauseRef::NONE);
    }
}
