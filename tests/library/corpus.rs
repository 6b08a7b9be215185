//! Verdicts on a corpus of real models, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::skip::skipped;
use ramsey::base::ids::Id as _;
use ramsey::base::span::FileId;
use ramsey::diag::{Code, Severity};
use ramsey::lang::pyv;
use ramsey::logic::Evaluator;
use ramsey::obligations::Origin;
use ramsey::query::{Limits, Options, Outcome, Plan};
use ramsey::system::System;

fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let models = folder.join("pyv");
    if models.join("expected.tsv").is_file() {
        return Some(models);
    }
    skipped(format_args!("no corpus of models at {} (set RAMSEY_CORPUS)", models.display()));
    None
}

/// Returns the rows of a table, without its header.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).expect("a table");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn action(system: &System, origin: Origin) -> Option<(String, String)> {
    match origin {
        Origin::Initiation { invariant } => {
            Some(("init".to_owned(), system.invariants[invariant].label.clone()))
        }
        Origin::Consecution { transition, invariant } => {
            Some((system.transitions[transition].name.clone(), system.invariants[invariant].label.clone()))
        }
        _ => None,
    }
}

#[test]
fn verdicts_are_as_expected() {
    let Some(corpus) = corpus() else { return };
    let expected = rows(&corpus.join("expected.tsv"));
    let mut models: Vec<&str> = expected.iter().map(|row| row[0].as_str()).collect();
    models.dedup();
    let (mut compared, mut failing) = (0, 0);
    for model in models {
        let text = fs::read_to_string(corpus.join(model)).expect("a model");
        let (system, diagnostics) = pyv::load(FileId::new(0), &text);
        let rows: Vec<&Vec<String>> = expected.iter().filter(|row| row[0] == model).collect();
        if rows.iter().any(|row| row[3].starts_with("outside")) {
            assert!(system.is_none(), "{model} uses arithmetic");
            assert!(diagnostics.iter().any(|it| it.code == Code::OutsideLogic), "{model}: {diagnostics:?}");
            continue;
        }
        assert!(diagnostics.iter().all(|it| it.severity != Severity::Error), "{model}: {diagnostics:?}");
        let system = Arc::new(system.expect("no error"));
        let options = Options { all: true, ..Options::default() };
        let verification = Plan::new(Arc::clone(&system), options).run(&Limits::default());
        for result in &verification.results {
            let Some((action, label)) = action(&system, result.origin) else {
                assert!(matches!(result.outcome, Outcome::Holds { .. }), "{model}: {:?}", result.origin);
                continue;
            };
            let row = rows.iter().find(|row| row[1] == action && row[2] == label);
            let want = row.map_or("?", |row| row[3].as_str());
            match (&result.outcome, want) {
                (Outcome::Holds { .. }, "holds" | "?") => {}
                (Outcome::Fails(counterexample), "fails" | "?") => {
                    failing += 1;
                    // The counterexample is evaluated once more, from outside.
                    let obligations = &verification.obligations;
                    let (group, goal) = obligations
                        .groups
                        .iter()
                        .flat_map(|group| group.goals.iter().map(move |goal| (group, goal)))
                        .find(|(_, goal)| goal.origin == result.origin)
                        .expect("the obligation");
                    let structure = &counterexample.structure;
                    let mut eval = Evaluator::new(obligations.syntax(), structure);
                    assert!(group.hypotheses.iter().all(|hypothesis| eval.holds(hypothesis.formula)));
                    assert!(!eval.holds(goal.formula));
                }
                (outcome, want) => panic!("{model} {action} {label}: expected {want}, got {outcome:?}"),
            }
            compared += usize::from(row.is_some());
        }
        let missing = rows.iter().find(|row| {
            !verification
                .results
                .iter()
                .any(|result| action(&system, result.origin).is_some_and(|(a, i)| a == row[1] && i == row[2]))
        });
        assert!(missing.is_none(), "{model}: nobody answered {missing:?}");
    }
    assert!(compared > 1000 && failing > 0, "{compared} verdicts compared, {failing} counterexamples");
}
