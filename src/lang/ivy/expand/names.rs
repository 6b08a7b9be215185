//! Names in formulas: what each one means, with the arguments that the objects around its declaration have.

use std::sync::Arc;

use super::exprs::{reference, unknown};
use super::formulas::{Context, Found, is_variable, parameter, split_sort};
use super::scopes::subscripts;
use super::state::Expander;
use crate::fol::statics::names::{is_extraction, literal};
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortedVar};
use crate::program::ast::BinaryOp;
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The operators that are arguments of modules.
const MODULE_OPERATORS: [BinaryOp; 9] = [
    BinaryOp::Equal,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Plus,
    BinaryOp::Minus,
    BinaryOp::Times,
    BinaryOp::Divide,
];

impl Expander<'_, '_> {
    /// Translates a name and its arguments.
    pub(super) fn name(
        &mut self,
        name: &Ident,
        args: &[Expr],
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        if let Some((value, members)) = name.name.strip_prefix("(old ").and_then(|it| it.split_once(").")) {
            return self.member_of_old((value, members), name, args, span, context, found);
        }
        if let Some(old) = name.name.strip_prefix("old ") {
            return self.old(old, name, args, span, context, found);
        }
        let (plain, sort) = split_sort(name);
        let sort = sort.map(|sort| self.scopes.sort(context.scope, &sort));
        if literal(&plain).is_some() && sort.is_some() {
            return match sort.map(|sort| sort.name) {
                Some(SortName::Named(sort)) => reference(format!("{plain}:{sort}").into(), Vec::new(), span),
                _ => Expr::new(ExprKind::Int(plain), span),
            };
        }
        if let Some((at, local)) = context.local_at(&plain)
            && (args.is_empty() || self.symbols.contains_key(local))
        {
            let local = local.clone();
            if let Some(sort) = sort {
                match self.locals.iter().find(|known| known.name == local) {
                    Some(known) => self.same_sort(&plain, known.sort.clone(), &sort),
                    None => found.sorts.push((at, sort)),
                }
            }
            let args = self.list(args, context, found);
            return reference(local, args, span);
        }
        if let Some((first, _)) = plain.split_once('.').filter(|_| is_variable(&plain)) {
            return self.member_of_variable(first, &plain, name, args, context, found);
        }
        if is_variable(&plain) {
            let place = name.place;
            match found.free.iter_mut().find(|var| var.name.name == plain) {
                Some(known) => {
                    if let Some(sort) = sort {
                        let before = known.sort.replace(sort.clone());
                        self.same_sort(&plain, before, &sort);
                    }
                }
                None => {
                    found.free.push(SortedVar { name: Ident { name: plain.clone(), place }, sort });
                }
            }
            return reference(plain, Vec::new(), span);
        }
        if sort.is_none()
            && let Some(value) = self.argument_of_module(&plain, args, span, context)
        {
            return self.expr(&value, context, found);
        }
        let args = self.list(args, context, found);
        self.check_subscripts(&plain, name.span(), context);
        let (full, mut all) = self.global(&plain, name.span(), context);
        if let Some(sort) = &sort {
            let Some(known) = self.symbols.get(&full).and_then(|it| it.result.clone()) else {
                let error = Diagnostic::error(
                    Code::SortMismatch,
                    name.span(),
                    format!("the type of `{plain}` is not given here"),
                );
                self.report.push(error.label("neither a variable nor a constant"));
                return unknown(span);
            };
            self.same_sort(&plain, Some(known), sort);
        }
        // The argument of an instance that is a numeral.
        if full.starts_with(|c: char| c.is_ascii_digit()) && args.is_empty() {
            return Expr::new(ExprKind::Int(full), span);
        }
        self.check_ambiguous(&plain, &full, name.span(), context);
        if is_extraction(&plain) && !self.globals.contains(&full) {
            return reference(plain, args, span);
        }
        if !self.globals.contains(&full) {
            if let Some(path) = self.path(&plain, &args, span, context) {
                return self.read_field(path, span);
            }
            if let Some(chain) = self.chain(&plain, &args, span, context) {
                return self.apply_chain(chain, None, span, context, found);
            }
            // The argument of an instance that is a parameter of the instance.
            let params = self.scopes.params(context.scope);
            if is_variable(&full)
                && let Some(at) = params.iter().position(|param| param.name.name == full)
                && let Some(local) = context.local(&parameter(at))
            {
                return reference(local.clone(), args, span);
            }
        }
        all.extend(args);
        if self.actions.contains_key(&full) {
            return self.call_in_expression((&full, &[]), all, span, context, found);
        }
        if self.wires.contains(&full) {
            return self.wire(&full, all, span, context, found);
        }
        if self.functions.contains_key(&full) {
            return self.defined_function(&full, all, span, context, found);
        }
        if self.labels.contains(&full) && !self.symbols.contains_key(&full) && !self.defined.contains(&full) {
            self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("`{}` is the name of a claim, not of a symbol", name.name),
                )
                .label("no formula")
                .help("repeat what it claims, or declare a relation with this definition"),
            );
            return unknown(span);
        }
        if !self.globals.contains(&full) {
            return self.unresolved(full, name, all, span, context);
        }
        let mut result = reference(full, all, span);
        if let ExprKind::Ref { name: whole, .. } = &mut result.kind {
            whole.place = name.place;
        }
        result
    }

    /// Returns what a parameter of a module stands for whose argument is an operator, `true` or `false`.
    fn argument_of_module(&self, name: &str, args: &[Expr], span: Span, context: &Context) -> Option<Expr> {
        let resolved = self.scopes.resolve(context.scope, name).name;
        let kind = match (&*resolved, args) {
            ("true", []) => ExprKind::Bool(true),
            ("false", []) => ExprKind::Bool(false),
            (sign, [left, right]) => {
                let op = MODULE_OPERATORS.into_iter().find(|op| op.text() == sign)?;
                let sides = Box::new([left.clone(), right.clone()]);
                ExprKind::Binary { op, op_place: Place(span), sides }
            }
            _ => return None,
        };
        Some(Expr::new(kind, span))
    }

    /// Returns a name that nothing declares, for which the checks of the flat program report an error. No variable of the
    /// flat program must have the name there.
    pub(super) fn unresolved(
        &mut self,
        full: Arc<str>,
        name: &Ident,
        args: Vec<Expr>,
        span: Span,
        context: &Context,
    ) -> Expr {
        let is_taken = self.locals.iter().any(|local| local.name == full)
            || context.locals.iter().any(|(_, local)| *local == full);
        if is_taken || !self.expanding.is_empty() || self.is_of_variable(&name.name, context) {
            if !self.broken.contains(&name.name) {
                let error = Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("`{}` is not declared", name.name),
                )
                .label("unknown name");
                let known = self.symbols.iter().filter(|(_, it)| it.source.is_none());
                let known =
                    known.map(|(known, _)| known).chain(context.locals.iter().map(|(known, _)| known));
                self.report.push(match suggest(&name.name, known.map(|known| &**known)) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error,
                });
            }
            return unknown(span);
        }
        self.undeclared.insert(full.clone());
        let mut result = reference(full, args, span);
        if let ExprKind::Ref { name: whole, .. } = &mut result.kind {
            whole.place = name.place;
        }
        result
    }

    /// Reports a subscript that is a variable.
    pub(super) fn check_subscripts(&mut self, name: &str, span: Span, context: &Context) {
        if let Some(subscript) = subscripts(name).find(|it| context.local(it).is_some()) {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    format!("the subscript `{subscript}` is a variable here"),
                )
                .label("a name does not depend on values")
                .help(
                    "subscripts are names that the program declares, or parameters of modules and schemata",
                ),
            );
        }
    }

    /// Returns whether a dotted name begins with a variable of an action: then it is something that the variable has, whatever an
    /// object of that name declares.
    fn is_of_variable(&self, name: &str, context: &Context) -> bool {
        let first = name.split_once('.').and_then(|(first, _)| context.local(first));
        first.is_some_and(|first| self.locals.iter().any(|local| local.name == *first))
    }

    /// Reports a dotted name that an object declares, and that begins with the parameter of a macro of that name: it would be
    /// something else that the parameter has.
    pub(super) fn check_ambiguous(&mut self, name: &str, full: &Arc<str>, span: Span, context: &Context) {
        let Some((first, _)) = name.split_once('.') else { return };
        if context.local(first).is_none() || !self.globals.contains(full) {
            return;
        }
        self.report.push(
            Diagnostic::error(
                Code::Program,
                span,
                format!("`{first}` is a parameter here, and `{name}` is declared in an object of that name"),
            )
            .label("which one is meant?")
            .help(format!("give the parameter `{first}` another name")),
        );
    }

    /// Resolves a name that is not a variable. Returns it with the parameters of the objects around its declaration as
    /// arguments.
    pub(super) fn global(&self, name: &str, span: Span, context: &Context) -> (Arc<str>, Vec<Expr>) {
        if self.is_of_variable(name, context) {
            // No declaration has such a name.
            return (format!("{name} of a variable").into(), Vec::new());
        }
        let resolved = self.scopes.resolve(context.scope, name);
        let args = (0..resolved.params).filter_map(|param| {
            let local = context.local(&parameter(param))?;
            Some(reference(local.clone(), Vec::new(), span))
        });
        let args = args.collect();
        (resolved.name, args)
    }
}
