//! Structures that refute: what a structure is, and what it has to satisfy.

use super::{accepts, core, rejects};

/// Two states: in the first one `m(k)` is true, and in the second one it is claimed.
const STEP: [&str; 2] = ["transition t & 0", "invariant x R 1 2 1 A 1 6 0"];

fn step() -> String {
    core(&STEP)
}

/// A structure for obligation 1, the step.
fn with(lines: &[&'static str]) -> Vec<&'static str> {
    [&["s 1", "size 0 2", "size 1 1"], lines, &["end"]].concat()
}

#[test]
fn a_structure_satisfies_the_hypotheses_and_not_the_goal() {
    let text = step();
    accepts(&text, "refuted", &with(&["true 1 2 0"]));
    accepts(&text, "refuted", &with(&["true 1 2 0", "true 2 2 1"]));
    accepts(&text, "refuted", &with(&["true 1 2 1", "value 1 6 1", "true 2 2 1", "value 0 4 0 1"]));
    accepts(&text, "refuted", &with(&["true 1 2 0", "true 2 2 0", "value 2 6 1", "value 0 5 1 0 1"]));
    rejects(&text, "refuted", &with(&[]), "a hypothesis is false in the structure");
    rejects(&text, "refuted", &with(&["true 2 2 1"]), "a hypothesis is false in the structure");
    rejects(
        &text,
        "refuted",
        &with(&["true 1 2 0", "value 1 6 1"]),
        "a hypothesis is false in the structure",
    );
    rejects(&text, "refuted", &with(&["true 1 2 0", "true 2 2 0"]), "the goal is true in the structure");
    let last = with(&["true 1 2 0", "value 2 6 1", "true 2 2 1"]);
    rejects(&text, "refuted", &last, "the goal is true in the structure");
    // Of the first obligation the same structure says something else.
    let mut first = with(&["true 1 2 0"]);
    first[0] = "s 0";
    rejects(&text, "refuted", &first, "the goal is true in the structure");
}

#[test]
fn structures_are_read_strictly() {
    let text = step();
    for (line, reason) in [
        ("true 1 2 2", "no such element"),
        ("true 1 2", "not an element for each argument"),
        ("true 1 2 0 0", "not an element for each argument"),
        ("true 0 2 0", "a symbol is not read in this state"),
        ("true 3 2 0", "a symbol is not read in this state"),
        ("true 1 0 0", "a symbol is not read in this state"),
        ("true 0 3 0", "no such symbol"),
        ("true 0 0 x", "not a number where one is expected"),
        ("true 0 0 00", "not a number where one is expected"),
        ("true 0 0 0 ", "not a number where one is expected"),
        ("true", "the line lacks a word"),
        ("true 1", "the line lacks a word"),
        ("value 0 0", "not an element for each argument"),
        ("value 0 0 0 0", "not an element for each argument"),
        ("value 0 0 2", "no such element"),
        ("value 0 3 1", "no such element"),
        ("value 0 4 2 0", "no such element"),
        ("value 0 4 0 2", "no such element"),
        ("value 0 5 0 0", "not an element for each argument"),
        ("value 0 6 0", "a symbol is not read in this state"),
        ("value 3 6 0", "a symbol is not read in this state"),
        ("value 1 0 0", "a symbol is not read in this state"),
        ("value 0 7 0", "no such symbol"),
        ("size 2 1", "not the next sort"),
        ("size 1 1", "not the next sort"),
        ("false 0 0 0", "neither a size nor a value"),
        ("t A 0 0 0", "neither a size nor a value"),
        ("s 0", "neither a size nor a value"),
        ("", "the line lacks a word"),
    ] {
        rejects(&text, "refuted", &with(&["true 1 2 0", line]), reason);
    }
    for (line, again) in
        [("true 0 0 0", "true 0 0 0"), ("value 0 4 0 1", "value 0 4 0 0"), ("value 0 0 0", "value 0 0 0")]
    {
        rejects(&text, "refuted", &with(&["true 1 2 0", line, again]), "a second value");
    }
    // For another argument, in another state and of another symbol it is another value.
    accepts(&text, "refuted", &with(&["true 1 2 0", "true 1 2 1", "true 2 2 1", "true 0 0 0", "true 0 1 0"]));
    for (lines, reason) in [
        (&["s 1", "end"][..], "a sort without size"),
        (&["s 1", "size 0 1", "end"], "a sort without size"),
        (&["s 1", "size 1 1", "size 0 1", "end"], "not the next sort"),
        (&["s 1", "size 0 0", "size 1 1", "end"], "a sort has 1 to 65536 elements"),
        (&["s 1", "size 0 65537", "size 1 1", "end"], "a sort has 1 to 65536 elements"),
        (&["s 1", "size 0", "size 1 1", "end"], "the line lacks a word"),
        (&["s 1", "size 0 1 1", "size 1 1", "end"], "the line has more words"),
        (&["s 1", "size 0 1", "true 0 0 0", "size 1 1", "end"], "a value before the sizes of all sorts"),
        (&["s 1", "true 0 0 0", "end"], "a value before the sizes of all sorts"),
        (&["s 2", "size 0 1", "end"], "no such obligation"),
        (&["s 1", "size 0 1", "size 1 1", "true 1 2 0"], "a sort without size"),
    ] {
        if lines.last() == Some(&"end") {
            rejects(&text, "refuted", lines, reason);
        } else {
            // The `end` of the certificate is that of the structure.
            rejects(&text, "refuted", lines, "the text ends too early");
        }
    }
    accepts(&text, "refuted", &["s 1", "size 0 65536", "size 1 65536", "true 1 2 0", "end"]);
}

/// Each connective and quantifier by a formula that is true, and false otherwise.
#[test]
fn formulas_are_evaluated() {
    // Two elements in `t`: `p` is true of 1, `q` of none, `a` is 0, `b` and `c` are 1, `f` exchanges both.
    let structure = [
        "s 0",
        "size 0 2",
        "size 1 3",
        "true 0 0 1",
        "value 0 1 1",
        "value 0 2 1",
        "value 0 4 0 1",
        "value 0 5 0 1 1",
        "end",
    ];
    let (yes, no) = ("R 0 0 1 A 0 1 0", "R 0 0 1 A 0 0 0");
    let formulas = [
        (yes.to_owned(), true),
        (no.into(), false),
        (format!("~ {yes}"), false),
        (format!("~ {no}"), true),
        ("& 0".into(), true),
        ("| 0".into(), false),
        (format!("& 2 {yes} {yes}"), true),
        (format!("& 2 {yes} {no}"), false),
        (format!("& 2 {no} {yes}"), false),
        (format!("| 2 {no} {no}"), false),
        (format!("| 2 {no} {yes}"), true),
        (format!("| 2 {yes} {no}"), true),
        (format!("> {yes} {no}"), false),
        (format!("> {no} {no}"), true),
        (format!("> {no} {yes}"), true),
        (format!("> {yes} {yes}"), true),
        (format!("= {yes} {no}"), false),
        (format!("= {no} {yes}"), false),
        (format!("= {no} {no}"), true),
        (format!("= {yes} {yes}"), true),
        ("E 0 A 0 1 0 A 0 2 0".into(), true),
        ("E 0 A 0 0 0 A 0 2 0".into(), false),
        ("E 0 A 0 4 1 A 0 0 0 A 0 1 0".into(), true),
        ("E 0 A 0 4 1 A 0 1 0 A 0 0 0".into(), true),
        ("E 0 A 0 5 2 A 0 0 0 A 0 1 0 A 0 1 0".into(), true),
        ("E 0 A 0 5 2 A 0 1 0 A 0 0 0 A 0 1 0".into(), false),
        ("! 0 R 0 0 1 V 0".into(), false),
        ("? 0 R 0 0 1 V 0".into(), true),
        ("? 0 R 0 1 1 V 0".into(), false),
        ("! 0 ~ R 0 1 1 V 0".into(), true),
        ("! 0 ? 0 ~ E 0 V 0 V 1".into(), true),
        ("? 0 ! 0 E 0 V 0 V 1".into(), false),
        ("! 0 ! 0 > R 0 0 1 V 1 E 0 A 0 1 0 V 1".into(), true),
        ("! 0 ! 0 > R 0 0 1 V 1 E 0 A 0 1 0 V 0".into(), false),
        ("? 1 ? 1 ? 1 & 3 ~ E 1 V 0 V 1 ~ E 1 V 1 V 2 ~ E 1 V 0 V 2".into(), true),
        ("? 0 ? 0 ? 0 & 3 ~ E 0 V 0 V 1 ~ E 0 V 1 V 2 ~ E 0 V 0 V 2".into(), false),
        ("? 0 & 2 R 0 0 1 V 0 ? 1 ? 0 ~ R 0 0 1 V 0".into(), true),
    ];
    for (formula, value) in formulas {
        let as_goal = core(&[&format!("theorem 0 x {formula}")]);
        let as_hypothesis = core(&[&format!("axiom rigid x {formula}"), "theorem 0 x | 0"]);
        if value {
            rejects(&as_goal, "refuted", &structure, "the goal is true in the structure");
            accepts(&as_hypothesis, "refuted", &structure);
        } else {
            accepts(&as_goal, "refuted", &structure);
            rejects(&as_hypothesis, "refuted", &structure, "a hypothesis is false in the structure");
        }
    }
}
