//! Recursive-descent parser with recovery at declarations.

mod blocks;
mod decl;
mod expr;
pub(in crate::lang) mod foreign;
pub(in crate::lang) mod hints;

use std::sync::Arc;

use super::ast::{Decl, DeclKind, Expr, Ident, Place, Program};
use super::lexer::Token;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::base::span::{FileId, LINE_ENDS, Span};
use crate::diag::{Code, Diagnostic};
use crate::lang::rml::lexer::Lexer as RmlLexer;

/// Parsing stops after so many syntax errors.
const MAX_ERRORS: usize = 20;

/// How deep expressions may be nested, parentheses not counted.
pub(in crate::lang) const MAX_DEPTH: u32 = 400;

/// How deep the parser descends. A level of nesting takes two steps, an operand and the parentheses around it,
/// so whatever stays within [`MAX_DEPTH`] can be parsed however it is parenthesized by the printer.
const MAX_RECURSION: u32 = 2 * MAX_DEPTH + 2;

/// The tokens of a text in one of the two languages that share this parser's expressions.
#[derive(Clone)]
pub(in crate::lang) enum Lexer<'t> {
    Pyv(logos::Lexer<'t, Token>),
    Rml(RmlLexer<'t>),
}

impl<'t> Lexer<'t> {
    /// The tokens of a text in `.pyv`.
    pub(in crate::lang) fn pyv(text: &'t str) -> Lexer<'t> {
        Lexer::Pyv(logos::Lexer::new(text))
    }

    /// The next token; an error is a character that no token starts with.
    fn next(&mut self) -> Option<Result<Token, ()>> {
        match self {
            Lexer::Pyv(lexer) => lexer.next(),
            Lexer::Rml(lexer) => lexer.next(),
        }
    }

    /// Where the last token stands.
    fn span(&self) -> std::ops::Range<usize> {
        match self {
            Lexer::Pyv(lexer) => lexer.span(),
            Lexer::Rml(lexer) => lexer.span(),
        }
    }

    /// Skips so many bytes of the rest, or all of it.
    fn skip(&mut self, bytes: impl FnOnce(&str) -> usize) {
        match self {
            Lexer::Pyv(lexer) => lexer.bump(bytes(lexer.remainder())),
            Lexer::Rml(lexer) => lexer.bump(bytes(lexer.remainder())),
        }
    }
}

/// The declaration cannot be parsed; the reason has been reported.
#[derive(Debug)]
pub(in crate::lang) struct Failed;

pub(in crate::lang) type Parsed<T> = Result<T, Failed>;

/// Parses a file. Declarations with syntax errors become [`DeclKind::Broken`].
/// A token takes a unit of the budget.
///
/// # Errors
/// The budget that ran out.
pub(in crate::lang) fn parse(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(Program, Vec<Diagnostic>), Exhausted> {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error_nowhere(Code::Unreadable, "the file is larger than 4 GiB");
        return Ok((Program { decls: Vec::new(), file }, vec![error]));
    }
    let mut parser = Parser::new(file, text, Lexer::pyv(text), budget.clone());
    let decls = parser.program();
    Ok((Program { decls, file }, parser.finish(budget)?))
}

/// Parses a text in the language of `lexer` that is one formula; there is none where it has an error.
pub(in crate::lang) fn parse_formula<'t>(
    file: FileId,
    text: &'t str,
    lexer: Lexer<'t>,
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

pub(in crate::lang) struct Parser<'t> {
    pub(in crate::lang) file: FileId,
    text: &'t str,
    lexer: Lexer<'t>,
    budget: Budget,
    /// The budget that ran out: the text ends here, and diagnostics say nothing.
    exhausted: Option<Exhausted>,
    /// The current token and where it stands.
    pub(in crate::lang) token: Token,
    pub(in crate::lang) start: u32,
    end: u32,
    /// Where the token before it ended.
    pub(in crate::lang) previous_end: u32,
    /// How many expressions the current one is inside of.
    pub(in crate::lang) depth: u32,
    /// How many blocks of commands the current place is inside of.
    pub(in crate::lang) blocks: u32,
    /// Whether the current place is inside of the loop of a program.
    pub(in crate::lang) in_loop: bool,
    pub(in crate::lang) diagnostics: Vec<Diagnostic>,
    pub(in crate::lang) errors: usize,
    interner: Map<&'t str, Arc<str>>,
    /// The identifiers since the start of the current declaration.
    pub(in crate::lang) names_here: Vec<&'t str>,
    /// Whether the hint about `&&` and `||` has been given.
    doubled_reported: bool,
    /// Whether the current declaration or command has a character that no token starts with. Then what else does not
    /// fit in it follows from that, and is not reported.
    pub(in crate::lang) bad_character: bool,
    /// Whether the mistake in the current command is one of the formula that ends right before it.
    pub(in crate::lang) spoils_previous: bool,
}

impl<'t> Parser<'t> {
    /// A parser at the first token.
    pub(in crate::lang) fn new(file: FileId, text: &'t str, lexer: Lexer<'t>, budget: Budget) -> Parser<'t> {
        let mut parser = Parser {
            file,
            text,
            lexer,
            budget,
            exhausted: None,
            token: Token::End,
            start: 0,
            end: 0,
            previous_end: 0,
            depth: 0,
            blocks: 0,
            in_loop: false,
            diagnostics: Vec::new(),
            errors: 0,
            interner: Map::default(),
            names_here: Vec::new(),
            doubled_reported: false,
            bad_character: false,
            spoils_previous: false,
        };
        parser.advance();
        parser
    }

    /// The diagnostics, and the budget as it is left.
    ///
    /// # Errors
    /// The budget that ran out.
    pub(in crate::lang) fn finish(self, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
        *budget = self.budget;
        self.exhausted.map_or(Ok(self.diagnostics), Err)
    }

    /// Whether a declaration (or a command that is known by its first token) starts here.
    pub(in crate::lang) fn starts_item(&self) -> bool {
        match self.lexer {
            Lexer::Pyv(_) => self.token.starts_declaration(),
            Lexer::Rml(_) => crate::lang::rml::lexer::starts_item(self.token),
        }
    }

    /// Whether a declaration starts here or, outside of all braces, an item.
    fn starts_item_within(&self, braces: u32) -> bool {
        match braces {
            0 => self.starts_item(),
            _ => crate::lang::rml::lexer::starts_declaration(self.token),
        }
    }

    pub(in crate::lang) fn advance(&mut self) {
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
        if self.slice() == "\\" {
            // A command of another language: its word belongs to it.
            let mut word = 0;
            self.lexer.skip(|rest| {
                word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
                word
            });
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
        let help = match self.lexer {
            Lexer::Pyv(_) => hints::for_characters(slice),
            Lexer::Rml(_) => crate::lang::rml::lexer::hint(slice),
        };
        if let Some(help) = help {
            error = error.help(help);
        }
        if slice.starts_with("//") && matches!(self.lexer, Lexer::Pyv(_)) {
            // Read as the comment that it was meant to be.
            self.lexer.skip(|rest| rest.find(LINE_ENDS).unwrap_or(rest.len()));
        }
        self.report(error);
        self.bad_character = true;
    }

    /// Reports a comment between `/*` and `*/`, and reads it as the comment that it was meant to be.
    fn foreign_comment(&mut self) {
        self.end += 1;
        let error = Diagnostic::error(Code::UnexpectedCharacter, self.span(), "unexpected characters `/*`")
            .label("not part of the language")
            .help("comments start with `#` and end with the line");
        self.lexer.skip(|rest| rest[1..].find("*/").map_or(rest.len(), |at| at + "/**/".len() - 1));
        self.report(error);
    }

    /// Jumps to the end of the text.
    pub(in crate::lang) fn give_up(&mut self) {
        self.lexer.skip(str::len);
        (self.start, self.end) = (self.text.len() as u32, self.text.len() as u32);
        self.token = Token::End;
    }

    /// Adds a syntax error; at the limit it says so and gives up.
    pub(in crate::lang) fn report(&mut self, error: Diagnostic) {
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

    pub(in crate::lang) fn slice(&self) -> &'t str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// The text from the current token on.
    pub(in crate::lang) fn text_here(&self) -> &'t str {
        &self.text[self.start as usize..]
    }

    /// Where the current token stands.
    pub(in crate::lang) fn span(&self) -> Span {
        Span { file: self.file, start: self.start, end: self.end }
    }

    /// From `start` to the end of the token before the current one.
    pub(in crate::lang) fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    pub(in crate::lang) fn at(&self, token: Token) -> bool {
        self.token == token
    }

    /// The token after the current one.
    pub(in crate::lang) fn peek(&self) -> Token {
        self.ahead().next().unwrap_or(Token::End)
    }

    /// The tokens after the current one, up to a character that no token starts with.
    pub(in crate::lang) fn ahead(&self) -> impl Iterator<Item = Token> + use<'t> {
        let mut lexer = self.lexer.clone();
        std::iter::from_fn(move || lexer.next()?.ok())
    }

    /// Consumes the current token if it is `token`.
    pub(in crate::lang) fn eat(&mut self, token: Token) -> bool {
        let found = self.token == token;
        if found {
            self.advance();
        }
        found
    }

    pub(in crate::lang) fn intern(&mut self, text: &'t str) -> Arc<str> {
        self.interner.entry(text).or_insert_with(|| Arc::from(text)).clone()
    }

    /// The current token as messages show it.
    pub(in crate::lang) fn found(&self) -> String {
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
    pub(in crate::lang) fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        // Where the next declaration or the end follows, the place of the mistake is behind the last token.
        let is_cut_off = self.at(Token::End) || (self.starts_item() && self.is_first_on_line());
        let span = if is_cut_off && self.previous_end > 0 {
            Span { file: self.file, start: self.previous_end - 1, end: self.previous_end }
        } else {
            self.span()
        };
        let span = self.on_boundaries(span);
        Diagnostic::error(Code::Syntax, span, message).label(format!("expected {what}"))
    }

    /// Whether the current token is on another line than the one before it.
    pub(in crate::lang) fn is_first_on_line(&self) -> bool {
        self.text[self.previous_end as usize..self.start as usize].contains(LINE_ENDS)
    }

    /// The same span, widened so that it does not split a character.
    fn on_boundaries(&self, mut span: Span) -> Span {
        while !self.text.is_char_boundary(span.start as usize) {
            span.start -= 1;
        }
        span
    }

    /// Reports an error and fails.
    pub(in crate::lang) fn fail<T>(&mut self, error: Diagnostic) -> Parsed<T> {
        self.report(error);
        Err(Failed)
    }

    /// Consumes `token` or fails.
    pub(in crate::lang) fn expect(&mut self, token: Token, what: &str) -> Parsed<Span> {
        let span = self.span();
        if self.eat(token) {
            return Ok(span);
        }
        let error = self.expected(what);
        self.fail(error)
    }

    /// Consumes a name or fails.
    pub(in crate::lang) fn ident(&mut self, what: &str) -> Parsed<Ident> {
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
        if let Some(help) = hints::for_other_format(self.text_here()) {
            let error = self.expected("a declaration").help(help);
            self.report(error);
            self.give_up();
        }
        while !self.at(Token::End) {
            let start = self.start;
            self.names_here.clear();
            if self.at(Token::Ident) {
                self.names_here.push(self.slice());
            }
            let errors_before = self.errors;
            self.bad_character = false;
            match self.decl() {
                Ok(kind) if self.errors == errors_before => {
                    let is_followed = !self.at(Token::End) && !self.token.starts_declaration();
                    if !is_followed || self.is_first_on_line() {
                        decls.push(Decl { kind, place: Place(self.span_from(start)) });
                    }
                    if is_followed {
                        // On the same line it belongs to the declaration, which is not what was meant then.
                        let after = if self.is_first_on_line() { self.start } else { start };
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
    pub(in crate::lang) fn broken(&mut self, start: u32) -> Decl {
        self.depth = 0;
        let mut first = self.start == start;
        // In programs, how many braces have been opened on the way: what is inside of them belongs to it.
        let mut open = 0_u32;
        while !self.at(Token::End) && (first || !self.starts_item_within(open)) {
            first = false;
            match self.token {
                Token::LeftBrace if matches!(self.lexer, Lexer::Rml(_)) => open += 1,
                Token::RightBrace => open = open.saturating_sub(1),
                _ => {}
            }
            self.advance();
        }
        let names: Set<&str> = self.names_here.iter().copied().collect();
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        let names = names.into_iter().map(Arc::from).collect();
        Decl { kind: DeclKind::Broken(names), place: Place(self.span_from(start)) }
    }
}
