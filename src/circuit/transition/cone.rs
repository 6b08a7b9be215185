//! The part of a system that claims depend on: their cone of influence.
//!
//! Claims depend on the symbols that they mention, on those that say whether a step can be taken, and on those from which steps
//! and definitions determine the values of others that they depend on. The system that is left without the rest does not change the
//! other symbols at all. Each execution of the whole system is one of it, apart from their values: what holds in
//! the latter holds in the former. Each of its executions also is one of the whole system, with the values that the updates
//! left out determine.

use super::action::{Action, Update};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Node, SymId, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::command::Assignment;
use ramsey_core::system::{Effect, System, Transition};

/// Returns the part of the system that these claims depend on: closed formulas of the system over step 0. It has the symbols,
/// transitions and axioms of the system, by the same numbers, and of its claims the invariants about what is left. `None` if that is
/// all of it.
///
/// Transitions that change nothing that the claims depend on cannot be taken: executions without these steps are shorter and end in
/// states about which the claims say the same.
pub fn cone(system: &System, claims: &[TermId]) -> Option<System> {
    let mut terms = system.terms.clone();
    let actions: Vec<Action> = (system.transitions.iter())
        .map(|transition| {
            let params: Vec<TermId> = transition.params.iter().map(|&param| terms.var(param)).collect();
            let mut action =
                Action::without_derived(system, terms.over_mut(&system.sig), transition, &params);
            for sym in system.derived.iter().filter_map(|derived| derived.sym) {
                action.constrain(terms.over_mut(&system.sig), sym);
            }
            action
        })
        .collect();
    let definitions = definitions(system, &terms);
    let needed = needed(system, &terms, &actions, &definitions, claims);
    let is_dropped = |sym: SymId| {
        matches!(system.sig.symbols[sym].kind, SymbolKind::Mutable | SymbolKind::Derived)
            && !needed.contains(&sym)
    };
    let is_defined = |sym: SymId| {
        system.derived.iter().zip(&definitions).any(|(it, &is_one)| is_one && it.sym == Some(sym))
    };
    let is_idle = |action: &Action| {
        system.sig.symbols.iter_enumerated().all(|(sym, symbol)| match symbol.kind {
            SymbolKind::Mutable => is_dropped(sym) || matches!(action.update(sym), Update::Unchanged),
            // A step may change what no definition determines.
            SymbolKind::Derived => is_dropped(sym) || is_defined(sym),
            SymbolKind::Immutable | SymbolKind::Parameter | SymbolKind::Choice => true,
        })
    };
    let is_idle: Vec<bool> = actions.iter().map(is_idle).collect();
    if !is_idle.contains(&true) && !system.sig.symbols.iter_enumerated().any(|(sym, _)| is_dropped(sym)) {
        return None;
    }
    let mut part = System { terms, ..system.without_proofs() };
    for ((transition, action), is_idle) in part.transitions.iter_mut().zip(&actions).zip(is_idle) {
        let terms = &mut part.terms;
        if is_idle {
            let body = terms.fals();
            *transition =
                Transition { modifies: Vec::new(), body, command: None, effect: None, ..transition.clone() };
        } else if transition.modifies.iter().any(|&sym| is_dropped(sym)) {
            *transition = without(system, terms, transition, action, is_dropped);
        }
    }
    for derived in &mut part.derived {
        if derived.sym.is_some_and(is_dropped) {
            (derived.sym, derived.axiom) = (None, part.terms.tru());
        }
    }
    forget_values(&mut part, is_dropped);
    for (sym, symbol) in system.sig.symbols.ids().zip(part.sig.symbols.iter_mut()) {
        if is_dropped(sym) {
            symbol.kind = SymbolKind::Immutable;
        }
    }
    let System { terms, invariants, .. } = &mut part;
    invariants.retain(|it| !terms.symbols(it.formula).into_iter().any(is_dropped));
    part.definitions.clear();
    part.goals.clear();
    part.assertions.clear();
    part.theorems.clear();
    part.instances.clear();
    part.traces.clear();
    part.placed.clear();
    (part.init_command, part.final_command) = (None, None);
    Some(part)
}

/// Returns which axioms of derived relations are definitions, in terms of what comes before: in each state, one value of the
/// relation satisfies them.
fn definitions(system: &System, terms: &Terms) -> Vec<bool> {
    let mut known: Set<SymId> = Set::default();
    let mut are_definitions = Vec::with_capacity(system.derived.len());
    for derived in &system.derived {
        let is_definition = derived.sym.is_some_and(|sym| {
            let is_before = |&it: &SymId| match system.sig.symbols[it].kind {
                SymbolKind::Derived => known.contains(&it),
                kind => kind != SymbolKind::Choice,
            };
            let value = definition(terms, derived.axiom).filter(|it| it.0 == sym);
            value.is_some_and(|(_, value)| value.is_none_or(|it| terms.symbols(it).iter().all(is_before)))
                && known.insert(sym)
        });
        are_definitions.push(is_definition);
    }
    are_definitions
}

