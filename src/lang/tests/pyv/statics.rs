//! One accepting and one rejecting example for each static rule.

use super::load;

/// Sorts and symbols for the examples.
const VOCABULARY: &str = "
sort node
sort value
mutable relation p
mutable relation r(node)
mutable relation link(node, node)
immutable relation le(node, node)
immutable relation flag
immutable constant zero: node
mutable constant cur: node
mutable function val(node): value
immutable constant v0: value
";

/// Asserts that the declarations are accepted without any diagnostic.
#[track_caller]
fn accepts(text: &str) {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_some() && diagnostics.is_empty(), "{text}\n{diagnostics}");
}

/// Asserts that the declarations are rejected, with `expected` in the diagnostics.
#[track_caller]
fn rejects(text: &str, expected: &str) {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_none() && diagnostics.contains(expected), "{text}\nwanted: {expected}\n{diagnostics}");
    assert_eq!(diagnostics.matches("error[").count(), 1, "{text}\n{diagnostics}");
}

/// Asserts that the declarations are accepted with a warning that contains `expected`.
#[track_caller]
fn warns(text: &str, expected: &str) {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_some() && diagnostics.contains("warning["), "{text}\n{diagnostics}");
    assert!(diagnostics.contains(expected), "{text}\nwanted: {expected}\n{diagnostics}");
}

#[test]
fn sorts_and_symbols_are_two_namespaces() {
    accepts("immutable constant value: value");
    rejects("sort node", "error[R005]: the sort `node` is declared twice");
    rejects("immutable constant zero: node", "error[R005]: the name `zero` is declared twice");
    rejects("invariant [p] p", "first declared here, as a relation");
}

#[test]
fn declarations_may_follow_their_uses() {
    accepts("invariant d(zero) & named\ndefinition d(x: node) = r(x)\ninvariant [named] p\n");
    rejects("invariant d(zero)", "error[R006]: `d` is not declared");
}

#[test]
fn undeclared_names_get_suggestions() {
    rejects("invariant lnk(X, X)", "help: did you mean `link`?");
    rejects("invariant forall x: nodde. r(x)", "help: did you mean `node`?");
    rejects("transition go() = p\nsat trace { og }", "help: did you mean `go`?");
    rejects("invariant r(x)", "in capital letters: `X`");
    rejects("invariant p -> old(p)", "there is no old state here");
    rejects("invariant p -> pre(p)", "there is no `pre`");
    rejects("transition t() modifies p, q p'", "`q` is not declared");
}

#[test]
fn capital_letters_are_quantified() {
    accepts("invariant r(X) -> link(X, Y_1)");
    accepts("definition d(x: node) = link(x, Y) -> p");
    rejects("immutable constant A: node\ninvariant r(A)", "error[R005]: the variable `A` shadows a constant");
    rejects("invariant r(Xy)", "error[R006]: `Xy` is not declared");
}

#[test]
fn variables_must_not_shadow_declarations() {
    accepts("invariant forall x. r(x) & exists x. r(x)");
    rejects("invariant forall zero. r(zero)", "error[R005]: the variable `zero` shadows a constant");
    rejects("transition t(p: bool) = p", "shadows a relation");
    rejects("invariant let p = flag in r(X)", "shadows a relation");
    rejects("definition d() = p\ninvariant forall d. r(d)", "shadows a definition");
    rejects("invariant forall x, x. r(x)", "error[R005]: the variable `x` is bound twice");
    rejects("transition t(x: node, x: node) = r(x)", "bound twice");
}

