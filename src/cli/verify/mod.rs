//! `ramsey verify`: inductive invariants and theorems.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

use rayon::ThreadPool;

use super::args::{OutputFormat, VerifyArgs};
use super::certify::{Written, certificate_path, export, is_compressed};
use super::claims::{has_claims, nothing_to_check};
use super::files::check_parents;
use super::output::{diagnostics_dto, is_shown, print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::progress::Progress;
use super::select::{Selection, select, unknown_names};
use super::signals;
use super::sources::{Input, read_models};
use super::threads::pool;
use crate::ask::Statistics;
use crate::base::budget::Exhausted;
use crate::base::hash::Set;
use crate::base::span::{FileId, Sources};
use crate::diag::{Code, Diagnostic, Severity};
use crate::lang::{Includes, Language};
use crate::query::certify::of_verification;
use crate::query::verify::{Limits, Options, Plan};
use crate::query::{self, GroupResult, Outcome, Verification};
use crate::report::Verdict;
use crate::report::json::{self, Document, Head, JsonStyle, dto};
use crate::report::listing::Listing;
use crate::report::verify::{
    TextStyle, failures_text, file_text, nothing_text, parts_text, stats_text, summary_text,
};
use crate::report::{Palette, Tally, fragment, unknown, vacuity};
use crate::system::System;
use crate::vc::{Obligations, Question};

/// A file of the run with its results.
struct Model {
    name: String,
    /// Files of a directory that it includes.
    parts: Vec<String>,
    language: Language,
    /// Its certificate, once written.
    certificate: Option<Written>,
    /// The text among the sources, if it could be read.
    file: Option<FileId>,
    includes: Includes,
    system: Option<Arc<System>>,
    diagnostics: Vec<Diagnostic>,
    /// Number of diagnostics already printed.
    told: usize,
}

impl Model {
    fn verdict(&self) -> Verdict {
        Verdict::of_diagnostics(&self.diagnostics)
    }
}

/// Answers `question`, which is about the invariants or the theorems, for every model.
pub(super) fn run(args: &VerifyArgs, question: &Question) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, args.language, &mut sources);
    let readers = pool(args.jobs, inputs.len());
    let mut models = load(inputs, args, &sources, readers.as_ref(), start);
    drop(readers);
    models.iter_mut().for_each(|model| insist_on_fragment(args, question, model));
    let systems = models.iter().filter_map(|model| model.system.as_deref());
    let mut usage = unknown_names(systems.clone(), "check-", &args.check_transition, &args.check_invariant);
    usage.extend(systems.filter_map(|system| args.pictures.gallery(system).err()).flatten());
    usage.extend(check_parents([&args.certify, &args.export]));
    if let Some(out) = args.certify.as_ref().filter(|out| models.len() > 1 && out.is_file()) {
        let what = format!("--certify: `{}` is a file, and several models need a folder", out.display());
        usage.push(Diagnostic::error_nowhere(Code::Usage, what));
    }
    // An error in an option is the same for every model.
    let mut told: Set<String> = Set::default();
    usage.retain(|error| told.insert(error.message.clone()));
    let mut writer = Writer::new(args, &sources, models.len(), start);
    if !usage.is_empty() {
        writer.usage(usage);
        models.iter_mut().for_each(|model| model.system = None);
    }
    warn_of_nothing(args, question, &mut models);
    if *question == Question::Verify {
        models.iter_mut().for_each(warn_of_traces);
    }

    signals::end_with_summary();
    let limits = args.limits.limits(start);
    if args.lint && *question == Question::Verify {
        models.iter_mut().for_each(|model| remark_on_implied(model, &limits));
    }
    let mut jobs = Jobs::new(&models, args, question, &limits);
    let pool = pool(args.jobs, jobs.total());
    jobs.analyse(pool.as_ref());
    for (at, model) in models.iter_mut().enumerate() {
        warn_of_fragment(model, jobs.plan(at), &limits);
        writer.before_search(model);
    }
    jobs.start(pool.as_ref());
    let single = models.len() == 1;
    let mut pictures = 0;
    for (at, model) in models.iter_mut().enumerate() {
        let name = model.name.clone();
        let system = model.system.clone();
        let mut listing = jobs.plan(at).zip(system.as_deref()).and_then(|(plan, system)| {
            writer.streams().then(|| Listing::new(&name, system, plan.obligations(), &sources, writer.style))
        });
        for group in 0..jobs.groups(at) {
            let Some(answers) = jobs.wait_for(at, group) else { break };
            if let Some(listing) = &mut listing {
                let lines = listing.group(&answers.results);
                jobs.progress.clear();
                writer.lines(&lines)?;
            }
        }
        let mut verification = jobs.finish(at);
        jobs.progress.clear();
        if let Some(verification) = &mut verification {
            warn_of_vacuity(model, verification);
            write_certificates(args, question, model, &sources, verification, single);
            write_pictures(args, model, verification, &mut pictures);
        }
        writer.file(model, verification.as_ref(), listing)?;
    }
    writer.finish()
}

