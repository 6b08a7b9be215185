//! What an isolate depends on and does not see.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Analysis, Presence, THIS};
use crate::ivy::ast::{DeclKind, Role};
use crate::shared::report::Report;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl Analysis<'_> {
    /// Reports symbols of an isolate that change where it does not see it.
    pub(super) fn interference(
        &self,
        isolate: usize,
        hidden: &Set<Arc<str>>,
        executed: &BTreeSet<usize>,
        report: &mut Report,
    ) {
        let presence = self.in_isolate(isolate);
        let is_statement = |kind: &DeclKind| {
            matches!(kind, DeclKind::Action(_) | DeclKind::Monitor { .. } | DeclKind::Init { .. })
        };
        let mut mentioned = BTreeSet::new();
        for (at, flat) in self.flat.iter().enumerate() {
            let is_definition = matches!(
                flat.decl.kind,
                DeclKind::Definition { .. } | DeclKind::Symbols { .. } | DeclKind::Choice(_)
            );
            let counts = match is_statement(&flat.decl.kind) {
                true => executed.contains(&at),
                false => presence[at] != Presence::Absent && !is_definition,
            };
            if counts {
                mentioned.extend(self.uses[at].mentions.iter().cloned());
            }
        }
        let seen = self.with_definitions(&mentioned, |name| !hidden.contains(name));
        let mentioned = self.with_definitions(&mentioned, |_| true);
        // What comes before all initializers of the isolate is any state. It is told where the symbol itself is mentioned.
        let is_present = |at: &usize| presence[*at] != Presence::Absent;
        let first = self.initializers.iter().copied().find(is_present);
        let is_constrained = self.flat.iter().any(|flat| {
            matches!(flat.decl.kind, DeclKind::Formula { role: Role::Init, .. }) && is_present(&flat.at)
        });
        let is_early = |at: usize| {
            !is_constrained && self.initializers.contains(&at) && first.is_some_and(|first| at < first)
        };
        let begun = self.initializers.iter().flat_map(|&at| self.uses[at].calls.iter().cloned());
        let running = self.reached(begun.chain(self.exported.iter().cloned()), |_| true);
        let mut parts: BTreeSet<usize> = self.initializers.iter().copied().collect();
        parts.extend(running.iter().filter_map(|it| self.actions.get(it)).flat_map(|it| &it.executed));
        for at in parts.into_iter().filter(|&at| presence[at] == Presence::Absent) {
            let counts = if is_early(at) { &seen } else { &mentioned };
            let changes = self.uses[at].changes.iter().find(|(symbol, _)| counts.contains(*symbol));
            if let Some((symbol, &span)) = changes {
                report.push(self.interferes(isolate, symbol, span));
                return;
            }
        }
    }

    fn interferes(&self, isolate: usize, symbol: &str, span: Span) -> Diagnostic {
        let name = self.name(isolate);
        let error = Diagnostic::error(
            Code::Program,
            span,
            format!("`{symbol}` changes here, which the isolate `{name}` depends on and does not see"),
        )
        .label(format!("`{name}` does not see these statements"))
        .help("name their object after `with`, or let the isolate use what their specification says");
        match self.isolates.get(isolate) {
            Some(isolate) => error.also(isolate.span, "the isolate"),
            None => error.note(format!("`{THIS}` is all that stands in no other isolate")),
        }
    }

    /// Reports definitions that an isolate does not see, of symbols whose values it changes.
    pub(super) fn changed_definitions(
        &self,
        isolate: usize,
        hidden: &Set<Arc<str>>,
        executed: &BTreeSet<usize>,
        report: &mut Report,
    ) {
        let presence = self.in_isolate(isolate);
        let mut mentioned = BTreeSet::new();
        for (at, uses) in self.uses.iter().enumerate() {
            if executed.contains(&at) || presence[at] != Presence::Absent {
                mentioned.extend(uses.mentions.iter().cloned());
            }
        }
        let mentioned = self.with_definitions(&mentioned, |name| !hidden.contains(name));
        for (name, &at) in self.definitions.iter().filter(|(name, _)| hidden.contains(*name)) {
            let inside = self.with_definitions(&self.uses[at].mentions, |_| true);
            let is_mentioned = mentioned.contains(name);
            let mut changes = executed.iter().flat_map(|&part| &self.uses[part].changes);
            if let Some((symbol, &span)) = changes.find(|(symbol, _)| inside.contains(*symbol))
                && is_mentioned
            {
                let of = self.name(isolate);
                report.push(
                    Diagnostic::error(
                        Code::Program,
                        span,
                        format!("`{name}` changes with `{symbol}`, and the isolate `{of}` does not see how"),
                    )
                    .label("changed here")
                    .also(self.flat[at].decl.span(), "this definition is private")
                    .help(format!("name `{name}` after `with`")),
                );
                return;
            }
        }
    }

    /// Reports calls of absent initializers that no initial state and no transition of the isolate stands for: of actions that
    /// require something, which initializers do not owe, and before its own initializers.
    pub(super) fn initial_calls(&self, isolate: usize, report: &mut Report) {
        let presence = self.in_isolate(isolate);
        let is_present = |at: usize| presence[at] != Presence::Absent;
        for &at in self.initializers.iter().filter(|&&at| !is_present(at)) {
            let called = self.reached(self.uses[at].calls.iter().cloned(), |_| true);
            let parts = called.iter().filter_map(|name| self.actions.get(name)).flat_map(|it| &it.executed);
            let parts: Vec<usize> = parts.copied().filter(|&part| is_present(part)).collect();
            let is_required = parts.iter().any(|&part| self.uses[part].required.is_some());
            let is_early = self.initializers.iter().any(|&other| is_present(other) && other > at);
            let counts =
                |&part: &usize| !self.uses[part].changes.is_empty() || self.uses[part].ensured.is_some();
            let what = if is_required {
                "calls actions that require something, and owes nothing"
            } else if is_early && parts.iter().any(counts) {
                "calls actions before initializers that it sees"
            } else {
                continue;
            };
            let of = self.name(isolate);
            report.push(
                Diagnostic::error(
                    Code::Program,
                    self.flat[at].decl.span(),
                    format!("this initializer {what}, which the isolate `{of}` does not see"),
                )
                .label("not seen")
                .help("name its object after `with`"),
            );
            return;
        }
    }

    /// Reports axioms about what statements change, up to version 1.6: they hold before and after what the environment calls, and
    /// the transitions of an isolate may be others.
    pub(super) fn changing_axioms(&self, isolate: usize, report: &mut Report) {
        let presence = self.in_isolate(isolate);
        for flat in self.flat.iter().filter(|flat| presence[flat.at] != Presence::Absent) {
            let is_axiom = match &flat.decl.kind {
                DeclKind::Formula { role, .. } => *role == Role::Axiom,
                DeclKind::Scheme(_) => true,
                _ => false,
            };
            if !is_axiom {
                continue;
            }
            let mentioned = self.with_definitions(&self.uses[flat.at].mentions, |_| true);
            if let Some(symbol) = self.changed().find(|symbol| mentioned.contains(*symbol)) {
                let of = self.name(isolate);
                report.push(
                    Diagnostic::error(
                        Code::Program,
                        flat.decl.span(),
                        format!(
                            "this axiom is about `{symbol}`, which changes, and the isolate `{of}` has it"
                        ),
                    )
                    .label("between the actions of the environment it need not hold")
                    .help("state it as an invariant, or verify the program with `--whole`"),
                );
                return;
            }
        }
    }

    /// Returns the symbols that statements change.
    pub(super) fn changed(&self) -> impl Iterator<Item = &Arc<str>> {
        self.uses.iter().flat_map(|uses| uses.changes.keys())
    }
}
