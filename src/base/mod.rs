//! What every layer stands on: typed ids, hashing, spans, budgets, digests, compression, random numbers.
//!
//! Nothing here knows of logic. It uses `std` only (and the crates behind [`hash`] and [`compression`]).

pub mod budget;
pub mod compression;
pub mod digest;
pub mod hash;
pub mod ids;
pub mod rng;
pub mod span;
