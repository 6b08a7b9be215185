//! `ramsey task` through the binary: pure results, combined answers, and workers of every kind.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use ramsey::base::rng::Rng;
use serde_json::Value;

use crate::common::binary::{Dir, LOCK, Run, broken_lock, ramsey_binary};
use crate::common::effort::is_long;
use crate::common::schema;
use crate::common::skip::skipped;

const RING: &str = include_str!("../../examples/ring_leader.pyv");
const CHORD_BUG: &str = include_str!("../../examples/chord_bug.rml");
const PAXOS: &str = include_str!("../../examples/paxos.pyv");

/// Exports tasks into the folder `to`, and returns their names.
fn export(dir: &Dir, model: &str, to: &str, options: &[&str]) -> Vec<String> {
    let args = [&["task", "export", model, "--to", to], options].concat();
    dir.run(&args).ends_with(0).prints(" in ").silent_on_stderr();
    names(dir, &format!("{to}/tasks"))
}

/// Returns the names of the files in a folder.
fn names(dir: &Dir, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(dir.0.join(folder)).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|it| it.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// Runs the tasks of a round, and returns their exit codes.
fn run_all(dir: &Dir, round: &str) -> Vec<i32> {
    let run = |name: &String| {
        let (task, out) = (format!("{round}/tasks/{name}"), format!("{round}/results/{name}"));
        let run = dir.run(&["task", "run", &task, "--out", &out]);
        assert_eq!(run.out, "");
        run.code.expect("an exit code")
    };
    names(dir, &format!("{round}/tasks")).iter().map(run).collect()
}

fn import(dir: &Dir, model: &str, round: &str) -> Run {
    dir.run(&["task", "import", model, round])
}

/// Checks a file against the schema that it names.
fn follows_its_schema(dir: &Dir, name: &str) {
    let document: Value = serde_json::from_str(&dir.read(name)).expect("JSON");
    schema::check(&document).unwrap_or_else(|why| panic!("{name}: {why}"));
}

#[test]
fn results_depend_on_the_task_alone() {
    let kinds: [(&str, &str, &[&str]); 4] = [
        (
            "ring.pyv",
            RING,
            &["--for", "infer", "--seeds", "1", "--method", "auto", "--method", "updr", "--method", "exists"],
        ),
        ("lock.pyv", &broken_lock(), &["--for", "infer", "--seeds", "1"]),
        ("chord.rml", CHORD_BUG, &["--for", "bmc", "--depth", "2"]),
        ("ring.pyv", RING, &["--for", "instance", "node=2", "id=2"]),
    ];
    for (model, text, options) in kinds {
        let (dir, elsewhere) = (Dir::new(), Dir::new());
        dir.file(model, text);
        let tasks = export(&dir, model, "r", options);
        // The same question has the same tasks, and the manifest differs in the command line alone.
        assert_eq!(export(&dir, model, "s", options), tasks);
        follows_its_schema(&dir, "r/manifest.json");
        for name in &tasks {
            let task = dir.read(&format!("r/tasks/{name}"));
            assert_eq!(task, dir.read(&format!("s/tasks/{name}")));
            follows_its_schema(&dir, &format!("r/tasks/{name}"));
            // The worker has nothing but the file.
            elsewhere.file("t", &task);
            let first = elsewhere.run(&["task", "run", "t", "-j", "1"]);
            let second = elsewhere.run(&["task", "run", "t", "-j", "2", "--out", "out"]);
            assert_eq!((first.code, second.code), (Some(0), Some(0)), "{}{}", first.err, second.err);
            assert_eq!(first.out, elsewhere.read("out"));
            assert!(!first.out.contains(&*elsewhere.0.to_string_lossy()));
            follows_its_schema(&elsewhere, "out");
        }
    }
}

/// Returns what is left of the text of `bmc --certify`, without the line about the certificate.
fn without_certificate(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("  certificate "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn parts_of_bounded_checks_say_what_the_whole_does() {
    // Split by two transitions, long executions and many transitions have more parts than a test should run.
    let more = usize::from(is_long());
    let examples: [(&str, &str, u16, usize); 5] = [
        ("lock.pyv", &broken_lock(), 3, 4),
        ("lock.pyv", LOCK, 3, 4),
        ("chord.rml", CHORD_BUG, 3, 3 + more),
        ("lock.rml", include_str!("../../examples/lock_server_bug.rml"), 7, 2 + more),
        ("lock.ivy", include_str!("../../examples/lock_server.ivy"), 3, 4),
    ];
    for (model, text, depth, count) in examples {
        let dir = Dir::new();
        dir.file(model, text);
        let steps = depth.to_string();
        let whole = dir.run(&["bmc", model, "--depth", &steps, "--certify", "c.cert"]);
        let ways: [&[&str]; 4] =
            [&[], &["--lengths", "2"], &["--split", "1"], &["--split", "2", "--per-claim"]];
        for (at, way) in ways.iter().enumerate().take(count) {
            let round = format!("r{at}");
            export(&dir, model, &round, &[&["--for", "bmc", "--depth", &steps][..], way].concat());
            assert!(run_all(&dir, &round).iter().all(|&code| code == 0));
            let parts = import(&dir, model, &round);
            let told = without_certificate(&whole.out);
            assert_eq!(parts.code, whole.code);
            // Among several shortest executions that begin in different ways, another one may be found.
            let length = if at < 2 { told.len() } else { told.find("  universes:").unwrap_or(told.len()) };
            assert_eq!(parts.out[..length], told[..length], "{way:?}");
            assert_eq!(parts.out.lines().last(), told.lines().last());
        }
    }
    // A formula of the command line, and the document.
    let dir = Dir::new();
    dir.file("ring.pyv", RING);
    let formula = "leader(N) -> le(idof(M), idof(N))";
    let asked = ["--depth", "2", "-p", formula, "-p", "one_leader"];
    export(&dir, "ring.pyv", "r", &[&["--for", "bmc", "--per-claim"][..], &asked].concat());
    run_all(&dir, "r");
    let parts = dir.run(&["task", "import", "ring.pyv", "r", "--format", "json"]).ends_with(0);
    let whole =
        dir.run(&[&["bmc", "ring.pyv", "--format", "json", "--certify", "c.cert"][..], &asked].concat());
    assert_eq!(parts.out, whole.out);
}

/// Executions of a model without transitions have no first step, so that there is nothing to split.
#[test]
fn models_without_transitions_are_answered() {
    let dir = Dir::new();
    dir.file("still.pyv", "sort node\nmutable relation held(node)\ninit !held(N)\nsafety [free] !held(N)\n");
    export(&dir, "still.pyv", "round", &["--for", "bmc", "--depth", "3", "--split", "2"]);
    run_all(&dir, "round");
    import(&dir, "still.pyv", "round").ends_with(0).prints("no execution of at most 3 steps");
}

#[test]
fn instances_of_many_machines_say_what_one_machine_does() {
    let dir = Dir::new();
    let bug = include_str!("../../examples/lock_server_bug.rml");
    for (model, text, sort) in [("lock.pyv", LOCK, "node"), ("bug.rml", bug, "client")] {
        dir.file(model, text);
        let range = format!("{sort}=1..3");
        export(&dir, model, &format!("{model}-r"), &["--for", "instance", &range, "--per-claim"]);
        run_all(&dir, &format!("{model}-r"));
        let parts = import(&dir, model, &format!("{model}-r"));
        let whole: Vec<Run> =
            (1..=3).map(|size| dir.run(&["instance", model, &format!("{sort}={size}")])).collect();
        assert_eq!(parts.out, whole.iter().map(|run| run.out.as_str()).collect::<String>());
        assert_eq!(parts.code, whole.iter().map(|run| run.code).max().flatten());
    }
}

#[test]
fn models_bring_what_they_include() {
    let dir = Dir::new();
    dir.file("lib/order.rml", "sort e\nrelation p(e)\n")
        .file("m/near.rml", "include \"order.rml\"\nmacro none = !p(X)\n");
    let main =
        "include \"near.rml\"\nsafety [v] !p(X)\nassume none\nwhile * {\n  action a { assume true }\n}\n";
    dir.file("m/main.rml", main);
    let options = ["--for", "bmc", "--depth", "1", "-I", "lib"];
    let tasks = export(&dir, "m/main.rml", "r", &options);
    let elsewhere = Dir::new();
    for name in &tasks {
        elsewhere.file("t", dir.read(&format!("r/tasks/{name}")));
        dir.file(&format!("r/results/{name}"), elsewhere.run(&["task", "run", "t"]).ends_with(0).out);
    }
    dir.run(&["task", "import", "m/main.rml", "r", "-I", "lib"]).ends_with(0).prints("depth 1  ok");
    // A change of an included file makes it another model.
    dir.file("lib/order.rml", "sort e\nrelation p(e)\nrelation q\n");
    let run = dir.run(&["task", "import", "m/main.rml", "r", "-I", "lib"]).ends_with(2);
    run.complains("is about another model");
}

/// Rounds with an answer each, and what it is.
struct Rounds {
    dir: Dir,
    rounds: Vec<(&'static str, &'static str, i32)>,
}

impl Rounds {
    fn new() -> Rounds {
        let dir = Dir::new();
        let broken = broken_lock();
        let rounds: [(&str, &str, &str, &[&str], i32); 5] = [
            ("safe", "lock.pyv", LOCK, &["--for", "bmc", "--depth", "3"], 0),
            ("bug", "broken.pyv", &broken, &["--for", "bmc", "--depth", "3", "--lengths", "2"], 1),
            ("small", "lock.pyv", LOCK, &["--for", "instance", "node=2..3"], 0),
            ("infer", "ring.pyv", RING, &["--for", "infer", "--seeds", "1"], 0),
            ("unsafe", "broken.pyv", &broken, &["--for", "infer", "--seeds", "1"], 1),
        ];
        let mut known = Vec::new();
        for (round, model, text, options, code) in rounds {
            dir.file(model, text);
            export(&dir, model, round, options);
            run_all(&dir, round);
            import(&dir, model, round).ends_with(code);
            known.push((round, model, code));
        }
        Rounds { dir, rounds: known }
    }
}

#[test]
fn no_worker_changes_a_verdict() {
    let Rounds { dir, rounds } = Rounds::new();
    for &(round, model, code) in &rounds {
        let results = names(&dir, &format!("{round}/results"));
        let path = |name: &str| format!("{round}/results/{name}");
        let first = path(&results[0]);
        let (good, other) = (dir.read(&first), dir.read(&path(&results[1])));
        let told = import(&dir, model, round).out;
        let is_search = ["infer", "unsafe"].contains(&round);
        // Where one answer is enough, the others give it, and a violation is one. What is proved in parts is open without one of them.
        let without = if is_search || code == 1 { code } else { 3 };
        let mut flipped = good.clone().into_bytes();
        let place = flipped.iter().position(|&byte| byte == b'{').expect("an object");
        flipped[place] ^= 1;
        let stolen: Value = serde_json::from_str(&other).expect("JSON");
        let mut swapped: Value = serde_json::from_str(&good).expect("JSON");
        swapped["answer"] = stolen["answer"].clone();
        let foreign = good.replace("\"version\": \"", "\"version\": \"9");
        let wrong: [(&str, Vec<u8>); 6] = [
            ("no JSON", flipped),
            ("empty", Vec::new()),
            ("of version 9", foreign.into_bytes()),
            ("not the result of a task", dir.read(&format!("{round}/manifest.json")).into_bytes()),
            ("UTF-8", vec![0xFF; 100]),
            ("no task of this round", good.replace("\"task\": \"", "\"task\": \"0").into_bytes()),
        ];
        for (what, bytes) in wrong {
            dir.file(&first, bytes);
            let run = import(&dir, model, round).ends_with(without).complains("not used").complains(what);
            assert!(run.err.contains(&results[0]), "{}", run.err);
        }
        // The answer to another task. It may happen to be one to this task as well, which is fine.
        dir.file(&first, swapped.to_string());
        let run = import(&dir, model, round);
        assert!(run.code == Some(without) || run.code == Some(code) && is_search, "{}{}", run.out, run.err);
        // A gigabyte is not even read.
        let large = File::create(dir.0.join(&first)).expect("a file");
        large.set_len(1 << 30).expect("a sparse file");
        import(&dir, model, round).ends_with(without).complains("larger than 64 MB");
        // A worker that was killed leaves a part under a temporary name.
        fs::remove_file(dir.0.join(&first)).expect("a file");
        dir.file(&path(".part.tmp"), &good[..good.len() / 2]);
        import(&dir, model, round).ends_with(without);
        // A second answer under another name: the good one counts, wherever it is.
        dir.file(&path("00"), "{}").file(&path("zz"), &good);
        let run = import(&dir, model, round).ends_with(code);
        assert_eq!(run.out, told);
        dir.file(&first, &good);
        assert_eq!(import(&dir, model, round).ends_with(code).out, told);
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("good", "");
    export(&dir, "lock.pyv", "r", &["--for", "bmc", "--depth", "1"]);
    run_all(&dir, "r");
    fs::rename(dir.0.join("r/results/0001.json"), dir.0.join("good")).expect("it moves");
    std::os::unix::fs::symlink(dir.0.join("good"), dir.0.join("r/results/0001.json")).expect("a link");
    let _ = Command::new("mkfifo").arg(dir.0.join("r/results/0003.json")).status();
    fs::create_dir(dir.0.join("r/results/0004.json")).expect("a folder");
    import(&dir, "lock.pyv", "r").ends_with(3).complains("it is no file");
}

#[test]
fn mutations_of_results_change_no_verdict() {
    let Rounds { dir, rounds } = Rounds::new();
    let mut rng = Rng::new(0x7A5C);
    let (mut refused, mut accepted) = (0, 0);
    let count = if is_long() { 80 } else { 30 };
    for &(round, model, code) in &rounds {
        let results = names(&dir, &format!("{round}/results"));
        let told = import(&dir, model, round).out;
        for _ in 0..count {
            let name = format!("{round}/results/{}", results[rng.below(results.len())]);
            let good = dir.read(&name);
            let mut bytes = good.clone().into_bytes();
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => bytes[at] = rng.next_u64() as u8,
                    // Digits stay digits and letters letters, so that more of it can be read.
                    1 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + rng.below(10) as u8,
                    1 => bytes[at] ^= 1,
                    2 => drop(bytes.remove(at)),
                    _ => {
                        let piece: Vec<u8> = bytes[at..(at + 1 + rng.below(20)).min(bytes.len())].to_vec();
                        let to = rng.below(bytes.len());
                        bytes.splice(to..to, piece);
                    }
                }
            }
            dir.file(&name, &bytes);
            let run = import(&dir, model, round);
            let is_open = run.code == Some(3);
            assert!(is_open || run.code == Some(code), "{round}: {:?}\n{}\n{}", run.code, run.out, run.err);
            if run.err.contains("not used") {
                refused += 1;
            } else {
                accepted += 1;
            }
            if !is_open && code == 0 && round != "infer" {
                assert_eq!(run.out, told, "{round}");
            }
            dir.file(&name, &good);
        }
        assert_eq!(import(&dir, model, round).ends_with(code).out, told);
    }
    assert!(refused > count && accepted > count / 8, "{refused} {accepted}");
}

/// A result that claims more than is true, in the right form.
#[test]
fn lies_are_found_out() {
    let dir = Dir::new();
    dir.file("broken.pyv", broken_lock()).file("lock.pyv", LOCK).file("ring.pyv", RING);
    let answer = |round: &str, name: &str, answer: Value| {
        let task: Value = serde_json::from_str(&dir.read(&format!("{round}/tasks/{name}"))).expect("JSON");
        let result = serde_json::json!({
            "schema": "ramsey/task-result/1",
            "task": task["id"],
            "version": task["version"],
            "answer": answer,
        });
        dir.file(&format!("{round}/results/{name}"), result.to_string());
    };
    // A violation that is a proof elsewhere, and the other way round.
    export(&dir, "broken.pyv", "a", &["--for", "bmc", "--depth", "2"]);
    export(&dir, "lock.pyv", "b", &["--for", "bmc", "--depth", "2"]);
    run_all(&dir, "a");
    run_all(&dir, "b");
    let of = |round: &str| -> Vec<Value> {
        let read = |name: &String| serde_json::from_str(&dir.read(&format!("{round}/results/{name}")));
        let results = names(&dir, &format!("{round}/results"));
        results.iter().map(|name| read(name).expect("JSON")).map(|it: Value| it["answer"].clone()).collect()
    };
    let (bad, good) = (of("a"), of("b"));
    for (at, name) in names(&dir, "a/tasks").iter().enumerate() {
        answer("a", name, good[at].clone());
        answer("b", name, bad[at].clone());
    }
    import(&dir, "broken.pyv", "a").ends_with(3).complains("0003.json: the certificate is rejected");
    import(&dir, "lock.pyv", "b").ends_with(3).complains("of the execution is none of the model");
    // Lemmas that are none.
    export(&dir, "ring.pyv", "c", &["--for", "infer", "--seeds", "1"]);
    let lemmas = ["false", "leader(N) & !leader(N)", "true\naxiom false", ")", "forall N. leader(N)", ""];
    for name in &names(&dir, "c/tasks") {
        answer("c", name, serde_json::json!({ "invariant": { "lemmas": lemmas } }));
    }
    let run = dir.run(&["task", "import", "ring.pyv", "c", "--next", "d"]).ends_with(3);
    run.complains("the properties are not inductive with its lemmas").prints("0 lemmas are inductive");
    let next: Value = serde_json::from_str(&dir.read("d/manifest.json")).expect("JSON");
    assert_eq!(next["plan"]["infer"]["lemmas"], serde_json::json!([]));
    // Two halves of an invariant make one.
    let halves = [
        serde_json::json!({ "unknown": { "reason": "", "lemmas": ["leader(N) -> le(idof(M), idof(N))", "false"] } }),
        serde_json::json!({ "unknown": { "reason": "", "lemmas": [
            "pending(idof(N), N) -> le(idof(M), idof(N))",
            "!(le(idof(A), idof(B)) & btw(C, A, B) & pending(idof(A), C))",
        ] } }),
    ];
    let tasks = names(&dir, "c/tasks");
    for (name, half) in tasks.iter().zip(halves.iter().cycle()) {
        answer("c", name, half.clone());
    }
    import(&dir, "ring.pyv", "c").ends_with(0).prints("inductive with 3 lemmas");
    dir.run(&["task", "import", "ring.pyv", "c", "--out", "proved.pyv", "--certify", "p.cert"]).ends_with(0);
    dir.run(&["check", "proved.pyv", "p.cert"]).ends_with(0);
}

#[test]
fn open_parts_go_on_with_more_work() {
    let dir = Dir::new();
    dir.file("ring.pyv", RING);
    export(&dir, "ring.pyv", "r1", &["--for", "bmc", "--depth", "3", "--work", "2000"]);
    let codes = run_all(&dir, "r1");
    assert!(codes.contains(&0) && codes.contains(&3), "{codes:?}");
    let mut round = 1;
    loop {
        let (now, next) = (format!("r{round}"), format!("r{}", round + 1));
        let run = dir.run(&["task", "import", "ring.pyv", &now, "--next", &next]);
        if run.code == Some(0) {
            run.prints("depth 3  ok");
            break;
        }
        run.ends_with(3).prints("unknown (work budget)");
        // What is answered is not asked again.
        let open = names(&dir, &format!("{now}/tasks")).len();
        let tasks = run_all(&dir, &next).len();
        assert!(tasks > 0 && tasks <= open && tasks < 4, "{tasks} of {open}");
        round += 1;
        assert!(round < 16);
    }
    assert!(round > 1);
}

/// Safety needs a lemma about three nodes, which `houdini` does not try by itself, and one about one node.
const LINKS: &str = "\
sort node
mutable relation link(node, node, node)
mutable relation spare(node)
mutable relation bad

init forall A, B, C. !link(A, B, C)
init forall A. !spare(A)
init !bad

transition tie(a: node, b: node)
    modifies link
    (forall A, B, C. new(link(A, B, C)) <-> link(A, B, C) | A = a & B = a & C = b)

transition fail(a: node, b: node, c: node)
    modifies bad
    (spare(a) | link(a, b, c) & a != b & b != c & a != c) & new(bad)

safety [good] !bad
";

#[test]
fn lemmas_of_one_round_lead_to_an_answer_in_the_next() {
    let dir = Dir::new();
    dir.file("links.pyv", LINKS);
    let options = ["--for", "infer", "--method", "houdini", "--seeds", "2", "--work", "100000000"];
    let tasks = export(&dir, "links.pyv", "r1", &options);
    assert_eq!(run_all(&dir, "r1"), [3, 3]);
    // More work does not help.
    dir.run(&["task", "import", "links.pyv", "r1", "--next", "alone"]).ends_with(3);
    assert_eq!(run_all(&dir, "alone"), [3, 3]);
    // One worker has the lemma that is missing, with one that is false, and the other has nothing.
    let lemmas = ["link(A, B, C) -> A = B", "link(A, B, C) -> B = C"];
    let answers = [&[][..], &lemmas];
    for (name, lemmas) in tasks.iter().zip(answers) {
        let name = format!("r1/results/{name}");
        let mut result: Value = serde_json::from_str(&dir.read(&name)).expect("JSON");
        result["answer"] = serde_json::json!({ "unknown": { "reason": "work budget", "lemmas": lemmas } });
        dir.file(&name, result.to_string());
    }
    let run = dir.run(&["task", "import", "links.pyv", "r1", "--next", "r2"]).ends_with(3);
    run.prints("1 lemma is inductive together");
    let next: Value = serde_json::from_str(&dir.read("r2/manifest.json")).expect("JSON");
    let kept = next["plan"]["infer"]["lemmas"].to_string();
    assert!(kept.contains("A = B") && !kept.contains("B = C"), "{kept}");
    assert_eq!(run_all(&dir, "r2"), [0, 0]);
    import(&dir, "links.pyv", "r2")
        .ends_with(0)
        .prints("safe: the properties are part of an inductive invariant");
    // Seeds and work go on.
    assert_eq!((&next["round"], &next["plan"]["infer"]["first_seed"]), (&2.into(), &2.into()));
    assert_eq!(next["tasks"][0]["work"], 200_000_000);
}

#[test]
fn executions_in_which_elements_disappear_end_a_search_for_universal_lemmas() {
    let dir = Dir::new();
    dir.file("paxos.pyv", PAXOS);
    export(&dir, "paxos.pyv", "u", &["--for", "infer", "--method", "updr", "--seeds", "1"]);
    assert_eq!(run_all(&dir, "u"), [3]);
    let told = import(&dir, "paxos.pyv", "u").ends_with(1);
    assert!(told.prints("relax").err.contains("1 of 1 tasks answered"));
    // Others go on.
    let methods =
        ["--for", "infer", "--method", "updr", "--method", "exists", "--seeds", "1", "--work", "1000000"];
    let tasks = export(&dir, "paxos.pyv", "r1", &methods);
    run_all(&dir, "r1");
    let mut relaxed: Value = serde_json::from_str(&dir.read("u/results/0001.json")).expect("JSON");
    let first: Value = serde_json::from_str(&dir.read(&format!("r1/tasks/{}", tasks[0]))).expect("JSON");
    relaxed["task"] = first["id"].clone();
    dir.file(&format!("r1/results/{}", tasks[0]), relaxed.to_string());
    dir.run(&["task", "import", "paxos.pyv", "r1", "--next", "r2"]).ends_with(3);
    let next: Value = serde_json::from_str(&dir.read("r2/manifest.json")).expect("JSON");
    assert_eq!(next["plan"]["infer"]["methods"], serde_json::json!(["exists"]));
}

#[test]
fn bad_input_is_told() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("other.pyv", format!("{LOCK}\n")).file("lock.core", "");
    let export_of = |options: &[&str]| dir.run(&[&["task", "export", "lock.pyv"], options].concat());
    for (options, what) in [
        (&["--for", "infer", "--to", "x", "node=2"][..], "SORT=N..M: tasks of this kind have no use for it"),
        (&["--for", "bmc", "--to", "x", "--method", "updr"], "--method: tasks of this kind"),
        (
            &["--for", "infer", "--to", "x", "--method", "updr", "--prefix", "forall node"],
            "--prefix: no method",
        ),
        (&["--for", "infer", "--to", "x", "--prefix", "forall nodes"], "nodes"),
        (&["--for", "instance", "--to", "x"], "a sort has no size: node"),
        (&["--for", "instance", "--to", "x", "node=3..2"], "`3..2` is no range of sizes"),
        (&["--for", "instance", "--to", "x", "nodes=1..2"], "did you mean `node`?"),
        (&["--for", "bmc", "--to", "x", "-p", "mute"], "mute"),
        (&["--for", "bmc", "--to", "x", "--depth", "60", "--split", "60"], "more than 100000 tasks"),
        (&["--for", "infer", "--to", "x", "--seeds", "1000000"], "more than 100000 tasks"),
        (&["--for", "bmc", "--to", "no/x"], "there is no folder `no`"),
    ] {
        export_of(options).ends_with(2).complains(what);
        assert!(!dir.0.join("x").exists(), "{options:?}");
    }
    let tasks = export(&dir, "lock.pyv", "r", &["--for", "bmc", "--depth", "2"]);
    export_of(&["--for", "bmc", "--to", "r"]).ends_with(2).complains("`r` has files already");
    let task = dir.read(&format!("r/tasks/{}", tasks[0]));
    for (changed, what) in [
        (task.replace("N1 = N2", "N1 = N1"), "its content has another digest than its id"),
        (task.replace("\"version\": \"", "\"version\": \"9"), "the task is for version 9"),
        (task.replace("ramsey/task/1", "ramsey/task/2"), "the document is not a task"),
        (task.replace("\"work\"", "\"works\""), "works"),
        (task[..task.len() / 2].to_owned(), "this is no JSON document"),
    ] {
        dir.file("t", &changed);
        dir.run(&["task", "run", "t", "--out", "o"]).ends_with(2).complains(what);
        assert!(!dir.0.join("o").exists());
    }
    dir.run(&["task", "run", "none"]).ends_with(2).complains("there is no file `none`");
    dir.file("t", &task)
        .run(&["task", "run", "t", "--out", "no/o"])
        .ends_with(2)
        .complains("there is no folder `no`");
    import(&dir, "other.pyv", "r").ends_with(2).complains("is about another model than `other.pyv`");
    import(&dir, "lock.pyv", "none").ends_with(2).complains("there is no file `none/manifest.json`");
    let manifest = dir.read("r/manifest.json");
    for (changed, what) in [
        (manifest.replace("\"depth\": 2", "\"depth\": 1"), "are not those of its plan"),
        (manifest.replace("\"seed\": 0", "\"seed\": 1"), "are not those of its plan"),
        (
            manifest.replace("\"per_claim\": false", "\"per_claim\": 0"),
            "at `/plan/bmc/per_claim` of the document",
        ),
        (manifest.replace("\"version\": \"", "\"version\": \"9"), "is of version 9"),
    ] {
        dir.file("r/manifest.json", changed);
        import(&dir, "lock.pyv", "r").ends_with(2).complains(what);
    }
}

/// Returns whether a program ends well.
#[cfg(unix)]
fn works(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|it| it.status.success())
}

