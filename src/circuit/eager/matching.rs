//! Instances of patterns for the terms that the circuit is about.
//!
//! One generation matches each trigger with all terms and atoms that have been evaluated. The instances are
//! constraints, which hold in every step. The terms that they bring are for the next generation.

use super::refusal::Refusal;
use super::schema::Pattern;
use super::state::Builder;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SymId, TermId, Terms, VarId};

/// Maximum number of instances of one pattern in one generation.
const MAX_INSTANCES: usize = 2_000;

/// Maximum number of pairs of terms that are compared for one pattern in one generation.
const MAX_COMPARED: usize = 1_000_000;

/// Values of variables.
type Binding = Map<VarId, TermId>;

/// Terms and atoms without variables.
#[derive(Debug, Default)]
struct Ground {
    applications: Map<(SymId, u16), Vec<TermId>>,
    equations: Vec<TermId>,
    all: Vec<TermId>,
}

impl Ground {
    /// Returns the terms that a part of a trigger may match.
    fn candidates(&self, terms: &Terms, part: TermId) -> &[TermId] {
        match terms.node(part) {
            Node::App { sym, step, .. } => {
                self.applications.get(&(sym, step)).map(Vec::as_slice).unwrap_or_default()
            }
            Node::Eq(..) => &self.equations,
            _ => &self.all,
        }
    }
}

impl Builder<'_> {
    /// Adds the instances of one generation that are not `done` yet.
    pub(super) fn generation(&mut self, patterns: &[Pattern], done: &mut Set<TermId>) -> Result<(), Refusal> {
        let ground = self.ground();
        let mut instances = Vec::new();
        for pattern in patterns {
            let symbols = self.vocabulary.terms.symbols(pattern.body);
            let is_mutable = |sym: &SymId| self.vocabulary.sig.symbols[*sym].kind.is_mutable();
            // What holds of every state holds of the next one.
            let steps = if symbols.iter().any(is_mutable) { 2 } else { 1 };
            for step in 0..steps {
                let mut shift = |term| self.vocabulary.terms.shift(&self.vocabulary.sig, term, step);
                let body = shift(pattern.body);
                let trigger: Vec<TermId> = pattern.trigger.iter().map(|&part| shift(part)).collect();
                let mut search = Search {
                    terms: &self.vocabulary.terms,
                    ground: &ground,
                    vars: pattern.vars.iter().chain(&pattern.constants).copied().collect(),
                    compared: 0,
                    found: Vec::new(),
                };
                search.parts(&trigger, Binding::default());
                for binding in search.found {
                    let open: Vec<VarId> =
                        pattern.constants.iter().copied().filter(|var| !binding.contains_key(var)).collect();
                    let instance = self.vocabulary.terms.substitute(body, &binding);
                    instances.push(self.vocabulary.terms.forall(&open, instance));
                }
            }
        }
        for instance in instances {
            if done.insert(instance) {
                let mut edges = Vec::new();
                self.consequences(instance, &mut edges)?;
                self.constraints.extend(edges);
            }
        }
        Ok(())
    }

    /// Returns what has been evaluated, in a fixed order.
    fn ground(&mut self) -> Ground {
        let terms = &mut self.vocabulary.terms;
        let mut all: Vec<TermId> = self.formulas.keys().chain(self.rows.keys()).copied().collect();
        all.sort_unstable();
        let mut equations: Set<(TermId, TermId)> = self.equalities.keys().copied().collect();
        let mut ground = Ground::default();
        for &term in &all {
            match terms.node(term) {
                Node::App { sym, step, .. } => ground.applications.entry((sym, step)).or_default().push(term),
                Node::Eq(a, b) => {
                    equations.insert((a.min(b), a.max(b)));
                }
                _ => {}
            }
        }
        let mut equations: Vec<(TermId, TermId)> = equations.into_iter().collect();
        equations.sort_unstable();
        ground.equations = equations.into_iter().map(|(a, b)| terms.eq(a, b)).collect();
        ground.all = all;
        ground
    }
}

/// The search for values of variables.
struct Search<'a> {
    terms: &'a Terms,
    ground: &'a Ground,
    vars: Set<VarId>,
    compared: usize,
    found: Vec<Binding>,
}

impl Search<'_> {
    /// Finds what makes all parts of a trigger terms that there are.
    fn parts(&mut self, parts: &[TermId], binding: Binding) {
        let Some((&part, rest)) = parts.split_first() else {
            if self.found.len() < MAX_INSTANCES {
                self.found.push(binding);
            }
            return;
        };
        for &term in self.ground.candidates(self.terms, part) {
            if self.compared >= MAX_COMPARED || self.found.len() >= MAX_INSTANCES {
                return;
            }
            self.compared += 1;
            let mut matches = Vec::new();
            self.pairs(vec![(part, term)], binding.clone(), &mut matches);
            for binding in matches {
                self.parts(rest, binding);
            }
        }
    }

    /// Finds what makes the first term of each pair the second one. Equations are the same both ways round.
    fn pairs(&self, mut open: Vec<(TermId, TermId)>, mut binding: Binding, found: &mut Vec<Binding>) {
        while let Some((part, term)) = open.pop() {
            if part == term {
                continue;
            }
            if self.terms.sort(part) != self.terms.sort(term) {
                return;
            }
            match (self.terms.node(part), self.terms.node(term)) {
                (Node::Var(var), _) if self.vars.contains(&var) => match binding.get(&var) {
                    Some(&known) if known == term => {}
                    Some(_) => return,
                    None => {
                        binding.insert(var, term);
                    }
                },
                (Node::Eq(a, b), Node::Eq(x, y)) => {
                    let mut other = open.clone();
                    other.extend([(a, y), (b, x)]);
                    self.pairs(other, binding.clone(), found);
                    open.extend([(a, x), (b, y)]);
                }
                (
                    Node::App { sym, step, args },
                    Node::App { sym: other_sym, step: other_step, args: other_args },
                ) if (sym, step) == (other_sym, other_step) => {
                    let args = self.terms.args(args).iter().copied();
                    open.extend(args.zip(self.terms.args(other_args).iter().copied()));
                }
                _ => return,
            }
        }
        found.push(binding);
    }
}
