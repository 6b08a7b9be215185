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
use crate::base::hash::{Map, Set};
use crate::base::ids::Id as _;
use crate::logic::{SortId, Tuples};

/// Maximum number of atoms over the elements of a state.
const MAX_ATOMS: usize = 20_000;
/// Maximum number of nodes of the search for a minimum hitting set; beyond it, a greedy one is taken.
const MAX_NODES: u64 = 5_000;
/// Maximum number of parts of clauses of the same size during an enumeration.
const MAX_PARTS: usize = 400_000;
/// Variables per sort of the clauses that are tried first.
const FEW_VARIABLES: u32 = 3;
/// Maximum number of literals of the clauses that are tried first.
const FEW_LITERALS: usize = 4;
/// Number of sets added for remembered types at a time.
const SETS: usize = 4;
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
    /// Per atom, its variables as bits; those from number 64 on are left out.
    vars: Vec<u64>,
    /// Per sort, its variables as bits; those from number 64 on are left out.
    of_sort: Vec<u64>,
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
        let vars = atoms.iter().map(|atom| {
            let mut bits = 0;
            atom.variables(|var| bits |= 1_u64.checked_shl(var.into()).unwrap_or(0));
            bits
        });
        let vars = vars.collect();
        let mut of_sort = vec![0; sizes.len()];
        for (var, sort) in sorts.iter().enumerate().take(64) {
            of_sort[sort.index()] |= 1 << var;
        }
        Some(Prefix { sorts, atoms, mentions, vars, of_sort, types: Vec::new() })
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

    /// Returns the literals with the truth values of a type.
    fn diagram(&self, values: &[u64]) -> Vec<Literal> {
        let atoms = self.atoms.iter().enumerate();
        atoms.map(|(at, atom)| Literal { atom: atom.clone(), positive: has(values, at) }).collect()
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

/// The types of states over the variables of a prefix, to enumerate clauses.
#[derive(Debug)]
pub(super) struct Table {
    prefix: Prefix,
    known: Set<Bits>,
    types: Vec<Bits>,
}

impl Table {
    /// Creates a table without types; `None` if the prefix has too many atoms.
    pub(super) fn new(vocabulary: &Vocabulary, sizes: &[u32]) -> Option<Table> {
        Some(Table { prefix: Prefix::new(vocabulary, sizes)?, known: Set::default(), types: Vec::new() })
    }

    /// Adds the types of a state.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn add(
        &mut self,
        vocabulary: &Vocabulary,
        state: &State,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let sizes = self.prefix.sorts.iter().map(|sort| state.sizes[sort.index()]).collect();
        for tuple in Tuples::new(sizes) {
            budget.spend(self.prefix.atoms.len() as u64)?;
            let values: Vec<u16> = tuple.iter().map(|&elem| elem as u16).collect();
            let bits = self.prefix.type_of(vocabulary, state, &values);
            if self.known.insert(bits.clone()) {
                self.types.push(bits);
            }
        }
        Ok(())
    }

    /// Returns the patterns excluded by the clauses of at most `literals` literals that are true in all types, while no
    /// part of them is; at most `limit`. The flag tells whether these are all, up to the names of variables.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn strongest(
        &self,
        literals: usize,
        limit: usize,
        budget: &mut Budget,
    ) -> Result<(Vec<Pattern>, bool), Exhausted> {
        // Per literal of the excluded pattern, the types in which it is true.
        let words = self.types.len().div_ceil(64);
        let mut columns: Vec<(Literal, Vec<u64>)> = Vec::new();
        for (at, atom) in self.prefix.atoms.iter().enumerate() {
            for positive in [true, false] {
                if positive && matches!(atom, Atom::Equal(..)) {
                    continue;
                }
                let mut column = vec![0; words];
                for (place, bits) in self.types.iter().enumerate() {
                    if has(bits, at) == positive {
                        column[place / 64] |= 1 << (place % 64);
                    }
                }
                columns.push((Literal { atom: atom.clone(), positive }, column));
            }
        }
        budget.spend((self.types.len() * columns.len()) as u64)?;
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut patterns: Vec<Pattern> = Vec::new();
        let mut seen: Set<Pattern> = Set::default();
        // Parts whose pattern occurs in some type.
        let mut open: Vec<(Vec<usize>, Vec<u64>)> = vec![(Vec::new(), vec![u64::MAX; words])];
        for _ in 0..literals {
            let mut next = Vec::new();
            for (part, column) in &open {
                let first = part.last().map_or(0, |&last| last + 1);
                for at in first..columns.len() {
                    budget.spend(words as u64)?;
                    let both: Vec<u64> = column.iter().zip(&columns[at].1).map(|(a, b)| a & b).collect();
                    let mut all = part.clone();
                    all.push(at);
                    if both.iter().any(|&word| word != 0) {
                        next.push((all, both));
                        if next.len() > MAX_PARTS {
                            return Ok((patterns, false));
                        }
                        continue;
                    }
                    if found.iter().any(|smaller| smaller.iter().all(|it| all.contains(it))) {
                        continue;
                    }
                    let literals = all.iter().map(|&at| columns[at].0.clone()).collect();
                    let pattern = Pattern { sorts: self.prefix.sorts.clone(), literals }.normalized();
                    found.push(all);
                    if seen.insert(pattern.clone()) {
                        patterns.push(pattern);
                        if patterns.len() >= limit {
                            return Ok((patterns, false));
                        }
                    }
                }
            }
            open = next;
        }
        Ok((patterns, true))
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
    /// Each clause that is false in the state violates one of the steps to be respected.
    Blocked,
    /// The state is too large.
    TooLarge,
}

