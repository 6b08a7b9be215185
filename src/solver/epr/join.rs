//! Search for violated instances. The conjunction of the negated literals of a clause is a conjunctive query over the
//! candidate structure, answered by a backtracking join.
//!
//! The join order is chosen greedily per clause and candidate by estimated fan-out. Every literal is evaluated as soon
//! as its variables are bound. A negative literal is iterated over its true tuples, never over the domain.

use smallvec::SmallVec;

use super::bank::{Bank, SlotId};
use super::candidate::Candidate;
use super::congruence::Congruence;
use super::table::hash_of;
use super::universal::{Arg, CompoundId, LitKind, LiteralId, SlotSet, UniversalClause};
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
    /// Iterates over the true tuples of a negative literal, whose columns begin at this index into [`Join::columns`].
    Scan(LiteralId, u32),
    /// Iterates over all elements of the slot's sort.
    Domain(SlotId),
}

/// What a scan does with a column of its tuples.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// The value is known before.
    Known(Arg),
    /// It becomes the value of the variable.
    Bind(SlotId),
    /// The variable has its value from an earlier column of the tuple.
    Again(SlotId),
    /// The value of the function application is not known yet; the literal is checked later.
    Open,
}

/// A step with several ways to go on.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// Index of the step.
    at: usize,
    /// The next element or tuple; `None` if there is none left.
    next: Option<usize>,
    /// How the tuples of a scan are listed.
    listing: Listing,
    /// Number of tuples tried, as the budget counts them.
    tried: u64,
}

/// Which tuples a scan goes through, in ascending order.
#[derive(Clone, Copy, Debug)]
enum Listing {
    /// All.
    All,
    /// Those with the value of one column.
    Column(usize),
    /// Those with the hash of all known columns, by this index of [`Join::indices`].
    Index(usize),
}

/// The tuples of a scan by the hash of its known columns. It is made once as many tuples as there are have been tried in vain, so the
/// search takes at most twice as long for it.
#[derive(Clone, Debug, Default)]
struct Index {
    /// The step that scans.
    at: usize,
    /// Number of tuples tried before it was made.
    tried: u64,
    /// By hash, the first tuple plus one; empty before it is made. The length is a power of two.
    heads: Vec<u32>,
    /// By tuple, the next one plus one with the hash.
    next: Vec<u32>,
}

impl Index {
    /// Returns the first tuple with a hash, if any.
    fn first(&self, hash: usize) -> Option<usize> {
        let head = self.heads[hash & (self.heads.len() - 1)];
        (head != 0).then(|| head as usize - 1)
    }

    /// Returns the next tuple with the hash of tuple `index`, if any.
    fn next(&self, index: usize) -> Option<usize> {
        let next = self.next[index];
        (next != 0).then(|| next as usize - 1)
    }
}

/// Number of tuples up to which a scan is short: an index would not make it shorter.
const SHORT_SCAN: u64 = 8;

/// Number of tuples up to which a scan by an index counts as the scan by a column that it replaces. Searches that take turns in counted
/// work keep their balance so.
const MAX_INDEXED: u64 = 1024;

/// Treatment of function applications without value in the candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undefined {
    /// No violation is reported.
    Prune,
    /// The default value applies.
    Default,
}

/// Which violations are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Those in clauses whose variables are all bound by negative literals.
    Tuples,
    /// All.
    Elements,
}

/// Scratch memory and results of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Join {
    steps: Vec<Step>,
    columns: Vec<Column>,
    /// The steps before the current one that have several ways to go on.
    choices: Vec<Choice>,
    /// The indices of long scans.
    indices: Vec<Index>,
    slots: Vec<Elem>,
    compounds: Vec<Elem>,
    grounds: Vec<Elem>,
    tuple: Vec<Elem>,
    /// Slot values of the violations found, stored contiguously.
    pub(crate) found: Vec<Elem>,
    /// Number of violations found, including those of clauses without slots.
    pub(crate) count: usize,
    /// Whether the clause was left out, since it has variables that are beyond the reach of the search.
    pub(crate) is_left_out: bool,
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
    /// Collects up to `limit` violated instances of `clause`. All relations of its negative literals should have tuples: otherwise
    /// there are none.
    pub(crate) fn run(
        &mut self,
        clause: &UniversalClause,
        view: CandidateView<'_>,
        (undefined, reach): (Undefined, Reach),
        limit: usize,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let CandidateView { bank, candidate, congruence } = view;
        self.found.clear();
        self.count = 0;
        self.is_left_out = false;
        let mut search = Search { clause, candidate, undefined, limit, budget };
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
        self.indices.clear();
        if !search.plan(self) {
            return Ok(());
        }
        let domain = |step: &Step| matches!(step, Step::Domain(_));
        self.is_left_out = reach == Reach::Tuples && self.steps.iter().any(domain);
        if self.is_left_out {
            return Ok(());
        }
        // A plan for many variables takes longer than its steps.
        let tried = clause.slots.len() / 64 * (clause.literals.len() + clause.compounds.len());
        search.budget.spend((self.steps.len() + tried) as u64)?;
        search.execute(self)
    }
}

