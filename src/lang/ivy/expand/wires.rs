//! Wires, of version 1.8: definitions that statements read as they were where the transition began.

use std::sync::Arc;

use super::exprs::unknown;
use super::formulas::{Context, Found};
use super::scopes::ScopeId;
use super::state::{Expander, Function};
use crate::ivy::ast::{Expr, ExprKind, Ident, SymbolDecl};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Adds the definition of a wire to the tables.
    pub(super) fn register_wire(&mut self, scope: ScopeId, symbol: &'a SymbolDecl) {
        let full = self.scopes.full(scope, &symbol.name.name);
        match &symbol.definition {
            Some(body) => {
                let function = Function { scope, params: &symbol.params, body, place: symbol.name.span() };
                self.functions.insert(full.clone(), function);
                self.wires.insert(full);
            }
            None => self.report.push(
                Diagnostic::error(
                    Code::Program,
                    symbol.name.span(),
                    format!("the wire `{}` has no definition", symbol.name.name),
                )
                .label("expected `=` and the value"),
            ),
        }
    }

    /// Returns the value that a wire had where the transition began in which statements read it.
    pub(super) fn wire(
        &mut self,
        full: &Arc<str>,
        args: Vec<Expr>,
        span: Span,
        context: &mut Context,
        found: &mut Found,
    ) -> Expr {
        let count = args.len();
        let value = self.defined_function(full, args, span, context, found);
        // Statements of macros are expanded as well.
        if self.expanding.iter().any(|name| self.functions.contains_key(name)) {
            // It is part of another wire, whose symbols are replaced together.
            return value;
        }
        match self.transition.clone().or_else(|| context.action.clone()) {
            Some(transition) => self.before(&value, count, &transition),
            None if context.calls => {
                self.report.push(
                    Diagnostic::error(Code::State, span, "a wire is not read in an initializer")
                        .label("there is no state before"),
                );
                unknown(span)
            }
            None => value,
        }
    }

    /// Reads what is said of states, also where it is assumed in the middle of a transition: wires are as they are there.
    pub(super) fn of_state<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let transition = self.transition.take();
        let found = read(self);
        self.transition = transition;
        found
    }

    /// Returns an expression with the values that its symbols had before a transition, but in the values of its outermost
    /// variables.
    fn before(&mut self, expr: &Expr, outermost: usize, transition: &Arc<str>) -> Expr {
        let span = expr.span();
        if let (ExprKind::Let { var, parts }, 1..) = (&expr.kind, outermost) {
            let body = self.before(&parts[1], outermost - 1, transition);
            let parts = Box::new([parts[0].clone(), body]);
            return Expr::new(ExprKind::Let { var: var.clone(), parts }, span);
        }
        if let ExprKind::Ref { name, .. } = &expr.kind
            && self.defined.contains(&name.name)
        {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    format!("the wire depends on `{}`, which has a definition itself", name.name),
                )
                .label("not supported here")
                .help("make it a wire as well"),
            );
        }
        if matches!(&expr.kind, ExprKind::Binary { op, .. } if op.is_order()) && !self.operators.is_empty() {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    "the wire depends on an order, and orders are defined here",
                )
                .label("not supported: this may be an order that changes"),
            );
        }
        let kind = expr.map_children(|child| self.before(child, 0, transition));
        let kind = match kind {
            ExprKind::Ref { name, primes, args } => {
                let is_symbol = self.symbols.get(&name.name).is_some_and(|symbol| symbol.source.is_none());
                let copy = if is_symbol { self.copy_of_before(&name.name, transition) } else { name.name };
                ExprKind::Ref { name: Ident { name: copy, place: name.place }, primes, args }
            }
            other => other,
        };
        Expr::new(kind, span)
    }
}
