//! That some transition can be taken, as a formula over one state.
//!
//! Whether there is a next state is a question about relations, which no formula of first-order logic asks. But where a transition says
//! which values its symbols have in the next state, in terms of the current one, there is a next state if the rest of what it says
//! is true of these values. Transitions that say something else are left out. So where the formula is true, some transition can be
//! taken; where it is false, one of those may be possible.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SymId, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::{System, Transition};

/// Maximum number of choices of a transition; one with more is left out.
const MAX_CHOICES: usize = 8;

/// Maximum size of what a transition demands; one that demands more is left out.
const MAX_SIZE: u32 = 100_000;

/// Returns the system with the claim that some transition can be taken in every state, as its last invariant. `None` if it has no
/// transition.
pub fn with_progress(system: &System) -> Option<System> {
    let span = system.transitions.first()?.span;
    let mut system = system.without_proofs();
    let mut terms = system.terms.clone();
    let mut ways = Vec::new();
    for transition in &system.transitions {
        ways.extend(way(&system, &mut terms, transition));
    }
    let formula = terms.or(&ways);
    system.terms = terms;
    Some(system.with_progress(formula, span))
}

/// Returns a formula over step 0 that implies that there is a next state by this transition, with some values of its parameters and of the
/// choices that it makes.
fn way(system: &System, terms: &mut Terms, transition: &Transition) -> Option<TermId> {
    let sig = &system.sig;
    let mut next = Next { params: &transition.params, values: Map::default() };
    // What the transition does not modify is as it was.
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if symbol.kind == SymbolKind::Mutable && !transition.modifies.contains(&sym) {
            let vars: Vec<VarId> = symbol.args.iter().map(|&sort| terms.new_var("X", sort)).collect();
            let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
            let value = terms.app(sig, sym, 0, &args);
            next.values.insert(sym, (vars, value));
        }
    }
    let mut demands = Vec::new();
    split(terms, transition.body, &mut demands);
    for derived in &system.derived {
        let axiom = terms.shift(sig, derived.axiom, 1);
        split(terms, axiom, &mut demands);
    }
    // A demand that gives a symbol its value is true of that value, and is left out.
    loop {
        let mut memo = Map::default();
        for demand in &mut demands {
            *demand = next.read(terms, *demand, &mut memo)?;
        }
        let defined = demands.iter().enumerate().find_map(|(at, &demand)| {
            let (sym, vars, value) = definition(terms, demand)?;
            (!next.values.contains_key(&sym)).then_some((at, sym, vars, value))
        });
        let Some((at, sym, vars, value)) = defined else { break };
        demands.remove(at);
        let value = match value {
            Value::Term(value) => value,
            Value::True => terms.tru(),
            Value::False => terms.fals(),
        };
        next.values.insert(sym, (vars, value));
    }
    let guard = terms.and(&demands);
    if terms.max_step(guard) > 0 {
        return None;
    }
    let guard = any_choice(sig, terms, guard)?;
    Some(if transition.params.is_empty() { guard } else { terms.exists(&transition.params, guard) })
}

/// Adds formulas whose conjunction is equivalent to a formula: conjunctions are taken apart, also below universal quantifiers, which keep
/// the variables that occur.
fn split(terms: &mut Terms, formula: TermId, out: &mut Vec<TermId>) {
    match terms.node(formula) {
        Node::And(items) => {
            for item in terms.args(items).to_vec() {
                split(terms, item, out);
            }
        }
        Node::Forall(vars, body) if matches!(terms.node(body), Node::And(_)) => {
            let vars: Vec<VarId> = terms.bound_vars(vars).collect();
            for item in terms.children(body).collect::<Vec<TermId>>() {
                let free = terms.free_vars(item);
                let used: Vec<VarId> = vars.iter().copied().filter(|var| free.contains(var)).collect();
                let item = if used.is_empty() { item } else { terms.forall(&used, item) };
                split(terms, item, out);
            }
        }
        _ => out.push(formula),
    }
}

/// What a symbol is defined to be.
enum Value {
    Term(TermId),
    True,
    False,
}

