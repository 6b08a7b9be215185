//! Architectural constraints of ARCHITECTURE.md: a file uses only rooms that the table allows, trusted code uses only
//! trusted code, and imports have no cycles.

mod graph;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use graph::{Graph, sources};

/// Each room (a folder below `src/`, or a file) with the rooms that it may use besides itself. A file belongs to the
/// room with the longest matching path.
const TABLE: &[(&str, &[&str])] = &[
    ("core/base", &[]),
    ("core/diag", &["core/base"]),
    ("core/logic", &["core/base"]),
    ("core/system", &["core/base", "core/logic"]),
    ("lang/shared", &["core/base", "core/diag", "core/logic", "core/system"]),
    ("lang/fol", &["core/base", "core/diag", "core/logic", "core/system", "lang/shared"]),
    ("lang/program", &["core/base", "core/diag", "core/logic", "core/system", "lang/shared", "lang/fol"]),
    ("lang/pyv", &["core/base", "core/diag", "core/logic", "core/system", "lang/shared", "lang/fol"]),
    ("lang/rml", &["core/base", "core/diag", "core/system", "lang/shared", "lang/fol", "lang/program"]),
    (
        "lang/ivy",
        &["core/base", "core/diag", "core/logic", "core/system", "lang/shared", "lang/fol", "lang/program"],
    ),
    ("lang/smtlib", &["core/base", "core/diag", "core/logic", "lang/shared"]),
    ("lang/tptp", &["core/base", "core/diag", "core/logic", "lang/shared"]),
    ("lang/aiger", &["core/base", "core/diag", "lang/shared"]),
    (
        "lang",
        &[
            "core/base",
            "core/diag",
            "core/logic",
            "core/system",
            "lang/shared",
            "lang/fol",
            "lang/program",
            "lang/pyv",
            "lang/rml",
            "lang/ivy",
            "lang/smtlib",
            "lang/tptp",
        ],
    ),
    ("kernel/vc", &["core/base", "core/logic", "core/system"]),
    ("kernel/check", &["core/base", "core/logic", "core/system", "kernel/vc"]),
    ("kernel/check/circuit", &["core/base", "lang/aiger"]),
    (
        "kernel/bin",
        &[
            "core/base",
            "core/diag",
            "lang",
            "lang/aiger",
            "kernel/vc",
            "kernel/check",
            "kernel/check/circuit",
        ],
    ),
    ("lang/dimacs", &["core/base", "core/diag", "lang/shared"]),
    (
        "lang/print",
        &["core/base", "core/diag", "lang", "lang/fol", "lang/program", "lang/pyv", "lang/rml", "lang/ivy"],
    ),
    (
        "lang/translate",
        &[
            "core/base",
            "core/diag",
            "lang",
            "lang/shared",
            "lang/fol",
            "lang/program",
            "lang/pyv",
            "lang/rml",
            "lang/ivy",
            "lang/print",
        ],
    ),
    (
        "lang/prophecy",
        &[
            "core/base",
            "core/diag",
            "core/logic",
            "core/system",
            "lang",
            "lang/shared",
            "lang/fol",
            "lang/program",
            "lang/pyv",
            "lang/rml",
            "lang/ivy",
        ],
    ),
    ("solver/telemetry", &[]),
    ("solver/forms", &["core/base", "core/logic"]),
    ("circuit/step", &["core/base", "core/logic", "core/system", "kernel/vc"]),
    (
        "services/lint",
        &[
            "core/base",
            "core/diag",
            "core/logic",
            "core/system",
            "lang",
            "lang/fol",
            "lang/program",
            "lang/pyv",
            "lang/ivy",
            "solver/forms",
        ],
    ),
    ("solver/sat", &["core/base", "solver/telemetry"]),
    ("circuit/mc", &["core/base", "lang/aiger", "kernel/check/circuit", "solver/sat", "solver/telemetry"]),
    (
        "circuit/finite",
        &["core/base", "lang/aiger", "core/logic", "core/system", "circuit/step", "solver/sat", "circuit/mc"],
    ),
    ("solver/epr", &["core/base", "core/logic", "solver/forms", "solver/sat", "solver/telemetry"]),
    ("solver/solver", &["core/base", "core/logic", "solver/epr"]),
    (
        "services/session",
        &["core/base", "core/logic", "lang/smtlib", "solver/epr", "solver/solver", "solver/telemetry"],
    ),
    ("solver/ask", &["core/base", "core/logic", "solver/epr", "solver/telemetry"]),
    (
        "circuit/eager",
        &[
            "core/base",
            "lang/prophecy",
            "core/logic",
            "core/system",
            "circuit/step",
            "circuit/mc",
            "solver/ask",
        ],
    ),
    ("engine/prove", &["core/base", "core/logic", "kernel/vc", "kernel/check", "solver/sat", "solver/epr"]),
    (
        "engine/query",
        &[
            "core/base",
            "lang/prophecy",
            "core/logic",
            "core/system",
            "kernel/vc",
            "kernel/check",
            "solver/forms",
            "circuit/step",
            "solver/sat",
            "circuit/mc",
            "circuit/finite",
            "circuit/eager",
            "solver/epr",
            "solver/ask",
            "engine/prove",
            "solver/telemetry",
        ],
    ),
    (
        "engine/infer",
        &[
            "core/base",
            "core/logic",
            "core/system",
            "kernel/vc",
            "solver/forms",
            "circuit/step",
            "solver/sat",
            "circuit/mc",
            "circuit/finite",
            "solver/epr",
            "solver/ask",
            "engine/query",
            "solver/telemetry",
        ],
    ),
    (
        "services/workbench",
        &["core/base", "core/diag", "core/logic", "core/system", "lang", "solver/forms", "engine/query"],
    ),
    (
        "report",
        &[
            "core/base",
            "core/diag",
            "core/logic",
            "core/system",
            "kernel/vc",
            "kernel/check",
            "kernel/check/circuit",
            "solver/forms",
            "circuit/step",
            "solver/epr",
            "solver/ask",
            "circuit/eager",
            "engine/query",
            "engine/infer",
            "services/session",
        ],
    ),
    (
        "app",
        &[
            "core/base",
            "core/diag",
            "lang",
            "lang/shared",
            "core/logic",
            "core/system",
            "kernel/vc",
            "solver/forms",
            "circuit/step",
            "solver/ask",
            "engine/query",
            "engine/infer",
            "services/workbench",
            "report",
        ],
    ),
    (
        "cli",
        &[
            "core/base",
            "core/diag",
            "core/logic",
            "core/system",
            "lang/shared",
            "lang/smtlib",
            "lang/tptp",
            "lang/aiger",
            "lang/dimacs",
            "lang/print",
            "lang/translate",
            "lang/prophecy",
            "lang",
            "kernel/vc",
            "kernel/check",
            "kernel/check/circuit",
            "solver/forms",
            "circuit/step",
            "services/lint",
            "solver/sat",
            "circuit/mc",
            "circuit/finite",
            "circuit/eager",
            "solver/epr",
            "solver/solver",
            "services/session",
            "solver/ask",
            "engine/prove",
            "engine/query",
            "engine/infer",
            "services/workbench",
            "report",
            "app",
            "solver/telemetry",
        ],
    ),
];

