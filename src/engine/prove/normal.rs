//! The normal form in which search has what is to be certified: negations at atoms, quantifiers as far inside as possible.
//!
//! Independent of `ramsey_solver::formulas::nnf`, which belongs to other searches. The result is a function of the formula
//! alone, and binders are never renamed: a variable of the normal form is bound by a quantifier of the formula.

use std::sync::Arc;

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SortId, TermId, Terms, VarId};
use ramsey_kernel::core::lifted;

/// Returns the normal form of `formula`, or of its negation if `positive` is false.
///
/// Normal forms consist of literals (relation atoms and equalities of terms without `if`, or their negations),
/// conjunctions and disjunctions of at least two different formulas, none of them of the same kind, and blocks of
/// quantifiers over uninterpreted sorts, each variable of which occurs. `true` and `false` only occur alone.
///
/// # Errors
/// Returns an error if the normal form is too large.
pub fn normalize(terms: &mut Terms, formula: TermId, positive: bool) -> Result<TermId, TooLarge> {
    Normalizer::default().of(terms, formula, positive)
}

/// Maximum number of steps for the normal form of one formula: one for each formula visited and each item of each list
/// made.
const MAX_STEPS: u64 = 4_000_000;

/// Maximum cost of a body that is expanded for a variable of sort `bool`; the parts of larger bodies are shared.
const MAX_SPELLED_OUT: u32 = 10_000;

/// Error: the normal form of a formula takes too many steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Cached [`normalize`], for many formulas of one arena.
#[derive(Clone, Debug, Default)]
pub struct Normalizer {
    done: Map<(TermId, bool), TermId>,
    pushed: Map<(bool, Vec<VarId>, TermId), TermId>,
    free: Map<TermId, Arc<[VarId]>>,
    /// Whether quantifiers stay where they are.
    is_in_place: bool,
    /// Remaining steps for the current formula.
    left: u64,
}

impl Normalizer {
    /// Returns one in whose normal forms quantifiers stay where they are.
    pub fn in_place() -> Normalizer {
        Normalizer { is_in_place: true, ..Normalizer::default() }
    }

    /// Returns the normal form of `formula`, or of its negation if `positive` is false.
    ///
    /// # Errors
    /// Returns an error if the normal form is too large.
    pub fn of(&mut self, terms: &mut Terms, formula: TermId, positive: bool) -> Result<TermId, TooLarge> {
        self.left = MAX_STEPS;
        self.normal(terms, formula, positive)
    }

