//! Interactive sessions without a client: what the page shows, from the library.

use ramsey::lang::Language;
use ramsey::query::Limits;
use ramsey::ui::message::state;
use ramsey::ui::{Asked, Command, Entry, Failed, Loader, Log, Move, Question, Session, answer, replay};
use serde_json::Value;

fn loader(name: &str) -> Loader {
    let read = |_: &str, path: &str| Err(format!("there is no file `{path}`"));
    Loader::new(name, Language::of_name(name), Box::new(read))
}

fn example(name: &str) -> Session {
    let path = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("an example");
    Session::new(loader(name), &text)
}

fn try_ask(session: &Session, question: &Question) -> Result<Value, Failed> {
    let limits = Limits { work: Some(2_000_000_000), ..Limits::default() };
    answer(session.loader(), session.state(), question, &limits, &mut |_| ())
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
    println!("{}", session.state().model.text);
    assert_eq!(added, 3);
    assert_eq!(failing(&session), None);
}
