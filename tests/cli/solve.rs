//! `ramsey solve` on DIMACS problems: answers, exit codes and proofs.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::common::binary::{Dir, pigeonhole, ramsey_binary};
use crate::common::{drat, lrat};
use ramsey::base::rng::Rng;
use ramsey::lang::dimacs;

#[test]
fn sat_problems_answer_as_in_the_competition() {
    let dir = Dir::new();
    dir.file("sat.cnf", "c by hand\np cnf 3 2\n1 -2 0\n-1 0\n").file("bad.cnf", "p cnf 1 1\n1 two 0\n");
    let run = dir.run(&["solve", "sat.cnf"]).ends_with(10).prints("s SATISFIABLE\nv -1 -2 ");
    assert!(run.out.ends_with(" 0\n"), "{}", run.out);
    dir.run_with(&["solve", "-"], "p cnf 1 2\n1 0 -1 0\n").ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "bad.cnf"]).ends_with(2).complains("bad.cnf:2:3");
    dir.file("text", " \n\n c by hand\n1 0 -1 0\n").file("hello.txt", "hello 0\n").file("empty.txt", "");
    dir.run(&["solve", "text"]).ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "--input", "dimacs", "text"]).ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "empty.txt"]).ends_with(10).prints("s SATISFIABLE\n");
    dir.run(&["solve", "hello.txt"]).ends_with(2).complains("hello.txt:1:1").complains("is not a literal");
    dir.run(&["solve", "--input", "smoke", "text"]).ends_with(2).complains("--input <FORMAT>");
    dir.run(&["verify", "sat.cnf"]).ends_with(2).complains("ramsey solve sat.cnf");
}

