//! Registry of files under temporary names, which are removed however the process ends.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Existing temporary files. The lock is held while one is created, renamed or removed.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(super) fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files before the process ends. While the result is held, no such file is created or renamed.
#[must_use]
pub(super) fn remove_temporary() -> impl Sized {
    let files = temporary_files();
    remove(&files);
    files
}

/// Like [`remove_temporary`], after a panic, which may have come from code that holds the lock.
pub(super) fn remove_temporary_after_panic() {
    if let Ok(files) = TEMPORARY.try_lock() {
        remove(&files);
    }
}

fn remove(files: &[PathBuf]) {
    for path in files {
        let _ = fs::remove_file(path);
    }
}
