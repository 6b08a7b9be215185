//! Theorems of the proof assistant Rocq (Coq): what a certificate proves, in ordinary words, and the proof.
//!
//! A folder holds a theory that is the same for all models (`spec/rocq`: what a closed system means, a checker, and the proof
//! that the checker is right), the closed system with the steps of its proof (`Proof.v`), and a page to read (`Theorem.v`).

mod deep;
mod finite;
mod page;
mod queries;
mod system;
mod words;

use ramsey_core::base::span::Sources;
use ramsey_core::logic::Structure;
use ramsey_core::system::System;
use ramsey_kernel::check::Closed;
use ramsey_kernel::core::{Lowering, Proof, Unsupported};
use ramsey_kernel::obligations::{Origin, Property, Question, Relaxed, Subject};

/// A file with its name.
pub type File = (&'static str, String);

/// The theory of all folders.
const THEORY: [(&str, &str); 4] = [
    ("Core.v", include_str!("../../../spec/rocq/Core.v")),
    ("Check.v", include_str!("../../../spec/rocq/Check.v")),
    ("Sound.v", include_str!("../../../spec/rocq/Sound.v")),
    ("Short.v", include_str!("../../../spec/rocq/Short.v")),
];

/// The theory of executions of at most so many steps.
const BOUNDED: (&str, &str) = ("Bounded.v", include_str!("../../../spec/rocq/Bounded.v"));

/// The theory of finite structures.
const FINITE: (&str, &str) = ("Finite.v", include_str!("../../../spec/rocq/Finite.v"));

/// What pages about relaxed executions say at their beginning.
const RELAXED: &str = "(* Elements may disappear between states: for each sort a relation, active, is true of those that are there. *)\n";

/// How all of them are compiled. The page ends with the axioms that its theorems depend on.
const MAKEFILE: &str = include_str!("../../../spec/rocq/Makefile");

/// Of which states a system makes its claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claimed {
    /// Of all reachable ones.
    Always,
    /// Of those that are reached in at most `depth` steps.
    Within {
        /// The number of steps.
        depth: u16,
        /// Whether elements may disappear between states.
        is_relaxed: bool,
    },
}

/// Returns the files about all that a system claims, from a proof of it.
pub fn of_system(system: &System, sources: &Sources, model: &str, proof: &Proof) -> Vec<File> {
    folder(&[], deep::text(proof), system::text(system, sources, model, Claimed::Always))
}

/// Returns the files about executions of at most `depth` steps, in which elements may disappear if they are relaxed: none of them ends in a state that
/// violates one of these properties. The proof is that of the bounded question.
///
/// # Errors
/// The system has no closed form.
pub fn of_executions(
    system: &System,
    (depth, is_relaxed): (u16, bool),
    properties: &[Property],
    (sources, model): (&Sources, &str),
    proof: &Proof,
) -> Result<Vec<File>, Unsupported> {
    let mut system = if is_relaxed { Relaxed::new(system).system } else { system.without_proofs() };
    let has = |property: Property| properties.contains(&property);
    let is_beside = system.invariants.len().checked_sub(1).is_some_and(|last| has(Property::Invariant(last)));
    system.beside.take_if(|_| !is_beside);
    let mut at = 0..;
    system.invariants.retain(|_| at.next().is_some_and(|at| has(Property::Invariant(at))));
    let mut at = 0..;
    system.assertions.retain(|_| at.next().is_some_and(|at| has(Property::Assertion(at))));
    system.theorems.clear();
    let mut terms = system.terms.clone();
    let closed = Lowering::new(&system, terms.over_mut(&system.sig))?.core;
    let page = system::text(&system, sources, model, Claimed::Within { depth, is_relaxed });
    Ok(folder(&[BOUNDED], deep::text_within(&closed, depth, proof), page))
}

/// Returns the files about the obligations of a question, whose closed form is a list of queries: that what each of them assumes implies what it asks for,
/// as far as the proof of this closed form shows it, and that it does not in these structures.
///
/// # Errors
/// A part of the question has no closed form.
pub fn of_queries<'a>(
    subject: impl Into<Subject<'a>>,
    (question, closed): (&Question, &Closed),
    (sources, model): (&Sources, &str),
    (proof, structures): (&Proof, &[(Origin, &Structure)]),
) -> Result<Vec<File>, Unsupported> {
    let shown: Vec<bool> = proof.clauses.iter().map(Option::is_some).collect();
    let (page, refuted) =
        queries::text(subject.into(), (question, closed), (sources, model), (&shown, structures))?;
    let theory: &[_] = if structures.is_empty() { &[] } else { &[FINITE] };
    Ok(folder(theory, deep::text_of_queries(proof, &refuted), page))
}

/// Returns the files of a folder. Some need more than the theory of all.
fn folder(theory: &[(&'static str, &str)], proof: String, page: String) -> Vec<File> {
    let theory = THEORY.iter().chain(theory).map(|&(name, text)| (name, text.to_owned()));
    let own = [("Proof.v", proof), ("Theorem.v", page), ("Makefile", MAKEFILE.to_owned())];
    theory.chain(own).collect()
}
