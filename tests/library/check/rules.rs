//! The rules of the calculus: steps that are accepted, and steps that are not.

use super::{MODEL, NAMES, PROOFS, PROP, STEPS, head, proof, rejects, rejects_line, run, steps, whole, with};

#[test]
fn proofs_of_every_kind_are_accepted() {
    let summary = run(MODEL, whole()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert_eq!((summary.proofs, summary.counterexamples, summary.obligations), (4, 0, 4));
    assert_eq!(summary.steps, PROOFS.iter().map(|lines| lines.len()).sum::<usize>());
    assert!(summary.same_source);
    // The order of obligations is free, and so is the layout of the source.
    let backwards: String =
        (0..4).rev().map(|i| proof(&format!("theorem {i} {}", NAMES[i]), PROOFS[i])).collect();
    assert!(run(MODEL, head("proved") + &backwards).is_ok());
    let summary =
        run(&format!("# a comment\n{MODEL}"), whole()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert!(!summary.same_source, "the digest is for information");
}

#[test]
fn transitions_are_about_two_states() {
    let accepted = run(STEPS, steps());
    assert!(accepted.is_ok(), "{}", accepted.unwrap_err());
    rejects(STEPS, steps().replace("t k'\n", "t k''\n"), "too many primes");
    rejects(STEPS, steps().replace("stay held", "go held"), "not an obligation");
    rejects(STEPS, steps().replace("step 0 0", "step 0 1"), "not an obligation");
    // A constant that may change is not the same in both states.
    let forgetful = STEPS.replace("modifies m\n", "modifies m, k\n  & new(k) = new(k)\n");
    rejects(&forgetful, steps(), "not a conjunction");
    // Only declared symbols that do not change go without a prime.
    rejects(&STEPS.replace("mutable constant", "immutable constant"), steps(), "not a conjunction");
}

#[test]
fn terms_are_sorted_and_of_declared_symbols() {
    let pad = |line: &'static str| {
        let mut lines = vec!["t a", "d val", "t f 0"];
        lines.push(line);
        lines.extend(PROP);
        with(0, &lines)
    };
    assert!(run(MODEL, pad("t f 2")).is_ok());
    for (line, reason) in [
        ("t f", "0 term(s) where 1 belong"),
        ("t f 0 0", "2 term(s) where 1 belong"),
        ("t f 1", "another sort"),
        ("t f 3", "no term 3 yet"),
        ("t f 4294967295", "no term"),
        ("t f 4294967296", "not a number"),
        ("t f 99999999999999999999999", "not a number"),
        ("t f -1", "not a number"),
        ("t f +1", "not a number"),
        ("t f 01", "not a number"),
        ("t f  0", "not a number"),
        ("t f 0 ", "not a number"),
        ("t p 0", "is a relation"),
        ("t z", "is a relation"),
        ("t a'", "too many primes"),
        ("t unknown", "no symbol"),
        ("t witness", "no symbol"),
        ("t", "fewer fields"),
        ("t ", "no symbol"),
        ("d nothing", "no sort"),
        ("d bool", "no sort"),
        ("d", "fewer fields"),
        ("d val val", "more fields"),
        ("w 1 0", "no formula 1 yet"),
    ] {
        rejects(MODEL, pad(line), reason);
    }
}

#[test]
fn inputs_conjunctions_and_disjunctions() {
    rejects_line(0, 0, "i 4", "fewer inputs");
    rejects_line(0, 0, "i 4294967295", "fewer inputs");
    rejects_line(0, 1, "a 1 2", "fewer children");
    rejects_line(0, 1, "a 2 0", "no formula 2 yet");
    rejects_line(0, 1, "a 0 0", "no formula 0 yet");
    rejects_line(0, 1, "a -1 0", "not a number");
    rejects_line(0, 1, "a 1", "fewer fields");
    rejects_line(0, 2, "a 2 0", "not a conjunction");
    rejects_line(0, 1, "o 1", "not a disjunction");
    rejects_line(0, 2, "o 2", "not a disjunction");
    // The other rules look at the kind of their formula as well.
    rejects_line(0, 1, "u 1", "not universal");
    rejects_line(0, 1, "e 1", "not existential");
    rejects_line(0, 1, "w 1 0", "not existential");
    // An instance of the axiom is a disjunction.
    let or = |line: &'static str| {
        let mut lines = vec!["i 1", "t a", "u 1 0", line];
        lines.extend(["i 3", "a 5 0", "a 5 1", "r 0 4 5 6"]);
        with(0, &lines)
    };
    let accepted = run(MODEL, or("o 2"));
    assert!(accepted.is_ok(), "{}", accepted.unwrap_err());
    rejects(MODEL, or("o 1"), "not a disjunction");
    rejects(MODEL, or("o 3"), "no formula 3 yet");
    rejects(MODEL, or("a 2 0"), "not a conjunction");
    // A disjunction without children is `false`.
    let trivial = "sort s\ntheorem [t] true\ntheorem [f] true\n";
    let lines = ["i 0", "o 1", "r 0 1 2"];
    let good = head("proved") + &proof("theorem 0 t", &lines) + &proof("theorem 1 f", &lines);
    assert!(run(trivial, &good).is_ok());
    rejects(&trivial.replace("[f] true", "[f] false"), &good, "not a disjunction");
}

