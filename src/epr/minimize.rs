//! Minimal models: sizes of sorts first, then numbers of tuples, lexicographically
//! (Algorithm 1 of the Ivy paper, PLDI 2016), each measure by solving with a cardinality constraint.

use super::atoms::AtomKind;
use super::bank::Gt;
use super::clausify::{DraftAtom, DraftLit};
use super::solver::{Answer, Label, Solver};
use crate::base::budget::{Budget, Exhausted};
use crate::base::ids::IdVec;
use crate::logic::{Elem, SortId, Structure, SymId, TermId, Tuples, VarId};
use crate::sat::Lit;

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
        // Whatever is asserted on the way must not bind later checks.
        let scope = self.fresh_label();
        labels.push(scope);
        // Running out of budget only means that the best structure is not the smallest.
        let _ = self.minimize_in(&mut labels, scope, measures, states, budget, &mut best);
        self.retire(scope);
        best
    }

    fn minimize_in(
        &mut self,
        labels: &mut Vec<Label>,
        scope: Label,
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
        if measures.relations.is_empty() {
            return Ok(());
        }
        let elements = self.name_elements(scope, best);
        for &(sym, step) in &measures.relations {
            let count = self.count_tuples(best, sym, step);
            if count == 0 {
                // Nothing to gain, but the next relations must not make it worse.
                let atoms = self.all_atoms(&elements, sym, step);
                labels.extend(atoms.into_iter().map(|atom| Label::of(!atom)));
                continue;
            }
            let atoms = self.all_atoms(&elements, sym, step);
            let at_least = self.count_true(scope, &atoms, count + 1);
            let mut bound = count;
            while bound > 0 {
                // `at_least[k]` is implied by more than `k` true atoms.
                labels.push(Label::of(!at_least[bound - 1]));
                if self.check(labels, budget)? == Answer::Unsat {
                    labels.pop();
                    break;
                }
                *best = self.structure(states);
                bound = self.count_tuples(best, sym, step).min(bound - 1);
            }
            if let Some(&more) = at_least.get(bound) {
                labels.push(Label::of(!more));
            }
        }
        Ok(())
    }

    /// Gives the elements of every sort names: constants, all different, of which every element is one.
    fn name_elements(&mut self, scope: Label, structure: &Structure) -> IdVec<SortId, Vec<Gt>> {
        let mut names: IdVec<SortId, Vec<Gt>> = IdVec::filled(self.sig.sorts.len(), Vec::new());
        for sort in self.sig.uninterpreted_sorts() {
            let known: Vec<Gt> = self.candidate.elements[sort].clone();
            let size = structure.sizes[sort];
            let constants: Vec<Gt> = (0..size)
                .map(|_| {
                    let fun = self.symbols.skolem(&[], sort, true);
                    self.bank.app(&self.symbols, fun, &[])
                })
                .collect();
            for (index, &a) in constants.iter().enumerate() {
                for &b in &constants[index + 1..] {
                    let equal = self.literal(AtomKind::Eq, &[a, b], true);
                    self.add_clause_under(scope, &[!equal]);
                }
            }
            let slot = self.bank.slot(0, sort);
            let covers = constants.iter().map(|&constant| DraftLit {
                positive: true,
                atom: DraftAtom::Eq(slot.min(constant), slot.max(constant)),
            });
            self.add_draft_under(scope, covers.collect());
            // The names are interchangeable, so the first term may have the first name, the second one of
            // the first two, and so on.
            for (index, &term) in known.iter().enumerate().take(constants.len()) {
                let choice: Vec<Lit> = constants[..=index]
                    .iter()
                    .map(|&constant| self.literal(AtomKind::Eq, &[term, constant], true))
                    .collect();
                self.add_clause_under(scope, &choice);
            }
            names[sort] = constants;
        }
        names
    }

    /// The atoms of a relation over all tuples of named elements.
    fn all_atoms(&mut self, elements: &IdVec<SortId, Vec<Gt>>, sym: SymId, step: u16) -> Vec<Lit> {
        let sorts = self.sig.symbols[sym].args.clone();
        let rel = self.symbols.rel(sym, step);
        let sizes = sorts.iter().map(|&sort| elements[sort].len() as u32).collect();
        Tuples::new(sizes)
            .map(|tuple| {
                let args: Vec<Gt> =
                    tuple.iter().zip(&sorts).map(|(&elem, &sort)| elements[sort][elem as usize]).collect();
                self.literal(AtomKind::Rel(rel), &args, true)
            })
            .collect()
    }

    /// A totalizer (Bailleux and Boufkhad, CP 2003): literal `k` of the result is implied by more than `k`
    /// true literals among `lits`, for `k` below `limit`.
    fn count_true(&mut self, scope: Label, lits: &[Lit], limit: usize) -> Vec<Lit> {
        if lits.len() <= 1 {
            return lits.to_vec();
        }
        let (left, right) = lits.split_at(lits.len() / 2);
        let (left, right) = (self.count_true(scope, left, limit), self.count_true(scope, right, limit));
        let total: Vec<Lit> =
            (0..limit.min(left.len() + right.len())).map(|_| self.fresh_literal()).collect();
        for i in 0..=left.len() {
            for j in 0..=right.len() {
                if i + j == 0 || i + j > total.len() {
                    continue;
                }
                let mut clause = vec![total[i + j - 1]];
                clause.extend(i.checked_sub(1).map(|i| !left[i]));
                clause.extend(j.checked_sub(1).map(|j| !right[j]));
                self.add_clause_under(scope, &clause);
            }
        }
        total
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
}
