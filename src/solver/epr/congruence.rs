//! Congruence closure over the relevant terms of a candidate. It is rebuilt for each candidate.
//!
//! Union-find with a proof forest (Nieuwenhuis and Oliveras, RTA 2005). Each merge is an edge labelled by the equality
//! literal or the congruence that caused it, so that a conflict can be explained by equality literals alone.

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;
use smallvec::SmallVec;

use super::bank::{Bank, Head, Pattern};
use super::detours::Equations;
use super::symbols::{Fun, Symbols};
use crate::sat::Lit;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;

#[derive(Clone, Copy, Debug)]
enum Reason {
    /// An equality literal.
    Literal(Lit),
    /// The two end points are applications of the same function to equal arguments.
    Congruence,
}

type Signature = (Fun, SmallVec<[Pattern; 4]>);

/// A valid clause of equality with a single conclusion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Link {
    /// Two equations with a common term, the second one, make an equation of the others.
    Transitive([Pattern; 3]),
    /// Applications of one function to equal arguments are equal.
    Congruence([Pattern; 2]),
}

impl Link {
    /// Returns the terms of the conclusion, and of the premises. The terms of a premise may be the same.
    pub(crate) fn equations(self, bank: &Bank) -> ([Pattern; 2], SmallVec<[[Pattern; 2]; 4]>) {
        match self {
            Link::Transitive([a, b, c]) => ([a, c], SmallVec::from_slice(&[[a, b], [b, c]])),
            Link::Congruence([a, b]) => {
                let pairs = bank.args(a).iter().zip(bank.args(b));
                ([a, b], pairs.map(|(&a, &b)| [a, b]).collect())
            }
        }
    }
}

/// Number of literals in the lemmas of one query after which explanations are chains.
const LITERALS_BEFORE_CHAINS: u64 = 20_000;

/// The lemmas of chains.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// Number of literals in the lemmas of one query after which explanations are chains.
    pub(crate) patience: u64,
    /// Number of literals that are left to the current query.
    pub(crate) left: u64,
    /// The links that are lemmas already.
    pub(crate) known: Set<Link>,
    /// The equations of the current query.
    pub(super) equations: Equations,
}

impl Default for Chains {
    fn default() -> Self {
        Chains {
            patience: LITERALS_BEFORE_CHAINS,
            left: 0,
            known: Set::default(),
            equations: Equations::default(),
        }
    }
}

/// Number of contradictions excluded per candidate to begin with. Their lemmas repair the candidate step by step, and most lemmas of
/// a long list would concern parts that the first ones change.
const FIRST_BATCH: usize = 64;

/// Number of candidates in a row, with more contradictions than are excluded at a time, before that number grows.
const PATIENCE: u32 = 4;

/// How many contradictions are excluded per candidate. Where candidates keep having more of them, as those of long executions do, each
/// of many small repairs would cost a model of all clauses. The number doubles then, until a candidate has fewer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    /// Number of contradictions that are excluded at a time.
    pub(crate) limit: usize,
    /// Number of candidates in a row that had as many contradictions.
    full: u32,
}

impl Default for Batch {
    fn default() -> Self {
        Batch { limit: FIRST_BATCH, full: 0 }
    }
}

impl Batch {
    /// Notes how many contradictions of a candidate were excluded.
    pub(crate) fn note(&mut self, excluded: usize) {
        if excluded < self.limit {
            *self = Batch::default();
            return;
        }
        self.full += 1;
        if self.full > PATIENCE {
            self.limit = self.limit.saturating_mul(2);
        }
    }
}

/// An equivalence relation on terms, closed under functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Congruence {
    /// By term; meaningful for relevant terms only.
    parent: Vec<Pattern>,
    /// Proof forest, by term: the neighbor towards the root, and the reason of the equality.
    edge: Vec<Option<(Pattern, Reason)>>,
    /// Terms of the candidate, subterms before superterms.
    relevant: Vec<Pattern>,
    is_relevant: Vec<bool>,
    /// Relevant function applications.
    applications: Vec<Pattern>,
    merged: bool,
    /// Whether Skolem functions are arbitrary choices and not functions: equal arguments do not imply equal values.
    pub(crate) skolems_are_choices: bool,
    signatures: Map<Signature, Pattern>,
}

impl Congruence {
    /// Removes all terms.
    pub(crate) fn reset(&mut self, bank: &Bank) {
        for &term in &self.relevant {
            self.is_relevant[term.index()] = false;
        }
        self.relevant.clear();
        self.applications.clear();
        self.merged = false;
        self.make_room(bank);
    }

