//! Parser of names with several parts, for languages that have objects: `a.b`, `a(x).b(y)`, `X:s`, `old r(x)`.
//!
//! Such a name is one [`ExprKind::Ref`]: the parts are joined by dots, and the arguments of all parts are those of the
//! name. A sort at an occurrence of a variable or numeral, and `old`, belong to the name.

use super::{Parsed, Parser};
use crate::fol::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::fol::lexer::{Implications, Syntax};
use crate::fol::token::Token;
use ramsey_core::base::span::{LINE_ENDS, Span};
use ramsey_core::diag::{Code, Diagnostic};

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Parses a name with its parts and their arguments, or a numeral.
    #[inline(never)]
    pub(super) fn composed_name(&mut self) -> Parsed<Expr> {
        let start = self.start;
        let is_old = self.eat(Token::Old);
        let first = self.slice();
        if matches!(self.token, Token::Number | Token::Text)
            || first.starts_with(|c: char| c.is_ascii_uppercase())
        {
            return self.variable_or_numeral(start, is_old);
        }
        if self.at(Token::This) {
            let error = self.expected("an expression");
            return self
                .fail(error.help("leave out `this.`: names mean first what the object around declares"));
        }
        let mut name = String::from(if is_old { "old " } else { "" });
        name.push_str(&self.subscripted_name("a name")?.name);
        let end = self.previous_end;
        self.rest_of_name(name, start, end, None)
    }

    /// Parses what follows `(old x)` with a dot: the name of the whole is `(old x).f`. After other expressions, nothing does.
    pub(super) fn member_of_old(&mut self, inner: Expr, start: u32) -> Parsed<Expr> {
        match inner.kind {
            ExprKind::Ref { name, args, .. } if name.name.starts_with("old ") => {
                let end = self.previous_end;
                self.rest_of_name(format!("({})", name.name), start, end, args)
            }
            _ => Ok(inner),
        }
    }

    /// Returns whether `<<` is here, which begins the bits of a number.
    pub(super) fn slice_follows(&self) -> bool {
        self.grammar.slices && self.at(Token::Less) && self.text_here().starts_with("<<")
    }

    /// Parses `<<high:low>>` after a number: `bfe[low][high]` of it.
    #[inline(never)]
    pub(super) fn bits(&mut self, of: Expr) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        self.advance();
        let high = self.numeral_of_bit()?;
        self.expect(Token::Colon, "`:` and the lowest bit")?;
        let low = self.numeral_of_bit()?;
        if !self.text_here().starts_with(">>") {
            let error = self.expected("`>>`").help("the bits 1 to 4 of `a` are `a<<4:1>>`");
            return self.fail(error);
        }
        self.advance();
        self.expect(Token::Greater, "`>>`")?;
        let name = Ident { name: format!("bfe[{low}][{high}]").into(), place: Place(self.span_from(start)) };
        let span = of.span().to(name.span());
        self.node(ExprKind::Ref { name, primes: 0, args: Some(vec![of]) }, span)
    }

    fn numeral_of_bit(&mut self) -> Parsed<&'t str> {
        if !self.at(Token::Number) {
            let error = self.expected("the number of a bit").help("the bits 1 to 4 of `a` are `a<<4:1>>`");
            return self.fail(error);
        }
        let text = self.slice();
        self.advance();
        Ok(text)
    }

    /// Parses the arguments of a name, and its further parts with theirs.
    fn rest_of_name(
        &mut self,
        mut name: String,
        start: u32,
        mut end: u32,
        mut args: Option<Vec<Expr>>,
    ) -> Parsed<Expr> {
        loop {
            if self.at(Token::LeftParen) {
                let open = self.span();
                self.advance();
                let list = self.list()?;
                self.close(open)?;
                args.get_or_insert_default().extend(list);
            }
            let joint = if self.grammar.subscripts { Token::Colon } else { Token::Dot };
            if !self.at(joint) || self.peek() != Token::Ident {
                break;
            }
            self.advance();
            name.push('.');
            name.push_str(&self.subscripted_name("a name")?.name);
            end = self.previous_end;
        }
        let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.starts_with("old ");
        if args.is_none() && is_plain && !self.grammar.subscripts && self.sort_follows() {
            self.push_sort(&mut name)?;
            end = self.previous_end;
        }
        let place = Place(Span { file: self.file, start, end });
        let name = Ident { name: name.into(), place };
        self.node(ExprKind::Ref { name, primes: 0, args }, self.span_from(start))
    }

    /// Parses a name with the subscripts that it has in languages with such: `f`, `f[x]`, `f[g[x]][y]`, `f[8]`. Blanks in it
    /// are not part of the name.
    pub(crate) fn subscripted_name(&mut self, what: &str) -> Parsed<Ident> {
        let start = self.start;
        let mut name = self.ident(what)?;
        let touches = self.grammar.brackets && self.previous_end == self.start;
        if !self.at(Token::LeftBracket) || !(self.grammar.subscripts || touches) {
            return Ok(name);
        }
        let mut text = name.name.to_string();
        let mut open = 0_u32;
        loop {
            match self.token {
                Token::LeftBracket => {
                    self.advance();
                    text.push('[');
                    open += 1;
                    if matches!(self.token, Token::Number | Token::This) {
                        text.push_str(self.slice());
                        self.advance();
                    } else {
                        text.push_str(&self.ident("a name as a subscript")?.name);
                    }
                }
                Token::Dot if open > 0 => {
                    self.advance();
                    text.push('.');
                    text.push_str(&self.ident("a name as a subscript")?.name);
                }
                Token::RightBracket if open > 0 => {
                    self.advance();
                    text.push(']');
                    open -= 1;
                }
                _ if open > 0 => {
                    let error = self.expected("`[` or `]`");
                    return self.fail(error);
                }
                _ => break,
            }
        }
        name.name = text.into();
        name.place = Place(self.span_from(start));
        Ok(name)
    }

    /// Returns whether implications associate to the right, as in early versions of languages that have versions.
    pub(crate) fn has_implications_to_the_right(&self) -> bool {
        self.grammar.implications == Implications::Right
    }

    /// Returns whether names have subscripts.
    pub(crate) fn has_subscripts(&self) -> bool {
        self.grammar.subscripts
    }

    /// Returns whether the sort of a name follows: `x:s`.
    fn sort_follows(&self) -> bool {
        self.at(Token::Colon) && matches!(self.peek(), Token::Ident | Token::Bool | Token::This)
    }

    /// Adds the sort that follows to a name.
    fn push_sort(&mut self, name: &mut String) -> Parsed<()> {
        self.advance();
        let sort = self.sort_with_dots()?;
        name.push(':');
        name.push_str(match &sort.name {
            SortName::Named(name) => name,
            SortName::Bool => "bool",
            SortName::Int => "int",
        });
        Ok(())
    }

    fn variable_or_numeral(&mut self, start: u32, is_old: bool) -> Parsed<Expr> {
        if is_old {
            let error = Diagnostic::error(Code::Syntax, self.span(), "`old` is followed by a variable")
                .label("the same before and after")
                .help("`old` reads a relation, function or constant as it was before the action: `old r(x)`");
            return self.fail(error);
        }
        let (mut text, is_number) =
            (self.slice().to_owned(), matches!(self.token, Token::Number | Token::Text));
        let name_end = self.span();
        self.advance();
        if self.sort_follows() {
            self.push_sort(&mut text)?;
        } else if is_number {
            return self.node(ExprKind::Int(text.into()), name_end);
        }
        if self.at(Token::LeftParen) {
            let error = Diagnostic::error(
                Code::Syntax,
                self.span(),
                format!("`{text}` is applied to arguments"),
            )
            .label("not possible here")
            .help("a name that starts with a capital letter is a variable; relations start with a small one");
            return self.fail(error);
        }
        // A `.` right after a variable and before a name is no end of a quantifier.
        let is_member = self.at(Token::Dot) && self.previous_end == self.start && self.dot_touches();
        if is_member && !is_number && !text.contains(':') {
            let end = self.previous_end;
            return self.rest_of_name(text, start, end, None);
        }
        let span = self.span_from(start);
        let name = Ident { name: text.into(), place: Place(span) };
        self.node(ExprKind::Ref { name, primes: 0, args: None }, span)
    }

    /// Returns whether a name follows the `.` here without a blank.
    fn dot_touches(&self) -> bool {
        self.peek() == Token::Ident
            && !self.text_here()[1..].starts_with([' ', '\t'])
            && !self.text_here()[1..].starts_with(LINE_ENDS)
    }

    /// Parses a sort, whose name may have several parts.
    pub(crate) fn sort_with_dots(&mut self) -> Parsed<SortRef> {
        if self.at(Token::This) {
            let place = Place(self.span());
            self.advance();
            return Ok(SortRef { name: SortName::Named("this".into()), place });
        }
        let start = self.start;
        let mut sort = self.sort_of_variable()?;
        while self.at(Token::Dot) && self.peek() == Token::Ident {
            self.advance();
            let part = self.subscripted_name("the name of a sort")?;
            if let SortName::Named(name) = &sort.name {
                sort.name = SortName::Named(format!("{name}.{}", part.name).into());
            }
        }
        sort.place = Place(self.span_from(start));
        Ok(sort)
    }

    /// Parses the variables of a quantifier in parentheses, after which there is no dot: `forall (X:a.b, Y) ..`.
    pub(super) fn vars_in_parentheses(&mut self) -> Parsed<Vec<SortedVar>> {
        self.advance();
        let vars = self.vars_with_sorts()?;
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(vars)
    }

    /// Parses variables with sorts.
    pub(crate) fn vars_with_sorts(&mut self) -> Parsed<Vec<SortedVar>> {
        let mut vars = Vec::new();
        loop {
            vars.push(self.var_with_sort()?);
            if !self.eat(Token::Comma) {
                return Ok(vars);
            }
        }
    }

    /// Parses a variable, with its sort if that is given.
    pub(crate) fn var_with_sort(&mut self) -> Parsed<SortedVar> {
        let name = self.ident("a variable")?;
        let sort = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
        Ok(SortedVar { name, sort })
    }

    /// Reports a name that is no variable: these begin with a capital letter.
    #[inline(never)]
    pub(crate) fn check_capitals(&mut self, vars: &[SortedVar]) -> Parsed<()> {
        let is_variable = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        let Some(var) = vars.iter().find(|var| !is_variable(&var.name.name)) else { return Ok(()) };
        let name = &var.name.name;
        let mut help = "variables begin with a capital letter".to_owned();
        if let Some(first) = name.chars().next().filter(char::is_ascii_lowercase) {
            help.push_str(&format!(": `{}{}`", first.to_ascii_uppercase(), &name[1..]));
        }
        let error = Diagnostic::error(Code::Syntax, var.name.span(), format!("`{name}` is no variable"))
            .label("expected a variable")
            .help(help);
        self.fail(error)
    }

    /// Parses the sort of a variable at its quantifier: one name, since a `.` after it ends the variables.
    pub(super) fn sort_of_variable(&mut self) -> Parsed<SortRef> {
        if !self.grammar.brackets || !self.at(Token::Ident) {
            return self.sort();
        }
        let name = self.subscripted_name("a sort")?;
        if name.name.contains('[') {
            self.bracketed.push(name.clone());
        }
        Ok(SortRef { name: SortName::Named(name.name), place: name.place })
    }
}
