//! The trusted kernel: reads a certificate and accepts it only if its claim about a system or a problem is true.
//!
//! The obligations are derived anew from the subject; a certificate only states which of them it covers. The format of
//! certificates and the proof that acceptance implies validity are in `spec/certificate.md`. This module performs no
//! search and shares no code with modules that do.

pub mod circuit;
mod congruence;
mod counterexample;
pub mod format;
mod kernel;
pub mod normal;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Read as _};

pub use crate::obligations::Subject;
use crate::obligations::{Goal, Group, Obligations, Origin, Question};
use counterexample::Candidate;
pub use counterexample::can_be_judged;
use format::{Claim, Step, excerpt};
use kernel::{Names, Proof};
use normal::Normalizer;
pub use ramsey_core::base::compression::compress;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, TermId, Terms};

/// Maximum depth of a formula. Front ends produce far smaller depths, and recursion to this depth is safe.
pub const MAX_DEPTH: usize = 2_000;

/// UTF-8 byte order mark, with which some tools start a text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Maximum number of bytes in a line, its end included.
const MAX_LINE: u64 = 16 << 20;

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
    /// Number of lines in all proofs.
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
pub fn check<'a>(
    subject: impl Into<Subject<'a>>,
    source_text: &str,
    certificate: impl BufRead,
) -> Result<Summary, Rejection> {
    let input = ramsey_core::base::compression::open(certificate).map_err(|error| Rejection {
        line: 1,
        obligation: None,
        reason: format!("cannot be read: {error}"),
        is_unreadable: is_of_system(&error),
        same_source: None,
    })?;
    let mut reader = Reader { input, line: 0, buffer: Vec::new(), is_unreadable: false, same_source: None };
    let mut obligation = None;
    read(subject.into(), source_text, &mut reader, &mut obligation).map_err(|reason| Rejection {
        line: reader.line,
        obligation,
        reason,
        is_unreadable: reader.is_unreadable,
        same_source: reader.same_source,
    })
}

/// Checks whether the error is caused by the operating system, and not by the content of a compressed certificate.
fn is_of_system(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
}

/// Reader of the lines of a certificate, one at a time.
struct Reader<R> {
    input: R,
    line: usize,
    buffer: Vec<u8>,
    is_unreadable: bool,
    same_source: Option<bool>,
}

impl<R: BufRead> Reader<R> {
    /// Returns the next line, or `None` after the last one.
    fn next(&mut self) -> Result<Option<&str>, String> {
        self.buffer.clear();
        let bytes = self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.buffer);
        if bytes.as_ref().is_ok_and(|&bytes| bytes == 0) {
            return Ok(None);
        }
        self.line += 1;
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                self.is_unreadable = is_of_system(&error);
                return Err(format!("cannot be read: {error}"));
            }
        };
        if self.line == 1 && self.buffer.starts_with(MARK) {
            self.buffer.drain(..MARK.len());
        }
        if self.buffer.pop() != Some(b'\n') {
            if bytes as u64 == MAX_LINE {
                return Err(format!("the line has more than {MAX_LINE} bytes"));
            }
            return Err("the last line has no end".into());
        }
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        str::from_utf8(&self.buffer).map(Some).map_err(|_| "the line is not UTF-8".into())
    }

    /// Returns the next line, which must exist.
    fn expect(&mut self, what: &str) -> Result<&str, String> {
        self.next()?.ok_or_else(|| format!("the certificate ends where {what} should be"))
    }

    /// Reads the lines before the blocks. Returns the claim, and whether the digest matches the given text.
    fn claim(&mut self, subject: Subject<'_>, source_text: &str) -> Result<(Claim, bool), String> {
        if self.expect("the header")? != format::HEADER {
            return Err(format!("the first line is not `{}`", format::HEADER));
        }
        let digest = self.expect("the digest of the source")?.strip_prefix(format::SOURCE);
        let digest = digest.filter(|digest| {
            digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        });
        let same_source = digest.ok_or("not the digest of a source")? == format::sha256(source_text);
        self.same_source = Some(same_source);
        let claim = Claim::parse(subject, self.expect("the claim")?);
        Ok((claim.ok_or("not a claim that can be made of the model")?, same_source))
    }
}

