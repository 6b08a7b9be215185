//! Small models: minimal by a list of measures, in lexicographic order.
//!
//! Algorithm 1 of the Ivy paper (PLDI 2016, section 4.3): measure by measure, find the least value that the query
//! allows together with the values fixed before. While the size of some sort is not fixed, "at most n" is a formula
//! (there are n tuples such that every tuple of the relation is one of them), and the decision procedure answers for
//! universes of any size. Once all sizes are fixed, a cardinality constraint in the search for finite models achieves
//! the same at a lower cost.

use std::cmp::Reverse;

use super::atoms::AtomKind;
use super::candidate::Candidate;
use super::compiled::CompiledClauses;
use super::finite::{FiniteSearch, TupleCount};
use super::sizes::SizeEnumerator;
use super::solver::{Answer, Label, Solver};
use crate::telemetry::{ENGINE, event};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Signature, SortId, Structure, SymId, TermId, Tuples, VarId};

/// A measure of structures; smaller is simpler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The total number of elements of all sorts except those marked `@no_minimize` in the signature. If several sizes
    /// have the same sum, the lexicographically least in declaration order counts as the least. It fixes the size of
    /// every sort that it counts.
    Elements,
    /// The number of elements of a sort.
    Size(SortId),
    /// The number of tuples at which a relation is true, read at a step.
    Positive(SymId, u16),
    /// The number of tuples at which a relation is false, read at a step.
    Negative(SymId, u16),
}

impl Measure {
    /// Returns the value of the measure in a structure over `sig` (saturating).
    pub fn of(self, sig: &Signature, structure: &Structure) -> u64 {
        let (sym, step, positive) = match self {
            Measure::Elements => {
                return counted_sorts(sig).map(|sort| u64::from(structure.sizes[sort])).sum();
            }
            Measure::Size(sort) => return structure.sizes[sort].into(),
            Measure::Positive(sym, step) => (sym, step, true),
            Measure::Negative(sym, step) => (sym, step, false),
        };
        let sizes: Vec<u32> = sig.symbols[sym].args.iter().map(|&sort| structure.sizes[sort]).collect();
        let interpretation = structure.interpretation(sig, sym, step.into());
        let default = interpretation.default;
        let unlike =
            interpretation.entries.values().filter(|&&value| (value != 0) != (default != 0)).count() as u64;
        if (default != 0) == positive { Tuples::count_all(&sizes).saturating_sub(unlike) } else { unlike }
    }
}

/// Returns the sorts whose elements are counted: all except those marked `@no_minimize`.
pub fn counted_sorts(sig: &Signature) -> impl Iterator<Item = SortId> {
    sig.uninterpreted_sorts().filter(|&sort| sig.sorts[sort].annotation("no_minimize").is_none())
}

/// The default list of measures: the total number of elements, then tuples of relations.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Relations, each at a step, whose positive tuples are counted.
    pub relations: Vec<(SymId, u16)>,
}

impl Measures {
    /// Returns the measures one by one.
    pub fn list(&self) -> Vec<Measure> {
        let tuples = self.relations.iter().map(|&(sym, step)| Measure::Positive(sym, step));
        std::iter::once(Measure::Elements).chain(tuples).collect()
    }
}

/// A structure, and the extent to which it is known to be minimal.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The smallest structure found.
    pub structure: Structure,
    /// Number of measures, from the first, whose value is known to be the least possible.
    pub proved: usize,
}

/// Work units after which [`Solver::minimize`] returns the best structure found, because a counterexample that is not
/// minimal is better than a long wait.
pub const PATIENCE: u64 = 20_000_000;

impl Solver {
    /// Returns, after the answer `Sat` under `labels`, a structure with `states` states that is minimal by `measures`.
    /// If the budget or [`PATIENCE`] is exhausted, returns the best structure found so far.
    pub fn minimize(
        &mut self,
        labels: &[Label],
        measures: &Measures,
        states: u16,
        budget: &mut Budget,
    ) -> Structure {
        self.minimize_by(labels, &measures.list(), states, PATIENCE, budget).structure
    }

