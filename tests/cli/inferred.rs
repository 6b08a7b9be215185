//! What `ramsey infer` answers where it was once wrong about itself: models with proofs, programs with variables in
//! branches, lemmas that a language does not allow, limits.

use serde_json::Value;

use crate::common::binary::Dir;

const METHODS: [&str; 7] = ["auto", "houdini", "updr", "separation", "pd", "finite", "exists"];

/// A right proof, over more symbols than the model has, and a wrong one.
const PROOFS: [&str; 2] = [
    "fbii {\n  forward prophecy w: node { invariant p(w) -> r(w) }\n  forward { invariant p(N) -> r(N) }\n  \
     forward { invariant q(N) -> r(N) }\n}\n",
    "fbii {\n  forward { invariant exists M:node. p(M) | !q(M) }\n}\n",
];

const PROVED: &str = "\
sort node
mutable relation p(node)
mutable relation q(node)
mutable relation r(node)
mutable constant top: node
init !p(N) & !q(N) & !r(N)
transition a(n: node)
  modifies p, r
  (forall N. new(p(N)) <-> p(N) | N = n) &
  (forall N. new(r(N)) <-> r(N) | N = n)
transition b(n: node)
  modifies q
  p(n) & (forall N. new(q(N)) <-> q(N) | N = n)
transition c(n: node)
  modifies top
  new(top) = n & q(n) & p(n)
safety [sub] q(N) -> r(N)
sat trace {
  a
  b
}
";

#[test]
fn proofs_in_a_model_are_no_hindrance() {
    let dir = Dir::new();
    for (name, proof) in [("right.pyv", PROOFS[0]), ("wrong.pyv", PROOFS[1])] {
        dir.file(name, format!("{PROVED}{proof}"));
        for method in METHODS {
            dir.run(&["infer", name, "--method", method]).ends_with(0).silent_on_stderr();
        }
        // A state that is explored, and one of a walk, has the symbols of the model alone.
        dir.run(&["verify", name, "--html", "page.html"]).ends_with(1);
        dir.run(&["simulate", name, "--steps", "5"]).ends_with(0);
    }
    dir.run(&["infer", "right.pyv", "--out", "whole.pyv", "--certify", "whole.cert"]).ends_with(0);
    dir.run(&["check", "whole.pyv", "whole.cert"]).ends_with(0);
    let run = dir.run(&["infer", "wrong.pyv", "--out", "no.pyv"]).ends_with(2);
    run.complains("`verify` does not accept it, since it is not true that a proof implies `sub`")
        .complains("shows what is wrong with the `fbii` proof");
    assert!(!dir.0.join("no.pyv").exists());
    // Without the guard it is the model that is wrong.
    let unsafe_model = PROVED.replace("  p(n) & (forall", "  (forall") + PROOFS[0];
    dir.file("unsafe.pyv", unsafe_model);
    for method in METHODS.into_iter().filter(|&it| it != "houdini") {
        dir.run(&["infer", "unsafe.pyv", "--method", method])
            .ends_with(1)
            .prints("\nunsafe: an execution of ");
    }
}

/// What a branch that is not taken would have assigned stays as it was, also for variables that only it has.
const BRANCHES: &str = "\
sort node
sort kind
variable wait: kind
variable go: kind
variable stop: kind
axiom distinct(wait, go, stop)
sort phase
variable idle: phase
variable done: phase
variable failed: phase
axiom distinct(idle, done, failed)
relation sent(kind, node)
relation c
relation d
function phase_of: node -> phase
safety [agree] !(phase_of(N) = done & phase_of(M) = failed)
sent(K, N) := false
phase_of(N) := idle
while * {
  action decide(m: node) {
    if c {
      local k: kind
      k := go
      sent(k, m) := true
    } else if d {
      local k: kind
      k := stop
      sent(k, m) := true
    }
    c := false
  } | action on_go(n: node) {
    assume sent(go, n)
    phase_of(n) := done
  } | action on_stop(n: node) {
    assume sent(stop, n)
    phase_of(n) := failed
  }
}
";

