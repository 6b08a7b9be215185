//! Which claims are preserved by which transitions.

use serde::Serialize;
use serde_json::{Value, json};

use super::context::{Context, Failed, Progress};
use crate::base::span::Span;
use crate::forms::Pretty;
use crate::query::vacuity::Vacuity;
use crate::query::verify::{self, Plan};
use crate::query::{GroupResult, ObligationResult, Outcome, Verification};
use crate::system::{Site, System};
use crate::ui::loader::Model;
use crate::vc::Origin;

/// Name of the column of initial states.
pub(super) const INIT: &str = "init";
/// Name of the column of the part after the loop.
pub(super) const FINAL: &str = "final";

/// A claim of the model.
#[derive(Serialize)]
struct ClaimDto<'a> {
    label: &'a str,
    /// `safety`, `invariant` or `assertion`.
    kind: &'static str,
    formula: String,
    line: Option<usize>,
    /// Where it comes from, if it was not in the model at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
}

/// A transition of the model, or the initial part.
#[derive(Serialize)]
struct ActionDto {
    name: String,
    title: String,
    params: Vec<String>,
    line: Option<usize>,
}

/// An answer to an obligation.
#[derive(Serialize)]
struct CellDto<'a> {
    claim: &'a str,
    action: &'a str,
    /// `ok`, `failed`, `unknown` or `error`.
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(super) fn answer(context: &Context<'_>, progress: Progress<'_>) -> Result<Value, Failed> {
    let Context { system, model, limits, .. } = *context;
    let options = verify::Options { all: true, minimize: false, ..verify::Options::default() };
    let plan = Plan::new(std::sync::Arc::new(system.without_proofs()), options);
    let heads = json!({ "claims": claims(context), "actions": actions(system, model) });
    progress(json!({ "heads": heads, "cells": [] }));
    let mut cells: Vec<Value> = Vec::new();
    let mut counts = [0_usize; 3];
    let mut groups: Vec<GroupResult> = Vec::new();
    for group in 0..plan.groups() {
        let found = plan.run_group(group, limits);
        let new = cells_of(system, &found.results, &mut counts)?;
        if let Some(result) = found.results.iter().find(|it| is_cancelled(it)) {
            return Err(match &result.outcome {
                Outcome::Unknown(exhausted) => Failed::Exhausted(*exhausted),
                _ => Failed::Internal("an obligation was cancelled without a reason".to_owned()),
            });
        }
        progress(json!({ "cells": new }));
        cells.extend(new);
        groups.push(found);
    }
    Ok(told(system, heads, cells, counts, &plan.finish(groups).vacuities))
}

/// Returns the table of what a command has found out.
pub(super) fn known(context: &Context<'_>, verification: Option<&Verification>) -> Result<Value, Failed> {
    let Context { system, model, .. } = *context;
    let heads = json!({ "claims": claims(context), "actions": actions(system, model) });
    let mut counts = [0_usize; 3];
    let (results, vacuities) =
        verification.map_or((&[][..], &[][..]), |it| (it.results.as_slice(), it.vacuities.as_slice()));
    let cells = cells_of(system, results, &mut counts)?;
    Ok(told(system, heads, cells, counts, vacuities))
}

fn told(
    system: &System,
    heads: Value,
    cells: Vec<Value>,
    [ok, failed, unknown]: [usize; 3],
    vacuities: &[Vacuity],
) -> Value {
    let vacuous = vacuities.iter().map(|it| crate::report::vacuity::diagnostic(system, it).message);
    json!({
        "heads": heads,
        "cells": cells,
        "ok": ok,
        "failed": failed,
        "unknown": unknown,
        "vacuous": vacuous.collect::<Vec<_>>(),
    })
}

/// Returns the cells of obligations that were asked, one for each place, and counts those that hold, fail, and have no
/// answer.
fn cells_of(
    system: &System,
    results: &[ObligationResult],
    counts: &mut [usize; 3],
) -> Result<Vec<Value>, Failed> {
    let mut cells = Vec::new();
    let mut last = None;
    for result in results.iter().filter(|it| !matches!(it.outcome, Outcome::Skipped)) {
        let Some((claim, action)) = place(system, result.origin) else { continue };
        // There may be several counterexamples to an obligation.
        if last.replace(result.origin) == Some(result.origin) {
            continue;
        }
        let (outcome, reason) = outcome(result);
        let kind = match outcome {
            "ok" => 0,
            "failed" => 1,
            _ => 2,
        };
        counts[kind] += 1;
        cells.push(serde_json::to_value(CellDto { claim, action, outcome, reason })?);
    }
    Ok(cells)
}

