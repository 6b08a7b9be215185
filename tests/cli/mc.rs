//! `ramsey mc`: answers, exit codes, circuits, documents.

use crate::common::binary::Dir;
use crate::common::models::{INVERSE, LOSSY};

/// A violation is told by what it depends on, in few lines; what is not tracked is marked.
#[test]
fn executions_are_told_by_what_matters() {
    let dir = Dir::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/directory_cache_broken.pyv");
    let run = dir.run(&["mc", path, "-p", "exclusive"]).ends_with(1);
    let run = run.prints("  step 2: serve_reader(c = client0): serving\n");
    let run = run.prints("  step 8: receive_back(c = client0): !shares(client0)\n");
    let run = run.prints("violated after step 11, `begin_to_write`:");
    assert!(run.out.lines().count() <= 40, "{}", run.out);
    // Whose copies are up to date does not matter.
    assert!(!run.out.contains("latest") && !run.out.contains("copy("), "{}", run.out);
    let full = dir.run(&["mc", path, "-p", "exclusive", "--full"]).ends_with(1).prints("state 11:");
    assert!(full.out.contains("latest") && full.out.lines().count() > 40, "{}", full.out);
    let run = dir.run(&["mc", path, "-p", "coherent"]).ends_with(3);
    let run =
        run.prints("  step 4: serve_writer(c = ?): ").prints("? ask_write(c)\n    ^ spurious from step 4 on");
    assert!(!run.out.contains("~take_back(C)"), "{}", run.out);
    dir.run(&["mc", path, "-p", "coherent", "--full"]).ends_with(3).prints("~take_back(C)");
}

/// What the abstraction does not track is proposed as a prophecy variable, in the syntax of the model.
#[test]
fn prophecy_variables_are_proposed() {
    let dir = dir();
    let run = dir.run(&["mc", "weak.ivy"]).ends_with(3);
    run.prints("  suggestion: `proof let A = a` proves it as long as the other claims hold\n");
    let run = dir.run(&["mc", "weak.ivy", "--auto-prophecy"]).ends_with(0).prints("  proved (");
    run.prints("  with `proof let A = a` after the claim\n");
    dir.file("proof.ivy", format!("{LOSSY}proof let A = a\n"));
    let run = dir.run(&["mc", "proof.ivy"]).ends_with(0);
    assert!(!run.out.contains("`proof"), "{}", run.out);
    // The proofs are as good as others.
    let run = dir.run(&["mc", "weak.ivy", "--auto-prophecy", "--lemmas", "lemmas.ivy"]).ends_with(0);
    run.prints("  invariant lemmas.ivy: ");
    dir.run(&["verify", "lemmas.ivy"]).ends_with(0);
    // What a run wrote, a later one replaces; what somebody else wrote, it does not.
    dir.run(&["mc", "weak.ivy", "--auto-prophecy", "--lemmas", "lemmas.ivy"]).ends_with(0);
    let other = dir.run(&["mc", "weak.ivy", "--auto-prophecy", "--lemmas", "weak.ivy"]).ends_with(2);
    other.complains("stays as it is");
    // A violation by the model stays one.
    let run = dir.run(&["mc", "bad.ivy", "--auto-prophecy"]).ends_with(1);
    assert!(!run.out.contains("proof let"), "{}", run.out);
    let document = dir.run(&["mc", "weak.ivy", "--format", "json"]).ends_with(3).json();
    let suggestions = &document["answers"][0]["suggestions"];
    assert_eq!(suggestions[0]["proof"], "proof let A = a");
    assert_eq!(suggestions[0]["proves"], true);
    // Three variables at a time, which are then the proof.
    let text = CHAIN;
    dir.file("chain.ivy", text);
    dir.run(&["mc", "chain.ivy"]).ends_with(3);
    let run = dir.run(&["mc", "chain.ivy", "--auto-prophecy"]).ends_with(0);
    let from = run.out.find("proof let").expect("a proof");
    let proof = run.out[from..].split('`').next().expect("its end");
    assert!(proof.contains(", "), "{proof}");
    dir.file("chain.ivy", format!("{text}{proof}\n"));
    dir.run(&["mc", "chain.ivy"]).ends_with(0);
}

