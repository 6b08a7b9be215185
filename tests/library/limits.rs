//! Formulas whose normal forms, clauses or values are exponentially larger in a naive implementation: the answer is
//! right, or reports a limit, and comes soon.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::common::binary::{pigeonhole_formula, ramsey_binary};
use crate::common::effort::is_long;
use crate::common::formulas::Structures;
use crate::common::models;
use ramsey::base::budget::Exhausted;
use ramsey::base::rng::Rng;
use ramsey::check::{self, format};
use ramsey::formulas::{Miniscope, Nnf};
use ramsey::logic::{Evaluator, Node, Structure, TermId, Terms};
use ramsey::obligations::{HypothesisOrigin, Obligations, Origin, Property};
use ramsey::query::{Limits, Options, Outcome, Plan, bmc};
use ramsey::system::System;

/// Returns the outcomes of all obligations, each with this work budget.
fn answers(name: &str, text: &str, work: u64, certify: bool) -> Vec<Outcome> {
    let options = Options { all: true, certify, ..Options::default() };
    let limits = Limits { work: Some(work), ..Limits::default() };
    let verification = Plan::new(Arc::new(models::system(name, text)), options).run(&limits);
    verification.results.into_iter().map(|result| result.outcome).collect()
}

#[track_caller]
fn assert_answers(text: &str, expected: &str) {
    let found: String = answers("m.pyv", text, 20_000_000, false).iter().map(letter).collect();
    assert_eq!(found, expected);
}

/// Encodes an outcome: `+` holds, `-` fails, `?` unknown.
fn letter(outcome: &Outcome) -> char {
    match outcome {
        Outcome::Holds { .. } => '+',
        Outcome::Fails(_) => '-',
        Outcome::Unknown(_) => '?',
        other => panic!("{other:?}"),
    }
}

fn list(count: usize, item: impl Fn(usize) -> String, separator: &str) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

/// Declares a sort, relations for conditions, and functions.
fn vocabulary(conditions: usize) -> String {
    let relations = list(conditions, |i| format!("immutable relation p{i}(s)"), "\n");
    format!(
        "sort s\n{relations}\nimmutable constant a: s\nimmutable constant b: s\n\
         immutable relation q(s)\nimmutable function f(s, s): s\nmutable relation m(s)\n"
    )
}

/// Returns a tree of functions over independent `if` terms about `arg`.
fn tree(conditions: std::ops::Range<usize>, arg: &str) -> String {
    if conditions.len() == 1 {
        return format!("(if p{}({arg}) then a else b)", conditions.start);
    }
    let middle = conditions.start + conditions.len() / 2;
    format!("f({}, {})", tree(conditions.start..middle, arg), tree(middle..conditions.end, arg))
}

fn holds(system: &System, terms: &Terms, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(terms.over(&system.sig), structure).holds(formula)
}

fn has_choice_in_atom(terms: &Terms, formula: TermId) -> bool {
    match terms.node(formula) {
        Node::App { .. } | Node::Eq(..) => terms.has_choice(formula),
        _ => terms.children(formula).any(|child| has_choice_in_atom(terms, child)),
    }
}

