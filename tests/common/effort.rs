//! How many random cases a test looks at.

/// `usual` cases, or five times as many where RAMSEY_TESTS is `long`.
pub fn cases(usual: u64) -> u64 {
    let is_long = std::env::var_os("RAMSEY_TESTS").is_some_and(|value| value == "long");
    if is_long { usual * 5 } else { usual }
}
