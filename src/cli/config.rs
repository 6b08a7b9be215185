//! The file `ramsey.toml`: where it is, which models it means, and what is checked of each.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use glob::Pattern;

use super::patterns;
use super::sources::{display, find_models, identity, read_text};
use ramsey_app::config::{self, At, Check, CommandName, Config, Declared, Expected, FILE};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Source, Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// A configuration with its place.
#[derive(Debug)]
pub(super) struct Found {
    /// The path of the file.
    pub(super) path: PathBuf,
    config: Config,
    file: FileId,
}

/// Models that are checked by one run of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Task {
    /// The command.
    pub(super) command: CommandName,
    /// Options of the command line.
    pub(super) arguments: Vec<String>,
    /// The command with its options, for readers.
    pub(super) title: String,
    /// The models.
    pub(super) models: Vec<Target>,
    /// Place of the check.
    pub(super) span: Span,
}

/// A model of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// Whether it was named, and not found in a folder.
    pub(super) is_named: bool,
    /// The expected outcome, with the place where that is told.
    pub(super) expected: Option<(Expected, Span)>,
}

/// Returns the path of the configuration in this folder, or else in the nearest one above that has one.
pub(super) fn find() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    // One that cannot be read is an error, and not left out.
    let at = folder.ancestors().position(|folder| fs::symlink_metadata(folder.join(FILE)).is_ok())?;
    Some(std::iter::repeat_n(Component::ParentDir, at).collect::<PathBuf>().join(FILE))
}

/// Reads a configuration, which becomes one of the sources.
///
/// # Errors
/// Returns what is wrong with it, each with its place.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Found, Vec<Diagnostic>> {
    let text = read_text(path).map_err(|error| vec![error])?;
    let file = sources.push(Source::new(display(path), text));
    let config = config::read(&sources[file].text, file)?;
    Ok(Found { path: path.to_owned(), config, file })
}

