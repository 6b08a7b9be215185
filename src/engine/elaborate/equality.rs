//! Lemmas of equality as chains of its laws.

use std::collections::VecDeque;

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SortId, SymId, TermId};

use ramsey_kernel::core::{Literal, Step};

use super::emitter::Emitter;
use super::failure::Failure;

/// Equations between terms, each known from an assumption or by equal arguments.
#[derive(Default)]
struct Closure {
    parent: Map<TermId, TermId>,
    /// By term, others that it was found equal to, and whether by equal arguments.
    edges: Map<TermId, Vec<(TermId, bool)>>,
}

impl Closure {
    fn find(&self, mut term: TermId) -> TermId {
        while let Some(&parent) = self.parent.get(&term) {
            if parent == term {
                break;
            }
            term = parent;
        }
        term
    }

    fn unite(&mut self, a: TermId, b: TermId, by_arguments: bool) -> bool {
        let (root, other) = (self.find(a), self.find(b));
        if root == other {
            return false;
        }
        self.parent.insert(root, other);
        self.edges.entry(a).or_default().push((b, by_arguments));
        self.edges.entry(b).or_default().push((a, by_arguments));
        true
    }

    /// Returns the equations that lead from one term to another.
    fn path(&self, from: TermId, to: TermId) -> Vec<(TermId, TermId, bool)> {
        let mut before: Map<TermId, (TermId, bool)> = Map::default();
        let mut queue = VecDeque::from([from]);
        while let Some(term) = queue.pop_front() {
            if term == to {
                break;
            }
            for &(next, by_arguments) in self.edges.get(&term).into_iter().flatten() {
                if next != from && !before.contains_key(&next) {
                    before.insert(next, (term, by_arguments));
                    queue.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while let Some(&(previous, by_arguments)) = before.get(&at) {
            path.push((previous, at, by_arguments));
            at = previous;
        }
        path.reverse();
        path
    }
}

/// Explanation of a lemma.
struct Explainer<'a> {
    emitter: &'a mut Emitter,
    closure: Closure,
    done: Set<(TermId, TermId)>,
    steps: Vec<usize>,
}

impl Emitter {
    /// Returns a clause of equality. `atoms` has each atom of its literals with the value that makes the literal false.
    pub(super) fn lemma(&mut self, clause: &[Literal], atoms: &[(TermId, bool)]) -> Result<usize, Failure> {
        let (yes, no) = (self.terms.tru(), self.terms.fals());
        let mut closure = Closure::default();
        let mut all: Vec<TermId> = Vec::new();
        let mut seen: Set<TermId> = Set::default();
        let mut open: Vec<TermId> = Vec::new();
        for &(atom, _) in atoms {
            match self.terms.node(atom) {
                Node::Eq(a, b) => open.extend([a, b]),
                _ => open.push(atom),
            }
        }
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                all.push(term);
                open.extend(self.terms.children(term));
            }
        }
        all.sort_unstable();
        for &(atom, value) in atoms {
            match self.terms.node(atom) {
                Node::Eq(a, b) if value => {
                    closure.unite(a, b, false);
                }
                Node::Eq(..) => {}
                _ => {
                    closure.unite(atom, if value { yes } else { no }, false);
                }
            }
        }
        loop {
            let mut by_arguments: Map<(SymId, u16, Vec<TermId>), TermId> = Map::default();
            let mut has_changed = false;
            for &term in &all {
                let Node::App { sym, step, args } = self.terms.node(term) else { continue };
                let args = self.terms.args(args).iter().map(|&arg| closure.find(arg)).collect();
                match by_arguments.entry((sym, step, args)) {
                    std::collections::hash_map::Entry::Occupied(other) => {
                        has_changed |= closure.unite(term, *other.get(), true);
                    }
                    std::collections::hash_map::Entry::Vacant(slot) => {
                        slot.insert(term);
                    }
                }
            }
            if !has_changed {
                break;
            }
        }
        let mut explainer = Explainer { emitter: self, closure, done: Set::default(), steps: Vec::new() };
        explainer.contradiction(atoms, yes, no)?;
        let steps = explainer.steps;
        self.derive(clause, &steps)
    }
}

impl Explainer<'_> {
    fn contradiction(&mut self, atoms: &[(TermId, bool)], yes: TermId, no: TermId) -> Result<(), Failure> {
        if self.closure.find(yes) == self.closure.find(no) {
            for (a, b, by_arguments) in self.closure.path(yes, no) {
                if by_arguments {
                    self.congruence(a, b)?;
                }
            }
            return Ok(());
        }
        for &(atom, value) in atoms {
            if let Node::Eq(a, b) = self.emitter.terms.node(atom)
                && !value
                && self.closure.find(a) == self.closure.find(b)
            {
                if a == b {
                    let number = self.emitter.number(atom)?;
                    let step = self.emitter.add(Step::Reflexive(number), &[number], vec![2 * number]);
                    self.steps.push(step);
                    return Ok(());
                }
                return self.equal(a, b);
            }
        }
        Err(Failure::NoDerivation)
    }

    /// Returns the number of the equation between two terms.
    fn equation(&mut self, a: TermId, b: TermId) -> Result<u32, Failure> {
        let equation = self.emitter.terms.eq(a, b);
        self.emitter.number(equation)
    }

    /// Explains why two terms are equal.
    fn equal(&mut self, a: TermId, b: TermId) -> Result<(), Failure> {
        if a == b || !self.done.insert((a, b)) {
            return Ok(());
        }
        let mut before = None;
        for (x, y, by_arguments) in self.closure.path(a, b) {
            if by_arguments {
                self.congruence(x, y)?;
            }
            if before.is_some() {
                let (first, second, third) =
                    (self.equation(a, x)?, self.equation(x, y)?, self.equation(a, y)?);
                let clause = vec![2 * first + 1, 2 * second + 1, 2 * third];
                let step = Step::Transitive(first, second, third);
                self.steps.push(self.emitter.add(step, &[first, second, third], clause));
            }
            before = Some(y);
        }
        Ok(())
    }

    /// Explains why two applications of one symbol are equal.
    fn congruence(&mut self, x: TermId, y: TermId) -> Result<(), Failure> {
        let pairs: Vec<(TermId, TermId)> =
            self.emitter.terms.children(x).zip(self.emitter.terms.children(y)).collect();
        let mut equations = Vec::new();
        for (a, b) in pairs {
            self.equal(a, b)?;
            equations.push(if a == b { None } else { Some(self.equation(a, b)?) });
        }
        let given: Vec<u32> = equations.iter().copied().flatten().collect();
        let premises = given.iter().map(|&number| 2 * number + 1);
        if self.emitter.terms.sort(x) == SortId::BOOL {
            let (p, q) = (self.emitter.number(x)?, self.emitter.number(y)?);
            for (p, q) in [(p, q), (q, p)] {
                let mut clause = vec![2 * p + 1, 2 * q];
                clause.extend(premises.clone());
                let mut needs = vec![p, q];
                needs.extend(&given);
                // The arguments of the first relation come first in each equation, whichever is the first.
                self.steps.push(self.emitter.add(Step::Relation(p, q, equations.clone()), &needs, clause));
            }
        } else {
            let number = self.equation(x, y)?;
            let mut clause = vec![2 * number];
            clause.extend(premises);
            let mut needs = vec![number];
            needs.extend(&given);
            self.steps.push(self.emitter.add(Step::Function(number, equations), &needs, clause));
        }
        Ok(())
    }
}
