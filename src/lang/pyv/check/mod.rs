//! Names, sorts and states of all formulas.

pub(in crate::lang) mod closure;
pub(in crate::lang) mod expr;
pub(in crate::lang) mod names;

use std::sync::Arc;

use super::ast::{self, DeclKind, Ident, SortedVar};
use super::globals::{Global, Globals, Unit};
use super::report::Report;
use super::sorts::{Sorts, Ty};
use super::typed::{Body, Expr, Local, LocalId, UnitId};
use crate::base::hash::Map;
use crate::base::ids::{Id as _, IdVec};
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::system::MAX_STEPS;
use expr::Why;
use names::Place;

/// All formulas of a file, checked.
pub(in crate::lang) struct Checked {
    pub(in crate::lang) bodies: IdVec<UnitId, Body>,
    /// In source order.
    pub(in crate::lang) traces: Vec<Trace>,
}

/// A checked trace query.
pub(in crate::lang) struct Trace {
    pub(in crate::lang) expect_sat: bool,
    pub(in crate::lang) steps: Vec<TraceStep>,
    pub(in crate::lang) span: Span,
}

/// A component of a checked trace query.
pub(in crate::lang) enum TraceStep {
    AssertInit,
    Assert(Body),
    AnyTransition,
    /// The transitions with their arguments.
    Calls(Vec<(UnitId, Vec<Option<Body>>)>),
}

/// Checks all formulas.
pub(in crate::lang) fn check(
    program: &ast::Program,
    globals: &mut Globals<'_>,
    report: &mut Report,
) -> Checked {
    let mut checker = Checker::new(globals, report);
    let mut bodies = IdVec::new();
    for unit in checker.globals.units.ids() {
        let body = if checker.report.is_full() { Body::default() } else { checker.unit(unit) };
        bodies.push(body);
    }
    let mut traces = Vec::new();
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Trace { expect_sat, steps } => {
                let steps = checker.trace_steps(steps);
                traces.push(Trace { expect_sat: *expect_sat, steps, span: decl.span() });
            }
            DeclKind::Fbii(steps) => checker.fbii(steps, decl.span()),
            _ => {}
        }
    }
    for body in bodies.iter_mut() {
        if !checker.report.is_full() {
            checker.settle(body);
        }
    }
    for step in traces.iter_mut().flat_map(|trace| &mut trace.steps) {
        match step {
            TraceStep::Assert(body) => checker.settle(body),
            TraceStep::Calls(calls) => {
                for body in calls.iter_mut().flat_map(|(_, args)| args).flatten() {
                    checker.settle(body);
                }
            }
            TraceStep::AssertInit | TraceStep::AnyTransition => {}
        }
    }
    Checked { bodies, traces }
}

/// What kind of formula is being checked.
#[derive(Clone, Copy)]
pub(in crate::lang) struct Context {
    /// How many states it speaks of.
    pub(in crate::lang) states: u16,
    /// Its kind, with an article.
    pub(in crate::lang) what: &'static str,
    /// Why free capital letters are not bound by an outermost `forall`; `None` where they are.
    pub(in crate::lang) unclosed: Option<&'static str>,
    /// Whether it stands in a command of a program, where parameters and locals are in scope.
    pub(in crate::lang) is_of_command: bool,
}

impl Context {
    /// Formulas of a kind, over so many states, whose free capital letters are bound.
    pub(in crate::lang) fn closed(states: u16, what: &'static str) -> Context {
        Context { states, what, unclosed: None, is_of_command: false }
    }
}

pub(in crate::lang) struct Checker<'c, 'a> {
    pub(in crate::lang) globals: &'c mut Globals<'a>,
    pub(in crate::lang) report: &'c mut Report,
    sorts: Sorts,
    /// The sorts of each unit's parameters, perhaps to be inferred.
    param_sorts: IdVec<UnitId, Vec<Ty>>,
    context: Context,
    /// The state that symbols without primes are read in.
    state: u16,
    /// Whether this is inside of a `new` that has been refused.
    beyond: bool,
    /// The body that is being checked.
    pub(in crate::lang) body: Body,
    /// The variables in scope, the innermost last.
    pub(in crate::lang) scope: Map<Arc<str>, Vec<LocalId>>,
    /// Whether names that start with `__` may be made by the tool.
    generated_names: bool,
}

impl<'c, 'a> Checker<'c, 'a> {
    /// A checker that knows the parameters of all units.
    pub(in crate::lang) fn new(globals: &'c mut Globals<'a>, report: &'c mut Report) -> Checker<'c, 'a> {
        let mut checker = Checker {
            globals,
            report,
            sorts: Sorts::default(),
            param_sorts: IdVec::new(),
            context: Context::closed(0, ""),
            state: 0,
            beyond: false,
            body: Body::default(),
            scope: Map::default(),
            generated_names: false,
        };
        checker.declare_params();
        checker
    }
}

