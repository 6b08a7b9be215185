//! `fragment`: which obligations lie in stratified EPR.

use crate::logic::{Cause, SortGraph, SortId, Terms};
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

/// One edge of a cycle among sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CycleEdge {
    /// Terms of this sort ..
    pub from: SortId,
    /// .. make terms of this sort, ..
    pub to: SortId,
    /// .. by this.
    pub cause: Cause,
    /// In which formula.
    pub origin: EdgeOrigin,
}

/// What is known of one obligation.
#[derive(Clone, Debug)]
pub struct Membership {
    /// The obligation.
    pub origin: Origin,
    /// A shortest cycle; `None` if the obligation lies in the fragment.
    pub cycle: Option<Vec<CycleEdge>>,
}

/// The analysis of all obligations of a system.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// The arena of the variables that cycles mention.
    pub terms: Terms,
    /// In the order of the obligations.
    pub memberships: Vec<Membership>,
}

impl Fragment {
    /// Analyses every obligation in the form that search decides it in: updates substituted,
    /// quantifiers miniscoped.
    pub fn new(system: &System, obligations: &Obligations) -> Fragment {
        let mut terms = obligations.terms.clone();
        let mut memberships = Vec::new();
        for group in &obligations.groups {
            let lean = Lean::new(system, obligations, &mut terms, group);
            let mut shared = SortGraph::new();
            for (index, &(formula, _)) in lean.hypotheses.iter().enumerate() {
                shared.add(&obligations.sig, &mut terms, formula, true, index);
            }
            for (goal, &formula) in group.goals.iter().zip(&lean.goals) {
                let mut graph = shared.clone();
                graph.add(&obligations.sig, &mut terms, formula, false, lean.hypotheses.len());
                let cycle = graph.cycle().map(|edges| {
                    let origin = |index: usize| {
                        let hypothesis = lean.hypotheses.get(index);
                        hypothesis.map_or(EdgeOrigin::Claim, |&(_, origin)| EdgeOrigin::Hypothesis(origin))
                    };
                    edges
                        .into_iter()
                        .map(|edge| CycleEdge {
                            from: edge.from,
                            to: edge.to,
                            cause: edge.cause,
                            origin: origin(edge.formula),
                        })
                        .collect()
                });
                memberships.push(Membership { origin: goal.origin, cycle });
            }
        }
        Fragment { terms, memberships }
    }
}
