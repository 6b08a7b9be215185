//! Proofs of `.ivy`: programs whose claims hold with their proofs, and programs whose proofs do not show them or are refused.
//! Where Ivy says something else, a comment tells why.

use std::sync::Arc;

use crate::common::models::load;
use ramsey::diag::Severity;
use ramsey::obligations::Origin;
use ramsey::query::{Limits, Options, Outcome, Plan};

/// Returns the claims that are not proved, or the first error.
fn verdict(text: &str) -> Result<Vec<String>, String> {
    let (system, diagnostics) = load("model.ivy", text);
    let Some(system) = system else {
        let error = diagnostics.iter().find(|it| it.severity == Severity::Error);
        return Err(error.unwrap_or_else(|| panic!("{diagnostics:#?}")).message.to_string());
    };
    let system = Arc::new(system);
    let options = Options { all: true, ..Options::default() };
    let verification = Plan::new(system.clone(), options).run(&Limits::default());
    let mut open = Vec::new();
    for result in &verification.results {
        let label = match result.origin {
            Origin::Theorem { theorem } => &system.theorems[theorem].label,
            Origin::Initiation { invariant } | Origin::Consecution { invariant, .. } => {
                &system.invariants[invariant].label
            }
            Origin::Assertion { assertion } => &system.assertions[assertion].label,
            _ => continue,
        };
        if !matches!(result.outcome, Outcome::Holds { .. }) && !open.contains(label) {
            open.push(label.clone());
        }
    }
    Ok(open)
}

/// Returns the names of the claims without an answer.
#[track_caller]
fn unknown_claims(text: &str) -> Vec<String> {
    let system = Arc::new(load("model.ivy", text).0.expect("a system"));
    let verification =
        Plan::new(system.clone(), Options { all: true, ..Options::default() }).run(&Limits::default());
    let unknown = verification.results.iter().filter(|it| matches!(it.outcome, Outcome::Unknown(_)));
    let theorems = unknown.filter_map(|it| match it.origin {
        Origin::Theorem { theorem } => Some(system.theorems[theorem].label.clone()),
        _ => None,
    });
    theorems.collect()
}

#[track_caller]
fn proved(text: &str) {
    assert_eq!(verdict(text), Ok(Vec::new()), "{text}");
}

#[track_caller]
pub(crate) fn open(text: &str, claims: &[&str]) {
    assert_eq!(verdict(text), Ok(claims.iter().map(|it| (*it).to_owned()).collect()), "{text}");
}

#[track_caller]
pub(crate) fn refused(text: &str, why: &str) {
    match verdict(text) {
        Err(error) => assert!(error.contains(why), "{error}\n{text}"),
        Ok(open) => panic!("{open:?}\n{text}"),
    }
}

/// A type with two relations.
pub(crate) const TYPE: &str = "#lang ivy1.7
type t
relation r(X:t)
relation s(X:t)
";

pub(crate) fn with(rest: &str) -> String {
    format!("{TYPE}{rest}")
}

#[test]
fn premises_of_what_is_applied_are_shown() {
    let schema = "axiom [sch] { relation p(X:t)  property [prem] exists X. p(X)  property p(X) }
property [use] r(X) proof { apply sch }
";
    open(&with(schema), &["use"]);
    proved(&with(&format!("axiom exists X. r(X)\n{schema}")));
    // What is claimed is of another form.
    refused(&with(&schema.replace("property p(X) }", "property p(X) -> s(X) }")), "is not the goal");
    refused(&with("property r(X) proof { apply nothing }\n"), "no rule has the name `nothing`");
    // For all values of what nothing is given for.
    let any = "axiom [sch] { relation p(X:t)  property [prem] p(Y)  property exists X. p(X) }
axiom exists X. r(X)
property [use] exists X. r(X) proof { apply sch }
";
    open(&with(any), &["use"]);
}

