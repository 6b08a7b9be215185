//! The closed system of a program.

use std::collections::BTreeMap;

use super::check::{Kind, Symbol};
use super::execution::Outcome;
use super::meaning::System;
use super::term::{self, Term, What};
use super::tree::{Formula, Name};
use crate::closed::{Budget, Closed, applied, equality, formula, joined, quantified, truth, variable};
use crate::refusal::{Result, refuse};

/// What a variable is: bound by a binder that has so many outside, or a truth value.
#[derive(Clone, Copy)]
enum Value {
    Bound(usize),
    Truth(bool),
}

/// What variables are, and how many binders are outside.
#[derive(Clone, Default)]
struct Scope {
    values: BTreeMap<usize, Value>,
    binders: usize,
}

/// The closing of a formula.
struct Closing<'s> {
    system: &'s System<'s>,
    budget: Budget,
}

/// Closes what stands below quantifiers.
type Below<'c, 's> = &'c dyn Fn(&mut Closing<'s>, &Scope) -> Result<Closed>;

/// Writes a system with these names of actions, without the first line and the digest. `line` returns the line of a place.
pub(crate) fn document<'n>(
    system: &System<'_>,
    actions: impl Iterator<Item = &'n Name>,
    line: &dyn Fn(usize) -> usize,
) -> Result<String> {
    let sorts = system.model.sorts.iter().enumerate();
    let mut lines: Vec<String> = sorts.map(|(at, name)| format!("sort {at} {name}")).collect();
    for word in ["function", "relation"] {
        for (index, Symbol { name, args, result, kind }) in system.model.symbols.iter().enumerate() {
            if result.is_some() == (word == "function") {
                let kind = if *kind == Kind::Rigid { "rigid" } else { "mutable" };
                let start = format!("{word} {} {name} {kind} {}", number(system, index), args.len());
                lines.push(args.iter().chain(result).fold(start, |text, sort| text + &format!(" {sort}")));
            }
        }
    }
    let closed = |start: String, term: &Term| {
        let mut closing = Closing { system, budget: Budget::new(0) };
        closing.term(term, &Scope::default()).map(|closed| closed.after(start))
    };
    let label = |it: &Formula| match &it.name {
        Some(name) => name.text.to_string(),
        None => format!("L{}", line(it.word.at)),
    };
    let formulas = |words: &'static str| {
        let all = system.model.formulas.iter().zip(system.bodies.values());
        all.filter(move |(it, _)| words.contains(&*it.word.text))
    };
    let states = |body: &Term| usize::from(system.is_about_states(body));
    for (place, (it, body)) in (1..).zip(formulas("axiom").filter(|(_, body)| states(body) == 0)) {
        let name = it.name.as_ref().map_or(place.to_string(), |name| name.text.to_string());
        lines.push(closed(format!("axiom rigid {name}"), body)?);
    }
    for (it, body) in formulas("axiom").filter(|(_, body)| states(body) == 1) {
        lines.push(closed(format!("axiom state {}", label(it)), body)?);
    }
    for (place, init) in (1..).zip(&system.inits) {
        lines.push(closed(format!("init {place}"), init)?);
    }
    for (Name { text, .. }, action) in actions.zip(&system.actions) {
        let mut closing = Closing { system, budget: Budget::new(0) };
        lines.push(closing.transition(action, &Scope::default())?.after(format!("transition {text}")));
    }
    for (it, body) in formulas("conjecture safety") {
        lines.push(closed(format!("invariant {}", label(it)), body)?);
    }
    for it in system.assertions.iter().filter(|it| !it.is_initial) {
        lines.push(closed(format!("assertion {}", it.label), &it.claim)?);
    }
    for (it, body) in formulas("theorem") {
        lines.push(closed(format!("theorem {} {}", states(body), label(it)), body)?);
    }
    for it in system.assertions.iter().filter(|it| it.is_initial) {
        lines.push(closed(format!("initial 1 {}", it.label), &it.claim)?);
    }
    Ok(lines.iter().flat_map(|line| [line, "\n"]).collect())
}

/// Returns the number of a symbol among the functions or the relations.
fn number(system: &System<'_>, symbol: usize) -> usize {
    let is_relation = |index: &usize| system.model.symbols[*index].result.is_none();
    (0..symbol).filter(|other| is_relation(other) == is_relation(&symbol)).count()
}

impl<'s> Closing<'s> {
    fn terms(&mut self, terms: &[Term], scope: &Scope) -> Result<Vec<Closed>> {
        terms.iter().map(|term| self.term(term, scope)).collect()
    }

