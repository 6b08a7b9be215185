//! Translations of models: the verdicts of their claims, and of random ones, are those of the source.

mod programs;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::models::{load, system};
use crate::common::skip::skipped;
use ramsey::base::rng::Rng;
use ramsey::base::span::{Source, Sources};
use ramsey::lang::{self, Language, Unread, translate};
use ramsey::logic::SortId;
use ramsey::obligations::{Origin, Property};
use ramsey::query::bmc::{self, Bmc, Target};
use ramsey::query::{Limits, Options, Outcome, Plan, trace};
use ramsey::system::{Invariant, System};

/// Returns the model in another language, or what is said instead.
fn translated(name: &str, text: &str, to: Language) -> Result<String, String> {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let language = Language::of_name(name);
    let mut read = |_: &str, path: &str| Err(Unread::missing(format!("no file `{path}` here")));
    let includes = language.format().gather(file, &mut sources, &mut read);
    let mut budget = ramsey::base::budget::Budget::unlimited();
    let (trees, _) = lang::parse_within(language, file, &sources, &includes, &mut budget).expect("no limit");
    let (text, found) = lang::translate::translate(&trees, to, &sources, &includes);
    text.ok_or_else(|| found.iter().map(|it| it.message.clone() + "\n").collect())
}

/// Returns a name as it is in every language.
fn plain(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    name.trim_end_matches('_').to_ascii_lowercase()
}

/// Verdicts by the transition (or `init`) and the claim.
type Verdicts = BTreeMap<(String, String), bool>;

fn limits() -> Limits {
    Limits { work: Some(30_000_000), ..Limits::default() }
}

/// Returns the names of the claims, or which of those without a name they are.
fn labels(system: &System) -> Vec<String> {
    let mut count = 0;
    let label = |invariant: &Invariant| match &invariant.name {
        Some(name) => plain(name).trim_start_matches("claim_").to_owned(),
        None => {
            count += 1;
            format!("unnamed {count}")
        }
    };
    system.invariants.iter().map(label).collect()
}

/// Returns the verdicts. Those about assertions, and claims that were assertions, come second.
fn verdicts(system: System) -> (Verdicts, Verdicts) {
    let labels = labels(&system);
    let system = Arc::new(system);
    let options = Options { all: true, ..Options::default() };
    let verification = Plan::new(system.clone(), options).run(&limits());
    let (mut claims, mut assertions) = (Verdicts::new(), Verdicts::new());
    for result in &verification.results {
        let key = match result.origin {
            Origin::Initiation { invariant } => ("init".to_owned(), labels[invariant].clone()),
            Origin::Consecution { transition, invariant } => {
                (plain(&system.transitions[transition].name), labels[invariant].clone())
            }
            Origin::Assertion { assertion } => ("assert".to_owned(), format!("assertion {assertion}")),
            Origin::Theorem { theorem } => ("theorem".to_owned(), format!("{theorem}")),
            _ => continue,
        };
        let holds = match &result.outcome {
            Outcome::Holds { .. } => true,
            Outcome::Fails(_) => false,
            Outcome::Unknown(_) => continue,
            other => panic!("{key:?}: {other:?}"),
        };
        let is_assertion = key.0 == "assert" || key.1.starts_with("assertion");
        let verdicts = if is_assertion { &mut assertions } else { &mut claims };
        verdicts.insert(key, holds);
    }
    (claims, assertions)
}

