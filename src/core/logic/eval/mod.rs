//! Evaluation of terms and formulas on a finite structure, by Tarski's definition.
//!
//! Every counterexample is checked by this module, so it is kept simple: no indexes, and no memoization except of
//! subterms that would be too large as trees. Assignments that cannot matter are left out (`search`).

mod search;

use smallvec::SmallVec;

use std::sync::Arc;

use super::sig::SortId;
use super::structure::{Elem, Structure};
use super::syntax::Syntax;
use super::term::{Args, LARGE_TREE, Node, TermId, VarId};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;

/// Evaluates terms of one arena on one structure.
#[derive(Debug)]
pub struct Evaluator<'a> {
    /// The terms and their signature.
    pub syntax: Syntax<'a>,
    /// The structure.
    pub structure: &'a Structure,
    /// Values of the variables in scope. A variable without a value evaluates to 0.
    pub env: Map<VarId, Elem>,
    /// Budget of evaluation: one unit per assignment tried for a quantifier and per argument of a symbol. Unlimited
    /// unless set.
    pub budget: Budget,
    /// The exhausted budget. Values computed since then are meaningless.
    pub exhausted: Option<Exhausted>,
    /// Values of large terms under the current assignment.
    memo: Map<TermId, Elem>,
    /// By formula and value, the conditions of that value.
    conditions: Map<(TermId, bool), Arc<[search::Condition]>>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator with no variable in scope.
    pub fn new(syntax: Syntax<'a>, structure: &'a Structure) -> Self {
        let (env, memo, conditions) = (Map::default(), Map::default(), Map::default());
        Evaluator { syntax, structure, env, budget: Budget::unlimited(), exhausted: None, memo, conditions }
    }

    /// Returns whether `formula` is true.
    pub fn holds(&mut self, formula: TermId) -> bool {
        self.eval(formula) != 0
    }

    /// Returns the value of `term`: an element of its sort's universe.
    pub fn eval(&mut self, term: TermId) -> Elem {
        // The caller may have changed `env` since the last call.
        self.memo.clear();
        self.eval_memoized(term)
    }

    /// Returns the value of `term`, memoized for large terms under the current assignment. A term with shared subterms
    /// can be too large to be traversed as a tree.
    fn eval_memoized(&mut self, term: TermId) -> Elem {
        if self.syntax.terms.tree_size(term) <= LARGE_TREE {
            return self.value(term);
        }
        if let Some(&value) = self.memo.get(&term) {
            return value;
        }
        let value = self.value(term);
        self.memo.insert(term, value);
        value
    }

    fn value(&mut self, term: TermId) -> Elem {
        match self.syntax.terms.node(term) {
            Node::True => 1,
            Node::False => 0,
            Node::Var(var) => self.env.get(&var).copied().unwrap_or(0),
            Node::App { sym, step, args } => {
                self.spend(self.syntax.terms.args(args).len() as u64);
                let values: SmallVec<[Elem; 8]> =
                    self.syntax.terms.args(args).iter().map(|&arg| self.eval_memoized(arg)).collect();
                self.structure.interpretation(self.syntax.sig, sym, step.into()).get(&values)
            }
            Node::Eq(a, b) | Node::Iff(a, b) => (self.eval_memoized(a) == self.eval_memoized(b)).into(),
            Node::Distinct(args) => {
                let mut values: Vec<Elem> =
                    self.syntax.terms.args(args).iter().map(|&arg| self.eval_memoized(arg)).collect();
                let len = values.len();
                values.sort_unstable();
                values.dedup();
                (values.len() == len).into()
            }
            Node::Not(a) => (!self.is_true(a)).into(),
            Node::And(args) => self.syntax.terms.args(args).iter().all(|&arg| self.is_true(arg)).into(),
            Node::Or(args) => self.syntax.terms.args(args).iter().any(|&arg| self.is_true(arg)).into(),
            Node::Implies(a, b) => (!self.is_true(a) || self.is_true(b)).into(),
            Node::Ite(condition, a, b) => {
                if self.is_true(condition) {
                    self.eval_memoized(a)
                } else {
                    self.eval_memoized(b)
                }
            }
            Node::Forall(vars, body) => (self.is_unchanged(body) || !self.has(vars, body, false)).into(),
            Node::Exists(vars, body) => self.has(vars, body, true).into(),
        }
    }

    /// Checks whether a formula equates a symbol with itself in two states at the same arguments, and its
    /// interpretations there are equal. Such a frame condition is true under every assignment.
    fn is_unchanged(&self, formula: TermId) -> bool {
        let (Node::Eq(a, b) | Node::Iff(a, b)) = self.syntax.terms.node(formula) else { return false };
        let Node::App { sym, step: before, args } = self.syntax.terms.node(a) else { return false };
        let Node::App { sym: same, step: after, args: others } = self.syntax.terms.node(b) else {
            return false;
        };
        let meaning = |step: u16| self.structure.interpretation(self.syntax.sig, sym, step.into());
        sym == same
            && self.syntax.terms.args(args) == self.syntax.terms.args(others)
            && meaning(before) == meaning(after)
    }

    fn spend(&mut self, units: u64) {
        if self.exhausted.is_none() {
            self.exhausted = self.budget.spend(units).err();
        }
    }

    fn is_true(&mut self, formula: TermId) -> bool {
        self.eval_memoized(formula) != 0
    }

    /// Returns the first assignment to `vars` (in lexicographic order) under which `body` has the value `wanted`.
    pub fn witness(&mut self, vars: Args, body: TermId, wanted: bool) -> Option<Vec<Elem>> {
        let vars: Vec<VarId> = self.syntax.terms.bound_vars(vars).collect();
        let saved: Vec<Option<Elem>> = vars.iter().map(|var| self.env.get(var).copied()).collect();
        let mut values = Vec::with_capacity(vars.len());
        for (at, &var) in vars.iter().enumerate() {
            // The first value with which the variables after it can have some.
            let first = (0..self.structure.sizes[self.sort(var)]).find(|&value| {
                self.env.insert(var, value);
                self.memo.clear();
                self.can_be(&vars[at + 1..], body, wanted)
            });
            let Some(first) = first else { break };
            values.push(first);
        }
        self.restore(&vars, saved);
        (values.len() == vars.len()).then_some(values)
    }

    fn find(&mut self, vars: &[VarId], body: TermId, wanted: bool) -> Option<Vec<Elem>> {
        let sizes: Vec<u32> = vars.iter().map(|&var| self.structure.sizes[self.sort(var)]).collect();
        if sizes.contains(&0) {
            return None;
        }
        let saved: Vec<Option<Elem>> = vars.iter().map(|var| self.env.get(var).copied()).collect();
        // Memoized values are valid for one assignment only; those of the current one are restored afterwards.
        let outside = std::mem::take(&mut self.memo);
        let mut values = vec![0; vars.len()];
        self.env.extend(vars.iter().map(|&var| (var, 0)));
        let found = loop {
            self.spend(1);
            // If the budget ran out, the value is irrelevant, but the search has to end.
            if self.exhausted.is_some() || self.is_true(body) == wanted {
                break Some(values);
            }
            self.memo.clear();
            if !self.next(vars, &sizes, &mut values) {
                break None;
            }
        };
        self.memo = outside;
        self.restore(vars, saved);
        found
    }

    /// Gives variables their values back.
    fn restore(&mut self, vars: &[VarId], saved: Vec<Option<Elem>>) {
        for (&var, value) in vars.iter().zip(saved) {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
    }

    /// Goes on to the next tuple of values in lexicographic order. Returns whether there is one.
    fn next(&mut self, vars: &[VarId], sizes: &[u32], values: &mut [Elem]) -> bool {
        for ((&var, &size), value) in vars.iter().zip(sizes).zip(values).rev() {
            *value += 1;
            let is_below = *value < size;
            if !is_below {
                *value = 0;
            }
            self.env.insert(var, *value);
            if is_below {
                return true;
            }
        }
        false
    }

    fn sort(&self, var: VarId) -> SortId {
        self.syntax.terms.var_info(var).sort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::sig::{Signature, Sort, Symbol, SymbolKind};
    use crate::logic::term::Terms;

    #[test]
    fn quantifiers_steps_and_equality() {
        let mut sig = Signature::new();
        let s = sig.sorts.push(Sort::new("s"));
        let r = sig.symbols.push(Symbol::new("r", vec![s, s], SortId::BOOL, SymbolKind::Mutable));
        let mut structure = Structure::new(&sig, 2);
        structure.sizes[s] = 3;
        // State 0: the successor relation of a ring; state 1: empty.
        for elem in 0..3 {
            structure.interpretation_mut(&sig, r, 0).set(&[elem, (elem + 1) % 3], 1);
        }
        let mut terms = Terms::new();
        let (x, y) = (terms.new_var("x", s), terms.new_var("y", s));
        let (tx, ty) = (terms.var(x), terms.var(y));
        let now = terms.app(&sig, r, 0, &[tx, ty]);
        let next = terms.app(&sig, r, 1, &[tx, ty]);
        let total = terms.exists(&[y], now);
        let total = terms.forall(&[x], total);
        let constant = terms.forall(&[x], now);
        let constant = terms.exists(&[y], constant);
        let empty_later = terms.not(next);
        let empty_later = terms.forall(&[x, y], empty_later);
        let same = terms.eq(tx, ty);
        let irreflexive = terms.not(same);
        let irreflexive = terms.implies(now, irreflexive);
        let irreflexive = terms.forall(&[x, y], irreflexive);
        let mut eval = Evaluator::new(terms.over(&sig), &structure);
        assert!(eval.holds(total));
        assert!(!eval.holds(constant));
        assert!(eval.holds(empty_later));
        assert!(eval.holds(irreflexive));
        let Node::Exists(vars, body) = terms.node(constant) else { panic!() };
        assert_eq!(eval.witness(vars, body, true), None);
        assert!(eval.env.is_empty(), "a search leaves no variable behind");
    }
}
