//! Claims of a model, as every answer about them names them.

use std::borrow::Cow;
use std::fmt;

use super::evidence::line_column;
use super::numbers::Numbers;
use crate::words::words;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::logic::{Syntax, TermId};
use ramsey_core::system::{ProofStep, Site, System, Trace, TraceStep};
use ramsey_engine::query::bmc::Target;
use ramsey_kernel::obligations::{Origin, ProofPart, Property};
use ramsey_solver::formulas::Pretty;

words! {
    /// Kind of question about a claim.
    pub enum Question {
        /// Whether every initial state satisfies the claim.
        Initiation = "initiation",
        /// Whether a transition preserves the claim.
        Consecution = "consecution",
        /// Whether no execution of a part of the program violates an assertion.
        Assertion = "assertion",
        /// Whether a theorem is valid.
        Theorem = "theorem",
        /// Whether a part of a proof is right.
        Proof = "fbii",
        /// Whether every state within a number of steps satisfies the claim.
        Bounded = "bounded",
        /// Whether there is an execution as described.
        Trace = "trace",
        /// Whether the hypotheses of a bare query imply its goal.
        Query = "query",
    }
}

words! {
    /// Kind of declaration that a claim comes from.
    pub enum Subject {
        /// Safety property: an invariant that is what is wanted.
        Safety = "safety",
        /// Invariant that helps to prove others.
        Invariant = "invariant",
        /// Assertion of a program.
        Assertion = "assertion",
        /// Theorem.
        Theorem = "theorem",
        /// Formula that a prophecy step of a proof shows by induction.
        ProphecyInvariant = "prophecy invariant",
        /// Prophecy of a step of a proof.
        Prophecy = "prophecy",
        /// Formula of the command line.
        Formula = "formula",
        /// Absence of deadlocks.
        Deadlock = "deadlock",
        /// Trace block.
        Trace = "trace",
        /// Bare query.
        Query = "query",
    }
}

impl Subject {
    /// Returns the noun for the subject in sentences.
    pub fn noun(self) -> &'static str {
        match self {
            Subject::Safety => "safety property",
            _ => self.word(),
        }
    }
}

words! {
    /// Kind of a part of a proof.
    pub enum PartKind {
        /// Where the induction starts.
        Start = "start",
        /// A transition.
        Transition = "transition",
        /// The values of the prophecy variables.
        Prophecy = "prophecy",
        /// The end of the proof.
        Safety = "safety",
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
    /// Part of a proof that the question is about, if any.
    pub proof: Option<ProofClaim<'a>>,
    /// Formula, if the claim is one, over [`Self::syntax`].
    pub formula: Option<TermId>,
    /// Place of the declaration.
    pub span: Option<Span>,
}

/// Part of a proof.
#[derive(Clone, Copy, Debug)]
pub struct ProofClaim<'a> {
    /// Number of the proof, from 0.
    pub proof: usize,
    /// Part of the proof.
    pub part: ProofPart,
    /// Step of the proof, if the part belongs to one.
    pub step: Option<&'a ProofStep>,
    /// Place of the proof.
    pub span: Span,
}

impl PartialEq for ProofClaim<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.proof, self.part) == (other.proof, other.part)
    }
}

impl Eq for ProofClaim<'_> {}

