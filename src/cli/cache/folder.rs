//! Entries as files of a folder, which many processes may share.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::eviction::{self, Tag, is_folder};
use super::temporaries::Temporaries;
use crate::opened::Place;
use crate::signals;
use crate::temporary::temporary_files;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::cache::{Fetched, MAX_BYTES, Store};

/// Age from which on the time of use of an entry is written again when it is used.
const STALE: Duration = Duration::from_secs(600);

/// What backup programs look for to leave a folder out.
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# This is a cache of ramsey. It can be deleted at any time.\n",
);

/// A folder of entries.
///
/// The entry with a name is a file in the folder of its first two digits. It is written under another name and renamed, so that whoever
/// opens it finds all of it.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Maximum number of bytes of all entries.
    size: u64,
    written: AtomicU64,
    /// Names of temporary files.
    temporaries: Temporaries,
    cannot_write: AtomicBool,
    /// The first failure to write.
    failure: Mutex<Option<String>>,
}

impl Folder {
    /// Opens a folder, which is made if it is not there. It is to have so many bytes at most.
    pub(super) fn open(path: &Path, size: u64) -> io::Result<Folder> {
        fs::create_dir_all(path)?;
        // It may be there and not be writable, which is of use all the same.
        let _ = File::create_new(path.join(TAG.0)).and_then(|mut file| file.write_all(TAG.1.as_bytes()));
        fs::read_dir(path)?;
        Ok(Folder {
            path: path.to_owned(),
            size,
            written: AtomicU64::new(0),
            temporaries: Temporaries::new(),
            cannot_write: AtomicBool::new(false),
            failure: Mutex::default(),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        let (shard, rest) = name.split_at_checked(2).unwrap_or(("", name));
        self.path.join(shard).join(rest)
    }

    /// Writes an entry under a temporary name, and renames it.
    fn write(&self, name: &str, entry: &[u8]) -> io::Result<()> {
        let target = self.file(name);
        let shard = target.parent().unwrap_or(&self.path);
        if let Err(error) = fs::create_dir(shard)
            && !is_folder(shard)
        {
            let what = format!("`{}` is no folder ({error})", shard.display());
            return Err(if shard.exists() { io::Error::other(what) } else { error });
        }
        let temporary = self.temporaries.next(shard);
        signals::watch();
        // Whoever may write into the folder may put a link in the place of the name, so that it is not opened a second time.
        let mut file = {
            let mut known = temporary_files();
            let file = File::create_new(&temporary)?;
            known.push(temporary.clone());
            file
        };
        let written = file.write_all(entry).and_then(|()| {
            drop(file);
            fs::rename(&temporary, &target).or_else(|error| {
                // No entry is a folder.
                if !is_folder(&target) {
                    return Err(error);
                }
                fs::remove_dir_all(&target)?;
                fs::rename(&temporary, &target)
            })
        });
        let mut known = temporary_files();
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        known.retain(|path| *path != temporary);
        written
    }
}

impl Store for Folder {
    fn get(&self, name: &str) -> Fetched {
        let path = self.file(name);
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Fetched::Absent,
            Err(error) => return Fetched::Unusable(error.to_string()),
        };
        // Opening a pipe would wait for its other end, and what a link leads to is none of the cache's.
        if !metadata.is_file() {
            return Fetched::Unusable("it is not a file".to_owned());
        }
        if metadata.len() > MAX_BYTES as u64 {
            return Fetched::Unusable(format!("it has {} bytes", metadata.len()));
        }
        let mut entry = Vec::new();
        let read = File::open(&path).and_then(|file| {
            let now = SystemTime::now();
            let is_stale = metadata
                .modified()
                .is_ok_and(|used| now.duration_since(used).is_ok_and(|age| age > STALE) || used > now);
            if is_stale {
                // It is evicted earlier than it should be if this fails.
                let _ = file.set_modified(now);
            }
            file.take(MAX_BYTES as u64 + 1).read_to_end(&mut entry)
        });
        match read {
            Ok(_) if entry.len() > MAX_BYTES => Fetched::Unusable("it is too large".to_owned()),
            Ok(_) => Fetched::Entry(entry),
            // Another process may make room.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Fetched::Absent,
            Err(error) => Fetched::Unusable(error.to_string()),
        }
    }

    fn put(&self, name: &str, entry: &[u8]) -> bool {
        if self.cannot_write.load(Ordering::Relaxed) {
            return false;
        }
        match self.write(name, entry) {
            Ok(()) => {
                self.written.fetch_add(entry.len() as u64, Ordering::Relaxed);
                true
            }
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert_with(|| {
                    format!("an entry cannot be written into the cache `{}`: {error}", self.path.display())
                });
                // A full disk stays full, and a folder of somebody else that of somebody else.
                self.cannot_write.store(true, Ordering::Relaxed);
                false
            }
        }
    }

    fn place(&self, name: &str) -> String {
        self.file(name).display().to_string()
    }
}

impl Place for Folder {
    fn close(&self) -> Option<Diagnostic> {
        let written = self.written.swap(0, Ordering::Relaxed);
        if written > 0 && Tag::new(&self.path).add(written, self.size) {
            eviction::make_room(&self.path, self.size, &self.temporaries);
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map(|what| {
            let help = "answers are the same without it; the run has gone on and keeps no more";
            Diagnostic::warning_nowhere(Code::Cache, what).help(help)
        })
    }
}
