//! The page says what was shown, and no more.

use std::time::Duration;

use serde_json::json;

use crate::app::{App, PATIENCE, attributes, enter, example, press, settle, strike, with};
use crate::common::binary::Dir;
use crate::common::models::without_conjectures;
use crate::driver::{Browser, Page};

const LOCK: &str = include_str!("../models/lock.pyv");

const JURIES: &str =
    concat!(include_str!("../models/juries.pyv"), "invariant [once] said(P, A) & said(P, B) -> A = B\n");

fn app(name: &str, text: &str) -> App {
    let dir = Dir::new();
    dir.file(name, text);
    App::start(dir, name, &[])
}

fn view(page: &Page<'_>, view: &str) {
    press(page, &with("#top [data-act=view]", "data-view", view));
}

#[test]
fn a_claim_that_is_false_soon_is_told_before_conjectures() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", &LOCK.replace("holds(N) & N != n)", "holds(N))"));
    let page = app.open(&browser);
    assert!(page.text(".verdict").contains("mutex is false after 3 steps"), "{}", page.text(".verdict"));
    assert_eq!(attributes(&page, ".suggestion", "class"), [""; 0]);
    press(&page, ".right [data-act=show-violation]");
    assert_eq!(page.text(".time output"), "state 3 of 3");
    // Whoever wants conjectures gets them.
    view(&page, "induction");
    press(&page, "[data-act=anyway]");
    assert!(page.text(".right").contains("reached"), "{}", page.text(".right"));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn facts_that_are_reached_make_nothing_wrong() {
    let Some(browser) = Browser::start() else { return };
    let app = app("juries.pyv", JURIES);
    let page = app.open(&browser);
    let told = page.text(".reached");
    assert!(told.contains("no universally quantified conjecture"), "{told}");
    assert!(told.contains("more elements") && told.contains("exists"), "{told}");
    assert!(!told.contains("wrong"), "{told}");
    assert!(page.eval("document.querySelector('.reached [data-act=infer]') !== null") == json!(true));
    // What was left out can be kept.
    press(&page, ".reached [data-act=keep]");
    assert!(!attributes(&page, ".strip [data-act=release]", "data-fact").is_empty());
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn inference_says_which_claims_stay_open() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", &format!("{LOCK}invariant [wrong] free\n"));
    let page = app.open(&browser);
    press(&page, ".more-ways [data-act=infer]");
    page.wait("document.querySelector('.right [data-act=add-all]')", PATIENCE);
    assert!(
        page.text(".right").contains("all obligations hold but those of wrong"),
        "{}",
        page.text(".right")
    );
    press(&page, "[data-act=add-all][data-remove]");
    page.wait("document.querySelector('.verdict').innerText.includes('inductive')", PATIENCE);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_second_page_follows_and_adds_nothing_twice() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", LOCK);
    let (first, second) = (app.open(&browser), app.open(&browser));
    let formula = attributes(&second, ".suggestion.first .line [data-formula]", "data-formula").concat();
    press(&first, ".suggestion.first [data-act=add]");
    second.wait("document.querySelector('.log').innerText.includes('Added')", 2);
    press(&second, ".left [data-act=own]");
    second.wait("document.activeElement.id === 'own'", PATIENCE);
    enter(&second, &formula);
    press(&second, ".own [type=submit]");
    assert!(second.text("#own-error").contains("says this already"), "{}", second.text("#own-error"));
    assert_eq!(first.complaints(), [""; 0]);
}

