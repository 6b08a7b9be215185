//! Finite model finding: the clauses over universes of given sizes, decided by the SAT solver alone.
//!
//! Relations are atoms over element tuples. Functions are rows of atoms `f(tuple) = element` of which exactly one is
//! true. Both are created when an instance needs them. Instances are found as in the main procedure, by the join over
//! the structure described by the SAT model. They are over elements and not over terms, so that no equality reasoning
//! is needed. (MACE-style finite model finding, McCune 1994 and Claessen and Sörensson 2003, with instances created on
//! demand.)

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;
use smallvec::SmallVec;

use super::bank::Bank;
use super::candidate::Candidate;
use super::compiled::CompiledClauses;
use super::congruence::Congruence;
use super::join::{CandidateView, Join, Reach, Undefined};
use super::settled::Settled;
use super::symbols::{Fun, Rel, Symbols};
use super::universal::{Arg, LitKind, UniversalClause, UniversalId};
use crate::sat::{self, Lit, Silent};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Elem, SortId, Tuples};

type Tuple = SmallVec<[Elem; 4]>;

/// Maximum number of instances of one clause that are added per structure.
const INSTANCES_PER_ROUND: usize = 200;

/// Maximum number of tuples of a relation that is minimized; counting more would be too expensive.
const MAX_TUPLES: u64 = 20_000;

/// A number of tuples to minimize.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TupleCount<'a> {
    pub(crate) rel: Rel,
    /// The argument sorts of the relation.
    pub(crate) sorts: &'a [SortId],
    /// Whether the tuples at which it is true are counted, or those at which it is false.
    pub(crate) positive: bool,
}

/// The possible values of a function at one tuple.
#[derive(Clone, Debug)]
struct FunctionRow {
    fun: Fun,
    tuple: Tuple,
    /// Literal `i` is true if the value is element `i`.
    values: Vec<Lit>,
}

/// Search for a model with universes of given sizes.
#[derive(Debug)]
pub(crate) struct FiniteSearch<'a> {
    symbols: &'a Symbols,
    bank: &'a Bank,
    clauses: &'a CompiledClauses,
    sizes: IdVec<SortId, u32>,
    sat: sat::Solver<Silent>,
    relations: Vec<(Rel, Tuple, Lit)>,
    relation_of: Map<(Rel, Tuple), Lit>,
    rows: Vec<FunctionRow>,
    row_of: Map<(Fun, Tuple), usize>,
    /// By sort, the assumption that the sort has no further elements.
    limits: IdVec<SortId, Lit>,
    /// By sort, the number of constants that have a row.
    constants: IdVec<SortId, u32>,
    /// Whether elements have an identity, so that they are not interchangeable.
    named: bool,
    /// The structure of the last model.
    pub(crate) candidate: Candidate,
    join: Join,
    /// The clauses that were not violated when they were last searched.
    settled: Settled,
}

impl<'a> FiniteSearch<'a> {
    pub(crate) fn new(
        symbols: &'a Symbols,
        bank: &'a Bank,
        clauses: &'a CompiledClauses,
        sizes: IdVec<SortId, u32>,
    ) -> Self {
        let mut sat = sat::Solver::new();
        let limits = sizes.iter().map(|_| sat.new_var().positive()).collect();
        let constants = IdVec::filled(sizes.len(), 0);
        FiniteSearch {
            symbols,
            bank,
            clauses,
            sizes,
            sat,
            relations: Vec::new(),
            relation_of: Map::default(),
            rows: Vec::new(),
            row_of: Map::default(),
            limits,
            constants,
            named: false,
            candidate: Candidate::default(),
            join: Join::default(),
            settled: clauses.settled.clone(),
        }
    }

    /// Identifies elements by their numbers, so that constants may denote any of them. Must be called first.
    pub(crate) fn name_elements(&mut self) {
        self.named = true;
    }

    /// Returns the sizes of the universes.
    pub(crate) fn sizes(&self) -> &IdVec<SortId, u32> {
        &self.sizes
    }

    /// Fixes the value of a relation at a tuple, or sets the value tried first.
    pub(crate) fn prefer_tuple(&mut self, rel: Rel, tuple: &[Elem], value: bool, fixed: bool) {
        let lit = self.relation(rel, tuple);
        self.prefer(lit, value, fixed);
    }

    /// Fixes the value of a function at a tuple, or sets the value tried first.
    pub(crate) fn prefer_value(&mut self, fun: Fun, tuple: &[Elem], value: Elem, fixed: bool) {
        let lit = self.value_literal(fun, tuple, value);
        self.prefer(lit, true, fixed);
    }

    fn prefer(&mut self, lit: Lit, value: bool, fixed: bool) {
        if fixed {
            self.sat.add_clause(&[if value { lit } else { !lit }]);
        } else {
            self.sat.set_phase(lit.var(), value != lit.is_negative());
        }
    }

