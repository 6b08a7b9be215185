//! The rules of the calculus in proofs about models: steps that are accepted, and steps that are not.

use super::{
    PROOFS, STEPS, STEPS_PROOF, accepts, certificate, head, model, model_of, rejects, rejects_line, run,
    text, whole,
};

#[test]
fn proofs_of_every_kind_are_accepted() {
    let summary = accepts(&model(), whole());
    assert_eq!((summary.proofs, summary.counterexamples, summary.obligations), (4, 0, 4));
    assert_eq!(summary.steps, PROOFS.iter().map(|lines| lines.len()).sum::<usize>());
    assert!(summary.same_source);
    for (theorem, proof) in PROOFS.iter().enumerate() {
        let summary = accepts(&model_of(theorem), certificate("proved", proof));
        assert_eq!(summary.proofs, 1);
        assert!(!summary.same_source, "the digest is for information");
    }
    let other = accepts(&format!("# a comment\n{}", model()), whole());
    assert!(!other.same_source, "the digest is for information");
}

#[test]
fn transitions_are_about_two_states() {
    let good = certificate("proved", STEPS_PROOF);
    accepts(STEPS, &good);
    let constant = |words: &str| good.replace("t A 1 0 0\n", &format!("{words}\n"));
    rejects(STEPS, constant("t A 3 0 0"), "not read in this state");
    rejects(STEPS, constant("t A 0 0 0"), "not read in this state");
    // The goal is formula 6 then.
    rejects(STEPS, constant("t A 2 0 0"), "no such formula");
    rejects(STEPS, good.replace("q 1 6", "q 0 0"), "a second answer");
    rejects(STEPS, good.replace("q 1 6", "q 2 6"), "no such obligation");
    // What is shown of the next state is not shown of the first.
    rejects(STEPS, good.replace("q 0 0\n", "").replace("q 1 6", "q 0 6"), "the clause says something else");
    rejects(STEPS, good.replace("q 0 0", "q 1 0"), "no such clause");
    // A constant that may change is not the same in both states.
    let forgetful = STEPS.replace("modifies m\n", "modifies m, k\n  & new(k) = new(k)\n");
    assert!(run(&forgetful, &good).is_err());
    // Only symbols that do not change are read in no state.
    rejects(&STEPS.replace("mutable constant", "immutable constant"), &good, "not a conjunction");
}

#[test]
fn terms_are_sorted_and_of_declared_symbols() {
    let pad = |line: &'static str| {
        let mut lines = vec!["t A 0 0 0", "t A 0 3 1 0", line];
        lines.extend(PROOFS[0]);
        certificate("proved", &lines)
    };
    let prop = model_of(0);
    accepts(&prop, pad("t A 0 3 1 1"));
    accepts(&prop, pad("t A 0 3 1 A 0 3 1 A 0 2 0"));
    for (line, reason) in [
        ("t A 0 3 1", "lacks a word"),
        ("t A 0 3 0", "another number of arguments"),
        ("t A 0 3 2 0 0", "another number of arguments"),
        ("t A 0 3 1 0 0", "more words"),
        ("t A 0 0 1 0", "another number of arguments"),
        ("t A 0 3 1 2", "no such term"),
        ("t A 0 3 1 2147483647", "no such term"),
        ("t A 0 3 1 2147483648", "not a term"),
        ("t A 0 3 1 4294967295", "not a term"),
        ("t A 0 3 1 4294967296", "not a term"),
        ("t A 0 3 1 99999999999999999999999", "not a term"),
        ("t A 0 3 1 -1", "not a term"),
        ("t A 0 3 1 +1", "not a term"),
        ("t A 0 3 1 01", "not a term"),
        ("t A 0 3 1  0", "lacks a word"),
        ("t A 0 3 1 0 ", "more words"),
        ("t R 0 2 0", "not a term"),
        ("t A 0 4 0", "no such symbol"),
        ("t A 1 0 0", "not read in this state"),
        ("t a", "not a term"),
        ("t V 0", "nothing binds"),
        ("t A 0 3 1 V 0", "nothing binds"),
        ("t", "lacks a word"),
        ("t ", "lacks a word"),
        ("d R 0 1 2 0 0", "a term of another sort"),
        ("d E 1 0 0", "a term of another sort"),
        ("d ! 2 & 0", "no such sort"),
        ("d nothing", "not a formula"),
        ("d", "lacks a word"),
        ("d & 0 & 0", "more words"),
        ("w 1 1", "no such formula"),
    ] {
        rejects(&prop, pad(line), reason);
    }
}

