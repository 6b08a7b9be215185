//! Search for an assignment under which a formula has a value.
//!
//! A quantifier with many variables has more assignments than can be tried. Most formulas are conjunctions of conditions, though, or
//! negations of ones, and a condition fails as soon as its own variables have values. The values of several variables come from
//! the tuples of a relation where a condition is that it holds.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Evaluator;
use crate::logic::structure::{Elem, Interpretation, Structure};
use crate::logic::term::{Args, LARGE_TREE, Node, TermId, VarId};

/// Number of assignments that are tried one by one.
const FEW_ASSIGNMENTS: u64 = 16;

/// Number of tuples per element of a sort beyond which the tuples that agree with the values so far are not counted.
const MANY_TUPLES: usize = 4;

/// A formula that has to have a value.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    formula: TermId,
    wanted: bool,
    /// The variables that are free in it.
    vars: Vec<VarId>,
    /// The terms that have to differ, each with its variables, if that is the condition: two that are equal are enough for it to fail.
    different: Vec<(TermId, Vec<VarId>)>,
}

/// Variables whose values are searched.
struct Goal<'a> {
    /// They hold together if and only if the body has the value that is wanted.
    conditions: &'a [Condition],
    body: TermId,
    wanted: bool,
}

/// Where the next values come from.
enum Source<'s> {
    /// The elements of the variable's sort.
    Elements(VarId),
    /// The tuples of a relation, for arguments that are variables.
    Tuples(&'s Interpretation, Vec<VarId>),
}

/// How much is known of conditions once some variables have values. The greater the better: conditions fail early.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ties {
    /// Whether more than one variable gets a value.
    has_several: bool,
    /// Number of conditions of which all variables have values then, and one had none.
    complete: usize,
    /// Number of those with a value among their variables before.
    begun: usize,
    /// Number of conditions about the variables.
    all: usize,
}

impl Ties {
    /// Counts the conditions about those of the rest of the variables that are `new`.
    fn of(goal: &Goal<'_>, rest: &[VarId], new: impl Fn(&VarId) -> bool) -> Ties {
        let has_several = rest.iter().filter(|var| new(var)).count() > 1;
        let mut ties = Ties { has_several, complete: 0, begun: 0, all: 0 };
        for Condition { vars, .. } in goal.conditions {
            let open = |var: &&VarId| rest.contains(var);
            if vars.iter().filter(open).any(&new) {
                ties.complete += usize::from(vars.iter().filter(open).all(&new));
                ties.begun += usize::from(!vars.iter().all(|var| rest.contains(var)));
                ties.all += 1;
            }
        }
        ties
    }
}

impl<'a> Evaluator<'a> {
    /// Returns whether `body` has the value `wanted` under some assignment to bound variables.
    pub(super) fn has(&mut self, vars: Args, body: TermId, wanted: bool) -> bool {
        let vars: Vec<VarId> = self.syntax.terms.bound_vars(vars).collect();
        self.can_be(&vars, body, wanted)
    }

    /// Returns whether `body` has the value `wanted` under some assignment to `vars`.
    pub(super) fn can_be(&mut self, vars: &[VarId], body: TermId, wanted: bool) -> bool {
        // Quantifiers of one kind are one, as conditions may be about variables of several.
        let inner = match (self.syntax.terms.node(body), wanted) {
            (Node::Exists(more, inner), true) => Some((more, inner)),
            (Node::Forall(more, inner), false) if !self.is_unchanged(inner) => Some((more, inner)),
            _ => None,
        };
        if let Some((more, inner)) = inner {
            let more: Vec<VarId> = self.syntax.terms.bound_vars(more).collect();
            if !more.iter().any(|var| vars.contains(var)) {
                return self.can_be(&[vars, &more].concat(), inner, wanted);
            }
        }
        let sizes = vars.iter().map(|&var| u64::from(self.structure.sizes[self.sort(var)]));
        let all = sizes.fold(1, u64::saturating_mul);
        if all <= FEW_ASSIGNMENTS || self.syntax.terms.tree_size(body) > LARGE_TREE {
            return self.find(vars, body, wanted).is_some();
        }
        let conditions = self.conditions(body, wanted);
        // No sort is without elements, and of a variable that does not occur no value matters.
        let occurs = |var: &VarId| conditions.iter().any(|condition| condition.vars.contains(var));
        let vars: Vec<VarId> = vars.iter().copied().filter(occurs).collect();
        let saved: Vec<Option<Elem>> = vars.iter().map(|var| self.env.get(var).copied()).collect();
        let outside = std::mem::take(&mut self.memo);
        let goal = Goal { conditions: &conditions, body, wanted };
        let is_found = self.fits(&goal, None, &vars) && self.search(&goal, &vars);
        self.memo = outside;
        self.restore(&vars, saved);
        is_found
    }

