//! Result of a run: the verdict of the JSON documents, and the exit code.

use super::Tally;
use super::words::words;
use ramsey_core::diag::{Code, Diagnostic, Severity};

words! {
    /// Result of a run, least severe first. The most severe of several counts.
    #[derive(PartialOrd, Ord, Default)]
    pub enum Verdict {
        /// Proved, or as expected.
        #[default]
        Ok = "ok",
        /// A budget ran out.
        Unknown = "unknown",
        /// A counterexample was found.
        Counterexample = "counterexample",
        /// The input or the arguments are wrong.
        BadInput = "bad-input",
        /// An internal contradiction was detected.
        InternalError = "internal-error",
    }
}

impl Verdict {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Verdict::Ok => 0,
            Verdict::Counterexample => 1,
            Verdict::BadInput => 2,
            Verdict::Unknown => 3,
            Verdict::InternalError => 4,
        }
    }

    /// Returns the verdict of a tally of answers.
    pub fn of_tally(tally: Tally) -> Self {
        if tally.internal > 0 {
            Verdict::InternalError
        } else if tally.failed > 0 {
            Verdict::Counterexample
        } else if tally.unknown > 0 {
            Verdict::Unknown
        } else {
            Verdict::Ok
        }
    }

    /// Returns the verdict of a run with these diagnostics and without an answer.
    pub fn without_answer(diagnostics: &[Diagnostic]) -> Self {
        match Verdict::of_diagnostics(diagnostics) {
            Verdict::Ok => Verdict::BadInput,
            verdict => verdict,
        }
    }

    /// Returns the verdict of these diagnostics.
    pub fn of_diagnostics(diagnostics: &[Diagnostic]) -> Self {
        let mut errors = diagnostics.iter().filter(|it| it.severity == Severity::Error).peekable();
        if errors.peek().is_none() {
            Verdict::Ok
        } else if errors.all(|error| error.code == Code::Limit) {
            Verdict::Unknown
        } else {
            Verdict::BadInput
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn the_most_severe_counts() {
        let all = [
            Verdict::Unknown,
            Verdict::InternalError,
            Verdict::Ok,
            Verdict::BadInput,
            Verdict::Counterexample,
        ];
        let mut sorted = all;
        sorted.sort();
        assert_eq!(sorted.map(Verdict::code), [0, 3, 1, 2, 4]);
    }
}
