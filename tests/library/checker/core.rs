//! Closed forms as text: their lines, and the obligations that they make.

use super::{VOCABULARY, accepts, core, rejects};
use ramsey::checker::Core;

/// A closed form with a line of each kind that a model has.
const MODEL: [&str; 9] = [
    "axiom rigid same E 0 A 0 0 0 A 0 1 0",
    "axiom state held R 1 2 1 A 1 6 0",
    "init start R 1 2 1 A 0 0 0",
    "transition stay ! 0 = R 2 2 1 V 0 R 1 2 1 V 0",
    "transition move & 0",
    "invariant one R 1 2 1 A 1 6 0",
    "assertion never R 1 2 1 A 1 6 0",
    "theorem 1 late & 0",
    "initial 1 early & 0",
];

/// Hypotheses and queries.
const QUERIES: [&str; 3] = [
    "hypothesis 0 0 E 0 A 0 0 0 A 0 1 0",
    "hypothesis 1 1 R 1 2 1 A 1 6 0",
    "query 2 open both 2 1 0 R 2 2 1 A 2 6 0",
];

/// Asserts that a text is refused at this line.
#[track_caller]
fn refuses(text: &str, line: usize, reason: &str) {
    let rejection = Core::read(text).expect_err(&format!("not right:\n{text}"));
    assert_eq!((rejection.line, rejection.reason.as_str()), (line, reason), "{text}");
}

/// Asserts that this line, behind the vocabulary, is refused.
#[track_caller]
fn refuses_line(line: &str, reason: &str) {
    refuses(&core(&[line]), VOCABULARY.lines().count() + 1, reason);
}

#[test]
fn obligations_are_numbered() {
    let labels = |lines: &[&str]| -> Vec<String> {
        Core::read(&core(lines)).expect("right").labels().map(str::to_owned).collect()
    };
    assert_eq!(
        labels(&MODEL),
        ["init one", "step stay one", "step move one", "assertion never", "theorem late", "initial early"]
    );
    assert_eq!(labels(&QUERIES), ["query both"]);
    assert!(labels(&[]).is_empty());
}

/// What is assumed is exactly what the table of obligations says, in this order: each hypothesis is at its place, and is the
/// formula that is expected there.
#[test]
fn obligations_have_the_hypotheses_of_the_table() {
    let same = "E 0 A 0 0 0 A 0 1 0";
    let [held, later] = [1, 2].map(|state| format!("R {state} 2 1 A {state} 6 0"));
    let start = "R 1 2 1 A 0 0 0";
    let stay = "! 0 = R 2 2 1 V 0 R 1 2 1 V 0";
    let expected: [&[&str]; 6] = [
        &[same, &held, start, &held],
        &[same, &held, &later, &held, stay, &later],
        &[same, &held, &later, &held, "& 0", &later],
        &[same, &held, &held, &held],
        &[same, &held, "& 0"],
        &[same, "& 0"],
    ];
    let text = core(&MODEL);
    for (obligation, formulas) in expected.iter().enumerate() {
        for (at, formula) in formulas.iter().enumerate() {
            // Both are formula 1, so there is no formula 2.
            let [input, words] = [format!("i {obligation} {at}"), format!("d {formula}")];
            rejects(&text, "proved", &[&input, &words, "d 2"], "no such formula");
        }
        rejects(&text, "proved", &[&format!("i {obligation} {}", formulas.len())], "no such hypothesis");
    }
    rejects(&text, "proved", &["i 6 0"], "no such obligation");
    let text = core(&QUERIES);
    for (at, formula) in [held.as_str(), same, &later].into_iter().enumerate() {
        rejects(
            &text,
            "answered",
            &[&format!("i 0 {at}"), &format!("d {formula}"), "d 2"],
            "no such formula",
        );
    }
    rejects(&text, "answered", &["i 0 3"], "no such hypothesis");
    // Axioms of states are assumed of each state of a theorem, and rigid ones alone where there is none.
    for (states, count) in [(0, 1), (1, 2), (2, 3)] {
        let text = core(&[MODEL[0], MODEL[1], &format!("theorem {states} x & 0")]);
        rejects(&text, "proved", &[&format!("i 0 {}", count + 1)], "no such hypothesis");
        rejects(&text, "proved", &[&format!("i 0 {count}"), "A 1", "d 2"], "no such formula");
    }
    let text = core(&[MODEL[0], MODEL[1], "theorem 2 x & 0"]);
    rejects(&text, "proved", &["i 0 2", &format!("d {later}"), "d 2"], "no such formula");
    // Terms of constants of both kinds, and formulas below binders, are read in the other state as well.
    let text = core(&["transition t & 0", "invariant x ? 0 & 2 R 1 2 1 V 0 E 0 A 1 6 0 A 0 4 1 A 0 0 0"]);
    let moved = "d ? 0 & 2 R 2 2 1 V 0 E 0 A 2 6 0 A 0 4 1 A 0 0 0";
    rejects(&text, "proved", &["i 1 2", moved, "d 2"], "no such formula");
}

