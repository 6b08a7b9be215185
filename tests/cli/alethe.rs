//! Proofs in the Alethe format: what is written is checked here, and where Carcara is there, that it is accepted.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::alethe;
use crate::common::binary::Dir;
use crate::common::effort::is_long;
use crate::common::skip::skipped;
use ramsey::base::hash::Map;

/// Functions of functions, equations in both directions, negations, witnesses in each other, and what is always true or false.
const ODD: &str = "\
sort and
sort b
immutable relation r(and, b)
immutable function f(and, b): b
immutable function g(b): and
immutable constant true_: and
mutable constant or: b
mutable relation not(and)
axiom forall X. exists Y. r(X, Y) & (exists Z. Y = f(Z, Y))
axiom forall X, Y. r(X, Y) & r(X, f(X, Y)) -> Y = f(X, Y)
axiom !(exists X. forall Y. !r(X, Y))
init not(X) <-> X = true_
init !!not(true_)
transition change(x: and)
  modifies or, not
  & (forall A. new(not(A)) <-> not(A) | A = x)
  & r(x, new(or)) & !!!(g(new(or)) != x)
safety [some] exists X. not(X)
safety [twice] not(X) & not(Y) -> !!(exists Z. not(Z) & !(Z != X))
theorem [same] X = Y & Z = U -> f(X, Z) = f(Y, U)
theorem [chain] g(f(X, Y)) = X & g(f(X, Y)) = Z -> X = Z & (r(X, Y) -> r(Z, Y))
theorem [swap] (forall X, Y. f(X, Y) = Y) -> (forall X. f(g(X), X) = f(true_, X))
theorem [nested] (exists X. forall Y:b. exists Z. r(X, Z) & Y = Y) -> exists X, Z. r(X, Z)
theorem [trivial] true & !false
theorem [stronger] (exists X. !(exists Y. r(X, Y))) -> false
";

/// Returns the pairs of files in a folder.
fn pairs(folder: &Path) -> Vec<(String, String, String)> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    let stems: Vec<String> =
        names.iter().filter_map(|name| name.strip_suffix(".alethe").map(str::to_owned)).collect();
    assert_eq!(2 * stems.len(), names.len(), "{names:?}");
    let read = |name: String| fs::read_to_string(folder.join(name)).expect("a file");
    stems
        .into_iter()
        .map(|stem| (stem.clone(), read(format!("{stem}.smt2")), read(format!("{stem}.alethe"))))
        .collect()
}

/// Has a model verified and its certificate written as proofs. Returns them.
fn proofs(dir: &Dir, command: &[&str], name: &str) -> Vec<(String, String, String)> {
    let code = [0, 1, 10, 20];
    let run = dir.run(&[command, &[name, "--certify", "cert"]].concat());
    assert!(run.code.is_some_and(|it| code.contains(&it)), "{name}: {}{}", run.out, run.err);
    dir.run(&["check", name, "cert", "--alethe", "proofs"]).ends_with(0);
    let pairs = pairs(&dir.0.join("proofs"));
    fs::remove_dir_all(dir.0.join("proofs")).expect("the folder");
    pairs
}