impl ProofClaim<'_> {
    /// Returns the kind of the part.
    pub fn kind(&self) -> PartKind {
        match self.part {
            ProofPart::Start { .. } => PartKind::Start,
            ProofPart::Transition { .. } => PartKind::Transition,
            ProofPart::Witness { .. } => PartKind::Prophecy,
            ProofPart::Safety => PartKind::Safety,
        }
    }

    /// Returns the text by which the part is told from others of the system, whatever the lines are.
    fn identity(&self) -> String {
        let step = match (self.step, self.part.step()) {
            (Some(ProofStep { name: Some(name), .. }), _) => name.clone(),
            (_, Some(step)) => format!("#{step}"),
            (_, None) => String::new(),
        };
        format!("{} {} {step}", self.proof, self.kind().word())
    }
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
            Origin::Proof { proof, part, claim } => Claim::of_proof(system, proof, part, claim),
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

    fn of_proof(system: &'a System, proof: usize, part: ProofPart, index: usize) -> Claim<'a> {
        let unnamed = Claim::unnamed(Question::Proof, Subject::Prophecy);
        let Some(known) = system.proofs.list.get(proof) else { return unnamed };
        let step = part.step().and_then(|step| known.steps.get(step));
        let place = Some(ProofClaim { proof, part, step, span: known.span });
        let inductive = step.and_then(|step| step.inductive().get(index));
        match (part, step, inductive) {
            (ProofPart::Safety, _, _) => {
                Claim { proof: place, ..Claim::of_invariant(system, index, Question::Proof) }
            }
            (ProofPart::Witness { .. }, Some(step), _) => Claim {
                name: step.name.as_deref(),
                label: step.label.as_str().into(),
                proof: place,
                span: Some(step.span),
                ..unnamed
            },
            (_, Some(step), Some(it)) => Claim {
                subject: if step.prophecy.is_some() {
                    Subject::ProphecyInvariant
                } else {
                    Subject::Invariant
                },
                name: it.name.as_deref(),
                label: it.label.as_str().into(),
                transition: match part {
                    ProofPart::Transition { transition, .. } => {
                        system.transitions.get(transition).map(|it| it.name.as_str())
                    }
                    _ => None,
                },
                proof: place,
                formula: Some(it.formula),
                span: Some(it.span),
                ..unnamed
            },
            _ => Claim { proof: place, ..unnamed },
        }
    }

    fn of_assertion(system: &'a System, index: usize, question: Question) -> Claim<'a> {
        let claim = Claim::unnamed(question, Subject::Assertion);
        let Some(it) = system.assertions.get(index) else { return claim };
        Claim { label: it.label.as_str().into(), formula: Some(it.formula), span: Some(it.span), ..claim }
    }

    fn unnamed(question: Question, subject: Subject) -> Claim<'a> {
        let (name, label, transition, formula, span) = (None, Cow::Borrowed(""), None, None, None);
        Claim { question, subject, name, label, transition, proof: None, formula, span }
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

    /// Returns the claim in a sentence that does not depend on lines: a claim without a name has its formula there.
    pub fn lasting_title(&self, system: &System) -> String {
        let Some(formula) = self.formula.filter(|_| self.name.is_none() && !self.label.is_empty()) else {
            return match self.subject {
                Subject::Trace => format!("trace {}", self.fingerprint(system, &Numbers::default())),
                _ => self.title(),
            };
        };
        let text = formula_text(self.syntax(system), formula);
        let cut = text.char_indices().nth(MAX_TITLE).map_or(text.as_str(), |(at, _)| &text[..at]);
        let dots = if cut.len() < text.len() { "..." } else { "" };
        format!("{} `{}{dots}`", self.subject.noun(), cut.trim_end())
    }

    /// Returns the signature and the terms of the formula: those of the proofs if it is one of a proof.
    pub fn syntax<'s>(&self, system: &'s System) -> Syntax<'s> {
        let is_of_proof = self.proof.is_some_and(|proof| proof.step.is_some());
        if is_of_proof { system.widest_syntax() } else { system.syntax() }
    }

    /// Returns the line and column of the declaration, from 1.
    pub fn line_column(&self, sources: &Sources) -> Option<(usize, usize)> {
        line_column(sources, self.span)
    }

    /// Returns the fingerprint of the claim in its system. It depends on the question, the transition and the name; for a
    /// claim without a name on its formula, on the part of the program that it is in, and on its number among equal
    /// ones. It does not depend on lines, comments, files or other claims.
    pub fn fingerprint(&self, system: &System, numbers: &Numbers) -> Fingerprint {
        let mut hash = Fnv::new();
        hash.field(self.question.word());
        hash.field(self.transition.unwrap_or_default());
        if let Some(proof) = &self.proof {
            hash.field(&proof.identity());
        }
        if let Some(name) = self.name {
            hash.field("name");
            hash.field(name);
            return Fingerprint(hash.0);
        }
        hash.field(self.subject.word());
        if let Some(formula) = self.formula {
            hash.field(&formula_text(self.syntax(system), formula));
        }
        let (part, number) = self.position(system, numbers);
        hash.field(&part);
        hash.field(&number.to_string());
        Fingerprint(hash.0)
    }

    /// Returns the part of the system that a claim without a name is in, and the number of equal ones before it there.
    fn position(&self, system: &System, numbers: &Numbers) -> (String, usize) {
        let terms = self.syntax(system).terms;
        let is_equal = |other| self.formula.is_some_and(|formula| terms.alpha_equal(other, formula));
        if let Some(step) = self.proof.as_ref().and_then(|proof| proof.step) {
            let equal = step.inductive().iter().filter(|it| it.name.is_none() && is_equal(it.formula));
            return (String::new(), equal.take_while(|it| Some(it.span) != self.span).count());
        }
        let here = self.span.zip(self.formula);
        match self.subject {
            Subject::Safety | Subject::Invariant => {
                (String::new(), here.map_or(0, |(span, formula)| numbers.of_invariant(span, formula)))
            }
            Subject::Theorem => {
                (String::new(), here.map_or(0, |(span, formula)| numbers.of_theorem(span, formula)))
            }
            Subject::Assertion => {
                let site = system.assertions.iter().find(|it| it.label == self.label).map(|it| it.site);
                let equal =
                    system.assertions.iter().filter(|it| Some(it.site) == site && is_equal(it.formula));
                let part = match site {
                    Some(Site::Transition(index)) => {
                        system.transitions.get(index).map_or(String::new(), |it| it.name.clone())
                    }
                    // No transition has these names, since they are keywords or have a space.
                    Some(Site::Init) => "initial part".to_owned(),
                    Some(Site::Final) => "final part".to_owned(),
                    None => String::new(),
                };
                (part, equal.take_while(|it| it.label != self.label).count())
            }
            Subject::Trace => {
                let Some(trace) = system.traces.iter().find(|it| Some(it.span) == self.span) else {
                    return (String::new(), 0);
                };
                let text = trace_text(system, trace);
                let equal = system.traces.iter().filter(|it| trace_text(system, it) == text);
                let number = equal.take_while(|it| Some(it.span) != self.span).count();
                (text, number)
            }
            Subject::ProphecyInvariant
            | Subject::Prophecy
            | Subject::Formula
            | Subject::Deadlock
            | Subject::Query => (String::new(), 0),
        }
    }
}

