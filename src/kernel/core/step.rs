//! Proofs about closed systems, as data. `spec/rocq/Check.v` has the same steps, with the same meaning.

use super::{Core, NodeId};

/// A formula or its negation: twice its number, and one more if it is negated.
pub type Literal = u32;

/// Returns the negation of a literal.
pub fn negated(literal: Literal) -> Literal {
    literal ^ 1
}

/// A step. Numbers are those of formulas, from 1. Each but [`Step::Define`] makes a clause, and they are counted from 1 in a
/// [`Proof`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Gives a formula its number.
    Define(u32, NodeId),
    /// A conjunction implies its child at this place.
    AndElim(u32, usize, Literal),
    /// Its children together imply a conjunction.
    AndIntro(u32, Vec<Literal>),
    /// A disjunction implies one of its children.
    OrElim(u32, Vec<Literal>),
    /// Its child at this place implies a disjunction.
    OrIntro(u32, usize, Literal),
    /// An implication with its premise implies its conclusion.
    ImpliesElim(u32, Literal, Literal),
    /// That its premise is false implies an implication (`true`), or its conclusion does (`false`).
    ImpliesIntro(u32, Literal, Literal, bool),
    /// One of the four clauses of an equivalence: 0 and 1 if it is true, 2 and 3 if it is false.
    Iff(u32, Literal, Literal, usize),
    /// A universal formula implies its body for these terms, which implies an existential formula.
    Instance(u32, Vec<NodeId>, Literal),
    /// New constants, from this number on and so many, for which the body is as the formula says.
    Witness(u32, usize, usize, Literal),
    /// A term is equal to itself.
    Reflexive(u32),
    /// Of three equations between three terms, the first two imply the third.
    Transitive(u32, u32, u32),
    /// Equal arguments have equal values: the equation, and those of its arguments; `None` where they are the same.
    Function(u32, Vec<Option<u32>>),
    /// A relation that is true of some arguments is true of equal ones.
    Relation(u32, u32, Vec<Option<u32>>),
    /// A clause that follows from others by unit propagation, in this order.
    Derived(Vec<Literal>, Vec<usize>),
}

/// A proof about a closed system.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The closed system. Its arena has the formulas of the steps as well.
    pub core: Core,
    /// The steps.
    pub steps: Vec<Step>,
    /// For each obligation, in the order of `spec/core.md`, the clause that its hypotheses imply its goal: 0 where the goal is one
    /// of them, and none where nothing is shown of it.
    pub clauses: Vec<Option<usize>>,
}

impl Proof {
    /// Returns the clauses for invariants in initial states; for each transition, those for invariants after it; those for
    /// assertions; and those for theorems. Where none is needed, or none is there, they have a 0.
    pub fn of_claims(&self) -> (Vec<usize>, Vec<Vec<usize>>, Vec<usize>, Vec<usize>) {
        let mut clauses = self.clauses.iter().map(|clause| clause.unwrap_or(0));
        let mut take = |count: usize| -> Vec<usize> { clauses.by_ref().take(count).collect() };
        let Core { transitions, invariants, assertions, theorems, .. } = &self.core;
        let initially = take(invariants.len());
        let preserved = transitions.iter().map(|_| take(invariants.len())).collect();
        (initially, preserved, take(assertions.len()), take(theorems.len()))
    }
}
