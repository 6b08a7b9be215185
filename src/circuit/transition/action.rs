//! Normal form of actions: parameters, a guard, definitional updates, and a residual.
//!
//! A two-state formula is read conjunct by conjunct. `forall X. new(r(X)) <-> phi(X)` with `phi` over the old state is
//! a *definitional update* `r'(X) := phi(X)`; likewise equations for functions and constants, point updates, and
//! definitions under `if`. A query about the next state then substitutes the updates and does not contain the next
//! state, so that no quantified frame axiom or update must be instantiated. The updates of a command are known from its
//! composition ([`ramsey_core::system::Effect`]) and not read from the formula.
//!
//! The conjunction of guard, updates (read as equivalences) and residual is equivalent to the action's
//! formula together with its frame conditions.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::term::LARGE_TREE;
use ramsey_core::logic::{Node, SortId, SymId, SymbolKind, SyntaxMut, TermId, Terms, VarId};

use ramsey_core::system::command::Assignment;
use ramsey_core::system::model::{System, Transition};

/// Maximum size of a value that is larger than its definition, by the definitions that are in it. In a series of definitions each of
/// which reads the one before twice, the last value would have exponential size; beyond this size they are constraints.
const MAX_VALUE: u32 = 1_000;

/// Value of a symbol in the next state, in terms of the current state.
#[derive(Clone, Debug)]
pub enum Update {
    /// The symbol does not change.
    Unchanged,
    /// `symbol'(vars) := value`. The `value` is over step 0 only; its free variables are `vars` and the action's
    /// parameters.
    Definition {
        /// One per argument.
        vars: Vec<VarId>,
        /// A formula for relations, a term otherwise.
        value: TermId,
    },
    /// The symbol is constrained only by the residual.
    Free,
}

/// An action in normal form.
#[derive(Clone, Debug)]
pub struct Action {
    /// Conjuncts over step 0.
    pub guard: Vec<TermId>,
    /// One entry for each mutable symbol that is not [`Update::Unchanged`].
    updates: Map<SymId, Update>,
    /// Conjuncts over both states that define nothing, with updates substituted.
    pub residual: Vec<TermId>,
}

impl Action {
    /// Computes the normal form of `transition`, with its parameters replaced by `params` (terms without variables).
    /// Derived relations of the next state are defined by their axioms.
    pub fn of_transition(
        system: &System,
        syntax: SyntaxMut<'_>,
        transition: &Transition,
        params: &[TermId],
    ) -> Action {
        let SyntaxMut { sig, terms } = syntax;
        let derived = system.derived.iter().map(|derived| terms.shift(sig, derived.axiom, 1)).collect();
        Action::new(system, terms.over_mut(sig), transition, params, derived)
    }

    /// Like [`Self::of_transition`], without the axioms of derived relations. These relations are free in the next
    /// state, so the caller must assume their axioms there.
    pub fn without_derived(
        system: &System,
        syntax: SyntaxMut<'_>,
        transition: &Transition,
        params: &[TermId],
    ) -> Action {
        Action::new(system, syntax, transition, params, Vec::new())
    }

    fn new(
        system: &System,
        syntax: SyntaxMut<'_>,
        transition: &Transition,
        params: &[TermId],
        derived: Vec<TermId>,
    ) -> Action {
        let SyntaxMut { sig, terms } = syntax;
        let map: Map<VarId, TermId> = transition.params.iter().copied().zip(params.iter().copied()).collect();
        let mut action = Action { guard: Vec::new(), updates: Map::default(), residual: Vec::new() };
        for &sym in &transition.modifies {
            action.updates.insert(sym, Update::Free);
        }
        for sym in system.derived.iter().filter_map(|derived| derived.sym) {
            action.updates.insert(sym, Update::Free);
        }
        let relation = match &transition.effect {
            Some(effect) => {
                for Assignment { sym, vars, value } in &effect.updates {
                    let value = terms.substitute(*value, &map);
                    action.define(terms.over_mut(sig), *sym, vars.clone(), value);
                }
                terms.and(&effect.assumptions)
            }
            None => transition.body,
        };
        let relation = terms.substitute(relation, &map);
        let mut pending = Vec::new();
        let conjuncts = distribute(terms, relation);
        for conjunct in merge_branches(terms, conjuncts) {
            split_branches(terms, conjunct, &mut pending);
        }
        pending.extend(derived);
        action.absorb(terms.over_mut(sig), pending);
        action
    }

