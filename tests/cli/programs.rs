//! Programs (`.rml`) on the command line.

use std::process::Command;

use crate::common::binary::{Dir, LOCK};

/// A lock in RML, with its declarations in a file of their own.
const LOCK_PROGRAM: &str = "\
include \"parts/nodes.rml\"
relation held: node

assume !held(N)
while * {
  action acquire(n: node) {
    assume !held(M)
    held.insert(n)
  } | action release {
    local n: node
    held.remove(n)
  }
}

safety [mutex] held(N1) & held(N2) -> N1 = N2
";

fn lock_program(dir: &Dir) {
    dir.file("lock.rml", LOCK_PROGRAM).file(
        "parts/nodes.rml",
        "include \"order\"\nsort node\nrelation le(node, node)\nuse total_order(node, le)\n",
    );
}

#[test]
fn programs_are_verified_beside_models() {
    let dir = Dir::new();
    lock_program(&dir);
    let run = dir.run(&["verify", "lock.rml"]).ends_with(0).silent_on_stderr();
    assert!(run.out.contains("transition acquire\n    mutex  ok\n"), "{}", run.out);
    let broken = LOCK_PROGRAM.replace("    assume !held(M)\n    held", "    held");
    let run = dir.file("broken.rml", broken).run(&["verify", "broken.rml"]).ends_with(1);
    run.prints("error: transition `acquire`").prints("acquire(n = node1)");
    dir.file("m/a.pyv", LOCK).file("m/b.rml", LOCK_PROGRAM.replace("include", "sort node #"));
    let run = dir.run(&["verify", "m"]).ends_with(0);
    run.prints("m/a.pyv: 3 ok").prints("m/b.rml: 3 ok");
    dir.run(&["fragment", "lock.rml"]).ends_with(0);
    dir.run(&["typecheck", "lock.rml"]).ends_with(0).silent_on_stderr();
}

