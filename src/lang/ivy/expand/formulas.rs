//! Formulas of the flat program: names resolved, free variables bound, definitions of functions and calls expanded.

use std::sync::Arc;

use super::exprs::{mentions, reference, unknown};
use super::scopes::ScopeId;
use super::state::{Expander, Override};
use crate::fol::statics::names::{is_extraction, literal};
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::program::ast::{BinaryOp, Command, CommandKind};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The first minor version in which `<=`, `>` and `>=` are defined by `<`.
pub(super) const FIRST_WITH_ORDERS: u32 = 6;

/// Returns whether a name is that of a variable.
pub fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Returns the variable that an expression is, if it is one.
pub(super) fn as_variable(expr: &Expr) -> Option<&Ident> {
    match &expr.kind {
        ExprKind::Ref { name, args: None, .. } if is_variable(&name.name) => Some(name),
        _ => None,
    }
}

/// Splits a variable or numeral from its sort.
pub(super) fn split_sort(name: &Ident) -> (Arc<str>, Option<SortRef>) {
    let given = match literal(&name.name) {
        Some((literal, sort)) => sort.map(|sort| (literal, sort)),
        None => name.name.split_once(':'),
    };
    match given {
        Some((variable, "bool")) => {
            (variable.into(), Some(SortRef { name: SortName::Bool, place: name.place }))
        }
        Some((variable, sort)) => {
            (variable.into(), Some(SortRef { name: SortName::Named(sort.into()), place: name.place }))
        }
        None => (name.name.clone(), None),
    }
}

/// The place of an expression: its scope and the variables in it.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) scope: ScopeId,
    /// Names of variables in scope with those that they have in the flat program, innermost last.
    pub(super) locals: Vec<(Arc<str>, Arc<str>)>,
    /// Variables of quantifiers by their names in the flat program, with their sorts where these are given, innermost last.
    pub(super) bound: Vec<(Arc<str>, SortRef)>,
    /// The number of enclosing quantifiers.
    pub(super) quantifiers: u32,
    /// The action of which `old` reads the state before, if there is one.
    pub(super) action: Option<Arc<str>>,
    /// Whether calls are possible.
    pub(super) calls: bool,
    /// Whether it stands where claims are assumed: in a trusted isolate, or in another one than is verified.
    pub(super) is_trusted: bool,
}

impl Context {
    /// Returns the context of a declared formula.
    pub(super) fn of(scope: ScopeId) -> Context {
        Context {
            scope,
            locals: Vec::new(),
            bound: Vec::new(),
            quantifiers: 0,
            action: None,
            calls: false,
            is_trusted: false,
        }
    }

    /// Returns the name that a variable in scope has in the flat program.
    pub(super) fn local(&self, name: &str) -> Option<&Arc<str>> {
        self.local_at(name).map(|(_, new)| new)
    }

    /// Returns the position of a variable in scope with its name.
    pub(super) fn local_at(&self, name: &str) -> Option<(usize, &Arc<str>)> {
        let at = self.locals.iter().rposition(|(known, _)| **known == *name)?;
        Some((at, &self.locals[at].1))
    }
}

/// What is found in an expression.
#[derive(Default)]
pub(super) struct Found {
    /// Variables that are not bound, with a sort if one is given.
    pub(super) free: Vec<SortedVar>,
    /// Sorts of variables at their occurrences, by the positions of the variables among those in scope.
    pub(super) sorts: Vec<(usize, SortRef)>,
    /// Commands to execute before the one with the expression.
    pub(super) before: Vec<Command>,
}

/// Returns a sort of the flat program as messages name it.
pub(super) fn spelled(sort: &SortRef) -> &str {
    match &sort.name {
        SortName::Named(name) => name,
        SortName::Bool => "bool",
        SortName::Int => "int",
    }
}

impl Expander<'_, '_> {
    /// Translates a formula and binds its free variables, and the parameters of the objects around it.
    pub(super) fn closed(&mut self, formula: &Expr, context: &Context) -> (Expr, Vec<Command>) {
        let mut context = context.clone();
        let mut vars = self.scope_vars(formula, &mut context);
        let mut found = Found::default();
        let body = self.expr(formula, &mut context, &mut found);
        vars.retain(|var| mentions(&body, &var.name.name));
        vars.append(&mut found.free);
        if vars.is_empty() {
            return (body, found.before);
        }
        let span = body.span();
        let kind = ExprKind::Quantifier { universal: true, vars, body: Box::new(body) };
        (Expr::new(kind, span), found.before)
    }

