//! From systems to closed systems.

use std::fmt;

use super::lifted;
use super::{Core, Named, Node, NodeId, Symbol, Theorem};
use crate::obligations::plain::transition_formula;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{self, Signature, SortId, SymId, SymbolKind, SyntaxMut, TermId, Terms, VarId};
use ramsey_core::system::{Site, System};

/// Why a model has no closed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// Proofs by forward and backward induction.
    Proofs,
    /// A function that has truth values among its arguments, or a choice between terms where none can be lifted.
    Term,
    /// Formulas that are too large as text, or too deep.
    Size,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsupported::Proofs => "closed systems have no proofs by forward and backward induction (`fbii`)",
            Unsupported::Size => {
                "a formula is too large or too deep for a closed form, perhaps because quantifiers over `bool` are spelled out"
            }
            Unsupported::Term => {
                "closed systems have no functions or relations with truth values among their arguments"
            }
        })
    }
}

impl std::error::Error for Unsupported {}

/// Maximum depth of a formula that is translated.
const MAX_DEPTH: usize = 2_000;

/// Maximum number of steps of the translation of a formula, and of terms that are made to spell it out.
const MAX_STEPS: u64 = 1 << 21;

/// Translation of formulas of an arena to a closed system.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The closed system, as far as it is translated.
    pub core: Core,
    /// By symbol, its number among the functions or the relations.
    numbers: Map<SymId, usize>,
    /// Constants that proofs introduce.
    constants: Map<SymId, usize>,
    /// Closed formulas that were translated.
    closed: Map<TermId, NodeId>,
    /// Remaining steps for the current formula.
    left: u64,
}

impl Lowering {
    /// Translates the system, whose formulas are those of `syntax` as well: its own syntax, or that of its obligations.
    ///
    /// # Errors
    /// The system has something that closed systems do not have.
    pub fn new(system: &System, mut syntax: SyntaxMut<'_>) -> Result<Lowering, Unsupported> {
        if !system.proofs.list.is_empty() {
            return Err(Unsupported::Proofs);
        }
        let mut lowering = Lowering::of_vocabulary(&system.sig)?;
        lowering.formulas(system, syntax.reborrow())?;
        Ok(lowering)
    }

    /// Translates a vocabulary, without any formulas.
    ///
    /// # Errors
    /// A function or relation has truth values among its arguments.
    pub fn of_vocabulary(sig: &Signature) -> Result<Lowering, Unsupported> {
        let mut lowering = Lowering {
            core: Core::default(),
            numbers: Map::default(),
            constants: Map::default(),
            closed: Map::default(),
            left: 0,
        };
        lowering.vocabulary(sig)?;
        Ok(lowering)
    }

    /// Returns the number of a symbol among the functions or the relations; none for a constant of a proof.
    pub fn number(&self, sym: SymId) -> Option<usize> {
        self.numbers.get(&sym).copied()
    }

