//! The language of the TPTP library, as `spec/tptp.md` describes it.

mod formula;
mod lexer;
mod statement;

use std::path::{Path, PathBuf};

use crate::problem::with_stack;
use crate::refusal::Refusal;
use crate::text::{Find, decoded};

/// Returns the text of the closed system of a problem, as `spec/core.md` describes it.
///
/// # Errors
/// The text, or one that it includes, is refused: it is no problem, or one without a closed form, or too large.
pub fn core(path: &Path, text: &str, find: Find<'_>) -> Result<String, Refusal> {
    with_stack(|| statement::core(path, text, find))
}

/// Finds an included file in the folder of the one that includes it, or in the one that the environment variable `TPTP`
/// names.
pub fn find(includer: &Path, name: &str) -> Option<(PathBuf, String)> {
    let folders = [includer.parent().map(Path::to_owned), std::env::var_os("TPTP").map(PathBuf::from)];
    let path = folders.into_iter().flatten().map(|folder| folder.join(name)).find(|path| path.is_file())?;
    let text = decoded(std::fs::read(&path).ok()?)?;
    Some((path.canonicalize().ok()?, text))
}
