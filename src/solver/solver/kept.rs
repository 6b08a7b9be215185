//! The last model, which often satisfies what is asserted after it.
//!
//! A model of some assertions stays one when symbols and sorts are declared, and whatever the meaning of symbols that do not occur in
//! them. So a check begins with the last model: it evaluates what is new, tries other values of symbols that have not been used,
//! and searches only if that does not do. In a script that grows, such a check costs no more than what it adds.

use crate::epr::Assertions;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Elem, Evaluator, Interpretation, Structure, SymId, Syntax, TermId};

/// Work units for the last model of a check, in addition to a part of what the last search took.
const WORK: u64 = 500;
/// Such a part of the work of the last search may be spent on the last model.
const SHARE: u64 = 4;
/// Maximum number of symbols of one formula whose meaning is changed.
const MAX_OPEN: usize = 3;
/// Maximum number of checks for which no model is tried after others have failed.
const MAX_PAUSE: u32 = 32;

/// The last model.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    structure: Option<Box<Structure>>,
    /// Number of the first assertions of the engine of which the structure satisfies all that have no label.
    judged: usize,
    /// The symbols of the first `covered` assertions without label, and more. Only others may change their meaning.
    used: Set<SymId>,
    covered: usize,
    /// Work of the last search.
    work: u64,
    /// Number of checks that are left to search at once, and how many there were the last time.
    pause: u32,
    last_pause: u32,
}

impl Kept {
    pub(super) fn structure(&self) -> Option<&Structure> {
        self.structure.as_deref()
    }

    /// Notes that there are only so many assertions.
    pub(super) fn retract(&mut self, assertions: usize) {
        self.judged = self.judged.min(assertions);
        self.covered = self.covered.min(assertions);
    }

    /// Notes the work of a search.
    pub(super) fn searched(&mut self, work: u64) {
        self.work = work;
    }

    /// Keeps a structure that satisfies all assertions without label.
    pub(super) fn keep(&mut self, structure: Structure, engine: &Assertions) {
        self.structure = Some(Box::new(structure));
        for &(formula, label) in engine.since(self.covered) {
            if label.is_none() {
                self.used.extend(engine.terms().symbols(formula));
            }
        }
        self.covered = engine.since(0).len();
        self.judged = self.covered;
    }

    /// Checks whether the last model, perhaps with another meaning of symbols that were not used, satisfies all assertions
    /// without label and the formulas of this check.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub(super) fn suffices(
        &mut self,
        engine: &Assertions,
        checked: impl Iterator<Item = TermId>,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let Some(mut structure) = self.structure.take() else { return Ok(false) };
        if self.pause > 0 {
            self.pause -= 1;
            self.structure = Some(structure);
            return Ok(false);
        }
        structure.grow_to(engine.signature());
        let mut part = budget.part(WORK + self.work / SHARE);
        let found = self.satisfy(engine, checked, &mut structure, &mut part);
        self.structure = Some(structure);
        budget.absorb(&part)?;
        let found = match found {
            Err(Exhausted::Work) => false,
            other => other?,
        };
        self.last_pause = if found { 0 } else { (2 * self.last_pause + 1).min(MAX_PAUSE) };
        self.pause = self.last_pause;
        Ok(found)
    }

    fn satisfy(
        &mut self,
        engine: &Assertions,
        checked: impl Iterator<Item = TermId>,
        structure: &mut Structure,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let syntax = engine.syntax();
        for &(formula, label) in engine.since(self.judged) {
            if label.is_none() {
                let symbols = symbols(syntax, formula, budget)?;
                if !satisfy(syntax, formula, &symbols, |sym| self.used.contains(&sym), structure, budget)? {
                    return Ok(false);
                }
                self.used.extend(symbols);
            }
            self.judged += 1;
            self.covered = self.covered.max(self.judged);
        }
        let mut of_check: Set<SymId> = Set::default();
        for formula in checked {
            let symbols = symbols(syntax, formula, budget)?;
            let is_used = |sym| self.used.contains(&sym) || of_check.contains(&sym);
            if !satisfy(syntax, formula, &symbols, is_used, structure, budget)? {
                return Ok(false);
            }
            of_check.extend(symbols);
        }
        Ok(true)
    }
}

/// Returns the symbols of a formula in order.
fn symbols(syntax: Syntax<'_>, formula: TermId, budget: &mut Budget) -> Result<Vec<SymId>, Exhausted> {
    budget.spend(syntax.terms.tree_size(formula).into())?;
    let mut symbols: Vec<SymId> = syntax.terms.symbols(formula).into_iter().collect();
    symbols.sort_unstable();
    Ok(symbols)
}

