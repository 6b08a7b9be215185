//! All files of a corpus parse. `RAMSEY_CORPUS` points to one.

use crate::base::budget::Budget;
use crate::base::ids::Id as _;
use crate::base::span::FileId;
use crate::lang::ivy::parse_within;

#[test]
fn all_files_parse() {
    let Some(corpus) = std::env::var_os("RAMSEY_CORPUS") else {
        eprintln!("skipped: RAMSEY_CORPUS is not set");
        return;
    };
    let mut open = vec![std::path::PathBuf::from(corpus)];
    let mut count = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "ivy") {
            let text = std::fs::read_to_string(&path).expect("text");
            let (_, diagnostics) =
                parse_within(FileId::new(0), &text, &mut Budget::unlimited()).expect("no limit");
            if !text.starts_with("#lang ivy1.1") {
                assert!(diagnostics.is_empty(), "{}: {diagnostics:#?}", path.display());
            }
            count += 1;
        }
    }
    eprintln!("{count} files");
}
