//! Miniscoping: quantifiers are pushed inwards as far as possible *before* Skolemization. This reduces the arity of
//! Skolem functions and often eliminates them. It preserves the meaning in every structure with nonempty universes.

use std::sync::Arc;

use smallvec::SmallVec;

use super::nnf::{flat, quantify};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::term::{LARGE_TREE, Node, TermId, Terms, VarId};

/// Number of parts of a disjunction up to which each has witnesses of its own, of which it may need fewer. Many parts share them if
/// they depend on nothing else: everything is instantiated with each witness, so the sum of two numbers of n bits took n^4.5 steps.
const FEW_PARTS: usize = 4;

/// Conversion that pushes the quantifiers of a formula in negation normal form inwards.
#[derive(Clone, Debug, Default)]
pub struct Miniscope {
    memo: Map<TermId, TermId>,
    /// The free variables of formulas, sorted.
    free: Map<TermId, Arc<[VarId]>>,
    /// Budget: one unit for each node visited; unlimited by default.
    pub budget: Budget,
    /// The exhausted budget, if any. Results computed afterwards are meaningless.
    pub exhausted: Option<Exhausted>,
}

impl Miniscope {
    /// Returns the formula with its quantifiers as far inside as possible.
    pub fn of(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let node = terms.node(formula);
        if !matches!(node, Node::And(_) | Node::Or(_) | Node::Forall(..) | Node::Exists(..)) {
            return formula;
        }
        if let Some(&done) = self.memo.get(&formula) {
            return done;
        }
        let result = match node {
            Node::And(args) | Node::Or(args) => {
                let conjunction = matches!(terms.node(formula), Node::And(_));
                let items = terms.args(args).to_vec();
                if self.is_exhausted(items.len()) {
                    return formula;
                }
                let items: Vec<TermId> = items.into_iter().map(|item| self.of(terms, item)).collect();
                flat(terms, &items, conjunction)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let universal = matches!(terms.node(formula), Node::Forall(..));
                let vars: Vec<VarId> = terms.bound_vars(vars).collect();
                let body = self.of(terms, body);
                self.push(terms, universal, &vars, body, &mut Map::default())
            }
            _ => formula,
        };
        if self.exhausted.is_none() {
            self.memo.insert(formula, result);
        }
        result
    }

    /// Spends `units` of work. Returns whether the budget is exhausted.
    fn is_exhausted(&mut self, units: usize) -> bool {
        if self.exhausted.is_none() {
            self.exhausted = self.budget.spend(1 + units as u64).err();
        }
        self.exhausted.is_some()
    }

    /// Pushes one block of quantifiers into a miniscoped body. `memo` caches results by body alone, because `vars`
    /// loses only variables that are not free in the body.
    fn push(
        &mut self,
        terms: &mut Terms,
        universal: bool,
        vars: &[VarId],
        body: TermId,
        memo: &mut Map<TermId, TermId>,
    ) -> TermId {
        if is_literal(terms, body) {
            return self.push_into(terms, universal, vars, body, memo);
        }
        if let Some(&done) = memo.get(&body) {
            return done;
        }
        let result = self.push_into(terms, universal, vars, body, memo);
        memo.insert(body, result);
        result
    }

    fn push_into(
        &mut self,
        terms: &mut Terms,
        universal: bool,
        vars: &[VarId],
        body: TermId,
        memo: &mut Map<TermId, TermId>,
    ) -> TermId {
        let vars: Vec<VarId> = if is_literal(terms, body) {
            let mut free = SmallVec::new();
            variables(terms, body, &mut free);
            vars.iter().copied().filter(|var| free.contains(var)).collect()
        } else {
            let free = self.free_vars(terms, body);
            vars.iter().copied().filter(|var| free.binary_search(var).is_ok()).collect()
        };
        if vars.is_empty() || self.is_exhausted(vars.len()) {
            return body;
        }
        match (terms.node(body), universal) {
            (Node::Or(args), false)
                if terms.args(args).len() > FEW_PARTS
                    && self.free_vars(terms, body).iter().all(|var| vars.contains(var)) =>
            {
                let items = terms.args(args).to_vec();
                let (outside, inside): (Vec<TermId>, Vec<TermId>) =
                    items.into_iter().partition(|&item| self.free_vars(terms, item).is_empty());
                let inside = flat(terms, &inside, false);
                let inside = quantify(terms, false, &vars, inside);
                flat(terms, &[&outside[..], &[inside]].concat(), false)
            }
            (Node::And(args), true) | (Node::Or(args), false) => {
                let items = terms.args(args).to_vec();
                let items: Vec<TermId> =
                    items.into_iter().map(|item| self.push(terms, universal, &vars, item, memo)).collect();
                flat(terms, &items, universal)
            }
            (Node::Or(args), true) | (Node::And(args), false) => {
                let items = terms.args(args).to_vec();
                let groups = self.components(terms, &vars, &items);
                if let [only] = groups.as_slice()
                    && only.len() == items.len()
                {
                    return quantify(terms, universal, &vars, body);
                }
                let items: Vec<TermId> = groups
                    .into_iter()
                    .map(|group| {
                        let part = flat(terms, &group, !universal);
                        self.push(terms, universal, &vars, part, memo)
                    })
                    .collect();
                flat(terms, &items, !universal)
            }
            (Node::Forall(inner, below), true) | (Node::Exists(inner, below), false) => {
                // Shadowed variables are not free in the body, so the two blocks are disjoint.
                let mut all = vars;
                all.extend(terms.bound_vars(inner));
                quantify(terms, universal, &all, below)
            }
            _ => quantify(terms, universal, &vars, body),
        }
    }