#[test]
fn certificates_of_programs_are_checked_by_both_binaries() {
    let dir = Dir::new();
    lock_program(&dir);
    dir.run(&["verify", "lock.rml", "--certify", "lock.cert"]).ends_with(0);
    dir.run(&["check", "lock.rml", "lock.cert"]).ends_with(0).prints("accepted");
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["lock.rml", "lock.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    dir.file("parts/nodes.rml", "sort nodes\n");
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["lock.rml", "lock.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("lock.rml:2:16: "), "{output:?}");
}

#[test]
fn mistakes_in_included_files_are_shown_there() {
    let dir = Dir::new();
    dir.file("lock.rml", LOCK_PROGRAM).file("parts/nodes.rml", "sort node\naxiom missing\n");
    dir.run(&["verify", "lock.rml"]).ends_with(2).complains("--> parts/nodes.rml:2:7");
    dir.file("lock.rml", LOCK_PROGRAM.replace("nodes.rml", "node.rml"));
    dir.run(&["typecheck", "lock.rml"])
        .ends_with(2)
        .complains("--> lock.rml:1:9")
        .complains("there is no file `parts/node.rml`");
}

#[test]
fn a_program_outside_of_the_fragment_is_refused() {
    let dir = Dir::new();
    let text = "sort node relation link(node, node) relation up(node)\nassume link(X, Y)\nassume up(X)\n\
                while * { { link(X, Y) := up(X) } | { up(X) := link(X, X) } }\n\
                conjecture [onward] forall X. exists Y: node. link(X, Y)\n";
    dir.file("m.rml", text);
    dir.run(&["typecheck", "m.rml"]).ends_with(0);
    dir.run(&["verify", "m.rml"])
        .ends_with(2)
        .complains("error[R015]")
        .complains("with `--no-strict` this is a warning")
        .complains("help: record for which `X` and `Y` it is so in a ghost relation");
    let run = dir.run(&["verify", "--no-strict", "m.rml"]).complains("warning[R015]");
    assert!(run.code != Some(2) && !run.err.contains("error["), "{run:?}");
    dir.run(&["verify", "--strict", "--no-strict", "m.rml"]).ends_with(2).complains("cannot be used with");
}

/// A queue that violates all rules of the fragment: a function from a sort to itself, an axiom with `forall .. exists`,
/// an update with a quantifier.
const OUTSIDE: &str = "\
sort node
function next: node -> node
relation below(node, node)
relation open(node)
axiom below(X, Y) & below(Y, Z) -> below(X, Z)
axiom !below(X, X)
axiom [onward] forall X: node. exists Y: node. below(X, Y)
assume open(X)
while * {
  action shut(n: node) {
    open.remove(n)
  } | action refresh {
    open(X) := exists y. below(X, y) & open(next(y)) & open(y) | open(X)
  }
}
safety [stays] open(X) | !open(X)
";

#[test]
fn programs_may_leave_the_fragment_where_that_is_asked_for() {
    let dir = Dir::new();
    dir.file("m.rml", OUTSIDE);
    for command in ["verify", "typecheck", "bmc", "cti", "fragment", "simulate", "theorem", "trace"] {
        let run = dir.run(&[command, "m.rml"]).ends_with(2);
        run.complains("error[R020]: an axiom must be of the form")
            .complains("error[R020]: an update cannot have quantifiers")
            .complains("error[R021]: the functions are not stratified: node -> node")
            .complains("with `--no-strict` this is a warning");
        let run = dir.run(&[command, "--no-strict", "m.rml"]);
        assert_ne!(run.code, Some(2), "{command}: {run:?}");
        assert!(!run.err.contains("error["), "{command}: {}", run.err);
        run.complains("warning[R020]").complains("warning[R021]");
    }
}

#[test]
fn certificates_of_programs_outside_of_the_fragment_are_accepted() {
    let dir = Dir::new();
    dir.file("m.rml", OUTSIDE);
    dir.run(&["verify", "--no-strict", "m.rml", "--certify", "m.cert"]).ends_with(0);
    dir.run(&["check", "m.rml", "m.cert"]).ends_with(0).prints("accepted: claim proved");
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["m.rml", "m.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn what_leads_out_of_the_fragment_comes_with_help() {
    let dir = Dir::new();
    for (text, help) in [
        (
            "function f: node -> node",
            "help: make `f` a relation, `f(X, Y)`, and state that the value is unique",
        ),
        (
            "sort value function of: value -> node function val: node -> value",
            "if `val` is the inverse of `of`, write `of(X) = Y` for `val(Y) = X`",
        ),
        (
            "sort value relation r(node, value) axiom forall X. exists Y. r(X, Y)",
            "help: `function f: node -> value` names the element: write `f(X)` for `Y`",
        ),
        (
            "relation r(node, node) axiom forall X. exists Y. r(X, Y)",
            "help: assume it of single elements, where they come up",
        ),
        (
            "sort quorum relation m(node, quorum) axiom forall P, Q. exists N. m(N, P) & m(N, Q)",
            "help: `function f: quorum, quorum -> node` names the element: write `f(P, Q)` for `N`",
        ),
        (
            "sort quorum relation m(node, quorum) relation won: node while * { skip } safety won(N) -> exists Q. forall M. m(M, Q)",
            "help: keep the `Q` in a ghost relation",
        ),
    ] {
        dir.file("m.rml", format!("sort node\n{text}\n"));
        dir.run(&["typecheck", "m.rml"]).ends_with(2).complains(help);
        dir.run(&["typecheck", "--no-strict", "m.rml"]).ends_with(0).complains(help);
    }
    for (text, help) in [
        ("immutable function f(s): s axiom f(X) = X", "help: make `f` a relation"),
        (
            "mutable relation le(s, s) init le(X, Y) safety [least] exists X. forall Y. le(X, Y)",
            "the claim says that there is a `X:s`: hold that element in a mutable constant",
        ),
        (
            "mutable relation le(s, s) init le(X, Y) invariant [more] forall X. exists Y. le(X, Y)",
            "help: record for which `X` and `Y` it is so in a ghost relation",
        ),
    ] {
        let claim =
            "mutable relation p(s) init p(X) transition t() modifies p & (p'(X) <-> p(X)) & (forall X. p(X))";
        dir.file("m.pyv", format!("sort s {text} {claim} invariant p(X)\n"));
        dir.run(&["fragment", "m.pyv"]).ends_with(1).complains("warning[R015]").complains(help);
    }
}

#[test]
fn programs_are_printed_in_canonical_form() {
    let dir = Dir::new();
    lock_program(&dir);
    let printed = dir.run(&["print", "lock.rml"]).ends_with(0).out;
    assert!(printed.contains("relation held(node)\n"), "{printed}");
    let again = dir.file("again.rml", &printed).run(&["print", "again.rml"]).ends_with(0).out;
    assert_eq!(printed, again);
}

/// `ite` of the paper is the conditional term, wherever an expression stands.
#[test]
fn conditional_terms_are_written_in_two_ways() {
    const PROGRAM: &str = "\
sort node
relation p: node
variable c: node
macro chosen(x: node) = ite(p(x), p(c), x = c)
assume forall X:node. !p(X) & ite(p(X), false, true)
while * {
  action go {
    local x: node
    assume ite(p(x), !p(c), x = c) | ite(p(x), x, c) != c
    c := ite(p(x), ite(p(c), x, c), c)
    p(X) := ite(p(c), X = x, p(X))
    if ite(p(x), c, x) = x & chosen(x) & ite(true, p(c), p(x)) { p.insert(ite(p(x), c, x)) }
    assert forall X:node. X = ite(p(X), X, X)
  }
}
conjecture [a] p(ite(p(X), X, X)) -> p(X)
";
    let dir = Dir::new();
    dir.file("ite.rml", PROGRAM);
    let printed = dir.run(&["print", "ite.rml"]).ends_with(0);
    assert!(!printed.out.contains("ite(") && printed.out.contains("if p(x) then"), "{}", printed.out);
    dir.file("if.rml", &printed.out);
    assert_eq!(dir.run(&["print", "if.rml"]).ends_with(0).out, printed.out);
    for model in ["ite.rml", "if.rml"] {
        dir.run(&["verify", "--no-strict", "--all", model]).ends_with(0).prints("\n3 obligations: 3 ok\n");
    }
}

/// A macro without parameters is a formula, as it is within one.
#[test]
fn properties_are_names_of_macros() {
    let dir = Dir::new();
    dir.file(
        "m.rml",
        "sort t\nrelation p(t)\nmacro none = forall X:t. !p(X)\nassume !p(X)\nwhile * { action a(x: t) { p(x) := true } }\n",
    );
    for property in ["none", "(none)"] {
        dir.run(&["bmc", "m.rml", "-p", property]).ends_with(1).prints("depth 1  VIOLATED");
    }
    // A variable, which could stand for `true` or `false`, is none.
    for property in ["nothing", "Nothing", "L4"] {
        let what = format!("no invariant or assertion `{property}`");
        dir.run(&["bmc", "m.rml", "-p", property]).ends_with(2).complains(&what);
    }
}