#[test]
fn inputs_conjunctions_and_disjunctions() {
    rejects_line(0, 0, "i 0 4", "no such hypothesis");
    rejects_line(0, 0, "i 0 2147483647", "no such hypothesis");
    rejects_line(0, 0, "i 0 4294967295", "not a number");
    rejects_line(0, 0, "i 1 0", "no such obligation");
    rejects_line(0, 0, "i 0", "lacks a word");
    rejects_line(0, 1, "O 1 2", "the disjunction has fewer parts");
    rejects_line(0, 1, "O 2 0", "no such formula");
    rejects_line(0, 1, "O 0 0", "no such formula");
    rejects_line(0, 1, "O -1 0", "not a number");
    rejects_line(0, 1, "O 1", "lacks a word");
    rejects_line(0, 2, "O 2 0", "not a disjunction");
    rejects_line(0, 2, "o 2", "not a disjunction");
    rejects_line(0, 1, "a 1 0", "not a conjunction");
    rejects_line(0, 1, "A 1", "not a conjunction");
    // The other rules look at the kind of their formula as well.
    rejects_line(0, 1, "u 1 0", "fewer variables");
    rejects_line(0, 1, "w 1 1", "fewer variables");
    rejects_line(0, 1, "p 1 0", "not an implication");
    rejects_line(0, 1, "e 1 0", "not an equivalence");
    // An instance of the axiom is an implication, and no disjunction.
    let implication = |line: &'static str| {
        let lines = ["i 0 1", "t A 0 0 0", "u 1 0", line, "i 0 3", "O 5 0", "O 5 1", "c 5 0 3 4", "q 0 5"];
        certificate("proved", &lines)
    };
    accepts(&model_of(0), implication("p 2 0"));
    rejects(&model_of(0), implication("p 1 0"), "not an implication");
    rejects(&model_of(0), implication("p 3 0"), "no such formula");
    rejects(&model_of(0), implication("o 2"), "not a disjunction");
    // A disjunction without parts is false, and a conjunction without parts is true.
    let trivial = "sort s\ntheorem [t] true\ntheorem [f] true\n";
    let good = certificate("proved", &["i 0 0", "A 1", "q 0 1", "q 1 1"]);
    accepts(trivial, &good);
    rejects(&trivial.replace("[f] true", "[f] false"), &good, "theorem f: the clause says something else");
    rejects(trivial, good.replace("A 1", "o 1"), "not a disjunction");
}

#[test]
fn quantifiers() {
    // 4: `u 2 0`, 5: `u 3 0` of the theorem `nonempty`.
    rejects_line(1, 4, "u 2", "no variables");
    rejects_line(1, 4, "u 2 0 0", "fewer variables");
    rejects_line(1, 4, "u 2 1", "no such term");
    rejects_line(1, 4, "u 1 0", "fewer variables");
    rejects_line(1, 4, "u 9 0", "no such formula");
    // 1: `w 1 1`, 3: `w 3 1`, 4: `u 4 0` and 5: `u 2 1` of `swap`.
    rejects_line(2, 1, "w 2 1", "no such formula");
    rejects_line(2, 1, "w 1 0", "no variables");
    rejects_line(2, 1, "w 1 2", "fewer variables");
    rejects_line(2, 1, "w 1", "lacks a word");
    rejects_line(2, 1, "w 1 -1", "not a number");
    rejects_line(2, 4, "u 4 1", "a term of another sort");
    rejects_line(2, 5, "u 2 0", "a term of another sort");
    rejects_line(2, 5, "u 2 2", "no such term");
    rejects_line(2, 1, "u 1 0", "no such term");
    // A witness is used behind the line that makes it.
    rejects_line(2, 2, "u 1 1", "no such term");
    // A witness of another formula of the same kind does not help.
    let wrong = "sort s\nimmutable relation p(s)\nimmutable relation q(s)\naxiom exists X. p(X)\n\
                 axiom exists X. q(X)\ntheorem [both] exists X. p(X) & q(X)\n";
    let lines = ["i 0 0", "w 1 1", "i 0 1", "w 3 1", "i 0 2", "u 5 0", "A 6"];
    // Formulas: 2 is p(c), 4 is q(d), 6 is p(c) & q(c), 7 is q(c).
    let with = |last: &[&str]| certificate("proved", &[&lines, last].concat());
    rejects(wrong, with(&["c -1 -3 5 0 1 2 3 4"]), "the hints lead to no contradiction");
    rejects(wrong, with(&["c -1 -3 5 0 1 2 4 3"]), "a hint has two literals");
}

