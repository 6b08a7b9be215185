//! Negation normal form. It preserves the meaning in every structure with nonempty universes.

use smallvec::SmallVec;

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::sig::SortId;
use ramsey_core::logic::term::{Node, TermId, Terms, VarId};

/// Maximum number of cases of an atom, one for each way to decide its `if` terms. Beyond it, the values of these terms
/// are named.
const MAX_CASES: u64 = 64;

/// Maximum number of terms whose distinctness is expanded pairwise. More terms are distinguished by the bits of their
/// numbers.
const MAX_PAIRWISE: usize = 64;

/// The same where the terms have no variables and are all different, which is a unit clause for each two of them. It excludes
/// that equality once and for all; with bits, each two ways to equal terms are excluded on their own.
const MAX_UNITS: usize = 400;

/// Maximum cost of the copy of a formula: larger ones share most of their subformulas.
const MAX_COPY: u32 = 10_000;

/// Builds a conjunction: flattened, without `true` and repetitions; `false` if a conjunct is.
pub fn flat_and(terms: &mut Terms, items: &[TermId]) -> TermId {
    flat(terms, items, true)
}

/// Builds a disjunction: flattened, without `false` and repetitions; `true` if a disjunct is.
pub fn flat_or(terms: &mut Terms, items: &[TermId]) -> TermId {
    flat(terms, items, false)
}

pub(super) fn flat(terms: &mut Terms, items: &[TermId], conjunction: bool) -> TermId {
    let mut result: SmallVec<[TermId; 16]> = SmallVec::new();
    let mut stack: SmallVec<[TermId; 16]> = items.iter().rev().copied().collect();
    while let Some(item) = stack.pop() {
        match (terms.node(item), conjunction) {
            (Node::And(args), true) | (Node::Or(args), false) => {
                stack.extend(terms.args(args).iter().rev().copied());
            }
            (Node::True, true) | (Node::False, false) => {}
            (Node::False, true) | (Node::True, false) => return item,
            _ => {
                // Long lists are rare. In them, repetitions cost less than the search for them.
                if result.len() > 64 || !result.contains(&item) {
                    result.push(item);
                }
            }
        }
    }
    if conjunction { terms.and(&result) } else { terms.or(&result) }
}

/// Conversion to negation normal form: literals, conjunctions, disjunctions and quantifiers over uninterpreted sorts.
///
/// `if` terms are lifted out of atoms, quantifiers over `bool` are expanded, and `distinct` is expanded pairwise. If
/// that would be much larger than the formula, variables stand for the values of `if` terms, and `distinct` is
/// expressed by bits.
#[derive(Clone, Debug, Default)]
pub struct Nnf {
    memo: Map<(TermId, bool), TermId>,
    /// The variables in scope, and whether they are universal in the result.
    scope: Vec<(VarId, bool)>,
    /// Budget: one unit for each node visited; unlimited by default.
    pub budget: Budget,
    /// The exhausted budget, if any. Results computed afterwards are meaningless.
    pub exhausted: Option<Exhausted>,
}

impl Nnf {
    /// Returns the normal form of `formula`, or of its negation if `positive` is false.
    pub fn of(&mut self, terms: &mut Terms, formula: TermId, positive: bool) -> TermId {
        let node = terms.node(formula);
        if matches!(node, Node::App { .. } | Node::Eq(..)) && !terms.has_choice(formula) {
            // Most nodes are literals; recomputing them is cheaper than caching them.
            return self.literal(terms, formula, positive);
        }
        if let Node::Not(a) = node {
            return self.of(terms, a, !positive);
        }
        if let Some(&done) = self.memo.get(&(formula, positive)) {
            return done;
        }
        if self.exhausted.is_none() {
            self.exhausted = self.budget.spend(1 + terms.children(formula).count() as u64).err();
        }
        if self.exhausted.is_some() {
            return formula;
        }
        let result = self.convert(terms, formula, positive);
        // Nested lists are flattened into one list at each level.
        let list = terms.children(result).count() as u64;
        self.exhausted = self.exhausted.or_else(|| self.budget.spend(list).err());
        if self.exhausted.is_none() {
            self.memo.insert((formula, positive), result);
        }
        result
    }

