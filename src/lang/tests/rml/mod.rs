//! Tests of the front end, from text to system or diagnostics.

mod lowering;
mod modules;
mod newcomers;
mod printing;
mod robustness;
mod statics;
mod syntax;

use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_lang::{self as lang, Language, Unread};

fn file() -> FileId {
    FileId::new(0)
}

/// Renders diagnostics as text: position, code, message, labels.
fn render(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        if let Some(primary) = &diagnostic.primary {
            let source = &sources[primary.span.file];
            let (line, column) = source.line_column(primary.span.start);
            let slice = &source.text[primary.span.start as usize..primary.span.end as usize];
            out += &format!("{}:{line}:{column} ", source.name);
            out += &format!("{severity}[{}]: {}\n", diagnostic.code.text(), diagnostic.message);
            out += &format!("    `{}`: {}\n", slice.lines().next().unwrap_or(""), primary.text);
        } else {
            out += &format!("{severity}[{}]: {}\n", diagnostic.code.text(), diagnostic.message);
        }
        for label in &diagnostic.secondary {
            let source = &sources[label.span.file];
            let (line, column) = source.line_column(label.span.start);
            out += &format!("    {}:{line}:{column}: {}\n", source.name, label.text);
        }
        for note in &diagnostic.notes {
            out += &format!("    note: {note}\n");
        }
        if let Some(help) = &diagnostic.help {
            out += &format!("    help: {help}\n");
        }
    }
    out
}

/// Loads a program of several files, the first of which includes the others by name.
fn load_files(files: &[(&str, &str)]) -> (Option<System>, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let (name, text) = files[0];
    let main = sources.push(Source::new(name.into(), text.into()));
    let includes = Language::Rml.format().gather(main, &mut sources, &mut |_, path| {
        let found = files.iter().find(|(name, _)| *name == path);
        let (name, text) = found.ok_or_else(|| Unread::missing("there is no such file"))?;
        Ok(Source::new((*name).into(), (*text).into()))
    });
    let (system, diagnostics) = lang::load(Language::Rml, main, &sources, &includes);
    (system, diagnostics, sources)
}

/// Loads a file and renders its diagnostics.
fn load(text: &str) -> (Option<System>, String) {
    let (system, diagnostics, sources) = load_files(&[("a", text)]);
    (system, render(&sources, &diagnostics))
}

/// Returns the system of a program without errors.
#[track_caller]
fn system(text: &str) -> System {
    let (system, diagnostics) = load(text);
    system.unwrap_or_else(|| panic!("{diagnostics}"))
}

/// Parses `text`, prints it, and checks that the output parses to the same tree and is printed identically.
#[track_caller]
fn assert_round_trip(text: &str) {
    let one = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.push(Source::new("a".into(), text.into()));
        let (program, diagnostics) = ramsey_lang::rml::parse(file, text);
        assert!(diagnostics.is_empty(), "{}\n{text}", render(&sources, &diagnostics));
        program
    };
    let program = one(text);
    let printed = ramsey_lang::print::program(&program);
    let again = one(&printed);
    assert_eq!(program, again, "{text}\n{printed}");
    assert_eq!(printed, ramsey_lang::print::program(&again), "{text}");
}
