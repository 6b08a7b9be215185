//! Models from safety alone to an inductive invariant, by clicks on the first suggestion.
//!
//! The numbers of clicks stand beside the numbers of generalizations that Figure 14 of Padon et al., "Ivy: Safety
//! Verification by Interactive Generalization" (PLDI 2016), gives for the same protocols, by people who know them.

use crate::app::{App, example, press, settle};
use crate::common::binary::Dir;
use crate::common::effort::is_long;
use crate::common::models::without_conjectures;
use crate::common::skip::skipped;
use crate::driver::Browser;

/// Adds the first suggestion until the claims are inductive, writes the model, and verifies it.
#[track_caller]
fn is_proved_by_first_suggestions(name: &str, most: usize) {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file(name, without_conjectures(&example(name)));
    dir.run(&["verify", name]).ends_with(1);
    let app = App::start(dir, name, &["--write"]);
    let page = app.open(&browser);
    let mut clicks = 0;
    while !page.text(".verdict").contains("inductive") {
        assert!(clicks < most, "{clicks} clicks, {}", page.text(".verdict"));
        press(&page, ".suggestion.first [data-act=add]");
        clicks += 1;
    }
    press(&page, "#main [data-act=write]");
    settle(&page);
    app.dir.run(&["verify", name]).ends_with(0);
    assert_eq!(page.complaints(), [""; 0]);
}

/// Does the same with a model whose answers take most of the time, if RAMSEY_TESTS is `long`.
#[track_caller]
fn is_proved_after_long_answers(name: &str, most: usize) {
    if is_long() {
        is_proved_by_first_suggestions(name, most);
    } else {
        skipped(format_args!("{name}, whose answers take long"));
    }
}

#[test]
fn the_lock_server_takes_ten_clicks() {
    // Ivy: 8.
    is_proved_by_first_suggestions("lock_server.rml", 10);
}

#[test]
fn the_distributed_lock_takes_thirteen_clicks() {
    // Ivy: 12.
    is_proved_by_first_suggestions("distributed_lock.rml", 13);
}

#[test]
fn the_learning_switch_takes_six_clicks() {
    // Ivy: 3.
    is_proved_after_long_answers("learning_switch.rml", 6);
}

#[test]
fn chain_replication_takes_fourteen_clicks() {
    // Ivy: 7.
    is_proved_after_long_answers("chain_replication.rml", 14);
}

#[test]
fn chord_takes_five_clicks() {
    // Ivy: 4.
    is_proved_after_long_answers("chord.rml", 5);
}
