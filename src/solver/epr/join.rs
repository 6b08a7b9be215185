//! Search for violated instances. The conjunction of the negated literals of a clause is a conjunctive query over the
//! candidate structure, answered by a backtracking join.
//!
//! The join order is chosen greedily per clause and candidate by estimated fan-out. Every literal is evaluated as soon
//! as its variables are bound. A negative literal is iterated over its true tuples, never over the domain.

use smallvec::SmallVec;

use super::bank::{Bank, SlotId};
use super::candidate::Candidate;
use super::congruence::Congruence;
use super::universal::{Arg, CompoundId, LitKind, LiteralId, UniversalClause};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::Elem;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Looks up the value of a function application.
    Compute(CompoundId),
    /// Continues only if the literal is false.
    Check(LiteralId),
    /// Binds the slot by a disequation with one known side.
    Assign(SlotId, Arg),
    /// Iterates over the true tuples of a negative literal.
    Scan(LiteralId),
    /// Iterates over all elements of the slot's sort.
    Domain(SlotId),
}

/// Treatment of function applications without value in the candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undefined {
    /// No violation is reported.
    Prune,
    /// The default value applies.
    Default,
}

/// Scratch memory and results of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Join {
    steps: Vec<Step>,
    slots: Vec<Elem>,
    compounds: Vec<Elem>,
    grounds: Vec<Elem>,
    tuple: Vec<Elem>,
    /// Slot values of the violations found, stored contiguously.
    pub(crate) found: Vec<Elem>,
    /// Number of violations found, including those of clauses without slots.
    pub(crate) count: usize,
}

/// A candidate structure together with the terms of its elements.
#[derive(Clone, Copy)]
pub(crate) struct CandidateView<'a> {
    pub(crate) bank: &'a Bank,
    pub(crate) candidate: &'a Candidate,
    pub(crate) congruence: &'a Congruence,
}

struct Search<'a> {
    clause: &'a UniversalClause,
    candidate: &'a Candidate,
    undefined: Undefined,
    limit: usize,
    budget: &'a mut Budget,
}

impl Join {
    /// Collects up to `limit` violated instances of `clause`.
    pub(crate) fn run(
        &mut self,
        clause: &UniversalClause,
        view: CandidateView<'_>,
        undefined: Undefined,
        limit: usize,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let CandidateView { bank, candidate, congruence } = view;
        self.found.clear();
        self.count = 0;
        let mut search = Search { clause, candidate, undefined, limit, budget };
        if !search.may_be_violated() {
            return Ok(());
        }
        self.grounds.clear();
        for &term in &clause.grounds {
            match candidate.value(bank, congruence, term, undefined == Undefined::Default) {
                Some(value) => self.grounds.push(value),
                None => return Ok(()),
            }
        }
        self.slots.clear();
        self.slots.resize(clause.slots.len(), 0);
        self.compounds.clear();
        self.compounds.resize(clause.compounds.len(), 0);
        if !search.plan(&mut self.steps) {
            return Ok(());
        }
        search.budget.spend(self.steps.len() as u64)?;
        search.execute(self, 0).map(|_| ())
    }
}

