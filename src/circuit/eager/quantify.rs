//! Quantifiers by their instances over named terms.
//!
//! A quantified formula is an input that stands for its truth, together with instances: where it is true universally,
//! so are these. This is equivalent for every choice of instances, since the input is itself the truth of the
//! formula. Over sorts with finitely many elements all instances are there, and no input is needed.

use super::refusal::Refusal;
use super::state::Builder;
use crate::hwmc::graph::Edge;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Args, Node, SortId, TermId, VarId};

/// Maximum number of instances of one formula.
const MAX_INSTANCES: usize = 2_000;

impl Builder<'_> {
    /// Returns the value of a quantified formula.
    pub(super) fn quantifier(
        &mut self,
        formula: TermId,
        vars: Args,
        body: TermId,
        is_exists: bool,
    ) -> Result<Edge, Refusal> {
        let (instances, is_complete) = self.instances(vars, body);
        let mut all = if is_complete { Edge::TRUE } else { self.unknown(formula).negated_if(is_exists) };
        for instance in instances {
            let edge = self.formula(instance)?.negated_if(is_exists);
            all = self.graph.and(all, edge);
        }
        Ok(all.negated_if(is_exists))
    }

    /// Lists what a formula that is true implies: its conjuncts, and for universal ones their instances.
    pub(super) fn consequences(&mut self, formula: TermId, edges: &mut Vec<Edge>) -> Result<(), Refusal> {
        match self.vocabulary.terms.node(formula) {
            Node::And(args) => {
                for part in self.vocabulary.terms.args(args).to_vec() {
                    self.consequences(part, edges)?;
                }
            }
            Node::Forall(vars, body) => {
                for instance in self.instances(vars, body).0 {
                    self.consequences(instance, edges)?;
                }
            }
            _ => edges.push(self.formula(formula)?),
        }
        Ok(())
    }

    /// Returns instances of the body of a quantified formula, and whether these are all.
    fn instances(&mut self, vars: Args, body: TermId) -> (Vec<TermId>, bool) {
        let terms = &self.vocabulary.terms;
        let vars: Vec<VarId> = terms.bound_vars(vars).collect();
        let sorts: Vec<SortId> = vars.iter().map(|&var| terms.var_info(var).sort).collect();
        let is_complete = sorts.iter().all(|&sort| sort == SortId::BOOL || self.domain(sort).is_finite);
        let named: Vec<Vec<TermId>> = sorts.iter().map(|&sort| self.named(sort).to_vec()).collect();
        let tracked: Vec<Vec<TermId>> = sorts.iter().map(|&sort| self.tracked(sort)).collect();
        let count = |lists: &[Vec<TermId>]| {
            lists.iter().fold(1_usize, |count, list| count.saturating_mul(list.len()))
        };
        // Where there are too many named terms, tracked constants come first.
        let values = match [named, tracked].into_iter().find(|lists| count(lists) <= MAX_INSTANCES) {
            Some(values) => values,
            None => return (Vec::new(), false),
        };
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for list in values {
            let longer = tuples.iter().flat_map(|tuple| {
                list.iter().map(move |&value| tuple.iter().copied().chain([value]).collect::<Vec<TermId>>())
            });
            tuples = longer.collect();
        }
        let instances = tuples.into_iter().map(|tuple| {
            let map: Map<VarId, TermId> = vars.iter().copied().zip(tuple).collect();
            self.vocabulary.terms.substitute(body, &map)
        });
        (instances.collect(), is_complete)
    }
}
