//! Finite partial functions over element tuples: relations and functions of a candidate structure.

use ramsey_core::logic::Elem;

/// A map from tuples to values, indexed by tuple and by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    arity: usize,
    len: usize,
    /// The elements of all tuples; the length is `len * arity`.
    tuples: Vec<Elem>,
    /// The values, one per tuple.
    values: Vec<Elem>,
    /// Hash table with open addressing: 0 if empty, otherwise the index of the tuple plus one. The length is a power of
    /// two.
    buckets: Vec<u32>,
    /// Per column: `heads[element]` is the first tuple plus one, `next[tuple]` the following one plus one.
    columns: Vec<Column>,
    columns_built: bool,
}

#[derive(Clone, Debug, Default)]
struct Column {
    heads: Vec<u32>,
    counts: Vec<u32>,
    next: Vec<u32>,
}

/// Returns the hash of elements in their order.
#[inline]
pub(super) fn hash_of(tuple: impl IntoIterator<Item = Elem>) -> usize {
    let mut hash = 0u64;
    for elem in tuple {
        hash = (hash.rotate_left(5) ^ u64::from(elem)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 20) as usize
}

impl Table {
    pub(crate) fn reset(&mut self, arity: usize) {
        self.arity = arity;
        if self.len > 0 {
            self.tuples.clear();
            self.values.clear();
            self.buckets.fill(0);
        }
        self.len = 0;
        self.columns_built = false;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn tuple(&self, index: usize) -> &[Elem] {
        &self.tuples[index * self.arity..][..self.arity]
    }

    /// Checks whether tuple `index` is `tuple`. Tuples are too short for a call of `memcmp` to pay off.
    #[inline]
    fn is_at(&self, index: usize, tuple: &[Elem]) -> bool {
        let start = index * self.arity;
        tuple.iter().enumerate().all(|(at, &elem)| self.tuples[start + at] == elem)
    }

    pub(crate) fn value(&self, index: usize) -> Elem {
        self.values[index]
    }

    /// Returns the value at `tuple`, if any.
    #[inline]
    pub(crate) fn get(&self, tuple: &[Elem]) -> Option<Elem> {
        if self.len == 0 {
            return None;
        }
        if self.len <= 4 {
            return (0..self.len).find(|&index| self.is_at(index, tuple)).map(|index| self.values[index]);
        }
        let mask = self.buckets.len() - 1;
        let mut at = hash_of(tuple.iter().copied()) & mask;
        loop {
            match self.buckets[at] {
                0 => return None,
                found if self.is_at(found as usize - 1, tuple) => {
                    return Some(self.values[found as usize - 1]);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Sets the value at `tuple` unless it has one. Returns whether it had none.
    pub(crate) fn insert(&mut self, tuple: &[Elem], value: Elem) -> bool {
        debug_assert_eq!(tuple.len(), self.arity);
        if self.get(tuple).is_some() {
            return false;
        }
        self.tuples.extend_from_slice(tuple);
        self.values.push(value);
        self.len += 1;
        self.columns_built = false;
        if self.len * 2 > self.buckets.len() {
            let size = (self.len * 4).next_power_of_two().max(16);
            self.buckets.clear();
            self.buckets.resize(size, 0);
            for index in 0..self.len {
                self.file(index);
            }
        } else {
            self.file(self.len - 1);
        }
        true
    }

    fn file(&mut self, index: usize) {
        let mask = self.buckets.len() - 1;
        let mut at = hash_of(self.tuple(index).iter().copied()) & mask;
        while self.buckets[at] != 0 {
            at = (at + 1) & mask;
        }
        self.buckets[at] = index as u32 + 1;
    }

    /// Builds the column indices. Must be called after the last `insert`.
    pub(crate) fn build_columns(&mut self) {
        if self.columns_built {
            return;
        }
        self.columns_built = true;
        self.columns.resize_with(self.arity, Column::default);
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.heads.clear();
            column.counts.clear();
            column.next.clear();
            // In reverse order, so that chains ascend.
            column.next.resize(self.len, 0);
            for index in (0..self.len).rev() {
                let elem = self.tuples[index * self.arity + at] as usize;
                if column.heads.len() <= elem {
                    column.heads.resize(elem + 1, 0);
                    column.counts.resize(elem + 1, 0);
                }
                column.next[index] = column.heads[elem];
                column.heads[elem] = index as u32 + 1;
                column.counts[elem] += 1;
            }
        }
    }

    /// Returns the number of tuples with `elem` in `column`.
    pub(crate) fn count(&self, column: usize, elem: Elem) -> u32 {
        debug_assert!(self.columns_built);
        self.columns[column].counts.get(elem as usize).copied().unwrap_or(0)
    }

    /// Returns the first tuple with `elem` in `column`, if any.
    pub(crate) fn first(&self, column: usize, elem: Elem) -> Option<usize> {
        let head = self.columns[column].heads.get(elem as usize).copied().unwrap_or(0);
        (head != 0).then(|| head as usize - 1)
    }

    /// Returns the next tuple that has the same element in `column` as tuple `index`, if any.
    pub(crate) fn next(&self, column: usize, index: usize) -> Option<usize> {
        let next = self.columns[column].next[index];
        (next != 0).then(|| next as usize - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn tuples_are_found_by_key_and_by_column() {
        let mut table = Table::default();
        for round in 0..2 {
            table.reset(2);
            for i in 0..50u32 {
                assert!(table.insert(&[i % 7, i], i * 2));
            }
            assert!(!table.insert(&[3, 3], 99));
            assert_eq!(table.get(&[3, 3]), Some(6), "the first value stays");
            assert_eq!(table.len(), 50, "round {round}");
            assert_eq!(table.get(&[5, 12]), Some(24));
            assert_eq!(table.get(&[12, 5]), None);
            table.build_columns();
            let mut found = Vec::new();
            let mut at = table.first(0, 4);
            while let Some(index) = at {
                found.push(table.tuple(index)[1]);
                at = table.next(0, index);
            }
            assert_eq!(found, [4, 11, 18, 25, 32, 39, 46]);
            assert_eq!(table.count(0, 4), 7);
            assert_eq!((table.count(0, 9), table.first(0, 9)), (0, None));
        }
    }
}
