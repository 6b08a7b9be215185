//! Which claims are preserved by which transitions.

use super::context::{Context, Failed, Progress};
use crate::models::Model;
use crate::reply::{Action, Answer, Cell, CellOutcome, Check, Claim, ClaimKind, Heads, Totals};
use ramsey_core::base::span::Span;
use ramsey_core::diag::Code;
use ramsey_core::system::{Site, System};
use ramsey_engine::query::vacuity::Vacuity;
use ramsey_engine::query::verify::{self, Plan};
use ramsey_engine::query::{GroupResult, ObligationResult, Outcome, Verification};
use ramsey_kernel::obligations::Origin;
use ramsey_solver::formulas::Pretty;

/// Name of the column of initial states.
pub(super) const INIT: &str = "init";
/// Name of the column of the part after the loop.
pub(super) const FINAL: &str = "final";
/// Name of the column of theorems, which no transition has.
pub(super) const THEOREMS: &str = "(theorems)";

pub(super) fn answer(context: &Context<'_>, progress: Progress<'_>) -> Result<Check, Failed> {
    let Context { system, limits, .. } = *context;
    let options = verify::Options { all: true, minimize: false, ..verify::Options::default() };
    let plan = Plan::new(std::sync::Arc::new(system.without_proofs()), options);
    progress(Answer::Check(Check { heads: Some(heads(context)), ..Check::default() }));
    let mut cells: Vec<Cell> = Vec::new();
    let mut groups: Vec<GroupResult> = Vec::new();
    for group in 0..plan.groups() {
        let found = plan.run_group(group, limits);
        let new = cells_of(system, &found.results);
        if let Some(result) = found.results.iter().find(|it| is_cancelled(it)) {
            return Err(match &result.outcome {
                Outcome::Unknown(exhausted) => Failed::Exhausted(*exhausted),
                _ => Failed::Internal("an obligation was cancelled without a reason".to_owned()),
            });
        }
        progress(Answer::Check(Check { cells: new.clone(), ..Check::default() }));
        cells.extend(new);
        groups.push(found);
    }
    Ok(told(context, cells, &plan.finish(groups).vacuities))
}

/// Returns the table of what a command has found out.
pub(super) fn known(context: &Context<'_>, verification: Option<&Verification>) -> Check {
    let (results, vacuities) =
        verification.map_or((&[][..], &[][..]), |it| (it.results.as_slice(), it.vacuities.as_slice()));
    told(context, cells_of(context.system, results), vacuities)
}

fn told(context: &Context<'_>, cells: Vec<Cell>, vacuities: &[Vacuity]) -> Check {
    let count = |outcome: CellOutcome| cells.iter().filter(|cell| cell.outcome == outcome).count();
    let vacuous = vacuities.iter().map(|it| ramsey_report::vacuity::diagnostic(context.system, it).message);
    let totals = Totals {
        ok: count(CellOutcome::Ok),
        failed: count(CellOutcome::Failed),
        unknown: count(CellOutcome::Unknown) + count(CellOutcome::Error),
        vacuous: vacuous.collect(),
    };
    Check { heads: Some(heads(context)), cells, totals: Some(totals) }
}

/// Returns the cells of obligations that were asked, one for each place.
fn cells_of(system: &System, results: &[ObligationResult]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut last = None;
    for result in results.iter().filter(|it| !matches!(it.outcome, Outcome::Skipped)) {
        let Some((claim, action)) = place(system, result.origin) else { continue };
        // There may be several counterexamples to an obligation.
        if last.replace(result.origin) == Some(result.origin) {
            continue;
        }
        let (outcome, reason) = outcome(result);
        cells.push(Cell { claim: claim.to_owned(), action: action.to_owned(), outcome, reason });
    }
    cells
}

fn is_cancelled(result: &ObligationResult) -> bool {
    matches!(result.outcome, Outcome::Unknown(ramsey_core::base::budget::Exhausted::Cancelled))
}

fn outcome(result: &ObligationResult) -> (CellOutcome, Option<String>) {
    match &result.outcome {
        Outcome::Holds { .. } => (CellOutcome::Ok, None),
        Outcome::Fails(_) => (CellOutcome::Failed, None),
        Outcome::Unknown(exhausted) => (CellOutcome::Unknown, Some(exhausted.to_string())),
        Outcome::Skipped => (CellOutcome::Unknown, Some("not asked".to_owned())),
        Outcome::InternalError(what) => (CellOutcome::Error, Some(what.clone())),
    }
}

/// Returns the claim and the transition of an obligation; `None` if it has no place in the table.
pub(crate) fn place(system: &System, origin: Origin) -> Option<(&str, &str)> {
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
        Origin::Theorem { theorem } => (system.theorems[theorem].label.as_str(), THEOREMS),
        _ => return None,
    })
}

fn heads(context: &Context<'_>) -> Heads {
    let remark = context.model.diagnostics.iter().find(|it| it.code == Code::Method);
    let remark = remark.map(|it| it.message.clone()).or_else(|| {
        let parts = context.model.parts(&mut context.limits.budget());
        let [first, ..] = parts.as_slice() else { return None };
        Some(format!(
            "this is the program as a whole, while `verify` checks its isolates one by one; `--isolate {first}` opens one of them"
        ))
    });
    Heads { claims: claims(context), actions: actions(context.system, context.model), remark }
}

fn claims(context: &Context<'_>) -> Vec<Claim> {
    let Context { system, model, state, .. } = *context;
    let invariants = system.invariants.iter().map(|it| {
        let origin = state.origins.iter().find(|origin| origin.claim == it.label);
        Claim {
            label: it.label.clone(),
            kind: if it.is_safety { ClaimKind::Safety } else { ClaimKind::Invariant },
            formula: Pretty::new(system.syntax(), it.formula).to_string(),
            line: model.line(it.span),
            from: origin.map(|origin| origin.from.clone()),
        }
    });
    let assertions = system.assertions.iter().map(|it| Claim {
        label: it.label.clone(),
        kind: ClaimKind::Assertion,
        formula: source_line(model, it.span),
        line: model.line(it.span),
        from: None,
    });
    let theorems = system.theorems.iter().map(|it| Claim {
        label: it.label.clone(),
        kind: ClaimKind::Theorem,
        formula: Pretty::new(system.syntax(), it.formula).to_string(),
        line: model.line(it.span),
        from: None,
    });
    invariants.chain(assertions).chain(theorems).collect()
}

/// Returns the first line of a declaration.
fn source_line(model: &Model, span: Span) -> String {
    let text = model.sources.get(span.file).map_or("", |source| source.text.as_str());
    let declaration = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    declaration.lines().next().unwrap_or_default().trim().to_owned()
}

fn actions(system: &System, model: &Model) -> Vec<Action> {
    let part = |name: &str| {
        let title = name.trim_matches(['(', ')']).to_owned();
        Action { name: name.to_owned(), title, params: Vec::new(), line: None }
    };
    let mut actions = vec![part(INIT)];
    actions.extend(system.transitions.iter().map(|transition| {
        let params = transition.params.iter().map(|&var| system.terms.var_info(var).name.to_string());
        Action {
            name: transition.name.clone(),
            title: title(model, &transition.name, transition.span),
            params: params.collect(),
            line: model.line(transition.span),
        }
    }));
    if system.assertions.iter().any(|it| it.site == Site::Final) {
        actions.push(part(FINAL));
    }
    if !system.theorems.is_empty() {
        actions.push(part(THEOREMS));
    }
    actions
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
