//! Certificates about circuits: invariants with refutations, and executions.
//!
//! The circuit is read anew, and its clauses are made by [`clauses`] without any simplification. The format, and why
//! acceptance implies the claim, are in `spec/aiger.md`.

pub mod clauses;
mod execution;
mod lrat;

use std::fmt;
use std::io::{self, BufRead, Read as _};

use clauses::{Clauses, LatchClause};
use execution::Execution;
use lrat::Refutation;
use ramsey_core::base::digest::sha256;
use ramsey_core::base::hash::Set;
use ramsey_lang::aiger::{Circuit, Lit};

/// The first line of a certificate.
pub const HEADER: &str = "ramsey-certificate 1 circuit";

/// The line that ends a part.
pub const END: &str = "end";

/// Maximum number of bytes in a line, its end included.
const MAX_LINE: u64 = 64 << 20;

/// Content of an accepted certificate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The properties that no reachable state violates.
    pub safe: Vec<usize>,
    /// The properties that are violated, with the number of steps of the execution.
    pub violated: Vec<(usize, usize)>,
    /// Number of lines of refutations.
    pub steps: usize,
    /// Whether the digest matches the given file.
    pub same_source: bool,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { safe, violated, steps, .. } = self;
        let count = safe.len();
        write!(f, "{count} properties safe in {steps} steps, {} violated", violated.len())?;
        safe.iter().try_for_each(|property| write!(f, "\nproperty {property}: safe"))?;
        violated.iter().try_for_each(|(property, steps)| {
            write!(f, "\nproperty {property}: violated after {steps} steps")
        })
    }
}

/// The reason why a certificate is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The line of the certificate, from 1.
    pub line: usize,
    /// A sentence in lower case, without full stop.
    pub reason: String,
    /// Whether the certificate could not be read to its end, so that nothing is known about it.
    pub is_unreadable: bool,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for Rejection {}

/// Checks that the claims of `certificate` about the circuit are true. `source` is the file of the circuit; it is only
/// compared with the digest in the certificate. The text of the certificate may be compressed.
///
/// # Errors
/// Returns the reason why it is rejected.
pub fn check(circuit: &Circuit, source: &[u8], certificate: impl BufRead) -> Result<Summary, Rejection> {
    let mut reader = match ramsey_core::base::compression::open(certificate) {
        Ok(input) => Reader { input, line: 0, text: Vec::new(), is_unreadable: false },
        Err(error) => {
            let is_unreadable = error.raw_os_error().is_some();
            return Err(Rejection { line: 1, reason: format!("cannot be read: {error}"), is_unreadable });
        }
    };
    read(circuit, source, &mut reader).map_err(|reason| Rejection {
        line: reader.line,
        reason,
        is_unreadable: reader.is_unreadable,
    })
}

/// Reads a certificate to its end.
fn read(circuit: &Circuit, source: &[u8], reader: &mut Reader<impl BufRead>) -> Result<Summary, String> {
    if reader.expect("the header")? != HEADER {
        return Err(format!("the first line is not `{HEADER}`"));
    }
    let digest = reader.expect("the digest of the source")?.strip_prefix("source ");
    let same_source = digest.ok_or("not the digest of a source")? == sha256(source);
    let mut summary = Summary { same_source, ..Summary::default() };
    let mut treated = Set::default();
    while let Some(line) = reader.next()? {
        let (word, number) = line.split_once(' ').unwrap_or((line, ""));
        let is_safe = match word {
            "safe" => true,
            "violated" => false,
            _ => return Err("neither `safe` nor `violated` with a property".into()),
        };
        let property: usize = number.parse().map_err(|_| "not the position of a property".to_owned())?;
        let bad = *circuit.properties().get(property).ok_or("the circuit has no such property")?;
        if !treated.insert(property) {
            return Err("the property is treated twice".into());
        }
        if is_safe {
            summary.steps += proof(circuit, bad, reader)?;
            summary.safe.push(property);
        } else {
            summary.violated.push((property, execution(circuit, bad, reader)?));
        }
    }
    if treated.is_empty() {
        return Err("the certificate claims nothing".into());
    }
    Ok(summary)
}

