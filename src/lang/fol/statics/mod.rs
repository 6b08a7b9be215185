//! Static checks of formulas: names, sorts and states.

pub(crate) mod expr;
pub(crate) mod names;
mod overloads;
pub(crate) mod trace;

use std::sync::Arc;

use super::ast::{self, Ident, SortedVar};
use super::closure;
use super::names::{Globals, Unit};
use super::sorts::{Sorts, Ty};
use super::typed::{Body, Local, LocalId, UnitId};
use crate::shared::report::Report;
use expr::Reason;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SymId;

/// Context of the formula being checked.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// The number of states that it may mention.
    pub(crate) states: u16,
    /// Its kind, with an article.
    pub(crate) what: &'static str,
    /// The reason why free capital letters are not bound by an outermost `forall`; `None` if they are.
    pub(crate) unclosed: Option<&'static str>,
    /// Whether it is part of a command of a program, where parameters and locals are in scope.
    pub(crate) is_of_command: bool,
}

impl Context {
    /// Returns the context of formulas of kind `what` over `states` states, with implicit quantifiers.
    pub(crate) fn closed(states: u16, what: &'static str) -> Context {
        Context { states, what, unclosed: None, is_of_command: false }
    }
}

/// Meaning of a name that is defined in one place only.
#[derive(Clone)]
pub(crate) enum LocalName {
    /// A symbol of the signature.
    Symbol(SymId),
    /// A formula, which is translated before the formulas that mention it.
    Formula(Callee),
}

/// A formula that can be called.
#[derive(Clone)]
pub(crate) struct Callee {
    /// The number of its template.
    pub(crate) unit: UnitId,
    /// The number of states that it is over.
    pub(crate) states: u16,
    /// The sorts of its parameters.
    pub(crate) sorts: Vec<Ty>,
    /// Its declaration.
    pub(crate) decl: Span,
}

pub(crate) struct Checker<'c, 'a> {
    pub(crate) globals: &'c mut Globals<'a>,
    pub(crate) report: &'c mut Report,
    sorts: Sorts,
    /// The sorts of each unit's parameters, possibly still to be inferred.
    param_sorts: IdVec<UnitId, Vec<Ty>>,
    context: Context,
    /// The state in which symbols without primes are evaluated.
    state: u16,
    /// Whether this is inside a rejected `new`.
    in_rejected_new: bool,
    /// The body being checked.
    pub(crate) body: Body,
    /// The variables in scope, innermost last.
    pub(crate) scope: Map<Arc<str>, Vec<LocalId>>,
    /// Names that are defined in this place alone. They take precedence over declared ones.
    pub(crate) local_names: Vec<(&'static str, LocalName)>,
}

impl<'c, 'a> Checker<'c, 'a> {
    /// Creates a checker and declares the parameters of all units.
    pub(crate) fn new(globals: &'c mut Globals<'a>, report: &'c mut Report) -> Checker<'c, 'a> {
        let mut checker = Checker {
            globals,
            report,
            sorts: Sorts::default(),
            param_sorts: IdVec::new(),
            context: Context::closed(0, ""),
            state: 0,
            in_rejected_new: false,
            body: Body::default(),
            scope: Map::default(),
            local_names: Vec::new(),
        };
        checker.declare_params();
        checker
    }
}

impl Checker<'_, '_> {
    /// Determines the sorts of all parameters, so that units may be called before they are checked.
    fn declare_params(&mut self) {
        for unit in self.globals.units.ids() {
            let params = self.globals.units[unit].params;
            let sorts = params.iter().map(|param| self.declared_sort(param)).collect();
            self.param_sorts.push(sorts);
        }
    }

    /// Returns the declared sort of a variable, or a sort to be inferred.
    #[inline(never)]
    pub(crate) fn declared_sort(&mut self, var: &SortedVar) -> Ty {
        match &var.sort {
            Some(sort) => self.globals.sort(sort, self.report),
            None => self.sorts.fresh(),
        }
    }

    /// Returns the sort that is known of `ty` so far.
    pub(crate) fn known_sort(&mut self, ty: Ty) -> Ty {
        self.sorts.resolve(ty)
    }

    pub(crate) fn enter(&mut self, context: Context) {
        self.context = context;
        self.state = 0;
        self.body = Body::default();
        self.scope.clear();
    }

