//! Lints: each has a position and a help text that is accepted and silences it; models without the mistake have none.

use std::path::Path;

use crate::common::binary::Dir;
use ramsey::base::budget::Budget;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::Diagnostic;
use ramsey::lang::{Includes, Language, Unread, load, lower_within, parse_within};
use ramsey::lint::lint;
use ramsey::query::{Limits, implied};

const PYV: &str = "sort node
mutable relation held(node)
mutable relation link(node, node)
mutable relation free
immutable constant k: node
mutable function next(node): node
init !held(N) & !link(M, N) & free & next(N) = k
";

const IVY: &str = "#lang ivy1.7
type node
relation held(X:node)
relation link(X:node, Y:node)
individual me : node
after init { held(X) := false; link(X, Y) := false }
action step(node1:node) = { require node1 ~= me; held(node1) := link(node1, me) }
export step
invariant held(N) -> held(N) | link(N, N)
";

const RML: &str = "sort node
relation held: node
relation link: node, node
variable me: node
";

/// Returns the diagnostics of a model and its lints as text: line, column, code, message, help.
fn check(language: Language, text: &str) -> (bool, String) {
    let mut sources = Sources::new();
    let name = format!("test.{}", language.extension());
    let file = sources.push(Source::new(name, text.to_owned()));
    let includes = language.format().gather(file, &mut sources, &mut |_, _| Err(Unread::missing("no files")));
    let mut budget = Budget::unlimited();
    let (trees, found) =
        parse_within(language, file, &sources, &includes, &mut budget).expect("there is no limit");
    let (system, mut found) =
        lower_within(&trees, found, &sources, &includes, &mut budget).expect("there is no limit");
    if system.is_some() {
        found.extend(lint(&trees, &sources, &mut budget).expect("there is no limit"));
    }
    let show = |it: &Diagnostic| {
        let place = it.primary.as_ref().map(|label| sources[file].line_column(label.span.start));
        let (line, column) = place.unwrap_or_default();
        let help = it.help.as_deref().unwrap_or_default();
        format!("{line}:{column} {}: {} ({help})\n", it.code.text(), it.message)
    };
    (system.is_some(), found.iter().map(show).collect())
}

/// Asserts that a text after the prelude has exactly this lint, and that the right text has none.
fn assert_lint(language: Language, wrong: &str, expected: &[&str], right: &str) {
    let with = |text: &str| match language {
        Language::Pyv => format!("{PYV}{text}\n"),
        Language::Ivy => format!("{IVY}{text}\n"),
        Language::Core => panic!("closed forms have no lints"),
        Language::Rml => {
            format!("{RML}while * {{\n{text}\n}}\nconjecture held(N) & link(N, M) & me = N -> held(M)\n")
        }
    };
    let (is_model, found) = check(language, &with(wrong));
    assert!(is_model, "{wrong}\n{found}");
    assert_eq!(found.lines().count(), 1, "{wrong}\n{found}");
    for part in expected {
        assert!(found.contains(part), "{wrong}\nwanted: {part}\n{found}");
    }
    let (is_model, found) = check(language, &with(right));
    assert!(is_model && found.is_empty(), "{right}\n{found}");
}

fn pyv(wrong: &str, expected: &[&str], right: &str) {
    assert_lint(Language::Pyv, wrong, expected, right);
}

fn ivy(wrong: &str, expected: &[&str], right: &str) {
    assert_lint(Language::Ivy, wrong, expected, right);
}

fn rml(wrong: &str, expected: &[&str], right: &str) {
    assert_lint(Language::Rml, wrong, expected, right);
}

#[test]
fn one_equivalence_of_everything() {
    pyv(
        "invariant free & held(N) <-> link(N, N)",
        &[
            "8:26 R040",
            "write `(free & held(N)) <-> link(N, N)` if that is meant, or else `free & (held(N) <-> link(N, N))`",
        ],
        "invariant (free & held(N)) <-> link(N, N)",
    );
    pyv(
        "invariant held(N) -> free <-> link(N, N)",
        &["8:27 R040", "or else `held(N) -> (free <-> link(N, N))`"],
        "invariant held(N) -> (free <-> link(N, N))",
    );
    rml(
        "assert held(N) & held(M) <-> link(N, M)",
        &["6:26 R040", "`held(N) & (held(M) <-> link(N, M))`"],
        "assert held(N) & (held(M) <-> link(N, M))",
    );
    // Parentheses, also where comments have some; and what binds as it looks.
    pyv(
        "invariant free & held(N) # )\n <-> link(N, N)",
        &["9:2 R040"],
        "invariant (free & held(N)\n) <-> link(N, N) & free\ninvariant held(N) & free -> link(N, N) | free",
    );
}

