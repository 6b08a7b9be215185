//! Parser of declarations. Formulas are parsed by [`crate::fol::parser`].

mod early;
mod further;
mod interpret;
mod parts;
mod proof;
mod scenario;
mod schema;
mod statement;
mod symbols;
mod unchecked;

use super::ast::{
    Action, Decl, DeclKind, File, Interpretation, Module, Role, Stmt, StmtKind, TypeBody, Version, When,
};
use super::hints;
use super::lexer::{Lexeme, Lexer};
use crate::fol::ast::{Ident, Place};
use crate::fol::lexer::{Starts, Syntax};
use crate::fol::parser::hints::for_other_format;
use crate::fol::parser::{self, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::shared::report::suggest;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// The first minor version with declarations of invariants.
const FIRST_WITH_INVARIANTS: u32 = 7;

/// The last minor version in which `private` stands before a name, and not before a section.
const LAST_WITH_PRIVATE_NAMES: u32 = 6;

/// Parser state of an `.ivy` text.
type Parser<'t> = parser::Parser<'t, Lexeme>;

/// Parses a file. Declarations with syntax errors become [`DeclKind::Broken`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub(super) fn parse(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(File, Vec<Diagnostic>), Exhausted> {
    let version = Version::given(text);
    let start = text.find('#').unwrap_or_default();
    let first = text[start..].lines().next().unwrap_or_default().trim_end();
    let place = Span { file, start: start as u32, end: (start + first.len()) as u32 };
    let unknown = version.err().map(|given| (given, place));
    let mut bracketed = Vec::new();
    let parse = |parser: &mut Parser<'_>| {
        let decls = parser.file(unknown);
        bracketed = std::mem::take(&mut parser.bracketed);
        decls
    };
    let (decls, diagnostics) = parser::parse_file(file, text, Lexer::of_text(text), budget, parse)?;
    Ok((
        File { version: version.unwrap_or(Version::DEFAULT), decls, bracketed, file, is_built_in: false },
        diagnostics,
    ))
}

