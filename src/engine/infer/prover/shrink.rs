//! Structures with fewer elements that satisfy the same.

use super::super::exists::Alternation;
use super::super::state::{Matcher, State};
use super::Prover;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Elem, Interpretation, Signature, SortId, Structure, Symbol, TermId};
use ramsey_solver::ask::{Failure, holds};

/// What a structure has to satisfy besides formulas.
#[derive(Default)]
pub(super) struct Tests<'a> {
    /// A pattern that occurs in the state of a step.
    pub(super) matched: Option<(Matcher, usize)>,
    /// Patterns that do not occur in the first state. They may where other elements become values of functions.
    pub(super) absent: Vec<Matcher>,
    /// Formulas with their truth value in the state of a step.
    pub(super) alternations: Vec<(&'a Alternation, usize, bool)>,
}

impl Tests<'_> {
    /// Evaluates the tests. Adds the cost to `work`.
    fn pass(&self, state: impl Fn(usize) -> State, work: &mut u64) -> bool {
        if let Some((matcher, step)) = &self.matched
            && matcher.find(&state(*step), work).is_none()
        {
            return false;
        }
        if !self.absent.is_empty() {
            let state = state(0);
            if self.absent.iter().any(|matcher| matcher.find(&state, work).is_some()) {
                return false;
            }
        }
        let steps = [0, 1].map(|step| {
            let mut of_step = self.alternations.iter().filter(|(_, at, _)| *at == step).peekable();
            let state = of_step.peek().map(|_| state(step));
            state.is_none_or(|state| {
                of_step.all(|(it, _, value)| it.refutation(&state, work).is_none() == *value)
            })
        });
        steps == [true, true]
    }
}

impl Prover {
    /// Removes elements while all conditions are true. Where one is a value of a function, another one takes its place.
    ///
    /// # Errors
    /// Returns an error if a condition is false at the beginning, or if the budget runs out.
    pub(super) fn shrunk(
        &self,
        mut structure: Structure,
        conditions: &[TermId],
        tests: &Tests<'_>,
        budget: &mut Budget,
    ) -> Result<Structure, Failure> {
        self.confirm(&structure, conditions, budget)?;
        let mut order: Vec<TermId> = conditions.iter().flat_map(|&it| self.terms.conjuncts(it)).collect();
        if !self.matches(&structure, tests, budget)? {
            return Err(Failure::Internal("a structure that was found satisfies the claim".to_owned()));
        }
        loop {
            let mut is_smaller = false;
            for sort in self.sig.uninterpreted_sorts().filter(|sort| !self.enumerated.contains(sort)) {
                let mut elem = structure.sizes[sort];
                while elem > 0 {
                    elem -= 1;
                    let mut tried = candidates(&self.sig, &structure, sort, elem).map(|smaller| {
                        let passed = self.satisfies(&smaller, &mut order, tests, budget);
                        passed.map(|is_passed| is_passed.then_some(smaller))
                    });
                    let smaller = tried.find_map(Result::transpose);
                    drop(tried);
                    match smaller {
                        None => {}
                        Some(Ok(smaller)) => {
                            structure = smaller;
                            is_smaller = true;
                        }
                        // What there is will do.
                        Some(Err(Failure::Exhausted(Exhausted::Work))) => return Ok(structure),
                        Some(Err(failure)) => return Err(failure),
                    }
                }
            }
            if !is_smaller {
                return Ok(structure);
            }
        }
    }

