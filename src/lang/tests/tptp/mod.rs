//! Tests of the whole front end, from text to problem or diagnostics.

mod corpus;
mod errors;
mod includes;
mod robustness;
mod semantics;
mod syntax;

use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::Severity;
use ramsey_core::logic::TermId;
use ramsey_lang::tptp::{self, Loaded};
use ramsey_lang::{Format, Unread};
use ramsey_solver::formulas::Pretty;

/// Loads the first of some files and renders its diagnostics: position, code, message, labels.
fn load_files(files: &[(&str, &str)]) -> (Option<Loaded>, String) {
    let source = |&(name, text): &(&str, &str)| Source::new(name.into(), text.into());
    let mut sources = Sources::new();
    let main = sources.push(source(&files[0]));
    let includes = Format::Tptp.gather(main, &mut sources, &mut |_, path| {
        files
            .iter()
            .find(|(name, _)| *name == path)
            .map(source)
            .ok_or_else(|| Unread::missing("there is no such file"))
    });
    let (loaded, diagnostics) = tptp::load(main, &sources, &includes);
    let mut out = String::new();
    for diagnostic in &diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        if let Some(primary) = &diagnostic.primary {
            let source = &sources[primary.span.file];
            if primary.span.file != main {
                out += &format!("{} ", source.name);
            }
            let (line, column) = source.line_column(primary.span.start);
            let slice = &source.text[primary.span.start as usize..primary.span.end as usize];
            out +=
                &format!("{line}:{column} {severity}[{}]: {}\n", diagnostic.code.text(), diagnostic.message);
            let shown: String = slice.lines().next().unwrap_or("").chars().take(60).collect();
            out += &format!("    `{shown}`: {}\n", primary.text);
        } else {
            out += &format!("{severity}[{}]: {}\n", diagnostic.code.text(), diagnostic.message);
        }
        for label in &diagnostic.secondary {
            let (line, column) = sources[label.span.file].line_column(label.span.start);
            out += &format!("    {line}:{column}: {}\n", label.text);
        }
        for note in &diagnostic.notes {
            out += &format!("    note: {note}\n");
        }
        if let Some(help) = &diagnostic.help {
            out += &format!("    help: {help}\n");
        }
    }
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(loaded.is_none(), has_errors, "there is a problem if and only if there is no error: {out}");
    if let Some(loaded) = &loaded {
        check(loaded);
    }
    (loaded, out)
}

/// Loads a file and renders its diagnostics.
fn load(text: &str) -> (Option<Loaded>, String) {
    load_files(&[("main", text)])
}

/// Loads a file without errors.
fn accept(text: &str) -> Loaded {
    let (loaded, diagnostics) = load(text);
    assert_eq!(diagnostics, "", "{text}");
    loaded.expect("a problem")
}

/// Checks properties of every problem: formulas are closed, not too deep, and well-sorted.
fn check(loaded: &Loaded) {
    let problem = &loaded.problem;
    let query = &problem.queries[0];
    assert_eq!(problem.queries.len(), 1);
    let more = query.hypotheses.len() - loaded.hypotheses.len();
    assert!(more <= 1, "one hypothesis about distinct objects at most");
    for &formula in query.hypotheses.iter().chain([&query.goal]) {
        assert!(problem.terms.depth(formula) <= 2_000);
        assert!(problem.terms.free_vars(formula).is_empty());
    }
}

fn print(loaded: &Loaded, formula: TermId) -> String {
    Pretty::new(loaded.problem.syntax(), formula).to_string()
}

/// Returns the hypotheses of a file without errors, in the syntax of `.pyv`.
fn hypotheses(text: &str) -> Vec<String> {
    let loaded = accept(text);
    loaded.problem.queries[0].hypotheses.iter().map(|&formula| print(&loaded, formula)).collect()
}

/// Returns the goal of a file without errors, in the syntax of `.pyv`.
fn goal(text: &str) -> String {
    let loaded = accept(text);
    print(&loaded, loaded.problem.queries[0].goal)
}
