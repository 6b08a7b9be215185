//! What all languages of models share: tokens, formulas and their syntax trees, the parser of formulas, sorts by
//! unification, names, implicit quantifiers, and expansion of definitions into terms.

pub(in crate::lang) mod annotations;
pub mod ast;
pub(in crate::lang) mod check;
mod closure;
pub(in crate::lang) mod expand;
mod expr;
pub(in crate::lang) mod names;
pub(in crate::lang) mod parser;
pub(in crate::lang) mod sorts;
pub(in crate::lang) mod token;
pub(in crate::lang) mod typed;
pub(in crate::lang) mod uses;

pub use closure::is_capital;