    fn term(&mut self, term: &Term, scope: &Scope) -> Result<Closed> {
        self.budget.spend(1)?;
        match &term.what {
            What::Variable(var) => Ok(match (scope.values.get(var), self.system.sorts[*var]) {
                (Some(Value::Bound(binder)), Some(sort)) => variable(scope.binders - 1 - binder, sort),
                (Some(Value::Truth(value)), _) => truth(*value),
                _ => return refuse(self.budget.at, "a variable has no value"),
            }),
            What::Symbol(symbol) => {
                let args = self.terms(&term.parts, scope)?;
                self.budget.lifted(self.symbol(*symbol, 0, args))
            }
            What::Block(sign, vars) => {
                let body = &term.parts[0];
                self.block(sign, vars, scope, &|closing, scope| closing.term(body, scope))
            }
            What::Operator(sign) => {
                let mut parts = self.terms(&term.parts, scope)?;
                match *sign {
                    "&" | "|" => Ok(joined(sign, parts)),
                    "if" => self.budget.choice(parts),
                    "distinct" => self.budget.distinct(&parts),
                    "=" => {
                        let right = parts.remove(1);
                        self.budget.lifted(equality(parts.remove(0), right))
                    }
                    _ => Ok(formula(sign, parts)),
                }
            }
            What::Name(_) | What::Let(_) | What::Overload(_) => refuse(self.budget.at, "not expanded"),
        }
    }

    /// Returns a symbol applied in a state, if it has states.
    fn symbol(&self, symbol: usize, state: usize, args: Vec<Closed>) -> Closed {
        let it = &self.system.model.symbols[symbol];
        applied((it.kind != Kind::Rigid).then_some(state), number(self.system, symbol), it.result, args)
    }

    /// Closes a block of quantifiers. Those over truth values are spelled out, value by value, around the others.
    fn block(&mut self, sign: &str, vars: &[usize], scope: &Scope, below: Below<'_, 's>) -> Result<Closed> {
        let mut cases = vec![scope.clone()];
        let mut sorts = Vec::new();
        for var in vars {
            self.budget.spend(16 * cases.len())?;
            let values = match self.system.sorts[*var] {
                Some(sort) => {
                    sorts.push(sort);
                    vec![Value::Bound(cases[0].binders)]
                }
                None => vec![Value::Truth(true), Value::Truth(false)],
            };
            let with = |case: &Scope| values.iter().map(|value| case.with(*var, *value)).collect();
            cases = cases.iter().flat_map::<Vec<_>, _>(with).collect();
        }
        let mut closed = Vec::new();
        for case in &cases {
            closed.push(quantified(sign, &sorts, below(self, case)?));
        }
        Ok(joined(if sign == "!" { "&" } else { "|" }, closed))
    }

    /// Closes what an action means: what is assumed, what symbols are in the next state, and that others stay.
    fn transition(&mut self, action: &Outcome, scope: &Scope) -> Result<Closed> {
        self.block("?", &action.params, scope, &|closing, scope| {
            let mut parts = closing.terms(&action.assumptions, scope)?;
            for (symbol, value) in &action.updates {
                parts.push(closing.next(*symbol, value, scope)?);
            }
            let mut all = vec![joined("&", parts)];
            for (symbol, it) in closing.system.model.symbols.iter().enumerate() {
                if it.kind == Kind::Mutable && !action.updates.contains_key(&symbol) {
                    let vars = closing.system.heads[symbol].iter().copied().map(term::variable);
                    let same = term::applied(symbol, vars.collect());
                    all.push(closing.next(symbol, &same, scope)?);
                }
            }
            Ok(joined("&", all))
        })
    }

    /// Closes that a symbol has a value in the next state.
    fn next(&mut self, symbol: usize, value: &Term, scope: &Scope) -> Result<Closed> {
        let heads = &self.system.heads[symbol];
        self.block("!", heads, scope, &|closing, scope| {
            let args: Vec<Term> = heads.iter().copied().map(term::variable).collect();
            let args = closing.terms(&args, scope)?;
            let equal = equality(closing.symbol(symbol, 1, args), closing.term(value, scope)?);
            closing.budget.lifted(equal)
        })
    }
}

impl Scope {
    fn with(&self, var: usize, value: Value) -> Scope {
        let mut inner = self.clone();
        inner.binders += usize::from(matches!(value, Value::Bound(_)));
        inner.values.insert(var, value);
        inner
    }
}
