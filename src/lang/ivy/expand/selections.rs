//! Symbols whose value is one of those that have a property.

use std::sync::Arc;

use super::exprs::{axiom, binary, equal, not, reference};
use super::formulas::{Context, Found};
use super::proofs::table::FactKind;
use super::scopes::ScopeId;
use super::state::{Expander, Selection, Symbol};
use crate::ivy::ast::{ChoiceDecl, Expr, ExprKind, Ident, Place, SortedVar};
use crate::program::ast::{BinaryOp, Item, ItemKind, assigned};
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
        if !is_declared && let Some(error) = self.check_defined(name, &choice.params, &resolved, scope) {
            return self.report.push(error);
        }
        if let Some(error) = self.check_selection(choice, &resolved.name) {
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
        let mut found = Found::default();
        let formula = self.expr(&formula, &mut Context::of(scope), &mut found);
        // For all values of a further variable, the value would be several ones.
        self.check_bound(&found.free, &[]);
        let uses = if choice.value.is_some() { 2 } else { 1 };
        self.selections.push(Selection { name: resolved.name, formula: formula.clone(), uses, span });
        items.push(Item { kind: axiom(formula), place });
    }

    /// Returns what is wrong with the symbol that has one of several values, or with the variables.
    fn check_selection(&self, choice: &ChoiceDecl, full: &Arc<str>) -> Option<Diagnostic> {
        let (name, var) = (&choice.name, &choice.chosen.0.name);
        if choice.params.iter().any(|param| param.name.name == var.name) {
            let message = format!("the variable `{}` is a parameter as well", var.name);
            return Some(Diagnostic::error(Code::Duplicate, var.span(), message).label("chosen here"));
        }
        if self.field_of(full).is_some() || self.values.contains(full) {
            let what = format!("`{}` is a field or one of the elements of a type", name.name);
            return Some(
                Diagnostic::error(Code::Assignment, name.span(), what)
                    .label("no value is chosen for it")
                    .help("declare a symbol of another name"),
            );
        }
        let before = self.selections.iter().find(|before| before.name == *full);
        let is_twice = self.is_defined(full) || before.is_some();
        is_twice.then(|| {
            let message = format!("`{}` is defined twice", name.name);
            let error = Diagnostic::error(Code::Duplicate, name.span(), message).label("defined again here");
            let other = before.map(|it| it.span).or_else(|| self.functions.get(full).map(|it| it.place));
            match other {
                Some(other) => error.also(other, "first defined here"),
                None => error,
            }
        })
    }

    /// Reports properties with names for values that depend on these values, by definitions that stand elsewhere, whether they are
    /// seen or not: there may be no such values then.
    pub(super) fn check_named_values(&mut self, items: &[Item]) {
        if self.choices.is_empty() {
            return;
        }
        // By symbol, those of its definitions.
        let mut uses: Map<Arc<str>, Set<Arc<str>>> = Map::default();
        let names = |expr: &Expr| -> Vec<Arc<str>> {
            let names = expr.nodes().filter_map(|node| match &node.kind {
                ExprKind::Ref { name, .. } => Some(name.name.clone()),
                _ => None,
            });
            names.collect()
        };
        for item in items {
            if let ItemKind::Macro { name, body, .. } = &item.kind {
                uses.entry(name.name.clone()).or_default().extend(names(body));
            }
        }
        for choice in &self.selections {
            uses.entry(choice.name.clone()).or_default().extend(names(&choice.formula));
        }
        for (symbol, fact) in self.facts.values().filter_map(|fact| match fact.kind {
            FactKind::Definition(name, _, body) => {
                Some((self.scopes.resolve(fact.scope, &name.name).name, (fact.scope, body)))
            }
            _ => None,
        }) {
            let (scope, body) = fact;
            let found = names(body).into_iter().map(|name| self.scopes.resolve(scope, &name).name);
            uses.entry(symbol).or_default().extend(found);
        }
        let orders: Vec<Arc<str>> = self.operators.keys().cloned().collect();
        for set in uses.values_mut() {
            // An order may be one that a definition gives.
            set.extend(orders.iter().cloned());
        }
        let mut found = Vec::new();
        for (at, choice) in &self.choices {
            let mut seen: Set<&Arc<str>> = choice.mentioned.iter().chain(&orders).collect();
            let mut open: Vec<&Arc<str>> = seen.iter().copied().collect();
            while let Some(name) = open.pop() {
                if self.choices.iter().any(|(other, it)| other >= at && it.name == *name) {
                    found.push((choice.span, choice.name.clone(), name.clone()));
                    break;
                }
                open.extend(uses.get(name).into_iter().flatten().filter(|name| seen.insert(name)));
            }
        }
        found.sort();
        for (span, name, other) in found {
            let message = if name == other {
                format!("`{name}` depends on itself")
            } else {
                format!("`{name}` depends on `{other}`, which stands after it")
            };
            self.report.push(
                Diagnostic::error(Code::Recursive, span, message)
                    .label("there may be no value of which the property holds"),
            );
        }
    }

    /// Reports choices by properties that change, since the value of the symbol is one in all states, and those that depend on
    /// themselves: what they say may be of no value.
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
        let choices = std::mem::take(&mut self.selections);
        for choice in &choices {
            let mut open: Vec<&Expr> = vec![&choice.formula];
            let mut seen: Set<&str> = Set::default();
            let mut own = 0;
            let mut error = None;
            while let Some(expr) = open.pop().filter(|_| error.is_none()) {
                for node in expr.nodes() {
                    if matches!(&node.kind, ExprKind::Binary { op, .. } if op.is_order()) {
                        // The order may be one that a definition gives.
                        let orders = self.operators.keys().filter(|it| seen.insert(it));
                        open.extend(orders.filter_map(|it| bodies.get(&**it)));
                    }
                    let ExprKind::Ref { name, .. } = &node.kind else { continue };
                    own += usize::from(name.name == choice.name);
                    let is_elsewhere = self.cut.as_ref().is_some_and(|cut| cut.changing.contains(&name.name));
                    if changed.contains(&name.name) || is_elsewhere {
                        let message = format!("this value depends on `{}`, which actions assign", name.name);
                        error = Some(
                            Diagnostic::error(Code::Assignment, choice.span, message)
                                .label("one of several values, in all states")
                                .help("choose a value in the action that needs it: `if some y:t. ..`"),
                        );
                        break;
                    }
                    if name.name == choice.name || !seen.insert(&name.name) {
                        continue;
                    }
                    open.extend(bodies.get(&*name.name));
                    open.extend(choices.iter().filter(|it| it.name == name.name).map(|it| &it.formula));
                }
            }
            if error.is_none() && own > choice.uses {
                let message = format!("`{}` depends on itself", choice.name);
                error = Some(
                    Diagnostic::error(Code::Recursive, choice.span, message)
                        .label("there may be no value of which this holds"),
                );
            }
            if let Some(error) = error {
                self.report.push(error);
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
    let is = |value: &Expr| equal(&reference(choice.name.name.clone(), args(), span), value, span);
    let body = match &choice.value {
        None => binary(BinaryOp::Implies, &exists, &has(property.clone()), span),
        Some((value, otherwise)) => {
            let inside = has(Expr::new(ExprKind::And(vec![property.clone(), is(value)]), span));
            let none = not(exists.clone(), span);
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
