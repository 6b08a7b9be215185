//! The library of `.ivy`, module by module: a line with `[good..]` claims what holds of the real thing, and one with `[bad..]` what does
//! not. Ivy 1.8.26 says the same of all these programs, but where it does not verify its own library: `segment` and `path`, and
//! `null_type`, which it does not compile outside of trusted isolates.

mod programs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::{expect, failures};
use crate::ivy_isolates::in_isolate;
use programs::PROGRAMS;
use ramsey::core::{Lowering, document};
use ramsey::diag::Code;
use ramsey::obligations::Obligations;
use ramsey::system::System;

/// Returns the lines that claim, with whether each is expected to fail and the name of the claim; assertions go by their lines.
fn claims(text: &str) -> Vec<(String, bool)> {
    let name = |(at, line): (usize, &str)| {
        let (_, rest) =
            line.split_once('[').filter(|(_, it)| it.starts_with("good") || it.starts_with("bad"))?;
        let label = rest.split(']').next()?.to_owned();
        let is_assertion = line.contains("assert");
        Some((if is_assertion { format!("L{}", at + 1) } else { label }, rest.starts_with("bad")))
    };
    text.lines().enumerate().filter_map(name).collect()
}

pub(crate) fn closed(system: &System) -> String {
    let mut obligations = Obligations::new(system);
    document(&Lowering::new(system, obligations.syntax_mut()).expect("a closed form").core)
}

#[test]
fn modules_say_what_holds_and_no_more() {
    for text in PROGRAMS {
        let (system, diagnostics) = load("model.ivy", text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{text}\n{diagnostics:#?}")));
        let failing = failures(&system).into_iter().map(|(_, claim)| claim);
        // An object around a claim begins its name, and parts of one claim have numbers.
        let failing: BTreeSet<String> =
            failing.map(|it| it.rsplit_once('.').map_or(&*it, |(_, last)| last).to_owned()).collect();
        let mut wrong: BTreeSet<String> =
            claims(text).into_iter().filter(|(_, fails)| *fails).map(|(claim, _)| claim).collect();
        // A claim of the library that is not true.
        if text.contains(": path(") {
            wrong.insert("extensionality".to_owned());
        }
        assert_eq!(failing, wrong, "{text}");
    }
}

/// Both fronts read the library alike. Arithmetic and schemata are not covered.
#[test]
fn modules_mean_the_same_to_both_fronts() {
    for text in PROGRAMS {
        let (system, _) = load("model.ivy", text);
        let first = closed(&system.expect("a system"));
        match ramsey_naive::ivy::core(Path::new("model.ivy"), text, &|_, _| None) {
            Ok(second) => assert_eq!(first, second, "{text}"),
            Err(refusal) => {
                let others = ["include numbers", "include deduction"];
                let is_known = others.iter().any(|it| text.contains(it));
                assert!(refusal.is_uncovered && is_known, "{}\n{text}", refusal.what);
            }
        }
    }
}

/// The specification has the texts, and both fronts have the same.
#[test]
fn the_texts_are_those_of_the_specification() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = fs::read_to_string(root.join("spec/ivy-library.md")).expect("the specification");
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    };
    let (first, second) = ("src/lang/ivy/prelude", "src/naive/ivy/library");
    assert_eq!(names(first), names(second));
    for name in names(first) {
        let read = |folder: &str| fs::read_to_string(root.join(folder).join(&name)).expect("a text");
        assert_eq!(read(first), read(second), "{name}");
        assert!(spec.contains(&format!("```\n{}```\n", read(first))), "{name}");
    }
}

