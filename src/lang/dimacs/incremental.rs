//! iCNF: clauses interleaved with queries about the clauses so far.
//!
//! The header is `p inccnf`, without numbers. A line that starts with `a` contains literals up to a 0: it asks whether
//! the clauses before it are satisfiable with these literals true. The text is read line by line as it arrives, so that
//! a program can wait for an answer before it writes on.

use super::{Cnf, Error, Parser, text_start, words};
use ramsey_core::base::span::{is_line_end, line_starts};
use ramsey_core::diag::Code;

/// Size in bytes at which text already read is discarded.
const DISCARD_SIZE: usize = 1 << 16;

/// An item of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A clause, the last one of [`Incremental::clauses`].
    Clause,
    /// A query: is there a model of the clauses so far with these literals true?
    Query(Vec<i32>),
}

/// Incremental reader of iCNF text.
///
/// # Examples
/// ```
/// use ramsey_lang::dimacs::{Incremental, Item};
///
/// let mut problem = Incremental::new();
/// problem.feed(b"p inccnf\n1 2 0\na -1 0\n-2");
/// assert_eq!(problem.next_item(), Ok(Some(Item::Clause)));
/// assert_eq!(problem.next_item(), Ok(Some(Item::Query(vec![-1]))));
/// assert_eq!(problem.next_item(), Ok(None));
/// problem.feed(b" 0\n");
/// assert_eq!(problem.next_item(), Ok(Some(Item::Clause)));
/// assert_eq!(problem.clauses().clauses().last(), Some(&[-2][..]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Incremental {
    /// The text received, from the start of a line.
    text: Vec<u8>,
    /// Offset up to which the text has been read.
    at: usize,
    /// The end of the last complete line, or of the text once it has ended.
    complete_end: usize,
    /// The number of lines discarded before `text`.
    lines: usize,
    has_header: bool,
    clauses: Cnf,
    /// The literals of a query that has begun.
    query: Option<Vec<i32>>,
    /// The position of the last literal of an unterminated clause or query.
    open: Option<usize>,
}

impl Incremental {
    /// Creates a reader without text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether a text that begins with these lines is an incremental problem; `None` if they are comments and
    /// empty lines only.
    pub fn is_announced(line: &[u8]) -> Option<bool> {
        line[text_start(line)..].split(|&byte| is_line_end(byte)).find_map(|line| {
            let mut words = words(line).map(|(from, to)| &line[from..to]);
            let first = words.next().filter(|word| word[0] != b'c')?;
            Some(first == b"p" && words.next() == Some(b"inccnf"))
        })
    }

    /// Appends a piece of the text.
    pub fn feed(&mut self, piece: &[u8]) {
        let read = self.open.unwrap_or(self.at);
        let start = self.text[..read].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if start >= DISCARD_SIZE {
            self.lines += line_starts(&self.text[..start]).count();
            self.text.drain(..start);
            self.at -= start;
            self.complete_end -= start;
            self.open = self.open.map(|at| at - start);
        }
        let known = self.text.len();
        self.text.extend_from_slice(piece);
        if let Some(end) = piece.iter().rposition(|&byte| is_line_end(byte)) {
            self.complete_end = known + end + 1;
        }
    }

    /// Marks the end of the text.
    pub fn end(&mut self) {
        self.complete_end = self.text.len();
    }

    /// Returns the text kept, which errors refer to, from the start of a line, with the number of lines before it.
    pub fn text(&self) -> (usize, &[u8]) {
        (self.lines, &self.text)
    }

    /// Returns all clauses so far. The number of variables is the largest in clauses and queries.
    pub fn clauses(&self) -> &Cnf {
        &self.clauses
    }

    /// Returns the next clause or query; `None` if the text so far contains no further complete one.
    ///
    /// # Errors
    /// Returns the first error. Reading cannot continue after it.
    pub fn next_item(&mut self) -> Result<Option<Item>, Error> {
        if (self.lines, self.at) == (0, 0) {
            self.at = text_start(&self.text[..self.complete_end]);
        }
        let mut parser = Parser { text: &self.text[..self.complete_end], at: self.at };
        loop {
            parser.skip_space();
            self.at = parser.at;
            let Some(&byte) = parser.text.get(parser.at) else { return Ok(None) };
            let is_line_start = matches!(byte, b'c' | b'a') && parser.is_line_start();
            match byte {
                b'c' if is_line_start => parser.skip_line(),
                b'p' if self.has_header => {
                    return Err(parser.error_here("a second header", "a file has one `p inccnf` line"));
                }
                b'p' => {
                    let line = parser.line();
                    if words(line).map(|(from, to)| &line[from..to]).ne([&b"p"[..], b"inccnf"]) {
                        let hint = "the header of an incremental problem has no numbers";
                        return Err(parser.error_here("this header is not `p inccnf`", hint));
                    }
                    self.has_header = true;
                    parser.skip_line();
                }
                b'a' if is_line_start && self.open.is_none() => {
                    self.open = Some(parser.at);
                    self.query = Some(Vec::new());
                    parser.at += 1;
                }
                _ => {
                    let start = parser.at;
                    let lit = parser.literal()?;
                    if lit != 0 {
                        self.open = Some(start);
                        self.clauses.num_vars = self.clauses.num_vars.max(lit.unsigned_abs() as usize);
                        self.query.as_mut().unwrap_or(&mut self.clauses.lits).push(lit);
                        continue;
                    }
                    self.at = parser.at;
                    self.open = None;
                    return Ok(Some(match self.query.take() {
                        Some(query) => Item::Query(query),
                        None => {
                            self.clauses.ends.push(self.clauses.lits.len());
                            Item::Clause
                        }
                    }));
                }
            }
        }
    }

