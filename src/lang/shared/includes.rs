//! The files of a model: the main file, and those that it includes.

use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::Diagnostic;

/// Maximum number of files of a model.
const MAX_FILES: usize = 1_000;

/// A built-in file: the name by which it is known, and its text.
pub type BuiltIn = (&'static str, &'static str);

/// Why an included file was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The reason, for messages.
    pub reason: String,
    /// Whether there is no such file, so that a built-in one may take its place.
    pub is_missing: bool,
}

impl Unread {
    /// There is no such file.
    pub fn missing(reason: impl Into<String>) -> Unread {
        Unread { reason: reason.into(), is_missing: true }
    }
}

/// Rules of a format for including files.
#[derive(Clone, Copy, Debug)]
pub struct Inclusion {
    /// Returns the paths of the files that a text includes, as written.
    pub included: fn(&str) -> Vec<String>,
    /// Returns the built-in file for a path, as written, in a model whose main file has this text.
    pub prelude: fn(&str, &str) -> Option<BuiltIn>,
    /// Whether another file with the path of a built-in one comes first.
    pub is_own_first: bool,
    /// The environment variable with the path of a library folder, which is searched for files not found relative to
    /// the including file.
    pub library: Option<&'static str>,
}

/// The resolved includes of a run.
#[derive(Clone, Debug, Default)]
pub struct Includes {
    found: Map<(FileId, String), Result<FileId, String>>,
}

impl Includes {
    /// Creates an empty table.
    pub fn new() -> Includes {
        Includes::default()
    }

    /// Returns the included files, possibly with repetitions.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.found.values().filter_map(|file| file.as_ref().ok().copied())
    }

    /// Adds the files that `file` includes, transitively, to `sources`. `read` receives the name of the including file
    /// and the path as written; what a built-in file includes is looked for as if `file` included it. Files are identified
    /// by name, so a source that is already present is not added again. Files that cannot be read are reported when the
    /// file is loaded.
    pub(crate) fn gather(
        &mut self,
        inclusion: &Inclusion,
        file: FileId,
        sources: &mut Sources,
        read: &mut dyn FnMut(&str, &str) -> Result<Source, Unread>,
    ) {
        let main = file;
        let mut built_in: Set<FileId> = Set::default();
        let mut open = vec![file];
        // Files shared with other models of the run are already among the sources, but their includes must be visited
        // too.
        let mut seen = Set::from_iter([file]);
        while let Some(file) = open.pop() {
            for path in (inclusion.included)(&sources[file].text) {
                if self.found.contains_key(&(file, path.clone())) {
                    continue;
                }
                if self.found.len() >= MAX_FILES {
                    let reason = format!("there are more than {MAX_FILES} files");
                    self.found.insert((file, path), Err(reason));
                    continue;
                }
                let from = if built_in.contains(&file) { main } else { file };
                let known = (inclusion.prelude)(&path, &sources[main].text);
                let known = known.map(|(name, text)| Source::new(name.to_owned(), text.to_owned()));
                let (source, is_built_in) = match known {
                    Some(known) if !inclusion.is_own_first => (Ok(known), true),
                    known => match (read(&sources[from].name, &path), known) {
                        (Err(unread), Some(known)) if unread.is_missing => (Ok(known), true),
                        (own, _) => (own.map_err(|unread| unread.reason), false),
                    },
                };
                let included = source.map(|source| {
                    let known = sources.iter().position(|other| other.name == source.name);
                    known.map(FileId::new).unwrap_or_else(|| sources.push(source))
                });
                if is_built_in && let Ok(included) = &included {
                    built_in.insert(*included);
                }
                if let Ok(included) = included
                    && seen.insert(included)
                {
                    open.push(included);
                }
                self.found.insert((file, path), included);
            }
        }
    }

    /// Returns the files of the model: `file`, then the included files in depth-first order, each at its first mention.
    pub(crate) fn files_of(&self, file: FileId, sources: &Sources, inclusion: &Inclusion) -> Vec<FileId> {
        let (mut files, mut open) = (Vec::new(), vec![file]);
        while let Some(file) = open.pop() {
            if files.contains(&file) {
                continue;
            }
            files.push(file);
            let paths = (inclusion.included)(&sources[file].text);
            open.extend(paths.iter().rev().filter_map(|path| self.resolve(file, path).ok()));
        }
        files
    }

    /// Parses `file`, whose tree is the first of the result, and each file that it includes, transitively. `parse` parses
    /// one of them, `included` returns the paths that it includes.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(crate) fn parse_files<T>(
        &self,
        file: FileId,
        sources: &Sources,
        mut parse: impl FnMut(FileId, &str) -> Result<(T, Vec<Diagnostic>), Exhausted>,
        included: impl Fn(&T) -> Vec<String>,
    ) -> Result<(Vec<T>, Vec<Diagnostic>), Exhausted> {
        let (mut trees, mut diagnostics) = (Vec::new(), Vec::new());
        let mut files = vec![file];
        let mut seen = Set::from_iter([file]);
        while let Some(&file) = files.get(trees.len()) {
            let (tree, found) = parse(file, &sources[file].text)?;
            diagnostics.extend(found);
            let resolved = included(&tree).into_iter().filter_map(|path| self.resolve(file, &path).ok());
            files.extend(resolved.filter(|&file| seen.insert(file)));
            trees.push(tree);
        }
        Ok((trees, diagnostics))
    }

    /// Resolves `path` in `file`.
    pub fn resolve(&self, file: FileId, path: &str) -> Result<FileId, String> {
        let unknown = || Err("files are not read here".to_owned());
        self.found.get(&(file, path.to_owned())).cloned().unwrap_or_else(unknown)
    }
}
