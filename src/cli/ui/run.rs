//! The command `ramsey ui`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::desk::{Desk, Place};
use super::open::open;
use super::server::{Config, serve};
use crate::args::UiArgs;
use crate::output::{print_diagnostics, stderr_palette, stdout};
use crate::picture::read_theme;
use crate::sources::{Part, display, in_document, models_at, read_source, read_text};
use ramsey_app::models::{Database, Insistence, Methods, Policy};
use ramsey_app::{Log, replay};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::query::Limits;
use ramsey_kernel::obligations::Question;
use ramsey_lang::Language;
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

/// Returns the models that may stand at `path`, whose pictures are drawn by the theme file beside it. `text` is that of the
/// one which is there.
pub(super) fn models(
    language: Language,
    part: Part,
    policy: Policy,
    path: &Path,
    text: &str,
) -> Result<Database, Vec<Diagnostic>> {
    let models = models_at(path, language, part, policy);
    let theme = match &models.load(text).system {
        Some(system) => read_theme(&mut Theme::default(), system, path)?,
        None => None,
    };
    Ok(models.with_theme(theme.unwrap_or_default()))
}

/// Returns the models of a session, which keep the rules that `verify` asks of them.
fn models_of(args: &UiArgs, text: &str) -> Result<Database, Vec<Diagnostic>> {
    let fragment = Some((Question::Verify, Insistence::Promised));
    let policy = Policy { fragment, is_exact: true, methods: Methods::Told, ..args.strictness.into() };
    models(args.language.of(&args.model), args.language.part(), policy, &args.model, text)
}

fn replayed(args: &UiArgs, path: &Path) -> Result<io::Result<Verdict>, Vec<Diagnostic>> {
    let log = read_log(path).map_err(|error| vec![error])?;
    let limits = Limits { work: Some(REPLAY_WORK), ..Limits::default() };
    let models = models_of(args, &log.opening.text)?;
    let document = replay(Arc::new(models), log, &limits);
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
    if args.language.of(&args.model) == Language::Core {
        let what = format!("`{}` is a closed form, which nobody changes by hand", display(&args.model));
        let error = Diagnostic::error_nowhere(Code::Usage, what);
        return Err(vec![error.help("`ramsey ui` takes the model that it was made from")]);
    }
    let text = read_source(&args.model).map_err(|error| vec![error])?;
    let models = models_of(args, &text)?;
    let session = args.session.clone().unwrap_or_else(|| beside(&args.model));
    let place = Place { model: args.model.clone(), session, may_write: args.write };
    let desk = Desk::open(models, text, place).map_err(|error| vec![error])?;
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
