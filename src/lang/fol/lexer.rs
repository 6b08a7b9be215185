//! Lexers of the languages of models. A language supplies its lexemes, from which `logos` generates the lexer, and the
//! one table of its reserved words.

use std::ops::Range;

use logos::Logos;

use super::token::Token;

/// What begins with a reserved word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Starts {
    /// Neither a declaration nor a command.
    Nothing,
    /// A declaration, or a command identified by its first token.
    Item,
    /// A declaration, and nothing else.
    Declaration,
}

/// A reserved word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) text: &'static str,
    pub(crate) token: Token,
    pub(crate) starts: Starts,
    /// The first version of the language that reserves it, for languages that have versions.
    pub(crate) since: u32,
    /// Whether messages propose it for a name like it, where an item is expected.
    pub(crate) is_suggested: bool,
}

impl Word {
    const fn new(text: &'static str, token: Token, starts: Starts) -> Word {
        Word { text, token, starts, since: 0, is_suggested: !matches!(starts, Starts::Nothing) }
    }

    /// Creates a word that starts neither a declaration nor a command.
    pub(crate) const fn inside(text: &'static str, token: Token) -> Word {
        Word::new(text, token, Starts::Nothing)
    }

    /// Creates a word that starts an item, but not only declarations.
    pub(crate) const fn item(text: &'static str, token: Token) -> Word {
        Word::new(text, token, Starts::Item)
    }

    /// Creates a word that starts a declaration.
    pub(crate) const fn declaration(text: &'static str, token: Token) -> Word {
        Word::new(text, token, Starts::Declaration)
    }

    /// Returns a word that is a name before a version.
    pub(crate) const fn since(self, since: u32) -> Word {
        Word { since, ..self }
    }

    /// Returns a word that starts declarations among other things, so that recovery from errors passes over it.
    pub(crate) const fn suggested(self) -> Word {
        Word { is_suggested: true, ..self }
    }

    /// Returns a word that messages do not propose.
    pub(crate) const fn unsuggested(self) -> Word {
        Word { is_suggested: false, ..self }
    }
}

/// Returns the token of a reserved word, or that of a name. The table is sorted.
pub(crate) fn word(words: &[Word], text: &str, version: u32) -> Token {
    let found = words.binary_search_by_key(&text, |word| word.text).ok().and_then(|at| words.get(at));
    found.filter(|word| word.since <= version).map_or(Token::Ident, |word| word.token)
}

/// Properties of the grammar of formulas that differ between languages.
#[derive(Clone, Copy, Default)]
pub(crate) struct Grammar {
    /// Whether `->` and `<->` have the same precedence, and how they associate.
    pub(crate) implications: Implications,
    /// Whether negation extends over equations: the negation of `a = b` needs no parentheses.
    pub(crate) loose_negation: bool,
    /// Whether names may have several parts, each with arguments, and variables start with a capital letter and may
    /// have a sort at any occurrence. If so, a choice between values is written `a if c else b`.
    pub(crate) composed_names: bool,
    /// Whether a name may have subscripts, `f[x]`, and `:` joins its parts. Otherwise `.` does.
    pub(crate) subscripts: bool,
    /// Whether a bracket right after a name belongs to it: `f[x]` is a name, `f [x]` is not.
    pub(crate) brackets: bool,
    /// Whether `a<<4:1>>` are the bits 1 to 4 of a number: `bfe[1][4](a)`.
    pub(crate) slices: bool,
    /// Whether the variables of a quantifier may stand in parentheses, instead of before a dot.
    pub(crate) bound_in_parentheses: bool,
}

/// Precedence and associativity of `->` and `<->`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Implications {
    /// `<->` binds less and cannot be chained; `->` associates to the right.
    #[default]
    Separate,
    /// Both have the same precedence and associate to the left.
    Left,
    /// Both have the same precedence and associate to the right.
    Right,
}

/// The lexemes of a language, with what the parser has to know of the language.
pub(crate) trait Syntax<'t>: Logos<'t, Source = str, Error = (), Extras: Copy> + Clone {
    /// State of the language's own parser methods.
    type State: Default;

    /// The reserved words, sorted.
    const WORDS: &'static [Word];

    /// Whether braces delimit blocks. If so, recovery from an error in a declaration does not stop inside braces opened
    /// after it.
    const HAS_BLOCKS: bool;

    /// Returns the token.
    fn token(self) -> Token;

    /// Returns help for characters that start no token.
    fn hint(characters: &str) -> Option<&'static str>;

    /// Returns whether a word that the grammar tells from names by its place is no name all the same, in the language of a text.
    fn is_taken(_word: &str, _text: &str) -> bool {
        false
    }

    /// Returns the grammar of formulas.
    fn grammar(_: Self::Extras) -> Grammar {
        Grammar::default()
    }

    /// Returns what starts with a token. Words with one token start the same.
    fn starts(token: Token) -> Starts {
        Self::WORDS.iter().find(|word| word.token == token).map_or(Starts::Nothing, |word| word.starts)
    }

    /// Returns the words that messages propose where an item of these kinds is expected.
    fn suggestions(kinds: &'static [Starts]) -> impl Iterator<Item = &'static str> {
        let is_wanted = |word: &&Word| word.is_suggested && kinds.contains(&word.starts);
        Self::WORDS.iter().filter(is_wanted).map(|word| word.text)
    }
}

/// Iterator over the tokens of a text.
#[derive(Clone)]
pub(crate) struct Lexer<'t, L: Syntax<'t>> {
    lexer: logos::Lexer<'t, L>,
    /// The byte range of the last token.
    span: Range<usize>,
}

impl<'t, L: Syntax<'t>> Lexer<'t, L> {
    /// Creates a lexer of `text`.
    pub(crate) fn new(text: &'t str, extras: L::Extras) -> Lexer<'t, L> {
        Lexer { lexer: logos::Lexer::with_extras(text, extras), span: 0..0 }
    }

    /// Returns the next token, or an error for a character that starts no token.
    pub(crate) fn next(&mut self) -> Option<Result<Token, ()>> {
        let next = self.lexer.next()?;
        self.span = self.lexer.span();
        if next.is_err() {
            self.step_back();
        }
        Some(next.map(Syntax::token))
    }

    /// Moves to the end of the character that starts no token, however far the lexer has looked.
    #[cold]
    fn step_back(&mut self) {
        let (text, start) = (self.lexer.source(), self.span.start);
        let first = text[start..].chars().next();
        self.span.end = start + first.map_or(0, char::len_utf8);
        let mut lexer = logos::Lexer::with_extras(text, self.lexer.extras);
        lexer.bump(self.span.end);
        self.lexer = lexer;
    }

    /// Returns the byte range of the last token.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the text after the last token.
    pub(crate) fn remainder(&self) -> &'t str {
        self.lexer.remainder()
    }

    /// Skips `bytes` bytes.
    pub(crate) fn bump(&mut self, bytes: usize) {
        self.lexer.bump(bytes);
    }

    /// Returns the grammar of formulas.
    pub(crate) fn grammar(&self) -> Grammar {
        L::grammar(self.lexer.extras)
    }
}
