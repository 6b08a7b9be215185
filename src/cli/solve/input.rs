//! Input of a problem, read as it arrives.

use std::io::{self, Read};
use std::path::Path;

use super::recognize::{Kind, recognize};
use crate::signals;
use crate::sources::{LARGEST, display, open, unreadable};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum number of bytes read ahead to recognize a format.
const AHEAD: usize = 1 << 16;

/// Reads the rest of the file at `path`, within the probe of the budget.
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

/// A file or standard input, read ahead only as far as needed to recognize its format. Input is available as it
/// arrives, without waiting for the end of standard input.
pub(super) struct Input<'a> {
    path: &'a Path,
    /// Bytes read ahead. `at` is the number of them that were read again.
    head: Vec<u8>,
    at: usize,
    rest: Box<dyn Read>,
}

impl<'a> Input<'a> {
    /// Opens the file at `path`, or standard input for `-`.
    pub(super) fn open(path: &'a Path) -> Result<Self, Diagnostic> {
        Ok(Input { path, head: Vec::new(), at: 0, rest: open(path)? })
    }

    /// Returns the path of the input.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    /// Recognizes the kind of the text by its beginning. Waits for no more of it than needed.
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
            // While waiting for input there is no result to report.
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
