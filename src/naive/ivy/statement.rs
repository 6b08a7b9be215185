//! The grammar of statements.

use super::expr::UNARY;
use super::parser::Parser;
use super::tree::{Binder, Condition, Expr, Kind, Stmt, StmtKind};
use crate::program::grammar::Grammar as _;
use crate::refusal::{Result, refuse, uncovered};

/// The words that begin a statement which may stand after `else` without braces.
const SINGLE: &[&str] = &["assume", "assert", "require", "ensure", "call", "local", "while"];

impl Parser<'_> {
    /// Reads statements in braces.
    pub(super) fn block(&mut self) -> Result<Vec<Stmt>> {
        self.expect("{")?;
        self.enter()?;
        let mut stmts = Vec::new();
        let mut needs_separator = false;
        while !self.eat("}") {
            if self.eat(";") {
                needs_separator = false;
            } else if needs_separator && !self.is(".") {
                return refuse(self.peek().at, "expected `;` or `}`");
            } else {
                let stmt = self.stmt()?;
                needs_separator = !matches!(
                    stmt.kind,
                    StmtKind::If(..) | StmtKind::Local(..) | StmtKind::Block(_) | StmtKind::Rest
                );
                stmts.push(stmt);
            }
        }
        self.leave();
        Ok(stmts)
    }

    fn stmt(&mut self) -> Result<Stmt> {
        let start = self.peek();
        let is_reserved = !self.is_name(&start.text);
        let kind = match &*start.text {
            "assume" => self.check("assume")?,
            "assert" => self.check("assert")?,
            "require" if is_reserved => self.check("require")?,
            "ensure" if is_reserved => self.check("ensure")?,
            "var" if is_reserved && self.version < 6 => {
                return refuse(start.at, "no statement declares a variable in this version");
            }
            "var" if is_reserved => {
                self.take();
                let name = self.word()?;
                let params = self.params()?;
                let sort = if self.eat(":") { Some(self.sort()?) } else { None };
                let has_value = self.eat(":=") && !self.eat("*");
                let value = if has_value { Some(self.formula()?) } else { None };
                StmtKind::Var(Binder { name, sort }, params, value)
            }
            "local" => {
                self.take();
                let vars = self.list(Self::param)?;
                StmtKind::Local(vars, self.block()?)
            }
            "if" => self.choice()?,
            "while" if is_reserved => return uncovered(start.at, "loops"),
            "instantiate" | "instance" => {
                self.take();
                let name = self.dotted()?;
                StmtKind::Instantiate(name, self.group(Self::formula)?)
            }
            "{" => StmtKind::Block(self.block()?),
            "." => {
                self.dots()?;
                if self.is(";") {
                    return refuse(self.peek().at, "no `;` stands behind `...`");
                }
                StmtKind::Rest
            }
            _ => {
                let is_call = self.eat("call");
                self.assignment(is_call)?
            }
        };
        Ok(Stmt { at: start.at, kind })
    }

    fn check(&mut self, word: &'static str) -> Result<StmtKind> {
        self.take();
        self.label()?;
        let formula = self.formula()?;
        self.proof()?;
        Ok(StmtKind::Check(word, formula))
    }

    fn choice(&mut self) -> Result<StmtKind> {
        self.enter()?;
        self.expect("if")?;
        let condition = if self.eat("*") {
            Condition::Any
        } else if self.is("some") && self.version >= 5 {
            self.take();
            let vars = if self.is("(") {
                self.some_params()?
            } else {
                let vars = self.list(Self::bound)?;
                self.expect(".")?;
                vars
            };
            let formula = self.formula()?;
            if self.is("minimizing") || self.is("maximizing") {
                return uncovered(self.peek().at, "least and greatest values");
            }
            Condition::Some(vars, formula)
        } else {
            Condition::Formula(self.formula()?)
        };
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if matches!(condition, Condition::Any) && !self.is("else") {
            return refuse(self.peek().at, "expected `else`");
        }
        if self.eat("else") {
            let at = self.peek().at;
            if self.is("if") {
                otherwise.push(Stmt { at, kind: self.choice()? });
            } else if self.is_name(&self.peek().text) || SINGLE.contains(&&*self.peek().text) {
                otherwise.push(self.stmt()?);
            } else {
                otherwise = self.block()?;
            }
        }
        self.leave();
        Ok(StmtKind::If(condition, then, otherwise))
    }

    /// Reads a statement that begins with a name or with names in parentheses.
    fn assignment(&mut self, is_call: bool) -> Result<StmtKind> {
        let at = self.peek().at;
        let is_list = !is_call && self.is("(");
        let targets: Vec<Expr> = match is_list {
            true => self.group(Self::formula)?,
            false if is_call => self.list(Self::target)?,
            false => vec![self.target()?],
        };
        if self.eat(":=") {
            let value = if self.eat("*") { None } else { Some(self.formula()?) };
            return Ok(StmtKind::Assign(targets, value));
        }
        let ends = self.is(";") || self.is("}");
        let mut targets = targets.into_iter();
        match (targets.next(), targets.next()) {
            (Some(call), None) if ends && !is_list && matches!(call.kind, Kind::Name { .. }) => {
                Ok(StmtKind::Call(call))
            }
            _ => refuse(at, "expected a statement"),
        }
    }

    fn target(&mut self) -> Result<Expr> {
        let next = self.peek();
        if !self.is_name(&next.text) && &*next.text != "this" {
            return refuse(next.at, "expected a statement");
        }
        self.binding(UNARY)
    }
}
