//! Thread pools, limited by the amount of work and by the system.

use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::memory;
use ramsey_engine::infer::{Executor, InOrder, Job};

/// Stack size of a worker thread: some code recurses over formulas, which are trees.
pub(super) const STACK: usize = 64 << 20;

/// Returns a pool of at most `jobs` threads (default: the number of processors) for `work` pieces of work, or `None` if
/// one thread is enough or the system provides no more.
pub(super) fn pool(jobs: Option<u16>, work: usize) -> Option<ThreadPool> {
    let jobs = match jobs {
        Some(jobs) => jobs.into(),
        None => available_parallelism().map_or(1, usize::from),
    };
    let mut threads = memory::threads(jobs.min(work), STACK);
    while threads > 1 {
        match ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build() {
            Ok(pool) => return Some(pool),
            // Fewer threads may fit limits of memory and of processes.
            Err(_) => threads /= 2,
        }
    }
    None
}

/// Runs jobs on the threads of a pool, or one after the other without one.
pub(super) struct Threads(pub(super) Option<ThreadPool>);

impl Executor for Threads {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        match &self.0 {
            Some(pool) => pool.in_place_scope_fifo(|scope| {
                jobs.into_iter().for_each(|job| scope.spawn_fifo(|_| job()));
            }),
            None => InOrder.run(jobs),
        }
    }
}
