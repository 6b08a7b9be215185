//! `ramsey theorem`: theorems of models.

use super::args::TheoremArgs;
use std::io;

use super::args::{ReportArgs, VerifyArgs};
use super::verify;
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;

/// Checks the theorems of every model.
pub(super) fn run(args: TheoremArgs) -> io::Result<Verdict> {
    let TheoremArgs { paths, jobs, strict, pictures, limits, cache, answer } = args;
    let args = VerifyArgs {
        pictures,
        report: ReportArgs::default(),
        paths,
        config: None,
        watch: false,
        found: Vec::new(),
        jobs,
        check_transition: Vec::new(),
        check_invariant: Vec::new(),
        inductive: false,
        safety_only: false,
        all: true,
        whole: false,
        strict,
        lint: false,
        compress: false,
        certify: answer.certify,
        export: None,
        rocq: answer.rocq,
        limits,
        cache,
        seed: answer.seed,
        no_minimize: answer.no_minimize,
        stats: answer.stats,
        cores: false,
        print_negative_tuples: answer.print_negative_tuples,
        verbose: false,
        quiet: answer.quiet,
        form: answer.form,
    };
    verify::run(&args, &Question::Theorems)
}
