//! Foundations: typed ids, hashing, spans, budgets, digests, compression, random numbers, encodings of
//! text.
//!
//! This module is independent of logic. It uses `std` and the crates behind [`hash`] and [`compression`].

pub mod budget;
pub mod compression;
pub mod digest;
pub mod hash;
pub mod ids;
pub mod rng;
pub mod span;
pub mod text;