    /// Returns formulas that have their values together if and only if `body` has the value `wanted`.
    fn conditions(&mut self, body: TermId, wanted: bool) -> Arc<[Condition]> {
        if let Some(known) = self.conditions.get(&(body, wanted)) {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        self.collect(body, wanted, &mut found);
        let found: Arc<[Condition]> = found.into();
        self.conditions.insert((body, wanted), Arc::clone(&found));
        found
    }

    fn collect(&self, formula: TermId, wanted: bool, found: &mut Vec<Condition>) {
        let terms = self.syntax.terms;
        match (terms.node(formula), wanted) {
            (Node::Not(inner), _) => self.collect(inner, !wanted, found),
            (Node::And(items), true) | (Node::Or(items), false) => {
                terms.args(items).iter().for_each(|&item| self.collect(item, wanted, found));
            }
            (Node::Implies(a, b), false) => {
                self.collect(a, true, found);
                self.collect(b, false, found);
            }
            (Node::Distinct(items), true) => {
                let different = terms.args(items).iter().map(|&item| (item, terms.free_vars(item))).collect();
                found.push(Condition { formula, wanted, vars: terms.free_vars(formula), different });
            }
            _ => {
                let (vars, different) = (terms.free_vars(formula), Vec::new());
                found.push(Condition { formula, wanted, vars, different });
            }
        }
    }

    /// Searches values for the rest of the variables.
    fn search(&mut self, goal: &Goal<'_>, rest: &[VarId]) -> bool {
        let Some(source) = self.source(goal, rest) else {
            // The conditions have been checked; the last word is that of the body itself.
            self.memo.clear();
            return self.is_true(goal.body) == goal.wanted;
        };
        match source {
            Source::Elements(var) => {
                let rest: Vec<VarId> = rest.iter().copied().filter(|&other| other != var).collect();
                for value in 0..self.structure.sizes[self.sort(var)] {
                    self.spend(1);
                    self.env.insert(var, value);
                    if self.exhausted.is_some()
                        || self.fits(goal, Some(&[var]), &rest) && self.search(goal, &rest)
                    {
                        return true;
                    }
                }
            }
            Source::Tuples(relation, args) => {
                let (new, rest): (Vec<VarId>, Vec<VarId>) = rest.iter().partition(|var| args.contains(var));
                for (tuple, _) in relation.entries.iter().filter(|&(_, &value)| value != 0) {
                    self.spend(1);
                    if self.exhausted.is_some()
                        || self.assign(&args, tuple, &new)
                            && self.fits(goal, Some(&new), &rest)
                            && self.search(goal, &rest)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Gives the new ones among some variables the values of a tuple. Returns whether that agrees with those of the others.
    fn assign(&mut self, args: &[VarId], tuple: &[Elem], new: &[VarId]) -> bool {
        for (at, (&var, &value)) in args.iter().zip(tuple).enumerate() {
            if new.contains(&var) && !args[..at].contains(&var) {
                self.env.insert(var, value);
            } else if self.env.get(&var).copied().unwrap_or(0) != value {
                return false;
            }
        }
        true
    }

    /// Returns whether those conditions hold that have none of the rest of the variables, and at least one of the `new` ones. Without
    /// new ones, those that have no variable that is searched. Of terms that have to differ, those are compared that have values.
    fn fits(&mut self, goal: &Goal<'_>, new: Option<&[VarId]>, rest: &[VarId]) -> bool {
        self.memo.clear();
        goal.conditions.iter().all(|condition| {
            let has = |some: &[VarId]| condition.vars.iter().any(|var| some.contains(var));
            if new.is_some_and(|new| !has(new)) {
                return true;
            }
            if has(rest) {
                self.may_differ(&condition.different, rest)
            } else {
                self.is_true(condition.formula) == condition.wanted
            }
        })
    }

    /// Returns whether the terms that have none of the rest of the variables differ, and there are elements for the others.
    fn may_differ(&mut self, terms: &[(TermId, Vec<VarId>)], rest: &[VarId]) -> bool {
        let Some(&(first, _)) = terms.first() else { return true };
        if terms.len() > self.structure.sizes[self.syntax.terms.sort(first)] as usize {
            return false;
        }
        let known = terms.iter().filter(|(_, vars)| !vars.iter().any(|var| rest.contains(var)));
        let mut values: SmallVec<[Elem; 16]> = known.map(|&(term, _)| self.eval_memoized(term)).collect();
        values.sort_unstable();
        values.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Returns where the next values come from: what has the fewest, and of those what is tied most to the values so far. `None` if no
    /// variable is left.
    fn source(&self, goal: &Goal<'_>, rest: &[VarId]) -> Option<Source<'a>> {
        let size = |var: VarId| self.structure.sizes[self.sort(var)] as usize;
        let mut fewest = rest.iter().map(|&var| size(var)).min()?;
        let mut best: Option<(Ties, Source<'a>)> = None;
        for condition in goal.conditions {
            let Some((relation, args)) = self.relation(condition) else { continue };
            let is_many = relation.entries.len() > fewest.saturating_mul(MANY_TUPLES);
            if is_many || !args.iter().any(|arg| rest.contains(arg)) {
                continue;
            }
            let agrees = |tuple: &[Elem]| {
                let mut known = args.iter().zip(tuple).filter(|(arg, _)| !rest.contains(arg));
                known.all(|(arg, value)| self.env.get(arg).copied().unwrap_or(0) == *value)
            };
            let tuples = relation.entries.iter();
            let count = tuples.filter(|&(tuple, &value)| value != 0 && agrees(tuple)).count();
            if count > fewest {
                continue;
            }
            let ties = Ties::of(goal, rest, |var| args.contains(var));
            if count < fewest || best.as_ref().is_none_or(|(other, _)| *other < ties) {
                (fewest, best) = (count, Some((ties, Source::Tuples(relation, args))));
            }
        }
        for &var in rest.iter().filter(|&&var| size(var) == fewest) {
            let ties = Ties::of(goal, rest, |&other| other == var);
            if best.as_ref().is_none_or(|(other, _)| *other < ties) {
                best = Some((ties, Source::Elements(var)));
            }
        }
        best.map(|(_, source)| source)
    }

    /// Returns the relation and its arguments if the condition is that some variables are in a relation that is false by default.
    fn relation(&self, condition: &Condition) -> Option<(&'a Interpretation, Vec<VarId>)> {
        let Node::App { sym, step, args } = self.syntax.terms.node(condition.formula) else { return None };
        let structure: &'a Structure = self.structure;
        let relation = structure.interpretation(self.syntax.sig, sym, step.into());
        let var = |&arg: &TermId| match self.syntax.terms.node(arg) {
            Node::Var(var) => Some(var),
            _ => None,
        };
        let args: Option<Vec<VarId>> = self.syntax.terms.args(args).iter().map(var).collect();
        Some((relation, args?)).filter(|_| condition.wanted && relation.default == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::budget::Budget;
    use crate::base::rng::Rng;
    use crate::logic::sig::{Signature, Sort, SortId, Symbol, SymbolKind};
    use crate::logic::term::Terms;

    /// There are 30! ways to give 30 variables different values, and one suffices; of 31 variables two are equal.
    #[test]
    fn differences_are_looked_at_while_variables_get_values() {
        let mut sig = Signature::new();
        let s = sig.sorts.push(Sort::new("s"));
        let constant = sig.symbols.push(Symbol::new("c", Vec::new(), s, SymbolKind::Immutable));
        let mut structure = Structure::new(&sig, 1);
        structure.sizes[s] = 30;
        let mut terms = Terms::new();
        let vars: Vec<VarId> = (0..31).map(|at| terms.new_var(format!("x{at}"), s)).collect();
        let of =
            |terms: &mut Terms, vars: &[VarId]| vars.iter().map(|&var| terms.var(var)).collect::<Vec<_>>();
        let different = |terms: &mut Terms, vars: &[VarId]| {
            let items = of(terms, vars);
            terms.distinct(&items)
        };
        let (all, too_many) = (different(&mut terms, &vars[..30]), different(&mut terms, &vars));
        let mut items = of(&mut terms, &vars[..29]);
        items.push(terms.app(&sig, constant, 0, &[]));
        let from_constant = terms.distinct(&items);
        let nested = vars[..30].iter().fold(all, |body, &var| terms.exists(&[var], body));
        let cases = [
            (terms.exists(&vars[..30], all), true),
            (terms.exists(&vars[..29], from_constant), true),
            (terms.exists(&vars, too_many), false),
            (nested, true),
        ];
        let mut eval = Evaluator::new(terms.over(&sig), &structure);
        for (formula, expected) in cases {
            eval.budget = Budget::new(Some(100_000), None);
            assert_eq!((eval.holds(formula), eval.exhausted), (expected, None));
        }
    }

    /// A ring of marked nodes in its order: the marks say nothing, and each triple says what its nodes are.
    #[test]
    fn variables_of_the_same_conditions_get_values_one_after_the_other() {
        const SIZE: u32 = 9;
        let mut sig = Signature::new();
        let s = sig.sorts.push(Sort::new("s"));
        let relation =
            |name: &str, arity| Symbol::new(name, vec![s; arity], SortId::BOOL, SymbolKind::Immutable);
        let (between, marked) =
            (sig.symbols.push(relation("btw", 3)), sig.symbols.push(relation("marked", 1)));
        let mut structure = Structure::new(&sig, 1);
        structure.sizes[s] = SIZE;
        for a in 0..SIZE {
            structure.interpretation_mut(&sig, marked, 0).set(&[a], 1);
            for (b, c) in (1..SIZE).flat_map(|b| (b + 1..SIZE).map(move |c| (b, c))) {
                let after = |by| (a + by) % SIZE;
                structure.interpretation_mut(&sig, between, 0).set(&[a, after(b), after(c)], 1);
            }
        }
        let mut terms = Terms::new();
        let vars: Vec<VarId> = (0..SIZE).map(|at| terms.new_var(format!("x{at}"), s)).collect();
        let uses: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let triples = uses[1..].windows(2).map(|pair| [uses[0], pair[0], pair[1]]);
        let triples: Vec<TermId> = triples.map(|it| terms.app(&sig, between, 0, &it)).collect();
        let mut marks: Vec<TermId> = Vec::new();
        for &node in &uses {
            marks.push(terms.app(&sig, marked, 0, &[node]));
        }
        let after = terms.and(&[&triples[..], &marks].concat());
        marks.reverse();
        let before = terms.and(&[&marks[..], &triples].concat());
        for body in [after, before] {
            let formula = terms.exists(&vars, body);
            let mut eval = Evaluator::new(terms.over(&sig), &structure);
            eval.budget = Budget::new(Some(100_000), None);
            assert_eq!((eval.holds(formula), eval.exhausted), (true, None));
        }
    }

    /// Random formulas in random structures, beside the value by all assignments.
    #[test]
    fn a_search_decides_like_all_assignments() {
        let mut sig = Signature::new();
        let s = sig.sorts.push(Sort::new("s"));
        let relation =
            |name: &str, arity| Symbol::new(name, vec![s; arity], SortId::BOOL, SymbolKind::Immutable);
        let relations: Vec<_> = (0..3).map(|arity| sig.symbols.push(relation("r", arity))).collect();
        let mut rng = Rng::new(7);
        let mut seen = [[0; 2]; 2];
        for _ in 0..3_000 {
            let mut structure = Structure::new(&sig, 1);
            structure.sizes[s] = 3 + rng.below(3) as u32;
            for (arity, &sym) in relations.iter().enumerate() {
                let meaning = structure.interpretation_mut(&sig, sym, 0);
                meaning.default = u32::from(rng.below(4) == 0);
                for _ in 0..rng.below(6) {
                    let args: Vec<Elem> = (0..arity).map(|_| rng.below(3) as Elem).collect();
                    meaning.set(&args, rng.below(2) as Elem);
                }
            }
            let mut terms = Terms::new();
            let vars: Vec<VarId> = (0..4).map(|at| terms.new_var(format!("x{at}"), s)).collect();
            let mut made: Vec<TermId> = Vec::new();
            for _ in 0..8 {
                let mut var = || vars[rng.below(4)];
                let (a, b) = (var(), var());
                let (a, b) = (terms.var(a), terms.var(b));
                let c = terms.var(vars[rng.below(4)]);
                let arity = rng.below(3);
                let atom = match rng.below(5) {
                    0 => terms.eq(a, b),
                    1 => terms.distinct(&[a, b, c]),
                    _ => terms.app(&sig, relations[arity], 0, &[a, b][..arity]),
                };
                made.push(atom);
                let mut some = || made[rng.below(made.len())];
                let (f, g) = (some(), some());
                made.push(match rng.below(6) {
                    0 => terms.not(f),
                    1 => terms.or(&[f, g]),
                    2 => terms.implies(f, g),
                    3 => terms.iff(f, g),
                    4 => terms.exists(&vars[3 * rng.below(2)..][..1], f),
                    _ => terms.and(&[f, g]),
                });
            }
            let body = made[made.len() - 1];
            let block = terms.forall(&vars[..3], body);
            let Node::Forall(bound, _) = terms.node(block) else { continue };
            let mut eval = Evaluator::new(terms.over(&sig), &structure);
            for wanted in [false, true] {
                let expected = eval.find(&vars[..3], body, wanted).is_some();
                assert_eq!(eval.has(bound, body, wanted), expected);
                assert_eq!(eval.witness(bound, body, wanted), eval.find(&vars[..3], body, wanted));
                assert!(eval.env.is_empty());
                seen[usize::from(wanted)][usize::from(expected)] += 1;
            }
        }
        assert!(seen.iter().flatten().all(|&count| count > 100), "{seen:?}");
    }
}