    /// Returns the normal form of a formula that is not in the cache.
    fn convert(&mut self, terms: &mut Terms, formula: TermId, positive: bool) -> TermId {
        match terms.node(formula) {
            Node::True | Node::False => {
                if positive == matches!(terms.node(formula), Node::True) {
                    terms.tru()
                } else {
                    terms.fals()
                }
            }
            Node::And(args) | Node::Or(args) => {
                let conjunction = matches!(terms.node(formula), Node::And(_)) == positive;
                let items: SmallVec<[TermId; 16]> = SmallVec::from_slice(terms.args(args));
                let items: SmallVec<[TermId; 16]> =
                    items.into_iter().map(|item| self.of(terms, item, positive)).collect();
                flat(terms, &items, conjunction)
            }
            Node::Implies(a, b) => {
                let items = [self.of(terms, a, !positive), self.of(terms, b, positive)];
                flat(terms, &items, !positive)
            }
            Node::Iff(a, b) => {
                let (a, not_a) = (self.of(terms, a, true), self.of(terms, a, false));
                let (b, not_b) = (self.of(terms, b, positive), self.of(terms, b, !positive));
                self.choice(terms, (a, not_a), b, not_b)
            }
            Node::Ite(condition, a, b) => {
                let condition = (self.of(terms, condition, true), self.of(terms, condition, false));
                let (a, b) = (self.of(terms, a, positive), self.of(terms, b, positive));
                self.choice(terms, condition, a, b)
            }
            Node::Distinct(args) => {
                let items = terms.args(args).to_vec();
                let are_units = positive && items.iter().all(|&item| !terms.has_vars(item));
                if items.len() > if are_units { MAX_UNITS } else { MAX_PAIRWISE } {
                    self.distinct_by_bits(terms, &items, positive)
                } else {
                    self.distinct_by_pairs(terms, &items, positive)
                }
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let universal = matches!(terms.node(formula), Node::Forall(..)) == positive;
                let vars: Vec<VarId> = terms.bound_vars(vars).collect();
                let (bools, vars): (Vec<VarId>, Vec<VarId>) =
                    vars.into_iter().partition(|&var| terms.var_info(var).sort == SortId::BOOL);
                let outside = self.scope.len();
                self.scope.extend(vars.iter().map(|&var| (var, universal)));
                let body = self.expand_bools(terms, &bools, body, positive, universal);
                self.scope.truncate(outside);
                quantify(terms, universal, &vars, body)
            }
            Node::Not(_) | Node::Var(_) | Node::App { .. } | Node::Eq(..) => {
                self.literal(terms, formula, positive)
            }
        }
    }

    /// Builds `(condition -> a) & (!condition -> b)`.
    fn choice(
        &mut self,
        terms: &mut Terms,
        (condition, negated): (TermId, TermId),
        a: TermId,
        b: TermId,
    ) -> TermId {
        let then = flat_or(terms, &[negated, a]);
        let otherwise = flat_or(terms, &[condition, b]);
        flat_and(terms, &[then, otherwise])
    }

    /// Expands the variables of a body to both truth values, and joins the results.
    fn expand_bools(
        &mut self,
        terms: &mut Terms,
        bools: &[VarId],
        body: TermId,
        positive: bool,
        universal: bool,
    ) -> TermId {
        let Some((&first, rest)) = bools.split_first() else { return self.of(terms, body, positive) };
        // Each part is a copy, also of a literal, which costs nothing elsewhere.
        let copies = 2 * u64::from(terms.tree_size(body).min(MAX_COPY));
        self.exhausted = self.exhausted.or_else(|| self.budget.spend(copies).err());
        if self.exhausted.is_some() {
            return body;
        }
        let parts = [terms.tru(), terms.fals()].map(|value| {
            let part = terms.substitute(body, &Map::from_iter([(first, value)]));
            self.expand_bools(terms, rest, part, positive, universal)
        });
        let result = flat(terms, &parts, universal);
        let list = terms.children(result).count() as u64;
        self.exhausted = self.exhausted.or_else(|| self.budget.spend(list).err());
        result
    }

