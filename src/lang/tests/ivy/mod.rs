//! Tests of the front end, from text to system or diagnostics.

mod corpus;
mod declared;
mod early;
mod errors;
mod meaning;
mod printing;
mod robustness;

use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_lang::{self as lang, Language, Unread};

/// Loads a file, which may include files of the library and `other.ivy`.
fn load_with(text: &str, other: &str) -> (Option<System>, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let main = sources.push(Source::new("a.ivy".into(), text.into()));
    let includes = Language::Ivy.format().gather(main, &mut sources, &mut |_, path| match path {
        "other.ivy" => Ok(Source::new("other.ivy".into(), other.into())),
        _ => Err(Unread::missing("there is no such file")),
    });
    let (system, diagnostics) = lang::load(Language::Ivy, main, &sources, &includes);
    (system, diagnostics, sources)
}

/// Loads a file. Diagnostics are rendered one per line: place, severity, code, message, help.
fn load(text: &str) -> (Option<System>, Vec<String>) {
    let (system, diagnostics, sources) = load_with(text, "");
    (system, diagnostics.iter().map(|it| render(it, &sources)).collect())
}

fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place = diagnostic
        .primary
        .as_ref()
        .map_or((0, 0), |label| sources[label.span.file].line_column(label.span.start));
    let help = diagnostic.help.as_deref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{}:{} {severity} {}: {}{help}", place.0, place.1, diagnostic.code.text(), diagnostic.message)
}

/// Returns the system of a file without errors.
#[track_caller]
fn system(text: &str) -> System {
    let (system, diagnostics) = load(text);
    system.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}
