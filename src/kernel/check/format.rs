//! Text format of certificates: lines as data, with a parser and a printer. It is described in `spec/certificate.md`.

use std::fmt::{self, Display};

use crate::obligations::{Origin, ProofPart, Property, Question, Subject};
pub use ramsey_core::base::digest::sha256;
use ramsey_core::logic::{Signature, SymId};
use ramsey_core::system::{MAX_STEPS, System};

/// The first line of every certificate.
pub const HEADER: &str = "ramsey-certificate 1";
/// Prefix of the second line; the rest is the [`sha256`] of the model's text.
pub const SOURCE: &str = "source ";
/// The line that precedes the steps of a proof.
pub const PROOF: &str = "proof";
/// The line that precedes a structure.
pub const COUNTEREXAMPLE: &str = "counterexample";
/// The line after the last step of a proof, or after the last value of a structure.
pub const END: &str = "end";

/// The claim of a certificate about a system or a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The obligations to which the claim applies.
    pub question: Question,
    /// Whether each of them has an expected answer (see [`is_expected`]). Otherwise at least one has the other answer.
    pub proved: bool,
}

impl Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("claim ")?;
        match &self.question {
            Question::Verify => {}
            Question::Theorems => f.write_str("theorem ")?,
            Question::Bounded { depth, properties } => {
                write!(f, "bmc {depth} ")?;
                for property in properties {
                    write!(f, "{} ", property_name(*property))?;
                }
            }
            Question::Traces(traces) => {
                f.write_str("trace ")?;
                traces.iter().try_for_each(|trace| write!(f, "{trace} "))?;
            }
            Question::Queries(queries) => {
                f.write_str("queries ")?;
                queries.iter().try_for_each(|query| write!(f, "{} ", query + 1))?;
                return f.write_str("answered");
            }
        }
        f.write_str(if self.proved { "proved" } else { "refuted" })
    }
}

impl Claim {
    /// Parses a line: the inverse of [`Display`], for questions that make sense for `subject`.
    pub fn parse(subject: Subject<'_>, line: &str) -> Option<Claim> {
        let (head, answer) = line.rsplit_once(' ')?;
        let proved = match answer {
            "proved" | "answered" => true,
            "refuted" => false,
            _ => return None,
        };
        let mut fields = head.split(' ').skip(1);
        let question = match (subject, fields.next()) {
            (Subject::Problem(problem), Some("queries")) => {
                Question::Queries(indices(&mut fields, |field| {
                    let index = (number(field).ok()? as usize).checked_sub(1)?;
                    (index < problem.queries.len()).then_some(index)
                })?)
            }
            (Subject::System(_), None) => Question::Verify,
            (Subject::System(_), Some("theorem")) => Question::Theorems,
            (Subject::System(system), Some("bmc")) => {
                let depth = u16::try_from(number(fields.next()?).ok()?).ok()?;
                let properties = indices(&mut fields, |field| property(system, field))?;
                (depth <= MAX_STEPS).then_some(Question::Bounded { depth, properties })?
            }
            (Subject::System(system), Some("trace")) => Question::Traces(indices(&mut fields, |field| {
                let index = number(field).ok()? as usize;
                let trace = system.traces.get(index)?;
                (trace.transitions() <= usize::from(MAX_STEPS)).then_some(index)
            })?),
            _ => return None,
        };
        let claim = Claim { question, proved };
        (claim.to_string() == line).then_some(claim)
    }
}

/// Parses all fields, of which there must be at least one, as a strictly ascending list.
fn indices<'a, T: Ord>(
    fields: &mut impl Iterator<Item = &'a str>,
    read: impl FnMut(&'a str) -> Option<T>,
) -> Option<Vec<T>> {
    let items: Vec<T> = fields.map(read).collect::<Option<_>>()?;
    (!items.is_empty() && items.is_sorted_by(|a, b| a < b)).then_some(items)
}

fn property_name(property: Property) -> String {
    match property {
        Property::Invariant(index) => format!("invariant:{index}"),
        Property::Assertion(index) => format!("assertion:{index}"),
    }
}

fn property(system: &System, field: &str) -> Option<Property> {
    let (kind, index) = field.split_once(':')?;
    let index = number(index).ok()? as usize;
    match kind {
        "invariant" if index < system.invariants.len() => Some(Property::Invariant(index)),
        "assertion" if index < system.assertions.len() => Some(Property::Assertion(index)),
        _ => None,
    }
}

/// Checks whether this answer to an obligation is expected.
///
/// The expected answer is a proof, for a `sat trace` block a structure that refutes it, and for a query either.
pub fn is_expected(subject: Subject<'_>, origin: Origin, is_structure: bool) -> bool {
    match (subject, origin) {
        (Subject::System(system), Origin::Trace { trace }) => system.traces[trace].expect_sat == is_structure,
        (_, Origin::Query { .. }) => true,
        _ => !is_structure,
    }
}

