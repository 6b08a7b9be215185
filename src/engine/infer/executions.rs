//! Executions to a state of the store: of the system, or of its relaxed form if steps from substructures led there.

use std::sync::Arc;

use super::outcome::RelaxedExecution;
use super::search::Search;
use super::store::{Origin, StateId};
use crate::query::canonical::Renaming;
use crate::query::choices::chosen;
use crate::query::numbers::execution_extends;
use crate::query::{Call, Counterexample};
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{
    Elem, Evaluator, Interpretation, Node, SortId, Structure, SymId, SymbolKind, TermId, Terms, VarId,
};
use ramsey_core::system::{System, Transition};
use ramsey_kernel::obligations::Relaxed;
use ramsey_kernel::obligations::{Property, plain};
use ramsey_solver::ask::{Failure, blame, evaluation_budget, holds, judge};
use ramsey_solver::formulas::Pretty;

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
    let system = search.prover.system();
    let mut path = vec![target];
    loop {
        let last = path[path.len() - 1];
        match &search.states[last].origin {
            Origin::Initial => break,
            Origin::Step(step) => path.push(step.parent),
            Origin::Explored(_) | Origin::Outside => {
                return Err(Failure::Internal("a state of an execution has no origin".to_owned()));
            }
        }
        if path.len() > search.states.len() {
            return Err(Failure::Internal("the origins of a state form a circle".to_owned()));
        }
    }
    path.reverse();
    let root = &search.states[path[0]].found;
    let relaxed = Box::new(Relaxed::new(system));
    let mut structure = (*root.structure).clone();
    structure.grow_to(&relaxed.system.sig);
    let sizes: Vec<u32> = root.state.sizes.clone();
    let mut names: Names = sizes.iter().map(|&size| (0..size).collect()).collect();
    set_active(&relaxed, &mut structure, 0, &names);
    let mut calls: Vec<Call> = Vec::new();
    let mut is_concrete = true;
    let mut evaluation = evaluation_budget(budget);
    let inits = system.inits.iter().map(|init| init.formula);
    let of_init: Set<SymId> = inits.flat_map(|init| system.terms.symbols(init)).collect();
    // The last state so far, with elements of its own.
    let mut state = (*root.structure).clone();
    for pair in path.windows(2) {
        let (parent, child) = (pair[0], pair[1]);
        let Origin::Step(step) = &search.states[child].origin else { continue };
        let call = &step.call;
        let places: Names = (0..sizes.len())
            .map(|sort| {
                let size = step.pre.state.sizes[sort];
                let elem = |elem| step.parent_element(sort, elem);
                if sort == 0 { vec![0, 1] } else { (0..size).map(elem).collect() }
            })
            .collect();
        let mut pre = (*step.pre.structure).clone();
        let is_whole = step.pre.state.sizes == search.states[parent].found.state.sizes;
        if is_whole {
            carry(system, &state, &places, &mut pre);
        }
        let through = |(places, names): (&Vec<Elem>, &Vec<Elem>)| {
            places.iter().map(|&place| names[place as usize]).collect::<Vec<Elem>>()
        };
        names = places.iter().zip(&names).map(through).collect();
        if !is_whole {
            is_concrete = false;
            let at = structure.states();
            let before = structure.state(&relaxed.system.sig, at - 1);
            structure.push_state(&relaxed.system.sig, &before, 0);
            set_active(&relaxed, &mut structure, at, &names);
            calls.push(Call { transition: relaxed.relaxation, args: Vec::new() });
            copy(system, system.auxiliary(), &pre, &names, (&relaxed, &mut structure, at));
        }
        // The choices of a step belong to the state before it; the first state has those that led to it.
        let last = structure.states() - 1;
        let of_step = choices(system).filter(|sym| last > 0 || !of_init.contains(sym));
        copy(system, of_step, &pre, &names, (&relaxed, &mut structure, last));
        let params = &system.transitions[call.transition].params;
        let sort = |at: usize| system.terms.var_info(params[at]).sort.index();
        let args = call.args.iter().enumerate().map(|(at, &arg)| names[sort(at)][arg as usize]).collect();
        calls.push(Call { transition: call.transition, args });
        state = (*search.states[child].found.structure).clone();
        settle_auxiliary(system, &pre, call, &mut state, &mut evaluation)?;
        let at = structure.states();
        let before = structure.state(&relaxed.system.sig, at - 1);
        structure.push_state(&relaxed.system.sig, &before, 0);
        let mutable = system.sig.symbols.ids().filter(|&sym| system.sig.symbols[sym].kind.is_mutable());
        copy(system, mutable, &state, &names, (&relaxed, &mut structure, at));
    }
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