/// Loads the texts of the files as models, in parallel.
fn load(
    inputs: Vec<Input>,
    args: &VerifyArgs,
    sources: &Sources,
    pool: Option<&ThreadPool>,
    start: Instant,
) -> Vec<Model> {
    let load_one = |input: Input| {
        let mut reading = args.limits.reading(start);
        let (system, diagnostics) = input.load_with_lints(args.strictness, sources, &mut reading);
        let is_good = Verdict::of_diagnostics(&diagnostics) == Verdict::Ok;
        Model {
            name: input.name,
            parts: input.parts,
            language: input.language,
            certificate: None,
            file: input.file.ok(),
            includes: input.includes,
            system: system.filter(|_| is_good).map(Arc::new),
            diagnostics,
            told: 0,
        }
    };
    match pool {
        Some(pool) => {
            use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
            pool.install(|| inputs.into_par_iter().map(load_one).collect())
        }
        None => inputs.into_iter().map(load_one).collect(),
    }
}

/// Refuses models with obligations outside the fragment: programs without `--no-strict`, and all with `--strict`.
fn insist_on_fragment(args: &VerifyArgs, question: &Question, model: &mut Model) {
    let promises = model.language.is_strict() && !args.strictness.no_strict;
    let Some(system) = model.system.as_ref().filter(|_| args.strict || promises) else { return };
    let memberships = query::fragment(system, &Obligations::of_question(&**system, question));
    let outside = memberships.iter().filter_map(|(origin, cycle)| Some((*origin, cycle.as_deref()?)));
    let found = fragment::diagnostics(system, outside, Severity::Warning);
    if found.is_empty() {
        return;
    }
    if promises && !args.strict {
        model.diagnostics.extend(args.strictness.enforce(model.language, None::<System>, found).1);
    } else {
        model.diagnostics.extend(found.into_iter().map(Diagnostic::into_error));
    }
    model.system = None;
}

/// Writes the certificates, once the kernel has accepted them.
fn write_certificates(
    args: &VerifyArgs,
    question: &Question,
    model: &mut Model,
    sources: &Sources,
    verification: &mut Verification,
    single: bool,
) {
    let (Some(system), Some(file)) = (&model.system, model.file) else { return };
    if args.certify.is_none() && args.export.is_none() {
        return;
    }
    let compressed = is_compressed(args, single);
    let source = model.language.format().source_text(file, sources, &model.includes);
    let Ok(Some(accepted)) = of_verification(system, &source, question, verification, compressed) else {
        return;
    };
    let mut errors: Vec<Diagnostic> = Vec::new();
    if let Some(out) = &args.certify {
        let written = certificate_path(out, &model.name, single, compressed)
            .and_then(|path| Written::write(path, &accepted.bytes, compressed, &verification.results));
        match written {
            Ok(written) => model.certificate = Some(written),
            Err(error) => errors.push(error),
        }
    }
    if let Some(folder) = &args.export {
        let certificates = verification.results.iter().map(|it| (it.origin, it.certificate.as_ref()));
        errors.extend(export(folder, (&**system).into(), &model.name, certificates).err());
    }
    model.diagnostics.extend(errors);
}

/// Draws the counterexamples; `count` is the number drawn so far.
fn write_pictures(args: &VerifyArgs, model: &mut Model, verification: &Verification, count: &mut usize) {
    let Some(system) = model.system.as_ref().filter(|_| args.pictures.is_some()) else { return };
    let Ok(mut gallery) = args.pictures.gallery(system) else { return };
    gallery.count = *count;
    let Obligations { sig, terms, .. } = &verification.obligations;
    for result in &verification.results {
        let Outcome::Fails(found) = &result.outcome else { continue };
        if let Err(error) = gallery.counterexample(&model.name, system, (sig, terms), found) {
            model.diagnostics.push(error);
            break;
        }
    }
    *count = gallery.count;
}

