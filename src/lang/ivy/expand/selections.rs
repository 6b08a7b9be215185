//! Symbols whose value is one of those that have a property.

use std::sync::Arc;

use super::exprs::{binary, reference};
use super::formulas::Context;
use super::scopes::ScopeId;
use super::state::{Expander, Symbol};
use crate::ivy::ast::{ChoiceDecl, Expr, ExprKind, Ident, Place, SortedVar};
use crate::program::ast::{BinaryOp, Item, ItemKind, Role, assigned};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl Expander<'_, '_> {
    /// Adds the symbol that a choice declares to the tables.
    pub(super) fn register_selection(&mut self, scope: ScopeId, choice: &ChoiceDecl) {
        if *choice.keyword == *"definition" {
            return;
        }
        let args = self.sorts(scope, &choice.params);
        let result =
            choice.result.as_ref().or(choice.chosen.0.sort.as_ref().filter(|_| choice.value.is_none()));
        let result = result.map(|sort| self.scopes.sort(scope, sort));
        self.add_symbol(scope, &choice.name, Symbol::new(args, result));
    }

    /// Adds what a choice means: where there is a value with the property, the symbol has one, or the one that follows from it.
    pub(super) fn selection(
        &mut self,
        scope: ScopeId,
        choice: &ChoiceDecl,
        place: Place,
        items: &mut Vec<Item>,
    ) {
        let name = &choice.name;
        let resolved = self.scopes.resolve(scope, &name.name);
        let span = name.span();
        let is_declared = *choice.keyword != *"definition";
        if !is_declared && let Some(error) = self.check_defined(name, &resolved, scope) {
            return self.report.push(error);
        }
        let Some(symbol) = self.symbols.get(&resolved.name).cloned() else { return };
        if !self.scopes.params(scope).is_empty() {
            self.report.push(
                Diagnostic::error(Code::Program, span, "`some` is not supported in objects with parameters")
                    .label("this value is one of several"),
            );
            return;
        }
        if symbol.result.is_none() || symbol.args.len() != choice.params.len() {
            self.report.push(
                Diagnostic::error(
                    Code::SortUnknown,
                    span,
                    format!("the type of `{}` is not given", name.name),
                )
                .label("one of several values of an unknown type")
                .help("write `function f(X:t) : u = some Y. ..`, with the types of all parameters"),
            );
            return;
        }
        if is_declared {
            let full = Ident { name: resolved.name.clone(), place: name.place };
            let kind = self.symbol_item(full, choice.params.len(), &choice.params);
            items.push(Item { kind, place });
        }
        let chosen = match &choice.value {
            None => name.name.clone(),
            Some(_) => {
                let chosen: Arc<str> = format!("{}@some", resolved.name).into();
                let sort = choice.chosen.0.sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
                let of_same = Symbol { result: sort.or(symbol.result.clone()), ..symbol.clone() };
                let source = Some(resolved.name.clone());
                self.symbols.insert(chosen.clone(), Symbol { source, ..of_same });
                self.globals.insert(chosen.clone());
                let full = Ident { name: chosen.clone(), place: name.place };
                let kind = self.symbol_item(full, choice.params.len(), &choice.params);
                items.push(Item { kind, place });
                chosen
            }
        };
        let vars = choice.params.iter().zip(&symbol.args).map(|(param, sort)| SortedVar {
            name: param.name.clone(),
            sort: param.sort.clone().or_else(|| Some(sort.clone())),
        });
        let vars: Vec<SortedVar> = vars.collect();
        let formula = meaning(choice, &chosen, vars, span);
        let (formula, _) = self.closed(&formula, &Context::of(scope));
        self.selections.push((formula.clone(), span));
        let kind = ItemKind::Formula { role: Role::Axiom, name: None, formula, proof: None };
        items.push(Item { kind, place });
    }

    /// Reports choices by properties that change: the value of the symbol is one, in all states.
    pub(super) fn check_selections(&mut self, items: &[Item]) {
        if self.selections.is_empty() {
            return;
        }
        let changed: Set<Arc<str>> = assigned(items);
        let bodies: Map<&str, &Expr> = items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Macro { name, body, .. } => Some((&*name.name, body)),
                _ => None,
            })
            .collect();
        for (formula, span) in std::mem::take(&mut self.selections) {
            let mut open: Vec<&Expr> = vec![&formula];
            let mut seen: Set<&str> = Set::default();
            while let Some(expr) = open.pop() {
                for node in expr.nodes() {
                    let ExprKind::Ref { name, .. } = &node.kind else { continue };
                    let is_elsewhere = self.cut.as_ref().is_some_and(|cut| cut.changing.contains(&name.name));
                    if changed.contains(&name.name) || is_elsewhere {
                        self.report.push(
                            Diagnostic::error(
                                Code::Assignment,
                                span,
                                format!("this value depends on `{}`, which actions assign", name.name),
                            )
                            .label("one of several values, in all states")
                            .help("choose a value in the action that needs it: `if some y:t. ..`"),
                        );
                        open.clear();
                        break;
                    }
                    if let Some(body) = bodies.get(&*name.name).filter(|_| seen.insert(&name.name)) {
                        open.push(body);
                    }
                }
            }
        }
    }
}

/// Returns what a choice means, closed over its parameters.
fn meaning(choice: &ChoiceDecl, chosen: &Arc<str>, vars: Vec<SortedVar>, span: Span) -> Expr {
    let args = || vars.iter().map(|var| reference(var.name.name.clone(), Vec::new(), span)).collect();
    let (var, property) = &choice.chosen;
    let exists = Expr::new(
        ExprKind::Quantifier { universal: false, vars: vec![var.clone()], body: Box::new(property.clone()) },
        span,
    );
    let has = |body: Expr| {
        let parts = Box::new([reference(chosen.clone(), args(), span), body]);
        Expr::new(ExprKind::Let { var: Box::new(var.clone()), parts }, span)
    };
    let is = |value: &Expr| {
        binary(BinaryOp::Equal, &reference(choice.name.name.clone(), args(), span), value, span)
    };
    let body = match &choice.value {
        None => binary(BinaryOp::Implies, &exists, &has(property.clone()), span),
        Some((value, otherwise)) => {
            let inside = has(Expr::new(ExprKind::And(vec![property.clone(), is(value)]), span));
            let none = Expr::new(ExprKind::Not(Box::new(exists.clone())), span);
            Expr::new(
                ExprKind::And(vec![
                    binary(BinaryOp::Implies, &exists, &inside, span),
                    binary(BinaryOp::Implies, &none, &is(otherwise), span),
                ]),
                span,
            )
        }
    };
    if vars.is_empty() {
        return body;
    }
    Expr::new(ExprKind::Quantifier { universal: true, vars, body: Box::new(body) }, span)
}