#[test]
fn sorts_are_inferred() {
    accepts("invariant forall x, y. x = y -> r(y)");
    accepts("definition d(x) = r(x)\ninvariant d(X)");
    accepts("invariant let x = zero in r(x)");
    accepts("invariant forall b: bool. b -> p");
    rejects("invariant p & forall x. x = x", "error[R009]: the sort of `x` cannot be inferred");
    rejects("invariant p & X = Y", "error[R009]: the sort of `X`");
    rejects("invariant forall x. r(x) & val(x) = x", "error[R008]: expected sort `value`, found `node`");
    rejects("invariant forall x: value. r(x)", "`x` is bound here");
    rejects("invariant r(val(zero))", "declared here with an argument of sort `node`");
    rejects("invariant p -> zero", "error[R008]: expected sort `bool`, found `node`");
    rejects("invariant r(if p then v0 else zero)", "error[R008]");
    rejects("invariant p & distinct(zero, cur, v0)", "this has sort `node`");
    rejects("invariant let x: value = cur in p", "this variable has sort `value`");
    rejects("mutable relation q(bool)", "`bool` cannot be the sort of an argument");
}

#[test]
fn equality_of_formulas_is_equivalence() {
    accepts("invariant p = flag & p != (r(zero) | flag)");
    rejects("invariant p = zero", "error[R008]");
}

#[test]
fn symbols_take_their_arguments() {
    accepts("mutable relation q()\ninvariant q & r(zero)");
    rejects("invariant p()", "help: write `p`");
    rejects("definition d() = p\ninvariant d()", "help: write `d`");
    rejects("invariant r", "error[R007]: `r` takes 1 argument, but 0 are given");
    rejects("invariant link(zero)", "error[R007]: `link` takes 2 arguments, but 1 are given");
    rejects("invariant forall x. r(x) & x(zero)", "error[R007]: the variable `x` is applied to arguments");
}

#[test]
fn formulas_stay_within_their_states() {
    accepts("twostate theorem p -> p' & new(p & r(cur))");
    accepts("twostate theorem new(flag) & new(le(zero, zero))");
    rejects("invariant p'", "error[R010]: `p'` is read beyond the last state");
    rejects("invariant new(p)", "error[R010]: `new` goes beyond the last state");
    rejects("twostate theorem p''", "error[R010]: `p''` is read beyond");
    rejects("twostate theorem new(p')", "inside `new`, symbols are read in the next state already");
    rejects("twostate theorem flag'", "error[R010]: `flag` is immutable and cannot be primed");
    rejects("twostate theorem forall x. r(x')", "error[R010]: the variable `x` is primed");
    rejects("axiom p", "error[R010]: `p` is mutable and cannot be used here");
    rejects("zerostate theorem r(zero)", "error[R010]: `r` is mutable");
    accepts("axiom le(X, X)\nzerostate theorem le(zero, zero)");
}

#[test]
fn definitions_are_called_where_their_states_exist() {
    accepts("twostate definition d() = p -> p'\ntwostate theorem d");
    accepts("definition d() = p\ntwostate theorem d & d' & new(d)");
    accepts("axiom [a] flag\naxiom a -> flag\ntwostate theorem p -> a");
    accepts("twostate definition d() = p'\ntransition t() modifies p d");
    rejects("twostate definition d() = p'\ninvariant d & p", "error[R010]: `d` cannot be used here");
    rejects(
        "twostate definition d() = p'\ntwostate theorem d'",
        "error[R010]: `d` cannot be used primed here",
    );
    rejects("definition d() = p\naxiom d", "error[R010]: `d` cannot be used here");
    rejects("safety [s] p\ninvariant safety'", "error[R010]: `safety` cannot be used primed here");
}

#[test]
fn named_formulas_and_safety_are_definitions() {
    accepts("init [i] p\nsafety [s] p\ntheorem [t] i -> s\ninvariant safety -> t");
    accepts("invariant p -> safety");
    rejects("safety [s] safety & p", "error[R012]: `s` depends on itself");
}

#[test]
fn definitions_are_not_recursive() {
    accepts("definition a() = b & b\ndefinition b() = p");
    rejects("definition a() = b\ndefinition b() = a", "and `b` uses `a` here");
    rejects("invariant [me] me & p", "error[R012]: `me` depends on itself");
    accepts("derived relation d(node): d(X) <-> r(X)");
}

