//! Programs in versions 1.1 and 1.2 of Ivy, with the verdicts of Ivy's own semantics: what `update` says of a symbol that
//! follows others, fields that are relations, and schemata.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::effort::is_long;
use crate::common::models::load;
use crate::common::skip::skipped;
use crate::ivy::{expect, failures};

/// A partial function with its domain, and an action with these statements after the choice of `x` and `y`.
fn program(more: &str, stmts: &str, claims: &str) -> String {
    format!(
        "#lang ivy1.1
module partial(f) = {{
    axiom ~f(X,Y) | ~f(X,Z) | Y = Z
    relation dom[f](X)
    axiom ~f(X,Y) | dom[f](X)
    update dom[f] from f
      params v,w in v.f := w -> ensures (dom[f](X) <-> old dom[f](X) | X = v)
      params v in v.f := null -> ensures (dom[f](X) <-> old dom[f](X) & X ~= v)
}}
relation s(X,Y), t(X,Y)
instantiate partial(s)
individual x, y
init ~s(X,Y) & ~t(X,Y) & ~dom[s](X)
{more}
action step = {{ x := *; y := *; {stmts} }}
{claims}
"
    )
}

#[test]
fn a_symbol_follows_what_it_is_updated_from() {
    let empty = "conjecture [empty] ~dom[s](X)";
    expect(&program("", "x.s := y", empty), &[("step", "empty")]);
    expect(&program("", "x.s := y; x.s := null", empty), &[]);
    expect(&program("", "x.s := y; x.s := false", empty), &[]);
    expect(&program("", "x.s := y; y.s := null", empty), &[("step", "empty")]);
    // The axioms hold after the statement, with the symbol that follows.
    let text = program("", "x.s := y", "conjecture [dom] s(X,Y) -> dom[s](X)");
    expect(&text, &[]);
    // What `ensures` does not say may be anything.
    let weak = text.replace("<-> old dom[f](X) | X = v", "-> old dom[f](X) | X = v");
    let kept = "relation was(X)\ninit ~was(X)";
    let stmts = "was(X) := dom[s](X); x.s := y";
    let claim = "conjecture [kept] was(X) -> dom[s](X)";
    expect(&program(kept, stmts, claim), &[]);
    let weak_kept =
        program(kept, stmts, claim).replace("<-> old dom[f](X) | X = v", "-> old dom[f](X) | X = v");
    expect(&weak_kept, &[("step", "kept")]);
    expect(&weak, &[]);
}

#[test]
fn fields_are_relations() {
    let claim = "conjecture [one] ~(s(X,Y) & X ~= Y)";
    expect(&program("", "x.s := x", claim), &[]);
    expect(&program("", "x.s := y", claim), &[("step", "one")]);
    expect(&program("", "x.t := y; y.t := x.t", "conjecture [of_t] t(X,Y) -> X = Y"), &[("step", "of_t")]);
    expect(&program("", "x.t := x; y.t := x.t", "conjecture [of_t] t(X,Y) -> X = Y"), &[("step", "of_t")]);
    expect(&program("", "x.t := x; x.t := x.t; y.t := y", "conjecture [of_t] t(X,Y) -> X = Y"), &[]);
}

#[test]
fn what_an_update_requires_is_shown() {
    let update = "update t from s
  params v,w in v.s := w -> requires ~dom[s](v) ensures t(X,Y) <-> (old t(X,Y) | X = v & Y = w)
  params v in v.s := null -> ensures t(X,Y) <-> old t(X,Y) & X ~= v";
    let claim = "conjecture [same] s(X,Y) <-> t(X,Y)";
    let guarded = program(update, "if ~dom[s](x) { x.s := y } else { x.s := null }", claim);
    expect(&guarded, &[]);
    expect(&guarded.replace("if ~dom[s](x)", "if ~dom[s](y)"), &[("assertion", "L17")]);
    expect(&guarded.replace("X = v & Y = w", "X = v"), &[("step", "same")]);
    expect(&guarded.replace("<-> old t(X,Y) & X ~= v", "-> old t(X,Y)"), &[("step", "same")]);
}

#[test]
fn updates_follow_each_other() {
    let updates = "relation u(X)
init ~u(X)
update t from s
  params v,w in v.s := w -> ensures (t(X,Y) <-> s(X,Y)) & (u(X) <-> old u(X)) & ~old s(v,X)
update u from t
  params v,w in v.s := w -> ensures u(X) <-> t(X,v)";
    let claims = "conjecture [same] s(X,Y) <-> t(X,Y)
conjecture [of_u] ~u(X)
conjecture [of_s] ~s(X,Y)";
    expect(&program(updates, "x.s := y", claims), &[("step", "of_u"), ("step", "of_s")]);
    // One that stands later is not followed by one before it.
    let swapped = program(&updates.replace("update t from s", "update t from dom[s]"), "x.s := y", claims);
    expect(&swapped, &[("step", "of_u"), ("step", "of_s")]);
}

#[test]
fn the_first_pattern_that_matches_counts() {
    let first = "  params v in v.s := v -> ensures t(X,Y) <-> X = v & Y = v\n";
    let rest = "  params v,w in v.s := w -> ensures ~t(X,Y)\n";
    let claims = "conjecture [loop] t(X,Y) -> X = Y & s(X,Y)\nconjecture [none] ~t(X,Y)";
    let stmts = "if * { x.s := x } else { y.s := x }";
    let of = |patterns: String| program(&format!("update t from s\n{patterns}"), stmts, claims);
    expect(&of(format!("{first}{rest}")), &[("step", "none")]);
    expect(&of(format!("{rest}{first}")), &[]);
    // A name of the program stands for itself.
    let x_alone = first.replace("v.s := v", "v.s := x").replace("X = v & Y = v", "X = v & Y = x");
    expect(&of(format!("{x_alone}{rest}")), &[("step", "loop"), ("step", "none")]);
}

#[test]
fn statements_in_called_actions_are_followed() {
    let text = "#lang ivy1.2
type node
relation s(X:node,Y:node)
relation t(X:node,Y:node)
update t from s
  params v,w in v.s := w -> ensures t(X,Y) <-> s(X,Y)
init ~s(X,Y) & ~t(X,Y)
action link(a:node,b:node) = { a.s := b }
action get returns (a:node) = { a := * }
action step = { local u:node { u := get; call link(u,u) } }
export step
conjecture [same] s(X,Y) <-> t(X,Y)
conjecture [loop] s(X,Y) -> X = Y
";
    expect(text, &[]);
    expect(&text.replace("t(X,Y) <-> s(X,Y)\ninit", "t(X,Y) -> s(X,Y)\ninit"), &[("step", "same")]);
    expect(&text.replace("export step", "export link"), &[("link", "loop")]);
}

/// The program of the paper that introduces Ivy, in its own version of the language.
#[test]
fn the_papers_own_chord_is_verified() {
    let corpus = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let path = corpus.join("ivy/pldi16/chord.ivy");
    let Ok(text) = fs::read_to_string(&path) else {
        skipped(format_args!("no program at {} (set RAMSEY_CORPUS)", path.display()));
        return;
    };
    let verdicts = |text: &str| {
        let (system, diagnostics) = load("chord.ivy", text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        assert_eq!(system.transitions.len(), 1);
        failures(&system)
    };
    assert_eq!(verdicts(&text), []);
    if is_long() {
        // A node that fails may have been the origin.
        let broken = text.replace("assume x ~= q;", "");
        let failing = verdicts(&broken);
        assert!(failing.contains(&("step".to_owned(), "L280".to_owned())), "{failing:?}");
    }
}
