//! Certificates about models and problems: what a certificate is about is put into closed form anew, and judged by
//! [`ramsey_checker`].
//!
//! The obligations are derived from the subject; a certificate only says which question it answers. The format of certificates
//! and the argument that acceptance implies validity are in `spec/certificate.md`.

mod again;
pub mod circuit;
mod closed;
pub mod format;
mod single;
mod written;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Cursor, Read as _};

use crate::core::document;
pub use crate::obligations::Subject;
use crate::obligations::{Origin, Question};
pub use again::read_again;
pub use closed::Closed;
use format::Claim;
pub use ramsey_core::base::compression::compress;
use ramsey_core::logic::Node;
pub use ramsey_core::system::Beside;
pub use single::ObligationChecker;
pub use written::is_written_so;

/// Maximum depth of a formula. Front ends produce far smaller depths, and recursion to this depth is safe.
pub const MAX_DEPTH: usize = 2_000;

/// UTF-8 byte order mark, with which some tools start a text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Content of an accepted certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The claim, which is true.
    pub claim: Claim,
    /// Number of obligations of the model.
    pub obligations: usize,
    /// Number of proved obligations.
    pub proofs: usize,
    /// Number of refuted obligations.
    pub counterexamples: usize,
    /// Number of lines between the claim and the end.
    pub steps: usize,
    /// The answers to the queries covered by the claim, in source order.
    pub answers: BTreeMap<usize, Answer>,
    /// Whether the digest matches the given text. If not, the claim is still true of the given system.
    pub same_source: bool,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { obligations, proofs, steps, counterexamples, .. } = self;
        let plural = if *obligations == 1 { "" } else { "s" };
        if matches!(self.claim.question, Question::Traces(_)) {
            // The evidence of an execution does not refute anything.
            return write!(
                f,
                "{obligations} trace{plural}, {counterexamples} with an execution, {proofs} shown to have none in {steps} steps"
            );
        }
        write!(
            f,
            "{obligations} obligation{plural}, {proofs} proved in {steps} steps, {counterexamples} refuted"
        )?;
        self.answers.iter().try_for_each(|(query, answer)| write!(f, "\nquery {}{answer}", query + 1))
    }
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The line of the query.
    pub line: usize,
    /// Whether its goal is `false`, so that the question is whether the hypotheses contradict each other.
    pub is_bare: bool,
    /// Whether the hypotheses imply the goal.
    pub proved: bool,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match (self.is_bare, self.proved) {
            (true, true) => "unsatisfiable",
            (true, false) => "satisfiable",
            (false, true) => "theorem",
            (false, false) => "counter-satisfiable",
        };
        write!(f, " (line {}): {word}", self.line)
    }
}

