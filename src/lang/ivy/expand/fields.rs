//! Fields of structures: `x.f` is `f(x)`, and `x.f := v` gives `x` the value that differs from it in this field alone.
//! `x.f := *` changes the function that the field is.

use std::sync::Arc;

use super::commands::{block, command};
use super::declarations::renamed;
use super::elements::named;
use super::exprs::{equal, for_all, reference};
use super::flat::Flat;
use super::formulas::{Context, as_variable};
use super::state::{Expander, Field, Symbol};
use crate::ivy::ast::{DeclKind, Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar, StmtKind};
use crate::program::ast::{Command, CommandKind};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// A value with fields after it.
#[derive(Clone)]
pub(super) struct Path {
    /// The name of the value.
    pub(super) name: Arc<str>,
    /// Its arguments.
    pub(super) args: Vec<Expr>,
    pub(super) sort: SortRef,
    /// The functions that are the fields, each of the value before it.
    pub(super) fields: Vec<Arc<str>>,
    /// The arguments that the last field has apart from its value.
    pub(super) rest: Vec<Expr>,
}

/// What an assignment changes.
#[derive(Clone)]
pub(super) enum Target {
    /// A variable or symbol, with its arguments.
    Symbol(Ident, Option<Vec<Expr>>),
    /// A field of one.
    Field(Path),
}

/// A variable with its sort.
type Bound = (Arc<str>, SortRef);

/// Returns the variables among arguments, each once.
fn variables<'e>(args: impl IntoIterator<Item = &'e Expr>) -> Vec<Arc<str>> {
    let mut found: Vec<Arc<str>> = Vec::new();
    for name in args.into_iter().filter_map(as_variable) {
        if !found.contains(&name.name) {
            found.push(name.name.clone());
        }
    }
    found
}

impl Path {
    /// Returns the variables for all of whose values the field changes.
    pub(super) fn variables(&self) -> Vec<Arc<str>> {
        variables(self.args.iter().chain(&self.rest))
    }

    /// Returns two arguments that are the same variable.
    pub(super) fn repeated(&self) -> Option<(&Ident, &Ident)> {
        let mut seen: Vec<&Ident> = Vec::new();
        for name in self.args.iter().chain(&self.rest).filter_map(as_variable) {
            if let Some(first) = seen.iter().find(|it| it.name == name.name) {
                return Some((first, name));
            }
            seen.push(name);
        }
        None
    }
}

fn and(mut parts: Vec<Expr>, span: Span) -> Option<Expr> {
    match parts.len() {
        0 | 1 => parts.pop(),
        _ => Some(Expr::new(ExprKind::And(parts), span)),
    }
}

impl Expander<'_, '_> {
    /// Returns the fields that a dotted name with these arguments reads.
    pub(super) fn path(&self, name: &str, args: &[Expr], span: Span, context: &Context) -> Option<Path> {
        let dots: Vec<usize> = name.match_indices('.').map(|(at, _)| at).collect();
        dots.into_iter().rev().find_map(|at| {
            // A definition is expanded, and its value has what is applied to it.
            let base = self.base(&name[..at], args, span, context)?;
            if self.functions.contains_key(&base.name) {
                return None;
            }
            let mut last = base.sort.clone();
            let mut fields = Vec::new();
            for field in name[at + 1..].split('.') {
                let SortName::Named(named) = &last.name else { return None };
                let found = self.fields.get(named)?.iter().find(|known| *known.name == *field)?;
                if !self.is_field_of(named, field, &found.function) {
                    return None;
                }
                fields.push(found.function.clone());
                let result = self.symbols.get(&found.function)?.result.clone();
                last = result.unwrap_or(SortRef { name: SortName::Bool, place: Place(span) });
            }
            Some(Path { fields, ..base })
        })
    }

