//! The checker of closed forms, driven by texts: what it accepts and, mostly, what it must refuse.

mod answers;
mod core;
mod limits;
mod mutants;
mod steps;
mod structures;

use ramsey::checker::{Core, Rejection, Summary, check};

/// Sorts `t` and `u`. Functions: constants 0 to 2 (`a`, `b`, `c`) of `t`, 3 (`d`) of `u`, `f` (4) on `t`, `g` (5) of two terms, and
/// a mutable constant `k` (6). Relations on `t`: `p` (0), `q` (1), a mutable `m` (2).
const VOCABULARY: &str = "ramsey-core 1
sort 0 t
sort 1 u
function 0 a rigid 0 0
function 1 b rigid 0 0
function 2 c rigid 0 0
function 3 d rigid 0 1
function 4 f rigid 1 0 0
function 5 g rigid 2 0 0 0
function 6 k mutable 0 0
relation 0 p rigid 1 0
relation 1 q rigid 1 0
relation 2 m mutable 1 0
";

/// Returns the text of a closed form: the vocabulary with these lines.
fn core(lines: &[&str]) -> String {
    VOCABULARY.to_owned() + &text(lines) + "digest 0\n"
}

fn text(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The number of lines before those of a proof.
const HEAD: usize = 4;

fn certificate(claim: &str, lines: &[&str]) -> String {
    format!("ramsey-certificate 2\nsource 0\ncore 0\nclaim {claim}\n{}end\n", text(lines))
}

fn read(core: &str) -> Core {
    Core::read(core).unwrap_or_else(|rejection| panic!("{rejection}\n{core}"))
}

fn run(core: &str, claim: &str, lines: &[&str]) -> Result<Summary, Rejection> {
    check(read(core), certificate(claim, lines).as_bytes())
}

#[track_caller]
fn accepts(core: &str, claim: &str, lines: &[&str]) -> Summary {
    run(core, claim, lines).unwrap_or_else(|rejection| panic!("{rejection}: {lines:?}"))
}

#[track_caller]
fn rejects(core: &str, claim: &str, lines: &[&str], reason: &str) {
    let rejection = run(core, claim, lines).expect_err(&format!("{lines:?} is not right"));
    assert_eq!(rejection.reason, reason, "{lines:?}: {rejection}");
}
