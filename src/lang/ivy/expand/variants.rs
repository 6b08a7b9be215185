//! Variants: `x *> y` relates a value to what it is as one of a variant, and `x := y` gives it one of these.

use std::sync::Arc;

use super::commands::command;
use super::declarations::renamed;
use super::exprs::{axiom, binary, equal, for_all, not, reference};
use super::formulas::is_variable;
use super::scopes::ScopeId;
use super::state::{Expander, Symbol};
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::program::ast::{BinaryOp, Command, CommandKind, ItemKind};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Returns the name of the relation between values and those of a variant.
fn relation(variant: &str) -> Arc<str> {
    BinaryOp::PointsTo.on(variant)
}

/// Returns that a value is this one of a variant.
pub(super) fn points(variant: &SortRef, value: Expr, to: Expr, span: Span) -> Expr {
    let SortName::Named(name) = &variant.name else { return Expr::new(ExprKind::Bool(false), span) };
    reference(relation(name), vec![value, to], span)
}

/// Returns whether a value has a variable that nothing in it binds.
fn has_free_variable(value: &Expr) -> bool {
    let bound = value.nodes().flat_map(|node| match &node.kind {
        ExprKind::Quantifier { vars, .. } => vars.as_slice(),
        ExprKind::Let { var, .. } => std::slice::from_ref(&**var),
        _ => &[],
    });
    let bound: Vec<&str> = bound.map(|var| &*var.name.name).collect();
    let mut names = value.nodes().filter_map(|node| match &node.kind {
        ExprKind::Ref { name, args: None, .. } => Some(&*name.name),
        _ => None,
    });
    names.any(|name| is_variable(name) && !bound.contains(&name))
}

impl Expander<'_, '_> {
    /// Declares the relation of a variant of a type.
    pub(super) fn register_variant(&mut self, scope: ScopeId, variant: &SortRef, of: &Ident) {
        let of = SortRef { name: SortName::Named(of.name.clone()), place: of.place };
        let of = self.scopes.sort(scope, &of);
        let (SortName::Named(name), SortName::Named(of_name)) = (&variant.name, &of.name) else { return };
        self.variants.entry(of_name.clone()).or_default().push(name.clone());
        let full = relation(name);
        self.globals.insert(full.clone());
        self.symbols.insert(full, Symbol::new(vec![of, variant.clone()], None));
    }

    /// Returns the relation of a variant, and what is known of it: no value is of two variants or two values of one, and no two
    /// values are the same one of a variant.
    pub(super) fn variant(&mut self, variant: &SortRef) -> Vec<ItemKind> {
        let SortName::Named(name) = &variant.name else { return Vec::new() };
        let full = relation(name);
        let Some([of, _]) = self.symbols.get(&full).map(|it| it.args.as_slice()) else { return Vec::new() };
        let of = of.clone();
        let span = variant.place.0;
        let var = |name: &str| reference(name.into(), Vec::new(), span);
        let points = |to: &str, x: &str, y: &str| reference(relation(to), vec![var(x), var(y)], span);
        let bind = |name: &str, sort: &SortRef| (Arc::from(name), sort.clone());
        let both = |left: Expr, right: Expr| Expr::new(ExprKind::And(vec![left, right]), span);
        let implies = |left: &Expr, right: &Expr| binary(BinaryOp::Implies, left, right, span);
        let same = |x: &str, y: &str| equal(&var(x), &var(y), span);
        let mut axioms = vec![
            for_all(
                [bind("X", &of), bind("Y", variant), bind("Z", variant)],
                implies(&both(points(name, "X", "Y"), points(name, "X", "Z")), &same("Y", "Z")),
                span,
            ),
            for_all(
                [bind("X", &of), bind("Z", &of), bind("Y", variant)],
                implies(&both(points(name, "X", "Y"), points(name, "Z", "Y")), &same("X", "Z")),
                span,
            ),
        ];
        if let SortName::Named(of_name) = &of.name {
            let before = self.variants.get(of_name).into_iter().flatten().take_while(|it| *it != name);
            for other in before {
                let sort = SortRef { name: SortName::Named(other.clone()), place: variant.place };
                let either = both(points(name, "X", "Y"), points(other, "X", "Z"));
                let body = not(either, span);
                axioms.push(for_all([bind("X", &of), bind("Y", variant), bind("Z", &sort)], body, span));
            }
        }
        let symbol = self.symbol_item(renamed(full, span), 2, &[]);
        std::iter::once(symbol).chain(axioms.into_iter().map(axiom)).collect()
    }

    /// Returns a value of this sort that is `value`, if that is of a variant of the sort; otherwise `value` itself.
    pub(super) fn as_variant(
        &mut self,
        sort: Option<&SortRef>,
        value: Expr,
        span: Span,
        out: &mut Vec<Command>,
    ) -> Expr {
        let Some(sort) = sort else { return value };
        let Some(SortRef { name: SortName::Named(variant), .. }) = self.sort_of(&value) else { return value };
        let SortName::Named(of) = &sort.name else { return value };
        if !self.variants.get(of).is_some_and(|known| known.contains(&variant)) {
            return value;
        }
        if has_free_variable(&value) {
            self.report.push(
                Diagnostic::error(Code::Program, span, "values of a variant are assigned one at a time")
                    .label("this has a variable, for whose values it may be different ones"),
            );
            return value;
        }
        self.makes(of, span, false);
        let var =
            SortedVar { name: Ident { name: "as".into(), place: Place(span) }, sort: Some(sort.clone()) };
        let var = self.new_local(&var, false);
        let new = reference(var.name.name.clone(), Vec::new(), span);
        out.push(command(CommandKind::Local(vec![var]), span));
        let points = reference(relation(&variant), vec![new.clone(), value], span);
        out.push(command(CommandKind::Assume(points), span));
        new
    }
}
