//! Assertions that rest in long searches outside of stratified EPR.
//!
//! Each assertion makes terms, and with many of them there are ever more that have nothing to do with the question. A search begins with
//! what the innermost scope asserts. Only where a structure is found that satisfies it does another assertion take part, one that the
//! structure violates. A few often suffice for a refutation: most invariants are of no concern to most claims.

use std::collections::BTreeMap;

use super::clause::PatternLit;
use super::compiled::CompiledClauses;
use super::congruence::Congruence;
use super::join::{CandidateView, Join, Reach, Undefined};
use super::resting::{Assertion, Found, Resting};
use super::sizes::SizeEnumerator;
use super::solver::{Answer, Label, Solver};
use super::universal::{Arg, UniversalClause, UniversalId};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::SortId;

/// Work units of the first search for a structure. Those with few elements come first: they tell best what is needed.
const FIRST_SLICE: u64 = 20_000;

/// Work units of the last such search before all assertions rest again, for the first time.
const LAST_SLICE: u64 = 16 * FIRST_SLICE;

/// Number of searches that share a slice. Each begins with few terms again, and with the lemmas of those before: one that is among terms
/// that have nothing to do with the question seldom gets out.
const PARTS: usize = 4;

/// Maximum number of elements of a sort with which a search for a structure begins. One that is made of terms may have many more.
const MAX_SIZE: usize = 6;

/// Maximum numbers of instances added per candidate, search by search in turns: by luck one of them leads to the right terms.
const INSTANCES_PER_ROUND: [usize; 3] = [100, 20, 50];

impl Solver {
    /// Iterates over the active clauses that take part in the search.
    pub(super) fn awake(&self) -> impl Iterator<Item = UniversalId> {
        self.active.iter().filter(|&id| !self.resting.contains(id))
    }

