//! Answers of searches in a cache: entries of another kind than the search could find, and such as somebody has changed.

use std::sync::Arc;

use crate::alternation::{UPWARDS, numbered};
use crate::cache::Memory;
use crate::common::models::NO_UNIVERSAL;
use crate::lemmas::{is_inductive, system, with_lemmas};
use ramsey::base::budget::Budget;
use ramsey::base::rng::Rng;
use ramsey::cache::{Cache, Store};
use ramsey::infer::{
    Answer, Counts, Event, InOrder, Inference, Kept, Method, Observer, Options, QuantifierPrefix, Template,
};
use ramsey::logic::{SortId, Syntax};
use ramsey::system::System;

const LOCK: &str = include_str!("../../examples/lock_server.pyv");

/// A model that is not safe.
const UNSAFE: &str = "\
sort node
mutable relation a(node)
mutable relation b(node)
init forall N. !a(N) & !b(N)
transition first(n: node)
    modifies a
    forall N. new(a(N)) <-> a(N) | N = n
transition second(n: node)
    modifies b
    a(n) & (forall N. new(b(N)) <-> b(N) | N = n)
safety forall N. !b(N)
";

struct Unseen;

impl Observer for Unseen {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &Counts) {}
}

fn by(method: Method) -> Options {
    Options { method, ..Options::default() }
}

/// Returns what a search keeps, behind the name; nothing if that is nothing.
fn kept(system: &Arc<System>, options: &Options) -> String {
    let memory = Arc::new(Memory::default());
    let cache = Cache::new(Arc::clone(&memory) as Arc<dyn Store>, None);
    let mut kept = Kept::new(&cache, system, options).expect("a search");
    kept.search(&InOrder, &mut Budget::new(Some(400_000_000), None), &mut Unseen);
    kept.keep();
    let names = memory.names();
    names
        .first()
        .map_or(String::new(), |name| memory.text(name).splitn(3, '\n').nth(2).expect("a body").into())
}

/// Returns what a search has as its answer where somebody has written this entry for it.
fn read(system: &Arc<System>, options: &Options, body: &str) -> Result<Inference, String> {
    let memory = Arc::new(Memory::default());
    let cache = Cache::new(Arc::clone(&memory) as Arc<dyn Store>, None);
    let kept = Kept::new(&cache, system, options).expect("a search");
    memory.put(kept.name(), format!("ramsey-cache 1\nsearch {}\n{body}", kept.name()).as_bytes());
    kept.answer().map(|found| found.expect("an entry")).map_err(|rejected| rejected.reason)
}

fn reason(system: &Arc<System>, options: &Options, body: &str) -> String {
    read(system, options, body).err().unwrap_or_else(|| panic!("it is accepted: {body}"))
}

fn named(body: &str, method: Method) -> String {
    let (kind, rest) = body.split_once("\nmethod ").expect("a method");
    let (_, rest) = rest.split_once('\n').expect("a method");
    format!("{kind}\nmethod {}\n{rest}", method.name())
}

/// Returns options with a prefix that has so many outer, existential and inner variables of the only sort of a system.
fn prefix(system: &System, counts: [usize; 3]) -> Options {
    let node = system.sig.uninterpreted_sorts().next().expect("a sort");
    let [outer, witnesses, inner] = counts.map(|count| vec![node; count]);
    Options { prefixes: vec![QuantifierPrefix { outer, witnesses, inner }], ..by(Method::EXISTS) }
}

/// Lemmas about what an axiom says exists are kept, and told as without a cache.
#[test]
fn lemmas_about_what_axioms_say_exists_are_kept() {
    for text in [UPWARDS.to_owned(), numbered()] {
        let (system, _) = system("model.pyv", &text);
        for method in [Method::EXISTS, Method::AUTO] {
            let body = kept(&system, &by(method));
            let inference = read(&system, &by(method), &body).unwrap_or_else(|why| panic!("{why}: {body}"));
            let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
            assert!(is_inductive(with_lemmas(&inference, lemmas, true)), "{body}");
            // A method without witnesses finds none of it.
            let other = read(&system, &by(Method::SEPARATION), &body);
            assert!(other.is_err(), "{body}");
        }
    }
}

#[test]
fn lemmas_with_witnesses_are_answers_where_they_are_looked_for() {
    let (system, _) = system("model.pyv", NO_UNIVERSAL);
    let body = kept(&system, &by(Method::EXISTS));
    assert!(body.contains("exists"), "{body}");
    for method in Method::all().filter(|method| !method.takes_prefixes()) {
        let found = reason(&system, &by(method), &body);
        assert_eq!(found, "`exists` is no method of this search");
        let found = reason(&system, &by(method), &named(&body, method));
        assert_eq!(found, "lemma 1 is none that this search can find", "{}", method.name());
    }
    assert!(read(&system, &by(Method::AUTO), &body).is_ok());
    assert!(reason(&system, &by(Method::AUTO), &named(&body, Method::UPDR)).starts_with("lemma 1"));
    // The lemma is `exists X. a(X)`.
    for (counts, is_found) in
        [([0, 1, 0], true), ([1, 1, 0], true), ([0, 1, 1], true), ([1, 0, 0], false), ([3, 0, 0], false)]
    {
        assert_eq!(read(&system, &prefix(&system, counts), &body).is_ok(), is_found, "{counts:?}");
    }
}

