//! Texts of files.

use std::path::{Path, PathBuf};

use crate::refusal::{Reason, Refusal, line};

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

/// Finds an included file in the folder of the one that includes it, or else in one of these folders.
pub(crate) fn find(includer: &Path, name: &str, folders: &[PathBuf]) -> Option<(PathBuf, String)> {
    let beside = includer.parent().map(|folder| folder.join(name));
    let elsewhere = folders.iter().map(|folder| folder.join(name));
    let path = beside.into_iter().chain(elsewhere).find(|path| path.exists())?;
    let text = decoded(std::fs::read(&path).ok()?)?;
    Some((path.canonicalize().ok()?, text))
}

/// A file with the place that its text begins at, among the texts of all files.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) base: usize,
}

/// The files of a program, the first of which includes the others.
pub(crate) struct Files(pub(crate) Vec<File>);

impl Files {
    /// Returns the file alone that is read first.
    pub(crate) fn of(path: &Path, text: &str) -> Files {
        Files(vec![File { path: path.to_owned(), text: text.to_owned(), base: 0 }])
    }

    /// Adds a file.
    pub(crate) fn push(&mut self, path: PathBuf, text: String) {
        let base = self.0.last().map_or(0, |last| last.base + last.text.len() + 1);
        self.0.push(File { path, text, base });
    }

    /// Returns the file that a place is in.
    fn file_of(&self, at: usize) -> &File {
        let found = self.0.iter().rev().find(|file| file.base <= at);
        found.unwrap_or(&self.0[0])
    }

    /// Returns the line of a place in its file.
    pub(crate) fn line(&self, at: usize) -> usize {
        let file = self.file_of(at);
        line(&file.text, at - file.base)
    }

    /// Returns what was not understood in the file that it is in.
    pub(crate) fn refusal(&self, Reason { at, what, is_uncovered }: Reason) -> Refusal {
        let File { path, text, base } = self.file_of(at);
        let what = if *base == 0 { what } else { format!("{what} (in `{}`)", path.display()) };
        Refusal::new(text, Reason { at: at - base, what, is_uncovered })
    }
}
