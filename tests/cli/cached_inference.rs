//! `infer --cache`: what is a hit, that both runs say the same, and entries that lie.

use std::fs;
use std::path::PathBuf;

use crate::common::binary::{Dir, LOCK, Run, broken_lock};
use crate::common::models::NO_UNIVERSAL;

const LOCK_SERVER: &str = include_str!("../../examples/lock_server.pyv");

/// Returns the files of entries about searches.
fn searches(dir: &Dir) -> Vec<PathBuf> {
    let shards = fs::read_dir(dir.0.join("kept")).expect("a folder").flatten();
    let folders = shards.filter(|it| it.path().is_dir());
    let files = folders.flat_map(|it| fs::read_dir(it.path()).expect("a folder").flatten());
    let is_search =
        |path: &PathBuf| fs::read(path).is_ok_and(|it| it.starts_with(b"ramsey-cache 1\nsearch "));
    files.map(|it| it.path()).filter(is_search).collect()
}

fn infer(dir: &Dir, more: &[&str]) -> Run {
    let mut args = vec!["infer", "--cache", "kept"];
    args.extend(more);
    dir.run(&args)
}

/// Returns how many questions a run asked in its search.
fn questions(run: &Run) -> &str {
    let line = run.out.lines().find(|line| line.trim_start().starts_with("questions")).expect("counts");
    line.split_whitespace().last().expect("a number")
}

/// Asks twice and without a cache. All say the same, and the second run does not search.
fn same(name: &str, text: &str, method: &str, code: i32) {
    let dir = Dir::new();
    dir.file(name, text);
    let asked = ["--method", method, name];
    let without = dir.run(&[&["infer", "--no-cache"], &asked[..]].concat()).ends_with(code);
    let cold = infer(&dir, &asked).ends_with(code);
    assert_eq!(searches(&dir).len(), 1, "{name}");
    let warm = infer(&dir, &asked).ends_with(code).silent_on_stderr();
    assert_eq!((&cold.out, &cold.err), (&warm.out, &warm.err), "{name}");
    assert_eq!(without.out, cold.out, "{name}");
    let told = infer(&dir, &[&asked[..], &["--stats"]].concat()).ends_with(code);
    assert_eq!(questions(&told), "0", "{name}: {}", told.out);
    told.prints(" 0 not valid; 0 kept");
}

#[test]
fn the_second_run_says_the_same_without_a_search() {
    same("lock.pyv", LOCK_SERVER, "auto", 0);
    same("two_phase_commit.pyv", include_str!("../../examples/two_phase_commit.pyv"), "auto", 0);
    same("ring_leader.pyv", include_str!("../../examples/ring_leader.pyv"), "auto", 0);
    same("lock.rml", include_str!("../../examples/lock_server.rml"), "auto", 0);
    same("bad.pyv", &broken_lock(), "auto", 1);
    same("bad.rml", include_str!("../../examples/lock_server_bug.rml"), "auto", 1);
    same("witness.pyv", NO_UNIVERSAL, "auto", 0);
    same("relaxed.pyv", NO_UNIVERSAL, "separation", 1);
}

