//! `ramsey mc`: eager abstraction.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::McArgs;
use super::certify::Written;
use super::files::{check_parents, write_whole};
use super::instance::{Kind, circuit_size, kind, too_large};
use super::lemmas::lift;
use super::output::stdout_palette;
use super::progress::Progress;
use super::revision::Failure;
use super::select::{named, not_claimed};
use super::shared::Model;
use super::signals;
use super::sources::display;
use ramsey_circuit::eager::Abstraction;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::mc::{Answer, Claims, Execution, Options, Outcome, Replay};
use ramsey_engine::query::suggest::Suggestion;
use ramsey_engine::query::verify::Limits;
use ramsey_kernel::vc::Property;
use ramsey_lang::aiger::{write_ascii, write_binary};
use ramsey_lang::prophecy::Prophecies;
use ramsey_report::Verdict;
use ramsey_report::bmc::{Scene, internal_error_text, property_dto, violation_dto, violation_text};
use ramsey_report::brief;
use ramsey_report::json::mc::{McAnswer, McContent, McInvariant, McStep};
use ramsey_report::mc::{answer_text, changes, fact_text, replay_text, step_text};
use ramsey_report::mc::{suggestion_dtos, suggestions_text};
use ramsey_report::outcome::McOutcome;
use ramsey_report::trace::TraceStyle;

/// Work units to find an execution of the model for one of the abstraction.
const REPLAY: u64 = 20_000_000;

/// Decides the claims of a model by eager abstraction.
pub(super) fn run(args: &McArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = Budget::new(None, Some(args.limits.clocks(start).probe()));
    let mut model = Model::read(&args.path, args.language, args.strictness, &mut sources, reading);
    let prophecies = model.prophecies(&sources);
    let wanted = wanted(args, &mut model);
    model.diagnostics.extend(check_parents([&args.out, &args.lemmas, &args.certify]));
    model.print_new((args.format, args.color), &sources);
    let mut run = Run {
        args,
        sources: &sources,
        start,
        content: McContent { path: model.name.clone(), ..McContent::default() },
        errors: Vec::new(),
        verdict: Verdict::without_answer(&model.diagnostics),
        out: Vec::new(),
    };
    if model.verdict() == Verdict::Ok
        && let (Some(system), Some(prophecies)) = (model.system.take(), prophecies)
    {
        run.verdict = Verdict::Ok;
        let mut budget = run.budget();
        let Prophecies { system: goals_system, goals, instances } = prophecies;
        let claims = Claims::new(Arc::clone(&system), goals_system, &goals, &instances, &mut budget);
        run.answer(&model, &system, &claims, &wanted)?;
    }
    run.end(&model)
}

/// Returns the claims with these names; empty for all. What does not fit is added to the diagnostics of the model.
fn wanted(args: &McArgs, model: &mut Model) -> Vec<Property> {
    let Some(system) = &model.system else { return Vec::new() };
    let mut errors = Vec::new();
    let mut wanted = Vec::new();
    for name in &args.property {
        let found = named(system, name);
        if found.is_empty() {
            errors.push(not_claimed(system, "--property", name, ""));
        }
        wanted.extend(found.into_iter().filter(|property| !wanted.contains(property)).collect::<Vec<_>>());
    }
    if let Some(path) = &args.out {
        if !matches!(kind(path), Some(Kind::Binary | Kind::Ascii)) {
            let what = format!("--out: `{}` does not tell the format", path.display());
            let error = Diagnostic::error_nowhere(Code::Usage, what);
            errors.push(error.help("a name that ends in `.aig` or `.aag` is for AIGER"));
        } else if wanted.len() > 1 {
            let error = Diagnostic::error_nowhere(Code::Usage, "--out: several claims have several circuits");
            errors.push(error.help("name one claim with `--property`"));
        }
    }
    if system.invariants.is_empty() && system.assertions.is_empty() {
        let error = Diagnostic::error_nowhere(Code::NothingToCheck, "the model claims nothing of its states");
        errors.push(error.help("declare an `invariant`"));
    }
    model.diagnostics.extend(errors);
    wanted
}

/// State of a run.
struct Run<'a> {
    args: &'a McArgs,
    sources: &'a Sources,
    start: Instant,
    content: McContent,
    /// Errors beside those of the model.
    errors: Vec<Diagnostic>,
    verdict: Verdict,
    /// The text of the answers.
    out: Vec<u8>,
}

