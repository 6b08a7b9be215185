//! Sets of literals as bits.

/// Number of literals that a set may have.
pub(super) const CAPACITY: usize = 256;

/// A set of numbered literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub(super) struct Literals([u64; CAPACITY / 64]);

impl Literals {
    pub(super) fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub(super) fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_subset(&self, other: &Literals) -> bool {
        // Without branches, which are wrong more often than they save a word.
        let [a, b] = [&self.0, &other.0];
        (0..a.len()).fold(0, |rest, at| rest | (a[at] & !b[at])) == 0
    }

    pub(super) fn is_disjoint(&self, other: &Literals) -> bool {
        let [a, b] = [&self.0, &other.0];
        (0..a.len()).fold(0, |both, at| both | (a[at] & b[at])) == 0
    }

    pub(super) fn intersection(&self, other: &Literals) -> Literals {
        Literals(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    /// Returns the set with another literal.
    pub(super) fn with(mut self, at: usize) -> Literals {
        self.insert(at);
        self
    }

    /// Returns the literals that take the places of these.
    pub(super) fn mapped(&self, places: &[usize]) -> Literals {
        self.iter().fold(Literals::default(), |image, at| image.with(places[at]))
    }

    /// Iterates over the literals, in ascending order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * at + bit)
            })
        })
    }
}