#[test]
fn bullets_that_belong_to_what_is_before_them() {
    pyv(
        "transition t()\n  modifies free\n  & forall M. held(M)\n  & free'",
        &["11:3 R040", "in parentheses: `& (..)`"],
        "transition t()\n  modifies free\n  & (forall M. held(M))\n  & free'",
    );
    pyv(
        "invariant\n  & held(N) -> free\n  & held(N)",
        &["10:3 R040"],
        "invariant held(N) -> free\n  & held(N)\ninvariant\n  & (held(N) ->\n     free\n     & held(N))\n  & free",
    );
}

#[test]
fn what_is_said_of_one_tuple_alone() {
    let wrong = "transition t(n: node) modifies held & held'(n)";
    let frame = "(forall X. X != n -> (held'(X) <-> held(X)))";
    pyv(wrong, &["8:32 R041", frame], &format!("{wrong} & {frame}"));
    let wrong = "transition t(n: node, m: node) modifies link & link'(n, m) & !link'(m, k)";
    let frame = "(forall X, Y. (X != n | Y != m) & (X != m | Y != k) -> (link'(X, Y) <-> link(X, Y)))";
    pyv(wrong, &["8:41 R041", frame], &format!("{wrong} & {frame}"));
    let wrong = "transition t(n: node) modifies next & new(next(n)) = k";
    let frame = "(forall X. X != n -> (next'(X) = next(X)))";
    pyv(wrong, &["8:32 R041", frame], &format!("{wrong} & {frame}"));
    for silent in [
        "transition t(n: node) modifies held & held'(n) & (held'(X) -> held(X) | X = n)",
        "transition t() modifies held & forall X. held'(X) <-> !held(X)",
        // Point by point on purpose.
        "transition t(n: node) modifies held & held'(n) & (held'(k) <-> held(k))",
        "twostate definition set(n: node) = held'(n) transition t(n: node) modifies held & set(n) & held'(n)",
    ] {
        let (is_model, found) = check(Language::Pyv, &format!("{PYV}{silent}\n"));
        assert!(is_model && !found.contains("R041"), "{silent}\n{found}");
    }
}

#[test]
fn what_nothing_uses() {
    pyv(
        "immutable relation lonely(node)",
        &["8:20 R044", "relation `lonely`"],
        "immutable relation _lonely(node)",
    );
    pyv("sort value", &["8:6 R044", "sort `value`"], "sort value mutable constant v: value init v = v");
    pyv("definition d(n: node) = held(n)", &["8:12 R044"], "definition d(n: node) = held(n) invariant d(N)");
    pyv(
        "derived relation e(node): e(N) <-> held(N)",
        &["8:18 R044"],
        "derived relation e(node): e(N) <-> held(N) invariant e(N)",
    );
}

#[test]
fn variables_that_are_not_used_or_not_meant() {
    pyv(
        "invariant forall X:node, Y:node. held(X)",
        &["8:26 R045", "`Y` is never used"],
        "invariant forall X:node, _Y:node. held(X)",
    );
    pyv("invariant let v = k in free", &["8:15 R045"], "invariant let v = k in held(v)");
    pyv("transition t(n: node) = free", &["8:14 R045"], "transition t(n: node) = held(n)");
    pyv("invariant free -> TRUE", &["8:19 R045", "write `true`"], "invariant free -> true");
    pyv(
        "transition t(n: node) = link(n, k) & held(N)",
        &["8:43 R045", "write `n` for the parameter", "`forall N. ..`"],
        "transition t(n: node) = link(n, k) & (forall N. held(N))",
    );
    pyv(
        "invariant held(NODE) & link(NODE, NODEE) -> free",
        &["8:35 R045", "did you mean `NODE`?"],
        "invariant held(NODE1) & link(NODE1, NODE2) -> free",
    );
    // After `!` a capital letter says that nothing has it, whatever the parameters are.
    for text in
        ["transition t(n: node) = held(n) & !link(n, N)", "transition t(n: node) = link(n, n) & !held(N)"]
    {
        let (is_model, found) = check(Language::Pyv, &format!("{PYV}{text}\n"));
        assert!(is_model && found.is_empty(), "{text}\n{found}");
    }
    rml("{ local x: node me := me }", &["6:9 R045"], "{ local x: node me := x }");
    rml("assert forall X, Y:node. held(X)", &["6:18 R045"], "assert forall X. held(X)");
}

#[test]
fn names_left_of_an_assignment() {
    let action = |command: &str| {
        format!("action t(node1: node) {{ {command} assume held(node1) }} | action u {{ skip }}")
    };
    rml(
        &action("held(NODE1) := true"),
        &["6:30 R046", "`NODE1` stands for every element here", "did you mean `node1`?"],
        &action("held(node1) := true"),
    );
    rml(
        &action("link.insert(NOD1, Y | held(Y))"),
        &["6:37 R046", "did you mean `node1`?"],
        &action("link.insert(node1, Y | held(Y))"),
    );
    // These may well be meant.
    rml(
        &action("held(NODE1) := true"),
        &["6:30 R046"],
        &action(
            "held(N) := false link(node1, NODE1) := false held(NODE2) := true held(NODE) := node1 = NODE",
        ),
    );
}

