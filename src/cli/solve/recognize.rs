//! Recognition of file formats by the beginning of the text.

use ramsey_lang::{Format, Language};

/// Kind of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A problem in this format.
    Problem(Format),
    /// A model, in any language.
    Model,
    /// A JSON document.
    Json,
    /// A certificate.
    Certificate,
    /// A compressed file, and the program that decompresses it.
    Compressed(&'static str),
    /// Not recognized.
    Unknown,
}

/// Length of the longest magic number.
const SIGN: usize = 5;

/// Returns the kind of a text that begins with `head`, or `None` if more text is needed, which `is_whole` excludes.
pub(super) fn recognize(head: &[u8], is_whole: bool) -> Option<Kind> {
    // A prefix of a magic number is ambiguous.
    if head.len() < SIGN && !is_whole && matches!(head, [0xEF | 0x1F | 0xFD | b'B' | b'/', ..]) {
        return None;
    }
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let kind = match head {
        [] if !is_whole => return None,
        [0x1F, 0x8B, ..] => Kind::Compressed("gzip"),
        [0xFD, b'7', b'z', b'X', b'Z', ..] => Kind::Compressed("xz"),
        [b'B', b'Z', b'h', ..] => Kind::Compressed("bzip2"),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Kind::Compressed("zstd"),
        [b'(' | b';' | b'|', ..] => Kind::Problem(Format::Smtlib),
        [b'/', b'*', ..] | [b'%', ..] => Kind::Problem(Format::Tptp),
        [b'-' | b'0'..=b'9', ..] => Kind::Problem(Format::Dimacs),
        [b'#', ..] => Kind::Model,
        [b'{' | b'[', ..] => Kind::Json,
        [byte, ..] if byte.is_ascii_alphabetic() => {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let end = head.iter().position(|byte| !is_part(byte));
            if end.is_none() && !is_whole {
                return None;
            }
            let (word, rest) = head.split_at(end.unwrap_or(head.len()));
            let rest = rest.trim_ascii_start();
            match word {
                b"cnf" | b"fof" | b"tff" | b"tcf" | b"thf" | b"include"
                    if matches!(rest, [] | [b'/']) && !is_whole =>
                {
                    return None;
                }
                // There may be comments in between.
                b"cnf" | b"fof" | b"tff" | b"tcf" | b"thf" | b"include"
                    if matches!(rest, [b'(' | b'%', ..] | [b'/', b'*', ..]) =>
                {
                    Kind::Problem(Format::Tptp)
                }
                b"include" => Kind::Model,
                b"ramsey-certificate" => Kind::Certificate,
                b"ramsey-core" => Kind::Problem(Format::Core),
                b"p" => Kind::Problem(Format::Dimacs),
                b"aag" | b"aig" => Kind::Problem(Format::Aiger),
                _ if str::from_utf8(word)
                    .is_ok_and(|word| Language::all().any(|it| it.begins_with(word))) =>
                {
                    Kind::Model
                }
                // Comments of DIMACS are arbitrary words after a `c`.
                [b'c', ..] => Kind::Problem(Format::Dimacs),
                _ => Kind::Unknown,
            }
        }
        _ => Kind::Unknown,
    };
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_known_by_how_they_begin() {
        use Format::{Aiger, Dimacs, Smtlib, Tptp};
        let cases: &[(&[u8], Kind)] = &[
            (b"c a comment\np cnf 1 1", Kind::Problem(Dimacs)),
            (b"cnf(a, axiom, p).", Kind::Problem(Tptp)),
            (b"comment without a space", Kind::Problem(Dimacs)),
            (b"p cnf 1 1", Kind::Problem(Dimacs)),
            (b"\n -1 0", Kind::Problem(Dimacs)),
            (b"; comment", Kind::Problem(Smtlib)),
            (b"\xEF\xBB\xBF(check-sat)", Kind::Problem(Smtlib)),
            (b"% comment", Kind::Problem(Tptp)),
            (b"aag 1 1 0 0 0\n2\n", Kind::Problem(Aiger)),
            (b"aig 1 0 0 0 1\n\x02\x80", Kind::Problem(Aiger)),
            (b"fof (a, axiom, p).", Kind::Problem(Tptp)),
            (b"cnf/* a */(a, axiom, p).", Kind::Problem(Tptp)),
            (b"cnf % a\n(a, axiom, p).", Kind::Problem(Tptp)),
            (b"include('a.ax').", Kind::Problem(Tptp)),
            (b"include order", Kind::Model),
            (b"# comment\nsort node", Kind::Model),
            (b"transition t()", Kind::Model),
            (b"conjecture p", Kind::Model),
            (b"instance o : m", Kind::Model),
            (b"trusted isolate i", Kind::Model),
            (b"{\"version\": 1}", Kind::Json),
            (b"ramsey-certificate 1\n", Kind::Certificate),
            (b"ramsey-core 1\n", Kind::Problem(Format::Core)),
            (b"\x1F\x8B\x08", Kind::Compressed("gzip")),
            (b"hello 0", Kind::Unknown),
            (b"", Kind::Unknown),
        ];
        for (text, kind) in cases {
            assert_eq!(recognize(text, true), Some(*kind), "{}", String::from_utf8_lossy(text));
            for end in 0..text.len() {
                if let Some(early) = recognize(&text[..end], false) {
                    assert_eq!(early, *kind, "{} of {}", end, String::from_utf8_lossy(text));
                }
            }
        }
    }
}
