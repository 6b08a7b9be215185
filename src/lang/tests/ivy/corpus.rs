//! All files of a corpus parse, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus.

use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::FileId;
use ramsey_lang::ivy::ast::Version;
use ramsey_lang::ivy::parse_within;

#[test]
fn all_files_parse() {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    let corpus = folder.join("ivy");
    if !corpus.is_dir() {
        // `eprintln!` is captured when a test passes.
        let _ = stderr().write_all(b"skipped: no corpus of programs found (set RAMSEY_CORPUS)\n");
        return;
    }
    let mut open = vec![corpus];
    let mut count = 0;
    while let Some(path) = open.pop() {
        // Files with verdicts of Ivy beside them are of all kinds, some of them not of this language.
        if path.join("verdicts.tsv").is_file() {
            continue;
        }
        if path.is_dir() {
            open.extend(path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "ivy") {
            let text = std::fs::read_to_string(&path).expect("text");
            let (_, diagnostics) =
                parse_within(FileId::new(0), &text, &mut Budget::unlimited()).expect("no limit");
            // The other versions are refused.
            if Version::given(&text).is_ok() {
                assert!(diagnostics.is_empty(), "{}: {diagnostics:#?}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 0, "the corpus has programs");
}