/// Warns that trace blocks are checked by another command.
fn warn_of_traces(model: &mut Model) {
    let Some(system) = &model.system else { return };
    let Some(first) = system.traces.first() else { return };
    let (what, them) = match system.traces.len() {
        1 => ("1 trace block is not checked here".to_owned(), "it"),
        count => (format!("{count} trace blocks are not checked here"), "them"),
    };
    let help = format!("`ramsey trace {}` checks {them}", model.name);
    let warning = Diagnostic::warning(Code::TraceElsewhere, first.span, what);
    model.diagnostics.push(warning.label("the first one").help(help));
}

/// Warns once of obligations outside the fragment.
fn warn_of_fragment(model: &mut Model, plan: Option<&Plan>, limits: &Limits) {
    let (Some(system), Some(plan)) = (&model.system, plan) else { return };
    let groups = plan.obligations().groups.iter().enumerate();
    let outside = groups.flat_map(|(index, group)| {
        let cycles = group.goals.iter().zip(plan.cycles(index, limits));
        cycles.filter_map(|(goal, cycle)| Some((goal.origin, cycle.as_deref()?)))
    });
    let first = fragment::diagnostics(system, outside, Severity::Warning).into_iter().next();
    model.diagnostics.extend(first.map(|warning| unknown::with_default_limit(warning, limits.outside)));
}

/// Reports models without claims to check. A model without theorems is not reported if another one of the run has some.
fn warn_of_nothing(args: &VerifyArgs, question: &Question, models: &mut [Model]) {
    let claims = |model: &Model| model.system.as_ref().is_some_and(|system| has_claims(system, question));
    if *question == Question::Theorems && models.iter().any(claims) {
        return;
    }
    for model in models.iter_mut().filter(|model| model.system.is_some() && !claims(model)) {
        model.diagnostics.push(nothing_to_check(&model.name, question, args.strict));
        model.system.take_if(|_| args.strict);
    }
}

/// Notes which invariants follow from the others.
fn remark_on_implied(model: &mut Model, limits: &Limits) {
    let Some(system) = &model.system else { return };
    let found = query::implied(system, limits);
    model.diagnostics.extend(found.iter().map(|it| vacuity::implied(system, it)));
}

/// Warns of claims that hold vacuously, because their conditions can never be satisfied.
fn warn_of_vacuity(model: &mut Model, verification: &Verification) {
    let Some(system) = &model.system else { return };
    let found = verification.vacuities.iter().map(|it| vacuity::diagnostic(system, it));
    model.diagnostics.extend(found);
}

fn options(args: &VerifyArgs, question: &Question, selection: Selection) -> Options {
    Options {
        question: question.clone(),
        transitions: selection.transitions,
        invariants: selection.invariants,
        all: args.all,
        minimize: !args.no_minimize,
        cores: args.cores,
        certify: args.certify.is_some() || args.export.is_some(),
        export: args.export.is_some(),
        seed: args.seed,
        clock: args.stats.then_some(super::clock::clock as fn() -> u64),
    }
}

/// The answers of one group of one file.
struct News {
    file: usize,
    group: usize,
    results: GroupResult,
}

/// The work on one file.
struct Job {
    plan: Option<Arc<Plan>>,
    results: Vec<Option<GroupResult>>,
}

/// All work of the run: done by the threads of a pool, or by the caller when it waits for results.
struct Jobs<'a> {
    limits: &'a Limits,
    jobs: Vec<Job>,
    news: Option<Receiver<News>>,
    done: usize,
    progress: Progress,
}

impl<'a> Jobs<'a> {
    fn new(models: &[Model], args: &VerifyArgs, question: &Question, limits: &'a Limits) -> Self {
        let jobs: Vec<Job> = models
            .iter()
            .map(|model| {
                let plan = model.system.as_ref().and_then(|system| {
                    let selection = select(system, &args.check_transition, &args.check_invariant)?;
                    Some(Arc::new(Plan::new(Arc::clone(system), options(args, question, selection))))
                });
                let groups = plan.as_ref().map_or(0, |plan| plan.groups());
                Job { plan, results: (0..groups).map(|_| None).collect() }
            })
            .collect();
        Jobs { limits, jobs, news: None, done: 0, progress: Progress::new(!args.quiet) }
    }

    /// Returns the number of groups.
    fn total(&self) -> usize {
        self.jobs.iter().map(|job| job.results.len()).sum()
    }

    /// Determines which obligations lie outside the fragment, all groups in parallel.
    fn analyse(&self, pool: Option<&ThreadPool>) {
        self.progress.say(|| "reading".to_owned());
        let groups: Vec<(&Plan, usize)> = self
            .jobs
            .iter()
            .filter_map(|job| job.plan.as_deref())
            .flat_map(|plan| (0..plan.groups()).map(move |group| (plan, group)))
            .collect();
        let analyse = |(plan, group): (&Plan, usize)| {
            plan.cycles(group, self.limits);
        };
        match pool {
            Some(pool) => {
                use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
                pool.install(|| groups.into_par_iter().for_each(analyse));
            }
            None => groups.into_iter().for_each(analyse),
        }
    }

