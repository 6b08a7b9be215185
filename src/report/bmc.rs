//! Answers of `ramsey bmc`: verdict, text and data of the document.

use std::fmt::Write as _;
use std::sync::Arc;

use super::diagnostics::render_finding;
use super::finding::{Claim, Numbers, Status, of_failure, of_target, of_violation};
use super::json::{self, dto};
use super::outcome::DepthOutcome;
use super::render::{Render, Shown};
use super::results::{Context, Entry};
use super::simulate::{blocked_step, blocked_text};
use super::trace::{TraceStyle, execution_text, refutation_text};
use super::verify::{formula_excerpt, stats_text};
use super::{Palette, Verdict};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::system::System;
use ramsey_engine::query::Counterexample;
use ramsey_engine::query::bmc::{Basis, Depth, Outcome, Target, Violation};
use ramsey_engine::query::simulate::{Blocked, Simulator};
use ramsey_engine::query::verify::Limits;
use ramsey_kernel::obligations::Property;
use ramsey_kernel::obligations::Relaxed;
use ramsey_solver::formulas::Pretty;

/// The answer about executions up to a depth.
#[derive(Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Its source texts.
    pub sources: &'a Sources,
    /// Place of a formula of the command line.
    pub formula: Option<Span>,
    /// Number of steps of the longest executions.
    pub depth: u16,
    /// What was searched for.
    pub aim: Aim,
    /// What was found; `None` if nothing was searched.
    pub found: Option<Found>,
}

/// What was found up to a depth.
#[derive(Debug)]
pub struct Found {
    /// The model.
    pub system: Arc<System>,
    /// The system that was searched.
    pub searched: Arc<System>,
    /// Properties that were checked in every state.
    pub targets: Vec<Target>,
    /// The answers for each depth.
    pub depths: Vec<Depth>,
    /// The line about the certificate, if one was written.
    pub certificate: Option<String>,
}

impl Found {
    fn last(&self) -> Option<&Depth> {
        self.depths.last()
    }
}

impl Report<'_> {
    fn scene<'s>(&'s self, system: &'s System, shown: Shown) -> Scene<'s> {
        let style = TraceStyle { sources: Some(self.sources), ..shown.into() };
        Scene { system, sources: self.sources, formula: self.formula, style }
    }
}

