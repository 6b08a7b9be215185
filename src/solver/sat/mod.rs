//! Incremental CDCL SAT solver with assumptions, unsatisfiable cores and checkable derivations.
//!
//! One file per step of the algorithm (methods of [`Solver`]) and one per data structure. The main loop is in `search`.
//! Every derivation is reported to an [`Observer`], so a refutation can be written as a proof ([`proof`], [`drat`]) and
//! checked by code independent of the solver ([`lrat`]).

mod add;
mod analyze;
mod arena;
mod assume;
mod average;
mod backtrack;
mod bump;
mod collect;
mod config;
mod cover;
mod decide;
pub mod drat;
mod explain;
mod heap;
mod lit;
pub mod lrat;
mod minimize;
mod mode;
mod observer;
pub mod proof;
mod propagate;
mod queue;
mod reduce;
mod refute;
mod rephase;
mod restart;
mod search;
mod solver;
mod state;
mod subsume;
#[cfg(test)]
mod tests;
mod vivify;
mod watch;

pub use config::{Config, ConfigError, ConfigOption, OptionValue, Stats};
pub use lit::{ClauseId, Lit, Var};
pub use observer::{Observer, Silent};
pub use refute::{RefutationStep, refute};
pub use solver::{Answer, Solver};
