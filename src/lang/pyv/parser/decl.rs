//! Parser of declarations.

use super::Parser;
use crate::fol::ast::{Ident, Role};
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::pyv::ast::{DeclKind, DefinitionDecl, DefinitionKind, Mutability, States, SymbolDecl, SymbolForm};

impl Parser<'_> {
    pub(super) fn decl(&mut self) -> Parsed<DeclKind> {
        match self.token {
            Token::Sort => self.sort_decl(),
            Token::Mutable => self.symbol_decl(Mutability::Mutable),
            Token::Immutable => self.symbol_decl(Mutability::Immutable),
            Token::Derived => self.symbol_decl(Mutability::Derived),
            Token::Axiom => self.formula_decl(Role::Axiom),
            Token::Init => self.formula_decl(Role::Init),
            Token::Invariant => self.formula_decl(Role::Invariant),
            Token::Safety => self.formula_decl(Role::Safety),
            Token::Transition => self.definition(DefinitionKind::Transition),
            Token::Definition => self.definition(DefinitionKind::Definition(None)),
            Token::Theorem => self.theorem(None),
            Token::Zerostate => self.with_states(States::Zero),
            Token::Onestate => self.with_states(States::One),
            Token::Twostate => self.with_states(States::Two),
            Token::Sat => Ok(DeclKind::Trace { expect_sat: true, steps: self.trace()? }),
            Token::Unsat => Ok(DeclKind::Trace { expect_sat: false, steps: self.trace()? }),
            Token::Fbii => self.fbii(),
            _ => {
                let error = self.expected("a declaration");
                let error = self.hint_declaration(error);
                self.fail(error)
            }
        }
    }

    fn sort_decl(&mut self) -> Parsed<DeclKind> {
        self.advance();
        let name = self.ident("the sort's name")?;
        let annotations = self.annotations()?;
        self.one_sort(&name.name)?;
        Ok(DeclKind::Sort { name, annotations })
    }

    fn symbol_decl(&mut self, mutability: Mutability) -> Parsed<DeclKind> {
        self.advance();
        let form = match self.token {
            Token::Relation => SymbolForm::Relation,
            Token::Constant if mutability != Mutability::Derived => SymbolForm::Constant,
            Token::Function if mutability != Mutability::Derived => SymbolForm::Function,
            _ => {
                let mut error = self.expected(if mutability == Mutability::Derived {
                    "`relation`"
                } else {
                    "`relation`, `constant` or `function`"
                });
                if matches!(self.token, Token::Constant | Token::Function) {
                    error = error.note("only relations can be derived");
                } else {
                    error = self.hint_keyword(error, ["relation", "constant", "function"]);
                }
                return self.fail(error);
            }
        };
        self.advance();
        let name = self.ident(&format!("the {}'s name", form.keyword()))?;
        let mut args = Vec::new();
        if form != SymbolForm::Constant && self.eat(Token::LeftParen) {
            if form == SymbolForm::Function || !self.at(Token::RightParen) {
                args.push(self.sort()?);
                while self.eat(Token::Comma) {
                    args.push(self.sort()?);
                }
            }
            self.close_sorts()?;
        } else if form == SymbolForm::Function {
            let error = self.expected("`(` and the argument sorts");
            let error = match self.sorts_after_colon().as_deref() {
                Some([args @ .., result]) if !args.is_empty() => error.help(format!(
                    "write `{} function {}({}): {result}`",
                    mutability.keyword(),
                    name.name,
                    args.join(", ")
                )),
                _ => error.help("a function without arguments is declared by `constant`"),
            };
            return self.fail(error);
        }
        let mut result = None;
        if form != SymbolForm::Relation {
            if !self.at(Token::Colon) {
                let error = self.expected("`:` and the result sort");
                let error = match self.token {
                    Token::LeftParen => error.help("a constant with arguments is declared by `function`"),
                    Token::Implies => error.help("the result sort follows `:`, as in `function f(s): t`"),
                    Token::Ident => error.help(format!("write `{}: {}`", name.name, self.slice())),
                    _ => error,
                };
                return self.fail(error);
            }
            self.advance();
            result = Some(self.sort()?);
        }
        let annotations = self.annotations()?;
        let mut axiom = None;
        if mutability == Mutability::Derived {
            self.expect(Token::Colon, "`:` and the formula that defines the relation")?;
            axiom = Some(self.formula()?);
        } else if form == SymbolForm::Relation && self.at(Token::Colon) {
            let error = self.expected("the end of the declaration");
            let error = match self.sorts_after_colon() {
                Some(sorts) if args.is_empty() && sorts != ["bool"] => error.help(format!(
                    "argument sorts stand in parentheses: `{} relation {}({})`",
                    mutability.keyword(),
                    name.name,
                    sorts.join(", ")
                )),
                Some(sorts) if sorts == ["bool"] => {
                    error.help("leave `: bool` out: that is what every relation gives")
                }
                _ => error.help(
                    "a relation's sort is always `bool`; declare a `function`, or a `derived relation` with its axiom",
                ),
            };
            return self.fail(error);
        }
        Ok(DeclKind::Symbol(SymbolDecl { mutability, form, name, args, result, annotations, axiom }))
    }

    /// Returns the sorts in `: s, t -> u`, which is the syntax of other languages.
    fn sorts_after_colon(&self) -> Option<Vec<&str>> {
        let tokens: Vec<Token> = self.ahead().take(2 * 64).collect();
        let sort = |token: &Token| matches!(token, Token::Ident | Token::Bool);
        let link = |token: &Token| matches!(token, Token::Comma | Token::Implies | Token::Star);
        let count = tokens
            .iter()
            .enumerate()
            .take_while(|(at, token)| if at % 2 == 0 { sort(token) } else { link(token) })
            .count();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = self.rest().split(|c| !is_word(c)).filter(|word| !word.is_empty());
        (count % 2 == 1 && self.at(Token::Colon)).then(|| words.take(count.div_ceil(2)).collect())
    }

    fn formula_decl(&mut self, role: Role) -> Parsed<DeclKind> {
        self.advance();
        if role == Role::Init && self.at(Token::Equal) {
            let error = self.expected("a formula").help("write `init` and the formula, without `=`");
            return self.fail(error);
        }
        let name = self.opt_name()?;
        if name.is_none() && self.slice() != "old" {
            self.unbracketed_name(role.keyword());
        }
        let formula = self.formula()?;
        let is_claim = matches!(role, Role::Invariant | Role::Safety);
        let proof = if is_claim { self.opt_proof()? } else { None };
        Ok(DeclKind::Formula { role, name, formula, proof })
    }

    fn theorem(&mut self, states: Option<States>) -> Parsed<DeclKind> {
        self.advance();
        let name = self.opt_name()?;
        if name.is_none() && self.slice() != "old" {
            self.unbracketed_name("theorem");
        }
        let formula = self.formula()?;
        Ok(DeclKind::Theorem { states, name, formula })
    }

    fn with_states(&mut self, states: States) -> Parsed<DeclKind> {
        self.advance();
        match self.token {
            Token::Theorem => self.theorem(Some(states)),
            Token::Definition => self.definition(DefinitionKind::Definition(Some(states))),
            _ => {
                let error = self.expected("`definition` or `theorem`");
                let error = self.hint_keyword(error, ["definition", "theorem"]);
                self.fail(error)
            }
        }
    }

    fn definition(&mut self, kind: DefinitionKind) -> Parsed<DeclKind> {
        self.advance();
        let word = if kind == DefinitionKind::Transition { "transition" } else { "definition" };
        let name = self.ident(&format!("the {word}'s name"))?;
        if !self.at(Token::LeftParen) {
            let error = self
                .expected("`(` and the parameters")
                .help(format!("parentheses are needed even without parameters: `{word} {}()`", name.name));
            return self.fail(error);
        }
        self.advance();
        let params = if self.at(Token::RightParen) { Vec::new() } else { self.sorted_vars()? };
        self.expect(Token::RightParen, "`,` or `)`")?;
        let modifies = match self.token {
            Token::Modifies => {
                self.advance();
                let mut list = vec![self.modified()?];
                while self.eat(Token::Comma) {
                    list.push(self.modified()?);
                }
                Some(list)
            }
            Token::Equal => {
                self.advance();
                None
            }
            _ => {
                let error = self.expected("`modifies` or `=`");
                let error = match self.token {
                    Token::Colon if self.peek() == Token::Bool => {
                        error.help(format!("leave `: bool` out: a {word} is always a formula"))
                    }
                    Token::LeftBrace => error.help(
                        "write `modifies` with the symbols that change and then a formula; commands in braces belong to programs, in files with the extension `.rml`",
                    ),
                    _ => error.help(format!(
                        "write `modifies` with the symbols that change and then the formula, or `=` and the formula if the {word} changes nothing"
                    )),
                };
                return self.fail(error);
            }
        };
        let body = self.formula()?;
        Ok(DeclKind::Definition(DefinitionDecl { kind, name, params, modifies, body }))
    }

    /// Parses a name after `modifies`.
    fn modified(&mut self) -> Parsed<Ident> {
        if self.at(Token::Colon) {
            let error = self.expected("the name of a mutable symbol").help("no `:` follows `modifies`");
            return self.fail(error);
        }
        if self.at(Token::And) {
            let error = self
                .expected("the name of a mutable symbol")
                .help("no `,` stands between the symbols that change and the formula");
            return self.fail(error);
        }
        self.ident("the name of a mutable symbol")
    }
}
