//! Minimum hitting sets, by iterative deepening with a lower bound from disjoint sets.

use std::sync::Arc;

use super::language::Language;
use super::prefix::{Bits, Prefix, count, has};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::Map;

/// Maximum number of nodes of the search for a minimum hitting set; beyond it, a greedy one is taken.
const MAX_NODES: u64 = 5_000;
/// Variables per sort of the clauses that are tried first.
const FEW_VARIABLES: u32 = 3;
/// Maximum number of literals of the clauses that are tried first.
const FEW_LITERALS: usize = 4;
/// Maximum number of nodes of the search for a hitting set within limits.
const MAX_NODES_WITHIN: u64 = 100_000;

/// Returns sets that a hitting set of the known ones does not hit; none if it is accepted.
pub(super) type Check<'a> = &'a mut dyn FnMut(&[usize]) -> Result<Vec<Bits>, Exhausted>;

/// A hitting set problem whose sets are found on demand.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    prefix: &'a Prefix,
    /// The preference of each atom; smaller is better.
    ranks: &'a [u8],
    /// The sets to hit that are known.
    sets: Vec<Bits>,
    /// Number of nodes of the search.
    nodes: u64,
    /// Work units of the search.
    pub(super) work: u64,
}

impl Problem<'_> {
    /// Creates a problem without known sets.
    pub(super) fn new<'a>(prefix: &'a Prefix, ranks: &'a [u8]) -> Problem<'a> {
        Problem { prefix, ranks, sets: Vec::new(), nodes: 0, work: 0 }
    }

    /// Returns a smallest set of atoms that hits every set, in ascending order; or a small one if the search takes too
    /// long. No atom of it can be left out. The set of all atoms must hit every set.
    ///
    /// Clauses with few variables per sort come first: the states seen are small, so that clauses with as many variables
    /// as these have elements are often true for no other reason.
    ///
    /// # Errors
    /// Returns the errors of `check`.
    pub(super) fn solve(&mut self, check: Check<'_>) -> Result<Vec<usize>, Exhausted> {
        let few = vec![FEW_VARIABLES; self.prefix.of_sort.len()];
        if let Some(chosen) = self.search(Some(&few), FEW_LITERALS, MAX_NODES / 2, check)? {
            return Ok(chosen);
        }
        if let Some(chosen) = self.search(None, self.ranks.len(), MAX_NODES, check)? {
            return Ok(chosen);
        }
        loop {
            let chosen = self.greedy();
            self.work += (self.sets.len() * self.ranks.len()) as u64;
            let missed = check(&chosen)?;
            if missed.is_empty() {
                return Ok(chosen);
            }
            self.sets.extend(missed);
        }
    }

    /// Returns a smallest set of atoms within limits that hits every set, in ascending order. Returns `None` if there is
    /// none, or if the search takes too long.
    ///
    /// # Errors
    /// Returns the errors of `check`.
    pub(super) fn solve_within(
        &mut self,
        language: &Language,
        check: Check<'_>,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        self.search(Some(&language.variables), language.literals, MAX_NODES_WITHIN, check)
    }

    /// Searches for hitting sets of more and more atoms.
    fn search(
        &mut self,
        variables: Option<&[u32]>,
        literals: usize,
        limit: u64,
        check: Check<'_>,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        for bound in 0..=literals {
            self.sets.sort_by_key(|set| count(set));
            let banned = vec![0; self.ranks.len().div_ceil(64)];
            let Problem { prefix, ranks, sets, nodes, work } = self;
            let all = (0..sets.len()).collect();
            let mut search = Search {
                prefix,
                ranks,
                sets,
                variables,
                permitted: Map::default(),
                open: vec![all],
                chosen: Vec::new(),
                nodes,
                work,
                limit,
                check: &mut *check,
            };
            if search.run(bound, banned, 0)? {
                let mut chosen = search.chosen;
                chosen.sort_unstable();
                return Ok(Some(chosen));
            }
            if self.nodes > limit {
                break;
            }
        }
        Ok(None)
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

/// A search for a hitting set by depth.
///
/// A hitting set of the known sets is checked at once, and the sets that it misses are added. Sets are only added, so that
/// what was searched before stays without a hitting set, and the search goes on from where it is.
struct Search<'a, 'c> {
    prefix: &'a Prefix,
    ranks: &'a [u8],
    sets: &'a mut Vec<Bits>,
    /// Maximum number of variables of each sort.
    variables: Option<&'a [u32]>,
    /// By the variables of the chosen atoms, the atoms that may join them.
    permitted: Map<u64, Arc<[u64]>>,
    /// By number of chosen atoms, the indices of sets that these do not hit.
    open: Vec<Vec<usize>>,
    chosen: Vec<usize>,
    nodes: &'a mut u64,
    work: &'a mut u64,
    /// Maximum number of nodes.
    limit: u64,
    check: Check<'c>,
}

