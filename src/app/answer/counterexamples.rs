//! The smallest counterexamples to an obligation.

use std::sync::Arc;

use super::context::{Context, Failed, Progress};
use super::scenes::{self, Shown};
use super::verify;
use crate::reply::{self, Answer, Atom, Counterexamples, Effect, Statement, Violated};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::{Evaluator, Node, Structure, Syntax, TermId};
use ramsey_engine::query::cti::{self, KnownState, MeasuredValue, Options, Sameness, Search};
use ramsey_engine::query::verify::{Options as Asked, Plan};
use ramsey_engine::query::{Counterexample, Limits, ObligationResult, Outcome, Verification};
use ramsey_kernel::obligations::{Origin, Question};
use ramsey_report::json::View;
use ramsey_report::replay;
use ramsey_report::trace::falsification_text;
use ramsey_solver::formulas::{ElementNames, Pretty};

/// Maximum number of counterexamples to an obligation.
const MAX: usize = 8;
/// Work units of the search for each counterexample after the first.
const OTHERS: u64 = 20_000_000;

/// Counterexamples to an obligation, with the signature and terms that they are over.
type Ctis = Arc<cti::Answer>;

/// Returns the smallest counterexamples to an obligation. They are searched at most once for each model.
pub(super) fn all(context: &Context<'_>, claim: &str, action: &str) -> Result<Ctis, Failed> {
    context.model.ctis.derive((claim.to_owned(), action.to_owned(), true), || {
        let first = first(context, claim, action)?;
        match first.verification.results.first() {
            Some(result) if action != verify::THEOREMS => others(context, result.origin, &first),
            _ => Ok((*first).clone()),
        }
    })
}

/// Returns the first of the smallest counterexamples to an obligation.
fn first(context: &Context<'_>, claim: &str, action: &str) -> Result<Ctis, Failed> {
    context.model.ctis.derive((claim.to_owned(), action.to_owned(), false), || {
        let (mut holding, mut open) = (None, None);
        let asked = obligations(context, claim, action)?;
        if action == verify::THEOREMS {
            return theorems(context, &asked);
        }
        for obligation in asked {
            let options = options(context, obligation);
            let answer = Search::new(Arc::clone(context.system), &options).run(context.limits, &mut |_| ());
            if let Some(&(_, exhausted)) = answer.unknown.first() {
                open = Some(exhausted);
                continue;
            }
            let results = &answer.verification.results;
            if let Some(result) = results.iter().find(|it| !is_failure(&it.outcome)) {
                return Err(Failed::Internal(result.outcome.to_string()));
            }
            if !results.is_empty() {
                return Ok(answer);
            }
            holding = Some(answer);
        }
        match open {
            Some(exhausted) => Err(exhausted.into()),
            None => holding.ok_or_else(|| no_obligation(claim, action)),
        }
    })
}

/// Returns small counterexamples to theorems, which are no counterexamples to induction.
fn theorems(context: &Context<'_>, asked: &[Origin]) -> Result<cti::Answer, Failed> {
    let options = Asked { question: Question::Theorems, all: true, ..Asked::default() };
    let system = Arc::new(context.system.without_proofs());
    let mut verification = Plan::new(system, options).run(context.limits);
    verification.results.retain(|it| asked.contains(&it.origin));
    let open = verification.results.iter().find_map(|it| match it.outcome {
        Outcome::Unknown(exhausted) => Some(exhausted),
        _ => None,
    });
    verification.results.retain(|it| is_failure(&it.outcome));
    if let (true, Some(exhausted)) = (verification.results.is_empty(), open) {
        return Err(exhausted.into());
    }
    let reached = vec![Vec::new(); verification.results.len()];
    Ok(cti::Answer { verification, reached, unknown: Vec::new() })
}

/// Returns counterexamples to an obligation among which is the one with a number, from 1, if there is one.
pub(super) fn up_to(context: &Context<'_>, claim: &str, action: &str, number: usize) -> Result<Ctis, Failed> {
    if number == 1 { first(context, claim, action) } else { all(context, claim, action) }
}

/// Returns the state before the transition of a counterexample, with the names of its elements in facts.
pub(super) fn before(
    context: &Context<'_>,
    claim: &str,
    action: &str,
    number: usize,
) -> Result<(Structure, ElementNames), Failed> {
    let found = up_to(context, claim, action, number)?;
    let sig = &context.system.sig;
    let structure = nth(&found, number)?.structure.state(sig, 0);
    let names = scenes::element_names(sig, &structure, &scenes::names(sig, &structure));
    Ok((structure, names))
}

/// Returns the obligations about a claim and a transition: there is one for each claim with this label.
///
/// # Errors
/// Returns an error if there are none.
pub(super) fn obligations(context: &Context<'_>, claim: &str, action: &str) -> Result<Vec<Origin>, Failed> {
    let is_it = |&origin: &Origin| verify::place(context.system, origin) == Some((claim, action));
    let found: Vec<Origin> = origins(context).filter(is_it).collect();
    if found.is_empty() { Err(no_obligation(claim, action)) } else { Ok(found) }
}

