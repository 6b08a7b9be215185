//! Functions whose values are those that a property says to exist.

use std::sync::Arc;

use super::table::{Choice, ChoiceAxiom};
use super::terms::{BOOL, Op, Sort, Subst, Term};
use super::typed::{expression, sort_ref};
use crate::ivy::ast::{Expr, Ident, Place, SortedVar};
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::formulas::Context;
use crate::ivy::expand::state::{Expander, Symbol};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Declares the function of a property with a name for values. Returns what is known of it; `None` if there is an error, which
    /// has been reported.
    pub(in crate::ivy::expand) fn choice(
        &mut self,
        flat: Flat<'a>,
        formula: &Expr,
        function: &Ident,
        params: &[SortedVar],
    ) -> Option<Choice> {
        let mut context = Context::of(flat.scope);
        let outer = self.scope_vars(formula, &mut context);
        let sort: Sort = BOOL.into();
        let whole = self.read(&[(formula, &context, Some(sort))], &[]).ok()?.remove(0);
        let mut mentioned = Set::default();
        whole.add_symbols(&mut mentioned);
        let mut body = whole;
        while let Term::Bind { universal: true, body: inner, .. } = body {
            body = *inner;
        }
        let free = body.free();
        let mut fail = |span: Span, message: String, help: &str| {
            let error = Diagnostic::error(Code::Program, span, message).label("names values of the property");
            self.report.push(if help.is_empty() { error } else { error.help(help) });
        };
        let Term::Bind { universal: false, var, sort, body: inner } = body.clone() else {
            let message = "what gets a name is not said to exist".to_owned();
            fail(function.span(), message, "write `property exists X. .. named x`");
            return None;
        };
        let mut args: Vec<(Arc<str>, Sort)> = Vec::new();
        for param in &outer {
            let sort = param.sort.as_ref().map(super::typed::sort_name);
            let known = free.iter().find(|(name, _)| *name == param.name.name).cloned();
            let Some(arg) = known.or_else(|| Some((param.name.name.clone(), sort?))) else {
                fail(param.name.span(), format!("`{}` has no type", param.name.name), "");
                return None;
            };
            args.push(arg);
        }
        for param in params {
            let found = free.iter().find(|(name, _)| *name == param.name.name);
            let Some(found) = found.filter(|it| !args.contains(*it)) else {
                let message = format!("`{}` is no variable of the formula, or occurs twice", param.name.name);
                fail(param.name.span(), message, "");
                return None;
            };
            args.push(found.clone());
        }
        if let Some((missing, _)) = free.iter().find(|it| !args.contains(*it)) {
            let message = format!("the value depends on `{missing}`");
            fail(
                function.span(),
                message,
                &format!("make it an argument: `named {}({missing})`", function.name),
            );
            return None;
        }
        let full = self.scopes.full(flat.scope, &function.name);
        if self.globals.contains(&full) || self.sorts.contains(&full) {
            let message = format!("`{}` is declared already", function.name);
            let error = Diagnostic::error(Code::Duplicate, function.span(), message).label("not a new name");
            self.report.push(error);
            return None;
        }
        let place = Place(function.span());
        let symbol = Symbol::new(
            args.iter().map(|(_, sort)| sort_ref(sort, place)).collect(),
            (*sort != *BOOL).then(|| sort_ref(&sort, place)),
        );
        self.globals.insert(full.clone());
        self.symbols.insert(full.clone(), symbol);
        let vars = args.clone();
        let args = args.into_iter().map(|(name, sort)| Term::Var(name, sort)).collect();
        let chosen = Subst::of_var(var, Term::App(full.clone(), args, sort)).apply(&inner);
        let axiom = Term::op(Op::Implies, [body, chosen]).closed(true, vars);
        Some(Choice { axiom: ChoiceAxiom(axiom), mentioned, name: full, span: function.span() })
    }

    /// Returns what is known of such a function as a formula of the flat program.
    pub(in crate::ivy::expand) fn choice_axiom(&mut self, axiom: &ChoiceAxiom, span: Span) -> Option<Expr> {
        expression(self, &axiom.0, span).ok()
    }
}
