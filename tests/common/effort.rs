//! Number of random cases per test.

/// Returns `usual`, or three times as many if RAMSEY_TESTS is `long`.
pub fn cases(usual: u64) -> u64 {
    let is_long = std::env::var_os("RAMSEY_TESTS").is_some_and(|value| value == "long");
    if is_long { usual * 3 } else { usual }
}