/// The claim depends on the value of one variable, and of another one that becomes it.
const CHAIN: &str = "\
#lang ivy1.7
type node
relation r(N:node)
relation s(N:node)
var a : node
var b : node
var c : node
var d : node
after init { r(N) := true; s(N) := true }
action move = { a := c }
action other = { b := d }
action drop(n:node) = { require n ~= a & n ~= c; r(n) := false }
action lose(n:node) = { require n ~= b & n ~= d; s(n) := false }
export move
export other
export drop
export lose
invariant r(a) & s(b)
";

/// A lock whose holder is remembered.
const LOCK: &str = "\
#lang ivy1.7
include mc_schemata
type node
relation held(N:node)
var owner : node
individual free : bool
after init { held(N) := false; free := true }
action take(n:node) = { require free; held(n) := true; free := false; owner := n }
action drop(n:node) = { require held(n); held(n) := false; free := true }
export take
export drop
invariant [one] held(N) & held(M) -> N = M
invariant [owned] held(N) -> ~free & N = owner
attribute method = mc
";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("lock.ivy", LOCK).file("bad.ivy", LOCK.replace("require free;", ""));
    dir.file("weak.ivy", LOSSY);
    dir
}

#[test]
fn answers_have_their_exit_codes() {
    let dir = dir();
    let run = dir.run(&["mc", "lock.ivy"]).ends_with(0);
    run.prints("safety property one  ").prints(" latches, ").prints("  proved (an invariant of ");
    let run = dir.run(&["mc", "lock.ivy", "--property", "one"]).ends_with(3);
    run.prints("holds as long as the other claims have held");
    let run = dir.run(&["mc", "bad.ivy"]).ends_with(1);
    run.prints("VIOLATED after 2 steps").prints("  step 2: take(").prints("violated after step 2, `take`:");
    dir.run(&["mc", "bad.ivy", "--full"]).ends_with(1).prints("transition take").prints("state 2:");
    let run = dir.run(&["mc", "weak.ivy"]).ends_with(3);
    let run =
        run.prints("not proved: the abstraction violates it").prints("spurious").prints("violated: ? ~r(a)");
    assert!(run.out.lines().count() <= 40, "{}", run.out);
    dir.run(&["mc", "lock.ivy", "--work", "1"]).ends_with(3).prints("unknown");
    dir.run(&["mc", "lock.ivy", "--max-nodes", "10"])
        .ends_with(3)
        .prints("no answer: the circuit is too large");
    dir.run(&["mc", "lock.ivy", "--property", "on"]).ends_with(2).complains("`on`");
    dir.run(&["mc", "lock.ivy", "-p", "one", "--out", "x.txt"]).ends_with(2).complains(".aag");
    dir.file("proof.ivy", LOCK.replace("N = M\n", "N = M\nproof let N = owner\n"));
    for arguments in
        [&["mc", "proof.ivy"][..], &["verify", "proof.ivy"], &["verify", "proof.ivy", "--inductive"]]
    {
        dir.run(arguments).ends_with(2).complains("`N` is no new variable");
    }
    dir.file("read.ivy", LOCK.replace("N = M\n", "N = M\nproof let O = owner\n"));
    dir.run(&["mc", "read.ivy"]).ends_with(0).silent_on_stderr();
}

#[test]
fn schemata_are_instantiated_as_often_as_asked() {
    let dir = dir();
    dir.file("inverse.ivy", INVERSE);
    dir.file("few.ivy", INVERSE.replace("to(X:a) : b", "to(X:a, Y:a) : b").replace("to(X)", "to(X, X)"));
    // No axiom says what the schema says, and so `verify` does not know it.
    let run = dir.run(&["mc", "inverse.ivy"]).ends_with(3);
    let run = run.prints("holds where schemata are true that `verify` does not assume (");
    run.prints("inverse.ivy:9: the axioms do not imply what this schema says");
    let run = dir.run(&["mc", "inverse.ivy", "--format", "json"]).ends_with(3).json();
    assert_eq!(run["answers"][0]["outcome"], "conditional");
    dir.run(&["mc", "inverse.ivy", "--generations", "2"])
        .ends_with(3)
        .prints("holds where schemata are true");
    dir.run(&["mc", "inverse.ivy", "--lemmas", "lemmas.ivy"]).ends_with(3);
    dir.file("implied.ivy", format!("{INVERSE}axiom g(f(X)) = X\n"));
    dir.run(&["mc", "implied.ivy"]).ends_with(0).prints("proved");
    // Without an instance the schema says nothing, and neither it does where no proof names it.
    dir.run(&["mc", "inverse.ivy", "--generations", "0"]).ends_with(1).prints("VIOLATED");
    let run = dir.run(&["mc", "few.ivy"]).ends_with(1).complains("nothing follows from the schema `inverse`");
    assert_eq!(run.err.matches("nothing follows").count(), 1, "{}", run.err);
    dir.run(&["verify", "inverse.ivy"]).ends_with(1);
}

