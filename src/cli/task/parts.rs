//! What the tasks of a plan ask: the parts follow from the plan and the model alone, so that whoever imports can tell whether all of
//! them are answered.

use crate::bmc::named_targets;
use crate::shared::Model;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::cases::{Case, beginnings};
use ramsey_report::json::task::{
    BmcPlan, BmcQuestion, InferPlan, InferQuestion, InstancePlan, InstanceQuestion, Plan, Question,
};

/// Maximum number of tasks of a round.
pub(super) const MAX_TASKS: usize = 100_000;

/// Returns what the tasks of a plan ask, in order.
///
/// # Errors
/// The plan does not fit the model, or has too many tasks.
pub(super) fn parts(
    plan: &Plan,
    model: &mut Model,
    sources: &mut Sources,
) -> Result<Vec<Question>, Diagnostic> {
    let parts = match plan {
        Plan::Infer(plan) => infer(plan),
        Plan::Bmc(plan) => bmc(plan, model, sources),
        Plan::Instance(plan) => instance(plan, model, sources),
    }?;
    match parts.len() {
        0 => Err(usage("there is nothing to ask")),
        count if count > MAX_TASKS => Err(too_many()),
        _ => Ok(parts),
    }
}

fn usage(what: impl Into<String>) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, what)
}

fn too_many() -> Diagnostic {
    usage(format!("these are more than {MAX_TASKS} tasks")).help("ask for less, or for more in one task")
}

/// A search per seed, method and prefix: the first seed of all methods comes first.
fn infer(plan: &InferPlan) -> Result<Vec<Question>, Diagnostic> {
    let mut searches = Vec::new();
    for &method in &plan.methods {
        if method.0.takes_prefixes() && !plan.prefixes.is_empty() {
            searches.extend(plan.prefixes.iter().map(|prefix| (method, vec![prefix.clone()])));
        } else {
            searches.push((method, Vec::new()));
        }
    }
    let count = usize::try_from(plan.seeds).ok().and_then(|seeds| seeds.checked_mul(searches.len()));
    if count.is_none_or(|count| count > MAX_TASKS) {
        return Err(too_many());
    }
    let search = |at: u64| {
        searches.iter().map(move |(method, prefixes)| {
            Question::Infer(InferQuestion {
                method: *method,
                prefixes: prefixes.clone(),
                seed: plan.first_seed.wrapping_add(at),
                use_invariants: plan.use_invariants,
                lemmas: plan.lemmas.clone(),
            })
        })
    };
    Ok((0..plan.seeds).flat_map(search).collect())
}

