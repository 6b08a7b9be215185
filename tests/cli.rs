//! Runs the binary as a user would, on models that are right, wrong or no models at all.

mod common;
mod schema;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use common::lrat;
use ramsey::lang::dimacs;
use serde_json::Value;

const LOCK: &str = "\
sort node

mutable relation held(node)

init forall N. !held(N)

transition acquire(n: node)
    modifies held
    (forall N. !held(N)) &
    (forall N. new(held(N)) <-> held(N) | N = n)

transition release(n: node)
    modifies held
    (forall N. new(held(N)) <-> held(N) & N != n)

safety [mutex] held(N1) & held(N2) -> N1 = N2
";

/// A program with a counterexample of each kind.
const PROGRAM: &str = "\
sort node
relation held: node
variable n: node
variable m: node
held.insert(n)
while * do { n := *
  if n = m then { assert ¬held(n) }
  held.remove(n)
}
conjecture [every] ∀ x. held(x)
";

/// The lock without its guard.
fn broken_lock() -> String {
    LOCK.replace("    (forall N. !held(N)) &\n", "")
}

/// A directory that goes away with the test.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory for the test");
        Dir(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a name below the directory")).expect("its directory");
        fs::write(path, text).expect("a file for the test");
        self
    }

    fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, "")
    }

    fn run_with(&self, args: &[&str], input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ramsey"))
            .args(args)
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        // Whoever does not read its input may be gone already.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the binary ends");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    #[track_caller]
    fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no {text:?} in:\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no {text:?} in:\n{}", self.err);
        self
    }

    #[track_caller]
    fn silent_on_stderr(self) -> Self {
        assert_eq!(self.err, "");
        self
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("one JSON document")
    }
}

#[test]
fn a_proved_model() {
    let dir = Dir::new();
    let run = dir.file("lock.pyv", LOCK).run(&["verify", "lock.pyv"]).ends_with(0).silent_on_stderr();
    insta::assert_snapshot!(run.out, @r"
    lock.pyv
      init
        mutex  ok
      transition acquire
        mutex  ok
      transition release
        mutex  ok

    3 obligations: 3 ok
    ");
}

#[test]
fn a_broken_model() {
    let dir = Dir::new();
    let run =
        dir.file("lock.pyv", broken_lock()).run(&["verify", "lock.pyv"]).ends_with(1).silent_on_stderr();
    insta::assert_snapshot!(run.out, @r"
    lock.pyv
      init
        mutex  ok
      transition acquire
        mutex  FAILED
      transition release
        mutex  ok

    error: transition `acquire` does not preserve safety property `mutex`
      --> lock.pyv:15:1
       |
     7 | transition acquire(n: node)
       | --------------------------- true before this transition
    ...
    15 | safety [mutex] held(N1) & held(N2) -> N1 = N2
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ false after the transition

      universes:
        node: node0, node1
      state 0:
        held(node0)
      transition acquire(n = node1)
      state 1:
        held(node0)
      + held(node1)
      violated in state 1:
        held(N1) & held(N2) -> N1 = N2
        for N1 = node0, N2 = node1

    3 obligations: 2 ok, 1 failed
    ");
}

#[test]
fn quiet_means_failures_only() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock());
    let run = dir.run(&["verify", "-q", "good.pyv"]).ends_with(0);
    assert_eq!(run.out, "");
    let run = dir.run(&["verify", "-q", "bad.pyv"]).ends_with(1).prints("error: transition `acquire`");
    assert!(!run.out.contains("ok"), "{}", run.out);
}

#[test]
fn directories_are_walked_in_order_and_named_files_count_once() {
    let dir = Dir::new();
    dir.file("m/b.pyv", LOCK).file("m/a/z.pyv", LOCK).file("m/a.pyv", LOCK).file("m/notes.txt", "no model");
    let run = dir.run(&["verify", "m", "m/b.pyv"]).ends_with(0);
    let names: Vec<&str> = run.out.lines().filter_map(|line| line.split_once(": ")).map(|it| it.0).collect();
    assert_eq!(names, ["m/a/z.pyv", "m/a.pyv", "m/b.pyv", "9 obligations"]);
}

