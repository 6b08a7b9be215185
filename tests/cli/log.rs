//! `--log`: events of the search on standard error, without other changes of the output.

use crate::common::binary::{Dir, Run};

/// Verifies an example of the repository.
fn verify(options: &[&str]) -> Run {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lock_server.pyv");
    Dir::new().run(&[&["verify", "-q", "-j1", model], options].concat()).ends_with(0)
}

/// Returns the lines of standard error that begin with the name of a target.
fn lines<'a>(run: &'a Run, target: &str) -> Vec<&'a str> {
    let begin = format!("[{target}] ");
    run.err.lines().filter_map(|line| line.strip_prefix(begin.as_str())).collect()
}

#[test]
fn events_of_the_chosen_target_go_to_standard_error() {
    let silent = verify(&[]);
    assert_eq!(silent.err, "");
    let logged = verify(&["--log", "engine=debug"]);
    assert_eq!(logged.out, silent.out);
    let engine = lines(&logged, "engine");
    assert_eq!(engine.len(), logged.err.lines().count(), "{}", logged.err);
    for part in ["check 1: 0 labels, ", ": Ok(Unsat); ", "round 1: "] {
        assert!(engine.iter().any(|line| line.contains(part)), "no {part:?} in:\n{}", logged.err);
    }
    assert!(!logged.err.contains("instance of clause"), "{}", logged.err);
    assert_eq!(verify(&["--log", "engine=debug"]).err, logged.err, "the log has no times");
}

#[test]
fn several_targets_have_levels_of_their_own() {
    let run = verify(&["--log", "engine=trace,query=info", "--log", "sat=debug"]);
    assert!(lines(&run, "engine").iter().any(|line| line.starts_with("instance of clause ")), "{}", run.err);
    assert!(lines(&run, "sat").iter().all(|line| !line.starts_with("conflict ")), "{}", run.err);
    assert!(lines(&run, "sat").iter().any(|line| line.starts_with("solve 1 under ")), "{}", run.err);
    let query = lines(&run, "query");
    let asked: Vec<&str> = query.iter().filter_map(|line| line.strip_prefix("asking ")).collect();
    assert!(!asked.is_empty() && query.len() == 2 * asked.len(), "{}", run.err);
    for obligation in asked {
        let answer = format!("{obligation}: ok; ");
        assert!(query.iter().any(|line| line.starts_with(&answer)), "no {answer:?} in:\n{}", run.err);
    }
    let info = verify(&["--log", "engine=debug", "--log", "engine=info"]);
    assert_eq!(info.err, "", "the last level of a target counts");
}

#[test]
fn the_option_comes_before_the_command_as_well() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lock_server.pyv");
    Dir::new().run(&["--log", "query=info", "verify", model]).ends_with(0).complains("[query] asking that ");
}

#[test]
fn problems_have_logs_too() {
    let dir = Dir::new();
    dir.file("p.cnf", "p cnf 2 3\n1 2 0\n-1 0\n-2 0\n").file("p.smt2", "(assert true)\n(check-sat)\n");
    dir.run(&["solve", "p.cnf", "--log", "sat=debug"]).ends_with(20).complains("[sat] solve 1 under 0");
    dir.run(&["solve", "p.smt2", "--log", "query=info"]).ends_with(0).complains("[query] check-sat under 0");
}

#[test]
fn bad_targets_and_levels_are_refused() {
    let dir = Dir::new();
    for (value, hint) in [
        ("engin=debug", "did you mean engine?"),
        ("kernel=debug", "there are engine, sat, query"),
        ("sat=debgu", "did you mean debug?"),
        ("sat", "no TARGET=LEVEL"),
        ("sat=info,", "no TARGET=LEVEL"),
    ] {
        dir.run(&["verify", "m.pyv", "--log", value]).ends_with(2).complains(hint);
    }
}

/// A report shows what the command has found out: nothing is asked for it, whether all claims hold or not.
#[test]
fn reports_ask_nothing() {
    let dir = Dir::new();
    for (name, code) in [("lock_server.pyv", 0), ("leader_election_start.rml", 1), ("chord_bug.rml", 1)] {
        let model = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let args = ["verify", "--cores", "-q", "-j1", &model, "--log", "query=info"];
        let alone = dir.run(&args).ends_with(code);
        let with_report = dir.run(&[&args[..], &["--html", "page.html"]].concat()).ends_with(code);
        assert!(!lines(&alone, "query").is_empty());
        assert_eq!(with_report.err, alone.err, "{name}");
    }
}