#[test]
fn branches_that_are_not_taken_leave_variables_as_they_were() {
    let dir = Dir::new();
    dir.file("branches.rml", BRANCHES);
    for method in METHODS.into_iter().filter(|&it| it != "houdini") {
        for seed in ["0", "1", "2"] {
            let args = ["infer", "branches.rml", "--method", method, "--seed", seed];
            dir.run(&args).ends_with(1).prints("\nunsafe: an execution of 4 steps violates ");
        }
    }
}

#[test]
fn lemmas_about_assertions_are_read_back() {
    let dir = Dir::new();
    // Two variables of the same name, in the assertion the second one.
    let text = "#lang ivy1.7\ntype t\nrelation r(X:t)\nindividual c:t\nafter init { r(X) := false }\naction a = {\n  \
                if * { var w:t; c := w } else { };\n  if * { var w:t; ensure ~r(w) } else { }\n}\nexport a\n\
                action b(x:t) = { r(x) := r(c) }\nexport b\ninvariant [safety] ~r(c)\n";
    dir.file("named.ivy", text);
    let run = dir.run(&["infer", "named.ivy", "--out", "out.ivy"]).ends_with(0);
    run.prints("W_2:t").prints("  verified: ");
    dir.run(&["verify", "out.ivy"]).ends_with(0);
}

/// Its invariant says of each node that some value is full for all keys.
const FULL: &str = "\
sort node
sort value
sort key
relation full: node, value, key
relation marked: node, value
relation bad
full(N, V, K) := true
marked(N, V) := false
bad := false
while * {
  action clear(n: node, v: value, u: value) {
    assume v != u & (forall K. full(n, u, K))
    full(n, v, K) := false
  } | action mark(n: node, v: value, k: key) {
    assume !full(n, v, k)
    marked.insert(n, v)
  } | action check(n: node) {
    assume forall V. marked(n, V)
    bad := true
  }
}
safety [good] !bad
";

/// Its invariant leads from nodes to values, and a function leads back.
const CIRCLE: &str = "\
sort node
sort value
function owner: value -> node
relation marked: node, value
relation bad
marked(N, V) := false
bad := false
while * {
  action mark(v: value, u: value) {
    assume u != v & !marked(owner(v), u)
    marked.insert(owner(v), v)
  } | action check(n: node) {
    assume forall V. marked(n, V)
    bad := true
  }
}
safety [good] !bad
";

#[test]
fn lemmas_that_a_program_may_not_claim_are_told() {
    let dir = Dir::new();
    dir.file("full.rml", FULL);
    let prefixes =
        ["--prefix", "forall node exists value forall key", "--prefix", "forall node value exists key"];
    let args = [&["infer", "full.rml", "--out", "out.rml"], &prefixes[..]].concat();
    let run = dir.run(&args).ends_with(3).silent_on_stderr();
    run.prints("  found, but not verified:\n    conjecture forall ")
        .prints("forall N:node. exists V:value. forall K:key. full(N, V, K)\n")
        .prints("\nunknown: lemmas were found that the model may not claim without `--no-strict`: a conjecture must be of")
        .prints("with `--no-strict` they are verified and written");
    assert!(!dir.0.join("out.rml").exists());
    let found =
        dir.run(&[&["infer", "full.rml", "--format", "json"], &prefixes[..]].concat()).ends_with(3).json();
    assert_eq!((&found["answer"], &found["verified"]), (&"unknown".into(), &Value::Null));
    assert_eq!(found["lemmas"].as_array().map(Vec::len), Some(2), "{found}");
    assert!(found["reason"].as_str().is_some_and(|it| it.contains("--no-strict")), "{found}");
    dir.run(&[&args[..], &["--no-strict"]].concat()).ends_with(0);
    dir.run(&["verify", "--no-strict", "out.rml"]).ends_with(0);
    // Each formula by itself is allowed, and the sorts go round in a circle.
    dir.file("circle.rml", CIRCLE).file("hints.rml", "conjecture [free] forall N. exists V. !marked(N, V)\n");
    let args =
        ["infer", "circle.rml", "--method", "houdini", "--hints", "hints.rml", "--out", "circle-out.rml"];
    dir.run(&args).ends_with(3).prints("outside stratified EPR: the sorts form a cycle");
    dir.run(&[&args[..], &["--no-strict"]].concat()).ends_with(0);
    dir.run(&["verify", "--no-strict", "circle-out.rml"]).ends_with(0);
}

