//! Places in source text.

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
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Line and column of byte `offset` in `text`, both from 1; columns count characters.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.bytes().filter(|&byte| byte == b'\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// A source file's name, as diagnostics show it, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path or `<stdin>`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Line and column, both from 1, of a byte offset.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        line_column(&self.text, offset as usize)
    }
}

/// All source files of a run.
pub type Sources = IdVec<FileId, Source>;

#[cfg(test)]
mod tests {
    use super::line_column;

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "añb\ncd";
        assert_eq!(line_column(text, 0), (1, 1));
        assert_eq!(line_column(text, 3), (1, 3));
        assert_eq!(line_column(text, 2), (1, 2), "inside a character counts as at its start");
        assert_eq!(line_column(text, 6), (2, 2));
        assert_eq!(line_column(text, 99), (2, 3));
    }
}
