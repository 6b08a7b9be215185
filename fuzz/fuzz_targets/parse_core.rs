//! Any text: reading a closed form never panics, places of errors are in the text, and what is read the checker reads too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::Severity;
use ramsey::lang::{Format, Includes};

fuzz_target!(|text: &str| {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("fuzz.core".into(), text.into()));
    let (loaded, diagnostics) = Format::Core.load(file, &sources, &Includes::new());
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(loaded.is_none(), has_errors, "something is read if and only if there is no error");
    for label in diagnostics.iter().filter_map(|diagnostic| diagnostic.primary.as_ref()) {
        assert!(text.get(label.span.start as usize..label.span.end as usize).is_some(), "{label:?}");
    }
    if loaded.is_some() {
        assert!(ramsey::checker::Core::read(text).is_ok(), "the checker reads it");
    }
});
