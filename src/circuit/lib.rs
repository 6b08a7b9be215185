//! Transition systems as circuits, and model checking of circuits.

pub mod eager;
pub mod finite;
pub mod hwmc;
pub mod transition;
