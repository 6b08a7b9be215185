//! States of a walk, and what can be done next.

use super::context::{Context, Failed};
use super::scenes::{self, Shown};
use super::{evaluate, verify};
use crate::command::Call;
use crate::reply::{self, Evaluation, FalseClaim, NextAction, Walked, WalkedPath, Way};
use crate::state::Walk;
use ramsey_core::logic::{Elem, SortId, Structure};
use ramsey_engine::query::simulate::{Blocked, Claim, Simulator, StepRequest};
use ramsey_report::trace::falsification_parts;
use ramsey_solver::formulas::{ElementNames, Fact, fact_text};

/// Maximum number of ways to take a transition that are listed.
const MAX_WAYS: usize = 40;
/// Maximum number of changes of a step that are listed.
const MAX_CHANGES: usize = 12;

pub(super) fn answer(context: &Context<'_>, walk: &Walk, watches: &[String]) -> Result<Walked, Failed> {
    let Context { system, limits, .. } = *context;
    let mut simulator = Simulator::new(std::sync::Arc::clone(system), 0, limits.clone());
    let mut sizes: Vec<(SortId, u32)> = Vec::new();
    for (name, &size) in &walk.sizes {
        let sort = system.sig.uninterpreted_sorts().find(|&sort| system.sig.sorts[sort].name == *name);
        let sort = sort.ok_or_else(|| Failed::Unfit(format!("there is no sort `{name}`")))?;
        if size == 0 || size > 1_000 {
            return Err(Failed::Unfit(format!("a sort has 1 to 1,000 elements, not {size}")));
        }
        sizes.push((sort, size));
    }
    if !simulator.start(&sizes)? {
        return Ok(Walked { start: false, path: None });
    }
    let mut stuck = None;
    for (at, call) in walk.calls.iter().enumerate() {
        let request = request(context, &simulator, call)?;
        if simulator.step_first(&request)?.is_some() {
            stuck = Some(at);
            break;
        }
    }
    let Some(structure) = simulator.structure() else {
        return Err(Failed::Internal("a walk has no state".to_owned()));
    };
    let sig = &simulator.sig().clone();
    let names = scenes::names(sig, &structure);
    let elements = scenes::element_names(sig, &structure, &names);
    let shown = Shown { sig, structure: &structure, calls: simulator.calls(), witnesses: Vec::new() };
    let states = scenes::states(context, &shown, "w")?;
    let actions = actions(context, &mut simulator, &elements)?;
    let label = |claim: Claim| match claim {
        Claim::Invariant(index) => system.invariants[index].label.clone(),
        Claim::Assertion(index) => system.assertions[index].label.clone(),
    };
    let violations = simulator.violations().iter();
    let violations = violations.map(|it| FalseClaim { state: it.state, claim: label(it.claim) }).collect();
    let broken = simulator.broken().iter().map(|&claim| label(claim)).collect();
    let mut watched = Vec::new();
    for formula in watches {
        let values = evaluate::values(context, formula, sig, &structure)?;
        watched.push(Evaluation { formula: formula.clone(), values });
    }
    let path = WalkedPath { states, stuck, actions, violations, broken, watches: watched };
    Ok(Walked { start: true, path: Some(path) })
}

/// Returns the step that a call asks for.
fn request(context: &Context<'_>, simulator: &Simulator, call: &Call) -> Result<StepRequest, Failed> {
    let system = context.system;
    let transition = system.transitions.iter().position(|it| it.name == call.action);
    let transition =
        transition.ok_or_else(|| Failed::Unfit(format!("there is no transition `{}`", call.action)))?;
    let Some(state) = simulator.structure_from(0) else {
        return Err(Failed::Internal("a walk has no state".to_owned()));
    };
    let sig = simulator.sig();
    let names = scenes::names(sig, &state);
    let params = &system.transitions[transition].params;
    if call.args.is_empty() {
        return Ok(StepRequest { transition, args: None });
    }
    if call.args.len() != params.len() {
        return Err(Failed::Unfit(format!("`{}` has {} parameters", call.action, params.len())));
    }
    let mut args = Vec::new();
    for (arg, &param) in call.args.iter().zip(params) {
        let sort = system.terms.var_info(param).sort;
        if arg == "_" {
            args.push(None);
            continue;
        }
        let size = if sort == SortId::BOOL { 2 } else { state.sizes[sort] };
        let name = |elem: Elem| {
            if sort == SortId::BOOL { (elem != 0).to_string() } else { names.name(sort, elem).to_owned() }
        };
        let value = (0..size).find(|&elem| name(elem) == *arg);
        args.push(Some(value.ok_or_else(|| Failed::Unfit(format!("there is no element `{arg}`")))?));
    }
    Ok(StepRequest { transition, args: Some(args) })
}

