//! Executions to a state of the store: of the system, or of its relaxed form if steps from substructures led there.

use std::sync::Arc;

use super::outcome::RelaxedExecution;
use super::search::{Origin, Search, StateId};
use crate::ask::{Failure, blame, evaluation_budget, holds, judge};
use crate::base::budget::Budget;
use crate::base::hash::Map;
use crate::base::ids::Id as _;
use crate::logic::{Elem, Structure, SymId, SymbolKind, TermId, Tuples};
use crate::query::canonical::Renaming;
use crate::query::{Call, Counterexample};
use crate::step::Relaxed;
use crate::system::System;
use crate::vc::{Property, plain};

/// An execution to a violation of a property, confirmed by evaluation.
pub(super) enum Execution {
    /// An execution of the system.
    Concrete(Box<Counterexample>),
    /// An execution of the relaxed system.
    Relaxed(Box<RelaxedExecution>),
}

/// The elements of the first state that the elements of a state stand for, by sort.
type Names = Vec<Vec<Elem>>;

/// Returns the execution to a state of the store in which a property is false.
///
/// # Errors
/// Returns an error if the budget runs out, or if evaluation contradicts the search.
pub(super) fn execution(
    search: &Search,
    property: Property,
    target: StateId,
    budget: &Budget,
) -> Result<Execution, Failure> {
    let system = &search.oracle.system;
    let mut path = vec![target];
    loop {
        let last = path[path.len() - 1];
        match &search.origins[last] {
            Origin::Initial => break,
            Origin::Step(step) => path.push(step.parent),
            Origin::Explored(_) | Origin::Outside => {
                return Err(Failure::Internal("a state of an execution has no origin".to_owned()));
            }
        }
        if path.len() > search.origins.len() {
            return Err(Failure::Internal("the origins of a state form a circle".to_owned()));
        }
    }
    path.reverse();
    let root = &search.allowed[path[0]];
    let relaxed = Box::new(Relaxed::new(system));
    let mut structure = (*root.structure).clone();
    structure.grow_to(&relaxed.system.sig);
    let sizes: Vec<u32> = root.state.sizes.clone();
    let mut names: Names = sizes.iter().map(|&size| (0..size).collect()).collect();
    set_active(&relaxed, &mut structure, 0, &names);
    let mut calls: Vec<Call> = Vec::new();
    let mut is_concrete = true;
    for pair in path.windows(2) {
        let (parent, child) = (pair[0], pair[1]);
        let Origin::Step(step) = &search.origins[child] else { continue };
        let call = &step.call;
        names = (0..sizes.len())
            .map(|sort| {
                let size = step.pre.state.sizes[sort];
                let elem = |elem| names[sort][Search::parent_element(step, sort, elem) as usize];
                if sort == 0 { vec![0, 1] } else { (0..size).map(elem).collect() }
            })
            .collect();
        if step.pre.state.sizes != search.allowed[parent].state.sizes {
            is_concrete = false;
            let at = structure.states();
            let before = structure.state(&relaxed.system.sig, at - 1);
            structure.push_state(&relaxed.system.sig, &before, 0);
            set_active(&relaxed, &mut structure, at, &names);
            calls.push(Call { transition: relaxed.relaxation, args: Vec::new() });
        }
        // The choices of a step belong to the state before it.
        let last = structure.states() - 1;
        for sym in choices(system) {
            let value = step.pre.structure.interpretation(&system.sig, sym, 0).clone();
            *structure.interpretation_mut(&relaxed.system.sig, sym, last) = value;
        }
        let params = &system.transitions[call.transition].params;
        let sort = |at: usize| system.terms.var_info(params[at]).sort.index();
        let args = call.args.iter().enumerate().map(|(at, &arg)| names[sort(at)][arg as usize]).collect();
        calls.push(Call { transition: call.transition, args });
        let at = structure.states();
        let before = structure.state(&relaxed.system.sig, at - 1);
        structure.push_state(&relaxed.system.sig, &before, 0);
        copy_state(system, &relaxed, &mut structure, at, &search.allowed[child].structure, &names);
    }
    settle_locals(&relaxed.system, &mut structure, &calls);
    if is_concrete {
        let structure = structure.reduct(&system.sig);
        let formula = property.formula(system);
        let counterexample = confirmed(system, structure, calls, formula, budget)?;
        return Ok(Execution::Concrete(Box::new(counterexample)));
    }
    let formula = property.formula(&relaxed.system);
    let counterexample = confirmed(&Arc::new(relaxed.system.clone()), structure, calls, formula, budget)?;
    Ok(Execution::Relaxed(Box::new(RelaxedExecution { relaxed, property, counterexample })))
}

/// Makes exactly the named elements active in a state.
fn set_active(relaxed: &Relaxed, structure: &mut Structure, step: usize, names: &Names) {
    let sig = &relaxed.system.sig;
    for (sort, active) in relaxed.active.iter_enumerated() {
        let Some(active) = *active else { continue };
        for elem in 0..structure.sizes[sort] {
            let is_active = names[sort.index()].contains(&elem);
            structure.interpretation_mut(sig, active, step).set(&[elem], is_active.into());
        }
    }
}

