//! Separation: a smallest clause that is true in all given states and false in another one.
//!
//! The clause is the negation of a part of the state's diagram: a set of atoms, each with its truth value in the state.
//! It is true in another state if every assignment of the variables there changes the value of one of the atoms. The
//! atoms that an assignment changes are a set that the clause has to hit, so that a smallest clause is a minimum hitting
//! set. The sets are found on demand: a minimum hitting set of those known is evaluated in the states, and an assignment
//! under which it is violated adds a set.

use std::sync::Arc;

use super::hitting::Problem;
use super::language::Language;
use super::prefix::{Bits, Prefix, count, difference};
use super::seen::Seen;
use super::state::{Atom, Literal, Matcher, Pattern, State, Vocabulary};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;

/// Number of sets added for remembered types at a time.
const SETS: usize = 4;

/// Result of a separation.
#[derive(Debug)]
pub(super) enum Separation {
    /// The clause that excludes this pattern is true in all other states.
    Clause(Pattern),
    /// The state is a substructure of the other one with this index. The values are the elements that its elements
    /// stand for, sort by sort.
    Embedded(usize, Vec<u16>),
    /// Each clause that is false in the state violates one of the steps to be respected.
    Blocked,
    /// No clause of the language was found.
    Outside,
    /// The state is too large.
    TooLarge,
}

/// A step: a clause that is true in the first state is to be true in the second one.
pub(super) type Edge = (Arc<State>, Arc<State>);

/// Finds separating clauses. Remembers which assignments were decisive.
#[derive(Debug, Default)]
pub(super) struct Separator {
    /// By sizes of the sorts, the atoms, and the types that violated a clause.
    prefixes: Map<Vec<u32>, Option<(Prefix, Seen)>>,
    /// Indices of the states, those that refuted a clause recently first.
    order: Vec<usize>,
}

