//! One step of a system, for search and for readers: the normal form of actions, lean obligations, the relaxation of a
//! system, and an interpreter of commands. No certificate rests on anything here.

pub mod action;
mod apply;
pub mod interpret;
pub mod lean;
pub mod relax;

pub use action::{Action, Update};
pub use lean::Lean;
pub use relax::Relaxed;
