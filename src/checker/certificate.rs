//! Certificates, read line by line.

use std::fmt;
use std::io::{BufRead, Read as _};

use crate::core::{Core, Wanted};
use crate::proof::Proof;
use crate::structure::Structure;
use crate::words::Words;
use crate::{Checked, Rejection};

/// The first line.
const HEADER: &str = "ramsey-certificate 2";

/// Maximum number of bytes in a line, its end included.
pub const MAX_LINE: u64 = 16 << 20;

/// Maximum number of steps for the evidence of a session, each of which takes some nanoseconds and some bytes. A short text may have a
/// proof that takes hours, or more memory than there is.
const MAX_WORK: u64 = 1 << 28;

/// What an accepted certificate shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Whether each obligation has the answer that is claimed of it; otherwise at least one has another.
    pub is_as_claimed: bool,
    /// For each obligation whether it holds; none where nothing is said of it.
    pub answers: Vec<Option<bool>>,
    /// The number of obligations that hold.
    pub proofs: usize,
    /// The number of obligations that do not.
    pub counterexamples: usize,
    /// The number of lines between the claim and the end.
    pub steps: usize,
    /// Whether the certificate names the digest of this closed system. If not, its claim is true all the same.
    pub is_made_for: bool,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { answers, proofs, counterexamples, steps, .. } = self;
        let plural = if answers.len() == 1 { "" } else { "s" };
        let count = answers.len();
        write!(f, "{count} obligation{plural}, {proofs} proved in {steps} steps, {counterexamples} refuted")
    }
}

/// Checks a certificate of what is claimed of a closed system.
///
/// # Errors
/// The first line that is wrong; or what is missing, at the end.
pub fn check(core: Core, certificate: impl BufRead) -> Result<Summary, Rejection> {
    let mut lines = Lines { input: certificate, buffer: Vec::new(), line: 0, is_unreadable: false };
    let mut current = None;
    let labels: Vec<String> = core.labels().map(str::to_owned).collect();
    read(core, &mut lines, &mut current).map_err(|reason| Rejection {
        line: lines.line,
        obligation: current.and_then(|number: usize| labels.get(number).cloned()),
        reason,
        is_unreadable: lines.is_unreadable,
    })
}

/// A closed system whose obligations are answered one by one, each by evidence of its own.
#[derive(Debug)]
pub struct Session {
    proof: Proof,
    /// The number of terms and formulas of the closed system. What evidence adds to them is forgotten before the next.
    size: usize,
}

impl Session {
    /// Begins a session about a closed system.
    pub fn new(core: Core) -> Session {
        let size = core.pool.len();
        Session { proof: Proof::new(core), size }
    }

    /// Returns whether the obligation with this number holds. The evidence has lines as a certificate has them between claim and
    /// end, and its only answer is that to this obligation, at its end. Nothing of earlier evidence counts.
    ///
    /// # Errors
    /// The first line that is wrong; or what is missing, at the end.
    pub fn answer(&mut self, obligation: usize, evidence: impl BufRead) -> Result<bool, Rejection> {
        self.proof.restart(self.size, MAX_WORK);
        let mut lines = Lines { input: evidence, buffer: Vec::new(), line: 0, is_unreadable: false };
        let mut current = None;
        let mut read = || match loop {
            match line(&mut self.proof, &mut lines, &mut current)? {
                Line::Step => {}
                other => break other,
            }
        } {
            Line::Answer(number, holds) if number == obligation => match lines.next()? {
                None => Ok(holds),
                Some(_) => Err("a line after the answer".to_owned()),
            },
            Line::Answer(..) => Err("the answer to another obligation".to_owned()),
            Line::End | Line::Step => Err("the evidence ends without an answer".to_owned()),
        };
        read().map_err(|reason| Rejection {
            line: lines.line,
            obligation: self.proof.core.labels().nth(obligation).map(str::to_owned),
            reason,
            is_unreadable: lines.is_unreadable,
        })
    }
}

