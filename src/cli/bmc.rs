//! `ramsey bmc`: bounded model checking.

use super::args::BmcArgs;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Instant;

use super::args::{AnswerArgs, OutputFormat};
use super::certify::{names_gzip, write_accepted};
use super::files::check_parents;
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::progress::Progress;
use super::select::{named, not_claimed};
use super::shared::Model;
use super::signals;
use super::ui::{Subject, executions_of, with_report};
use ramsey_app::Findings;
use ramsey_circuit::transition::Relaxed;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Bmc, Depth, Options, Outcome, Target};
use ramsey_engine::query::certify::of_depths;
use ramsey_engine::query::deadlock::DeadlockFreedom;
use ramsey_kernel::obligations::Property;
use ramsey_report::Verdict;
use ramsey_report::bmc::{self as report, Aim, Scene};
use ramsey_report::finding::Claim;
use ramsey_report::json::{Document, Head, dto};
use ramsey_report::outcome::DepthOutcome;
use ramsey_report::trace::TraceStyle;
use ramsey_report::verify::stats_text;
use ramsey_report::{fragment, unknown};

/// Source name of the formula given by `--property`.
pub(super) const FORMULA: &str = "<--property>";

/// Checks executions up to a depth.
pub(super) fn run(args: &BmcArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model =
        Model::read(&args.path, args.answer.language, args.answer.strictness, &mut sources, reading);
    let targets = targets(args, &mut model, &mut sources);
    if let Some(system) = &model.system
        && let Err(errors) = args.pictures.gallery(system, &args.path)
    {
        model.diagnostics.extend(errors);
    }
    model.diagnostics.extend(check_parents([&args.answer.certify]));
    let formula = formula_place(&sources);
    model.print_new((args.answer.format, args.answer.color), &sources);
    let mut run = Run { args, sources: &sources, formula, start, depths: Vec::new() };
    match model.system.take().filter(|_| model.verdict() == Verdict::Ok) {
        Some(system) => run.answer(&mut model, system, &targets),
        None => run.without_answer(&model),
    }
}

/// Returns the properties to check. If the arguments do not fit the model, an error is added to its diagnostics.
fn targets(args: &BmcArgs, model: &mut Model, sources: &mut Sources) -> Vec<Target> {
    if args.deadlock {
        // Enabledness is a formula that the search itself builds.
        return Vec::new();
    }
    named_targets(&args.property, args.answer.certify.is_some(), model, sources)
}

/// Returns the properties with these names or of these formulas, or those of the model if there are none. Formulas are
/// refused if answers are to be certified. An error is added to the diagnostics of the model.
pub(super) fn named_targets(
    properties: &[String],
    is_certified: bool,
    model: &mut Model,
    sources: &mut Sources,
) -> Vec<Target> {
    let Some(system) = &model.system else { return Vec::new() };
    if properties.is_empty() {
        let targets: Vec<Target> = Property::safety(system).into_iter().map(Target::Model).collect();
        if targets.is_empty() {
            let error = Diagnostic::error_nowhere(Code::Usage, "the model has no safety property to check");
            let help = "declare one with `safety`, or give an invariant or a formula with `--property`";
            model.diagnostics.push(error.help(help));
        }
        return targets;
    }
    let mut targets: Vec<Target> = Vec::new();
    let mut formulas = Vec::new();
    for text in properties {
        let named = named(system, text);
        if named.is_empty() {
            formulas.push(text);
        }
        for target in named.into_iter().map(Target::Model) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }
    match formulas.as_slice() {
        [] => {}
        [formula] if is_identifier(formula) && !is_symbol(system, formula) => {
            let error = not_claimed(system, "--property", formula, ", and it is no formula");
            model.diagnostics.push(error);
        }
        [_] if is_certified => {
            let what = "a formula that the model does not have cannot be certified";
            let help = "declare it in the model, as an `invariant` with a name";
            model.diagnostics.push(Diagnostic::error_nowhere(Code::Usage, what).help(help));
        }
        [formula] => {
            let formula = model.add_formula(FORMULA, formula, sources);
            targets.extend(formula.map(Target::Formula));
        }
        [_, _, ..] => {
            let what = "`--property` was given several formulas";
            let error = Diagnostic::error_nowhere(Code::Usage, what).help("join them by `&`");
            model.diagnostics.push(error);
        }
    }
    targets
}

fn is_identifier(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_symbol(system: &System, name: &str) -> bool {
    ["true", "false"].contains(&name) || system.sig.symbols.iter().any(|symbol| symbol.name == name)
}

/// Returns the span of the command line's formula among the sources.
pub(super) fn formula_place(sources: &Sources) -> Option<Span> {
    let file = sources.ids().find(|&file| sources[file].name == FORMULA)?;
    Some(Span { file, start: 0, end: sources[file].text.len() as u32 })
}

/// State of a run, with its results so far.
struct Run<'a> {
    args: &'a BmcArgs,
    sources: &'a Sources,
    formula: Option<Span>,
    start: Instant,
    depths: Vec<Depth>,
}

