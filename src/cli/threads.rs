//! Threads: as many as there is work for, and as the system gives.

use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack of a worker thread: formulas are trees, and some code follows them down.
const STACK: usize = 64 << 20;

/// At most `jobs` threads (or as many as there are processors) for so many pieces of work; none if one is enough, or
/// where the system gives no more.
pub(super) fn pool(jobs: Option<u16>, work: usize) -> Option<ThreadPool> {
    let jobs = match jobs {
        Some(jobs) => jobs.into(),
        None => available_parallelism().map_or(1, usize::from),
    };
    let mut threads = jobs.min(work);
    while threads > 1 {
        match ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build() {
            Ok(pool) => return Some(pool),
            // Limits of memory and of processes are reached by some number of threads.
            Err(_) => threads /= 2,
        }
    }
    None
}
