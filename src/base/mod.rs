//! What every layer stands on: typed ids, hashing, spans, bit sets, budgets, digests, random numbers.
//!
//! Nothing here knows of logic. It uses `std` only (and the hasher behind [`hash`]).

pub mod bits;
pub mod budget;
pub mod digest;
pub mod hash;
pub mod ids;
pub mod rng;
pub mod span;
