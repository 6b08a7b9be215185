//! Output of certificates and exports, after the checker has accepted them.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::args::VerifyArgs;
use super::files::{make_folder, replace, write_whole};
use super::shared::Model;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::elaborate::{Accepted, Certificate, Rejected};
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{self, Bmc, Target};
use ramsey_engine::query::certify::of_depths;
use ramsey_kernel::check::Summary;
use ramsey_kernel::check::format::obligation;
use ramsey_kernel::obligations::{Origin, Subject};
use ramsey_lang::FormulaKind;
use ramsey_report::json::dto;

/// Returns the error that there is no certificate.
pub(super) fn no_certificate(rejected: &Rejected) -> Diagnostic {
    let what = if rejected.is_defect { "internal error: " } else { "" };
    Diagnostic::error_nowhere(Code::Usage, format!("{what}{}", rejected.message))
}

/// Writes a certificate of a verification to `path`.
pub(super) fn write_certificate(
    path: &Path,
    accepted: &Accepted,
    compressed: bool,
) -> Result<dto::Certificate, Diagnostic> {
    write_whole(path, &accepted.bytes)?;
    let Summary { proofs, counterexamples, steps, .. } = accepted.summary;
    Ok(dto::Certificate {
        path: path.display().to_string(),
        proofs,
        counterexamples,
        steps,
        text_bytes: accepted.size,
        file_bytes: accepted.bytes.len(),
        compressed,
    })
}

/// Checks whether certificates are to be compressed.
pub(super) fn is_compressed(args: &VerifyArgs, single: bool) -> bool {
    args.compress || single && args.certify.as_deref().is_some_and(names_gzip)
}

/// Checks whether a file of this name is to be compressed.
pub(super) fn names_gzip(path: &Path) -> bool {
    !path.is_dir() && path.extension().is_some_and(|extension| extension == "gz")
}

/// Writes a certificate to a file, and returns a line about it.
pub(super) fn write_accepted(accepted: &Accepted, path: &Path) -> Result<String, Diagnostic> {
    write_whole(path, &accepted.bytes)?;
    Ok(format!("  certificate {}: {}\n", path.display(), accepted.summary))
}

