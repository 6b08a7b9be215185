//! A signature and terms over it as one value. Functions that need both take this value.

use super::sig::Signature;
use super::term::Terms;

/// A signature and terms over it, for reading.
#[derive(Clone, Copy, Debug)]
pub struct Syntax<'a> {
    /// The sorts and symbols.
    pub sig: &'a Signature,
    /// The arena of the terms.
    pub terms: &'a Terms,
}

/// A signature and an arena in which terms over it are created.
#[derive(Debug)]
pub struct SyntaxMut<'a> {
    /// The sorts and symbols.
    pub sig: &'a Signature,
    /// The arena of the terms.
    pub terms: &'a mut Terms,
}

impl Terms {
    /// Returns these terms with their signature, for reading.
    pub fn over<'a>(&'a self, sig: &'a Signature) -> Syntax<'a> {
        Syntax { sig, terms: self }
    }

    /// Returns these terms with their signature, to create further terms.
    pub fn over_mut<'a>(&'a mut self, sig: &'a Signature) -> SyntaxMut<'a> {
        SyntaxMut { sig, terms: self }
    }
}

impl SyntaxMut<'_> {
    /// Returns the same signature and arena, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> SyntaxMut<'_> {
        self.terms.over_mut(self.sig)
    }
}
