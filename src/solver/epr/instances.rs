//! Instances of universal clauses that exist already.

use std::hash::{Hash, Hasher as _};

use hashbrown::HashTable;

use super::atoms::GroundId;
use super::bank::Pattern;
use super::universal::UniversalId;
use ramsey_core::base::hash::Hasher;

#[derive(Clone, Copy, Debug)]
struct Entry {
    universal: UniversalId,
    start: u32,
    len: u32,
    clause: GroundId,
}

/// Map from a universal clause and the terms of its slots to the ground clause that is its instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instances {
    entries: Vec<Entry>,
    terms: Vec<Pattern>,
    table: HashTable<u32>,
}

fn hash_of(universal: UniversalId, terms: &[Pattern]) -> u64 {
    let mut hasher = Hasher::default();
    universal.hash(&mut hasher);
    terms.hash(&mut hasher);
    hasher.finish()
}

impl Instances {
    pub(crate) fn get(&self, universal: UniversalId, terms: &[Pattern]) -> Option<GroundId> {
        let same = |&other: &u32| {
            let entry = &self.entries[other as usize];
            entry.universal == universal && self.terms[entry.start as usize..][..entry.len as usize] == *terms
        };
        self.table.find(hash_of(universal, terms), same).map(|&found| self.entries[found as usize].clause)
    }

    /// Records a new instance.
    pub(crate) fn insert(&mut self, universal: UniversalId, terms: &[Pattern], clause: GroundId) {
        let start = self.terms.len() as u32;
        self.terms.extend_from_slice(terms);
        let index = self.entries.len() as u32;
        self.entries.push(Entry { universal, start, len: terms.len() as u32, clause });
        let (entries, all_terms) = (&self.entries, &self.terms);
        self.table.insert_unique(hash_of(universal, terms), index, |&other| {
            let entry = &entries[other as usize];
            hash_of(entry.universal, &all_terms[entry.start as usize..][..entry.len as usize])
        });
    }
}
