//! Formulas in which nothing is implicit.
//!
//! Definitions and `let` are expanded: where a parameter stands, the argument is closed in its place, with its own
//! variables and its own state. So a variable is known by the number of binders outside of its binder, and two parts of a
//! formula below the same binders are equal if they are the same tree.

use super::model::{Model, Sort, Term, Unit};
use super::syntax::{Role, SymbolKind};
use crate::refusal::{Refused, refuse};

/// How deep closing may recur.
const MAX_DEPTH: usize = 1_000;

/// A block with so many variables over `bool` is refused.
const MAX_BOOLS: usize = 20;

/// How many nodes a closed formula may have.
const MAX_NODES: usize = 2_000_000;

/// A closed formula, or a term in one.
#[derive(Clone, PartialEq)]
pub(super) enum Formula {
    /// A variable, by the number of binders outside of its binder.
    Variable {
        binder: usize,
        sort: usize,
    },
    /// A symbol, by its number among its kind. The state is 0 for immutable symbols, and otherwise counted from 1.
    Apply {
        is_relation: bool,
        number: usize,
        state: usize,
        args: Vec<Formula>,
        sort: usize,
    },
    Equal(usize, Box<[Formula; 2]>),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<[Formula; 2]>),
    Iff(Box<[Formula; 2]>),
    Quantifier {
        is_universal: bool,
        sort: usize,
        body: Box<Formula>,
    },
    /// A choice between terms, inside of an atom until it is lifted out of it.
    If(Box<[Formula; 3]>),
}

/// What variables are.
#[derive(Clone, Copy)]
enum Value<'e> {
    /// Those of a block of quantifiers: the declared sorts have binders, with so many outside of the first one. Those of
    /// sort `bool` have values; a bit that is set is false, and the last one is the lowest.
    Block { binders: usize, falses: usize },
    /// Arguments, or the value of a `let`, where they were written.
    Terms(&'e [Term], Scope<'e>),
}

/// Variables with what they are.
#[derive(Clone, Copy)]
struct Binding<'e> {
    variables: &'e [usize],
    value: Value<'e>,
    outer: Option<&'e Binding<'e>>,
}

/// Where a term is closed.
#[derive(Clone, Copy, Default)]
struct Scope<'e> {
    bindings: Option<&'e Binding<'e>>,
    /// The state that the formula is read from.
    state: usize,
    /// The number of binders outside.
    binders: usize,
    depth: usize,
}

/// What stands below a block of quantifiers.
#[derive(Clone, Copy)]
enum Below<'e> {
    Term(&'e Term),
    /// The formula of a transition with its frame conditions.
    Step(&'e Unit<'e>),
}

/// The closing of one formula.
pub(super) struct Closing<'m> {
    model: &'m Model<'m>,
    nodes: usize,
    /// Where the declaration of the formula is.
    at: usize,
}

