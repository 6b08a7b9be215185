//! Parser of schemata: axioms with parameters.

use std::sync::Arc;

use super::Parser;
use crate::fol::ast::{ExprKind, Ident, Place};
use crate::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{Decl, DeclKind, Expr, Meaning, Premise, Schema, Theorem, Trigger, TypeBody};
use ramsey_core::diag::{Code, Diagnostic};

/// The word that begins a trigger in a schema. It is not reserved.
const TRIGGER: &str = "trigger";

/// What is said of a parameter that is to be new.
const NO_FRESH: &str = "nobody checks that what stands for it is new where the schema is used, so false claims would follow: \
                        name what is needed by `property exists X. .. named c`";

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
        let keyword = self.keyword();
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
        let theorem = Theorem { is_label, ..self.empty_rule(keyword, name) };
        let mut theorem = if self.at(Token::LeftBrace) {
            self.parts_of_theorem(theorem)?
        } else {
            Theorem { conclusion: self.formula()?, ..theorem }
        };
        theorem.proof = self.proof()?;
        Ok(DeclKind::Theorem(Box::new(theorem)))
    }

    fn empty_rule(&self, keyword: Arc<str>, name: Ident) -> Theorem {
        let conclusion = Expr::new(ExprKind::Bool(true), self.span());
        let (decls, premises) = (Vec::new(), Vec::new());
        Theorem { keyword, name, is_label: true, decls, premises, conclusion, proof: None }
    }

    /// Parses the types, symbols and premises of a theorem in braces. The last premise is what is claimed.
    fn parts_of_theorem(&mut self, theorem: Theorem) -> Parsed<Theorem> {
        if self.state.blocks >= MAX_DEPTH / 4 {
            return self.blocks_too_deep();
        }
        self.state.blocks += 1;
        let place = self.span();
        self.advance();
        let mut theorem = theorem;
        loop {
            let start = self.start;
            let kind = match self.token {
                Token::RightBrace => break,
                Token::Semicolon | Token::Named => {
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
                Token::Relation | Token::Function | Token::Individual | Token::Constant | Token::Variable => {
                    self.symbols()?
                }
                Token::Property => {
                    let keyword = self.keyword();
                    self.advance();
                    let label = self.label()?;
                    let premise = if self.at(Token::LeftBrace) {
                        self.premise(keyword, label)?
                    } else {
                        Premise::Formula(label, self.formula()?)
                    };
                    theorem.premises.push(premise);
                    continue;
                }
                Token::Theorem => {
                    let keyword = self.keyword();
                    self.advance();
                    let label = self.label()?;
                    theorem.premises.push(self.premise(keyword, label)?);
                    continue;
                }
                Token::LeftBrace => {
                    theorem.premises.push(self.premise("".into(), None)?);
                    continue;
                }
                Token::Definition => {
                    let error = Diagnostic::error(
                        Code::Syntax,
                        self.span(),
                        "definitions in theorems and schemata are not supported",
                    )
                    .label("not read here");
                    return self.fail(error.help("write the equation as a property"));
                }
                _ => {
                    let help = match self.slice() {
                        "fresh" => NO_FRESH,
                        _ => "the last property is what is claimed, those before it are assumed",
                    };
                    let error = self
                        .expected(
                            "`type`, `relation`, `function`, `individual`, `property`, `theorem` or `}`",
                        )
                        .help(help);
                    return self.fail(error);
                }
            };
            if let DeclKind::Symbols { symbols, .. } = &kind
                && let Some(value) = symbols.iter().find_map(|symbol| symbol.definition.as_ref())
            {
                let error = Diagnostic::error(
                    Code::Syntax,
                    value.span(),
                    "what a theorem or schema declares has no definition",
                )
                .label("the symbol stands for every one of its type");
                return self.fail(error.help("write the value as a premise: `property f(X) = ..`"));
            }
            theorem.decls.push(Decl { kind, place: Place(self.span_from(start)) });
        }
        self.advance();
        self.state.blocks -= 1;
        match theorem.premises.pop() {
            Some(Premise::Formula(_, conclusion)) => Ok(Theorem { conclusion, ..theorem }),
            _ => {
                let error = Diagnostic::error(Code::Syntax, place, "the theorem claims nothing")
                    .label("expected `property` and what is claimed")
                    .help("the last property is the claim, those before it are assumed");
                self.fail(error)
            }
        }
    }

    /// Parses a premise that is a rule, in braces.
    fn premise(&mut self, keyword: Arc<str>, label: Option<Ident>) -> Parsed<Premise> {
        if !self.at(Token::LeftBrace) {
            // `theorem [name] formula` says no more than the formula.
            return Ok(Premise::Formula(label, self.formula()?));
        }
        let is_label = label.is_some();
        let name = label.unwrap_or(Ident { name: "".into(), place: Place(self.span()) });
        let theorem = Theorem { is_label, ..self.empty_rule(keyword, name) };
        Ok(Premise::Rule(Box::new(self.parts_of_theorem(theorem)?)))
    }

    /// Returns whether the block here is that of a rule with premises: it has several formulas or blocks in it, or a formula with
    /// a name.
    fn premises_follow(&self) -> bool {
        let mut count = 0_u32;
        let mut is_claim = false;
        for token in self.ahead() {
            match token {
                Token::LeftBrace | Token::Theorem => return true,
                Token::LeftBracket if is_claim => return true,
                Token::RightBrace | Token::End => break,
                Token::Property | Token::Axiom => count += 1,
                _ => {}
            }
            is_claim = matches!(token, Token::Property | Token::Axiom);
        }
        count > 1
    }

    /// Parses a rule in braces.
    fn rule_of(&mut self, keyword: Arc<str>, name: Option<Ident>) -> Parsed<DeclKind> {
        let span = self.span();
        let Some(name) = name else {
            self.advance();
            let error = Diagnostic::error(Code::Syntax, span, "the rule has no name")
                .label("proofs use a rule by its name")
                .help("write `axiom [name] { .. }`");
            return self.fail(error);
        };
        let is_label = &*keyword != "schema";
        let theorem = Theorem { is_label, ..self.empty_rule(keyword, name) };
        Ok(DeclKind::Rule(Box::new(self.parts_of_theorem(theorem)?)))
    }

    /// Parses parameters, formula and triggers in braces. After an error, nothing in the braces is a declaration.
    pub(super) fn schema_body(&mut self, is_axiom: bool, name: Option<Ident>) -> Parsed<DeclKind> {
        let blocks = self.state.blocks;
        let body = if self.at(Token::LeftBrace) && self.premises_follow() {
            let keyword = if is_axiom { "axiom" } else { "schema" };
            self.rule_of(keyword.into(), name)
        } else {
            self.expect(Token::LeftBrace, "`{`")?;
            self.schema_parts(is_axiom, name)
        };
        if body.is_err() {
            let mut depth = 1 + self.state.blocks.saturating_sub(blocks).saturating_sub(1);
            self.state.blocks = blocks;
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
        let mut found: Option<(Arc<str>, Expr)> = None;
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
                    self.advance();
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
                    let help = if self.slice() == "fresh" { NO_FRESH } else { FORM };
                    let error = self.expected("a parameter, `property`, `trigger` or `}`").help(help);
                    return self.fail(error);
                }
            }
        }
        let Some((keyword, formula)) = found else {
            let error = self.expected("`property` and the formula of the schema").help(FORM);
            return self.fail(error);
        };
        self.advance();
        let meaning = Meaning::Rules;
        let schema = Schema { is_axiom, name, sorts, symbols, keyword, formula, triggers, meaning };
        Ok(DeclKind::Schema(Box::new(schema)))
    }
}
