//! Models with what follows from them: the one place where they are parsed, and where it is decided what else is asked of
//! them.
//!
//! [`ModelText`] derives from a text its tree, its meaning, its lints and the like, each once and when it is first asked
//! for. [`Policy`] says which rules a model has to keep. [`Database`] has models by the digest of their texts, for those
//! who change the text of a model. There are no files, threads or clocks here.

mod database;
mod memo;
mod policy;
mod text;

pub use database::{Database, FormulaError, Model, ReadIncluded};
pub use memo::Memo;
pub use policy::{Insistence, Methods, Policy, outside_fragment};
pub use text::{Meaning, ModelText};
