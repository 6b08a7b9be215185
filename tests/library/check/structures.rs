//! Counterexamples: structures that are judged.

use super::{STEPS, WRONG, counterexample, head, mutants, rejects, run};

fn refuted(lines: &[&str]) -> String {
    head("refuted") + &counterexample("theorem 0 some", lines)
}

#[test]
fn structures_are_judged() {
    let good = ["size node 2", "v p 0 = 1", "v c = 1"];
    let summary = run(WRONG, refuted(&good)).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert_eq!((summary.proofs, summary.counterexamples, summary.obligations), (0, 1, 3));
    let all = refuted(&good)
        + &counterexample("theorem 1 all", &["size node 3", "v p 2 = 1"])
        + &counterexample("theorem 2 two", &["size node 1", "v p 0 = 1"]);
    assert_eq!(run(WRONG, all).map(|summary| summary.counterexamples), Ok(3));
    let cases: &[(&[&str], &str)] = &[
        (&["size node 2", "v c = 1"], "violates hypothesis 0"),
        (&["size node 2", "v p 0 = 1"], "satisfies the goal"),
        (&["size node 2", "v p 1 = 1", "v c = 1"], "satisfies the goal"),
        (&["size node 0"], "not empty"),
        (&["size node 65537"], "too large"),
        (&["size node 4294967296"], "not a number"),
        (&["size node"], "neither"),
        (&["size node 2 2"], "neither"),
        (&["size node 2", "size node 2"], "twice"),
        (&["size bool 2"], "no sort"),
        (&["size other 2"], "no sort"),
        (&["v p 0 = 1"], "is not given"),
        (&[], "is not given"),
        (&["size node 2", "v p 0 = 1", "size node 2"], "before values"),
        (&["size node 2", "v p 2 = 1"], "no element 2"),
        (&["size node 2", "v c = 2"], "no element 2"),
        (&["size node 2", "v p 0 = 2"], "no element 2"),
        (&["size node 2", "v p 0 = -1"], "not a number"),
        (&["size node 2", "v p = 1"], "takes 1 argument"),
        (&["size node 2", "v p 0 0 = 1"], "takes 1 argument"),
        (&["size node 2", "v p 0 = 1", "v p 0 = 0"], "twice"),
        (&["size node 2", "v p' 0 = 1"], "too many primes"),
        (&["size node 2", "v unknown 0 = 1"], "no symbol"),
        (&["size node 2", "v p 0 1"], "neither"),
        (&["size node 2", "v p 0 ="], "neither"),
        (&["size node 2", "v p 0 = 1 1"], "neither"),
        (&["size node 2", "w p 0 = 1"], "neither"),
        (&["size node 2", ""], "neither"),
    ];
    for (lines, reason) in cases {
        rejects(WRONG, refuted(lines), reason);
    }
    rejects(WRONG, refuted(&good).replace("refuted", "proved"), "not a proof");
    rejects(
        WRONG,
        refuted(&good) + &counterexample("theorem 1 all", &["size node 1", "v p 0 = 1"]),
        "satisfies",
    );
    rejects(
        WRONG,
        refuted(&good) + &refuted(&good).lines().skip(3).fold(String::new(), |t, l| t + l + "\n"),
        "twice",
    );
    rejects(WRONG, refuted(&good).replace("counterexample", "structure"), "neither");
    rejects(WRONG, refuted(&good).replace("end\n", ""), "ends where");
    rejects(WRONG, head("refuted"), "no obligation is refuted");
    // What holds has no counterexample, whatever the structure says.
    let right = WRONG.replace("[some] p(c)", "[some] p(c) | !p(c)");
    for mutant in mutants(&refuted(&good)) {
        assert!(run(&right, &mutant).is_err(), "{mutant}");
    }
    // A structure of large sorts is refused before it is evaluated.
    let wide = "sort s\nimmutable relation r(s, s, s)\ntheorem [t] forall X, Y, Z. r(X, Y, Z)\n";
    let large = head("refuted") + &counterexample("theorem 0 t", &["size s 65536"]);
    rejects(wide, large, "too large");
}

#[test]
fn counterexamples_of_transitions_have_two_states() {
    let model = STEPS.replace("m(X) -> new(m(X))", "new(m(X)) -> m(X)");
    let lost = ["size node 1", "v m 0 = 1"];
    let certificate = |lines: &[&str]| head("refuted") + &counterexample("step 0 0 stay held", lines);
    assert!(run(&model, certificate(&lost)).is_ok());
    rejects(STEPS, certificate(&lost), "violates hypothesis 1");
    rejects(&model, certificate(&["size node 1", "v m 0 = 1", "v m' 0 = 1"]), "satisfies the goal");
    rejects(&model, certificate(&["size node 1", "v m' 0 = 1"]), "violates hypothesis 0");
    rejects(&model, certificate(&["size node 2", "v m 0 = 1", "v k' = 1"]), "violates hypothesis 1");
    rejects(&model, certificate(&["size node 1", "v m 0 = 1", "v m'' 0 = 1"]), "too many primes");
}
