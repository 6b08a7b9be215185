//! Formulas as closed forms have them.

use ramsey_core::logic::{Node, SortId, TermId, Terms};
use ramsey_kernel::core::{both_branches, distinct_pairs, lifted};

/// Returns a formula without the negations in front of it, and whether their number is even. A choice and a difference
/// are what they are in the closed form: implications and negated equations.
pub(crate) fn unsigned(terms: &mut Terms, mut formula: TermId) -> (bool, TermId) {
    let mut is_even = true;
    loop {
        if let Some(choice) = lifted(terms, formula) {
            formula = choice;
        }
        match terms.node(formula) {
            Node::Not(inner) => (formula, is_even) = (inner, !is_even),
            Node::Distinct(items) => {
                let items = terms.args(items).to_vec();
                formula = distinct_pairs(terms, &items);
            }
            Node::Ite(condition, a, b) if terms.sort(formula) == SortId::BOOL => {
                formula = both_branches(terms, condition, a, b);
            }
            _ => return (is_even, formula),
        }
    }
}

/// Returns the proposition of a formula, and whether it is not negated. An equation and its mirror image are one
/// proposition.
pub(crate) fn proposition(terms: &mut Terms, formula: TermId) -> (bool, TermId) {
    let (is_even, formula) = unsigned(terms, formula);
    let oriented = match terms.node(formula) {
        Node::Eq(a, b) if b < a => terms.eq(b, a),
        _ => formula,
    };
    (is_even, oriented)
}

/// What a formula that is true, or false, says about its parts.
pub(crate) enum Shape {
    /// Each part, with the value that it has.
    All(Vec<(TermId, bool)>),
    /// Some part, with the value that it has.
    Some(Vec<(TermId, bool)>),
    /// That two parts have the same value, or different ones.
    Same(TermId, TermId),
    /// The body for all values of variables.
    Every,
    /// The body for some values of variables.
    Any,
    /// Nothing.
    Atom,
}

/// Returns what a formula without negations in front of it says if it has this value.
pub(crate) fn shape(terms: &Terms, formula: TermId, value: bool) -> Shape {
    let parts = |items, value| terms.args(items).iter().map(|&item| (item, value)).collect();
    match (terms.node(formula), value) {
        (Node::And(items), true) => Shape::All(parts(items, true)),
        (Node::Or(items), false) => Shape::All(parts(items, false)),
        (Node::Implies(a, b), false) => Shape::All(vec![(a, true), (b, false)]),
        (Node::And(items), false) => Shape::Some(parts(items, false)),
        (Node::Or(items), true) => Shape::Some(parts(items, true)),
        (Node::Implies(a, b), true) => Shape::Some(vec![(a, false), (b, true)]),
        (Node::True, false) | (Node::False, true) => Shape::Some(Vec::new()),
        (Node::Iff(a, b), _) => Shape::Same(a, b),
        (Node::Forall(..), true) | (Node::Exists(..), false) => Shape::Every,
        (Node::Forall(..), false) | (Node::Exists(..), true) => Shape::Any,
        _ => Shape::Atom,
    }
}

impl Shape {
    /// Returns the parts, with the values that they may have.
    pub(crate) fn parts(self) -> Vec<(TermId, bool)> {
        match self {
            Shape::All(parts) | Shape::Some(parts) => parts,
            Shape::Same(a, b) => vec![(a, true), (a, false), (b, true), (b, false)],
            Shape::Every | Shape::Any | Shape::Atom => Vec::new(),
        }
    }
}
