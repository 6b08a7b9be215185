//! Main loop: candidates and instances.

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;

use super::asking::Asking;
use super::atoms::{AtomKind, GroundId};
use super::bank::Pattern;
use super::clause::{PatternClause, PatternLit};
use super::compiled::CompiledClauses;
use super::join::{CandidateView, Reach, Undefined};
use super::matching::Matching;
use super::resting::Resting;
use super::sizes::SizeEnumerator;
use super::solver::{Answer, Label, Solver};
use super::symbols::Rel;
use super::universal::UniversalId;
use crate::sat::{self, Lit};
use crate::telemetry::{ENGINE, event};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Elem, SortId};

/// Maximum number of instances of one universal clause added per candidate.
const INSTANCES_PER_ROUND: usize = 200;

/// Maximum number of violations of one clause that are compared where only the simplest are added.
const COMPARED: usize = 1_000;

/// What violations are searched, one kind after the other until there are some.
const STAGES: [(Undefined, Reach); 2] =
    [(Undefined::Prune, Reach::Elements), (Undefined::Default, Reach::Elements)];

/// The same in long searches. What the literals of the candidate ask for comes before violations at all elements (`asking`).
const IN_LONG_SEARCHES: [(Undefined, Reach); 3] = [
    (Undefined::Prune, Reach::Tuples),
    (Undefined::Default, Reach::Tuples),
    (Undefined::Default, Reach::Elements),
];

/// Number of clauses that may have that many violations by defaults in a candidate before relations that no clause negates are true.
const CROWDS: u32 = 8;

impl Solver {
    /// Checks whether the assertions of all open scopes, and the labelled assertions named by `labels`, are satisfiable
    /// together.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted. The solver stays usable.
    pub fn check(&mut self, labels: &[Label], budget: &mut Budget) -> Result<Answer, Exhausted> {
        self.stats.checks += 1;
        event!(
            Debug,
            ENGINE,
            "check {}: {} labels, {} universal clauses, {} ground terms",
            self.stats.checks,
            labels.len(),
            self.active.len(),
            self.bank.len()
        );
        let (before, spent) = (self.stats, budget.spent());
        let answer = self.decide(labels, budget);
        self.resting = Resting::default();
        let done = self.stats.since(&before);
        event!(
            Debug,
            ENGINE,
            "check {}: {answer:?}; {} rounds, {} instances, {} lemmas, {} steps of work",
            self.stats.checks,
            done.rounds,
            done.instances,
            done.lemmas,
            budget.spent() - spent
        );
        answer
    }

    fn decide(&mut self, labels: &[Label], budget: &mut Budget) -> Result<Answer, Exhausted> {
        self.core.clear();
        self.begin_lemmas();
        self.unfinished().map_or(Ok(()), Err)?;
        // With a record, a refutation is expected.
        let mut slice = if self.record.is_some() { 8 * self.first_slice } else { self.first_slice };
        // Outside the fragment the terms may grow forever although there is a small model. Inside the fragment a small
        // model may take long to reach. A long search therefore alternates with a search for models of growing size.
        let mut small: Option<(CompiledClauses, SizeEnumerator)> = None;
        (self.fills_sorts, self.is_long) = (true, false);
        if self.has_found() && self.begin_rest() {
            (self.fills_sorts, self.is_long) = (false, true);
            return self.decide_at_rest(labels, budget);
        }
        loop {
            if let Some(answer) = self.search_slice(labels, slice, budget)? {
                return Ok(answer);
            }
            let (clauses, sizes) =
                small.get_or_insert_with(|| (self.finite_clauses(labels), SizeEnumerator::new(&self.sig)));
            if self.small_model_within(slice, clauses, sizes, budget)? {
                return Ok(Answer::Sat);
            }
            slice = slice.saturating_mul(2);
            self.fills_sorts = false;
            if !std::mem::replace(&mut self.is_long, true) && self.begin_rest() {
                return self.decide_at_rest(labels, budget);
            }
        }
    }