#[test]
fn names_places_and_order_make_no_difference_and_the_question_does() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    infer(&dir, &["lock.pyv"]).ends_with(0);
    let (head, rest) = LOCK.split_once("transition acquire").expect("a transition");
    let (acquire, rest) = rest.split_once("transition release").expect("a transition");
    let (release, safety) = rest.split_once("safety").expect("a claim");
    let others = [
        format!("# Locks.\n\n\n{LOCK}"),
        LOCK.replace("held", "taken").replace("node", "process").replace("mutex", "exclusion"),
        format!("{head}transition release{release}transition acquire{acquire}safety{safety}"),
        format!("safety{safety}\n{head}transition acquire{acquire}transition release{release}"),
        LOCK.replace("held(N1) & held(N2)", "held(N2) & held(N1)"),
        LOCK.replace("sort node\n", "sort node\nsort unused\nmutable relation unused(unused)\n"),
    ];
    for text in others {
        dir.file("other.pyv", &text);
        let run = infer(&dir, &["--stats", "other.pyv"]).ends_with(0);
        assert_eq!((questions(&run), searches(&dir).len()), ("0", 1), "{text}");
    }
    let mut count = 1;
    for more in
        [&["--seed", "7"][..], &["--method", "updr"], &["--prefix", "forall node"], &["--work", "900000000"]]
    {
        let args = |more: &[&'static str]| [more, &["--stats", "lock.pyv"][..]].concat();
        infer(&dir, &args(more)).ends_with(0);
        count += 1;
        assert_eq!(searches(&dir).len(), count, "{more:?}");
        assert_eq!(questions(&infer(&dir, &args(more)).ends_with(0)), "0", "{more:?}");
    }
    // Another transition, another claim, and candidates.
    let edits = [
        LOCK.replace("held(N) & N != n", "held(N) & N != n & held(n)"),
        LOCK.replace("init forall N. !held(N)", "init exists M. forall N. held(N) -> N = M"),
        LOCK.replace("safety", "safety forall N. held(N) -> held(N)\nsafety"),
    ];
    for text in edits {
        dir.file("other.pyv", &text);
        infer(&dir, &["other.pyv"]).ends_with(0);
        count += 1;
        assert_eq!(searches(&dir).len(), count, "{text}");
    }
    dir.file("ideas.pyv", "invariant held(A) & held(B) -> A = B\n");
    infer(&dir, &["--hints", "ideas.pyv", "lock.pyv"]).ends_with(0);
    assert_eq!(searches(&dir).len(), count + 1);
}

/// Replaces the lines of an entry behind the first ones, asks again, and expects a warning, the same answer and the same entry.
fn poisoned(model: &str, code: i32, change: &dyn Fn(&str) -> String) {
    let dir = Dir::new();
    dir.file("model.pyv", model);
    let cold = infer(&dir, &["model.pyv"]).ends_with(code);
    let file = searches(&dir).pop().expect("an entry");
    let entry = fs::read_to_string(&file).expect("a text");
    let changed = change(&entry);
    assert_ne!(changed, entry);
    fs::write(&file, &changed).expect("written");
    let run = infer(&dir, &["model.pyv"]).ends_with(code).complains("R036").complains("is not valid");
    assert_eq!(run.out, cold.out, "{changed}");
    assert_eq!(fs::read_to_string(&file).expect("a text"), entry, "{changed}");
    infer(&dir, &["model.pyv"]).ends_with(code).silent_on_stderr();
}

#[test]
fn lemmas_that_are_wrong_change_nothing() {
    let with = |lines: &str| {
        let lines = lines.to_owned();
        move |entry: &str| {
            let head: Vec<&str> = entry.lines().take(4).collect();
            format!("{}\n{lines}end\n", head.join("\n"))
        }
    };
    let deep: String = (0..5_000)
        .fold("lemma 0\nformula 5001\nconstant 1\n".to_owned(), |text, at| text + &format!("not {at}\n"));
    // As a tree it has more nodes than there are numbers for.
    let wide: String = (0..60)
        .fold("lemma 0\nformula 61\nconstant 1\n".to_owned(), |text, at| text + &format!("iff {at} {at}\n"));
    for lines in [
        // None, so that the claim alone has to be inductive; one that is false in the beginning; one that is false.
        "",
        "lemma 0\nexcludes 1\nrelation 0 0 0\n",
        "lemma 0\nformula 1\nconstant 0\n",
        // Sorts, symbols, candidates and nodes that there are not.
        "lemma 0\nexcludes 1\nrelation 99 1 0\n",
        "lemma 0\nexcludes 1\nrelation 0 1 0 0 0 0 0\n",
        "lemma 0\nexcludes 1\ndistinct 4294967295 0 1\n",
        "lemma 0\nformula 1\nvar 4294967295\n",
        "lemma 0\nformula 1\nvar 1\n",
        "lemma 0\nformula 2\nvar 1\nnot 0\n",
        "lemma 0\nformula 2\nvar 0\nnot 0\n",
        "lemma 0\nformula 2\nconstant 1\nand 0 1\n",
        "lemma 0\nformula 1\napply 4294967295 0\n",
        "lemma 0\nformula 0\n",
        "lemma 4\nformula 1\nconstant 1\n",
        "lemma 0\ncandidate 0\n",
        "lemma 0\nexcludes 4294967295\n",
        "lemma 0\n",
        "words\n",
        &deep,
        &wide,
        &"lemma 0\nformula 1\nconstant 1\n".repeat(3_000),
    ] {
        poisoned(LOCK_SERVER, 0, &with(lines));
    }
    poisoned(LOCK_SERVER, 0, &|entry| entry[..entry.len() / 2].to_owned());
    poisoned(LOCK_SERVER, 0, &|entry| entry.replace("lemmas\n", "execution\n"));
    poisoned(LOCK_SERVER, 0, &|entry| entry.replace("\nmethod ", "\nmethod x"));
    poisoned(LOCK_SERVER, 0, &|entry| entry.replacen("search ", "search 0", 1));
}