    /// Makes room for terms added to the bank.
    pub(crate) fn make_room(&mut self, bank: &Bank) {
        let len = bank.index_bound();
        if self.parent.len() < len {
            self.parent.extend((self.parent.len()..len).map(Pattern::new));
            self.edge.resize(len, None);
            self.is_relevant.resize(len, false);
        }
    }

    /// Adds `term` and its subterms.
    pub(crate) fn add(&mut self, bank: &Bank, term: Pattern) {
        if self.is_relevant[term.index()] {
            return;
        }
        self.is_relevant[term.index()] = true;
        for &arg in bank.args(term) {
            self.add(bank, arg);
        }
        self.parent[term.index()] = term;
        self.edge[term.index()] = None;
        self.relevant.push(term);
        if !bank.args(term).is_empty() {
            self.applications.push(term);
        }
    }

    pub(crate) fn relevant(&self) -> &[Pattern] {
        &self.relevant
    }

    pub(crate) fn contains(&self, term: Pattern) -> bool {
        self.is_relevant.get(term.index()) == Some(&true)
    }

    pub(crate) fn find(&self, mut term: Pattern) -> Pattern {
        while self.parent[term.index()] != term {
            term = self.parent[term.index()];
        }
        term
    }

    /// Like [`Self::find`]; halves the path.
    fn find_shortening(&mut self, mut term: Pattern) -> Pattern {
        while self.parent[term.index()] != term {
            let above = self.parent[self.parent[term.index()].index()];
            self.parent[term.index()] = above;
            term = above;
        }
        term
    }

    /// Merges the classes of `a` and `b` because of the true equality literal `lit`.
    pub(crate) fn merge(&mut self, bank: &Bank, a: Pattern, b: Pattern, lit: Lit) {
        self.union(bank, a, b, Reason::Literal(lit));
    }

    fn union(&mut self, bank: &Bank, a: Pattern, b: Pattern, reason: Reason) {
        let (root_a, root_b) = (self.find_shortening(a), self.find_shortening(b));
        if root_a == root_b {
            return;
        }
        self.merged = true;
        // The root is the simplest term, then the oldest, because instances are made of roots.
        let simpler = |term: Pattern| (bank.depth(term), term);
        let (from, to, child, root) =
            if simpler(root_b) < simpler(root_a) { (a, b, root_a, root_b) } else { (b, a, root_b, root_a) };
        self.reroot(from);
        self.edge[from.index()] = Some((to, reason));
        self.parent[child.index()] = root;
    }

    /// Reverses the path from `term` to its proof root.
    fn reroot(&mut self, term: Pattern) {
        let mut current = term;
        let mut incoming = None;
        loop {
            let next = std::mem::replace(&mut self.edge[current.index()], incoming);
            let Some((neighbour, reason)) = next else { break };
            incoming = Some((current, reason));
            current = neighbour;
        }
    }

    /// Closes under congruence, and lets every relevant term point directly to its root.
    pub(crate) fn close(&mut self, symbols: &Symbols, bank: &Bank) {
        while self.merged {
            self.merged = false;
            self.signatures.clear();
            for index in 0..self.applications.len() {
                let term = self.applications[index];
                let Head::Fun(fun) = bank.head(term) else { continue };
                if self.skolems_are_choices && symbols.funs[fun].is_skolem {
                    continue;
                }
                let args = bank.args(term).iter().map(|&arg| self.find_shortening(arg)).collect();
                match self.signatures.entry((fun, args)) {
                    std::collections::hash_map::Entry::Occupied(other) => {
                        let other = *other.get();
                        self.union(bank, term, other, Reason::Congruence);
                    }
                    std::collections::hash_map::Entry::Vacant(slot) => {
                        slot.insert(term);
                    }
                }
            }
        }
        for index in 0..self.relevant.len() {
            let term = self.relevant[index];
            self.parent[term.index()] = self.find_shortening(term);
        }
    }

    /// Appends the equality literals that imply that the terms of each pair are equal to `lits`, each once. Scratch memory is
    /// taken from `round`.
    pub(crate) fn explain(
        &self,
        bank: &Bank,
        pairs: &[(Pattern, Pattern)],
        lits: &mut BumpVec<'_, Lit>,
        round: &Bump,
    ) {
        let mut seen = Few::new_in(round);
        for &(a, b) in pairs {
            self.explain_pair(bank, a, b, &mut seen, round);
        }
        lits.extend_from_slice_copy(&seen.list);
    }

