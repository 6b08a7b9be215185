//! Free variables and symbols, substitution, and shifting of formulas to a later step.

use super::sig::{Signature, SymId};
use super::term::{LARGE_TREE, Node, TermId, Terms, VarId};
use crate::base::hash::{Map, Set};
use smallvec::SmallVec;

/// Maximum tree size of terms that are traversed again rather than memoized.
const MEMO_THRESHOLD: u32 = 16;

impl Terms {
    /// Returns the free variables of `term`, in the order of their first occurrence.
    pub fn free_vars(&self, term: TermId) -> Vec<VarId> {
        self.free_vars_shared(term, &mut Map::default())
    }

    /// Like [`Self::free_vars`], with a memo table for large terms: each of their subterms is visited once,
    /// independently of binders.
    pub fn free_vars_shared(&self, term: TermId, memo: &mut Map<TermId, Vec<VarId>>) -> Vec<VarId> {
        if self.tree_size(term) > LARGE_TREE {
            return self.free_vars_of_large(term, memo);
        }
        let mut found = Vec::new();
        self.collect_free(term, &mut Vec::new(), &mut Set::default(), &mut Set::default(), &mut found);
        found
    }

    /// Returns the variables bound by quantifiers in `term`.
    pub fn bound_below(&self, term: TermId) -> Set<VarId> {
        let (mut found, mut seen, mut open) = (Set::default(), Set::default(), vec![term]);
        while let Some(term) = open.pop() {
            if !self.has_vars(term) || !seen.insert(term) {
                continue;
            }
            if let Node::Forall(vars, _) | Node::Exists(vars, _) = self.node(term) {
                found.extend(self.bound_vars(vars));
            }
            open.extend(self.children(term));
        }
        found
    }