impl Render for Report<'_> {
    type Content = dto::BoundedContent;

    fn verdict(&self) -> Option<Verdict> {
        let last = self.found.as_ref()?.last();
        Some(last.map_or(Verdict::Ok, |depth| DepthOutcome::from(&depth.outcome).into()))
    }

    fn exhausted(&self) -> Vec<Exhausted> {
        match self.found.as_ref().and_then(Found::last).map(|depth| &depth.outcome) {
            Some(&Outcome::Unknown(exhausted)) => vec![exhausted],
            _ => Vec::new(),
        }
    }

    /// Returns the text that follows the list of depths.
    fn text(&self, shown: Shown) -> String {
        let Some(found) = &self.found else { return String::new() };
        let mut text = String::new();
        match found.last().map(|depth| (&depth.outcome, depth.steps)) {
            Some((Outcome::Violated(violation), steps)) => {
                let scene = self.scene(&found.searched, shown);
                let _ = write!(text, "\n{}", violation_text(scene, steps, violation));
                if self.aim == Aim::Relaxed {
                    text.push_str(&relaxed_text(&found.searched, violation));
                }
            }
            Some((Outcome::InternalError(what), _)) => {
                let _ = write!(text, "\n{}", internal_error_text(what, self.sources, shown.palette));
            }
            _ => {}
        }
        if !shown.quiet {
            text.push_str(found.certificate.as_deref().unwrap_or_default());
            let summary = summary_text(&found.searched, &found.depths, self.aim);
            let _ = writeln!(text, "\n{summary}{}", shown.time_text());
        }
        text
    }

    fn entries(&self, shown: Shown) -> Vec<Entry> {
        let Some(found) = &self.found else { return Vec::new() };
        let context = Context {
            path: self.path,
            isolate: None,
            system: &found.searched,
            numbers: &Numbers::new(&found.searched),
            sources: self.sources,
            negative: shown.negative,
        };
        let last = found.last().map(|depth| (&depth.outcome, depth.steps));
        let reason = match last {
            Some((Outcome::Unknown(exhausted), _)) => Some(exhausted.to_string()),
            Some((Outcome::Undecided(transition), _)) => Some(open_text(&found.searched, *transition)),
            Some((Outcome::InternalError(what), _)) => Some(what.clone()),
            _ => None,
        };
        let checked = found.depths.iter().rev().find(|it| matches!(it.outcome, Outcome::Holds));
        let noun = if self.aim == Aim::Relaxed { "relaxed execution" } else { "execution" };
        let searched = match (basis(&found.depths), checked.and_then(|depth| depth.steps)) {
            (Some(_), _) => Some(format!("{noun} of any length")),
            (None, steps) => steps.map(|steps| format!("{noun} of at most {steps} steps")),
        };
        let searched = searched.as_deref();
        let entry = |target: &Target| {
            if let Some((Outcome::Violated(violation), steps)) = last
                && violation.target == *target
            {
                return Entry::of_claim(
                    &of_violation(&found.searched, self.formula, steps, violation),
                    context,
                );
            }
            let status = match last {
                Some((Outcome::Violated(_), _)) => Status::Skipped,
                Some((outcome, _)) => DepthOutcome::from(outcome).status(),
                None => Status::Skipped,
            };
            let claim = Claim::of_target(&found.searched, *target, self.formula);
            Entry::of_claim(
                &of_target(claim, status, (searched.unwrap_or(noun), searched), reason.clone()),
                context,
            )
        };
        found.targets.iter().map(entry).collect()
    }

    fn content(&self, shown: Shown) -> dto::BoundedContent {
        let mut content = dto::BoundedContent {
            path: self.path.to_owned(),
            relaxed: self.aim == Aim::Relaxed,
            depth: self.depth,
            is_shortest: true,
            ..dto::BoundedContent::default()
        };
        let Some(found) = &self.found else { return content };
        let claims = (&*found.system, &Numbers::new(&found.system));
        let property = |&target| property_dto(claims, target, self.sources, self.formula);
        content.properties = found.targets.iter().map(property).collect();
        content.depths = found.depths.iter().map(|it| depth_dto(&found.searched, it, shown.stats)).collect();
        content.by_induction = basis(&found.depths).is_some();
        content.is_shortest = is_shortest(&found.depths);
        content.violation = found.last().and_then(|depth| match &depth.outcome {
            Outcome::Violated(violation) => {
                violation_dto(self.scene(&found.searched, shown), depth.steps, violation)
            }
            _ => None,
        });
        content
    }
}

