//! `cti`, `diagram` and `generalize` through the binary, in particular the session of the Ivy paper (PLDI 2016, section
//! 2.3): from the safety property of leader election to an inductive invariant, by counterexamples to induction.

use std::fs;

use serde_json::Value;

use crate::common::binary::{Dir, Run};

const LEADER: &str = include_str!("../models/leader_election.pyv");

fn cti(dir: &Dir, model: &str, args: &[&str]) -> Value {
    let mut all = vec!["cti", model, "--format", "json"];
    all.extend(args);
    dir.run(&all).json()
}

fn measures(document: &Value) -> Vec<(String, u64, bool)> {
    let list = document["measures"].as_array().expect("a list");
    list.iter()
        .map(|it| {
            let name = it["measure"].as_str().expect("a name").to_owned();
            (name, it["value"].as_u64().expect("a number"), it["minimal"].as_bool().expect("a truth value"))
        })
        .collect()
}

/// Replays the session of section 2.3 on a model with sorts `node` and `id`, relations `leader`, `pnd`, `le`, `btw` and
/// a function `idn`, in the file `name`. The simulated user has the three upper bounds of Figures 7 to 9 (b) and takes
/// the first that survives bounded verification; each counterexample has to be as small as the paper's.
fn replay(name: &str, text: &str) {
    let dir = Dir::new();
    dir.file(name, text);
    // Numbers of nodes, identities, leaders and pending messages in Figures 7 to 9 (a1).
    let figures = [[2, 2, 1, 1], [2, 2, 0, 1], [3, 3, 0, 1]];
    let bounds = ["pnd,btw", "leader,btw", "leader"];
    let mut conjectures: Vec<String> = Vec::new();
    loop {
        let run = dir.run(&["cti", name, "--output", "cti.json"]);
        if run.code == Some(0) {
            break;
        }
        let run = run.ends_with(1);
        let document: Value = serde_json::from_str(&dir.read("cti.json")).expect("a document");
        assert!(conjectures.len() < 4, "too many steps: {conjectures:?}\n{}", run.out);
        let found = measures(&document);
        assert!(found.iter().all(|(_, _, minimal)| *minimal), "{found:?}");
        let value = |name: &str| found.iter().find(|it| it.0 == name).map_or(u64::MAX, |it| it.1);
        let size = ["sort:node", "sort:id", "pos:leader", "pos:pnd"].map(value);
        assert!(figures.iter().any(|figure| size <= *figure), "{size:?} is larger than in the paper");
        let conjecture = bounds.iter().find_map(|bound| {
            let args = ["generalize", "cti.json", "--model", name, "--bound", "3", "--drop", bound, "--add"];
            let args: Vec<&str> = args.into_iter().chain(["--format", "json"]).collect();
            let run = dir.run(&args);
            let document = run.json();
            match run.code {
                Some(0) => {
                    assert_eq!(document["conjecture"]["minimal"], true);
                    Some(document["conjecture"]["formula"].as_str().expect("a formula").to_owned())
                }
                Some(1) => {
                    assert!(document["counterexample"]["states"].as_array().is_some_and(|it| it.len() <= 4));
                    None
                }
                code => panic!("{code:?}: {}", run.out),
            }
        });
        conjectures.push(conjecture.unwrap_or_else(|| panic!("no bound survives:\n{}", run.out)));
    }
    dir.run(&["verify", name]).ends_with(0);

    // Each of the paper's conjectures follows from one of these.
    let paper = [
        "forall N1:node, N2:node. !(N1 != N2 & leader(N1) & le(idn(N1), idn(N2)))",
        "forall N1:node, N2:node. !(N1 != N2 & pnd(idn(N1), N1) & le(idn(N1), idn(N2)))",
        "forall N1:node, N2:node, N3:node. !(btw(N1, N2, N3) & pnd(idn(N2), N1) & le(idn(N2), idn(N3)))",
    ];
    for claim in paper {
        let follows = conjectures.iter().any(|conjecture| {
            // In the paper, and in its program, the function has the name of a sort.
            let conjecture = conjecture.replace("id(", "idn(");
            let theorem = format!("onestate theorem [follows] ({conjecture}) -> ({claim})\n");
            let model = LEADER.replace("safety [C0]", &format!("{theorem}safety [C0]"));
            let run = dir.file("theorem.pyv", model).run(&["verify", "theorem.pyv", "--verbose", "--all"]);
            run.out.contains("follows  ok")
        });
        assert!(follows, "{claim} does not follow from any of {conjectures:#?}");
    }
    assert_eq!(conjectures.len(), 3, "{conjectures:#?}");
}

