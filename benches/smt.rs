//! Times SMT-LIB scripts in process: reads paths from standard input, and writes for each the answers to its checks and the
//! seconds of CPU time that reading and solving took, the least of several runs.
//!
//! `benches/smt_table.py` sets these beside the times of other solvers.

use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use cpu_time::ProcessTime;
use ramsey::script::{Environment, Response, Session};

/// The allocator of the static binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs end after this many, ..
const MOST_RUNS: usize = 9;
/// .. or when they have taken so long.
const ENOUGH: Duration = Duration::from_millis(200);

fn main() -> io::Result<()> {
    // `cargo bench` passes an argument that means nothing here.
    for path in io::stdin().lock().lines() {
        let path = path?;
        let script = std::fs::read_to_string(&path)?;
        let mut answers = Vec::new();
        let (mut least, mut total) = (Duration::MAX, Duration::ZERO);
        for _ in 0..MOST_RUNS {
            let start = ProcessTime::now();
            answers = Session::new(Environment::default()).run(&script);
            let time = start.elapsed();
            least = least.min(time);
            total += time;
            if total > ENOUGH {
                break;
            }
        }
        let words = answers.iter().filter_map(|answer| match answer {
            Response::Sat => Some("sat"),
            Response::Unsat => Some("unsat"),
            Response::Unknown => Some("unknown"),
            Response::Error(_) | Response::Unsupported(_) => Some("error"),
            _ => None,
        });
        let words: Vec<&str> = words.collect();
        let mut out = io::stdout().lock();
        writeln!(out, "{}\t{:.7}", words.join(" "), least.as_secs_f64())?;
        out.flush()?;
    }
    Ok(())
}
