//! Texts from bytes, and names as words.

use std::fmt::Write as _;
use std::string::FromUtf8Error;

/// Returns the text of a model or problem: UTF-8, or ISO 8859-1 where it is not UTF-8, as comments in old files have names
/// with accents. Outside of comments and quoted names, languages have no such letters, and say so.
///
/// # Errors
/// Returns the bytes with the error in UTF-8, if they are no text in ISO 8859-1 either: it has no control characters but
/// blanks and line ends.
pub fn decode(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let bytes = error.as_bytes();
    let is_text = |byte: &u8| match byte {
        b'\t' | b'\n' | b'\r' | 0x0c => true,
        0x00..=0x1f | 0x7f..=0x9f => false,
        _ => true,
    };
    match bytes.iter().all(is_text) {
        true => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
        false => Err(error),
    }
}

/// Returns a name as a word: a blank, a control character or a `%` is `%`, its number in hexadecimal, and a full stop, and the
/// empty name is `%.`.
pub fn quoted(name: &str) -> String {
    let mut text = String::new();
    for char in name.chars() {
        if char.is_whitespace() || char.is_control() || char == '%' {
            let _ = write!(text, "%{:x}.", u32::from(char));
        } else {
            text.push(char);
        }
    }
    if text.is_empty() { "%.".into() } else { text }
}

/// Returns the name that a word stands for: the inverse of [`quoted`]. `None` if that writes no name so.
pub fn unquoted(word: &str) -> Option<String> {
    if word == "%." {
        return Some(String::new());
    }
    let mut parts = word.split('%');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('.')?;
        name.push(char::from_u32(u32::from_str_radix(number, 16).ok()?)?);
        name.push_str(rest);
    }
    (quoted(&name) == word).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{quoted, unquoted};

    #[test]
    fn names_are_words_and_back() {
        for name in ["", "a", "query 1 4", "%", "a%20.b", "\u{a0}\n", "é"] {
            assert_eq!(unquoted(&quoted(name)).as_deref(), Some(name), "{name:?}");
        }
        for word in ["%", "a%", "%61.", "%020.", "%+20.", "%20", "%d800.", "", "%.a", "a b"] {
            assert_eq!(unquoted(word), None, "{word:?}");
        }
    }

    fn decode(bytes: Vec<u8>) -> Result<String, usize> {
        super::decode(bytes).map_err(|error| error.utf8_error().valid_up_to())
    }

    #[test]
    fn what_is_not_utf8_may_be_latin() {
        assert_eq!(decode("sort é\n".into()), Ok("sort é\n".to_owned()));
        assert_eq!(decode(b"% caf\xe9\r\n\tp.\n".to_vec()), Ok("% café\r\n\tp.\n".to_owned()));
        // Programs, cut characters and other encodings are no text.
        assert_eq!(decode(b"\x7fELF\xff".to_vec()), Err(4));
        assert_eq!(decode(b"ab\xe2\x88".to_vec()), Err(2));
        assert_eq!(decode(b"\xff\xfes\0o\0".to_vec()), Err(0));
    }
}