/// Copies symbols of a single state, whose elements have these names, to a state of a relaxed execution.
fn copy(
    system: &System,
    symbols: impl Iterator<Item = SymId>,
    from: &Structure,
    names: &Names,
    (relaxed, structure, step): (&Relaxed, &mut Structure, usize),
) {
    for sym in symbols {
        let symbol = &system.sig.symbols[sym];
        for args in from.tuples(&symbol.args) {
            let value = from.interpretation(&system.sig, sym, 0).get(&args);
            let value = names[symbol.result.index()][value as usize];
            let args = named(&args, &symbol.args, names);
            structure.interpretation_mut(&relaxed.system.sig, sym, step).set(&args, value);
        }
    }
}

fn named(args: &[Elem], sorts: &[SortId], names: &Names) -> Vec<Elem> {
    args.iter().zip(sorts).map(|(&arg, sort)| names[sort.index()][arg as usize]).collect()
}

/// Gives the auxiliary symbols the values that they have in an equal state, where elements have other places. The states
/// of the store have any values of them, as no lemma mentions them.
fn carry(system: &System, from: &Structure, places: &Names, to: &mut Structure) {
    for sym in system.auxiliary() {
        let symbol = &system.sig.symbols[sym];
        for args in to.tuples(&symbol.args) {
            let value = from.interpretation(&system.sig, sym, 0).get(&named(&args, &symbol.args, places));
            let place = places[symbol.result.index()].iter().position(|&place| place == value);
            let interpretation = to.interpretation_mut(&system.sig, sym, 0);
            interpretation.set(&args, place.unwrap_or_default() as Elem);
        }
    }
}

/// Gives the auxiliary symbols of the state after a call the values that follow from the state before it.
fn settle_auxiliary(
    system: &System,
    before: &Structure,
    call: &Call,
    after: &mut Structure,
    budget: &mut Budget,
) -> Result<(), Failure> {
    let auxiliary: Vec<SymId> = system.auxiliary().collect();
    if auxiliary.is_empty() {
        return Ok(());
    }
    let mut terms = system.terms.clone();
    let transition = defined_everywhere(system, &mut terms, &system.transitions[call.transition]);
    let params: Vec<TermId> = transition.params.iter().map(|&param| terms.var(param)).collect();
    let action = Action::without_derived(system, terms.over_mut(&system.sig), &transition, &params);
    for sym in auxiliary {
        let interpretation = match action.update(sym) {
            Update::Unchanged => before.interpretation(&system.sig, sym, 0).clone(),
            Update::Definition { vars, value } => {
                let mut interpretation = Interpretation::default();
                let mut eval = Evaluator::new(terms.over(&system.sig), before);
                std::mem::swap(&mut eval.budget, budget);
                eval.env.extend(transition.params.iter().copied().zip(call.args.iter().copied()));
                for args in before.tuples(&system.sig.symbols[sym].args) {
                    eval.env.extend(vars.iter().copied().zip(args.iter().copied()));
                    interpretation.set(&args, eval.eval(*value));
                }
                std::mem::swap(&mut eval.budget, budget);
                if let Some(exhausted) = eval.exhausted {
                    return Err(exhausted.into());
                }
                interpretation
            }
            // The values in the state of the store satisfy what is assumed of every state.
            Update::Free => continue,
        };
        *after.interpretation_mut(&system.sig, sym, 0) = interpretation;
    }
    Ok(())
}

