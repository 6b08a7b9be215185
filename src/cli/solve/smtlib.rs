//! SMT-LIB scripts: commands are carried out as they arrive, and each answer is written at once.

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::certify::{Certified, certify, is_asked, refusal};
use super::input::Input;
use crate::base::span::{Source, Sources};
use crate::cli::args::SolveArgs;
use crate::cli::limits::{Limits, clock};
use crate::cli::output::{Status, print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::{display, unreadable};
use crate::diag::Diagnostic;
use crate::lang::smtlib::{Reader, problem};
use crate::report::smtlib;
use crate::session::{Environment, Response, Session};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Carries out a script. The exit code is that of an error where one was answered, otherwise 0 whatever the answers are.
pub(super) fn run(args: &SolveArgs, mut input: Input<'_>) -> io::Result<u8> {
    let start = Instant::now();
    let palette = stderr_palette(args.color);
    let path = input.path();
    if is_asked(args)
        && let Some(error) = refusal(path)
    {
        print_diagnostics(&[error], &Sources::new(), palette);
        return Ok(Status::BadInput.code());
    }
    let mut script = Vec::new();
    let mut known = Vec::new();
    let mut session = Session::new(environment(args));
    let mut reader = Reader::new();
    let mut out = stdout();
    let mut status = Status::Ok;
    let mut buffer = vec![0; CHUNK];
    // A command that never ends belongs to no check.
    let memory = Limits { query: None, ..super::limits(args) }.probe();
    'script: loop {
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let error = unreadable(path, &error);
                print_diagnostics(&[error], &Sources::new(), palette);
                return Ok(Status::BadInput.code());
            }
        };
        if let Some(exhausted) = memory() {
            writeln!(out, "(error \"the script was not read to its end: {exhausted}\")")?;
            status = Status::BadInput;
            break;
        }
        reader.feed(&buffer[..count]);
        if is_asked(args) {
            script.extend_from_slice(&buffer[..count]);
        }
        while let Some(form) = if count == 0 { reader.finish() } else { reader.next_form() } {
            let response = session.execute(&form);
            match &response {
                Response::Exit => break 'script,
                Response::Error(_) => status = status.max(Status::BadInput),
                Response::Unsat => known.push(Some(true)),
                Response::Sat => known.push(Some(false)),
                Response::Unknown => known.push(None),
                _ => {}
            }
            out.write_all(smtlib::text(&response).as_bytes())?;
            // Who asks over a pipe waits for the answer.
            out.flush()?;
        }
        if count == 0 {
            break;
        }
    }
    if session.is_defect() {
        status = Status::InternalError;
    }
    if args.stats {
        let stats = session.stats();
        let rows = [
            ("checks", stats.checks),
            ("rounds", stats.rounds),
            ("instances", stats.instances),
            ("lemmas", stats.lemmas),
        ];
        for (name, value) in rows {
            writeln!(out, "; {name:<12} {value}")?;
        }
        writeln!(out, "; {:<12} {:.6}", "seconds", start.elapsed().as_secs_f64())?;
    }
    if is_asked(args) && status == Status::Ok {
        match certify_script(args, path, script, &known) {
            Ok(Certified { line, status: certified }) => {
                writeln!(out, "; {line}")?;
                status = status.max(certified);
            }
            Err((error, sources)) => {
                print_diagnostics(&error, &sources, palette);
                status = Status::BadInput;
            }
        }
    }
    out.flush()?;
    Ok(status.code())
}

/// Certifies the answers to a script that was carried out without an error.
fn certify_script(
    args: &SolveArgs,
    path: &Path,
    script: Vec<u8>,
    known: &[Option<bool>],
) -> Result<Certified, (Vec<Diagnostic>, Sources)> {
    let mut sources = Sources::new();
    let text = String::from_utf8(script).unwrap_or_default();
    let file = sources.push(Source { name: display(path), text });
    match problem(file, &sources[file].text) {
        (Some(problem), _) => {
            certify(args, &problem, &sources[file].text, path, known).map_err(|error| (vec![error], sources))
        }
        (None, errors) => Err((errors, sources)),
    }
}

fn environment(args: &SolveArgs) -> Environment {
    let limits = super::limits(args);
    Environment {
        probe: Arc::new(move |milliseconds| {
            let asked = milliseconds.map(Duration::from_millis);
            let query = asked.into_iter().chain(limits.query).min();
            Some(Limits { query, ..limits }.probe())
        }),
        work: args.work,
        seed: args.seed,
        minimal_models: args.minimize,
        clock: args.stats.then_some(clock),
    }
}