    /// Checks whether a structure passes the tests.
    pub(super) fn matches(
        &self,
        structure: &Structure,
        tests: &Tests<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Failure> {
        let mut work = 0;
        let is_passed =
            tests.pass(|step| State::new(&self.vocabulary, &self.sig, structure, step), &mut work);
        budget.spend(work)?;
        Ok(is_passed)
    }

    /// Checks whether a structure passes the tests and satisfies all conditions. What was false last is tried first: most
    /// attempts fail, and for few reasons.
    pub(super) fn satisfies(
        &self,
        structure: &Structure,
        conditions: &mut [TermId],
        tests: &Tests<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Failure> {
        if !self.matches(structure, tests, budget)? {
            return Ok(false);
        }
        for at in 0..conditions.len() {
            if !holds(self.terms.over(&self.sig), structure, &Map::default(), conditions[at], budget)? {
                conditions[..=at].rotate_right(1);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the structures without an element: one if it is the value of no function, and otherwise one for each element
/// that may be the value instead.
pub(in super::super) fn candidates<'a>(
    sig: &'a Signature,
    structure: &'a Structure,
    sort: SortId,
    elem: Elem,
) -> impl Iterator<Item = Structure> + use<'a> {
    let whole = without(sig, structure, sort, elem, None);
    let others = if whole.is_some() { 0 } else { structure.sizes[sort] };
    let merged = move |other| without(sig, structure, sort, elem, Some(other));
    whole.into_iter().chain((0..others).filter(move |&other| other != elem).filter_map(merged))
}

/// Returns the structure without an element, where functions with it as the value have another one instead, if one is
/// given. Returns `None` if none is and a function has it as the value at other elements, or if it is the last one of its
/// sort.
fn without(
    sig: &Signature,
    structure: &Structure,
    sort: SortId,
    elem: Elem,
    instead: Option<Elem>,
) -> Option<Structure> {
    if structure.sizes[sort] <= 1 {
        return None;
    }
    let renamed = |of: SortId, value: Elem| {
        if of != sort || value < elem { Some(value) } else { (value > elem).then(|| value - 1) }
    };
    let places = |symbol: &Symbol, args: &[Elem]| -> Option<Box<[Elem]>> {
        args.iter().zip(&symbol.args).map(|(&arg, &of)| renamed(of, arg)).collect()
    };
    let mut result = Structure::new(sig, structure.states());
    result.sizes.clone_from(&structure.sizes);
    result.sizes[sort] -= 1;
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let steps = if symbol.kind.is_mutable() { structure.states() } else { 1 };
        for step in 0..steps {
            let before = structure.interpretation(sig, sym, step);
            let mut after = Interpretation { default: before.default, ..Interpretation::default() };
            if symbol.result == sort {
                // The default may be the element itself; it is then unused if all tuples have entries.
                after.default = renamed(sort, before.default).unwrap_or(0);
                for args in structure.tuples(&symbol.args) {
                    if let Some(places) = places(symbol, &args) {
                        let value = before.get(&args);
                        let value = renamed(sort, value).or_else(|| renamed(sort, instead?))?;
                        if value != after.default {
                            after.entries.insert(places, value);
                        }
                    }
                }
            } else if symbol.args.contains(&sort) {
                let kept =
                    before.entries.iter().filter_map(|(args, &value)| Some((places(symbol, args)?, value)));
                after.entries = kept.collect();
            } else {
                after.entries.clone_from(&before.entries);
            }
            *result.interpretation_mut(sig, sym, step) = after;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::ids::Id as _;
    use ramsey_core::base::span::{Source, Sources};
    use ramsey_lang::{Includes, Language, load};
    use std::sync::Arc;

    const MODEL: &str = "sort color
sort node
immutable constant red: color
immutable constant green: color
immutable constant blue: color
axiom distinct(red, green, blue)
axiom X = red | X = green | X = blue
";

    /// What the axioms name is not tried, and other elements go.
    #[test]
    fn elements_with_names_stay() {
        let mut sources = Sources::new();
        let file = sources.push(Source::new("model.pyv".to_owned(), MODEL.to_owned()));
        let (system, diagnostics) = load(Language::Pyv, file, &sources, &Includes::new());
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:?}")));
        let prover = Prover::new(&system, 0, None);
        let [color, node] = [1, 2].map(SortId::new);
        let mut structure = Structure::new(&prover.sig, 1);
        (structure.sizes[color], structure.sizes[node]) = (3, 3);
        // Without the axioms among the conditions, nothing else keeps the elements.
        let smaller = prover.shrunk(structure, &[], &Tests::default(), &mut Budget::unlimited());
        let smaller = smaller.expect("nothing is asked of it");
        assert_eq!((smaller.sizes[color], smaller.sizes[node]), (3, 1));
    }
}