    fn free_vars_of_large(&self, term: TermId, memo: &mut Map<TermId, Vec<VarId>>) -> Vec<VarId> {
        if !self.has_vars(term) {
            return Vec::new();
        }
        if let Some(done) = memo.get(&term) {
            return done.clone();
        }
        let found = match self.node(term) {
            Node::Var(var) => vec![var],
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let mut found = self.free_vars_of_large(body, memo);
                let bound: Vec<VarId> = self.bound_vars(vars).collect();
                found.retain(|var| !bound.contains(var));
                found
            }
            _ => {
                let (mut found, mut seen) = (Vec::new(), Set::default());
                for child in self.children(term) {
                    found.extend(
                        self.free_vars_of_large(child, memo).into_iter().filter(|&var| seen.insert(var)),
                    );
                }
                found
            }
        };
        memo.insert(term, found.clone());
        found
    }

    fn collect_free(
        &self,
        term: TermId,
        bound: &mut Vec<VarId>,
        closed_seen: &mut Set<TermId>,
        free: &mut Set<VarId>,
        found: &mut Vec<VarId>,
    ) {
        if !self.has_vars(term) || (bound.is_empty() && !closed_seen.insert(term)) {
            return;
        }
        match self.node(term) {
            Node::Var(var) => {
                if !bound.contains(&var) && free.insert(var) {
                    found.push(var);
                }
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let depth = bound.len();
                bound.extend(self.bound_vars(vars));
                self.collect_free(body, bound, closed_seen, free, found);
                bound.truncate(depth);
            }
            _ => {
                for child in self.children(term) {
                    self.collect_free(child, bound, closed_seen, free, found);
                }
            }
        }
    }

    /// Returns the symbols that occur in `term`.
    pub fn symbols(&self, term: TermId) -> Set<SymId> {
        let (mut found, mut seen) = (Set::default(), Set::default());
        let mut stack = vec![term];
        while let Some(next) = stack.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let Node::App { sym, .. } = self.node(next) {
                found.insert(sym);
            }
            stack.extend(self.children(next));
        }
        found
    }

    /// Returns whether the terms are equal up to renaming of bound variables.
    pub fn alpha_equal(&self, a: TermId, b: TermId) -> bool {
        self.equal_under(a, b, &Map::default(), &Map::default(), &mut Set::default())
    }

    /// Checks whether `b` is `a` under a bijection between the variables bound above (`forward`, with inverse
    /// `backward`). `equal_pairs` holds pairs already found equal.
    fn equal_under(
        &self,
        a: TermId,
        b: TermId,
        forward: &Map<VarId, VarId>,
        backward: &Map<VarId, VarId>,
        equal_pairs: &mut Set<(TermId, TermId)>,
    ) -> bool {
        if !self.has_vars(a) || !self.has_vars(b) {
            return a == b;
        }
        if equal_pairs.contains(&(a, b)) {
            return true;
        }
        let equal = match (self.node(a), self.node(b)) {
            (Node::Var(x), Node::Var(y)) => {
                forward.get(&x).copied().unwrap_or(x) == y && backward.get(&y).copied().unwrap_or(y) == x
            }
            (Node::Forall(xs, p), Node::Forall(ys, q)) | (Node::Exists(xs, p), Node::Exists(ys, q)) => {
                let sort = |&var: &VarId| self.var_info(var).sort;
                let [xs, ys] = [xs, ys].map(|vars| self.bound_vars(vars).collect::<Vec<_>>());
                let (mut forward, mut backward) = (forward.clone(), backward.clone());
                forward.extend(xs.iter().copied().zip(ys.iter().copied()));
                backward.extend(ys.iter().copied().zip(xs.iter().copied()));
                xs.iter().map(sort).eq(ys.iter().map(sort))
                    && self.equal_under(p, q, &forward, &backward, &mut Set::default())
            }
            (x, y) => {
                let same_head = match (x, y) {
                    (Node::App { sym: f, step: i, .. }, Node::App { sym: g, step: j, .. }) => {
                        (f, i) == (g, j)
                    }
                    _ => std::mem::discriminant(&x) == std::mem::discriminant(&y),
                };
                same_head
                    && self.children(a).count() == self.children(b).count()
                    && self
                        .children(a)
                        .zip(self.children(b))
                        .all(|(a, b)| self.equal_under(a, b, forward, backward, equal_pairs))
            }
        };
        if equal {
            equal_pairs.insert((a, b));
        }
        equal
    }

    /// Substitutes terms for free variables simultaneously. Binders that would capture a variable are renamed.
    pub fn substitute(&mut self, term: TermId, map: &Map<VarId, TermId>) -> TermId {
        if map.is_empty() {
            return term;
        }
        let mut range = Set::default();
        for &value in map.values().filter(|&&value| self.has_vars(value)) {
            range.extend(self.free_vars(value));
        }
        self.substitute_in(term, map, &range, &mut Map::default())
    }

    fn substitute_in(
        &mut self,
        term: TermId,
        map: &Map<VarId, TermId>,
        range: &Set<VarId>,
        memo: &mut Map<TermId, TermId>,
    ) -> TermId {
        if !self.has_vars(term) {
            return term;
        }
        // Small terms are traversed again, which is faster than a lookup. A binder must be renamed in one way only.
        let is_binder = matches!(self.node(term), Node::Forall(..) | Node::Exists(..));
        let is_shared = is_binder || self.tree_size(term) > MEMO_THRESHOLD;
        if is_shared && let Some(&done) = memo.get(&term) {
            return done;
        }
        let result = match self.node(term) {
            Node::Var(var) => map.get(&var).copied().unwrap_or(term),
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let vars: Vec<VarId> = self.bound_vars(vars).collect();
                let shadows = vars.iter().any(|var| map.contains_key(var));
                let captures = vars.iter().any(|var| range.contains(var));
                let (new_vars, new_body) = if shadows || captures {
                    // A bound variable shadows the free variable of the same id, so it is not replaced. It is renamed
                    // only if a substituted term mentions it.
                    let (mut inner, mut inner_range) = (map.clone(), range.clone());
                    let mut new_vars = Vec::new();
                    for var in vars {
                        inner.remove(&var);
                        if range.contains(&var) {
                            let fresh = self.copy_var(var);
                            let fresh_term = self.var(fresh);
                            inner.insert(var, fresh_term);
                            inner_range.insert(fresh);
                            new_vars.push(fresh);
                        } else {
                            new_vars.push(var);
                        }
                    }
                    (new_vars, self.substitute_in(body, &inner, &inner_range, &mut Map::default()))
                } else {
                    (vars, self.substitute_in(body, map, range, memo))
                };
                match self.node(term) {
                    Node::Forall(..) => self.forall(&new_vars, new_body),
                    _ => self.exists(&new_vars, new_body),
                }
            }
            _ => {
                let mut children: SmallVec<[TermId; 8]> = self.children(term).collect();
                for child in &mut children {
                    *child = self.substitute_in(*child, map, range, memo);
                }
                self.rebuild(term, &children)
            }
        };
        if is_shared {
            memo.insert(term, result);
        }
        result
    }

    /// Shifts every mutable symbol by `steps` states.
    ///
    /// # Panics
    /// Panics if a step would exceed 2^16.
    pub fn shift(&mut self, sig: &Signature, term: TermId, steps: u16) -> TermId {
        if steps == 0 {
            return term;
        }
        self.shift_in(sig, term, steps, &mut Map::default())
    }

    fn shift_in(
        &mut self,
        sig: &Signature,
        term: TermId,
        steps: u16,
        memo: &mut Map<TermId, TermId>,
    ) -> TermId {
        if let Some(&done) = memo.get(&term) {
            return done;
        }
        let children: Vec<TermId> = self.children(term).collect();
        let children: Vec<TermId> =
            children.into_iter().map(|child| self.shift_in(sig, child, steps, memo)).collect();
        let result = match self.node(term) {
            Node::App { sym, step, .. } => {
                // Wrapping would silently refer to another state.
                let step = step.checked_add(steps).expect("steps are counted in 16 bits");
                self.app(sig, sym, step, &children)
            }
            _ => self.rebuild(term, &children),
        };
        memo.insert(term, result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::sig::{Symbol, SymbolKind};
    use super::super::term::tests::signature;
    use super::*;

    #[test]
    fn substitution_renames_binders_that_would_capture() {
        let (sig, s, r) = signature();
        let mut terms = Terms::new();
        let (x, y) = (terms.new_var("x", s), terms.new_var("y", s));
        let (tx, ty) = (terms.var(x), terms.var(y));
        let body = terms.app(&sig, r, 0, &[tx, ty]);
        let formula = terms.exists(&[y], body);
        let result = terms.substitute(formula, &Map::from_iter([(x, ty)]));
        assert_eq!(terms.free_vars(result), [y], "the y that came in stays free");
        let Node::Exists(vars, body) = terms.node(result) else { panic!("still an exists") };
        let bound = terms.args(vars)[0];
        assert_ne!(bound, ty);
        assert_eq!(terms.children(body).collect::<Vec<_>>(), [ty, bound]);
        let same = terms.substitute(formula, &Map::from_iter([(y, tx)]));
        assert_eq!(same, formula, "bound variables are not replaced, and not renamed for that");
    }

    #[test]
    fn names_of_bound_variables_do_not_matter() {
        let (sig, s, r) = signature();
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.new_var(name, s));
        let mut formula = |a: VarId, b: VarId, p: VarId, q: VarId| {
            let args = [p, q].map(|var| terms.var(var));
            let atom = terms.app(&sig, r, 0, &args);
            let inner = terms.exists(&[b], atom);
            terms.forall(&[a], inner)
        };
        let first = formula(x, y, x, y);
        let others = [(y, x, y, x), (z, x, z, x), (z, y, z, y)].map(|(a, b, p, q)| formula(a, b, p, q));
        let different = [(x, y, y, x), (x, y, x, x), (x, x, x, x), (x, y, x, z), (x, y, z, y)];
        let different = different.map(|(a, b, p, q)| formula(a, b, p, q));
        assert!(others.into_iter().all(|other| terms.alpha_equal(first, other)));
        assert!(!different.into_iter().any(|other| terms.alpha_equal(first, other)));
    }

    #[test]
    fn closed_terms_rename_no_binder() {
        let (mut sig, s, r) = signature();
        let c = sig.symbols.push(Symbol::new("c", vec![], s, SymbolKind::Immutable));
        let mut terms = Terms::new();
        let (x, y) = (terms.new_var("x", s), terms.new_var("y", s));
        let (tx, ty) = (terms.var(x), terms.var(y));
        let c = terms.app(&sig, c, 0, &[]);
        // `r(x, y) & exists x. r(x, y)`, where the second x is another one.
        let atom = terms.app(&sig, r, 0, &[tx, ty]);
        let inner = terms.exists(&[x], atom);
        let formula = terms.and(&[atom, inner]);
        let result = terms.substitute(formula, &Map::from_iter([(x, c), (y, c)]));
        let outside = terms.app(&sig, r, 0, &[c, c]);
        let inside = terms.app(&sig, r, 0, &[tx, c]);
        let inside = terms.exists(&[x], inside);
        assert_eq!(result, terms.and(&[outside, inside]));
    }

    #[test]
    fn free_variables_of_large_shared_terms() {
        let (sig, sort, r) = signature();
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.new_var(name, sort));
        let [value, other] = [x, y].map(|var| terms.var(var));
        let mut formula = terms.app(&sig, r, 0, &[value, other]);
        for _ in 0..100 {
            let bound = terms.copy_var(x);
            let bound_term = terms.var(bound);
            let equal = terms.eq(bound_term, other);
            let negated = terms.not(formula);
            let [a, b] = [formula, negated].map(|part| terms.and(&[equal, part]));
            let either = terms.or(&[a, b]);
            formula = terms.exists(&[bound], either);
        }
        assert_eq!(terms.free_vars(formula), [y, x]);
    }

    #[test]
    fn shifting_moves_mutable_symbols_only() {
        let (mut sig, s, r) = signature();
        let c = sig.symbols.push(Symbol::new("c", vec![], s, SymbolKind::Immutable));
        let mut terms = Terms::new();
        let c = terms.app(&sig, c, 3, &[]);
        assert_eq!(terms.max_step(c), 0);
        let a = terms.app(&sig, r, 1, &[c, c]);
        let shifted = terms.shift(&sig, a, 2);
        assert_eq!(terms.max_step(shifted), 3);
        assert_eq!(shifted, terms.app(&sig, r, 3, &[c, c]));
    }
}