/// Checks whether a formula is true, or becomes true with another meaning of those symbols that are not used: one value everywhere.
fn satisfy(
    syntax: Syntax<'_>,
    formula: TermId,
    symbols: &[SymId],
    is_used: impl Fn(SymId) -> bool,
    structure: &mut Structure,
    budget: &mut Budget,
) -> Result<bool, Exhausted> {
    if holds(syntax, formula, structure, budget)? {
        return Ok(true);
    }
    let open: Vec<SymId> = symbols.iter().copied().filter(|&sym| !is_used(sym)).collect();
    if open.is_empty() || open.len() > MAX_OPEN {
        return Ok(false);
    }
    let sizes: Vec<u32> = open.iter().map(|&sym| structure.sizes[syntax.sig.symbols[sym].result]).collect();
    let mut values: Vec<Elem> = vec![0; open.len()];
    loop {
        for (&sym, &default) in open.iter().zip(&values) {
            *structure.interpretation_mut(syntax.sig, sym, 0) =
                Interpretation { default, ..Interpretation::default() };
        }
        if holds(syntax, formula, structure, budget)? {
            return Ok(true);
        }
        let Some(at) = (0..open.len()).find(|&at| values[at] + 1 < sizes[at]) else { return Ok(false) };
        values[..at].fill(0);
        values[at] += 1;
    }
}

fn holds(
    syntax: Syntax<'_>,
    formula: TermId,
    structure: &Structure,
    budget: &mut Budget,
) -> Result<bool, Exhausted> {
    let mut eval = Evaluator::new(syntax, structure);
    eval.budget = budget.part(u64::MAX);
    let holds = eval.holds(formula);
    budget.absorb(&eval.budget)?;
    eval.exhausted.map_or(Ok(holds), Err)
}

#[cfg(test)]
mod tests {
    use ramsey_core::base::budget::Budget;

    use crate::solver::{Answer, Misuse, Solver, Sort, Term};

    fn constant(solver: &mut Solver, name: &str, sort: Sort) -> Result<Term, Misuse> {
        let symbol = solver.constant(name, sort)?;
        solver.apply(symbol, &[])
    }

    #[test]
    fn checks_of_what_is_added_need_no_search() -> Result<(), Misuse> {
        let mut solver = Solver::new();
        let sort = solver.sort("s")?;
        let p = solver.relation("p", &[sort])?;
        let x = solver.variable("x", sort)?;
        let (mut last, mut above) = (constant(&mut solver, "c", sort)?, solver.var(x)?);
        above = solver.apply(p, &[above])?;
        let start = solver.apply(p, &[last])?;
        solver.assert(start)?;
        let mut all = vec![start];
        for at in 0..200 {
            let next = constant(&mut solver, &format!("c{at}"), sort)?;
            let same = solver.eq(last, next)?;
            all.push(solver.not(same)?);
            let relation = solver.relation(&format!("p{at}"), &[sort])?;
            let var = solver.var(x)?;
            let below = solver.apply(relation, &[var])?;
            let implied = solver.implies(above, below)?;
            all.push(solver.forall(&[x], implied)?);
            for &formula in &all[all.len() - 2..] {
                solver.assert(formula)?;
            }
            assert_eq!(solver.check(&mut Budget::unlimited()), Answer::Sat);
            for &formula in &all {
                assert!(solver.model()?.holds(formula)?);
            }
            (last, above) = (next, below);
        }
        let stats = solver.stats();
        assert!(stats.checks == 200 && stats.rounds < 20, "{stats:?}");
        Ok(())
    }

    #[test]
    fn symbols_of_earlier_assertions_keep_their_meaning() -> Result<(), Misuse> {
        let mut solver = Solver::new();
        let a = constant(&mut solver, "a", Sort::BOOL)?;
        let not_a = solver.not(a)?;
        let budget = &mut Budget::unlimited();
        solver.assert(not_a)?;
        assert_eq!(solver.check(budget), Answer::Sat);
        assert_eq!(solver.check_assuming(&[a], budget)?, Answer::Unsat);
        let b = constant(&mut solver, "b", Sort::BOOL)?;
        // The model that is kept has other values of `b` for the checks, and the last one has none.
        let not_b = solver.not(b)?;
        assert_eq!(solver.check_assuming(&[b, not_a], budget)?, Answer::Sat);
        assert_eq!(solver.check_assuming(&[not_b], budget)?, Answer::Sat);
        assert_eq!(solver.check_assuming(&[b, not_b], budget)?, Answer::Unsat);
        // What was retracted binds no more, and what was asserted in its place does.
        solver.push();
        solver.assert(b)?;
        assert_eq!(solver.check(budget), Answer::Sat);
        solver.pop()?;
        solver.push();
        solver.assert(not_b)?;
        assert_eq!(solver.check(budget), Answer::Sat);
        assert!(!solver.model()?.holds(b)?);
        solver.assert(b)?;
        assert_eq!(solver.check(budget), Answer::Unsat);
        Ok(())
    }
}
