//! The solver: assertions, goals, and the loop of candidates and instances.

use super::atoms::{AtomKind, Atoms, GroundClauses, LiveTerms, Owner};
use super::bank::{Bank, Gt};
use super::candidate::Candidate;
use super::clausify::{Clause, Clausifier, Draft, DraftAtom, DraftLit};
use super::congruence::Congruence;
use super::finite::{Clauses, Sizes};
use super::implicant::Implicant;
use super::instances::Instances;
use super::join::{Join, Undefined, View};
use super::refutation::Record;
use super::symbols::Symbols;
use super::universal::Universal;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::base::ids::Id as _;
use crate::logic::{Normalizer, Signature, SortId, TermId, Terms};
use crate::sat::{self, Lit, Silent};

/// Reads a clock in nanoseconds, from any origin. The engine itself has none.
pub type Clock = fn() -> u64;

/// Stands for an assertion that can be switched on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Label(Lit);

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a structure; [`Solver::structure`] reads it.
    Sat,
    /// There is none; [`Solver::core`] tells which labels suffice for that.
    Unsat,
}

/// What a solver has done so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Queries.
    pub checks: u64,
    /// Candidate structures.
    pub rounds: u64,
    /// Instances of universal clauses.
    pub instances: u64,
    /// Lemmas of the congruence closure.
    pub lemmas: u64,
    /// Nanoseconds in the SAT solver, where there is a clock.
    pub sat_ns: u64,
    /// Nanoseconds in implicants, congruence and candidates, where there is a clock.
    pub candidate_ns: u64,
    /// Nanoseconds in the search for violated instances, where there is a clock.
    pub join_ns: u64,
}

impl Stats {
    /// Adds what another solver has done.
    pub fn add(&mut self, other: &Stats) {
        self.checks += other.checks;
        self.rounds += other.rounds;
        self.instances += other.instances;
        self.lemmas += other.lemmas;
        self.sat_ns += other.sat_ns;
        self.candidate_ns += other.candidate_ns;
        self.join_ns += other.join_ns;
    }
}

/// Work units after which a search without answer is interrupted for the first time, to look for a small model.
const FIRST_SLICE: u64 = 100_000;

/// At most this many lemmas about equality are added per candidate: they repair it bit by bit, and most of a long
/// list would be about what the first ones change.
const LEMMAS_PER_ROUND: usize = 64;

/// At most this many instances of one universal clause are added per candidate.
const INSTANCES_PER_ROUND: usize = 200;

/// How many literals the clauses of one assertion may have, those on the way to them included.
const MAX_LITERALS: u64 = 4_000_000;

/// An incremental decision procedure.
///
/// Assertions stay. At most one *goal* is open at a time: what is asserted for it, and the
/// Skolem constants made for it, retire when it is closed; instances and learned clauses survive.
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) sig: Signature,
    terms: Terms,
    normalizer: Normalizer,
    pub(super) symbols: Symbols,
    pub(super) bank: Bank,
    pub(super) atoms: Atoms,
    sat: sat::Solver<Silent>,
    pub(super) ground: GroundClauses,
    universals: Vec<Universal>,
    /// Universal clauses that count now: all permanent ones, then those of the open goal.
    active: Vec<u32>,
    /// How many of `active` are permanent.
    permanent: usize,
    instances: Instances,
    live: LiveTerms,
    goal: Option<OpenGoal>,
    goals: u32,
    core: Vec<Label>,
    pub(super) implicant: Implicant,
    pub(super) congruence: Congruence,
    pub(super) candidate: Candidate,
    join: Join,
    /// A clause with more variables or function applications than the join can take was asserted: then a
    /// candidate is no model.
    pub(super) incomplete: bool,
    /// What assertions may spend.
    budget: Budget,
    /// The budget in which an assertion could not be brought into clauses, and whether that was for the open goal.
    unfinished: Option<(Exhausted, bool)>,
    clock: Option<Clock>,
    /// Where clauses come from, if refutations are to be explained.
    pub(super) record: Option<Record>,
    stats: Stats,
}

