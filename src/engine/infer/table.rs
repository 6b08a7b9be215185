//! Enumeration of the strongest clauses that are true in given states.

use super::prefix::{Bits, Prefix, has};
use super::state::{Atom, Literal, Pattern, State, Vocabulary};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{SymId, Tuples};

/// Maximum number of parts of clauses of the same size during an enumeration.
const MAX_PARTS: usize = 400_000;

/// The types of states over the variables of a prefix, to enumerate clauses.
#[derive(Debug)]
pub(super) struct Table {
    prefix: Prefix,
    /// By symbol of the vocabulary, whether clauses may have it.
    is_used: Vec<bool>,
    known: Set<Bits>,
    types: Vec<Bits>,
}

impl Table {
    /// Creates a table without types; `None` if the prefix has too many atoms.
    pub(super) fn new(vocabulary: &Vocabulary, sizes: &[u32]) -> Option<Table> {
        let prefix = Prefix::new(vocabulary, sizes)?;
        Some(Table {
            prefix,
            is_used: vec![true; vocabulary.symbols.len()],
            known: Set::default(),
            types: Vec::new(),
        })
    }

    /// Leaves out clauses with other symbols.
    pub(super) fn restrict(&mut self, vocabulary: &Vocabulary, symbols: &[SymId]) {
        self.is_used = vocabulary.symbols.iter().map(|symbol| symbols.contains(&symbol.sym)).collect();
    }

    /// Adds the types of a state.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn add(&mut self, state: &State, budget: &mut Budget) -> Result<(), Exhausted> {
        let sizes = self.prefix.sorts.iter().map(|sort| state.sizes[sort.index()]).collect();
        for tuple in Tuples::new(sizes) {
            budget.spend(self.prefix.atoms.len() as u64)?;
            let values: Vec<u16> = tuple.iter().map(|&elem| elem as u16).collect();
            let bits = self.prefix.type_of(state, &values);
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
            if let Atom::Relation(symbol, _) | Atom::Value(symbol, ..) = atom
                && !self.is_used[*symbol]
            {
                continue;
            }
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
                    if is_contradiction(all.iter().map(|&at| &columns[at].0)) {
                        continue;
                    }
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

/// Checks whether no state satisfies all literals because an atom is both true and false, or because a function has two
/// values.
fn is_contradiction<'a>(literals: impl Iterator<Item = &'a Literal> + Clone) -> bool {
    literals.clone().any(|a| {
        literals.clone().any(|b| match (&a.atom, &b.atom) {
            (Atom::Value(f, x, v), Atom::Value(g, y, w)) if f == g && x == y && v != w => {
                let distinct = Literal { atom: Atom::Equal(*v.min(w), *v.max(w)), positive: false };
                a.positive && b.positive && literals.clone().any(|it| *it == distinct)
            }
            (atom, other) => atom == other && a.positive != b.positive,
        })
    })
}
