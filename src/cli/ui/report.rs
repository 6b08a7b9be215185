//! The page in one file, without a server: what `--html` writes.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::assets::asset;
use super::bundle;
use super::run::loader;
use crate::base::digest::sha256;
use crate::base::span::Sources;
use crate::cli::args::{
    BmcArgs, ColorArgs, CtiArgs, InferArgs, LanguageArgs, ReportArgs, StrictArgs, VerifyArgs,
};
use crate::cli::files::write_whole;
use crate::cli::output::{print_diagnostics, stderr_palette};
use crate::cli::select::named;
use crate::cli::sources::read_source;
use crate::diag::{Code, Diagnostic};
use crate::query::Limits;
use crate::report::Verdict;
use crate::system::System;
use crate::ui::{Command, Entry, Executions, Session, report};
use crate::vc::Property;

/// Work units of each question of a report.
const WORK: u64 = 500_000_000;

/// What a report is about.
#[derive(Debug)]
struct Subject<'a> {
    /// The model's file.
    model: &'a Path,
    /// The language of a model from standard input.
    language: LanguageArgs,
    /// Claims to be added to those of the model.
    lemmas: &'a [String],
    /// Number of steps of executions to look for, and the properties that they are to violate.
    bounded: Option<(u16, &'a [String])>,
}

/// Writes the report of a verification, if it is asked for.
pub(in crate::cli) fn report_of_verify(
    args: &VerifyArgs,
    verdict: io::Result<Verdict>,
) -> io::Result<Verdict> {
    let subject = |model| Subject { model, language: args.language, lemmas: &[], bounded: None };
    match args.paths.as_slice() {
        [model] => after(&args.report, subject(model), args.color, verdict),
        // The reason is told where the file is not to be written.
        _ => after(&args.report, subject(Path::new("-")), args.color, verdict),
    }
}

/// Writes the report of a bounded check, if it is asked for.
pub(in crate::cli) fn report_of_bmc(args: &BmcArgs, verdict: io::Result<Verdict>) -> io::Result<Verdict> {
    let (language, bounded) = (args.answer.language, Some((args.depth, args.property.as_slice())));
    let subject = Subject { model: &args.path, language, lemmas: &[], bounded };
    after(&args.report, subject, args.answer.color, verdict)
}

/// Writes the report of a search for counterexamples to induction, if it is asked for.
pub(in crate::cli) fn report_of_cti(args: &CtiArgs, verdict: io::Result<Verdict>) -> io::Result<Verdict> {
    let subject = Subject { model: &args.model, language: args.language, lemmas: &[], bounded: None };
    after(&args.report, subject, args.color, verdict)
}

/// Writes the report of an inference with the lemmas that it found, if it is asked for.
pub(in crate::cli) fn report_of_infer(
    args: &InferArgs,
    lemmas: &[String],
    verdict: io::Result<Verdict>,
) -> io::Result<Verdict> {
    let subject = Subject { model: &args.path, language: args.language, lemmas, bounded: None };
    after(&args.report, subject, args.color, verdict)
}

/// Writes a report after a command that read its input, and returns the verdict with that of the report.
fn after(
    report: &ReportArgs,
    subject: Subject<'_>,
    color: ColorArgs,
    verdict: io::Result<Verdict>,
) -> io::Result<Verdict> {
    let verdict = verdict?;
    let Some(path) = report.html.as_ref().filter(|_| verdict != Verdict::BadInput) else {
        return Ok(verdict);
    };
    match write_report(path, &subject) {
        Ok(()) => Ok(verdict),
        Err(errors) => {
            print_diagnostics(&errors, &Sources::new(), stderr_palette(color));
            Ok(verdict.max(Verdict::BadInput))
        }
    }
}

/// Writes the page of a model with the answers that it shows into one file.
fn write_report(path: &Path, subject: &Subject<'_>) -> Result<(), Vec<Diagnostic>> {
    let refuse = |what: String| vec![Diagnostic::error_nowhere(Code::Usage, format!("--html: {what}"))];
    if subject.model.as_os_str() == "-" || subject.model.is_dir() {
        return Err(refuse("a report is about one model in a file".to_owned()));
    }
    let text = read_source(subject.model).map_err(|error| vec![error])?;
    // The command has judged the model.
    let loader = loader(subject.language, StrictArgs::LENIENT, subject.model, &text)?;
    let mut session = Session::new(Arc::new(loader), &text);
    for formula in subject.lemmas {
        let from = Some("inference".to_owned());
        let add = Command::Add { formula: formula.clone(), name: None, from };
        session
            .enter(Entry::Command(add))
            .map_err(|why| refuse(format!("a lemma could not be added: {why}")))?;
    }
    let limits = Limits { work: Some(WORK), ..Limits::default() };
    let system = session.state().model.system.as_deref();
    let executions = subject.bounded.zip(system);
    let executions = executions.map(|((depth, properties), system)| executions_of(system, depth, properties));
    let data = report(&session, executions.as_ref(), &limits).map_err(|error| refuse(error.to_string()))?;
    let script =
        bundle::script().map_err(|line| refuse(format!("the page has an unexpected line: {line}")))?;
    write_whole(path, page(&data.to_string(), &script).as_bytes()).map_err(|error| vec![error])
}

/// Returns what a bounded check of properties looks for: the named claims, a formula, or the safety properties.
fn executions_of(system: &System, depth: u16, properties: &[String]) -> Executions {
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
        base64_of_hex(&sha256(&script))
    );
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    text("/")
        .replace("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">\n{policy}"))
        .replace("<link rel=\"stylesheet\" href=\"/picture.css\">\n", "")
        .replace("<link rel=\"stylesheet\" href=\"/app.css\">", &styles)
        .replace("<script type=\"module\" src=\"/app.js\"></script>\n", "")
        .replace("</body>", &format!("{data}\n<script>{script}</script>\n</body>"))
}

/// Returns bytes written as hexadecimal digits in Base64 (RFC 4648).
fn base64_of_hex(hex: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    // Three bytes are six hexadecimal digits, and four of Base64.
    let mut out = String::new();
    for group in digits.chunks(6) {
        let value = (0..6).fold(0, |value, at| value << 4 | group.get(at).copied().unwrap_or(0));
        let used = (group.len() * 4).div_ceil(6);
        for at in 0..4 {
            let digit = DIGITS[(value >> (18 - 6 * at) & 63) as usize];
            out.push(if at < used { digit.into() } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64_of_hex;

    #[test]
    fn base64_is_that_of_the_standard() {
        // The examples of RFC 4648, section 10.
        let examples =
            [("", ""), ("66", "Zg=="), ("666f", "Zm8="), ("666f6f", "Zm9v"), ("666f6f626172", "Zm9vYmFy")];
        for (hex, wanted) in examples {
            assert_eq!(base64_of_hex(hex), wanted);
        }
    }
}
