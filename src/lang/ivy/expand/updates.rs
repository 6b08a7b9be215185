//! What versions up to 1.2 have alone: a type of what is declared without one, fields that are relations, schemata that
//! are assumed, and symbols that follow others.

use std::sync::Arc;

use super::commands::command;
use super::declarations::renamed;
use super::exprs::{equal, reference, variables};
use super::formulas::{Context, Found, is_variable};
use super::scopes::{SchemeIn, ScopeId};
use super::state::{Expander, Symbol};
use super::statements::Frame;
use crate::ivy::DEFAULT_SORT;
use crate::ivy::ast::{
    Expr, ExprKind, FieldValue, File, Ident, Place, SortName, SortRef, Stmt, StmtKind, UpdateDecl,
    UpdatePattern,
};
use crate::program::ast::{Command, CommandKind, Item, ItemKind};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The parameters of a pattern with the names of the flat program that they stand for.
type Binding = Vec<(Arc<str>, Arc<str>)>;

/// A pattern that a statement matches.
struct Match<'a> {
    scope: ScopeId,
    update: &'a UpdateDecl,
    pattern: &'a UpdatePattern,
    binding: Binding,
}

/// Returns the formula in which `old r` is a name of its own for the names that are given, and `r` for others.
fn with_names_of_before(expr: &Expr, names: &[Arc<str>]) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Ref { name, primes, args } => {
            let name = match name.name.strip_prefix("old ") {
                Some(plain) if names.iter().any(|known| **known == *plain) => {
                    renamed(before(plain), name.span())
                }
                Some(plain) => renamed(plain.into(), name.span()),
                None => name.clone(),
            };
            let arg = |arg| with_names_of_before(arg, names);
            let args = args.as_ref().map(|args| args.iter().map(arg).collect());
            ExprKind::Ref { name, primes: *primes, args }
        }
        _ => expr.map_children(|child| with_names_of_before(child, names)),
    };
    Expr::new(kind, expr.span())
}

/// Returns the name that stands for what a symbol was before.
fn before(name: &str) -> Arc<str> {
    format!("@before {name}").into()
}

/// Returns the names after `old` in a formula, each once.
fn names_of_before(formula: &Expr) -> Vec<Arc<str>> {
    let mut found: Vec<Arc<str>> = Vec::new();
    let mut open = vec![formula];
    while let Some(expr) = open.pop() {
        if let ExprKind::Ref { name, .. } = &expr.kind
            && let Some(plain) = name.name.strip_prefix("old ")
            && !found.iter().any(|known| **known == *plain)
        {
            found.push(plain.into());
        }
        expr.for_each_child(|child| open.push(child));
    }
    found
}

/// Matches an expression with that of a pattern, in which the parameters are these names. A parameter stands for a name
/// without arguments.
fn matches(pattern: &Expr, given: &Expr, params: &[(Arc<str>, Arc<str>)], binding: &mut Binding) -> bool {
    let (ExprKind::Ref { name, .. }, ExprKind::Ref { name: other, args: None, .. }) =
        (&pattern.kind, &given.kind)
    else {
        return false;
    };
    let Some((param, _)) = params.iter().find(|(_, marked)| *marked == name.name) else {
        return name.name == other.name;
    };
    match binding.iter().find(|(known, _)| known == param) {
        Some((_, before)) => *before == other.name,
        None => {
            binding.push((param.clone(), other.name.clone()));
            !is_variable(&other.name)
        }
    }
}

/// Returns whether a variable occurs in an expression.
fn has_variable(expr: &Expr) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if matches!(&expr.kind, ExprKind::Ref { name, .. } if is_variable(&name.name)) {
            return true;
        }
        expr.for_each_child(|child| open.push(child));
    }
    false
}