#[test]
fn the_most_severe_file_counts() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock()).file("wrong.pyv", "sort sort\n");
    dir.run(&["verify", "good.pyv", "bad.pyv"]).ends_with(1);
    dir.run(&["verify", "bad.pyv", "wrong.pyv", "good.pyv"]).ends_with(2).prints("good.pyv: 3 ok");
    dir.run(&["verify", "--work", "1", "good.pyv"]).ends_with(3).prints("unknown (work budget)");
    dir.run(&["verify", "--work", "1", "good.pyv", "wrong.pyv"]).ends_with(2);
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let dir = Dir::new();
    for at in 0..9 {
        dir.file(&format!("m{at}.pyv"), if at % 3 == 1 { broken_lock() } else { LOCK.to_owned() });
    }
    for format in ["text", "json"] {
        let runs = ["1", "2", "7"].map(|jobs| {
            let run = dir.run(&["verify", "--all", "--format", format, "-j", jobs, "."]);
            run.ends_with(1).out
        });
        assert!(!runs[0].is_empty() && runs.iter().all(|out| *out == runs[0]), "{}", runs[1]);
    }
}

#[test]
fn names_select_obligations() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    dir.run(&["verify", "--check-transition", "release", "bad.pyv"]).ends_with(0);
    dir.run(&["verify", "--check-transition", "acquire", "bad.pyv"]).ends_with(1);
    dir.run(&["verify", "--check-invariant", "mutex", "bad.pyv"]).ends_with(1);
    let run = dir.run(&["verify", "--check-invariant", "mutexx", "bad.pyv"]).ends_with(2);
    let run = run.complains("R017").complains("did you mean `mutex`?");
    assert_eq!(run.out, "");
    dir.run(&["verify", "--check-transition", "zzzzzz", "bad.pyv"]).ends_with(2).complains("`acquire`");
    dir.file("unnamed.pyv", LOCK.replace("[mutex] ", ""));
    let run = dir.run(&["verify", "--check-invariant", "L16", "unnamed.pyv", "bad.pyv"]).ends_with(0);
    run.prints("unnamed.pyv: 3 ok").prints("bad.pyv: nothing to check");
}

#[test]
fn json_follows_the_schema() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK)
        .file("bad.pyv", broken_lock().replace("sort node", "sort node @printed_by(const_printer)"))
        .file("wrong.pyv", "sort node\ninit held(N)\n")
        .file("later.pyv", format!("{LOCK}invariant true | held(N)\n"))
        .file("program.rml", PROGRAM);
    let schema = schema::Schema::read(include_str!("../spec/verify.schema.json"));
    let verify = ["verify", "--format", "json"];
    let cases: [(&[&str], i32, &str); 9] = [
        (&["good.pyv", "--cores"], 0, "ok"),
        (&["--stats", "--print-negative-tuples", "bad.pyv"], 1, "counterexample"),
        (&["wrong.pyv", "bad.pyv", "--all"], 2, "bad-input"),
        (&["missing.pyv"], 2, "bad-input"),
        (&["--check-invariant", "nothing", "good.pyv"], 2, "bad-input"),
        (&["--work", "1", "good.pyv"], 3, "unknown"),
        (&["later.pyv", "--work", "1000000000"], 0, "ok"),
        (&["-q", "."], 2, "bad-input"),
        (&["program.rml"], 1, "counterexample"),
    ];
    for (args, code, verdict) in cases {
        let run = dir.run(&[&verify, args].concat()).ends_with(code).silent_on_stderr();
        let document = run.json();
        schema.check(&document).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", run.out));
        assert_eq!((&document["verdict"], &document["exit_code"]), (&verdict.into(), &code.into()));
    }
    let document = dir.run(&[&verify, &["bad.pyv"][..]].concat()).json();
    let obligation = &document["files"][0]["obligations"][1];
    assert_eq!(obligation["transition"], "acquire");
    assert_eq!(obligation["invariant"]["line"], 15);
    let counterexample = &obligation["counterexample"];
    assert_eq!(counterexample["universes"][0]["elements"], serde_json::json!(["node0", "node1"]));
    assert_eq!(counterexample["states"].as_array().map(Vec::len), Some(2));
    assert_eq!(counterexample["violated"]["bindings"][0]["name"], "N1");

    let document = dir.run(&[&verify, &["program.rml", "--all"][..]].concat()).json();
    let obligations = &document["files"][0]["obligations"];
    let [initial, step, assertion] = [0, 1, 2].map(|index| &obligations[index]["counterexample"]);
    assert_eq!(initial["initial"][0]["kind"], "assign");
    let kinds = |statements: &Value| -> Vec<String> {
        let list = statements.as_array().into_iter().flatten();
        list.map(|it| format!("{} {}", it["kind"].as_str().unwrap_or("?"), it["line"])).collect()
    };
    assert_eq!(kinds(&step["transitions"][0]["statements"]), ["assign 6", "if 7", "assign 8"]);
    assert_eq!(kinds(&assertion["violated"]["statements"]), ["assign 6", "if 7", "assert 7"]);
    assert_eq!(assertion["violated"]["statements"][2]["value"], false);
}

