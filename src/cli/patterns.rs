//! Paths that match a pattern.
//!
//! The `glob` crate matches names, and does not look for them: it leaves out folders that cannot be read, and ends the program at
//! names that are not UTF-8.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use glob::{MatchOptions, Pattern};

/// How patterns match: `*` stays in its folder, and names that begin with a dot have to be written.
pub(super) const MATCHING: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// Returns the paths that match a pattern from a folder, in order, and the folders that cannot be read, with the errors. Links are
/// followed, each folder once on its way.
pub(super) fn matching(folder: &Path, pattern: &str) -> (BTreeSet<PathBuf>, Vec<(PathBuf, io::Error)>) {
    let mut parts: Vec<&str> = pattern.split('/').filter(|it| !it.is_empty() && *it != ".").collect();
    // Any number of folders, and any number again.
    parts.dedup_by(|a, b| *a == "**" && *b == "**");
    let root = if pattern.starts_with('/') { Path::new("/") } else { folder };
    let mut search = Search { found: BTreeSet::new(), above: Vec::new(), unread: Vec::new() };
    search.below(root, &parts);
    (search.found, search.unread)
}

struct Search {
    found: BTreeSet<PathBuf>,
    /// The folders on the way, with links resolved, between which a `**` stands.
    above: Vec<PathBuf>,
    unread: Vec<(PathBuf, io::Error)>,
}

impl Search {
    /// Adds what matches these parts of a pattern in a folder.
    fn below(&mut self, folder: &Path, parts: &[&str]) {
        let Some((first, rest)) = parts.split_first() else {
            self.found.insert(folder.to_owned());
            return;
        };
        if *first == "**" {
            let identity = fs::canonicalize(listed(folder)).unwrap_or_else(|_| folder.to_owned());
            if self.above.contains(&identity) {
                return;
            }
            self.above.push(identity);
            if !rest.is_empty() {
                self.below(folder, rest);
            }
            for path in self.entries(folder, "*") {
                if path.is_dir() {
                    self.below(&path, parts);
                } else if rest.is_empty() {
                    // At the end it is all that is below.
                    self.found.insert(path);
                }
            }
            self.above.pop();
        } else if Pattern::escape(first) == *first {
            let path = folder.join(first);
            if fs::symlink_metadata(&path).is_ok() {
                self.below(&path, rest);
            }
        } else {
            for path in self.entries(folder, first) {
                if rest.is_empty() || path.is_dir() {
                    self.below(&path, rest);
                }
            }
        }
    }

    /// Returns the entries of a folder whose names match.
    fn entries(&mut self, folder: &Path, pattern: &str) -> Vec<PathBuf> {
        let Ok(pattern) = Pattern::new(pattern) else { return Vec::new() };
        let names = fs::read_dir(listed(folder)).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        match names {
            Ok(entries) => {
                let names = entries.into_iter().map(|entry| entry.file_name());
                let names = names.filter(|name| pattern.matches_with(&name.to_string_lossy(), MATCHING));
                names.map(|name| folder.join(name)).collect()
            }
            Err(error) => {
                if !self.unread.iter().any(|(known, _)| known == folder) {
                    self.unread.push((folder.to_owned(), error));
                }
                Vec::new()
            }
        }
    }
}

/// Returns the folder as it can be read: the current one has no name.
fn listed(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}
