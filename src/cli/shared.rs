//! Argument handling that commands share, and the first steps of commands about one model.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::{
    AnswerArgs, ColorArgs, How, LanguageArgs, LimitArgs, OutputFormat, PictureArgs, RunLimitArgs,
    SearchLimitArgs,
};
use super::files::{replace, write_whole};
use super::memory;
use super::output::{diagnostics_dto, print_diagnostics, print_part, stderr_palette, stdout_palette};
use super::results::{messages, publish};
use super::sources::{Input, Part, display, read_one_model};
use ramsey_app::models::{self as ui, ModelText, Policy, outside_fragment};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::query::vacuity::no_initial_state;
use ramsey_engine::query::verify::Limits;
use ramsey_kernel::obligations::Question;
use ramsey_lang::prophecy::Prophecies;
use ramsey_lang::{FormulaKind, Language};
use ramsey_report::Verdict;
use ramsey_report::json::Content as _;
use ramsey_report::json::{Document, Head};
use ramsey_report::render::{Render, Shown};
use ramsey_report::results::baseline::Baseline;
use ramsey_report::results::{Comparison, Results};
use ramsey_report::{unknown, vacuity};
use ramsey_solver::epr::Clock;

/// Default step limit of queries outside the decidable fragment: some 10 to 20 seconds. The hardest of the queries
/// known to have an answer takes a thousandth of that.
pub(super) const OUTSIDE: u64 = 500_000_000;

impl SearchLimitArgs {
    /// Returns the limits of a run that began at `start`.
    pub(super) fn limits(self, start: Instant) -> Limits {
        Limits {
            work: self.limits.work,
            outside: self.outside(),
            probe: Some(self.limits.clocks(start).factory()),
        }
    }

    /// Returns the limits for checking what was found before this run, which began at `start`: half of the time that is left, and so many
    /// steps for a query. What it is not worth is left to a search.
    pub(super) fn limits_of_check(self, start: Instant, work: u64) -> Limits {
        let probe = self.limits.clocks(start).halved().factory();
        let work = self.limits.work.map_or(work, |limit| limit.min(work));
        Limits { work: Some(work), outside: None, probe: Some(probe) }
    }

    /// Returns the budget for reading a model from now on, in a run that began at `start`: the time limit is that of a
    /// query.
    pub(super) fn reading(self, start: Instant) -> Budget {
        Budget::new(None, Some(self.limits.clocks(start).probe()))
    }

    /// Returns the limit of queries outside the fragment, unless another limit is set.
    fn outside(self) -> Option<u64> {
        let is_given = self.unlimited || self.limits.work.is_some() || self.limits.timeout.is_some();
        (!is_given).then_some(OUTSIDE)
    }

    /// Returns advice for questions without an answer, once for each distinct reason.
    pub(super) fn explanations(self, reasons: &[Exhausted]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for &reason in reasons {
            if reason == Exhausted::Work && self.limits.work.is_some() {
                continue;
            }
            let text = match reason {
                Exhausted::Memory if self.limits.run.memory.is_none() => memory::explanation(),
                _ => unknown::explanation(reason, OUTSIDE),
            };
            if let Some(text) = text
                && !found.contains(&text)
            {
                found.push(text);
            }
        }
        found
    }
}

impl LimitArgs {
    /// Puts these limits, as far as they are set, over others.
    pub(super) fn over(self, others: &mut LimitArgs) {
        let LimitArgs { timeout, work, run: RunLimitArgs { run_timeout, memory } } = self;
        *others = LimitArgs {
            timeout: timeout.or(others.timeout),
            work: work.or(others.work),
            run: RunLimitArgs {
                run_timeout: run_timeout.or(others.run.run_timeout),
                memory: memory.or(others.run.memory),
            },
        };
    }
}

impl AnswerArgs {
    /// Returns the clock of the engine, if statistics are requested.
    pub(super) fn clock(&self) -> Option<Clock> {
        let is_wanted = self.stats || self.form.results.wants_times();
        is_wanted.then_some(super::clock::clock as fn() -> u64)
    }

    /// Returns how answers of a run that began at `start` are shown. The time is told on a terminal and with statistics,
    /// since times differ between runs.
    pub(super) fn shown(&self, start: Instant) -> Shown {
        let has_time = self.stats || io::stdout().is_terminal();
        Shown {
            quiet: self.quiet,
            stats: self.stats,
            negative: self.print_negative_tuples,
            palette: stdout_palette(self.form.color),
            seconds: has_time.then(|| start.elapsed().as_secs_f64()),
        }
    }
}

