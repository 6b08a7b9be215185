//! Entries: answers about claims, and messages about the input.

use super::flow::Flow;
use crate::diagnostics::render_finding;
use crate::finding::{self, Answer, Evidence, Finding, Fingerprint, Numbers, Rule, Status};
use crate::json::diagnostics::span_dto;
use crate::json::dto::{self, Label, Place};
use crate::json::job::JobResult;
use crate::trace::{TraceStyle, execution_text, refutation_text};
use crate::{Palette, Verdict};
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{self, Code, Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_engine::query::{ObligationResult, Verification};

/// Name and version of the fingerprints.
pub(super) const FINGERPRINT: &str = "ramsey/v1";

/// Results of a run.
#[derive(Debug)]
pub struct Results {
    /// The command, such as `verify`.
    pub command: String,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// Answers and messages, in the order of the models.
    pub entries: Vec<Entry>,
    /// Advice on questions without an answer.
    pub explanations: Vec<String>,
    /// Whether only what is not as it should be is listed.
    pub is_quiet: bool,
    /// Models that others include, and that are looked at there.
    pub parts: Vec<String>,
    /// How the results differ from earlier ones, if they are compared.
    pub comparison: Option<Comparison>,
}

impl Results {
    /// Returns the entries that are listed.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|it| !self.is_quiet || it.level() != Level::Pass)
    }

    /// Makes the fingerprints of equal messages different, by their numbers.
    pub(super) fn number_equal(&mut self) {
        let mut seen: Map<(String, String), usize> = Map::default();
        for entry in &mut self.entries {
            let count = seen.entry((entry.model(), entry.fingerprint.clone())).or_default();
            if *count > 0 {
                let fields = [entry.fingerprint.as_str(), &count.to_string()];
                entry.fingerprint = Fingerprint::of(&fields).to_string();
            }
            *count += 1;
        }
    }
}

/// How results differ from earlier ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Path of the file with the earlier results.
    pub path: String,
    /// Number of answers that are not as they should be and were so before.
    pub known: usize,
    /// Number of those that were not so before.
    pub new: usize,
    /// What was not as it should be and is so no more, or is not there any more, a sentence for each.
    pub absent: Vec<String>,
    /// Number of claims that were not asked about because of a known answer.
    pub unasked: usize,
}

impl Comparison {
    /// Returns the last line of a text: `compared with base.sarif: 1 new, 2 known, 1 absent`, and before it what is absent.
    pub fn text(&self) -> String {
        let Comparison { path, known, new, absent, unasked } = self;
        let lines: String = absent.iter().map(|it| format!("{it}\n")).collect();
        let unasked = match unasked {
            0 => String::new(),
            count => format!(", {count} not asked about, as a known answer came first"),
        };
        format!("{lines}compared with {path}: {new} new, {known} known, {} absent{unasked}\n", absent.len())
    }
}

impl From<&Comparison> for dto::Comparison {
    fn from(it: &Comparison) -> Self {
        dto::Comparison {
            path: it.path.clone(),
            known: it.known,
            new: it.new,
            absent: it.absent.clone(),
            unasked: it.unasked,
        }
    }
}

/// How much an entry matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// As it should be.
    Pass,
    /// Only worth knowing.
    Note,
    /// A question without an answer, or what is probably not meant.
    Warning,
    /// A claim is violated, the input is wrong, or the tool contradicts itself.
    Error,
}

/// Answer about a claim, or message about the input.
#[derive(Debug)]
pub struct Entry {
    /// What it is an instance of.
    pub rule: Rule,
    /// Path of the model, as answers name it.
    pub path: String,
    /// The isolate of a program, if the answer is about it alone.
    pub isolate: Option<String>,
    /// The question, independent of lines and of the answer; of a message the message.
    pub title: String,
    /// The answer; `None` for a message.
    pub status: Option<Status>,
    /// Severity of the finding.
    pub severity: Severity,
    /// One sentence in lower case without a full stop.
    pub message: String,
    /// Main place.
    pub primary: Option<Label>,
    /// Other places.
    pub secondary: Vec<Label>,
    /// Additional facts, one sentence each.
    pub notes: Vec<String>,
    /// Suggested remedy.
    pub help: Option<String>,
    /// Number that stays the same while the model around it changes, different for each entry of a model.
    pub fingerprint: String,
    /// What supports the answer, as text.
    pub details: String,
    /// The execution that supports the answer.
    pub flow: Option<Flow>,
    /// Time that the answer took.
    pub seconds: Option<f64>,
    /// The finding as text for terminals, plain and with colors.
    excerpts: [String; 2],
    /// Whether it is as somebody expects.
    is_expected: bool,
    /// Whether earlier results have it as well; `None` if they are not compared.
    pub is_known: Option<bool>,
}

