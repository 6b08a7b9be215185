//! Parser of declarations and commands. Formulas, traces and annotations are parsed by [`crate::lang::fol::parser`].

use std::sync::Arc;

use super::hints::command_word;
use super::lexer::{Lexer, starts_command, starts_declaration};
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::FileId;
use crate::diag::{Code, Diagnostic};
use crate::lang::fol::ast::{Expr, Ident, Level, Place, SortRef, SortedVar};
use crate::lang::fol::parser::hints::{for_other_format, no_such_operator};
use crate::lang::fol::parser::{self, Failed, MAX_DEPTH, Parsed};
use crate::lang::fol::token::Token;
use crate::lang::program::ast::{
    Branch, Command, CommandKind, Item, ItemKind, Module, Program, Role, SymbolDecl, SymbolForm,
};
use crate::lang::shared::report::suggest;

/// Parser state of an `.rml` text.
type Parser<'t> = parser::Parser<'t, Lexer<'t>>;

/// Words that start a declaration or a command, for suggestions.
const WORDS: &[&str] = &[
    "sort",
    "relation",
    "function",
    "variable",
    "axiom",
    "macro",
    "conjecture",
    "safety",
    "theorem",
    "sat",
    "unsat",
    "include",
    "module",
    "use",
    "while",
    "skip",
    "abort",
    "assume",
    "assert",
    "local",
    "action",
];

