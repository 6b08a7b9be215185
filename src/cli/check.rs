//! `ramsey check`: certificate checking.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::args::{CheckArgs, How};
use super::files::{make_folder, replace};
use super::limits;
use super::shared::write_answer;
use super::solve::aiger;
use super::sources::{
    display, load_problem, not_a_model_alone, read_bytes, read_models, subject, unreadable,
};
use ramsey_app::models::{ModelText, Policy};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::compression;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_kernel::check::format::Claim;
use ramsey_kernel::check::{Beside, Closed, beside, check, circuit, is_written_so, read_again};
use ramsey_kernel::obligations::with_progress;
use ramsey_lang::aiger::Circuit;
use ramsey_lang::{Format, Includes, Loaded, load_with_claim};
use ramsey_report::Verdict;
use ramsey_report::alethe;
use ramsey_report::check::Report;
use ramsey_report::json::check::{Accepted, Rejected};
use ramsey_report::render::Shown;

/// What certificates are about.
enum Model {
    /// A model or a problem, with the text that the digest is of.
    Text(Loaded, String),
    /// A circuit, with the bytes of its file.
    Circuit(Circuit, Vec<u8>),
}

/// The answer, as a line and as data.
type Answer = (String, Result<Accepted, Rejected>);

/// Checks a certificate against a model, a problem or a circuit.
pub(super) fn run(args: &CheckArgs) -> io::Result<Verdict> {
    args.limits.clocks(Instant::now()).watch();
    let mut sources = Sources::new();
    let mut uncovered = None;
    let mut program = None;
    let (mut model, mut errors) = read(args, &mut sources, (&mut uncovered, &mut program));
    let count = errors.len();
    let baseline = args.results.prepare(&mut sources, &mut errors);
    model.take_if(|_| errors.len() > count);
    let certificate = File::open(&args.certificate).map_err(|error| unreadable(&args.certificate, &error));
    let answer = match (&model, certificate) {
        (Some(model), Ok(certificate)) => judge(model, BufReader::new(certificate)).map_err(|reason| {
            let what = format!("`{}`: {reason}", args.certificate.display());
            Some(Diagnostic::error_nowhere(Code::Unreadable, what))
        }),
        (_, certificate) => Err(certificate.err()),
    };
    let mut answer = answer.map_err(|error| errors.extend(error)).ok();
    if let (Some((_, Err(_))), Some(program)) = (&answer, &program) {
        errors.extend(of_isolates(program, &sources));
    }
    if let (Some(folder), Some(model), Some((line, Ok(_)))) = (&args.alethe, &model, &mut answer) {
        match write_proofs(folder, model, &args.certificate) {
            Ok(count) => {
                let plural = if count == 1 { "" } else { "s" };
                line.push_str(&format!("\n{count} proof{plural} in `{}`", folder.display()));
            }
            Err(error) => errors.push(error),
        }
    }
    let is_circuit = matches!(model, Some(Model::Circuit(..)));
    let report = Report {
        model: display(&args.model),
        certificate: args.certificate.display().to_string(),
        subject: if is_circuit { "file of the circuit" } else { "text of the model" },
        uncovered,
        answer,
    };
    let out = (Shown::default(), Vec::new(), None);
    let how = How { results: args.results.clone(), color: args.color };
    write_answer(&report, (&display(&args.model), &how, baseline.as_ref()), out, (&errors, 0), &sources)
}

/// Reads the model. Returns errors if there is none. `uncovered` becomes what the second front does not cover of it, and `program`
/// its text if it is a model as a whole.
fn read(
    args: &CheckArgs,
    sources: &mut Sources,
    (uncovered, program): (&mut Option<String>, &mut Option<Arc<ModelText>>),
) -> (Option<Model>, Vec<Diagnostic>) {
    let format = not_a_model_alone(&args.model);
    let (mut loaded, mut text, mut errors) = (None, String::new(), Vec::new());
    let mut place = None;
    match format {
        Some(Format::Aiger) => {
            // An unlimited budget is never exhausted.
            let budget = &mut Budget::unlimited();
            let bytes = read_bytes(&args.model);
            return match bytes.and_then(|bytes| aiger::parse(&args.model, bytes, budget, sources)) {
                Ok(read) => (read.ok().map(|(circuit, bytes)| Model::Circuit(circuit, bytes)), Vec::new()),
                Err(error) => (None, vec![error]),
            };
        }
        Some(format) => {
            (loaded, text, errors) = load_problem(&args.model, format, sources);
            let main = sources.ids().next();
            if let Some(it) = &loaded {
                match read_alike(it, format, &args.model, (sources, &[]), main) {
                    Ok(what) => *uncovered = what,
                    Err(error) => {
                        errors.push(error);
                        loaded = None;
                    }
                }
            }
            let language = format.language();
            place = language.zip(main).map(|(it, file)| (it, file, Includes::new()));
        }
        None => {
            for input in read_models(std::slice::from_ref(&args.model), &args.language, sources) {
                let (system, found) = input.read(&Policy::LENIENT, sources, &mut limits::reading());
                errors.extend(found);
                text = input.source_text(sources).into_owned();
                let read = input.text.as_ref().ok();
                place = read.map(|it| (input.language, it.file(), it.includes().clone()));
                *program = read.cloned();
                let Some(system) = system.map(Loaded::System) else { continue };
                if args.language.isolate.is_some() {
                    (*uncovered, loaded) = (Some("isolates".to_owned()), Some(system));
                    continue;
                }
                let (format, found) = (input.language.format(), (&*sources, &*args.language.folders));
                match read_alike(&system, format, &args.model, found, input.file()) {
                    Ok(what) => (*uncovered, loaded) = (what, Some(system)),
                    Err(error) => errors.push(error),
                }
            }
        }
    }
    // What is claimed beside the model is added to it. What is no file cannot be read twice.
    let is_file = args.certificate.is_file();
    let claimed = File::open(&args.certificate).ok().filter(|_| is_file);
    let claimed = claimed.and_then(|file| beside(BufReader::new(file)));
    match (&loaded, claimed, place) {
        (Some(Loaded::System(system)), Some(Beside::Progress), _) => {
            let system = with_progress(system);
            let none =
                || Diagnostic::error_nowhere(Code::Unreadable, "the model has no transition".to_owned());
            errors.extend(system.is_none().then(none));
            loaded = system.map(|system| Loaded::System(system.into()));
        }
        (Some(Loaded::System(_)), Some(Beside::Formula(text)), Some((language, file, includes))) => {
            let claim = sources.push(Source::new("<formula of the certificate>".into(), text.to_string()));
            let (system, found) = load_with_claim(language, file, claim, sources, &includes);
            errors.extend(found);
            loaded = system.map(|system| Loaded::System(system.into()));
        }
        _ => {}
    }
    errors.retain(|it| it.severity == Severity::Error);
    (loaded.map(|loaded| Model::Text(loaded, text)), errors)
}