    /// Returns whether a long search outside of stratified EPR has found a structure in the innermost scope. Queries in this scope begin
    /// with what that one needed.
    pub(super) fn has_found(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.has_found)
    }

    /// Returns whether terms may be made without end, outside of stratified EPR. Then what is known of the terms of a query is worth
    /// keeping for the next one.
    pub fn is_outside(&self) -> bool {
        !self.endless_steps().is_empty()
    }

    /// Lets what outer scopes assert rest, if terms may be made without end. Returns whether that is so.
    pub(super) fn begin_rest(&mut self) -> bool {
        let Some(innermost) = self.scopes.len().checked_sub(1) else { return false };
        let endless = self.endless_steps();
        if endless.is_empty() {
            return false;
        }
        let mut rests = vec![false; self.universals.len()];
        let mut assertions: BTreeMap<u32, Assertion> = BTreeMap::new();
        for id in self.active.iter() {
            let clause = &self.universals[id];
            if clause.scope == Some(innermost) {
                continue;
            }
            rests[id.index()] = true;
            let makes = (0..clause.compounds.len())
                .filter(|&at| self.steps_of(clause, at).any(|step| endless.contains(&step)));
            let assertion = assertions.entry(clause.assertion).or_default();
            assertion.cost = assertion.cost.max(makes.count());
            assertion.clauses.push((id, UniversalClause::flattened(&self.bank, clause.pattern.clone())));
        }
        self.resting =
            Resting { is_on: true, rests, assertions: assertions.into_values().collect(), instances: 0 };
        true
    }

    /// Answers a query in which assertions rest. Where that takes long, too many take part, and all but the innermost rest again.
    pub(super) fn decide_at_rest(
        &mut self,
        labels: &[Label],
        budget: &mut Budget,
    ) -> Result<Answer, Exhausted> {
        let (spent, before) = (budget.spent(), self.found.take());
        let mut work = before.as_ref().map_or(0, |found| found.work);
        let answer = match before.map(|found| self.attempt_as_found(labels, found, budget)).transpose()? {
            Some(Some(answer)) => answer,
            _ => self.attempts_at_rest(labels, budget)?,
        };
        if let (Answer::Sat, Some(scope)) = (answer, self.scopes.last_mut()) {
            scope.has_found = true;
            work = work.max(budget.spent() - spent);
            self.found = Some(Found { resting: self.resting.clone(), work });
        }
        Ok(answer)
    }

    /// Begins with what the last such query needed, and structures of the sizes that it had: this one differs by a hypothesis that was
    /// violated, or is about the same step. Returns `None` if that gives no answer in less time than one of them has taken.
    fn attempt_as_found(
        &mut self,
        labels: &[Label],
        found: Found,
        budget: &mut Budget,
    ) -> Result<Option<Answer>, Exhausted> {
        let rest = std::mem::replace(&mut self.resting, found.resting);
        let mut sizes = SizeEnumerator::new(&self.sig);
        sizes.begin_at(|sort| self.candidate.size(sort).min(MAX_SIZE) as u32);
        let mut units = found.work.max(FIRST_SLICE);
        loop {
            let clauses = self.finite_clauses(labels);
            let before = budget.spent();
            let mut part = budget.part(units);
            let found = sizes.grow(&self.symbols, &self.bank, &clauses, &mut part);
            let candidate = found.map(|found| found.map(|finite| finite.candidate));
            budget.absorb(&part)?;
            match candidate {
                Ok(Some(candidate)) => self.candidate = candidate,
                Ok(None) | Err(Exhausted::Work) => break,
                Err(exhausted) => return Err(exhausted),
            }
            if !self.wake_violated(budget)? {
                return Ok(Some(Answer::Sat));
            }
            units = units.saturating_sub(budget.spent() - before);
        }
        self.resting = rest;
        Ok(None)
    }

    /// Answers a query, with larger and larger slices. Where few clauses rest, all take part between them, with all terms that they make.
    fn attempts_at_rest(&mut self, labels: &[Label], budget: &mut Budget) -> Result<Answer, Exhausted> {
        let mut begin = self.resting.clone();
        let mut last_slice = LAST_SLICE.min(self.first_slice.saturating_mul(LAST_SLICE / FIRST_SLICE));
        let few_rest = 2 * self.awake().count() > self.active.len();
        loop {
            let before = budget.spent();
            if let Some(answer) = self.attempt_at_rest(labels, last_slice, budget)? {
                return Ok(answer);
            }
            if few_rest {
                self.resting = Resting::default();
                if let Some(answer) = self.search_slice(labels, budget.spent() - before, budget)? {
                    return Ok(answer);
                }
            }
            // Of violated assertions with the same cost another one takes part.
            begin.assertions.reverse();
            self.resting = begin.clone();
            last_slice = last_slice.saturating_mul(2);
        }
    }

    /// The same with slices of up to `last` units of work. Returns `None` if there is no answer by then.
    fn attempt_at_rest(
        &mut self,
        labels: &[Label],
        last: u64,
        budget: &mut Budget,
    ) -> Result<Option<Answer>, Exhausted> {
        let mut slice = FIRST_SLICE.min(self.first_slice);
        // Sizes without a structure stay so with more assertions.
        let mut sizes = SizeEnumerator::new(&self.sig);
        let mut clauses = self.finite_clauses(labels);
        let mut parts = INSTANCES_PER_ROUND.into_iter().cycle();
        while slice <= last {
            let mut answer = None;
            if self.small_model_within(slice, &clauses, &mut sizes, budget)? {
                answer = Some(Answer::Sat);
            }
            for instances in parts.by_ref().take(PARTS) {
                if answer.is_none() {
                    self.resting.instances = instances;
                    answer = self.search_slice(labels, slice / PARTS as u64, budget)?;
                }
            }
            match answer {
                Some(Answer::Sat) if self.wake_violated(budget)? => clauses = self.finite_clauses(labels),
                Some(answer) => return Ok(Some(answer)),
                None => slice = slice.saturating_mul(2),
            }
        }
        Ok(None)
    }

    /// Searches for a small model with at most `units` of work. Returns whether there is one; it is then the candidate.
    pub(super) fn small_model_within(
        &mut self,
        units: u64,
        clauses: &CompiledClauses,
        sizes: &mut SizeEnumerator,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let mut part = budget.part(units);
        let found = self.find_small_model(clauses, sizes, &mut part);
        budget.absorb(&part)?;
        match found {
            Err(Exhausted::Work) => Ok(false),
            found => found,
        }
    }

    /// Wakes resting assertions that the candidate violates: all that make no terms without end, or else the first of least cost.
    /// Returns whether there are any.
    fn wake_violated(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        let congruence = Congruence::default();
        let view = CandidateView { bank: &self.bank, candidate: &self.candidate, congruence: &congruence };
        let mut join = Join::default();
        let mut violated: Vec<usize> = Vec::new();
        for (at, assertion) in self.resting.assertions.iter().enumerate() {
            let mut fails = false;
            for (_, clause) in &assertion.clauses {
                let mut needed = clause.pattern.iter().filter_map(PatternLit::negated_relation);
                if fails || !needed.all(|relation| self.candidate.has_tuples[relation]) {
                    continue;
                }
                join.run(clause, view, (Undefined::Default, Reach::Elements), 1, budget)?;
                fails = join.count > 0;
            }
            if fails {
                violated.push(at);
            }
        }
        let cost = |&at: &usize| self.resting.assertions[at].cost;
        let Some(first) = violated.iter().copied().min_by_key(cost) else { return Ok(false) };
        if cost(&first) == 0 {
            violated.retain(|at| cost(at) == 0);
        } else {
            violated = vec![first];
        }
        for &at in violated.iter().rev() {
            for (id, _) in self.resting.assertions.remove(at).clauses {
                self.resting.rests[id.index()] = false;
            }
        }
        Ok(true)
    }

    /// Returns from which sorts to which functions make terms, where that may go on without end.
    fn endless_steps(&self) -> Set<(SortId, SortId)> {
        let clauses = self.active.iter().map(|id| &self.universals[id]);
        let steps =
            clauses.flat_map(|clause| (0..clause.compounds.len()).flat_map(|at| self.steps_of(clause, at)));
        let mut steps: Set<(SortId, SortId)> = steps.collect();
        loop {
            let from: Set<SortId> = steps.iter().map(|&(from, _)| from).collect();
            let to: Set<SortId> = steps.iter().map(|&(_, to)| to).collect();
            let before = steps.len();
            steps.retain(|(a, b)| to.contains(a) && from.contains(b));
            if steps.len() == before {
                return steps;
            }
        }
    }

    /// Iterates over the sorts of the arguments of a function application in a clause, each with the sort of its result.
    fn steps_of(&self, clause: &UniversalClause, at: usize) -> impl Iterator<Item = (SortId, SortId)> {
        let result = |at: usize| self.symbols.funs[clause.compounds[at].fun].result;
        let sort = move |&arg: &Arg| match arg {
            Arg::Slot(slot) => clause.slots[slot.index()],
            Arg::Compound(inner) => result(inner.index()),
            Arg::Ground(term) => self.bank.sort(clause.grounds[term as usize]),
        };
        clause.compounds[at].args.iter().map(move |arg| (sort(arg), result(at)))
    }
}

