//! The files under temporary names, which go away however the process ends.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files under temporary names that are there now. Whoever creates, renames or removes one holds the lock.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(super) fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what has a temporary name, before the process ends. As long as the result is kept, no such file is created,
/// and none gets its name.
#[must_use]
pub(super) fn remove_temporary() -> impl Sized {
    let files = temporary_files();
    remove(&files);
    files
}

/// The same after a panic, which may have come from code that holds the lock.
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