/// Parses a file. Items with syntax errors become [`ItemKind::Broken`] or contain [`CommandKind::Broken`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub(super) fn parse(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(Program, Vec<Diagnostic>), Exhausted> {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error_nowhere(Code::Unreadable, "the file is larger than 4 GiB");
        return Ok((Program { items: Vec::new(), file }, vec![error]));
    }
    let mut parser = Parser::new(file, text, Lexer::new(text), budget.clone());
    let items = parser.items(Token::End);
    Ok((Program { items, file }, parser.finish(budget)?))
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
        Ok(ItemKind::Symbol(SymbolDecl { form, names, args, result, annotations }))
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
        Ok(ItemKind::Formula { role, name, formula: self.formula()? })
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

    /// Reports that commands are nested too deeply, once for adjacent ones.
    fn blocks_too_deep(&mut self) {
        if self.diagnostics.last().is_some_and(|last| last.code == Code::TooDeep) {
            return;
        }
        let what = format!("commands are nested more than {MAX_DEPTH} levels deep");
        let error = Diagnostic::error(Code::TooDeep, self.span(), what).label("too deep here");
        self.report(error);
    }

    /// Skips the rest of a block and its closing brace.
    fn skip_block(&mut self) {
        let mut open = 1_u32;
        while open > 0 && !self.at(Token::End) {
            match self.token {
                Token::LeftBrace => open += 1,
                Token::RightBrace => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips an `if` with all its branches.
    fn skip_if(&mut self) {
        loop {
            while !matches!(self.token, Token::LeftBrace | Token::RightBrace | Token::End) {
                self.advance();
            }
            if self.eat(Token::LeftBrace) {
                self.skip_block();
            }
            if !self.eat(Token::Else) {
                return;
            }
        }
    }

    /// Returns the error that a block was expected.
    fn open_brace(&self) -> Diagnostic {
        let error = self.expected("`{`");
        match self.token {
            Token::Equal => error.help("no `=` stands before the braces"),
            Token::Ident | Token::Assume | Token::Assert | Token::Skip | Token::Abort => {
                error.help("commands stand in braces: `{ .. }`")
            }
            _ => error,
        }
    }

    /// Parses commands in braces.
    fn block(&mut self) -> Parsed<Vec<Command>> {
        if !self.at(Token::LeftBrace) {
            let error = self.open_brace();
            return self.fail(error);
        }
        self.advance();
        if self.state.blocks >= MAX_DEPTH {
            let start = self.start;
            self.blocks_too_deep();
            self.skip_block();
            return Ok(vec![Command { kind: CommandKind::Broken, place: Place(self.span_from(start)) }]);
        }
        self.state.blocks += 1;
        let mut commands = Vec::new();
        while !self.at(Token::RightBrace) {
            if self.eat(Token::Semicolon) {
                continue;
            }
            if self.at(Token::While) && self.state.in_loop {
                let start = self.start;
                self.inner_loop()?;
                commands.push(Command { kind: CommandKind::Broken, place: Place(self.span_from(start)) });
                continue;
            }
            if self.at(Token::End) || starts_declaration(self.token) {
                let error = self.expected("a command or `}`");
                return self.fail(if self.at(Token::End) {
                    error
                } else {
                    error.help("declarations stand outside of blocks of commands")
                });
            }
            let (start, depth, blocks) = (self.start, self.depth, self.state.blocks);
            self.bad_character = false;
            self.state.spoils_previous = false;
            match self.command("a command or `}`") {
                Ok(command) => commands.push(command),
                Err(Failed) => {
                    if self.state.spoils_previous {
                        commands.pop();
                    }
                    (self.depth, self.state.blocks) = (depth, blocks);
                    self.skip_command(start);
                    commands.push(Command { kind: CommandKind::Broken, place: Place(self.span_from(start)) });
                }
            }
        }
        self.advance();
        self.state.blocks -= 1;
        Ok(commands)
    }

    /// Skips to a position where the next command of a block may start, or to the end of the block.
    fn skip_command(&mut self, start: u32) {
        let mut open = 0;
        // The first token of this command does not start the next one.
        let mut first = self.start == start;
        while !self.at(Token::End) && !starts_declaration(self.token) {
            match self.token {
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 => return,
                Token::RightBrace => open -= 1,
                Token::Semicolon if open == 0 => return,
                token
                    if open == 0
                        && !first
                        && self.is_first_on_line()
                        && (starts_command(token) || matches!(token, Token::Ident | Token::If)) =>
                {
                    return;
                }
                _ => {}
            }
            first = false;
            self.advance();
        }
    }

    #[inline(never)]
    fn command(&mut self, expected: &str) -> Parsed<Command> {
        let start = self.start;
        let kind = match self.token {
            Token::Skip => {
                self.advance();
                CommandKind::Skip
            }
            Token::Abort => {
                self.advance();
                CommandKind::Abort
            }
            Token::Assume => {
                self.advance();
                CommandKind::Assume(self.formula()?)
            }
            Token::Assert => {
                self.advance();
                CommandKind::Assert(self.formula()?)
            }
            Token::Local => {
                self.advance();
                CommandKind::Local(self.typed_vars()?)
            }
            Token::If => self.if_command()?,
            Token::LeftBrace | Token::Action => self.choice()?,
            Token::Ident => self.update()?,
            _ => {
                let error = self.expected(expected);
                let error = match self.token {
                    Token::Init => error.help(
                        "what holds initially is said by the commands before `while * { .. }`: `assume` and the formula, or assignments",
                    ),
                    Token::Transition => error.help(
                        "a step of the system is `action name(parameters) { .. }` inside of `while * { .. }`",
                    ),
                    Token::Colon => {
                        error.help("sorts of variables are given where they are bound: `forall x:s. ..`")
                    }
                    Token::Let => error.help("a formula gets a name by `macro name(x: sort) = ..`"),
                    Token::Or => error.help("alternatives are blocks: `{ .. } | { .. }`"),
                    Token::RightBrace => error.help("there is no brace open here"),
                    _ => error,
                };
                return self.fail(error);
            }
        };
        Ok(Command { kind, place: Place(self.span_from(start)) })
    }

    /// Parses variables, all of which must have a sort.
    fn typed_vars(&mut self) -> Parsed<Vec<SortedVar>> {
        let mut vars = self.sorted_vars()?;
        // A sort applies to all variables of the group that it ends.
        let mut sort: Option<SortRef> = None;
        for var in vars.iter_mut().rev() {
            match (&var.sort, &sort) {
                (Some(known), _) => sort = Some(known.clone()),
                (None, Some(known)) => var.sort = Some(known.clone()),
                (None, None) => {
                    let error = self.expected("`:` and the sort");
                    return self.fail(error);
                }
            }
        }
        Ok(vars)
    }

    #[inline(never)]
    fn if_command(&mut self) -> Parsed<CommandKind> {
        self.advance();
        let condition = if self.eat(Token::Star) { None } else { Some(self.formula()?) };
        self.eat(Token::Then);
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if self.eat(Token::Else) {
            if self.at(Token::If) {
                // A chain counts as nesting, because it is nested in the tree.
                let start = self.start;
                if self.state.blocks >= MAX_DEPTH {
                    self.blocks_too_deep();
                    self.skip_if();
                    let place = Place(self.span_from(start));
                    otherwise.push(Command { kind: CommandKind::Broken, place });
                    return Ok(CommandKind::If { condition, then, otherwise });
                }
                self.state.blocks += 1;
                let kind = self.if_command()?;
                otherwise.push(Command { kind, place: Place(self.span_from(start)) });
                self.state.blocks -= 1;
            } else {
                otherwise = self.block()?;
            }
        }
        Ok(CommandKind::If { condition, then, otherwise })
    }

    #[inline(never)]
    fn choice(&mut self) -> Parsed<CommandKind> {
        let mut branches = vec![self.branch()?];
        while self.eat(Token::Or) {
            branches.push(self.branch()?);
        }
        Ok(CommandKind::Choice(branches))
    }

    fn branch(&mut self) -> Parsed<Branch> {
        let start = self.start;
        let mut name = None;
        let mut params = Vec::new();
        if self.eat(Token::Action) {
            name = Some(self.ident("the action's name")?);
            if self.eat(Token::LeftParen) {
                if !self.at(Token::RightParen) {
                    params = self.typed_vars()?;
                }
                self.expect(Token::RightParen, "`,` or `)`")?;
            }
        }
        let body = self.block()?;
        Ok(Branch { name, params, body, place: Place(self.span_from(start)) })
    }

    /// Parses a command that starts with the name of its target.
    fn update(&mut self) -> Parsed<CommandKind> {
        // If it is not a command, it may belong to the formula before it.
        let before = self.word_before().and_then(|(word, span)| no_such_operator(word, span));
        let here = (!self.is_first_on_line()).then(|| no_such_operator(self.slice(), self.span())).flatten();
        let foreign_operator = here.or(before);
        let target = self.ident("the name of what changes")?;
        if self.eat(Token::Dot) {
            let insert = match self.slice() {
                "insert" => true,
                "remove" => false,
                word => {
                    if let Some(error) = foreign_operator {
                        self.state.spoils_previous = true;
                        return self.fail(error);
                    }
                    let error = self.expected("`insert` or `remove`");
                    let error = match command_word(word) {
                        Some(help) => error.help(help),
                        None => self.hint_keyword(error, &["insert", "remove"]),
                    };
                    return self.fail(error);
                }
            };
            self.advance();
            let open = self.expect(Token::LeftParen, "`(`")?;
            let mut args = Vec::new();
            if !self.at(Token::RightParen) && !self.at(Token::Or) {
                // A `|` begins the condition.
                args.push(self.expr(Level::Or.tighter())?);
                while self.eat(Token::Comma) {
                    args.push(self.expr(Level::Or.tighter())?);
                }
            }
            let condition = if self.eat(Token::Or) { Some(self.formula()?) } else { None };
            self.close(open)?;
            return Ok(CommandKind::Update { target, insert, args, condition });
        }
        let mut args = None;
        if self.at(Token::LeftParen) {
            let open = self.span();
            self.advance();
            args = Some(self.list()?);
            self.close(open)?;
        }
        if !self.at(Token::Assign) {
            if let Some(error) = foreign_operator {
                self.state.spoils_previous = true;
                return self.fail(error);
            }
            let error = self.expected(if args.is_some() { "`:=`" } else { "`:=`, `(` or `.`" });
            let error = match self.token {
                Token::Equal => error.help("an assignment is written `:=`"),
                Token::Colon if command_word(&target.name).is_none() => error.help(
                    "an assignment is written `:=`; a variable of a block is declared by `local name: sort`",
                ),
                _ => match (command_word(&target.name), suggest(&target.name, WORDS.iter().copied())) {
                    (Some(help), _) => error.help(help),
                    (None, Some(word)) if args.is_none() => error.help(format!("did you mean `{word}`?")),
                    _ => error.note(format!("`{}` starts a command that changes it", target.name)),
                },
            };
            return self.fail(error);
        }
        self.advance();
        if self.at(Token::Star) {
            if args.is_some() {
                let error = Diagnostic::error(Code::Syntax, self.span(), "only variables can take any value")
                    .label("not possible for relations and functions with arguments")
                    .help("assign the value of a variable that has been given any value: `f(x) := v`");
                return self.fail(error);
            }
            self.advance();
            return Ok(CommandKind::Havoc(target));
        }
        let value: Expr = self.formula()?;
        Ok(CommandKind::Assign { target, args, value })
    }
}
