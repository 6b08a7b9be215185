//! Evidence for answers.

use crate::words::words;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::logic::{Structure, SymId, Syntax};
use ramsey_core::system::System;
use ramsey_engine::query::{Call, Counterexample};
use ramsey_kernel::obligations::{HypothesisOrigin, Origin, ProofPart, Property};

/// What supports an answer.
#[derive(Clone, Copy, Debug)]
pub enum Evidence<'a> {
    /// Nothing: there is no answer, or its proof was not requested.
    None,
    /// Hypotheses that suffice for a proof.
    Core(&'a [HypothesisOrigin]),
    /// Structure that violates the claim.
    Counterexample(Refutation<'a>),
    /// Execution that a trace block describes.
    Execution(&'a Structure, &'a [Call]),
}

/// Counterexample with everything that is needed to show it.
#[derive(Clone, Copy, Debug)]
pub struct Refutation<'a> {
    /// System of the claim.
    pub system: &'a System,
    /// Signature of the structure, and the terms of the violated formula.
    pub syntax: Syntax<'a>,
    /// The structure and the violated formula.
    pub found: &'a Counterexample,
    /// Additional facts about the structure.
    pub known: Known,
}

/// Additional facts about a counterexample.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Known {
    /// Whether state 0 is reached by the initial part.
    pub is_initial: bool,
    /// Assertion (an index into [`System::assertions`]) violated by an execution from the last state.
    pub assertion: Option<usize>,
    /// Part of a proof that is refuted.
    pub proof: Option<(usize, ProofPart)>,
}

impl Known {
    /// Returns the facts about a counterexample to an obligation.
    pub fn of(origin: Origin) -> Known {
        match origin {
            Origin::Initiation { .. } => Known { is_initial: true, ..Known::default() },
            Origin::Assertion { assertion } => Known { assertion: Some(assertion), ..Known::default() },
            Origin::Bounded { property: Property::Assertion(assertion), .. } => {
                Known { is_initial: true, assertion: Some(assertion), proof: None }
            }
            Origin::Bounded { .. } => Known { is_initial: true, ..Known::default() },
            Origin::Proof { proof, part, .. } => Known { proof: Some((proof, part)), ..Known::default() },
            Origin::Consecution { .. }
            | Origin::Theorem { .. }
            | Origin::Trace { .. }
            | Origin::Query { .. } => Known::default(),
        }
    }

    /// Returns the symbols of proofs that the claim is about.
    pub fn symbols(&self, system: &System) -> Vec<SymId> {
        let Some((proof, part)) = self.proof else { return Vec::new() };
        let Some(proof) = system.proofs.list.get(proof) else { return Vec::new() };
        let mut symbols: Vec<SymId> = proof.witnesses(part.step().unwrap_or(proof.steps.len())).collect();
        let step = part.step().and_then(|step| proof.steps.get(step));
        symbols.extend(step.and_then(|step| step.prophecy.as_ref()).map(|prophecy| prophecy.viable));
        symbols
    }

    /// Returns the state in which the claim is false, for this number of transitions.
    pub fn violated_state(&self, system: &System, transitions: usize) -> usize {
        let Some((proof, part)) = self.proof else { return transitions };
        match part {
            ProofPart::Safety => 1,
            ProofPart::Transition { step, .. } => {
                let step = system.proofs.list.get(proof).and_then(|proof| proof.steps.get(step));
                step.map_or(transitions, |step| if step.forward { 1 } else { 0 })
            }
            ProofPart::Start { .. } | ProofPart::Witness { .. } => 0,
        }
    }
}

words! {
    /// What a hypothesis is.
    pub enum HypothesisKind {
        /// An axiom.
        Axiom = "axiom",
        /// The axiom of a derived relation.
        Derived = "derived",
        /// A condition on initial states.
        Init = "init",
        /// An invariant.
        Invariant = "invariant",
        /// A transition.
        Transition = "transition",
        /// A step of a trace block.
        Step = "step",
        /// The formula of an assertion.
        Assertion = "assertion",
        /// The violation of a safety property.
        Unsafe = "unsafe",
        /// The viable values of prophecy variables.
        Prophecy = "prophecy",
    }
}