/// Returns clauses over symbols that both systems have, one of which changes: simple ones, and so many random ones.
fn probes(source: &System, target: &System, random: &mut Rng, count: usize) -> Vec<String> {
    let shared: Vec<_> = source
        .sig
        .symbols
        .iter()
        .filter(|it| it.span.is_some() && it.args.iter().all(|&sort| sort != SortId::BOOL))
        .filter(|it| it.name.bytes().all(|c| c.is_ascii_lowercase() || c == b'_' || c.is_ascii_digit()))
        .filter(|it| {
            target.sig.symbols.iter().any(|other| {
                let same = other.args.iter().zip(&it.args);
                let sort = |system: &System, sort: SortId| plain(&system.sig.sorts[sort].name);
                other.name == it.name
                    && other.args.len() == it.args.len()
                    && same.into_iter().all(|(&a, &b)| sort(target, a) == sort(source, b))
            })
        })
        .collect();
    let changing: Vec<_> = shared.iter().filter(|it| it.kind.is_mutable()).collect();
    if changing.is_empty() {
        return Vec::new();
    }
    let sort_name = |sort: SortId| plain(&source.sig.sorts[sort].name);
    // Whether anything is added to a relation, and whether anything is removed from it.
    let mut clauses = Vec::new();
    for symbol in changing.iter().filter(|it| it.result == SortId::BOOL) {
        let args: Vec<String> = (0..symbol.args.len()).map(|at| format!("V{at}")).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        clauses.push(format!("{}{args}", symbol.name));
        clauses.push(format!("~{}{args}", symbol.name));
    }
    for _ in 0..count {
        let mut literals = Vec::new();
        for at in 0..1 + random.below(3) {
            let symbol = if at == 0 {
                changing[random.below(changing.len())]
            } else {
                &shared[random.below(shared.len())]
            };
            let mut var =
                |sort: SortId| format!("V{}_{}", random.below(2), sort_name(sort)).to_ascii_uppercase();
            let args: Vec<String> = symbol.args.iter().map(|&sort| var(sort)).collect();
            let term = if args.is_empty() {
                symbol.name.clone()
            } else {
                format!("{}({})", symbol.name, args.join(", "))
            };
            let is_negated = random.below(2) == 0;
            literals.push(if symbol.result == SortId::BOOL {
                format!("{}{term}", if is_negated { "~" } else { "" })
            } else {
                let other = format!("V{}_{}", random.below(2), sort_name(symbol.result)).to_ascii_uppercase();
                format!("{term} {} {other}", if is_negated { "~=" } else { "=" })
            });
        }
        clauses.push(literals.join(" | "));
    }
    clauses
}

fn with_probes(text: &str, language: Language, probes: &[String]) -> String {
    let keyword = language.claim_keyword(text);
    let claims = probes.iter().enumerate().map(|(at, clause)| format!("\n{keyword} [probe{at}] {clause}"));
    format!("{text}\n{}\n", claims.collect::<String>())
}

/// Returns the fewest steps, up to 2, after which each claim is violated.
fn violations(system: System) -> BTreeMap<String, Option<u16>> {
    let labels = labels(&system);
    let system = Arc::new(system);
    let steps = |invariant: usize| {
        let targets = vec![Target::Model(Property::Invariant(invariant))];
        let options = bmc::Options { minimize: false, ..bmc::Options::new(targets, 2) };
        let mut bmc = Bmc::new(system.clone(), options);
        let last = std::iter::from_fn(|| bmc.advance(&limits())).last().expect("an answer");
        match last.outcome {
            bmc::Outcome::Violated(_) => last.steps,
            _ => None,
        }
    };
    labels.iter().enumerate().map(|(at, label)| (label.clone(), steps(at))).collect()
}

/// Returns whether each trace has the answer that is expected of it.
fn traces(system: System) -> Vec<Option<bool>> {
    let system = Arc::new(system);
    let options = trace::Options { minimize: false, certify: false, seed: 0, clock: None };
    let answer = |at| trace::trace(&system, at, &options, &limits()).is_expected(&system);
    (0..system.traces.len()).map(answer).collect()
}

/// A model and its translation.
struct Pair<'a> {
    source: (&'a str, &'a str),
    target: (&'a str, &'a str),
}