#[test]
fn earlier_states_of_a_walk_show_what_can_happen_there() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", LOCK);
    let page = app.open(&browser);
    strike(&page, "4");
    press(&page, ".start [type=submit]");
    let actions = || attributes(&page, ".simulate .way", "data-action");
    press(&page, &with(".way", "data-action", "take"));
    assert!(actions().iter().all(|it| it == "give"), "{:?}", actions());
    press(&page, ".steps [data-step=\"0\"]");
    assert!(actions().iter().all(|it| it == "take"), "{:?}", actions());
    assert!(page.text(".simulate .right").contains("What can happen in state 0"));
    press(&page, &with(".way", "data-action", "take"));
    assert_eq!(page.text(".time output"), "state 1 of 1");
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_model_that_claims_nothing_is_not_inductive() {
    let Some(browser) = Browser::start() else { return };
    let text: Vec<&str> = LOCK.lines().filter(|line| !line.starts_with("safety")).collect();
    let app = app("lock.pyv", &(text.join("\n") + "\n"));
    let page = app.open(&browser);
    for name in ["induction", "proof", "executions"] {
        view(&page, name);
        let text = page.text("body");
        assert!(text.contains("claims nothing") && !text.contains("inductive"), "{name}: {text}");
    }
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn dialogs_keep_what_is_wrong() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", LOCK);
    let page = app.open(&browser);
    press(&page, ".watches [data-act=watch]");
    page.wait("document.activeElement.name === 'text'", PATIENCE);
    enter(&page, "hold");
    strike(&page, "Enter");
    page.wait("document.querySelector('dialog[open] .problem')", PATIENCE);
    assert_eq!(page.eval("document.querySelector('dialog [name=text]').value"), json!("hold"));
    assert!(page.text("dialog .problem").contains("`hold` is not declared"), "{}", page.text("dialog"));
    page.eval("document.querySelector('dialog [name=text]').value = 'free'");
    press(&page, "dialog [type=submit]");
    page.wait("!document.querySelector('dialog')", PATIENCE);
    assert_eq!(attributes(&page, ".watches [data-act=unwatch]", "data-formula"), ["free"]);
}

#[test]
fn an_error_on_disk_ends_the_check() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", LOCK);
    let page = app.open(&browser);
    app.dir.file("lock.pyv", LOCK.replace("init free", "init fre"));
    page.wait("document.querySelector('#banner [data-act=reload]')", 20);
    press(&page, "#banner [data-act=reload]");
    assert!(page.text(".verdict").contains("the model has an error"), "{}", page.text(".verdict"));
    assert!(page.text("#main .problem").contains("Line 5: `fre` is not declared"), "{}", page.text("#main"));
    assert_eq!(page.text("#status span"), "idle");
}

#[test]
fn what_runs_is_seen_from_every_view() {
    let Some(browser) = Browser::start() else { return };
    let app = app("chord.rml", &without_conjectures(&example("chord.rml")));
    let page = browser.page();
    page.open(&app.url);
    page.wait("document.querySelector('.more-ways [data-act=infer]')", PATIENCE);
    // Parts of the page move while answers come.
    page.eval("document.querySelector('.more-ways [data-act=infer]').click()");
    page.wait("document.querySelector('.right [data-slot=inference]')", PATIENCE);
    page.click(&with("#top [data-act=view]", "data-view", "model"));
    page.wait("document.querySelector('#status [data-slot=inference]')", PATIENCE);
    page.eval("document.querySelector('#status [data-slot=inference]').click()");
    page.wait("!document.querySelector('#status [data-slot=inference]')", PATIENCE);
    assert!(page.text("#status").contains("stopped"), "{}", page.text("#status"));
}

#[test]
fn the_browser_leads_back_to_views() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", LOCK);
    let page = app.open(&browser);
    view(&page, "proof");
    view(&page, "model");
    assert_eq!(page.eval("location.hash"), json!("#model"));
    for shown in ["proof", "induction"] {
        page.eval("history.back()");
        page.wait(
            &format!("document.querySelector('nav [aria-current]').dataset.view === '{shown}'"),
            PATIENCE,
        );
    }
    page.eval("history.forward()");
    page.wait("document.querySelector('nav [aria-current]').dataset.view === 'proof'", PATIENCE);
    // So does the address alone.
    page.eval("location.reload()");
    std::thread::sleep(Duration::from_millis(300));
    settle(&page);
    assert_eq!(page.eval("document.querySelector('nav [aria-current]').dataset.view"), json!("proof"));
}

