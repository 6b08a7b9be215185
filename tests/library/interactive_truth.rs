//! What sessions say is true, and no more than what was shown.

use std::sync::Arc;

use ramsey::lang::{Language, Unread};
use ramsey::obligations;
use ramsey::query::verify::{Options, Plan};
use ramsey::query::{Limits, Outcome};
use ramsey::report::Verdict;
use ramsey::ui::message::{Event, state};
use ramsey::ui::models::{Database, Insistence, Policy};
use ramsey::ui::reply::Answer;
use ramsey::ui::{Asked, Call, Command, Entry, Findings, Question, Session, Walk, answer, report};
use serde_json::{Value, json};

fn database(name: &str) -> Database {
    let read = |_: &str, path: &str| Err(Unread::missing(format!("there is no file `{path}`")));
    Database::new(name, Language::of_name(name), Policy::LENIENT, Box::new(read))
}

fn session(text: &str) -> Session {
    Session::new(Arc::new(database("model.pyv")), text)
}

fn json_of(answer: Answer) -> Value {
    serde_json::to_value(answer).expect("JSON")
}

fn ask(session: &Session, question: Question) -> Value {
    let limits = Limits { work: Some(2_000_000_000), ..Limits::default() };
    let found = answer(session.models(), session.state(), &question, &limits, &mut |_| ());
    json_of(found.unwrap_or_else(|failed| panic!("{question:?}: {failed:?}")))
}

fn tell(session: &mut Session, command: Command) -> Result<(), String> {
    session.enter(Entry::Command(command))
}

fn add(formula: &str) -> Command {
    Command::Add { formula: formula.to_owned(), name: None, from: None }
}

fn asked(claim: &str, action: &str, kept: &[&str]) -> Asked {
    Asked {
        claim: claim.to_owned(),
        action: action.to_owned(),
        number: 1,
        dropped: Vec::new(),
        kept: kept.iter().map(|it| (*it).to_owned()).collect(),
        bound: 3,
    }
}

const LOCK: &str = include_str!("../models/lock.pyv");

const JURIES: &str = include_str!("../models/juries.pyv");

#[test]
fn that_facts_are_reached_is_not_that_the_state_is() {
    let session = session(JURIES);
    let found = ask(&session, Question::Generalize(asked("one", "find", &[])));
    // The model is right: what excludes the state has `exists`, or is about the variable that was left out.
    assert!(found["reached"].as_u64().is_some(), "{found}");
    assert_eq!(found["whole"], false, "{found}");
    assert_eq!(found["left_out"][0]["symbol"], "last");
    assert!(found["left_out"][0]["facts"].as_array().is_some_and(|it| !it.is_empty()), "{found}");
    assert!(found["larger"].as_array().is_some_and(|it| !it.is_empty()), "{found}");
    // With it nothing is left out, and what is reached still is no such state.
    let whole = ask(&session, Question::Generalize(asked("one", "find", &["last"])));
    assert_eq!(whole["left_out"].as_array().map_or(0, Vec::len), 0, "{whole}");
    assert!(whole["formula"].is_string() || whole["whole"] == true, "{whole}");
    assert!(whole["formula"].is_string() || whole["larger"] != json!([]), "{whole}");
    let early = ask(&session, Question::Early);
    assert!(early["holds"].as_u64().is_some_and(|steps| steps >= 2), "{early}");
}

#[test]
fn a_state_that_is_reached_is_known_as_such() {
    let session = session(&LOCK.replace("holds(N) & N != n)", "holds(N))"));
    let found = ask(&session, Question::Generalize(asked("mutex", "take", &[])));
    assert_eq!((&found["reached"], &found["whole"], &found["larger"]), (&json!(2), &json!(true), &json!([])));
    assert_eq!(found["left_out"], json!([]));
    // The claim is false after one step more, and this is known at once.
    let mut known = Vec::new();
    let limits = Limits::default();
    let early = answer(session.models(), session.state(), &Question::Early, &limits, &mut |it| {
        known.push(json_of(it))
    });
    let early = json_of(early.expect("an answer"));
    assert_eq!((&early["violated"], &early["steps"]), (&json!("mutex"), &json!(3)));
    assert_eq!(known, [0, 1, 2].map(|steps| json!({ "holds": steps })));
    assert_eq!(early["execution"]["states"].as_array().map(Vec::len), Some(4));
}