    /// Removes definitions from `pending` until none is left, and substitutes each into the rest.
    fn absorb(&mut self, syntax: SyntaxMut<'_>, pending: Vec<TermId>) {
        let SyntaxMut { sig, terms } = syntax;
        // With the size that each may have.
        let mut pending: Vec<(TermId, u32)> =
            pending.into_iter().map(|it| (it, MAX_VALUE.max(terms.tree_size(it)))).collect();
        loop {
            let mut found = false;
            let mut rest = Vec::new();
            let mut points: Vec<PartialUpdates> = Vec::new();
            for &(conjunct, size) in &pending {
                let conjunct = self.post(terms.over_mut(sig), conjunct);
                if terms.max_step(conjunct) == 0 {
                    self.guard.extend(terms.conjuncts(conjunct));
                    continue;
                }
                if terms.tree_size(conjunct) > size {
                    rest.push((conjunct, size));
                    continue;
                }
                if let Some((sym, vars, value)) = definition(terms, conjunct)
                    && matches!(self.update(sym), Update::Free)
                    && !mentions_next(terms, value)
                {
                    self.define(terms.over_mut(sig), sym, vars, value);
                    found = true;
                    continue;
                }
                if let Some(point) = point_definition(terms, conjunct) {
                    match points.iter_mut().find(|known| known.sym == point.sym) {
                        Some(known) => known.parts.extend(point.parts),
                        None => points.push(point),
                    }
                }
                rest.push((conjunct, size));
            }
            for point in points {
                if !matches!(self.update(point.sym), Update::Free) {
                    continue;
                }
                if let Some((vars, value)) = point.combine(terms) {
                    let used: Set<TermId> = point.parts.iter().map(|part| part.conjunct).collect();
                    rest.retain(|(conjunct, _)| !used.contains(conjunct));
                    self.define(terms.over_mut(sig), point.sym, vars, value);
                    found = true;
                }
            }
            pending = rest;
            if !found {
                break;
            }
        }
        self.residual = pending.into_iter().map(|(conjunct, _)| conjunct).collect();
    }

    fn define(&mut self, syntax: SyntaxMut<'_>, sym: SymId, vars: Vec<VarId>, value: TermId) {
        let SyntaxMut { sig, terms } = syntax;
        let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        if value == terms.app(sig, sym, 0, &args) {
            self.updates.insert(sym, Update::Unchanged);
        } else {
            self.updates.insert(sym, Update::Definition { vars, value });
        }
    }

    /// Lets a symbol without frame condition change freely.
    pub(super) fn leave_free(&mut self, sym: SymId) {
        self.updates.insert(sym, Update::Free);
    }

    /// Keeps what a transition says of the value of a derived relation in the next state as a constraint: it is one of the symbols that
    /// define the relation.
    pub(super) fn constrain(&mut self, syntax: SyntaxMut<'_>, sym: SymId) {
        let SyntaxMut { sig, terms } = syntax;
        let (vars, value) = match self.updates.insert(sym, Update::Free) {
            None | Some(Update::Free) => return,
            Some(Update::Definition { vars, value }) => (vars, value),
            Some(Update::Unchanged) => {
                let sorts = &sig.symbols[sym].args;
                let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
                let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
                (vars, terms.app(sig, sym, 0, &args))
            }
        };
        let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let next = terms.app(sig, sym, 1, &args);
        let equal = terms.eq(next, value);
        self.residual.push(terms.forall(&vars, equal));
    }

    /// Returns the update of `sym`.
    pub fn update(&self, sym: SymId) -> &Update {
        self.updates.get(&sym).unwrap_or(&Update::Unchanged)
    }

    /// Expresses a formula over steps 0 and 1 in terms of the old state, as far as the updates allow.
    pub fn post(&self, syntax: SyntaxMut<'_>, term: TermId) -> TermId {
        self.post_in(syntax, term, &mut Map::default())
    }