impl Separator {
    /// Returns a state in `others` of which `state` is a substructure, with the elements that its elements stand for.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn embedding(
        &mut self,
        vocabulary: &Vocabulary,
        state: &State,
        others: &[Arc<State>],
        budget: &mut Budget,
    ) -> Result<Option<(usize, Vec<u16>)>, Exhausted> {
        let entry = self.prefixes.entry(state.sizes.clone());
        let Some((prefix, _)) = entry.or_insert_with(|| known(vocabulary, &state.sizes)) else {
            return Ok(None);
        };
        let target = prefix.type_of(state, &prefix.identity());
        let diagram = prefix.diagram(&target);
        let matcher = Matcher::of_literals(&prefix.sorts, diagram.iter());
        let mut work = diagram.len() as u64;
        let found = find_embedding(&matcher, state, others, &mut work);
        budget.spend(work)?;
        Ok(found)
    }

    /// Returns the diagram of a state, or `None` if it is too large.
    pub(super) fn diagram(&mut self, vocabulary: &Vocabulary, state: &State) -> Option<Pattern> {
        let entry = self.prefixes.entry(state.sizes.clone());
        let (prefix, _) = entry.or_insert_with(|| known(vocabulary, &state.sizes)).as_ref()?;
        let target = prefix.type_of(state, &prefix.identity());
        Some(Pattern { sorts: prefix.sorts.clone(), literals: prefix.diagram(&target) })
    }

    /// Separates `state` from the states in `others`, to which states are only ever added at the end, by a clause of the
    /// language, if one is given, that respects the given steps.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn separate(
        &mut self,
        vocabulary: &Vocabulary,
        state: &State,
        others: &[Arc<State>],
        steps: &[Edge],
        language: Option<&Language>,
        budget: &mut Budget,
    ) -> Result<Separation, Exhausted> {
        self.order.extend(self.order.len()..others.len());
        let entry = self.prefixes.entry(state.sizes.clone());
        let Some((prefix, types)) = entry.or_insert_with(|| known(vocabulary, &state.sizes)) else {
            return Ok(Separation::TooLarge);
        };
        let target = prefix.type_of(state, &prefix.identity());
        let diagram = prefix.diagram(&target);
        let matcher = Matcher::of_literals(&prefix.sorts, diagram.iter());
        let mut work = diagram.len() as u64;
        if let Some((at, values)) = find_embedding(&matcher, state, others, &mut work) {
            budget.spend(work)?;
            return Ok(Separation::Embedded(at, values));
        }
        for (before, after) in steps {
            if matcher.find(after, &mut work).is_some() && matcher.find(before, &mut work).is_none() {
                budget.spend(work)?;
                return Ok(Separation::Blocked);
            }
        }
        let ranks: Vec<u8> = diagram.iter().map(rank).collect();
        let mut distances = types.distances(&target);
        work += distances.len() as u64;
        let mut problem = Problem::new(prefix, &ranks);
        let order = &mut self.order;
        let mut check = |chosen: &[usize]| -> Result<Vec<Bits>, Exhausted> {
            let sets = types.agreeing(&target, chosen, &distances, SETS, &mut work);
            if !sets.is_empty() {
                budget.spend(std::mem::take(&mut work))?;
                return Ok(sets);
            }
            let matcher = Matcher::of_literals(&prefix.sorts, chosen.iter().map(|&at| &diagram[at]));
            let violated = order.iter().enumerate().find_map(|(place, &at)| {
                Some((Some(place), &others[at], matcher.find(&others[at], &mut work)?))
            });
            let violated = violated.or_else(|| {
                steps.iter().find_map(|(before, after)| {
                    let values = matcher.find(after, &mut work)?;
                    matcher.find(before, &mut work).is_none().then_some((None, after, values))
                })
            });
            let Some((place, other, mut values)) = violated else {
                budget.spend(std::mem::take(&mut work))?;
                return Ok(Vec::new());
            };
            prefix.extend(other, &target, &mut values);
            let seen = prefix.type_of(other, &values);
            work += prefix.atoms.len() as u64;
            let set = difference(&seen, &target);
            if let Some(place) = place {
                let at = order.remove(place);
                order.insert(0, at);
                let distance = count(&set);
                let at = types.add(seen);
                distances.resize(distances.len().max(at + 1), 0);
                distances[at] = distance;
            }
            budget.spend(std::mem::take(&mut work))?;
            Ok(vec![set])
        };
        let chosen = match language {
            None => problem.solve(&mut check).map(Some),
            Some(language) => problem.solve_within(language, &mut check),
        };
        let work = problem.work;
        budget.spend(work)?;
        let Some(chosen) = chosen? else { return Ok(Separation::Outside) };
        let literals = chosen.iter().map(|&at| diagram[at].clone()).collect();
        Ok(Separation::Clause(Pattern { sorts: prefix.sorts.clone(), literals }.normalized()))
    }
}

/// Returns the atoms over as many variables as given, without types.
fn known(vocabulary: &Vocabulary, sizes: &[u32]) -> Option<(Prefix, Seen)> {
    let prefix = Prefix::new(vocabulary, sizes)?;
    let seen = Seen::new(prefix.atoms.len());
    Some((prefix, seen))
}

fn find_embedding(
    matcher: &Matcher,
    state: &State,
    others: &[Arc<State>],
    work: &mut u64,
) -> Option<(usize, Vec<u16>)> {
    others.iter().enumerate().find_map(|(at, other)| {
        let is_larger = other.sizes.iter().zip(&state.sizes).all(|(other, own)| other >= own);
        Some((at, is_larger.then(|| matcher.find(other, work)).flatten()?))
    })
}

/// Preference of a literal of the excluded pattern; smaller is better.
pub(super) fn rank(literal: &Literal) -> u8 {
    match (&literal.atom, literal.positive) {
        (Atom::Relation(..) | Atom::Value(..), true) => 0,
        (Atom::Relation(..), false) => 1,
        (Atom::Equal(..), _) => 2,
        (Atom::Value(..), false) => 3,
    }
}
