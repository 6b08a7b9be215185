//! Verdicts about programs in `.ivy`: small ones, each with and without a mistake, and those of a corpus, if present.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::models::load;
use crate::common::skip::skipped;
use ramsey::obligations::Origin;
use ramsey::query::{Limits, Options, Outcome, Plan};
use ramsey::system::System;

/// Returns the failing obligations: the transition (or `init`, `assertion` or `theorem`) and the claim.
pub(crate) fn failures(system: &Arc<System>) -> Vec<(String, String)> {
    let options = Options { all: true, ..Options::default() };
    let verification = Plan::new(system.clone(), options).run(&Limits::default());
    let mut failing = Vec::new();
    for result in &verification.results {
        let name = match result.origin {
            Origin::Initiation { invariant } => ("init", &system.invariants[invariant].label),
            Origin::Consecution { transition, invariant } => {
                (system.transitions[transition].name.as_str(), &system.invariants[invariant].label)
            }
            Origin::Assertion { assertion } => ("assertion", &system.assertions[assertion].label),
            Origin::Theorem { theorem } => ("theorem", &system.theorems[theorem].label),
            _ => continue,
        };
        match &result.outcome {
            Outcome::Holds { .. } => {}
            Outcome::Fails(_) => failing.push((name.0.to_owned(), name.1.clone())),
            other => panic!("{name:?}: {other:?}"),
        }
    }
    failing
}

#[track_caller]
pub(crate) fn expect(text: &str, expected: &[(&str, &str)]) {
    let (system, diagnostics) = load("model.ivy", text);
    let system = system.unwrap_or_else(|| panic!("{diagnostics:#?}"));
    let found = failures(&Arc::new(system));
    let found: Vec<(&str, &str)> = found.iter().map(|(action, claim)| (&**action, &**claim)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn what_is_required_is_owed_by_the_caller() {
    let text = "#lang ivy1.7
type t
relation held(X:t)
after init { held(X) := false }
action take(x:t) = { held(x) := true }
before take { require forall Y. ~held(Y) }
action swap(x:t, y:t) = {
    require held(x);
    held(x) := false;
    call take(y)
}
export take
export swap
invariant [one] held(X) & held(Y) -> X = Y
";
    expect(text, &[]);
    // Without giving it back, the inner call violates the monitor, in line 6.
    expect(&text.replace("    held(x) := false;\n", ""), &[("assertion", "L6")]);
    // Nobody is asked for anything.
    let careless = text.replace("require forall Y. ~held(Y)", "");
    expect(&careless, &[("take", "one")]);
}

#[test]
fn what_is_ensured_is_shown() {
    let text = "#lang ivy1.7
type t
relation le(X:t, Y:t)
axiom le(X, Y) | le(Y, X)
action greater(x:t, y:t) returns (z:t) = { z := y if le(x, y) else x }
after greater { ensure le(x, z) | le(z, x) & z = y }
export greater
";
    expect(text, &[]);
    let wrong = text.replace("ensure le(x, z) | le(z, x) & z = y", "ensure z = y");
    expect(&wrong, &[("assertion", "L6")]);
    // What an action of the environment ensures is shown as well; what is assumed of it, those that call it use.
    let imported = "#lang ivy1.7
type t
relation good(X:t)
individual last : t
import action ask returns (x:t)
after ask { assume good(x) }
after init { assume good(last) }
action use = { last := ask }
export use
invariant [still_good] good(last)
";
    expect(imported, &[]);
    expect(&imported.replace("after ask { assume good(x) }\n", ""), &[("use", "still_good")]);
    expect(&imported.replace("assume good(x)", "ensure good(x)"), &[("assertion", "L6")]);
    expect(&imported.replace("after ask { assume", "before ask { ensure"), &[("assertion", "L6")]);
}

#[test]
fn assertions_in_monitors_follow_the_version() {
    let text = "#lang ivy1.6
type t
relation r(X:t)
action a(x:t) = { r(x) := true }
before a { assert r(x) }
export a
init r(X)
conjecture r(X)
";
    expect(text, &[]);
    let unknown = text.replace("init r(X)", "").replace("conjecture r(X)\n", "");
    expect(&unknown, &[]);
    // In all versions the caller owes what is asserted before, and the action what is asserted after.
    expect(&unknown.replace("1.6", "1.7"), &[]);
    let called = unknown.replace("1.6", "1.7").replace("export a", "action b(x:t) = { call a(x) }\nexport b");
    expect(&called, &[("assertion", "L5")]);
    expect(
        &unknown.replace("r(x) := true", "r(x) := false").replace("before a", "after a"),
        &[("assertion", "L5")],
    );
}

#[test]
fn any_values_are_any_values() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
function f(X:t) : t
individual c : t
after init { r(X) := false; f(X) := X }
action a(x:t, y:t) = { r(x) := *; f(x) := *; if * { c := * } else { } }
export a
invariant [others] ~r(X)
invariant [same] f(X) = X
";
    expect(text, &[("a", "others"), ("a", "same")]);
    expect(&text.replace("r(x) := *; f(x) := *;", ""), &[]);
}

#[test]
fn instances_have_states_of_their_own() {
    let text = "#lang ivy1.7
type t
module flag = {
    relation up
    after init { up := false }
    action raise = { up := true }
}
instance one : flag
instance many(X:t) : flag
export one.raise
export many.raise
invariant [a] ~one.up
invariant [b] many.up(X) & many.up(Y) -> X = Y
";
    expect(text, &[("one.raise", "a"), ("many.raise", "b")]);
}

#[test]
fn a_call_changes_its_own_parameters() {
    let text = "#lang ivy1.7
type t
type msg = struct { dst : t }
individual c : t
relation sent(M:msg)
after init { sent(M) := false }
action redirect(m:msg) = { m.dst := c }
action send(m:msg) = {
    require m.dst ~= c;
    call redirect(m);
    sent(m) := true
}
export send
invariant [kept] sent(M) -> M.dst ~= c
"
    .replace("M.dst", "dst(M)");
    expect(&text, &[]);
    expect(&text.replace("call redirect(m)", "m.dst := c"), &[("send", "kept")]);
}

fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let programs = folder.join("ivy");
    if programs.is_dir() {
        return Some(programs);
    }
    skipped(format_args!("no corpus of programs at {} (set RAMSEY_CORPUS)", programs.display()));
    None
}

/// A file of answers has the invariants with which the program next to it is verified.
#[test]
fn programs_with_known_invariants_are_verified() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for folder in fs::read_dir(corpus).expect("a folder").flatten().filter(|it| it.path().is_dir()) {
        for entry in fs::read_dir(folder.path()).expect("a folder").flatten() {
            let answers = entry.path();
            let program = answers.with_extension("ivy");
            if answers.extension().is_none_or(|it| it != "answers") || !program.is_file() {
                continue;
            }
            let text = fs::read_to_string(&program).expect("a program");
            let more = fs::read_to_string(&answers).expect("claims");
            let (system, diagnostics) = load("model.ivy", &format!("{text}\n{more}\n"));
            let system = system.unwrap_or_else(|| panic!("{}: {diagnostics:#?}", program.display()));
            assert_eq!(failures(&Arc::new(system)), [], "{}", program.display());
            count += 1;
        }
    }
    assert!(count > 0, "the corpus has answers");
}
