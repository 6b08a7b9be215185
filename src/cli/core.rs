//! `ramsey core`: models in closed form.

use std::io;

use super::args::CoreArgs;
use super::limits;
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::read_one_model;
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_kernel::core::{Lowering, document};
use ramsey_kernel::obligations::Obligations;
use ramsey_report::Verdict;

/// Prints the closed form of the model, or the errors that prevent reading it.
pub(super) fn run(args: &CoreArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let input = read_one_model(&args.path, args.language, &mut sources);
    let (system, mut found) = input.read(&Policy::LENIENT, &sources, &mut limits::reading());
    let lowered = system.map(|system| Lowering::new(&system, Obligations::new(&system).syntax_mut()));
    let text = match lowered {
        Some(Ok(lowering)) => Some(document(&lowering.core)),
        Some(Err(unsupported)) => {
            found.push(Diagnostic::error_nowhere(Code::Usage, format!("`{}`: {unsupported}", input.name)));
            None
        }
        None => None,
    };
    print_diagnostics(&found, &sources, stderr_palette(args.color));
    if let Some(text) = text {
        print_part(&text)?;
    }
    Ok(Verdict::of_diagnostics(&found))
}