#[test]
fn the_leader_election_session_of_the_paper() {
    replay("leader.pyv", LEADER);
}

#[test]
fn the_session_on_the_program_of_the_paper() {
    let text = include_str!("../../examples/leader_election.rml");
    let is_found = |line: &&str| ["[C1]", "[C2]", "[C3]"].iter().any(|name| line.contains(name));
    assert_eq!(text.lines().filter(is_found).count(), 3);
    let lines: Vec<&str> = text.lines().filter(|line| !is_found(line)).collect();
    replay("leader.rml", &format!("{}\n", lines.join("\n")));
}

/// The value of a variable that is never read is not a fact, unless requested.
#[test]
fn variables_that_nothing_reads_are_left_out() {
    let dir = Dir::new();
    let text = include_str!("../../examples/leader_election.rml");
    dir.file(
        "leader.rml",
        text.lines()
            .filter(|line| !line.contains("[C1]"))
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
    dir.run(&["cti", "leader.rml", "--output", "cti.json"]).ends_with(1);
    let diagram = |args: &[&str]| {
        let mut all = vec!["diagram", "cti.json", "--model", "leader.rml"];
        all.extend(args);
        dir.run(&all).ends_with(0).out
    };
    assert!(!diagram(&[]).contains("\n  n = "), "{}", diagram(&[]));
    for kept in ["--keep", "--keep-only"] {
        assert!(diagram(&[kept, "n"]).contains("  n = "), "{}", diagram(&[kept, "n"]));
    }
}

#[test]
fn the_order_of_measures_counts() {
    let dir = Dir::new();
    dir.file("leader.pyv", LEADER);
    let default = cti(&dir, "leader.pyv", &[]);
    let names: Vec<String> = measures(&default).into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["sort:node", "sort:id", "pos:leader", "pos:pnd", "pos:le", "pos:btw"]);
    // With messages minimized first: two leaders need a message, or an existing leader and its own.
    let first = cti(&dir, "leader.pyv", &["--minimize", "neg:leader,pos:pnd"]);
    let first = measures(&first);
    assert_eq!((first[0].0.as_str(), first[1].0.as_str()), ("neg:leader", "pos:pnd"));
    assert!(first.iter().all(|it| it.2), "{first:?}");
    // There is not yet a leader, else no step would lead to two leaders.
    assert_eq!((first[0].1, first[1].1), (1, 1), "{first:?}");
    let elements = cti(&dir, "leader.pyv", &["--minimize", "elements"]);
    assert_eq!(measures(&elements)[0], ("elements".to_owned(), 4, true));
}

/// A sort that is not minimized may have additional elements if they save elements of another sort.
#[test]
fn sorts_that_are_not_minimized_do_not_count() {
    let dir = Dir::new();
    let model = |mark: &str| {
        format!(
            "sort value{mark}\nsort node\nmutable relation p\nsafety [s] p -> !(exists A:node, B:node. A != B) \
             & !(exists A:value, B:value, C:value. A != B & A != C & B != C)\n"
        )
    };
    let elements = |run: Run| {
        let document: Value = serde_json::from_str(&run.ends_with(1).out).expect("a document");
        let found = match document["files"][0]["obligations"][0]["counterexample"].clone() {
            Value::Null => document["counterexample"].clone(),
            found => found,
        };
        let universes = found["universes"].as_array().expect("universes").clone();
        universes.iter().map(|it| it["elements"].as_array().map_or(0, Vec::len)).collect::<Vec<_>>()
    };
    dir.file("plain.pyv", model("")).file("marked.pyv", model(" @no_minimize"));
    for command in ["verify", "cti"] {
        let run = |file| elements(dir.run(&[command, file, "--format", "json"]));
        assert_eq!(run("plain.pyv"), [1, 2], "{command}");
        assert_eq!(run("marked.pyv"), [3, 1], "{command}");
    }
    let document = cti(&dir, "marked.pyv", &[]);
    let names: Vec<String> = measures(&document).into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["sort:node"]);
    // Unless its size is minimized on request.
    assert_eq!(measures(&cti(&dir, "marked.pyv", &["--minimize", "sort:value"]))[0].1, 1);
    assert_eq!(measures(&cti(&dir, "marked.pyv", &["--minimize", "elements"]))[0].1, 1);
}

