//! Tests of the whole front end, from text to system or diagnostics.

mod corpus;
mod dialect;
mod lowering;
mod newcomers;
mod printing;
mod robustness;
mod statics;
mod syntax;

use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, line_column};
use ramsey_core::diag::{Diagnostic, Severity};

/// The only file of a test.
fn file() -> FileId {
    FileId::new(0)
}

/// Renders diagnostics as text: position, code, message, labels.
fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        if let Some(primary) = &diagnostic.primary {
            let (line, column) = line_column(text, primary.span.start as usize);
            let slice = &text[primary.span.start as usize..primary.span.end as usize];
            out += &format!("{line}:{column} ");
            out += &format!("{severity}[{}]: {}\n", diagnostic.code.text(), diagnostic.message);
            out += &format!("    `{}`: {}\n", slice.lines().next().unwrap_or(""), primary.text);
        } else {
            out += &format!("{severity}[{}]: {}\n", diagnostic.code.text(), diagnostic.message);
        }
        for label in &diagnostic.secondary {
            let (line, column) = line_column(text, label.span.start as usize);
            out += &format!("    {line}:{column}: {}\n", label.text);
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

/// Loads a file and renders its diagnostics.
fn load(text: &str) -> (Option<ramsey_core::system::System>, String) {
    let (system, diagnostics) = ramsey_lang::pyv::load(file(), text);
    (system, render(text, &diagnostics))
}

/// Parses `text`, prints it, and checks that the output parses to the same tree and is printed identically.
fn assert_round_trip(text: &str, name: &str) {
    let (program, diagnostics) = ramsey_lang::pyv::parse(file(), text);
    assert!(diagnostics.is_empty(), "{name}: {}", render(text, &diagnostics));
    let printed = ramsey_lang::print::pyv(&program);
    let (again, diagnostics) = ramsey_lang::pyv::parse(file(), &printed);
    assert!(diagnostics.is_empty(), "{name}: {}\n{printed}", render(&printed, &diagnostics));
    assert_eq!(program, again, "{name}:\n{printed}");
    assert_eq!(printed, ramsey_lang::print::pyv(&again), "{name}");
}
