//! What is applied to a value with a dot: `x.f(y)` is `f(x, y)`, for a field, function or action `f` of the type of `x`.

use std::sync::Arc;

use super::calls::Results;
use super::commands::command;
use super::exprs::{reference, unknown};
use super::formulas::{Context, Found};
use super::state::{Expander, Override};
use super::variants::points;
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::program::ast::{Command, CommandKind};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// What a dot and a name apply to a value.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Member {
    /// A field, function or relation.
    Function(Arc<str>),
    /// An action with one result.
    Action(Arc<str>),
}

/// A value, with what is applied to it one after the other.
pub(super) struct Chain {
    /// The variable or symbol.
    pub(super) name: Arc<str>,
    /// Its arguments.
    pub(super) args: Vec<Expr>,
    /// What is applied, each with its further arguments.
    pub(super) members: Vec<(Member, Vec<Expr>)>,
}

impl Expander<'_, '_> {
    /// Returns what a dotted name with these arguments is, if its first parts are a value, and all others are applied to values.
    /// Arguments belong to the first part that takes them; the last part gets all that remain.
    pub(super) fn chain(&self, name: &str, args: &[Expr], span: Span, context: &Context) -> Option<Chain> {
        let dots: Vec<usize> = name.match_indices('.').map(|(at, _)| at).collect();
        dots.into_iter().rev().find_map(|at| {
            let base = self.base(&name[..at], args, span, context)?;
            let (mut rest, mut sort) = (base.rest, Some(base.sort));
            let mut members = Vec::new();
            let mut parts = name[at + 1..].split('.').peekable();
            while let Some(part) = parts.next() {
                let (member, count, result) = self.member(&sort?, part)?;
                let count = if parts.peek().is_none() { rest.len() } else { count };
                let after = rest.split_off(count.min(rest.len()));
                members.push((member, std::mem::replace(&mut rest, after)));
                sort = result;
            }
            Some(Chain { name: base.name, args: base.args, members })
        })
    }

    /// Returns what a name applies to values of a sort: a field, or what is declared in the object that is the type, or beside the
    /// type. Returns the number of further arguments with it, and the sort of the result.
    fn member(&self, sort: &SortRef, name: &str) -> Option<(Member, usize, Option<SortRef>)> {
        let SortName::Named(of) = &sort.name else { return None };
        let field = self.fields.get(of).and_then(|fields| fields.iter().find(|field| *field.name == *name));
        let inside: Arc<str> = format!("{of}.{name}").into();
        let full = field.map(|field| field.function.clone());
        [inside, Self::beside(of, name)].into_iter().chain(full).find_map(|full| {
            if let Some(info) = self.actions.get(&full) {
                let formals = self.formals(info.declared);
                let receiver = formals.get(self.receiver(&full))?;
                let takes = receiver.sort.as_ref()?.name == sort.name;
                let scope = info.declared.scope;
                let result = match info.declared.action.returns.as_slice() {
                    [only] => only.sort.as_ref().map(|sort| self.scopes.sort(scope, sort)),
                    _ => None,
                };
                return takes.then(|| (Member::Action(full.clone()), formals.len() - 1, result));
            }
            let symbol = self.symbols.get(&full).filter(|symbol| symbol.source.is_none())?;
            let takes = symbol.args.first()?.name == sort.name;
            takes.then(|| (Member::Function(full.clone()), symbol.args.len() - 1, symbol.result.clone()))
        })
    }

