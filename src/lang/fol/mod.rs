//! Common parts of the languages of models: tokens, syntax trees and parser of formulas, sort inference by unification,
//! names, implicit quantifiers, expansion of definitions, and translation of checked units to a transition system.

pub(crate) mod annotations;
pub mod ast;
mod closure;
pub(crate) mod expand;
mod expr;
pub(crate) mod large;
pub(crate) mod lexer;
pub(crate) mod lower;
pub(crate) mod names;
pub(crate) mod parser;
pub(crate) mod proof;
pub(crate) mod sorts;
pub(crate) mod statics;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod token;
pub(crate) mod typed;
pub(crate) mod uses;

pub use closure::is_capital;
