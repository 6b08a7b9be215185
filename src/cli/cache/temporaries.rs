//! Names of files that are being written.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names begin with.
pub(super) const TEMPORARY: &str = ".new-";

/// Names of temporary files, which no other process has, whatever machine it is on: the number of a process tells none apart where each
/// runs in a container of its own.
#[derive(Debug)]
pub(super) struct Temporaries {
    process: u64,
    /// Number of files so far.
    files: AtomicU64,
}

impl Temporaries {
    /// Draws a number for the names of this process.
    pub(super) fn new() -> Temporaries {
        Temporaries { process: RandomState::new().build_hasher().finish(), files: AtomicU64::new(0) }
    }

    /// Returns the next name, in this folder.
    pub(super) fn next(&self, folder: &Path) -> PathBuf {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        folder.join(format!("{TEMPORARY}{:016x}-{number}", self.process))
    }
}
