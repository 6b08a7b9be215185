//! Formulas as edges of a graph: quantifiers expanded over the elements, equal parts shared.

use std::rc::Rc;

use super::definitions::Definitions;
use super::layout::{Sizes, Table, Value, any, check_size, rank, tuples};
use super::refusal::Stop;
use crate::hwmc::graph::{Edge, Graph};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Args, Elem, Node, SortId, SymId, Syntax, TermId, VarId};

/// The values of symbols in a state.
pub(super) type World = IdVec<SymId, Option<Table>>;

/// A variable without a value.
const UNBOUND: Elem = Elem::MAX;

/// Expands formulas over two states.
pub(super) struct Expander<'a> {
    pub(super) syntax: Syntax<'a>,
    pub(super) sizes: &'a Sizes,
    pub(super) definitions: &'a Definitions,
    pub(super) graph: Graph,
    pub(super) budget: &'a mut Budget,
    max_nodes: usize,
    /// Values of symbols at steps 0 and 1. Immutable symbols are at step 0 alone.
    worlds: [World; 2],
    env: Vec<Elem>,
    free: Map<TermId, Rc<[VarId]>>,
    /// Values of terms under the values of their free variables: those of step 0 alone, and others.
    memos: [Map<Box<[u32]>, Value>; 2],
}