/// Returns a transition whose body defines symbols for all arguments where that of a relaxed system defines them for the present
/// ones only. No formula of a relaxed system distinguishes the values of others.
fn defined_everywhere(system: &System, terms: &mut Terms, transition: &Transition) -> Transition {
    let active = Relaxed::activity(system);
    let is_activity = |terms: &Terms, formula: TermId| match terms.node(formula) {
        Node::App { sym, .. } => active.iter().any(|known| known.1 == sym),
        _ => false,
    };
    let mut body = terms.conjuncts(transition.body);
    for conjunct in &mut body {
        if let Node::Forall(vars, guarded) = terms.node(*conjunct)
            && let Node::Implies(guard, formula) = terms.node(guarded)
            && terms.conjuncts(guard).into_iter().all(|it| is_activity(terms, it))
        {
            let vars: Vec<VarId> = terms.bound_vars(vars).collect();
            *conjunct = terms.forall(&vars, formula);
        }
    }
    Transition { body: terms.and(&body), ..transition.clone() }
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
            let what = Pretty::new(terms.over(&system.sig), condition);
            return Err(Failure::Internal(format!("an execution does not satisfy {what}")));
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
    execution_extends(system, (&structure, &calls), formula, &budget)?;
    let falsification = blame(system.syntax(), &last, formula, &budget);
    Ok(Counterexample { structure, calls, falsification })
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
    let state = structure.state(&system.sig, step);
    if let Some(found) = chosen(system.syntax(), &state, &[(formula, false)], budget)? {
        for sym in system.terms.symbols(formula) {
            if system.sig.symbols[sym].kind == SymbolKind::Choice {
                let choice = found.interpretation(&system.sig, sym, 0).clone();
                *structure.interpretation_mut(&system.sig, sym, step) = choice;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::span::{FileId, Span};
    use ramsey_core::logic::{Sort, Symbol, SymbolOrigin};

    /// A transition adds its parameter to a relation of its own, whose values in the two states are not those of one step.
    #[test]
    fn values_of_present_elements_follow_in_a_relaxed_system() {
        let mut system = System::new();
        let span = Span { file: FileId::new(0), start: 0, end: 0 };
        let sort = system.sig.sorts.push(Sort::new("s"));
        let own = Symbol::new("seen", vec![sort], SortId::BOOL, SymbolKind::Mutable);
        let seen = system.sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, ..own });
        let (sig, terms) = (&system.sig, &mut system.terms);
        let [x, n] = ["X", "n"].map(|name| terms.new_var(name, sort));
        let [at_x, at_n] = [x, n].map(|var| terms.var(var));
        let [now, next] = [0, 1].map(|step| terms.app(sig, seen, step, &[at_x]));
        let is_new = terms.eq(at_x, at_n);
        let either = terms.or(&[now, is_new]);
        let update = terms.iff(next, either);
        let body = terms.forall(&[x], update);
        let (name, params, modifies) = ("see".into(), vec![n], vec![seen]);
        let (command, effect) = (None, None);
        system.transitions.push(Transition { name, params, modifies, body, command, effect, span });

        let Relaxed { system, active, .. } = Relaxed::new(&system);
        let active = active[sort].expect("a relation");
        let mut before = Structure::new(&system.sig, 1);
        before.sizes[sort] = 3;
        before.interpretation_mut(&system.sig, seen, 0).set(&[1], 1);
        let mut after = before.clone();
        after.interpretation_mut(&system.sig, seen, 0).set(&[1], 0);
        for present in [0, 1] {
            before.interpretation_mut(&system.sig, active, 0).set(&[present], 1);
        }
        let call = Call { transition: 0, args: vec![0] };
        settle_auxiliary(&system, &before, &call, &mut after, &mut Budget::unlimited()).expect("values");
        let values = after.interpretation(&system.sig, seen, 0);
        assert_eq!([0, 1].map(|elem| values.get(&[elem])), [1, 1]);
    }
}
