//! Closed systems: formulas in which nothing is implicit.
//!
//! Definitions and `let` are expanded: where a parameter stands, the argument is closed in its place, with its own
//! variables and its own state. So two parts of a formula below the same binders are equal if they are the same tree.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::check::{Meaning, Model};
use super::large::{Relations, relations};
use super::tree::{Binder, Decl, Expr};
use crate::closed::{Budget, Closed, applied, equality, formula, joined, quantified, truth, variable};
use crate::refusal::{Result, refuse};

/// How deep closing may recur.
const MAX_DEPTH: usize = 500;

/// What a variable is.
#[derive(Clone)]
enum Value<'e> {
    /// Bound by a binder that has so many outside.
    Bound(usize),
    Truth(bool),
    /// An argument or the value of a `let`, where it was written.
    Written(&'e Expr<'e>, Rc<Scope<'e>>),
}

/// Where a term is closed: what variables are, the state that the formula is read from, and what is outside.
#[derive(Clone, Default)]
struct Scope<'e> {
    values: BTreeMap<usize, Value<'e>>,
    state: usize,
    binders: usize,
    depth: usize,
}

/// The closing of a formula.
struct Closing<'m> {
    model: &'m Model<'m, 'm>,
    relations: &'m Relations,
    budget: Budget,
}

/// Closes what stands below quantifiers.
type Below<'c, 'm> = &'c dyn Fn(&mut Closing<'m>, &Scope<'m>) -> Result<Closed>;

/// Writes a model as a closed system, without the digest. `line` returns the line of a place in its text.
pub(super) fn document(model: &Model<'_, '_>, line: impl Fn(usize) -> usize) -> Result<String> {
    let mut text = String::new();
    let relations = &relations(model, model.decls.iter().filter(|decl| kind(decl) == "relation").count());
    for word in ["sort", "function", "relation"] {
        for (number, decl) in model.decls.iter().filter(|decl| kind(decl) == word).enumerate() {
            let name = decl.name.map_or("", |name| name.text);
            text.push_str(&format!("{word} {number} {name}"));
            if word != "sort" {
                let kind = if decl.word == "immutable" { "rigid" } else { "mutable" };
                text.push_str(&format!(" {kind} {}", decl.sorts.len() - 1));
            }
            let sorts = decl.sorts.iter().filter_map(|sort| model.sorts.get(sort.text));
            sorts.for_each(|sort| text.push_str(&format!(" {sort}")));
            text.push('\n');
        }
    }
    for (index, (number, changes)) in relations {
        let (name, params) =
            (model.decls[*index].name.map_or("", |name| name.text), &model.decls[*index].params);
        let kind = if *changes { "mutable" } else { "rigid" };
        text.push_str(&format!("relation {number} {name} {kind} {}", params.len()));
        let sorts = params.iter().filter_map(|param| model.numbers[param.number]);
        sorts.for_each(|sort| text.push_str(&format!(" {sort}")));
        text.push('\n');
    }
    let start = |index: &usize| match (relations.get(index), model.decls[*index].word) {
        (Some((_, false)), _) | (None, "axiom") => "axiom rigid",
        (Some((_, true)), _) | (None, "derived") => "axiom state",
        (None, "safety") => "invariant",
        (None, other) => other,
    };
    for wanted in ["axiom rigid", "axiom state", "init", "transition", "invariant", "theorem"] {
        let decls = (0..model.decls.len()).filter(|index| start(index) == wanted);
        for (place, index) in (1..).zip(decls) {
            let decl = &model.decls[index];
            let states = if wanted == "theorem" { format!(" {}", decl.states) } else { String::new() };
            let name = match (decl.name, wanted) {
                (Some(name), _) => name.text.to_owned(),
                (None, "axiom rigid" | "init") => place.to_string(),
                _ => format!("L{}", line(decl.at)),
            };
            text.push_str(&format!("{wanted}{states} {name}"));
            let mut closing = Closing { model, relations, budget: Budget::new(decl.at) };
            let sign = if relations.contains_key(&index) { "!" } else { "?" };
            closing
                .block(sign, &decl.params, &Scope::default(), &|closing, scope| closing.whole(index, scope))?
                .write(&mut text);
            text.push('\n');
        }
    }
    Ok(text)
}