#[test]
fn quantifiers() {
    // 4: `u 2 0`, 5: `u 3 0` of the theorem `nonempty`.
    rejects_line(1, 4, "u 2", "0 term(s) where 1 belong");
    rejects_line(1, 4, "u 2 0 0", "2 term(s) where 1 belong");
    rejects_line(1, 4, "u 2 1", "no term 1 yet");
    rejects_line(1, 4, "u 1 0", "not universal");
    rejects_line(1, 4, "u 9 0", "no formula 9 yet");
    rejects_line(1, 4, "w 2 0", "not existential");
    rejects_line(1, 4, "e 2", "not existential");
    // 1: `e 1`, 4: `w 1 0` and 6: `u 2 1` of `swap`.
    rejects_line(2, 1, "e 2", "no formula 2 yet");
    rejects_line(2, 1, "u 1", "not universal");
    rejects_line(2, 4, "w 1 1", "fewer variables");
    rejects_line(2, 4, "w 2 0", "not existential");
    rejects_line(2, 4, "w 1 -1", "not a number");
    rejects_line(2, 6, "u 2 0", "another sort");
    rejects_line(2, 7, "u 4 1", "another sort");
    // A witness of another formula of the same kind does not help.
    let wrong = "sort s\nimmutable relation p(s)\nimmutable relation q(s)\naxiom exists X. p(X)\n\
                 axiom exists X. q(X)\ntheorem [both] exists X. p(X) & q(X)\n";
    let lines = ["i 0", "e 1", "i 1", "e 3", "i 2", "w 1 0", "w 3 0", "u 5 0", "o 6", "r 0 1 2 3 4 5 6 7"];
    rejects(wrong, head("proved") + &proof("theorem 0 both", &lines), "not falsified");
}

