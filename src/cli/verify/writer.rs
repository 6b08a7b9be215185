//! Output of `ramsey verify`.

use std::io::{self, Write as _};
use std::time::Instant;

use super::model::Model;
use crate::args::{How, OutputFormat, VerifyArgs};
use crate::output::{
    diagnostics_dto, is_shown, print_diagnostics, print_part, stderr_palette, stdout, stdout_palette,
};
use crate::results::{messages, publish};
use crate::shared::told;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::cache;
use ramsey_engine::query::Verification;
use ramsey_kernel::obligations::Question;
use ramsey_report::checked::{Checked, Place};
use ramsey_report::finding::Numbers;
use ramsey_report::json::{self, Content as _, Document, Head, JsonStyle, dto};
use ramsey_report::listing::Listing;
use ramsey_report::render::Shown;
use ramsey_report::results::baseline::Baseline;
use ramsey_report::results::{Comparison, Context, Entry, Results, of_verification};
use ramsey_report::verify::{
    TextStyle, brief_text, cache_text, failures_text, file_text, nothing_text, parts_text, stats_text,
    summary_text,
};
use ramsey_report::{Palette, Tally, Verdict, unknown};
use ramsey_solver::ask::Statistics;

/// Writes the answers as they come, in the order of the files.
pub(super) struct Writer<'a> {
    args: &'a VerifyArgs,
    sources: &'a Sources,
    start: Instant,
    palette: Palette,
    pub(super) style: TextStyle,
    verdict: Verdict,
    tally: Tally,
    statistics: Statistics,
    models: usize,
    /// Warnings about trace blocks, printed once after the answers.
    traces: Vec<Diagnostic>,
    /// The command.
    command: &'static str,
    how: How,
    /// Answers of an earlier run, if they are to be compared.
    baseline: Option<Baseline>,
    /// What documents say of the files, if one is asked for.
    files: Vec<dto::File>,
    /// Answers one by one, if they are needed.
    entries: Vec<Entry>,
    /// Files that are looked at as parts of models.
    parts: Vec<String>,
    usage: Vec<Diagnostic>,
    /// Reasons for which obligations have no answer.
    exhausted: Vec<Exhausted>,
    /// What the cache was good for, if there is one.
    cache: Option<cache::Tally>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        (args, question): (&'a VerifyArgs, &Question),
        sources: &'a Sources,
        models: usize,
        baseline: Option<Baseline>,
        start: Instant,
    ) -> Self {
        let palette = stdout_palette(args.form.color);
        let style = TextStyle {
            palette,
            verbose: args.verbose,
            quiet: args.quiet,
            brief: models > 1,
            negative: args.print_negative_tuples,
            stats: args.stats,
            cores: args.cores,
        };
        Writer {
            args,
            sources,
            start,
            palette,
            style,
            verdict: Verdict::Ok,
            tally: Tally::default(),
            statistics: Statistics::default(),
            models,
            traces: Vec::new(),
            command: if *question == Question::Theorems { "theorem" } else { dto::VerifyContent::command() },
            how: args.form.how(),
            baseline,
            files: Vec::new(),
            entries: Vec::new(),
            parts: Vec::new(),
            usage: Vec::new(),
            exhausted: Vec::new(),
            cache: None,
        }
    }

    /// Takes note of the files that are looked at as parts of these models.
    pub(super) fn parts(&mut self, models: &[Model]) {
        let read = models.iter().filter(|model| model.system.is_some());
        self.parts = read.flat_map(|model| model.parts.iter().cloned()).collect();
    }

    /// Checks whether answers are printed group by group. Certification may revoke answers.
    pub(super) fn streams(&self) -> bool {
        let VerifyArgs { quiet, certify, export, .. } = self.args;
        self.how.is_text() && !quiet && certify.is_none() && export.is_none()
    }

    /// Prints the known diagnostics of a model before the search.
    pub(super) fn before_search(&mut self, model: &mut Model) {
        if self.how.is_text() {
            let is_of_traces = |it: &Diagnostic| it.code == Code::TraceElsewhere;
            let shown = model.diagnostics.iter().filter(|it| is_shown(it)).cloned();
            let (traces, others): (Vec<_>, Vec<_>) = shown.partition(is_of_traces);
            self.traces.extend(traces);
            print_diagnostics(&others, self.sources, stderr_palette(self.args.form.color));
        }
        model.printed = model.diagnostics.len();
    }

    /// Reports arguments that do not fit the models.
    pub(super) fn usage(&mut self, errors: Vec<Diagnostic>) {
        self.verdict = Verdict::BadInput;
        if self.how.is_text() {
            print_diagnostics(&errors, self.sources, stderr_palette(self.args.form.color));
        }
        self.usage = errors;
    }

    /// Tells what was wrong with the cache, and what it was good for.
    pub(super) fn cache(&mut self, failure: Option<Diagnostic>, tally: cache::Tally) {
        let failure: Vec<Diagnostic> = failure.into_iter().collect();
        if self.how.is_text() {
            print_diagnostics(&failure, self.sources, stderr_palette(self.args.form.color));
        }
        self.usage.extend(failure);
        self.cache = Some(tally);
    }

    /// Writes the answers of a file; `listing` has printed them already, if present.
    pub(super) fn file(
        &mut self,
        model: &Model,
        verification: Option<&Verification>,
        checked: Option<Checked<'_>>,
        listing: Option<Listing<'_>>,
    ) -> io::Result<()> {
        let mut tally = verification.map_or(Tally::default(), |it| Tally::of(&it.results));
        if let Some(checked) = &checked {
            tally.add(checked.tally());
            self.exhausted.extend(checked.exhausted());
        }
        let verdict = model.verdict().max(Verdict::of_tally(tally));
        self.verdict = self.verdict.max(verdict);
        self.tally.add(tally);
        if let Some(verification) = verification {
            self.statistics.add(&verification.statistics);
            self.exhausted.extend(unknown::reasons(verification.results.iter().map(|it| &it.outcome)));
        }
        if self.how.wants_document() {
            let mut file = self.file_as_json(model, verification, verdict, tally);
            file.checked = checked.as_ref().map(|it| it.content(self.place(model), self.shown()));
            self.files.push(file);
        }
        if self.how.is_text() {
            match &checked {
                Some(checked) => self.checked_as_text(model, verification, checked, tally)?,
                None => self.file_as_text(model, verification, listing)?,
            }
        }
        if self.how.results.wants_entries() {
            self.add_entries(model, verification);
            let more = checked.map_or_else(Vec::new, |it| it.entries(self.place(model), self.shown()));
            self.entries.extend(more);
        }
        Ok(())
    }

    fn place<'m>(&'m self, model: &'m Model) -> Place<'m> {
        Place { path: &model.name, isolate: model.isolate.as_deref(), sources: self.sources }
    }

    fn shown(&self) -> Shown {
        let VerifyArgs { quiet, stats, print_negative_tuples: negative, .. } = *self.args;
        Shown { quiet, stats, negative, palette: self.palette, seconds: None }
    }

    /// Prints the answers about a model whose claims are decided by executions.
    fn checked_as_text(
        &self,
        model: &Model,
        verification: Option<&Verification>,
        checked: &Checked<'_>,
        tally: Tally,
    ) -> io::Result<()> {
        let palette = stderr_palette(self.args.form.color);
        print_diagnostics(&model.diagnostics[model.printed..], self.sources, palette);
        let style = self.style;
        if style.brief && tally.all_ok() && !style.verbose && !style.cores && !style.quiet {
            return print_part(&brief_text(&model.title(), tally, self.palette));
        }
        let obligations = verification.filter(|it| !it.results.is_empty());
        let text = match (&model.system, obligations) {
            (Some(system), Some(verification)) => {
                let style = TextStyle { brief: false, ..style };
                file_text(&model.title(), system, verification, self.sources, style)
            }
            _ if style.quiet => String::new(),
            _ => format!("{}\n", self.palette.bold(&model.title())),
        };
        print_part(&text)?;
        print_part(&checked.text(self.place(model), self.shown()))?;
        let parts = parts_text(&model.name, &model.parts, self.palette);
        if style.quiet { Ok(()) } else { print_part(&parts) }
    }

    fn add_entries(&mut self, model: &Model, verification: Option<&Verification>) {
        self.entries.extend(messages(&model.diagnostics, &model.name, self.sources));
        let Some((system, verification)) = model.system.as_deref().zip(verification) else { return };
        let context = Context {
            path: &model.name,
            isolate: model.isolate.as_deref(),
            system,
            numbers: &Numbers::new(system),
            sources: self.sources,
            negative: self.args.print_negative_tuples,
        };
        self.entries.extend(of_verification(verification, context));
    }

    fn file_as_text(
        &self,
        model: &Model,
        verification: Option<&Verification>,
        listing: Option<Listing<'_>>,
    ) -> io::Result<()> {
        let rest = listing.map(Listing::finish);
        if let Some(rest) = &rest {
            print_part(rest)?;
        }
        print_diagnostics(
            &model.diagnostics[model.printed..],
            self.sources,
            stderr_palette(self.args.form.color),
        );
        let text = match (&model.system, verification) {
            (Some(system), Some(verification)) if rest.is_some() => {
                failures_text(system, verification, self.sources, self.style)
            }
            (Some(system), Some(verification)) => {
                file_text(&model.title(), system, verification, self.sources, self.style)
            }
            // The model has none of the selected obligations.
            (Some(_), None) if !self.args.quiet => nothing_text(&model.title(), self.palette),
            _ => String::new(),
        };
        print_part(&text)?;
        if self.args.quiet {
            return Ok(());
        }
        print_part(&parts_text(&model.name, &model.parts, self.palette))?;
        print_part(&model.certificate.as_ref().map_or(String::new(), dto::Certificate::text))
    }

    fn file_as_json(
        &self,
        model: &Model,
        verification: Option<&Verification>,
        verdict: Verdict,
        tally: Tally,
    ) -> dto::File {
        let style = JsonStyle {
            negative: self.args.print_negative_tuples,
            stats: self.args.stats,
            cores: self.args.cores,
        };
        let obligations = match (&model.system, verification) {
            (Some(system), Some(verification)) => {
                json::obligations(system, verification, self.sources, style)
            }
            _ => Vec::new(),
        };
        dto::File {
            path: model.name.clone(),
            isolate: model.isolate.as_deref().map(str::to_owned),
            parts: model.parts.clone(),
            verdict,
            diagnostics: self.diagnostics(&model.diagnostics),
            obligations,
            checked: None,
            summary: json::summary(tally),
            certificate: model.certificate.clone(),
            stats: verification.filter(|_| self.args.stats).map(|it| json::stats(&it.statistics)),
        }
    }

    fn diagnostics(&self, found: &[Diagnostic]) -> Vec<dto::Diagnostic> {
        diagnostics_dto(found, self.sources)
    }

    pub(super) fn finish(mut self) -> io::Result<Verdict> {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut entries = messages(&self.usage, "", self.sources);
        entries.append(&mut self.entries);
        let mut results = Results {
            command: self.command.to_owned(),
            verdict: self.verdict,
            entries,
            explanations: self.explanations(),
            is_quiet: self.args.quiet,
            parts: std::mem::take(&mut self.parts),
            comparison: None,
        };
        results.complete(self.baseline.as_ref());
        let comparison = results.comparison.as_ref();
        let mut out = stdout();
        if self.how.is_text() {
            if self.args.stats && self.models > 1 {
                writeln!(out, "all files")?;
                out.write_all(stats_text(&self.statistics).as_bytes())?;
            }
            if let Some(tally) = self.cache.filter(|_| self.args.stats) {
                out.write_all(cache_text(&tally).as_bytes())?;
            }
            if !self.args.quiet && (self.tally.total() > 0 || self.verdict == Verdict::Ok) {
                let seconds = self.shows_time().then_some(seconds);
                write!(out, "\n{}", summary_text(self.tally, seconds, self.palette))?;
                self.traces_text(&mut out)?;
            }
            out.write_all(unknown::explanations_text(&results.explanations).as_bytes())?;
            out.write_all(comparison.map_or(String::new(), Comparison::text).as_bytes())?;
        }
        let document = if self.how.wants_document() {
            let head = Head {
                diagnostics: self.diagnostics(&self.usage),
                explanations: results.explanations.clone(),
                comparison: comparison.map(Into::into),
                seconds: self.args.stats.then_some(seconds),
                ..Head::from(results.verdict)
            };
            let content = dto::VerifyContent {
                files: std::mem::take(&mut self.files),
                summary: json::summary(self.tally),
                stats: self.args.stats.then(|| json::stats(&self.statistics)),
                cache: self.cache.filter(|_| self.args.stats).map(Into::into),
            };
            Document::new(head, content).text()?
        } else {
            String::new()
        };
        if self.how.results.format == OutputFormat::Json {
            out.write_all(document.as_bytes())?;
        }
        out.flush()?;
        let published = publish(&self.how, &results, || Ok(document.clone()))?;
        let verdict = results.verdict;
        if let Some(collector) = &self.how.results.collector {
            collector.put(results);
        }
        Ok(verdict.max(told(published, self.how.color)))
    }

    /// Writes the note that models have more claims than were checked, which is part of the answer and not a warning.
    fn traces_text(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self.traces.as_slice() {
            [] => Ok(()),
            [only] => writeln!(out, "{}: {}", only.message, only.help.as_deref().unwrap_or_default()),
            [_, more @ ..] => {
                let count = more.len() + 1;
                writeln!(out, "{count} files have trace blocks, which `ramsey trace` checks")
            }
        }
    }

    /// Returns advice for obligations without an answer.
    fn explanations(&self) -> Vec<String> {
        self.args.limits.explanations(&self.exhausted)
    }

    /// Checks whether times are printed: they differ between runs, so they are omitted from files.
    fn shows_time(&self) -> bool {
        use std::io::IsTerminal as _;
        self.args.stats || io::stdout().is_terminal()
    }
}