    /// Translates the value of a definition with these parameters, which are its only free variables.
    pub(super) fn value(&mut self, value: &Expr, params: &[SortedVar], context: &Context) -> Expr {
        let mut found = Found::default();
        let translated = self.expr(value, &mut context.clone(), &mut found);
        self.check_bound(&found.free, &[]);
        for (at, given) in found.sorts {
            let name = &context.locals[at].1;
            if let Some(param) = params.iter().find(|param| param.name.name == *name) {
                self.same_sort(name, param.sort.clone(), &given);
            }
        }
        translated
    }

    /// Reports variables of the right side of an assignment or definition that are not on the left.
    pub(super) fn check_bound(&mut self, free: &[SortedVar], left: &[Arc<str>]) {
        for var in free.iter().filter(|var| !left.contains(&var.name.name)) {
            let name = &var.name.name;
            self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    var.name.span(),
                    format!("the variable `{name}` occurs on the right side alone"),
                )
                .label("for which value?")
                .help(format!(
                    "bind it by `forall` or `exists`, or make it an argument on the left: `r({name})`"
                )),
            );
        }
    }

    /// Translates a formula or term in which variables may be free.
    pub(super) fn open(&mut self, expr: &Expr, context: &Context) -> (Expr, Vec<Command>) {
        let mut found = Found::default();
        let expr = self.expr(expr, &mut context.clone(), &mut found);
        (expr, found.before)
    }

    /// Brings the parameters of the objects around a formula into scope, under names that it does not use. Parameters
    /// that are variables of a command are known already.
    pub(super) fn scope_vars(&mut self, formula: &Expr, context: &mut Context) -> Vec<SortedVar> {
        let mut vars = Vec::new();
        for (at, param) in self.scopes.params(context.scope).into_iter().enumerate() {
            let source = param.name.name.clone();
            if context.local(&parameter(at)).is_some() {
                continue;
            }
            let mut name = source.clone();
            while is_variable(&name) && mentions(formula, &name)
                || context.local(&name).is_some()
                || vars.iter().any(|known: &SortedVar| known.name.name == name)
            {
                name = format!("{name}_").into();
            }
            context.locals.push((parameter(at), name.clone()));
            if !is_variable(&source) {
                context.locals.push((source, name.clone()));
            }
            vars.push(SortedVar { name: Ident { name, place: param.name.place }, sort: param.sort });
        }
        vars
    }

    pub(super) fn list(&mut self, items: &[Expr], context: &mut Context, found: &mut Found) -> Vec<Expr> {
        items.iter().map(|item| self.expr(item, context, found)).collect()
    }

    #[inline(never)]
    pub(super) fn expr(&mut self, expr: &Expr, context: &mut Context, found: &mut Found) -> Expr {
        let span = expr.span();
        self.nodes += 1;
        if self.nodes == super::state::MAX_NODES {
            self.report.push(
                Diagnostic::error(
                    Code::TooDeep,
                    span,
                    "the program grows too large when its definitions are expanded",
                )
                .label(format!("more than {} nodes of formulas", super::state::MAX_NODES)),
            );
        }
        if self.nodes >= super::state::MAX_NODES || !self.report.spend(1) {
            return unknown(span);
        }
        let kind = match &expr.kind {
            ExprKind::Ref { name, args, .. } => {
                return self.name(name, args.as_deref().unwrap_or_default(), span, context, found);
            }
            ExprKind::Quantifier { universal, vars, body } => {
                let (outside, outer) = (context.locals.len(), context.bound.len());
                let mut bound = self.binders(vars, body, context);
                context.quantifiers += 1;
                let body = Box::new(self.expr(body, context, found));
                context.quantifiers -= 1;
                context.locals.truncate(outside);
                context.bound.truncate(outer);
                self.settle(&mut bound, outside, found);
                ExprKind::Quantifier { universal: *universal, vars: bound, body }
            }
            ExprKind::Let { var, parts } => {
                let value = self.expr(&parts[0], context, found);
                let (outside, outer) = (context.locals.len(), context.bound.len());
                let mut bound = self.binders(std::slice::from_ref(var), &parts[1], context);
                let body = self.expr(&parts[1], context, found);
                context.locals.truncate(outside);
                context.bound.truncate(outer);
                self.settle(&mut bound, outside, found);
                let var = Box::new(bound.remove(0));
                ExprKind::Let { var, parts: Box::new([value, body]) }
            }
            ExprKind::Binary {
                op: BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual,
                op_place,
                ..
            } if self.version.minor < FIRST_WITH_ORDERS => {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        op_place.0,
                        "up to version 1.5 nothing relates this order to `<`",
                    )
                    .label("a relation of its own")
                    .help("write it by `<` and `=`, or give a later version in the first line"),
                );
                return unknown(span);
            }
            _ => expr.map_children(|child| self.expr(child, context, found)),
        };
        if let Some(value) = self.computed(&kind, span) {
            return value;
        }
        if let ExprKind::Binary { op: op @ (BinaryOp::Plus | BinaryOp::Minus), sides, .. } = &kind
            && context.calls
            && context.quantifiers == 0
        {
            found.before.extend(self.next_number(*op, sides, span));
        }
        let result = Expr::new(kind, span);
        if result.height > super::state::MAX_HEIGHT {
            self.report.push(
                Diagnostic::error(
                    Code::TooDeep,
                    span,
                    "the formula grows too deep when its definitions are expanded",
                )
                .label(format!("more than {} levels", super::state::MAX_HEIGHT)),
            );
            return unknown(span);
        }
        result
    }

    /// Brings the variables of a quantifier into scope, under names that nothing else has in its body.
    fn binders(&mut self, vars: &[SortedVar], body: &Expr, context: &mut Context) -> Vec<SortedVar> {
        let mut bound = Vec::new();
        for var in vars {
            let source = var.name.name.clone();
            let is_taken = |name: &Arc<str>| {
                self.globals.contains(name)
                    || self.locals.iter().any(|local| local.name == *name)
                    || context.locals.iter().any(|(known, new)| new == name && *known != source)
            };
            let mut name = source.clone();
            while is_taken(&name) || name != source && mentions(body, &name) {
                name = format!("{name}_").into();
            }
            context.locals.push((source, name.clone()));
            let sort = var.sort.as_ref().map(|sort| self.scopes.sort(context.scope, sort));
            context.bound.extend(sort.clone().map(|sort| (name.clone(), sort)));
            bound.push(SortedVar { name: Ident { name, place: var.name.place }, sort });
        }
        bound
    }

    /// Gives bound variables the sorts of their occurrences. `outside` is the number of variables that were in scope.
    fn settle(&mut self, bound: &mut [SortedVar], outside: usize, found: &mut Found) {
        let (inner, outer) = std::mem::take(&mut found.sorts).into_iter().partition(|(at, _)| *at >= outside);
        found.sorts = outer;
        let inner: Vec<(usize, SortRef)> = inner;
        for (at, sort) in inner {
            let Some(var) = bound.get_mut(at - outside) else { continue };
            let before = var.sort.get_or_insert_with(|| sort.clone()).clone();
            let name = var.name.name.clone();
            self.same_sort(&name, Some(before), &sort);
        }
    }

    /// Reports a variable that has one sort at one place and another one elsewhere.
    pub(super) fn same_sort(&mut self, name: &str, known: Option<SortRef>, given: &SortRef) {
        let Some(known) = known.filter(|known| known.name != given.name) else { return };
        self.report.push(
            Diagnostic::error(
                Code::SortMismatch,
                given.place.0,
                format!(
                    "`{name}` is of type `{}` here and of type `{}` elsewhere",
                    spelled(given),
                    spelled(&known)
                ),
            )
            .label("another type")
            .also(known.place.0, "the type is given here"),
        );
    }

    /// Translates `X.f(y)`, where `X` is a variable of a formula with a sort that is given.
    pub(super) fn member_of_variable(
        &mut self,
        first: &str,
        plain: &str,
        name: &Ident,
        args: &[Expr],
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        let span = name.span();
        let args = self.list(args, context, found);
        let (locals, bound) = (context.locals.len(), context.bound.len());
        if context.local(first).is_none() {
            let var = Ident { name: first.into(), place: name.place };
            self.name(&var, &[], span, context, found);
            let sort =
                found.free.iter().find(|var| *var.name.name == *first).and_then(|var| var.sort.clone());
            context.locals.push((first.into(), first.into()));
            context.bound.extend(sort.map(|sort| (first.into(), sort)));
        }
        let value = if let Some(path) = self.path(plain, &args, span, context) {
            self.read_field(path, span)
        } else if let Some(chain) = self.chain(plain, &args, span, context) {
            self.apply_chain(chain, None, span, context, found)
        } else {
            self.report.push(
                Diagnostic::error(Code::SortUnknown, span, format!("the value of `{plain}` is not known"))
                    .label("of which type is the variable, and what does the name stand for?")
                    .help(format!("give the type of the variable where it is bound: `{first}:t`")),
            );
            unknown(span)
        };
        context.locals.truncate(locals);
        context.bound.truncate(bound);
        value
    }

    /// Replaces an application of a defined function by its value.
    pub(super) fn defined_function(
        &mut self,
        full: &Arc<str>,
        args: Vec<Expr>,
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        let Some(function) = self.functions.get(full).cloned() else {
            return reference(full.clone(), args, span);
        };
        if let Some(probe) = &mut self.probe {
            probe.expanded.insert(full.clone());
        }
        if self.faulty.contains(full) {
            return unknown(span);
        }
        if self.expanding.contains(full) {
            self.report.push(
                Diagnostic::error(Code::Recursive, span, format!("`{full}` depends on itself"))
                    .label("definitions are expanded, so they cannot be recursive"),
            );
            return unknown(span);
        }
        let params = self.scopes.params(function.scope);
        let count = params.len() + function.params.len();
        if args.len() != count {
            let name = Ident { name: full.clone(), place: Place(span) };
            self.report.push(crate::fol::statics::names::wrong_count(
                &name,
                span,
                args.len(),
                count,
                function.place,
            ));
            return unknown(span);
        }
        let mut inside = Context { scope: function.scope, locals: Vec::new(), ..context.clone() };
        let mut lets = Vec::new();
        // The declaration tells the sorts that the definition leaves open.
        let declared = self.symbols.get(full).map(|symbol| symbol.args.clone()).unwrap_or_default();
        let own = function.params.iter().enumerate().map(|(at, param)| SortedVar {
            name: param.name.clone(),
            sort: match &param.sort {
                Some(sort) => Some(self.scopes.sort(function.scope, sort)),
                None => declared.get(params.len() + at).cloned(),
            },
        });
        let own: Vec<SortedVar> = own.collect();
        for (at, (param, value)) in params.iter().chain(&own).zip(args).enumerate() {
            self.fresh += 1;
            let fresh: Arc<str> = format!("{}@@{}", param.name.name, self.fresh).into();
            let source = &param.name.name;
            if at < params.len() {
                inside.locals.push((parameter(at), fresh.clone()));
            }
            inside.locals.push((source.clone(), fresh.clone()));
            // A parameter has members where its sort is given.
            if at.checked_sub(params.len()).is_none_or(|at| function.params[at].sort.is_some()) {
                inside.bound.extend(param.sort.clone().map(|sort| (fresh.clone(), sort)));
            }
            let name = Ident { name: fresh, place: param.name.place };
            lets.push((SortedVar { name, sort: param.sort.clone() }, value));
        }
        self.expanding.push(full.clone());
        let outside = self.given.len();
        if context.calls && context.quantifiers == 0 && lets.iter().all(|(_, value)| self.is_ground(value)) {
            let sorted = |(var, value): &(SortedVar, Expr)| SortedVar {
                sort: var.sort.clone().or_else(|| self.sort_of(value)),
                ..var.clone()
            };
            let vars: Vec<SortedVar> = lets.iter().map(sorted).collect();
            self.given.extend(vars);
        }
        // Sorts that are given at parameters are not those of variables outside.
        let mut own = Found { free: std::mem::take(&mut found.free), ..Found::default() };
        let mut body = self.expr(function.body, &mut inside, &mut own);
        // The bits of a number are of any type.
        if let ExprKind::Ref { name, .. } = &mut body.kind
            && is_extraction(&name.name)
            && let Some(SortRef { name: SortName::Named(sort), .. }) =
                self.symbols.get(full).and_then(|symbol| symbol.result.as_ref())
        {
            name.name = format!("{}:{sort}", name.name).into();
        }
        found.free = own.free;
        let with_values = |body: Expr| {
            lets.iter().rev().fold(body, |body, (var, value)| {
                let (var, parts) = (Box::new(var.clone()), Box::new([value.clone(), body]));
                Expr::new(ExprKind::Let { var, parts }, span)
            })
        };
        let has_facts = self.given.len() > outside;
        self.given.truncate(outside);
        found.before.extend(own.before.into_iter().map(|command| match command.kind {
            // What is known of numbers is said of the values.
            CommandKind::Assume(fact) if has_facts => {
                Command { kind: CommandKind::Assume(with_values(fact)), ..command }
            }
            kind => Command { kind, ..command },
        }));
        self.expanding.pop();
        with_values(body)
    }

    /// Executes a call before the command with the expression, and returns its result.
    pub(super) fn call_in_expression(
        &mut self,
        (full, overrides): (&Arc<str>, &[Override]),
        args: Vec<Expr>,
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        let problem = if !context.calls {
            Some("actions are called in statements alone")
        } else if context.quantifiers > 0 {
            Some("a call under a quantifier would be executed for every value")
        } else {
            None
        };
        if let Some(problem) = problem {
            self.report.push(
                Diagnostic::error(Code::Program, span, format!("the action `{full}` is called in a formula"))
                    .label("not possible here")
                    .note(problem),
            );
            return unknown(span);
        }
        self.call_for_value((full, overrides), args, span, context, &mut found.before)
    }
}

/// Returns the name under which a parameter of the objects around a declaration is looked up, by its position from the
/// outermost one. No variable of a formula has such a name.
pub(super) fn parameter(at: usize) -> Arc<str> {
    format!("@{at}").into()
}
