//! Reports: the page with its answers in one file, without a server.

use serde_json::json;

use crate::app::{App, example, offered, press, settle, with};
use crate::common::binary::Dir;
use crate::driver::{Browser, Page};

const START: &str = "leader_election_start.rml";

/// Returns what the first view shows: verdict, pictures, and what is violated. Which facts a conjecture needs is left out:
/// reports have no conjectures.
fn shown(page: &Page<'_>) -> serde_json::Value {
    page.eval(
        r#"[document.querySelector('.verdict').innerText,
          [...document.querySelectorAll('.state .picture svg')].map(it => it.innerHTML
              .replace(/ role-[a-z]+| aria-pressed="[a-z]+"/g, '')
              .replace(/, (needed|found unnecessary)"/g, '"')),
          document.querySelector('.violated').innerText]"#,
    )
}

#[test]
fn a_report_shows_what_the_page_shows() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    app.dir.run(&["verify", "--cores", "--html", "report.html", START]).ends_with(1);
    let report = browser.page();
    report.size(1400, 900);
    report.open(&format!("file://{}", app.dir.0.join("report.html").display()));
    settle(&report);
    assert!(offered(&report).is_empty(), "conjectures are not looked for");
    assert_eq!(shown(&report), shown(&page));
    let both = |view: &str, shown: &str| {
        press(&report, &with("#top [data-act=view]", "data-view", view));
        press(&page, &with("#top [data-act=view]", "data-view", view));
        assert_eq!(report.eval(shown), page.eval(shown), "{view}");
    };
    both("model", "document.querySelector('#main').innerText");
    both(
        "proof",
        "[...document.querySelectorAll('.proof li')].map(it => [it.dataset.from, it.dataset.action, it.className])",
    );
    assert_eq!(report.complaints(), [""; 0]);
}

#[test]
fn a_report_of_some_obligations_claims_nothing_of_others() {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file(START, example(START));
    let args =
        ["verify", "--check-invariant", "C0", "--check-transition", "branch1", "--html", "report.html"];
    dir.run(&[&args[..], &[START]].concat()).ends_with(0);
    let report = browser.page();
    report.open(&format!("file://{}", dir.0.join("report.html").display()));
    settle(&report);
    for place in [".verdict", ".centre"] {
        let text = report.text(place);
        assert!(text.contains("others were not asked") && !text.contains("inductive"), "{text}");
    }
    press(&report, &with("#top [data-act=view]", "data-view", "model"));
    assert_eq!(report.eval("document.querySelectorAll('.model .good').length"), json!(0));
    assert_eq!(report.complaints(), [""; 0]);
}

#[test]
fn a_report_of_a_bounded_check_shows_what_was_checked() {
    const MODEL: &str = "lock_server_bug.rml";
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file(MODEL, example(MODEL));
    let executions = |property: &[&str], code: i32| {
        let args = ["bmc", "--depth", "6", "--html", "report.html"];
        dir.run(&[&args[..], property, &[MODEL]].concat()).ends_with(code);
        let report = browser.page();
        report.open(&format!("file://{}", dir.0.join("report.html").display()));
        settle(&report);
        press(&report, &with("#top [data-act=view]", "data-view", "executions"));
        assert_eq!(report.complaints(), [""; 0]);
        (report.eval("document.querySelectorAll('.steps [data-step]').length"), report.text("#main"))
    };
    // Safety is violated after six steps, a conjecture that nobody asked for earlier.
    let (states, text) = executions(&[], 1);
    assert_eq!(states, json!(7), "{text}");
    assert!(text.contains("mutex is false after 6 steps"), "{text}");
    let (states, text) = executions(&["--property", "one_client"], 1);
    assert_eq!(states, json!(5), "{text}");
    assert!(text.contains("one_client is false after 4 steps"), "{text}");
    for holds in ["not_both", "forall C:client. !(free & away(C))"] {
        let (states, text) = executions(&["--property", holds], 0);
        assert_eq!(states, json!(0));
        assert!(text.contains("no execution of at most 6 steps violates the property"), "{text}");
    }
}

#[test]
fn a_report_of_a_proof_says_that_the_claims_are_inductive() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example("lock_server.rml", &[]);
    app.dir.file("with space.rml", example("lock_server.rml"));
    app.dir.run(&["verify", "--html", "report.html", "with space.rml"]).ends_with(0);
    let report = browser.page();
    report.open(&format!("file://{}", app.dir.0.join("report.html").display()));
    settle(&report);
    assert!(report.text(".verdict").contains("inductive"), "{}", report.text(".verdict"));
    assert_eq!(report.complaints(), [""; 0]);
}

/// What has no answer in the terminal has none in the report, and what nobody has asked is not asked for it.
#[test]
fn a_report_knows_no_more_than_the_command() {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file("lock_server.rml", example("lock_server.rml"));
    let told = dir.run(&["verify", "--work", "10", "--html", "report.html", "lock_server.rml"]);
    assert_eq!(told.code, Some(3), "{}", told.out);
    let report = browser.page();
    report.open(&format!("file://{}", dir.0.join("report.html").display()));
    settle(&report);
    let verdict = report.text(".verdict");
    let counts: Vec<&str> = verdict.split(' ').filter(|word| word.parse::<u32>().is_ok()).collect();
    let summary = format!("{} unknown", counts[0]);
    assert!(verdict.contains("unknown") && told.out.contains(&summary), "{verdict}: {}", told.out);
    let cells = report.eval("document.querySelectorAll('.cell.unknown').length").as_u64().expect("a number");
    assert_eq!(cells.to_string(), counts[0], "{}", told.out);
    press(&report, &with("#top [data-act=view]", "data-view", "proof"));
    assert!(report.text("#main").contains("--cores"), "{}", report.text("#main"));
    assert_eq!(report.complaints(), [""; 0]);
}
