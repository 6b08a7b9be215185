//! Helpers shared by several test crates.
#![allow(dead_code, unreachable_pub, reason = "each test crate uses its part")]

pub mod alethe;
pub mod binary;
pub mod bounded;
pub mod drat;
pub mod effort;
pub mod formulas;
pub mod lrat;
pub mod models;
pub mod schema;
pub mod skip;
pub mod svg;
