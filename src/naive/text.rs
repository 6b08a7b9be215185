//! Texts of files.

use std::path::{Path, PathBuf};

/// Finds a file that the file with this path includes by this name: its path, by which it is known, and its text.
pub type Find<'f> = &'f (dyn Fn(&Path, &str) -> Option<(PathBuf, String)> + Sync);

/// Returns the text that a file holds: in UTF-8, or else in ISO 8859-1; `None` if it is in neither.
pub fn decoded(bytes: Vec<u8>) -> Option<String> {
    let other = |bytes: Vec<u8>| {
        let text: String = bytes.into_iter().map(char::from).collect();
        Some(text).filter(|text| text.chars().all(|c| !c.is_control() || "\t\n\r\x0c".contains(c)))
    };
    String::from_utf8(bytes).map_or_else(|error| other(error.into_bytes()), Some)
}