impl<'a> Expander<'a, '_> {
    /// Declares the type of what has none, if it is used and not declared.
    pub(super) fn default_sort(&mut self, main: &File, items: &mut Vec<Item>) {
        let is_default =
            |sort: &SortRef| matches!(&sort.name, SortName::Named(name) if &**name == DEFAULT_SORT);
        if !main.version.has_subscripts() || self.sorts.contains(DEFAULT_SORT) {
            return;
        }
        let of_symbols = self.symbols.values().flat_map(|it| it.args.iter().chain(&it.result));
        let of_actions = self.actions.values().flat_map(|it| {
            let action = it.declared.action;
            action.params.iter().flatten().chain(&action.returns).filter_map(|var| var.sort.as_ref())
        });
        let Some(used) = of_symbols.chain(of_actions).filter(|it| is_default(it)).map(|it| it.place.0).min()
        else {
            return;
        };
        self.sorts.insert(DEFAULT_SORT.into());
        let name = renamed(DEFAULT_SORT.into(), used);
        items.push(Item { kind: ItemKind::Sort { name, annotations: Vec::new() }, place: Place(used) });
    }

    /// Translates `x.f := y`, where `f` relates `x` to `y` alone afterwards.
    pub(super) fn assign_relation(
        &mut self,
        object: &Expr,
        field: &Ident,
        value: &FieldValue,
        span: Span,
        frame: &Frame,
        out: &mut Vec<Command>,
    ) {
        self.check_subscripts(&field.name, field.span(), &frame.context);
        let full = self.flat_name(field, &frame.context);
        let fields = match value {
            FieldValue::Copy(_, other) => {
                self.check_subscripts(&other.name, other.span(), &frame.context);
                vec![(field, full.clone()), (other, self.flat_name(other, &frame.context))]
            }
            _ => vec![(field, full.clone())],
        };
        for (at, (field, full)) in fields.iter().enumerate() {
            let is_binary =
                |it: &Symbol| it.args.len() == 2 && super::declarations::is_bool(it.result.as_ref());
            if !self.symbols.get(full).is_some_and(is_binary) || at == 0 && self.defined.contains(full) {
                self.report.push(
                    Diagnostic::error(
                        Code::Assignment,
                        field.span(),
                        format!("`{}` is not a relation of two arguments that can change", field.name),
                    )
                    .label("it is no field of a value")
                    .help(
                        "`x.f := y` changes `f(x, Y)` for all `Y`; other symbols are assigned as `f(x) := y`",
                    ),
                );
                return;
            }
        }
        let mut parts = Vec::new();
        for expr in std::iter::once(object).chain(value.expr()) {
            let (part, before) = self.open(expr, &frame.context);
            if has_variable(&part) {
                self.report.push(
                    Diagnostic::error(
                        Code::Assignment,
                        expr.span(),
                        "the field of one value is assigned at a time",
                    )
                    .label("this stands for many values")
                    .help(format!("assign the relation: `{}(X, Y) := ..`", field.name)),
                );
                return;
            }
            out.extend(before);
            parts.push(part);
        }
        let mut parts = parts.into_iter();
        let Some(object) = parts.next() else { return };
        let var = || reference("X".into(), Vec::new(), span);
        let value = match (parts.next(), fields.get(1)) {
            (None, _) => Expr::new(ExprKind::Bool(false), span),
            (Some(value), Some((_, other))) => reference(other.clone(), vec![value, var()], span),
            (Some(value), None) => equal(&var(), &value, span),
        };
        let (target, args) = (renamed(full, field.span()), Some(vec![object, var()]));
        out.push(command(CommandKind::Assign { target, args, value }, span));
    }

    /// Assumes an instance of a scheme.
    pub(super) fn assume_scheme(
        &mut self,
        SchemeIn { scheme, scope, .. }: SchemeIn<'a>,
        name: &Ident,
        args: &'a [Expr],
        span: Span,
        frame: &Frame,
        out: &mut Vec<Command>,
    ) {
        let (given, expected) = (args.len(), scheme.params.len());
        if given != expected {
            let place = scheme.name.span();
            self.report.push(crate::fol::statics::names::wrong_count(name, span, given, expected, place));
            return;
        }
        let inner = self.scopes.anonymous(scope);
        let mut context = Context { scope: inner, locals: Vec::new(), ..frame.context.clone() };
        for (param, arg) in scheme.params.iter().zip(args) {
            let ExprKind::Ref { name: arg, args: None, .. } = &arg.kind else {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        arg.span(),
                        "arguments of schemata are names without arguments",
                    )
                    .label("expected a name")
                    .help("assign the value to an individual first"),
                );
                return;
            };
            match frame.context.local(&arg.name) {
                Some(local) => context.locals.push((param.name.clone(), local.clone())),
                None => self.scopes.argument(inner, param, arg, frame.context.scope),
            }
        }
        let (formula, before) = self.closed(&scheme.formula, &context);
        out.extend(before);
        out.push(command(CommandKind::Assume(formula), span));
    }

    /// Reports what is wrong with the declarations of symbols that follow others.
    pub(super) fn check_updates(&mut self) {
        for (scope, update) in self.updates.clone() {
            for name in update.defined.iter().chain(&update.sources) {
                let resolved = self.scopes.resolve(scope, &name.name);
                let is_defined =
                    self.functions.contains_key(&resolved.name) || self.defined.contains(&resolved.name);
                let (what, label) = if is_defined {
                    ("is defined", "no statement changes it")
                } else if !self.symbols.contains_key(&resolved.name) {
                    ("is not declared", "unknown symbol")
                } else if resolved.params > 0 {
                    ("has the parameters of its object", "not possible in `update`")
                } else {
                    continue;
                };
                self.report.push(
                    Diagnostic::error(Code::Assignment, name.span(), format!("`{}` {what}", name.name))
                        .label(label)
                        .help("`update r from f`: statements assign `f`, and `r` follows"),
                );
            }
            update.patterns.iter().for_each(|pattern| self.check_pattern(pattern, scope));
        }
    }

    fn check_pattern(&mut self, pattern: &UpdatePattern, scope: ScopeId) {
        let mut required = Found::default();
        if let Some(requires) = &pattern.requires {
            let mut inside = Context::of(scope);
            inside.locals.extend(pattern.params.iter().map(|it| (it.name.clone(), marked(&it.name))));
            self.expr(&with_names_of_before(requires, &[]), &mut inside, &mut required);
        }
        let mut problem = |span, message: String, label: &str, help: &str| {
            self.report.push(Diagnostic::error(Code::Program, span, message).label(label).help(help));
        };
        let mut names: Vec<&str> = Vec::new();
        pattern.stmt.for_each_expr(|expr| match &expr.kind {
            ExprKind::Ref { name, args: None, .. } => names.push(&name.name),
            _ => problem(
                expr.span(),
                "a pattern consists of names".into(),
                "statements are not compared with this",
                "write `v.f := w`, where `v` and `w` are parameters",
            ),
        });
        for (at, param) in pattern.params.iter().enumerate() {
            let name = &param.name;
            let (message, help) = if is_variable(name) {
                (
                    format!("the parameter `{name}` is a variable"),
                    "a parameter stands for a name of a statement",
                )
            } else if pattern.params.iter().take(at).any(|other| other.name == *name) {
                (
                    format!("`{name}` is a parameter twice"),
                    "each parameter stands for one name of the statement",
                )
            } else if !names.contains(&&**name) {
                (format!("`{name}` does not occur in the statement"), "it would stand for nothing")
            } else {
                continue;
            };
            problem(param.span(), message, "not possible here", help);
        }
        if let Some(requires) = pattern.requires.as_ref().filter(|it| !names_of_before(it).is_empty()) {
            let message = "`old` is not possible in `requires`".into();
            problem(requires.span(), message, "it holds before the statement", "leave out `old`");
        }
        if let Some(var) = required.free.first() {
            let message = format!("the variable `{}` is not bound in `requires`", var.name.name);
            problem(var.name.span(), message, "for which value?", "bind it by `forall` or `exists`");
        }
        let before = names_of_before(&pattern.ensures);
        if let Some(param) = pattern.params.iter().find(|param| before.contains(&param.name)) {
            let message = format!("`old {}` is not possible: it is a parameter", param.name);
            problem(pattern.ensures.span(), message, "the same before and after", "leave out `old`");
        }
    }

    /// Translates an assignment with what follows from it: the symbols that follow what it changes have any values with
    /// which the pattern holds that the assignment matches.
    pub(super) fn followed(&mut self, stmt: &'a Stmt, frame: &mut Frame, out: &mut Vec<Command>) {
        let mut changed = self.changed(stmt, &frame.context);
        let mut found: Vec<Match<'a>> = Vec::new();
        for (scope, update) in self.updates.clone() {
            let full = |it: &Self, name: &Ident| it.scopes.resolve(scope, &name.name).name;
            if !update.sources.iter().any(|source| changed.contains(&full(self, source))) {
                continue;
            }
            let Some((pattern, binding)) = update.patterns.iter().find_map(|pattern| {
                let binding = self.match_with(pattern, scope, stmt, &frame.context)?;
                Some((pattern, binding))
            }) else {
                return self.report.push(no_pattern(stmt, update));
            };
            for name in &update.defined {
                let full = full(self, name);
                if changed.contains(&full) {
                    return self.report.push(changed_twice(stmt, name));
                }
                changed.push(full);
            }
            found.push(Match { scope, update, pattern, binding });
        }
        let mut copies: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        for it in &found {
            for name in names_of_before(&it.pattern.ensures) {
                let full = self.scopes.resolve(it.scope, &name).name;
                if changed.contains(&full) && !copies.iter().any(|(known, _)| *known == full) {
                    let copy = self.copy(&full, stmt.span(), out);
                    copies.extend(copy.map(|copy| (full, copy)));
                }
            }
        }
        for it in &found {
            if let Some(requires) = &it.pattern.requires {
                let formula = self.instance_of(it, requires, &[]);
                if let Some(probe) = &mut self.probe {
                    probe.ensured.get_or_insert(stmt.span());
                }
                out.push(command(CommandKind::Assert { formula, proof: None }, stmt.span()));
            }
        }
        self.assignment(stmt, frame, out);
        for it in &found {
            for name in &it.update.defined {
                let full = self.scopes.resolve(it.scope, &name.name).name;
                let args = variables(self.symbols.get(&full).map_or(0, |it| it.args.len()), stmt.span());
                let args = (!args.is_empty()).then_some(args);
                self.havoc(renamed(full, name.span()), args, stmt.span(), out);
            }
            let formula = self.instance_of(it, &it.pattern.ensures, &copies);
            out.push(command(CommandKind::Assume(formula), stmt.span()));
        }
    }

    /// Returns the symbols of the flat program that a statement assigns.
    fn changed(&self, stmt: &Stmt, context: &Context) -> Vec<Arc<str>> {
        match &stmt.kind {
            StmtKind::Field { field, .. } => vec![self.flat_name(field, context)],
            StmtKind::Assign { targets, .. } => {
                let names = targets.iter().filter_map(|target| match &target.kind {
                    ExprKind::Ref { name, .. } => Some(name),
                    _ => None,
                });
                names.map(|name| self.flat_name(name, context)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn flat_name(&self, name: &Ident, context: &Context) -> Arc<str> {
        match context.local(&name.name) {
            Some(local) => local.clone(),
            None => self.global(&name.name, name.span(), context).0,
        }
    }

    /// Matches a statement with a pattern in its scope.
    fn match_with(
        &mut self,
        pattern: &'a UpdatePattern,
        scope: ScopeId,
        stmt: &Stmt,
        context: &Context,
    ) -> Option<Binding> {
        let mut inside = Context::of(scope);
        inside.locals.extend(pattern.params.iter().map(|param| (param.name.clone(), marked(&param.name))));
        let (what, expected) = self.parts_of(&pattern.stmt, &inside)?;
        let (other, given) = self.parts_of(stmt, context)?;
        if what != other || expected.len() != given.len() {
            return None;
        }
        let mut binding = Binding::new();
        let is_match = expected.into_iter().zip(given).all(|(pattern, given)| {
            let (pattern, _) = self.open(pattern, &inside);
            let (given, calls) = self.open(given, context);
            calls.is_empty() && matches(&pattern, &given, &inside.locals, &mut binding)
        });
        is_match.then_some(binding)
    }

    /// Returns what the assignment of a field is, by the relations of its fields, and its expressions.
    fn parts_of<'s>(&self, stmt: &'s Stmt, context: &Context) -> Option<(Vec<Arc<str>>, Vec<&'s Expr>)> {
        let StmtKind::Field { object, field, value } = &stmt.kind else { return None };
        let other = if let FieldValue::Copy(_, other) = value { Some(other) } else { None };
        let relations = std::iter::once(field).chain(other).map(|name| self.flat_name(name, context));
        Some((relations.collect(), std::iter::once(object).chain(value.expr()).collect()))
    }

    /// Translates a formula of a pattern, with the names of the statement. `copies` are the symbols that keep what others
    /// were before.
    fn instance_of(&mut self, found: &Match<'a>, formula: &Expr, copies: &[(Arc<str>, Arc<str>)]) -> Expr {
        let mut context = Context::of(found.scope);
        context.locals.extend(found.binding.iter().cloned());
        let mut names = names_of_before(formula);
        names.retain(|name| self.symbols.contains_key(&self.scopes.resolve(found.scope, name).name));
        for name in &names {
            let full = self.scopes.resolve(found.scope, name).name;
            let copy = copies.iter().find(|(known, _)| *known == full).map(|(_, copy)| copy.clone());
            context.locals.push((before(name), copy.unwrap_or(full)));
        }
        self.closed(&with_names_of_before(formula, &names), &context).0
    }

    /// Keeps what a symbol is in another one. Returns that, if the symbol is declared.
    fn copy(&mut self, full: &Arc<str>, span: Span, out: &mut Vec<Command>) -> Option<Arc<str>> {
        let symbol = self.symbols.get(full)?.clone();
        let args = variables(symbol.args.len(), span);
        let copy = self.helper(&renamed(full.clone(), span), symbol, false);
        let value = reference(full.clone(), args.clone(), span);
        let (target, args) = (renamed(copy.clone(), span), (!args.is_empty()).then_some(args));
        out.push(command(CommandKind::Assign { target, args, value }, span));
        Some(copy)
    }
}

/// Returns the name of the flat program that a parameter of a pattern is.
fn marked(param: &str) -> Arc<str> {
    format!("{param}@param").into()
}

fn no_pattern(stmt: &Stmt, update: &UpdateDecl) -> Diagnostic {
    let names: Vec<String> = update.defined.iter().map(|name| format!("`{}`", name.name)).collect();
    Diagnostic::error(
        Code::Assignment,
        stmt.span(),
        format!("nothing says how {} changes with this assignment", names.join(", ")),
    )
    .label("no pattern of the `update` matches it")
    .also(update.defined.first().map_or(stmt.span(), |name| name.span()), "the `update` is here")
}

fn changed_twice(stmt: &Stmt, name: &Ident) -> Diagnostic {
    let message = format!("this assignment changes `{}` in two ways", name.name);
    Diagnostic::error(Code::Assignment, stmt.span(), message)
        .label("the symbol is assigned here, or follows from two declarations")
        .also(name.span(), "an `update` is here")
        .help("write one `update` that says all of it")
}
