//! `fragment`: which obligations lie in stratified EPR.
//!
//! Obligations are analysed in the form that search decides them in: updates substituted, quantifiers
//! miniscoped.

use crate::base::span::Span;
use crate::logic::{Cause, Edge, Normalizer, SortGraph, SortId, SymId, TermId, Terms};
use crate::system::System;
use crate::vc::{HypothesisOrigin, Lean, Obligations, Origin};

/// Where an edge of a cycle comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeOrigin {
    /// A hypothesis of the obligation.
    Hypothesis(HypothesisOrigin),
    /// The negated claim itself.
    Claim,
}

/// Why terms of one sort make terms of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeCause {
    /// A function of the model.
    Function(SymId),
    /// For every value of one variable there is one of another.
    Alternation {
        /// Name of the universal variable.
        universal: String,
        /// Name of the existential variable.
        existential: String,
        /// Where the existential variable is bound, if a source binds it.
        span: Option<Span>,
    },
}

/// One edge of a cycle among sorts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CycleEdge {
    /// Terms of this sort ..
    pub from: SortId,
    /// .. make terms of this sort, ..
    pub to: SortId,
    /// .. by this.
    pub cause: EdgeCause,
    /// In which formula.
    pub origin: EdgeOrigin,
}

impl CycleEdge {
    fn new(terms: &Terms, edge: Edge, lean: &Lean) -> CycleEdge {
        let cause = match edge.cause {
            Cause::Function(sym) => EdgeCause::Function(sym),
            Cause::Alternation(universal, existential) => EdgeCause::Alternation {
                universal: terms.var_info(universal).name.clone(),
                existential: terms.var_info(existential).name.clone(),
                span: terms.var_info(existential).span,
            },
        };
        let origin = match lean.hypotheses.get(edge.formula) {
            Some(&(_, origin)) => EdgeOrigin::Hypothesis(origin),
            None => EdgeOrigin::Claim,
        };
        CycleEdge { from: edge.from, to: edge.to, cause, origin }
    }
}

/// A cycle among sorts that takes an obligation out of the fragment; each edge begins where the one before ends.
pub type Cycle = Vec<CycleEdge>;

/// Reads the graph of a group of obligations, one obligation at a time.
pub(super) struct Reader {
    hypotheses: SortGraph,
}

impl Reader {
    /// `normal` gives the normal form of a hypothesis.
    pub(super) fn new(
        obligations: &Obligations,
        lean: &Lean,
        mut normal: impl FnMut(TermId, &mut dyn FnMut(&Terms, TermId)),
    ) -> Reader {
        let mut hypotheses = SortGraph::new();
        for (index, &(formula, _)) in lean.hypotheses.iter().enumerate() {
            normal(formula, &mut |terms, formula| hypotheses.add(&obligations.sig, terms, formula, index));
        }
        Reader { hypotheses }
    }

    /// The cycle of the obligation whose negated goal has this normal form, if there is one.
    pub(super) fn cycle(
        &self,
        obligations: &Obligations,
        terms: &Terms,
        lean: &Lean,
        negated: TermId,
    ) -> Option<Cycle> {
        let mut graph = self.hypotheses.clone();
        graph.add(&obligations.sig, terms, negated, lean.hypotheses.len());
        let cycle = graph.cycle()?;
        Some(cycle.into_iter().map(|edge| CycleEdge::new(terms, edge, lean)).collect())
    }
}

/// For each obligation, in order: a shortest cycle, or `None` if it lies in the fragment.
pub fn fragment(system: &System, obligations: &Obligations) -> Vec<(Origin, Option<Cycle>)> {
    let mut terms = obligations.terms.clone();
    let mut normalizer = Normalizer::default();
    let mut result = Vec::new();
    for group in &obligations.groups {
        let lean = Lean::new(system, obligations, &mut terms, group);
        let reader = Reader::new(obligations, &lean, |formula, read| {
            let normal = normalizer.of(&mut terms, formula, true);
            read(&terms, normal);
        });
        for (goal, &formula) in group.goals.iter().zip(&lean.goals) {
            let negated = normalizer.of(&mut terms, formula, false);
            result.push((goal.origin, reader.cycle(obligations, &terms, &lean, negated)));
        }
    }
    result
}
