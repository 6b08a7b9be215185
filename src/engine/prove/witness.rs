//! Witnesses of hypotheses for those of their normal forms.

use ramsey_core::base::hash::Set;
use ramsey_core::logic::{TermId, VarId};

use super::expand::{Expansion, Places};
use super::normal::Normalizer;
use super::standing::{Shape, shape};
use super::walk::Part;

impl Expansion {
    /// Returns the witness of a variable in an input, for values of the variables around it. `formula` is the part of the
    /// normal form that has the witness there.
    pub(super) fn named(&mut self, input: usize, formula: TermId, var: VarId, values: &Places) -> TermId {
        let mut binders = self.binders(input, var, values);
        if binders.len() > 1 {
            // Parts that were spelled out, or named and used twice, bind the same variables. The values around the right one occur
            // in it, and the part of its normal form does.
            let wanted: Vec<TermId> = values.iter().map(|&(_, place)| self.terms[place]).collect();
            binders.retain(|&(binder, _)| self.contains(binder, &wanted));
            let map = values.iter().map(|(var, _)| *var).zip(wanted).collect();
            let formula = self.vocabulary.terms.substitute(formula, &map);
            let source = binders.iter().position(|&part| self.is_normal_part(part, formula));
            binders.rotate_left(source.unwrap_or(0));
        }
        let mut witnesses = Vec::with_capacity(binders.len());
        for (binder, _) in binders {
            let at = self.block(binder).iter().position(|&other| other == var);
            witnesses.extend(at.and_then(|at| self.witnesses_of(binder).get(at).copied()));
        }
        let sort = self.vocabulary.terms.var_info(var).sort;
        let Some(&first) = witnesses.first() else { return self.default(sort) };
        if witnesses.len() > 1 {
            self.others.insert(first, witnesses);
        }
        first
    }

    /// Returns whether a formula is part of a normal form.
    fn is_normal_part(&mut self, (whole, value): Part, formula: TermId) -> bool {
        let normal = Normalizer::default().of(&mut self.vocabulary.terms, whole, value);
        normal.is_ok_and(|normal| self.contains(normal, &[formula]))
    }

    /// Returns whether all these terms or formulas occur in a formula.
    fn contains(&self, formula: TermId, parts: &[TermId]) -> bool {
        let (mut pending, mut seen): (_, Set<TermId>) = (vec![formula], Set::default());
        while let Some(part) = pending.pop() {
            if seen.insert(part) {
                pending.extend(self.vocabulary.terms.children(part));
            }
        }
        parts.iter().all(|part| seen.contains(part))
    }

    /// Returns the quantified parts of an input that have witnesses for a variable.
    fn binders(&mut self, input: usize, var: VarId, values: &Places) -> Vec<Part> {
        let (mut pending, mut found) = (vec![(self.inputs[input], self.value_of(input))], Vec::new());
        let mut seen: Set<Part> = Set::default();
        while let Some(part) = pending.pop() {
            let (formula, value) = self.unsigned(part);
            if !self.is_below(formula, &[var]) || !seen.insert((formula, value)) {
                continue;
            }
            match shape(&self.vocabulary.terms, formula, value) {
                Shape::Any if self.block(formula).contains(&var) => found.push((formula, value)),
                Shape::Any => {
                    let constants = self.witnesses_of(formula);
                    pending.push((self.open(formula, constants), value));
                }
                Shape::Every => {
                    let vars = self.block(formula);
                    for (tuple, _) in self.tuples(input, &vars, values, false) {
                        pending.push((self.open(formula, tuple), value));
                    }
                }
                shape => pending.extend(shape.parts()),
            }
        }
        found
    }
}
