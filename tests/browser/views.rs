//! What the views tell agrees with what the commands print.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::app::{App, attributes, enter, press, set, settle, strike, strings, with};
use crate::common::binary::{Dir, broken_lock};
use crate::driver::{Browser, Page};

const START: &str = "leader_election_start.rml";

/// Opens a view.
#[track_caller]
fn go(page: &Page<'_>, view: &str) {
    press(page, &with("#top [data-act=view]", "data-view", view));
}

/// Returns the variables of a violated claim with their elements.
#[track_caller]
fn bindings(page: &Page<'_>) -> BTreeMap<String, String> {
    let text = page.text(".violated");
    let text = text.rsplit_once(" for ").expect("values of variables").1;
    let pairs = text.split(", ").map(|pair| pair.split_once(" = ").expect("a value"));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

#[test]
fn witnesses_have_tags_and_atoms_their_truth() {
    let Some(browser) = Browser::start() else { return };
    for model in [START, "lock_server_broken.pyv"] {
        let app = App::example(model, &[]);
        let page = app.open(&browser);
        let values = bindings(&page);
        let tags = page.eval(
            "[...document.querySelectorAll('.state:last-of-type .box .tag')].map(it =>
                `${it.textContent.trim()} ${it.closest('.box').querySelector('.name').textContent.trim()}`)",
        );
        let expected = values.iter().map(|(name, value)| format!("{name} {value}")).collect();
        assert_eq!(set(strings(&tags)), expected, "{model}");
        let facts = set(attributes(&page, ".state:last-of-type [data-fact]", "data-fact"));
        let atoms = page.eval(
            "[...document.querySelectorAll('.violated .atom')].map(it =>
                [it.firstChild.parentNode.textContent.replace(/(true|false)$/u, '').trim(), it.classList.contains('true')])",
        );
        let mut seen = 0;
        for atom in atoms.as_array().expect("a list") {
            let (text, value) = (atom[0].as_str().expect("an atom"), atom[1] == true);
            let Some((symbol, args)) = text.trim_end_matches(')').split_once('(') else { continue };
            // Atoms about other terms than variables are judged elsewhere.
            let args: Option<Vec<&str>> =
                args.split(',').map(|arg| values.get(arg.trim()).map(String::as_str)).collect();
            let Some(args) = args else { continue };
            let fact = format!("{symbol}({})", args.join(","));
            assert_eq!(facts.contains(&fact), value, "{model}: {text} is {fact} in {facts:?}");
            seen += 1;
        }
        assert!(seen > 0, "{model}: {atoms}");
        assert_eq!(page.complaints(), [""; 0]);
    }
}

#[test]
fn pictures_are_saved_as_files() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    // What a person gets is a download; here it is read.
    page.eval(
        "window.saved = []; URL.createObjectURL = blob => { window.saved.push(blob.text()); return '#'; }; void 0",
    );
    press(&page, "[data-act=save-pictures]");
    let saved = strings(&page.eval("Promise.all(window.saved)"));
    assert_eq!(saved.len(), 2);
    for picture in saved {
        assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{picture}");
        assert!(picture.contains("node0") && picture.ends_with("</svg>"), "{picture}");
    }
    assert_eq!(page.complaints(), [""; 0]);
}