#[test]
fn lemmas_of_equality() {
    let model = "sort s\nimmutable constant a: s\nimmutable constant b: s\nimmutable constant c: s
immutable function f(s): s\nimmutable function g(s, s): s\nimmutable relation p(s)\nimmutable relation q(s)
theorem [t] a = a\n";
    // Terms: 0 a, 1 b, 2 c, 3 f(a), 4 f(b), 5 f(c), 6 g(a, b), 7 g(b, a), 8 g(a, c), 9 f(f(a)), 10 f(f(b)).
    let terms = [
        "A 0 0 0",
        "A 0 1 0",
        "A 0 2 0",
        "A 0 3 1 0",
        "A 0 3 1 1",
        "A 0 3 1 2",
        "A 0 4 2 0 1",
        "A 0 4 2 1 0",
        "A 0 4 2 0 2",
        "A 0 3 1 3",
        "A 0 3 1 4",
    ];
    let formulas = [
        ("a=a", "E 0 0 0"),
        ("a=b", "E 0 0 1"),
        ("b=c", "E 0 1 2"),
        ("a=c", "E 0 0 2"),
        ("fa=fb", "E 0 3 4"),
        ("fa=c", "E 0 3 2"),
        ("fb=c", "E 0 4 2"),
        ("fa=b", "E 0 3 1"),
        ("ffa=ffb", "E 0 9 10"),
        ("gab=gba", "E 0 6 7"),
        ("gab=gac", "E 0 6 8"),
        ("pa", "R 0 0 1 0"),
        ("pb", "R 0 0 1 1"),
        ("qa", "R 0 1 1 0"),
        ("fa=fc", "E 0 3 5"),
    ];
    let number = |name: &str| {
        let at = formulas.iter().position(|(known, _)| *known == name);
        at.map_or_else(|| name.to_owned(), |at| (at + 1).to_string())
    };
    let certificate_of = |lemma: &str| {
        let mut lines: Vec<String> = terms.iter().map(|term| format!("t {term}")).collect();
        lines.extend(formulas.iter().map(|(_, formula)| format!("d {formula}")));
        lines.push(lemma.split(' ').map(number).collect::<Vec<_>>().join(" "));
        lines.extend(["i 0 0".into(), "x 1".into(), "q 0 2".into()]);
        head("proved") + &text(&lines.iter().map(String::as_str).collect::<Vec<_>>()) + "end\n"
    };
    for lemma in [
        "x a=a",
        "y a=b b=c a=c",
        "y a=c b=c a=b",
        "y fa=b b=c fa=c",
        "y fa=fb fb=c fa=c",
        "y a=a a=b a=b",
        "f fa=fb a=b",
        "f fa=fc a=c",
        "f ffa=ffb fa=fb",
        "f gab=gba a=b a=b",
        "f gab=gac 0 b=c",
        "f a=a",
        "r pa pb a=b",
        "r pb pa a=b",
        "r pa pa 0",
    ] {
        accepts(model, certificate_of(lemma));
    }
    for (lemma, reason) in [
        ("x a=b", "not an equation of a term with itself"),
        ("x pa", "not an equation of a term with itself"),
        ("y a=b b=c fa=c", "no chain"),
        ("y a=b a=b a=c", "no chain"),
        ("y a=b b=c a=b", "no chain"),
        ("y a=b pa a=c", "not an equation"),
        ("y a=b b=c", "lacks a word"),
        ("f fa=fb b=c", "an equation of other terms"),
        ("f fa=fb 0", "arguments are not the same"),
        ("f fa=fb", "not an equation for each argument"),
        ("f fa=fb a=b a=b", "not an equation for each argument"),
        ("f ffa=ffb a=b", "an equation of other terms"),
        ("f gab=gba a=b 0", "arguments are not the same"),
        ("f gab=gac a=b b=c", "an equation of other terms"),
        ("f fa=c a=b", "two functions"),
        ("f pa 0", "not an equation"),
        ("r pa qa 0", "two relations"),
        ("r pa pb 0", "arguments are not the same"),
        ("r pa pb b=c", "an equation of other terms"),
        ("r pa pb pa", "not an equation"),
        ("r pa a=b 0", "not an atom of a relation"),
        ("r pa pb 99", "no such formula"),
        ("f 99 a=b", "no such formula"),
        ("f a=b -1", "two functions"),
        ("f fa=fb -1", "not a number"),
    ] {
        rejects(model, certificate_of(lemma), reason);
    }
    rejects_line(3, 2, "f 2 1", "two functions");
    rejects_line(3, 2, "f 1 3", "no such formula");
    rejects_line(3, 2, "f 1", "not an equation for each argument");
    rejects_line(3, 2, "f --1 2", "not a number");
}

