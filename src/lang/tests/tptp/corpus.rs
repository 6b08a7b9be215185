//! Tests on a corpus of problems, if present: all are read.

use std::io::{Write as _, stderr};
use std::path::PathBuf;

use super::load;

/// Names and texts of all problems; empty if there is no corpus.
pub(super) fn problems() -> Vec<(String, String)> {
    let root = std::env::var_os("RAMSEY_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(root.join("tptp")) else { return Vec::new() };
    let mut problems = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".p")
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            problems.push((name, text));
        }
    }
    problems.sort();
    problems
}

/// Writes directly to standard error, because output of `eprintln!` is captured if a test passes.
pub(super) fn skipped() {
    let _ = stderr().write_all(b"skipped: no corpus of TPTP problems found (set RAMSEY_CORPUS)\n");
}

#[test]
fn problems_match_the_counts_of_their_headers() {
    let problems = problems();
    if problems.is_empty() {
        return skipped();
    }
    for (name, text) in problems {
        let (loaded, diagnostics) = load(&text);
        assert_eq!(diagnostics, "", "{name}");
        let loaded = loaded.expect("a problem");
        let counted = |what: &str| {
            let line = text.lines().find(|line| line.contains(what))?;
            line.split(what)
                .nth(1)?
                .trim_start()
                .trim_start_matches(':')
                .split('(')
                .next()?
                .trim()
                .parse()
                .ok()
        };
        let count = loaded.hypotheses.len() + loaded.conjectures.len();
        if let Some(formulas) = counted("Number of formulae").or_else(|| counted("Number of clauses")) {
            let formulas: usize = formulas;
            assert_eq!(count, formulas, "{name}");
        } else {
            assert!(count > 0, "{name}");
        }
        assert_eq!(loaded.has_conjecture(), text.contains(",conjecture,"), "{name}");
        assert_eq!(loaded.has_negated_conjecture(), text.contains(",negated_conjecture,"), "{name}");
    }
}
