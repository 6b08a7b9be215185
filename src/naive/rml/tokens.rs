//! Tokens.

use crate::program::tree::Name;
use crate::refusal::{Result, refuse};

/// The words that are no names.
const RESERVED: &str = "abort action any assert assume axiom bool conjecture definition distinct do else exists false \
    forall function if in include init invariant ite let local macro module relation safety sat skip sort then theorem \
    trace transition true unsat use variable while";

/// Signs, each with the one that it stands for; longer ones before those that they begin with.
const SIGNS: &str = "<-> <-> <=> <-> ↔ <-> ⇔ <-> -> -> => -> → -> ⇒ -> != != ~= != ≠ != := := ≔ := ← := && & /\\ & ∧ & \
    || | \\/ | ∨ | ~ ! ¬ ! ∀ forall ∃ exists = = ( ( ) ) [ [ ] ] { { } } . . : : ; ; ! ! | | & & * * , ,";

/// Returns whether a word is a name.
pub(super) fn is_name(text: &str) -> bool {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_word && RESERVED.split_whitespace().all(|word| word != text)
}

/// Returns the tokens of a text whose first place is `base`, and an empty one for its end.
pub(super) fn tokens(text: &str, base: usize) -> Result<Vec<Name>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<&str> = SIGNS.split_whitespace().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let while_is = |is_part: &dyn Fn(char) -> bool| {
            let end = rest.char_indices().skip(1).find(|(_, c)| !is_part(*c));
            end.map_or(rest.len(), |(end, _)| end)
        };
        let is_blank = " \t\n\r\u{feff}".contains(first);
        let is_comment = first == '#' || rest.starts_with("//");
        let is_sign = !is_blank && !is_word(first);
        let sign = words.chunks(2).find(|sign| is_sign && rest.starts_with(sign[0]));
        let len = match first {
            _ if is_blank => first.len_utf8(),
            _ if is_comment => while_is(&|c| c != '\n' && c != '\r'),
            '@' => while_is(&|c| is_word(c) || c == '-' || c == '@'),
            '0'..='9' => while_is(&|c| c.is_ascii_digit()),
            '"' => match rest[1..].find(['"', '\n', '\r']) {
                Some(end) if rest[1 + end..].starts_with('"') => end + 2,
                _ => 0,
            },
            c if is_word(c) => while_is(&is_word),
            _ => sign.map_or(0, |sign| sign[0].len()),
        };
        if len == 0 || &rest[..len] == "@" {
            return refuse(base + at, "a character that starts no token");
        }
        if !is_blank && !is_comment {
            let text = sign.map_or(&rest[..len], |sign| sign[1]);
            tokens.push(Name { text: text.into(), at: base + at });
        }
        at += len;
    }
    tokens.push(Name { text: "".into(), at: base + at });
    Ok(tokens)
}
