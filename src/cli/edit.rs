//! Changes to the text of a model that a command was told to make.

use std::path::Path;

use super::shared::replace_unchanged;
use super::sources::{Part, display, models_at};
use ramsey_app::models::{Meaning, Policy};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::Language;

/// Reads a text in place of the model's.
pub(super) type Load<'a> = &'a mut dyn FnMut(&str) -> Meaning;

/// Replaces the model at `path`, whose text was read as `text`, by what `edit` makes of it, and returns what else that
/// returns. The file is written as a whole, and only if it has not changed since it was read. `option` is named in
/// errors.
pub(super) fn edit_model<T>(
    option: &str,
    (path, part): (&Path, Part),
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
    let models = models_at(path, language, part, Policy::LENIENT);
    let mut load = |text: &str| models.load(text).meaning();
    let (changed, rest) = edit(language, &mut load).map_err(|what| refuse(&what))?;
    if changed != text {
        replace_unchanged(option, path, text, &changed)?;
    }
    Ok(rest)
}
