//! Clauses by regression: why a step violates a lemma, read from the transition.
//!
//! The state before such a step satisfies the guard, and the negation of the lemma with the updates substituted (its weakest
//! precondition, negated). Of all facts about that state only a few make these formulas true: a literal for each conjunct, one
//! branch of each disjunction. Where nothing is left out, no reachable state has those together if the lemma is an invariant, so
//! that their negation is one as well. What has no place in a clause is left out: symbols that the model does not declare, the next
//! values of symbols without a definition, and universal conditions on elements that no other fact is about. It is a lemma to be
//! proved in any case.
//! Fewer of them may do: those are dropped without which no state that is known to be allowed has the others. (Backward
//! reachability with approximations: Conchon et al., FMCAD 2013.)
//!
//! Such clauses have as many variables and literals as it takes, and are found without a search among all clauses of a language.

use std::cmp::Reverse;
use std::mem::{swap, take};
use std::sync::Arc;

use super::claim::{Claim, Cti};
use super::provenance::normal_form;
use super::prover::Prover;
use super::separate::{Edge, rank};
use super::state::{Matcher, Pattern, State};
use ramsey_circuit::transition::Action;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{
    Elem, Evaluator, Node, Signature, SortId, Structure, SymbolKind, TermId, Terms, Tuples, VarId,
};
use ramsey_core::system::{System, Transition};
use ramsey_solver::formulas::{Fact, Partial};

/// Maximum number of literals that are read from a step. Of more, many subsets are true of no state seen by chance.
const MAX_LITERALS: usize = 8;
/// Maximum number of facts that are collected on the way.
const MAX_FACTS: usize = 64;
/// Maximum number of instances of a quantifier.
const MAX_INSTANCES: u64 = 64;
/// Maximum size of a formula, as a tree.
const MAX_SIZE: u32 = 2_000;

/// What is read from transitions.
#[derive(Debug)]
pub(super) struct Regression {
    terms: Terms,
    /// The normal forms of transitions from which clauses were read, with the guards in negation normal form.
    actions: Vec<Option<Action>>,
}

impl Regression {
    /// Begins with the transitions of a system, none of which is read yet.
    pub(super) fn new(system: &System) -> Regression {
        Regression { terms: system.terms.clone(), actions: vec![None; system.transitions.len()] }
    }

    /// Returns the normal form of a transition.
    fn action(terms: &mut Terms, system: &System, transition: &Transition) -> Action {
        let params: Vec<TermId> = transition.params.iter().map(|&param| terms.var(param)).collect();
        let mut action = Action::of_transition(system, terms.over_mut(&system.sig), transition, &params);
        action.guard.iter_mut().for_each(|it| *it = normal_form(terms, *it, true));
        action
    }

    /// Returns facts about the state before a step that together make it violate a claim; `None` if there are none, or too many,
    /// or if the formulas are too large.
    pub(super) fn reason(
        &mut self,
        prover: &Prover,
        claim: &Claim,
        cti: &Cti,
        budget: &mut Budget,
    ) -> Result<Option<Pattern>, Exhausted> {
        let (system, vocabulary) = (prover.system(), prover.vocabulary());
        let sig = &system.sig;
        let transition = &system.transitions[cti.call.transition];
        let Regression { terms, actions } = self;
        let action = match &mut actions[cti.call.transition] {
            Some(action) => action,
            unread => {
                budget.spend(u64::from(terms.tree_size(transition.body)))?;
                unread.insert(Regression::action(terms, system, transition))
            }
        };
        let mark = terms.mark();
        let violated = violated(terms, prover, action, claim);
        let formulas: Vec<TermId> = violated.into_iter().chain(action.guard.iter().copied()).collect();
        let sizes = formulas.iter().map(|&it| terms.tree_size(it));
        let size = sizes.fold(0, u32::saturating_add);
        let facts = if violated.is_none() || size > MAX_SIZE {
            budget.spend(u64::from(MAX_SIZE)).map(|()| None)
        } else {
            let mut structure = (*cti.pre.structure).clone();
            structure.push_state(sig, &cti.post.structure, 0);
            let env = transition.params.iter().copied().zip(cti.call.args.iter().copied()).collect();
            Reader::new(terms, sig, &structure, env, budget).facts(&formulas)
        };
        terms.rewind(mark);
        Ok(facts?.and_then(|mut facts| {
            let is_usable = |sym| vocabulary.symbols.iter().any(|it| it.sym == sym && !it.is_dead);
            facts.retain(|fact| fact.symbol().is_none_or(is_usable));
            if facts.is_empty() || facts.len() > MAX_LITERALS {
                return None;
            }
            Pattern::of_facts(&Partial { facts }, sig, vocabulary)
        }))
    }
}

