//! A walk through a system as text.

use std::fmt::Write as _;

use super::trace::{TraceStyle, blamed, call_text, remarked_text, violated_text};
use super::{Names, Palette};
use crate::query::Call;
use crate::query::simulate::{Blocked, Claim, End, Failure, Simulator, Violation};
use crate::system::System;

/// What kind of claim it is, and how it is called.
pub fn claim_parts(system: &System, claim: Claim) -> (&'static str, &str) {
    match claim {
        Claim::Invariant(index) => {
            let it = &system.invariants[index];
            (if it.is_safety { "safety" } else { "invariant" }, &it.label)
        }
        Claim::Assertion(index) => ("assertion", &system.assertions[index].label),
    }
}

/// Whether a violation means that the system is not safe; other invariants may just be badly chosen.
pub fn is_unsafe(system: &System, violation: &Violation) -> bool {
    claim_parts(system, violation.claim).0 != "invariant"
}

/// The states, what is violated in them, and how the walk ended.
pub fn walk_text(
    system: &System,
    simulator: &Simulator,
    end: &Result<End, Failure>,
    style: TraceStyle,
) -> String {
    let palette = style.palette;
    let Some(structure) = simulator.structure() else { return end_text(system, simulator, end, palette) };
    let remark = |step: usize, names: &Names| -> String {
        let here = simulator.violations().iter().filter(|violation| violation.state == step);
        here.map(|violation| violation_text(system, simulator, violation, names, palette)).collect()
    };
    let mut out = remarked_text(system, simulator.sig(), &structure, simulator.calls(), style, remark);
    out.push('\n');
    out.push_str(&end_text(system, simulator, end, palette));
    out
}

fn violation_text(
    system: &System,
    simulator: &Simulator,
    violation: &Violation,
    names: &Names,
    palette: Palette,
) -> String {
    let (kind, label) = claim_parts(system, violation.claim);
    let (formula, bindings) = blamed(simulator.sig(), simulator.terms(), names, &violation.breach);
    let noun = if kind == "safety" { "safety property" } else { kind };
    violated_text(&format!("violated: {noun} `{label}`"), Some(violation.state), &formula, &bindings, palette)
}

fn end_text(system: &System, simulator: &Simulator, end: &Result<End, Failure>, palette: Palette) -> String {
    let taken = simulator.calls().len();
    let noun = if taken == 1 { "step" } else { "steps" };
    let violated = simulator.violations().iter().filter(|it| is_unsafe(system, it)).count();
    let mut out = match end {
        Ok(End::Steps) => format!("{taken} {noun}"),
        Ok(End::Reached) => format!("{taken} {noun}: the transition to stop after was taken"),
        Ok(End::Violated) => format!("{taken} {noun}: stopped at a violation"),
        Ok(End::Deadlock(_)) => format!("{taken} {noun}, then a deadlock: no transition can be taken"),
        Ok(End::Disabled(blocked)) => {
            let name = &system.transitions[blocked.transition].name;
            format!("{taken} {noun}, then transition `{name}` cannot be taken")
        }
        Err(Failure::NoInitialState) => {
            "there is no initial state of these sizes (as far as was looked)".to_owned()
        }
        Err(Failure::Exhausted(exhausted)) => {
            format!("{taken} {noun}, then a limit was reached: {exhausted}")
        }
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
    out
}

/// A line on why a transition cannot be taken.
fn blocked_text(system: &System, simulator: &Simulator, blocked: &Blocked) -> String {
    let Some(state) = simulator.state() else { return String::new() };
    let names = Names::new(simulator.sig(), state, 0);
    let mut out = match &blocked.args {
        Some(args) => {
            let call = Call { transition: blocked.transition, args: args.clone() };
            format!("  {}: ", call_text(system, &names, &call))
        }
        None => format!("  {}: ", system.transitions[blocked.transition].name),
    };
    let Some(breach) = &blocked.breach else {
        out.push_str("no values of its parameters and no next state satisfy it\n");
        return out;
    };
    let (formula, bindings) = blamed(simulator.sig(), simulator.terms(), &names, breach);
    let _ = write!(out, "false: {formula}");
    for (at, (var, value)) in bindings.iter().enumerate() {
        let _ = write!(out, "{} {var} = {value}", if at == 0 { " for" } else { "," });
    }
    out.push('\n');
    out
}
