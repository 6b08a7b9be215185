//! Text widths estimated without font metrics, and escaping.

/// Font size in pixels.
pub(super) const FONT_SIZE: i32 = 13;
/// Line height in pixels.
pub(super) const LINE_HEIGHT: i32 = 20;

/// Returns an upper bound, in pixels, of the width of the text in usual sans-serif fonts, bold or not.
pub fn width(text: &str) -> i32 {
    let em: u64 = text.chars().map(|c| u64::from(milli_em(c))).sum();
    let pixels = (em * FONT_SIZE as u64).div_ceil(1000);
    pixels.min(MAX_WIDTH) as i32
}

/// Maximum width in pixels of one text, so that sums of widths stay small.
const MAX_WIDTH: u64 = 1_000_000;

fn milli_em(c: char) -> u32 {
    match c {
        'i' | 'j' | 'l' | '|' | '\'' | '.' | ',' | ':' | ';' | '!' | ' ' | '(' | ')' | '[' | ']' | '/' => 480,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1_120,
        'A'..='Z' | '&' | '+' | '=' | '<' | '>' | '~' | '#' => 880,
        ' '..='~' => 730,
        _ => 1_400,
    }
}

/// Breaks text at blanks into lines not wider than `limit`, where the words allow it. An equality sign is not
/// separated from its sides.
pub(super) fn wrap(text: &str, limit: i32) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in text.split_whitespace() {
        let is_sign = ["=", "!="].contains(&word);
        match words.last_mut() {
            Some(last) if is_sign || is_open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        is_open = is_sign;
    }
    let mut lines: Vec<String> = Vec::new();
    for word in &words {
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(word) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Escapes text for XML content and attributes; characters not allowed in XML 1.0 become U+FFFD.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes text for a quoted string in DOT.
pub(crate) fn dot(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_long_text_are_bounded() {
        assert_eq!(i64::from(width(&"m".repeat(3_000_000))), MAX_WIDTH as i64);
        assert!(width("mm") > width("m"));
    }
}