/// The reason why a certificate is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The line of the certificate, from 1.
    pub line: usize,
    /// The obligation to which the line belongs.
    pub obligation: Option<String>,
    /// A sentence in lower case, without full stop.
    pub reason: String,
    /// Whether the certificate could not be read to its end, so that nothing is known about it.
    pub is_unreadable: bool,
    /// Whether the digest matches the given text; `None` if the certificate has no digest to compare. A certificate
    /// rejected for another text may be correct for its own.
    pub same_source: Option<bool>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(obligation) = &self.obligation {
            write!(f, "{obligation}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Rejection {}

/// Checks that the claim of `certificate` about `subject` is true. `source_text` is the source of the subject; it is
/// only compared with the digest in the certificate. The text of the certificate may be compressed ([`compress`]).
///
/// # Errors
/// The certificate does not show its claim, or cannot be read.
pub fn check<'a>(
    subject: impl Into<Subject<'a>>,
    source_text: &str,
    certificate: impl BufRead,
) -> Result<Summary, Rejection> {
    let mut head = Head { line: 1, same_source: None, text: Vec::new() };
    let reject = |head: &Head, reason: String, is_unreadable: bool| Rejection {
        line: head.line,
        obligation: None,
        reason,
        is_unreadable,
        same_source: head.same_source,
    };
    let mut input = ramsey_core::base::compression::open(certificate)
        .map_err(|error| reject(&head, format!("cannot be read: {error}"), is_of_system(&error)))?;
    let subject = subject.into();
    let claim = match head.read(subject, source_text, &mut input) {
        Ok(claim) => claim,
        Err(Unread::Wrong(reason)) => return Err(reject(&head, reason, false)),
        Err(Unread::Input(error)) => {
            return Err(reject(&head, format!("cannot be read: {error}"), is_of_system(&error)));
        }
    };
    let closed = Closed::new(subject, &claim.question)
        .map_err(|unsupported| reject(&head, unsupported.to_string(), false))?;
    let core = ramsey_checker::Core::read(&document(&closed.lowering.core)).map_err(|rejection| {
        reject(&head, format!("the closed form of the model is not accepted: {rejection}"), false)
    })?;
    let text = std::mem::take(&mut head.text);
    let checked =
        ramsey_checker::check(core, Cursor::new(text).chain(input)).map_err(|rejection| Rejection {
            line: rejection.line,
            obligation: rejection.obligation,
            reason: rejection.reason,
            is_unreadable: rejection.is_unreadable,
            same_source: head.same_source,
        })?;
    let mut answers = BTreeMap::new();
    for group in &closed.obligations.groups {
        for goal in &group.goals {
            let Origin::Query { query, line } = goal.origin else { continue };
            let number = closed.origins.iter().position(|&origin| origin == goal.origin);
            if let Some(proved) = number.and_then(|number| checked.answers[number]) {
                let is_bare = matches!(closed.obligations.terms.node(goal.formula), Node::False);
                answers.insert(query, Answer { line, is_bare, proved });
            }
        }
    }
    Ok(Summary {
        claim,
        obligations: checked.answers.len(),
        proofs: checked.proofs,
        counterexamples: checked.counterexamples,
        steps: checked.steps,
        answers,
        same_source: head.same_source == Some(true),
    })
}

/// Returns what a certificate claims beside the model, if anything. The model has to have it as a claim then
/// ([`System::with_claim`](ramsey_core::system::System::with_claim), [`with_progress`](crate::obligations::with_progress)).
pub fn beside(certificate: impl BufRead) -> Option<Beside> {
    let mut input = ramsey_core::base::compression::open(certificate).ok()?;
    let mut head = Head { line: 1, same_source: None, text: Vec::new() };
    let mut line = || head.next(&mut input).ok();
    line().and_then(|_| line()).and_then(|_| line())?;
    Claim::beside(&line()?)
}

/// Checks whether the error is caused by the operating system, and not by the content of a compressed certificate.
fn is_of_system(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
}

/// The lines that say what a certificate is about.
struct Head {
    /// The line that is read, from 1.
    line: usize,
    /// Whether the digest is that of the source.
    same_source: Option<bool>,
    /// The lines, without a byte order mark.
    text: Vec<u8>,
}

/// Why the first lines are not read.
enum Unread {
    Wrong(String),
    Input(io::Error),
}

impl Head {
    fn read(
        &mut self,
        subject: Subject<'_>,
        source_text: &str,
        input: &mut impl BufRead,
    ) -> Result<Claim, Unread> {
        let wrong = |reason: &str| Unread::Wrong(reason.into());
        if self.next(input)? != format::HEADER {
            return Err(Unread::Wrong(format!("the first line is not `{}`", format::HEADER)));
        }
        let digest = |line: &str, prefix: &str| {
            let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            let digest = line.strip_prefix(prefix)?;
            (digest.len() == 64 && digest.bytes().all(is_digit)).then(|| digest.to_owned())
        };
        let source = digest(&self.next(input)?, format::SOURCE);
        let source = source.ok_or_else(|| wrong("not the digest of a source"))?;
        self.same_source = Some(source == format::sha256(source_text));
        digest(&self.next(input)?, format::CORE).ok_or_else(|| wrong("not the digest of a closed form"))?;
        let claim = Claim::parse(subject, &self.next(input)?);
        claim.ok_or_else(|| wrong("not a claim that can be made of the model"))
    }

    /// Reads the next line.
    fn next(&mut self, input: &mut impl BufRead) -> Result<String, Unread> {
        self.line = self.text.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let mut line = Vec::new();
        input.take(ramsey_checker::MAX_LINE).read_until(b'\n', &mut line).map_err(Unread::Input)?;
        if self.line == 1 && line.starts_with(MARK) {
            line.drain(..MARK.len());
        }
        self.text.extend(&line);
        let end = |reason: &str| Unread::Wrong(reason.into());
        let line = String::from_utf8(line).map_err(|_| end("the line is not UTF-8"))?;
        let line = line.strip_suffix('\n').ok_or_else(|| end("the certificate ends too early"))?;
        Ok(line.to_owned())
    }
}