#[test]
fn circuits_are_written() {
    let dir = dir();
    for (file, code) in [("lock.ivy", 20), ("bad.ivy", 10)] {
        for extension in ["aig", "aag"] {
            let out = &format!("{file}.{extension}");
            dir.run(&["mc", file, "-p", "one", "--out", out]).prints("  circuit ");
            dir.run(&["solve", "-q", out]).ends_with(code);
        }
    }
}

#[test]
fn documents_follow_the_schema() {
    let dir = dir();
    let cases: [(&[&str], i32, &str, &str); 5] = [
        (&["lock.ivy", "--stats"], 0, "ok", "proved"),
        (&["lock.ivy", "-p", "one"], 3, "unknown", "conditional"),
        (&["bad.ivy"], 1, "counterexample", "violated"),
        (&["weak.ivy"], 3, "unknown", "abstract"),
        (&["lock.ivy", "--max-nodes", "10"], 3, "unknown", "refused"),
    ];
    for (args, code, verdict, outcome) in cases {
        let args = [&["mc", "--format", "json"], args].concat();
        let document = dir.run(&args).ends_with(code).json();
        assert_eq!(document["verdict"], verdict, "{args:?}");
        assert_eq!(document["answers"][0]["outcome"], outcome, "{args:?}");
    }
    dir.run(&["mc", "--format", "json", "missing.ivy"]).ends_with(2).json();
}

/// An order that schemata declare counts for all commands.
#[test]
fn schemata_of_an_order_are_axioms() {
    let dir = Dir::new();
    let text = "\
#lang ivy1.7
include mc_schemata
type t
instantiate total_order_schemata(t)
var top : t
relation seen(X:t)
after init { seen(X) := false }
action see(x:t) = { if top < x { top := x }; seen(x) := true }
export see
invariant seen(X) -> X <= top
";
    dir.file("order.ivy", text);
    dir.run(&["verify", "order.ivy"]).ends_with(0);
    dir.run(&["mc", "order.ivy"]).ends_with(0);
    dir.file("none.ivy", text.replace("instantiate total_order_schemata(t)\n", ""));
    dir.run(&["verify", "none.ivy"]).ends_with(1);
    dir.run(&["mc", "none.ivy"]).ends_with(1);
    dir.file("wrong.ivy", text.replace("schemata(t)", "schemata(u)"));
    dir.run(&["mc", "wrong.ivy"]).ends_with(2).complains("`u`");
}

/// The model [`LOSSY`] with an assertion, in the other languages. `PROOF` stands where proofs do.
const OTHERS: [(&str, &str, &str); 2] = [
    (
        "pyv",
        "sort node\nmutable relation r(node)\nmutable constant a: node\nmutable constant b: node\n\
         init forall N. r(N)\ntransition move() modifies a a' = b\ntransition drop(n: node) modifies r\n\
         n != a & n != b & (forall N. r'(N) <-> r(N) & N != n)\n\
         safety forall M: node. M = M -> r(a)\nPROOF_A\ninvariant [rb] r(b)\nPROOF_B\n",
        "proof let A: node = a, C = M",
    ),
    (
        "rml",
        "sort node\nrelation r(node)\nvariable a: node\nvariable b: node\nassume forall N: node. r(N)\n\
         while * {\n action move { local m: node a := b assert r(a)\nPROOF_A }\n\
         | action drop(n: node) { assume n != a assume n != b r.remove(n) }\n}\n\
         safety r(a)\nPROOF_A\nconjecture [rb] r(b)\nPROOF_B\n",
        "proof let A: node = a",
    ),
];