/// A worker that is killed, one that hangs, and one that writes half of a result: each once.
#[cfg(unix)]
#[test]
fn scripts_get_by_with_bad_workers() {
    use std::os::unix::fs::PermissionsExt as _;
    let drivers = [
        ("parallel", works("parallel", &["--will-cite", "--version"]), "GNU parallel"),
        ("hyperqueue", works("python3", &["-c", "import hyperqueue"]), "the Python package of HyperQueue"),
    ];
    for (driver, is_there, name) in drivers {
        if !is_there {
            skipped(format!("scripts/tasks-{driver}.sh (there is no {name} here)"));
            continue;
        }
        let dir = Dir::new();
        dir.file("lock.pyv", LOCK).file("ring.pyv", RING).file("once/keep", "");
        let worker = format!(
            "#!/bin/sh\ncase \"$*\" in\n\
             *\"task run\"*0001.json*) if mkdir '{0}/once/killed' 2>/dev/null; then kill -9 $$; fi ;;\n\
             *\"task run\"*0002.json*) if mkdir '{0}/once/hung' 2>/dev/null; then exec sleep 60; fi ;;\n\
             *\"task run\"*0003.json*) if mkdir '{0}/once/half' 2>/dev/null; then echo '{{' >\"$5\"; exit 0; fi ;;\n\
             esac\nexec '{1}' \"$@\"\n",
            dir.0.display(),
            ramsey_binary()
        );
        dir.file("worker", worker);
        fs::set_permissions(dir.0.join("worker"), fs::Permissions::from_mode(0o755))
            .expect("it is a program");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scripts/tasks-{driver}.sh"));
        let run = |args: &[&str]| {
            let mut command = Command::new(&script);
            let settings = [("RAMSEY", "./worker"), ("TIMEOUT", "3"), ("JOBS", "2"), ("ROUNDS", "3")];
            let output =
                command.args(args).envs(settings).current_dir(&dir.0).output().expect("the script runs");
            Run::of("task", output)
        };
        let parts = run(&["w", "lock.pyv", "--for", "bmc", "--depth", "3"]).ends_with(0);
        for what in ["killed", "hung", "half"] {
            assert!(dir.0.join("once").join(what).exists(), "{what}");
        }
        // The half was no answer in the first round, and is asked again in the second one.
        assert!(parts.err.contains("not used"), "{}", parts.err);
        assert_eq!(names(&dir, "w/round2/tasks"), ["0003.json"]);
        let whole = dir.run(&["bmc", "lock.pyv", "--depth", "3", "--certify", "c.cert"]);
        assert!(parts.out.ends_with(&without_certificate(&whole.out)), "{}", parts.out);
        // A run that is over has its answer again.
        let again = run(&["w", "lock.pyv", "--for", "bmc", "--depth", "3"]).ends_with(0);
        assert_eq!(again.out, without_certificate(&whole.out));
        // One answer ends the others.
        fs::remove_dir(dir.0.join("once/hung")).expect("it is empty");
        let found = run(&["i", "ring.pyv", "--for", "infer", "--seeds", "1"]).ends_with(0);
        found.prints("safe: the properties are part of an inductive invariant");
    }
}