/// What entries of claims are made from.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Path of the model, as answers name it.
    pub path: &'a str,
    /// The isolate, if the answers are about it alone.
    pub isolate: Option<&'a str>,
    /// System of the claims.
    pub system: &'a System,
    /// The numbers of its claims.
    pub numbers: &'a Numbers,
    /// Source texts.
    pub sources: &'a Sources,
    /// Whether executions list tuples at which relations are false.
    pub negative: bool,
}

impl Entry {
    /// Returns the entry of an answer.
    pub fn of_claim(finding: &Finding<'_>, context: Context<'_>) -> Entry {
        let Context { path, isolate, system, numbers, sources, negative } = context;
        let mut entry = Entry::of_finding(path, finding, sources);
        entry.isolate = isolate.map(str::to_owned);
        let Some(Answer { claim, status, reason, evidence }) = &finding.answer else { return entry };
        entry.status = Some(*status);
        entry.title = finding::question_text(system, claim);
        entry.fingerprint = claim.fingerprint(system, numbers).to_string();
        if let (Status::Unknown | Status::Skipped, Some(reason)) = (status, reason) {
            entry.message = format!("{} ({reason})", entry.message);
        }
        let style = TraceStyle { palette: Palette::PLAIN, negative, sources: Some(sources) };
        match evidence {
            Evidence::Counterexample(refutation) => {
                entry.details = refutation_text(*refutation, style);
                entry.flow = Some(Flow::of_refutation(*refutation, sources, negative));
            }
            Evidence::Execution(structure, calls) => {
                entry.details = execution_text(system, &system.sig, structure, calls, style);
                entry.flow = Some(Flow::of_execution(system, structure, calls, sources, negative));
            }
            Evidence::None | Evidence::Core(_) => {}
        }
        entry
    }

    /// Returns the entry of a message about the input. `path` is that of the model, where the message has no place.
    pub fn of_diagnostic(path: &str, diagnostic: &Diagnostic, sources: &Sources) -> Entry {
        Entry::of_finding(path, &diagnostic.into(), sources)
    }

    /// Returns the entry of an answer that is about no claim of a model. What is asked does not depend on the answer.
    pub fn of_question(path: &str, rule: Rule, status: Status, asked: &str, message: String) -> Entry {
        Entry {
            rule,
            path: path.to_owned(),
            isolate: None,
            title: asked.to_owned(),
            status: Some(status),
            severity: status.severity(),
            message,
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fingerprint: Fingerprint::of(&[rule.word(), asked]).to_string(),
            details: String::new(),
            flow: None,
            seconds: None,
            excerpts: Default::default(),
            is_expected: false,
            is_known: None,
        }
    }

    fn of_finding(path: &str, finding: &Finding<'_>, sources: &Sources) -> Entry {
        let label = |label: &diag::Label| {
            Some(Label { place: span_dto(label.span, sources)?, text: label.text.clone() })
        };
        let (rule, message) = (finding.rule, finding.message.clone());
        Entry {
            rule,
            path: path.to_owned(),
            isolate: None,
            title: message.clone(),
            status: None,
            severity: finding.severity,
            fingerprint: Fingerprint::of(&[rule.word(), &message]).to_string(),
            message,
            primary: finding.primary.as_ref().and_then(label),
            secondary: finding.secondary.iter().filter_map(label).collect(),
            notes: finding.notes.clone(),
            help: finding.help.clone(),
            details: String::new(),
            flow: None,
            seconds: None,
            excerpts: excerpts(finding, sources),
            is_expected: false,
            is_known: None,
        }
    }

    /// Tells that the entry, whatever it is, is as somebody expects.
    pub fn expect(&mut self) {
        self.is_expected = true;
    }

    /// Returns the entry with this main place.
    pub fn at(mut self, label: &diag::Label, sources: &Sources) -> Entry {
        let place = span_dto(label.span, sources);
        self.primary = place.map(|place| Label { place, text: label.text.clone() });
        let finding = Finding {
            rule: self.rule,
            severity: self.severity,
            message: self.message.clone(),
            primary: Some(label.clone()),
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            answer: None,
        };
        self.excerpts = excerpts(&finding, sources);
        self
    }

    /// Returns the finding as text for terminals, without its evidence.
    pub fn excerpt(&self, palette: Palette) -> String {
        let [plain, colored] = &self.excerpts;
        let text = if palette.is_colored() { colored } else { plain };
        if text.is_empty() { format!("{}: {}\n", self.model(), self.message) } else { text.clone() }
    }

