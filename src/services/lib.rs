//! What commands and clients do with models beside asking.

pub mod lint;
pub mod script;
pub mod workbench;
