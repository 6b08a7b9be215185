//! Room in a folder of entries: those that were not used for the longest time are deleted.
//!
//! What a folder holds is counted by a file with a line for each run that has written something, which adds a line and deletes nothing of
//! others. The folder is looked through when the lines say that it has become too large, and when there are many.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::temporaries::{TEMPORARY, Temporaries};

/// Name of the file that counts.
const COUNT: &str = "bytes";

/// Number of bytes of the file that counts, from which on the folder is looked through.
const MANY: u64 = 16 << 10;

/// Age of temporary files that nobody will rename any more.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The file that counts the bytes of entries.
pub(super) struct Tag {
    path: PathBuf,
}

impl Tag {
    /// Returns the file of a folder.
    pub(super) fn new(folder: &Path) -> Tag {
        Tag { path: folder.join(COUNT) }
    }

    /// Adds the bytes that a run has written. Returns whether the folder has to be looked through, as it may have more than `size`.
    pub(super) fn add(&self, written: u64, size: u64) -> bool {
        let known = fs::symlink_metadata(&self.path);
        // Nothing is added to what a link leads to, and a pipe would wait for its other end.
        if known.as_ref().is_ok_and(|it| !it.is_file()) {
            return true;
        }
        let is_new = known.is_err();
        let line = format!("{written}\n");
        let added = File::options().append(true).create(true).open(&self.path);
        if added.and_then(|mut file| file.write_all(line.as_bytes())).is_err() || is_new {
            return true;
        }
        let mut text = String::new();
        let read = File::open(&self.path).and_then(|file| file.take(MANY).read_to_string(&mut text));
        if read.is_err() || text.len() as u64 >= MANY {
            return true;
        }
        let lines = text.lines().map(|line| line.parse::<u64>().ok());
        lines.sum::<Option<u64>>().is_none_or(|sum| sum > size)
    }

    /// Begins to count anew.
    fn reset(&self, bytes: u64, temporaries: &Temporaries) {
        let Some(folder) = self.path.parent() else { return };
        let temporary = temporaries.next(folder);
        let written = File::create_new(&temporary)
            .and_then(|mut file| file.write_all(format!("{bytes}\n").as_bytes()))
            .and_then(|()| fs::rename(&temporary, &self.path));
        if written.is_err() {
            // The next run that writes will look through the folder.
            let _ = fs::remove_file(&temporary);
        }
    }
}

/// Looks through a folder, and deletes entries until it has nine tenths of `size`, if it has more than `size`. Others may do the same.
///
/// Nothing else is deleted: no file with another name, and none in a folder that a link leads to.
pub(super) fn make_room(folder: &Path, size: u64, temporaries: &Temporaries) {
    let now = SystemTime::now();
    let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    let shards = fs::read_dir(folder).into_iter().flatten().flatten();
    for shard in shards.filter(|it| has_digits(&it.file_name(), 2) && is_folder(&it.path())) {
        for entry in fs::read_dir(shard.path()).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if !metadata.is_file() {
                continue;
            }
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                if now.duration_since(used).is_ok_and(|age| age > ABANDONED) {
                    let _ = fs::remove_file(entry.path());
                }
                continue;
            }
            if !has_digits(&entry.file_name(), 62) {
                continue;
            }
            entries.push((used, metadata.len(), entry.path()));
        }
    }
    let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
    if total > size {
        entries.sort();
        for (_, bytes, path) in entries {
            if total <= size / 10 * 9 {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
    Tag::new(folder).reset(total, temporaries);
}

/// Returns whether a name has so many hexadecimal digits and nothing else.
fn has_digits(name: &OsStr, count: usize) -> bool {
    let name = name.as_encoded_bytes();
    name.len() == count && name.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns whether there is a folder, and not a link to one.
pub(super) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.is_dir())
}
