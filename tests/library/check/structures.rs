//! Counterexamples: structures that are judged.

use super::{STEPS, WRONG, accepts, certificate, mutants, rejects, run};

fn refuted(lines: &[&str]) -> String {
    certificate("refuted", &[&["s 0"], lines, &["end"]].concat())
}

const GOOD: &[&str] = &["size 0 2", "true 0 0 0", "value 0 0 1"];

#[test]
fn structures_are_judged() {
    let summary = accepts(WRONG, refuted(GOOD));
    assert_eq!((summary.proofs, summary.counterexamples, summary.obligations), (0, 1, 3));
    let more =
        ["end", "s 1", "size 0 3", "true 0 0 2", "end", "s 2", "size 0 1", "true 0 0 0", "value 0 0 0"];
    assert_eq!(accepts(WRONG, refuted(&[GOOD, &more].concat())).counterexamples, 3);
    let cases: &[(&[&str], &str)] = &[
        (&["size 0 2", "value 0 0 1"], "theorem some: a hypothesis is false in the structure"),
        (&["size 0 2", "true 0 0 0"], "theorem some: the goal is true in the structure"),
        (&["size 0 2", "true 0 0 1", "value 0 0 1"], "the goal is true in the structure"),
        (&["size 0 0"], "a sort has 1 to 65536 elements"),
        (&["size 0 65537"], "a sort has 1 to 65536 elements"),
        (&["size 0 4294967296"], "not a number"),
        (&["size 0"], "lacks a word"),
        (&["size 0 2 2"], "more words"),
        (&["size 0 2", "size 0 2"], "not the next sort"),
        (&["size 0 2", "size 1 2"], "not the next sort"),
        (&["size 1 2"], "not the next sort"),
        (&["size node 2"], "not a number"),
        (&["true 0 0 0"], "a value before the sizes"),
        (&["value 0 0 0"], "a value before the sizes"),
        (&[], "a sort without size"),
        (&["size 0 2", "true 0 0 0", "size 0 2"], "not the next sort"),
        (&["size 0 2", "true 0 0 2"], "no such element"),
        (&["size 0 2", "value 0 0 2"], "no such element"),
        (&["size 0 2", "true 0 0 -1"], "not a number"),
        (&["size 0 2", "true 0 0"], "not an element for each argument"),
        (&["size 0 2", "true 0 0 0 1"], "not an element for each argument"),
        (&["size 0 2", "value 0 0"], "not an element for each argument"),
        (&["size 0 2", "value 0 0 0 1"], "not an element for each argument"),
        (&["size 0 2", "true 0 0 0", "true 0 0 0"], "a second value"),
        (&["size 0 2", "value 0 0 0", "value 0 0 1"], "a second value"),
        (&["size 0 2", "true 1 0 0"], "a symbol is not read in this state"),
        (&["size 0 2", "true 0 1 0"], "no such symbol"),
        (&["size 0 2", "value 0 1 0"], "no such symbol"),
        (&["size 0 2", "true 0 p 0"], "not a number"),
        (&["size 0 2", "true 0 0 "], "not a number"),
        (&["size 0 2", "w 0 0 0"], "neither a size nor a value"),
        (&["size 0 2", "true"], "lacks a word"),
        (&["size 0 2", ""], "lacks a word"),
        (&["size 0 2", "s 1"], "neither a size nor a value"),
    ];
    for (lines, reason) in cases {
        rejects(WRONG, refuted(lines), reason);
    }
    rejects(WRONG, refuted(GOOD).replace("refuted", "proved"), "theorem some: the claim has another answer");
    rejects(
        WRONG,
        refuted(&[GOOD, &["end", "s 1", "size 0 1", "true 0 0 0"]].concat()),
        "theorem all: the goal is true",
    );
    rejects(WRONG, refuted(&[GOOD, &["end", "s 0"], GOOD].concat()), "a second answer");
    rejects(WRONG, refuted(GOOD).replace("s 0\n", "structure 0\n"), "unknown kind");
    rejects(WRONG, refuted(GOOD).replace("s 0\n", "s 3\n"), "no such obligation");
    rejects(WRONG, refuted(GOOD).replacen("end\n", "", 1), "ends too early");
    rejects(WRONG, certificate("refuted", &[]), "no obligation has another answer");
    // An obligation with a proof does not refute anything.
    let both = WRONG.replace("[all] forall X. p(X)", "[all] exists X. p(X)");
    rejects(&both, certificate("refuted", &["q 1 0"]), "no obligation has another answer");
    let summary =
        accepts(&both, refuted(&[GOOD, &["end", "q 1 0", "s 2", "size 0 1", "true 0 0 0"]].concat()));
    assert_eq!((summary.proofs, summary.counterexamples), (1, 2));
    // What holds has no counterexample, whatever the structure says.
    let right = WRONG.replace("[some] p(c)", "[some] p(c) | !p(c)");
    for mutant in mutants(&refuted(GOOD)) {
        let about_others = mutant.contains("s 1\n");
        assert!(about_others || run(&right, &mutant).is_err(), "{mutant}");
    }
    // A structure of large sorts is refused while it is evaluated.
    let wide = "sort s\nimmutable relation r(s, s, s)\ntheorem [t] exists X, Y, Z. r(X, Y, Z)\n";
    let small = certificate("refuted", &["s 0", "size 0 7", "end"]);
    accepts(wide, small);
}

#[test]
fn counterexamples_of_transitions_have_two_states() {
    let model = STEPS.replace("m(X) -> new(m(X))", "new(m(X)) -> m(X)");
    let lost = ["size 0 1", "true 1 0 0"];
    let refuted = |lines: &[&str]| certificate("refuted", &[&["s 1"], lines, &["end"]].concat());
    accepts(&model, refuted(&lost));
    rejects(STEPS, refuted(&lost), "step stay held: a hypothesis is false");
    rejects(&model, refuted(&["size 0 1", "true 1 0 0", "true 2 0 0"]), "the goal is true");
    rejects(&model, refuted(&["size 0 1", "true 2 0 0"]), "a hypothesis is false");
    rejects(&model, refuted(&["size 0 2", "true 1 0 0", "value 2 0 1"]), "a hypothesis is false");
    rejects(&model, refuted(&["size 0 1", "true 1 0 0", "true 3 0 0"]), "not read in this state");
    rejects(&model, refuted(&["size 0 1", "true 0 0 0"]), "not read in this state");
}
