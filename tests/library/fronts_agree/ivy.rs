//! Both readings of `.ivy`.

use std::fs;
use std::path::{Path, PathBuf};

use super::{first_program, random};
use crate::common::effort::cases;
use crate::common::skip::skipped;
use ramsey::base::rng::Rng;
use ramsey::lang::Format;

/// Words and signs that changes put into programs.
const WORDS: &[&str] = &[
    "action",
    "after",
    "assert",
    "assume",
    "axiom",
    "before",
    "call",
    "definition",
    "else",
    "ensure",
    "exists",
    "export",
    "false",
    "forall",
    "function",
    "if",
    "implement",
    "import",
    "individual",
    "init",
    "instance",
    "instantiate",
    "invariant",
    "local",
    "macro",
    "module",
    "object",
    "old",
    "property",
    "relation",
    "require",
    "returns",
    "some",
    "this",
    "true",
    "type",
    "var",
    "isolate",
    "specification",
    "0",
    "X",
    "Y",
    "X:t",
    "t",
    "x",
    "y",
    "r",
    "->",
    "<->",
    "~=",
    ":=",
    "<=",
    ">=",
    "<",
    ">",
    "=",
    "(",
    ")",
    "{",
    "}",
    ".",
    ":",
    ";",
    "~",
    "|",
    "&",
    "*",
    ",",
    "...",
];

/// Errors of the first reading about texts whose meaning is plain, so that the second one accepts them: variables that it
/// gives a name that something declared has, axioms that mention what actions assign and do not depend on it, and assumptions
/// about all values of a type of which statements make further ones.
const STRICT: &[&str] = &["shadows", "this axiom is about", "this is assumed"];

fn find(folder: &Path, name: &str) -> Option<(PathBuf, String)> {
    let path = folder.join(name);
    Some((path.clone(), fs::read_to_string(path).ok()?))
}

/// Compares the readings of a program in a folder, and returns whether both accept it.
#[track_caller]
fn assert_agree(name: &str, folder: &Path, text: &str) -> bool {
    let main = folder.join("main.ivy");
    let second = ramsey_naive::ivy::core(&main, text, &|_, name| find(folder, name));
    match (first_program(Format::Ivy, &main, text, &|name| find(folder, name)), second) {
        (Ok(a), Ok(b)) if a == b => true,
        (Err(_), Err(_)) => false,
        (Ok(_), Err(refusal)) if refusal.is_uncovered => false,
        (Ok(a), Ok(b)) => {
            let (a, b) = a.lines().zip(b.lines()).find(|(a, b)| a != b).unwrap_or((&a, &b));
            panic!("{name}: different texts:\n{a}\n{b}\n{text}");
        }
        // What is this large is refused.
        (Ok(text), Err(refusal)) if text.len() > 500_000 && refusal.what.contains("too large") => false,
        (Ok(_), Err(refusal)) => panic!("{name}: the second one alone refuses: {refusal:?}\n{text}"),
        (Err(error), Ok(_)) if STRICT.iter().any(|what| error.contains(what)) => false,
        (Err(error), Ok(_)) => panic!("{name}: the first one alone refuses: {error}\n{text}"),
    }
}

/// Returns the programs in a folder and the folders in it.
fn programs(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|extension| extension == "ivy") {
            let text = ramsey_naive::decoded(fs::read(&path).expect("a program"));
            found.extend(text.map(|text| (path, text)));
        }
    }
    found
}

fn examples() -> Vec<(PathBuf, String)> {
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"))
}

