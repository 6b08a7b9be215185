//! Sizes of universes for the search for finite models: which ones are tried, and in which order.

use super::bank::Bank;
use super::compiled::CompiledClauses;
use super::finite::FiniteSearch;
use super::symbols::Symbols;
use crate::telemetry::{ENGINE, event};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Signature, SortId};

/// Enumeration of sizes of the sorts: fewest elements in total first, then in lexicographic order. Sizes excluded by
/// refuted sizes are skipped. Beside that, a path of growing sizes.
#[derive(Clone, Debug, Default)]
pub(crate) struct SizeEnumerator {
    /// The sorts whose sizes are enumerated.
    sorts: Vec<SortId>,
    /// The sizes of the other sorts.
    fixed: Vec<(SortId, u32)>,
    /// By enumerated sort, the number of elements beyond the first.
    extra: Vec<u32>,
    /// Sizes without model, and for each sort whether the refutation depends on its upper bound.
    refuted: Vec<(Vec<u32>, Vec<bool>)>,
    path: Path,
}

/// What an attempt at given sizes has found.
enum Attempt<'a> {
    Model(Box<FiniteSearch<'a>>),
    /// There is none. By enumerated sort, whether that depends on the upper bound of the sort.
    Refuted(Vec<bool>),
}

/// Where a path of growing sizes is.
#[derive(Clone, Debug, Default)]
enum Path {
    /// At the least sizes.
    #[default]
    Beginning,
    /// At sizes, by enumerated sort beyond the first element.
    At(Vec<u32>),
    /// There are no further sizes on it.
    Ended,
}

impl SizeEnumerator {
    pub(crate) fn new(sig: &Signature) -> Self {
        SizeEnumerator::with_fixed(sig, &Map::default())
    }

    /// Enumerates all sizes in which these sorts have the given sizes.
    pub(crate) fn with_fixed(sig: &Signature, fixed: &Map<SortId, u32>) -> Self {
        let mut sizes = SizeEnumerator::default();
        for sort in sig.uninterpreted_sorts() {
            match fixed.get(&sort) {
                Some(&size) => sizes.fixed.push((sort, size)),
                None => sizes.sorts.push(sort),
            }
        }
        sizes.extra = vec![0; sizes.sorts.len()];
        sizes
    }

    /// Returns the total number of elements of the sorts that are not fixed.
    fn total(&self) -> u32 {
        self.extra.iter().map(|extra| extra + 1).sum()
    }

    /// Advances to the next weak composition in lexicographic order, or to the first one of the next number.
    fn step(&mut self) {
        let Some(last) = self.extra.iter().rposition(|&extra| extra > 0) else {
            if let Some(end) = self.extra.last_mut() {
                *end = 1;
            }
            return;
        };
        let taken = std::mem::take(&mut self.extra[last]);
        let end = self.extra.len() - 1;
        match last.checked_sub(1) {
            Some(before) => {
                self.extra[before] += 1;
                self.extra[end] = taken - 1;
            }
            None => self.extra[end] = taken + 1,
        }
    }

    fn is_refuted(&self) -> bool {
        self.refuted.iter().any(|(sizes, depends)| {
            self.extra
                .iter()
                .zip(sizes)
                .zip(depends)
                .all(|((&extra, &size), &depends)| if depends { extra <= size } else { extra >= size })
        })
    }

    /// Returns whether the least sizes, from which all are reached, were refuted without an upper bound. At larger sizes such a
    /// refutation means that there are too many elements.
    fn has_no_model(&self, begin: &[u32]) -> bool {
        self.refuted.iter().any(|(sizes, depends)| !depends.contains(&true) && sizes == begin)
    }

