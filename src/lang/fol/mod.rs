//! Common parts of the languages of models: tokens, syntax trees and parser of formulas, sort inference by unification,
//! names, implicit quantifiers, expansion of definitions, and translation of checked units to a transition system.

pub(in crate::lang) mod annotations;
pub mod ast;
pub(in crate::lang) mod check;
mod closure;
pub(in crate::lang) mod expand;
mod expr;
pub(in crate::lang) mod lexer;
pub(in crate::lang) mod lower;
pub(in crate::lang) mod names;
pub(in crate::lang) mod parser;
pub(in crate::lang) mod proof;
pub(in crate::lang) mod sorts;
#[cfg(test)]
pub(in crate::lang) mod tests;
pub(in crate::lang) mod token;
pub(in crate::lang) mod typed;
pub(in crate::lang) mod uses;

pub use closure::is_capital;