impl<'m> Closing<'m> {
    /// Begins with a formula.
    pub(super) fn new(model: &'m Model<'m>) -> Closing<'m> {
        Closing { model, nodes: 0, at: 0 }
    }

    /// Closes the formula of a declaration; that of a transition with its parameters and frame conditions.
    pub(super) fn unit(&mut self, unit: &Unit<'_>) -> Result<Formula, Refused> {
        self.at = unit.at;
        match unit.role {
            Role::Transition => self.quantified(false, &unit.params, Below::Step(unit), Scope::default()),
            _ => self.quantified(true, &unit.closure, Below::Term(&unit.formula), Scope::default()),
        }
    }

    /// Closes a transition below its parameters.
    fn step(&mut self, unit: &Unit<'_>, scope: Scope<'_>) -> Result<Formula, Refused> {
        let mut parts = vec![self.quantified(true, &unit.closure, Below::Term(&unit.formula), scope)?];
        for (index, symbol) in self.model.symbols.iter().enumerate() {
            if symbol.kind != SymbolKind::Mutable || unit.modifies.contains(&index) {
                continue;
            }
            self.spend(4 + 3 * symbol.args.len())?;
            let read = |state| {
                let args = symbol.args.iter().zip(scope.binders..);
                let args = args.map(|(sort, binder)| Formula::Variable { binder, sort: *sort }).collect();
                self.apply(index, state, args)
            };
            let same = equality(read(1), read(0));
            parts.push(symbol.args.iter().rev().fold(same, |body, sort| quantifier(true, *sort, body)));
        }
        Ok(conjunction(parts))
    }

    /// Closes a block of quantifiers. Those over `bool` are spelled out, value by value, around the others.
    fn quantified(
        &mut self,
        is_universal: bool,
        variables: &[usize],
        below: Below<'_>,
        scope: Scope<'_>,
    ) -> Result<Formula, Refused> {
        self.spend(variables.len())?;
        let sorts = variables.iter().filter_map(|variable| match self.model.variables[*variable] {
            Sort::Declared(sort) => Some(sort),
            _ => None,
        });
        let sorts: Vec<usize> = sorts.collect();
        let bools = variables.len() - sorts.len();
        if bools >= MAX_BOOLS {
            return refuse(self.at, "too many variables over `bool` in one block");
        }
        let mut cases = Vec::new();
        for falses in 0..1 << bools {
            let value = Value::Block { binders: scope.binders, falses };
            let binding = Binding { variables, value, outer: scope.bindings };
            let inner = Scope { bindings: Some(&binding), binders: scope.binders + sorts.len(), ..scope };
            let body = match below {
                Below::Term(term) => self.term(term, inner)?,
                Below::Step(unit) => self.step(unit, inner)?,
            };
            cases.push(sorts.iter().rev().fold(body, |body, sort| quantifier(is_universal, *sort, body)));
        }
        Ok(if is_universal { conjunction(cases) } else { disjunction(cases) })
    }

    /// Closes a term or formula of the model.
    fn term(&mut self, term: &Term, outside: Scope<'_>) -> Result<Formula, Refused> {
        self.spend(1)?;
        if outside.depth == MAX_DEPTH {
            return refuse(self.at, "the formula is too deep when its definitions are expanded");
        }
        let scope = Scope { depth: outside.depth + 1, ..outside };
        match term {
            Term::Truth(value) => Ok(truth(*value)),
            Term::Variable(variable) => self.variable(*variable, scope),
            Term::Symbol { symbol, state, args } => {
                let args = self.terms(args, scope)?;
                self.lifted(self.apply(*symbol, scope.state + state, args))
            }
            Term::Unit { unit, state, args } => self.call(*unit, *state, args, scope),
            Term::Safety { state } => self.safety(*state, scope),
            Term::Not(inner) => Ok(not(self.term(inner, scope)?)),
            Term::And(items) => Ok(Formula::And(self.terms(items, scope)?)),
            Term::Or(items) => Ok(Formula::Or(self.terms(items, scope)?)),
            Term::Distinct(items) => self.distinct(items, scope),
            Term::Implies(sides) => Ok(implies(self.term(&sides[0], scope)?, self.term(&sides[1], scope)?)),
            Term::Equal(sides) => self.equal(&sides[0], &sides[1], scope),
            Term::Quantifier { is_universal, vars, body } => {
                self.quantified(*is_universal, vars, Below::Term(body), scope)
            }
            Term::If(parts) => self.if_then_else(parts, scope),
            Term::Let(variable, parts) => {
                let value = Value::Terms(&parts[..1], scope);
                let variables = std::slice::from_ref(variable);
                let binding = Binding { variables, value, outer: scope.bindings };
                self.term(&parts[1], Scope { bindings: Some(&binding), ..scope })
            }
        }
    }

    fn terms(&mut self, terms: &[Term], scope: Scope<'_>) -> Result<Vec<Formula>, Refused> {
        terms.iter().map(|term| self.term(term, scope)).collect()
    }

    fn variable(&mut self, variable: usize, scope: Scope<'_>) -> Result<Formula, Refused> {
        let mut bindings = std::iter::successors(scope.bindings, |binding| binding.outer);
        let found = bindings.find_map(|binding| {
            let at = binding.variables.iter().position(|other| *other == variable)?;
            Some((binding.value, binding.variables, at))
        });
        let sort = |variable: &usize| self.model.variables[*variable];
        match (found, sort(&variable)) {
            (Some((Value::Terms(terms, outside), _, at)), _) => {
                self.term(&terms[at], Scope { binders: scope.binders, depth: scope.depth, ..outside })
            }
            (Some((Value::Block { binders, .. }, block, at)), Sort::Declared(own)) => {
                let before = block[..at].iter().filter(|other| sort(other) != Sort::Bool).count();
                Ok(Formula::Variable { binder: binders + before, sort: own })
            }
            (Some((Value::Block { falses, .. }, block, at)), _) => {
                let after = block[at + 1..].iter().filter(|other| sort(other) == Sort::Bool).count();
                Ok(truth(falses >> after & 1 == 0))
            }
            (None, _) => refuse(self.at, "a variable has no binder"),
        }
    }

    /// Closes the formula of a declaration in place of its use.
    fn call(
        &mut self,
        unit: usize,
        state: usize,
        args: &[Term],
        scope: Scope<'_>,
    ) -> Result<Formula, Refused> {
        let unit = &self.model.units[unit];
        let binding = Binding { variables: &unit.params, value: Value::Terms(args, scope), outer: None };
        let inner = Scope { bindings: Some(&binding), state: scope.state + state, ..scope };
        self.quantified(true, &unit.closure, Below::Term(&unit.formula), inner)
    }

    fn safety(&mut self, state: usize, scope: Scope<'_>) -> Result<Formula, Refused> {
        let units = 0..self.model.units.len();
        let all = units.filter(|unit| self.model.units[*unit].role == Role::Safety);
        let all: Vec<usize> = all.collect();
        let all: Result<_, _> = all.into_iter().map(|unit| self.call(unit, state, &[], scope)).collect();
        Ok(conjunction(all?))
    }

    fn distinct(&mut self, items: &[Term], scope: Scope<'_>) -> Result<Formula, Refused> {
        let mut pairs = Vec::new();
        for (at, a) in items.iter().enumerate() {
            for b in &items[at + 1..] {
                pairs.push(not(self.equal(a, b, scope)?));
            }
        }
        Ok(conjunction(pairs))
    }

    fn if_then_else(&mut self, parts: &[Term; 3], scope: Scope<'_>) -> Result<Formula, Refused> {
        let [condition, then, otherwise] = parts;
        let condition = self.term(condition, scope)?;
        let (then, otherwise) = (self.term(then, scope)?, self.term(otherwise, scope)?);
        match sort(&then) {
            Some(_) => Ok(Formula::If(Box::new([condition, then, otherwise]))),
            None => self.choice(&condition, then, otherwise),
        }
    }

    /// Returns a symbol applied in a state.
    fn apply(&self, index: usize, state: usize, args: Vec<Formula>) -> Formula {
        let symbol = &self.model.symbols[index];
        let state = if symbol.kind == SymbolKind::Immutable { 0 } else { state + 1 };
        let (is_relation, sort) = match symbol.result {
            Sort::Declared(sort) => (false, sort),
            _ => (true, 0),
        };
        Formula::Apply { is_relation, number: symbol.number, state, args, sort }
    }

    fn equal(&mut self, a: &Term, b: &Term, scope: Scope<'_>) -> Result<Formula, Refused> {
        let (a, b) = (self.term(a, scope)?, self.term(b, scope)?);
        self.lifted(equality(a, b))
    }

    /// Returns an atom in which the first choice between terms has become one between atoms, and so on.
    fn lifted(&mut self, atom: Formula) -> Result<Formula, Refused> {
        if sort(&atom).is_some() || matches!(atom, Formula::Iff(_)) {
            return Ok(atom);
        }
        let Some((choice, [condition, then, otherwise])) = first_choice(&atom) else { return Ok(atom) };
        let then = self.replaced(&atom, choice, then)?;
        let otherwise = self.replaced(&atom, choice, otherwise)?;
        let (then, otherwise) = (self.lifted(then)?, self.lifted(otherwise)?);
        self.choice(condition, then, otherwise)
    }

    /// Returns an atom or term with one value for a choice, wherever that stands outside of others.
    fn replaced(&mut self, term: &Formula, choice: &Formula, value: &Formula) -> Result<Formula, Refused> {
        if term == choice {
            return self.copy(value);
        }
        self.spend(1)?;
        Ok(match term {
            Formula::Apply { is_relation, number, state, args, sort } => {
                let args =
                    args.iter().map(|arg| self.replaced(arg, choice, value)).collect::<Result<_, _>>()?;
                Formula::Apply {
                    is_relation: *is_relation,
                    number: *number,
                    state: *state,
                    args,
                    sort: *sort,
                }
            }
            Formula::Equal(sort, sides) => {
                let [a, b] = &**sides;
                Formula::Equal(
                    *sort,
                    Box::new([self.replaced(a, choice, value)?, self.replaced(b, choice, value)?]),
                )
            }
            other => return self.copy(other),
        })
    }

    /// Returns `if condition then a else b`, for formulas.
    fn choice(&mut self, condition: &Formula, then: Formula, otherwise: Formula) -> Result<Formula, Refused> {
        let unless = not(self.copy(condition)?);
        Ok(Formula::And(vec![implies(self.copy(condition)?, then), implies(unless, otherwise)]))
    }

    fn copy(&mut self, formula: &Formula) -> Result<Formula, Refused> {
        self.spend(size(formula))?;
        Ok(formula.clone())
    }

    fn spend(&mut self, nodes: usize) -> Result<(), Refused> {
        self.nodes += nodes;
        if self.nodes > MAX_NODES {
            return refuse(self.at, "the formula is too large when its definitions are expanded");
        }
        Ok(())
    }
}

