//! Steps of a system, for search and for output: the normal form of actions, reduced obligations, and an interpreter of
//! commands. No certificate depends on this module.

pub mod action;
mod apply;
pub mod interpret;
pub mod reduced;

pub use action::{Action, Update};
pub use reduced::Reduced;