/// Returns the ways to take each transition in the last state, and why others cannot be taken.
fn actions(
    context: &Context<'_>,
    simulator: &mut Simulator,
    elements: &ElementNames,
) -> Result<Vec<NextAction>, Failed> {
    let system = context.system;
    let mut all = Vec::new();
    for (index, transition) in system.transitions.iter().enumerate() {
        let params: Vec<(String, SortId)> = transition
            .params
            .iter()
            .map(|&var| {
                let info = system.terms.var_info(var);
                (info.name.to_string(), info.sort)
            })
            .collect();
        let name = |sort: SortId, elem: Elem| {
            if sort == SortId::BOOL {
                (elem != 0).to_string()
            } else {
                elements[sort].get(elem as usize).cloned().unwrap_or_default()
            }
        };
        let found = simulator.possibilities(index, MAX_WAYS)?;
        let ways: Vec<Way> = found
            .steps
            .iter()
            .map(|(args, both)| {
                let args: Vec<String> =
                    args.iter().zip(&params).map(|(&arg, &(_, sort))| name(sort, arg)).collect();
                Way { args, changes: changes(context, both, elements) }
            })
            .collect();
        let blocked = if found.steps.is_empty() {
            Some(blocked(simulator, &simulator.why_blocked(index)?, elements, &params))
        } else {
            None
        };
        all.push(NextAction {
            name: transition.name.clone(),
            title: verify::title(context.model, &transition.name, transition.span),
            params: params.iter().map(|(name, _)| name.clone()).collect(),
            ways,
            more: found.has_more,
            blocked,
        });
    }
    Ok(all)
}

/// Returns the facts that a step changes.
fn changes(context: &Context<'_>, both: &Structure, elements: &ElementNames) -> Vec<String> {
    let sig = &context.system.sig;
    let dead = scenes::dead(context);
    let mut facts = Vec::new();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if !symbol.kind.is_mutable() || !symbol.is_declared() || dead.contains(&symbol.name) {
            continue;
        }
        let [before, after] = [0, 1].map(|step| both.interpretation(sig, sym, step));
        for args in both.tuples(&symbol.args) {
            let value = after.get(&args);
            if facts.len() < MAX_CHANGES && before.get(&args) != value {
                let args = args.clone();
                facts.push(match symbol.is_relation() {
                    true => Fact::Relation { sym, args, positive: value != 0 },
                    false => Fact::Value { sym, args, value, positive: true },
                });
            }
        }
    }
    facts.iter().map(|fact| fact_text(sig, elements, fact)).collect()
}

fn blocked(
    simulator: &Simulator,
    blocked: &Blocked,
    elements: &ElementNames,
    params: &[(String, SortId)],
) -> reply::Blocked {
    let Some(state) = simulator.state() else { return reply::Blocked::default() };
    let names = ramsey_report::Names::plain(simulator.sig(), state);
    let args: Option<Vec<(String, String)>> = blocked.args.as_ref().map(|args| {
        let value = |(&arg, (name, sort)): (&Elem, &(String, SortId))| {
            let value = elements.get(*sort).and_then(|of_sort| of_sort.get(arg as usize));
            (name.clone(), value.cloned().unwrap_or_default())
        };
        args.iter().zip(params).map(value).collect()
    });
    let falsification = blocked
        .falsification
        .as_ref()
        .map(|falsification| falsification_parts(simulator.syntax(), &names, falsification));
    let (formula, bindings) = falsification.unzip();
    reply::Blocked { args, formula, bindings }
}
