//! Propositional variables and literals.

use std::fmt;
use std::ops::Not;

use ramsey_core::typed_id;

typed_id! {
    /// A propositional variable of one solver.
    pub struct Var;
    /// A variable or its negation. The index is twice the index of the variable, plus one if negated.
    pub struct Lit;
    /// An original or derived clause. Ids ascend in the order of derivation and are never reused.
    pub struct ClauseId;
}

impl Var {
    /// The first variable of a solver.
    pub const ZERO: Var = Var(0);

    /// Returns the positive literal of this variable.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// Returns the negative literal of this variable.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// Returns the literal that is true if the variable has this value.
    #[inline]
    pub fn literal(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl Lit {
    /// Returns the variable of this literal.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Checks whether this literal is negated.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Converts a DIMACS number into a literal: variables count from 1, the sign is the polarity. Returns `None` for 0
    /// and for numbers beyond the range of variables.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        let var = number.unsigned_abs().checked_sub(1)?;
        (var < u32::MAX >> 1).then(|| Var(var).literal(number > 0))
    }

    /// Returns the DIMACS number of this literal.
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_negative() { -number } else { number }
    }

    /// Returns the raw index of this literal, for arrays that hold literals together with other words.
    #[inline]
    pub(super) fn word(self) -> u32 {
        self.0
    }

    /// Inverse of [`Lit::word`].
    #[inline]
    pub(super) fn from_word(word: u32) -> Lit {
        Lit(word)
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_dimacs().fmt(f)
    }
}

impl ClauseId {
    /// Returns the raw index of this id.
    #[inline]
    pub(super) fn word(self) -> u32 {
        self.0
    }

    /// Inverse of [`ClauseId::word`].
    #[inline]
    pub(super) fn from_word(word: u32) -> ClauseId {
        ClauseId(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_numbers_round_trip() {
        for number in [1, -1, 2, -2, 1_000_000, -1_000_000] {
            let lit = Lit::from_dimacs(number).expect("a literal");
            assert_eq!(lit.to_dimacs(), number);
            assert_eq!((!lit).to_dimacs(), -number);
            assert_eq!(lit.is_negative(), number < 0);
            assert_eq!(lit, lit.var().literal(number > 0));
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
    }
}
