//! Command-line interface: arguments, checked configuration, work, exit code, in this order.

mod args;
mod bmc;
mod cache;
mod certify;
mod check;
mod claims;
mod clock;
mod command;
mod completions;
mod config;
mod core;
mod cti;
mod diagram;
mod edit;
mod eval;
mod explain;
mod files;
mod fragment;
mod generalize;
mod infer;
mod init;
mod instance;
mod job;
mod kinds;
mod lemmas;
mod limits;
mod logging;
mod man;
mod mark;
mod mc;
mod memory;
mod opened;
mod output;
mod outputs;
mod patterns;
mod picture;
mod print;
mod progress;
mod results;
mod revision;
mod rocq;
mod select;
mod shared;
mod show;
mod signals;
mod simulate;
mod solve;
mod sources;
mod task;
mod temporary;
mod theorem;
mod threads;
mod trace;
mod typecheck;
mod ui;
mod verify;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use ramsey_report::Verdict;

use ramsey_core::base::span::Sources;
use ramsey_kernel::obligations::Question;

/// Runs the program with these arguments, the first of which is the program name.
///
/// The exit code is that of the verdict, also if standard output is closed early (`ramsey verify .. | head`).
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        signals::end_by_signal_on_abort();
        let _ = writeln!(io::stderr(), "internal error: {panic}\nplease report this with the input");
        temporary::remove_temporary_after_panic();
    }));
    signals::report_file_size();
    memory::watch_address_space();
    let args: Vec<OsString> = args.into_iter().collect();
    let parsed = command::parse(&args);
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version count as success, everything else as a usage error; clap selects the stream.
            let code = if error.use_stderr() { Verdict::BadInput.code() } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    output::allow(&cli.common.allow);
    logging::start(&cli.common.log);
    if let Some((errors, color)) = outputs::misplaced(&cli.command, cli.common.force) {
        output::print_diagnostics(&errors, &Sources::new(), output::stderr_palette(color));
        return ExitCode::from(Verdict::BadInput.code());
    }
    let code = match cli.command {
        args::Command::Verify(args) if args.watch => watch::run(args).map(Verdict::code),
        args::Command::Verify(args) if job::is_meant(&args) => job::run(&args).map(Verdict::code),
        args::Command::Verify(args) => verify::run(&args, &Question::Verify).map(Verdict::code),
        args::Command::Bmc(args) => bmc::run(&args).map(Verdict::code),
        args::Command::Instance(args) => instance::run(&args).map(Verdict::code),
        args::Command::Mc(args) => mc::run(&args).map(Verdict::code),
        args::Command::Cti(args) => cti::run(&args).map(Verdict::code),
        args::Command::Diagram(args) => diagram::run(&args).map(Verdict::code),
        args::Command::Explain(args) => explain::run(&args).map(Verdict::code),
        args::Command::Eval(args) => eval::run(&args).map(Verdict::code),
        args::Command::Generalize(args) => generalize::run(&args).map(Verdict::code),
        args::Command::Infer(args) => infer::run(&args).map(Verdict::code),
        args::Command::Trace(args) => trace::run(&args).map(Verdict::code),
        args::Command::Theorem(args) => theorem::run(args).map(Verdict::code),
        args::Command::Typecheck(args) => typecheck::run(&args).map(Verdict::code),
        args::Command::Fragment(args) => fragment::run(&args).map(Verdict::code),
        args::Command::Simulate(args) => simulate::run(&args).map(Verdict::code),
        args::Command::Check(args) => check::run(&args).map(Verdict::code),
        args::Command::Core(args) => core::run(args),
        args::Command::Print(args) => print::run(&args).map(Verdict::code),
        args::Command::Show(args) => show::run(&args).map(Verdict::code),
        args::Command::Solve(args) => solve::run(&args),
        args::Command::Ui(args) => ui::run(&args).map(Verdict::code),
        args::Command::Task(args) => task::run(args).map(Verdict::code),
        args::Command::Init(args) => init::run(&args).map(Verdict::code),
        args::Command::Man(args) => man::run(&args).map(Verdict::code),
        args::Command::Completions(args) => completions::run(&args).map(Verdict::code),
    };
    signals::end_if_interrupted();
    let failure = match &code {
        Ok(_) => output::lost_output(),
        Err(error) => Some(error),
    };
    let code = code.as_ref().copied().unwrap_or_default();
    ExitCode::from(match failure {
        None => code,
        Some(error) => {
            let _ = writeln!(io::stderr(), "error: cannot write the output: {error}");
            if code == Verdict::InternalError.code() { code } else { Verdict::BadInput.code() }
        }
    })
}