/// Hypothesis of a proof, as text and JSON name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hypothesis<'a> {
    /// What it is.
    pub kind: HypothesisKind,
    /// Name or label of the declaration, if it has one.
    pub name: Option<&'a str>,
    /// State to which a definition applies, or step.
    pub step: Option<u16>,
    /// Place of the declaration, if there is one.
    pub span: Option<Span>,
}

impl<'a> Hypothesis<'a> {
    /// Returns the hypothesis of this origin.
    pub fn of_origin(system: &'a System, origin: HypothesisOrigin) -> Hypothesis<'a> {
        let of = |kind, name: Option<&'a str>, span| Hypothesis { kind, name, step: None, span };
        match origin {
            HypothesisOrigin::Axiom(at) => {
                let axiom = system.axioms.get(at);
                of(HypothesisKind::Axiom, axiom.and_then(|it| it.name.as_deref()), axiom.map(|it| it.span))
            }
            HypothesisOrigin::Derived(at, step) => {
                let (label, span) = system.derived.get(at).map(|it| (it.label.as_str(), it.span)).unzip();
                Hypothesis { step: Some(step), ..of(HypothesisKind::Derived, label, span) }
            }
            HypothesisOrigin::Init(at) => {
                let init = system.inits.get(at);
                of(HypothesisKind::Init, init.and_then(|it| it.name.as_deref()), init.map(|it| it.span))
            }
            HypothesisOrigin::Invariant(at) => {
                let (label, span) = system.invariants.get(at).map(|it| (it.label.as_str(), it.span)).unzip();
                of(HypothesisKind::Invariant, label, span)
            }
            HypothesisOrigin::Transition(at) => {
                let (name, span) = system.transitions.get(at).map(|it| (it.name.as_str(), it.span)).unzip();
                of(HypothesisKind::Transition, name, span)
            }
            HypothesisOrigin::Step(step) => {
                Hypothesis { step: Some(step), ..of(HypothesisKind::Step, None, None) }
            }
            HypothesisOrigin::Assertion(_) => of(HypothesisKind::Assertion, None, None),
            HypothesisOrigin::Unsafe => of(
                HypothesisKind::Unsafe,
                None,
                system.invariants.iter().find(|it| it.is_safety).map(|it| it.span),
            ),
            HypothesisOrigin::ProofInvariant { proof, step, invariant, at } => {
                let step = system.proofs.list.get(proof).and_then(|proof| proof.steps.get(step));
                let it = step.and_then(|step| step.invariants.get(invariant));
                let (label, span) = it.map(|it| (it.label.as_str(), it.span)).unzip();
                Hypothesis { step: Some(at), ..of(HypothesisKind::Invariant, label, span) }
            }
            HypothesisOrigin::ProphecyInvariant { proof, step, invariant, at } => {
                let step = system.proofs.list.get(proof).and_then(|proof| proof.steps.get(step));
                let it = step.and_then(|step| step.inductive().get(invariant));
                let (label, span) = it.map(|it| (it.label.as_str(), it.span)).unzip();
                Hypothesis { step: Some(at), ..of(HypothesisKind::Invariant, label, span) }
            }
            HypothesisOrigin::Viable { proof, step } => {
                let step = system.proofs.list.get(proof).and_then(|proof| proof.steps.get(step));
                let (label, span) = step.map(|it| (it.label.as_str(), it.span)).unzip();
                of(HypothesisKind::Prophecy, label, span)
            }
        }
    }

    /// Returns the name, or `L` and the line of the declaration.
    pub fn label(&self, sources: &Sources) -> String {
        self.name.map_or_else(|| format!("L{}", self.line(sources)), str::to_owned)
    }

    /// Returns the line of the declaration, from 1; 0 if there is none.
    pub fn line(&self, sources: &Sources) -> usize {
        line_column(sources, self.span).map_or(0, |(line, _)| line)
    }
}

/// Returns the line and column of the start of a span, from 1.
pub(super) fn line_column(sources: &Sources, span: Option<Span>) -> Option<(usize, usize)> {
    let span = span?;
    Some(sources.get(span.file)?.line_column(span.start))
}
