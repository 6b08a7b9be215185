//! Model checking of a corpus of circuits, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus. Circuits are
//! compressed, so the program `xz` has to be there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::common::effort::is_long;
use crate::common::skip::skipped;
use ramsey::base::budget::Budget;
use ramsey::check::circuit;
use ramsey::hwmc::{Options, Outcome, certificate, check};
use ramsey::lang::aiger::{Circuit, parse};

/// Recorded seconds of another tool beyond which a circuit is checked only if RAMSEY_TESTS is `long`.
const LONG: f64 = 1.0;

fn corpus() -> Option<PathBuf> {
    let root = env::var_os("RAMSEY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from);
    let folder = root.join("aig");
    if folder.join("expected.tsv").is_file() {
        return Some(folder);
    }
    skipped(format_args!("no corpus of circuits at {} (set RAMSEY_CORPUS)", folder.display()));
    None
}

/// Returns the circuit in a file, or in the file with `.xz` at the end of its name.
fn read(path: &Path) -> Option<(Circuit, Vec<u8>)> {
    let bytes = if path.is_file() {
        fs::read(path).expect("a circuit")
    } else {
        let packed = path.with_extension("aig.xz");
        match Command::new("xz").arg("-dc").arg(&packed).output() {
            Ok(output) if output.status.success() => output.stdout,
            _ => {
                skipped(format_args!("{}: no program `xz`", packed.display()));
                return None;
            }
        }
    };
    Some((parse(&bytes).unwrap_or_else(|error| panic!("{}: {error:?}", path.display())), bytes))
}

#[test]
fn circuits_of_the_corpus_have_their_answers() {
    let Some(folder) = corpus() else { return };
    let table = fs::read_to_string(folder.join("expected.tsv")).expect("a table");
    for row in table.lines().skip(1) {
        let [name, expected, seconds] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let seconds: f64 = seconds.trim_start_matches("<=").parse().expect("seconds");
        if seconds > LONG && !is_long() {
            continue;
        }
        let Some((circuit, bytes)) = read(&folder.join(name)) else { return };
        let options = Options::default();
        let (outcome, _) =
            check(&(&circuit).into(), 0, &options, &mut Budget::unlimited()).expect("a property");
        assert_eq!(matches!(outcome, Outcome::Safe(_)), expected == "proved", "{name}");
        let text =
            certificate(&circuit, &bytes, &[outcome], &mut Budget::unlimited()).expect("a certificate");
        let summary = circuit::check(&circuit, &bytes, text.as_slice());
        assert!(summary.as_ref().is_ok_and(|summary| summary.same_source), "{name}: {summary:?}");
    }
}