#[test]
fn symbols_stand_for_what_is_given() {
    let schema = "axiom [sch] { relation p(X:t)  property [prem] s(X) -> p(X)  property p(X) | s(X) }
axiom s(X) -> r(X)
axiom s(X) | r(X)
property [use] r(X) | s(X) proof { apply sch with p(Y) = r(Y), X = X }
";
    proved(&with(schema));
    refused(&with(&schema.replace("p(Y) = r(Y)", "p = r")), "has 1 arguments");
    refused(&with(&schema.replace("p(Y) = r(Y)", "p(Y) = s(Y)")), "is not the goal");
    refused(&with(&schema.replace("p(Y) = r(Y)", "q(Y) = r(Y)")), "is no symbol of the rule");
    refused(&with(&schema.replace("p(Y) = r(Y)", "p(Y, Z) = r(Y)")), "has 1 arguments");
    refused(&with(&schema.replace("p(Y) = r(Y)", "p(y) = r(X)")), "different variables");
    refused(&with(&schema.replace("p(Y) = r(Y)", "p(Y) = unknown(Y)")), "not declared");
    // An instance of another type. Ivy takes it.
    let typed = "type u
individual c : u
explicit axiom [a] r(X)
property [use] exists X. r(X) proof { instantiate a with X = c }
";
    refused(&with(typed), "does not fit `X`");
}

#[test]
fn a_claim_is_not_assumed_in_its_own_proof() {
    refused(&with("property [a] r(X) proof { instantiate a }\n"), "not shown before");
    let both = "property [a] r(X) proof { instantiate b }
property [b] r(X) proof { instantiate a }
";
    refused(&with(both), "`b` is not shown before");
    let theorem = "theorem [th] { relation p(X:t)  property p(X) } proof { apply th }\n";
    refused(&with(theorem), "`th` is not shown before");
    // Invariants are no rules.
    let invariants = "after init { r(X) := true }
invariant [i] r(X)
invariant [j] s(X) proof { instantiate i }
";
    refused(&with(invariants), "claim about states");
}

#[test]
fn free_variables_of_premises_are_those_of_the_goal() {
    // Ivy takes the value for the premise alone, and proves it.
    let text = "theorem [th] { individual c : t  property [h] r(X)  property r(c) }
proof { instantiate [k] h with X = c }
";
    refused(&with(text), "no quantifier of `X`");
    proved(&with(&text.replace("r(X)", "forall X. r(X)")));
    // Ivy takes the variable of the goal for the one of the step, and proves it of one value.
    let named = "individual c : t
axiom r(c)
property [use] r(X) proof { let X = c; tactic skolemize }
";
    refused(&with(named), "`X` is no new variable");
    open(&with(&named.replace("let X", "let Y")), &["use"]);
}

#[test]
fn rules_of_deduction() {
    let text = "#lang ivy1.7
include deduction
type t
relation r(X:t, Y:t)
";
    let with = |rest: &str| format!("{text}{rest}");
    let all = "property [use] forall X. r(X, X) proof { apply introA }\n";
    open(&with(all), &["use"]);
    proved(&with(&format!("axiom r(X, X)\n{all}")));
    // Nothing is said of the witness.
    let some = "axiom exists X. r(X, X)
property [use] exists X. r(X, X) proof { apply introE }
";
    open(&with(some), &["use"]);
    // The value that exists is not a given one.
    let chosen =
        "theorem [th] { relation p(X:t)  individual x : t  property [h] exists X. p(X)  property p(x) }
proof { apply elimE with p(X) = p(X) }
";
    refused(&with(chosen), "another `x`");
    open(&with(&chosen.replace("x :", "c :").replace("p(x)", "p(c)")), &["th"]);
    // Bound variables are not captured.
    let captured = "axiom exists Y. r(X, Y)
property [use] exists Y. r(Y, Y) proof { apply elimA with p(X) = exists Y. r(X, Y), X = Y }
";
    refused(&with(captured), "");
    proved(&with(
        "theorem [comm] { relation p  relation q  property p & q  property q & p }
proof { apply introAnd; apply elimAndR with p = p; apply elimAndL with q = q }
",
    ));
    open(&with("relation p\nproperty [use] ~p proof { apply introNot }\n"), &["use"]);
    let equal = "individual a : t
individual b : t
property [use] a = b proof { apply introEq }
";
    open(&with(equal), &["use"]);
    proved(&with(&format!("axiom X:t = Y\n{equal}")));
}

#[test]
fn schemata_are_used_by_their_names_alone() {
    let text = "#lang ivy1.7
axiom [admit] { relation p  property p }
relation q
property [use] q
";
    open(text, &["use"]);
    proved(&text.replace("property [use] q", "property [use] q proof { apply admit }"));
}