#[test]
fn what_to_look_at_is_chosen_by_name() {
    let dir = Dir::new();
    let text = format!("{LEADER}invariant [highest] leader(N) -> le(idn(M), idn(N))\n");
    dir.file("leader.pyv", text);
    let document = cti(&dir, "leader.pyv", &["--transition", "receive", "--invariant", "highest"]);
    assert_eq!(document["obligation"]["transition"], "receive");
    assert_eq!(document["obligation"]["invariant"]["name"], "highest");
    assert_eq!(document["counterexample"]["states"].as_array().map(Vec::len), Some(2));
    dir.run(&["cti", "leader.pyv", "--transition", "send"]).ends_with(0).prints("inductive");
    let document = cti(&dir, "leader.pyv", &["--transition", "send"]);
    assert_eq!((&document["obligation"], &document["counterexample"]), (&Value::Null, &Value::Null));
    dir.run(&["cti", "leader.pyv", "--transition", "recieve"])
        .ends_with(2)
        .complains("--transition: there is no transition `recieve`")
        .complains("did you mean `receive`?");
    for (measure, complaint) in [
        ("sort:nodes", "did you mean `node`?"),
        ("pos:laeder", "did you mean `leader`?"),
        ("pos:idn", "only relations have tuples"),
        ("size:node", "is no measure"),
    ] {
        dir.run(&["cti", "leader.pyv", "--minimize", measure]).ends_with(2).complains(complaint);
    }
    dir.run(&["cti", "leader.pyv", "--work", "1"]).ends_with(3).prints("unknown (work budget)");
    let document = cti(&dir, "leader.pyv", &["--work", "1"]);
    assert!(!document["unknown"].as_array().expect("a list").is_empty());
    assert_eq!(cti(&dir, "missing.pyv", &[])["verdict"], "bad-input");
}

#[test]
fn a_failing_initial_state_is_shown() {
    let dir = Dir::new();
    dir.file(
        "start.pyv",
        "sort node\nmutable relation held(node)\ninit held(N)\nsafety [one] held(N) & held(M) -> N = M\n",
    );
    let document = cti(&dir, "start.pyv", &[]);
    assert_eq!(document["obligation"]["kind"], "initiation");
    assert_eq!(measures(&document)[0], ("sort:node".to_owned(), 2, true));
}

/// Creates a directory with the first counterexample of the leader election model, in `cti.json`.
fn with_state() -> Dir {
    let dir = Dir::new();
    dir.file("leader.pyv", LEADER).run(&["cti", "leader.pyv", "--output", "cti.json"]).ends_with(1);
    dir
}

#[test]
fn diagrams_are_restricted_by_name() {
    let dir = with_state();
    let diagram = |args: &[&str]| {
        let mut all = vec!["diagram", "cti.json", "--model", "leader.pyv"];
        all.extend(args);
        dir.run(&all)
    };
    let full = diagram(&[]).ends_with(0);
    for part in ["exists node0:node, node1:node, id0:id, id1:id.", "node0 != node1", "!btw(", "idn(node0) = "]
    {
        assert!(full.out.contains(part), "{part}: {}", full.out);
    }
    let some = diagram(&["--drop", "-btw,-pnd,sort:id"]).ends_with(0);
    assert!(
        !some.out.contains("btw") && !some.out.contains("id0") && some.out.contains("leader"),
        "{}",
        some.out
    );
    let one = diagram(&["--keep-only", "+leader"]).ends_with(0);
    assert_eq!(one.out.matches("leader").count(), 1, "{}", one.out);
    let node = diagram(&["--keep-only", "node0", "--keep-only", "leader,idn"]).ends_with(0);
    assert!(!node.out.contains("node1") && node.out.contains("leader(node0)"), "{}", node.out);
    let back = diagram(&["--drop", "sort:id,sort:node", "--keep", "+pnd"]).ends_with(0);
    assert!(back.out.starts_with("exists") && back.out.contains("pnd("), "{}", back.out);
    assert_eq!(back.out.lines().count(), 2, "{}", back.out);
    // The second state has two leaders.
    let later = diagram(&["--state", "1", "--keep-only", "+leader"]).ends_with(0);
    assert_eq!(later.out.matches("leader").count(), 2, "{}", later.out);
    let plain = diagram(&["--drop", "id0"]).ends_with(0);
    assert!(!plain.out.contains("id0"), "{}", plain.out);
    diagram(&["--state", "2"]).ends_with(2).complains("there is no state 2");
    diagram(&["--drop", "laeder"]).ends_with(2).complains("did you mean `leader`?");
    diagram(&["--drop", "sort:idd"]).ends_with(2).complains("there is no sort `idd`");
    diagram(&["--keep-only", "le(id0,id7)"]).ends_with(2).complains("is no fact of the state");
    let document: Value = serde_json::from_str(&diagram(&["--format", "json"]).out).expect("a document");
    assert_eq!(document["schema"], "ramsey/diagram/1");
    assert!(document["facts"].as_array().is_some_and(|facts| facts.len() > 10));
}

