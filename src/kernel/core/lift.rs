//! Choices between terms, as choices between formulas.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SortId, TermId, Terms};

/// Number of nodes of the smallest atom with an `if` below it.
const SMALLEST: u32 = 5;

/// Returns an atom with its first outermost `if` as a choice between two atoms; `None` if it has none.
pub fn lifted(terms: &mut Terms, atom: TermId) -> Option<TermId> {
    let is_atom = matches!(terms.node(atom), Node::Eq(..))
        || matches!(terms.node(atom), Node::App { .. }) && terms.sort(atom) == SortId::BOOL;
    let may_have = is_atom && terms.tree_size(atom) >= SMALLEST;
    let choice = may_have.then(|| outermost_if(terms, atom, &mut Set::default())).flatten()?;
    let Node::Ite(condition, a, b) = terms.node(choice) else { return None };
    let [a, b] = [a, b].map(|value| replace(terms, atom, choice, value, &mut Map::default()));
    Some(terms.ite(condition, a, b))
}

/// Returns the first outermost `if` among the arguments of an atom.
///
/// Conditions are not searched, because they may contain variables that they bind. Terms that were `seen` have none.
fn outermost_if(terms: &Terms, term: TermId, seen: &mut Set<TermId>) -> Option<TermId> {
    if !matches!(terms.node(term), Node::App { .. } | Node::Eq(..)) || !seen.insert(term) {
        return None;
    }
    terms.children(term).find_map(|child| match terms.node(child) {
        Node::Ite(..) => Some(child),
        _ => outermost_if(terms, child, seen),
    })
}

/// Replaces an `if` among the arguments, directly or below other functions, whatever its bound variables are called.
fn replace(
    terms: &mut Terms,
    within: TermId,
    what: TermId,
    by: TermId,
    done: &mut Map<TermId, TermId>,
) -> TermId {
    if let Some(&known) = done.get(&within) {
        return known;
    }
    match terms.node(within) {
        Node::Ite(..) if terms.alpha_equal(within, what) => return by,
        Node::App { .. } | Node::Eq(..) => {}
        _ => return within,
    }
    let children: Vec<TermId> = terms.children(within).collect();
    let children: Vec<TermId> =
        children.into_iter().map(|child| replace(terms, child, what, by, done)).collect();
    let replaced = terms.rebuild(within, &children);
    done.insert(within, replaced);
    replaced
}