impl Run<'_> {
    fn answer(&mut self, model: &mut Model, system: Arc<System>, targets: &[Target]) -> io::Result<Verdict> {
        let AnswerArgs { format, quiet, color, stats, .. } = self.args.answer;
        let options = Options {
            targets: targets.to_vec(),
            depth: self.args.depth,
            minimize: !self.args.answer.no_minimize,
            certify: self.args.answer.certify.is_some(),
            induction: true,
            seed: self.args.answer.seed,
            clock: self.args.answer.clock(),
        };
        let mut bmc = if self.args.relax {
            relaxed(&system, options)
        } else if self.args.deadlock {
            Bmc::deadlock(DeadlockFreedom::new(&system), options)
        } else {
            Bmc::new(Arc::clone(&system), options)
        };
        let system = if self.args.deadlock { Arc::clone(bmc.system()) } else { system };
        let deadlock = bmc.deadlock_target();
        let targets = deadlock.as_ref().map_or(targets, std::slice::from_ref);
        let limits = self.args.limits.limits(self.start);
        if let Some((steps, cycle)) = bmc.cycle() {
            let claim =
                targets.first().and_then(|&target| Claim::of_target(&system, target, self.formula).span);
            let concerned = format!("concerned are executions of {steps} or more steps");
            let what = "executions are";
            let mut warning = fragment::executions_warning(bmc.system(), cycle, claim, what, concerned);
            if self.args.deadlock {
                // The help text is about claims of the model, and none is checked here.
                warning.help = None;
            }
            model.warn_before_search(warning, &limits, (format, color), self.sources);
        }
        let palette = stdout_palette(color);
        let is_text = format == OutputFormat::Text && !quiet;
        let mut out = stdout();
        if is_text {
            out.write_all(report::heading_text(&model.name, &system, targets, palette).as_bytes())?;
            out.flush()?;
        }
        signals::end_with_summary();
        let progress = Progress::new(!quiet);
        loop {
            progress.say(|| format!("depth {} of {}", bmc.next_depth(), self.args.depth));
            let Some(depth) = bmc.advance(&limits) else { break };
            progress.clear();
            if is_text {
                out.write_all(report::depth_text(&depth, palette).as_bytes())?;
                if stats {
                    out.write_all(stats_text(&depth.statistics).as_bytes())?;
                }
                out.flush()?;
            }
            self.depths.push(depth);
        }
        progress.clear();
        let mut verdict = self.verdict();
        if verdict == Verdict::Ok {
            // A program that always violates an assertion before its loop has no initial state either.
            model.warn_of_no_start(&system, &limits, (format, color), self.sources);
        }
        let written = self.certify(model, &system, targets).and_then(|line| {
            self.draw(&model.name, bmc.system())?;
            Ok(line)
        });
        verdict = verdict.max(self.verdict());
        if let Err(error) = &written {
            verdict = verdict.max(Verdict::BadInput);
            if format == OutputFormat::Text {
                print_diagnostics(std::slice::from_ref(error), self.sources, stderr_palette(color));
            }
        }
        match format {
            OutputFormat::Text => {
                out.write_all(self.ending(bmc.system(), written.ok().flatten()).as_bytes())?;
            }
            OutputFormat::Json => {
                let found = Some((&*system, &**bmc.system(), targets));
                self.json(&mut out, model, found, written.err(), verdict)?;
            }
        }
        out.flush()?;
        Ok(with_report(&self.args.report, color, verdict, || self.report(model, bmc.system(), limits)))
    }

    /// Returns what the report of the run shows.
    fn report<'b>(&'b self, model: &Model, system: &'b Arc<System>, limits: Limits) -> Option<Subject<'b>> {
        let args = self.args;
        let asked = executions_of(system, args.depth, &args.property);
        Some(Subject {
            path: &args.path,
            model: model.shown(system, self.sources)?,
            lemmas: Vec::new(),
            findings: Findings {
                verification: None,
                executions: Some((asked, system, &self.depths)),
                told: report::summary_text(system, &self.depths, self.aim()),
                verdict: self.verdict(),
            },
            limits,
        })
    }

    fn without_answer(&self, model: &Model) -> io::Result<Verdict> {
        let verdict = Verdict::without_answer(&model.diagnostics);
        if self.args.answer.format == OutputFormat::Json {
            let mut out = stdout();
            self.json(&mut out, model, None, None, verdict)?;
            out.flush()?;
        }
        Ok(verdict)
    }

    fn verdict(&self) -> Verdict {
        self.depths.last().map_or(Verdict::Ok, |depth| DepthOutcome::from(&depth.outcome).into())
    }

    /// Writes the certificate, if one is requested, and returns the line that reports it.
    fn certify(
        &mut self,
        model: &Model,
        system: &System,
        targets: &[Target],
    ) -> Result<Option<String>, Diagnostic> {
        let Some(path) = &self.args.answer.certify else { return Ok(None) };
        let source = &model.source_text(self.sources);
        let compressed = names_gzip(path);
        match of_depths(system, source, self.args.depth, targets, &mut self.depths, compressed) {
            Ok(Some(accepted)) => write_accepted(&accepted, path).map(Some),
            // A rejected answer has become an internal error, which is reported with the others.
            Ok(None) | Err(_) => Ok(None),
        }
    }

    fn aim(&self) -> Aim {
        if self.args.deadlock {
            Aim::Deadlock
        } else if self.args.relax {
            Aim::Relaxed
        } else {
            Aim::Violation
        }
    }

    /// Returns advice for depths without an answer.
    fn explanations(&self) -> Vec<String> {
        let reason = self.depths.last().and_then(|depth| match depth.outcome {
            Outcome::Unknown(exhausted) => Some(exhausted),
            _ => None,
        });
        self.args.limits.explanations(reason.as_slice())
    }

    /// Draws the violation, if there is one.
    fn draw(&self, title: &str, system: &System) -> Result<(), Diagnostic> {
        if let Some(Outcome::Violated(violation)) = self.depths.last().map(|depth| &depth.outcome)
            && let Ok(mut gallery) = self.args.pictures.gallery(system, &self.args.path)
        {
            gallery.counterexample(title, system, system.syntax(), &violation.counterexample)?;
        }
        Ok(())
    }

    fn scene<'a>(&'a self, system: &'a System) -> Scene<'a> {
        let AnswerArgs { color, print_negative_tuples: negative, .. } = self.args.answer;
        let style = TraceStyle { palette: stdout_palette(color), negative, sources: Some(self.sources) };
        Scene { system, sources: self.sources, formula: self.formula, style }
    }

    /// Returns the text that follows the list of depths.
    fn ending(&self, system: &System, certificate: Option<String>) -> String {
        let AnswerArgs { color, quiet, .. } = self.args.answer;
        let palette = stdout_palette(color);
        let mut text = String::new();
        match self.depths.last().map(|depth| (&depth.outcome, depth.steps)) {
            Some((Outcome::Violated(violation), steps)) => {
                text.push('\n');
                text.push_str(&report::violation_text(self.scene(system), steps, violation));
                if self.args.relax {
                    text.push_str(&report::relaxed_text(system, violation));
                }
            }
            Some((Outcome::InternalError(what), _)) => {
                text.push('\n');
                text.push_str(&report::internal_error_text(what, self.sources, palette));
            }
            _ => {}
        }
        if !quiet {
            text.extend(certificate);
            let summary = report::summary_text(system, &self.depths, self.aim());
            text.push_str(&format!("\n{summary}{}\n", self.args.answer.time_text(self.start)));
            text.push_str(&unknown::explanations_text(&self.explanations()));
        }
        text
    }

    /// Builds the JSON document; `found` has the model's system, the one that was searched, and the targets.
    fn json(
        &self,
        out: &mut impl io::Write,
        model: &Model,
        found: Option<(&System, &System, &[Target])>,
        error: Option<Diagnostic>,
        verdict: Verdict,
    ) -> io::Result<()> {
        let stats = self.args.answer.stats;
        let mut diagnostics = model.diagnostics_dto(self.sources);
        diagnostics.extend(error.map(|it| ramsey_report::json::diagnostics::to_dto(&it, self.sources)));
        let properties = found.map_or(Vec::new(), |(system, _, targets)| {
            targets
                .iter()
                .map(|&target| report::property_dto(system, target, self.sources, self.formula))
                .collect()
        });
        let violation = self.depths.last().and_then(|depth| match &depth.outcome {
            Outcome::Violated(violation) => {
                report::violation_dto(self.scene(found?.1), depth.steps, violation)
            }
            _ => None,
        });
        let head = Head {
            diagnostics,
            explanations: self.explanations(),
            seconds: stats.then(|| self.start.elapsed().as_secs_f64()),
            ..Head::from(verdict)
        };
        let content = dto::BoundedContent {
            path: model.name.clone(),
            relaxed: self.args.relax,
            depth: self.args.depth,
            properties,
            depths: self
                .depths
                .iter()
                .map(|depth| report::depth_dto(found.map(|it| it.1), depth, stats))
                .collect(),
            by_induction: report::is_by_induction(&self.depths),
            violation,
        };
        out.write_all(Document::new(head, content).text()?.as_bytes())
    }
}

/// Searches the relaxed form of a system and of its targets.
fn relaxed(system: &System, mut options: Options) -> Bmc {
    let mut relaxed = Relaxed::new(system);
    for target in &mut options.targets {
        if let Target::Formula(formula) = target {
            *formula = relaxed.relativize(*formula);
        }
    }
    Bmc::relaxed(&relaxed, options)
}
