//! Steps of a system, for search and for output: the normal form of actions, lean obligations, the relaxation of a
//! system, and an interpreter of commands. No certificate depends on this module.

pub mod action;
mod apply;
pub mod interpret;
pub mod lean;
pub mod relax;

pub use action::{Action, Update};
pub use lean::Lean;
pub use relax::Relaxed;
