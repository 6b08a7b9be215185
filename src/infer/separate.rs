//! Separation: a smallest clause that is true in all given states and false in another one.
//!
//! The clause is the negation of a part of the state's diagram: a set of atoms, each with its truth value in the state.
//! It is true in another state if every assignment of the variables there changes the value of one of the atoms. The
//! atoms that an assignment changes are a set that the clause has to hit, so that a smallest clause is a minimum hitting
//! set. The sets are found on demand: a minimum hitting set of those known is evaluated in the states, and an assignment
//! under which it is violated adds a set.

use std::sync::Arc;

use super::state::{Atom, Literal, Matcher, Pattern, State, Vocabulary};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::base::ids::Id as _;
use crate::logic::{SortId, Tuples};

/// Maximum number of atoms over the elements of a state.
const MAX_ATOMS: usize = 20_000;
/// Maximum number of nodes of the search for a minimum hitting set; beyond it, a greedy one is taken.
const MAX_NODES: u64 = 50_000;
/// Maximum number of remembered types per prefix.
const MAX_TYPES: usize = 4_096;

/// A set of atoms of a [`Prefix`].
type Bits = Box<[u64]>;

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

fn difference(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The atoms over numbered variables of given sorts, and the types seen.
#[derive(Debug)]
struct Prefix {
    sorts: Vec<SortId>,
    atoms: Vec<Atom>,
    /// Per variable, the atoms that mention it.
    mentions: Vec<Vec<usize>>,
    /// Types that violated a clause: per assignment of the variables in some state, the true atoms. The most useful
    /// come first.
    types: Vec<Bits>,
}

impl Prefix {
    fn new(vocabulary: &Vocabulary, sizes: &[u32]) -> Option<Prefix> {
        let mut sorts = Vec::new();
        let mut first: Vec<u32> = vec![0; sizes.len()];
        for (sort, &size) in sizes.iter().enumerate().skip(1) {
            first[sort] = sorts.len() as u32;
            sorts.extend((0..size).map(|_| SortId::new(sort)));
        }
        if sorts.len() >= usize::from(u8::MAX) {
            return None;
        }
        let mut atoms = Vec::new();
        for (at, symbol) in vocabulary.symbols.iter().enumerate() {
            let all: Vec<SortId> = symbol.args.iter().copied().chain(symbol.result).collect();
            let dims: Vec<u32> = all.iter().map(|sort| sizes[sort.index()]).collect();
            if Tuples::count_all(&dims) > MAX_ATOMS as u64 {
                return None;
            }
            for tuple in Tuples::new(dims) {
                let mut vars: Vec<u8> =
                    tuple.iter().zip(&all).map(|(elem, sort)| (first[sort.index()] + elem) as u8).collect();
                atoms.push(match symbol.result {
                    None => Atom::Relation(at, vars),
                    Some(_) => {
                        let value = vars.pop()?;
                        Atom::Value(at, vars, value)
                    }
                });
            }
        }
        for a in 0..sorts.len() {
            let same = (a + 1..sorts.len()).filter(|&b| sorts[a] == sorts[b]);
            atoms.extend(same.map(|b| Atom::Equal(a as u8, b as u8)));
        }
        if atoms.len() > MAX_ATOMS {
            return None;
        }
        let mut mentions = vec![Vec::new(); sorts.len()];
        for (at, atom) in atoms.iter().enumerate() {
            atom.variables(|var| {
                let of_var: &mut Vec<usize> = &mut mentions[usize::from(var)];
                if of_var.last() != Some(&at) {
                    of_var.push(at);
                }
            });
        }
        Some(Prefix { sorts, atoms, mentions, types: Vec::new() })
    }

    /// Returns the atoms that are true under an assignment.
    fn type_of(&self, vocabulary: &Vocabulary, state: &State, values: &[u16]) -> Bits {
        let mut bits = vec![0; self.atoms.len().div_ceil(64)];
        for (at, atom) in self.atoms.iter().enumerate() {
            if atom.holds(vocabulary, state, values) {
                bits[at / 64] |= 1 << (at % 64);
            }
        }
        bits.into_boxed_slice()
    }

    /// Returns the assignment of each variable to its own element.
    fn identity(&self) -> Vec<u16> {
        let mut values = Vec::new();
        for (at, sort) in self.sorts.iter().enumerate() {
            let same = self.sorts[..at].iter().filter(|&other| other == sort).count();
            values.push(same as u16);
        }
        values
    }

    /// Gives a value to each variable without one, so that few atoms differ from `target`.
    fn extend(&self, vocabulary: &Vocabulary, state: &State, target: &[u64], values: &mut [u16]) {
        for var in 0..values.len() {
            if values[var] != u16::MAX {
                continue;
            }
            let mut best = (usize::MAX, 0);
            for elem in 0..state.sizes[self.sorts[var].index()] as u16 {
                values[var] = elem;
                let differs = |at: &&usize| {
                    let atom = &self.atoms[**at];
                    let mut is_complete = true;
                    atom.variables(|other| is_complete &= values[usize::from(other)] != u16::MAX);
                    is_complete && atom.holds(vocabulary, state, values) != has(target, **at)
                };
                let differing = self.mentions[var].iter().filter(differs).count();
                best = best.min((differing, elem));
            }
            values[var] = best.1;
        }
    }
}

/// Result of a separation.
#[derive(Debug)]
pub(super) enum Separation {
    /// The clause that excludes this pattern is true in all other states.
    Clause(Pattern),
    /// The state is a substructure of the other one with this index. The values are the elements that its elements
    /// stand for, sort by sort.
    Embedded(usize, Vec<u16>),
    /// The state is too large.
    TooLarge,
}

/// Finds separating clauses. Remembers which assignments were decisive.
#[derive(Debug, Default)]
pub(super) struct Separator {
    prefixes: Map<Vec<u32>, Option<Prefix>>,
    /// Indices of the states, those that refuted a clause recently first.
    order: Vec<usize>,
    /// Sets added to hitting set problems.
    pub(super) sets: u64,
}

impl Separator {
    /// Separates `state` from the states in `others`, to which states are only ever added at the end.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn separate(
        &mut self,
        vocabulary: &Vocabulary,
        state: &State,
        others: &[Arc<State>],
        budget: &mut Budget,
    ) -> Result<Separation, Exhausted> {
        self.order.extend(self.order.len()..others.len());
        let entry = self.prefixes.entry(state.sizes.clone());
        let Some(prefix) = entry.or_insert_with(|| Prefix::new(vocabulary, &state.sizes)) else {
            return Ok(Separation::TooLarge);
        };
        let target = prefix.type_of(vocabulary, state, &prefix.identity());
        let literal = |at: usize| Literal { atom: prefix.atoms[at].clone(), positive: has(&target, at) };
        let diagram: Vec<Literal> = (0..prefix.atoms.len()).map(literal).collect();
        let matcher = Matcher::of_literals(&prefix.sorts, diagram.iter());
        let mut work = diagram.len() as u64;
        for (at, other) in others.iter().enumerate() {
            let is_larger = other.sizes.iter().zip(&state.sizes).all(|(other, own)| other >= own);
            if is_larger && let Some(values) = matcher.find(vocabulary, other, &mut work) {
                budget.spend(work)?;
                return Ok(Separation::Embedded(at, values));
            }
        }
        let ranks: Vec<u8> = diagram.iter().map(rank).collect();
        let mut problem = Problem { sets: Vec::new(), ranks: &ranks, nodes: 0 };
        loop {
            budget.spend(std::mem::take(&mut work) + std::mem::take(&mut problem.nodes))?;
            let chosen = problem.solve();
            let mut wanted = vec![0_u64; target.len()];
            chosen.iter().for_each(|&at| wanted[at / 64] |= 1 << (at % 64));
            // Types seen before.
            let mut found: Option<(u32, usize)> = None;
            for (at, seen) in prefix.types.iter().enumerate() {
                let is_hit = seen.iter().zip(&target).zip(&wanted).any(|((a, b), c)| (a ^ b) & c != 0);
                if !is_hit {
                    let size = seen.iter().zip(&target).map(|(a, b)| (a ^ b).count_ones()).sum();
                    if found.is_none_or(|(least, _)| size < least) {
                        found = Some((size, at));
                    }
                }
            }
            work += prefix.types.len() as u64;
            if let Some((_, at)) = found {
                let seen = prefix.types.remove(at);
                problem.add(difference(&seen, &target));
                prefix.types.insert(0, seen);
                self.sets += 1;
                continue;
            }
            let matcher = Matcher::of_literals(&prefix.sorts, chosen.iter().map(|&at| &diagram[at]));
            let violated =
                self.order.iter().enumerate().find_map(|(place, &at)| {
                    Some((place, matcher.find(vocabulary, &others[at], &mut work)?))
                });
            let Some((place, mut values)) = violated else {
                budget.spend(work)?;
                let literals = chosen.iter().map(|&at| diagram[at].clone()).collect();
                return Ok(Separation::Clause(
                    Pattern { sorts: prefix.sorts.clone(), literals }.normalized(),
                ));
            };
            let at = self.order.remove(place);
            self.order.insert(0, at);
            prefix.extend(vocabulary, &others[at], &target, &mut values);
            let seen = prefix.type_of(vocabulary, &others[at], &values);
            work += prefix.atoms.len() as u64;
            problem.add(difference(&seen, &target));
            prefix.types.insert(0, seen);
            prefix.types.truncate(MAX_TYPES);
            self.sets += 1;
        }
    }
}

