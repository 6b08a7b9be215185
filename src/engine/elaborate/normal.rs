//! Proofs that the kernel's normal form of a formula follows from it.

use crate::prove::normal::join;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, TermId, VarId};
use ramsey_kernel::core::lifted;
use ramsey_kernel::core::{Literal, Step, both_branches, distinct_pairs, negated};

use super::emitter::Emitter;
use super::failure::Failure;

/// Values of free variables: closed terms.
pub(super) type Values = Map<VarId, TermId>;

/// A choice between two formulas.
pub(super) struct Choice {
    condition: TermId,
    /// The formulas with their signs.
    branches: [(TermId, bool); 2],
    /// The clauses that say what the choice means.
    meaning: Vec<usize>,
}

/// A clause, if one is needed.
type Clause = Result<Option<usize>, Failure>;

impl Emitter {
    /// Returns the kernel's normal form of a formula, or of its negation.
    pub(super) fn normalized(&mut self, formula: TermId, positive: bool) -> Result<TermId, Failure> {
        self.normalizer.of(&mut self.terms, formula, positive).map_err(|_| Failure::TooLarge)
    }

    pub(super) fn at(&mut self, formula: TermId, values: &Values) -> TermId {
        if values.is_empty() { formula } else { self.terms.substitute(formula, values) }
    }

    /// Returns the clause that the formula implies its normal form, or its negation that of its negation, for these values
    /// of its free variables. There is none where both are the same literal.
    pub(super) fn prove(&mut self, formula: TermId, positive: bool, values: &Values) -> Clause {
        let free = self.normalizer.free_vars(&self.terms, formula);
        let known = free.iter().filter_map(|var| values.get(var).map(|&value| (*var, value)));
        let key = (formula, positive, known.collect::<Vec<_>>());
        if let Some(&known) = self.normal.get(&key) {
            return Ok(known);
        }
        let proved = self.prove_anew(formula, positive, values)?;
        self.normal.insert(key, proved);
        Ok(proved)
    }

    fn prove_anew(&mut self, formula: TermId, positive: bool, values: &Values) -> Clause {
        if let Some(choice) = lifted(&mut self.terms, formula) {
            return self.prove(choice, positive, values);
        }
        let node = self.terms.node(formula);
        match node {
            Node::Not(inner) => return self.prove(inner, !positive, values),
            Node::Distinct(items) => {
                let items = self.terms.args(items).to_vec();
                let pairs = distinct_pairs(&mut self.terms, &items);
                return self.prove(pairs, positive, values);
            }
            _ => {}
        }
        let here = self.at(formula, values);
        let normal = self.normalized(formula, positive)?;
        let normal_here = self.at(normal, values);
        let from = self.literal(here)? ^ u32::from(!positive);
        let to = self.literal(normal_here)?;
        if from == to {
            return Ok(None);
        }
        match node {
            Node::True | Node::False => self.implies(from, to, &[]),
            Node::And(items) | Node::Or(items) => {
                let is_and = matches!(node, Node::And(_));
                let items = self.terms.args(items).to_vec();
                let mut steps = Vec::new();
                let mut parts = Vec::new();
                for &item in &items {
                    steps.push(self.prove(item, positive, values)?);
                    parts.push(self.normalized(item, positive)?);
                }
                match (is_and, positive) {
                    (true, true) => {
                        for at in 0..items.len() {
                            steps.push(Some(self.each_of(here, at)?));
                        }
                    }
                    (true, false) => steps.push(Some(self.all_of(here)?)),
                    (false, true) => steps.push(Some(self.one_of(here)?)),
                    (false, false) => {
                        for at in 0..items.len() {
                            steps.push(Some(self.part_of(here, at)?));
                        }
                    }
                }
                self.joined(&parts, is_and == positive, values, &mut steps)?;
                self.implies(from, to, &steps)
            }
            Node::Implies(a, b) => {
                let mut steps = vec![self.prove(a, !positive, values)?, self.prove(b, positive, values)?];
                steps.extend(self.implication(here)?.map(Some));
                let parts = [self.normalized(a, !positive)?, self.normalized(b, positive)?];
                self.joined(&parts, !positive, values, &mut steps)?;
                self.implies(from, to, &steps)
            }
            Node::Iff(..) | Node::Ite(..) => {
                let choice = self.choice(formula, positive, values)?;
                let mut lemmas = Vec::new();
                let mut sides = Vec::new();
                for at in [0, 1] {
                    let (side, lemma) = self.side(&choice, from, at, values)?;
                    sides.push(side);
                    lemmas.push(lemma);
                }
                self.joined(&sides, true, values, &mut lemmas)?;
                self.implies(from, to, &lemmas)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                let is_universal = matches!(node, Node::Forall(..)) == positive;
                let normal_body = self.normalized(body, positive)?;
                let block = self.block(is_universal, &vars, normal_body);
                let block = self.at(block, values);
                let middle = self.literal(block)?;
                let mut first = None;
                if middle != from {
                    // The witnesses of what is to be refuted are values for what is known.
                    let (falsified, known) = if is_universal { (block, here) } else { (here, block) };
                    let (constants, about) = self.witness(falsified)?;
                    let instance = self.instance(known, &constants)?;
                    let mut inner = values.clone();
                    inner.extend(vars.iter().copied().zip(constants));
                    let of_body = self.prove(body, positive, &inner)?;
                    first = self.implies(from, middle, &[Some(about), Some(instance), of_body])?;
                }
                let second = self.pushed(is_universal, &vars, normal_body, values)?;
                self.implies(from, to, &[first, second])
            }
            Node::Eq(..) => {
                let number = self.number(here)?;
                let step = Step::Reflexive(number);
                let trivial = self.add(step, &[number], vec![2 * number]);
                self.implies(from, to, &[Some(trivial)])
            }
            _ => Err(Failure::Shape),
        }
    }

