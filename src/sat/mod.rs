//! Incremental CDCL: conflict-driven clause learning with assumptions, cores and checkable derivations.
//!
//! One file per verb of the algorithm ([`Solver`]'s methods), one per noun it works on. The search is in
//! `search`; everything that derives a clause tells the [`Observer`], so a refutation can be written down
//! ([`proof`], [`drat`]) and checked by code that shares nothing with the solver ([`lrat`]).

mod add;
mod analyze;
mod arena;
mod assume;
mod average;
mod backtrack;
mod bump;
mod collect;
mod config;
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

pub use config::{Config, Stats};
pub use lit::{ClauseId, Lit, Var};
pub use observer::{Observer, Silent};
pub use refute::{Needed, refute};
pub use solver::{Answer, Solver};
