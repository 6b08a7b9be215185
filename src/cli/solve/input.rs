//! The text of a problem, as it comes in.

use std::io::{self, Read};
use std::path::Path;

use super::recognize::{Kind, recognize};
use crate::base::budget::{Budget, Exhausted};
use crate::cli::signals;
use crate::cli::sources::{LARGEST, display, open, unreadable};
use crate::diag::{Code, Diagnostic};

/// More of a text is not looked at.
const AHEAD: usize = 1 << 16;

/// Reads what is left of the file at `path`, as long as the budget's probe lets it.
pub(super) fn read_within(
    path: &Path,
    mut text: impl Read,
    budget: &Budget,
) -> Result<Result<Vec<u8>, Exhausted>, Diagnostic> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match text.read(&mut buffer) {
            Ok(0) => return Ok(Ok(bytes)),
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(path, &error)),
        }
        if bytes.len() as u64 > LARGEST {
            let what = format!("`{}` is larger than {} MB", display(path), LARGEST >> 20);
            return Err(Diagnostic::error_nowhere(Code::Unreadable, what));
        }
        if let Err(exhausted) = budget.check() {
            return Ok(Err(exhausted));
        }
    }
}

/// A file or standard input, read as far as its format takes to recognize. What there is to read comes at once: nothing
/// waits for the end of standard input.
pub(super) struct Input<'a> {
    path: &'a Path,
    /// What was read ahead, and how much of it has been read again.
    head: Vec<u8>,
    at: usize,
    rest: Box<dyn Read>,
}

impl<'a> Input<'a> {
    /// Opens the file at `path`, or standard input for `-`.
    pub(super) fn open(path: &'a Path) -> Result<Self, Diagnostic> {
        Ok(Input { path, head: Vec::new(), at: 0, rest: open(path)? })
    }

    /// Where the text comes from.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    /// What the text is, by how it begins. Waits for no more of it than it takes.
    pub(super) fn kind(&mut self) -> Result<Kind, Diagnostic> {
        let mut buffer = [0; 4096];
        loop {
            let is_whole = self.head.len() >= AHEAD;
            if let Some(kind) = recognize(&self.head, is_whole) {
                return Ok(kind);
            }
            match self.rest.read(&mut buffer) {
                Ok(0) => return Ok(recognize(&self.head, true).unwrap_or(Kind::Unknown)),
                Ok(count) => self.head.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(self.path, &error)),
            }
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.head.len() {
            // Where nothing comes in there is nothing to bring to an end.
            signals::end_at_once();
            let count = self.rest.read(buffer);
            signals::end_with_summary();
            return count;
        }
        signals::end_with_summary();
        let count = (&self.head[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
