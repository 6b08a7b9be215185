//! What is known of the values of types with fields, and of enumerations.

use std::sync::Arc;

use super::exprs::{axiom, equal, for_all, not, reference};
use super::scopes::ScopeId;
use super::state::{Expander, Field};
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef};
use crate::program::ast::{Item, ItemKind};
use ramsey_core::base::hash::Set;
use ramsey_core::diag::{Code, Diagnostic};

impl Expander<'_, '_> {
    /// Returns that values of a type with equal fields are equal, for a type with fields. Of fields with arguments this would relate
    /// all values of these to a value of the type, which leads out of the decidable fragment; nothing is said of such types.
    pub(super) fn extensionality(&self, sort: &SortRef, place: Place) -> Option<ItemKind> {
        let SortName::Named(name) = &sort.name else { return None };
        let fields = self.fields.get(name)?;
        // Values of variants are different ones whatever their fields are.
        if self.variants.contains_key(name) {
            return None;
        }
        // Where the fields of some values change, values that were different may have equal ones.
        if fields.iter().any(|field| self.varied.contains(&field.function)) {
            return None;
        }
        if fields.iter().any(|field| self.symbols.get(&field.function).is_none_or(|it| it.args.len() != 1)) {
            return None;
        }
        let var = |name: &str| reference(name.into(), Vec::new(), place.0);
        let read = |field: &Field, name: &str| reference(field.function.clone(), vec![var(name)], place.0);
        let differ = |field| not(equal(&read(field, "X"), &read(field, "Y"), place.0), place.0);
        let mut parts: Vec<Expr> = fields.iter().map(differ).collect();
        parts.push(equal(&var("X"), &var("Y"), place.0));
        let body = Expr::new(ExprKind::Or(parts), place.0);
        let bind = |name: &str| (name.into(), sort.clone());
        Some(axiom(for_all([bind("X"), bind("Y")], body, place.0)))
    }

    /// Reports types that depend on themselves: by the values of their fields or their further arguments, or through other types.
    pub(super) fn check_nesting(&mut self) {
        let mut fields: Vec<(&Arc<str>, &Field)> = self
            .fields
            .iter()
            .flat_map(|(sort, fields)| fields.iter().map(move |field| (sort, field)))
            .collect();
        fields.sort_by_key(|(_, field)| field.span);
        let of_field = |field: &Field| {
            let symbol = self.symbols.get(&field.function);
            let sorts = symbol.into_iter().flat_map(|it| it.args.iter().skip(1).chain(&it.result));
            let named = sorts.filter_map(|sort| match &sort.name {
                SortName::Named(name) => Some(name.clone()),
                _ => None,
            });
            named.collect::<Vec<_>>()
        };
        let mut told: Set<Arc<str>> = Set::default();
        let mut found = Vec::new();
        for (sort, field) in fields {
            let mut open = of_field(field);
            let mut seen: Set<Arc<str>> = open.iter().cloned().collect();
            while let Some(inner) = open.pop() {
                let inside = self.fields.get(&inner).into_iter().flatten().flat_map(of_field);
                open.extend(inside.filter(|it| seen.insert(it.clone())));
            }
            if seen.contains(sort) && !seen.iter().any(|it| told.contains(it)) {
                told.insert(sort.clone());
                let message = format!("the type `{sort}` depends on itself");
                let error = Diagnostic::error(Code::Recursive, field.span, message)
                    .label(format!("this field leads back to `{sort}`"));
                let help = format!("declare a function or relation of `{sort}`, which is no field");
                found.push(error.help(help));
            }
        }
        found.into_iter().for_each(|error| self.report.push(error));
    }

    pub(super) fn enumeration(
        &mut self,
        scope: ScopeId,
        sort: &SortRef,
        values: &[Ident],
        items: &mut Vec<Item>,
    ) {
        let place = sort.place;
        let names: Vec<Ident> = values.iter().map(|value| self.full(scope, value)).collect();
        for name in &names {
            let kind = self.symbol_item(name.clone(), 0, &[]);
            items.push(Item { kind, place: name.place });
        }
        let axiom = |formula| Item { kind: axiom(formula), place };
        let value = |name: &Ident| reference(name.name.clone(), Vec::new(), place.0);
        if names.len() > 1 {
            let distinct = ExprKind::Distinct(names.iter().map(value).collect());
            items.push(axiom(Expr::new(distinct, place.0)));
        }
        let var = || reference("X".into(), Vec::new(), place.0);
        let equals = |name: &Ident| equal(&var(), &value(name), place.0);
        let body = match names.as_slice() {
            [only] => equals(only),
            _ => Expr::new(ExprKind::Or(names.iter().map(equals).collect()), place.0),
        };
        items.push(axiom(for_all([("X".into(), sort.clone())], body, place.0)));
    }
}
