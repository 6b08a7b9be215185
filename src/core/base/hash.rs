//! The hash maps and sets of the crate.
//!
//! FxHash has no random state, so the iteration order of a map depends only on its history. Still, no output may depend
//! on the iteration order of a map: iterate over vectors.

/// Hash map with the hasher of this crate.
pub type Map<K, V> = fxhash::FxHashMap<K, V>;
/// Hash set with the hasher of this crate.
pub type Set<K> = fxhash::FxHashSet<K>;
pub use fxhash::FxHasher as Hasher;
