//! Deep and large texts. Tests have threads with 2 MiB of stack, and so do these explicitly.

use super::{certificate, core, read, run};
use ramsey::checker::{Core, check};

/// The depth that formulas may have, as `spec/certificate.md` says.
const DEPTH: usize = 2_000;

fn with_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test).expect("a thread");
    thread.join().expect("no overflow");
}

/// Formulas of a depth, by what they are made of, the innermost part last.
fn shapes(depth: usize) -> Vec<String> {
    let innermost = "R 1 2 1 A 1 6 0";
    // The atom and its argument are two levels.
    let towers = ["~ ", "! 0 ", "? 0 ", "& 1 ", "| 1 ", "> & 0 ", "= & 0 ", "& 2 & 0 "];
    let mut all: Vec<String> = towers.iter().map(|level| level.repeat(depth - 2) + innermost).collect();
    all.push("! 0 ".to_owned() + "& 2 R 1 2 1 V 0 ".repeat(depth - 3).as_str() + innermost);
    all.push("R 1 2 1 ".to_owned() + &"A 0 4 1 ".repeat(depth - 2) + "A 1 6 0");
    all
}

#[test]
fn formulas_are_read_up_to_a_depth() {
    with_small_stack(|| {
        for formula in shapes(DEPTH) {
            let text = core(&["transition t & 0", &format!("invariant x {formula}")]);
            // Read, moved to the next state, evaluated, and as part of a proof.
            let system = read(&text);
            for structure in
                [&["s 1", "size 0 1", "size 1 1", "true 1 2 0", "end"][..], &["q 0 0", "i 1 1", "i 1 2"]]
            {
                let _ = check(system.clone(), certificate("refuted", structure).as_bytes());
            }
            let words = format!("d {formula}");
            let rejection = run(&text, "proved", &[&words]).expect_err("nothing is shown");
            assert_ne!(rejection.reason, "a formula is too deep");
        }
        for formula in shapes(DEPTH + 1) {
            let rejection = Core::read(&core(&[&format!("invariant x {formula}")])).expect_err("too deep");
            let is_deep =
                ["a formula is too deep", "a term is too deep"].contains(&rejection.reason.as_str());
            assert!(is_deep, "{rejection}");
            let text = core(&["theorem 1 x & 0"]);
            let rejection = run(&text, "proved", &[&format!("d {formula}")]).expect_err("too deep");
            assert!(rejection.reason.ends_with("is too deep"), "{rejection}");
        }
        // Words that never end.
        for word in ["~", "! 0", "> & 0", "& 1", "= ~ & 0"] {
            let endless = format!("{word} ").repeat(1_000_000);
            let rejection = Core::read(&core(&[&format!("invariant x {endless}")])).expect_err("too deep");
            assert_eq!(rejection.reason, "a formula is too deep");
        }
    });
}

/// Formulas made of others by their numbers may be deeper than what is read at once.
#[test]
fn formulas_grow_by_their_numbers() {
    with_small_stack(|| {
        let text = core(&[]);
        let mut lines = vec!["d & 0".to_owned()];
        // An inner quantifier, so that formulas are open below it.
        lines.extend((1..100_000).map(|at| format!("d ! 0 & 2 {at} R 0 0 1 V 0")));
        lines.extend(["t A 0 0 0".into(), "u 100000 0".into(), "a 100001 0".into(), "a 100001 1".into()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        run(&text, "proved", &lines).unwrap_or_else(|rejection| panic!("{rejection}"));
        // Terms as well, in instances too.
        let mut lines = vec!["t A 0 0 0".to_owned(), "d ! 0 R 0 0 1 A 0 4 1 V 0".into()];
        lines.extend((0..100_000).map(|at| format!("t A 0 4 1 {at}")));
        lines.extend(["u 1 100000".into(), "w 1 1".into()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        run(&text, "proved", &lines).unwrap_or_else(|rejection| panic!("{rejection}"));
    });
}

/// A term with shared parts is exponential as a tree.
#[test]
fn shared_terms_are_not_walked_as_trees() {
    let mut lines = vec!["t A 0 0 0".to_owned()];
    lines.extend((0..200).map(|at| format!("t A 0 5 2 {at} {at}")));
    lines.extend(["d ! 0 E 0 V 0 A 0 5 2 V 0 V 0".into(), "u 1 200".into()]);
    lines.extend(["d E 0 200 200".into(), "x 3".into(), "d & 2 3 3".into()]);
    lines.extend((4..204).map(|at| format!("d & 2 {at} {at}")));
    lines.extend(["a 204 1".into(), "A 204".into()]);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    run(&core(&[]), "proved", &lines).unwrap_or_else(|rejection| panic!("{rejection}"));
}

/// What a line says of the number of its parts costs nothing.
#[test]
fn numbers_of_parts_are_not_believed() {
    let many = 2_147_483_647;
    for line in
        [format!("d & {many}"), format!("d | {many} & 0"), format!("c {many} 0"), format!("w 1 {many}")]
    {
        assert!(run(&core(&[]), "proved", &["d ! 0 & 0", &line]).is_err());
    }
    for line in [
        format!("axiom rigid x & {many}"),
        format!("function 7 x rigid {many} 0"),
        format!("relation 3 x rigid {many} 0"),
        format!("query 0 open x {many} 0"),
        format!("query {many} open x 1 0 & 0"),
        format!("theorem {many} x & 0"),
    ] {
        assert!(Core::read(&core(&[&line])).is_err(), "{line}");
    }
    // States of queries and hypotheses are numbers that are compared.
    let text = core(&[&format!("hypothesis {many} x & 0"), &format!("query {many} open x 1 0 & 0")]);
    let lines = [format!("t A {many} 6 0"), "i 0 1".into(), "A 1".into(), "q 0 0".into()];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    run(&text, "proved", &lines).unwrap_or_else(|rejection| panic!("{rejection}"));
}
