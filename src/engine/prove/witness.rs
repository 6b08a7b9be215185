//! Witnesses of hypotheses for those of their normal forms.

use ramsey_core::base::hash::Set;
use ramsey_core::logic::{TermId, VarId};

use super::expand::{Expansion, Places};
use super::normal::Normalizer;
use super::standing::{Shape, shape};
use super::walk::Part;

/// Maximum number of witnesses of an input that a thorough search adds to those found for one of its normal form.
const MAX_WITNESSES: usize = 16;

impl Expansion {
    /// Returns the witness of a variable in an input, for values of the variables around it, and these values with those of the
    /// other variables on the way there. `formula` is the part of the normal form that has the witness there. Where other values of
    /// variables that the normal form does without lead to other witnesses, a thorough search has these as well.
    pub(super) fn named(
        &mut self,
        input: usize,
        formula: TermId,
        var: VarId,
        values: &Places,
        is_thorough: bool,
    ) -> (TermId, Places) {
        // Where a value is itself a witness, values of variables that the normal form does without decide which one it is.
        let tries = [(false, true), (true, true), (false, false)].into_iter();
        let mut found =
            tries.map(|(is_thorough, is_exact)| self.binders(input, var, values, is_thorough, is_exact));
        let (mut binders, mut known): (Vec<Part>, Vec<Places>) =
            found.find(|found| !found.is_empty()).unwrap_or_default().into_iter().unzip();
        let known = if known.len() == 1 { known.remove(0) } else { values.clone() };
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
        if is_thorough {
            let all = self.binders(input, var, values, true, false).into_iter().map(|(binder, _)| binder);
            let new: Vec<Part> = all.filter(|binder| !binders.contains(binder)).take(MAX_WITNESSES).collect();
            binders.extend(new);
        }
        let mut witnesses = Vec::with_capacity(binders.len());
        for (binder, _) in binders {
            let at = self.block(binder).iter().position(|&other| other == var);
            witnesses.extend(at.and_then(|at| self.witnesses_of(binder).get(at).copied()));
        }
        let sort = self.vocabulary.terms.var_info(var).sort;
        let Some(&first) = witnesses.first() else { return (self.default(sort), known) };
        if witnesses.len() > 1 {
            self.others.insert(first, witnesses);
        }
        (first, known)
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

    /// Returns the quantified parts of an input that have witnesses for a variable, each with the values of variables on the way
    /// there. If `is_exact`, witnesses on the way are the values of their variables, where these have any.
    fn binders(
        &mut self,
        input: usize,
        var: VarId,
        values: &Places,
        is_thorough: bool,
        is_exact: bool,
    ) -> Vec<(Part, Places)> {
        let mut pending = vec![((self.inputs[input], self.value_of(input)), values.clone())];
        let mut found = Vec::new();
        let mut seen: Set<Part> = Set::default();
        while let Some((part, known)) = pending.pop() {
            let (formula, value) = self.unsigned(part);
            if !self.is_below(formula, &[var]) || !seen.insert((formula, value)) {
                continue;
            }
            match shape(&self.vocabulary.terms, formula, value) {
                Shape::Any if self.block(formula).contains(&var) => found.push(((formula, value), known)),
                Shape::Any => {
                    let constants = self.witnesses_of(formula);
                    if !is_exact || self.is_among(&self.block(formula), &constants, values) {
                        pending.push(((self.open(formula, constants), value), known));
                    }
                }
                Shape::Every => {
                    let vars = self.block(formula);
                    for (tuple, known) in self.tuples(input, &vars, &known, is_thorough) {
                        pending.push(((self.open(formula, tuple), value), known));
                    }
                }
                shape => pending.extend(shape.parts().into_iter().map(|part| (part, known.clone()))),
            }
        }
        found
    }

    /// Returns whether each of these variables that has values has this constant among them.
    fn is_among(&self, vars: &[VarId], constants: &[TermId], values: &Places) -> bool {
        vars.iter().zip(constants).all(|(var, constant)| {
            let mut own = values.iter().filter(|(other, _)| other == var).peekable();
            own.peek().is_none() || own.any(|&(_, place)| self.terms.get(place) == Some(constant))
        })
    }
}
