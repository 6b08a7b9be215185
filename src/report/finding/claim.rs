//! Claims of a model, as every answer about them names them.

use std::borrow::Cow;
use std::fmt;

use super::evidence::line_column;
use crate::base::span::{Sources, Span};
use crate::logic::TermId;
use crate::query::bmc::Target;
use crate::system::{Site, System};
use crate::vc::{Origin, Property};

/// Kind of question about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether every initial state satisfies the claim.
    Initiation,
    /// Whether a transition preserves the claim.
    Consecution,
    /// Whether no execution of a part of the program violates an assertion.
    Assertion,
    /// Whether a theorem is valid.
    Theorem,
    /// Whether every state within a number of steps satisfies the claim.
    Bounded,
    /// Whether there is an execution as described.
    Trace,
    /// Whether the hypotheses of a bare query imply its goal.
    Query,
}

impl Question {
    /// Returns the word for the question in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Question::Initiation => "initiation",
            Question::Consecution => "consecution",
            Question::Assertion => "assertion",
            Question::Theorem => "theorem",
            Question::Bounded => "bounded",
            Question::Trace => "trace",
            Question::Query => "query",
        }
    }
}

/// Kind of declaration that a claim comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Safety property: an invariant that is what is wanted.
    Safety,
    /// Invariant that helps to prove others.
    Invariant,
    /// Assertion of a program.
    Assertion,
    /// Theorem.
    Theorem,
    /// Formula of the command line.
    Formula,
    /// Absence of deadlocks.
    Deadlock,
    /// Trace block.
    Trace,
    /// Bare query.
    Query,
}

impl Subject {
    /// Returns the word for the subject in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Subject::Safety => "safety",
            _ => self.noun(),
        }
    }

    /// Returns the noun for the subject in sentences.
    pub fn noun(self) -> &'static str {
        match self {
            Subject::Safety => "safety property",
            Subject::Invariant => "invariant",
            Subject::Assertion => "assertion",
            Subject::Theorem => "theorem",
            Subject::Formula => "formula",
            Subject::Deadlock => "deadlock",
            Subject::Trace => "trace",
            Subject::Query => "query",
        }
    }
}

/// Claim, with the question about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim<'a> {
    /// The question.
    pub question: Question,
    /// Kind of its declaration.
    pub subject: Subject,
    /// Name in the source, if any.
    pub name: Option<&'a str>,
    /// Name, or `L` and the line; empty if there is neither.
    pub label: Cow<'a, str>,
    /// Transition of the question, if any.
    pub transition: Option<&'a str>,
    /// Formula, if the claim is one.
    pub formula: Option<TermId>,
    /// Place of the declaration.
    pub span: Option<Span>,
}