    /// Returns the name and the arguments that a field has with a dot, `s.f` and `y` of `f(s, y)`, if an expression has it as
    /// a function.
    pub(super) fn dotted<'e>(&self, expr: &'e Expr, context: &Context) -> Option<(String, Vec<&'e Expr>)> {
        let ExprKind::Ref { name, args: Some(args), .. } = &expr.kind else { return None };
        let (full, _) = self.global(&name.name, name.span(), context);
        let field = self.field_of(context.local(&name.name).unwrap_or(&full))?;
        let (value, rest) = args.split_first()?;
        let ExprKind::Ref { name, args, .. } = &value.kind else { return None };
        let plain = || (name.name.to_string(), args.iter().flatten().collect());
        let (mut path, mut all) = self.dotted(value, context).unwrap_or_else(plain);
        path.push('.');
        path.push_str(&field.name);
        all.extend(rest);
        Some((path, all))
    }

    /// Returns whether the last field has as many further arguments as are given, and the others have none.
    pub(super) fn fits(&self, path: &Path) -> bool {
        let further = |field| self.symbols.get(field).map(|symbol| symbol.args.len().saturating_sub(1));
        let Some((last, inner)) = path.fields.split_last() else { return true };
        inner.iter().all(|field| further(field) == Some(0)) && further(last) == Some(path.rest.len())
    }

    /// Returns the field that a function is.
    pub(super) fn field_of(&self, function: &str) -> Option<&Field> {
        self.fields.values().flatten().find(|field| *field.function == *function)
    }

    /// Returns the sort of a variable of a command or formula.
    fn sort_of_local(&self, local: &Arc<str>, context: &Context) -> Option<SortRef> {
        let bound = context.bound.iter().rev().find(|(name, _)| name == local).map(|(_, sort)| sort.clone());
        bound.or_else(|| self.locals.iter().find(|it| it.name == *local)?.sort.clone())
    }

    /// Returns what is before the fields: a variable, or a symbol with its arguments. The other arguments remain.
    pub(super) fn base(&self, name: &str, args: &[Expr], span: Span, context: &Context) -> Option<Path> {
        if let Some(local) = context.local(name)
            && let Some(sort) = self.sort_of_local(local, context)
        {
            return Some(Path {
                name: local.clone(),
                args: Vec::new(),
                sort,
                fields: Vec::new(),
                rest: args.to_vec(),
            });
        }
        let (full, mut all) = match context.local(name) {
            Some(local) => (local.clone(), Vec::new()),
            None => self.global(name, span, context),
        };
        let symbol = self.symbols.get(&full)?;
        let own = symbol.args.len().checked_sub(all.len())?;
        let (own, rest) = args.split_at_checked(own)?;
        all.extend_from_slice(own);
        Some(Path {
            name: full,
            args: all,
            sort: symbol.result.clone()?,
            fields: Vec::new(),
            rest: rest.to_vec(),
        })
    }

    /// Returns the value of a field.
    pub(super) fn read_field(&self, path: Path, span: Span) -> Expr {
        let mut value = reference(path.name, path.args, span);
        let count = path.fields.len();
        for (at, field) in path.fields.into_iter().enumerate() {
            let mut args = vec![value];
            if at + 1 == count {
                args.extend(path.rest.iter().cloned());
            }
            value = reference(field, args, span);
        }
        value
    }

    /// Changes a field: what has it becomes another value, whose other fields are those that
    /// it had, and so on outwards. Where variables stand for all arguments of what has the field, each one gets a new value
    /// of its own: these are the values of a new function.
    pub(super) fn assign_field(&mut self, path: Path, value: Expr, span: Span, out: &mut Vec<Command>) {
        let locals = self.locals.len();
        let vars = variables(&path.args);
        let sorts = self.sorts_of(&path.name, &path.args, &vars);
        let mut body = Vec::new();
        let mut sort = path.sort.clone();
        let mut after = Vec::new();
        for field in &path.fields {
            if let Some(of) = named(&sort.name) {
                self.makes(of, span, false);
            }
            after.push(self.new_value(&sort, &vars, &sorts, span, &mut body));
            match self.symbols.get(field).and_then(|symbol| symbol.result.clone()) {
                Some(result) => sort = result,
                None => break,
            }
        }
        let mut before = reference(path.name.clone(), path.args.clone(), span);
        let mut sort = path.sort.clone();
        for (at, changed) in path.fields.iter().enumerate() {
            let SortName::Named(named) = &sort.name else { break };
            for Field { name, function, .. } in self.fields.get(named).cloned().unwrap_or_default() {
                if self.is_defined(&function) {
                    self.report.push(
                        Diagnostic::error(
                            Code::Assignment,
                            span,
                            format!("the field `{name}` of `{named}` is defined"),
                        )
                        .label("there is no value with any fields")
                        .help("declare what is defined as a function or relation, not as a field"),
                    );
                    break;
                }
                let Some(symbol) = self.symbols.get(&function).cloned() else { continue };
                let is_last = at + 1 == path.fields.len();
                let formula = if function != *changed {
                    kept(&function, &symbol, [&after[at], &before], (&[], None), &vars, span)
                } else if is_last {
                    let change = (path.rest.as_slice(), Some(&value));
                    kept(&function, &symbol, [&after[at], &before], change, &vars, span)
                } else {
                    let read = reference(function.clone(), vec![after[at].clone()], span);
                    (equal(&read, &after[at + 1], span), Vec::new())
                };
                let (formula, own) = formula;
                let bound = vars.iter().zip(&sorts).map(|(var, sort)| (var.clone(), sort.clone())).chain(own);
                body.push(command(CommandKind::Assume(for_all(bound, formula, span)), span));
            }
            before = reference(changed.clone(), vec![before], span);
            match self.symbols.get(changed).and_then(|symbol| symbol.result.clone()) {
                Some(result) => sort = result,
                None => break,
            }
        }
        let args = if path.args.is_empty() { None } else { Some(path.args) };
        let Some(value) = after.into_iter().next() else { return };
        body.push(command(CommandKind::Assign { target: renamed(path.name, span), args, value }, span));
        self.locals.truncate(locals);
        out.push(block(body, span));
    }

    /// Finds the fields that statements give any value, which are functions that change.
    pub(super) fn find_varied(&mut self, flat: &[Flat<'_>]) {
        for flat in flat {
            let stmts = match &flat.decl.kind {
                DeclKind::Action(action) | DeclKind::Monitor { action, .. } => action.body.as_deref(),
                DeclKind::Init { body, .. } | DeclKind::Macro { body, .. } => Some(body.as_slice()),
                _ => None,
            };
            let context = Context::of(flat.scope);
            for stmt in stmts.into_iter().flatten() {
                stmt.for_each(&mut |stmt| {
                    let StmtKind::Assign { targets, value: None } = &stmt.kind else { return };
                    for target in targets {
                        let ExprKind::Ref { name, .. } = &target.kind else { continue };
                        let (full, _) = self.global(&name.name, name.span(), &context);
                        let is_it = |field: &&Field| match name.name.rsplit_once('.') {
                            Some((_, last)) if !self.globals.contains(&full) => *field.name == *last,
                            _ => field.function == full,
                        };
                        let fields = self.fields.values().flatten().filter(is_it);
                        let found: Vec<Arc<str>> = fields.map(|field| field.function.clone()).collect();
                        self.varied.extend(found);
                    }
                });
            }
        }
    }

    /// Gives a field any value, where it is a function that changes at the value that has it: so it does for all that are equal to
    /// it. Of each of several values, which variables stand for, it may be changed at all.
    pub(super) fn havoc_field(&mut self, mut path: Path, span: Span, out: &mut Vec<Command>) {
        let Some(function) = path.fields.pop() else { return };
        self.check_kept(&function, span);
        if !self.varied.contains(&function) || self.is_defined(&function) {
            self.report.push(
                Diagnostic::error(Code::Assignment, span, "this field cannot be given any value")
                    .label("not possible with `:= *`")
                    .help("declare a variable, which has any value, and assign that: `var v : t; x.f := v`"),
            );
            return;
        }
        if !variables(&path.args).is_empty() {
            return self.forget(&function, span, out);
        }
        let rest = std::mem::take(&mut path.rest);
        let args = std::iter::once(self.read_field(path, span)).chain(rest).collect();
        self.havoc(renamed(function, span), Some(args), span, out);
    }

    /// Returns the sorts of variables among the arguments of a symbol.
    fn sorts_of(&self, name: &str, args: &[Expr], vars: &[Arc<str>]) -> Vec<SortRef> {
        let Some(symbol) = self.symbols.get(name) else { return Vec::new() };
        let is_var = |arg: &Expr, var: &Arc<str>| matches!(&arg.kind, ExprKind::Ref { name, args: None, .. } if name.name == *var);
        let sort = |var| {
            args.iter().zip(&symbol.args).find(|(arg, _)| is_var(arg, var)).map(|(_, sort)| sort.clone())
        };
        vars.iter().filter_map(sort).collect()
    }

    /// Creates what a changed value becomes, for all values of the variables.
    fn new_value(
        &mut self,
        sort: &SortRef,
        vars: &[Arc<str>],
        sorts: &[SortRef],
        span: Span,
        body: &mut Vec<Command>,
    ) -> Expr {
        let name = renamed("changed".into(), span);
        if vars.is_empty() {
            let var = self.new_local(&SortedVar { name, sort: Some(sort.clone()) }, false);
            let value = reference(var.name.name.clone(), Vec::new(), span);
            body.push(command(CommandKind::Local(vec![var]), span));
            return value;
        }
        let name = self.helper(&name, Symbol::new(sorts.to_vec(), Some(sort.clone())), true);
        let args = vars.iter().map(|var| reference(var.clone(), Vec::new(), span)).collect();
        reference(name, args, span)
    }
}

