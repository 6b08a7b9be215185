//! How much tests do, and what they have seen.

/// Whether RAMSEY_TESTS is `long`.
pub fn is_long() -> bool {
    std::env::var_os("RAMSEY_TESTS").is_some_and(|value| value == "long")
}

/// Returns `usual`, or six times as many if RAMSEY_TESTS is `long`.
pub fn cases(usual: u64) -> u64 {
    if is_long() { usual * 6 } else { usual }
}

/// Number of occurrences of each truth value.
#[derive(Default, Debug)]
pub struct Seen([usize; 2]);

impl Seen {
    pub fn note(&mut self, value: bool) -> bool {
        self.0[usize::from(value)] += 1;
        value
    }

    pub fn assert_both(&self, least: usize) {
        assert!(self.0.iter().all(|&count| count >= least), "both truth values occur often: {self:?}");
    }
}
