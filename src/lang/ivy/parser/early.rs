//! Parser of what versions up to 1.2 have alone: types that are not given, schemes, and `update`.

use super::Parser;
use crate::fol::ast::{Ident, Level, Place, SortName, SortRef, SortedVar};
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::ivy::DEFAULT_SORT;
use crate::ivy::ast::{
    DeclKind, Expr, ExprKind, FieldValue, Scheme, Stmt, StmtKind, SymbolDecl, UpdateDecl, UpdatePattern,
    Version,
};

/// How a dependency of symbols is written.
const FORM: &str = "write `update r from f params v, w in v.f := w -> ensures ..`";

/// Returns the type of what is declared without one at this place.
fn default_sort(place: Place) -> SortRef {
    SortRef { name: SortName::Named(DEFAULT_SORT.into()), place }
}

/// Gives the default type to variables without one.
fn complete(vars: &mut [SortedVar]) {
    for var in vars {
        let place = var.name.place;
        var.sort.get_or_insert_with(|| default_sort(place));
    }
}

impl Parser<'_> {
    /// Gives the default type to the variables of a declaration, in versions that have one.
    pub(super) fn complete_sorts(&self, vars: &mut [SortedVar]) {
        if self.has_subscripts() {
            complete(vars);
        }
    }

    /// Gives the default type to the parts of a symbol that have none, in versions that have one. The definition of a
    /// symbol tells its types.
    pub(super) fn complete_symbol(&self, symbol: &mut SymbolDecl, is_relation: bool) {
        if !self.has_subscripts() || symbol.definition.is_some() {
            return;
        }
        complete(&mut symbol.params);
        if !is_relation {
            let place = symbol.name.place;
            symbol.result.get_or_insert_with(|| default_sort(place));
        }
    }

    /// Parses `schema name(params) = formula`.
    pub(super) fn scheme(&mut self) -> Parsed<DeclKind> {
        self.advance();
        let name = self.subscripted_name("the name of the schema")?;
        let params = if self.at(Token::LeftParen) { self.names()? } else { Vec::new() };
        self.expect(Token::Equal, "`=` and a formula")?;
        Ok(DeclKind::Scheme(Scheme { name, params, formula: self.formula()? }))
    }

    /// Returns whether this is the word `text`, which is not reserved everywhere.
    fn at_word(&self, text: &str) -> bool {
        self.slice() == text
    }

    /// Consumes the word `text`.
    fn expect_word(&mut self, text: &str) -> Parsed<()> {
        if self.at_word(text) {
            self.advance();
            return Ok(());
        }
        let error = self.expected(&format!("`{text}`")).help(FORM);
        self.fail(error)
    }

    /// Returns whether `update` begins here in a version that has it.
    pub(super) fn update_follows(&self) -> bool {
        self.has_subscripts() && self.at_word("update")
    }

    /// Parses `update r, .. from f, .. params v, .. in assignment -> requires .. ensures .. params ..`.
    pub(super) fn update(&mut self) -> Parsed<DeclKind> {
        self.advance();
        let defined = self.names_without_parentheses()?;
        self.expect_word("from")?;
        let sources = self.names_without_parentheses()?;
        let mut patterns = Vec::new();
        loop {
            self.expect_word("params")?;
            patterns.push(self.pattern()?);
            if !self.at_word("params") {
                return Ok(DeclKind::Update(UpdateDecl { defined, sources, patterns }));
            }
        }
    }

    fn names_without_parentheses(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.subscripted_name("the name of a symbol")?];
        while self.eat(Token::Comma) {
            names.push(self.subscripted_name("the name of a symbol")?);
        }
        Ok(names)
    }

    fn pattern(&mut self) -> Parsed<UpdatePattern> {
        let params = self.vars_with_sorts()?.into_iter().map(|var| var.name).collect();
        self.expect_word("in")?;
        let start = self.start;
        let name = self.subscripted_name("the name of an object")?;
        let object = Expr::new(ExprKind::Ref { name, primes: 0, args: None }, self.span_from(start));
        let kind = self.field_assignment(object)?;
        let stmt = Stmt { kind, place: Place(self.span_from(start)) };
        self.expect(Token::Implies, "`->` and what holds after the statement")?;
        let requires = if self.at_word("requires") {
            self.advance();
            Some(self.formula()?)
        } else {
            None
        };
        self.expect_word("ensures")?;
        Ok(UpdatePattern { params, stmt, requires, ensures: self.formula()? })
    }

    /// Parses `.f := y` after the object whose field is assigned.
    pub(super) fn field_assignment(&mut self, object: Expr) -> Parsed<StmtKind> {
        self.expect(Token::Dot, "`.`")?;
        let field = self.subscripted_name("the name of a relation")?;
        self.expect(Token::Assign, "`:=`")?;
        if self.eat(Token::False) {
            return Ok(StmtKind::Field { object, field, value: FieldValue::Nothing });
        }
        let value = self.expr(Level::Choice)?;
        let value = if self.eat(Token::Dot) {
            FieldValue::Copy(value, self.subscripted_name("the name of a relation")?)
        } else if self.is_null(&value) {
            FieldValue::Nothing
        } else {
            FieldValue::One(value)
        };
        Ok(StmtKind::Field { object, field, value })
    }

    /// Returns whether an expression is the word `null`, which is a name from version 1.2 on.
    fn is_null(&self, value: &Expr) -> bool {
        matches!(&value.kind, ExprKind::Ref { name, args: None, .. } if &*name.name == "null")
            && Version::of_text(self.text).minor < 2
    }
}
