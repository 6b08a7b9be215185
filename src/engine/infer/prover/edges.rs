//! Which sorts depend on which in questions: what decides whether they are in the decidable fragment.

use super::Prover;
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{SortId, TermId};
use ramsey_solver::formulas::{Normalizer, SortGraph};

impl Prover {
    /// Returns the pairs of sorts such that a value of the first requires one of the second: arguments and values of
    /// functions, and quantifier alternations in axioms, initial conditions, transitions and properties.
    pub(in crate::infer) fn sort_edges(&self, properties: &[TermId]) -> Set<(SortId, SortId)> {
        let steps = self.steps.iter().map(|step| step.plain);
        self.edges(self.init_conditions.iter().copied().chain(steps), properties)
    }

    /// Returns the same pairs without those that stem from initial conditions alone, which meet no lemma but the one that is asked
    /// about, negated.
    pub(in crate::infer) fn step_edges(&self, properties: &[TermId]) -> Set<(SortId, SortId)> {
        self.step_edges_with(&[], properties)
    }

    /// Returns the pairs of steps, and those of formulas that are assumed in all of them.
    pub(in crate::infer) fn step_edges_with(
        &self,
        formulas: &[TermId],
        properties: &[TermId],
    ) -> Set<(SortId, SortId)> {
        let steps = self.steps.iter().map(|step| step.plain);
        self.edges(steps.chain(formulas.iter().copied()), properties)
    }

    /// Returns the pairs that stem from axioms and properties.
    pub(in crate::infer) fn lasting_edges(&self, properties: &[TermId]) -> Set<(SortId, SortId)> {
        self.edges(std::iter::empty(), properties)
    }

    fn edges(&self, others: impl Iterator<Item = TermId>, properties: &[TermId]) -> Set<(SortId, SortId)> {
        let mut terms = self.terms.clone();
        let mut graph = SortGraph::new();
        let mut normalizer = Normalizer::default();
        let asserted = self.state_conditions.iter().copied().chain(others).map(|formula| (formula, true));
        let both = properties.iter().flat_map(|&formula| [(formula, true), (formula, false)]);
        for (at, (formula, is_positive)) in asserted.chain(both).collect::<Vec<_>>().into_iter().enumerate() {
            let normal = normalizer.of(&mut terms, formula, is_positive);
            graph.add(terms.over(&self.sig), normal, at);
        }
        graph.pairs().clone()
    }
}