    /// Returns what `if condition then a else b` is made of, or an equivalence, which is one with `!a` for `b`.
    pub(super) fn choice(
        &mut self,
        formula: TermId,
        positive: bool,
        values: &Values,
    ) -> Result<Choice, Failure> {
        let here = self.at(formula, values);
        match (self.terms.node(formula), self.terms.node(here)) {
            (Node::Iff(condition, b), _) => {
                let meaning = self.equivalence(here)?.to_vec();
                Ok(Choice { condition, branches: [(b, positive), (b, !positive)], meaning })
            }
            (Node::Ite(condition, a, b), Node::Ite(condition_here, a_here, b_here)) => {
                let both = both_branches(&mut self.terms, condition_here, a_here, b_here);
                let mut meaning = vec![self.all_of(both)?, self.each_of(both, 0)?, self.each_of(both, 1)?];
                let Node::And(branches) = self.terms.node(both) else { return Err(Failure::Shape) };
                for branch in self.terms.args(branches).to_vec() {
                    meaning.extend(self.implication(branch)?);
                }
                Ok(Choice { condition, branches: [(a, positive), (b, positive)], meaning })
            }
            _ => Err(Failure::Shape),
        }
    }

    /// Returns one of the two disjunctions that are the normal form of a choice, and the clause by which it follows: that the
    /// condition is false or the first branch true (0), or that the condition or the second branch is true (1).
    pub(super) fn side(
        &mut self,
        choice: &Choice,
        from: Literal,
        at: usize,
        values: &Values,
    ) -> Result<(TermId, Option<usize>), Failure> {
        let (condition, (branch, sign)) = (choice.condition, choice.branches[at]);
        let parts = [self.normalized(condition, at == 1)?, self.normalized(branch, sign)?];
        let side = join(&mut self.terms, &parts, false);
        let side_here = self.at(side, values);
        let to = self.literal(side_here)?;
        let mut steps: Vec<Option<usize>> = choice.meaning.iter().copied().map(Some).collect();
        steps.push(self.prove(condition, at == 1, values)?);
        steps.push(self.prove(branch, sign, values)?);
        self.joined(&parts, false, values, &mut steps)?;
        Ok((side, self.implies(from, to, &steps)?))
    }

    pub(super) fn block(&mut self, is_universal: bool, vars: &[VarId], body: TermId) -> TermId {
        if is_universal { self.terms.forall(vars, body) } else { self.terms.exists(vars, body) }
    }

