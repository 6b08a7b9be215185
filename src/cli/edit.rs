//! Changes to the text of a model that a command was told to make.

use std::path::Path;

use super::args::StrictArgs;
use super::shared::{load_in_place, replace_unchanged};
use super::sources::display;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_lang::Language;

/// Reads a text in place of the model's.
pub(super) type Load<'a> = &'a mut dyn FnMut(&str) -> (Option<System>, Vec<Diagnostic>);

/// Replaces the model at `path`, whose text was read as `text`, by what `edit` makes of it, and returns what else that
/// returns. The file is written as a whole, and only if it has not changed since it was read. `option` is named in
/// errors.
pub(super) fn edit_model<T>(
    option: &str,
    path: &Path,
    text: &str,
    edit: impl FnOnce(Language, Load<'_>) -> Result<(String, T), String>,
) -> Result<T, Diagnostic> {
    let refuse = |what: &str| {
        let message = format!("{option}: `{}` stays as it is: {what}", display(path));
        Diagnostic::error_nowhere(Code::Usage, message)
    };
    if path.as_os_str() == "-" {
        return Err(refuse("there is no file to write to"));
    }
    let language = Language::of_name(&display(path));
    let mut load = |text: &str| {
        let (system, diagnostics, _) = load_in_place(path, language, StrictArgs::LENIENT, text);
        (system, diagnostics)
    };
    let (changed, rest) = edit(language, &mut load).map_err(|what| refuse(&what))?;
    if changed != text {
        replace_unchanged(option, path, text, &changed)?;
    }
    Ok(rest)
}
