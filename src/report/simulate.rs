//! Simulated walks: verdict, text and data of the document.

use std::fmt::Write as _;

use super::finding::{Claim, Known, Refutation, Subject};
use super::json::dto::{self, BlockedStep};
use super::json::simulate::{Ending, SimulateContent, SortSize, ViolatedClaim};
use super::json::{View, bindings_dto, counterexample};
use super::outcome::EndReason;
use super::render::{Render, Shown};
use super::trace::{
    Stretch, TraceStyle, call_text, call_values, falsification_parts, refutation_text, stretch_text,
    violated_text, violating_text,
};
use super::{Names, Palette, Verdict};
use ramsey_core::base::span::Sources;
use ramsey_core::logic::SortId;
use ramsey_core::system::{Site, System};
use ramsey_engine::query::Call;
use ramsey_engine::query::simulate::{self, Blocked, Departure, End, Simulator, Violation};
use ramsey_kernel::obligations::Property;
use ramsey_solver::ask::Failure;
use std::sync::Arc;

/// Returns the violated claim.
pub fn claim_of<'a>(system: &'a System, violation: &Violation) -> Claim<'a> {
    Claim::of_property(system, property(violation))
}

fn property(violation: &Violation) -> Property {
    match violation.claim {
        simulate::Claim::Invariant(index) => Property::Invariant(index),
        simulate::Claim::Assertion(index) => Property::Assertion(index),
    }
}

/// Checks whether a violation shows that the system is unsafe; other invariants may merely be badly chosen.
fn is_unsafe(system: &System, violation: &Violation) -> bool {
    claim_of(system, violation).subject != Subject::Invariant
}

/// A walk with its end.
pub struct Walked {
    /// The model.
    pub system: Arc<System>,
    /// The walk.
    pub simulator: Simulator,
    /// Its end.
    pub end: Result<End, Failure>,
}

/// The answer of `ramsey simulate`.
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Its source texts.
    pub sources: &'a Sources,
    /// The walk; `None` if it did not begin.
    pub walked: Option<Walked>,
}

impl Render for Report<'_> {
    type Content = SimulateContent;

    fn verdict(&self) -> Option<Verdict> {
        let Walked { system, simulator, end } = self.walked.as_ref()?;
        let violated = simulator.violations().iter().any(|violation| is_unsafe(system, violation));
        let ended = Verdict::from(EndReason::from(end));
        Some(if violated { ended.max(Verdict::Counterexample) } else { ended })
    }

    /// Returns the text that follows the states.
    fn text(&self, shown: Shown) -> String {
        let Some(Walked { system, simulator, end }) = &self.walked else { return String::new() };
        let begin = if simulator.state().is_some() { "\n" } else { "" };
        begin.to_owned() + &end_text(system, simulator, end, shown.palette)
    }

    fn content(&self, shown: Shown) -> SimulateContent {
        let content = SimulateContent { path: self.path.to_owned(), ..SimulateContent::default() };
        let Some(Walked { system, simulator, end }) = &self.walked else { return content };
        let (execution, violations, ending) = walk(system, simulator, end, self.sources, shown.negative);
        let never = never_taken(system, simulator).into_iter().map(str::to_owned);
        SimulateContent {
            execution,
            violations,
            end: Some(ending),
            never_taken: simulator.state().map(|_| never.collect()),
            sizes_tried: Some(sizes_tried(simulator)),
            ..content
        }
    }
}

/// Returns the state of a violation with everything that is needed to show it.
pub fn refutation<'a>(
    system: &'a System,
    simulator: &'a Simulator,
    violation: &'a Violation,
) -> Refutation<'a> {
    let assertion = match property(violation) {
        Property::Invariant(_) => None,
        Property::Assertion(index) => Some(index),
    };
    Refutation {
        system,
        syntax: simulator.syntax(),
        found: &violation.counterexample,
        known: Known { assertion, ..Known::default() },
    }
}