/// Copies the mutable symbols of a single state, whose elements have these names, to state `step`.
fn copy_state(
    system: &System,
    relaxed: &Relaxed,
    structure: &mut Structure,
    step: usize,
    from: &Structure,
    names: &Names,
) {
    for (sym, symbol) in system.sig.symbols.iter_enumerated() {
        if !symbol.kind.is_mutable() {
            continue;
        }
        for args in from.tuples(&symbol.args) {
            let value = from.interpretation(&system.sig, sym, 0).get(&args);
            let value = names[symbol.result.index()][value as usize];
            let args: Vec<Elem> =
                args.iter().zip(&symbol.args).map(|(&arg, sort)| names[sort.index()][arg as usize]).collect();
            structure.interpretation_mut(&relaxed.system.sig, sym, step).set(&args, value);
        }
    }
}

/// Gives variables of commands the same value between two calls that assign to them. The states of the store have any
/// values, as no lemma mentions these variables.
pub(super) fn settle_locals(system: &System, structure: &mut Structure, calls: &[Call]) {
    let sig = &system.sig;
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if symbol.kind != SymbolKind::Mutable || symbol.is_declared() || !symbol.args.is_empty() {
            continue;
        }
        let mut first = 0;
        for step in 0..=calls.len() {
            let transition = calls.get(step).map(|call| &system.transitions[call.transition]);
            if transition.is_some_and(|it| !it.modifies.contains(&sym)) {
                continue;
            }
            // The value that a call assigned; at the beginning there is none, and the last one does.
            let from = if first == 0 { step } else { first };
            let value = structure.interpretation(sig, sym, from).clone();
            for state in first..=step {
                *structure.interpretation_mut(sig, sym, state) = value.clone();
            }
            first = step + 1;
        }
    }
}

/// Evaluates all conditions of an execution, and that it ends in a state in which the formula is false.
pub(super) fn confirmed(
    system: &System,
    structure: Structure,
    calls: Vec<Call>,
    formula: TermId,
    budget: &Budget,
) -> Result<Counterexample, Failure> {
    let renaming = Renaming::new(system, &system.sig, &structure);
    let mut structure = renaming.structure(&system.sig, &structure);
    let calls: Vec<Call> = calls.iter().map(|call| renaming.call(system, call)).collect();
    let mut terms = system.terms.clone();
    let mut budget = evaluation_budget(budget);
    let mut conditions: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
    conditions.extend(system.inits.iter().map(|init| init.formula));
    for step in 0..structure.states() as u16 {
        let derived = system.derived.iter();
        conditions.extend(derived.map(|derived| terms.shift(&system.sig, derived.axiom, step)));
    }
    for &condition in &conditions {
        if !holds(terms.over(&system.sig), &structure, &Map::default(), condition, &mut budget)? {
            return Err(Failure::Internal("an execution does not satisfy what is assumed of it".to_owned()));
        }
    }
    for (step, call) in calls.iter().enumerate() {
        let transition = &system.transitions[call.transition];
        let body = plain::step_formula(terms.over_mut(&system.sig), transition);
        let body = terms.shift(&system.sig, body, step as u16);
        let env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
        if !holds(terms.over(&system.sig), &structure, &env, body, &mut budget)? {
            let what =
                format!("`{}` does not lead from state {step} of an execution to the next", transition.name);
            return Err(Failure::Internal(what));
        }
    }
    make_false(system, &mut structure, calls.len(), formula, &mut budget)?;
    let last = structure.state(&system.sig, calls.len());
    judge(system.syntax(), &last, [], formula, &mut budget, |_| String::new())?;
    let breach = blame(system.syntax(), &last, formula, &budget);
    Ok(Counterexample { structure, calls, breach })
}

/// Returns the symbols that stand for choices of commands.
fn choices(system: &System) -> impl Iterator<Item = SymId> + '_ {
    let symbols = system.sig.symbols.iter_enumerated();
    symbols.filter(|(_, symbol)| symbol.kind == SymbolKind::Choice).map(|(sym, _)| sym)
}

/// Gives the choices in a formula the values in a state for which it is false there, if there are any.
fn make_false(
    system: &System,
    structure: &mut Structure,
    step: usize,
    formula: TermId,
    budget: &mut Budget,
) -> Result<(), Failure> {
    let used = system.terms.symbols(formula);
    let used: Vec<SymId> = choices(system).filter(|sym| used.contains(sym)).collect();
    for values in Tuples::new(vec![2; used.len()]) {
        let mut tried = structure.state(&system.sig, step);
        for (&sym, &value) in used.iter().zip(&values) {
            tried.interpretation_mut(&system.sig, sym, 0).set(&[], value);
        }
        if !holds(system.syntax(), &tried, &Map::default(), formula, budget)? {
            for (&sym, &value) in used.iter().zip(&values) {
                structure.interpretation_mut(&system.sig, sym, step).set(&[], value);
            }
            return Ok(());
        }
    }
    Ok(())
}
