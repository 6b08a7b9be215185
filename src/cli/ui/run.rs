//! The command `ramsey ui`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::desk::{Desk, Place};
use super::open::open;
use super::server::{Config, serve};
use crate::args::{LanguageArgs, StrictArgs, UiArgs};
use crate::output::{print_diagnostics, stderr_palette, stdout};
use crate::picture::read_theme;
use crate::sources::{KnownFiles, display, in_document, read_included, read_source, read_text};
use ramsey_app::{Loader, Log, replay};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::query::Limits;
use ramsey_report::Verdict;
use ramsey_report::picture::Theme;

/// Work units of a question of a replay.
const REPLAY_WORK: u64 = 2_000_000_000;

/// Serves the page of a model, or replays a session.
pub(crate) fn run(args: &UiArgs) -> io::Result<Verdict> {
    let result = match &args.replay {
        Some(path) => replayed(args, path),
        None => interactive(args),
    };
    match result {
        Ok(verdict) => verdict,
        Err(errors) => {
            print_diagnostics(&errors, &Sources::new(), stderr_palette(args.color));
            Ok(Verdict::BadInput)
        }
    }
}

/// Returns the loader of the model at `path`, which judges like `verify` and draws by the theme file beside it.
pub(super) fn loader(
    language: LanguageArgs,
    strictness: StrictArgs,
    path: &Path,
    text: &str,
) -> Result<Loader, Vec<Diagnostic>> {
    let mut known = KnownFiles::default();
    let name = known.name(path);
    let known = Mutex::new(known);
    let read = move |from: &str, path: &str| {
        read_included(from, path, &mut known.lock().unwrap_or_else(PoisonError::into_inner))
    };
    let language = language.of(path);
    let judge = move |system, diagnostics| strictness.judge(language, system, diagnostics);
    let loader = Loader::new(&name, language, Box::new(read)).with_judge(Box::new(judge));
    let theme = match &loader.load(text).system {
        Some(system) => read_theme(&mut Theme::default(), system, path)?,
        None => None,
    };
    Ok(loader.with_theme(theme.unwrap_or_default()))
}

fn replayed(args: &UiArgs, path: &Path) -> Result<io::Result<Verdict>, Vec<Diagnostic>> {
    let log = read_log(path).map_err(|error| vec![error])?;
    let limits = Limits { work: Some(REPLAY_WORK), ..Limits::default() };
    let loader = loader(args.language, args.strictness, &args.model, &log.opening.text)?;
    let document = replay(Arc::new(loader), log, &limits);
    let write = || {
        let text = serde_json::to_string_pretty(&document?)?;
        let mut out = stdout();
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")?;
        out.flush()?;
        Ok(Verdict::Ok)
    };
    Ok(write())
}

/// Reads the log of a session.
pub(super) fn read_log(path: &Path) -> Result<Log, Diagnostic> {
    Log::read(&read_text(path)?).map_err(|error| in_document(path, error))
}

fn interactive(args: &UiArgs) -> Result<io::Result<Verdict>, Vec<Diagnostic>> {
    if args.model.as_os_str() == "-" || args.model.is_dir() {
        let what = format!("`{}` is no file with a model", display(&args.model));
        return Err(vec![Diagnostic::error_nowhere(Code::Usage, what)]);
    }
    let text = read_source(&args.model).map_err(|error| vec![error])?;
    let loader = loader(args.language, args.strictness, &args.model, &text)?;
    let session = args.session.clone().unwrap_or_else(|| beside(&args.model));
    let place = Place { model: args.model.clone(), session, may_write: args.write };
    let desk = Desk::open(loader, text, place).map_err(|error| vec![error])?;
    let config = Config { port: args.port, ..Config::default() };
    let mut announce = |url: &str| {
        let mut out = stdout();
        let _ = writeln!(out, "{url}").and_then(|()| out.flush());
        if !args.no_open {
            open(url, || {
                let _ = writeln!(io::stderr(), "no browser could be started: open the address above");
            });
        }
    };
    Ok(serve(config, Arc::new(desk), &mut announce).map(|()| Verdict::Ok))
}

/// Returns the path of the session of a model.
fn beside(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".session");
    PathBuf::from(name)
}
