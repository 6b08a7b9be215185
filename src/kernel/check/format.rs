//! What certificates say of models: claims and the names of obligations. `spec/certificate.md` describes them.

use std::fmt::{self, Display};

use crate::obligations::{Origin, ProofPart, Property, Question, Subject};
pub use ramsey_core::base::digest::sha256;
use ramsey_core::base::text::{quoted, unquoted};
use ramsey_core::system::{Beside, MAX_STEPS, System};

/// The first line of every certificate.
pub const HEADER: &str = "ramsey-certificate 2";
/// Prefix of the second line; the rest is the [`sha256`] of the model's text.
pub const SOURCE: &str = "source ";
/// Prefix of the third line; the rest is the digest of the closed form.
pub const CORE: &str = "core ";
/// The line after the last one of a structure, and the last line.
pub const END: &str = "end";

/// The claim of a certificate about a system or a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The obligations to which the claim applies.
    pub question: Question,
    /// What is claimed beside the model, which is its last invariant ([`System::beside`]).
    pub beside: Option<Beside>,
    /// Whether each of them has an expected answer (see [`is_expected`]). Otherwise at least one has the other answer.
    pub proved: bool,
}

impl Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("claim ")?;
        match &self.question {
            Question::Verify => {}
            Question::Theorems => f.write_str("theorem ")?,
            Question::Bounded { depth, relaxed, properties } => {
                write!(f, "bmc {depth} {}", if *relaxed { "relaxed " } else { "" })?;
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
        match &self.beside {
            Some(Beside::Formula(text)) => write!(f, "{}{} ", FORMULA.trim_start(), quoted(text))?,
            Some(Beside::Progress) => write!(f, "{} ", PROGRESS.trim_start())?,
            None => {}
        }
        f.write_str(if self.proved { "proved" } else { "refuted" })
    }
}

/// What stands before the text of a formula beside the model.
const FORMULA: &str = " formula:";

/// What stands for the claim that some transition can be taken.
const PROGRESS: &str = " deadlock";

impl Claim {
    /// Returns what a line claims beside the model, if anything.
    pub fn beside(line: &str) -> Option<Beside> {
        if let Some((_, rest)) = line.split_once(FORMULA) {
            let text = unquoted(rest.split(' ').next()?)?;
            return Some(Beside::Formula(text.into()));
        }
        let (head, _) = line.rsplit_once(' ')?;
        head.ends_with(PROGRESS).then_some(Beside::Progress)
    }

    /// Parses a line: the inverse of [`Display`], for questions that make sense for `subject`.
    pub fn parse(subject: Subject<'_>, line: &str) -> Option<Claim> {
        let (head, answer) = line.rsplit_once(' ')?;
        let beside = Claim::beside(line);
        let known = match subject {
            Subject::System(system) => system.beside.as_ref(),
            Subject::Problem(_) => None,
        };
        if beside.as_ref() != known {
            return None;
        }
        let head = match &beside {
            Some(Beside::Formula(_)) => head.split_once(FORMULA)?.0,
            Some(Beside::Progress) => head.strip_suffix(PROGRESS)?,
            None => head,
        };
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
            (Subject::Problem(problem), None) if problem.has_claims() => Question::Verify,
            (Subject::System(_), Some("theorem")) => Question::Theorems,
            (Subject::System(system), Some("bmc")) => {
                let depth = u16::try_from(number(fields.next()?).ok()?).ok()?;
                let mut fields = fields.peekable();
                let relaxed = fields.next_if_eq(&"relaxed").is_some();
                let properties = indices(&mut fields, |field| property(system, field))?;
                (depth <= MAX_STEPS).then_some(Question::Bounded { depth, relaxed, properties })?
            }
            (Subject::System(system), Some("trace")) => Question::Traces(indices(&mut fields, |field| {
                let index = number(field).ok()? as usize;
                let trace = system.traces.get(index)?;
                (trace.transitions() <= usize::from(MAX_STEPS)).then_some(index)
            })?),
            _ => return None,
        };
        let is_about_it = match (subject, &question) {
            (Subject::System(system), Question::Bounded { properties, .. }) => {
                let last = system.invariants.len().checked_sub(1).map(Property::Invariant);
                last.is_some_and(|last| properties.contains(&last))
            }
            _ => false,
        };
        if beside.is_some() && !is_about_it {
            return None;
        }
        // The formula for progress is true in fewer states than have a next one, and is about the model as it is.
        let is_relaxed = matches!(question, Question::Bounded { relaxed: true, .. });
        if beside == Some(Beside::Progress) && (is_relaxed || !proved) {
            return None;
        }
        let claim = Claim { question, beside, proved };
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
/// The expected answer is a proof, for a `sat trace` block a structure that refutes it, and for a query what is claimed of it.
pub fn is_expected(subject: Subject<'_>, origin: Origin, is_structure: bool) -> bool {
    match (subject, origin) {
        (Subject::System(system), Origin::Trace { trace }) => system.traces[trace].expect_sat == is_structure,
        (Subject::Problem(problem), Origin::Query { query, .. }) => {
            problem.queries.get(query).is_none_or(|query| query.allows(!is_structure))
        }
        _ => !is_structure,
    }
}

/// Returns the line that starts an obligation of `subject`. Obligations of one subject have different lines.
pub fn obligation<'a>(subject: impl Into<Subject<'a>>, origin: Origin) -> String {
    let system = match (subject.into(), origin) {
        (Subject::System(system), _) => system,
        (Subject::Problem(problem), Origin::Query { query, line }) => {
            return match problem.queries.get(query).and_then(|query| query.name.as_ref()) {
                Some(name) => format!("obligation {name}"),
                None => format!("obligation query {} {line}", query + 1),
            };
        }
        // All other obligations are those of a system.
        (Subject::Problem(_), _) => return String::new(),
    };
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

/// Parses a decimal number in its unique form: no sign, no leading zero.
pub(super) fn number(field: &str) -> Result<u32, String> {
    let canonical =
        field.bytes().all(|byte| byte.is_ascii_digit()) && (field == "0" || !field.starts_with('0'));
    let value = if canonical { field.parse().ok() } else { None };
    value.ok_or_else(|| format!("`{field}` is not a number of this format"))
}