#[test]
fn bad_input_is_explained() {
    let dir = Dir::new();
    let deep = format!("{LOCK}invariant {}true{}\n", "(".repeat(5000), ")".repeat(5000));
    let garbage: String =
        (0..10 << 20).map(|at: u32| char::from((at.wrapping_mul(at) >> 3) as u8 & 0x7F)).collect();
    dir.file("empty.pyv", "")
        .file("blank.pyv", " \n\t\n")
        .file("utf8.pyv", b"sort node\nsort \xff\n")
        .file("syntax.pyv", "sort node\ninit forall . true\ninvariant &&\n")
        .file("undeclared.pyv", LOCK.replace("!held(N)\n", "!hled(N)\n"))
        .file("arity.pyv", LOCK.replace("held(N1)", "held(N1, N1)"))
        .file("modifies.pyv", LOCK.replace("    modifies held\n", "    modifies held, held\n"))
        .file("deep.pyv", deep)
        .file("garbage.pyv", &garbage)
        .file("line.pyv", "x".repeat(10 << 20))
        .file("dollars.pyv", "$ ".repeat(5 << 20))
        .file("model.txt", LOCK)
        .file("folder/notes.txt", "");
    let cases = [
        ("empty.pyv", "is empty"),
        ("blank.pyv", "is empty"),
        ("utf8.pyv", "offset 15 (line 2)"),
        ("syntax.pyv", "syntax.pyv:2:"),
        ("undeclared.pyv", "did you mean `held`?"),
        ("arity.pyv", "R007"),
        ("deep.pyv", "R004"),
        ("garbage.pyv", "garbage.pyv:"),
        ("line.pyv", "line.pyv:1:1"),
        ("dollars.pyv", "dollars.pyv:1:1"),
        ("model.txt", "extension `.pyv`"),
        ("folder", "no .pyv or .rml file below"),
        ("emtpy.pyv", "did you mean `empty.pyv`?"),
        ("nowhere/lock.pyv", "no directory `nowhere`"),
    ];
    for (file, complaint) in cases {
        for command in ["verify", "typecheck"] {
            let run = dir.run(&[command, file]).ends_with(2).complains(complaint);
            assert!(run.err.len() < 40_000, "{file}: {} bytes of complaints", run.err.len());
            assert_eq!(run.out, "", "{file}");
        }
    }
    dir.run(&["print", "folder"]).ends_with(2).complains("is a directory");
    dir.run(&["solve", "folder"]).ends_with(2).complains("is a directory");
}

/// Formulas that are small as graphs and huge as trees.
#[test]
fn shared_subformulas_are_no_trees() {
    let dir = Dir::new();
    let chain = |wrap: fn(usize, String) -> String| (0..40).fold("p".to_owned(), |inner, at| wrap(at, inner));
    let symbols = "sort s\nmutable relation p\nmutable relation r(s)\nimmutable constant c: s\n";
    let formulas = [
        ("iff.pyv", chain(|_, inner| format!("(r(X) <-> {inner})"))),
        (
            "split.pyv",
            format!(
                "r(X) | {}",
                chain(|at, inner| format!("({} <-> {inner})", ["p", "r(c)", "r(X)"][at.min(2)]))
            ),
        ),
        ("quantified.pyv", chain(|_, inner| format!("(exists Y. r(Y) & r(X) <-> {inner})"))),
        ("if.pyv", format!("r({}c)", "if r(X) then c else if p then X else ".repeat(20))),
    ];
    for (file, formula) in &formulas {
        let model =
            format!("{symbols}invariant p & forall X. {formula}\ntransition t() modifies p p' <-> !p\n");
        dir.file(file, model);
        dir.run(&["verify", "--all", "--timeout", "20", file]).ends_with(1).prints("2 obligations: 2 failed");
        dir.run(&["fragment", file]).prints("stratified EPR");
    }
}

