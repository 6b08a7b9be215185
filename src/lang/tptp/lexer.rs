//! Lexer of TPTP.
//!
//! It is written by hand, unlike the lexers of models: what is no token is told apart by its reason ([`TokenError`]), with
//! the place up to which it extends, and blocks of comments may remain open.

use std::ops::Range;

use ramsey_core::base::span::{BYTE_ORDER_MARK, is_line_end};

/// A token. The text of words, quoted names and numbers is in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name that begins with a lower-case letter.
    LowerWord,
    /// A variable.
    UpperWord,
    /// `$word` or `$$word`.
    DollarWord,
    /// A name in single quotes.
    SingleQuoted,
    /// A distinct object: a name in double quotes.
    DistinctObject,
    /// An integer, a fraction or a decimal number, with its sign.
    Number,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Comma,
    Dot,
    Colon,
    Not,
    And,
    Or,
    Implies,
    ImpliedBy,
    Iff,
    Xor,
    Nor,
    Nand,
    Forall,
    Exists,
    Equal,
    NotEqual,
    /// `>` in types.
    Arrow,
    /// `*` in types and in `include`.
    Star,
    /// `!>`.
    ForallTypes,
    /// Text that is not a token.
    Bad(TokenError),
    /// The end of the text.
    End,
}

/// Reason why a text is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenError {
    /// No token starts with this character.
    Character,
    /// The line ends within quotes.
    OpenQuote,
    /// A backslash within quotes precedes a character other than a quote or a backslash.
    Escape,
    /// The text ends within a comment.
    OpenComment,
}

/// Operators and punctuation, each before all of its prefixes.
const SIGNS: &[(&str, Token)] = &[
    ("<=>", Token::Iff),
    ("<~>", Token::Xor),
    ("<=", Token::ImpliedBy),
    ("=>", Token::Implies),
    ("~|", Token::Nor),
    ("~&", Token::Nand),
    ("!=", Token::NotEqual),
    ("!>", Token::ForallTypes),
    ("(", Token::LeftParen),
    (")", Token::RightParen),
    ("[", Token::LeftBracket),
    ("]", Token::RightBracket),
    (",", Token::Comma),
    (".", Token::Dot),
    (":", Token::Colon),
    ("~", Token::Not),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Forall),
    ("?", Token::Exists),
    ("=", Token::Equal),
    (">", Token::Arrow),
    ("*", Token::Star),
];

/// Iterator over the tokens of a text.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`.
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        // A byte order mark is not part of the text.
        let rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        Lexer { text, at: text.len() - rest.len() }
    }

    /// Returns the next token with its position. At the end of the text, `End` is returned repeatedly.
    pub(super) fn next(&mut self) -> (Token, Range<usize>) {
        if let Some(start) = self.skip_blanks() {
            return (Token::Bad(TokenError::OpenComment), start..self.at);
        }
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let (token, length) = match rest {
            [] => (Token::End, 0),
            [b'a'..=b'z', ..] => (Token::LowerWord, word(rest)),
            [b'A'..=b'Z', ..] => (Token::UpperWord, word(rest)),
            [b'$', b'$', b'a'..=b'z' | b'A'..=b'Z', ..] => (Token::DollarWord, 2 + word(&rest[2..])),
            [b'$', b'a'..=b'z' | b'A'..=b'Z', ..] => (Token::DollarWord, 1 + word(&rest[1..])),
            [b'0'..=b'9', ..] | [b'+' | b'-', b'0'..=b'9', ..] => (Token::Number, number(rest)),
            [b'\'', ..] => quoted(rest, Token::SingleQuoted),
            [b'"', ..] => quoted(rest, Token::DistinctObject),
            _ => match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign.as_bytes())) {
                Some((sign, token)) => (*token, sign.len()),
                None => {
                    let length = self.text[start..].chars().next().map_or(0, char::len_utf8);
                    (Token::Bad(TokenError::Character), length)
                }
            },
        };
        self.at += length;
        (token, start..self.at)
    }

    /// Skips white space and comments. Returns the start of an unterminated comment, which extends to the end of the
    /// text.
    fn skip_blanks(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            match &bytes[self.at..] {
                [first, ..] if first.is_ascii_whitespace() => self.at += 1,
                [b'%', rest @ ..] => {
                    let line = rest.iter().position(|&byte| is_line_end(byte));
                    self.at += 1 + line.unwrap_or(rest.len());
                }
                [b'/', b'*', rest @ ..] => match find(rest, b"*/") {
                    Some(end) => self.at += 2 + end + 2,
                    None => return Some(std::mem::replace(&mut self.at, bytes.len())),
                },
                _ => return None,
            }
        }
    }
}

