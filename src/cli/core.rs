//! `ramsey core`: models and problems in closed form, written and read.

use std::io;

use super::args::{
    CacheArgs, CoreArgs, FormArgs, LimitArgs, PictureArgs, ProofFormat, ReportArgs, ResultArgs, RunLimitArgs,
    SearchLimitArgs, SolveArgs, StrictArgs, VerifyArgs,
};
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::{display, format_of, load_problem, not_a_model_alone, read_one_model, subject};
use super::{limits, solve, verify};
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_kernel::check::{Closed, is_written_so};
use ramsey_kernel::core::{Unsupported, document};
use ramsey_kernel::obligations::Question;
use ramsey_lang::{Format, Loaded};
use ramsey_report::Verdict;

/// Prints the closed form of the file, or the errors that prevent reading it; or answers what a closed form claims. Returns the
/// exit code.
pub(super) fn run(args: CoreArgs) -> io::Result<u8> {
    if args.read {
        return answer(args);
    }
    let mut sources = Sources::new();
    let (loaded, mut found) = match not_a_model_alone(&args.path) {
        Some(format) => {
            let (loaded, _, found) = load_problem(&args.path, format, &mut sources);
            (loaded, found)
        }
        None => {
            let input = read_one_model(&args.path, &args.language, &mut sources);
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
    Ok(Verdict::of_diagnostics(&found).code())
}

/// Returns the closed form of what `verify` shows of a model, or of all queries of a problem.
fn closed_form(loaded: &Loaded) -> Result<String, Unsupported> {
    Ok(document(&Closed::new(subject(loaded), &Question::Verify)?.lowering.core))
}

/// Answers what a closed form claims: as `verify` does, or as `solve` if it has queries.
fn answer(args: CoreArgs) -> io::Result<u8> {
    let mut sources = Sources::new();
    let name = display(&args.path);
    let refused = if format_of(&args.path) != Some(Format::Core) {
        let what = format!("--read: `{name}` is no file of a closed form, by its name");
        let help = "the closed form of a model is written by `ramsey core MODEL > FILE.core`";
        Some(Diagnostic::error_nowhere(Code::Usage, what).help(help))
    } else {
        None
    };
    let loaded =
        if refused.is_none() { load_problem(&args.path, Format::Core, &mut sources).0 } else { None };
    let written = loaded.as_ref().map(|loaded| {
        let text = sources.iter().next().map_or("", |source| source.text.as_str());
        is_written_so(subject(loaded), text)
    });
    let differs = written
        .and_then(Result::err)
        .map(|reason| Diagnostic::error_nowhere(Code::Syntax, format!("`{name}`:{reason}")));
    if let Some(error) = refused.or(differs) {
        print_diagnostics(&[error], &sources, stderr_palette(args.color));
        return Ok(Verdict::BadInput.code());
    }
    if let Some(Loaded::Problem(_)) = loaded {
        return solve::run(&solving(args));
    }
    // What cannot be read is reported by who reads it again.
    verify::run(&verifying(args), &Question::Verify).map(Verdict::code)
}

fn unlimited() -> LimitArgs {
    LimitArgs { timeout: None, work: None, run: RunLimitArgs::default() }
}

fn verifying(args: CoreArgs) -> VerifyArgs {
    let CoreArgs { path, language, color, certify, rocq, all, format, quiet, read: _ } = args;
    VerifyArgs {
        config: None,
        watch: false,
        found: Vec::new(),
        paths: vec![path],
        jobs: None,
        check_transition: Vec::new(),
        check_invariant: Vec::new(),
        safety_only: false,
        all,
        whole: true,
        inductive: true,
        strict: false,
        lint: false,
        certify,
        compress: false,
        export: None,
        rocq,
        limits: SearchLimitArgs { limits: unlimited(), unlimited: false },
        cache: CacheArgs { no_cache: true, ..CacheArgs::default() },
        seed: 0,
        no_minimize: false,
        stats: false,
        cores: false,
        print_negative_tuples: false,
        verbose: false,
        quiet,
        report: ReportArgs::default(),
        pictures: PictureArgs::default(),
        form: FormArgs {
            results: ResultArgs { format: format.into(), ..ResultArgs::default() },
            strictness: StrictArgs { no_strict: false },
            language,
            color,
        },
    }
}

fn solving(args: CoreArgs) -> SolveArgs {
    let CoreArgs { path, color, certify, rocq, format, quiet, .. } = args;
    SolveArgs {
        path: Some(path),
        interactive: false,
        input: None,
        limits: unlimited(),
        seed: 0,
        proof: None,
        proof_format: ProofFormat::default(),
        binary_proof: false,
        certify,
        export: None,
        rocq,
        minimize: false,
        format,
        quiet,
        stats: false,
        color,
    }
}
