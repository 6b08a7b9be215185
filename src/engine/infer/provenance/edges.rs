//! Which formulas leave questions where they are: within stratified EPR, as far as they were.

use super::Alternatives;
use crate::infer::exists::{first_order, is_reached};
use crate::infer::prover::Prover;
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{SortId, TermId};

/// Returns the first of each of some alternatives whose formulas may be assumed together with the properties in every step, so that the sorts are
/// on no cycles but those that are there without them. Nothing depends in them on the sort of which lemmas are the likeliest to have witnesses: with
/// these they would leave the fragment.
pub(in crate::infer) fn within_edges(
    prover: &Prover,
    formulas: &[Alternatives],
    properties: &[TermId],
) -> Vec<TermId> {
    let (mut kept, mut known): (Vec<TermId>, Set<TermId>) = Default::default();
    let mut edges = prover.step_edges(properties);
    let last = first_order(prover, properties).last().copied();
    for alternatives in formulas {
        for together in alternatives {
            let count = kept.len();
            kept.extend(together.iter().filter(|formula| !known.contains(formula)));
            let more = prover.step_edges_with(&kept, properties);
            let is_new = |edge: &&(SortId, SortId)| !edges.contains(edge);
            let is_harmless =
                |&(from, to): &(SortId, SortId)| Some(from) != last && !is_reached(&more, to, from);
            if more.iter().filter(is_new).all(is_harmless) {
                known.extend(together);
                edges = more;
                break;
            }
            kept.truncate(count);
        }
    }
    kept
}
