//! Fields of structures: `x.f` is `f(x)`, and `x.f := v` gives `x` the value that differs from it in this field alone.

use std::rc::Rc;

use super::state::{Context, Field, Found, Known, Program, Sorts, assign, block, symbol};
use super::tree::{Binder, Expr, Kind, Name};
use crate::program::term::{Term, What, applied_name, block as quantified, joined, not, operator, variable};
use crate::program::tree::{Command, Role};
use crate::refusal::{Result, refuse};

/// A value with fields after it: the value's symbol or variable and its type, the functions that are the fields, and the
/// arguments that the last one has apart from its value.
pub(super) struct Path {
    pub(super) name: Name,
    pub(super) var: Option<usize>,
    pub(super) args: Vec<Term>,
    /// The value before the fields, where that is of a definition.
    pub(super) expanded: Option<Term>,
    sort: Option<Rc<str>>,
    pub(super) fields: Vec<Rc<str>>,
    pub(super) rest: Vec<Term>,
}

impl Path {
    /// Returns the value before the fields.
    fn value(&self) -> Term {
        match (&self.expanded, self.var) {
            (Some(value), _) => value.clone(),
            (None, Some(var)) => variable(var),
            (None, None) => applied_name(self.name.clone(), self.args.clone()),
        }
    }

    /// Returns the value of the last field.
    pub(super) fn read(&self) -> Term {
        let mut value = self.value();
        for (at, field) in self.fields.iter().enumerate() {
            let mut args = vec![value];
            if at + 1 == self.fields.len() {
                args.extend(self.rest.iter().cloned());
            }
            value = applied_name(Name { text: field.clone(), at: self.name.at }, args);
        }
        value
    }
}

/// Returns the variable that a term is, if it is one of these.
fn variable_among(term: &Term, vars: &[usize]) -> Option<usize> {
    match term.what {
        What::Variable(var) if vars.contains(&var) => Some(var),
        _ => None,
    }
}

