//! Lexer of `.ivy`. The first line of a file gives the version of the language, which decides what words are reserved.

use logos::Logos;

use super::ast::Version;
use super::hints;
use crate::fol::lexer::{self, Grammar, Implications, Syntax, Word, word};
use crate::fol::token::Token;

/// The reserved words, sorted, with the minor version that reserves them first.
const WORDS: &[Word] = &[
    Word::declaration("action", Token::Action),
    Word::declaration("after", Token::After).since(2),
    Word::declaration("alias", Token::Alias).since(5),
    Word::declaration("around", Token::Around).since(7).unsuggested(),
    Word::item("assert", Token::Assert),
    Word::item("assume", Token::Assume),
    Word::declaration("attribute", Token::Attribute).since(5),
    Word::declaration("autoinstance", Token::Further).since(7).unsuggested(),
    Word::declaration("axiom", Token::Axiom),
    Word::declaration("before", Token::Before).since(2),
    Word::inside("bool", Token::Bool),
    Word::item("call", Token::Call),
    Word::declaration("conjecture", Token::Conjecture),
    Word::declaration("constant", Token::Constant).unsuggested(),
    Word::inside("constructor", Token::Unsupported).since(7),
    Word::declaration("definition", Token::Definition).since(5),
    Word::declaration("delegate", Token::Further).since(2).unsuggested(),
    Word::declaration("derived", Token::Derived).unsuggested(),
    Word::declaration("destructor", Token::Function).since(5).unsuggested(),
    Word::inside("else", Token::Else),
    Word::item("ensure", Token::Ensure).since(7),
    Word::inside("eventually", Token::Temporal).since(6),
    Word::inside("exists", Token::Exists),
    Word::inside("explicit", Token::Named).since(7),
    Word::declaration("export", Token::Export).since(2),
    Word::declaration("extract", Token::Extract).unsuggested(),
    Word::inside("false", Token::False),
    Word::declaration("finite", Token::Ghost).since(7).unsuggested(),
    Word::inside("forall", Token::Forall),
    Word::declaration("function", Token::Function),
    Word::declaration("ghost", Token::Ghost).since(5).unsuggested(),
    Word::inside("globally", Token::Temporal).since(6),
    Word::inside("if", Token::If),
    Word::declaration("implement", Token::Implement).since(5),
    Word::declaration("implementation", Token::Implementation).since(7).unsuggested(),
    Word::declaration("import", Token::Import).since(2),
    Word::declaration("include", Token::Include).since(2),
    Word::declaration("individual", Token::Individual),
    Word::declaration("init", Token::Init),
    Word::inside("instance", Token::Instantiate).suggested(),
    Word::inside("instantiate", Token::Instantiate).suggested(),
    Word::declaration("interpret", Token::Interpret),
    Word::declaration("invariant", Token::Invariant).since(5),
    Word::inside("isa", Token::Isa).since(7),
    Word::declaration("isolate", Token::Isolate).since(2),
    Word::inside("let", Token::Let),
    Word::item("local", Token::Local),
    Word::declaration("macro", Token::Macro).unsuggested(),
    Word::declaration("mixin", Token::Further).since(2).unsuggested(),
    Word::inside("mixord", Token::Unsupported),
    Word::declaration("module", Token::Module),
    Word::declaration("object", Token::Object).since(5),
    Word::inside("old", Token::Old),
    Word::declaration("parameter", Token::Individual).since(7).unsuggested(),
    Word::declaration("private", Token::Private).since(5).unsuggested(),
    Word::inside("progress", Token::Unsupported),
    Word::inside("proof", Token::Proof).since(5),
    Word::declaration("property", Token::Property).since(5),
    Word::declaration("relation", Token::Relation),
    Word::inside("rely", Token::Unsupported),
    Word::item("require", Token::Require).since(7),
    Word::inside("returns", Token::Returns).since(2),
    Word::declaration("safety", Token::Safety).since(7).unsuggested(),
    Word::declaration("scenario", Token::Further).since(5).unsuggested(),
    Word::declaration("schema", Token::Schema),
    Word::inside("some", Token::Some).since(5),
    Word::declaration("specification", Token::Specification).since(7).unsuggested(),
    Word::inside("struct", Token::Struct).since(5),
    Word::inside("template", Token::Unsupported).since(8),
    Word::declaration("temporal", Token::Further).since(6).unsuggested(),
    Word::declaration("theorem", Token::Theorem).since(7).unsuggested(),
    Word::inside("this", Token::This).since(5),
    Word::inside("true", Token::True),
    Word::declaration("trusted", Token::Trusted).since(5).unsuggested(),
    Word::declaration("type", Token::Sort),
    Word::inside("update", Token::Unsupported),
    Word::inside("var", Token::Variable).since(5).suggested(),
    Word::declaration("variant", Token::Further).since(6).unsuggested(),
    Word::item("while", Token::While).since(5).unsuggested(),
    Word::declaration("wire", Token::Individual).since(8).unsuggested(),
    Word::inside("with", Token::With).since(2),
];