    fn post_in(&self, syntax: SyntaxMut<'_>, term: TermId, memo: &mut Map<TermId, TermId>) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        if terms.max_step(term) == 0 {
            return term;
        }
        if let Some(&done) = memo.get(&term) {
            return done;
        }
        let children: Vec<TermId> = terms.children(term).collect();
        let children: Vec<TermId> =
            children.into_iter().map(|child| self.post_in(terms.over_mut(sig), child, memo)).collect();
        let result = match terms.node(term) {
            Node::App { sym, step: 1, .. } => match self.update(sym) {
                // Choices in the next state are independent of the choices in this one.
                Update::Unchanged if sig.symbols[sym].kind == SymbolKind::Choice => {
                    terms.app(sig, sym, 1, &children)
                }
                Update::Unchanged => terms.app(sig, sym, 0, &children),
                Update::Free => terms.app(sig, sym, 1, &children),
                Update::Definition { vars, value } => {
                    let map = vars.iter().copied().zip(children).collect();
                    terms.substitute(*value, &map)
                }
            },
            _ => terms.rebuild(term, &children),
        };
        memo.insert(term, result);
        result
    }
}

fn mentions_next(terms: &Terms, term: TermId) -> bool {
    terms.max_step(term) > 0
}

/// Splits a formula into conjuncts. `forall X. A & B` is split into `(forall X. A) & (forall X. B)` without unused
/// variables, so that a guard next to an update becomes a separate conjunct. (No sort is empty.)
fn distribute(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let mut result = Vec::new();
    for conjunct in terms.conjuncts(formula) {
        let (Node::Forall(vars, body), true) = (terms.node(conjunct), is_forall_and(terms, conjunct)) else {
            result.push(conjunct);
            continue;
        };
        let vars: Vec<VarId> = terms.bound_vars(vars).collect();
        for part in terms.conjuncts(body) {
            let free = terms.free_vars(part);
            let used: Vec<VarId> = vars.iter().copied().filter(|var| free.contains(var)).collect();
            result.push(if used.is_empty() { part } else { terms.forall(&used, part) });
        }
    }
    result
}

fn is_forall_and(terms: &Terms, formula: TermId) -> bool {
    matches!(terms.node(formula), Node::Forall(_, body) if matches!(terms.node(body), Node::And(_)))
}

/// Joins `c -> A` and `!c -> B` to `if c then A else B`.
fn merge_branches(terms: &mut Terms, conjuncts: Vec<TermId>) -> Vec<TermId> {
    let mut result: Vec<TermId> = Vec::new();
    let mut taken = vec![false; conjuncts.len()];
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        if std::mem::replace(&mut taken[index], true) {
            continue;
        }
        let Node::Implies(condition, then) = terms.node(conjunct) else {
            result.push(conjunct);
            continue;
        };
        let opposite = conjuncts.iter().enumerate().skip(index + 1).find_map(|(other, &candidate)| {
            let Node::Implies(other_condition, otherwise) = terms.node(candidate) else { return None };
            let choice = match (terms.node(condition), terms.node(other_condition)) {
                (_, Node::Not(inner)) if inner == condition => (condition, then, otherwise),
                (Node::Not(inner), _) if inner == other_condition => (inner, otherwise, then),
                _ => return None,
            };
            (!taken[other]).then_some((other, choice))
        });
        match opposite {
            Some((other, (condition, then, otherwise))) => {
                taken[other] = true;
                result.push(terms.ite(condition, then, otherwise));
            }
            None => result.push(conjunct),
        }
    }
    result
}

/// Distributes `if c then A1 & A2 else B1 & B2`: definitions in both branches are paired symbol by symbol, and the rest
/// of each branch becomes an implication.
fn split_branches(terms: &mut Terms, conjunct: TermId, result: &mut Vec<TermId>) {
    let Node::Ite(condition, a, b) = terms.node(conjunct) else {
        result.push(conjunct);
        return;
    };
    if terms.max_step(conjunct) == 0 || mentions_next(terms, condition) {
        result.push(conjunct);
        return;
    }
    let [then, otherwise] = [a, b].map(|branch| {
        let mut parts = Vec::new();
        for part in merge_branches(terms, terms.conjuncts(branch)) {
            split_branches(terms, part, &mut parts);
        }
        parts
    });
    let mut taken = vec![false; otherwise.len()];
    for part in then {
        let partner = definition(terms, part).and_then(|(sym, ..)| {
            (0..otherwise.len()).find(|&index| {
                !taken[index] && definition(terms, otherwise[index]).is_some_and(|(other, ..)| other == sym)
            })
        });
        result.push(match partner {
            Some(index) => {
                taken[index] = true;
                terms.ite(condition, part, otherwise[index])
            }
            None => terms.implies(condition, part),
        });
    }
    let negated = terms.not(condition);
    for (index, part) in otherwise.into_iter().enumerate() {
        if !taken[index] {
            result.push(terms.implies(negated, part));
        }
    }
}