impl<'a> Expander<'a> {
    /// Creates an expander without values of symbols.
    pub(super) fn new(
        syntax: Syntax<'a>,
        sizes: &'a Sizes,
        definitions: &'a Definitions,
        max_nodes: usize,
        budget: &'a mut Budget,
    ) -> Expander<'a> {
        let world: World = IdVec::filled(syntax.sig.symbols.len(), None);
        Expander {
            syntax,
            sizes,
            definitions,
            graph: Graph::new(),
            budget,
            max_nodes,
            worlds: [world.clone(), world],
            env: vec![UNBOUND; syntax.terms.var_count()],
            free: Map::default(),
            memos: [Map::default(), Map::default()],
        }
    }

    /// Returns the values of a symbol at a step.
    pub(super) fn table(&self, step: usize, sym: SymId) -> Option<&Table> {
        self.worlds.get(step)?.get(sym)?.as_ref()
    }

    /// Sets the values of a symbol at step 0, for all that is expanded later.
    pub(super) fn set_now(&mut self, sym: SymId, table: Table) {
        self.worlds[0][sym] = Some(table);
    }

    /// Sets the values at step 1 instead of all earlier ones.
    pub(super) fn set_next(&mut self, world: World) {
        self.worlds[1] = world;
        self.memos[1].clear();
    }

    /// Returns a formula at these steps: its step 0 is `base`.
    ///
    /// # Errors
    /// Returns why the expansion stopped.
    pub(super) fn formula(&mut self, formula: TermId, base: u16) -> Result<Edge, Stop> {
        match self.value(formula, base)? {
            Value::Formula(edge) => Ok(edge),
            Value::Term(_) => Err(Stop::Unexpected),
        }
    }

    /// Returns a term of step 0 for these values of variables.
    ///
    /// # Errors
    /// Returns why the expansion stopped.
    pub(super) fn value_at(&mut self, term: TermId, vars: &[VarId], args: &[Elem]) -> Result<Value, Stop> {
        self.with(vars, args, |this| this.value(term, 0))
    }

    /// Returns the value of a symbol at a tuple.
    ///
    /// # Errors
    /// Returns why the expansion stopped.
    pub(super) fn lookup(&mut self, sym: SymId, at: u16, args: &[Elem]) -> Result<Value, Stop> {
        let definitions = self.definitions;
        if let Some(definition) = definitions.get(sym) {
            return self.with(&definition.vars, args, |this| this.value(definition.value, at));
        }
        let symbol = &self.syntax.sig.symbols[sym];
        let at = if symbol.kind.is_mutable() { usize::from(at) } else { 0 };
        let table = self.table(at, sym).ok_or(Stop::Unexpected)?;
        table.get(rank(self.sizes, &symbol.args, args)).cloned().ok_or(Stop::Unexpected)
    }

    /// Runs `run` with values of variables.
    fn with<T>(&mut self, vars: &[VarId], args: &[Elem], run: impl FnOnce(&mut Self) -> T) -> T {
        let saved: Vec<Elem> = vars.iter().map(|var| self.env[var.index()]).collect();
        for (var, &arg) in vars.iter().zip(args) {
            self.env[var.index()] = arg;
        }
        let result = run(self);
        for (var, saved) in vars.iter().zip(saved) {
            self.env[var.index()] = saved;
        }
        result
    }

    fn free_vars(&mut self, term: TermId) -> Rc<[VarId]> {
        if let Some(known) = self.free.get(&term) {
            return Rc::clone(known);
        }
        let terms = self.syntax.terms;
        let mut vars: Vec<VarId> = Vec::new();
        match terms.node(term) {
            Node::Var(var) => vars.push(var),
            Node::Forall(bound, body) | Node::Exists(bound, body) => {
                let bound: Vec<VarId> = terms.bound_vars(bound).collect();
                let below = self.free_vars(body);
                vars.extend(below.iter().copied().filter(|var| !bound.contains(var)));
            }
            _ => {
                for child in terms.children(term) {
                    vars.extend(self.free_vars(child).iter().copied());
                }
            }
        }
        vars.sort_unstable();
        vars.dedup();
        let vars: Rc<[VarId]> = vars.into();
        self.free.insert(term, Rc::clone(&vars));
        vars
    }

    fn value(&mut self, term: TermId, base: u16) -> Result<Value, Stop> {
        match self.syntax.terms.node(term) {
            Node::True => return Ok(Value::Formula(Edge::TRUE)),
            Node::False => return Ok(Value::Formula(Edge::FALSE)),
            Node::Var(var) => return self.variable(var),
            _ => {}
        }
        let mut key = vec![term.index() as u32, base.into()];
        let free = self.free_vars(term);
        key.extend(free.iter().map(|var| self.env[var.index()]));
        let memo = usize::from(base > 0 || self.syntax.terms.max_step(term) > 0);
        if let Some(known) = self.memos[memo].get(key.as_slice()) {
            return Ok(known.clone());
        }
        self.budget.spend(1)?;
        check_size(&self.graph, self.max_nodes)?;
        if self.memos[memo].len() > self.max_nodes {
            return Err(Stop::TooLarge);
        }
        let value = self.expand(term, base)?;
        self.memos[memo].insert(key.into(), value.clone());
        Ok(value)
    }

    fn variable(&self, var: VarId) -> Result<Value, Stop> {
        let value = self.env[var.index()];
        let sort = self.syntax.terms.var_info(var).sort;
        if value >= self.sizes[sort] {
            return Err(Stop::Unexpected);
        }
        Ok(match sort {
            SortId::BOOL => Value::Formula(Edge::FALSE.negated_if(value != 0)),
            _ => Value::Term((0..self.sizes[sort]).map(|at| Edge::FALSE.negated_if(at == value)).collect()),
        })
    }

    fn expand(&mut self, term: TermId, base: u16) -> Result<Value, Stop> {
        let terms = self.syntax.terms;
        let edge = match terms.node(term) {
            Node::True | Node::False | Node::Var(_) => return Err(Stop::Unexpected),
            Node::App { sym, step, args } => return self.application(sym, step + base, args, base),
            Node::Eq(a, b) | Node::Iff(a, b) => {
                let (a, b) = (self.value(a, base)?, self.value(b, base)?);
                self.equal(&a, &b)?
            }
            Node::Distinct(args) => {
                let mut values = Vec::new();
                for &arg in terms.args(args) {
                    values.push(self.value(arg, base)?);
                }
                let mut all = Edge::TRUE;
                for (at, a) in values.iter().enumerate() {
                    for b in &values[at + 1..] {
                        let equal = self.equal(a, b)?;
                        all = self.graph.and(all, !equal);
                    }
                }
                all
            }
            Node::Not(a) => !self.formula(a, base)?,
            Node::And(args) => self.junction(args, base, false)?,
            Node::Or(args) => self.junction(args, base, true)?,
            Node::Implies(a, b) => {
                let a = self.formula(a, base)?;
                if a == Edge::FALSE {
                    return Ok(Value::Formula(Edge::TRUE));
                }
                let b = self.formula(b, base)?;
                self.graph.or(!a, b)
            }
            Node::Ite(condition, a, b) => {
                let condition = self.formula(condition, base)?;
                return match condition {
                    Edge::TRUE => self.value(a, base),
                    Edge::FALSE => self.value(b, base),
                    _ => {
                        let (a, b) = (self.value(a, base)?, self.value(b, base)?);
                        self.choose(condition, &a, &b)
                    }
                };
            }
            Node::Forall(vars, body) => self.quantifier(vars, body, base, false)?,
            Node::Exists(vars, body) => self.quantifier(vars, body, base, true)?,
        };
        Ok(Value::Formula(edge))
    }

    /// Returns the disjunction of the formulas, or their conjunction.
    fn junction(&mut self, args: Args, base: u16, is_or: bool) -> Result<Edge, Stop> {
        let mut all = Edge::TRUE;
        for &arg in self.syntax.terms.args(args) {
            let edge = self.formula(arg, base)?.negated_if(is_or);
            all = self.graph.and(all, edge);
            if all == Edge::FALSE {
                break;
            }
        }
        Ok(all.negated_if(is_or))
    }

    fn quantifier(&mut self, vars: Args, body: TermId, base: u16, is_exists: bool) -> Result<Edge, Stop> {
        let terms = self.syntax.terms;
        let vars: Vec<VarId> = terms.bound_vars(vars).collect();
        let sorts: Vec<SortId> = vars.iter().map(|&var| terms.var_info(var).sort).collect();
        let mut all = Edge::TRUE;
        for args in tuples(self.sizes, &sorts) {
            self.budget.spend(1)?;
            let edge = self.with(&vars, &args, |this| this.formula(body, base))?;
            all = self.graph.and(all, edge.negated_if(is_exists));
            if all == Edge::FALSE {
                break;
            }
        }
        Ok(all.negated_if(is_exists))
    }

    fn application(&mut self, sym: SymId, at: u16, args: Args, base: u16) -> Result<Value, Stop> {
        if at > 1 {
            return Err(Stop::Unexpected);
        }
        let mut rows = Vec::new();
        for &arg in self.syntax.terms.args(args) {
            match self.value(arg, base)? {
                Value::Term(row) => rows.push(row),
                Value::Formula(_) => return Err(Stop::Unexpected),
            }
        }
        let mut cases = Vec::new();
        self.cases(&rows, &mut Vec::new(), Edge::TRUE, &mut cases)?;
        if let [(Edge::TRUE, args)] = cases.as_slice() {
            return self.lookup(sym, at, args);
        }
        let result = self.syntax.sig.symbols[sym].result;
        if result == SortId::BOOL {
            let mut either = Edge::FALSE;
            for (condition, args) in cases {
                let Value::Formula(edge) = self.lookup(sym, at, &args)? else { return Err(Stop::Unexpected) };
                let edge = self.graph.and(condition, edge);
                either = self.graph.or(either, edge);
            }
            return Ok(Value::Formula(either));
        }
        let mut row = vec![Edge::FALSE; self.sizes[result] as usize];
        for (condition, args) in cases {
            let Value::Term(values) = self.lookup(sym, at, &args)? else { return Err(Stop::Unexpected) };
            for (either, &value) in row.iter_mut().zip(values.iter()) {
                let edge = self.graph.and(condition, value);
                *either = self.graph.or(*either, edge);
            }
        }
        Ok(Value::Term(row.into()))
    }

    /// Lists the tuples that arguments may have, each with its condition.
    fn cases(
        &mut self,
        rows: &[Rc<[Edge]>],
        tuple: &mut Vec<Elem>,
        condition: Edge,
        cases: &mut Vec<(Edge, Vec<Elem>)>,
    ) -> Result<(), Stop> {
        let Some((row, rest)) = rows.split_first() else {
            self.budget.spend(1)?;
            cases.push((condition, tuple.clone()));
            return Ok(());
        };
        for (value, &edge) in row.iter().enumerate() {
            let condition = self.graph.and(condition, edge);
            if condition != Edge::FALSE {
                tuple.push(value as Elem);
                self.cases(rest, tuple, condition, cases)?;
                tuple.pop();
            }
        }
        Ok(())
    }

    /// Returns whether two values are equal.
    ///
    /// # Errors
    /// Returns an error if they are of different sorts.
    pub(super) fn equal(&mut self, a: &Value, b: &Value) -> Result<Edge, Stop> {
        match (a, b) {
            (&Value::Formula(a), &Value::Formula(b)) => Ok(self.graph.iff(a, b)),
            (Value::Term(a), Value::Term(b)) if a.len() == b.len() => {
                let graph = &mut self.graph;
                let both: Vec<Edge> = a.iter().zip(b.iter()).map(|(&a, &b)| graph.and(a, b)).collect();
                Ok(any(graph, both))
            }
            _ => Err(Stop::Unexpected),
        }
    }

    /// Returns `if condition then a else b`.
    fn choose(&mut self, condition: Edge, a: &Value, b: &Value) -> Result<Value, Stop> {
        match (a, b) {
            (&Value::Formula(a), &Value::Formula(b)) => Ok(Value::Formula(self.graph.mux(condition, a, b))),
            (Value::Term(a), Value::Term(b)) if a.len() == b.len() => {
                let graph = &mut self.graph;
                Ok(Value::Term(a.iter().zip(b.iter()).map(|(&a, &b)| graph.mux(condition, a, b)).collect()))
            }
            _ => Err(Stop::Unexpected),
        }
    }
}