#[test]
fn explicit_axioms_are_assumed_by_proofs_alone() {
    let text = "explicit axiom [lem] r(X)
action a(x:t, y:t) = { assert [one] r(x) proof { instantiate lem with X = x }; assert [two] r(y) }
export a
";
    let found = verdict(&with(text)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.len(), 1, "{found:?}");
    let invariant = "explicit axiom [lem] r(X)
after init { s(X) := r(X) }
action a(x:t) = { s(x) := r(x) }
export a
invariant [i] s(X)
";
    open(&with(invariant), &["i"]);
    // Ivy does not find explicit axioms in proofs of invariants.
    proved(&with(&invariant.replace("[i] s(X)", "[i] s(X) proof { instantiate lem }")));
    // The invariant is kept by what was before, for which it needs the axiom as well.
    let kept = invariant.replace("s(x) := r(x)", "").replace("[i] s(X)", "[i] s(X) proof { assume lem }");
    proved(&with(&kept));
    // An axiom about what changes would hold in some states only.
    let changing = "explicit axiom [lem] r(X)
after init { r(X) := true }
action a(x:t) = { r(x) := false }
export a
invariant [i] r(X) proof { instantiate lem }
";
    refused(&with(changing), "which actions assign");
    refused(&with(&changing.replace(" proof { instantiate lem }", "")), "which actions assign");
}

#[test]
fn orders_may_change_that_nothing_assumed_by_proofs_is_about() {
    let text = "relation lt(X:t, Y:t)
definition (X:t < Y:t) = lt(X, Y)
explicit axiom [lem] r(X)
property [use] r(X) proof { instantiate lem }
action a(x:t, y:t) = { lt(x, y) := true }
export a
";
    proved(&with(text));
    for about in ["X:t < Y -> r(X)", "q(X)"] {
        let changing = text.replace("[lem] r(X)", &format!("[lem] {about}"));
        let changing = changing.replace("[use] r(X)", &format!("[use] {about}"));
        refused(
            &with(&format!("relation q(X:t) = exists Y. X < Y\n{changing}")),
            "`lt`, which actions assign",
        );
    }
}

#[test]
fn lemmas_are_shown() {
    let text = "relation q
axiom r(X) -> q
property [use] q proof { property [some] exists X. r(X) named c }
";
    open(&with(text), &["use.2"]);
    proved(&with(&format!("axiom exists X. r(X)\n{text}")));
    let theorem = "axiom r(X) -> s(X)
property [use] r(X) -> s(X)
proof { theorem [lem] { individual x : t  property r(x)  property s(x) }; instantiate lem with x = X }
";
    proved(&with(theorem));
    open(&with(&theorem.replace("axiom r(X) -> s(X)\n", "")), &["use.2"]);
    // A lemma about a variable of the goal is about that one.
    let lemma = "axiom r(X) -> s(X)
property [use] r(X) -> s(Y) proof { property [lem] r(X) -> s(X); showgoals }
";
    open(&with(lemma), &["use.1"]);
}

#[test]
fn values_that_exist_have_names() {
    let text = "#lang ivy1.7
type t
relation r(X:t, Y:t)
axiom exists Y. r(X, Y)
property [ex] exists Y. r(X, Y) named f(X)
property [of] r(X, f(X))
";
    proved(text);
    let without = text.replace("axiom exists Y. r(X, Y)\n", "");
    open(&without, &["ex", "of"]);
    refused(&text.replace("f(X)\nproperty [of] r(X, f(X))", "f"), "depends on `X`");
    refused(&text.replace("named f(X)", "named r(X)"), "declared already");
    refused(&text.replace("exists Y. r(X, Y) named", "r(X, X) named"), "not said to exist");
    let changing = format!("{text}action a(x:t) = {{ r(x, x) := true }}\nexport a\n");
    refused(&changing.replace("axiom exists Y. r(X, Y)\n", ""), "actions assign");
}

#[test]
fn cases_are_shown() {
    let text = "#lang ivy1.7
relation p
relation q
axiom p -> q
property [use] q proof { if p { tactic skolemize } else { tactic skolemize } }
";
    open(text, &["use.2"]);
    proved(&text.replace("axiom p -> q", "axiom p -> q\naxiom ~p -> q"));
}