#[test]
fn arguments_that_mypyvy_reads_elsewhere() {
    let prelude = "mutable constant c: node twostate definition later(n: node) = new(held(n))\n";
    pyv(
        &format!("{prelude}transition t() modifies held & later(c) & (held'(N) -> held(N) | N = c)"),
        &["9:38 R047", "mypyvy reads this argument of `later` in another state"],
        &format!(
            "{prelude}transition t() modifies held & (exists V. V = c & later(V)) & (held'(N) -> held(N) | N = c)"
        ),
    );
}

#[test]
fn transitions_as_formulas_have_no_frame() {
    let take = "transition take(n: node) modifies held & held(n) & (held'(N) <-> held(N) & N != n)\n";
    let kept =
        "(forall M, N. link'(M, N) <-> link(M, N)) & (free' <-> free) & (forall N. next'(N) = next(N))";
    pyv(
        &format!("{take}twostate theorem take(k) & free -> free'"),
        &["9:18 R048", "`take` as a formula does not say that `link` and 2 more stay as they are"],
        &format!("{take}twostate theorem {} & free -> free'", kept.replace("& (free", "& held(k) & (free")),
    );
    // A transition frames what it does not change itself.
    pyv(
        &format!("{take}transition both(n: node) modifies held, free & take(n) & !free'"),
        &["9:48 R048", "does not say that `free` stays"],
        &format!("{take}transition other(n: node) modifies held & take(n) & free"),
    );
}

/// What a module claims is claimed where it is used.
#[test]
fn modules_that_are_not_used() {
    let program = |end: &str| {
        format!(
            "{RML}module m(s) {{ conjecture forall X: s. X = X }}\n{end}while * {{ me := me }}\nconjecture held(N) & link(N, me) -> held(N)\n"
        )
    };
    let (is_model, found) = check(Language::Rml, &program(""));
    assert!(is_model && found.contains("5:8 R044: the module `m` is never used"), "{found}");
    let (is_model, found) = check(Language::Rml, &program("use m(node)\n"));
    assert!(!found.contains("R044"), "{is_model} {found}");
}

#[test]
fn lints_of_ivy() {
    ivy(
        "invariant held(me) & link(me, me) <-> held(me)",
        &["10:35 R040", "write `(held(me) & link(me, me)) <-> held(me)` if that is meant"],
        "invariant (held(me) & link(me, me)) <-> held(me)",
    );
    ivy("relation lonely(X:node)", &["10:10 R044", "the relation `lonely` is never used"], "");
    ivy("object o = { individual x : node }", &["10:25 R044"], "object o = { individual _x : node }");
    ivy(
        "module m(t) = { axiom X:t = Y }",
        &["10:8 R044", "the module `m` is never used"],
        "module m(t) = { relation _r(X:t) }\ninstance o : m(node)",
    );
    ivy("type other", &["10:6 R044", "the type `other`"], "type _other");
    ivy(
        "invariant forall X:node, Y:node. held(X)",
        &["10:26 R045", "(remove it, or use it)"],
        "invariant forall X:node. held(X)",
    );
    ivy(
        "export action a(n:node) = { require link(N, n); held(n) := true }",
        &["10:42 R045", "`n` is a parameter"],
        "export action a(n:node) = { require link(n, n); held(n) := true }",
    );
    ivy(
        "export action a(n:node) = { var x : node; held(n) := true }",
        &["10:33 R045", "the variable `x` is never used"],
        "export action a(n:node) = { var x : node; held(x) := true; var s := n; link(s, n) := false }",
    );
    ivy(
        "export action a(node2:node) = { held(Node2) := false; held(node2) := true }",
        &["10:38 R046", "did you mean `node2`?"],
        "export action a(node2:node) = { held(N) := false; held(node2) := true; link(Node, node2) := Node = me }",
    );
    // Names with their sorts and parts, modules and what is built in are understood.
    let quiet = "include order\nmodule m(t) = { relation r(X:t) relation q(X:t) }\ninstance o : m(node)\n\
                 instance s : unbounded_sequence\ntype pair = struct { first : node }\nvar p : pair\n\
                 export action b(x:node) = { p.first := x; held(X:node) := X:node = p.first & o.r(X:node); \
                 local y:node { y := *; if some z:node. z = y { held(z) := old held(y) } } }";
    let (is_model, found) = check(Language::Ivy, &format!("{IVY}{quiet}\n"));
    assert!(is_model && !found.contains("R04"), "{found}");
}