impl Pair<'_> {
    /// Returns what differs between the two, with so many random claims added to both.
    fn differences(&self, count: usize) -> Vec<String> {
        let [source, target] = [self.source, self.target].map(|(name, text)| system(name, text));
        let mut found = Vec::new();
        let names = |system: &System| {
            let names = system.transitions.iter().map(|it| plain(&it.name));
            names.filter(|name| name != "body").collect::<Vec<_>>()
        };
        if names(&source) != names(&target) {
            found.push(format!("actions {:?} and {:?}", names(&source), names(&target)));
        }
        let mut random = Rng::new(self.source.1.len() as u64);
        let probes = probes(&source, &target, &mut random, count);
        let [(expected, assertions), (actual, _)] = [self.source, self.target]
            .map(|(name, text)| verdicts(system(name, &with_probes(text, Language::of_name(name), &probes))));
        // Where an assertion is not shown, the claim that it becomes is assumed in the translation all the same.
        let is_stronger = assertions.values().any(|holds| !holds);
        let mut missing = 0;
        for (key, holds) in &expected {
            match actual.get(key) {
                Some(also) if holds == also || is_stronger && *also => {}
                Some(also) => found.push(format!("{key:?}: {holds} and {also}")),
                // A limit ran out, or a loop does nothing.
                None => missing += 1,
            }
        }
        if missing * 4 > expected.len() && expected.keys().any(|(action, _)| action != "body") {
            found.push(format!("{missing} verdicts of {}", expected.len()));
        }
        found
    }

    /// Returns what differs between executions of the two.
    fn differences_of_executions(&self) -> Vec<String> {
        let [source, target] = [self.source, self.target].map(|(name, text)| system(name, text));
        let mut random = Rng::new(self.source.1.len() as u64 + 1);
        let probes = probes(&source, &target, &mut random, 3);
        let [expected, actual] = [self.source, self.target].map(|(name, text)| {
            violations(system(name, &with_probes(text, Language::of_name(name), &probes)))
        });
        let mut found = Vec::new();
        for (label, steps) in &expected {
            if actual.get(label).is_some_and(|also| also != steps) {
                found.push(format!("{label}: {steps:?} and {:?} steps", actual.get(label)));
            }
        }
        let (expected, actual) = (traces(source), traces(target));
        if !actual.is_empty() && expected != actual {
            found.push(format!("traces {expected:?} and {actual:?}"));
        }
        found
    }
}

fn models(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|it| it.path()).collect();
    paths.sort();
    let is_model =
        |path: &&PathBuf| path.extension().is_some_and(|it| it == "pyv" || it == "rml" || it == "ivy");
    let read = |path: &PathBuf| (path.display().to_string(), fs::read_to_string(path).expect("a model"));
    paths.iter().filter(is_model).map(read).collect()
}

/// Compares a model with its translation, and with the translation of that one back to its language.
#[track_caller]
fn compare(name: &str, text: &str, to: Language) {
    let result = translated(name, text, to).unwrap_or_else(|said| panic!("{name} to {to:?}: {said}"));
    let target = format!("translation.{}", to.extension());
    let pair = Pair { source: (name, text), target: (&target, &result) };
    let found: Vec<String> =
        pair.differences(6).into_iter().chain(pair.differences_of_executions()).collect();
    assert!(found.is_empty(), "{name} to {to:?}: {found:#?}\n{result}");
    let back = translated(&target, &result, Language::of_name(name))
        .unwrap_or_else(|said| panic!("{name} to {to:?} and back: {said}\n{result}"));
    let found = Pair { source: pair.target, target: (name, &back) }.differences(3);
    assert!(found.is_empty(), "{name} to {to:?} and back: {found:#?}\n{back}");
}

#[test]
fn examples_mean_the_same_in_every_language() {
    let examples = models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"));
    assert!(!examples.is_empty());
    for (name, text) in examples {
        for to in translate::languages().filter(|&to| to != Language::of_name(&name)) {
            compare(&name, &text, to);
        }
    }
}

