//! Variables of formulas, and the quantifiers that bind them.

use super::cursor::{Parsed, shown};
use super::lexer::Token;
use super::reader::{Language, Reader};
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, TermId, VarId};

/// The variables in scope, and what else depends on the text before.
#[derive(Default)]
pub(super) struct Scope<'a> {
    vars: Map<&'a str, VarId>,
    /// Whether anything other than parentheses and `!` has been read.
    pub(super) behind_head: bool,
    /// Variables bound implicitly by the whole clause.
    pub(super) implicit: Vec<(&'a str, VarId)>,
    /// Variables of completed quantifiers, and their ends.
    closed: Vec<(&'a str, Span)>,
    /// Whether the `$ite` at a position is a side of an equation, as far as looked up.
    pub(super) sides: Map<u32, bool>,
}

/// A variable of a quantifier.
pub(super) struct Bound<'a> {
    name: &'a str,
    pub(super) var: VarId,
    /// The previous meaning of its name.
    outside: Option<VarId>,
}

impl<'a> Reader<'a> {
    /// Reads a variable. It must be bound, except in a clause, which binds it implicitly.
    pub(super) fn variable(&mut self, language: Language) -> Parsed<TermId> {
        let (name, span) = (self.cursor.slice(), self.cursor.span());
        self.cursor.advance();
        if self.cursor.token == Token::LeftParen {
            let what = format!("`{}` is a variable and takes no arguments", shown(name));
            return Err(Diagnostic::error(Code::Syntax, span, what)
                .label("a variable, by its capital letter")
                .help("names of functions and relations begin with a lower-case letter, or are in single quotes")
                .into());
        }
        if let Some(&var) = self.scope.vars.get(name) {
            return Ok(self.terms.var(var));
        }
        if language.is_clause() {
            let sort = self.vocabulary.individual();
            let var = self.new_var(name, sort, span);
            self.scope.vars.insert(name, var);
            self.scope.implicit.push((name, var));
            return Ok(self.terms.var(var));
        }
        let what = format!("the variable `{}` is not bound here", shown(name));
        let error = Diagnostic::error(Code::Undeclared, span, what).label("no quantifier binds it");
        let name = shown(name);
        Err(match self.scope.closed.iter().rev().find(|(closed, _)| *closed == self.text_of(span)) {
            Some(&(_, closed)) => error
                .also(closed, "a quantifier reaches over the next formula only: this is all of it")
                .help(format!("put parentheses around what it is about: `! [{name}] : ( .. )`")),
            None => error.help(format!(
                "formulas are closed: `! [{name}] : ( .. )` is about all `{name}`, `? [{name}] : ( .. )` about some"
            )),
        }
        .into())
    }

    fn new_var(&mut self, name: &str, sort: SortId, span: Span) -> VarId {
        let var = self.terms.new_var(name, sort);
        self.terms.locate_var(var, span);
        var
    }

    /// Reads `[X, Y: t] :` and binds the variables.
    pub(super) fn bound(&mut self, language: Language) -> Parsed<Vec<Bound<'a>>> {
        self.cursor.expect(Token::LeftBracket, "`[` and variables")?;
        let mut read: Vec<(&'a str, Span, SortId)> = Vec::new();
        loop {
            let (name, span) = (self.cursor.slice(), self.cursor.span());
            if !matches!(self.cursor.token, Token::UpperWord) {
                let error = self.cursor.expected("a variable");
                return Err(if self.cursor.at_name() {
                    error.help("variables begin with a capital letter").into()
                } else {
                    error.into()
                });
            }
            self.cursor.advance();
            let is_typed = self.cursor.token == Token::Colon;
            if is_typed && !language.is_typed() {
                return Err(self
                    .cursor
                    .expected("`,` or `]`")
                    .help("variables have types in `tff` only")
                    .into());
            }
            let sort = if is_typed {
                self.cursor.advance();
                self.variable_type()?
            } else {
                self.vocabulary.individual()
            };
            read.push((name, span, sort));
            if !self.cursor.eat(Token::Comma) {
                break;
            }
        }
        self.cursor.expect(Token::RightBracket, "`,` or `]`")?;
        self.cursor.expect(Token::Colon, "`:`")?;
        let mut vars = Vec::with_capacity(read.len());
        for (name, span, sort) in read {
            let var = self.new_var(name, sort, span);
            vars.push(Bound { name, var, outside: self.scope.vars.insert(name, var) });
        }
        Ok(vars)
    }

    /// Leaves the scope of the quantifier at `span`.
    pub(super) fn unbind(&mut self, vars: Vec<Bound<'a>>, span: Span) {
        for Bound { name, outside, .. } in vars.into_iter().rev() {
            match outside {
                Some(var) => self.scope.vars.insert(name, var),
                None => self.scope.vars.remove(name),
            };
            self.scope.closed.push((name, span));
        }
    }
}
