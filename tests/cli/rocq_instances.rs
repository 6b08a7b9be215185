//! Theorems of Rocq about instances: what is written. That it is accepted is tested with all others.

use std::fs;

use crate::common::binary::Dir;

/// Colours that the axioms name, and initial conditions that say something of what never changes: `q` is true everywhere.
pub(crate) const COLOURS: &str = "\
sort colour
sort lamp
immutable constant red: colour
immutable constant green: colour
axiom red != green & (forall X. X = red | X = green)
immutable relation p(lamp)
immutable relation q(lamp)
immutable constant lamp0: lamp
mutable relation on(lamp)
mutable function light(lamp): colour
init !on(X) & light(X) = red
init on(X) | q(X)
init exists X. p(X)
transition switch(x: lamp)
  modifies light, on
  & p(x)
  & (forall Y. new(light(Y)) = (if Y = x & (forall Z. light(Z) = red) then green else light(Y)))
  & (forall Y. new(on(Y)) <-> on(Y) | Y = x)
transition off(x: lamp)
  modifies light
  & (forall Y. new(light(Y)) = (if Y = x then red else light(Y)))
safety [one] light(X) = green & light(Y) = green -> X = Y
safety [known] (light(X) = green -> p(X) & q(X)) & (on(X) | (exists Y. p(Y)))
";

#[test]
fn instances_are_in_the_words_of_the_model() {
    let dir = Dir::new();
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.file("colours.pyv", COLOURS);
    let page = |run: &[&str], code: i32, parts: &[&str]| {
        dir.run(&[&["instance"], run, &["--rocq", "page"]].concat()).ends_with(code);
        let page = fs::read_to_string(dir.0.join("page/Theorem.v")).expect("the page");
        for part in parts {
            assert!(page.contains(part), "{run:?}: {part}\n\n{page}");
        }
        page
    };
    page(
        &["lock.pyv", "client=2"],
        0,
        &[
            "Variable client0 : client.\nVariable client1 : client.\n",
            "sort client *)\nDefinition axiom_elements_client : Prop :=\n  (forall (X : client), (X = client0) \\/ (X = client1)) /\\\n  (~ (client0 = client1)).\n",
            "Definition claim_safe : Prop := (forall P : Prop, P \\/ ~ P) -> inhabited client -> forall s, reach s ->\n  safety_mutex s.",
            "Theorem invariants_hold : claim_invariants_hold.",
        ],
    );
    // Elements that axioms name have no other names, and names of the model are not used again.
    for more in [&[][..], &["--functions", "binary"]] {
        let run = [&["colours.pyv", "lamp=2"], more].concat();
        let page = page(
            &run,
            0,
            &[
                "Variable lamp0 : lamp.\nVariable lamp0_ : lamp.\nVariable lamp1 : lamp.\n",
                "(X = lamp0_) \\/ (X = lamp1)",
                "Definition invariant_initial_1 (s : state) : Prop :=\n  exists (X : lamp),\n  p X.\n",
            ],
        );
        assert!(!page.contains("axiom_elements_colour"), "{page}");
    }
    // What was not asked about is not claimed, and a formula is claimed under its own text.
    let found =
        page(&["lock.pyv", "client=1", "-p", "holds(C) -> !free"], 0, &["lock.pyv, line 6: sort client"]);
    assert!(found.contains("line 1: holds(C) -> !free *)\nDefinition property"), "{found}");
    assert!(!found.contains("safety_mutex"), "{found}");
    let found = page(
        &["colours.pyv", "lamp=2", "-p", "light(X) = red"],
        1,
        &["Inductive lamp : Type := lamp0_ | lamp1.\n", "  assumed_1 s s' /\\\n  ~ (property s').\n"],
    );
    assert!(!found.contains("Variable"), "{found}");
}

#[test]
fn instances_without_an_answer_have_no_theorem() {
    let dir = Dir::new();
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.run(&["instance", "lock.pyv", "client=2", "--work", "1", "--rocq", "page"]).ends_with(3);
    dir.file(
        "many.pyv",
        "sort t\nmutable relation r\ninit !r\ntransition a() modifies r & (new(r) <-> !r)\nsafety r | !r\n",
    );
    let run = dir.run(&["instance", "many.pyv", "t=101", "--rocq", "page"]).ends_with(2);
    run.complains("the sort `t` has too many elements to name them");
    assert!(!dir.0.join("page").exists());
}
