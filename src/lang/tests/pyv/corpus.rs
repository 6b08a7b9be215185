//! Tests on a corpus of models, if present: all are accepted except those with arithmetic.

use std::io::{Write as _, stderr};
use std::path::PathBuf;

use super::load;

/// The models with integer arithmetic.
const ARITHMETIC: &[&str] =
    &["misc_bank.pyv", "misc_crawler-cti.pyv", "misc_indigo_tournament.pyv", "misc_splitter.pyv"];

/// Paths and texts of all models; empty if there is no corpus.
pub(super) fn models() -> Vec<(String, String)> {
    let root = std::env::var_os("RAMSEY_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(root.join("pyv")) else { return Vec::new() };
    let mut models = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".pyv")
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            models.push((name, text));
        }
    }
    models.sort();
    models
}

/// Writes directly to standard error, because output of `eprintln!` is captured if a test passes.
pub(super) fn skipped() {
    let _ = stderr().write_all(b"skipped: no corpus of models found (set RAMSEY_CORPUS)\n");
}

#[test]
fn models_are_accepted_but_for_arithmetic() {
    let models = models();
    if models.is_empty() {
        return skipped();
    }
    let mut unexpected = String::new();
    for (name, text) in models {
        let (system, diagnostics) = load(&text);
        let is_arithmetic = ARITHMETIC.contains(&&*name);
        let fits = if is_arithmetic {
            diagnostics.matches("error[").count() == 1 && diagnostics.contains("error[R013]")
        } else {
            system.is_some() && (diagnostics.is_empty() || name.starts_with("fbii"))
        };
        if !fits {
            unexpected += &format!("{name}:\n{diagnostics}\n");
        }
    }
    assert!(unexpected.is_empty(), "{unexpected}");
}

#[test]
fn models_survive_printing() {
    let models = models();
    if models.is_empty() {
        return skipped();
    }
    for (name, text) in models {
        super::assert_round_trip(&text, &name);
    }
}
