//! What actions of the library rely on: the values of what it declares, and places that do not come to an end.

use std::sync::Arc;

use super::elements::named;
use super::flat::Flat;
use super::state::{ActionInfo, Expander};
use crate::ivy::ast::DeclKind;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The actions of the library whose result has a place more than an argument of theirs.
const GROWING: &[&str] = &["append", "append_pair"];

/// The function that is the first place after what has places, in the same object.
const END: &str = "end";

/// The action that types with a greatest element have.
const IS_MAX: &str = "is_max";

impl<'a> Expander<'a, '_> {
    /// Adds symbols that the library declares to those that nothing else changes.
    pub(super) fn keep_of_library(&mut self, flat: Flat<'a>) {
        if let DeclKind::Symbols { symbols, .. } = &flat.decl.kind
            && self.is_of_library(flat.decl.span())
        {
            for symbol in symbols {
                self.kept.insert(self.scopes.full(flat.scope, &symbol.name.name));
            }
        }
    }

    /// Reports a symbol that the library declares, on whose values its actions rely, where the program itself changes or defines it.
    pub(super) fn check_kept(&mut self, name: &Arc<str>, span: Span) {
        if self.kept.contains(name) && !self.is_of_library(span) {
            self.report.push(
                Diagnostic::error(Code::Assignment, span, format!("`{name}` is of the library"))
                    .label("it is changed and defined there alone")
                    .help("call the actions of the instance, or declare a symbol of your own"),
            );
        }
    }

    /// Adds the types of the library of which an action of it that is executed makes values. Reports an action whose result has a
    /// place more, where places may come to an end.
    pub(super) fn executed_of_library(&mut self, full: &Arc<str>, info: &ActionInfo<'a>, span: Span) {
        if !self.is_of_library(info.declared.action.name.span()) {
            return;
        }
        for result in &info.declared.action.returns {
            let sort = result.sort.as_ref().map(|sort| self.scopes.sort(info.declared.scope, sort));
            let of = sort.as_ref().and_then(|sort| named(&sort.name));
            if let Some(of) = of.filter(|of| self.of_library.contains(*of)) {
                // An action that the program itself adds tells nothing of the type.
                let is_max = self.actions.get(&*format!("{of}.{IS_MAX}"));
                let is_ended = is_max.is_some_and(|it| self.is_of_library(it.declared.action.name.span()));
                self.makes(of, span, is_ended);
            }
        }
        let Some((object, action)) = full.rsplit_once('.') else { return };
        if !GROWING.contains(&action) {
            return;
        }
        // It is said before that there is another place.
        if info.before.iter().any(|(part, _)| self.is_of_library(part.action.name.span())) {
            return;
        }
        let end: Arc<str> = format!("{object}.{END}").into();
        let Some(of) = self.symbols.get(&end).and_then(|it| it.result.clone()) else { return };
        let Some(of) = named(&of.name).cloned() else { return };
        let is_max: Arc<str> = format!("{of}.{IS_MAX}").into();
        if self.limited.contains(&of) || self.actions.contains_key(&is_max) {
            self.report.push(
                Diagnostic::error(Code::Program, span, format!("`{of}` may have no further place"))
                    .label("this makes an array with a place more")
                    .help("use the elements of an `unbounded_sequence` as places"),
            );
        }
    }
}
