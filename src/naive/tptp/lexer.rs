//! Tokens.

use crate::refusal::{Result, refuse};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A word that begins with a small letter.
    Word,
    Variable,
    /// A word that begins with `$`.
    Dollar,
    /// A number without a sign and without a point, and another one.
    Digits,
    Number,
    Quoted,
    Object,
    /// A sign, or the end.
    Sign,
}

/// A token with its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// The signs, longer ones before those that they begin with.
const SIGNS: &str = "<=> <~> => <= ~| ~& != ( ) [ ] , . : & | ~ ! ? = * >";

/// Returns the tokens of a text, and an empty one for its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let while_is = |is_part: &dyn Fn(char) -> bool| {
            let end = rest.char_indices().skip(1).find(|(_, c)| !is_part(*c));
            end.map_or(rest.len(), |(end, _)| end)
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (kind, len) = match first {
            ' ' | '\t' | '\n' | '\r' | '\x0c' => (None, 1),
            '\u{feff}' if at == 0 => (None, 3),
            '%' => (None, while_is(&|c| c != '\n' && c != '\r')),
            '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                Some(end) => (None, end + 4),
                None => return refuse(at, "the comment has no end"),
            },
            'a'..='z' => (Some(Kind::Word), while_is(&is_part)),
            'A'..='Z' => (Some(Kind::Variable), while_is(&is_part)),
            '$' => {
                let word = rest.trim_start_matches('$');
                let signs = rest.len() - word.len();
                let is_word = signs < 3 && word.starts_with(|c: char| c.is_ascii_alphabetic());
                let len = word.find(|c| !is_part(c)).unwrap_or(word.len());
                (Some(Kind::Dollar), if is_word { signs + len } else { 0 })
            }
            '\'' => (Some(Kind::Quoted), quoted(rest, at)?),
            '"' => (Some(Kind::Object), quoted(rest, at)?),
            '0'..='9' | '+' | '-' => number(rest),
            _ => {
                let sign = SIGNS.split(' ').find(|sign| rest.starts_with(sign));
                (Some(Kind::Sign), sign.map_or(0, str::len))
            }
        };
        if len == 0 {
            return refuse(at, "a character that starts no token");
        }
        tokens.extend(kind.map(|kind| Token { kind, text: &rest[..len], at }));
        at += len;
    }
    tokens.push(Token { kind: Kind::Sign, text: "", at });
    Ok(tokens)
}

/// Returns the length of a name or object in quotes, which are on one line.
fn quoted(rest: &str, at: usize) -> Result<usize> {
    let quote = &rest[..1];
    let mut chars = rest.char_indices().skip(1);
    while let Some((index, c)) = chars.next() {
        match c {
            '\\' if chars.next().is_some_and(|(_, c)| c == '\\' || quote.contains(c)) => {}
            c if quote.contains(c) => return Ok(index + 1),
            c if c == '\\' || c.is_control() => break,
            _ => {}
        }
    }
    refuse(at, "the quote has no end on its line, or a backslash in it stands for nothing")
}

/// Returns what number a text begins with, and its length.
fn number(rest: &str) -> (Option<Kind>, usize) {
    let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(rest.starts_with(['+', '-']));
    let whole = digits(sign);
    let mut len = sign + whole;
    if whole == 0 {
        return (None, 0);
    }
    if rest[len..].starts_with(['.', '/']) && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if rest[len..].starts_with(['e', 'E']) && !rest[sign..len].contains('/') {
        let exponent = len + 1 + usize::from(rest[len + 1..].starts_with(['+', '-']));
        len = if digits(exponent) > 0 { exponent + digits(exponent) } else { len };
    }
    (Some(if len == whole { Kind::Digits } else { Kind::Number }), len)
}