#[test]
fn lemmas_of_equality() {
    let model = "sort s\nimmutable constant a: s\nimmutable constant b: s\nimmutable constant c: s
immutable function f(s): s\nimmutable function g(s, s): s\nimmutable relation p(s)\nimmutable relation q(s)
axiom forall X, Y. X = Y | p(X) | q(X) | f(X) = Y | g(X, Y) = X | f(f(f(X))) = Y | f(f(f(f(f(X))))) = Y
theorem [t] a = a\n";
    // Formulas 3, 4, .. are the disjuncts for the first pair of terms, and so on.
    let pairs = [(0, 0), (0, 1), (1, 2), (0, 2), (1, 0)];
    let mut prefix =
        vec!["i 1".to_owned(), "o 1".into(), "t a".into(), "t b".into(), "t c".into(), "i 0".into()];
    prefix.extend(pairs.iter().map(|(x, y)| format!("u 2 {x} {y}")));
    // The numbers of the atoms are found by a reader that has been told the order of the disjuncts.
    let mut atoms: Vec<String> = Vec::new();
    for (index, (x, y)) in pairs.iter().enumerate() {
        prefix.push(format!("o {}", 3 + index));
        let (x, y) = (["a", "b", "c"][*x], ["a", "b", "c"][*y]);
        for atom in [
            format!("{x}={y}"),
            format!("p({x})"),
            format!("q({x})"),
            format!("f{x}={y}"),
            format!("g{x}{y}={x}"),
            format!("fff{x}={y}"),
            format!("fffff{x}={y}"),
        ] {
            // `b = a` is `a = b`.
            if atom != "b=a" && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    }
    let number = |name: &str| {
        let (sign, name) = name.strip_prefix('!').map_or(("", name), |name| ("-", name));
        let index = atoms.iter().position(|atom| atom == name).unwrap_or_else(|| panic!("{name}"));
        format!("{sign}{}", index + 3 + pairs.len())
    };
    let certificate = |lemma: &str| {
        let mut lines = prefix.clone();
        let literals: Vec<String> = lemma.split_whitespace().map(number).collect();
        lines.push(["q"].into_iter().map(str::to_owned).chain(literals).collect::<Vec<_>>().join(" "));
        lines.push("r 0 1 2".into());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        head("proved") + &proof("theorem 0 t", &lines)
    };
    let valid = [
        "a=a",
        "!a=b !b=c a=c",
        "!a=b p(b) !p(a)",
        "!a=b !p(b) p(a)",
        "p(a) !p(a)",
        "!fffa=a !fffffa=a fa=a",
        "!a=b !b=c !fa=a fa=c",
        "!a=c !gac=a gaa=a",
        "!a=b !gab=a gba=b",
    ];
    for lemma in valid {
        let accepted = run(model, certificate(lemma));
        assert!(accepted.is_ok(), "{lemma}: {}", accepted.unwrap_err());
    }
    let invalid = [
        "",
        "a=b",
        "!a=a",
        "!a=b",
        "!a=b !b=c",
        "!a=b !b=c !a=c",
        "!a=b b=c",
        "!a=b p(a)",
        "!a=b p(b) p(a)",
        "!a=b p(b) !q(a)",
        "p(a) p(b)",
        "!fffa=a fa=a",
        "!fffffa=a fa=a",
        "!a=c !gac=a gba=b",
        "!gab=a gba=b",
        "!fa=b !fb=a fa=a",
    ];
    for lemma in invalid {
        rejects(model, certificate(lemma), "does not follow");
    }
    rejects_line(3, 2, "q -2 3", "no formula 3 yet");
    rejects_line(3, 2, "q 0", "not a literal");
    rejects_line(3, 2, "q --2 1", "not a number");
    rejects_line(3, 2, "q -2147483648", "not a literal");
    rejects_line(3, 2, "q 2 1", "does not follow");
    let compound = ["i 3", "q 1 -1", "a 1 0", "a 1 1", "r 0 1 3 4"];
    rejects(MODEL, with(0, &compound), "about atoms only");
}

#[test]
fn derived_clauses_are_strict_about_hints() {
    // Clauses of `prop`: 1: {1}, 2: {-1, -2}, 3: {-1, 2}.
    for (line, reason) in [
        ("r 0", "without hints"),
        ("r", "without hints"),
        ("r 0 2 1 3", "not unit"),
        ("r 0 1 2", "not falsified"),
        ("r 0 1", "not falsified"),
        ("r 0 1 1 2 3", "satisfied"),
        ("r 0 1 2 3 3", "falsified before the last"),
        ("r 0 1 2 4", "no clause 4 yet"),
        ("r 0 0 1 2 3", "no clause 0 yet"),
        ("r 0 1 2 4294967295", "no clause"),
        ("r 0 1 2 -3", "not a number"),
        ("r 3 0 1 2 3", "no formula 3 yet"),
        ("r 2 -2 0 1 2 3", "its negation"),
        ("r 2 0 2 1 3", "satisfied"),
        ("r 1 2", "without hints"),
    ] {
        rejects_line(0, 3, line, reason);
    }
    let longer = ["i 3", "a 1 0", "a 1 1", "r 2 0 1 3", "r -2 -2 0 1 2", "r 0 4 5"];
    assert!(run(MODEL, with(0, &longer)).is_ok());
    // A clause cannot be its own hint, nor a later one's.
    rejects(MODEL, with(0, &["i 3", "a 1 0", "a 1 1", "r 0 4"]), "no clause 4 yet");
    rejects(MODEL, with(0, &longer[..5]), "without the empty clause");
    rejects(MODEL, with(0, &["i 3", "a 1 0", "a 1 1", "r 0 1 2 3", "i 0"]), "after the empty clause");
    rejects(MODEL, with(0, &["i 3", "a 1 0", "a 1 1", "r 0 1 2 3", "r 0 1 2 3"]), "after the empty clause");
    rejects(MODEL, with(0, &[]), "without the empty clause");
}
