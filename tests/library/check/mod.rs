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

/// Four theorems, one for each part of the calculus.
const MODEL: &str = "sort node
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
theorem [prop] z | !z
theorem [nonempty] (forall X. p(X)) -> (exists X. p(X))
theorem [swap] forall X. exists V. q(X, V)
theorem [cong] f(a) = f(b)
";

const PROP: &[&str] = &["i 3", "a 1 0", "a 1 1", "r 0 1 2 3"];
const NONEMPTY: &[&str] =
    &["i 3", "a 1 0", "a 1 1", "d node", "u 2 0", "u 3 0", "r 4 0 1 2 4", "r 0 1 3 5 6"];
const SWAP: &[&str] = &["i 3", "e 1", "i 2", "e 3", "w 1 0", "w 3 0", "u 2 1", "u 4 0", "r 0 1 2 3 4 5 6"];
const CONG: &[&str] = &["i 3", "i 0", "q -2 1", "r 0 1 2 3"];

const NAMES: [&str; 4] = ["prop", "nonempty", "swap", "cong"];
const PROOFS: [&[&str]; 4] = [PROP, NONEMPTY, SWAP, CONG];

/// A model with a transition and its proof: two states, primes, frame.
const STEPS: &str = "sort node
mutable relation m(node)
mutable constant k: node
init m(k)
transition stay()
  modifies m
  & (forall X. m(X) -> new(m(X)))
invariant [held] m(k)
";

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

fn head(claim: &str) -> String {
    format!("{}\nsource {}\nclaim {claim}\n", format::HEADER, format::sha256(MODEL))
}

fn proof(obligation: &str, lines: &[&str]) -> String {
    let mut text = format!("obligation {obligation}\nproof\n");
    for line in lines {
        text += line;
        text.push('\n');
    }
    text + "end\n"
}

/// Returns a certificate of all four proofs.
fn whole() -> String {
    with(usize::MAX, &[])
}

/// Returns a certificate of all four proofs, one of them replaced.
fn with(replaced: usize, lines: &[&str]) -> String {
    let mut text = head("proved");
    for (index, name) in NAMES.iter().enumerate() {
        let lines = if index == replaced { lines } else { PROOFS[index] };
        text += &proof(&format!("theorem {index} {name}"), lines);
    }
    text
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
    let rejection = run(MODEL, with(theorem, &lines)).expect_err("a line that is not right");
    let before: usize = PROOFS[..theorem].iter().map(|lines| lines.len() + 3).sum();
    assert_eq!(rejection.line, 3 + before + 3 + line, "{rejection}");
    assert_eq!(
        rejection.obligation.as_deref(),
        Some(format!("obligation theorem {theorem} {}", NAMES[theorem]).as_str())
    );
    assert!(rejection.reason.contains(reason), "{rejection}");
}

/// Returns the proof of initiation and of consecution.
fn steps() -> String {
    let init = ["i 0", "i 1", "r 0 1 2"];
    // Hypotheses: the invariant, the transition; then the negated goal `!m'(k')`.
    let step = [
        "i 1",
        "a 1 0",
        "a 1 1",
        "i 0",
        "i 2",
        "t k",
        "t k'",
        "u 2 0",
        "o 6",
        "q -3 -7 5",
        "r 0 1 2 3 4 6 7 8 5",
    ];
    head("proved") + &proof("init 0 held", &init) + &proof("step 0 0 stay held", &step)
}

fn counterexample(obligation: &str, lines: &[&str]) -> String {
    proof(obligation, lines).replacen("proof", "counterexample", 1)
}

/// Returns the certificate with one line dropped, duplicated or exchanged with the next, or one field changed.
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
        let fields: Vec<&str> = lines[at].split(' ').collect();
        for field in 0..fields.len() {
            let number: Option<i64> = fields[field].parse().ok();
            let others = number
                .map_or_else(Vec::new, |n| vec![(n - 1).to_string(), (n + 1).to_string(), (-n).to_string()]);
            let kinds = ["t", "w", "d", "i", "a", "o", "u", "e", "q", "r"].map(str::to_owned);
            for new in
                others.into_iter().chain(kinds.into_iter().filter(|_| field == 0)).chain([String::new()])
            {
                let mut fields: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
                if new.is_empty() {
                    fields.remove(field);
                } else {
                    fields[field] = new;
                }
                let mut changed = owned.clone();
                changed[at] = fields.join(" ");
                found.push(text(&changed));
            }
        }
    }
    found
}
