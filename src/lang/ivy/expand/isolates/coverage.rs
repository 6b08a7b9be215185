//! Claims that no isolate shows.

use super::{Analysis, Presence};
use crate::ivy::ast::{DeclKind, Role, When};
use crate::shared::report::Report;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl Analysis<'_> {
    /// Reports claims that are assumed somewhere and shown nowhere.
    pub(in crate::ivy::expand) fn coverage(&self, report: &mut Report) {
        for (at, flat) in self.flat.iter().enumerate() {
            let is_claim = match &flat.decl.kind {
                DeclKind::Formula { role, .. } => !matches!(role, Role::Axiom | Role::Init),
                DeclKind::Theorem(_) => true,
                _ => false,
            };
            if is_claim && !self.all().any(|it| self.in_isolate(it)[at] == Presence::Verified) {
                let span = flat.decl.span();
                // Up to version 1.6 Ivy asks for properties with names alone.
                let is_named =
                    matches!(flat.decl.kind, DeclKind::Formula { role: Role::Property, label: Some(_), .. });
                report.push(match self.has_this() || is_named {
                    true => unchecked(span, "no isolate shows this claim"),
                    false => Diagnostic::warning(Code::Unchecked, span, "no isolate shows this claim")
                        .label("it stands in no isolate"),
                });
            }
        }
        for &at in &self.initializers {
            if let Some(span) = self.uses[at].ensured
                && !self.all().any(|it| self.in_isolate(it)[at] == Presence::Verified)
            {
                report.push(unchecked(span, "no isolate shows this assertion"));
            }
        }
        for (name, parts) in &self.actions {
            for &part in &parts.executed {
                let is_shown = |owner: usize, is_trusted: bool| {
                    self.all().any(|it| {
                        let presence = self.in_isolate(it);
                        presence[owner] == Presence::Verified
                            && (presence[part] != Presence::Absent || is_trusted && self.is_trusted(it))
                    })
                };
                if let Some(span) = self.uses[part].ensured
                    && !is_shown(parts.role, true)
                {
                    report.push(unchecked(
                        span,
                        &format!("no isolate that verifies `{name}` shows this assertion"),
                    ));
                }
                if let Some(span) = self.uses[part].required {
                    // The environment owes it, to an isolate that executes it where it verifies the action.
                    let is_after = matches!(
                        self.flat[part].decl.kind,
                        DeclKind::Monitor { when: When::After, .. }
                            | DeclKind::Mixin { when: When::After, .. }
                    );
                    if is_after && self.exported.contains(name) && !is_shown(parts.role, true) {
                        report.push(unchecked(
                            span,
                            &format!("no isolate that verifies `{name}` sees this assertion"),
                        ));
                        continue;
                    }
                    let callers = self.actions.values().flat_map(|it| &it.executed);
                    let mut callers = callers.filter(|&&it| self.uses[it].calls.contains(name));
                    if let Some(&caller) = callers.find(|&&caller| !is_shown(caller, false)) {
                        report.push(
                            unchecked(span, "this assertion is not shown where the action is called")
                                .also(self.flat[caller].decl.span(), format!("`{name}` is called here")),
                        );
                    }
                }
            }
        }
    }
}

fn unchecked(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::Program, span, what)
        .label("shown nowhere")
        .help("name its object after `with` in the isolate that has to show it")
}
