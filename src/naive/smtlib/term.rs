//! Terms, in which definitions are expanded, and their closed forms.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::closed::{Budget, Closed, equality, formula, joined, quantified, truth, variable};
use crate::problem::Problem;
use crate::refusal::{Result, refuse};

/// What a term begins with.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Head {
    Truth(bool),
    /// A variable by its number.
    Variable(usize),
    /// A function or relation by its place.
    Symbol(usize),
    Not,
    /// `&` or `|`.
    Joined(&'static str),
    Implies,
    Equal,
    /// Three terms or more are different.
    Distinct,
    If,
    /// `!` or `?`, and the numbers of its variables.
    Quantifier(&'static str, Vec<usize>),
}

/// A term or formula.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) head: Head,
    pub(super) parts: Vec<Rc<Term>>,
    /// Its sort; none for a formula.
    pub(super) sort: Option<usize>,
    /// The levels of which it consists.
    pub(super) depth: usize,
    /// How many `if`s are each in the condition of the one before; none if there is a quantifier.
    pub(super) choices: Option<usize>,
    /// Its free variables, in ascending order.
    pub(super) free: Vec<usize>,
}

impl Term {
    pub(super) fn new(head: Head, parts: Vec<Rc<Term>>, sort: Option<usize>) -> Rc<Term> {
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let conditions = usize::from(head == Head::If);
        let inside = parts
            .iter()
            .enumerate()
            .map(|(at, part)| Some(part.choices? + if at == 0 { conditions } else { 0 }));
        let is_quantified = matches!(head, Head::Quantifier(..));
        let choices =
            inside.chain([(!is_quantified).then_some(0)]).try_fold(0, |most, next| Some(most.max(next?)));
        let mut free: Vec<usize> = parts.iter().flat_map(|part| part.free.iter().copied()).collect();
        match &head {
            Head::Variable(number) => free.push(*number),
            Head::Quantifier(_, vars) => free.retain(|number| !vars.contains(number)),
            _ => {}
        }
        free.sort_unstable();
        free.dedup();
        Rc::new(Term { head, parts, sort, depth, choices, free })
    }

    /// Appends to a text all that makes this the same as another term.
    pub(super) fn write(&self, text: &mut String, budget: &mut Budget) -> Result<()> {
        budget.spend(1)?;
        text.push_str(&format!("{:?} {:?} ", self.head, self.sort));
        self.parts.iter().try_for_each(|part| part.write(text, budget))
    }

    /// Returns a term with arguments for parameters. Variables that it binds, and that are parameters or free in
    /// arguments, become new ones. `sorts` has the sorts of all variables.
    pub(super) fn with(
        self: &Rc<Term>,
        args: &BTreeMap<usize, Rc<Term>>,
        done: &mut BTreeMap<*const Term, Rc<Term>>,
        sorts: &mut Vec<Option<usize>>,
        budget: &mut Budget,
    ) -> Result<Rc<Term>> {
        if let Some(known) = done.get(&Rc::as_ptr(self)) {
            return Ok(Rc::clone(known));
        }
        if !self.free.iter().any(|number| args.contains_key(number)) {
            return Ok(Rc::clone(self));
        }
        budget.spend(1 + self.free.len() / 8)?;
        let mut head = self.head.clone();
        let is_other =
            |var: &usize| args.contains_key(var) || args.values().any(|arg| arg.free.contains(var));
        let result = match &mut head {
            Head::Variable(number) => Rc::clone(&args[number]),
            Head::Quantifier(_, vars) if vars.iter().any(is_other) => {
                let mut args = args.clone();
                for var in vars {
                    let sort = sorts[*var];
                    args.insert(*var, Term::new(Head::Variable(sorts.len()), Vec::new(), sort));
                    *var = sorts.len();
                    sorts.push(sort);
                }
                let body = self.parts[0].with(&args, &mut BTreeMap::new(), sorts, budget)?;
                Term::new(head, vec![body], None)
            }
            _ => {
                let parts = self.parts.iter().map(|part| part.with(args, done, sorts, budget));
                let parts = parts.collect::<Result<_>>()?;
                Term::new(head, parts, self.sort)
            }
        };
        done.insert(Rc::as_ptr(self), Rc::clone(&result));
        Ok(result)
    }
}