/// Reads a conjunct of the form `sym'(vars) := value`.
fn definition(terms: &mut Terms, conjunct: TermId) -> Option<(SymId, Vec<VarId>, TermId)> {
    let (vars, body) = match terms.node(conjunct) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<_>>(), body),
        _ => (Vec::new(), conjunct),
    };
    let (head, value) = match terms.node(body) {
        Node::Iff(a, b) | Node::Eq(a, b) => match (next_head(terms, a, &vars), next_head(terms, b, &vars)) {
            (Some(head), _) => (head, b),
            (None, Some(head)) => (head, a),
            (None, None) => return None,
        },
        Node::App { .. } if terms.sort(body) == SortId::BOOL => (next_head(terms, body, &vars)?, terms.tru()),
        Node::Not(inner) => (next_head(terms, inner, &vars)?, terms.fals()),
        Node::Ite(condition, a, b) if vars.is_empty() && !mentions_next(terms, condition) => {
            return branch_definition(terms, condition, a, b);
        }
        _ => return None,
    };
    let (sym, head_vars) = head;
    // Variables of the value that do not occur in the head would be quantified differently.
    let same = head_vars.len() == vars.len();
    (same && !mentions_next(terms, value)).then_some((sym, head_vars, value))
}

/// Reads `if c then sym' := a else sym' := b`, where each branch is only that definition.
fn branch_definition(
    terms: &mut Terms,
    condition: TermId,
    a: TermId,
    b: TermId,
) -> Option<(SymId, Vec<VarId>, TermId)> {
    let (sym, vars, then) = definition(terms, a)?;
    let (other, other_vars, otherwise) = definition(terms, b)?;
    if sym != other {
        return None;
    }
    let map = other_vars
        .into_iter()
        .zip(&vars)
        .map(|(from, &to)| (from, terms.var(to)))
        .collect::<Vec<_>>()
        .into_iter()
        .collect();
    let otherwise = terms.substitute(otherwise, &map);
    let value = terms.ite(condition, then, otherwise);
    Some((sym, vars, value))
}

/// Returns the symbol and the variables of a head `sym'(x1, .., xn)` with distinct variables from `vars`.
fn next_head(terms: &Terms, term: TermId, vars: &[VarId]) -> Option<(SymId, Vec<VarId>)> {
    let Node::App { sym, step: 1, args } = terms.node(term) else { return None };
    let mut head = Vec::new();
    for &arg in terms.args(args) {
        let var = terms.as_var(arg)?;
        if head.contains(&var) || !vars.contains(&var) {
            return None;
        }
        head.push(var);
    }
    Some((sym, head))
}

/// Conjuncts that define one symbol at some of its arguments.
struct PartialUpdates {
    sym: SymId,
    parts: Vec<PartialUpdate>,
}

/// `forall vars. where_ -> sym'(vars) = value`, or `sym'(at) = value`.
struct PartialUpdate {
    conjunct: TermId,
    domain: Domain,
    value: TermId,
}

enum Domain {
    /// The arguments that satisfy this condition over these variables.
    Where(Vec<VarId>, TermId),
    /// These arguments, which contain no variables.
    At(Vec<TermId>),
}

