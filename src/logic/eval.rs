//! Evaluation of terms and formulas on a finite structure, straight from Tarski's definition.
//!
//! This is what every counterexample is checked by, so it is as plain as can be: no indexes, no sharing.

use super::sig::{Signature, SortId};
use super::structure::{Elem, Structure, Tuples};
use super::term::{Args, Node, TermId, Terms, VarId};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;

/// Evaluates terms of one arena on one structure.
#[derive(Debug)]
pub struct Evaluator<'a> {
    /// The signature of the terms.
    pub sig: &'a Signature,
    /// The arena.
    pub terms: &'a Terms,
    /// The structure.
    pub structure: &'a Structure,
    /// Values of the variables in scope; a variable without a value reads as 0.
    pub env: Map<VarId, Elem>,
    /// What evaluation may spend, a unit for each assignment tried by a quantifier; unlimited unless set.
    pub budget: Budget,
    /// The budget that ran out. From then on values mean nothing.
    pub exhausted: Option<Exhausted>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with no variable in scope.
    pub fn new(sig: &'a Signature, terms: &'a Terms, structure: &'a Structure) -> Self {
        Evaluator { sig, terms, structure, env: Map::default(), budget: Budget::unlimited(), exhausted: None }
    }

    /// Whether `formula` is true.
    pub fn holds(&mut self, formula: TermId) -> bool {
        self.eval(formula) != 0
    }

    /// The value of `term`: an element of its sort's universe.
    pub fn eval(&mut self, term: TermId) -> Elem {
        match self.terms.node(term) {
            Node::True => 1,
            Node::False => 0,
            Node::Var(var) => self.env.get(&var).copied().unwrap_or(0),
            Node::App { sym, step, args } => {
                let values: Vec<Elem> = self.terms.args(args).iter().map(|&arg| self.eval(arg)).collect();
                self.structure.interpretation(self.sig, sym, step.into()).get(&values)
            }
            Node::Eq(a, b) | Node::Iff(a, b) => (self.eval(a) == self.eval(b)).into(),
            Node::Distinct(args) => {
                let mut values: Vec<Elem> = self.terms.args(args).iter().map(|&arg| self.eval(arg)).collect();
                let len = values.len();
                values.sort_unstable();
                values.dedup();
                (values.len() == len).into()
            }
            Node::Not(a) => (!self.holds(a)).into(),
            Node::And(args) => self.terms.args(args).iter().all(|&arg| self.holds(arg)).into(),
            Node::Or(args) => self.terms.args(args).iter().any(|&arg| self.holds(arg)).into(),
            Node::Implies(a, b) => (!self.holds(a) || self.holds(b)).into(),
            Node::Ite(condition, a, b) => {
                if self.holds(condition) {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            Node::Forall(vars, body) => self.witness(vars, body, false).is_none().into(),
            Node::Exists(vars, body) => self.witness(vars, body, true).is_some().into(),
        }
    }

    /// The first assignment to `vars` (in lexicographic order) that gives `body` the value `wanted`.
    pub fn witness(&mut self, vars: Args, body: TermId, wanted: bool) -> Option<Vec<Elem>> {
        let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
        let sizes = vars.iter().map(|&var| self.structure.sizes[self.sort(var)]).collect();
        let saved: Vec<Option<Elem>> = vars.iter().map(|var| self.env.get(var).copied()).collect();
        let mut tuples = Tuples::new(sizes);
        let found = tuples.find(|values| {
            if self.exhausted.is_none() {
                self.exhausted = self.budget.spend(1).err();
            }
            if self.exhausted.is_some() {
                // The value does not matter any more, but the search has to end.
                return true;
            }
            self.env.extend(vars.iter().copied().zip(values.iter().copied()));
            self.holds(body) == wanted
        });
        for (var, value) in vars.into_iter().zip(saved) {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
        found
    }

    fn sort(&self, var: VarId) -> SortId {
        self.terms.var_info(var).sort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::sig::{Sort, Symbol, SymbolKind};

    #[test]
    fn quantifiers_steps_and_equality() {
        let mut sig = Signature::new();
        let s = sig.sorts.push(Sort { name: "s".into(), annotations: vec![], span: None });
        let r = sig.symbols.push(Symbol {
            name: "r".into(),
            args: vec![s, s],
            result: SortId::BOOL,
            kind: SymbolKind::Mutable,
            annotations: vec![],
            span: None,
        });
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
        let mut eval = Evaluator::new(&sig, &terms, &structure);
        assert!(eval.holds(total));
        assert!(!eval.holds(constant));
        assert!(eval.holds(empty_later));
        assert!(eval.holds(irreflexive));
        let Node::Exists(vars, body) = terms.node(constant) else { panic!() };
        assert_eq!(eval.witness(vars, body, true), None);
        assert!(eval.env.is_empty(), "a search leaves no variable behind");
    }
}