#[test]
fn several_errors_a_run() {
    let dir = Dir::new();
    dir.file("m.pyv", format!("{LOCK}invariant hled(N)\ninvariant [x] held(N, N)\ninvariant [y] held2\n"));
    dir.run(&["typecheck", "m.pyv"]).ends_with(2).complains(":17:").complains(":18:").complains(":19:");
}

#[test]
fn models_come_from_standard_input_too() {
    let dir = Dir::new();
    dir.run_with(&["verify", "-"], LOCK).ends_with(0).prints("<stdin>");
    dir.run_with(&["typecheck", "-"], "sort sort").ends_with(2).complains("--> <stdin>:1:6");
    dir.run_with(&["typecheck", "-"], "").ends_with(2).complains("`<stdin>` is empty");
}

#[test]
fn printing_gives_the_same_model() {
    let dir = Dir::new();
    let printed = dir.file("lock.pyv", LOCK).run(&["print", "lock.pyv"]).ends_with(0).out;
    let again = dir.file("again.pyv", &printed).run(&["print", "again.pyv"]).ends_with(0).out;
    assert_eq!(printed, again);
    dir.run(&["verify", "again.pyv"]).ends_with(0).prints("3 obligations: 3 ok");
}

#[test]
fn sat_problems_answer_as_in_the_competition() {
    let dir = Dir::new();
    dir.file("sat.cnf", "c by hand\np cnf 3 2\n1 -2 0\n-1 0\n").file("bad.cnf", "p cnf 1 1\n1 two 0\n");
    let run = dir.run(&["solve", "sat.cnf"]).ends_with(10).prints("s SATISFIABLE\nv -1 -2 ");
    assert!(run.out.ends_with(" 0\n"), "{}", run.out);
    dir.run_with(&["solve", "-"], "p cnf 1 2\n1 0 -1 0\n").ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "bad.cnf"]).ends_with(2).complains("bad.cnf:2:3");
    dir.run(&["verify", "sat.cnf"]).ends_with(2).complains("ramsey solve sat.cnf");
}

/// `holes` and one pigeon more.
fn pigeonhole(holes: usize) -> String {
    let mut clauses = Vec::new();
    for pigeon in 0..=holes {
        clauses
            .push((1..=holes).map(|hole| (pigeon * holes + hole).to_string()).collect::<Vec<_>>().join(" "));
        for (other, hole) in (0..pigeon).flat_map(|other| (1..=holes).map(move |hole| (other, hole))) {
            clauses.push(format!("-{} -{}", pigeon * holes + hole, other * holes + hole));
        }
    }
    format!("p cnf {} {}\n{} 0\n", (holes + 1) * holes, clauses.len(), clauses.join(" 0\n"))
}

#[test]
fn refutations_are_written_as_proofs() {
    let dir = Dir::new();
    let read = |name: &str| fs::read(dir.0.join(name)).expect("a proof");
    let php = pigeonhole(5);
    let formulas = [
        ("php.cnf", php.as_str()),
        ("empty.cnf", "p cnf 2 3\n1 2 0\n0\n-1 0\n"),
        ("units.cnf", "p cnf 1 2\n1 0\n-1 0\n"),
        (
            "odd.cnf",
            "c by hand\n1 -1 0\n2 2 1 0 1 -2 -2 0\n3 -3 0 -1 2 -1 0\nc the last is broken\n-1\n-2 0\n",
        ),
    ];
    for (name, text) in formulas {
        dir.file(name, text);
        let cnf = dimacs::parse(text.as_bytes()).expect(name);
        let plain = dir.run(&["solve", name]).ends_with(20).out;
        let run = dir.run(&["solve", "--proof", "p.lrat", name]).ends_with(20).silent_on_stderr();
        assert_eq!(run.out, plain, "{name}");
        let lines = lrat::text(&read("p.lrat"));
        lrat::check(&cnf, &lines);
        let run = dir.run(&["solve", name, "--proof", "p.lrat", "--binary-proof"]).ends_with(20);
        assert_eq!(run.out, plain, "{name}");
        assert_eq!(lrat::binary(&read("p.lrat")), lines, "{name}: the new proof replaces the old one");
        dir.run_with(&["solve", "-", "--proof", "from stdin"], text).ends_with(20);
        assert_eq!(lrat::text(&read("from stdin")), lines, "{name}");
    }
    let left = fs::read_dir(&dir.0).expect("the directory").count();
    assert_eq!(left, formulas.len() + 2, "no temporary files stay");
}

