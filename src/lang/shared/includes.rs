//! The files of a model: the main file, and those that it includes.

use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::Diagnostic;

/// Maximum number of files of a model.
const MAX_FILES: usize = 1_000;

/// Rules of a format for including files.
#[derive(Clone, Copy, Debug)]
pub struct Inclusion {
    /// Returns the paths of the files that a text includes, as written.
    pub included: fn(&str) -> Vec<String>,
    /// File extension of the prelude's files.
    pub extension: &'static str,
    /// The prelude: built-in files, by path.
    pub prelude: &'static [(&'static str, &'static str)],
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
    /// and the path as written; it is not called for files of the prelude. Files are identified by name, so a source
    /// that is already present is not added again. Files that cannot be read are reported when the file is loaded.
    pub(crate) fn gather(
        &mut self,
        inclusion: &Inclusion,
        file: FileId,
        sources: &mut Sources,
        read: &mut dyn FnMut(&str, &str) -> Result<Source, String>,
    ) {
        let mut read = |from: &str, path: &str| match inclusion.prelude.iter().find(|(name, _)| *name == path)
        {
            Some((_, text)) => {
                Ok(Source::new(format!("<{path}.{}>", inclusion.extension), (*text).to_owned()))
            }
            None => read(from, path),
        };
        let mut open = vec![file];
        // Files shared with other models of the run are already among the sources, but their includes must be visited
        // too.
        let mut seen = Set::from_iter([file]);
        while let Some(file) = open.pop() {
            for path in (inclusion.included)(&sources[file].text) {
                if self.found.contains_key(&(file, path.clone())) {
                    continue;
                }
                let source = if self.found.len() >= MAX_FILES {
                    Err(format!("there are more than {MAX_FILES} files"))
                } else {
                    read(&sources[file].name, &path)
                };
                let included = source.map(|source| {
                    let known = sources.iter().position(|other| other.name == source.name);
                    known.map(FileId::new).unwrap_or_else(|| sources.push(source))
                });
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
    pub(crate) fn resolve(&self, file: FileId, path: &str) -> Result<FileId, String> {
        let unknown = || Err("files are not read here".to_owned());
        self.found.get(&(file, path.to_owned())).cloned().unwrap_or_else(unknown)
    }
}
