//! Interpretations of types: what is known of their elements and of their order.

use std::sync::Arc;

use super::scopes::ScopeId;
use super::state::Expander;
use crate::ivy::ast::{Bound, Ident, Interpretation, SortName, SortRef};
use crate::program::ast::{Elements, End, Interpreted, Item, ItemKind};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl Expander<'_, '_> {
    /// Adds what an interpretation says of a type. Interpretations of symbols are definitions.
    pub(super) fn interpret(
        &mut self,
        scope: ScopeId,
        name: &Ident,
        meaning: &Interpretation,
        span: Span,
        items: &mut Vec<Item>,
    ) {
        let sort = SortRef { name: SortName::Named(name.name.clone()), place: name.place };
        let sort = self.scopes.sort(scope, &sort);
        let SortName::Named(full) = &sort.name else { return };
        if !self.sorts.contains(full) {
            let is_operator = !name.name.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let resolved = self.scopes.resolve(scope, &name.name).name;
            if is_operator || self.globals.contains(&resolved) {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        span,
                        "this interpretation of a symbol is not supported",
                    )
                    .label("not the operation of a type")
                    .help("write `+`, `-`, `*` or `/` after `->`, or `definition` and what it is"),
                );
            } else if !self.broken.contains(&name.name) {
                self.report.push(
                    Diagnostic::error(
                        Code::Undeclared,
                        name.span(),
                        format!("`{}` is neither a type nor a symbol", name.name),
                    )
                    .label("unknown name"),
                );
            }
            return;
        }
        if let Interpretation::By(other) = meaning {
            return self.implemented_type(scope, (full, name), other, span);
        }
        if self.structured.contains(full) || self.fields.contains_key(full) {
            self.report.push(
                Diagnostic::error(
                    Code::Duplicate,
                    name.span(),
                    format!("the elements of `{}` are known from its declaration", name.name),
                )
                .label("it has no other interpretation")
                .help("interpret a type that is declared without values and fields"),
            );
            return;
        }
        let sized;
        let meaning = match meaning {
            Interpretation::Sized(bits) => {
                let bits = self.numeral(scope, bits).and_then(|bits| bits.name.parse().ok());
                sized = bits.map_or(Interpretation::Other, Interpretation::Bits);
                &sized
            }
            _ => meaning,
        };
        if let Interpretation::Range(low, high) = meaning {
            let ends = [low, high].map(|end| match end {
                Bound::Number(number) => number.name.clone(),
                Bound::Name(name) => self.numeral(scope, name).unwrap_or_else(|| self.full(scope, name)).name,
            });
            self.range_ends.entry(full.clone()).or_insert(ends);
        }
        let known = self.interpreted.insert(full.clone(), (meaning.clone(), span));
        if let Some((known, first)) = known {
            if known != *meaning {
                self.report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        name.span(),
                        format!("the type `{}` has two interpretations", name.name),
                    )
                    .label("another interpretation")
                    .also(first, "the first one"),
                );
            }
            return;
        }
        let zero = || Some(End::Number(0));
        let (least, greatest) = match meaning {
            Interpretation::Integers | Interpretation::Texts => (None, None),
            Interpretation::Naturals => (zero(), None),
            Interpretation::Bits(bits @ 0..=63) => (zero(), Some(End::Number((1 << bits) - 1))),
            Interpretation::Bits(_) => (zero(), None),
            Interpretation::Range(low, high) => return self.range(scope, &sort, low, high, items),
            Interpretation::Enumerated(values) => return self.enumeration(scope, &sort, values, items),
            Interpretation::Sized(_) | Interpretation::By(_) | Interpretation::Other => {
                let note = "the type stays uninterpreted: what is proved holds of every interpretation";
                return self.report.ignore("interpret", span, note);
            }
        };
        let elements = match meaning {
            Interpretation::Texts => Elements::Texts,
            Interpretation::Bits(_) => Elements::Bits,
            _ => Elements::Numbers,
        };
        let interpreted = Interpreted { sort: sort.clone(), elements, least, greatest };
        items.push(Item { kind: ItemKind::Interpreted(interpreted), place: name.place });
    }

    /// Checks what is said of how a program that runs has the values of a type. It says nothing of them.
    fn implemented_type(
        &mut self,
        scope: ScopeId,
        (full, name): (&Arc<str>, &Ident),
        other: &Ident,
        span: Span,
    ) {
        if scope != self.scopes.root() {
            let message = "types are not implemented by others in objects";
            let error = Diagnostic::error(Code::Program, span, message);
            self.report.push(error.label("not at the top of the program"));
            return;
        }
        let sort = SortRef { name: SortName::Named(other.name.clone()), place: other.place };
        if let SortName::Named(known) = self.scopes.sort(scope, &sort).name
            && !self.sorts.contains(&known)
            && !self.broken.contains(&other.name)
        {
            let message = format!("the type `{}` is not declared", other.name);
            let error = Diagnostic::error(Code::Undeclared, other.span(), message);
            self.report.push(error.label("unknown type"));
        }
        if let Some((_, first)) = self.interpreted.get(full) {
            self.report.push(
                Diagnostic::error(
                    Code::Duplicate,
                    name.span(),
                    format!("the type `{}` has an interpretation", name.name),
                )
                .label("another one")
                .also(*first, "the first one"),
            );
            return;
        }
        self.interpreted.insert(full.clone(), (Interpretation::By(other.clone()), span));
        let note = "it tells how a program that runs has the values of the type";
        self.report.ignore("implement", span, note);
    }

    /// Returns the numeral that a name stands for, if it is a parameter of an instance.
    fn numeral(&self, scope: ScopeId, name: &Ident) -> Option<Ident> {
        let full = self.scopes.resolve(scope, &name.name).name;
        let is_numeral = full.starts_with(|c: char| c.is_ascii_digit());
        is_numeral.then_some(Ident { name: full, place: name.place })
    }

    /// Adds what it says of a type that its elements are a range of numbers.
    pub(super) fn range(
        &mut self,
        scope: ScopeId,
        sort: &SortRef,
        low: &Bound,
        high: &Bound,
        items: &mut Vec<Item>,
    ) {
        let mut ends = Vec::new();
        for bound in [low, high] {
            let number = match bound {
                Bound::Number(number) => Some(number.clone()),
                Bound::Name(name) => self.numeral(scope, name),
            };
            ends.push(match (number, bound) {
                (Some(number), _) => match number.name.parse() {
                    Ok(number) => End::Number(number),
                    Err(_) => {
                        self.report.push(
                            Diagnostic::error(Code::Program, number.span(), "the range is too large")
                                .label("not below 2^64"),
                        );
                        return;
                    }
                },
                (None, Bound::Number(name) | Bound::Name(name)) => {
                    let full = self.full(scope, name);
                    if self.bounds.insert(full.name.clone()) {
                        let kind = self.symbol_item(full.clone(), 0, &[]);
                        items.push(Item { kind, place: name.place });
                    }
                    End::Constant(full)
                }
            });
        }
        let greatest = ends.pop();
        if let (Some(End::Number(low)), Some(End::Number(high))) = (ends.last(), &greatest)
            && low > high
        {
            self.report.push(
                Diagnostic::error(Code::Program, sort.place.0, "the range has no element")
                    .label(format!("from {low} to {high}")),
            );
            return;
        }
        let (elements, least) = (Elements::Numbers, ends.pop());
        let interpreted = Interpreted { sort: sort.clone(), elements, least, greatest };
        items.push(Item { kind: ItemKind::Interpreted(interpreted), place: sort.place });
    }
}
