//! Counters: what a search tells about itself.
//!
//! Statistics are structs of counters, each defined by one table (`counters!`).

mod counters;

pub use counters::Counter;
pub(crate) use counters::counters;
