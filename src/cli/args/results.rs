//! Options about the form of answers, and about where they go.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum};

use super::shared::{ColorArgs, LanguageArgs, StrictArgs};
use ramsey_report::results::{Form, Results};

/// The form of the answers. (Doc comments on the values would make every help text three times as long.)
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OutputFormat {
    #[default]
    Text,
    Json,
    Sarif,
    Junit,
    Github,
    Gitlab,
}

impl OutputFormat {
    /// Returns the format of pipelines; `None` for text and documents.
    pub(crate) fn form(self) -> Option<Form> {
        match self {
            OutputFormat::Text | OutputFormat::Json => None,
            OutputFormat::Sarif => Some(Form::Sarif),
            OutputFormat::Junit => Some(Form::Junit),
            OutputFormat::Github => Some(Form::Github),
            OutputFormat::Gitlab => Some(Form::Gitlab),
        }
    }
}

/// The form of answers that are no judgements of claims.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum PlainFormat {
    #[default]
    Text,
    Json,
}

impl From<PlainFormat> for OutputFormat {
    fn from(format: PlainFormat) -> Self {
        match format {
            PlainFormat::Text => OutputFormat::Text,
            PlainFormat::Json => OutputFormat::Json,
        }
    }
}

/// A file for the answers, with their form there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReportFile {
    pub(crate) format: OutputFormat,
    pub(crate) path: PathBuf,
}

/// The form of judgements, where they go, and what they are compared with.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ResultArgs {
    /// The form of the answers; json: one document (see spec/); the others: spec/results.md
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    pub(crate) format: OutputFormat,

    /// Write the answers to a file too, in this form (not text); may be repeated
    #[arg(long = "report", value_name = "FORM=FILE", value_parser = report_file, help_heading = "Output")]
    pub(crate) reports: Vec<ReportFile>,

    /// Fail only on what is not in these earlier answers (--format sarif or json), and tell what is gone
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write the execution that is found as a trace of Apalache (ITF); further ones get a number: FILE-2.json
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) itf: Option<PathBuf>,

    /// Where the results go in place of standard output, for a run of several commands.
    #[arg(skip)]
    pub(crate) collector: Option<Collector>,
}

/// Results of a command, for who has run it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector(Arc<Mutex<Option<Results>>>);

impl Collector {
    /// Keeps the results.
    pub(crate) fn put(&self, results: Results) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(results);
    }

    /// Returns the results that were kept.
    pub(crate) fn take(&self) -> Option<Results> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl ResultArgs {
    /// Checks whether answers are told as text on standard output.
    pub(crate) fn is_text(&self) -> bool {
        self.format == OutputFormat::Text && self.collector.is_none()
    }
}

/// What the answers look like, and where they go.
#[derive(Clone, Debug)]
pub(crate) struct How {
    pub(crate) results: ResultArgs,
    pub(crate) color: ColorArgs,
}

impl How {
    /// Returns how answers are given that are no judgements.
    pub(crate) fn plain(format: PlainFormat, color: ColorArgs) -> How {
        How { results: ResultArgs { format: format.into(), ..ResultArgs::default() }, color }
    }

    /// Checks whether a JSON document is asked for.
    pub(crate) fn wants_document(&self) -> bool {
        let mut formats = self.results.reports.iter().map(|it| it.format).chain([self.results.format]);
        formats.any(|format| format == OutputFormat::Json)
    }

    /// Checks whether answers are told as text on standard output.
    pub(crate) fn is_text(&self) -> bool {
        self.results.is_text()
    }
}

/// How a model is read, and what judgements look like.
#[derive(Args, Clone, Debug)]
pub(crate) struct FormArgs {
    #[command(flatten)]
    pub(crate) results: ResultArgs,

    #[command(flatten)]
    pub(crate) strictness: StrictArgs,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

impl FormArgs {
    /// Returns how models are read.
    pub(crate) fn rules(&self) -> (&LanguageArgs, StrictArgs) {
        (&self.language, self.strictness)
    }

    /// Returns the form and the colours of the answers.
    pub(crate) fn how(&self) -> How {
        How { results: self.results.clone(), color: self.color }
    }
}

/// How a model is read, and what answers look like that are no judgements.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlainFormArgs {
    /// The form of the answers; json: one document (see spec/)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    pub(crate) format: PlainFormat,

    #[command(flatten)]
    pub(crate) strictness: StrictArgs,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

impl PlainFormArgs {
    /// Returns how models are read.
    pub(crate) fn rules(&self) -> (&LanguageArgs, StrictArgs) {
        (&self.language, self.strictness)
    }

    /// Returns the form and the colours of the answers.
    pub(crate) fn how(&self) -> How {
        How::plain(self.format, self.color)
    }
}

/// Reads a file for answers: `sarif=ramsey.sarif`.
fn report_file(text: &str) -> Result<ReportFile, String> {
    let forms = "json, sarif, junit, github or gitlab";
    let Some((form, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err(format!("not of the form FORM=FILE, where FORM is {forms}"));
    };
    match OutputFormat::from_str(form, false) {
        Ok(OutputFormat::Text) | Err(_) => Err(format!("`{form}` is no form of a file; there are {forms}")),
        Ok(format) => Ok(ReportFile { format, path: path.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_a_form() {
        let read = report_file("sarif=out/a=b.sarif");
        assert_eq!(read, Ok(ReportFile { format: OutputFormat::Sarif, path: "out/a=b.sarif".into() }));
        for bad in ["sarif", "sarif=", "text=a.txt", "Sarif=a", "=a"] {
            assert!(report_file(bad).is_err_and(|error| error.contains("junit")), "{bad}");
        }
    }
}