#[test]
fn quantifiers_get_names_and_values() {
    let text = "#lang ivy1.7
type t
relation r(X:t, Y:t)
explicit axiom [a] forall X. exists Y. r(X, Y)
property [use] forall X. exists Y. r(X, Y)
proof { tactic skolemize; instantiate a with X = _X; tactic skolemize; instantiate with Y = _Y }
";
    proved(text);
    refused(&text.replace("Y = _Y", "Y = _Z"), "not declared");
    open(&text.replace("instantiate with Y = _Y", "instantiate with Y = _X"), &["use"]);
    // A value that depends on what is bound around it.
    let captured = "#lang ivy1.7
type t
relation r(X:t, Y:t)
property [use] (forall X. exists Y. r(X, Y)) | X:t = X
proof { instantiate with Y = X }
";
    refused(captured, "captured");
}

#[test]
fn definitions_are_unfolded() {
    let text = "explicit axiom [d] s(X) <-> r(X)
axiom r(X)
property [use] s(X) proof { unfold with d }
";
    proved(&with(text));
    open(&with(&text.replace(" proof { unfold with d }", "")), &["use"]);
    refused(&with(&text.replace("<->", "->")), "no definition");
    // The equation is about one value.
    let one = "theorem [th] { individual c : t  property [d] s(X) <-> r(X)  property r(c)  property s(c) }
proof { unfold with d }
";
    refused(&with(one), "no definition");
}

/// A function with a definition is expanded wherever it is mentioned, and its definition has a name all the same.
#[test]
fn definitions_of_functions_are_used() {
    let defined = "function f(X:t) : t\nfunction h(X:t) : t definition [d] h(X) = f(f(X))\n";
    for proof in ["assume d", "assume h", "instantiate d with X = c", "unfold with h", "unfold with d"] {
        let claim = format!("property [a] h(c) = f(f(c)) proof {{ {proof} }}");
        proved(&with(&format!("individual c : t\n{defined}{claim}")));
        let claim = format!("property [a] h(c) = f(c) proof {{ {proof} }}");
        open(&with(&format!("individual c : t\n{defined}{claim}")), &["a"]);
    }
}

#[test]
fn what_is_unfolded_binds_variables_with_new_names() {
    let text = "#lang ivy1.7
type t
relation e(X:t, Y:t)
relation d(X:t)
explicit definition d(X) = exists Y. e(X, Y)
relation both(X, Z) = d(X) & d(Z)
theorem [th] {
    individual x : t
    individual y : t
    property [pr] both(x, y)
    property exists A, B. e(x, A) & e(y, B)
}
proof {
    unfold pr with both, d<A/Y><B/Y>;
    tactic skolemize;
    instantiate with A = _A, B = _B
}
";
    proved(text);
    // The first new name is for the first place.
    open(&text.replace("A = _A, B = _B", "A = _B, B = _A"), &["th"]);
    refused(&text.replace("<A/Y><B/Y>", "<A/Y>"), "`_B` is not declared");
    refused(&text.replace("<A/Y><B/Y>", "<A/Z>"), "`d` has no `Z`");
    // The types of its arguments follow from the definition.
    refused(&text.replace("both(x, y)", "both(x, true)"), "of type");
}

#[test]
fn induction_is_over_numbers() {
    let text = "#lang ivy1.7
type t
interpret t -> nat
relation r(X:t)
axiom r(0)
property [all] r(X) proof { apply ind[t] with p(Y) = r(Y), X = X }
";
    open(text, &["all.2"]);
    refused(&text.replace("interpret t -> nat\n", ""), "no schema `ind[t]`");
}