/// Formulas with a witness, by the prefix and the numbers of literals that they need.
#[test]
fn lemmas_have_the_prefix_that_is_given() {
    let (system, _) = system("model.pyv", NO_UNIVERSAL);
    let lemma = |lines: &str| {
        format!("lemmas\nmethod exists\nlemma 0\nformula {}\n{lines}end\n", lines.lines().count())
    };
    let clause = "var 1\nvar 1\napply 0 0 0\nnot 2\napply 1 0 1\nor 3 4\nexists 1 5\nforall 0 6\n";
    let cube = "var 1\nvar 1\napply 0 0 0\nnot 2\napply 1 0 1\nequal 0 1\nand 4 5\nor 3 6\nexists 1 6\nor 3 8\nforall 0 9\n";
    let inner = "var 1\nvar 1\napply 0 0 0\napply 1 0 1\nor 2 3\nforall 1 4\nexists 0 5\n";
    let deep = "var 1\nvar 1\nvar 1\napply 0 0 0\nequal 1 2\nor 3 4\nexists 2 5\nforall 1 6\nexists 0 7\n";
    let both = "var 1\nvar 1\napply 0 0 0\napply 1 0 1\nexists 0 2\nexists 1 3\nor 4 5\n";
    let mixed = "var 1\napply 0 0 0\napply 1 0 0\nand 1 2\nnot 1\nor 3 4\nexists 0 5\n";
    for (lines, counts, is_found) in [
        (clause, [1, 1, 0], true),
        (clause, [0, 1, 0], false),
        (clause, [0, 2, 0], false),
        (cube, [1, 1, 0], true),
        (cube, [1, 1, 1], false),
        (inner, [0, 1, 1], true),
        (inner, [0, 1, 0], false),
        (inner, [1, 1, 0], false),
        (deep, [2, 2, 2], false),
        (both, [2, 2, 2], false),
        (mixed, [2, 2, 0], false),
    ] {
        let found = read(&system, &prefix(&system, counts), &lemma(lines));
        assert_eq!(found.is_ok(), is_found, "{lines} {counts:?} {:?}", found.err());
    }
    let unlimited = by(Method::EXISTS);
    assert!(read(&system, &unlimited, &lemma(inner)).is_err(), "no sort comes behind the only one");
    assert!(read(&system, &unlimited, &lemma(deep)).is_err());
}

#[test]
fn clauses_have_the_shape_of_the_template() {
    let (system, _) = system("lock.pyv", LOCK);
    let body = named(&kept(&system, &by(Method::SEPARATION)), Method::HOUDINI);
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let template = |count: u32, literals| {
        let variables = sorts.iter().map(|&sort| (sort, count)).collect();
        let template = Some(Template { variables, literals, symbols: None });
        Options { template, ..by(Method::HOUDINI) }
    };
    let most = body.lines().filter_map(|line| line.strip_prefix("excludes ")?.parse::<usize>().ok()).max();
    let most = most.expect("a clause");
    assert!(read(&system, &by(Method::HOUDINI), &body).is_ok());
    assert!(read(&system, &template(2, most), &body).is_ok());
    assert!(reason(&system, &template(2, most - 1), &body).ends_with("this search can find"));
    assert!(reason(&system, &template(0, most), &body).ends_with("this search can find"));
    let none = Template { symbols: Some(Vec::new()), ..template(2, most).template.expect("one") };
    let options = Options { template: Some(none), ..by(Method::HOUDINI) };
    assert!(reason(&system, &options, &body).ends_with("this search can find"));
}

/// Where candidates do not suffice, `houdini` says so, whether or not somebody knows an execution.
#[test]
fn executions_are_answers_of_searches_that_follow_them() {
    let (no_universal, _) = system("model.pyv", NO_UNIVERSAL);
    let relaxed = kept(&no_universal, &by(Method::SEPARATION));
    assert!(relaxed.starts_with("relaxed\n"));
    for method in Method::all() {
        let is_found = [Method::SEPARATION, Method::UPDR, Method::PRIMAL_DUAL].contains(&method);
        let found = read(&no_universal, &by(method), &named(&relaxed, method));
        assert_eq!(found.is_ok(), is_found, "{}", method.name());
    }
    let (system, _) = system("model.pyv", UNSAFE);
    let execution = kept(&system, &by(Method::SEPARATION));
    assert!(execution.starts_with("execution\n"));
    for method in Method::all() {
        let found = read(&system, &by(method), &named(&execution, method));
        assert_eq!(found.is_ok(), method != Method::HOUDINI && method != Method::AUTO, "{}", method.name());
        assert_eq!(kept(&system, &by(method)).is_empty(), method == Method::HOUDINI);
    }
    assert!(read(&system, &by(Method::AUTO), &execution).is_ok());
}