#[test]
fn derived_clauses_are_strict_about_hints() {
    // Clauses of `prop`: 1 is 1, -2; 2 is 1, 2.
    for (line, reason) in [
        ("c 1 0", "no contradiction"),
        ("c 1", "lacks a word"),
        ("c 0", "no contradiction"),
        ("c", "lacks a word"),
        ("c 0 1 2", "a hint has two literals that are not false"),
        ("c 1 0 1", "no contradiction"),
        ("c 1 0 2", "no contradiction"),
        ("c 1 0 1 1", "no contradiction"),
        ("c -1 0 1 2", "a hint has two literals that are not false"),
        ("c 2 0 1 2", "a hint has two literals that are not false"),
        ("c 1 0 1 3", "no such clause"),
        ("c 1 0 0 1", "no such clause"),
        ("c 1 0 1 2147483647", "no such clause"),
        ("c 1 0 1 4294967295", "not a number"),
        ("c 1 0 1 -2", "not a number"),
        ("c 3 0 1 2", "no such formula"),
        ("c -0 0 1 2", "counted from 1"),
        ("c --1 0 1 2", "not a number"),
        ("c 01 0 1 2", "not a number"),
        ("c -2147483648 0 1 2", "not a number"),
        ("c -2147483647 0 1 2", "no such formula"),
        ("c 1 0 1 2 ", "not a number"),
    ] {
        rejects_line(0, 3, line, reason);
    }
    let accepted = |lines: &[&str]| run(&model_of(0), certificate("proved", lines)).is_ok();
    let longer = ["i 0 3", "O 1 0", "O 1 1", "c 1 2 0 2", "c 1 -2 -2 0 1", "c 1 0 3 4", "q 0 5"];
    assert!(accepted(&longer));
    // Hints behind the contradiction are not looked at, and those that are satisfied tell nothing.
    assert!(accepted(&["i 0 3", "O 1 0", "O 1 1", "c 1 0 1 2 9", "q 0 3"]));
    assert!(accepted(&["i 0 3", "O 1 0", "O 1 1", "c 1 0 2 1", "q 0 3"]));
    // A clause cannot be its own hint, nor a later one's. One that is deleted is none.
    let rejected = |lines: &[&str], reason: &str| {
        rejects(&model_of(0), certificate("proved", lines), reason);
    };
    rejected(&["i 0 3", "O 1 0", "O 1 1", "c 1 0 3", "q 0 3"], "no such clause");
    rejected(&["i 0 3", "O 1 0", "O 1 1", "- 2", "c 1 0 1 2", "q 0 3"], "no such clause");
    rejected(&["i 0 3", "O 1 0", "O 1 1", "c 1 0 1 2", "- 3", "q 0 3"], "no such clause");
    rejected(&["i 0 3", "O 1 0", "O 1 1", "- 1 1", "c 1 0 1 2", "q 0 3"], "no such clause");
    rejected(&longer[..6], "the claim has another answer, or there is none");
    rejected(&[], "the claim has another answer, or there is none");
    // Answers may stand between steps.
    assert!(accepted(&["i 0 3", "O 1 0", "O 1 1", "c 1 0 1 2", "q 0 3", "i 0 0", "c 1 0 3"]));
}
