//! Typed ids and vectors indexed by them, so that a sort is never taken for a symbol.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index that stands for one kind of thing.
pub trait Id: Copy + Eq + Ord + std::hash::Hash {
    /// The id with this index.
    fn new(index: usize) -> Self;
    /// The index of this id.
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
    /// An empty vector.
    pub fn new() -> Self {
        IdVec { items: Vec::new(), index: PhantomData }
    }

    /// A vector of `len` copies of `item`.
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

    /// The id that the next `push` will return.
    ///
    /// # Panics
    /// There are 2^32 - 1 items: wrapping would make one thing of two.
    pub fn next_id(&self) -> I {
        assert!(self.items.len() < u32::MAX as usize, "ids have 32 bits");
        I::new(self.items.len())
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item of `id`, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The items in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The items in the order of their ids, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Ids with their items, in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::new(index), item))
    }

    /// Grows to at least `len` items, new ones made by `make`.
    pub fn grow_to(&mut self, len: usize, make: impl FnMut() -> T) {
        if self.items.len() < len {
            self.items.resize_with(len, make);
        }
    }

    /// Drops all items but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// The items as a slice.
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
