//! What an isolate depends on and does not see.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Analysis, Presence, THIS};
use crate::ivy::ast::{DeclKind, Role};
use crate::ivy::expand::flat::Flat;
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
        let mentioned = self.with_definitions(&mentioned, |_| true);
        let is_present = |at: usize| presence[at] != Presence::Absent;
        let is_absent = |at: &usize| !is_present(*at);
        let calls_of = |at: usize| self.uses[at].calls.iter().cloned();
        let (shown, others): (Vec<usize>, Vec<usize>) =
            self.initializers.iter().partition(|&&at| is_present(at));
        // What changes while the isolate is executed, it sees.
        let begun = shown.iter().flat_map(|&at| calls_of(at));
        let running = self.reached(begun.chain(self.exported.iter().cloned()), |_| true);
        for at in self.parts_of(&running).into_iter().filter(is_absent) {
            if let Some(found) = self.change(at, &mentioned) {
                report.push(self.interferes(isolate, found));
                return;
            }
        }
        // The isolate begins with any values of what its own initializers do not mention. What comes before all of these is any
        // state as well; it is told where the symbol itself is mentioned.
        let first = shown.first().copied();
        let constrained = self.constrained(presence);
        let is_constrained = !constrained.is_empty();
        let mut initial = constrained;
        for &at in shown
            .iter()
            .chain(&self.parts_of(&self.reached(shown.iter().flat_map(|&at| calls_of(at)), is_present)))
        {
            initial.extend(self.uses[at].mentions.iter().cloned());
            initial.extend(self.uses[at].changes.keys().cloned());
        }
        let early = self.with_definitions(&initial, |name| !hidden.contains(name));
        let initial = self.with_definitions(&initial, |_| true);
        // From where an initializer calls the isolate, transitions of this have been executed.
        let mut is_called = false;
        for &at in &others {
            let mut parts = self.parts_of(&self.reached(calls_of(at), |_| true));
            is_called |= parts.iter().any(|&part| is_present(part) && self.uses[part].counts());
            parts.insert(at);
            let is_early = !is_constrained && first.is_some_and(|first| at < first);
            let counts = match (is_called, is_early) {
                (true, _) => &mentioned,
                (false, true) => &early,
                (false, false) => &initial,
            };
            let found = parts.into_iter().filter(is_absent).find_map(|part| self.change(part, counts));
            if let Some(found) = found {
                report.push(self.interferes(isolate, found));
                return;
            }
        }
    }

    /// Returns the parts of actions.
    fn parts_of(&self, actions: &BTreeSet<Arc<str>>) -> BTreeSet<usize> {
        actions
            .iter()
            .filter_map(|it| self.actions.get(it))
            .flat_map(|it| it.executed.iter().copied())
            .collect()
    }

    /// Returns what `init` formulas of an isolate are about.
    fn constrained(&self, presence: &[Presence]) -> BTreeSet<Arc<str>> {
        let is_init = |flat: &&Flat<'_>| {
            matches!(flat.decl.kind, DeclKind::Formula { role: Role::Init, .. })
                && presence[flat.at] != Presence::Absent
        };
        self.flat
            .iter()
            .filter(is_init)
            .flat_map(|flat| self.uses[flat.at].mentions.iter().cloned())
            .collect()
    }

    /// Returns a symbol among these that a part changes, and where.
    fn change(&self, part: usize, symbols: &BTreeSet<Arc<str>>) -> Option<(&Arc<str>, Span)> {
        let mut changes = self.uses[part].changes.iter();
        changes.find(|(symbol, _)| symbols.contains(*symbol)).map(|(symbol, &span)| (symbol, span))
    }

    fn interferes(&self, isolate: usize, (symbol, span): (&Arc<str>, Span)) -> Diagnostic {
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
            let is_required = parts.iter().any(|&part| {
                self.uses[part].required.is_some() && !self.is_shown_initially(at, part, &called)
            });
            let is_early = self.initializers.iter().any(|&other| is_present(other) && other > at);
            let counts = |&part: &usize| self.uses[part].counts();
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

    /// Returns whether what a part of actions requires is shown where an initializer calls them: it calls each one itself, in an
    /// isolate that verifies the initializer, sees the part, and does not verify the action, as it then takes no requirement for
    /// granted. What other statements owe that are executed is shown as anywhere.
    fn is_shown_initially(&self, initializer: usize, part: usize, called: &BTreeSet<Arc<str>>) -> bool {
        let of_part = called.iter().filter_map(|name| Some((name, self.actions.get(name)?)));
        let mut of_part = of_part.filter(|(_, parts)| parts.executed.contains(&part));
        of_part.all(|(name, parts)| {
            let is_shown = |isolate: usize| {
                let presence = self.in_isolate(isolate);
                !self.is_trusted(isolate)
                    && presence[initializer] == Presence::Verified
                    && presence[part] != Presence::Absent
                    && presence[parts.role] != Presence::Verified
            };
            self.uses[initializer].calls.contains(name) && self.all().any(is_shown)
        })
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