/// Preference of a literal of the excluded pattern; smaller is better.
fn rank(literal: &Literal) -> u8 {
    match (&literal.atom, literal.positive) {
        (Atom::Relation(..) | Atom::Value(..), true) => 0,
        (Atom::Relation(..), false) => 1,
        (Atom::Equal(..), _) => 2,
        (Atom::Value(..), false) => 3,
    }
}

/// A hitting set problem.
struct Problem<'a> {
    /// The sets to hit, none of which contains another one.
    sets: Vec<Bits>,
    ranks: &'a [u8],
    /// Number of nodes of the search.
    nodes: u64,
}

impl Problem<'_> {
    fn add(&mut self, set: Bits) {
        let contains = |a: &Bits, b: &Bits| b.iter().zip(a.iter()).all(|(b, a)| b & !a == 0);
        self.sets.retain(|other| !contains(other, &set));
        self.sets.push(set);
    }

    /// Returns a smallest set of atoms that hits every set, in ascending order; or a small one if the search takes too
    /// long. No atom of it can be left out.
    fn solve(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        order.sort_by_key(|&at| count(&self.sets[at]));
        let words = self.sets.first().map_or(0, |set| set.len());
        let start = self.nodes;
        for bound in 0.. {
            let mut chosen = Vec::new();
            let mut banned = vec![0_u64; words];
            if self.search(&order, bound, &mut chosen, &mut banned, start + MAX_NODES) {
                chosen.sort_unstable();
                return chosen;
            }
            if self.nodes - start > MAX_NODES {
                break;
            }
        }
        self.greedy()
    }

    fn search(
        &mut self,
        order: &[usize],
        bound: usize,
        chosen: &mut Vec<usize>,
        banned: &mut Vec<u64>,
        limit: u64,
    ) -> bool {
        self.nodes += 1;
        // The open set with the fewest atoms that are not banned.
        let mut best: Option<(u32, usize)> = None;
        for &at in order {
            let set = &self.sets[at];
            if chosen.iter().any(|&atom| has(set, atom)) {
                continue;
            }
            let left = set.iter().zip(banned.iter()).map(|(set, banned)| (set & !banned).count_ones()).sum();
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, at));
                if left <= 1 {
                    break;
                }
            }
        }
        let Some((left, at)) = best else { return true };
        if left == 0 || bound == 0 || self.nodes > limit {
            return false;
        }
        let set = self.sets[at].clone();
        let mut atoms: Vec<usize> =
            (0..self.ranks.len()).filter(|&atom| has(&set, atom) && !has(banned, atom)).collect();
        if bound == 1 {
            // The last atom has to hit all open sets.
            for other in order.iter().map(|&at| &self.sets[at]) {
                if !chosen.iter().any(|&atom| has(other, atom)) {
                    atoms.retain(|&atom| has(other, atom));
                }
            }
            atoms.sort_by_key(|&atom| self.ranks[atom]);
            return match atoms.first() {
                Some(&atom) => {
                    chosen.push(atom);
                    true
                }
                None => false,
            };
        }
        atoms.sort_by_key(|&atom| self.ranks[atom]);
        let saved = banned.clone();
        for atom in atoms {
            chosen.push(atom);
            if self.search(order, bound - 1, chosen, banned, limit) {
                return true;
            }
            chosen.pop();
            banned[atom / 64] |= 1 << (atom % 64);
        }
        *banned = saved;
        false
    }

    /// Returns a hitting set without redundant atoms.
    fn greedy(&self) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        loop {
            let mut hits = vec![0_u32; self.ranks.len()];
            for set in &self.sets {
                if !chosen.iter().any(|&atom| has(set, atom)) {
                    (0..hits.len()).filter(|&atom| has(set, atom)).for_each(|atom| hits[atom] += 1);
                }
            }
            let best = (0..hits.len()).max_by_key(|&atom| (hits[atom], u8::MAX - self.ranks[atom]));
            match best {
                Some(atom) if hits[atom] > 0 => chosen.push(atom),
                _ => break,
            }
        }
        for at in (0..chosen.len()).rev() {
            let is_needed = self.sets.iter().any(|set| {
                has(set, chosen[at])
                    && !chosen.iter().enumerate().any(|(other, &atom)| other != at && has(set, atom))
            });
            if !is_needed {
                chosen.remove(at);
            }
        }
        chosen.sort_unstable();
        chosen
    }
}