/// `m` is chosen on one of the ways through the action alone.
#[test]
fn parameters_are_those_that_executed_statements_chose() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    let mut all = BTreeSet::new();
    for _ in 0..4 {
        for number in 1..=attributes(&page, "[data-act=number]", "class").len().max(1) {
            if number > 1 {
                strike(&page, "]");
            }
            let params = page.text(".state.after .params");
            let params: BTreeSet<String> =
                params.split(", ").filter_map(|it| Some(it.split_once(" = ")?.0.to_owned())).collect();
            let code =
                page.eval("[...document.querySelectorAll('.statements code')].map(it => it.innerText)");
            let chosen = strings(&code).into_iter();
            let chosen: BTreeSet<String> =
                chosen.filter_map(|it| it.strip_suffix(" := *").map(str::to_owned)).collect();
            assert!(!chosen.is_empty());
            assert_eq!(params, chosen);
            all.insert(params);
        }
        if page.text(".verdict").contains("inductive") {
            break;
        }
        press(&page, ".suggestion.first [data-act=add]");
        if page.text(".verdict").contains("inductive") {
            break;
        }
    }
    assert!(all.len() > 1, "{all:?}");
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn arrows_of_the_proof_are_what_each_proof_needs() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example("leader_election.rml", &[]);
    let page = app.open(&browser);
    assert_eq!(page.text("#main h1"), "The claims are inductive");
    go(&page, "proof");
    page.wait("document.querySelector('[data-edge]')", 60);
    let explained = app.dir.run(&["explain", "--format", "json", "leader_election.rml"]).ends_with(0).json();
    let mut expected = BTreeSet::new();
    for entry in explained["claims"].as_array().expect("claims") {
        let claim = entry["claim"]["label"].as_str().expect("a label");
        for obligation in entry["obligations"].as_array().expect("obligations") {
            let place = obligation["place"].as_str().expect("a place");
            for need in strings(&obligation["invariants"]).into_iter().filter(|need| need != claim) {
                expected.insert(format!("{claim} {place} {need}"));
            }
        }
    }
    assert_eq!(set(attributes(&page, "[data-edge]", "data-edge")), expected);
    // A click on a claim dims what has nothing to do with it.
    press(&page, ".proof[data-claim=C3] [data-act=focus]");
    assert!(page.eval("document.querySelectorAll('.proof.dim').length < 4") == json!(true));
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_claim_that_nothing_uses_can_go() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example("lock_server.rml", &[]);
    let page = app.open(&browser);
    let claims = || attributes(&page, ".matrix [data-formula]", "data-formula").len();
    let count = claims();
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", 60);
    enter(&page, "forall N:client. N = N");
    press(&page, ".own [type=submit]");
    assert_eq!(claims(), count + 1, "{}", page.text("body"));
    go(&page, "proof");
    page.wait("document.querySelector('[data-edge]')", 60);
    let unused = page.eval(
        "[...document.querySelectorAll('.proof')].filter(it => it.innerText.includes('nothing uses this'))
            .map(it => it.dataset.claim)",
    );
    let unused = strings(&unused);
    assert_eq!(unused.len(), 1, "{unused:?}");
    go(&page, "induction");
    press(&page, &with("[data-act=claim]", "data-claim", &unused[0]));
    press(&page, "dialog [data-act=do-remove] [type=submit]");
    assert_eq!(claims(), count);
    assert!(page.text(".verdict").contains("inductive"));
    assert_eq!(page.complaints(), [""; 0]);
}

/// Returns the true facts of relations in the states of a document.
fn relations(states: &Value) -> Vec<BTreeSet<String>> {
    let text = |fact: &Value| {
        let (symbol, args) = (fact["symbol"].as_str().expect("a symbol"), strings(&fact["args"]));
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(",")) };
        format!("{symbol}{args}")
    };
    let state = |state: &Value| {
        let facts = state["facts"].as_array().expect("facts").iter();
        facts.filter(|fact| fact["value"] == true).map(text).collect()
    };
    states.as_array().expect("states").iter().map(state).collect()
}

