//! Minimum hitting sets, by iterative deepening with a lower bound from disjoint sets.

use super::prefix::{Bits, Prefix, count, has};

/// Maximum number of nodes of the search for a minimum hitting set; beyond it, a greedy one is taken.
const MAX_NODES: u64 = 5_000;
/// Variables per sort of the clauses that are tried first.
const FEW_VARIABLES: u32 = 3;
/// Maximum number of literals of the clauses that are tried first.
const FEW_LITERALS: usize = 4;

/// A hitting set problem.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    prefix: &'a Prefix,
    /// The preference of each atom; smaller is better.
    ranks: &'a [u8],
    /// The sets to hit, none of which contains another one.
    pub(super) sets: Vec<Bits>,
    /// Maximum number of variables per sort.
    variables: Option<u32>,
    /// A lower bound of the size of a hitting set. Sets are only added, so it stays one.
    bound: usize,
    /// Number of nodes of the search.
    pub(super) nodes: u64,
}

impl Problem<'_> {
    /// Creates a problem without sets.
    pub(super) fn new<'a>(prefix: &'a Prefix, ranks: &'a [u8]) -> Problem<'a> {
        Problem { prefix, ranks, sets: Vec::new(), variables: Some(FEW_VARIABLES), bound: 0, nodes: 0 }
    }

    /// Adds a set.
    pub(super) fn add(&mut self, set: Bits) {
        let contains = |a: &Bits, b: &Bits| b.iter().zip(a.iter()).all(|(b, a)| b & !a == 0);
        self.sets.retain(|other| !contains(other, &set));
        self.sets.push(set);
    }

    /// Returns a smallest set of atoms that hits every set, in ascending order; or a small one if the search takes too
    /// long. No atom of it can be left out.
    ///
    /// Clauses with few variables per sort come first: the states seen are small, so that clauses with as many variables
    /// as these have elements are often true for no other reason.
    pub(super) fn solve(&mut self) -> Vec<usize> {
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
        let used = chosen.iter().fold(0, |used, &atom| used | self.prefix.vars[atom]);
        let is_small = |atom: &usize| {
            let all = used | self.prefix.vars[*atom];
            self.variables.is_none_or(|most| {
                has(&self.prefix.useful, *atom)
                    && self.prefix.of_sort.iter().all(|sort| (sort & all).count_ones() <= most)
            })
        };
        let mut atoms: Vec<usize> =
            (0..self.ranks.len()).filter(|&atom| has(&candidates, atom)).filter(is_small).collect();
        // Few variables make a general clause.
        atoms.sort_by_key(|&atom| ((self.prefix.vars[atom] & !used).count_ones(), self.ranks[atom]));
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
    pub(super) fn greedy(&self) -> Vec<usize> {
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
