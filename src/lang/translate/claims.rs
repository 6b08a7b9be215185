//! Assertions of programs as claims about states.

use super::exprs::Name;
use crate::fol::ast::Expr;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;

/// The claims that were assertions, and their names.
#[derive(Default)]
pub(super) struct AssertionNames {
    known: Vec<(Expr, Span)>,
}

impl AssertionNames {
    /// Returns whether this is not the same assertion in another action.
    pub(super) fn is_new(&mut self, formula: &Expr, span: Span) -> bool {
        if self.known.iter().any(|(known, place)| *place == span && known == formula) {
            return false;
        }
        self.known.push((formula.clone(), span));
        true
    }

    /// Returns another name.
    pub(super) fn next(&mut self, taken: &mut Set<Name>) -> Name {
        fresh("assertion", taken)
    }
}

/// Returns the first of `plain`, `plain_2`, .. that is not taken, and takes it.
pub(super) fn fresh(plain: &str, taken: &mut Set<Name>) -> Name {
    let name = super::names::numbered(plain, &|name| taken.contains(name));
    taken.insert(name.clone());
    name
}