/// The lines of a text that is not kept.
struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    line: usize,
    is_unreadable: bool,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<&str>, String> {
        self.buffer.clear();
        match self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.buffer) {
            Ok(0) => return Ok(None),
            Ok(_) => self.line += 1,
            Err(error) => {
                self.is_unreadable = error.raw_os_error().is_some();
                return Err(format!("cannot be read: {error}"));
            }
        }
        if self.buffer.pop() != Some(b'\n') {
            return Err("the line has no end, or too many bytes".into());
        }
        str::from_utf8(&self.buffer).map(Some).map_err(|_| "the line is not UTF-8".into())
    }

    fn expect(&mut self) -> Result<&str, String> {
        self.next()?.ok_or_else(|| "the text ends too early".into())
    }

    /// Returns the next line without a word that it begins with.
    fn after(&mut self, word: &str) -> Result<String, String> {
        let rest = self.expect()?.strip_prefix(word).map(str::to_owned);
        rest.ok_or_else(|| format!("the line does not begin with `{}`", word.trim_end()))
    }
}

/// Reads a certificate. `current` is the number of the obligation that the line is about.
fn read<R: BufRead>(
    core: Core,
    lines: &mut Lines<R>,
    current: &mut Option<usize>,
) -> Result<Summary, String> {
    if lines.expect()? != HEADER {
        return Err(format!("the first line is not `{HEADER}`"));
    }
    lines.after("source ")?;
    let is_made_for = lines.after("core ")? == core.digest;
    let claim = lines.after("claim ")?;
    let is_as_claimed = match claim.rsplit(' ').next() {
        Some("proved" | "answered") => true,
        Some("refuted") => false,
        _ => return Err("not a claim".into()),
    };
    let mut answers = vec![None; core.obligations.len()];
    let mut proof = Proof::new(core);
    let mut steps = 0;
    loop {
        match line(&mut proof, lines, current)? {
            Line::End => break,
            Line::Answer(number, holds) if answers[number].replace(holds).is_some() => {
                return Err("a second answer to an obligation".into());
            }
            Line::Answer(..) | Line::Step => steps += 1,
        }
    }
    *current = None;
    if lines.next()?.is_some() {
        return Err("a line after the end".into());
    }
    let obligations = &proof.core.obligations;
    let is_wanted = |(number, &answer): (usize, &Option<bool>)| match obligations[number].wanted {
        Wanted::Holds => answer == Some(true),
        Wanted::Fails => answer == Some(false),
        Wanted::Open => answer.is_some(),
    };
    let missing = answers.iter().enumerate().position(|it| !is_wanted(it));
    match missing {
        Some(number) if is_as_claimed => {
            *current = Some(number);
            return Err("the claim has another answer, or there is none".into());
        }
        _ if !is_as_claimed && answers.iter().enumerate().all(|it| it.1.is_none() || is_wanted(it)) => {
            return Err("no obligation has another answer than it should".into());
        }
        _ => {}
    }
    let count = |holds| answers.iter().filter(|&&answer| answer == Some(holds)).count();
    let (proofs, counterexamples) = (count(true), count(false));
    Ok(Summary { is_as_claimed, proofs, counterexamples, steps, is_made_for, answers })
}

/// What a line of a certificate says, once it is checked.
enum Line {
    End,
    Step,
    /// That the obligation with this number holds, or does not.
    Answer(usize, bool),
}

/// Reads the next line, with all lines of a structure that it begins.
fn line<R: BufRead>(
    proof: &mut Proof,
    lines: &mut Lines<R>,
    current: &mut Option<usize>,
) -> Result<Line, String> {
    let line = lines.expect()?;
    if line == "end" {
        return Ok(Line::End);
    }
    *current = None;
    match line.as_bytes() {
        [b'q', ..] => {
            let (number, clause) = answer(line, "q", current)?;
            proof.shows(number, clause)?;
            Ok(Line::Answer(number, true))
        }
        [b's', ..] => {
            let (number, _) = answer(line, "s", current)?;
            let mut structure = Structure::new(&proof.core, number)?;
            loop {
                match lines.expect()? {
                    "end" => break,
                    line => structure.line(line)?,
                }
            }
            structure.judge()?;
            Ok(Line::Answer(number, false))
        }
        _ => {
            proof.step(line)?;
            Ok(Line::Step)
        }
    }
}

/// Reads the line of an answer: its word, the number of the obligation, and that of a clause, if it is one by proof.
fn answer(line: &str, word: &str, current: &mut Option<usize>) -> Checked<(usize, u32)> {
    let mut words = Words::new(line);
    if words.word()? != word {
        return Err("an unknown kind of line");
    }
    let number = words.number()? as usize;
    *current = Some(number);
    let clause = if word == "q" { words.number()? } else { 0 };
    words.end()?;
    Ok((number, clause))
}
