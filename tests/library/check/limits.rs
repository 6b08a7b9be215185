//! Large and deep input.

use super::{MODEL, STEPS, counterexample, head, proof, rejects, run, steps, with};
use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::check::check;
use ramsey::lang::pyv;
use ramsey::logic::{Node, TermId};

#[test]
fn deep_terms_and_long_lines_are_no_danger() {
    let mut lines = vec!["t a".to_owned()];
    lines.extend((0..50_000).map(|at| format!("t f {at}")));
    lines.extend(["i 1".into(), "u 1 50000".into(), "u 1 49999".into(), "o 2".into(), "o 3".into()]);
    // Formulas 4, 5: p(f^50000 a), p(f^50001 a); 6: p(f^49999 a).
    let mut good = lines.clone();
    good.push("q 4 -4".into());
    good.extend(["i 3".into(), "a 7 0".into(), "a 7 1".into(), "r 0 7 8 9".into()]);
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    let accepted = run(MODEL, with(0, &good));
    assert!(accepted.is_ok(), "{}", accepted.unwrap_err());
    lines.push("q 4 -5".into());
    let bad: Vec<&str> = lines.iter().map(String::as_str).collect();
    rejects(MODEL, with(0, &bad), "does not follow");
    rejects(MODEL, with(0, &[&format!("r{}", " 1".repeat(1_000_000))]), "no formula 1 yet");
    rejects(MODEL, with(0, &["i 3", &format!("r 0{}", " 1".repeat(1_000_000))]), "satisfied");
    rejects(MODEL, with(0, &["x".repeat(10_000_000).as_str()]), "unknown kind");
    // Symbols have at most a step per state, whatever their name says.
    rejects(STEPS, steps().replace("t k'\n", &format!("t k{}\n", "'".repeat(65_537))), "too many primes");
}

#[test]
fn executions_beyond_what_steps_can_count_are_refused() {
    let model =
        "mutable relation r\ninit !r\ntransition t()\n  modifies r\n  & r'\nunsat trace {\nt\nassert r\n}\n";
    let (system, _) = pyv::load(FileId::new(0), model);
    let mut system = system.expect("a model without errors");
    let certificate =
        format!("{}obligation trace 0\nproof\ni 0\na 1 0\na 1 2\nr 0 1 2 3\nend\n", head("trace 0 proved"));
    for (steps, is_refused) in [(1, false), (1_000, false), (1_001, true), (65_535, true), (65_536, true)] {
        let trace = &mut system.traces[0];
        let (init, call, assert) =
            (trace.steps[0].clone(), trace.steps[1].clone(), trace.steps.last().cloned());
        trace.steps = std::iter::once(init).chain(vec![call; steps]).chain(assert).collect();
        let rejection = check(&system, model, certificate.as_bytes()).expect_err("a trace that exists");
        assert_eq!(rejection.line == 3, is_refused, "{steps} steps: {rejection}");
    }
}

#[test]
fn deep_formulas_are_refused() {
    let (system, _) =
        pyv::load(FileId::new(0), "sort s\nimmutable relation p(s)\ntheorem [t] forall X. p(X)\n");
    let mut system = system.expect("a model");
    let atom = system.theorems[0].formula;
    let certificate = head("refuted") + &counterexample("theorem 0 t", &["size s 1"]);
    for _ in 0..100 {
        let inner = system.theorems[0].formula;
        let negated = system.terms.not(inner);
        system.theorems[0].formula = system.terms.not(negated);
    }
    assert!(check(&system, "", certificate.as_bytes()).is_ok());
    for _ in 0..100_000 {
        let inner = system.theorems[0].formula;
        system.theorems[0].formula = system.terms.not(inner);
    }
    let rejection = check(&system, "", certificate.as_bytes()).expect_err("too deep");
    assert!(rejection.reason.contains("too deep"), "{rejection}");
    // A formula that is not closed says nothing.
    let Node::Forall(_, body) = system.terms.node(atom) else { panic!("as it was written") };
    system.theorems[0].formula = body;
    let rejection = check(&system, "", certificate.as_bytes()).expect_err("not closed");
    assert!(rejection.reason.contains("free variable"), "{rejection}");
}

#[test]
fn formulas_of_the_depth_that_is_allowed_do_not_exhaust_the_stack() {
    let (system, _) = pyv::load(
        FileId::new(0),
        "sort s\nimmutable relation p(s)\nimmutable constant c: s\ntheorem [t] forall X. p(X) | c = X\n",
    );
    let mut system = system.expect("a model");
    let Node::Forall(_, body) = system.terms.node(system.theorems[0].formula) else { panic!("a quantifier") };
    let parts: Vec<TermId> = system.terms.children(body).collect();
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    for shape in 0..3 {
        let mut formula = system.terms.fals();
        let mut level = 0;
        while system.terms.depth(formula) < 1_990 {
            level += 1;
            let terms = &mut system.terms;
            let var = terms.new_var("X", sort);
            let term = terms.var(var);
            let atom = terms.rebuild(parts[0], &[term]);
            formula = match shape {
                0 if level % 2 == 0 => terms.and(&[atom, formula]),
                0 => terms.or(&[atom, formula]),
                1 => terms.not(formula),
                _ => terms.iff(atom, formula),
            };
            let universal = level % 3 == 0;
            formula = if universal { terms.forall(&[var], formula) } else { terms.exists(&[var], formula) };
        }
        system.theorems[0].formula = formula;
        for body in [proof("theorem 0 t", &["i 0", "o 1"]), counterexample("theorem 0 t", &["size s 1"])] {
            let outcome = check(&system, "", (head("refuted") + &body).as_bytes());
            assert!(
                outcome.is_ok() || outcome.is_err_and(|rejection| !rejection.reason.contains("too deep"))
            );
        }
    }
}
