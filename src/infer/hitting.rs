//! Minimum hitting sets, by iterative deepening with a lower bound from disjoint sets.

use std::rc::Rc;

use super::language::Language;
use super::prefix::{Bits, Prefix, count, has};
use crate::base::hash::Map;

/// Maximum number of nodes of the search for a minimum hitting set; beyond it, a greedy one is taken.
const MAX_NODES: u64 = 5_000;
/// Variables per sort of the clauses that are tried first.
const FEW_VARIABLES: u32 = 3;
/// Maximum number of literals of the clauses that are tried first.
const FEW_LITERALS: usize = 4;
/// Maximum number of nodes of the search for a hitting set within limits.
const MAX_NODES_WITHIN: u64 = 20_000;

/// A hitting set problem.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    prefix: &'a Prefix,
    /// The preference of each atom; smaller is better.
    ranks: &'a [u8],
    /// The sets to hit, none of which contains another one.
    pub(super) sets: Vec<Bits>,
    /// Maximum number of variables of each sort.
    variables: Option<Vec<u32>>,
    /// A lower bound of the size of a hitting set. Sets are only added, so it stays one.
    bound: usize,
    /// Number of nodes of the search.
    pub(super) nodes: u64,
}

impl Problem<'_> {
    /// Creates a problem without sets.
    pub(super) fn new<'a>(prefix: &'a Prefix, ranks: &'a [u8]) -> Problem<'a> {
        let variables = Some(vec![FEW_VARIABLES; prefix.of_sort.len()]);
        Problem { prefix, ranks, sets: Vec::new(), variables, bound: 0, nodes: 0 }
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
        while self.nodes <= MAX_NODES {
            let limit = match &self.variables {
                Some(_) if self.bound > FEW_LITERALS || self.nodes > MAX_NODES / 2 => {
                    (self.variables, self.bound) = (None, 0);
                    continue;
                }
                Some(_) => MAX_NODES / 2,
                None => MAX_NODES,
            };
            if let Some(chosen) = self.of_size(limit) {
                return chosen;
            }
            if self.nodes <= limit {
                self.bound += 1;
            }
        }
        self.greedy()
    }

    /// Returns a smallest set of atoms within limits that hits every set, in ascending order. Returns `None` if there is
    /// none, or if the search takes too long.
    pub(super) fn solve_within(&mut self, language: &Language) -> Option<Vec<usize>> {
        self.variables = Some(language.variables.clone());
        while self.bound <= language.literals && self.nodes <= MAX_NODES_WITHIN {
            if let Some(chosen) = self.of_size(MAX_NODES_WITHIN) {
                return Some(chosen);
            }
            self.bound += 1;
        }
        None
    }

    /// Returns a hitting set of at most [`Self::bound`] atoms.
    fn of_size(&mut self, limit: u64) -> Option<Vec<usize>> {
        self.sets.sort_by_key(|set| count(set));
        let open = (0..self.sets.len()).collect();
        let banned = vec![0; self.ranks.len().div_ceil(64)];
        let variables = self.variables.as_deref();
        let Problem { prefix, ranks, sets, nodes, .. } = self;
        let mut search = Search {
            prefix,
            ranks,
            sets,
            variables,
            permitted: Map::default(),
            open,
            chosen: Vec::new(),
            nodes,
            limit,
        };
        let is_found = search.run(self.bound, 0, banned, 0);
        let mut chosen = search.chosen;
        chosen.sort_unstable();
        is_found.then_some(chosen)
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

/// A search for a hitting set.
struct Search<'a> {
    prefix: &'a Prefix,
    ranks: &'a [u8],
    sets: &'a [Bits],
    /// Maximum number of variables of each sort.
    variables: Option<&'a [u32]>,
    /// By the variables of the chosen atoms, the atoms that may join them.
    permitted: Map<u64, Rc<[u64]>>,
    /// Indices of sets, from the end: those that the chosen atoms do not hit, then those that all but the last one of
    /// them do not hit, and so on.
    open: Vec<usize>,
    chosen: Vec<usize>,
    nodes: &'a mut u64,
    /// Maximum number of nodes.
    limit: u64,
}

impl Search<'_> {
    /// Extends the chosen atoms, whose variables are `used`, by at most `bound` ones that are not banned, so that the
    /// sets from `first` on are hit.
    fn run(&mut self, bound: usize, first: usize, mut banned: Vec<u64>, used: u64) -> bool {
        *self.nodes += 1;
        if self.open.len() == first {
            return true;
        }
        if bound == 0 || *self.nodes > self.limit {
            return false;
        }
        let mut free = self.permitted(used).to_vec();
        free.iter_mut().zip(&banned).for_each(|(free, banned)| *free &= !banned);
        let candidates =
            if bound == 1 { self.common(first, free) } else { self.smallest(bound, first, &free) };
        let Some(candidates) = candidates else { return false };
        let mut atoms: Vec<usize> = (0..self.ranks.len()).filter(|&atom| has(&candidates, atom)).collect();
        // Few variables make a general clause.
        atoms.sort_by_key(|&atom| ((self.prefix.vars[atom] & !used).count_ones(), self.ranks[atom]));
        if bound == 1 {
            self.chosen.extend(atoms.first());
            return !atoms.is_empty();
        }
        let end = self.open.len();
        for atom in atoms {
            for at in first..end {
                let set = self.open[at];
                if !has(&self.sets[set], atom) {
                    self.open.push(set);
                }
            }
            self.chosen.push(atom);
            if self.run(bound - 1, end, banned.clone(), used | self.prefix.vars[atom]) {
                return true;
            }
            self.chosen.pop();
            self.open.truncate(end);
            banned[atom / 64] |= 1 << (atom % 64);
        }
        false
    }

    /// Returns the atoms that are in all open sets.
    fn common(&self, first: usize, mut atoms: Vec<u64>) -> Option<Vec<u64>> {
        for &set in &self.open[first..] {
            let mut any = 0;
            for (atom, word) in atoms.iter_mut().zip(self.sets[set].iter()) {
                *atom &= word;
                any |= *atom;
            }
            if any == 0 {
                return None;
            }
        }
        Some(atoms)
    }

    /// Returns the free atoms of the open set with the fewest of them; `None` if more than `bound` of the open sets are
    /// disjoint, or if one has no free atom.
    fn smallest(&self, bound: usize, first: usize, free: &[u64]) -> Option<Vec<u64>> {
        let mut best: Option<(u32, usize)> = None;
        let mut packed = vec![0_u64; free.len()];
        let mut disjoint = 0;
        for &at in &self.open[first..] {
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
    fn permitted(&mut self, used: u64) -> Rc<[u64]> {
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
        Rc::clone(atoms)
    }
}
