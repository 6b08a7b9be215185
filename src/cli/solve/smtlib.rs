//! SMT-LIB scripts: commands are executed as they arrive, and each answer is written at once.

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::certify::{Certified, certified, certify, is_asked, refusal};
use super::input::Input;
use super::sink::Sink;
use crate::args::SolveArgs;
use crate::clock::clock;
use crate::limits::ClockLimits;
use crate::signals;
use crate::sources::{display, source_text, unreadable};
use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::Diagnostic;
use ramsey_lang::smtlib::{Reader, problem};
use ramsey_report::Verdict;
use ramsey_report::json::solve::Answer;
use ramsey_report::smtlib;
use ramsey_services::script::{Environment, Response, Session};

/// Number of bytes per read.
const CHUNK: usize = 1 << 16;

/// Executes a script. The exit code is that of an error if any command reported one, otherwise 0 whatever the answers
/// are.
pub(super) fn run(args: &SolveArgs, mut input: Input<'_>, mut sink: Sink<'_>) -> io::Result<u8> {
    let path = input.path();
    if is_asked(args)
        && let Some(error) = refusal(args, path)
    {
        sink.complain(&[error], &Sources::new());
        return sink.end(Verdict::BadInput);
    }
    let mut script = Vec::new();
    let mut known = Vec::new();
    let mut session = Session::new(environment(args));
    let mut reader = Reader::new();
    let mut verdict = Verdict::Ok;
    let mut buffer = vec![0; CHUNK];
    // Reading is not part of a check, so the time limit of queries does not apply.
    let memory = ClockLimits { query: None, ..super::setup::limits(args) }.probe();
    'script: loop {
        sink.progress.clear();
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                sink.complain(&[unreadable(path, &error)], &Sources::new());
                return sink.end(Verdict::BadInput);
            }
        };
        if let Some(exhausted) = memory() {
            let response = Response::Error(format!("the script was not read to its end: {exhausted}"));
            say(&mut sink, &response, 0, None)?;
            verdict = Verdict::BadInput;
            break;
        }
        reader.feed(&buffer[..count]);
        if is_asked(args) {
            script.extend_from_slice(&buffer[..count]);
        }
        while let Some(form) = if count == 0 { reader.finish() } else { reader.next_form() } {
            sink.progress.say(|| format!("line {}", form.line));
            let response = session.execute(&form);
            match &response {
                Response::Exit => break 'script,
                Response::Error(_) => verdict = verdict.max(Verdict::BadInput),
                Response::Unsat => known.push(Some(true)),
                Response::Sat => known.push(Some(false)),
                Response::Unknown => known.push(None),
                _ => {}
            }
            say(&mut sink, &response, form.line, session.reason())?;
            if signals::is_interrupted() {
                break 'script;
            }
        }
        if count == 0 {
            break;
        }
    }
    if session.is_defect() {
        verdict = Verdict::InternalError;
    }
    let stats = session.stats();
    let answered = |answer| known.iter().filter(|&&known| known == answer).count() as u64;
    let mut rows: Vec<(&str, u64)> = stats.printed().collect();
    if signals::is_interrupted() {
        rows = vec![
            ("sat", answered(Some(false))),
            ("unsat", answered(Some(true))),
            ("unknown", answered(None)),
        ];
    }
    sink.stats(";", &rows)?;
    if is_asked(args) && verdict == Verdict::Ok && !signals::is_interrupted() {
        match certify_script(args, path, script, &known) {
            Ok(Certified { line, verdict: of_certificate }) => {
                sink.certified(";", line)?;
                verdict = verdict.max(of_certificate);
            }
            Err((error, sources)) => {
                sink.complain(&error, &sources);
                verdict = Verdict::BadInput;
            }
        }
    }
    sink.end(verdict)
}

/// Writes the answer to the command at `line`.
fn say(sink: &mut Sink<'_>, response: &Response, line: usize, reason: Option<String>) -> io::Result<()> {
    sink.say(
        |out| out.write_all(smtlib::text(response).as_bytes()),
        || Answer::of_response(response, line, reason),
    )
}

/// Certifies the answers to a script that was executed without an error.
fn certify_script(
    args: &SolveArgs,
    path: &Path,
    script: Vec<u8>,
    known: &[Option<bool>],
) -> Result<Certified, (Vec<Diagnostic>, Sources)> {
    let mut sources = Sources::new();
    let text = match source_text(path, script) {
        Ok(text) => text,
        Err(error) => return Err((vec![error], sources)),
    };
    let file = sources.push(Source::new(display(path), text));
    match problem(file, &sources[file].text) {
        (Some(problem), _) => {
            let subject = (&problem, sources[file].text.as_str(), path);
            certify(args, subject, certified(args, &problem), known).map_err(|error| (vec![error], sources))
        }
        (None, errors) => Err((errors, sources)),
    }
}

fn environment(args: &SolveArgs) -> Environment {
    let limits = super::setup::limits(args);
    Environment {
        probe: Arc::new(move |milliseconds| {
            let asked = milliseconds.map(Duration::from_millis);
            let query = asked.into_iter().chain(limits.query).min();
            Some(ClockLimits { query, ..limits }.probe())
        }),
        work: args.limits.work,
        seed: args.seed,
        minimal_models: args.minimize,
        clock: args.stats.then_some(clock),
    }
}
