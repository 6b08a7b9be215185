//! What formulas of a shape are made of: variables by block, terms without variables, numbers of literals.

use crate::infer::outcome::QuantifierPrefix;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::SortId;

/// Maximum numbers of literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limits {
    /// Of those about outer variables alone.
    pub(super) outside: usize,
    /// Of the others, in a clause.
    pub(super) inside: usize,
    /// Of both in a clause.
    pub(super) clause: usize,
}

impl Limits {
    /// Returns the number of literals of a formula outside and within.
    pub(super) fn all(self) -> usize {
        self.outside + self.inside
    }
}

/// The numbers of variables of each sort, by block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::infer) struct Blocks {
    pub(super) outer: Vec<u32>,
    /// Outer variables that no literal with a witness mentions, so that witnesses do not depend on them.
    pub(super) local: Vec<u32>,
    pub(super) witnesses: Vec<u32>,
    pub(super) inner: Vec<u32>,
}

impl Blocks {
    /// Returns the prefix: the sort of each variable.
    pub(super) fn prefix(&self) -> QuantifierPrefix {
        let of = |counts: &[&[u32]]| -> Vec<SortId> {
            let counts = counts.iter().flat_map(|counts| counts.iter().enumerate());
            counts.flat_map(|(sort, &count)| (0..count).map(move |_| SortId::new(sort))).collect()
        };
        QuantifierPrefix {
            outer: of(&[&self.outer, &self.local]),
            witnesses: of(&[&self.witnesses]),
            inner: of(&[&self.inner]),
        }
    }

    /// Checks whether there are several witnesses, and inner variables beside them.
    pub(super) fn has_witnesses_and_inner(&self) -> bool {
        self.witnesses.iter().sum::<u32>() > 1 && self.inner.iter().any(|&count| count > 0)
    }

    /// Checks whether another prefix has all variables of this one.
    pub(super) fn is_part_of(&self, other: &Blocks) -> bool {
        let is_part = |own: &[u32], other: &[u32]| own.iter().zip(other).all(|(own, other)| own <= other);
        is_part(&self.outer, &other.outer)
            && is_part(&self.local, &other.local)
            && is_part(&self.witnesses, &other.witnesses)
            && is_part(&self.inner, &other.inner)
    }
}

/// A term without variables, which stands in formulas like a variable that is free of charge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ground {
    pub(super) sort: SortId,
    /// The number of the symbol in the vocabulary.
    pub(super) symbol: usize,
    /// The places of its arguments, which come before it in the list.
    pub(super) args: Vec<usize>,
}
