//! Values of the choices of commands, in states that are given otherwise.
//!
//! A choice without arguments is that of a branch. One with arguments is a function or relation of which a command gives any values
//! to many points at once.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Elem, Evaluator, Signature, Structure, SymId, SymbolKind, Syntax, TermId, Tuples};
use ramsey_solver::ask::{Context, Failure};
use ramsey_solver::epr::Fixed;

/// Maximum number of ways to choose that are enumerated; beyond it, one is searched.
pub(super) const MAX_WAYS: u64 = 20_000;

/// Work units for one such enumeration; beyond them, one is searched too.
const ENUMERATION: u64 = 1_000_000;

/// Runs an enumeration on a part of a budget. Returns `None` if the part does not suffice.
pub(super) fn bounded<T>(
    budget: &mut Budget,
    enumerate: impl FnOnce(&mut Budget) -> Result<T, Exhausted>,
) -> Result<Option<T>, Exhausted> {
    let mut part = budget.part(ENUMERATION);
    let found = enumerate(&mut part);
    budget.absorb(&part)?;
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Exhausted::Work) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Returns the choices in formulas, those without arguments first.
pub(super) fn choices(syntax: Syntax<'_>, formulas: impl IntoIterator<Item = TermId>) -> Vec<SymId> {
    let mut found: Vec<SymId> = formulas.into_iter().flat_map(|it| syntax.terms.symbols(it)).collect();
    found.retain(|&sym| syntax.sig.symbols[sym].kind == SymbolKind::Choice);
    found.sort_unstable_by_key(|&sym| (!syntax.sig.symbols[sym].args.is_empty(), sym));
    found.dedup();
    found
}

/// The points at which choices have values in the states of a structure.
#[derive(Debug)]
pub(super) struct Points {
    points: Vec<(SymId, Vec<Elem>)>,
    /// The number of values at each point.
    pub(super) sizes: Vec<u32>,
}

impl Points {
    /// Returns the points of these choices. Returns `None` if there are more than [`MAX_WAYS`] points, or ways to give them values.
    pub(super) fn new(sig: &Signature, structure: &Structure, choices: &[SymId]) -> Option<Points> {
        let mut found = Points { points: Vec::new(), sizes: Vec::new() };
        for &sym in choices {
            let symbol = &sig.symbols[sym];
            for args in structure.tuples(&symbol.args) {
                if found.points.len() as u64 == MAX_WAYS {
                    return None;
                }
                found.points.push((sym, args));
                found.sizes.push(structure.sizes[symbol.result]);
            }
        }
        (Tuples::count_all(&found.sizes) <= MAX_WAYS).then_some(found)
    }

    /// Gives the points their values in state 0.
    pub(super) fn set(&self, sig: &Signature, structure: &mut Structure, values: &[Elem]) {
        for ((sym, args), &value) in self.points.iter().zip(values) {
            structure.interpretation_mut(sig, *sym, 0).set(args, value);
        }
    }
}

/// Returns a structure of one state with values of the choices in formulas for which each formula is as is wanted of it. Returns
/// `None` if there are none.
///
/// # Errors
/// Returns an error if the budget runs out, or for an internal error.
pub(crate) fn chosen(
    syntax: Syntax<'_>,
    structure: &Structure,
    wanted: &[(TermId, bool)],
    budget: &mut Budget,
) -> Result<Option<Structure>, Failure> {
    let choices = choices(syntax, wanted.iter().map(|&(formula, _)| formula));
    if let Some(points) = Points::new(syntax.sig, structure, &choices) {
        let first = |budget: &mut Budget| {
            let mut tried = structure.clone();
            for values in Tuples::new(points.sizes.clone()) {
                points.set(syntax.sig, &mut tried, &values);
                if is_wanted(syntax, &tried, wanted, budget)? {
                    return Ok(Some(tried));
                }
            }
            Ok(None)
        };
        if let Some(found) = bounded(budget, first)? {
            return Ok(found);
        }
    }
    let mut context = Context::of((syntax.sig, syntax.terms), [], budget);
    for &(formula, value) in wanted {
        let formula = if value { formula } else { context.terms_mut().not(formula) };
        context.assume(formula, budget);
    }
    let is_given = |sym: SymId, _: u16| !choices.contains(&sym);
    let fixed = Fixed { structure, is_given: &is_given };
    let Some(found) = context.sample(&structure.sizes, Some(fixed), 1, 0, budget)? else { return Ok(None) };
    if is_wanted(syntax, &found, wanted, budget)? {
        return Ok(Some(found));
    }
    Err(Failure::Internal("choices that were found are not as they are wanted".to_owned()))
}

/// Evaluates formulas in state 0.
fn is_wanted(
    syntax: Syntax<'_>,
    structure: &Structure,
    wanted: &[(TermId, bool)],
    budget: &mut Budget,
) -> Result<bool, Exhausted> {
    let mut eval = Evaluator::new(syntax, structure);
    std::mem::swap(&mut eval.budget, budget);
    let is_wanted = wanted.iter().all(|&(formula, value)| eval.holds(formula) == value);
    std::mem::swap(&mut eval.budget, budget);
    eval.exhausted.map_or(Ok(is_wanted), Err)
}
