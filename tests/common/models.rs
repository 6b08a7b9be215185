//! Loading of models in either language.

use ramsey::base::span::{Source, Sources};
use ramsey::diag::Diagnostic;
use ramsey::lang::{self, Language};
use ramsey::system::System;

/// Loads a model, in the language of its name's extension. It may include only files of the prelude.
pub fn load(name: &str, text: &str) -> (Option<System>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let language = Language::of_name(name);
    let includes =
        language.format().gather(file, &mut sources, &mut |_, path| Err(format!("no file `{path}` here")));
    lang::load(language, file, &sources, &includes)
}