#[derive(Clone, Copy, Debug)]
struct OpenGoal {
    number: u32,
    guard: Lit,
}

impl Solver {
    /// A solver over this signature. It keeps a copy of `terms`; formulas are made in [`Self::terms_mut`].
    pub fn new(sig: Signature, terms: Terms, seed: u64) -> Solver {
        let config = sat::Config { seed, ..sat::Config::default() };
        Solver {
            sig,
            terms,
            normalizer: Normalizer::default(),
            symbols: Symbols::default(),
            bank: Bank::default(),
            atoms: Atoms::default(),
            sat: sat::Solver::with_config(config, Silent),
            ground: GroundClauses::default(),
            universals: Vec::new(),
            active: Vec::new(),
            permanent: 0,
            instances: Instances::default(),
            live: LiveTerms::default(),
            goal: None,
            goals: 0,
            core: Vec::new(),
            implicant: Implicant::default(),
            congruence: Congruence::default(),
            candidate: Candidate::default(),
            join: Join::default(),
            incomplete: false,
            budget: Budget::unlimited(),
            unfinished: None,
            clock: None,
            record: None,
            stats: Stats::default(),
        }
    }

    /// Measures the time of phases by this clock.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
    }

    /// Keeps track of where clauses come from, so that [`Self::refutation`] can tell. To be called first: what was
    /// asserted before stays unexplained. Assertions are numbered from 0 in their order, those for goals
    /// included.
    ///
    /// A refutation speaks of witnesses where search has Skolem functions, and nothing is known of the witnesses of
    /// two formulas; so search must not use that Skolem functions are functions either.
    pub fn keep_record(&mut self) {
        self.record = Some(Record::default());
        self.congruence.skolems_are_choices = true;
    }

    /// The arena of formulas.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The arena of formulas, to make some.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// What the solver has done so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// What the SAT solver below has done so far.
    pub fn sat_stats(&self) -> &sat::Stats {
        self.sat.stats()
    }

    /// How many ground terms there are.
    pub fn term_count(&self) -> usize {
        self.bank.len()
    }

    /// Runs something within a budget: assertions take from it too, which are not limited otherwise.
    pub fn within<T>(&mut self, budget: &mut Budget, run: impl FnOnce(&mut Solver) -> T) -> T {
        self.swap_budget(budget);
        let result = run(self);
        self.swap_budget(budget);
        result
    }

    /// Exchanges the budget that assertions take from.
    pub fn swap_budget(&mut self, budget: &mut Budget) {
        std::mem::swap(&mut self.budget, budget);
    }

    /// The budget that ran out while something was asserted that counts now, if one did. Until the goal of the
    /// assertion is closed queries answer with it.
    pub fn unfinished(&self) -> Option<Exhausted> {
        self.unfinished.map(|(exhausted, _)| exhausted)
    }

    /// Asserts a closed formula: for the open goal if there is one, for ever otherwise. Where the formula is too large,
    /// or the budget does not suffice (see [`Self::within`]), that is remembered (see [`Self::unfinished`]).
    pub fn assert(&mut self, formula: TermId) {
        let guard = self.goal.map(|goal| goal.guard);
        self.assert_under(formula, guard);
    }

    /// Asserts a closed formula that counts only in checks that name its label.
    pub fn assert_labelled(&mut self, formula: TermId) -> Label {
        let label = self.fresh_literal();
        self.assert_under(formula, Some(label));
        Label(label)
    }

    /// The normal form in which a formula is asserted: negation normal form, miniscoped.
    ///
    /// # Errors
    /// The budget that ran out.
    pub fn normal_form(&mut self, formula: TermId) -> Result<TermId, Exhausted> {
        self.normalizer.within(&mut self.terms, formula, true, &mut self.budget)
    }

    /// The same for a formula that is in negation normal form and miniscoped already, and stays as it is.
    pub fn assert_normal(&mut self, formula: TermId) {
        let guard = self.goal.map(|goal| goal.guard);
        self.assert_clauses(formula, guard);
    }

    fn assert_under(&mut self, formula: TermId, guard: Option<Lit>) {
        match self.normal_form(formula) {
            Ok(normal) => self.assert_clauses(normal, guard),
            Err(exhausted) => {
                // Assertions are numbered, this one too.
                if let Some(record) = &mut self.record {
                    record.start_assertion();
                }
                self.give_up(exhausted);
            }
        }
    }

    /// Remembers that an assertion is not there.
    fn give_up(&mut self, exhausted: Exhausted) {
        if self.unfinished.is_none_or(|(_, of_goal)| of_goal) {
            self.unfinished = Some((exhausted, self.goal.is_some()));
        }
    }

    fn assert_clauses(&mut self, normal: TermId, guard: Option<Lit>) {
        let owner = self.goal.map_or(Owner::Permanent, |goal| Owner::Goal(goal.number));
        let pooled = self.goal.is_some();
        let origins = self.record.as_mut().map(|record| record.start_assertion());
        let clauses = self.budget.at_most(MAX_LITERALS, |budget| {
            let (symbols, bank) = (&mut self.symbols, &mut self.bank);
            Clausifier::new(&self.sig, &self.terms, symbols, bank, pooled, origins, budget).clauses(normal)
        });
        match clauses {
            Ok(clauses) => clauses.into_iter().for_each(|clause| self.add(clause, guard, owner)),
            Err(exhausted) => self.give_up(exhausted),
        }
    }

    fn add(&mut self, clause: Clause, guard: Option<Lit>, owner: Owner) {
        let Clause { lits: mut draft, bindings } = clause;
        if let Some(guard) = guard
            && let AtomKind::Rel(rel) = self.atoms.kind(guard.var())
        {
            let atom = DraftAtom::Rel(rel, smallvec::SmallVec::new());
            draft.push(DraftLit { positive: guard.is_negative(), atom });
        }
        let is_ground = draft.iter().all(|lit| lit.atom.args().iter().all(|&arg| self.bank.is_ground(arg)));
        if is_ground {
            let clause = self.add_ground(&draft, &[]);
            if let Some(record) = &mut self.record {
                record.ground_clause(clause, bindings);
            }
            match owner {
                Owner::Permanent => self.ground.base.push(clause),
                Owner::Goal(_) => self.ground.of_goal.push(clause),
            }
            return;
        }
        match Universal::new(&self.bank, draft, owner) {
            Some(universal) => {
                let index = self.universals.len() as u32;
                self.universals.push(universal);
                if let Some(record) = &mut self.record {
                    record.universal(bindings);
                }
                match owner {
                    Owner::Permanent => {
                        self.active.insert(self.permanent, index);
                        self.permanent += 1;
                    }
                    Owner::Goal(_) => self.active.push(index),
                }
            }
            None => self.incomplete = true,
        }
    }

    /// Adds the instance of a draft at these terms to the SAT solver; its number among the ground clauses.
    fn add_ground(&mut self, draft: &[DraftLit], map: &[Gt]) -> u32 {
        let mut lits: smallvec::SmallVec<[Lit; 12]> = smallvec::SmallVec::new();
        for lit in draft {
            let mut args = lit.atom.args();
            for arg in &mut args {
                *arg = self.bank.instantiate(&self.symbols, *arg, map);
            }
            let kind = match lit.atom {
                DraftAtom::Eq(..) if args[0] == args[1] => {
                    if lit.positive {
                        // True: the clause says nothing.
                        return self.ground.push(&[]);
                    }
                    continue;
                }
                DraftAtom::Eq(..) => AtomKind::Eq,
                DraftAtom::Rel(rel, _) => AtomKind::Rel(rel),
            };
            let ground = self.literal(kind, &args, lit.positive);
            if !lits.contains(&ground) {
                lits.push(ground);
            }
        }
        self.sat.add_clause(&lits);
        self.ground.push(&lits)
    }

    fn literal(&mut self, kind: AtomKind, args: &[Gt], positive: bool) -> Lit {
        let (var, new) = self.atoms.intern(kind, args);
        if new {
            let made = self.sat.new_var();
            debug_assert_eq!(made, var, "atoms are the variables of the SAT solver");
        }
        var.literal(positive)
    }

    /// A new atom without meaning of its own.
    fn fresh_literal(&mut self) -> Lit {
        let rel = self.symbols.name();
        self.literal(AtomKind::Rel(rel), &[], true)
    }

    /// Opens a goal; an open one is closed first.
    pub fn open_goal(&mut self) {
        self.close_goal();
        let guard = self.fresh_literal();
        self.goal = Some(OpenGoal { number: self.goals, guard });
        self.goals += 1;
        self.symbols.refill_pool();
    }

    /// Retires what was asserted since the goal was opened.
    pub fn close_goal(&mut self) {
        if let Some(goal) = self.goal.take() {
            self.sat.add_clause(&[!goal.guard]);
            self.ground.of_goal.clear();
            self.ground.goal_instances.clear();
            self.active.truncate(self.permanent);
            self.unfinished = self.unfinished.filter(|&(_, of_goal)| !of_goal);
        }
    }

    /// Whether the assertions, those of the open goal included, hold together in some structure, with the
    /// labelled ones among them that `labels` names.
    ///
    /// # Errors
    /// The budget that ran out. The solver stays usable.
    pub fn check(&mut self, labels: &[Label], budget: &mut Budget) -> Result<Answer, Exhausted> {
        self.stats.checks += 1;
        self.core.clear();
        self.unfinished().map_or(Ok(()), Err)?;
        // Who keeps a record expects a refutation.
        let mut slice = if self.record.is_some() { 8 * FIRST_SLICE } else { FIRST_SLICE };
        // Outside the fragment the terms may grow for ever although there is a small model; and inside, a
        // small model may be far. So a long search takes turns with one for models of growing size.
        let mut small: Option<(Clauses, Sizes)> = None;
        loop {
            if let Some(answer) = self.search_slice(labels, slice, budget)? {
                return Ok(answer);
            }
            if small.is_none() {
                small = self.finite_clauses(labels).map(|clauses| (clauses, Sizes::new(&self.sig)));
            }
            if let Some((clauses, sizes)) = &mut small {
                let mut part = budget.part(slice);
                let found = self.find_small_model(clauses, sizes, &mut part);
                budget.absorb(&part)?;
                match found {
                    Ok(true) => return Ok(Answer::Sat),
                    Ok(false) | Err(Exhausted::Work) => {}
                    Err(exhausted) => return Err(exhausted),
                }
            }
            slice = slice.saturating_mul(2);
        }
    }

    /// Searches for at most `units` of work; `None` if there is no answer by then.
    fn search_slice(
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
        let mut query = self.start_query();
        loop {
            if self.solve_ground(&assumptions, budget)? == sat::Answer::Unsat {
                let core = self.sat.core();
                self.core = labels.iter().copied().filter(|label| core.contains(&label.0)).collect();
                return Ok(Answer::Unsat);
            }
            self.stats.rounds += 1;
            if self.build_candidate(&mut query, &assumptions) {
                continue;
            }
            let started = self.now();
            let found = self.instantiate(&mut query, budget);
            self.stats.join_ns += self.since(started);
            if !found? {
                return if self.incomplete { Err(Exhausted::ClauseSize) } else { Ok(Answer::Sat) };
            }
        }
    }

    /// What a query under `labels` assumes.
    pub(super) fn assumptions(&self, labels: &[Label]) -> Vec<Lit> {
        self.goal.iter().map(|goal| goal.guard).chain(labels.iter().map(|label| label.0)).collect()
    }

    /// Whether the ground clauses are contradictory whatever is assumed.
    pub(super) fn sat_is_refuted(&self) -> bool {
        self.sat.is_refuted()
    }

    /// The universal clauses that count now.
    pub(super) fn active_drafts(&self) -> impl Iterator<Item = &Draft> {
        self.active.iter().map(|&index| &self.universals[index as usize].draft)
    }

    /// The ground clauses that count now, instances left out.
    pub(super) fn active_ground(&self) -> impl Iterator<Item = &[Lit]> {
        self.ground.base.iter().chain(&self.ground.of_goal).map(|&clause| self.ground.lits(clause))
    }

    fn solve_ground(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<sat::Answer, Exhausted> {
        let started = self.now();
        let answer = self.sat.solve(assumptions, budget);
        self.stats.sat_ns += self.since(started);
        answer
    }

    fn now(&self) -> u64 {
        self.clock.map_or(0, |clock| clock())
    }

    fn since(&self, started: u64) -> u64 {
        self.now().saturating_sub(started)
    }

    /// Labels that suffice for the last answer `Unsat`.
    pub fn core(&self) -> &[Label] {
        &self.core
    }

    fn start_query(&mut self) -> Query {
        self.live.start();
        let mut query = Query { live: Vec::new(), dormant: Vec::new(), covered: 0 };
        let GroundClauses { base, of_goal, goal_instances, .. } = &self.ground;
        for &clause in base.iter().chain(of_goal).chain(goal_instances) {
            self.live.mark_clause(&self.bank, &self.atoms, self.ground.lits(clause));
            query.live.push(clause);
        }
        query.dormant.extend_from_slice(&self.ground.instances);
        query.wake(&self.live, &self.atoms, &self.ground);
        query
    }

    /// Reads the SAT model as a candidate. True if there is a conflict with equality instead; then lemmas
    /// have been added.
    fn build_candidate(&mut self, query: &mut Query, assumptions: &[Lit]) -> bool {
        let started = self.now();
        self.implicant.compute(&self.sat, &self.atoms, &self.ground, &query.live, assumptions);
        self.congruence.reset(&self.bank);
        for &lit in &self.implicant.lits {
            for &arg in self.atoms.args(lit.var()) {
                self.congruence.add(&self.bank, arg);
            }
        }
        self.fill_sorts();
        for &lit in &self.implicant.lits {
            if let (AtomKind::Eq, false) = (self.atoms.kind(lit.var()), lit.is_negative()) {
                let args = self.atoms.args(lit.var());
                self.congruence.merge(&self.bank, args[0], args[1], lit);
            }
        }
        self.congruence.close(&self.symbols, &self.bank);
        let lemmas = self.equality_conflicts();
        let conflict = !lemmas.is_empty();
        if conflict {
            self.stats.lemmas += lemmas.len() as u64;
            for lemma in lemmas {
                self.sat.add_clause(&lemma);
                if let Some(record) = &mut self.record {
                    record.lemmas.push(lemma);
                }
            }
        } else {
            self.candidate.build(
                &self.symbols,
                &self.bank,
                &self.atoms,
                &self.congruence,
                &self.implicant.lits,
                self.sig.sorts.len(),
            );
        }
        self.stats.candidate_ns += self.since(started);
        conflict
    }

    /// Gives every sort an element.
    fn fill_sorts(&mut self) {
        let mut empty = vec![true; self.sig.sorts.len()];
        for &term in self.congruence.relevant() {
            empty[self.bank.sort(term).index()] = false;
        }
        for sort in self.sig.uninterpreted_sorts() {
            if empty[sort.index()] {
                let term = self.some_term(sort);
                self.congruence.make_room(&self.bank);
                self.congruence.add(&self.bank, term);
            }
        }
    }

    /// A constant of this sort: the signature's first, or one made for the purpose.
    fn some_term(&mut self, sort: SortId) -> Gt {
        let fun = self.symbols.filler(sort);
        self.bank.app(&self.symbols, fun, &[])
    }

    /// Clauses that exclude contradictions between the relevant literals and equality.
    fn equality_conflicts(&self) -> Vec<Vec<Lit>> {
        let mut lemmas = Vec::new();
        let mut seen: Map<(AtomKind, smallvec::SmallVec<[Gt; 4]>), Lit> = Map::default();
        for &lit in &self.implicant.lits {
            if lemmas.len() >= LEMMAS_PER_ROUND {
                break;
            }
            let kind = self.atoms.kind(lit.var());
            let args = self.atoms.args(lit.var());
            match kind {
                AtomKind::Eq => {
                    if lit.is_negative() && self.congruence.find(args[0]) == self.congruence.find(args[1]) {
                        lemmas.push(self.lemma(&[(args[0], args[1])], &[!lit]));
                    }
                }
                AtomKind::Rel(_) if args.is_empty() => {}
                AtomKind::Rel(_) => {
                    let roots = args.iter().map(|&arg| self.congruence.find(arg)).collect();
                    let other = *seen.entry((kind, roots)).or_insert(lit);
                    if other.is_negative() != lit.is_negative() {
                        let pairs: Vec<(Gt, Gt)> =
                            self.atoms.args(other.var()).iter().copied().zip(args.iter().copied()).collect();
                        lemmas.push(self.lemma(&pairs, &[!lit, !other]));
                    }
                }
            }
        }
        lemmas
    }

    /// The clause "these pairs are equal by some literals, hence ...".
    fn lemma(&self, pairs: &[(Gt, Gt)], conclusion: &[Lit]) -> Vec<Lit> {
        let mut reasons = Vec::new();
        for &(a, b) in pairs {
            self.congruence.explain(&self.bank, a, b, &mut reasons);
        }
        reasons.iter().map(|&reason| !reason).chain(conclusion.iter().copied()).collect()
    }

    /// Adds violated instances. Whether there were any.
    fn instantiate(&mut self, query: &mut Query, budget: &mut Budget) -> Result<bool, Exhausted> {
        for undefined in [Undefined::Prune, Undefined::Default] {
            let mut any = false;
            for at in 0..self.active.len() {
                let index = self.active[at];
                let universal = &self.universals[index as usize];
                let view =
                    View { bank: &self.bank, candidate: &self.candidate, congruence: &self.congruence };
                self.join.run(universal, view, undefined, INSTANCES_PER_ROUND, budget)?;
                any |= self.add_violated(query, index);
            }
            if any {
                query.wake(&self.live, &self.atoms, &self.ground);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the instances that the join has found.
    fn add_violated(&mut self, query: &mut Query, index: u32) -> bool {
        let found = std::mem::take(&mut self.join.found);
        let count = self.join.count;
        let slots = self.universals[index as usize].slots.clone();
        let draft = std::mem::take(&mut self.universals[index as usize].draft);
        let mut map: Vec<Gt> = Vec::with_capacity(slots.len());
        for violation in found.chunks_exact(slots.len()) {
            map.clear();
            let elements = violation.iter().zip(&slots);
            map.extend(elements.map(|(&elem, &sort)| self.candidate.elements[sort][elem as usize]));
            let clause = match self.instances.get(index, &map) {
                Some(clause) => clause,
                None => {
                    let clause = self.add_ground(&draft, &map);
                    self.instances.insert(index, &map, clause);
                    self.stats.instances += 1;
                    if let Some(record) = &mut self.record {
                        record.instance(clause, index, &map);
                    }
                    match self.universals[index as usize].owner {
                        Owner::Permanent => self.ground.instances.push(clause),
                        Owner::Goal(_) => self.ground.goal_instances.push(clause),
                    }
                    clause
                }
            };
            self.live.mark_clause(&self.bank, &self.atoms, self.ground.lits(clause));
            query.live.push(clause);
        }
        self.universals[index as usize].draft = draft;
        self.join.found = found;
        count > 0
    }
}

/// What belongs to one call of `check`.
struct Query {
    /// Ground clauses that the candidate has to satisfy.
    live: Vec<u32>,
    /// Instances with terms that do not occur in this query so far.
    dormant: Vec<u32>,
    /// How many terms were live when the dormant clauses were last looked at.
    covered: usize,
}

impl Query {
    /// Moves dormant clauses whose terms all occur by now to the live ones.
    fn wake(&mut self, live_terms: &LiveTerms, atoms: &Atoms, ground: &GroundClauses) {
        if live_terms.count == self.covered {
            return;
        }
        self.covered = live_terms.count;
        let live = &mut self.live;
        self.dormant.retain(|&clause| {
            let wakes = live_terms.covers(atoms, ground.lits(clause));
            if wakes {
                live.push(clause);
            }
            !wakes
        });
    }
}
