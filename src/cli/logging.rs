//! Logger of the process: the events selected by `--log`, as lines on standard error.

use std::io::{self, Write as _};
use std::sync::OnceLock;

use log::{LevelFilter, Log, Metadata, Record};

use ramsey_core::diag::nearest;
use ramsey_solver::telemetry::{ENGINE, QUERY, SAT};

/// The log targets, each with its name in `--log` and in lines.
const TARGETS: [(&str, &str); 3] = [("engine", ENGINE), ("sat", SAT), ("query", QUERY)];

const LEVELS: [(&str, LevelFilter); 3] =
    [("info", LevelFilter::Info), ("debug", LevelFilter::Debug), ("trace", LevelFilter::Trace)];

/// A directive `TARGET=LEVEL`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Directive {
    /// Index into [`TARGETS`].
    target: usize,
    level: LevelFilter,
}

/// Reads a directive `TARGET=LEVEL`.
pub(super) fn directive(text: &str) -> Result<Directive, String> {
    let Some((target, level)) = text.split_once('=') else {
        return Err("no TARGET=LEVEL, such as engine=debug".to_owned());
    };
    let target = find("target", target, TARGETS.map(|(name, _)| name))?;
    let level = find("level", level, LEVELS.map(|(name, _)| name))?;
    Ok(Directive { target, level: LEVELS[level].1 })
}

/// Returns the index of `text` among the names of a kind.
fn find(kind: &str, text: &str, names: [&str; 3]) -> Result<usize, String> {
    names.iter().position(|&name| name == text).ok_or_else(|| {
        let hint = match nearest(text, names) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", names.join(", ")),
        };
        format!("there is no such {kind}; {hint}")
    })
}

/// The logger of the process.
static LOGGER: OnceLock<Logger> = OnceLock::new();

/// Installs the logger if there are directives. The last directive for a target takes precedence.
pub(super) fn start(directives: &[Directive]) {
    let mut levels = [LevelFilter::Off; TARGETS.len()];
    for directive in directives {
        levels[directive.target] = directive.level;
    }
    let most = levels.into_iter().max().unwrap_or(LevelFilter::Off);
    if most > LevelFilter::Off && log::set_logger(LOGGER.get_or_init(|| Logger { levels })).is_ok() {
        log::set_max_level(most);
    }
}

/// Checks whether any events are logged.
pub(super) fn is_on() -> bool {
    LOGGER.get().is_some()
}

struct Logger {
    /// Level of each target, in the order of [`TARGETS`].
    levels: [LevelFilter; TARGETS.len()],
}

impl Logger {
    /// Returns the name of the target if the event is enabled.
    fn wanted(&self, metadata: &Metadata<'_>) -> Option<&'static str> {
        let at = TARGETS.iter().position(|&(_, target)| target == metadata.target())?;
        (metadata.level() <= self.levels[at]).then_some(TARGETS[at].0)
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.wanted(metadata).is_some()
    }

    fn log(&self, record: &Record<'_>) {
        if let Some(target) = self.wanted(record.metadata()) {
            // One write per line, because threads write concurrently. Failures to write are ignored.
            let line = format!("[{target}] {}\n", record.args());
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_name_a_target_and_a_level() {
        assert_eq!(directive("sat=trace"), Ok(Directive { target: 1, level: LevelFilter::Trace }));
        let complains = |text: &str, about: &str| {
            assert!(directive(text).is_err_and(|error| error.contains(about)), "{text}");
        };
        complains("engine", "no TARGET=LEVEL");
        complains("engin=debug", "no such target; did you mean engine?");
        complains("kernel=debug", "no such target; there are engine, sat, query");
        complains("engine=debgu", "no such level; did you mean debug?");
        complains("engine=9", "no such level; there are info, debug, trace");
        complains("=", "no such target");
    }
}