#[test]
fn without_a_refutation_no_proof_is_written() {
    let dir = Dir::new();
    dir.file("sat.cnf", "1 2 0").file("php.cnf", pigeonhole(8)).file("old.lrat", "old");
    let plain = dir.run(&["solve", "sat.cnf"]).ends_with(10).out;
    for name in ["new.lrat", "old.lrat"] {
        assert_eq!(dir.run(&["solve", "sat.cnf", "--proof", name]).ends_with(10).out, plain);
        dir.run(&["solve", "--work", "1000", "php.cnf", "--proof", name]).ends_with(0).prints("s UNKNOWN");
    }
    assert!(!dir.0.join("new.lrat").exists());
    assert_eq!(fs::read(dir.0.join("old.lrat")).expect("the old file"), b"old");
    assert_eq!(fs::read_dir(&dir.0).expect("the directory").count(), 3, "no temporary files stay");
}

#[test]
fn a_proof_needs_a_place() {
    let dir = Dir::new();
    dir.file("unsat.cnf", "1 0 -1 0").file("folder/x", "");
    let cases = [
        ("nowhere/p.lrat", "cannot write the proof `nowhere/p.lrat`"),
        ("folder", "`folder` is a directory"),
        ("folder/../unsat.cnf", "would replace the problem"),
        ("-", "standard output"),
    ];
    for (proof, complaint) in cases {
        let run = dir.run(&["solve", "unsat.cnf", "--proof", proof]).ends_with(2).complains(complaint);
        assert_eq!(run.out, "", "{proof}: found before the search");
    }
    assert_eq!(fs::read(dir.0.join("unsat.cnf")).expect("the problem"), b"1 0 -1 0");
    dir.run(&["solve", "unsat.cnf", "--binary-proof"]).ends_with(2).complains("--proof <FILE>");
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_goes_into_streams_and_through_links() {
    let dir = Dir::new();
    dir.file("unsat.cnf", "1 0 -1 0").file("folder/p.lrat", "old");
    std::os::unix::fs::symlink("folder/p.lrat", dir.0.join("link")).expect("a link");
    dir.run(&["solve", "unsat.cnf", "--proof", "link"]).ends_with(20);
    assert!(dir.0.join("link").is_symlink());
    assert_eq!(fs::read(dir.0.join("folder/p.lrat")).expect("a proof"), b"3 0 1 2 0\n");
    dir.run(&["solve", "unsat.cnf", "--proof", "/dev/stdout"]).ends_with(20).prints("3 0 1 2 0\ns UNSAT");
    // The answer is known by then, and stays the answer.
    dir.run(&["solve", "unsat.cnf", "--proof", "/dev/full"])
        .ends_with(2)
        .prints("s UNSATISFIABLE")
        .complains("cannot write the proof `/dev/full`");
}

#[test]
fn usage_errors_have_their_exit_code() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    let bad: [&[&str]; 8] = [
        &[],
        &["verfy", "lock.pyv"],
        &["verify"],
        &["verify", "--format", "xml", "lock.pyv"],
        &["verify", "-j", "0", "lock.pyv"],
        &["verify", "--timeout", "-1", "lock.pyv"],
        &["verify", "--timeout", "nan", "lock.pyv"],
        &["verify", "-q", "-v", "lock.pyv"],
    ];
    for args in bad {
        let run = dir.run(args).ends_with(2);
        assert!(
            run.out.is_empty() && (run.err.contains("Usage:") || run.err.contains("--help")),
            "{args:?}: {}",
            run.err
        );
    }
    dir.run(&["--help"]).ends_with(0).prints("Exit codes:").silent_on_stderr();
    dir.run(&["verify", "--help"]).ends_with(0).prints("Examples:").prints("--check-invariant <NAME>");
    dir.run(&["--version"]).ends_with(0).prints(env!("CARGO_PKG_VERSION"));
    dir.run(&["completions", "bash"]).ends_with(0).prints("--check-transition");
}