#[test]
fn names_for_if_terms_keep_the_meaning() {
    let text = vocabulary(7)
        + &format!("zerostate theorem [closed] q({})\n", tree(0..7, "a"))
        + &format!("zerostate theorem [open] forall X. q(f(X, {}))\n", tree(0..7, "X"));
    let mut system = models::system("m.pyv", &text);
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    let mut terms = system.terms.clone();
    let mut rng = Rng::new(1);
    let mut seen = [0; 2];
    for theorem in std::mem::take(&mut system.theorems) {
        let formula = theorem.formula;
        let forms = [true, false].map(|positive| {
            let normal = Nnf::default().of(&mut terms, formula, positive);
            assert!(!has_choice_in_atom(&terms, normal));
            assert!(terms.tree_size(normal) < 1_000, "linear, not 2^7 atoms");
            (positive, normal, Miniscope::default().of(&mut terms, normal))
        });
        let structures = Structures::new(&system.sig, &[(sort, 2)]);
        for _ in 0..40 {
            let structure = structures.random(&mut rng);
            let value = holds(&system, &terms, &structure, formula);
            seen[usize::from(value)] += 1;
            for (positive, normal, narrow) in forms {
                assert_eq!(holds(&system, &terms, &structure, normal), value == positive);
                assert_eq!(holds(&system, &terms, &structure, narrow), value == positive);
            }
        }
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
}

#[test]
fn distinct_of_many_keeps_the_meaning() {
    // That few terms differ is said pair by pair, that two of them are equal is not.
    distinct_keeps_the_meaning(67, 30, |lens| (4_000..6_000).contains(&lens[0]) && lens[1] < 1_500);
    distinct_keeps_the_meaning(401, 4, |lens| lens.iter().all(|&len| len < 10_000));
}

/// Compares both normal forms of a claim about so many constants with the claim, in a structure and others in which two of them
/// are equal. `is_expected` judges the number of terms that each has added.
fn distinct_keeps_the_meaning(count: usize, rounds: usize, is_expected: impl Fn([usize; 2]) -> bool) {
    let constants = list(count, |i| format!("immutable constant c{i}: s"), "\n");
    let text = format!(
        "sort s\n{constants}\nzerostate theorem distinct({})\n",
        list(count, |i| format!("c{i}"), ", ")
    );
    let system = models::system("m.pyv", &text);
    let (formula, mut terms) = (system.theorems[0].formula, system.terms.clone());
    let mut lens = [0; 2];
    let forms = [true, false].map(|positive| {
        let before = terms.len();
        let normal = Nnf::default().of(&mut terms, formula, positive);
        lens[usize::from(!positive)] = terms.len() - before;
        (positive, normal)
    });
    assert!(is_expected(lens), "{lens:?}");
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    let mut structure = Structures::new(&system.sig, &[(sort, count as u32)]).next().expect("a structure");
    let symbols: Vec<_> = system.sig.symbols.ids().collect();
    for (value, &sym) in symbols.iter().enumerate() {
        structure.interpretation_mut(&system.sig, sym, 0).set(&[], value as u32);
    }
    let mut rng = Rng::new(1);
    for round in 0..rounds {
        let mut structure = structure.clone();
        if round > 0 {
            let (from, to) = (rng.below(count), rng.below(count));
            structure.interpretation_mut(&system.sig, symbols[from], 0).set(&[], to as u32);
        }
        let value = holds(&system, &terms, &structure, formula);
        assert!(value || round > 0);
        for (positive, normal) in forms {
            assert_eq!(holds(&system, &terms, &structure, normal), value == positive);
        }
    }
}

#[test]
fn many_if_terms_in_one_atom() {
    let head = vocabulary(20);
    let (open, closed) = (tree(0..20, "X"), tree(0..20, "a"));
    // In an axiom, universal and not; in a claim, by an update.
    assert_answers(&format!("{head}axiom forall X. q({open})\ninit m(X)\nsafety m(X)\n"), "+");
    let contradiction = format!("{head}axiom q({closed})\naxiom !q(X)\ninit !m(X)\nsafety m(X)\n");
    assert_answers(&contradiction, "+");
    let update = format!(
        "{head}init m(X)\ntransition t() modifies m & (forall X. new(m(X)) <-> q({open}))\nsafety m(X)\n"
    );
    assert_answers(&update, "+-");
    let guarded = update.replace("safety m(X)", "axiom q(X)\nsafety m(X)");
    assert_answers(&guarded, "++");
}

#[test]
fn if_terms_inside_if_terms() {
    let shared =
        list(14, |i| format!("let t{} = (if p{i}(X) then f(t{i}, a) else f(b, t{i})) in ", i + 1), "");
    let text = format!(
        "{}init m(X)\ntransition t() modifies m & (forall X. new(m(X)) <-> (let t0 = X in {shared}q(t14)))\n\
         safety m(X)\n",
        vocabulary(14)
    );
    assert_answers(&text, "+-");
}

#[test]
fn distinct_of_many_terms() {
    let count = 1_000;
    let constants = list(count, |i| format!("immutable constant c{i}: s"), "\n");
    let all = list(count, |i| format!("c{i}"), ", ");
    let head = format!("sort s\n{constants}\nmutable relation m(s)\ninit m(X)\nsafety m(X)\n");
    assert_answers(&format!("{head}axiom distinct({all})\nzerostate theorem c0 != c999\n"), "++");
    assert_answers(&format!("{head}zerostate theorem distinct({all})\n"), "+-");
}

#[test]
fn updates_that_read_each_other() {
    let count = 60;
    let names = |separator| list(count, |i| format!("r{i}"), separator);
    let declared = list(count, |i| format!("mutable relation r{i}(s)"), "\n");
    let updates = list(
        count - 1,
        |i| format!("& (forall X. new(r{}(X)) <-> (new(r{i}(X)) <-> new(r{i}(X)) & r{}(X)))", i + 1, i + 1),
        "\n",
    );
    let text = format!(
        "sort s\n{declared}\ninit {}\ntransition t() modifies {} & (forall X. new(r0(X)) <-> !r0(X))\n{updates}\n\
         safety [last] !r59(X)\nsafety [first] r0(X) -> r0(X)\n",
        list(count, |i| format!("!r{i}(X)"), " & "),
        names(", ")
    );
    assert_answers(&text, "++-+");
}

#[test]
fn terms_that_read_each_other() {
    let count = 60;
    let declared = list(count, |i| format!("mutable constant v{i}: s"), "\n");
    let names = list(count, |i| format!("v{i}"), ", ");
    let updates = list(count - 1, |i| format!("& new(v{}) = f(new(v{i}), new(v{i}))", i + 1), "\n");
    let text = format!(
        "{}{declared}\ninit m(X)\ntransition t() modifies m, {names} & new(v0) = v1 & (forall X. new(m(X)))\n{updates}\n\
         safety m(X) & (q(v59) | !q(v59))\nsafety [open] q(v59)\ninit q(X)\n",
        vocabulary(1)
    );
    assert_answers(&text, "+++-");
}

/// Clauses with more variables, function applications and constants than a word has bits.
#[test]
fn clauses_may_be_wide() {
    for width in [63, 64, 65, 130] {
        let vocabulary = format!(
            "sort s\nimmutable relation e(s, s)\nimmutable relation q(s)\nmutable relation m(s)\n{}\n{}\n",
            list(width, |i| format!("immutable constant c{i}: s"), "\n"),
            list(width, |i| format!("immutable function f{i}(s): s"), "\n"),
        );
        let path = list(width - 1, |i| format!("e(X{i}, X{})", i + 1), " & ");
        let constants = list(width - 1, |i| format!("e(c{i}, c{})", i + 1), " & ");
        let all = list(width, |i| format!("q(f{i}(X))"), " & ");
        let some = list(width, |i| format!("!q(f{i}(c0))"), " | ");
        let last = width - 1;
        let text = format!(
            "{vocabulary}axiom !({path})\naxiom {all}\ninit m(X)\nsafety [no_path] m(c0) -> !({constants})\n\
             safety [shorter] m(c0) & e(c0, c1) -> {}\nsafety [values] m(c0) -> !({some})\nsafety [other] m(X{last}) -> q(X{last})\n",
            list(width - 2, |i| format!("!e(c{}, c{})", i + 1, i + 2), " | "),
        );
        // Proofs are checked, and counterexamples evaluated, before they are answers.
        for certify in [false, true] {
            let found = answers("m.pyv", &text, 100_000_000, certify);
            assert_eq!(found.iter().map(letter).collect::<String>(), "+++-", "{width} {certify}: {found:?}");
        }
        let weaker = text.replace(&format!("& e(X{}, X{last})", last - 1), "");
        let found = answers("m.pyv", &weaker.replace(&all, &format!("q(f{last}(X))")), 100_000_000, false);
        assert_eq!(found.iter().map(letter).collect::<String>(), "++--", "{width}: {found:?}");
    }
}

#[test]
fn what_is_too_large_is_unknown() {
    let count = 22;
    let bound = list(count, |i| format!("B{i}:bool"), ",");
    let body = list(count, |i| format!("(B{i} <-> (q(X) | !B{}))", (i + 1) % count), " & ");
    let text = format!("{}init m(X)\naxiom forall X. exists {bound}. {body}\nsafety m(X)\n", vocabulary(1));
    let answers_of = [
        (100_000, false, Exhausted::Work),
        (u64::MAX, true, Exhausted::FormulaSize),
        (u64::MAX, false, Exhausted::FormulaSize),
    ];
    for (work, certify, expected) in answers_of.into_iter().take(if is_long() { 3 } else { 1 }) {
        let outcomes = answers("m.pyv", &text, work, certify);
        assert!(matches!(outcomes[..], [Outcome::Unknown(why)] if why == expected), "{outcomes:?}");
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits-bools.pyv");
    std::fs::write(&path, &text).expect("a file for the test");
    let output = Command::new(ramsey_binary()).args(["verify", "--timeout", "0.2"]).arg(&path).output();
    assert_eq!(output.expect("the binary runs").status.code(), Some(3));
}

/// The first claim has no finite counterexample where the order is infinite, and the search for one does not end.
#[test]
fn the_limit_outside_the_fragment_holds_there_alone() {
    let endless = "sort n\nimmutable relation lt(n, n)\nmutable relation p(n)\naxiom forall X. exists Y. lt(X, Y)\n\
                   axiom lt(X, Y) & lt(Y, Z) -> lt(X, Z)\naxiom !lt(X, X)\ninit p(N)\nsafety exists N. !p(N)\n";
    let (declarations, pigeons) = pigeonhole_formula(6);
    let inside = format!("{declarations}safety !({pigeons})\n");
    let (outside, work) = (Some(2_000), Some(2_000));
    for (text, limits, expected) in [
        (endless, Limits { outside, ..Limits::default() }, Some(Exhausted::DefaultWork)),
        (endless, Limits { work, ..Limits::default() }, Some(Exhausted::Work)),
        (&inside, Limits { outside, ..Limits::default() }, None),
        (&inside, Limits { work, ..Limits::default() }, Some(Exhausted::Work)),
    ] {
        let options = Options { all: true, ..Options::default() };
        let results = Plan::new(Arc::new(models::system("m.pyv", text)), options).run(&limits).results;
        match (&results[0].outcome, expected) {
            (Outcome::Unknown(why), Some(expected)) => assert_eq!(*why, expected),
            (Outcome::Holds { .. }, None) => {}
            (outcome, _) => panic!("{outcome:?}, not {expected:?}"),
        }
    }
}

#[test]
fn the_kernel_refuses_what_is_too_large() {
    let text = format!("{}axiom q({})\ninit m(X)\nsafety m(X)\n", vocabulary(20), tree(0..20, "a"));
    let outcomes = answers("m.pyv", &text, u64::MAX, true);
    assert!(matches!(outcomes[..], [Outcome::Unknown(Exhausted::FormulaSize)]), "{outcomes:?}");
    let system = models::system("m.pyv", &text);
    let digest = format::sha256(&text);
    let certificate = format!(
        "{}\n{}{digest}\n{}{digest}\nclaim proved\nq 0 0\n{}\n",
        format::HEADER,
        format::SOURCE,
        format::CORE,
        format::END,
    );
    let rejection = check::check(&system, &text, certificate.as_bytes()).expect_err("no proof");
    assert!(rejection.reason.contains("too large"), "{rejection}");
}

/// Formulas in a row, each of which has the one before in it twice: definitions, and derived relations.
#[test]
fn definitions_that_use_others_twice() {
    let formula = |at: usize| match at {
        0 => "r(x)".to_owned(),
        _ if at % 2 == 1 => format!("d{0}(x) & (q(x) | d{0}(x))", at - 1),
        _ => format!("d{}(x) | q(x) & r(x)", at - 1),
    };
    let definitions = list(101, |at| format!("definition d{at}(x: s) = {}", formula(at)), "\n");
    let relations = list(101, |at| format!("derived relation d{at}(s): d{at}(x) <-> {}", formula(at)), "\n")
        .replace("(x)", "(X)");
    for declared in [definitions, relations] {
        for (claim, certify, expected) in [("d100(X)", true, "++++"), ("!d100(X)", false, "-+++")] {
            let text = format!(
                "sort s\nmutable relation r(s)\nmutable relation q(s)\n{declared}\ninit r(X)\ninit !q(X)\n\
                 transition t(x: s) modifies q & (forall X. new(q(X)) <-> q(X) | X = x)\n\
                 invariant {claim}\ninvariant r(X)\n"
            );
            let found = answers("m.pyv", &text, 20_000_000, certify);
            assert_eq!(found.iter().map(letter).collect::<String>(), expected, "{claim}");
        }
    }
}

/// Each function of a script has the one before in its meaning twice.
#[test]
fn functions_that_use_others_twice() {
    let functions = list(
        101,
        |at| match at {
            0 => "(define-fun d0 ((x s)) Bool (r x))".to_owned(),
            _ if at % 2 == 1 => {
                format!("(define-fun d{at} ((x s)) Bool (and (d{0} x) (or (q x) (d{0} x))))", at - 1)
            }
            _ => format!("(define-fun d{at} ((x s)) Bool (or (d{} x) (and (q x) (r x))))", at - 1),
        },
        "\n",
    );
    let script = format!(
        "(declare-sort s 0)\n(declare-fun r (s) Bool)\n(declare-fun q (s) Bool)\n{functions}\n\
         (push)(assert (exists ((x s)) (and (r x) (not (d100 x)))))\n(check-sat)(pop)\n\
         (assert (forall ((x s)) (d100 x)))(assert (exists ((x s)) (not (r x))))\n(check-sat)\n"
    );
    assert_eq!(run(&["solve"], "limits-twice.smt2", &script), (Some(0), "unsat\nunsat\n".to_owned()));
}

/// Returns a program with a long body: each line has a branch that assigns a function and a relation of its values.
fn program(branches: usize) -> String {
    let conditions = list(branches, |i| format!("relation c{i}: s, s"), "\n");
    let body = list(
        branches,
        |i| {
            format!(
                "  if c{i}(x, y) {{ f(x) := g(y) ; r.insert(f(x), g(x)) }} else {{ f(y) := g(x) ; r.remove(g(x), f(y)) }}"
            )
        },
        "\n",
    );
    format!(
        "sort s\nsort t\n{conditions}\nfunction f: s -> t\nfunction g: s -> t\nrelation r: t, t\nvariable x: s\n\
         variable y: s\nassume ∀ A, B. !r(A, B)\nwhile * do {{ x := *\n y := *\n{body}\n}}\n\
         conjecture [good] c0(X, Y) -> c0(X, Y)\nconjecture [bad] ¬r(X, Y)\n"
    )
}

#[test]
fn programs_with_many_branches() {
    let text = program(30);
    let found: String = answers("m.rml", &text, 20_000_000, false).iter().map(letter).collect();
    assert_eq!(found, "+++-");
    let certified: String = answers("m.rml", &text, 20_000_000, true).iter().map(letter).collect();
    assert!(certified.starts_with("++"), "{certified}");
    let options = bmc::Options::new(vec![bmc::Target::Model(Property::Invariant(1))], 3);
    let mut run = bmc::Bmc::new(Arc::new(models::system("m.rml", &text)), options);
    let limits = Limits { work: Some(20_000_000), ..Limits::default() };
    let mut depths = Vec::new();
    while let Some(depth) = run.advance(&limits) {
        depths.push(depth.outcome);
    }
    assert!(matches!(depths[..], [bmc::Outcome::Holds, bmc::Outcome::Violated(_)]), "{depths:?}");
}

/// Takes work in proportion to the model: a search does not look at every instance of every invariant for each goal.
#[test]
fn many_invariants() {
    let work = |count: usize| {
        let invariants = list(count, |i| format!("invariant [i{i}] p(N)"), "\n");
        let text = format!(
            "sort node\nmutable relation p(node)\ninit p(N)\n\
             transition t(n: node)\n  modifies p\n  & (p'(N) <-> (p(N) | N = n))\n{invariants}\n"
        );
        let options = Options { all: true, ..Options::default() };
        let limits = Limits { work: Some(20_000_000), ..Limits::default() };
        let found = Plan::new(Arc::new(models::system("m.pyv", &text)), options).run(&limits);
        assert_eq!(found.results.len(), 2 * count);
        assert!(found.results.iter().all(|result| matches!(result.outcome, Outcome::Holds { .. })));
        found.statistics.work
    };
    let [few, many] = [3_000, 12_000].map(work);
    assert!(many < 5 * few, "4 times the invariants take {few} and {many} steps of work");
}

fn run(args: &[&str], name: &str, text: &str) -> (Option<i32>, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file for the test");
    let output = Command::new(ramsey_binary()).args(args).arg(&path).output();
    let output = output.expect("the binary runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// Frame conditions of a relation with more tuples than can be tried hold at once where nothing changes.
#[test]
fn a_relation_of_many_arguments_that_nothing_mentions() {
    let text = format!(
        "sort node\nmutable relation leader(node)\nmutable relation q({})\ninit !leader(N)\n\
         transition elect(n: node)\n  modifies leader\n  & (forall M. leader'(M) <-> leader(M) | M = n)\n\
         safety leader(A) & leader(B) -> A = B\n",
        list(30, |_| "node".to_owned(), ",")
    );
    let options: [&[&str]; 3] = [&["verify"], &["verify", "--no-minimize"], &["cti"]];
    for options in options {
        let args = [options, &["--work", "1000"]].concat();
        let (code, out) = run(&args, "limits-arity.pyv", &text);
        assert_eq!(code, Some(1), "{options:?}: {out}");
    }
}

#[test]
fn evaluation_is_limited_by_the_work_of_the_search() {
    let vars = list(30, |i| format!("(x{i} U)"), " ");
    let args = list(30, |i| format!("x{i}"), " ");
    let sorts = list(30, |_| "U".to_owned(), " ");
    let text = format!(
        "(declare-sort U 0)(declare-fun q ({sorts}) Bool)(declare-fun r ({sorts}) Bool)\n\
         (declare-const a U)(declare-const b U)(assert (not (= a b)))\n\
         (assert (forall ({vars}) (= (q {args}) (r {args}))))(check-sat)\n"
    );
    let (code, out) = run(&["solve", "--work", "1000"], "limits-arity.smt2", &text);
    assert!(code == Some(0) && out.starts_with("unknown"), "{code:?}: {out}");
}

/// An assertion that runs out of a budget ends a search, as further work does not lead to an answer.
#[test]
fn bounded_checks_end_with_any_budget() {
    let text = "sort a\nmutable relation w\nmutable relation u(a)\nimmutable relation j(a)\ninit !u(V)\ninit !w\n\
                transition t1(x: a, y: a)\n  modifies w (w' <-> j(y)) & (!w' <-> (w -> j(x)))\n\
                safety [c0x] !w | !j(V)\n";
    let mut unknown = 0;
    for work in (10..200).step_by(10) {
        let (code, out) = run(&["bmc", "--work", &work.to_string()], "limits-bmc.pyv", text);
        assert!(matches!(code, Some(0 | 3)), "{work}: {out}");
        unknown += u32::from(code == Some(3));
    }
    assert!(unknown > 5);
}

#[test]
fn walks_have_a_time_limit_and_a_length() {
    let text = "sort s\nmutable relation r(s)\ninit !r(X)\n\
                transition t(x: s)\n  modifies r\n  & (r'(X) <-> (r(X) <-> X != x))\nsafety r(X) | !r(X)\n";
    let args = ["simulate", "--steps", "100000", "--run-timeout", "0.1"];
    let (code, out) = run(&args, "limits-walk.pyv", text);
    assert_eq!(code, Some(3), "{out}");
    assert!(out.contains("transition t(") && out.contains("time limit of the run"), "{out}");
    let (code, out) = run(&["simulate", "--steps", "100001"], "limits-length.pyv", text);
    assert_eq!(code, Some(2));
    assert!(out.contains("100000"), "{out}");
}

/// Relations in a row, each with a transition of its own that adds to it what the one before has, and the claim that it has no more.
fn row(relations: usize) -> String {
    let declarations = list(relations, |i| format!("mutable relation r{i}(s)\ninit !r{i}(X)"), "\n");
    let step = |i: usize| {
        let guard = if i == 0 { String::new() } else { format!("r{}(x) & ", i - 1) };
        format!("transition t{i}(x: s)\n  modifies r{i}\n  {guard}(new(r{i}(X)) <-> r{i}(X) | X = x)")
    };
    let claim = |i: usize| format!("invariant r{}(X) -> r{i}(X)", i + 1);
    let (steps, claims) = (list(relations, step, "\n"), list(relations - 1, claim, "\n"));
    format!("sort s\n{declarations}\n{steps}\n{claims}\n")
}

#[test]
fn claims_about_what_a_transition_leaves_as_it_is_need_no_search() {
    let system = Arc::new(models::system("m.pyv", &row(6)));
    for cores in [false, true] {
        let options = Options { cores, ..Options::default() };
        let verification = Plan::new(Arc::clone(&system), options).run(&Limits::default());
        let mut spared = 0;
        for result in verification.results {
            let Origin::Consecution { transition, invariant } = result.origin else { continue };
            let is_concerned = [invariant, invariant + 1].contains(&transition);
            assert_eq!(result.statistics.queries, u64::from(is_concerned), "{:?}", result.origin);
            spared += usize::from(!is_concerned);
            let Outcome::Holds { core } = result.outcome else { panic!("{:?}", result.outcome) };
            let claims = [HypothesisOrigin::Invariant(invariant), HypothesisOrigin::Transition(transition)];
            if !is_concerned {
                assert_eq!(core, if cores { &claims[..] } else { &[] });
            }
        }
        assert_eq!(spared, 6 * 5 - 2 * 5);
    }
}

#[test]
fn transitions_have_the_conditions_of_unchanged_symbols_in_common() {
    let terms = |relations: usize| Obligations::new(&models::system("m.pyv", &row(relations))).terms.len();
    let (few, many) = (terms(20), terms(80));
    assert!(many < 5 * few, "{few} {many}");
}
