//! Calls of actions, which are inlined.

use std::sync::Arc;

use super::commands::{block, command};
use super::declarations::renamed;
use super::exprs::{reference, unknown};
use super::fields::Target;
use super::formulas::Context;
use super::others::Moment;
use super::state::{ActionInfo, Expander, MAX_CALLS, Override};
use super::statements::Caller;
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortRef, SortedVar};
use crate::program::ast::{Command, CommandKind};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Where the results of a call go.
#[derive(Clone)]
pub(super) enum Results {
    /// These places; none if the results are not used.
    Targets(Vec<Target>),
    /// A new variable, which has the single result.
    Variable(Arc<str>),
}

impl<'a> Expander<'a, '_> {
    /// Translates a call in an expression. Returns the variable with its result.
    pub(super) fn call_for_value(
        &mut self,
        (full, overrides): (&Arc<str>, &[Override]),
        args: Vec<Expr>,
        span: Span,
        context: &Context,
        out: &mut Vec<Command>,
    ) -> Expr {
        let Some(info) = self.actions.get(full).cloned() else {
            return unknown(span);
        };
        let [result] = info.declared.action.returns.as_slice() else {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    format!("the action `{full}` returns no single value"),
                )
                .label("a value is expected here")
                .also(info.declared.action.name.span(), "declared here"),
            );
            return unknown(span);
        };
        let sort = result.sort.as_ref().map(|sort| self.scopes.sort(info.declared.scope, sort));
        let name = Ident { name: result.name.name.clone(), place: Place(span) };
        let same = self.formals(info.declared).iter().any(|formal| formal.name.name == result.name.name);
        let is_assigned = same || !overrides.is_empty() || self.changed_in(&info).contains(&result.name.name);
        let var = self.new_local(&SortedVar { name, sort }, is_assigned);
        let name = var.name.name.clone();
        out.push(command(CommandKind::Local(vec![var]), span));
        let wanted = Results::Variable(name.clone());
        self.call_of_value((full, overrides), args, wanted, span, context, out);
        reference(name, Vec::new(), span)
    }

    /// Translates a call: the parts of the action, with its parameters and results as local variables.
    pub(super) fn call(
        &mut self,
        full: &Arc<str>,
        args: Vec<Expr>,
        wanted: Results,
        span: Span,
        context: &Context,
        out: &mut Vec<Command>,
    ) {
        let Some(info) = self.actions.get(full).cloned() else { return };
        self.called.insert(full.clone());
        if self.calling.iter().any(|call| call.action == *full) || self.calling.len() >= MAX_CALLS {
            let caller = context.action.as_deref().unwrap_or_default();
            self.report.push(
                Diagnostic::error(Code::Recursive, span, format!("`{full}` is called while it is executed"))
                    .label(format!("called by `{caller}`"))
                    .note("calls are inlined, so actions cannot be recursive"),
            );
            return;
        }
        let formals = self.formals(info.declared);
        if formals.len() != args.len() {
            let name = Ident { name: full.clone(), place: Place(span) };
            self.report.push(crate::fol::statics::names::wrong_count(
                &name,
                span,
                args.len(),
                formals.len(),
                info.declared.action.name.span(),
            ));
            return;
        }
        let returns = info.declared.action.returns.len();
        if let Results::Targets(targets) = &wanted
            && targets.len() != returns
        {
            let values = if returns == 1 { "a value" } else { &format!("{returns} values") };
            let error = Diagnostic::error(Code::Arity, span, format!("`{full}` returns {values}"))
                .also(info.declared.action.name.span(), "declared here");
            self.report.push(match targets.len() {
                0 => error
                    .label("none is assigned")
                    .help("assign what it returns: `x := f(y)`, `(x, z) := f(y)`"),
                count => error.label(format!("{count} are assigned")),
            });
            return;
        }
        self.executed_of_library(full, &info, span);
        let outside = self.locals.len();
        let changed = self.changed_in(&info);
        let mut body = Vec::new();
        let mut params = Vec::new();
        for (formal, arg) in formals.iter().zip(args) {
            let is_assigned = changed.contains(&formal.name.name);
            if !is_assigned && let Some(same) = self.constant(&arg, formal.sort.as_ref()) {
                params.push(same);
                continue;
            }
            let arg = self.as_variant(formal.sort.as_ref(), arg, span, &mut body);
            let var = self.new_local(formal, true);
            params.push(var.name.name.clone());
            let target = var.name.clone();
            body.push(command(CommandKind::Local(vec![var]), span));
            body.push(command(CommandKind::Assign { target, args: None, value: arg }, span));
        }
        let (results, targets) = match wanted {
            Results::Variable(name) => {
                let result = info.declared.action.returns.first().map(|result| &result.name.name);
                if let Some(at) = formals.iter().position(|formal| Some(&formal.name.name) == result) {
                    let value = reference(params[at].clone(), Vec::new(), span);
                    let target = renamed(name.clone(), span);
                    body.push(command(CommandKind::Assign { target, args: None, value }, span));
                }
                (vec![name], Vec::new())
            }
            Results::Targets(targets) => (self.results(info.declared, &params, &changed, &mut body), targets),
        };
        let caller = match (&context.action, context.is_trusted) {
            (None, _) => Caller::Initializer,
            (Some(_), true) => Caller::Trusted,
            (Some(_), false) => Caller::Program,
        };
        match &mut self.probe {
            Some(probe) => _ = probe.calls.insert(full.clone()),
            None => {
                self.parts(full, &info, &params, &results, caller, &mut body);
                self.assume_others(Moment::After(full), span, &mut body);
            }
        }
        for (target, result) in targets.into_iter().zip(results) {
            self.assign_to(target, reference(result, Vec::new(), span), span, &mut body);
        }
        self.locals.truncate(outside);
        out.push(block(body, span));
    }

    /// Returns the name of the variable of this sort that an expression is, if its value never changes.
    fn constant(&self, expr: &Expr, sort: Option<&SortRef>) -> Option<Arc<str>> {
        let ExprKind::Ref { name, args: None, .. } = &expr.kind else { return None };
        let local = self.locals.iter().find(|local| local.name == name.name)?;
        let is_same = local.sort.as_ref().zip(sort).is_some_and(|(known, sort)| known.name == sort.name);
        (!local.is_assigned && is_same).then(|| local.name.clone())
    }

    /// Returns the variables that the parts of an action assign to, by their names in any part.
    pub(super) fn changed_in(&self, info: &ActionInfo<'_>) -> Set<Arc<str>> {
        let mut changed = Set::default();
        let (declared, formals) = (info.declared.action, self.formals(info.declared));
        let parts =
            info.implemented.iter().map(|part| (part, part.action.body.as_deref().unwrap_or_default()));
        let monitors = info.before.iter().chain(&info.after).map(|(part, stmts)| (part, *stmts));
        for (part, stmts) in parts.chain(monitors) {
            let of_part = self.assigned(stmts, &Context::of(part.scope));
            // The names of a part are those of the declaration at the same positions.
            let own = self.names_in(*part, &formals);
            let params = own.iter().zip(&formals);
            for (own, known) in params.chain(part.action.returns.iter().zip(&declared.returns)) {
                if of_part.contains(&own.name.name) {
                    changed.insert(known.name.name.clone());
                }
            }
            changed.extend(of_part);
        }
        changed
    }
}