#[test]
fn colours_only_on_request() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    let plain = dir.run(&["verify", "bad.pyv"]).out;
    assert!(!plain.contains('\x1b'));
    dir.run(&["verify", "--color", "always", "bad.pyv"]).prints("\x1b[1;31mFAILED\x1b[0m");
    dir.run(&["typecheck", "--color", "always", "none.pyv"]).complains("\x1b[");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let dir = Dir::new();
    for at in 0..40 {
        dir.file(&format!("m{at}.pyv"), broken_lock());
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_ramsey"))
        .args(["verify", "--all", "."])
        .current_dir(&dir.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}

#[cfg(target_os = "linux")]
#[test]
fn limits_end_the_work() {
    let dir = Dir::new();
    // Pigeons that do not fit: no resolution proof is short.
    dir.file("php.cnf", pigeonhole(12));
    dir.run(&["solve", "--timeout", "0.2", "php.cnf"])
        .ends_with(0)
        .prints("c stopped: time limit")
        .prints("s UNKNOWN");
    dir.run(&["solve", "--work", "1000", "php.cnf"]).ends_with(0).prints("c stopped: work budget");
    dir.run(&["solve", "--memory", "1", "php.cnf"]).ends_with(0).prints("c stopped: memory limit");
}

/// The lock with trace blocks: one as it is, one that is declared wrongly.
fn traced_lock() -> String {
    format!(
        "{LOCK}theorem [once] forall N. held(N) -> held(N)\n\
         sat trace {{\n  acquire\n  release\n  assert forall N. !held(N)\n}}\n\
         unsat trace {{\n  any transition\n  assert exists N. held(N)\n}}\n"
    )
}

#[test]
fn bounded_checks_show_shortest_executions() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock());
    let run = dir.run(&["bmc", "--depth", "3", "good.pyv"]).ends_with(0).silent_on_stderr();
    run.prints("depth 3  ok").prints("\nno execution of at most 3 steps violates the property\n");
    let run = dir.run(&["bmc", "bad.pyv"]).ends_with(1).silent_on_stderr();
    let run = run
        .prints("depth 1  ok\n  depth 2  VIOLATED\n")
        .prints("error: safety property `mutex` is violated after 2 steps\n  --> bad.pyv:15:1")
        .prints("  state 2:\n")
        .prints("  violated in state 2:\n")
        .prints("\nthe shortest violation has 2 steps\n");
    assert_eq!(run.out.matches("  transition acquire(n = node").count(), 2);
    dir.run(&["bmc", "-q", "good.pyv"]).ends_with(0).silent_on_stderr();
    assert_eq!(dir.run(&["bmc", "-q", "good.pyv"]).out, "");
    dir.run(&["bmc", "--work", "1", "good.pyv"]).ends_with(3).prints("unknown (work budget)");
}

#[test]
fn properties_are_names_or_formulas() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("no.pyv", "sort s\n");
    let bmc = |property: &str| dir.run(&["bmc", "lock.pyv", "--depth", "2", "-p", property]);
    bmc("mutex").ends_with(0).prints("safety property mutex");
    bmc("!held(N)")
        .ends_with(1)
        .prints("error: the formula is violated after 1 step\n --> <--property>:1:1")
        .prints("!held(N)");
    bmc("held(N) -> N = M | true").ends_with(0);
    bmc("mutx").ends_with(2).complains("there is no invariant or assertion `mutx`").complains("`mutex`?");
    bmc("held(N) & grabbed(N)").ends_with(2).complains("--> <--property>:1:11").complains("not declared");
    bmc("held(N").ends_with(2).complains("<--property>:1").complains("expected an operator or `)`");
    bmc("held(N) held(N)").ends_with(2).complains("expected the end of the formula");
    bmc("new(held(N))").ends_with(2).complains("<--property>:1");
    bmc("").ends_with(2).complains("error");
    dir.run(&["bmc", "lock.pyv", "-p", "held(N)", "-p", "!held(N)"])
        .ends_with(2)
        .complains("several formulas");
    dir.run(&["bmc", "lock.pyv", "-p", "held(N)", "--certify", "x"]).ends_with(2).complains("certified");
    dir.run(&["bmc", "no.pyv"]).ends_with(2).complains("no safety property");
}