impl Search<'_> {
    /// Quick test for violations: every negative literal needs a true tuple.
    fn may_be_violated(&self) -> bool {
        self.clause.literals.iter().all(|literal| match literal.kind {
            LitKind::Rel(rel, _) if !literal.positive => self.candidate.rels[rel].len() > 0,
            _ => true,
        })
    }

    /// Plans the join. Returns whether violations are possible.
    fn plan(&self, steps: &mut Vec<Step>) -> bool {
        steps.clear();
        let clause = self.clause;
        let all_slots = if clause.slots.len() == 64 { u64::MAX } else { (1u64 << clause.slots.len()) - 1 };
        let mut known = 0u64;
        let mut computed = 0u64;
        // Not a bit mask, because clauses may have more literals than a word has bits.
        let mut done: SmallVec<[bool; 16]> = SmallVec::from_elem(false, clause.literals.len());
        loop {
            for (index, compound) in clause.compounds.iter().enumerate() {
                if computed >> index & 1 == 0 && compound.slots & !known == 0 {
                    computed |= 1 << index;
                    steps.push(Step::Compute(CompoundId::new(index)));
                }
            }
            for (index, literal) in clause.literals.iter().enumerate() {
                if !done[index] && literal.slots & !known == 0 {
                    done[index] = true;
                    steps.push(Step::Check(LiteralId::new(index)));
                }
            }
            if known == all_slots {
                return true;
            }
            let Some((step, binds)) = self.cheapest(known, &done) else { return false };
            match step {
                Step::Assign(..) => {}
                // A scan decides its literal unless an application in it is still unknown.
                Step::Scan(index) => {
                    let literal = &clause.literals[index.index()];
                    if literal.compounds & !computed == 0 {
                        done[index.index()] = true;
                    }
                }
                _ => {}
            }
            steps.push(step);
            known |= binds;
        }
    }

    /// Returns the step that binds at least one more slot at the lowest cost, and the slots that it binds. Returns
    /// `None` if some step has nothing to iterate over.
    fn cheapest(&self, known: u64, done: &[bool]) -> Option<(Step, u64)> {
        let clause = self.clause;
        let is_known = |arg: Arg| match arg {
            Arg::Slot(slot) => known >> slot.index() & 1 == 1,
            Arg::Compound(index) => clause.compounds[index.index()].slots & !known == 0,
            Arg::Ground(_) => true,
        };
        let mut best: Option<(f32, Step, u64)> = None;
        let mut offer = |cost: f32, step: Step, binds: u64| {
            if best.is_none_or(|(other, ..)| cost < other) {
                best = Some((cost, step, binds));
            }
        };
        for (index, literal) in clause.literals.iter().enumerate() {
            if literal.positive || done[index] {
                continue;
            }
            match &literal.kind {
                LitKind::Eq(a, b) => {
                    for (slot, other) in [(*a, *b), (*b, *a)] {
                        if let Arg::Slot(number) = slot
                            && !is_known(slot)
                            && is_known(other)
                        {
                            return Some((Step::Assign(number, other), 1 << number.index()));
                        }
                    }
                }
                LitKind::Rel(rel, args) => {
                    let table = &self.candidate.rels[*rel];
                    let mut estimate = table.len() as f32;
                    let mut binds = 0u64;
                    for &arg in args {
                        if is_known(arg) {
                            let sort = self.sort_size(arg);
                            estimate /= sort.max(1) as f32;
                        } else if let Arg::Slot(number) = arg {
                            binds |= 1 << number.index();
                        }
                    }
                    if binds == 0 {
                        continue;
                    }
                    offer(
                        estimate.powf(1.0 / binds.count_ones() as f32),
                        Step::Scan(LiteralId::new(index)),
                        binds,
                    );
                }
            }
        }
        for (number, &sort) in clause.slots.iter().enumerate() {
            if known >> number & 1 == 1 {
                continue;
            }
            let size = self.candidate.size(sort);
            if size == 0 {
                return None;
            }
            // Ties are broken in favor of the variable that occurs in the most literals.
            let occurs = clause.literals.iter().filter(|literal| literal.slots >> number & 1 == 1).count();
            let cost = size as f32 * (1.0 + 1.0 / (2.0 + occurs as f32));
            offer(cost, Step::Domain(SlotId::new(number)), 1 << number);
        }
        best.map(|(_, step, binds)| (step, binds))
    }

    /// Returns the size of the sort of an argument, for estimates.
    fn sort_size(&self, arg: Arg) -> usize {
        match arg {
            Arg::Slot(slot) => self.candidate.size(self.clause.slots[slot.index()]),
            // The selectivity of an application or a constant is estimated as that of a medium-sized sort.
            Arg::Compound(_) | Arg::Ground(_) => 8,
        }
    }

    #[inline]
    fn value(&self, join: &Join, arg: Arg) -> Elem {
        match arg {
            Arg::Slot(slot) => join.slots[slot.index()],
            Arg::Compound(index) => join.compounds[index.index()],
            Arg::Ground(index) => join.grounds[index as usize],
        }
    }

    /// Executes the plan from step `at`. Returns whether the limit is reached.
    fn execute(&mut self, join: &mut Join, at: usize) -> Result<bool, Exhausted> {
        let Some(&step) = join.steps.get(at) else {
            join.count += 1;
            join.found.extend_from_slice(&join.slots);
            return Ok(join.count >= self.limit);
        };
        match step {
            Step::Compute(index) => {
                let compound = &self.clause.compounds[index.index()];
                join.tuple.clear();
                for &arg in &compound.args {
                    let value = self.value(join, arg);
                    join.tuple.push(value);
                }
                let value = self.candidate.funs[compound.fun].get(&join.tuple);
                match (value, self.undefined) {
                    (Some(value), _) => join.compounds[index.index()] = value,
                    (None, Undefined::Default) => join.compounds[index.index()] = 0,
                    (None, Undefined::Prune) => return Ok(false),
                }
                self.execute(join, at + 1)
            }
            Step::Check(index) => {
                let literal = &self.clause.literals[index.index()];
                let holds = match &literal.kind {
                    LitKind::Eq(a, b) => self.value(join, *a) == self.value(join, *b),
                    LitKind::Rel(rel, args) => {
                        join.tuple.clear();
                        for &arg in args {
                            let value = self.value(join, arg);
                            join.tuple.push(value);
                        }
                        self.candidate.rels[*rel].get(&join.tuple).is_some()
                    }
                };
                if holds == literal.positive { Ok(false) } else { self.execute(join, at + 1) }
            }
            Step::Assign(slot, arg) => {
                join.slots[slot.index()] = self.value(join, arg);
                self.execute(join, at + 1)
            }
            Step::Domain(slot) => {
                let size = self.candidate.size(self.clause.slots[slot.index()]);
                self.budget.spend(size as u64)?;
                for element in 0..size as Elem {
                    join.slots[slot.index()] = element;
                    if self.execute(join, at + 1)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Step::Scan(index) => self.scan(join, at, index),
        }
    }

    fn scan(&mut self, join: &mut Join, at: usize, index: LiteralId) -> Result<bool, Exhausted> {
        let LitKind::Rel(rel, args) = &self.clause.literals[index.index()].kind else { return Ok(false) };
        let table = &self.candidate.rels[*rel];
        // Slots bound by the previous steps; recomputed because the plan keeps no masks.
        let known = join.steps[..at].iter().fold(0u64, |known, step| known | self.binds(*step));
        let computed = |arg: Arg| match arg {
            Arg::Slot(slot) => known >> slot.index() & 1 == 1,
            Arg::Compound(index) => self.clause.compounds[index.index()].slots & !known == 0,
            Arg::Ground(_) => true,
        };
        let mut wanted: SmallVec<[Option<Elem>; 8]> = SmallVec::new();
        let mut best: Option<(u32, usize, Elem)> = None;
        for (column, &arg) in args.iter().enumerate() {
            if computed(arg) {
                let value = self.value(join, arg);
                wanted.push(Some(value));
                let count = table.count(column, value);
                if best.is_none_or(|(other, ..)| count < other) {
                    best = Some((count, column, value));
                }
            } else {
                wanted.push(None);
            }
        }
        let mut next = match best {
            Some((_, column, value)) => table.first(column, value),
            None => (table.len() > 0).then_some(0),
        };
        let mut tried = 0;
        'tuples: while let Some(current) = next {
            tried += 1;
            next = match best {
                Some((_, column, _)) => table.next(column, current),
                None => (current + 1 < table.len()).then_some(current + 1),
            };
            let tuple = table.tuple(current);
            let mut bound = known;
            for ((&arg, &want), &elem) in args.iter().zip(&wanted).zip(tuple) {
                match (want, arg) {
                    (Some(value), _) if value != elem => continue 'tuples,
                    (None, Arg::Slot(slot)) => {
                        // A variable may occur twice in the literal.
                        if bound >> slot.index() & 1 == 1 {
                            if join.slots[slot.index()] != elem {
                                continue 'tuples;
                            }
                        } else {
                            bound |= 1 << slot.index();
                            join.slots[slot.index()] = elem;
                        }
                    }
                    _ => {}
                }
            }
            if self.execute(join, at + 1)? {
                return Ok(true);
            }
        }
        self.budget.spend(tried)?;
        Ok(false)
    }

    fn binds(&self, step: Step) -> u64 {
        match step {
            Step::Assign(slot, _) | Step::Domain(slot) => 1 << slot.index(),
            Step::Scan(index) => match &self.clause.literals[index.index()].kind {
                LitKind::Rel(_, args) => args.iter().fold(0, |set, arg| match arg {
                    Arg::Slot(slot) => set | 1 << slot.index(),
                    _ => set,
                }),
                LitKind::Eq(..) => 0,
            },
            Step::Compute(_) | Step::Check(_) => 0,
        }
    }
}
