//! Sizes of files, as options and configurations write them.

/// Reads a positive number of bytes: a whole number with a unit (K, M, G, powers of 1,024), or of bytes without one.
///
/// # Errors
/// Returns what is wrong with the text.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units: [(&str, u32); 3] = [("K", 10), ("M", 20), ("G", 30)];
    let with_unit = units.iter().find_map(|(unit, power)| Some((text.strip_suffix(unit)?, *power)));
    let (number, power) = with_unit.unwrap_or((text, 0));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err("not a number of bytes, or a size like 800K, 500M or 2G".to_owned());
    }
    let number: Option<u64> = number.parse().ok();
    match number.and_then(|number| number.checked_mul(1 << power)) {
        Some(0) => Err("must be more than 0".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err("too large".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(bytes("800K"), Ok(800 << 10));
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("2G"), Ok(2 << 30));
        for text in ["", "M", "-1", "1.5G", "1T", "500 M", "0", "99999999999G", "+1"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
