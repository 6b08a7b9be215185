//! Remembered types, with the columns of their truth values.

use super::prefix::{Bits, difference, has};

/// Maximum number of remembered types.
const MAX_TYPES: usize = 4_096;

/// Types that violated a clause, to be looked through before states are evaluated.
///
/// The matrix of types and atoms is kept by columns as well, so that the types that agree with another one on given atoms
/// are found 64 at a time.
#[derive(Debug)]
pub(super) struct Seen {
    types: Vec<Bits>,
    /// Per atom, the types in which it is true, by their index.
    columns: Vec<Vec<u64>>,
    /// The index of the type that is replaced next, once there are too many.
    oldest: usize,
}

impl Seen {
    /// Creates an empty set of types over this number of atoms.
    pub(super) fn new(atoms: usize) -> Seen {
        Seen { types: Vec::new(), columns: vec![Vec::new(); atoms], oldest: 0 }
    }

    /// Adds a type and returns its index. It takes the place of the oldest one if there are too many.
    pub(super) fn add(&mut self, added: Bits) -> usize {
        let at = if self.types.len() < MAX_TYPES {
            self.types.len()
        } else {
            let at = self.oldest;
            self.oldest = (at + 1) % MAX_TYPES;
            at
        };
        for (atom, column) in self.columns.iter_mut().enumerate() {
            if column.len() <= at / 64 {
                column.push(0);
            }
            let bit = 1 << (at % 64);
            if has(&added, atom) {
                column[at / 64] |= bit;
            } else {
                column[at / 64] &= !bit;
            }
        }
        match self.types.get_mut(at) {
            Some(old) => *old = added,
            None => self.types.push(added),
        }
        at
    }

    /// Returns the number of atoms on which each type differs from `target`.
    pub(super) fn distances(&self, target: &[u64]) -> Vec<u32> {
        let distance = |seen: &Bits| seen.iter().zip(target).map(|(a, b)| (a ^ b).count_ones()).sum();
        self.types.iter().map(distance).collect()
    }

    /// Returns the atoms on which types differ from `target`, for up to `limit` types that agree with it on all chosen
    /// atoms: those at the least distances.
    pub(super) fn agreeing(
        &self,
        target: &[u64],
        chosen: &[usize],
        distances: &[u32],
        limit: usize,
        work: &mut u64,
    ) -> Vec<Bits> {
        let words = self.types.len().div_ceil(64);
        let mut agreeing = vec![u64::MAX; words];
        if let Some(last) = agreeing.last_mut()
            && !self.types.len().is_multiple_of(64)
        {
            *last = (1 << (self.types.len() % 64)) - 1;
        }
        for &atom in chosen {
            let flip = if has(target, atom) { 0 } else { u64::MAX };
            for (agreeing, column) in agreeing.iter_mut().zip(&self.columns[atom]) {
                *agreeing &= column ^ flip;
            }
        }
        *work += (words * (chosen.len() + 1)) as u64;
        let mut closest: Vec<(u32, usize)> = Vec::new();
        for (word, mut bits) in agreeing.into_iter().enumerate() {
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                *work += 1;
                let candidate = (distances[at], at);
                if closest.len() < limit || closest.last().is_some_and(|last| candidate < *last) {
                    let place = closest.partition_point(|other| *other < candidate);
                    closest.insert(place, candidate);
                    closest.truncate(limit);
                }
            }
        }
        closest.into_iter().map(|(_, at)| difference(&self.types[at], target)).collect()
    }
}