impl Run<'_> {
    fn budget(&self) -> Budget {
        Budget::new(self.args.limits.work, Some(self.args.limits.clocks(self.start).probe()))
    }

    fn answer(
        &mut self,
        model: &Model,
        system: &System,
        claims: &Claims,
        wanted: &[Property],
    ) -> io::Result<()> {
        let palette = stdout_palette(self.args.color);
        signals::end_with_summary();
        let progress = Progress::new(!self.args.quiet);
        let all = claims.properties();
        let asked: Vec<Property> =
            all.iter().copied().filter(|it| wanted.is_empty() || wanted.contains(it)).collect();
        let options = Options {
            max_nodes: self.args.max_nodes,
            generations: self.args.generations,
            seed: self.args.seed,
            replay: REPLAY,
            lemmas: self.args.lemmas.is_some(),
        };
        let mut answers = Vec::new();
        let mut proposed = Vec::new();
        for &property in &asked {
            progress.say(|| format!("abstracting {}", property.label(system)));
            let mut answer = claims.answer(property, &options, &mut self.budget());
            progress.say(|| format!("prophecy variables for {}", property.label(system)));
            let mut suggestions =
                claims.suggestions(&answer, self.args.auto_prophecy, &options, &self.budget());
            // Which prophecy variables there are makes no difference to what the claim says.
            if self.args.auto_prophecy
                && let Some((abstraction, outcome)) = suggestions.iter_mut().find_map(|it| it.proved.take())
            {
                answer.outcome = outcome;
                answer.abstraction = Some(abstraction);
            }
            answers.push(answer);
            proposed.push(suggestions);
            progress.clear();
        }
        // Each proof assumes all claims of the past, so it stands if all claims are proved.
        let is_joint = asked.len() == all.len()
            && answers.iter().all(|answer| matches!(answer.outcome, Outcome::Safe { .. }));
        if !self.args.quiet {
            writeln!(self.out, "{}", palette.bold(&model.name))?;
        }
        for (answer, suggestions) in answers.iter().zip(&proposed) {
            self.tell(system, (answer, suggestions), is_joint)?;
        }
        if let Some(path) = &self.args.lemmas {
            self.lift(path, model, system, &answers, is_joint)?;
        }
        Ok(())
    }

    /// Writes the model with the lemmas of the proofs.
    fn lift(
        &mut self,
        path: &Path,
        model: &Model,
        system: &System,
        answers: &[Answer],
        is_joint: bool,
    ) -> io::Result<()> {
        let refused = |why: &str| format!("  `{}` is not written: {why}\n", display(path));
        let text = if is_joint {
            let probe = self.args.limits.clocks(self.start).factory();
            let limits = Limits { work: self.args.limits.work, probe: Some(probe), ..Limits::default() };
            match lift(self.args, path, model, system, answers, self.sources, &limits) {
                Ok(lifted) => {
                    let text = lifted.text(path);
                    self.content.invariant = Some(McInvariant {
                        path: display(path),
                        certificate: lifted.certificate.as_ref().map(Written::json),
                        lemmas: lifted.lemmas,
                    });
                    if self.args.quiet { String::new() } else { text }
                }
                Err(Failure::Exhausted(exhausted)) => {
                    self.verdict = self.verdict.max(Verdict::Unknown);
                    refused(&format!("the lemmas could not be verified ({exhausted})"))
                }
                Err(Failure::Undecidable(breach)) => {
                    self.verdict = self.verdict.max(Verdict::Unknown);
                    refused(&format!("the model may not claim the lemmas without `--no-strict`: {breach}"))
                }
                Err(Failure::Rejected(what)) => {
                    self.verdict = Verdict::InternalError;
                    let palette = stdout_palette(self.args.color);
                    internal_error_text(&what, self.sources, palette)
                }
                Err(Failure::Output(error)) => {
                    self.errors.push(error);
                    self.verdict = self.verdict.max(Verdict::BadInput);
                    return Ok(());
                }
            }
        } else {
            refused("not all claims are proved")
        };
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn tell(
        &mut self,
        system: &System,
        (answer, suggestions): (&Answer, &[Suggestion]),
        is_joint: bool,
    ) -> io::Result<()> {
        let palette = stdout_palette(self.args.color);
        let outcome = McOutcome::new(&answer.outcome, is_joint);
        let verdict = Verdict::from(outcome);
        self.verdict = self.verdict.max(verdict);
        if !self.args.quiet || verdict != Verdict::Ok {
            self.out.extend_from_slice(answer_text(system, answer, is_joint, palette).as_bytes());
        }
        let target = Target::Model(answer.property);
        let mut dto = McAnswer {
            property: property_dto(system, target, self.sources, None),
            circuit: answer.abstraction.as_deref().map(|it| circuit_size(&it.circuit)),
            outcome,
            reason: None,
            clauses: None,
            execution: None,
            violation: None,
            suggestions: suggestion_dtos(answer, suggestions),
            stats: None,
        };
        if self.args.stats {
            for (label, value) in answer.stats.printed() {
                writeln!(self.out, "    {label:<12} {value}")?;
            }
            let rows = answer.stats.printed().map(|(label, value)| (label.to_owned(), value));
            dto.stats = Some(rows.collect());
        }
        match &answer.outcome {
            Outcome::Safe { clauses, .. } => dto.clauses = Some(*clauses),
            Outcome::Unknown(exhausted) => dto.reason = Some(exhausted.to_string()),
            Outcome::Refused(refusal) => dto.reason = Some(refusal.to_string()),
            Outcome::InternalError(what) => {
                let text = internal_error_text(what, self.sources, palette);
                self.out.extend_from_slice(text.as_bytes());
                dto.reason = Some(what.clone());
            }
            Outcome::Violated(execution) => {
                if let Some(abstraction) = &answer.abstraction {
                    self.tell_execution(system, abstraction, (answer.property, execution), &mut dto);
                }
            }
        }
        if !self.args.quiet || verdict != Verdict::Ok {
            self.out.extend_from_slice(suggestions_text(answer, suggestions).as_bytes());
        }
        self.content.answers.push(dto);
        if let (Some(path), Some(abstraction)) = (self.args.out.as_deref(), &answer.abstraction) {
            let mut bytes = Vec::new();
            let written = match abstraction.circuit.to_aiger(Vec::new()) {
                Some(file) => {
                    match kind(path) {
                        Some(Kind::Ascii) => write_ascii(&file, &mut bytes)?,
                        _ => write_binary(&file, &mut bytes)?,
                    }
                    write_whole(path, &bytes)
                }
                None => Err(too_large("--out")),
            };
            match written {
                Ok(()) if self.args.quiet => {}
                Ok(()) => writeln!(self.out, "  circuit {}: {} bytes", path.display(), bytes.len())?,
                Err(error) => {
                    self.errors.push(error);
                    self.verdict = self.verdict.max(Verdict::BadInput);
                }
            }
        }
        Ok(())
    }

    fn tell_execution(
        &mut self,
        system: &System,
        abstraction: &Abstraction,
        (property, execution): (Property, &Execution),
        dto: &mut McAnswer,
    ) {
        let palette = stdout_palette(self.args.color);
        dto.reason = replay_text(system, execution);
        let last = execution.steps.len().saturating_sub(1);
        let steps = execution.steps.iter().zip(changes(&execution.steps)).enumerate();
        let steps = steps.map(|(index, (step, facts))| McStep {
            facts: facts.into_iter().map(|(term, known)| fact_text(abstraction, term, known)).collect(),
            transition: step_text(system, abstraction, step).filter(|_| index < last),
        });
        dto.execution = Some(steps.collect());
        let Replay::Real(violation) = &execution.replay else {
            let execution = (property, execution);
            let text = brief::execution_text(system, abstraction, execution, self.args.full, palette);
            self.out.extend_from_slice(text.as_bytes());
            return;
        };
        let style = TraceStyle { palette, negative: false, sources: Some(self.sources) };
        let scene = Scene { system, sources: self.sources, formula: None, style };
        let is_before = matches!(violation.target, Target::Model(it) if it.is_before_init(system));
        let steps = u16::try_from(violation.counterexample.calls.len()).ok().filter(|_| !is_before);
        // What comes before the first state is told as it was executed.
        let text = if self.args.full || is_before { violation_text } else { brief::violation_text };
        self.out.extend_from_slice(text(scene, steps, violation).as_bytes());
        dto.violation = violation_dto(scene, steps, violation);
    }

    /// Writes the answers.
    fn end(mut self, model: &Model) -> io::Result<Verdict> {
        let seconds = self.args.stats.then(|| self.start.elapsed().as_secs_f64());
        let content = std::mem::take(&mut self.content);
        let how = (self.args.format, self.args.color);
        model.write_answers(&self.out, &self.errors, how, self.sources, (self.verdict, seconds), content)?;
        Ok(self.verdict)
    }
}
