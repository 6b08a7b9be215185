//! Two readings of `.pyv` that share no code make the same closed systems, or refuse the same texts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::effort::cases;
use crate::common::skip::skipped;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::{FileId, Source, Sources};
use ramsey::core::{Lowering, document};
use ramsey::diag::Severity;
use ramsey::lang::{Format, Loaded, Unread, pyv};
use ramsey::obligations::Obligations;
use ramsey::system::System;

mod ivy;
mod problems;
mod programs;
pub(crate) mod random;
mod smtlib;
mod tptp;

/// Returns the closed system of the first reading, or why there is none.
fn first(text: &str) -> Result<String, String> {
    let (system, diagnostics) = pyv::load(FileId::new(0), text);
    let Some(system) = system else {
        let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        return Err(errors.map(|error| error.message + "\n").collect());
    };
    closed(&system)
}

/// Returns the closed system that the first reading makes of a program with this path, or why there is none. `find` returns the
/// path and the text of an included file.
fn first_program(
    format: Format,
    main: &Path,
    text: &str,
    find: &dyn Fn(&str) -> Option<(PathBuf, String)>,
) -> Result<String, String> {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(main.display().to_string(), text.into()));
    let includes = format.gather(file, &mut sources, &mut |_, name| {
        let (path, text) = find(name).ok_or_else(|| Unread::missing("there is no such file"))?;
        Ok(Source::new(path.display().to_string(), text))
    });
    let (loaded, diagnostics) = format.load(file, &sources, &includes);
    let Some(Loaded::System(system)) = loaded else {
        let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let errors: String = errors.map(|error| error.message + "\n").collect();
        assert!(!errors.is_empty(), "what is refused has an error: {text}");
        return Err(errors);
    };
    closed(&system)
}

fn closed(system: &System) -> Result<String, String> {
    let mut obligations = Obligations::new(system);
    let lowering = Lowering::new(system, obligations.syntax_mut()).map_err(|error| error.to_string())?;
    Ok(document(&lowering.core))
}

/// Errors of the first reading about texts whose meaning is plain, so that the second one accepts them: `modifies` that
/// lists too few symbols or too many, claims that are the same in all states, and formulas that use themselves and that
/// nothing else uses.
const STYLE: &[&str] =
    &["but the new state's", "uses the new state's", "uses no mutable symbol", "depends on itself"];

/// Compares the readings of a text, and returns whether both accept it.
fn agree(text: &str) -> Result<bool, String> {
    match (first(text), ramsey_naive::pyv::core(text)) {
        (Ok(a), Ok(b)) if a == b => Ok(true),
        (Err(_), Err(_)) => Ok(false),
        (Ok(a), Ok(b)) => {
            let lines = a.lines().zip(b.lines()).find(|(a, b)| a != b);
            let (a, b) = lines.unwrap_or((&a, &b));
            Err(format!("different texts:\n{a}\n{b}"))
        }
        // The first one reads over a proof by prophecy variables, numbers in it included.
        (Ok(_), Err(refusal)) if text.contains("proof") && is_arithmetic(text, &refusal) => Ok(false),
        (Ok(_), Err(refusal)) => Err(format!("the second one alone refuses: {refusal:?}")),
        (Err(error), Ok(_)) if STYLE.iter().any(|rule| error.contains(rule)) => Ok(false),
        (Err(error), Ok(_)) => Err(format!("the first one alone refuses: {error}")),
    }
}

/// Returns whether a number, or an operator of numbers, was not understood.
fn is_arithmetic(text: &str, refusal: &ramsey_naive::Refusal) -> bool {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let line = lines.split('\n').nth(refusal.line - 1).unwrap_or_default();
    let rest = line.chars().nth(refusal.column - 1).unwrap_or(' ');
    rest.is_ascii_digit() || "+-*<>".contains(rest)
}

#[track_caller]
fn assert_agree(name: &str, text: &str) -> bool {
    agree(text).unwrap_or_else(|difference| panic!("{name}: {difference}\n{text}"))
}

/// Returns the models in a folder with their names.
fn models(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pyv"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("a model"));
    paths.into_iter().map(read).collect()
}

fn examples() -> Vec<(String, String)> {
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"))
}

/// Models of a corpus, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus.
fn corpus() -> Vec<(String, String)> {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folders = ["pyv", "trials"].map(|name| folder.join(name));
    if !folders.iter().all(|folder| folder.is_dir()) {
        skipped(format_args!("no corpus of models at {} (set RAMSEY_CORPUS)", folder.display()));
        return Vec::new();
    }
    folders.iter().flat_map(|folder| models(folder)).collect()
}

#[test]
fn on_the_examples() {
    let examples = examples();
    assert!(examples.iter().all(|(name, text)| assert_agree(name, text)), "both accept the examples");
    assert!(examples.len() >= 10);
}