    /// Starts the search, if there are threads for it.
    fn start(&mut self, pool: Option<&ThreadPool>) {
        self.news = pool.map(|pool| {
            let (sender, receiver) = mpsc::channel();
            for (file, job) in self.jobs.iter().enumerate() {
                start(pool, file, job, self.limits, &sender);
            }
            receiver
        });
        self.tell();
    }

    /// Returns the plan of a file, or `None` if it has no obligations or is finished.
    fn plan(&self, file: usize) -> Option<&Plan> {
        self.jobs[file].plan.as_deref()
    }

    /// Returns the number of groups of obligations of a file.
    fn groups(&self, file: usize) -> usize {
        self.jobs[file].results.len()
    }

    /// Waits for the answers of a group and returns them.
    fn wait_for(&mut self, file: usize, group: usize) -> Option<&GroupResult> {
        while self.jobs[file].results[group].is_none() {
            self.tell();
            let news = self.next(file, group)?;
            self.jobs[news.file].results[news.group] = Some(news.results);
            self.done += 1;
        }
        self.jobs[file].results[group].as_ref()
    }

    /// Returns the answers of a file, all of whose groups have been waited for.
    fn finish(&mut self, file: usize) -> Option<Verification> {
        let job = &mut self.jobs[file];
        let plan = Arc::into_inner(job.plan.take()?)?;
        Some(plan.finish(job.results.drain(..).flatten().collect()))
    }

    fn next(&self, file: usize, group: usize) -> Option<News> {
        match &self.news {
            Some(receiver) => receiver.recv().ok(),
            None => {
                let plan = self.jobs[file].plan.as_ref()?;
                Some(News { file, group, results: plan.run_group(group, self.limits) })
            }
        }
    }

    fn tell(&self) {
        let waiting = self.jobs.iter().flat_map(|job| &job.results).filter(|result| result.is_none()).count();
        self.progress.say(|| format!("{}/{} groups", self.done, self.done + waiting));
    }
}

/// Submits the groups of a file to the pool.
fn start(pool: &ThreadPool, file: usize, job: &Job, limits: &Limits, sender: &Sender<News>) {
    let Some(plan) = &job.plan else { return };
    for group in 0..plan.groups() {
        let (plan, limits, sender) = (Arc::clone(plan), limits.clone(), sender.clone());
        pool.spawn_fifo(move || {
            let results = plan.run_group(group, &limits);
            // Dropped before sending: after the last result the receiver must be the sole owner of the plan.
            drop(plan);
            // The receiver is dropped if the output was closed; then the results are not needed.
            let _ = sender.send(News { file, group, results });
        });
    }
}

/// Writes the answers as they come, in the order of the files.
struct Writer<'a> {
    args: &'a VerifyArgs,
    sources: &'a Sources,
    start: Instant,
    palette: Palette,
    style: TextStyle,
    verdict: Verdict,
    tally: Tally,
    statistics: Statistics,
    models: usize,
    /// Warnings about trace blocks, printed once after the answers.
    traces: Vec<Diagnostic>,
    files: Vec<dto::File>,
    usage: Vec<Diagnostic>,
    /// Reasons for which obligations have no answer.
    exhausted: Vec<Exhausted>,
}

