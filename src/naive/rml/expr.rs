//! The grammar of terms and formulas.

use super::parser::Parser;
use super::tokens::is_name;
use crate::program::grammar::Grammar as _;
use crate::program::term::{self, Term, What, block, node, operator};
use crate::program::tree::{Name, Role, Variable};
use crate::refusal::{Result, refuse};

/// The operators between two operands: how tightly they bind, how tightly their right operands have to, and their signs
/// in closed systems.
fn operation(text: &str) -> Option<(u8, u8, &'static str)> {
    match text {
        "<->" => Some((1, 2, "<->")),
        "->" => Some((2, 2, ">")),
        "|" => Some((3, 4, "|")),
        "&" => Some((4, 5, "&")),
        "=" | "!=" => Some((5, 6, "=")),
        "*" => Some((6, 7, "*")),
        _ => None,
    }
}

/// A free name of capital letters is a variable.
pub(super) fn is_capital(text: &str) -> bool {
    text.contains(char::is_uppercase) && !text.contains(char::is_lowercase)
}

impl Parser<'_> {
    pub(super) fn variable(&mut self, name: Name, sort: Option<Name>, role: Role) -> usize {
        self.variables.push(Variable { name, sort, role });
        self.variables.len() - 1
    }

    pub(super) fn binder(&mut self) -> Result<usize> {
        let name = self.word()?;
        let sort = if self.eat(":") { Some(self.sort()?) } else { None };
        let role = if self.renamed.is_some() { Role::Hidden } else { Role::Bound };
        Ok(self.variable(name, sort, role))
    }

    /// Brings variables of one binder into scope.
    pub(super) fn bind(&mut self, vars: &[usize]) -> Result<()> {
        for (at, var) in vars.iter().enumerate() {
            let name = &self.variables[*var].name;
            if vars[..at].iter().any(|other| self.variables[*other].name.text == name.text) {
                return refuse(name.at, format!("`{}` is bound already", name.text));
            }
        }
        self.scope.extend(vars);
        Ok(())
    }

    pub(super) fn in_scope(&self, text: &str) -> Option<usize> {
        self.scope.iter().rev().copied().find(|var| *self.variables[*var].name.text == *text)
    }

    /// Reads a formula, around which free names in capital letters are bound.
    pub(super) fn closed(&mut self) -> Result<Term> {
        self.closure = Some(Vec::new());
        let body = self.expr()?;
        Ok(block("!", self.closure.take().unwrap_or_default(), body))
    }

    pub(super) fn expr(&mut self) -> Result<Term> {
        self.binding(0)
    }

    /// Reads an expression whose operators bind at least as tightly as `least`.
    pub(super) fn binding(&mut self, least: u8) -> Result<Term> {
        self.enter()?;
        let mut left = self.operand()?;
        while let Some((level, of_right, sign)) = operation(&self.peek().text).filter(|it| it.0 >= least) {
            let Name { text, at } = self.take();
            let is_list = matches!(sign, "&" | "|");
            // A conjunction on the left of `&` is continued.
            let is_continued = is_list && left.what == What::Operator(sign) && left.parts.len() > 1;
            let mut parts = if is_continued { left.parts.clone() } else { vec![left] };
            parts.push(self.binding(of_right)?);
            while is_list && self.eat(&text) {
                parts.push(self.binding(of_right)?);
            }
            left = operator(sign, parts).sized(at)?;
            if *text == *"!=" {
                left = term::not(&left);
            }
            if matches!(level, 1 | 5) && operation(&self.peek().text).is_some_and(|next| next.0 == level) {
                return refuse(self.peek().at, "this cannot follow the operator before it");
            }
        }
        self.leave();
        Ok(left)
    }

    /// Reads expressions, each after one of these words.
    fn after(&mut self, words: &[&str]) -> Result<Vec<Term>> {
        words.iter().map(|word| self.expect(word).and_then(|()| self.expr())).collect()
    }

    /// Reads an expression up to its first operator between two operands.
    fn operand(&mut self) -> Result<Term> {
        let (start, outside) = (self.take(), self.scope.len());
        match &*start.text {
            "true" => Ok(operator("&", Vec::new())),
            "false" => Ok(operator("|", Vec::new())),
            "safety" => Ok(node(What::Name(start), Vec::new())),
            "&" => self.binding(5),
            "|" => self.binding(4),
            "!" => Ok(operator("~", vec![self.binding(7)?])),
            "(" => {
                let inner = self.expr()?;
                self.expect(")").map(|()| inner)
            }
            "distinct" | "ite" => {
                let parts = self.group(Self::expr)?;
                match (&*start.text, parts.len()) {
                    ("distinct", 1..) => Ok(operator("distinct", parts)),
                    ("ite", 3) => Ok(operator("if", parts)),
                    _ => refuse(start.at, "this takes another number of expressions"),
                }
            }
            "forall" | "exists" => {
                let vars = self.list(Self::binder)?;
                self.expect(".")?;
                self.bind(&vars)?;
                let body = self.expr()?;
                self.scope.truncate(outside);
                Ok(block(if *start.text == *"forall" { "!" } else { "?" }, vars, body))
            }
            "if" => {
                let mut parts = vec![self.expr()?];
                parts.extend(self.after(&["then", "else"])?);
                Ok(operator("if", parts))
            }
            "let" => {
                let var = self.binder()?;
                let mut parts = self.after(&["="])?;
                self.bind(&[var])?;
                parts.extend(self.after(&["in"])?);
                self.scope.truncate(outside);
                Ok(node(What::Let(var), parts))
            }
            text if is_name(text) || text.starts_with(|c: char| c.is_ascii_digit()) => self.reference(start),
            _ => refuse(start.at, "expected an expression"),
        }
    }

    /// Reads the arguments of a name, or of a number, which means nothing.
    fn reference(&mut self, name: Name) -> Result<Term> {
        let mut args = Vec::new();
        let is_applied = self.is("(");
        if is_applied {
            args = self.group(Self::expr)?;
            if args.is_empty() {
                args.push(operator("()", Vec::new()));
            }
        }
        if let Some(var) = self.in_scope(&name.text) {
            return Ok(node(What::Variable(var), args));
        }
        let name = self.renamed(name);
        if is_applied || !is_capital(&name.text) {
            return Ok(node(What::Name(name), args));
        }
        let Some(closure) = &self.closure else { return Ok(node(What::Name(name), args)) };
        let known = closure.iter().copied().find(|var| self.variables[*var].name.text == name.text);
        let var = known.unwrap_or_else(|| self.variable(name, None, Role::Bound));
        if known.is_none() {
            self.closure.iter_mut().for_each(|closure| closure.push(var));
        }
        Ok(node(What::Variable(var), args))
    }
}