    /// Numbers sorts and symbols.
    fn vocabulary(&mut self, sig: &Signature) -> Result<(), Unsupported> {
        self.core.sorts = sig.uninterpreted_sorts().map(|sort| sig.sorts[sort].name.clone()).collect();
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind == SymbolKind::Parameter {
                continue;
            }
            let args: Option<Vec<usize>> = symbol.args.iter().map(|&sort| number(sort)).collect();
            let args = args.ok_or(Unsupported::Term)?;
            let lowered = Symbol { name: symbol.name.clone(), args, is_mutable: symbol.kind.is_mutable() };
            let at = match number(symbol.result) {
                Some(result) => {
                    self.core.functions.push((lowered, result));
                    self.core.functions.len() - 1
                }
                None => {
                    self.core.relations.push(lowered);
                    self.core.relations.len() - 1
                }
            };
            self.numbers.insert(sym, at);
        }
        Ok(())
    }

    fn formulas(&mut self, system: &System, mut syntax: SyntaxMut<'_>) -> Result<(), Unsupported> {
        let line = |at: usize| format!("{}", at + 1);
        let named = |lowering: &mut Lowering, terms: &mut Terms, name: String, formula: TermId| {
            let formula = spelled_out(terms, formula)?;
            Ok(Named { name, formula: lowering.formula(terms, formula)? })
        };
        for (at, axiom) in system.axioms.iter().enumerate() {
            let name = axiom.name.clone().unwrap_or_else(|| line(at));
            let axiom = named(self, syntax.terms, name, axiom.formula)?;
            self.core.axioms.push(axiom);
        }
        self.core.immutable = self.core.axioms.len();
        for derived in &system.derived {
            let axiom = named(self, syntax.terms, derived.label.clone(), derived.axiom)?;
            self.core.axioms.push(axiom);
        }
        for (at, init) in system.inits.iter().enumerate() {
            let name = init.name.clone().unwrap_or_else(|| line(at));
            let init = named(self, syntax.terms, name, init.formula)?;
            self.core.inits.push(init);
        }
        for transition in &system.transitions {
            let formula = transition_formula(syntax.reborrow(), transition);
            let transition = named(self, syntax.terms, transition.name.clone(), formula)?;
            self.core.transitions.push(transition);
        }
        for invariant in &system.invariants {
            let claim = named(self, syntax.terms, invariant.label.clone(), invariant.formula)?;
            self.core.invariants.push(claim);
        }
        for theorem in &system.theorems {
            let claim = named(self, syntax.terms, theorem.label.clone(), theorem.formula)?;
            self.core.theorems.push(Theorem { states: theorem.states, is_about_states: true, claim });
        }
        for assertion in &system.assertions {
            let claim = named(self, syntax.terms, assertion.label.clone(), assertion.formula)?;
            match assertion.site {
                // What it reads need not be a state yet.
                Site::Init => {
                    self.core.theorems.push(Theorem { states: 1, is_about_states: false, claim });
                }
                Site::Transition(_) | Site::Final => self.core.assertions.push(claim),
            }
        }
        Ok(())
    }

    /// Declares the constant with this number that a proof introduces.
    pub fn declare(&mut self, sym: SymId, number: usize) {
        self.constants.insert(sym, number);
    }

    /// Translates a closed formula, or a closed term. Formulas with quantifiers over `bool` have to be [`spelled_out`]
    /// before.
    ///
    /// # Errors
    /// A part of it has no closed form.
    pub fn formula(&mut self, terms: &mut Terms, formula: TermId) -> Result<NodeId, Unsupported> {
        if let Some(&known) = self.closed.get(&formula) {
            return Ok(known);
        }
        self.left = MAX_STEPS;
        let lowered = self.node(terms, formula, &mut Vec::new())?;
        self.closed.insert(formula, lowered);
        Ok(lowered)
    }

    fn node(
        &mut self,
        terms: &mut Terms,
        term: TermId,
        bound: &mut Vec<VarId>,
    ) -> Result<NodeId, Unsupported> {
        let is_closed = !terms.has_vars(term);
        if is_closed && let Some(&known) = self.closed.get(&term) {
            return Ok(known);
        }
        let lowered = self.fresh(terms, term, bound)?;
        let id = self.core.pool.intern(lowered);
        if is_closed {
            self.closed.insert(term, id);
        }
        Ok(id)
    }

    fn fresh(
        &mut self,
        terms: &mut Terms,
        term: TermId,
        bound: &mut Vec<VarId>,
    ) -> Result<Node, Unsupported> {
        self.left = self.left.checked_sub(1).ok_or(Unsupported::Size)?;
        if let Some(choice) = lifted(terms, term) {
            return self.fresh(terms, choice, bound);
        }
        Ok(match terms.node(term) {
            logic::Node::True => Node::And(Box::default()),
            logic::Node::False => Node::Or(Box::default()),
            logic::Node::Var(var) => {
                let inner = bound.iter().rev().position(|&other| other == var);
                Node::Var(inner.ok_or(Unsupported::Term)?)
            }
            logic::Node::App { sym, step, args } => {
                let (is_relation, sort) = (terms.sort(term) == SortId::BOOL, number(terms.sort(term)));
                if let (Some(&constant), Some(sort)) = (self.constants.get(&sym), sort) {
                    return Ok(Node::Constant(sort, constant));
                }
                let at = *self.numbers.get(&sym).ok_or(Unsupported::Term)?;
                let symbol = if is_relation { &self.core.relations[at] } else { &self.core.functions[at].0 };
                let state = symbol.is_mutable.then_some(step);
                let args = terms.args(args).to_vec();
                let args = self.nodes(terms, args, bound)?;
                if is_relation { Node::Rel(state, at, args) } else { Node::App(state, at, args) }
            }
            logic::Node::Eq(a, b) => {
                let sort = number(terms.sort(a)).ok_or(Unsupported::Term)?;
                Node::Eq(sort, self.node(terms, a, bound)?, self.node(terms, b, bound)?)
            }
            logic::Node::Distinct(items) => {
                let items = terms.args(items).to_vec();
                let pairs = distinct_pairs(terms, &items);
                return self.fresh(terms, pairs, bound);
            }
            logic::Node::Not(a) => Node::Not(self.node(terms, a, bound)?),
            logic::Node::And(items) => {
                let items = terms.args(items).to_vec();
                Node::And(self.nodes(terms, items, bound)?)
            }
            logic::Node::Or(items) => {
                let items = terms.args(items).to_vec();
                Node::Or(self.nodes(terms, items, bound)?)
            }
            logic::Node::Implies(a, b) => {
                Node::Implies(self.node(terms, a, bound)?, self.node(terms, b, bound)?)
            }
            logic::Node::Iff(a, b) => Node::Iff(self.node(terms, a, bound)?, self.node(terms, b, bound)?),
            logic::Node::Ite(condition, a, b) if terms.sort(term) == SortId::BOOL => {
                let both = both_branches(terms, condition, a, b);
                return self.fresh(terms, both, bound);
            }
            logic::Node::Ite(..) => return Err(Unsupported::Term),
            logic::Node::Forall(vars, body) => self.block(terms, vars, body, bound, Node::Forall)?,
            logic::Node::Exists(vars, body) => self.block(terms, vars, body, bound, Node::Exists)?,
        })
    }

    /// Translates a block of quantifiers: a binder for each variable.
    fn block(
        &mut self,
        terms: &mut Terms,
        vars: logic::Args,
        body: TermId,
        bound: &mut Vec<VarId>,
        quantifier: fn(usize, NodeId) -> Node,
    ) -> Result<Node, Unsupported> {
        let vars: Vec<VarId> = terms.bound_vars(vars).collect();
        let depth = bound.len();
        bound.extend(&vars);
        let mut inner = self.node(terms, body, bound)?;
        bound.truncate(depth);
        let mut outer = None;
        for &var in vars.iter().rev() {
            if let Some(node) = outer.take() {
                inner = self.core.pool.intern(node);
            }
            let sort = number(terms.var_info(var).sort).ok_or(Unsupported::Term)?;
            outer = Some(quantifier(sort, inner));
        }
        outer.ok_or(Unsupported::Term)
    }

    fn nodes(
        &mut self,
        terms: &mut Terms,
        items: Vec<TermId>,
        bound: &mut Vec<VarId>,
    ) -> Result<Box<[NodeId]>, Unsupported> {
        items.into_iter().map(|item| self.node(terms, item, bound)).collect()
    }
}