#[test]
fn proofs_name_terms_in_all_languages() {
    let dir = Dir::new();
    for (language, text, proof) in OTHERS {
        let (plain, proved) = (&format!("plain.{language}"), &format!("proved.{language}"));
        dir.file(plain, text.replace("PROOF_A", "").replace("PROOF_B", ""));
        let other = "proof if r(a) { let B = b } else { let B = b let D = a }";
        dir.file(proved, text.replace("PROOF_A", proof).replace("PROOF_B", other));
        dir.run(&["mc", plain]).ends_with(3).prints("not proved: the abstraction violates it");
        let run = dir.run(&["mc", proved]).ends_with(0).prints("proved");
        assert!(run.err.is_empty(), "{}", run.err);
        // No other command reads more of a proof than its syntax.
        let run = dir.run(&["verify", proved]).ends_with(0);
        run.complains("note[R014]: `proof` is read, and nothing follows from it");
        let printed = dir.run(&["print", proved]).ends_with(0).out;
        assert_eq!(printed.matches("  proof ").count(), text.matches("PROOF").count(), "{printed}");
        let again = &format!("again.{language}");
        dir.file(again, printed.clone());
        assert_eq!(dir.run(&["print", again]).ends_with(0).out, printed);
        dir.run(&["mc", again]).ends_with(0);
        let to = if language == "pyv" { "rml" } else { "pyv" };
        let run = dir.run(&["print", "--to", to, proved]).ends_with(0);
        let run = run.complains("a proof by prophecy variables is left out");
        assert!(!run.out.contains("`proof"), "{}", run.out);
    }
}

/// A name that is no more than a word elsewhere.
#[test]
fn proof_is_no_reserved_word() {
    let dir = Dir::new();
    let text =
        "variable proof: bool\nwhile * { assert proof | !proof\nproof := true }\nsafety proof | !proof";
    dir.file("word.rml", text);
    dir.run(&["verify", "word.rml"]).ends_with(0);
    dir.file("word.pyv", "mutable relation proof()\ninvariant [a] proof | !proof\nproof let P = proof");
    dir.run(&["mc", "word.pyv"]).ends_with(0);
}

/// Modules rename what proofs mention like all else.
#[test]
fn proofs_of_modules_are_those_of_their_uses() {
    let dir = Dir::new();
    let text = "\
module walk(node, c, d) {
    relation r(node)
    conjecture forall H: node. H = H -> r(c) proof let A: node = c, B = H
    conjecture r(d) proof if r(d) { let A = d } else { let A: node = d }
}
sort place
variable a: place
variable b: place
variable A: place
variable H: place
use walk(place, a, b) as w
assume forall N: place. w_r(N)
while * {
    action move { a := b }
    | action drop(n: place) { assume n != a & n != b; w_r.remove(n) }
}
";
    dir.file("module.rml", text);
    dir.run(&["mc", "module.rml"]).ends_with(0);
    dir.file("plain.rml", text.replace("proof let A: node = c, B = H", ""));
    dir.run(&["mc", "plain.rml"]).ends_with(3);
}

