//! Findings: what a run says about a claim or about its input, independent of the form of the output.
//!
//! A finding is made once, from an answer or a diagnostic. Text and JSON documents are made from it.

mod abstraction;
mod bounded;
mod claim;
mod evidence;
mod numbers;
mod obligation;
#[cfg(test)]
mod tests;
mod trace;

pub use abstraction::{of_abstraction, replay_text, steps};
pub use bounded::{of_failure, of_target, of_violation};
pub use claim::{Claim, Fingerprint, PartKind, ProofClaim, Question, Subject, origin_text};
pub use evidence::{Evidence, Hypothesis, HypothesisKind, Known, Refutation};
pub use numbers::Numbers;
pub use obligation::{of_result, question_text};
pub use trace::{of_trace, trace_status};

use super::words::words;
use ramsey_core::base::span::{LINE_ENDS, Sources, Span};
use ramsey_core::diag::{Code, Diagnostic, Label, Severity};
use ramsey_engine::query::Outcome;

words! {
    /// Answer to the question about a claim, without its evidence. The words are those of obligations.
    pub enum Status {
        /// The claim holds.
        Holds = "ok" => Ok,
        /// The claim is violated.
        Violated = "failed" => Counterexample,
        /// A budget ran out.
        Unknown = "unknown" => Unknown,
        /// The question was not asked.
        Skipped = "skipped" => Ok,
        /// Internal inconsistency of the tool.
        InternalError = "internal-error" => InternalError,
    }
}

impl Status {
    /// Returns the status of an obligation.
    pub fn of(outcome: &Outcome) -> Status {
        match outcome {
            Outcome::Holds { .. } => Status::Holds,
            Outcome::Fails(_) => Status::Violated,
            Outcome::Unknown(_) => Status::Unknown,
            Outcome::Skipped => Status::Skipped,
            Outcome::InternalError(_) => Status::InternalError,
        }
    }

    /// Returns the severity of a finding with this answer.
    pub fn severity(self) -> Severity {
        match self {
            Status::Violated | Status::InternalError => Severity::Error,
            Status::Unknown => Severity::Warning,
            Status::Holds | Status::Skipped => Severity::Note,
        }
    }
}

/// What a finding is an instance of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The rule of a diagnostic.
    Code(Code),
    /// The answer to this question is yes.
    Question(Question),
    /// A certificate proves what it claims.
    Certificate,
    /// The tool contradicts itself nowhere.
    Consistency,
}

impl Rule {
    /// Returns the identifier of the rule, which never changes.
    pub fn word(self) -> &'static str {
        match self {
            Rule::Code(code) => code.text(),
            Rule::Question(question) => question.word(),
            Rule::Certificate => "certificate",
            Rule::Consistency => "internal-error",
        }
    }
}

/// Claim with its answer.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The claim.
    pub claim: Claim<'a>,
    /// The answer.
    pub status: Status,
    /// Budget that ran out, or description of the internal error.
    pub reason: Option<String>,
    /// What supports the answer.
    pub evidence: Evidence<'a>,
}

/// Answer about a claim, or message about the input.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The rule.
    pub rule: Rule,
    /// Severity: an error if the claim is violated, a warning if the answer is unknown.
    pub severity: Severity,
    /// One sentence in lower case without a full stop.
    pub message: String,
    /// Main place in the source.
    pub primary: Option<Label>,
    /// Other places.
    pub secondary: Vec<Label>,
    /// Additional facts, one sentence each.
    pub notes: Vec<String>,
    /// Suggested remedy.
    pub help: Option<String>,
    /// The claim with its answer; `None` for a message about the input.
    pub answer: Option<Answer<'a>>,
}

impl<'a> Finding<'a> {
    /// Creates the finding that `message` says of the answer.
    fn of_answer(answer: Answer<'a>, message: String) -> Finding<'a> {
        Finding {
            rule: Rule::Question(answer.claim.question),
            severity: answer.status.severity(),
            message,
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            answer: Some(answer),
        }
    }

    /// Returns the counterexample to a violated claim.
    pub fn refutation(&self) -> Option<Refutation<'a>> {
        match self.answer.as_ref()?.evidence {
            Evidence::Counterexample(refutation) => Some(refutation),
            _ => None,
        }
    }
}

impl From<&Diagnostic> for Finding<'_> {
    fn from(diagnostic: &Diagnostic) -> Self {
        let Diagnostic { code, severity, message, primary, secondary, notes, help } = diagnostic.clone();
        Finding { rule: Rule::Code(code), severity, message, primary, secondary, notes, help, answer: None }
    }
}

/// Returns the span of the first line of a declaration, which names it.
fn first_line(sources: &Sources, span: Span) -> Span {
    let text = sources.get(span.file).map_or("", |source| source.text.as_str());
    let declaration = text.get(span.start as usize..span.end as usize).unwrap_or("");
    let line = declaration.split(LINE_ENDS).next().unwrap_or("");
    Span { end: span.start + line.trim_end().len() as u32, ..span }
}

/// Note of every internal error.
const BUG: &str = "this is a bug in ramsey; please report it with the model";