    /// Returns how answers call the model.
    pub fn model(&self) -> String {
        match &self.isolate {
            Some(isolate) => format!("{}, isolate {isolate}", self.path),
            None if self.path.is_empty() => "ramsey".to_owned(),
            None => self.path.clone(),
        }
    }

    /// Returns how much it matters. What earlier results have too is only worth knowing.
    pub fn level(&self) -> Level {
        match (self.status, self.severity) {
            (Some(Status::Holds | Status::Skipped), _) => Level::Pass,
            _ if self.is_expected => Level::Pass,
            _ if self.is_known == Some(true) => Level::Note,
            (_, Severity::Error) => Level::Error,
            (_, Severity::Warning) => Level::Warning,
            (_, Severity::Note) => Level::Note,
        }
    }

    /// Returns the verdict that it stands for.
    pub fn verdict(&self) -> Verdict {
        if self.is_expected {
            return Verdict::Ok;
        }
        match (self.status, self.rule, self.severity) {
            (Some(status), ..) => status.into(),
            (None, Rule::Code(Code::Limit), Severity::Error) => Verdict::Unknown,
            (None, _, Severity::Error) => Verdict::BadInput,
            (None, ..) => Verdict::Ok,
        }
    }

    /// Returns the main place if it is one of a file; otherwise the first line of the model, if that is a file.
    pub(super) fn place(&self) -> Option<Spot<'_>> {
        match self.primary.as_ref().filter(|label| is_file(&label.place.file)) {
            Some(Label { place, .. }) => Some(Spot { file: &place.file, place: Some(place) }),
            None => is_file(&self.path).then_some(Spot { file: &self.path, place: None }),
        }
    }

    /// Returns a number that tells the entry from those of other models as well.
    pub(super) fn identity(&self) -> String {
        Fingerprint::of(&[&self.model(), self.rule.word(), &self.fingerprint]).to_string()
    }

    /// Returns the message with what follows it: facts, remedy, evidence.
    pub(super) fn full_text(&self) -> String {
        let mut text = self.message.clone();
        self.notes.iter().for_each(|note| text.push_str(&format!("\nnote: {note}")));
        if let Some(help) = &self.help {
            text.push_str(&format!("\nhelp: {help}"));
        }
        if self.status.is_some() && !self.details.is_empty() {
            text.push_str(&format!("\n\n{}", self.details.trim_end()));
        }
        text
    }
}

/// Returns a finding as text for terminals, plain and with colors, if somebody may have to look at it.
fn excerpts(finding: &Finding<'_>, sources: &Sources) -> [String; 2] {
    if finding.answer.is_some() && finding.severity == Severity::Note {
        return Default::default();
    }
    [false, true].map(|color| render_finding(finding, sources, Palette::new(color)))
}

impl From<&Entry> for JobResult {
    fn from(entry: &Entry) -> Self {
        JobResult {
            rule: entry.rule.word().to_owned(),
            title: entry.title.clone(),
            status: entry.status,
            severity: match entry.severity {
                Severity::Error => dto::Severity::Error,
                Severity::Warning => dto::Severity::Warning,
                Severity::Note => dto::Severity::Note,
            },
            message: entry.message.clone(),
            place: entry.primary.as_ref().map(|label| label.place.clone()),
            fingerprint: entry.fingerprint.clone(),
            details: entry.details.clone(),
        }
    }
}

/// Returns the obligations of a model with their answers, as entries of results.
pub fn of_verification(verification: &Verification, context: Context<'_>) -> Vec<Entry> {
    let Context { system, sources, .. } = context;
    let entry = |result: &ObligationResult| {
        let finding = finding::of_result(system, &verification.obligations, sources, result);
        let seconds = result.statistics.total_ns as f64 / 1e9;
        Entry { seconds: Some(seconds), ..Entry::of_claim(&finding, context) }
    };
    verification.results.iter().map(entry).collect()
}

/// A file, and a place in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'a> {
    pub(super) file: &'a str,
    pub(super) place: Option<&'a Place>,
}

impl Spot<'_> {
    /// Returns the line, from 1.
    pub(super) fn line(&self) -> usize {
        self.place.map_or(1, |place| place.line)
    }
}

/// Checks whether a source is a file, and no text of the command line or of standard input.
pub(super) fn is_file(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('<')
}

/// Returns a path as relative or absolute URI reference.
pub(super) fn uri(path: &str) -> String {
    let mut text = String::new();
    let path = path.replace('\\', "/");
    let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    if is_absolute {
        text.push_str(if path.starts_with('/') { "file://" } else { "file:///" });
    }
    let path = path.strip_prefix("./").unwrap_or(&path);
    for byte in path.bytes() {
        match byte {
            // A colon in the first segment of a relative reference would end a scheme.
            b':' if !is_absolute => text.push_str("%3A"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
