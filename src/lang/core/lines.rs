//! The lines of a closed form: how they begin, in which order, and the digest.

use crate::shared::report::Report;
use ramsey_core::base::digest::sha256;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic, nearest};

/// The first line.
const HEADER: &str = "ramsey-core 1";

/// What a line is, in the order of the lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A sort.
    Sort,
    /// A function or constant.
    Function,
    /// A relation.
    Relation,
    /// A formula that is assumed.
    Axiom,
    /// A formula that holds in initial states.
    Init,
    /// A relation between a state and the next one.
    Transition,
    /// A claim about all reachable states that is to be inductive.
    Invariant,
    /// Another claim about all reachable states.
    Assertion,
    /// A claim about sequences of states.
    Theorem,
    /// A claim about what is before initial states.
    Initial,
    /// A formula that queries may assume.
    Hypothesis,
    /// A query.
    Query,
    /// The last line.
    Digest,
}

/// The kinds of lines with the words that they begin with.
const WORDS: [(&str, Kind); 13] = [
    ("sort", Kind::Sort),
    ("function", Kind::Function),
    ("relation", Kind::Relation),
    ("axiom", Kind::Axiom),
    ("init", Kind::Init),
    ("transition", Kind::Transition),
    ("invariant", Kind::Invariant),
    ("assertion", Kind::Assertion),
    ("theorem", Kind::Theorem),
    ("initial", Kind::Initial),
    ("hypothesis", Kind::Hypothesis),
    ("query", Kind::Query),
    ("digest", Kind::Digest),
];

impl Kind {
    /// Returns the word that lines of this kind begin with.
    pub(super) fn word(self) -> &'static str {
        WORDS[self as usize].0
    }

    fn is_of_model(self) -> bool {
        (Kind::Axiom..=Kind::Initial).contains(&self)
    }

    fn is_of_problem(self) -> bool {
        matches!(self, Kind::Hypothesis | Kind::Query)
    }
}

/// A line between the first one and the digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is.
    pub kind: Kind,
    /// The line without its end.
    pub span: Span,
}

/// The lines of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The file.
    pub file: FileId,
    /// The lines between the first one and the digest.
    pub lines: Vec<Line>,
}

impl Lines {
    /// Returns the first line about queries.
    pub fn first_query(&self) -> Option<&Line> {
        self.lines.iter().find(|line| line.kind.is_of_problem())
    }
}

/// Reads how lines begin, and whether they are in order.
pub(super) fn read(file: FileId, text: &str, report: &mut Report) -> Lines {
    let mut read = Lines { file, lines: Vec::new() };
    let span = |start: usize, end: usize| {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file, start: place(start), end: place(end) }
    };
    let (mut start, mut last, mut digest) = (0, None::<Kind>, None);
    for (at, whole) in text.split_inclusive('\n').enumerate() {
        if !report.spend(1) {
            return read;
        }
        let (line, here) = (whole.strip_suffix('\n').unwrap_or(whole), start);
        let place = span(here, here + line.len());
        start += whole.len();
        if at == 0 {
            if line != HEADER {
                let what = format!("the first line of a closed form is `{HEADER}`");
                let error = Diagnostic::error(Code::Syntax, place, what);
                report.push(error.help("`ramsey core MODEL` writes the closed form of a model"));
                return read;
            }
            continue;
        }
        if digest.is_some() {
            let error = Diagnostic::error(Code::Syntax, place, "a line after the digest");
            report.push(error.help("the digest of all lines before it is the last line"));
            return read;
        }
        let word = line.split(' ').next().unwrap_or_default();
        let Some(&(_, kind)) = WORDS.iter().find(|(known, _)| *known == word) else {
            report.push(unknown(word, line, place));
            continue;
        };
        if let Some(last) = last {
            let problem = (kind.is_of_problem() && last.is_of_model()).then_some("of a model");
            if kind < last || problem.is_some() {
                let what = format!("a line `{word}` after a line `{}`", last.word());
                let error = Diagnostic::error(Code::Syntax, place, what);
                report.push(match problem {
                    Some(_) => error.help("a closed form has the lines of a model, or those of queries"),
                    None => {
                        let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
                        error.help(format!("the order of lines is {}", words.join(", ")))
                    }
                });
                continue;
            }
        }
        last = Some(kind);
        match kind {
            Kind::Digest => digest = Some(here),
            _ => read.lines.push(Line { kind, span: place }),
        }
    }
    let end = span(text.len(), text.len());
    let Some(before) = digest else {
        let error = Diagnostic::error(Code::Syntax, end, "the text ends without a digest");
        report.push(error.help("the last line is `digest` with the SHA-256 of all lines before it"));
        return read;
    };
    if !text.ends_with('\n') {
        report.push(Diagnostic::error(Code::Syntax, end, "the last line has no line feed at its end"));
    }
    let (wanted, given) = (sha256(&text[..before]), &text[before..]);
    let given = given.strip_suffix('\n').unwrap_or(given);
    // Where a line is wrong, the digest tells nothing new.
    if given != format!("digest {wanted}") && !report.has_errors() {
        let place = span(before, before + given.len());
        let error = Diagnostic::error(Code::Syntax, place, "the digest is not that of the lines before it");
        report.push(error.help(format!(
            "the text was changed since it was written; if that was meant, it ends in `digest {wanted}`"
        )));
    }
    read
}

/// Returns the error about a line that begins with an unknown word.
fn unknown(word: &str, line: &str, place: Span) -> Diagnostic {
    let error = |what: String| Diagnostic::error(Code::Syntax, place, what);
    if line.contains('\r') {
        return error("a carriage return".into()).help("lines end in a line feed alone");
    }
    if word.is_empty() {
        return error("a line that begins with no word".into()).help("there are no empty lines");
    }
    let error = error(format!("no line begins with `{word}`"));
    match nearest(word, WORDS.iter().map(|(word, _)| *word)) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => {
            let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            error.help(format!("lines begin with one of {}", words.join(", ")))
        }
    }
}
