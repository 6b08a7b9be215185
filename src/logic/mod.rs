//! Many-sorted first-order logic: signatures, hash-consed terms and formulas, structures, evaluation.

pub mod sig;
pub mod term;

pub use sig::{Annotation, Signature, Sort, SortId, SymId, Symbol, SymbolKind};
pub use term::{Args, Node, TermId, Terms, VarId};
