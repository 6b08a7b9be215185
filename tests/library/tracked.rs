//! Tracked files: only known kinds, each in the folders where it belongs.

use std::path::Path;
use std::process::Command;

use crate::common::skip::skipped;

/// Each kind of file, by its extension or its whole name, with the folders that may contain it; the empty name is the
/// root.
const KINDS: &[(&str, &[&str])] = &[
    ("rs", &["src", "tests", "benches", "examples", "fuzz"]),
    ("pyv", &["benches/protocols", "examples", "tests/models", "src/cli/init"]),
    ("rml", &["examples", "src/lang/rml/prelude"]),
    ("ivy", &["benches/protocols", "examples", "src/lang/ivy/prelude", "src/naive/ivy/library"]),
    ("p", &["examples"]),
    ("smt2", &["examples"]),
    ("dot", &["tests/pictures"]),
    ("svg", &["tests/pictures"]),
    ("json", &["spec"]),
    ("sarif-schema-2.1.0.json", &["tests/common"]),
    ("sarif-schema-2.1.0.NOTICE", &["tests/common"]),
    ("html", &["src/cli/ui/page"]),
    ("css", &["src/cli/ui/page"]),
    ("js", &["src/cli/ui/page"]),
    ("ts", &["src/cli/ui/page"]),
    ("png", &["docs/page"]),
    ("md", &["", "docs", "spec", "fuzz"]),
    ("toml", &["", ".ci", "fuzz", "src"]),
    ("py", &["benches", "scripts"]),
    ("sh", &["benches", "scripts"]),
    ("v", &["spec/rocq"]),
    ("ml", &["spec/rocq/program"]),
    ("Makefile", &["spec/rocq"]),
    ("yml", &["src/cli/init"]),
    ("action.yml", &[""]),
    (".pre-commit-hooks.yaml", &[""]),
    ("Dockerfile", &[""]),
    (".dockerignore", &[""]),
    ("Jenkinsfile", &["src/cli/init"]),
    ("Cargo.lock", &[""]),
    (".gitignore", &["", "fuzz"]),
    ("LICENSE-APACHE", &[""]),
    ("LICENSE-MIT", &[""]),
    ("run", &[".ci"]),
];

/// Maximum size of a source file in bytes.
const LARGEST: u64 = 200_000;

#[test]
fn tracked_files_are_of_known_kinds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        return skipped("this is no checkout of git");
    };
    let listed = String::from_utf8(output.stdout).expect("names in UTF-8");
    let files: Vec<&str> = listed.split_terminator('\0').collect();
    assert!(files.len() > 100, "the test reads the list: {}", files.len());
    for file in files {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let extension = name.rsplit_once('.').map_or(name, |(_, extension)| extension);
        let kind = KINDS
            .iter()
            .find(|(kind, _)| *kind == name)
            .or_else(|| KINDS.iter().find(|(kind, _)| *kind == extension));
        let (_, folders) = kind.unwrap_or_else(|| panic!("{file} is of a kind that is not tracked"));
        let is_in = |allowed: &&str| {
            *allowed == folder
                || (!allowed.is_empty()
                    && folder.strip_prefix(*allowed).is_some_and(|rest| rest.starts_with('/')))
        };
        assert!(folders.iter().any(is_in), "{file} lies where no such file belongs");
        let size = std::fs::metadata(root.join(file)).map_or(0, |metadata| metadata.len());
        assert!(size <= LARGEST, "{file} has {size} bytes");
    }
}
