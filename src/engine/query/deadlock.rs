//! Deadlocks: states in which no transition can be taken.
//!
//! A transition in normal form without a residual can be taken if and only if its guard is true for some values of its
//! parameters and choices: defined symbols of the next state have their definition, and free symbols have any value.
//! So "no transition can be taken" is a formula over the current state alone. This fails for conjuncts that relate
//! both states without defining a symbol: the existence of a next state then quantifies over relations. Such
//! transitions are left out of the formula, which then holds in all deadlocks and possibly in other states. Whether
//! they can be taken in a found state is decided by search over the universe of that state.

use ramsey_circuit::transition::Action;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, Structure, SymId, Symbol, SymbolKind, TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::obligations::plain::frame;
use ramsey_solver::ask::{Context, Failure};
use ramsey_solver::epr::Fixed;

/// Maximum number of choices of a transition whose values are enumerated; a transition with more is left out of the
/// formula.
const MAX_CHOICES: usize = 8;
/// Maximum size of a guard; a transition with a larger one is left out of the formula.
const MAX_GUARD_SIZE: u32 = 100_000;

/// The condition that some transition of a system can be taken, as a formula.
#[derive(Clone, Debug)]
pub struct DeadlockFreedom {
    /// The system, extended by the parameters as symbols and by the formula's terms.
    pub system: System,
    /// Some transition other than the undecided ones can be taken; over step 0.
    pub formula: TermId,
    /// Transitions for which no formula over the current state expresses whether they can be taken.
    pub undecided: Vec<usize>,
    /// Per transition, the symbols of its parameters.
    params: Vec<Vec<SymId>>,
}

impl DeadlockFreedom {
    /// Builds the formula for the transitions of `system`.
    pub fn new(system: &System) -> DeadlockFreedom {
        let mut system = system.without_proofs();
        let mut terms = system.terms.clone();
        let mut params = Vec::new();
        for transition in &system.transitions {
            let symbol = |param| {
                let info = terms.var_info(param);
                Symbol::parameter(&*info.name, info.sort)
            };
            let symbols: Vec<Symbol> = transition.params.iter().map(|&param| symbol(param)).collect();
            params.push(symbols.into_iter().map(|it| system.sig.symbols.push(it)).collect::<Vec<SymId>>());
        }
        let (mut undecided, mut ways) = (Vec::new(), Vec::new());
        for (index, transition) in system.transitions.iter().enumerate() {
            let constants: Vec<TermId> =
                params[index].iter().map(|&sym| terms.app(&system.sig, sym, 0, &[])).collect();
            let action = Action::of_transition(&system, terms.over_mut(&system.sig), transition, &constants);
            let guard =
                action.residual.is_empty().then(|| guard(&system, &mut terms, action.guard)).flatten();
            let Some(guard) = guard else {
                undecided.push(index);
                continue;
            };
            let vars = transition.params.iter().map(|&var| terms.var(var)).collect::<Vec<TermId>>();
            let mut map: Map<TermId, TermId> = constants.into_iter().zip(vars).collect();
            let body = replace(&mut terms, guard, &mut map);
            let is_bare = transition.params.is_empty();
            ways.push(if is_bare { body } else { terms.exists(&transition.params, body) });
        }
        let formula = terms.or(&ways);
        system.terms = terms;
        DeadlockFreedom { system, formula, undecided, params }
    }

