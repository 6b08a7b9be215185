//! The questions that can be asked of a model.

pub mod cache;
pub mod conjectures;
pub mod elaborate;
pub mod infer;
pub mod prove;
pub mod query;
