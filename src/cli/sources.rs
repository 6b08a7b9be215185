//! Discovery and reading of the files of a run.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::{Arc, Mutex, PoisonError};

use super::args::{LanguageArgs, StrictArgs};
use super::memory;
use ramsey_app::models::{Database, Meaning, ModelText, Policy};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::base::text::decode;
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_kernel::check::Subject;
use ramsey_lang::{Format, Includes, Language, Loaded, Unread, tptp};

/// Maximum file size in bytes: spans count bytes in 32 bits, and no model comes near.
pub(super) const LARGEST: u64 = 1 << 30;

impl LanguageArgs {
    /// Returns the language of the model at `path`.
    pub(super) fn of(&self, path: &Path) -> Language {
        if path.as_os_str() == "-" { self.language } else { Language::of_name(&path.to_string_lossy()) }
    }

    /// Returns what is meant of a model.
    pub(super) fn part(&self) -> Part {
        Part { isolate: self.isolate.as_deref().map(Arc::from), folders: self.folders.clone().into() }
    }
}

/// What is meant of a model, and where else its files are.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The isolate that is meant, if it is not the whole program.
    pub(super) isolate: Option<Arc<str>>,
    /// Folders in which included files are looked for, after that of the including file.
    pub(super) folders: Arc<[PathBuf]>,
}

impl From<StrictArgs> for Policy {
    fn from(args: StrictArgs) -> Policy {
        Policy { is_strict: !args.no_strict, ..Policy::LENIENT }
    }
}

/// A file of a run: its text, or the error that prevented reading it.
#[derive(Debug)]
pub(super) struct Input {
    /// Path as shown in diagnostics.
    pub(super) name: String,
    /// Its text, or the error that prevented reading it.
    pub(super) text: Result<Arc<ModelText>, Diagnostic>,
    /// Language of the text.
    pub(super) language: Language,
    /// Folders in which included files are looked for, after that of the including file.
    pub(super) folders: Arc<[PathBuf]>,
    /// Files of a directory that this model includes, and that are not models of the run themselves.
    pub(super) parts: Vec<String>,
}

impl Input {
    /// Creates the model of this path and text, and reads its included files.
    pub(super) fn new(
        path: &Path,
        text: Result<String, Diagnostic>,
        language: &LanguageArgs,
        sources: &mut Sources,
        known: &mut KnownFiles,
    ) -> Input {
        let part = language.part();
        let language = language.of(path);
        let name = known.name(path);
        let text = text.map(|text| {
            // Another model may include this one.
            let file = sources.ids().find(|&file| sources[file].name == name);
            let file = file.unwrap_or_else(|| sources.push(Source::new(name.clone(), text)));
            let includes = gather(language.format(), file, sources, known);
            Arc::new(ModelText::new(language, file, includes).in_isolate(part.isolate.clone()))
        });
        Input { name, text, language, folders: part.folders, parts: Vec::new() }
    }

    /// Returns the text among the sources, if it could be read.
    pub(super) fn file(&self) -> Option<FileId> {
        self.text.as_ref().ok().map(|text| text.file())
    }

    /// Returns the text from which a certificate's digest is computed; empty if reading failed.
    pub(super) fn source_text<'s>(&self, sources: &'s Sources) -> Cow<'s, str> {
        self.text.as_ref().map_or(Cow::Borrowed(""), |text| text.source_text(sources))
    }

    /// Reads the text as a model that keeps the rules of a policy.
    pub(super) fn read(&self, policy: &Policy, sources: &Sources, budget: &mut Budget) -> Meaning {
        match &self.text {
            Ok(text) => text.read(policy, sources, budget),
            Err(error) => (None, vec![error.clone()]),
        }
    }

    /// Checks whether this model includes `other`, directly or not.
    fn has(&self, other: &Input) -> bool {
        let includes = |other: FileId| {
            self.text.as_ref().is_ok_and(|text| text.includes().files().any(|file| file == other))
        };
        other.file().is_some_and(includes)
    }
}

/// The files of a run, each with one name, however its path is written.
#[derive(Debug, Default)]
pub(super) struct KnownFiles {
    /// Names by paths with links resolved.
    names: Map<PathBuf, String>,
    /// Path of each name.
    paths: Map<String, PathBuf>,
    /// Folders in which included files are looked for, after that of the including file.
    folders: Arc<[PathBuf]>,
}

impl KnownFiles {
    /// Returns no files. Included ones are also looked for in these folders.
    fn within(folders: Arc<[PathBuf]>) -> KnownFiles {
        KnownFiles { folders, ..KnownFiles::default() }
    }

