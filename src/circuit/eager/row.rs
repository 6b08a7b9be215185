//! What the abstraction knows of the value of a term.

use std::rc::Rc;

use super::fact::{Fact, Input};
use super::order::Comparison;
use super::refusal::Refusal;
use super::state::Builder;
use crate::hwmc::graph::Edge;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{SortId, TermId};

/// The tracked constants that a term may be equal to.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// For each tracked constant, whether it is the first one that the term is equal to. At most one is true.
    pub(super) at: Rc<[Edge]>,
    /// For each tracked constant, whether the term is below it. Empty if the sort has no order.
    pub(super) below: Rc<[Edge]>,
}

/// The value of a formula or a term.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Formula(Edge),
    Term(Row),
}

/// The tracked constants of a sort.
#[derive(Clone, Debug, Default)]
pub(super) struct Domain {
    /// The constants.
    pub(super) constants: Vec<TermId>,
    /// Number of the constants at which the abstraction knows the values of symbols. These come first.
    pub(super) cells: usize,
    /// The place of each.
    pub(super) places: Map<TermId, usize>,
    /// Whether each element of the sort is the value of exactly one of them.
    pub(super) is_finite: bool,
    /// The total order of the sort.
    pub(super) order: Option<Comparison>,
    /// What is known of each constant. Constants may be equal; then the first of them stands for all.
    pub(super) rows: Vec<Row>,
}

impl Domain {
    /// Returns whether a constant is the first one with its value.
    fn is_first(&self, at: usize) -> Edge {
        self.rows[at].at[at]
    }
}

