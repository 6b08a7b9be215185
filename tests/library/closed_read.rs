//! Closed forms are read again: what is read has the same text as its closed form, for every question.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::closed::{EXAMPLES, proof};
use crate::common::effort::cases;
use crate::common::models;
use crate::common::skip::skipped;
use crate::fronts_agree::random;
use ramsey::base::rng::Rng;
use ramsey::base::span::{FileId, Source, Sources};
use ramsey::check::{Closed, Subject, is_written_so};
use ramsey::core::document;
use ramsey::diag::Diagnostic;
use ramsey::lang::{Format, Includes, Loaded, Unread};
use ramsey::obligations::{Property, Question};
use ramsey::system::System;

/// Reads a text in a format. It may include files beside it.
fn load(format: Format, path: &str, text: &str) -> (Option<Loaded>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file: FileId = sources.push(Source::new(path.to_owned(), text.to_owned()));
    let includes: Includes = format.gather(file, &mut sources, &mut |from, path| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let text = fs::read_to_string(&path).map_err(|error| Unread::missing(error.to_string()))?;
        Ok(Source::new(path.display().to_string(), text))
    });
    format.load(file, &sources, &includes)
}

fn subject(loaded: &Loaded) -> Subject<'_> {
    match loaded {
        Loaded::System(system) => (&**system).into(),
        Loaded::Problem(problem) => problem.into(),
    }
}

/// Returns the closed form of a question; `None` if there is none.
fn closed(loaded: &Loaded, question: &Question) -> Option<String> {
    Some(document(&Closed::new(subject(loaded), question).ok()?.lowering.core))
}

/// Reads the closed form of what was loaded, and compares the closed forms of all questions.
fn assert_is_read(name: &str, loaded: &Loaded) -> bool {
    let Some(text) = closed(loaded, &Question::Verify) else { return false };
    let (read, found) = load(Format::Core, "a.core", &text);
    let read = read.unwrap_or_else(|| panic!("{name}: {found:#?}\n{text}"));
    assert_eq!(closed(&read, &Question::Verify).as_ref(), Some(&text), "{name}");
    assert_eq!(is_written_so(subject(&read), &text), Ok(()), "{name}");
    if let (Loaded::System(system), Loaded::System(_)) = (loaded, &read) {
        let bounded = Question::Bounded { depth: 2, relaxed: false, properties: properties(system) };
        for question in [Question::Theorems, bounded] {
            assert_eq!(closed(loaded, &question), closed(&read, &question), "{name}: {question:?}");
        }
    }
    true
}

fn properties(system: &System) -> Vec<Property> {
    let invariants = (0..system.invariants.len()).map(Property::Invariant);
    invariants.chain((0..system.assertions.len()).map(Property::Assertion)).collect()
}

/// Reads the closed forms of all models and problems below a folder. Returns how many there are.
fn assert_all_are_read(folder: &Path) -> usize {
    let mut count = 0;
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            count += assert_all_are_read(&path);
            continue;
        }
        let name = path.display().to_string();
        let Some(format) = Format::of_name(&name) else { continue };
        // Large problems take long in a test.
        let is_small = fs::metadata(&path).is_ok_and(|it| it.len() < 100_000);
        let (true, Ok(text)) = (is_small, fs::read_to_string(&path)) else { continue };
        if let (Some(loaded), _) = load(format, &name, &text) {
            count += usize::from(assert_is_read(&name, &loaded));
        }
    }
    count
}

#[test]
fn closed_forms_of_examples_are_read() {
    let count = assert_all_are_read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"));
    assert!(count >= 35, "{count}");
}

#[test]
fn closed_forms_of_a_corpus_are_read() {
    let Some(folder) = std::env::var_os("RAMSEY_CORPUS").map(PathBuf::from) else {
        return skipped("no corpus of models (set RAMSEY_CORPUS)");
    };
    let count: usize =
        ["pyv", "trials", "ivy", "tptp"].map(|it| assert_all_are_read(&folder.join(it))).iter().sum();
    assert!(count >= 300, "{count}");
}

#[test]
fn closed_forms_of_random_models_are_read() {
    let mut count = 0;
    for seed in 0..cases(150) {
        let text = random::model(Rng::new(seed));
        if let (Some(loaded), _) = load(Format::Pyv, "a.pyv", &text) {
            count += usize::from(assert_is_read(&format!("seed {seed}"), &loaded));
        }
    }
    assert!(count >= 100, "{count}");
}

#[test]
fn certificates_are_about_a_model_and_its_closed_form() {
    for (name, text) in EXAMPLES {
        let system = Arc::new(models::system(name, text));
        let (core, certificate) = proof(&system).expect("it is proved");
        let text = document(&core);
        let read = Arc::new(models::system("a.core", &text));
        let check = |system: &Arc<System>, certificate: &str| {
            ramsey::check::check(system, "", certificate.as_bytes())
                .unwrap_or_else(|it| panic!("{name}: {it}"))
        };
        assert!(check(&read, &certificate).claim.proved);
        let (_, of_read) = proof(&read).expect("it is proved");
        assert!(check(&system, &of_read).claim.proved);
    }
}

