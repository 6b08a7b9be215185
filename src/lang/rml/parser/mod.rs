//! Parser of declarations and commands. Formulas, traces and annotations are parsed by [`crate::fol::parser`].

mod command;

use std::sync::Arc;

use super::lexer::{Lexeme, Lexer};
use crate::fol::ast::{Ident, Level, Place, SortRef};
use crate::fol::parser::hints::for_other_format;
use crate::fol::parser::{self, Failed, Parsed};
use crate::fol::token::Token;
use crate::program::ast::{Item, ItemKind, Module, Program, Role, SymbolDecl, SymbolForm};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::FileId;
use ramsey_core::diag::{Code, Diagnostic};

/// Parser state of an `.rml` text.
type Parser<'t> = parser::Parser<'t, Lexeme>;

/// Parses a file. Items with syntax errors become [`ItemKind::Broken`] or contain
/// [`crate::program::ast::CommandKind::Broken`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub(super) fn parse(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(Program, Vec<Diagnostic>), Exhausted> {
    let (items, diagnostics) =
        parser::parse_file(file, text, Lexer::new(text, ()), budget, |parser| parser.items(Token::End))?;
    Ok((Program { items, file }, diagnostics))
}

impl Parser<'_> {
    /// Parses items up to the token `end`, which is not consumed.
    fn items(&mut self, end: Token) -> Vec<Item> {
        let mut items = Vec::new();
        if end == Token::End
            && let Some(help) = for_other_format(self.text_here())
        {
            let error = self.expected("a declaration or a command").help(help);
            self.report(error);
            self.give_up();
        }
        while !self.at(Token::End) && !self.at(end) {
            if self.eat(Token::Semicolon) {
                continue;
            }
            let start = self.start;
            self.begin_item();
            self.state.blocks = u32::from(end != Token::End);
            self.state.spoils_previous = false;
            let errors = self.errors;
            match self.item() {
                // A block with broken commands is kept, because its declarations are known.
                Ok(kind)
                    if self.errors == errors
                        || matches!(
                            kind,
                            ItemKind::Command(_) | ItemKind::While(_) | ItemKind::Module(_)
                        ) =>
                {
                    items.push(Item { kind, place: Place(self.span_from(start)) });
                }
                _ => {
                    if self.state.spoils_previous
                        && let Some(before) = items.last_mut()
                        && let ItemKind::Formula { name, .. } = &before.kind
                    {
                        let names = name.iter().map(|name| name.name.clone()).collect();
                        before.kind = ItemKind::Broken(names);
                    }
                    let kind = ItemKind::Broken(self.skip_item(start));
                    items.push(Item { kind, place: Place(self.span_from(start)) });
                }
            }
        }
        items
    }

    fn item(&mut self) -> Parsed<ItemKind> {
        match self.token {
            Token::Sort => {
                self.advance();
                let name = self.ident("the sort's name")?;
                let annotations = self.annotations()?;
                self.one_sort(&name.name)?;
                Ok(ItemKind::Sort { name, annotations })
            }
            Token::Relation => self.symbol(SymbolForm::Relation),
            Token::Function => self.symbol(SymbolForm::Function),
            Token::Variable => self.symbol(SymbolForm::Variable),
            Token::Axiom => self.claim(Role::Axiom),
            Token::Conjecture => self.claim(Role::Conjecture),
            Token::Safety => self.claim(Role::Safety),
            Token::Theorem => self.claim(Role::Theorem),
            Token::Macro => self.macro_(),
            Token::Sat | Token::Unsat => {
                let expect_sat = self.at(Token::Sat);
                Ok(ItemKind::Trace { expect_sat, steps: self.trace()? })
            }
            Token::Include => self.include(),
            Token::Module => self.module(),
            Token::Use => self.use_(),
            Token::While => self.while_(),
            _ => Ok(ItemKind::Command(self.command("a declaration or a command")?)),
        }
    }

    fn symbol(&mut self, form: SymbolForm) -> Parsed<ItemKind> {
        self.advance();
        let mut names = vec![self.ident(&format!("the {}'s name", form.keyword()))?];
        while form == SymbolForm::Variable && self.eat(Token::Comma) {
            names.push(self.ident("the variable's name")?);
        }
        let mut args = Vec::new();
        let mut result = None;
        match form {
            SymbolForm::Relation => {
                if self.eat(Token::Colon) {
                    args = self.sorts()?;
                } else if self.eat(Token::LeftParen) {
                    if !self.at(Token::RightParen) {
                        args = self.sorts()?;
                    }
                    self.close_sorts()?;
                }
            }
            SymbolForm::Function => {
                if self.eat(Token::LeftParen) {
                    args = self.sorts()?;
                    self.close_sorts()?;
                    if self.at(Token::Implies) {
                        let error = self.expected("`:` and the result sort").help(format!(
                            "write `function {0}(s): t` or `function {0}: s -> t`",
                            names[0].name
                        ));
                        return self.fail(error);
                    }
                    self.expect(Token::Colon, "`:` and the result sort")?;
                } else {
                    self.expect(Token::Colon, "`:` and the argument sorts, as in `function f: s, t -> u`")?;
                    args = self.sorts()?;
                    if !self.at(Token::Implies) {
                        let error = self
                            .expected("`,` or `->` and the result sort")
                            .help("a function without arguments is declared by `variable`");
                        return self.fail(error);
                    }
                    self.advance();
                }
                result = Some(self.sort()?);
            }
            SymbolForm::Variable => {
                if self.at(Token::LeftParen) {
                    let error = self
                        .expected("`:` and the sort")
                        .help("what has arguments is declared by `function` or `relation`");
                    return self.fail(error);
                }
                self.expect(Token::Colon, "`,` or `:` and the sort")?;
                result = Some(self.sort()?);
            }
        }
        let annotations = self.annotations()?;
        Ok(ItemKind::Symbol(SymbolDecl {
            form,
            names,
            args,
            result,
            annotations,
            source: None,
            is_chosen: false,
            is_recursive: false,
            unchecked: None,
        }))
    }

    fn sorts(&mut self) -> Parsed<Vec<SortRef>> {
        let mut sorts = vec![self.sort()?];
        while self.eat(Token::Comma) {
            sorts.push(self.sort()?);
        }
        Ok(sorts)
    }

    fn claim(&mut self, role: Role) -> Parsed<ItemKind> {
        let keyword = self.slice();
        self.advance();
        let name = self.opt_name()?;
        if name.is_none() {
            self.unbracketed_name(keyword);
        }
        let formula = self.formula()?;
        let is_claim = matches!(role, Role::Conjecture | Role::Safety);
        let proof = if is_claim { self.opt_proof()? } else { None };
        Ok(ItemKind::Formula { role, name, formula, proof })
    }

    fn macro_(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let name = self.ident("the macro's name")?;
        let mut params = Vec::new();
        if self.eat(Token::LeftParen) {
            if !self.at(Token::RightParen) {
                params = self.sorted_vars()?;
            }
            self.expect(Token::RightParen, "`,` or `)`")?;
        }
        if !self.at(Token::Equal) {
            let error = self.expected(if params.is_empty() { "`(` or `=`" } else { "`=` and the formula" });
            let error = match self.token {
                Token::Assign => error.help("a macro is declared by `=`, since it never changes"),
                Token::Colon => error.help("leave the sort out: a macro is always a formula"),
                _ => error,
            };
            return self.fail(error);
        }
        self.advance();
        Ok(ItemKind::Macro { name, params, body: self.formula()? })
    }

    fn include(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let place = Place(self.span());
        let text = self.slice();
        if self.at(Token::Ident) {
            let error = self.expected("the name of a file in double quotes");
            return self.fail(error.help(format!("write `include \"{text}\"`")));
        }
        self.expect(Token::Text, "the name of a file in double quotes")?;
        Ok(ItemKind::Include { path: Arc::from(&text[1..text.len() - 1]), place })
    }

    fn module(&mut self) -> Parsed<ItemKind> {
        if self.state.blocks > 0 {
            let error =
                Diagnostic::error(Code::Syntax, self.span(), "a module is declared inside of a module")
                    .label("not possible here")
                    .help("declare it outside, and `use` it here");
            return self.fail(error);
        }
        self.advance();
        let name = self.ident("the module's name")?;
        let params = if self.at(Token::LeftParen) { self.names()? } else { Vec::new() };
        if !self.at(Token::LeftBrace) {
            let error = self.open_brace();
            self.report(error);
            if !self.eat(Token::Equal) || !self.at(Token::LeftBrace) {
                return Err(Failed);
            }
        }
        self.advance();
        let items = self.items(Token::RightBrace);
        self.expect(Token::RightBrace, "a declaration or `}`")?;
        Ok(ItemKind::Module(Module { name, params, items }))
    }

    /// Parses names in parentheses.
    fn names(&mut self) -> Parsed<Vec<Ident>> {
        self.expect(Token::LeftParen, "`(`")?;
        let mut names = Vec::new();
        if !self.at(Token::RightParen) {
            names.push(self.ident("the name of a sort or symbol")?);
            while self.eat(Token::Comma) {
                names.push(self.ident("the name of a sort or symbol")?);
            }
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(names)
    }

    fn use_(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let module = self.ident("the name of a module")?;
        let args = if self.at(Token::LeftParen) { self.names()? } else { Vec::new() };
        let mut prefix = None;
        if self.at(Token::Ident) && self.slice() == "as" && self.peek() == Token::Ident {
            self.advance();
            prefix = Some(self.ident("a prefix for the names that the module declares")?);
        }
        Ok(ItemKind::Use { module, args, prefix })
    }

    fn while_(&mut self) -> Parsed<ItemKind> {
        self.advance();
        if !self.eat(Token::Star) {
            let error = self
                .expected("`*`")
                .help("the loop of a program is left at any time; write `assume` for a condition at the start of its body");
            self.report(error);
            let _ = self.expr(Level::Open)?;
        }
        self.eat(Token::Do);
        self.state.in_loop = true;
        let body = self.block();
        self.state.in_loop = false;
        Ok(ItemKind::While(body?))
    }

    /// Reports a loop inside the loop. It is parsed so that the following text can be checked.
    #[inline(never)]
    fn inner_loop(&mut self) -> Parsed<()> {
        let error = Diagnostic::error(Code::Syntax, self.span(), "a loop stands inside of the loop")
            .label("not possible here")
            .help("a program has one loop: what repeats is an action of it, with a relation or variable that says how far it is");
        self.report(error);
        while !matches!(self.token, Token::LeftBrace | Token::RightBrace | Token::End) {
            self.advance();
        }
        self.block().map(|_| ())
    }
}
