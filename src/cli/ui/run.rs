//! The command `ramsey ui`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::desk::{Desk, Place};
use super::open::open;
use super::server::{Config, serve};
use crate::base::span::Sources;
use crate::cli::args::{LanguageArgs, UiArgs};
use crate::cli::output::{print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::{KnownFiles, display, in_document, read_included, read_text};
use crate::diag::{Code, Diagnostic};
use crate::query::Limits;
use crate::report::Verdict;
use crate::ui::{Loader, Log, replay};

/// Work units of a question of a replay.
const REPLAY_WORK: u64 = 2_000_000_000;

/// Serves the page of a model, or replays a session.
pub(in crate::cli) fn run(args: &UiArgs) -> io::Result<Verdict> {
    let result = match &args.replay {
        Some(path) => replayed(args, path),
        None => interactive(args),
    };
    match result {
        Ok(verdict) => verdict,
        Err(error) => {
            print_diagnostics(&[error], &Sources::new(), stderr_palette(args.color));
            Ok(Verdict::BadInput)
        }
    }
}

/// Returns the loader of the model at `path`.
pub(super) fn loader(language: LanguageArgs, path: &Path) -> Loader {
    let mut known = KnownFiles::default();
    let name = known.name(path);
    let known = Mutex::new(known);
    let read = move |from: &str, path: &str| {
        read_included(from, path, &mut known.lock().unwrap_or_else(PoisonError::into_inner))
    };
    Loader::new(&name, language.of(path), Box::new(read))
}

fn replayed(args: &UiArgs, path: &Path) -> Result<io::Result<Verdict>, Diagnostic> {
    let log = Log::read(&read_text(path)?).map_err(|error| in_document(path, error))?;
    let limits = Limits { work: Some(REPLAY_WORK), ..Limits::default() };
    let document = replay(loader(args.language, &args.model), log, &limits);
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

fn interactive(args: &UiArgs) -> Result<io::Result<Verdict>, Diagnostic> {
    if args.model.as_os_str() == "-" || args.model.is_dir() {
        let what = format!("`{}` is no file with a model", display(&args.model));
        return Err(Diagnostic::error_nowhere(Code::Usage, what));
    }
    let text = read_text(&args.model)?;
    let session = args.session.clone().unwrap_or_else(|| beside(&args.model));
    let place = Place { model: args.model.clone(), session, may_write: args.write };
    let desk =
        Desk::open([loader(args.language, &args.model), loader(args.language, &args.model)], text, place)?;
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