impl Program<'_> {
    /// Returns whether a function is a field.
    pub(super) fn is_field(&self, function: &str) -> bool {
        self.fields.values().flatten().any(|field| *field.function == *function)
    }

    /// Returns that values of a type with equal fields are equal.
    pub(super) fn extensionality(&mut self, sort: &Rc<str>, at: usize) -> Option<Term> {
        let fields = self.fields.get(sort)?.clone();
        let [x, y] = ["X", "Y"].map(|name| {
            self.bound(Binder { name: Name { text: name.into(), at }, sort: Some(sort.clone()) })
        });
        let mut parts = Vec::new();
        for field in &fields {
            let further = self.symbols[&field.function].args[1..].to_vec();
            let further: Vec<_> = further
                .into_iter()
                .map(|sort| self.bound(Binder { name: Name { text: "X".into(), at }, sort: Some(sort) }))
                .collect();
            let read = |of| {
                let args = std::iter::once(of).chain(further.iter().copied()).map(variable).collect();
                applied_name(Name { text: field.function.clone(), at }, args)
            };
            let mut same = operator("=", vec![read(x), read(y)]);
            if !further.is_empty() {
                same = quantified("!", further.clone(), same);
            }
            parts.push(not(&same));
        }
        parts.push(operator("=", vec![variable(x), variable(y)]));
        Some(quantified("!", vec![x, y], operator("|", parts)))
    }

    /// Returns the fields that a name with dots and these arguments reads.
    pub(super) fn path(
        &mut self,
        name: &Name,
        args: &[Term],
        context: &Context,
        found: &mut Found,
    ) -> Result<Option<Path>> {
        let dots: Vec<usize> = name.text.match_indices('.').map(|(at, _)| at).collect();
        for dot in dots.into_iter().rev() {
            let value = Name { text: name.text[..dot].into(), at: name.at };
            let Some(mut path) = self.base(&value, args, context, found)? else { continue };
            let mut sort = path.sort.clone();
            let mut is_path = true;
            for part in name.text[dot + 1..].split('.') {
                let fields = sort.as_ref().and_then(|sort| self.fields.get(sort)).into_iter().flatten();
                let field = fields.into_iter().find(|field| *field.name == *part);
                let Some(field) = field else {
                    is_path = false;
                    break;
                };
                sort = self.symbols[&field.function].result.clone();
                path.fields.push(field.function.clone());
            }
            if is_path {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Returns what is before the fields: a variable of commands, or a symbol with its arguments. The others remain.
    fn base(
        &mut self,
        name: &Name,
        args: &[Term],
        context: &Context,
        found: &mut Found,
    ) -> Result<Option<Path>> {
        let (full, mut all) = match context.get(&name.text).cloned() {
            Some(Known::Variable(var)) => {
                let is_local = self.locals.iter().any(|local| local.var == var);
                let variable = &self.variables[var];
                let sort = variable.sort.as_ref().map(|sort| sort.text.clone());
                let (name, args, rest) = (variable.name.clone(), Vec::new(), args.to_vec());
                let (expanded, fields) = (None, Vec::new());
                let path = Path { name, var: Some(var), args, expanded, sort, fields, rest };
                return Ok(is_local.then_some(path));
            }
            Some(Known::Symbol(text)) => (text, Vec::new()),
            Some(Known::Free(_)) => return Ok(None),
            None => self.global(name, context, found)?,
        };
        let Some(Sorts { args: sorts, result }) = self.symbols.get(&full) else { return Ok(None) };
        let split = sorts.len().checked_sub(all.len()).and_then(|own| args.split_at_checked(own));
        let Some((own, rest)) = split else { return Ok(None) };
        all.extend_from_slice(own);
        let (sort, rest) = (result.clone(), rest.to_vec());
        let expanded = if self.functions.contains_key(&full) {
            Some(self.defined_function(&full, all.clone(), name.at, context, found)?)
        } else {
            None
        };
        let name = Name { text: full, at: name.at };
        Ok(Some(Path { name, var: None, args: all, expanded, sort, fields: Vec::new(), rest }))
    }

    /// Returns the action that a name with dots calls on a value, if the last part of the name is an action of the object
    /// that the value's type is; and the value.
    pub(super) fn method(
        &mut self,
        name: &Name,
        context: &Context,
        found: &mut Found,
    ) -> Result<Option<(Rc<str>, Term)>> {
        let Some((value, action)) = name.text.rsplit_once('.') else { return Ok(None) };
        let value = Name { text: value.into(), at: name.at };
        let base = self.base(&value, &[], context, found)?;
        let path = if base.is_some() { base } else { self.path(&value, &[], context, found)? };
        let Some(path) = path else { return Ok(None) };
        let last = path.fields.last().map(|field| self.symbols[field].result.clone());
        let Some(sort) = last.unwrap_or_else(|| path.sort.clone()) else { return Ok(None) };
        let action: Rc<str> = format!("{sort}.{action}").into();
        Ok(self.actions.contains_key(&action).then(|| (action, path.read())))
    }

    /// Returns the function or relation that a name with dots applies to a value, if its last part is one of the object that the
    /// value's type is; and its arguments.
    pub(super) fn applied(
        &mut self,
        name: &Name,
        args: &[Term],
        context: &Context,
        found: &mut Found,
    ) -> Result<Option<(Rc<str>, Vec<Term>)>> {
        let Some((value, function)) = name.text.rsplit_once('.') else { return Ok(None) };
        let value = Name { text: value.into(), at: name.at };
        let (path, rest) = match self.base(&value, args, context, found)? {
            Some(mut path) => {
                let rest = std::mem::take(&mut path.rest);
                (path, rest)
            }
            None => match self.path(&value, &[], context, found)? {
                Some(path) => (path, args.to_vec()),
                None => return Ok(None),
            },
        };
        let last = path.fields.last().map(|field| self.symbols[field].result.clone());
        let Some(sort) = last.unwrap_or_else(|| path.sort.clone()) else { return Ok(None) };
        let function: Rc<str> = format!("{sort}.{function}").into();
        let first = self.symbols.get(&function).and_then(|it| it.args.first());
        if first != Some(&sort) {
            return Ok(None);
        }
        Ok(Some((function, std::iter::once(path.read()).chain(rest).collect())))
    }

    /// Returns the name and the arguments that a field has with a dot, `s.f` and `y` of `f(s, y)`, if an expression has it as
    /// a function.
    fn dotted<'e>(&self, expr: &'e Expr, context: &Context) -> Option<(String, Vec<&'e Expr>)> {
        let Kind::Name { text, .. } = &expr.kind else { return None };
        let function = self.function_named(text, context);
        let field = self.fields.values().flatten().find(|field| field.function == function)?;
        let (value, rest) = expr.parts.split_first()?;
        let Kind::Name { text, .. } = &value.kind else { return None };
        let plain = || (text.to_string(), value.parts.iter().collect());
        let (path, mut args) = self.dotted(value, context).unwrap_or_else(plain);
        args.extend(rest);
        Some((format!("{path}.{}", field.name), args))
    }

    /// Returns the symbol that a name is.
    pub(super) fn function_named(&self, text: &str, context: &Context) -> Rc<str> {
        match context.get(text) {
            Some(Known::Symbol(text)) => text.clone(),
            _ => self.scopes.resolve(context.scope, text).0,
        }
    }

    /// Returns the field on the left side of an assignment, if it is one, with the variables among its arguments.
    pub(super) fn field_target(
        &mut self,
        expr: &Expr,
        context: &Context,
        out: &mut Vec<Command>,
    ) -> Result<Option<(Path, Found)>> {
        let Kind::Name { text, is_old: false, .. } = &expr.kind else { return Ok(None) };
        let (name, args) = match self.dotted(expr, context) {
            Some(dotted) => dotted,
            None if !text.contains('.') || context.get(text).is_some() => return Ok(None),
            None if self.globals.contains(&self.scopes.resolve(context.scope, text).0) => return Ok(None),
            None => (text.to_string(), expr.parts.iter().collect()),
        };
        let mut found = Found::default();
        let mut resolved = Vec::new();
        for arg in args {
            resolved.push(self.expr(arg, &mut context.clone(), &mut found)?);
        }
        let name = Name { text: name.into(), at: expr.at };
        let Some(path) = self.path(&name, &resolved, context, &mut found)? else { return Ok(None) };
        out.append(&mut found.before);
        let further = |field: &Rc<str>| self.symbols[field].args.len() - 1;
        let fits = match path.fields.split_last() {
            Some((last, inner)) => {
                inner.iter().all(|it| further(it) == 0) && further(last) == path.rest.len()
            }
            None => true,
        };
        let args = path.args.iter().chain(&path.rest);
        let alone: Vec<usize> = args.filter_map(|arg| variable_among(arg, &found.free)).collect();
        let is_repeated = (1..alone.len()).any(|at| alone[..at].contains(&alone[at]));
        if !fits || is_repeated || path.expanded.is_some() || self.is_field(&path.name.text) {
            return refuse(expr.at, "this field cannot be assigned so");
        }
        Ok(Some((path, found)))
    }

    /// Changes a field: what has it becomes another value, whose other fields are those that it had, and so on outwards. For
    /// variables among the arguments of what has it, these are the values of a new function.
    pub(super) fn assign_field(
        &mut self,
        path: Path,
        free: &[usize],
        value: &Term,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let (outside, at) = (self.locals.len(), path.name.at);
        let mut vars = Vec::new();
        for (place, arg) in path.args.iter().enumerate() {
            if let Some(var) = variable_among(arg, free) {
                let sort = self.symbols[&path.name.text].args[place].clone();
                self.variables[var].sort = Some(Name { text: sort, at });
                vars.push(var);
            }
        }
        let (mut body, mut after) = (Vec::new(), Vec::new());
        let mut sort = path.sort.clone();
        for field in &path.fields {
            if let Some(sort) = sort {
                after.push(self.changed(&sort, &vars, at, &mut body)?);
            }
            sort = self.symbols[field].result.clone();
        }
        let (mut sort, mut before) = (path.sort.clone(), path.value());
        for (level, changed) in path.fields.iter().enumerate() {
            let fields = sort.as_ref().and_then(|sort| self.fields.get(sort)).cloned().unwrap_or_default();
            for Field { function, .. } in fields {
                let is_last = level + 1 == path.fields.len();
                let sides = [&after[level], &before];
                let (formula, own) = if function != *changed {
                    self.kept(&function, sides, None, &vars, free, at)
                } else if is_last {
                    self.kept(&function, sides, Some((&path.rest, value)), &vars, free, at)
                } else {
                    let read = applied_name(Name { text: function, at }, vec![Rc::clone(&after[level])]);
                    (operator("=", vec![read, Rc::clone(&after[level + 1])]), Vec::new())
                };
                let bound = vars.iter().copied().chain(own).collect();
                body.push(Command::Assume(quantified("!", bound, formula)));
            }
            before = applied_name(Name { text: changed.clone(), at }, vec![before]);
            sort = self.symbols[changed].result.clone();
        }
        let target = match path.var {
            Some(var) => self.slot(var),
            None => symbol(path.name),
        };
        body.push(assign(target, path.args, after.remove(0)));
        self.locals.truncate(outside);
        out.push(block(body));
        Ok(())
    }

    /// Returns what a changed value becomes, for all values of these variables.
    fn changed(&mut self, sort: &Rc<str>, vars: &[usize], at: usize, out: &mut Vec<Command>) -> Result<Term> {
        let name = Name { text: "changed".into(), at };
        if vars.is_empty() {
            let var = self.local(&name, Some(sort.clone()), false)?;
            out.push(Command::Local(vec![var]));
            return Ok(variable(var));
        }
        let sort_of = |var: &usize| self.variables[*var].sort.as_ref().map(|sort| sort.text.clone());
        let args = vars.iter().filter_map(sort_of).collect();
        let name = self.helper(&name, Sorts { args, result: Some(sort.clone()) }, true);
        Ok(applied_name(name, vars.iter().copied().map(variable).collect()))
    }

    /// Returns that a field of the value after is that of the value before, and at the arguments of a change the new value;
    /// with the variables for the field's further arguments.
    fn kept(
        &mut self,
        function: &Rc<str>,
        [after, before]: [&Term; 2],
        change: Option<(&[Term], &Term)>,
        vars: &[usize],
        free: &[usize],
        at: usize,
    ) -> (Term, Vec<usize>) {
        let (mut own, mut places) = (Vec::new(), Vec::new());
        let sorts = self.symbols[function].args[1..].to_vec();
        for (number, sort) in sorts.into_iter().enumerate() {
            let given = change.and_then(|(given, _)| given.get(number));
            let alone = given.and_then(|given| variable_among(given, free));
            let alone = alone.filter(|var| !vars.contains(var) && !own.contains(var));
            let var = match alone {
                Some(var) => {
                    self.variables[var].sort = Some(Name { text: sort, at });
                    var
                }
                None => self.bound(Binder { name: Name { text: "X".into(), at }, sort: Some(sort) }),
            };
            if let (Some(given), None) = (given, alone) {
                places.push(operator("=", vec![variable(var), Rc::clone(given)]));
            }
            own.push(var);
        }
        let read = |of: &Term| {
            let args = std::iter::once(Rc::clone(of)).chain(own.iter().copied().map(variable)).collect();
            applied_name(Name { text: function.clone(), at }, args)
        };
        let value = match change {
            None => read(before),
            Some((_, value)) if places.is_empty() => Rc::clone(value),
            Some((_, value)) => operator("if", vec![joined("&", places), Rc::clone(value), read(before)]),
        };
        (operator("=", vec![read(after), value]), own)
    }

    /// Marks the free variables of an update as such.
    pub(super) fn mark_logical(&mut self, found: &Found) {
        found.free.iter().for_each(|var| self.variables[*var].role = Role::Logical);
    }
}
