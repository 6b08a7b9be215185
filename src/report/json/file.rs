//! Files that are no answers of a command.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::described::Described;
use super::read::{plain, pointer};
use ramsey_core::diag::{Code, Diagnostic};

/// A kind of file, by the name and version of its schema.
pub trait Kind: Serialize + DeserializeOwned + Described {
    /// The name and version of the schema, such as `ramsey/task/1`.
    const SCHEMA: &'static str;
    /// What it is, with an article.
    const WHAT: &'static str;

    /// Reads a file of this kind.
    ///
    /// # Errors
    /// Returns an error, with its place, if the text is none.
    fn read(json: &str) -> Result<Self, Diagnostic> {
        let wrong = |what: String| Diagnostic::error_nowhere(Code::Document, what);
        let document: Value = serde_json::from_str(plain(json))
            .map_err(|error| wrong(format!("this is no JSON document: {error}")))?;
        if document.get("schema").and_then(Value::as_str) != Some(Self::SCHEMA) {
            return Err(wrong(format!("the document is not {}", Self::WHAT)));
        }
        serde_path_to_error::deserialize(&document).map_err(|error| {
            wrong(error.inner().to_string()).note(format!("at `/{}` of the document", pointer(error.path())))
        })
    }

    /// Returns it as text.
    ///
    /// # Errors
    /// Returns an error if the writer of JSON refuses the data, which it never does.
    fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
