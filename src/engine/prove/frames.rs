//! What a transition says of the next state symbol by symbol, which search does without.
//!
//! Search reads what a transition does not change in the state before, and has the definitions of new values in their places. Its
//! formulas have fewer atoms then, and it need not find out instance by instance what has the same value. Proofs have the instances of
//! frame conditions and definitions that they need ([`super::link`]).

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Evaluator, Node, Signature, SortId, Structure, SymId, TermId, Terms, VarId};

use super::standing::proposition;

/// Maximum size of a definition that takes the place of what it defines: it may do so many times.
const MAX_DEFINITION: u32 = 200;

/// The frame conditions and definitions of a transition.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    /// The transition, by its place among the inputs.
    pub(super) transition: usize,
    /// The transition.
    formula: TermId,
    /// By symbol, its frame condition.
    conditions: Map<SymId, TermId>,
    /// By frame condition, its place in the body.
    pub(super) paths: Map<TermId, Path>,
    /// The symbols that search reads in the state before.
    symbols: Set<SymId>,
    /// By relation, its definition.
    definitions: Map<SymId, Definition>,
    /// What stands for parameters where there are definitions: symbols, in the order of the variables of the transition.
    pub(super) params: Vec<SymId>,
    /// The parts of the body that search does without.
    left_out: Set<TermId>,
    /// Formulas as search has them.
    searched: Map<TermId, TermId>,
}

/// A place in nested conjunctions: the number of a part, of a part of that, and so on.
pub(super) type Path = Vec<usize>;

/// What a transition says that a relation is in the next state.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// Its place in the body.
    pub(super) path: Path,
    /// The variables for the arguments.
    vars: Vec<VarId>,
    /// The value as search has it, without quantifiers and about the state before.
    value: TermId,
}

impl Frames {
    /// Returns what a transition says of symbols, as far as it is read off it: the parts that its body is a conjunction of.
    /// The symbols of `others` are read in the next state elsewhere, and remain as they are. `params` are symbols that may stand for
    /// the parameters.
    pub(super) fn new(
        sig: &Signature,
        terms: &mut Terms,
        (transition, formula): (usize, TermId),
        others: &Set<SymId>,
        params: &[SymId],
    ) -> Frames {
        let (vars, body) = opened(terms, formula);
        let mut parts = Vec::new();
        conjuncts(terms, body, &mut Vec::new(), &mut parts);
        let mut conditions = Map::default();
        let mut paths = Map::default();
        for (part, path) in &parts {
            if let Some(sym) = framed(terms, *part) {
                conditions.insert(sym, *part);
                paths.insert(proposition(terms, *part).1, path.clone());
            }
        }
        let symbols: Set<SymId> = conditions.keys().copied().filter(|sym| !others.contains(sym)).collect();
        let left_out = symbols.iter().map(|sym| conditions[sym]).collect();
        let (definitions, searched) = (Map::default(), Map::default());
        let params = params.to_vec();
        let mut frames = Frames {
            transition,
            formula,
            conditions,
            paths,
            symbols,
            definitions,
            params,
            left_out,
            searched,
        };
        let sorts = vars.iter().map(|&var| terms.var_info(var).sort);
        if sorts.eq(frames.params.iter().map(|&sym| sig.symbols[sym].result)) {
            while frames.define(sig, terms, &parts, others) {}
        }
        frames
    }

    /// Adds definitions whose values are about the state before, as search has them. Returns whether there are any.
    fn define(
        &mut self,
        sig: &Signature,
        terms: &mut Terms,
        parts: &[(TermId, Path)],
        others: &Set<SymId>,
    ) -> bool {
        let before = self.definitions.len();
        for &(part, ref path) in parts {
            let Some((sym, vars, value)) = defined(terms, part) else { continue };
            let is_known = self.conditions.contains_key(&sym) || self.definitions.contains_key(&sym);
            if is_known || others.contains(&sym) || has_quantifiers(terms, value) {
                continue;
            }
            let value = self.settled(sig, terms, value, &mut Map::default());
            if terms.tree_size(value) <= MAX_DEFINITION && read_next(terms, value).is_empty() {
                let value = self.with_params(sig, terms, value);
                self.definitions.insert(sym, Definition { path: path.clone(), vars, value });
                self.left_out.insert(part);
            }
        }
        self.definitions.len() > before
    }