/// Returns the claims of each group of tasks, as texts of `--property`.
fn claims(
    (properties, per_claim): (&[String], bool),
    model: &mut Model,
    sources: &mut Sources,
) -> Result<Vec<Vec<String>>, Diagnostic> {
    let targets = targets(properties, model, sources)?;
    if !per_claim {
        return Ok(vec![properties.to_vec()]);
    }
    let Some(system) = &model.system else { return Ok(Vec::new()) };
    let mut claims: Vec<Vec<String>> = Vec::new();
    for target in targets {
        let text = match target {
            Target::Model(property) => property.label(system).to_owned(),
            Target::Formula(_) | Target::Deadlock(_) => {
                let is_formula = |it: &&String| crate::select::named(system, it).is_empty();
                properties.iter().find(is_formula).cloned().unwrap_or_default()
            }
        };
        let claim = vec![text];
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    Ok(claims)
}

/// Returns the properties with these names, or of these formulas, or all that are safety properties. A formula becomes part of the
/// model's system.
///
/// # Errors
/// The model has no such claim.
pub(super) fn targets(
    properties: &[String],
    model: &mut Model,
    sources: &mut Sources,
) -> Result<Vec<Target>, Diagnostic> {
    let before = model.diagnostics.len();
    let targets = named_targets(properties, model, sources);
    let new = model.diagnostics.get(before..).unwrap_or_default();
    match new.iter().find(|it| it.severity == ramsey_core::diag::Severity::Error) {
        Some(error) => Err(error.clone()),
        None => Ok(targets),
    }
}

/// Returns the lengths from the shortest to the longest one in groups.
fn lengths(from: u16, to: u16, count: u16) -> impl Iterator<Item = (u16, u16)> {
    let step = count.max(1);
    let starts = (from..=to).step_by(usize::from(step));
    starts.map(move |start| (start, start.saturating_add(step - 1).min(to)))
}

/// A task per group of lengths, claim, and way to begin. Executions that are too short to be split are not.
fn bmc(plan: &BmcPlan, model: &mut Model, sources: &mut Sources) -> Result<Vec<Question>, Diagnostic> {
    let claims = claims((&plan.properties, plan.per_claim), model, sources)?;
    let Some(system) = model.system.as_deref() else { return Ok(Vec::new()) };
    let name = |at: &usize| system.transitions[*at].name.clone();
    let is_unique = |at: usize| transition(system, &name(&at)) == Some(at);
    // Without transitions there is no way to begin: executions of any length have no part that could be answered, so that nothing is split.
    let split = if system.transitions.is_empty() { 0 } else { plan.split };
    let ways = beginnings(system, split, MAX_TASKS).ok_or_else(too_many)?;
    if split > 0 && !(0..system.transitions.len()).all(is_unique) {
        let error = usage("transitions of the same name cannot be told apart in tasks");
        return Err(error.help("leave `--split` out"));
    }
    let mut parts: Vec<Question> = Vec::new();
    let mut add = |properties: &Vec<String>, (from, to): (u16, u16), first: Vec<String>| {
        parts.push(Question::Bmc(BmcQuestion {
            properties: properties.clone(),
            from,
            to,
            first,
            seed: plan.seed,
        }));
        if parts.len() > MAX_TASKS { Err(too_many()) } else { Ok(()) }
    };
    let whole = if split == 0 { plan.depth } else { (split - 1).min(plan.depth) };
    for group in lengths(0, whole, plan.lengths) {
        claims.iter().try_for_each(|claim| add(claim, group, Vec::new()))?;
    }
    if split > 0 && whole < plan.depth {
        for group in lengths(split, plan.depth, plan.lengths) {
            for claim in &claims {
                ways.iter().try_for_each(|way| add(claim, group, way.iter().map(name).collect()))?;
            }
        }
    }
    Ok(parts)
}

/// Returns the transition of this name.
fn transition(system: &System, name: &str) -> Option<usize> {
    system.transitions.iter().position(|it| it.name == name)
}

/// Returns the cases of a task, in order.
///
/// # Errors
/// The model has no such transitions, or the lengths are none.
pub(super) fn cases(question: &BmcQuestion, system: &System) -> Result<Vec<Case>, Diagnostic> {
    let known = |name: &String| {
        transition(system, name).ok_or_else(|| usage(format!("the model has no transition `{name}`")))
    };
    let first: Vec<usize> = question.first.iter().map(known).collect::<Result<_, _>>()?;
    let is_long = question.to > ramsey_core::system::MAX_STEPS;
    if question.from > question.to || is_long || first.len() > usize::from(question.from) {
        return Err(usage("the lengths of the task are none"));
    }
    Ok((question.from..=question.to).map(|steps| Case { steps, first: first.clone() }).collect())
}

/// A task per instance and claim.
fn instance(
    plan: &InstancePlan,
    model: &mut Model,
    sources: &mut Sources,
) -> Result<Vec<Question>, Diagnostic> {
    let claims = claims((&plan.properties, plan.per_claim), model, sources)?;
    if plan.sizes.len().checked_mul(claims.len()).is_none_or(|count| count > MAX_TASKS) {
        return Err(too_many());
    }
    let question = |sizes: &Vec<String>, properties: &Vec<String>| {
        Question::Instance(InstanceQuestion {
            properties: properties.clone(),
            sizes: sizes.clone(),
            seed: plan.seed,
        })
    };
    let of_sizes = |sizes| claims.iter().map(move |claim| question(sizes, claim));
    Ok(plan.sizes.iter().flat_map(of_sizes).collect())
}