impl Search<'_> {
    /// Plans the join. Returns whether violations are possible.
    fn plan(&self, join: &mut Join) -> bool {
        let clause = self.clause;
        let Join { steps, columns, .. } = join;
        steps.clear();
        columns.clear();
        let mut known = SlotSet::default();
        let mut left = clause.slots.len();
        let mut computed: SmallVec<[bool; 16]> = SmallVec::from_elem(false, clause.compounds.len());
        let mut done: SmallVec<[bool; 16]> = SmallVec::from_elem(false, clause.literals.len());
        let mut occurrences: SmallVec<[u32; 16]> = SmallVec::new();
        loop {
            for (index, compound) in clause.compounds.iter().enumerate() {
                if !computed[index] && compound.slots.is_within(&known) {
                    computed[index] = true;
                    steps.push(Step::Compute(CompoundId::new(index)));
                }
            }
            for (index, literal) in clause.literals.iter().enumerate() {
                if !done[index] && literal.slots.is_within(&known) {
                    done[index] = true;
                    steps.push(Step::Check(LiteralId::new(index)));
                }
            }
            if left == 0 {
                return true;
            }
            if occurrences.is_empty() {
                let occurs = |number| clause.literals.iter().filter(|it| it.slots.contains(number)).count();
                occurrences.extend((0..clause.slots.len()).map(|number| occurs(SlotId::new(number)) as u32));
            }
            let Some((mut step, binds)) = self.cheapest(&known, &done, &occurrences) else { return false };
            if let Step::Scan(index, start) = &mut step {
                *start = columns.len() as u32;
                // A scan decides its literal unless an application in it is still unknown.
                done[index.index()] = self.add_columns(*index, &known, columns);
            }
            steps.push(step);
            left -= binds.len();
            known.extend(&binds);
        }
    }

    fn is_known(&self, arg: Arg, known: &SlotSet) -> bool {
        match arg {
            Arg::Slot(slot) => known.contains(slot),
            Arg::Compound(index) => self.clause.compounds[index.index()].slots.is_within(known),
            Arg::Ground(_) => true,
        }
    }

    /// Plans what a scan does, given the variables known before. Returns whether it decides its literal.
    fn add_columns(&self, index: LiteralId, known: &SlotSet, columns: &mut Vec<Column>) -> bool {
        let LitKind::Rel(_, args) = &self.clause.literals[index.index()].kind else { return false };
        let (mut bound, mut decides) = (SlotSet::default(), true);
        for &arg in args {
            columns.push(match arg {
                _ if self.is_known(arg, known) => Column::Known(arg),
                Arg::Slot(slot) if bound.contains(slot) => Column::Again(slot),
                Arg::Slot(slot) => {
                    bound.insert(slot);
                    Column::Bind(slot)
                }
                Arg::Compound(_) | Arg::Ground(_) => {
                    decides = false;
                    Column::Open
                }
            });
        }
        decides
    }

    /// Returns the step that binds at least one more slot at the lowest cost, and the slots that it binds. Returns
    /// `None` if some step has nothing to iterate over. The numbers of literals with each slot break ties.
    fn cheapest(&self, known: &SlotSet, done: &[bool], occurrences: &[u32]) -> Option<(Step, SlotSet)> {
        let clause = self.clause;
        let only = |slot: SlotId| {
            let mut set = SlotSet::default();
            set.insert(slot);
            set
        };
        let mut best: Option<(f32, Step, SlotSet)> = None;
        for (index, literal) in clause.literals.iter().enumerate() {
            if literal.positive || done[index] {
                continue;
            }
            match &literal.kind {
                LitKind::Eq(a, b) => {
                    for (slot, other) in [(*a, *b), (*b, *a)] {
                        if let Arg::Slot(number) = slot
                            && !self.is_known(slot, known)
                            && self.is_known(other, known)
                        {
                            return Some((Step::Assign(number, other), only(number)));
                        }
                    }
                }
                LitKind::Rel(rel, args) => {
                    let table = &self.candidate.rels[*rel];
                    let mut estimate = table.len() as f32;
                    let mut binds = SlotSet::default();
                    for &arg in args {
                        if self.is_known(arg, known) {
                            let sort = self.sort_size(arg);
                            estimate /= sort.max(1) as f32;
                        } else if let Arg::Slot(number) = arg {
                            binds.insert(number);
                        }
                    }
                    if binds.len() == 0 {
                        continue;
                    }
                    let cost = estimate.powf(1.0 / binds.len() as f32);
                    if best.as_ref().is_none_or(|(other, ..)| cost < *other) {
                        best = Some((cost, Step::Scan(LiteralId::new(index), 0), binds));
                    }
                }
            }
        }
        for (number, &sort) in clause.slots.iter().enumerate() {
            let slot = SlotId::new(number);
            if known.contains(slot) {
                continue;
            }
            let size = self.candidate.size(sort);
            if size == 0 {
                return None;
            }
            // Ties are broken in favor of the variable that occurs in the most literals.
            let cost = size as f32 * (1.0 + 1.0 / (2.0 + occurrences[number] as f32));
            if best.as_ref().is_none_or(|(other, ..)| cost < *other) {
                best = Some((cost, Step::Domain(slot), only(slot)));
            }
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

    /// Executes the plan until the limit is reached.
    fn execute(&mut self, join: &mut Join) -> Result<(), Exhausted> {
        join.choices.clear();
        let mut at = 0;
        loop {
            let goes_on = match join.steps.get(at) {
                None => {
                    join.count += 1;
                    join.found.extend_from_slice(&join.slots);
                    if join.count >= self.limit {
                        return Ok(());
                    }
                    false
                }
                Some(&Step::Compute(index)) => self.compute(join, index),
                Some(&Step::Check(index)) => self.is_false(join, index),
                Some(&Step::Assign(slot, arg)) => {
                    join.slots[slot.index()] = self.value(join, arg);
                    true
                }
                Some(&Step::Domain(slot)) => {
                    let size = self.candidate.size(self.clause.slots[slot.index()]);
                    self.budget.spend(size as u64)?;
                    let next = (size > 0).then_some(0);
                    join.choices.push(Choice { at, next, listing: Listing::All, tried: 0 });
                    false
                }
                Some(&Step::Scan(index, start)) => {
                    let choice = self.begin_scan(join, at, index, start);
                    join.choices.push(choice);
                    false
                }
            };
            if goes_on {
                at += 1;
            } else {
                match self.next_choice(join)? {
                    Some(choice) => at = choice + 1,
                    None => return Ok(()),
                }
            }
        }
    }

    /// Takes the next way to go on from the last step that has one. Returns the step.
    fn next_choice(&mut self, join: &mut Join) -> Result<Option<usize>, Exhausted> {
        while let Some(mut choice) = join.choices.pop() {
            match join.steps[choice.at] {
                Step::Domain(slot) => {
                    if let Some(element) = choice.next {
                        let size = self.candidate.size(self.clause.slots[slot.index()]);
                        join.slots[slot.index()] = element as Elem;
                        choice.next = (element + 1 < size).then_some(element + 1);
                        join.choices.push(choice);
                        return Ok(Some(choice.at));
                    }
                }
                Step::Scan(index, start) => {
                    if self.next_tuple(join, &mut choice, index, start) {
                        join.choices.push(choice);
                        return Ok(Some(choice.at));
                    }
                    self.budget.spend(choice.tried)?;
                    if choice.tried > SHORT_SCAN && matches!(choice.listing, Listing::Column(_)) {
                        self.note_long(join, choice, index, start);
                    }
                }
                Step::Compute(_) | Step::Check(_) | Step::Assign(..) => {}
            }
        }
        Ok(None)
    }

    /// Computes a function application. Returns whether it has a value.
    fn compute(&self, join: &mut Join, index: CompoundId) -> bool {
        let compound = &self.clause.compounds[index.index()];
        join.tuple.clear();
        for &arg in &compound.args {
            let value = self.value(join, arg);
            join.tuple.push(value);
        }
        join.compounds[index.index()] = match self.candidate.funs[compound.fun].get(&join.tuple) {
            Some(value) => value,
            None if self.undefined == Undefined::Prune => return false,
            None => 0,
        };
        true
    }

    fn is_false(&self, join: &mut Join, index: LiteralId) -> bool {
        let literal = &self.clause.literals[index.index()];
        let holds = match &literal.kind {
            LitKind::Eq(a, b) => self.value(join, *a) == self.value(join, *b),
            LitKind::Rel(rel, args) => {
                join.tuple.clear();
                for &arg in args {
                    let value = self.value(join, arg);
                    join.tuple.push(value);
                }
                self.candidate.rels[*rel].get(&join.tuple).is_some() != self.candidate.is_full(*rel)
            }
        };
        holds != literal.positive
    }

    /// Begins a scan, by the known column whose value the fewest tuples have.
    fn begin_scan(&self, join: &Join, at: usize, index: LiteralId, start: u32) -> Choice {
        let mut choice = Choice { at, next: None, listing: Listing::All, tried: 0 };
        let LitKind::Rel(rel, args) = &self.clause.literals[index.index()].kind else { return choice };
        let table = &self.candidate.rels[*rel];
        let mut best: Option<(u32, usize, Elem)> = None;
        for (number, column) in join.columns[start as usize..][..args.len()].iter().enumerate() {
            if let Column::Known(arg) = *column {
                let value = self.value(join, arg);
                let count = table.count(number, value);
                if best.is_none_or(|(other, ..)| count < other) {
                    best = Some((count, number, value));
                }
            }
        }
        (choice.listing, choice.next) = match best {
            Some((count, column, value)) => {
                let is_made = |it: &Index| it.at == at && !it.heads.is_empty();
                let made = (u64::from(count) > SHORT_SCAN).then(|| join.indices.iter().position(is_made));
                match made.flatten() {
                    Some(index) => {
                        let columns = &join.columns[start as usize..][..args.len()];
                        let values = columns.iter().filter_map(|column| match *column {
                            Column::Known(arg) => Some(self.value(join, arg)),
                            _ => None,
                        });
                        choice.tried = u64::from(count).min(MAX_INDEXED);
                        (Listing::Index(index), join.indices[index].first(hash_of(values)))
                    }
                    None => (Listing::Column(column), table.first(column, value)),
                }
            }
            None => (Listing::All, (table.len() > 0).then_some(0)),
        };
        choice
    }

    /// Notes that a scan was long, and makes an index for the next ones of its step where many tuples have been tried.
    #[cold]
    fn note_long(&self, join: &mut Join, choice: Choice, index: LiteralId, start: u32) {
        let LitKind::Rel(rel, args) = &self.clause.literals[index.index()].kind else { return };
        let table = &self.candidate.rels[*rel];
        let columns = &join.columns[start as usize..][..args.len()];
        let is_known = |column: &Column| matches!(column, Column::Known(_));
        if columns.iter().filter(|column| is_known(column)).count() < 2 {
            return;
        }
        let known = join.indices.iter().position(|it| it.at == choice.at).unwrap_or_else(|| {
            join.indices.push(Index { at: choice.at, ..Index::default() });
            join.indices.len() - 1
        });
        let index = &mut join.indices[known];
        index.tried += choice.tried;
        if !index.heads.is_empty() || index.tried < table.len() as u64 {
            return;
        }
        index.heads.resize(table.len().next_power_of_two(), 0);
        index.next.resize(table.len(), 0);
        let mask = index.heads.len() - 1;
        // In reverse order, so that chains ascend.
        for tuple in (0..table.len()).rev() {
            let values = table.tuple(tuple).iter().zip(columns).filter(|(_, column)| is_known(column));
            let head = &mut index.heads[hash_of(values.map(|(&elem, _)| elem)) & mask];
            index.next[tuple] = *head;
            *head = tuple as u32 + 1;
        }
    }

    /// Binds the variables of a scan to the next tuple that fits. Returns whether there is one.
    fn next_tuple(&self, join: &mut Join, choice: &mut Choice, index: LiteralId, start: u32) -> bool {
        let LitKind::Rel(rel, args) = &self.clause.literals[index.index()].kind else { return false };
        let table = &self.candidate.rels[*rel];
        'tuples: while let Some(current) = choice.next {
            choice.tried += 1;
            choice.next = match choice.listing {
                Listing::Column(column) => table.next(column, current),
                Listing::Index(index) => join.indices[index].next(current),
                Listing::All => (current + 1 < table.len()).then_some(current + 1),
            };
            let columns = start as usize..start as usize + args.len();
            for (column, &elem) in columns.zip(table.tuple(current)) {
                match join.columns[column] {
                    Column::Known(arg) => {
                        if self.value(join, arg) != elem {
                            continue 'tuples;
                        }
                    }
                    Column::Bind(slot) => join.slots[slot.index()] = elem,
                    Column::Again(slot) => {
                        if join.slots[slot.index()] != elem {
                            continue 'tuples;
                        }
                    }
                    Column::Open => {}
                }
            }
            return true;
        }
        false
    }
}