    /// Searches with at most `units` of work. Returns `None` if there is no answer by then.
    pub(super) fn search_slice(
        &mut self,
        labels: &[Label],
        units: u64,
        budget: &mut Budget,
    ) -> Result<Option<Answer>, Exhausted> {
        let mut part = budget.part(units);
        let answer = self.search(labels, &mut part);
        budget.absorb(&part)?;
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(Exhausted::Work) => Ok(None),
            Err(exhausted) => Err(exhausted),
        }
    }

    fn search(&mut self, labels: &[Label], budget: &mut Budget) -> Result<Answer, Exhausted> {
        let assumptions = self.assumptions(labels);
        let is_limited = self.focus.begin(&mut self.sat, self.atoms.len());
        let mut query = is_limited.then(|| self.start_query());
        // Memory of one round: lemmas, their explanations, and instances before they reach the SAT solver.
        let mut round = Bump::new();
        loop {
            round.reset();
            if let Some(query) = &mut query {
                self.focus.extend(&mut self.sat, &self.ground, &query.live);
            }
            if self.solve_ground(&assumptions, budget)? == sat::Answer::Unsat {
                let core = self.sat.core();
                self.core = labels.iter().copied().filter(|label| core.contains(&label.0)).collect();
                self.focus.end(query.map(|query| query.live));
                return Ok(Answer::Unsat);
            }
            if query.is_none() && self.focus.covers() {
                // What conflicts were about is decided without a contradiction; now the live clauses are to be satisfied.
                query = Some(self.start_query());
                continue;
            }
            self.stats.rounds += 1;
            // Created late, because many queries are refuted by the clauses of earlier ones and do not need it.
            let query = query.get_or_insert_with(|| self.start_query());
            if self.build_candidate(query, &assumptions, &round) {
                continue;
            }
            let started = self.now();
            let before = self.stats.instances;
            let found = self.instantiate(query, &round, budget);
            self.stats.join_ns += self.since(started);
            event!(
                Debug,
                ENGINE,
                "round {}: {} elements, {} tuples; {} instances added",
                self.stats.rounds,
                self.candidate.elements.iter().map(Vec::len).sum::<usize>(),
                self.candidate.count_tuples(),
                self.stats.instances - before
            );
            if !found? {
                self.focus.end(Some(std::mem::take(&mut query.live)));
                return Ok(Answer::Sat);
            }
        }
    }

    /// Returns the assumptions of a query under `labels`.
    pub(super) fn assumptions(&self, labels: &[Label]) -> Vec<Lit> {
        self.scopes.iter().map(|scope| scope.guard).chain(labels.iter().map(|label| label.0)).collect()
    }

    /// Checks whether the ground clauses are unsatisfiable without assumptions.
    pub(super) fn sat_is_refuted(&self) -> bool {
        self.sat.is_refuted()
    }

    /// Iterates over the active universal clauses that take part in the search.
    pub(super) fn awake_patterns(&self) -> impl Iterator<Item = &PatternClause> {
        self.awake().map(|index| &self.universals[index].pattern)
    }

    /// Iterates over the active ground clauses, except instances.
    pub(super) fn active_ground(&self) -> impl Iterator<Item = &[Lit]> {
        let scoped = self.scopes.iter().flat_map(|scope| &scope.clauses);
        self.ground.base.iter().chain(scoped).map(|&clause| self.ground.lits(clause))
    }

    fn solve_ground(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<sat::Answer, Exhausted> {
        let started = self.now();
        let answer = self.sat.solve(assumptions, budget);
        self.stats.sat_ns += self.since(started);
        answer
    }

    fn start_query(&mut self) -> Query {
        self.live.start();
        self.implicant.start();
        let mut query = Query {
            live: Vec::new(),
            scoped: Vec::new(),
            has_empty_sorts: false,
            violated: Vec::new(),
            matching: Matching::default(),
            asking: Asking::default(),
            grounded_at: 0,
            crowds: if self.is_generous { CROWDS } else { 0 },
        };
        let scoped = self.scopes.iter().flat_map(|scope| &scope.clauses);
        // Instances of the innermost scope are live, because they concern the current query.
        let (innermost, outer) = match self.scopes.split_last() {
            // Where assertions rest, they are of clauses that the search so far has made too many instances of.
            Some(_) if self.resting.is_on => (&[][..], &self.scopes[..]),
            Some((innermost, outer)) => (&innermost.instances[..], outer),
            None => (&[][..], &[][..]),
        };
        for &clause in self.ground.base.iter().chain(scoped).chain(innermost) {
            self.live.mark_clause(&self.bank, &self.atoms, self.ground.lits(clause));
            query.live.push(clause);
        }
        query.live.extend_from_slice(self.dormant.without_terms());
        query.scoped.extend(outer.iter().flat_map(|scope| &scope.instances));
        self.wake(&mut query);
        query
    }

    /// Adds the dormant instances whose terms are now all live to the query.
    fn wake(&mut self, query: &mut Query) {
        if self.live.fresh.is_empty() {
            return;
        }
        let (live, atoms, ground) = (&self.live, &self.atoms, &self.ground);
        self.dormant.wake(&live.fresh, live, atoms, ground, &mut query.live);
        query.scoped.retain(|&clause| {
            let sleeps = live.missing(atoms, ground.lits(clause)).is_some();
            if !sleeps {
                query.live.push(clause);
            }
            sleeps
        });
        self.live.fresh.clear();
    }

    /// Builds a candidate from the SAT model. Returns `true` if it conflicts with equality; in this case lemmas have
    /// been added.
    fn build_candidate(&mut self, query: &mut Query, assumptions: &[Lit], round: &Bump) -> bool {
        let started = self.now();
        self.implicant.compute(&self.sat, &self.atoms, &self.ground, &query.live, assumptions);
        self.congruence.reset(&self.bank);
        for &lit in &self.implicant.lits {
            for &arg in self.atoms.args(lit.var()) {
                self.congruence.add(&self.bank, arg);
            }
        }
        self.fill_sorts(query, round);
        for &lit in &self.implicant.lits {
            if let (AtomKind::Eq, false) = (self.atoms.kind(lit.var()), lit.is_negative()) {
                let args = self.atoms.args(lit.var());
                self.congruence.merge(&self.bank, args[0], args[1], lit);
            }
        }
        self.congruence.close(&self.symbols, &self.bank);
        let conflict = self.exclude_conflicts(&query.live, round);
        if !conflict {
            let full = self.active.positive().filter(|_| query.crowds >= CROWDS);
            self.candidate.begin(&self.symbols, self.sig.sorts.len(), full);
            self.candidate.build(&self.bank, &self.atoms, &self.congruence, &self.implicant.lits);
        }
        self.stats.candidate_ns += self.since(started);
        conflict
    }

    /// Ensures that every sort has an element, if that is wanted now, and notes otherwise whether one has none.
    fn fill_sorts(&mut self, query: &mut Query, round: &Bump) {
        query.has_empty_sorts = false;
        let empty = round.alloc_slice_fill_copy(self.sig.sorts.len(), true);
        for &term in self.congruence.relevant() {
            empty[self.bank.sort(term).index()] = false;
        }
        for sort in self.sig.uninterpreted_sorts() {
            if !empty[sort.index()] {
                continue;
            }
            if self.fills_sorts {
                let term = self.filler_term(sort);
                self.congruence.make_room(&self.bank);
                self.congruence.add(&self.bank, term);
            } else {
                query.has_empty_sorts = true;
            }
        }
    }

    /// Returns the constant that fills this sort.
    fn filler_term(&mut self, sort: SortId) -> Pattern {
        let fun = self.symbols.filler(sort);
        self.bank.app(&self.symbols, fun, &[])
    }

    /// Adds violated instances. Returns whether there were any.
    fn instantiate(
        &mut self,
        query: &mut Query,
        round: &Bump,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let mut supported = std::mem::take(&mut self.supported);
        supported.clear();
        self.active.supported(|relation| self.candidate.has_tuples[relation], &mut supported);
        if self.resting.is_on {
            supported.retain(|&id| !self.resting.contains(id));
        }
        let found = self.instantiate_some(query, &supported, round, budget);
        self.supported = supported;
        found
    }

    /// Adds violated instances of some clauses. Returns whether there were any.
    fn instantiate_some(
        &mut self,
        query: &mut Query,
        clauses: &[UniversalId],
        round: &Bump,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        if self.is_long && self.ground_all(query, budget) {
            self.wake(query);
            return Ok(true);
        }
        let stages = if self.is_long { &IN_LONG_SEARCHES[..] } else { &STAGES[..] };
        for &(undefined, reach) in stages {
            let mut any = false;
            // Of all clauses, if only the simplest are to be added.
            let mut violations: Vec<(UniversalId, Vec<Elem>)> = Vec::new();
            let simplest = self.resting.is_on && undefined == Undefined::Default;
            if self.is_long && reach == Reach::Elements && self.answer_literals(query, budget)? {
                self.wake(query);
                return Ok(true);
            }
            for &index in clauses {
                let universal = &self.universals[index];
                let view = CandidateView {
                    bank: &self.bank,
                    candidate: &self.candidate,
                    congruence: &self.congruence,
                };
                let print = self.settled.print(index, universal, view, undefined);
                if self.settled.spares(index, undefined, print, budget)? {
                    continue;
                }
                let before = budget.spent();
                let limit = if simplest { COMPARED } else { INSTANCES_PER_ROUND };
                self.join.run(universal, view, (undefined, reach), limit, budget)?;
                if simplest && self.join.count > 0 {
                    violations.push((index, std::mem::take(&mut self.join.found)));
                    continue;
                }
                if self.join.count > 0 {
                    let is_crowd = undefined == Undefined::Default && self.join.count == INSTANCES_PER_ROUND;
                    query.crowds += u32::from(is_crowd);
                    any |= self.add_violated(query, index, round);
                } else if !self.join.is_left_out {
                    self.settled.note(index, undefined, print, budget.spent() - before);
                }
            }
            any |= self.add_simplest(query, &violations, round);
            if any {
                let names = std::mem::take(&mut query.violated);
                self.instantiate_parts(query, &names, budget)?;
                self.wake(query);
                return Ok(true);
            }
        }
        self.fills_sorts |= query.has_empty_sorts;
        Ok(query.has_empty_sorts)
    }

    /// Adds the instances found by the join. Returns whether there were any: those at the values of functions in sorts without elements
    /// have to wait.
    pub(super) fn add_violated(&mut self, query: &mut Query, index: UniversalId, round: &Bump) -> bool {
        let found = std::mem::take(&mut self.join.found);
        let slots: &[SortId] = round.alloc_slice_copy(&self.universals[index].slots);
        let pattern = std::mem::take(&mut self.universals[index].pattern);
        let mut map: BumpVec<'_, Pattern> = BumpVec::with_capacity_in(slots.len(), round);
        let mut any = false;
        for violation in found.chunks_exact(slots.len()) {
            map.clear();
            let elements = violation.iter().zip(slots);
            map.extend(elements.filter_map(|(&elem, &sort)| self.candidate.term(sort, elem)));
            if map.len() < slots.len() {
                continue;
            }
            any = true;
            self.add_instance(query, index, &pattern, &map);
        }
        if self.is_long
            && any
            && let Some(name) = pattern.iter().find_map(PatternLit::proposition)
            && !query.violated.contains(&name)
        {
            query.violated.push(name);
        }
        self.universals[index].pattern = pattern;
        self.join.found = found;
        any
    }

    /// Adds the instance of a clause at these terms to the query.
    pub(super) fn add_instance(
        &mut self,
        query: &mut Query,
        index: UniversalId,
        pattern: &[PatternLit],
        terms: &[Pattern],
    ) {
        let clause = match self.instances.get(index, terms) {
            Some(clause) => clause,
            None => {
                let clause = self.add_ground(pattern, terms);
                self.instances.insert(index, terms, clause);
                self.stats.instances += 1;
                event!(Trace, ENGINE, "instance of clause {} at terms {terms:?}", index.index());
                if let Some(record) = &mut self.record {
                    record.instance(clause, index, terms);
                }
                match self.universals[index].scope {
                    None => self.dormant.add(clause, &self.atoms, &self.ground),
                    Some(scope) => self.scopes[scope].instances.push(clause),
                }
                clause
            }
        };
        self.live.mark_clause(&self.bank, &self.atoms, self.ground.lits(clause));
        query.live.push(clause);
    }
}

/// State of one call of `check`.
pub(super) struct Query {
    /// Ground clauses that the candidate must satisfy. An instance may occur twice.
    pub(super) live: Vec<GroundId>,
    /// Instances of outer scopes with terms that do not occur in this query so far.
    scoped: Vec<GroundId>,
    /// Whether the candidate has sorts without elements.
    has_empty_sorts: bool,
    /// In a long search, the names of the parts that the candidate violates.
    violated: Vec<Rel>,
    /// In a long search, the atoms at which parts are instantiated.
    pub(super) matching: Matching,
    /// In a long search, what literals have asked for.
    pub(super) asking: Asking,
    /// In a long search, the work done when all instances were last added.
    pub(super) grounded_at: u64,
    /// How often a clause had as many violations by defaults as are added per candidate. Beyond [`CROWDS`] relations that no universal
    /// clause negates are true by default. That may need far fewer instances, and makes structures that say more than they
    /// have to.
    crowds: u32,
}
