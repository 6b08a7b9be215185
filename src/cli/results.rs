//! Results of a run in the formats of pipelines: compared with earlier ones, printed, and written to files.

use std::io;
use std::path::Path;

use super::args::{How, OutputFormat, ReportFile, ResultArgs};
use super::files::{check_parents, write_whole};
use super::kinds::Kind;
use super::output::is_shown;
use super::picture::numbered;
use super::sources::{display, read_text};
use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::Diagnostic;
use ramsey_report::json::itf;
use ramsey_report::results::baseline::{self, Baseline};
use ramsey_report::results::{Entry, Results};

impl ResultArgs {
    /// Checks whether answers are needed one by one.
    pub(super) fn wants_entries(&self) -> bool {
        let is_listed = self.format.form().is_some() || self.baseline.is_some() || self.itf.is_some();
        is_listed || self.collector.is_some() || !self.reports.is_empty()
    }

    /// Checks whether the time of each answer is told.
    pub(super) fn wants_times(&self) -> bool {
        let mut formats = self.reports.iter().map(|it| it.format).chain([self.format]);
        formats.any(|format| format == OutputFormat::Junit)
    }

    /// Reads the earlier results, and checks that there is a folder for each file. What is wrong is added to the diagnostics.
    pub(super) fn prepare(
        &self,
        sources: &mut Sources,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Baseline> {
        diagnostics.extend(check_parents([&self.itf]));
        for ReportFile { path, .. } in &self.reports {
            diagnostics.extend(check_parents([&Some(path.clone())]));
        }
        let path = self.baseline.as_deref()?;
        let read = read_text(path).and_then(|text| {
            let file = sources.push(Source::new(display(path), text));
            baseline::read(&sources[file], file)
        });
        read.map_err(|error| diagnostics.push(error)).ok()
    }

    /// Returns the files of the answers, each with the option that names it and the kind of what goes there.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path, Option<Kind>)> {
        let kind = |format| match format {
            OutputFormat::Sarif => Kind::Sarif,
            OutputFormat::Junit => Kind::Junit,
            OutputFormat::Github => Kind::Github,
            OutputFormat::Gitlab => Kind::Gitlab,
            OutputFormat::Json | OutputFormat::Text => Kind::Json,
        };
        let reports = self.reports.iter().map(move |it| ("--report", &*it.path, Some(kind(it.format))));
        reports.chain(self.itf.iter().map(|path| ("--itf", &**path, Some(Kind::Itf))))
    }
}

/// Returns messages about a model as entries, without those that `--allow` silences.
pub(super) fn messages(diagnostics: &[Diagnostic], path: &str, sources: &Sources) -> Vec<Entry> {
    let shown = diagnostics.iter().filter(|it| is_shown(it));
    shown.map(|it| Entry::of_diagnostic(path, it, sources)).collect()
}

/// Prints the results in a format of pipelines, if one is asked for, and writes the files that are asked for. `document` makes the
/// JSON document. Returns the verdict of what could not be written.
pub(super) fn publish(
    how: &How,
    results: &Results,
    document: impl Fn() -> io::Result<String>,
) -> io::Result<Result<(), Diagnostic>> {
    let text = |format: OutputFormat| match format.form() {
        Some(form) => form.text(results),
        None => document(),
    };
    if how.results.format.form().is_some() {
        super::output::print_part(&text(how.results.format)?)?;
    }
    for ReportFile { format, path } in &how.results.reports {
        if let Err(error) = write_whole(path, text(*format)?.as_bytes()) {
            return Ok(Err(error));
        }
    }
    let flows = results.entries.iter().filter_map(|entry| Some((entry, entry.flow.as_ref()?)));
    for (number, (entry, flow)) in flows.enumerate().take_while(|_| how.results.itf.is_some()) {
        let Some(path) = &how.results.itf else { break };
        let text = itf::text(&flow.execution, &flow.symbols, &entry.path, &entry.message)?;
        if let Err(error) = write_whole(&numbered(path, number + 1), text.as_bytes()) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}
