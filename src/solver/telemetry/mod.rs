//! Counters and events: what a search tells about itself.
//!
//! Statistics are structs of counters, each defined by one table (`counters!`). Events (`event!`) go to the facade
//! [`log`](https://docs.rs/log) if the feature `log` is on; whoever embeds the library chooses the logger. There is no
//! state in this module.

mod counters;
mod events;

pub use counters::Counter;
#[cfg(feature = "log")]
#[doc(hidden)]
pub use log;

pub use crate::{counters, event};

/// Target of the events of the decision procedure.
pub const ENGINE: &str = "ramsey::engine";
/// Target of the events of the SAT solver.
pub const SAT: &str = "ramsey::sat";
/// Target of the events about questions and their answers.
pub const QUERY: &str = "ramsey::query";