/// Returns the symbol that a formula defines in the next state, by its value over step 0 for these arguments: `forall X. r'(X) <-> φ`,
/// `forall X. f'(X) = t`, `forall X. r'(X)` or `forall X. !r'(X)`.
fn definition(terms: &Terms, formula: TermId) -> Option<(SymId, Vec<VarId>, Value)> {
    let (bound, body) = match terms.node(formula) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<VarId>>(), body),
        _ => (Vec::new(), formula),
    };
    let defined = |term: TermId| -> Option<(SymId, Vec<VarId>)> {
        let Node::App { sym, step: 1, args } = terms.node(term) else { return None };
        let var = |&arg: &TermId| match terms.node(arg) {
            Node::Var(var) if bound.contains(&var) => Some(var),
            _ => None,
        };
        let vars: Vec<VarId> = terms.args(args).iter().map(var).collect::<Option<_>>()?;
        // Each of the variables is one argument, and no other.
        let different: Set<VarId> = vars.iter().copied().collect();
        (vars.len() == bound.len() && different.len() == bound.len()).then_some((sym, vars))
    };
    match terms.node(body) {
        Node::Iff(a, b) | Node::Eq(a, b) => [(a, b), (b, a)].into_iter().find_map(|(symbol, value)| {
            let (sym, vars) = defined(symbol)?;
            (terms.max_step(value) == 0).then_some((sym, vars, Value::Term(value)))
        }),
        Node::Not(inner) => defined(inner).map(|(sym, vars)| (sym, vars, Value::False)),
        _ => defined(body).map(|(sym, vars)| (sym, vars, Value::True)),
    }
}

/// What is known of the next state.
struct Next<'a> {
    /// The parameters, which are free in values.
    params: &'a [VarId],
    /// By symbol, its value for these arguments, over step 0.
    values: Map<SymId, (Vec<VarId>, TermId)>,
}

impl Next<'_> {
    /// Returns a term with the values of symbols in the next state in place of these. `None` if a value would be captured.
    fn read(&self, terms: &mut Terms, term: TermId, memo: &mut Map<TermId, TermId>) -> Option<TermId> {
        if terms.max_step(term) == 0 {
            return Some(term);
        }
        if let Some(&known) = memo.get(&term) {
            return Some(known);
        }
        if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term)
            && terms.bound_vars(vars).any(|var| self.params.contains(&var))
        {
            return None;
        }
        let mut children = Vec::new();
        for child in terms.children(term).collect::<Vec<TermId>>() {
            children.push(self.read(terms, child, memo)?);
        }
        let known = match terms.node(term) {
            Node::App { sym, step: 1, .. } => self.values.get(&sym),
            _ => None,
        };
        let result = match known {
            Some((vars, value)) => {
                let map = vars.iter().copied().zip(children).collect();
                terms.substitute(*value, &map)
            }
            None => terms.rebuild(term, &children),
        };
        if terms.tree_size(result) > MAX_SIZE {
            return None;
        }
        memo.insert(term, result);
        Some(result)
    }
}

/// Returns that a formula is true for some values of the choices in it.
fn any_choice(sig: &Signature, terms: &mut Terms, formula: TermId) -> Option<TermId> {
    let is_choice = |sym: &SymId| sig.symbols[*sym].kind == SymbolKind::Choice;
    let mut choices: Vec<SymId> = terms.symbols(formula).into_iter().filter(is_choice).collect();
    choices.sort_unstable();
    let ways = 1_u32.checked_shl(choices.len() as u32)?;
    let is_small = choices.len() <= MAX_CHOICES && terms.tree_size(formula).saturating_mul(ways) <= MAX_SIZE;
    if !is_small || choices.iter().any(|&sym| !sig.symbols[sym].args.is_empty()) {
        return None;
    }
    let mut alternatives = Vec::new();
    for way in 0..ways {
        let mut map = Map::default();
        for (at, &sym) in choices.iter().enumerate() {
            let value = if way >> at & 1 == 1 { terms.tru() } else { terms.fals() };
            map.insert(terms.app(sig, sym, 0, &[]), value);
        }
        alternatives.push(replaced(terms, formula, &mut map));
    }
    Some(match alternatives.as_slice() {
        [only] => *only,
        many => terms.or(many),
    })
}

/// Replaces closed terms.
fn replaced(terms: &mut Terms, term: TermId, map: &mut Map<TermId, TermId>) -> TermId {
    if let Some(&known) = map.get(&term) {
        return known;
    }
    let children: Vec<TermId> = terms.children(term).collect();
    let new: Vec<TermId> = children.iter().map(|&child| replaced(terms, child, map)).collect();
    let result = if new == children { term } else { terms.rebuild(term, &new) };
    map.insert(term, result);
    result
}