impl<'m> Closing<'m> {
    /// Closes the formula of a declaration below its parameters.
    fn body(&mut self, index: usize, scope: &Scope<'m>) -> Result<Closed> {
        let model = self.model;
        let Some(formula) = &model.decls[index].formula else {
            return refuse(self.budget.at, "this has no formula");
        };
        self.block("!", &model.closures[index], scope, &|closing, scope| closing.expr(formula, scope))
    }

    /// Closes the formula of a declaration below its parameters, with the frame conditions of a transition. For a definition that is
    /// a relation, this is what that means.
    fn whole(&mut self, index: usize, scope: &Scope<'m>) -> Result<Closed> {
        let (model, decl) = (self.model, &self.model.decls[index]);
        let body = self.body(index, scope)?;
        if let Some(relation) = self.relations.get(&index) {
            let vars = decl.params.iter().filter_map(|param| model.numbers[param.number]);
            let vars = vars.zip((0..decl.params.len()).rev()).map(|(sort, index)| variable(index, sort));
            return Ok(equality(related(*relation, 0, vars.collect()), body));
        }
        let mut parts = vec![body];
        for (symbol, Decl { word, name, sorts, .. }) in model.decls.iter().enumerate() {
            let is_modified =
                decl.modifies.iter().any(|other| name.is_some_and(|name| name.text == other.text));
            if decl.word != "transition" || *word != "mutable" || is_modified {
                continue;
            }
            self.budget.spend(4 + 3 * sorts.len())?;
            let args: Vec<usize> =
                sorts[..sorts.len() - 1].iter().map(|sort| model.sorts[sort.text]).collect();
            let vars = args.iter().zip((0..args.len()).rev());
            let vars: Vec<Closed> = vars.map(|(sort, index)| variable(index, *sort)).collect();
            let same = equality(self.apply(symbol, 1, vars.clone()), self.apply(symbol, 0, vars));
            parts.push(quantified("!", &args, same));
        }
        Ok(joined("&", parts))
    }