#[test]
fn the_frame_of_a_closed_form() {
    let good = core(&MODEL);
    Core::read(&good).expect("right");
    let count = good.lines().count();
    refuses("", 1, "the text ends without a digest");
    refuses("ramsey-core 1\n", 1, "the text ends without a digest");
    refuses("ramsey-core 1", 1, "the last line has no end");
    for first in
        ["ramsey-core 2", "ramsey-core 10", " ramsey-core 1", "ramsey-core 1 ", "\u{feff}ramsey-core 1", ""]
    {
        refuses(&good.replacen("ramsey-core 1", first, 1), 1, "the first line is not `ramsey-core 1`");
    }
    refuses(&good.replace("digest 0\n", ""), count - 1, "the text ends without a digest");
    refuses(&good.replace("digest 0\n", "digest\n"), count, "the text ends without a digest");
    refuses(good.trim_end(), count, "the last line has no end");
    refuses(&format!("{good}digest 0\n"), count + 1, "the line is not at its place");
    refuses(&format!("{good}theorem 0 x & 0\n"), count + 1, "the line is not at its place");
    refuses(&format!("{good}\n"), count + 1, "an unknown kind of line");
    refuses(&good.replace('\n', "\r\n"), 1, "the first line is not `ramsey-core 1`");
    for length in 0..good.len() {
        if good.is_char_boundary(length) {
            assert!(Core::read(&good[..length]).is_err(), "cut at {length}");
        }
    }
    for line in
        ["", " axiom rigid x & 0", "axioms rigid x & 0", "Axiom rigid x & 0", "lemma 0 x & 0", "t A 0 0 0"]
    {
        refuses_line(line, "an unknown kind of line");
    }
}

#[test]
fn lines_have_an_order() {
    let all: Vec<&str> = MODEL.into_iter().chain(QUERIES).collect();
    for (at, line) in all.iter().enumerate() {
        for other in &all[at + 1..] {
            let word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
            let (first, second) = (word(line), word(other));
            let read = Core::read(&core(&[other, line]));
            let is_free = first == second && *other != "axiom state held R 1 2 1 A 1 6 0"
                || first == "theorem" && second == "initial";
            if is_free
                || read.as_ref().is_err_and(|rejection| rejection.reason.starts_with("no such hypothesis"))
            {
                continue;
            }
            let reason = read.expect_err(&format!("{other} before {line}")).reason;
            let expected = if first == second {
                "neither `rigid` nor `state`, or not at its place"
            } else {
                "the line is not at its place"
            };
            assert_eq!(reason, expected, "{other} before {line}");
        }
    }
    for line in ["sort 2 v", "function 7 x rigid 0 0", "relation 3 x rigid 0"] {
        let reason = Core::read(&core(&["axiom rigid x & 0", line])).expect_err("too late").reason;
        assert_eq!(reason, "the line is not at its place");
    }
}

#[test]
fn declarations() {
    let with = |line: &str| Core::read(&format!("ramsey-core 1\nsort 0 t\n{line}\ndigest 0\n"));
    for line in
        ["sort 1 t", "function 0 f rigid 2 0 0 0", "function 0 f mutable 0 0", "relation 0 r mutable 3 0 0 0"]
    {
        with(line).unwrap_or_else(|rejection| panic!("{rejection}: {line}"));
    }
    for (line, reason) in [
        ("sort 0 t", "not the next number"),
        ("sort 2 t", "not the next number"),
        ("sort 01 t", "not a number where one is expected"),
        ("sort t", "not a number where one is expected"),
        ("sort 1", "the line lacks a word"),
        ("sort 1 ", "the line lacks a word"),
        ("sort 1 t t", "the line has more words"),
        ("sort 1 t ", "the line has more words"),
        ("function 1 f rigid 0 0", "not the next number"),
        ("function 0 f rigid 0", "not a sort for each argument"),
        ("function 0 f rigid 0 0 0", "not a sort for each argument"),
        ("function 0 f rigid 1 0", "not a sort for each argument"),
        ("function 0 f rigid 0 1", "no such sort"),
        ("function 0 f rigid 1 1 0", "no such sort"),
        ("function 0 f rigid 1 0 x", "not a number where one is expected"),
        ("function 0 f rigid 1 0 0 ", "not a number where one is expected"),
        ("function 0 f rigid -1 0", "not a number where one is expected"),
        ("function 0 f rigid 4294967296 0", "not a number where one is expected"),
        ("function 0 f fixed 0 0", "neither `rigid` nor `mutable`"),
        ("function 0 f rigid", "the line lacks a word"),
        ("function 0", "the line lacks a word"),
        ("relation 1 r rigid 0", "not the next number"),
        ("relation 0 r rigid 0 0", "not a sort for each argument"),
        ("relation 0 r rigid 1", "not a sort for each argument"),
        ("relation 0 r rigid 1 1", "no such sort"),
        ("relation 0 r state 1 0", "neither `rigid` nor `mutable`"),
    ] {
        assert_eq!(with(line).expect_err(line).reason, reason, "{line}");
    }
}

