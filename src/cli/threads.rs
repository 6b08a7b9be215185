//! Thread pools, limited by the amount of work and by the system.

use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack size of a worker thread: some code recurses over formulas, which are trees.
const STACK: usize = 64 << 20;

/// Returns a pool of at most `jobs` threads (default: the number of processors) for `work` pieces of work, or `None` if
/// one thread is enough or the system provides no more.
pub(super) fn pool(jobs: Option<u16>, work: usize) -> Option<ThreadPool> {
    let jobs = match jobs {
        Some(jobs) => jobs.into(),
        None => available_parallelism().map_or(1, usize::from),
    };
    let mut threads = jobs.min(work);
    while threads > 1 {
        match ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build() {
            Ok(pool) => return Some(pool),
            // Fewer threads may fit limits of memory and of processes.
            Err(_) => threads /= 2,
        }
    }
    None
}
