//! What an isolate verifies and sees, by names.

use std::sync::Arc;

use super::{FIRST_WITH_THIS, IMPLEMENTATION, Isolate, Presence, Privacy, Seen};
use crate::ivy::ast::DeclKind;
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::scopes::{Scopes, join};
use ramsey_core::base::hash::{Map, Set};

/// What an isolate verifies and sees, by names.
pub(super) struct View<'t> {
    verified: Set<Arc<str>>,
    /// What is seen, with what is verified.
    present: Set<Arc<str>>,
    objects: &'t Map<Arc<str>, Privacy>,
    /// What the isolates verify. What is below another one's is not this one's.
    roots: &'t Set<Arc<str>>,
    has_this: bool,
}

/// Splits the last part off a name, whose subscripts may have several parts.
pub(super) fn parent(name: &str) -> &str {
    let mut open = 0_usize;
    let dot = name.bytes().enumerate().rev().find(|(_, byte)| {
        match byte {
            b']' => open += 1,
            b'[' => open = open.saturating_sub(1),
            _ => {}
        }
        *byte == b'.' && open == 0
    });
    dot.map_or("", |(at, _)| &name[..at])
}

/// Returns the names that an isolate verifies.
pub(super) fn roots_of(isolate: &Isolate<'_>, scopes: &Scopes<'_>) -> Vec<Arc<str>> {
    let Seen { verified, scope, .. } = isolate.seen;
    let listed = verified.iter().map(|name| scopes.resolve(scope, &name.name).name);
    isolate.block.iter().cloned().chain(listed).collect()
}

impl<'t> View<'t> {
    /// Returns what an isolate sees; without one, what [`super::THIS`] sees.
    pub(super) fn new(
        isolate: Option<&Isolate<'_>>,
        scopes: &Scopes<'_>,
        (objects, globals): (&'t Map<Arc<str>, Privacy>, &[Arc<str>]),
        roots: &'t Set<Arc<str>>,
        minor: u32,
    ) -> View<'t> {
        let mut verified: Set<Arc<str>> = match isolate {
            Some(isolate) => roots_of(isolate, scopes).into_iter().collect(),
            None => Set::from_iter([Arc::from("")]),
        };
        // The object `impl` of what is listed is a part of it, also where another isolate lists it.
        let impls: Vec<_> = verified.iter().map(|name| join(name, IMPLEMENTATION)).collect();
        verified.extend(impls);
        let mut present = verified.clone();
        if let Some(Isolate { seen: Seen { with, scope, .. }, .. }) = isolate {
            present.extend(with.iter().map(|name| scopes.resolve(*scope, &name.name).name));
        }
        present.extend(globals.iter().cloned());
        View { verified, present, objects, roots, has_this: minor >= FIRST_WITH_THIS }
    }

    /// Returns whether an object is named among what is verified and seen.
    pub(super) fn lists(&self, object: &str) -> bool {
        self.present.contains(object)
    }

    /// Returns what a declaration is that has these names and stands in this object.
    pub(super) fn of(&self, names: &[Arc<str>], object: &str, is_private: bool) -> Presence {
        let is_named = |set: &Set<Arc<str>>| names.iter().any(|name| set.contains(name));
        if is_named(&self.verified) {
            return Presence::Verified;
        }
        let is_root = self.has_this && is_named(self.roots);
        let is_alone = names.iter().any(|name| self.objects.get(name) == Some(&Privacy::Listed));
        let around = match is_private {
            _ if is_alone => Presence::Absent,
            true => self.of_private(object),
            false => self.of_object(object),
        };
        let is_present = is_named(&self.present) || around != Presence::Absent;
        Presence::of(around == Presence::Verified && !is_root, is_present)
    }

    /// Returns what is true of all that an object declares for everybody.
    fn of_object(&self, object: &str) -> Presence {
        let (mut is_verified, mut is_seen) = (true, false);
        let mut at = object;
        loop {
            if self.verified.contains(at) {
                return Presence::of(is_verified, true);
            }
            // What is listed as seen may be verified with what is around it all the same.
            is_seen |= self.present.contains(at);
            if at.is_empty() {
                return Presence::of(false, is_seen);
            }
            // What an isolate verifies is not verified around it.
            is_verified &= !(self.has_this && self.roots.contains(at));
            let privacy = self.objects.get(at).copied().unwrap_or_default();
            at = parent(at);
            if privacy != Privacy::Public {
                let around = match privacy {
                    Privacy::Section => self.of_private(at),
                    _ => Presence::Absent,
                };
                let found = around.min(if is_verified { Presence::Verified } else { Presence::Assumed });
                return found.max(Presence::of(false, is_seen));
            }
        }
    }

    /// Returns what is true of what an object declares for itself: it is seen where the object is verified.
    fn of_private(&self, object: &str) -> Presence {
        let mut at = object;
        loop {
            if self.verified.contains(at) {
                return Presence::Verified;
            }
            if at.is_empty() || self.roots.contains(at) {
                return Presence::Absent;
            }
            at = parent(at);
        }
    }
}

/// Returns the names by which a declaration can be listed.
pub(super) fn names_of(flat: &Flat<'_>, scopes: &Scopes<'_>) -> Vec<Arc<str>> {
    let scope = flat.scope;
    let full = |name: &str| scopes.full(scope, name);
    match &flat.decl.kind {
        DeclKind::Formula { label: Some(label), .. } => vec![full(&label.name)],
        DeclKind::Theorem(theorem) => vec![scopes.full(scopes.around(scope), &theorem.name.name)],
        DeclKind::Choice(choice) => vec![scopes.resolve(scope, &choice.name.name).name],
        DeclKind::Definition { label, name, .. } => {
            let mut names = vec![scopes.resolve(scope, &name.name).name];
            names.extend(label.iter().map(|label| full(&label.name)));
            names
        }
        DeclKind::Symbols { symbols, .. } => symbols.iter().map(|it| full(&it.name.name)).collect(),
        DeclKind::Action(action) => vec![scopes.resolve(scope, &action.name.name).name],
        DeclKind::Interpret { name, .. } => vec![scopes.resolve(scope, &name.name).name],
        _ => Vec::new(),
    }
}