#[test]
fn the_page_is_as_strict_as_verify() {
    let Some(browser) = Browser::start() else { return };
    const TEXT: &str = "
sort node
relation on: node
function next: node -> node
assume !on(X)
while * do {
  action flip(n: node) { assume on(next(n)); on.insert(n) }
}
safety [off] !on(X)
";
    let app = app("ring.rml", TEXT);
    let verified = app.dir.run(&["verify", "ring.rml"]);
    assert!(verified.err.contains("error[R021]"), "{}", verified.err);
    let page = app.open(&browser);
    assert!(page.text(".verdict").contains("the model has an error"), "{}", page.text(".verdict"));
    assert!(page.text("#main .problem").contains("not stratified"), "{}", page.text("#main"));
    let lenient = app.restarted(&["--no-strict"]);
    let page = lenient.open(&browser);
    assert!(page.text(".verdict").contains("inductive"), "{}", page.text(".verdict"));
}

#[test]
fn the_failing_cell_can_be_seen() {
    let Some(browser) = Browser::start() else { return };
    let step = |at: usize| {
        let guard = if at == 11 { "" } else { "& !a(n) " };
        format!(
            "transition transition_number_{at}(n: node)\n  modifies b\n  {guard}& (new(b(N)) <-> b(N) | N = n)\n"
        )
    };
    let steps: String = (0..12).map(step).collect();
    let text = format!(
        "sort node\nimmutable relation a(node)\nmutable relation b(node)\ninit !b(N)\n{steps}safety [apart] !(a(N) & b(N))\n"
    );
    let app = app("many.pyv", &text);
    let page = app.open(&browser);
    let is_seen = page.eval(
        "(() => {
            const cell = document.querySelector('.matrix .cell[aria-pressed=true]').getBoundingClientRect();
            const place = document.querySelector('.claims').getBoundingClientRect();
            return cell.left >= place.left && cell.right <= place.right && cell.top >= place.top;
        })()",
    );
    assert_eq!(is_seen, json!(true));
}

#[test]
fn pictures_can_be_read_and_lie_beside_each_other() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example("paxos_broken.pyv", &[]);
    let page = browser.page();
    page.size(1400, 900);
    page.open(&app.url);
    page.wait("document.querySelectorAll('.pair .state svg').length === 2", PATIENCE);
    let sizes = || {
        let found = page.eval(
            "[...document.querySelectorAll('.pair .state svg')].map(svg => {
                const text = parseFloat(getComputedStyle(svg.querySelector('.name text')).fontSize);
                return [text * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width, svg.parentElement.getBoundingClientRect().top];
            })",
        );
        let number = |at: usize, what: usize| found[at][what].as_f64().expect("a number");
        assert!((number(0, 1) - number(1, 1)).abs() < 1.0, "{found}");
        number(0, 0)
    };
    let before = sizes();
    assert!(before >= 9.0, "{before}");
    page.click("[data-act=zoom][aria-label=\"Larger pictures\"]");
    page.wait("document.body.dataset.ready !== ''", PATIENCE);
    std::thread::sleep(Duration::from_millis(200));
    assert!(sizes() > before * 1.2, "{} {before}", sizes());
    // Both show the same part.
    page.eval("document.querySelector('.pair .picture').scrollTo(40, 0)");
    page.wait("[...document.querySelectorAll('.pair .picture')].every(it => it.scrollLeft === 40)", PATIENCE);
}