const TOY: &str = include_str!("../../examples/toy_consensus.pyv");

#[test]
fn a_limit_on_the_way_to_witnesses_is_told_with_what_is_known() {
    let dir = Dir::new();
    dir.file("toy.pyv", TOY);
    // There is no universal invariant, whatever the limit; there is one with a witness.
    let relaxed = dir.run(&["infer", "toy.pyv", "--method", "separation"]).ends_with(1);
    relaxed
        .prints("\nerror: no universally quantified invariant implies safety property `agreement`\n")
        .prints("\nno universal invariant: a relaxed execution of ");
    dir.run(&["infer", "toy.pyv"]).ends_with(0);
    let mut ended = 0;
    for work in (1..=16).map(|it| (it * 100_000).to_string()) {
        let run = dir.run(&["infer", "toy.pyv", "--work", &work, "--format", "json"]);
        let found = run.json();
        match (run.code, found["relaxed"].as_bool()) {
            (Some(0), _) => assert_eq!(found["answer"], "invariant"),
            (Some(3), Some(is_relaxed)) => {
                assert_eq!(found["answer"], "unknown");
                let reason = found["reason"].as_str().unwrap_or_default();
                assert!(reason.contains("work budget"), "{found}");
                assert_eq!(reason.starts_with("no universal invariant exists"), is_relaxed, "{found}");
                assert!(found["open"].as_array().is_some_and(|open| !open.is_empty()), "{found}");
                ended += usize::from(is_relaxed);
            }
            other => panic!("{other:?}: {found}"),
        }
    }
    assert!(ended > 0, "a limit met the search for witnesses");
}

#[test]
fn what_is_known_initially_is_not_open() {
    let claims: String = (0..10)
        .map(|at| format!("mutable relation p{at}(node)\ninit !p{at}(N)\nsafety p{at}(N) -> q(N)\n"))
        .collect();
    let text = format!(
        "sort node\nmutable relation q(node)\n{claims}transition t(n: node)\n  modifies p0, q\n  \
         (forall N. new(p0(N)) <-> p0(N) | N = n & q(n)) & (forall N. new(q(N)) -> q(N))\n"
    );
    let dir = Dir::new();
    dir.file("ten.pyv", &text);
    for method in ["separation", "updr", "pd", "auto"] {
        let run = dir.run(&["infer", "ten.pyv", "--method", method, "--work", "1"]).ends_with(3);
        assert!(!run.out.contains("not shown to hold initially"), "{}", run.out);
    }
    // One that does not hold initially is a violation, also if no work was left for the question.
    dir.file("false.pyv", text.replace("init !p7(N)\n", ""));
    for method in ["separation", "updr", "pd", "auto"] {
        let run = dir.run(&["infer", "false.pyv", "--method", method, "--work", "1"]).ends_with(1);
        run.prints("\nunsafe: an execution of 0 steps violates ");
    }
}