    /// Returns a part of the body with symbols in place of parameters.
    fn with_params(&self, sig: &Signature, terms: &mut Terms, part: TermId) -> TermId {
        let (vars, _) = opened(terms, self.formula);
        let symbols = self.params.iter().map(|&sym| terms.app(sig, sym, 0, &[]));
        let map = vars.into_iter().zip(symbols.collect::<Vec<TermId>>()).collect();
        terms.substitute(part, &map)
    }

    /// Returns whether symbols stand for the parameters in what is searched.
    pub(super) fn has_definitions(&self) -> bool {
        !self.definitions.is_empty()
    }

    /// Returns the definition of a relation.
    pub(super) fn definition(&self, sym: SymId) -> Option<&Definition> {
        self.definitions.get(&sym)
    }

    /// Returns the condition that a symbol does not change.
    pub(super) fn condition(&self, sym: SymId) -> Option<TermId> {
        self.conditions.get(&sym).copied()
    }

    /// Checks whether a formula reads no other symbols in the next state than those with conditions.
    pub(super) fn cover(&self, terms: &Terms, formula: TermId) -> bool {
        read_next(terms, formula).iter().all(|sym| self.conditions.contains_key(sym))
    }

    /// Returns a hypothesis or goal as search has it: it reads what does not change in the state before, has definitions in their places, and
    /// the transition is without both.
    pub(super) fn searched(&mut self, sig: &Signature, terms: &mut Terms, formula: TermId) -> TermId {
        let mut formula = formula;
        if formula == self.formula {
            let (vars, body) = opened(terms, formula);
            let body = without(terms, body, &self.left_out);
            formula = match self.has_definitions() {
                true => self.with_params(sig, terms, body),
                false => terms.exists(&vars, body),
            };
        }
        let mut searched = std::mem::take(&mut self.searched);
        let settled = self.settled(sig, terms, formula, &mut searched);
        self.searched = searched;
        settled
    }

    /// Returns a term or formula that reads what does not change in the state before, with definitions in their places. `done` has those
    /// that were made.
    pub(super) fn settled(
        &self,
        sig: &Signature,
        terms: &mut Terms,
        term: TermId,
        done: &mut Map<TermId, TermId>,
    ) -> TermId {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let children: Vec<TermId> = terms.children(term).collect();
        let settled: Vec<TermId> =
            children.iter().map(|&child| self.settled(sig, terms, child, done)).collect();
        let result = match terms.node(term) {
            Node::App { sym, step: 1, .. } if self.symbols.contains(&sym) => terms.app(sig, sym, 0, &settled),
            Node::App { sym, step: 1, .. } if self.definitions.contains_key(&sym) => {
                let Definition { vars, value, .. } = &self.definitions[&sym];
                terms.substitute(*value, &vars.iter().copied().zip(settled).collect())
            }
            _ if settled == children => term,
            _ => terms.rebuild(term, &settled),
        };
        done.insert(term, result);
        result
    }

    /// Gives the symbols that search has not read in the next state their values there.
    pub(super) fn complete(&self, sig: &Signature, terms: &Terms, structure: &mut Structure) {
        for &sym in &self.symbols {
            let value = structure.interpretation(sig, sym, 0).clone();
            *structure.interpretation_mut(sig, sym, 1) = value;
        }
        for (&sym, Definition { vars, value, .. }) in &self.definitions {
            let before = structure.clone();
            let mut evaluator = Evaluator::new(terms.over(sig), &before);
            for args in before.tuples(&sig.symbols[sym].args) {
                evaluator.env = vars.iter().copied().zip(args.iter().copied()).collect();
                let value = evaluator.eval(*value);
                structure.interpretation_mut(sig, sym, 1).set(&args, value);
            }
        }
    }
}

