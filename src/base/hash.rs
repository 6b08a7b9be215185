//! The one place that chooses a hasher.
//!
//! FxHash has no random state, so the iteration order of a map depends only on its history.
//! Still, no output may depend on the iteration order of a map: iterate over vectors.

/// Hash map with the house's hasher.
pub type Map<K, V> = fxhash::FxHashMap<K, V>;
/// Hash set with the house's hasher.
pub type Set<K> = fxhash::FxHashSet<K>;
pub use fxhash::FxHasher as Hasher;
