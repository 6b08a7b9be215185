//! The atoms over a number of variables per sort, and types: which atoms an assignment of the variables makes true.

use super::state::{Atom, Literal, State, Vocabulary};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{SortId, Tuples};

/// Maximum number of atoms over the elements of a state.
const MAX_ATOMS: usize = 20_000;

/// A set of atoms of a [`Prefix`].
pub(super) type Bits = Box<[u64]>;

pub(super) fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

pub(super) fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

pub(super) fn difference(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The atoms over numbered variables of given sorts, and the types seen.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    pub(super) sorts: Vec<SortId>,
    pub(super) atoms: Vec<Atom>,
    /// Per variable, the atoms that mention it.
    pub(super) mentions: Vec<Vec<usize>>,
    /// Per atom, its variables as bits; those from number 64 on are left out.
    pub(super) vars: Vec<u64>,
    /// Per sort, its variables as bits; those from number 64 on are left out.
    pub(super) of_sort: Vec<u64>,
    /// The atoms whose symbols lemmas need.
    pub(super) useful: Bits,
}

impl Prefix {
    pub(super) fn new(vocabulary: &Vocabulary, sizes: &[u32]) -> Option<Prefix> {
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
        let mut useful = vec![0; atoms.len().div_ceil(64)];
        for (at, atom) in atoms.iter().enumerate() {
            let is_useful = match atom {
                Atom::Relation(symbol, _) | Atom::Value(symbol, _, _) => !vocabulary.symbols[*symbol].is_dead,
                Atom::Equal(..) => true,
            };
            useful[at / 64] |= u64::from(is_useful) << (at % 64);
        }
        let useful = useful.into_boxed_slice();
        Some(Prefix { sorts, atoms, mentions, vars, of_sort, useful })
    }

    /// Returns the atoms that are true under an assignment.
    pub(super) fn type_of(&self, state: &State, values: &[u16]) -> Bits {
        let mut bits = vec![0; self.atoms.len().div_ceil(64)];
        for (at, atom) in self.atoms.iter().enumerate() {
            if atom.holds(state, values) {
                bits[at / 64] |= 1 << (at % 64);
            }
        }
        bits.into_boxed_slice()
    }

    /// Returns the literals with the truth values of a type.
    pub(super) fn diagram(&self, values: &[u64]) -> Vec<Literal> {
        let atoms = self.atoms.iter().enumerate();
        atoms.map(|(at, atom)| Literal { atom: atom.clone(), positive: has(values, at) }).collect()
    }

    /// Returns the assignment of each variable to its own element.
    pub(super) fn identity(&self) -> Vec<u16> {
        let mut values = Vec::new();
        for (at, sort) in self.sorts.iter().enumerate() {
            let same = self.sorts[..at].iter().filter(|&other| other == sort).count();
            values.push(same as u16);
        }
        values
    }

    /// Gives a value to each variable without one, so that few atoms differ from `target`.
    pub(super) fn extend(&self, state: &State, target: &[u64], values: &mut [u16]) {
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
                    is_complete && atom.holds(state, values) != has(target, **at)
                };
                let differing = self.mentions[var].iter().filter(differs).count();
                best = best.min((differing, elem));
            }
            values[var] = best.1;
        }
    }
}