/// Words that the grammar tells from names by their places, and that Ivy reserves all the same, with the first and the last minor
/// version in which it does. Ivy reads no version before 1.3.
const TAKEN: &[(&str, u32, u32)] = &[
    ("apply", 7, u32::MAX),
    ("class", 5, u32::MAX),
    ("common", 8, u32::MAX),
    ("concept", 3, u32::MAX),
    ("debug", 8, u32::MAX),
    ("decreases", 7, u32::MAX),
    ("defergoal", 3, u32::MAX),
    ("ensures", 3, 7),
    ("entry", 3, u32::MAX),
    ("execute", 5, u32::MAX),
    ("field", 8, u32::MAX),
    ("for", 8, u32::MAX),
    ("forget", 7, u32::MAX),
    ("fresh", 5, u32::MAX),
    ("from", 3, u32::MAX),
    ("global", 8, u32::MAX),
    ("in", 3, u32::MAX),
    ("maximizing", 5, u32::MAX),
    ("minimizing", 3, u32::MAX),
    ("modifies", 3, u32::MAX),
    ("named", 5, u32::MAX),
    ("of", 6, u32::MAX),
    ("params", 3, u32::MAX),
    ("process", 8, u32::MAX),
    ("requires", 3, 7),
    ("showgoals", 7, u32::MAX),
    ("spoil", 7, u32::MAX),
    ("subclass", 8, u32::MAX),
    ("tactic", 7, u32::MAX),
    ("thunk", 7, u32::MAX),
    ("trigger", 8, u32::MAX),
    ("unfold", 7, u32::MAX),
    ("unprovable", 8, u32::MAX),
    ("using", 5, u32::MAX),
    ("whenfirst", 8, u32::MAX),
    ("whenlast", 8, u32::MAX),
    ("whennext", 8, u32::MAX),
    ("whenprev", 8, u32::MAX),
];

/// Further words that Ivy reserves in some version.
pub(crate) const WORDS_OF_IVY: &str = "apply common concept debug decreases ensures entry field finite for forget fresh from global hint \
    implicit in match maximizing method minimizing named null of params process requires set showgoals \
    spoil state subclass tactic theory thunk unchanged unfold unprovable using when whenever";

/// The lexemes. Names may begin with digits.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(extras = Version)]
#[logos(skip(r"[ \t\r\n\u{feff}]+"))]
#[logos(skip(r"#[^\r\n]*", allow_greedy = true))]
pub(crate) enum Lexeme {
    #[regex("[a-zA-Z_][a-zA-Z_0-9]*", |lexer| word(WORDS, lexer.slice(), lexer.extras.minor))]
    #[regex("[0-9]+", |_| Token::Number, priority = 10)]
    #[regex("[0-9][a-zA-Z_0-9]*", |_| Token::Ident)]
    #[token("<<<", native)]
    #[token("<->", |_| Token::Iff)]
    #[token("->", |_| Token::Implies)]
    #[token("~=", |_| Token::NotEqual)]
    #[token(":=", |_| Token::Assign)]
    #[token("<=", |_| Token::LessEqual)]
    #[token(">=", |_| Token::GreaterEqual)]
    #[token("<", |_| Token::Less)]
    #[token(">", |_| Token::Greater)]
    #[token("=", |_| Token::Equal)]
    #[token("(", |_| Token::LeftParen)]
    #[token(")", |_| Token::RightParen)]
    #[token("[", |_| Token::LeftBracket)]
    #[token("]", |_| Token::RightBracket)]
    #[token("{", |_| Token::LeftBrace)]
    #[token("}", |_| Token::RightBrace)]
    #[token(".", |_| Token::Dot)]
    #[token("::", none)]
    #[token(":", |_| Token::Colon)]
    #[token(";", |_| Token::Semicolon)]
    #[token("~", |_| Token::Not)]
    #[token("|", |_| Token::Or)]
    #[token("&", |_| Token::And)]
    #[token("+", |_| Token::Plus)]
    #[token("-", |_| Token::Minus)]
    #[token("*>", |_| Token::PointsTo)]
    #[token("^", |_| Token::Caret)]
    #[token("*", |_| Token::Star)]
    #[token("/", slash)]
    #[regex("\"[^\"\r\n]*\"", |_| Token::Text)]
    #[token(",", |_| Token::Comma)]
    Token(Token),
}