/// What a variable is: bound by a binder that has so many outside, or a truth value.
#[derive(Clone, Copy)]
enum Value {
    Bound(usize),
    Truth(bool),
}

/// The closing of a term.
pub(super) struct Closing<'p> {
    pub(super) problem: &'p Problem,
    /// By variable, its sort; none for a formula.
    pub(super) sorts: &'p [Option<usize>],
    pub(super) budget: Budget,
    /// Bound variables, the innermost one last.
    scope: Vec<(usize, Value)>,
    binders: usize,
}

impl<'p> Closing<'p> {
    pub(super) fn new(problem: &'p Problem, sorts: &'p [Option<usize>], at: usize) -> Closing<'p> {
        Closing { problem, sorts, budget: Budget::of_problem(at), scope: Vec::new(), binders: 0 }
    }

    /// Returns the closed form of a term in this scope.
    pub(super) fn closed(&mut self, term: &Term) -> Result<Closed> {
        self.budget.spend(1)?;
        if let Head::Quantifier(sign, vars) = &term.head {
            return self.block(sign, vars, &term.parts[0]);
        }
        let mut parts = term.parts.iter().map(|part| self.closed(part)).collect::<Result<Vec<_>>>()?;
        Ok(match &term.head {
            Head::Truth(value) => truth(*value),
            Head::Variable(number) => {
                let bound = self.scope.iter().rev().find(|(bound, _)| bound == number);
                match (bound, term.sort) {
                    (Some((_, Value::Bound(outside))), Some(sort)) => {
                        variable(self.binders - 1 - outside, sort)
                    }
                    (Some((_, Value::Truth(value))), _) => truth(*value),
                    _ => return refuse(self.budget.at, "a variable is bound nowhere"),
                }
            }
            Head::Symbol(place) => self.budget.lifted(self.problem.applied(*place, parts))?,
            Head::Not => formula("~", parts),
            Head::Joined(sign) => joined(sign, parts),
            Head::Implies => formula(">", parts),
            Head::Equal => {
                let second = parts.remove(1);
                self.budget.lifted(equality(parts.remove(0), second))?
            }
            Head::Distinct => self.budget.distinct(&parts)?,
            Head::If => self.budget.choice(parts)?,
            Head::Quantifier(..) => parts.remove(0),
        })
    }

    /// Closes a block of quantifiers. Those over `Bool` are spelled out, value by value, around the others.
    fn block(&mut self, sign: &str, vars: &[usize], body: &Term) -> Result<Closed> {
        let (scope, binders) = (self.scope.len(), self.binders);
        let bools: Vec<usize> = vars.iter().copied().filter(|var| self.sorts[*var].is_none()).collect();
        let sorts: Vec<usize> = vars.iter().filter_map(|var| self.sorts[*var]).collect();
        let mut cases = vec![Vec::new()];
        for var in bools {
            self.budget.spend(2 * cases.len())?;
            let both =
                |case: Vec<_>| [true, false].map(|value| [&case[..], &[(var, Value::Truth(value))]].concat());
            cases = cases.into_iter().flat_map(both).collect();
        }
        let mut closed = Vec::new();
        for case in cases {
            self.scope.extend(case);
            for var in vars.iter().filter(|var| self.sorts[**var].is_some()) {
                self.scope.push((*var, Value::Bound(self.binders)));
                self.binders += 1;
            }
            closed.push(quantified(sign, &sorts, self.closed(body)?));
            self.scope.truncate(scope);
            self.binders = binders;
        }
        Ok(joined(if sign == "!" { "&" } else { "|" }, closed))
    }
}