/// Returns the heading: the model and the targets that are checked.
pub fn heading_text(path: &str, system: &System, targets: &[Target], palette: Palette) -> String {
    let mut text = format!("{}\n", palette.bold(path));
    for &target in targets {
        if let Target::Deadlock(_) = target {
            text.push_str("  deadlock: can a state be reached in which no transition can be taken?\n");
            continue;
        }
        let claim = Claim::of_target(system, target, None);
        let (noun, label) = (claim.subject.noun(), &claim.label);
        let excerpt = formula_excerpt(system.syntax(), target.formula(system));
        let line = match claim.name {
            Some(name) => format!("{noun} {name}"),
            None if label.is_empty() => format!("{noun}  {}", palette.dim(&excerpt)),
            None => format!("{noun} {label}  {}", palette.dim(&excerpt)),
        };
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Returns the line of one depth, `depth 3  ok`, and its cost if that is shown.
pub fn depth_text(depth: &Depth, Shown { palette, stats, .. }: Shown) -> String {
    let answer = match &depth.outcome {
        Outcome::Holds if depth.by_induction.is_some() => format!("{} (by induction)", palette.good("ok")),
        Outcome::Holds => palette.good("ok"),
        Outcome::Violated(_) => palette.bad("VIOLATED"),
        Outcome::Unknown(exhausted) => palette.caution(&format!("unknown ({exhausted})")),
        Outcome::Undecided(_) => palette.caution("unknown (a transition may lead on)"),
        Outcome::InternalError(_) => palette.bad("INTERNAL ERROR"),
    };
    let line = match depth.steps {
        Some(steps) => format!("  depth {steps}  {answer}\n"),
        None => format!("  before the initial states  {answer}\n"),
    };
    if stats { line + &stats_text(&depth.statistics) } else { line }
}

/// Context in which an answer is printed.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// System over whose signature the execution is.
    pub system: &'a System,
    /// Source texts of the system.
    pub sources: &'a Sources,
    /// Span of a formula of the command line.
    pub formula: Option<Span>,
    /// Style in which the execution is printed.
    pub style: TraceStyle<'a>,
}

/// Returns a violation in full: the claim in its source and the execution; for a deadlock also the false part of each
/// transition's guard.
pub fn violation_text(scene: Scene<'_>, steps: Option<u16>, violation: &Violation) -> String {
    let Scene { system, sources, formula, style } = scene;
    let finding = of_violation(system, formula, steps, violation);
    let mut out = render_finding(&finding, sources, style.palette);
    out.push('\n');
    let style = TraceStyle { sources: Some(sources), ..style };
    if let Target::Deadlock(_) = violation.target {
        let Counterexample { structure, calls, .. } = &violation.counterexample;
        out.push_str(&execution_text(system, &system.sig, structure, calls, style));
        let _ = writeln!(out, "  {}", style.palette.bold("why no transition can be taken:"));
        for line in blocked(system, violation, blocked_text) {
            let _ = write!(out, "  {line}");
        }
    } else if let Some(refutation) = finding.refutation() {
        out.push_str(&refutation_text(refutation, style));
    }
    out
}

/// Explains for each transition why it is disabled in the last state.
fn blocked<T>(
    system: &System,
    violation: &Violation,
    explain: impl Fn(&System, &Simulator, &Blocked) -> T,
) -> Vec<T> {
    let Counterexample { structure, calls, .. } = &violation.counterexample;
    let state = structure.state(&system.sig, calls.len());
    let limits = Limits { work: Some(EXPLANATION), ..Limits::default() };
    let simulator = Simulator::at(Arc::new(system.clone()), state, limits);
    let all = simulator.all_blocked().unwrap_or_default();
    all.iter().map(|it| explain(system, &simulator, it)).collect()
}

/// Work units for explaining why transitions are disabled.
const EXPLANATION: u64 = 100_000_000;

/// Returns an internal error in full.
pub fn internal_error_text(what: &str, sources: &Sources, palette: Palette) -> String {
    render_finding(&of_failure(what), sources, palette)
}

/// Explains what a violation by a relaxed execution means for the model.
fn relaxed_text(system: &System, violation: &Violation) -> String {
    let calls = &violation.counterexample.calls;
    let mut text = String::new();
    if Relaxed::is_lossy(system, calls.iter().map(|call| call.transition)) {
        for line in [
            "in a step `relax` the elements that are no longer `active` disappear; each state has only those",
            "that are there. Formulas of the form `forall ..` without `exists` stay true when elements",
            "disappear, so no universally quantified inductive invariant implies the property",
        ] {
            let _ = writeln!(text, "  {line}");
        }
    } else {
        text.push_str(
            "  no element disappears: this is an execution of the model, and the property is violated\n",
        );
    }
    text
}

/// Returns the last line: the result of the run.
pub fn summary_text(system: &System, depths: &[Depth], aim: Aim) -> String {
    let noun = if aim == Aim::Relaxed { "relaxed execution" } else { "execution" };
    let is_deadlock = aim == Aim::Deadlock;
    let does = if is_deadlock { "ends in a deadlock" } else { "violates the property" };
    let shortest = if is_deadlock { "the shortest way to a deadlock" } else { "the shortest violation" };
    let checked = depths.iter().rev().find(|it| matches!(it.outcome, Outcome::Holds));
    let checked = match checked.and_then(|depth| depth.steps) {
        None => format!("no length of {noun}s has been checked"),
        Some(0) if is_deadlock => "no initial state is a deadlock".to_owned(),
        Some(0) => "no initial state violates the property".to_owned(),
        Some(1) => format!("no {noun} of at most 1 step {does}"),
        Some(steps) => format!("no {noun} of at most {steps} steps {does}"),
    };
    match depths.last().map(|depth| (&depth.outcome, depth.steps)) {
        Some((Outcome::Violated(_), Some(steps))) if !is_shortest(depths) => {
            format!("{checked}; one of {steps} steps does, and those between were not searched")
        }
        Some((Outcome::Violated(_), Some(1))) => format!("{shortest} has 1 step"),
        Some((Outcome::Violated(_), Some(steps))) => format!("{shortest} has {steps} steps"),
        Some((Outcome::Violated(_), None)) => "violated before the initial states".to_owned(),
        Some((Outcome::Unknown(Exhausted::Cancelled), _)) => {
            format!("{checked}; then the run was interrupted")
        }
        Some((Outcome::Unknown(exhausted @ (Exhausted::FormulaSize | Exhausted::Numbers)), _)) => {
            format!("{checked}; then there was no answer ({exhausted})")
        }
        Some((Outcome::Unknown(exhausted), _)) => format!("{checked}; then the {exhausted} ran out"),
        Some((Outcome::Undecided(transition), _)) => {
            format!("{checked}; then {}", open_text(system, *transition))
        }
        _ => match (basis(depths), is_deadlock) {
            (None, _) => checked,
            (Some(Basis::Invariants), true) => format!(
                "{checked},\nand none of any length: the invariants of the model imply that a transition can be taken"
            ),
            (Some(Basis::Lemmas), true) => {
                format!(
                    "{checked},\nand none of any length: an inductive invariant that was found implies that a transition can be taken"
                )
            }
            (Some(Basis::Invariants), false) => {
                format!(
                    "{checked},\nand none of any length: it is part of an inductive invariant of the model"
                )
            }
            (Some(Basis::Lemmas), false) => {
                format!(
                    "{checked},\nand none of any length: it is part of an inductive invariant that was found (see `ramsey infer`)"
                )
            }
        },
    }
}

/// Kind of execution that is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Executions that violate a property.
    Violation,
    /// Relaxed executions that violate a property.
    Relaxed,
    /// Executions that end in a deadlock.
    Deadlock,
}

