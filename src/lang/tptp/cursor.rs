//! Token cursor of a file, with errors about unexpected tokens.

use super::lexer::{self, Lexer, Token, TokenError};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::{FileId, LINE_ENDS, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// Reason to stop reading a statement.
#[derive(Debug)]
pub(super) enum Stop {
    /// The statement has an error.
    Error(Box<Diagnostic>),
    /// The statement contains arithmetic here, which is reported once for all statements.
    Arithmetic(Span),
    /// The statement uses a name whose declaration has an error, which has been reported.
    Reported,
    /// A budget was exhausted.
    Exhausted(Exhausted),
}

impl From<Diagnostic> for Stop {
    fn from(error: Diagnostic) -> Stop {
        Stop::Error(Box::new(error))
    }
}

pub(super) type Parsed<T> = Result<T, Stop>;

/// Keywords of statements.
pub(super) const STATEMENTS: &[&str] = &["cnf", "fof", "tcf", "tff", "thf", "include"];

/// Cursor over the tokens of a file.
pub(super) struct Cursor<'a> {
    pub(super) file: FileId,
    text: &'a str,
    lexer: Lexer<'a>,
    /// The current token, followed by its position.
    pub(super) token: Token,
    pub(super) start: u32,
    end: u32,
    /// The position of the previous token.
    previous: (u32, u32),
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the first token of a file of less than 4 GiB.
    pub(super) fn new(file: FileId, text: &'a str) -> Cursor<'a> {
        let lexer = Lexer::new(text);
        let mut cursor = Cursor { file, text, lexer, token: Token::End, start: 0, end: 0, previous: (0, 0) };
        cursor.advance();
        cursor
    }

    /// Advances to the next token.
    pub(super) fn advance(&mut self) {
        self.previous = (self.start, self.end);
        let (token, range) = self.lexer.next();
        self.token = token;
        (self.start, self.end) = (range.start as u32, range.end as u32);
    }

    /// Consumes the current token if it is `token`.
    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.token == token;
        if found {
            self.advance();
        }
        found
    }

    /// Consumes `token`, or returns the error that `what` was expected.
    pub(super) fn expect(&mut self, token: Token, what: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { Err(self.expected(what).into()) }
    }

    /// Returns the text of the current token.
    pub(super) fn slice(&self) -> &'a str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// Returns the name that the current token stands for.
    pub(super) fn name(&self) -> &'a str {
        lexer::name(self.token, self.slice())
    }

    /// Returns whether the current token is a word or a name in single quotes.
    pub(super) fn at_name(&self) -> bool {
        matches!(self.token, Token::LowerWord | Token::SingleQuoted)
    }

    /// Returns the position of the current token.
    pub(super) fn span(&self) -> Span {
        Span { file: self.file, start: self.start, end: self.end }
    }

    /// Returns the span from `start` to the end of the previous token.
    pub(super) fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous.1.max(start) }
    }

    /// For the current token, which must be `$ite`, and each `$ite` among its arguments: returns its position, and
    /// whether an equality sign follows its arguments.
    pub(super) fn sides(&self) -> Vec<(u32, bool)> {
        let mut lexer = self.lexer.clone();
        let mut found = Vec::new();
        // For each open parenthesis, the `$ite` before it.
        let mut open: Vec<Option<u32>> = Vec::new();
        let mut before = Some(self.start);
        loop {
            let (token, range) = lexer.next();
            match token {
                Token::LeftParen => open.push(before.take()),
                Token::RightParen => {
                    if let Some(Some(start)) = open.pop() {
                        let next = lexer.clone().next().0;
                        found.push((start, matches!(next, Token::Equal | Token::NotEqual)));
                    }
                }
                Token::DollarWord if &self.text[range.clone()] == "$ite" => {
                    before = Some(range.start as u32);
                }
                Token::Dot | Token::End | Token::Bad(_) => {
                    // An unterminated term is not a side of an equation, and is not scanned again.
                    found.extend(open.into_iter().flatten().map(|start| (start, false)));
                    return found;
                }
                _ => before = None,
            }
            if open.is_empty() {
                return found;
            }
        }
    }

    /// Returns whether a statement probably starts here: a keyword of statements at the start of a line.
    fn starts_statement(&self) -> bool {
        self.token == Token::LowerWord
            && STATEMENTS.contains(&self.slice())
            && self.text[self.previous.1 as usize..self.start as usize].contains(LINE_ENDS)
    }

    /// Skips the rest of a statement with an error. Its dot may be missing, so the next statement may start before it.
    pub(super) fn recover(&mut self) {
        while self.token != Token::End && !self.starts_statement() && !self.eat(Token::Dot) {
            self.advance();
        }
    }

    /// Returns the error that `what` was expected at the current token, with a hint if there is one.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        if let Token::Bad(mistake) = self.token {
            return self.token_error(mistake);
        }
        let found = match self.token {
            Token::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shown(self.slice())),
        };
        let message = format!("expected {what}, found {found}");
        // If the next statement or the end follows, the error is located at the previous token.
        let is_cut_off = (self.token == Token::End || self.starts_statement()) && self.previous.1 > 0;
        let span = if is_cut_off {
            Span { file: self.file, start: self.previous.0, end: self.previous.1 }
        } else {
            self.span()
        };
        let error = Diagnostic::error(Code::Syntax, span, message).label(if is_cut_off {
            format!("expected {what} behind this")
        } else {
            format!("expected {what}")
        });
        match self.hint() {
            Some(hint) => error.help(hint),
            None => error,
        }
    }

    /// Returns a hint about the current token and the one before it.
    fn hint(&self) -> Option<&'static str> {
        let before = &self.text[self.previous.0 as usize..self.previous.1 as usize];
        Some(match (before, self.slice()) {
            ("&", "&") => "conjunction is written `&`",
            ("|", "|") => "disjunction is written `|`",
            ("=", "=") => "equality is written `=`",
            ("=>" | "<=", ">") | ("=", ">" | "=>") => {
                "implication is written `=>` or `<=`, equivalence `<=>`"
            }
            ("forall", _) => "`for all` is written `! [X] : ( .. )`",
            ("exists", _) => "`there is` is written `? [X] : ( .. )`",
            ("not", _) => "negation is written `~`",
            (_, "and") => "conjunction is written `&`",
            (_, "or") => "disjunction is written `|`",
            (_, "implies") => "implication is written `=>`",
            (_, "iff") => "equivalence is written `<=>`",
            _ if self.token == Token::UpperWord => "words with a capital letter are variables",
            _ => return None,
        })
    }

    /// Returns the error about a text that is not a token.
    fn token_error(&self, mistake: TokenError) -> Diagnostic {
        let (code, span) = (Code::Syntax, self.span());
        match mistake {
            TokenError::Character => {
                let what = format!("unexpected character `{}`", self.slice().escape_debug());
                let error = Diagnostic::error(Code::UnexpectedCharacter, span, what)
                    .label("not part of the language");
                match character_hint(&self.text[self.start as usize..]) {
                    Some(hint) => error.help(hint),
                    None => error,
                }
            }
            TokenError::OpenQuote => Diagnostic::error(code, span, "the quote is not closed on its line")
                .label("opened here")
                .help("within quotes, `\\'` stands for a quote"),
            TokenError::Escape => Diagnostic::error(code, span, "a backslash that stands for nothing")
                .label("in this name")
                .help("within quotes, a backslash comes before a quote or another backslash"),
            TokenError::OpenComment => {
                let span = Span { end: span.start + 2, ..span };
                Diagnostic::error(code, span, "the comment has no end")
                    .label("opened here")
                    .help("it ends with `*/`")
            }
        }
    }
}

/// Shortens a text from the source for a message.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out: String = text.chars().take(LONGEST).collect();
    if out.len() < text.len() {
        out += "..";
    }
    out
}

/// Returns help for characters that start no token.
fn character_hint(rest: &str) -> Option<&'static str> {
    Some(match rest.as_bytes().first()? {
        b'-' if rest.starts_with("-->") => "sequents are not supported: write `=>`",
        b'-' if rest.starts_with("->") => "implication is written `=>`",
        b'<' => "equivalence is written `<=>`; there are no numbers",
        b'/' | b'\\' => "conjunction is written `&`, disjunction `|`; comments start with `%`",
        b'#' => "comments start with `%`",
        b'@' | b'^' => "this is higher-order; functions are applied as in `f(X)`",
        b'{' | b'}' => "non-classical connectives are not supported",
        b'_' => "names begin with a lower-case letter, variables with a capital",
        b'+' | b'-' => "there is no arithmetic",
        b'$' => "a `$` is followed by a word",
        first if !first.is_ascii() => {
            "names with other characters than letters, digits and `_` are written in quotes: `'..'`"
        }
        _ => return None,
    })
}