/// Reads a certificate to its end. `current` is the obligation to which the current line belongs.
fn read(
    subject: Subject<'_>,
    source_text: &str,
    reader: &mut Reader<impl BufRead>,
    current: &mut Option<String>,
) -> Result<Summary, String> {
    let (claim, same_source) = reader.claim(subject, source_text)?;
    let obligations = Obligations::of_question(subject, &claim.question);
    let mut lines: Map<String, (usize, usize)> = Map::default();
    for (number, group) in obligations.groups.iter().enumerate() {
        for (index, goal) in group.goals.iter().enumerate() {
            lines.insert(format::obligation(subject, goal.origin), (number, index));
        }
    }
    let names = Names::new(&obligations.sig);
    let mut blocks = Blocks {
        reader,
        obligations,
        names,
        normalizer: Normalizer::default(),
        hypotheses: (usize::MAX, Vec::new()),
    };
    let mut treated = Set::default();
    let count = lines.len();
    let claims_proof = claim.proved;
    let (answers, mut expected) = (BTreeMap::new(), 0);
    let mut summary =
        Summary { claim, obligations: count, proofs: 0, counterexamples: 0, steps: 0, answers, same_source };
    while let Some(line) = blocks.reader.next()? {
        *current = None;
        let Some(&(number, index)) = lines.get(line) else {
            return Err(format!("`{}` is not an obligation of the model", excerpt(line)));
        };
        *current = Some(line.to_owned());
        if !treated.insert((number, index)) {
            return Err("the obligation is treated twice".into());
        }
        let Goal { origin, formula: goal } = blocks.obligations.groups[number].goals[index];
        let is_structure = match blocks.reader.expect("a proof or a counterexample")? {
            format::PROOF => false,
            format::COUNTEREXAMPLE => true,
            _ => return Err("neither a proof nor a counterexample".into()),
        };
        if format::is_expected(subject, origin, is_structure) {
            expected += 1;
        } else if claims_proof {
            let wanted = if is_structure { "proof" } else { "counterexample" };
            return Err(format!("not a {wanted}, though all is claimed to be as it should be"));
        }
        if is_structure {
            blocks.counterexample(number, goal)?;
            summary.counterexamples += 1;
        } else {
            summary.steps += blocks.proof(number, goal)?;
            summary.proofs += 1;
        }
        if let Origin::Query { query, line } = origin {
            let is_bare = matches!(blocks.obligations.terms.node(goal), Node::False);
            summary.answers.insert(query, Answer { line, is_bare, proved: !is_structure });
        }
    }
    *current = None;
    if !claims_proof && expected == treated.len() {
        return Err("no obligation is refuted, or answered otherwise than the model says".into());
    }
    if claims_proof && expected != count {
        let ordered = blocks.obligations.groups.iter().flat_map(|group| &group.goals);
        let missing = ordered.map(|goal| format::obligation(subject, goal.origin));
        *current = missing.into_iter().find(|line| lines.get(line).is_some_and(|at| !treated.contains(at)));
        return Err("the certificate ends without a block for this obligation".into());
    }
    Ok(summary)
}

/// The blocks of a certificate, with what they are checked against.
struct Blocks<'a, R> {
    reader: &'a mut Reader<R>,
    obligations: Obligations,
    names: Names,
    normalizer: Normalizer,
    /// Number of the group whose proof was read last, and the normal forms of its hypotheses.
    hypotheses: (usize, Vec<TermId>),
}

impl<R: BufRead> Blocks<'_, R> {
    /// Reads a structure, and checks that the hypotheses of the group `number` are true in it and the goal is false.
    fn counterexample(&mut self, number: usize, goal: TermId) -> Result<(), String> {
        let Obligations { sig, terms, groups, .. } = &self.obligations;
        let group = &groups[number];
        let mut candidate = Candidate::new(&self.names, sig, group.states);
        loop {
            match self.reader.expect("a value")? {
                format::END => break,
                line => candidate.line(line)?,
            }
        }
        let hypotheses: Vec<TermId> = group.hypotheses.iter().map(|each| each.formula).collect();
        // The evaluation of counterexamples is recursive as well.
        for &formula in hypotheses.iter().chain([&goal]) {
            readable(terms, &mut self.normalizer, group, formula)?;
        }
        candidate.judge(terms, &hypotheses, goal)
    }

    /// Reads a proof of the goal from the hypotheses of the group `number`. Returns the number of its steps.
    fn proof(&mut self, number: usize, goal: TermId) -> Result<usize, String> {
        let Obligations { sig, terms, groups, .. } = &mut self.obligations;
        let group = &groups[number];
        // Normal forms stay in the arena; their number is bounded by that of the formulas in the model.
        let mut normal = |(formula, positive)| {
            readable(terms, &mut self.normalizer, group, formula)?;
            let normal = self.normalizer.of(terms, formula, positive);
            normal.map_err(|_| "a formula of the model is too large for the normal form of proofs".to_owned())
        };
        let (of, inputs) = &mut self.hypotheses;
        if *of != number {
            let hypotheses = group.hypotheses.iter().map(|each| normal((each.formula, true)));
            *inputs = hypotheses.collect::<Result<_, String>>()?;
            *of = number;
        }
        inputs.push(normal((goal, false))?);
        // Symbols and terms made by a proof are removed at its end.
        let (symbols, mark) = (sig.symbols.len(), terms.mark());
        let mut proof = Proof::new(&self.names, sig, group.states, terms, inputs);
        let mut steps = 0;
        loop {
            match self.reader.expect("a step of the proof")? {
                format::END if proof.is_complete() => break,
                format::END => return Err("the proof ends without the empty clause".into()),
                line => proof.step(Step::parse(line)?)?,
            }
            steps += 1;
        }
        inputs.pop();
        terms.rewind(mark);
        sig.symbols.truncate(symbols);
        Ok(steps)
    }
}

/// Checks that a formula of an obligation is closed, concerns only the states of the group, and has limited depth.
fn readable(
    terms: &Terms,
    normalizer: &mut Normalizer,
    group: &Group,
    formula: TermId,
) -> Result<(), String> {
    if terms.max_step(formula) >= group.states.max(1) {
        return Err("a formula of the model speaks of a state that the obligation does not have".into());
    }
    if terms.depth(formula) > MAX_DEPTH {
        return Err("a formula of the model is nested too deep".into());
    }
    if !normalizer.is_closed(terms, formula) {
        return Err("a formula of the model has a free variable".into());
    }
    Ok(())
}
