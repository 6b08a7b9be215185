//! Parser of interpretations, enumerations, ranges and attributes.

use super::Parser;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Place, SortedVar};
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::ivy::ast::{Bound, DeclKind, Interpretation};
use crate::shared::report::suggest;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::{MAX_STEPS, Method};

/// What attributes tell, by the last part of their name.
const ATTRIBUTES: &[&str] = &[
    "bmc",
    "cardinality",
    "check",
    "complete",
    "constructors",
    "cppstd",
    "global_parameter",
    "iterable",
    "libspec",
    "macro_finder",
    "mc",
    "method",
    "override",
    "radix",
    "separate",
    "test",
    "weight",
];

impl Parser<'_> {
    /// Parses `interpret name -> meaning`.
    pub(super) fn interpret(&mut self) -> Parsed<DeclKind> {
        let start = self.start;
        self.advance();
        let name = self.interpreted("the name of a type or symbol")?;
        self.expect(Token::Implies, "`->` and what it is")?;
        let meaning = match self.token {
            Token::Plus => return Ok(self.operation(name, BinaryOp::Plus)),
            Token::Minus => return Ok(self.operation(name, BinaryOp::Minus)),
            Token::Star => return Ok(self.operation(name, BinaryOp::Times)),
            Token::Slash => return Ok(self.operation(name, BinaryOp::Divide)),
            Token::LeftBrace => self.elements()?,
            Token::Native => {
                self.advance();
                Interpretation::Other
            }
            _ => {
                // The sizes are no part of the name.
                let is_word = self.at(Token::Ident) && self.peek() == Token::LeftBracket;
                let what = "what it is, as `int`, `nat`, `bv[8]` or `{0..3}`";
                let target = if is_word { self.ident(what)? } else { self.interpreted(what)? };
                let sizes = self.sizes()?;
                match (&*target.name, sizes.as_slice()) {
                    ("int", []) => Interpretation::Integers,
                    ("nat", []) => Interpretation::Naturals,
                    ("strlit", []) => Interpretation::Texts,
                    // How values are shown and read, in a program that runs, makes no difference.
                    ("bv" | "strbv", [bits]) | ("intbv", [_, _, bits]) => {
                        if bits.name.starts_with(|c: char| c.is_ascii_digit()) {
                            bits.name.parse().map_or(Interpretation::Other, Interpretation::Bits)
                        } else {
                            Interpretation::Sized(bits.clone())
                        }
                    }
                    _ => Interpretation::Other,
                }
            }
        };
        Ok(DeclKind::Interpret { name, meaning, text: self.passed(start) })
    }

    /// Parses `implement type t with u`.
    pub(super) fn implemented_type(&mut self) -> Parsed<DeclKind> {
        let start = self.start;
        self.advance();
        self.advance();
        let name = self.ident("the name of a type")?;
        self.expect(Token::With, "`with` and another type")?;
        let meaning = Interpretation::By(self.ident("the name of another type")?);
        Ok(DeclKind::Interpret { name, meaning, text: self.passed(start) })
    }

    /// Parses the operation that a function is: `interpret f -> +` defines `f(X, Y)` as `X + Y`.
    fn operation(&mut self, name: Ident, op: BinaryOp) -> DeclKind {
        let place = Place(self.span());
        let variable = |name: &str| Ident { name: name.into(), place };
        let [left, right] = ["X", "Y"].map(variable);
        let side =
            |name: &Ident| Expr::new(ExprKind::Ref { name: name.clone(), primes: 0, args: None }, place.0);
        let sides = Box::new([side(&left), side(&right)]);
        self.advance();
        let body = Expr::new(ExprKind::Binary { op, op_place: place, sides }, place.0);
        let params = [left, right].map(|name| SortedVar { name, sort: None }).into();
        DeclKind::Definition {
            keyword: "definition".into(),
            label: None,
            name,
            params,
            body,
            recursion: None,
            is_explicit: false,
        }
    }

    /// Parses a name, or an operator.
    fn interpreted(&mut self, what: &str) -> Parsed<Ident> {
        match self.operator() {
            Some(name) => Ok(name),
            None => self.dotted_name(what),
        }
    }

    /// Parses the sizes of an interpretation: `[8]`, any number of times.
    fn sizes(&mut self) -> Parsed<Vec<Ident>> {
        let mut sizes = Vec::new();
        while self.eat(Token::LeftBracket) {
            sizes.push(self.number_or_name("a size")?);
            self.expect(Token::RightBracket, "`]`")?;
        }
        Ok(sizes)
    }

    pub(super) fn number_or_name(&mut self, what: &str) -> Parsed<Ident> {
        if !self.at(Token::Number) {
            return self.dotted_name(what);
        }
        let number = Ident { name: self.keyword(), place: Place(self.span()) };
        self.advance();
        Ok(number)
    }

    /// Parses `{ a, b }` or `{ 0..3 }`.
    pub(super) fn elements(&mut self) -> Parsed<Interpretation> {
        self.expect(Token::LeftBrace, "`{`")?;
        let first = self.number_or_name("the name of an element, or a number")?;
        if self.at(Token::Dot) || first.name.starts_with(|c: char| c.is_ascii_digit()) {
            self.expect(Token::Dot, "`..` and the end of the range")?;
            self.expect(Token::Dot, "`..` and the end of the range")?;
            let last = self.number_or_name("a number, or the name of the greatest one")?;
            self.expect(Token::RightBrace, "`}`")?;
            return Ok(Interpretation::Range(bound(first), bound(last)));
        }
        let mut values = vec![first];
        while self.eat(Token::Comma) {
            values.push(self.ident("the name of an element")?);
        }
        self.expect(Token::RightBrace, "`,` or `}`")?;
        Ok(Interpretation::Enumerated(values))
    }

    /// Parses `attribute name = value`.
    pub(super) fn attribute(&mut self) -> Parsed<DeclKind> {
        let start = self.start;
        self.advance();
        let name = self.dotted_name("the name of an attribute")?;
        let last = name.name.rsplit('.').next().unwrap_or_default();
        if !ATTRIBUTES.contains(&last) {
            let error =
                Diagnostic::error(Code::Undeclared, name.span(), format!("there is no attribute `{last}`"))
                    .label("unknown attribute");
            return self.fail(match suggest(last, ATTRIBUTES.iter().copied()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(format!("attributes are {}", ATTRIBUTES.join(", "))),
            });
        }
        if self.at(Token::LeftParen) {
            self.balanced()?;
        }
        self.expect(Token::Equal, "`=` and a value")?;
        let mut method = None;
        match self.token {
            Token::Number | Token::True | Token::False | Token::Text => {
                self.advance();
                // A number with a fraction.
                if self.at(Token::Dot) && self.peek() == Token::Number {
                    self.advance();
                    self.advance();
                }
            }
            _ => {
                let value = match self.at(Token::Ident) && self.peek() == Token::LeftBracket {
                    true => self.ident("a value")?,
                    false => self.dotted_name("a value")?,
                };
                let sizes = self.sizes()?;
                if self.at(Token::LeftParen) {
                    self.balanced()?;
                }
                if last == "method" {
                    method = self.method(&value, &sizes)?;
                }
            }
        }
        Ok(DeclKind::Attribute { name, method, text: self.passed(start) })
    }

    /// Returns what a method says of executions: `mc`, `bmc[steps]` or `bmc[steps][unrollings]`. Others say nothing of them.
    fn method(&mut self, value: &Ident, sizes: &[Ident]) -> Parsed<Option<Method>> {
        match (&*value.name, sizes) {
            ("mc", []) => Ok(Some(Method::Unbounded)),
            ("bmc", [steps, more @ ..]) => {
                let number = |it: &Ident| it.name.parse().ok().filter(|&it: &u16| it <= MAX_STEPS);
                let (steps, all) = (number(steps), sizes.iter().all(|it| number(it).is_some()));
                match steps.filter(|_| all && more.len() <= 1) {
                    Some(steps) => Ok(Some(Method::Bounded(steps))),
                    None => {
                        let what = "`bmc` takes a number of steps, and one of unrollings of loops";
                        let error = Diagnostic::error(Code::Syntax, value.span(), what)
                            .label("no length of executions")
                            .help(format!("write `bmc[5]`; the greatest number is {MAX_STEPS}"));
                        self.fail(error)
                    }
                }
            }
            _ => Ok(None),
        }
    }
}

fn bound(end: Ident) -> Bound {
    if end.name.starts_with(|c: char| c.is_ascii_digit()) { Bound::Number(end) } else { Bound::Name(end) }
}