/// Maximum length of a formula in a title, in characters.
const MAX_TITLE: usize = 80;

/// Maximum size of a formula that is printed for a fingerprint.
const MAX_SIZE: u32 = 20_000;

/// Returns a formula as text; of a large one its size and its symbols.
fn formula_text(syntax: Syntax<'_>, formula: TermId) -> String {
    let size = syntax.terms.tree_size(formula);
    if size <= MAX_SIZE {
        return Pretty::new(syntax, formula).to_string();
    }
    let symbols = syntax.terms.symbols(formula);
    let names = syntax.sig.symbols.iter_enumerated().filter(|(sym, _)| symbols.contains(sym));
    let names: Vec<&str> = names.map(|(_, symbol)| symbol.name.as_str()).collect();
    format!("{size} {}", names.join(" "))
}

/// Returns the steps of a trace block as text.
fn trace_text(system: &System, trace: &Trace) -> String {
    let mut text = if trace.expect_sat { "sat" } else { "unsat" }.to_owned();
    for step in &trace.steps {
        match step {
            TraceStep::AssertInit => text.push_str("; init"),
            TraceStep::Assert(formula) => {
                text.push_str("; ");
                text.push_str(&formula_text(system.syntax(), *formula));
            }
            TraceStep::AnyTransition => text.push_str("; any"),
            TraceStep::Transitions(calls) => {
                text.push(';');
                for call in calls {
                    let name = system.transitions.get(call.transition).map_or("", |it| &it.name);
                    let args = call.args.iter();
                    let args =
                        args.map(|arg| arg.map_or("*".to_owned(), |arg| formula_text(system.syntax(), arg)));
                    text.push_str(&format!(" {name}({})", args.collect::<Vec<String>>().join(",")));
                }
            }
        }
    }
    text
}

/// Number that stays the same for a claim while the model around it changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Returns the fingerprint of these texts, none of which may be left out.
    pub fn of(fields: &[&str]) -> Fingerprint {
        let mut hash = Fnv::new();
        fields.iter().for_each(|field| hash.field(field));
        Fingerprint(hash.0)
    }
}

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

/// Returns a short description of an obligation: `transition send, invariant mutex`.
pub fn origin_text(system: &System, origin: Origin) -> String {
    let claim = Claim::of_origin(system, origin);
    let label = &claim.label;
    match claim.question {
        Question::Initiation => format!("init, invariant {label}"),
        Question::Consecution => {
            format!("transition {}, invariant {label}", claim.transition.unwrap_or_default())
        }
        Question::Assertion | Question::Theorem => format!("{} {label}", claim.subject.noun()),
        // `cti` has no obligations of proofs and about executions.
        Question::Proof | Question::Bounded | Question::Trace | Question::Query => "execution".to_owned(),
    }
}
