//! Text and JSON output of results. All functions are pure: nothing here prints.

#[cfg(feature = "cli")]
pub mod alethe;
#[cfg(feature = "cli")]
pub mod bmc;
#[cfg(feature = "json")]
pub mod check;
#[cfg(feature = "cli")]
pub mod checked;
#[cfg(feature = "cli")]
pub mod cti;
#[cfg(feature = "cli")]
pub mod diagnostics;
pub mod enabling;
#[cfg(feature = "json")]
pub mod eval;
#[cfg(feature = "cli")]
mod excerpt;
#[cfg(feature = "cli")]
pub mod explain;
pub mod finding;
pub mod fragment;
#[cfg(feature = "json")]
pub mod generalize;
#[cfg(feature = "cli")]
pub mod infer;
#[cfg(feature = "cli")]
pub mod instance;
#[cfg(feature = "cli")]
pub mod job;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "cli")]
pub mod listing;
#[cfg(feature = "cli")]
pub mod mc;
pub mod names;
pub mod outcome;
pub mod picture;
mod printers;
pub mod queries;
#[cfg(feature = "json")]
pub mod render;
pub mod replay;
#[cfg(feature = "cli")]
pub mod results;
#[cfg(feature = "cli")]
pub mod rocq;
#[cfg(feature = "json")]
pub mod simulate;
pub mod smtlib;
pub mod style;
#[cfg(feature = "cli")]
pub mod summary;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod tptp;
pub mod trace;
#[cfg(feature = "cli")]
pub mod trace_queries;
#[cfg(feature = "cli")]
pub mod triage;
pub mod unknown;
pub mod vacuity;
pub mod verdict;
#[cfg(feature = "cli")]
pub mod verify;
mod words;

pub use names::Names;
pub use style::Palette;
pub use tally::Tally;
pub use verdict::Verdict;
