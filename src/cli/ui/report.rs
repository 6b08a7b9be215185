//! The page in one file, without a server: what `--html` writes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::assets::asset;
use super::bundle;
use super::run::models;
use crate::args::{ColorArgs, ReportArgs};
use crate::files::write_whole;
use crate::output::{print_diagnostics, stderr_palette};
use crate::select::named;
use crate::sources::Part;
use data_encoding::{BASE64, HEXLOWER};
use ramsey_app::models::{Model, Policy};
use ramsey_app::{Command, Entry, Executions, Findings, Session, report};
use ramsey_core::base::digest::sha256;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::Limits;
use ramsey_kernel::obligations::Property;
use ramsey_report::{Tally, Verdict};

/// What a command has done, for its report.
pub(crate) struct Subject<'a> {
    /// The model's file.
    pub(crate) path: &'a Path,
    /// Folders in which included files are looked for.
    pub(crate) folders: &'a [PathBuf],
    /// The model that the answers are about.
    pub(crate) model: Arc<Model>,
    /// Lemmas that were found and are no part of the model.
    pub(crate) lemmas: Vec<String>,
    /// What was found.
    pub(crate) findings: Findings<'a>,
    /// The limits of the command.
    pub(crate) limits: Limits,
}

/// Writes the report of a command that has read its input, if it is asked for. Returns the verdict with that of the
/// report.
pub(crate) fn with_report<'a>(
    report: &ReportArgs,
    color: ColorArgs,
    verdict: Verdict,
    subject: impl FnOnce() -> Option<Subject<'a>>,
) -> Verdict {
    let Some(path) = report.html.as_ref().filter(|_| verdict != Verdict::BadInput) else { return verdict };
    let Some(subject) = subject() else { return verdict };
    match write_report(path, subject) {
        Ok(()) => verdict,
        Err(errors) => {
            print_diagnostics(&errors, &Sources::new(), stderr_palette(color));
            verdict.max(Verdict::BadInput)
        }
    }
}

/// Writes the page of a model with the answers that it shows into one file.
fn write_report(path: &Path, subject: Subject<'_>) -> Result<(), Vec<Diagnostic>> {
    let refuse = |what: String| vec![Diagnostic::error_nowhere(Code::Usage, format!("--html: {what}"))];
    if subject.path.as_os_str() == "-" || subject.path.is_dir() {
        return Err(refuse(
            "a report is about one model in a file, or one isolate of it (`--isolate NAME`)".to_owned(),
        ));
    }
    let (language, text) = (subject.model.language(), subject.model.text());
    // The command has judged the model.
    let part = Part { isolate: subject.model.isolate(), folders: subject.folders.into() };
    let models = models(language, part, Policy::LENIENT, subject.path, text)?;
    let mut session = Session::of_model(Arc::new(models), subject.model);
    for formula in subject.lemmas {
        let add = Command::Add { formula, name: None, from: Some("inference".to_owned()) };
        session
            .enter(Entry::Command(add))
            .map_err(|why| refuse(format!("a lemma could not be added: {why}")))?;
    }
    let data = serde_json::to_string(&report(&session, &subject.findings, &subject.limits))
        .map_err(|error| refuse(error.to_string()))?;
    let script =
        bundle::script().map_err(|line| refuse(format!("the page has an unexpected line: {line}")))?;
    write_whole(path, page(&data, &script).as_bytes()).map_err(|error| vec![error])
}

/// Returns the answer of a command about obligations in one line.
pub(crate) fn told_of_obligations(tally: Tally) -> String {
    let total = tally.total();
    match tally {
        Tally { failed: 0, unknown: 0, skipped: 0, internal: 0, .. } => match total {
            0 => "the model claims nothing".to_owned(),
            _ => format!("inductive, {total} hold"),
        },
        Tally { ok, failed: 0, internal: 0, .. } => format!("{} of {total} unknown", total - ok),
        Tally { failed: 1, .. } => format!("1 of {total} fails"),
        Tally { failed, internal: 0, .. } => format!("{failed} of {total} fail"),
        Tally { internal, .. } => format!("{internal} of {total} internal errors"),
    }
}

/// Returns what a bounded check of properties looks for: the named claims, a formula, or the safety properties.
pub(crate) fn executions_of(system: &System, depth: u16, properties: &[String]) -> Executions {
    let asked = properties.iter().flat_map(|text| named(system, text));
    let found: Vec<Property> = if properties.is_empty() { Property::safety(system) } else { asked.collect() };
    let formula = properties.iter().find(|text| named(system, text).is_empty()).cloned();
    let claims = found.into_iter().map(|property| property.label(system).to_owned()).collect();
    Executions { depth, claims, formula }
}

/// Returns the page with its style sheets, its script and the answers in it.
fn page(data: &str, script: &str) -> String {
    let text = |path: &str| asset(path).map_or("", |asset| (asset.text)());
    let styles = format!("<style>\n{}\n{}</style>", text("/picture.css"), text("/app.css"));
    // A `<` in the answers would end the element.
    let data = data.replace('<', "\\u003c");
    let data = format!("<script type=\"application/json\" id=\"answers\">{data}</script>");
    // Nothing but this script is executed, whatever is written in the answers.
    let script = format!("\n{script}");
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        base64_digest(&script)
    );
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    text("/")
        .replace("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">\n{policy}"))
        .replace("<link rel=\"stylesheet\" href=\"/picture.css\">\n", "")
        .replace("<link rel=\"stylesheet\" href=\"/app.css\">", &styles)
        .replace("<script type=\"module\" src=\"/app.js\"></script>\n", "")
        .replace("</body>", &format!("{data}\n<script>{script}</script>\n</body>"))
}

/// Returns the SHA-256 of a text in Base64, as policies name it.
fn base64_digest(text: &str) -> String {
    let digest = HEXLOWER.decode(sha256(text).as_bytes()).expect("a digest in hexadecimal digits");
    BASE64.encode(&digest)
}

#[cfg(test)]
mod tests {
    use super::base64_digest;

    #[test]
    fn digests_are_those_of_the_standard() {
        // The first example of FIPS 180-4, and nothing at all.
        let examples = [
            ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
            ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
        ];
        for (text, wanted) in examples {
            assert_eq!(base64_digest(text), wanted);
        }
    }
}
