//! The results of a round, as the bytes of strangers: bounded in size and number, each for a task by its id, and good for nothing
//! before it is checked.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::round::RESULTS;
use crate::args::ImportArgs;
use crate::limits::reading;
use crate::output::{stderr_palette, tell};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::Structure;
use ramsey_core::system::System;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_engine::query::{Call, confirm};
use ramsey_report::json::task::{Answer, Entry, Kind as _, TaskResult};
use ramsey_solver::ask::{Failure, evaluation_budget};

/// Maximum number of bytes of a result.
const MAX_RESULT: u64 = 64 << 20;
/// Maximum number of files that are told of one by one.
const MAX_TOLD: usize = 20;

/// What was found in a result, once checked.
pub(super) struct Found<T> {
    /// Whether it answers all that the task asks. Otherwise others are looked at as well.
    pub(super) is_whole: bool,
    pub(super) content: T,
}

/// The results of a round, by task.
pub(super) struct Given {
    /// Per task, the files that name it, by name.
    files: Vec<Vec<PathBuf>>,
    ids: Vec<String>,
    /// Per task, the file with its answer.
    answered: Vec<Option<PathBuf>>,
    /// Files that are of no use, and why.
    refused: Vec<(PathBuf, String)>,
}

impl Given {
    /// Looks for the results of these tasks. Of a file that cannot be used, the reason is kept.
    pub(super) fn of(folder: &Path, entries: &[Entry]) -> Given {
        let places: Map<&str, usize> =
            entries.iter().enumerate().map(|(at, entry)| (entry.id.as_str(), at)).collect();
        let mut given = Given {
            files: vec![Vec::new(); entries.len()],
            ids: entries.iter().map(|entry| entry.id.clone()).collect(),
            answered: vec![None; entries.len()],
            refused: Vec::new(),
        };
        let mut paths: Vec<PathBuf> = match fs::read_dir(folder.join(RESULTS)) {
            Ok(found) => found.flatten().map(|entry| entry.path()).collect(),
            Err(_) => Vec::new(),
        };
        // Names that begin with a dot are those of files that are being written.
        paths.retain(|path| !path.file_name().is_some_and(|it| it.to_string_lossy().starts_with('.')));
        paths.sort();
        // A task may be answered more than once, but not without end.
        let limit = entries.len().saturating_mul(4).saturating_add(1_000);
        if paths.len() > limit {
            let rest = format!("there are {} files, and {limit} are looked at", paths.len());
            given.refused.push((folder.join(RESULTS), rest));
            paths.truncate(limit);
        }
        for path in paths {
            match read(&path) {
                Ok(result) => match places.get(result.task.as_str()) {
                    Some(&at) => given.files[at].push(path),
                    None => given.refused.push((path, "it is about no task of this round".to_owned())),
                },
                Err(reason) => given.refused.push((path, reason)),
            }
        }
        given
    }

    /// Returns the number of tasks.
    pub(super) fn tasks(&self) -> usize {
        self.files.len()
    }

    /// Returns the first good answer to a task, by the names of files: one that answers all of it, or else the first one of the others.
    pub(super) fn first<T>(
        &mut self,
        at: usize,
        mut check: impl FnMut(&Answer) -> Result<Found<T>, String>,
    ) -> Option<Found<T>> {
        let mut partial = None;
        for path in std::mem::take(&mut self.files[at]) {
            let found = read(&path).and_then(|result| {
                // The file may have changed since.
                if result.task == self.ids[at] {
                    check(&result.answer)
                } else {
                    Err("it has changed".to_owned())
                }
            });
            match found {
                Ok(found) if found.is_whole => {
                    self.answered[at] = Some(path);
                    return Some(found);
                }
                Ok(found) => partial = partial.or(Some(found)),
                Err(reason) => self.refused.push((path, reason)),
            }
        }
        partial
    }

    /// Returns the file with the answer of each task that has one.
    pub(super) fn answered(&self) -> &[Option<PathBuf>] {
        &self.answered
    }

    /// Tells on standard error what is of no use, and how many tasks have an answer.
    pub(super) fn tell(&self, args: &ImportArgs) {
        let palette = stderr_palette(args.form.color);
        for (path, reason) in self.refused.iter().take(MAX_TOLD) {
            tell(&format!("{} {}: {reason}\n", palette.caution("not used"), path.display()));
        }
        if let Some(more) = self.refused.len().checked_sub(MAX_TOLD).filter(|&more| more > 0) {
            tell(&format!("... and {more} more\n"));
        }
        let answered = self.answered.iter().flatten().count();
        tell(&format!("{answered} of {} tasks answered\n", self.answered.len()));
    }
}

/// Confirms by evaluation that an execution of a worker is one of the system, and violates a target.
///
/// # Errors
/// Returns what is wrong with it.
pub(super) fn judged(
    system: &System,
    structure: Structure,
    calls: Vec<Call>,
    targets: &[Target],
) -> Result<Violation, String> {
    let mut budget = evaluation_budget(&reading());
    confirm(system, structure, calls, targets, &mut budget).map_err(|failure| match failure {
        Failure::Internal(what) | Failure::Misuse(what) => what,
        Failure::Exhausted(exhausted) => format!("its execution is not evaluated: {exhausted}"),
    })
}

/// Reads a result.
fn read(path: &Path) -> Result<TaskResult, String> {
    let about = |error: std::io::Error| format!("it cannot be read: {error}");
    let data = fs::symlink_metadata(path).map_err(about)?;
    if !data.is_file() {
        return Err("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(about)?;
    if data.len() <= MAX_RESULT {
        file.take(MAX_RESULT + 1).read_to_end(&mut bytes).map_err(about)?;
    }
    if data.len().max(bytes.len() as u64) > MAX_RESULT {
        return Err(format!("it is larger than {} MB", MAX_RESULT >> 20));
    }
    if bytes.is_empty() {
        return Err("it is empty".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is no UTF-8 text".to_owned())?;
    let result = TaskResult::read(&text).map_err(|error| error.message)?;
    let version = env!("CARGO_PKG_VERSION");
    if result.version != version {
        return Err(format!("it is of version {}, and this is {version}", result.version));
    }
    Ok(result)
}