#[test]
fn modifies_and_body_agree() {
    accepts("transition t(x: node) modifies p, r p' & (r'(X) <-> r(X))");
    accepts("derived relation d: d <-> p\ntransition t() modifies p p' & d'");
    accepts("transition t() = p");
    rejects("transition t() modifies p p' & new(r(zero))", "error[R011]: `t` uses the new state's `r`");
    rejects("transition t() = p'", "this transition has no `modifies`");
    rejects("transition t() modifies p, cur p'", "error[R011]: `cur` is in `modifies`, but");
    rejects("transition t() modifies flag p", "error[R011]: `flag` is immutable and cannot be modified");
    rejects(
        "derived relation d: d <-> p\ntransition t() modifies d p",
        "`d` is derived and cannot be modified",
    );
    rejects("definition d() = p\ntransition t() modifies d p", "`d` is a definition and cannot be modified");
    rejects("definition d() modifies p p", "only definitions over two states can modify symbols");
    warns("transition t() modifies p, p p'", "`p` is listed twice");
}

#[test]
fn modifies_is_checked_through_calls() {
    accepts("definition d() = r(zero)\ntransition t() modifies r new(d)");
    accepts("twostate definition d() = p'\ntransition t() modifies p d");
    let text = "definition inner() = r(zero)\ntwostate definition outer() = inner'\ntransition t() modifies p p' & outer";
    rejects(text, "error[R011]: `t` uses the new state's `r`, which is not in `modifies`");
    rejects(text, "through this call");
    rejects(text, "`r` is read in the new state here");
}

#[test]
fn invariants_speak_of_the_state() {
    accepts("definition d() = p\ninvariant d");
    rejects("invariant le(X, X)", "error[R010]: the invariant uses no mutable symbol");
    rejects("safety flag", "error[R010]: the safety property uses no mutable symbol");
    warns("init flag", "the initial condition uses no mutable symbol");
    accepts("init p");
}

#[test]
fn traces_call_transitions() {
    let transition = "transition t(x: node, y: node) modifies p p' & link(x, y)\n";
    accepts(&format!(
        "{transition}sat trace {{ assert init t t(*, zero) | t(cur, *) any transition assert r(X) }}"
    ));
    accepts("transition u() modifies p p'\nunsat trace { u u() }");
    rejects(
        &format!("{transition}sat trace {{ t(zero) }}"),
        "error[R007]: `t` takes 2 arguments, but 1 are given",
    );
    rejects(&format!("{transition}sat trace {{ t(v0, *) }}"), "error[R008]");
    rejects("definition d() = p\nsat trace { d }", "`d` is a definition, not a transition");
    rejects("sat trace { assert p' }", "error[R010]");
    let long = |steps: usize| {
        format!("{transition}sat trace {{ {} assert p }}", "t any transition\n".repeat(steps / 2))
    };
    accepts(&long(1_000));
    rejects(&long(1_002), "error[R027]: the trace has more than 1000 transitions");
    rejects(&long(1 << 16), "error[R027]");
}

#[test]
fn arithmetic_is_parsed_and_refused() {
    rejects(
        "mutable constant n: int\ninvariant n + 1 > 2 * n - 3",
        "error[R013]: integer arithmetic is outside",
    );
    rejects("transition t(k: int) = p", "error[R013]");
    let (_, diagnostics) = load(&format!("{VOCABULARY}invariant r(zero + 1)\n"));
    assert!(diagnostics.contains("error[R008]: expected sort `int`, found `node`"), "{diagnostics}");
    assert!(diagnostics.contains("declare a relation with axioms"), "{diagnostics}");
}