#[cfg(test)]
mod tests {
    use crate::epr::{Answer, Solver};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::base::rng::Rng;
    use ramsey_core::logic::{Evaluator, Signature, Sort, SortId, Symbol, SymbolKind, TermId, Terms};

    const KIND: SymbolKind = SymbolKind::Immutable;

    /// Returns a random clause about relations `p(s)`, `q(t)`, `r(s, t)` and functions `f(s): t` and `g(t): s`.
    fn clause(sig: &Signature, terms: &mut Terms, rng: &mut Rng) -> TermId {
        let sorts: Vec<SortId> = sig.sorts.ids().filter(|&sort| sort != SortId::BOOL).collect();
        let vars: Vec<_> = [0, 0, 1, 1].iter().map(|&at| terms.new_var("X", sorts[at])).collect();
        let symbol = |name: &str| sig.symbols.ids().find(|&it| &*sig.symbols[it].name == name);
        let term = |terms: &mut Terms, rng: &mut Rng, at: usize| -> TermId {
            let var = |at: usize, rng: &mut Rng| vars[2 * at + rng.below(2)];
            let (inner, constants) = ([1, 0][at], [["a", "b"], ["c", "d"]][at]);
            let (name, args) = match rng.below(6) {
                0 => (constants[rng.below(2)], vec![]),
                1 => (["g", "f"][at], vec![terms.var(var(inner, rng))]),
                _ => return terms.var(var(at, rng)),
            };
            terms.app(sig, symbol(name).expect("a declared symbol"), 0, &args)
        };
        let literals: Vec<TermId> = (0..1 + rng.below(3))
            .map(|_| {
                let (name, args) =
                    [("p", &[0][..]), ("q", &[1]), ("r", &[0, 1]), ("=", &[0, 0])][rng.below(4)];
                let args: Vec<TermId> = args.iter().map(|&at| term(terms, rng, at)).collect();
                let atom = match symbol(name) {
                    Some(sym) => terms.app(sig, sym, 0, &args),
                    None => terms.eq(args[0], args[1]),
                };
                if rng.below(2) == 0 { terms.not(atom) } else { atom }
            })
            .collect();
        let either = terms.or(&literals);
        terms.forall(&vars, either)
    }

    /// Returns the signature of these clauses.
    fn signature() -> Signature {
        let mut sig = Signature::new();
        let [s, t] = ["s", "t"].map(|name| sig.sorts.push(Sort::new(name)));
        let b = SortId::BOOL;
        let (one, pair) = (|sort| vec![sort], vec![s, t]);
        let symbols = [("a", vec![], s), ("b", vec![], s), ("c", vec![], t), ("d", vec![], t)];
        let functions =
            [("f", one(s), t), ("g", one(t), s), ("p", one(s), b), ("q", one(t), b), ("r", pair, b)];
        for (name, args, result) in symbols.into_iter().chain(functions) {
            sig.symbols.push(Symbol::new(name, args, result, KIND));
        }
        sig
    }