/// Returns the violated assertion if it belongs to the part before the initial states.
pub fn before_init(system: &System, violation: &Violation) -> Option<usize> {
    match violation.claim {
        simulate::Claim::Assertion(index) => (system.assertions[index].site == Site::Init).then_some(index),
        simulate::Claim::Invariant(_) => None,
    }
}

/// Incremental printer of a walk.
#[derive(Debug)]
pub struct WalkPrinter<'a> {
    system: &'a System,
    style: TraceStyle<'a>,
    /// Whether violations before the initial states were printed.
    has_begun: bool,
    /// Number of states printed.
    printed: usize,
}

impl<'a> WalkPrinter<'a> {
    /// Creates a printer that has printed nothing.
    pub fn new(system: &'a System, style: TraceStyle<'a>) -> Self {
        WalkPrinter { system, style, has_begun: false, printed: 0 }
    }

    /// Returns the states added since the last call, with the violations in them.
    pub fn advance(&mut self, simulator: &Simulator) -> String {
        let WalkPrinter { system, style, .. } = *self;
        let mut out = String::new();
        let sig = simulator.sig();
        if !std::mem::replace(&mut self.has_begun, true) {
            for violation in simulator.violations() {
                if before_init(system, violation).is_none() {
                    continue;
                }
                let claim = claim_of(system, violation).title();
                let title = format!("violated before the initial states: {claim}");
                out.push_str(&format!("  {}\n", style.palette.bold(&title)));
                out.push_str(&refutation_text(refutation(system, simulator, violation), style));
                out.push('\n');
            }
        }
        // A state is printed by its differences from the previous one.
        let first = self.printed.saturating_sub(1);
        let printed = self.printed - first;
        let Some(structure) = simulator.structure_from(first) else { return out };
        let states = structure.states().max(1);
        if states == printed {
            return out;
        }
        self.printed = first + states;
        let remark = |step: usize, names: &Names| -> String {
            // Violations are ordered by state.
            let violations = simulator.violations();
            let first = violations.partition_point(|it| it.state < step);
            let here = violations[first..].iter().take_while(|it| it.state == step);
            let here = here.filter(|it| before_init(system, it).is_none());
            here.map(|violation| violation_text(system, simulator, violation, names, style)).collect()
        };
        let calls = simulator.calls().get(first..).unwrap_or_default();
        let stretch = Stretch { first, printed, calls };
        out + &stretch_text(system, sig, &structure, stretch, style, remark)
    }
}

fn violation_text(
    system: &System,
    simulator: &Simulator,
    violation: &Violation,
    names: &Names,
    style: TraceStyle,
) -> String {
    let what = format!("violated: {}", claim_of(system, violation).title());
    if let simulate::Claim::Assertion(index) = violation.claim {
        let found = &violation.counterexample;
        if let Some(text) = violating_text(system, simulator.sig(), found, index, names, style) {
            let title = format!("{what} by an execution from state {}", violation.state);
            return format!("  {}\n{text}", style.palette.bold(&title));
        }
    }
    let falsification = &violation.counterexample.falsification;
    let (formula, bindings) = falsification_parts(simulator.syntax(), names, falsification);
    violated_text(&what, Some(violation.state), &formula, &bindings, style.palette)
}

/// Returns the number of distinct violated claims.
fn violated_claims(system: &System, simulator: &Simulator) -> usize {
    let mut claims: Vec<simulate::Claim> = Vec::new();
    for violation in simulator.violations().iter().filter(|it| is_unsafe(system, it)) {
        if !claims.contains(&violation.claim) {
            claims.push(violation.claim);
        }
    }
    claims.len()
}