/// Returns unsatisfiable formulas.
fn refuted() -> [(&'static str, String); 4] {
    [
        ("php.cnf", pigeonhole(5)),
        ("empty.cnf", "p cnf 2 3\n1 2 0\n0\n-1 0\n".to_owned()),
        ("units.cnf", "p cnf 1 2\n1 0\n-1 0\n".to_owned()),
        (
            "odd.cnf",
            "c by hand\n1 -1 0\n2 2 1 0 1 -2 -2 0\n3 -3 0 -1 2 -1 0\nc the last is broken\n-1\n-2 0\n"
                .to_owned(),
        ),
    ]
}

#[test]
fn refutations_are_written_as_proofs() {
    let dir = Dir::new();
    let read = |name: &str| fs::read(dir.0.join(name)).expect("a proof");
    let formulas = refuted();
    for (name, text) in &formulas {
        let text = text.as_str();
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
fn drat_proofs_are_checked_forward() {
    let dir = Dir::new();
    let read = |name: &str| fs::read(dir.0.join(name)).expect("a proof");
    let formulas = refuted();
    for (name, text) in &formulas {
        dir.file(name, text);
        let cnf = dimacs::parse(text.as_bytes()).expect(name);
        let plain = dir.run(&["solve", name]).ends_with(20).out;
        let options = ["solve", name, "--proof", "p.drat", "--proof-format", "drat"];
        let run = dir.run(&options).ends_with(20).silent_on_stderr();
        assert_eq!(run.out, plain, "{name}");
        let steps = drat::text(&read("p.drat"));
        assert_eq!(drat::check(&cnf, &steps), Ok(()), "{name}");
        dir.run(&[&options[..], &["--binary-proof"]].concat()).ends_with(20);
        assert_eq!(drat::binary(&read("p.drat")), steps, "{name}: the new proof replaces the old one");
        assert!(drat::check(&cnf, &steps[..steps.len() - 1]).is_err(), "{name}: the end is missing");
        let wrong = [&[drat::Step::Delete(vec![7])], &steps[..]].concat();
        assert!(drat::check(&cnf, &wrong).is_err(), "{name}: nothing to delete");
    }
    let left = fs::read_dir(&dir.0).expect("the directory").count();
    assert_eq!(left, formulas.len() + 1, "no temporary files stay");
}

#[test]
fn changed_drat_proofs_are_rejected() {
    let dir = Dir::new();
    let text = pigeonhole(5);
    let cnf = dimacs::parse(text.as_bytes()).expect("a formula");
    dir.run_with(&["solve", "-", "--proof", "p", "--proof-format", "drat"], &text).ends_with(20);
    let steps = drat::text(&fs::read(dir.0.join("p")).expect("a proof"));
    let mut kinds = (0, 0);
    for (at, step) in steps.iter().enumerate().step_by(7) {
        let mut changed = steps.clone();
        match step {
            // A unit clause does not follow as long as no unit clause has been derived.
            drat::Step::Add(lits) if lits.len() > 3 => changed[at] = drat::Step::Add(vec![lits[0]]),
            drat::Step::Delete(lits) => {
                changed[at] = drat::Step::Delete([&lits[..], &[1000]].concat());
                kinds.1 += 1;
                assert!(drat::check(&cnf, &changed).is_err(), "deletion {at}");
                continue;
            }
            drat::Step::Add(_) => continue,
        }
        if steps[..at].iter().any(|step| matches!(step, drat::Step::Add(lits) if lits.len() == 1)) {
            break;
        }
        kinds.0 += 1;
        assert!(drat::check(&cnf, &changed).is_err(), "addition {at}");
    }
    assert!(kinds.0 > 0, "{kinds:?} of {}", steps.len());
    let end = [drat::Step::Add(vec![])];
    assert!(drat::check(&cnf, &end).is_err(), "the empty clause is not there at once");
}

#[test]
fn without_a_refutation_no_proof_is_written() {
    let dir = Dir::new();
    dir.file("sat.cnf", "1 2 0").file("php.cnf", pigeonhole(8)).file("old.lrat", "9 0\n");
    let plain = dir.run(&["solve", "sat.cnf"]).ends_with(10).out;
    for (name, format) in [("new.lrat", "lrat"), ("old.lrat", "lrat"), ("old.lrat", "drat")] {
        let proof = ["--proof", name, "--proof-format", format];
        assert_eq!(dir.run(&[&["solve", "sat.cnf"], &proof[..]].concat()).ends_with(10).out, plain);
        let run = dir.run(&[&["solve", "--work", "1000", "php.cnf"], &proof[..]].concat());
        run.ends_with(0).prints("s UNKNOWN");
    }
    assert!(!dir.0.join("new.lrat").exists());
    assert_eq!(fs::read(dir.0.join("old.lrat")).expect("the old file"), b"9 0\n");
    assert_eq!(fs::read_dir(&dir.0).expect("the directory").count(), 3, "no temporary files stay");
}

#[test]
fn a_proof_needs_a_place() {
    let dir = Dir::new();
    dir.file("unsat.cnf", "1 0 -1 0").file("folder/x", "").file("other.cnf", "1 0");
    let cases = [
        ("nowhere/p.lrat", "cannot write `nowhere/p.lrat`"),
        ("folder", "`folder` is a folder"),
        ("folder/../unsat.cnf", "stays as it is: this run reads it"),
        ("other.cnf", "stays as it is: it is a model or a problem"),
        ("-", "standard output"),
    ];
    for (proof, complaint) in cases {
        for format in ["lrat", "drat"] {
            let options = ["solve", "unsat.cnf", "--proof", proof, "--proof-format", format];
            let run = dir.run(&options).ends_with(2).complains(complaint);
            assert_eq!(run.out, "", "{proof}: found before the search");
        }
    }
    assert_eq!(fs::read(dir.0.join("unsat.cnf")).expect("the problem"), b"1 0 -1 0");
    dir.run(&["solve", "unsat.cnf", "--binary-proof"]).ends_with(2).complains("--proof <FILE>");
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_goes_into_streams_and_through_links() {
    let dir = Dir::new();
    dir.file("unsat.cnf", "1 0 -1 0").file("folder/p.lrat", "9 0\n");
    std::os::unix::fs::symlink("folder/p.lrat", dir.0.join("link")).expect("a link");
    dir.run(&["solve", "unsat.cnf", "--proof", "link"]).ends_with(20);
    assert!(dir.0.join("link").is_symlink());
    assert_eq!(fs::read(dir.0.join("folder/p.lrat")).expect("a proof"), b"3 0 1 2 0\n");
    dir.run(&["solve", "unsat.cnf", "--proof", "/dev/stdout"]).ends_with(20).prints("3 0 1 2 0\ns UNSAT");
    let drat = ["solve", "unsat.cnf", "--proof-format", "drat", "--proof"];
    dir.run(&[&drat[..], &["/dev/stdout"]].concat()).ends_with(20).prints("0\ns UNSAT");
    // The answer is known by then, and remains valid.
    for options in [&["solve", "unsat.cnf", "--proof"], &drat[..]] {
        dir.run(&[options, &["/dev/full"]].concat())
            .ends_with(2)
            .prints("s UNSATISFIABLE")
            .complains("cannot write `/dev/full`");
    }
}

#[test]
fn every_question_has_an_answer() {
    let dir = Dir::new();
    let text = "c by hand\np inccnf\n1 2 0\n-1 3\n0\na 0\na -1 -2 4 0\n-2 0\na 0\nc and\n -3 0\na 5\n0\n";
    dir.file("x.icnf", text)
        .file("none.icnf", "p inccnf\n1 0 -1 0\n")
        .file("bad.icnf", "p inccnf\na 1 0\na 2 x 0\n");
    let run = dir.run(&["solve", "x.icnf"]).ends_with(20).silent_on_stderr();
    let lines: Vec<&str> = run.out.lines().collect();
    let [sat, _, unsat, core, again, values, end, none] = lines[..] else { panic!("{}", run.out) };
    assert_eq!(
        [sat, unsat, again, end],
        ["s SATISFIABLE", "s UNSATISFIABLE", "s SATISFIABLE", "s UNSATISFIABLE"]
    );
    assert!(["f -1 -2 0", "f -2 -1 0"].contains(&core), "{core}");
    assert_eq!((values, none), ("v 1 -2 3 -4 0", "f 0"));
    assert_eq!(dir.run_with(&["solve", "-"], text).ends_with(20).out, run.out);
    let quiet = dir.run(&["solve", "-q", "x.icnf"]).ends_with(20).out;
    assert_eq!(quiet, [sat, unsat, again, end].map(|line| format!("{line}\n")).concat());
    assert_eq!(dir.run(&["solve", "none.icnf"]).ends_with(0).out, "");
    let run = dir
        .run(&["solve", "bad.icnf"])
        .ends_with(2)
        .complains("bad.icnf:3:5")
        .complains("`x` is not a literal");
    assert_eq!(run.out, "s SATISFIABLE\nv 1 0\n", "what was asked before has its answer");
    dir.run(&["solve", "x.icnf", "--proof", "p"]).ends_with(2).complains("incremental");
    // A comment may be longer than one read.
    let long = format!("c {}\np inccnf\n1 0\na 1 0\n", "p ".repeat(100_000));
    dir.run_with(&["solve", "-"], &long).prints("s SATISFIABLE");
    dir.run_with(&["solve", "-", "--work", "1000"], &format!("p inccnf\n{}a 0\na 1 0\n", php_clauses(9)))
        .ends_with(0)
        .prints("c stopped: work budget\ns UNKNOWN\nc stopped");
    dir.run(&["solve", "--stats", "x.icnf"]).ends_with(20).prints("c clauses      4\n");
}

/// Returns only the clauses.
fn php_clauses(holes: usize) -> String {
    pigeonhole(holes).lines().filter(|line| !line.starts_with('p')).map(|line| format!("{line}\n")).collect()
}

/// Each answer is available before the next query is sent.
#[test]
fn answers_do_not_wait_for_the_end() {
    let mut child = Command::new(ramsey_binary())
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    input.write_all(b"p inccnf\n1 0\na 0\n").expect("written");
    assert_eq!([next(), next()], ["s SATISFIABLE", "v 1 0"]);
    input.write_all(b"a -1 0\n").expect("written");
    assert_eq!([next(), next()], ["s UNSATISFIABLE", "f -1 0"]);
    drop(input);
    assert_eq!(child.wait().expect("the end").code(), Some(20));
}

#[test]
fn answers_agree_with_brute_force() {
    let dir = Dir::new();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let vars = 2 + rng.below(7);
        let literals = |rng: &mut Rng, count: usize| -> Vec<i64> {
            let literal = |_| (1 + rng.below(vars) as i64) * if rng.one_in(2) { -1 } else { 1 };
            (0..count).map(literal).collect()
        };
        let line = |lits: &[i64]| lits.iter().map(|lit| format!("{lit} ")).collect::<String>() + "0\n";
        let mut text = "p inccnf\n".to_owned();
        let mut questions = Vec::new();
        let mut clauses = Vec::new();
        for _ in 0..30 {
            if rng.one_in(3) {
                let count = rng.below(4);
                questions.push((clauses.clone(), literals(&mut rng, count)));
                text += &format!("a {}", line(&questions[questions.len() - 1].1));
            } else {
                let count = 1 + rng.below(4);
                clauses.push(literals(&mut rng, count));
                text += &line(&clauses[clauses.len() - 1]);
            }
        }
        let out = dir.run_with(&["solve", "-"], &text).silent_on_stderr().out;
        let mut lines = out.lines();
        let mut literals_of = |kind: &str| -> Vec<i64> {
            let words =
                lines.next().expect("a line").strip_prefix(kind).expect(kind).split_ascii_whitespace();
            words.map(|word| word.parse().expect("a number")).filter(|&lit| lit != 0).collect()
        };
        for (clauses, assumptions) in questions {
            let has_model = |assumptions: &[i64]| {
                (0..1u32 << vars).any(|model| {
                    let holds = |lit: i64| (model >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
                    assumptions.iter().all(|&lit| holds(lit))
                        && clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
                })
            };
            if has_model(&assumptions) {
                assert!(literals_of("s SATISFIABLE").is_empty(), "{text}");
                let values = literals_of("v");
                assert!(assumptions.iter().all(|lit| values.contains(lit)), "{text}");
                assert!(clauses.iter().all(|clause| clause.iter().any(|lit| values.contains(lit))), "{text}");
            } else {
                assert!(literals_of("s UNSATISFIABLE").is_empty(), "{text}");
                let core = literals_of("f");
                assert!(core.iter().all(|lit| assumptions.contains(lit)), "{text}");
                assert!(!has_model(&core), "{text}");
            }
        }
        assert_eq!(lines.next(), None);
    }
}

/// Memory depends on the number of variables that occur, not on the largest variable.
#[test]
fn numbers_of_variables_cost_nothing() {
    let dir = Dir::new();
    let run = dir.run_with(&["solve", "-", "--memory", "200"], "2147483646 0\n").ends_with(10);
    assert_eq!(
        run.out,
        "c 2147483645 variables that occur nowhere have no literal below\ns SATISFIABLE\nv 2147483646 0\n"
    );
    let run = dir.run_with(&["solve", "-", "--timeout", "5"], "p cnf 100000000 1\n-3 0\n").ends_with(10);
    assert!(run.out.ends_with("s SATISFIABLE\nv -3 0\n"), "{}", run.out);
    let run = dir.run_with(&["solve", "-"], "p cnf 5 1\n3 0\n").ends_with(10);
    assert_eq!(run.out, "s SATISFIABLE\nv -1 -2 3 -4 -5 0\n");
    let run = dir.run_with(&["solve", "-"], "p inccnf\n2147483646 -7 0\na 7 0\na 7 -2147483646 0\n");
    assert!(run.out.starts_with("s SATISFIABLE\nv 7 2147483646 0\ns UNSATISFIABLE\nf "), "{}", run.out);
    assert!(run.out.contains("-2147483646"), "{}", run.out);
}

/// Proofs use the variable numbers of the problem.
#[test]
fn proofs_have_the_numbers_of_the_problem() {
    let dir = Dir::new();
    let read = |name: &str| fs::read(dir.0.join(name)).expect("a proof");
    // Small and large numbers with gaps.
    let number =
        |lit: i64| lit.signum() * if lit.abs() > 12 { lit.abs() * 71_000_001 } else { lit.abs() + 5 };
    let text: String = php_clauses(5)
        .lines()
        .map(|line| {
            let lits = line.split_ascii_whitespace().map(|word| number(word.parse().expect("a number")));
            lits.map(|lit| if lit == 0 { "0\n".to_owned() } else { format!("{lit} ") }).collect::<String>()
        })
        .collect();
    dir.file("sparse.cnf", &text);
    let cnf = dimacs::parse(text.as_bytes()).expect("a formula");
    for binary in [false, true] {
        let encoding: &[&str] = if binary { &["--binary-proof"] } else { &[] };
        let prove = |format: &str| {
            let options = ["solve", "sparse.cnf", "--proof", "p", "--proof-format", format];
            dir.run(&[&options[..], encoding].concat()).ends_with(20);
            read("p")
        };
        let proof = prove("lrat");
        lrat::check(&cnf, &if binary { lrat::binary(&proof) } else { lrat::text(&proof) });
        let proof = prove("drat");
        let steps = if binary { drat::binary(&proof) } else { drat::text(&proof) };
        assert_eq!(drat::check(&cnf, &steps), Ok(()));
    }
}

/// Limits apply while a problem is read.
#[test]
fn reading_ends_at_the_limits() {
    let dir = Dir::new();
    let clauses = "1 -2 3 0\n".repeat(400_000);
    for header in ["", "p inccnf\n"] {
        let text = format!("{header}{clauses}");
        for limit in [["--memory", "1"], ["--timeout", "0.000001"]] {
            let args = [&["solve", "-"][..], &limit].concat();
            let run = dir.run_with(&args, &text).ends_with(0).silent_on_stderr();
            assert!(run.out.starts_with("c stopped: ") && run.out.ends_with("s UNKNOWN\n"), "{}", run.out);
        }
    }
}

/// The limits of a run work as in the other commands.
#[test]
fn a_run_ends_at_its_time_limit() {
    let dir = Dir::new();
    dir.file("php.cnf", pigeonhole(11));
    let run = dir.run(&["solve", "--run-timeout", "0.2", "php.cnf"]).ends_with(0);
    assert!(run.out.contains("s UNKNOWN"), "{}", run.out);
}