#[test]
fn what_does_not_fit_the_model_is_refused() {
    let dir = with_state();
    let document = dir.read("cti.json");
    let cases: [(&str, String, &str); 7] = [
        ("no JSON", document.replace('{', "["), "no JSON document"),
        ("nothing", "{}".to_owned(), "no counterexample"),
        ("symbol", document.replace("\"pnd\"", "\"pnb\""), "did you mean `pnd`?"),
        ("sort", document.replace("\"sort\": \"id\"", "\"sort\": \"idd\""), "there is no sort `idd`"),
        ("element", document.replacen("\"id0\"", "\"id9\"", 1), "has no element"),
        ("function", document.replace("\"symbol\": \"idn\"", "\"symbol\": \"leader\""), "in the model"),
        ("axiom", document.replace("\"symbol\": \"le\"", "\"symbol\": \"btw\""), "takes 3 arguments"),
    ];
    for (what, text, complaint) in cases {
        assert_ne!(text, document, "{what}");
        dir.file("other.json", text);
        let run = dir.run(&["generalize", "other.json", "--model", "leader.pyv", "--bound", "1"]);
        assert!(run.err.contains(complaint), "{what}: {}", run.err);
        run.ends_with(2);
    }
    let stricter = LEADER
        .replace("zerostate definition", "axiom [single] forall A:node, B:node. A = B\nzerostate definition");
    dir.file("leader.pyv", stricter);
    dir.run(&["diagram", "cti.json", "--model", "leader.pyv"])
        .ends_with(2)
        .complains("does not satisfy this axiom");
}