    /// Returns the first transition, in its original form, that can be taken in `state`. All next states over its
    /// universe are searched.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn enabled_transition(
        &self,
        state: &Structure,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Failure> {
        let System { sig, transitions, derived, axioms, .. } = &self.system;
        let mut both = state.clone();
        both.push_state(sig, state, 0);
        let given = |sym: SymId, step: u16| {
            step == 0 && !matches!(sig.symbols[sym].kind, SymbolKind::Parameter | SymbolKind::Choice)
        };
        for (index, transition) in transitions.iter().enumerate() {
            let mut terms = self.system.terms.clone();
            let values = self.params[index].iter().map(|&sym| terms.app(sig, sym, 0, &[]));
            let values: Vec<TermId> = values.collect();
            let body =
                terms.substitute(transition.body, &transition.params.iter().copied().zip(values).collect());
            let mut formulas = vec![body];
            formulas.extend(frame(terms.over_mut(sig), transition));
            formulas.extend(derived.iter().map(|it| terms.shift(sig, it.axiom, 1)));
            formulas.extend(axioms.iter().map(|it| it.formula));
            let fixed = Fixed { structure: &both, is_given: &given };
            let mut context = Context::of((sig, &terms), formulas, budget);
            if context.sample(&both.sizes, Some(fixed), 2, 0, budget)?.is_some() {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

/// Eliminates the choices from a guard: returns a formula that is true if the conjuncts are true for some values of
/// their choices. Returns `None` if it is too large, or if it depends on choices with arguments: that there are such functions and
/// relations is no condition of first order.
fn guard(system: &System, terms: &mut Terms, mut conjuncts: Vec<TermId>) -> Option<TermId> {
    let has_arguments = |&term: &TermId| terms.children(term).next().is_some();
    if conjuncts.iter().any(|&it| choices(system, terms, it).iter().any(has_arguments)) {
        return None;
    }
    // A choice that equals a condition is replaced by that condition.
    while let Some((at, choice, value)) = definition(system, terms, &conjuncts) {
        conjuncts.swap_remove(at);
        let mut map = Map::from_iter([(choice, value)]);
        for conjunct in &mut conjuncts {
            *conjunct = replace(terms, *conjunct, &mut map);
        }
    }
    let all = terms.and(&conjuncts);
    let choices = choices(system, terms, all);
    let ways = 1_u32.checked_shl(choices.len() as u32).filter(|_| choices.len() <= MAX_CHOICES)?;
    if terms.tree_size(all).saturating_mul(ways) > MAX_GUARD_SIZE {
        return None;
    }
    let mut alternatives = Vec::new();
    for way in 0..ways {
        let (yes, no) = (terms.tru(), terms.fals());
        let value = |at: usize| if way >> at & 1 == 1 { yes } else { no };
        let mut map: Map<TermId, TermId> =
            choices.iter().enumerate().map(|(at, &choice)| (choice, value(at))).collect();
        alternatives.push(replace(terms, all, &mut map));
    }
    Some(match alternatives.as_slice() {
        [only] => *only,
        many => terms.or(many),
    })
}

/// Returns a conjunct `choice <-> value` as its index and both sides; the choice does not occur in the value.
fn definition(system: &System, terms: &Terms, conjuncts: &[TermId]) -> Option<(usize, TermId, TermId)> {
    conjuncts.iter().enumerate().find_map(|(at, &conjunct)| {
        let (Node::Iff(a, b) | Node::Eq(a, b)) = terms.node(conjunct) else { return None };
        let sides = [(a, b), (b, a)];
        let (choice, value) = sides.into_iter().find(|&(choice, value)| {
            is_choice(system, terms, choice) && !choices(system, terms, value).contains(&choice)
        })?;
        Some((at, choice, value))
    })
}

fn is_choice(system: &System, terms: &Terms, term: TermId) -> bool {
    matches!(terms.node(term), Node::App { sym, .. } if system.sig.symbols[sym].kind == SymbolKind::Choice)
}

/// Returns the choices in a term, in the order of the traversal.
fn choices(system: &System, terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut stack, mut seen, mut found) = (vec![term], Map::<TermId, ()>::default(), Vec::new());
    while let Some(term) = stack.pop() {
        if seen.insert(term, ()).is_some() {
            continue;
        }
        if is_choice(system, terms, term) {
            found.push(term);
        }
        stack.extend(terms.children(term));
    }
    found
}

/// Replaces subterms by `map`, which also serves as the cache of results.
fn replace(terms: &mut Terms, term: TermId, map: &mut Map<TermId, TermId>) -> TermId {
    if let Some(&known) = map.get(&term) {
        return known;
    }
    let children: Vec<TermId> = terms.children(term).collect();
    let replaced: Vec<TermId> = children.iter().map(|&child| replace(terms, child, map)).collect();
    let result = if replaced == children { term } else { terms.rebuild(term, &replaced) };
    map.insert(term, result);
    result
}
