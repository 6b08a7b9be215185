//! SMT-LIB scripts: commands are carried out as they arrive, and each answer is written at once.

use std::io::{self, Read as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::input::Input;
use crate::base::span::Sources;
use crate::cli::args::SolveArgs;
use crate::cli::limits::{Limits, clock};
use crate::cli::output::{Status, print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::unreadable;
use crate::lang::smtlib::Reader;
use crate::report::smtlib;
use crate::session::{Environment, Response, Session};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Carries out a script. The exit code is that of an error where one was answered, otherwise 0 whatever the answers are.
pub(super) fn run(args: &SolveArgs, mut input: Input<'_>) -> io::Result<u8> {
    let start = Instant::now();
    let mut session = Session::new(environment(args));
    let mut reader = Reader::new();
    let mut out = stdout();
    let mut status = Status::Ok;
    let mut buffer = vec![0; CHUNK];
    'script: loop {
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let error = unreadable(input.path(), &error);
                print_diagnostics(&[error], &Sources::new(), stderr_palette(args.color));
                return Ok(Status::BadInput.code());
            }
        };
        reader.feed(&buffer[..count]);
        while let Some(form) = if count == 0 { reader.finish() } else { reader.next_form() } {
            let response = session.execute(&form);
            match &response {
                Response::Exit => break 'script,
                Response::Error(_) => status = status.max(Status::BadInput),
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
    out.flush()?;
    Ok(status.code())
}

fn environment(args: &SolveArgs) -> Environment {
    let (timeout, memory) = (args.timeout, args.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)));
    Environment {
        probe: Arc::new(move |milliseconds| {
            let asked = milliseconds.map(Duration::from_millis);
            let query = asked.into_iter().chain(timeout).min();
            let limits = Limits { query, deadline: None, memory };
            limits.factory().map(|make| make())
        }),
        work: args.work,
        seed: args.seed,
        minimal_models: args.minimize,
        clock: args.stats.then_some(clock),
    }
}
