//! Models in tasks: their files as data, and read from there.

use std::path::Path;
use std::sync::Arc;

use crate::sources::Input;
use ramsey_app::models::ModelText;
use ramsey_core::base::digest::sha256;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::{Format, Language, Unread};
use ramsey_report::json::task::{File, Inclusion, Model};

/// Returns a model with all its files; `None` if it could not be read.
pub(super) fn model_of(input: &Input, is_strict: bool, sources: &Sources) -> Option<Model> {
    let text = input.text.as_ref().ok()?;
    let format = input.language.format();
    let inclusion = format.descriptor().inclusion;
    let main = text.file();
    let mut names: Vec<(FileId, String)> = vec![(main, new_name(&sources[main].name, &[]))];
    let mut inclusions: Vec<Inclusion> = Vec::new();
    // The files are gathered once more, from those that are known.
    let mut again = Sources::new();
    let file = again.push(Source::new(names[0].1.clone(), sources[main].text.clone()));
    format.gather(file, &mut again, &mut |from, path| {
        let from = names.iter().position(|(_, name)| name == from).unwrap_or_default();
        let included = text.includes().resolve(names[from].0, path).map_err(Unread::missing)?;
        let built_in = inclusion.and_then(|it| (it.prelude)(path, &sources[main].text));
        if built_in.is_some_and(|(name, _)| name == sources[included].name) {
            return Err(Unread::missing("it is a built-in file"));
        }
        let known = names.iter().position(|(file, _)| *file == included);
        let file = known.unwrap_or_else(|| {
            names.push((included, new_name(&sources[included].name, &names)));
            names.len() - 1
        });
        inclusions.push(Inclusion { from, path: path.to_owned(), file });
        Ok(Source::new(names[file].1.clone(), sources[included].text.clone()))
    });
    let file = |(file, name): (FileId, String)| File { name, text: sources[file].text.clone() };
    Some(Model {
        language: format.descriptor().name.to_owned(),
        isolate: text.isolate().map(|name| name.as_ref().to_owned()),
        strict: is_strict,
        digest: sha256(&*text.source_text(sources)),
        files: names.into_iter().map(file).collect(),
        inclusions,
    })
}

/// Returns the name of a file without its folder, which differs from those that are known.
fn new_name(path: &str, known: &[(FileId, String)]) -> String {
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    let mut number = 1;
    loop {
        let name = if number == 1 { name.to_string() } else { format!("{name} ({number})") };
        if known.iter().all(|(_, other)| *other != name) {
            return name;
        }
        number += 1;
    }
}

/// Reads a model from its files, and nothing from elsewhere.
///
/// # Errors
/// The task has no such model.
pub(super) fn input_of(model: &Model, sources: &mut Sources) -> Result<Input, Diagnostic> {
    let wrong = |what: &str| Diagnostic::error_nowhere(Code::Document, what.to_owned());
    let language = Format::of_option(&model.language).and_then(Format::language);
    let language: Language = language.ok_or_else(|| wrong("the model of the task has no known language"))?;
    let main = model.files.first().ok_or_else(|| wrong("the model of the task has no files"))?;
    let file = sources.push(Source::new(main.name.clone(), main.text.clone()));
    let includes = language.format().gather(file, sources, &mut |from, path| {
        let is_meant = |it: &&Inclusion| {
            it.path == path && model.files.get(it.from).is_some_and(|file| file.name == from)
        };
        let found = model.inclusions.iter().find(is_meant).and_then(|it| model.files.get(it.file));
        let found = found.ok_or_else(|| Unread::missing("the task does not have it"))?;
        Ok(Source::new(found.name.clone(), found.text.clone()))
    });
    let isolate: Option<Arc<str>> = model.isolate.as_deref().map(Arc::from);
    let text = Arc::new(ModelText::new(language, file, includes).in_isolate(isolate));
    if sha256(&*text.source_text(sources)) != model.digest {
        return Err(wrong("the files of the task are not those that its digest is about"));
    }
    let folders = Vec::new().into();
    Ok(Input { name: main.name.clone(), text: Ok(text), language, folders, parts: Vec::new() })
}