/// Safety properties come first: the others may be many, and take more work.
#[test]
fn early_checks_begin_with_safety() {
    let broken = LOCK.replace("holds(N) & N != n)", "holds(N))");
    let session = session(&format!("{broken}invariant [wrong] free\n"));
    let early = ask(&session, Question::Early);
    assert_eq!((&early["violated"], &early["steps"]), (&json!("mutex"), &json!(3)));
    let session = self::session(&format!("{LOCK}invariant [wrong] free\n"));
    let early = ask(&session, Question::Early);
    assert_eq!((&early["violated"], &early["steps"]), (&json!("wrong"), &json!(1)));
}

#[test]
fn early_checks_end_where_they_become_work() {
    let session = session(LOCK);
    let limits = Limits { work: Some(1), ..Limits::default() };
    let early = answer(session.models(), session.state(), &Question::Early, &limits, &mut |_| ());
    assert_eq!(json_of(early.expect("an answer")), json!({ "holds": null }));
}

#[test]
fn inferred_claims_are_inductive_with_all_others_or_it_is_told() {
    let wrong = session(&format!("{LOCK}invariant [wrong] free\n"));
    let found = ask(&wrong, Question::Infer);
    assert_eq!((&found["inductive"], &found["failing"]), (&json!(false), &json!(["wrong"])), "{found}");
    let lemmas = found["lemmas"].as_array().expect("lemmas").clone();
    assert!(!lemmas.is_empty());
    let mut right = session(LOCK);
    let found = ask(&right, Question::Infer);
    assert_eq!((&found["inductive"], &found["failing"]), (&json!(true), &json!([])), "{found}");
    for lemma in found["lemmas"].as_array().expect("lemmas") {
        tell(&mut right, add(lemma.as_str().expect("a formula"))).expect("a lemma");
    }
    let check = ask(&right, Question::Check);
    assert_eq!((&check["failed"], &check["unknown"]), (&json!(0), &json!(0)), "{check}");
    // What is a claim already is not offered again.
    let found = ask(&right, Question::Infer);
    assert_eq!((&found["inductive"], &found["lemmas"]), (&json!(true), &json!([])), "{found}");
}

#[test]
fn a_claim_is_added_once() {
    let mut session = session(LOCK);
    let why = tell(&mut session, add("holds(X) & holds(Y) -> X = Y")).expect_err("a claim that is there");
    assert_eq!(why, "`mutex` says this already");
    tell(&mut session, add("free -> !holds(N)")).expect("a new claim");
    let why = tell(&mut session, add("forall M. free -> !holds(M)")).expect_err("a claim that is there");
    assert!(why.ends_with("says this already"), "{why}");
    assert_eq!(state(&session).commands.len(), 1);
}

#[test]
fn revisions_tell_clients_who_is_behind() {
    let mut session = session(LOCK);
    tell(&mut session, add("free -> !holds(N)")).expect("a claim");
    let before = session.revision();
    let (session, _) = session.rebase(&format!("# A remark.\n{LOCK}"));
    assert!(session.revision() > before);
    let event = serde_json::to_value(Event::Changed { revision: 3 }).expect("JSON");
    assert_eq!(event, json!({ "e": "changed", "revision": 3 }));
}

#[test]
fn shorter_walks_are_parts_of_longer_ones() {
    let session = session(LOCK.replace("& holds(n) & new(free)", "& new(free)").as_str());
    let call = |action: &str, node: &str| Call { action: action.to_owned(), args: vec![node.to_owned()] };
    let calls = [call("take", "node0"), call("give", "node1"), call("take", "node1"), call("give", "node0")];
    let walk = |count: usize| {
        let walk = Walk { sizes: [("node".to_owned(), 2)].into(), calls: calls[..count].to_vec() };
        ask(&session, Question::Simulate { walk, watches: Vec::new() })
    };
    let whole = walk(calls.len());
    assert_eq!(whole["violations"], json!([{ "state": 3, "claim": "mutex" }]));
    for count in 0..=calls.len() {
        let part = walk(count);
        assert_eq!(part["states"][count]["facts"], whole["states"][count]["facts"]);
        // A claim that was false before may be true again.
        assert_eq!(part["broken"], if count == 3 { json!(["mutex"]) } else { json!([]) });
    }
}

