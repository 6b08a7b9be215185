//! Parts of normal forms, each proved on its own: most proofs need few parts of a transition.

use ramsey_core::logic::{Node, TermId, VarId};
use ramsey_kernel::core::{distinct_pairs, lifted};

use super::emitter::Emitter;
use super::failure::Failure;
use super::normal::Values;

impl Emitter {
    /// Returns the clause that the formula, or its negation, implies a part of the conjunction that is its normal form, for these
    /// values of its free variables; `None` where both are the same literal.
    pub(super) fn component(
        &mut self,
        formula: TermId,
        positive: bool,
        item: TermId,
        values: &Values,
    ) -> Result<Option<usize>, Failure> {
        let normal = self.normalized(formula, positive)?;
        if normal == item {
            return self.prove(formula, positive, values);
        }
        if let Some(choice) = lifted(&mut self.terms, formula) {
            return self.component(choice, positive, item, values);
        }
        let node = self.terms.node(formula);
        match node {
            Node::Not(inner) => return self.component(inner, !positive, item, values),
            Node::Distinct(items) => {
                let items = self.terms.args(items).to_vec();
                let pairs = distinct_pairs(&mut self.terms, &items);
                return self.component(pairs, positive, item, values);
            }
            _ => {}
        }
        let here = self.at(formula, values);
        let from = self.literal(here)? ^ u32::from(!positive);
        let item_here = self.at(item, values);
        let to = self.literal(item_here)?;
        let parts = match (node, positive) {
            (Node::And(items), true) | (Node::Or(items), false) => {
                self.terms.args(items).iter().map(|&part| (part, positive)).collect()
            }
            (Node::Implies(a, b), false) => vec![(a, true), (b, false)],
            (Node::Forall(vars, body), true) | (Node::Exists(vars, body), false) => {
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                return self.component_of_block((formula, positive), (&vars, body), item, values);
            }
            (Node::Iff(..) | Node::Ite(..), _) => {
                let choice = self.choice(formula, positive, values)?;
                for at in [0, 1] {
                    let (side, lemma) = self.side(&choice, from, at, values)?;
                    if side == item {
                        return Ok(lemma);
                    }
                }
                return self.component_of_whole(formula, positive, item, values);
            }
            _ => return self.component_of_whole(formula, positive, item, values),
        };
        for (at, (part, sign)) in parts.into_iter().enumerate() {
            if self.has_component(part, sign, item)? {
                let first = self.part(here, at)?;
                let second = self.component(part, sign, item, values)?;
                return self.implies(from, to, &[Some(first), second]);
            }
        }
        Err(Failure::Shape)
    }

    /// Returns the clause that a conjunctive formula implies its part at this place.
    fn part(&mut self, here: TermId, at: usize) -> Result<usize, Failure> {
        match self.terms.node(here) {
            Node::And(_) => self.each_of(here, at),
            Node::Or(_) => self.part_of(here, at),
            // The second clause says that the premise is true where the implication is false; the third, that the conclusion is false.
            Node::Implies(..) => Ok(self.implication(here)?[at + 1]),
            _ => Err(Failure::Shape),
        }
    }

    /// Returns whether the normal form is this formula, or a conjunction with it.
    fn has_component(&mut self, formula: TermId, positive: bool, item: TermId) -> Result<bool, Failure> {
        let normal = self.normalized(formula, positive)?;
        Ok(normal == item || self.place(normal, item).is_some())
    }

    /// Returns the place of a formula in a conjunction.
    fn place(&self, conjunction: TermId, item: TermId) -> Option<usize> {
        match self.terms.node(conjunction) {
            Node::And(items) => self.terms.args(items).iter().position(|&other| other == item),
            _ => None,
        }
    }

    /// The same by the whole normal form.
    fn component_of_whole(
        &mut self,
        formula: TermId,
        positive: bool,
        item: TermId,
        values: &Values,
    ) -> Result<Option<usize>, Failure> {
        let whole = self.prove(formula, positive, values)?;
        let normal = self.normalized(formula, positive)?;
        let place = self.place(normal, item).ok_or(Failure::Shape)?;
        let (here, normal_here, item_here) =
            (self.at(formula, values), self.at(normal, values), self.at(item, values));
        let last = self.each_of(normal_here, place)?;
        let from = self.literal(here)? ^ u32::from(!positive);
        let to = self.literal(item_here)?;
        self.implies(from, to, &[whole, Some(last)])
    }

    /// The same for a universal formula, or one that is so by its sign.
    fn component_of_block(
        &mut self,
        (formula, positive): (TermId, bool),
        (vars, body): (&[VarId], TermId),
        item: TermId,
        values: &Values,
    ) -> Result<Option<usize>, Failure> {
        let normal_body = self.normalized(body, positive)?;
        let Node::And(parts) = self.terms.node(normal_body) else {
            return self.component_of_whole(formula, positive, item, values);
        };
        for part in self.terms.args(parts).to_vec() {
            let pushed =
                self.normalizer.push(&mut self.terms, true, vars, part).map_err(|_| Failure::TooLarge)?;
            let place = self.place(pushed, item);
            if pushed != item && place.is_none() {
                continue;
            }
            let here = self.at(formula, values);
            let from = self.literal(here)? ^ u32::from(!positive);
            let block = self.block(true, vars, part);
            let block = self.at(block, values);
            let (middle, pushed_here) = (self.literal(block)?, self.at(pushed, values));
            let mut first = None;
            if middle != from {
                // The witnesses of what is to be refuted are values for what is known.
                let (constants, about) = self.witness(block)?;
                let instance = self.instance(here, &constants)?;
                let mut inner = values.clone();
                inner.extend(vars.iter().copied().zip(constants));
                let of_body = self.component(body, positive, part, &inner)?;
                first = self.implies(from, middle, &[Some(about), Some(instance), of_body])?;
            }
            let second = self.pushed(true, vars, part, values)?;
            let third = place.map(|at| self.each_of(pushed_here, at)).transpose()?;
            let item_here = self.at(item, values);
            let to = self.literal(item_here)?;
            return self.implies(from, to, &[first, second, third]);
        }
        self.component_of_whole(formula, positive, item, values)
    }
}