/// Returns that a field of the value after is that of the value before, and at the arguments of the change the new value.
/// `vars` are variables of the assignment. Returns the variables for the field's further arguments with it.
fn kept(
    function: &Arc<str>,
    symbol: &Symbol,
    [after, before]: [&Expr; 2],
    (at, value): (&[Expr], Option<&Expr>),
    vars: &[Arc<str>],
    span: Span,
) -> (Expr, Vec<Bound>) {
    let taken = variables(at);
    let mut own: Vec<Bound> = Vec::new();
    let mut args = Vec::new();
    let mut places = Vec::new();
    for (number, sort) in symbol.args.iter().skip(1).enumerate() {
        let given = at.get(number);
        let var = given.and_then(|given| variables([given]).pop());
        let var = var.filter(|var| !vars.contains(var) && !own.iter().any(|(known, _)| known == var));
        let name = var.clone().unwrap_or_else(|| {
            let mut name = format!("X{}", number + 1);
            while vars.iter().chain(&taken).any(|var| **var == *name) {
                name.push('_');
            }
            name.into()
        });
        let arg = reference(name.clone(), Vec::new(), span);
        if let (Some(given), None) = (given, var) {
            places.push(equal(&arg, given, span));
        }
        own.push((name, sort.clone()));
        args.push(arg);
    }
    let read = |of: &Expr| {
        reference(function.clone(), std::iter::once(of.clone()).chain(args.clone()).collect(), span)
    };
    let same = equal(&read(after), &read(before), span);
    let formula = match (value, and(places, span)) {
        (None, _) => same,
        (Some(value), None) => equal(&read(after), value, span),
        (Some(value), Some(here)) => {
            let kind = ExprKind::Ite(Box::new([here, value.clone(), read(before)]));
            equal(&read(after), &Expr::new(kind, span), span)
        }
    };
    (formula, own)
}
