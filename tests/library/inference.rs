//! What is told of an inference, by answers that are made here: text, and documents against their schema.

use std::sync::Arc;

use ramsey::ask::Statistics;
use ramsey::base::budget::Exhausted;
use ramsey::base::span::{Source, Sources};
use ramsey::infer::{
    self, Answer, Counts, Inference, Method, Open, QuantifierPrefix, Reason, RelaxedExecution,
};
use ramsey::lang::{Includes, Language, load};
use ramsey::obligations::Relaxed;
use ramsey::obligations::{Origin, Property};
use ramsey::query::bmc::{Bmc, Options, Outcome, Target};
use ramsey::query::verify::{Options as VerifyOptions, Plan};
use ramsey::query::{Counterexample, Limits, Outcome as ObligationOutcome};
use ramsey::report::infer::{Found, Report, advice};
use ramsey::report::json::infer::{Lemma, Skipped, read_lemmas};
use ramsey::report::json::{Document, Head, is_relaxed};
use ramsey::report::render::{Render as _, Shown};
use ramsey::report::{Tally, Verdict};
use ramsey::system::System;
use serde_json::Value;

use crate::common::binary::{LOCK, broken_lock};
use crate::common::bounded::safety;
use crate::common::schema;

/// Safe, but only `exists` says why: a decision needs a node that never voted for anything else.
const TOY: &str = include_str!("../../examples/toy_consensus.pyv");

fn system(text: &str, sources: &mut Sources) -> Arc<System> {
    let file = sources.push(Source::new("model.pyv".to_owned(), text.to_owned()));
    let mut system = load(Language::Pyv, file, sources, &Includes::new()).0.expect("a system");
    system.invariants.retain(|it| it.is_safety);
    Arc::new(system)
}

fn violation(mut bmc: Bmc) -> (Property, Counterexample) {
    while let Some(depth) = bmc.advance(&Limits::default()) {
        if let Outcome::Violated(found) = depth.outcome
            && let Target::Model(property) = found.target
        {
            return (property, found.counterexample);
        }
    }
    panic!("no violation")
}

fn options(system: &System) -> Options {
    Options::new(safety(system), 6)
}

/// Returns the text of an answer with its last line, and its document, which the schema describes.
fn told(
    answer: Answer,
    system: &Arc<System>,
    sources: &Sources,
    lemmas: &[Lemma],
    verified: Option<Tally>,
) -> (String, Value) {
    told_beside(answer, None, system, sources, lemmas, verified)
}

/// The same for an answer beside a relaxed execution.
fn told_beside(
    answer: Answer,
    no_universal: Option<Box<RelaxedExecution>>,
    system: &Arc<System>,
    sources: &Sources,
    lemmas: &[Lemma],
    verified: Option<Tally>,
) -> (String, Value) {
    let counts = Counts { questions: 7, lemmas: 3, refuted: 1, ..Counts::default() };
    let statistics = Statistics::default();
    let has_execution = no_universal.is_some();
    let (system, method) = (Arc::clone(system), Method::UPDR);
    let node = system.sig.uninterpreted_sorts().next().expect("it has sorts");
    let prefix = QuantifierPrefix { outer: vec![node; 2], witnesses: vec![node], inner: Vec::new() };
    let variables = system.sig.sorts.iter().map(|_| 1).collect();
    let clauses = infer::Language {
        method: Method::SEPARATION,
        variables: Some(variables),
        prefixes: Vec::new(),
        literals: Some(3),
        is_exhausted: true,
    };
    let all = infer::Language { variables: None, literals: None, is_exhausted: false, ..clauses.clone() };
    let prefixes = vec![prefix; 5];
    let formulas = infer::Language { method: Method::EXISTS, prefixes, literals: Some(7), ..clauses.clone() };
    let languages = vec![clauses, all, formulas];
    let inference = Inference { answer, no_universal, languages, system, method, counts, statistics };
    let skipped =
        [Skipped { name: Some("old".to_owned()), formula: "p(X)".to_owned(), reason: "no `p`".to_owned() }];
    let found = Found {
        keyword: "invariant",
        inference: &inference,
        lemmas,
        verified,
        written: None,
        certificate: None,
        skipped: &skipped,
        falsification: Some("a conjecture must be of another form"),
    };
    let report = Report {
        path: "model.pyv",
        sources,
        method: Method::AUTO,
        found: Some(found),
        next: &[],
        cache: None,
    };
    let text = report.text(Shown::default());
    let with_stats = Shown { stats: true, ..Shown::default() };
    let head = Head { explanations: advice(&report), ..Head::from(Verdict::Ok) };
    let document = Document::new(head, report.content(with_stats)).text().expect("JSON");
    let value: Value = serde_json::from_str(&document).expect("JSON");
    schema::check(&value).unwrap_or_else(|why| panic!("{why}\n{document}"));
    assert_eq!(is_relaxed(&document), has_execution || value["answer"] == "no-universal-invariant");
    let read = read_lemmas(&document).expect("lemmas");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), value["lemmas"]);
    assert!(text.starts_with("  does not fit: invariant [old] p(X)\n    no `p`\n"), "{text}");
    assert!(report.text(with_stats).contains("questions  7"));
    (text, value)
}