#[test]
fn recursion_is_over_numbers() {
    let text = "#lang ivy1.7
type t
interpret t -> nat
type u
function g(X:u) : u
individual z : u
function f(X:t) : u
definition { f(X) = z if X <= 0 else g(f(X - 1)) }
proof { apply rec[t] }
individual c : t
property [none] f(0) = z proof { instantiate f with X = 0:t }
property [one] f(1) = g(f(0)) proof { assume f with X = 1:t }
property [any] 0 < c -> f(c) = g(f(c - 1)) proof { assume f with X = c }
property [same] 0 < c -> f(c) = g(f(c - 1)) proof { unfold with f; instantiate f with X = c - 1 }
";
    proved(text);
    // Nothing else knows the equation, and a structure in which it is false is no counterexample.
    let alone = text.replace(" proof { assume f with X = c }", "");
    let found = unknown_claims(&alone);
    assert_eq!(found, ["any"]);
    let explicit = text.replace(
        "definition { f(X) = z if X <= 0 else g(f(X - 1)) }",
        "definition f(X) = z if X <= 0 else g(f(X - 1))",
    );
    proved(&explicit);
    proved(&explicit.replace("definition", "explicit definition"));
    // Another argument is the same one in the step.
    let further = text
        .replace("function f(X:t)", "function f(Y:u, X:t)")
        .replace("f(X) = z", "f(Y, X) = z")
        .replace("f(X - 1))", "f(Y, X - 1))");
    let (declared, _) = further.split_once("property").expect("claims");
    let claim = "property [same] 0 < c -> f(z, c) = g(f(z, c - 1)) proof { assume f with X = c, Y = z }\n";
    proved(&format!("{declared}{claim}"));
    refused(&declared.replace("f(Y, X - 1)", "f(z, X - 1)"), "not as `rec[t]` says");

    let is = |definition: &str| text.replace("f(X) = z if X <= 0 else g(f(X - 1))", definition);
    for definition in [
        "f(X) = f(X - 1) if X <= 0 else z",
        "f(X) = z if X = 0 else g(f(X - 1))",
        "f(X) = z if X <= 1 else g(f(X - 1))",
        "f(X) = z if X <= 0 else g(f(X - 2))",
        "f(X) = z if X <= 0 else g(f(X))",
        "f(X) = z if X <= 0 else (g(z) if forall X. f(X - 1) = z else z)",
        "f(X) = g(f(X))",
    ] {
        refused(&is(definition), "depends on itself");
    }
    let through = |by: &str| {
        let whole = is("f(X) = z if X <= 0 else h(f(X - 1), X)");
        whole.replace("function f(X:t) : u\n", &format!("function f(X:t) : u\n{by}\n"))
    };
    proved(
        &through("function h(X:u, Y:t) : u")
            .replace("property [one", "#")
            .replace("property [any", "#")
            .replace("property [same", "#"),
    );
    for by in [
        "function h(X:u, Y:t) : u = g(f(Y))",
        "function h(X:u, Y:t) : u\ndefinition h(X, Y) = some Z. Z ~= f(Y)",
        "relation b(Y:t)\ndefinition b(Y) = f(Y) = z\nfunction h(X:u, Y:t) : u = g(X) if b(Y) else X",
    ] {
        refused(&through(by), "depends on itself");
    }
    let named = through("property exists Z. Z ~= f(Y:t) named e(Y)\nfunction h(X:u, Y:t) : u = e(Y)");
    refused(&named, "depends on");

    refused(&text.replace("interpret t -> nat\n", ""), "no schema `rec[t]`");
    refused(&text.replace("-> nat", "-> {1..5}"), "no schema `rec[t]`");
    refused(&text.replace("ivy1.7", "ivy1.6"), "depends on itself");
    // A further variable would give it several values, and so would two instances of one declaration.
    refused(&is("f(X) = Y if X <= 0 else g(f(X - 1))"), "`Y` occurs on the right side alone");
    refused(
        &is("f(X) = z if X <= 0 else (g(f(X - 1)) if z = Y else z)"),
        "`Y` occurs on the right side alone",
    );
    let in_module = format!(
        "{}individual c : t
module defined(base) = {{ definition [d] {{ f(X) = base if X <= 0 else g(f(X - 1)) }} proof {{ apply rec[t] }} }}
instance i : defined(z)
property [one] f(0) = z proof {{ assume i.d with X = 0:t }}
",
        text.split_once("definition").expect("a definition").0
    );
    proved(&in_module);
    let second =
        in_module.replace("property [one", "individual y : u\ninstance j : defined(y)\nproperty [one");
    refused(&second, "a meaning without this definition");
    let same = further.replace("f(Y:u, X:t)", "f(Y:u, Z:u, X:t)").replace("f(Y, ", "f(Y, Y, ");
    refused(same.split_once("individual c").expect("claims").0, "`Y` is bound twice");
    let twice = "definition f(X) = z\nindividual c";
    refused(&text.replace("individual c", twice), "a meaning without this definition");
    refused(&text.replace("function f", "destructor f").replace("type t\n", "type t\ntype s\n"), "f");
    // The function is one in all states.
    let changes = format!("{text}export action a = {{ z := c2 }}\nindividual c2 : u\n");
    refused(&changes, "about `z`, which actions assign");
    let changes = format!("{text}export action a(x:t) = {{ f(x) := z }}\n");
    refused(&changes, "about `f`, which actions assign");
}

