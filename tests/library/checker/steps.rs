//! The lines of proofs, one kind after the other: each makes what `spec/certificate.md` says, and is refused where a condition
//! does not hold.

use super::{HEAD, core, run};

/// A closed form without claims whose formulas are about no states.
fn plain() -> String {
    core(&[])
}

/// Returns why lines are not accepted.
fn reason(core: &str, lines: &[&str]) -> Option<String> {
    run(core, "proved", lines).err().map(|rejection| rejection.reason)
}

/// Asserts that the last of these lines is refused.
#[track_caller]
fn refuses(before: &[&str], line: &str, expected: &str) {
    let lines = [before, &[line]].concat();
    let rejection = run(&plain(), "proved", &lines).expect_err(&format!("{line} is not right"));
    assert_eq!((rejection.reason.as_str(), rejection.line), (expected, HEAD + lines.len()), "{line}");
}

/// Asserts that a line, which makes the first clause, makes this one: it follows from it, and without one of its literals, or with
/// one negated, it does not.
#[track_caller]
fn makes(before: &[&str], line: &str, clause: &str) {
    let follows = |clause: &[String]| {
        let derived = format!("c {} 0 1", clause.join(" ")).replace("  ", " ");
        reason(&plain(), &[before, &[line, &derived]].concat())
    };
    let literals: Vec<String> = clause.split_whitespace().map(str::to_owned).collect();
    assert_eq!(follows(&literals), None, "{line} makes {clause}");
    for at in 0..literals.len() {
        let mut fewer = literals.clone();
        let literal = fewer.remove(at);
        assert!(follows(&fewer).is_some(), "{line} makes less than {clause}");
        fewer.push(literal.strip_prefix('-').map_or_else(|| format!("-{literal}"), str::to_owned));
        assert!(follows(&fewer).is_some(), "{line} makes less than {clause}");
    }
}

const P: &str = "R 0 0 1 A 0 0 0";
const Q: &str = "R 0 1 1 A 0 0 0";

/// Formulas 1 and 2: `p(a)` and `q(a)`. Formula 3 is made of both; 4 is made of `p(a)` and the negation of `q(a)`.
fn over_two(connective: &str) -> [String; 4] {
    [format!("d {P}"), format!("d {Q}"), format!("d {connective} 1 2"), format!("d {connective} 1 ~ 2")]
}

#[track_caller]
fn with_two(connective: &str, steps: &[(&str, &str)], wrong: &[(&str, &str)]) {
    let lines = over_two(connective);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for (step, clause) in steps {
        makes(&lines, step, clause);
    }
    for (step, reason) in wrong {
        refuses(&lines, step, reason);
    }
}

#[test]
fn terms_have_the_next_numbers() {
    let lines = ["t A 0 0 0", "t A 0 4 1 0", "t A 0 5 2 1 A 0 1 0"];
    makes(&[&lines[..], &["d E 0 2 A 0 5 2 A 0 4 1 A 0 0 0 A 0 1 0"]].concat(), "x 1", "1");
    // A term that has a number gets another one.
    makes(&["t A 0 0 0", "t A 0 0 0", "d E 0 0 1"], "x 1", "1");
    for (line, reason) in [
        ("t", "the line lacks a word"),
        ("t ", "the line lacks a word"),
        ("t  A 0 0 0", "the line lacks a word"),
        ("t A 0 0 0 ", "the line has more words"),
        ("t A 0 0 0 0", "the line has more words"),
        ("t 3", "no such term"),
        ("t -1", "not a term"),
        ("t 01", "not a term"),
        ("t 2147483648", "not a term"),
        ("t x", "not a term"),
        ("t K 0 1", "not a term"),
        ("t R 0 0 1 0", "not a term"),
        ("t V 0", "a variable that nothing binds"),
        ("t A 0 9 0", "no such symbol"),
        ("t A 1 0 0", "a symbol is not read in this state"),
        ("t A 0 6 0", "a symbol is not read in this state"),
        ("t A 1 6 0", "a symbol is not read in this state"),
        ("t A 0 4 0", "a symbol with another number of arguments"),
        ("t A 0 4 2 0 0", "a symbol with another number of arguments"),
        ("t A 0 4 1 A 0 3 0", "a term of another sort"),
        ("t A 0 5 2 0 A 0 3 0", "a term of another sort"),
        ("t A 0 4 1", "the line lacks a word"),
        ("tt A 0 0 0", "an unknown kind of line"),
    ] {
        refuses(&lines, line, reason);
    }
}