/// Returns a warning that the certificate may be about one of the isolates of a program, if it has any.
fn of_isolates(program: &ModelText, sources: &Sources) -> Option<Diagnostic> {
    let parts = program.isolates(sources, &mut limits::reading()).0?;
    let names: Vec<&str> = parts.iter().filter_map(|it| it.isolate()).map(|it| &**it).collect();
    let (last, others) = names.split_last()?;
    let names =
        if others.is_empty() { (*last).to_owned() } else { format!("{} or {last}", others.join(", ")) };
    let what = "this is the whole program, and `verify` certifies its isolates one by one";
    let warning = Diagnostic::warning_nowhere(Code::Usage, what);
    Some(warning.help(format!("`--isolate NAME` checks the certificate of one, where NAME is {names}")))
}

/// Makes sure that the file is read again as it was read, by the second front or as a closed form. Returns what the second
/// front does not cover, if it was read once for this, and otherwise the difference.
fn read_alike(
    loaded: &Loaded,
    format: Format,
    path: &Path,
    (sources, folders): (&Sources, &[PathBuf]),
    file: Option<FileId>,
) -> Result<Option<String>, Diagnostic> {
    let text = file.map_or("", |file| &sources[file].text);
    let alike = match format {
        Format::Core => is_written_so(subject(loaded), text).map(|()| None),
        _ => read_again(subject(loaded), format.descriptor().name, path, text, folders),
    };
    alike.map_err(|reason| {
        Diagnostic::error_nowhere(Code::Unreadable, format!("`{}`:{reason}", path.display()))
    })
}

/// Asks the checker. Returns the reason if the certificate cannot be read.
fn judge(model: &Model, certificate: BufReader<File>) -> Result<Answer, String> {
    match model {
        Model::Text(loaded, text) => match check(subject(loaded), text, certificate) {
            Ok(summary) => Ok((format!("{}, {summary}", summary.claim), Ok(summary.into()))),
            Err(rejection) if rejection.is_unreadable => Err(rejection.reason),
            Err(rejection) => Ok((rejection.to_string(), Err(rejection.into()))),
        },
        Model::Circuit(circuit, bytes) => match circuit::check(circuit, bytes, certificate) {
            Ok(summary) => Ok((summary.to_string(), Ok(summary.into()))),
            Err(rejection) if rejection.is_unreadable => Err(rejection.reason),
            Err(rejection) => Ok((rejection.to_string(), Err(rejection.into()))),
        },
    }
}

/// Writes the proofs of an accepted certificate in the Alethe format to a folder, and returns their number.
fn write_proofs(folder: &Path, model: &Model, certificate: &Path) -> Result<usize, Diagnostic> {
    let cannot =
        |why: &dyn Display| Diagnostic::error_nowhere(Code::Usage, format!("--alethe: no proofs: {why}"));
    let Model::Text(loaded, _) = model else {
        return Err(cannot(&"certificates of circuits have no form in Alethe"));
    };
    let subject = subject(loaded);
    let text = text_of(certificate).map_err(|error| unreadable(certificate, &error))?;
    let claim = text.lines().nth(3).and_then(|line| Claim::parse(subject, line));
    let claim = claim.ok_or_else(|| cannot(&"the certificate has no claim"))?;
    let closed = Closed::new(subject, &claim.question).map_err(|error| cannot(&error))?;
    let files = alethe::files(subject, closed, &text).map_err(|error| cannot(&error))?;
    make_folder(folder)?;
    for file in &files {
        replace(&folder.join(format!("{}.smt2", file.name)), file.problem.as_bytes())?;
        replace(&folder.join(format!("{}.alethe", file.name)), file.proof.as_bytes())?;
    }
    Ok(files.len())
}

/// Returns the text of a certificate.
fn text_of(certificate: &Path) -> io::Result<String> {
    let mut text = String::new();
    compression::open(BufReader::new(File::open(certificate)?))?.read_to_string(&mut text)?;
    Ok(text)
}