impl Search<'_, '_> {
    /// Checks the chosen atoms, which hit all known sets. Adds those that they miss, and tells whether there are none.
    fn accept(&mut self) -> Result<bool, Exhausted> {
        let missed = (self.check)(&self.chosen)?;
        for set in &missed {
            let at = self.sets.len();
            self.sets.push(set.clone());
            self.open.iter_mut().for_each(|open| open.push(at));
        }
        Ok(missed.is_empty())
    }

    /// Extends the chosen atoms, whose variables are `used`, by at most `bound` ones that are not banned, so that all
    /// sets are hit.
    fn run(&mut self, bound: usize, mut banned: Vec<u64>, used: u64) -> Result<bool, Exhausted> {
        *self.nodes += 1;
        let depth = self.chosen.len();
        if self.open[depth].is_empty() && self.accept()? {
            return Ok(true);
        }
        if bound == 0 || *self.nodes > self.limit {
            return Ok(false);
        }
        let mut free = self.permitted(used).to_vec();
        free.iter_mut().zip(&banned).for_each(|(free, banned)| *free &= !banned);
        *self.work += (self.open[depth].len() * free.len()) as u64;
        if bound == 1 {
            return self.last(free, used);
        }
        let Some(candidates) = self.smallest(bound, &free) else { return Ok(false) };
        for atom in self.ordered(&candidates, used) {
            let missed = |&set: &usize| !has(&self.sets[set], atom);
            let open = self.open[depth].iter().copied().filter(missed).collect();
            self.open.push(open);
            self.chosen.push(atom);
            if self.run(bound - 1, banned.clone(), used | self.prefix.vars[atom])? {
                return Ok(true);
            }
            self.chosen.pop();
            self.open.pop();
            banned[atom / 64] |= 1 << (atom % 64);
        }
        Ok(false)
    }

    /// Extends the chosen atoms by one of the free ones.
    fn last(&mut self, mut free: Vec<u64>, used: u64) -> Result<bool, Exhausted> {
        let depth = self.chosen.len();
        let mut next = 0;
        loop {
            for &set in &self.open[depth][next..] {
                let mut any = 0;
                for (atom, word) in free.iter_mut().zip(self.sets[set].iter()) {
                    *atom &= word;
                    any |= *atom;
                }
                if any == 0 {
                    return Ok(false);
                }
            }
            next = self.open[depth].len();
            let Some(&atom) = self.ordered(&free, used).first() else { return Ok(false) };
            self.open.push(Vec::new());
            self.chosen.push(atom);
            if self.accept()? {
                return Ok(true);
            }
            self.chosen.pop();
            self.open.pop();
        }
    }

    /// Returns atoms in the order in which they are tried.
    fn ordered(&self, atoms: &[u64], used: u64) -> Vec<usize> {
        let mut ordered: Vec<usize> = (0..self.ranks.len()).filter(|&atom| has(atoms, atom)).collect();
        // Few variables make a general clause.
        ordered.sort_by_key(|&atom| ((self.prefix.vars[atom] & !used).count_ones(), self.ranks[atom]));
        ordered
    }

    /// Returns the free atoms of the open set with the fewest of them; `None` if more than `bound` of the open sets are
    /// disjoint, or if one has no free atom.
    fn smallest(&self, bound: usize, free: &[u64]) -> Option<Vec<u64>> {
        let mut best: Option<(u32, usize)> = None;
        let mut packed = vec![0_u64; free.len()];
        let mut disjoint = 0;
        for &at in self.open.last()? {
            let set = &self.sets[at];
            let (mut left, mut is_disjoint) = (0, 0);
            for ((set, free), packed) in set.iter().zip(free).zip(&packed) {
                let open = set & free;
                is_disjoint |= open & packed;
                left += open.count_ones();
            }
            if is_disjoint == 0 {
                disjoint += 1;
                if disjoint > bound || left == 0 {
                    return None;
                }
                for ((packed, set), free) in packed.iter_mut().zip(set.iter()).zip(free) {
                    *packed |= set & free;
                }
            }
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, at));
            }
        }
        let (_, at) = best?;
        Some(self.sets[at].iter().zip(free).map(|(set, free)| set & free).collect())
    }

    /// Returns the atoms that may be added to atoms with these variables.
    fn permitted(&mut self, used: u64) -> Arc<[u64]> {
        let Search { prefix, variables, permitted, .. } = self;
        let atoms = permitted.entry(used).or_insert_with(|| {
            let mut atoms = vec![0; prefix.atoms.len().div_ceil(64)];
            for (atom, vars) in prefix.vars.iter().enumerate() {
                let is_permitted = variables.is_none_or(|most| {
                    let is_few = |(sort, &most): (&u64, &u32)| (sort & (used | vars)).count_ones() <= most;
                    has(&prefix.useful, atom) && prefix.of_sort.iter().zip(most).all(is_few)
                });
                atoms[atom / 64] |= u64::from(is_permitted) << (atom % 64);
            }
            atoms.into()
        });
        Arc::clone(atoms)
    }
}
