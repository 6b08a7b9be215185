//! Comparisons in total orders.

use super::refusal::Refusal;
use super::state::Builder;
use crate::hwmc::graph::Edge;
use ramsey_core::logic::{Node, SymId, TermId};

/// The total order of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    /// The relation.
    pub(super) sym: SymId,
    /// Whether it is irreflexive.
    pub(super) is_strict: bool,
    /// The constant that nothing is below.
    pub(super) least: Option<TermId>,
}

impl Builder<'_> {
    /// Returns the value of the order's relation for two terms.
    pub(super) fn compare(&mut self, order: Comparison, a: TermId, b: TermId) -> Result<Edge, Refusal> {
        match order.is_strict {
            true => self.less(order, a, b),
            false => Ok(!self.less(order, b, a)?),
        }
    }

    /// Returns whether the value of one term is strictly below that of another.
    fn less(&mut self, order: Comparison, a: TermId, b: TermId) -> Result<Edge, Refusal> {
        if a == b {
            return Ok(Edge::FALSE);
        }
        if let Some(&edge) = self.comparisons.get(&(a, b)) {
            return Ok(edge);
        }
        for (choice, is_left) in [(a, true), (b, false)] {
            if let Node::Ite(condition, x, y) = self.vocabulary.terms.node(choice) {
                let condition = self.formula(condition)?;
                let [x, y] = [x, y]
                    .map(|side| if is_left { self.less(order, side, b) } else { self.less(order, a, side) });
                let edge = self.graph.mux(condition, x?, y?);
                self.comparisons.insert((a, b), edge);
                return Ok(edge);
            }
        }
        let (x, y) = (self.row(a)?, self.row(b)?);
        let mut is_less = Edge::FALSE;
        let (mut before, mut after) = (Edge::FALSE, Edge::FALSE);
        for place in 0..x.at.len() {
            // The left side is a constant that is below the right one.
            let above = self.graph.and(!y.below[place], !y.at[place]);
            let here = self.graph.and(x.at[place], above);
            is_less = self.graph.or(is_less, here);
            // A constant lies between.
            let between = self.graph.and(x.below[place], !y.below[place]);
            before = self.graph.or(before, between);
            let between = self.graph.and(!x.below[place], y.below[place]);
            after = self.graph.or(after, between);
        }
        let (left, right) = (self.is_known(&x), self.is_known(&y));
        let left_known = self.graph.and(left, is_less);
        // With neither between them, only an input can tell, once for the pair.
        let unknown = {
            let neither_known = self.graph.and(!left, !right);
            let open = self.graph.and(!before, !after);
            let open = self.graph.and(neither_known, open);
            if open == Edge::FALSE { Edge::FALSE } else { self.unknown_less(order, a, b)? }
        };
        let of_order = {
            let open = self.graph.and(!after, !right);
            let open = self.graph.and(open, unknown);
            self.graph.or(before, open)
        };
        let right_known = self.graph.and(!left, of_order);
        let edge = self.graph.or(left_known, right_known);
        self.comparisons.insert((a, b), edge);
        Ok(edge)
    }

    /// Returns whether one term is strictly below another, where both equal no tracked constant. Equal names of them
    /// are one unknown, which is consistent with the other way round and with their equality.
    fn unknown_less(&mut self, order: Comparison, a: TermId, b: TermId) -> Result<Edge, Refusal> {
        let mut either = Edge::FALSE;
        let others = self.names(b)?;
        for (x, a) in self.names(a)? {
            for &(y, b) in &others {
                let both = self.graph.and(x, y);
                if both == Edge::FALSE || a == b {
                    continue;
                }
                let leaf = self.less_leaf(order, a.min(b), a.max(b)).negated_if(a > b);
                let equal = self.equal(a, b)?;
                let less = self.graph.and(leaf, !equal);
                let here = self.graph.and(both, less);
                either = self.graph.or(either, here);
            }
        }
        Ok(either)
    }

    /// Returns the leaf that tells whether one term is strictly below another.
    fn less_leaf(&mut self, order: Comparison, low: TermId, high: TermId) -> Edge {
        let sides = if order.is_strict { [low, high] } else { [high, low] };
        let (sig, terms) = (&self.vocabulary.sig, &mut self.vocabulary.terms);
        let atom = terms.app(sig, order.sym, 0, &sides);
        let fact = if order.is_strict { atom } else { terms.not(atom) };
        self.unknown(fact)
    }
}