    /// Counts steps.
    fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(steps as u64).ok_or(TooLarge)?;
        Ok(())
    }

    fn normal(&mut self, terms: &mut Terms, formula: TermId, positive: bool) -> Result<TermId, TooLarge> {
        if let Some(&done) = self.done.get(&(formula, positive)) {
            return Ok(done);
        }
        self.spend(1)?;
        let result = match terms.node(formula) {
            Node::True => constant(terms, positive),
            Node::False => constant(terms, !positive),
            Node::Not(a) => self.normal(terms, a, !positive)?,
            Node::And(items) => self.all(terms, terms.args(items).to_vec(), positive, positive)?,
            Node::Or(items) => self.all(terms, terms.args(items).to_vec(), positive, !positive)?,
            Node::Implies(a, b) => {
                let parts = [self.normal(terms, a, !positive)?, self.normal(terms, b, positive)?];
                self.join(terms, &parts, !positive)?
            }
            // `a <-> b` is `if a then b else !b`.
            Node::Iff(a, b) => {
                let (same, opposite) = (self.normal(terms, b, positive)?, self.normal(terms, b, !positive)?);
                self.choice(terms, a, same, opposite)?
            }
            Node::Ite(condition, a, b) => {
                let (a, b) = (self.normal(terms, a, positive)?, self.normal(terms, b, positive)?);
                self.choice(terms, condition, a, b)?
            }
            Node::Distinct(items) => {
                let items = terms.args(items).to_vec();
                self.spend(items.len().saturating_mul(items.len()))?;
                let mut equalities = Vec::new();
                for (index, &a) in items.iter().enumerate() {
                    for &b in &items[index + 1..] {
                        equalities.push(terms.eq(a, b));
                    }
                }
                self.all(terms, equalities, !positive, positive)?
            }
            Node::Forall(vars, body) => {
                let vars = terms.bound_vars(vars).collect();
                self.quantifier(terms, positive, vars, body, positive)?
            }
            Node::Exists(vars, body) => {
                let vars = terms.bound_vars(vars).collect();
                self.quantifier(terms, !positive, vars, body, positive)?
            }
            Node::Var(_) | Node::App { .. } | Node::Eq(..) => self.literal(terms, formula, positive)?,
        };
        self.done.insert((formula, positive), result);
        Ok(result)
    }

    /// Joins the normal forms of `items`, or of their negations.
    fn all(
        &mut self,
        terms: &mut Terms,
        items: Vec<TermId>,
        positive: bool,
        conjunction: bool,
    ) -> Result<TermId, TooLarge> {
        let parts: Result<Vec<TermId>, TooLarge> =
            items.into_iter().map(|item| self.normal(terms, item, positive)).collect();
        self.join(terms, &parts?, conjunction)
    }

    /// Builds `(!condition | a) & (condition | b)`, where `a` and `b` are normal and `condition` is not yet.
    fn choice(
        &mut self,
        terms: &mut Terms,
        condition: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, TooLarge> {
        let (holds, fails) = (self.normal(terms, condition, true)?, self.normal(terms, condition, false)?);
        let parts = [self.join(terms, &[fails, a], false)?, self.join(terms, &[holds, b], false)?];
        self.join(terms, &parts, true)
    }

    fn literal(&mut self, terms: &mut Terms, atom: TermId, positive: bool) -> Result<TermId, TooLarge> {
        // The atom is traversed as a tree, for the first `if` and for each branch.
        self.spend(terms.tree_size(atom) as usize)?;
        if let Some(choice) = lifted(terms, atom) {
            return self.normal(terms, choice, positive);
        }
        Ok(match terms.node(atom) {
            Node::Eq(a, b) if a == b => constant(terms, positive),
            _ if positive => atom,
            _ => terms.not(atom),
        })
    }

    /// Returns the normal form of a quantified `body`, or of its negation if `positive` is false. `universal` is the
    /// quantifier of the result.
    fn quantifier(
        &mut self,
        terms: &mut Terms,
        universal: bool,
        vars: Vec<VarId>,
        body: TermId,
        positive: bool,
    ) -> Result<TermId, TooLarge> {
        let (bools, vars): (Vec<VarId>, Vec<VarId>) =
            vars.into_iter().partition(|&var| terms.var_info(var).sort == SortId::BOOL);
        let mut bodies = vec![body];
        for var in bools {
            let values = [constant(terms, true), constant(terms, false)];
            let mut spelled_out = Vec::new();
            for body in bodies {
                self.spend(terms.tree_size(body).min(MAX_SPELLED_OUT) as usize)?;
                for value in values {
                    let part = terms.substitute(body, &Map::from_iter([(var, value)]));
                    // If the variable does not occur, both parts are equal.
                    if spelled_out.last() != Some(&part) {
                        spelled_out.push(part);
                    }
                }
            }
            bodies = spelled_out;
        }
        let body = self.all(terms, bodies, positive, universal)?;
        self.push(terms, universal, &vars, body)
    }

    /// Quantifies a normal `body`, as [`Self::of`] does.
    ///
    /// # Errors
    /// Returns an error if the normal form is too large.
    fn push(
        &mut self,
        terms: &mut Terms,
        universal: bool,
        vars: &[VarId],
        body: TermId,
    ) -> Result<TermId, TooLarge> {
        self.spend(1 + vars.len())?;
        let free = self.free_vars(terms, body);
        let mut kept: Vec<VarId> = Vec::new();
        for &var in vars {
            if free.binary_search(&var).is_ok() && !kept.contains(&var) {
                kept.push(var);
            }
        }
        if kept.is_empty() {
            return Ok(body);
        }
        if self.is_in_place {
            return Ok(block(terms, universal, &kept, body));
        }
        let key = (universal, kept, body);
        if let Some(&done) = self.pushed.get(&key) {
            return Ok(done);
        }
        let (_, vars, _) = &key;
        let result = match (terms.node(body), universal) {
            (Node::And(items), true) | (Node::Or(items), false) => {
                let items = terms.args(items).to_vec();
                let parts: Result<Vec<TermId>, TooLarge> =
                    items.into_iter().map(|item| self.push(terms, universal, vars, item)).collect();
                self.join(terms, &parts?, universal)?
            }
            (Node::Or(items), true) | (Node::And(items), false) => {
                let items = terms.args(items).to_vec();
                let groups = self.disjoint(terms, vars, &items);
                if groups.len() == 1 {
                    block(terms, universal, vars, body)
                } else {
                    let mut parts = Vec::new();
                    for group in groups {
                        let part = self.join(terms, &group, !universal)?;
                        parts.push(self.push(terms, universal, vars, part)?);
                    }
                    self.join(terms, &parts, !universal)?
                }
            }
            (Node::Forall(inner, below), true) | (Node::Exists(inner, below), false) => {
                // Free variables of the body are not bound by the inner block, so no variable is repeated.
                let mut merged = vars.clone();
                merged.extend(terms.bound_vars(inner));
                block(terms, universal, &merged, below)
            }
            _ => block(terms, universal, vars, body),
        };
        self.pushed.insert(key, result);
        Ok(result)
    }

    /// Like [`join`], with steps counted.
    fn join(&mut self, terms: &mut Terms, items: &[TermId], conjunction: bool) -> Result<TermId, TooLarge> {
        let joined = join(terms, items, conjunction);
        self.spend(items.len() + terms.children(joined).count())?;
        Ok(joined)
    }

    /// Returns the finest ordered partition of `items` such that no two parts share one of `vars`.
    fn disjoint(&mut self, terms: &Terms, vars: &[VarId], items: &[TermId]) -> Vec<Vec<TermId>> {
        // Each item points to an earlier one of its part, the first one to itself.
        let mut leader: Vec<usize> = (0..items.len()).collect();
        let mut user: Map<VarId, usize> = Map::default();
        for (index, &item) in items.iter().enumerate() {
            for &var in self.free_vars(terms, item).iter().filter(|var| vars.contains(var)) {
                let before = *user.entry(var).or_insert(index);
                let (a, b) = (find(&mut leader, before), find(&mut leader, index));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); items.len()];
        for (index, &item) in items.iter().enumerate() {
            parts[find(&mut leader, index)].push(item);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Returns the free variables of `term`, sorted.
    fn free_vars(&mut self, terms: &Terms, term: TermId) -> Arc<[VarId]> {
        if !terms.has_vars(term) {
            return Arc::new([]);
        }
        if let Some(known) = self.free.get(&term) {
            return Arc::clone(known);
        }
        let mut found: Vec<VarId> = Vec::new();
        match terms.node(term) {
            Node::Var(var) => found.push(var),
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let bound: Vec<VarId> = terms.bound_vars(vars).collect();
                found.extend(self.free_vars(terms, body).iter().filter(|var| !bound.contains(var)));
            }
            _ => {
                for child in terms.children(term) {
                    found.extend(self.free_vars(terms, child).iter());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Arc<[VarId]> = found.into();
        self.free.insert(term, Arc::clone(&found));
        found
    }
}

fn constant(terms: &mut Terms, value: bool) -> TermId {
    if value { terms.tru() } else { terms.fals() }
}

fn block(terms: &mut Terms, universal: bool, vars: &[VarId], body: TermId) -> TermId {
    if universal { terms.forall(vars, body) } else { terms.exists(vars, body) }
}

fn find(leader: &mut [usize], mut index: usize) -> usize {
    while leader[index] != index {
        leader[index] = leader[leader[index]];
        index = leader[index];
    }
    index
}

/// Builds a conjunction or disjunction of normal formulas: flat, without repetitions, simplified by `true` and `false`.
fn join(terms: &mut Terms, items: &[TermId], conjunction: bool) -> TermId {
    let mut seen: Set<TermId> = Set::default();
    let mut flat: Vec<TermId> = Vec::new();
    let mut stack: Vec<TermId> = items.iter().rev().copied().collect();
    while let Some(item) = stack.pop() {
        match (terms.node(item), conjunction) {
            (Node::And(below), true) | (Node::Or(below), false) => {
                stack.extend(terms.args(below).iter().rev());
            }
            (Node::True, true) | (Node::False, false) => {}
            (Node::False, true) | (Node::True, false) => return item,
            // Linear search is faster for few items.
            _ if flat.len() < 16 => {
                if !flat.contains(&item) {
                    flat.push(item);
                }
            }
            _ => {
                if seen.is_empty() {
                    seen.extend(flat.iter().copied());
                }
                if seen.insert(item) {
                    flat.push(item);
                }
            }
        }
    }
    if conjunction { terms.and(&flat) } else { terms.or(&flat) }
}