/// Facts selected by `--keep` are in the conjecture, even if it would be true without them.
#[test]
fn facts_that_are_kept_stay_in_the_conjecture() {
    let dir = with_state();
    let facts = |args: &[&str]| {
        let fixed = ["generalize", "cti.json", "--model", "leader.pyv", "--bound", "3", "--format", "json"];
        let args: Vec<&str> = fixed.into_iter().chain(args.iter().copied()).collect();
        let document = dir.run(&args).ends_with(0).json();
        assert_eq!(document["conjecture"]["minimal"], true);
        let facts = document["conjecture"]["facts"].as_array().expect("facts").clone();
        facts.iter().map(|fact| fact.as_str().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    let free = facts(&["--drop", "btw"]);
    let leaders = |facts: &[String]| facts.iter().filter(|fact| fact.contains("leader")).count();
    assert_ne!(leaders(&free), 2, "{free:?}");
    let kept = facts(&["--drop", "btw", "--keep", "leader"]);
    assert_eq!(leaders(&kept), 2, "{kept:?}");
    // Also for facts without content.
    let args = ["diagram", "cti.json", "--model", "leader.pyv", "--drop", "sort:id,sort:node"];
    let run = dir.run(&[&args[..], &["--keep", "node0 != node1"]].concat()).ends_with(0);
    assert!(run.out.contains("node0 != node1"), "{}", run.out);
}

#[test]
fn documents_of_verify_and_bmc_have_states_too() {
    let dir = Dir::new();
    dir.file("leader.pyv", LEADER);
    let run = dir.run(&["verify", "leader.pyv", "--format", "json"]).ends_with(1);
    dir.file("verify.json", run.out);
    dir.run(&["generalize", "verify.json", "--model", "leader.pyv", "--bound", "2", "--drop", "leader,btw"])
        .ends_with(0)
        .prints("conjecture, true in all states that are reached in at most 2 steps");
    // A reachable state has no conjecture.
    dir.file("broken.pyv", LEADER.replace("axiom [unique_ids] N1 != N2 -> idn(N1) != idn(N2)\n", ""));
    let run = dir.run(&["bmc", "broken.pyv", "--depth", "4", "--format", "json"]).ends_with(1);
    dir.file("bmc.json", run.out);
    dir.run(&["generalize", "bmc.json", "--model", "broken.pyv", "--bound", "4", "--state", "4"])
        .ends_with(1)
        .prints("a state with these facts is reached in 4 steps");
}

#[test]
fn a_conjecture_is_added_as_a_whole_or_not_at_all() {
    let dir = with_state();
    let add =
        ["generalize", "cti.json", "--model", "leader.pyv", "--bound", "3", "--drop", "leader,btw", "--add"];
    dir.run(&add).ends_with(0).prints("added to leader.pyv as `conjecture_1`");
    let text = dir.read("leader.pyv");
    let addition = text.strip_prefix(LEADER).expect("the text before it stays");
    assert!(addition.starts_with("\ninvariant [conjecture_1] forall "), "{addition}");
    let again = dir.run(&add).ends_with(0);
    assert!(
        again.out.ends_with("not added: it is in leader.pyv already, as `conjecture_1`\n"),
        "{}",
        again.out
    );
    let json = [&add[..], &["--format", "json"]].concat();
    let json = dir.run(&json).ends_with(0).json();
    assert_eq!((&json["present"], json["added"].is_null()), (&"conjecture_1".into(), true));
    assert_eq!(dir.read("leader.pyv"), text, "what is there is not added again");
    let named = |name| dir.run(&[&add[..], &["--name", name]].concat());
    dir.file("leader.pyv", text.replace("[conjecture_1] forall", "[conjecture_1] true | forall"));
    named("no_leader").ends_with(0).prints("added to leader.pyv as `no_leader`");
    let before = dir.read("leader.pyv");
    assert!(before.contains("\ninvariant [no_leader] forall "), "{before}");
    for name in ["no_leader", "conjecture_1", "two words", "a] true\ninvariant [b", ""] {
        named(name).ends_with(2).complains("stays as it is");
        assert_eq!(dir.read("leader.pyv"), before);
    }
    dir.run(&[&add[..7], &["leader,btw", "--name", "x"]].concat()).ends_with(2).complains("--add");
    dir.run(&["typecheck", "leader.pyv"]).ends_with(0);
    // Nothing is added without a conjecture, nor to a model of another language.
    let before = dir.read("leader.pyv");
    let mut reachable = add;
    reachable[7] = "pnd,btw";
    dir.run(&reachable).ends_with(1).prints("a state with these facts is reached in 3 steps");
    assert_eq!(dir.read("leader.pyv"), before);
    let is_left = |name: String| name.ends_with(".tmp");
    assert!(
        fs::read_dir(&dir.0)
            .expect("the directory")
            .flatten()
            .all(|it| !is_left(it.file_name().to_string_lossy().into()))
    );
}

#[test]
fn values_before_the_initial_part_are_no_facts() {
    let dir = Dir::new();
    let program = "sort s\nrelation p: s\nvariable c: s\np(X) := !p(X)\nassume !p(X)\nwhile * {\n  action go {\n\
                   local x: s\n x := c\n p.insert(x)\n } }\nconjecture [none] !p(X)\n";
    dir.file("flip.rml", program);
    dir.run(&["cti", "flip.rml", "--output", "cti.json"]).ends_with(1);
    let run = dir.run(&["diagram", "cti.json", "--model", "flip.rml"]).ends_with(0);
    assert!(!run.out.contains('@'), "{}", run.out);
    let run = dir.run(&["generalize", "cti.json", "--model", "flip.rml", "--bound", "0"]);
    assert!(!run.out.contains("@before") && !run.err.contains('@'), "{}{}", run.out, run.err);
}

#[cfg(unix)]
#[test]
fn what_is_written_replaces_neither_links_nor_models_nor_permissions() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let dir = with_state();
    let mode = |name: &str| fs::metadata(dir.0.join(name)).expect(name).permissions().mode() & 0o777;
    let set = |mode: u32| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(dir.0.join("leader.pyv"), permissions).expect("permissions");
    };
    let is_link = |name: &str| fs::symlink_metadata(dir.0.join(name)).expect(name).file_type().is_symlink();
    symlink("leader.pyv", dir.0.join("link.pyv")).expect("a link");
    set(0o640);
    let add =
        ["generalize", "cti.json", "--model", "link.pyv", "--bound", "3", "--drop", "leader,btw", "--add"];
    dir.run(&add).ends_with(0).prints("added to link.pyv as `conjecture_1`");
    assert!(is_link("link.pyv"));
    assert!(dir.read("leader.pyv").contains("conjecture_1"));
    assert_eq!(mode("leader.pyv"), 0o640);
    // A read-only file is not changed.
    dir.file("leader.pyv", LEADER);
    set(0o440);
    let before = dir.read("leader.pyv");
    dir.run(&add).ends_with(2);
    assert_eq!(dir.read("leader.pyv"), before);
    set(0o640);
    // Neither is a model given as output, or a device.
    let run = dir.run(&["cti", "leader.pyv", "--output", "leader.pyv"]);
    assert!(run.err.contains("this run reads it"), "{}", run.err);
    assert_eq!(dir.read("leader.pyv"), before);
    symlink("/dev/null", dir.0.join("device")).expect("a link");
    dir.run(&["cti", "leader.pyv", "--output", "device"]).ends_with(1);
    assert!(is_link("device"));
}

