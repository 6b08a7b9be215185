//! Solvers that are built anew from what is asserted, once most of what they have is left over.

use std::ops::{Deref, DerefMut};

use super::solver::{Clock, Label, Solver};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Signature, SymId, TermId, Terms};

/// An assertion with a label, by which cores name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AssertionId(u64);

/// A solver with its assertions.
///
/// The solver itself keeps all instances and terms that it creates. Once most of them stem from closed scopes and retired
/// assertions, [`Self::renew`] builds it anew. Memory is therefore proportional to the active assertions, and the total time
/// for this is a fraction of the time spent on creating the instances.
#[derive(Clone, Debug)]
pub struct Assertions {
    solver: Solver,
    /// The formulas, one scope after the other, each with its number if it has a label.
    list: Vec<(TermId, Option<AssertionId>)>,
    /// Per open scope, the number of formulas before it.
    scopes: Vec<usize>,
    /// Labels in the current solver, of those that are active.
    labels: Map<AssertionId, Label>,
    /// Number of the next assertion with a label.
    next: u64,
    seed: u64,
    /// Relations that are decided first.
    first: Vec<SymId>,
    clock: Option<Clock>,
    /// Size of a solver that is never built anew.
    least: usize,
    /// Size of what is asserted outside of all scopes without a label. It is never left over.
    lasting: usize,
    /// Size of the solver beyond which it is built anew.
    limit: usize,
}

impl Deref for Assertions {
    type Target = Solver;

    fn deref(&self) -> &Solver {
        &self.solver
    }
}

impl DerefMut for Assertions {
    fn deref_mut(&mut self) -> &mut Solver {
        &mut self.solver
    }
}

impl Assertions {
    /// Creates a solver without assertions, which is not built anew before it is larger than `least`.
    pub fn new(sig: Signature, terms: Terms, seed: u64, least: usize) -> Assertions {
        Assertions {
            solver: Solver::new(sig, terms, seed),
            list: Vec::new(),
            scopes: Vec::new(),
            labels: Map::default(),
            next: 0,
            seed,
            first: Vec::new(),
            clock: None,
            least,
            lasting: 0,
            limit: least,
        }
    }