/// Each line of an execution that a run has kept, left out or with one number changed.
#[test]
fn executions_with_a_wrong_value_change_nothing() {
    wrong_values(&broken_lock(), "auto");
    wrong_values(NO_UNIVERSAL, "separation");
    poisoned(&broken_lock(), 1, &|entry| entry.replace("size 2", "size 257"));
    // A relaxed execution is none of the model.
    poisoned(&broken_lock(), 1, &|entry| entry.replace("execution\n", "relaxed\n"));
}

fn wrong_values(model: &str, method: &str) {
    let dir = Dir::new();
    dir.file("model.pyv", model);
    let asked = ["--method", method, "model.pyv"];
    let cold = infer(&dir, &asked).ends_with(1);
    let file = searches(&dir).pop().expect("an entry");
    let entry = fs::read_to_string(&file).expect("a text");
    let lines: Vec<&str> = entry.lines().collect();
    let mut rejected = 0;
    for at in 4..lines.len() {
        let words: Vec<&str> = lines[at].split(' ').collect();
        for changed in 0..words.len() {
            let mut words = words.clone();
            match words[changed].parse::<u32>() {
                Ok(number) => words[changed] = if number == 0 { "1" } else { "0" },
                Err(_) => words.clear(),
            }
            let line = words.join(" ");
            let mut lines = lines.clone();
            lines[at] = &line;
            let text: String = lines.iter().filter(|it| !it.is_empty()).map(|it| format!("{it}\n")).collect();
            fs::write(&file, &text).expect("written");
            let run = infer(&dir, &asked).ends_with(1);
            if run.err.contains("R036") {
                rejected += 1;
                assert_eq!(run.out, cold.out, "{text}");
                assert_eq!(fs::read_to_string(&file).expect("a text"), entry, "{text}");
            }
        }
    }
    // Some changes make another execution, which is as right.
    assert!(rejected >= 10, "{rejected}");
}

/// That there is no universal invariant is true of the model, and no answer where another one is looked for.
#[test]
fn a_relaxed_execution_is_no_answer_of_all_methods() {
    let dir = Dir::new();
    dir.file("model.pyv", NO_UNIVERSAL);
    infer(&dir, &["model.pyv"]).ends_with(0);
    let file = searches(&dir).pop().expect("an entry");
    let entry = fs::read_to_string(&file).expect("a text");
    let other = Dir::new();
    other.file("model.pyv", NO_UNIVERSAL);
    infer(&other, &["--method", "separation", "model.pyv"]).ends_with(1);
    let relaxed = fs::read_to_string(searches(&other).pop().expect("an entry")).expect("a text");
    let head: Vec<&str> = entry.lines().take(2).collect();
    let body: Vec<&str> = relaxed.lines().skip(2).collect();
    fs::write(&file, format!("{}\n{}\n", head.join("\n"), body.join("\n"))).expect("written");
    infer(&dir, &["model.pyv"]).ends_with(0).complains("no answer where other invariants are looked for");
    assert_eq!(fs::read_to_string(&file).expect("a text"), entry);
}

#[test]
fn a_hit_leaves_checkpoints_alone_and_writes_what_is_asked_for() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK_SERVER);
    infer(&dir, &["lock.pyv"]).ends_with(0);
    infer(&dir, &["lock.pyv", "--checkpoint", "point", "--log-file", "log"]).ends_with(0);
    assert!(!dir.0.join("point").exists());
    assert_eq!(fs::read_to_string(dir.0.join("log")).expect("a log"), "");
    infer(&dir, &["lock.pyv", "--out", "new.pyv", "--certify", "new.cert"]).ends_with(0);
    dir.run(&["check", "new.pyv", "new.cert"]).ends_with(0);
    dir.run(&["verify", "new.pyv"]).ends_with(0);
    // What is unknown is not kept.
    infer(&dir, &["lock.pyv", "--seed", "3", "--work", "10"]).ends_with(3);
    assert_eq!(searches(&dir).len(), 1);
}