/// Reads text of another language up to `>>>`.
fn native(lexer: &mut logos::Lexer<'_, Lexeme>) -> Option<Token> {
    let end = lexer.remainder().find(">>>")?;
    lexer.bump(end + 3);
    Some(Token::Native)
}

/// Reads characters that Ivy has and that are not supported.
fn none(_: &mut logos::Lexer<'_, Lexeme>) -> Option<Token> {
    None
}

/// Reads `/`, which does not begin a comment of another language.
fn slash(lexer: &mut logos::Lexer<'_, Lexeme>) -> Option<Token> {
    match lexer.remainder().bytes().next() {
        Some(b'/') => {
            lexer.bump(1);
            None
        }
        Some(b'*') => None,
        _ => Some(Token::Slash),
    }
}

/// Iterator over the tokens of a text.
pub(crate) type Lexer<'t> = lexer::Lexer<'t, Lexeme>;

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`, in the version of the language that its first line gives.
    pub(super) fn of_text(text: &'t str) -> Lexer<'t> {
        Lexer::new(text, Version::of_text(text))
    }
}

impl Syntax<'_> for Lexeme {
    type State = State;

    const WORDS: &'static [Word] = WORDS;

    const HAS_BLOCKS: bool = true;

    fn token(self) -> Token {
        let Lexeme::Token(token) = self;
        token
    }

    fn hint(characters: &str) -> Option<&'static str> {
        hints::for_characters(characters)
    }

    fn is_taken(word: &str, text: &str) -> bool {
        let found = TAKEN.iter().find(|(taken, ..)| *taken == word);
        found.is_some_and(|&(_, first, last)| (first..=last).contains(&Version::of_text(text).minor))
    }

    fn grammar(version: Version) -> Grammar {
        let implications = if version.minor >= 7 { Implications::Left } else { Implications::Right };
        let subscripts = version.has_subscripts();
        let brackets = !subscripts;
        let slices = version.minor >= 8;
        let bound_in_parentheses = version.minor >= 7;
        Grammar {
            implications,
            loose_negation: true,
            composed_names: true,
            subscripts,
            brackets,
            slices,
            bound_in_parentheses,
        }
    }
}

/// Parser state about blocks.
#[derive(Default)]
pub(crate) struct State {
    /// The number of blocks around the current position.
    pub(super) blocks: u32,
    /// The number of blocks of steps among them.
    pub(super) steps: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::tests::{assert_words_are_found, pieces};

    #[test]
    fn words_are_found() {
        assert_words_are_found::<Lexeme>();
    }

    #[test]
    fn what_starts_no_token_is_one_character() {
        let found = pieces::<Lexeme>("0x 12 3<<<a\n>>>é>>", Version::NEWEST);
        assert_eq!(found, ["0x", "12", "3", "<<<a\n>>>", "?é?", ">", ">"]);
        let found = pieces::<Lexeme>("<<<<a>>≠!=", Version::NEWEST);
        assert_eq!(found, ["?<?", "?<?", "<", "<", "a", ">", ">", "?≠?", "?!?", "="]);
    }

    #[test]
    fn versions_reserve_words() {
        let token = |minor| Lexer::new("struct", Version { minor }).next();
        assert_eq!((token(4), token(5)), (Some(Ok(Token::Ident)), Some(Ok(Token::Struct))));
    }
}