#[test]
fn keys_slider_and_bars_of_an_execution_agree() {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file("lock.pyv", broken_lock());
    let app = App::start(dir, "lock.pyv", &[]);
    let page = app.open(&browser);
    go(&page, "executions");
    let bounded = app.dir.run(&["bmc", "--depth", "6", "--format", "json", "lock.pyv"]).ends_with(1).json();
    let document = relations(&bounded["violation"]["counterexample"]["states"]);
    let last = document.len() - 1;
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, facts) in document.iter().enumerate() {
        for fact in facts {
            expected.entry(fact.clone()).or_default().push(at.to_string());
        }
    }
    let facts = attributes(&page, ".bar", "data-fact");
    let states = attributes(&page, ".bar", "data-states");
    let bars: BTreeMap<String, Vec<String>> =
        facts.into_iter().zip(states.iter().map(|it| it.split(',').map(str::to_owned).collect())).collect();
    assert_eq!(bars, expected);
    // The drawn parts of a bar cover its states.
    let covered = page.eval(
        "[...document.querySelectorAll('.bar')].every(it => it.dataset.states.split(',').length ===
            [...it.querySelector('.on').getAttribute('d').matchAll(/M([0-9.]+) 0.1H([0-9.]+)/g)]
                .reduce((sum, [_, from, to]) => sum + Math.ceil(to - from), 0))",
    );
    assert_eq!(covered, json!(true));
    let agree = |at: usize| {
        assert_eq!(page.text(".time output"), format!("state {at} of {last}"));
        assert_eq!(page.eval("Number(document.querySelector('.time [type=range]').value)"), json!(at));
        let pressed = attributes(&page, ".steps button", "aria-pressed");
        assert_eq!(pressed.iter().position(|it| it == "true"), Some(at));
        let place = page.eval("[...document.querySelectorAll('.bar .at')].map(it => it.x.baseVal.value)");
        assert!(place.as_array().expect("a list").iter().all(|x| *x == json!(at)), "{place}");
        let shown = set(attributes(&page, ".facts tr", "data-key"));
        assert!(document[at].is_subset(&shown), "{at}: {shown:?}");
        let others = document.iter().flatten().filter(|fact| !document[at].contains(*fact));
        assert!(others.into_iter().all(|fact| !shown.contains(fact)), "{at}: {shown:?}");
    };
    press(&page, "[data-act=as][data-as=table]");
    press(&page, ".steps [data-step=\"0\"]");
    agree(0);
    for at in 1..=last {
        strike(&page, "ArrowRight");
        agree(at);
    }
    // There is nothing after the last.
    strike(&page, "ArrowRight");
    agree(last);
    strike(&page, "ArrowLeft");
    agree(last - 1);
    // The slider has keys of its own.
    page.eval("document.querySelector('.time [type=range]').focus()");
    strike(&page, "Home");
    agree(0);
    strike(&page, "ArrowRight");
    agree(1);
    for form in ["lanes", "compare", "picture"] {
        press(&page, &with("[data-act=as]", "data-as", form));
        assert!(page.text(".executions .centre .card").len() > 10, "{form}");
    }
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn offered_transitions_can_be_taken_and_others_tell_why_not() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    go(&page, "simulate");
    for sort in ["node", "id"] {
        page.click(&with(".start input", "name", sort));
        page.key("2");
    }
    press(&page, ".start [type=submit]");
    let walk = |actions: &[String]| {
        let calls = actions.join(",");
        let mut args = vec!["simulate", "--size", "node=2,id=2", "--format", "json", START];
        if !actions.is_empty() {
            args.extend(["--actions", calls.as_str()]);
        }
        app.dir.run(&args)
    };
    let ways = || {
        let (names, args) =
            (attributes(&page, ".way", "data-action"), attributes(&page, ".way", "data-args"));
        let call = |(name, args): (String, String)| {
            let args: Value = serde_json::from_str(&args).expect("arguments");
            format!("{name}({})", strings(&args).join(","))
        };
        names.into_iter().zip(args).map(call).collect::<Vec<_>>()
    };
    // Nothing is pending in the beginning.
    let blocked = page.eval(
        "[...document.querySelectorAll('.blocked')].map(it =>
            [it.dataset.action, it.querySelector('[data-formula]')?.dataset.formula ?? ''])",
    );
    assert_eq!(blocked[0][0], json!("branch2"), "{blocked}");
    assert!(blocked[0][1].as_str().is_some_and(|it| it.contains("pnd")), "{blocked}");
    walk(&["branch2(_,_)".to_owned()]).ends_with(1);
    let mut taken: Vec<String> = Vec::new();
    for _ in 0..3 {
        let offered = ways();
        assert!(!offered.is_empty());
        for call in &offered {
            let all: Vec<String> = taken.iter().chain([call]).cloned().collect();
            walk(&all).ends_with(0);
        }
        press(&page, ".way");
        taken.push(offered[0].clone());
        let document = walk(&taken).ends_with(0).json();
        let states = relations(&document["execution"]["states"]);
        press(&page, "[data-act=as][data-as=table]");
        let shown = set(attributes(&page, ".facts tr", "data-key"));
        assert!(states[taken.len()].is_subset(&shown), "{states:?} {shown:?}");
    }
    // From an earlier state another walk begins.
    press(&page, ".steps [data-step=\"1\"]");
    settle(&page);
    press(&page, ".way");
    assert_eq!(page.text(".time output"), "state 2 of 2");
    assert_eq!(page.complaints(), [""; 0]);
}