impl<'a> Claim<'a> {
    /// Returns the claim of the obligation of this origin. A claim that the system does not declare, such as a
    /// conjecture, has no label.
    pub fn of_origin(system: &'a System, origin: Origin) -> Claim<'a> {
        let transition_name = |index: usize| system.transitions.get(index).map(|it| it.name.as_str());
        match origin {
            Origin::Initiation { invariant } => Claim::of_invariant(system, invariant, Question::Initiation),
            Origin::Consecution { transition, invariant } => Claim {
                transition: transition_name(transition),
                ..Claim::of_invariant(system, invariant, Question::Consecution)
            },
            Origin::Assertion { assertion } => Claim {
                transition: system.assertions.get(assertion).and_then(|it| match it.site {
                    Site::Transition(index) => transition_name(index),
                    Site::Init | Site::Final => None,
                }),
                ..Claim::of_assertion(system, assertion, Question::Assertion)
            },
            Origin::Theorem { theorem } => {
                let claim = Claim::unnamed(Question::Theorem, Subject::Theorem);
                let Some(it) = system.theorems.get(theorem) else { return claim };
                Claim {
                    name: it.name.as_deref(),
                    label: it.label.as_str().into(),
                    formula: Some(it.formula),
                    span: Some(it.span),
                    ..claim
                }
            }
            Origin::Bounded { property, .. } => Claim::of_property(system, property),
            Origin::Trace { trace } => {
                let span = system.traces.get(trace).map(|it| it.span);
                Claim { span, ..Claim::unnamed(Question::Trace, Subject::Trace) }
            }
            Origin::Query { .. } => Claim::unnamed(Question::Query, Subject::Query),
        }
    }

    /// Returns the claim that no reachable state violates the target. `formula` is the place of a formula of the
    /// command line.
    pub fn of_target(system: &'a System, target: Target, formula: Option<Span>) -> Claim<'a> {
        match target {
            Target::Model(property) => Claim::of_property(system, property),
            Target::Deadlock(term) => {
                Claim { formula: Some(term), ..Claim::unnamed(Question::Bounded, Subject::Deadlock) }
            }
            Target::Formula(term) => Claim {
                formula: Some(term),
                span: formula,
                ..Claim::unnamed(Question::Bounded, Subject::Formula)
            },
        }
    }

    /// Returns the claim that no reachable state violates the property.
    pub fn of_property(system: &'a System, property: Property) -> Claim<'a> {
        match property {
            Property::Invariant(index) => Claim::of_invariant(system, index, Question::Bounded),
            Property::Assertion(index) => Claim::of_assertion(system, index, Question::Bounded),
        }
    }

    fn of_invariant(system: &'a System, index: usize, question: Question) -> Claim<'a> {
        let Some(it) = system.invariants.get(index) else {
            return Claim::unnamed(question, Subject::Invariant);
        };
        Claim {
            name: it.name.as_deref(),
            label: it.label.as_str().into(),
            formula: Some(it.formula),
            span: Some(it.span),
            ..Claim::unnamed(question, if it.is_safety { Subject::Safety } else { Subject::Invariant })
        }
    }

    fn of_assertion(system: &'a System, index: usize, question: Question) -> Claim<'a> {
        let claim = Claim::unnamed(question, Subject::Assertion);
        let Some(it) = system.assertions.get(index) else { return claim };
        Claim { label: it.label.as_str().into(), formula: Some(it.formula), span: Some(it.span), ..claim }
    }

    fn unnamed(question: Question, subject: Subject) -> Claim<'a> {
        let (name, label, transition, formula, span) = (None, Cow::Borrowed(""), None, None, None);
        Claim { question, subject, name, label, transition, formula, span }
    }

    /// Returns the claim in a sentence: ``invariant `mutex` ``.
    pub fn title(&self) -> String {
        match self.subject {
            Subject::Formula => "the formula".to_owned(),
            Subject::Deadlock => "absence of deadlocks".to_owned(),
            _ if self.label.is_empty() => format!("the {}", self.subject.noun()),
            _ => format!("{} `{}`", self.subject.noun(), self.label),
        }
    }

    /// Returns the line and column of the declaration, from 1.
    pub fn line_column(&self, sources: &Sources) -> Option<(usize, usize)> {
        line_column(sources, self.span)
    }

    /// Returns the fingerprint of the claim. It depends on the question, the transition and the name, or for a claim
    /// without a name its text without white space; not on lines, files or other claims.
    pub fn fingerprint(&self, sources: &Sources) -> Fingerprint {
        let mut hash = Fnv::new();
        hash.field(self.question.word());
        hash.field(self.transition.unwrap_or_default());
        match self.name {
            Some(name) => {
                hash.field("name");
                hash.field(name);
            }
            None => {
                hash.field("text");
                hash.field(self.subject.word());
                let source = self.span.and_then(|span| Some((span, sources.get(span.file)?)));
                let text = source.and_then(|(span, it)| it.text.get(span.start as usize..span.end as usize));
                text.unwrap_or_default().split_whitespace().for_each(|word| hash.bytes(word));
            }
        }
        Fingerprint(hash.0)
    }
}

/// Number that stays the same for a claim while the model around it changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The hash function FNV-1a of 64 bits, which is the same on all machines and in all versions.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn bytes(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
    }

    /// Adds a text and a separator, which no text has.
    fn field(&mut self, text: &str) {
        self.bytes(text);
        self.byte(0xff);
    }
}