#[test]
fn proofs_stand_by_themselves() {
    let text = "explicit axiom [lem] r(X)
property [use] r(X)
proof [use] { instantiate lem }
";
    proved(&with(text));
    refused(&with(&text.replace("proof [use]", "proof [other]")), "`other` is no claim");
    refused(&with(&format!("{text}proof [use] {{ instantiate lem }}\n")), "has another proof");
}

#[test]
fn variables_of_premises_do_not_become_those_around_them() {
    let with = |rest: &str| format!("#lang ivy1.7\ntype t\nrelation r(X:t, Y:t)\nindividual c:t\n{rest}");
    let renamed = "theorem [bad] { property [h] forall X. r(X,Y)  property r(Z,Z) & Y = Y }
proof { property [p] r(X,Y); instantiate p<W/X> }
";
    open(&with(renamed), &["bad.1"]);
    // `Y` is that of the theorem.
    refused(&with(&renamed.replace("W/X", "Y/X")), "has no `X`");
    let unfolded = "relation q(X:t, Y:t, Z:t)
function f(X:t) : t
function k(X:t, Y:t) : t
explicit axiom [ax] f(Z) = k(Z,V)
theorem [bad] { property [h] forall X. q(X,X_,f(X))  property q(c,c,f(c)) & X_ = X_ }
proof { property [p] q(X,X_,f(X)); let X = c; instantiate [e] ax with V = X; unfold p with e; instantiate [e2] ax }
";
    open(&with(unfolded), &["bad.1"]);
}

#[test]
fn values_with_names_do_not_depend_on_themselves() {
    let text = "#lang ivy1.7
type t = {one, two}
relation d(X:t)
property exists Y. ~d(Y) named f
definition d(X:t) = (X = f)
property [bad] false
";
    // Ivy proves `false` here.
    refused(text, "`f` depends on itself");
    open(&text.replace("(X = f)", "(X = one)"), &["bad"]);
    let two = "#lang ivy1.7
type t = {one, two}
relation d(X:t)
relation e(X:t)
property exists Y. ~d(Y) named f
property exists Y. e(Y) named g
definition d(X:t) = (X = g)
definition e(X:t) = (X = f)
property [bad] false
";
    refused(two, "`f` depends on `g`, which stands after it");
    let hidden = "#lang ivy1.7
type t = {one, two}
isolate a = {
    specification { relation d(X:t)  property [p] exists Y. ~d(Y) named f }
    implementation { definition d(X:t) = (X = f) }
}
";
    refused(hidden, "`a.f` depends on itself");
}

#[test]
fn steps_that_are_not_known_are_errors() {
    for step in ["spoil x", "nothing", "unfold r"] {
        assert!(verdict(&with(&format!("property r(X) proof {{ {step} }}\n"))).is_err(), "{step}");
    }
}

#[test]
fn proofs_of_the_whole_program_change_nothing() {
    let program = |proof: &str| {
        with(&format!(
            "individual c : t
individual d : t
after init {{ r(X) := false }}
action go(x:t) = {{ assert s(x); r(x) := s(x) }}
export go
invariant [inv] ~r(X)
property [same] c = d
proof [this] {proof}
"
        ))
    };
    // Ivy shows no properties and assertions then, and holds false ones for proved.
    for proof in [
        "{ tactic vcgen }",
        "tactic vcgen",
        "{ tactic vcgen; showgoals }",
        "{ showgoals }",
        "{ tactic vcgen; proof [initiation] { tactic sorry }; proof [consecution] { tactic skolemize } }",
    ] {
        open(&program(proof), &["inv", "L8", "same"]);
    }
    for proof in
        ["{ tactic sorry }", "{ tactic vcgen; tactic sorry }", "{ tactic mc; tactic mc }", "{ assume same }"]
    {
        refused(&program(proof), "`this` is no claim that has a proof");
    }
    refused(&with("object o = {\nproof [this] { tactic vcgen }\n}\n"), "is no claim that has a proof");
}
