//! Sessions outlive pages, programs and changes of the model; questions do not outlive their use.

use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::app::{App, PATIENCE, attributes, enter, example, press, settle, strike, without_quantifiers};
use crate::common::binary::Dir;
use crate::driver::{Browser, Page};

const START: &str = "leader_election_start.rml";

/// Returns what was done, the conjectures, and the counterexample that is shown.
fn shown(page: &Page<'_>) -> serde_json::Value {
    page.eval(
        "[[...document.querySelectorAll('.log li')].map(it => it.className + ' ' + it.innerText),
          [...document.querySelectorAll('.line [data-formula], .matrix [data-formula]')].map(it => it.dataset.formula),
          [...document.querySelectorAll('.state [data-fact]')].map(it => it.dataset.fact + it.getAttribute('class'))]",
    )
}

#[test]
fn a_session_outlives_page_and_program() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    strike(&page, "a");
    strike(&page, "]");
    strike(&page, "a");
    strike(&page, "u");
    let before = shown(&page);
    assert_eq!(attributes(&page, ".log .undone", "class").len(), 1);
    // The key is in the memory of the tab.
    page.eval("window.isOld = true");
    page.eval("void location.reload()");
    page.wait("!window.isOld && document.body.dataset.ready === 'true'", PATIENCE);
    assert_eq!(shown(&page), before);
    let app = app.restarted(&[]);
    let page = app.open(&browser);
    assert_eq!(shown(&page), before);
    // What was taken back can be carried out again.
    strike(&page, "U");
    assert_eq!(attributes(&page, ".log .undone", "class").len(), 0);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_changed_model_takes_what_still_fits() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    strike(&page, "a");
    press(&page, ".left [data-act=note]");
    page.wait("document.activeElement.name === 'text'", PATIENCE);
    enter(&page, "a remark");
    press(&page, "dialog [type=submit]");
    let claims = || attributes(&page, ".matrix [data-formula]", "data-formula");
    let conjecture = claims().pop().expect("the conjecture");
    // A comment changes nothing.
    app.dir.file(START, format!("# A comment.\n{}", example(START)));
    press(&page, "[data-act=reload]");
    page.wait("!document.querySelector('[data-act=reload]')", PATIENCE);
    settle(&page);
    assert_eq!(claims().len(), 2);
    assert!(claims().contains(&conjecture));
    assert!(page.text(".left .log").contains("a remark"));
    assert_eq!(page.eval("document.querySelector('#banner').innerText"), json!(""));
    // Without its relation the conjecture means nothing; the remark does.
    app.dir.file(START, example(START).replace("pnd", "inbox").replace("leader", "elected"));
    press(&page, "[data-act=reload]");
    page.wait("document.querySelector('#banner details')", PATIENCE);
    settle(&page);
    assert_eq!(claims().len(), 1);
    assert!(page.text("#banner").contains("no longer fit"), "{}", page.text("#banner"));
    assert!(page.text(".left .log").contains("a remark"));
    // A text in which it means something again has it.
    app.dir.file(START, example(START));
    press(&page, "[data-act=reload]");
    page.wait("!document.querySelector('#banner details')", PATIENCE);
    settle(&page);
    assert!(claims().contains(&conjecture));
    assert!(page.text(".left .log").contains("a remark"));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_model_with_an_error_is_shown_with_it() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    app.dir.file(START, example(START).replace("sort id", "sort di"));
    press(&page, "[data-act=reload]");
    page.wait("document.querySelector('.source .message.error')", PATIENCE);
    app.dir.file(START, example(START));
    press(&page, "[data-act=reload]");
    page.wait("document.querySelector('.suggestion')", PATIENCE);
    settle(&page);
    assert!(page.text(".verdict").ends_with("1 of 4 fails"));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_session_is_replayed_without_a_browser() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    strike(&page, "]");
    press(&page, "[data-act=symbol][data-item=\"+pnd\"]");
    let log = format!("{START}.session");
    let replay = || app.dir.run(&["ui", "--replay", &log, START]).ends_with(0).out;
    let first = replay();
    assert_eq!(replay(), first);
    let document: serde_json::Value = serde_json::from_str(&first).expect("a document");
    assert_eq!(document["misfits"], json!([]));
    let formula = document["generalization"]["formula"].as_str().expect("a formula");
    assert_eq!(without_quantifiers(formula), "leader(N1) -> le(id(N2), id(N1))");
    // What the page shares is the same log.
    press(&page, ".left [data-act=share]");
    let shared = page.eval("document.querySelector('dialog textarea').value");
    assert_eq!(shared.as_str().expect("a text").trim(), app.dir.read(&log).trim());
    assert_eq!(page.complaints(), [""; 0]);
}