/// A step: a clause that is true in the first state is to be true in the second one.
pub(super) type Edge = (Arc<State>, Arc<State>);

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
        let Some(prefix) = entry.or_insert_with(|| Prefix::new(vocabulary, &state.sizes)) else {
            return Ok(None);
        };
        let target = prefix.type_of(vocabulary, state, &prefix.identity());
        let diagram = prefix.diagram(&target);
        let matcher = Matcher::of_literals(&prefix.sorts, diagram.iter());
        let mut work = diagram.len() as u64;
        let found = find_embedding(&matcher, vocabulary, state, others, &mut work);
        budget.spend(work)?;
        Ok(found)
    }

    /// Returns the diagram of a state, or `None` if it is too large.
    pub(super) fn diagram(&mut self, vocabulary: &Vocabulary, state: &State) -> Option<Pattern> {
        let entry = self.prefixes.entry(state.sizes.clone());
        let prefix = entry.or_insert_with(|| Prefix::new(vocabulary, &state.sizes)).as_ref()?;
        let target = prefix.type_of(vocabulary, state, &prefix.identity());
        Some(Pattern { sorts: prefix.sorts.clone(), literals: prefix.diagram(&target) })
    }

    /// Separates `state` from the states in `others`, to which states are only ever added at the end, by a clause that
    /// respects the given steps.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn separate(
        &mut self,
        vocabulary: &Vocabulary,
        state: &State,
        others: &[Arc<State>],
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Separation, Exhausted> {
        self.order.extend(self.order.len()..others.len());
        let entry = self.prefixes.entry(state.sizes.clone());
        let Some(prefix) = entry.or_insert_with(|| Prefix::new(vocabulary, &state.sizes)) else {
            return Ok(Separation::TooLarge);
        };
        let target = prefix.type_of(vocabulary, state, &prefix.identity());
        let diagram = prefix.diagram(&target);
        let matcher = Matcher::of_literals(&prefix.sorts, diagram.iter());
        let mut work = diagram.len() as u64;
        if let Some((at, values)) = find_embedding(&matcher, vocabulary, state, others, &mut work) {
            budget.spend(work)?;
            return Ok(Separation::Embedded(at, values));
        }
        for (before, after) in steps {
            if matcher.find(vocabulary, after, &mut work).is_some()
                && matcher.find(vocabulary, before, &mut work).is_none()
            {
                budget.spend(work)?;
                return Ok(Separation::Blocked);
            }
        }
        let ranks: Vec<u8> = diagram.iter().map(rank).collect();
        let mut problem = Problem {
            sets: Vec::new(),
            ranks: &ranks,
            vars: &prefix.vars,
            sorts: &prefix.of_sort,
            variables: Some(FEW_VARIABLES),
            bound: 0,
            nodes: 0,
        };
        let mut is_greedy = true;
        loop {
            budget.spend(std::mem::take(&mut work))?;
            let chosen = if is_greedy { problem.greedy() } else { problem.solve() };
            let mut wanted = vec![0_u64; target.len()];
            chosen.iter().for_each(|&at| wanted[at / 64] |= 1 << (at % 64));
            // Types seen before: the sets of the closest ones are added.
            let mut found: Vec<(u32, usize)> = Vec::new();
            for (at, seen) in prefix.types.iter().enumerate() {
                let is_hit = seen.iter().zip(&target).zip(&wanted).any(|((a, b), c)| (a ^ b) & c != 0);
                if !is_hit {
                    found.push((seen.iter().zip(&target).map(|(a, b)| (a ^ b).count_ones()).sum(), at));
                }
            }
            work += prefix.types.len() as u64;
            if !found.is_empty() {
                found.sort_unstable();
                for &(_, at) in found.iter().take(SETS) {
                    problem.add(difference(&prefix.types[at], &target));
                    self.sets += 1;
                }
                continue;
            }
            let matcher = Matcher::of_literals(&prefix.sorts, chosen.iter().map(|&at| &diagram[at]));
            let violated = self.order.iter().enumerate().find_map(|(place, &at)| {
                Some((Some(place), &others[at], matcher.find(vocabulary, &others[at], &mut work)?))
            });
            let violated = violated.or_else(|| {
                steps.iter().find_map(|(before, after)| {
                    let values = matcher.find(vocabulary, after, &mut work)?;
                    matcher.find(vocabulary, before, &mut work).is_none().then_some((None, after, values))
                })
            });
            let Some((place, other, mut values)) = violated else {
                if std::mem::take(&mut is_greedy) {
                    continue;
                }
                budget.spend(work + problem.nodes * problem.sets.len() as u64)?;
                let literals = chosen.iter().map(|&at| diagram[at].clone()).collect();
                return Ok(Separation::Clause(
                    Pattern { sorts: prefix.sorts.clone(), literals }.normalized(),
                ));
            };
            prefix.extend(vocabulary, other, &target, &mut values);
            let seen = prefix.type_of(vocabulary, other, &values);
            work += prefix.atoms.len() as u64;
            problem.add(difference(&seen, &target));
            self.sets += 1;
            if let Some(place) = place {
                let at = self.order.remove(place);
                self.order.insert(0, at);
                prefix.types.insert(0, seen);
                prefix.types.truncate(MAX_TYPES);
            }
        }
    }
}

