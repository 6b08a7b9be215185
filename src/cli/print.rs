//! `ramsey print`: models in canonical form, or in another language.

use std::io;

use super::args::PrintArgs;
use super::limits;
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::read_one_model;
use ramsey_app::models::{Database, ModelText, Policy};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_lang::{self as lang, Language, Unread};
use ramsey_report::Verdict;

/// Prints the model, or the errors that prevent reading or translating it.
pub(super) fn run(args: &PrintArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let input = read_one_model(&args.path, &args.language, &mut sources);
    let (text, found) = match &input.text {
        Ok(text) => match args.to {
            Some(to) if to != input.language => translated(text, to, &sources),
            _ => {
                let file = text.file();
                let (text, found) = lang::print::format(input.language, file, &sources[file].text);
                (Some(text), found)
            }
        },
        Err(error) => (None, vec![error.clone()]),
    };
    print_diagnostics(&found, &sources, stderr_palette(args.color));
    let verdict = Verdict::of_diagnostics(&found);
    if let (Verdict::Ok, Some(text)) = (verdict, text) {
        print_part(&text)?;
    }
    Ok(verdict)
}

/// Translates a model without errors.
fn translated(model: &ModelText, to: Language, sources: &Sources) -> (Option<String>, Vec<Diagnostic>) {
    let budget = &mut limits::reading();
    let (system, found) = model.read(&Policy::LENIENT, sources, budget);
    match model.trees(sources, budget) {
        Ok((trees, _)) if system.is_some() => {
            let (text, mut found) = lang::translate::translate(trees, to, sources, model.includes());
            found.extend(text.as_ref().and_then(|text| undecided(text, to)));
            (text, found)
        }
        _ => (None, found),
    }
}

/// Tells that a translation breaks the rules of its language about quantifiers and functions.
fn undecided(text: &str, to: Language) -> Option<Diagnostic> {
    if !to.model().is_strict {
        return None;
    }
    let nothing = |_: &str, path: &str| Err(Unread::missing(path));
    let model = Database::new("", to, Policy::LENIENT, Box::new(nothing)).load(text);
    if model.system.is_none() || !model.diagnostics.iter().any(|it| it.code.concerns_decidability()) {
        return None;
    }
    let what = format!(
        "the translation breaks rules of .{} about quantifiers or functions, so answers may not come",
        to.extension()
    );
    let note = Diagnostic { severity: Severity::Note, ..Diagnostic::error_nowhere(Code::Translation, what) };
    Some(note.help("other commands take it with `--no-strict`"))
}