/// Explains why the state found is no deadlock, and why no other state can be queried.
fn open_text(system: &System, transition: usize) -> String {
    let name = &system.transitions[transition].name;
    format!(
        "the state that was found has a way out by `{name}`, and no formula over one state says when `{name}` can be \
         taken: it relates the two states by more than updates"
    )
}

/// Checks whether no violation has fewer steps than the one that was found, if one was.
fn is_shortest(depths: &[Depth]) -> bool {
    depths.last().is_none_or(|depth| depth.is_shortest)
}

/// Returns what the properties were proved with for every length, if they were.
fn basis(depths: &[Depth]) -> Option<Basis> {
    depths.last().and_then(|depth| depth.by_induction)
}

/// Converts a target of a system, with the numbers of its claims, to JSON data. `place` is the place of a formula of the command line.
pub fn property_dto(
    (system, numbers): (&System, &Numbers),
    target: Target,
    sources: &Sources,
    place: Option<Span>,
) -> dto::BoundedProperty {
    let claim = Claim::of_target(system, target, place);
    let kind = match target {
        Target::Model(Property::Invariant(_)) => dto::PropertyKind::Invariant,
        Target::Model(Property::Assertion(_)) => dto::PropertyKind::Assertion,
        Target::Formula(_) => dto::PropertyKind::Formula,
        Target::Deadlock(_) => dto::PropertyKind::Deadlock,
    };
    let formula = target.formula(system);
    let formula = if system.terms.tree_size(formula) > 20_000 {
        "(a formula too large to print)".to_owned()
    } else {
        Pretty::new(system.syntax(), formula).to_string()
    };
    let fingerprint = claim.fingerprint(system, numbers).to_string();
    dto::BoundedProperty { kind, claim: json::claim_dto(&claim, sources), fingerprint, formula }
}

/// Converts the answer for one depth to JSON data.
fn depth_dto(system: &System, depth: &Depth, with_stats: bool) -> dto::BoundedDepth {
    let reason = match &depth.outcome {
        Outcome::Holds | Outcome::Violated(_) => None,
        Outcome::Unknown(exhausted) => Some(exhausted.to_string()),
        Outcome::Undecided(transition) => Some(open_text(system, *transition)),
        Outcome::InternalError(what) => Some(what.clone()),
    };
    let stats = with_stats.then(|| json::stats(&depth.statistics));
    dto::BoundedDepth { steps: depth.steps, outcome: (&depth.outcome).into(), reason, stats }
}

/// Converts a violation to JSON data.
pub fn violation_dto(
    scene: Scene<'_>,
    steps: Option<u16>,
    violation: &Violation,
) -> Option<dto::BoundedViolation> {
    let Scene { system, sources, formula, style } = scene;
    let finding = of_violation(system, formula, steps, violation);
    Some(dto::BoundedViolation {
        property: property_dto((system, &Numbers::new(system)), violation.target, sources, formula),
        counterexample: json::counterexample(finding.refutation()?, sources, style.negative),
        blocked: match violation.target {
            Target::Deadlock(_) => {
                Some(blocked(system, violation, blocked_step).into_iter().flatten().collect())
            }
            _ => None,
        },
    })
}
