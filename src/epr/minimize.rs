//! Minimal models: sizes of sorts first, then numbers of tuples, lexicographically
//! (Algorithm 1 of the Ivy paper, PLDI 2016), each measure by solving with a cardinality constraint.

use super::solver::{Answer, Label, Solver};
use crate::base::budget::{Budget, Exhausted};
use crate::logic::{Elem, SortId, Structure, SymId, TermId, VarId};

/// What to minimize, in this order.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Sizes of these sorts.
    pub sorts: Vec<SortId>,
    /// Numbers of positive tuples of these relations, each read at a step.
    pub relations: Vec<(SymId, u16)>,
}

impl Solver {
    /// After the answer `Sat` under `labels`: a structure with `states` states that is minimal by `measures`.
    /// If the budget runs out on the way, the best one found so far.
    pub fn minimize(
        &mut self,
        labels: &[Label],
        measures: &Measures,
        states: u16,
        budget: &mut Budget,
    ) -> Structure {
        let mut best = self.structure(states);
        let mut labels = labels.to_vec();
        // Running out of budget only means that the best structure is not the smallest.
        let _ = self.minimize_in(&mut labels, measures, states, budget, &mut best);
        best
    }

    fn minimize_in(
        &mut self,
        labels: &mut Vec<Label>,
        measures: &Measures,
        states: u16,
        budget: &mut Budget,
        best: &mut Structure,
    ) -> Result<(), Exhausted> {
        for &sort in &measures.sorts {
            let mut bound = None;
            // Ascending: small bounds are cheap to refute, and few elements are what is hoped for.
            for size in 1..best.sizes[sort] {
                let formula = self.at_most_elements(sort, size);
                let label = self.assert_labelled(formula);
                labels.push(label);
                if self.check(labels, budget)? == Answer::Sat {
                    *best = self.structure(states);
                    bound = Some(());
                    break;
                }
                labels.pop();
            }
            if bound.is_none() {
                let formula = self.at_most_elements(sort, best.sizes[sort]);
                let label = self.assert_labelled(formula);
                labels.push(label);
            }
        }
        for &(sym, step) in &measures.relations {
            loop {
                let count = self.count_tuples(best, sym, step);
                if count == 0 {
                    break;
                }
                let formula = self.at_most_tuples(sym, step, count - 1);
                let label = self.assert_labelled(formula);
                labels.push(label);
                if self.check(labels, budget)? == Answer::Unsat {
                    labels.pop();
                    break;
                }
                *best = self.structure(states);
            }
            let count = self.count_tuples(best, sym, step);
            let formula = self.at_most_tuples(sym, step, count);
            let label = self.assert_labelled(formula);
            labels.push(label);
        }
        Ok(())
    }

    fn count_tuples(&self, structure: &Structure, sym: SymId, step: u16) -> usize {
        let interpretation = structure.interpretation(&self.sig, sym, step.into());
        interpretation.entries.values().filter(|&&value: &&Elem| value != 0).count()
    }

    /// `exists x1..xn. forall y. y = x1 | .. | y = xn`.
    fn at_most_elements(&mut self, sort: SortId, size: u32) -> TermId {
        let vars: Vec<VarId> = (0..size).map(|_| self.terms.new_var("x", sort)).collect();
        let element = self.terms.new_var("y", sort);
        let y = self.terms.var(element);
        let choices: Vec<TermId> = vars
            .iter()
            .map(|&var| {
                let x = self.terms.var(var);
                self.terms.eq(y, x)
            })
            .collect();
        let body = self.terms.or(&choices);
        let body = self.terms.forall(&[element], body);
        self.terms.exists(&vars, body)
    }

    /// `exists X1..Xn. forall Y. r(Y) -> Y = X1 | .. | Y = Xn`, where capitals are tuples.
    fn at_most_tuples(&mut self, sym: SymId, step: u16, count: usize) -> TermId {
        let sorts = self.sig.symbols[sym].args.clone();
        let tuple = |solver: &mut Solver, name: &str| -> (Vec<VarId>, Vec<TermId>) {
            let vars: Vec<VarId> = sorts.iter().map(|&sort| solver.terms.new_var(name, sort)).collect();
            let terms = vars.iter().map(|&var| solver.terms.var(var)).collect();
            (vars, terms)
        };
        let (elements, ys) = tuple(self, "y");
        let mut all = Vec::new();
        let mut choices = Vec::new();
        for _ in 0..count {
            let (vars, xs) = tuple(self, "x");
            all.extend(vars);
            let equal: Vec<TermId> = ys.iter().zip(&xs).map(|(&y, &x)| self.terms.eq(y, x)).collect();
            choices.push(self.terms.and(&equal));
        }
        let atom = self.terms.app(&self.sig, sym, step, &ys);
        let choice = self.terms.or(&choices);
        let body = self.terms.implies(atom, choice);
        let body = self.terms.forall(&elements, body);
        self.terms.exists(&all, body)
    }
}