/// Models with an invariant in `.pyv`, `.rml` and `.ivy`, there in an object. No method would write it like this.
const OWN: [(&str, &str); 3] = [
    (
        "own.pyv",
        "sort t\nmutable relation a(t)\nmutable relation h(t)\nmutable relation r(t)\ninit !a(X) & !h(X) & !r(X)\n\
         transition one(x: t)\n  modifies h, r\n  (forall X. new(h(X)) <-> h(X) | X = x) & (forall X. new(r(X)) <-> r(X) | X = x)\n\
         transition two(x: t)\n  modifies a\n  r(x) & (forall X. new(a(X)) <-> a(X) | X = x)\n\
         invariant [help] !(r(X) & !h(X) & X = X)\nsafety [main] a(X) -> h(X)\n",
    ),
    (
        "own.rml",
        "sort t\nrelation a: t\nrelation h: t\nrelation r: t\nmodule m(p) {\n  conjecture [help] !(p(X) & !h(X) & X = X)\n}\n\
         use m(r) as o\na(X) := false\nh(X) := false\nr(X) := false\nwhile * {\n  action one(x: t) { h.insert(x); r.insert(x) }\n  \
         | action two(x: t) { assume r(x); a.insert(x) }\n}\nsafety [main] a(X) -> h(X)\n",
    ),
    (
        "own.ivy",
        "#lang ivy1.7\ntype t\nrelation a(X:t)\nrelation h(X:t)\nobject o = {\n  relation r(X:t)\n  \
         after init { r(X) := false }\n  invariant [help] ~(r(X) & ~h(X) & X = X)\n  object inner(self:t) = {\n    \
         invariant [more] ~(r(self) & ~h(self))\n  }\n}\nafter init { a(X) := false; h(X) := false }\n\
         action one(x:t) = { h(x) := true; o.r(x) := true }\naction two(x:t) = { require o.r(x); a(x) := true }\n\
         export one\nexport two\ninvariant [safety] a(X) -> h(X)\n",
    ),
];

/// Returns the lemmas of a run, and the log of what was proposed.
fn lemmas(dir: &Dir, args: &[&str]) -> (Vec<String>, String) {
    let args = [&["infer"], args, &["--format", "json", "--log-file", "log"]].concat();
    let found = dir.run(&args).ends_with(0).json();
    let lemmas = found["lemmas"].as_array().expect("lemmas").iter();
    let lemmas = lemmas.map(|it| it["formula"].as_str().expect("a formula").to_owned()).collect();
    (lemmas, dir.read("log"))
}

#[test]
fn own_invariants_make_no_difference_unless_they_are_candidates() {
    for (name, text) in OWN {
        let dir = Dir::new();
        let other = name.replace("own", "other");
        let is_own = |line: &&str| line.contains("[help]") || line.contains("[more]");
        let without: String =
            text.lines().filter(|line| !is_own(line)).map(|line| format!("{line}\n")).collect();
        dir.file(name, text).file(&other, without);
        for method in ["separation", "updr", "finite"] {
            let with = lemmas(&dir, &[name, "--method", method]);
            let without = lemmas(&dir, &[&other, "--method", method]);
            assert_eq!(with, without, "{name}, {method}");
        }
        let (found, _) = lemmas(&dir, &[name, "--use-invariants", "--method", "houdini"]);
        assert!(found.iter().any(|it| it.contains("X = X")), "{name}: {found:?}");
    }
}

#[test]
fn lemmas_that_the_model_declares_are_marked_and_taken_again() {
    let dir = Dir::new();
    let (name, text) = OWN[2];
    // Found again, as the model has it: there by names that mean something in the object alone.
    dir.file(name, text.replace("~(r(X) & ~h(X) & X = X)", "r(X) -> h(X)"));
    let run = dir.run(&["infer", name]).ends_with(0);
    run.prints("    invariant [o.help] forall ").prints("o.r(T) -> h(T)  # declared by the model\n");
    dir.run(&["infer", name, "--output", "found.json"]).ends_with(0);
    let run = dir.run(&["infer", name, "--from", "found.json", "--method", "houdini"]).ends_with(0);
    assert!(!run.out.contains("does not fit"), "{}", run.out);
    dir.run(&["infer", name, "--out", "out.ivy"]).ends_with(0);
    assert_eq!(dir.read("out.ivy").matches("r(X) -> h(X)").count(), 1, "it stays where it is");
}
