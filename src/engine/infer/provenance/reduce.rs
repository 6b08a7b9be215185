//! Negation normal form with the constants folded.

use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Node, TermId, Terms, VarId};

/// Maximum number of nodes that a normal form is made from. What is beyond stays as it is.
const MAX_NODES: usize = 5_000;
/// Maximum depth of a formula that is read.
const MAX_DEPTH: usize = 200;

/// Checks whether a formula is too large, as a tree, to be read.
pub(super) fn is_large(terms: &Terms, formula: TermId) -> bool {
    terms.depth(formula) > MAX_DEPTH || terms.tree_size(formula) as usize > MAX_NODES
}

/// Returns the conjunction of formulas, without those that are true and repetitions.
pub(super) fn conjunction(terms: &mut Terms, parts: &[TermId]) -> TermId {
    let mut known: Set<TermId> = Set::default();
    let conjuncts = parts.iter().flat_map(|&part| terms.conjuncts(part));
    let kept: Vec<TermId> = conjuncts.filter(|&part| known.insert(part)).collect();
    if is_contradictory(terms, &kept) { terms.fals() } else { terms.and(&kept) }
}

/// Returns the disjunction of formulas, without those that are false and repetitions.
pub(super) fn disjunction(terms: &mut Terms, parts: &[TermId]) -> TermId {
    let (mut kept, mut known): (Vec<TermId>, Set<TermId>) = Default::default();
    for &part in parts {
        let args = match terms.node(part) {
            Node::True => return part,
            Node::False => continue,
            Node::Or(args) => terms.args(args).to_vec(),
            _ => vec![part],
        };
        kept.extend(args.into_iter().filter(|&arg| known.insert(arg)));
    }
    if is_complementary(terms, &kept) { terms.tru() } else { terms.or(&kept) }
}

/// Checks whether one of some conjuncts is false, or the negation of another one.
fn is_contradictory(terms: &Terms, parts: &[TermId]) -> bool {
    parts.iter().any(|&part| matches!(terms.node(part), Node::False)) || is_complementary(terms, parts)
}

/// Checks whether one of some formulas is the negation of another one.
fn is_complementary(terms: &Terms, parts: &[TermId]) -> bool {
    let known: Set<TermId> = parts.iter().copied().collect();
    parts.iter().any(|&part| matches!(terms.node(part), Node::Not(atom) if known.contains(&atom)))
}

/// Returns a formula in negation normal form as people write it: what is negated in a disjunction is a premise of the rest.
pub(super) fn implications(terms: &mut Terms, formula: TermId) -> TermId {
    let children: Vec<TermId> = terms.children(formula).collect();
    if children.is_empty() || matches!(terms.node(formula), Node::App { .. } | Node::Eq(..)) {
        return formula;
    }
    let children: Vec<TermId> = children.into_iter().map(|child| implications(terms, child)).collect();
    if !matches!(terms.node(formula), Node::Or(_)) {
        return terms.rebuild(formula, &children);
    }
    let is_negated = |child: &TermId| matches!(terms.node(*child), Node::Not(_));
    let (negated, rest): (Vec<TermId>, Vec<TermId>) = children.into_iter().partition(is_negated);
    if negated.is_empty() || rest.is_empty() {
        return terms.or(&[negated, rest].concat());
    }
    let premises: Vec<TermId> =
        negated.into_iter().flat_map(|it| terms.children(it).collect::<Vec<_>>()).collect();
    let (premise, conclusion) = (terms.and(&premises), terms.or(&rest));
    terms.implies(premise, conclusion)
}

/// Returns the negation normal form of a formula, or of its negation unless `positive`.
pub(in crate::infer) fn normal_form(terms: &mut Terms, formula: TermId, positive: bool) -> TermId {
    Reduce::new(terms, &|_| None).of(formula, positive)
}