/// Up to 1.6 a sequence may go on below 0, which 1.7 excludes; 1.8 has a sequence of its own.
#[test]
fn versions_have_libraries_of_their_own() {
    let text = "#lang ivy1.7
include order
instance t : unbounded_sequence
individual n : t
action a(x:t) = { n := x }
export a
after init { n := 0 }
invariant [least] 0 <= n
";
    let failing = |text: &str| {
        let (system, diagnostics) = load("model.ivy", text);
        failures(&Arc::new(system.unwrap_or_else(|| panic!("{text}\n{diagnostics:#?}"))))
    };
    assert_eq!(failing(text), []);
    let early = text.replace("ivy1.7", "ivy1.6").replace("invariant", "conjecture");
    assert_eq!(failing(&early).len(), 1);
    let own = "#lang ivy1.8\ninclude order\nindividual n : index\naction a(x:index) = { n := x }\nexport a\ninvariant [least] 0 <= n\n";
    assert_eq!(failing(own), []);
    for (version, module) in [("1.6", "numbers"), ("1.7", "numbers"), ("1.8", "queue")] {
        let (system, _) = load("model.ivy", &format!("#lang ivy{version}\ninclude {module}\n"));
        assert!(system.is_none(), "{version} {module}");
    }
}

/// The argument of an instance may be a numeral.
#[test]
fn numerals_are_arguments_of_modules() {
    let text = "#lang ivy1.7
type t
module m(z) = {
    relation r(X:t)
    after init { r(X) := X = z }
    action a(x:t) = { require x ~= z; r(x) := false }
    export a
    invariant [good] r(z)
}
instance i : m(0)
instance j : m(1)
invariant [both] i.r(0) & j.r(1)
";
    let (system, diagnostics) = load("model.ivy", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
    assert_eq!(failures(&system), []);
    let second = ramsey_naive::ivy::core(Path::new("model.ivy"), text, &|_, _| None);
    assert_eq!(second.expect("it is covered"), closed(&system));
    let wrong = text.replace("i.r(0)", "i.r(1)");
    let (system, _) = load("model.ivy", &wrong);
    let failing = failures(&Arc::new(system.expect("a system")));
    let both = |action: &str| (action.to_owned(), "both".to_owned());
    assert_eq!(failing, [both("init"), both("i.a")]);
    // It is no type, and nothing to assign to.
    for mistake in [text.replace("X:t)", "X:z)"), text.replace("r(x) := false", "z := x")] {
        let (system, _) = load("model.ivy", &mistake);
        assert!(system.is_none(), "{mistake}");
        assert!(
            ramsey_naive::ivy::core(Path::new("model.ivy"), &mistake, &|_, _| None).is_err(),
            "{mistake}"
        );
    }
}

/// The interpretation of a type of the library is known to those that name `impl`.
#[test]
fn implementations_are_known_where_they_are_named() {
    let text = "#lang ivy1.7
include order
instance i : unbounded_sequence
isolate a = { property [two] 1:i ~= 2 } with i
isolate b = { property [two] 1:i ~= 2 } with i.impl
isolate c = { property [least] 0:i < 2 } with i.impl
";
    let failing = |name: &str, text: &str| failures(&Arc::new(in_isolate(text, name))).len();
    assert_eq!(["a", "b", "c"].map(|name| failing(name, text)), [1, 0, 0]);
    // Up to 1.6 the numbers go on below 0.
    let early = text.replace("ivy1.7", "ivy1.6").replace("0:i < 2", "0:i <= X");
    assert_eq!(["a", "b", "c"].map(|name| failing(name, &early)), [1, 0, 1]);
    let whole = "#lang ivy1.7\ninclude order\ninstance i : unbounded_sequence\nproperty [two] 1:i ~= 2\n";
    let (system, _) = load("model.ivy", whole);
    let system = Arc::new(system.expect("it is read"));
    assert_eq!(failures(&system).len(), 1);
    let second = ramsey_naive::ivy::core(Path::new("model.ivy"), whole, &|_, _| None);
    assert_eq!(second.expect("it is covered"), closed(&system));
}

/// All isolates see the types of the library of 1.8, as Ivy has them: but not what these keep for themselves.
#[test]
fn types_of_the_newest_library_are_seen_by_all_isolates() {
    let counting = |module: &str, of: &str| {
        format!(
            "#lang ivy1.8
include {module}
isolate a = {{
    relation used(I:{of})
    var top : {of}
    after init {{ used(I) := false; top := 0 }}
    export action take = {{ used(top) := true; top := top.next }}
    invariant [fresh] used(I) -> I < top
}}
"
        )
    };
    let failing = |text: &str| failures(&Arc::new(in_isolate(text, "a")));
    assert_eq!(failing(&counting("order", "index")), []);
    assert_eq!(failing(&counting("numbers", "nat")), []);
    // After the greatest number comes the least.
    let wrapped = counting("numbers", "uint[2]");
    assert_eq!(failing(&wrapped), [("a.take".to_owned(), "a.fresh".to_owned())]);
    let bounded = wrapped.replace("used(I) -> I < top", "top <= 3");
    assert_eq!(failing(&bounded), []);
    // That the index is a number is hidden in its object `impl`.
    let two = "#lang ivy1.8\ninclude order\nisolate a = { property [two] 1:index ~= 2 }\n";
    assert_eq!(failing(two).len(), 1);
    assert_eq!(failing(&two.replace("2 }", "2 } with index.impl")), []);
}

/// The value of a function with a definition has members, as other values do.
#[test]
fn values_of_definitions_have_members() {
    let text = "#lang ivy1.7
type op
type commit = struct { view : op, last : op }
individual first : commit
individual second : commit
relation r(I:op)
function get(I:op) : commit
definition get(I) = first if r(I) else second
action go(i:op) = { assert r(i) -> get(i).view = first.view }
export go
invariant [one] get(X).last = first.last | get(X).last = second.last
invariant [other] get(X).last = first.last
";
    let (system, diagnostics) = load("model.ivy", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
    assert_eq!(failures(&system), [("init".to_owned(), "other".to_owned())]);
    match ramsey_naive::ivy::core(Path::new("model.ivy"), text, &|_, _| None) {
        Ok(second) => assert_eq!(second, closed(&system)),
        Err(refusal) => panic!("{}", refusal.what),
    }
    // No statement changes it.
    let changed = text.replace("assert r(i) -> get(i).view = first.view", "get(i).view := i");
    assert!(load("model.ivy", &changed).0.is_none());
}

/// What is known of numbers is known of those that a function makes.
#[test]
fn functions_compute_numbers() {
    let text = "#lang ivy1.7
type num
interpret num -> nat
function up(X:num) : num = X + 1
individual x : num
individual y : num
after init { x := 0; y := 1 }
action go = { x := y; y := up(y) }
action again = { y := up(x) }
export go
export again
invariant [less] x < y
";
    expect(text, &[]);
}

/// Axioms may relate all elements of an order that may have an end: its elements have neighbours, however many there are. And what
/// nothing executes makes no elements.
#[test]
fn axioms_relate_elements_that_have_neighbours() {
    let text = "#lang ivy1.7
include order
type id
instance node : iterable
function pid(N:node) : id
axiom [unique] pid(N) = pid(M) -> N = M
action go(n:node) returns (m:node) = { if ~node.is_max(n) { m := node.next(n); assert pid(m) ~= pid(n) } }
export go
";
    expect(text, &[]);
    // Nothing else says that there is a next one.
    let least = text.replace("axiom [unique] pid(N) = pid(M) -> N = M", "axiom X:node <= 0");
    let unasked =
        least.replace("if ~node.is_max(n) { m := node.next(n);", "m := node.next(n);").replace("} }", "}");
    let (system, _) = load("model.ivy", &unasked);
    assert_ne!(failures(&Arc::new(system.expect("a system"))), []);
    let about_steps = text.replace("axiom [unique]", "axiom ~node.succ(N, M)\naxiom [unique]");
    let endless = text.replace("iterable", "unbounded_sequence").replace("if ~node.is_max(n) ", "");
    let named_so = endless.replace(
        "action go",
        "object node = { ... action is_max(x:node) returns (r:bool) = { r := false } }\naction go",
    );
    assert_ne!(named_so, endless);
    for refused in [about_steps, endless.clone(), named_so] {
        let (system, diagnostics) = load("model.ivy", &refused);
        assert!(system.is_none() && diagnostics.iter().any(|it| it.code == Code::Assignment), "{refused}");
    }
    let (system, diagnostics) =
        load("model.ivy", &endless.replace("export go", "action other\nexport other"));
    assert!(system.is_some(), "{diagnostics:#?}");
}
