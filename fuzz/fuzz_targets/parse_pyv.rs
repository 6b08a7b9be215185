//! Any text: reading a model never panics, and printing what was read gives an equal model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::diag::Severity;
use ramsey::formulas::Pretty;
use ramsey::lang::{print, pyv};

fuzz_target!(|text: &str| {
    let file = FileId::new(0);
    let (program, diagnostics) = pyv::parse(file, text);
    let (system, _) = pyv::lower(&program, text);
    let printed = print::pyv(&program);
    let (again, more) = pyv::parse(file, &printed);
    assert_eq!(print::pyv(&again), printed, "printing is stable");
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    assert!(more.is_empty(), "what is printed has no syntax errors: {more:?}\n{printed}");
    let Some(system) = system else { return };
    let (same, problems) = pyv::lower(&again, &printed);
    let same = same.unwrap_or_else(|| panic!("{problems:?}\n{printed}"));
    assert_eq!(same.sig.symbols.len(), system.sig.symbols.len());
    assert_eq!(same.transitions.len(), system.transitions.len());
    assert_eq!(same.invariants.len(), system.invariants.len());
    for (before, after) in system.invariants.iter().zip(&same.invariants) {
        let text =
            |system: &ramsey::system::System, formula| Pretty::new(system.syntax(), formula).to_string();
        assert_eq!(text(&system, before.formula), text(&same, after.formula));
    }
});
