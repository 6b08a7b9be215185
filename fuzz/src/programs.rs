//! What has to hold of a program in any language.

use std::fmt::Debug;

use ramsey::base::span::{FileId, Source, Sources};
use ramsey::diag::{Diagnostic, Severity};
use ramsey::formulas::Pretty;
use ramsey::lang::{self, Language, Unread};
use ramsey::system::System;

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

fn source(language: Language, text: &str) -> (Sources, FileId) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(format!("fuzz.{}", language.extension()), text.into()));
    (sources, file)
}

/// The program's system, and whether it has errors.
fn load(language: Language, text: &str) -> (Option<System>, bool) {
    let (mut sources, file) = source(language, text);
    let includes =
        language.format().gather(file, &mut sources, &mut |_, _| Err(Unread::missing("no files here")));
    let (system, diagnostics) = lang::load(language, file, &sources, &includes);
    (system, has_errors(&diagnostics))
}

/// Reads a text and prints the tree: the printed text is stable, and reads back to the same tree and system.
pub fn read_and_print<T: PartialEq + Debug>(
    language: Language,
    text: &str,
    parse: impl Fn(FileId, &str) -> (T, Vec<Diagnostic>),
    print: impl Fn(&T) -> String,
) {
    let (system, is_broken) = load(language, text);
    assert_eq!(system.is_none(), is_broken, "there is a system if and only if there is no error");
    let (_, file) = source(language, text);
    let (program, diagnostics) = parse(file, text);
    let printed = print(&program);
    let (again, more) = parse(file, &printed);
    assert_eq!(print(&again), printed, "printing is stable");
    if has_errors(&diagnostics) {
        return;
    }
    assert!(more.is_empty(), "what is printed has no syntax errors: {more:?}\n{printed}");
    assert_eq!(program, again, "{printed}");
    let Some(system) = system else { return };
    let (same, _) = load(language, &printed);
    let same = same.unwrap_or_else(|| panic!("{printed}"));
    assert_eq!(same.sig.symbols.len(), system.sig.symbols.len());
    assert_eq!(same.transitions.len(), system.transitions.len());
    for (before, after) in system.transitions.iter().zip(&same.transitions) {
        let text = |system: &System, formula| Pretty::new(system.syntax(), formula).to_string();
        assert_eq!(text(&system, before.body), text(&same, after.body));
    }
}
