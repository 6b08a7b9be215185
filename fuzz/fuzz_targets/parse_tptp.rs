//! Any text: reading a problem never panics, places of errors are in the text, and formulas are closed and not too deep.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::Severity;
use ramsey::lang::{Format, Unread, tptp};

fuzz_target!(|text: &str| {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("fuzz.p".into(), text.into()));
    let includes = Format::Tptp.gather(file, &mut sources, &mut |_, _| Err(Unread::missing("no files here")));
    let (loaded, diagnostics) = tptp::load(file, &sources, &includes);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(loaded.is_none(), has_errors, "there is a problem if and only if there is no error");
    for label in diagnostics.iter().filter_map(|diagnostic| diagnostic.primary.as_ref()) {
        assert!(text.get(label.span.start as usize..label.span.end as usize).is_some(), "{label:?}");
    }
    let Some(loaded) = loaded else { return };
    let problem = &loaded.problem;
    for query in &problem.queries {
        for &formula in query.hypotheses.iter().chain([&query.goal]) {
            assert!(problem.terms.depth(formula) <= 2_000);
            assert!(problem.terms.free_vars(formula).is_empty());
        }
    }
});
