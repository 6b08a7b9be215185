//! Errors about modules, for the languages that have them.

use super::ast::Ident;
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Returns the error that a module or schema is declared twice.
pub(crate) fn duplicate(what: &str, name: &Ident, first: &Ident) -> Diagnostic {
    let message = format!("the {what} `{}` is declared twice", name.name);
    Diagnostic::error(Code::Duplicate, name.span(), message)
        .label("declared again here")
        .also(first.span(), "first declared here")
}

/// Returns the error that a module is not declared. `help` is given if none of the declared ones has a similar name.
pub(crate) fn unknown_module<'a>(
    name: &Ident,
    declared: impl IntoIterator<Item = &'a str>,
    help: &str,
) -> Diagnostic {
    let message = format!("the module `{}` is not declared", name.name);
    let error = Diagnostic::error(Code::Module, name.span(), message).label("unknown module");
    match suggest(&name.name, declared) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(help),
    }
}

/// Creates the error about a variable that stands for two arguments of an assignment.
pub(crate) fn repeated_variable(name: &Ident, first: &Ident) -> Diagnostic {
    Diagnostic::error(
        Code::Duplicate,
        name.span(),
        format!("the variable `{}` stands for two arguments", name.name),
    )
    .label("again here")
    .also(first.span(), "first here")
    .help("use two variables, and say in the value where they are equal")
}

/// Returns the error that a module, which is declared at `module`, is used by itself. `how` completes the sentence.
pub(crate) fn recursive_module(name: &Ident, module: &Ident, how: &str) -> Diagnostic {
    Diagnostic::error(Code::Recursive, name.span(), format!("the module `{}` {how}", name.name))
        .label("modules are expanded, so they cannot be recursive")
        .also(module.span(), "declared here")
}

/// Returns the error that there are more than `limit` declarations after expansion of the modules.
pub(crate) fn too_many_declarations(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::error(Code::TooDeep, span, "the program grows too large when its modules are expanded")
        .label(format!("more than {limit} declarations"))
}