/// Reads a proof that no reachable state is bad. Returns the number of lines of its refutations.
fn proof(circuit: &Circuit, bad: Lit, reader: &mut Reader<impl BufRead>) -> Result<usize, String> {
    let mut invariant: Vec<LatchClause> = Vec::new();
    let induction = loop {
        let line = reader.expect("a clause or `induction`")?;
        match line.split_once(' ') {
            Some(("clause", rest)) => invariant.push(clause(circuit, rest)?),
            Some(("induction", depth)) => {
                break depth.parse::<usize>().map_err(|_| "not a number of steps")?;
            }
            _ => return Err("neither a clause nor `induction` with a number".into()),
        }
    };
    let mut steps = 0;
    if !invariant.is_empty() {
        steps += refutation("consecution", Some(clauses::consecution(circuit, &invariant)), reader)?;
    }
    if induction > 0 {
        steps += refutation("base", clauses::base(circuit, bad, induction), reader)?;
    }
    steps += refutation("step", clauses::step(circuit, bad, induction, &invariant), reader)?;
    Ok(steps)
}

/// Reads a clause over latches, which are numbered from 1, and checks that it holds in all initial states.
fn clause(circuit: &Circuit, line: &str) -> Result<LatchClause, String> {
    let mut clause = LatchClause::new();
    let mut words = line.split_ascii_whitespace();
    loop {
        let word = words.next().ok_or("the clause ends without a 0")?;
        let number: i64 = word.parse().map_err(|_| "not a number of a latch")?;
        if number == 0 {
            break;
        }
        let latch = number.unsigned_abs() as usize - 1;
        if latch >= circuit.latches().len() {
            return Err(format!("there is no latch {}", number.unsigned_abs()));
        }
        clause.push((latch, number > 0));
    }
    if words.next().is_some() {
        return Err("the line goes on after its end".into());
    }
    let literals: Set<(usize, bool)> = clause.iter().copied().collect();
    let holds = |&(latch, value): &(usize, bool)| {
        circuit.latches()[latch].reset == Some(value) || literals.contains(&(latch, !value))
    };
    if !literals.iter().any(holds) {
        return Err("the clause is false in an initial state".into());
    }
    Ok(clause)
}

/// Reads a refutation of the clauses of a question, with its name before it. Returns the number of its lines.
fn refutation(
    name: &str,
    clauses: Option<Clauses>,
    reader: &mut Reader<impl BufRead>,
) -> Result<usize, String> {
    if reader.expect(name)? != name {
        return Err(format!("the line is not `{name}`"));
    }
    let mut refutation = Refutation::new(&clauses.ok_or("the question has too many steps")?);
    let mut steps = 0;
    loop {
        match reader.expect("a step of the refutation")? {
            END if refutation.is_complete() => return Ok(steps),
            END => return Err("the refutation ends without the empty clause".into()),
            line => refutation.line(line)?,
        }
        steps += 1;
    }
}

/// Reads an execution that ends in a bad state. Returns the number of its steps.
fn execution(circuit: &Circuit, bad: Lit, reader: &mut Reader<impl BufRead>) -> Result<usize, String> {
    let state = reader.expect("the initial state")?.strip_prefix("state ");
    let mut execution = Execution::new(circuit, state.ok_or("the line is not an initial state")?)?;
    loop {
        match reader.expect("inputs")? {
            END => break,
            line => execution.step(line.strip_prefix("inputs ").ok_or("the line is not inputs")?)?,
        }
    }
    execution.ends_in(bad)
}

/// Reader of the lines of a certificate, one at a time.
struct Reader<R> {
    input: R,
    line: usize,
    text: Vec<u8>,
    is_unreadable: bool,
}

impl<R: BufRead> Reader<R> {
    /// Returns the next line, or `None` after the last one.
    fn next(&mut self) -> Result<Option<&str>, String> {
        self.text.clear();
        let count = self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.text);
        self.line += 1;
        let count = count.map_err(|error: io::Error| {
            self.is_unreadable = error.raw_os_error().is_some();
            format!("cannot be read: {error}")
        })?;
        if count == 0 {
            return Ok(None);
        }
        if self.text.pop() != Some(b'\n') {
            return Err("the line is too long, or the last one without an end".into());
        }
        if self.text.last() == Some(&b'\r') {
            self.text.pop();
        }
        str::from_utf8(&self.text).map(Some).map_err(|_| "the line is not UTF-8".into())
    }

    /// Returns the next line, which must exist.
    fn expect(&mut self, what: &str) -> Result<&str, String> {
        self.next()?.ok_or_else(|| format!("the certificate ends where {what} should be"))
    }
}