#[test]
fn configurations_have_a_cache_of_searches() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    let config = "cache = \"kept\"\n[[check]]\nmodels = [\"lock.pyv\"]\ncommand = \"infer\"\n";
    dir.file("ramsey.toml", config);
    dir.run(&["verify", "--stats"]).ends_with(0);
    assert_eq!(searches(&dir).len(), 1);
    dir.run(&["verify", "--stats"]).ends_with(0).prints(" 0 not there, 0 not valid; 0 kept");
}

/// A lemma with a witness is true of the model, and no answer of a method that looks for none.
#[test]
fn lemmas_of_another_method_are_no_answer() {
    let of = |method: &str, code: i32| {
        let dir = Dir::new();
        dir.file("model.pyv", NO_UNIVERSAL);
        let asked = ["--method", method, "model.pyv"];
        infer(&dir, &asked).ends_with(code);
        let file = searches(&dir).pop().expect("an entry");
        (dir, fs::read_to_string(&file).expect("a text"), file)
    };
    let (dir, own, file) = of("separation", 1);
    let (_, other, _) = of("exists", 0);
    for other in [other.clone(), other.replace("method exists", "method separation")] {
        let head: Vec<&str> = own.lines().take(2).collect();
        let body: Vec<&str> = other.lines().skip(2).collect();
        fs::write(&file, format!("{}\n{}\n", head.join("\n"), body.join("\n"))).expect("written");
        let run = infer(&dir, &["--method", "separation", "model.pyv"]).ends_with(1).complains("R036");
        run.prints("no universal invariant");
        assert_eq!(fs::read_to_string(&file).expect("a text"), own);
    }
}

/// With `--add` the other invariants of the model have to hold as well, which depends on the lemmas.
#[test]
fn lemmas_that_prevent_writing_are_no_answer() {
    let model = "\
sort node
mutable relation a(node)
mutable relation b(node)
mutable relation c(node)
mutable relation d(node)
mutable relation e(node)
init forall N. !a(N) & !b(N) & !c(N) & !d(N) & !e(N)
transition first(n: node)
    modifies b
    a(n) & (forall N. new(b(N)) <-> b(N) | N = n)
transition second(n: node)
    modifies d
    e(n) & (forall N. new(d(N)) <-> d(N) | N = n)
transition third(n: node)
    modifies c
    b(n) & d(n) & (forall N. new(c(N)) <-> c(N) | N = n)
invariant forall N. !b(N)
safety forall N. !c(N)
";
    // What is proved of `b` and `a` may be proved of `d` and `e` as well.
    let other = model.replace("invariant forall N. !b(N)", "invariant forall N. !d(N)");
    let dir = Dir::new();
    let written = |text: &str, more: &[&str]| {
        dir.file("model.pyv", text);
        dir.run(&[more, &["infer", "--add", "model.pyv"]].concat())
    };
    let is_written = |text: &&str| written(text, &[]).code == Some(0);
    let model = [model, &other].into_iter().find(is_written).expect("lemmas that suffice");
    dir.file("model.pyv", model);
    infer(&dir, &["model.pyv"]).ends_with(0);
    let file = searches(&dir).pop().expect("an entry");
    let entry = fs::read_to_string(&file).expect("a text");
    let head: String = entry.lines().take(4).map(|line| format!("{line}\n")).collect();
    let lemma = |sym: u32| format!("lemma 0\nexcludes 1\nrelation {sym} 1 0\n");
    for (first, second) in (0..5).flat_map(|first| (0..first).map(move |second| (first, second))) {
        fs::write(&file, format!("{head}{}{}end\n", lemma(first), lemma(second))).expect("written");
        dir.file("model.pyv", model);
        infer(&dir, &["--add", "model.pyv"]).ends_with(0);
        dir.run(&["verify", "model.pyv"]).ends_with(0);
    }
}
