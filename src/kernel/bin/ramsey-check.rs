//! The binary `ramsey-check MODEL CERT`: checks a certificate against a model, or against a closed form.
//!
//! Exit code 0: accepted; 1: rejected; 2: the arguments or the files are not usable.

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::base::text::decode;
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_kernel::check::{Beside, Subject, beside, check, circuit, is_written_so, read_again};
use ramsey_kernel::obligations::with_progress;
use ramsey_lang::{Format, InputKind, Language, Loaded, Unread, aiger, load_with_claim};

/// Returns how the program is used.
fn usage() -> String {
    let models = Language::extensions("or");
    let others = |kind| matches!(kind, InputKind::Problem | InputKind::Circuit);
    let others = Format::extensions(others, "or");
    format!(
        "usage: ramsey-check [-I DIR].. MODEL CERTIFICATE\n\n\
        Checks a certificate of `ramsey verify` or `ramsey solve` against the model ({models}), or the problem or\n\
        circuit ({others}), whose obligations are derived from its text anew. A model in .pyv is read by two fronts,\n\
        which have to agree on its closed form. For a closed form (.core), `ramsey-check-core` does the same with less to trust.\n\
        -I DIR: look for files that a model includes in this folder too.\n\
        Exit code 0: accepted, 1: rejected, 2: unusable arguments or files.\n"
    )
}

/// Arguments or files that cannot be used.
struct Unusable(String);

fn main() -> ExitCode {
    let (mut arguments, mut folders) = (Vec::new(), Vec::new());
    let mut all = std::env::args_os().skip(1);
    while let Some(argument) = all.next() {
        match (argument == "-I").then(|| all.next()) {
            Some(Some(folder)) => folders.push(PathBuf::from(folder)),
            _ => arguments.push(argument),
        }
    }
    // Failures to write are ignored; the exit code gives the verdict.
    match arguments.as_slice() {
        [help] if help == "--help" || help == "-h" => {
            let _ = write!(std::io::stdout(), "{}", usage());
            ExitCode::SUCCESS
        }
        [model, certificate] => match run(model.as_ref(), certificate.as_ref(), &folders) {
            Ok(code) => code,
            Err(Unusable(reason)) => {
                let _ = writeln!(std::io::stderr(), "{reason}");
                ExitCode::from(2)
            }
        },
        _ => {
            let _ = write!(std::io::stderr(), "{}", usage());
            ExitCode::from(2)
        }
    }
}

/// Reads the text of a model, a problem or an included file.
fn read(path: &Path) -> std::io::Result<String> {
    decode(std::fs::read(path)?)
        .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Returns the errors among diagnostics, a line each. `file` is where they are that have no place.
fn errors(diagnostics: &[Diagnostic], file: FileId, sources: &Sources) -> String {
    let mut lines = String::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
        let (source, start) = match &diagnostic.primary {
            Some(label) => (&sources[label.span.file], label.span.start),
            None => (&sources[file], 0),
        };
        let (line, column) = source.line_column(start);
        lines += &format!("{}:{line}:{column}: {}\n", source.name, diagnostic.message);
    }
    lines
}

fn subject(loaded: &Loaded) -> Subject<'_> {
    match loaded {
        Loaded::System(system) => (&**system).into(),
        Loaded::Problem(problem) => problem.into(),
    }
}

