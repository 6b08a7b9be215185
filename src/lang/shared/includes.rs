//! The files that a model consists of: the one that is named, and those that it includes.

use crate::base::hash::{Map, Set};
use crate::base::ids::Id as _;
use crate::base::span::{FileId, Source, Sources};

/// A model consists of at most so many files.
const MAX_FILES: usize = 1_000;

/// How files of a format include others.
#[derive(Clone, Copy, Debug)]
pub struct Inclusion {
    /// The paths that a text says it includes, as it writes them.
    pub included: fn(&str) -> Vec<String>,
    /// The extension in the names of the prelude's files.
    pub extension: &'static str,
    /// The prelude: files that are built in, by the paths that they are included by.
    pub prelude: &'static [(&'static str, &'static str)],
    /// The environment variable that names a folder of further files, for paths that are not found from the folder of the
    /// including file.
    pub library: Option<&'static str>,
}

/// What the files of a run include.
#[derive(Clone, Debug, Default)]
pub struct Includes {
    found: Map<(FileId, String), Result<FileId, String>>,
}

impl Includes {
    /// No files.
    pub fn new() -> Includes {
        Includes::default()
    }

    /// The files that are included somewhere, some of them more than once.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.found.values().filter_map(|file| file.as_ref().ok().copied())
    }

    /// Adds what `file` includes, and what that includes, to `sources`. `read` is given the name of the including file and
    /// the path that is written there; files of the prelude are not asked for. Files are told apart by their names: a
    /// source that is there already is not added again. What cannot be read is reported when the file is loaded.
    pub(in crate::lang) fn gather(
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
        // Files that other models of the run include as well are among the sources, and what they include belongs here too.
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

    /// The files that `file` consists of: itself, then those that it includes, each at its first mention, and behind each
    /// of them what that includes.
    pub(in crate::lang) fn whole(
        &self,
        file: FileId,
        sources: &Sources,
        inclusion: &Inclusion,
    ) -> Vec<FileId> {
        let (mut files, mut open) = (Vec::new(), vec![file]);
        while let Some(file) = open.pop() {
            if files.contains(&file) {
                continue;
            }
            files.push(file);
            let paths = (inclusion.included)(&sources[file].text);
            open.extend(paths.iter().rev().filter_map(|path| self.get(file, path).ok()));
        }
        files
    }

    /// What `path` in `file` stands for.
    pub(in crate::lang) fn get(&self, file: FileId, path: &str) -> Result<FileId, String> {
        let unknown = || Err("files are not read here".to_owned());
        self.found.get(&(file, path.to_owned())).cloned().unwrap_or_else(unknown)
    }
}