impl Found {
    /// Returns the folder of the file, from which its paths are.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    /// Returns the folders in which included files are looked for.
    ///
    /// # Errors
    /// Returns an error for each that is no folder.
    pub(super) fn include(&self) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let mut folders = Vec::new();
        for named in &self.config.include {
            let folder = self.folder().join(named.get_ref());
            if !folder.is_dir() {
                let what = format!("`{}` is no folder", display(&folder));
                let error = Diagnostic::error(Code::Configuration, self.span(named.span()), what);
                errors.push(error.help("paths are from the folder of the configuration"));
            }
            folders.push(folder);
        }
        if errors.is_empty() { Ok(folders) } else { Err(errors) }
    }

    /// Returns the cache, from the folder of the configuration, and its size.
    pub(super) fn cache(&self) -> (Option<PathBuf>, Option<u64>) {
        let path = self.config.cache.as_ref().map(|named| {
            let named = named.get_ref();
            if named.contains("://") { PathBuf::from(named) } else { self.folder().join(named) }
        });
        (path, self.config.cache_size.as_ref().and_then(|size| config::bytes(size.get_ref()).ok()))
    }

    /// Returns what is to be run: of the models in `only`, or of all if there are none. Models whose comments are read become
    /// sources.
    ///
    /// # Errors
    /// Returns what is wrong with patterns and comments.
    pub(super) fn tasks(
        &self,
        only: &[PathBuf],
        sources: &mut Sources,
    ) -> Result<Vec<Task>, Vec<Diagnostic>> {
        let (mut tasks, mut errors) = (Vec::new(), Vec::new());
        let wanted: Option<Vec<PathBuf>> =
            (!only.is_empty()).then(|| only.iter().map(|path| identity(path)).collect());
        let is_wanted = |path: &Path| {
            wanted.as_ref().is_none_or(|all| all.iter().any(|it| identity(path).starts_with(it)))
        };
        for entry in &self.config.check {
            let check = entry.get_ref();
            let mut models = self.models(check, &mut errors);
            models.retain(|(path, _)| is_wanted(path));
            let place = self.span(entry.span());
            self.add_tasks(check, models, (place, sources), &mut tasks, &mut errors);
        }
        let meant: Vec<PathBuf> =
            tasks.iter().flat_map(|it| &it.models).map(|it| identity(&it.path)).collect();
        for path in only {
            let wanted = identity(path);
            if errors.is_empty() && !meant.iter().any(|it| it.starts_with(&wanted)) {
                let what = format!("no check of `{}` is about `{}`", display(&self.path), display(path));
                errors.push(Diagnostic::error_nowhere(Code::Configuration, what));
            }
        }
        if errors.is_empty() { Ok(tasks) } else { Err(errors) }
    }

    /// Adds the tasks of a check: with a command, or by the comments of the models.
    fn add_tasks(
        &self,
        check: &Check,
        models: Vec<(PathBuf, bool)>,
        (span, sources): (Span, &mut Sources),
        tasks: &mut Vec<Task>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let task = |models| Task {
            command: check.command(),
            arguments: check.arguments(&self.config.limits),
            title: check.title(),
            models,
            span,
        };
        let mut plain = Vec::new();
        let expected = check.expected().zip(check.expect.as_ref());
        let expected = expected.map(|(it, at)| (*it, self.span(at.span())));
        let takes_comments = check.command.is_none() && expected.is_none() && !check.has_options(self.file);
        for (path, is_named) in models {
            let declared = if takes_comments { self.declared(&path, sources, errors) } else { Vec::new() };
            if declared.is_empty() {
                plain.push(Target { path, is_named, expected: expected.clone() });
                continue;
            }
            for it in declared {
                let expected = Some((it.expected, it.span));
                let models = vec![Target { path: path.clone(), is_named: true, expected }];
                let arguments = task(Vec::new()).arguments.into_iter().chain(it.arguments).collect();
                tasks.push(Task { command: it.command, arguments, title: it.title, models, span: it.span });
            }
        }
        if check.command().takes_several() {
            tasks.extend((!plain.is_empty()).then(|| task(plain)));
        } else {
            tasks.extend(plain.into_iter().map(|model| task(vec![model])));
        }
    }

    /// Returns what the comments of a model expect. A file that cannot be read is told by the command.
    fn declared(&self, path: &Path, sources: &mut Sources, errors: &mut Vec<Diagnostic>) -> Vec<Declared> {
        let Ok(text) = super::sources::read_source(path) else { return Vec::new() };
        if !text.contains("ramsey:") {
            return Vec::new();
        }
        let file = sources.push(Source::new(display(path), text));
        config::declared(&sources[file].text, file).unwrap_or_else(|found| {
            errors.extend(found);
            Vec::new()
        })
    }

    /// Returns the models of a check, each once, with whether they were named.
    fn models(&self, check: &Check, errors: &mut Vec<Diagnostic>) -> Vec<(PathBuf, bool)> {
        let excluded: Vec<Pattern> = check
            .exclude
            .iter()
            .filter_map(|it| self.pattern(it, errors))
            .map(|(pattern, _)| pattern)
            .collect();
        let mut found: Vec<(PathBuf, bool)> = Vec::new();
        let mut seen = Set::default();
        for named in &check.models {
            let Some((_, text)) = self.pattern(named, errors) else { continue };
            let path = self.folder().join(named.get_ref());
            let is_plain = Pattern::escape(&text) == text;
            let mut models: Vec<(PathBuf, bool)> = Vec::new();
            if is_plain {
                self.add_models(&path, true, &mut models, (named, errors));
            } else {
                let (paths, unread) = patterns::matching(self.folder(), &text);
                // A pattern may match files that are no models, such as pictures of them.
                for path in paths.iter().filter(|path| path.is_dir() || super::sources::is_model(path)) {
                    self.add_models(path, false, &mut models, (named, errors));
                }
                errors.extend(unread.iter().map(|unread| self.unread(named, unread)));
            }
            models.retain(|(path, _)| {
                !excluded.iter().any(|it| it.matches_path_with(path, patterns::MATCHING))
            });
            for (path, _) in &mut models {
                // Commands take names that begin like this for options.
                if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
                    *path = Path::new(".").join(&*path);
                }
            }
            if models.is_empty() && errors.is_empty() {
                let what = format!("no model matches `{}`", display(&path));
                let error = Diagnostic::error(Code::Configuration, self.span(named.span()), what);
                errors.push(
                    error.help(
                        "paths are from the folder of the configuration; `**` is any number of folders",
                    ),
                );
            }
            found.extend(models.into_iter().filter(|(path, _)| seen.insert(identity(path))));
        }
        found
    }

    /// Adds a model, or all models below a folder.
    fn add_models(
        &self,
        path: &Path,
        is_named: bool,
        models: &mut Vec<(PathBuf, bool)>,
        (named, errors): (&At<String>, &mut Vec<Diagnostic>),
    ) {
        if path.is_dir() {
            let (found, unread) = find_models(path);
            models.extend(found.into_iter().map(|path| (path, false)));
            errors.extend(unread.iter().map(|unread| self.unread(named, unread)));
        } else if fs::symlink_metadata(path).is_ok() {
            models.push((path.to_owned(), is_named));
        }
    }

    /// Returns the error that a folder cannot be read.
    fn unread(&self, named: &At<String>, (at, error): &(PathBuf, io::Error)) -> Diagnostic {
        let what = format!("cannot read `{}`: {error}", display(at));
        Diagnostic::error(Code::Configuration, self.span(named.span()), what)
    }

    /// Returns a pattern from the folder of the configuration, and its text there. An error is added if it is none.
    fn pattern(&self, named: &At<String>, errors: &mut Vec<Diagnostic>) -> Option<(Pattern, String)> {
        let folder = Pattern::escape(&self.folder().to_string_lossy());
        let text = named.get_ref().trim_end_matches('/').to_owned();
        let whole = if folder.is_empty() { text.clone() } else { format!("{folder}/{text}") };
        let read = Pattern::new(&whole);
        let error = |why: &str| {
            let what = format!("`{}` is no pattern: {why}", named.get_ref());
            let error = Diagnostic::error(Code::Configuration, self.span(named.span()), what);
            error.help(
                "`*` is any part of a name, `**` any number of folders, `?` a letter, `[ab]` one of these",
            )
        };
        read.map_err(|it| errors.push(error(it.msg))).ok().map(|pattern| (pattern, text))
    }
}