fn find_embedding(
    matcher: &Matcher,
    vocabulary: &Vocabulary,
    state: &State,
    others: &[Arc<State>],
    work: &mut u64,
) -> Option<(usize, Vec<u16>)> {
    others.iter().enumerate().find_map(|(at, other)| {
        let is_larger = other.sizes.iter().zip(&state.sizes).all(|(other, own)| other >= own);
        Some((at, is_larger.then(|| matcher.find(vocabulary, other, work)).flatten()?))
    })
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
    /// The variables of each atom, as bits.
    vars: &'a [u64],
    /// The variables of each sort, as bits.
    sorts: &'a [u64],
    /// Maximum number of variables per sort.
    variables: Option<u32>,
    /// A lower bound of the size of a hitting set. Sets are only added, so it stays one.
    bound: usize,
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
    ///
    /// Clauses with few variables per sort come first: the states seen are small, so that clauses with as many variables
    /// as these have elements are often true for no other reason.
    fn solve(&mut self) -> Vec<usize> {
        self.sets.sort_by_key(|set| count(set));
        let words = self.sets.first().map_or(0, |set| set.len());
        while self.nodes <= MAX_NODES {
            let limit = match self.variables {
                Some(_) if self.bound > FEW_LITERALS || self.nodes > MAX_NODES / 2 => {
                    (self.variables, self.bound) = (None, 0);
                    continue;
                }
                Some(_) => MAX_NODES / 2,
                None => MAX_NODES,
            };
            let mut chosen = Vec::new();
            let mut taken = vec![0_u64; words];
            let mut banned = vec![0_u64; words];
            if self.search(self.bound, &mut chosen, &mut taken, &mut banned, limit) {
                chosen.sort_unstable();
                return chosen;
            }
            if self.nodes <= limit {
                self.bound += 1;
            }
        }
        self.greedy()
    }

    /// Extends `chosen` by at most `bound` atoms, none of them banned, to a hitting set. `taken` has the bits of
    /// `chosen`.
    fn search(
        &mut self,
        bound: usize,
        chosen: &mut Vec<usize>,
        taken: &mut [u64],
        banned: &mut [u64],
        limit: u64,
    ) -> bool {
        self.nodes += 1;
        // The open set with the fewest atoms that are not banned, and a number of disjoint open sets.
        let mut best: Option<(u32, usize)> = None;
        let mut packed = vec![0_u64; taken.len()];
        let mut disjoint = 0;
        for (at, set) in self.sets.iter().enumerate() {
            let (mut left, mut is_hit, mut is_disjoint) = (0, 0, 0);
            for word in 0..set.len() {
                let open = set[word] & !banned[word];
                is_hit |= set[word] & taken[word];
                is_disjoint |= open & packed[word];
                left += open.count_ones();
            }
            if is_hit != 0 {
                continue;
            }
            if is_disjoint == 0 {
                disjoint += 1;
                if disjoint > bound {
                    return false;
                }
                packed.iter_mut().zip(set.iter().zip(banned.iter())).for_each(|(packed, (set, banned))| {
                    *packed |= set & !banned;
                });
            }
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, at));
            }
        }
        let Some((left, at)) = best else { return true };
        if left == 0 || bound == 0 || self.nodes > limit {
            return false;
        }
        let mut candidates: Vec<u64> =
            self.sets[at].iter().zip(banned.iter()).map(|(set, banned)| set & !banned).collect();
        if bound == 1 {
            // The last atom has to hit all open sets.
            for set in &self.sets {
                if set.iter().zip(taken.iter()).all(|(set, taken)| set & taken == 0) {
                    candidates.iter_mut().zip(set.iter()).for_each(|(candidate, set)| *candidate &= set);
                }
            }
        }
        let used = chosen.iter().fold(0, |used, &atom| used | self.vars[atom]);
        let is_small = |atom: &usize| {
            let all = used | self.vars[*atom];
            self.variables.is_none_or(|most| self.sorts.iter().all(|sort| (sort & all).count_ones() <= most))
        };
        let mut atoms: Vec<usize> =
            (0..self.ranks.len()).filter(|&atom| has(&candidates, atom)).filter(is_small).collect();
        // Few variables make a general clause.
        atoms.sort_by_key(|&atom| ((self.vars[atom] & !used).count_ones(), self.ranks[atom]));
        if bound == 1 {
            chosen.extend(atoms.first());
            return !atoms.is_empty();
        }
        let saved = banned.to_vec();
        for atom in atoms {
            chosen.push(atom);
            taken[atom / 64] |= 1 << (atom % 64);
            if self.search(bound - 1, chosen, taken, banned, limit) {
                return true;
            }
            chosen.pop();
            taken[atom / 64] &= !(1 << (atom % 64));
            banned[atom / 64] |= 1 << (atom % 64);
        }
        banned.copy_from_slice(&saved);
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
