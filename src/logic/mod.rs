//! Many-sorted first-order logic: signatures, hash-consed terms and formulas, structures, evaluation.

mod conjecture;
pub mod eval;
pub mod fragment;
pub mod nnf;
pub mod partial;
pub mod print;
mod problem;
pub mod sig;
pub mod structure;
mod subst;
pub mod term;

pub use eval::Evaluator;
pub use fragment::{Cause, Edge, Normalizer, SortGraph};
pub use nnf::{Miniscope, Nnf};
pub use partial::{Fact, Partial};
pub use print::Pretty;
pub use problem::{Problem, Query};
pub use sig::{Annotation, Signature, Sort, SortId, SymId, Symbol, SymbolKind};
pub use structure::{Elem, Interpretation, Structure, Tuples, element_name};
pub use term::{Args, Node, TermId, Terms, VarId};
