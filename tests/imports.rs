//! The import table of ARCHITECTURE.md, enforced: a module uses only what the table allows.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module with what it may use besides itself and the outside world.
const TABLE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("diag", &["base"]),
    ("logic", &["base"]),
    ("system", &["base", "logic"]),
    ("lang", &["base", "diag", "logic", "system"]),
    ("lint", &["base", "diag", "lang"]),
    ("vc", &["base", "logic", "system"]),
    ("check", &["base", "diag", "logic", "system", "lang", "vc"]),
    ("sat", &["base"]),
    ("epr", &["base", "logic", "sat"]),
    ("solver", &["base", "logic", "epr"]),
    ("session", &["base", "logic", "lang", "epr", "solver"]),
    ("prove", &["base", "check", "logic", "vc", "sat", "epr"]),
    ("query", &["base", "logic", "system", "vc", "sat", "epr", "prove"]),
    ("report", &["base", "check", "diag", "logic", "system", "vc", "query", "session"]),
    (
        "cli",
        &[
            "base", "check", "diag", "logic", "system", "lang", "lint", "vc", "sat", "epr", "query",
            "report", "session", "solver",
        ],
    ),
];

/// What binaries beside the main one may use: nothing that searches.
const BIN: &[&str] = &["base", "check", "diag", "lang"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules of this crate that a text names, by `crate::name` or `ramsey::name`.
fn used(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        for prefix in ["crate::", "ramsey::"] {
            for (at, _) in line.match_indices(prefix) {
                let name = line[at + prefix.len()..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
                found.extend(name);
            }
        }
    }
    found
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut seen = 0;
    for file in files {
        let relative = file.strip_prefix(&root).expect("below src");
        let first = relative.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs");
        if module == "lib" || module == "main" {
            continue;
        }
        let (_, allowed) = TABLE
            .iter()
            .chain(&[("bin", BIN)])
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("{module} is not in the import table"));
        let text = fs::read_to_string(&file).expect("a source file");
        for name in used(&text) {
            // Macros live at the root of the crate.
            let is_macro = name == "typed_id";
            seen += 1;
            assert!(
                is_macro || name == module || allowed.contains(&name),
                "{} uses `{name}`, which {module} must not",
                relative.display()
            );
        }
    }
    assert!(seen > 100, "the test reads the imports: {seen}");
}

#[test]
fn every_source_file_says_what_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    sources(&root.join("tests"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        assert!(text.starts_with("//!"), "{} begins with a `//!` line", file.display());
    }
}

#[test]
fn the_table_is_the_one_in_the_architecture_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for (module, allowed) in TABLE {
        let uses = if allowed.is_empty() { "std".to_owned() } else { allowed.join(", ") };
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| `{module}/` |")))
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {module}"));
        assert!(row.ends_with(&format!("| {uses} |")), "the row of {module} says `{uses}`: {row}");
    }
}

#[test]
fn diagnostic_codes_are_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("spec/diagnostics.md")).expect("spec/diagnostics.md");
    for (_, code, summary) in ramsey::diag::CODES {
        assert!(text.contains(&format!("| {code} | {summary} |")), "spec/diagnostics.md lists {code}");
    }
}
