//! Source excerpts of diagnostics: bounded in number of lines and in line length.

use std::ops::Range;

use ramsey_core::base::span::{
    BYTE_ORDER_MARK, LINE_ENDS, is_line_end, line_column, line_end, line_of, line_starts,
};

/// Maximum length of a line that is not cut around the place.
const LONG_LINE: usize = 400;
/// Bytes kept before and after the place in a cut line.
const AROUND: usize = 60;
/// Maximum number of lines of a place that is shown in full; of a longer one only the first line is shown.
const MAX_LINES: usize = 8;

/// Piece of a source that contains a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Excerpt {
    /// Whole lines, or a piece of an overlong line.
    pub(super) text: String,
    /// Number of the first line, from 1.
    pub(super) line: usize,
    /// The place, as a byte range of `text`.
    pub(super) place: Range<usize>,
    /// Column of the place in the source (from 1, in characters) if the line was cut.
    pub(super) column: Option<usize>,
    /// Byte range of the excerpt in the source.
    pub(super) range: Range<usize>,
}

/// Returns the excerpt of `source` around `start..end`.
pub(super) fn excerpt(source: &str, start: usize, end: usize) -> Excerpt {
    let first = source.len() - source.trim_start_matches(BYTE_ORDER_MARK).len();
    let start = floor_boundary(source, start.clamp(first, source.len()));
    let mut end = ceil_boundary(source, end.clamp(start, source.len()));
    let bytes = source.as_bytes();
    let (line_start, line) = line_of(bytes, start);
    let line_start = line_start.max(first);
    if line_starts(&bytes[start..end]).count() >= MAX_LINES {
        end = line_end(bytes, start);
    }
    // A place that includes its line's end does not extend to the next line.
    while end > start && is_line_end(bytes[end - 1]) {
        end -= 1;
    }
    let text_end = line_end(bytes, end);
    // One line alone is as long as the text.
    let is_short = text_end - line_start <= LONG_LINE
        || line_end(bytes, start) - line_start <= LONG_LINE
            && source[line_start..text_end].split(LINE_ENDS).all(|line| line.len() <= LONG_LINE);
    if is_short {
        return Excerpt {
            text: shown(&source[line_start..text_end]),
            line,
            place: start - line_start..end - line_start,
            column: None,
            range: line_start..text_end,
        };
    }
    let end = end.min(line_end(bytes, start)).min(ceil_boundary(source, start + AROUND));
    let from = floor_boundary(source, start.saturating_sub(AROUND).max(line_start));
    let to = ceil_boundary(source, (end + AROUND).min(line_end(bytes, start)));
    let before = if from > line_start { "..." } else { "" };
    let behind = if to < line_end(bytes, start) { "..." } else { "" };
    Excerpt {
        text: format!("{before}{}{behind}", &source[from..to]),
        line,
        place: start - from + before.len()..end - from + before.len(),
        column: Some(line_column(source, start).1),
        range: from..to,
    }
}

/// Returns a piece of a source for display: a carriage return that ends a line becomes a line feed.
pub(super) fn shown(text: &str) -> String {
    let bytes = text.as_bytes();
    let show = |(at, char)| if char == '\r' && bytes.get(at + 1) != Some(&b'\n') { '\n' } else { char };
    text.char_indices().map(show).collect()
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn whole_lines_by_default() {
        let text = "sort a\nsort b\nsort c\n";
        let cut = excerpt(text, 12, 13);
        assert_eq!((cut.text.as_str(), cut.line, cut.place.clone()), ("sort b", 2, 5..6));
        assert_eq!(&text[cut.range], "sort b");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("x\n{}é!{}", "é".repeat(3000), "ü".repeat(3000));
        let cut = excerpt(&text, 2 + 6002, 2 + 6003);
        assert_eq!((cut.line, cut.column), (2, Some(3002)));
        assert_eq!(&cut.text[cut.place.clone()], "!");
        assert!(cut.text.len() < 200 && cut.text.starts_with("...é") && cut.text.ends_with("ü..."));
    }

    #[test]
    fn places_outside_the_text_are_moved_in() {
        assert_eq!(excerpt("", 7, 9).place, 0..0);
        assert_eq!(excerpt("ab\n", 90, 70).text, "");
        assert_eq!(excerpt("ab\ncd\n", 3, 6).place, 0..2);
    }

    #[test]
    fn carriage_returns_end_lines() {
        let cut = excerpt("ab\rcd\r\nef\rgh", 3, 10);
        assert_eq!((cut.text.as_str(), cut.line, cut.place), ("cd\r\nef", 2, 0..6));
        assert_eq!(excerpt("ab\rcd\ref", 0, 5).text, "ab\ncd");
        let cut = excerpt("\u{feff}ab\ncd", 4, 5);
        assert_eq!(
            (cut.text.as_str(), cut.line, cut.place),
            ("ab", 1, 1..2),
            "a byte order mark is no part of it"
        );
    }

    #[test]
    fn many_lines_become_one() {
        let text = "line\n".repeat(50);
        assert_eq!(excerpt(&text, 0, text.len()).text, "line");
    }
}