/// Programs of a corpus, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus.
fn corpus() -> Vec<(PathBuf, String)> {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folders = ["ivy", "ivy-cases", "infer-luck"].map(|name| folder.join(name));
    if !folders.iter().all(|folder| folder.is_dir()) {
        skipped(format_args!("no corpus of programs at {} (set RAMSEY_CORPUS)", folder.display()));
        return Vec::new();
    }
    folders.iter().flat_map(|folder| programs(folder)).collect()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

#[test]
fn on_the_examples() {
    let examples = examples();
    for (path, text) in &examples {
        assert!(assert_agree(&path.display().to_string(), folder_of(path), text), "both accept the examples");
    }
    assert!(examples.len() >= 6);
}

#[test]
fn on_a_corpus() {
    let corpus = corpus();
    let agree =
        |(path, text): &&(PathBuf, String)| assert_agree(&path.display().to_string(), folder_of(path), text);
    let accepted = corpus.iter().filter(agree).count();
    assert!(corpus.is_empty() || accepted >= 375, "{accepted}");
}

#[test]
fn on_places_where_readings_could_differ() {
    let vocabulary = "#lang ivy1.7\ntype t\ntype u\ntype e = {e1, e2}\ntype s = struct { a : t, h(X:t) : u, on_ : bool }\n\
        relation p(X:t)\nrelation r(X:t, Y:u)\nrelation on\nindividual c : t\nindividual d : u\nindividual w : s\n\
        function f(X:t) : u\nfunction st(X:t) : s\nfunction g(X:t) : t = X if p(X) else c\nrelation q(X:t) = p(g(X))\n";
    let accepted = [
        "action go(x:t) = { w.a := x; st(X).a := X; w.h(Y) := f(Y); w.h(x) := d; st(x).on_ := w.on_ } export go",
        "action go(x:t) returns (x:t) = { x := g(x); p(x) := old q(x) } export go after go { assert q(old x) }",
        "action go(x:t) = { if some y:t. p(y) & w.a = y { x := y } else if * { c := x } else { }; p(X) := *; r(c, Y) := *; f(x) := * } export go",
        "object o(k:t) = { relation z(Y:u) after init { z(Y) := false } action go(y:u) = { z(y) := ~z(y); call in2(k, y) }
            action in2(j:t, y:u) = { require p(j); r(j, y) := z(y) } invariant z(Y) -> p(k) | ~p(k) } export o.go",
        "module m(ty, rel) = { individual v : ty after init { v := c } action put(x:ty) returns (y:ty) = { y := v; rel(x) := v = x }
            property rel(X) | ~rel(X) } instance i : m(t, p) instance k(J:u) : m(t, p) export i.put export k.put",
        "action go(X:t) = { local y:t, z:t { y := X; { var y := f(X); r(z, y) := y = d }; p(z) := true } } export go",
        "action go = { var l(X:t) : bool; l(X) := p(X) & on; if l(c) { p(X) := l(X) }; var i(X:t) : u; f(X) := i(X) } export go",
        "action one(x:t) returns (y:t) = { y := x; x := c } action go(x:t) = { c := one(one(x)); p(one(c)) := on } export go
            before one(a:t) { require p(a) } around one { p(x) := false; ... assert ~p(y) }",
        "axiom X:t < Y & Y < Z -> X < Z axiom 0 <= X:t property ~(1:u > 2) action go(x:t) = { require x >= 0 & x > 1; p(x) := x <= c } export go",
        "type n interpret n -> {0..3} type k interpret k -> nat type b = {0..top} individual i : n individual l : k
            invariant i = 0 | i = 3 invariant l < 4 & 0 < l property X:b <= top",
        "type n interpret n -> int type k interpret k -> nat type b interpret b -> bv[8] invariant 2 < X:n & X < 5 -> X = 3 | X = 4
            property X:k < 2 -> X = 0 | X = 1 property 7 < X:b & X < 9 -> X = 8 property 1:k < 20 -> 2:n < 30",
        "theorem th = { type z function k(X:z) : z property k(X) = X property k(k(X)) = X } theorem [plain] p(X) -> p(X)",
        "trusted isolate o = { action go(x:t) = { require p(x); ensure on; call in2(x) } invariant p(X) property q(X) | ~q(X) }
            action in2(x:t) = { require p(x) } export o.go after init { call o.go(c) }",
        "module m(act) = { implement act(x:t) returns (y:t) { y := x; ensure p(y) } } action in2(x:t) returns (y:t)
            trusted isolate o = { instance i : m(in2) } export in2",
        "module m(act) = { before act(x:t) { ensure p(x) } object k = { after act(x:t) { ensure p(x) } } }
            trusted isolate o = { action go(x:t) = { p(x) := on } } instantiate m(o.go) export o.go",
        "macro both(a, b) = { a := b; on := ~on } action go(x:t) = { instantiate both(c, x); instantiate both(x, c) } export go",
        "macro kept(a, b) = { a := c; assume b(a) & old a = c & old b(a) } action go = { instantiate kept(c, p); p(c) := on } export go",
        "module y(a) = { individual z : a action f(x:a) = { z := x } } instance o : y(t) individual z : t module k = { individual w : t }
            object o = { ... before o.f(x:t) { require p(x); z := x } } object o = { ... action g = { z := c } } export o.f export o.g
            object oq(x:t) = { specification { object i = { individual z : u } } object i = { ... action h(y:t) = { z := y } }
                module k = { individual v : u } } object oq(y:t) = { ... instance j : k invariant i.z = i.z } export oq.i.h
            invariant oq.j.w(X) = c",
        "isolate o = { object spec = { relation z(X:t) definition z(X) = p(X) } property spec.z(X) -> p(X) proof { let Y = X; } } with this",
        "object o(k:t) = { derived z = on derived y(X:t) = r(k, d) & p(X) action go(x:t) = { on := ~on; p(x) := old z & ~old y(x) } } export o.go",
        "parameter m : t = c parameter n : t = m action go(x:t) = { m := x; p(n) := true } export go invariant p(m)",
        "module outer(ty) = { instance it : inner(ty) } module inner(ty) = { relation z(X:ty) invariant z(X) } instance i : outer(t)",
        "object o(k:t) = { type el = {a1, a2} type b = struct { fa : t, fb : bool } type z destructor fz(X:z) : t individual v : el
            individual x : b individual y : z after init { v := a1 } action go(a:b) = { x := a; if v = a2 { x.fa := k; y.fz := c } }
            invariant v = a1 | fb(x) invariant fz(y) = k } export o.go property o.a1 ~= o.a2 property o.fb(X) | o.fa(X) = o.fz(Y)",
        "property forall (X:t, Y:u) r(X, Y) -> (exists (Z:u) r(X, Z) & p(X)) object w1 = { type t } axiom forall (X:w1.t) X = X",
        "derived z(X:t) = p(X), y(X:t) = ~z(X) module m(ty) = { relation v(X:ty) } instance i : m(t), k(J:t) : m(u) invariant y(X) | k.v(X, Y)",
        "object z(k:t) = { action y returns (x:t) = { x := k } } object v(k:t) = { after z.y { assert x = k } } export z.y",
        "object z = { individual y : t } type y = { z } object fz = { type z } type x = struct { fz : t }",
        "action never(x:t) = { p(x) := 0:t = x } invariant [safe_one] p(X) invariant [1000000] on conjecture on attribute method = mc",
    ];
    let folder = Path::new("nowhere");
    for decls in accepted {
        assert!(assert_agree(decls, folder, &format!("{vocabulary}{decls}\n")), "both accept it: {decls}");
    }
    for version in [3, 5, 6] {
        let text = format!(
            "#lang ivy1.{version}\ntype t\nrelation p(X:t)\nrelation q(X:t)\nindividual c : t\ninit p(X) -> q(X) <-> p(c)\n\
             axiom p(X) -> q(X)\naction go(x:t) = {{ p(x) := true; q(x) := true; if p(c) {{ q(c) := false }} else {{ assume p(x) }} }}\n\
             conjecture p(X)\n"
        );
        assert!(assert_agree(&text, folder, &text), "both accept it");
    }
    for decls in [
        "action go(X:t) = { local y:t { y := X; { var y := f(y); p(y) := true } } } export go",
        "macro m(y) = { if some z:t. p(z) { c := y } } action go = { var z := d; instantiate m(z) } export go",
        "action inner = { z := c } action go returns (z:t) = { z := c; call inner } export go",
        "action go = { r(X:u, Y) := on } export go",
        "action go = { f(X) := f(X:u) } export go",
        "relation z(X:t) = r(X:u, d)",
        "axiom p(X) action never = { p(c) := on }",
        "module outer(ty) = { instance z : inner(ty) } instance i : outer(t) module inner(ty) = { }",
        "action one returns (y:t) = { y := c } action go = { call one } export go",
        "individual z : t = c",
        "type z property [z] p(X)",
        "object z = { action y(x:t) = { } } object z = { ... before y { require p(x) } } export z.y",
        "object z(k:t) = { action y(x:t) = { } } object v(k:t) = { before z.y { require p(k) } } export z.y",
        "object z = { theorem [y] { property p(X) } object y = { } }",
        "action z = { } invariant [z] p(X)",
        "individual y, z : t",
        "finite finite type z",
        "explicit explicit property p(X)",
        "action go(x:t) = { if * { p(x) := true } } export go",
        "type z object y = { interpret z -> {c, w} }",
        "property [safe.one] p(X)",
        "action one returns (y:t, z:t) = { y := c } action go = { call (c, d) := one } export go",
        "property [z] on invariant z -> on",
        "invariant [z] on action go = { assert z } export go",
        "type z action z(x:t) = { }",
        "action z(x:t) = { } relation z(X:t)",
        "relation z(X:t) = p(X) function z(X:t) : t",
        "object z = { } function z(X:t) : t",
        "object z = { } module z(y) = { }",
        "type z = { y } action y(x:t) = { }",
        "macro z(y) = { y := c } action z(x:t) = { }",
    ] {
        assert!(!assert_agree(decls, folder, &format!("{vocabulary}{decls}\n")), "both refuse it: {decls}");
    }
}

#[test]
fn on_changed_programs() {
    let mut texts: Vec<(PathBuf, String)> = examples();
    texts.extend(corpus());
    // The second front reads over proofs that only name values: what is wrong in one of them, the first alone tells.
    texts.retain(|(_, text)| text.len() < 6_000 && !text.contains("proof"));
    let count = cases(300);
    let accepted = (0..count).filter(|&seed| {
        let mut rng = Rng::new(seed);
        let (path, text) = &texts[rng.below(texts.len())];
        assert_agree(&format!("seed {seed}"), folder_of(path), &random::mutant(text, WORDS, &mut rng))
    });
    let accepted = accepted.count() as u64;
    assert!(accepted > count / 20, "{accepted}");
}
