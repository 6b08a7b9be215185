//! Bounded model checking of several claims, some of which take the questions out of the decidable fragment: against each claim by
//! itself.

use super::*;

/// Claims over the relations of [`random_system`]: in the fragment whether true or negated, outside it where they are true, outside
/// it where they are negated, and with a function that makes elements of `a` from those of `b`.
const CLAIMS: [&str; 9] = [
    "forall X:a. p(X) -> q(X)",
    "forall X:a. !(p(X) & q(X) & X != k)",
    "forall Y:b. s(Y) -> p(f(Y))",
    "forall Y:b. q(f(Y)) | !s(Y)",
    "forall X:a. p(X) -> (exists Y:b. r(X, Y))",
    "forall X:a. q(X) | (exists Y:b. !s(Y) & !r(X, Y))",
    "exists X:a. forall Y:b. r(X, Y) -> s(Y)",
    "exists X:a. (p(X) -> q(X)) & (forall Y:b. !r(X, Y) | !s(Y))",
    "(exists X:a. p(X)) -> (exists X:a. q(X))",
];

/// Returns the text of a random system, and the claims that it has.
fn random_system(rng: &mut Rng) -> String {
    let mut text =
        "sort a\nsort b\nimmutable constant k: a\nimmutable function f(b): a\nmutable relation p(a)\n\
        mutable relation q(a)\nmutable relation s(b)\nmutable relation r(a, b)\n\
        init !p(X)\ninit !s(Y)\n"
            .to_owned();
    text += ["init q(X) <-> X = k\n", "init q(X)\n", "init !q(X)\n"][rng.below(3)];
    text += ["init !r(X, Y)\n", "init r(X, Y) <-> f(Y) = X\n", "init r(X, Y)\n"][rng.below(3)];
    // Where each element of `a` has one of `b`, the steps leave the fragment by themselves.
    text +=
        ["", "", "axiom forall Y:b. f(Y) != k\n", "axiom forall X:a. exists Y:b. f(Y) = X\n"][rng.below(4)];
    for number in 0..3 {
        let guard = ["q(x)", "!p(x)", "r(x, y)", "f(y) = x", "s(y)", "x != k", "p(k)", "true"][rng.below(8)];
        let (change, effect) = [
            ("p", "(forall X. new(p(X)) <-> p(X) | X = x)"),
            ("p", "(forall X. new(p(X)) <-> p(X) & X != x)"),
            ("q", "(forall X. new(q(X)) <-> q(X) | X = x)"),
            ("q", "(forall X. new(q(X)) <-> q(X) & X != x)"),
            ("s", "(forall Y. new(s(Y)) <-> s(Y) | Y = y)"),
            ("r", "(forall X, Y. new(r(X, Y)) <-> r(X, Y) | X = x & Y = y)"),
            ("r", "(forall X, Y. new(r(X, Y)) <-> r(X, Y) & X != x)"),
        ][rng.below(7)];
        text += &format!("transition t{number}(x: a, y: b)\n  modifies {change}\n  {guard} & {effect}\n");
    }
    for _ in 0..2 + rng.below(2) {
        text += &format!("safety {}\n", CLAIMS[rng.below(CLAIMS.len())]);
    }
    text
}

/// Number of steps of the longest executions.
const DEPTH: u16 = 3;

/// Returns the number of steps of a shortest violation of one of the targets, or `None`. The second part tells whether all lengths
/// have an answer.
fn shortest(system: &Arc<System>, targets: Vec<Target>) -> (Option<u16>, bool) {
    let limits = Limits { work: Some(300_000), ..Limits::default() };
    let mut bmc = Bmc::new(Arc::clone(system), bmc::Options::new(targets, DEPTH));
    while let Some(depth) = bmc.advance(&limits) {
        match depth.outcome {
            bmc::Outcome::Holds => {}
            bmc::Outcome::Violated(found) => {
                let states = states(system, &found.counterexample.structure, &found.counterexample.calls);
                let last = states.last().expect("a state");
                assert!(!holds(system, last, found.target.formula(system)));
                return (depth.steps, true);
            }
            bmc::Outcome::Unknown(_) => return (None, false),
            other => panic!("{other:?}"),
        }
    }
    (None, true)
}

#[test]
fn claims_outside_the_fragment_change_no_answer_about_others() {
    let (mut outside, mut late, mut safe, mut open) = (0, 0, 0, 0);
    for seed in 0..cases(1_500) {
        let text = random_system(&mut Rng::new(seed));
        let system = Arc::new(load(&text));
        let targets = safety(&system);
        let together = shortest(&system, targets.clone());
        let apart: Vec<_> = targets.iter().map(|&target| shortest(&system, vec![target])).collect();
        if !together.1 || apart.iter().any(|it| !it.1) {
            open += 1;
            continue;
        }
        assert_eq!(together.0, apart.iter().filter_map(|it| it.0).min(), "seed {seed}\n{text}");
        outside += usize::from(Bmc::new(system, bmc::Options::new(targets, DEPTH)).cycle().is_some());
        late += usize::from(together.0.is_some_and(|steps| steps > 1));
        safe += usize::from(together.0.is_none());
    }
    assert!(outside >= 100 && late >= 50 && safe >= 100 && open < 200, "{outside} {late} {safe} {open}");
}

/// Each claim is in the fragment where it is negated; both together are not where they hold.
const APART: &str = "sort a\nsort b\nimmutable function f(b): a\nmutable relation p(a)\nmutable relation r(a, b)\n\
    init p(X)\ninit r(X, Y)\n\
    transition grow(x: a, y: b)\n  modifies r\n  p(x) & (forall X, Y. new(r(X, Y)) <-> r(X, Y) | X = x & Y = y)\n\
    safety forall Y:b. p(f(Y))\n\
    safety forall X:a. exists Y:b. r(X, Y)\n";

#[test]
fn what_is_assumed_takes_no_question_out_of_the_fragment() {
    let system = Arc::new(load(APART));
    let bmc = Bmc::new(Arc::clone(&system), bmc::Options::new(safety(&system), DEPTH));
    assert_eq!(bmc.cycle().map(|it| it.0), None);
    assert!(run(bmc).iter().all(|it| matches!(it.outcome, bmc::Outcome::Holds)));
}

#[test]
fn claims_outside_the_fragment_are_asked_about_one_by_one() {
    // Each element of `a` has one of `b`, which has one of `a`.
    let outside = APART.replace("init p(X)", "axiom forall X:a. exists Y:b. f(Y) = X\ninit p(X)");
    for (text, queries) in [(APART, 1), (&outside, 2)] {
        let system = Arc::new(load(text));
        let depths = run(Bmc::new(Arc::clone(&system), bmc::Options::new(safety(&system), 1)));
        assert_eq!(depths[1].statistics.queries, queries, "{text}");
    }
}
