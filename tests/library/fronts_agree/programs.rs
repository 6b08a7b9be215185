//! Both readings of `.rml`.

use std::fs;
use std::path::{Path, PathBuf};

use super::{first_program, random};
use crate::common::effort::cases;
use ramsey::base::rng::Rng;
use ramsey::lang::Format;

/// Files that programs of these tests include.
const FILES: &[(&str, &str)] = &[
    ("parts", "include \"order\"\ninclude \"deep/more\"\nassume p(a)\n\nassert p(b) conjecture shared(a)\n"),
    (
        "deep/more",
        "sort s variable a: s variable b: s include \"order\" macro shared(x: s) = p(x)\nrelation p: s axiom\n p(X)\n",
    ),
    ("around", "include \"around\""),
    ("broken", "axiom"),
    ("main.rml", ""),
];

fn find(name: &str) -> Option<(PathBuf, String)> {
    // A file has one name, whatever its path is.
    let name = name.trim_start_matches("./");
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(name, text)| (PathBuf::from(name), (*text).to_owned()))
}

/// Compares the readings of a program, and returns whether both accept it.
#[track_caller]
fn assert_agree(name: &str, text: &str) -> bool {
    let main = Path::new("main.rml");
    let second = ramsey_naive::rml::core(main, text, &|_, name| find(name));
    match (first_program(Format::Rml, main, text, &find), second) {
        (Ok(a), Ok(b)) if a == b => true,
        (Err(_), Err(_)) => false,
        (Ok(a), Ok(b)) => {
            let (a, b) = a.lines().zip(b.lines()).find(|(a, b)| a != b).unwrap_or((&a, &b));
            panic!("{name}: different texts:\n{a}\n{b}\n{text}");
        }
        // Formulas that are this long have no certificates.
        (Ok(text), Err(refusal)) if text.len() > 5_000_000 && refusal.what.contains("too large") => false,
        (Ok(_), Err(refusal)) => panic!("{name}: the second one alone refuses: {refusal:?}\n{text}"),
        (Err(error), Ok(_)) => panic!("{name}: the first one alone refuses: {error}\n{text}"),
    }
}

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rml"));
    paths.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("a program"));
    paths.into_iter().map(read).collect()
}

#[test]
fn on_the_examples() {
    let examples = examples();
    assert!(examples.iter().all(|(name, text)| assert_agree(name, text)), "both accept the examples");
    assert!(examples.len() >= 10);
}