/// Returns the variables of an existential formula, none for another one, and its body.
fn opened(terms: &Terms, formula: TermId) -> (Vec<VarId>, TermId) {
    match terms.node(formula) {
        Node::Exists(vars, body) => (terms.bound_vars(vars).collect(), body),
        _ => (Vec::new(), formula),
    }
}

/// Returns the variables of a universal formula, none for another one, and its body.
fn for_all(terms: &Terms, formula: TermId) -> (Vec<VarId>, TermId) {
    match terms.node(formula) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect(), body),
        _ => (Vec::new(), formula),
    }
}

/// Checks whether arguments are these variables, in their order.
fn are_variables(terms: &Terms, args: &[TermId], vars: &[VarId]) -> bool {
    let is_var = |(&arg, &var)| matches!(terms.node(arg), Node::Var(it) if it == var);
    args.len() == vars.len() && args.iter().zip(vars).all(is_var)
}

/// Adds the formulas that a conjunction is made of, with their places.
fn conjuncts(terms: &Terms, formula: TermId, path: &mut Path, found: &mut Vec<(TermId, Path)>) {
    match terms.node(formula) {
        Node::And(parts) => {
            for (at, &part) in terms.args(parts).iter().enumerate() {
                path.push(at);
                conjuncts(terms, part, path, found);
                path.pop();
            }
        }
        _ => found.push((formula, path.clone())),
    }
}

/// Returns a conjunction without some of the formulas that it is made of.
fn without(terms: &mut Terms, formula: TermId, left_out: &Set<TermId>) -> TermId {
    match terms.node(formula) {
        Node::And(parts) => {
            let mut parts = terms.args(parts).to_vec();
            parts.retain(|part| !left_out.contains(part));
            parts.iter_mut().for_each(|part| *part = without(terms, *part, left_out));
            terms.and(&parts)
        }
        _ if left_out.contains(&formula) => terms.and(&[]),
        _ => formula,
    }
}

/// Returns whether there are quantifiers in a formula.
fn has_quantifiers(terms: &Terms, formula: TermId) -> bool {
    !terms.bound_below(formula).is_empty()
}

/// Returns the relation that a formula says to have some value in the next state for all arguments, the variables for these, and the
/// value.
fn defined(terms: &mut Terms, formula: TermId) -> Option<(SymId, Vec<VarId>, TermId)> {
    let (vars, equation) = for_all(terms, formula);
    let sides = match terms.node(equation) {
        Node::Iff(a, b) => [(a, b), (b, a)],
        Node::Not(atom) => [(atom, terms.or(&[])); 2],
        _ => [(equation, terms.and(&[])); 2],
    };
    sides.into_iter().find_map(|(side, value)| match terms.node(side) {
        Node::App { sym, step: 1, args } if terms.sort(side) == SortId::BOOL => {
            let fits = are_variables(terms, terms.args(args), &vars);
            (fits && !read_next(terms, value).contains(&sym)).then(|| (sym, vars.clone(), value))
        }
        _ => None,
    })
}

/// Returns the symbols that a formula reads in the next state.
pub(super) fn read_next(terms: &Terms, formula: TermId) -> Set<SymId> {
    let (mut pending, mut seen) = (vec![formula], Set::default());
    let mut found = Set::default();
    while let Some(term) = pending.pop() {
        if let Node::App { sym, step: 1, .. } = terms.node(term) {
            found.insert(sym);
        }
        pending.extend(terms.children(term).filter(|&child| seen.insert(child)));
    }
    found
}

/// Returns the symbol that a formula says to be the same in the next state for all arguments, if that is what it says.
fn framed(terms: &Terms, formula: TermId) -> Option<SymId> {
    let (vars, equation) = for_all(terms, formula);
    let (Node::Eq(a, b) | Node::Iff(a, b)) = terms.node(equation) else { return None };
    let [a, b] = [a, b].map(|side| match terms.node(side) {
        Node::App { sym, step, args } => Some((sym, step, terms.args(args))),
        _ => None,
    });
    let ((sym, step, args), (other, other_step, others)) = (a?, b?);
    let is_same = sym == other && step + other_step == 1 && args == others;
    (is_same && are_variables(terms, args, &vars)).then_some(sym)
}