    pub(crate) fn unit(&mut self, id: UnitId) -> Body {
        let Unit { states, params, formula, what, .. } = self.globals.units[id];
        self.enter(Context::closed(states, what));
        let sorts = self.param_sorts[id].clone();
        let params_at = self.body.locals.len();
        for (param, ty) in params.iter().zip(sorts) {
            let local = self.bind(&param.name, ty, params_at);
            self.body.params.push(local);
        }
        self.closed(formula, params, Reason::Formula(self.context.what))
    }

    /// Checks a formula whose parameters are already bound.
    pub(crate) fn closed(&mut self, formula: &ast::Expr, params: &[SortedVar], why: Reason) -> Body {
        for name in closure::free_capitals(formula, params) {
            let is_local = self.local_names.iter().any(|(known, _)| *known == &*name.name);
            if is_local || self.scope.get(&name.name).is_some_and(|stack| !stack.is_empty()) {
                continue;
            }
            if let Some((global, span)) = self.globals.get(&name.name) {
                self.report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        name.span(),
                        format!("the variable `{}` shadows {}", name.name, self.globals.describe(global)),
                    )
                    .label("capital letters are variables that are quantified implicitly")
                    .also(span, "declared here")
                    .help(format!(
                        "rename the declaration so that it has a small letter: `{}`",
                        name.name.to_lowercase()
                    )),
                );
                continue;
            }
            let ty = self.sorts.fresh();
            let local = self.new_local(name, ty);
            self.body.closure.push(local);
        }
        let (expr, _) = self.expr(formula, Some((Ty::Bool, why)));
        self.body.expr = Some(expr);
        std::mem::take(&mut self.body)
    }

    pub(crate) fn new_local(&mut self, name: &Ident, ty: Ty) -> LocalId {
        let local = self.body.locals.push(Local { name: name.name.clone(), ty, span: name.span() });
        self.scope.entry(name.name.clone()).or_default().push(local);
        local
    }

    /// Brings a variable into scope. `binder_at` is the number of variables before its binder.
    #[inline(never)]
    pub(crate) fn bind(&mut self, name: &Ident, ty: Ty, binder_at: usize) -> LocalId {
        if let Some((global, span)) = self.globals.get(&name.name) {
            self.report.push(
                Diagnostic::error(
                    Code::Duplicate,
                    name.span(),
                    format!("the variable `{}` shadows {}", name.name, self.globals.describe(global)),
                )
                .label("variables must not have the name of a declaration")
                .also(span, "declared here"),
            );
        } else if let Some(&other) = self.scope.get(&name.name).and_then(|stack| stack.last())
            && other.index() >= binder_at
        {
            self.report.push(
                Diagnostic::error(
                    Code::Duplicate,
                    name.span(),
                    format!("the variable `{}` is bound twice", name.name),
                )
                .label("bound again here")
                .also(self.body.locals[other].span, "first bound here"),
            );
            self.sorts.unify(self.body.locals[other].ty, Ty::Unknown, name.span());
        }
        self.new_local(name, ty)
    }

    /// Removes the innermost variable of this name from scope.
    pub(crate) fn unbind(&mut self, name: &str) {
        if let Some(stack) = self.scope.get_mut(name) {
            stack.pop();
        }
    }

    /// Resolves the sorts of all variables and reports those that could not be inferred.
    pub(crate) fn settle(&mut self, body: &mut Body) {
        self.settle_variants(&body.variants);
        if body.has_overloads
            && let Some(expr) = &mut body.expr
        {
            self.settle_overloads(expr);
        }
        for local in body.locals.iter_mut() {
            local.ty = self.sorts.resolve(local.ty);
            if !matches!(local.ty, Ty::Var(_)) {
                continue;
            }
            // Reports only one of the variables whose sorts are unified.
            let linked = std::mem::replace(&mut local.ty, Ty::Unknown);
            self.sorts.unify(linked, Ty::Unknown, local.span);
            self.report.push(
                Diagnostic::error(
                    Code::SortUnknown,
                    local.span,
                    format!("the sort of `{}` cannot be inferred", local.name),
                )
                .label("nothing here tells its sort")
                .help(if closure::is_capital(&local.name) {
                    format!("bind it explicitly, with its sort: `forall {}:sort. ..`", local.name)
                } else {
                    format!(
                        "give its sort: `{0}:sort`; in `x, {0}:sort` the sort is that of `{0}` alone",
                        local.name
                    )
                }),
            );
        }
    }
}
