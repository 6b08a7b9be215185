//! Kernel: certificates that it accepts and, mostly, certificates that it must reject.

mod certificates;
mod limits;
mod normal;
mod rules;
mod structures;

use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::check::{Rejection, Summary, check, format};
use ramsey::lang::pyv;

/// Axioms, which are hypotheses 0 to 2 of each theorem.
const AXIOMS: &str = "sort node
sort val
immutable constant a: node
immutable constant b: node
immutable constant c: node
immutable function f(node): node
immutable relation p(node)
immutable relation q(node, val)
immutable relation z()
axiom [same] a = b
axiom [closed] forall X. p(X) -> p(f(X))
axiom [common] exists V. forall X. q(X, V)
";

/// Four theorems, one for each part of the calculus.
const THEOREMS: [&str; 4] = [
    "theorem [prop] z | !z\n",
    "theorem [nonempty] (forall X. p(X)) -> (exists X. p(X))\n",
    "theorem [swap] forall X. exists V. q(X, V)\n",
    "theorem [cong] f(a) = f(b)\n",
];

const NAMES: [&str; 4] = ["prop", "nonempty", "swap", "cong"];

/// Proofs of the theorems, each of a model without the others.
const PROOFS: [&[&str]; 4] = [
    &["i 0 3", "O 1 0", "O 1 1", "c 1 0 1 2", "q 0 3"],
    &["i 0 3", "p 1 1", "p 1 2", "t A 0 0 0", "u 2 0", "u 3 0", "c 1 0 1 2 3 4", "q 0 5"],
    &["i 0 3", "w 1 1", "i 0 2", "w 3 1", "u 4 0", "u 2 1", "c 1 -3 0 1 2 3 4", "q 0 5"],
    &["i 0 3", "i 0 0", "f 1 2", "q 0 1"],
];

/// Proofs of all theorems, with one list of terms, formulas and clauses.
const ALL: [&[&str]; 4] = [
    PROOFS[0],
    &["i 1 3", "p 3 1", "p 3 2", "t A 0 0 0", "u 4 0", "u 5 0", "c 3 0 4 5 6 7", "q 1 8"],
    &["i 2 3", "w 7 1", "i 0 2", "w 9 1", "u 10 1", "u 8 2", "c 7 -9 0 9 10 11 12", "q 2 13"],
    &["i 3 3", "i 0 0", "f 12 13", "q 3 14"],
];

/// A model with a transition: two states and a frame condition.
const STEPS: &str = "sort node
mutable relation m(node)
mutable constant k: node
init m(k)
transition stay()
  modifies m
  & (forall X. m(X) -> new(m(X)))
invariant [held] m(k)
";

/// That the invariant holds initially is what is assumed. For the step: the transition, its parts, the instance for `k`, and
/// the relation in the next state for the constant in both.
const STEPS_PROOF: &[&str] = &[
    "q 0 0",
    "i 1 1",
    "a 1 0",
    "a 1 1",
    "t A 1 0 0",
    "u 2 0",
    "p 4 0",
    "i 1 2",
    "r 6 7 3",
    "c -1 -5 7 0 1 2 3 4 5",
    "q 1 6",
];

/// Three theorems that do not hold.
const WRONG: &str = "sort node
immutable relation p(node)
immutable constant c: node
axiom exists X. p(X)
theorem [some] p(c)
theorem [all] forall X. p(X)
theorem [two] exists X: node, Y: node. X != Y
";

fn run(model: &str, certificate: impl AsRef<[u8]>) -> Result<Summary, Rejection> {
    let (system, diagnostics) = pyv::load(FileId::new(0), model);
    let system = system.unwrap_or_else(|| panic!("a model without errors: {diagnostics:?}"));
    check(&system, model, certificate.as_ref())
}

/// Returns the model with all theorems.
fn model() -> String {
    AXIOMS.to_owned() + &THEOREMS.concat()
}

/// Returns the model with one theorem.
fn model_of(theorem: usize) -> String {
    AXIOMS.to_owned() + THEOREMS[theorem]
}

/// Returns the first four lines. The digest of the closed form is any.
fn head(claim: &str) -> String {
    let digest = format::sha256(model());
    format!("{}\n{}{digest}\n{}{digest}\nclaim {claim}\n", format::HEADER, format::SOURCE, format::CORE)
}

fn text(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn certificate(claim: &str, lines: &[&str]) -> String {
    head(claim) + &text(lines) + "end\n"
}

/// Returns the certificate of the model with all theorems.
fn whole() -> String {
    certificate("proved", &ALL.concat())
}

#[track_caller]
fn accepts(model: &str, certificate: impl AsRef<[u8]>) -> Summary {
    run(model, certificate).unwrap_or_else(|rejection| panic!("{rejection}"))
}

#[track_caller]
fn rejects(model: &str, certificate: impl AsRef<[u8]>, reason: &str) {
    let rejection = run(model, certificate).expect_err("a certificate that is not right");
    assert!(rejection.to_string().contains(reason), "{rejection}");
}

/// Asserts that the proof of one theorem with a line replaced is rejected at that line.
#[track_caller]
fn rejects_line(theorem: usize, line: usize, by: &str, reason: &str) {
    let mut lines = PROOFS[theorem].to_vec();
    lines[line] = by;
    let rejection =
        run(&model_of(theorem), certificate("proved", &lines)).expect_err("a line that is not right");
    assert_eq!(rejection.line, 5 + line, "{rejection}");
    assert!(rejection.reason.contains(reason), "{rejection}");
}

/// Returns the certificate with one line dropped, duplicated or exchanged with another, or one word changed.
fn mutants(certificate: &str) -> Vec<String> {
    let lines: Vec<&str> = certificate.lines().collect();
    let text = |lines: &[String]| lines.iter().fold(String::new(), |text, line| text + line + "\n");
    let mut found = Vec::new();
    for at in 0..lines.len() {
        let owned: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let mut dropped = owned.clone();
        dropped.remove(at);
        let mut doubled = owned.clone();
        doubled.insert(at, owned[at].clone());
        found.extend([text(&dropped), text(&doubled)]);
        for other in at + 1..lines.len() {
            let mut swapped = owned.clone();
            swapped.swap(at, other);
            found.push(text(&swapped));
        }
        let words: Vec<&str> = lines[at].split(' ').collect();
        for word in 0..words.len() {
            let number: Option<i64> = words[word].parse().ok();
            let others = number
                .map_or_else(Vec::new, |n| vec![(n - 1).to_string(), (n + 1).to_string(), (-n).to_string()]);
            let kinds = "tdiaAoOpeuwxyfrc-qs".chars().map(String::from);
            for new in others.into_iter().chain(kinds.filter(|_| word == 0)).chain([String::new()]) {
                let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
                if new.is_empty() {
                    words.remove(word);
                } else {
                    words[word] = new;
                }
                let mut changed = owned.clone();
                changed[at] = words.join(" ");
                found.push(text(&changed));
            }
        }
    }
    found
}
