//! Positions in source text.

use std::sync::OnceLock;

use crate::base::ids::IdVec;
use crate::typed_id;

typed_id! {
    /// A source file of this run.
    pub struct FileId;
}

/// A range of bytes in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Byte order mark, which some editors and tools put before a text. It is not part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Line terminators: either character alone, or a carriage return followed by a line feed. All languages use the same
/// set, so that lines agree with those shown by editors.
pub const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Returns whether a byte ends a line; see [`LINE_ENDS`].
pub fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns the offsets at which the lines of `text` begin, except for the first line.
pub fn line_starts(text: &[u8]) -> impl Iterator<Item = usize> {
    let ends = |&at: &usize| text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
    (0..text.len()).filter(ends).map(|at| at + 1)
}

/// Returns where the line of byte `offset` in `text` begins, and its number, from 1.
pub fn line_of(text: &[u8], offset: usize) -> (usize, usize) {
    let (mut start, mut number) = (0, 1);
    for next in line_starts(&text[..offset]) {
        (start, number) = (next, number + 1);
    }
    (start, number)
}

/// Returns the offset at which the line of byte `offset` in `text` ends.
pub fn line_end(text: &[u8], offset: usize) -> usize {
    text[offset..].iter().position(|&byte| is_line_end(byte)).map_or(text.len(), |at| offset + at)
}

/// Returns line and column of byte `offset` in `text`, both from 1. Columns count characters, without a byte order
/// mark.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let starts: Vec<u32> = line_starts(text.as_bytes()).map(|start| start as u32).collect();
    place(text, &starts, offset)
}

/// Like [`line_column`], for lines that begin at `starts` (without the first line).
fn place(text: &str, starts: &[u32], offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let passed = starts.partition_point(|&start| start as usize <= offset);
    let start = passed.checked_sub(1).map_or(0, |last| starts[last] as usize);
    let before = &text[start..offset];
    let before = if start == 0 { before.trim_start_matches(BYTE_ORDER_MARK) } else { before };
    (passed + 1, before.chars().count() + 1)
}

/// A source file: its name, as shown in diagnostics, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path or `<stdin>`.
    pub name: String,
    /// The whole text; never modified.
    pub text: String,
    /// Offsets at which lines begin, except for the first line. Computed on first use and kept, because reports need a
    /// position per obligation.
    starts: OnceLock<Vec<u32>>,
}

impl Source {
    /// Creates a source of this name and text.
    pub fn new(name: String, text: String) -> Source {
        Source { name, text, starts: OnceLock::new() }
    }

    /// Returns line and column of a byte offset, both from 1.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let starts = || line_starts(self.text.as_bytes()).map(|start| start as u32).collect();
        place(&self.text, self.starts.get_or_init(starts), offset as usize)
    }
}

/// All source files of a run.
pub type Sources = IdVec<FileId, Source>;

#[cfg(test)]
mod tests {
    use super::{line_column, line_starts};

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "añb\ncd";
        assert_eq!(line_column(text, 0), (1, 1));
        assert_eq!(line_column(text, 3), (1, 3));
        assert_eq!(line_column(text, 2), (1, 2), "inside a character counts as at its start");
        assert_eq!(line_column(text, 6), (2, 2));
        assert_eq!(line_column(text, 99), (2, 3));
        assert_eq!(line_column("\u{feff}ab", 3), (1, 1));
    }

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\rb\nc\r\nd\n\re";
        let place = |what: &str| line_column(text, text.find(what).expect("in the text"));
        assert_eq!(["a", "b", "c", "d", "e"].map(place), [(1, 1), (2, 1), (3, 1), (4, 1), (6, 1)]);
        assert_eq!(line_column(text, 6), (3, 3), "between the two characters of one end");
        assert_eq!(line_starts(text.as_bytes()).collect::<Vec<_>>(), [2, 4, 7, 9, 10]);
    }
}
