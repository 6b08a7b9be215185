//! Choice of the next decision variable and its phase.

use super::lit::{Lit, Var};
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

/// Variables that are decided before all others.
#[derive(Clone, Debug, Default)]
pub(super) struct First {
    vars: Vec<Var>,
    /// All variables before this place are assigned or out of the scope.
    next: usize,
}

impl First {
    /// Notes that variables may have lost their values, or come into the scope.
    #[inline]
    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }
}

/// The variables that are decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    is_limited: bool,
    /// By variable: the value of `clock` when it was last in the scope. Variables beyond the end never were.
    stamps: Vec<u32>,
    clock: u32,
    /// Number of variables of the scope that had no root value when they came into it.
    open: usize,
    /// Number of these that have got one, of the literals of the trail before `roots`.
    fixed: usize,
    /// Number of root literals that were looked at.
    roots: usize,
}

impl Scope {
    #[inline]
    pub(super) fn is_limited(&self) -> bool {
        self.is_limited
    }

    #[inline]
    pub(super) fn contains(&self, var: Var) -> bool {
        !self.is_limited || self.stamps.get(var.index()) == Some(&self.clock)
    }
}

impl<O: Observer> Solver<O> {
    /// Limits the search to these variables until the scope is changed; `None` lifts the limit. Other variables are
    /// neither decided nor propagated, unless they are assumptions. Undoes the current assignment.
    ///
    /// Then [`Answer::Sat`](super::Answer::Sat) means that no clause over the variables of the scope is false. The caller has to
    /// know that every such assignment extends to a model, as where all other variables are gates of a circuit whose leaves
    /// are in the scope, or judges the assignment by other means.
    pub fn set_scope(&mut self, scope: Option<&[Var]>) {
        self.backtrack(0);
        self.first.rewind();
        let Scope { is_limited, clock, open, fixed, roots, .. } = &mut self.scope;
        *is_limited = scope.is_some();
        *clock = clock.wrapping_add(1);
        (*open, *fixed, *roots) = (0, 0, self.trail.len());
        match scope {
            Some(scope) => self.extend_scope(scope),
            None => {
                self.queue.rewind();
                if self.mode.stable {
                    self.fill_heap();
                }
            }
        }
    }

    /// Adds variables to the scope, if there is one. Undoes the current assignment.
    pub fn extend_scope(&mut self, vars: &[Var]) {
        if self.scope.is_limited {
            self.backtrack(0);
            self.first.rewind();
            vars.iter().for_each(|&var| self.include(var));
            self.queue.rewind();
        }
    }

    /// Adds a variable to the scope. It must not have a value above the root unless it is in the scope.
    pub(super) fn include(&mut self, var: Var) {
        self.look_at_roots();
        if self.scope.stamps.len() <= var.index() {
            self.scope.stamps.resize(self.vars.len(), self.scope.clock.wrapping_sub(1));
        }
        let Some(stamp) = self.scope.stamps.get_mut(var.index()) else { return };
        if std::mem::replace(stamp, self.scope.clock) == self.scope.clock
            || self.fixed(var.positive()).is_some()
        {
            return;
        }
        self.scope.open += 1;
        if self.mode.stable {
            self.heap.insert(var);
        }
    }

    /// Counts the variables of the scope that have got root values.
    fn look_at_roots(&mut self) -> usize {
        let roots = self.levels.first().map_or(self.trail.len(), |level| level.start as usize);
        while self.scope.roots < roots {
            let var = self.trail[self.scope.roots].var();
            self.scope.fixed += usize::from(self.scope.contains(var));
            self.scope.roots += 1;
        }
        roots
    }

    /// Checks whether all variables that are decided have values.
    fn is_assigned(&mut self) -> bool {
        if self.cover.is_on() {
            return false;
        }
        if !self.scope.is_limited {
            return self.trail.len() == self.vars.len();
        }
        // Above the root only variables of the scope have values.
        let roots = self.look_at_roots();
        self.trail.len() - roots + self.scope.fixed == self.scope.open
    }

    /// Inserts all unassigned variables into the heap.
    pub(super) fn fill_heap(&mut self) {
        for index in 0..self.vars.len() {
            let var = Var::new(index);
            if self.values[var.positive().index()] == 0 {
                self.heap.insert(var);
            }
        }
    }

    /// Returns the variable to decide next, or `None` if all are assigned.
    pub(super) fn next_variable(&mut self) -> Option<Var> {
        if self.is_assigned() {
            return None;
        }
        let (values, scope, cover) = (&self.values, &self.scope, &self.cover);
        let assigned = |var: Var| values[var.positive().index()] != 0 || !scope.contains(var);
        while let Some(&var) = self.first.vars.get(self.first.next) {
            if !assigned(var) {
                return Some(var);
            }
            self.first.next += 1;
        }
        if !self.mode.stable {
            return self.queue.next(|var| assigned(var) || !cover.is_first(var));
        }
        while let Some(var) = self.heap.first() {
            if !assigned(var) {
                return cover.is_first(var).then_some(var);
            }
            self.heap.pop();
        }
        None
    }

    /// Decides this variable before all that are not decided first, in the order of these calls.
    pub fn decide_first(&mut self, var: Var) {
        self.first.vars.push(var);
    }

    /// Decides `var` with its phase.
    pub(super) fn decide(&mut self, var: Var) {
        self.stats.decisions += 1;
        let lit: Lit = var.literal(self.phases.choose(var, self.mode.stable));
        self.decide_literal(lit);
    }
}
