//! The older dialect of `.pyv`: the same answers as for the model in the newer one.

use std::process::Command;

use serde_json::Value;

use crate::common::binary::Dir;

/// A dispatcher hands out one baton. `grab` has a guard only in [`model`]`(.., true)`.
const OLDER: &str = "\
sort site

mutable relation holds(site)
mutable relation sent(site, site)
mutable relation at_rest
mutable constant last: site
derived relation busy: busy <-> exists X. holds(X)

init !holds(S) & !sent(S, T) & at_rest

definition idle(s: site) = !holds(s) & !sent(s, T) & !sent(T, s)
twostate definition kept() = sent(S, T) <-> old(sent(S, T))

transition grab(s: site)
  modifies holds, at_rest, sent, last
  & GUARD
  & (holds(S) <-> old(holds(S)) | S = s)
  & !at_rest & kept & last = s

transition send(s: site, t: site)
  modifies holds, sent
  & old(holds(s) & (idle(t) | s = t))
  & (holds(S) <-> old(holds(S)) & S != s)
  & (sent(S, T) <-> old(sent(S, T)) | S = s & T = t)

transition receive(s: site, t: site)
  modifies holds, sent, last
  & old(sent(s, t))
  & (sent(S, T) <-> old(sent(S, T)) & !(S = s & T = t))
  & (holds(S) <-> old(holds(S)) | S = t)
  & last = if old(last) = s then t else old(last)

safety [one] holds(S) & holds(T) -> S = T
invariant [rest] at_rest -> !busy & !sent(S, T)
invariant [moving] sent(S, T) -> !holds(U)
invariant [single] sent(S, T) & sent(U, V) -> S = U & T = V

twostate theorem [frame] kept & old(sent(S, T)) -> sent(S, T)

sat trace {
  grab
  send
  receive
  assert busy & holds(last)
}
unsat trace {
  grab
  grab
}
";

const NEWER: &str = "\
sort site

mutable relation holds(site)
mutable relation sent(site, site)
mutable relation at_rest
mutable constant last: site
derived relation busy: busy <-> exists X. holds(X)

init !holds(S) & !sent(S, T) & at_rest

definition idle(s: site) = !holds(s) & !sent(s, T) & !sent(T, s)
twostate definition kept() = sent'(S, T) <-> sent(S, T)

