//! What tests want of the data of documents, and the program does not.

/// What has a schema and can be read back. The program writes most documents and reads few: without the feature `schemas` this is
/// everything, and neither is compiled.
#[cfg(feature = "schemas")]
pub trait Described: serde::de::DeserializeOwned + schemars::JsonSchema {}

#[cfg(feature = "schemas")]
impl<T: serde::de::DeserializeOwned + schemars::JsonSchema> Described for T {}

/// What has a schema and can be read back with the feature `schemas`; without it, everything.
#[cfg(not(feature = "schemas"))]
pub trait Described {}

#[cfg(not(feature = "schemas"))]
impl<T> Described for T {}