    /// Returns the actions that are called in the place of an action of a value, each with the variant that the value has to be one
    /// of.
    pub(super) fn overrides(&mut self, action: &Arc<str>, span: Span) -> Vec<Override> {
        let Some(info) = self.actions.get(action).cloned() else { return Vec::new() };
        let formals = self.formals(info.declared);
        let at = self.receiver(action);
        let Some(of) = formals.get(at).and_then(|it| it.sort.clone()) else { return Vec::new() };
        let SortName::Named(of) = of.name else { return Vec::new() };
        let method = action.rsplit('.').next().unwrap_or_default();
        let mut found = Vec::new();
        for variant in self.variants.get(&of).cloned().unwrap_or_default() {
            let inside: Arc<str> = format!("{variant}.{method}").into();
            let beside = Self::beside(&variant, method);
            let known = |it: &Arc<str>| it != action && self.actions.contains_key(it);
            let Some(other) = [inside, beside].into_iter().find(known) else { continue };
            let sorts = self.sorts_beside(&other, at, &variant);
            if sorts.is_none() || sorts != self.sorts_beside(action, at, &of) {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        span,
                        format!("this calls `{other}` where the value is one of a variant"),
                    )
                    .label("not supported: it has parameters or results of other types")
                    .help(format!("call one of them by its name: `{action}(..)` or `{other}(..)`")),
                );
                return Vec::new();
            }
            let sort = SortRef { name: SortName::Named(variant), place: Place(span) };
            found.push(Override { sort, action: other });
        }
        found
    }

    /// Returns the position, among all parameters of an action, of the value of which it is called with a dot.
    pub(super) fn receiver(&self, action: &Arc<str>) -> usize {
        let Some(info) = self.actions.get(action) else { return 0 };
        let outer = || self.scopes.params(info.declared.scope).len();
        info.declared.action.receiver.map_or(0, |at| outer() + at)
    }

    /// Returns the sorts of the parameters and results of an action, but for the parameter at a position, which is of the given
    /// sort.
    fn sorts_beside(
        &self,
        action: &Arc<str>,
        at: usize,
        of: &Arc<str>,
    ) -> Option<(Vec<SortName>, Vec<SortName>)> {
        let info = self.actions.get(action)?;
        let mut others = self.formals(info.declared);
        let receiver = (at < others.len()).then(|| others.remove(at))?;
        let is_of = receiver.sort.as_ref()?.name == SortName::Named(of.clone());
        let scope = info.declared.scope;
        let others = others.iter().map(|it| Some(it.sort.as_ref()?.name.clone()));
        let returns = info.declared.action.returns.iter();
        let returns = returns.map(|it| Some(self.scopes.sort(scope, it.sort.as_ref()?).name));
        Some((others.collect::<Option<_>>()?, returns.collect::<Option<_>>()?)).filter(|_| is_of)
    }

    /// Translates the call of an action of a value, which is one of the arguments: where the value is one of a variant with such an
    /// action, that is called in its place.
    pub(super) fn call_of_value(
        &mut self,
        (action, overrides): (&Arc<str>, &[Override]),
        args: Vec<Expr>,
        wanted: Results,
        span: Span,
        context: &Context,
        out: &mut Vec<Command>,
    ) {
        let mut commands = Vec::new();
        self.call(action, args.clone(), wanted.clone(), span, context, &mut commands);
        let at = self.receiver(action);
        for Override { sort, action } in overrides {
            let outside = self.locals.len();
            let var = SortedVar {
                name: Ident { name: "self".into(), place: Place(span) },
                sort: Some(sort.clone()),
            };
            let var = self.new_local(&var, false);
            let value = reference(var.name.name.clone(), Vec::new(), span);
            let mut args = args.clone();
            let Some(receiver) = args.get_mut(at) else { continue };
            let is_it = points(sort, std::mem::replace(receiver, value.clone()), value, span);
            let kind = ExprKind::Quantifier {
                universal: false,
                vars: vec![var.clone()],
                body: Box::new(is_it.clone()),
            };
            let mut then = vec![command(CommandKind::Local(vec![var]), span)];
            then.push(command(CommandKind::Assume(is_it), span));
            self.call(action, args, wanted.clone(), span, context, &mut then);
            self.locals.truncate(outside);
            let condition = Some(Expr::new(kind, span));
            commands = vec![command(CommandKind::If { condition, then, otherwise: commands }, span)];
        }
        out.append(&mut commands);
    }

    /// Returns the name that stands beside a type.
    fn beside(of: &str, name: &str) -> Arc<str> {
        match of.rsplit_once('.') {
            Some((object, _)) => format!("{object}.{name}").into(),
            None => name.into(),
        }
    }

    /// Returns whether a dot and this name may be the field of a type. What stands in the object that is the type, or beside the
    /// type, comes before fields that are declared elsewhere.
    pub(super) fn is_field_of(&self, of: &str, name: &str, field: &Arc<str>) -> bool {
        let inside: Arc<str> = format!("{of}.{name}").into();
        let known = |it: &Arc<str>| self.symbols.contains_key(it) || self.actions.contains_key(it);
        let here = [inside, Self::beside(of, name)].into_iter().find(known);
        here.is_none_or(|here| here == *field)
    }

    /// Returns the value of a chain. `before` is the action before which its first value is read, if there is one. All others
    /// are read as they are.
    pub(super) fn apply_chain(
        &mut self,
        chain: Chain,
        before: Option<&Arc<str>>,
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        let Chain { name, args, members } = chain;
        let is_field = |it: &Member| matches!(it, Member::Function(it) if self.field_of(it).is_some());
        if before.is_some() && !args.is_empty() && !members.iter().all(|(member, _)| is_field(member)) {
            self.report.push(
                Diagnostic::error(Code::State, span, "`old` is not possible here")
                    .label("what is it that is read as it was?")
                    .help("keep the value: `var y := old f(x)`, and then `y.g`"),
            );
            return unknown(span);
        }
        let mut value = match before {
            Some(_) if self.locals.iter().any(|local| local.name == name) => {
                let ident = Ident { name: format!("old {name}").into(), place: Place(span) };
                self.old_local(&name, &ident, args, span)
            }
            Some(action) if self.symbols.contains_key(&name) => {
                reference(self.copy_of_before(&name, action), args, span)
            }
            _ => self.value_of(&name, args, span, context, found),
        };
        for (member, rest) in members {
            value = match member {
                Member::Function(name) => {
                    let args = std::iter::once(value).chain(rest).collect();
                    self.value_of(&name, args, span, context, found)
                }
                Member::Action(name) => {
                    let overrides = self.overrides(&name, span);
                    let args = self.with_receiver(&name, value, rest);
                    self.call_in_expression((&name, &overrides), args, span, context, found)
                }
            };
        }
        value
    }

    /// Returns the arguments of an action that is called of a value with a dot.
    pub(super) fn with_receiver(&self, action: &Arc<str>, value: Expr, mut others: Vec<Expr>) -> Vec<Expr> {
        others.insert(self.receiver(action).min(others.len()), value);
        others
    }

    /// Returns the value of a variable or symbol, whether it has a definition or not.
    fn value_of(
        &mut self,
        name: &Arc<str>,
        args: Vec<Expr>,
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        if self.wires.contains(name) {
            self.wire(name, args, span, context, found)
        } else if self.functions.contains_key(name) {
            self.defined_function(name, args, span, context, found)
        } else {
            reference(name.clone(), args, span)
        }
    }
}