/// Other names of the file are names of the new text too, and lines end as they did.
#[cfg(unix)]
#[test]
fn what_is_added_reaches_all_names_of_a_file() {
    use std::os::unix::fs::MetadataExt as _;

    let dir = with_state();
    dir.file("leader.pyv", LEADER.replace('\n', "\r\n"));
    fs::hard_link(dir.0.join("leader.pyv"), dir.0.join("other.pyv")).expect("a second name");
    let before = fs::metadata(dir.0.join("leader.pyv")).expect("a file");
    let add =
        ["generalize", "cti.json", "--model", "leader.pyv", "--bound", "3", "--drop", "leader,btw", "--add"];
    dir.run(&add).ends_with(0).prints("added to leader.pyv as `conjecture_1`");
    let text = dir.read("leader.pyv");
    assert!(text.contains("conjecture_1"), "{text}");
    assert!(!text.replace("\r\n", "").contains(['\r', '\n']), "{text:?}");
    assert_eq!(dir.read("other.pyv"), text);
    let after = fs::metadata(dir.0.join("leader.pyv")).expect("a file");
    assert_eq!((after.ino(), after.nlink(), after.uid()), (before.ino(), 2, before.uid()));
    // A shorter output leaves nothing of the longer one behind.
    dir.run(&["cti", "leader.pyv", "--svg", "a.svg"]);
    let files = || fs::read_dir(&dir.0).expect("the directory").flatten().map(|it| it.file_name());
    assert!(files().all(|name| !name.to_string_lossy().ends_with(".tmp")));
    dir.file("long.json", format!("{{\"schema\": \"ramsey/cti/1\"}}{}", " ".repeat(1_000_000)));
    fs::hard_link(dir.0.join("long.json"), dir.0.join("name.json")).expect("a second name");
    dir.run(&["cti", "leader.pyv", "-o", "long.json"]);
    let document = dir.read("name.json");
    assert!(document.len() < 500_000 && document.ends_with("}\n"), "{document}");
}

#[test]
fn induction_is_checked_on_request() {
    let dir = with_state();
    let args = ["generalize", "cti.json", "--model", "leader.pyv", "--bound", "3", "--drop", "leader,btw"];
    let args: Vec<&str> = args.into_iter().chain(["--check-induction"]).collect();
    dir.run(&args).ends_with(0).prints("it is not inductive").prints("transition receive  failed");
    let json: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    let document = dir.run(&json).ends_with(0).json();
    assert_eq!(document["induction"]["inductive"], false);
    assert_eq!(document["induction"]["obligations"].as_array().map(Vec::len), Some(3));
    let limited: Vec<&str> = args.iter().copied().chain(["--work", "1"]).collect();
    dir.run(&limited).ends_with(3);
}