impl Checker<'_, '_> {
    /// Finds the sorts of all parameters, so that units may be called before they are checked.
    fn declare_params(&mut self) {
        for unit in self.globals.units.ids() {
            let params = self.globals.units[unit].params;
            let sorts = params.iter().map(|param| self.declared_sort(param)).collect();
            self.param_sorts.push(sorts);
        }
    }

    /// The sort that a variable is declared with, or one to be inferred.
    #[inline(never)]
    pub(in crate::lang) fn declared_sort(&mut self, var: &SortedVar) -> Ty {
        match &var.sort {
            Some(sort) => self.globals.sort(sort, self.report),
            None => self.sorts.fresh(),
        }
    }

    pub(in crate::lang) fn enter(&mut self, context: Context) {
        self.context = context;
        self.state = 0;
        self.body = Body::default();
        self.scope.clear();
    }

    pub(in crate::lang) fn unit(&mut self, id: UnitId) -> Body {
        let Unit { states, params, modifies, formula, .. } = self.globals.units[id];
        self.enter(Context::closed(states, self.globals.units[id].what()));
        let sorts = self.param_sorts[id].clone();
        let params_at = self.body.locals.len();
        for (param, ty) in params.iter().zip(sorts) {
            let local = self.bind(&param.name, ty, params_at);
            self.body.params.push(local);
        }
        if let Some([first, ..]) = modifies
            && states < 2
        {
            self.report.push(
                Diagnostic::error(
                    Code::Modifies,
                    first.span(),
                    "only definitions over two states can modify symbols",
                )
                .label("no next state here")
                .help("declare it as a `twostate definition`, or write `=` before the formula"),
            );
        }
        self.modifies(modifies);
        self.closed(formula, params, Why::Formula(self.context.what))
    }