/// Returns the negation of the weakest precondition of a claim in negation normal form; `None` if the claim is too large.
fn violated(terms: &mut Terms, prover: &Prover, action: &Action, claim: &Claim) -> Option<TermId> {
    let sig = &prover.system().sig;
    let formula = prover.formula(claim, terms);
    if terms.tree_size(formula) > MAX_SIZE {
        return None;
    }
    let formula = terms.shift(sig, formula, 1);
    let formula = action.post(terms.over_mut(sig), formula);
    Some(normal_form(terms, formula, false))
}

/// Returns as few of the literals of a pattern as no state in `others` has, and no state after one of the steps unless the
/// one before it has them; `None` if some state has all of them.
pub(super) fn weakest(
    pattern: &Pattern,
    others: &[Arc<State>],
    steps: &[Edge],
    budget: &mut Budget,
) -> Result<Option<Pattern>, Exhausted> {
    let mut recent: Vec<usize> = (0..others.len()).rev().collect();
    let mut is_allowed = |pattern: &Pattern, budget: &mut Budget| -> Result<bool, Exhausted> {
        let matcher = Matcher::new(pattern);
        let mut work = 1;
        let found = recent.iter().position(|&at| matcher.find(&others[at], &mut work).is_some());
        if let Some(place) = found {
            recent[..=place].rotate_right(1);
        }
        let is_respected = |(before, after): &Edge| {
            matcher.find(after, &mut work).is_none() || matcher.find(before, &mut work).is_some()
        };
        let is_allowed = found.is_none() && steps.iter().all(is_respected);
        budget.spend(work)?;
        Ok(is_allowed)
    };
    if !is_allowed(pattern, budget)? {
        return Ok(None);
    }
    let mut weakest = pattern.clone();
    let mut order = pattern.literals.clone();
    order.sort_by_key(|literal| Reverse(rank(literal)));
    for literal in order {
        let mut fewer = weakest.clone();
        fewer.literals.retain(|it| *it != literal);
        if !fewer.literals.is_empty() && is_allowed(&fewer, budget)? {
            weakest = fewer;
        }
    }
    Ok(Some(weakest.normalized()))
}

/// A universal formula, with the values of its free variables.
type Universal = (TermId, Map<VarId, Elem>);

/// Reads why formulas are true in a structure.
struct Reader<'a> {
    evaluator: Evaluator<'a>,
    sig: &'a Signature,
    facts: Vec<Fact>,
    universal: Vec<Universal>,
    budget: &'a mut Budget,
}

