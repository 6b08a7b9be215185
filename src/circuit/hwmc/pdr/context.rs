//! A SAT solver for questions about one step, with clauses that are dropped after a question.

use super::net::Net;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_solver::sat::{Answer, Config, Lit, Silent, Solver, Var};

/// Number of temporary clauses after which a solver is made anew.
const MAX_TEMPORARY: u32 = 1000;

/// A solver that has the transition relation.
#[derive(Clone)]
pub(super) struct Context {
    solver: Solver,
    /// Number of temporary clauses so far.
    temporary: u32,
}

impl Context {
    /// Creates a context for the transition relation.
    pub(super) fn new(net: &Net, seed: u64) -> Context {
        // Questions are many and short. The heap of stable mode would be filled for each of them.
        let config = Config { seed, mode_interval: 1 << 40, ..Config::default() };
        let mut solver = Solver::with_config(config, Silent);
        solver.new_vars(net.num_vars());
        net.encoder.clauses(0).for_each(|clause| solver.add_clause(clause));
        net.constraints.iter().for_each(|&lit| solver.add_clause(&[lit]));
        Context { solver, temporary: 0 }
    }

    /// Excludes the states of a cube.
    pub(super) fn exclude(&mut self, cube: &[Lit]) {
        let clause: Vec<Lit> = cube.iter().map(|&lit| !lit).collect();
        self.solver.add_clause(&clause);
    }

    /// Adds a unit clause.
    pub(super) fn fix(&mut self, lit: Lit) {
        self.solver.add_clause(&[lit]);
    }

    /// Adds a clause that counts while the returned literal is assumed.
    pub(super) fn temporarily(&mut self, clause: &mut Vec<Lit>) -> Lit {
        self.temporary += 1;
        let guard = self.solver.new_var().positive();
        clause.push(!guard);
        self.solver.add_clause(clause);
        guard
    }

    /// Drops the clause of a guard.
    pub(super) fn retire(&mut self, guard: Lit) {
        self.solver.add_clause(&[!guard]);
    }

    /// Checks whether so many clauses were dropped that the solver should be made anew.
    pub(super) fn is_worn(&self) -> bool {
        self.temporary > MAX_TEMPORARY
    }

    /// Limits decisions to these variables.
    pub(super) fn set_scope(&mut self, scope: &[Var]) {
        self.solver.set_scope(Some(scope));
    }

    /// Checks whether the clauses have a model under the assumptions.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(super) fn is_satisfiable(
        &mut self,
        assumptions: &[Lit],
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        Ok(self.solver.solve(assumptions, budget)? == Answer::Sat)
    }

    /// Checks whether a literal is true in the last model.
    pub(super) fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    /// Returns assumptions that were inconsistent in the last question.
    pub(super) fn core(&self) -> &[Lit] {
        self.solver.core()
    }

    /// Returns the conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.stats().conflicts
    }
}