fn point_definition(terms: &Terms, conjunct: TermId) -> Option<PartialUpdates> {
    let (vars, body) = match terms.node(conjunct) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect::<Vec<_>>(), body),
        _ => (Vec::new(), conjunct),
    };
    if vars.is_empty() {
        let (Node::Eq(a, b) | Node::Iff(a, b)) = terms.node(body) else { return None };
        let (head, value) = if mentions_next(terms, a) { (a, b) } else { (b, a) };
        let Node::App { sym, step: 1, args } = terms.node(head) else { return None };
        let at = terms.args(args).to_vec();
        if mentions_next(terms, value) || at.iter().any(|&arg| mentions_next(terms, arg)) {
            return None;
        }
        let part = PartialUpdate { conjunct, domain: Domain::At(at), value };
        return Some(PartialUpdates { sym, parts: vec![part] });
    }
    let Node::Implies(condition, equation) = terms.node(body) else { return None };
    let (Node::Eq(a, b) | Node::Iff(a, b)) = terms.node(equation) else { return None };
    let (head, value) = if mentions_next(terms, a) { (a, b) } else { (b, a) };
    let (sym, head_vars) = next_head(terms, head, &vars)?;
    if head_vars.len() != vars.len() || mentions_next(terms, condition) || mentions_next(terms, value) {
        return None;
    }
    let part = PartialUpdate { conjunct, domain: Domain::Where(head_vars, condition), value };
    Some(PartialUpdates { sym, parts: vec![part] })
}

impl PartialUpdates {
    /// Combines exactly two updates with syntactically complementary domains into one definition: `c` and `!c`, or "not
    /// at these arguments" and "at these arguments".
    fn combine(&self, terms: &mut Terms) -> Option<(Vec<VarId>, TermId)> {
        let [first, second] = self.parts.as_slice() else { return None };
        let (general, other) = match (&first.domain, &second.domain) {
            (Domain::Where(..), _) => (first, second),
            (_, Domain::Where(..)) => (second, first),
            _ => return None,
        };
        let Domain::Where(vars, condition) = &general.domain else { return None };
        match &other.domain {
            Domain::Where(other_vars, other_condition) => {
                let map: Vec<_> =
                    other_vars.iter().zip(vars).map(|(&from, &to)| (from, terms.var(to))).collect();
                let map = map.into_iter().collect();
                let other_condition = terms.substitute(*other_condition, &map);
                let other_value = terms.substitute(other.value, &map);
                let [one, other] = [*condition, other_condition].map(|it| ordered(terms, it));
                let is_negation =
                    |a: TermId, b: TermId| matches!(terms.node(a), Node::Not(inner) if inner == b);
                (is_negation(one, other) || is_negation(other, one))
                    .then(|| (vars.clone(), terms.ite(*condition, general.value, other_value)))
            }
            Domain::At(at) => {
                let outside = excluded_point(terms, *condition, vars)?;
                (outside == *at).then(|| (vars.clone(), terms.ite(*condition, general.value, other.value)))
            }
        }
    }
}

/// Returns the term with parts whose order means nothing in that of their ids, so that two terms that differ by this order are one.
fn ordered(terms: &mut Terms, term: TermId) -> TermId {
    if terms.tree_size(term) > LARGE_TREE {
        return term;
    }
    let mut children: Vec<TermId> = terms.children(term).collect();
    children.iter_mut().for_each(|child| *child = ordered(terms, *child));
    if matches!(terms.node(term), Node::And(_) | Node::Or(_) | Node::Eq(..) | Node::Iff(..)) {
        children.sort_unstable();
    }
    terms.rebuild(term, &children)
}

/// Returns the tuple `at` if `condition` has the form "`vars` is not `at`".
fn excluded_point(terms: &Terms, condition: TermId, vars: &[VarId]) -> Option<Vec<TermId>> {
    let equations: Vec<TermId> = match terms.node(condition) {
        Node::Not(inner) => terms.conjuncts(inner),
        Node::Or(args) => terms
            .args(args)
            .iter()
            .map(|&arg| match terms.node(arg) {
                Node::Not(inner) => Some(inner),
                _ => None,
            })
            .collect::<Option<_>>()?,
        _ => return None,
    };
    let mut at = vec![None; vars.len()];
    for equation in equations {
        let Node::Eq(a, b) = terms.node(equation) else { return None };
        let index_of = |term| terms.as_var(term).and_then(|var| vars.iter().position(|&v| v == var));
        let (index, value) = match (index_of(a), index_of(b)) {
            (Some(index), None) => (index, b),
            (None, Some(index)) => (index, a),
            _ => return None,
        };
        if at[index].is_some() || terms.free_vars(value).iter().any(|var| vars.contains(var)) {
            return None;
        }
        at[index] = Some(value);
    }
    at.into_iter().collect()
}