fn end_text(system: &System, simulator: &Simulator, end: &Result<End, Failure>, palette: Palette) -> String {
    let taken = simulator.calls().len();
    let noun = if taken == 1 { "step" } else { "steps" };
    let violated = violated_claims(system, simulator);
    let mut out = match end {
        Ok(End::Steps) => format!("{taken} {noun}"),
        Ok(End::Reached) => format!("{taken} {noun}: the transition to stop after was taken"),
        Ok(End::Violated) => format!("{taken} {noun}: stopped at a violation"),
        Ok(End::Deadlock(_)) => format!("{taken} {noun}, then a deadlock: no transition can be taken"),
        Ok(End::Disabled(blocked)) => {
            let name = &system.transitions[blocked.transition].name;
            format!("{taken} {noun}, then transition `{name}` cannot be taken")
        }
        Ok(End::NoInitialState) => {
            format!("there is no initial state of the sizes that were tried: {}", sizes_text(simulator))
        }
        Ok(End::Departed(departure)) => departure_text(system, simulator, departure),
        Err(Failure::Exhausted(exhausted)) => {
            format!("{taken} {noun}, then a limit was reached: {exhausted}")
        }
        Err(Failure::Misuse(what)) => format!("{taken} {noun}, then: {what}"),
        Err(Failure::Internal(what)) => format!("internal error: {what}; please report this with the model"),
    };
    match violated {
        0 => out.push('\n'),
        1 => out.push_str(&format!("; {}\n", palette.bad("a claim is violated"))),
        many => out.push_str(&format!("; {}\n", palette.bad(&format!("{many} claims are violated")))),
    }
    match end {
        Ok(End::Deadlock(all)) => {
            all.iter().for_each(|blocked| out.push_str(&blocked_text(system, simulator, blocked)));
        }
        Ok(End::Disabled(blocked)) => out.push_str(&blocked_text(system, simulator, blocked)),
        _ => {}
    }
    let never = never_taken(system, simulator);
    if simulator.is_random() && !never.is_empty() {
        let _ = writeln!(out, "  never taken: {}", never.join(", "));
    }
    if matches!(end, Ok(End::Deadlock(_))) && simulator.calls().is_empty() {
        let _ = writeln!(out, "  sizes tried: {}", sizes_text(simulator));
    }
    out
}

/// Returns where a given execution ceases to be one of the model.
fn departure_text(system: &System, simulator: &Simulator, departure: &Departure) -> String {
    let Departure { state, transition, falsified } = departure;
    if let Some((structure, falsification)) = falsified {
        let what = if *state == 0 { "initial state" } else { "state" };
        let names = Names::new(system, simulator.sig(), structure, 0);
        let (formula, bindings) = falsification_parts(simulator.syntax(), &names, falsification);
        let values: Vec<String> = bindings.iter().map(|(var, value)| format!("{var} = {value}")).collect();
        let with = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
        return format!("state {state} is no {what} of the model: false: {formula}{with}");
    }
    let before = state.saturating_sub(1);
    match transition.and_then(|index| system.transitions.get(index)) {
        Some(transition) => {
            format!("`{}` does not lead from state {before} to state {state}", transition.name)
        }
        None => format!("no transition leads from state {before} to state {state}"),
    }
}

/// Returns the transitions that were never taken, in the order of the source.
fn never_taken<'a>(system: &'a System, simulator: &Simulator) -> Vec<&'a str> {
    let is_taken = |index: usize| simulator.calls().iter().any(|call| call.transition == index);
    let transitions = system.transitions.iter().enumerate();
    transitions.filter(|&(index, _)| !is_taken(index)).map(|(_, it)| it.name.as_str()).collect()
}

/// Returns the sizes at which an initial state was searched for: `node=3 value=3; node=2 value=2`.
fn sizes_text(simulator: &Simulator) -> String {
    let sig = simulator.sig();
    let all: Vec<String> = simulator
        .tried()
        .iter()
        .map(|sizes| {
            let text = |sort| format!("{}={}", sig.sorts[sort].name, sizes[sort]);
            sig.uninterpreted_sorts().map(text).collect::<Vec<String>>().join(" ")
        })
        .collect();
    if all.iter().all(String::is_empty) { "the model has no sort".to_owned() } else { all.join("; ") }
}

