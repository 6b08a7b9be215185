//! Many-sorted first-order logic: signatures, hash-consed terms and formulas, structures, evaluation.

pub mod eval;
mod problem;
pub mod sig;
pub mod structure;
mod subst;
mod syntax;
pub mod term;

pub use eval::Evaluator;
pub use problem::{Problem, Query, Wanted};
pub use sig::{
    Annotation, Notation, Signature, Sort, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, Unchecked,
    Universe,
};
pub use structure::{Elem, Interpretation, Structure, Tuples, element_name};
pub use syntax::{Syntax, SyntaxMut};
pub use term::{Args, Node, TermId, Terms, VarId};