fn no_obligation(claim: &str, action: &str) -> Failed {
    Failed::Unfit(format!("there is no obligation about `{claim}` and `{action}`"))
}

fn options(context: &Context<'_>, obligation: Origin) -> Options {
    Options {
        obligation: Some(obligation),
        measures: cti::complete(&context.system.sig, &[]),
        sameness: Sameness::Isomorphic,
        count: 1,
        ..Options::default()
    }
}

/// Returns the first counterexample and those that are as small.
fn others(context: &Context<'_>, obligation: Origin, first: &cti::Answer) -> Result<cti::Answer, Failed> {
    let system = context.system;
    let mut answer = first.clone();
    let mut options = options(context, obligation);
    let work = Some(context.limits.work.map_or(OTHERS, |it| it.min(OTHERS)));
    let limits = Limits { work, ..context.limits.clone() };
    while let Some(Outcome::Fails(last)) = answer.verification.results.last().map(|it| &it.outcome) {
        let known = KnownState::new(system, &last.structure, options.sameness, &mut limits.budget());
        let Ok(known) = known else { break };
        options.known.push(known);
        let mut next = Search::new(Arc::clone(system), &options).run(&limits, &mut |_| ());
        if let Some(&(_, Exhausted::Cancelled)) = next.unknown.first() {
            return Err(Exhausted::Cancelled.into());
        }
        // Larger ones than the first say little that is new.
        let is_smallest =
            next.reached.first().map(|it| values(it)) == answer.reached.first().map(|it| values(it));
        let results = &mut next.verification.results;
        if !is_smallest || !results.iter().all(|it| is_failure(&it.outcome)) {
            break;
        }
        answer.verification.results.append(results);
        answer.reached.append(&mut next.reached);
        if answer.verification.results.len() == MAX {
            break;
        }
    }
    Ok(answer)
}

fn is_failure(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Fails(_))
}

fn values(values: &[MeasuredValue]) -> Vec<u64> {
    values.iter().map(|it| it.value).collect()
}

/// Returns the obligations of the claims.
fn origins(context: &Context<'_>) -> impl Iterator<Item = Origin> {
    let system = context.system;
    let (invariants, transitions) = (system.invariants.len(), system.transitions.len());
    let initiation = (0..invariants).map(|invariant| Origin::Initiation { invariant });
    let consecution = (0..transitions).flat_map(move |transition| {
        (0..invariants).map(move |invariant| Origin::Consecution { transition, invariant })
    });
    let assertions = (0..system.assertions.len()).map(|assertion| Origin::Assertion { assertion });
    let theorems = (0..system.theorems.len()).map(|theorem| Origin::Theorem { theorem });
    initiation.chain(consecution).chain(assertions).chain(theorems)
}

/// Returns the counterexample with a number, from 1.
pub(super) fn nth(answer: &cti::Answer, number: usize) -> Result<&Counterexample, Failed> {
    let result = number.checked_sub(1).and_then(|at| answer.verification.results.get(at));
    match result.map(|result| &result.outcome) {
        Some(Outcome::Fails(found)) => Ok(found),
        _ => Err(Failed::Unfit(format!("there is no counterexample {number}"))),
    }
}

pub(super) fn answer(
    context: &Context<'_>,
    claim: &str,
    action: &str,
    progress: Progress<'_>,
) -> Result<Counterexamples, Failed> {
    let first = told(context, claim, action, &*first(context, claim, action)?)?;
    progress(Answer::Counterexamples(first));
    told(context, claim, action, &*all(context, claim, action)?)
}

/// Returns the counterexamples to an obligation that a command has found. Questions about them are about these.
pub(super) fn known_ones(
    context: &Context<'_>,
    claim: &str,
    action: &str,
    verification: &Verification,
) -> Result<Counterexamples, Failed> {
    let origins = obligations(context, claim, action)?;
    let is_asked = |it: &&ObligationResult| origins.contains(&it.origin) && is_failure(&it.outcome);
    let results: Vec<ObligationResult> = verification.results.iter().filter(is_asked).cloned().collect();
    let reached = vec![Vec::new(); results.len()];
    let verification = Verification { results, ..verification.clone() };
    let answer = cti::Answer { verification, reached, unknown: Vec::new() };
    let answer = Arc::new(answer);
    for all in [false, true] {
        context.model.ctis.insert((claim.to_owned(), action.to_owned(), all), Arc::clone(&answer));
    }
    told(context, claim, action, &answer)
}

fn told(
    context: &Context<'_>,
    claim: &str,
    action: &str,
    found: &cti::Answer,
) -> Result<Counterexamples, Failed> {
    let syntax = found.verification.obligations.syntax();
    let mut list = Vec::new();
    for number in 1..=found.verification.results.len() {
        let prefix = format!("c{number}s");
        let mut shown = counterexample(context, syntax, nth(found, number)?, &prefix)?;
        shown.excludable = Some(action != verify::INIT && action != verify::THEOREMS);
        list.push(shown);
    }
    Ok(Counterexamples { claim: claim.to_owned(), action: action.to_owned(), counterexamples: list })
}

