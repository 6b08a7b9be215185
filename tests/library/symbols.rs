//! Indexes of declared names: positions, uses and scopes, with the texts themselves as the oracle.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::ids::Id as _;
use ramsey::base::span::{FileId, Source, Sources, Span};
use ramsey::lang::index::{Entry, Index, Kind, index};
use ramsey::lang::{self, Language};

/// Returns the index of the first of these files, which may include the others.
fn index_of(language: Language, files: &[(&str, &str)]) -> (Index, Sources) {
    let mut sources = Sources::new();
    let (name, text) = files[0];
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let includes = language.format().gather(file, &mut sources, &mut |_, path| {
        let found = files.iter().find(|(name, _)| *name == path);
        found
            .map(|(name, text)| Source::new((*name).to_owned(), (*text).to_owned()))
            .ok_or_else(|| format!("no file `{path}` here"))
    });
    let built = index(language, file, &sources, &includes, &mut Budget::unlimited());
    (built.expect("an unlimited budget"), sources)
}

/// Checks whether loading this text gives an error.
fn has_errors(language: Language, text: &str) -> bool {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("text".to_owned(), text.to_owned()));
    let includes = language.format().gather(file, &mut sources, &mut |_, path| Err(path.to_owned()));
    lang::load(language, file, &sources, &includes).0.is_none()
}

fn place(span: Span, sources: &Sources) -> String {
    let (line, column) = sources[span.file].line_column(span.start);
    match span.file.index() {
        0 => format!("{line}:{column}"),
        _ => format!("{}:{line}:{column}", sources[span.file].name),
    }
}

fn slice(span: Span, sources: &Sources) -> &str {
    &sources[span.file].text[span.start as usize..span.end as usize]
}

/// Lists all entries, one per line: the position of the name, the text, and the positions of the uses.
fn listing(index: &Index, sources: &Sources) -> String {
    let mut out = String::new();
    for entry in index.entries() {
        let uses: Vec<String> = entry.uses.iter().map(|&span| place(span, sources)).collect();
        let _ = writeln!(out, "{} {} | {}", place(entry.span, sources), entry.text, uses.join(" "));
    }
    out
}

/// Checks the invariants of all entries of an index.
fn check(index: &Index, sources: &Sources) {
    for entry in index.entries() {
        assert_eq!(slice(entry.span, sources), entry.name);
        assert!(entry.declaration.start <= entry.span.start && entry.span.end <= entry.declaration.end);
        assert!(slice(entry.declaration, sources).contains(&entry.name));
        assert!(!entry.text.contains('\n'));
        for &used in &entry.uses {
            assert_eq!(slice(used, sources), entry.name, "{entry:?}");
            assert_ne!(used, entry.span);
            for offset in [used.start, used.end - 1] {
                assert_eq!(index.at(used.file, offset), Some(entry));
            }
            assert_eq!(entry.occurrence(used.file, used.start), Some(used));
        }
        assert_eq!(index.at(entry.span.file, entry.span.start), Some(entry));
        assert!(entry.uses.is_sorted());
    }
    assert!(index.entries().is_sorted_by_key(|entry| entry.span));
}

#[track_caller]
fn expect(language: Language, text: &str, expected: &[&str]) -> (Index, Sources) {
    let (index, sources) = index_of(language, &[("text", text)]);
    check(&index, &sources);
    let found = listing(&index, &sources);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "\n{found}");
    (index, sources)
}

#[track_caller]
fn only<'i>(index: &'i Index, name: &str) -> &'i Entry {
    let mut found = index.entries().iter().filter(|entry| entry.name == name);
    let entry = found.next().expect("an entry of this name");
    assert!(found.next().is_none(), "one entry is called {name}");
    entry
}

