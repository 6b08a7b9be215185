//! Definitions that proofs alone know: `explicit definition q(X) = ..`, or `definition { q(X) = .. }`.
//!
//! To all others the symbol is any function or relation. What it depends on may change, and then it becomes any other one, as in Ivy.

use std::sync::Arc;

use super::mentions::Mentions;
use super::rules::Rule;
use super::terms::Term;
use crate::ivy::ast::{DeclKind, Expr, Ident, Role, SortedVar};
use crate::ivy::expand::commands::block;
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::operators::is_operator;
use crate::ivy::expand::scopes::ScopeId;
use crate::ivy::expand::state::Expander;
use crate::program::ast::{Command, CommandKind, Item, ItemKind};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Notes the symbols whose definitions are for proofs alone. Isolates know those that they name after `with`; the whole of a program
    /// that has isolates is about what its symbols are.
    pub(in crate::ivy::expand) fn register_explicit(&mut self, flat: &[Flat<'a>]) {
        if self.cut.is_none() && !self.isolates.is_empty() {
            return;
        }
        let mut first: Map<Arc<str>, Span> = Map::default();
        for flat in flat {
            let DeclKind::Definition { keyword, name, recursion: None, is_explicit, .. } = &flat.decl.kind
            else {
                continue;
            };
            if **keyword != *"definition" || is_operator(&name.name) {
                continue;
            }
            let full = self.scopes.resolve(flat.scope, &name.name).name;
            let place = *first.entry(full.clone()).or_insert_with(|| name.span());
            let is_named = self.cut.as_ref().is_some_and(|cut| cut.named.contains(&flat.at));
            if *is_explicit && !is_named {
                self.explicit_definitions.insert(full.clone(), (name.span(), Set::default()));
            }
            if place != name.span() && self.explicit_definitions.contains_key(&full) {
                self.report.push(
                    Diagnostic::error(Code::Duplicate, name.span(), format!("`{full}` is defined twice"))
                        .label("defined again here")
                        .also(place, "first defined here"),
                );
            }
        }
    }

    /// Returns whether a claim is an invariant whose proof may be by such a definition. What it leaves is then another claim than what
    /// is known where an action begins.
    pub(in crate::ivy::expand) fn is_unfolded(&self, flat: Flat<'a>) -> bool {
        let is_invariant =
            matches!(&flat.decl.kind, DeclKind::Formula { role: Role::Invariant | Role::Safety, .. });
        is_invariant
            && !self.explicit_definitions.is_empty()
            && self
                .written_proof(flat)
                .is_some_and(|it| it.uses_rules() && !it.admits() && it.unread().is_none())
    }

    /// Reads a definition that proofs alone know.
    pub(in crate::ivy::expand) fn explicit_definition(
        &mut self,
        full: Arc<str>,
        (name, params, body): (&Ident, &[SortedVar], &Expr),
        scope: ScopeId,
    ) {
        let Ok(rule) = self.equation(name.name.clone(), name, params, body, scope) else { return };
        let Term::Op(_, sides) = &rule.conclusion else { return };
        let mut names = Set::default();
        sides[1..].iter().for_each(|side| Rule::fact(full.clone(), side.clone()).add_symbols(&mut names));
        self.explicit_definitions.insert(full, (name.span(), names));
    }

    /// Makes the symbols with such definitions any other ones wherever commands change what they depend on.
    pub(in crate::ivy::expand) fn follow_changes(&mut self, items: &mut [Item]) {
        if self.explicit_definitions.is_empty() {
            return;
        }
        let own = self.explicit_definitions.iter().map(|(name, (_, uses))| (name.clone(), uses.clone()));
        let mentions = Mentions::of(self, own, items);
        let mut followers: Vec<(Arc<str>, Set<Arc<str>>)> = Vec::new();
        let symbols: Vec<(Arc<str>, Span)> =
            self.explicit_definitions.iter().map(|(name, (span, _))| (name.clone(), *span)).collect();
        for (symbol, span) in symbols {
            let seen: Set<Arc<str>> = mentions.behind(&symbol).into_iter().cloned().collect();
            if seen.contains(&symbol) {
                let error = Diagnostic::error(Code::Recursive, span, format!("`{symbol}` depends on itself"));
                self.report.push(
                    error
                        .label("by this definition")
                        .help("a definition by recursion over numbers has `proof { apply rec[t] }` after it"),
                );
            }
            followers.push((symbol, seen));
        }
        followers.sort_by(|(a, _), (b, _)| a.cmp(b));
        for item in items {
            match &mut item.kind {
                ItemKind::Command(command) => {
                    let mut commands = vec![command.clone()];
                    self.follow(&mut commands, &followers);
                    *command = block(commands, item.place.0);
                }
                ItemKind::While(commands) => self.follow(commands, &followers),
                _ => {}
            }
        }
    }

    fn follow(&mut self, commands: &mut Vec<Command>, followers: &[(Arc<str>, Set<Arc<str>>)]) {
        for mut each in std::mem::take(commands) {
            match &mut each.kind {
                CommandKind::If { then, otherwise, .. } => {
                    self.follow(then, followers);
                    self.follow(otherwise, followers);
                }
                CommandKind::Choice(branches) => {
                    branches.iter_mut().for_each(|branch| self.follow(&mut branch.body, followers));
                }
                _ => {}
            }
            let target = each.target().map(|target| target.name.clone());
            let span = each.span();
            if let Some(name) = each.target()
                && let Some((place, _)) = self.explicit_definitions.get(&name.name)
            {
                self.report.push(
                    Diagnostic::error(
                        Code::Assignment,
                        name.span(),
                        format!("`{}` has a definition and cannot be changed", name.name),
                    )
                    .also(*place, "defined here")
                    .label("commands change relations, functions and variables"),
                );
            }
            commands.push(each);
            let changed = |uses: &Set<Arc<str>>| target.as_ref().is_some_and(|it| uses.contains(it));
            for (symbol, _) in followers.iter().filter(|(_, uses)| changed(uses)) {
                self.forget(symbol, span, commands);
            }
        }
    }
}
