//! Decomposition of hypotheses and goals, for the values that an instance gives to variables.

use std::sync::Arc;

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, TermId, Terms, VarId};

use super::expand::{Expansion, Literal, Places, Step, Vocabulary};
use super::standing::{Shape, shape, unsigned};

/// Maximum number of tuples of values that one instance tries for one block of variables.
const MAX_TUPLES: usize = 64;

/// Number of parts from which a formula has an index of them: that of a transition has one for each symbol of the model.
const WIDE: usize = 16;

/// A closed formula, and its value.
pub(super) type Part = (TermId, bool);

impl Expansion {
    /// Decomposes an input, with the values of one instance for bound variables, as far as one of them is bound below,
    /// or this variable, which has a witness there. A thorough walk goes on everywhere, with values of all instances that
    /// agree with this one.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn walk(
        &mut self,
        input: usize,
        values: &Places,
        target: Option<VarId>,
        is_thorough: bool,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let wanted: Vec<VarId> = values.iter().map(|&(var, _)| var).chain(target).collect();
        // The values of variables on the way down, referred to by index.
        let mut known: Vec<Places> = vec![values.clone()];
        let mut pending: Vec<(Part, usize)> = vec![((self.inputs[input], self.value_of(input)), 0)];
        let mut seen: Set<(Part, usize)> = Set::default();
        while let Some((part, at)) = pending.pop() {
            let (formula, value) = self.unsigned(part);
            let shape = shape(&self.vocabulary.terms, formula, value);
            if matches!(shape, Shape::Atom) || !seen.insert(((formula, value), at)) {
                continue;
            }
            budget.spend(1)?;
            let this = (!value, formula);
            match shape {
                Shape::All(parts) => {
                    // An instance is about one of the parts: that in which its variables are bound, if it is any.
                    let mut about = Vec::new();
                    if !is_thorough {
                        about = self.parts_with(formula, &parts, &wanted);
                    }
                    let is_wanted = is_thorough || !about.is_empty();
                    if about.is_empty() {
                        about = (0..parts.len()).collect();
                    }
                    for index in about {
                        let part = parts[index];
                        let is_new = self.parts.insert((formula, value, index));
                        if is_new {
                            let literal = self.literal(part);
                            self.steps.push((Step::Part(formula, index), vec![this, literal]));
                        }
                        if is_new || is_wanted {
                            pending.push((part, at));
                        }
                    }
                }
                Shape::Some(_) | Shape::Same(..) => {
                    let is_new = self.done.insert((formula, value, Vec::new()));
                    if is_new {
                        self.alternatives(this, &shape);
                    }
                    if is_new || is_thorough || self.is_below(formula, &wanted) {
                        pending.extend(shape.parts().into_iter().map(|part| (part, at)));
                    }
                }
                Shape::Any => {
                    let constants = self.witnesses_of(formula);
                    let instance = self.open(formula, constants);
                    if self.done.insert((formula, value, Vec::new())) {
                        let literal = self.literal((instance, value));
                        self.steps.push((Step::Witness(formula), vec![this, literal]));
                    }
                    pending.push(((instance, value), at));
                }
                Shape::Every if is_thorough || self.is_below(formula, &wanted) => {
                    let vars = self.block(formula);
                    for (tuple, values) in self.tuples(input, &vars, &known[at], is_thorough) {
                        let at = known.iter().position(|other| *other == values).unwrap_or_else(|| {
                            known.push(values);
                            known.len() - 1
                        });
                        let instance = self.open(formula, tuple.clone());
                        if self.done.insert((formula, value, tuple.clone())) {
                            let literal = self.literal((instance, value));
                            self.steps.push((Step::Instance(formula, tuple), vec![this, literal]));
                        }
                        pending.push(((instance, value), at));
                    }
                }
                Shape::Every | Shape::Atom => {}
            }
        }
        Ok(())
    }

    /// Adds the steps that say that some part of a formula has a value. `this` is the literal that the formula has another one.
    pub(super) fn alternatives(&mut self, this: Literal, shape: &Shape) {
        let (is_false, formula) = this;
        match shape {
            Shape::Some(parts) => {
                let mut clause = vec![this];
                for &part in parts {
                    let literal = self.literal(part);
                    if !clause.contains(&literal) {
                        clause.push(literal);
                    }
                }
                self.steps.push((Step::Parts(formula), clause));
            }
            &Shape::Same(a, b) => {
                // The values that make the clause true, in the order of the calculus.
                let cases = if is_false {
                    [(2, true, true), (3, false, false)]
                } else {
                    [(0, false, true), (1, true, false)]
                };
                for (at, first, second) in cases {
                    let clause = vec![this, self.literal((a, first)), self.literal((b, second))];
                    self.steps.push((Step::Iff(formula, at), clause));
                }
            }
            Shape::All(_) | Shape::Every | Shape::Any | Shape::Atom => {}
        }
    }

    /// Returns a part without the negations in front of it.
    pub(super) fn unsigned(&mut self, (formula, value): Part) -> Part {
        let (is_even, formula) = unsigned(&mut self.vocabulary.terms, formula);
        (formula, is_even == value)
    }

    /// Returns the variables that a quantified formula binds.
    pub(super) fn block(&self, formula: TermId) -> Vec<VarId> {
        match self.vocabulary.terms.node(formula) {
            Node::Forall(vars, _) | Node::Exists(vars, _) => self.vocabulary.terms.bound_vars(vars).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns whether one of these variables is bound in a formula.
    pub(super) fn is_below(&mut self, formula: TermId, vars: &[VarId]) -> bool {
        let Vocabulary { terms, below, .. } = &mut self.vocabulary;
        bound_below(terms, below, formula)
            .is_some_and(|found| vars.iter().any(|var| found.binary_search(var).is_ok()))
    }

    /// Returns, ascending, the numbers of the parts of a formula in which one of these variables is bound.
    fn parts_with(&mut self, formula: TermId, parts: &[Part], vars: &[VarId]) -> Vec<usize> {
        if parts.len() < WIDE {
            return (0..parts.len()).filter(|&at| self.is_below(parts[at].0, vars)).collect();
        }
        let Vocabulary { terms, below, parts_below, .. } = &mut self.vocabulary;
        let by_var = parts_below.entry(formula).or_insert_with(|| {
            let mut by_var: Map<VarId, Vec<usize>> = Map::default();
            for (at, &(part, _)) in parts.iter().enumerate() {
                for &var in bound_below(terms, below, part).iter().flat_map(|found| found.iter()) {
                    by_var.entry(var).or_default().push(at);
                }
            }
            by_var
        });
        let mut found: Vec<usize> =
            vars.iter().filter_map(|var| by_var.get(var)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        debug_assert!((0..parts.len()).all(|at| found.contains(&at) == self.is_below(parts[at].0, vars)));
        found
    }

    /// Returns tuples of values for a block of variables, each with the values of all variables that it belongs to. A variable without
    /// a value gets that of an instance that agrees with the others, in a thorough expansion of each, or an element of its
    /// sort.
    pub(super) fn tuples(
        &mut self,
        input: usize,
        vars: &[VarId],
        values: &Places,
        is_thorough: bool,
    ) -> Vec<(Vec<TermId>, Places)> {
        let mut tuples: Vec<(Vec<TermId>, Places)> = vec![(Vec::new(), values.clone())];
        for &var in vars {
            let mut longer: Vec<(Vec<TermId>, Places)> = Vec::with_capacity(tuples.len());
            for (tuple, values) in &tuples {
                for (choice, place) in self.choices(input, var, values, is_thorough) {
                    let mut values = values.clone();
                    values.extend(place.map(|place| (var, place)));
                    longer.push(([&tuple[..], &[choice]].concat(), values));
                }
            }
            longer.truncate(MAX_TUPLES);
            tuples = longer;
        }
        tuples
    }

    /// Returns values for a variable, with the places of those that a thorough expansion chooses: others that it chooses have
    /// to agree with them.
    fn choices(
        &mut self,
        input: usize,
        var: VarId,
        values: &Places,
        is_thorough: bool,
    ) -> Vec<(TermId, Option<usize>)> {
        let mut choices: Vec<(TermId, Option<usize>)> = Vec::new();
        let add = |choices: &mut Vec<(TermId, Option<usize>)>, value: Option<&TermId>, place| {
            if let Some(&value) = value
                && choices.iter().all(|(known, _)| *known != value)
            {
                choices.push((value, place));
            }
        };
        for &(_, place) in values.iter().filter(|(known, _)| *known == var) {
            add(&mut choices, self.terms.get(place), None);
        }
        if choices.is_empty() {
            // Terms that were not there when a witness was named may depend on it.
            let usable = self.terms.get(..self.usable).unwrap_or_default();
            let most = if is_thorough { MAX_TUPLES } else { 1 };
            let others = self.instances.get(&input).into_iter().flatten();
            for other in others.filter(|other| agree(other, values)) {
                for &(_, place) in other.iter().filter(|(known, _)| *known == var) {
                    if choices.len() < most {
                        add(&mut choices, usable.get(place), is_thorough.then_some(place));
                    }
                }
            }
        }
        if is_thorough {
            for (value, place) in choices.clone() {
                for other in self.others.get(&value).into_iter().flatten() {
                    add(&mut choices, Some(other), place);
                }
            }
        }
        if choices.is_empty() {
            let sort = self.vocabulary.terms.var_info(var).sort;
            choices.push((self.default(sort), None));
        }
        choices
    }
}

/// Returns whether no variable has other values in one than in the other.
fn agree(one: &Places, other: &Places) -> bool {
    one.iter().all(|&(var, place)| {
        let mut values = other.iter().filter(|(known, _)| *known == var).peekable();
        values.peek().is_none() || values.any(|&(_, value)| value == place)
    })
}

/// Returns the variables that are bound in a formula, ascending; `None` if there are none. `known` has those of formulas that were
/// looked at.
fn bound_below(
    terms: &Terms,
    known: &mut Map<TermId, Option<Arc<[VarId]>>>,
    formula: TermId,
) -> Option<Arc<[VarId]>> {
    let node = terms.node(formula);
    if matches!(node, Node::Var(_)) || !terms.has_vars(formula) {
        return None;
    }
    if let Some(found) = known.get(&formula) {
        return found.clone();
    }
    let mut found: Vec<VarId> = match node {
        Node::Forall(vars, _) | Node::Exists(vars, _) => terms.bound_vars(vars).collect(),
        _ => Vec::new(),
    };
    for child in terms.children(formula) {
        if let Some(below) = bound_below(terms, known, child) {
            found.extend(below.iter());
        }
    }
    found.sort_unstable();
    found.dedup();
    let found: Option<Arc<[VarId]>> = (!found.is_empty()).then(|| found.into());
    known.insert(formula, found.clone());
    found
}
