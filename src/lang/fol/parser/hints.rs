//! Hints for syntax errors: what was probably intended.

use super::{Parser, foreign};
use crate::fol::ast::{SortName, SortedVar};
use crate::fol::lexer::Syntax;
use crate::fol::token::Token;
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Returns help for a file that begins like one of another format.
pub(crate) fn for_other_format(text: &str) -> Option<&'static str> {
    const SCRIPT: &[&str] = &["(set-", "(declare-", "(define-", "(assert", "(check-sat", "(push", "(reset"];
    if SCRIPT.iter().any(|start| text.starts_with(start)) {
        return Some(
            "this looks like a script in SMT-LIB: name it `.smt2`, and `ramsey solve` solves it without a model",
        );
    }
    let is_module = text.trim_start_matches('-').trim_start_matches([' ', '\t']).starts_with("MODULE");
    (text.starts_with("----") && is_module)
        .then_some("this looks like a module in TLA+, which is no language that ramsey reads")
}

/// Returns the error that `word` is not an operator, if it is one in other languages.
pub(crate) fn no_such_operator(word: &str, span: Span) -> Option<Diagnostic> {
    let help = foreign::operator(word)?;
    let error = Diagnostic::error(Code::Syntax, span, format!("there is no operator `{word}`"));
    Some(error.label("unknown operator").help(help))
}