    /// Checks whether there is a model in which the literals of `extra` are true. The model is then in `candidate`.
    pub(crate) fn solve(&mut self, extra: &[Lit], budget: &mut Budget) -> Result<bool, Exhausted> {
        let clauses = self.clauses;
        let mut assumptions: Vec<Lit> = self.limits.iter().copied().collect();
        for &(rel, value) in &clauses.assumed {
            let lit = self.relation(rel, &[]);
            assumptions.push(if value { lit } else { !lit });
        }
        assumptions.extend_from_slice(extra);
        let congruence = Congruence::default();
        let mut supported = Vec::new();
        // Memory of the instances of one round before they reach the SAT solver.
        let mut round = Bump::new();
        loop {
            round.reset();
            if self.sat.solve(&assumptions, budget)? == sat::Answer::Unsat {
                return Ok(false);
            }
            self.read_candidate();
            let mut any = false;
            supported.clear();
            clauses.active.supported(|relation| self.candidate.has_tuples[relation], &mut supported);
            for &id in &supported {
                any |= self.instantiate(id, &congruence, &round, budget)?;
            }
            if !any {
                return Ok(true);
            }
        }
    }

    /// Adds violated instances of a clause. Returns whether there were any.
    fn instantiate(
        &mut self,
        id: UniversalId,
        congruence: &Congruence,
        round: &Bump,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        const UNDEFINED: Undefined = Undefined::Default;
        let clause = &self.clauses.clauses[id];
        let view = CandidateView { bank: self.bank, candidate: &self.candidate, congruence };
        let print = self.settled.print(id, clause, view, UNDEFINED);
        if self.settled.spares(id, UNDEFINED, print, budget)? {
            return Ok(false);
        }
        let before = budget.spent();
        self.join.run(clause, view, (UNDEFINED, Reach::Elements), INSTANCES_PER_ROUND, budget)?;
        if self.join.count == 0 {
            self.settled.note(id, UNDEFINED, print, budget.spent() - before);
            return Ok(false);
        }
        self.add_violated(clause, round);
        Ok(true)
    }

    /// Returns, by sort, whether the last failed `solve` without `extra` depends on the size of the sort.
    pub(super) fn depends_on(&self) -> IdVec<SortId, bool> {
        self.limits.iter().map(|limit| self.sat.core().contains(limit)).collect()
    }

    fn read_candidate(&mut self) {
        self.candidate.start(self.symbols, &self.sizes);
        for (rel, tuple, lit) in &self.relations {
            if self.sat.value(*lit) {
                self.candidate.list_elements(*rel, tuple);
            }
        }
        for row in &self.rows {
            if let Some(value) = row.values.iter().position(|&lit| self.sat.value(lit)) {
                self.candidate.set_element(row.fun, &row.tuple, value as u32);
            }
        }
        self.candidate.finish();
    }

    fn add_violated(&mut self, clause: &UniversalClause, round: &Bump) {
        let found = std::mem::take(&mut self.join.found);
        let width = clause.slots.len();
        let (values, literals) = (clause.compounds.len(), clause.literals.len());
        let mut compounds: BumpVec<'_, Elem> = BumpVec::with_capacity_in(values, round);
        let mut lits: BumpVec<'_, Lit> = BumpVec::with_capacity_in(values + literals, round);
        for index in 0..self.join.count {
            let slots = &found[index * width..][..width];
            compounds.clear();
            lits.clear();
            let value = |compounds: &[Elem], arg: Arg| match arg {
                Arg::Slot(slot) => slots[slot.index()],
                Arg::Compound(index) => compounds[index.index()],
                // Flattened clauses have no ground arguments.
                Arg::Ground(_) => 0,
            };
            for compound in &clause.compounds {
                let args: Tuple = compound.args.iter().map(|&arg| value(&compounds, arg)).collect();
                let result = self.candidate.funs[compound.fun].get(&args).unwrap_or(0);
                lits.push(!self.value_literal(compound.fun, &args, result));
                compounds.push(result);
            }
            for literal in &clause.literals {
                if let LitKind::Rel(rel, args) = &literal.kind {
                    let args: Tuple = args.iter().map(|&arg| value(&compounds, arg)).collect();
                    let lit = self.relation(*rel, &args);
                    lits.push(if literal.positive { lit } else { !lit });
                }
                // An equality between elements has a fixed value, which is false in a violation.
            }
            self.sat.add_clause(&lits);
        }
        self.join.found = found;
    }

    fn relation(&mut self, rel: Rel, tuple: &[Elem]) -> Lit {
        let key = (rel, Tuple::from_slice(tuple));
        if let Some(&lit) = self.relation_of.get(&key) {
            return lit;
        }
        let lit = self.sat.new_var().positive();
        self.relations.push((rel, key.1.clone(), lit));
        self.relation_of.insert(key, lit);
        lit
    }