/// Returns the line that starts an obligation of `subject`. Obligations of one subject have different lines.
pub fn obligation<'a>(subject: impl Into<Subject<'a>>, origin: Origin) -> String {
    if let Origin::Query { query, line } = origin {
        return format!("obligation query {} {line}", query + 1);
    }
    // All other obligations are those of a system.
    let Subject::System(system) = subject.into() else { return String::new() };
    match origin {
        Origin::Query { .. } => String::new(),
        Origin::Initiation { invariant } => {
            format!("obligation init {invariant} {}", system.invariants[invariant].label)
        }
        Origin::Consecution { transition, invariant } => {
            let (name, label) = (&system.transitions[transition].name, &system.invariants[invariant].label);
            format!("obligation step {transition} {invariant} {name} {label}")
        }
        Origin::Assertion { assertion } => {
            format!("obligation assertion {assertion} {}", system.assertions[assertion].label)
        }
        Origin::Theorem { theorem } => {
            format!("obligation theorem {theorem} {}", system.theorems[theorem].label)
        }
        Origin::Bounded { steps, property } => {
            format!("obligation bmc {steps} {} {}", property_name(property), property.label(system))
        }
        Origin::Trace { trace } => format!("obligation trace {trace}"),
        Origin::Proof { proof, part, claim } => {
            let labels = |step: usize| {
                let step = &system.proofs.list[proof].steps[step];
                (&step.label, step.inductive().get(claim).map_or("", |it| &it.label))
            };
            match part {
                ProofPart::Start { step } => {
                    let (name, label) = labels(step);
                    format!("obligation proof {proof} {step} start {claim} {name} {label}")
                }
                ProofPart::Transition { step, transition } => {
                    let (name, label) = labels(step);
                    let by = &system.transitions[transition].name;
                    format!("obligation proof {proof} {step} step {transition} {claim} {by} {name} {label}")
                }
                ProofPart::Witness { step } => {
                    let name = &system.proofs.list[proof].steps[step].label;
                    format!("obligation proof {proof} {step} witness {name}")
                }
                ProofPart::Safety => {
                    format!("obligation proof {proof} safety {claim} {}", system.invariants[claim].label)
                }
            }
        }
    }
}

/// Returns a certificate: its claim about `subject`, made from the text `source`, and a block for each obligation. A block
/// has the lines of a proof, or of a structure if the flag says so.
pub fn document<'s, B: Display>(
    subject: impl Into<Subject<'s>>,
    source: &str,
    claim: &Claim,
    blocks: impl IntoIterator<Item = (Origin, bool, B)>,
) -> String {
    let subject = subject.into();
    let mut text = format!("{HEADER}\n{SOURCE}{}\n{claim}\n", sha256(source));
    for (origin, is_structure, body) in blocks {
        let kind = if is_structure { COUNTEREXAMPLE } else { PROOF };
        text.push_str(&format!("{}\n{kind}\n{body}{END}\n", obligation(subject, origin)));
    }
    text
}

/// A line of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// `size SORT N`: how many elements the sort has.
    Size {
        /// The name of a declared sort.
        sort: &'a str,
        /// At least 1.
        size: u32,
    },
    /// `v NAME[']* E* = E`: the value of a symbol at elements. What is not given is 0.
    Entry {
        /// A declared symbol with its primes, see [`symbol_name`].
        symbol: &'a str,
        /// One element per argument.
        args: Vec<u32>,
        /// An element, or a truth value as 0 or 1.
        value: u32,
    },
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Size { sort, size } => write!(f, "size {sort} {size}"),
            Value::Entry { symbol, args, value } => {
                list(f, format_args!("v {symbol}"), args)?;
                write!(f, " = {value}")
            }
        }
    }
}