fn run(model: &Path, certificate: &Path, folders: &[PathBuf]) -> Result<ExitCode, Unusable> {
    let unreadable = |path: &Path, error| Unusable(format!("{}: cannot be read: {error}", path.display()));
    if Format::of_name(&model.display().to_string()) == Some(Format::Aiger) {
        return run_circuit(model, certificate);
    }
    let text = read(model).map_err(|error| unreadable(model, error))?;
    let name = model.display().to_string();
    let format = Format::of_name(&name).unwrap_or(Format::Pyv);
    let mut sources = Sources::new();
    // Every file has one name, so that it is included once, however its path is written.
    let identity = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut names = vec![(identity(model), name.clone())];
    let file = sources.push(Source::new(name, text));
    let includes = format.gather(file, &mut sources, &mut |from, path| {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let library = format.descriptor().inclusion.and_then(|it| it.library).and_then(std::env::var_os);
        let elsewhere = folders.iter().cloned().chain(library.map(PathBuf::from));
        let mut elsewhere = elsewhere.map(|folder| folder.join(path)).filter(|path| path.exists());
        let path = if beside.exists() { beside } else { elsewhere.next().unwrap_or(beside) };
        let is_missing = !path.exists();
        let text = read(&path).map_err(|error| Unread { reason: error.to_string(), is_missing })?;
        let (identity, name) = (identity(&path), path.display().to_string());
        if let Some((_, known)) = names.iter().find(|(other, _)| *other == identity) {
            return Ok(Source::new(known.clone(), text));
        }
        names.push((identity, name.clone()));
        Ok(Source::new(name, text))
    });
    let (loaded, diagnostics) = format.load(file, &sources, &includes);
    let Some(mut loaded) = loaded else {
        return Err(Unusable(errors(&diagnostics, file, &sources) + "the model has errors"));
    };
    let source = &sources[file];
    let alike = match format {
        Format::Core => is_written_so(subject(&loaded), &source.text).map(|()| None),
        _ => read_again(subject(&loaded), format.descriptor().name, model, &source.text, folders),
    };
    let uncovered = alike.map_err(|reason| Unusable(format!("{}:{reason}", source.name)))?;
    // What is claimed beside the model is added to it. What is no file cannot be read twice.
    let is_file = certificate.is_file();
    let open = || std::fs::File::open(certificate).map_err(|error| unreadable(certificate, error));
    let claimed = if is_file { beside(BufReader::new(open()?)) } else { None };
    if let (Some(Beside::Progress), Loaded::System(system)) = (&claimed, &loaded) {
        let system = with_progress(system).ok_or_else(|| Unusable("the model has no transition".into()))?;
        loaded = Loaded::System(system.into());
    }
    if let (Some(Beside::Formula(text)), Some(language)) = (claimed, format.language()) {
        let claim = sources.push(Source::new("formula of the certificate".into(), text.to_string()));
        let (system, diagnostics) = load_with_claim(language, file, claim, &sources, &includes);
        let Some(system) = system else {
            let reason = errors(&diagnostics, claim, &sources) + "the formula of the certificate has errors";
            return Err(Unusable(reason));
        };
        loaded = Loaded::System(system.into());
    }
    let proof = open()?;
    let mut out = std::io::stdout();
    match check(subject(&loaded), &format.source_text(file, &sources, &includes), BufReader::new(proof)) {
        Ok(summary) => {
            let _ = writeln!(out, "accepted, {}: {summary}", summary.claim);
            if !summary.same_source {
                let _ =
                    writeln!(out, "made from another text of the model; the claim is true of this one too");
            }
            if let Some(what) = uncovered {
                let _ = writeln!(
                    out,
                    "the model was read by one front alone; the second one does not cover {what}"
                );
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(rejection) if rejection.is_unreadable => {
            Err(Unusable(format!("{}: {}", certificate.display(), rejection.reason)))
        }
        Err(rejection) => {
            let _ = writeln!(out, "rejected: {}: {rejection}", certificate.display());
            if rejection.same_source == Some(false) {
                let _ = writeln!(out, "the certificate was made for another text of the model");
            }
            Ok(ExitCode::from(1))
        }
    }
}

/// Checks a certificate about a circuit, whose file is no text.
fn run_circuit(model: &Path, certificate: &Path) -> Result<ExitCode, Unusable> {
    let unreadable = |path: &Path, error| Unusable(format!("{}: cannot be read: {error}", path.display()));
    let bytes = std::fs::read(model).map_err(|error| unreadable(model, error))?;
    let circuit = aiger::parse(&bytes).map_err(|error| {
        Unusable(format!(
            "{}: byte {}: {}\nthe circuit has errors",
            model.display(),
            error.start,
            error.message
        ))
    })?;
    let proof = std::fs::File::open(certificate).map_err(|error| unreadable(certificate, error))?;
    let mut out = std::io::stdout();
    match circuit::check(&circuit, &bytes, BufReader::new(proof)) {
        Ok(summary) => {
            let _ = writeln!(out, "accepted: {summary}");
            if !summary.same_source {
                let _ =
                    writeln!(out, "made from another file of the circuit; the claim is true of this one too");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(rejection) if rejection.is_unreadable => {
            Err(Unusable(format!("{}: {}", certificate.display(), rejection.reason)))
        }
        Err(rejection) => {
            let _ = writeln!(out, "rejected: {}: {rejection}", certificate.display());
            Ok(ExitCode::from(1))
        }
    }
}