/// Writes a certificate that a formula in the language of a model, given with a number of steps and the seed of the search, holds in all states that are
/// reached in at most so many steps. Returns a line about it; `None` if a limit ends the search.
///
/// # Errors
/// The formula is none in the language of the model, it does not hold, or the file cannot be written.
pub(super) fn certify_formula(
    model: &mut Model,
    (text, depth, seed): (&str, u16, u64),
    limits: &Limits,
    path: &Path,
    sources: &mut Sources,
) -> Result<Option<String>, Diagnostic> {
    let Some((system, formula)) = model.with_formula("<formula>", text, FormulaKind::Claim, sources) else {
        // What is wrong with it is among the diagnostics.
        return Ok(None);
    };
    // The formula is the last source.
    let Some(file) = sources.ids().next_back() else { return Ok(None) };
    let span = Span { file, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    let system = Arc::new(system.with_claim(text, formula, span));
    match certify_beside(&system, (depth, seed), limits, &model.source_text(sources), path)? {
        Beside::Written(line) => Ok(Some(line)),
        Beside::Unknown => Ok(None),
        Beside::Violated => {
            let what = "internal error: two searches disagree about the formula";
            Err(Diagnostic::error_nowhere(Code::Usage, what))
        }
    }
}

/// What became of a certificate of a claim beside a model.
pub(super) enum Beside {
    /// It is written, with a line about it.
    Written(String),
    /// The claim does not hold.
    Violated,
    /// A limit ends the search.
    Unknown,
}

/// Writes a certificate that the last invariant of a system, which is claimed beside its source, holds in all states that are reached in at most so
/// many steps, given with the seed of the search.
///
/// # Errors
/// There is no certificate, or the file cannot be written.
pub(super) fn certify_beside(
    system: &Arc<System>,
    (depth, seed): (u16, u64),
    limits: &Limits,
    source: &str,
    path: &Path,
) -> Result<Beside, Diagnostic> {
    let targets: Vec<Target> =
        system.invariants.last().map(|it| Target::Formula(it.formula)).into_iter().collect();
    let options = bmc::Options { certify: true, seed, ..bmc::Options::new(targets.clone(), depth) };
    let mut bmc = Bmc::new(Arc::clone(system), options);
    let mut depths = Vec::new();
    while let Some(depth) = bmc.advance(limits) {
        depths.push(depth);
    }
    if let Some(bmc::Outcome::Violated(_)) = depths.last().map(|depth| &depth.outcome) {
        return Ok(Beside::Violated);
    }
    match of_depths(system, source, (depth, false), &targets, &mut depths, names_gzip(path)) {
        Ok(Some(accepted)) => write_accepted(&accepted, path).map(Beside::Written),
        Ok(None) => Ok(Beside::Unknown),
        Err(rejected) => Err(no_certificate(&rejected)),
    }
}

/// Returns the path of a model's certificate: `out` itself for a single model, unless that is a directory. A missing
/// directory is created.
pub(super) fn certificate_path(
    out: &Path,
    model: &str,
    single: bool,
    compressed: bool,
) -> Result<PathBuf, Diagnostic> {
    if single && !out.is_dir() {
        return Ok(out.to_owned());
    }
    make_folder(out)?;
    Ok(out.join(file_name(model, if compressed { "cert.gz" } else { "cert" })))
}

/// Returns a file name derived from a model's path. It is not hidden, contains no path separator, and is distinct for
/// distinct paths: `_` stands for a separator and `__` for itself, and every other special character is enclosed in
/// `+`.
pub(super) fn file_name(model: &str, extension: &str) -> String {
    let stem = model.strip_suffix(".pyv").filter(|stem| !stem.ends_with(".rml")).unwrap_or(model);
    let parts = Path::new(stem).components().filter(|part| *part != Component::CurDir);
    let parts: Vec<Cow<'_, str>> = parts
        .map(|part| match part {
            Component::RootDir => "".into(),
            part => part.as_os_str().to_string_lossy(),
        })
        .collect();
    let mut name = String::new();
    for (at, part) in parts.iter().enumerate() {
        match at.checked_sub(1).map(|before| &parts[before]) {
            None => {}
            Some(before) if before.ends_with('_') || part.starts_with('_') => name.push_str("+2f+"),
            Some(_) => name.push('_'),
        }
        if part == ".." {
            name.push_str("+up+");
            continue;
        }
        for c in part.chars() {
            match c {
                '_' => name.push_str("__"),
                '.' if name.is_empty() => name.push_str("+2e+"),
                c if c.is_alphanumeric() || "-.".contains(c) => name.push(c),
                c => name.push_str(&format!("+{:x}+", u32::from(c))),
            }
        }
    }
    format!("{name}.{extension}")
}

/// Writes the proofs of a file's obligations for other checkers, three files per obligation.
pub(super) fn export<'a>(
    folder: &Path,
    subject: Subject<'_>,
    model: &str,
    certificates: impl IntoIterator<Item = (Origin, Option<&'a Certificate>)>,
) -> Result<(), Diagnostic> {
    let folder = export_folder(folder, model)?;
    for (origin, certificate) in certificates {
        let Some(Certificate::Proof(_, Some(export))) = certificate else { continue };
        let name = obligation(subject, origin);
        let name = name.trim_start_matches("obligation ").replace(' ', "-");
        replace(&folder.join(format!("{name}.smt2")), export.smtlib.as_bytes())?;
        replace(&folder.join(format!("{name}.cnf")), export.dimacs.as_bytes())?;
        replace(&folder.join(format!("{name}.lrat")), export.lrat.as_bytes())?;
    }
    Ok(())
}

/// Makes the folder for what is written about a file for other checkers, in this one.
pub(crate) fn export_folder(folder: &Path, model: &str) -> Result<PathBuf, Diagnostic> {
    make_folder(folder)?;
    let folder = folder.join(file_name(model, "export"));
    make_folder(&folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::file_name;
    use ramsey_core::base::hash::Set;

    #[test]
    fn names_tell_paths_apart_and_are_not_hidden() {
        assert_eq!(file_name("models/lock.pyv", "cert"), "models_lock.cert");
        assert_eq!(file_name("./leader_election.rml", "cert"), "leader__election.rml.cert");
        assert_eq!(file_name("../ok.pyv", "cert"), "+up+_ok.cert");
        assert_eq!(file_name("/home/ok.pyv", "cert"), "_home_ok.cert");
        let parts = ["a", "_", "a_", "_a", "..", "a.rml", ".a", "2f", "20", "+", "a b", "up", "-"];
        let mut paths: Vec<String> = Vec::new();
        for first in parts {
            paths.extend([format!("{first}.pyv"), format!("/{first}.pyv"), format!("{first}.rml")]);
            for second in parts {
                let both = format!("{first}/{second}");
                paths.extend([format!("{both}.pyv"), format!("{both}.rml"), format!("/{both}.pyv")]);
                paths.extend(parts.map(|third| format!("{both}/{third}.pyv")));
            }
        }
        paths.retain(|path| !path.ends_with("...pyv") && !path.ends_with("...rml"));
        let names: Set<String> = paths.iter().map(|path| file_name(path, "cert")).collect();
        assert_eq!(names.len(), paths.len());
        assert!(names.iter().all(|name| !name.starts_with('.') && !name.contains('/')), "{names:?}");
    }
}