impl Parser<'_> {
    /// Parses a file, unless its first line, at this place, gives a language or version that is not read.
    fn file(&mut self, unknown: Option<(&str, Span)>) -> Vec<Decl> {
        if let Some(help) = for_other_format(self.text_here()) {
            let error = self.expected("a declaration").help(help);
            self.report(error);
            self.give_up();
        }
        if let Some((unknown, span)) = unknown {
            let (oldest, newest) = (Version::OLDEST.minor, Version::NEWEST.minor);
            let help = format!(
                "write `#lang ivy1.{}`; versions 1.{oldest} to 1.{newest} are read",
                Version::DEFAULT.minor
            );
            let what = match unknown.strip_prefix("ivy") {
                Some(version) => format!("version `{}` of the language is not read", version.trim()),
                None => format!("the language `{unknown}` is not read"),
            };
            let error = Diagnostic::error(Code::Syntax, span, what).label("the first line gives the version");
            self.report(error.help(help));
            self.give_up();
        }
        self.decls(Token::End)
    }

    /// Parses declarations up to the token `end`, which is not consumed.
    fn decls(&mut self, end: Token) -> Vec<Decl> {
        let mut decls = Vec::new();
        while !self.at(Token::End) && !self.at(end) {
            if self.eat(Token::Semicolon) {
                continue;
            }
            let start = self.start;
            self.begin_item();
            let (errors, blocks) = (self.errors, self.state.blocks);
            match self.decl() {
                Ok(kinds) if self.errors == errors || kinds.iter().all(has_parts) => {
                    let place = Place(self.span_from(start));
                    decls.extend(kinds.into_iter().map(|kind| Decl { kind, place }));
                }
                _ => {
                    (self.state.blocks, self.state.steps) = (blocks, 0);
                    let kind = DeclKind::Broken(self.skip_decl(start, end));
                    decls.push(Decl { kind, place: Place(self.span_from(start)) });
                }
            }
        }
        self.set_apart(&mut decls);
        decls
    }

    /// Skips to the next declaration, or to the brace that closes the block of declarations.
    fn skip_decl(&mut self, start: u32, end: Token) -> Vec<std::sync::Arc<str>> {
        if end == Token::RightBrace && self.at(Token::RightBrace) && self.start != start {
            return self.names_of_item();
        }
        self.skip_item(start)
    }

    /// Parses a declaration, which may declare an action and export it.
    #[inline(never)]
    fn decl(&mut self) -> Parsed<Vec<DeclKind>> {
        // These words make no difference, but that an explicit axiom is assumed where a proof names it alone, and an explicit
        // invariant nowhere. A property is shown, and may be assumed.
        let mut is_explicit = false;
        let mut is_of_type = false;
        for word in ["explicit", "finite", "ghost"] {
            if matches!(self.token, Token::Named | Token::Ghost) && self.slice() == word {
                is_explicit |= self.token == Token::Named;
                is_of_type |= self.token == Token::Ghost;
                self.advance();
            }
        }
        if is_of_type && !self.at(Token::Sort) {
            let error = self.expected("`type`");
            return self
                .fail(error.help("types alone are ghosts or finite, `finite ghost type` if they are both"));
        }
        let is_fact =
            matches!(self.token, Token::Axiom | Token::Property | Token::Invariant | Token::Definition)
                || self.slice() == "temporal";
        if is_explicit && !is_fact {
            let error = self.expected("`axiom`, `property`, `invariant` or `definition`");
            return self.fail(error.help("what proofs alone use is one of these"));
        }
        let one = match self.token {
            Token::Include => {
                self.advance();
                DeclKind::Include(self.ident("the name of a file")?)
            }
            Token::Sort => {
                self.advance();
                return self.type_(false);
            }
            Token::Relation | Token::Function | Token::Individual | Token::Constant | Token::Variable => {
                self.symbols()?
            }
            Token::Axiom => self.formula_decl(Role::Axiom, is_explicit)?,
            Token::Property => self.formula_decl(Role::Property, is_explicit)?,
            Token::Invariant if Version::of_text(self.text).minor < FIRST_WITH_INVARIANTS => {
                let error = Diagnostic::error(
                    Code::Syntax,
                    self.span(),
                    "invariants are declared from version 1.7 on",
                );
                return self.fail(error.label("no declaration before").help("write `conjecture`"));
            }
            Token::Invariant if is_explicit => self.formula_decl(Role::Explicit, is_explicit)?,
            Token::Conjecture | Token::Invariant => self.formula_decl(Role::Invariant, is_explicit)?,
            Token::Safety => self.formula_decl(Role::Safety, is_explicit)?,
            Token::Init => self.formula_decl(Role::Init, is_explicit)?,
            Token::Definition | Token::Derived => {
                let mut definitions = self.definitions()?;
                if is_explicit {
                    definitions.iter_mut().try_for_each(|it| self.make_explicit(it))?;
                }
                let start = self.start;
                if let Some(proof) = self.proof()?
                    && !definitions.last_mut().is_some_and(|last| self.is_recursion(last, &proof))
                {
                    // Other definitions need no proof.
                    let (keyword, text) = ("proof".into(), self.passed(start));
                    definitions.push(DeclKind::Ignored { keyword, text });
                }
                return Ok(definitions);
            }
            Token::Macro => self.macro_()?,
            Token::Module => self.module()?,
            Token::Object | Token::Isolate | Token::Trusted | Token::Extract => self.object()?,
            Token::Ident if self.slice() == "process" && self.is_latest() => self.object()?,
            Token::Ident if matches!(self.slice(), "class" | "subclass") && self.is_latest() => {
                self.class()?
            }
            Token::Ident if self.slice() == "field" && self.is_latest() => self.field()?,
            Token::Ident
                if matches!(self.slice(), "global" | "common")
                    && self.peek() == Token::LeftBrace
                    && self.is_latest() =>
            {
                self.section()?
            }
            Token::Specification | Token::Implementation | Token::Private => self.section()?,
            Token::Instantiate => return self.instances(),
            Token::Action => DeclKind::Action(self.action(true)?),
            Token::Ident if self.is_method() => DeclKind::Action(self.action(true)?),
            Token::Implement if self.peek() == Token::Sort => self.implemented_type()?,
            Token::Implement => self.monitor(When::Implement)?,
            Token::Before => self.monitor(When::Before)?,
            Token::Around => self.monitor(When::Around)?,
            Token::After if self.peek() == Token::Init => {
                self.advance();
                self.advance();
                let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
                DeclKind::Init { params, body: self.own_block()? }
            }
            Token::After => self.monitor(When::After)?,
            Token::Export | Token::Import => return self.export(),
            Token::Alias => {
                self.advance();
                let name = self.ident("the new name of a type")?;
                self.expect(Token::Equal, "`=` and the type")?;
                DeclKind::Alias { name, sort: self.sort_with_dots()? }
            }
            Token::Schema if self.has_subscripts() => self.scheme()?,
            Token::Schema if self.schema_follows() => self.schema()?,
            Token::Schema => self.other_schema()?,
            Token::Theorem => self.theorem()?,
            Token::Proof => self.proof_of()?,
            Token::Interpret => self.interpret()?,
            Token::Attribute => self.attribute()?,
            // It is neither shown nor assumed.
            Token::Ident if self.slice() == "unprovable" && self.is_latest() => {
                let (keyword, start) = (self.keyword(), self.start);
                self.advance();
                self.formula_decl(Role::Invariant, false)?;
                DeclKind::Ignored { keyword, text: self.passed(start) }
            }
            // Tells a tool for inference which formulas to try.
            Token::Ident if self.slice() == "template" => {
                let (keyword, start) = (self.keyword(), self.start);
                self.advance();
                self.label()?;
                self.formula()?;
                DeclKind::Ignored { keyword, text: self.passed(start) }
            }
            Token::Further if self.slice() == "scenario" => return self.scenario(),
            Token::Further => return self.further(),
            Token::Native => self.native(None, self.start),
            Token::Unsupported if self.update_follows() => self.update()?,
            Token::Unsupported if self.slice() == "progress" => return self.progress(),
            Token::Unsupported if self.slice() == "rely" => self.rely()?,
            Token::Unsupported if self.slice() == "constructor" => self.constructor()?,
            Token::Unsupported => {
                let word = self.slice();
                self.advance();
                return self.unread(word);
            }
            _ => {
                // It stands where the declaration was expected, even if a statement begins there.
                let message = format!("expected a declaration, found {}", self.found());
                let error =
                    Diagnostic::error(Code::Syntax, self.span(), message).label("expected a declaration");
                let error = self.hint_declaration(error);
                return self.fail(error);
            }
        };
        Ok(vec![one])
    }

    fn hint_declaration(&self, error: Diagnostic) -> Diagnostic {
        let starters = Lexeme::suggestions(&[Starts::Declaration, Starts::Nothing]);
        match self.token {
            Token::RightBrace => error.help("there is no brace open here"),
            Token::Assume | Token::Assert | Token::Require | Token::Ensure | Token::If | Token::Local => {
                error.help("statements stand in the block of an action: `action name = { .. }`")
            }
            Token::Ident => match hints::word(self.slice()) {
                Some(help) => error.help(help),
                None => match suggest(self.slice(), starters) {
                    Some(word) => error.help(format!("did you mean `{word}`?")),
                    None if self.peek() == Token::Assign => {
                        error.help("initial values are assigned in `after init { .. }`, others in an action")
                    }
                    None => self.hint_operator(error),
                },
            },
            _ => self.hint_operator(error),
        }
    }

    /// Parses a type after its keyword, with that of which it is a variant. That its elements are a range of numbers is an
    /// interpretation, which isolates see or do not see.
    fn type_(&mut self, is_variant: bool) -> Parsed<Vec<DeclKind>> {
        let name = self.name_or_this("the name of a type")?;
        let mut of = None;
        if is_variant {
            if self.slice() != "of" {
                let error = self.expected("`of` and a type");
                return self.fail(error);
            }
            self.advance();
            of = Some(self.dotted_name("the type of which it is a variant")?);
        }
        if !self.eat(Token::Equal) {
            return Ok(vec![DeclKind::Type { name, of, body: TypeBody::Uninterpreted }]);
        }
        if self.eat(Token::Struct) {
            self.expect(Token::LeftBrace, "`{`")?;
            let mut fields = Vec::new();
            while !self.at(Token::RightBrace) {
                fields.push(self.symbol(Token::Individual)?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::RightBrace, "`,` or `}`")?;
            return Ok(vec![DeclKind::Type { name, of, body: TypeBody::Struct(fields) }]);
        }
        if !self.at(Token::LeftBrace) {
            let error = self.expected("`{` and the elements, or `struct`");
            return self.fail(error);
        }
        let start = self.start;
        Ok(match self.elements()? {
            Interpretation::Enumerated(values) => {
                vec![DeclKind::Type { name, of, body: TypeBody::Enumerated(values) }]
            }
            meaning => {
                let mut text = self.passed(start);
                text.text = format!("interpret {} -> {}", name.name, text.text).into();
                let declared = DeclKind::Type { name: name.clone(), of, body: TypeBody::Uninterpreted };
                vec![declared, DeclKind::Interpret { name, meaning, text }]
            }
        })
    }

    fn formula_decl(&mut self, role: Role, is_explicit: bool) -> Parsed<DeclKind> {
        let mut keyword = self.keyword();
        self.advance();
        let label = self.label()?;
        if role == Role::Axiom && self.at(Token::LeftBrace) {
            return self.schema_body(true, label);
        }
        if is_explicit {
            keyword = format!("explicit {keyword}").into();
        }
        let formula = self.formula()?;
        let is_named = role == Role::Property && self.named_follows();
        let named = if is_named { Some(self.named()?) } else { None };
        let is_invariant = matches!(role, Role::Invariant | Role::Explicit);
        let with = if is_invariant { self.with()? } else { None };
        let proof = self.proof()?;
        Ok(DeclKind::Formula { role, keyword, label, formula, with, named, proof })
    }

    fn module(&mut self) -> Parsed<DeclKind> {
        self.advance();
        let is_isolate = self.eat(Token::Isolate);
        if !is_isolate {
            self.eat(Token::Object);
        }
        let name = self.ident("the name of the module")?;
        let params = if self.at(Token::LeftParen) { self.names()? } else { Vec::new() };
        let with = if is_isolate { self.with()? } else { None };
        let decls = self.braced_decls()?;
        if is_isolate && self.at(Token::With) {
            let error = self.expected("a declaration");
            return self.fail(error.help("what instances see is named before the `=`"));
        }
        Ok(DeclKind::Module(Module { name, params, is_isolate, decls, with }))
    }

    /// Parses names in parentheses, which may have several parts.
    fn names(&mut self) -> Parsed<Vec<Ident>> {
        self.expect(Token::LeftParen, "`(`")?;
        let mut names = Vec::new();
        if !self.at(Token::RightParen) {
            names.push(self.dotted_name("the name of a type or symbol")?);
            while self.eat(Token::Comma) {
                names.push(self.dotted_name("the name of a type or symbol")?);
            }
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(names)
    }

    /// Parses the arguments of a module: names, numerals, operators, `true`, `false` and `bool`.
    fn arguments(&mut self) -> Parsed<Vec<Ident>> {
        self.expect(Token::LeftParen, "`(`")?;
        let mut args = Vec::new();
        while args.is_empty() && !self.at(Token::RightParen) || self.eat(Token::Comma) {
            args.push(self.argument()?);
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(args)
    }

    fn argument(&mut self) -> Parsed<Ident> {
        let what = "the name of a type or symbol";
        if let Some(operator) = self.operator() {
            return Ok(operator);
        }
        if !matches!(self.token, Token::Bool | Token::True | Token::False | Token::Equal) {
            return self.number_or_name(what);
        }
        let name = Ident { name: self.keyword(), place: Place(self.span()) };
        self.advance();
        Ok(name)
    }

    fn object(&mut self) -> Parsed<DeclKind> {
        let start = self.start;
        let is_isolate = !self.at(Token::Object);
        let word = self.keyword();
        let mut keyword = self.slice().to_owned();
        if self.eat(Token::Trusted) {
            keyword.push(' ');
            keyword.push_str(self.slice());
            if !self.at(Token::Isolate) {
                let error = self.expected("`isolate`");
                return self.fail(error);
            }
        }
        self.advance();
        let name = self.name_or_this("the name of the object")?;
        let params = if self.at(Token::LeftParen) { self.some_params()? } else { Vec::new() };
        if is_isolate && !(self.at(Token::Equal) && self.peek() == Token::LeftBrace) {
            self.expect(Token::Equal, "`=` and names, or `=` and a block")?;
            let verified = self.call_atoms()?;
            let with = self.with()?.map(|it| it.names).unwrap_or_default();
            let text = self.passed(start);
            if &*word == "extract" {
                return Ok(DeclKind::Ignored { keyword: word, text });
            }
            let is_trusted = &*word == "trusted";
            return Ok(DeclKind::Isolate { is_trusted, name, verified, with, text });
        }
        self.expect(Token::Equal, "`=` and a block")?;
        let open = self.span();
        self.expect(Token::LeftBrace, "`{`")?;
        if is_isolate && self.at(Token::Dot) {
            let error = self.expected("a declaration or `}`");
            self.report(error.help(format!("what goes on is an object: `object {} = {{ ... }}`", name.name)));
        }
        let is_continued = self.continues()?;
        let decls = self.rest_of_decls(open)?;
        let with = if is_isolate { self.with()? } else { None };
        Ok(DeclKind::Object { keyword: keyword.into(), name, params, is_continued, decls, with })
    }

    fn section(&mut self) -> Parsed<DeclKind> {
        let keyword = self.keyword();
        self.advance();
        if Version::of_text(self.text).minor <= LAST_WITH_PRIVATE_NAMES && &*keyword == "private" {
            return Ok(DeclKind::Private(vec![self.dotted_name("the name of an object or a symbol")?]));
        }
        Ok(DeclKind::Section { keyword, decls: self.block_of_decls()? })
    }

    /// Parses `= { .. }`.
    pub(super) fn braced_decls(&mut self) -> Parsed<Vec<Decl>> {
        self.expect(Token::Equal, "`=` and a block")?;
        self.block_of_decls()
    }

    fn block_of_decls(&mut self) -> Parsed<Vec<Decl>> {
        let open = self.span();
        self.expect(Token::LeftBrace, "`{`")?;
        self.rest_of_decls(open)
    }

    /// Parses declarations and the brace that closes the one at `open`.
    pub(super) fn rest_of_decls(&mut self, open: Span) -> Parsed<Vec<Decl>> {
        if self.state.blocks >= MAX_DEPTH / 4 {
            return self.blocks_too_deep();
        }
        self.state.blocks += 1;
        let decls = self.decls(Token::RightBrace);
        self.state.blocks -= 1;
        if !self.at(Token::RightBrace) {
            let error = self.expected("a declaration or `}`").also(open, "to close this brace");
            return self.fail(error);
        }
        self.advance();
        Ok(decls)
    }

    fn instances(&mut self) -> Parsed<Vec<DeclKind>> {
        let keyword = self.keyword();
        self.advance();
        let mut instances = vec![self.instance(keyword.clone())?];
        while self.eat(Token::Comma) {
            instances.push(self.instance(keyword.clone())?);
        }
        Ok(instances)
    }

    /// Parses what follows the keyword of an instance.
    fn instance(&mut self, keyword: std::sync::Arc<str>) -> Parsed<DeclKind> {
        let first = self.dotted_name("the name of a module or schema, or of the instance")?;
        let (mut name, mut params, mut args) = (None, Vec::new(), Vec::new());
        let mut module = first;
        let has_vars = self.at(Token::LeftParen) && self.variables_follow();
        if self.at(Token::Colon) || has_vars {
            if has_vars {
                params = self.params()?;
                self.check_capitals(&params)?;
            }
            self.expect(Token::Colon, "`:` and the module")?;
            name = Some(module);
            module = self.dotted_name("the name of a module")?;
        }
        if self.at(Token::LeftParen) {
            args = self.arguments()?;
        }
        Ok(DeclKind::Instance { keyword, name, params, module, args })
    }

    /// Returns whether the list in parentheses here is followed by `:`.
    fn variables_follow(&self) -> bool {
        let mut depth = 1;
        let mut ahead = self.ahead();
        while depth > 0 {
            match ahead.next() {
                Some(Token::LeftParen) => depth += 1,
                Some(Token::RightParen) => depth -= 1,
                Some(Token::Ident | Token::Colon | Token::Comma | Token::Dot | Token::Bool) => {}
                _ => return false,
            }
        }
        ahead.next() == Some(Token::Colon)
    }

    /// Parses `export` or `import`, followed by the name of an action or its declaration.
    fn export(&mut self) -> Parsed<Vec<DeclKind>> {
        let is_export = self.at(Token::Export);
        self.advance();
        let mark = |name| if is_export { DeclKind::Export(name) } else { DeclKind::Import(name) };
        if self.at(Token::Action) {
            let action = self.action(true)?;
            let name = action.name.clone();
            return Ok(vec![DeclKind::Action(action), mark(name)]);
        }
        Ok(vec![mark(self.dotted_name("the name of an action")?)])
    }

    /// Parses an action from `action`, `method` or the keyword of a monitor on.
    fn action(&mut self, is_declared: bool) -> Parsed<Action> {
        let is_before = matches!(self.token, Token::Before | Token::Around);
        let of_type = if self.is_method() { Some(Place(self.span())) } else { None };
        self.advance();
        let name = self.dotted_name("the name of the action")?;
        let (mut params, mut receiver) = (if is_declared { Some(Vec::new()) } else { None }, None);
        if self.at(Token::LeftParen) {
            let (vars, at) = self.params_of_action()?;
            (params, receiver) = (Some(vars), at);
        }
        let mut returns = Vec::new();
        if self.eat(Token::Returns) {
            returns = self.some_params()?;
        }
        self.complete_sorts(params.as_deref_mut().unwrap_or_default());
        if let (Some(place), Some(params)) = (of_type, &mut params) {
            params.insert(0, further::of_this("self", place));
            receiver = receiver.map(|at| at + 1);
        }
        self.complete_sorts(&mut returns);
        let body: Option<Vec<Stmt>> = if is_declared {
            if self.eat(Token::Equal) { Some(self.body()?) } else { None }
        } else {
            self.eat(Token::Equal);
            Some(if is_before { self.block()? } else { self.own_block()? })
        };
        if is_declared && body.is_none() && self.at(Token::LeftBrace) {
            let error = self.expected("`=` before the block of the action");
            return self.fail(error);
        }
        Ok(Action { name, params, receiver, returns, body, places: Vec::new() })
    }

    /// Parses the statements of an action, or `*`.
    fn body(&mut self) -> Parsed<Vec<Stmt>> {
        if !self.at(Token::Star) {
            return self.own_block();
        }
        let place = Place(self.span());
        self.advance();
        Ok(vec![Stmt { kind: StmtKind::Crash, place }])
    }

    fn monitor(&mut self, when: When) -> Parsed<DeclKind> {
        Ok(DeclKind::Monitor { when, action: self.action(false)? })
    }
}

/// Returns whether a declaration is kept although it contains errors, because parts of it are known.
fn has_parts(kind: &DeclKind) -> bool {
    matches!(
        kind,
        DeclKind::Module(_)
            | DeclKind::Object { .. }
            | DeclKind::Section { .. }
            | DeclKind::Action(_)
            | DeclKind::Monitor { .. }
            | DeclKind::Init { .. }
            | DeclKind::Macro { .. }
            | DeclKind::Export(_)
    )
}