#[test]
fn claims_and_hypotheses() {
    for (line, reason) in [
        ("axiom x & 0", "neither `rigid` nor `state`, or not at its place"),
        ("axiom rigid & 0", "no such formula"),
        ("axiom rigid x", "the line lacks a word"),
        ("axiom rigid x & 0 & 0", "the line has more words"),
        ("axiom rigid x R 1 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("axiom state x R 0 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("axiom state x R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("axiom state x R 1 0 1 A 0 0 0", "a symbol is not read in this state"),
        ("init x R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("init x R 1 2 1 A 2 6 0", "a symbol is not read in this state"),
        ("transition x R 3 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("invariant x R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("assertion x R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("theorem 0 x R 1 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("theorem 1 x R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("theorem 2 x R 3 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("theorem 3 x & 0", "a theorem is about 0 to 2 states"),
        ("theorem 2147483647 x & 0", "a theorem is about 0 to 2 states"),
        ("initial 0 x & 0", "an initial formula is about 1 state"),
        ("initial 2 x & 0", "an initial formula is about 1 state"),
        ("theorem x & 0", "not a number where one is expected"),
        ("theorem -1 x & 0", "not a number where one is expected"),
        ("initial 1 x R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("hypothesis 0 0 R 1 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("query 1 holds x 0 R 2 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("query 1 holds x 1 0 & 0", "no such hypothesis about so many states"),
        ("query 1 holds x 1 & 0", "not a number where one is expected"),
        ("query 1 holds x 2147483647 & 0", "not a number where one is expected"),
        ("query 1 proved x 0 & 0", "neither `holds` nor `fails` nor `open`"),
        ("query holds x 0 & 0", "not a number where one is expected"),
        ("query 1 holds x 0", "the line lacks a word"),
        ("invariant x V 0", "not a formula"),
        ("invariant x ! 0 R 0 0 1 V 1", "a variable that nothing binds"),
        ("invariant x R 0 0 1 V 0", "a variable that nothing binds"),
        ("invariant x ! 1 R 0 0 1 V 0", "a term of another sort"),
        ("invariant x ! 2 & 0", "no such sort"),
        ("invariant x R 0 0 1 A 0 3 0", "a term of another sort"),
        ("invariant x E 1 A 0 0 0 A 0 0 0", "a term of another sort"),
        ("invariant x R 0 9 1 A 0 0 0", "no such symbol"),
        ("invariant x E 0 A 0 9 0 A 0 0 0", "no such symbol"),
        ("invariant x R 0 0 0", "a symbol with another number of arguments"),
        // Numbers of terms and formulas are for certificates.
        ("invariant x 1", "no such formula"),
        ("invariant x R 0 0 1 0", "no such term"),
        ("invariant x T", "not a formula"),
    ] {
        refuses_line(line, reason);
    }
    let before = core(&["hypothesis 0 0 & 0", "query 0 holds x 1 1 & 0"]);
    assert_eq!(
        Core::read(&before).expect_err("one hypothesis").reason,
        "no such hypothesis about so many states"
    );
    let further = core(&["hypothesis 2 0 & 0", "query 1 holds x 1 0 & 0"]);
    let reason = Core::read(&further).expect_err("a further state").reason;
    assert_eq!(reason, "no such hypothesis about so many states");
}

/// A text has queries, or it has the lines of a model.
#[test]
fn queries_stand_alone() {
    for line in &MODEL {
        let rejection = Core::read(&core(&[line, QUERIES[0]])).expect_err("a hypothesis in a model");
        assert_eq!(rejection.reason, "the line is not at its place", "{line}");
        let rejection = Core::read(&core(&[line, "query 0 holds x 0 & 0"])).expect_err("a query in a model");
        assert_eq!(rejection.reason, "the line is not at its place", "{line}");
    }
}

/// The digest is a name.
#[test]
fn digests_are_compared_and_decide_nothing() {
    let text = core(&["theorem 0 x & 0"]);
    let lines = ["i 0 0", "A 1", "q 0 1"];
    assert!(accepts(&text, "proved", &lines).is_made_for);
    assert!(!accepts(&text.replace("digest 0", "digest 1"), "proved", &lines).is_made_for);
}