#[test]
fn pictures_are_dragged_and_their_facts_clicked() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example("two_phase_commit_broken.pyv", &[]);
    let page = app.open(&browser);
    for _ in 0..4 {
        press(&page, "[data-act=zoom][aria-label=\"Larger pictures\"]");
    }
    let scrolled = || page.eval("[...document.querySelectorAll('.pair .picture')].map(it => it.scrollLeft)");
    page.eval("document.querySelector('.pair .picture').scrollTo(0, 0)");
    let fact = ".state.before [data-act=fact]";
    // What is pressed in the middle of the place moves with the pointer.
    page.eval(&format!(
        "document.querySelector('{fact}').scrollIntoView({{ block: 'center', inline: 'center' }})"
    ));
    let [start, _]: [f64; 2] = serde_json::from_value(scrolled()).expect("two places");
    assert!(start >= 40.0, "there is room on the left: {start}");
    page.drag(fact, 40.0, 0.0);
    page.wait(
        &format!(
            "[...document.querySelectorAll('.pair .picture')].every(it => it.scrollLeft === {})",
            start - 40.0
        ),
        PATIENCE,
    );
    // A narrow picture shows its end where the other one goes further, and does not hold it back.
    page.eval("document.querySelectorAll('.pair .picture')[1].style.width = '500px'");
    page.eval("document.querySelector('.pair .picture').scrollTo(9999, 0)");
    page.wait(
        "(([wide, narrow]) => wide.scrollLeft > narrow.scrollLeft && narrow.scrollLeft === narrow.scrollWidth - narrow.clientWidth)
            (document.querySelectorAll('.pair .picture'))",
        PATIENCE,
    );
    std::thread::sleep(Duration::from_millis(200));
    let [wide, narrow]: [f64; 2] = serde_json::from_value(scrolled()).expect("two places");
    assert!(wide > narrow, "{wide} {narrow}");
    settle(&page);
    assert_eq!(page.eval("document.body.classList.contains('dragging')"), json!(false));
    assert_eq!(attributes(&page, ".state.before .role-out", "class"), [""; 0], "a drag is no click");
    // A hand that trembles still clicks.
    page.drag(fact, 2.0, 1.0);
    page.wait("document.querySelector('.state.before .role-out')", PATIENCE);
    settle(&page);
    press(&page, fact);
    assert_eq!(attributes(&page, ".state.before .role-out", "class"), [""; 0]);
    // Keys reach the picture and its facts.
    assert_eq!(page.eval("document.querySelector('.pair .picture').tabIndex"), json!(0));
    assert_eq!(page.eval(&format!("document.querySelector('{fact}').tabIndex")), json!(0));
    assert_eq!(page.complaints(), [""; 0]);
}