#[test]
fn a_model_with_errors_has_an_index() {
    let text = "\
sort node @printed_by(ordered_by_printer, le)
immutable relation le(node, node)
mutable relation held(node)
mutable relation broken(node
mutable function next(node): node
immutable constant first: node
derived relation free: forall N. !held(N)
init free & unknown(first)
axiom [total] le(A, B) | le(B, A)
onestate definition one(n: node) = held(n) & total
transition acquire(n: node)
  modifies held, next
  & free & broken(n)
  & (forall M. held'(M) <-> M = n | held(M))
  & next(n) = held
safety [mutex] held(X) & held(Y) -> X = Y
invariant mutex -> missing
sat trace {
  acquire(first)
  assert held(first) | exists N. held(N)
}
";
    assert!(has_errors(Language::Pyv, text));
    let (index, sources) = expect(
        Language::Pyv,
        text,
        &[
            "1:6 sort node | 2:23 2:29 3:23 5:23 5:30 6:27 10:28 11:23",
            "2:20 immutable relation le(node, node) | 1:43 9:15 9:26",
            "3:18 mutable relation held(node) | 7:35 10:36 12:12 14:16 14:37 15:15 16:16 16:26 20:10 20:34",
            "5:18 mutable function next(node): node | 12:18 15:5",
            "6:20 immutable constant first: node | 8:21 19:11 20:15",
            "7:18 derived relation free: forall N. !held(N) | 8:6 13:5",
            "7:31 forall N | 7:40",
            "9:8 axiom [total] le(A, B) | le(B, A) | 10:46",
            "9:18 forall A | 9:32",
            "9:21 forall B | 9:29",
            "10:21 onestate definition one(n: node) = held(n) & total | ",
            "10:25 n: node | 10:41",
            "11:12 transition acquire(n: node) | 19:3",
            "11:20 n: node | 13:19 14:33 15:10",
            "14:13 forall M | 14:22 14:29 14:42",
            "16:9 safety [mutex] held(X) & held(Y) -> X = Y | 17:11",
            "16:21 forall X | 16:37",
            "16:31 forall Y | 16:41",
            "20:31 exists N | 20:39",
        ],
    );
    let acquire = only(&index, "acquire");
    assert_eq!(acquire.kind, Kind::Transition);
    assert!(slice(acquire.declaration, &sources).starts_with("transition acquire(n: node)\n  modifies"));
    assert!(slice(acquire.declaration, &sources).ends_with("next(n) = held"));
    assert_eq!(slice(only(&index, "X").declaration, &sources), "X");
    assert_eq!(only(&index, "X").kind, Kind::Implicit);
    assert_eq!(only(&index, "M").kind, Kind::Bound);
}

#[test]
fn a_program_with_errors_has_an_index() {
    let text = "\
sort id
sort node
function id: node -> id
relation held: node
relation broken node
variable a, b: node
macro free(n: node) = !held(n)
axiom id(X) = id(Y) -> X = Y
local last: node
assume free(N) & last = last
last := a
while * do {
  local c: node
  {
    action take(m, n: node, i: id) {
      assume free(n) & id(n) = i
      assume assume
      held(Z) := held(Z) | Z = n & Z = N
      c := *
      held.insert(Y | Y = c)
      held.remove(missing)
      if held = n { local d: node d := n } else { a := c }
    }
  | action give(n: node) {
      held(n, c) := false
    }
  }
}
assert held(last)
conjecture [one] held(A) & held(B) -> A = B
unsat trace { take(a, b, *) give | take }
";
    assert!(has_errors(Language::Rml, text));
    let (index, sources) = expect(
        Language::Rml,
        text,
        &[
            "1:6 sort id | 3:22 15:32",
            "2:6 sort node | 3:14 4:16 6:16 7:15 9:13 13:12 15:23 22:30 24:20",
            "3:10 function id: node -> id | 8:7 8:15 16:24",
            "4:10 relation held(node) | 7:24 18:7 18:18 20:7 21:7 22:10 25:7 29:8 30:18 30:28",
            "5:10 relation broken | ",
            "6:10 variable a: node | 11:9 22:51 31:20",
            "6:13 variable b: node | 31:23",
            "7:7 macro free(n: node) = !held(n) | 10:8 16:14",
            "7:12 n: node | 7:29",
            "8:10 forall X | 8:24",
            "8:18 forall Y | 8:28",
            "9:7 local last: node | 10:18 10:25 11:1",
            "10:13 forall N | ",
            "13:9 local c: node | 19:7 20:27 22:56 25:15",
            "15:12 action take(m: node, n: node, i: id) | 31:15 31:36",
            "15:17 m: node | ",
            "15:20 n: node | 16:19 16:27 18:32 22:17 22:40",
            "15:29 i: id | 16:32",
            "18:12 Z | 18:23 18:28 18:36",
            "20:19 Y | 20:23",
            "22:27 local d: node | 22:35",
            "24:12 action give(n: node) | 31:29",
            "24:17 n: node | 25:12",
            "30:13 conjecture [one] held(A) & held(B) -> A = B | ",
            "30:23 forall A | 30:39",
            "30:33 forall B | 30:43",
        ],
    );
    assert_eq!(slice(only(&index, "m").declaration, &sources), "m");
    assert_eq!(slice(only(&index, "c").declaration, &sources), "c: node");
    assert_eq!(only(&index, "Z").kind, Kind::Logical);
    assert_eq!(only(&index, "last").kind, Kind::Local);
}

#[test]
fn each_binder_has_its_own_entries() {
    expect(
        Language::Pyv,
        "\
sort s
immutable relation p(s)
axiom (forall x. p(x)) | (exists x. p(x) & forall x: s. p(x)) & p(x)
axiom p(X) & (forall X. p(X)) & p(X)
axiom (exists X. p(X)) & p(X) & p(X)
axiom let x = X in p(x) & (let x: s = x in p(x))
definition d(X: s, Y) = p(X) & p(Y) & p(Z)
axiom forall p. p(p)
axiom p(X)
",
        &[
            "1:6 sort s | 2:22 3:54 6:35 7:17",
            "2:20 immutable relation p(s) | 3:18 3:37 3:57 3:65 4:7 4:25 4:33 5:18 5:26 5:33 6:20 6:44 7:25 7:32 7:39 9:7",
            "3:15 forall x | 3:20",
            "3:34 exists x | 3:39",
            "3:51 forall x: s | 3:59",
            "4:9 forall X | 4:35",
            "4:22 forall X | 4:27",
            "5:15 exists X | 5:20",
            "5:28 forall X | 5:35",
            "6:11 let x | 6:22 6:39",
            "6:15 forall X | ",
            "6:32 let x: s | 6:46",
            "7:12 definition d(X: s, Y) = p(X) & p(Y) & p(Z) | ",
            "7:14 X: s | 7:27",
            "7:20 Y | 7:34",
            "7:41 forall Z | ",
            "8:14 forall p | 8:17 8:19",
            "9:9 forall X | ",
        ],
    );
}

#[test]
fn proofs_have_entries() {
    expect(
        Language::Pyv,
        "\
sort s
mutable relation p(s)
fbii {
  forward [up] { invariant [i] p(X) }
  backward prophecy y: s { safety p(y) } by { proph_select p(y) proph_default invariant i & p(y) }
}
",
        &[
            "1:6 sort s | 2:20 5:24",
            "2:18 mutable relation p(s) | 4:32 5:35 5:60 5:93",
            "4:12 forward [up] | ",
            "4:29 invariant [i] p(X) | ",
            "4:34 forall X | ",
            "5:21 prophecy y: s | 5:37 5:62 5:95",
        ],
    );
}

#[test]
fn proofs_by_prophecy_variables_have_entries() {
    expect(
        Language::Pyv,
        "sort t\nmutable function f(t): t\nmutable constant c: t\n\
         safety forall x:t. f(x) = C\nproof let v: t = f(x), w = v\n\
         safety f(X) = c\nproof if X = c { let v = f(X) let w = v } else { let v = c }\n",
        &[
            "1:6 sort t | 2:20 2:24 3:21 4:17 5:14",
            "2:18 mutable function f(t): t | 4:20 5:18 6:8 7:26",
            "3:18 mutable constant c: t | 6:15 7:14 7:58",
            "4:15 forall x: t | 4:22 5:20",
            "4:27 forall C | ",
            "5:11 let v: t | 5:28",
            "5:24 let w | ",
            "6:10 forall X | 7:10 7:28",
            "7:22 let v | 7:39",
            "7:35 let w | ",
            "7:54 let v | ",
        ],
    );
}

#[test]
fn included_files_and_modules_have_their_own_places() {
    let main = "\
include \"lib\"
include \"order\"
include \"nowhere\"
sort t
sort le
relation le: t, t
use total_order(t, le)
use pair(t, le, le) as q
use absent(t)
use open(t)
axiom q_both(X, X) | q_mark(X) | seen(X)
axiom [q_own] q_never(X)
while * { skip }
";
    let lib = "\
module pair(s, r, u) {
  relation mark: s
  macro both(a: s, b: s) = r(a, b) & mark(a)
  axiom [own] forall r2: s. both(r2, r2) & u(r2)
  use open(u)
}
module open(v) {
  relation seen: v
}
relation other: t
";
    let (index, sources) = index_of(Language::Rml, &[("main", main), ("lib", lib)]);
    check(&index, &sources);
    let found = listing(&index, &sources);
    let of_files = |line: &&str| !line.starts_with('<');
    let expected = [
        "4:6 sort t | 6:14 6:17 7:17 8:10 9:12 10:10 lib:10:17",
        "5:6 sort le | 8:17",
        "6:10 relation le(t, t) | 7:20 8:13",
        "8:24 use pair(t, le, le) as q | 11:7 11:22",
        "11:14 forall X | 11:17 11:29 11:39",
        "12:8 axiom [q_own] q_never(X) | ",
        "12:23 forall X | ",
        "lib:1:8 module pair(s, r, u) | 8:5",
        "lib:1:13 s | lib:2:18 lib:3:17 lib:3:23 lib:4:26",
        "lib:1:16 r | lib:3:28",
        "lib:1:19 u | lib:4:44 lib:5:12",
        "lib:2:12 relation mark(s) | 11:24 lib:3:38",
        "lib:3:9 macro both(a: s, b: s) = r(a, b) & mark(a) | 11:9 lib:4:29",
        "lib:3:14 a: s | lib:3:30 lib:3:43",
        "lib:3:20 b: s | lib:3:33",
        "lib:4:10 axiom [own] forall r2: s. both(r2, r2) & u(r2) | ",
        "lib:4:22 forall r2: s | lib:4:34 lib:4:38 lib:4:46",
        "lib:7:8 module open(v) | 10:5 lib:5:7",
        "lib:7:13 v | lib:8:18",
        "lib:8:12 relation seen(v) | 11:34",
        "lib:10:10 relation other(t) | ",
    ];
    assert_eq!(found.lines().filter(of_files).collect::<Vec<_>>(), expected, "\n{found}");
    let order = only(&index, "total_order");
    assert_eq!(sources[order.span.file].name, "<order.rml>");
    assert_eq!(order.uses.len(), 1);
    assert_eq!(only(&index, "partial_order").uses[0].file, order.span.file);
}

#[test]
fn an_offset_leads_to_its_entry() {
    let text = "sort s\nimmutable relation le(s, s)\naxiom le(X,X)\n";
    let (index, _) = index_of(Language::Pyv, &[("text", text)]);
    let at = |offset: usize| index.at(FileId::new(0), offset as u32).map(|entry| &*entry.name);
    let le = text.find("le(s").expect("the declaration");
    assert_eq!([at(le), at(le + 1), at(le + 2), at(le + 3)], [Some("le"), Some("le"), Some("le"), Some("s")]);
    assert_eq!([at(0), at(4), at(5), at(6)], [None, None, Some("s"), Some("s")]);
    let x = text.find("X,X").expect("the axiom");
    assert_eq!([x, x + 1, x + 2, x + 3].map(at), [Some("X"); 4]);
    assert_eq!(at(x + 4), None);
    assert_eq!(at(10_000), None);
    assert_eq!(index.at(FileId::new(1), 5), None);
}

#[test]
fn long_declarations_are_shortened() {
    let sorts = vec!["s"; 1_000].join(", ");
    let (index, sources) =
        index_of(Language::Pyv, &[("text", &format!("sort s\nmutable relation r({sorts})\n"))]);
    check(&index, &sources);
    let text = &only(&index, "r").text;
    assert!(text.starts_with("mutable relation r(s, s, ") && text.ends_with('…') && text.len() < 210);
    assert_eq!(only(&index, "s").uses.len(), 1_000);
}

#[test]
fn an_index_has_a_budget() {
    let text = "sort s\nimmutable relation p(s)\naxiom p(X) & p(Y)\n";
    let mut sources = Sources::new();
    let file = sources.push(Source::new("text".to_owned(), text.to_owned()));
    let includes = lang::Includes::new();
    let run = |work| index(Language::Pyv, file, &sources, &includes, &mut Budget::new(work, None));
    assert!(run(Some(1_000)).is_ok());
    for work in 1..30 {
        assert_eq!(run(Some(work)), Err(Exhausted::Work), "{work}");
    }
}

/// Returns all example models with their texts.
fn examples() -> Vec<(PathBuf, Language, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder).expect("the examples").flatten() {
        let path = file.path();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let Some(language) = Language::all().find(|it| it.extension() == extension) else {
            continue;
        };
        let text = std::fs::read_to_string(&path).expect("an example");
        found.push((path, language, text));
    }
    assert!(found.len() > 20);
    found
}

#[test]
fn places_in_examples_have_the_names() {
    for (path, language, text) in examples() {
        let (index, sources) = index_of(language, &[("text", &text)]);
        check(&index, &sources);
        let used = index.entries().iter().filter(|entry| !entry.uses.is_empty()).count();
        assert!(index.entries().len() > 20 && used > 15, "{}", path.display());
        for entry in index.entries().iter().filter(|entry| entry.kind == Kind::Sort) {
            assert!(!entry.uses.is_empty(), "{}: {}", path.display(), entry.name);
        }
    }
}

#[test]
fn truncated_examples_have_an_index() {
    for (_, language, text) in examples() {
        for end in (0..text.len()).step_by(97).filter(|&end| text.is_char_boundary(end)) {
            let (index, sources) = index_of(language, &[("text", &text[..end])]);
            check(&index, &sources);
        }
    }
}