    fn value_literal(&mut self, fun: Fun, tuple: &[Elem], value: Elem) -> Lit {
        let key = (fun, Tuple::from_slice(tuple));
        if let Some(&row) = self.row_of.get(&key) {
            return self.rows[row].values[value as usize];
        }
        let sort = self.symbols.funs[fun].result;
        let size = self.sizes[sort];
        let values: Vec<Lit> = (0..size).map(|_| self.sat.new_var().positive()).collect();
        // Elements are interchangeable: the first constant is the first element, the second one of the first two, and
        // so on.
        let mut choices = size;
        let mut limited = true;
        if tuple.is_empty() && !self.named {
            let earlier = self.constants[sort];
            self.constants[sort] += 1;
            limited = earlier >= size;
            choices = size.min(earlier + 1);
        }
        let mut some: Vec<Lit> = values[..choices as usize].to_vec();
        if limited {
            some.push(!self.limits[sort]);
        }
        self.sat.add_clause(&some);
        for &value in &values[choices as usize..] {
            self.sat.add_clause(&[!value]);
        }
        for (index, &a) in values.iter().enumerate() {
            for &b in &values[index + 1..] {
                self.sat.add_clause(&[!a, !b]);
            }
        }
        let lit = values[value as usize];
        self.row_of.insert(key.clone(), self.rows.len());
        self.rows.push(FunctionRow { fun, tuple: key.1, values });
        lit
    }

    /// Minimizes these numbers of tuples, one after the other, starting from a model. Positions with `None` are
    /// skipped. `proved` counts the completed positions up to the first that cannot be minimized.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted; `candidate` may then not be a model.
    pub(crate) fn minimize(
        &mut self,
        counts: &[Option<TupleCount<'_>>],
        mut keep: impl FnMut(&Candidate),
        proved: &mut usize,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let mut fixed: Vec<Lit> = Vec::new();
        let mut exact = true;
        for (place, count) in counts.iter().enumerate() {
            if let Some(count) = count {
                let sizes: Vec<u32> = count.sorts.iter().map(|&sort| self.sizes[sort]).collect();
                if Tuples::count_all(&sizes) > MAX_TUPLES {
                    exact = false;
                } else {
                    self.minimize_one(count, sizes, &mut fixed, &mut keep, budget)?;
                }
            }
            if exact {
                *proved = place + 1;
            }
        }
        Ok(())
    }

    /// Minimizes one number of tuples under the literals `fixed`, and adds its bound to them.
    fn minimize_one(
        &mut self,
        count: &TupleCount<'_>,
        sizes: Vec<u32>,
        fixed: &mut Vec<Lit>,
        keep: &mut impl FnMut(&Candidate),
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let counted: Vec<Lit> = Tuples::new(sizes)
            .map(|tuple| {
                let lit = self.relation(count.rel, &tuple);
                if count.positive { lit } else { !lit }
            })
            .collect();
        let value = |candidate: &Candidate| {
            let positive = candidate.rels[count.rel].len();
            if count.positive { positive } else { counted.len().saturating_sub(positive) }
        };
        // A failed attempt may have left another candidate than the best one, so the model is searched again.
        if !self.solve(fixed, budget)? {
            return Ok(());
        }
        keep(&self.candidate);
        let mut bound = value(&self.candidate);
        if bound == 0 {
            fixed.extend(counted.iter().map(|&lit| !lit));
            return Ok(());
        }
        let at_least = self.count_true(&counted, bound + 1);
        while bound > 0 {
            // `at_least[k]` is implied by more than `k` true literals.
            fixed.push(!at_least[bound - 1]);
            if !self.solve(fixed, budget)? {
                fixed.pop();
                break;
            }
            keep(&self.candidate);
            bound = value(&self.candidate).min(bound - 1);
        }
        fixed.extend(at_least.get(bound).map(|&more| !more));
        Ok(())
    }

    /// Builds a totalizer (Bailleux and Boufkhad, CP 2003): literal `k` of the result is implied by more than `k` true
    /// literals among `lits`, for `k` below `limit`.
    fn count_true(&mut self, lits: &[Lit], limit: usize) -> Vec<Lit> {
        if lits.len() <= 1 {
            return lits.to_vec();
        }
        let (left, right) = lits.split_at(lits.len() / 2);
        let (left, right) = (self.count_true(left, limit), self.count_true(right, limit));
        let length = limit.min(left.len() + right.len());
        let total: Vec<Lit> = (0..length).map(|_| self.sat.new_var().positive()).collect();
        for i in 0..=left.len() {
            for j in 0..=right.len() {
                if i + j == 0 || i + j > total.len() {
                    continue;
                }
                let mut clause = vec![total[i + j - 1]];
                clause.extend(i.checked_sub(1).map(|i| !left[i]));
                clause.extend(j.checked_sub(1).map(|j| !right[j]));
                self.sat.add_clause(&clause);
            }
        }
        total
    }
}
