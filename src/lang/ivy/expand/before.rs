//! What was before an action: `old x`, `old r(x)` and `(old x).f`.

use std::sync::Arc;

use super::exprs::{reference, unknown};
use super::formulas::{Context, Found};
use super::state::{Expander, Symbol};
use crate::ivy::ast::{Expr, ExprKind, Ident};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl Expander<'_, '_> {
    /// Translates a name after `old`: what it was before the action.
    pub(super) fn old(
        &mut self,
        plain: &str,
        name: &Ident,
        args: &[Expr],
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        if let Some(value) = self.call_after_old(plain, name, args, span, context, found) {
            return value;
        }
        let Some(action) = context.action.clone() else {
            self.report.push(
                Diagnostic::error(Code::State, name.span(), "`old` is not possible here")
                    .label("there is no state before")
                    .help("`old r(x)` reads `r` as it was before the action, in its statements and monitors"),
            );
            return unknown(span);
        };
        let args = self.list(args, context, found);
        if let Some(local) = context.local(plain).cloned() {
            // A parameter of a macro may stand for a symbol of the program.
            if self.symbols.get(&local).is_some_and(|symbol| symbol.source.is_none()) {
                return reference(self.copy_of_before(&local, &action), args, span);
            }
            return self.old_local(&local, name, args, span);
        }
        self.check_subscripts(plain, name.span(), context);
        let (full, mut all) = self.global(plain, name.span(), context);
        self.check_ambiguous(plain, &full, name.span(), context);
        if !self.symbols.contains_key(&full)
            && let Some(mut path) = self.path(plain, &args, span, context)
        {
            // The field of what its value was.
            let of_local = self.locals.iter().any(|local| local.name == path.name);
            let before = if of_local {
                self.old_local(&path.name.clone(), name, Vec::new(), span)
            } else {
                reference(self.copy_of_before(&path.name, &action), Vec::new(), span)
            };
            if let ExprKind::Ref { name: before, .. } = before.kind {
                path.name = before.name;
            }
            return self.read_field(path, span);
        }
        if !self.symbols.contains_key(&full)
            && let Some(chain) = self.chain(plain, &args, span, context)
        {
            return self.apply_chain(chain, Some(&action), span, context, found);
        }
        all.extend(args);
        if !self.symbols.contains_key(&full) && self.defined.contains(&full) {
            self.report.push(
                Diagnostic::error(
                    Code::SortUnknown,
                    name.span(),
                    format!("the types of the arguments of `{plain}` are not given, which `old` needs"),
                )
                .label("what it was before has to be kept")
                .help(format!("give all parameters of `{plain}` their types")),
            );
            return unknown(span);
        }
        if !self.symbols.contains_key(&full) {
            let plain = Ident { name: plain.into(), place: name.place };
            return self.unresolved(full, &plain, all, span, context);
        }
        reference(self.copy_of_before(&full, &action), all, span)
    }

    /// Translates a call after `old`, if the name is that of an action: it is executed where it stands, as without `old`.
    fn call_after_old(
        &mut self,
        plain: &str,
        name: &Ident,
        args: &[Expr],
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Option<Expr> {
        if context.local(plain).is_some() {
            return None;
        }
        let (full, mut all) = self.global(plain, name.span(), context);
        if !self.actions.contains_key(&full) {
            return None;
        }
        self.check_subscripts(plain, name.span(), context);
        self.check_ambiguous(plain, &full, name.span(), context);
        self.report.ignore("old", name.span(), "actions are called in the state where the call stands");
        all.extend(self.list(args, context, found));
        Some(self.call_in_expression((&full, &[]), all, span, context, found))
    }

    /// Translates `(old x).f(y)`, in which `x` alone is read as it was; of an object, `old` is that of what it declares.
    pub(super) fn member_of_old(
        &mut self,
        (value, members): (&str, &str),
        name: &Ident,
        args: &[Expr],
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        let plain = format!("{value}.{members}");
        let full = self.scopes.resolve(context.scope, value).name;
        if context.local(value).is_none() && self.scopes.is_object(&full) {
            return self.old(&plain, name, args, span, context, found);
        }
        let args = self.list(args, context, found);
        let (Some(chain), Some(action)) = (self.chain(&plain, &args, span, context), context.action.clone())
        else {
            let error = Diagnostic::error(Code::State, name.span(), "`old` is not possible here");
            self.report.push(error.label("no value with such a member, or no state before"));
            return unknown(span);
        };
        self.apply_chain(chain, Some(&action), span, context, found)
    }

    /// Returns the symbol that keeps what another one was before an action.
    pub(super) fn copy_of_before(&mut self, symbol: &Arc<str>, action: &Arc<str>) -> Arc<str> {
        let copy = copy_name(symbol, action);
        if self.old.entry(action.clone()).or_default().insert(symbol.clone())
            && let Some(known) = self.symbols.get(symbol).cloned()
        {
            let source = Some(symbol.clone());
            self.symbols.insert(copy.clone(), Symbol { source, ..known });
        }
        copy
    }

    /// Returns the value that a parameter had before the action. Other variables have none.
    pub(super) fn old_local(&mut self, local: &Arc<str>, name: &Ident, args: Vec<Expr>, span: Span) -> Expr {
        let known = self.locals.iter().find(|known| known.name == *local).map(|known| known.is_assigned);
        let is_param = self.calling.last().is_some_and(|call| call.params.contains(local));
        match (known, is_param) {
            // The value never changes. So it is with a variable of the formula, which is in no state.
            (Some(false), true) | (None, _) if args.is_empty() => reference(local.clone(), args, span),
            (Some(true), true) => {
                let Some(call) = self.calling.last_mut() else { return unknown(span) };
                let copy: Arc<str> = format!("{local}@old").into();
                if !call.old.iter().any(|(_, known)| *known == copy) {
                    call.old.push((local.clone(), copy.clone()));
                }
                reference(copy, args, span)
            }
            _ => {
                self.report.push(
                    Diagnostic::error(
                        Code::State,
                        name.span(),
                        format!("`{}` is declared in the action and was nothing before it", &name.name[4..]),
                    )
                    .label("no old value"),
                );
                unknown(span)
            }
        }
    }
}

/// Returns the name of the symbol that keeps what another one was before an action.
pub(super) fn copy_name(symbol: &str, action: &str) -> Arc<str> {
    format!("{symbol}@{action}").into()
}
