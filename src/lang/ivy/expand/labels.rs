//! Names of claims, definitions, schemata and rules, which nothing else has from version 1.7 on, second names of types, and elements.

use std::sync::Arc;

use super::flat::Flat;
use super::isolates::FIRST_WITH_THIS;
use super::state::Expander;
use crate::ivy::ast::{DeclKind, Ident, Interpretation};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Reports elements of interpreted types in objects that have the names of symbols of the program: which of them a formula
    /// means is not clear. To Ivy they are the same.
    pub(super) fn check_interpreted(&mut self, flat: &[Flat<'a>]) {
        for (flat, value) in flat.iter().flat_map(|flat| elements_of(flat).iter().map(move |it| (flat, it))) {
            let is_taken = self.symbols.contains_key(&value.name) || self.actions.contains_key(&value.name);
            if self.scopes.full(flat.scope, &value.name) != value.name && is_taken {
                let error = Diagnostic::error(
                    Code::Duplicate,
                    value.span(),
                    format!("the name `{}` is declared twice", value.name),
                );
                let help = "elements of interpreted types have names that nothing of the whole program has";
                self.report.push(error.label("the program has this name as well").help(help));
            }
        }
    }

    /// Reports names of claims, definitions, rules and aliases that types, objects and the like have as well.
    pub(super) fn check_labels(&mut self, flat: &[Flat<'a>]) {
        // Two claims of one name, and symbols and transitions with that of a claim, are found where the program is lowered.
        let mut known: Map<Arc<str>, (Span, bool)> = Map::default();
        let mut places: Map<Arc<str>, Span> = Map::default();
        let mut isolates: Set<Arc<str>> = Set::default();
        for flat in flat {
            let (DeclKind::Type { name, .. } | DeclKind::Isolate { name, .. }) = &flat.decl.kind else {
                continue;
            };
            let full = self.scopes.full(flat.scope, &name.name);
            places.entry(full.clone()).or_insert(name.span());
            if matches!(flat.decl.kind, DeclKind::Isolate { .. }) {
                isolates.insert(full);
            }
        }
        let is_exported = |full: &Arc<str>| self.exported.iter().any(|(name, _)| name == full);
        for flat in flat {
            let Some((label, is_claim)) = label_of(flat) else { continue };
            let is_alias = matches!(flat.decl.kind, DeclKind::Alias { .. });
            if !is_alias && self.version.minor < FIRST_WITH_THIS {
                continue;
            }
            let scope = match flat.decl.kind {
                DeclKind::Theorem(_) => self.scopes.around(flat.scope),
                _ => flat.scope,
            };
            let full = self.scopes.full(scope, &label.name);
            let is_taken = self.sorts.contains(&full)
                || self.scopes.is_object(&full)
                || self.scopes.declares_module(scope, &label.name)
                || self.actions.contains_key(&full) && !(is_claim && is_exported(&full))
                || isolates.contains(&full)
                || self.macros.contains_key(&full)
                || !is_claim && self.symbols.contains_key(&full);
            // A schema is both a rule and what `mc` instantiates.
            let is_other = |(span, other): &&(Span, bool)| !(is_claim && *other) && *span != label.span();
            let other = known.get(&full).filter(is_other).map(|it| it.0);
            if is_taken || other.is_some() {
                let error = Diagnostic::error(
                    Code::Duplicate,
                    label.span(),
                    format!("the name `{}` is declared twice", label.name),
                )
                .label("something else has this name")
                .help("claims, definitions, types, objects and symbols all have different names");
                self.report.push(
                    match other.or_else(|| places.get(&full).copied()).or_else(|| self.scopes.place_of(&full))
                    {
                        Some(first) => error.also(first, "first declared here"),
                        None => error,
                    },
                );
            }
            known.entry(full).or_insert((label.span(), is_claim));
        }
    }
}

/// Returns the elements that an interpretation names.
fn elements_of<'a>(flat: &Flat<'a>) -> &'a [Ident] {
    match &flat.decl.kind {
        DeclKind::Interpret { meaning: Interpretation::Enumerated(values), .. } => values,
        _ => &[],
    }
}

/// Returns the name of a claim, a definition, a rule or an alias, and whether it is a claim of the flat program.
fn label_of<'a>(flat: &Flat<'a>) -> Option<(&'a Ident, bool)> {
    match &flat.decl.kind {
        DeclKind::Formula { label, .. } => label.as_ref().map(|label| (label, true)),
        DeclKind::Unchecked { label, .. } | DeclKind::Definition { label, .. } => {
            label.as_ref().map(|label| (label, false))
        }
        DeclKind::Theorem(theorem) => Some((&theorem.name, true)),
        DeclKind::Rule(rule) => Some((&rule.name, false)),
        DeclKind::Schema(schema) => schema.name.as_ref().map(|name| (name, false)),
        DeclKind::Alias { name, .. } => Some((name, false)),
        _ => None,
    }
}
