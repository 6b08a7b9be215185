//! Two readings of SMT-LIB scripts and TPTP problems that share no code make the same closed systems, or refuse the same texts.

use std::fs;
use std::path::{Path, PathBuf};

use super::{random, smtlib, tptp};
use crate::common::effort::cases;
use crate::common::skip::skipped;
use ramsey::base::rng::Rng;
use ramsey::base::span::{Source, Sources};
use ramsey::check::Closed;
use ramsey::core::document;
use ramsey::diag::Severity;
use ramsey::lang::{Format, Loaded, Unread};
use ramsey::obligations::Question;

/// Errors, each with what is on its line.
type Errors = Vec<(String, String)>;

/// Returns the closed system of the first reading with the commands that it does not support, or its errors.
fn first(path: &Path, text: &str) -> Result<(String, Vec<String>), Errors> {
    let mut sources = Sources::new();
    let format = Format::of_name(&path.to_string_lossy()).expect("a known ending");
    let file = sources.push(Source::new(path.display().to_string(), text.to_owned()));
    let includes = format.gather(file, &mut sources, &mut |from, name| {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let paths = [Some(beside), std::env::var_os("TPTP").map(|folder| Path::new(&folder).join(name))];
        let path = paths
            .into_iter()
            .flatten()
            .find(|path| path.is_file())
            .ok_or_else(|| Unread::missing("there is no such file"))?;
        let text = fs::read_to_string(&path).map_err(|error| Unread::missing(error.to_string()))?;
        Ok(Source::new(path.canonicalize().expect("a file").display().to_string(), text))
    });
    let (loaded, diagnostics) = format.load(file, &sources, &includes);
    let told = |severity: Severity| {
        let found = diagnostics.iter().filter(move |diagnostic| diagnostic.severity == severity);
        found.map(|diagnostic| {
            let start = diagnostic.primary.as_ref().map_or(0, |label| label.span.start as usize);
            let start = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
            let line = text[start..].lines().next().unwrap_or_default();
            (line.to_owned(), diagnostic.message.clone())
        })
    };
    let Some(Loaded::Problem(problem)) = loaded else { return Err(told(Severity::Error).collect()) };
    let queries = Question::Queries((0..problem.queries.len()).collect());
    let closed = Closed::new(&problem, &queries).map_err(|error| vec![(String::new(), error.to_string())])?;
    Ok((document(&closed.lowering.core), told(Severity::Warning).map(|(_, message)| message).collect()))
}

/// Commands that assert nothing and ask nothing that certificates are about: the second reading reads over them, whatever is
/// in them, up to the end.
const SILENT: &[&str] =
    &["(set-logic", "(set-option", "(set-info", "(get-", "(echo", "( echo", "(eval", "(check-sat-using"];

/// Compares the readings of a text, and returns whether both accept it.
fn agree(path: &Path, text: &str) -> Result<bool, String> {
    let language = ramsey_naive::language(path).expect("a known ending");
    let second = ramsey_naive::core(language, path, text, &[]).expect("a second reading");
    match (first(path, text), second) {
        (Ok((a, _)), Ok(b)) if a == b => Ok(true),
        (Err(_), Err(_)) => Ok(false),
        (Ok((a, _)), Ok(b)) => {
            let lines = a.lines().zip(b.lines()).find(|(a, b)| a != b);
            let (a, b) = lines.unwrap_or((&a, &b));
            Err(format!("different texts:\n{a}\n{b}"))
        }
        // What is no command at all for the first one need not have tokens.
        (Ok((_, warnings)), Err(refusal))
            if warnings.iter().any(|it| it.starts_with("the command"))
                && matches!(&refusal.what[..], "a character that starts no token" | "expected a symbol") =>
        {
            Ok(false)
        }
        (Ok(_), Err(refusal)) => Err(format!("the second one alone refuses: {refusal:?}")),
        (Err(errors), Ok(_)) => {
            let has_silent = |text: &str| SILENT.iter().any(|it| text.contains(it));
            let is_silent = |(line, message): &(String, String)| {
                has_silent(line) || message.starts_with("expected") && has_silent(text)
            };
            match errors.iter().find(|error| !is_silent(error)) {
                Some((line, error)) => Err(format!("the first one alone refuses: {error}: {line}")),
                None => Ok(false),
            }
        }
    }
}

#[track_caller]
fn assert_agree(path: &Path, text: &str) -> bool {
    agree(path, text).unwrap_or_else(|difference| panic!("{}: {difference}\n{text}", path.display()))
}

/// Returns the problems in a folder with their paths.
fn problems(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a problem"))).collect()
}