/// Writes an answer as text, or as document with `explanations` of why questions have no answer, into `file` if one is named;
/// then the diagnostics after those that are `printed`. Returns the verdict of the run.
pub(super) fn write_answer<R: Render>(
    answer: &R,
    (path, how, baseline): (&str, &How, Option<&Baseline>),
    (shown, explanations, file): (Shown, Vec<String>, Option<&Path>),
    (diagnostics, printed): (&[Diagnostic], usize),
    sources: &Sources,
) -> io::Result<Verdict> {
    let (format, color) = (how.results.format, how.color);
    let shown = Shown { palette: stdout_palette(color), ..shown };
    let verdict = match answer.verdict() {
        Some(verdict) => verdict.max(Verdict::of_diagnostics(diagnostics)),
        None => Verdict::without_answer(diagnostics),
    };
    let mut results = Results {
        command: R::Content::command().to_owned(),
        verdict,
        entries: Vec::new(),
        explanations,
        is_quiet: shown.quiet,
        parts: Vec::new(),
        comparison: None,
    };
    if how.results.wants_entries() {
        let entries = answer.entries(shown);
        results.entries = messages(diagnostics, path, sources);
        results.entries.extend(entries);
        results.complete(baseline);
    }
    if how.is_text() {
        print_part(&answer.text(shown))?;
        if !shown.quiet {
            print_part(&unknown::explanations_text(&results.explanations))?;
        }
        print_part(&results.comparison.as_ref().map_or(String::new(), Comparison::text))?;
        print_diagnostics(&diagnostics[printed..], sources, stderr_palette(color));
    }
    let document = || -> io::Result<String> {
        let head = Head {
            diagnostics: diagnostics_dto(diagnostics, sources),
            explanations: results.explanations.clone(),
            comparison: results.comparison.as_ref().map(Into::into),
            seconds: shown.seconds.filter(|_| shown.stats),
            ..Head::from(results.verdict)
        };
        Ok(Document::new(head, answer.content(shown)).text()?)
    };
    let published = publish(how, &results, document)?;
    let verdict = results.verdict;
    let written = write_document(file, (format, color), document)?;
    if let Some(collector) = &how.results.collector {
        collector.put(results);
    }
    Ok(verdict.max(written).max(told(published, color)))
}

/// Reports a file that could not be written, and returns the verdict of that.
pub(super) fn told(published: Result<(), Diagnostic>, color: ColorArgs) -> Verdict {
    match published {
        Ok(()) => Verdict::Ok,
        Err(error) => {
            print_diagnostics(&[error], &Sources::new(), stderr_palette(color));
            Verdict::BadInput
        }
    }
}

/// Writes the document of a command to the file of `--output`, or for `--format json` without that option to standard
/// output. It is made only if it is written. A file that cannot be written is reported and returned as a verdict.
fn write_document(
    output: Option<&Path>,
    (format, color): (OutputFormat, ColorArgs),
    document: impl FnOnce() -> io::Result<String>,
) -> io::Result<Verdict> {
    match output {
        Some(path) => {
            return Ok(told(write_whole(path, document()?.as_bytes()), color));
        }
        None if format == OutputFormat::Json => {
            print_part(&document()?)?;
        }
        None => {}
    }
    Ok(Verdict::Ok)
}

/// Replaces the text of a model unless the file has changed since `text` was read. `option` is named in the error.
pub(super) fn replace_unchanged(option: &str, path: &Path, text: &str, new: &str) -> Result<(), Diagnostic> {
    if !fs::read(path).is_ok_and(|now| now == text.as_bytes()) {
        let message =
            format!("{option}: `{}` stays as it is: it has changed since it was read", display(path));
        return Err(Diagnostic::error_nowhere(Code::Usage, message));
    }
    replace(path, new.as_bytes())
}

/// Reads a model with the goals of its claims. What is wrong with these is added to the diagnostics.
pub(super) fn prophecies(
    text: &ModelText,
    told: &mut Vec<Diagnostic>,
    sources: &Sources,
    budget: &mut Budget,
) -> Option<Prophecies> {
    let (found, diagnostics) = text.prophecies(sources, budget);
    // Proofs with prophecy variables do mean something here; what is assumed without being shown is told by a warning.
    told.retain(|it| {
        it.code != Code::Unchecked || it.severity == Severity::Warning || diagnostics.contains(it)
    });
    // What a schema says is known here alone.
    let counts = |it: &Diagnostic| match it.severity {
        Severity::Error => true,
        Severity::Warning => it.code == Code::Unchecked,
        _ => false,
    };
    for diagnostic in diagnostics.into_iter().filter(counts) {
        if diagnostic.severity == Severity::Error || !told.contains(&diagnostic) {
            told.push(diagnostic);
        }
    }
    found
}

