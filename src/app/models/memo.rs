//! Values that are derived once.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ramsey_core::base::hash::Map;

/// Values by what they are derived for, each of which is kept.
#[derive(Debug)]
pub struct Memo<K, V>(Mutex<Map<K, Arc<V>>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<K: std::hash::Hash + Eq, V> Memo<K, V> {
    fn locked(&self) -> MutexGuard<'_, Map<K, Arc<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value for a key, if there is one. Nothing waits for a value that is being derived.
    pub fn get(&self, key: &K) -> Option<Arc<V>> {
        self.locked().get(key).cloned()
    }

    /// Keeps a value.
    pub fn insert(&self, key: K, value: Arc<V>) {
        self.locked().insert(key, value);
    }

    /// Returns the value for a key, and derives it if there is none. Who asks meanwhile derives it as well.
    ///
    /// # Errors
    /// Returns the reason why it could not be derived; the next one who asks tries again.
    pub fn derive<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        if let Some(known) = self.get(&key) {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        self.insert(key, Arc::clone(&made));
        Ok(made)
    }
}

/// Returns the value of a cell, and derives it if there is none.
pub(super) fn derive<V, E>(cell: &OnceLock<V>, make: impl FnOnce() -> Result<V, E>) -> Result<&V, E> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}