transition grab(s: site)
  modifies holds, at_rest, sent, last
  & GUARD
  & (holds'(S) <-> holds(S) | S = s)
  & !at_rest' & kept & last' = s

transition send(s: site, t: site)
  modifies holds, sent
  & (holds(s) & (idle(t) | s = t))
  & (holds'(S) <-> holds(S) & S != s)
  & (sent'(S, T) <-> sent(S, T) | S = s & T = t)

transition receive(s: site, t: site)
  modifies holds, sent, last
  & sent(s, t)
  & (sent'(S, T) <-> sent(S, T) & !(S = s & T = t))
  & (holds'(S) <-> holds(S) | S = t)
  & last' = if last = s then t else last

safety [one] holds(S) & holds(T) -> S = T
invariant [rest] at_rest -> !busy & !sent(S, T)
invariant [moving] sent(S, T) -> !holds(U)
invariant [single] sent(S, T) & sent(U, V) -> S = U & T = V

twostate theorem [frame] kept & sent(S, T) -> sent'(S, T)

sat trace {
  grab
  send
  receive
  assert busy & holds(last)
}
unsat trace {
  grab
  grab
}
";

/// Returns a directory with the model in both dialects, `a.pyv` in the older one, with and without its guard.
fn models() -> Dir {
    let dir = Dir::new();
    dir.file("a.pyv", OLDER.replace("GUARD", "old(at_rest)"))
        .file("b.pyv", NEWER.replace("GUARD", "at_rest"));
    dir.file("broken/a.pyv", OLDER.replace("GUARD", "true"))
        .file("broken/b.pyv", NEWER.replace("GUARD", "true"));
    dir
}

/// Removes what differs between the texts: names of files, places, and what is said of the dialect.
fn without_places(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in [
                "file",
                "model",
                "path",
                "line",
                "column",
                "span",
                "places",
                "diagnostics",
                "fingerprint",
                "digest",
            ] {
                fields.remove(key);
            }
            fields.values_mut().for_each(without_places);
        }
        Value::Array(items) => items.iter_mut().for_each(without_places),
        _ => {}
    }
}

#[test]
fn all_answers_are_those_of_the_newer_dialect() {
    let dir = models();
    for (command, code) in
        [("verify", 0), ("theorem", 0), ("trace", 0), ("bmc", 0), ("typecheck", 0), ("fragment", 0)]
    {
        let run =
            |name: &str| dir.run(&[command, name, "--allow", "R031", "--allow", "R018"]).ends_with(code);
        let (a, b) = (run("a.pyv"), run("b.pyv"));
        assert_eq!(a.out.replace("a.pyv", "b.pyv"), b.out, "{command}");
        assert_eq!(a.err.replace("a.pyv", "b.pyv"), b.err, "{command}");
    }
    for (command, code) in [("verify", 1), ("bmc", 1), ("cti", 1), ("trace", 1), ("simulate", 1)] {
        let run = |name: &str| {
            let mut document = dir.run(&[command, name, "--format", "json"]).ends_with(code).json();
            without_places(&mut document);
            document
        };
        assert_eq!(run("broken/a.pyv"), run("broken/b.pyv"), "{command}");
    }
}

#[test]
fn certificates_of_one_dialect_are_accepted_for_the_other() {
    let dir = models();
    dir.run(&["verify", "a.pyv", "--certify", "a.cert"]).ends_with(0).complains("R031");
    dir.run(&["check", "a.pyv", "a.cert"]).ends_with(0);
    let check = |subject: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        command.args([subject, "a.cert"]).current_dir(&dir.0).output().expect("the binary runs").status.code()
    };
    // The obligations are the same ones, by name and by formula.
    assert_eq!([check("a.pyv"), check("b.pyv"), check("broken/a.pyv")], [Some(0), Some(0), Some(1)]);
    dir.run(&["check", "b.pyv", "a.cert"]).ends_with(0).prints("another text");
}

#[test]
fn the_dialect_is_noted_with_its_place_and_can_be_silenced() {
    let dir = models();
    dir.run(&["typecheck", "a.pyv"])
        .ends_with(0)
        .complains("note[R031]: the model is in the older dialect")
        .complains("a.pyv:12:45")
        .complains("twostate definition kept() = sent(S, T) <-> old(sent(S, T))");
    dir.run(&["typecheck", "a.pyv", "--allow", "R031"]).ends_with(0).silent_on_stderr();
    let document = dir.run(&["typecheck", "a.pyv", "--format", "json"]).ends_with(0).json();
    let diagnostics = &document["files"][0]["diagnostics"];
    assert_eq!((&diagnostics[0]["code"], &diagnostics[0]["severity"]), (&"R031".into(), &"note".into()));
    // What is printed is in the dialect of the text.
    let printed = dir.run(&["print", "a.pyv"]).ends_with(0).silent_on_stderr().out;
    assert!(printed.contains("old(sent(s, t))") && !printed.contains('\''), "{printed}");
    dir.file("printed.pyv", &printed);
    let answers =
        |name: &str| dir.run(&["verify", name, "--allow", "R031"]).ends_with(0).out.replace(name, "");
    let lines = |text: String| text.lines().filter(|line| !line.contains("trace block")).count();
    assert_eq!(lines(answers("a.pyv")), lines(answers("printed.pyv")));
}

#[test]
fn errors_have_place_and_hint() {
    let dir = Dir::new();
    let text = "sort s\nmutable relation r(s)\ninit !r(X)\ntransition t(x: s)\n  modifies r\n";
    dir.file("both.pyv", format!("{text}  old(!r(x)) &\n  new(r(X))\n"));
    dir.run(&["verify", "both.pyv"])
        .ends_with(2)
        .complains("error[R031]: the new state is marked, and elsewhere the old state")
        .complains("both.pyv:7:3")
        .complains("6 |   old(!r(x)) &")
        .complains("help: mark the same state everywhere");
    dir.file("init.pyv", "sort s\nmutable relation r(s)\ninit old(!r(X))\n");
    dir.run(&["verify", "init.pyv"])
        .ends_with(2)
        .complains("error[R010]: there is no old state here")
        .complains("init.pyv:3:6")
        .complains("an init speaks of one state")
        .complains("help: leave `old` out");
}

#[test]
fn formulas_on_the_command_line_have_their_own_dialect() {
    let dir = models();
    dir.run(&["cti", "broken/a.pyv", "--output", "cti.json"]).ends_with(1);
    for model in ["broken/a.pyv", "broken/b.pyv"] {
        let value =
            |formula: &str| dir.run(&["eval", formula, "cti.json", "--model", model, "--allow", "R031"]).code;
        let pairs = [
            ("old(holds(S)) -> holds(S)", "holds(S) -> holds'(S)"),
            ("!old(at_rest) | at_rest", "!at_rest | at_rest'"),
            ("old(last) = last", "last = last'"),
            ("old(idle(last)) -> idle(last)", "idle(last) -> idle'(last')"),
        ];
        for (older, newer) in pairs {
            assert!(matches!(value(newer), Some(0 | 1)), "{newer}");
            assert_eq!(value(older), value(newer), "{older}");
        }
        // Without a mark, the first state is meant.
        assert_eq!(value("holds(S) -> at_rest"), value("old(holds(S) -> at_rest)"));
        assert_eq!(value("old(at_rest) & at_rest'"), Some(2));
    }
}

#[test]
fn lints_speak_the_dialect_of_the_model() {
    let dir = Dir::new();
    let model = "sort s\nmutable relation r(s)\nmutable relation q\nmutable function f(s): s\nimmutable constant k: s\n\
        mutable constant at: s\ninit r(X) & q & f(X) = k & at = k\ntransition m() modifies q & !q & old(q)\n";
    let lints = |text: &str| {
        let run =
            dir.file("m.pyv", format!("{model}{text}\n")).run(&["typecheck", "m.pyv", "--allow", "R031"]);
        run.ends_with(0).err
    };
    for (wrong, help) in [
        ("transition t(n: s) modifies r & r(n)", "(forall X. X != n -> (r(X) <-> old(r(X))))"),
        ("transition t(n: s) modifies f & old(r(n)) & f(n) = k", "(forall X. X != n -> (f(X) = old(f(X))))"),
        ("transition t() modifies r & old(r(k)) & r(k)", "(forall X. X != k -> (r(X) <-> old(r(X))))"),
        // The point that is meant is the old one.
        (
            "transition t() modifies r, at & at = k & r(old(at))",
            "(forall X. X != old(at) -> (r(X) <-> old(r(X))))",
        ),
    ] {
        let found = lints(wrong);
        assert!(
            found.matches("[R").count() == 1 && found.contains("R041") && found.contains(help),
            "{wrong}\n{found}"
        );
        assert_eq!(lints(&format!("{wrong} & {help}")), "", "{wrong}");
    }
    let found = lints("transition t() modifies r, at & at = k & r(at)");
    assert!(found.contains("R041") && found.contains("say what it becomes for all arguments"), "{found}");
    // Definitions of the older dialect take their arguments by value in mypyvy, too.
    let by_value = "twostate definition d(n: s) = r(n) & old(r(n))\n\
        transition t() modifies r, f (r(X) <-> old(r(X))) & d(f(k)) & f(X) = k";
    assert_eq!(lints(by_value), "");
}
