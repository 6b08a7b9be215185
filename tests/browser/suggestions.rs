//! Conjectures that are offered, and how a person's choice of facts changes them.

use serde_json::json;

use crate::app::{App, PATIENCE, attributes, enter, offered, press, press_with, set, settle, strike, with};
use crate::driver::Browser;
use crate::keyboard::Modifier;

const START: &str = "leader_election_start.rml";
const PND: &str = "[data-act=symbol][data-item=\"+pnd\"]";

#[test]
fn of_the_second_counterexample_the_papers_conjecture_is_made() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    let pressed = || attributes(&page, "[data-act=number]", "aria-pressed");
    assert_eq!(pressed(), ["true", "false"]);
    strike(&page, "]");
    assert_eq!(pressed(), ["false", "true"]);
    press(&page, PND);
    assert_eq!(offered(&page)[0], "leader(N1) -> le(id(N2), id(N1))");
    assert_eq!(attributes(&page, PND, "aria-pressed"), ["false"]);
    strike(&page, "[");
    assert_eq!(pressed(), ["true", "false"]);
    // There is none before the first.
    strike(&page, "[");
    assert_eq!(pressed(), ["true", "false"]);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn facts_that_do_not_suffice_are_reached_and_what_they_lack_is_kept() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    press(&page, PND);
    assert!(page.text(".reached").contains("in 3 steps"), "{}", page.text(".reached"));
    // The execution is shown at its last state.
    press(&page, ".reached [data-act=execution]");
    assert_eq!(page.text(".time output"), "state 3 of 3");
    press(&page, with("#top [data-act=view]", "data-view", "induction").as_str());
    press(&page, ".reached [data-act=keep]");
    assert_eq!(page.eval("document.querySelector('.reached')"), json!(null));
    assert!(!offered(&page).is_empty());
    assert!(page.eval("document.querySelector('.state.before .role-kept') !== null") == json!(true));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn the_bogus_conjecture_of_the_paper_is_offered_and_refuted() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    press(&page, "[data-act=bound][aria-label=\"One step less\"]");
    assert_eq!(page.text(".bound output"), "2");
    press(&page, PND);
    press(&page, "[data-act=symbol][data-item=\"-leader\"]");
    assert_eq!(offered(&page)[0], "leader(N1) -> N1 = N2");
    assert!(page.text(".suggestion.first .tags").contains("false after 3 steps"));
    press(&page, ".suggestion.first [data-act=why-refuted]");
    assert_eq!(page.text(".time output"), "state 3 of 3");
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn names_are_offered_where_they_fit() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", PATIENCE);
    let typed = |text: &str| {
        enter(&page, text);
        settle(&page);
        attributes(&page, "[data-act=complete]", "data-name")
    };
    assert_eq!(typed("fora"), ["forall"]);
    assert_eq!(typed("ll Vertex:n"), ["node"]);
    // In an argument it is names of its sort.
    let ids = typed("ode, Ident:id. pnd(");
    assert!(ids.contains(&"Ident".to_owned()) && ids.contains(&"id".to_owned()), "{ids:?}");
    assert!(!ids.contains(&"Vertex".to_owned()) && !ids.contains(&"leader".to_owned()), "{ids:?}");
    assert_eq!(typed("Ident, V"), ["Vertex"]);
    press(&page, "[data-act=complete]");
    assert_eq!(
        page.eval("document.getElementById('own').value"),
        json!("forall Vertex:node, Ident:id. pnd(Ident, Vertex")
    );
    assert_eq!(page.complaints(), [""; 0]);
}

/// Returns the selector of a fact in the picture.
fn drawn(fact: &str) -> String {
    with(".state.before .picture [data-act=fact]", "data-fact", fact)
}

/// Returns the selector of a fact in the table.
fn listed(fact: &str) -> String {
    with(".facts [data-act=fact]", "data-fact", fact)
}

#[test]
fn a_fact_is_one_control_in_picture_and_table() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    press(&page, ".centre details:last-of-type > summary");
    let facts = attributes(&page, ".state.before .picture [data-act=fact]", "data-fact");
    assert!(!facts.is_empty());
    let table = set(attributes(&page, ".facts [data-act=fact]", "data-fact"));
    assert!(facts.iter().all(|fact| table.contains(fact)), "{facts:?} {table:?}");
    let needed = page.eval("document.querySelector('.state.before .picture .role-needed').dataset.fact");
    let fact = needed.as_str().expect("a needed fact");
    let both = || {
        let of = |selector: &str| attributes(&page, selector, "aria-pressed").concat();
        let role = |selector: &str| {
            let class = attributes(&page, selector, "class").concat();
            class.split(' ').find(|it| it.starts_with("role-")).unwrap_or_default().to_owned()
        };
        let (drawn, listed) = (drawn(fact), listed(fact));
        assert_eq!(of(&drawn), of(&listed));
        assert_eq!(role(&drawn), role(&listed));
        role(&drawn)
    };
    assert_eq!(both(), "role-needed");
    assert_eq!(attributes(&page, &drawn(fact), "aria-pressed"), ["true"]);
    press(&page, &drawn(fact));
    assert_eq!(both(), "role-out");
    assert_eq!(attributes(&page, &drawn(fact), "aria-pressed"), ["false"]);
    press(&page, &listed(fact));
    assert_eq!(both(), "role-needed");
    // Keys do the same, and the focus stays where it was.
    for (selector, key, role) in [
        (drawn(fact), "Enter", "role-out"),
        (drawn(fact), "Space", "role-needed"),
        (listed(fact), "Space", "role-out"),
        (listed(fact), "Enter", "role-needed"),
    ] {
        page.eval(&format!("document.querySelector({}).focus()", json!(selector)));
        strike(&page, key);
        assert_eq!(both(), role, "{selector} {key}");
        let is_focused = format!("document.activeElement === document.querySelector({})", json!(selector));
        assert_eq!(page.eval(&is_focused), json!(true), "{selector} {key}");
    }
    // Shift keeps a fact.
    press_with(&page, &[Modifier::Shift], &drawn(fact));
    assert_eq!(both(), "role-kept");
    press_with(&page, &[Modifier::Shift], &listed(fact));
    assert_eq!(both(), "role-needed");
    assert_eq!(page.complaints(), [""; 0]);
}
