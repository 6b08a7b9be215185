//! What the tests of each language check of its lexer.

use super::lexer::{Lexer, Syntax, word};

/// Checks that the words of a table are found, and start what others with their token do.
pub(crate) fn assert_words_are_found<L: for<'t> Syntax<'t>>() {
    assert!(L::WORDS.is_sorted_by(|a, b| a.text < b.text));
    for row in L::WORDS {
        assert_eq!(word(L::WORDS, row.text, row.since), row.token, "`{}`", row.text);
        assert!(row.token.is_reserved_word() && L::starts(row.token) == row.starts, "`{}`", row.text);
    }
}

/// Returns what a text consists of: its tokens, and between question marks the characters that start none.
pub(crate) fn pieces<'t, L: Syntax<'t>>(text: &'t str, extras: L::Extras) -> Vec<String> {
    let mut lexer = Lexer::<L>::new(text, extras);
    let mut found = Vec::new();
    while let Some(token) = lexer.next() {
        let slice = &text[lexer.span()];
        found.push(token.map_or_else(|()| format!("?{slice}?"), |_| slice.to_owned()));
    }
    found
}
