//! Assignments: what their left sides are, and what becomes of it.

use std::sync::Arc;

use super::commands::{block, command};
use super::declarations::renamed;
use super::exprs::reference;
use super::fields::{Path, Target};
use super::formulas::{Context, Found, as_variable};
use super::members::Member;
use super::state::Expander;
use super::statements::Frame;
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar, Stmt, StmtKind};
use crate::program::ast::{Command, CommandKind};
use crate::program::errors;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Returns the first parts of the names that statements assign to.
    pub(super) fn assigned(&self, stmts: &[Stmt], context: &Context) -> Set<Arc<str>> {
        let mut found = Set::default();
        let mut open: Vec<&Stmt> = stmts.iter().collect();
        let mut target = |mut expr: &Expr| {
            while let ExprKind::Ref { name, args, .. } = &expr.kind {
                let (full, _) = self.global(&name.name, name.span(), context);
                let field = self.field_of(context.local(&name.name).unwrap_or(&full));
                // Of a field, what has it changes.
                match (field, args.as_deref()) {
                    (Some(_), Some([value, ..])) => expr = value,
                    _ => {
                        let first = name.name.split('.').next().unwrap_or_default();
                        found.insert(first.into());
                        break;
                    }
                }
            }
        };
        while let Some(stmt) = open.pop() {
            match &stmt.kind {
                StmtKind::Assign { targets, .. } => targets.iter().for_each(&mut target),
                StmtKind::Instantiate { args, .. } => args.iter().for_each(&mut target),
                StmtKind::Local { body, .. } | StmtKind::Block(body) => open.extend(body),
                StmtKind::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
                StmtKind::While(it) => open.extend(&it.body),
                _ => {}
            }
        }
        found
    }

    /// Translates an assignment without what follows from it.
    pub(super) fn assignment(&mut self, stmt: &'a Stmt, frame: &mut Frame, out: &mut Vec<Command>) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                self.assign(targets, value.as_ref(), stmt.span(), frame, out);
            }
            StmtKind::Field { object, field, value } => {
                self.assign_relation(object, field, value, stmt.span(), frame, out);
            }
            _ => {}
        }
    }

    /// Resolves the left side of an assignment.
    pub(super) fn target(&mut self, expr: &Expr, frame: &Frame, out: &mut Vec<Command>) -> Option<Target> {
        if let ExprKind::Ref { name, .. } = &expr.kind
            && name.name.starts_with("bfe[")
        {
            self.report.push(
                Diagnostic::error(Code::Assignment, expr.span(), "the bits of a number are not assigned")
                    .label("too little is known of numbers to tell the new one")
                    .help("assign the number itself, or hold its parts in fields of a `struct`"),
            );
            return None;
        }
        let mut vars = Vec::new();
        let target = match self.field_target(expr, frame, &mut vars, out) {
            Some(path) => Target::Field(path),
            None => {
                vars.clear();
                let (name, args) = self.symbol_target(expr, frame, &mut vars, out)?;
                Target::Symbol(name, args)
            }
        };
        self.check_sorts(&target, &vars);
        let args = match &target {
            Target::Symbol(_, args) => args.as_deref().unwrap_or_default(),
            Target::Field(_) => &[],
        };
        let names: Vec<&Ident> = args.iter().filter_map(as_variable).collect();
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.name == name.name) {
                self.report.push(repeated_variable(name, first));
                return None;
            }
        }
        Some(target)
    }

    /// Reports variables with another sort than their places on the left side of an assignment have.
    fn check_sorts(&mut self, target: &Target, vars: &[SortedVar]) {
        for var in vars {
            if let Some(given) = &var.sort
                && let Some(sort) = self.sort_on_the_left(target, &var.name.name)
            {
                self.same_sort(&var.name.name, Some(sort), given);
            }
        }
    }

    /// Returns the sort that a variable has on the left side of an assignment.
    fn sort_on_the_left(&self, target: &Target, var: &str) -> Option<SortRef> {
        let is_it = |arg: &Expr| as_variable(arg).is_some_and(|name| *name.name == *var);
        let argument = |symbol: &str, at: usize| self.symbols.get(symbol)?.args.get(at).cloned();
        match target {
            Target::Symbol(name, args) => argument(&name.name, args.as_ref()?.iter().position(is_it)?),
            Target::Field(path) => match path.args.iter().position(is_it) {
                Some(at) => argument(&path.name, at),
                None => argument(path.fields.last()?, path.rest.iter().position(is_it)? + 1),
            },
        }
    }

    /// Assigns a value to what the left side of an assignment is.
    pub(super) fn assign_to(&mut self, target: Target, value: Expr, span: Span, out: &mut Vec<Command>) {
        match target {
            Target::Symbol(target, args) => {
                out.push(command(CommandKind::Assign { target, args, value }, span));
            }
            Target::Field(path) => self.assign_field(path, value, span, out),
        }
    }

    /// Resolves the left side of an assignment that changes no field: a name with its arguments. The variables among these are
    /// added to `vars`.
    pub(super) fn symbol_target(
        &mut self,
        expr: &Expr,
        frame: &Frame,
        vars: &mut Vec<SortedVar>,
        out: &mut Vec<Command>,
    ) -> Option<(Ident, Option<Vec<Expr>>)> {
        let ExprKind::Ref { name, args, .. } = &expr.kind else {
            self.report.push(
                Diagnostic::error(Code::Assignment, expr.span(), "only names are assigned to")
                    .label("expected a relation, function or variable"),
            );
            return None;
        };
        let local = frame.context.local(&name.name).cloned();
        if local.is_none()
            && let Some((target, args)) = self.member_target(expr, frame, vars, out)
        {
            self.check_kept(&target.name, name.span());
            return self.is_changeable(&target.name, name).then_some((target, Some(args)));
        }
        let (full, mut all) = match local.filter(|it| args.is_none() || self.symbols.contains_key(it)) {
            Some(local) => (local, Vec::new()),
            None => {
                let (full, all) = self.global(&name.name, name.span(), &frame.context);
                self.check_ambiguous(&name.name, &full, name.span(), &frame.context);
                // A variable of a caller may have the name, and is another one.
                if !self.globals.contains(&full) {
                    let result = self.unresolved(full.clone(), name, Vec::new(), name.span(), &frame.context);
                    if !matches!(&result.kind, ExprKind::Ref { name, .. } if name.name == full) {
                        return None;
                    }
                }
                (full, all)
            }
        };
        self.check_subscripts(&name.name, name.span(), &frame.context);
        self.check_kept(&full, name.span());
        if self.field_of(&full).is_some() {
            self.refuse_field(name, expr.span());
            return None;
        }
        if !self.is_changeable(&full, name) {
            return None;
        }
        for arg in args.iter().flatten() {
            let mut found = Found::default();
            all.push(self.expr(arg, &mut frame.context.clone(), &mut found));
            out.append(&mut found.before);
            vars.append(&mut found.free);
        }
        let args = if all.is_empty() { None } else { Some(all) };
        Some((renamed(full, name.span()), args))
    }

    /// Checks that an assignment may change what has this full name.
    fn is_changeable(&mut self, full: &Arc<str>, name: &Ident) -> bool {
        let what = if self.actions.contains_key(full) {
            "an action"
        } else if self.functions.contains_key(full) {
            "defined"
        } else if self.values.contains(full) {
            "a value of an enumeration"
        } else {
            return true;
        };
        self.report.push(
            Diagnostic::error(Code::Assignment, name.span(), format!("`{}` is {what}", name.name))
                .label("it cannot be changed"),
        );
        false
    }

    /// Returns the function or relation that `x.f(y) := ..` changes, with all its arguments: `f(x, y)`, where `f` belongs to the type of
    /// `x` and is no field.
    fn member_target(
        &mut self,
        expr: &Expr,
        frame: &Frame,
        vars: &mut Vec<SortedVar>,
        out: &mut Vec<Command>,
    ) -> Option<(Ident, Vec<Expr>)> {
        let ExprKind::Ref { name, args, .. } = &expr.kind else { return None };
        if !name.name.contains('.')
            || self.globals.contains(&self.global(&name.name, name.span(), &frame.context).0)
        {
            return None;
        }
        let mut found = Found::default();
        let mut context = frame.context.clone();
        let given: Vec<Expr> =
            args.iter().flatten().map(|arg| self.expr(arg, &mut context, &mut found)).collect();
        let mut chain = self.chain(&name.name, &given, name.span(), &frame.context)?;
        let Some((Member::Function(symbol), rest)) = chain.members.pop() else { return None };
        // Nothing is called to find out what is changed.
        let calls = chain.members.iter().any(|(member, _)| matches!(member, Member::Action(_)));
        if calls || self.field_of(&symbol).is_some() {
            return None;
        }
        let value = self.apply_chain(chain, None, name.span(), &mut context, &mut found);
        out.append(&mut found.before);
        vars.append(&mut found.free);
        Some((renamed(symbol, name.span()), std::iter::once(value).chain(rest).collect()))
    }

    /// Returns the field on the left side of an assignment, if it is one.
    fn field_target(
        &mut self,
        expr: &Expr,
        frame: &Frame,
        vars: &mut Vec<SortedVar>,
        out: &mut Vec<Command>,
    ) -> Option<Path> {
        let ExprKind::Ref { name, args, .. } = &expr.kind else { return None };
        let (path, args) = match self.dotted(expr, &frame.context) {
            Some(dotted) => dotted,
            None => {
                let (full, _) = self.global(&name.name, name.span(), &frame.context);
                if !name.name.contains('.') || self.globals.contains(&full) {
                    return None;
                }
                (name.name.to_string(), args.iter().flatten().collect())
            }
        };
        let mut resolved = Vec::new();
        let mut commands = Vec::new();
        for arg in args {
            let mut found = Found::default();
            let arg = self.expr(arg, &mut frame.context.clone(), &mut found);
            commands.append(&mut found.before);
            if let (Some(var), None) = (found.free.first(), as_variable(&arg)) {
                let message = format!("the variable `{}` is no argument of the field itself", var.name.name);
                self.report.push(
                    Diagnostic::error(Code::Undeclared, var.name.span(), message)
                        .label("for which value?")
                        .help("variables left of `:=` stand alone: `x.f(Y) := ..`"),
                );
            }
            resolved.push(arg);
            vars.append(&mut found.free);
        }
        let path = self.path(&path, &resolved, name.span(), &frame.context)?;
        if self.field_of(&path.name).is_some() {
            self.refuse_field(name, expr.span());
        }
        if !self.fits(&path) {
            let message = format!("`{}` is given the wrong number of arguments", name.name);
            let error = Diagnostic::error(Code::Arity, expr.span(), message);
            self.report.push(error.label("only the last field of several has arguments"));
        }
        if let Some((first, again)) = path.repeated() {
            self.report.push(repeated_variable(again, first));
        }
        out.append(&mut commands);
        Some(path)
    }

    fn assign(
        &mut self,
        targets: &'a [Expr],
        value: Option<&'a Expr>,
        span: Span,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) {
        let [target] = targets else {
            match value {
                Some(call) => return self.call_stmt(call, targets, span, frame, out),
                None => {
                    for target in targets {
                        self.assign(std::slice::from_ref(target), None, span, frame, out);
                    }
                    return;
                }
            }
        };
        let Some(target) = self.target(target, frame, out) else { return };
        let Some(value) = value else {
            match target {
                Target::Symbol(name, args) => self.havoc(name, args, span, out),
                Target::Field(path) => self.havoc_field(path, span, out),
            }
            return;
        };
        let mut found = Found::default();
        let value = self.expr(value, &mut frame.context.clone(), &mut found);
        if let Target::Field(path) = &target {
            self.check_bound(&found.free, &path.variables());
        }
        self.check_sorts(&target, &found.free);
        out.append(&mut found.before);
        let value = self.as_variant(self.sort_of_target(&target).as_ref(), value, span, out);
        self.assign_to(target, value, span, out);
    }

    /// Returns the sort of what an assignment changes.
    fn sort_of_target(&self, target: &Target) -> Option<SortRef> {
        match target {
            Target::Symbol(name, _) => self.sort_of(&reference(name.name.clone(), Vec::new(), name.span())),
            Target::Field(path) => self.symbols.get(path.fields.last()?)?.result.clone(),
        }
    }

    fn refuse_field(&mut self, name: &Ident, span: Span) {
        self.report.push(
            Diagnostic::error(
                Code::Assignment,
                span,
                format!("`{}` is a field of a type, which no action changes", name.name),
            )
            .label("cannot be assigned")
            .help("assign a field of a variable, or of a function at some arguments: `x.f := y`"),
        );
    }

    /// Gives any value to a variable, or to a relation or function at some points.
    pub(super) fn havoc(
        &mut self,
        target: Ident,
        args: Option<Vec<Expr>>,
        span: Span,
        out: &mut Vec<Command>,
    ) {
        let Some(args) = args else {
            out.push(command(CommandKind::Havoc(target), span));
            return;
        };
        let Some(symbol) = self.symbols.get(&target.name).cloned() else {
            // Reported as undeclared.
            let value = Expr::new(ExprKind::Bool(true), span);
            out.push(command(CommandKind::Assign { target, args: Some(args), value }, span));
            return;
        };
        if args.iter().any(|arg| as_variable(arg).is_some()) {
            let any = self.helper(&target, symbol, true);
            let value = reference(any, args.clone(), span);
            out.push(command(CommandKind::Assign { target, args: Some(args), value }, span));
            return;
        }
        let locals = self.locals.len();
        let sort = symbol.result.unwrap_or(SortRef { name: SortName::Bool, place: Place(span) });
        let name = renamed("any".into(), span);
        let var = self.new_local(&SortedVar { name, sort: Some(sort) }, false);
        let value = reference(var.name.name.clone(), Vec::new(), span);
        let commands = vec![
            command(CommandKind::Local(vec![var]), span),
            command(CommandKind::Assign { target, args: Some(args), value }, span),
        ];
        self.locals.truncate(locals);
        out.push(block(commands, span));
    }
}

/// Returns the error about a variable that stands for two arguments on the left side of an assignment. The place of the last one
/// is that of its value.
fn repeated_variable(name: &Ident, first: &Ident) -> Diagnostic {
    let variable = &name.name;
    errors::repeated_variable(name, first).note(format!(
        "Ivy takes only the last `{variable}` for that of the value, and assigns all values at the place of the others"
    ))
}