#[test]
fn proofs_are_refutations_of_their_problems() {
    let dir = Dir::new();
    let mut models: Vec<(Vec<&str>, String)> = Vec::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut names: Vec<String> = fs::read_dir(&examples)
        .expect("the examples")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    for name in names {
        let text = fs::read_to_string(examples.join(&name)).expect("an example");
        match Path::new(&name).extension().and_then(|it| it.to_str()) {
            Some("pyv" | "rml" | "ivy") => {
                models.push((vec!["verify", "--no-strict", "--all"], name.clone()))
            }
            Some("smt2" | "p") => models.push((vec!["solve"], name.clone())),
            _ => continue,
        }
        dir.file(&name, text);
    }
    dir.file("odd.pyv", ODD);
    models.push((vec!["verify", "--no-strict", "--all"], "odd.pyv".into()));
    models.push((vec!["bmc", "--depth", "2", "--no-strict"], "lock_server.pyv".into()));
    // One of two models has all that is asked for below.
    if !is_long() {
        models = models.into_iter().rev().step_by(2).collect();
    }
    let mut rules: Map<String, usize> = Map::default();
    for (command, name) in models {
        if !dir.0.join(&name).exists() {
            continue;
        }
        for (obligation, problem, proof) in proofs(&dir, &command, &name) {
            let counted = alethe::check(&problem, &proof)
                .unwrap_or_else(|error| panic!("{name}, {obligation}: {error}\n{problem}\n{proof}"));
            counted.into_iter().for_each(|(rule, count)| *rules.entry(rule).or_default() += count);
        }
    }
    for rule in [
        "resolution",
        "and_pos",
        "and_neg",
        "or_pos",
        "or_neg",
        "or",
        "implies_pos",
        "implies_neg1",
        "implies_neg2",
        "equiv_pos1",
        "equiv_pos2",
        "equiv1",
        "equiv2",
        "not_not",
        "forall_inst",
        "sko_ex",
        "sko_forall",
        "refl",
        "bind",
        "not_simplify",
        "connective_def",
        "eq_reflexive",
        "eq_symmetric",
        "eq_transitive",
        "eq_congruent",
        "eq_congruent_pred",
    ] {
        assert!(rules.contains_key(rule), "no step of {rule}: {rules:?}");
    }
}

#[test]
fn changed_proofs_are_refused() {
    let dir = Dir::new();
    dir.file("ring.pyv", include_str!("../../examples/ring_leader.pyv"));
    let pairs = proofs(&dir, &["verify"], "ring.pyv");
    let mut changed = 0;
    for (_, problem, proof) in pairs.iter().step_by(3) {
        let lines: Vec<&str> = proof.lines().collect();
        let steps = (0..lines.len()).filter(|&at| lines[at].starts_with("(step "));
        for at in steps.step_by(if is_long() { 1 } else { 4 }) {
            // Without this step, the ones that name it have no premise.
            let without = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            assert!(alethe::check(problem, &without).is_err(), "{}", lines[at]);
            changed += 1;
        }
        assert!(alethe::check(&problem.replace("(assert ", "(assert (not "), proof).is_err());
    }
    assert!(changed > 50, "{changed}");
}

#[test]
fn what_has_no_proofs_is_said() {
    let dir = Dir::new();
    dir.file("lock.pyv", crate::common::binary::broken_lock());
    dir.run(&["verify", "lock.pyv", "--certify", "cert"]).ends_with(1);
    // The obligations that hold have their proofs beside a counterexample.
    let run = dir.run(&["check", "lock.pyv", "cert", "--alethe", "proofs"]).ends_with(0);
    assert!(run.out.contains("proof") && run.out.contains("in `proofs`"), "{}", run.out);
    dir.file("toggle.aag", "aag 1 0 1 1 0\n2 3\n0\n");
    dir.run(&["solve", "toggle.aag", "--certify", "circuit"]).ends_with(20);
    dir.run(&["check", "toggle.aag", "circuit", "--alethe", "circuits"])
        .ends_with(2)
        .complains("certificates of circuits have no form in Alethe");
    assert!(!dir.0.join("circuits").exists());
}

#[test]
fn carcara_accepts_proofs_without_holes() {
    let Ok(carcara) = std::env::var("RAMSEY_CARCARA") else {
        skipped("RAMSEY_CARCARA does not name Carcara");
        return;
    };
    let dir = Dir::new();
    dir.file("odd.pyv", ODD);
    dir.file("ring.pyv", include_str!("../../examples/ring_leader.pyv"));
    for name in ["odd.pyv", "ring.pyv"] {
        for (obligation, problem, proof) in proofs(&dir, &["verify", "--no-strict", "--all"], name) {
            dir.file("p.smt2", problem).file("p.alethe", proof);
            let output = Command::new(&carcara)
                .args(["check", "p.alethe", "p.smt2"])
                .current_dir(&dir.0)
                .output()
                .expect("Carcara runs");
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(
                said.trim(),
                "valid",
                "{name}, {obligation}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}
