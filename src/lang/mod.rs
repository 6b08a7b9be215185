//! STUB (dropped on merging): input languages.

pub mod pyv;
