//! `ramsey init`, and `ramsey verify --watch` on what it writes.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::common::binary::{Dir, LOCK, broken_lock, ramsey_binary};

const PIPELINES: [(&str, &str); 5] = [
    ("github", ".github/workflows/ramsey.yml"),
    ("gitlab", ".gitlab-ci.yml"),
    ("azure", "azure-pipelines.yml"),
    ("circleci", ".circleci/config.yml"),
    ("jenkins", "Jenkinsfile"),
];

#[test]
fn what_is_written_is_verified() {
    let dir = Dir::new();
    dir.run(&["init"])
        .ends_with(0)
        .prints("written: ./models/lock.pyv\nwritten: ./ramsey.toml\nnext: ramsey verify\n")
        .silent_on_stderr();
    dir.run(&["verify"])
        .ends_with(0)
        .prints("models/lock.pyv  bmc depth=4  proved (1), as expected")
        .prints("3 checks: all as expected")
        .silent_on_stderr();
    dir.run(&["typecheck", "models"]).ends_with(0).silent_on_stderr();
    dir.run(&["infer", "models/lock.pyv"]).ends_with(0);
    for (service, file) in PIPELINES {
        dir.run(&["init", service, "--ci", service])
            .ends_with(0)
            .prints(&format!("written: {service}/{file}\n"));
        let pipeline = dir.read(&format!("{service}/{file}"));
        // The command of the pipeline is one that there is.
        let line = pipeline.lines().find(|line| line.contains("ramsey") && line.contains(" verify "));
        let (_, line) = line.and_then(|line| line.split_once(" verify ")).expect("a command");
        let line = line.trim().trim_end_matches('\'').replace(['"', '\''], "").replace("$HOME/", "");
        let below = dir.0.join(service);
        fs::create_dir_all(below.join("results/ramsey")).expect("a folder");
        let args = line.split_whitespace();
        let run = Command::new(ramsey_binary()).arg("verify").args(args).current_dir(&below).output();
        assert_eq!(run.expect("the program runs").status.code(), Some(0), "{service}: {line}");
    }
}

#[test]
fn nothing_is_replaced() {
    let dir = Dir::new();
    dir.file("ramsey.toml", "mine\n");
    for args in [&["init"][..], &["init", "--force"], &["init", ".", "--ci", "gitlab"]] {
        dir.run(args).ends_with(2).complains("`./ramsey.toml` is there already, and nothing was written");
        assert_eq!(dir.read("ramsey.toml"), "mine\n");
        assert_eq!(fs::read_dir(&dir.0).expect("the folder").count(), 1);
    }
    dir.run(&["init", "no/such/folder"]).ends_with(2);
    assert!(!dir.0.join("no").exists());
}

/// A run that watches, with the lines that it prints.
struct Watching(Child, Receiver<String>);

impl Watching {
    fn new(dir: &Dir, args: &[&str]) -> Watching {
        let mut child = dir.start(&mut Command::new(ramsey_binary()), args);
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watching(child, lines)
    }

    /// Returns what is printed until a line with this text.
    #[track_caller]
    fn until(&self, text: &str) -> String {
        let mut printed = String::new();
        while !printed.contains(text) {
            let line = self.1.recv_timeout(Duration::from_secs(60));
            printed.push_str(&line.unwrap_or_else(|_| panic!("no {text:?} in:\n{printed}")));
            printed.push('\n');
        }
        printed
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_changes_is_verified_again() {
    let dir = Dir::new();
    dir.file("a.pyv", LOCK).file("b.pyv", LOCK);
    let watching = Watching::new(&dir, &["verify", "--watch", "."]);
    assert!(watching.until("watching").contains("6 obligations: 6 ok"));
    dir.file("b.pyv", broken_lock());
    let again = watching.until("watching");
    assert!(again.contains("changed: ./b.pyv") && again.contains("3 obligations: 2 ok, 1 failed"), "{again}");
    // A model that is new.
    dir.file("c.pyv", LOCK);
    let new = watching.until("watching");
    assert!(new.contains("changed: ./c.pyv") && new.contains("3 obligations: 3 ok"), "{new}");
}

#[test]
fn configurations_and_included_files_are_watched() {
    let dir = Dir::new();
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"whole.rml\", \"a.pyv\"]\n").file("a.pyv", LOCK);
    let program = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lock_server.rml"));
    dir.file("part.rml", program.expect("an example")).file("whole.rml", "include \"part.rml\"\n");
    let watching = Watching::new(&dir, &["verify", "--watch"]);
    watching.until("watching");
    dir.file("part.rml", dir.read("part.rml") + "\n# changed\n");
    let again = watching.until("watching");
    assert!(again.contains("changed: whole.rml\n") && again.contains("1 check: "), "{again}");
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"a.pyv\"]\ncommand = \"bmc\"\n");
    let all = watching.until("watching");
    assert!(all.contains("changed: all") && all.contains("a.pyv  bmc  proved"), "{all}");
    // What is a part no more is a model.
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"*.rml\"]\n");
    assert!(watching.until("watching").contains("part.rml  verify  part of another model"));
    dir.file("whole.rml", "sort t\nrelation r(t)\nassert exists x:t. r(x) | !r(x)\nwhile * { }\n");
    let both = watching.until("watching");
    assert!(both.contains("part.rml  verify  proved") && both.contains("whole.rml  verify"), "{both}");
}
