//! Names, sorts and states.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Model, Sort, Symbol, Term, Unit, Uses};
use super::syntax::{Binder, Component, Decl, DeclKind, Expr, Kind, Name, Role, SortName, SymbolKind};
use crate::refusal::{Refused, refuse};

/// What a name means that is not a variable.
#[derive(Clone, Copy)]
enum Meaning {
    Symbol(usize),
    Unit(usize),
}

/// What is checked of all formulas together, and where the checker is.
struct Checker<'m, 't> {
    model: Model<'t>,
    sorts: BTreeMap<&'t str, usize>,
    names: BTreeMap<&'t str, Meaning>,
    /// By variable, its place in the text.
    places: Vec<usize>,
    /// What is known of a unit before its formula is: what it is, and its parameters.
    heads: Vec<(Role, Vec<usize>)>,
    is_older: bool,
    /// How many states the formula speaks of.
    states: usize,
    /// The state in which a symbol is read here.
    state: usize,
    /// Whether this is inside of `old(..)`.
    in_old: bool,
    /// In a transition, the names in `modifies`.
    modified: Option<&'m [Name<'t>]>,
    /// The variables in scope, from the outermost one.
    scope: Vec<(&'t str, usize)>,
    uses: Uses,
}

/// Checks declarations, in the older dialect or the newer one.
pub(super) fn model<'t>(decls: &[Decl<'t>], is_older: bool) -> Result<Model<'t>, Refused> {
    let mut checker = Checker {
        model: Model::default(),
        sorts: BTreeMap::new(),
        names: BTreeMap::new(),
        places: Vec::new(),
        heads: Vec::new(),
        is_older,
        states: 0,
        state: 0,
        in_old: false,
        modified: None,
        scope: Vec::new(),
        uses: Uses::default(),
    };
    checker.declare(decls)?;
    for decl in decls {
        checker.decl(decl)?;
    }
    for variable in 0..checker.places.len() {
        let sort = checker.resolved(Sort::Of(variable));
        if let Sort::Of(_) = sort {
            return refuse(checker.places[variable], "nothing tells the sort of this variable");
        }
        checker.model.variables[variable] = sort;
    }
    checker.uses()?;
    Ok(checker.model)
}

