//! The XML of JUnit, in the dialect that continuous integration servers share: a suite per model, a case per obligation.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::entry::{Entry, Level, Results};
use crate::Palette;
use crate::finding::Status;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::Severity;

/// What became of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl Fate {
    fn of(entry: &Entry) -> Fate {
        match (entry.status, entry.is_known) {
            _ if entry.level() == Level::Pass && entry.status != Some(Status::Skipped) => Fate::Passed,
            (Some(Status::Holds), _) => Fate::Passed,
            (Some(Status::Skipped), _) | (_, Some(true)) => Fate::Skipped,
            (Some(Status::Violated), _) => Fate::Failure,
            (Some(Status::Unknown | Status::InternalError) | None, _) => Fate::Error,
        }
    }
}

/// Entries of a model.
struct Suite<'a> {
    name: String,
    cases: Vec<&'a Entry>,
    /// Messages that are no cases, since they do not keep a run from an answer.
    remarks: Vec<&'a Entry>,
}

/// Returns the suites of all models.
pub(super) fn text(results: &Results) -> io::Result<String> {
    let suites = suites(results);
    let all: Vec<&Entry> = suites.iter().flat_map(|suite| &suite.cases).copied().collect();
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut root = BytesStart::new("testsuites");
    root.push_attribute(("name", format!("ramsey {}", results.command).as_str()));
    counts(&mut root, &all);
    xml.write_event(Event::Start(root))?;
    let mut names = Set::default();
    for suite in &suites {
        suite_text(suite, &mut names, &mut xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuites")))?;
    let mut text = String::from_utf8(xml.into_inner()).map_err(io::Error::other)?;
    text.push('\n');
    Ok(text)
}

fn suites(results: &Results) -> Vec<Suite<'_>> {
    let mut suites: Vec<Suite> = Vec::new();
    let mut places: Map<String, usize> = Map::default();
    for entry in results.listed() {
        let name = entry.model();
        let at = *places.entry(name.clone()).or_insert_with(|| {
            suites.push(Suite { name, cases: Vec::new(), remarks: Vec::new() });
            suites.len() - 1
        });
        let is_case = entry.status.is_some() || entry.severity == Severity::Error;
        if is_case { suites[at].cases.push(entry) } else { suites[at].remarks.push(entry) }
    }
    suites
}

/// Adds the numbers of cases, and their time.
fn counts(start: &mut BytesStart<'_>, cases: &[&Entry]) {
    let count = |fate| cases.iter().filter(|it| Fate::of(it) == fate).count().to_string();
    start.push_attribute(("tests", cases.len().to_string().as_str()));
    for (name, fate) in [("failures", Fate::Failure), ("errors", Fate::Error), ("skipped", Fate::Skipped)] {
        start.push_attribute((name, count(fate).as_str()));
    }
    // The sum of no times would be -0.
    let seconds = cases.iter().filter_map(|it| it.seconds).fold(0.0, |sum, it| sum + it);
    start.push_attribute(("time", format!("{seconds:.3}").as_str()));
}

fn suite_text(
    suite: &Suite<'_>,
    names: &mut Set<(String, String)>,
    xml: &mut Writer<Vec<u8>>,
) -> io::Result<()> {
    let mut start = BytesStart::new("testsuite");
    start.push_attribute(("name", legal(&suite.name).as_str()));
    counts(&mut start, &suite.cases);
    xml.write_event(Event::Start(start))?;
    for case in &suite.cases {
        case_text(case, names, xml)?;
    }
    if !suite.remarks.is_empty() {
        let text: Vec<String> = suite.remarks.iter().map(|it| it.excerpt(Palette::PLAIN)).collect();
        element("system-err", &[], text.join("\n").trim_end(), xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuite")))
}

fn case_text(entry: &Entry, names: &mut Set<(String, String)>, xml: &mut Writer<Vec<u8>>) -> io::Result<()> {
    let class = class(entry);
    let mut name = match entry.status {
        Some(_) => entry.title.clone(),
        None => format!("{}: {}", entry.rule.word(), entry.title),
    };
    // Servers drop cases with the name of another one.
    if !names.insert((class.clone(), name.clone())) {
        name = format!("{name} [{}]", entry.fingerprint);
        names.insert((class.clone(), name.clone()));
    }
    let mut start = BytesStart::new("testcase");
    start.push_attribute(("classname", legal(&class).as_str()));
    start.push_attribute(("name", legal(&name).as_str()));
    if let Some(spot) = entry.place() {
        start.push_attribute(("file", legal(spot.file).as_str()));
        start.push_attribute(("line", spot.line().to_string().as_str()));
    }
    start.push_attribute(("time", format!("{:.3}", entry.seconds.unwrap_or_default()).as_str()));
    let fate = Fate::of(entry);
    if fate == Fate::Passed {
        return xml.write_event(Event::Empty(start));
    }
    xml.write_event(Event::Start(start))?;
    let (message, kind) = (entry.message.as_str(), entry.rule.word());
    match fate {
        Fate::Failure => element("failure", &[("message", message), ("type", kind)], &body(entry), xml)?,
        Fate::Error => {
            let kind = entry.status.map_or(kind, Status::word);
            element("error", &[("message", message), ("type", kind)], &body(entry), xml)?;
        }
        Fate::Skipped if entry.level() == Level::Pass => {
            element("skipped", &[("message", message)], "", xml)?
        }
        Fate::Skipped => {
            element("skipped", &[("message", &format!("known before: {message}"))], "", xml)?;
        }
        Fate::Passed => {}
    }
    xml.write_event(Event::End(BytesEnd::new("testcase")))
}

/// Returns the model as the name of a class: servers take what is before the last dot for a package.
fn class(entry: &Entry) -> String {
    let path = entry.path.strip_prefix("./").unwrap_or(&entry.path);
    let name = path.trim_start_matches('/').replace('.', "_").replace(['/', '\\'], ".");
    match &entry.isolate {
        Some(isolate) => format!("{name}:{isolate}"),
        None => name,
    }
}

/// Returns all that is known, since some servers do not show the attribute with the message.
fn body(entry: &Entry) -> String {
    let place = entry.place().map_or(String::new(), |spot| format!("{}:{}: ", spot.file, spot.line()));
    match entry.status {
        Some(_) => format!("{place}{}", entry.full_text()),
        None => entry.excerpt(Palette::PLAIN).trim_end().to_owned(),
    }
}

fn element(name: &str, attributes: &[(&str, &str)], text: &str, xml: &mut Writer<Vec<u8>>) -> io::Result<()> {
    let mut start = BytesStart::new(name);
    for (key, value) in attributes {
        start.push_attribute((*key, legal(value).as_str()));
    }
    if text.is_empty() {
        return xml.write_event(Event::Empty(start));
    }
    xml.write_event(Event::Start(start))?;
    xml.write_event(Event::Text(BytesText::new(&legal(text))))?;
    xml.write_event(Event::End(BytesEnd::new(name)))
}

/// Returns the text without characters that XML 1.0 does not have.
fn legal(text: &str) -> String {
    let is_legal = |&it: &char| matches!(it, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(is_legal).collect()
}