    /// Adds the clauses by which joined items follow from the items.
    fn joined(
        &mut self,
        items: &[TermId],
        is_and: bool,
        values: &Values,
        steps: &mut Vec<Option<usize>>,
    ) -> Result<(), Failure> {
        let whole = join(&mut self.terms, items, is_and);
        let whole = self.at(whole, values);
        for &item in items {
            let item = self.at(item, values);
            match (self.terms.node(item), is_and) {
                (Node::And(parts), true) => {
                    for at in 0..parts.len() {
                        steps.push(Some(self.each_of(item, at)?));
                    }
                }
                (Node::Or(_), false) => steps.push(Some(self.one_of(item)?)),
                _ => {}
            }
        }
        match (self.terms.node(whole), is_and) {
            (Node::And(_), true) => steps.push(Some(self.all_of(whole)?)),
            (Node::Or(parts), false) => {
                for at in 0..parts.len() {
                    steps.push(Some(self.part_of(whole, at)?));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the clause that a quantified normal form implies the one with the quantifier pushed in.
    pub(super) fn pushed(
        &mut self,
        is_universal: bool,
        vars: &[VarId],
        body: TermId,
        values: &Values,
    ) -> Clause {
        let block = self.block(is_universal, vars, body);
        let block = self.at(block, values);
        let goal = self.normalizer.push(&mut self.terms, is_universal, vars, body);
        let goal = goal.map_err(|_| Failure::TooLarge)?;
        let goal = self.at(goal, values);
        let (from, to) = (self.literal(block)?, self.literal(goal)?);
        if from == to {
            return Ok(None);
        }
        let free = self.normalizer.free_vars(&self.terms, body);
        let kept: Vec<VarId> = vars.iter().copied().filter(|var| free.contains(var)).collect();
        if kept.is_empty() {
            return if is_universal {
                let values = self.values_of(vars, &Values::default())?;
                self.instance(block, &values).map(Some)
            } else {
                self.witness(block).map(|(_, about)| Some(about))
            };
        }
        if kept.len() < vars.len() {
            let smaller = self.block(is_universal, &kept, body);
            let smaller = self.at(smaller, values);
            let steps = if is_universal {
                let (constants, about) = self.witness(smaller)?;
                let known = kept.iter().copied().zip(constants).collect();
                let all = self.values_of(vars, &known)?;
                [Some(about), Some(self.instance(block, &all)?)]
            } else {
                let (constants, about) = self.witness(block)?;
                let known: Values = vars.iter().copied().zip(constants).collect();
                let some: Vec<TermId> = kept.iter().filter_map(|var| known.get(var).copied()).collect();
                [Some(about), Some(self.instance(smaller, &some)?)]
            };
            let middle = self.literal(smaller)?;
            let first = self.implies(from, middle, &steps)?;
            let second = self.pushed(is_universal, &kept, body, values)?;
            return self.implies(from, to, &[first, second]);
        }
        match (self.terms.node(body), is_universal) {
            (Node::And(items), true) | (Node::Or(items), false) => {
                let items = self.terms.args(items).to_vec();
                self.distributed(is_universal, vars, &items, block, (from, to), values)
            }
            (Node::Or(items), true) | (Node::And(items), false) => {
                let items = self.terms.args(items).to_vec();
                self.separated(is_universal, vars, &items, block, (from, to), values)
            }
            (Node::Forall(..), true) => {
                let (constants, about) = self.witness(goal)?;
                let (outer, inner) = constants.split_at(vars.len());
                let first = self.instance(block, outer)?;
                let below = self.body(block, outer)?;
                let second = self.instance(below, inner)?;
                self.implies(from, to, &[Some(about), Some(first), Some(second)])
            }
            (Node::Exists(..), false) => {
                let (mut constants, first) = self.witness(block)?;
                let below = self.body(block, &constants)?;
                let (inner, second) = self.witness(below)?;
                constants.extend(inner);
                let third = self.instance(goal, &constants)?;
                self.implies(from, to, &[Some(first), Some(second), Some(third)])
            }
            _ => Err(Failure::Shape),
        }
    }

    /// Returns a value for each variable: the known one, or any element.
    fn values_of(&mut self, vars: &[VarId], known: &Values) -> Result<Vec<TermId>, Failure> {
        let mut values = Vec::with_capacity(vars.len());
        for &var in vars {
            values.push(match known.get(&var) {
                Some(&value) => value,
                None => self.default(self.terms.var_info(var).sort)?,
            });
        }
        Ok(values)
    }

    /// A quantifier over items that it distributes over.
    fn distributed(
        &mut self,
        is_universal: bool,
        vars: &[VarId],
        items: &[TermId],
        block: TermId,
        (from, to): (Literal, Literal),
        values: &Values,
    ) -> Clause {
        let mut steps = Vec::new();
        let blocks = self.blocks(is_universal, vars, items, values);
        if is_universal {
            for (at, &each) in blocks.iter().enumerate() {
                let (constants, about) = self.witness(each)?;
                let body = self.body(block, &constants)?;
                let literal = self.literal(each)?;
                let parts =
                    [Some(about), Some(self.instance(block, &constants)?), Some(self.each_of(body, at)?)];
                steps.push(self.implies(from, literal, &parts)?);
            }
        } else {
            let (constants, about) = self.witness(block)?;
            let body = self.body(block, &constants)?;
            steps.extend([Some(about), Some(self.one_of(body)?)]);
            for &each in &blocks {
                steps.push(Some(self.instance(each, &constants)?));
            }
        }
        let pushed = self.all_pushed(is_universal, vars, items, values, &mut steps)?;
        self.joined(&pushed, is_universal, values, &mut steps)?;
        self.implies(from, to, &steps)
    }

    /// Returns each item under the quantifier.
    fn blocks(
        &mut self,
        is_universal: bool,
        vars: &[VarId],
        items: &[TermId],
        values: &Values,
    ) -> Vec<TermId> {
        let mut blocks = Vec::with_capacity(items.len());
        for &item in items {
            let block = self.block(is_universal, vars, item);
            blocks.push(self.at(block, values));
        }
        blocks
    }

    /// Returns each item with the quantifier pushed in, and adds the clauses by which it follows.
    fn all_pushed(
        &mut self,
        is_universal: bool,
        vars: &[VarId],
        items: &[TermId],
        values: &Values,
        steps: &mut Vec<Option<usize>>,
    ) -> Result<Vec<TermId>, Failure> {
        let mut pushed = Vec::with_capacity(items.len());
        for &item in items {
            steps.push(self.pushed(is_universal, vars, item, values)?);
            let part = self.normalizer.push(&mut self.terms, is_universal, vars, item);
            pushed.push(part.map_err(|_| Failure::TooLarge)?);
        }
        Ok(pushed)
    }

    /// A quantifier over items of which groups have no variable in common.
    fn separated(
        &mut self,
        is_universal: bool,
        vars: &[VarId],
        items: &[TermId],
        block: TermId,
        (from, to): (Literal, Literal),
        values: &Values,
    ) -> Clause {
        let groups = self.normalizer.disjoint(&self.terms, vars, items);
        let mut steps = Vec::new();
        let parts: Vec<TermId> =
            groups.iter().map(|group| join(&mut self.terms, group, !is_universal)).collect();
        let blocks = self.blocks(is_universal, vars, &parts, values);
        if is_universal {
            let mut known = Values::default();
            let mut witnesses = Vec::new();
            for (&part, &each) in parts.iter().zip(&blocks) {
                let (constants, about) = self.witness(each)?;
                steps.push(Some(about));
                let free = self.normalizer.free_vars(&self.terms, part);
                let own = vars.iter().copied().zip(constants.iter().copied());
                known.extend(own.filter(|(var, _)| free.contains(var)));
                witnesses.push(constants);
            }
            let all = self.values_of(vars, &known)?;
            steps.push(Some(self.instance(block, &all)?));
            let body = self.body(block, &all)?;
            steps.push(Some(self.one_of(body)?));
            for (group, constants) in groups.iter().zip(witnesses) {
                let mut inner = values.clone();
                inner.extend(vars.iter().copied().zip(constants));
                self.joined(group, false, &inner, &mut steps)?;
            }
        } else {
            let (constants, about) = self.witness(block)?;
            let body = self.body(block, &constants)?;
            steps.push(Some(about));
            for at in 0..items.len() {
                steps.push(Some(self.each_of(body, at)?));
            }
            let mut inner = values.clone();
            inner.extend(vars.iter().copied().zip(constants.iter().copied()));
            for (group, &each) in groups.iter().zip(&blocks) {
                self.joined(group, true, &inner, &mut steps)?;
                steps.push(Some(self.instance(each, &constants)?));
            }
        }
        let pushed = self.all_pushed(is_universal, vars, &parts, values, &mut steps)?;
        self.joined(&pushed, !is_universal, values, &mut steps)?;
        self.implies(from, to, &steps)
    }

    /// Returns the clause that the hypothesis `formula` is false or its normal form true; for the negated goal, that the goal
    /// is true or the normal form of its negation.
    pub(super) fn input(&mut self, formula: TermId, positive: bool) -> Clause {
        self.prove(formula, positive, &Values::default())
    }

    /// Returns the literal by which a clause says that an input is false, a hypothesis or the negated goal.
    pub(super) fn denied(&mut self, formula: TermId, is_hypothesis: bool) -> Result<Literal, Failure> {
        let literal = self.literal(formula)?;
        Ok(if is_hypothesis { negated(literal) } else { literal })
    }
}
