//! Helpers that several test crates share.
#![allow(dead_code, reason = "each test crate uses its part")]

pub mod formulas;
