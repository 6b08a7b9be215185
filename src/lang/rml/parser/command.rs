//! Parser of commands: blocks, branches and updates.

use super::Parser;
use crate::fol::ast::{Expr, Level, Place, SortRef, SortedVar};
use crate::fol::lexer::{Starts, Syntax};
use crate::fol::parser::hints::no_such_operator;
use crate::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::program::ast::{Branch, Command, CommandKind};
use crate::rml::hints::command_word;
use crate::rml::lexer::Lexeme;
use crate::shared::report::suggest;
use ramsey_core::diag::{Code, Diagnostic};

impl Parser<'_> {
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
    pub(super) fn open_brace(&self) -> Diagnostic {
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
    pub(super) fn block(&mut self) -> Parsed<Vec<Command>> {
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
            if self.at(Token::End) || self.starts_declaration() {
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
        while !self.at(Token::End) && !self.starts_declaration() {
            match self.token {
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 => return,
                Token::RightBrace => open -= 1,
                Token::Semicolon if open == 0 => return,
                token
                    if open == 0
                        && !first
                        && self.is_first_on_line()
                        && (self.starts_item() || matches!(token, Token::Ident | Token::If)) =>
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
    pub(super) fn command(&mut self, expected: &str) -> Parsed<Command> {
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
                CommandKind::Assert { formula: self.formula()?, proof: self.opt_proof()? }
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
                        None => self.hint_keyword(error, ["insert", "remove"]),
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
            let starters = Lexeme::suggestions(&[Starts::Item, Starts::Declaration]);
            let error = match self.token {
                Token::Equal => error.help("an assignment is written `:=`"),
                Token::Colon if command_word(&target.name).is_none() => error.help(
                    "an assignment is written `:=`; a variable of a block is declared by `local name: sort`",
                ),
                _ => match (command_word(&target.name), suggest(&target.name, starters)) {
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
