//! Operators that a program declares: `relation (X:t < Y:t)`, which says nothing new, and `definition (X:t < Y:t) = formula`.

use std::sync::Arc;

use super::declarations::untyped;
use super::flat::Flat;
use super::scopes::ScopeId;
use super::state::Expander;
use crate::ivy::ast::{DeclKind, Expr, ExprKind, Ident, Interpretation, SortName, SortRef, SortedVar};
use crate::program::ast::ItemKind;
use ramsey_core::diag::{Code, Diagnostic};

/// Returns whether a declared name is an operator.
pub(super) fn is_operator(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

impl Expander<'_, '_> {
    /// Returns the name that `<` on a sort has in the flat program.
    fn less(sort: &SortRef) -> Option<Arc<str>> {
        match &sort.name {
            SortName::Named(sort) => Some(format!("<:{sort}").into()),
            _ => None,
        }
    }

    /// Adds the definition of an operator to the tables.
    pub(super) fn register_operator(
        &mut self,
        scope: ScopeId,
        name: &Ident,
        params: &[SortedVar],
        definition: Option<&Expr>,
    ) {
        if let Some(body) = definition
            && &*name.name == "<"
            && let Some(full) =
                self.sort_of_operands(scope, params, Some(body)).and_then(|it| Self::less(&it))
        {
            self.globals.insert(full.clone());
            self.operators.insert(full, name.span());
        }
    }

    /// Returns the sort of both sides of an operator: the one that is given, or else that of a place where one of them stands in
    /// the definition.
    fn sort_of_operands(&self, scope: ScopeId, params: &[SortedVar], body: Option<&Expr>) -> Option<SortRef> {
        if let Some(sort) = params.iter().find_map(|param| param.sort.as_ref()) {
            return Some(self.scopes.sort(scope, sort));
        }
        let is_param = |name: &str| params.iter().any(|param| *param.name.name == *name);
        body?.nodes().find_map(|expr| {
            let ExprKind::Ref { name, args, .. } = &expr.kind else { return None };
            if let Some((_, sort)) = name.name.split_once(':').filter(|(var, _)| is_param(var)) {
                let sort = SortRef { name: SortName::Named(sort.into()), place: name.place };
                return Some(self.scopes.sort(scope, &sort));
            }
            let symbol = self.symbols.get(&self.scopes.resolve(scope, &name.name).name)?;
            let outer = symbol.args.len().checked_sub(args.as_ref()?.len())?;
            let at = args.iter().flatten().position(
                |arg| matches!(&arg.kind, ExprKind::Ref { name, args: None, .. } if is_param(&name.name)),
            )?;
            symbol.args.get(outer + at).cloned()
        })
    }

    /// Returns the name that the symbol of a definition has in the flat program.
    pub(super) fn definition_name(
        &self,
        scope: ScopeId,
        name: &Ident,
        params: &[SortedVar],
        body: &Expr,
    ) -> Arc<str> {
        let of_operator = || self.sort_of_operands(scope, params, Some(body)).and_then(|it| Self::less(&it));
        match is_operator(&name.name) {
            true => of_operator().unwrap_or_else(|| name.name.clone()),
            false => self.scopes.resolve(scope, &name.name).name,
        }
    }

    /// Reports types whose elements are numbers, and which have another order by a definition: also where an isolate sees one of
    /// both alone.
    pub(super) fn check_orders(&mut self, flat: &[Flat<'_>]) {
        if self.operators.is_empty() {
            return;
        }
        for flat in flat {
            // The types of the library have an order, and some are numbers: what another file does with its types is not known.
            if let DeclKind::Type { name, .. } = &flat.decl.kind
                && let sort = self.sort_named(flat.scope, name)
                && let Some(&defined) = Self::less(&sort).and_then(|less| self.operators.get(&less))
                && defined.file != name.span().file
            {
                let what = "the order of a type is defined in the file with the type";
                self.report.push(
                    Diagnostic::error(Code::Duplicate, defined, what)
                        .label("of a type of another file")
                        .also(name.span(), "declared here"),
                );
                continue;
            }
            let name = match &flat.decl.kind {
                DeclKind::Interpret {
                    name,
                    meaning:
                        Interpretation::Integers
                        | Interpretation::Naturals
                        | Interpretation::Bits(_)
                        | Interpretation::Sized(_)
                        | Interpretation::Range(..)
                        | Interpretation::Texts,
                    ..
                } => name,
                _ => continue,
            };
            let sort = SortRef { name: SortName::Named(name.name.clone()), place: name.place };
            let sort = self.scopes.sort(flat.scope, &sort);
            if let Some(&defined) = Self::less(&sort).and_then(|less| self.operators.get(&less)) {
                self.report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        sort.place.0,
                        "the order of this type is that of numbers",
                    )
                    .label("interpreted here")
                    .also(defined, "another order is defined here"),
                );
            }
        }
    }

    /// Returns what the declaration of an operator means: a macro for the definition of `<`. The other orders are defined by `<`
    /// and equality, whatever a program says.
    pub(super) fn operator(
        &mut self,
        scope: ScopeId,
        name: &Ident,
        params: &[SortedVar],
        definition: Option<&Expr>,
    ) -> Option<ItemKind> {
        if let Some(param) = self.scopes.params(scope).first() {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    name.span(),
                    "operators are not declared in objects with parameters",
                )
                .label("an operator has two sides, and no other arguments")
                .also(param.name.span(), "this parameter"),
            );
            return None;
        }
        let Some(sort) = self.sort_of_operands(scope, params, definition) else {
            if let Some(param) = params.first() {
                self.report.push(untyped(param));
            }
            return None;
        };
        for param in params {
            if let Some(given) = &param.sort {
                let given = self.scopes.sort(scope, given);
                self.same_sort(&param.name.name, Some(sort.clone()), &given);
            }
        }
        let body = definition?;
        match &*name.name {
            "<" => {
                let full = Ident { name: Self::less(&sort)?, place: name.place };
                let typed = |it: &SortedVar| SortedVar { name: it.name.clone(), sort: Some(sort.clone()) };
                let own: Vec<SortedVar> = params.iter().map(typed).collect();
                let context = self.in_definition(scope, params);
                Some(self.macro_of(context, full, &own, body))
            }
            "<=" | ">" | ">=" => {
                let note = "this order is defined by `<` and `=`";
                self.report.ignore("definition", name.span(), note);
                None
            }
            operation => {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        name.span(),
                        format!("a definition of `{operation}` is not supported"),
                    )
                    .label("any function of two arguments here")
                    .help("define a function with a name: `function plus(X:t, Y:t) : t = ..`"),
                );
                None
            }
        }
    }
}
