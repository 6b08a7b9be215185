//! Random models of given sizes, for simulation.

use super::finite::FiniteSearch;
use super::sizes::SizeEnumerator;
use super::solver::Solver;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind, Tuples};

/// Maximum number of values of symbols at tuples that are searched.
const MAX_VALUES: u64 = 1_000_000;

/// Part of a structure with which a model must agree.
#[derive(Clone, Copy)]
pub struct Fixed<'a> {
    /// The structure.
    pub structure: &'a Structure,
    /// Whether a symbol at a step is given.
    pub is_given: &'a dyn Fn(SymId, u16) -> bool,
}

impl Solver {
    /// Returns a model of the permanent assertions with `states` states and universes of exactly these sizes that
    /// agrees with `fixed`, or `None` if there is none. The values that the search tries first are drawn by `seed`, and
    /// so are those not constrained by any assertion. Different seeds mostly yield different models; equal seeds always
    /// yield equal models.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn sample(
        &mut self,
        sizes: &IdVec<SortId, u32>,
        fixed: Option<Fixed<'_>>,
        states: u16,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, Exhausted> {
        self.pop_to(0);
        if self.sat_is_refuted() {
            return Ok(None);
        }
        self.unfinished().map_or(Ok(()), Err)?;
        let clauses = self.finite_clauses(&[]);
        let mut rng = Rng::new(seed);
        let mut finite = FiniteSearch::new(&self.symbols, &self.bank, &clauses, sizes.clone());
        if fixed.is_some() {
            finite.name_elements();
        }
        let mut total = 0_u64;
        for (sym, step) in steps(&self.sig, states) {
            let symbol = &self.sig.symbols[sym];
            let given = fixed.filter(|fixed| (fixed.is_given)(sym, step));
            let given = given.map(|fixed| fixed.structure.interpretation(&self.sig, sym, step.into()));
            let args: Vec<u32> = symbol.args.iter().map(|&sort| sizes[sort]).collect();
            let results = if symbol.is_relation() { 1 } else { sizes[symbol.result] };
            let count = Tuples::count_all(&args).saturating_mul(results.into());
            total = total.saturating_add(count);
            if total > MAX_VALUES {
                return Err(Exhausted::Work);
            }
            budget.spend(count)?;
            if let Some(rel) = self.symbols.known_rel(sym, step) {
                for tuple in Tuples::new(args) {
                    let value = given.map_or_else(|| rng.one_in(2), |given| given.get(&tuple) != 0);
                    finite.prefer_tuple(rel, &tuple, value, given.is_some());
                }
            } else if let Some(fun) = self.symbols.known_fun(sym, step) {
                for tuple in Tuples::new(args) {
                    let value =
                        given.map_or_else(|| rng.below(results as usize) as Elem, |given| given.get(&tuple));
                    finite.prefer_value(fun, &tuple, value, given.is_some());
                }
            }
        }
        if !finite.solve(&[], budget)? {
            return Ok(None);
        }
        self.candidate = finite.candidate;
        let mut structure = self.structure(states);
        for (sym, step) in steps(&self.sig, states) {
            let symbol = &self.sig.symbols[sym];
            let given = fixed.filter(|fixed| (fixed.is_given)(sym, step));
            if let Some(fixed) = given {
                let given = fixed.structure.interpretation(&self.sig, sym, step.into()).clone();
                *structure.interpretation_mut(&self.sig, sym, step.into()) = given;
                continue;
            }
            let is_known =
                self.symbols.known_rel(sym, step).is_some() || self.symbols.known_fun(sym, step).is_some();
            if is_known || matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::Choice) {
                continue;
            }
            for tuple in structure.tuples(&symbol.args) {
                let value = rng.below(structure.sizes[symbol.result] as usize) as Elem;
                structure.interpretation_mut(&self.sig, sym, step.into()).set(&tuple, value);
            }
        }
        Ok(Some(structure))
    }

    /// Returns the sizes of a model of the permanent assertions with the fewest elements, where some sizes are given
    /// and the others sum to less than `bound`. Returns `None` if there is no such model.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn smallest_sizes(
        &mut self,
        given: &[(SortId, u32)],
        bound: u32,
        budget: &mut Budget,
    ) -> Result<Option<IdVec<SortId, u32>>, Exhausted> {
        self.pop_to(0);
        if self.sat_is_refuted() {
            return Ok(None);
        }
        self.unfinished().map_or(Ok(()), Err)?;
        let clauses = self.finite_clauses(&[]);
        let mut sizes = SizeEnumerator::with_fixed(&self.sig, &given.iter().copied().collect());
        let found = sizes.search(&self.symbols, &self.bank, &clauses, bound, budget)?;
        Ok(found.map(|finite| finite.sizes().clone()))
    }
}

/// Returns every symbol at every step at which it has a separate meaning.
fn steps(sig: &Signature, states: u16) -> Vec<(SymId, u16)> {
    let steps = |sym: SymId| if sig.symbols[sym].kind.is_mutable() { states } else { 1 };
    sig.symbols.ids().flat_map(|sym| (0..steps(sym)).map(move |step| (sym, step))).collect()
}