#[test]
fn models_are_judged_as_the_caller_does() {
    // The sort of `f` is its own argument, so obligations are outside the fragment.
    let text =
        "sort a\nfunction f: a -> a\nrelation r(a)\nwhile * { r(X) := false }\nconjecture r(X) -> r(f(X))\n";
    let promised = Some((obligations::Question::Verify, Insistence::Promised));
    let strict = Policy { is_strict: true, ..Policy::LENIENT };
    let everybody = Some((obligations::Question::Verify, Insistence::Everybody));
    for (policy, is_valid) in [
        (Policy::LENIENT, true),
        (Policy { fragment: promised.clone(), ..Policy::LENIENT }, true),
        (strict.clone(), false),
        (Policy { fragment: promised, ..strict }, false),
        (Policy { fragment: everybody, ..Policy::LENIENT }, false),
    ] {
        let read = |_: &str, path: &str| Err(Unread::missing(format!("there is no file `{path}`")));
        let models = Database::new("model.rml", Language::Rml, policy, Box::new(read));
        let session = Session::new(Arc::new(models), text);
        let source = ask(&session, Question::Source);
        assert_eq!(state(&session).valid, is_valid, "{source}");
        let errors = source["diagnostics"].as_array().expect("a list");
        assert_eq!(errors.iter().any(|it| it["severity"] == "error"), !is_valid, "{source}");
    }
}

#[test]
fn a_text_is_read_once() {
    let models = Arc::new(database("model.pyv"));
    let first = models.load(LOCK);
    assert!(Arc::ptr_eq(&first, &models.load(LOCK)));
    let mut session = Session::new(Arc::clone(&models), LOCK);
    assert!(Arc::ptr_eq(&first, &session.state().model));
    tell(&mut session, add("free -> !holds(N)")).expect("a claim");
    let second = Arc::clone(&session.state().model);
    assert!(!Arc::ptr_eq(&first, &second));
    let claim = second.system.as_ref().and_then(|it| it.invariants.last()?.name.clone()).expect("a name");
    tell(&mut session, Command::Remove { claim, why: None }).expect("the claim is there");
    assert!(Arc::ptr_eq(&first, &models.load(LOCK)));
    // Many texts that nobody has anymore are not kept, and what is in use is.
    for number in 0..100 {
        models.load(&format!("{LOCK}# {number}\n"));
    }
    assert!(Arc::ptr_eq(&second, &models.load(second.text())));
}

#[test]
fn reports_show_what_was_found_and_ask_nothing_again() {
    let session = session(&format!("{LOCK}invariant [none] free -> !holds(N)\n"));
    let system = session.state().model.system.clone().expect("a model");
    for work in [Some(1), None] {
        let limits = Limits { work, ..Limits::default() };
        let options = Options { all: true, ..Options::default() };
        let verification = Plan::new(Arc::clone(&system), options).run(&limits);
        let unknown =
            verification.results.iter().filter(|it| matches!(it.outcome, Outcome::Unknown(_))).count();
        assert_eq!(unknown > 0, work.is_some());
        let findings = Findings {
            verification: Some(&verification),
            executions: None,
            is_part: false,
            told: "told".to_owned(),
            verdict: Verdict::Unknown,
        };
        let report = report(&session, &findings, &Limits::default());
        let report = serde_json::to_value(report).expect("JSON");
        assert_eq!(report["state"]["verdict"], json!({ "text": "told", "kind": "warn" }));
        let answers = report["answers"].as_array().expect("answers");
        let of = |name: &str| answers.iter().find(|it| it["question"]["q"] == name).expect("an answer");
        let check = &of("check")["value"];
        assert_eq!(check["unknown"], unknown, "{check}");
        assert_eq!(check["ok"], verification.results.len() - unknown, "{check}");
        assert!(of("proof")["why"].as_str().is_some_and(|why| why.contains("--cores")), "{}", of("proof"));
    }
}