/// Assertions before the first state and after the last one.
#[test]
fn assertions_outside_of_actions_are_claims() {
    let dir = dir();
    let at_start =
        |commands: &str| LOCK.replace("free := true }\naction take", &format!("{commands} }}\naction take"));
    dir.file("fine.ivy", at_start("free := true; assert free & ~held(owner)"));
    dir.run(&["mc", "fine.ivy"]).ends_with(0).prints("  assertion L7 ");
    dir.file("wrong.ivy", at_start("assert ~free; free := true"));
    let run = dir.run(&["mc", "wrong.ivy"]).ends_with(1);
    run.prints("VIOLATED before the initial states").prints("is violated on the way to an initial state");
    // That the execution goes on only where the assertion holds does not prove it.
    dir.file("late.ivy", at_start("free := true; assert owner = some_node; assume owner = some_node"));
    let text = dir.read("late.ivy").replace("var owner", "individual some_node : node\nvar owner");
    dir.file("late.ivy", text);
    dir.run(&["mc", "late.ivy"]).ends_with(1).prints("VIOLATED before the initial states");
    let text = "\
#lang ivy1.7
type node
function f(X:node) : node
relation p(X:node)
individual c : node
var a : node
axiom Y = f(X) -> p(Y)
after init { a := f(c); assert p(a) proof let A = a }
action skip = { a := a }
export skip
invariant c = c | p(a)
";
    dir.file("proof.ivy", text);
    dir.run(&["mc", "proof.ivy"]).ends_with(0);
    dir.file("none.ivy", text.replace("proof let A = a", ""));
    let run = dir.run(&["mc", "none.ivy"]).ends_with(3);
    run.prints("not proved: the abstraction violates it before the initial states");
    let text = "\
sort node
relation r(node)
variable a, b: node
assume forall N: node. r(N)
while * {
    action move { a := b }
    | action drop(n: node) { assume n != a & n != b; r.remove(n) }
}
assert r(a) proof let A = a
";
    dir.file("last.rml", text);
    dir.run(&["mc", "last.rml"]).ends_with(0);
    dir.file("none.rml", text.replace("proof let A = a", ""));
    dir.run(&["mc", "none.rml"]).ends_with(3);
    dir.file("wrong.rml", text.replace("assume n != a & n != b", "assume n != b"));
    dir.run(&["mc", "wrong.rml"]).ends_with(1).prints("VIOLATED after 1 step");
}

/// What is required of internal calls and ensured of all calls.
#[test]
fn proofs_of_monitors_are_read() {
    let dir = Dir::new();
    let text = "\
#lang ivy1.7
type node
relation r(N:node)
var a : node
individual b : node
after init { r(N) := true }
action move = { a := b }
action drop(n:node) = { r(n) := false }
action use(n:node)
action look = { call use(a) }
action get returns (n:node) = { n := a }
before drop { require n ~= a & n ~= b PROOF }
before use { require r(n) PROOF }
after get { ensure r(n) PROOF }
export move
export drop
export use
export look
export get
";
    dir.file("proof.ivy", text.replace("PROOF", "proof let N = n"));
    let run = dir.run(&["mc", "proof.ivy"]).ends_with(0);
    let run = run.prints("  assertion L13 ").prints("  assertion L14 ");
    assert!(!run.err.contains("`proof`"), "{}", run.err);
    let plain = text.replace("PROOF", "");
    dir.file("plain.ivy", &plain);
    let run = dir.run(&["mc", "plain.ivy"]).ends_with(3);
    assert_eq!(run.out.matches("not proved: the abstraction violates it").count(), 2, "{}", run.out);
    for (from, to) in
        [("require n ~= a & n ~= b", "require n ~= b"), ("call use(a)", "var m:node; call use(m)")]
    {
        dir.file("wrong.ivy", text.replace("PROOF", "proof let N = n").replace(from, to));
        dir.run(&["mc", "wrong.ivy"]).ends_with(1).prints("VIOLATED after ");
    }
    dir.file("name.ivy", text.replace("PROOF", "proof let N = n, M = N, N = a"));
    dir.run(&["mc", "name.ivy"]).ends_with(2).complains("`N` is no new variable");
}

/// Lemmas about what statements introduce, such as the values before them, have no text.
#[test]
fn lemmas_mention_what_the_model_declares() {
    let dir = Dir::new();
    for (name, text) in [
        (
            "m.rml",
            "sort s\nrelation q: s\nrelation r: s\nassume q(X)\nr(X) := r(X) & q(X)\nwhile * {\n  action t(x: s) { r.insert(x) }\n}\nsafety q(X)\n",
        ),
        (
            "m.ivy",
            "#lang ivy1.7\ntype t\nindividual k : t\nrelation r(X:t)\nafter init { r(k) := true }\ninvariant r(k)\n",
        ),
    ] {
        dir.file(name, text);
        let out = format!("with_{name}");
        dir.run(&["mc", name, "--lemmas", &out, "--certify", "m.cert"])
            .ends_with(0)
            .prints("verified in 2 obligations");
        assert!(!dir.read(&out).contains('@'));
        dir.run(&["check", &out, "m.cert"]).ends_with(0);
    }
}

