//! Values of formulas and terms.
//!
//! A term is evaluated from the values of its parts. `f(t)` is what the state says of `f(c)` if `t` is equal to the
//! tracked constant `c`, and otherwise an input, which stands for the value of this term in this step.

use super::fact::{Fact, Input};
use super::refusal::Refusal;
use super::row::{Row, Value};
use super::state::Builder;
use crate::hwmc::graph::Edge;
use ramsey_core::logic::{Args, Node, SortId, SymId, SymbolKind, TermId};

/// Maximum number of tuples of tracked constants that the arguments of a symbol are compared with.
const MAX_TUPLES: usize = 4_096;

/// Maximum number of names of a term.
const MAX_NAMES: usize = 3;

/// Tuples of tracked constants that arguments may be equal to, and whether they are equal to one of them in any case.
type Cases = (Vec<Case<Vec<usize>>>, bool);

/// What is the case under a condition.
pub(super) type Case<T> = (Edge, T);

impl Builder<'_> {
    /// Returns the value of a formula.
    pub(super) fn formula(&mut self, formula: TermId) -> Result<Edge, Refusal> {
        if let Some(&edge) = self.formulas.get(&formula) {
            return Ok(edge);
        }
        self.check_size()?;
        let edge = match self.vocabulary.terms.node(formula) {
            Node::True => Edge::TRUE,
            Node::False => Edge::FALSE,
            Node::Var(_) => return Err(Refusal::Unexpected),
            Node::Not(inner) => !self.formula(inner)?,
            Node::And(args) => self.junction(args, false)?,
            Node::Or(args) => self.junction(args, true)?,
            Node::Implies(a, b) => {
                let condition = self.formula(a)?;
                if condition == Edge::FALSE {
                    Edge::TRUE
                } else {
                    let body = self.formula(b)?;
                    self.graph.or(!condition, body)
                }
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.graph.iff(a, b)
            }
            Node::Ite(condition, a, b) => match self.formula(condition)? {
                Edge::TRUE => self.formula(a)?,
                Edge::FALSE => self.formula(b)?,
                condition => {
                    let (a, b) = (self.formula(a)?, self.formula(b)?);
                    self.graph.mux(condition, a, b)
                }
            },
            Node::Eq(a, b) => self.equal(a, b)?,
            Node::Distinct(args) => {
                let args = self.vocabulary.terms.args(args).to_vec();
                let mut all = Edge::TRUE;
                for (at, &a) in args.iter().enumerate() {
                    for &b in &args[at + 1..] {
                        let equal = self.equal(a, b)?;
                        all = self.graph.and(all, !equal);
                    }
                }
                all
            }
            Node::App { sym, step, args } => match self.application(formula, sym, step, args)? {
                Value::Formula(edge) => edge,
                Value::Term(_) => return Err(Refusal::Unexpected),
            },
            Node::Forall(vars, body) => self.quantifier(formula, vars, body, false)?,
            Node::Exists(vars, body) => self.quantifier(formula, vars, body, true)?,
        };
        self.formulas.insert(formula, edge);
        Ok(edge)
    }

    /// Returns what is known of the value of a term.
    pub(super) fn row(&mut self, term: TermId) -> Result<Row, Refusal> {
        if let Some(row) = self.rows.get(&term) {
            return Ok(row.clone());
        }
        self.check_size()?;
        let row = match self.vocabulary.terms.node(term) {
            Node::Ite(condition, a, b) => match self.formula(condition)? {
                Edge::TRUE => self.row(a)?,
                Edge::FALSE => self.row(b)?,
                condition => {
                    let (a, b) = (self.row(a)?, self.row(b)?);
                    self.choose_row(condition, &a, &b)
                }
            },
            Node::App { sym, step, args } => match self.application(term, sym, step, args)? {
                Value::Term(row) => row,
                Value::Formula(_) => return Err(Refusal::Unexpected),
            },
            _ => return Err(Refusal::Unexpected),
        };
        self.rows.insert(term, row.clone());
        Ok(row)
    }

    /// Returns the value of a formula or a term.
    pub(super) fn value(&mut self, term: TermId) -> Result<Value, Refusal> {
        match self.vocabulary.terms.sort(term) {
            SortId::BOOL => self.formula(term).map(Value::Formula),
            _ => self.row(term).map(Value::Term),
        }
    }

    fn junction(&mut self, args: Args, is_or: bool) -> Result<Edge, Refusal> {
        let args = self.vocabulary.terms.args(args).to_vec();
        let neutral = Edge::TRUE.negated_if(is_or);
        // A part that decides the value spares the others.
        let decides = |node: Node| match node {
            Node::True => is_or,
            Node::False => !is_or,
            _ => false,
        };
        if args.iter().any(|&arg| decides(self.vocabulary.terms.node(arg))) {
            return Ok(!neutral);
        }
        let mut all = Edge::TRUE;
        for arg in args {
            let edge = self.formula(arg)?.negated_if(is_or);
            all = self.graph.and(all, edge);
            if all == Edge::FALSE {
                break;
            }
        }
        Ok(all.negated_if(is_or))
    }

    /// Returns whether two terms are equal: known if one of them is a tracked constant, and otherwise an input.
    pub(super) fn equal(&mut self, a: TermId, b: TermId) -> Result<Edge, Refusal> {
        if a == b {
            return Ok(Edge::TRUE);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&edge) = self.equalities.get(&(a, b)) {
            return Ok(edge);
        }
        let sort = self.vocabulary.terms.sort(a);
        if sort == SortId::BOOL {
            let (a, b) = (self.formula(a)?, self.formula(b)?);
            return Ok(self.graph.iff(a, b));
        }
        for (choice, other) in [(a, b), (b, a)] {
            if let Node::Ite(condition, x, y) = self.vocabulary.terms.node(choice) {
                let condition = self.formula(condition)?;
                let (x, y) = (self.equal(x, other)?, self.equal(y, other)?);
                let edge = self.graph.mux(condition, x, y);
                self.equalities.insert((a, b), edge);
                return Ok(edge);
            }
        }
        let (x, y) = (self.row(a)?, self.row(b)?);
        let same = self.same(&x.at, &y.at);
        let (left, right) = (self.is_known(&x), self.is_known(&y));
        let either_known = self.graph.or(left, right);
        let edge = if self.domain(sort).is_finite || either_known == Edge::TRUE {
            same
        } else {
            // Equal terms are below the same constants.
            let unknown = self.unknown_equality(a, b)?;
            let mut unknown = self.graph.and(!either_known, unknown);
            for (&x, &y) in x.below.iter().zip(y.below.iter()) {
                let agree = self.graph.iff(x, y);
                unknown = self.graph.and(unknown, agree);
            }
            self.graph.or(same, unknown)
        };
        self.equalities.insert((a, b), edge);
        Ok(edge)
    }

    /// Returns whether two terms are equal that equal no tracked constant. Equal names of them are one unknown.
    fn unknown_equality(&mut self, a: TermId, b: TermId) -> Result<Edge, Refusal> {
        let mut either = Edge::FALSE;
        let others = self.names(b)?;
        for (x, a) in self.names(a)? {
            for &(y, b) in &others {
                let both = self.graph.and(x, y);
                if both == Edge::FALSE {
                    continue;
                }
                let equal = if a == b {
                    Edge::TRUE
                } else {
                    let atom = self.vocabulary.terms.eq(a.min(b), a.max(b));
                    self.unknown(atom)
                };
                let here = self.graph.and(both, equal);
                either = self.graph.or(either, here);
            }
        }
        Ok(either)
    }

    /// Returns terms with the same value as this one, each with a condition, one of which holds: with tracked constants
    /// for arguments that are equal to them.
    pub(super) fn names(&mut self, term: TermId) -> Result<Vec<Case<TermId>>, Refusal> {
        let Node::App { sym, step, args } = self.vocabulary.terms.node(term) else {
            return Ok(vec![(Edge::TRUE, term)]);
        };
        let args = self.vocabulary.terms.args(args).to_vec();
        if args.is_empty() || step > 1 {
            return Ok(vec![(Edge::TRUE, term)]);
        }
        let found = self.cases(&args)?.filter(|(cases, _)| cases.len() <= MAX_NAMES);
        let Some((cases, _)) = found else { return Ok(vec![(Edge::TRUE, term)]) };
        let mut others = Edge::TRUE;
        let mut names = Vec::new();
        for (condition, tuple) in cases {
            others = self.graph.and(others, !condition);
            names.push((condition, self.term_at(&(sym, tuple), step)));
        }
        if others != Edge::FALSE {
            names.push((others, term));
        }
        Ok(names)
    }

    /// Returns a leaf for a formula of which nothing is known: a latch if no step changes it.
    pub(super) fn unknown(&mut self, formula: TermId) -> Edge {
        if let Some(&leaf) = self.unknowns.get(&formula) {
            return leaf;
        }
        let leaf = if self.vocabulary.is_immutable(formula) {
            self.latch(Fact::Truth(formula))
        } else {
            self.input(Input::Fact(Fact::Truth(formula)))
        };
        self.unknowns.insert(formula, leaf);
        leaf
    }

    /// Returns a value of which nothing is known.
    pub(super) fn unknown_value(&mut self, term: TermId) -> Value {
        match self.vocabulary.terms.sort(term) {
            SortId::BOOL => Value::Formula(self.unknown(term)),
            _ if self.vocabulary.is_immutable(term) => Value::Term(self.latch_row(term).0),
            _ => Value::Term(self.input_row(term)),
        }
    }

    fn application(&mut self, term: TermId, sym: SymId, step: u16, args: Args) -> Result<Value, Refusal> {
        if step > 1 {
            return Err(Refusal::Unexpected);
        }
        let args = self.vocabulary.terms.args(args).to_vec();
        if let Some(constant) = self.tracked_row(term) {
            return Ok(Value::Term(constant));
        }
        if self.vocabulary.fixed.contains(&sym)
            && let Some((vars, value)) = self.vocabulary.definitions.get(&sym)
        {
            let map = vars.iter().copied().zip(args).collect();
            let value = self.vocabulary.terms.substitute(*value, &map);
            return self.value(value);
        }
        let kind = self.vocabulary.sig.symbols[sym].kind;
        if matches!(kind, SymbolKind::Parameter | SymbolKind::Choice) {
            return Ok(self.unknown_value(term));
        }
        // What a choice of arguments leads to is told separately.
        for (place, &arg) in args.iter().enumerate() {
            if let Node::Ite(condition, a, b) = self.vocabulary.terms.node(arg) {
                let condition = self.formula(condition)?;
                let mut sides = Vec::new();
                for side in [a, b] {
                    let mut args = args.clone();
                    args[place] = side;
                    let term = self.vocabulary.terms.app(&self.vocabulary.sig, sym, step, &args);
                    sides.push(self.value(term)?);
                }
                return self.choose(condition, &sides[0], &sides[1]);
            }
        }
        if let &[a, b] = args.as_slice()
            && let Some(order) = self.domain(self.vocabulary.terms.sort(a)).order
            && order.sym == sym
        {
            return self.compare(order, a, b).map(Value::Formula);
        }
        let Some((cases, is_complete)) = self.cases(&args)? else { return Ok(self.unknown_value(term)) };
        let mut value = if is_complete { None } else { Some(self.unknown_value(term)) };
        for (condition, tuple) in cases {
            let here = self.at(sym, step, &tuple)?;
            value = Some(match value {
                None => here,
                Some(others) => self.choose(condition, &here, &others)?,
            });
        }
        value.ok_or(Refusal::Unexpected)
    }

    /// Returns the tuples of constants with known values that arguments may be equal to, and whether they are equal to one of
    /// them in any case. Returns `None` if there are too many.
    fn cases(&mut self, args: &[TermId]) -> Result<Option<Cases>, Refusal> {
        let mut cases = vec![(Edge::TRUE, Vec::new())];
        let mut is_complete = true;
        for &arg in args {
            let row = self.row(arg)?;
            let cells = self.domain_of(arg).cells;
            let is_cell =
                row.at.iter().take(cells).fold(Edge::FALSE, |either, &at| self.graph.or(either, at));
            is_complete &= is_cell == Edge::TRUE || self.domain_of(arg).is_finite;
            let mut longer = Vec::new();
            for (condition, tuple) in cases {
                for (place, &at) in row.at.iter().enumerate().take(cells) {
                    let condition = self.graph.and(condition, at);
                    if condition != Edge::FALSE {
                        let mut tuple = tuple.clone();
                        tuple.push(place);
                        longer.push((condition, tuple));
                    }
                }
                if longer.len() > MAX_TUPLES {
                    return Ok(None);
                }
            }
            cases = longer;
        }
        // The first of the tuples comes last, as the value where no other one applies.
        cases.reverse();
        Ok(Some((cases, is_complete)))
    }
}