    /// Sets the clock that measures the time of phases.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
        self.solver.set_clock(clock);
    }

    /// Has queries decide these relations before all others; see [`Solver::decide_first`].
    pub fn decide_first(&mut self, relations: &[SymId]) {
        self.first.extend(relations);
        self.solver.decide_first(relations);
    }

    /// Never builds a solver anew before it is larger than this.
    pub fn keep_up_to(&mut self, least: usize) {
        self.least = self.least.max(least);
        self.limit = self.limit.max(least);
    }

    /// Runs a function within a budget, from which assertions spend too.
    pub fn within<T>(&mut self, budget: &mut Budget, run: impl FnOnce(&mut Assertions) -> T) -> T {
        self.solver.swap_budget(budget);
        let result = run(self);
        self.solver.swap_budget(budget);
        result
    }

    /// Returns the number of open scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.solver.push();
        self.scopes.push(self.list.len());
    }

    /// Closes the innermost scope and retracts its assertions. Returns `false` if none is open.
    pub fn pop(&mut self) -> bool {
        let Some(begin) = self.scopes.pop() else { return false };
        for id in self.list.drain(begin..).filter_map(|(_, id)| id) {
            self.labels.remove(&id);
        }
        self.solver.pop();
        true
    }

    /// Closes scopes until at most `depth` are open.
    pub fn pop_to(&mut self, depth: usize) {
        while self.depth() > depth && self.pop() {}
    }

    /// Asserts a closed formula in the innermost scope.
    pub fn assert(&mut self, formula: TermId) {
        self.pass_on(formula);
        self.list.push((formula, None));
        self.limit = self.limit.max(4 * self.lasting);
    }

    /// Asserts a formula without label in the solver.
    fn pass_on(&mut self, formula: TermId) {
        let before = self.solver.size();
        self.solver.assert(formula);
        if self.scopes.is_empty() {
            self.lasting += self.solver.size() - before;
        }
    }

    /// Asserts a closed formula in the innermost scope that counts in the checks that name its label.
    pub fn assert_labelled(&mut self, formula: TermId) -> AssertionId {
        let id = AssertionId(self.next);
        self.next += 1;
        self.labels.insert(id, self.solver.assert_labelled(formula));
        self.list.push((formula, Some(id)));
        id
    }

    /// Retires an assertion with a label.
    pub fn retire(&mut self, id: AssertionId) {
        if let Some(label) = self.labels.remove(&id) {
            self.solver.retire(label);
        }
    }

    /// Returns the active assertions in order, each with its number if it has a label.
    pub fn iter(&self) -> impl Iterator<Item = (TermId, Option<AssertionId>)> {
        self.list.iter().copied().filter(|(_, id)| id.is_none_or(|id| self.labels.contains_key(&id)))
    }

    /// Returns the assertions after the first `start`, those that are retired included. Closing a scope removes its own from the end,
    /// and [`Self::renew`] those that are retired.
    pub fn since(&self, start: usize) -> &[(TermId, Option<AssertionId>)] {
        self.list.get(start..).unwrap_or_default()
    }

    /// Returns the number of active assertions with a label.
    pub fn labelled(&self) -> usize {
        self.labels.len()
    }

    /// Returns the label of an assertion in the current solver; `None` if the assertion is not active.
    pub fn label(&self, id: AssertionId) -> Option<Label> {
        self.labels.get(&id).copied()
    }

    /// Checks whether most of the solver must be left over from what is not active any more.
    pub fn is_large(&self) -> bool {
        self.solver.size() > self.limit
    }

    /// Builds the solver anew from the active assertions if most of it must be left over. Returns the old one, whose labels
    /// mean nothing any more.
    pub fn renew(&mut self) -> Option<Solver> {
        if !self.is_large() {
            return None;
        }
        let (sig, terms) = self.solver.language_mut();
        let (sig, terms) = (std::mem::take(sig), std::mem::take(terms));
        let mut solver = Solver::new(sig, terms, self.seed);
        solver.set_clock(self.clock);
        solver.decide_first(&self.first);
        let mut budget = Budget::unlimited();
        self.solver.swap_budget(&mut budget);
        solver.swap_budget(&mut budget);
        let old = std::mem::replace(&mut self.solver, solver);
        let (list, scopes) = (std::mem::take(&mut self.list), std::mem::take(&mut self.scopes));
        let mut scopes = scopes.into_iter().peekable();
        self.lasting = 0;
        for (index, (formula, id)) in list.into_iter().enumerate() {
            while scopes.next_if_eq(&index).is_some() {
                self.push();
            }
            match id.map(|id| self.labels.get_mut(&id)) {
                None => self.pass_on(formula),
                Some(Some(label)) => *label = self.solver.assert_labelled(formula),
                Some(None) => continue,
            }
            self.list.push((formula, id));
        }
        scopes.for_each(|_| self.push());
        self.limit = self.least.max(4 * self.solver.size());
        Some(old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::logic::{Sort, SortId, Symbol, SymbolKind};

    #[test]
    fn what_is_asserted_for_good_is_never_left_over() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let p = sig.symbols.push(Symbol::new("p", vec![sort], SortId::BOOL, SymbolKind::Immutable));
        let mut terms = Terms::new();
        let facts: Vec<TermId> = (0..100)
            .map(|at| {
                let name = format!("c{at}");
                let constant = sig.symbols.push(Symbol::new(name, vec![], sort, SymbolKind::Immutable));
                let constant = terms.app(&sig, constant, 0, &[]);
                terms.app(&sig, p, 0, &[constant])
            })
            .collect();
        let (lasting, scoped) = facts.split_at(20);
        let mut solver = Assertions::new(sig, terms, 0, 10);
        lasting.iter().for_each(|&fact| solver.assert(fact));
        assert!(solver.size() > 10 && solver.renew().is_none());
        solver.push();
        scoped.iter().for_each(|&fact| solver.assert(fact));
        solver.pop();
        let size = solver.size();
        assert!(solver.renew().is_some() && 4 * solver.size() < size, "{size} {}", solver.size());
        assert!(solver.renew().is_none());
        solver.keep_up_to(size);
        solver.push();
        scoped.iter().for_each(|&fact| solver.assert(fact));
        solver.pop();
        assert!(solver.size() <= size && solver.renew().is_none(), "it is kept");
    }
}