/// Returns the number of a sort in a closed system; `None` for `bool`.
fn number(sort: SortId) -> Option<usize> {
    use ramsey_core::base::ids::Id as _;
    sort.index().checked_sub(1)
}

/// Returns that the terms are different, pair by pair.
pub fn distinct_pairs(terms: &mut Terms, items: &[TermId]) -> TermId {
    let mut pairs = Vec::new();
    for (at, &a) in items.iter().enumerate() {
        for &b in &items[at + 1..] {
            let equal = terms.eq(a, b);
            pairs.push(terms.not(equal));
        }
    }
    terms.and(&pairs)
}

/// Returns `if condition then a else b` for formulas, as two implications.
pub fn both_branches(terms: &mut Terms, condition: TermId, a: TermId, b: TermId) -> TermId {
    let otherwise = terms.not(condition);
    let branches = [terms.implies(condition, a), terms.implies(otherwise, b)];
    terms.and(&branches)
}

/// Returns the formula with its quantifiers over `bool` spelled out, value by value.
///
/// # Errors
/// It is too large or too deep for that.
pub fn spelled_out(terms: &mut Terms, formula: TermId) -> Result<TermId, Unsupported> {
    if terms.depth(formula) > MAX_DEPTH {
        return Err(Unsupported::Size);
    }
    let most = terms.len() + MAX_STEPS as usize;
    spell_out(terms, formula, most, &mut Map::default())
}

/// `most` is the number of terms that the arena may have.
fn spell_out(
    terms: &mut Terms,
    formula: TermId,
    most: usize,
    done: &mut Map<TermId, TermId>,
) -> Result<TermId, Unsupported> {
    if !terms.has_vars(formula) {
        return Ok(formula);
    }
    if let Some(&known) = done.get(&formula) {
        return Ok(known);
    }
    let children: Vec<TermId> = terms.children(formula).collect();
    let spelled = children.iter().map(|&child| spell_out(terms, child, most, done));
    let spelled: Vec<TermId> = spelled.collect::<Result<_, _>>()?;
    let formula_now = if spelled == children { formula } else { terms.rebuild(formula, &spelled) };
    let result = match terms.node(formula_now) {
        logic::Node::Forall(vars, body) => without_bools(terms, true, vars, body, formula_now, most)?,
        logic::Node::Exists(vars, body) => without_bools(terms, false, vars, body, formula_now, most)?,
        _ => formula_now,
    };
    done.insert(formula, result);
    Ok(result)
}

fn without_bools(
    terms: &mut Terms,
    is_universal: bool,
    vars: logic::Args,
    body: TermId,
    whole: TermId,
    most: usize,
) -> Result<TermId, Unsupported> {
    let (bools, vars): (Vec<VarId>, Vec<VarId>) =
        terms.bound_vars(vars).partition(|&var| terms.var_info(var).sort == SortId::BOOL);
    if bools.is_empty() {
        return Ok(whole);
    }
    let mut bodies = vec![body];
    for var in bools {
        let values = [terms.tru(), terms.fals()];
        let mut parts = Vec::new();
        for body in bodies {
            if terms.len() + parts.len() > most {
                return Err(Unsupported::Size);
            }
            for value in values {
                parts.push(terms.substitute(body, &Map::from_iter([(var, value)])));
            }
        }
        bodies = parts;
    }
    let quantified: Vec<TermId> = bodies
        .into_iter()
        .map(|body| match (vars.is_empty(), is_universal) {
            (true, _) => body,
            (false, true) => terms.forall(&vars, body),
            (false, false) => terms.exists(&vars, body),
        })
        .collect();
    Ok(if is_universal { terms.and(&quantified) } else { terms.or(&quantified) })
}