#[test]
fn derived_relations_of_the_next_state_read_what_a_transition_keeps() {
    // `hidden` reads `r`, which `turn` does not change, and `f`, which it does. `open` has an axiom that is no definition.
    let model = "sort s
mutable relation r(s)
mutable function f(s): s
mutable constant c: s
derived relation hidden(s): hidden(X) <-> r(f(X))
derived relation open(s): open(c) -> r(c)
init !r(X)
init f(X) = X
transition turn(n: s)
  modifies f
  & (forall X. new(f(X)) = f(f(X)))
  & (exists X. !hidden'(X) & X != n)
  & (open'(n) -> hidden(n))
transition add(n: s)
  modifies r, c
  & (forall X. new(r(X)) <-> r(X) | X = n)
  & new(c) = n
safety [few] r(X) & r(Y) -> X = Y
";
    for to in translate::languages().filter(|&to| to != Language::Pyv) {
        compare("hidden.pyv", model, to);
    }
}

#[test]
fn variables_with_names_of_parameters_are_still_variables() {
    // On the left of an assignment a parameter or constant says where it changes the value.
    let model = "sort s
sort e
immutable constant X_1: s
mutable relation r(s)
mutable function f(s): s
axiom exists A:s, B:s. A != B
init !r(X) & f(X) = X
transition all(X: s)
  modifies r
  (forall Y. !r(Y)) & (forall X. new(r(X)) <-> !r(X))
transition other(X: e, Y: s)
  modifies r, f
  & (forall X:s. new(r(X)) <-> !r(X) & f(X) = Y)
  & (forall Y:s. new(f(Y)) = f(f(Y)))
safety [some] exists X. !r(X)
safety [same] f(X) = X
";
    for to in translate::languages().filter(|&to| to != Language::Pyv) {
        compare("names.pyv", model, to);
    }
}

#[test]
fn actions_that_cannot_be_executed_change_nothing() {
    let model = "sort s
relation r: s
relation q: s
assume !r(X) & !q(X)
while * {
  action never(n: s) {
    r.insert(n)
    assume false
  } | action other(n: s) {
    q.insert(n)
  }
}
safety [few] q(X) & q(Y) -> X = Y
safety [none] !r(X)
";
    for to in translate::languages().filter(|&to| to != Language::Rml) {
        compare("never.rml", model, to);
    }
}

#[test]
fn a_wrong_translation_is_found() {
    let text = include_str!("../../examples/ring_leader.pyv");
    let result = translated("ring.pyv", text, Language::Rml).expect("a translation");
    let differences = |result: &str| {
        let pair = Pair { source: ("ring.pyv", text), target: ("ring.rml", result) };
        let mut found = pair.differences(30);
        found.extend(pair.differences_of_executions());
        found
    };
    assert_eq!(differences(&result), [""; 0]);
    let mistakes = [
        ("leader.insert(n)", "leader.remove(n)"),
        ("assume pending(i, n)\n", ""),
        ("& le(idof(n), i)", ""),
        ("assume !leader(N)\n", ""),
    ];
    for (right, wrong) in mistakes {
        let changed = result.replace(right, wrong);
        assert_ne!(changed, result);
        assert_ne!(differences(&changed), [""; 0], "{changed}");
    }
}

/// A corpus, where one is there: set RAMSEY_CORPUS, or put it at ../shared/corpus.
#[test]
fn a_corpus_means_the_same_in_every_language() {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folders: Vec<PathBuf> = ["pyv", "ivy/swiss", "ivy/i4", "ivy/duoai", "ivy/cav18", "ivy/pldi16"]
        .iter()
        .map(|it| folder.join(it))
        .filter(|it| it.is_dir())
        .collect();
    if folders.is_empty() {
        return skipped(format_args!("no corpus of models at {} (set RAMSEY_CORPUS)", folder.display()));
    }
    let mut refused = Vec::new();
    let mut count = 0;
    for (name, text) in folders.iter().flat_map(|folder| models(folder)) {
        if load(&name, &text).0.is_none() {
            continue;
        }
        for to in translate::languages().filter(|&to| to != Language::of_name(&name)) {
            match translated(&name, &text, to) {
                Ok(result) => {
                    let target = format!("translation.{}", to.extension());
                    let pair = Pair { source: (&name, &text), target: (&target, &result) };
                    let found = pair.differences(2);
                    assert!(found.is_empty(), "{name} to {to:?}: {found:#?}\n{result}");
                    count += 1;
                }
                Err(said) => refused.push(format!("{name} to {to:?}: {said}")),
            }
        }
    }
    assert!(refused.len() * 20 <= count, "{refused:#?}");
}

/// Commands or formulas nested in themselves: text before, innermost part, text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("{ ", "skip", " }"),
    ("{ skip } | { ", "p := !p", " }"),
    ("if p { ", "p := *", " }"),
    ("if * { skip } else { ", "c := *", " }"),
    ("if r(c) { r(c) := p } else ", "if p { c := * }", ""),
    ("p := (", "p", ")"),
    ("p := !", "p", ""),
    ("p := p -> ", "p", ""),
    ("r(if p then c else ", "c", ") := p"),
    ("p := forall x: s. r(x) | ", "p", ""),
    ("{ local x: s ", "c := x", " }"),
];

#[test]
fn deep_models_are_translated_or_refused() {
    for &(open, inside, close) in NESTINGS {
        for times in [20, 199, 390] {
            let body = format!("{}{inside}{}", open.repeat(times), close.repeat(times));
            let text =
                format!("sort s\nvariable p: bool\nrelation r(s)\nvariable c: s\nwhile * {{\n{body}\n}}\n");
            if load("model.rml", &text).0.is_none() {
                continue;
            }
            for to in [Language::Pyv, Language::Ivy] {
                if let Ok(result) = translated("model.rml", &text, to) {
                    system(&format!("model.{}", to.extension()), &result);
                }
            }
        }
    }
    for (open, close) in
        [("!(", ")"), ("(exists X. r(X) & ", ")"), ("(if p then p' else ", ")"), ("(p' | ", ")")]
    {
        for times in [20, 190, 390] {
            let body = format!("{}p'{}", open.repeat(times), close.repeat(times));
            let text = format!(
                "sort s\nmutable relation p\nimmutable relation r(s)\ntransition t()\n  modifies p\n  {body}\n"
            );
            if load("model.pyv", &text).0.is_none() {
                continue;
            }
            for to in [Language::Rml, Language::Ivy] {
                if let Ok(result) = translated("model.pyv", &text, to) {
                    system(&format!("model.{}", to.extension()), &result);
                }
            }
        }
    }
}

#[test]
fn long_chains_of_definitions_are_translated_or_refused() {
    for length in [10, 300, 900] {
        let macros = (1..length).map(|at| format!("macro m{at}(x: s) = m{}(x) & r(x)\n", at - 1));
        let text = format!(
            "sort s\nrelation r(s)\nmacro m0(x: s) = r(x)\n{}while * {{ action a(c: s, d: s) {{\n\
             r.insert(c)\nassume m{}(d)\n}} }}\n",
            macros.collect::<String>(),
            length - 1
        );
        assert!(load("model.rml", &text).0.is_some());
        for to in [Language::Pyv, Language::Ivy] {
            if let Ok(result) = translated("model.rml", &text, to) {
                system(&format!("model.{}", to.extension()), &result);
            }
        }
    }
}

#[test]
fn names_that_the_target_reserves_are_changed() {
    let text = "sort s\nmutable relation ite(s)\nmutable relation apply(s)\ninit ite(X) & !apply(X)\n\
                transition t(x: s) modifies apply { forall X. new(apply(X)) <-> X = x }\ninvariant ite(X)\n";
    let shown = |to| translated("model.pyv", text, to).expect("a translation");
    let (rml, ivy) = (shown(Language::Rml), shown(Language::Ivy));
    assert!(rml.contains("relation ite_(s)") && rml.contains("relation apply(s)"), "{rml}");
    assert!(ivy.contains("relation ite(") && ivy.contains("relation apply_("), "{ivy}");
}
