//! The grammar of terms and formulas.

use std::rc::Rc;

use super::parser::Parser;
use super::tokens::{is_number, is_variable};
use super::tree::{Binder, Expr, Kind, Name};
use crate::program::grammar::Grammar as _;
use crate::refusal::{Result, refuse, uncovered};

/// How tightly operators bind.
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const EQUALITY: u8 = 4;
/// `a if c else b`.
const CHOICE: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
pub(super) const UNARY: u8 = 8;

/// The operators that are arguments of modules.
pub(super) const MODULE_OPERATORS: [&str; 9] = ["=", "<", "<=", ">", ">=", "+", "-", "*", "/"];

/// The operators between two operands: how tightly they bind, and their signs.
fn operation(text: &str) -> Option<(u8, &'static str)> {
    match text {
        "->" => Some((IMPLIES, "->")),
        "<->" => Some((IMPLIES, "<->")),
        "|" => Some((OR, "|")),
        "&" => Some((AND, "&")),
        "=" => Some((EQUALITY, "=")),
        "~=" => Some((EQUALITY, "~=")),
        "<" => Some((EQUALITY, "<")),
        "<=" => Some((EQUALITY, "<=")),
        ">" => Some((EQUALITY, ">")),
        ">=" => Some((EQUALITY, ">=")),
        "+" => Some((SUM, "+")),
        "-" => Some((SUM, "-")),
        "*" => Some((PRODUCT, "*")),
        _ => None,
    }
}

/// Refuses names that are no variables.
pub(super) fn capitals(vars: &[Binder]) -> Result<()> {
    match vars.iter().find(|var| !is_variable(&var.name.text)) {
        Some(var) => refuse(var.name.at, format!("`{}` is no variable", var.name.text)),
        None => Ok(()),
    }
}

pub(super) fn operator(sign: &'static str, parts: Vec<Expr>, at: usize) -> Expr {
    Expr { kind: Kind::Operator(sign), parts, at }
}

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Result<Expr> {
        self.binding(0)
    }

    /// Reads an expression whose operators bind at least as tightly as `least`.
    pub(super) fn binding(&mut self, least: u8) -> Result<Expr> {
        self.enter()?;
        let mut left = self.operand()?;
        loop {
            let at = left.at;
            if least <= CHOICE && self.eat("if") {
                let condition = self.formula()?;
                self.expect("else")?;
                let otherwise = self.binding(SUM)?;
                left = operator("if", vec![condition, left, otherwise], at);
                continue;
            }
            let next = self.peek();
            let Some((level, sign)) = operation(&next.text).filter(|it| it.0 >= least) else { break };
            self.take();
            let is_right = level == IMPLIES && self.version < 7;
            let right = self.binding(if is_right { level } else { level + 1 })?;
            // A conjunction on the left of `&` is continued.
            let is_continued = level == AND || level == OR;
            let is_continued = is_continued && matches!(&left.kind, Kind::Operator(it) if *it == sign);
            if is_continued && !left.parts.is_empty() {
                left.parts.push(right);
            } else {
                left = operator(sign, vec![left, right], at);
            }
            if level == EQUALITY && operation(&self.peek().text).is_some_and(|it| it.0 == EQUALITY) {
                return refuse(self.peek().at, "comparisons cannot be chained");
            }
        }
        self.leave();
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expr> {
        let start = self.peek();
        let at = start.at;
        match &*start.text {
            "~" => {
                self.take();
                Ok(operator("~", vec![self.binding(EQUALITY)?], at))
            }
            "&" => {
                self.take();
                self.binding(AND + 1)
            }
            "|" => {
                self.take();
                self.binding(OR + 1)
            }
            "forall" | "exists" => {
                self.take();
                let vars = if self.version >= 7 && self.is("(") {
                    self.group(Self::param)?
                } else {
                    let vars = self.list(Self::bound)?;
                    self.expect(".")?;
                    vars
                };
                if vars.is_empty() {
                    return refuse(at, "expected a variable");
                }
                capitals(&vars)?;
                let sign = if *start.text == *"forall" { "!" } else { "?" };
                Ok(Expr { kind: Kind::Block(sign, vars), parts: vec![self.formula()?], at })
            }
            "(" => {
                self.take();
                let inner = self.formula()?;
                self.expect(")")?;
                if self.is(".") && self.is_name(&self.ahead(1).text) {
                    return uncovered(at, "members of what is in parentheses");
                }
                Ok(inner)
            }
            "true" => Ok(operator("&", Vec::new(), self.take().at)),
            "false" => Ok(operator("|", Vec::new(), self.take().at)),
            _ => self.composed(),
        }
    }

    /// Reads a variable at its quantifier, with a type of one part: a dot after it ends the variables.
    pub(super) fn bound(&mut self) -> Result<Binder> {
        let name = self.word()?;
        let sort = if self.eat(":") { Some(self.sort_part()?.text) } else { None };
        Ok(Binder { name, sort })
    }

    fn sort_part(&mut self) -> Result<Name> {
        if self.is("bool") { Ok(self.take()) } else { self.word() }
    }

    /// Reads a type whose name may have several parts.
    pub(super) fn sort(&mut self) -> Result<Rc<str>> {
        if self.is("this") && self.version >= 5 {
            return Ok(self.take().text);
        }
        let mut sort = self.sort_part()?.text;
        while self.is(".") && self.is_name(&self.ahead(1).text) {
            self.take();
            sort = format!("{sort}.{}", self.word()?.text).into();
        }
        Ok(sort)
    }

    /// Reads a name whose parts may have arguments, a variable, or a numeral.
    pub(super) fn composed(&mut self) -> Result<Expr> {
        let start = self.peek();
        let is_old = self.eat("old");
        let first = self.peek();
        if is_number(&first.text) || is_variable(&first.text) {
            if is_old {
                return refuse(start.at, "a variable is the same before and after");
            }
            self.take();
            let after = self.ahead(1).text;
            let mut sort = None;
            if self.is(":") && (self.is_name(&after) || matches!(&*after, "bool" | "this")) {
                self.take();
                sort = Some(self.sort()?);
            }
            if self.is("(") && !(is_number(&first.text) && sort.is_none()) {
                return refuse(first.at, "a variable has no arguments");
            }
            let [dot, name] = [0, 1].map(|ahead| self.ahead(ahead));
            let end = first.at + first.text.len();
            if *dot.text == *"." && dot.at == end && name.at == end + 1 && self.is_name(&name.text) {
                return uncovered(first.at, "members of variables");
            }
            let kind = Kind::Name { text: first.text, sort, is_old };
            return Ok(Expr { kind, parts: Vec::new(), at: start.at });
        }
        let mut text = self.word()?.text;
        let mut parts = Vec::new();
        loop {
            parts.extend(self.group(Self::formula)?);
            if !self.is(".") || !self.is_name(&self.ahead(1).text) {
                break;
            }
            self.take();
            text = format!("{text}.{}", self.word()?.text).into();
        }
        Ok(Expr { kind: Kind::Name { text, sort: None, is_old }, parts, at: start.at })
    }
}