#[test]
fn what_core_does_not_write_is_not_taken_for_its_output() {
    let cases = [
        ("relation 0 r rigid 0\nhypothesis 0 a R 0 0 0\nquery 1 open q 1 0 R 0 0 0\n", "3: "),
        ("relation 0 r rigid 0\nhypothesis 1 0 R 0 0 0\nquery 1 open q 1 0 R 0 0 0\n", "3: "),
        ("relation 0 r rigid 0\nhypothesis 0 0 R 0 0 0\nquery 1 open q 0 R 0 0 0\n", "3: "),
        ("relation 0 r rigid 0\nhypothesis 0 0 R 0 0 0\nquery 1 open q 2 0 0 R 0 0 0\n", ""),
        ("sort 0 s\ntransition t ! 0 & 0\ninvariant a & 0\n", ""),
    ];
    for (lines, expected) in cases {
        let text = format!("ramsey-core 1\n{lines}");
        let text = format!("{text}digest {}\n", ramsey::base::digest::sha256(&text));
        let (read, found) = load(Format::Core, "a.core", &text);
        let read = read.unwrap_or_else(|| panic!("{found:#?}\n{text}"));
        match is_written_so(subject(&read), &text) {
            Ok(()) => assert!(expected.is_empty(), "{text}"),
            Err(reason) => assert!(!expected.is_empty() && reason.starts_with(expected), "{reason}\n{text}"),
        }
    }
}

/// Replaces, removes, repeats or swaps words and lines of a closed form, and gives it the digest of what it is then.
fn mutant(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    // The digest is made anew.
    lines.pop();
    for _ in 0..1 + rng.below(2) {
        let at = 1 + rng.below(lines.len() - 1);
        let words = lines[at].len();
        let word = rng.below(words);
        let other = lines[1 + rng.below(lines.len() - 1)].clone();
        match rng.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(1 + rng.below(lines.len() - 1), other),
            2 => drop(lines[at].remove(word)),
            3 => lines[at].insert(word, other[rng.below(other.len())].clone()),
            4 => lines[at].swap(word, words - 1),
            5 => lines[at][word] = rng.below(4).to_string(),
            6 => {
                let signs =
                    ["V", "A", "R", "E", "~", "&", "|", ">", "=", "!", "?", "state", "rigid", "mutable"];
                lines[at][word] = signs[rng.below(signs.len())].to_owned();
            }
            _ => lines[at][word] = other[rng.below(other.len())].clone(),
        }
        lines.retain(|line| !line.is_empty());
        if lines.len() < 2 {
            break;
        }
    }
    let body: String = lines.iter().map(|line| line.join(" ") + "\n").collect();
    format!("{body}digest {}\n", ramsey::base::digest::sha256(&body))
}

/// Whoever reads closed forms need not be trusted, but should accept no more than the checker does.
#[test]
fn changed_closed_forms_mean_what_they_say_or_are_refused() {
    let queries = "(declare-sort s 0)\n(declare-fun f (s) s)\n(declare-fun p (s) Bool)\n(declare-const a s)\n\
        (assert (forall ((x s)) (=> (p x) (p (f x)))))\n(assert (p a))\n(check-sat)\n(assert (not (p (f a))))\n(check-sat)\n";
    let mut texts: Vec<(String, Loaded)> = Vec::new();
    for (name, text) in EXAMPLES {
        texts.push((name.to_owned(), Loaded::System(Arc::new(models::system(name, text)))));
    }
    let (problem, _) = load(Format::Smtlib, "a.smt2", queries);
    texts.push(("a.smt2".to_owned(), problem.expect("a problem")));
    let (mut accepted, mut refused) = (0, 0);
    for (at, (name, loaded)) in texts.iter().enumerate() {
        let text = closed(loaded, &Question::Verify).expect("a closed form");
        for seed in 0..cases(100) {
            let changed = mutant(&text, &mut Rng::new(seed * 8 + at as u64));
            let checked = ramsey::checker::Core::read(&changed);
            match load(Format::Core, "a.core", &changed) {
                (Some(read), _) => {
                    let judged = checked.unwrap_or_else(|it| panic!("{name} {seed}: {it}\n{changed}"));
                    let Ok(()) = is_written_so(subject(&read), &changed) else { continue };
                    let again = closed(&read, &Question::Verify).expect("a closed form");
                    let again = ramsey::checker::Core::read(&again).expect("what is written is read");
                    assert!(judged.labels().eq(again.labels()), "{name} {seed}");
                    accepted += 1;
                }
                (None, found) => {
                    assert!(!found.is_empty(), "{name} {seed}: no error\n{changed}");
                    refused += 1;
                }
            }
        }
    }
    assert!(accepted >= 50 && refused >= 300, "{accepted} accepted, {refused} refused");
}
