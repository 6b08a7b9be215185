//! The steps about what search has in other places than the formulas as they stand: what a transition does not change, and what it
//! defines ([`super::frames`]).

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, TermId};

use super::expand::{Expansion, Step, Vocabulary};
use super::frames::Frames;
use super::standing::{Shape, shape};
use super::unchanged::{Builder, Shown};

/// Adds the steps that the atoms so far have the values of what search has in their places.
pub(super) fn link(expansion: &mut Expansion, frames: &Frames) {
    let mut builder = Builder::new(expansion, frames, true);
    if frames.has_definitions() {
        // Search has symbols in the place of its witnesses.
        builder.reached(&[]);
    }
    let (mut seen, mut settled) = (Set::default(), Map::default());
    let mut conditions = Vec::new();
    let mut at = 0;
    while let Some((_, clause)) = builder.expansion.steps.get(at) {
        at += 1;
        for (_, atom) in clause.clone() {
            if !seen.insert(atom) {
                continue;
            }
            let first = builder.expansion.steps.len();
            let shown = match builder.terms().node(atom) {
                Node::App { sym, step: 1, .. } if frames.definition(sym).is_some() => {
                    let shown = builder.definition(atom, &mut seen, &mut settled);
                    conditions.extend(shown.into_iter().flat_map(|shown| shown.conditions));
                    continue;
                }
                Node::App { .. } | Node::Eq(..) => {
                    let before = builder.settled(atom, &mut settled);
                    [true, false].map(|value| builder.follows((before, value), (atom, value)))
                }
                _ => continue,
            };
            conditions.extend(shown.into_iter().flatten().flat_map(|shown| shown.conditions));
            // These atoms have the values of each other.
            let new = builder.expansion.steps[first..].iter().flat_map(|(_, clause)| clause);
            seen.extend(new.map(|&(_, formula)| formula));
        }
    }
    conditions.sort_unstable();
    conditions.dedup();
    builder.premises(&conditions);
}

impl Builder<'_> {
    /// Returns a term or formula as search has it.
    fn settled(&mut self, term: TermId, done: &mut Map<TermId, TermId>) -> TermId {
        let Vocabulary { sig, terms, .. } = &mut self.expansion.vocabulary;
        self.frames.settled(sig, terms, term, done)
    }

    /// Adds the steps that a relation in the next state has the value of its definition. Returns what this takes; `seen` has
    /// atoms that need no more steps.
    fn definition(
        &mut self,
        atom: TermId,
        seen: &mut Set<TermId>,
        settled: &mut Map<TermId, TermId>,
    ) -> Option<Shown> {
        let Node::App { sym, args, .. } = self.terms().node(atom) else { return None };
        let definition = self.frames.definition(sym)?;
        let args = self.terms().args(args).to_vec();
        let (mut shown, mut lemma) = (Shown::default(), Vec::new());
        let mut before = Vec::with_capacity(args.len());
        let first = self.expansion.steps.len();
        for arg in args {
            before.push(self.settled(arg, settled));
            self.equal(before[before.len() - 1], arg, &mut shown, &mut lemma)?;
        }
        let vocabulary = &mut self.expansion.vocabulary;
        let between = vocabulary.terms.app(&vocabulary.sig, sym, 1, &before);
        if between != atom {
            for value in [true, false] {
                let ends = [self.expansion.literal((between, !value)), self.expansion.literal((atom, value))];
                self.step(Step::Equality, [&lemma[..], &ends].concat());
            }
            let new = self.expansion.steps[first..].iter().flat_map(|(_, clause)| clause);
            seen.extend(new.map(|&(_, formula)| formula));
        }
        let (condition, _) = self.reached(&definition.path)?;
        let mut equation = condition;
        if let Node::Forall(..) = self.terms().node(condition) {
            equation = self.expansion.open(condition, before.clone());
            if self.expansion.done.insert((condition, true, before.clone())) {
                let clause = vec![(false, condition), self.expansion.literal((equation, true))];
                self.step(Step::Instance(condition, before), clause);
            }
        }
        if let Node::Iff(a, b) = self.terms().node(equation) {
            if self.expansion.done.insert((equation, true, Vec::new())) {
                self.alternatives((equation, true));
            }
            self.decompose(vec![a, b]);
        }
        Some(shown)
    }

    /// Adds the steps about formulas without quantifiers that tell their values from those of their atoms.
    fn decompose(&mut self, mut pending: Vec<TermId>) {
        let mut seen: Set<TermId> = Set::default();
        while let Some(formula) = pending.pop() {
            let (formula, _) = self.expansion.unsigned((formula, true));
            if !seen.insert(formula) {
                continue;
            }
            for value in [true, false] {
                let shape = shape(self.terms(), formula, value);
                match &shape {
                    Shape::All(parts) => {
                        for (at, &part) in parts.iter().enumerate() {
                            if self.expansion.parts.insert((formula, value, at)) {
                                let clause = vec![(!value, formula), self.expansion.literal(part)];
                                self.step(Step::Part(formula, at), clause);
                            }
                        }
                    }
                    Shape::Some(_) | Shape::Same(..) => {
                        if self.expansion.done.insert((formula, value, Vec::new())) {
                            self.alternatives((formula, value));
                        }
                    }
                    Shape::Every | Shape::Any | Shape::Atom => {}
                }
                pending.extend(shape.parts().into_iter().map(|(part, _)| part));
            }
        }
    }

    /// Adds the steps that the part of the transition at a place holds. Returns it and the clauses of new steps; `None` if there is no
    /// such place.
    fn reached(&mut self, path: &[usize]) -> Option<(TermId, Vec<usize>)> {
        let mut clauses = Vec::new();
        let transition = self.frames.transition;
        let mut formula = self.expansion.inputs[transition];
        if !self.expansion.steps.iter().any(|(step, _)| *step == Step::Input(transition)) {
            let unit = self.expansion.literal((formula, true));
            clauses.push(self.step(Step::Input(transition), vec![unit]));
        }
        if let Node::Exists(..) = self.terms().node(formula) {
            let witnesses = self.expansion.witnesses_of(formula);
            let body = self.expansion.open(formula, witnesses);
            if self.expansion.done.insert((formula, true, Vec::new())) {
                let clause = vec![(false, formula), self.expansion.literal((body, true))];
                clauses.push(self.step(Step::Witness(formula), clause));
            }
            formula = body;
        }
        for &at in path {
            let Node::And(parts) = self.terms().node(formula) else { return None };
            let part = *self.terms().args(parts).get(at)?;
            if self.expansion.parts.insert((formula, true, at)) {
                let clause = vec![(false, formula), self.expansion.literal((part, true))];
                clauses.push(self.step(Step::Part(formula, at), clause));
            }
            formula = part;
        }
        Some((formula, clauses))
    }

    /// Adds the steps that these frame conditions hold, and returns their clauses.
    pub(super) fn premises(&mut self, conditions: &[TermId]) -> Vec<usize> {
        let mut clauses = Vec::new();
        for condition in conditions {
            let path = self.frames.paths.get(condition);
            let reached = path.and_then(|path| self.reached(path));
            clauses.extend(reached.into_iter().flat_map(|(_, clauses)| clauses));
        }
        clauses
    }
}
