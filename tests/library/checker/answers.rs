//! Answers: what a clause says of an obligation, and what a claim needs.

use super::{accepts, certificate, core, read, rejects, run};
use ramsey::checker::{MAX_LINE, check};

const MISSING: &str = "the claim has another answer, or there is none";
const EXPECTED: &str = "no obligation has another answer than it should";
const OTHER: &str = "the clause says something else";

/// The hypotheses `a = b`, not `p(a)` and `q(b)`, and the goal `q(a)`; and once more with a goal that is a hypothesis.
const QUERIES: [&str; 5] = [
    "hypothesis 0 0 E 0 A 0 0 0 A 0 1 0",
    "hypothesis 0 1 ~ R 0 0 1 A 0 0 0",
    "hypothesis 0 2 R 0 1 1 A 0 1 0",
    "query 0 holds one 3 0 1 2 R 0 1 1 A 0 0 0",
    "query 0 open two 3 0 1 2 R 0 1 1 A 0 1 0",
];

/// Formulas 1 to 4: the equation, `p(a)`, `q(b)` and `q(a)`. Clause 1: not 3, 4, not 1.
const STEPS: [&str; 5] = ["i 0 0", "i 0 1", "i 0 2", "i 0 3", "r 3 4 1"];

#[test]
fn clauses_are_of_goals_and_negated_hypotheses() {
    let text = core(&QUERIES);
    let with = |lines: &[&str]| run(&text, "answered", &[&STEPS, lines].concat()).map_err(|it| it.reason);
    let all = |lines: &[&str]| with(&[lines, &["q 1 0"]].concat()).map(|summary| summary.proofs);
    assert_eq!(all(&["q 0 1"]), Ok(2));
    // With a literal for each hypothesis; that of a negated one is positive.
    assert_eq!(all(&["c -1 2 -3 4 0 1", "q 0 2"]), Ok(2));
    for clause in ["c 1 -1 -3 4 0 1", "c -2 -1 -3 4 0 1", "c 3 -1 -3 4 0 1", "c -4 -1 -3 4 0 1"] {
        assert_eq!(with(&[clause, "q 0 2"]), Err(OTHER.into()), "{clause}");
    }
    // A formula that is neither.
    assert_eq!(with(&["d R 0 0 1 A 0 1 0", "c 5 -1 -3 4 0 1", "q 0 2"]), Err(OTHER.into()));
    assert_eq!(with(&["d R 0 0 1 A 0 1 0", "c -5 -1 -3 4 0 1", "q 0 2"]), Err(OTHER.into()));
    // The mirror image of a hypothesis is that hypothesis.
    let mirrored =
        ["d E 0 A 0 1 0 A 0 0 0", "d R 0 1 1 A 0 1 0", "d R 0 1 1 A 0 0 0", "r 2 3 1", "q 0 1", "q 1 0"];
    accepts(&text, "answered", &mirrored);
    // A goal that is a hypothesis needs no clause, and no other one does without.
    assert_eq!(with(&["q 0 0"]), Err("no such clause".into()));
    assert_eq!(with(&["q 0 2"]), Err("no such clause".into()));
    assert_eq!(with(&["q 0 1", "q 1 1"]), Err(OTHER.into()), "`q(a)` is the goal of the first one");
    assert_eq!(with(&["- 1", "q 0 1"]), Err("no such clause".into()));
    assert_eq!(with(&["q 2 1"]), Err("no such obligation".into()));
    assert_eq!(with(&["q 0 1", "q 0 1"]), Err("a second answer to an obligation".into()));
    for line in ["q 0", "q", "q 0 1 1", "q -0 1", "q 0 -1", "qq 0 1", "q  0 1", "q 0 1 ", "s 0 1", "s"] {
        assert!(with(&[line]).is_err(), "{line}");
    }
    // The empty clause shows everything.
    let none = ["hypothesis 0 0 | 0", "query 0 holds x 1 0 R 0 0 1 A 0 0 0"];
    accepts(&core(&none), "answered", &["i 0 0", "o 1", "q 0 1"]);
    // A clause of two hypotheses of which one is the negation of the other.
    let contradiction =
        ["hypothesis 0 0 R 0 0 1 A 0 0 0", "hypothesis 0 1 ~ R 0 0 1 A 0 0 0", "query 0 holds x 2 0 1 | 0"];
    let steps = ["d & 1 R 0 0 1 A 0 0 0", "a 1 0", "A 1", "c 2 -2 0 2 1", "q 0 3"];
    accepts(&core(&contradiction), "answered", &steps);
}

/// A structure that is no model of `q(a)`.
const STRUCTURE: [&str; 5] = ["s 0", "size 0 2", "size 1 1", "true 0 0 0", "end"];