    /// Checks a formula after its parameters have been bound.
    pub(in crate::lang) fn closed(&mut self, formula: &ast::Expr, params: &[SortedVar], why: Why) -> Body {
        for name in closure::free_capitals(formula, params) {
            if self.scope.get(&name.name).is_some_and(|stack| !stack.is_empty()) {
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

    pub(in crate::lang) fn new_local(&mut self, name: &Ident, ty: Ty) -> LocalId {
        let local = self.body.locals.push(Local { name: name.name.clone(), ty, span: name.span() });
        self.scope.entry(name.name.clone()).or_default().push(local);
        local
    }

    /// Brings a variable into scope; `binder_at` is how many variables there were before its binder.
    #[inline(never)]
    pub(in crate::lang) fn bind(&mut self, name: &Ident, ty: Ty, binder_at: usize) -> LocalId {
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

    /// Takes the innermost variable of this name out of scope.
    pub(in crate::lang) fn unbind(&mut self, name: &str) {
        if let Some(stack) = self.scope.get_mut(name) {
            stack.pop();
        }
    }

    /// Checks that the names after `modifies` are symbols that can change.
    fn modifies(&mut self, modifies: Option<&[Ident]>) {
        for name in modifies.unwrap_or_default() {
            match self.globals.get(&name.name) {
                Some((Global::Symbol(sym), span)) => {
                    let symbol = &self.globals.sig.symbols[sym];
                    let problem = match symbol.kind {
                        crate::logic::SymbolKind::Mutable => continue,
                        crate::logic::SymbolKind::Derived => "derived",
                        _ => "immutable",
                    };
                    let error = Diagnostic::error(
                        Code::Modifies,
                        name.span(),
                        format!("`{}` is {problem} and cannot be modified", name.name),
                    )
                    .label(format!("{problem} symbol in `modifies`"))
                    .also(span, "declared here");
                    self.report.push(if problem == "derived" {
                        error.note("a derived relation follows the symbols in its axiom by itself")
                    } else {
                        error
                    });
                }
                Some((global, span)) => self.report.push(
                    Diagnostic::error(
                        Code::Modifies,
                        name.span(),
                        format!(
                            "`{}` is {} and cannot be modified",
                            name.name,
                            self.globals.describe(global)
                        ),
                    )
                    .label("not a mutable symbol")
                    .also(span, "declared here"),
                ),
                None => self.undeclared(name, Place::Symbol),
            }
        }
    }

    /// Checks the components of a trace. None of them is checked if there are too many transitions.
    pub(in crate::lang) fn trace_steps(&mut self, steps: &[ast::TraceStep]) -> Vec<TraceStep> {
        let place = |step: &ast::TraceStep| match step {
            ast::TraceStep::AnyTransition(place) => Some(place.0),
            ast::TraceStep::Calls(calls) => calls.first().map(|call| call.place.0),
            ast::TraceStep::AssertInit | ast::TraceStep::Assert(_) => None,
        };
        if let Some(beyond) = steps.iter().filter_map(place).nth(MAX_STEPS.into()) {
            let message = format!("the trace has more than {MAX_STEPS} transitions");
            self.report.push(
                Diagnostic::error(Code::TraceLength, beyond, message)
                    .label("the first one beyond")
                    .help("a claim about the states after any number of transitions is an `invariant`"),
            );
            return Vec::new();
        }
        steps.iter().filter_map(|step| self.trace_step(step)).collect()
    }

    fn trace_step(&mut self, step: &ast::TraceStep) -> Option<TraceStep> {
        Some(match step {
            ast::TraceStep::AssertInit => TraceStep::AssertInit,
            ast::TraceStep::AnyTransition(_) => TraceStep::AnyTransition,
            ast::TraceStep::Assert(formula) => {
                self.enter(Context::closed(1, "an assertion in a trace"));
                TraceStep::Assert(self.closed(formula, &[], Why::Formula("an assertion")))
            }
            ast::TraceStep::Calls(calls) => {
                TraceStep::Calls(calls.iter().filter_map(|call| self.trace_call(call)).collect())
            }
        })
    }

    fn trace_call(&mut self, call: &ast::TraceCall) -> Option<(UnitId, Vec<Option<Body>>)> {
        let unit = self.transition(&call.name)?;
        let sorts = self.param_sorts[unit].clone();
        let Some(args) = &call.args else { return Some((unit, sorts.iter().map(|_| None).collect())) };
        let decl = self.globals.units[unit].name_span();
        if args.len() != sorts.len() {
            self.report.push(
                names::wrong_count(&call.name, call.place.0, args.len(), sorts.len(), decl)
                    .help("write `*` for an argument that may be anything, or leave the whole list out"),
            );
            return None;
        }
        let mut checked = Vec::new();
        for (arg, ty) in args.iter().zip(sorts) {
            checked.push(arg.as_ref().map(|arg| {
                self.enter(Context {
                    unclosed: Some("an argument is one value; write `*` where it may be anything"),
                    ..Context::closed(1, "an argument in a trace")
                });
                let (expr, _) = self.expr(arg, Some((ty, Why::Argument(decl))));
                self.body.expr = Some(expr);
                std::mem::take(&mut self.body)
            }));
        }
        Some((unit, checked))
    }

    /// Checks an `fbii` proof as far as names and sorts go.
    fn fbii(&mut self, steps: &[ast::FbiiStep], span: Span) {
        self.report.push(
            Diagnostic::warning(Code::Unchecked, span, "the `fbii` proof is not checked")
                .label("names and sorts are checked, the proof is not")
                .note("the invariants and safety properties outside of it are checked as usual"),
        );
        let mut prophecy: Vec<(Ident, Ty)> = Vec::new();
        let mut bodies = Vec::new();
        for step in steps {
            for var in step.prophecy.iter().flatten() {
                let ty = self.declared_sort(var);
                prophecy.push((var.name.clone(), ty));
            }
            for invariant in &step.invariants {
                bodies.push(self.fbii_formula(&invariant.formula, &prophecy, false));
            }
            for item in step.by.iter().flatten() {
                match item {
                    ast::FbiiItem::Invariant(invariant) => {
                        bodies.push(self.fbii_formula(&invariant.formula, &prophecy, true));
                    }
                    ast::FbiiItem::Select(formula) => {
                        bodies.push(self.fbii_formula(formula, &prophecy, true));
                    }
                    ast::FbiiItem::Default => {}
                }
            }
        }
        for body in &mut bodies {
            self.settle(body);
        }
    }

    fn fbii_formula(&mut self, formula: &ast::Expr, prophecy: &[(Ident, Ty)], generated_names: bool) -> Body {
        self.enter(Context::closed(1, "a formula of an `fbii` proof"));
        self.generated_names = generated_names;
        for (name, ty) in prophecy {
            self.bind(name, *ty, usize::MAX);
        }
        let body = self.closed(formula, &[], Why::Formula("an invariant"));
        self.generated_names = false;
        body
    }

    /// Resolves the sorts of all variables and reports those that are not known.
    pub(in crate::lang) fn settle(&mut self, body: &mut Body) {
        for local in body.locals.iter_mut() {
            local.ty = self.sorts.resolve(local.ty);
            if !matches!(local.ty, Ty::Var(_)) {
                continue;
            }
            // One report is enough for all variables that are linked to this one.
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