/// Definitions that use each other so often that some are relations, in every place where one may be used.
#[test]
fn definitions_that_are_relations() {
    let vocabulary = "sort s\nsort t\nmutable relation m(s)\nimmutable relation p(s)\nimmutable function f(t): s\n\
                      mutable constant c: s\nderived relation e: e <-> m(c)\n";
    // The parameters, the innermost definition, the others about `D` before them, and claims about the last one.
    let cases = [
        ("(x: s)", "m(x)", "D(x) & (p(x) | D(x))", "safety D(X)\ninvariant safety & safety"),
        ("(x: s)", "p(x)", "D(x) & (p(x) | D(x))", "axiom [a] D(f(Y))\ninit a & D(c)\ninvariant D(c)"),
        ("()", "e", "D & (p(c) | D)", "transition step(x: s) modifies m, c & m'(x) & new(D) & !D"),
        (
            "(x: s, y: t)",
            "p(f(y)) & x != f(y)",
            "D(x, y) & (m(x) | D(f(y), y))",
            "invariant forall Y. D(c, Y)",
        ),
        (
            "(x: s)",
            "p(x) & m(X)",
            "D(x) & exists y. p(y) & (y != X | D(y))",
            "twostate theorem new(D(X)) -> D(X)",
        ),
        ("(x: s)", "p(x)", "let y = c in D(y) <-> D(if p(x) then x else y)", "invariant D(X) = D(c)"),
        ("(x: s)", "e", "D(x) -> D(c)", "twostate definition b(x: s) = D(x) & new(D(x))\ntheorem D(c)"),
    ];
    let mut relations = 0;
    for (params, innermost, other, claims) in cases {
        let definition = if claims.starts_with("axiom") { "zerostate definition" } else { "definition" };
        let mut definitions = vec![format!("{definition} d0{params} = {innermost}\n")];
        for level in 1..12 {
            let formula = other.replace('D', &format!("d{}", level - 1));
            definitions.push(format!("{definition} d{level}{params} = {formula}\n"));
        }
        // Each is used before it stands in some.
        if params.len() > 6 {
            definitions.reverse();
        }
        let text = format!("{vocabulary}{}{}", definitions.concat(), claims.replace('D', "d11"));
        assert!(assert_agree(params, &text), "both accept it: {:?}\n{text}", first(&text));
        let closed = first(&text).expect("it is accepted");
        let lines = closed.lines().filter(|line| line.starts_with("relation "));
        relations +=
            lines.filter(|line| line.split(' ').nth(2).is_some_and(|name| name.starts_with('d'))).count();
    }
    // None of those with quantifiers, and three in each other chain.
    assert_eq!(relations, 3 * (cases.len() - 1));
}

#[test]
fn digests_of_texts_of_each_length() {
    for length in 1..130 {
        let name = "a".repeat(length);
        assert!(assert_agree(&name, &format!("sort {name}\n")), "{name}");
    }
}

#[test]
fn on_a_corpus() {
    let corpus = corpus();
    let accepted = corpus.iter().filter(|(name, text)| assert_agree(name, text)).count();
    assert!(corpus.is_empty() || accepted >= 35, "{accepted}");
}

#[test]
fn on_places_where_readings_could_differ() {
    let vocabulary = "sort s\nimmutable relation p(s)\nimmutable relation r(s, s)\nimmutable constant a: s\n\
        immutable constant b: s\nmutable relation m(s)\nderived relation d(s): d(X) <-> !m(X)\n";
    let accepted = [
        "axiom r((if (forall x. p(x)) then a else b), (if (forall y. p(y)) then a else b))",
        "axiom r((if p(a) then (if p(b) then a else b) else b), (if p(b) then a else b))",
        "zerostate definition e(z: s) = forall x. r(x, z)\naxiom e(if e(a) then a else b)",
        "zerostate definition e(z: bool) = forall x: s. z | p(x)\naxiom e(e(e(p(X))))",
        "axiom exists c: bool, x: s, e: bool. c & p(x)\naxiom forall c: bool. true\naxiom distinct(true)",
        "axiom (p(a) & p(b)) & p(a) & (p(b) & p(a))\naxiom & & p(a) | & p(b) & (| p(a) | p(b)) | p(a)",
        "transition t() modifies m & old(m(a) & m(b)) & m(a) & d(a) & old(d(a))\ntwostate theorem old(t2) | m(X)\n\
            definition t2() = m(a) | m(Y)\ntwostate theorem (old(m(a) | m(b)) | m(a)) & m(old(a))",
        "twostate theorem forall x. m'(x) & new(m(x) & e(x)) & f' & e'(x)\ndefinition e(x) = m(x)\n\
            zerostate definition f() = p(a)",
        "definition e(x: s, y: bool) = let z = x in let x: s = a in m(z) & y & m(x) & safety\nsafety m(Z)\n\
            twostate theorem new(e(Z, m(Z) & !p(Z)))",
        "immutable constant N: s\nsort N\ntransition t(x: N, y: N)\n = r(a, b)\rinvariant m(X)\r\rsafety m(Y)",
        "definition old(x: s) = m(x)\ntransition t() modifies m & m'(a) & old(a)\nsat trace { t t() | t assert old(X) }",
    ];
    for decls in accepted {
        assert!(assert_agree(decls, &format!("{vocabulary}{decls}\n")), "both accept it: {decls}");
    }
}

#[test]
fn on_random_models() {
    let count = cases(150);
    let accepted =
        (0..count).filter(|&seed| assert_agree(&format!("seed {seed}"), &random::model(Rng::new(seed))));
    let accepted = accepted.count() as u64;
    assert!(accepted > count / 2, "{accepted}");
}

#[test]
fn on_changed_models() {
    let mut texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    texts.retain(|text| text.len() < 10_000);
    texts.extend((0..40).map(|seed| random::model(Rng::new(seed))));
    let count = cases(300);
    let accepted = (0..count).filter(|&seed| {
        let mut rng = Rng::new(seed);
        let text = &texts[rng.below(texts.len())];
        assert_agree(&format!("seed {seed}"), &random::mutant(text, random::WORDS, &mut rng))
    });
    let accepted = accepted.count() as u64;
    assert!(accepted > count / 20, "{accepted}");
}