    /// Searches for a model of these sizes, and notes if there is none.
    fn attempt<'a>(
        &mut self,
        symbols: &'a Symbols,
        bank: &'a Bank,
        clauses: &'a CompiledClauses,
        extra: &[u32],
        budget: &mut Budget,
    ) -> Result<Attempt<'a>, Exhausted> {
        let mut finite = FiniteSearch::new(symbols, bank, clauses, self.sizes(extra));
        let found = finite.solve(&[], budget);
        let sizes = finite.sizes().iter().skip(1);
        event!(Debug, ENGINE, "finite model of sizes {:?}: {found:?}", sizes.collect::<Vec<_>>());
        if found? {
            return Ok(Attempt::Model(Box::new(finite)));
        }
        let depends = finite.depends_on();
        let depends: Vec<bool> = self.sorts.iter().map(|&sort| depends[sort]).collect();
        self.refuted.push((extra.to_vec(), depends.clone()));
        Ok(Attempt::Refuted(depends))
    }

    /// Returns whether no sizes have been refuted yet on the path.
    pub(crate) fn is_at_beginning(&self) -> bool {
        matches!(self.path, Path::Beginning)
    }

    /// Has the path begin at these sizes.
    pub(crate) fn begin_at(&mut self, size: impl Fn(SortId) -> u32) {
        self.path = Path::At(self.sorts.iter().map(|&sort| size(sort).saturating_sub(1)).collect());
    }

    /// Searches for a model along one path, which begins at the least sizes: where there is none, all sorts grow on whose
    /// upper bound that depends. The model need not be a smallest one, but few sizes are tried. Starts where the last call
    /// stopped; the clauses may be more than they were. Returns `None` if no further sort is to grow.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted; the next call tries the same sizes again.
    pub(crate) fn grow<'a>(
        &mut self,
        symbols: &'a Symbols,
        bank: &'a Bank,
        clauses: &'a CompiledClauses,
        budget: &mut Budget,
    ) -> Result<Option<FiniteSearch<'a>>, Exhausted> {
        let begin = self.begin(&clauses.least);
        let mut extra = match std::mem::take(&mut self.path) {
            Path::Beginning => begin.clone(),
            Path::At(extra) => extra,
            Path::Ended => {
                self.path = Path::Ended;
                return Ok(None);
            }
        };
        loop {
            let found = match self.attempt(symbols, bank, clauses, &extra, budget) {
                Ok(Attempt::Refuted(depends)) if depends.contains(&true) => {
                    for (extra, depends) in extra.iter_mut().zip(depends) {
                        *extra += u32::from(depends);
                    }
                    continue;
                }
                Ok(Attempt::Refuted(_)) => {
                    self.path = Path::Ended;
                    return Ok(None);
                }
                Ok(Attempt::Model(finite)) => Ok(Some(*finite)),
                Err(exhausted) => Err(exhausted),
            };
            // With more clauses the smaller sizes have no model either.
            self.path = if extra == begin { Path::Beginning } else { Path::At(extra) };
            return found;
        }
    }

    /// Searches for a model with fewer than `bound` elements in the sorts that are not fixed, starting where the last
    /// call stopped. Returns `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted; the next call tries the same sizes again.
    pub(crate) fn search<'a>(
        &mut self,
        symbols: &'a Symbols,
        bank: &'a Bank,
        clauses: &'a CompiledClauses,
        bound: u32,
        budget: &mut Budget,
    ) -> Result<Option<FiniteSearch<'a>>, Exhausted> {
        let begin = self.begin(&clauses.least);
        if self.has_no_model(&begin) {
            return Ok(None);
        }
        while self.total() < bound {
            budget.spend(1)?;
            if !self.is_refuted() {
                let extra = self.extra.clone();
                if let Attempt::Model(finite) = self.attempt(symbols, bank, clauses, &extra, budget)? {
                    return Ok(Some(*finite));
                }
                if self.has_no_model(&begin) {
                    return Ok(None);
                }
            }
            if self.sorts.is_empty() {
                return Ok(None);
            }
            self.step();
        }
        Ok(None)
    }

    /// Returns the first sizes, beyond the first element, where each model has at least so many elements. Begins there if
    /// nothing was tried yet.
    fn begin(&mut self, least: &Map<SortId, u32>) -> Vec<u32> {
        let extra = |sort: &SortId| least.get(sort).map_or(0, |&size| size.saturating_sub(1));
        let begin: Vec<u32> = self.sorts.iter().map(extra).collect();
        if self.refuted.is_empty() && self.extra.iter().all(|&extra| extra == 0) {
            self.extra.clone_from(&begin);
            for (at, &extra) in begin.iter().enumerate() {
                if extra > 0 {
                    let mut sizes = vec![0; begin.len()];
                    sizes[at] = extra - 1;
                    self.refuted.push((sizes, (0..begin.len()).map(|other| other == at).collect()));
                }
            }
        }
        begin
    }

    /// Returns, by enumerated sort, a number of elements that each model has at least, by the sizes refuted so far. The fixed
    /// sizes are taken as given.
    pub(crate) fn least(&self) -> Vec<(SortId, u32)> {
        // Beyond the first element, as the refuted sizes are.
        let mut least = vec![0; self.sorts.len()];
        loop {
            let mut is_done = true;
            for (sizes, depends) in &self.refuted {
                let mut bounded = (0..least.len()).filter(|&at| depends[at]);
                let (Some(at), None) = (bounded.next(), bounded.next()) else { continue };
                // Whatever more the other sorts have.
                let holds = (0..least.len()).all(|other| other == at || sizes[other] <= least[other]);
                if holds && sizes[at] >= least[at] {
                    least[at] = sizes[at] + 1;
                    is_done = false;
                }
            }
            if is_done {
                return self.sorts.iter().zip(least).map(|(&sort, extra)| (sort, extra + 1)).collect();
            }
        }
    }

    /// Returns the sizes of all sorts, with so many elements beyond the first in those that are enumerated.
    fn sizes(&self, extra: &[u32]) -> IdVec<SortId, u32> {
        let sorts = self.sorts.iter().chain(self.fixed.iter().map(|(sort, _)| sort));
        let mut sizes = IdVec::filled(sorts.map(|sort| sort.index() + 1).max().unwrap_or(1), 2);
        for &(sort, size) in &self.fixed {
            sizes[sort] = size;
        }
        for (&sort, &extra) in self.sorts.iter().zip(extra) {
            sizes[sort] = extra + 1;
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epr::Solver;
    use ramsey_core::base::rng::Rng;
    use ramsey_core::logic::{Evaluator, Sort, SymId, Symbol, SymbolKind, TermId, Terms};

    const SORTS: usize = 4;

    /// A signature with sorts, constants of each, and a function from the first sort to each other one.
    fn signature() -> (Signature, Vec<SortId>, Vec<Vec<SymId>>, Vec<SymId>) {
        let mut sig = Signature::new();
        let sorts: Vec<SortId> = (0..SORTS).map(|at| sig.sorts.push(Sort::new(format!("s{at}")))).collect();
        let mut symbol = |name: String, args: &[SortId], result| {
            sig.symbols.push(Symbol::new(name, args.to_vec(), result, SymbolKind::Immutable))
        };
        let constants = (0..SORTS)
            .map(|of| (0..9).map(|at| symbol(format!("c{of}{at}"), &[], sorts[of])).collect())
            .collect();
        let functions = (1..SORTS).map(|of| symbol(format!("f{of}"), &sorts[..1], sorts[of])).collect();
        (sig, sorts, constants, functions)
    }

    /// Returns that no two elements of a sort have the same values, and that a constant is not a value of the first function.
    fn injective(
        terms: &mut Terms,
        sig: &Signature,
        functions: &[SymId],
        from: SortId,
        besides: Option<SymId>,
    ) -> TermId {
        let vars = ["x", "y"].map(|name| terms.new_var(name, from));
        let args = vars.map(|var| terms.var(var));
        let values = |terms: &mut Terms, f: SymId| args.map(|arg| terms.app(sig, f, 0, &[arg]));
        let mut some = vec![terms.eq(args[0], args[1])];
        for &f in functions {
            let [x, y] = values(terms, f);
            let equal = terms.eq(x, y);
            some.push(terms.not(equal));
        }
        let mut body = terms.or(&some);
        if let Some(constant) = besides {
            let ([value, _], constant) = (values(terms, functions[0]), terms.app(sig, constant, 0, &[]));
            let hit = terms.eq(value, constant);
            let missed = terms.not(hit);
            body = terms.and(&[body, missed]);
        }
        terms.forall(&vars, body)
    }

    /// Nine elements are told apart by three values, whose sorts need nine elements in their product.
    #[test]
    fn few_sizes_are_tried_on_the_way_to_large_ones() {
        let (sig, sorts, constants, functions) = signature();
        let mut terms = Terms::new();
        let formulas = [
            distinct(&mut terms, &sig, &constants[0]),
            injective(&mut terms, &sig, &functions, sorts[0], None),
        ];
        let mut solver = Solver::new(sig, terms, 0);
        formulas.iter().for_each(|&formula| solver.assert(formula));
        let clauses = solver.finite_clauses(&[]);
        let (symbols, bank) = (&solver.symbols, &solver.bank);
        let unlimited = &mut Budget::unlimited();
        let mut path = SizeEnumerator::new(&solver.sig);
        let found = path.grow(symbols, bank, &clauses, unlimited).expect("no limit").expect("a model");
        assert_eq!(sorts.iter().map(|&sort| found.sizes()[sort]).collect::<Vec<_>>(), [9, 3, 3, 3]);
        let mut all = SizeEnumerator::new(&solver.sig);
        let least = all.search(symbols, bank, &clauses, u32::MAX, unlimited);
        let least = least.expect("no limit").expect("a model");
        assert_eq!(sorts[1..].iter().map(|&sort| least.sizes()[sort]).sum::<u32>(), 7);
        assert!(3 * path.refuted.len() < all.refuted.len(), "{:?}\n{:?}", path.refuted, all.refuted);
        // Long searches follow the path as well.
        let (mut sizes, mut units) = (SizeEnumerator::new(&solver.sig), 1_000);
        while solver.find_small_model(&clauses, &mut sizes, &mut Budget::new(Some(units), None)) != Ok(true) {
            units *= 2;
        }
        assert_eq!(sorts[1..].iter().map(|&sort| solver.candidate.size(sort)).sum::<usize>(), 9);
    }

    /// Returns that constants have different values.
    fn distinct(terms: &mut Terms, sig: &Signature, constants: &[SymId]) -> TermId {
        let values: Vec<TermId> = constants.iter().map(|&it| terms.app(sig, it, 0, &[])).collect();
        let mut all = Vec::new();
        for (at, &a) in values.iter().enumerate() {
            for &b in &values[at + 1..] {
                let equal = terms.eq(a, b);
                all.push(terms.not(equal));
            }
        }
        terms.and(&all)
    }

    /// Returns that a sort has at most so many elements.
    fn at_most(terms: &mut Terms, sort: SortId, most: usize) -> TermId {
        let vars: Vec<_> = (0..=most).map(|at| terms.new_var(format!("x{at}"), sort)).collect();
        let values: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let mut some = Vec::new();
        for (at, &a) in values.iter().enumerate() {
            some.extend(values[at + 1..].iter().map(|&b| terms.eq(a, b)));
        }
        let body = terms.or(&some);
        terms.forall(&vars, body)
    }

    /// Random bounds of the sizes: a path has a model where there is one, and ends where there is none.
    #[test]
    fn paths_find_what_enumeration_finds() {
        let (sig, sorts, constants, functions) = signature();
        let mut rng = Rng::new(7);
        let (mut models, mut none) = (0, 0);
        for _ in 0..300 {
            let mut terms = Terms::new();
            let mut formulas = Vec::new();
            for (at, &sort) in sorts.iter().enumerate() {
                if rng.below(2) == 0 {
                    let least = 2 + rng.below(3);
                    formulas.push(distinct(&mut terms, &sig, &constants[at][..least]));
                }
                if rng.below(3) == 0 {
                    let most = 1 + rng.below(4);
                    formulas.push(at_most(&mut terms, sort, most));
                }
                if at > 0 && rng.below(2) == 0 {
                    let besides = (rng.below(2) == 0).then_some(constants[at][0]);
                    formulas.push(injective(&mut terms, &sig, &functions[at - 1..at], sorts[0], besides));
                }
            }
            let mut solver = Solver::new(sig.clone(), terms, 0);
            formulas.iter().for_each(|&formula| solver.assert(formula));
            if solver.sat_is_refuted() {
                continue;
            }
            let clauses = solver.finite_clauses(&[]);
            let (symbols, bank) = (&solver.symbols, &solver.bank);
            let unlimited = &mut Budget::unlimited();
            // No sort needs more than seven elements.
            let is_there = SizeEnumerator::new(&solver.sig).search(symbols, bank, &clauses, 4 * 7, unlimited);
            let is_there = is_there.expect("no limit").is_some();
            let mut sizes = SizeEnumerator::new(&solver.sig);
            // Suspended again and again, it goes on where it was.
            let mut units = 200;
            let grown = loop {
                match sizes.grow(symbols, bank, &clauses, &mut Budget::new(Some(units), None)) {
                    Ok(grown) => break grown.map(|finite| finite.candidate),
                    Err(_) => units *= 2,
                }
            };
            assert_eq!(grown.is_some(), is_there);
            match grown {
                Some(candidate) => {
                    models += 1;
                    solver.candidate = candidate;
                    let structure = solver.structure(1);
                    let mut eval = Evaluator::new(solver.syntax(), &structure);
                    assert!(formulas.iter().all(|&formula| eval.holds(formula)));
                }
                None => {
                    none += 1;
                    let again = sizes.grow(symbols, bank, &clauses, &mut Budget::new(Some(0), None));
                    assert!(again.is_ok_and(|found| found.is_none()), "the path has ended");
                }
            }
        }
        assert!(models > 50 && none > 50, "{models} {none}");
    }
}
