//! Recursive-descent parser with recovery at declarations.

mod blocks;
mod decl;
mod expr;
mod hints;

use std::sync::Arc;

use logos::Logos as _;

use super::ast::{Decl, DeclKind, Expr, Ident, Place, Program};
use super::lexer::Token;
use crate::base::hash::{Map, Set};
use crate::base::span::{FileId, Span};
use crate::diag::{Code, Diagnostic};

/// Parsing stops after so many syntax errors.
const MAX_ERRORS: usize = 20;

/// How deep expressions may be nested, parentheses not counted.
const MAX_DEPTH: u32 = 400;

/// How deep the parser descends. A level of nesting takes two steps, an operand and the parentheses around it,
/// so whatever stays within [`MAX_DEPTH`] can be parsed however it is parenthesized by the printer.
const MAX_RECURSION: u32 = 2 * MAX_DEPTH + 2;

/// The declaration cannot be parsed; the reason has been reported.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// Parses a file. Declarations with syntax errors become [`DeclKind::Broken`].
pub(super) fn parse(file: FileId, text: &str) -> (Program, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error_nowhere(Code::Unreadable, "the file is larger than 4 GiB");
        return (Program { decls: Vec::new(), file }, vec![error]);
    }
    let mut parser = Parser::new(file, text);
    let decls = parser.program();
    (Program { decls, file }, parser.diagnostics)
}

/// Parses a text that is one formula; there is none where it has an error.
pub(super) fn parse_formula(file: FileId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error_nowhere(Code::Unreadable, "the formula is larger than 4 GiB");
        return (None, vec![error]);
    }
    let mut parser = Parser::new(file, text);
    let formula = parser.formula().ok();
    if formula.is_some() && !parser.at(Token::End) {
        let error = parser.expected("the end of the formula");
        parser.report(error);
    }
    let formula = formula.filter(|_| parser.diagnostics.is_empty());
    (formula, parser.diagnostics)
}

struct Parser<'t> {
    file: FileId,
    text: &'t str,
    lexer: logos::Lexer<'t, Token>,
    /// The current token and where it stands.
    token: Token,
    start: u32,
    end: u32,
    /// Where the token before it ended.
    previous_end: u32,
    /// How many expressions the current one is inside of.
    depth: u32,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    interner: Map<&'t str, Arc<str>>,
    /// The identifiers since the start of the current declaration.
    names_here: Vec<&'t str>,
    /// Whether the hint about `&&` and `||` has been given.
    doubled_reported: bool,
}

impl<'t> Parser<'t> {
    /// A parser at the first token. `text` is smaller than 4 GiB.
    fn new(file: FileId, text: &'t str) -> Self {
        let mut parser = Parser {
            file,
            text,
            lexer: Token::lexer(text),
            token: Token::End,
            start: 0,
            end: 0,
            previous_end: 0,
            depth: 0,
            diagnostics: Vec::new(),
            errors: 0,
            interner: Map::default(),
            names_here: Vec::new(),
            doubled_reported: false,
        };
        parser.advance();
        parser
    }

    fn advance(&mut self) {
        self.previous_end = self.end;
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

    /// Reports the run of characters here that no token starts with.
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
        if let Some(help) = hints::for_characters(slice) {
            error = error.help(help);
        }
        if slice.starts_with("//") {
            // Read as the comment that it was meant to be.
            let rest = self.lexer.remainder();
            self.lexer.bump(rest.find('\n').unwrap_or(rest.len()));
        }
        self.report(error);
    }

    /// Jumps to the end of the text.
    fn give_up(&mut self) {
        self.lexer.bump(self.lexer.remainder().len());
        (self.start, self.end) = (self.text.len() as u32, self.text.len() as u32);
        self.token = Token::End;
    }

