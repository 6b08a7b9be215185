//! Declarations.

use std::sync::Arc;

use super::super::ast::{
    Annotation, DeclKind, DefinitionDecl, DefinitionKind, Expr, Ident, Mutability, Place, Role, SortName,
    SortRef, SortedVar, States, SymbolDecl, SymbolForm,
};
use super::super::lexer::Token;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(in crate::lang) fn decl(&mut self) -> Parsed<DeclKind> {
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
            Token::Sat => self.trace(true),
            Token::Unsat => self.trace(false),
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
                    error = self.hint_keyword(error, &["relation", "constant", "function"]);
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
            self.expect(Token::RightParen, "`,` or `)`")?;
        } else if form == SymbolForm::Function {
            let error = self
                .expected("`(` and the argument sorts")
                .help("a function without arguments is declared by `constant`");
            return self.fail(error);
        }
        let mut result = None;
        if form != SymbolForm::Relation {
            if !self.at(Token::Colon) {
                let mut error = self.expected("`:` and the result sort");
                if self.at(Token::LeftParen) {
                    error = error.help("a constant with arguments is declared by `function`");
                }
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
            let error = self
                .expected("the end of the declaration")
                .help("a relation's sort is always `bool`; declare a `function`, or a `derived relation` with its axiom");
            return self.fail(error);
        }
        Ok(DeclKind::Symbol(SymbolDecl { mutability, form, name, args, result, annotations, axiom }))
    }

    pub(in crate::lang) fn sort(&mut self) -> Parsed<SortRef> {
        let place = Place(self.span());
        let name = match self.token {
            Token::Bool => SortName::Bool,
            Token::Int => SortName::Int,
            _ => return Ok(SortRef { name: SortName::Named(self.ident("a sort")?.name), place }),
        };
        self.advance();
        Ok(SortRef { name, place })
    }

    pub(in crate::lang) fn annotations(&mut self) -> Parsed<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.at(Token::Annotation) {
            let start = self.start;
            let name: Arc<str> = self.intern(&self.slice()[1..]);
            self.advance();
            let mut args = Vec::new();
            if self.eat(Token::LeftParen) {
                args.push(self.ident("an argument of the annotation")?);
                while self.eat(Token::Comma) {
                    args.push(self.ident("an argument of the annotation")?);
                }
                self.expect(Token::RightParen, "`,` or `)`")?;
            }
            annotations.push(Annotation { name, args, place: Place(self.span_from(start)) });
        }
        Ok(annotations)
    }

    /// `[name]`, if it is there.
    pub(in crate::lang) fn opt_name(&mut self) -> Parsed<Option<Ident>> {
        if !self.eat(Token::LeftBracket) {
            return Ok(None);
        }
        let name = self.ident("a name")?;
        self.expect(Token::RightBracket, "`]`")?;
        Ok(Some(name))
    }

    fn formula_decl(&mut self, role: Role) -> Parsed<DeclKind> {
        self.advance();
        let name = self.opt_name()?;
        let formula = self.formula()?;
        Ok(DeclKind::Formula { role, name, formula })
    }

    fn theorem(&mut self, states: Option<States>) -> Parsed<DeclKind> {
        self.advance();
        let name = self.opt_name()?;
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
                let error = self.hint_keyword(error, &["definition", "theorem"]);
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
                let mut list = vec![self.ident("the name of a mutable symbol")?];
                while self.eat(Token::Comma) {
                    list.push(self.ident("the name of a mutable symbol")?);
                }
                Some(list)
            }
            Token::Equal => {
                self.advance();
                None
            }
            _ => {
                let error = self.expected("`modifies` or `=`").help(format!(
                    "write `modifies` with the symbols that change and then the formula, or `=` and the formula if the {word} changes nothing"
                ));
                return self.fail(error);
            }
        };
        let body = self.formula()?;
        Ok(DeclKind::Definition(DefinitionDecl { kind, name, params, modifies, body }))
    }

    /// One or more variables.
    pub(in crate::lang) fn sorted_vars(&mut self) -> Parsed<Vec<SortedVar>> {
        let mut vars = vec![self.sorted_var()?];
        while self.eat(Token::Comma) {
            vars.push(self.sorted_var()?);
        }
        Ok(vars)
    }

    pub(in crate::lang) fn sorted_var(&mut self) -> Parsed<SortedVar> {
        let name = self.ident("a variable")?;
        let sort = if self.eat(Token::Colon) { Some(self.sort()?) } else { None };
        Ok(SortedVar { name, sort })
    }

    /// An expression as far as it goes.
    pub(in crate::lang) fn formula(&mut self) -> Parsed<Expr> {
        self.expr(super::super::ast::Level::Open)
    }
}
