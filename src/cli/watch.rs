//! `ramsey verify --watch`: verification again of what has changed.
//!
//! Files are looked at again and again, which needs nothing of the system, works on all file systems, and costs little for as
//! many files as models are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use super::args::VerifyArgs;
use super::output::print_part;
use super::sources::{display, read_models, read_models_of};
use super::{config, job, signals, verify};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Sources;
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// What is seen of a file without reading it; `None` if it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// What is watched: the files of each model, and those that concern all models.
#[derive(PartialEq, Eq, Debug, Default)]
struct Watched {
    /// The files of each model: its own, and those that it includes.
    models: Vec<(PathBuf, Vec<PathBuf>)>,
    /// The configuration.
    common: Vec<PathBuf>,
}

/// Verifies, and then what changes, until the process is interrupted.
pub(super) fn run(mut args: VerifyArgs) -> io::Result<Verdict> {
    let (paths, named) = (args.paths.clone(), args.config.clone());
    signals::end_with_summary();
    let mut is_first = true;
    loop {
        let watched = Watched::new(&paths, &args, named.as_deref());
        let stamps = watched.stamps();
        if is_first {
            answer(&args)?;
            is_first = false;
        }
        print_part("watching; Ctrl-C ends\n")?;
        let changed = loop {
            sleep(PAUSE);
            signals::end_if_interrupted();
            // What is written in several parts is looked at again once it is whole.
            let now = Watched::new(&paths, &args, named.as_deref());
            let changed = now.changed(&stamps, &watched);
            if !changed.is_empty() || now.is_changed_as_a_whole(&stamps) {
                sleep(PAUSE);
                break if now.is_changed_as_a_whole(&stamps) { Vec::new() } else { changed };
            }
        };
        signals::end_if_interrupted();
        let names: Vec<String> = changed.iter().map(|path| display(path)).collect();
        print_part(&format!(
            "\nchanged: {}\n",
            if names.is_empty() { "all".to_owned() } else { names.join(", ") }
        ))?;
        if changed.is_empty() {
            (args.paths, args.config) = (paths.clone(), named.clone());
        } else {
            args.config = if job::is_meant(&args) { named.clone().or_else(config::find) } else { None };
            args.paths = changed;
        }
        answer(&args)?;
        (args.paths, args.config) = (paths.clone(), named.clone());
    }
}

fn answer(args: &VerifyArgs) -> io::Result<Verdict> {
    if job::is_meant(args) { job::run(args) } else { verify::run(args, &Question::Verify) }
}

impl Watched {
    /// Returns what is to be watched for these arguments.
    fn new(paths: &[PathBuf], args: &VerifyArgs, named: Option<&Path>) -> Watched {
        let mut sources = Sources::new();
        let config = if job::is_meant(args) { named.map(Path::to_owned).or_else(config::find) } else { None };
        let Some(config) = config else {
            let inputs = read_models(paths, &args.form.language, &mut sources);
            return Watched { models: files(inputs, &sources), common: Vec::new() };
        };
        let mut language = args.form.language.clone();
        let mut models = Vec::new();
        // What is wrong with the configuration is told by the run.
        if let Ok(found) = config::read(&config, &mut sources) {
            language.folders.extend(found.include().unwrap_or_default());
            let tasks = found.tasks(paths, &mut sources).unwrap_or_default();
            let mut seen = Set::default();
            let targets = tasks.into_iter().flat_map(|task| task.models).map(|it| it.path);
            let targets: Vec<PathBuf> = targets.filter(|path| seen.insert(path.clone())).collect();
            // Parts of models are models here, so that a change of one is a change of what includes it.
            let mut sources = Sources::new();
            models = files(read_models_of((&targets, &[]), &language, &mut sources), &sources);
        }
        Watched { models, common: vec![config] }
    }

    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.models.iter().flat_map(|(_, files)| files).chain(&self.common)
    }

    fn stamps(&self) -> Map<PathBuf, Stamp> {
        self.files().map(|path| (path.clone(), stamp(path))).collect()
    }

    /// Returns whether what concerns all models has changed.
    fn is_changed_as_a_whole(&self, stamps: &Map<PathBuf, Stamp>) -> bool {
        self.common.iter().any(|path| stamps.get(path) != Some(&stamp(path)))
    }

    /// Returns whether another model includes this one.
    fn has_part(&self, path: &PathBuf) -> bool {
        self.models.iter().any(|(model, files)| model != path && files.contains(path))
    }

    /// Returns the models that have changed, directly or in what they include, and those that are new, also because nothing includes them
    /// any more.
    fn changed(&self, stamps: &Map<PathBuf, Stamp>, before: &Watched) -> Vec<PathBuf> {
        let is_changed = |path: &PathBuf| stamps.get(path) != Some(&stamp(path));
        let models = self.models.iter().filter(|(model, files)| {
            let known = before.models.iter().find(|(known, _)| known == model);
            known.is_none_or(|(_, known)| known != files)
                || files.iter().any(is_changed)
                || before.has_part(model) && !self.has_part(model)
        });
        // A model that is gone is told as such where it was named.
        models.map(|(model, _)| model.clone()).collect()
    }
}

/// Returns the files of each model that was read.
fn files(inputs: Vec<super::sources::Input>, sources: &Sources) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let of = |input: super::sources::Input| {
        let mut files = vec![PathBuf::from(&input.name)];
        if let Ok(text) = &input.text {
            let included = text.includes().files().filter_map(|file| sources.get(file));
            files.extend(included.map(|source| PathBuf::from(&source.name)));
        }
        files.extend(input.parts.iter().map(PathBuf::from));
        files.sort();
        files.dedup();
        (PathBuf::from(&input.name), files)
    };
    inputs.into_iter().map(of).collect()
}

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