#[test]
fn an_execution_is_told_as_by_bmc() {
    let mut sources = Sources::new();
    let system = system(&broken_lock(), &mut sources);
    let (property, found) = violation(Bmc::new(Arc::clone(&system), options(&system)));
    let (text, document) = told(Answer::Unsafe(property, Box::new(found)), &system, &sources, &[], None);
    assert!(text.contains("error: safety property `mutex` is violated after 2 steps\n"), "{text}");
    assert!(text.ends_with("\nunsafe: an execution of 2 steps violates safety property `mutex`\n"), "{text}");
    assert_eq!(document["answer"], "unsafe");
    assert_eq!(document["violation"]["counterexample"]["states"].as_array().map(Vec::len), Some(3));
}

/// Returns a relaxed execution.
fn relaxed_execution(system: &System) -> Box<RelaxedExecution> {
    let relaxed = Box::new(Relaxed::new(system));
    let (property, counterexample) = violation(Bmc::relaxed(&relaxed, options(system)));
    Box::new(RelaxedExecution { relaxed, property, counterexample })
}

#[test]
fn a_relaxed_execution_says_what_it_excludes() {
    let mut sources = Sources::new();
    let system = system(TOY, &mut sources);
    let answer = Answer::NoUniversal(relaxed_execution(&system));
    let (text, document) = told(answer, &system, &sources, &[], None);
    assert!(!text.contains("is violated after"), "nobody takes it for a bug: {text}");
    for part in [
        "\nerror: no universally quantified invariant implies safety property `agreement`\n",
        " false in the last state of the execution below, in which elements are lost\n",
        "  transition relax()\n",
        "no conjunction of the safety properties with universally quantified formulas is inductive",
        "the protocol may be safe",
        "needs existential quantifiers",
        "\nno universal invariant: a relaxed execution of ",
    ] {
        assert!(
            text.replace("\n  ", " ").contains(part.trim_start()) || text.contains(part),
            "{part}: {text}"
        );
    }
    assert_eq!(document["answer"], "no-universal-invariant");
    assert_eq!(document["relaxed"], true);
}

#[test]
fn a_search_that_a_limit_ended_tells_what_is_known() {
    let mut sources = Sources::new();
    let system = system(TOY, &mut sources);
    let open = |transition| Open {
        formula: system.invariants[0].formula,
        name: Some("agreement".to_owned()),
        transition,
        counterexample: None,
    };
    let reason = Reason::Exhausted(Exhausted::RunTime);
    let answer = Answer::Unknown { reason, lemmas: Vec::new(), open: vec![open(Some(0)), open(None)] };
    let lemma = Lemma { name: None, formula: "true".to_owned(), declared: false };
    let execution = Some(relaxed_execution(&system));
    let (text, document) = told_beside(answer, execution, &system, &sources, &[lemma], None);
    let mut rest = text.as_str();
    for part in [
        "\nerror: no universally quantified invariant implies safety property `agreement`\n",
        "  transition relax()\n",
        "  inductive so far:\n    invariant true\n",
        "  not shown that transition `vote` preserves\n    invariant [agreement] ",
        "  not shown to hold initially\n    invariant [agreement] ",
        "  searched to the end, by exists, with up to 7 literals:\n    forall node node exists node\n    forall",
        "\n    2 more prefixes\n",
        "\nunknown: no universal invariant exists, and for one with existential quantifiers a limit ended the search (time \
         limit of the run)\n",
    ] {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part}: {text}")).1;
    }
    // Without a universal invariant, there is none in a language of clauses.
    assert!(!text.contains("by separation"), "{text}");
    assert_eq!(document["languages"].as_array().map(Vec::len), Some(1));
    assert_eq!((&document["answer"], &document["relaxed"]), (&"unknown".into(), &true.into()));
    assert_eq!(document["open"].as_array().map(Vec::len), Some(2));
    assert!(document["reason"].as_str().is_some_and(|it| it.contains("time limit of the run")), "{document}");
    assert!(document["violation"]["counterexample"]["states"].is_array());
}

