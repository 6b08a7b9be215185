//! Parser of types and declarations: `f: (a * b) > c`.

use super::cursor::{Parsed, Stop, shown};
use super::lexer::Token;
use super::reader::Reader;
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SortId;

/// Maximum number of open parentheses in a type.
const MAX_DEPTH: usize = 100;

/// The built-in types.
const TYPES: &[&str] = &["$i", "$o", "$tType"];

/// An atomic type.
#[derive(Clone, Copy)]
enum Atom {
    /// A sort; `bool` for `$o`.
    Sort(SortId),
    /// `$tType`.
    Type,
}

/// A type: a single type, a product (`a * b`), or the type of a symbol with arguments (`(a * b) > c`).
struct Type {
    args: Option<Vec<(Atom, Span)>>,
    items: Vec<(Atom, Span)>,
}

impl<'a> Reader<'a> {
    /// Reads `name: type`, optionally in parentheses, and declares the name.
    pub(super) fn declaration(&mut self) -> Parsed<()> {
        let mut open = 0;
        while self.cursor.eat(Token::LeftParen) {
            open += 1;
        }
        if !self.cursor.at_name() {
            return Err(self.cursor.expected("the name that is declared").into());
        }
        let (name, span) = (self.cursor.name(), self.cursor.span());
        self.cursor.advance();
        let declared = self.declared_type(name, span, open);
        if declared.is_err() {
            self.vocabulary.declare_broken(name);
        }
        declared
    }

    fn declared_type(&mut self, name: &'a str, span: Span, open: usize) -> Parsed<()> {
        self.cursor.expect(Token::Colon, "`:` and a type")?;
        let start = self.cursor.start;
        let declared = self.symbol_type(0)?;
        let whole = self.cursor.span_from(start);
        for _ in 0..open {
            self.cursor.expect(Token::RightParen, "`)`")?;
        }
        let &[(result, _)] = &declared.items[..] else {
            return Err(Diagnostic::error(
                Code::Syntax,
                whole,
                "expected `>` behind the types of the arguments",
            )
            .label("nothing is of this type")
            .help("a symbol with two arguments has a type like `(a * b) > c`")
            .into());
        };
        let args = declared.args.unwrap_or_default();
        let mut sorts = Vec::with_capacity(args.len());
        for &(arg, place) in &args {
            match arg {
                Atom::Sort(sort) if sort != SortId::BOOL => sorts.push(sort),
                Atom::Sort(_) => return Err(outside_logic("formulas as arguments are not supported", place)),
                Atom::Type => return Err(outside_logic("types with arguments are not supported", place)),
            }
        }
        match result {
            Atom::Sort(result) => self.vocabulary.declare_symbol(name, sorts, result, span),
            Atom::Type if sorts.is_empty() => self.vocabulary.declare_sort(name, span),
            Atom::Type => Err(outside_logic("types with arguments are not supported", whole)),
        }
    }

    fn symbol_type(&mut self, depth: usize) -> Parsed<Type> {
        let start = self.cursor.start;
        let mut left = self.type_unit(depth)?;
        while left.args.is_none() && self.cursor.eat(Token::Star) {
            let next = self.atomic_type()?;
            left.items.push(next);
        }
        if left.args.is_none() && self.cursor.eat(Token::Arrow) {
            let result = self.atomic_type()?;
            left = Type { args: Some(left.items), items: vec![result] };
        }
        if matches!(self.cursor.token, Token::Arrow | Token::Star) && left.args.is_some() {
            let what = "functions of functions are not supported";
            let help = "a symbol with two arguments has a type like `(a * b) > c`";
            self.cursor.advance();
            let place = self.cursor.span_from(start);
            return Err(Diagnostic::error(Code::OutsideLogic, place, what)
                .label("outside many-sorted first-order logic")
                .help(help)
                .into());
        }
        Ok(left)
    }

    fn type_unit(&mut self, depth: usize) -> Parsed<Type> {
        let open = self.cursor.span();
        if !self.cursor.eat(Token::LeftParen) {
            return Ok(Type { args: None, items: vec![self.atomic_type()?] });
        }
        if depth >= MAX_DEPTH {
            let what = format!("types are nested more than {MAX_DEPTH} levels deep");
            return Err(Diagnostic::error(Code::TooDeep, open, what).into());
        }
        let inside = self.symbol_type(depth + 1)?;
        self.cursor.expect(Token::RightParen, "`)`")?;
        Ok(inside)
    }

    /// Reads a type without arguments, optionally in parentheses.
    fn atomic_type(&mut self) -> Parsed<(Atom, Span)> {
        let mut open = 0;
        while self.cursor.eat(Token::LeftParen) {
            open += 1;
        }
        let (text, span) = (self.cursor.slice(), self.cursor.span());
        let atom = match self.cursor.token {
            Token::DollarWord => match text {
                "$i" => Atom::Sort(self.vocabulary.individual()),
                "$o" => Atom::Sort(SortId::BOOL),
                "$tType" => Atom::Type,
                "$int" | "$rat" | "$real" => return Err(Stop::Arithmetic(span)),
                _ => {
                    let what = format!("`{}` is not a type of TPTP", shown(text));
                    let error = Diagnostic::error(Code::Undeclared, span, what).label("unknown type");
                    return Err(match suggest(text, TYPES.iter().copied()) {
                        Some(near) => error.help(format!("did you mean `{near}`?")).into(),
                        None => error.into(),
                    });
                }
            },
            Token::LowerWord | Token::SingleQuoted => {
                Atom::Sort(self.vocabulary.sort(self.cursor.name(), span)?)
            }
            Token::ForallTypes | Token::Forall => {
                return Err(outside_logic("polymorphic types are not supported", span));
            }
            Token::LeftBracket => return Err(outside_logic("types of tuples are not supported", span)),
            _ => return Err(self.cursor.expected("a type").into()),
        };
        self.cursor.advance();
        if self.cursor.token == Token::LeftParen {
            return Err(outside_logic("types with arguments are not supported", span));
        }
        for _ in 0..open {
            self.cursor.expect(Token::RightParen, "`)`")?;
        }
        Ok((atom, span))
    }

    /// Reads the type of a variable.
    pub(super) fn variable_type(&mut self) -> Parsed<SortId> {
        match self.atomic_type()? {
            (Atom::Sort(SortId::BOOL), span) => {
                Err(outside_logic("variables that stand for formulas are not supported", span))
            }
            (Atom::Sort(sort), _) => Ok(sort),
            (Atom::Type, span) => {
                Err(outside_logic("variables that stand for types are not supported", span))
            }
        }
    }
}

/// Returns the error about a construct beyond many-sorted first-order logic.
pub(super) fn outside_logic(what: &str, span: Span) -> Stop {
    Diagnostic::error(Code::OutsideLogic, span, what).label("outside many-sorted first-order logic").into()
}
