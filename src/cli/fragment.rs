//! `ramsey fragment`

use std::io::{self, Write as _};

use super::args::FragmentArgs;
use super::output::{Status, print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::sources::read_models;
use crate::base::span::Sources;
use crate::diag::Severity;
use crate::query::fragment;
use crate::report::fragment::{diagnostics, summary};
use crate::vc::Obligations;

/// Tells for each obligation whether it lies in stratified EPR.
pub(super) fn run(args: &FragmentArgs) -> io::Result<Status> {
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, args.language, &mut sources);
    let palette = stderr_palette(args.color);
    let mut status = Status::Ok;
    for input in inputs {
        let (system, found) = input.load(&sources);
        let (system, mut found) = args.strictness.enforce(input.language, system, found);
        status = status.max(Status::of_diagnostics(&found));
        if let Some(system) = system {
            let memberships = fragment(&system, &Obligations::new(&system));
            let outside: Vec<_> =
                memberships.iter().filter_map(|(origin, cycle)| Some((*origin, cycle.as_deref()?))).collect();
            if !outside.is_empty() {
                status = status.max(Status::Counterexample);
            }
            found.extend(diagnostics(&system, outside, Severity::Warning));
            let mut out = stdout();
            let name = stdout_palette(args.color).bold(&input.name);
            write!(out, "{name}\n{}", summary(&system, &memberships))?;
            out.flush()?;
        }
        print_diagnostics(&found, &sources, palette);
    }
    Ok(status)
}