    fn literal(&mut self, terms: &mut Terms, atom: TermId, positive: bool) -> TermId {
        if let Some(choice) = first_ite(terms, atom) {
            let Node::Ite(condition, a, b) = terms.node(choice) else { return atom };
            if has_many_cases(terms, atom) {
                return self.with_names(terms, atom, positive);
            }
            let with_a = replace(terms, atom, choice, a, &mut Map::default());
            let with_b = replace(terms, atom, choice, b, &mut Map::default());
            let condition = (self.of(terms, condition, true), self.of(terms, condition, false));
            let (with_a, with_b) = (self.of(terms, with_a, positive), self.of(terms, with_b, positive));
            return self.choice(terms, condition, with_a, with_b);
        }
        if let Node::Eq(a, b) = terms.node(atom)
            && a == b
        {
            return if positive { terms.tru() } else { terms.fals() };
        }
        if positive { atom } else { terms.not(atom) }
    }

    /// Replaces each `if` term in `atom` by a variable, which is bound to the value of the term: by
    /// `exists v. (v is the value) & ..`, or by the equivalent `forall v. (v is not the value) | ..`. The former
    /// introduces Skolem constants, but Skolem functions where universal variables are free.
    fn with_names(&mut self, terms: &mut Terms, atom: TermId, positive: bool) -> TermId {
        let free = terms.free_vars(atom);
        let is_universal =
            |var: &VarId| self.scope.iter().rev().find(|(known, _)| known == var).is_some_and(|&(_, it)| it);
        let universal = free.iter().any(is_universal);
        let mut names = Names::default();
        let atom = names.replace(terms, atom);
        let mut parts = Vec::new();
        for (var, condition, a, b) in &names.choices {
            let value = terms.var(*var);
            let condition = (self.of(terms, *condition, true), self.of(terms, *condition, false));
            let [a, b] = [*a, *b].map(|branch| {
                let equal = terms.eq(value, branch);
                self.of(terms, equal, !universal)
            });
            parts.push(self.choice(terms, condition, a, b));
        }
        parts.push(self.of(terms, atom, positive));
        let body = flat(terms, &parts, !universal);
        let vars: Vec<VarId> = names.choices.iter().map(|&(var, ..)| var).collect();
        quantify(terms, universal, &vars, body)
    }

    /// Expresses that all `items` differ, or that two are equal, by an equality for each two of them.
    fn distinct_by_pairs(&mut self, terms: &mut Terms, items: &[TermId], positive: bool) -> TermId {
        let mut pairs = Vec::new();
        for (index, &a) in items.iter().enumerate() {
            for &b in &items[index + 1..] {
                let equal = terms.eq(a, b);
                pairs.push(self.of(terms, equal, !positive));
            }
        }
        flat(terms, &pairs, positive)
    }

    /// Expresses that all `items` differ, or that two are equal, in size O(n log n). Two positions in the list differ
    /// in a bit of their numbers. Therefore all items differ if and only if for each element and each bit, the items
    /// equal to the element all have the bit set or all have it clear.
    fn distinct_by_bits(&mut self, terms: &mut Terms, items: &[TermId], positive: bool) -> TermId {
        let var = terms.new_var("V", terms.sort(items[0]));
        let value = terms.var(var);
        self.scope.push((var, positive));
        let mut literals = Vec::with_capacity(items.len());
        for &item in items {
            let equal = terms.eq(value, item);
            literals.push(self.of(terms, equal, !positive));
        }
        self.scope.pop();
        let bits = usize::BITS - (items.len() - 1).leading_zeros();
        let mut parts = Vec::new();
        for bit in 0..bits {
            let (with, without): (Vec<usize>, Vec<usize>) =
                (0..items.len()).partition(|place| place >> bit & 1 == 1);
            let sides = [with, without].map(|places| {
                let side: Vec<TermId> = places.into_iter().map(|place| literals[place]).collect();
                flat(terms, &side, positive)
            });
            parts.push(flat(terms, &sides, !positive));
        }
        let body = flat(terms, &parts, positive);
        quantify(terms, positive, &[var], body)
    }
}

/// Returns an outermost `if` term in `atom`. Conditions are not searched, because they may contain variables that they
/// bind; they are handled when the condition itself is normalized.
fn first_ite(terms: &Terms, atom: TermId) -> Option<TermId> {
    match terms.node(atom) {
        _ if !terms.has_choice(atom) => None,
        Node::App { .. } | Node::Eq(..) => terms.children(atom).find_map(|child| match terms.node(child) {
            Node::Ite(..) => Some(child),
            _ => first_ite(terms, child),
        }),
        _ => None,
    }
}

