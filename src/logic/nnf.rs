//! Negation normal form and miniscoping.
//!
//! Both keep the meaning over every structure with non-empty universes. Miniscoping pushes quantifiers
//! as far in as they go *before* anything is Skolemized: it cuts the arity of Skolem functions and often
//! removes the function altogether.

use super::sig::SortId;
use super::term::{Node, TermId, Terms, VarId};
use crate::base::hash::Map;

/// Conjunction, flattened, without `true` and repetitions; `false` if a conjunct is.
pub fn flat_and(terms: &mut Terms, items: &[TermId]) -> TermId {
    flat(terms, items, true)
}

/// Disjunction, flattened, without `false` and repetitions; `true` if a disjunct is.
pub fn flat_or(terms: &mut Terms, items: &[TermId]) -> TermId {
    flat(terms, items, false)
}

fn flat(terms: &mut Terms, items: &[TermId], conjunction: bool) -> TermId {
    let mut result: Vec<TermId> = Vec::with_capacity(items.len());
    let mut stack: Vec<TermId> = items.iter().rev().copied().collect();
    while let Some(item) = stack.pop() {
        match (terms.node(item), conjunction) {
            (Node::And(args), true) | (Node::Or(args), false) => stack.extend(terms.args(args).iter().rev()),
            (Node::True, true) | (Node::False, false) => {}
            (Node::False, true) | (Node::True, false) => return item,
            _ => {
                // Long lists are rare; for them, repetitions cost less than looking for them.
                if result.len() > 64 || !result.contains(&item) {
                    result.push(item);
                }
            }
        }
    }
    if conjunction { terms.and(&result) } else { terms.or(&result) }
}

/// Negation normal form: literals, conjunctions, disjunctions and quantifiers over uninterpreted sorts.
///
/// `if` terms are lifted out of atoms, quantifiers over `bool` are spelled out, `distinct` is pairwise.
#[derive(Clone, Debug, Default)]
pub struct Nnf {
    memo: Map<(TermId, bool), TermId>,
}

impl Nnf {
    /// The normal form of `formula` (of its negation where `positive` is false).
    pub fn of(&mut self, terms: &mut Terms, formula: TermId, positive: bool) -> TermId {
        if let Some(&done) = self.memo.get(&(formula, positive)) {
            return done;
        }
        let result = match terms.node(formula) {
            Node::True | Node::False => {
                if positive == matches!(terms.node(formula), Node::True) {
                    terms.tru()
                } else {
                    terms.fals()
                }
            }
            Node::Not(a) => self.of(terms, a, !positive),
            Node::And(args) | Node::Or(args) => {
                let conjunction = matches!(terms.node(formula), Node::And(_)) == positive;
                let items = terms.args(args).to_vec();
                let items: Vec<TermId> =
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
                let mut pairs = Vec::new();
                for (index, &a) in items.iter().enumerate() {
                    for &b in &items[index + 1..] {
                        let equal = terms.eq(a, b);
                        pairs.push(self.of(terms, equal, !positive));
                    }
                }
                flat(terms, &pairs, positive)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let universal = matches!(terms.node(formula), Node::Forall(..)) == positive;
                let vars: Vec<VarId> = terms.bound_vars(vars).collect();
                let (bools, vars): (Vec<VarId>, Vec<VarId>) =
                    vars.into_iter().partition(|&var| terms.var_info(var).sort == SortId::BOOL);
                let body = self.spell_out(terms, &bools, body, positive, universal);
                quantify(terms, universal, &vars, body)
            }
            Node::Var(_) | Node::App { .. } | Node::Eq(..) => self.literal(terms, formula, positive),
        };
        self.memo.insert((formula, positive), result);
        result
    }

    /// `(condition -> a) & (!condition -> b)`.
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

    /// The body for both values of each variable, joined.
    fn spell_out(
        &mut self,
        terms: &mut Terms,
        bools: &[VarId],
        body: TermId,
        positive: bool,
        universal: bool,
    ) -> TermId {
        let Some((&first, rest)) = bools.split_first() else { return self.of(terms, body, positive) };
        let parts = [terms.tru(), terms.fals()].map(|value| {
            let part = terms.substitute(body, &Map::from_iter([(first, value)]));
            self.spell_out(terms, rest, part, positive, universal)
        });
        flat(terms, &parts, universal)
    }

