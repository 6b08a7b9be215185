//! What every layer stands on: typed ids, hashing, spans, bit sets, budgets, digests, compression, random numbers.
//!
//! Nothing here knows of logic. It uses `std` only (and the crates behind [`hash`] and [`compression`]).

pub mod bits;
pub mod budget;
pub mod compression;
pub mod digest;
pub mod hash;
pub mod ids;
pub mod rng;
pub mod span;
