//! Whether the checker can evaluate a structure.

use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, Structure, TermId, Terms};

/// Maximum number of steps that evaluation may take in the worst case. The checker allows for more.
const MAX_STEPS: u64 = 1 << 31;

/// Checks whether a structure is small enough to be evaluated against these formulas in the worst case.
pub fn can_be_judged(structure: &Structure, terms: &Terms, hypotheses: &[TermId], goal: TermId) -> bool {
    let mut known = Map::default();
    let work = hypotheses.iter().chain([&goal]).map(|&formula| work(structure, terms, formula, &mut known));
    work.fold(0, u64::saturating_add) <= MAX_STEPS
}

/// Returns the maximum number of steps of an evaluation.
fn work(structure: &Structure, terms: &Terms, term: TermId, known: &mut Map<TermId, u64>) -> u64 {
    if let Some(&work) = known.get(&term) {
        return work;
    }
    let below = terms.children(term).map(|child| work(structure, terms, child, known));
    let mut steps = below.fold(1, u64::saturating_add);
    if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
        for var in terms.bound_vars(vars) {
            steps = steps.saturating_mul(structure.sizes[terms.var_info(var).sort].into());
        }
    }
    known.insert(term, steps);
    steps
}
