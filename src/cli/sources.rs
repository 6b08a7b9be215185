//! Finds and reads the files of a run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::args::{LanguageArgs, ProblemFormat};
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{FileId, Source, Sources};
use crate::diag::{Code, Diagnostic, nearest};
use crate::lang::{self, Includes, Kind, Language, Loaded, tptp};
use crate::logic::TermId;
use crate::system::System;

/// Larger files are refused: spans count bytes in 32 bits, and no model comes near.
pub(super) const LARGEST: u64 = 1 << 30;

/// A file of a run: its text, or why there is none.
#[derive(Debug)]
pub(super) struct Input {
    /// The path as diagnostics show it.
    pub(super) name: String,
    /// The text's place among the sources.
    pub(super) file: Result<FileId, Diagnostic>,
    /// The language that it is written in.
    pub(super) language: Language,
    /// The files that it includes.
    includes: Includes,
}

impl Input {
    /// The model of this name and text, with what it includes.
    pub(super) fn new(
        name: String,
        text: Result<String, Diagnostic>,
        language: Language,
        sources: &mut Sources,
    ) -> Input {
        let mut includes = Includes::new();
        let file = text.map(|text| sources.push(Source { name: name.clone(), text }));
        if let Ok(file) = file {
            includes.gather(language, file, sources, &mut read_included);
        }
        Input { name, file, language, includes }
    }

    /// The model, or what is wrong with it.
    pub(super) fn load(&self, sources: &Sources) -> (Option<System>, Vec<Diagnostic>) {
        match &self.file {
            Ok(file) => lang::load(self.language, *file, sources, &self.includes),
            Err(error) => (None, vec![error.clone()]),
        }
    }

    /// The model with a formula in its language, whose text is the source `formula`; or what is wrong with them.
    pub(super) fn load_with_formula(
        &self,
        formula: FileId,
        sources: &Sources,
    ) -> (Option<(System, TermId)>, Vec<Diagnostic>) {
        match &self.file {
            Ok(file) => lang::load_with_formula(self.language, *file, formula, sources, &self.includes),
            Err(error) => (None, vec![error.clone()]),
        }
    }
}

/// Reads a file that another one includes, by its path from the folder of that one.
fn read_included(from: &str, path: &str) -> Result<Source, String> {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let path = folder.join(path);
    match read_text(&path) {
        Ok(text) => Ok(Source { name: display(&path), text }),
        Err(error) => Err(error.message),
    }
}

/// Reads models: files, every `.pyv` and `.rml` file below a directory (sorted), standard input for `-`. A file that is
/// named twice is read once.
pub(super) fn read_models(paths: &[PathBuf], language: LanguageArgs, sources: &mut Sources) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut add = |path: &Path, text: Result<String, Diagnostic>| {
        let name = display(path);
        if inputs.iter().any(|input| input.name == name) {
            return;
        }
        inputs.push(Input::new(name, text, language.of(path), sources));
    };
    for path in paths {
        if path.as_os_str() == "-" || !path.is_dir() {
            add(path, read_model(path));
            continue;
        }
        let mut found = Vec::new();
        match find_models(path, &mut found) {
            Err((at, error)) => add(&at, Err(unreadable(&at, &error))),
            Ok(()) if found.is_empty() => {
                let what = format!("there is no .pyv or .rml file below the directory `{}`", display(path));
                add(path, Err(Diagnostic::error_nowhere(Code::Unreadable, what)));
            }
            Ok(()) => {
                found.sort();
                for path in &found {
                    add(path, read_model(path));
                }
            }
        }
    }
    inputs
}

/// Reads one model where a directory will not do.
pub(super) fn read_one_model(path: &Path, language: LanguageArgs, sources: &mut Sources) -> Input {
    Input::new(display(path), read_model(path), language.of(path), sources)
}

