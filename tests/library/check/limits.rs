//! Large and deep input.

use super::{PROOFS, STEPS, STEPS_PROOF, accepts, certificate, head, model_of, rejects};
use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::check::check;
use ramsey::lang::pyv;
use ramsey::logic::{Node, TermId};

#[test]
fn deep_terms_and_long_lines_are_no_danger() {
    let prop = model_of(0);
    let with = |lines: &[String]| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        certificate("proved", &lines)
    };
    let mut lines = vec!["t A 0 0 0".to_owned()];
    lines.extend((0..50_000).map(|at| format!("t A 0 3 1 {at}")));
    lines.extend(["i 0 1", "u 1 50000", "u 1 49999", "p 2 0", "p 3 0"].map(String::from));
    // Formulas 4, 5: p(f^50000 a), p(f^50001 a); 6: p(f^49999 a).
    let mut good = lines.clone();
    good.extend(["c -1 -6 5 0 1 2 4 3", "i 0 3", "O 7 0", "O 7 1", "c 7 0 6 7", "q 0 8"].map(String::from));
    accepts(&prop, with(&good));
    lines.push("c -1 -6 -5 0 1 2 4 3".into());
    rejects(&prop, with(&lines), "no contradiction");
    let long = " 1".repeat(1_000_000);
    rejects(&prop, certificate("proved", &[&format!("c{long}")]), "lacks a word");
    rejects(&prop, certificate("proved", &[&format!("c{long} 0")]), "no such formula");
    rejects(&prop, certificate("proved", &["i 0 3", &format!("c{long} 0")]), "no contradiction");
    rejects(&prop, certificate("proved", &["i 0 3", &format!("c 1 0{long}")]), "no such clause");
    rejects(&prop, certificate("proved", &[&"x".repeat(10_000_000)]), "unknown kind");
    // Whatever a line says of their number, there are as many parts as there are words.
    rejects(&prop, certificate("proved", &["d & 2147483647 & 0"]), "lacks a word");
    // Symbols have at most a value for each state, whatever their words say.
    let good = certificate("proved", STEPS_PROOF);
    accepts(STEPS, &good);
    for state in ["3", "65537", "2147483647"] {
        let changed = good.replace("t A 1 0 0\n", &format!("t A {state} 0 0\n"));
        rejects(STEPS, changed, "not read in this state");
    }
    accepts(&prop, certificate("proved", PROOFS[0]));
}

#[test]
fn executions_beyond_what_steps_can_count_are_refused() {
    let model =
        "mutable relation r\ninit !r\ntransition t()\n  modifies r\n  & r'\nunsat trace {\nt\nassert r\n}\n";
    let (system, _) = pyv::load(FileId::new(0), model);
    let mut system = system.expect("a model without errors");
    let certificate = format!("{}i 0 0\nq 0 0\nend\n", head("trace 0 proved"));
    for (steps, is_refused) in [(1, false), (1_000, false), (1_001, true), (65_535, true), (65_536, true)] {
        let trace = &mut system.traces[0];
        let (init, call, assert) =
            (trace.steps[0].clone(), trace.steps[1].clone(), trace.steps.last().cloned());
        trace.steps = std::iter::once(init).chain(vec![call; steps]).chain(assert).collect();
        let rejection = check(&system, model, certificate.as_bytes()).expect_err("a trace that exists");
        assert_eq!(rejection.reason.contains("not a claim"), is_refused, "{steps} steps: {rejection}");
        assert_eq!(rejection.line == 4, is_refused, "{steps} steps: {rejection}");
    }
}

#[test]
fn deep_formulas_are_refused() {
    let (system, _) =
        pyv::load(FileId::new(0), "sort s\nimmutable relation p(s)\ntheorem [t] forall X. p(X)\n");
    let mut system = system.expect("a model");
    let atom = system.theorems[0].formula;
    let certificate = certificate("refuted", &["s 0", "size 0 1", "end"]);
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
    assert!(rejection.reason.contains("closed systems have no"), "{rejection}");
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
        for lines in [&["i 0 0", "o 1"][..], &["t A 0 0 0", "i 0 0", "u 1 0"], &["s 0", "size 0 1", "end"]] {
            let outcome = check(&system, "", certificate("refuted", lines).as_bytes());
            assert!(
                outcome.is_ok() || outcome.is_err_and(|rejection| !rejection.reason.contains("too deep"))
            );
        }
    }
}
