//! Tests on a corpus of scripts, if present: all are read without errors.

use std::io::{Write as _, stderr};
use std::path::PathBuf;

use super::{file, problem};

#[test]
fn scripts_are_accepted() {
    let root = std::env::var_os("RAMSEY_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let mut count = 0;
    for folder in ["smt2", "smt2/incremental"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            // Output of `eprintln!` is captured if a test passes.
            _ = stderr().write_all(b"skipped: no corpus of scripts found (set RAMSEY_CORPUS)\n");
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".smt2")
                && let Ok(text) = std::fs::read_to_string(entry.path())
            {
                let (problem, diagnostics) = problem(file(), &text);
                assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
                let queries = problem.map_or(0, |problem| problem.queries.len());
                assert_eq!(queries, text.matches("(check-sat").count(), "{name}");
                count += 1;
            }
        }
    }
    assert!(count > 0);
}