impl Builder<'_> {
    /// Returns the domain of a sort.
    pub(super) fn domain(&self, sort: SortId) -> &Domain {
        &self.domains[sort]
    }

    /// Makes the rows of the constants of a sort, with latches for what is not known of them.
    pub(super) fn constant_rows(&mut self, sort: SortId) {
        let constants = self.domains[sort].constants.clone();
        let count = constants.len();
        let is_finite = self.domains[sort].is_finite;
        let order = self.domains[sort].order;
        let mut at = vec![vec![Edge::FALSE; count]; count];
        let mut below = vec![vec![Edge::FALSE; count]; count];
        for j in 0..count {
            let mut is_known = Edge::FALSE;
            for i in 0..if is_finite { 0 } else { j } {
                at[j][i] = self.latch(Fact::Is(constants[j], constants[i]));
                // Only the first of equal constants stands for them, and only one does.
                let wrong = self.graph.and(at[j][i], !at[i][i]);
                self.constraints.push(!wrong);
                let twice = self.graph.and(at[j][i], is_known);
                self.constraints.push(!twice);
                is_known = self.graph.or(is_known, at[j][i]);
            }
            at[j][j] = !is_known;
            let Some(order) = order else { continue };
            for k in 0..j {
                let equal = self.same(&at[j], &at[k]);
                below[j][k] = match order.least {
                    Some(least) if least == constants[k] => Edge::FALSE,
                    Some(least) if least == constants[j] => !equal,
                    _ => self.latch(Fact::Below(constants[j], constants[k])),
                };
                let neither = self.graph.and(!below[j][k], !equal);
                below[k][j] = neither;
                let both = self.graph.and(below[j][k], equal);
                self.constraints.push(!both);
            }
        }
        if order.is_some() {
            // The order is transitive.
            for i in 0..count {
                for j in (0..count).filter(|&j| j != i) {
                    for k in (0..count).filter(|&k| k != i && k != j) {
                        let chain = self.graph.and(below[i][j], below[j][k]);
                        let broken = self.graph.and(chain, !below[i][k]);
                        self.constraints.push(!broken);
                        let equal = self.same(&at[j], &at[k]);
                        let chain = self.graph.and(below[i][j], equal);
                        let broken = self.graph.and(chain, !below[i][k]);
                        self.constraints.push(!broken);
                        let chain = self.graph.and(below[j][i], equal);
                        let broken = self.graph.and(chain, !below[k][i]);
                        self.constraints.push(!broken);
                    }
                }
            }
        }
        let rows = at.into_iter().zip(below).map(|(at, below)| Row {
            at: at.into(),
            below: if order.is_some() { below.into() } else { Rc::default() },
        });
        self.domains[sort].rows = rows.collect();
    }

    /// Returns whether two terms are equal to one tracked constant.
    pub(super) fn same(&mut self, a: &[Edge], b: &[Edge]) -> Edge {
        let mut either = Edge::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let both = self.graph.and(a, b);
            either = self.graph.or(either, both);
        }
        either
    }

    /// Returns whether a term is equal to some tracked constant.
    pub(super) fn is_known(&mut self, row: &Row) -> Edge {
        row.at.iter().fold(Edge::FALSE, |either, &at| self.graph.or(either, at))
    }

    /// Returns a row of which inputs decide: what is not known of the value of a term in a step.
    pub(super) fn input_row(&mut self, term: TermId) -> Row {
        let sort = self.vocabulary.terms.sort(term);
        let count = self.domains[sort].constants.len();
        let is_finite = self.domains[sort].is_finite;
        let codes = if is_finite { count } else { count + 1 };
        let width = usize::BITS - codes.saturating_sub(1).leading_zeros();
        let bits: Vec<Edge> = (0..width).map(|bit| self.input(Input::Index(term, bit))).collect();
        let mut at = vec![Edge::FALSE; count];
        let mut others = Edge::TRUE;
        for code in 0..count {
            let is_last = is_finite && code + 1 == count;
            let chosen = if is_last { others } else { self.number_is(&bits, code) };
            others = self.graph.and(others, !chosen);
            // A constant that equals an earlier one is represented by that one.
            for (place, edge) in at.iter_mut().enumerate() {
                let equal = self.domains[sort].rows[code].at[place];
                let here = self.graph.and(chosen, equal);
                *edge = self.graph.or(*edge, here);
            }
        }
        let below = self.input_below(term, &at);
        Row { at: at.into(), below }
    }

    /// Returns which tracked constants a term is below, of which inputs decide where it equals none of them: it is below
    /// those above the greatest one that it is above.
    fn input_below(&mut self, term: TermId, at: &[Edge]) -> Rc<[Edge]> {
        let sort = self.vocabulary.terms.sort(term);
        let Some(order) = self.domains[sort].order else { return Rc::default() };
        let rows = self.domains[sort].rows.clone();
        let count = rows.len();
        let least = order.least.and_then(|least| self.domains[sort].places.get(&least).copied());
        let width = usize::BITS - count.leading_zeros();
        let bits: Vec<Edge> = (0..width).map(|bit| self.input(Input::Above(term, bit))).collect();
        let is_known = at.iter().fold(Edge::FALSE, |either, &at| self.graph.or(either, at));
        let mut others = !is_known;
        let mut below = vec![Edge::FALSE; count];
        let places = (0..count).filter(|&place| Some(place) != least);
        let mut add = |builder: &mut Self, place: Option<usize>, here: Edge| {
            for (k, edge) in below.iter_mut().enumerate() {
                let is_below = place.map_or(Edge::TRUE, |place| rows[place].below[k]);
                let here = builder.graph.and(here, is_below);
                *edge = builder.graph.or(*edge, here);
            }
        };
        for place in places {
            let chosen = self.number_is(&bits, place);
            let here = self.graph.and(others, chosen);
            add(self, Some(place), here);
            others = self.graph.and(others, !chosen);
        }
        add(self, least, others);
        for (place, &at) in at.iter().enumerate() {
            add(self, Some(place), at);
        }
        below.into()
    }

    /// Returns a row of latches for a term, and their positions.
    pub(super) fn latch_row(&mut self, term: TermId) -> (Row, Vec<usize>) {
        let sort = self.vocabulary.terms.sort(term);
        let constants = self.domains[sort].constants.clone();
        let first = self.latches.len();
        let at: Vec<Edge> = constants.iter().map(|&constant| self.latch(Fact::Is(term, constant))).collect();
        let below = self.latch_below(term);
        let row = Row { at: at.into(), below };
        let mut is_known = Edge::FALSE;
        for (place, &edge) in row.at.iter().enumerate() {
            let twice = self.graph.and(edge, is_known);
            self.constraints.push(!twice);
            is_known = self.graph.or(is_known, edge);
            let wrong = self.graph.and(edge, !self.domains[sort].is_first(place));
            self.constraints.push(!wrong);
        }
        if self.domains[sort].is_finite {
            self.constraints.push(is_known);
        }
        self.constrain_order(sort, &row);
        (row, (first..self.latches.len()).collect())
    }

    /// Makes latches for the tracked constants that a term is below.
    fn latch_below(&mut self, term: TermId) -> Rc<[Edge]> {
        let sort = self.vocabulary.terms.sort(term);
        let Some(order) = self.domains[sort].order else { return Rc::default() };
        let constants = self.domains[sort].constants.clone();
        let edges = constants.into_iter().map(|constant| {
            // Nothing is below the least element.
            if order.least == Some(constant) { Edge::FALSE } else { self.latch(Fact::Below(term, constant)) }
        });
        edges.collect()
    }

    /// Constrains what is known of the place of a term in the order.
    fn constrain_order(&mut self, sort: SortId, row: &Row) {
        if self.domains[sort].order.is_none() {
            return;
        }
        let rows = self.domains[sort].rows.clone();
        let is_known = self.is_known(row);
        for (i, constant) in rows.iter().enumerate() {
            for (k, &below) in row.below.iter().enumerate() {
                // A term that equals a constant is below what that one is below.
                let agree = self.graph.iff(below, constant.below[k]);
                let wrong = self.graph.and(row.at[i], !agree);
                self.constraints.push(!wrong);
                // What is below a constant is below all that the constant is not above.
                if i != k {
                    let not_above = !rows[k].below[i];
                    let chain = self.graph.and(row.below[i], not_above);
                    let broken = self.graph.and(chain, !below);
                    let broken = self.graph.and(broken, !is_known);
                    self.constraints.push(!broken);
                }
            }
        }
    }

    /// Returns the row `a` if the condition holds and `b` otherwise.
    pub(super) fn choose_row(&mut self, condition: Edge, a: &Row, b: &Row) -> Row {
        let mut list = |a: &[Edge], b: &[Edge]| -> Rc<[Edge]> {
            a.iter().zip(b).map(|(&a, &b)| self.graph.mux(condition, a, b)).collect()
        };
        Row { at: list(&a.at, &b.at), below: list(&a.below, &b.below) }
    }

    /// Returns the value `a` if the condition holds and `b` otherwise.
    pub(super) fn choose(&mut self, condition: Edge, a: &Value, b: &Value) -> Result<Value, Refusal> {
        match (a, b) {
            (&Value::Formula(a), &Value::Formula(b)) => Ok(Value::Formula(self.graph.mux(condition, a, b))),
            (Value::Term(a), Value::Term(b)) => Ok(Value::Term(self.choose_row(condition, a, b))),
            _ => Err(Refusal::Unexpected),
        }
    }

    /// Returns whether bits are those of a number.
    pub(super) fn number_is(&mut self, bits: &[Edge], number: usize) -> Edge {
        let digits = bits.iter().enumerate().map(|(place, &bit)| bit.negated_if(number >> place & 1 == 0));
        let digits: Vec<Edge> = digits.collect();
        self.graph.all(digits)
    }
}
