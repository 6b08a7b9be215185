//! What definitions depend on, through others.

use std::sync::Arc;

use crate::ivy::expand::elements::symbols_in;
use crate::ivy::expand::state::Expander;
use crate::program::ast::{BinaryOp, Item, ItemKind};
use ramsey_core::base::hash::{Map, Set};

/// By symbol, those that its definition mentions.
pub(super) struct Mentions {
    by_symbol: Map<Arc<str>, Set<Arc<str>>>,
    /// The orders that definitions give.
    orders: Vec<Arc<str>>,
}

impl Mentions {
    /// Returns what the definitions of a program mention, with those of `own`, which are no items.
    pub(super) fn of(
        expander: &Expander<'_, '_>,
        own: impl IntoIterator<Item = (Arc<str>, Set<Arc<str>>)>,
        items: &[Item],
    ) -> Mentions {
        let mut by_symbol: Map<Arc<str>, Set<Arc<str>>> = own.into_iter().collect();
        for item in items {
            if let ItemKind::Macro { name, body, .. } = &item.kind {
                by_symbol.entry(name.name.clone()).or_default().extend(symbols_in(body));
            }
        }
        for choice in &expander.selections {
            by_symbol.entry(choice.name.clone()).or_default().extend(symbols_in(&choice.formula));
        }
        for choice in expander.choices.values() {
            by_symbol.entry(choice.name.clone()).or_default().extend(choice.mentioned.iter().cloned());
        }
        Mentions { by_symbol, orders: expander.operators.keys().cloned().collect() }
    }

    /// Returns what a symbol depends on: itself as well if there is a circle.
    pub(super) fn behind<'m>(&'m self, symbol: &'m Arc<str>) -> Set<&'m Arc<str>> {
        let mut seen: Set<&Arc<str>> = Set::default();
        let mut open = vec![symbol];
        while let Some(name) = open.pop() {
            // An order may be one that a definition gives.
            let of_order = self.orders.iter().filter(|_| **name == *BinaryOp::Less.text());
            let inside = self.by_symbol.get(name).into_iter().flatten().chain(of_order);
            open.extend(inside.filter(|name| seen.insert(name)));
        }
        seen
    }
}
