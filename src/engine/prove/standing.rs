//! Formulas as closed forms have them.

use super::normal::TooLarge;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, SortId, TermId, Terms};
use ramsey_kernel::core::{both_branches, distinct_pairs, lifted};

/// Maximum number of new terms for one formula.
const MAX_TERMS: usize = 4_000_000;

/// Returns a formula in which choices between terms are choices between formulas, as in the closed form. That is to be so before
/// variables have values: with these two choices may be the same, which they are not in the closed form.
///
/// # Errors
/// Returns an error if the formula becomes too large.
pub(crate) fn without_choices(terms: &mut Terms, formula: TermId) -> Result<TermId, TooLarge> {
    let most = terms.len() + MAX_TERMS;
    without_choices_in(terms, formula, most, &mut Map::default())
}

/// `most` is the number of terms that the arena may have.
fn without_choices_in(
    terms: &mut Terms,
    formula: TermId,
    most: usize,
    done: &mut Map<TermId, TermId>,
) -> Result<TermId, TooLarge> {
    if let Some(&known) = done.get(&formula) {
        return Ok(known);
    }
    if terms.len() > most {
        return Err(TooLarge);
    }
    let choice = lifted(terms, formula);
    let result = match (choice, terms.node(formula)) {
        (None, Node::App { .. } | Node::Eq(..)) => formula,
        (None, Node::Distinct(items)) => {
            let items = terms.args(items).to_vec();
            let pairs = distinct_pairs(terms, &items);
            let changed = without_choices_in(terms, pairs, most, done)?;
            if changed == pairs { formula } else { changed }
        }
        _ => {
            let whole = choice.unwrap_or(formula);
            let children: Vec<TermId> = terms.children(whole).collect();
            let changed = children.iter().map(|&child| without_choices_in(terms, child, most, done));
            let changed: Vec<TermId> = changed.collect::<Result<_, _>>()?;
            if changed == children { whole } else { terms.rebuild(whole, &changed) }
        }
    };
    done.insert(formula, result);
    Ok(result)
}

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