/// Models whose claims are few, and what is wrong with them.
#[test]
fn examples_are_proved_or_violated() {
    let dir = Dir::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    for name in ["directory_cache_mc.pyv", "out_of_order_mc.ivy"] {
        let path = format!("{examples}/{name}");
        dir.run(&["mc", &path]).ends_with(0);
        // None of the proofs can be left out.
        let text = std::fs::read_to_string(&path).expect("an example");
        for (place, _) in text.match_indices("proof let ") {
            let (before, after) = text.split_at(place);
            let end = [";", "}", "\n\n"].iter().filter_map(|end| after.find(end)).min();
            dir.file(name, format!("{before}{}", &after[end.unwrap_or(after.len())..]));
            dir.run(&["mc", name]).ends_with(3);
        }
    }
    for (name, what) in [
        ("directory_cache_broken.pyv", "`exclusive` is violated after 11 steps"),
        ("out_of_order_broken.ivy", "`processor.known` is violated after 2 steps"),
    ] {
        dir.run(&["mc", &format!("{examples}/{name}")]).ends_with(1).prints(what);
    }
}

/// Symbols that nothing changes, and initial conditions that are no definitions.
const STARTED: &str = "\
#lang ivy1.6
type node
relation tag(N:node)
relation seen(N:node)
relation fixed(N:node)
individual b : bool
individual c : bool
var low : node
init (b -> c) & (seen(N) -> N = low)
init ~tag(N) & (seen(N) -> N = low)
after init { fixed(N) := false }
action clear = { b := false; c := * }
action mark(n:node) = { assume n = low | tag(n) | fixed(n); seen(n) := true; c := c | b }
export clear
export mark
conjecture [imp] b -> c
conjecture [only] seen(N) -> N = low
";

#[test]
fn proofs_become_inductive_invariants() {
    let dir = dir();
    dir.file("started.ivy", STARTED);
    for name in ["lock", "started"] {
        let [model, out, certificate] = [".ivy", "_inv.ivy", ".cert"].map(|end| format!("{name}{end}"));
        let args = ["mc", &model, "--lemmas", &out, "--certify", &certificate];
        let run = dir.run(&args).ends_with(0).prints(&format!("  invariant {out}: "));
        run.prints("lemmas, verified in").prints(&format!("  certificate {certificate}: "));
        dir.run(&["verify", &out]).ends_with(0);
        dir.run(&["check", &out, &certificate]).ends_with(0).prints("claim proved");
    }
    // The claims alone are not inductive where nothing tells that a symbol keeps its value.
    dir.run(&["verify", "started.ivy"]).ends_with(1);
    let run = dir.run(&["mc", "weak.ivy", "--lemmas", "weak_inv.ivy"]).ends_with(3);
    run.prints("`weak_inv.ivy` is not written: not all claims are proved");
    dir.run(&["verify", "weak_inv.ivy"]).ends_with(2);
    dir.run(&["mc", "lock.ivy", "-p", "one", "--lemmas", "x.ivy"]).ends_with(2);
    dir.run(&["mc", "lock.ivy", "--certify", "x.cert"]).ends_with(2);
    dir.run(&["mc", "lock.ivy", "--lemmas", "none/x.ivy"]).ends_with(2).complains("no folder");
    let args = ["mc", "--format", "json", "lock.ivy", "--lemmas", "y.ivy", "--certify", "y.cert"];
    let document = dir.run(&args).ends_with(0).json();
    assert_eq!(document["invariant"]["path"], "y.ivy");
}

/// An invariant of `.pyv` is about what changes.
#[test]
fn lemmas_about_what_never_changes_are_left_out() {
    let dir = Dir::new();
    let model = |init: &str| {
        format!(
            "sort s\nimmutable constant c: s\nmutable relation r(s)\ninit {init}\n\
             transition t() modifies r (exists X. r(X)) & (forall X. !new(r(X)))\nsafety r(c)\n"
        )
    };
    dir.file("never.pyv", model("c != c"));
    let run = dir.run(&["mc", "never.pyv", "--no-strict", "--lemmas", "found.pyv"]).ends_with(3);
    assert!(run.out.contains("is not written: a lemma is about values"), "{}", run.out);
}