/// The conversion of a formula where some atoms have values.
pub(super) struct Reduce<'a> {
    terms: &'a mut Terms,
    known: &'a dyn Fn(TermId) -> Option<bool>,
    nodes: usize,
}

impl<'a> Reduce<'a> {
    pub(super) fn new(terms: &'a mut Terms, known: &'a dyn Fn(TermId) -> Option<bool>) -> Reduce<'a> {
        Reduce { terms, known, nodes: 0 }
    }

    fn constant(&mut self, value: bool) -> TermId {
        if value { self.terms.tru() } else { self.terms.fals() }
    }

    /// Returns the normal form of a formula, or of its negation unless `positive`.
    pub(super) fn of(&mut self, formula: TermId, positive: bool) -> TermId {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.terms.depth(formula) > MAX_DEPTH {
            return if positive { formula } else { self.terms.not(formula) };
        }
        match self.terms.node(formula) {
            Node::True => self.constant(positive),
            Node::False => self.constant(!positive),
            Node::Not(a) => self.of(a, !positive),
            Node::And(args) => self.list(args, positive, positive),
            Node::Or(args) => self.list(args, !positive, positive),
            Node::Implies(a, b) => {
                let parts = [self.of(a, !positive), self.of(b, positive)];
                self.join(&parts, !positive)
            }
            Node::Iff(a, b) => {
                // a | !b and !a | b; of the negation, a | b and !a | !b.
                let first = [self.of(a, true), self.of(b, !positive)];
                let second = [self.of(a, false), self.of(b, positive)];
                let parts = [self.join(&first, false), self.join(&second, false)];
                self.join(&parts, true)
            }
            Node::Ite(condition, a, b) => {
                let first = [self.of(condition, false), self.of(a, positive)];
                let second = [self.of(condition, true), self.of(b, positive)];
                let parts = [self.join(&first, false), self.join(&second, false)];
                self.join(&parts, true)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let is_universal = matches!(self.terms.node(formula), Node::Forall(..)) == positive;
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                let body = self.of(body, positive);
                self.quantified(&vars, body, is_universal)
            }
            Node::Distinct(args) => {
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let mut parts = Vec::new();
                for (at, &a) in args.iter().enumerate() {
                    for &b in &args[at + 1..] {
                        let equal = self.terms.eq(a, b);
                        parts.push(self.of(equal, !positive));
                    }
                }
                self.join(&parts, positive)
            }
            Node::Eq(a, b) if a == b => self.constant(positive),
            Node::Eq(..) | Node::App { .. } | Node::Var(_) => match (self.known)(formula) {
                Some(value) => self.constant(value == positive),
                None if positive => formula,
                None => self.terms.not(formula),
            },
        }
    }

    fn join(&mut self, parts: &[TermId], is_conjunction: bool) -> TermId {
        if is_conjunction { conjunction(self.terms, parts) } else { disjunction(self.terms, parts) }
    }

    fn list(&mut self, args: ramsey_core::logic::Args, is_conjunction: bool, positive: bool) -> TermId {
        let args: Vec<TermId> = self.terms.args(args).to_vec();
        let parts: Vec<TermId> = args.into_iter().map(|arg| self.of(arg, positive)).collect();
        self.join(&parts, is_conjunction)
    }

    /// Quantifies a formula; conjuncts have quantifiers of their own where that is the same.
    fn quantified(&mut self, vars: &[VarId], body: TermId, is_universal: bool) -> TermId {
        match self.terms.node(body) {
            Node::True | Node::False => return body,
            Node::And(args) if is_universal => {
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let parts: Vec<TermId> =
                    args.into_iter().map(|arg| self.quantified(vars, arg, is_universal)).collect();
                return conjunction(self.terms, &parts);
            }
            _ => {}
        }
        let free = self.terms.free_vars(body);
        let vars: Vec<VarId> = vars.iter().copied().filter(|var| free.contains(var)).collect();
        if is_universal { self.terms.forall(&vars, body) } else { self.terms.exists(&vars, body) }
    }
}
