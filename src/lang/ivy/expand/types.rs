//! What is known of the values of types with fields, and of enumerations.

use std::sync::Arc;

use super::elements::named;
use super::exprs::{axiom, equal, for_all, not, reference, variables};
use super::scopes::ScopeId;
use super::state::{Expander, Field};
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef};
use crate::program::ast::{Item, ItemKind};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::{Code, Diagnostic};

/// The symbols of the library that tell what a container holds.
const HELD: &[&str] = &["key_at", "value", "value_at"];

impl Expander<'_, '_> {
    /// Returns that values of a type with equal fields are equal, for a type with fields.
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
        let var = |name: &str| reference(name.into(), Vec::new(), place.0);
        let differ = |field: &Field| {
            let further: Vec<SortRef> =
                self.symbols.get(&field.function)?.args.iter().skip(1).cloned().collect();
            let read = |name: &str| {
                let args = std::iter::once(var(name)).chain(variables(further.len(), place.0)).collect();
                reference(field.function.clone(), args, place.0)
            };
            let same = equal(&read("X"), &read("Y"), place.0);
            let vars = (1..).map(|at| Arc::from(format!("X{at}"))).zip(further);
            Some(not(for_all(vars, same, place.0), place.0))
        };
        let mut parts: Vec<Expr> = fields.iter().map(differ).collect::<Option<_>>()?;
        parts.push(equal(&var("X"), &var("Y"), place.0));
        let body = Expr::new(ExprKind::Or(parts), place.0);
        let bind = |name: &str| (name.into(), sort.clone());
        Some(axiom(for_all([bind("X"), bind("Y")], body, place.0)))
    }

    /// Returns the types on which values depend by a field: by the values of this, and its further arguments.
    fn inside(&self, field: &str) -> Vec<Arc<str>> {
        let symbol = self.symbols.get(field).into_iter();
        symbol
            .flat_map(|it| it.args.iter().skip(1).chain(&it.result))
            .filter_map(|it| named(&it.name))
            .cloned()
            .collect()
    }

    /// Returns the types on which each one depends: by its fields, and by what a container of the library holds.
    fn nested(&self) -> Map<Arc<str>, Vec<Arc<str>>> {
        let mut nested: Map<Arc<str>, Vec<Arc<str>>> = Map::default();
        for (sort, fields) in &self.fields {
            let inside = fields.iter().flat_map(|field| self.inside(&field.function));
            nested.entry(sort.clone()).or_default().extend(inside);
        }
        for symbol in
            self.kept.iter().filter(|it| it.rsplit('.').next().is_some_and(|last| HELD.contains(&last)))
        {
            let Some(symbol) = self.symbols.get(symbol) else { continue };
            let held = symbol.result.as_ref().or(symbol.args.last()).and_then(|it| named(&it.name));
            if let Some(sort) = symbol.args.first().and_then(|it| named(&it.name))
                && self.of_library.contains(sort)
            {
                nested.entry(sort.clone()).or_default().extend(held.cloned());
            }
        }
        nested
    }

    /// Reports types that depend on themselves: by the values of their fields or their further arguments, by what containers of the
    /// library hold, or through other types.
    pub(super) fn check_nesting(&mut self) {
        let nested = self.nested();
        let mut fields: Vec<(&Arc<str>, &Field)> = self
            .fields
            .iter()
            .flat_map(|(sort, fields)| fields.iter().map(move |field| (sort, field)))
            .collect();
        fields.sort_by_key(|(_, field)| field.span);
        let mut told: Set<Arc<str>> = Set::default();
        let mut found = Vec::new();
        for (sort, field) in fields {
            let mut open = self.inside(&field.function);
            let mut seen: Set<Arc<str>> = open.iter().cloned().collect();
            while let Some(inner) = open.pop() {
                let inside = nested.get(&inner).into_iter().flatten().cloned();
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