/// Returns the states of a counterexample, what they violate, and what the transition did.
pub(super) fn counterexample(
    context: &Context<'_>,
    syntax: Syntax<'_>,
    found: &Counterexample,
    prefix: &str,
) -> Result<reply::Counterexample, Failed> {
    let (sig, system, structure) = (syntax.sig, context.system, &found.structure);
    let names = scenes::names(sig, structure);
    let bindings = found.falsification.bindings.iter().map(|&(var, value)| {
        let var = syntax.terms.var_info(var);
        (var.name.to_string(), var.sort, value)
    });
    let witnesses = bindings.filter(|&(_, sort, _)| sort != ramsey_core::logic::SortId::BOOL).collect();
    let shown = Shown { sig, structure, calls: &found.calls, witnesses };
    let states = scenes::states(context, &shown, prefix)?;
    let (formula, bindings) = falsification_text(syntax, &names, found);
    let view = View {
        system,
        sig,
        sources: &context.model.sources,
        prophecy: &[],
        negative: false,
        is_initial: false,
    };
    Ok(reply::Counterexample {
        states,
        violated: Violated { formula, bindings, atoms: atoms(syntax, found) },
        statements: statements(context, syntax, found),
        document: view.execution(structure, &found.calls),
        excludable: None,
    })
}

/// Returns the atoms of the violated part with their truth.
fn atoms(syntax: Syntax<'_>, found: &Counterexample) -> Vec<Atom> {
    const MOST: usize = 40;
    let falsification = &found.falsification;
    let mut all: Vec<TermId> = Vec::new();
    let mut stack = vec![falsification.formula];
    while let Some(term) = stack.pop() {
        let is_atom = match syntax.terms.node(term) {
            Node::Eq(a, _) => syntax.terms.sort(a) != ramsey_core::logic::SortId::BOOL,
            Node::App { .. } => true,
            Node::Forall(..) | Node::Exists(..) if !falsification.opened.contains(&term) => true,
            _ => false,
        };
        if !is_atom {
            let mut children: Vec<TermId> = syntax.terms.children(term).collect();
            children.reverse();
            stack.extend(children);
        } else if !all.contains(&term) && all.len() < MOST {
            all.push(term);
        }
    }
    // A formula over one state is about the last one.
    let last = found.structure.state(syntax.sig, found.structure.states().saturating_sub(1));
    let is_about_next = all.iter().any(|&atom| is_about_next(syntax, atom));
    let structure: &Structure = if is_about_next { &found.structure } else { &last };
    let mut eval = Evaluator::new(syntax, structure);
    eval.env = falsification.bindings.iter().copied().collect();
    let texts = all.into_iter().map(|atom| {
        let text = Pretty::new(syntax, atom).to_string();
        let text = if found.calls.is_empty() { text } else { text.replace('\'', "") };
        Atom { text, value: eval.holds(atom) }
    });
    texts.collect()
}

/// Checks whether a formula speaks of the next state.
fn is_about_next(syntax: Syntax<'_>, formula: TermId) -> bool {
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if matches!(syntax.terms.node(term), Node::App { step: 1.., .. }) {
            return true;
        }
        stack.extend(syntax.terms.children(term));
    }
    false
}

/// Returns what the statements of the transition did, line by line.
fn statements(context: &Context<'_>, syntax: Syntax<'_>, found: &Counterexample) -> Vec<Statement> {
    use ramsey_circuit::transition::interpret::EventKind;
    let (sig, system, model) = (syntax.sig, context.system, context.model);
    let names = scenes::names(sig, &found.structure);
    let Some(call) = found.calls.first() else { return Vec::new() };
    let Some(execution) = replay::of_call(system, sig, &found.structure, 0, call) else {
        let needs = ramsey_report::enabling::needs(system, sig, &found.structure, 0, call, &names);
        let line = model.line(system.transitions[call.transition].span);
        let effect = || Effect::Condition("holds");
        return needs.into_iter().map(|text| Statement { line, text, effect: effect() }).collect();
    };
    let rows = execution.events.iter().map(|event| {
        let text = model.sources.get(event.span.file).map_or("", |source| source.text.as_str());
        let text = text.get(event.span.start as usize..event.span.end as usize).unwrap_or_default();
        let text = text.lines().next().unwrap_or_default().trim_end();
        let change = |change| {
            let fact = replay::fact(change);
            ramsey_report::trace::fact_text(sig, &names, &fact)
        };
        let effect = match &event.kind {
            EventKind::Condition(value) => Effect::Is { is: *value },
            EventKind::Assumed(value) | EventKind::Asserted(value) => Effect::Holds { holds: *value },
            EventKind::Chosen { branch, name, .. } => {
                Effect::Chosen { branch: branch + 1, name: name.clone() }
            }
            EventKind::Assigned { changes, .. } => {
                Effect::Changes { changes: changes.iter().map(change).collect() }
            }
            EventKind::AxiomViolated(_) => Effect::Holds { holds: false },
        };
        Statement { line: model.line(event.span), text: text.to_owned(), effect }
    });
    rows.collect()
}