    fn explain_pair(&self, bank: &Bank, a: Pattern, b: Pattern, lits: &mut Few<'_, Lit>, round: &Bump) {
        let mut pending = bumpalo::vec![in round; (a, b)];
        let mut done = Few::new_in(round);
        while let Some((a, b)) = pending.pop() {
            if a == b || !done.insert((a.min(b), a.max(b))) {
                continue;
            }
            let common = self.common_ancestor(a, b);
            for start in [a, b] {
                self.walk(start, common, |from, to, reason| match reason {
                    Reason::Literal(lit) => {
                        lits.insert(lit);
                    }
                    Reason::Congruence => {
                        let args = bank.args(from).iter().zip(bank.args(to));
                        pending.extend(args.map(|(&a, &b)| (a, b)));
                    }
                });
            }
        }
    }

    /// Appends clauses from which `a = b` follows by propagation to `links`, given the equality literals that
    /// [`Self::explain`] returns. Their equations are those of `a` with each term on the way to `b`.
    pub(crate) fn chain(
        &self,
        bank: &Bank,
        a: Pattern,
        b: Pattern,
        links: &mut BumpVec<'_, Link>,
        round: &Bump,
    ) {
        let mut pending = bumpalo::vec![in round; (a, b)];
        let mut done: Set<(Pattern, Pattern)> = Set::default();
        let mut way: BumpVec<'_, (Pattern, Pattern, Reason)> = BumpVec::new_in(round);
        while let Some((a, b)) = pending.pop() {
            if a == b || !done.insert((a, b)) {
                continue;
            }
            let common = self.common_ancestor(a, b);
            way.clear();
            self.walk(b, common, |from, to, reason| way.push((to, from, reason)));
            way.reverse();
            let back = way.len();
            self.walk(a, common, |from, to, reason| way.push((from, to, reason)));
            way.rotate_left(back);
            for &(from, to, reason) in &way {
                if let Reason::Congruence = reason {
                    let args = bank.args(from).iter().zip(bank.args(to));
                    pending.extend(args.map(|(&a, &b)| (a, b)));
                    links.push(Link::Congruence([from, to]));
                }
                if from != a {
                    links.push(Link::Transitive([a, from, to]));
                }
            }
        }
    }

    /// Visits the edges of the proof forest from a term to one on its way to the root.
    fn walk(&self, start: Pattern, end: Pattern, mut visit: impl FnMut(Pattern, Pattern, Reason)) {
        let mut current = start;
        while current != end {
            let Some((next, reason)) = self.edge[current.index()] else { break };
            visit(current, next, reason);
            current = next;
        }
    }

    /// Returns the first term that the paths from `a` and `b` to their proof root have in common. They must have the same root.
    fn common_ancestor(&self, a: Pattern, b: Pattern) -> Pattern {
        let above = |term: Pattern| self.edge[term.index()].map(|(next, _)| next);
        let length = |term: Pattern| std::iter::successors(above(term), |&term| above(term)).count();
        let (mut a, mut b) = (a, b);
        let (mut length_a, mut length_b) = (length(a), length(b));
        while a != b {
            if length_a >= length_b {
                let Some(next) = above(a) else { return a };
                (a, length_a) = (next, length_a - 1);
            } else {
                let Some(next) = above(b) else { return b };
                (b, length_b) = (next, length_b - 1);
            }
        }
        a
    }
}

/// Number of members of a list that is searched from end to end.
const FEW: usize = 16;

/// A set in the order of insertion, mostly a small one.
struct Few<'r, T> {
    list: BumpVec<'r, T>,
    /// The members, if there are more than [`FEW`].
    all: Set<T>,
}

impl<'r, T: Copy + Eq + std::hash::Hash> Few<'r, T> {
    fn new_in(round: &'r Bump) -> Self {
        Few { list: BumpVec::new_in(round), all: Set::default() }
    }

    /// Adds a member. Returns whether it is new.
    fn insert(&mut self, member: T) -> bool {
        let is_new =
            if self.list.len() <= FEW { !self.list.contains(&member) } else { self.all.insert(member) };
        if is_new {
            self.list.push(member);
            if self.list.len() == FEW + 1 {
                self.all.extend(self.list.iter().copied());
            }
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::rng::Rng;

    #[test]
    fn a_list_has_each_member_once() {
        let round = Bump::new();
        let (mut few, mut expected) = (Few::new_in(&round), Vec::new());
        let mut rng = Rng::new(5);
        for _ in 0..400 {
            let member = rng.below(3 * FEW);
            let is_new = !expected.contains(&member);
            assert_eq!(few.insert(member), is_new);
            if is_new {
                expected.push(member);
            }
        }
        assert_eq!(few.list.as_slice(), expected);
        assert_eq!(expected.len(), 3 * FEW);
    }
}