    /// Returns, after the answer `Sat` under `labels`, a structure with `states` states that is minimal by the measures
    /// in their order. After `patience` units of work, or if the budget is exhausted, returns the best structure found
    /// so far.
    ///
    /// Auxiliary assertions belong to the innermost scope.
    pub fn minimize_by(
        &mut self,
        labels: &[Label],
        measures: &[Measure],
        states: u16,
        patience: u64,
        budget: &mut Budget,
    ) -> Minimum {
        let mut part = budget.part(patience);
        let mut search = Search {
            labels,
            measures,
            best: self.candidate.clone(),
            proved: 0,
            fixed: Map::default(),
            least: Map::default(),
        };
        // Exhaustion only means that the best structure is not known to be minimal.
        let _ = search.run(self, &mut part);
        let _ = budget.absorb(&part);
        let proved = search.proved;
        let count = measures.len();
        event!(Debug, ENGINE, "minimized by {count} measures, {proved} of them to their least value");
        self.candidate = search.best;
        Minimum { structure: self.structure(states), proved }
    }

    /// Returns a structure with few elements after [`Answer::Sat`] under these labels: one sort after the other, the largest first,
    /// gets as few as it can have beside as many of the others as there are then. This takes much less than to find the least
    /// total. If the budget or `patience`, a number of work units, runs out, returns the smallest structure found so far.
    pub fn shrink(&mut self, labels: &[Label], states: u16, patience: u64, budget: &mut Budget) -> Structure {
        let mut part = budget.part(patience);
        // Exhaustion only means that the structure may have more elements than it needs.
        let _ = self.shrink_sorts(labels, &mut part);
        let _ = budget.absorb(&part);
        self.structure(states)
    }

    fn shrink_sorts(&mut self, labels: &[Label], budget: &mut Budget) -> Result<(), Exhausted> {
        let clauses = self.finite_clauses(labels);
        let mut sizes: Map<SortId, u32> = Map::default();
        for sort in self.sig.uninterpreted_sorts() {
            sizes.insert(sort, self.candidate.size(sort).max(1) as u32);
        }
        let mut order: Vec<SortId> = self.sig.uninterpreted_sorts().collect();
        order.sort_by_key(|sort| Reverse(sizes[sort]));
        for sort in order {
            let Some(size) = sizes.remove(&sort) else { continue };
            let mut open = SizeEnumerator::with_fixed(&self.sig, &sizes);
            let found = open.search(&self.symbols, &self.bank, &clauses, size, budget)?;
            if let Some(finite) = found {
                self.candidate = finite.candidate;
            }
            sizes.insert(sort, self.candidate.size(sort).max(1) as u32);
        }
        Ok(())
    }

    /// Returns the clauses of the query under `labels`, compiled for the search for finite models.
    pub(super) fn finite_clauses(&self, labels: &[Label]) -> CompiledClauses {
        let assumptions = self.assumptions(labels);
        debug_assert!(assumptions.iter().all(|lit| self.atoms.kind(lit.var()) != AtomKind::Eq));
        CompiledClauses::new(
            &self.symbols,
            &self.bank,
            &self.atoms,
            self.awake_patterns(),
            self.active_ground(),
            &assumptions,
        )
    }

    /// Searches for a model with sizes from where `sizes` stopped. Returns whether there is one; it is then the
    /// candidate.
    pub(super) fn find_small_model(
        &mut self,
        clauses: &CompiledClauses,
        sizes: &mut SizeEnumerator,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        // Both ways begin at the same sizes.
        let units = if sizes.is_at_beginning() { budget.left() } else { budget.left() / 2 };
        let mut part = budget.part(units);
        let grown = sizes.grow(&self.symbols, &self.bank, clauses, &mut part);
        budget.absorb(&part)?;
        let found = match grown {
            Ok(Some(found)) => Some(found),
            Ok(None) | Err(Exhausted::Work) => {
                sizes.search(&self.symbols, &self.bank, clauses, u32::MAX, budget)?
            }
            Err(exhausted) => return Err(exhausted),
        };
        let candidate = found.map(|finite| finite.candidate);
        Ok(match candidate {
            Some(candidate) => {
                self.candidate = candidate;
                true
            }
            None => false,
        })
    }

