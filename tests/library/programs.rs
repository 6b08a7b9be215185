//! Queries about programs: regression tests of answers that once were wrong.

use std::sync::Arc;

use crate::common::bounded::{safety, violation};
use crate::common::models;
use ramsey::check::check;
use ramsey::check::format::Claim;
use ramsey::diag::Code;
use ramsey::elaborate;
use ramsey::formulas::Pretty;
use ramsey::logic::TermId;
use ramsey::obligations::{Origin, Question};
use ramsey::query::bmc;
use ramsey::query::{Limits, trace};
use ramsey::system::{System, Transition};
use ramsey::transition::{Action, Update};

fn load(text: &str) -> Arc<System> {
    Arc::new(models::system("model.rml", text))
}

#[test]
fn an_assertion_may_be_violated_by_other_choices_than_those_before_it() {
    let system = load(
        "variable a: bool
         variable b: bool
         a := true
         b := true
         while * {
           { assume a } | { assume !a; b := false }
           assert b
           a := false
           b := true
         }",
    );
    let (steps, _) = violation(&system, bmc::Options::new(safety(&system), 2))
        .expect("the second step takes the second branch");
    assert_eq!(steps, Some(1));
}

#[test]
fn what_goes_wrong_before_the_loop_is_told_from_where_it_begins() {
    let system = load(
        "sort s
         relation p: s
         variable c: s
         assume p(c)
         p(X) := !p(X)
         assert p(c)
         while * { skip }",
    );
    let (steps, violation) =
        violation(&system, bmc::Options::new(safety(&system), 0)).expect("violated at once");
    assert_eq!(steps, None);
    let value = |name: &str, args: &[u32]| {
        let sym = system.sig.symbols.ids().find(|&sym| system.sig.symbols[sym].name == name).expect(name);
        violation.counterexample.structure.interpretation(&system.sig, sym, 0).get(args)
    };
    assert_eq!(value("p", &[value("c", &[])]), 1);
}

#[test]
fn proofs_introduce_a_formula_before_its_witnesses() {
    let text = "sort s
         sort t
         relation r: s, s
         relation u: t
         relation p: s
         while * {
           if exists X:s. !(r(X, X) | r(X, X)) {
             assume exists X:t. forall Y:t. !u(Y) <-> (Y = X -> u(X))
           } else {
             p(X) := !p(X) & (r(X, X) -> !r(X, X))
           }
           assert exists X:s. !p(X) & (p(X) -> p(X))
         }
         sat trace {
           assert init
           any transition
           assert exists X:t. forall Y:s. if !r(Y, Y) -> !r(Y, Y) then p(Y) else u(X) & r(Y, Y)
         }";
    let system = load(text);
    for seed in 0..4 {
        let options = trace::Options { minimize: true, certify: true, seed, clock: None };
        let result = trace::trace(&system, 0, &options, &Limits::default());
        assert!(matches!(result.outcome, trace::Outcome::Unsat), "{:?}", result.outcome);
        let claim = Claim { question: Question::Traces(vec![0]), beside: None, proved: false };
        let certificate = result.certificate.as_ref().expect("a proof");
        let blocks = [(Origin::Trace { trace: 0 }, certificate)];
        let certificate = elaborate::text(&system, text, &claim, &blocks).expect("a proof");
        check(&system, text, certificate.as_bytes()).expect("accepted");
    }
}

#[test]
fn executions_begin_once() {
    let program = |steps: &str| {
        format!(
            "sort s
             variable c: s
             relation p: s
             p(X) := X = c
             c := *
             while * {{ action swap(x: s) {{ p(X) := X = x }} }}
             sat trace {{ {steps} }}"
        )
    };
    for good in ["assert init\n swap", "swap", "assert true\n swap\n assert init"] {
        assert!(models::load("model.rml", &program(good)).0.is_some(), "{good}");
    }
    for bad in ["assert init\n swap\n assert init", "swap\n assert init"] {
        let (system, diagnostics) = models::load("model.rml", &program(bad));
        assert!(system.is_none(), "{bad}");
        assert_eq!(diagnostics.iter().map(|it| it.code).collect::<Vec<_>>(), [Code::Program]);
    }
}

/// Returns the parts of an action as text: guard, updates and residual.
fn normal_form(system: &System, transition: &Transition) -> Vec<String> {
    let (sig, mut terms) = (&system.sig, system.terms.clone());
    let params: Vec<TermId> = transition.params.iter().map(|&param| terms.var(param)).collect();
    let action = Action::of_transition(system, terms.over_mut(sig), transition, &params);
    let mut parts = Vec::new();
    for sym in sig.symbols.ids().filter(|&sym| sig.symbols[sym].kind.is_mutable()) {
        let name = &sig.symbols[sym].name;
        parts.push(match action.update(sym) {
            Update::Unchanged => format!("{name} unchanged"),
            Update::Free => format!("{name} free"),
            Update::Definition { vars, value } => {
                let vars: Vec<&str> = vars.iter().map(|&var| &*terms.var_info(var).name).collect();
                format!("{name}({}) := {}", vars.join(","), Pretty::new(terms.over(sig), *value))
            }
        });
    }
    for &formula in action.guard.iter().chain(&action.residual) {
        parts.push(Pretty::new(terms.over(sig), formula).to_string());
    }
    parts
}

#[test]
fn updates_known_from_commands_are_those_read_from_formulas() {
    let mut known = 0;
    for path in std::fs::read_dir("examples").expect("the examples").map(|it| it.expect("an entry").path()) {
        if path.extension().is_none_or(|extension| extension != "rml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a model");
        let system = models::load(&path.to_string_lossy(), &text).0.expect("a correct model");
        for transition in &system.transitions {
            let plain = Transition { effect: None, ..transition.clone() };
            assert_eq!(normal_form(&system, transition), normal_form(&system, &plain), "{}", path.display());
            known += usize::from(transition.effect.is_some());
        }
    }
    assert!(known > 20, "{known} commands");
}
