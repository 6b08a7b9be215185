//! Tests of lowering: the terms that formulas are translated to.

use super::load;
use ramsey_core::logic::{Node, TermId};
use ramsey_core::system::{System, TraceStep};
use ramsey_solver::formulas::Pretty;

const VOCABULARY: &str = "
sort s
mutable relation p
mutable relation r(s)
immutable relation q(s, s)
immutable constant c: s
mutable function f(s): s
";

#[track_caller]
fn system(text: &str) -> System {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    system.unwrap_or_else(|| panic!("{text}\n{diagnostics}"))
}

fn shown(system: &System, term: TermId) -> String {
    Pretty::new(system.syntax(), term).to_string()
}

/// Returns the formula of the only theorem, at the end of the declarations.
#[track_caller]
fn theorem(text: &str) -> String {
    let system = system(text);
    let formula = system.theorems[0].formula;
    assert!(system.terms.free_vars(formula).is_empty(), "closed");
    shown(&system, formula)
}

#[test]
fn capital_letters_are_closed_by_one_forall_in_order_of_occurrence() {
    assert_eq!(
        theorem("theorem q(Y, X) -> exists Z. q(X, Z)"),
        "forall Y:s, X:s. q(Y, X) -> (exists Z:s. q(X, Z))"
    );
    let system = system("transition t(x: s) = q(x, Y)");
    let transition = &system.transitions[0];
    assert_eq!(shown(&system, transition.body), "forall Y:s. q(x, Y)");
    assert_eq!(system.terms.free_vars(transition.body), transition.params);
}

#[test]
fn new_and_primes_read_later_states() {
    assert_eq!(theorem("twostate theorem new(r(c) & p) -> f'(c) = f(c)"), "r'(c) & p' -> f'(c) = f(c)");
    assert_eq!(theorem("twostate theorem r'(f(c)) & new(r(f(c)))"), "r'(f(c)) & r'(f'(c))");
    assert_eq!(theorem("twostate theorem new(q(c, c)) -> p"), "q(c, c) -> p");
}

#[test]
fn primes_shift_definitions_and_named_formulas() {
    let definition = "definition d() = exists X. r(X)\n";
    assert_eq!(
        theorem(&format!("{definition}twostate theorem d -> d'")),
        "(exists X:s. r(X)) -> (exists X:s. r'(X))"
    );
    assert_eq!(theorem("invariant [i] p\ntwostate theorem i -> i'"), "p -> p'");
    assert_eq!(
        theorem("safety p\nsafety r(c)\ntwostate theorem safety & safety'"),
        "(p & r(c)) & (p' & r'(c))"
    );
    assert_eq!(
        theorem("definition d(x) = r(x)\ntwostate theorem d'(f(c)) & new(d(f(c)))"),
        "r'(f(c)) & r'(f'(c))"
    );
}

#[test]
fn expansion_does_not_capture() {
    assert_eq!(
        theorem("definition d(x) = exists y. q(x, y)\ntheorem forall y. d(y)"),
        "forall y:s. exists y_1:s. q(y, y_1)"
    );
    assert_eq!(
        theorem("theorem forall x. let z = x in exists x. q(z, x)"),
        "forall x:s. exists x_1:s. q(x, x_1)"
    );
}

#[test]
fn formulas_as_arguments_are_expanded_with_new_binders() {
    let text = "definition d(b: bool) = exists x. r(x) & b\ntheorem d(d(p))";
    assert_eq!(theorem(text), "exists x:s. r(x) & (exists x_1:s. r(x_1) & p)");
    let text = "definition e(x: s) = exists y. q(x, y)\ndefinition d(b: bool) = e(c) & (forall z. e(z)) & b\ntheorem d(d(exists y. r(y)))";
    assert!(theorem(text).contains("exists y:s. q(c, y)"));
}

#[test]
fn a_let_value_is_read_in_the_state_of_the_let() {
    assert_eq!(theorem("twostate theorem let v = f(c) in new(r(v))"), "r'(f(c))");
    assert_eq!(theorem("theorem let v = p in v & !v"), "p & !p");
}

#[test]
fn equality_of_formulas_becomes_equivalence() {
    assert_eq!(theorem("theorem (p = r(c)) & p != r(c)"), "(p <-> r(c)) & !(p <-> r(c))");
    assert_eq!(theorem("theorem forall b: bool. b = p"), "forall b:bool. b <-> p");
}

#[test]
fn bullets_and_nesting_are_flattened_to_the_left_only() {
    let system = system("theorem (& p & r(c)) & p & (p & p)");
    let Node::And(args) = system.terms.node(system.theorems[0].formula) else { panic!("a conjunction") };
    assert_eq!(args.len(), 4);
}

#[test]
fn labels_are_names_or_lines() {
    let system = system(
        "invariant [a] p\nsafety r(X)\n\n\n  invariant\n  p | p\ntwostate theorem [t] p\nzerostate theorem q(c, c)",
    );
    let labels: Vec<&str> = system.invariants.iter().map(|invariant| &*invariant.label).collect();
    assert_eq!(labels, ["a", "L9", "L12"]);
    let safeties: Vec<bool> = system.invariants.iter().map(|invariant| invariant.is_safety).collect();
    assert_eq!(safeties, [false, true, false]);
    let theorems: Vec<_> = system.theorems.iter().map(|theorem| (&*theorem.label, theorem.states)).collect();
    assert_eq!(theorems, [("t", 2), ("L15", 0)]);
}

#[test]
fn transitions_keep_parameters_and_modifies() {
    let system = system("transition t(x: s, b) modifies r, p (r'(X) <-> r(X) | X = x) & p' = b");
    let transition = &system.transitions[0];
    let modified: Vec<&str> = transition.modifies.iter().map(|&sym| &*system.sig.symbols[sym].name).collect();
    assert_eq!(modified, ["r", "p"]);
    assert_eq!(transition.params.len(), 2);
    assert_eq!(system.terms.max_step(transition.body), 1);
}

#[test]
fn traces_refer_to_transitions() {
    let system = system(
        "definition d() = p\ntransition t(x: s) = r(x)\ntransition u(x: s) = r(x)\nsat trace { assert init u(f(c)) | t any transition assert r(X) }",
    );
    let trace = &system.traces[0];
    assert!(trace.expect_sat);
    let [
        TraceStep::AssertInit,
        TraceStep::Transitions(calls),
        TraceStep::AnyTransition,
        TraceStep::Assert(formula),
    ] = &trace.steps[..]
    else {
        panic!("{trace:?}")
    };
    assert_eq!((calls[0].transition, calls[1].transition), (1, 0));
    assert_eq!(calls[0].args[0].map(|arg| shown(&system, arg)).as_deref(), Some("f(c)"));
    assert_eq!(calls[1].args, [None]);
    assert_eq!(shown(&system, *formula), "forall X:s. r(X)");
}

#[test]
fn derived_relations_have_their_axiom() {
    let system = system("derived relation d(s): d(X) <-> r(X) & p");
    assert_eq!(system.sig.symbols[system.derived[0].sym.expect("a relation")].name, "d");
    assert_eq!(shown(&system, system.derived[0].axiom), "forall X:s. d(X) <-> r(X) & p");
}