/// Returns a line that explains why a transition is disabled.
pub fn blocked_text(system: &System, simulator: &Simulator, blocked: &Blocked) -> String {
    let Some(state) = simulator.state() else { return String::new() };
    let names = Names::new(system, simulator.sig(), state, 0);
    let mut out = match &blocked.args {
        Some(args) => {
            let call = Call { transition: blocked.transition, args: args.clone() };
            format!("  {}: ", call_text(system, &names, &call, &[]))
        }
        None => format!("  {}: ", system.transitions[blocked.transition].name),
    };
    let Some(falsification) = &blocked.falsification else {
        out.push_str("no values of its parameters and no next state satisfy it\n");
        return out;
    };
    let (formula, bindings) = falsification_parts(simulator.syntax(), &names, falsification);
    let _ = write!(out, "false: {formula}");
    for (at, (var, value)) in bindings.iter().enumerate() {
        let _ = write!(out, "{} {var} = {value}", if at == 0 { " for" } else { "," });
    }
    out.push('\n');
    out
}

/// Returns the sizes at which an initial state was searched for.
fn sizes_tried(simulator: &Simulator) -> Vec<Vec<SortSize>> {
    let sig = simulator.sig();
    let sizes = simulator.tried().iter().map(|sizes| {
        let of = |sort: SortId| SortSize { sort: sig.sorts[sort].name.clone(), size: sizes[sort] };
        sig.uninterpreted_sorts().map(of).collect()
    });
    sizes.collect()
}

/// Returns the execution of a walk, its violations and its end.
fn walk(
    system: &System,
    simulator: &Simulator,
    end: &Result<End, Failure>,
    sources: &Sources,
    negative: bool,
) -> (Option<dto::Execution>, Vec<ViolatedClaim>, Ending) {
    let structure = simulator.structure();
    let view = View { system, sig: simulator.sig(), sources, prophecy: &[], negative, is_initial: true };
    let states = structure.as_ref().map(|structure| view.execution(structure, simulator.calls()));
    let violations = simulator.violations().iter();
    let violations = violations.map(|it| violated(system, simulator, it, view)).collect();
    (states, violations, ending(system, simulator, end))
}

fn violated(system: &System, simulator: &Simulator, violation: &Violation, view: View<'_>) -> ViolatedClaim {
    let claim = claim_of(system, violation);
    let refutation = refutation(system, simulator, violation);
    let dto::Counterexample { execution, violated } = counterexample(refutation, view.sources, view.negative);
    let violated = dto::Violated { state: violation.state, ..violated };
    let before = before_init(system, violation).map(|_| execution);
    let line = claim.line_column(view.sources).map_or(0, |(line, _)| line);
    ViolatedClaim { kind: claim.subject, label: claim.label.into_owned(), line, violated, before }
}

fn ending(system: &System, simulator: &Simulator, end: &Result<End, Failure>) -> Ending {
    let detail = match end {
        Ok(End::Departed(departure)) => Some(departure_text(system, simulator, departure)),
        Ok(_) => None,
        Err(Failure::Exhausted(exhausted)) => Some(exhausted.to_string()),
        Err(Failure::Internal(what) | Failure::Misuse(what)) => Some(what.clone()),
    };
    let blocked: &[Blocked] = match end {
        Ok(End::Deadlock(all)) => all,
        Ok(End::Disabled(blocked)) => std::slice::from_ref(blocked),
        _ => &[],
    };
    let blocked = blocked.iter().filter_map(|it| blocked_step(system, simulator, it)).collect();
    Ending { reason: end.into(), detail, blocked }
}

/// Returns the reason why a transition is disabled; `None` if the walk has no state.
pub fn blocked_step(system: &System, simulator: &Simulator, blocked: &Blocked) -> Option<BlockedStep> {
    let names = Names::plain(simulator.sig(), simulator.state()?);
    let params = blocked.args.as_ref().map(|args| {
        let call = Call { transition: blocked.transition, args: args.clone() };
        bindings_dto(call_values(system, &names, &call, &[]).1)
    });
    let falsification = blocked
        .falsification
        .as_ref()
        .map(|falsification| falsification_parts(simulator.syntax(), &names, falsification));
    let (formula, bindings) = falsification.unzip();
    Some(BlockedStep {
        name: system.transitions[blocked.transition].name.clone(),
        params,
        formula,
        bindings: bindings_dto(bindings.unwrap_or_default()),
    })
}