/// Returns a variable as written at its binder.
fn shown_var(var: &SortedVar) -> String {
    match &var.sort {
        Some(sort) => match &sort.name {
            SortName::Bool => format!("{}:bool", var.name.name),
            SortName::Int => format!("{}:int", var.name.name),
            SortName::Named(name) => format!("{}:{name}", var.name.name),
        },
        None => var.name.name.to_string(),
    }
}

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Adds a suggestion if the current name resembles one of `words`.
    pub(crate) fn hint_keyword(
        &self,
        error: Diagnostic,
        words: impl IntoIterator<Item = &'static str>,
    ) -> Diagnostic {
        if !self.at(Token::Ident) {
            return error;
        }
        match suggest(self.slice(), words) {
            Some(word) => error.help(format!("did you mean `{word}`?")),
            None => error,
        }
    }

    /// Adds help at a position where an expression could continue.
    pub(crate) fn hint_operator(&self, error: Diagnostic) -> Diagnostic {
        match self.token {
            Token::Not => error.help("`!` negates what follows it; inequality is written `!=`"),
            Token::Dot => error.help("only the variables of a quantifier are followed by `.`"),
            Token::Colon if self.peek() == Token::Equal => self.hint_assignment(error),
            Token::LeftBracket => error.help("arguments stand in parentheses: `r(x)`"),
            Token::In => error.help("a set is a relation: that `x` is in `r` is written `r(x)`"),
            Token::Ident | Token::LeftParen | Token::Forall | Token::Exists | Token::New => {
                error.help("is an operator such as `&` missing before this?")
            }
            Token::Colon => error.help("sorts of variables are given where they are bound: `forall x:s. ..`"),
            _ => error,
        }
    }

    /// Adds help for `:=` after an expression.
    fn hint_assignment(&self, error: Diagnostic) -> Diagnostic {
        error.help(if self.text[..self.previous_end as usize].ends_with(')') {
            "there is no assignment: a transition says what is true in the next state, for all arguments, as in `forall X. r'(X) <-> r(X) | X = n`"
        } else {
            "there is no assignment: a transition says what is true in the next state, as in `c' = n`"
        })
    }

    /// Returns the error that the current name, or the one before it on the same line, is an operator in other
    /// languages.
    pub(crate) fn foreign_operator(&self) -> Option<Diagnostic> {
        let here = (self.at(Token::Ident) && !self.is_first_on_line()).then(|| (self.slice(), self.span()));
        [here, self.word_before()].into_iter().flatten().find_map(|(word, span)| no_such_operator(word, span))
    }

    /// Returns the word at the end of the previous token, if that is on the same line.
    pub(crate) fn word_before(&self) -> Option<(&str, Span)> {
        let text = &self.text[..self.previous_end as usize];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = text.trim_end_matches(is_part).len();
        let span = Span { file: self.file, start: start as u32, end: self.previous_end };
        (start < text.len() && !self.is_first_on_line()).then_some((&text[start..], span))
    }

    /// Returns the text after the current token.
    pub(crate) fn rest(&self) -> &str {
        &self.text[self.end as usize..]
    }

    /// Returns the word after the current token.
    pub(crate) fn word_after(&self) -> &str {
        let rest = self.rest().trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    /// Reports a claim that begins with a name without brackets, and skips the name.
    pub(crate) fn unbracketed_name(&mut self, keyword: &str) {
        if !self.at(Token::Ident) || self.is_first_on_line() || foreign::operator(self.slice()).is_some() {
            return;
        }
        let mut ahead = self.ahead();
        let (next, then) = (ahead.next(), ahead.next());
        let is_name = match next {
            Some(Token::Colon) => then != Some(Token::Equal),
            Some(Token::Forall | Token::Exists | Token::True | Token::False | Token::Distinct) => true,
            Some(Token::Not) => then != Some(Token::Equal),
            Some(Token::Ident) => {
                foreign::operator(self.word_after()).is_none() && self.ident_goes_on(then, ahead)
            }
            _ => false,
        };
        if !is_name {
            return;
        }
        let name = self.slice();
        let error = Diagnostic::error(
            Code::Syntax,
            self.span(),
            format!("the name of a declaration stands in brackets, and `{name}` does not"),
        )
        .label("a name")
        .help(format!("write `{keyword} [{name}] ..`"));
        self.report(error);
        self.advance();
        self.eat(Token::Colon);
    }

    /// Returns whether the name after the current one is part of a formula. `then` and `ahead` are the tokens after it.
    fn ident_goes_on(&self, then: Option<Token>, ahead: impl Iterator<Item = Token>) -> bool {
        match then {
            // In programs a command may follow on the same line: `r(x) := ..`.
            Some(Token::LeftParen) => {
                let mut open = 1;
                let mut rest = ahead.skip_while(|token| {
                    match token {
                        Token::LeftParen => open += 1,
                        Token::RightParen => open -= 1,
                        _ => {}
                    }
                    open > 0
                });
                rest.nth(1) != Some(Token::Assign)
            }
            Some(
                Token::And
                | Token::Or
                | Token::Implies
                | Token::Iff
                | Token::Equal
                | Token::NotEqual
                | Token::Prime,
            ) => true,
            _ => false,
        }
    }

    /// Adds help at a position where an expression should start.
    pub(crate) fn hint_expression(&self, error: Diagnostic) -> Diagnostic {
        match self.token {
            Token::Minus => error.help("there is no unary minus"),
            Token::LeftBracket => {
                error.help("use parentheses to group; brackets enclose the name of a declaration")
            }
            Token::LeftBrace => error.help("use parentheses to group"),
            _ => error,
        }
    }

    /// Adds help for a quantifier whose variables are not followed by `.`.
    pub(crate) fn hint_quantifier(
        &self,
        error: Diagnostic,
        universal: bool,
        vars: &[SortedVar],
    ) -> Diagnostic {
        let word = if universal { "forall" } else { "exists" };
        let mut vars = vars;
        if let [before @ .., last] = vars
            && !before.is_empty()
            && last.sort.is_none()
            && self.at(Token::LeftParen)
        {
            // The text after the comma is the body: `forall x, p(x)`.
            vars = before;
        }
        let list: Vec<String> = vars.iter().take(3).map(shown_var).collect();
        let shown = list.join(", ");
        match self.token {
            Token::In if matches!(vars, [_]) && self.peek() == Token::Ident => {
                let sort = self.word_after();
                error.help(format!("the sort of a variable follows `:`, as in `{word} {shown}:{sort}. ..`"))
            }
            Token::Ident
                if matches!(self.peek(), Token::Dot | Token::Ident | Token::Comma | Token::Colon) =>
            {
                error.help(format!("separate variables by commas: `{word} {shown}, {}. ..`", self.slice()))
            }
            _ => error.help(format!("a `.` ends the variables: `{word} {shown}. ..`")),
        }
    }

    /// Checks the operand after an operator: two consecutive operators have likely explanations.
    pub(crate) fn check_operand(&mut self, operator: Span) -> super::Parsed<()> {
        let before = &self.text[operator.start as usize..operator.end as usize];
        let adjacent = operator.end == self.start;
        if adjacent && let Some((sign, help)) = foreign::sign(&self.text[operator.start as usize..]) {
            let end = operator.start + sign.len() as u32;
            let error = Diagnostic::error(
                Code::Syntax,
                Span { end, ..operator },
                format!("there is no operator `{sign}`"),
            );
            return self.fail(error.label("unknown operator").help(help));
        }
        match (before, self.token) {
            ("&", Token::And) | ("|", Token::Or) if adjacent && !self.doubled_reported => {
                self.doubled_reported = true;
                // The text is accepted: the second character is a bullet, which is ignored.
                self.diagnostics.push(
                    Diagnostic::warning(
                        Code::Syntax,
                        operator.to(self.span()),
                        format!("`{before}{before}` means the same as `{before}`"),
                    )
                    .label("doubled operator")
                    .help(format!("write `{before}`")),
                );
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