#[test]
fn conjectures_are_suggested_on_request() {
    let dir = with_state();
    let args = ["generalize", "cti.json", "--model", "leader.pyv", "--bound", "3", "--suggest"];
    let run = dir.run(&args).ends_with(0);
    run.prints("suggestions, the best first:\n  forall ").prints("\n    true in at most ");
    let document = dir.run(&[&args[..], &["--format", "json"]].concat()).ends_with(0).json();
    let suggestions = document["suggestions"].as_array().expect("suggestions");
    // Where there is work left, they are checked for more steps than was asked for.
    assert!(suggestions.len() > 1, "{document}");
    assert!(suggestions.iter().all(|it| it["bound"].as_u64() >= Some(3)), "{document}");
    // Each of them excludes the state.
    let formula = suggestions[0]["formula"].as_str().expect("a formula");
    dir.run(&["eval", formula, "cti.json", "--model", "leader.pyv"]).ends_with(1).prints("false");
}

#[test]
fn documents_follow_their_schemas() {
    let dir = with_state();
    for (args, verdict) in [
        (&["--drop", "leader,btw"][..], "ok"),
        (&["--drop", "pnd,btw", "--print-negative-tuples"], "counterexample"),
        (&["--drop", "nothing"], "bad-input"),
        (&["--work", "1"], "unknown"),
    ] {
        let fixed = ["generalize", "cti.json", "--model", "leader.pyv", "--bound", "3", "--format", "json"];
        let args: Vec<&str> = fixed.into_iter().chain(args.iter().copied()).collect();
        assert_eq!(dir.run(&args).json()["verdict"], verdict, "{args:?}");
    }
}