    /// Returns the name of the file at `path`: the path as written at its first occurrence.
    pub(super) fn name(&mut self, path: &Path) -> String {
        let identity = identity(path);
        if let Some(name) = self.names.get(&identity) {
            return name.clone();
        }
        let mut name = display(path);
        // Paths that are not UTF-8 may have the same lossy form.
        while self.paths.contains_key(&name) {
            name.push('*');
        }
        self.names.insert(identity, name.clone());
        self.paths.insert(name.clone(), path.to_owned());
        name
    }

    /// Returns the folder of the file with this name.
    fn folder<'a>(&'a self, name: &'a str) -> &'a Path {
        let path = self.paths.get(name).map_or(Path::new(name), PathBuf::as_path);
        path.parent().unwrap_or(Path::new(""))
    }
}

/// Returns a path that identifies a file: with links resolved, if the file exists.
pub(super) fn identity(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" {
        return path.to_owned();
    }
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads an included file, whose path is relative to the folder of the including one, or else to one of the others.
fn read_included(from: &str, path: &str, known: &mut KnownFiles) -> Result<Source, Unread> {
    let folders = Arc::clone(&known.folders);
    let beside = known.folder(from).join("");
    let mut found = read_in(&beside, path, known);
    for folder in folders.iter() {
        if !matches!(&found, Err(unread) if unread.is_missing) {
            return found;
        }
        let elsewhere = read_in(folder, path, known);
        found = match (found, elsewhere) {
            (Err(beside), Err(unread)) if unread.is_missing => {
                let reason = format!("{}, nor in `{}`", beside.reason, display(folder));
                Err(Unread::missing(reason))
            }
            (_, elsewhere) => elsewhere,
        };
    }
    found
}

/// Reads an included file, whose path is relative to this folder.
fn read_in(folder: &Path, path: &str, known: &mut KnownFiles) -> Result<Source, Unread> {
    // Not standard input, even if the file is called `-`.
    let path = folder.join(if path == "-" { "./-" } else { path });
    match read_source(&path) {
        Ok(text) => Ok(Source::new(known.name(&path), text)),
        Err(error) => Err(Unread { reason: error.message, is_missing: fs::symlink_metadata(&path).is_err() }),
    }
}

/// Reads models: files, every model below a directory (sorted), standard input for `-`. A file that is
/// named twice is read once. A file of a directory that another model of the run includes is a part of that one.
pub(super) fn read_models(paths: &[PathBuf], language: &LanguageArgs, sources: &mut Sources) -> Vec<Input> {
    read_models_of((paths, &[]), language, sources)
}

/// Reads models as [`read_models`] does; those that are `found` as well are taken as files of a directory.
pub(super) fn read_models_of(
    (paths, found): (&[PathBuf], &[PathBuf]),
    language: &LanguageArgs,
    sources: &mut Sources,
) -> Vec<Input> {
    let mut known = KnownFiles::within(language.part().folders);
    let mut seen: Set<PathBuf> = Set::default();
    let mut inputs: Vec<(Input, bool)> = Vec::new();
    let mut add = |path: &Path, text: Result<String, Diagnostic>, is_named: bool| match seen
        .insert(identity(path))
    {
        true => inputs.push((Input::new(path, text, language, sources, &mut known), is_named)),
        // A file that is named explicitly is always a model of the run.
        false if is_named => {
            let name = known.name(path);
            inputs.iter_mut().filter(|(input, _)| input.name == name).for_each(|(_, named)| *named = true);
        }
        false => {}
    };
    for path in paths {
        if path.as_os_str() == "-" || !path.is_dir() {
            add(path, read_model(path), !found.contains(path));
            continue;
        }
        let (found, errors) = find_models(path);
        if found.is_empty() && errors.is_empty() {
            let what = format!(
                "there is no {} file below the directory `{}`",
                Language::extensions("or"),
                display(path)
            );
            add(path, Err(Diagnostic::error_nowhere(Code::Unreadable, what)), true);
        }
        for path in found {
            add(&path, read_model(&path), false);
        }
        for (at, error) in errors {
            add(&at, Err(unreadable(&at, &error)), true);
        }
    }
    // Of an isolate, the files that are included are not looked at as a whole.
    if language.isolate.is_some() {
        return inputs.into_iter().map(|(input, _)| input).collect();
    }
    without_parts(inputs)
}