#[test]
fn formulas_are_closed_and_well_sorted() {
    // A formula that has a number keeps it, negated or not; so does the mirror image of an equation.
    let lines =
        ["d E 0 A 0 0 0 A 0 1 0", "d ~ E 0 A 0 0 0 A 0 1 0", "d E 0 A 0 1 0 A 0 0 0", "d ~ ~ 1", "d 1"];
    makes(&[&lines[..], &["d & 2 1 ~ 1"]].concat(), "a 2 1", "-2 -1");
    makes(&["d ! 0 ? 1 E 0 V 1 V 1", "d & 1 1"], "a 2 0", "-2 1");
    // Formulas are the same if their words are.
    makes(&["d ! 0 R 0 0 1 V 0", "d ! 0 R 0 0 1 V 0", "d ! 1 & 0", "d & 1 2"], "a 3 0", "-3 2");
    for (line, reason) in [
        ("d", "the line lacks a word"),
        ("d 0", "no such formula"),
        ("d 2", "no such formula"),
        ("d -1", "not a formula"),
        ("d ~", "the line lacks a word"),
        ("d & 2 1", "the line lacks a word"),
        ("d & 1 1 1", "the line has more words"),
        ("d | -1", "not a number where one is expected"),
        ("d > 1", "the line lacks a word"),
        ("d = 1", "the line lacks a word"),
        ("d ! 2 1", "no such sort"),
        ("d ? 2 1", "no such sort"),
        ("d ! 1 R 0 0 1 V 0", "a term of another sort"),
        ("d ! 0 R 0 0 1 V 1", "a variable that nothing binds"),
        ("d & 2 ! 0 1 R 0 0 1 V 0", "a variable that nothing binds"),
        ("d ! 0 ! 1 R 0 0 1 V 0", "a term of another sort"),
        ("d ! 1 ! 0 R 0 0 1 V 1", "a term of another sort"),
        ("d E 1 A 0 0 0 A 0 0 0", "a term of another sort"),
        ("d E 0 A 0 0 0 A 0 3 0", "a term of another sort"),
        ("d E 2 A 0 0 0 A 0 0 0", "a term of another sort"),
        ("d R 0 0 1 A 0 3 0", "a term of another sort"),
        ("d R 0 0 1 0", "no such term"),
        ("d R 0 0 0", "a symbol with another number of arguments"),
        ("d R 0 0 2 A 0 0 0 A 0 0 0", "a symbol with another number of arguments"),
        ("d R 0 3 1 A 0 0 0", "no such symbol"),
        ("d R 1 0 1 A 0 0 0", "a symbol is not read in this state"),
        ("d R 0 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("d R 1 2 1 A 0 0 0", "a symbol is not read in this state"),
        ("d A 0 0 0", "not a formula"),
        ("d V 0", "not a formula"),
        ("d T", "not a formula"),
        ("d &", "the line lacks a word"),
    ] {
        refuses(&["d & 0"], line, reason);
    }
}

/// A closed form about two states: what is read in them, and not before and behind them.
#[test]
fn symbols_are_read_in_the_states_of_the_obligations() {
    let core = core(&["theorem 2 x & 0"]);
    let missing = Some("the claim has another answer, or there is none".to_owned());
    for line in ["d R 1 2 1 A 1 6 0", "d R 2 2 1 A 1 6 0", "d R 2 2 1 A 2 6 0", "t A 2 6 0"] {
        assert_eq!(reason(&core, &[line]), missing, "{line}");
    }
    for line in ["d R 3 2 1 A 1 6 0", "d R 1 2 1 A 3 6 0", "d R 0 2 1 A 1 6 0", "t A 0 6 0", "t A 1 0 0"] {
        assert_eq!(reason(&core, &[line]).as_deref(), Some("a symbol is not read in this state"), "{line}");
    }
}

#[test]
fn hypotheses_and_goals_are_named_by_their_places() {
    let core = core(&["axiom rigid x & 0", "axiom rigid y R 0 0 1 A 0 0 0", "theorem 0 z | 0"]);
    // Formulas 1 to 3 are the axioms and the goal.
    let lines = ["i 0 0", "i 0 1", "i 0 2", "A 1", "o 3"];
    let missing = "the claim has another answer, or there is none";
    assert_eq!(reason(&core, &lines).as_deref(), Some(missing));
    for (line, expected) in [
        ("i 0 3", "no such hypothesis"),
        ("i 1 0", "no such obligation"),
        ("i 0", "the line lacks a word"),
        ("i 0 0 0", "the line has more words"),
        ("i 0 -1", "not a number where one is expected"),
        ("i 00 1", "not a number where one is expected"),
        ("i 0 +1", "not a number where one is expected"),
    ] {
        assert_eq!(reason(&core, &[line]).as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn conjunctions() {
    with_two(
        "& 2",
        &[("a 3 0", "-3 1"), ("a 3 1", "-3 2"), ("a 4 1", "-4 -2"), ("A 3", "3 -1 -2"), ("A 4", "4 -1 2")],
        &[
            ("a 3 2", "the conjunction has fewer parts"),
            ("a 1 0", "not a conjunction"),
            ("a 0 0", "no such formula"),
            ("a 5 0", "no such formula"),
            ("a -3 0", "not a number where one is expected"),
            ("a 3", "the line lacks a word"),
            ("a 3 0 1", "the line has more words"),
            ("A 1", "not a conjunction"),
            ("A 5", "no such formula"),
            ("A", "the line lacks a word"),
            ("A 3 0", "the line has more words"),
            ("o 3", "not a disjunction"),
            ("O 3 0", "not a disjunction"),
        ],
    );
    makes(&["d & 0"], "A 1", "1");
}

#[test]
fn disjunctions() {
    with_two(
        "| 2",
        &[("o 3", "-3 1 2"), ("o 4", "-4 1 -2"), ("O 3 0", "3 -1"), ("O 3 1", "3 -2"), ("O 4 1", "4 2")],
        &[
            ("O 3 2", "the disjunction has fewer parts"),
            ("O 1 0", "not a disjunction"),
            ("O 5 0", "no such formula"),
            ("O 3", "the line lacks a word"),
            ("O 3 0 1", "the line has more words"),
            ("o 1", "not a disjunction"),
            ("o 5", "no such formula"),
            ("o 3 0", "the line has more words"),
            ("a 3 0", "not a conjunction"),
            ("A 3", "not a conjunction"),
        ],
    );
    makes(&["d | 0"], "o 1", "-1");
}

#[test]
fn implications_and_equivalences() {
    with_two(
        ">",
        &[("p 3 0", "-3 -1 2"), ("p 3 1", "3 1"), ("p 3 2", "3 -2"), ("p 4 0", "-4 -1 -2"), ("p 4 2", "4 2")],
        &[
            ("p 3 3", "an implication has clauses 0 to 2"),
            ("p 1 0", "not an implication"),
            ("p 5 0", "no such formula"),
            ("p 3", "the line lacks a word"),
            ("p 3 0 0", "the line has more words"),
            ("e 3 0", "not an equivalence"),
        ],
    );
    with_two(
        "=",
        &[
            ("e 3 0", "-3 -1 2"),
            ("e 3 1", "-3 1 -2"),
            ("e 3 2", "3 1 2"),
            ("e 3 3", "3 -1 -2"),
            ("e 4 0", "-4 -1 -2"),
            ("e 4 2", "4 1 -2"),
        ],
        &[
            ("e 3 4", "an equivalence has clauses 0 to 3"),
            ("e 1 0", "not an equivalence"),
            ("e 5 0", "no such formula"),
            ("e 3", "the line lacks a word"),
            ("e 3 0 0", "the line has more words"),
            ("p 3 0", "not an implication"),
        ],
    );
}

/// Parts get their numbers from the left, whichever clause is made.
#[test]
fn formulas_get_their_numbers_from_the_left() {
    let parts = format!("{P} {Q}");
    let words = format!("d & 3 {parts} 1");
    for (line, connective) in [("A 1", "& 2"), ("o 1", "| 2"), ("p 1 2", ">"), ("e 1 3", "=")] {
        let formula = format!("d {connective} {parts}");
        // The last line but one has the words of the one before it, if 2 and 3 are the parts, and makes no formula 5.
        let lines = [formula.as_str(), line, &words, "d & 3 2 3 1", "d 5"];
        assert_eq!(reason(&plain(), &lines).as_deref(), Some("no such formula"), "{line}");
    }
    // A single part gets the next number.
    makes(&[&format!("d & 2 {parts}")], "a 1 1", "-1 2");
    makes(&[&format!("d | 2 {parts}")], "O 1 1", "1 -2");
}

#[test]
fn universal_formulas_have_instances() {
    // `forall X, Y: t, Z: u. p(X) & q(Y)`, and the same with an inner `exists`.
    let both = "& 2 R 0 0 1 V 2 R 0 1 1 V 1";
    let lines = [
        "t A 0 0 0",
        "t A 0 1 0",
        "t A 0 3 0",
        &format!("d ! 0 ! 0 ! 1 {both}"),
        &format!("d ! 0 ! 0 ? 1 {both}"),
        "d & 2 R 0 0 1 0 R 0 1 1 1",
        "d & 2 R 0 0 1 1 R 0 1 1 0",
    ];
    // The first term is that of the outer variable.
    makes(&lines, "u 1 0 1 2", "-1 3");
    makes(&lines, "u 1 1 0 2", "-1 4");
    makes(&[&lines[..], &["d ! 0 ! 1 & 2 R 0 0 1 0 R 0 1 1 V 1"]].concat(), "u 1 0", "-1 5");
    makes(&[&lines[..], &["d ? 1 & 2 R 0 0 1 0 R 0 1 1 1"]].concat(), "u 2 0 1", "-2 5");
    for (line, reason) in [
        ("u 1", "a step about no variables"),
        ("u 1 2", "a term of another sort"),
        ("u 1 0 2", "a term of another sort"),
        ("u 1 0 1 1", "a term of another sort"),
        ("u 1 0 1 3", "no such term"),
        ("u 1 0 1 2 2", "the formula has fewer variables"),
        ("u 2 0 1 2", "the formula has fewer variables"),
        ("u 3 0", "the formula has fewer variables"),
        ("u 5 0", "no such formula"),
        ("u 0 0", "no such formula"),
        ("u 1 -0", "not a number where one is expected"),
        ("u", "the line lacks a word"),
        ("u 1 ", "not a number where one is expected"),
    ] {
        refuses(&lines, line, reason);
    }
    // A negation is the literal of what it negates.
    makes(&["t A 0 0 0", "d ! 0 ~ R 0 0 1 V 0", "d R 0 0 1 0"], "u 1 0", "-1 -2");
}

#[test]
fn existential_formulas_have_instances() {
    let lines = ["t A 0 0 0", "t A 0 3 0", "d ? 0 ? 1 R 0 0 1 V 1", "d R 0 0 1 0", "d ? 0 ! 1 R 0 0 1 V 1"];
    makes(&lines, "u 1 0 1", "1 -2");
    makes(&[&lines[..], &["d ? 1 R 0 0 1 0"]].concat(), "u 1 0", "1 -4");
    refuses(&lines, "u 3 0 1", "the formula has fewer variables");
    refuses(&lines, "u 1 1 0", "a term of another sort");
}

/// `forall X. exists Y. X = Y` has the instance `exists Y. a = Y`, and not `exists Y. Y = Y`.
#[test]
fn variables_of_inner_binders_stay() {
    let before =
        ["t A 0 0 0", "d ! 0 ? 0 E 0 V 1 V 0", "d ? 0 E 0 0 V 0", "d ? 0 E 0 V 0 V 0", "d ? 0 E 0 0 0"];
    makes(&before, "u 1 0", "-1 2");
    // In an instance for the outer variable, the inner one is bound as before.
    let nested =
        ["t A 0 0 0", "d ! 0 ! 0 ? 0 & 2 E 0 V 2 V 1 E 0 V 1 V 0", "d ! 0 ? 0 & 2 E 0 0 V 1 E 0 V 1 V 0"];
    makes(&nested, "u 1 0", "-1 2");
    // A term with a quantifier beside it: both places of the variable are replaced, at their depths.
    let two = ["t A 0 0 0", "d ! 0 | 2 R 0 0 1 V 0 ? 1 R 0 0 1 V 1", "d | 2 R 0 0 1 0 ? 1 R 0 0 1 0"];
    makes(&two, "u 1 0", "-1 2");
}

#[test]
fn witnesses_are_new_constants() {
    let lines =
        ["t A 0 0 0", "d ? 0 ? 1 R 0 0 1 V 1", "d ! 0 R 0 1 1 V 0", "d ? 0 ! 0 E 0 V 1 V 0", "d R 0 0 1 0"];
    for (line, reason) in [
        ("w 1 0", "a step about no variables"),
        ("w 1 3", "the formula has fewer variables"),
        ("w 3 2", "the formula has fewer variables"),
        ("w 4 1", "the formula has fewer variables"),
        ("w 5 1", "no such formula"),
        ("w 0 1", "no such formula"),
        ("w 1", "the line lacks a word"),
        ("w 1 1 1", "the line has more words"),
        ("w 1 2147483647", "the formula has fewer variables"),
        ("w 1 -1", "not a number where one is expected"),
    ] {
        refuses(&lines, line, reason);
    }
    // Of an existential formula, and of a universal one. The constants are terms 1 and 2.
    makes(&lines, "w 1 2", "-1 5");
    makes(&lines, "w 1 1", "-1 5");
    makes(&lines, "w 2 1", "2 -5");
    makes(&lines, "w 3 1", "-3 5");
    let with = |rest: &[&str]| reason(&plain(), &[&lines, rest].concat());
    assert_eq!(with(&["w 1 2", "d R 0 0 1 1", "c -1 5 0 1", "u 2 1", "d E 1 2 2", "x 7"]), None);
    assert_eq!(with(&["w 1 2", "u 2 2"]).as_deref(), Some("a term of another sort"), "each has its own sort");
    assert_eq!(with(&["u 2 1", "w 1 2"]).as_deref(), Some("no such term"), "before it is made");
    // The instance for a witness is not that for `a`, nor for another witness of the same formula.
    let wrong = Some("the hints lead to no contradiction".to_owned());
    assert_eq!(with(&["w 1 2", "c -1 4 0 1"]), wrong);
    assert_eq!(with(&["w 2 1", "w 2 1", "c 2 -5 0 1", "c 2 -6 0 2"]), None);
    assert_eq!(with(&["w 2 1", "w 2 1", "c 2 -6 0 1"]), wrong);
    assert_eq!(
        with(&["w 2 1", "w 2 1", "d E 0 1 2", "x 7"]).as_deref(),
        Some("not an equation of a term with itself")
    );
    // What is false of some element: not all elements.
    assert_eq!(with(&["w 2 1", "u 2 1", "c 2 0 1"]), wrong);
}

/// Terms 0 to 7: `a`, `b`, `c`, `f(a)`, `f(b)`, `g(a, b)`, `g(b, a)`, `d`. Formulas by the names in the second list, from 1.
const EQUALITY: [&str; 8] = [
    "t A 0 0 0",
    "t A 0 1 0",
    "t A 0 2 0",
    "t A 0 4 1 0",
    "t A 0 4 1 1",
    "t A 0 5 2 0 1",
    "t A 0 5 2 1 0",
    "t A 0 3 0",
];

const EQUATIONS: [(&str, &str); 14] = [
    ("a=a", "E 0 0 0"),
    ("a=b", "E 0 0 1"),
    ("b=c", "E 0 1 2"),
    ("a=c", "E 0 0 2"),
    ("fa=fb", "E 0 3 4"),
    ("fa=b", "E 0 3 1"),
    ("gab=gba", "E 0 5 6"),
    ("gab=gab", "E 0 5 5"),
    ("fa=gab", "E 0 3 5"),
    ("pa", "R 0 0 1 0"),
    ("pb", "R 0 0 1 1"),
    ("qb", "R 0 1 1 1"),
    ("d=d", "E 1 7 7"),
    ("fb=c", "E 0 4 2"),
];

#[test]
fn equality_has_its_laws() {
    let definitions: Vec<String> = EQUATIONS.iter().map(|(_, formula)| format!("d {formula}")).collect();
    let before: Vec<&str> = EQUALITY.into_iter().chain(definitions.iter().map(String::as_str)).collect();
    let words = |text: &str| -> String {
        let word = |word: &str| {
            let (sign, name) = word.strip_prefix('-').map_or(("", word), |name| ("-", name));
            let at = EQUATIONS.iter().position(|(known, _)| *known == name);
            at.map_or_else(|| word.to_owned(), |at| format!("{sign}{}", at + 1))
        };
        text.split(' ').map(word).collect::<Vec<_>>().join(" ")
    };
    for (line, clause) in [
        ("x a=a", "a=a"),
        ("x d=d", "d=d"),
        ("x gab=gab", "gab=gab"),
        ("y a=b b=c a=c", "-a=b -b=c a=c"),
        ("y a=c b=c a=b", "-a=c -b=c a=b"),
        ("y b=c a=b a=c", "-b=c -a=b a=c"),
        ("f fa=fb a=b", "fa=fb -a=b"),
        ("f gab=gba a=b a=b", "gab=gba -a=b"),
        ("f gab=gab 0 0", "gab=gab"),
        ("f a=a", "a=a"),
        ("r pa pb a=b", "-pa pb -a=b"),
        ("r pb pa a=b", "-pb pa -a=b"),
    ] {
        makes(&before, &words(line), &words(clause));
    }
    for (line, reason) in [
        ("x a=b", "not an equation of a term with itself"),
        ("x pa", "not an equation of a term with itself"),
        ("x 99", "no such formula"),
        ("x a=a 0", "the line has more words"),
        ("y a=b a=b a=c", "the equations make no chain"),
        ("y fa=fb fb=c fa=b", "the equations make no chain"),
        ("y a=b a=c fa=fb", "the equations make no chain"),
        ("y a=b b=c fa=b", "the equations make no chain"),
        ("y a=b b=c a=b", "the equations make no chain"),
        ("y a=b b=c b=c", "the equations make no chain"),
        ("y d=d d=d a=a", "the equations make no chain"),
        ("y a=b pa a=c", "not an equation"),
        ("y pa a=b a=c", "not an equation"),
        ("y a=b b=c pa", "not an equation"),
        ("y a=b b=c", "the line lacks a word"),
        ("y a=b b=c a=c 0", "the line has more words"),
        ("y a=b b=c 99", "no such formula"),
        ("f fa=fb 0", "arguments are not the same"),
        ("f fa=fb b=c", "an equation of other terms"),
        ("f fa=fb a=a", "an equation of other terms"),
        ("f fa=fb pa", "not an equation"),
        ("f fa=fb 99", "no such formula"),
        ("f fa=fb", "not an equation for each argument"),
        ("f fa=fb a=b a=b", "not an equation for each argument"),
        ("f gab=gba a=b 0", "arguments are not the same"),
        ("f gab=gba 0 a=b", "arguments are not the same"),
        ("f gab=gba a=b", "not an equation for each argument"),
        ("f a=b", "two functions"),
        ("f fa=b", "two functions"),
        ("f fa=gab a=a", "two functions"),
        ("f pa a=b", "not an equation"),
        ("f", "the line lacks a word"),
        ("r pa pb 0", "arguments are not the same"),
        ("r pa pb b=c", "an equation of other terms"),
        ("r pa pb", "not an equation for each argument"),
        ("r pa pb a=b a=b", "not an equation for each argument"),
        ("r pa qb a=b", "two relations"),
        ("r pa a=b a=b", "not an atom of a relation"),
        ("r a=b pa a=b", "not an atom of a relation"),
        ("r pa", "the line lacks a word"),
        ("r pa 99 0", "no such formula"),
    ] {
        refuses(&before, &words(line), reason);
    }
    // A witness is no application.
    refuses(&["d ? 0 R 0 0 1 V 0", "w 1 1", "d E 0 0 0"], "f 3", "not an equation of applications");
}

/// A mutable function or relation in two states is not one function or relation.
#[test]
fn congruence_is_about_one_state() {
    let core = core(&["theorem 2 x & 0"]);
    let reason = |lines: &[&str]| reason(&core, lines).expect("no answer to the theorem");
    let open = "the claim has another answer, or there is none";
    let with =
        |line| ["t A 1 6 0", "t A 2 6 0", "d E 0 0 1", "d E 0 1 1", "d R 1 2 1 0", "d R 2 2 1 0", line];
    assert_eq!(reason(&with("f 1")), "two functions");
    assert_eq!(reason(&with("f 2")), open);
    assert_eq!(reason(&with("r 3 4 0")), "two relations");
    assert_eq!(reason(&with("r 4 4 0")), open);
    assert_eq!(reason(&with("d 5")), "no such formula");
}

#[test]
fn clauses_follow_by_unit_propagation() {
    let lines = over_two("& 2");
    let mut before: Vec<&str> = lines.iter().map(String::as_str).collect();
    // Clause 1 is -3, 1; clause 2 is -3, 2; clause 3 is 3, -1, -2.
    before.extend(["a 3 0", "a 3 1", "A 3"]);
    let with = |line: &str| reason(&plain(), &[&before, &[line][..]].concat());
    for line in [
        "c -3 1 0 1",
        "c 1 -3 0 1",
        "c 1 1 -3 0 1",
        "c -3 1 4 0 1",
        "c -3 3 0 1 2 3",
        "c -3 1 0 2 1",
        // Hints behind the contradiction are not looked at.
        "c -3 1 0 1 99",
    ] {
        assert_eq!(with(line), None, "{line}");
    }
    for (line, expected) in [
        ("c 3 1 0 1", "the hints lead to no contradiction"),
        ("c -3 0 1 2", "the hints lead to no contradiction"),
        ("c -3 1 0", "the hints lead to no contradiction"),
        ("c -3 1 0 2", "the hints lead to no contradiction"),
        ("c 0", "the hints lead to no contradiction"),
        ("c 3 0 3", "a hint has two literals that are not false"),
        ("c 0 1 2 3", "a hint has two literals that are not false"),
        ("c -1 0 1", "a hint has two literals that are not false"),
        ("c -3 1 0 4", "no such clause"),
        ("c -3 1 0 0", "no such clause"),
        ("c -3 1 0 5", "no such clause"),
        ("c -3 5 0 1", "no such formula"),
        ("c -3 1", "the line lacks a word"),
        ("c", "the line lacks a word"),
        ("c -3 1 -0 1", "formulas are counted from 1"),
        ("c -3 1 0 -1", "not a number where one is expected"),
        ("c -3 +1 0 1", "not a number where one is expected"),
        ("c --3 1 0 1", "not a number where one is expected"),
        ("c -3 01 0 1", "not a number where one is expected"),
        ("c -3 1 0 1 ", "not a number where one is expected"),
    ] {
        assert_eq!(with(line).as_deref(), Some(expected), "{line}");
    }
    // What was false in one derivation is open in the next.
    let again = [&before, &["c -3 1 0 1", "c -3 0 4"][..]].concat();
    assert_eq!(reason(&plain(), &again).as_deref(), Some("the hints lead to no contradiction"));
    let satisfied = [&before, &["c -3 3 1 0 3", "c 1 0 4 4"][..]].concat();
    assert!(reason(&plain(), &satisfied).is_some());
}

#[test]
fn deleted_clauses_are_gone() {
    let lines = over_two("& 2");
    let mut before: Vec<&str> = lines.iter().map(String::as_str).collect();
    before.extend(["a 3 0", "a 3 1", "A 3"]);
    let with = |lines: &[&str]| reason(&plain(), &[&before, lines].concat());
    assert_eq!(with(&["- 2", "c -3 1 0 1"]), None);
    assert_eq!(with(&["-", "c -3 1 0 1"]), None);
    // Others keep their numbers.
    assert_eq!(with(&["- 1", "a 3 1", "c -3 2 0 2", "c -3 2 0 4"]), None);
    for lines in [
        &["- 1", "c -3 1 0 1"][..],
        &["- 2 1", "c -3 1 0 1"],
        &["- 1", "- 1"],
        &["- 1 1"],
        &["- 0"],
        &["- 4"],
        &["- 99"],
    ] {
        assert_eq!(with(lines).as_deref(), Some("no such clause"), "{lines:?}");
    }
    assert_eq!(with(&["- x"]).as_deref(), Some("not a number where one is expected"));
    assert_eq!(with(&["- "]).as_deref(), Some("not a number where one is expected"));
}

#[test]
fn other_words_begin_no_line() {
    for line in ["z 1", "T A 0 0 0", "D & 0", "U 1 0", "W 1 1", "#", "obligation 0", "proof", "size 0 1", "0"]
    {
        refuses(&["d & 0"], line, "an unknown kind of line");
    }
    for line in ["", " d & 0"] {
        refuses(&["d & 0"], line, "the line lacks a word");
    }
}