/// Returns the text without its invariants that are no safety properties.
fn without_conjectures(text: &str) -> String {
    let mut is_left_out = false;
    let mut kept = String::new();
    for line in text.lines() {
        is_left_out = line.starts_with("conjecture") || (is_left_out && line.starts_with(' '));
        if !is_left_out {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// What a user without any idea does: each counterexample to induction is generalized as it is, to executions of at most
/// three steps. Conjectures that turn out false are taken out, and hold in the states that showed it from then on.
fn blind_loop(name: &str, text: &str) {
    let dir = Dir::new();
    dir.file(name, without_conjectures(text));
    let mut reached: Vec<String> = Vec::new();
    for number in 0..90 {
        let document = format!("cti{number}.json");
        let run = dir.run(&["cti", name, "--output", &document]);
        if run.code == Some(0) {
            dir.run(&["verify", name]).ends_with(0);
            assert!(!reached.is_empty(), "no conjecture was false");
            return;
        }
        run.ends_with(1);
        let mut args = vec!["generalize", &document, "--model", name, "--bound", "3", "--add", "--remove"];
        for path in &reached {
            args.extend(["--reached", path]);
        }
        let run = dir.run(&args);
        if run.code == Some(1) {
            run.prints("is a comment in")
                .prints("no inductive invariant that is universally quantified contains it");
            reached.push(document);
        } else {
            run.ends_with(0).prints("added to");
        }
    }
    panic!("no proof yet:\n{}", dir.read(name));
}

#[test]
fn a_blind_loop_proves_the_lock_server() {
    blind_loop("lock_server.rml", include_str!("../../examples/lock_server.rml"));
}

#[test]
fn a_blind_loop_proves_the_distributed_lock() {
    blind_loop("distributed_lock.rml", include_str!("../../examples/distributed_lock.rml"));
}

#[test]
fn a_blind_loop_proves_leader_election() {
    blind_loop("leader_election.rml", include_str!("../../examples/leader_election.rml"));
}

/// The condition under which no assertion fails need not be claimed: a state in which one does is a counterexample to
/// induction like others.
#[test]
fn a_blind_loop_proves_an_assertion() {
    let action =
        "| action both(c: client, d: client) {\n    assume holds(c) & holds(d)\n    assert c = d\n  }\n";
    let text = LOCK_SERVER
        .replace("safety [mutex] holds(C) & holds(D) -> C = D\n", "")
        .replace("  }\n}\n\n# What we want", &format!("  }}\n{action}}}\n\n# What we want"));
    assert!(text.contains("assert c = d") && !text.contains("mutex"));
    blind_loop("lock.rml", &text);
}

#[test]
fn a_blind_loop_proves_chain_replication() {
    blind_loop("chain_replication.rml", include_str!("../../examples/chain_replication.rml"));
}

const LOCK_SERVER: &str = include_str!("../../examples/lock_server.rml");

/// Claims that are false in reachable states are shown, and become comments.
#[test]
fn claims_that_are_false_are_taken_out() {
    let dir = Dir::new();
    let claims = "conjecture [never_held]\n  !holds(C)  # not after three steps\nconjecture [once] !(requested(C) & holds(C))\n";
    let text = LOCK_SERVER.replace("# Why it is so", &format!("{claims}\n# Why it is so"));
    dir.file("lock.rml", &text);
    let triage = |args: &[&str]| dir.run(&[&["cti", "lock.rml"], args].concat());
    // Neither is false before.
    let run = triage(&["--bound", "2"]).ends_with(1);
    let run = run.prints("no claim is false in a state that is reached in at most 2 steps");
    run.prints("transition `receive_grant` does not preserve invariant `never_held`");
    let run =
        triage(&["--bound", "3"]).ends_with(1).prints("invariant `never_held` is violated after 3 steps");
    run.prints("no inductive invariant contains `never_held`: remove it or weaken it");
    assert_eq!(dir.read("lock.rml"), text);
    let document = cti(&dir, "lock.rml", &["--bound", "4"]);
    let refuted = document["triage"]["refuted"].as_array().expect("a list");
    let steps: Vec<_> = refuted.iter().map(|it| it["steps"].as_u64()).collect();
    assert_eq!(steps, [Some(3), Some(4)]);
    assert_eq!((&document["counterexample"], &refuted[0]["removed"]), (&Value::Null, &Value::Bool(false)));

    let run = triage(&["--bound", "4", "--remove", "--output", "cti.json"]).ends_with(0);
    run.prints("`never_held` is a comment in lock.rml from now on")
        .prints("`once` is a comment")
        .prints("inductive");
    let expected = text
        .replace(
            "conjecture [never_held]\n  !holds",
            "# refuted after 3 steps: conjecture [never_held]\n#   !holds",
        )
        .replace("conjecture [once]", "# refuted after 4 steps: conjecture [once]");
    assert_eq!(dir.read("lock.rml"), expected);
    dir.run(&["verify", "lock.rml"]).ends_with(0);
    triage(&["--bound", "4"]).ends_with(0).prints("no claim is false in a state that is reached");
    triage(&["--remove"]).ends_with(2);
}

/// Safety properties stay, and so does what shares a line with something else.
#[test]
fn what_is_not_a_line_of_its_own_stays() {
    let dir = Dir::new();
    let bug = include_str!("../../examples/lock_server_bug.rml");
    dir.file("bug.rml", bug);
    let run = dir.run(&["cti", "bug.rml", "--bound", "9", "--remove"]).ends_with(1);
    run.prints("the model does what it must not: change the model or the claim");
    assert!(dir.read("bug.rml").lines().any(|line| line.starts_with("safety")));
    let text = format!("{LOCK_SERVER}conjecture [a] !holds(C) conjecture [b] !released(C)\n");
    dir.file("lock.rml", &text);
    dir.run(&["cti", "lock.rml", "--bound", "4", "--remove"])
        .ends_with(2)
        .complains("--remove: `lock.rml` stays as it is")
        .complains("shares a line with something else");
    assert_eq!(dir.read("lock.rml"), text);
}

#[test]
fn conjectures_deepen() {
    let dir = Dir::new();
    dir.file("lock.rml", without_conjectures(LOCK_SERVER));
    dir.run(&["cti", "lock.rml", "--output", "cti.json"]).ends_with(1);
    let run = |args: &[&str]| {
        let fixed = ["generalize", "cti.json", "--model", "lock.rml", "--format", "json"];
        let run = dir.run(&[&fixed[..], args].concat());
        (run.code, run.json())
    };
    // A grant is needed first, then to be received, and a second one is not to be had.
    let (code, document) = run(&["--bound", "1", "--deepen", "4"]);
    assert_eq!((code, &document["bound"]), (Some(0), &Value::from(4)));
    assert!(document["conjecture"]["taken_back"].as_array().is_some_and(|it| !it.is_empty()), "{document:#}");
    let (code, document) = run(&["--bound", "4"]);
    assert_eq!((code, &document["conjecture"]["taken_back"]), (Some(0), &Value::Null));
    dir.run(&["generalize", "cti.json", "--model", "lock.rml", "--bound", "4", "--deepen", "3"])
        .ends_with(2)
        .complains("--deepen");
    // Of the counterexample's own states, none can be excluded.
    let (code, document) = run(&["--bound", "4", "--reached", "cti.json"]);
    assert_eq!((code, document["refuted"][0]["invariant"].as_str()), (Some(1), Some("mutex")));
}