impl<'a> Value<'a> {
    /// Parses a line.
    pub fn parse(line: &'a str) -> Result<Value<'a>, String> {
        let fields: Vec<&str> = line.split(' ').collect();
        match fields.as_slice() {
            ["size", sort, size] => Ok(Value::Size { sort, size: number(size)? }),
            ["v", symbol, args @ .., "=", value] => {
                let args = args.iter().map(|field| number(field)).collect::<Result<_, _>>()?;
                Ok(Value::Entry { symbol, args, value: number(value)? })
            }
            _ => Err("neither the size of a sort nor a value".into()),
        }
    }
}

/// Returns the name of a symbol in lines: with a prime for each step. Immutable symbols have no primes.
pub fn symbol_name(sig: &Signature, sym: SymId, step: u16) -> String {
    let symbol = &sig.symbols[sym];
    let primes = if symbol.kind.is_mutable() { usize::from(step) } else { 0 };
    format!("{}{}", symbol.name, "'".repeat(primes))
}

/// A line of a proof.
///
/// Clauses and formulas are numbered from 1, formulas in the order of their first appearance in a clause. Terms and
/// lists of inputs, of children and of witnesses are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `t NAME[']* T*`: the next term is a function or constant applied to terms.
    Term {
        /// A declared symbol with its primes, see [`symbol_name`].
        symbol: String,
        /// One term per argument.
        args: Vec<u32>,
    },
    /// `w F K`: the next term is a witness constant of an existential formula.
    Witness {
        /// The formula.
        formula: u32,
        /// Index of the variable in its block.
        index: u32,
    },
    /// `d SORT`: the next term is the default constant of the sort, which exists because no sort is empty.
    Default {
        /// The name of a declared sort.
        sort: String,
    },
    /// `i K`: the unit clause of the input.
    Input {
        /// Hypotheses in the order of the group, then the negated goal.
        index: u32,
    },
    /// `a F K`: the negated conjunction, or its child.
    And {
        /// The conjunction.
        formula: u32,
        /// Index of the child.
        child: u32,
    },
    /// `o F`: the negated disjunction, or one of its children.
    Or {
        /// The disjunction.
        formula: u32,
    },
    /// `u F T*`: the negated universal formula, or its body for these terms.
    Forall {
        /// The universal formula.
        formula: u32,
        /// One term per variable of the block.
        terms: Vec<u32>,
    },
    /// `e F`: the negated existential formula, or its body for its witnesses.
    Exists {
        /// The existential formula.
        formula: u32,
    },
    /// `q L*`: a clause of atoms that is valid by the laws of equality.
    Equality {
        /// Formula numbers, negative if negated.
        literals: Vec<i32>,
    },
    /// `r L* 0 H*`: a clause that follows by unit propagation along the hints.
    Derived {
        /// Formula numbers, negative if negated.
        literals: Vec<i32>,
        /// Clause numbers.
        hints: Vec<u32>,
    },
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Term { symbol, args } => list(f, format_args!("t {symbol}"), args),
            Step::Witness { formula, index } => write!(f, "w {formula} {index}"),
            Step::Default { sort } => write!(f, "d {sort}"),
            Step::Input { index } => write!(f, "i {index}"),
            Step::And { formula, child } => write!(f, "a {formula} {child}"),
            Step::Or { formula } => write!(f, "o {formula}"),
            Step::Forall { formula, terms } => list(f, format_args!("u {formula}"), terms),
            Step::Exists { formula } => write!(f, "e {formula}"),
            Step::Equality { literals } => list(f, format_args!("q"), literals),
            Step::Derived { literals, hints } => {
                list(f, format_args!("r"), literals)?;
                list(f, format_args!(" 0"), hints)
            }
        }
    }
}

fn list<T: Display>(f: &mut fmt::Formatter<'_>, head: fmt::Arguments<'_>, items: &[T]) -> fmt::Result {
    f.write_fmt(head)?;
    items.iter().try_for_each(|item| write!(f, " {item}"))
}

impl Step {
    /// Parses a line.
    pub fn parse(line: &str) -> Result<Step, String> {
        let mut fields = line.split(' ');
        let step = match fields.next() {
            Some("t") => Step::Term { symbol: next(&mut fields)?.to_owned(), args: numbers(&mut fields)? },
            Some("w") => {
                Step::Witness { formula: next_number(&mut fields)?, index: next_number(&mut fields)? }
            }
            Some("d") => Step::Default { sort: next(&mut fields)?.to_owned() },
            Some("i") => Step::Input { index: next_number(&mut fields)? },
            Some("a") => Step::And { formula: next_number(&mut fields)?, child: next_number(&mut fields)? },
            Some("o") => Step::Or { formula: next_number(&mut fields)? },
            Some("u") => Step::Forall { formula: next_number(&mut fields)?, terms: numbers(&mut fields)? },
            Some("e") => Step::Exists { formula: next_number(&mut fields)? },
            Some("q") => Step::Equality { literals: fields.by_ref().map(literal).collect::<Result<_, _>>()? },
            Some("r") => {
                let clause = fields.by_ref().take_while(|&field| field != "0");
                let literals = clause.map(literal).collect::<Result<_, _>>()?;
                Step::Derived { literals, hints: numbers(&mut fields)? }
            }
            _ => return Err("unknown kind of line".into()),
        };
        match fields.next() {
            None => Ok(step),
            Some(_) => Err("the line has more fields than its kind".into()),
        }
    }
}

fn next<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<&'a str, String> {
    fields.next().ok_or_else(|| "the line has fewer fields than its kind".into())
}

fn next_number<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<u32, String> {
    number(next(fields)?)
}

fn numbers<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Vec<u32>, String> {
    fields.map(number).collect()
}

/// Parses a decimal number in its unique form: no sign, no leading zero.
pub(super) fn number(field: &str) -> Result<u32, String> {
    let canonical =
        field.bytes().all(|byte| byte.is_ascii_digit()) && (field == "0" || !field.starts_with('0'));
    let value = if canonical { field.parse().ok() } else { None };
    value.ok_or_else(|| format!("`{}` is not a number of this format", excerpt(field)))
}

/// Parses a number other than 0, possibly negative.
fn literal(field: &str) -> Result<i32, String> {
    let (digits, sign) = match field.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (field, 1),
    };
    match i32::try_from(number(digits)?) {
        Ok(value) if value != 0 => Ok(sign * value),
        _ => Err(format!("`{}` is not a literal", excerpt(field))),
    }
}

/// Returns the beginning of a text, for messages.
pub(super) fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push_str("..");
    }
    short
}
