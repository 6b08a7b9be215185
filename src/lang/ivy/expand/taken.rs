//! Names that several declarations have: no two of a type, a symbol, an action, an object, a module, a macro and an isolate have the
//! same one, but for an object and a type, or an element or a field of one.

use std::sync::Arc;

use super::flat::Flat;
use super::operators::is_operator;
use super::state::Expander;
use crate::ivy::ast::{Bound, DeclKind, Ident, Interpretation, TypeBody};
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// What a name is declared as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    /// An element or a field of a type.
    Member,
    Object,
    Module,
    Symbol,
    /// A symbol with its definition.
    Defined,
    /// What `derived` declares.
    Derived,
    Action,
    Macro,
    Isolate,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Kind::Type => "a type",
            Kind::Member => "an element or a field",
            Kind::Object => "an object",
            Kind::Module => "a module",
            Kind::Symbol => "a symbol",
            Kind::Defined | Kind::Derived => "a definition",
            Kind::Action => "an action",
            Kind::Macro => "a macro",
            Kind::Isolate => "an isolate",
        }
    }

    /// Returns whether a declaration is reported here that follows one of another kind with its name. Two symbols mostly are where
    /// the flat program is checked, and so are two of one kind.
    fn excludes(self, next: Kind) -> bool {
        match (self, next) {
            (Kind::Type | Kind::Member, Kind::Object) | (Kind::Object, Kind::Type | Kind::Member) => false,
            (Kind::Member | Kind::Symbol, Kind::Member | Kind::Symbol | Kind::Defined) => false,
            (Kind::Defined | Kind::Derived, Kind::Defined | Kind::Derived) => false,
            (Kind::Macro, Kind::Macro) => true,
            (first, next) => first != next,
        }
    }
}

impl<'a> Expander<'a, '_> {
    /// Reports names that declarations of different kinds have: which of them is meant would depend on the place.
    pub(super) fn check_names(&mut self, flat: &[Flat<'a>]) {
        let mut found: Vec<(Arc<str>, Span, Kind)> = Vec::new();
        let objects = self.scopes.objects().map(Arc::<str>::from);
        let objects = objects.filter_map(|path| self.scopes.place_of(&path).map(|place| (path, place)));
        found.extend(objects.map(|(path, place)| (path, place, Kind::Object)));
        found.extend(self.scopes.all_modules().map(|(path, place)| (path, place, Kind::Module)));
        for flat in flat.iter().filter(|flat| !self.scopes.is_theorem(flat.scope)) {
            let named = declared(flat).into_iter();
            found.extend(
                named.map(|(name, kind)| (self.scopes.full(flat.scope, &name.name), name.span(), kind)),
            );
        }
        found.sort_by_key(|&(_, span, _)| span);
        let mut known: Map<Arc<str>, Vec<(Span, Kind)>> = Map::default();
        for (full, span, kind) in found {
            let others = known.entry(full.clone()).or_default();
            // Symbols and transitions of one name are found where the program is lowered.
            let is_exported = || self.exported.iter().any(|(name, _)| *name == full);
            let is_found = |other: Kind| {
                let is_symbol = |it: Kind| matches!(it, Kind::Member | Kind::Symbol);
                is_symbol(other) && kind == Kind::Action || is_symbol(kind) && other == Kind::Action
            };
            let first = others.iter().find(|(_, other)| other.excludes(kind));
            if let Some(&(first, other)) = first.filter(|(_, other)| !(is_found(*other) && is_exported())) {
                self.report.push(
                    Diagnostic::error(Code::Duplicate, span, format!("the name `{full}` is declared twice"))
                        .label(format!("{} here", kind.text()))
                        .also(first, format!("{} here", other.text()))
                        .help("give one of them another name"),
                );
            }
            others.push((span, kind));
        }
    }
}

/// Returns the names that a declaration declares.
fn declared<'a>(flat: &Flat<'a>) -> Vec<(&'a Ident, Kind)> {
    match &flat.decl.kind {
        DeclKind::Type { name, body, .. } => {
            let symbols: Vec<&Ident> = match body {
                TypeBody::Uninterpreted => Vec::new(),
                TypeBody::Enumerated(values) => values.iter().collect(),
                TypeBody::Struct(fields) => fields.iter().map(|field| &field.name).collect(),
            };
            let symbols = symbols.into_iter().map(|name| (name, Kind::Member));
            std::iter::once((name, Kind::Type)).chain(symbols).collect()
        }
        // Wires are no symbols of the flat program.
        DeclKind::Symbols { keyword, symbols } if **keyword == *"wire" => {
            symbols.iter().map(|it| (&it.name, Kind::Derived)).collect()
        }
        DeclKind::Symbols { symbols, .. } => {
            let kind = |is_defined: bool| if is_defined { Kind::Defined } else { Kind::Symbol };
            let symbols = symbols.iter().filter(|it| !is_operator(&it.name.name));
            symbols.map(|it| (&it.name, kind(it.definition.is_some()))).collect()
        }
        DeclKind::Choice(choice) if *choice.keyword != *"definition" => vec![(&choice.name, Kind::Defined)],
        DeclKind::Definition { keyword, name, .. }
            if matches!(&**keyword, "derived" | "macro") && !is_operator(&name.name) =>
        {
            vec![(name, Kind::Derived)]
        }
        DeclKind::Formula { named: Some((name, _)), .. } => vec![(name, Kind::Symbol)],
        DeclKind::Interpret { meaning: Interpretation::Range(low, high), .. } => {
            let ends = [low, high].into_iter().filter_map(|end| match end {
                Bound::Name(name) => Some((name, Kind::Symbol)),
                Bound::Number(_) => None,
            });
            ends.collect()
        }
        DeclKind::Macro { name, .. } => vec![(name, Kind::Macro)],
        DeclKind::Action(action) => vec![(&action.name, Kind::Action)],
        DeclKind::Isolate { name, .. } => vec![(name, Kind::Isolate)],
        _ => Vec::new(),
    }
}