/// Deep executions need not be searched where a proof by induction excludes them.
#[test]
fn a_conjecture_is_true_for_any_number_of_steps() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    page.wait(
        "document.querySelector('.suggestion.first').innerText.includes('any number of steps')",
        PATIENCE,
    );
    let app = App::example("leader_election.rml", &[]);
    let page = app.open(&browser);
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", PATIENCE);
    enter(&page, "forall N1:node, N2. leader(N1) -> le(id(N2), id(N1))");
    press(&page, ".own [data-act=own-judge]");
    assert!(page.text(".judgement").contains("Inductive together"), "{}", page.text(".judgement"));
    press(&page, "[data-act=bounded]");
    page.wait("document.querySelector('.judgement').innerText.includes('any number of steps')", PATIENCE);
    assert_eq!(page.complaints(), [""; 0]);
}

/// Two stacks that grow and shrink together. That both are empty at the same time needs induction over their heights, and
/// looking for executions takes twice as long with every few steps.
const STACKS: &str = "\
sort frame
sort place

immutable relation above(frame, frame)
immutable relation next(place, place)
immutable constant bottom: frame
immutable constant first: place
mutable constant top: frame
mutable constant free: place

axiom above(F1, F2) & above(F1, F3) -> F2 = F3
axiom above(F1, F3) & above(F2, F3) -> F1 = F2
axiom !above(F, bottom)
axiom next(P1, P2) & next(P1, P3) -> P2 = P3
axiom next(P1, P3) & next(P2, P3) -> P1 = P2
axiom !next(P, first)

init top = bottom
init free = first

transition push(f: frame, p: place)
  modifies top, free
  above(top, f) & next(free, p) & new(top) = f & new(free) = p

transition pop(f: frame, p: place)
  modifies top, free
  above(f, top) & next(p, free) & new(top) = f & new(free) = p

safety [nothing_below] !above(top, bottom)
";

#[test]
fn a_long_question_can_be_stopped_and_others_do_not_wait_for_it() {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file("stacks.pyv", STACKS);
    let app = App::start(dir, "stacks.pyv", &[]);
    let page = app.open(&browser);
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", PATIENCE);
    enter(&page, "top = bottom -> free = first");
    press(&page, ".own [data-act=own-judge]");
    page.eval("document.querySelector('[data-act=depth]').select()");
    for key in ["1", "0", "0"] {
        page.key(key);
    }
    page.click("[data-act=bounded]");
    page.wait("document.querySelector('[data-act=stop][data-slot=bounded]')", PATIENCE);
    // It goes on until it is stopped; other commands are carried out meanwhile.
    page.click(".left [data-act=note]");
    page.wait("document.activeElement.name === 'text'", PATIENCE);
    enter(&page, "meanwhile");
    page.click("dialog [type=submit]");
    page.wait("document.querySelector('.left .log').innerText.includes('meanwhile')", PATIENCE);
    settle(&page);
    let running = "document.querySelector('[data-act=stop][data-slot=bounded]') !== null";
    assert_eq!(page.eval(running), json!(true));
    page.click("[data-act=stop][data-slot=bounded]");
    page.wait(&format!("!({running})"), PATIENCE);
    // The same question can be asked again, and adding the conjecture does not wait for it.
    page.click("[data-act=bounded]");
    page.wait(running, PATIENCE);
    let claims = attributes(&page, ".matrix [data-formula]", "data-formula").len();
    press(&page, ".own [type=submit]");
    assert_eq!(attributes(&page, ".matrix [data-formula]", "data-formula").len(), claims + 1);
    // The program has nothing to do any more.
    let is_idle = |_| {
        let worked = app.worked();
        thread::sleep(Duration::from_millis(300));
        app.worked() == worked
    };
    assert!((0..200).any(is_idle));
    assert_eq!(page.complaints(), [""; 0]);
}