    /// Returns the formula that the measure of one sort or relation is at most `most`.
    fn at_most(&mut self, measure: Measure, most: u64) -> TermId {
        let sig = self.sig.clone();
        let terms = self.terms_mut();
        let sorts: Vec<SortId> = match measure {
            Measure::Elements => return terms.tru(),
            Measure::Size(sort) => vec![sort],
            Measure::Positive(sym, _) | Measure::Negative(sym, _) => sig.symbols[sym].args.clone(),
        };
        let mut tuple = |name: &str| -> (Vec<VarId>, Vec<TermId>) {
            let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var(name, sort)).collect();
            let values = vars.iter().map(|&var| terms.var(var)).collect();
            (vars, values)
        };
        let (vars, values) = tuple("Y");
        let listed: Vec<(Vec<VarId>, Vec<TermId>)> = (0..most).map(|_| tuple("X")).collect();
        let mut allowed = Vec::new();
        match measure {
            Measure::Elements | Measure::Size(_) => {}
            Measure::Positive(sym, step) => {
                let atom = terms.app(&sig, sym, step, &values);
                allowed.push(terms.not(atom));
            }
            Measure::Negative(sym, step) => allowed.push(terms.app(&sig, sym, step, &values)),
        }
        for (_, elements) in &listed {
            let pairs: Vec<TermId> = values.iter().zip(elements).map(|(&a, &b)| terms.eq(a, b)).collect();
            allowed.push(terms.and(&pairs));
        }
        let every = terms.or(&allowed);
        let every = terms.forall(&vars, every);
        let listed: Vec<VarId> = listed.into_iter().flat_map(|(vars, _)| vars).collect();
        terms.exists(&listed, every)
    }
}

/// State of one run of the algorithm.
struct Search<'a> {
    labels: &'a [Label],
    measures: &'a [Measure],
    /// The smallest model found so far.
    best: Candidate,
    proved: usize,
    /// Sizes known to be minimal.
    fixed: Map<SortId, u32>,
    /// By sort, a number of elements that each model has at least. Sorts that are missing have one.
    least: Map<SortId, u32>,
}

