//! Parser of expressions, by precedence climbing.

use super::{MAX_DEPTH, MAX_RECURSION, Parsed, Parser};
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Level, Place, SortedVar};
use crate::fol::lexer::{Implications, Syntax};
use crate::fol::token::Token;
use ramsey_core::base::span::{LINE_ENDS, Span};
use ramsey_core::diag::{Code, Diagnostic};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    And,
    Or,
    Binary(BinaryOp),
}

impl Infix {
    fn of(token: Token) -> Option<Infix> {
        Some(Infix::Binary(match token {
            Token::And => return Some(Infix::And),
            Token::Or => return Some(Infix::Or),
            Token::Iff => BinaryOp::Iff,
            Token::Implies => BinaryOp::Implies,
            Token::Equal => BinaryOp::Equal,
            Token::NotEqual => BinaryOp::NotEqual,
            Token::Less => BinaryOp::Less,
            Token::LessEqual => BinaryOp::LessEqual,
            Token::Greater => BinaryOp::Greater,
            Token::GreaterEqual => BinaryOp::GreaterEqual,
            Token::Plus => BinaryOp::Plus,
            Token::Minus => BinaryOp::Minus,
            Token::Star => BinaryOp::Times,
            Token::Slash => BinaryOp::Divide,
            Token::PointsTo => BinaryOp::PointsTo,
            _ => return None,
        }))
    }

