//! Recursive-descent parser with recovery at declarations, shared by the languages of models. A language adds its lexer
//! and methods for its own declarations.

mod composed;
mod expr;
pub(crate) mod foreign;
pub(crate) mod hints;
mod parts;
mod proof;
mod trace;

use std::sync::Arc;

use super::ast::{Expr, Ident, Place};
use super::lexer::{Grammar, Lexer, Starts, Syntax};
use super::token::Token;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{FileId, LINE_ENDS, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum number of syntax errors before parsing stops.
const MAX_ERRORS: usize = 20;

/// Maximum nesting depth of expressions, not counting parentheses.
pub(crate) const MAX_DEPTH: u32 = 400;

/// Maximum recursion depth of the parser. A level of nesting takes two steps, an operand and the parentheses around it,
/// so every expression within [`MAX_DEPTH`] can be parsed with the parentheses that the printer adds.
const MAX_RECURSION: u32 = 2 * MAX_DEPTH + 2;

/// Error: the declaration cannot be parsed. The reason has been reported.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// Parses a text that consists of one formula in the language of `lexer`. The formula is `None` if there is an error.
pub(crate) fn parse_formula<'t, L: Syntax<'t>>(
    file: FileId,
    text: &'t str,
    lexer: Lexer<'t, L>,
) -> (Option<Expr>, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error_nowhere(Code::Unreadable, "the formula is larger than 4 GiB");
        return (None, vec![error]);
    }
    let mut parser = Parser::new(file, text, lexer, Budget::unlimited());
    let formula = parser.formula().ok();
    if formula.is_some() && !parser.at(Token::End) {
        let error = parser.expected("the end of the formula");
        parser.report(error);
    }
    let formula = formula.filter(|_| parser.diagnostics.is_empty());
    (formula, parser.diagnostics)
}

/// Parses the items of a file by `items`, which reads up to the end. Each token costs one unit of the budget. A text of
/// more than 4 GiB is refused, since places have 32 bits.
///
/// # Errors
/// Returns the budget that was exhausted.
pub(crate) fn parse_file<'t, L: Syntax<'t>, T>(
    file: FileId,
    text: &'t str,
    lexer: Lexer<'t, L>,
    budget: &mut Budget,
    items: impl FnOnce(&mut Parser<'t, L>) -> Vec<T>,
) -> Result<(Vec<T>, Vec<Diagnostic>), Exhausted> {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error_nowhere(Code::Unreadable, "the file is larger than 4 GiB");
        return Ok((Vec::new(), vec![error]));
    }
    let mut parser = Parser::new(file, text, lexer, budget.clone());
    let items = items(&mut parser);
    Ok((items, parser.finish(budget)?))
}

