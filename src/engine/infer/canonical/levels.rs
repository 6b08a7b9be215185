//! How early something can happen: the order in which people declare symbols and transitions, found from the formulas.
//!
//! The level of a relation that is empty at first is the least number of transitions after which it may have a tuple, where
//! only what guards ask for positively counts (as in relaxed planning graphs, Bonet and Geffner, AIJ 2001). Lemmas are
//! mostly about what happens early, and of several that are equally good the one about earlier symbols is the better guess.

use super::Parts;
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Node, Signature, SymId, SymbolKind, TermId, Terms};

/// The level of what never happens.
const NEVER: u32 = u32::MAX;

/// The levels of symbols, and of transitions in the order of the parts.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) symbols: IdVec<SymId, u32>,
    pub(super) steps: Vec<u32>,
}

impl Levels {
    pub(super) fn new(sig: &Signature, parts: &Parts) -> Levels {
        let terms = &parts.terms;
        let empty: Set<SymId> = parts
            .inits
            .iter()
            .flat_map(|it| terms.conjuncts(it.1))
            .filter_map(|it| emptied(terms, it))
            .collect();
        let level = |sym: SymId| match sig.symbols[sym].kind {
            SymbolKind::Mutable if empty.contains(&sym) => NEVER,
            SymbolKind::Immutable => 0,
            _ => 1,
        };
        let mut levels =
            Levels { symbols: sig.symbols.ids().map(level).collect(), steps: vec![NEVER; parts.steps.len()] };
        let needs: Vec<Vec<SymId>> = parts
            .steps
            .iter()
            .map(|step| {
                let mut needed = Vec::new();
                let guards = terms.conjuncts(step.body).into_iter().filter(|&it| terms.max_step(it) == 0);
                guards.for_each(|guard| positive(terms, guard, true, &mut needed));
                needed
            })
            .collect();
        loop {
            let mut is_changed = false;
            for (at, step) in parts.steps.iter().enumerate() {
                let level = needs[at].iter().map(|&sym| levels.symbols[sym]).max().unwrap_or(0).max(1);
                if level < levels.steps[at] {
                    levels.steps[at] = level;
                    is_changed = true;
                }
                for &sym in &step.modifies {
                    if level < NEVER && level + 1 < levels.symbols[sym] {
                        levels.symbols[sym] = level + 1;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                return levels;
            }
        }
    }
}

/// Returns the relation that a formula says is empty.
fn emptied(terms: &Terms, formula: TermId) -> Option<SymId> {
    match terms.node(formula) {
        Node::Forall(_, body) => emptied(terms, body),
        Node::Not(atom) => relation(terms, atom),
        Node::Iff(a, b) => match (terms.node(a), terms.node(b)) {
            (Node::False, _) => relation(terms, b),
            (_, Node::False) => relation(terms, a),
            _ => None,
        },
        _ => None,
    }
}

fn relation(terms: &Terms, atom: TermId) -> Option<SymId> {
    match terms.node(atom) {
        Node::App { sym, .. } => Some(sym),
        _ => None,
    }
}

/// Collects the relations that occur positively in a formula, or negatively unless `wanted`. Of disjunctions, where one part
/// suffices, nothing counts.
fn positive(terms: &Terms, formula: TermId, wanted: bool, found: &mut Vec<SymId>) {
    match terms.node(formula) {
        Node::App { sym, .. } if wanted => found.push(sym),
        Node::Not(a) => positive(terms, a, !wanted, found),
        Node::And(args) if wanted => {
            terms.args(args).iter().for_each(|&part| positive(terms, part, true, found));
        }
        Node::Or(args) if !wanted => {
            terms.args(args).iter().for_each(|&part| positive(terms, part, false, found));
        }
        Node::Implies(a, b) if !wanted => {
            positive(terms, a, true, found);
            positive(terms, b, false, found);
        }
        // For all members of a set, say: without members nothing is needed, but a set seldom has none.
        Node::Implies(_, b) if wanted => positive(terms, b, true, found),
        Node::Forall(_, body) | Node::Exists(_, body) => positive(terms, body, wanted, found),
        _ => {}
    }
}