fn examples(ending: &str) -> Vec<(PathBuf, String)> {
    problems(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"), ending)
}

/// Problems of a corpus, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus.
fn corpus(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let corpus = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folder = corpus.join(folder);
    if !folder.is_dir() {
        skipped(format_args!("no corpus of problems at {} (set RAMSEY_CORPUS)", folder.display()));
        return Vec::new();
    }
    problems(&folder, ending)
}

#[test]
fn on_the_examples() {
    let examples = [examples("smt2"), examples("p")].concat();
    assert!(examples.iter().all(|(path, text)| assert_agree(path, text)), "both accept the examples");
    assert!(examples.len() >= 4);
}

#[test]
fn on_a_corpus() {
    let corpus = [corpus("smt2", "smt2"), corpus("tptp", "p")].concat();
    let accepted = corpus.iter().filter(|(path, text)| assert_agree(path, text)).count();
    assert!(corpus.is_empty() || accepted >= 400, "{accepted}");
}

#[test]
fn on_random_scripts() {
    on_random("a.smt2", smtlib::script, cases(150));
}

/// Formulas that may be named, below variables that `let`, definitions and names of terms bring along.
#[test]
fn on_conditions_in_conditions() {
    let split = |a: &str, b: &str| format!("(ite (ite (ite (ite q (not q) q) q (not q)) q (not q)) {a} {b})");
    let about = split("(p y)", "(not (p y))");
    let pair = split("(r x y)", "(not (p y))");
    let ground = split("q", "(p c)");
    let scripts = [
        format!(
            "(assert (let ((v (forall ((y S)) (p y)))) (or v (forall ((x S)) (forall ((y S)) {pair})))))"
        ),
        format!(
            "(assert (let ((v (forall ((y S)) (p y)))) (or v (forall ((y S)) {about}))))(assert (forall ((y S)) {about}))"
        ),
        format!(
            "(define-fun d ((x S)) Bool (forall ((y S)) (r x y)))
            (assert (exists ((y S)) (and (d y) (forall ((x S)) (forall ((y S)) {pair})))))"
        ),
        format!("(check-sat)(get-value ((! {ground} :named n)))(assert n)"),
        format!(
            "(check-sat)(get-value ((! {ground} :named n)))(define-fun m () Bool n)(assert (p (ite m c c)))"
        ),
        format!(
            "(assert (! (exists ((v S)) (p (ite {ground} v c))) :named n))(assert (forall ((v S)) (p (ite n v c))))"
        ),
        format!(
            "(assert (xor {ground} q {ground}))(assert (p (ite {ground} c c)))(check-sat-assuming ({ground}))"
        ),
    ];
    for script in scripts {
        let text = format!(
            "(declare-sort S 0)(declare-fun p (S) Bool)(declare-fun r (S S) Bool)
            (declare-const q Bool)(declare-const c S)\n{script}(check-sat)\n"
        );
        assert!(assert_agree(Path::new("a.smt2"), &text), "{text}");
    }
}

#[test]
fn on_white_space() {
    let blanks = [' ', '\t', '\n', '\r', '\u{b}', '\u{c}'];
    let read = |name: &str, text: &dyn Fn(char) -> String| {
        blanks.map(|blank| assert_agree(Path::new(name), &text(blank)))
    };
    let script = |blank| format!("(declare-const a Bool){blank}(assert{blank}a)(check-sat)\n");
    assert_eq!(read("a.smt2", &script), [true, true, true, true, false, false]);
    let problem = |blank| format!("fof(a, axiom,{blank}p).{blank}fof(b, conjecture, p).\n");
    assert_eq!(read("a.p", &problem), [true, true, true, true, false, true]);
}

#[test]
fn on_random_problems() {
    on_random("a.p", tptp::problem, cases(150));
}

fn on_random(name: &str, make: fn(Rng) -> String, count: u64) {
    let accepted =
        (0..count).filter(|&seed| assert_agree(Path::new(name), &make(Rng::new(seed)))).count() as u64;
    assert!(accepted > count * 3 / 4, "{accepted}");
}

#[test]
fn on_changed_scripts() {
    on_changed("a.smt2", smtlib::script, smtlib::WORDS, cases(300));
}

#[test]
fn on_changed_problems() {
    on_changed("a.p", tptp::problem, tptp::WORDS, cases(300));
}

fn on_changed(name: &str, make: fn(Rng) -> String, words: &[&str], count: u64) {
    let accepted = (0..count).filter(|&seed| {
        let mut rng = Rng::new(seed);
        let text = make(Rng::new(rng.next_u64()));
        assert_agree(Path::new(name), &random::mutant(&text, words, &mut rng))
    });
    let accepted = accepted.count() as u64;
    assert!(accepted > count / 20, "{accepted}");
}
