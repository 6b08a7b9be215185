//! Number of obligations per kind of answer.

use std::fmt;

use crate::finding::Status;
use ramsey_engine::query::{ObligationResult, Outcome};

/// Counts of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number proved.
    pub ok: usize,
    /// Number refuted by a counterexample.
    pub failed: usize,
    /// Number without an answer because a budget ran out.
    pub unknown: usize,
    /// Number not checked.
    pub skipped: usize,
    /// Number with an internal inconsistency.
    pub internal: usize,
}

impl Tally {
    /// Counts `results`.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a ObligationResult>) -> Self {
        let status = |result: &ObligationResult| match result.outcome {
            Outcome::Holds { .. } => Status::Holds,
            Outcome::Fails(_) => Status::Violated,
            Outcome::Unknown(_) => Status::Unknown,
            Outcome::Skipped => Status::Skipped,
            Outcome::InternalError(_) => Status::InternalError,
        };
        Tally::of_statuses(results.into_iter().map(status))
    }

    /// Counts answers of all kinds.
    pub fn of_statuses(statuses: impl IntoIterator<Item = Status>) -> Self {
        let mut tally = Tally::default();
        for status in statuses {
            *match status {
                Status::Holds => &mut tally.ok,
                Status::Violated => &mut tally.failed,
                Status::Unknown => &mut tally.unknown,
                Status::Skipped => &mut tally.skipped,
                Status::InternalError => &mut tally.internal,
            } += 1;
        }
        tally
    }

    /// Adds other counts.
    pub fn add(&mut self, other: Tally) {
        self.ok += other.ok;
        self.failed += other.failed;
        self.unknown += other.unknown;
        self.skipped += other.skipped;
        self.internal += other.internal;
    }

    /// Returns the number of all obligations.
    pub fn total(&self) -> usize {
        self.ok + self.failed + self.unknown + self.skipped + self.internal
    }

    /// Checks whether every obligation is proved.
    pub fn all_ok(&self) -> bool {
        self.ok == self.total()
    }

    /// Returns the counts with their labels, without zero counts (`ok` alone if all are zero).
    pub fn parts(&self) -> Vec<(usize, &'static str)> {
        let parts = [
            (self.ok, "ok"),
            (self.failed, "failed"),
            (self.unknown, "unknown"),
            (self.skipped, "skipped"),
            (self.internal, "internal errors"),
        ];
        parts.into_iter().filter(|&(count, word)| count > 0 || (self.total() == 0 && word == "ok")).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (count, word)) in self.parts().into_iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{count} {word}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn zero_counts_are_left_out() {
        let mut tally = Tally { ok: 3, ..Tally::default() };
        assert_eq!(tally.to_string(), "3 ok");
        assert!(tally.all_ok());
        tally.add(Tally { failed: 1, skipped: 2, ..Tally::default() });
        assert_eq!(tally.to_string(), "3 ok, 1 failed, 2 skipped");
        assert_eq!(Tally::default().to_string(), "0 ok");
    }
}
