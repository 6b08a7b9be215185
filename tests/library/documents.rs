//! Counterexamples read back from JSON documents.

use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::diag::Code;
use ramsey::lang::pyv;
use ramsey::logic::Elem;
use ramsey::query::Call;
use ramsey::report::json::{read_counterexample, read_nth_counterexample};
use ramsey::system::System;

const MODEL: &str = "\
sort node
sort id
immutable function idof(node): id
mutable relation held(node)
mutable relation busy
init !held(N)
transition take(n: node)
  modifies held
  new(held(N)) <-> held(N) | N = n
safety [one] held(N) & held(M) -> N = M
";

const DOCUMENT: &str = r#"{"files": [{"obligations": [{"invariant": {"label": "one"}, "counterexample": {
      "universes": [{"sort": "id", "elements": ["b", "a"]}, {"sort": "node", "elements": ["x", "y"]}],
      "immutable": [{"symbol": "idof", "args": ["x"], "value": "a"}, {"symbol": "idof", "args": ["y"], "value": "b"}],
      "states": [{"facts": [{"symbol": "held", "args": ["y"], "value": true}]},
                 {"facts": [{"symbol": "held", "args": ["y"], "value": true}, {"symbol": "held", "args": ["x"], "value": true},
                            {"symbol": "busy", "args": [], "value": true}]}],
      "transitions": [{"name": "take", "params": [{"name": "n", "value": "x"}]}],
      "violated": {"formula": "held(N) & held(M) -> N = M", "state": 1,
                   "bindings": [{"name": "N", "value": "x"}, {"name": "M", "value": "y"}]}}}]}]}"#;

fn system() -> System {
    pyv::load(FileId::new(0), MODEL).0.expect("a model")
}

fn error(document: &str) -> String {
    let error = read_counterexample(&system(), document).expect_err("an error");
    assert_eq!(error.code, Code::Document);
    error.message
}

#[test]
fn facts_come_back_by_name() {
    let system = system();
    let states = read_counterexample(&system, DOCUMENT).expect("a counterexample");
    let sym = |name: &str| system.sig.symbols.ids().find(|&it| system.sig.symbols[it].name == name);
    let value = |name: &str, step, args: &[Elem]| {
        states.structure.interpretation(&system.sig, sym(name).expect("declared"), step).get(args)
    };
    assert_eq!([value("idof", 0, &[0]), value("idof", 0, &[1])], [1, 0]);
    assert_eq!([value("held", 0, &[0]), value("held", 0, &[1])], [0, 1]);
    assert_eq!([value("held", 1, &[0]), value("held", 1, &[1])], [1, 1]);
    assert_eq!([value("busy", 0, &[]), value("busy", 1, &[])], [0, 1]);
    assert_eq!(states.calls, [Call { transition: 0, args: vec![0] }]);
    assert_eq!(states.claim.as_deref(), Some("one"));
    assert_eq!(states.pointer, "/files/0/obligations/0/counterexample");
    let violated = states.violated.expect("it is there");
    let bindings: Vec<(&str, Elem)> =
        violated.bindings.iter().map(|(name, _, elem)| (name.as_str(), *elem)).collect();
    assert_eq!(bindings, [("N", 0), ("M", 1)]);
}

#[test]
fn what_does_not_fit_is_told() {
    assert!(error("[1, 2").starts_with("this is no JSON document"));
    assert_eq!(error("{}"), "the document has no counterexample");
    let cases = [
        (r#""sort": "id""#, r#""sort": "idd""#, "there is no sort `idd`"),
        (r#""sort": "id""#, r#""sort": "node""#, "the sort `node` has two universes"),
        (r#"["b", "a"]"#, r#"["b", "b"]"#, "the element `b` is listed twice"),
        (r#"["b", "a"]"#, r#"[]"#, "the sort `id` has no element"),
        (r#""immutable": ["#, r#""immutable": [7, "#, "invalid type: integer `7`, expected a fact"),
        (r#""symbol": "busy""#, r#""sym": "busy""#, "missing field `symbol`"),
        (
            r#"{"symbol": "busy", "args": [], "value": true}"#,
            r#"["busy", [], true]"#,
            "an object is expected here",
        ),
        (
            r#"{"sort": "id", "elements": ["b", "a"]}"#,
            r#"["id", ["b", "a"], null]"#,
            "an object is expected here",
        ),
        (r#""value": "a""#, r#""value": 7"#, "`true`, `false` or the name of an element is expected here"),
        (r#""value": "a""#, r#""value": "c""#, "the sort `id` has no element `c`"),
        (r#""value": "a""#, r#""value": true"#, "the value of `idof` is an element"),
        (r#""args": ["x"], "value": "a""#, r#""args": ["y"], "value": "b""#, "`idof(node0)` has no value"),
        (r#""symbol": "busy""#, r#""symbol": "bsy""#, "there is no symbol `bsy`"),
        (r#""symbol": "busy""#, r#""symbol": "idof""#, "`idof` is immutable in the model"),
        (r#""symbol": "busy""#, r#""symbol": "held""#, "`held` takes 1 arguments, and there are 0"),
        (r#""name": "take""#, r#""name": "tke""#, "there is no transition `tke`"),
        (
            r#""transitions": ["#,
            r#""transitions": [{"name": "take", "params": []}, "#,
            "2 transitions do not lead through 2 states",
        ),
    ];
    for (from, to, message) in cases {
        assert!(DOCUMENT.contains(from), "{from}");
        assert_eq!(error(&DOCUMENT.replacen(from, to, 1)), message);
    }
    let wrong = DOCUMENT.replacen(r#""args": ["y"], "value": true"#, r#""args": ["y", 7], "value": true"#, 1);
    let error = read_counterexample(&system(), &wrong).expect_err("a number is no element");
    let place = "/files/0/obligations/0/counterexample/states/0/facts/0/args/1";
    assert_eq!(error.notes, [format!("at `{place}` of the document")]);
}

#[test]
fn counterexamples_are_counted() {
    let two = format!("[{DOCUMENT}, {DOCUMENT}]");
    let second = read_nth_counterexample(&system(), &two, 2).expect("the second");
    assert_eq!(second.pointer, "/1/files/0/obligations/0/counterexample");
    let third = read_nth_counterexample(&system(), &two, 3).expect_err("no third");
    assert_eq!(third.message, "the document has 2 counterexamples only");
    assert!(read_nth_counterexample(&system(), &two, 0).is_err());
}