    /// Partitions `items` into groups that share some of `vars`, directly or transitively. Items without any of them
    /// form groups of their own.
    fn components(&mut self, terms: &Terms, vars: &[VarId], items: &[TermId]) -> Vec<Vec<TermId>> {
        let mut groups: Vec<(SmallVec<[VarId; 8]>, Vec<TermId>)> = Vec::new();
        // The groups that have some of the variables; there are no more of them than variables.
        let mut open: SmallVec<[usize; 8]> = SmallVec::new();
        for &item in items {
            if self.is_exhausted(open.len()) {
                return vec![items.to_vec()];
            }
            let mut used: SmallVec<[VarId; 8]> = SmallVec::new();
            if is_literal(terms, item) {
                variables(terms, item, &mut used);
            } else {
                used.extend_from_slice(&self.free_vars(terms, item));
            }
            used.retain(|var| vars.contains(var));
            if used.is_empty() {
                groups.push((used, vec![item]));
                continue;
            }
            // Joined groups keep the position of the first, so that the order of items is mostly preserved.
            let mut place = None;
            open.retain(|&mut index| {
                if !groups[index].0.iter().any(|var| used.contains(var)) {
                    return true;
                }
                let Some(first) = place else {
                    place = Some(index);
                    return true;
                };
                let (group_vars, group_items) = std::mem::take(&mut groups[index]);
                let (first_vars, first_items): &mut (SmallVec<[VarId; 8]>, Vec<TermId>) = &mut groups[first];
                first_vars.extend(group_vars);
                first_items.extend(group_items);
                false
            });
            match place {
                Some(first) => {
                    let (first_vars, first_items) = &mut groups[first];
                    for var in used {
                        if !first_vars.contains(&var) {
                            first_vars.push(var);
                        }
                    }
                    first_items.push(item);
                }
                None => {
                    open.push(groups.len());
                    groups.push((used, vec![item]));
                }
            }
        }
        groups.into_iter().map(|(_, members)| members).filter(|members| !members.is_empty()).collect()
    }

    /// Returns the free variables of `term`, sorted.
    fn free_vars(&mut self, terms: &Terms, term: TermId) -> Arc<[VarId]> {
        if let Some(known) = self.free.get(&term) {
            return Arc::clone(known);
        }
        let mut found = match terms.node(term) {
            Node::And(items) | Node::Or(items) => {
                let mut found = SmallVec::new();
                for &item in terms.args(items) {
                    if is_literal(terms, item) {
                        variables(terms, item, &mut found);
                    } else {
                        found.extend_from_slice(&self.free_vars(terms, item));
                    }
                }
                found.into_vec()
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let mut found = self.free_vars(terms, body).to_vec();
                found.retain(|var| !terms.bound_vars(vars).any(|bound| bound == *var));
                found
            }
            _ => terms.free_vars(term),
        };
        found.sort_unstable();
        found.dedup();
        let found: Arc<[VarId]> = found.into();
        self.free.insert(term, Arc::clone(&found));
        found
    }
}

/// Checks whether a formula in negation normal form is a literal.
fn is_literal(terms: &Terms, formula: TermId) -> bool {
    !matches!(terms.node(formula), Node::And(_) | Node::Or(_) | Node::Forall(..) | Node::Exists(..))
}

/// Adds the variables of a literal in normal form, which contains no binder.
fn variables(terms: &Terms, term: TermId, found: &mut SmallVec<[VarId; 8]>) {
    if !terms.has_vars(term) {
        return;
    }
    if terms.tree_size(term) > LARGE_TREE {
        for var in terms.free_vars(term) {
            if !found.contains(&var) {
                found.push(var);
            }
        }
        return;
    }
    match terms.node(term) {
        Node::Var(var) => {
            if !found.contains(&var) {
                found.push(var);
            }
        }
        _ => terms.children(term).for_each(|child| variables(terms, child, found)),
    }
}