#[test]
fn proofs_have_names_of_their_own() {
    let proof = |by: &str, formula: &str| {
        format!(
            "safety r(zero)\nfbii {{ forward [a] prophecy w {{ invariant r(w) }} by {{ {by} }}\n backward {{ safety {formula} }} }}"
        )
    };
    accepts(&proof("proph_default invariant __M_P(zero) -> __INV_P(zero)", "link(w, X)"));
    rejects(&proof("proph_default", "link(u, X)"), "`u` is not declared");
    rejects(&proof("proph_default", "__M_P(w)"), "`__M_P` is not declared");
    rejects(&proof("invariant __X(zero)", "link(w, X)"), "`__X` is not declared");
    rejects(&proof("invariant r(w)", "link(w, X)"), "`w` is not declared");
    rejects(&proof("invariant __INV_P", "link(w, X)"), "`__INV_P` takes 1 argument, but 0 are given");
    rejects(&proof("invariant __M_P(X, Y)", "link(w, X)"), "`__M_P` takes 1 argument, but 2 are given");
    rejects(&proof("proph_select __M_P'(zero)", "link(w, X)"), "`__M_P'` is read beyond the last state");
}

#[test]
fn prophecy_variables_are_distinct_and_have_sorts() {
    let proof = |vars: &str| {
        format!("safety r(zero)\nfbii {{ forward prophecy w: node {{ }} backward prophecy {vars} {{ }} }}")
    };
    accepts(&proof("v: node, u: value"));
    rejects(&proof("v: node, w: node"), "the prophecy variable `w` is declared twice");
    rejects(&proof("zero: node"), "the prophecy variable `zero` shadows a constant");
    rejects(&proof("v"), "the prophecy variable `v` has no sort");
    rejects(&proof("v: bool"), "the prophecy variable `v` has no sort");
    rejects(&proof("v: nowhere"), "the sort `nowhere` is not declared");
}

#[test]
fn proofs_have_limited_length() {
    let proof = |steps: usize| format!("safety r(zero)\nfbii {{ {}}}", "forward { } ".repeat(steps));
    accepts(&proof(100));
    rejects(&proof(101), "error[R027]: the proof has 101 steps");
}

#[test]
fn a_proof_needs_a_safety_property() {
    warns("fbii { forward { invariant r(zero) } }", "warning[R014]: the `fbii` proof proves nothing");
}

#[test]
fn printers_name_fitting_symbols() {
    accepts(
        "sort s @printed_by(ordered_by_printer, before) @whatever(x)\nimmutable relation before(s, s) @no_print",
    );
    accepts(
        "sort s @printed_by(const_printer)\nsort q @printed_by(set_printer, member)\nimmutable relation member(node, q)",
    );
    accepts(
        "sort o @printed_by(option_printer, none, some)\nimmutable relation none(o)\nimmutable function some(o): value",
    );
    accepts(
        "sort l @printed_by(log_printer, le, used, entry)\nmutable relation used(l, node)\nmutable function entry(l, node): value",
    );
    warns("sort s @printed_by(ordered_by_printer, le)", "`le` does not fit the printer `ordered_by_printer`");
    warns("sort s @printed_by(ordered_by_printer, lex)", "warning[R016]: `lex` is not declared");
    warns("sort s @printed_by(ordered_by_printer)", "`ordered_by_printer` is given 0 symbols");
    warns("sort s @printed_by(set_printr, le)", "did you mean `set_printer`?");
    warns("sort s @printed_by", "names no printer");
    warns("mutable relation q @printed_by(const_printer)", "belongs to the declaration of a sort");
}

#[test]
fn errors_are_reported_together_and_do_not_cascade() {
    let (system, diagnostics) = load(&format!(
        "{VOCABULARY}mutable relatoin broken(node)\ninvariant broken(X)\ninvariant r(v0)\ninvariant p &\ninvariant q\n"
    ));
    assert!(system.is_none());
    let lines: Vec<&str> = diagnostics.lines().filter(|line| line.contains("error[")).collect();
    assert_eq!(lines.len(), 4, "{diagnostics}");
    assert!(lines.iter().all(|line| !line.contains("`broken`")), "{diagnostics}");
}

#[test]
fn the_example_of_the_reference_is_accepted() {
    let reference = include_str!("../../../../spec/pyv.md");
    let example = reference.split("```").nth(1).expect("the reference starts with an example");
    let (system, diagnostics) = load(example.trim_start());
    assert!(system.is_some() && diagnostics.is_empty(), "{diagnostics}");
}