/// Returns the symbol that a formula defines in step 0 for all of its arguments, with a value that is not constant.
fn definition(terms: &Terms, formula: TermId) -> Option<(SymId, Option<TermId>)> {
    let (vars, body) = match terms.node(formula) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<_>>(), body),
        _ => (Vec::new(), formula),
    };
    let head = |term: TermId| {
        let Node::App { sym, args, .. } = terms.node(term) else { return None };
        let args: Vec<VarId> =
            terms.args(args).iter().map(|&arg| terms.as_var(arg)).collect::<Option<_>>()?;
        (args.len() == vars.len() && vars.iter().all(|var| args.contains(var))).then_some(sym)
    };
    let (sym, value) = match terms.node(body) {
        Node::Iff(a, b) | Node::Eq(a, b) => match (head(a), head(b)) {
            (Some(sym), _) => (sym, Some(b)),
            (None, other) => (other?, Some(a)),
        },
        Node::Not(inner) => (head(inner)?, None),
        _ => (head(body)?, None),
    };
    value.is_none_or(|value| !terms.symbols(value).contains(&sym)).then_some((sym, value))
}

/// Leaves out what initial conditions say about the values of symbols that occur in none of them otherwise: they have such values,
/// whatever those of all others are.
fn forget_values(part: &mut System, is_dropped: impl Fn(SymId) -> bool) {
    let terms = &mut part.terms;
    let mut conjuncts: Vec<(usize, TermId, Set<SymId>)> = Vec::new();
    for (at, init) in part.inits.iter().enumerate() {
        conjuncts.extend(terms.conjuncts(init.formula).into_iter().map(|it| (at, it, terms.symbols(it))));
    }
    loop {
        let defines = |&(_, conjunct, _): &(usize, TermId, Set<SymId>)| {
            let (sym, _) = definition(terms, conjunct)?;
            let uses = conjuncts.iter().filter(|it| it.2.contains(&sym)).count();
            Some(is_dropped(sym) && uses == 1)
        };
        let Some(forgotten) = conjuncts.iter().position(|it| defines(it) == Some(true)) else { break };
        conjuncts.remove(forgotten);
    }
    for (at, init) in part.inits.iter_mut().enumerate() {
        let kept: Vec<TermId> = conjuncts.iter().filter(|it| it.0 == at).map(|it| it.1).collect();
        if kept.len() < terms.conjuncts(init.formula).len() {
            init.formula = terms.and(&kept);
        }
    }
}

/// Returns the symbols that the claims depend on.
fn needed(
    system: &System,
    terms: &Terms,
    actions: &[Action],
    definitions: &[bool],
    claims: &[TermId],
) -> Set<SymId> {
    let mut needed: Set<SymId> = Set::default();
    let mut open: Vec<TermId> = claims.to_vec();
    for action in actions {
        open.extend(action.guard.iter().chain(&action.residual));
    }
    // Such an axiom constrains states, perhaps without a word about its relation.
    for (derived, _) in system.derived.iter().zip(definitions).filter(|&(_, &is_definition)| !is_definition) {
        needed.extend(derived.sym);
        open.push(derived.axiom);
    }
    // What is assumed of the values of derived relations in the first state is assumed of what defines them.
    for init in &system.inits {
        let mut symbols: Vec<SymId> = terms.symbols(init.formula).into_iter().collect();
        symbols.retain(|&sym| system.sig.symbols[sym].kind == SymbolKind::Derived);
        let axioms = system.derived.iter().filter(|it| it.sym.is_some_and(|sym| symbols.contains(&sym)));
        open.extend(axioms.map(|it| it.axiom));
    }
    while let Some(formula) = open.pop() {
        for sym in terms.symbols(formula) {
            if !needed.insert(sym) {
                continue;
            }
            for action in actions {
                if let Update::Definition { value, .. } = action.update(sym) {
                    open.push(*value);
                }
            }
            open.extend(system.derived.iter().filter(|it| it.sym == Some(sym)).map(|it| it.axiom));
        }
    }
    needed
}

/// Returns a transition that does not change these symbols.
fn without(
    system: &System,
    terms: &mut Terms,
    transition: &Transition,
    action: &Action,
    is_dropped: impl Fn(SymId) -> bool,
) -> Transition {
    let modifies: Vec<SymId> = transition.modifies.iter().copied().filter(|&sym| !is_dropped(sym)).collect();
    let (mut conjuncts, updates): (Vec<TermId>, Vec<Assignment>) = match &transition.effect {
        Some(Effect { assumptions, updates }) => {
            (assumptions.clone(), updates.iter().filter(|it| !is_dropped(it.sym)).cloned().collect())
        }
        None => {
            let conjuncts = action.guard.iter().chain(&action.residual).copied().collect();
            let update = |&sym: &SymId| match action.update(sym) {
                Update::Definition { vars, value } => {
                    Some(Assignment { sym, vars: vars.clone(), value: *value })
                }
                // Some updates leave the symbol as it is.
                Update::Unchanged => {
                    let sorts = &system.sig.symbols[sym].args;
                    let vars: Vec<_> = sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
                    let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
                    Some(Assignment { sym, value: terms.app(&system.sig, sym, 0, &args), vars })
                }
                Update::Free => None,
            };
            (conjuncts, modifies.iter().filter_map(update).collect())
        }
    };
    let effect = transition.effect.as_ref();
    let effect = effect.map(|it| Effect { assumptions: it.assumptions.clone(), updates: updates.clone() });
    for Assignment { sym, vars, value } in updates {
        let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let next = terms.app(&system.sig, sym, 1, &args);
        let equal = terms.eq(next, value);
        conjuncts.push(terms.forall(&vars, equal));
    }
    let body = terms.and(&conjuncts);
    Transition { modifies, body, command: None, effect, ..transition.clone() }
}
