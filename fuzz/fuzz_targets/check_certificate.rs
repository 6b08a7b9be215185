//! Any bytes as a certificate: the checker never panics, and never accepts one of a model whose claims are false. Any bytes as a
//! closed form: reading it never panics.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::check::check;
use ramsey::check::format::{CORE, HEADER, SOURCE, sha256};
use ramsey::checker::Core;
use ramsey::lang::pyv;
use ramsey::system::System;

/// The first theorem holds, the other two do not. The safety property holds at first and not after a step. There is an
/// execution of the traces' shape.
const MODEL: &str = "sort s
sort t
immutable constant a: s
immutable constant b: s
immutable function f(s): s
immutable relation p(s)
immutable relation q(s, t)
mutable relation m(s)
axiom a = b
axiom exists V. forall X. q(X, V)
axiom forall X. p(X) -> p(f(X))
theorem [right] f(a) = f(b) & (forall X. exists V. q(X, V)) & ((forall X. p(X)) -> (exists X. p(X)))
theorem [wrong] forall X. p(X)
theorem [other] exists X. f(X) = X
init !m(X)
transition grow(x: s)
  modifies m
  forall X. new(m(X)) <-> m(X) | X = x
safety [none] !m(X)
unsat trace { grow }
sat trace { grow }
";

/// Claims that can be made of the model, and whether they are true.
const CLAIMS: [(&str, bool); 12] = [
    ("proved", false),
    ("refuted", true),
    ("theorem proved", false),
    ("theorem refuted", true),
    ("bmc 0 invariant:0 proved", true),
    ("bmc 0 invariant:0 refuted", false),
    ("bmc 1 invariant:0 proved", false),
    ("bmc 1 invariant:0 refuted", true),
    ("trace 0 proved", false),
    ("trace 0 refuted", true),
    ("trace 1 proved", true),
    ("trace 1 refuted", false),
];

/// The beginning of a closed form.
const VOCABULARY: &str = "ramsey-core 1\nsort 0 s\nfunction 0 a rigid 0 0\nfunction 1 f mutable 1 0 0\n\
    relation 0 p rigid 1 0\nrelation 1 m mutable 2 0 0\n";

static SYSTEM: LazyLock<System> = LazyLock::new(|| pyv::load(FileId::new(0), MODEL).0.expect("a model"));

/// The header of a gzip member without a name; the rest is deflated data.
const GZIP: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Structures with large sorts are accepted or not after a long time.
fn is_slow(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines().any(|line| line.starts_with("size ") && line.len() > "size 0 99".len())
}

fuzz_target!(|bytes: &[u8]| {
    if is_slow(bytes) {
        return;
    }
    // Any text, anything as compressed text, and any text after a good beginning.
    let _ = check(&*SYSTEM, MODEL, bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Core::read(text);
        let _ = Core::read(&format!("{VOCABULARY}{text}"));
    }
    let _ = check(&*SYSTEM, MODEL, [GZIP, bytes].concat().as_slice());
    for (claim, is_true) in CLAIMS {
        let digest = sha256(MODEL);
        let mut text = format!("{HEADER}\n{SOURCE}{digest}\n{CORE}{digest}\nclaim {claim}\n").into_bytes();
        text.extend(bytes);
        match check(&*SYSTEM, MODEL, text.as_slice()) {
            Ok(summary) => assert!(is_true, "{claim}: {summary}"),
            Err(rejection) => assert!(bytes.is_empty() || rejection.line > 4, "{claim}: {rejection}"),
        }
    }
});