#[test]
fn on_places_where_readings_could_differ() {
    let vocabulary = "sort s\nsort t\nrelation p: s\nrelation r(s, s)\nvariable a, b: s\nfunction f: s -> t\n\
        relation m: s\nrelation n: s, s\nvariable on: bool\nvariable c: s\nfunction g(s): t\n";
    let many = |count: usize, command: &str| command.repeat(count);
    let branches = vec!["{ c := b }"; 70].join(" | ");
    let large = "m(c) & n(a, c) & m(c) & n(a, c) & m(c) & n(a, c) & (exists x. n(x, c))";
    let accepted = [
        "while * { if m(a) { m(X) := exists y. n(X, y) } else { m(X) := exists z. n(X, z) } }".to_owned(),
        "while * { m.insert(a) if * { m.remove(b) m.insert(X | p(X)) } else { m(c) := on; m.insert(c) } }".to_owned(),
        "while * { g(X) := if m(X) then g(a) else g(X); if on { g(a) := g(b) } else { g(X) := g(X) } }".to_owned(),
        "while * { g(b) := g(a) { g(b) := g(c) } | { skip } | { g(X) := if p(X) then g(a) else g(X) } g(a) := g(b) }"
            .to_owned(),
        format!("while * {{ {} assert on }}", many(70, "assume m(a) ")),
        format!("while * {{ if on {{ {} assert on assert m(b) }} assume m(c) }}", many(70, "assume m(a) ")),
        format!("while * {{ skip; if * {{ {branches} }} assert on }}"),
        format!("while * {{ if {large} {{ c := a }} else {{ skip }} if {large} {{ c := a }} assert on }}"),
        format!(
            "if {large} {{ skip }} while * {{ if {large} {{ skip }} assert on action go {{ c := a }} | action stay {{ skip }} \
             if {large} {{ on := * }} }} if {large} {{ skip }} assert m(c)"
        ),
        "while * { local x: s, y: bool; x := if exists x: s. p(x) then a else b; if y { m.insert(x) } }".to_owned(),
        "while * { local x: s; x := if exists x: s. p(x) then a else b; skip; local z: s; skip; z := x }".to_owned(),
        "while * { local x: bool; x := (let x = m(a) in on) & m(b) assert x | on }".to_owned(),
        "while * { local x: bool; x := let y = x in on; assert x }".to_owned(),
        "while * { local x: bool; x := (exists x: s. p(a)) & m(b) assert x | on }".to_owned(),
        "while * { local x: bool; x := (exists x: s. p(x)) & m(b) assert x | on }".to_owned(),
        "while * { local x: s; { x := a } m.insert(x) { local z: s; z := x; m.insert(z) } local z: s; z := z }".to_owned(),
        "while * { action go(x: bool, y: s) { assert x | m(y) on := x; x := *; assume !x } | { assert on } }".to_owned(),
        "axiom on | m(X) axiom m(a) | p(b) c := *; m(X) := !m(X); assert m(c); c := * while * { on := * m.insert(c) }"
            .to_owned(),
        "local c2: s; c2 := *; c := *; c := *; local x: bool; assume x; assert !x | on while * { skip } assert on".to_owned(),
        "macro k(x, q: bool) = forall y. n(x, y) | q while * { assume k(c, k(a, exists y. n(c, y))) n(X, c) := k(X, on) }"
            .to_owned(),
        "while * { n(Y, X) := n(X, Y) n(X, X1) := n(X1, X) & (forall X: s, Y: s. n(Y, X)) }".to_owned(),
        "relation z() while * { z() := on; z.insert() z.insert(| m(a)) z.remove(| on || z) z := * }".to_owned(),
        "safety on conjecture safety -> m(A) while * { assume safety assert let x = m(c) in x & safety }".to_owned(),
        "module all(x, q) { relation y: x axiom forall y: x, go, body: x, branch1: x. q(y) | q(go) | y = body & y = branch1 }
         use all(s, p) while * { action go { skip } | { skip } }".to_owned(),
        "theorem distinct(a, b, a) theorem distinct(on, m(a), p(b)) theorem let x = on in p(a)".to_owned(),
    ];
    for decls in accepted {
        assert!(assert_agree(&decls, &format!("{vocabulary}{decls}\n")), "both accept it: {decls}");
    }
    let included = [
        (
            "include \"parts\" include \"./parts\" use total_order(s, le) relation le: s, s while * { p.remove(c) variable",
            false,
        ),
        (
            "include \"parts\" include \"./parts\" use total_order(s, le) relation le: s, s while * { p.remove(a) }",
            true,
        ),
        ("include \"around\"", false),
        ("include \"broken\"", false),
        ("include \"main.rml\"", false),
        ("include \"never\"", false),
        ("module unused { include \"broken\" }", false),
        ("include \"parts\"", false),
    ];
    for (text, is_accepted) in included {
        assert_eq!(assert_agree(text, text), is_accepted, "{text}");
    }
}

#[test]
fn on_random_programs() {
    let count = cases(150);
    let accepted = (0..count)
        .filter(|&seed| assert_agree(&format!("seed {seed}"), &random::program::program(Rng::new(seed))));
    let accepted = accepted.count() as u64;
    assert!(accepted > count / 2, "{accepted}");
}

#[test]
fn on_changed_programs() {
    let mut texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    texts.retain(|text| text.len() < 10_000);
    texts.extend((0..40).map(|seed| random::program::program(Rng::new(seed))));
    let count = cases(300);
    let accepted = (0..count).filter(|&seed| {
        let mut rng = Rng::new(seed);
        let text = &texts[rng.below(texts.len())];
        assert_agree(&format!("seed {seed}"), &random::mutant(text, random::program::WORDS, &mut rng))
    });
    let accepted = accepted.count() as u64;
    assert!(accepted > count / 20, "{accepted}");
}