    fn literal(&mut self, terms: &mut Terms, atom: TermId, positive: bool) -> TermId {
        if let Some(choice) = first_ite(terms, atom) {
            let Node::Ite(condition, a, b) = terms.node(choice) else { return atom };
            let with_a = replace(terms, atom, choice, a);
            let with_b = replace(terms, atom, choice, b);
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
}

/// An outermost `if` term below `atom`. Conditions are not searched: what is in them may be about variables that
/// they bind, and comes up when the condition is brought into normal form itself.
fn first_ite(terms: &Terms, atom: TermId) -> Option<TermId> {
    match terms.node(atom) {
        Node::App { .. } | Node::Eq(..) => terms.children(atom).find_map(|child| match terms.node(child) {
            Node::Ite(..) => Some(child),
            _ => first_ite(terms, child),
        }),
        _ => None,
    }
}

fn replace(terms: &mut Terms, within: TermId, what: TermId, by: TermId) -> TermId {
    if within == what {
        return by;
    }
    if !matches!(terms.node(within), Node::App { .. } | Node::Eq(..)) {
        return within;
    }
    let children: Vec<TermId> = terms.children(within).collect();
    let children: Vec<TermId> = children.into_iter().map(|child| replace(terms, child, what, by)).collect();
    terms.rebuild(within, &children)
}

fn quantify(terms: &mut Terms, universal: bool, vars: &[VarId], body: TermId) -> TermId {
    match terms.node(body) {
        Node::True | Node::False => body,
        _ if universal => terms.forall(vars, body),
        _ => terms.exists(vars, body),
    }
}

/// Pushes the quantifiers of a formula in negation normal form inwards.
#[derive(Clone, Debug, Default)]
pub struct Miniscope {
    memo: Map<TermId, TermId>,
}

impl Miniscope {
    /// The formula with its quantifiers as far in as they go.
    pub fn of(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        if let Some(&done) = self.memo.get(&formula) {
            return done;
        }
        let result = match terms.node(formula) {
            Node::And(args) | Node::Or(args) => {
                let conjunction = matches!(terms.node(formula), Node::And(_));
                let items = terms.args(args).to_vec();
                let items: Vec<TermId> = items.into_iter().map(|item| self.of(terms, item)).collect();
                flat(terms, &items, conjunction)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let universal = matches!(terms.node(formula), Node::Forall(..));
                let vars: Vec<VarId> = terms.bound_vars(vars).collect();
                let body = self.of(terms, body);
                push(terms, universal, &vars, body, &mut Map::default())
            }
            _ => formula,
        };
        self.memo.insert(formula, result);
        result
    }
}

/// Pushes one block of quantifiers into a body that is miniscoped itself. `memo` has what is done: the result
/// depends on the body alone, since `vars` loses only what is not free in it.
fn push(
    terms: &mut Terms,
    universal: bool,
    vars: &[VarId],
    body: TermId,
    memo: &mut Map<TermId, TermId>,
) -> TermId {
    if let Some(&done) = memo.get(&body) {
        return done;
    }
    let result = push_into(terms, universal, vars, body, memo);
    memo.insert(body, result);
    result
}

fn push_into(
    terms: &mut Terms,
    universal: bool,
    vars: &[VarId],
    body: TermId,
    memo: &mut Map<TermId, TermId>,
) -> TermId {
    let free = terms.free_vars(body);
    let vars: Vec<VarId> = vars.iter().copied().filter(|var| free.contains(var)).collect();
    if vars.is_empty() {
        return body;
    }
    match (terms.node(body), universal) {
        (Node::And(args), true) | (Node::Or(args), false) => {
            let items = terms.args(args).to_vec();
            let items: Vec<TermId> =
                items.into_iter().map(|item| push(terms, universal, &vars, item, memo)).collect();
            flat(terms, &items, universal)
        }
        (Node::Or(args), true) | (Node::And(args), false) => {
            let items = terms.args(args).to_vec();
            let groups = components(terms, &vars, &items);
            if let [only] = groups.as_slice()
                && only.len() == items.len()
            {
                return quantify(terms, universal, &vars, body);
            }
            let items: Vec<TermId> = groups
                .into_iter()
                .map(|group| {
                    let part = flat(terms, &group, !universal);
                    push(terms, universal, &vars, part, memo)
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

/// Groups of `items` that share some of `vars`, directly or through others; items without any stand alone.
fn components(terms: &Terms, vars: &[VarId], items: &[TermId]) -> Vec<Vec<TermId>> {
    let mut groups: Vec<(Vec<VarId>, Vec<TermId>)> = Vec::new();
    for &item in items {
        let mut used: Vec<VarId> =
            terms.free_vars(item).into_iter().filter(|var| vars.contains(var)).collect();
        let mut members = vec![item];
        // Joined groups keep the place of the first, so that the order of items is mostly kept.
        let mut place = groups.len();
        let mut index = 0;
        while index < groups.len() {
            if groups[index].0.iter().any(|var| used.contains(var)) {
                let (group_vars, mut group_items) = groups.remove(index);
                used.extend(group_vars);
                group_items.append(&mut members);
                members = group_items;
                place = place.min(index);
            } else {
                index += 1;
            }
        }
        groups.insert(place.min(groups.len()), (used, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}
