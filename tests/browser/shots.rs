//! Pictures of the page for people to look at, written where RAMSEY_SHOTS names a directory.

use std::env;
use std::path::PathBuf;

use crate::app::{App, press, settle, strike, with};
use crate::common::skip::skipped;
use crate::driver::{Browser, Page};

/// Writes a view in a wide window with light colours and a narrow one with dark colours.
fn shoot(page: &Page<'_>, name: &str) {
    let Some(dir) = env::var_os("RAMSEY_SHOTS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&dir).expect("a directory for pictures");
    for (width, height, scheme) in [(1400, 900, "light"), (800, 600, "dark")] {
        page.size(width, height);
        page.scheme(scheme);
        settle(page);
        page.screenshot(&dir.join(format!("{name}-{width}-{scheme}.png")));
    }
    page.size(1400, 900);
    page.scheme("light");
}

#[test]
fn pictures_of_all_views() {
    if env::var_os("RAMSEY_SHOTS").is_none() {
        skipped("RAMSEY_SHOTS names no directory for pictures of the page");
        return;
    }
    let Some(browser) = Browser::start() else { return };
    let app = App::example("leader_election_start.rml", &["--write"]);
    let page = app.open(&browser);
    shoot(&page, "induction");
    for tab in ["conjectures", "claims"] {
        page.size(800, 600);
        press(&page, &with("[data-act=tab]", "data-tab", tab));
        shoot(&page, tab);
    }
    press(&page, "[data-act=symbol][data-item=\"+pnd\"]");
    page.size(800, 600);
    press(&page, "[data-act=tab][data-tab=conjectures]");
    shoot(&page, "reached");
    page.size(1400, 900);
    press(&page, ".reached [data-act=execution]");
    shoot(&page, "executions");
    for form in ["lanes", "table", "compare"] {
        press(&page, &with("[data-act=as]", "data-as", form));
        shoot(&page, form);
    }
    strike(&page, "4");
    shoot(&page, "start");
    press(&page, ".start [type=submit]");
    press(&page, ".way");
    press(&page, "[data-act=as][data-as=picture]");
    shoot(&page, "simulate");
    strike(&page, "5");
    shoot(&page, "model");
    strike(&page, "?");
    shoot(&page, "keys");
    press(&page, "dialog [data-act=close]");
    strike(&page, "1");
    press(&page, "[data-act=reset]");
    for _ in 0..3 {
        press(&page, ".suggestion.first [data-act=add]");
    }
    shoot(&page, "inductive");
    strike(&page, "w");
    shoot(&page, "write");
    press(&page, "dialog [data-act=close]");
    strike(&page, "2");
    shoot(&page, "proof");
    for (model, name) in [
        ("paxos_broken.pyv", "paxos"),
        ("chord_bug.rml", "chord"),
        ("two_phase_commit_broken.pyv", "two-phase-commit"),
    ] {
        let app = App::example(model, &[]);
        let page = app.open(&browser);
        shoot(&page, name);
    }
    app.dir.run(&["verify", "--html", "report.html", "leader_election_start.rml"]).ends_with(0);
    let report = browser.page();
    report.open(&format!("file://{}", app.dir.0.join("report.html").display()));
    shoot(&report, "report");
}