    /// Closes a block of quantifiers. Those over `bool` are spelled out, value by value, around the others.
    fn block(
        &mut self,
        sign: &str,
        vars: &[Binder<'m>],
        scope: &Scope<'m>,
        below: Below<'_, 'm>,
    ) -> Result<Closed> {
        let mut cases = vec![scope.clone()];
        for var in vars {
            self.budget.spend(16 * cases.len())?;
            let values = match self.model.numbers[var.number] {
                Some(_) => vec![Value::Bound(cases[0].binders)],
                None => vec![Value::Truth(true), Value::Truth(false)],
            };
            let with = |case: &Scope<'m>| values.iter().map(|value| case.with(var.number, value)).collect();
            cases = cases.iter().flat_map::<Vec<_>, _>(with).collect();
        }
        let sorts: Vec<usize> = vars.iter().filter_map(|var| self.model.numbers[var.number]).collect();
        let mut closed = Vec::new();
        for case in &cases {
            closed.push(quantified(sign, &sorts, below(self, case)?));
        }
        Ok(joined(if sign == "!" { "&" } else { "|" }, closed))
    }

    /// Closes a term or formula of the model.
    fn expr(&mut self, expr: &'m Expr<'m>, outside: &Scope<'m>) -> Result<Closed> {
        self.budget.spend(1)?;
        if outside.depth == MAX_DEPTH {
            return refuse(self.budget.at, "the formula is too deep when its definitions are expanded");
        }
        let scope = &Scope { depth: outside.depth + 1, ..outside.clone() };
        let (text, parts) = (expr.root.text, &expr.parts);
        match text {
            "true" | "false" => Ok(truth(text == "true")),
            "!" => Ok(formula("~", self.exprs(parts, scope)?)),
            "->" => Ok(formula(">", self.exprs(parts, scope)?)),
            "=" | "<->" | "!=" => {
                let [a, b] = [self.expr(&parts[0], scope)?, self.expr(&parts[1], scope)?];
                let equality = self.budget.lifted(equality(a, b))?;
                Ok(if text == "!=" { formula("~", vec![equality]) } else { equality })
            }
            "&" | "|" => {
                // One of the same kind that is first, in `old(..)`, is continued.
                let first = match self.model.meanings.get(&parts[0].root.at) {
                    Some(Meaning::Old) if parts[0].parts[0].root.text == text => &parts[0].parts[0].parts[..],
                    _ => &parts[..1],
                };
                let mut closed = self.exprs(first, scope)?;
                closed.extend(self.exprs(&parts[1..], scope)?);
                Ok(joined(text, closed))
            }
            "distinct" => {
                let parts = self.exprs(parts, scope)?;
                self.budget.distinct(&parts)
            }
            "forall" | "exists" => {
                let sign = if text == "forall" { "!" } else { "?" };
                self.block(sign, &expr.vars, scope, &|closing, scope| closing.expr(&parts[0], scope))
            }
            "if" => {
                let parts = self.exprs(parts, scope)?;
                self.budget.choice(parts)
            }
            "let" => {
                let value = Value::Written(&parts[0], Rc::new(scope.clone()));
                self.expr(&parts[1], &scope.with(expr.vars[0].number, &value))
            }
            // Its names know their state.
            "new" => self.expr(&parts[0], scope),
            _ => self.reference(expr, scope),
        }
    }

    fn exprs(&mut self, exprs: &'m [Expr<'m>], scope: &Scope<'m>) -> Result<Vec<Closed>> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    fn reference(&mut self, expr: &'m Expr<'m>, scope: &Scope<'m>) -> Result<Closed> {
        let (model, args) = (self.model, &expr.parts);
        match model.meanings.get(&expr.root.at) {
            Some(Meaning::Old) => self.expr(&args[0], scope),
            Some(Meaning::Variable(number)) => match (scope.values.get(number), model.numbers[*number]) {
                (Some(Value::Bound(binder)), Some(sort)) => Ok(variable(scope.binders - 1 - binder, sort)),
                (Some(Value::Truth(value)), _) => Ok(truth(*value)),
                (Some(Value::Written(expr, there)), _) => {
                    let there = Scope::clone(there);
                    self.expr(expr, &Scope { binders: scope.binders, depth: scope.depth, ..there })
                }
                _ => refuse(expr.root.at, "this variable has no value"),
            },
            Some(Meaning::Safety(state)) => {
                let there = Scope { state: scope.state + state, values: BTreeMap::new(), ..*scope };
                let safeties = (0..model.decls.len()).filter(|index| model.decls[*index].word == "safety");
                let safeties: Result<_> = safeties.map(|index| self.body(index, &there)).collect();
                Ok(joined("&", safeties?))
            }
            Some(Meaning::Declared(index, state)) if !model.decls[*index].sorts.is_empty() => {
                let args = self.exprs(args, scope)?;
                self.budget.lifted(self.apply(*index, scope.state + state, args))
            }
            Some(Meaning::Declared(index, state)) if self.relations.contains_key(index) => {
                let args = self.exprs(args, scope)?;
                self.budget.lifted(related(self.relations[index], scope.state + state, args))
            }
            Some(Meaning::Declared(index, state)) => {
                let written = Rc::new(scope.clone());
                let params = model.decls[*index].params.iter().map(|param| param.number);
                let args = args.iter().map(|arg| Value::Written(arg, Rc::clone(&written)));
                let values = params.zip(args).collect();
                self.body(*index, &Scope { values, state: scope.state + state, ..*scope })
            }
            None => refuse(expr.root.at, "this name has no meaning"),
        }
    }

    /// Returns a symbol applied in a state.
    fn apply(&self, index: usize, state: usize, parts: Vec<Closed>) -> Closed {
        let decl = &self.model.decls[index];
        let sort = decl.sorts.last().and_then(|sort| self.model.sorts.get(sort.text).copied());
        let state = (decl.word != "immutable").then_some(state);
        let number = self.model.decls[..index].iter().filter(|other| kind(other) == kind(decl)).count();
        applied(state, number, sort, parts)
    }
}

/// Returns the relation that a definition is, applied in a state.
fn related((number, changes): (usize, bool), state: usize, parts: Vec<Closed>) -> Closed {
    applied(changes.then_some(state), number, None, parts)
}

impl<'e> Scope<'e> {
    fn with(&self, variable: usize, value: &Value<'e>) -> Scope<'e> {
        let mut inner = self.clone();
        inner.binders += usize::from(matches!(value, Value::Bound(_)));
        inner.values.insert(variable, value.clone());
        inner
    }
}

/// What is declared: a `sort`, a `function` or constant, a `relation`, or something else.
fn kind<'t>(decl: &Decl<'t>) -> &'t str {
    match decl.sorts.last() {
        Some(result) if result.text == "bool" => "relation",
        Some(_) => "function",
        None => decl.word,
    }
}