    /// Adds a syntax error; at the limit it says so and gives up.
    fn report(&mut self, error: Diagnostic) {
        if self.errors >= MAX_ERRORS {
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

    fn slice(&self) -> &'t str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// Where the current token stands.
    fn span(&self) -> Span {
        Span { file: self.file, start: self.start, end: self.end }
    }

    /// From `start` to the end of the token before the current one.
    fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    fn at(&self, token: Token) -> bool {
        self.token == token
    }

    /// The token after the current one.
    fn peek(&self) -> Token {
        match self.lexer.clone().next() {
            Some(Ok(token)) => token,
            _ => Token::End,
        }
    }

    /// Consumes the current token if it is `token`.
    fn eat(&mut self, token: Token) -> bool {
        let found = self.token == token;
        if found {
            self.advance();
        }
        found
    }

    fn intern(&mut self, text: &'t str) -> Arc<str> {
        self.interner.entry(text).or_insert_with(|| Arc::from(text)).clone()
    }

    /// The current token as messages show it.
    fn found(&self) -> String {
        match self.token {
            Token::End => "the end of the file".into(),
            token if token.is_reserved_word() => format!("the keyword `{}`", self.slice()),
            _ => {
                let shown: String = self.slice().chars().take(40).collect();
                format!("`{shown}`")
            }
        }
    }

    /// The error that something else was expected at the current token.
    fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        // Where the next declaration or the end follows, the place of the mistake is behind the last token.
        let is_cut_off = self.at(Token::End) || (self.token.starts_declaration() && self.is_first_on_line());
        let span = if is_cut_off && self.previous_end > 0 {
            Span { file: self.file, start: self.previous_end - 1, end: self.previous_end }
        } else {
            self.span()
        };
        let span = self.on_boundaries(span);
        Diagnostic::error(Code::Syntax, span, message).label(format!("expected {what}"))
    }

    /// Whether the current token is on another line than the one before it.
    fn is_first_on_line(&self) -> bool {
        self.text[self.previous_end as usize..self.start as usize].contains('\n')
    }

    /// The same span, widened so that it does not split a character.
    fn on_boundaries(&self, mut span: Span) -> Span {
        while !self.text.is_char_boundary(span.start as usize) {
            span.start -= 1;
        }
        span
    }

    /// Reports an error and fails.
    fn fail<T>(&mut self, error: Diagnostic) -> Parsed<T> {
        self.report(error);
        Err(Failed)
    }

    /// Consumes `token` or fails.
    fn expect(&mut self, token: Token, what: &str) -> Parsed<Span> {
        let span = self.span();
        if self.eat(token) {
            return Ok(span);
        }
        let error = self.expected(what);
        self.fail(error)
    }

    /// Consumes a name or fails.
    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if !self.at(Token::Ident) {
            let mut error = self.expected(what);
            if self.token.is_reserved_word() {
                error = error.help(format!("`{}` is a reserved word and cannot be a name", self.slice()));
            }
            self.report(error);
            if self.token.is_reserved_word() && !self.is_first_on_line() {
                // It was meant as a name, so no declaration starts here.
                self.advance();
            }
            return Err(Failed);
        }
        let ident = Ident { name: self.intern(self.slice()), place: Place(self.span()) };
        self.advance();
        Ok(ident)
    }

    fn program(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while !self.at(Token::End) {
            let start = self.start;
            self.names_here.clear();
            if self.at(Token::Ident) {
                self.names_here.push(self.slice());
            }
            let errors_before = self.errors;
            match self.decl() {
                Ok(kind) if self.errors == errors_before => {
                    decls.push(Decl { kind, place: Place(self.span_from(start)) });
                    if !self.at(Token::End) && !self.token.starts_declaration() {
                        let after = self.start;
                        self.after_declaration();
                        decls.push(self.broken(after));
                    }
                }
                _ => decls.push(self.broken(start)),
            }
        }
        decls
    }

    /// Skips to the next declaration; all names on the way may be declared for what we know.
    fn broken(&mut self, start: u32) -> Decl {
        self.depth = 0;
        let mut first = self.start == start;
        while !self.at(Token::End) && (first || !self.token.starts_declaration()) {
            first = false;
            self.advance();
        }
        let names: Set<&str> = self.names_here.iter().copied().collect();
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        let names = names.into_iter().map(Arc::from).collect();
        Decl { kind: DeclKind::Broken(names), place: Place(self.span_from(start)) }
    }
}
