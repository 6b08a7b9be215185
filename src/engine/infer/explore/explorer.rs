//! The states explored, by world.

use super::world::World;

/// Work of the search before anything is explored.
const START: u64 = 2_000_000;

/// A state explored: its world and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::infer) struct Place {
    pub(super) world: usize,
    pub(super) state: usize,
}

/// States of small instances.
#[derive(Debug)]
pub(in crate::infer) struct Explorer {
    pub(super) worlds: Vec<World>,
    /// Number of worlds that were tried.
    pub(super) tried: usize,
    /// The world that is explored next.
    pub(super) turn: usize,
    /// The work after which more is explored.
    pub(super) next: u64,
}

impl Explorer {
    /// Creates an explorer without states.
    pub(in crate::infer) fn new() -> Explorer {
        Explorer { worlds: Vec::new(), tried: 0, turn: 0, next: START }
    }
}