#[test]
fn ivy_has_the_lints_that_search() {
    let folder = Dir::new();
    folder.file(
        "m.ivy",
        "#lang ivy1.7\ntype node\nrelation held(X:node)\nrelation open\nafter init { held(X) := false; open := true }\n\
         action never(x:node) = { require open; require ~open; held(x) := true }\n\
         action take(x:node) = { require open; held(x) := open }\nexport never\nexport take\n\
         invariant [safety] held(N) -> open\ninvariant [b] held(N) & held(M) -> open\n",
    );
    folder
        .run(&["verify", "--lint", "m.ivy"])
        .ends_with(0)
        .complains("warning[R042]: the guard of transition `never` is never satisfied")
        .complains("note[R043]: the invariant `b` follows from `safety`");
}

#[test]
fn examples_have_no_lints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("examples").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !Language::all().any(|language| name.ends_with(&format!(".{}", language.extension()))) {
            continue;
        }
        seen += 1;
        let text = std::fs::read_to_string(entry.path()).expect("a text");
        let (is_model, found) = check(Language::of_name(&name), &text);
        assert!(is_model && !found.contains("R04"), "{name}\n{found}");
    }
    assert!(seen > 10);
}

#[test]
fn invariants_that_follow_from_others() {
    let text = format!(
        "{PYV}invariant [a] held(N) -> free\ninvariant [b] held(N) & link(N, N) -> free\ninvariant [c] held(M) -> free\n\
         safety [s] held(k) -> free\ninvariant [d] link(N, M) -> link(M, N)\n"
    );
    let mut sources = Sources::new();
    let file = sources.push(Source::new("test.pyv".to_owned(), text));
    let (system, _) = load(Language::Pyv, file, &sources, &Includes::new());
    let found = implied(&system.expect("a model"), &Limits::default());
    let shown: Vec<(usize, Vec<usize>)> = found.into_iter().map(|it| (it.invariant, it.by)).collect();
    assert_eq!(shown, [(1, vec![0]), (2, vec![0])]);
}

#[test]
fn the_binary_tells_and_allows() {
    let folder = Dir::new();
    folder.file(
        "m.pyv",
        format!(
            "{PYV}immutable relation lonely(node)\ntransition never() modifies free & free & !free & !free'\n\
             transition no(n: node) = held(n) & free\nsafety [s] held(N) -> !free\n\
             invariant [i] held(N) -> !free | link(N, N)\n"
        ),
    );
    folder
        .run(&["verify", "--lint", "m.pyv"])
        .ends_with(0)
        .complains("warning[R044]")
        .complains("warning[R042]: the guard of transition `never` is never satisfied")
        .complains("warning[R019]: transition `no`")
        .complains("note[R043]: the invariant `i` follows from `s`");
    let told = folder.run(&["verify", "m.pyv"]).err;
    assert!(!told.contains("R043"), "{told}");
    let codes =
        ["--allow", "R015", "--allow", "R042", "--allow", "R044", "--allow", "R019", "--allow", "r043"];
    let args: Vec<&str> = ["verify", "--lint", "m.pyv"].into_iter().chain(codes).collect();
    folder.run(&args).ends_with(0).silent_on_stderr();
    let json = folder.run(&["typecheck", "--format", "json", "m.pyv", "--allow", "R044"]).out;
    assert!(!json.contains("R044"), "{json}");
    folder.run(&["typecheck", "--allow", "R44", "m.pyv"]).ends_with(2).complains("did you mean R04");
    folder.run(&["typecheck", "--allow", "R006", "m.pyv"]).ends_with(2).complains("errors cannot be allowed");
    folder.run(&["bmc", "--depth", "-1", "m.pyv"]).ends_with(2).complains("-1 is not in 0..=");
}

#[test]
fn a_walk_counts_each_violated_claim_once() {
    let folder = Dir::new();
    let text = "mutable relation p init p transition t() modifies p p' <-> !p safety [s] !p\n";
    folder
        .file("m.pyv", text)
        .run(&["simulate", "--steps", "9", "m.pyv"])
        .ends_with(1)
        .prints("9 steps; a claim is violated\n");
}

/// Every kind of diagnostic that is ever a warning can be allowed.
#[test]
fn what_is_a_warning_can_be_allowed() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            for prefix in ["Diagnostic::warning(", "Diagnostic::remark("] {
                for (at, _) in text.match_indices(prefix) {
                    let argument = text[at + prefix.len()..].trim_start();
                    let Some(name) = argument.strip_prefix("Code::") else { continue };
                    let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                    let (code, ..) = ramsey::diag::CODES
                        .iter()
                        .find(|(code, ..)| format!("{code:?}") == name)
                        .expect("a code");
                    assert!(code.can_be_warning(), "{}: {name}", path.display());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 10);
}
