//! Interactive sessions without a client: what the page shows, from the library.

use std::sync::Arc;

use ramsey::lang::{Language, Unread};
use ramsey::query::Limits;
use ramsey::ui::message::state;
use ramsey::ui::models::{Database, Policy};
use ramsey::ui::{Asked, Command, Entry, Failed, Log, Move, Question, Session, answer, replay};
use serde_json::{Value, json};

use crate::common::models::without_conjectures;

fn database(name: &str) -> Arc<Database> {
    let read = |_: &str, path: &str| Err(Unread::missing(format!("there is no file `{path}`")));
    Arc::new(Database::new(name, Language::of_name(name), Policy::LENIENT, Box::new(read)))
}

fn example(name: &str) -> Session {
    let path = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("an example");
    Session::new(database(name), &text)
}

fn try_ask(session: &Session, question: &Question) -> Result<Value, Failed> {
    let limits = Limits { work: Some(2_000_000_000), ..Limits::default() };
    let found = answer(session.models(), session.state(), question, &limits, &mut |_| ())?;
    Ok(serde_json::to_value(found).expect("JSON"))
}

fn ask(session: &Session, question: Question) -> Value {
    try_ask(session, &question).unwrap_or_else(|failed| panic!("{question:?}: {failed:?}"))
}

fn tell(session: &mut Session, command: Command) {
    session.enter(Entry::Command(command.clone())).unwrap_or_else(|why| panic!("{command:?}: {why}"));
}

/// Returns the first obligation that fails.
fn failing(session: &Session) -> Option<(String, String)> {
    let check = ask(session, Question::Check);
    let cells = check["cells"].as_array().expect("cells");
    let cell = cells.iter().find(|cell| cell["outcome"] == "failed")?;
    let text = |key: &str| cell[key].as_str().expect("a name").to_owned();
    Some((text("claim"), text("action")))
}

fn asked(claim: &str, action: &str, number: usize, dropped: &[&str]) -> Asked {
    Asked {
        claim: claim.to_owned(),
        action: action.to_owned(),
        number,
        dropped: dropped.iter().map(|it| (*it).to_owned()).collect(),
        kept: Vec::new(),
        bound: 3,
    }
}

/// Adds the first suggestion again and again; returns how often.
fn add_first_suggestions(session: &mut Session, most: usize) -> usize {
    for added in 0..most {
        let Some((claim, action)) = failing(session) else { return added };
        let found = ask(session, Question::Suggest(asked(&claim, &action, 1, &[])));
        let Some(formula) = found["suggestions"][0]["formula"].as_str() else { return added };
        let formula = formula.to_owned();
        tell(session, Command::Add { formula, name: None, from: Some("suggestion".to_owned()) });
    }
    most
}

#[test]
fn first_suggestions_prove_leader_election() {
    let mut session = example("leader_election_start.rml");
    let check = ask(&session, Question::Check);
    assert_eq!((check["ok"].as_u64(), check["failed"].as_u64()), (Some(3), Some(1)));
    assert_eq!(failing(&session), Some(("C0".to_owned(), "branch2".to_owned())));
    let added = add_first_suggestions(&mut session, 5);
    assert_eq!(added, 3);
    assert_eq!(failing(&session), None);
}

/// The same question without the conjectures with which the claims are inductive needs lemmas.
#[test]
fn deep_executions_are_excluded_by_induction() {
    let bounded = |session: &Session, depth: u16| {
        ask(session, Question::Bounded { formula: None, claims: Vec::new(), from: 0, depth })
    };
    for name in ["leader_election.rml", "leader_election_start.rml"] {
        let found = bounded(&example(name), 60);
        assert_eq!((&found["always"], &found["holds"]), (&json!(true), &json!(60)), "{name}: {found}");
        let found = bounded(&example(name), 1);
        assert_eq!(found["holds"], json!(1), "{name}");
    }
    let found = bounded(&example("lock_server_bug.rml"), 6);
    assert_eq!(found["always"], Value::Null);
    assert!(found["execution"].is_object());
}