/// Returns the position of the first occurrence of `what`.
fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// Returns the length of the longest prefix of letters, digits and underscores.
fn word(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns the length of a number: `-1`, `1/2`, `1.5`, `1.5E-3`. A dot that no digit follows ends a formula.
fn number(text: &[u8]) -> usize {
    let sign = usize::from(!text[0].is_ascii_digit());
    let mut end = sign + digits(&text[sign..]);
    if let [b'.' | b'/', b'0'..=b'9', ..] = &text[end..] {
        end += 1 + digits(&text[end + 1..]);
    }
    match &text[end..] {
        [b'e' | b'E', b'0'..=b'9', ..] => end += 1 + digits(&text[end + 1..]),
        [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => end += 2 + digits(&text[end + 2..]),
        _ => {}
    }
    end
}

/// Returns the token that begins with a quote at the start of the text, and its length. It ends on its line.
fn quoted(text: &[u8], token: Token) -> (Token, usize) {
    let quote = text[0];
    let mut at = 1;
    let mut escapes_are_right = true;
    loop {
        match &text[at..] {
            [] => return (Token::Bad(TokenError::OpenQuote), at),
            [end, ..] if is_line_end(*end) => return (Token::Bad(TokenError::OpenQuote), at),
            [b'\\', next, ..] if *next == b'\\' || *next == quote => at += 2,
            [b'\\', ..] => {
                escapes_are_right = false;
                at += 1;
            }
            [first, ..] if *first == quote => {
                let token = if escapes_are_right { token } else { Token::Bad(TokenError::Escape) };
                return (token, at + 1);
            }
            _ => at += 1,
        }
    }
}

/// Returns the name that a token stands for, with no unnecessary quotes: `'abc'` is `abc`.
pub(super) fn name(token: Token, text: &str) -> &str {
    let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    match inner {
        Some(inner)
            if token == Token::SingleQuoted
                && inner.starts_with(|first: char| first.is_ascii_lowercase())
                && word(inner.as_bytes()) == inner.len() =>
        {
            inner
        }
        _ => text,
    }
}

/// Returns the text between the quotes of a name.
pub(super) fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(first) = chars.next() {
        // A backslash escapes the next character.
        out.extend(if first == '\\' { chars.next() } else { Some(first) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Lexer, SIGNS, Token, TokenError, name, unquoted};

    fn tokens(text: &str) -> Vec<(Token, &str)> {
        let mut lexer = Lexer::new(text);
        let mut found = Vec::new();
        loop {
            let (token, range) = lexer.next();
            if token == Token::End {
                return found;
            }
            found.push((token, &text[range]));
        }
    }

    #[test]
    fn every_sign_can_be_found() {
        for (at, (sign, token)) in SIGNS.iter().enumerate() {
            for (later, _) in &SIGNS[at + 1..] {
                assert!(!later.starts_with(sign), "`{later}` would never be found after `{sign}`");
            }
            assert_eq!(tokens(sign), [(*token, *sign)]);
        }
    }

    #[test]
    fn words_quotes_and_numbers() {
        use Token::{DistinctObject, DollarWord, Dot, LowerWord, Number, SingleQuoted, UpperWord};
        assert_eq!(
            tokens("ab_1 Xy $i $$sys 'a b' \"a b\" a.'\\'\\\\'"),
            [
                (LowerWord, "ab_1"),
                (UpperWord, "Xy"),
                (DollarWord, "$i"),
                (DollarWord, "$$sys"),
                (SingleQuoted, "'a b'"),
                (DistinctObject, "\"a b\""),
                (LowerWord, "a"),
                (Dot, "."),
                (SingleQuoted, "'\\'\\\\'")
            ]
        );
        assert_eq!(
            tokens("12 -1 +2/3 1.5E-3 1e5 7."),
            [
                (Number, "12"),
                (Number, "-1"),
                (Number, "+2/3"),
                (Number, "1.5E-3"),
                (Number, "1e5"),
                (Number, "7"),
                (Dot, ".")
            ]
        );
    }

    #[test]
    fn comments_are_skipped() {
        assert_eq!(tokens("% a\n/* b\n** % /* */a/**/.%"), [(Token::LowerWord, "a"), (Token::Dot, ".")]);
        assert_eq!(tokens("% a\rb % c\r\nd"), [(Token::LowerWord, "b"), (Token::LowerWord, "d")]);
        assert_eq!(
            tokens("a /* b"),
            [(Token::LowerWord, "a"), (Token::Bad(TokenError::OpenComment), "/* b")]
        );
        assert_eq!(tokens("\u{feff}a /*/")[1].0, Token::Bad(TokenError::OpenComment));
    }

    #[test]
    fn invalid_tokens_are_classified() {
        assert_eq!(
            tokens("'a\n\"b\\n\" é"),
            [
                (Token::Bad(TokenError::OpenQuote), "'a"),
                (Token::Bad(TokenError::Escape), "\"b\\n\""),
                (Token::Bad(TokenError::Character), "é")
            ]
        );
    }

    #[test]
    fn unnecessary_quotes_are_ignored() {
        assert_eq!(name(Token::SingleQuoted, "'abC_1'"), "abC_1");
        for text in ["'Abc'", "'a b'", "''", "'1'", "'a\\''", "'$i'"] {
            assert_eq!(name(Token::SingleQuoted, text), text);
        }
        assert_eq!(unquoted("'a\\'\\\\b'"), "a'\\b");
    }
}