#[test]
fn claims_need_the_answers_that_are_wanted() {
    // The three kinds of a query whose goal holds, and of one whose goal does not.
    let yes = |wanted: &str| core(&[&format!("query 0 {wanted} x 0 & 0")]);
    let no = |wanted: &str| core(&[&format!("query 0 {wanted} x 0 R 0 1 1 A 0 0 0")]);
    let proof = ["i 0 0", "A 1", "q 0 1"];
    let summary = accepts(&yes("holds"), "proved", &proof);
    assert_eq!((summary.proofs, summary.counterexamples, summary.answers), (1, 0, vec![Some(true)]));
    let summary = accepts(&no("fails"), "proved", &STRUCTURE);
    assert_eq!((summary.proofs, summary.counterexamples, summary.answers), (0, 1, vec![Some(false)]));
    for (wanted, by_proof, by_structure) in
        [("holds", true, false), ("fails", false, true), ("open", true, true)]
    {
        for claim in ["proved", "answered", "queries 1 answered"] {
            assert_eq!(run(&yes(wanted), claim, &proof).is_ok(), by_proof, "{wanted} {claim}");
            assert_eq!(run(&no(wanted), claim, &STRUCTURE).is_ok(), by_structure, "{wanted} {claim}");
        }
        assert_eq!(run(&yes(wanted), "refuted", &proof).is_ok(), !by_proof, "{wanted}");
        assert_eq!(run(&no(wanted), "refuted", &STRUCTURE).is_ok(), !by_structure, "{wanted}");
        rejects(&yes(wanted), "proved", &[], MISSING);
        rejects(&yes(wanted), "answered", &proof[..2], MISSING);
        rejects(&yes(wanted), "refuted", &[], EXPECTED);
    }
    rejects(&yes("fails"), "proved", &proof, MISSING);
    rejects(&no("holds"), "proved", &STRUCTURE, MISSING);
    rejects(&yes("holds"), "refuted", &proof, EXPECTED);
    rejects(&yes("open"), "refuted", &proof, EXPECTED);
    // Structures and proofs are no answers of each other's kind.
    rejects(&yes("open"), "answered", &STRUCTURE, "the goal is true in the structure");
    rejects(&no("open"), "answered", &proof, "not a conjunction");
    // Every obligation needs its answer, and a refutation one.
    let two = core(&["query 0 holds x 0 & 0", "query 0 holds y 0 R 0 1 1 A 0 0 0"]);
    rejects(&two, "proved", &proof, MISSING);
    let rejection = run(&two, "proved", &proof).expect_err("one is missing");
    assert_eq!(rejection.to_string(), "line 8: query y: the claim has another answer, or there is none");
    let structure = ["s 1", "size 0 1", "size 1 1", "end"];
    assert_eq!(accepts(&two, "refuted", &structure).answers, [None, Some(false)]);
    assert_eq!(
        accepts(&two, "refuted", &[&structure[..], &proof].concat()).answers,
        [Some(true), Some(false)]
    );
    rejects(&two, "refuted", &proof, EXPECTED);
    rejects(&two, "proved", &[&structure[..], &proof].concat(), MISSING);
    let twice = [&structure[..], &structure].concat();
    rejects(&two, "refuted", &twice, "a second answer to an obligation");
    rejects(&two, "refuted", &[&structure[..], &["i 1 0", "q 1 0"]].concat(), "no such clause");
}

#[test]
fn the_frame_of_a_certificate() {
    let text = core(&["theorem 0 x & 0"]);
    let good = certificate("proved", &["i 0 0", "A 1", "q 0 1"]);
    let reason = |certificate: &[u8]| check(read(&text), certificate).err().map(|it| (it.line, it.reason));
    assert_eq!(reason(good.as_bytes()), None);
    for (from, to, line, expected) in [
        ("ramsey-certificate 2", "ramsey-certificate 1", 1, "the first line is not `ramsey-certificate 2`"),
        ("ramsey-certificate 2", "ramsey-certificate 2 ", 1, "the first line is not `ramsey-certificate 2`"),
        (
            "ramsey-certificate 2",
            "\u{feff}ramsey-certificate 2",
            1,
            "the first line is not `ramsey-certificate 2`",
        ),
        ("source 0\n", "", 2, "the line does not begin with `source`"),
        ("source 0", "source", 2, "the line does not begin with `source`"),
        ("core 0\n", "", 3, "the line does not begin with `core`"),
        ("claim proved\n", "", 4, "the line does not begin with `claim`"),
        ("claim proved", "claim prove", 4, "not a claim"),
        ("claim proved", "claim ", 4, "not a claim"),
        ("claim proved", "claim proved ", 4, "not a claim"),
        ("claim proved", "claim unproved", 4, "not a claim"),
        ("end\n", "", 8, "the text ends too early"),
        ("end\n", "end", 8, "the line has no end, or too many bytes"),
        ("end\n", "end\nend\n", 9, "a line after the end"),
        ("end\n", "end\n\n", 9, "a line after the end"),
        ("end\n", "end \n", 8, "an unknown kind of line"),
        ("end\n", "end\r\n", 8, "an unknown kind of line"),
        ("q 0 1\n", "q 0 1\r\n", 7, "not a number where one is expected"),
        ("q 0 1\n", "q 0 1\n\n", 8, "the line lacks a word"),
    ] {
        assert!(good.contains(from));
        // A missing line is noticed at the next one, and a missing end behind the last one.
        let (found, reason) = reason(good.replacen(from, to, 1).as_bytes()).expect(to);
        assert_eq!(reason, expected, "{from:?} -> {to:?}");
        assert!(found == line || to.is_empty(), "{from:?} -> {to:?}: {found}");
    }
    for length in 0..good.len() {
        assert!(reason(&good.as_bytes()[..length]).is_some(), "cut at {length}");
    }
    let mut bytes = good.clone().into_bytes();
    let last = bytes.len() - 6;
    bytes[last] = 0xff;
    assert_eq!(reason(&bytes), Some((7, "the line is not UTF-8".into())));
    let long = format!("{}\n", "x".repeat(MAX_LINE as usize));
    let (line, what) = reason((good.clone() + &long).as_bytes()).expect("too long");
    assert_eq!((line, what.as_str()), (9, "the line has no end, or too many bytes"));
}