#[test]
fn traces_have_the_declared_answers() {
    let dir = Dir::new();
    dir.file("lock.pyv", traced_lock()).file("none.pyv", LOCK);
    let run = dir.run(&["trace", "lock.pyv"]).ends_with(1).silent_on_stderr();
    run.prints("trace L18  sat, as declared\n")
        .prints("trace L23  SAT\n")
        .prints("error: there is an execution of this shape\n  --> lock.pyv:23:1")
        .prints("transition acquire(n = node0)")
        .prints("\n2 traces: 1 as declared, 1 not as declared\n");
    dir.run(&["trace", "lock.pyv", "L18"]).ends_with(0).prints("1 trace: 1 as declared");
    dir.run(&["trace", "lock.pyv", "18", "23"]).ends_with(1);
    dir.run(&["trace", "lock.pyv", "19"]).ends_with(2).complains("begin in lines 18, 23");
    dir.run(&["trace", "none.pyv"]).ends_with(0).prints("no trace block");
    let run = dir.run(&["verify", "lock.pyv"]).ends_with(0);
    run.complains("warning[R018]: 2 trace blocks are not checked here").complains("`ramsey trace lock.pyv`");
}

#[test]
fn theorems_alone() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock().replace("safety", "theorem [all] held(N)\nsafety"));
    let run = dir.run(&["theorem", "bad.pyv"]).ends_with(1).silent_on_stderr();
    run.prints("theorem `all` is not valid").prints("1 obligation: 1 failed");
    dir.file("lock.pyv", traced_lock());
    dir.run(&["theorem", "lock.pyv", "--certify", "lock.cert"]).ends_with(0).silent_on_stderr();
    dir.run(&["check", "lock.pyv", "lock.cert"]).ends_with(0).prints("claim theorem proved, 1 obligation");
}

#[test]
fn certificates_of_executions_are_checked() {
    let dir = Dir::new();
    dir.file("lock.pyv", traced_lock()).file("bad.pyv", broken_lock());
    dir.run(&["bmc", "lock.pyv", "--certify", "b.cert"])
        .ends_with(0)
        .prints("certificate b.cert: 6 obligations");
    dir.run(&["check", "lock.pyv", "b.cert"])
        .ends_with(0)
        .prints("claim bmc 5 invariant:0 proved, 6 obligations");
    dir.run(&["check", "bad.pyv", "b.cert"]).ends_with(1);
    dir.run(&["bmc", "bad.pyv", "--certify", "v.cert"]).ends_with(1);
    dir.run(&["bmc", "bad.pyv", "--certify", "v.cert.gz"]).ends_with(1).prints("certificate v.cert.gz: ");
    assert!(fs::read(dir.0.join("v.cert.gz")).expect("a certificate").starts_with(&[0x1f, 0x8b]));
    dir.run(&["check", "bad.pyv", "v.cert.gz"]).ends_with(0).prints("accepted");
    dir.run(&["check", "bad.pyv", "v.cert"]).ends_with(0).prints("refuted, 6 obligations, 2 proved");
    dir.run(&["check", "lock.pyv", "v.cert"]).ends_with(1);
    dir.run(&["trace", "lock.pyv", "--certify", "t.cert"]).ends_with(1);
    dir.run(&["check", "lock.pyv", "t.cert"]).ends_with(0).prints("claim trace 0 1 refuted");
    dir.run(&["trace", "lock.pyv", "18", "--certify", "t.cert"]).ends_with(0);
    dir.run(&["check", "lock.pyv", "t.cert"]).ends_with(0).prints("claim trace 0 proved");
    dir.run(&["bmc", "lock.pyv", "--certify", "lock.pyv/b.cert"]).ends_with(2).complains("cannot write");
}

