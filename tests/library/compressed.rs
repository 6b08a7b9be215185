//! Compressed certificates: equivalent to their contents, and harmless if damaged or hostile.

use std::io::{self, BufReader};

use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::FileId;
use ramsey::check::{Rejection, Summary, check, compress, format};
use ramsey::lang::pyv;

const MODEL: &str = "sort node
immutable constant a: node
immutable constant b: node
axiom a = b
theorem [first] a = b
theorem [second] b = a
";

fn run(certificate: impl io::BufRead) -> Result<Summary, Rejection> {
    let system = pyv::load(FileId::new(0), MODEL).0.expect("a model without errors");
    check(&system, MODEL, certificate)
}

fn head() -> String {
    let digest = format::sha256(MODEL);
    format!("{}\nsource {digest}\ncore {digest}\nclaim proved\n", format::HEADER)
}

fn whole() -> String {
    // The goal of the first theorem is its hypothesis, and that of the second one is it from the other side.
    head() + "q 0 0\ni 1 0\ni 1 1\nd & 1 1\na 2 0\nA 2\nc 1 -1 0 2 1\nq 1 3\nend\n"
}

#[track_caller]
fn rejects(certificate: impl io::BufRead, reason: &str) -> Rejection {
    let rejection = run(certificate).expect_err("a certificate that is not right");
    assert!(rejection.to_string().contains(reason), "{rejection}");
    rejection
}

#[test]
fn the_text_counts_and_not_its_form() {
    let text = whole();
    let plain = run(text.as_bytes()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert_eq!((plain.proofs, plain.steps), (2, 8));
    let packed = compress(&text);
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    assert_eq!(packed[4..8], [0; 4], "no time in it");
    assert_eq!(packed, compress(&text));
    assert_eq!(run(packed.as_slice()), Ok(plain.clone()));
    // However little the reader gets at a time.
    assert_eq!(run(BufReader::with_capacity(1, packed.as_slice())), Ok(plain.clone()));
    // Several members are one text.
    let (front, back) = text.split_at(text.len() / 2);
    assert_eq!(run([compress(front), compress(back)].concat().as_slice()), Ok(plain));
    // What is wrong is wrong, at the same line.
    let wrong = text.replace("i 1 1", "i 1 7");
    assert_eq!(run(compress(&wrong).as_slice()), run(wrong.as_bytes()));
    assert!(run(wrong.as_bytes()).is_err());
}

#[test]
fn damaged_files_are_rejected() {
    let text = whole();
    let good = run(text.as_bytes());
    let packed = compress(&text);
    for length in 0..packed.len() {
        let rejection = run(&packed[..length]).expect_err("the end is missing");
        if length >= 2 {
            assert!(rejection.reason.contains("the compressed data end too early"), "{length}: {rejection}");
        }
    }
    let rejection = rejects(
        [packed.as_slice(), b"and more than a header"].concat().as_slice(),
        "the compressed data are damaged",
    );
    assert_eq!(rejection.line, text.lines().count());
    rejects([b"\x1f\x8b".as_slice(), text.as_bytes()].concat().as_slice(), "the compressed data are damaged");

    let mut rng = Rng::new(3);
    let mut rejected = 0;
    for _ in 0..4_000 {
        let mut bytes = packed.clone();
        for _ in 0..=rng.below(2) {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        match run(bytes.as_slice()) {
            // Time and system in the header, for example, tell nothing.
            Ok(summary) => assert_eq!(Ok(summary), good),
            Err(_) => rejected += 1,
        }
    }
    assert!(rejected > 3_000, "{rejected}");
}

#[test]
fn lines_have_a_limit() {
    // There is no end of it.
    let rejection = rejects(BufReader::new(io::repeat(b'a')), "the certificate ends too early");
    assert_eq!(rejection.line, 1);
    let rejection = rejects(
        compress(&(whole() + &"i".repeat(17 << 20))).as_slice(),
        "the line has no end, or too many bytes",
    );
    assert_eq!(rejection.line, whole().lines().count() + 1);
}

/// A small file with a long proof, right so far, in which nothing is ever finished.
#[test]
fn files_that_expand_beyond_measure_are_rejected() {
    let line = format!("c {}-1 0 2 1\n", "1 ".repeat(4 << 20));
    let text = |lines: usize| format!("{}i 1 0\nd & 1 1\na 2 0\nA 2\n{}", head(), line.repeat(lines));
    let few = compress(&text(2));
    let rejection = rejects(few.as_slice(), "the text ends too early");
    assert_eq!(rejection.line, 8 + 2);
    let many = compress(&text(12));
    assert!(many.len() < 1 << 20, "{}", many.len());
    let rejection = rejects(many.as_slice(), "expand to far more than a certificate would");
    assert!((10..8 + 12).contains(&rejection.line), "{rejection}");
}