/// The trusted base of certificates. These rooms contain nothing else, and use only each other.
const TRUSTED: &[&str] = &[
    "core/base",
    "core/diag",
    "core/logic",
    "core/system",
    "lang",
    "lang/shared",
    "lang/fol",
    "lang/program",
    "lang/pyv",
    "lang/rml",
    "lang/ivy",
    "lang/smtlib",
    "lang/tptp",
    "lang/aiger",
    "kernel/vc",
    "kernel/check",
    "kernel/check/circuit",
    "kernel/bin",
];

/// Returns the room of a file.
fn room(file: &str) -> &'static str {
    let is_in = |room: &str| {
        file.strip_prefix(room).is_some_and(|rest| rest.starts_with('/') || rest.starts_with(".rs"))
    };
    let rooms = TABLE.iter().map(|&(room, _)| room).filter(|room| is_in(room));
    rooms.max_by_key(|room| room.len()).unwrap_or_else(|| panic!("{file} is in no room of the table"))
}

/// Returns the rooms that a room may use.
fn allowed(room: &str) -> &'static [&'static str] {
    TABLE.iter().find(|(name, _)| *name == room).map_or(&[], |(_, allowed)| *allowed)
}

fn graph() -> Graph {
    Graph::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// Checks whether a file only declares modules, or is an entry point.
fn is_root(file: &str) -> bool {
    let folders = ["", "core/", "kernel/", "solver/", "circuit/", "engine/", "services/"];
    file == "main.rs" || folders.iter().any(|folder| file.strip_prefix(folder) == Some("lib.rs"))
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let graph = graph();
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (file, uses) in graph.uses.iter().filter(|(file, _)| !is_root(file)) {
        let here = room(file);
        for used in uses.iter().filter(|used| !is_root(used)) {
            let there = room(used);
            seen += 1;
            if here != there && !allowed(here).contains(&there) {
                wrong.push(format!("{file} uses {used}, and {here} must not use {there}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 1_000, "the test reads the imports: {seen}");
}

#[test]
fn the_table_has_nothing_that_nobody_uses() {
    let graph = graph();
    let mut used = BTreeSet::new();
    for (file, uses) in graph.uses.iter().filter(|(file, _)| !is_root(file)) {
        used.extend(uses.iter().filter(|used| !is_root(used)).map(|other| (room(file), room(other))));
    }
    let unused: Vec<String> = TABLE
        .iter()
        .flat_map(|&(here, allowed)| allowed.iter().map(move |&there| (here, there)))
        .filter(|pair| !used.contains(pair))
        .map(|(here, there)| format!("{here} uses nothing of {there}"))
        .collect();
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

#[test]
fn trusted_rooms_use_trusted_rooms_alone() {
    for &here in TRUSTED {
        for there in allowed(here) {
            assert!(TRUSTED.contains(there), "{here} is trusted and uses {there}, which is not");
        }
    }
}

#[test]
fn the_script_counts_the_trusted_rooms() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/trusted-base.sh");
    let output = Command::new("sh").arg(script).arg("--files").output().expect("a shell");
    let listed = String::from_utf8(output.stdout).expect("text");
    let listed: BTreeSet<&str> = listed.lines().filter_map(|line| line.strip_prefix("src/")).collect();
    let graph = graph();
    let trusted = graph.uses.keys().filter(|file| !is_root(file) && TRUSTED.contains(&room(file)));
    let trusted: BTreeSet<&str> = trusted.map(String::as_str).collect();
    assert_eq!(listed, trusted);
}

/// The files of a cycle cannot be understood, tested or moved separately. Small cycles inside of one folder are
/// accepted as the price of methods spread over several files.
#[test]
fn imports_go_round_in_no_large_circles() {
    let graph = graph();
    let folder = |file: &str| file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let mut wrong = Vec::new();
    for circle in graph.circles().into_iter() {
        let folders: BTreeSet<String> = circle.iter().map(|file| folder(file)).collect();
        if circle.len() > 3 || folders.len() > 1 {
            let is_in = |used: &&String| circle.contains(&used.as_str());
            let arrows = |file: &&str| {
                let used: Vec<&str> = graph.uses[*file].iter().filter(is_in).map(String::as_str).collect();
                format!("    {file} uses {}", used.join(", "))
            };
            wrong.push(circle.iter().map(arrows).collect::<Vec<_>>().join("\n"));
        }
    }
    assert!(wrong.is_empty(), "{} circles:\n{}", wrong.len(), wrong.join("\n\n"));
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
    for (room, allowed) in TABLE {
        let uses = if allowed.is_empty() { "std".to_owned() } else { allowed.join(", ") };
        let trusted = if TRUSTED.contains(room) { " T" } else { "" };
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| `{room}/`{trusted} |")))
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {room}{trusted}"));
        assert!(row.ends_with(&format!("| {uses} |")), "the row of {room} says `{uses}`: {row}");
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