/// Returns the models of a run. Each input has a flag for being named explicitly; the others come from directories, and
/// are not models of their own if another one includes them. Files that include each other are kept, so that the cycle
/// is reported.
fn without_parts(inputs: Vec<(Input, bool)>) -> Vec<Input> {
    let is_part = |part: &Input| inputs.iter().any(|(whole, _)| whole.has(part) && !part.has(whole));
    let whole_of = |part: &Input| {
        inputs.iter().position(|(whole, is_named)| {
            whole.has(part) && !part.has(whole) && (*is_named || !is_part(whole))
        })
    };
    let wholes: Vec<Option<usize>> =
        inputs.iter().map(|(input, is_named)| if *is_named { None } else { whole_of(input) }).collect();
    let mut parts: Vec<Vec<String>> = inputs.iter().map(|_| Vec::new()).collect();
    for ((input, _), whole) in inputs.iter().zip(&wholes) {
        if let Some(whole) = whole {
            parts[*whole].push(input.name.clone());
        }
    }
    let inputs = inputs.into_iter().zip(wholes).zip(parts);
    let models = inputs.filter(|((_, whole), _)| whole.is_none());
    models.map(|(((input, _), _), parts)| Input { parts, ..input }).collect()
}

/// Reads one model; a directory is not accepted.
pub(super) fn read_one_model(path: &Path, language: &LanguageArgs, sources: &mut Sources) -> Input {
    let mut known = KnownFiles::within(language.part().folders);
    Input::new(path, read_model(path), language, sources, &mut known)
}

/// Returns the models that may stand at `path`. What they include is read from there.
pub(super) fn models_at(path: &Path, language: Language, part: Part, policy: Policy) -> Database {
    let mut known = KnownFiles::within(part.folders);
    let name = known.name(path);
    let known = Mutex::new(known);
    let read = move |from: &str, path: &str| {
        read_included(from, path, &mut known.lock().unwrap_or_else(PoisonError::into_inner))
    };
    Database::new(&name, language, policy, Box::new(read)).in_isolate(part.isolate)
}

/// Returns the subject of certificates about what was loaded.
pub(super) fn subject(loaded: &Loaded) -> Subject<'_> {
    match loaded {
        Loaded::System(system) => (&**system).into(),
        Loaded::Problem(problem) => problem.into(),
    }
}

/// Reads a file other than a model, with its included files. The text is that of [`Format::source_text`].
pub(super) fn load_problem(
    path: &Path,
    format: Format,
    sources: &mut Sources,
) -> (Option<Loaded>, String, Vec<Diagnostic>) {
    match read_source(path) {
        Ok(text) => {
            let mut known = KnownFiles::default();
            let file = sources.push(Source::new(known.name(path), text));
            let includes = gather(format, file, sources, &mut known);
            let (loaded, diagnostics) = format.load(file, sources, &includes);
            (loaded, format.source_text(file, sources, &includes).into_owned(), diagnostics)
        }
        Err(error) => (None, String::new(), vec![error]),
    }
}

/// Parses the TPTP problem with this text. Returns it with the text of [`Format::source_text`], or its diagnostics, or
/// the exhausted budget.
pub(super) fn load_tptp(
    path: &Path,
    text: Vec<u8>,
    sources: &mut Sources,
    budget: &mut Budget,
) -> Result<(Option<tptp::Loaded>, String, Vec<Diagnostic>), Exhausted> {
    match source_text(path, text) {
        Ok(text) => {
            let mut known = KnownFiles::default();
            let file = sources.push(Source::new(known.name(path), text));
            let includes = gather(Format::Tptp, file, sources, &mut known);
            let (loaded, diagnostics) = tptp::load_within(file, sources, &includes, budget)?;
            Ok((loaded, Format::Tptp.source_text(file, sources, &includes).into_owned(), diagnostics))
        }
        Err(error) => Ok((None, String::new(), vec![error])),
    }
}

/// Reads included files: by their paths from the folder of the including file, or else from the folder of the format's
/// library.
fn gather(format: Format, file: FileId, sources: &mut Sources, known: &mut KnownFiles) -> Includes {
    let library = format.descriptor().inclusion.and_then(|it| it.library).and_then(std::env::var_os);
    format.gather(file, sources, &mut |from, path| {
        read_included(from, path, known).or_else(|error| match &library {
            Some(folder) => read_included("", &Path::new(folder).join(path).to_string_lossy(), known),
            None => Err(error),
        })
    })
}