impl<'a> Reader<'a> {
    fn new(
        terms: &'a Terms,
        sig: &'a Signature,
        structure: &'a Structure,
        env: Map<VarId, Elem>,
        budget: &'a mut Budget,
    ) -> Reader<'a> {
        let mut evaluator = Evaluator::new(terms.over(sig), structure);
        evaluator.env = env;
        let (facts, universal) = Default::default();
        Reader { evaluator, sig, facts, universal, budget }
    }

    fn terms(&self) -> &'a Terms {
        self.evaluator.syntax.terms
    }

    /// Evaluates on the budget.
    fn evaluate<T>(&mut self, run: impl FnOnce(&mut Evaluator<'a>) -> T) -> Result<T, Exhausted> {
        self.budget.spend(1)?;
        swap(&mut self.evaluator.budget, self.budget);
        let value = run(&mut self.evaluator);
        swap(&mut self.evaluator.budget, self.budget);
        self.evaluator.exhausted.map_or(Ok(value), Err)
    }

    fn holds(&mut self, formula: TermId) -> Result<bool, Exhausted> {
        self.evaluate(|it| it.holds(formula))
    }

    /// Returns why all of the formulas, in negation normal form, are true; `None` if one is not, or there are too many facts.
    fn facts(mut self, formulas: &[TermId]) -> Result<Option<Vec<Fact>>, Exhausted> {
        for &formula in formulas {
            if !self.holds(formula)? {
                return Ok(None);
            }
            self.read(formula)?;
        }
        // Of what is true of all elements, what is said of those that the facts are about.
        let elements: Set<(SortId, Elem)> = self.facts.iter().flat_map(|it| it.elements(self.sig)).collect();
        let mut elements: Vec<(SortId, Elem)> = elements.into_iter().collect();
        elements.sort_unstable();
        for (formula, env) in take(&mut self.universal) {
            let Node::Forall(vars, body) = self.terms().node(formula) else { continue };
            let vars: Vec<VarId> = self.terms().bound_vars(vars).collect();
            let of = |sort: SortId| elements.iter().filter(move |it| it.0 == sort).map(|it| it.1);
            let values: Vec<Vec<Elem>> =
                vars.iter().map(|&var| of(self.terms().var_info(var).sort).collect()).collect();
            let sizes: Vec<u32> = values.iter().map(|values| values.len() as u32).collect();
            if Tuples::count_all(&sizes) > MAX_INSTANCES {
                continue;
            }
            for tuple in Tuples::new(sizes) {
                self.evaluator.env = env.clone();
                let own = tuple.iter().zip(&values).map(|(&at, values)| values[at as usize]);
                self.evaluator.env.extend(vars.iter().copied().zip(own));
                self.read(body)?;
            }
        }
        Ok((self.facts.len() <= MAX_FACTS).then_some(self.facts))
    }

    fn add(&mut self, fact: Fact) {
        if self.facts.len() <= MAX_FACTS && !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// Reads why a formula in negation normal form is true.
    fn read(&mut self, formula: TermId) -> Result<(), Exhausted> {
        self.budget.spend(1)?;
        let terms = self.terms();
        match terms.node(formula) {
            Node::And(args) => terms.args(args).iter().try_for_each(|&part| self.read(part)),
            Node::Or(args) => {
                let (facts, universal) = (self.facts.len(), self.universal.len());
                let mut best: Option<(usize, Vec<Fact>, Vec<Universal>)> = None;
                for &part in terms.args(args) {
                    if self.holds(part)? {
                        self.read(part)?;
                        // What is said of all elements is worth less than a fact.
                        let size = 2 * (self.facts.len() - facts) + 3 * (self.universal.len() - universal);
                        let own = (self.facts.split_off(facts), self.universal.split_off(universal));
                        if best.as_ref().is_none_or(|(least, ..)| size < *least) {
                            best = Some((size, own.0, own.1));
                        }
                    }
                }
                if let Some((_, facts, universal)) = best {
                    self.facts.extend(facts);
                    self.universal.extend(universal);
                }
                Ok(())
            }
            Node::Exists(vars, body) => {
                let Some(values) = self.evaluate(|it| it.witness(vars, body, true))? else { return Ok(()) };
                let outside = self.evaluator.env.clone();
                self.evaluator.env.extend(terms.bound_vars(vars).zip(values));
                self.read(body)?;
                self.evaluator.env = outside;
                Ok(())
            }
            Node::Forall(..) => {
                self.universal.push((formula, self.evaluator.env.clone()));
                Ok(())
            }
            Node::Not(atom) => self.atom(atom, false),
            Node::App { .. } | Node::Eq(..) => self.atom(formula, true),
            _ => Ok(()),
        }
    }

    fn atom(&mut self, atom: TermId, positive: bool) -> Result<(), Exhausted> {
        let terms = self.terms();
        match terms.node(atom) {
            Node::App { sym, step, args } => {
                let args = self.values(terms.args(args))?;
                if step == 0 && self.sig.symbols[sym].kind != SymbolKind::Choice {
                    self.add(Fact::Relation { sym, args, positive });
                }
            }
            Node::Eq(a, b) => {
                let (a, b) = if matches!(terms.node(b), Node::App { .. }) { (b, a) } else { (a, b) };
                let other = self.value(b)?;
                match terms.node(a) {
                    Node::App { sym, step: 0, args } => {
                        let args = self.values(terms.args(args))?;
                        self.add(Fact::Value { sym, args, value: other, positive });
                    }
                    _ => {
                        let value = self.value(a)?;
                        if value != other {
                            let sort = terms.sort(a);
                            self.add(Fact::Distinct { sort, pair: [value.min(other), value.max(other)] });
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn values(&mut self, of: &[TermId]) -> Result<Vec<Elem>, Exhausted> {
        of.iter().map(|&it| self.value(it)).collect()
    }

    /// Reads why a term has its value, and returns this.
    fn value(&mut self, term: TermId) -> Result<Elem, Exhausted> {
        self.budget.spend(1)?;
        let terms = self.terms();
        match terms.node(term) {
            Node::App { sym, step: 0, args } => {
                let args = self.values(terms.args(args))?;
                let value = self.evaluate(|it| it.eval(term))?;
                self.add(Fact::Value { sym, args, value, positive: true });
                Ok(value)
            }
            Node::Ite(condition, a, b) => {
                let is_first = self.holds(condition)?;
                self.condition(condition, is_first)?;
                self.value(if is_first { a } else { b })
            }
            _ => self.evaluate(|it| it.eval(term)),
        }
    }

    /// Reads why a condition, which need not be in negation normal form, has its value.
    fn condition(&mut self, condition: TermId, value: bool) -> Result<(), Exhausted> {
        let terms = self.terms();
        match (terms.node(condition), value) {
            (Node::Not(inner), _) => self.condition(inner, !value),
            (Node::And(args), true) | (Node::Or(args), false) => {
                terms.args(args).iter().try_for_each(|&part| self.condition(part, value))
            }
            (Node::And(args) | Node::Or(args), _) => {
                for &part in terms.args(args) {
                    if self.holds(part)? == value {
                        return self.condition(part, value);
                    }
                }
                Ok(())
            }
            (Node::App { .. } | Node::Eq(..), _) => self.atom(condition, value),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::logic::{Sort, Symbol};

    /// A formula and a structure with one element in which all relations are true.
    struct Case {
        sig: Signature,
        terms: Terms,
        structure: Structure,
        x: VarId,
        atoms: Vec<TermId>,
    }

    fn case(relations: usize) -> Case {
        let (mut sig, mut terms) = (Signature::new(), Terms::new());
        let s = sig.sorts.push(Sort::new("s"));
        let relation = |at: usize| Symbol::new(format!("r{at}"), vec![s], SortId::BOOL, SymbolKind::Mutable);
        let symbols: Vec<_> = (0..relations).map(|at| sig.symbols.push(relation(at))).collect();
        let mut structure = Structure::new(&sig, 1);
        structure.sizes[s] = 1;
        symbols.iter().for_each(|&sym| structure.interpretation_mut(&sig, sym, 0).set(&[0], 1));
        let x = terms.new_var("x", s);
        let at = terms.var(x);
        let atoms = symbols.iter().map(|&sym| terms.app(&sig, sym, 0, &[at])).collect();
        Case { sig, terms, structure, x, atoms }
    }

    impl Case {
        fn facts(&self, formula: TermId, budget: &mut Budget) -> Result<Option<Vec<Fact>>, Exhausted> {
            let env = [(self.x, 0)].into_iter().collect();
            Reader::new(&self.terms, &self.sig, &self.structure, env, budget).facts(&[formula])
        }
    }

    #[test]
    fn nested_disjunctions_are_read_once() {
        let mut case = case(62);
        let mut formula = case.atoms[0];
        for pair in case.atoms[1..61].chunks(2) {
            let both = case.terms.and(&[pair[0], formula]);
            // With fewer facts than the other branch, which is true as well.
            let other = case.terms.and(&[pair[1], case.atoms[61]]);
            let other = case.terms.and(&[other, pair[0]]);
            formula = case.terms.or(&[both, other]);
        }
        let mut budget = Budget::new(Some(50_000), None);
        let facts = case.facts(formula, &mut budget).expect("each branch is read once").expect("it is true");
        assert!(facts.len() <= 3, "{facts:?}");
    }

    #[test]
    fn evaluation_is_counted() {
        let mut case = case(1);
        let s = case.terms.var_info(case.x).sort;
        case.structure.sizes[s] = 12;
        let vars: Vec<VarId> = (0..4).map(|at| case.terms.new_var(format!("y{at}"), s)).collect();
        let values: Vec<TermId> = vars.iter().map(|&var| case.terms.var(var)).collect();
        // It says the same twice, which all assignments have to tell.
        let equal: Vec<TermId> = values.chunks(2).map(|pair| case.terms.eq(pair[0], pair[1])).collect();
        let differ: Vec<TermId> = equal.iter().map(|&it| case.terms.not(it)).collect();
        let (both, one) = (case.terms.and(&equal), case.terms.or(&differ));
        let neither = case.terms.not(one);
        let same = case.terms.iff(both, neither);
        let formula = case.terms.forall(&vars, same);
        let mut budget = Budget::new(Some(2_000), None);
        assert_eq!(case.facts(formula, &mut budget), Err(Exhausted::Work));
    }
}