    fn level(self) -> Level {
        match self {
            Infix::And => Level::And,
            Infix::Or => Level::Or,
            Infix::Binary(op) => op.level(),
        }
    }
}

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Parses an expression whose operators bind at least as strongly as `min`.
    pub(crate) fn expr(&mut self, min: Level) -> Parsed<Expr> {
        if self.depth >= MAX_RECURSION {
            return self.too_deep(self.span());
        }
        self.depth += 1;
        let mut left = self.prefix()?;
        while self.slice_follows() {
            left = self.bits(left)?;
        }
        loop {
            if let Some(infix) = Infix::of(self.token)
                && self.level(infix) >= min
            {
                left = self.infix(left, infix)?;
            } else if self.at(Token::Isa) && min <= Level::Equality {
                left = self.is_variant(left)?;
            } else if self.grammar.composed_names && self.at(Token::If) && min <= Level::Choice {
                left = self.choice_of_values(left)?;
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Returns the binding strength of an operator.
    fn level(&self, infix: Infix) -> Level {
        match infix.level() {
            Level::Iff if self.grammar.implications != Implications::Separate => Level::Implies,
            level => level,
        }
    }

    /// Parses the rest of `value if condition else other`.
    #[inline(never)]
    fn choice_of_values(&mut self, value: Expr) -> Parsed<Expr> {
        self.advance();
        let condition = self.expr(Level::Open)?;
        if !self.at(Token::Else) {
            let help = if self.at(Token::LeftBrace) {
                "a choice between values is `a if c else b`; if this is a command, a `;` is missing before `if`"
            } else {
                "a choice between values is written `a if c else b`"
            };
            return self.missing("`else`", help);
        }
        self.advance();
        let otherwise = self.expr(Level::Sum)?;
        let span = value.span().to(otherwise.span());
        self.node(ExprKind::Ite(Box::new([condition, value, otherwise])), span)
    }

    /// Parses the rest of `value isa variant`: there is a value of the variant that it is.
    #[inline(never)]
    fn is_variant(&mut self, value: Expr) -> Parsed<Expr> {
        let op_place = Place(self.span());
        self.advance();
        let sort = self.sort_with_dots()?;
        if value.span().start == self.body_start {
            return self.loose_variant(&value);
        }
        self.variant_end = self.previous_end;
        let span = value.span().to(sort.place.0);
        let mut name = String::from("V");
        let is_taken = |name: &str| {
            value.nodes().any(|node| {
                matches!(&node.kind, ExprKind::Ref { name: known, .. }
                    if known.name.split([':', '.']).next() == Some(name))
            })
        };
        while is_taken(&name) {
            name.push('_');
        }
        let name = Ident { name: name.into(), place: sort.place };
        let own = Expr::new(ExprKind::Ref { name: name.clone(), primes: 0, args: None }, sort.place.0);
        let sides = Box::new([value, own]);
        let points = self.node(ExprKind::Binary { op: BinaryOp::PointsTo, op_place, sides }, span)?;
        let vars = vec![SortedVar { name, sort: Some(sort) }];
        self.node(ExprKind::Quantifier { universal: false, vars, body: Box::new(points) }, span)
    }

    /// Fails if what has been parsed on the right of a connective ends with `isa` without parentheses.
    fn check_variant(&mut self, operand: &Expr) -> Parsed<()> {
        if self.variant_end == self.previous_end { self.loose_variant(operand) } else { Ok(()) }
    }

    /// Reports `isa` after connectives and quantifiers: it takes all that is left of it, which is a formula.
    #[cold]
    #[inline(never)]
    fn loose_variant<T>(&mut self, operand: &Expr) -> Parsed<T> {
        let error = Diagnostic::error(
            Code::Syntax,
            operand.span(),
            "`isa` takes all that is left of it, which is a formula here",
        )
        .label("not in parentheses")
        .help("write `(x isa t)` after connectives and quantifiers");
        self.fail(error)
    }

    #[inline(never)]
    pub(crate) fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        let error = Diagnostic::error(
            Code::TooDeep,
            span,
            format!("the expression is nested more than {MAX_DEPTH} levels deep"),
        )
        .label("too deep here")
        .help("give inner parts a name by `definition`");
        self.fail(error)
    }

    /// Creates a node, and fails if it is too high.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height > MAX_DEPTH { self.too_deep(span) } else { Ok(expr) }
    }

    /// Parses the operator at the current token and its right operand.
    #[inline(never)]
    fn infix(&mut self, left: Expr, infix: Infix) -> Parsed<Expr> {
        let op_span = self.span();
        self.advance();
        self.check_operand(op_span)?;
        let level = self.level(infix);
        let to_the_right = level == Level::Implies && self.grammar.implications != Implications::Left;
        let right_min = if to_the_right { level } else { level.tighter() };
        let right = self.expr(right_min)?;
        self.check_variant(&right)?;
        match infix {
            Infix::And => self.flatten(left, right, true),
            Infix::Or => self.flatten(left, right, false),
            Infix::Binary(op) => {
                let span = left.span().to(right.span());
                let kind = ExprKind::Binary { op, op_place: Place(op_span), sides: Box::new([left, right]) };
                let expr = self.node(kind, span)?;
                if matches!(level, Level::Iff | Level::Equality)
                    && let Some(next) = Infix::of(self.token)
                    && next.level() == level
                {
                    return self.not_associative(op, op_span);
                }
                Ok(expr)
            }
        }
    }

    #[inline(never)]
    fn not_associative(&mut self, op: BinaryOp, op_span: Span) -> Parsed<Expr> {
        let message = format!("`{}` and `{}` cannot be chained", op.text(), self.slice());
        let mut error = Diagnostic::error(Code::Syntax, self.span(), message)
            .label("second operator")
            .also(op_span, "first operator");
        error = match op.level() {
            Level::Iff => error.help("add parentheses: `(a <-> b) <-> c`"),
            _ => error.help("join two comparisons with `&`: `a = b & b = c`"),
        };
        self.fail(error)
    }

    /// Returns `left & right` or `left | right`, added to `left` if it is of the same kind.
    #[inline(never)]
    fn flatten(&mut self, left: Expr, right: Expr, conjunction: bool) -> Parsed<Expr> {
        let span = left.span().to(right.span());
        let height = left.height.max(right.height + 1);
        match (left.kind, conjunction) {
            (ExprKind::And(mut items), true) => {
                items.push(right);
                self.sized(Expr { kind: ExprKind::And(items), place: Place(span), height })
            }
            (ExprKind::Or(mut items), false) => {
                items.push(right);
                self.sized(Expr { kind: ExprKind::Or(items), place: Place(span), height })
            }
            (kind, _) => {
                let left = Expr { kind, place: left.place, height: left.height };
                let items = vec![left, right];
                self.node(if conjunction { ExprKind::And(items) } else { ExprKind::Or(items) }, span)
            }
        }
    }

    fn sized(&mut self, expr: Expr) -> Parsed<Expr> {
        if expr.height > MAX_DEPTH { self.too_deep(expr.span()) } else { Ok(expr) }
    }

    /// Parses an expression up to its first infix operator.
    fn prefix(&mut self) -> Parsed<Expr> {
        match self.token {
            Token::Not => self.negation(),
            Token::And => self.bullet(Level::And),
            Token::Or => self.bullet(Level::Or),
            Token::Forall | Token::Exists => self.quantifier(),
            Token::If if !self.grammar.composed_names => self.if_then_else(),
            Token::Ite => self.ite(),
            Token::Let => self.let_in(),
            Token::Ident | Token::Number | Token::Text | Token::Old | Token::This
                if self.grammar.composed_names =>
            {
                self.composed_name()
            }
            Token::Ident => self.reference(),
            Token::LeftParen => self.parenthesized(),
            Token::Temporal => self.temporal_formula(),
            Token::New => self.new_state(),
            Token::Distinct => self.distinct(),
            _ => self.leaf(),
        }
    }

    #[inline(never)]
    fn negation(&mut self) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        let operand = if self.grammar.loose_negation { Level::Equality } else { Level::Unary };
        let inner = Box::new(self.expr(operand)?);
        self.check_variant(&inner)?;
        self.node(ExprKind::Not(inner), self.span_from(start))
    }

    /// Parses a leading `&` or `|`, as in bulleted lists. It is ignored.
    #[inline(never)]
    fn bullet(&mut self, level: Level) -> Parsed<Expr> {
        let span = self.span();
        self.advance();
        self.check_operand(span)?;
        self.expr(level.tighter())
    }

    #[inline(never)]
    fn quantifier(&mut self) -> Parsed<Expr> {
        let start = self.start;
        let universal = self.at(Token::Forall);
        self.advance();
        let has_parens = self.grammar.bound_in_parentheses && self.at(Token::LeftParen);
        let vars = if has_parens { self.vars_in_parentheses()? } else { self.sorted_vars()? };
        if self.grammar.composed_names {
            self.check_capitals(&vars)?;
        }
        if !has_parens {
            if !self.at(Token::Dot) {
                return self.missing_dot(universal, &vars);
            }
            self.advance();
        }
        self.body_start = self.start;
        let body = Box::new(self.expr(Level::Open)?);
        self.node(ExprKind::Quantifier { universal, vars, body }, self.span_from(start))
    }

    #[cold]
    #[inline(never)]
    fn missing_dot<T>(&mut self, universal: bool, vars: &[SortedVar]) -> Parsed<T> {
        let error = self.expected("`,` or `.`");
        let error = self.hint_quantifier(error, universal, vars);
        self.fail(error)
    }

    #[inline(never)]
    fn if_then_else(&mut self) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        let condition = self.expr(Level::Open)?;
        self.expect(Token::Then, "`then`")?;
        let then = self.expr(Level::Open)?;
        if !self.at(Token::Else) {
            return self.missing(
                "`else`",
                "an `if` always needs its `else`; for a condition alone write `condition -> formula`",
            );
        }
        self.advance();
        let otherwise = self.expr(Level::Open)?;
        self.node(ExprKind::Ite(Box::new([condition, then, otherwise])), self.span_from(start))
    }

    /// Parses `ite(condition, then, otherwise)`, as papers write `if condition then then else otherwise`.
    #[inline(never)]
    fn ite(&mut self) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        let open = self.span();
        self.expect(Token::LeftParen, "`(`")?;
        let mut parts = self.list()?.into_iter();
        let (Some(condition), Some(then), Some(otherwise), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return self.missing(
                "three arguments of `ite`",
                "`ite(c, s, t)` is `s` where `c` holds, and `t` elsewhere",
            );
        };
        self.close(open)?;
        self.node(ExprKind::Ite(Box::new([condition, then, otherwise])), self.span_from(start))
    }

    #[inline(never)]
    fn let_in(&mut self) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        let var = Box::new(self.sorted_var()?);
        self.expect(Token::Equal, "`=` and the value")?;
        let value = self.expr(Level::Open)?;
        self.expect(Token::In, "`in`")?;
        let body = self.expr(Level::Open)?;
        self.node(ExprKind::Let { var, parts: Box::new([value, body]) }, self.span_from(start))
    }

    #[inline(never)]
    fn leaf(&mut self) -> Parsed<Expr> {
        let start = self.start;
        let kind = match self.token {
            Token::True | Token::False => {
                let value = self.at(Token::True);
                self.advance();
                ExprKind::Bool(value)
            }
            // A text in quotes is a constant of a sort that is inferred.
            Token::Number | Token::Text => {
                let text = self.intern(self.slice());
                self.advance();
                ExprKind::Int(text)
            }
            Token::Safety => {
                self.advance();
                ExprKind::Safety { primes: self.primes() }
            }
            _ => {
                let error = self.expected("an expression");
                let error = self.hint_expression(error);
                return self.fail(error);
            }
        };
        self.node(kind, self.span_from(start))
    }

    /// Parses `globally formula` or `eventually formula`, as the word applied to the formula.
    #[inline(never)]
    fn temporal_formula(&mut self) -> Parsed<Expr> {
        let start = self.start;
        let name = Ident { name: self.intern(self.slice()), place: Place(self.span()) };
        self.advance();
        let args = Some(vec![self.expr(Level::Open)?]);
        self.node(ExprKind::Ref { name, primes: 0, args }, self.span_from(start))
    }

    #[inline(never)]
    fn parenthesized(&mut self) -> Parsed<Expr> {
        let open = self.span();
        self.advance();
        let inner = self.expr(Level::Open)?;
        self.close(open)?;
        self.no_prime_here(open.start, false)?;
        if self.grammar.composed_names && self.at(Token::Dot) && self.peek() == Token::Ident {
            return self.member_of_old(inner, open.start);
        }
        Ok(inner)
    }

    #[inline(never)]
    fn new_state(&mut self) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        let open = self.span();
        if !self.eat(Token::LeftParen) {
            return self.missing("`(` after `new`", "write `new(x)`, or prime the name itself: `x'`");
        }
        let inner = Box::new(self.expr(Level::Open)?);
        self.close(open)?;
        self.node(ExprKind::New(inner), self.span_from(start))
    }

    #[inline(never)]
    fn distinct(&mut self) -> Parsed<Expr> {
        let start = self.start;
        self.advance();
        let open = self.span();
        self.expect(Token::LeftParen, "`(`")?;
        let items = self.list()?;
        if items.is_empty() {
            return self.missing("an expression", "`distinct` takes the terms that are pairwise different");
        }
        self.close(open)?;
        self.node(ExprKind::Distinct(items), self.span_from(start))
    }

    /// Fails because `what` was expected.
    #[cold]
    #[inline(never)]
    fn missing<T>(&mut self, what: &str, help: &str) -> Parsed<T> {
        let error = self.expected(what).help(help);
        self.fail(error)
    }

    /// Parses a name with its primes and arguments.
    #[inline(never)]
    fn reference(&mut self) -> Parsed<Expr> {
        let start = self.start;
        let name = self.ident("a name")?;
        let primes = self.primes();
        let mut args = None;
        if self.at(Token::LeftParen) {
            let open = self.span();
            self.advance();
            args = Some(self.list()?);
            self.close(open)?;
            self.no_prime_here(start, true)?;
        }
        self.node(ExprKind::Ref { name, primes, args }, self.span_from(start))
    }

    fn primes(&mut self) -> u32 {
        let mut primes = 0;
        while self.eat(Token::Prime) {
            primes += 1;
        }
        primes
    }

    /// Parses expressions separated by commas, up to a closing parenthesis, which is not consumed.
    pub(crate) fn list(&mut self) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if !self.at(Token::RightParen) {
            items.push(self.expr(Level::Open)?);
            while self.eat(Token::Comma) {
                items.push(self.expr(Level::Open)?);
            }
        }
        Ok(items)
    }

    /// Parses the parenthesis that closes the one at `open`.
    #[inline(never)]
    pub(crate) fn close(&mut self, open: Span) -> Parsed<()> {
        if self.eat(Token::RightParen) {
            return Ok(());
        }
        if let Some(error) = self.foreign_operator() {
            return self.fail(error);
        }
        let error = self.expected("an operator or `)`").also(open, "to close this parenthesis");
        let error = self.hint_operator(error);
        self.fail(error)
    }

    /// Rejects primes after arguments: they follow the name.
    #[inline(never)]
    fn no_prime_here(&mut self, start: u32, is_application: bool) -> Parsed<()> {
        if !self.at(Token::Prime) {
            return Ok(());
        }
        let text = &self.text[start as usize..self.previous_end as usize];
        let short = text.len() <= 40 && !text.contains(LINE_ENDS);
        let error = Diagnostic::error(Code::Syntax, self.span(), "a prime must follow a name directly")
            .label("no prime is possible here");
        let error = match (is_application, short) {
            (true, true) => {
                let primed = text.replacen('(', "'(", 1);
                error.help(format!("write `{primed}`, or `new({text})`"))
            }
            (false, true) => error.help(format!("write `new{text}`")),
            (true, false) => error.help("put the prime before the argument list: `r'(x)`"),
            (false, false) => error.help("write `new(..)` to read a whole expression in the next state"),
        };
        self.fail(error)
    }
}