/// Returns the name of a path in messages.
pub(super) fn display(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

fn read_model(path: &Path) -> Result<String, Diagnostic> {
    let name = display(path);
    if path.as_os_str() != "-" && path.is_file() && !is_model(path) {
        let what = format!("`{name}` is not a kind of file that ramsey reads as a model");
        let error = Diagnostic::error_nowhere(Code::Unreadable, what);
        return Err(if Format::of_name(&name).is_some() {
            error.help(format!("`ramsey solve {name}` solves problems without a model"))
        } else {
            error.help(format!(
                "models are files with the extension {}; standard input is `-`",
                Language::extensions("or")
            ))
        });
    }
    let text = read_source(path)?;
    if text.trim().is_empty() {
        let what = format!("`{name}` is empty");
        let help = Language::of_name(&name).model().contents;
        return Err(Diagnostic::error_nowhere(Code::Unreadable, what).help(help));
    }
    Ok(text)
}

/// Adds the name of the document at `path` to an error in it.
pub(super) fn in_document(path: &Path, mut error: Diagnostic) -> Diagnostic {
    if error.code == Code::Document {
        error.message = format!("`{}`: {}", display(path), error.message);
    }
    error
}

/// Opens a file, or standard input for `-`.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read>, Diagnostic> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    if path.is_dir() {
        let what = format!("`{}` is a directory, not a file", display(path));
        return Err(Diagnostic::error_nowhere(Code::Unreadable, what));
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok(Box::new(file))
}

/// Reads a file, or standard input for `-`.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    read_all(path, open(path)?)
}

/// Reads the rest of the file at `path`.
pub(super) fn read_all(path: &Path, from: impl Read) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("`{}` is larger than {} MB", display(path), LARGEST >> 20);
        return Err(Diagnostic::error_nowhere(Code::Unreadable, what));
    }
    if bytes.len() >= memory::LARGE_FILE {
        memory::watch();
    }
    Ok(bytes)
}

/// Reads a document, or standard input for `-`, as UTF-8.
pub(super) fn read_text(path: &Path) -> Result<String, Diagnostic> {
    String::from_utf8(read_bytes(path)?).map_err(|error| not_text(path, &error))
}

/// Reads a model or an included file, or standard input for `-`.
pub(super) fn read_source(path: &Path) -> Result<String, Diagnostic> {
    source_text(path, read_bytes(path)?)
}

/// Returns the text of a model or problem.
pub(super) fn source_text(path: &Path, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    decode(bytes).map_err(|error| not_text(path, &error))
}

fn not_text(path: &Path, error: &FromUtf8Error) -> Diagnostic {
    let at = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    Diagnostic::error_nowhere(Code::Unreadable, format!("`{}` is not UTF-8 text", display(path)))
        .note(format!("the byte 0x{:02X} at offset {at} (line {line}) begins no character", bytes[at]))
}

/// Returns the diagnostic for a failure to read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = display(path);
    if error.kind() == io::ErrorKind::OutOfMemory {
        let what = format!("`{name}` was not read to its end: memory ran out");
        return Diagnostic::error_nowhere(Code::Limit, what);
    }
    if error.kind() != io::ErrorKind::NotFound {
        return Diagnostic::error_nowhere(Code::Unreadable, format!("cannot read `{name}`: {error}"));
    }
    if let Ok(target) = fs::read_link(path) {
        let what = format!("`{name}` is a link to `{}`, and there is no such file", target.display());
        return Diagnostic::error_nowhere(Code::Unreadable, what);
    }
    let missing = Diagnostic::error_nowhere(Code::Unreadable, format!("there is no file `{name}`"));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else {
        return missing.note(format!("there is no directory `{}` either", display(folder)));
    };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(near) => missing.help(format!("did you mean `{}`?", display(&path.with_file_name(near)))),
        None => missing,
    }
}

/// Returns the format of a file, by its name.
pub(super) fn format_of(path: &Path) -> Option<Format> {
    Format::of_name(&path.file_name()?.to_string_lossy())
}

/// Returns the format of a file that need not be a model, by its name: a closed form may be one or not.
pub(super) fn not_a_model_alone(path: &Path) -> Option<Format> {
    format_of(path).filter(|&format| format == Format::Core || format.language().is_none())
}

/// Checks whether a file is a model, by its name.
pub(super) fn is_model(path: &Path) -> bool {
    format_of(path).and_then(Format::language).is_some()
}

/// Returns all models below `folder`, sorted, and the folders that cannot be read. Links to directories are not
/// followed, so the search ends. A dangling link named like a model counts as one, and reading it reports the error.
pub(super) fn find_models(folder: &Path) -> (Vec<PathBuf>, Vec<(PathBuf, io::Error)>) {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) => {
                errors.push((folder, error));
                continue;
            }
        };
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if is_model(&path) && fs::metadata(&path).map_or(true, |file| file.is_file()) {
                found.push(path);
            }
        }
    }
    found.sort();
    (found, errors)
}
