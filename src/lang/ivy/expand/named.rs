//! Values with names: `property exists Y. φ named f(X)`.

use super::exprs::axiom;
use super::flat::Flat;
use super::isolates::Presence;
use super::proofs::table::Choice;
use super::proved::FIRST_WITH_RIGID_AXIOMS;
use super::state::Expander;
use crate::ivy::ast::DeclKind;
use crate::program::ast::{Item, ItemKind};
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Adds the functions of properties with names for values to the tables.
    pub(super) fn register_named(&mut self, flat: &[Flat<'a>]) {
        for &flat in flat {
            if let DeclKind::Formula { formula, named: Some((name, params)), .. }
            | DeclKind::Unchecked { formula, named: Some((name, params)), .. } = &flat.decl.kind
                && let Some(choice) = self.choice(flat, formula, name, params)
            {
                self.choices.insert(flat.at, choice);
            }
        }
    }

    /// Adds the function of a property with a name for values, and that it has such values wherever there are some: this is so for
    /// some function, whether the property holds or not.
    pub(super) fn named_values(&mut self, flat: Flat<'a>, items: &mut Vec<Item>) {
        let (DeclKind::Formula { named: Some((name, _)), .. }
        | DeclKind::Unchecked { named: Some((name, _)), .. }) = &flat.decl.kind
        else {
            return;
        };
        if self.version.minor < FIRST_WITH_RIGID_AXIOMS {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    name.span(),
                    "up to version 1.6 properties have no names for values",
                )
                .label("the property may be about what changes, and the value does not")
                .help("give version 1.7 or a later one in the first line"),
            );
        }
        let place = flat.decl.place;
        let full = self.full(flat.scope, name);
        let Some(Choice { axiom: chosen, mentioned, .. }) = self.choices.get(&flat.at).cloned() else {
            return items.push(Item { kind: ItemKind::Broken(vec![full.name]), place });
        };
        let count = self.symbols.get(&full.name).map_or(0, |it| it.args.len());
        let kind = self.symbol_item(full, count, &[]);
        items.push(Item { kind, place });
        if flat.presence != Presence::Absent {
            self.rigid.push((flat.decl.span(), mentioned));
            let Some(formula) = self.choice_axiom(&chosen, place.0) else { return };
            items.push(Item { kind: axiom(formula), place });
        }
    }
}
