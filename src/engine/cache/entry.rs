//! Entries as text: what an answer is, in canonical numbers. `spec/cache.md` describes them.

use std::fmt::Write as _;
use std::io::Read as _;

use ramsey_core::base::compression;

/// The first line.
const HEADER: &str = "ramsey-cache 1";

/// Maximum number of bytes of an entry as it is stored.
pub const MAX_BYTES: usize = 16 << 20;

/// Number of bytes of a text up to which it is not compressed. A file takes as much in any case.
const SMALL: usize = 4096;

/// Maximum number of bytes of the text of an entry.
const MAX_TEXT: u64 = 64 << 20;

/// What an entry says, which nobody has checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said<'a> {
    /// That the obligation holds, with the lines of a proof.
    Proof(&'a str),
    /// That it does not, with the lines of a structure.
    Structure(&'a str),
}

/// Returns an entry as it is stored; `None` if it is too large.
pub(super) fn stored(digest: &str, said: &Said<'_>) -> Option<Vec<u8>> {
    let (kind, lines) = match said {
        Said::Proof(lines) => ("proof", lines),
        Said::Structure(lines) => ("structure", lines),
    };
    wrapped(("obligation", digest), kind, lines)
}

/// Returns an entry of this kind as it is stored, with what it is about and its name; `None` if it is too large.
pub(crate) fn wrapped((subject, digest): (&str, &str), kind: &str, lines: &str) -> Option<Vec<u8>> {
    let text = format!("{HEADER}\n{subject} {digest}\n{kind}\n{lines}end\n");
    let bytes = match text.len() {
        0..=SMALL => text.into_bytes(),
        length if length as u64 <= MAX_TEXT => compression::compress(&text),
        _ => return None,
    };
    (bytes.len() <= MAX_BYTES).then_some(bytes)
}

/// Returns the text of an entry.
///
/// # Errors
/// It is no text, too large, or damaged.
pub(crate) fn text(bytes: &[u8]) -> Result<String, String> {
    let too_large = || "it is too large".to_owned();
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut text = Vec::new();
    let read = compression::open(bytes).and_then(|input| input.take(MAX_TEXT + 1).read_to_end(&mut text));
    read.map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_TEXT {
        return Err(too_large());
    }
    String::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())
}

/// Reads the text of an entry, which should be about the obligation with this digest.
///
/// # Errors
/// It is none, or is about another one.
pub(super) fn said<'a>(text: &'a str, digest: &str) -> Result<Said<'a>, String> {
    match unwrapped(text, ("obligation", digest))? {
        ("proof", lines) => Ok(Said::Proof(lines)),
        ("structure", lines) => Ok(Said::Structure(lines)),
        _ => Err("it is neither a proof nor a structure".to_owned()),
    }
}

/// Returns the kind and the lines of an entry, which should be about this.
///
/// # Errors
/// It is no entry, or is about something else.
pub(crate) fn unwrapped<'a>(
    text: &'a str,
    (subject, digest): (&str, &str),
) -> Result<(&'a str, &'a str), String> {
    let rest = text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n'));
    let rest = rest.ok_or_else(|| format!("its first line is not `{HEADER}`"))?;
    let (about, rest) = rest.split_once('\n').ok_or("it ends too early")?;
    if about.strip_prefix(subject).and_then(|rest| rest.strip_prefix(' ')) != Some(digest) {
        return Err(format!("it is about another {subject}"));
    }
    let (kind, rest) = rest.split_once('\n').ok_or("it ends too early")?;
    let lines = rest.strip_suffix("end\n").filter(|lines| lines.is_empty() || lines.ends_with('\n'));
    Ok((kind, lines.ok_or("it has no end")?))
}

/// What a number in a proof is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Sort,
    Function,
    Relation,
    Obligation,
    /// A place among the hypotheses of the obligation and, behind them, its goal.
    Hypothesis,
}

/// Returns the lines of a proof with other numbers; `None` if they are no such lines or a number has no other.
pub(super) fn renumbered(lines: &str, number: &dyn Fn(Kind, u32) -> Option<u32>) -> Option<String> {
    let mut text = String::with_capacity(lines.len());
    for line in lines.split_terminator('\n') {
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        match head {
            "t" | "d" => {
                text.push_str(head);
                formula(rest, &mut text, number)?;
            }
            "i" => {
                let (obligation, place) = rest.split_once(' ')?;
                let obligation = number(Kind::Obligation, obligation.parse().ok()?)?;
                let _ = write!(text, "i {obligation} {}", number(Kind::Hypothesis, place.parse().ok()?)?);
            }
            "q" => {
                let (obligation, clause) = rest.split_once(' ')?;
                let _ = write!(text, "q {} {clause}", number(Kind::Obligation, obligation.parse().ok()?)?);
            }
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    Some(text)
}

/// Adds the words of a term or a formula with other numbers of sorts and symbols. Whether it is one is left to its reader.
fn formula(words: &str, text: &mut String, number: &dyn Fn(Kind, u32) -> Option<u32>) -> Option<()> {
    let mut words = words.split(' ');
    while let Some(word) = words.next() {
        text.push(' ');
        text.push_str(word);
        let (copied, kind) = match word {
            "A" => (1, Kind::Function),
            "R" => (1, Kind::Relation),
            "E" | "!" | "?" => (0, Kind::Sort),
            _ => continue,
        };
        for _ in 0..copied {
            let _ = write!(text, " {}", words.next()?);
        }
        let _ = write!(text, " {}", number(kind, words.next()?.parse().ok()?)?);
    }
    Some(())
}