fn replace(
    terms: &mut Terms,
    within: TermId,
    what: TermId,
    by: TermId,
    memo: &mut Map<TermId, TermId>,
) -> TermId {
    if within == what {
        return by;
    }
    if !terms.has_choice(within) || !matches!(terms.node(within), Node::App { .. } | Node::Eq(..)) {
        return within;
    }
    if let Some(&done) = memo.get(&within) {
        return done;
    }
    let children: Vec<TermId> = terms.children(within).collect();
    let children: Vec<TermId> =
        children.into_iter().map(|child| replace(terms, child, what, by, memo)).collect();
    let result = terms.rebuild(within, &children);
    memo.insert(within, result);
    result
}

/// Checks whether lifting the `if` terms of an atom yields many more atoms than there are `if` terms.
fn has_many_cases(terms: &Terms, atom: TermId) -> bool {
    let mut memo = Map::default();
    let cases = cases(terms, atom, &mut memo);
    cases > MAX_CASES && {
        let choices = memo.keys().filter(|&&term| matches!(terms.node(term), Node::Ite(..))).count();
        cases / 4 > choices as u64
    }
}

/// Returns the number of terms without `if` to which `term` may be equal, counted with repetitions.
fn cases(terms: &Terms, term: TermId, memo: &mut Map<TermId, u64>) -> u64 {
    if !terms.has_choice(term) {
        return 1;
    }
    if let Some(&known) = memo.get(&term) {
        return known;
    }
    let result = match terms.node(term) {
        Node::Ite(_, a, b) => cases(terms, a, memo).saturating_add(cases(terms, b, memo)),
        _ => terms
            .children(term)
            .fold(1, |product: u64, child| product.saturating_mul(cases(terms, child, memo))),
    };
    memo.insert(term, result);
    result
}

/// Variables that stand for `if` terms.
#[derive(Default)]
struct Names {
    /// Each variable with the condition and the two branches of its term. The branches contain no `if`.
    choices: Vec<(VarId, TermId, TermId, TermId)>,
    memo: Map<TermId, TermId>,
}

impl Names {
    /// Returns `term` without `if`, except in conditions.
    fn replace(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        if !terms.has_choice(term) {
            return term;
        }
        if let Some(&done) = self.memo.get(&term) {
            return done;
        }
        let result = if let Node::Ite(condition, a, b) = terms.node(term) {
            let (a, b) = (self.replace(terms, a), self.replace(terms, b));
            let var = terms.new_var("V", terms.sort(term));
            self.choices.push((var, condition, a, b));
            terms.var(var)
        } else {
            let children: Vec<TermId> = terms.children(term).collect();
            let children: Vec<TermId> =
                children.into_iter().map(|child| self.replace(terms, child)).collect();
            terms.rebuild(term, &children)
        };
        self.memo.insert(term, result);
        result
    }
}

pub(super) fn quantify(terms: &mut Terms, universal: bool, vars: &[VarId], body: TermId) -> TermId {
    match terms.node(body) {
        Node::True | Node::False => body,
        _ if universal => terms.forall(vars, body),
        _ => terms.exists(vars, body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::logic::{Signature, Symbol, SymbolKind};

    /// A copy for both values costs something, also of a literal.
    #[test]
    fn copies_for_boolean_variables_are_counted() {
        let (mut sig, mut terms) = (Signature::default(), Terms::default());
        let args = vec![SortId::BOOL; 16];
        let sym = sig.symbols.push(Symbol::new("p", args, SortId::BOOL, SymbolKind::Immutable));
        let vars: Vec<VarId> = (0..16).map(|at| terms.new_var(format!("X{at}"), SortId::BOOL)).collect();
        let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let atom = terms.app(&sig, sym, 0, &args);
        let formula = terms.forall(&vars, atom);
        let mut nnf = Nnf { budget: Budget::new(Some(10_000), None), ..Nnf::default() };
        nnf.of(&mut terms, formula, true);
        assert_eq!(nnf.exhausted, Some(Exhausted::Work));
        let made = terms.len();
        assert!(made < 10_000, "{made} terms");
    }
}
