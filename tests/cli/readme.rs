//! Replay of the sessions in README.md and docs/tutorial.md: the output shown is that of the binary, and the models
//! load.
//!
//! With `UPDATE=1` in the environment the documents are rewritten with the present output.
//!
//! A document may contain:
//!
//! - a fenced block `console`, or an indented block that begins with `$ ramsey`: commands after `$`, each with its
//!   output below, both streams as on a terminal. Programs are `ramsey` and `ramsey-check`; `echo $?` prints the exit
//!   code;
//! - a fenced block `pyv NAME` or `rml NAME`: a file that later commands can use under this name;
//! - a fenced block `pyv NAME append` or `rml NAME append`: text appended to an existing file;
//! - a fenced block `pyv` or `rml` alone: a model that has to load.

use crate::common::binary::ramsey_binary;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A document during the replay of its sessions.
struct Replay {
    /// Folder in which commands run, with a copy of the examples, so that nothing is written to the source tree.
    folder: PathBuf,
    /// The document with the actual output in place of the output shown.
    printed: String,
    /// Number of commands run.
    commands: usize,
    /// Number of models loaded or written.
    models: usize,
    /// Exit code of the last command.
    code: Option<i32>,
}

impl Replay {
    fn new(name: &str) -> Replay {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sessions").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("examples")).expect("a folder");
        for example in fs::read_dir(root.join("examples")).expect("examples") {
            let path = example.expect("an example").path();
            let name = path.file_name().expect("a name");
            fs::copy(&path, folder.join("examples").join(name)).expect("a copy");
        }
        Replay { folder, printed: String::new(), commands: 0, models: 0, code: None }
    }

    /// Replays a document from its first line to its last.
    fn document(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            let is_inside: fn(&str) -> bool = if line.starts_with("```") {
                self.put(line);
                at += 1;
                |line| line != "```"
            } else if line.starts_with("    $ ramsey") {
                |line| line.is_empty() || line.starts_with("    ")
            } else {
                self.put(line);
                at += 1;
                continue;
            };
            let length = lines[at..].iter().take_while(|line| is_inside(line)).count();
            let block = &lines[at..at + length];
            at += length;
            match line.strip_prefix("```") {
                Some(info) => {
                    self.fenced(info, block);
                    self.put(lines.get(at).expect("the block ends"));
                    at += 1;
                }
                None => self.session(block, "    "),
            }
        }
    }

    fn put(&mut self, line: &str) {
        self.printed.push_str(line.trim_end());
        self.printed.push('\n');
    }

    fn fenced(&mut self, info: &str, block: &[&str]) {
        let text: String = block.iter().flat_map(|line| [line, "\n"]).collect();
        match *info.split(' ').collect::<Vec<_>>().as_slice() {
            ["console"] => return self.session(block, ""),
            [language @ ("pyv" | "rml")] => self.loads(language, &text),
            ["pyv" | "rml", name] => fs::write(self.folder.join(name), text).expect("a file"),
            ["pyv" | "rml", name, "append"] => {
                let file = fs::File::options().append(true).open(self.folder.join(name));
                file.and_then(|mut file| file.write_all(text.as_bytes())).expect("a file to append to");
            }
            _ => {}
        }
        self.models += usize::from(info.starts_with("pyv") || info.starts_with("rml"));
        block.iter().for_each(|line| self.put(line));
    }

    /// Checks that a model without a name has no errors.
    fn loads(&self, language: &str, text: &str) {
        let mut child = Command::new(ramsey_binary())
            .args(["typecheck", "--language", language, "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Replays a block of commands with their output.
    fn session(&mut self, block: &[&str], indent: &str) {
        // Blank lines between an indented block and the text below it.
        let blank = block.iter().rev().take_while(|line| line.is_empty()).count();
        for line in &block[..block.len() - blank] {
            let Some(command) = line.strip_prefix(indent).and_then(|line| line.strip_prefix("$ ")) else {
                continue;
            };
            let output = self.run(command);
            self.put(line);
            for line in output.trim_end().lines() {
                self.put(&format!("{indent}{line}"));
            }
        }
        (0..blank).for_each(|_| self.put(""));
    }

    /// Runs a command and returns its output on both streams.
    fn run(&mut self, command: &str) -> String {
        self.commands += 1;
        if command == "echo $?" {
            return format!("{}\n", self.code.expect("a command before"));
        }
        let words = words(command);
        let binary = match words[0].as_str() {
            "ramsey" => ramsey_binary(),
            "ramsey-check" => env!("CARGO_BIN_EXE_ramsey-check").to_owned(),
            _ => panic!("`{command}` cannot be replayed"),
        };
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let mut child = Command::new(binary)
            .args(&words[1..])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(writer.try_clone().expect("a pipe"))
            .stderr(writer)
            .spawn()
            .expect("the binary runs");
        let mut output = String::new();
        reader.read_to_string(&mut output).expect("UTF-8");
        self.code = child.wait().expect("it ends").code();
        output
    }
}

/// Splits a command line into words; quotes `'` protect blanks.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.last_mut().expect("a word").push_str(part);
            continue;
        }
        for (index, word) in part.split(' ').enumerate() {
            if index > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("a word").push_str(word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the lines in which two texts differ.
fn difference(shown: &str, printed: &str) -> String {
    let (shown, printed): (Vec<&str>, Vec<&str>) = (shown.lines().collect(), printed.lines().collect());
    let before = shown.iter().zip(&printed).take_while(|(a, b)| a == b).count();
    let rest = (&shown[before..], &printed[before..]);
    let after = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut told = format!("from line {}:\n", before + 1);
    for (sign, lines) in [('-', rest.0), ('+', rest.1)] {
        for line in &lines[..lines.len() - after] {
            let _ = writeln!(told, "{sign} {line}");
        }
    }
    told
}

/// Replays a document, and compares the result with it or rewrites it.
#[track_caller]
fn replay(path: &str) -> Replay {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let shown = fs::read_to_string(&file).expect(path);
    let mut replay = Replay::new(&path.replace('/', "-"));
    replay.document(&shown);
    if std::env::var_os("UPDATE").is_some_and(|it| it == "1") {
        fs::write(file, &replay.printed).expect(path);
    } else if shown != replay.printed {
        let difference = difference(&shown, &replay.printed);
        panic!(
            "{path} does not show what is printed now (`UPDATE=1 cargo test --test cli readme` rewrites it), {difference}"
        );
    }
    replay
}

#[test]
fn the_sessions_in_the_readme_are_real() {
    let replay = replay("README.md");
    assert!(replay.commands >= 3 && replay.models >= 1, "the README shows a model and a session");
}

#[test]
fn the_sessions_in_the_tutorial_are_real() {
    let replay = replay("docs/tutorial.md");
    assert!(replay.commands >= 10 && replay.models >= 10, "the tutorial shows models and sessions");
}