/// Parser state of a text.
pub(crate) struct Parser<'t, L: Syntax<'t>> {
    pub(crate) file: FileId,
    pub(crate) text: &'t str,
    lexer: Lexer<'t, L>,
    grammar: Grammar,
    budget: Budget,
    /// The exhausted budget. The text is then treated as ended, and diagnostics are meaningless.
    exhausted: Option<Exhausted>,
    /// The current token, followed by its position.
    pub(crate) token: Token,
    pub(crate) start: u32,
    end: u32,
    /// The end of the previous token.
    pub(crate) previous_end: u32,
    /// The end of the last `value isa variant`.
    variant_end: u32,
    /// The start of the body of the last quantifier.
    body_start: u32,
    /// The number of expressions around the current one.
    pub(crate) depth: u32,
    /// State of the language's own methods.
    pub(crate) state: L::State,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) errors: usize,
    interner: Map<&'t str, Arc<str>>,
    /// The identifiers since the start of the current declaration.
    names_here: Vec<&'t str>,
    /// The names with brackets that were read as those of sorts.
    pub(crate) bracketed: Vec<Ident>,
    /// Whether the hint about `&&` and `||` has been given.
    doubled_reported: bool,
    /// Whether the current declaration or command contains a character that starts no token. Further syntax errors in
    /// it are consequences, and are not reported.
    pub(crate) bad_character: bool,
}

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Creates a parser at the first token.
    pub(crate) fn new(file: FileId, text: &'t str, lexer: Lexer<'t, L>, budget: Budget) -> Parser<'t, L> {
        let mut parser = Parser {
            file,
            text,
            grammar: lexer.grammar(),
            lexer,
            budget,
            exhausted: None,
            token: Token::End,
            start: 0,
            end: 0,
            previous_end: 0,
            variant_end: 0,
            body_start: u32::MAX,
            depth: 0,
            state: L::State::default(),
            diagnostics: Vec::new(),
            errors: 0,
            interner: Map::default(),
            names_here: Vec::new(),
            bracketed: Vec::new(),
            doubled_reported: false,
            bad_character: false,
        };
        parser.advance();
        parser
    }

    /// Returns the diagnostics and stores the remaining budget.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(crate) fn finish(self, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
        *budget = self.budget;
        self.exhausted.map_or(Ok(self.diagnostics), Err)
    }

    /// Returns whether a declaration (or a command identified by its first token) starts here.
    pub(crate) fn starts_item(&self) -> bool {
        L::starts(self.token) != Starts::Nothing
    }

    /// Returns whether the current token can only start a declaration.
    pub(crate) fn starts_declaration(&self) -> bool {
        L::starts(self.token) == Starts::Declaration
    }

    pub(crate) fn advance(&mut self) {
        self.previous_end = self.end;
        if let Err(exhausted) = self.budget.spend(1) {
            self.exhausted = self.exhausted.or(Some(exhausted));
            self.give_up();
            return;
        }
        loop {
            let next = self.lexer.next();
            let range = self.lexer.span();
            (self.start, self.end) = (range.start as u32, range.end as u32);
            match next {
                None => {
                    (self.start, self.end) = (self.text.len() as u32, self.text.len() as u32);
                    self.token = Token::End;
                }
                Some(Ok(token)) => {
                    self.token = token;
                    if token == Token::Ident {
                        self.names_here.push(self.slice());
                    }
                }
                Some(Err(())) => {
                    self.unexpected_characters();
                    if self.errors < MAX_ERRORS {
                        continue;
                    }
                    self.give_up();
                }
            }
            return;
        }
    }

    /// Reports the current run of characters that start no token.
    fn unexpected_characters(&mut self) {
        let mut ahead = self.lexer.clone();
        while let Some(Err(())) = ahead.next() {
            let range = ahead.span();
            if range.start != self.end as usize {
                break;
            }
            self.end = range.end as u32;
            self.lexer = ahead.clone();
        }
        if self.slice() == "\\" {
            // A command of another language, which includes the following word.
            let word = self.lexer.remainder().bytes().take_while(u8::is_ascii_alphabetic).count();
            self.lexer.bump(word);
            self.end += word as u32;
        }
        if self.slice() == "/" && self.rest().starts_with('*') {
            return self.foreign_comment();
        }
        let span = self.span();
        let slice = self.slice();
        let shown: String = slice.chars().take(20).collect();
        let what = if slice.chars().nth(1).is_none() { "character" } else { "characters" };
        let mut error = Diagnostic::error(
            Code::UnexpectedCharacter,
            span,
            format!("unexpected {what} `{}`", shown.escape_debug()),
        )
        .label("not part of the language");
        if let Some(help) = L::hint(slice) {
            error = error.help(help);
        }
        if slice.starts_with("//") {
            // Skipped as the comment that was intended.
            let rest = self.lexer.remainder();
            self.lexer.bump(rest.find(LINE_ENDS).unwrap_or(rest.len()));
        }
        self.report(error);
        self.bad_character = true;
    }

    /// Reports a comment between `/*` and `*/`, and skips it.
    fn foreign_comment(&mut self) {
        self.end += 1;
        let error = Diagnostic::error(Code::UnexpectedCharacter, self.span(), "unexpected characters `/*`")
            .label("not part of the language")
            .help("comments start with `#` and end with the line");
        let rest = self.lexer.remainder();
        self.lexer.bump(rest[1..].find("*/").map_or(rest.len(), |at| at + "/**/".len() - 1));
        self.report(error);
    }

    /// Skips to the end of the text.
    pub(crate) fn give_up(&mut self) {
        self.lexer.bump(self.lexer.remainder().len());
        (self.start, self.end) = (self.text.len() as u32, self.text.len() as u32);
        self.token = Token::End;
    }

    /// Adds a syntax error. At the limit, reports this and gives up.
    pub(crate) fn report(&mut self, error: Diagnostic) {
        if self.errors >= MAX_ERRORS || (self.bad_character && error.code == Code::Syntax) {
            return;
        }
        self.errors += 1;
        let last = self.errors == MAX_ERRORS;
        self.diagnostics.push(if last {
            error
                .note(format!("too many syntax errors: the file is not read on after the first {MAX_ERRORS}"))
        } else {
            error
        });
        if last {
            self.give_up();
        }
    }

    pub(crate) fn slice(&self) -> &'t str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// Returns the text from the current token on.
    pub(crate) fn text_here(&self) -> &'t str {
        &self.text[self.start as usize..]
    }

    /// Returns the text at a position.
    pub(crate) fn text_of(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Returns the position of the current token.
    pub(crate) fn span(&self) -> Span {
        Span { file: self.file, start: self.start, end: self.end }
    }

    /// Returns the span from `start` to the end of the previous token.
    pub(crate) fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    pub(crate) fn at(&self, token: Token) -> bool {
        self.token == token
    }

    /// Returns the token after the current one.
    pub(crate) fn peek(&self) -> Token {
        self.ahead().next().unwrap_or(Token::End)
    }

    /// Returns the tokens after the current one, up to a character that starts no token.
    pub(crate) fn ahead(&self) -> impl Iterator<Item = Token> + use<'t, L> {
        let mut lexer = self.lexer.clone();
        std::iter::from_fn(move || lexer.next()?.ok())
    }

    /// Consumes the current token if it is `token`.
    pub(crate) fn eat(&mut self, token: Token) -> bool {
        let found = self.token == token;
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn intern(&mut self, text: &'t str) -> Arc<str> {
        self.interner.entry(text).or_insert_with(|| Arc::from(text)).clone()
    }

    /// Describes the current token, for messages.
    pub(crate) fn found(&self) -> String {
        match self.token {
            Token::End => "the end of the file".into(),
            token if token.is_reserved_word() => format!("the keyword `{}`", self.slice()),
            _ => {
                let shown: String = self.slice().chars().take(40).collect();
                format!("`{shown}`")
            }
        }
    }

    /// Returns the error that `what` was expected at the current token.
    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        // If the next declaration or the end follows, the error is located at the previous token.
        let is_cut_off = self.at(Token::End) || (self.starts_item() && self.is_first_on_line());
        let span = if is_cut_off && self.previous_end > 0 {
            Span { file: self.file, start: self.previous_end - 1, end: self.previous_end }
        } else {
            self.span()
        };
        let span = self.on_boundaries(span);
        Diagnostic::error(Code::Syntax, span, message).label(format!("expected {what}"))
    }

    /// Returns whether the current token is on another line than the previous one.
    pub(crate) fn is_first_on_line(&self) -> bool {
        self.text[self.previous_end as usize..self.start as usize].contains(LINE_ENDS)
    }

    /// Widens a span so that it does not split a character.
    fn on_boundaries(&self, mut span: Span) -> Span {
        while !self.text.is_char_boundary(span.start as usize) {
            span.start -= 1;
        }
        span
    }

    /// Reports an error and fails.
    pub(crate) fn fail<T>(&mut self, error: Diagnostic) -> Parsed<T> {
        self.report(error);
        Err(Failed)
    }

    /// Consumes `token` or fails.
    pub(crate) fn expect(&mut self, token: Token, what: &str) -> Parsed<Span> {
        let span = self.span();
        if self.eat(token) {
            return Ok(span);
        }
        let error = self.expected(what);
        self.fail(error)
    }

    /// Consumes a name, or fails.
    pub(crate) fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let is_taken = self.at(Token::Ident) && L::is_taken(self.slice(), self.text);
        if !self.at(Token::Ident) || is_taken {
            let mut error = self.expected(what);
            let is_reserved = is_taken || self.token.is_reserved_word();
            if is_reserved {
                error = error.help(format!("`{}` is a reserved word and cannot be a name", self.slice()));
            }
            self.report(error);
            if is_reserved && !self.is_first_on_line() {
                // It was intended as a name, so no declaration starts here.
                self.advance();
            }
            return Err(Failed);
        }
        let ident = Ident { name: self.intern(self.slice()), place: Place(self.span()) };
        self.advance();
        Ok(ident)
    }

    /// Skips to the next item. Returns all names on the way, which may be declared there.
    pub(crate) fn skip_item(&mut self, start: u32) -> Vec<Arc<str>> {
        self.depth = 0;
        let mut first = self.start == start;
        // The number of open braces. Text inside them belongs to the item.
        let mut open = 0_u32;
        while !self.at(Token::End) {
            let is_next = if open == 0 { self.starts_item() } else { self.starts_declaration() };
            if is_next && !first {
                break;
            }
            first = false;
            match self.token {
                Token::LeftBrace if L::HAS_BLOCKS => open += 1,
                Token::RightBrace => open = open.saturating_sub(1),
                _ => {}
            }
            self.advance();
        }
        self.names_of_item()
    }

    /// Returns all names in the current item.
    pub(crate) fn names_of_item(&self) -> Vec<Arc<str>> {
        let names: Set<&str> = self.names_here.iter().copied().collect();
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names.into_iter().map(Arc::from).collect()
    }

    /// Begins an item: resets the state about the previous one.
    pub(crate) fn begin_item(&mut self) {
        self.names_here.clear();
        if self.at(Token::Ident) {
            self.names_here.push(self.slice());
        }
        self.bad_character = false;
    }
}
