//! Typed ids, and vectors indexed by them, which prevent confusing, for example, sorts with symbols.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index into a table of one type of items.
pub trait Id: Copy + Eq + Ord + std::hash::Hash {
    /// Returns the id with this index.
    fn new(index: usize) -> Self;
    /// Returns the index of this id.
    fn index(self) -> usize;
}

/// Declares newtype ids over `u32`: `typed_id! { /// doc \n pub struct SortId; }`.
#[macro_export]
macro_rules! typed_id {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(u32);

        impl $crate::base::ids::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

/// A vector indexed by the ids of type `I`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    index: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// Creates an empty vector.
    pub fn new() -> Self {
        IdVec { items: Vec::new(), index: PhantomData }
    }

    /// Creates a vector of `len` copies of `item`.
    pub fn filled(len: usize, item: T) -> Self
    where
        T: Clone,
    {
        IdVec { items: vec![item; len], index: PhantomData }
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// Returns the id that the next `push` will assign.
    ///
    /// # Panics
    /// Panics if there are 2^32 - 1 items: wrapping would identify two items.
    pub fn next_id(&self) -> I {
        assert!(self.items.len() < u32::MAX as usize, "ids have 32 bits");
        I::new(self.items.len())
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether the vector is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the item of `id`, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Returns the items in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Returns mutable references to the items in the order of their ids.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Returns all ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Returns ids with their items, in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::new(index), item))
    }

    /// Extends the vector to at least `len` items with results of `make`.
    pub fn grow_to(&mut self, len: usize, make: impl FnMut() -> T) {
        if self.items.len() < len {
            self.items.resize_with(len, make);
        }
    }

    /// Removes all items but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// Returns the items as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        IdVec { items: items.into_iter().collect(), index: PhantomData }
    }
}