    /// Checks that the text ends properly, once it has ended and [`Incremental::next_item`] returns `None`.
    ///
    /// # Errors
    /// Returns an error if the last clause or query is not terminated.
    pub fn check_end(&self) -> Result<(), Error> {
        let Some(start) = self.open else { return Ok(()) };
        let what = if self.query.is_some() { "question" } else { "clause" };
        Err(Error {
            code: Code::Syntax,
            start,
            end: self.at,
            message: format!("the last {what} has no end"),
            hint: "end it with 0".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error as displayed: line, position, message.
    type RenderedError = (usize, String, String);

    /// Returns all items with the number of clauses so far, and the error at the end.
    fn read(text: &[u8], piece: usize) -> (Vec<(usize, Item)>, Option<RenderedError>) {
        let mut problem = Incremental::new();
        let mut items = Vec::new();
        let mut pieces = text.chunks(piece);
        let mut ended = false;
        let error = loop {
            match problem.next_item() {
                Ok(Some(item)) => items.push((problem.clauses().num_clauses(), item)),
                Ok(None) if ended => break problem.check_end().err(),
                Ok(None) => match pieces.next() {
                    Some(piece) => problem.feed(piece),
                    None => {
                        problem.end();
                        ended = true;
                    }
                },
                Err(error) => break Some(error),
            }
        };
        let error = error.map(|error| {
            let (lines, text) = problem.text();
            let line = lines + text[..error.start].iter().filter(|&&byte| byte == b'\n').count() + 1;
            let place = String::from_utf8_lossy(&text[error.start..error.end]).into_owned();
            (line, place, error.message)
        });
        (items, error)
    }

    #[test]
    fn queries_between_clauses() {
        let text = b"c hi\np inccnf\n1 -2 0 3\n0 a\n" as &[u8];
        let (_, error) = read(text, 100);
        assert_eq!(error, Some((4, "a".into(), "`a` is not a literal".into())));
        let text = b"c hi\np inccnf\n1 -2 0 3\n0\na 0\n a 1\nc in between\n -3 0\n\r\n0\na 2 0" as &[u8];
        let expected = vec![
            (1, Item::Clause),
            (2, Item::Clause),
            (2, Item::Query(vec![])),
            (2, Item::Query(vec![1, -3])),
            (3, Item::Clause),
            (3, Item::Query(vec![2])),
        ];
        for piece in 1..=text.len() {
            assert_eq!(read(text, piece), (expected.clone(), None), "in pieces of {piece}");
        }
    }

    #[test]
    fn format_is_decided_by_the_first_line_without_comment() {
        let cases = [
            ("", None),
            ("  \r", None),
            ("c p inccnf", None),
            ("p inccnf\r", Some(true)),
            (" p  inccnf 1", Some(true)),
            ("p cnf 1 1", Some(false)),
            ("1 0", Some(false)),
        ];
        for (line, expected) in cases {
            assert_eq!(Incremental::is_announced(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn errors_have_positions() {
        let many = "1 2 0\n".repeat(30_000);
        let cases = [
            ("p inccnf\n1 0\np inccnf\n".to_owned(), 3, "p inccnf", "a second header"),
            ("p inccnf 1 2\n".to_owned(), 1, "p inccnf 1 2", "this header is not `p inccnf`"),
            ("p inccnf\n1 2\n".to_owned(), 2, "2\n", "the last clause has no end"),
            ("p inccnf\na\n".to_owned(), 2, "a\n", "the last question has no end"),
            ("p inccnf\na 1 0\na x 0".to_owned(), 3, "x", "`x` is not a literal"),
            ("p inccnf\nab 0".to_owned(), 2, "b", "`b` is not a literal"),
            (format!("p inccnf\n{many}a 1 two 0\n"), 30_002, "two", "`two` is not a literal"),
        ];
        for (text, line, place, message) in cases {
            for piece in [1, 7, 4096, 1 << 20] {
                let (_, error) = read(text.as_bytes(), piece);
                assert_eq!(error, Some((line, place.to_owned(), message.to_owned())), "pieces of {piece}");
            }
        }
    }

    #[test]
    fn consumed_text_is_discarded() {
        let mut problem = Incremental::new();
        problem.feed(b"p inccnf\n");
        for _ in 0..100_000 {
            problem.feed(b"a 1 -2 3 0\n");
            assert_eq!(problem.next_item(), Ok(Some(Item::Query(vec![1, -2, 3]))));
        }
        assert!(problem.text().1.len() < 2 * DISCARD_SIZE);
    }

    #[test]
    fn arbitrary_bytes_never_panic() {
        let mut rng = ramsey_core::base::rng::Rng::new(8);
        let alphabet = b"aa p incf 012-\n\n\n\r%cx\xff\x00";
        for _ in 0..20_000 {
            let text: Vec<u8> = (0..rng.below(40)).map(|_| alphabet[rng.below(alphabet.len())]).collect();
            let whole = read(&text, text.len().max(1));
            assert_eq!(read(&text, 1 + rng.below(5)), whole, "{text:?}");
        }
    }
}
