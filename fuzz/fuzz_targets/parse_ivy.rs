//! Any text: reading a program never panics, and printing what was read gives an equal program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::budget::Budget;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::Severity;
use ramsey::forms::Pretty;
use ramsey::lang::{self, Language, ivy, print};
use ramsey::system::System;

/// The program's system, and whether it has errors.
fn load(text: &str) -> (Option<System>, bool) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("fuzz.ivy".into(), text.into()));
    let includes = Language::Ivy.format().gather(file, &mut sources, &mut |_, _| Err("no files here".into()));
    let (system, diagnostics) = lang::load(Language::Ivy, file, &sources, &includes);
    (system, diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error))
}

fuzz_target!(|text: &str| {
    let (system, has_errors) = load(text);
    assert_eq!(system.is_none(), has_errors, "there is a system if and only if there is no error");
    let mut sources = Sources::new();
    let file = sources.push(Source::new("fuzz.ivy".into(), text.into()));
    let parse = |text: &str| ivy::parse_within(file, text, &mut Budget::unlimited()).expect("no limit");
    let (program, diagnostics) = parse(text);
    let printed = print::ivy(&program);
    let (again, more) = parse(&printed);
    assert_eq!(print::ivy(&again), printed, "printing is stable");
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    assert!(more.is_empty(), "what is printed has no syntax errors: {more:?}\n{printed}");
    assert_eq!(program, again, "{printed}");
    let Some(system) = system else { return };
    let (same, _) = load(&printed);
    let same = same.unwrap_or_else(|| panic!("{printed}"));
    assert_eq!(same.sig.symbols.len(), system.sig.symbols.len());
    assert_eq!(same.transitions.len(), system.transitions.len());
    for (before, after) in system.transitions.iter().zip(&same.transitions) {
        let text = |system: &System, formula| Pretty::new(system.syntax(), formula).to_string();
        assert_eq!(text(&system, before.body), text(&same, after.body));
    }
});
