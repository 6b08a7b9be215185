//! A session from a claim that is not inductive to a model with an invariant.

use std::cell::Cell;

use serde_json::json;

use crate::app::{App, attributes, example, offered, press, set, settle, strike, with};
use crate::driver::{Browser, Page};

const START: &str = "leader_election_start.rml";

/// Returns what a person sees of the view in which states are excluded, apart from how far the background has come.
fn shown(page: &Page<'_>) -> serde_json::Value {
    page.eval(
        "(() => {
            const copy = document.getElementById('main').cloneNode(true);
            for (const it of copy.querySelectorAll('.tags, .log')) it.remove();
            for (const it of copy.querySelectorAll('details')) it.removeAttribute('open');
            return [document.querySelector('.verdict').innerText, copy.innerHTML];
        })()",
    )
}

#[test]
fn opening_shows_verdict_counterexample_and_suggestions() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    assert!(page.text(".verdict").ends_with("1 of 4 fails"), "{}", page.text(".verdict"));
    assert_eq!(page.text("#main .centre h1"), "receive breaks C0");
    assert_eq!(
        page.eval(
            "[...document.querySelectorAll('.state svg')].map(it => it.getBoundingClientRect().height > 50)"
        ),
        json!([true, true])
    );
    assert!(!offered(&page).is_empty());
    assert_eq!(page.eval("document.title"), json!("leader_election_start.rml - Ramsey"));
    // The key is taken out of the address.
    assert_eq!(page.eval("[location.hash, location.search]"), json!(["", ""]));
    // The driver complains of requests to other origins as well.
    assert_eq!(page.complaints(), [""; 0]);
}

/// Returns the lines that a text has more than another one, of which all lines have to be in the same order.
#[track_caller]
fn added<'a>(old: &str, new: &'a str) -> Vec<&'a str> {
    let mut old = old.lines().peekable();
    let added = new.lines().filter(|line| old.next_if_eq(line).is_none()).collect();
    assert_eq!(old.next(), None, "a line is gone");
    added
}

#[test]
fn three_suggestions_and_writing_make_a_model_that_verifies() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &["--write"]);
    let page = app.open(&browser);
    for _ in 0..3 {
        press(&page, ".suggestion.first [data-act=add]");
    }
    assert!(page.text(".verdict").contains("inductive"), "{}", page.text(".verdict"));
    press(&page, "#main [data-act=write]");
    page.wait("document.querySelector('dialog[open] .diff')", 60);
    let text = app.dir.read(START);
    let lines = added(&example(START), &text);
    assert!(lines.len() == 3 && lines.iter().all(|line| line.starts_with("conjecture [C")), "{lines:?}");
    app.dir.run(&["verify", START]).ends_with(0);
    press(&page, "dialog [data-act=close]");
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn the_same_by_keys() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &["--write"]);
    let page = app.open(&browser);
    for key in ["a", "a", "a", "w"] {
        strike(&page, key);
    }
    page.wait("document.querySelector('dialog[open] .diff')", 60);
    let text = app.dir.read(START);
    assert_eq!(added(&example(START), &text).len(), 3, "{text}");
    app.dir.run(&["verify", START]).ends_with(0);
    // Escape closes the dialog, and single letters work again.
    page.key("Escape");
    page.wait("!document.querySelector('dialog')", 60);
    strike(&page, "u");
    assert!(page.text(".file").contains("not written"), "{}", page.text(".file"));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_model_that_may_not_be_written_is_not() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    strike(&page, "a");
    strike(&page, "w");
    assert!(page.text("dialog").contains("--write"), "{}", page.text("dialog"));
    page.key("w");
    page.key("Escape");
    page.wait("!document.querySelector('dialog')", 60);
    settle(&page);
    assert_eq!(app.dir.read(START), example(START));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn undo_and_redo_lead_to_the_same_page_without_questions() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    let mut states = vec![shown(&page)];
    strike(&page, "]");
    states.push(shown(&page));
    press(&page, "[data-act=symbol][data-item=\"+pnd\"]");
    states.push(shown(&page));
    strike(&page, "a");
    states.push(shown(&page));
    let asked = page.eval("document.body.dataset.queries");
    for state in states[..3].iter().rev() {
        strike(&page, "u");
        assert_eq!(shown(&page), *state);
    }
    assert_eq!(attributes(&page, "#top [data-act=undo]", "disabled"), [""]);
    assert_eq!(set(attributes(&page, ".log .undone", "class")), set(vec!["undone".into()]));
    press(&page, "#top [data-act=redo]");
    assert_eq!(shown(&page), states[1]);
    for state in &states[2..] {
        strike(&page, "U");
        assert_eq!(shown(&page), *state);
    }
    assert_eq!(page.eval("document.querySelector('#top [data-act=redo]').disabled"), json!(true));
    assert_eq!(page.eval("document.body.dataset.queries"), asked);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn the_session_of_the_paper_takes_few_clicks() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    let clicks = Cell::new(0);
    let click = |selector: &str| {
        clicks.set(clicks.get() + 1);
        press(&page, selector);
    };
    // Figure 7: the second state has the leader with the lower id. What is pending does not matter.
    click(&with("[data-act=number]", "data-number", "2"));
    click("[data-act=symbol][data-item=\"+pnd\"]");
    assert_eq!(offered(&page)[0], "leader(N1) -> le(id(N2), id(N1))");
    click(".suggestion.first [data-act=add]");
    // Figures 8 and 9.
    while !page.text(".verdict").contains("inductive") {
        assert!(page.eval("document.querySelectorAll('.suggestion').length") != json!(0));
        click(".suggestion.first [data-act=add]");
        assert!(clicks.get() <= 9, "{}", page.text(".left"));
    }
    let claims = attributes(&page, ".matrix [data-formula]", "data-formula");
    assert_eq!(claims.len(), 4, "{claims:?}");
    assert_eq!(page.complaints(), [""; 0]);
}