/// Reads a file that is no model, with what it includes.
pub(super) fn load_problem(
    path: &Path,
    kind: Kind,
    sources: &mut Sources,
) -> (Option<Loaded>, Option<FileId>, Vec<Diagnostic>) {
    match read_text(path) {
        Ok(text) => {
            let file = sources.push(Source { name: display(path), text });
            let includes = kind.gather(file, sources, &mut read_included_problem);
            let (loaded, diagnostics) = kind.load(file, sources, &includes);
            (loaded, Some(file), diagnostics)
        }
        Err(error) => (None, None, vec![error]),
    }
}

/// The problem of the TPTP library with this text, and its source, or what is wrong with it; or the budget that ran out.
pub(super) fn load_tptp(
    path: &Path,
    text: Vec<u8>,
    sources: &mut Sources,
    budget: &mut Budget,
) -> Result<(Option<tptp::Loaded>, Option<FileId>, Vec<Diagnostic>), Exhausted> {
    match utf8(path, text) {
        Ok(text) => {
            let file = sources.push(Source { name: display(path), text });
            let mut includes = Includes::new();
            includes.gather_tptp(file, sources, &mut read_included_problem);
            let (loaded, diagnostics) = tptp::load_within(file, sources, &includes, budget)?;
            Ok((loaded, Some(file), diagnostics))
        }
        Err(error) => Ok((None, None, vec![error])),
    }
}

/// Reads a file that a problem includes: by its path from the folder of that one, or else from the folder that the
/// environment variable `TPTP` names.
fn read_included_problem(from: &str, path: &str) -> Result<Source, String> {
    read_included(from, path).or_else(|error| match std::env::var_os("TPTP") {
        Some(folder) => read_included("", &Path::new(&folder).join(path).to_string_lossy()),
        None => Err(error),
    })
}

/// The name of a path in messages.
pub(super) fn display(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

fn read_model(path: &Path) -> Result<String, Diagnostic> {
    let name = display(path);
    if path.as_os_str() != "-" && path.is_file() && !is_model(path) {
        let what = format!("`{name}` is not a kind of file that ramsey reads as a model");
        let error = Diagnostic::error_nowhere(Code::Unreadable, what);
        return Err(if ProblemFormat::of_name(path).is_some() {
            error.help(format!("`ramsey solve {name}` solves problems without a model"))
        } else {
            error.help("models are files with the extension `.pyv` or `.rml`; standard input is `-`")
        });
    }
    let text = read_text(path)?;
    if text.trim().is_empty() {
        let what = format!("`{name}` is empty");
        let help = "a model declares sorts, relations, `init`, transitions and invariants";
        return Err(Diagnostic::error_nowhere(Code::Unreadable, what).help(help));
    }
    Ok(text)
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

/// Reads what is left of the file at `path`.
pub(super) fn read_all(path: &Path, from: impl Read) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("`{}` is larger than {} MB", display(path), LARGEST >> 20);
        return Err(Diagnostic::error_nowhere(Code::Unreadable, what));
    }
    Ok(bytes)
}

/// Reads a file, or standard input for `-`, as UTF-8.
pub(super) fn read_text(path: &Path) -> Result<String, Diagnostic> {
    utf8(path, read_bytes(path)?)
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let what = format!("`{}` is not UTF-8 text", display(path));
        Diagnostic::error_nowhere(Code::Unreadable, what)
            .note(format!("the byte 0x{:02X} at offset {at} (line {line}) begins no character", bytes[at]))
    })
}

/// What to say where reading fails.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = display(path);
    if error.kind() != io::ErrorKind::NotFound {
        return Diagnostic::error_nowhere(Code::Unreadable, format!("cannot read `{name}`: {error}"));
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

/// Whether the extension is that of a model.
fn is_model(path: &Path) -> bool {
    let extension = path.extension();
    Language::ALL.iter().any(|language| extension.is_some_and(|it| it == language.extension()))
}

/// All models below `folder`. Links to directories are not followed, so there is an end.
fn find_models(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| (folder.clone(), error))? {
            let entry = entry.map_err(|error| (folder.clone(), error))?;
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if is_model(&path) && path.is_file() {
                found.push(path);
            }
        }
    }
    Ok(())
}