impl<'a> Writer<'a> {
    fn new(args: &'a VerifyArgs, sources: &'a Sources, models: usize, start: Instant) -> Self {
        let palette = stdout_palette(args.color);
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
            files: Vec::new(),
            usage: Vec::new(),
            exhausted: Vec::new(),
        }
    }

    /// Checks whether answers are printed group by group. Certification may revoke answers.
    fn streams(&self) -> bool {
        let VerifyArgs { format, quiet, certify, export, .. } = self.args;
        *format == OutputFormat::Text && !quiet && certify.is_none() && export.is_none()
    }

    /// Prints the known diagnostics of a model before the search.
    fn before_search(&mut self, model: &mut Model) {
        if self.args.format == OutputFormat::Text {
            let is_of_traces = |it: &Diagnostic| it.code == Code::TraceElsewhere;
            let shown = model.diagnostics.iter().filter(|it| is_shown(it)).cloned();
            let (traces, told): (Vec<_>, Vec<_>) = shown.partition(is_of_traces);
            self.traces.extend(traces);
            print_diagnostics(&told, self.sources, stderr_palette(self.args.color));
        }
        model.told = model.diagnostics.len();
    }

    fn lines(&self, lines: &str) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut out = stdout();
        out.write_all(lines.as_bytes())?;
        out.flush()
    }

    /// Reports arguments that do not fit the models.
    fn usage(&mut self, errors: Vec<Diagnostic>) {
        self.verdict = Verdict::BadInput;
        if self.args.format == OutputFormat::Text {
            print_diagnostics(&errors, self.sources, stderr_palette(self.args.color));
        }
        self.usage = errors;
    }

    /// Writes the answers of a file; `listing` has printed them already, if present.
    fn file(
        &mut self,
        model: &Model,
        verification: Option<&Verification>,
        listing: Option<Listing<'_>>,
    ) -> io::Result<()> {
        let tally = verification.map_or(Tally::default(), |it| Tally::of(&it.results));
        let verdict = model.verdict().max(Verdict::of_tally(tally));
        self.verdict = self.verdict.max(verdict);
        self.tally.add(tally);
        if let Some(verification) = verification {
            self.statistics.add(&verification.statistics);
            self.exhausted.extend(unknown::reasons(verification.results.iter().map(|it| &it.outcome)));
        }
        match self.args.format {
            OutputFormat::Text => self.file_as_text(model, verification, listing),
            OutputFormat::Json => {
                self.files.push(self.file_as_json(model, verification, verdict, tally));
                Ok(())
            }
        }
    }

    fn file_as_text(
        &self,
        model: &Model,
        verification: Option<&Verification>,
        listing: Option<Listing<'_>>,
    ) -> io::Result<()> {
        let rest = listing.map(Listing::finish);
        if let Some(rest) = &rest {
            self.lines(rest)?;
        }
        print_diagnostics(&model.diagnostics[model.told..], self.sources, stderr_palette(self.args.color));
        let text = match (&model.system, verification) {
            (Some(system), Some(verification)) if rest.is_some() => {
                failures_text(system, verification, self.sources, self.style)
            }
            (Some(system), Some(verification)) => {
                file_text(&model.name, system, verification, self.sources, self.style)
            }
            // The model has none of the selected obligations.
            (Some(_), None) if !self.args.quiet => nothing_text(&model.name, self.palette),
            _ => String::new(),
        };
        let mut out = stdout();
        out.write_all(text.as_bytes())?;
        if !self.args.quiet {
            out.write_all(parts_text(&model.name, &model.parts, self.palette).as_bytes())?;
        }
        if let (Some(certificate), false) = (&model.certificate, self.args.quiet) {
            out.write_all(certificate.text().as_bytes())?;
        }
        out.flush()
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
            parts: model.parts.clone(),
            verdict: verdict.word().into(),
            diagnostics: self.diagnostics(&model.diagnostics),
            obligations,
            summary: json::summary(tally),
            certificate: model.certificate.as_ref().map(Written::json),
            stats: verification.filter(|_| self.args.stats).map(|it| json::stats(&it.statistics)),
        }
    }

    fn diagnostics(&self, found: &[Diagnostic]) -> Vec<dto::Diagnostic> {
        diagnostics_dto(found, self.sources)
    }

    fn finish(mut self) -> io::Result<Verdict> {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut out = stdout();
        match self.args.format {
            OutputFormat::Text => {
                if self.args.stats && self.models > 1 {
                    writeln!(out, "all files")?;
                    out.write_all(stats_text(&self.statistics).as_bytes())?;
                }
                if !self.args.quiet && (self.tally.total() > 0 || self.verdict == Verdict::Ok) {
                    let seconds = self.shows_time().then_some(seconds);
                    write!(out, "\n{}", summary_text(self.tally, seconds, self.palette))?;
                    self.traces_text(&mut out)?;
                }
                out.write_all(unknown::explanations_text(&self.explanations()).as_bytes())?;
            }
            OutputFormat::Json => {
                let head = Head {
                    diagnostics: self.diagnostics(&self.usage),
                    explanations: self.explanations(),
                    seconds: self.args.stats.then_some(seconds),
                    ..Head::from(self.verdict)
                };
                let content = dto::VerifyContent {
                    files: std::mem::take(&mut self.files),
                    summary: json::summary(self.tally),
                    stats: self.args.stats.then(|| json::stats(&self.statistics)),
                };
                out.write_all(Document::new(head, content).text()?.as_bytes())?;
            }
        }
        out.flush()?;
        Ok(self.verdict)
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