/// A model that was read.
#[derive(Debug)]
pub(super) struct Model {
    /// Path as shown in messages.
    pub(super) name: String,
    /// Text among the sources.
    pub(super) file: Option<FileId>,
    /// Present if there is no error.
    pub(super) system: Option<Arc<System>>,
    /// Errors and warnings.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Number of diagnostics already printed.
    printed: usize,
    input: Input,
    /// Budget left for reading.
    reading: Budget,
    policy: Policy,
    /// How its diagnostics and answers are printed.
    how: How,
    /// Answers of an earlier run, if they are to be compared.
    baseline: Option<Baseline>,
}

impl Model {
    /// Returns the text from which a certificate's digest is computed.
    pub(super) fn source_text<'s>(&self, sources: &'s Sources) -> std::borrow::Cow<'s, str> {
        self.input.source_text(sources)
    }

    /// Reads the model at `path`.
    pub(super) fn read(
        path: &Path,
        (language, policy): (&LanguageArgs, impl Into<Policy>),
        how: How,
        sources: &mut Sources,
        reading: Budget,
    ) -> Model {
        let input = read_one_model(path, language, sources);
        Model::of(input, policy, how, sources, reading)
    }

    /// Reads the model of this text.
    pub(super) fn of(
        input: Input,
        policy: impl Into<Policy>,
        how: How,
        sources: &mut Sources,
        mut reading: Budget,
    ) -> Model {
        let policy = Policy { is_exact: true, ..policy.into() };
        let (system, mut diagnostics) = input.read(&policy, sources, &mut reading);
        let baseline = how.results.prepare(sources, &mut diagnostics);
        let (name, file) = (input.name.clone(), input.file());
        Model { name, file, system, diagnostics, printed: 0, input, reading, policy, how, baseline }
    }

    /// Adds what is wrong with options of pictures to the diagnostics.
    pub(super) fn check_pictures(&mut self, pictures: &PictureArgs, path: &Path) {
        if let Some(system) = &self.system
            && let Err(errors) = pictures.gallery(system, path)
        {
            self.diagnostics.extend(errors);
        }
    }

    /// Returns the file of the model, with those that it includes.
    pub(super) fn input(&self) -> &Input {
        &self.input
    }

    /// Returns the language of the model.
    pub(super) fn language(&self) -> Language {
        self.input.language
    }

    /// Returns what is meant of the model, and where else its files are.
    pub(super) fn part(&self) -> Part {
        let isolate = self.input.text.as_ref().ok().and_then(|text| text.isolate().cloned());
        Part { isolate, folders: Arc::clone(&self.input.folders) }
    }

    /// Returns the keyword of invariants in the language of the model.
    pub(super) fn keyword(&self) -> &'static str {
        self.input.language.model().claim
    }

    /// Returns the budget left for reading.
    pub(super) fn reading(&mut self) -> &mut Budget {
        &mut self.reading
    }

    /// Returns the model as the page shows it, with this meaning.
    pub(super) fn shown(&self, system: &Arc<System>, sources: &Sources) -> Option<Arc<ui::Model>> {
        let text = Arc::clone(self.input.text.as_ref().ok()?);
        // The command has judged the model.
        let meaning = (Some(Arc::clone(system)), self.diagnostics.clone());
        Some(Arc::new(ui::Model::new(text, sources.clone(), Policy::LENIENT, meaning)))
    }

    /// Reads the model with the goals of its claims. What is wrong with these is added to the diagnostics.
    pub(super) fn prophecies(&mut self, sources: &Sources) -> Option<Prophecies> {
        let text = self.input.text.as_ref().ok().filter(|_| self.system.is_some())?;
        prophecies(text, &mut self.diagnostics, sources, &mut self.reading)
    }

    /// Reads the model with sources that declare further claims, and returns its system if there is no error.
    pub(super) fn with_claims(&mut self, claims: &[FileId], sources: &Sources) -> Option<Arc<System>> {
        let text = self.input.text.as_ref().ok()?;
        let (system, diagnostics) = text.with_claims(claims, &self.policy, sources, &mut self.reading);
        self.diagnostics = diagnostics;
        system
    }

    /// Returns, for each formula, its first error as a claim of the model, if it has one. The texts of the formulas become
    /// sources called `name`.
    pub(super) fn refusals<'f>(
        &mut self,
        name: &str,
        formulas: impl Iterator<Item = &'f String>,
        sources: &mut Sources,
    ) -> Vec<Option<String>> {
        let source = |formula: &String| sources.push(Source::new(name.to_owned(), formula.clone()));
        let files: Vec<FileId> = formulas.map(source).collect();
        let Ok(text) = &self.input.text else { return vec![None; files.len()] };
        text.refusals(&files, &self.policy, sources, &mut self.reading)
    }

    /// Reads the model with formulas in its language, and returns each that is a claim of it as `shown`.
    pub(super) fn read_back<'f>(
        &self,
        formulas: impl Iterator<Item = &'f String>,
        sources: &Sources,
        shown: &dyn Fn(&System, TermId) -> String,
    ) -> Vec<Option<String>> {
        let (mut sources, budget, policy) = (sources.clone(), &mut self.reading.clone(), &Policy::LENIENT);
        let source = |formula: &String| sources.push(Source::new("<lemma>".to_owned(), formula.clone()));
        let files: Vec<FileId> = formulas.map(source).collect();
        let Ok(text) = &self.input.text else { return vec![None; files.len()] };
        let refusals = text.refusals(&files, policy, &sources, budget);
        let good: Vec<FileId> =
            files.iter().zip(&refusals).filter(|(_, it)| it.is_none()).map(|(&file, _)| file).collect();
        let read = text.with_formulas((&good, FormulaKind::Claim), policy, &sources, budget).0;
        let mut read = read.iter().flat_map(|(system, read)| read.iter().map(|&it| shown(system, it)));
        refusals.iter().map(|refusal| if refusal.is_none() { read.next() } else { None }).collect()
    }

    /// Reads the model with a formula in its language, and returns the formula unless it has an error. Its text becomes a
    /// source called `name`.
    pub(super) fn add_formula(&mut self, name: &str, formula: &str, sources: &mut Sources) -> Option<TermId> {
        let (system, formula) = self.with_formula(name, formula, FormulaKind::Claim, sources).unzip();
        self.system = system.map(Arc::new);
        formula
    }

    /// In text output, prints the diagnostics that were not printed before.
    pub(super) fn print_new(&mut self, sources: &Sources) {
        if self.how.is_text() {
            print_diagnostics(&self.diagnostics[self.printed..], sources, stderr_palette(self.how.color));
        }
        self.printed = self.diagnostics.len();
    }

    /// Reports queries outside the fragment before they are searched.
    pub(super) fn warn_before_search(&mut self, warning: Diagnostic, limits: &Limits, sources: &Sources) {
        self.warn(unknown::with_default_limit(warning, limits.outside), sources);
    }

    /// Warns once of obligations of `system` outside the fragment, before they are searched.
    pub(super) fn warn_of_fragment(&mut self, system: &System, limits: &Limits, sources: &Sources) {
        if let Some(warning) = outside_fragment(system, &Question::Verify).into_iter().next() {
            self.warn_before_search(warning, limits, sources);
        }
    }

    /// Warns if `system` has no initial state and so no executions. The check has a small budget.
    pub(super) fn warn_of_no_start(&mut self, system: &System, limits: &Limits, sources: &Sources) {
        if let Some(found) = no_initial_state(system, &limits.budget()) {
            self.warn(vacuity::diagnostic(system, &found), sources);
        }
    }

    fn warn(&mut self, warning: Diagnostic, sources: &Sources) {
        self.diagnostics.push(warning);
        self.print_new(sources);
    }

    /// Reads the model with a formula in its language, and returns both if there is no error. The text of the formula
    /// becomes a source called `name`.
    pub(super) fn with_formula(
        &mut self,
        name: &str,
        formula: &str,
        kind: FormulaKind<'_>,
        sources: &mut Sources,
    ) -> Option<(System, TermId)> {
        let text = self.input.text.as_ref().ok()?;
        let file = sources.push(Source::new(name.to_owned(), formula.to_owned()));
        let asked = (&[file][..], kind);
        let (loaded, diagnostics) = text.with_formulas(asked, &self.policy, sources, &mut self.reading);
        self.diagnostics = diagnostics;
        loaded.and_then(|(system, formulas)| Some((system, *formulas.first()?)))
    }

    /// Returns the verdict of the model's diagnostics.
    pub(super) fn verdict(&self) -> Verdict {
        Verdict::of_diagnostics(&self.diagnostics)
    }

    /// Writes an answer about the model, then the diagnostics that are new; see [`write_answer`].
    pub(super) fn answer<R: Render>(
        &mut self,
        answer: &R,
        out: (Shown, Vec<String>, Option<&Path>),
        sources: &Sources,
    ) -> io::Result<Verdict> {
        let printed = std::mem::replace(&mut self.printed, self.diagnostics.len());
        let how = (&*self.name, &self.how, self.baseline.as_ref());
        write_answer(answer, how, out, (&self.diagnostics, printed), sources)
    }
}