#[test]
fn lemmas_that_a_language_does_not_allow_are_told() {
    let mut sources = Sources::new();
    let system = system(LOCK, &mut sources);
    let answer = Answer::Unknown { reason: Reason::Undecidable, lemmas: Vec::new(), open: Vec::new() };
    let lemma = Lemma { name: None, formula: "true".to_owned(), declared: false };
    let (text, document) = told(answer, &system, &sources, &[lemma], None);
    assert!(text.contains("  found, but not verified:\n    invariant true\n"), "{text}");
    for part in [
        "  searched to the end, by separation, with up to 3 literals:\n    forall ",
        "  not searched to the end, by separation, with any number of literals:\n    clauses with any number of variables\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(document["languages"][1]["literals"], Value::Null);
    let end = "\nunknown: lemmas were found that the model may not claim without `--no-strict`: a conjecture must be of \
               another form\n";
    assert!(text.ends_with(end), "{text}");
    assert!(document["explanations"].to_string().contains("`ramsey verify --no-strict` takes the model"));
}

#[test]
fn what_is_open_has_its_counterexample() {
    let mut sources = Sources::new();
    let system = system(&broken_lock(), &mut sources);
    let plan = Plan::new(Arc::clone(&system), VerifyOptions { all: true, ..VerifyOptions::default() });
    let mut open = Vec::new();
    for result in plan.run(&Limits::default()).results {
        if let (ObligationOutcome::Fails(found), Origin::Consecution { transition, invariant }) =
            (result.outcome, result.origin)
        {
            let it = &system.invariants[invariant];
            open.push(Open {
                formula: it.formula,
                name: it.name.clone(),
                transition: Some(transition),
                counterexample: Some(found),
            });
        }
    }
    let lemma =
        Lemma { name: None, formula: "forall N:node. held(N) -> held(N)".to_owned(), declared: false };
    for (reason, why) in [
        (Reason::Exhausted(Exhausted::QueryTime), "(time limit of the query)"),
        (Reason::NoSubset, "no part of the candidates"),
    ] {
        let answer = Answer::Unknown { reason, lemmas: Vec::new(), open: open.clone() };
        let (text, document) = told(answer, &system, &sources, std::slice::from_ref(&lemma), None);
        let heading = "  inductive so far:\n    invariant forall N:node. held(N) -> held(N)\n";
        assert!(text.contains(heading), "{text}");
        let heading = "  not shown that transition `acquire` preserves\n    invariant [mutex] forall ";
        assert!(text.contains(heading) && text.contains("    state 1:\n"), "{text}");
        assert!(text.contains(why), "{text}");
        assert_eq!(document["answer"], "unknown");
        assert_eq!(document["open"][0]["counterexample"]["states"].as_array().map(Vec::len), Some(2));
        assert_eq!(document["explanations"].as_array().map(Vec::len), Some(3));
    }
}

#[test]
fn invariants_have_their_lemmas() {
    let mut sources = Sources::new();
    let system = system(LOCK, &mut sources);
    let tally = Tally { ok: 3, ..Tally::default() };
    let (text, document) = told(Answer::Invariant(Vec::new()), &system, &sources, &[], Some(tally));
    assert!(text.contains("  inductive without lemmas\n  verified: 3 obligations, 3 ok\n"), "{text}");
    assert!(
        text.ends_with("\nsafe: the properties are part of an inductive invariant (by updr)\n"),
        "{text}"
    );
    assert_eq!(document["verified"]["ok"], 3);
    let tally = Tally { failed: 1, ..tally };
    let (text, _) = told(Answer::Invariant(Vec::new()), &system, &sources, &[], Some(tally));
    assert!(text.contains("  what is not ok is a theorem or an `fbii` proof"), "{text}");
    let (text, document) = told(Answer::InternalError("this".to_owned()), &system, &sources, &[], None);
    assert!(text.contains(" = note: this\n"), "{text}");
    assert_eq!((&document["answer"], &document["reason"]), (&"internal-error".into(), &"this".into()));
    let reason = Reason::Exhausted(Exhausted::Work);
    let answer = Answer::Unknown { reason, lemmas: Vec::new(), open: Vec::new() };
    let lemma = Lemma { name: Some("l".to_owned()), formula: "true".to_owned(), declared: true };
    let (text, document) = told(answer, &system, &sources, &[lemma], Some(tally));
    assert!(
        text.contains("  found, but not verified:\n    invariant [l] true  # declared by the model\n"),
        "{text}"
    );
    assert!(document["reason"].as_str().is_some_and(|it| it.contains("not verified (work budget)")));
}

#[test]
fn other_documents_have_no_lemmas() {
    for text in
        ["", "{}", "{\"schema\": \"ramsey/bmc/1\"}", "{\"schema\": \"ramsey/infer/1\", \"lemmas\": 1}"]
    {
        assert!(read_lemmas(text).is_err(), "{text}");
    }
}