fn is_cancelled(result: &ObligationResult) -> bool {
    matches!(result.outcome, Outcome::Unknown(crate::base::budget::Exhausted::Cancelled))
}

fn outcome(result: &ObligationResult) -> (&'static str, Option<String>) {
    match &result.outcome {
        Outcome::Holds { .. } => ("ok", None),
        Outcome::Fails(_) => ("failed", None),
        Outcome::Unknown(exhausted) => ("unknown", Some(exhausted.to_string())),
        Outcome::Skipped => ("unknown", Some("not asked".to_owned())),
        Outcome::InternalError(what) => ("error", Some(what.clone())),
    }
}

/// Returns the claim and the transition of an obligation; `None` if it has no place in the table.
pub(in crate::ui) fn place(system: &System, origin: Origin) -> Option<(&str, &str)> {
    let transition = |index: usize| system.transitions[index].name.as_str();
    Some(match origin {
        Origin::Initiation { invariant } => (system.invariants[invariant].label.as_str(), INIT),
        Origin::Consecution { transition: index, invariant } => {
            (system.invariants[invariant].label.as_str(), transition(index))
        }
        Origin::Assertion { assertion } => {
            let assertion = &system.assertions[assertion];
            let action = match assertion.site {
                Site::Init => INIT,
                Site::Transition(index) => transition(index),
                Site::Final => FINAL,
            };
            (assertion.label.as_str(), action)
        }
        _ => return None,
    })
}

fn claims(context: &Context<'_>) -> Value {
    let Context { system, model, state, .. } = *context;
    let invariants = system.invariants.iter().map(|it| {
        let origin = state.origins.iter().find(|origin| origin.claim == it.label);
        ClaimDto {
            label: &it.label,
            kind: if it.is_safety { "safety" } else { "invariant" },
            formula: Pretty::new(system.syntax(), it.formula).to_string(),
            line: model.line(it.span),
            from: origin.map(|origin| origin.from.as_str()),
        }
    });
    let assertions = system.assertions.iter().map(|it| ClaimDto {
        label: &it.label,
        kind: "assertion",
        formula: source_line(model, it.span),
        line: model.line(it.span),
        from: None,
    });
    json!(invariants.chain(assertions).collect::<Vec<_>>())
}

/// Returns the first line of a declaration.
fn source_line(model: &Model, span: Span) -> String {
    let text = model.sources.get(span.file).map_or("", |source| source.text.as_str());
    let declaration = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    declaration.lines().next().unwrap_or_default().trim().to_owned()
}

fn actions(system: &System, model: &Model) -> Value {
    let part = |name: &str| ActionDto {
        name: name.to_owned(),
        title: name.to_owned(),
        params: Vec::new(),
        line: None,
    };
    let mut actions = vec![part(INIT)];
    actions.extend(system.transitions.iter().map(|transition| {
        let params = transition.params.iter().map(|&var| system.terms.var_info(var).name.clone());
        ActionDto {
            name: transition.name.clone(),
            title: title(model, &transition.name, transition.span),
            params: params.collect(),
            line: model.line(transition.span),
        }
    }));
    if system.assertions.iter().any(|it| it.site == Site::Final) {
        actions.push(part(FINAL));
    }
    json!(actions)
}

/// Returns the title of a transition: the comment that begins its text, if that is short, or its name.
pub(super) fn title(model: &Model, name: &str, span: Span) -> String {
    const LONGEST: usize = 24;
    let text = model.sources.get(span.file).map_or("", |source| source.text.as_str());
    let text = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let inside = text.trim_start().strip_prefix('{').unwrap_or_default().trim_start();
    let comment = ["//", "#"].iter().find_map(|sign| inside.strip_prefix(sign));
    let comment = comment.and_then(|rest| rest.lines().next()).map(str::trim);
    match comment {
        Some(comment) if !comment.is_empty() && comment.chars().count() <= LONGEST => comment.to_owned(),
        _ => name.to_owned(),
    }
}
