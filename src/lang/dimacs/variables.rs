//! Dense numbering of the variables of a formula.

use ramsey_core::base::hash::Map;

/// Minimum size of the table of small numbers. The table also covers numbers up to four times the number of variables;
/// larger ones are in a map.
const MIN_TABLE_SIZE: usize = 1 << 10;

/// Variables of a text, with dense indices from 0, which are the variables of a solver. Memory use is proportional to
/// the number of variables, however large their numbers are.
///
/// # Examples
/// ```
/// use ramsey_lang::dimacs::Variables;
///
/// let mut variables = Variables::new();
/// assert_eq!(variables.add(2_000_000_000), 0);
/// assert_eq!(variables.add(7), 1);
/// assert_eq!(variables.add(2_000_000_000), 0);
/// assert_eq!(variables.index(7), Some(1));
/// assert_eq!(variables.numbers(), [2_000_000_000, 7]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// Number of each variable in the text, by index.
    numbers: Vec<u32>,
    /// Index plus one, by number; 0 for numbers that do not occur or are in `large`.
    small: Vec<u32>,
    /// Indices of numbers that were too large for `small` when they first occurred.
    large: Map<u32, u32>,
}

impl Variables {
    /// Creates an empty numbering.
    pub fn new() -> Variables {
        Variables::default()
    }

    /// Returns the index of the variable `number`, and assigns the next one if it is new.
    pub fn add(&mut self, number: u32) -> usize {
        if let Some(index) = self.index(number) {
            return index;
        }
        let index = self.numbers.len();
        self.numbers.push(number);
        let place = number as usize;
        if place < MIN_TABLE_SIZE.max(4 * self.numbers.len()) {
            if self.small.len() <= place {
                self.small.resize(place + 1, 0);
            }
            self.small[place] = index as u32 + 1;
        } else {
            self.large.insert(number, index as u32);
        }
        index
    }

    /// Returns the index of the variable `number`, if it occurs.
    #[inline]
    pub fn index(&self, number: u32) -> Option<usize> {
        match self.small.get(number as usize) {
            Some(&next) if next > 0 => Some(next as usize - 1),
            _ if self.large.is_empty() => None,
            _ => self.large.get(&number).map(|&index| index as usize),
        }
    }

    /// Returns the numbers by index.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Creates the numbering of the variables in `literals`, in ascending order.
    pub(super) fn ascending(literals: &[i32]) -> Variables {
        let mut variables = Variables::new();
        let largest = literals.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        let words = largest as usize / 64 + 1;
        if words <= literals.len().max(MIN_TABLE_SIZE) {
            let mut occurs = vec![0u64; words];
            for lit in literals {
                let number = lit.unsigned_abs() as usize;
                occurs[number / 64] |= 1 << (number % 64);
            }
            for (word, &bits) in occurs.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    variables.add(64 * word as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        } else {
            let mut numbers: Vec<u32> = literals.iter().map(|lit| lit.unsigned_abs()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            for number in numbers {
                variables.add(number);
            }
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_dense() {
        let mut rng = ramsey_core::base::rng::Rng::new(3);
        for bits in [4, 12, 20, 31] {
            let mut literals = Vec::new();
            let mut variables = Variables::new();
            for _ in 0..3_000 {
                let number = 1 + rng.below((1 << bits) - 1) as u32;
                literals.push(if rng.one_in(2) { number as i32 } else { -(number as i32) });
                let index = variables.add(number);
                assert_eq!((variables.index(number), variables.numbers()[index]), (Some(index), number));
            }
            let ascending = Variables::ascending(&literals);
            let mut sorted = variables.numbers().to_vec();
            sorted.sort_unstable();
            assert_eq!(ascending.numbers(), sorted, "{bits} bits");
            for (index, &number) in sorted.iter().enumerate() {
                assert_eq!(ascending.index(number), Some(index));
            }
            assert_eq!(ascending.index(0), None);
            assert!(variables.small.len() <= MIN_TABLE_SIZE.max(4 * variables.len()));
        }
    }
}
