//! Text and JSON output of the triage of claims by `ramsey cti --bound`.

use std::fmt::Write as _;

use super::Palette;
use super::bmc::{self, Scene, property_dto};
use super::finding::{Numbers, of_violation};
use super::json;
use super::json::cti::{RefutedDto, TriageDto};
use super::render::Shown;
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::triage::{Refuted, Triage};
use ramsey_kernel::obligations::Property;

/// A triage, and what was done about it.
#[derive(Clone, Copy, Debug)]
pub struct Triaged<'a> {
    /// The system whose claims were searched.
    pub system: &'a System,
    /// The number of steps of the longest executions.
    pub bound: u16,
    /// The result.
    pub triage: &'a Triage,
    /// The invariants that were taken out of the model.
    pub removed: &'a [usize],
}

impl Triaged<'_> {
    /// Returns each refuted claim of the model at `path` with its execution and what follows from it, then what is known of
    /// the others.
    pub(super) fn text(&self, path: &str, sources: &Sources, shown: Shown) -> String {
        let Triaged { system, triage, .. } = *self;
        let palette = shown.palette;
        let scene = Scene { system, sources, formula: None, style: shown.into() };
        let mut text = String::new();
        for refuted in &triage.refuted {
            text.push_str(&bmc::violation_text(scene, refuted.steps, &refuted.violation));
            let _ = writeln!(text, "{}\n", palette.bold(&self.advice(path, refuted)));
        }
        if let Some(what) = &triage.internal_error {
            text.push_str(&bmc::internal_error_text(what, sources, palette));
        }
        let _ = writeln!(text, "{}", checked_text(triage, palette));
        text
    }

    /// Returns what to do about a refuted claim.
    fn advice(&self, path: &str, refuted: &Refuted) -> String {
        let label = refuted.property.label(self.system);
        match refuted.property {
            Property::Invariant(index) if self.removed.contains(&index) => {
                format!("`{label}` is a comment in {path} from now on")
            }
            Property::Invariant(index) if !self.system.invariants[index].is_safety => {
                format!("no inductive invariant contains `{label}`: remove it or weaken it")
            }
            _ => "the model does what it must not: change the model or the claim".to_owned(),
        }
    }

    /// Returns the data of the document.
    pub(super) fn content(&self, sources: &Sources, shown: Shown) -> TriageDto {
        let Triaged { system, bound, triage, removed } = *self;
        let claims = (system, &Numbers::new(system));
        let refuted = |it: &Refuted| {
            let finding = of_violation(system, None, it.steps, &it.violation);
            let counterexample = |refutation| json::counterexample(refutation, sources, shown.negative);
            RefutedDto {
                property: property_dto(claims, Target::Model(it.property), sources, None),
                steps: it.steps,
                removed: matches!(it.property, Property::Invariant(index) if removed.contains(&index)),
                counterexample: finding.refutation().map(counterexample),
            }
        };
        let exhausted = triage.exhausted.map(|exhausted| exhausted.to_string());
        TriageDto {
            bound,
            checked: triage.checked,
            by_induction: triage.by_induction.is_some(),
            reason: triage.internal_error.clone().or(exhausted),
            refuted: triage.refuted.iter().map(refuted).collect(),
        }
    }
}

/// Returns the line on the claims that are not refuted.
fn checked_text(triage: &Triage, palette: Palette) -> String {
    let others = if triage.refuted.is_empty() { "no claim" } else { "no other claim" };
    if triage.by_induction.is_some() {
        return format!("{others} is false in a reachable state");
    }
    let mut line = match triage.checked {
        None => format!("it is not known whether {others} is false in an initial state"),
        Some(0) => format!("{others} is false in an initial state"),
        Some(steps) => {
            let noun = if steps == 1 { "step" } else { "steps" };
            format!("{others} is false in a state that is reached in at most {steps} {noun}")
        }
    };
    if let Some(exhausted) = triage.exhausted {
        line.push_str(&format!("; beyond that: {}", palette.caution(&format!("unknown ({exhausted})"))));
    }
    line
}

/// Returns the reason for a comment in the text of the model: `refuted after 3 steps`.
pub fn removal_reason(refuted: &Refuted) -> String {
    match refuted.steps {
        None | Some(0) => "refuted in an initial state".to_owned(),
        Some(1) => "refuted after 1 step".to_owned(),
        Some(steps) => format!("refuted after {steps} steps"),
    }
}
