//! `ramsey core`: models and problems in closed form.

use std::io;

use super::args::CoreArgs;
use super::limits;
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::{load_problem, read_one_model};
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_kernel::check::Closed;
use ramsey_kernel::core::{Unsupported, document};
use ramsey_kernel::obligations::Question;
use ramsey_lang::{Format, Loaded};
use ramsey_report::Verdict;

/// Prints the closed form of the file, or the errors that prevent reading it.
pub(super) fn run(args: &CoreArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let format = Format::of_name(&args.path.to_string_lossy()).filter(|it| it.language().is_none());
    let (loaded, mut found) = match format {
        Some(format) => {
            let (loaded, _, found) = load_problem(&args.path, format, &mut sources);
            (loaded, found)
        }
        None => {
            let input = read_one_model(&args.path, args.language, &mut sources);
            let (system, found) = input.read(&Policy::LENIENT, &sources, &mut limits::reading());
            (system.map(Loaded::System), found)
        }
    };
    let text = loaded.as_ref().map(closed_form).transpose();
    if let Err(unsupported) = &text {
        let message = format!("`{}`: {unsupported}", args.path.display());
        found.push(Diagnostic::error_nowhere(Code::Usage, message));
    }
    print_diagnostics(&found, &sources, stderr_palette(args.color));
    if let Ok(Some(text)) = text {
        print_part(&text)?;
    }
    Ok(Verdict::of_diagnostics(&found))
}

/// Returns the closed form of what `verify` shows of a model, or of all queries of a problem.
fn closed_form(loaded: &Loaded) -> Result<String, Unsupported> {
    let closed = match loaded {
        Loaded::System(system) => Closed::new(system, &Question::Verify)?,
        Loaded::Problem(problem) => {
            Closed::new(problem, &Question::Queries((0..problem.queries.len()).collect()))?
        }
    };
    Ok(document(&closed.lowering.core))
}
