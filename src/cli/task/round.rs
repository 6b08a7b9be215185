//! The folder of a round: `manifest.json`, `tasks/` and `results/`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{make_folder, write_whole};
use crate::sources::display;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_report::json::task::{Entry, Kind as _, Manifest, Model, Plan, Question, Task};

/// The file that says what a round asks.
pub(super) const MANIFEST: &str = "manifest.json";
/// The folder with the tasks.
const TASKS: &str = "tasks";
/// The folder with the results.
pub(super) const RESULTS: &str = "results";
/// Maximum number of bytes of a manifest.
pub(super) const MAX_MANIFEST: u64 = 1 << 28;

/// A round to be written.
pub(super) struct Round {
    pub(super) number: u32,
    pub(super) command: Vec<String>,
    pub(super) plan: Plan,
    /// What each task asks, with its limit of work.
    pub(super) parts: Vec<(Question, u64)>,
}

/// What was written.
pub(super) struct Written {
    /// Number of tasks.
    pub(super) tasks: usize,
    /// Bytes of their files.
    pub(super) bytes: usize,
}

/// Returns the entry of the task with this number, from 0, among so many.
fn entry(at: usize, count: usize, task: &Task) -> Entry {
    let width = count.to_string().len().max(4);
    Entry { file: format!("{:0width$}.json", at + 1), id: task.id.clone(), work: task.work }
}

impl Round {
    /// Writes the round into a new folder, the manifest last. `answers` has the result of each task that is answered already: such a
    /// task is not written, its result is copied.
    ///
    /// # Errors
    /// A file cannot be written, or the folder has files already.
    pub(super) fn write(
        self,
        folder: &Path,
        model: &Model,
        answers: &[Option<PathBuf>],
    ) -> io::Result<Result<Written, Diagnostic>> {
        if let Err(error) = new_folder(folder) {
            return Ok(Err(error));
        }
        let (tasks, results) = (folder.join(TASKS), folder.join(RESULTS));
        let mut written = Written { tasks: 0, bytes: 0 };
        let mut entries = Vec::new();
        let count = self.parts.len();
        for (at, (question, work)) in self.parts.into_iter().enumerate() {
            let task = Task::new(model.clone(), question, work)?;
            let entry = entry(at, count, &task);
            let answered = answers.get(at).and_then(Option::as_ref);
            let (path, bytes) = match answered {
                Some(path) => (results.join(&entry.file), fs::read(path)?),
                None => (tasks.join(&entry.file), task.text()?.into_bytes()),
            };
            if let Err(error) = write_whole(&path, &bytes) {
                return Ok(Err(error));
            }
            if answered.is_none() {
                written.tasks += 1;
                written.bytes += bytes.len();
            }
            entries.push(entry);
        }
        let manifest = Manifest {
            schema: Manifest::SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            round: self.number,
            command: self.command,
            model: model.digest.clone(),
            plan: self.plan,
            tasks: entries,
        };
        let text = manifest.text()?;
        Ok(write_whole(&folder.join(MANIFEST), text.as_bytes()).map(|()| written))
    }
}

/// Makes the folders of a round. What is there already has to be empty.
fn new_folder(folder: &Path) -> Result<(), Diagnostic> {
    make_folder(folder)?;
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let what = format!("`{}` has files already", display(folder));
        let error = Diagnostic::error_nowhere(Code::Usage, what);
        return Err(error.help("each round has a folder of its own"));
    }
    make_folder(&folder.join(TASKS))?;
    make_folder(&folder.join(RESULTS))
}
