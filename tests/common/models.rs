//! Models in either language.

use ramsey::base::span::{Source, Sources};
use ramsey::diag::Diagnostic;
use ramsey::lang::{self, Language};
use ramsey::system::System;

/// Loads a model, whose name tells its language. It may include files of the prelude alone.
pub fn load(name: &str, text: &str) -> (Option<System>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let language = Language::of_name(name);
    let includes =
        language.format().gather(file, &mut sources, &mut |_, path| Err(format!("no file `{path}` here")));
    lang::load(language, file, &sources, &includes)
}