/// What is true for a few steps is refuted by executions of small instances, with more facts it is not, and an
/// execution is shown on demand.
#[test]
fn suggestions_are_refuted_by_exploration() {
    let path = format!("{}/examples/chord.rml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("an example");
    let session = Session::new(database("chord.rml"), &without_conjectures(&text));
    let (claim, action) = failing(&session).expect("an obligation that fails");
    let found = ask(&session, Question::Suggest(asked(&claim, &action, 1, &[])));
    assert!(!found["suggestions"].as_array().expect("a list").is_empty());
    let refuted = found["refuted"].as_array().expect("a list").iter();
    let explored = refuted.filter(|it| it["explored"] == true);
    let shortest = explored.min_by_key(|it| it["steps"].as_u64()).expect("a formula that is refuted");
    let steps = shortest["steps"].as_u64().expect("a number");
    let facts = shortest["needed"].as_array().expect("facts").iter();
    let facts = facts.map(|it| it.as_str().expect("a fact").to_owned()).collect();
    let reached = ask(&session, Question::Reach { claim, action, number: 1, facts });
    assert_eq!(reached["steps"], steps);
    assert_eq!(reached["execution"]["states"].as_array().map(Vec::len), Some(steps as usize + 1));
    // Bounded model checking has the same opinion.
    let formula = shortest["formula"].as_str().map(str::to_owned);
    let bounded =
        ask(&session, Question::Bounded { formula, claims: Vec::new(), from: 0, depth: steps as u16 });
    assert!(bounded["steps"].as_u64().is_some_and(|fewest| fewest <= steps), "{bounded}");
}

/// A model whose claims alone have changed takes over what was explored.
#[test]
fn claims_make_no_difference_to_what_is_explored() {
    let states = |session: &Session| {
        let (claim, action) = failing(session).expect("an obligation that fails");
        let reach = Question::Reach { claim, action, number: 1, facts: vec!["leader".to_owned()] };
        ask(session, reach)["states"].as_u64().expect("a number")
    };
    let formula = "forall N:node, I:id. pnd(I, N) -> le(I, I)".to_owned();
    let add = Command::Add { formula, name: None, from: None };
    let mut first = example("leader_election_start.rml");
    let before = states(&first);
    assert!(before > 100, "{before}");
    tell(&mut first, add.clone());
    let mut second = example("leader_election_start.rml");
    tell(&mut second, add);
    assert_eq!([states(&first), states(&second)], [before; 2]);
}

#[test]
fn facts_that_are_left_out_lead_to_an_execution_that_lacks_them() {
    let session = example("leader_election_start.rml");
    let found =
        ask(&session, Question::Counterexamples { claim: "C0".to_owned(), action: "branch2".to_owned() });
    let list = found["counterexamples"].as_array().expect("counterexamples");
    assert_eq!(list.len(), 2, "two smallest ones");
    for counterexample in list {
        let atoms = counterexample["violated"]["atoms"].as_array().expect("atoms");
        let truth = |text: &str| atoms.iter().find(|atom| atom["text"] == text).map(|atom| &atom["value"]);
        assert_eq!(truth("leader(n1)"), Some(&Value::Bool(true)), "{atoms:?}");
        assert_eq!(truth("leader(n2)"), Some(&Value::Bool(true)), "{atoms:?}");
    }
    // The paper's choice is right for the state in which the leader has the lower id, and wrong for the other one.
    let choice = |number| Question::Generalize(asked("C0", "branch2", number, &["pnd"]));
    let answers = [ask(&session, choice(1)), ask(&session, choice(2))];
    let formula = "forall N1:node, N2:node. leader(N1) -> le(id(N2), id(N1))";
    assert!(answers.iter().any(|answer| answer["formula"] == formula), "{answers:?}");
    let reached = answers.iter().find(|answer| answer["reached"] == 3).expect("a state that is reached");
    assert_eq!(reached["execution"]["states"].as_array().map(Vec::len), Some(4));
    let lacks: Vec<&str> =
        reached["lacks"].as_array().expect("facts").iter().filter_map(|it| it[0].as_str()).collect();
    assert_eq!(lacks, ["pnd(id0,node0)"]);
}

const LOCK: &str = "
sort node
mutable relation holds(node)
mutable relation free
init free & !holds(N)
transition take(n: node)
  modifies holds, free
  & free & !new(free) & (new(holds(N)) <-> holds(N) | N = n)
transition give(n: node)
  modifies holds, free
  & holds(n) & new(free) & (new(holds(N)) <-> holds(N) & N != n)
safety [mutex] holds(A) & holds(B) -> A = B
";

fn lock() -> Session {
    Session::new(database("lock.pyv"), LOCK)
}

#[test]
fn every_command_can_be_taken_back() {
    let mut session = lock();
    let add = |formula: &str, name: &str| Command::Add {
        formula: formula.to_owned(),
        name: Some(name.to_owned()),
        from: None,
    };
    assert_eq!(failing(&session), Some(("mutex".to_owned(), "take".to_owned())));
    tell(&mut session, add("free -> !holds(N)", "none"));
    assert_eq!(failing(&session), None);
    assert_eq!(session.state().model.text(), format!("{LOCK}\ninvariant [none] free -> !holds(N)\n"));
    tell(&mut session, Command::Rename { claim: "none".to_owned(), name: "nobody".to_owned() });
    let formula = "holds(N) -> !free".to_owned();
    tell(&mut session, Command::Edit { claim: "nobody".to_owned(), formula, why: None });
    let edited = format!("{LOCK}\ninvariant [nobody] holds(N) -> !free\n");
    assert_eq!(session.state().model.text(), edited);
    tell(&mut session, Command::Remove { claim: "nobody".to_owned(), why: None });
    assert_eq!(session.state().model.text().trim_end(), LOCK.trim_end());
    for _ in 0..4 {
        session.enter(Entry::Move(Move::Undo)).expect("something to take back");
    }
    assert_eq!(session.state().model.text(), LOCK);
    assert!(session.enter(Entry::Move(Move::Undo)).is_err());
    for _ in 0..3 {
        session.enter(Entry::Move(Move::Redo)).expect("something to carry out again");
    }
    assert_eq!(session.state().model.text(), edited);
}

#[test]
fn commands_that_do_not_fit_change_nothing() {
    let mut session = lock();
    let before = state(&session);
    let errors = [
        (Command::Add { formula: "away(N)".to_owned(), name: None, from: None }, "`away` is not declared"),
        (Command::Add { formula: "free".to_owned(), name: Some("mutex".to_owned()), from: None }, "already"),
        (Command::Remove { claim: "nothing".to_owned(), why: None }, "no claim `nothing`"),
        (Command::Drop { fact: "holds".to_owned() }, "no counterexample"),
        (Command::Bound { steps: 1000 }, "at most"),
        (Command::Back { steps: 1 }, "has not begun"),
    ];
    for (command, wanted) in errors {
        let why = session.enter(Entry::Command(command)).expect_err("an error");
        assert!(why.contains(wanted), "{why}");
    }
    assert_eq!(state(&session), before);
    let unfit = Question::Generalize(asked("mutex", "take", 7, &[]));
    assert_eq!(try_ask(&session, &unfit), Err(Failed::Unfit("there is no counterexample 7".to_owned())));
}

#[test]
fn a_log_leads_to_the_same_state_again() {
    let mut session = lock();
    tell(&mut session, Command::Select { claim: "mutex".to_owned(), action: "take".to_owned(), number: 1 });
    tell(&mut session, Command::Drop { fact: "-holds".to_owned() });
    session.enter(Entry::Move(Move::Undo)).expect("something to take back");
    tell(&mut session, Command::Start { sizes: [("node".to_owned(), 2)].into() });
    let text = session.log().text().expect("JSON");
    let log = || Log::read(&text).expect("a log");
    let (again, misfits) = Session::resume(database("lock.pyv"), log());
    assert!(misfits.is_empty());
    assert_eq!(state(&again), state(&session));
    let limits = Limits { work: Some(100_000_000), ..Limits::default() };
    let document = |log| replay(database("lock.pyv"), log, &limits).expect("JSON").to_string();
    assert_eq!(document(log()), document(log()));
    let replayed: Value = serde_json::from_str(&document(log())).expect("JSON");
    assert_eq!(replayed["log"], log().digest().expect("JSON"));
    assert_eq!(replayed["check"]["failed"], 1);
    assert_eq!(replayed["generalization"]["formula"], "forall N:node. !(holds(N) & free)");
    assert_eq!(replayed["walk"]["start"], true);
}

#[test]
fn what_fits_a_changed_model_is_kept() {
    let mut session = lock();
    let add = |formula: &str| Command::Add { formula: formula.to_owned(), name: None, from: None };
    tell(&mut session, add("free -> !holds(N)"));
    tell(&mut session, add("free | (exists N. holds(N))"));
    let changed = LOCK
        .replace("init free", "mutable relation held\ninit free")
        .replace("relation free", "relation open");
    let changed = changed.replace("free", "open");
    let (rest, misfits) = session.rebase(&changed);
    assert_eq!(misfits.len(), 2, "{misfits:?}");
    assert_eq!(rest.state().model.text(), changed);
    let (rest, misfits) = lock().rebase(&format!("# A remark.\n{LOCK}"));
    assert!(misfits.is_empty() && rest.state().model.text().starts_with("# A remark."));
}

#[test]
fn offered_steps_are_those_that_can_be_taken() {
    let mut session = lock();
    tell(&mut session, Command::Start { sizes: [("node".to_owned(), 2)].into() });
    let walk = |session: &Session| {
        let walk = session.state().walk.clone().expect("a walk");
        ask(session, Question::Simulate { walk, watches: vec!["free".to_owned()] })
    };
    let first = walk(&session);
    let action = |found: &Value, name: &str| {
        let all = found["actions"].as_array().expect("actions");
        all.iter().find(|it| it["name"] == name).expect("an action").clone()
    };
    assert_eq!(action(&first, "take")["ways"].as_array().map(Vec::len), Some(2));
    assert_eq!(action(&first, "take")["ways"][0]["args"][0], "node0");
    let blocked = action(&first, "give");
    assert_eq!(
        (&blocked["ways"], &blocked["blocked"]["formula"]),
        (&Value::Array(Vec::new()), &"holds(n)".into())
    );
    let call = ramsey::ui::Call { action: "take".to_owned(), args: vec!["node1".to_owned()] };
    tell(&mut session, Command::Take { call });
    let second = walk(&session);
    assert_eq!(second["states"].as_array().map(Vec::len), Some(2));
    assert_eq!(second["watches"][0]["values"], serde_json::json!([true, false]));
    assert_eq!(action(&second, "give")["ways"][0]["args"][0], "node1");
    let impossible = ramsey::ui::Call { action: "take".to_owned(), args: vec!["node7".to_owned()] };
    tell(&mut session, Command::Take { call: impossible });
    let question =
        Question::Simulate { walk: session.state().walk.clone().expect("a walk"), watches: Vec::new() };
    assert_eq!(try_ask(&session, &question), Err(Failed::Unfit("there is no element `node7`".to_owned())));
}

#[test]
fn own_conjectures_are_judged() {
    let session = lock();
    let judged = |formula: &str| {
        let formula = formula.to_owned();
        let sufficient = Question::Sufficient {
            formula: formula.clone(),
            claim: "mutex".to_owned(),
            action: "take".to_owned(),
        };
        let bounded =
            Question::Bounded { formula: Some(formula.clone()), claims: Vec::new(), from: 0, depth: 3 };
        let induction = ask(&session, Question::Induction { formula });
        (
            induction["inductive"] == true,
            ask(&session, sufficient)["sufficient"] == true,
            ask(&session, bounded),
        )
    };
    let (inductive, sufficient, bounded) = judged("free -> !holds(N)");
    assert_eq!((inductive, sufficient, &bounded["holds"]), (true, true, &3.into()));
    let (inductive, sufficient, bounded) = judged("!holds(N)");
    assert_eq!((inductive, sufficient, &bounded["steps"]), (false, true, &1.into()));
    let (inductive, sufficient, _) = judged("holds(N) | !holds(N)");
    assert_eq!((inductive, sufficient), (true, false));
}

#[test]
fn inference_completes_a_session() {
    let mut session = lock();
    let found = ask(&session, Question::Infer);
    assert_eq!(found["inductive"], true);
    for lemma in found["lemmas"].as_array().expect("lemmas") {
        let formula = lemma.as_str().expect("a formula").to_owned();
        tell(&mut session, Command::Add { formula, name: None, from: Some("inference".to_owned()) });
    }
    assert_eq!(failing(&session), None);
    let kept = ask(
        &lock(),
        Question::Houdini { formulas: vec!["free -> !holds(N)".to_owned(), "!holds(N)".to_owned()] },
    );
    assert_eq!((&kept["inductive"], kept["lemmas"].as_array().map(Vec::len)), (&true.into(), Some(1)));
}

/// Returns the pictures of the first state of the first counterexample.
fn picture(session: &Session) -> String {
    let (claim, action) = failing(session).expect("an obligation that fails");
    let found = ask(session, Question::Counterexamples { claim, action });
    found["counterexamples"][0]["states"][0]["svg"].as_str().expect("a picture").to_owned()
}

#[test]
fn defined_relations_are_drawn() {
    let mut session = example("leader_election_start.rml");
    let plain = picture(&session);
    let definition = "beats(x: node, y: node) = le(id(y), id(x)) & x != y".to_owned();
    tell(&mut session, Command::Define { definition: definition.clone() });
    let drawn = picture(&session);
    // Of two nodes one beats the other.
    assert_eq!(drawn.matches("data-symbol=\"beats\"").count(), 1, "{drawn}");
    assert!(drawn.contains("data-fact=\"beats(node1,node0)\""), "{drawn}");
    assert_eq!(state(&session).drawing.definitions[0], definition);
    // Which facts a conjecture is made of stays as it was.
    let (claim, action) = failing(&session).expect("an obligation that fails");
    let found = ask(&session, Question::Generalize(asked(&claim, &action, 1, &[])));
    assert!(found["formula"].as_str().is_some_and(|it| !it.contains("beats")), "{found}");
    tell(&mut session, Command::Undefine { definition });
    assert_eq!(picture(&session), plain);
    for (definition, why) in [
        ("beats(x: node, y: node)", "has the form"),
        ("beats(x, y) = x = y", "has the form"),
        ("beats(x: node, x: node) = x = x", "different names"),
        ("beats(x: vertex) = true", "no sort `vertex`"),
        ("le(x: node, y: node) = true", "has a symbol `le`"),
        ("beats(x: node, y: id) = x = y", "column 29: "),
        ("beats(x: node) = elected(x)", "column 18: "),
        ("beats(x: node) = x = x & elected(x)", "column 26: "),
        ("beats(a: id, b: id, c: id, d: id) = true", "at most 3"),
    ] {
        let command = Command::Define { definition: definition.to_owned() };
        let error = session.enter(Entry::Command(command)).expect_err(definition);
        assert!(error.contains(why), "{definition}: {error}");
    }
}
