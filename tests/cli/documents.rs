//! Every command with `--format json` on every example, against the schema that the document names.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::binary::Dir;
use crate::common::schema;

/// In the older dialect, which is told by a note.
const NOTED: &str = "\
sort site
mutable relation holds(site)
init !holds(S)
transition grab(s: site)
  modifies holds
  & old(!holds(X))
  & (holds(S) <-> old(holds(S)) | S = s)
safety [one] holds(X) -> holds(X)
";

/// Limits that every search of an example ends within, answered or not.
const LIMITS: [&str; 2] = ["--work", "30000"];

/// Checks a document against the schema in `spec/` that it names.
fn check(document: &Value, context: &str) {
    schema::check(document).unwrap_or_else(|why| panic!("{context}: {why}\n{document:#}"));
}

/// Returns the examples with these extensions, as paths.
fn examples(extensions: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(folder).expect("examples").map(|it| it.expect("an example").path());
    let is_wanted = |path: &PathBuf| path.extension().is_some_and(|it| extensions.iter().any(|e| it == *e));
    let mut found: Vec<PathBuf> = files.filter(is_wanted).collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Returns the models among the examples, and the one with a note.
fn models(dir: &Dir) -> Vec<PathBuf> {
    dir.file("noted.pyv", NOTED);
    let mut found = examples(&["pyv", "rml", "ivy"]);
    found.push(dir.0.join("noted.pyv"));
    found
}

/// Runs a command on each model, and checks the documents.
fn on_models(command: &[&str], further: impl Fn(&str) -> Vec<String>) {
    let dir = Dir::new();
    for path in models(&dir) {
        let text = fs::read_to_string(&path).expect("a model");
        let path = path.to_str().expect("a path in UTF-8");
        let further = further(&text);
        let mut args = command.to_vec();
        args.extend([path, "--format", "json"]);
        args.extend(further.iter().map(String::as_str));
        let document = dir.run(&args).json();
        check(&document, &args.join(" "));
    }
}

/// Defines a test per command.
macro_rules! on_models {
    ($($name:ident: $command:expr;)*) => {
        $(#[test]
        fn $name() {
            on_models(&$command, |_| Vec::new());
        })*
    };
}

on_models! {
    typecheck: ["typecheck"];
    fragment: ["fragment"];
    verify: ["verify", LIMITS[0], LIMITS[1]];
    theorem: ["theorem", LIMITS[0], LIMITS[1]];
    bmc: ["bmc", "--depth", "1", LIMITS[0], LIMITS[1]];
    mc: ["mc", LIMITS[0], LIMITS[1]];
    cti: ["cti", LIMITS[0], LIMITS[1]];
    explain: ["explain", LIMITS[0], LIMITS[1]];
    trace: ["trace", LIMITS[0], LIMITS[1]];
    infer: ["infer", LIMITS[0], LIMITS[1]];
    simulate: ["simulate", "--steps", "2", LIMITS[0], LIMITS[1]];
}

#[test]
fn instance() {
    on_models(&["instance", LIMITS[0], LIMITS[1]], |text| {
        let name = |line: &str| {
            let rest = line.strip_prefix("sort ").or_else(|| line.strip_prefix("type "))?;
            let name: String = rest.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
            Some(format!("{name}=2"))
        };
        text.lines().filter_map(name).collect()
    });
}

#[test]
fn problems() {
    let dir = Dir::new();
    for path in examples(&["p"]) {
        let path = path.to_str().expect("a path in UTF-8");
        dir.run(&["solve", path, "--certify", "problem.cert"]);
        for args in [vec!["solve", path], vec!["check", path, "problem.cert"]] {
            let document = dir.run(&[&args[..], &["--format", "json"]].concat()).json();
            check(&document, &args.join(" "));
        }
    }
}

/// Commands that take a certificate or a state.
#[test]
fn states_and_certificates() {
    let dir = Dir::new();
    let mut states = 0;
    for path in models(&dir) {
        let model = path.to_str().expect("a path in UTF-8");
        let run = |args: &[&str]| {
            let document = dir.run(&[args, &["--format", "json"]].concat()).json();
            check(&document, &args.join(" "));
        };
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let certificate = format!("{name}.cert");
        dir.run(&["verify", model, "--certify", &certificate, LIMITS[0], LIMITS[1]]);
        run(&["check", model, &certificate]);
        let state = format!("{name}.json");
        if dir.run(&["cti", model, "-o", &state, LIMITS[0], LIMITS[1]]).code == Some(1) {
            states += 1;
            run(&["diagram", &state, "--model", model]);
            run(&["eval", "true", &state, "--model", model]);
            run(&["generalize", &state, "--model", model, "--bound", "1", LIMITS[0], LIMITS[1]]);
        }
    }
    assert!(states > 3);
}