    /// Random clauses with functions in a circle. A search in which they rest has the answers of one in which they do not, where both have
    /// one, and its structures satisfy all clauses.
    #[test]
    fn resting_clauses_take_part_where_they_matter() {
        let sig = signature();
        let mut rng = Rng::new(5);
        let (mut answers, mut rested) = ([0; 2], 0);
        for _ in 0..400 {
            let mut terms = Terms::new();
            let count = 4 + rng.below(8);
            let clauses: Vec<TermId> = (0..count).map(|_| clause(&sig, &mut terms, &mut rng)).collect();
            // Those that rest at first are many or few.
            let (outer, inner) = clauses.split_at(if rng.one_in(2) { count - 1 } else { rng.below(count) });
            let ask = |first_slice: u64| {
                let mut solver = Solver::new(sig.clone(), terms.clone(), 0);
                solver.first_slice = first_slice;
                outer.iter().for_each(|&it| solver.assert(it));
                solver.push();
                inner.iter().for_each(|&it| solver.assert(it));
                let answer = solver.check(&[], &mut Budget::new(Some(200_000), None)).ok();
                let structure = (answer == Some(Answer::Sat)).then(|| solver.structure(1));
                (answer, structure, solver.is_long)
            };
            let (usual, ..) = ask(u64::MAX / 16);
            let (answer, structure, is_long) = ask(1);
            rested += usize::from(is_long);
            if let (Some(usual), Some(answer)) = (usual, answer) {
                assert_eq!(answer, usual);
                answers[usize::from(answer == Answer::Sat)] += 1;
            }
            if let Some(structure) = structure {
                let mut eval = Evaluator::new(terms.over(&sig), &structure);
                assert!(clauses.iter().all(|&clause| eval.holds(clause)));
            }
        }
        assert!(answers.iter().all(|&count| count > 50) && rested > 100, "{answers:?} {rested}");
    }

    /// The same clauses as hypotheses of one question, of which each one that is violated is assumed next. Each answer is that of a search
    /// that knows nothing of the ones before, where both have one, and each structure satisfies what is assumed.
    #[test]
    fn questions_in_one_scope_go_on_where_the_last_one_ended() {
        let sig = signature();
        let mut rng = Rng::new(6);
        let (mut answers, mut continued) = ([0; 2], 0);
        for _ in 0..300 {
            let mut terms = Terms::new();
            let count = 6 + rng.below(8);
            let clauses: Vec<TermId> = (0..count).map(|_| clause(&sig, &mut terms, &mut rng)).collect();
            let (goal, others) = clauses.split_first().expect("six or more");
            let mut solver = Solver::new(sig.clone(), terms.clone(), 0);
            solver.first_slice = 1;
            let labels: Vec<_> = others.iter().map(|&it| solver.assert_labelled(it)).collect();
            solver.push();
            solver.assert(*goal);
            let mut assumed: Vec<usize> = Vec::new();
            loop {
                let named: Vec<_> = assumed.iter().map(|&at| labels[at]).collect();
                continued += usize::from(solver.has_found());
                let answer = solver.check(&named, &mut Budget::new(Some(200_000), None));
                let mut fresh = Solver::new(sig.clone(), terms.clone(), 0);
                assumed.iter().for_each(|&at| fresh.assert(others[at]));
                fresh.assert(*goal);
                let expected = fresh.check(&[], &mut Budget::new(Some(200_000), None));
                if let (Ok(answer), Ok(expected)) = (&answer, &expected) {
                    assert_eq!(answer, expected);
                    answers[usize::from(*answer == Answer::Sat)] += 1;
                }
                match answer {
                    Ok(Answer::Sat) => {}
                    Ok(Answer::Unsat) => {
                        // The labels of the core suffice.
                        let core = solver.core();
                        let mut again = Solver::new(sig.clone(), terms.clone(), 0);
                        let needed = assumed.iter().filter(|&&at| core.contains(&labels[at]));
                        needed.for_each(|&at| again.assert(others[at]));
                        again.assert(*goal);
                        let confirmed = again.check(&[], &mut Budget::new(Some(2_000_000), None));
                        assert!(confirmed.is_err() || confirmed == Ok(Answer::Unsat));
                        break;
                    }
                    Err(_) => break,
                }
                let structure = solver.structure(1);
                let mut eval = Evaluator::new(terms.over(&sig), &structure);
                assert!(eval.holds(*goal) && assumed.iter().all(|&at| eval.holds(others[at])));
                let Some(violated) = (0..others.len()).find(|&at| !eval.holds(others[at])) else { break };
                assumed.push(violated);
            }
        }
        assert!(answers.iter().all(|&count| count > 30) && continued > 100, "{answers:?} {continued}");
    }
}