impl<'m, 't> Checker<'m, 't> {
    /// Declares all sorts, then all symbols, then all formulas with their parameters.
    fn declare(&mut self, decls: &'m [Decl<'t>]) -> Result<(), Refused> {
        for decl in decls {
            if let DeclKind::Sort(name) = decl.kind {
                if self.sorts.insert(name.text, self.model.sorts.len()).is_some() {
                    return refuse(name.at, format!("the sort `{}` is declared twice", name.text));
                }
                self.model.sorts.push(name.text);
            }
        }
        let mut numbers = [0, 0];
        for decl in decls {
            if let DeclKind::Symbol { kind, name, args, result, .. } = &decl.kind {
                let mut sorts = Vec::new();
                for arg in args {
                    match self.sort(arg)? {
                        Sort::Declared(sort) => sorts.push(sort),
                        _ => return refuse(name.at, "`bool` cannot be the sort of an argument"),
                    }
                }
                let result = self.sort(result)?;
                let number = &mut numbers[usize::from(result == Sort::Bool)];
                self.model.symbols.push(Symbol {
                    name: name.text,
                    kind: *kind,
                    args: sorts,
                    result,
                    number: *number,
                });
                *number += 1;
                self.name(*name, Meaning::Symbol(self.model.symbols.len() - 1))?;
            }
        }
        let mut symbols = 0;
        for decl in decls {
            let head = match &decl.kind {
                DeclKind::Symbol { meaning, .. } => {
                    symbols += 1;
                    if meaning.is_none() {
                        continue;
                    }
                    (Role::Derived(symbols - 1), Vec::new())
                }
                DeclKind::Formula { role, .. } => (*role, Vec::new()),
                DeclKind::Macro { role, params, .. } => {
                    let vars = params.iter().map(|param| self.variable(param)).collect::<Result<_, _>>()?;
                    (*role, vars)
                }
                DeclKind::Sort(_) | DeclKind::Trace(_) => continue,
            };
            if let (Some(name), false) = (decl.name(), matches!(head.0, Role::Derived(_))) {
                self.name(name, Meaning::Unit(self.heads.len()))?;
            }
            self.heads.push(head);
        }
        Ok(())
    }

    fn name(&mut self, name: Name<'t>, meaning: Meaning) -> Result<(), Refused> {
        match self.names.insert(name.text, meaning) {
            Some(_) => refuse(name.at, format!("the name `{}` is declared twice", name.text)),
            None => Ok(()),
        }
    }

    fn sort(&self, sort: &SortName<'t>) -> Result<Sort, Refused> {
        let SortName::Named(name) = sort else { return Ok(Sort::Bool) };
        match self.sorts.get(name.text) {
            Some(sort) => Ok(Sort::Declared(*sort)),
            None => refuse(name.at, format!("the sort `{}` is not declared", name.text)),
        }
    }

    /// Makes a variable, of its sort or of one to be inferred.
    fn variable(&mut self, binder: &Binder<'t>) -> Result<usize, Refused> {
        let variable = self.places.len();
        let sort = binder.sort.as_ref().map_or(Ok(Sort::Of(variable)), |sort| self.sort(sort))?;
        self.model.variables.push(sort);
        self.places.push(binder.name.at);
        Ok(variable)
    }

    /// Brings the variables of a binder into scope.
    fn bind(&mut self, binders: &[Binder<'t>], variables: &[usize]) -> Result<(), Refused> {
        let mut seen = BTreeSet::new();
        for (binder, variable) in binders.iter().zip(variables) {
            let Name { text, at } = binder.name;
            if self.names.contains_key(text) {
                return refuse(at, format!("the variable `{text}` has the name of a declaration"));
            }
            if !seen.insert(text) {
                return refuse(at, format!("the variable `{text}` is bound twice"));
            }
            self.scope.push((text, *variable));
        }
        Ok(())
    }

    /// Checks the formulas of a declaration.
    fn decl(&mut self, decl: &'m Decl<'t>) -> Result<(), Refused> {
        let (params, names, formula): (&[Binder<'t>], _, _) = match &decl.kind {
            DeclKind::Symbol { meaning: Some(formula), .. } => (&[], None, formula),
            DeclKind::Formula { formula, .. } => (&[], None, formula),
            DeclKind::Macro { params, modifies, body, .. } => (params, modifies.as_deref(), body),
            DeclKind::Sort(_) | DeclKind::Symbol { meaning: None, .. } => return Ok(()),
            DeclKind::Trace(components) => {
                return components.iter().try_for_each(|component| self.component(component));
            }
        };
        let (role, variables) = self.heads[self.model.units.len()].clone();
        self.states = role.states();
        self.scope.clear();
        self.bind(params, &variables)?;
        let mut modifies = Vec::new();
        for name in names.unwrap_or_default() {
            match self.names.get(name.text) {
                Some(Meaning::Symbol(at))
                    if self.model.symbols[*at].kind == SymbolKind::Mutable && self.states == 2 =>
                {
                    modifies.push(*at);
                }
                _ => return refuse(name.at, format!("`{}` cannot be modified here", name.text)),
            }
        }
        self.modified = (role == Role::Transition).then_some(names.unwrap_or_default());
        let (closure, formula) = self.closed(formula)?;
        self.model.units.push(Unit {
            role,
            name: decl.name().map(|name| name.text),
            at: decl.at,
            params: variables,
            closure,
            modifies,
            formula,
            uses: std::mem::take(&mut self.uses),
        });
        Ok(())
    }

    /// Checks a component of a trace, which is no part of the closed system.
    fn component(&mut self, component: &Component<'t>) -> Result<(), Refused> {
        (self.states, self.modified) = (1, None);
        self.scope.clear();
        match component {
            Component::Assert(formula) => {
                self.closed(formula)?;
            }
            Component::Call(name, args) => {
                let params = match self.names.get(name.text) {
                    Some(Meaning::Unit(unit)) if self.heads[*unit].0 == Role::Transition => {
                        self.heads[*unit].1.clone()
                    }
                    _ => return refuse(name.at, format!("`{}` is no transition", name.text)),
                };
                if args.as_ref().is_some_and(|args| args.len() != params.len()) {
                    return refuse(name.at, format!("`{}` has another number of parameters", name.text));
                }
                for (arg, param) in args.iter().flatten().zip(params) {
                    if let Some(arg) = arg {
                        self.expect(arg, Sort::Of(param))?;
                    }
                }
            }
        }
        self.uses = Uses::default();
        Ok(())
    }

    /// Checks a formula, in which free names in capital letters are variables. Returns these.
    fn closed(&mut self, formula: &Expr<'t>) -> Result<(Vec<usize>, Term), Refused> {
        let mut bound: Vec<&str> = self.scope.iter().map(|(name, _)| *name).collect();
        let mut capitals = Vec::new();
        free_capitals(formula, &mut bound, &mut capitals);
        let binders: Vec<Binder<'t>> = capitals.into_iter().map(|name| Binder { name, sort: None }).collect();
        let closure = binders.iter().map(|var| self.variable(var)).collect::<Result<Vec<_>, _>>()?;
        self.bind(&binders, &closure)?;
        let formula = self.expect(formula, Sort::Bool)?;
        Ok((closure, formula))
    }

    /// Returns what is known of a sort.
    fn resolved(&self, mut sort: Sort) -> Sort {
        while let Sort::Of(variable) = sort {
            if self.model.variables[variable] == sort {
                break;
            }
            sort = self.model.variables[variable];
        }
        sort
    }

    /// Makes two sorts one.
    fn unify(&mut self, a: Sort, b: Sort, at: usize) -> Result<(), Refused> {
        match (self.resolved(a), self.resolved(b)) {
            (a, b) if a == b => Ok(()),
            (Sort::Of(variable), sort) | (sort, Sort::Of(variable)) => {
                self.model.variables[variable] = sort;
                Ok(())
            }
            _ => refuse(at, "this has another sort than is expected here"),
        }
    }

    /// Checks an expression of a sort.
    fn expect(&mut self, expr: &Expr<'t>, sort: Sort) -> Result<Term, Refused> {
        let (term, found) = self.expr(expr)?;
        self.unify(found, sort, expr.at)?;
        Ok(term)
    }

    /// Checks the operands of a conjunction, or of a disjunction. One of the same kind in `old(..)` at the beginning is
    /// continued.
    fn operands(&mut self, exprs: &[Expr<'t>], is_and: bool) -> Result<Vec<Term>, Refused> {
        let mut terms = Vec::new();
        for expr in exprs {
            let is_old =
                matches!(&expr.kind, Kind::Name(name, _, Some(_)) if self.is_older && name.text == "old");
            match (self.expect(expr, Sort::Bool)?, is_and) {
                (Term::And(items), true) | (Term::Or(items), false) if is_old && terms.is_empty() => {
                    terms = items
                }
                (term, _) => terms.push(term),
            }
        }
        Ok(terms)
    }

    /// Checks expressions of one sort, and returns it.
    fn alike(&mut self, exprs: &[Expr<'t>]) -> Result<(Vec<Term>, Sort), Refused> {
        let (mut terms, mut common) = (Vec::new(), None);
        for expr in exprs {
            let (term, sort) = self.expr(expr)?;
            self.unify(sort, *common.get_or_insert(sort), expr.at)?;
            terms.push(term);
        }
        Ok((terms, common.unwrap_or(Sort::Bool)))
    }

    fn expr(&mut self, expr: &Expr<'t>) -> Result<(Term, Sort), Refused> {
        let term = match &expr.kind {
            Kind::Truth(value) => Term::Truth(*value),
            Kind::Name(name, primes, args) => return self.reference(*name, *primes, args.as_deref()),
            Kind::New(inner) => {
                if self.state + 1 >= self.states {
                    return refuse(expr.at, "there is no next state here");
                }
                self.state += 1;
                let inner = self.expr(inner)?;
                self.state -= 1;
                return Ok(inner);
            }
            Kind::Not(inner) => Term::Not(Box::new(self.expect(inner, Sort::Bool)?)),
            Kind::And(items) => Term::And(self.operands(items, true)?),
            Kind::Or(items) => Term::Or(self.operands(items, false)?),
            Kind::Distinct(items) => Term::Distinct(self.alike(items)?.0),
            Kind::Implies(sides) => {
                let [a, b] = &**sides;
                Term::Implies(Box::new([self.expect(a, Sort::Bool)?, self.expect(b, Sort::Bool)?]))
            }
            Kind::Iff(sides) => {
                let [a, b] = &**sides;
                Term::Equal(Box::new([self.expect(a, Sort::Bool)?, self.expect(b, Sort::Bool)?]))
            }
            Kind::Equal(sides) => self.equal(sides)?,
            Kind::NotEqual(sides) => Term::Not(Box::new(self.equal(sides)?)),
            Kind::Quantifier(is_universal, binders, body) => {
                let vars = binders.iter().map(|var| self.variable(var)).collect::<Result<Vec<_>, _>>()?;
                let outside = self.scope.len();
                self.bind(binders, &vars)?;
                let body = Box::new(self.expect(body, Sort::Bool)?);
                self.scope.truncate(outside);
                Term::Quantifier { is_universal: *is_universal, vars, body }
            }
            Kind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.expect(condition, Sort::Bool)?;
                let (then, sort) = self.expr(then)?;
                let otherwise = self.expect(otherwise, sort)?;
                return Ok((Term::If(Box::new([condition, then, otherwise])), sort));
            }
            Kind::Let(binder, parts) => {
                let [value, body] = &**parts;
                let variable = self.variable(binder)?;
                let value = self.expect(value, Sort::Of(variable))?;
                let outside = self.scope.len();
                self.bind(std::slice::from_ref(binder), &[variable])?;
                let (body, sort) = self.expr(body)?;
                self.scope.truncate(outside);
                return Ok((Term::Let(variable, Box::new([value, body])), sort));
            }
        };
        Ok((term, Sort::Bool))
    }

    fn equal(&mut self, sides: &[Expr<'t>; 2]) -> Result<Term, Refused> {
        let (a, sort) = self.expr(&sides[0])?;
        let b = self.expect(&sides[1], sort)?;
        Ok(Term::Equal(Box::new([a, b])))
    }

    /// Checks a name, which is not `old` in the older dialect.
    fn reference(
        &mut self,
        name: Name<'t>,
        primes: usize,
        args: Option<&[Expr<'t>]>,
    ) -> Result<(Term, Sort), Refused> {
        let Name { text, at } = name;
        if let (true, "old", Some(args)) = (self.is_older, text, args) {
            let ([inner], 2, false) = (args, self.states, self.in_old) else {
                return refuse(
                    at,
                    "`old` is for one expression, over two states, that is not in `old(..)` already",
                );
            };
            self.in_old = true;
            let inner = self.expr(inner)?;
            self.in_old = false;
            return Ok(inner);
        }
        if let Some((_, variable)) = self.scope.iter().rev().find(|(bound, _)| *bound == text) {
            return match (primes, args) {
                (0, None) => Ok((Term::Variable(*variable), Sort::Of(*variable))),
                _ => refuse(at, "a variable has no primes and no arguments"),
            };
        }
        let is_new = self.is_older && self.states == 2 && !self.in_old;
        let state = self.state + primes;
        if text == "safety" {
            let state = state + usize::from(is_new);
            let units = self.heads.iter().enumerate().filter(|(_, head)| head.0 == Role::Safety);
            self.uses.units.extend(units.map(|(unit, _)| (unit, state)));
            return match state < self.states {
                true => Ok((Term::Safety { state }, Sort::Bool)),
                false => refuse(at, "there is no such state here"),
            };
        }
        match self.names.get(text).copied() {
            Some(Meaning::Symbol(symbol)) => {
                let Symbol { kind, args: ref sorts, result, .. } = self.model.symbols[symbol];
                let sorts: Vec<Sort> = sorts.iter().map(|sort| Sort::Declared(*sort)).collect();
                let may_change = kind == SymbolKind::Derived
                    || self.modified.is_none_or(|modified| modified.iter().any(|other| other.text == text));
                let state = state + usize::from(is_new && kind != SymbolKind::Immutable && may_change);
                let state = match kind {
                    SymbolKind::Immutable if primes > 0 => {
                        return refuse(at, "an immutable symbol has no primes");
                    }
                    SymbolKind::Immutable => 0,
                    _ if state >= self.states => return refuse(at, "there is no such state here"),
                    _ => {
                        self.uses.symbols.push((symbol, state));
                        state
                    }
                };
                let args = self.arguments(name, args, &sorts)?;
                Ok((Term::Symbol { symbol, state, args }, result))
            }
            Some(Meaning::Unit(unit)) => {
                let (role, params) = &self.heads[unit];
                let states = role.states();
                let sorts: Vec<Sort> = params.iter().map(|param| Sort::Of(*param)).collect();
                let state = state + usize::from(is_new && states == 1);
                // A formula over no state can be primed where the state exists.
                let is_there = state + states.max(1) <= self.states || states == 0 && state == 0;
                if !is_there || states == 2 && self.in_old {
                    return refuse(at, "there are no such states here");
                }
                self.uses.units.push((unit, state));
                let args = self.arguments(name, args, &sorts)?;
                Ok((Term::Unit { unit, state, args }, Sort::Bool))
            }
            None => refuse(at, format!("`{text}` is not declared")),
        }
    }

    fn arguments(
        &mut self,
        name: Name<'t>,
        args: Option<&[Expr<'t>]>,
        sorts: &[Sort],
    ) -> Result<Vec<Term>, Refused> {
        // Parentheses with nothing in them are not allowed.
        if args.map_or(0, <[_]>::len) != sorts.len() || args.is_some_and(<[_]>::is_empty) {
            return refuse(name.at, format!("`{}` has another number of arguments", name.text));
        }
        args.unwrap_or_default().iter().zip(sorts).map(|(arg, sort)| self.expect(arg, *sort)).collect()
    }

    /// Checks what formulas use: none uses itself, claims use a symbol that is not immutable, and a transition modifies the
    /// symbols that it reads in the new state.
    fn uses(&self) -> Result<(), Refused> {
        let units = &self.model.units;
        let reads_state = self.not_recursive()?;
        for (index, unit) in units.iter().enumerate() {
            if matches!(unit.role, Role::Invariant | Role::Safety) && !reads_state[index] {
                return refuse(unit.at, "the claim does not depend on the state");
            }
            if unit.role != Role::Transition {
                continue;
            }
            let mut found = BTreeSet::from([(index, 0)]);
            let mut open = vec![(index, 0)];
            let mut read = BTreeSet::new();
            while let Some((next, shift)) = open.pop() {
                let uses = &units[next].uses;
                let in_new = uses.symbols.iter().filter(|(symbol, state)| {
                    state + shift > 0 && self.model.symbols[*symbol].kind == SymbolKind::Mutable
                });
                read.extend(in_new.map(|(symbol, _)| *symbol));
                let units = uses.units.iter().map(|(unit, state)| (*unit, state + shift));
                open.extend(units.filter(|unit| found.insert(*unit)));
            }
            if read != unit.modifies.iter().copied().collect() {
                return refuse(
                    unit.at,
                    "`modifies` has other symbols than those that are read in the new state",
                );
            }
        }
        Ok(())
    }

    /// Refuses units that use themselves. Returns of each whether it reads a symbol that is not immutable, itself or by way
    /// of others.
    fn not_recursive(&self) -> Result<Vec<bool>, Refused> {
        let units = &self.model.units;
        let mut users: Vec<Vec<usize>> = units.iter().map(|_| Vec::new()).collect();
        let mut waiting: Vec<usize> = units.iter().map(|unit| unit.uses.units.len()).collect();
        for (index, unit) in units.iter().enumerate() {
            unit.uses.units.iter().for_each(|(used, _)| users[*used].push(index));
        }
        let mut reads_state: Vec<bool> = units.iter().map(|unit| !unit.uses.symbols.is_empty()).collect();
        let mut ready: Vec<usize> = (0..units.len()).filter(|unit| waiting[*unit] == 0).collect();
        while let Some(unit) = ready.pop() {
            for user in &users[unit] {
                reads_state[*user] |= reads_state[unit];
                waiting[*user] -= 1;
                if waiting[*user] == 0 {
                    ready.push(*user);
                }
            }
        }
        match waiting.iter().position(|count| *count > 0) {
            Some(unit) => refuse(units[unit].at, "this uses itself, or something that does"),
            None => Ok(reads_state),
        }
    }
}

/// Finds the free names in capital letters and without arguments, in the order of their first occurrences.
fn free_capitals<'t>(expr: &Expr<'t>, bound: &mut Vec<&'t str>, found: &mut Vec<Name<'t>>) {
    let outside = bound.len();
    let [value, parts] = match &expr.kind {
        Kind::Name(name, _, None) => {
            let is_capital = name.text.contains(|c: char| c.is_ascii_uppercase())
                && !name.text.contains(|c: char| c.is_ascii_lowercase());
            let is_known = bound.contains(&name.text) || found.iter().any(|other| other.text == name.text);
            if is_capital && !is_known {
                found.push(*name);
            }
            return;
        }
        Kind::Let(_, parts) => [&parts[..1], &parts[1..]],
        kind => [&[][..], kind.parts()],
    };
    value.iter().for_each(|part| free_capitals(part, bound, found));
    match &expr.kind {
        Kind::Let(var, _) => bound.push(var.name.text),
        Kind::Quantifier(_, vars, _) => bound.extend(vars.iter().map(|var| var.name.text)),
        _ => {}
    }
    parts.iter().for_each(|part| free_capitals(part, bound, found));
    bound.truncate(outside);
}
