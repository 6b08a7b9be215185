//! Programs in `.ivy` through the binaries: from a counterexample to a certificate, in the notation of the language.

use std::fs;
use std::process::Command;

use crate::common::binary::Dir;

const LOCK: &str = include_str!("../../examples/lock_server.ivy");
const SERVICE: &str = include_str!("../../examples/bounded_service.ivy");

/// Returns the lock server with its safety property alone.
fn without_invariants() -> String {
    let lines = LOCK.lines().filter(|line| !line.starts_with("invariant") || line.contains("[safety]"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn claims_are_found_and_added() {
    let dir = Dir::new();
    dir.file("lock.ivy", without_invariants());
    dir.run(&["verify", "lock.ivy"])
        .ends_with(1)
        .prints("transition receive_grant")
        .prints("holds(c) := true");
    dir.run(&["cti", "lock.ivy", "--output", "cti.json"]).ends_with(1);
    dir.run(&["generalize", "cti.json", "--model", "lock.ivy", "--bound", "3", "--add"]).ends_with(0);
    let text = fs::read_to_string(dir.0.join("lock.ivy")).expect("the program");
    assert!(text.contains("\ninvariant [conjecture_1] forall C"), "{text}");
    dir.run(&["infer", "lock.ivy", "--add", "--certify", "lock.cert"]).ends_with(0);
    let text = fs::read_to_string(dir.0.join("lock.ivy")).expect("the program");
    assert!(text.contains("~("), "negation is written as in the rest of the file: {text}");
    dir.run(&["verify", "--all", "lock.ivy"]).ends_with(0);
    let check = |model: &str| {
        let mut checker = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        let output = checker.current_dir(&dir.0).args([model, "lock.cert"]).output();
        output.expect("the checker").status.success()
    };
    assert!(check("lock.ivy"));
    dir.file("other.ivy", text.replace("require grant_msg(c);", ""));
    assert!(!check("other.ivy"), "a certificate is about its program");
}

/// Its obligations are proved one after the other; one of them leaves the fragment.
#[test]
fn executions_of_a_service_are_certified() {
    let dir = Dir::new();
    dir.file("service.ivy", SERVICE);
    dir.run(&["bmc", "service.ivy", "--depth", "2", "--certify", "x.cert"]).ends_with(0).prints("0 refuted");
    dir.run(&["check", "service.ivy", "x.cert"]).ends_with(0).prints("proved, 18 obligations");
}

#[test]
fn an_older_version_gets_conjectures() {
    let dir = Dir::new();
    let older = without_invariants().replace("ivy1.7", "ivy1.6").replace("require", "assume");
    let older = older.replace("invariant [safety]", "conjecture [safety]");
    let older = older.replace(
        "after init {",
        "init ~lock_msg(C) & ~grant_msg(C) & ~unlock_msg(C) & ~holds(C) & server_holds\n",
    );
    let (start, rest) = older.split_once("    lock_msg(C) := false;").expect("the initializer");
    let (_, rest) = rest.split_once("}\n").expect("its end");
    dir.file("lock.ivy", format!("{start}{rest}"));
    dir.run(&["infer", "lock.ivy", "--add"]).ends_with(0);
    let text = fs::read_to_string(dir.0.join("lock.ivy")).expect("the program");
    assert!(text.contains("\nconjecture [lemma_1] forall"), "{text}");
    dir.run(&["verify", "--all", "lock.ivy"]).ends_with(0);
}

#[test]
fn a_formula_is_read_in_the_language_of_the_program() {
    let dir = Dir::new();
    dir.file("service.ivy", SERVICE);
    let wanted = "~(service.owner(C, T) & service.free(T))";
    dir.run(&["bmc", "service.ivy", "--depth", "3", "--property", wanted]).ends_with(0);
    let refuted = dir.run(&["bmc", "service.ivy", "--depth", "3", "--property", "~service.owner(C, T)"]);
    refuted.ends_with(1).prints("service.take");
    let wrong = dir.run(&["bmc", "service.ivy", "--property", "!service.owner(C, T)"]);
    wrong.ends_with(2).complains("negation is written `~`");
}

#[test]
fn printed_programs_mean_the_same() {
    let dir = Dir::new();
    dir.file("service.ivy", SERVICE);
    let printed = dir.run(&["print", "service.ivy"]).ends_with(0).out.clone();
    dir.file("printed.ivy", &printed);
    dir.run(&["print", "printed.ivy"]).ends_with(0).prints(&printed);
    dir.run(&["verify", "--all", "printed.ivy"]).ends_with(0).prints("13 obligations: 13 ok");
}

#[test]
fn parts_without_a_meaning_are_told() {
    let dir = Dir::new();
    dir.file("lock.ivy", format!("{LOCK}attribute weight = 2\n"));
    dir.run(&["verify", "lock.ivy"])
        .ends_with(0)
        .complains("`attribute` is read, and nothing follows from it");
    dir.run(&["verify", "--allow", "R014", "lock.ivy"]).ends_with(0).silent_on_stderr();
}

const ORDER: &str = "#lang ivy1.7
type t
individual last : t
relation p(X:t)
after init { p(X) := false; }
action step(x:t) = {
  require last < x;
  p(x) := true;
}
export step
invariant p(X) & p(Y) -> X = Y
";

#[test]
fn facts_about_an_order_are_infix() {
    let dir = Dir::new();
    dir.file("order.ivy", ORDER);
    dir.run(&["verify", "order.ivy"]).ends_with(1).prints("\n    t0 < t1\n");
    dir.run(&["cti", "order.ivy", "--output", "cti.json"]).ends_with(1);
    dir.run(&["diagram", "cti.json", "--model", "order.ivy"]).ends_with(0).prints("T0 < T1");
}

const ISOLATES: &str = include_str!("../../examples/lock_isolates.ivy");

#[test]
fn isolates_are_answered_and_certified_one_by_one() {
    let dir = Dir::new();
    dir.file("lock.ivy", ISOLATES);
    dir.run(&["verify", "lock.ivy", "--certify", "certs"])
        .ends_with(0)
        .prints("lock.ivy, isolate lock: 7 ok")
        .prints("lock.ivy, isolate users: 7 ok")
        .prints("14 obligations: 14 ok");
    for isolate in ["lock", "users"] {
        let own = format!("certs/lock.ivy.{isolate}.cert");
        dir.run(&["check", "--isolate", isolate, "lock.ivy", &own])
            .ends_with(0)
            .prints("7 proved")
            .prints("the second one does not cover isolates");
        // A certificate of an isolate is none of the program, nor of another isolate.
        dir.run(&["check", "lock.ivy", &own])
            .ends_with(1)
            .complains("this is the whole program")
            .complains("where NAME is lock, this or users");
    }
    let other =
        dir.run(&["check", "--isolate", "users", "lock.ivy", "certs/lock.ivy.lock.cert"]).ends_with(1);
    assert!(!other.err.contains("--isolate"), "{}", other.err);
    // Other commands take the whole program, or one isolate.
    dir.run(&["bmc", "lock.ivy", "--depth", "2"]).ends_with(0).prints("lock.kept");
    dir.run(&["bmc", "lock.ivy", "--isolate", "users", "--depth", "2"]).ends_with(0).prints("users.owns");
    dir.run(&["verify", "lock.ivy", "--whole", "--format", "json"]).ends_with(0);
    dir.run(&["verify", "lock.ivy", "--isolate", "user"]).ends_with(2).complains("did you mean `users`?");
    // What fails in one isolate is told there.
    dir.file("broken.ivy", ISOLATES.replace("ok := free;", "ok := true;"));
    let broken = dir.run(&["verify", "broken.ivy", "--format", "json"]).ends_with(1);
    let document = broken.json();
    let failed = |isolate: &str| {
        let files = document["files"].as_array().expect("files");
        let file = files.iter().find(|file| file["isolate"] == isolate).expect("the isolate");
        file["summary"]["failed"].as_u64().expect("a number")
    };
    assert_eq!([failed("lock"), failed("users")], [1, 0]);
}

#[test]
fn executions_are_not_looked_for_where_arithmetic_is_not_known() {
    let dir = Dir::new();
    let text = "#lang ivy1.7\ntype t\ninterpret t -> nat\nindividual n : t\nafter init { n := 0 }\n\
                action up = { n := n + 1 }\nexport up\ninvariant 0 <= n\n";
    dir.file("up.ivy", text);
    dir.run(&["verify", "up.ivy"]).ends_with(0);
    dir.file("bound.ivy", format!("{text}invariant n < 3\n"));
    dir.run(&["verify", "bound.ivy"]).ends_with(3).prints("what is known of arithmetic");
    for command in ["bmc", "cti", "infer", "simulate", "instance"] {
        dir.run(&[command, "bound.ivy"]).ends_with(2).complains("R013");
    }
    // Without an interpretation it is any function, and a counterexample is one.
    dir.file("any.ivy", text.replace("interpret t -> nat\n", ""));
    dir.run(&["verify", "any.ivy"]).ends_with(1);
    dir.run(&["bmc", "any.ivy", "--depth", "1"]).ends_with(1);
}

/// A relation that always has further numbers, for all values of which a finite execution exists that says otherwise.
#[test]
fn executions_with_finitely_many_numbers_refute_nothing_of_all() {
    let dir = Dir::new();
    let text = "#lang ivy1.7\ntype t\ninterpret t -> nat\nrelation r(X:t)\nafter init { r(X) := false }\n\
                action go(x:t) = { assume x ~= 0; r(x) := true }\nexport go\ninvariant [claim] exists X:t. X > 0 & ~r(X)\n";
    dir.file("all.ivy", text);
    let known = "what is known of all numbers";
    dir.run(&["bmc", "all.ivy", "--depth", "2"]).ends_with(3).prints(known);
    dir.run(&["bmc", "all.ivy", "--depth", "2", "--certify", "all.cert"]).ends_with(3).prints(known);
    dir.run(&["infer", "all.ivy"]).ends_with(3).prints(known);
    dir.run(&["instance", "all.ivy", "t=2"]).ends_with(3).prints(known);
    // It is not inductive all the same: there may be no further number before.
    dir.run(&["verify", "all.ivy"]).ends_with(1);
    dir.run(&["cti", "all.ivy"]).ends_with(1);
    // Without an interpretation there may be two of them.
    dir.file("any.ivy", text.replace("interpret t -> nat\n", ""));
    // With one number alone that is so, there is an execution.
    dir.file("small.ivy", text.replace("X > 0 &", "X = 1 &"));
    for (model, size) in [("any.ivy", "t=2"), ("small.ivy", "t=2")] {
        dir.run(&["bmc", model, "--depth", "2"]).ends_with(1);
        dir.run(&["infer", model]).ends_with(1);
        dir.run(&["instance", model, size]).ends_with(1);
    }
}

/// An isolate whose invariant lacks a lemma.
const LACKING: &str = "#lang ivy1.7
type t
isolate lock = {
    relation held(X:t)
    after init { held(X) := false }
    action take(x:t) = { held(x) := true }
    invariant held(X) | ~held(X)
}
isolate user = {
    relation busy(X:t)
    relation done(X:t)
    relation odd(X:t)
    after init { busy(X) := false; done(X) := false; odd(X) := false }
    action begin(x:t) = { if lock.held(x) { busy(x) := true; done(x) := true } }
    action ruin(x:t) = { if odd(x) { busy(x) := true; done(x) := false } }
    invariant [safe] busy(X) -> done(X)
} with lock
export user.begin
export user.ruin
";

/// What is found for an isolate is written into its object.
#[test]
fn lemmas_of_an_isolate_stand_in_it() {
    let dir = Dir::new();
    dir.file("model.ivy", LACKING).file("other.ivy", LACKING);
    dir.run(&["verify", "model.ivy"]).ends_with(1);
    dir.run(&["infer", "--isolate", "user", "--add", "model.ivy"]).ends_with(0);
    let added = "    invariant [safe] busy(X) -> done(X)\n    invariant [lemma_1] forall T:t. ~user.odd(T)\n} with lock\n";
    assert!(dir.read("model.ivy").contains(added), "{}", dir.read("model.ivy"));
    dir.run(&["verify", "model.ivy"]).ends_with(0).prints("isolate user: 6 ok");
    dir.run(&["cti", "--isolate", "user", "other.ivy", "--output", "cti.json"]).ends_with(1);
    dir.run(&[
        "generalize",
        "--isolate",
        "user",
        "cti.json",
        "--model",
        "other.ivy",
        "--bound",
        "2",
        "--add",
    ])
    .ends_with(0)
    .prints("as `user.conjecture_1`");
    dir.run(&["verify", "other.ivy"]).ends_with(0);
    // A report is about one of them.
    dir.run(&["verify", "other.ivy", "--html", "page.html"]).ends_with(2).complains("--isolate NAME");
    dir.run(&["verify", "other.ivy", "--isolate", "user", "--html", "page.html"]).ends_with(0);
}

#[test]
fn executions_of_a_model_with_an_admitted_property_are_not_asked_for() {
    let dir = Dir::new();
    let text = "#lang ivy1.7
type t
relation p(X:t)
after init { p(X) := false }
action set(x:t) = { p(x) := true }
export set
property [bad] X:t ~= X
proof { tactic sorry }
invariant [never] ~p(X)
";
    dir.file("admitted.ivy", text).file("plain.ivy", text.replace("proof { tactic sorry }\n", ""));
    // Nothing is reached where the property holds, so that nothing is violated.
    let commands: [&[&str]; 7] = [
        &["bmc", "--depth", "2"],
        &["mc"],
        &["infer"],
        &["instance", "t=2"],
        &["simulate"],
        &["cti"],
        &["explain"],
    ];
    for command in commands {
        let (name, rest) = (command[0], &command[1..]);
        let asked = |model: &str| dir.run(&[&[name, model], rest].concat());
        asked("admitted.ivy").ends_with(2).complains("error[R013]: a property is admitted here");
        assert_ne!(asked("plain.ivy").code, Some(2), "{name}");
    }
    dir.run(&["verify", "admitted.ivy"]).ends_with(3).prints("unknown (admitted, not shown)");
}

#[test]
fn what_a_proof_shows_is_assumed_of_executions_with_a_warning() {
    let dir = Dir::new();
    let text = "#lang ivy1.7
type t
relation p(X:t)
relation q(X:t)
explicit axiom [rule] p(X)
after init { q(X) := true }
action set(x:t) = { q(x) := p(x) }
export set
property [lemma] p(X) proof { instantiate rule }
invariant [kept] q(X)
";
    dir.file("lemma.ivy", text).file("plain.ivy", text.replace("property", "# property"));
    let what = "a property with a proof is assumed of all states, and not shown by this command";
    for command in [&["bmc", "--depth", "2"][..], &["mc"], &["instance", "t=2"]] {
        let asked = |model: &str| dir.run(&[&[command[0], model], &command[1..]].concat());
        asked("lemma.ivy").ends_with(0).complains(what);
        assert!(!asked("plain.ivy").ends_with(1).err.contains(what));
    }
    assert!(!dir.run(&["verify", "lemma.ivy"]).ends_with(0).err.contains(what));
}

/// What a value is as one of a variant is written as in Ivy.
#[test]
fn lemmas_about_variants_are_read_back() {
    let dir = Dir::new();
    dir.file(
        "m.ivy",
        "#lang ivy1.7\ntype t\nvariant v of t\nindividual o:t\nindividual x:t\nrelation r(X:t)\nafter init { r(X) := true }\n\
         action go = { if some w:v. x *> w { o := w }; assert r(x) -> r(o) }\nexport go\n",
    );
    dir.run(&["infer", "m.ivy", "--out", "found.ivy"]).ends_with(0).prints("x *> W");
    dir.run(&["verify", "found.ivy"]).ends_with(0).prints("3 obligations: 3 ok");
}

/// The transitions assume what the proof of a claim assumes.
#[test]
fn claims_with_proofs_stay_beside_lemmas() {
    let dir = Dir::new();
    let program = |claim: &str| {
        format!(
            "#lang ivy1.7\ntype t\nrelation p(X:t)\nrelation q(X:t)\nindividual c:t\nexplicit axiom [ax] q(X)\n\
             after init {{ p(X) := false }}\naction a(x:t) = {{ p(x) := true }}\nexport a\n\
             invariant [own] {claim} proof {{ instantiate ax with X = X }}\ninvariant p(X) -> q(X)\n"
        )
    };
    dir.file("m.ivy", program("p(X) -> q(X)")).file("false.ivy", program("p(c) & ~p(X) -> ~q(X)"));
    dir.run(&["infer", "m.ivy", "--out", "found.ivy"]).ends_with(0).prints("verified: 4 obligations, 4 ok");
    assert!(dir.read("found.ivy").contains("instantiate ax"));
    dir.run(&["infer", "false.ivy", "--out", "none.ivy"])
        .ends_with(2)
        .complains("invariants of `false.ivy` with proofs are not inductive with the lemmas");
}
