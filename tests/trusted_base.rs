//! What `scripts/trusted-base.sh` counts is what the kernel and its front use, and the README says the same.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Files that trusted ones use and that need no trust, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("src/base/compression.rs", "the kernel judges the text that comes out"),
    ("src/base/digest.rs", "no verdict depends on a digest"),
    ("src/base/rng.rs", "tests alone"),
    ("src/logic/nnf.rs", "programs may be refused by it, and are not read by it"),
];

/// What the script prints.
fn script(argument: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("sh")
        .args([&root.join("scripts/trusted-base.sh").to_string_lossy(), argument])
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn what_trusted_files_use_is_counted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = script("--files");
    let listed: Vec<&str> = listed.lines().collect();
    let mut seen = 0;
    for file in &listed {
        let text = fs::read_to_string(root.join(file)).expect("a listed file");
        for module in ["base", "logic", "system", "vc"] {
            let prefix = format!("crate::{module}::");
            for (at, _) in text.match_indices(&prefix) {
                let name: String = text[at + prefix.len()..]
                    .chars()
                    .take_while(|&c| c.is_ascii_lowercase() || c == '_')
                    .collect();
                let used = format!("src/{module}/{name}.rs");
                if name.is_empty() || !root.join(&used).exists() {
                    continue;
                }
                seen += 1;
                let is_exception = EXCEPTIONS.iter().any(|(exception, _)| *exception == used);
                assert!(
                    is_exception || listed.contains(&used.as_str()),
                    "{file} uses {used}, which is not counted"
                );
            }
        }
    }
    assert!(seen > 100, "the test reads the imports: {seen}");
}

#[test]
fn the_readme_has_the_figures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let readme: Vec<&str> = readme.lines().map(str::trim).collect();
    let (whole, totals) = (script(""), script("--total"));
    for line in whole.split("\n\n").next().expect("the kernel's table").lines() {
        assert!(readme.contains(&line), "the README has the row `{line}`");
    }
    for line in totals.lines().filter_map(|line| line.strip_prefix("trusted front of ")) {
        let (language, lines) = line.split_once(": ").expect("a sum");
        let row = format!("| {language} | {} |", lines.trim_end_matches(" lines"));
        assert!(readme.contains(&row.as_str()), "the README has the row `{row}`");
    }
    for line in totals.lines().filter_map(|line| line.strip_prefix("crate ")) {
        assert!(readme.iter().any(|text| text.contains(line)), "the README names {line}");
    }
}
