//! `ramsey print`: models in canonical form, or in another language.

use std::io::{self, Write as _};

use super::args::PrintArgs;
use super::limits;
use super::output::{print_diagnostics, stderr_palette, stdout};
use super::sources::{Input, read_one_model};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_lang::{self as lang, Includes, Language};
use ramsey_report::Verdict;
use ramsey_services::lint;

/// Prints the model, or the errors that prevent reading or translating it.
pub(super) fn run(args: &PrintArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let input = read_one_model(&args.path, args.language, &mut sources);
    let (text, found) = match &input.file {
        Ok(file) => match args.to {
            Some(to) if to != input.language => translated(&input, *file, to, &sources),
            _ => {
                let (text, found) = lang::print::format(input.language, *file, &sources[*file].text);
                (Some(text), found)
            }
        },
        Err(error) => (None, vec![error.clone()]),
    };
    print_diagnostics(&found, &sources, stderr_palette(args.color));
    let verdict = Verdict::of_diagnostics(&found);
    if let (Verdict::Ok, Some(text)) = (verdict, text) {
        let mut out = stdout();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    Ok(verdict)
}

/// Translates a model without errors.
fn translated(
    input: &Input,
    file: FileId,
    to: Language,
    sources: &Sources,
) -> (Option<String>, Vec<Diagnostic>) {
    let (system, found) = input.load(sources, &mut limits::reading());
    if system.is_none() {
        return (None, found);
    }
    let parsed = lang::parse_within(input.language, file, sources, &input.includes, &mut Budget::unlimited());
    match parsed {
        Ok((trees, _)) => {
            let (text, mut found) = lang::translate::translate(&trees, to, sources, &input.includes);
            found.extend(text.as_ref().and_then(|text| undecided(text, to)));
            (text, found)
        }
        // An unlimited budget is never exhausted.
        Err(_) => (None, found.into_iter().filter(|it| it.severity == Severity::Error).collect()),
    }
}

/// Tells that a translation breaks the rules of its language about quantifiers and functions.
fn undecided(text: &str, to: Language) -> Option<Diagnostic> {
    if !to.model().is_strict {
        return None;
    }
    let mut sources = Sources::new();
    let file = sources.push(Source::new(String::new(), text.to_owned()));
    let (system, mut found) = lang::load(to, file, &sources, &Includes::new());
    found.extend(lint::quantifiers(&system?, &mut Budget::unlimited()).unwrap_or_default());
    if !found.iter().any(|it| it.code.concerns_decidability()) {
        return None;
    }
    let what = format!(
        "the translation breaks rules of .{} about quantifiers or functions, so answers may not come",
        to.extension()
    );
    let note = Diagnostic { severity: Severity::Note, ..Diagnostic::error_nowhere(Code::Translation, what) };
    Some(note.help("other commands take it with `--no-strict`"))
}
