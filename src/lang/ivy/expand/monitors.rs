//! Monitors, and what else is said of actions apart from their declarations.

use std::sync::Arc;

use super::flat::Flat;
use super::state::{Expander, Part};
use crate::ivy::ast::{Action, Check, DeclKind, Ident, StmtKind, When};
use crate::shared::report::suggest;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Flat<'a> {
    /// Returns the part of an action that the declaration is.
    pub(super) fn part(self, action: &'a Action) -> Part<'a> {
        let Flat { scope, at, presence, is_trusted, .. } = self;
        Part { scope, action, at, presence, is_trusted }
    }
}

impl<'a> Expander<'a, '_> {
    /// Adds monitors and marks to the actions that are declared anywhere.
    pub(super) fn attach(&mut self, flat: Flat<'a>) {
        match &flat.decl.kind {
            DeclKind::Export(name) => {
                if let Some(full) = self.known_action(flat, name) {
                    self.check_declared(flat, &full, name, "declare it first");
                    self.exported.push((full, name.span()));
                }
            }
            // What the environment executes owes what it ensures like all others.
            DeclKind::Import(name) => {
                if let Some(full) = self.known_action(flat, name) {
                    self.check_declared(flat, &full, name, "declare it first");
                }
            }
            DeclKind::Monitor { when, action } => self.monitor(flat, *when, action),
            DeclKind::Mixin { mixer, when, action } => self.mixin(flat, mixer, *when, action),
            DeclKind::Delegate(names) => {
                for name in names {
                    let full = self.known_action(flat, name);
                    self.delegated.extend(full);
                }
            }
            _ => {}
        }
    }

    /// Reports what callers owe of actions that the environment calls: nothing would show it.
    pub(super) fn check_delegated(&mut self) {
        for (full, _) in self.exported.clone().into_iter().filter(|(full, _)| self.delegated.contains(full)) {
            let part = self.actions.get(&full).and_then(|info| info.implemented);
            let mut claim = None;
            for stmt in part.iter().filter_map(|part| part.action.body.as_deref()).flatten() {
                stmt.for_each(&mut |inner| {
                    let is_claim =
                        matches!(&inner.kind, StmtKind::Check { kind, .. } if *kind != Check::Assume);
                    if is_claim && claim.is_none() {
                        claim = Some(inner.place.0);
                    }
                });
            }
            let Some(span) = claim else { continue };
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    format!("nothing shows this where the environment calls `{full}`"),
                )
                .label("owed by whoever calls the action, which is exported")
                .help("leave out `delegate`, or export an action that calls this one"),
            );
        }
    }

    fn monitor(&mut self, flat: Flat<'a>, when: When, action: &'a Action) {
        let Some(full) = self.known_action(flat, &action.name) else { return };
        let declared = self.actions.get(&full).map(|info| info.declared.action);
        let has_params =
            |it: &Action| it.params.as_ref().is_some_and(|it| !it.is_empty()) || !it.returns.is_empty();
        if action.params.is_none() && declared.is_some_and(has_params) {
            let help = "declare it first, or give the parameters here as well";
            self.check_declared(flat, &full, &action.name, help);
        }
        self.check_signature(flat, &full, action);
        let Some(info) = self.actions.get_mut(&full) else { return };
        let mut part = flat.part(action);
        // It belongs to the object of the action. What that is in an isolate, the cut tells.
        if self.scopes.is_argument(flat.scope, &action.name.name) {
            part.is_trusted = info.declared.is_trusted;
            if self.cut.is_none() {
                part.presence = info.declared.presence;
            }
        }
        let body = action.body.as_deref().unwrap_or_default();
        match when {
            When::Implement => {
                // An empty block may be all that a declaration has.
                let is_empty = |known: &Part<'_>| {
                    known.at == info.declared.at && known.action.body.as_ref().is_some_and(Vec::is_empty)
                };
                if let Some(known) = info.implemented.replace(part).filter(|known| !is_empty(known)) {
                    self.report.push(
                        Diagnostic::error(
                            Code::Duplicate,
                            action.name.span(),
                            format!("the action `{full}` has statements already"),
                        )
                        .label("implemented again here")
                        .also(known.action.name.span(), "they stand here"),
                    );
                }
            }
            When::Before => info.before.push((part, body)),
            When::After => info.after.push((part, body)),
            When::Around => match body.iter().position(|stmt| stmt.kind == StmtKind::Rest) {
                Some(at) if at == 0 || at + 1 == body.len() => self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        body[at].span(),
                        "`around` has statements on both sides of `...`",
                    )
                    .label("nothing on one side")
                    .help("what comes on one side alone is a monitor `before` or `after` the action"),
                ),
                // The second part is in line with the monitors after the action: what is around does not nest.
                Some(at) => {
                    info.before.push((part, &body[..at]));
                    info.after.push((part, &body[at + 1..]));
                }
                None => self.report.push(
                    Diagnostic::error(Code::Program, action.name.span(), "`...` is missing in `around`")
                        .label("nothing tells what comes before the action")
                        .help("write `before`, `after`, or `...` where the statements of the action stand"),
                ),
            },
        }
    }

    /// Makes the statements of an action a monitor of another one.
    fn mixin(&mut self, flat: Flat<'a>, mixer: &Ident, when: When, action: &Ident) {
        let Some(mixer_full) = self.known_action(flat, mixer) else { return };
        let Some(part) = self.actions.get(&mixer_full).map(|info| info.declared) else { return };
        let Some(body) = part.action.body.as_deref() else {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    mixer.span(),
                    format!("the action `{}` has no statements", mixer.name),
                )
                .label("nothing to mix in")
                .also(part.action.name.span(), "declared here"),
            );
            return;
        };
        let Some(full) = self.known_action(flat, action) else { return };
        let Some(info) = self.actions.get_mut(&full) else { return };
        // The results are those of the action.
        let (own, of) = (part.action.returns.len(), info.declared.action.returns.len());
        if own != of {
            self.report.push(
                Diagnostic::error(
                    Code::Arity,
                    mixer.span(),
                    format!("`{}` has {own} results, and `{full}` has {of}", mixer.name),
                )
                .label("other results")
                .also(part.action.name.span(), "declared here")
                .help(format!("what is mixed into `{full}` has its parameters and results")),
            );
            return;
        }
        let part = Part { scope: part.scope, ..flat.part(part.action) };
        match when {
            When::Before => info.before.push((part, body)),
            _ => info.after.push((part, body)),
        }
    }

    /// Reports a monitor without the parameters of an action that a block declares which is not around it, or of objects around the
    /// action.
    fn check_signature(&mut self, flat: Flat<'a>, full: &str, action: &Action) {
        let Some(declared) = self.actions.get(full).map(|info| info.declared) else { return };
        let count = |scope, it: &Action| self.scopes.params(scope).len() + it.params.iter().flatten().count();
        let has_params = count(flat.scope, action) >= count(declared.scope, declared.action);
        let has_results = action.returns.len() >= declared.action.returns.len();
        let of = (full, declared.scope);
        if has_params && has_results
            || self.scopes.gives_params(flat.scope, &action.name.name, of, has_params)
        {
            return;
        }
        self.report.push(
            Diagnostic::error(
                Code::Arity,
                action.name.span(),
                format!("the parameters and results of `{full}` are not given here"),
            )
            .label("no block around declares it under this name before, with these parameters")
            .also(declared.action.name.span(), "declared here")
            .help("write them here as well"),
        );
    }

    /// Reports the name of an action that is declared later.
    fn check_declared(&mut self, flat: Flat<'a>, full: &str, name: &Ident, help: &str) {
        let Some(declared) = self.actions.get(full).map(|info| info.declared) else { return };
        if declared.at > flat.at {
            let message = format!("the action `{}` is declared after this", name.name);
            let error = Diagnostic::error(Code::Undeclared, name.span(), message).label("not declared yet");
            self.report.push(error.also(declared.action.name.span(), "declared here").help(help));
        }
    }

    /// Returns the full name of an action, or reports that there is none.
    fn known_action(&mut self, flat: Flat<'a>, name: &Ident) -> Option<Arc<str>> {
        let full = self.scopes.resolve(flat.scope, &name.name).name;
        if self.actions.contains_key(&full) {
            return Some(full);
        }
        if self.broken.contains(&name.name) {
            return None;
        }
        let error = Diagnostic::error(
            Code::Undeclared,
            name.span(),
            format!("the action `{}` is not declared", name.name),
        )
        .label("unknown action");
        self.report.push(match suggest(&name.name, self.order.iter().map(|name| &**name)) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("declare it: `action {} = {{ .. }}`", name.name)),
        });
        None
    }
}
