//! Everyone can use the page: by keys alone, with a screen reader, in both schemes, without motion.

use std::collections::BTreeSet;
use std::{env, fs};

use serde_json::json;

use crate::app::{App, PATIENCE, press, settle, strike, with};
use crate::common::skip::skipped;
use crate::driver::{Browser, Page};

const START: &str = "leader_election_start.rml";

/// Runs axe, and returns the violations.
const AXE: &str = "axe.run(document, {
    preload: false,
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
}).then(found => found.violations.flatMap(it => it.nodes.map(node => `${it.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`)))";

#[test]
fn axe_finds_nothing() {
    let Some(browser) = Browser::start() else { return };
    let Some(axe) = env::var_os("RAMSEY_AXE") else {
        skipped("RAMSEY_AXE does not name axe.min.js");
        return;
    };
    let axe = fs::read_to_string(axe).expect("axe");
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    page.eval(&format!("{axe}; 0"));
    // Facts that are reached, and a walk.
    press(&page, "[data-act=symbol][data-item=\"+pnd\"]");
    strike(&page, "4");
    press(&page, ".start [type=submit]");
    let clean = |what: &str| assert_eq!(page.eval(AXE), json!([]), "{what}");
    for scheme in ["light", "dark"] {
        page.scheme(scheme);
        for view in ["1", "2", "3", "4", "5"] {
            page.size(1400, 900);
            strike(&page, view);
            clean(&format!("view {view}, {scheme}"));
            page.size(800, 600);
            clean(&format!("view {view}, {scheme}, narrow"));
        }
        page.size(1400, 900);
        strike(&page, "1");
        strike(&page, "?");
        clean(&format!("keys, {scheme}"));
        press(&page, "dialog [data-act=close]");
    }
    // An execution, in each form.
    press(&page, ".reached [data-act=execution]");
    for form in ["lanes", "table", "compare"] {
        press(&page, &with("[data-act=as]", "data-as", form));
        clean(form);
    }
    // The claims of a model with an invariant.
    strike(&page, "1");
    press(&page, "[data-act=reset]");
    for _ in 0..3 {
        press(&page, ".suggestion.first [data-act=add]");
    }
    clean("inductive");
    strike(&page, "2");
    clean("proof");
}

/// Returns what can have the focus and is visible, and what has it.
const FOCUSABLE: &str = "(() => {
    const all = [...document.querySelectorAll('a[href], button, input, textarea, summary, [tabindex=\"0\"]')];
    window.all = all.filter(it => !it.disabled && it.checkVisibility({ visibilityProperty: true }));
    return window.all.length;
})()";

#[track_caller]
fn tab_reaches_all(page: &Page<'_>, view: &str) {
    let count = page.eval(FOCUSABLE).as_u64().expect("a number");
    assert!(count > 5, "{view}");
    page.eval("document.activeElement.blur()");
    let mut reached = BTreeSet::new();
    for _ in 0..2 * count {
        page.key("Tab");
        let at = page.eval("window.all.indexOf(document.activeElement)");
        reached.extend(at.as_u64());
        if reached.len() as u64 == count {
            return;
        }
    }
    // What the page asks while nobody waits ends by itself, and the button that stops it goes. Nothing else may.
    let missed: Vec<u64> = (0..count).filter(|at| !reached.contains(at)).collect();
    let missed = format!(
        "{missed:?}.map(at => window.all[at])
            .filter(it => it.isConnected || it.dataset.act !== 'stop').map(it => it.outerHTML.slice(0, 200))"
    );
    assert_eq!(page.eval(&missed), json!([]), "{view}");
}

#[test]
fn the_tab_key_reaches_everything() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    for view in ["1", "2", "3", "4", "5"] {
        strike(&page, view);
        tab_reaches_all(&page, view);
    }
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn the_focus_stays_when_the_page_shows_something_new() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    let focused = || page.eval("document.activeElement.dataset.act ?? document.activeElement.tagName");
    for selector in [
        "[data-act=bound][aria-label=\"One step more\"]",
        "[data-act=symbol][data-item=\"+pnd\"]",
        "#top [data-act=view][data-view=proof]",
        "#top [data-act=undo]",
    ] {
        page.eval(&format!("document.querySelector({}).focus()", json!(selector)));
        let before = focused();
        strike(&page, "Enter");
        assert_eq!(focused(), before, "{selector}");
    }
    // A number is typed while what it stands for is looked for.
    strike(&page, "3");
    page.eval("document.querySelector('[data-act=depth]').select()");
    for typed in ["1", "10"] {
        strike(&page, &typed[typed.len() - 1..]);
        assert_eq!(focused(), json!("depth"));
        assert_eq!(page.eval("document.activeElement.value"), json!(typed));
    }
    page.eval("document.activeElement.blur()");
    // A dialog gives the focus back.
    strike(&page, "1");
    page.eval("document.querySelector('.left [data-act=note]').focus()");
    strike(&page, "Enter");
    page.wait("document.querySelector('dialog').contains(document.activeElement)", PATIENCE);
    page.key("Escape");
    page.wait("!document.querySelector('dialog')", PATIENCE);
    assert_eq!(focused(), json!("note"));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn the_verdict_is_told_aloud() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    assert_eq!(page.eval("document.getElementById('live').ariaLive"), json!("polite"));
    assert_eq!(page.text("#live"), "1 of 4 fails");
    for _ in 0..3 {
        strike(&page, "a");
    }
    assert!(page.text("#live").starts_with("inductive"));
}

#[test]
fn nothing_moves_for_people_who_do_not_want_it() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    page.eval("document.body.append(Object.assign(document.createElement('i'), { className: 'spin' }))");
    let motion = || page.eval("getComputedStyle(document.querySelector('i.spin')).animationName");
    page.reduced_motion(false);
    assert_eq!(motion(), json!("turn"));
    page.reduced_motion(true);
    assert_eq!(motion(), json!("none"));
}

#[test]
fn single_letters_can_be_turned_off() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    strike(&page, "?");
    page.click("dialog [data-act=keys-off]");
    page.key("Escape");
    page.wait("!document.querySelector('dialog')", PATIENCE);
    let claims = || page.eval("document.querySelectorAll('.matrix [data-formula]').length");
    strike(&page, "a");
    settle(&page);
    assert_eq!(claims(), json!(1));
    strike(&page, "?");
    page.click("dialog [data-act=keys-off]");
    page.key("Escape");
    page.wait("!document.querySelector('dialog')", PATIENCE);
    strike(&page, "a");
    assert_eq!(claims(), json!(2));
    assert_eq!(page.complaints(), [""; 0]);
}
