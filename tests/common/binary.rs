//! Runs of the binary in a temporary directory of the test.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use super::schema;

pub const LOCK: &str = "\
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

/// Returns the program that is tested: the one that is named by RAMSEY_BINARY, or that which was built with the tests.
pub fn ramsey_binary() -> String {
    std::env::var("RAMSEY_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_ramsey").to_owned())
}

/// Returns the lock without its guard.
pub fn broken_lock() -> String {
    LOCK.replace("    (forall N. !held(N)) &\n", "")
}

/// A directory that is removed with the test.
pub struct Dir(pub PathBuf);

impl Dir {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory for the test");
        Dir(path)
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a name below the directory")).expect("its directory");
        fs::write(path, text).expect("a file for the test");
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file of the test")
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, "")
    }

    /// Starts a program in the directory, without input; its output can be read while it runs.
    pub fn start(&self, program: &mut Command, args: &[&str]) -> Child {
        program
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs")
    }

    pub fn run_with(&self, args: &[&str], input: &str) -> Run {
        let mut child = Command::new(ramsey_binary())
            .args(args)
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            .env_remove("RAMSEY_CACHE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        // A program that does not read its input may have ended already.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the binary ends");
        Run::of(args.first().copied().unwrap_or_default(), output)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
pub struct Run {
    command: String,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Returns what a command printed.
    pub fn of(command: &str, output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let command = command.to_owned();
        Run { command, code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    #[track_caller]
    pub fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no {text:?} in:\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no {text:?} in:\n{}", self.err);
        self
    }

    #[track_caller]
    pub fn silent_on_stderr(self) -> Self {
        assert_eq!(self.err, "");
        self
    }

    /// Returns the output as a JSON document, which follows the schema of the command. The types that write it read it
    /// back without a loss.
    #[track_caller]
    pub fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.out).expect("one JSON document");
        let name = match &*self.command {
            "generalize" => "conjecture",
            "theorem" => "verify",
            command => command,
        };
        let named = document["schema"].as_str().and_then(|schema| schema.split('/').nth(1));
        assert_eq!(named, Some(name), "{}", self.out);
        schema::check(&document).unwrap_or_else(|why| panic!("{why}\n{}", self.out));
        assert_eq!(read_back(&document), document, "what is read back is another document");
        document
    }
}

/// Reads a document by the type of its schema and writes it again.
fn read_back(document: &Value) -> Value {
    use ramsey::report::json::check::{CheckContent, FragmentContent, TypecheckContent};
    use ramsey::report::json::cti::CtiContent;
    use ramsey::report::json::dto::{BoundedContent, TraceContent, VerifyContent};
    use ramsey::report::json::eval::EvalContent;
    use ramsey::report::json::explain::ExplainContent;
    use ramsey::report::json::generalize::{ConjectureContent, DiagramContent};
    use ramsey::report::json::infer::InferContent;
    use ramsey::report::json::instance::InstanceContent;
    use ramsey::report::json::mc::McContent;
    use ramsey::report::json::simulate::SimulateContent;
    use ramsey::report::json::solve::SolveContent;
    use ramsey::report::json::{Content, Document};

    fn of<C: Content + serde::Serialize + serde::de::DeserializeOwned>(document: &Value) -> Option<Value> {
        (document["schema"] == C::SCHEMA).then(|| {
            let read: Document<C> = serde_json::from_value(document.clone()).expect(C::SCHEMA);
            serde_json::to_value(read).expect("strings are keys")
        })
    }

    None.or_else(|| of::<BoundedContent>(document))
        .or_else(|| of::<CheckContent>(document))
        .or_else(|| of::<ConjectureContent>(document))
        .or_else(|| of::<CtiContent>(document))
        .or_else(|| of::<DiagramContent>(document))
        .or_else(|| of::<EvalContent>(document))
        .or_else(|| of::<ExplainContent>(document))
        .or_else(|| of::<FragmentContent>(document))
        .or_else(|| of::<InferContent>(document))
        .or_else(|| of::<InstanceContent>(document))
        .or_else(|| of::<McContent>(document))
        .or_else(|| of::<SimulateContent>(document))
        .or_else(|| of::<SolveContent>(document))
        .or_else(|| of::<TraceContent>(document))
        .or_else(|| of::<TypecheckContent>(document))
        .or_else(|| of::<VerifyContent>(document))
        .unwrap_or_else(|| panic!("no type has the schema {}", document["schema"]))
}

/// Returns the clauses of the pigeonhole principle: `holes` holes and one pigeon more.
pub fn pigeonhole(holes: usize) -> String {
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

/// Returns the pigeonhole principle as declarations of mutable relations without arguments, and an unsatisfiable
/// formula over them.
pub fn pigeonhole_formula(holes: usize) -> (String, String) {
    let name = |pigeon: usize, hole: usize| format!("x_{pigeon}_{hole}");
    let mut declarations = String::new();
    let mut clauses = Vec::new();
    for pigeon in 0..=holes {
        for hole in 0..holes {
            declarations += &format!("mutable relation {}\n", name(pigeon, hole));
            clauses.extend(
                (0..pigeon).map(|other| format!("(!{} | !{})", name(pigeon, hole), name(other, hole))),
            );
        }
        let places: Vec<String> = (0..holes).map(|hole| name(pigeon, hole)).collect();
        clauses.push(format!("({})", places.join(" | ")));
    }
    (declarations, clauses.join(" & "))
}