impl Search<'_> {
    fn run(&mut self, solver: &mut Solver, budget: &mut Budget) -> Result<(), Exhausted> {
        for &measure in self.measures {
            if let Measure::Positive(sym, step) | Measure::Negative(sym, step) = measure {
                // A relation that does not occur in the query is unconstrained.
                solver.symbols.rel(sym, step);
            }
        }
        let counts_all = counted_sorts(&solver.sig).count() == solver.sig.uninterpreted_sorts().count();
        if !counts_all || self.measures.first() != Some(&Measure::Elements) {
            // Values close to the least ones reduce the number of further steps.
            let mut part = budget.part(PATIENCE);
            let mut scout = Search {
                proved: 0,
                fixed: Map::default(),
                least: Map::default(),
                best: self.best.clone(),
                ..*self
            };
            let found = scout.fix_elements(solver, self.labels, &mut part);
            let _ = found.and_then(|()| scout.count_tuples(solver, &mut part));
            (self.best, self.least) = (scout.best, scout.least);
            budget.absorb(&part)?;
        }
        let mut assumed = self.labels.to_vec();
        let mut bounds = self.labels.to_vec();
        for &measure in self.measures {
            if self.all_fixed(solver) {
                break;
            }
            match measure {
                Measure::Elements if counts_all => self.fix_elements(solver, &bounds, budget)?,
                Measure::Elements => assumed.extend(self.fix_counted(solver, &assumed, budget)?),
                Measure::Size(sort) if self.fixed.contains_key(&sort) => {}
                _ => {
                    let (least, label) = self.descend(solver, measure, &assumed, budget)?;
                    assumed.push(label);
                    match measure {
                        Measure::Size(sort) => {
                            self.fixed.insert(sort, least as u32);
                        }
                        _ => bounds.push(label),
                    }
                }
            }
            self.proved += 1;
        }
        if self.all_fixed(solver) { self.count_tuples(solver, budget) } else { Ok(()) }
    }

    fn all_fixed(&self, solver: &Solver) -> bool {
        solver.sig.uninterpreted_sorts().all(|sort| self.fixed.contains_key(&sort))
    }

    /// Returns the least value of a measure under these labels, for universes of any size, and the label of its bound.
    fn descend(
        &mut self,
        solver: &mut Solver,
        measure: Measure,
        assumed: &[Label],
        budget: &mut Budget,
    ) -> Result<(u64, Label), Exhausted> {
        let least = match measure {
            Measure::Size(sort) => self.least(sort),
            _ => 0,
        };
        let mut assumed = assumed.to_vec();
        loop {
            let value = self.value(solver, measure);
            if value > least {
                let fewer = solver.at_most(measure, value - 1);
                assumed.push(solver.assert_labelled(fewer));
                if solver.check(&assumed, budget)? == Answer::Sat {
                    self.best = solver.candidate.clone();
                    assumed.pop();
                    continue;
                }
            }
            let bound = solver.at_most(measure, value);
            return Ok((value, solver.assert_labelled(bound)));
        }
    }

    fn value(&self, solver: &Solver, measure: Measure) -> u64 {
        match measure {
            Measure::Elements => counted_sorts(&solver.sig).map(|sort| self.size(sort)).sum(),
            Measure::Size(sort) => self.size(sort),
            Measure::Positive(sym, step) | Measure::Negative(sym, step) => {
                let rel = solver.symbols.known_rel(sym, step);
                let table = rel.and_then(|rel| Some((rel, self.best.rels.get(rel)?)));
                let listed = table.map_or(0, |(_, table)| table.len() as u64);
                let is_full = table.is_some_and(|(rel, _)| self.best.is_full(rel));
                if matches!(measure, Measure::Positive(..)) != is_full {
                    return listed;
                }
                let args = &solver.sig.symbols[sym].args;
                let all = args.iter().fold(1_u64, |all, &sort| all.saturating_mul(self.size(sort)));
                all.saturating_sub(listed)
            }
        }
    }

    fn least(&self, sort: SortId) -> u64 {
        u64::from(self.least.get(&sort).copied().unwrap_or(1))
    }

    fn size(&self, sort: SortId) -> u64 {
        self.best.size(sort).max(1) as u64
    }

    /// Fixes the open sizes at the least sum.
    fn fix_elements(
        &mut self,
        solver: &Solver,
        labels: &[Label],
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let clauses = solver.finite_clauses(labels);
        let sorts = solver.sig.uninterpreted_sorts();
        let open: Vec<SortId> = sorts.filter(|sort| !self.fixed.contains_key(sort)).collect();
        let total = open.iter().map(|&sort| self.size(sort) as u32).sum();
        let mut sizes = SizeEnumerator::with_fixed(&solver.sig, &self.fixed);
        let found = sizes.search(&solver.symbols, &solver.bank, &clauses, total, budget);
        // Bounds hold for all sizes only if none were given.
        if self.fixed.is_empty() {
            self.least = sizes.least().into_iter().collect();
        }
        if let Some(finite) = found? {
            self.best = finite.candidate;
        }
        for sort in open {
            let size = self.size(sort) as u32;
            self.fixed.insert(sort, size);
        }
        Ok(())
    }

    /// Fixes the open sizes of the counted sorts at the least sum, with universes of any size for the other sorts.
    /// Returns the labels of these bounds.
    fn fix_counted(
        &mut self,
        solver: &mut Solver,
        assumed: &[Label],
        budget: &mut Budget,
    ) -> Result<Vec<Label>, Exhausted> {
        let open: Vec<SortId> =
            counted_sorts(&solver.sig).filter(|sort| !self.fixed.contains_key(sort)).collect();
        let mut bounds: Map<(SortId, u64), Label> = Map::default();
        // A model of smaller bounds satisfies larger ones, so it suffices to try sums one below.
        loop {
            let total: u64 = open.iter().map(|&sort| self.size(sort)).sum();
            if total <= open.iter().map(|&sort| self.least(sort)).sum()
                || self.split(solver, assumed, &open, total - 1, &mut bounds, budget)?.is_none()
            {
                break;
            }
        }
        let total = open.iter().map(|&sort| self.size(sort)).sum();
        let labels = self.split(solver, assumed, &open, total, &mut bounds, budget)?.unwrap_or_default();
        for sort in open {
            let size = self.size(sort) as u32;
            self.fixed.insert(sort, size);
        }
        Ok(labels)
    }

    /// Searches for a model in which the sizes of `sorts` are bounded by numbers with sum `total`, in lexicographic
    /// order. Returns the labels of the bounds; the model is then the best one.
    fn split(
        &mut self,
        solver: &mut Solver,
        assumed: &[Label],
        sorts: &[SortId],
        total: u64,
        bounds: &mut Map<(SortId, u64), Label>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Label>>, Exhausted> {
        let Some((last, first)) = sorts.split_last() else { return Ok(None) };
        let mut sizes = vec![1; first.len()];
        loop {
            let rest = total.saturating_sub(sizes.iter().sum());
            if rest > 0 {
                let mut labels = Vec::new();
                for (&sort, &most) in first.iter().chain([last]).zip(sizes.iter().chain([&rest])) {
                    let label = *bounds.entry((sort, most)).or_insert_with(|| {
                        let bound = solver.at_most(Measure::Size(sort), most);
                        solver.assert_labelled(bound)
                    });
                    labels.push(label);
                }
                let all: Vec<Label> = assumed.iter().chain(&labels).copied().collect();
                if solver.check(&all, budget)? == Answer::Sat {
                    self.best = solver.candidate.clone();
                    return Ok(Some(labels));
                }
            }
            // The next sizes in order that leave at least one element for the last sort.
            let Some(place) = (0..sizes.len()).rev().find(|&place| {
                let before: u64 = sizes[..=place].iter().sum();
                before + 1 + (sizes.len() - 1 - place) as u64 <= total.saturating_sub(1)
            }) else {
                return Ok(None);
            };
            sizes[place] += 1;
            sizes[place + 1..].fill(1);
        }
    }

    /// Minimizes numbers of tuples, once all sizes are fixed.
    fn count_tuples(&mut self, solver: &Solver, budget: &mut Budget) -> Result<(), Exhausted> {
        let clauses = solver.finite_clauses(self.labels);
        let mut sizes: IdVec<SortId, u32> = IdVec::filled(solver.sig.sorts.len(), 2);
        for sort in solver.sig.uninterpreted_sorts() {
            sizes[sort] = self.fixed.get(&sort).copied().unwrap_or(1);
        }
        let count = |measure: &Measure| match *measure {
            Measure::Elements | Measure::Size(_) => None,
            Measure::Positive(sym, step) | Measure::Negative(sym, step) => Some(TupleCount {
                rel: solver.symbols.known_rel(sym, step)?,
                sorts: &solver.sig.symbols[sym].args,
                positive: matches!(measure, Measure::Positive(..)),
            }),
        };
        let counts: Vec<Option<TupleCount<'_>>> = self.measures.iter().map(count).collect();
        let mut finite = FiniteSearch::new(&solver.symbols, &solver.bank, &clauses, sizes);
        if !finite.solve(&[], budget)? {
            // The sizes are those of a model.
            debug_assert!(false, "a model of these sizes is known");
            return Ok(());
        }
        self.best = finite.candidate.clone();
        let best = &mut self.best;
        let mut proved = 0;
        let result = finite.minimize(&counts, |candidate| *best = candidate.clone(), &mut proved, budget);
        self.proved = self.proved.max(proved);
        result
    }
}
