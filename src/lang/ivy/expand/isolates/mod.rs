//! Isolates: parts of a program that are verified by themselves, with what they see of the rest. What an isolate does not
//! see is replaced by what is true of it, whatever it does. `spec/ivy.md` has the rules.

mod analysis;
mod coverage;
mod cut;
mod interference;
mod order;
mod presence;
mod slice;
mod view;

use std::sync::Arc;

use super::scopes::ScopeId;
use crate::ivy::ast::Ident;
pub(super) use analysis::Analysis;
pub(super) use cut::{Assumption, Cut};
pub(super) use order::turns;
pub(super) use presence::{Presence, Privacy};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic, nearest};

/// The name of the isolate that verifies what no other one does.
pub(super) const THIS: &str = "this";

/// The name of objects that others do not see.
pub(super) const IMPLEMENTATION: &str = "impl";

/// The name of objects that say what others rely on.
pub(super) const SPECIFICATION: &str = "spec";

/// The first minor version in which claims always have names, and in which what no isolate verifies is verified as well.
pub(super) const FIRST_WITH_THIS: u32 = 7;

/// An isolate as it is declared.
pub(super) struct Isolate<'a> {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    /// Whether nothing of it is verified.
    pub(super) is_trusted: bool,
    /// The object whose block it is, if it has one.
    pub(super) block: Option<Arc<str>>,
    pub(super) seen: Seen<'a>,
}

/// The names that the declaration of an isolate lists.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    /// What is verified.
    pub(super) verified: &'a [Ident],
    /// What is seen as well.
    pub(super) with: &'a [Ident],
    /// The scope of the names.
    pub(super) scope: ScopeId,
}

/// Returns the error for an isolate that is not there.
pub(crate) fn unknown_isolate(name: &str, known: &[Arc<str>]) -> Diagnostic {
    let what = match known {
        [] => "the program has no isolates".to_owned(),
        _ => format!("isolates are {}", known.join(", ")),
    };
    let error =
        Diagnostic::error_nowhere(Code::Usage, format!("the program has no isolate `{name}`")).note(what);
    match nearest(name, known.iter().map(|it| &**it)) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}
