//! Steps of a system, for search and for output: the normal form of actions, the part of a system that claims depend on, reduced
//! obligations, and an interpreter of commands. No certificate depends on this module.

pub mod action;
mod apply;
mod cone;
pub mod interpret;
pub mod reduced;

pub use action::{Action, Update};
pub use cone::cone;
pub use reduced::Reduced;
