//! Parser of schemata: axioms with parameters.

use super::Parser;
use crate::fol::ast::{ExprKind, Ident, Place};
use crate::fol::parser::{Failed, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{Decl, DeclKind, Expr, Meaning, Schema, Theorem, Trigger, TypeBody};
use ramsey_core::diag::{Code, Diagnostic};

/// The word that begins a trigger in a schema. It is not reserved.
const TRIGGER: &str = "trigger";

/// How a schema is written.
const FORM: &str = "write `schema name = { type t  function f(X:t) : t  property ..  trigger .. }`";

impl Parser<'_> {
    /// Returns whether `schema name = {` begins here. Schemata of other forms are ignored.
    pub(super) fn schema_follows(&self) -> bool {
        let mut ahead = self.ahead();
        self.slice() == "schema"
            && [Token::Ident, Token::Equal, Token::LeftBrace].map(Some) == [(); 3].map(|()| ahead.next())
    }

    /// Parses `schema name = { .. }`.
    pub(super) fn schema(&mut self) -> Parsed<DeclKind> {
        self.advance();
        let name = self.ident("the name of the schema")?;
        self.expect(Token::Equal, "`=`")?;
        self.schema_body(false, Some(name))
    }

    /// Parses `schema f(x) = ..`, which nothing uses without a proof.
    pub(super) fn other_schema(&mut self) -> Parsed<DeclKind> {
        let (keyword, start) = (self.keyword(), self.start);
        self.advance();
        self.ident("the name of the schema")?;
        if self.at(Token::LeftParen) {
            self.params()?;
        }
        self.expect(Token::Equal, "`=`")?;
        if self.at(Token::LeftBrace) {
            self.balanced()?;
        } else {
            self.formula()?;
        }
        Ok(DeclKind::Ignored { keyword, text: self.passed(start) })
    }

    /// Parses `theorem name = { .. }` or `theorem [name] { .. }`, also with a formula in place of the block.
    pub(super) fn theorem(&mut self) -> Parsed<DeclKind> {
        self.advance();
        let label = self.label()?;
        let is_label = label.is_some();
        let name = match label {
            Some(label) => label,
            None => {
                let name = self.ident("the name of the theorem")?;
                self.expect(Token::Equal, "`=`")?;
                name
            }
        };
        let mut theorem = Theorem {
            name,
            is_label,
            decls: Vec::new(),
            premises: Vec::new(),
            conclusion: Expr::new(ExprKind::Bool(true), self.span()),
            proof: None,
        };
        if self.at(Token::LeftBrace) {
            let place = self.span();
            self.advance();
            self.parts_of_theorem(&mut theorem)?;
            let Some((_, conclusion)) = theorem.premises.pop() else {
                let error = Diagnostic::error(Code::Syntax, place, "the theorem claims nothing")
                    .label("expected `property` and what is claimed")
                    .help("the last property is the claim, those before it are assumed");
                return self.fail(error);
            };
            theorem.conclusion = conclusion;
        } else {
            theorem.conclusion = self.formula()?;
        }
        theorem.proof = self.proof()?;
        Ok(DeclKind::Theorem(Box::new(theorem)))
    }

    fn parts_of_theorem(&mut self, theorem: &mut Theorem) -> Parsed<()> {
        loop {
            let start = self.start;
            let kind = match self.token {
                Token::RightBrace => break,
                Token::Semicolon => {
                    self.advance();
                    continue;
                }
                Token::Named => {
                    self.advance();
                    continue;
                }
                Token::Sort => {
                    self.advance();
                    DeclKind::Type {
                        name: self.ident("the name of a type")?,
                        of: None,
                        body: TypeBody::Uninterpreted,
                    }
                }
                Token::Relation | Token::Function | Token::Individual => self.symbols()?,
                Token::Property => {
                    self.advance();
                    let label = self.label()?;
                    if self.at(Token::LeftBrace) {
                        return self.no_premise();
                    }
                    theorem.premises.push((label, self.formula()?));
                    continue;
                }
                Token::LeftBrace | Token::Theorem | Token::Definition => return self.no_premise(),
                _ => {
                    let error = self
                        .expected("`type`, `relation`, `function`, `individual`, `property` or `}`")
                        .help("the last property is the claim of the theorem, those before it are assumed");
                    return self.fail(error);
                }
            };
            theorem.decls.push(Decl { kind, place: Place(self.span_from(start)) });
        }
        self.advance();
        Ok(())
    }

    fn no_premise(&mut self) -> Parsed<()> {
        let error = Diagnostic::error(
            Code::Syntax,
            self.span(),
            "premises of theorems that are schemata or definitions are not supported",
        )
        .label("expected `property` and a formula");
        self.fail(error.help("make it one formula: `premise -> conclusion`"))
    }

    /// Parses parameters, formula and triggers in braces. After an error, nothing in the braces is a declaration.
    pub(super) fn schema_body(&mut self, is_axiom: bool, name: Option<Ident>) -> Parsed<DeclKind> {
        self.expect(Token::LeftBrace, "`{`")?;
        let body = self.schema_parts(is_axiom, name);
        if body.is_err() {
            let mut depth = 1_u32;
            while !self.at(Token::End) && depth > 0 {
                match self.token {
                    Token::LeftBrace => depth += 1,
                    Token::RightBrace => depth -= 1,
                    _ => {}
                }
                self.advance();
            }
        }
        body
    }

    fn schema_parts(&mut self, is_axiom: bool, name: Option<Ident>) -> Parsed<DeclKind> {
        let (mut sorts, mut symbols, mut triggers) = (Vec::new(), Vec::new(), Vec::new());
        let mut found: Option<(std::sync::Arc<str>, Expr)> = None;
        loop {
            let start = self.start;
            match self.token {
                Token::Semicolon => self.advance(),
                Token::RightBrace => break,
                Token::Sort => {
                    self.advance();
                    sorts.push(self.ident("the name of a type")?);
                }
                Token::Relation | Token::Function | Token::Individual | Token::Constant | Token::Variable => {
                    let DeclKind::Symbols { keyword, symbols: declared } = self.symbols()? else {
                        return Err(Failed);
                    };
                    if let Some(value) = declared.iter().find_map(|symbol| symbol.definition.as_ref()) {
                        let error = Diagnostic::error(
                            Code::Syntax,
                            value.span(),
                            "a parameter of a schema has no definition",
                        )
                        .label("the parameter stands for every symbol of its type");
                        return self.fail(error.help("write the value where the parameter occurs"));
                    }
                    symbols.extend(declared.into_iter().map(|symbol| (keyword.clone(), symbol)));
                }
                Token::Axiom | Token::Property => {
                    let keyword = self.keyword();
                    let place = self.span();
                    self.advance();
                    let label = self.label()?;
                    if self.at(Token::LeftBrace) || label.is_some() || found.is_some() {
                        let error =
                            Diagnostic::error(Code::Syntax, place, "premises of schemata are not supported")
                                .label("a schema has one formula, without a name");
                        return self.fail(error.help("make it one formula: `premise -> conclusion`"));
                    }
                    found = Some((keyword, self.formula()?));
                }
                Token::Ident if self.slice() == TRIGGER => {
                    self.advance();
                    let mut terms = vec![self.formula()?];
                    while self.eat(Token::Comma) {
                        terms.push(self.formula()?);
                    }
                    triggers.push(Trigger { terms, place: Place(self.span_from(start)) });
                }
                _ => {
                    let error = self.expected("a parameter, `property`, `trigger` or `}`").help(FORM);
                    return self.fail(error);
                }
            }
        }
        let Some((keyword, formula)) = found else {
            let error = self.expected("`property` and the formula of the schema").help(FORM);
            return self.fail(error);
        };
        self.advance();
        let meaning = Meaning::Axioms;
        let schema = Schema { is_axiom, name, sorts, symbols, keyword, formula, triggers, meaning };
        Ok(DeclKind::Schema(Box::new(schema)))
    }
}
