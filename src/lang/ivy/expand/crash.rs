//! `action crash = *`: the symbols of an object, and of those in it, have any values afterwards.

use std::sync::Arc;

use super::declarations::renamed;
use super::exprs::{reference, variables};
use super::isolates::SPECIFICATION;
use super::state::Expander;
use super::statements::Frame;
use crate::program::ast::Command;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl Expander<'_, '_> {
    /// Gives the symbols of the object with this action any values, for the parameters of the action as first arguments.
    pub(super) fn crash(&mut self, span: Span, frame: &Frame, out: &mut Vec<Command>) {
        let Some(call) = self.calling.last() else { return };
        let params: Vec<Arc<str>> = call.params.clone();
        // What others rely on does not change. Of the program itself, the name is empty.
        let object = self.scopes.resolve(frame.context.scope, "this").name;
        let is_inside = |name: &str| {
            let rest = if object.is_empty() {
                Some(name)
            } else {
                name.strip_prefix(&*object).and_then(|rest| rest.strip_prefix('.'))
            };
            rest.is_some_and(|rest| {
                rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    && rest.split('.').all(|part| part != SPECIFICATION)
            })
        };
        let mut symbols: Vec<Arc<str>> = self
            .symbols
            .iter()
            .filter(|(name, symbol)| {
                symbol.source.is_none()
                    && is_inside(name)
                    && !self.is_defined(name)
                    && !self.derived.contains(*name)
                    && !self.values.contains(*name)
                    && self.field_of(name).is_none()
            })
            .map(|(name, _)| name.clone())
            .collect();
        symbols.sort_unstable();
        for name in symbols {
            self.check_kept(&name, span);
            let Some(symbol) = self.symbols.get(&name).cloned() else { continue };
            let mut args = Vec::new();
            for (at, param) in params.iter().enumerate() {
                let sort =
                    self.locals.iter().find(|local| local.name == *param).and_then(|it| it.sort.clone());
                if symbol.args.get(at).map(|arg| &arg.name) != sort.as_ref().map(|sort| &sort.name) {
                    self.report.push(
                        Diagnostic::error(
                            Code::Program,
                            span,
                            format!("`{name}` does not have the parameters of the action as first arguments"),
                        )
                        .label("what becomes of it?")
                        .help("a crash is one of the object, or of the values for the action's parameters"),
                    );
                    return;
                }
                args.push(reference(param.clone(), Vec::new(), span));
            }
            args.extend(variables(symbol.args.len() - args.len(), span));
            let args = (!args.is_empty()).then_some(args);
            self.havoc(renamed(name, span), args, span, out);
        }
    }
}