/// Returns the sort of a term; `None` for a formula.
fn sort(term: &Formula) -> Option<usize> {
    match term {
        Formula::Variable { sort, .. } | Formula::Apply { is_relation: false, sort, .. } => Some(*sort),
        Formula::If(parts) => sort(&parts[1]),
        _ => None,
    }
}

/// Returns the first choice in an atom or term that is in no other choice, with its parts.
fn first_choice(term: &Formula) -> Option<(&Formula, &[Formula; 3])> {
    match term {
        Formula::If(parts) => Some((term, parts)),
        _ => parts(term).iter().find_map(first_choice),
    }
}

/// Returns the direct parts of a term or formula.
fn parts(formula: &Formula) -> &[Formula] {
    match formula {
        Formula::Variable { .. } => &[],
        Formula::Apply { args: items, .. } | Formula::And(items) | Formula::Or(items) => items,
        Formula::Equal(_, sides) | Formula::Implies(sides) | Formula::Iff(sides) => &**sides,
        Formula::Not(inner) | Formula::Quantifier { body: inner, .. } => std::slice::from_ref(inner),
        Formula::If(parts) => &**parts,
    }
}

fn size(formula: &Formula) -> usize {
    1 + parts(formula).iter().map(size).sum::<usize>()
}

fn truth(value: bool) -> Formula {
    if value { Formula::And(Vec::new()) } else { Formula::Or(Vec::new()) }
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn implies(a: Formula, b: Formula) -> Formula {
    Formula::Implies(Box::new([a, b]))
}

/// Returns the equality of two terms, or the equivalence of two formulas.
fn equality(a: Formula, b: Formula) -> Formula {
    match sort(&a) {
        Some(sort) => Formula::Equal(sort, Box::new([a, b])),
        None => Formula::Iff(Box::new([a, b])),
    }
}

fn quantifier(is_universal: bool, sort: usize, body: Formula) -> Formula {
    Formula::Quantifier { is_universal, sort, body: Box::new(body) }
}

/// Returns the conjunction of formulas; one formula is its own conjunction.
fn conjunction(mut items: Vec<Formula>) -> Formula {
    if items.len() == 1 { items.remove(0) } else { Formula::And(items) }
}

/// Returns the disjunction of formulas, like [`conjunction`].
fn disjunction(mut items: Vec<Formula>) -> Formula {
    if items.len() == 1 { items.remove(0) } else { Formula::Or(items) }
}