/// An execution is one of the relaxed form too, and more than that no universal invariant exists.
#[test]
fn an_execution_is_not_told_as_a_relaxed_one() {
    let (system, _) = system("model.pyv", UNSAFE);
    let execution = kept(&system, &by(Method::SEPARATION));
    let size = execution.lines().find_map(|line| line.strip_prefix("size ")).expect("a size");
    let active =
        (0..3).flat_map(|state| (0..size.parse().expect("a number")).map(move |at: u32| (state, at)));
    let active: String = active.map(|(state, at)| format!("true {state} 2 {at}\n")).collect();
    let relaxed = execution.replacen("execution", "relaxed", 1).replace("end\n", &format!("{active}end\n"));
    assert_eq!(
        reason(&system, &by(Method::SEPARATION), &relaxed),
        "a search finds an execution in which no element disappears"
    );
}

/// Reading takes time that entries do not decide.
#[test]
fn lemmas_are_not_larger_than_those_of_searches() {
    let (system, _) = system("model.pyv", LOCK);
    let read =
        |lemmas: String| reason(&system, &by(Method::AUTO), &format!("lemmas\nmethod updr\n{lemmas}end\n"));
    let variables = "var 1\n".repeat(19_000);
    assert!(read(format!("lemma 0\nformula 19000\n{variables}")).ends_with("too many variables"));
    let lines = "constant 1\n".repeat(30_000);
    assert_eq!(read(format!("lemma 0\nformula 30000\n{lines}")), "it has more than 20000 lines");
    // As a tree it has 16,727 nodes.
    let wide: String = (5..22).map(|at| format!("iff {} {}\n", at - 2, at - 1)).collect();
    let wide = format!("var 1\nvar 1\nvar 1\nequal 0 1\nequal 0 2\n{wide}forall 0 1 2 21\n");
    let wide = format!("lemma 0\nformula 23\n{wide}");
    assert!(read(wide.clone()).ends_with("this search can find"));
    assert_eq!(read(wide.repeat(7)), "its lemmas are too large");
}

/// Returns a body in which something is another one.
fn changed(body: &str, others: &[String], rng: &mut Rng) -> String {
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    match rng.below(8) {
        0 => return others[rng.below(others.len())].clone(),
        1 => {
            let other = &others[rng.below(others.len())];
            let more = other.lines().skip(2).filter(|line| *line != "end").map(str::to_owned);
            lines.pop();
            lines.extend(more.collect::<Vec<_>>());
            lines.push("end".into());
        }
        2 => drop(lines.remove(rng.below(lines.len()))),
        3 => {
            let at = rng.below(lines.len());
            lines.insert(at, lines[rng.below(lines.len())].clone());
        }
        _ => {
            for _ in 0..=rng.below(2) {
                let at = rng.below(lines.len());
                let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
                let place = rng.below(words.len());
                let numbers = ["0", "1", "2", "3", "256", "4294967295"];
                let said = [
                    "and",
                    "or",
                    "not",
                    "forall",
                    "exists",
                    "equal",
                    "true",
                    "value",
                    "separation",
                    "exists",
                ];
                let list: &[&str] = if words[place].parse::<u32>().is_ok() { &numbers } else { &said };
                words[place] = list[rng.below(list.len())].to_owned();
                lines[at] = words.join(" ");
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn changed_entries_have_answers_of_the_same_kind() {
    let mut rng = Rng::new(7);
    let tasks = [
        (NO_UNIVERSAL, Method::SEPARATION, "relaxed"),
        (NO_UNIVERSAL, Method::EXISTS, "lemmas"),
        (LOCK, Method::AUTO, "lemmas"),
        (LOCK, Method::UPDR, "lemmas"),
        (UNSAFE, Method::SEPARATION, "execution"),
        (UNSAFE, Method::FINITE, "execution"),
    ];
    let bodies: Vec<String> =
        tasks.iter().map(|(text, method, _)| kept(&system("model.pyv", text).0, &by(*method))).collect();
    let (mut valid, mut count) = (0, 0);
    for ((text, method, kind), own) in tasks.iter().zip(&bodies) {
        assert!(own.starts_with(kind), "{own}");
        let (system, _) = system("model.pyv", text);
        for _ in 0..120 {
            let body = changed(own, &bodies, &mut rng);
            count += 1;
            let Ok(found) = read(&system, &by(*method), &body) else { continue };
            // Whoever reads lemmas verifies them.
            let found = match &found.answer {
                Answer::Invariant(lemmas) if is_inductive(with_lemmas(&found, lemmas, true)) => "lemmas",
                Answer::Invariant(_) => continue,
                Answer::Unsafe(..) => "execution",
                Answer::NoUniversal(_) => "relaxed",
                answer => panic!("{answer:?}"),
            };
            valid += 1;
            assert_eq!(found, *kind, "{body}");
        }
    }
    assert!(valid >= 20 && valid < count / 2, "{valid} of {count}");
}
