//! Entries that no command makes as they are here, in all formats.

use super::baseline::{self, Baseline};
use super::entry::uri;
use super::{Entry, Results, github, junit, sarif};
use crate::Verdict;
use crate::finding::{Question, Rule, Status};
use crate::json::dto::{Label, Place};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Diagnostic;

fn entry(title: &str, status: Status, line: usize) -> Entry {
    let place =
        Place { file: "a b/%1.pyv".into(), line, column: 3, end_line: line, end_column: 9, start: 0, end: 6 };
    let question = Rule::Question(Question::Consecution);
    let mut entry = Entry::of_question("a b/%1.pyv", question, status, title, format!("not so: {title}"));
    entry.primary = Some(Label { place, text: String::new() });
    entry
}

fn results(entries: Vec<Entry>) -> Results {
    let verdict = entries.iter().map(Entry::verdict).max().unwrap_or_default();
    let mut results = Results {
        command: "verify".to_owned(),
        verdict,
        entries,
        explanations: Vec::new(),
        is_quiet: false,
        parts: Vec::new(),
        comparison: None,
    };
    results.complete(None);
    results
}

#[test]
fn workflow_commands_are_escaped_and_the_worst_comes_first() {
    let all = vec![
        entry("x, y: 100%\r\nz", Status::Unknown, 7),
        entry("fine", Status::Holds, 8),
        entry("bad", Status::Violated, 9),
    ];
    let text = github::text(&results(all));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "::error file=a b/%251.pyv,line=9,col=3,endColumn=8,title=a b/%251.pyv%3A bad::not so: bad",
            "::warning file=a b/%251.pyv,line=7,col=3,endColumn=8,title=a b/%251.pyv%3A x%2C y%3A 100%25%0D%0Az::not so: x, y: 100%25%0D%0Az",
        ]
    );
}

#[test]
fn xml_has_no_illegal_characters_and_no_equal_names() {
    let all =
        vec![entry("<&\"\u{0}\u{1b}>", Status::Violated, 1), entry("<&\"\u{0}\u{1b}>", Status::Violated, 2)];
    let text = junit::text(&results(all)).expect("XML");
    assert!(!text.contains(['\u{0}', '\u{1b}']));
    let names: Vec<&str> = text.lines().filter(|line| line.contains("<testcase")).collect();
    assert!(names[0].contains("name=\"&lt;&amp;&quot;&gt;\""), "{text}");
    assert!(names.len() == 2 && names[1].contains(" ["), "{text}");
    assert!(text.contains("tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""), "{text}");
}

#[test]
fn equal_entries_have_different_fingerprints() {
    let both = results(vec![entry("same", Status::Violated, 1), entry("same", Status::Violated, 2)]).entries;
    assert_ne!(both[0].fingerprint, both[1].fingerprint);
    assert_ne!(both[0].identity(), both[1].identity());
}

#[test]
fn references_are_uris() {
    assert_eq!(uri("./models/a b.pyv"), "models/a%20b.pyv");
    assert_eq!(uri("/tmp/ä.pyv"), "file:///tmp/%C3%A4.pyv");
    assert_eq!(uri("c:d.pyv"), "file:///c:d.pyv");
    assert_eq!(uri("ab:d.pyv"), "ab%3Ad.pyv");
    assert_eq!(uri("a\\b.pyv"), "a/b.pyv");
}

#[test]
fn what_is_new_decides() {
    let before = sarif::text(&results(vec![
        entry("known", Status::Violated, 1),
        entry("was unknown", Status::Unknown, 2),
        entry("better", Status::Violated, 3),
        entry("repaired", Status::Violated, 4),
        entry("gone", Status::Violated, 5),
    ]))
    .expect("JSON");
    let baseline = baseline_of(&before).expect("a baseline");
    let now = |entries| {
        let mut results = results(entries);
        results.compare(&baseline);
        results
    };
    let same = now(vec![
        entry("known", Status::Violated, 11),
        entry("was unknown", Status::Unknown, 12),
        entry("better", Status::Unknown, 13),
        entry("repaired", Status::Holds, 14),
    ]);
    assert_eq!(same.verdict, Verdict::Ok);
    let comparison = same.comparison.expect("a comparison");
    assert_eq!((comparison.known, comparison.new), (3, 0));
    assert_eq!(comparison.absent.len(), 2);
    assert!(comparison.absent[0].starts_with("no more: ") && comparison.absent[0].contains("repaired"));
    assert!(comparison.absent[1].starts_with("not asked any more: "));
    // What became worse is new.
    let worse = now(vec![entry("was unknown", Status::Violated, 2)]);
    assert_eq!(worse.verdict, Verdict::Counterexample);
    assert_eq!(worse.comparison.map(|it| (it.new, it.absent.len())), Some((1, 4)));
    assert_eq!(now(vec![entry("other", Status::Unknown, 2)]).verdict, Verdict::Unknown);
    // An internal error counts whatever was before.
    assert_eq!(now(vec![entry("known", Status::InternalError, 1)]).verdict, Verdict::InternalError);
}

fn baseline_of(text: &str) -> Result<Baseline, Diagnostic> {
    let mut sources = Sources::new();
    let file = sources.push(ramsey_core::base::span::Source::new("base.sarif".to_owned(), text.to_owned()));
    baseline::read(&sources[file], file)
}

#[test]
fn what_is_no_earlier_answer_is_an_error() {
    for (text, wanted) in [
        ("{\"runs\": [", "no JSON"),
        ("{}", "neither"),
        ("[]", "neither"),
        ("{\"schema\": \"ramsey/verify/1\"}", "ramsey/verify/2"),
        ("{\"schema\": \"ramsey/eval/1\"}", "`eval`"),
        ("{\"version\": \"2.0\", \"runs\": []}", "2.1.0"),
        ("{\"version\": \"2.1.0\", \"runs\": [{\"results\": []}]}", "tool"),
        (
            "{\"version\": \"2.1.0\", \"runs\": [{\"tool\": {\"driver\": {\"name\": \"ramsey\"}}, \"results\": [{\"message\": {}}]}]}",
            "fingerprint",
        ),
    ] {
        let error = baseline_of(text).expect_err(text);
        assert!(error.message.contains(wanted), "{text}: {}", error.message);
        assert!(error.primary.is_some() && error.help.is_some(), "{text}");
    }
    // Runs of other tools say nothing of claims.
    let other = "{\"version\": \"2.1.0\", \"runs\": [{\"tool\": {\"driver\": {\"name\": \"other\"}}, \"results\": [{\"message\": {}}]}]}";
    assert!(baseline_of(other).is_ok());
}
