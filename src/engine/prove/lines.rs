//! Proofs as data: what search finds, and what `elaborate` makes certificates of.

use ramsey_core::logic::{SortId, SymId};

/// A step of a proof.
///
/// Clauses and formulas are numbered from 1, formulas in the order of their first appearance in a clause. Terms and
/// lists of inputs, of children and of witnesses are numbered from 0. A literal is the number of a formula, negative if it is
/// negated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The next term is a function or constant, read in a state, applied to terms.
    Term { sym: SymId, state: u16, args: Vec<u32> },
    /// The next term is the witness of a quantified formula for a variable of its block.
    Witness { formula: u32, index: u32 },
    /// The next term is some element of a sort.
    Default { sort: SortId },
    /// The next formula is the equation of two terms, unless it has a number already.
    Equation { left: u32, right: u32 },
    /// The unit clause of an input: the hypotheses in the order of the group, then the goal, which is false.
    Input { index: u32 },
    /// That the formula has the other value, or this part of it the value that follows.
    Part { formula: u32, at: u32 },
    /// That the formula has the other value, or one of its parts a value.
    Parts { formula: u32 },
    /// One of the four clauses about an equivalence, in the order of certificates.
    Iff { formula: u32, at: u32 },
    /// A universal formula is false, or its body true for these terms, one per variable of the block. The opposite for an existential one.
    Instance { formula: u32, terms: Vec<u32> },
    /// An existential formula is false, or its body true for its witnesses. The opposite for a universal one.
    Witnesses { formula: u32 },
    /// A clause of atoms that is valid by the laws of equality.
    Equality { literals: Vec<i32> },
    /// A clause that follows by unit propagation along the clauses with these numbers.
    Derived { literals: Vec<i32>, hints: Vec<u32> },
}