/// What was added seems true for the few steps that are checked at once, and is false later.
#[test]
fn a_conjecture_that_is_false_late_is_told_when_it_is_known() {
    let Some(browser) = Browser::start() else { return };
    let tokens: String = (0..9).map(|at| format!("mutable relation s{at}\n")).collect();
    let start: Vec<String> = (1..9).map(|at| format!("!s{at}")).collect();
    let step = |at: usize| format!("transition step{at}()\n  modifies s{at}\n  & s{} & new(s{at})\n", at - 1);
    let steps: String = (1..9).map(step).collect();
    let start = start.join(" & ");
    let app = app("late.pyv", &format!("{tokens}init s0 & {start}\n{steps}safety [first] s0\n"));
    let page = app.open(&browser);
    assert!(page.text(".verdict").contains("inductive"), "{}", page.text(".verdict"));
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", PATIENCE);
    enter(&page, "!s8");
    press(&page, ".own [type=submit]");
    // Nobody waits for the longer executions.
    assert!(page.text(".verdict").contains("fail"), "{}", page.text(".verdict"));
    assert_eq!(attributes(&page, "[data-act=show-violation]", "class"), [""; 0]);
    page.wait("document.querySelector('.verdict').innerText.includes('is false after 8 steps')", PATIENCE);
    press(&page, ".right [data-act=show-violation]");
    assert_eq!(page.text(".time output"), "state 8 of 8");
    // Without the conjecture nothing of this is said.
    strike(&page, "u");
    page.wait("document.querySelector('.verdict').innerText.includes('inductive')", PATIENCE);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_thousand_claims_are_listed_in_parts() {
    let Some(browser) = Browser::start() else { return };
    let claims: String =
        (0..1_000).map(|at| format!("invariant [claim_{at}] holds(N) -> holds(N)\n")).collect();
    let app = app("lock.pyv", &format!("{LOCK}{claims}"));
    let page = app.open(&browser);
    for name in ["induction", "proof"] {
        view(&page, name);
        let nodes = page.eval("document.querySelectorAll('*').length").as_u64().expect("a number");
        assert!(nodes < 6_000, "{name}: {nodes}");
    }
    view(&page, "induction");
    assert!(page.text(".left .pages").contains("1 to 40 of 1001"), "{}", page.text(".left .pages"));
    press(&page, ".left .pages [data-act=page]:not(:disabled)");
    assert!(page.text(".left .pages").contains("41 to 80 of 1001"), "{}", page.text(".left .pages"));
    // The claim whose counterexample is shown is there again.
    press(&page, ".left .pages [data-act=page]:not(:disabled)");
    page.eval("document.querySelector('.matrix .cell.failed').click()");
    settle(&page);
    assert!(page.text(".matrix").contains("mutex"));
}

#[test]
fn theorems_are_among_the_claims() {
    const MODEL: &str = "\
sort node
mutable relation marked(node)
init !marked(N)
transition skip()
  = true
safety [some] marked(N) | !marked(N)
theorem [none] forall N:node. marked(N)
";
    let Some(browser) = Browser::start() else { return };
    let app = app("theorem.pyv", MODEL);
    let page = app.open(&browser);
    let verified = app.dir.run(&["verify", "theorem.pyv"]).ends_with(1);
    assert!(verified.out.contains("3 obligations: 2 ok, 1 failed"), "{}", verified.out);
    assert!(page.text(".verdict").contains("1 of 3 fails"), "{}", page.text(".verdict"));
    assert!(page.text(".centre").contains("none is not valid"), "{}", page.text(".centre"));
    assert_eq!(attributes(&page, ".matrix [data-outcome]", "data-outcome"), ["ok", "ok", "failed"]);
    // Nothing about reachable states is asked of it.
    assert_eq!(attributes(&page, ".suggestion, .ask", "class"), [""; 0]);
    assert_eq!(page.complaints(), [""; 0]);
}

/// A successor that never ends: outside the fragment, so that the answer to `false` takes long.
const ENDLESS: &str = "\
sort a
immutable function f(a): a
immutable constant z: a
mutable relation r(a)
axiom f(X) = f(Y) -> X = Y
axiom f(X) != z
init forall X. r(X) <-> X = z
transition up(x: a)
  modifies r
  r(x) & (new(r(X)) <-> r(X) | X = f(x))
safety [some] exists X. !r(X)
";

#[test]
fn a_check_that_was_stopped_shows_nothing() {
    let Some(browser) = Browser::start() else { return };
    let app = app("endless.pyv", ENDLESS);
    let page = browser.page();
    page.open(&app.url);
    page.wait("document.querySelector('[data-act=stop][data-slot=check]')", PATIENCE);
    page.click("[data-act=stop][data-slot=check]");
    page.wait("document.querySelector('.centre').innerText.includes('was stopped')", PATIENCE);
    assert!(page.text(".verdict").contains("not checked"), "{}", page.text(".verdict"));
    page.click("#top [data-act=view][data-view=model]");
    page.wait("document.querySelector('.model')", PATIENCE);
    assert_eq!(attributes(&page, ".model .good", "class"), [""; 0]);
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn an_answer_about_a_conjecture_goes_with_its_text() {
    let Some(browser) = Browser::start() else { return };
    let app = app("lock.pyv", LOCK);
    let page = app.open(&browser);
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", PATIENCE);
    enter(&page, "free | !free");
    press(&page, ".own [data-act=own-judge]");
    page.wait("document.querySelector('.judgement').innerText.includes('Inductive')", PATIENCE);
    page.eval("document.getElementById('own').select()");
    enter(&page, "free");
    page.wait("!document.querySelector('.judgement')", PATIENCE);
    assert_eq!(page.complaints(), [""; 0]);
}