#[test]
fn relaxed_checks_explain_themselves() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/toy_consensus.pyv");
    let dir = Dir::new();
    dir.file("consensus.pyv", fs::read(path).expect("an example"));
    let run = dir.run(&["bmc", "--relax", "consensus.pyv"]).ends_with(1);
    run.prints("transition relax()")
        .prints("no universally quantified inductive invariant implies the property");
    dir.run(&["bmc", "consensus.pyv"]).ends_with(0);
}

#[test]
fn documents_about_executions_follow_their_schemas() {
    let dir = Dir::new();
    dir.file("lock.pyv", traced_lock()).file("bad.pyv", broken_lock()).file("wrong.pyv", "sort s\ninit r\n");
    let bmc = schema::Schema::read(include_str!("../spec/bmc.schema.json"));
    let trace = schema::Schema::read(include_str!("../spec/trace.schema.json"));
    let cases: [(&schema::Schema, &[&str], i32, &str); 11] = [
        (&bmc, &["bmc", "lock.pyv", "--stats"], 0, "ok"),
        (&bmc, &["bmc", "bad.pyv", "--print-negative-tuples"], 1, "counterexample"),
        (&bmc, &["bmc", "bad.pyv", "--relax", "--depth", "2"], 1, "counterexample"),
        (&bmc, &["bmc", "bad.pyv", "-p", "!held(N)"], 1, "counterexample"),
        (&bmc, &["bmc", "bad.pyv", "-p", "nothing"], 2, "bad-input"),
        (&bmc, &["bmc", "wrong.pyv"], 2, "bad-input"),
        (&bmc, &["bmc", "missing.pyv"], 2, "bad-input"),
        (&bmc, &["bmc", "lock.pyv", "--work", "1"], 3, "unknown"),
        (&trace, &["trace", "lock.pyv", "--stats"], 1, "counterexample"),
        (&trace, &["trace", "lock.pyv", "--work", "1"], 3, "unknown"),
        (&trace, &["trace", "wrong.pyv"], 2, "bad-input"),
    ];
    for (schema, args, code, verdict) in cases {
        let run = dir.run(&[args, &["--format", "json"]].concat()).ends_with(code).silent_on_stderr();
        let document = run.json();
        schema.check(&document).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", run.out));
        assert_eq!(
            (&document["verdict"], &document["exit_code"]),
            (&verdict.into(), &code.into()),
            "{args:?}"
        );
    }
    let document = dir.run(&["bmc", "bad.pyv", "--format", "json"]).json();
    assert_eq!(document["depths"].as_array().map(Vec::len), Some(3));
    let counterexample = &document["violation"]["counterexample"];
    assert_eq!(counterexample["states"].as_array().map(Vec::len), Some(3));
    assert_eq!(counterexample["transitions"][1]["name"], "acquire");
    assert_eq!(counterexample["violated"]["state"], 2);
}

/// What a program chooses inside an action is part of the counterexample, for the kernel too.
#[test]
fn certificates_know_the_choices_of_programs() {
    let dir = Dir::new();
    let text = "sort s\nrelation r: s\nassume !r(X)\nwhile * do {\n  action go(x: s) {\n    \
        { r.insert(x) } | { skip }\n    { skip } | { assert !r(x) }\n  }\n}\n\
        safety [few] r(X) & r(Y) -> X = Y\n";
    dir.file("choose.rml", text);
    dir.run(&["bmc", "choose.rml", "--certify", "c.cert"]).ends_with(1).prints("assertion `L7` is violated");
    dir.run(&["check", "choose.rml", "c.cert"]).ends_with(0).prints("refuted");
}

/// A lock in RML, with its declarations in a file of their own.
const LOCK_PROGRAM: &str = "\
include \"parts/nodes.rml\"
relation held: node

assume !held(N)
while * {
  action acquire(n: node) {
    assume !held(N)
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
    let broken = LOCK_PROGRAM.replace("    assume !held(N)\n    held", "    held");
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
    dir.run(&["verify", "m.rml"]).ends_with(2).complains("error[R015]");
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
