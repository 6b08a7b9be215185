//! Index of instances from earlier queries by their terms.

use super::atoms::{Atoms, GroundClauses, GroundId, LiveTerms};
use super::bank::Pattern;
use ramsey_core::base::ids::Id as _;

/// End of a list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    clause: GroundId,
    /// The next entry of the same list.
    next: u32,
}

/// Instances of universal clauses asserted outside of all scopes. Each is live in a query once all its terms are live.
///
/// An instance is in the list of one of its terms, and is examined when that term becomes live. If another of its terms
/// is not live at that time, the instance moves to the list of that term. A query therefore spends no time on instances
/// whose terms do not occur in it. No term is live at the start of a query, so every state of the lists is a valid
/// initial state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dormant {
    entries: Vec<Entry>,
    /// By term, the first entry of its list.
    first: Vec<u32>,
    /// Instances without terms, which are always live.
    without_terms: Vec<GroundId>,
}

impl Dormant {
    /// Adds an instance.
    pub(crate) fn add(&mut self, clause: GroundId, atoms: &Atoms, ground: &GroundClauses) {
        let mut terms = ground.lits(clause).iter().flat_map(|lit| atoms.args(lit.var()));
        let Some(&term) = terms.next() else {
            self.without_terms.push(clause);
            return;
        };
        let entry = self.entries.len() as u32;
        self.entries.push(Entry { clause, next: NONE });
        self.link(entry, term);
    }

    /// Returns the instances without terms, in order of creation.
    pub(crate) fn without_terms(&self) -> &[GroundId] {
        &self.without_terms
    }

    /// Returns all instances, in order of creation.
    pub(crate) fn all(&self) -> Vec<GroundId> {
        let entries = self.entries.iter().map(|entry| entry.clause);
        let mut all: Vec<GroundId> = entries.chain(self.without_terms.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    /// Appends the instances whose last term became live with the terms `fresh` to `woken`, in order of creation.
    pub(crate) fn wake(
        &mut self,
        fresh: &[Pattern],
        live: &LiveTerms,
        atoms: &Atoms,
        ground: &GroundClauses,
        woken: &mut Vec<GroundId>,
    ) {
        let start = woken.len();
        for &term in fresh {
            let Some(first) = self.first.get_mut(term.index()) else { continue };
            let mut next = std::mem::replace(first, NONE);
            while next != NONE {
                let entry = next;
                let clause = self.entries[entry as usize].clause;
                next = self.entries[entry as usize].next;
                match live.missing(atoms, ground.lits(clause)) {
                    Some(missing) => self.link(entry, missing),
                    None => {
                        self.link(entry, term);
                        woken.push(clause);
                    }
                }
            }
        }
        woken[start..].sort_unstable();
    }

    fn link(&mut self, entry: u32, term: Pattern) {
        if self.first.len() <= term.index() {
            self.first.resize(term.index() + 1, NONE);
        }
        let first = &mut self.first[term.index()];
        self.entries[entry as usize].next = *first;
        *first = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epr::atoms::AtomKind;
    use crate::epr::bank::Bank;
    use crate::epr::symbols::Symbols;
    use ramsey_core::base::rng::Rng;
    use ramsey_core::logic::{Signature, Sort};

    #[test]
    fn instances_wake_once_all_their_terms_are_live() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let (mut bank, mut symbols) = (Bank::default(), Symbols::default());
        let mut terms = Vec::new();
        for _ in 0..12 {
            let constant = symbols.skolem(&[], sort);
            terms.push(bank.app(&symbols, constant, &[]));
        }
        let rel = symbols.fresh_name();
        let (mut atoms, mut ground, mut dormant) =
            (Atoms::default(), GroundClauses::default(), Dormant::default());
        let mut live = LiveTerms::default();
        let mut rng = Rng::new(7);
        let mut instances = Vec::new();
        let mut woken_in_all = 0;
        for _ in 0..200 {
            for _ in 0..5 {
                let lits: Vec<_> = (0..rng.below(4))
                    .map(|_| {
                        let args: Vec<Pattern> =
                            (0..rng.below(3)).map(|_| terms[rng.below(terms.len())]).collect();
                        atoms.intern(AtomKind::Rel(rel), &args).0.literal(true)
                    })
                    .collect();
                let clause = ground.push(&lits);
                dormant.add(clause, &atoms, &ground);
                instances.push(clause);
            }
            live.start();
            let mut found = dormant.without_terms().to_vec();
            for _ in 0..3 {
                for _ in 0..rng.below(4) {
                    live.mark(&bank, terms[rng.below(terms.len())]);
                }
                let fresh = std::mem::take(&mut live.fresh);
                dormant.wake(&fresh, &live, &atoms, &ground, &mut found);
                let mut sorted = found.clone();
                sorted.sort_unstable();
                let awake = |&&clause: &&GroundId| live.missing(&atoms, ground.lits(clause)).is_none();
                let expected: Vec<GroundId> = instances.iter().filter(awake).copied().collect();
                assert_eq!(sorted, expected);
            }
            woken_in_all += found.len();
        }
        assert!(woken_in_all > 10_000, "{woken_in_all}");
        assert_eq!(dormant.all(), instances);
    }
}
